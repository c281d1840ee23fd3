/* binary.c - elementwise rows of two operands whose result has their dtype. */
#include <math.h>
#include "prim/elementwise.h"

static float div_f32(float a, float b) { return a / b; }
static double div_f64(double a, double b) { return a / b; }
static float rem_f32(float a, float b) { return fmodf(a, b); }
static double rem_f64(double a, double b) { return fmod(a, b); }

#define DIV_OF(a, b) \
	_Generic((a), float \
	         : div_f32, double \
	         : div_f64, int64_t \
	         : div_i64, uint64_t \
	         : div_u64, c64 \
	         : div_c64, c128 \
	         : div_c128)(a, b)
#define REM_OF(a, b) ORDERED_OF(rem, a, b)
#define POW_OF(a, b) \
	_Generic((a), float : pow_f32, double : pow_f64, c64 : pow_c64, c128 : pow_c128)(a, b)

LINEAR_BINARY_ROW(add, "x + y; of bools, or", ALL, ADD(dx, dy), ct, ct, K2(ADD, a, b), a + b)
LINEAR_BINARY_ROW(sub, "x - y", NUMBER, SUB(dx, dy), ct, NEG(ct), K2(SUB, a, b), a - b)
BINARY_ROW(and, "bits set in x and in y", BITS, FLAT, K2(AND, a, b), a &b)
BINARY_ROW(or, "bits set in x or in y", BITS, FLAT, K2(OR, a, b), a | b)
BINARY_ROW(xor, "bits set in one of x and y", BITS, FLAT, K2(XOR, a, b), a ^ b)

/* ---- products and quotients: linear in one operand while the other one stands */

static var cotangent_mul(build *b, const eqn *e, var ct, var other)
{
	if (is_zero(other)) return not_linear(b, e, "it is not linear in both operands together");
	return MUL(ct, other);
}

LINEAR_BINARY_ROW(mul, "x y; of bools, and", ALL, ADD(MUL(dx, y), MUL(x, dy)),
                  cotangent_mul(b, e, ct, y), cotangent_mul(b, e, ct, x), K2(MUL, a, b),
                  MUL_OF(a, b))

/* dx / y - dy x / y^2 */
LINEAR_BINARY_ROW(div, "x / y; of integers towards 0, and x / 0 has all bits set", SIGNED_NUMBER,
                  ADD(DIV(dx, y), MUL(MUL(NEG(dy), x), POWER(y, -2))), DIV(ct, y),
                  not_linear(b, e, "it is not linear in the divisor"), k_div(k, a, b), DIV_OF(a, b))

/* ---- remainder: dx - dy n, where ans = x - n y. n is taken from ans, as the rounded x / y can lie
 * on the other side of a whole number */

static var quotient(build *b, var x, var y, var ans) { return OF_1(round, DIV(SUB(x, ans), y)); }

BINARY_ROW(rem, "what x / y towards 0 leaves, with the sign of x; of integers x rem 0 = x", REAL,
           is_zero(dy) ? dx : SUB(dx, MUL(dy, quotient(b, x, y, ans))), K2(REM, a, b), REM_OF(a, b))

/* ---- max and min: the tangent of the operand that the result is; where both are it, half of each
 * one's */

static var chosen(build *b, var dx, var x, var ans, var y)
{
	if (is_zero(dx)) return dx;
	const var share = SELECT(OF_2(eq, y, ans), NUM(0.5), NUM(1));
	return MUL(dx, SELECT(OF_2(eq, x, ans), share, NUM(0)));
}

BINARY_ROW(max, "the larger of x and y; a NaN wins", ORDERED,
           ADD(chosen(b, dx, x, ans, y), chosen(b, dy, y, ans, x)), K2(MAX, a, b), MAX_OF(a, b))
BINARY_ROW(min, "the smaller of x and y; a NaN wins", ORDERED,
           ADD(chosen(b, dx, x, ans, y), chosen(b, dy, y, ans, x)), K2(MIN, a, b), MIN_OF(a, b))

/* ---- powers: dx y x^(y - 1) + dy log(x) x^y, with log(1) at x = 0. What is made of a literal has
 * rank 0 and is spread */

static var pow_tangent(build *b, var x, var y, var ans, var dx, var dy)
{
	var by_x = dx, by_y = dy;

	if (!is_zero(dx)) {
		const var less = emit_spread(b, SUB(y, NUM(1)), ans);
		by_x = MUL(dx, MUL(y, OF_2(pow, x, less)));
	}
	if (!is_zero(dy)) {
		const var log_x = emit_spread(b, OF_1(log, emit_nonzero(b, x)), ans);
		by_y = MUL(dy, MUL(log_x, ans));
	}
	return ADD(by_x, by_y);
}

BINARY_ROW(pow, "x to the power y", INEXACT, pow_tangent(b, x, y, ans, dx, dy), k_pow(k, a, b),
           POW_OF(a, b))

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

BINARY_ROW(shift_left, "x shifted left by y bits", WRAP, FLAT, K2(SHL, a, b), left(a, b, WIDTH))
BINARY_ROW(shift_right_logical, "x shifted right by y bits, zeros from above", WRAP, FLAT,
           K2(SHR, a, b), right(a, b, WIDTH))
BINARY_ROW(shift_right_arithmetic, "x shifted right by y bits, its top bit from above", WRAP, FLAT,
           K2(SAR, a, b), right_filled(a, b, WIDTH))
