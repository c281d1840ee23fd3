/* math.c - computes the scalar elementary functions, in C and as nodes of a kernel: the same bits
 * on every machine, at every vector width.
 *
 * Those of real numbers are written in math_real.h and its kin with multiplies, fma, basic
 * operations and selects alone, and included here once for each dtype of C and once for kernels,
 * which have them without a call. sin and cos of large numbers and the other functions of two
 * numbers are SLEEF's deterministic family (finz: fused multiply-add, the same for one lane and for
 * sixteen). */
#include <math.h>
#include "prim/elementwise/nodes.h"
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
#undef MOST_BY
#undef POWER

/* ---- as nodes */

static kvar power_of(kernel *, kvar x, kvar by);

#define WORDS_NODES
#define WIDE
#define MOST_BY (k_dtype(k, x) == TSR_F64 ? form_f64.most : form_pow.most)
#define POWER(x, by) power_of(k, x, by)
#include "prim/elementwise/words.h"
#include "prim/elementwise/math_real.h"
#include "prim/elementwise/erf_inv_real.h"
#include "prim/elementwise/hyperbolic_real.h"
#include "prim/elementwise/words_end.h"

static kvar power_of(kernel *k, kvar x, kvar by)
{
	if (k_dtype(k, x) == TSR_F64) return k_power_long(k, x, by);
	const kvar size = k_convert(k, x, TSR_F64), wide = k_convert(k, by, TSR_F64);
	return k_convert(k, k_power_short(k, size, wide), TSR_F32);
}
