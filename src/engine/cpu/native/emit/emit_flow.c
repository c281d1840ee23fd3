/* emit_flow.c - loops and branches, as blocks of instructions that end in jumps.
 *
 * Example, vectors of 32 bytes:
 *
 *     (%0: f32[32]) -> f32[32] {
 *       %1: f32[32] = neg %0
 *       return %1
 *     }
 *
 * has one loop. Its index is 0 at first, and 8 more each time control comes back; the test is at
 * the end, since the loop has at least one step:
 *
 *     br label ..
 *     %i = phi i64 [ 0, .. ], [ .., .. ]
 *     fneg <8 x float>
 *     .. = add nsw i64 %i, 8
 *     .. = icmp slt i64 .., 32
 *     br i1 .., label .., label ..
 *     ret void
 */
#include "engine/cpu/native/emit/emit.h"

LLVMBasicBlockRef block_new(emitter *g) { return LLVMAppendBasicBlockInContext(g->c, g->fn, ""); }
LLVMBasicBlockRef block_here(emitter *g) { return LLVMGetInsertBlock(g->b); }
void block_begin(emitter *g, LLVMBasicBlockRef b) { LLVMPositionBuilderAtEnd(g->b, b); }

LLVMValueRef kept_array(emitter *g, LLVMTypeRef t, int64_t n)
{
	const LLVMBasicBlockRef here = block_here(g);
	const LLVMValueRef first = LLVMGetFirstInstruction(g->entry);
	const LLVMTypeRef all = LLVMArrayType2(t, (uint64_t)n);

	if (first)
		LLVMPositionBuilderBefore(g->b, first);
	else
		block_begin(g, g->entry);
	const LLVMValueRef array = LLVMBuildAlloca(g->b, all, "");
	block_begin(g, here);
	return array;
}

/* ---- loops: the test is at the end; there is one before the loop too if it may have no step */

void loop_begin(emitter *g, loop_code *l, LLVMValueRef start, LLVMValueRef end, int64_t step,
                const LLVMValueRef *initial, int n)
{
	*l = (loop_code){.step = i64_of(g, step), .end = end, .n = n};
	l->surely = LLVMIsConstant(start) && LLVMIsConstant(end) &&
	            LLVMConstIntGetSExtValue(start) < LLVMConstIntGetSExtValue(end);
	l->body = block_new(g);
	l->after = block_new(g);
	if (l->surely)
		LLVMBuildBr(g->b, l->body);
	else
		LLVMBuildCondBr(g->b, LLVMBuildICmp(g->b, LLVMIntSLT, start, end, ""), l->body,
		                l->after);
	l->before = block_here(g);
	block_begin(g, l->body);
	l->index = LLVMBuildPhi(g->b, LLVMTypeOf(start), "i");
	LLVMAddIncoming(l->index, &start, &l->before, 1);
	for (int i = 0; i < n; i++) {
		l->initial[i] = initial[i];
		l->carried[i] = LLVMBuildPhi(g->b, LLVMTypeOf(initial[i]), "");
		LLVMAddIncoming(l->carried[i], &l->initial[i], &l->before, 1);
	}
}

void loop_end(emitter *g, loop_code *l, const LLVMValueRef *next, LLVMValueRef *out)
{
	LLVMValueRef index = LLVMBuildNSWAdd(g->b, l->index, l->step, "");
	LLVMBasicBlockRef last = block_here(g);

	LLVMBuildCondBr(g->b, LLVMBuildICmp(g->b, LLVMIntSLT, index, l->end, ""), l->body,
	                l->after);
	LLVMAddIncoming(l->index, &index, &last, 1);
	for (int i = 0; i < l->n; i++) {
		LLVMValueRef v = next[i];
		LLVMAddIncoming(l->carried[i], &v, &last, 1);
	}
	block_begin(g, l->after);
	for (int i = 0; i < l->n; i++) {
		LLVMValueRef v = next[i];
		out[i] = LLVMBuildPhi(g->b, LLVMTypeOf(v), "");
		LLVMAddIncoming(out[i], &v, &last, 1);
		if (!l->surely) LLVMAddIncoming(out[i], &l->initial[i], &l->before, 1);
	}
}

/* ---- branches */

void branch_begin(emitter *g, branch *f, LLVMValueRef condition)
{
	f->yes = block_new(g);
	f->no = block_new(g);
	f->after = block_new(g);
	LLVMBuildCondBr(g->b, condition, f->yes, f->no);
	block_begin(g, f->yes);
}

void branch_else(emitter *g, branch *f)
{
	f->yes = block_here(g);
	LLVMBuildBr(g->b, f->after);
	block_begin(g, f->no);
}

static LLVMValueRef either(emitter *g, branch *f, LLVMValueRef yes, LLVMValueRef no)
{
	if (!yes) return NULL;
	const LLVMValueRef phi = LLVMBuildPhi(g->b, LLVMTypeOf(yes), "");
	LLVMAddIncoming(phi, (LLVMValueRef[]){yes, no}, (LLVMBasicBlockRef[]){f->yes, f->no}, 2);
	return phi;
}

value branch_end(emitter *g, branch *f, value yes, value no)
{
	f->no = block_here(g);
	LLVMBuildBr(g->b, f->after);
	block_begin(g, f->after);
	return (value){either(g, f, yes.v, no.v), either(g, f, yes.im, no.im)};
}
