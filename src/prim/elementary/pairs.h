/* pairs.h - defines words of functions that compute with twice the digits of their dtype: a pair is
 * a number and the part that its rounding left out, as one sum.
 *
 *     the square of 1 + 2^-20 of f32 is the pair    1 + 2^-19, 2^-40
 *
 * Each word emits rows (elementwise.h), so a `build *b` is in scope, and x or any other number of
 * the dtype for NUM. The order of the operations is SLEEF's, of which the bits of the functions
 * depend: T. Dekker, A floating-point technique for extending the available precision (1971), with
 * products made exact by fma. A pair whose low is FLAT, without id, is one number: what would be
 * added to it, or multiplied, is left out. */
#ifndef TSR_SRC_PRIM_ELEMENTARY_PAIRS_H
#define TSR_SRC_PRIM_ELEMENTARY_PAIRS_H
#include "prim/elementwise/elementwise.h"

typedef struct pair {
	var high, low;
} pair;

static inline pair alone(var x) { return (pair){.high = x}; }
static inline var total(build *b, pair x) { return ADD(x.high, x.low); }

static inline var fma_of(build *b, var x, var y, var z) { return is_zero(x) ? z : FMA(x, y, z); }

/* x y - z, z - x y */
static inline var product_less(build *b, var x, var y, var z) { return FMA(x, y, NEG(z)); }
static inline var less_product(build *b, var z, var x, var y) { return FMA(NEG(x), y, z); }

/* the same sum, with the high one rounded from all of it */
static inline pair pair_normal(build *b, pair x)
{
	const var high = ADD(x.high, x.low);

	return (pair){high, ADD(SUB(x.high, high), x.low)};
}

/* x + y where |x| >= |y| */
static inline pair pair_add(build *b, pair x, pair y)
{
	const var high = ADD(x.high, y.high), left = ADD(SUB(x.high, high), y.high);

	return (pair){high, ADD(ADD(left, x.low), y.low)};
}

/* of any two */
static inline pair pair_sum(build *b, pair x, pair y)
{
	const var high = ADD(x.high, y.high), of_y = SUB(high, x.high);
	const var left = ADD(SUB(x.high, SUB(high, of_y)), SUB(y.high, of_y));

	return (pair){high, ADD(left, ADD(x.low, y.low))};
}

/* x - y where |x| >= |y| */
static inline pair pair_sub(build *b, pair x, pair y)
{
	const var high = SUB(x.high, y.high);
	const var left = ADD(SUB(SUB(x.high, high), y.high), x.low);

	return (pair){high, SUB(left, y.low)};
}

static inline pair pair_neg(build *b, pair x) { return (pair){NEG(x.high), NEG(x.low)}; }

static inline pair pair_scale(build *b, pair x, var by)
{
	return (pair){MUL(x.high, by), MUL(x.low, by)};
}

static inline pair pair_mul(build *b, pair x, pair y)
{
	const var high = MUL(x.high, y.high);
	const var left = product_less(b, x.high, y.high, high);
	const var of_low = fma_of(b, x.low, y.high, left);

	return (pair){high, is_zero(y.low) ? of_low : FMA(x.high, y.low, of_low)};
}

/* as one number */
static inline var pair_product(build *b, pair x, pair y)
{
	return FMA(x.high, y.high, FMA(x.low, y.high, MUL(x.high, y.low)));
}

static inline pair pair_square(build *b, pair x)
{
	const var high = MUL(x.high, x.high);

	return (pair){high, FMA(ADD(x.high, x.high), x.low,
		                product_less(b, x.high, x.high, high))};
}

/* what 1 / x.high, rounded, leaves of 1 when it is multiplied by x */
static inline var left_of_one(build *b, pair x, var inverse)
{
	const var one = emit_like(b, x.high, 1), left = less_product(b, one, x.high, inverse);

	return is_zero(x.low) ? left : less_product(b, left, x.low, inverse);
}

static inline pair pair_inverse(build *b, pair x)
{
	const var inverse = DIV(emit_like(b, x.high, 1), x.high);

	return (pair){inverse, MUL(inverse, left_of_one(b, x, inverse))};
}

static inline pair pair_div(build *b, pair x, pair y)
{
	const var inverse = DIV(emit_like(b, x.high, 1), y.high), high = MUL(x.high, inverse);
	const var lost = product_less(b, inverse, x.high, high);
	const var of_low = fma_of(b, x.low, inverse, lost);

	return (pair){high, FMA(high, left_of_one(b, y, inverse), of_low)};
}

