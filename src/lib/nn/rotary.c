/* rotary.c - rotary embedding: pairs of elements turned by angles that grow with the place, so that
 * the product of a query and a key depends on how far apart they are (Su et al., 2021). Pairs are
 * of the two halves of a head, as in most published weights.
 *
 *     head [1 0], place 2, base 10000    gives [cos(2) sin(2)] */
#include <float.h>
#include <math.h>
#include "lib/nn/attention.h"

static bool can_turn(const call_site *site, tsr *x)
{
	const type *t = handle_type(x);

	if (t->ndim >= 3 && t->dims[t->ndim - 1] % 2 == 0 && dtype_kind(t->dtype) == KIND_FLOAT)
		return true;
	return fail_types(site, "takes real x [.., length, heads, head] with an even head, not", &x,
	                  1);
}

/* places [.., length] of the rows that x has, in its dtype */
static tsr *places_given(const call_site *site, tsr *x, tsr *places)
{
	const type *t = handle_type(x), *p = handle_type(places);
	str want = {.base = &site->ctx->base}, got = {.base = &site->ctx->base};
	bool fits = p->ndim <= t->ndim - 2;

	for (int d = 1; fits && d <= p->ndim; d++)
		fits = p->dims[p->ndim - d] == t->dims[t->ndim - 2 - d];
	if (fits) return TO(t->dtype, HANDLE(places)).as.one;
	shape_text(&got, p->dims, p->ndim);
	shape_text(&want, t->dims, t->ndim - 2);
	fail_op(site, TSR_ERROR_TYPE, ".position has the shape %s, and the rows of x %s",
	        got.s ? got.s : "?", want.s ? want.s : "?");
	str_free(&want);
	str_free(&got);
	return poison_of(site->ctx);
}

static tsr *places_of_rows(const call_site *site, tsr *x, const tsr_arg *position)
{
	const type *t = handle_type(x);
	const tsr_arg rows = HANDLE(iota_of(site, TSR_I32, &t->dims[t->ndim - 3], 1, 0));

	if (!given_arg(position)) return TO(t->dtype, rows).as.one;
	tsr *first = operand_alone(site, position);
	if (handle_is_poison(first)) return first;
	if (handle_type(first)->ndim) return places_given(site, x, first);
	return TO(t->dtype, ADD(rows, HANDLE(first))).as.one;
}

tsr *rotated(const call_site *site, tsr *x, const tsr_arg *position, double base)
{
	if (handle_is_poison(x) || !can_turn(site, x)) return poison_of(site->ctx);
	const tsr_dtype own = handle_type(x)->dtype, wide = dtype_wide(own);
	tsr *part[2];
	x = convert(site, x, wide);
	const type *t = handle_type(x);
	const int64_t half = t->dims[t->ndim - 1] / 2;
	tsr *places = places_of_rows(site, x, position);
	if (handle_is_poison(places)) return places;
	if (half == 0) return convert(site, x, own);
	const tsr_arg pair = HANDLE(iota_of(site, wide, &half, 1, 0));
	const tsr_arg speed = OP_1(exp, MUL(pair, NUM(-log(base) / (double)half)));
	const tsr_arg place = HANDLE(tsr_expand_dims_at(site->where, places, TSR_DIMS(-2, -1)));
	const tsr_arg angle = MUL(place, speed), c = OP_1(cos, angle), s = OP_1(sin, angle);
	if (!tsr_split_at(site->where, x, -1, part, 2, NULL)) return poison_of(site->ctx);
	const tsr_arg a = HANDLE(part[0]), b = HANDLE(part[1]);
	tsr *const turned_[] = {SUB(MUL(a, c), MUL(b, s)).as.one, ADD(MUL(b, c), MUL(a, s)).as.one};
	return TO(own, HANDLE(tsr_concatenate_at(site->where, -1, turned_, 2))).as.one;
}

tsr *lib_rotary(call_site *site, tsr *x, const tsr_rotary_args *a)
{
	operands o;

	if (!operands_prepare(&o, site, (tsr_arg[]){HANDLE(x)}, 1, PROMOTE_INEXACT) ||
	    !keyword_operand(&o.site, ".position", &a->position))
		return poison_of(o.site.ctx);
	if (!(a->base >= 0 && a->base <= DBL_MAX))
		return refuse(&o.site, TSR_ERROR_ARGUMENT, "rotary: the base is %g, and must be "
		              "above 0", a->base);
	return rotated(&o.site, o.x[0], &a->position, a->base != 0 ? a->base : 10000);
}
