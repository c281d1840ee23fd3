/* math.c - the scalar elementary functions: the same bits on every machine, at every vector width.
 *
 * tanh and the f32 forms of exp, exp2, expm1, log, log1p and logistic are written here with
 * multiplies, fma, basic operations and selects alone, so that a kernel repeats them without a
 * call: with AVX2 exp, exp2 and log take 0.5 to 0.7 of the time of SLEEF's. The others are SLEEF's
 * deterministic family (finz: fused multiply-add, the same for one lane and for sixteen). */
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

/* SLEEF's log1p is infinite from 1e307 on; above 2^60 log does, as 1 + x rounds to x there */
double log1p_f64(double x) { return x > 0x1p+60 ? log_f64(x) : log1p_finite(x); }

float rsqrt_f32(float x) { return 1 / sqrtf(x); }
double rsqrt_f64(double x) { return 1 / sqrt(x); }

static inline uint32_t bits_of(float x)
{
	uint32_t u;

	memcpy(&u, &x, sizeof u);
	return u;
}

static inline float float_of(uint32_t u)
{
	float x;

	memcpy(&x, &u, sizeof x);
	return x;
}

/* a polynomial by Horner's rule */
static inline float horner(float x, const float *c, size_t n)
{
	float q = c[0];

	for (size_t i = 1; i < n; i++) q = fmaf(q, x, c[i]);
	return q;
}

#define SERIES(name, x) horner(x, name##_series, ARRAY_LEN(name##_series))

/* 2^n from a number to which TO_EXPONENT was added */
static inline float power_of_two(float shifted) { return float_of(bits_of(shifted) << 23); }

/* 2^n m, where `shifted` is TO_EXPONENTS + n: m is multiplied by two powers with about half of n
 * each. The first product is exact; the second one rounds once, also to a denormal number, or
 * becomes infinite */
static inline float times_power(float m, float shifted)
{
	const uint32_t n = bits_of(shifted), half = n >> 1;

	return m * float_of(half << 23) * float_of((n - half) << 23);
}

/* e^x = 2^n e^r with x - r = n ln 2, where n is the integer nearest to x / ln 2; it is 0 below -104
 * and infinite from 89 on. Example: e^2 = 2^3 e^r, where r = 2 - 3 ln 2 = -0.0794 */
float exp_f32(float x)
{
	const float limited = x < -104 ? -104 : x > 89 ? 89 : x;
	const float shifted = fmaf(limited, 0x1.715476p+0f, TO_EXPONENTS);
	const float n = shifted - TO_EXPONENTS;
	const float r = fmaf(n, -LN2_LOW, fmaf(n, -LN2_HIGH, limited));

	return times_power(SERIES(exp, r), shifted);
}

float exp2_f32(float x)
{
	const float limited = x < -151 ? -151 : x > 128 ? 128 : x, shifted = limited + TO_EXPONENTS;
	const float r = limited - (shifted - TO_EXPONENTS);

	return times_power(SERIES(exp2, r), shifted);
}

/* e^x = 2^n (1 + p) with n as above and |p| <= 0.415, for |x| <= 150. x - n ln 2 is r + c, where r
 * is rounded and c is what rounding lost; p = r + c + r^2 q(r). Example: e^2 = 2^3 (1 - 0.0764) */
static inline float exp_split(float x, float *shifted)
{
	*shifted = fmaf(x, 0x1.715476p+0f, TO_EXPONENT);
	const float n = *shifted - TO_EXPONENT, rough = fmaf(n, -LN2_HIGH, x);
	const float r = fmaf(n, -LN2_LOW, rough), c = fmaf(n, -LN2_LOW, rough - r);

	return r + fmaf(r * r, SERIES(expm1, r), c);
}

/* 2^n (1 + p) - 1, as 2 (2^(n-1) p + (2^(n-1) - 1/2)), so that 2^128 does not overflow */
float expm1_f32(float x)
{
	float shifted;
	const float p = exp_split(x < -25 ? -25 : x > 89 ? 89 : x, &shifted);
	const float half = power_of_two(shifted - 1);

	return copysignf(shifted == TO_EXPONENT ? p : 2 * fmaf(half, p, half - 0.5f), x);
}

