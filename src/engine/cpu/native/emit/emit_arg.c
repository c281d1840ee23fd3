/* emit_arg.c - the index of the largest or smallest element: the first NaN, else the first of the
 * best. Each lane keeps its own best element and its place; then the lanes compete.
 *
 * Example, vectors of 32 bytes:
 *
 *     (%0: f32[64]) -> i32[] {
 *       %1: i32[] = argmax %0 dim=0 dtype=i32
 *       return %1
 *     }
 *
 * In the loop a later element wins if it is larger, or the first NaN. The places of different lanes
 * are in no order, so among equals the smaller place wins:
 *
 *     .. = fcmp ogt <16 x float> ..
 *     .. = fcmp uno <16 x float> ..
 *     .. = select <16 x i1> .., <16 x float> .., <16 x float> ..
 *     .. = select <16 x i1> .., <16 x i32> .., <16 x i32> ..
 *     .. = icmp ult <8 x i32> ..
 *     .. = select <8 x i1> .., <8 x i32> .., <8 x i32> ..
 *     store i32
 */
#include "engine/cpu/native/emit/emit.h"

typedef struct best {
	LLVMValueRef x, at;
} best;

static LLVMTypeRef index_type(const reducing *r)
{
	return r->count < INT32_MAX - MOST_LANES ? LLVMInt32TypeInContext(r->g->c)
	                                         : LLVMInt64TypeInContext(r->g->c);
}

static LLVMValueRef or_(emitter *g, LLVMValueRef a, LLVMValueRef b)
{
	return LLVMBuildOr(g->b, a, b, "");
}
static LLVMValueRef and_(emitter *g, LLVMValueRef a, LLVMValueRef b)
{
	return LLVMBuildAnd(g->b, a, b, "");
}

/* does b replace a? later: b surely comes after a */
static LLVMValueRef wins(const reducing *r, best a, best b, bool later)
{
	emitter *g = r->g;
	const kop op = r->kind == KR_ARGMAX ? K_GT : K_LT;
	const LLVMValueRef better = emit_binary(g, op, r->from, b.x, a.x);
	const LLVMValueRef first = LLVMBuildICmp(g->b, LLVMIntULT, b.at, a.at, "");
	LLVMValueRef same = emit_binary(g, K_EQ, r->from, b.x, a.x);

	if (!is_float(r->from)) return later ? better : or_(g, better, and_(g, same, first));
	const LLVMValueRef a_nan = LLVMBuildFCmp(g->b, LLVMRealUNO, a.x, a.x, "");
	const LLVMValueRef b_nan = LLVMBuildFCmp(g->b, LLVMRealUNO, b.x, b.x, "");
	const LLVMValueRef new_nan = and_(g, b_nan, LLVMBuildNot(g->b, a_nan, ""));
	if (later) return or_(g, better, new_nan);
	same = or_(g, same, and_(g, a_nan, b_nan));
	return or_(g, or_(g, better, new_nan), and_(g, same, first));
}

static best better_of(const reducing *r, best a, best b, bool later, LLVMValueRef mask)
{
	emitter *g = r->g;
	const LLVMValueRef won = both_masks(g, wins(r, a, b, later), mask);

	return (best){choose(g, won, b.x, a.x), choose(g, won, b.at, a.at)};
}

static best element(const reducing *r, LLVMValueRef i, LLVMValueRef mask)
{
	emitter *g = r->g;
	value y[2];

	element_at(r, i, mask, y);
	LLVMValueRef at = LLVMBuildTrunc(g->b, i, index_type(r), "");
	if (LLVMTypeOf(i) == index_type(r)) at = i;
	at = splat(g, at, width_of(r));
	if (r->lanes) at = LLVMBuildAdd(g->b, at, counting(g, index_type(r), r->lanes, 1), "");
	return (best){y[0].v, at};
}

/* lanes without an element never win: their place is after all others */
static best first_of(const reducing *r, int64_t step)
{
	emitter *g = r->g;
	const LLVMValueRef mask = r->count < step ? mask_first(g, (int)r->count, r->lanes) : NULL;
	best b = element(r, i64_of(g, 0), mask);

	if (!mask) return b;
	const kreduction extreme = r->kind == KR_ARGMAX ? KR_MAX : KR_MIN;
	reducing of = *r;
	of.kind = extreme;
	b.x = choose(g, mask, b.x, neutral_of(&of).v);
	b.at = choose(g, mask, b.at, LLVMConstAllOnes(LLVMTypeOf(b.at)));
	return b;
}

static best best_lane(const reducing *r, best b)
{
	emitter *g = r->g;

	for (int n = r->lanes; n > 1; n /= 2) {
		const best low = {lanes_from(g, b.x, 0, 1, n / 2),
		                  lanes_from(g, b.at, 0, 1, n / 2)};
		const best high = {lanes_from(g, b.x, n / 2, 1, n / 2),
		                   lanes_from(g, b.at, n / 2, 1, n / 2)};
		b = better_of(r, low, high, false, NULL);
	}
	b.at = LLVMBuildExtractElement(g->b, b.at, i64_of(g, 0), "");
	return b;
}

value emit_argument(const reducing *r)
{
	emitter *g = r->g;
	const int64_t step = r->lanes ? r->lanes : 1, rest = r->count % step;
	best b = first_of(r, step);
	loop_code l;

	if (r->count >= 2 * step) {
		value both = {b.x, b.at};
		loop_begin(g, &l, i64_of(g, step), i64_of(g, r->count - rest), step, &both, 1);
		b = better_of(r, (best){both.v, both.im}, element(r, l.index, NULL), true, NULL);
		both = (value){b.x, b.at};
		loop_end(g, &l, &both);
		b = (best){both.v, both.im};
	}
	if (rest && r->count > step) {
		const LLVMValueRef mask = mask_first(g, (int)rest, r->lanes);
		b = better_of(r, b, element(r, i64_of(g, r->count - rest), mask), true, mask);
	}
	if (r->lanes) b = best_lane(r, b);
	const LLVMTypeRef i64 = type_many(LLVMInt64TypeInContext(g->c), r->lanes ? 0 : g->in.lanes);
	return (value){LLVMTypeOf(b.at) == i64 ? b.at : LLVMBuildZExt(g->b, b.at, i64, ""), NULL};
}
