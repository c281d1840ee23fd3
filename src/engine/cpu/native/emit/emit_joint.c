/* emit_joint.c - emits several reductions at once, where their order does not matter, so that
 * shared operands are read once, and the steps of one do not wait for those of another.
 *
 * Where neighbouring results read neighbouring rows of memory, vectors run along these rows: each
 * result has one vector, and one tree joins the lanes for a whole vector of results.
 *
 * Example, vectors of 32 bytes:
 *
 *     (%0: f32[64,32]) -> f32[64] {
 *       %1: f32[64] = reduce_max %0 dims=[1]
 *       return %1
 *     }
 *
 * Eight rows of %0 at a time: of each, the largest of 16 lanes, in registers, which then go to
 * memory. The trees of these 8 results are joined in one vector:
 *
 *     for i0 < 64, 8 lanes
 *     .. in lanes of its own
 *     alloca [8 x <16 x float>]
 *     load <16 x float>
 *     store <16 x float>
 *     shufflevector <16 x float> .., <16 x float> .., <16 x i32> <i32 0, i32 2, ..
 *     store <8 x float>
 */
#include <string.h>
#include "engine/cpu/native/emit/emit.h"

static LLVMValueRef sum(emitter *g, LLVMValueRef i, LLVMValueRef j)
{
	return LLVMBuildAdd(g->b, i, j, "");
}

/* all copies take their element i */
static void take(const reducing *r, value *x, LLVMValueRef i, LLVMValueRef mask)
{
	emitter *g = r->g;
	value y[2 * MOST_COPIES];

	element_at(r, i, mask, y);
	for (int c = 0; c < g->copies; c++) {
		const value next = joined(r, x[c], y[2 * c]);
		x[c] = mask ? choose_value(g, mask, next, x[c]) : next;
	}
}

/* elements i, i + stride .. ; `steps` of them */
static void take_many(const reducing *r, value *x, LLVMValueRef i, int64_t steps, int64_t stride)
{
	emitter *g = r->g;
	const int unroll = unroll_of(r, g->copies * registers_of(r, width_of(r)), steps);
	const int64_t rest = steps % unroll;
	loop_code l;

	if (steps > rest) {
		loop_begin(g, &l, i64_of(g, 0), i64_of(g, (steps - rest) * stride), unroll * stride,
		           x, g->copies);
		const LLVMValueRef from = sum(g, i, l.index);
		for (int u = 0; u < unroll; u++)
			take(r, x, plus(g, from, u * stride), NULL);
		loop_end(g, &l, x);
	}
	for (int64_t u = steps - rest; u < steps; u++)
		take(r, x, plus(g, i, u * stride), NULL);
}

/* ---- vectors along rows of memory */

/* what is computed at a time: `rows` of the copies, each for `across` neighbouring lanes */
typedef struct square {
	int rows, across;
} square;

static square square_of(const reducing *r)
{
	const emitter *g = r->g;
	const int registers = registers_of(r, LANES * (is_complex(r->dtype) ? 2 : 1));
	const int most = (g->max_bytes == 64 ? 16 : 8) / registers;
	square s = {g->copies < most ? g->copies : most, 1};

	if (s.rows < 1) s.rows = 1;
	while (2 * s.across * s.rows <= most && 2 * s.across <= g->in.lanes) s.across *= 2;
	return s;
}

/* Makes copies for neighbouring lanes, of the rows from `row` on. Lanes outside the mask repeat the
 * last lane inside it */
static void spread(emitter *g, int row, square s, LLVMValueRef lane)
{
	const walk *w = &g->nest->loops.walk[g->nest->vector];
	const size_t bytes = (size_t)g->k->nnodes * sizeof *g->value;
	const LLVMValueRef first = sum(g, g->in.start, lane);

	for (int c = 0; c < s.rows * s.across; c++) {
		LLVMValueRef i = plus(g, first, c % s.across);
		if (g->in.mask) i = smaller_index(g, i, i64_of(g, w->extent - 1));
		memcpy(g->cell[c], copy_of(g, row + c / s.across), bytes);
		g->cell[c][w->index.id].v = i;
	}
}

