/* scalar.c - operations on one number that C leaves open: division by zero, NaN and signed zero in
 * max and min. */
#include <math.h>
#include "prim/local.h"

int64_t div_i64(int64_t a, int64_t b)
{
	if (b == 0) return -1;
	return b == -1 ? (int64_t)(0 - (uint64_t)a) : a / b;
}

int64_t rem_i64(int64_t a, int64_t b)
{
	if (b == 0) return a;
	return b == -1 ? 0 : a % b;
}

uint64_t div_u64(uint64_t a, uint64_t b) { return b == 0 ? UINT64_MAX : a / b; }
uint64_t rem_u64(uint64_t a, uint64_t b) { return b == 0 ? a : a % b; }

#define MAX_AND_MIN(suffix, real) \
	real max_##suffix(real a, real b) \
	{ \
		if (a != a) return a; \
		if (a == b) return signbit(a) ? b : a; \
		return a > b ? a : b; \
	} \
	real min_##suffix(real a, real b) \
	{ \
		if (a != a) return a; \
		if (a == b) return signbit(a) ? a : b; \
		return a < b ? a : b; \
	}

MAX_AND_MIN(f32, float)
MAX_AND_MIN(f64, double)
