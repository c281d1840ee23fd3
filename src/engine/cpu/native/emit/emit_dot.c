/* emit_dot.c - emits dot products in the order of docs/numerics.md: a chain of fused steps for each
 * block of 256 elements, and the blocks one after the other.
 *
 * A step of a chain waits for the one before. So several chains go on side by side: those of all
 * lanes and copies (emit_jam.c), and if these are few, those of several blocks.
 *
 * Example, vectors of 32 bytes:
 *
 *     (%0: f32[4,512], %1: f32[512,16]) -> f32[4,16] {
 *       %2: f32[4,16] = dot_general %0 %1 contract_a=[1] contract_b=[0] batch_a=[] batch_b=[]
 *         dtype=f32
 *       return %2
 *     }
 *
 * Four rows of %0 at a time take each row of %1: four chains of 16 lanes, two registers each. A sum
 * begins with -0, to which the first chain is added: that changes no bit of it.
 *
 *     for i0 < 4, 4 steps side by side
 *     for i1 < 16, 16 lanes
 *     alloca [4 x <16 x float>]
 *     call <16 x float> @llvm.fma.v16f32
 *     call <16 x float> @llvm.fma.v16f32
 *     call <16 x float> @llvm.fma.v16f32
 *     call <16 x float> @llvm.fma.v16f32
 *     fadd <16 x float>
 *
 * Of a single result, eight blocks are computed at a time. Their elements are 256 apart, so that
 * squares of both operands are transposed; of short or of other operands single numbers are read.
 *
 *     (%0: f32[2048], %1: f32[2048]) -> f32[] {
 *       %2: f32[] = dot_general %0 %1 contract_a=[0] contract_b=[0] batch_a=[] batch_b=[] dtype=f32
 *       return %2
 *     }
 *
 *     .. = load <8 x float>, ptr ..
 *     .. = shufflevector <8 x float> .., <8 x i32> <i32 0, i32 8, i32 2, i32 10, ..
 *     call <8 x float> @llvm.fma.v8f32
 *     .. = extractelement <8 x float> .., i64 0
 *     fadd float
 *     .. = extractelement <8 x float> .., i64 1
 *     fadd float
 */
#include "engine/cpu/native/emit/emit_dot.h"

static LLVMValueRef fma_of(emitter *g, LLVMValueRef a, LLVMValueRef b, LLVMValueRef c)
{
	return intrinsic(g, "llvm.fma", (LLVMValueRef[]){a, b, c}, 3);
}

/* s + a b */
static value fused(emitter *g, value a, value b, value s)
{
	s.v = fma_of(g, a.v, b.v, s.v);
	if (!a.im) return s;
	s.v = fma_of(g, LLVMBuildFNeg(g->b, a.im, ""), b.im, s.v);
	s.im = fma_of(g, a.im, b.v, fma_of(g, a.v, b.im, s.im));
	return s;
}

/* ---- chains: of `abreast` blocks, the copies of each. x has those of the first block first */

void dot_take(const dot *d, value *x, int abreast, LLVMValueRef i)
{
	emitter *g = d->r->g;
	value y[2 * MOST_COPIES];

	for (int p = 0; p < abreast; p++) {
		if (d->blocks)
			elements_apart(d->r, i, d->lanes, BLOCK, y);
		else
			element_at(d->r, plus(g, i, p * BLOCK), NULL, y);
		for (int c = 0; c < g->copies; c++, x++) *x = fused(g, y[2 * c], y[2 * c + 1], *x);
	}
}

int dot_unroll(const dot *d, int chains, int64_t steps)
{
	return unroll_of(d->r, chains * registers_of(d->r, d->lanes), steps);
}

/* the next `steps` elements, from i on */
void dot_take_many(const dot *d, value *x, int abreast, LLVMValueRef i, int64_t steps)
{
	emitter *g = d->r->g;
	const int chains = abreast * g->copies;
	const bool straight = steps <= LANES && steps * d->r->size <= TUNE_SUM_COPIED;
	const int unroll = dot_unroll(d, chains, steps);
	const int64_t rest = straight ? steps : steps % unroll;
	loop_code l;

	if (steps > rest) {
		loop_begin(g, &l, i64_of(g, 0), i64_of(g, steps - rest), unroll, x, chains);
		const LLVMValueRef from = LLVMBuildAdd(g->b, i, l.index, "");
		for (int u = 0; u < unroll; u++) dot_take(d, x, abreast, plus(g, from, u));
		loop_end(g, &l, x);
	}
	for (int64_t u = steps - rest; u < steps; u++) dot_take(d, x, abreast, plus(g, i, u));
}

/* Is there a chain of one number alone, of blocks whose elements all are read from rows? */
static bool lanes_are_blocks(const dot *d)
{
	const reducing *r = d->r;
	const emitter *g = r->g;
	const kregion *region = &g->k->regions[r->region];

	if (g->in.lanes || g->copies > 1 || r->size > TUNE_SUM_NODES ||
	    r->count / BLOCK < TUNE_DOT_BLOCKS)
		return false;
	for (int32_t i = 0; i < region->nnodes; i++) {
		const kvar v = region->nodes[i];
		const kop op = g->k->nodes[v.id].op;
		if (!g->nest->needed[v.id]) continue;
		if (op == K_IF || op == K_REDUCE ||
		    (op == K_LOAD && !is_load_of_rows(g->nest, v, (kvar){0})))
			return false;
	}
	return true;
}