static void exchange_lists(emitter *g, int copies, int across, value *first)
{
	for (int c = 0; c < MOST_COPIES; c++) {
		value *was = g->copy[c];
		g->copy[c] = g->cell[c];
		g->cell[c] = was;
	}
	g->copies = copies;
	g->across = across;
	g->value = first;
}

/* takes n elements from i on, in 16 lanes of each copy */
static void take_row(const reducing *r, value *x, LLVMValueRef i, int64_t n)
{
	for (int c = 0; c < r->g->copies; c++) x[c] = neutral_of(r);
	take_many(r, x, i, n / LANES, LANES);
	if (n % LANES)
		take(r, x, plus(r->g, i, n / LANES * LANES),
		     mask_first(r->g, (int)(n % LANES), LANES));
}

/* computes the 16 lanes of each result of a square, and stores them */
static void take_square(const reducing *r, const row *to, int row, square s, LLVMValueRef i,
                        int64_t n)
{
	emitter *g = r->g;
	const int copies = g->copies;
	value *const first = g->value;
	reducing own = *r;
	value x[MOST_COPIES];
	loop_code l;

	if (s.rows > copies - row) s.rows = copies - row;
	loop_begin(g, &l, i64_of(g, 0), i64_of(g, g->in.lanes), s.across, NULL, 0);
	spread(g, row, s, l.index);
	exchange_lists(g, s.rows * s.across, s.across, g->cell[0]);
	own.lanes = LANES;
	take_row(&own, x, i, n);
	exchange_lists(g, copies, 1, first);
	for (int c = 0; c < s.rows * s.across; c++) {
		const LLVMValueRef column = plus(g, l.index, c % s.across);
		const LLVMValueRef at = LLVMBuildMul(g->b, column, i64_of(g, copies), "");
		row_put(r, to, plus(g, at, row + c / s.across), x[c]);
	}
	loop_end(g, &l, NULL);
}

/* neighbours joined, to n numbers in all: x has the first half of them, y the others */
static value join_neighbours(const reducing *r, value x, value y, int n)
{
	emitter *g = r->g;
	value left = {lanes_of_both(g, x.v, y.v, 0, 2, n), NULL};
	value right = {lanes_of_both(g, x.v, y.v, 1, 2, n), NULL};

	if (x.im) {
		left.im = lanes_of_both(g, x.im, y.im, 0, 2, n);
		right.im = lanes_of_both(g, x.im, y.im, 1, 2, n);
	}
	return joined(r, left, right);
}

/* the trees of all results of a row at once */
static value tree_of_row(const reducing *r, const row *from, LLVMValueRef at)
{
	emitter *g = r->g;
	value x[LANES];

	for (int s = 0; s < g->in.lanes; s++)
		x[s] = row_get(r, from, plus(g, at, s * g->copies));
	for (int n = g->in.lanes; n > 1; n /= 2)
		for (int p = 0; p < n / 2; p++)
			x[p] = join_neighbours(r, x[2 * p], x[2 * p + 1], LANES);
	for (int width = LANES; width > g->in.lanes; width /= 2)
		x[0] = join_neighbours(r, x[0], x[0], width / 2);
	return x[0];
}

static void block_by_rows(const reducing *r, value *x, LLVMValueRef i, int64_t n)
{
	emitter *g = r->g;
	const row lanes = row_new(r, LANES, (int64_t)g->in.lanes * g->copies);
	const row sums = row_new(r, g->in.lanes, g->copies);
	const square s = square_of(r);
	loop_code l;

	for (int row = 0; row < g->copies; row += s.rows) take_square(r, &lanes, row, s, i, n);
	loop_begin(g, &l, i64_of(g, 0), i64_of(g, g->copies), 1, NULL, 0);
	row_put(r, &sums, l.index, tree_of_row(r, &lanes, l.index));
	loop_end(g, &l, NULL);
	for (int c = 0; c < g->copies; c++) x[c] = row_get(r, &sums, i64_of(g, c));
	row_done(r, &lanes);
	row_done(r, &sums);
}

void emit_joint(const reducing *r, value *x)
{
	emitter *g = r->g;

	if (r->columns) {
		block_by_rows(r, x, i64_of(g, 0), r->count);
		return;
	}
	for (int c = 0; c < g->copies; c++) x[c] = neutral_of(r);
	take_many(r, x, i64_of(g, 0), r->count, 1);
}
