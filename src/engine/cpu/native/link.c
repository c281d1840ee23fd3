/* link.c - objects linked into the process, and taken out of it again.
 *
 * There is one session of LLVM's linker, which stays until the process ends. Code may call the
 * functions of symbols.c, and those of the address sanitizer, and nothing else. */
#include <string.h>
#include <unistd.h>
#include "engine/cpu/native/emit/emit.h"
#include "engine/cpu/native/link.h"

static struct session {
	LLVMOrcLLJITRef jit;
	LLVMOrcJITDylibRef library;
} session;

/* ---- errors. The session is told why an object cannot be linked; whoever then looks up one of
 * its symbols is told no more than that it is not there */

/* what this thread is linking for; NULL: nothing */
static _Thread_local __attribute__((tls_model("initial-exec"))) heard *linking;

static bool succeeded(LLVMErrorRef failure, heard *h)
{
	if (!failure) return true;
	char *text = LLVMGetErrorMessage(failure);
	if (!h->any) snprintf(h->error, h->n, "LLVM's linker: %s", text);
	h->any = true;
	LLVMDisposeErrorMessage(text);
	return false;
}

static void hear(void *nothing, LLVMErrorRef failure)
{
	(void)nothing;
	if (linking)
		succeeded(failure, linking);
	else
		LLVMConsumeError(failure);
}

/* ---- start */

static bool define_symbols(heard *h)
{
	LLVMOrcCSymbolMapPair pairs[MOST_SYMBOLS];
	const LLVMOrcExecutionSessionRef of = LLVMOrcLLJITGetExecutionSession(session.jit);
	const int count = symbols_count();

	for (int i = 0; i < count; i++) {
		const char *name = symbol_name(i);
		pairs[i].Name = LLVMOrcExecutionSessionIntern(of, name);
		pairs[i].Sym.Address = (LLVMOrcExecutorAddress)(uintptr_t)symbol_address(i);
		pairs[i].Sym.Flags = (LLVMJITSymbolFlags){
			LLVMJITSymbolGenericFlagsExported | LLVMJITSymbolGenericFlagsCallable, 0};
	}
	const LLVMOrcMaterializationUnitRef symbols = LLVMOrcAbsoluteSymbols(pairs, (size_t)count);
	return succeeded(LLVMOrcJITDylibDefine(session.library, symbols), h);
}

static int is_of_sanitizer(void *nothing, LLVMOrcSymbolStringPoolEntryRef name)
{
	(void)nothing;
	return strncmp(LLVMOrcSymbolStringPoolEntryStr(name), "__asan_", 7) == 0;
}

bool link_start(char *error, size_t n)
{
	LLVMOrcDefinitionGeneratorRef of_process;
	heard h = {.error = error, .n = n};

	if (!succeeded(LLVMOrcCreateLLJIT(&session.jit, NULL), &h)) return false;
	session.library = LLVMOrcLLJITGetMainJITDylib(session.jit);
	LLVMOrcExecutionSessionSetErrorReporter(LLVMOrcLLJITGetExecutionSession(session.jit), hear,
	                                        NULL);
	if (!define_symbols(&h)) return false;
	if (!succeeded(LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(&of_process, 0,
	                                                                    is_of_sanitizer, NULL),
	               &h))
		return false;
	LLVMOrcJITDylibAddGenerator(session.library, of_process);
	return true;
}

/* ---- objects */

void link_name(unsigned long long number, char name[32])
{
	snprintf(name, 32, "kernel_%llu", number);
}

static bool add_object(LLVMMemoryBufferRef object, linked *to, heard *h)
{
	to->tracker = LLVMOrcJITDylibCreateResourceTracker(session.library);
	if (succeeded(LLVMOrcLLJITAddObjectFileWithRT(session.jit, to->tracker, object), h))
		return true;
	LLVMOrcReleaseResourceTracker(to->tracker);
	return false;
}

/* Estimate of what an object takes: its code, its constants and its unwinding tables each begin on
 * a page, and LLVM's records of it are about as large as the file */
static size_t bytes_of(LLVMMemoryBufferRef object)
{
	return 3 * (size_t)sysconf(_SC_PAGESIZE) + 2 * LLVMGetBufferSize(object);
}

static bool find_all(linked *in, unsigned long long first, int count, jit_code *code, heard *h)
{
	char name[32];

	for (int i = 0; i < count; i++) {
		LLVMOrcExecutorAddress address;
		link_name(first + (unsigned)i, name);
		if (!succeeded(LLVMOrcLLJITLookup(session.jit, &address, name), h)) return false;
		code[i].run = (native_run *)(uintptr_t)address;
		code[i].linked = in;
	}
	return true;
}

bool link_object(LLVMMemoryBufferRef object, linked *to, unsigned long long first, int count,
                 jit_code *code, char *error, size_t n)
{
	heard h = {.error = error, .n = n};

	for (int i = 0; i < count; i++) code[i].bytes = bytes_of(object) / (size_t)count;
	linking = &h;
	const bool added = add_object(object, to, &h);
	const bool found = added && find_all(to, first, count, code, &h);
	if (added && !found) unlink_object(to);
	linking = NULL;
	return found;
}

void unlink_object(const linked *from)
{
	linking = NULL; /* where LLVM was left, it is still set */
	const LLVMErrorRef failure = LLVMOrcResourceTrackerRemove(from->tracker);

	if (failure) LLVMConsumeError(failure);
	LLVMOrcReleaseResourceTracker(from->tracker);
}
