/* emit_sum.c - sums, products and dot products in the order of docs/numerics.md: blocks of 256
 * elements in 16 lanes, the lanes by a tree of neighbours, the blocks by another one.
 *
 * Where a reduction takes 16 elements at a time, its lanes are those of a vector. Else there are 16
 * results side by side, in registers while there is little to compute, in memory otherwise; or two,
 * lane after lane. The blocks are joined as a counter in base two counts: half[l] holds what 2^l of
 * them gave. */
#include "engine/cpu/native/emit.h"

#define LITTLE 6       /* nodes of an element */
#define MOST_COPIED 64 /* of all elements of a block */

static value zero_of(const reducing *r, int lanes)
{
	const LLVMTypeRef t = type_many(type_one(r->e, r->dtype), lanes);

	return (value){LLVMConstNull(t), is_complex(r->dtype) ? LLVMConstNull(t) : NULL};
}

static LLVMValueRef fma_of(emitter *e, LLVMValueRef a, LLVMValueRef b, LLVMValueRef c)
{
	return intrinsic(e, "llvm.fma", (LLVMValueRef[]){a, b, c}, 3);
}

static value fused(emitter *e, const value y[2], value s)
{
	const value a = y[0], b = y[1];

	s.v = fma_of(e, a.v, b.v, s.v);
	if (!a.im) return s;
	s.v = fma_of(e, LLVMBuildFNeg(e->b, a.im, ""), b.im, s.v);
	s.im = fma_of(e, a.im, b.v, fma_of(e, a.v, b.im, s.im));
	return s;
}

/* a lane takes element i */
static value step(const reducing *r, value lane, LLVMValueRef i, LLVMValueRef mask)
{
	value y[2];

	element_at(r, i, mask, y);
	const value next = r->kind == KR_DOT ? fused(r->e, y, lane) : joined(r, lane, y[0]);
	return mask ? choose_value(r->e, mask, next, lane) : next;
}

/* its first one: products start as it */
static value first_step(const reducing *r, LLVMValueRef i, LLVMValueRef mask)
{
	value y[2];

	if (r->kind != KR_PROD) return step(r, zero_of(r, width_of(r)), i, mask);
	element_at(r, i, mask, y);
	return y[0];
}

static LLVMValueRef at(const reducing *r, LLVMValueRef i, int64_t more)
{
	return more ? LLVMBuildAdd(r->e->b, i, i64_of(r->e, more), "") : i;
}

/* values as a list of LLVM's, for loops to carry: complex ones take two places */
static int put_value(LLVMValueRef *list, int n, value x)
{
	list[n++] = x.v;
	if (x.im) list[n++] = x.im;
	return n;
}

static value take_value(const reducing *r, LLVMValueRef *list, int i)
{
	if (!is_complex(r->dtype)) return (value){list[i], NULL};
	return (value){list[2 * i], list[2 * i + 1]};
}

/* ---- 16 elements at a time */

/* of the first n lanes */
static value tree_of_vector(const reducing *r, value x, int n)
{
	emitter *e = r->e;

	for (int width = LANES; width > 1; width /= 2, n = (n + 1) / 2) {
		const int half = width / 2;
		const value left = {lanes_from(e, x.v, 0, 2, half),
		                    x.im ? lanes_from(e, x.im, 0, 2, half) : NULL};
		const value right = {lanes_from(e, x.v, 1, 2, half),
		                     x.im ? lanes_from(e, x.im, 1, 2, half) : NULL};
		const LLVMValueRef there = mask_first(e, n / 2, half);
		x = joined(r, left, right);
		if (there) x = choose_value(e, there, x, left);
	}
	x.v = LLVMBuildExtractElement(e->b, x.v, i64_of(e, 0), "");
	if (x.im) x.im = LLVMBuildExtractElement(e->b, x.im, i64_of(e, 0), "");
	return x;
}

/* steps of 16 elements, from the one at i on */
static value steps_in_lanes(const reducing *r, value x, LLVMValueRef i, int64_t steps)
{
	int unroll = r->size <= LITTLE ? 4 : 1;
	LLVMValueRef list[2];
	loop l;

	if (!steps) return x;
	while (steps % unroll) unroll /= 2;
	const int n = put_value(list, 0, x);
	loop_begin(r->e, &l, i64_of(r->e, 0), i64_of(r->e, steps * LANES), unroll * LANES, list, n);
	x = take_value(r, l.carried, 0);
	const LLVMValueRef from = LLVMBuildAdd(r->e->b, i, l.index, "");
	for (int u = 0; u < unroll; u++) x = step(r, x, at(r, from, u * LANES), NULL);
	put_value(list, 0, x);
	loop_end(r->e, &l, list, list);
	return take_value(r, list, 0);
}

