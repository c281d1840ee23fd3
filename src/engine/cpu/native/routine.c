/* routine.c - kernels, copies and jumps as one function.
 *
 * Each kernel is a function of its own, which is inlined where it is called. Counters, moving roots
 * and small memory are variables of the frame, which LLVM turns into registers.
 *
 * Example, vectors of 32 bytes; a loop of three steps, each of them this kernel:
 *
 *     (%0: f32[2]) -> f32[2] {
 *       %1: f32[2] = neg %0
 *       return %1
 *     }
 *
 * The steps BEGIN, KERNEL and NEXT are blocks. The first sets the counter to 0. The second lists
 * the addresses of operands and results and calls the kernel. The third adds 1 to the counter;
 * while that is below 3, it goes back to the second, unless the run was cancelled:
 *
 *     define internal void @part_0
 *     define void @example
 *     store i64 0, ptr ..
 *     store ptr ..
 *     store ptr ..
 *     call void @part_0(ptr .., i64 0, i64 1)
 *     .. = add i64 .., 1
 *     .. = icmp slt i64 .., 3
 *     br i1 ..
 *     load volatile i8
 */
#include <stdio.h>
#include "engine/cpu/native/emit/emit.h"
#include "engine/cpu/native/jit.h"

typedef struct writer {
	const native_routine *r;
	LLVMContextRef c;
	LLVMModuleRef m;
	LLVMBuilderRef b;
	LLVMTypeRef pointer, i64, i8, i32;
	LLVMValueRef fn;
	const LLVMValueRef *kernel; /* functions */
	const int64_t *items;
	LLVMValueRef *root;       /* by root: its address; if the root moves, where the address is
				     kept */
	bool *moves;              /* by root */
	LLVMValueRef *counter;    /* where it is kept */
	LLVMValueRef *local;      /* where it is kept */
	LLVMValueRef cancelled;   /* the address of a byte; not 0: the routine ends */
	LLVMValueRef args;        /* a list of addresses, for calls */
	LLVMBasicBlockRef *block; /* by step; the last one is the end */
} writer;

static LLVMValueRef number(const writer *w, int64_t n)
{
	return LLVMConstInt(w->i64, (unsigned long long)n, 1);
}

static LLVMValueRef offset_by(const writer *w, LLVMValueRef address, LLVMValueRef bytes)
{
	return LLVMBuildGEP2(w->b, w->i8, address, &bytes, 1, "");
}

static LLVMValueRef in_memory(const writer *w, native_place at)
{
	LLVMValueRef root = w->root[at.root];

	if (w->moves[at.root]) root = LLVMBuildLoad2(w->b, w->pointer, root, "");
	return at.offset ? offset_by(w, root, number(w, at.offset)) : root;
}

static LLVMValueRef address_of(const writer *w, native_place at)
{
	for (int i = 0; i < w->r->nlocals; i++) {
		const native_place own = w->r->local[i].at;
		if (own.root == at.root && own.offset == at.offset) return w->local[i];
	}
	return in_memory(w, at);
}

static void copy(const writer *w, LLVMValueRef to, LLVMValueRef from, int64_t bytes)
{
	LLVMBuildMemCpy(w->b, to, 1, from, 1, number(w, bytes));
}

/* ---- steps; each ends its block */

static void go(const writer *w, int32_t target) { LLVMBuildBr(w->b, w->block[target]); }

/* a loop may have no end, so each turn asks whether the run was cancelled */
static void go_back(const writer *w, int32_t target)
{
	const LLVMValueRef ask = LLVMBuildLoad2(w->b, w->i8, w->cancelled, "");

	LLVMSetVolatile(ask, 1);
	LLVMBuildCondBr(w->b, LLVMBuildICmp(w->b, LLVMIntNE, ask, LLVMConstInt(w->i8, 0, 0), ""),
	                w->block[w->r->nsteps], w->block[target]);
}

static void write_kernel(const writer *w, const native_step *s)
{
	const LLVMTypeRef types[3] = {w->pointer, w->i64, w->i64};
	LLVMValueRef given[3] = {w->args, number(w, 0), number(w, w->items[s->of])};

	for (int32_t i = 0; i < s->nargs; i++)
		LLVMBuildStore(w->b, address_of(w, s->arg[i]),
		               offset_by(w, w->args, number(w, i * (int64_t)sizeof(char *))));
	LLVMBuildCall2(w->b,
	               LLVMFunctionType(LLVMVoidTypeInContext(w->c),
	                                (LLVMTypeRef *)(uintptr_t)types, 3, 0),
	               w->kernel[s->of], given, 3, "");
}

