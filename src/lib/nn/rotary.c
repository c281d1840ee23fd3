/* rotary.c - rotary embedding: pairs of elements turned by angles that grow with the place, so that
 * the product of a query and a key depends on how far apart they are (Su et al., 2021). Pairs are
 * of the two halves of a head, as in most published weights.
 *
 *     head [1 0], place 2, base 10000    gives [cos(2) sin(2)] */
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

/* the places of the rows, [.., length], as floats */
static tsr *places_of_rows(const call_site *site, const tsr_arg *position, int64_t length,
                           tsr_dtype dtype)
{
	const char *where = site->where;
	const tsr_arg rows = HANDLE(iota_of(site, TSR_I32, &length, 1, 0));

	if (!given_arg(position)) return TO(dtype, rows).as.one;
	tsr *first = operand_alone(site, position);
	if (handle_is_poison(first)) return first;
	if (handle_type(first)->ndim) return TO(dtype, HANDLE(first)).as.one;
	return TO(dtype, ADD(rows, HANDLE(first))).as.one;
}

tsr *rotated(const call_site *site, tsr *x, const tsr_arg *position, double base)
{
	const char *where = site->where;

	if (handle_is_poison(x) || !can_turn(site, x)) return poison_of(site->ctx);
	const type *t = handle_type(x);
	const tsr_dtype own = t->dtype, wide = dtype_wide(own);
	const int64_t half = t->dims[t->ndim - 1] / 2;
	tsr *part[2], *places = places_of_rows(site, position, t->dims[t->ndim - 3], wide);

	if (half == 0) return x;
	const tsr_arg pair = HANDLE(iota_of(site, wide, &half, 1, 0));
	const tsr_arg speed = OP_1(exp, MUL(pair, NUM(-log(base) / (double)half)));
	const tsr_arg place = HANDLE(tsr_expand_dims_at(where, places, TSR_DIMS(-2, -1)));
	const tsr_arg angle = MUL(place, speed), c = OP_1(cos, angle), s = OP_1(sin, angle);
	if (!tsr_split_at(where, TO(wide, HANDLE(x)).as.one, -1, part, 2, NULL))
		return poison_of(site->ctx);
	const tsr_arg a = HANDLE(part[0]), b = HANDLE(part[1]);
	tsr *const turned_[] = {SUB(MUL(a, c), MUL(b, s)).as.one, ADD(MUL(b, c), MUL(a, s)).as.one};
	return TO(own, HANDLE(tsr_concatenate_at(where, -1, turned_, 2))).as.one;
}

tsr *lib_rotary(const char *where, tsr *x, const tsr_rotary_args *given)
{
	const tsr_rotary_args *a = KEYWORDS(tsr_rotary_args, where, tsr_ctx_of(x), given);
	if (!a) return poison_of(tsr_ctx_of(x));
	operands o;

	if (!operands_prepare(&o, where, "rotary", (tsr_arg[]){HANDLE(x)}, 1, PROMOTE_INEXACT) ||
	    !keyword_operand(&o.site, ".position", &a->position))
		return poison_of(o.site.ctx);
	return rotated(&o.site, o.x[0], &a->position, a->base != 0 ? a->base : 10000);
}
