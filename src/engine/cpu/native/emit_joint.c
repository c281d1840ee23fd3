/* emit_joint.c - reductions of several results at once, so that what they have in common is read
 * once and none of them waits for the one before.
 *
 * Dot products keep the order of docs/numerics.md: the elements of a lane one after the other, then
 * the next lane, for all results side by side. Where lanes would read rows of memory that lie side
 * by side, vectors run along those rows: there is one for each result, its lanes are those of the
 * block, and one tree for a whole vector of results joins them.
 *
 * Example, vectors of 32 bytes:
 *
 *     (%0: f32[4,32], %1: f32[16,32]) -> f32[4,16] {
 *       %2: f32[4,16] = dot_general %0 %1 contract_a=[1] contract_b=[1] batch_a=[] batch_b=[]
 *         dtype=f32
 *       return %2
 *     }
 *
 * Four rows of %0 at a time meet each row of %1: four sums of 16 lanes in registers, which then go
 * to memory. The trees of 8 neighbouring results are joined in one vector:
 *
 *     for i0 < 4, 4 steps side by side
 *     for i1 < 16, 8 lanes
 *     .. in lanes of its own
 *     alloca [32 x <16 x float>]
 *     call <16 x float> @llvm.fma.v16f32
 *     call <16 x float> @llvm.fma.v16f32
 *     call <16 x float> @llvm.fma.v16f32
 *     call <16 x float> @llvm.fma.v16f32
 *     store <16 x float>
 *     shufflevector <16 x float> .., <16 x float> .., <16 x i32> <i32 0, i32 2, ..
 *     fadd <16 x float>
 *     fadd <8 x float>
 *     store <8 x float>
 */
#include <string.h>
#include "engine/cpu/native/emit.h"

#define LITTLE 6       /* nodes of an element */
#define MOST_COPIED 64 /* so few nodes, in all elements of a block, are emitted without a loop */

static LLVMValueRef plus(emitter *e, LLVMValueRef i, LLVMValueRef j)
{
	return LLVMBuildAdd(e->b, i, j, "");
}

static value start_of(const reducing *r)
{
	return r->kind == KR_DOT ? zero_of(r, width_of(r)) : neutral_of(r);
}

/* all copies take their element i */
static void take(const reducing *r, value *x, LLVMValueRef i, LLVMValueRef mask)
{
	emitter *e = r->e;
	value y[2 * MOST_COPIES];

	element_at(r, i, mask, y);
	for (int c = 0; c < e->copies; c++) {
		const value next =
			r->kind == KR_DOT ? fused(e, y + 2 * c, x[c]) : joined(r, x[c], y[2 * c]);
		x[c] = mask ? choose_value(e, mask, next, x[c]) : next;
	}
}

/* elements i, i + stride .. ; `steps` of them */
static void take_many(const reducing *r, value *x, LLVMValueRef i, int64_t steps, int64_t stride)
{
	emitter *e = r->e;
	const int unroll = r->size <= LITTLE && steps >= UNROLL ? UNROLL : 1;
	const int64_t rest = steps % unroll;
	LLVMValueRef list[MOST_CARRIED];
	loop l;

	if (steps > rest) {
		const int n = list_values(x, e->copies, list);
		loop_begin(e, &l, i64_of(e, 0), i64_of(e, (steps - rest) * stride), unroll * stride,
		           list, n);
		unlist_values(r, x, e->copies, l.carried);
		const LLVMValueRef from = plus(e, i, l.index);
		for (int u = 0; u < unroll; u++)
			take(r, x, plus(e, from, i64_of(e, u * stride)), NULL);
		list_values(x, e->copies, list);
		loop_end(e, &l, list, list);
		unlist_values(r, x, e->copies, list);
	}
	for (int64_t u = steps - rest; u < steps; u++)
		take(r, x, plus(e, i, i64_of(e, u * stride)), NULL);
}

/* ---- vectors of results: lane after lane */

/* lanes first .. end - 1 of the block that begins at element i; each has `steps` elements */
static void take_lanes(const reducing *r, const row *half, LLVMValueRef i, int first, int end,
                       int steps)
{
	emitter *e = r->e;
	value x[MOST_COPIES];
	loop l;

	if (first == end || !steps) return;
	loop_begin(e, &l, i64_of(e, first), i64_of(e, end), 1, NULL, 0);
	for (int c = 0; c < e->copies; c++) x[c] = start_of(r);
	take_many(r, x, plus(e, i, l.index), steps, LANES);
	halves_push(r, half, l.index, x, e->copies);
	loop_end(e, &l, NULL, NULL);
}

