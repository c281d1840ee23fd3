/* sleef.c - elementwise rows of the elementary functions that, of real numbers, are SLEEF's
 * (kernel/functions.def); complex_functions.c has those of complex ones. The formulas of the
 * tangents are JAX's (jax/_src/lax/lax.py).
 *
 *     tan 1          gives  1.55741
 *     asin 0.5       gives  0.52360
 *     acos 0.5       gives  1.04720
 *     atan 1         gives  0.78540
 *     atan2 [1 -0] [-1 -1]    gives  [2.35619 -3.14159]
 *     sinh 1         gives  1.17520
 *     cosh 1         gives  1.54308
 *     asinh 1        gives  0.88137
 *     acosh 2        gives  1.31696
 *     atanh 0.5      gives  0.54931
 *     cbrt -8        gives  -2.0
 *     erf 0.5        gives  0.52050
 *     erfc 0.5       gives  0.47950 */
#include <math.h>
#include "prim/elementary/pairs.h"

static float one_f32(kfn f, float x) { return kfn_f32(f, &x); }
static double one_f64(kfn f, double x) { return kfn_f64(f, &x); }
static float two_f32(kfn f, float x, float y) { return kfn_f32(f, (float[]){x, y}); }
static double two_f64(kfn f, double x, double y) { return kfn_f64(f, (double[]){x, y}); }

#define SLEEF_1(NAME, a) _Generic((a), float : one_f32, double : one_f64)(KFN_##NAME, a)
#define SLEEF_2(NAME, a, b) _Generic((a), float : two_f32, double : two_f64)(KFN_##NAME, a, b)

#define SLEEF_REAL_ROW(prim, NAME, doc, cost, tangent) \
	FLOAT_ROW(prim, doc, cost, tangent, k_call(k, KFN_##NAME, &a, 1), SLEEF_1(NAME, a))
/* of real and of complex numbers */
#define SLEEF_ROW(prim, NAME, doc, cost, tangent) \
	INEXACT_ROW(prim, doc, cost, tangent, k_call(k, KFN_##NAME, &a, 1), SLEEF_1(NAME, a))
#define REAL_OF(prim, a) _Generic((a), float : prim##_f32, double : prim##_f64)(a)

/* ---- circular functions and their inverses */

/* 1 - x^2, 1 + x^2 */
static var one_less_square(build *b, var x) { return SUB(NUM(1), OF_1(square, x)); }
static var one_and_square(build *b, var x) { return ADD(NUM(1), OF_1(square, x)); }

SLEEF_ROW(tan, TAN, "tangent of x", 30, MUL(dx, one_and_square(b, ans)))
SLEEF_ROW(asin, ASIN, "the angle between -pi/2 and pi/2 whose sine is x", 20,
          MUL(dx, OF_1(rsqrt, one_less_square(b, x))))
SLEEF_ROW(acos, ACOS, "the angle between 0 and pi whose cosine is x", 20,
          NEG(MUL(dx, OF_1(rsqrt, one_less_square(b, x)))))
SLEEF_ROW(atan, ATAN, "the angle between -pi/2 and pi/2 whose tangent is x", 20,
          DIV(dx, one_and_square(b, x)))

/* x^2 + y^2, where one of them may be a scalar */
static var length_square(build *b, var x, var y, var ans)
{
	return ADD(emit_spread(b, OF_1(square, x), ans), emit_spread(b, OF_1(square, y), ans));
}

/* (dx y - dy x) / (x^2 + y^2) */
BINARY_RULES(atan2, FLOAT, DIV(SUB(MUL(dx, y), MUL(dy, x)), length_square(b, x, y, ans)),
             k_call(k, KFN_ATAN2, (kvar[]){a, b}, 2), SLEEF_2(ATAN2, a, b))

IN_STEPS_2(atan2)
const tsr_prim tsr__prim_atan2 = {
	ELEMENTWISE(atan2,
	            "the angle between -pi and pi of the point (y, x), whose sine goes with x",
	            30, 2),
	.steps = atan2_in_steps,
	SLOPE(atan2),
};

/* ---- hyperbolic functions and their inverses */

INEXACT_ROW(sinh, "hyperbolic sine of x", 40, MUL(dx, OF_1(cosh, x)), k_sinh(k, a),
            REAL_OF(sinh, a))
INEXACT_ROW(cosh, "hyperbolic cosine of x", 40, MUL(dx, OF_1(sinh, x)), k_cosh(k, a),
            REAL_OF(cosh, a))

INEXACT_ROW(asinh, "the number whose hyperbolic sine is x", 60,
            MUL(dx, OF_1(rsqrt, one_and_square(b, x))), k_asinh(k, a), REAL_OF(asinh, a))
/* the root of the product x^2 - 1 alone would have the other sign where a complex x is left of the
 * imaginary axis */
INEXACT_ROW(acosh, "the number from 0 on whose hyperbolic cosine is x", 60,
            MUL(dx, MUL(OF_1(rsqrt, SUB(x, NUM(1))), OF_1(rsqrt, ADD(x, NUM(1))))), k_acosh(k, a),
            REAL_OF(acosh, a))
SLEEF_ROW(atanh, ATANH, "the number whose hyperbolic tangent is x", 40,
          MUL(DIV(NUM(1), ADD(NUM(1), x)), DIV(dx, SUB(NUM(1), x))))

/* ---- others */

/* 2 / sqrt(pi) e^-x^2 */
static var bell(build *b, var x)
{
	return MUL(NUM(M_2_SQRTPI), OF_1(exp, NEG(OF_1(square, x))));
}

SLEEF_REAL_ROW(cbrt, CBRT, "cube root of x", 20, MUL(dx, MUL(NUM(1.0 / 3), POWER(ans, -2))))
SLEEF_REAL_ROW(erf, ERF, "2 / sqrt(pi) times the integral of e^-t^2 for t from 0 to x", 30,
          MUL(bell(b, x), dx))
SLEEF_REAL_ROW(erfc, ERFC, "1 - erf(x), exact where x is large", 50, NEG(MUL(bell(b, x), dx)))
