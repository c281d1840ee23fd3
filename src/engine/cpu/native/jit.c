/* jit.c - from a kernel to code that can be called.
 *
 * Each compilation has a context of LLVM, a module and an object of its own, so any number of them
 * run side by side. The objects are linked into one process-wide session, from which each can be
 * taken out again. All of this stays until the process ends. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "engine/cpu/native/emit.h"
#include "engine/cpu/native/jit.h"

/* What explicit vectors want: common subexpressions, what does not change in a loop outside of it,
 * and little else */
#define PASSES "function(early-cse,loop-mssa(licm),instcombine<no-verify-fixpoint>)"
#define PASSES_SANITIZED PASSES ",asan"

static struct shared {
	pthread_mutex_t lock;
	bool ready;
	int max_bytes;
	char *cpu, *features, *triple;
	LLVMTargetRef target;
	LLVMOrcLLJITRef jit;
	LLVMOrcJITDylibRef library;
	struct machine *machines; /* that nobody uses */
	atomic_ullong serial;
} shared = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool refuse(char *error, size_t n, const char *why)
{
	snprintf(error, n, "%s", why);
	return false;
}

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
	const char *f = shared.features;
	if (!has(f, "+avx2") || !has(f, "+fma") || !has(f, "+f16c"))
		return refuse(error, n, "the processor has not all of AVX2, FMA and F16C");
	shared.max_bytes = has(f, "+avx512f") && has(f, "+avx512vl") && has(f, "+avx512bw") &&
	                                   has(f, "+avx512dq")
	                           ? 64
	                           : 32;
	return true;
}

static bool define_symbols(char *error, size_t n)
{
	LLVMOrcCSymbolMapPair pairs[MOST_SYMBOLS];
	const LLVMOrcExecutionSessionRef session = LLVMOrcLLJITGetExecutionSession(shared.jit);
	const int count = symbols_count();

	for (int i = 0; i < count; i++) {
		const char *name = symbol_name(i);
		pairs[i].Name = LLVMOrcExecutionSessionIntern(session, name);
		pairs[i].Sym.Address = (LLVMOrcExecutorAddress)(uintptr_t)symbol_address(i);
		pairs[i].Sym.Flags = (LLVMJITSymbolFlags){
			LLVMJITSymbolGenericFlagsExported | LLVMJITSymbolGenericFlagsCallable, 0};
	}
	const LLVMOrcMaterializationUnitRef unit = LLVMOrcAbsoluteSymbols(pairs, (size_t)count);
	return succeeded(LLVMOrcJITDylibDefine(shared.library, unit), error, n);
}

static int is_of_sanitizer(void *nothing, LLVMOrcSymbolStringPoolEntryRef name)
{
	(void)nothing;
	return strncmp(LLVMOrcSymbolStringPoolEntryStr(name), "__asan_", 7) == 0;
}

static bool session_open(char *error, size_t n)
{
	LLVMOrcDefinitionGeneratorRef of_process;

	if (!succeeded(LLVMOrcCreateLLJIT(&shared.jit, NULL), error, n)) return false;
	shared.library = LLVMOrcLLJITGetMainJITDylib(shared.jit);
	if (!define_symbols(error, n)) return false;
	if (!succeeded(LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(&of_process, 0,
	                                                                    is_of_sanitizer, NULL),
	               error, n))
		return false;
	LLVMOrcJITDylibAddGenerator(shared.library, of_process);
	return true;
}

bool jit_start(int *max_bytes, char *error, size_t n)
{
	pthread_mutex_lock(&shared.lock);
	if (!shared.ready && !memory_may_run())
		refuse(error, n, "this process may not make memory executable");
	else if (!shared.ready)
		shared.ready = processor_find(error, n) && session_open(error, n);
	const bool ready = shared.ready;
	*max_bytes = shared.max_bytes;
	pthread_mutex_unlock(&shared.lock);
	return ready;
}

/* ---- machines: one a thread, kept for the next */

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
	                                    shared.features, LLVMCodeGenLevelDefault, LLVMRelocPIC,
	                                    LLVMCodeModelDefault);
	return m;
}