static LLVMValueRef limited(const writer *w, LLVMValueRef index, int32_t last)
{
	const LLVMValueRef zero = LLVMConstInt(w->i32, 0, 1),
			   high = LLVMConstInt(w->i32, (unsigned)last, 1);
	const LLVMValueRef low = LLVMBuildSelect(
		w->b, LLVMBuildICmp(w->b, LLVMIntSLT, index, zero, ""), zero, index, "");

	return LLVMBuildSelect(w->b, LLVMBuildICmp(w->b, LLVMIntSGT, low, high, ""), high, low, "");
}

static void write_switch(const writer *w, const native_step *s)
{
	LLVMValueRef index =
		LLVMBuildLoad2(w->b, s->predicate ? w->i8 : w->i32, address_of(w, s->arg[0]), "");

	if (s->predicate) {
		const LLVMValueRef zero = LLVMConstInt(w->i8, 0, 0);
		LLVMBuildCondBr(w->b, LLVMBuildICmp(w->b, LLVMIntNE, index, zero, ""),
		                w->block[s->target[1]], w->block[s->target[0]]);
		return;
	}
	LLVMSetAlignment(index, 1);
	index = limited(w, index, s->ntargets - 1);
	const LLVMValueRef where =
		LLVMBuildSwitch(w->b, index, w->block[s->target[0]], (unsigned)s->ntargets);
	for (int32_t i = 1; i < s->ntargets; i++)
		LLVMAddCase(where, LLVMConstInt(w->i32, (unsigned)i, 0), w->block[s->target[i]]);
}

static void write_move(const writer *w, const native_step *s)
{
	const LLVMValueRef at = LLVMBuildLoad2(w->b, w->i64, w->counter[s->counter], "");
	const LLVMValueRef index =
		s->reverse ? LLVMBuildSub(w->b, number(w, s->length - 1), at, "") : at;
	const LLVMValueRef bytes = LLVMBuildMul(w->b, index, number(w, s->stride), "");

	LLVMBuildStore(w->b, offset_by(w, in_memory(w, s->arg[0]), bytes), w->root[s->of]);
}

static void write_next(const writer *w, const native_step *s, int32_t next)
{
	const LLVMBasicBlockRef again = LLVMAppendBasicBlockInContext(w->c, w->fn, "");
	const LLVMValueRef at = LLVMBuildLoad2(w->b, w->i64, w->counter[s->of], "");
	const LLVMValueRef more = LLVMBuildAdd(w->b, at, number(w, 1), "");

	LLVMBuildStore(w->b, more, w->counter[s->of]);
	LLVMBuildCondBr(w->b, LLVMBuildICmp(w->b, LLVMIntSLT, more, number(w, s->length), ""),
	                again, w->block[next]);
	LLVMPositionBuilderAtEnd(w->b, again);
	go_back(w, s->target[0]);
}

static void write_step(const writer *w, int32_t i)
{
	const native_step *s = &w->r->step[i];

	switch (s->op) {
	case NATIVE_SWITCH: write_switch(w, s); return;
	case NATIVE_GO:
		if (s->target[0] > i)
			go(w, s->target[0]);
		else
			go_back(w, s->target[0]);
		return;
	case NATIVE_NEXT: write_next(w, s, i + 1); return;
	case NATIVE_KERNEL: write_kernel(w, s); break;
	case NATIVE_COPY:
		copy(w, address_of(w, s->arg[1]), address_of(w, s->arg[0]), s->bytes);
		break;
	case NATIVE_MOVE: write_move(w, s); break;
	case NATIVE_BEGIN:
		LLVMBuildStore(w->b, number(w, 0), w->counter[s->of]);
		if (s->length) break;
		go(w, s->target[0]);
		return;
	}
	go(w, i + 1);
}

/* ---- the frame */

static LLVMValueRef kept(const writer *w, LLVMTypeRef t) { return LLVMBuildAlloca(w->b, t, ""); }

static void find_moving(const writer *w)
{
	for (int i = 0; i < w->r->nsteps; i++)
		if (w->r->step[i].op == NATIVE_MOVE) w->moves[w->r->step[i].of] = true;
}

static LLVMValueRef given_root(const writer *w, int i)
{
	const LLVMValueRef at = number(w, i * (int64_t)sizeof(char *));

	return LLVMBuildLoad2(w->b, w->pointer, offset_by(w, LLVMGetParam(w->fn, 0), at), "");
}

