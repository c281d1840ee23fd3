/* check_finite.c - tsr_check_finite, and its row: an error where a value is infinite or no number.
 *
 *     tsr_check_finite(loss, "the loss")    fails with   the loss, f32[4], has nan at [2], on the
 *                                                        device at x=1 */
#include <complex.h>
#include <math.h>
#include "lib/lib.h"
#include "pass/pass.h"

/* ---- the row. Operands: the value, then the index of the device along each axis of `device` */

static const check_finite_params *params_of(const eqn *e) { return e->params; }

static bool check_finite_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	(void)out;
	if (e->nin < 1 || !has_tangent(in[0]->dtype))
		return fail(build_base(b), e->where, TSR_ERROR_TYPE,
		            "check_finite: operand 0 must be of floating or complex dtype");
	for (int i = 1; i < e->nin; i++)
		if (in[i]->dtype != TSR_I32 || in[i]->ndim)
			return fail(build_base(b), e->where, TSR_ERROR_TYPE,
			            "check_finite: operand %d must be a scalar of dtype i32", i);
	return check_effect_axes(b, e, in);
}

/* the number of the first element that is not finite, or -1 */
static int64_t first_strange(const type *t, const char *x)
{
	const size_t bytes = tsr_dtype_size(t->dtype);

	for (int64_t i = 0; i < t->size; i++) {
		double complex z;
		dtype_convert(TSR_C128, &z, t->dtype, x + (size_t)i * bytes, 1);
		if (!isfinite(creal(z)) || !isfinite(cimag(z))) return i;
	}
	return -1;
}

static void put_place(str *s, const type *t, int64_t at)
{
	int64_t index[MAX_NDIM];

	for (int d = t->ndim - 1; d >= 0; d--) {
		index[d] = at % t->dims[d];
		at /= t->dims[d];
	}
	if (t->ndim) str_put(s, " at [");
	for (int d = 0; d < t->ndim; d++)
		str_printf(s, "%s%lld", d ? "," : "", (long long)index[d]);
	if (t->ndim) str_put(s, "]");
}

static void put_type(str *s, const type *t)
{
	str_printf(s, "%s[", tsr_dtype_name(t->dtype));
	for (int d = 0; d < t->ndim; d++)
		str_printf(s, "%s%lld", d ? "," : "", (long long)t->dims[d]);
	str_put(s, "]");
}

static void put_device(str *s, const host_args *a)
{
	const char *names = params_of(a->eqn)->device;
	size_t len;

	for (int i = 1; i < a->eqn->nin; i++) {
		const char *name = product_next(&names, &len);
		str_put(s, i == 1 ? ", on the device at " : ", ");
		str_putn(s, name ? name : "?", name ? len : 1);
		str_printf(s, "=%d", (int)*(const int32_t *)a->x[i]);
	}
}

static bool check_finite_host(const host_args *a)
{
	const type *t = a->in[0];
	const char *x = a->x[0];
	const int64_t at = first_strange(t, x);
	str s = {.base = a->base};

	if (at < 0) return true;
	str_printf(&s, "%s, ", params_of(a->eqn)->what);
	put_type(&s, t);
	str_put(&s, ", has ");
	str_number(&s, t->dtype, x + (size_t)at * tsr_dtype_size(t->dtype), 0);
	put_place(&s, t, at);
	put_device(&s, a);
	fail(a->base, a->eqn->where, TSR_ERROR_USER, "check_finite: %s",
	     s.s ? s.s : "a value is not finite");
	str_free(&s);
	return false;
}

static unsigned check_finite_effects(const eqn *e) { return (void)e, EFFECT_SEEN; }

static const field check_finite_fields[] = {
	{"what", offsetof(check_finite_params, what), FIELD_TEXT, NULL},
	{"device", offsetof(check_finite_params, device), FIELD_TEXT, NULL},
	{"axes", offsetof(check_finite_params, axes), FIELD_AXES, NULL},
	{NULL, 0, 0, NULL},
};
const tsr_prim tsr__prim_check_finite = {
	.name = "check_finite",
	.doc = "fails where an element of the first operand is infinite or no number",
	.flags = PRIM_OWN_VARYING,
	.nin = -1,
	.nout = 0,
	.params = check_finite_fields,
	.types = check_finite_types,
	.factors = effect_factors,
	.effects = check_finite_effects,
	.batch = batch_in_turn,
	.host = check_finite_host,
	TSR_NO_RULE(COL_JVP, "it has no results"),
	TSR_NO_RULE(COL_TRANSPOSE, "there is nothing to check where cotangents go backwards"),
	TSR_NO_RULE(COL_LOWER, "kernels do not fail"),
	TSR_NO_RULE(COL_COST, "it is for finding mistakes"),
};

/* ---- the operation */

void tsr_check_finite_at(const char *where, tsr *x, const char *what)
{
	TURN_OF(tsr_ctx_of(x), where, );
	call_site site = {.where = where, .op = "check_finite"};
	tsr *in[1 + MAX_AXES] = {x};
	int64_t room[MAX_AXES];
	int naxes, n = 1;

	if (!operands_check(&site, &x, 1)) return;
	const ints over = effect_axes(site.ctx, room);
	const axis *axes = trace_axes(site.ctx, &naxes);
	str device = {.base = &site.ctx->base};
	for (int i = 0; i < over.n; i++) {
		const axes_params index = {{{1, &room[i]}, {0, NULL}}};
		str_printf(&device, "%s%s", i ? "*" : "", axes[room[i]].name);
		in[n++] = bind(&site, &tsr__prim_axis_index, &index, NULL, 0);
	}
	const check_finite_params p = {what ? what : "the value", device.s ? device.s : "", over};
	if (!device.lost)
		bind_all(&(operation){&site, &tsr__prim_check_finite, &p, in, n}, NULL, 0);
	str_free(&device);
}
