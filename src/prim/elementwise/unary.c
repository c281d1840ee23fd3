/* unary.c - elementwise rows of one operand that need no elementary function.
 *
 *     neg [1 -2 0]                gives  [-1 2 -0]
 *     sign [-3 -0 2]              gives  [-1 -0 1]
 *     sign 3+4i                   gives  0.6+0.8i
 *     abs [-3 2]                  gives  [3 2]
 *     abs [-128 7]:i8             gives  [-128 7]:i8
 *     abs 3+4i                    gives  5.0
 *     floor [-1.5 1.5]            gives  [-2 1]
 *     ceil [-1.5 1.5]             gives  [-1 2]
 *     round [0.5 1.5 2.5 -1.7]    gives  [0 2 2 -2]
 *     square [3 -0.5]             gives  [9 0.25]
 *     integer_pow [2 -0.5] y=-2   gives  [0.25 4]
 *     is_finite [1 inf nan]       gives  [true false false]
 *     not [0 5 255]:u8            gives  [255 250 0]:u8 */
#include <math.h>
#include "prim/elementary/pairs.h"
#undef complex /* complex.h's word for _Complex: here it names a row */

#define REAL_OF(fn, a) _Generic((a), float : fn##f, double : fn)(a)

LINEAR_UNARY_ROW(neg, "minus x; the most negative integer is its own", 1, NUMBER, NEG(dx), NEG(*ct),
                 K1(NEG, a), -a)

/* (x - y)(x + y) does not overflow where its terms x^2 and y^2 alone would */
static var square_complex(build *b, var z)
{
	const var x = OF_1(real, z), y = OF_1(imag, z), twice = MUL(NUM(2), MUL(x, y));

	return OF_2(complex, MUL(SUB(x, y), ADD(x, y)), twice);
}

static var square_expand(build *b, const eqn *e, const var *in)
{
	(void)e;
	return is_complex(b, in[0]) ? square_complex(b, in[0]) : (var){0};
}

ELEMENTWISE_TYPES(square, NUMBER, TSR_DTYPE_DEFAULT)

static void square_eval(const eval_args *args)
{
	const int64_t n = args->out[0]->size;

	switch (args->in[0]->dtype) {
		WRAP_CASES(LOOP_1, a * a)
		FLOAT_CASES(LOOP_1, a * a)
	default: break;
	}
}

LOWER_1(square, K2(MUL, a, a))
TANGENT_1(square, MUL(dx, MUL(NUM(2), x)))
const tsr_prim tsr__prim_square = {
	ELEMENTWISE(square, "x times x", 1, 1),
	.expand = square_expand,
	SLOPE(square),
};

UNARY_ROW(floor, "the largest whole number not above x", 1, FLOAT, FLAT, K1(FLOOR, a),
          REAL_OF(floor, a))
UNARY_ROW(ceil, "the smallest whole number not below x", 1, FLOAT, FLAT, K1(CEIL, a), REAL_OF(ceil,
          a))

static var round_expand(build *b, const eqn *e, const var *in)
{
	const var z = in[0];

	(void)e;
	if (!is_complex(b, z)) return (var){0};
	return OF_2(complex, OF_1(round, OF_1(real, z)), OF_1(round, OF_1(imag, z)));
}

ELEMENTWISE_TYPES(round, INEXACT, TSR_DTYPE_DEFAULT)
static void round_eval(const eval_args *args){EVAL_1(FLOAT, REAL_OF(rint, a))}
LOWER_1(round, K1(ROUND, a))
TANGENT_1(round, FLAT)
const tsr_prim tsr__prim_round = {
	ELEMENTWISE(round, "the nearest whole number, halves to the even one; of each part", 1, 1),
	.expand = round_expand,
	SLOPE(round),
};

/* ---- sign: -1, 0 (of the sign of x), 1 or NaN; x / |x| of a complex number */

static var sign_of(build *b, var x)
{
	if (is_complex(b, x)) return by_c128(b, x, sign_complex);
	const bool counts = !is_zero(x) && dtype_kind(build_type(b, x)->dtype) == KIND_UINT;
	const var below = counts ? NUM(0) : SELECT(IS(lt, x, NUM(0)), NUM(-1), x);
	return SELECT(IS(gt, x, NUM(0)), NUM(1), below);
}

EXPANDED_ROW(sign, "-1, 0 or 1 by the sign of x; x / |x| of a complex number", SIGNED_NUMBER, FLAT,
             sign_of(b, x))

/* ---- abs: that of a complex number is real */

ELEMENTWISE_TYPES(abs, ALL, dtype_real(in[0]->dtype))

static void abs_eval(const eval_args *args)
{
	const int64_t n = args->out[0]->size;

	switch (args->in[0]->dtype) {
		FLOAT_CASES(LOOP_1, REAL_OF(fabs, a))
		LOOP_1_TO(float, TSR_C64, c64, c64, , , abs_c64(a))
		LOOP_1_TO(double, TSR_C128, c128, c128, , , abs_c128(a))
	default: break;
	}
}

/* of integers and bools */
static var abs_expand(build *b, const eqn *e, const var *in)
{
	const var x = in[0];
	const enum dtype_kind kind = dtype_kind(build_type(b, x)->dtype);

	(void)e;
	if (ONE_KIND(kind) & INEXACT_KINDS) return (var){0};
	return kind == KIND_INT ? SELECT(IS(lt, x, NUM(0)), NEG(x), x) : OF_1(copy, x);
}

