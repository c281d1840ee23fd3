/* emit_flow.c - loops and branches, as blocks of instructions that end in jumps.
 *
 * Example, vectors of 32 bytes:
 *
 *     (%0: f32[32]) -> f32[32] {
 *       %1: f32[32] = neg %0
 *       return %1
 *     }
 *
 * has one loop. Its index is 0 where control comes from above, and 8 more each time it comes back;
 * the test stands at the end, as the loop surely has a step:
 *
 *     br label ..
 *     %i = phi i64 [ 0, .. ], [ .., .. ]
 *     fneg <8 x float>
 *     .. = add nsw i64 %i, 8
 *     .. = icmp slt i64 .., 32
 *     br i1 .., label .., label ..
 *     ret void
 */
#include "engine/cpu/native/emit.h"

LLVMBasicBlockRef block_new(emitter *e) { return LLVMAppendBasicBlockInContext(e->c, e->fn, ""); }
LLVMBasicBlockRef block_here(emitter *e) { return LLVMGetInsertBlock(e->b); }
void block_start(emitter *e, LLVMBasicBlockRef b) { LLVMPositionBuilderAtEnd(e->b, b); }

LLVMValueRef kept_array(emitter *e, LLVMTypeRef t, int64_t n)
{
	const LLVMBasicBlockRef here = block_here(e);
	const LLVMValueRef first = LLVMGetFirstInstruction(e->entry);
	const LLVMTypeRef all = LLVMArrayType2(t, (uint64_t)n);

	if (first)
		LLVMPositionBuilderBefore(e->b, first);
	else
		block_start(e, e->entry);
	const LLVMValueRef array = LLVMBuildAlloca(e->b, all, "");
	block_start(e, here);
	return array;
}

/* ---- loops: the test stands at the end, and before the loop where it may have no step */

void loop_begin(emitter *e, loop *l, LLVMValueRef start, LLVMValueRef end, int64_t step,
                const LLVMValueRef *initial, int n)
{
	*l = (loop){.step = i64_of(e, step), .end = end, .n = n};
	l->surely = LLVMIsConstant(start) && LLVMIsConstant(end) &&
	            LLVMConstIntGetSExtValue(start) < LLVMConstIntGetSExtValue(end);
	l->body = block_new(e);
	l->after = block_new(e);
	if (l->surely)
		LLVMBuildBr(e->b, l->body);
	else
		LLVMBuildCondBr(e->b, LLVMBuildICmp(e->b, LLVMIntSLT, start, end, ""), l->body,
		                l->after);
	l->before = block_here(e);
	block_start(e, l->body);
	l->index = LLVMBuildPhi(e->b, LLVMTypeOf(start), "i");
	LLVMAddIncoming(l->index, &start, &l->before, 1);
	for (int i = 0; i < n; i++) {
		l->initial[i] = initial[i];
		l->carried[i] = LLVMBuildPhi(e->b, LLVMTypeOf(initial[i]), "");
		LLVMAddIncoming(l->carried[i], &l->initial[i], &l->before, 1);
	}
}

void loop_end(emitter *e, loop *l, const LLVMValueRef *next, LLVMValueRef *out)
{
	LLVMValueRef index = LLVMBuildNSWAdd(e->b, l->index, l->step, "");
	LLVMBasicBlockRef last = block_here(e);

	LLVMBuildCondBr(e->b, LLVMBuildICmp(e->b, LLVMIntSLT, index, l->end, ""), l->body,
	                l->after);
	LLVMAddIncoming(l->index, &index, &last, 1);
	for (int i = 0; i < l->n; i++) {
		LLVMValueRef v = next[i];
		LLVMAddIncoming(l->carried[i], &v, &last, 1);
	}
	block_start(e, l->after);
	for (int i = 0; i < l->n; i++) {
		LLVMValueRef v = next[i];
		out[i] = LLVMBuildPhi(e->b, LLVMTypeOf(v), "");
		LLVMAddIncoming(out[i], &v, &last, 1);
		if (!l->surely) LLVMAddIncoming(out[i], &l->initial[i], &l->before, 1);
	}
}

/* ---- branches */

void branch_begin(emitter *e, branch *f, LLVMValueRef condition)
{
	f->yes = block_new(e);
	f->no = block_new(e);
	f->after = block_new(e);
	LLVMBuildCondBr(e->b, condition, f->yes, f->no);
	block_start(e, f->yes);
}

void branch_else(emitter *e, branch *f)
{
	f->yes = block_here(e);
	LLVMBuildBr(e->b, f->after);
	block_start(e, f->no);
}

static LLVMValueRef either(emitter *e, branch *f, LLVMValueRef yes, LLVMValueRef no)
{
	if (!yes) return NULL;
	const LLVMValueRef phi = LLVMBuildPhi(e->b, LLVMTypeOf(yes), "");
	LLVMAddIncoming(phi, (LLVMValueRef[]){yes, no}, (LLVMBasicBlockRef[]){f->yes, f->no}, 2);
	return phi;
}

value branch_end(emitter *e, branch *f, value yes, value no)
{
	f->no = block_here(e);
	LLVMBuildBr(e->b, f->after);
	block_start(e, f->after);
	return (value){either(e, f, yes.v, no.v), either(e, f, yes.im, no.im)};
}
