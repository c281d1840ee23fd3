/* elementary.c - elementwise rows of elementary functions; docs/numerics.md says which formula each
 * one is. */
#include <math.h>
#include "prim/local.h"

#define OF(f, a) _Generic((a), float: f##_f32, double: f##_f64, c64: f##_c64, c128: f##_c128)(a)

static float sqrt_f32(float a) { return sqrtf(a); }
static double sqrt_f64(double a) { return sqrt(a); }

UNARY_ROW(exp, "e to the power x", INEXACT, OF(exp, a))
UNARY_ROW(exp2, "2 to the power x", INEXACT, OF(exp2, a))
UNARY_ROW(expm1, "e to the power x, minus 1, exact near 0", INEXACT, OF(expm1, a))
UNARY_ROW(log, "natural logarithm of x", INEXACT, OF(log, a))
UNARY_ROW(log1p, "natural logarithm of 1 + x, exact near 0", INEXACT, OF(log1p, a))
UNARY_ROW(logistic, "1 / (1 + e to the power -x)", INEXACT, OF(logistic, a))
UNARY_ROW(tanh, "hyperbolic tangent of x", INEXACT, OF(tanh, a))
UNARY_ROW(sin, "sine of x", INEXACT, OF(sin, a))
UNARY_ROW(cos, "cosine of x", INEXACT, OF(cos, a))
UNARY_ROW(sqrt, "square root of x", INEXACT, OF(sqrt, a))
UNARY_ROW(rsqrt, "1 / square root of x", INEXACT, OF(rsqrt, a))
