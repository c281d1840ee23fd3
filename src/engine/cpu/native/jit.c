/* jit.c - from kernels to code that can be called.
 *
 * Each compilation has an LLVM context, a module and an object of its own, so any number of them
 * can run side by side. Where there are many kernels, several share an object, since half of the
 * cost of a small one is the start of LLVM's pipeline. The objects are linked into the process
 * (link.c). What all compilations share is made once, and stays until the process ends. Every use
 * of LLVM is a visit (gate.c).
 *
 * Example, vectors of 32 bytes:
 *
 *     (%0: f32[64], %1: f32[]) -> f32[64] {
 *       %2: f32[64] = broadcast_in_dim %1 dims=[64] at=[]
 *       %3: f32[64] = mul %0 %2
 *       return %3
 *     }
 *
 * As emit.c writes it, each step of the loop copies %1 into the lanes of a vector. The passes move
 * that out of the loop. The register rdi has the list of addresses: of %0, %1 and the result:
 *
 *     .. = phi i64
 *     .. = shufflevector <8 x float> .., <8 x i32> zeroinitializer
 *     .. = fmul <8 x float>
 *     movq 8(%rdi), %r
 *     vbroadcastss (..), %ymm
 *     vmulps (..), %ymm.., %ymm
 *     vmovups %ymm.., (
 *     addq $8, ..
 *     cmpq $64, ..
 *     jl
 *     vzeroupper
 *     retq
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "engine/cpu/native/emit/emit.h"
#include "engine/cpu/native/link.h"

/* What explicit vectors need: common subexpressions are computed once, and loop invariants outside
 * the loop. Instruction selection does the rest. Longer pipelines take more time than it does, and
 * gain nothing measurable */
#define PASSES "function(early-cse,loop-mssa(licm))"
/* routines also need their variables in memory moved to registers */
#define ROUTINE_PASSES \
	"always-inline,function(sroa,early-cse<memssa>,simplifycfg,instcombine<no-verify-" \
	"fixpoint>,sroa,gvn,loop-mssa(licm),instcombine<no-verify-fixpoint>,dse,simplifycfg)"

static struct shared {
	pthread_mutex_t lock;
	bool ready;
	int max_bytes;
	char *cpu, *features, *triple;
	char *narrow[2]; /* features without AVX-512, and without AVX2 too */
	LLVMTargetRef target;
	struct machine *machines; /* that nobody uses */
	atomic_ullong serial;
} shared = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool succeeded(LLVMErrorRef failure, char *error, size_t n)
{
	if (!failure) return true;
	char *text = LLVMGetErrorMessage(failure);
	refuse(error, n, text);
	LLVMDisposeErrorMessage(text);
	return false;
}

/* ---- start */

static bool memory_may_run(void)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *p = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED) return false;
	const bool may = mprotect(p, page, PROT_READ | PROT_EXEC) == 0;
	munmap(p, page);
	return may;
}

static bool has(const char *features, const char *one)
{
	const char *at = strstr(features, one);

	return at && (at[strlen(one)] == ',' || !at[strlen(one)]);
}

/* the features, followed by `less`, which takes some of them back */
static char *features_but(const char *less)
{
	const size_t n = strlen(shared.features) + strlen(less) + 1;
	char *text = malloc(n);

	if (text) snprintf(text, n, "%s%s", shared.features, less);
	return text;
}

/* vectors of 64 bytes are AVX-512's, of 32 AVX2's, of 16 AVX's */
static const char *features_for(int max_bytes)
{
	return max_bytes == 64 ? shared.features : shared.narrow[max_bytes < 32];
}

static bool processor_find(char *error, size_t n)
{
	char *text = NULL;

	LLVMInitializeX86TargetInfo();
	LLVMInitializeX86Target();
	LLVMInitializeX86TargetMC();
	LLVMInitializeX86AsmPrinter();
	shared.triple = LLVMGetDefaultTargetTriple();
	shared.cpu = LLVMGetHostCPUName();
	shared.features = LLVMGetHostCPUFeatures();
	if (LLVMGetTargetFromTriple(shared.triple, &shared.target, &text)) {
		refuse(error, n, text);
		LLVMDisposeMessage(text);
		return false;
	}
	if (instructions_here() < 32 || !has(shared.features, "+f16c"))
		return refuse(error, n, "the processor has not all of AVX2, FMA and F16C");
	shared.max_bytes = instructions_chosen();
	shared.narrow[0] = features_but(",-avx512f");
	shared.narrow[1] = features_but(",-avx512f,-avx2");
	return (shared.narrow[0] && shared.narrow[1]) || refuse(error, n, "out of memory");
}

typedef struct starting {
	char *error;
	size_t n;
} starting;

static bool start(void *of)
{
	const starting *s = of;

	pthread_mutex_lock(&shared.lock);
	if (!shared.ready && !memory_may_run())
		refuse(s->error, s->n, "this process may not make memory executable");
	else if (!shared.ready)
		shared.ready = processor_find(s->error, s->n) && link_start(s->error, s->n);
	const bool ready = shared.ready;
	pthread_mutex_unlock(&shared.lock);
	return ready;
}

