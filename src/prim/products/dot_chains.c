/* dot_chains.c - computes chains of fused steps, many results side by side, for each size of
 * vectors. Each chain is a result of its own, so the numbers are the same whatever the size. */
#include <float.h>
#include <math.h>
#include "prim/products/dot.h"
#include "prim/dtypes.h"

enum { PAIRS = 0 }; /* in place of a dtype in the tables */

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

/* The step of a pair (docs/numerics.md, "Pairs"). fmaf rounds what is less than FLT_MIN to fewer
 * digits, and may give FLT_MIN of what is a little less. So it is compared by its exact sign with
 * what all 24 digits round up from: no larger c than that of 48 more digits leaves as little */
#define NONE(x) (fabsf(x) < FLT_MIN ? copysignf(0, x) : (x))
#define PAIR_STEP(a, b, c) pair_step(NONE(a), NONE(b), c)
static inline float pair_step(float a, float b, float c)
{
	const double border = 0x1p-126 - 0x1p-151;
	const float sum = __builtin_fmaf(a, b, c);

	if (!(fabsf(sum) <= FLT_MIN)) return sum;
	const double above = __builtin_fma(a, b, c - copysign(border, (double)sum));
	return (sum > 0 ? above >= 0 : above <= 0) ? sum : copysignf(0, sum);
}

#define TARGET
#define OF(name) name##_any
#include "prim/products/dot_chains.h"

#if defined __x86_64__
#define TARGET TARGET_OF("fma")
#define OF(name) name##_16
#include "prim/products/dot_chains.h"
#define TARGET TARGET_OF("avx2,fma")
#define OF(name) name##_32
#include "prim/products/dot_chains.h"
#define TARGET TARGET_OF("avx512f,avx512vl,avx512bw,avx512dq,prefer-vector-width=512")
#define OF(name) name##_64
#include "prim/products/dot_chains.h"
#endif

dot_chains *dot_chains_of(tsr_dtype dtype, bool pairs, bool one)
{
	const int sum = pairs ? PAIRS : (int)dtype;

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
