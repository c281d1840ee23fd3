/* complex.c - computes with complex numbers what reductions and linear algebra need too: products,
 * quotients, sizes, roots, and the larger of two; in C, and as nodes of a kernel step by step
 * alike. Where C returns early, a select at the end picks the result.
 *
 * Written once, for c128. A c64 is widened exactly and computed as c128, and each part of the
 * result is rounded once; only products are computed in f32. */
#include <math.h>
#include "prim/nodes.h"
#include "prim/numbers.h"

static c128 c128_of(double re, double im) { return __builtin_complex(re, im); }
static c128 scaled(c128 z, double by) { return c128_of(creal(z) * by, cimag(z) * by); }

#define MUL(suffix, complex_, re, im) \
	complex_ mul_##suffix(complex_ z, complex_ w) \
	{ \
		return __builtin_complex(re(z) * re(w) - im(z) * im(w), \
		                         re(z) * im(w) + im(z) * re(w)); \
	}
MUL(c64, c64, crealf, cimagf)
MUL(c128, c128, creal, cimag)

/* +-1 for an infinite part, +-0 for a finite one, with the sign of a; 0 for a NaN */
static double infinite(double a) { return isnan(a) ? 0 : copysign(isinf(a) ? 1 : 0, a); }

/* For a quotient of which both parts came out as NaN, as in C (annex G): an infinite number over a
 * finite one is infinite, a finite one over an infinite one is 0. Only the infinite parts decide
 * the signs. */
static c128 quotient_at_infinity(c128 z, c128 w)
{
	double a = creal(z), b = cimag(z), c = creal(w), d = cimag(w), by = NAN;

	if ((isinf(a) || isinf(b)) && isfinite(c) && isfinite(d)) {
		a = infinite(a), b = infinite(b);
		by = INFINITY;
	} else if ((isinf(c) || isinf(d)) && isfinite(a) && isfinite(b)) {
		c = infinite(c), d = infinite(d);
		by = 0;
	}
	return c128_of(by * (a * c + b * d), by * (b * c - a * d));
}

/* Smith's quotient, by way of r = d / c or c / d: the sum of c^2 and d^2, which might overflow, is
 * never formed. For a divisor 0 each part is divided by c. */
static c128 quotient(c128 z, c128 w)
{
	const double a = creal(z), b = cimag(z), c = creal(w), d = cimag(w);

	if (c == 0 && d == 0) return c128_of(a / c, b / c);
	if (fabs(c) >= fabs(d)) {
		const double r = d / c, under = fma(d, r, c);
		return c128_of(fma(b, r, a) / under, fma(-a, r, b) / under);
	}
	const double r = c / d, under = fma(c, r, d);
	return c128_of(fma(a, r, b) / under, fma(b, r, -a) / under);
}

c128 div_c128(c128 z, c128 w)
{
	const c128 q = quotient(z, w);

	return isnan(creal(q)) && isnan(cimag(q)) ? quotient_at_infinity(z, w) : q;
}

/* Compares by real part, then by imaginary part. If any part is NaN, both parts of the result are.
 * Parts that compare equal are picked as real numbers are: +0 is above -0. */
static c128 extreme(c128 z, c128 w, double (*pick)(double, double))
{
	const double a = creal(z), b = cimag(z), c = creal(w), d = cimag(w);

	if (a != a || b != b || c != c || d != d) return c128_of(NAN, NAN);
	return c128_of(pick(a, c), a == c ? pick(b, d) : pick(a, c) == a ? b : d);
}

c128 max_c128(c128 z, c128 w) { return extreme(z, w, max_f64); }
c128 min_c128(c128 z, c128 w) { return extreme(z, w, min_f64); }
c64 max_c64(c64 z, c64 w) { return (c64)max_c128((c128)z, (c128)w); }
c64 min_c64(c64 z, c64 w) { return (c64)min_c128((c128)z, (c128)w); }

c128 round_c128(c128 z) { return c128_of(rint(creal(z)), rint(cimag(z))); }
double abs_c128(c128 z) { return hypot_f64(creal(z), cimag(z)); }

/* With t = sqrt((|x| + |z|) / 2): t + i y / (2 t) for x >= 0, and |y| / (2 t) +- i t for x < 0.
 * Very large and very small numbers are first scaled by a power of 4, and the result is scaled back
 * by its root. A NaN in either part of z gives a NaN in both parts. */