/* lanes first .. first + size - 1 of a block of n elements, at most one a lane: by halves, so that
 * few are kept at a time */
static void take_few(const reducing *r, value *x, LLVMValueRef i, int n, int first, int size)
{
	emitter *e = r->e;
	value right[MOST_COPIES];

	for (int c = 0; c < e->copies; c++) x[c] = start_of(r);
	if (first >= n) return;
	if (size == 1) {
		take(r, x, plus(e, i, i64_of(e, first)), NULL);
		return;
	}
	take_few(r, x, i, n, first, size / 2);
	take_few(r, right, i, n, first + size / 2, size / 2);
	for (int c = 0; c < e->copies; c++) x[c] = joined(r, x[c], right[c]);
}

static void block_by_lanes(const reducing *r, value *x, LLVMValueRef i, int n)
{
	emitter *e = r->e;
	const int most = n / LANES, rest = n % LANES;

	if (r->count <= LANES && n * r->size <= MOST_COPIED) {
		take_few(r, x, i, n, 0, LANES);
		return;
	}
	const row half = halves_new(r, LANES, e->copies);
	take_lanes(r, &half, i, 0, rest, most + 1);
	take_lanes(r, &half, i, rest, LANES, most);
	halves_join(r, &half, most ? LANES : rest, x, e->copies);
	for (int c = 0; c < e->copies && !most; c++) x[c] = joined(r, x[c], zero_of(r, e->lanes));
}

/* ---- vectors along rows of memory */

/* what is computed at a time: `rows` of the copies, each for `across` neighbouring lanes */
typedef struct square {
	int rows, across;
} square;

static square square_of(const reducing *r)
{
	const emitter *e = r->e;
	const int bytes = LANES * bits_of(part_of(r->dtype)) / 8 * (is_complex(r->dtype) ? 2 : 1);
	const int registers = bytes > e->max_bytes ? bytes / e->max_bytes : 1;
	const int most = (e->max_bytes == 64 ? 16 : 8) / registers;
	square s = {e->copies < most ? e->copies : most, 1};

	if (s.rows < 1) s.rows = 1;
	while (2 * s.across * s.rows <= most && 2 * s.across <= e->lanes) s.across *= 2;
	return s;
}

/* Makes copies for neighbouring lanes of the rows from `row` on. Lanes that the mask leaves out
 * repeat the last one that counts */
static void spread(emitter *e, int row, square s, LLVMValueRef lane)
{
	const walk *w = &e->nest->loops.walk[e->nest->vector];
	const size_t bytes = (size_t)e->k->nnodes * sizeof *e->value;
	const LLVMValueRef first = plus(e, e->start, lane);

	for (int c = 0; c < s.rows * s.across; c++) {
		LLVMValueRef i = plus(e, first, i64_of(e, c % s.across));
		if (e->mask) i = smaller_index(e, i, i64_of(e, w->extent - 1));
		memcpy(e->cell[c], copy_of(e, row + c / s.across), bytes);
		e->cell[c][w->index.id].v = i;
	}
}

static void exchange_lists(emitter *e, int copies, int across, value *first)
{
	for (int c = 0; c < MOST_COPIES; c++) {
		value *was = e->copy[c];
		e->copy[c] = e->cell[c];
		e->cell[c] = was;
	}
	e->copies = copies;
	e->across = across;
	e->value = first;
}

/* n elements from i on, for each copy in 16 lanes */
static void take_row(const reducing *r, value *x, LLVMValueRef i, int64_t n)
{
	for (int c = 0; c < r->e->copies; c++) x[c] = start_of(r);
	take_many(r, x, i, n / LANES, LANES);
	if (n % LANES)
		take(r, x, plus(r->e, i, i64_of(r->e, n / LANES * LANES)),
		     mask_first(r->e, (int)(n % LANES), LANES));
}

/* computes the 16 lanes of each result of a square, and stores them */
static void take_square(const reducing *r, const row *to, int row, square s, LLVMValueRef i,
                        int64_t n)
{
	emitter *e = r->e;
	const int copies = e->copies;
	value *const first = e->value;
	reducing own = *r;
	value x[MOST_COPIES];
	loop l;

	if (s.rows > copies - row) s.rows = copies - row;
	loop_begin(e, &l, i64_of(e, 0), i64_of(e, e->lanes), s.across, NULL, 0);
	spread(e, row, s, l.index);
	exchange_lists(e, s.rows * s.across, s.across, e->cell[0]);
	own.lanes = LANES;
	take_row(&own, x, i, n);
	exchange_lists(e, copies, 1, first);
	for (int c = 0; c < s.rows * s.across; c++) {
		const LLVMValueRef column = plus(e, l.index, i64_of(e, c % s.across));
		const LLVMValueRef at = LLVMBuildMul(e->b, column, i64_of(e, copies), "");
		row_put(r, to, plus(e, at, i64_of(e, row + c / s.across)), x[c]);
	}
	loop_end(e, &l, NULL, NULL);
}

