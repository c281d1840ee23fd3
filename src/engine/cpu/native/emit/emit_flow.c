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

value phi_of(emitter *g, value x, LLVMBasicBlockRef from)
{
	const value phi = {LLVMBuildPhi(g->b, LLVMTypeOf(x.v), ""),
	                   x.im ? LLVMBuildPhi(g->b, LLVMTypeOf(x.im), "") : NULL};

	phi_add(phi, x, from);
	return phi;
}

void phi_add(value phi, value x, LLVMBasicBlockRef from)
{
	LLVMAddIncoming(phi.v, &x.v, &from, 1);
	if (x.im) LLVMAddIncoming(phi.im, &x.im, &from, 1);
}

void loop_begin(emitter *g, loop_code *l, LLVMValueRef start, LLVMValueRef end, int64_t step,
                value *x, int n)
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
		l->initial[i] = x[i];
		x[i] = l->carried[i] = phi_of(g, x[i], l->before);
	}
}

void loop_end(emitter *g, loop_code *l, value *x)
{
	LLVMValueRef index = LLVMBuildNSWAdd(g->b, l->index, l->step, "");
	LLVMBasicBlockRef last = block_here(g);

	LLVMBuildCondBr(g->b, LLVMBuildICmp(g->b, LLVMIntSLT, index, l->end, ""), l->body,
	                l->after);
	LLVMAddIncoming(l->index, &index, &last, 1);
	for (int i = 0; i < l->n; i++) phi_add(l->carried[i], x[i], last);
	block_begin(g, l->after);
	for (int i = 0; i < l->n; i++) {
		x[i] = phi_of(g, x[i], last);
		if (!l->surely) phi_add(x[i], l->initial[i], l->before);
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

value branch_end(emitter *g, branch *f, value yes, value no)
{
	f->no = block_here(g);
	LLVMBuildBr(g->b, f->after);
	block_begin(g, f->after);
	if (!yes.v) return yes;
	const value x = phi_of(g, yes, f->yes);
	phi_add(x, no, f->no);
	return x;
}
