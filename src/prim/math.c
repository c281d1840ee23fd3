/* math.c - the scalar elementary functions: the same bits on every machine, at every vector width.
 *
 * Those of real numbers are written in math_real.h with multiplies, fma, basic operations and
 * selects alone, so that a kernel repeats them without a call; so is pow of f32. sin and cos of
 * large numbers and the functions of two numbers of f64 are SLEEF's deterministic family (finz:
 * fused multiply-add, the same for one lane and for sixteen). */
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
double pow_f64(double x, double y) { return kfn_f64(KFN_POW, (double[]){x, y}); }
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