/* n numbers: every other one of those of x and then y, from `first` on */
static LLVMValueRef every_other(emitter *e, LLVMValueRef x, LLVMValueRef y, int first, int n)
{
	const LLVMTypeRef i32 = LLVMInt32TypeInContext(e->c);
	LLVMValueRef at[LANES];

	for (int i = 0; i < n; i++) at[i] = LLVMConstInt(i32, (unsigned)(first + 2 * i), 0);
	return LLVMBuildShuffleVector(e->b, x, y, LLVMConstVector(at, (unsigned)n), "");
}

/* neighbours joined, to n numbers in all */
static value join_neighbours(const reducing *r, value x, value y, int n)
{
	emitter *e = r->e;
	value left = {every_other(e, x.v, y.v, 0, n), NULL};
	value right = {every_other(e, x.v, y.v, 1, n), NULL};

	if (x.im) {
		left.im = every_other(e, x.im, y.im, 0, n);
		right.im = every_other(e, x.im, y.im, 1, n);
	}
	return joined(r, left, right);
}

/* the trees of all results of a row at once */
static value tree_of_row(const reducing *r, const row *from, LLVMValueRef at)
{
	emitter *e = r->e;
	value x[LANES];

	for (int s = 0; s < e->lanes; s++)
		x[s] = row_get(r, from, plus(e, at, i64_of(e, s * e->copies)));
	for (int n = e->lanes; n > 1; n /= 2)
		for (int p = 0; p < n / 2; p++)
			x[p] = join_neighbours(r, x[2 * p], x[2 * p + 1], LANES);
	for (int width = LANES; width > e->lanes; width /= 2)
		x[0] = join_neighbours(r, x[0], x[0], width / 2);
	return x[0];
}

static void block_by_rows(const reducing *r, value *x, LLVMValueRef i, int64_t n)
{
	emitter *e = r->e;
	const row lanes = row_new(r, LANES, (int64_t)e->lanes * e->copies);
	const row sums = row_new(r, e->lanes, e->copies);
	const square s = square_of(r);
	loop l;

	for (int row = 0; row < e->copies; row += s.rows) take_square(r, &lanes, row, s, i, n);
	loop_begin(e, &l, i64_of(e, 0), i64_of(e, e->copies), 1, NULL, 0);
	row_put(r, &sums, l.index, tree_of_row(r, &lanes, l.index));
	loop_end(e, &l, NULL, NULL);
	for (int c = 0; c < e->copies; c++) x[c] = row_get(r, &sums, i64_of(e, c));
	row_done(r, &lanes);
	row_done(r, &sums);
}

/* ---- blocks */

static void one_block(const reducing *r, value *x, LLVMValueRef i, int n)
{
	if (r->columns)
		block_by_rows(r, x, i, n);
	else
		block_by_lanes(r, x, i, n);
}

static void in_blocks(const reducing *r, value *x)
{
	emitter *e = r->e;
	const int64_t whole = r->count / BLOCK, rest = r->count % BLOCK;
	const row half = halves_new(r, whole + 1, e->copies);
	loop l;

	loop_begin(e, &l, i64_of(e, 0), i64_of(e, whole), 1, NULL, 0);
	one_block(r, x, LLVMBuildMul(e->b, l.index, i64_of(e, BLOCK), ""), BLOCK);
	halves_push(r, &half, l.index, x, e->copies);
	loop_end(e, &l, NULL, NULL);
	if (rest) {
		one_block(r, x, i64_of(e, whole * BLOCK), (int)rest);
		halves_push(r, &half, i64_of(e, whole), x, e->copies);
	}
	halves_join(r, &half, whole + (rest != 0), x, e->copies);
}

void emit_joint(const reducing *r, value *x)
{
	emitter *e = r->e;

	if (r->kind == KR_DOT && r->count > BLOCK) {
		in_blocks(r, x);
	} else if (r->kind == KR_DOT) {
		one_block(r, x, i64_of(e, 0), (int)r->count);
	} else if (r->columns) {
		block_by_rows(r, x, i64_of(e, 0), r->count);
	} else {
		for (int c = 0; c < e->copies; c++) x[c] = start_of(r);
		take_many(r, x, i64_of(e, 0), r->count, 1);
	}
}
