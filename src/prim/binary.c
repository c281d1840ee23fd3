/* binary.c - elementwise rows of two operands whose result has their dtype. */
#include <math.h>
#include "prim/local.h"

static float div_f32(float a, float b) { return a / b; }
static double div_f64(double a, double b) { return a / b; }
static float rem_f32(float a, float b) { return fmodf(a, b); }
static double rem_f64(double a, double b) { return fmod(a, b); }

#define DIV_OF(a, b) \
	_Generic((a), float: div_f32, double: div_f64, int64_t: div_i64, uint64_t: div_u64, \
	         c64: div_c64, c128: div_c128)(a, b)
#define REM_OF(a, b) ORDERED_OF(rem, a, b)
#define POW_OF(a, b) \
	_Generic((a), float: pow_f32, double: pow_f64, c64: pow_c64, c128: pow_c128)(a, b)

BINARY_ROW(add, "x + y; of bools, or", ALL, a + b)
BINARY_ROW(sub, "x - y", NUMBER, a - b)
BINARY_ROW(mul, "x y; of bools, and", ALL, MUL_OF(a, b))
BINARY_ROW(div, "x / y; of integers towards 0, and x / 0 has all bits set", SIGNED_NUMBER,
           DIV_OF(a, b))
BINARY_ROW(rem, "what x / y towards 0 leaves, with the sign of x; of integers x rem 0 = x", REAL,
           REM_OF(a, b))
BINARY_ROW(max, "the larger of x and y; a NaN wins", ORDERED, MAX_OF(a, b))
BINARY_ROW(min, "the smaller of x and y; a NaN wins", ORDERED, MIN_OF(a, b))
BINARY_ROW(pow, "x to the power y", INEXACT, POW_OF(a, b))
BINARY_ROW(and, "bits set in x and in y", BITS, a & b)
BINARY_ROW(or, "bits set in x or in y", BITS, a | b)
BINARY_ROW(xor, "bits set in one of x and y", BITS, a ^ b)

/* ---- shifts: the amount counts as a number without sign; from the width of the dtype on, every
 * bit is shifted out */

#define WIDTH (8 * (unsigned)sizeof *y)
static uint64_t left(uint64_t a, uint64_t by, unsigned width) { return by < width ? a << by : 0; }
static uint64_t right(uint64_t a, uint64_t by, unsigned width)
{
	return by < width ? (a & UINT64_MAX >> (64 - width)) >> by : 0;
}

/* the sign bit, bit width - 1, fills up from above, also of unsigned numbers */
static uint64_t right_filled(uint64_t a, uint64_t by, unsigned width)
{
	const uint64_t shifted = right(a, by, width), sign = a >> (width - 1) & 1;

	if (!sign) return shifted;
	return by < width ? shifted | ~(UINT64_MAX >> (64 - width) >> by) : UINT64_MAX;
}

BINARY_ROW(shift_left, "x shifted left by y bits", WRAP, left(a, b, WIDTH))
BINARY_ROW(shift_right_logical, "x shifted right by y bits, zeros from above", WRAP,
           right(a, b, WIDTH))
BINARY_ROW(shift_right_arithmetic, "x shifted right by y bits, its top bit from above", WRAP,
           right_filled(a, b, WIDTH))
