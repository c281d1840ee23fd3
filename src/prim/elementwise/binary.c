/* binary.c - defines elementwise rows of two operands, or three (fma), with a result of their
 * dtype.
 *
 *     fma 2 3 1                                      gives  7
 *     add [1 2] [10 20]                              gives  [11 22]
 *     add [true false] [true false]                  gives  [true false]
 *     sub [1 2]:u8 [10 1]:u8                         gives  [247 1]:u8
 *     mul [1 2] [10 20]                              gives  [10 40]
 *     div [7 -7 7]:i32 [2 2 0]:i32                   gives  [3 -3 -1]:i32
 *     rem [7 -7 7]:i32 [2 2 0]:i32                   gives  [1 -1 7]:i32
 *     rem [7.5 -7.5 1] [2 2 0]                       gives  [1.5 -1.5 nan]
 *     max [1 nan -0] [2 0 0]                         gives  [2 nan 0]
 *     min [1 nan -0] [2 0 0]                         gives  [1 nan -0]
 *     pow [2 9 -2 -2] [10 0.5 3 0.5]                 gives  [1024.0 3.0 -8.0 nan]
 *     and 12:i32 10:i32                              gives  8:i32
 *     or 12:i32 10:i32                               gives  14:i32
 *     xor 12:i32 10:i32                              gives  6:i32
 *     shift_left [1 1 1]:i32 [4 31 32]:i32           gives  [16 -2147483648 0]:i32
 *     shift_right_logical [-8 1]:i32 [28 32]:i32     gives  [15 0]:i32
 *     shift_right_arithmetic [-8 -8]:i32 [1 32]:i32  gives  [-4 -1]:i32 */
#include <math.h>
#include "prim/elementary/pairs.h"

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
#define POW_OF(a, b) _Generic((a), float : pow_f32, double : pow_f64)(a, b)

LINEAR_BINARY_ROW(add, "x + y; of bools, or", 1, ALL, ADD(dx, dy), ct, ct, K2(ADD, a, b), a + b)
LINEAR_BINARY_ROW(sub, "x - y", 1, NUMBER, SUB(dx, dy), ct, NEG(ct), K2(SUB, a, b), a - b)
BINARY_ROW(and, "bits set in x and in y", 1, BITS, FLAT, K2(AND, a, b), a &b)
BINARY_ROW(or, "bits set in x or in y", 1, BITS, FLAT, K2(OR, a, b), a | b)
BINARY_ROW(xor, "bits set in one of x and y", 1, BITS, FLAT, K2(XOR, a, b), a ^ b)

/* ---- products and quotients: linear in one operand while the other one is held fixed */

static var cotangent_mul(build *b, const eqn *e, var ct, var other)
{
	if (is_zero(other)) return not_linear(b, e, "it is not linear in both operands together");
	return MUL(ct, other);
}

LINEAR_BINARY_ROW(mul, "x y; of bools, and", 1, ALL, ADD(MUL(dx, y), MUL(x, dy)),
                  cotangent_mul(b, e, ct, y), cotangent_mul(b, e, ct, x), K2(MUL, a, b),
                  MUL_OF(a, b))

/* dx / y - dy x / y^2 */
LINEAR_BINARY_ROW(div, "x / y; of integers towards 0, and x / 0 has all bits set", 3, SIGNED_NUMBER,
                  ADD(DIV(dx, y), MUL(MUL(NEG(dy), x), POWER(y, -2))), DIV(ct, y),
                  not_linear(b, e, "it is not linear in the divisor"), k_div(k, a, b), DIV_OF(a, b))

/* ---- fma: rounded once, of f16 and bf16 once to f32 and once from there */

ELEMENTWISE_TYPES(fma, FLOAT, TSR_DTYPE_DEFAULT)

static void fma_eval(const eval_args *args)
{
	EVAL_3(FLOAT, _Generic((a), float : fmaf, double : fma)(a, b, c))
}

static void fma_lower(kernel *k, const eqn *e, const kvar *index, kvar *to)
{
	kvar x[3];

	for (int i = 0; i < 3; i++) x[i] = k_wide(k, k_operand(k, e, i, index));
	to[0] = k_narrow(k, k_fma(k, x[0], x[1], x[2]), k_result_type(k, e)->dtype);
}

