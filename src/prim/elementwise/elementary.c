/* elementary.c - defines elementwise rows of elementary functions; docs/numerics.md has the formula
 * of each one. The formulas of the tangents are JAX's (jax/_src/lax/lax.py).
 *
 *     exp [0 1 -inf]             gives  [1 2.71828 0]
 *     exp2 [3 -1]                gives  [8 0.5]
 *     expm1 1e-10                gives  1.000e-10
 *     log [2 0 -1]               gives  [0.69315 -inf nan]
 *     log1p 1e-10                gives  1.000e-10
 *     logistic [0 2]             gives  [0.5 0.88080]
 *     tanh [0.5 inf]             gives  [0.46212 1]
 *     sin [1 inf]                gives  [0.84147 nan]
 *     cos 1                      gives  0.54030
 *     sqrt [2 -0 -1]             gives  [1.41421 -0 nan]
 *     sqrt -4+0i                 gives  0+2.0i
 *     rsqrt [4 0]                gives  [0.5 inf]
 *     erf_inv [0 0.5 0.999 1]    gives  [0 0.47694 2.3268 inf] */
#include <math.h>
#include "prim/elementary/pairs.h"

#define OF(f, a) _Generic((a), float : f##_f32, double : f##_f64)(a)

static float sqrt_f32(float a) { return sqrtf(a); }
static double sqrt_f64(double a) { return sqrt(a); }

INEXACT_ROW(exp, "e to the power x", 6, MUL(dx, ans), k_exp(k, a), OF(exp, a))
INEXACT_ROW(exp2, "2 to the power x", 6, MUL(NUM(M_LN2), MUL(dx, ans)), k_exp2(k, a),
            OF(exp2, a))
INEXACT_ROW(expm1, "e to the power x, minus 1, exact near 0", 10, MUL(dx, ADD(ans, NUM(1))),
            k_expm1(k, a), OF(expm1, a))
INEXACT_ROW(log, "natural logarithm of x", 14, DIV(dx, x), k_log(k, a), OF(log, a))
INEXACT_ROW(log1p, "natural logarithm of 1 + x, exact near 0", 17, DIV(dx, ADD(x, NUM(1))),
            k_log1p(k, a), OF(log1p, a))
INEXACT_ROW(logistic, "1 / (1 + e to the power -x)", 10, MUL(dx, MUL(ans, SUB(NUM(1), ans))),
            k_logistic(k, a), OF(logistic, a))
INEXACT_ROW(tanh, "hyperbolic tangent of x", 10, MUL(ADD(dx, MUL(dx, ans)), SUB(NUM(1), ans)),
            k_tanh(k, a), OF(tanh, a))
INEXACT_ROW(sin, "sine of x", 12, MUL(dx, OF_1(cos, x)), k_sin(k, a), OF(sin, a))
INEXACT_ROW(cos, "cosine of x", 12, NEG(MUL(dx, OF_1(sin, x))), k_cos(k, a), OF(cos, a))

UNARY_RULES(sqrt, INEXACT, MUL(dx, DIV(NUM(0.5), ans)), k_sqrt(k, a),
            _Generic((a), float
                     : sqrt_f32, double
                     : sqrt_f64, c64
                     : sqrt_c64, c128
                     : sqrt_c128)(a))

static var sqrt_in_steps(build *b, const eqn *e, const var *in)
{
	(void)e;
	return by_c128(b, in[0], complex_sqrt_steps);
}

const tsr_prim tsr__prim_sqrt = {ELEMENTWISE(sqrt, "square root of x", 3, 1),
                                 .steps = sqrt_in_steps, SLOPE(sqrt)};

EXPANDED_ROW(rsqrt, "1 / square root of x", INEXACT, MUL(dx, MUL(NUM(-0.5), DIV(ans, x))),
             is_complex(b, x) ? by_c128(b, x, rsqrt_complex) : DIV(NUM(1), OF_1(sqrt, x)))
/* the material of normal random numbers, with JAX's bits of f32 (erf_inv_real.h). The slope is
 * sqrt(pi) / 2 e^(y^2) with y the result */
FLOAT_ROW(erf_inv, "the number whose error function is x", 50,
          MUL(NUM(0.88622692545275801365), MUL(dx, OF_1(exp, OF_1(square, ans)))),
          k_erf_inv(k, a), OF(erf_inv, a))