bool jit_keep_to(int bytes)
{
	bool ok = instructions_chosen() <= bytes;

	if (ok) return true;
	pthread_mutex_lock(&shared.lock);
	if (!shared.ready) {
		instructions_lower(bytes);
		ok = true;
#ifdef TSR_OPENBLAS
		ok = blas_choose();
#endif
	}
	pthread_mutex_unlock(&shared.lock);
	return ok;
}

bool jit_start(int *max_bytes, char *error, size_t n)
{
	if (!gate_visit(start, &(starting){error, n}, error, n)) return false;
	*max_bytes = shared.max_bytes;
	return true;
}

/* ---- target machines: one per thread, kept for the next one that compiles */

typedef struct machine {
	struct machine *next;
	LLVMTargetMachineRef target;
} machine;

static machine *machine_take(void)
{
	pthread_mutex_lock(&shared.lock);
	machine *m = shared.machines;
	if (m) shared.machines = m->next;
	pthread_mutex_unlock(&shared.lock);
	if (m || !(m = calloc(1, sizeof *m))) return m;
	m->target = LLVMCreateTargetMachine(shared.target, shared.triple, shared.cpu,
	                                    features_for(shared.max_bytes), LLVMCodeGenLevelDefault,
	                                    LLVMRelocPIC, LLVMCodeModelDefault);
	return m;
}

static void machine_give(machine *m)
{
	pthread_mutex_lock(&shared.lock);
	m->next = shared.machines;
	shared.machines = m;
	pthread_mutex_unlock(&shared.lock);
}

/* ---- one object */

static void attributes(LLVMValueRef fn, jit_options o)
{
	char width[16];

	snprintf(width, sizeof width, "%d", 8 * o.max_bytes);
	llvm_note(fn, "target-cpu", shared.cpu);
	llvm_note(fn, "target-features", features_for(o.max_bytes));
	llvm_note(fn, "prefer-vector-width", width);
	llvm_note(fn, "min-legal-vector-width", width);
	llvm_flag(fn, "nounwind");
	if (o.sanitize) llvm_flag(fn, "sanitize_address");
}

/* The sanitizer's pass adds a constructor, which nobody needs: the host has started the sanitizer,
 * and there are no globals to register */
static void drop_constructors(LLVMModuleRef m)
{
	static const char *const lists[] = {"llvm.global_ctors", "llvm.global_dtors"};
	static const char *const functions[] = {"asan.module_ctor", "asan.module_dtor"};

	for (int i = 0; i < 2; i++) {
		const LLVMValueRef list = LLVMGetNamedGlobal(m, lists[i]);
		if (list) LLVMDeleteGlobal(list);
		const LLVMValueRef fn = LLVMGetNamedFunction(m, functions[i]);
		if (fn) LLVMDeleteFunction(fn);
	}
}

static bool optimize(LLVMModuleRef m, const machine *with, const char *passes, char *error,
                     size_t n)
{
	const LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
	const LLVMErrorRef failure = LLVMRunPasses(m, passes, with->target, options);

	LLVMDisposePassBuilderOptions(options);
	return succeeded(failure, error, n);
}

static LLVMMemoryBufferRef object_of(LLVMModuleRef m, const machine *with, const char *passes,
                                     jit_options o, char *error, size_t n)
{
	LLVMMemoryBufferRef object = NULL;
	char *text = NULL;

	if (!optimize(m, with, passes, error, n) ||
	    (o.sanitize && !optimize(m, with, "asan", error, n)))
		return NULL;
	if (o.sanitize) drop_constructors(m);
	if (!LLVMTargetMachineEmitToMemoryBuffer(with->target, m, LLVMObjectFile, &text, &object))
		return object;
	refuse(error, n, text);
	LLVMDisposeMessage(text);
	return NULL;
}

/* ---- several kernels, or a routine, as one object */

typedef struct compilation {
	const kernel *const *k;
	const native_window *window;   /* NULL: none is an epilogue */
	const native_routine *routine; /* NULL: kernels */
	int count;
	jit_options options;
	jit_code *code;
	unsigned long long serial; /* number of the first kernel (link_name) */
	char *error;
	size_t n;
	linked *to;
} compilation;

static bool emit_one(const compilation *c, LLVMModuleRef m, int i)
{
	char name[32];
	pool p = {NULL, NULL, 0};
	nest s;

	link_name(c->serial + (unsigned)i, name);
	const bool done = nest_make(&s, c->k[i], c->window ? c->window + i : NULL, &p,
	                            c->options.max_bytes) &&
	                  emit_kernel(m, &s, name, c->options.max_bytes, c->options.cache, &p);
	c->code[i].items = s.items;
	c->code[i].cut = s.cut;
	pool_free(&p);
	return done || refuse(c->error, c->n, "out of memory");
}