c128 sqrt_c128(c128 z)
{
	const double m = fmax(fabs(creal(z)), fabs(cimag(z)));
	const double by = m > 0x1p+1000 ? 0x1p-8 : m < 0x1p-1000 ? 0x1p+60 : 1, back = 1 / sqrt(by);

	if (isnan(creal(z)) || isnan(cimag(z))) return c128_of(NAN, NAN);
	if (m == 0) return c128_of(0, cimag(z));
	if (isinf(cimag(z))) return c128_of(INFINITY, cimag(z));
	const double x = creal(z) * by, y = cimag(z) * by;
	const double t = sqrt(0.5 * fabs(x) + 0.5 * abs_c128(c128_of(x, y)));
	const double other = isinf(t) ? 0 : fabs(y) / (2 * t);
	return x >= 0 ? c128_of(t * back, copysign(other * back, y))
	              : c128_of(other * back, copysign(t * back, y));
}

/* ---- c64 by c128 */

c64 sqrt_c64(c64 z) { return (c64)sqrt_c128((c128)z); }
c64 round_c64(c64 z) { return (c64)round_c128((c128)z); }
c64 div_c64(c64 z, c64 w) { return (c64)div_c128((c128)z, (c128)w); }
float abs_c64(c64 z) { return (float)abs_c128((c128)z); }

/* ---- as nodes, in f64 */

#define NUM(x) k_number(k, TSR_F64, x)
#define PAIR(a, b) k_complex(k, a, b)
#define RE(z) K1(RE, z)
#define IM(z) K1(IM, z)
#define IS(op, a, b) K2(op, a, b)
#define BOTH(a, b) K2(AND, a, b)
#define EITHER(a, b) K2(OR, a, b)

static kvar hypotenuse(kernel *k, kvar z)
{
	return k_call(k, KFN_HYPOT, (kvar[]){RE(z), IM(z)}, 2);
}

static kvar is_zero_of(kernel *k, kvar z)
{
	return BOTH(IS(EQ, RE(z), NUM(0)), IS(EQ, IM(z), NUM(0)));
}

static kvar infinite_node(kernel *k, kvar a)
{
	const kvar size = KSEL(IS(EQ, K1(ABS, a), NUM(INFINITY)), NUM(1), NUM(0));

	return KSEL(IS(EQ, a, a), K2(COPYSIGN, size, a), NUM(0));
}

#define FINITE(a) IS(LT, K1(ABS, a), NUM(INFINITY))
static kvar finite_both(kernel *k, kvar z) { return BOTH(FINITE(RE(z)), FINITE(IM(z))); }
static kvar infinite_either(kernel *k, kvar z)
{
	return EITHER(IS(EQ, K1(ABS, RE(z)), NUM(INFINITY)), IS(EQ, K1(ABS, IM(z)), NUM(INFINITY)));
}

static kvar quotient_at_infinity_nodes(kernel *k, kvar z, kvar w)
{
	const kvar above = BOTH(infinite_either(k, z), finite_both(k, w));
	const kvar under = BOTH(infinite_either(k, w), finite_both(k, z));
	const kvar a = KSEL(above, infinite_node(k, RE(z)), RE(z));
	const kvar b = KSEL(above, infinite_node(k, IM(z)), IM(z));
	const kvar c = KSEL(under, infinite_node(k, RE(w)), RE(w));
	const kvar d = KSEL(under, infinite_node(k, IM(w)), IM(w));
	const kvar by = KSEL(above, NUM(INFINITY), KSEL(under, NUM(0), NUM(NAN)));

	const kvar re = K2(ADD, K2(MUL, a, c), K2(MUL, b, d));
	const kvar im = K2(SUB, K2(MUL, b, c), K2(MUL, a, d));

	return PAIR(K2(MUL, by, re), K2(MUL, by, im));
}