static void write_frame(writer *w)
{
	int32_t most = 1;

	for (int i = 0; i < w->r->nsteps; i++)
		if (w->r->step[i].nargs > most) most = w->r->step[i].nargs;
	w->args = kept(w, LLVMArrayType2(w->pointer, (uint64_t)most));
	for (int i = 0; i < w->r->ncounters; i++) w->counter[i] = kept(w, w->i64);
	for (int i = 0; i < w->r->nlocals; i++) {
		w->local[i] = kept(w, LLVMArrayType2(w->i8, (uint64_t)w->r->local[i].bytes));
		LLVMSetAlignment(w->local[i], 64);
	}
	for (int i = 0; i < w->r->nroots; i++)
		w->root[i] = w->moves[i] ? kept(w, w->pointer) : given_root(w, i);
	w->cancelled = given_root(w, w->r->nroots);
}

static void write_routine(writer *w)
{
	const int n = w->r->nsteps;
	const LLVMBasicBlockRef start = LLVMAppendBasicBlockInContext(w->c, w->fn, "");

	for (int i = 0; i <= n; i++) w->block[i] = LLVMAppendBasicBlockInContext(w->c, w->fn, "");
	LLVMPositionBuilderAtEnd(w->b, start);
	find_moving(w);
	write_frame(w);
	for (int i = 0; i < w->r->nlocals; i++)
		copy(w, w->local[i], in_memory(w, w->r->local[i].at), w->r->local[i].bytes);
	go(w, 0);
	for (int i = 0; i < n; i++) {
		LLVMPositionBuilderAtEnd(w->b, w->block[i]);
		write_step(w, i);
	}
	LLVMPositionBuilderAtEnd(w->b, w->block[n]);
	for (int i = 0; i < w->r->nlocals; i++)
		if (w->r->local[i].written)
			copy(w, in_memory(w, w->r->local[i].at), w->local[i], w->r->local[i].bytes);
	LLVMBuildRetVoid(w->b);
}

static bool room_for(writer *w, pool *p)
{
	const native_routine *r = w->r;

	w->root = pool_take(p, (size_t)r->nroots + 1, sizeof *w->root);
	w->moves = pool_take(p, (size_t)r->nroots + 1, sizeof *w->moves);
	w->counter = pool_take(p, (size_t)r->ncounters + 1, sizeof *w->counter);
	w->local = pool_take(p, (size_t)r->nlocals + 1, sizeof *w->local);
	w->block = pool_take(p, (size_t)r->nsteps + 1, sizeof *w->block);
	return w->root && w->moves && w->counter && w->local && w->block;
}

/* the functions of the kernels, which are inlined */
static bool write_kernels(LLVMModuleRef m, const native_routine *r, int max_bytes, pool *p,
                          LLVMValueRef *fn, int64_t *items)
{
	char name[32];
	nest s;

	for (int i = 0; i < r->nkernels; i++) {
		snprintf(name, sizeof name, "part_%d", i);
		if (!nest_make(&s, r->kernel[i], NULL, p, max_bytes) ||
		    !emit_kernel(m, &s, name, max_bytes, 0, p))
			return false;
		fn[i] = LLVMGetNamedFunction(m, name);
		items[i] = s.items;
		LLVMSetLinkage(fn[i], LLVMInternalLinkage);
		llvm_flag(fn[i], "alwaysinline");
	}
	return true;
}

bool emit_routine(LLVMModuleRef m, const native_routine *r, const char *name, int max_bytes,
                  pool *p)
{
	const LLVMContextRef c = LLVMGetModuleContext(m);
	LLVMValueRef *kernel = pool_take(p, (size_t)r->nkernels + 1, sizeof *kernel);
	int64_t *items = pool_take(p, (size_t)r->nkernels + 1, sizeof *items);
	writer w = {.r = r,
	            .c = c,
	            .m = m,
	            .pointer = LLVMPointerTypeInContext(c, 0),
	            .i64 = LLVMInt64TypeInContext(c),
	            .i32 = LLVMInt32TypeInContext(c),
	            .i8 = LLVMInt8TypeInContext(c),
	            .kernel = kernel,
	            .items = items};
	LLVMTypeRef types[3] = {w.pointer, w.i64, w.i64};

	if (!kernel || !items || !room_for(&w, p) ||
	    !write_kernels(m, r, max_bytes, p, kernel, items))
		return false;
	w.fn = LLVMAddFunction(m, name, LLVMFunctionType(LLVMVoidTypeInContext(c), types, 3, 0));
	w.b = LLVMCreateBuilderInContext(c);
	write_routine(&w);
	LLVMDisposeBuilder(w.b);
	return true;
}
