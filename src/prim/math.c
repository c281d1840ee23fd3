/* math.c - the scalar elementary functions: the same bits on every machine, at every vector width.
 *
 * SLEEF's deterministic family (finz: fused multiply-add, the same for one lane and for sixteen)
 * where it is fast. The f32 forms of expm1, log1p, tanh and logistic are written here with
 * multiplies, fma, basic operations and selects alone, so that a kernel can repeat them. Their
 * coefficients are minimax fits (Remez exchange in 50 digits; each one was rounded to f32 before
 * the remaining ones were fitted again). docs/numerics.md has the largest errors. */
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

/* SLEEF's log1p is infinite from 1e307 on; above 2^60 log does, as 1 + x rounds to x there */
double log1p_f64(double x)
{
	return x > 0x1p+60 ? log_f64(x) : log1p_finite(x);
}

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

/* -126 <= n <= 127 */
static inline float power_of_two(int32_t n) { return float_of((uint32_t)(n + 127) << 23); }

/* e^x = 2^n (1 + p) with n the integer nearest to x / ln 2 and |p| <= 0.415, for |x| <= 150.
 * x - n ln 2 is r + c, where r is rounded and c is what rounding lost; p = r + c + r^2 q(r). A NaN
 * gives p NaN and n 0. Example: e^2 = 2^3 (1 - 0.0764), with n = 3 and r = 2 - 3 ln 2 = -0.0794. */
static inline float exp_split(float x, int32_t *n)
{
	const float to_integer = 0x1.8p23f; /* added: the low bits are the nearest integer */
	const float shifted = fmaf(x, 0x1.715476p+0f, to_integer), k = shifted - to_integer;
	const float rough = fmaf(k, -0x1.62e4p-1f, x);          /* exact: 16 bits of ln 2 */
	const float r = fmaf(k, -0x1.7f7d1cp-20f, rough), c = fmaf(k, -0x1.7f7d1cp-20f, rough - r);
	float q = 0x1.3b88c2p-13f;

	q = fmaf(q, r, 0x1.6d2e48p-10f);
	q = fmaf(q, r, 0x1.1155a8p-7f);
	q = fmaf(q, r, 0x1.555502p-5f);
	q = fmaf(q, r, 0x1.55552cp-3f);
	q = fmaf(q, r, 0.5f);
	*n = x == x ? (int32_t)(bits_of(shifted) - bits_of(to_integer)) : 0;
	return r + fmaf(r * r, q, c);
}

/* 2^n (1 + p) - 1, as 2 (2^(n-1) p + (2^(n-1) - 1/2)), so that 2^128 does not overflow */
float expm1_f32(float x)
{
	int32_t n;
	const float p = exp_split(x < -25 ? -25 : x > 89 ? 89 : x, &n), half = power_of_two(n - 1);

	return copysignf(n == 0 ? p : 2 * fmaf(half, p, half - 0.5f), x);
}

/* 1 + x = 2^k (1 + f) with -1/4 <= f < 1/2; log(1 + x) = k ln 2 + f + f^2 (-1/2 + f P(f)) */
float log1p_f32(float x)
{
	const uint32_t k = (bits_of(1 + x) - 0x3f400000u) & 0xff800000u;      /* times 2^23 */
	const float scale = float_of(0x40800000u - k); /* 4 / 2^k, a normal number for every k */
	const float f = k == 0 ? x : fmaf(scale, 0.25f * x, fmaf(0.25f, scale, -1));
	const float kf = (float)(int32_t)k * 0x1p-23f;
	float q = 0x1.310c58p-5f;

	if (x == -1) return -INFINITY;
	if (!(x > -1) || x > 0x1.fffffep127f) return x > 0 ? x : NAN;
	q = fmaf(q, f, -0x1.73ed3ap-4f);
	q = fmaf(q, f, 0x1.df2b54p-4f);
	q = fmaf(q, f, -0x1.04bfe4p-3f);
	q = fmaf(q, f, 0x1.246452p-3f);
	q = fmaf(q, f, -0x1.5518fcp-3f);
	q = fmaf(q, f, 0x1.999754p-3f);
	q = fmaf(q, f, -0x1.00007p-2f);
	q = fmaf(q, f, 0x1.55555ap-2f);
	q = fmaf(q, f, -0.5f);
	q = fmaf(f * f, q, f);
	return k == 0 ? q : fmaf(kf, 0x1.62e43p-1f, fmaf(kf, -0x1.05c61p-29f, q));
}

/* |x| < 0.55: x + x^3 P(x^2); beyond: 1 - 2 / (e^2|x| + 1) */
float tanh_f32(float x)
{
	const float a = fabsf(x), z = x * x;
	int32_t n;

	if (a < 0.55f) {
		float q = -0x1.9921a2p-8f;
		q = fmaf(q, z, 0x1.58e518p-6f);
		q = fmaf(q, z, -0x1.b91e7ep-5f);
		q = fmaf(q, z, 0x1.110ceep-3f);
		q = fmaf(q, z, -0x1.55554ap-2f);
		return copysignf(fmaf(a * z, q, a), x);
	}
	const float p = exp_split(2 * a > 20 ? 20 : 2 * a, &n), s = power_of_two(n);
	return copysignf(1 - 2 / fmaf(s, p, s + 1), x);
}

/* 1 / (1 + e^-x), with e^-x = s (1 + p). From s = 2^24 on s + 1 would round, so the 1 is added to
 * s p. Above 2^64 the 1 has no effect; s is then divided by 2^64 and so is the quotient, so that
 * results can become denormal. */
float logistic_f32(float x)
{
	int32_t n;
	const float p = exp_split(x > 30 ? -30 : x < -104 ? 104 : -x, &n);

	if (n < 24) {
		const float s = power_of_two(n);
		return 1 / fmaf(s, p, s + 1);
	}
	const bool small = n > 64;
	const float s = power_of_two(small ? n - 64 : n);
	return 1 / (s + fmaf(s, p, small ? 0 : 1)) * (small ? 0x1p-64f : 1);
}

/* below -37 the 1 is less than half a unit in the last place of e^-x */
double logistic_f64(double x) { return x < -37 ? exp_f64(x) : 1 / (1 + exp_f64(-x)); }
