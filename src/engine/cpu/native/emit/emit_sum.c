/* emit_sum.c - sums and products in the order of docs/numerics.md: blocks of 256 elements in 16
 * lanes; a tree of neighbours joins the lanes, and another one the blocks.
 *
 * Where a reduction takes 16 elements at a time, its lanes are those of a vector. Otherwise there
 * are 16 partial results side by side, in registers if there is little to compute, else in memory.
 * The blocks are joined in the way a binary counter counts (emit_halves.c).
 *
 * Example, vectors of 32 bytes:
 *
 *     (%0: f32[40]) -> f32[] {
 *       %1: f32[] = reduce_sum %0 dims=[0]
 *       return %1
 *     }
 *
 * is less than one block: lane k sums elements k, k + 16 and, up to lane 7, k + 32. Then the even
 * lanes are added to the odd ones, four times:
 *
 *     .. = fadd <16 x float> ..
 *     icmp slt i64 .., 32
 *     .. = fadd <16 x float> ..
 *     .. = select <16 x i1> <i1 true, ..
 *     shufflevector <16 x float> .., <8 x i32> <i32 0, i32 2, i32 4, i32 6, ..
 *     shufflevector <16 x float> .., <8 x i32> <i32 1, i32 3, i32 5, i32 7, ..
 *     .. = fadd <8 x float> ..
 *     .. = fadd <4 x float> ..
 *     .. = fadd <2 x float> ..
 *     store float
 */
#include "engine/cpu/native/emit/emit.h"

/* a lane takes element i */
static value step(const reducing *r, value lane, LLVMValueRef i, LLVMValueRef mask)
{
	value y[2];

	element_at(r, i, mask, y);
	const value next = joined(r, lane, y[0]);
	return mask ? choose_value(r->g, mask, next, lane) : next;
}

/* its first element: products start with it */
static value first_step(const reducing *r, LLVMValueRef i, LLVMValueRef mask)
{
	value y[2];

	if (r->kind != KR_PROD) return step(r, zero_of(r, width_of(r)), i, mask);
	element_at(r, i, mask, y);
	return y[0];
}

/* ---- 16 elements at a time */

/* of the first n lanes */
static value tree_of_vector(const reducing *r, value x, int n)
{
	emitter *g = r->g;

	for (int width = LANES; width > 1; width /= 2, n = (n + 1) / 2) {
		const int half = width / 2;
		const value left = {lanes_from(g, x.v, 0, 2, half),
		                    x.im ? lanes_from(g, x.im, 0, 2, half) : NULL};
		const value right = {lanes_from(g, x.v, 1, 2, half),
		                     x.im ? lanes_from(g, x.im, 1, 2, half) : NULL};
		const LLVMValueRef there = mask_first(g, n / 2, half);
		x = joined(r, left, right);
		if (there) x = choose_value(g, there, x, left);
	}
	x.v = LLVMBuildExtractElement(g->b, x.v, i64_of(g, 0), "");
	if (x.im) x.im = LLVMBuildExtractElement(g->b, x.im, i64_of(g, 0), "");
	return x;
}

/* steps of 16 elements, from the one at i on */
static value steps_in_lanes(const reducing *r, value x, LLVMValueRef i, int64_t steps)
{
	int unroll = r->size <= TUNE_SUM_NODES ? TUNE_JOINT_UNROLL : 1;
	loop_code l;

	if (!steps) return x;
	while (steps % unroll) unroll /= 2;
	loop_begin(r->g, &l, i64_of(r->g, 0), i64_of(r->g, steps * LANES), unroll * LANES, &x, 1);
	const LLVMValueRef from = LLVMBuildAdd(r->g->b, i, l.index, "");
	for (int u = 0; u < unroll; u++) x = step(r, x, plus(r->g, from, u * LANES), NULL);
	loop_end(r->g, &l, &x);
	return x;
}

static value block_in_lanes(const reducing *r, LLVMValueRef i, int n)
{
	const bool peel = r->kind == KR_PROD || n < LANES;
	const LLVMValueRef part = mask_first(r->g, n % LANES, LANES);
	int done = 0;
	value x = zero_of(r, width_of(r));

	if (peel) {
		x = first_step(r, i, n < LANES ? part : NULL);
		done = LANES;
	}
	if (n > done) {
		x = steps_in_lanes(r, x, plus(r->g, i, done), (n - done) / LANES);
		if (n % LANES) x = step(r, x, plus(r->g, i, n / LANES * LANES), part);
	}
	return tree_of_vector(r, x, n < LANES && r->kind == KR_PROD ? n : LANES);
}

/* ---- one element at a time, 16 results in registers */

static value tree_of_lanes(const reducing *r, value *lane, int n)
{
	for (int s = 1; s < n; s *= 2)
		for (int i = 0; i + s < n; i += 2 * s) lane[i] = joined(r, lane[i], lane[i + s]);
	return lane[0];
}

