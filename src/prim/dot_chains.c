/* dot_chains.c - computes chains of fused steps, many results side by side, for each size of
 * vectors. Each chain is a result of its own, so the numbers are the same whatever the size. */
#include "prim/dot.h"
#include "prim/dtypes.h"

#if defined __x86_64__
#define TARGET_OF(set) __attribute__((target(set)))
#else
#define TARGET_OF(set)
#endif

/* each part in two fused steps: re + ar br, then - ai bi; im + ar bi, then + ai br */
#define FUSED(real_, suffix_, a, b, sum) \
	__builtin_complex(__builtin_fma##suffix_(-__imag__(a), __imag__(b), \
	                                         __builtin_fma##suffix_(__real__(a), __real__(b), \
	                                                                __real__(sum))), \
	                  __builtin_fma##suffix_(__imag__(a), __real__(b), \
	                                         __builtin_fma##suffix_(__real__(a), __imag__(b), \
	                                                                __imag__(sum))))
#define FMA_C64(a, b, sum) FUSED(float, f, a, b, sum)
#define FMA_C128(a, b, sum) FUSED(double, , a, b, sum)
#define MULTIPLY_ADD(a, b, sum) ((sum) + (a) * (b))

#define TARGET
#define OF(name) name##_any
#include "prim/dot_chains.h"

#if defined __x86_64__
#define TARGET TARGET_OF("fma")
#define OF(name) name##_16
#include "prim/dot_chains.h"
#define TARGET TARGET_OF("avx2,fma")
#define OF(name) name##_32
#include "prim/dot_chains.h"
#define TARGET TARGET_OF("avx512f,avx512vl,avx512bw,avx512dq,prefer-vector-width=512")
#define OF(name) name##_64
#include "prim/dot_chains.h"
#endif

dot_chains *dot_chains_of(tsr_dtype sum, bool one)
{
#if defined __x86_64__
	switch (instructions_chosen()) {
	case 64: return chains_64[sum][one];
	case 32: return chains_32[sum][one];
	case 16: return chains_16[sum][one];
	default: break;
	}
#endif
	return chains_any[sum][one];
}
