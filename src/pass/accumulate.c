/* accumulate.c - adds up the cotangents that arrive at one value. One that is zero except in
 * a part is added to that part alone.
 *
 * Two elements of %0 are taken, so their cotangent %2 is added to two elements:
 *
 *     pass transpose 10
 *     f(%0: f32[9], %1: i32[]) -> f32[9], f32[2] {
 *       %2: f32[2] = dynamic_slice %0 %1 dims=[2]
 *       return %0 %2
 *     }
 *     gives
 *     f(%0: i32[], %1: f32[9], %2: f32[2]) -> f32[9] {
 *       %3: f32[2] = dynamic_slice %1 %0 dims=[2]
 *       %4: f32[2] = add %3 %2
 *       %5: f32[9] = dynamic_update_slice %1 %4 %0
 *       return %5
 *     }
 *
 * The transpose of dynamic_slice is zeros with %2 in them, and their sum with %1 would take as long
 * as %0 is large: in the gradient of a loop that reads a row of an array in each step, the square
 * of the steps. */
#include "pass/pass.h"

/* does an equation that made a value only repeat its operand, or cast it? */
static bool repeats(const eqn *e)
{
	return e->prim == &tsr__prim_broadcast_in_dim || e->prim == &tsr__prim_pcast ||
	       e->prim == &tsr__prim_convert_element_type;
}

static bool is_all_zeros(const build *b, var v)
{
	static const unsigned char zero[16];
	const eqn *maker;

	while ((maker = build_maker(b, v)) && repeats(maker)) v = maker->in[0];
	const void *literal = maker ? NULL : build_literal_of(b, v);
	return literal &&
	       memcmp(literal, zero, tsr_dtype_size(build_type(b, v)->dtype)) == 0;
}

static var part_added(build *b, const eqn *put, var sum)
{
	const type *part = build_type(b, put->in[1]);
	const dynamic_slice_params sizes = {{part->ndim, part->dims}};
	const int n = put->nin;
	var *x = var_room(b, n);

	if (!x) return (var){0};
	memcpy(x, put->in, (size_t)n * sizeof *x);
	x[1] = sum;
	const var now = emit(b, &tsr__prim_dynamic_slice, &sizes, x + 1, n - 1);
	x[0] = sum;
	x[1] = emit_add(b, now, put->in[1]);
	return emit(b, put->prim, NULL, x, n);
}

static var windows_added(build *b, const eqn *put, var sum)
{
	return emit(b, put->prim, put->params, (var[]){sum, put->in[1], put->in[2]}, 3);
}

static bool adds(const eqn *e)
{
	return e->prim == &tsr__prim_dynamic_update_slice ||
	       (e->prim == &tsr__prim_scatter &&
	        ((const scatter_params *)e->params)->combine == SCATTER_ADD);
}

/* is `part` zeros with something put into them? Then that is added to the sum */
static bool add_part(build *b, var sum, var part, var *out)
{
	const type *t = build_type(b, sum), *of = build_type(b, part);
	const eqn *maker = build_maker(b, part);

	if (!maker || !adds(maker) || t->dtype != of->dtype || t->weak != of->weak ||
	    !is_all_zeros(b, maker->in[0]))
		return false;
	const eqn put = *maker; /* the record may move */
	*out = put.prim == &tsr__prim_scatter ? windows_added(b, &put, sum)
	                                      : part_added(b, &put, sum);
	return true;
}

var accumulate(build *b, var sum, var ct)
{
	var all;

	if (is_zero(sum) || is_zero(ct)) return is_zero(sum) ? ct : sum;
	if (build_failed(b)) return (var){0};
	return add_part(b, sum, ct, &all) || add_part(b, ct, sum, &all) ? all
	                                                                : emit_add(b, sum, ct);
}