/* dx where x >= 0, else -dx; of a complex number the real part of dx conj(x) / |x| */
static var abs_tangent(build *b, var x, var ans, var dx)
{
	if (!is_complex(b, x))
		return MUL(dx, SELECT(OF_2(ge, x, NUM(0)), NUM(1), NUM(-1)));
	const var unit = DIV(x, emit_convert(b, emit_nonzero(b, ans), build_type(b, x)->dtype));
	return OF_1(real, MUL(dx, OF_1(conj, unit)));
}

/* of complex numbers */
static var abs_in_steps(build *b, const eqn *e, const var *in)
{
	const tsr_dtype dtype = build_type(b, in[0])->dtype;

	(void)e;
	if (dtype_kind(dtype) != KIND_COMPLEX) return (var){0};
	const var z = emit_convert(b, in[0], TSR_C128);
	return emit_convert(b, hypot_steps(b, OF_1(real, z), OF_1(imag, z)), dtype_real(dtype));
}

LOWER_1(abs, k_abs(k, a))
TANGENT_1(abs, abs_tangent(b, x, ans, dx))
const tsr_prim tsr__prim_abs = {
	ELEMENTWISE(abs, "|x|; the most negative integer is its own", 1, 1),
	.expand = abs_expand,
	.steps = abs_in_steps,
	SLOPE(abs),
};

/* ---- not: every bit of an integer; the opposite of a bool */

ELEMENTWISE_TYPES(not, BITS, TSR_DTYPE_DEFAULT)

static void not_eval(const eval_args *args)
{
	const int64_t n = args->out[0]->size;

	switch (args->in[0]->dtype) {
		BOOL_CASES(LOOP_1, !a)
		WRAP_CASES(LOOP_1, ~a)
	default: break;
	}
}

LOWER_1(not, K1(NOT, a))
const tsr_prim tsr__prim_not = {ELEMENTWISE(not, "all bits of x turned over", 1, 1), NO_SLOPE};

/* ---- is_finite */

static var is_below_infinity(build *b, var x) { return IS(lt, OF_1(abs, x), NUM(INFINITY)); }

static var is_finite_expand(build *b, const eqn *e, const var *in)
{
	const var x = emit_wide(b, in[0]);

	(void)e;
	if (!is_complex(b, x)) return is_below_infinity(b, x);
	const var re = is_below_infinity(b, OF_1(real, x));
	return BOTH(re, is_below_infinity(b, OF_1(imag, x)));
}

ELEMENTWISE_TYPES(is_finite, INEXACT, TSR_BOOL)
const tsr_prim tsr__prim_is_finite = {
	EXPANDED(is_finite, "whether no part of x is infinite or NaN", 1),
	NO_SLOPE,
};

/* ---- integer_pow: by squaring, from the lowest bit of the exponent. The powers x, x^2, x^4, ...
 * whose bit is set are multiplied to the result, which is the left operand: x^5 = x * x^4. A
 * negative exponent gives 1 over that, and exponent 0 gives 1 */

static bool integer_pow_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	const int64_t y = ((const integer_pow_params *)e->params)->y;

	if (y < 0 && ONE_KIND(dtype_kind(in[0]->dtype)) & WRAP_KINDS)
		return fail_type(
			b, e,
			"Integers cannot be raised to negative powers, got integer_pow(%s, %lld)",
			type_words(b, in[0]), (long long)y);
	return types_elementwise(b, e, in, out, NUMBER_KINDS, TSR_DTYPE_DEFAULT);
}

static var integer_power(build *b, var x, int64_t y)
{
	var power = x, result = FLAT;

	for (uint64_t left = y < 0 ? 0 - (uint64_t)y : (uint64_t)y; left;) {
		if (left & 1) result = is_zero(result) ? power : MUL(result, power);
		left >>= 1;
		if (left) power = MUL(power, power);
	}
	if (y == 0) return SELECT(IS(eq, x, x), NUM(1), NUM(1)); /* of every x, also of a NaN */
	return y < 0 ? DIV(NUM(1), result) : y == 1 ? OF_1(copy, result) : result;
}

static var integer_pow_expand(build *b, const eqn *e, const var *in)
{
	const int64_t y = ((const integer_pow_params *)e->params)->y;

	return emit_convert(b, integer_power(b, emit_wide(b, in[0]), y),
	                    build_type(b, in[0])->dtype);
}

/* y x^(y - 1); for the lowest y, x^(y + 1) replaces x^(y - 1), which equals it for every x */
static var integer_pow_slope(build *b, const eqn *e, var x)
{
	const int64_t y = ((const integer_pow_params *)e->params)->y;
	const integer_pow_params less = {y > INT64_MIN ? y - 1 : y + 1};

	if (y == 2) return MUL(NUM(2), x);
	return MUL(NUM((double)y), emit(b, e->prim, &less, &x, 1));
}

static void integer_pow_jvp(build *b, const eqn *e, const var *x, const var *dx, var *y, var *dy)
{
	const int64_t power = ((const integer_pow_params *)e->params)->y;

	(void)y;
	if (power == 0) return;
	dy[0] = power == 1 ? dx[0] : MUL(dx[0], integer_pow_slope(b, e, x[0]));
}

static const field integer_pow_fields[] = {PARAM(integer_pow_params, y, FIELD_INT), PARAMS_END};
const tsr_prim tsr__prim_integer_pow = {
	EXPANDED(integer_pow, "x to a whole power that is known in advance", 1),
	.params = integer_pow_fields,
	SLOPE(integer_pow),
};