static void machine_give(machine *m)
{
	pthread_mutex_lock(&shared.lock);
	m->next = shared.machines;
	shared.machines = m;
	pthread_mutex_unlock(&shared.lock);
}

/* ---- one kernel */

static void attributes(LLVMValueRef fn, jit_options o)
{
	char width[16];

	snprintf(width, sizeof width, "%d", 8 * o.max_bytes);
	llvm_note(fn, "target-cpu", shared.cpu);
	llvm_note(fn, "target-features", shared.features);
	llvm_note(fn, "prefer-vector-width", width);
	llvm_note(fn, "min-legal-vector-width", width);
	llvm_flag(fn, "nounwind");
	if (o.sanitize) llvm_flag(fn, "sanitize_address");
}

/* The sanitizer's pass adds a constructor: the host has started the sanitizer, and there are no
 * globals to tell it of */
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

static LLVMMemoryBufferRef object_of(LLVMModuleRef m, const machine *with, jit_options o,
                                     char *error, size_t n)
{
	LLVMMemoryBufferRef object = NULL;
	char *text = NULL;
	const LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
	const LLVMErrorRef failure =
		LLVMRunPasses(m, o.sanitize ? PASSES_SANITIZED : PASSES, with->target, options);

	LLVMDisposePassBuilderOptions(options);
	if (!succeeded(failure, error, n)) return NULL;
	if (o.sanitize) drop_constructors(m);
	if (!LLVMTargetMachineEmitToMemoryBuffer(with->target, m, LLVMObjectFile, &text, &object))
		return object;
	refuse(error, n, text);
	LLVMDisposeMessage(text);
	return NULL;
}

static bool link_object(LLVMMemoryBufferRef object, const char *name, jit_code *code, char *error,
                        size_t n)
{
	const LLVMOrcResourceTrackerRef tracker =
		LLVMOrcJITDylibCreateResourceTracker(shared.library);
	LLVMOrcExecutorAddress address;

	code->linked = tracker;
	if (succeeded(LLVMOrcLLJITAddObjectFileWithRT(shared.jit, tracker, object), error, n) &&
	    succeeded(LLVMOrcLLJITLookup(shared.jit, &address, name), error, n)) {
		code->run = (native_run *)(uintptr_t)address;
		return true;
	}
	jit_drop(tracker);
	return false;
}

static bool compile_nest(const nest *s, jit_options o, const machine *with, pool *p, jit_code *code,
                         char *error, size_t n)
{
	char name[32];
	const LLVMContextRef c = LLVMContextCreate();
	const LLVMModuleRef m = LLVMModuleCreateWithNameInContext("kernel", c);
	const LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(with->target);
	LLVMMemoryBufferRef object = NULL;

	snprintf(name, sizeof name, "kernel_%llu", atomic_fetch_add(&shared.serial, 1));
	LLVMSetTarget(m, shared.triple);
	LLVMSetModuleDataLayout(m, layout);
	LLVMDisposeTargetData(layout);
	if (emit_kernel(m, s, name, o.max_bytes, p)) {
		attributes(LLVMGetNamedFunction(m, name), o);
		object = object_of(m, with, o, error, n);
	} else {
		refuse(error, n, "out of memory");
	}
	LLVMDisposeModule(m);
	LLVMContextDispose(c);
	return object && link_object(object, name, code, error, n);
}

bool jit_compile(const kernel *k, jit_options o, jit_code *code, char *error, size_t n)
{
	pool p = {NULL, NULL, 0};
	machine *with = machine_take();
	nest s;
	bool done = false;

	if (with && nest_make(&s, k, &p, o.max_bytes)) {
		code->units = s.units;
		done = compile_nest(&s, o, with, &p, code, error, n);
	} else {
		refuse(error, n, "out of memory");
	}
	if (with) machine_give(with);
	pool_free(&p);
	return done;
}

void jit_drop(void *linked)
{
	const LLVMErrorRef failure = LLVMOrcResourceTrackerRemove(linked);

	if (failure) LLVMConsumeError(failure);
	LLVMOrcReleaseResourceTracker(linked);
}
