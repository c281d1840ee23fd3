/* math.c - computes the scalar elementary functions: the same bits on every machine, at every
 * vector width.
 *
 * Those of real numbers are written in math_real.h with multiplies, fma, basic operations and
 * selects alone, so that kernels have them without a call. sin and cos of large numbers and the
 * other functions of two numbers are SLEEF's deterministic family (finz: fused multiply-add, the
 * same for one lane and for sixteen). */
#include <math.h>
#include "kernel/kernel.h"
#include "prim/prim.h"

bool math_works_here(void)
{
#if defined __x86_64__
	return __builtin_cpu_supports("fma");
#else
	return true;
#endif
}

double hypot_f64(double x, double y) { return kfn_f64(KFN_HYPOT, (double[]){x, y}); }

#define WORDS_F64
#define WIDE
#define MOST_BY form_f64.most
#define POWER(x, by) power_long_f64(x, by)
#include "prim/elementwise/words.h"
#include "prim/elementwise/math_real.h"
#include "prim/elementwise/erf_inv_real.h"
#include "prim/elementwise/hyperbolic_real.h"
#include "prim/elementwise/words_end.h"
#undef WIDE
#undef MOST_BY
#undef POWER

#define WORDS_F32
#define MOST_BY form_pow.most
#define POWER(x, by) ((float)power_short_f64((double)(x), (double)(by)))
#include "prim/elementwise/words.h"
#include "prim/elementwise/math_real.h"
#include "prim/elementwise/erf_inv_real.h"
#include "prim/elementwise/hyperbolic_real.h"
#include "prim/elementwise/words_end.h"
