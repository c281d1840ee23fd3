/* complex.c - functions of one complex number, made from the real ones of math.c.
 *
 * Written once, for c128. A c64 is widened exactly and computed as c128, and each part of the
 * result is rounded once; only products are computed in f32. The error is small relative to
 * |result|: a part that is much smaller than the other one may have a larger relative error. */
#include <math.h>
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

/* (x - y)(x + y) does not overflow where its terms x^2 and y^2 alone would */
#define SQUARE(suffix, complex_, re, im) \
	complex_ square_##suffix(complex_ z) \
	{ \
		return __builtin_complex((re(z) - im(z)) * (re(z) + im(z)), 2 * (re(z) * im(z))); \
	}
SQUARE(c64, c64, crealf, cimagf)
SQUARE(c128, c128, creal, cimag)

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

/* z / |z|; halves where |z| overflows */
c128 sign_c128(c128 z)
{
	if (creal(z) == 0 && cimag(z) == 0) return z;
	if (isfinite(creal(z)) && isfinite(cimag(z)) && !isfinite(abs_c128(z))) z = scaled(z, 0.5);
	const double size = abs_c128(z);
	return c128_of(creal(z) / size, cimag(z) / size);
}

/* grow (cos turn + i sin turn); for turn = 0 exactly (grow, turn), which keeps the sign of the
 * zero */
static c128 turned(double grow, double turn)
{
	if (turn == 0) return c128_of(grow, turn);
	if (grow == 0) return c128_of(0, 0);
	return c128_of(grow * cos_f64(turn), grow * sin_f64(turn));
}

/* where e^x would overflow, e^(x/2) is multiplied in twice: e^x cos y may still be finite */
c128 exp_c128(c128 z)
{
	if (creal(z) < 709 || !isfinite(creal(z)) || cimag(z) == 0)
		return turned(exp_f64(creal(z)), cimag(z));
	const double half = exp_f64(creal(z) * 0.5);
	return scaled(turned(half, cimag(z)), half);
}

c128 exp2_c128(c128 z)
{
	const double turn = cimag(z) * 0x1.62e42fefa39efp-1;

	if (creal(z) < 1023 || !isfinite(creal(z)) || cimag(z) == 0)
		return turned(exp2_f64(creal(z)), turn);
	const double half = exp2_f64(creal(z) * 0.5);
	return scaled(turned(half, turn), half);
}

/* (e^x - 1) cos y - 2 sin^2(y/2) + i e^x sin y; where e^x would overflow, e^z */
c128 expm1_c128(c128 z)
{
	const double x = creal(z), y = cimag(z), s = sin_f64(y * 0.5);

	if (y == 0) return c128_of(expm1_f64(x), y);
	if (x >= 709 && isfinite(x)) return exp_c128(z);
	return c128_of(fma(expm1_f64(x), cos_f64(y), -2 * s * s), cimag(exp_c128(z)));
}

/* log |z|. With m >= n the absolute values of the parts, it is log1p((m - 1)(m + 1) + n^2) / 2 for
 * m near 1, where log |z| would cancel. */
static double log_abs(c128 z)
{
	const double a = fabs(creal(z)), b = fabs(cimag(z)), m = fmax(a, b), n = fmin(a, b);

	if (m > 0.5 && m < 2) return log1p_f64(fma(m - 1, m + 1, n * n)) * 0.5;
	if (m > 0x1p+1000 && isfinite(m))
		return log_f64(abs_c128(scaled(z, 0x1p-60))) + 60 * 0x1.62e42fefa39efp-1;
	return log_f64(abs_c128(z));
}

/* a NaN in either part of z gives a NaN in both parts */
c128 log_c128(c128 z)
{
	const double turn = atan2_f64(cimag(z), creal(z));

	return c128_of(turn == turn ? log_abs(z) : NAN, turn);
}

/* near 0, |1 + z|^2 - 1 = x (2 + x) + y^2 */
c128 log1p_c128(c128 z)
{
	const double x = creal(z), y = cimag(z);

	if (fabs(x) < 0.5 && fabs(y) < 0.5)
		return c128_of(log1p_f64(fma(x, 2 + x, y * y)) * 0.5, atan2_f64(y, 1 + x));
	return log_c128(c128_of(1 + x, y));
}

/* e^z / (1 + e^z) or 1 / (1 + e^-z), whichever exponential does not overflow */
c128 logistic_c128(c128 z)
{
	const c128 power = exp_c128(creal(z) < 0 ? z : -z);

	return div_c128(creal(z) < 0 ? power : c128_of(1, 0),
	                c128_of(1 + creal(power), cimag(power)));
}