static void steps_in_registers(const reducing *r, value *lane, LLVMValueRef i, int from, int to)
{
	loop_code l;

	if (from >= to) return;
	loop_begin(r->g, &l, i64_of(r->g, from), i64_of(r->g, to), LANES, lane, LANES);
	const LLVMValueRef here = LLVMBuildAdd(r->g->b, i, l.index, "");
	for (int k = 0; k < LANES; k++) lane[k] = step(r, lane[k], plus(r->g, here, k), NULL);
	loop_end(r->g, &l, lane);
}

/* Of 16 lanes, those whose tree has the result of all: with 4 elements in 8 lanes the root adds 0,
 * which makes 0 of -0, and every further 0 changes nothing */
static int lanes_for(int n)
{
	int size = LANES;

	while (size / 2 > n) size /= 2;
	return size;
}

/* joins lanes first .. first + size - 1 of a block of n elements, at most one per lane; by halves,
 * so that few are kept at a time */
static value few(const reducing *r, LLVMValueRef i, int n, int first, int size)
{
	if (size == 1 && first >= n) return zero_of(r, width_of(r));
	if (size == 1) return first_step(r, plus(r->g, i, first), NULL);
	const value left = few(r, i, n, first, size / 2);
	if (first + size / 2 >= n) return left;
	return joined(r, left, few(r, i, n, first + size / 2, size / 2));
}

static value block_in_registers(const reducing *r, LLVMValueRef i, int n)
{
	const int whole = n / LANES * LANES;
	const bool peel = r->kind == KR_PROD;
	value lane[LANES];

	for (int k = 0; k < LANES; k++)
		lane[k] = peel ? first_step(r, plus(r->g, i, k), NULL) : zero_of(r, width_of(r));
	steps_in_registers(r, lane, i, peel ? LANES : 0, whole);
	for (int k = whole; k < n; k++)
		lane[k - whole] = step(r, lane[k - whole], plus(r->g, i, k), NULL);
	return tree_of_lanes(r, lane, LANES);
}

/* ---- one element at a time, 16 results in memory */

static value block_in_memory(const reducing *r, LLVMValueRef i, int n)
{
	emitter *g = r->g;
	const row kept = row_new(r, r->g->in.lanes, LANES), *lanes = &kept;
	const int most = n < LANES ? n : LANES;
	value lane[LANES], y[2];
	loop_code l;

	for (int k = 0; k < LANES; k++) row_put(r, lanes, i64_of(g, k), zero_of(r, width_of(r)));
	loop_begin(g, &l, i64_of(g, 0), i64_of(g, n), 1, NULL, 0);
	const LLVMValueRef k = LLVMBuildAnd(g->b, l.index, i64_of(g, LANES - 1), "");
	element_at(r, LLVMBuildAdd(g->b, i, l.index, ""), NULL, y);
	const value was = row_get(r, lanes, k);
	value next = joined(r, was, y[0]);
	if (r->kind == KR_PROD)
		next = choose_value(g,
		                    LLVMBuildICmp(g->b, LLVMIntULT, l.index, i64_of(g, LANES), ""),
		                    y[0], next);
	row_put(r, lanes, k, next);
	loop_end(g, &l, NULL);
	for (int j = 0; j < LANES; j++) lane[j] = row_get(r, lanes, i64_of(g, j));
	row_done(r, lanes);
	return tree_of_lanes(r, lane, most);
}

/* ---- blocks */

static value one_block(const reducing *r, LLVMValueRef i, int n)
{
	const bool wide = r->g->in.lanes * bits_of(part_of(r->dtype)) / 8 > r->g->max_bytes;

	if (r->lanes) return block_in_lanes(r, i, n);
	if (n <= LANES && n * r->size <= TUNE_SUM_COPIED) return few(r, i, n, 0, lanes_for(n));
	if (wide || r->size > TUNE_SUM_NODES || n < LANES) return block_in_memory(r, i, n);
	return block_in_registers(r, i, n);
}

value emit_ordered(const reducing *r)
{
	emitter *g = r->g;
	const int64_t whole = r->count / BLOCK, rest = r->count % BLOCK;
	row half;
	value x;
	loop_code l;

	if (r->count <= BLOCK) return one_block(r, i64_of(g, 0), (int)r->count);
	half = halves_new(r, whole + 1, 1);
	loop_begin(g, &l, i64_of(g, 0), i64_of(g, whole), 1, NULL, 0);
	x = one_block(r, LLVMBuildMul(g->b, l.index, i64_of(g, BLOCK), ""), BLOCK);
	halves_push(r, &half, l.index, &x, 1);
	loop_end(g, &l, NULL);
	if (rest) {
		x = one_block(r, i64_of(g, whole * BLOCK), (int)rest);
		halves_push(r, &half, i64_of(g, whole), &x, 1);
	}
	halves_join(r, &half, whole + (rest != 0), &x, 1);
	return x;
}
