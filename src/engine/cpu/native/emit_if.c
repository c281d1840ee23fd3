/* emit_if.c - a choice between two regions: a branch where all lanes go one way; else both, under
 * masks for their loads, and a region that costs something only if a lane wants it.
 *
 * Example, vectors of 32 bytes:
 *
 *     (%0: f32[6], %1: f32[]) -> f32[8] {
 *       %2: f32[8] = pad %0 %1 low=[1] high=[1] interior=[0]
 *       return %2
 *     }
 *
 * Lane i takes %0[i - 1] where that is there, else %1. Both sides are computed, each under a mask
 * of the lanes that want it, and lanes choose:
 *
 *     .. = and <8 x i1> ..
 *     call <8 x float> @llvm.masked.load..(ptr .., i32 4, <8 x i1> ..
 *     .. = xor <8 x i1> .., <i1 true, ..
 *     call <1 x float> @llvm.masked.load..(ptr .., i32 4, <1 x i1> ..
 *     .. = select <8 x i1> .., <8 x float> .., <8 x float> ..
 */
#include <string.h>
#include "engine/cpu/native/emit.h"

#define CHEAP 8 /* nodes */

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

void context_restore(emitter *e, const emitter *was)
{
	e->lanes = was->lanes;
	e->along = was->along;
	e->start = was->start;
	e->mask = was->mask;
	e->some = was->some;
	e->edge = was->edge;
}

static value region_value(emitter *e, int32_t region)
{
	emit_region(e, region);
	return e->value[e->k->regions[region].yield[0].id];
}

/* ---- one way for all lanes */

static value branched(emitter *e, const knode *n, LLVMValueRef condition)
{
	branch f;

	branch_begin(e, &f, condition);
	const value yes = splat_value(e, region_value(e, n->inner[0]), e->lanes);
	branch_else(e, &f);
	const value no = splat_value(e, region_value(e, n->inner[1]), e->lanes);
	return branch_end(e, &f, yes, no);
}

static bool is_plain(const emitter *e, int32_t region)
{
	return region_size(e->nest, region) <= CHEAP && !has_load(e->nest, region);
}

static value both(emitter *e, const knode *n, LLVMValueRef condition)
{
	value yes = region_value(e, n->inner[0]), no = region_value(e, n->inner[1]);

	yes = splat_value(e, yes, e->lanes);
	no = splat_value(e, no, e->lanes);
	return choose_value(e, condition, yes, no);
}

/* ---- each lane its way */

static value zeros(value x)
{
	return (value){LLVMConstNull(LLVMTypeOf(x.v)),
	               x.im ? LLVMConstNull(LLVMTypeOf(x.im)) : NULL};
}

static value under_mask(emitter *e, int32_t region, LLVMValueRef mask)
{
	const emitter was = *e;
	value x;
	branch f;

	e->mask = both_masks(e, was.mask, mask);
	e->some = region_size(e->nest, region) > CHEAP;
	if (!e->some) {
		x = splat_value(e, region_value(e, region), e->lanes);
	} else {
		branch_begin(e, &f, any_lane(e, e->mask));
		x = splat_value(e, region_value(e, region), e->lanes);
		branch_else(e, &f);
		x = branch_end(e, &f, x, zeros(x));
	}
	context_restore(e, &was);
	return x;
}

value emit_if(emitter *e, const knode *n)
{
	const LLVMValueRef condition = e->value[n->args[0].id].v;

	if (!llvm_is_vector(condition) && LLVMIsConstant(condition))
		return region_value(e, n->inner[!LLVMConstIntGetZExtValue(condition)]);
	if (llvm_is_vector(condition)) {
		const value yes = under_mask(e, n->inner[0], condition);
		const value no = under_mask(e, n->inner[1], LLVMBuildNot(e->b, condition, ""));
		return choose_value(e, condition, yes, no);
	}
	if (is_plain(e, n->inner[0]) && is_plain(e, n->inner[1])) return both(e, n, condition);
	return branched(e, n, condition);
}
