/* first_nan.c - finds the equation that made the NaN of a result: letter N of TSR_DEBUG.
 *
 * A run whose results have none costs a look at them. Otherwise its per-device program runs again,
 * interpreted, on the same operands, up to the first equation that makes a NaN of operands without
 * one.
 *
 * Example, for x = (1, -1, 4):
 *
 *     tsr *a = tsr_log(x);
 *     tsr *b = tsr_where(tsr_gt(x, 0), a, 0);
 *     return tsr_add(tsr_sum(a), tsr_sum(b));
 *
 * The NaN of a is in one of the sums, and in the result. b chooses without one, so that it is not
 * named; nor are the sums, whose operand already had it:
 *
 *     ..: log makes the first nan: f32[3] has nan at [1] ..
 *
 * A NaN that came in with an operand is told as that operand's. Effects without results are left
 * out of the second run. */
#include <complex.h>
#include <math.h>
#include "prim/prim.h"
#include "runtime/runtime.h"

/* the number of the first element that is NaN; -1: none */
static int64_t nan_in(const type *t, const void *data)
{
	const char *x = data;
	double complex z[64];

	if (!has_tangent(t->dtype)) return -1;
	for (int64_t i = 0; i < t->size; i += (int64_t)ARRAY_LEN(z)) {
		const int64_t left = t->size - i;
		const int64_t n = left < (int64_t)ARRAY_LEN(z) ? left : (int64_t)ARRAY_LEN(z);
		dtype_convert(TSR_C128, z, t->dtype, x + (size_t)i * tsr_dtype_size(t->dtype), n);
		for (int64_t k = 0; k < n; k++)
			if (isnan(creal(z[k])) || isnan(cimag(z[k]))) return i + k;
	}
	return -1;
}

/* "f32[4] has nan at [2]" */
static void put_nan(str *s, const type *t, int64_t at)
{
	int64_t index[MAX_NDIM];

	for (int d = t->ndim - 1; d >= 0; at /= t->dims[d--]) index[d] = at % t->dims[d];
	str_printf(s, "%s[", tsr_dtype_name(t->dtype));
	for (int d = 0; d < t->ndim; d++)
		str_printf(s, "%s%lld", d ? "," : "", (long long)t->dims[d]);
	str_put(s, "] has nan");
	for (int d = 0; d < t->ndim; d++)
		str_printf(s, "%s%lld", d ? "," : " at [", (long long)index[d]);
	if (t->ndim) str_put(s, "]");
}

/* ---- the second run */

/* of the operands that the k-th device makes its results of: its own, or those of all */
static bool operands_have(const look *l, int64_t k)
{
	const bool all = l->eqn->prim->flags & PRIM_COLLECTIVE;

	for (int i = 0; i < l->eqn->nin; i++)
		for (int64_t j = all ? 0 : k; j < (all ? l->set.n : k + 1); j++) {
			const void *x = l->x[i * l->set.n + j];
			if (x && nan_in(l->in[i], x) >= 0) return true;
		}
	return false;
}

static bool fail_here(const look *l, int j, int64_t k, int64_t at)
{
	str text = {.base = l->base};

	put_nan(&text, l->out[j], at);
	if (l->set.n > 1)
		str_printf(&text, ", on device %lld", (long long)l->set.device[k]);
	fail(l->base, l->eqn->where, TSR_ERROR_USER, "%s makes the first nan: %s",
	     l->eqn->prim->name, text.s ? text.s : "it has one");
	str_free(&text);
	return false;
}

static bool look_at(onlooker *by, const look *l)
{
	(void)by;
	for (int j = 0; j < l->eqn->nout; j++)
		for (int64_t k = 0; k < l->set.n; k++) {
			const void *y = l->y[j * l->set.n + k];
			const int64_t at = y ? nan_in(l->out[j], y) : -1;
			if (at >= 0 && !operands_have(l, k))
				return fail_here(l, j, k, at);
		}
	return true;
}

/* ---- results */

/* the first element that is NaN; -1: none. -2: an error is recorded */
static int64_t nan_of(const char *where, const array *y)
{
	if (!has_tangent(y->type->dtype)) return -1;
	char *data = mem_alloc(&y->ctx->base, (size_t)array_bytes(y) + 1);
	const bool ok = data && array_to_host(where, y, data, NULL);
	const int64_t at = ok ? nan_in(y->type, data) : -2;

	mem_free(&y->ctx->base, data);
	return at;
}

/* fails with the operand that has one, or with the fact that the second run made none */
static void fail_operand(const checked_run *r, int result, int64_t at)
{
	const program *p = r->c->placed.program;
	const int64_t n = r->c->set.n;
	base *bs = &r->ctx->base;
	str text = {.base = bs}, from = {.base = bs};

	for (int i = 0; i < p->nin && !from.len; i++)
		for (int64_t k = 0; k < n && !from.len; k++) {
			const void *x = r->ctx->engine->type->borrow(r->in[i * n + k]);
			if (nan_in(type_of(p, p->in[i]), x) < 0) continue;
			str_put(&from, "it came in with ");
			r->put_operand(&from, r->of, i);
		}
	put_nan(&text, type_of(r->c->global, r->c->global->out[result]), at);
	fail(bs, r->where, TSR_ERROR_USER, "result %d, %s: %s", result, text.s ? text.s : "",
	     from.s ? from.s : "when the program ran again, nothing made one");
	str_free(&text);
	str_free(&from);
}

static bool tell(const checked_run *r, int result, int64_t at)
{
	onlooker by = {look_at};

	if (interp_watched(r->ctx->engine, r->c->placed.program, r->c->set, r->in, &by))
		fail_operand(r, result, at);
	return false;
}

bool results_without_nan(const checked_run *r, array *const *out)
{
	const mesh *m = r->c->placed.mesh;

	if ((m && m->list->here) || !interp_can_watch(r->ctx->engine)) return true;
	for (int i = 0; i < r->c->global->nout; i++) {
		const int64_t at = nan_of(r->where, out[i]);
		if (at == -2) return false;
		if (at >= 0) return tell(r, i, at);
	}
	return true;
}
