/* link.h - objects of machine code, linked into this process by one instance of LLVM's linker. */
#ifndef TSR_SRC_NATIVE_LINK_H
#define TSR_SRC_NATIVE_LINK_H
#include <stdatomic.h>
#include <stdio.h>
#include "engine/cpu/native/jit.h"
#include "engine/cpu/native/llvm.h"

/* the first error of several goes to the text */
typedef struct heard {
	char *error;
	size_t n;
	bool any;
} heard;

/* code of one object, taken out of the process when its last kernel goes */
typedef struct linked {
	LLVMOrcResourceTrackerRef tracker;
	atomic_int kernels;
} linked;

static inline bool refuse(char *error, size_t n, const char *why)
{
	snprintf(error, n, "%s", why);
	return false;
}

bool link_start(char *error, size_t n); /* once, before all others */
/* the name of function number `number`; numbers are never used again */
void link_name(unsigned long long number, char name[32]);
/* links an object, which it takes, with the functions first .. first + count - 1: their addresses
 * go to code */
bool link_object(LLVMMemoryBufferRef object, linked *to, unsigned long long first, int count,
                 jit_code *code, char *error, size_t n);
void unlink_object(const linked *);

#endif
