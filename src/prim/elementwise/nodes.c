/* nodes.c - makes functions of one or two numbers as nodes: those of real ones that math.c has too,
 * with the same bits, and those that a dtype chooses. */
#include <math.h>
#include "prim/elementwise/nodes.h"

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

/* ---- by dtype */

kvar k_sqrt(kernel *k, kvar a)
{
	if (dtype_kind(k_dtype(k, a)) == KIND_COMPLEX) return k_sqrt_complex(k, a);
	return K1(SQRT, a);
}

kvar k_div(kernel *k, kvar a, kvar b)
{
	if (dtype_kind(k_dtype(k, a)) == KIND_COMPLEX) return k_div_complex(k, a, b);
	return K2(DIV, a, b);
}

static kvar extreme(kernel *k, kop op, kvar a, kvar b)
{
	if (dtype_kind(k_dtype(k, a)) == KIND_COMPLEX) return k_extreme_complex(k, op, a, b);
	return k_binary(k, op, a, b);
}

kvar k_max(kernel *k, kvar a, kvar b) { return extreme(k, K_MAX, a, b); }
kvar k_min(kernel *k, kvar a, kvar b) { return extreme(k, K_MIN, a, b); }

kvar k_abs(kernel *k, kvar a)
{
	if (dtype_kind(k_dtype(k, a)) == KIND_COMPLEX) return k_abs_complex(k, a);
	return K1(ABS, a);
}