/* x = 2^k (1 + f) with 2^-1/2 <= 1 + f < 2^1/2; log x = k ln 2 + f + f^2 Q(f). k stands 2^23 times
 * as large. Example: log 6 = log(2^3 * 0.75) = 3 ln 2 + log(1 - 0.25) */
float log_f32(float x)
{
	const bool small = x < 0x1p-126f;
	const float y = small ? x * 0x1p+32f : x;
	const uint32_t k = (bits_of(y) - 0x3f3504f3u) & 0xff800000u;
	const float f = float_of(bits_of(y) - k) - 1;
	const float n = (float)(int32_t)(k - (small ? 32u << 23 : 0));

	if (!(x > 0) || x > 0x1.fffffep127f) return x == 0 ? -INFINITY : x > 0 ? x : NAN;
	return fmaf(n, 0x1.62e43p-24f, fmaf(f * f, SERIES(log, f), fmaf(n, -0x1.05c61p-52f, f)));
}

/* 1 + x = 2^k (1 + f) with -1/4 <= f < 1/2; log(1 + x) = k ln 2 + f + f^2 (-1/2 + f P(f)) */
float log1p_f32(float x)
{
	const uint32_t k = (bits_of(1 + x) - 0x3f400000u) & 0xff800000u; /* times 2^23 */
	const float scale = float_of(0x40800000u - k); /* 4 / 2^k, a normal number for every k */
	const float f = k == 0 ? x : fmaf(scale, 0.25f * x, fmaf(0.25f, scale, -1));
	const float kf = (float)(int32_t)k * 0x1p-23f;

	if (x == -1) return -INFINITY;
	if (!(x > -1) || x > 0x1.fffffep127f) return x > 0 ? x : NAN;
	const float q = fmaf(f * f, SERIES(log1p, f), f);
	return k == 0 ? q : fmaf(kf, 0x1.62e43p-1f, fmaf(kf, -0x1.05c61p-29f, q));
}

/* With n the integer nearest to 2x / ln 2, h = x - n ln 2 / 2, S = 2^n and w = tanh(h) = h P(h^2),
 * e^2x is S (1 + w) / (1 - w), so
 *
 *     tanh x = (e^2x - 1) / (e^2x + 1) = (w (S + 1) - (1 - S)) / ((S + 1) - w (1 - S))
 *
 * For n = 0 that is (2w - 0) / 2, which keeps the sign of zero. From the limit on it is 1. -x turns
 * the signs of n and w, and makes S, S + 1 and 1 - S as many times smaller: only the sign
 * changes */
#define TANH(type, whole, dtype, fused) \
	type tanh_##dtype(type x) \
	{ \
		const tanh_form *t = &tanh_##dtype##_form; \
		const type limit = (type)t->limit, limited = x < -limit  ? -limit \
		                                             : x > limit ? limit \
		                                                         : x; \
		const type shifted = fused(limited, (type)t->per_step, (type)t->to_exponent); \
		const type n = shifted - (type)t->to_exponent; \
		type h = fused(n, -(type)t->half_ln2, limited), w = (type)t->series[0], s; \
		whole bits; \
\
		if (t->rest != 0) h = fused(n, -(type)t->rest, h); \
		for (int i = 1; i < t->n; i++) w = fused(w, h * h, (type)t->series[i]); \
		w *= h; \
		memcpy(&bits, &shifted, sizeof bits); \
		bits <<= t->mantissa; \
		memcpy(&s, &bits, sizeof s); \
		return fused(w, s + 1, -(1 - s)) / fused(-w, 1 - s, s + 1); \
	}
TANH(float, uint32_t, f32, fmaf)
TANH(double, uint64_t, f64, fma)

/* e / (1 + e) or 1 / (1 + e) with e = e^-|x|, which may be denormal */
float logistic_f32(float x)
{
	const float e = exp_f32(-fabsf(x));

	return (x < 0 ? e : 1) / (1 + e);
}

/* below -37 the 1 is less than half a unit in the last place of e^-x */
double logistic_f64(double x) { return x < -37 ? exp_f64(x) : 1 / (1 + exp_f64(-x)); }
