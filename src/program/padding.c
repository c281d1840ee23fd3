/* padding.c - finds the values that the padding of blocks must hold.
 *
 * Nine elements over four devices are blocks of 3, 3, 3 and 0 elements, with room for three each.
 * Each device adds up its block, and the last one must not add the elements that are there by
 * chance.
 *
 * Example:
 *
 *     f(%0: f32[9]) -> f32[], f32[], f32[], f32[9] {
 *       %1: f32[] = reduce_sum %0 dims=[0]
 *       %2: f32[] = reduce_prod %0 dims=[0]
 *       %3: f32[] = reduce_max %0 dims=[0]
 *       %4: f32[9] = sin %0
 *       return %1 %2 %3 %4
 *     }
 *
 * The padding of %0 must hold what the operator ignores; what is never read of it may be anything:
 *
 *     reduce_sum: 0    reduce_prod: 1    reduce_max: -inf    sin: anything */
#include <math.h>
#include "program/program.h"

padding eqn_needs(const eqn *e, const type *const *in, const factors *f, int operand, int factor)
{
#define OPERATOR(op, name, padding, ...) PAD_##padding,
	static const padding ignored[] = {
#include "program/operators.def"
	};
#undef OPERATOR

	if (e->prim->needs) return e->prim->needs(e, in, f, operand, factor);
	/* 1 times 1 - 0i is 1 + 0i */
	if (f->kind[factor] == FACTOR_REDUCE && f->op[factor] == FACTOR_PROD &&
	    dtype_kind(in[operand]->dtype) == KIND_COMPLEX)
		return PAD_NONE;
	return f->kind[factor] == FACTOR_REDUCE ? ignored[f->op[factor]] : PAD_ANY;
}

/* the lowest number of a dtype, or the highest; of complex ones in both parts */
static void extreme(tsr_dtype dtype, bool highest, void *out)
{
	const double inf = highest ? INFINITY : -INFINITY, both[] = {inf, inf};
	uint64_t number = highest;

	switch (dtype_kind(dtype)) {
	case KIND_FLOAT: dtype_convert(dtype, out, TSR_F64, both, 1); return;
	case KIND_COMPLEX: dtype_convert(dtype, out, TSR_C128, both, 1); return;
	case KIND_INT: number = ((uint64_t)1 << (dtype_bits(dtype) - 1)) - highest; break;
	case KIND_UINT: number = highest ? UINT64_MAX : 0; break;
	case KIND_BOOL: break;
	}
	dtype_convert(dtype, out, TSR_U64, &number, 1);
}

void padding_number(padding p, tsr_dtype dtype, void *out)
{
	const int64_t number = p == PAD_ONES ? -1 : p == PAD_ONE;

	if (p == PAD_LOWEST || p == PAD_HIGHEST)
		extreme(dtype, p == PAD_HIGHEST, out);
	else
		dtype_convert(dtype, out, TSR_I64, &number, 1);
}