static void fma_jvp(build *b, const eqn *e, const var *x, const var *dx, var *y, var *dy)
{
	(void)e, (void)y;
	dy[0] = ADD(ADD(MUL(dx[0], x[1]), MUL(x[0], dx[1])), dx[2]);
}

const tsr_prim tsr__prim_fma = {
	ELEMENTWISE(fma, "x y + z, rounded once", 1, 3),
	.jvp = fma_jvp,
	TSR_NO_RULE(COL_TRANSPOSE, "its tangents are products and sums"),
};

/* ---- remainder: dx - dy n, where ans = x - n y. n is computed from ans, because the rounded x / y
 * can be on the other side of a whole number */

static var quotient(build *b, var x, var y, var ans) { return OF_1(round, DIV(SUB(x, ans), y)); }

BINARY_ROW(rem, "what x / y towards 0 leaves, with the sign of x; of integers x rem 0 = x", 10,
           REAL,
           is_zero(dy) ? dx : SUB(dx, MUL(dy, quotient(b, x, y, ans))), K2(REM, a, b), REM_OF(a, b))

/* ---- max and min: the tangent of the larger (smaller) operand; where they are equal, the mean of
 * both tangents */

var emit_chosen(build *b, var dx, var x, var ans, var y)
{
	if (is_zero(dx)) return dx;
	const var share = SELECT(OF_2(eq, y, ans), NUM(0.5), NUM(1));
	return MUL(dx, SELECT(OF_2(eq, x, ans), share, NUM(0)));
}

BINARY_ROW(max, "the larger of x and y; a NaN wins", 2, SIGNED_ALL,
           ADD(emit_chosen(b, dx, x, ans, y), emit_chosen(b, dy, y, ans, x)), k_max(k, a, b),
           MAX_OF_ALL(a, b))
BINARY_ROW(min, "the smaller of x and y; a NaN wins", 2, SIGNED_ALL,
           ADD(emit_chosen(b, dx, x, ans, y), emit_chosen(b, dy, y, ans, x)), k_min(k, a, b),
           MIN_OF_ALL(a, b))

/* ---- powers: x and y of one dtype, or x a float or complex number and y an integer of any width,
 * which is rounded to the dtype that x is computed in */

static bool whole_exponent(const type *const *in)
{
	return ONE_KIND(dtype_kind(in[0]->dtype)) & INEXACT_KINDS &&
	       ONE_KIND(dtype_kind(in[1]->dtype)) & WRAP_KINDS;
}

static bool pow_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	if (!check_kind(b, e, in[0], NUMBER_KINDS)) return false;
	if (!whole_exponent(in) && !check_same_dtypes(b, e, in, 0, 2)) return false;
	const type *shape = common_shape(b, e, in, 0);
	return shape && give_type(b, in[0]->dtype, shape->dims, shape->ndim, out);
}

/* pow of integers, by squaring. As in JAX only the six lowest bits of y count: a larger y overflows
 * for every x but 0, 1 and -1. For -1 the lowest bit decides, and 0^y is set to 0 for every other y
 * than 0. */
static var whole_pow(build *b, var x, var y)
{
	enum { POWER_BITS = 6 };
	const var none = NUM(0);
	var result = SELECT(BOTH(IS(eq, x, none), IS(ne, y, none)), none, NUM(1));

	for (int i = 0; i < POWER_BITS; i++) {
		const var counts = IS(ne, BOTH(y, NUM(1 << i)), none);
		result = SELECT(counts, MUL(result, x), result);
		if (i + 1 < POWER_BITS) x = MUL(x, x);
	}
	return result;
}

/* the exponent, which has a dtype of its own, converted to the dtype that x is computed in */
#define LOOP_POW(dtype_, mem_, wide_, LOAD, STORE, ...) \
	case dtype_: { \
		const mem_ *x = args->x[0]; \
		mem_ *y = args->y[0]; \
		for (int64_t i = 0; i < n; i++) { \
			const wide_ a = LOAD(x[i * s0]); \
			wide_ b; \
			dtype_convert(dtype_wide(dtype_), &b, by, to + i * s1 * size, 1); \
			y[i] = STORE(__VA_ARGS__); \
		} \
		break; \
	}

static void pow_eval(const eval_args *args)
{
	const int64_t n = args->out[0]->size;
	const int64_t s0 = ELEMENT_STRIDE(args, 0), s1 = ELEMENT_STRIDE(args, 1);
	const tsr_dtype by = args->in[1]->dtype;
	const int64_t size = (int64_t)tsr_dtype_size(by);
	const char *to = args->x[1];

	switch (args->in[0]->dtype) {
		FLOAT_CASES(LOOP_POW, POW_OF(a, b))
	default: break;
	}
}