/* (x + r^2) / r / 2 with r the root of the number */
static inline pair pair_root(build *b, pair x)
{
	const var root = OF_1(sqrt, total(b, x)), half = emit_like(b, root, 0.5);
	const pair twice = pair_sum(b, x, pair_mul(b, alone(root), alone(root)));

	return pair_scale(b, pair_mul(b, twice, pair_inverse(b, alone(root))), half);
}

static inline pair pair_select(build *b, var which, pair if_true, pair if_false)
{
	return (pair){SELECT(which, if_true.high, if_false.high),
	              SELECT(which, if_true.low, if_false.low)};
}

/* ---- numbers */

static inline tsr_dtype dtype_of(build *b, var x)
{
	return is_zero(x) ? TSR_F64 : build_type(b, x)->dtype;
}
static inline bool is_wide(build *b, var x) { return dtype_of(b, x) == TSR_F64; }

/* a pair of numbers like x; one number and a low of 0 */
static inline pair pair_of(build *b, var x, double high, double low)
{
	return (pair){NUM(high), NUM(low)};
}
/* n times a quarter turn */
static inline pair quarters(build *b, var x, double n)
{
	const double f32[] = {1.5707963705062866211, -4.3711388286737928865e-08};
	const double f64[] = {1.570796326794896557998982, 6.12323399573676603586882e-17};
	const double *half_pi = is_wide(b, x) ? f64 : f32;

	return pair_of(b, x, n * half_pi[0], n * half_pi[1]);
}
static inline pair with_zero(build *b, var x) { return (pair){x, NUM(0)}; }

static inline var is_infinite(build *b, var x) { return IS(eq, OF_1(abs, x), NUM(INFINITY)); }
static inline var is_nan(build *b, var x) { return IS(ne, x, x); }

/* ---- bits, as unsigned numbers */

static inline var read_bits(build *b, var x, tsr_dtype dtype)
{
	return emit(b, &tsr__prim_bitcast_convert_type, &(bitcast_params){dtype}, &x, 1);
}

static inline var bits_literal(build *b, tsr_dtype dtype, uint64_t bits)
{
	const var v = build_literal(b, dtype, &bits);

	if (is_zero(v)) build_fail(b);
	return v;
}

/* the bits of x; the numbers for it: its sign bit alone */
static inline tsr_dtype bits_dtype_of(build *b, var x) { return is_wide(b, x) ? TSR_U64 : TSR_U32; }
static inline var number_bits(build *b, var x) { return read_bits(b, x, bits_dtype_of(b, x)); }

static inline var sign_bit(build *b, var x)
{
	const uint64_t top = is_wide(b, x) ? (uint64_t)1 << 63 : (uint64_t)1 << 31;

	return BOTH(number_bits(b, x), bits_literal(b, bits_dtype_of(b, x), top));
}

static inline var is_below_zero(build *b, var x) /* -0 too */
{
	return IS(ne, sign_bit(b, x), bits_literal(b, bits_dtype_of(b, x), 0));
}

/* y, turned over where the sign of x is set */
static inline var turned_by(build *b, var y, var x)
{
	return read_bits(b, OF_2(xor, number_bits(b, y), sign_bit(b, x)), dtype_of(b, x));
}

/* a positive number with the sign of x */
static inline var signed_as(build *b, double number, var x)
{
	const float narrow = (float)number;
	uint64_t bits = 0;

	memcpy(&bits, is_wide(b, x) ? (const void *)&number : &narrow, is_wide(b, x) ? 8 : 4);
	return read_bits(b, EITHER(sign_bit(b, x), bits_literal(b, bits_dtype_of(b, x), bits)),
	                 dtype_of(b, x));
}

/* ---- powers of two. An exponent is a whole number of the signed dtype as wide as x */

static inline tsr_dtype whole_dtype(build *b, var x) { return is_wide(b, x) ? TSR_I64 : TSR_I32; }
static inline int mantissa_bits(build *b, var x) { return is_wide(b, x) ? 52 : 23; }
static inline int bias(build *b, var x) { return is_wide(b, x) ? 1023 : 127; }
#define WHOLE(number) emit_scalar(b, whole_dtype(b, x), number)

