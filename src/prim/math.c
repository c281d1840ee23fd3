/* math.c - the scalar elementary functions: the same bits on every machine, at every vector width.
 *
 * Those of real numbers are written in math_real.h with multiplies, fma, basic operations and
 * selects alone, so that a kernel repeats them without a call; so is pow. sin and cos of large
 * numbers and the other functions of two numbers are SLEEF's deterministic family (finz: fused
 * multiply-add, the same for one lane and for sixteen). */
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

static float sin_far_f32(float x) { return kfn_f32(KFN_SIN, &x); }
static float cos_far_f32(float x) { return kfn_f32(KFN_COS, &x); }
static double sin_far_f64(double x) { return kfn_f64(KFN_SIN, &x); }
static double cos_far_f64(double x) { return kfn_f64(KFN_COS, &x); }
double atan2_f64(double y, double x) { return kfn_f64(KFN_ATAN2, (double[]){y, x}); }
double hypot_f64(double x, double y) { return kfn_f64(KFN_HYPOT, (double[]){x, y}); }

float rsqrt_f32(float x) { return 1 / sqrtf(x); }
double rsqrt_f64(double x) { return 1 / sqrt(x); }

#define REAL float
#define BITS uint32_t
#define FUSED fmaf
#define COPYSIGN copysignf
#define OF(name) name##_f32
#include "prim/math_real.h"
#undef REAL
#undef BITS
#undef FUSED
#undef COPYSIGN
#undef OF

#define REAL double
#define BITS uint64_t
#define FUSED fma
#define COPYSIGN copysign
#define OF(name) name##_f64
#include "prim/math_real.h"

/* x^y = 2^(y log2 |x|), computed in f64, negative where x is and y is odd. With x = 2^k (1 + f) as
 * above and s = f / (2 + f), log2 |x| = k + log2((1 + s) / (1 - s)) = k + s P(s^2). That gives
 * numbers for 0 and infinity too, -1023 and 1024, whose product with y is made infinite; other x
 * take an infinite y as a finite one, so that 1 and -1 to it are 2^0. Example: 6^2 = 2^(2 * 2.585),
 * where s = -0.25 / 1.75 */
float pow_f32(float x, float y)
{
	const float size = fabsf(x), most = (float)form_pow.most;
	const bool edge = size + size == size; /* 0 or infinite */
	const double by = (double)(edge ? y * INFINITY : within_f32(y, -most, most));
	double k;
	const double f = split_f64((double)size, form_f64.to_field, &k), s = f / (2 + f);
	const double log2 = fma(s, horner_f64(s * s, &form_pow.log2), k);
	const double z = within_f64(by * log2, form_pow.limits[0], form_pow.limits[1]);
	const double shifted = z + form_f64.to_exponent, r = z - (shifted - form_f64.to_exponent);
	const double q = two_chains_f64(r, r * r, &form_pow.exp2);
	const float power = (float)(q * power_of_two_f64(shifted));
	const bool whole = floorf(y) == y, odd = whole && floorf(0.5f * y) != 0.5f * y;

	if (x == 1 || y == 0) return 1;
	if (!(x >= 0 || edge || (x < 0 && whole))) return NAN;
	return odd ? copysignf(power, x) : power;
}

/* log2 of x as a sum, *low the smaller part. As above k + log2((1 + s) / (1 - s)), with s, and the
 * first two terms of its series, in pairs of numbers; what a sum or product loses by rounding goes
 * to the second one. Of a denormal x k is found 2^52 times as large */
static double log2_f64(double x, double *low)
{
	const double *factor = form_wide_pow.factor, *third = form_wide_pow.third;
	const bool small = x < form_f64.least_normal;
	const double down = form_f64.to_field + (small ? form_f64.mantissa : 0);
	double k;
	const double f = split_f64(small ? x * form_f64.whole : x, down, &k);
	const double over = 2 + f, inverse = 1 / over, s = f * inverse;
	const double s_low = (fma(-s, over, f) - s * (f - (over - 2))) * inverse;
	const double w = s * s, w_low = fma(s, s, -w) + 2 * s * s_low;
	const double q = two_chains_f64(w, w * w, &form_wide_pow.log2), more = w * q;
	const double v = third[0] + more;
	const double v_low = (third[0] - v) + more + fma(w_low, q, third[1]);
	const double b = w * v, b_low = fma(w, v, -b) + fma(w, v_low, w_low * v);
	const double g = factor[0] + b, g_low = (factor[0] - g) + b + (b_low + factor[1]);
	const double y = s * g, y_low = fma(s, g, -y) + fma(s, g_low, s_low * g);
	const double sum = k + y;

	*low = (k - sum) + y + y_low;
	return sum;
}

/* 2^(z + low), where low is small: 2^n e^(u + u_low) with n the integer nearest to z */
static double exp2_of_sum_f64(double z, double low)
{
	const double shifted = z + form_f64.to_exponents, r = z - (shifted - form_f64.to_exponents);
	const double u = r * form_f64.ln2;
	const double rest = fma(r, form_f64.ln2_rest, low * form_f64.ln2);
	const double u_low = fma(r, form_f64.ln2, -u) + rest;
	const double uu = u * u, t = uu * two_chains_f64(u, uu, &form_f64.expm1), one = 1 + u;
	const double more = fma(u_low, one + t, t);

	return times_power_f64(one + ((u - (one - 1)) + more), shifted);
}

/* the same as pow_f32() with a logarithm of twice as many digits: of 2^1023.9 the last one stands
 * 63 places below the first digit of the exponent */
double pow_f64(double x, double y)
{
	const double size = fabs(x);
	const bool edge = size + size == size;
	const double by = edge ? y * INFINITY : within_f64(y, -form_f64.most, form_f64.most);
	double log2_low;
	const double log2 = log2_f64(size, &log2_low), far = by * log2;
	const double z = within_f64(far, form_wide_pow.limits[0], form_wide_pow.limits[1]);
	const double low = z == far ? fma(by, log2, -z) + by * log2_low : 0;
	const double power = exp2_of_sum_f64(z, low);
	const bool whole = floor(y) == y, odd = whole && floor(0.5 * y) != 0.5 * y;

	if (x == 1 || y == 0) return 1;
	if (!(x >= 0 || edge || (x < 0 && whole))) return NAN;
	return odd ? copysign(power, x) : power;
}