static kvar quotient_nodes(kernel *k, kvar z, kvar w)
{
	const kvar a = RE(z), b = IM(z), c = RE(w), d = IM(w);
	const kvar by_re = IS(GE, K1(ABS, c), K1(ABS, d));
	const kvar big = KSEL(by_re, c, d), little = KSEL(by_re, d, c);
	const kvar r = K2(DIV, little, big), under = k_fma(k, little, r, big);
	const kvar re = KSEL(by_re, k_fma(k, b, r, a), k_fma(k, a, r, b));
	const kvar im = KSEL(by_re, k_fma(k, K1(NEG, a), r, b), k_fma(k, b, r, K1(NEG, a)));

	return KSEL(is_zero_of(k, w), PAIR(K2(DIV, a, c), K2(DIV, b, c)),
	            PAIR(K2(DIV, re, under), K2(DIV, im, under)));
}

static kvar div_nodes(kernel *k, kvar z, kvar w)
{
	const kvar q = quotient_nodes(k, z, w);
	const kvar none = BOTH(IS(NE, RE(q), RE(q)), IS(NE, IM(q), IM(q)));

	return KSEL(none, quotient_at_infinity_nodes(k, z, w), q);
}

/* C's fmax: if one number is a NaN it gives the other one */
static kvar larger(kernel *k, kvar a, kvar b)
{
	return KSEL(EITHER(IS(GE, a, b), IS(NE, b, b)), a, b);
}

static kvar sqrt_usual(kernel *k, kvar z, kvar m)
{
	const kvar by = KSEL(IS(GT, m, NUM(0x1p+1000)), NUM(0x1p-8),
	                     KSEL(IS(LT, m, NUM(0x1p-1000)), NUM(0x1p+60), NUM(1)));
	const kvar back = K2(DIV, NUM(1), K1(SQRT, by));
	const kvar x = K2(MUL, RE(z), by), y = K2(MUL, IM(z), by);
	const kvar size = hypotenuse(k, PAIR(x, y));
	const kvar half = K2(ADD, K2(MUL, NUM(0.5), K1(ABS, x)), K2(MUL, NUM(0.5), size));
	const kvar t = K1(SQRT, half), share = K2(DIV, K1(ABS, y), K2(MUL, NUM(2), t));
	const kvar other = KSEL(IS(EQ, K1(ABS, t), NUM(INFINITY)), NUM(0), share);
	const kvar right = IS(GE, x, NUM(0));
	const kvar large = K2(MUL, t, back), small = K2(MUL, other, back);

	return PAIR(KSEL(right, large, small), K2(COPYSIGN, KSEL(right, small, large), y));
}

static kvar sqrt_nodes(kernel *k, kvar z)
{
	const kvar x = RE(z), y = IM(z), m = larger(k, K1(ABS, x), K1(ABS, y));
	const kvar endless = IS(EQ, K1(ABS, y), NUM(INFINITY));

	const kvar none = EITHER(IS(NE, x, x), IS(NE, y, y));
	const kvar some = KSEL(IS(EQ, m, NUM(0)), PAIR(NUM(0), y),
	                       KSEL(endless, PAIR(NUM(INFINITY), y), sqrt_usual(k, z, m)));

	return KSEL(none, PAIR(NUM(NAN), NUM(NAN)), some);
}

kvar k_extreme_complex(kernel *k, kop op, kvar z, kvar w)
{
	const kvar a = RE(z), b = IM(z), c = RE(w), d = IM(w);
	const kvar re = k_binary(k, op, a, c), im = k_binary(k, op, b, d);
	const kvar none = EITHER(EITHER(IS(NE, a, a), IS(NE, b, b)),
	                         EITHER(IS(NE, c, c), IS(NE, d, d)));
	const kvar nan = KNUM(a, NAN);

	return KSEL(none, PAIR(nan, nan),
	            PAIR(re, KSEL(IS(EQ, a, c), im, KSEL(IS(EQ, re, a), b, d))));
}

static kvar wide(kernel *k, kvar z) { return k_convert(k, z, TSR_C128); }

kvar k_sqrt_complex(kernel *k, kvar z)
{
	return k_convert(k, sqrt_nodes(k, wide(k, z)), k_dtype(k, z));
}

kvar k_abs_complex(kernel *k, kvar z)
{
	return k_convert(k, hypotenuse(k, wide(k, z)), dtype_real(k_dtype(k, z)));
}

kvar k_div_complex(kernel *k, kvar z, kvar w)
{
	return k_convert(k, div_nodes(k, wide(k, z), wide(k, w)), k_dtype(k, z));
}