static void pow_lower(kernel *k, const eqn *e, const kvar *index, kvar *to)
{
	const kvar x = k_wide(k, k_operand(k, e, 0, index)), y = k_operand(k, e, 1, index);
	const kvar by = k_convert(k, y, k_dtype(k, x));

	to[0] = k_narrow(k, k_pow(k, x, by), k_result_type(k, e)->dtype);
}

/* of floats it is evaluated as it is */
static var pow_expand(build *b, const eqn *e, const var *in)
{
	const tsr_dtype dtype = build_type(b, in[0])->dtype;
	const enum dtype_kind kind = dtype_kind(dtype);

	(void)e;
	if (kind == KIND_FLOAT) return (var){0};
	if (kind != KIND_COMPLEX) return whole_pow(b, in[0], in[1]);
	const var by = emit_convert(b, emit_convert(b, in[1], dtype), TSR_C128);
	return emit_convert(b, pow_complex(b, emit_convert(b, in[0], TSR_C128), by), dtype);
}

/* y - 1 of an integer y, in 64 bits, but 0 stays 0, so that higher derivatives at x = 0 are finite.
 * y is first limited to at least -2^62, so that it does not wrap. This makes no difference: so far
 * down powers are 0, 1 or infinite. */
static var one_less(build *b, var y)
{
	const tsr_dtype dtype = build_type(b, y)->dtype == TSR_U64 ? TSR_U64 : TSR_I64;
	const var none = emit_scalar(b, dtype, 0);
	var wide = emit_convert(b, y, dtype);

	if (build_type(b, y)->dtype == TSR_I64)
		wide = OF_2(max, wide, emit_scalar(b, dtype, -0x1p62));
	return SUB(wide, emit_convert(b, OF_2(ne, wide, none), dtype));
}

/* y x^(y - 1). For an integer y that is 0 it is 0, also at x = 0 */
static var pow_slope(build *b, var x, var y, var ans)
{
	const type *const in[] = {build_type(b, x), build_type(b, y)};

	if (!whole_exponent(in)) {
		const var less = emit_spread(b, SUB(y, NUM(1)), ans);
		return MUL(y, OF_2(pow, x, less));
	}
	const var none = OF_2(eq, y, emit_scalar(b, in[1]->dtype, 0));
	const var factor = emit_spread(b, emit_convert(b, y, in[0]->dtype), ans);
	const var power = OF_2(pow, x, emit_spread(b, one_less(b, y), ans));
	return SELECT(none, FLAT, MUL(factor, power));
}

/* dx y x^(y - 1) + dy log(x) x^y, with log(1) in place of log(0). A factor made from a literal has
 * rank 0, and is broadcast. */
static var pow_tangent(build *b, var x, var y, var ans, var dx, var dy)
{
	var by_x = dx, by_y = dy;

	if (!is_zero(dx)) by_x = MUL(dx, pow_slope(b, x, y, ans));
	if (!is_zero(dy)) {
		const var log_x = emit_spread(b, OF_1(log, emit_nonzero(b, x)), ans);
		by_y = MUL(dy, MUL(log_x, ans));
	}
	return ADD(by_x, by_y);
}

IN_STEPS_2(pow)
TANGENT_2(pow, pow_tangent(b, x, y, ans, dx, dy))
const tsr_prim tsr__prim_pow = {
	ELEMENTWISE(pow, "x to the power y", 26, 2),
	.expand = pow_expand,
	.steps = pow_in_steps,
	SLOPE(pow),
};

/* ---- shifts: the amount is read as unsigned, so -1 is a large one */

#define WIDTH (8 * (int)sizeof *y)
BINARY_ROW(shift_left, "x shifted left by y bits", 1, WRAP, FLAT, K2(SHL, a, b),
           shifted_left(a, b, WIDTH))
BINARY_ROW(shift_right_logical, "x shifted right by y bits, zeros from above", 1, WRAP, FLAT,
           K2(SHR, a, b), shifted_right(a, b, WIDTH))
BINARY_ROW(shift_right_arithmetic, "x shifted right by y bits, its top bit from above", 1, WRAP,
           FLAT, K2(SAR, a, b), shifted_right_filled(a, b, WIDTH))
