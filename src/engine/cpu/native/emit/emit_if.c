/* emit_if.c - a choice between two regions. Where all lanes go the same way it is a branch.
 * Otherwise both regions are computed, their loads under masks; one that is expensive only if some
 * lane needs it.
 *
 * Example, vectors of 32 bytes:
 *
 *     (%0: f32[6], %1: f32[]) -> f32[8] {
 *       %2: f32[8] = pad %0 %1 low=[1] high=[1] interior=[0]
 *       return %2
 *     }
 *
 * Lane i takes %0[i - 1] where that exists, else %1. Both sides are computed, each under a mask of
 * the lanes that need it, and a select chooses:
 *
 *     .. = and <8 x i1> ..
 *     call <8 x float> @llvm.masked.load..(ptr .., i32 4, <8 x i1> ..
 *     .. = xor <8 x i1> .., <i1 true, ..
 *     call <1 x float> @llvm.masked.load..(ptr .., i32 4, <1 x i1> ..
 *     .. = select <8 x i1> .., <8 x float> .., <8 x float> ..
 */
#include "engine/cpu/native/emit/emit.h"

/* loads at any depth count: an inner condition may rely on the outer one */
static bool has_load(const nest *s, int32_t region)
{
	const kregion *r = &s->k->regions[region];

	for (int32_t i = 0; i < r->nnodes; i++) {
		const knode *n = &s->k->nodes[r->nodes[i].id];
		if (n->op == K_LOAD || n->op == K_REDUCE) return true;
		if (n->op == K_IF && (has_load(s, n->inner[0]) || has_load(s, n->inner[1])))
			return true;
	}
	return false;
}

static value region_value(emitter *g, int32_t region)
{
	emit_region(g, region);
	return g->value[g->k->regions[region].yield[0].id];
}

/* ---- one way for all lanes */

static value branched(emitter *g, const knode *n, LLVMValueRef condition)
{
	branch f;

	branch_begin(g, &f, condition);
	const value yes = splat_value(g, region_value(g, n->inner[0]), g->in.lanes);
	branch_else(g, &f);
	const value no = splat_value(g, region_value(g, n->inner[1]), g->in.lanes);
	return branch_end(g, &f, yes, no);
}

static bool is_plain(const emitter *g, int32_t region)
{
	return region_size(g->nest, region) <= TUNE_BRANCH_NODES && !has_load(g->nest, region);
}

static value both(emitter *g, const knode *n, LLVMValueRef condition)
{
	value yes = region_value(g, n->inner[0]), no = region_value(g, n->inner[1]);

	yes = splat_value(g, yes, g->in.lanes);
	no = splat_value(g, no, g->in.lanes);
	return choose_value(g, condition, yes, no);
}

/* ---- each lane goes its own way */

static value zeros(value x)
{
	return (value){LLVMConstNull(LLVMTypeOf(x.v)),
	               x.im ? LLVMConstNull(LLVMTypeOf(x.im)) : NULL};
}

static value under_mask(emitter *g, int32_t region, LLVMValueRef mask)
{
	const context around = g->in;
	value x;
	branch f;

	g->in.mask = both_masks(g, around.mask, mask);
	g->in.some = region_size(g->nest, region) > TUNE_BRANCH_NODES;
	if (!g->in.some) {
		x = splat_value(g, region_value(g, region), g->in.lanes);
	} else {
		branch_begin(g, &f, any_lane(g, g->in.mask));
		x = splat_value(g, region_value(g, region), g->in.lanes);
		branch_else(g, &f);
		x = branch_end(g, &f, x, zeros(x));
	}
	g->in = around;
	return x;
}

value emit_if(emitter *g, const knode *n)
{
	const LLVMValueRef condition = g->value[n->args[0].id].v;

	if (!llvm_is_vector(condition) && LLVMIsConstant(condition))
		return region_value(g, n->inner[!LLVMConstIntGetZExtValue(condition)]);
	if (llvm_is_vector(condition)) {
		const value yes = under_mask(g, n->inner[0], condition);
		const value no = under_mask(g, n->inner[1], LLVMBuildNot(g->b, condition, ""));
		return choose_value(g, condition, yes, no);
	}
	if (is_plain(g, n->inner[0]) && is_plain(g, n->inner[1])) return both(g, n, condition);
	return branched(g, n, condition);
}