static bool emit_the_routine(const compilation *c, LLVMModuleRef m)
{
	char name[32];
	pool p = {NULL, NULL, 0};

	link_name(c->serial, name);
	const bool done = emit_routine(m, c->routine, name, c->options.max_bytes, &p);
	c->code->items = 1;
	c->code->cut = 0;
	pool_free(&p);
	return done || refuse(c->error, c->n, "out of memory");
}

static bool emit_content(const compilation *c, LLVMModuleRef m)
{
	bool done = true;

	if (c->routine)
		done = emit_the_routine(c, m);
	else
		for (int i = 0; done && i < c->count; i++) done = emit_one(c, m, i);
	for (LLVMValueRef fn = LLVMGetFirstFunction(m); fn; fn = LLVMGetNextFunction(fn))
		if (!LLVMIsDeclaration(fn)) attributes(fn, c->options);
	return done;
}

/* LLVM must only get valid code: from any other it makes code with undefined behaviour, or crashes
 */
static bool is_valid(LLVMModuleRef m, char *error, size_t n)
{
	char *why = NULL;
	const bool valid = !LLVMVerifyModule(m, LLVMReturnStatusAction, &why);

	if (!valid) refuse(error, n, why);
	LLVMDisposeMessage(why);
	assert(valid);
	return valid;
}

static void hear(LLVMDiagnosticInfoRef info, void *of)
{
	heard *h = of;

	if (LLVMGetDiagInfoSeverity(info) != LLVMDSError || h->any) return;
	char *text = LLVMGetDiagInfoDescription(info);
	h->any = true;
	refuse(h->error, h->n, text);
	LLVMDisposeMessage(text);
}

static LLVMMemoryBufferRef emit_kernels(const compilation *c, const machine *with)
{
	const LLVMContextRef context = LLVMContextCreate();
	const LLVMModuleRef m = LLVMModuleCreateWithNameInContext("kernels", context);
	const LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(with->target);
	LLVMMemoryBufferRef object = NULL;
	heard errors = {.error = c->error, .n = c->n};

	LLVMContextSetDiagnosticHandler(context, hear, &errors);
	LLVMSetTarget(m, shared.triple);
	LLVMSetModuleDataLayout(m, layout);
	LLVMDisposeTargetData(layout);
	if (emit_content(c, m) && is_valid(m, c->error, c->n))
		object = object_of(m, with, c->routine ? ROUTINE_PASSES : PASSES, c->options,
		                   c->error, c->n);
	if (object && errors.any) {
		LLVMDisposeMemoryBuffer(object);
		object = NULL;
	}
	LLVMDisposeModule(m);
	LLVMContextDispose(context);
	return object;
}

/* Code that reports accesses is made by one thread at a time. By two at once LLVM crashed in one of
 * ten runs of engine.worth, in uses of instructions that had no user any more, also where its
 * sanitizer pass alone ran by itself; without that pass it never did */
static LLVMMemoryBufferRef emit_in_turn(const compilation *c, const machine *with)
{
	static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

	if (!c->options.sanitize) return emit_kernels(c, with);
	pthread_mutex_lock(&turn);
	const LLVMMemoryBufferRef object = emit_kernels(c, with);
	pthread_mutex_unlock(&turn);
	return object;
}

static bool compile_and_link(void *of)
{
	const compilation *c = of;
	machine *with = machine_take();

	if (!with) return refuse(c->error, c->n, "out of memory");
	const LLVMMemoryBufferRef object = emit_in_turn(c, with);
	machine_give(with);
	return object && link_object(object, c->to, c->serial, c->count, c->code, c->error, c->n);
}

static bool compile_all(compilation *c)
{
	c->to = calloc(1, sizeof *c->to);
	if (!c->to) return refuse(c->error, c->n, "out of memory");
	atomic_init(&c->to->kernels, c->count);
	if (gate_visit(compile_and_link, c, c->error, c->n)) return true;
	free(c->to);
	return false;
}

static unsigned long long serials(int n) { return atomic_fetch_add(&shared.serial, (unsigned)n); }

bool jit_compile(const kernel *const *k, const native_window *window, int count, jit_options o,
                 jit_code *code, char *error, size_t n)
{
	return compile_all(
		&(compilation){k, window, NULL, count, o, code, serials(count), error, n, NULL});
}

bool jit_takes_windows(const kernel *k, const native_window *window, jit_options o)
{
	pool p = {NULL, NULL, 0};
	nest s;
	const bool takes = nest_make(&s, k, window, &p, o.max_bytes) && nest_takes_windows(&s);

	pool_free(&p);
	return takes;
}

bool jit_compile_routine(const native_routine *r, jit_options o, jit_code *code, char *error,
                         size_t n)
{
	return compile_all(&(compilation){NULL, NULL, r, 1, o, code, serials(1), error, n, NULL});
}

static bool take_out(void *of)
{
	unlink_object(of);
	return true;
}

void jit_drop(void *of)
{
	linked *l = of;
	char error[64];

	if (atomic_fetch_sub(&l->kernels, 1) > 1) return;
	gate_visit(take_out, l, error, sizeof error);
	free(l);
}