/* with u = tanh x, v = tan y: (u (1 + v^2) + i v (1 - u^2)) / (1 + u^2 v^2), where
 * 1 - u^2 = 4 w / (1 + w)^2 with w = e^(-2|x|) */
c128 tanh_c128(c128 z)
{
	const double x = creal(z), y = cimag(z), u = tanh_f64(x), v = sin_f64(y) / cos_f64(y);
	const double w = exp_f64(-2 * fabs(x)), under = fma(u * v, u * v, 1);

	if (y == 0 || (isinf(x) && v != v)) return c128_of(u, y == 0 ? y : 0);
	return c128_of(u * fma(v, v, 1) / under, v * (4 * w / ((1 + w) * (1 + w))) / under);
}

/* t cosh y and t sinh y, where cosh y = (e^y + e^-y) / 2 and sinh y = (e^y - e^-y) / 2. Beyond 40
 * the size of both is e^|y| / 2; e^(|y| / 2) is multiplied in twice, so that nothing overflows but
 * the product with t */
static double times_cosh(double t, double y)
{
	const double a = fabs(y), power = exp_f64(a > 40 ? a * 0.5 : a);

	return a > 40 ? t * (0.5 * power) * power : t * (0.5 * (power + 1 / power));
}

/* with s = e^|y| - 1, which loses nothing near 0: (s + s / (s + 1)) / 2 */
static double times_sinh(double t, double y)
{
	const double a = fabs(y);

	if (a > 40) {
		const double half = exp_f64(a * 0.5);
		return t * copysign(0.5 * half, y) * half;
	}
	const double s = expm1_f64(a);
	return t * copysign(0.5 * (s + s / (s + 1)), y);
}

/* x = 0 gives the real part 0, even if cosh is infinite */
c128 sin_c128(c128 z)
{
	const double x = creal(z), y = cimag(z);

	return c128_of(x == 0 ? x : times_cosh(sin_f64(x), y), times_sinh(cos_f64(x), y));
}

/* x = 0 gives the imaginary part 0 with the sign of -x y; +0 if y is a NaN */
c128 cos_c128(c128 z)
{
	const double x = creal(z), y = cimag(z), flat = isnan(y) ? 0 : -x * copysign(1, y);

	return c128_of(times_cosh(cos_f64(x), y), x == 0 ? flat : times_sinh(-sin_f64(x), y));
}

/* With z turned over, y + ix, functions of one kind are those of the other: sinh z = -i sin(iz),
 * sin is odd, and sin(conj z) = conj sin(z), so that sinh(x + iy) is sin(y + ix) turned over */
static c128 turned_over(c128 z) { return c128_of(cimag(z), creal(z)); }

c128 sinh_c128(c128 z) { return turned_over(sin_c128(turned_over(z))); }
c128 cosh_c128(c128 z) { return conj(cos_c128(turned_over(z))); }
c128 tan_c128(c128 z) { return turned_over(tanh_c128(turned_over(z))); }

/* The inverse functions, after Hull, Fairgrieve and Tang, Implementing the complex arcsine and
 * arccosine functions using exception handling (ACM TOMS 23, 1997). For x, y >= 0, r = |z + 1|,
 * s = |z - 1| and a = (r + s) / 2, asin z has the real part atan2(x, b) with b^2 = (a + x)(a - x),
 * and the imaginary part h = log(a + sqrt(a^2 - 1)). a - x and a - 1 are sums of what is positive:
 * 2 (a - x) = y^2 / (r + x + 1) + (s + 1 - x), and s + 1 - x = y^2 / (s + x - 1). Far off b = y and
 * h = log 2|z|. Gives b + ih */
static c128 arc(c128 z)
{
	const double x = fabs(creal(z)), y = fabs(cimag(z));

	if (fmax(x, y) >= 0x1p+28) return c128_of(y, log_abs(z) + 0x1.62e42fefa39efp-1);
	const double r = hypot_f64(x + 1, y), s = hypot_f64(x - 1, y), a = 0.5 * (r + s);
	const double far = r + (x + 1), near = s + fabs(x - 1), half = 0.5 * (a + x);
	const double b = x <= 1 ? sqrt(half * (y * y / far + near))
	                        : y * sqrt(half * (1 / far + 1 / near));
	if (x < 1) { /* y^2 may be too small for a number */
		const double q = 0.5 * (y / far + y / near);
		return c128_of(b, log1p_f64(y * q + sqrt(y) * sqrt(q * (a + 1))));
	}
	const double less = 0.5 * (y * y / far + near);
	return c128_of(b, log1p_f64(less + sqrt(less * (a + 1))));
}

