/* math.c - the scalar elementary functions: the same bits on every machine, at every vector width.
 *
 * Those of real numbers are written in math_real.h with multiplies, fma, basic operations and
 * selects alone, so that a kernel repeats them without a call. sin and cos of large numbers, pow
 * and the functions of two numbers are SLEEF's deterministic family (finz: fused multiply-add, the
 * same for one lane and for sixteen). */
#include <math.h>
#include "kernel/kernel.h"
#include "prim/prim.h"
#include "prim/series.h"

bool math_works_here(void)
{
#if defined __x86_64__
	return __builtin_cpu_supports("fma");
#else
	return true;
#endif
}

float rsqrt_f32(float x) { return 1 / sqrtf(x); }
double rsqrt_f64(double x) { return 1 / sqrt(x); }

#define REAL float
#define BITS uint32_t
#define FUSED fmaf
#define COPYSIGN copysignf
#define OF(name) name##_f32
#include "prim/math_real.h"
#undef REAL
#undef BITS
#undef FUSED
#undef COPYSIGN
#undef OF

#define REAL double
#define BITS uint64_t
#define FUSED fma
#define COPYSIGN copysign
#define OF(name) name##_f64
#include "prim/math_real.h"
