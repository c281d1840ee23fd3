/* llvm.h - the one place that knows LLVM: its C API, from version 19 on. */
#ifndef TSR_SRC_NATIVE_LLVM_H
#define TSR_SRC_NATIVE_LLVM_H
#include <stdbool.h>
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wstrict-prototypes"
#include <llvm-c/Analysis.h>
#include <llvm-c/Core.h>
#include <llvm-c/Error.h>
#include <llvm-c/ErrorHandling.h>
#include <llvm-c/LLJIT.h>
#include <llvm-c/Orc.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>
#pragma GCC diagnostic pop
#include <llvm/Config/llvm-config.h>
#if LLVM_VERSION_MAJOR < 19
#error "the CPU engine's plug-in needs LLVM 19 or newer"
#endif

/* a constant mask of n lanes: on[i] for lane i */
static inline LLVMValueRef llvm_lanes(LLVMContextRef context, const bool *on, int n)
{
	LLVMValueRef bits[64];

	for (int i = 0; i < n; i++)
		bits[i] = LLVMConstInt(LLVMInt1TypeInContext(context), on[i], 0);
	return LLVMConstVector(bits, (unsigned)n);
}

static inline void llvm_flag(LLVMValueRef fn, const char *name)
{
	const unsigned kind = LLVMGetEnumAttributeKindForName(name, __builtin_strlen(name));
	const LLVMContextRef c = LLVMGetModuleContext(LLVMGetGlobalParent(fn));

	LLVMAddAttributeAtIndex(fn, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
	                        LLVMCreateEnumAttribute(c, kind, 0));
}

static inline void llvm_note(LLVMValueRef fn, const char *name, const char *text)
{
	const LLVMContextRef c = LLVMGetModuleContext(LLVMGetGlobalParent(fn));

	LLVMAddAttributeAtIndex(fn, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
	                        LLVMCreateStringAttribute(c, name, (unsigned)__builtin_strlen(name),
	                                                  text, (unsigned)__builtin_strlen(text)));
}

static inline bool llvm_is_vector(LLVMValueRef value)
{
	return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMVectorTypeKind;
}

#endif
