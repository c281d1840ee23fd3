/* cost.c - what it takes to compute equations: one measure for all who decide by it.
 *
 * Each row says what one element takes (its column `cost`, program.h), in additions of elements in
 * a vector: a sine takes 12. Example, for f32[64,64] and f64:
 *
 *     %1 = sin %0                     12 an element, 49152 in all;         f64: 24, 98304
 *     %2 = reduce_sum %1 dims=[1]     2 + 64 an element, 4224 in all;      f64: 130, 8320
 *     %3 = transpose %1 perm=[1,0]    0.25 an element, 1024 in all;        f64: the same */
#include "pass/pass.h"

bool is_reduction(const eqn *e) { return e->prim->flags & PRIM_REDUCES; }

static double product(const int64_t *dims, const ints *which)
{
	double n = 1;

	for (int i = 0; i < which->n; i++) n *= (double)dims[which->v[i]];
	return n;
}

double steps_of(const program *p, const eqn *e)
{
	const type *x = type_of(p, e->in[0]), *y = type_of(p, e->out[0]);

	if (e->prim == &tsr__prim_dot_general)
		return product(x->dims, &((const dot_params *)e->params)->contract_a);
	return y->size ? (double)x->size / (double)y->size : 0;
}

static double dtype_cost(tsr_dtype dtype)
{
	const double parts = dtype_kind(dtype) == KIND_COMPLEX ? 4 : 1;

	return dtype_bits(dtype_real(dtype)) == 64 ? 2 * parts : parts;
}

double element_cost(const program *p, const eqn *e)
{
	const double each = e->prim->cost * dtype_cost(type_of(p, e->out[0])->dtype);

	if (e->prim->flags & PRIM_MOVES) return e->prim->cost;
	return is_reduction(e) ? 2 + each * steps_of(p, e) : each;
}

double work_of(const program *p, const eqn *e)
{
	return e->nout ? element_cost(p, e) * (double)type_of(p, e->out[0])->size : 0;
}