/* the exponent of a normal x, and its bias */
static inline var exponent_field(build *b, var x)
{
	const var field = OF_2(shift_right_logical, read_bits(b, x, whole_dtype(b, x)),
	                       WHOLE(mantissa_bits(b, x)));

	return BOTH(field, WHOLE(is_wide(b, x) ? 0x7ff : 0xff));
}

/* 2^n as a number like x, for an n that this has */
static inline var power_of_two(build *b, var x, var n)
{
	const var field = ADD(n, WHOLE(bias(b, x)));

	return read_bits(b, OF_2(shift_left, field, WHOLE(mantissa_bits(b, x))), dtype_of(b, x));
}

/* ---- polynomials of x, the coefficient of the highest power first */

static inline var horner_of(build *b, var x, var sum, const double *by, int n)
{
	for (int i = 0; i < n; i++) sum = FMA(sum, x, NUM(by[i]));
	return sum;
}
#define HORNER(x, ...) \
	horner_of(b, x, emit_like(b, x, ((const double[]){__VA_ARGS__})[0]), \
	          (const double[]){__VA_ARGS__} + 1, \
	          (int)(sizeof(double[]){__VA_ARGS__} / sizeof(double)) - 1)

/* The lower half of the powers, whose number is a power of two, and the upper half do not wait for
 * each other, and so on. power: x, x^2, x^4, ... */
static inline var halves_of(build *b, const var *power, const var *by, int n)
{
	int half = 1, k = 0;

	if (n == 1) return by[0];
	for (; 2 * half < n; half *= 2) k++;
	return FMA(power[k], halves_of(b, power, by, n - half),
	           halves_of(b, power, by + n - half, half));
}

enum { MOST_COEFFICIENTS = 32, MOST_POWERS = 5 };

static inline var by_halves(build *b, var x, const var *by, int n)
{
	var power[MOST_POWERS] = {x};

	for (int k = 1; k < MOST_POWERS && (1 << k) < n; k++)
		power[k] = MUL(power[k - 1], power[k - 1]);
	return halves_of(b, power, by, n);
}

static inline var halves_of_numbers(build *b, var x, const double *by, int n)
{
	var c[MOST_COEFFICIENTS];

	for (int i = 0; i < n; i++) c[i] = NUM(by[i]);
	return by_halves(b, x, c, n);
}
#define HALVES(x, ...) \
	halves_of_numbers(b, x, (const double[]){__VA_ARGS__}, \
	                  (int)(sizeof(double[]){__VA_ARGS__} / sizeof(double)))

/* ---- elementary/: functions of f32 and f64 */
/* of SLEEF */
var atan_steps(build *, var x), asin_steps(build *, var x), acos_steps(build *, var x);
var atan2_steps(build *, var y, var x), tan_steps(build *, var x);
var atanh_steps(build *, var x), cbrt_steps(build *, var x);
var erf_steps(build *, var x), erfc_steps(build *, var x);
var hypot_steps(build *, var x, var y); /* of f64 */
/* of numbers from 2^18 on; f64: 2^30 */
var far_sin_steps(build *, var x), far_cos_steps(build *, var x);
/* infinite where e^x or x^2 is */
var sinh_of_pairs(build *, var x), cosh_of_pairs(build *, var x);
var asinh_of_pairs(build *, var x), acosh_of_pairs(build *, var x);

/* rows.c: of math_real.h and its kin */
var exp_steps(build *, var x), exp2_steps(build *, var x), expm1_steps(build *, var x);
var log_steps(build *, var x), log1p_steps(build *, var x), logistic_steps(build *, var x);
var tanh_steps(build *, var x), sin_steps(build *, var x), cos_steps(build *, var x);
var sinh_steps(build *, var x), cosh_steps(build *, var x), erf_inv_steps(build *, var x);
var asinh_steps(build *, var x), acosh_steps(build *, var x), pow_steps(build *, var x, var y);
var complex_sqrt_steps(build *, var z); /* of c128 */

/* ---- powers.c */
typedef struct reduction { /* x = n ln 2 + rest, where n is a whole number */
	var n;
	pair rest;
} reduction;
reduction exp_reduction(build *, pair x);
/* 2^n x; e^x */
var times_power(build *, var x, var n);
pair exp_of_pair(build *, pair x);

#endif