static value block_in_lanes(const reducing *r, LLVMValueRef i, int n)
{
	const bool peel = r->kind == KR_PROD || n < LANES;
	const LLVMValueRef part = mask_first(r->e, n % LANES, LANES);
	int done = 0;
	value x = zero_of(r, width_of(r));

	if (peel) {
		x = first_step(r, i, n < LANES ? part : NULL);
		done = LANES;
	}
	if (n > done) {
		x = steps_in_lanes(r, x, at(r, i, done), (n - done) / LANES);
		if (n % LANES) x = step(r, x, at(r, i, n / LANES * LANES), part);
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
	LLVMValueRef list[2 * LANES];
	int n = 0;
	loop l;

	if (from >= to) return;
	for (int k = 0; k < LANES; k++) n = put_value(list, n, lane[k]);
	loop_begin(r->e, &l, i64_of(r->e, from), i64_of(r->e, to), LANES, list, n);
	const LLVMValueRef here = LLVMBuildAdd(r->e->b, i, l.index, "");
	n = 0;
	for (int k = 0; k < LANES; k++)
		n = put_value(list, n, step(r, take_value(r, l.carried, k), at(r, here, k), NULL));
	loop_end(r->e, &l, list, list);
	for (int k = 0; k < LANES; k++) lane[k] = take_value(r, list, k);
}

/* lanes first .. first + size - 1 of a block of n elements, at most one a lane: by halves, so that
 * few are kept at a time */
static value few(const reducing *r, LLVMValueRef i, int n, int first, int size)
{
	if (size == 1)
		return first < n ? first_step(r, at(r, i, first), NULL) : zero_of(r, width_of(r));
	const value left = few(r, i, n, first, size / 2);
	if (first + size / 2 >= n && r->kind != KR_DOT) return left;
	return joined(r, left, few(r, i, n, first + size / 2, size / 2));
}

static value block_in_registers(const reducing *r, LLVMValueRef i, int n)
{
	const int whole = n / LANES * LANES;
	const bool peel = r->kind == KR_PROD;
	value lane[LANES];

	for (int k = 0; k < LANES; k++)
		lane[k] = peel ? first_step(r, at(r, i, k), NULL) : zero_of(r, width_of(r));
	steps_in_registers(r, lane, i, peel ? LANES : 0, whole);
	for (int k = whole; k < n; k++)
		lane[k - whole] = step(r, lane[k - whole], at(r, i, k), NULL);
	return tree_of_lanes(r, lane, LANES);
}

/* ---- one element at a time, 16 results in memory */

typedef struct row { /* of values in memory, each one element or one of all lanes around */
	LLVMTypeRef type;
	LLVMValueRef v, im;
} row;

static row row_new(const reducing *r, int n)
{
	row w = {.type = type_many(type_one(r->e, r->dtype), r->e->lanes)};

	w.v = kept_array(r->e, w.type, n);
	if (is_complex(r->dtype)) w.im = kept_array(r->e, w.type, n);
	return w;
}

static value row_get(const reducing *r, const row *w, LLVMValueRef i)
{
	LLVMBuilderRef b = r->e->b;
	value x = {NULL, NULL};

	x.v = LLVMBuildLoad2(b, w->type, LLVMBuildGEP2(b, w->type, w->v, &i, 1, ""), "");
	if (w->im)
		x.im = LLVMBuildLoad2(b, w->type, LLVMBuildGEP2(b, w->type, w->im, &i, 1, ""), "");
	return x;
}

static void row_put(const reducing *r, const row *w, LLVMValueRef i, value x)
{
	LLVMBuilderRef b = r->e->b;

	LLVMBuildStore(b, x.v, LLVMBuildGEP2(b, w->type, w->v, &i, 1, ""));
	if (w->im) LLVMBuildStore(b, x.im, LLVMBuildGEP2(b, w->type, w->im, &i, 1, ""));
}

static value block_in_memory(const reducing *r, LLVMValueRef i, int n)
{
	emitter *e = r->e;
	const row kept = row_new(r, LANES), *lanes = &kept;
	const int most = n < LANES && r->kind != KR_DOT ? n : LANES;
	value lane[LANES], y[2];
	loop l;

	for (int k = 0; k < LANES; k++) row_put(r, lanes, i64_of(e, k), zero_of(r, width_of(r)));
	loop_begin(e, &l, i64_of(e, 0), i64_of(e, n), 1, NULL, 0);
	const LLVMValueRef k = LLVMBuildAnd(e->b, l.index, i64_of(e, LANES - 1), "");
	element_at(r, LLVMBuildAdd(e->b, i, l.index, ""), NULL, y);
	const value was = row_get(r, lanes, k);
	value next = r->kind == KR_DOT ? fused(e, y, was) : joined(r, was, y[0]);
	if (r->kind == KR_PROD)
		next = choose_value(e,
		                    LLVMBuildICmp(e->b, LLVMIntULT, l.index, i64_of(e, LANES), ""),
		                    y[0], next);
	row_put(r, lanes, k, next);
	loop_end(e, &l, NULL, NULL);
	for (int j = 0; j < LANES; j++) lane[j] = row_get(r, lanes, i64_of(e, j));
	return tree_of_lanes(r, lane, most);
}

/* ---- partial results, joined as they come */

/* block `number` is done: it joins its neighbour on the left, as long as there is one */
static void push(const reducing *r, const row *half, LLVMValueRef number, value x)
{
	emitter *e = r->e;
	const LLVMBasicBlockRef test = block_new(e), join = block_new(e), after = block_new(e);
	LLVMBasicBlockRef here = block_here(e);
	LLVMValueRef level = i64_of(e, 0), phi[3];

	LLVMBuildBr(e->b, test);
	block_start(e, test);
	phi[0] = LLVMBuildPhi(e->b, LLVMTypeOf(level), "");
	LLVMAddIncoming(phi[0], &level, &here, 1);
	phi[1] = LLVMBuildPhi(e->b, LLVMTypeOf(x.v), "");
	LLVMAddIncoming(phi[1], &x.v, &here, 1);
	phi[2] = x.im ? LLVMBuildPhi(e->b, LLVMTypeOf(x.im), "") : NULL;
	if (x.im) LLVMAddIncoming(phi[2], &x.im, &here, 1);
	const LLVMValueRef bit = LLVMBuildLShr(e->b, number, phi[0], "");
	LLVMBuildCondBr(e->b, LLVMBuildTrunc(e->b, bit, LLVMInt1TypeInContext(e->c), ""), join,
	                after);
	block_start(e, join);
	value up = joined(r, row_get(r, half, phi[0]), (value){phi[1], phi[2]});
	level = LLVMBuildAdd(e->b, phi[0], i64_of(e, 1), "");
	here = join;
	LLVMBuildBr(e->b, test);
	LLVMAddIncoming(phi[0], &level, &here, 1);
	LLVMAddIncoming(phi[1], &up.v, &here, 1);
	if (x.im) LLVMAddIncoming(phi[2], &up.im, &here, 1);
	block_start(e, after);
	row_put(r, half, phi[0], (value){phi[1], phi[2]});
}

/* ---- one element at a time, two results in registers: lane after lane of a block, by twos, where
 * one of all lanes around fills several registers */

static value block_in_pairs(const reducing *r, LLVMValueRef i, int n)
{
	emitter *e = r->e;
	const row half = row_new(r, 4);
	LLVMValueRef list[4];
	loop pairs, l;
	int count;

	loop_begin(e, &pairs, i64_of(e, 0), i64_of(e, LANES / 2), 1, NULL, 0);
	i = LLVMBuildAdd(e->b, i, LLVMBuildMul(e->b, pairs.index, i64_of(e, 2), ""), "");
	count = put_value(list, 0, zero_of(r, width_of(r)));
	count = put_value(list, count, zero_of(r, width_of(r)));
	loop_begin(e, &l, i64_of(e, 0), i64_of(e, n), LANES, list, count);
	const LLVMValueRef here = LLVMBuildAdd(e->b, i, l.index, "");
	count = put_value(list, 0, step(r, take_value(r, l.carried, 0), here, NULL));
	put_value(list, count, step(r, take_value(r, l.carried, 1), at(r, here, 1), NULL));
	loop_end(e, &l, list, list);
	push(r, &half, pairs.index, joined(r, take_value(r, list, 0), take_value(r, list, 1)));
	loop_end(e, &pairs, NULL, NULL);
	return row_get(r, &half, i64_of(e, 3));
}

/* ---- blocks */

static value one_block(const reducing *r, LLVMValueRef i, int n)
{
	const bool wide = r->e->lanes * bits_of(part_of(r->dtype)) / 8 > r->e->max_bytes;

	if (r->lanes) return block_in_lanes(r, i, n);
	if (n <= LANES && n * r->size <= MOST_COPIED) return few(r, i, n, 0, LANES);
	if (wide && r->kind == KR_DOT && n % LANES == 0) return block_in_pairs(r, i, n);
	if (wide || r->size > LITTLE || n < LANES) return block_in_memory(r, i, n);
	return block_in_registers(r, i, n);
}

/* of n blocks. In dot products the +0 of missing ones counts */
static value tree_of_halves(const reducing *r, const row *half, int64_t n)
{
	value x = {NULL, NULL};

	for (int level = 0; level < 63; level++) {
		if (!(n >> level & 1)) continue;
		const value h = row_get(r, half, i64_of(r->e, level));
		if (x.v && r->kind == KR_DOT) x = joined(r, x, zero_of(r, r->e->lanes));
		x = x.v ? joined(r, h, x) : h;
	}
	return x;
}

static int levels_of(int64_t n)
{
	int levels = 1;

	while (n >> levels) levels++;
	return levels;
}

value emit_ordered(const reducing *r)
{
	emitter *e = r->e;
	const int64_t whole = r->count / BLOCK, rest = r->count % BLOCK;
	row half;
	loop l;

	if (r->count <= BLOCK) return one_block(r, i64_of(e, 0), (int)r->count);
	half = row_new(r, levels_of(whole + 1));
	loop_begin(e, &l, i64_of(e, 0), i64_of(e, whole), 1, NULL, 0);
	const LLVMValueRef i = LLVMBuildMul(e->b, l.index, i64_of(e, BLOCK), "");
	push(r, &half, l.index, one_block(r, i, BLOCK));
	loop_end(e, &l, NULL, NULL);
	if (rest)
		push(r, &half, i64_of(e, whole), one_block(r, i64_of(e, whole * BLOCK), (int)rest));
	return tree_of_halves(r, &half, whole + (rest != 0));
}
