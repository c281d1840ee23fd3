/* pair_step.h - the step of a sum by pairs, as docs/numerics.md, "Pairs", defines it, from f64
 * numbers that are rounded to odd: the last digit is set where others are lost. */
#ifndef TSR_TESTS_SUPPORT_PAIR_STEP_H
#define TSR_TESTS_SUPPORT_PAIR_STEP_H
#include <float.h>
#include <math.h>
#include <string.h>
#include "base/base.h"

/* no number is less than the smallest normal f32 */
static inline float none_small(float x) { return fabsf(x) < FLT_MIN ? copysignf(0, x) : x; }

/* a b + sum with one rounding to 24 digits, and then none are small */
static inline float pair_product(float a, float b, float sum)
{
	const double x = (double)a * (double)b, y = (double)sum, s = x + y, part = s - x;
	const double lost = (x - (s - part)) + (y - part);
	const float fused = fmaf(a, b, sum);
	int exponent;
	uint64_t bits;
	double odd;

	if (!isfinite(s) || s == 0 || !isfinite(fused)) return fused;
	memcpy(&bits, &s, sizeof s);
	if (lost != 0 && !(bits & 1)) bits += (lost > 0) == (s > 0) ? 1 : UINT64_MAX;
	memcpy(&odd, &bits, sizeof s);
	const float digits = (float)frexp(odd, &exponent); /* whatever the exponent */
	return fabs(ldexp((double)digits, exponent)) < (double)FLT_MIN ? copysignf(0, digits)
	                                                               : fused;
}

/* the numbers of a and b at an even place, then those behind them, as bf16 */
static inline float pair_step(const float low[2], const float high[2], float sum)
{
	float x[4] = {low[0], low[1], high[0], high[1]};

	for (int i = 0; i < 4; i++) x[i] = none_small(bf16_to_f32(f32_to_bf16(x[i])));
	return pair_product(x[0], x[1], pair_product(x[2], x[3], none_small(sum)));
}

#endif