/* the size of a part with the sign of z there; a NaN counts as + */
static double signed_as(double size, double part) { return copysign(size, isnan(part) ? 0 : part); }

c128 asin_c128(c128 z)
{
	const c128 bh = arc(z);
	const double turn = atan2_f64(fabs(creal(z)), creal(bh));

	return c128_of(signed_as(turn, creal(z)), signed_as(cimag(bh), cimag(z)));
}

c128 acos_c128(c128 z)
{
	const c128 bh = arc(z);

	return c128_of(atan2_f64(creal(bh), creal(z)), -signed_as(cimag(bh), cimag(z)));
}

/* i acos z above the real axis, -i acos z below */
c128 acosh_c128(c128 z)
{
	const c128 bh = arc(z);

	return c128_of(cimag(bh), signed_as(atan2_f64(creal(bh), creal(z)), cimag(z)));
}

/* For x, y >= 0 (log1p(4 x / ((1 - x)^2 + y^2)) / 4, atan2(2 y, (1 - x)(1 + x) - y^2) / 2); far off
 * (x / |z|^2, pi / 2); near 1, where y^2 is too small, the real part is log(2 / y) / 2 */
c128 atanh_c128(c128 z)
{
	const double x = fabs(creal(z)), y = fabs(cimag(z)), m = fmax(x, y), p = x / m, q = y / m;
	const double less = 1 - x, rest = fma(less, less, y * y);
	double re = 0.25 * log1p_f64(4 * x / rest);
	double im = 0.5 * atan2_f64(2 * y, fma(less, 1 + x, -(y * y)));

	if (x == 1 && y < 0x1p-300) re = 0.5 * (0x1.62e42fefa39efp-1 - log_f64(y));
	if (m >= 0x1p+60) {
		re = isinf(m) ? 0 : p / (m * fma(p, p, q * q));
		im = isnan(y) ? y : 0x1.921fb54442d18p+0;
	}
	return c128_of(signed_as(re, creal(z)), signed_as(im, cimag(z)));
}

c128 asinh_c128(c128 z) { return turned_over(asin_c128(turned_over(z))); }
c128 atan_c128(c128 z) { return turned_over(atanh_c128(turned_over(z))); }

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

/* If a part is infinite, the result is 0. The imaginary part of z then only decides the sign of the
 * imaginary zero, and a NaN counts as +. */
c128 rsqrt_c128(c128 z)
{
	if (isinf(creal(z)) || isinf(cimag(z)))
		return c128_of(0, isnan(cimag(z)) || !signbit(cimag(z)) ? -0.0 : 0.0);
	return div_c128(c128_of(1, 0), sqrt_c128(z));
}

/* e^(w log z); z^0 = 1^w = 1, and 0 to a power with a positive real part is 0 */
c128 pow_c128(c128 z, c128 w)
{
	if (creal(w) == 0 && cimag(w) == 0) return c128_of(1, 0);
	if (creal(z) == 1 && cimag(z) == 0) return c128_of(1, 0);
	if (creal(z) == 0 && cimag(z) == 0 && creal(w) > 0) return c128_of(0, 0);
	return exp_c128(mul_c128(w, log_c128(z)));
}

/* ---- c64 by c128 */

#define BY_C128(name) c64 name##_c64(c64 z) { return (c64)name##_c128((c128)z); }
BY_C128(sign) BY_C128(exp) BY_C128(exp2) BY_C128(expm1) BY_C128(log) BY_C128(log1p)
BY_C128(logistic) BY_C128(tanh) BY_C128(sin) BY_C128(cos) BY_C128(sqrt) BY_C128(rsqrt)
BY_C128(round) BY_C128(sinh) BY_C128(cosh) BY_C128(tan) BY_C128(asin) BY_C128(acos)
BY_C128(atan) BY_C128(asinh) BY_C128(acosh) BY_C128(atanh)
c64 div_c64(c64 z, c64 w) { return (c64)div_c128((c128)z, (c128)w); }
c64 pow_c64(c64 z, c64 w) { return (c64)pow_c128((c128)z, (c128)w); }
float abs_c64(c64 z) { return (float)abs_c128((c128)z); }