static void dot_begin(dot *d)
{
	emitter *g = d->r->g;
	const bool along = g->in.lanes && g->nest->vector >= 0 &&
	                   g->in.along.id == g->nest->loops.walk[g->nest->vector].index.id;

	d->blocks = lanes_are_blocks(d);
	d->lanes = d->blocks ? g->max_bytes * 8 / bits_of(part_of(d->r->dtype)) : g->in.lanes;
	while (d->blocks && d->lanes > d->r->count / BLOCK) d->lanes /= 2;
	if (along || d->blocks) turned_find(d);
	if (!d->n && d->blocks) *d = (dot){.r = d->r};
}

/* ---- blocks */

static void begin_chains(const dot *d, value *x, int n)
{
	for (int i = 0; i < n; i++) x[i] = zero_of(d->r, d->lanes);
}

/* the chains of a block of n elements, from i on */
static void one_block(dot *d, value *x, LLVMValueRef i, int64_t n)
{
	begin_chains(d, x, d->r->g->copies);
	if (d->n)
		turned_take(d, x, i, n);
	else
		dot_take_many(d, x, 1, i, n);
}

/* x: the chains of `count` blocks, one after the other */
static void add_chains(const dot *d, const row *sums, const value *x, int count)
{
	emitter *g = d->r->g;

	for (int c = 0; c < g->copies; c++) {
		value sum = row_get(d->r, sums, i64_of(g, c));
		for (int p = 0; p < count; p++) sum = joined(d->r, sum, x[p * g->copies + c]);
		row_put(d->r, sums, i64_of(g, c), sum);
	}
}

/* As many blocks at a time as there are lanes; how many elements these are in all */
static int64_t add_lanes(dot *d, const row *sums)
{
	emitter *g = d->r->g;
	const int64_t step = (int64_t)d->lanes * BLOCK, end = d->r->count - d->r->count % step;
	value x, y[LANES];
	loop_code l;

	loop_begin(g, &l, i64_of(g, 0), i64_of(g, end), step, NULL, 0);
	one_block(d, &x, l.index, BLOCK);
	for (int p = 0; p < d->lanes; p++) {
		y[p].v = LLVMBuildExtractElement(g->b, x.v, i64_of(g, p), "");
		y[p].im = x.im ? LLVMBuildExtractElement(g->b, x.im, i64_of(g, p), "") : NULL;
	}
	add_chains(d, sums, y, d->lanes);
	loop_end(g, &l, NULL);
	turned_end(d);
	d->lanes = 0;
	d->blocks = false;
	return end;
}

/* the last blocks, from element i on: `count` whole ones, and n elements */
static void add_rest(const dot *d, const row *sums, LLVMValueRef i, int count, int n)
{
	value x[MOST_COPIES];

	begin_chains(d, x, (count + 1) * d->r->g->copies);
	dot_take_many(d, x, count + 1, i, n);
	dot_take_many(d, x, count, plus(d->r->g, i, n), BLOCK - n);
	add_chains(d, sums, x, n ? count + 1 : count);
}

/* blocks from element `first` on, several at a time, so that there are enough chains */
static void add_blocks(dot *d, const row *sums, int64_t first)
{
	emitter *g = d->r->g;
	const int64_t blocks = (d->r->count - first) / BLOCK;
	const int chains = g->copies * registers_of(d->r, d->lanes);
	const int abreast = d->r->size > TUNE_SUM_NODES || chains > TUNE_DOT_CHAINS
	                            ? 1
	                            : TUNE_DOT_CHAINS / chains;
	const int more = (int)(blocks % abreast);
	const int64_t end = first + (blocks - more) * BLOCK;
	value x[MOST_COPIES];
	loop_code l;

	if (first < end) {
		loop_begin(g, &l, i64_of(g, first), i64_of(g, end), abreast * BLOCK, NULL, 0);
		begin_chains(d, x, abreast * g->copies);
		dot_take_many(d, x, abreast, l.index, BLOCK);
		add_chains(d, sums, x, abreast);
		loop_end(g, &l, NULL);
	}
	if (end < d->r->count) add_rest(d, sums, i64_of(g, end), more, (int)(d->r->count % BLOCK));
}

/* blocks of squares, one at a time */
static void add_squares(dot *d, const row *sums)
{
	emitter *g = d->r->g;
	const int64_t rest = d->r->count % BLOCK, end = d->r->count - rest;
	value x[MOST_COPIES];
	loop_code l;

	loop_begin(g, &l, i64_of(g, 0), i64_of(g, end), BLOCK, NULL, 0);
	one_block(d, x, l.index, BLOCK);
	add_chains(d, sums, x, 1);
	loop_end(g, &l, NULL);
	if (!rest) return;
	one_block(d, x, i64_of(g, end), rest);
	add_chains(d, sums, x, 1);
}

static void in_blocks(dot *d, value *x)
{
	emitter *g = d->r->g;
	const row sums = row_new(d->r, g->in.lanes, g->copies);
	const LLVMTypeRef type = type_many(type_one(g, d->r->dtype), g->in.lanes);
	const LLVMValueRef none = constant_float(type, -0.0);

	for (int c = 0; c < g->copies; c++)
		row_put(d->r, &sums, i64_of(g, c),
		        (value){none, is_complex(d->r->dtype) ? none : NULL});
	if (d->n && !d->blocks)
		add_squares(d, &sums);
	else
		add_blocks(d, &sums, d->blocks ? add_lanes(d, &sums) : 0);
	for (int c = 0; c < g->copies; c++) x[c] = row_get(d->r, &sums, i64_of(g, c));
	row_done(d->r, &sums);
}

void emit_dot(const reducing *r, value *x)
{
	dot d = {.r = r};

	dot_begin(&d);
	if (r->count <= BLOCK)
		one_block(&d, x, i64_of(r->g, 0), r->count);
	else
		in_blocks(&d, x);
	turned_end(&d);
}
