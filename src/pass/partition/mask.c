/* mask.c - where the block of a device begins, and numbers in the padding behind its elements.
 *
 *     pass partition
 *     f(%0: f32[8]) -> f32[] {
 *       %1: f32[8] = shard_map %0 mesh=(x:4) axes=(x) in=[[x]] out=[[x]] body=(%0: f32[2]{x}) ->
 *             f32[2]{x} {
 *         %1: f32[2]{x} = sin %0
 *         return %1
 *       }
 *       %2: f32[5] = slice %1 start=[0] stop=[5] step=[1]
 *       %3: f32[5] = exp %2
 *       %4: f32[] = reduce_sum %3 dims=[0]
 *       return %4
 *     }
 *     gives
 *     axes (x of (x:4)) f(%0: f32[2]{x}) -> f32[] {
 *       %1: i32[2] = iota dtype=i32 dims=[2] dim=0
 *       %2: i32[2]{x} = pcast %1 axes=(x)
 *       %3: i32[]{x} = axis_index axes=(x)
 *       %4: i32[]{x} = mul %3 2:i32
 *       %5: i32[2]{x} = broadcast_in_dim %4 dims=[2] at=[]
 *       %6: i32[2]{x} = add %2 %5
 *       %7: bool[2]{x} = lt %6 5:i32
 *       %8: bool[2]{x} = broadcast_in_dim %7 dims=[2] at=[0]
 *       %9: f32[2]{x} = sin %0
 *       %10: f32[2]{x} = exp %9
 *       %11: f32[2]{x} = select_n %8 0.0:f32 %10
 *       %12: f32[]{x} = reduce_sum %11 dims=[0]
 *       %13: f32[] = psum %12 axes=(x) to=invarying
 *       return %13
 *     }
 *
 * Five elements over four devices are in blocks of 2, 2, 1 and 0. The padding has the elements
 * that the slice left out, and the sum must not add their %10: %11 puts 0 there, where the index in
 * the whole, the block's start and the index in the block, is not below 5. There is no mask where
 * the padding is known to be 0: values remember what theirs is (values.c). */
#include "pass/partition/partition.h"

/* ---- starts */

static var small_int(partitioning *p, tsr_dtype dtype, int64_t value)
{
	const int32_t narrow = (int32_t)value;

	return build_literal(p->b, dtype, dtype == TSR_I64 ? (const void *)&value : &narrow);
}

tsr_dtype index_dtype(int64_t most) { return most > INT32_MAX ? TSR_I64 : TSR_I32; }

bool block_start(partitioning *p, const ints *axes, int64_t size, tsr_dtype dtype, var *out)
{
	if (axes->n == 0) return (*out = small_int(p, dtype, 0)).id;
	const axes_params on = {{*axes, {0, NULL}}};
	var index, factor = small_int(p, dtype, size);
	if (!factor.id || !build_eqn(p->b, &tsr__prim_axis_index, &on, NULL, 0, &index, p->where))
		return false;
	if (dtype == TSR_I64 &&
	    !build_eqn(p->b, &tsr__prim_convert_element_type, &(dtype_params){.dtype = TSR_I64},
	               &index, 1, &index, p->where))
		return false;
	if (size == 1) return (*out = index).id;
	return build_eqn(p->b, &tsr__prim_mul, NULL, (var[]){index, factor}, 2, out, p->where);
}

/* ---- numbers in padding */

bool has_padding(const partitioning *p, const type *whole, const layout *l)
{
	return !layout_divides(l, p->size, whole->dims, whole->ndim);
}

var element_like(partitioning *p, const type *like, const void *number)
{
	const type *t = type_shaped(build_ir(p->b), like, NULL, 0, 0);

	return t ? build_literal_as(p->b, t, number) : (var){0};
}

/* bool[size]: which of the indices start, start + 1, ... are less than end? */
static var indices_below(partitioning *p, var start, int64_t size, int64_t end)
{
	build_at(p->b, p->where);
	return emit_before(p->b, emit_places(p->b, &size, 1, 0, start), end);
}

bool fill_padding(partitioning *p, var x, const type *whole, const layout *l, const void *number,
                  var *out)
{
	const type *block = build_type(p->b, x);
	var inside = {0};

	for (int d = 0; d < whole->ndim; d++) {
		const int64_t parts = layout_parts(l, p->size, d), size = block->dims[d];
		const ints axes = axes_of_dim(p, l, d, 0);
		var start;
		if (!axes.v) return false;
		if (whole->dims[d] % parts == 0) continue;
		if (!block_start(p, &axes, size, index_dtype(parts * size), &start)) return false;
		const var here = emit_broadcast(p->b, indices_below(p, start, size, whole->dims[d]),
		                                block->dims, block->ndim, (int64_t[]){d});
		inside = is_zero(inside) ? here : emit_2(p->b, &tsr__prim_and, inside, here);
	}
	*out = emit_select(p->b, inside, x, element_like(p, block, number));
	return out->id;
}
