/* test_local.c - elementwise rows against oracles of their own: reals in long double, integers in
 * 128 bits. */
#include "prim/local_rig.h"
#include <complex.h>

__extension__ typedef __int128 wide;

enum { BOOLS = 1, SIGNED = 2, UNSIGNED = 4, FLOATS = 8, COMPLEXES = 16 };
#define INTS_ (SIGNED | UNSIGNED)
#define REALS (INTS_ | FLOATS)

/* ---- oracles. Integers as their values; results are cut to the dtype by the caller. bits: the
 * width */

static wide i_neg(wide a, wide b, int bits) { return (void)b, (void)bits, -a; }
static wide i_sign(wide a, wide b, int bits) { return (void)b, (void)bits, (a > 0) - (a < 0); }
static wide i_abs(wide a, wide b, int bits) { return (void)b, (void)bits, a < 0 ? -a : a; }
static wide i_square(wide a, wide b, int bits)
{
	return (void)b, (void)bits, (wide)((uint64_t)a * (uint64_t)a);
}
static wide i_not(wide a, wide b, int bits) { return (void)b, bits == 1 ? !a : ~a; }
static wide i_add(wide a, wide b, int bits) { return bits == 1 ? a | b : a + b; }
static wide i_sub(wide a, wide b, int bits) { return (void)bits, a - b; }
static wide i_mul(wide a, wide b, int bits)
{
	return bits == 1 ? a & b : (wide)((uint64_t)a * (uint64_t)b);
}
static wide i_div(wide a, wide b, int bits) { return (void)bits, b == 0 ? -1 : a / b; }
static wide i_rem(wide a, wide b, int bits) { return (void)bits, b == 0 ? a : a % b; }
static wide i_max(wide a, wide b, int bits) { return (void)bits, a > b ? a : b; }
static wide i_min(wide a, wide b, int bits) { return (void)bits, a < b ? a : b; }
static wide i_and(wide a, wide b, int bits) { return (void)bits, a & b; }
static wide i_or(wide a, wide b, int bits) { return (void)bits, a | b; }
static wide i_xor(wide a, wide b, int bits) { return (void)bits, a ^ b; }
static wide i_copy(wide a, wide b, int bits) { return (void)b, (void)bits, a; }
static wide i_eq(wide a, wide b, int bits) { return (void)bits, a == b; }
static wide i_ne(wide a, wide b, int bits) { return (void)bits, a != b; }
static wide i_lt(wide a, wide b, int bits) { return (void)bits, a < b; }
static wide i_le(wide a, wide b, int bits) { return (void)bits, a <= b; }
static wide i_gt(wide a, wide b, int bits) { return (void)bits, a > b; }
static wide i_ge(wide a, wide b, int bits) { return (void)bits, a >= b; }
static wide i_cube(wide a, wide b, int bits)
{
	return (void)b, (void)bits, (wide)((uint64_t)a * (uint64_t)a * (uint64_t)a);
}

/* the six lowest bits of b count */
static wide i_pow(wide a, wide b, int bits)
{
	uint64_t power = 1;

	(void)bits;
	if (a == 0) return b == 0;
	for (int i = 0; i < (int)((uint64_t)b & 63); i++) power *= (uint64_t)a;
	return (wide)power;
}

/* one bit at a time, so that no shift of C is asked what it means */
static wide i_left(wide a, wide b, int bits)
{
	uint64_t u = (uint64_t)a;

	for (int i = 0; i < bits; i++)
		if (b < 0 || i < b) u = u + u;
	return (wide)u;
}

static wide i_right(wide a, wide b, int bits, bool filled)
{
	const uint64_t top = (uint64_t)1 << (bits - 1);
	uint64_t u = (uint64_t)a & (top - 1 + top);

	for (int i = 0; i < bits; i++)
		if (b < 0 || i < b) u = u / 2 | (filled ? u & top : 0);
	return (wide)u;
}

static wide i_logical(wide a, wide b, int bits) { return i_right(a, b, bits, false); }
static wide i_arithmetic(wide a, wide b, int bits) { return i_right(a, b, bits, true); }

static wide i_ones(wide a, wide b, int bits)
{
	int n = 0;

	(void)b;
	for (int i = 0; i < bits; i++) n += (int)((uint64_t)a >> i & 1);
	return n;
}

static wide i_zeros(wide a, wide b, int bits)
{
	int n = 0;

	(void)b;
	while (n < bits && !((uint64_t)a >> (bits - 1 - n) & 1)) n++;
	return n;
}

typedef long double real;
static real r_neg(real a, real b) { return (void)b, -a; }
static real r_sign(real a, real b) { return (void)b, isnan(a) || a == 0 ? a : copysignl(1, a); }
static real r_abs(real a, real b) { return (void)b, fabsl(a); }
static real r_floor(real a, real b) { return (void)b, floorl(a); }
static real r_ceil(real a, real b) { return (void)b, ceill(a); }
static real r_square(real a, real b) { return (void)b, a * a; }
static real r_exp(real a, real b) { return (void)b, expl(a); }
static real r_exp2(real a, real b) { return (void)b, exp2l(a); }
static real r_expm1(real a, real b) { return (void)b, expm1l(a); }
static real r_tan(real a, real b) { return (void)b, tanl(a); }
static real r_asin(real a, real b) { return (void)b, asinl(a); }
static real r_acos(real a, real b) { return (void)b, acosl(a); }
static real r_atan(real a, real b) { return (void)b, atanl(a); }
static real r_sinh(real a, real b) { return (void)b, sinhl(a); }
static real r_cosh(real a, real b) { return (void)b, coshl(a); }
static real r_asinh(real a, real b) { return (void)b, asinhl(a); }
static real r_acosh(real a, real b) { return (void)b, acoshl(a); }
static real r_atanh(real a, real b) { return (void)b, atanhl(a); }
static real r_cbrt(real a, real b) { return (void)b, cbrtl(a); }
static real r_erf(real a, real b) { return (void)b, erfl(a); }
static real r_erfc(real a, real b) { return (void)b, erfcl(a); }
/* the y >= 0 with erf(y) = 1 - c, c < 1/2: by halves of where it is */
static real erfc_inv(real c)
{
	real low = 0, high = 8;

	for (int i = 0; i < 80; i++)
		*(erfcl((low + high) / 2) > c ? &low : &high) = (low + high) / 2;
	return low;
}

/* near 0 by Newton's method */
static real r_erf_inv(real a, real b)
{
	const real slope = 0.88622692545275801364908L; /* sqrt(pi) / 2 */
	real y = slope * a;

	(void)b;
	if (!(fabsl(a) < 1)) return fabsl(a) == 1 ? a * INFINITY : NAN;
	if (fabsl(a) > 0.5) return copysignl(erfc_inv(1 - fabsl(a)), a);
	for (int i = 0; i < 8; i++) y -= (erfl(y) - a) * slope * expl(y * y);
	return y;
}
static real r_atan2(real a, real b) { return atan2l(a, b); }
static real r_log(real a, real b) { return (void)b, logl(a); }
static real r_log1p(real a, real b) { return (void)b, log1pl(a); }
static real r_logistic(real a, real b) { return (void)b, 1 / (1 + expl(-a)); }
static real r_tanh(real a, real b) { return (void)b, tanhl(a); }
static real r_sin(real a, real b) { return (void)b, sinl(a); }
static real r_cos(real a, real b) { return (void)b, cosl(a); }
static real r_sqrt(real a, real b) { return (void)b, sqrtl(a); }
static real r_rsqrt(real a, real b) { return (void)b, 1 / sqrtl(a); }
static real r_finite(real a, real b) { return (void)b, !isnan(a) && !isinf(a); }
static real r_add(real a, real b) { return a + b; }
static real r_sub(real a, real b) { return a - b; }
static real r_mul(real a, real b) { return a * b; }
static real r_div(real a, real b) { return a / b; }
static real r_rem(real a, real b) { return fmodl(a, b); }
static real r_pow(real a, real b) { return powl(a, b); }
static real r_copy(real a, real b) { return (void)b, a; }
static real r_cube(real a, real b) { return (void)b, a * a * a; }
static real r_eq(real a, real b) { return a == b; }
static real r_ne(real a, real b) { return a != b; }
static real r_lt(real a, real b) { return a < b; }
static real r_le(real a, real b) { return a <= b; }
static real r_gt(real a, real b) { return a > b; }
static real r_ge(real a, real b) { return a >= b; }

/* the even one of two neighbours, without rint */
static real r_round(real a, real b)
{
	const real low = floorl(a), over = a - low;

	(void)b;
	if (isnan(a) || isinf(a) || over == 0) return a;
	const bool up = over > 0.5L || (over == 0.5L && fmodl(low, 2) != 0);
	return copysignl(up ? low + 1 : low, a);
}

static real r_max(real a, real b)
{
	if (isnan(a) || isnan(b)) return NAN;
	if (a == b) return signbit(a) ? b : a;
	return a > b ? a : b;
}

static real r_min(real a, real b) { return -r_max(-a, -b); }

static const struct op {
	const char *equation;
	int nin;
	real (*of_reals)(real, real);
	double lo, hi;                             /* operands of reals; b of the same range */
	double ulps;                               /* most, for f32 and f64; 0.501 rounds once */
	wide (*of_integers)(wide, wide, int);
	int kinds;
	bool to_bool;
} ops[] = {
	{"neg %0", 1, r_neg, -9, 9, 0, i_neg, REALS, false},
	{"sign %0", 1, r_sign, -9, 9, 0, i_sign, REALS, false},
	{"abs %0", 1, r_abs, -9, 9, 0, i_abs, BOOLS | REALS, false},
	{"floor %0", 1, r_floor, -9, 9, 0, NULL, FLOATS, false},
	{"ceil %0", 1, r_ceil, -9, 9, 0, NULL, FLOATS, false},
	{"round %0", 1, r_round, -9, 9, 0, NULL, FLOATS, false},
	{"exp %0", 1, r_exp, -90, 90, 1, NULL, FLOATS, false},
	{"exp2 %0", 1, r_exp2, -130, 130, 1, NULL, FLOATS, false},
	{"expm1 %0", 1, r_expm1, -20, 20, 1.5, NULL, FLOATS, false},
	{"log %0", 1, r_log, 0, 100, 1, NULL, FLOATS, false},
	{"log1p %0", 1, r_log1p, -1, 9, 1.5, NULL, FLOATS, false},
	{"logistic %0", 1, r_logistic, -90, 40, 2.5, NULL, FLOATS, false},
	{"tanh %0", 1, r_tanh, -9, 9, 2.55, NULL, FLOATS, false},
	{"sin %0", 1, r_sin, -99, 99, 1, NULL, FLOATS, false},
	{"cos %0", 1, r_cos, -99, 99, 1, NULL, FLOATS, false},
	{"tan %0", 1, r_tan, -99, 99, 1, NULL, FLOATS, false},
	{"asin %0", 1, r_asin, -1, 1, 1, NULL, FLOATS, false},
	{"acos %0", 1, r_acos, -1, 1, 1, NULL, FLOATS, false},
	{"atan %0", 1, r_atan, -9, 9, 1, NULL, FLOATS, false},
	{"sinh %0", 1, r_sinh, -80, 80, 1, NULL, FLOATS, false},
	{"sinh %0", 1, r_sinh, 87.9, 89.4, 3, NULL, FLOATS, false},
	{"cosh %0", 1, r_cosh, -89.4, -87.9, 3, NULL, FLOATS, false},
	{"sinh %0", 1, r_sinh, -710.4, -708, 3, NULL, FLOATS, false},
	{"cosh %0", 1, r_cosh, -80, 80, 1, NULL, FLOATS, false},
	{"asinh %0", 1, r_asinh, -99, 99, 1, NULL, FLOATS, false},
	{"acosh %0", 1, r_acosh, 1, 99, 1, NULL, FLOATS, false},
	{"atanh %0", 1, r_atanh, -1, 1, 1, NULL, FLOATS, false},
	{"cbrt %0", 1, r_cbrt, -99, 99, 1, NULL, FLOATS, false},
	{"erf %0", 1, r_erf, -4, 4, 1, NULL, FLOATS, false},
	{"erfc %0", 1, r_erfc, -4, 9, 1.5, NULL, FLOATS, false},
	{"erf_inv %0", 1, r_erf_inv, -0.54, 0.54, 4, NULL, FLOATS, false},
	{"sqrt %0", 1, r_sqrt, 0, 9, 0.501, NULL, FLOATS, false},
	{"rsqrt %0", 1, r_rsqrt, 0, 9, 1.5, NULL, FLOATS, false},
	{"square %0", 1, r_square, -9, 9, 0.501, i_square, REALS, false},
	{"integer_pow %0 y=3", 1, r_cube, -9, 9, 1.5, i_cube, REALS, false},
	{"is_finite %0", 1, r_finite, -9, 9, 0, NULL, FLOATS, true},
	{"not %0", 1, NULL, 0, 0, 0, i_not, BOOLS | INTS_, false},
	{"population_count %0", 1, NULL, 0, 0, 0, i_ones, INTS_, false},
	{"clz %0", 1, NULL, 0, 0, 0, i_zeros, INTS_, false},
	{"copy %0", 1, r_copy, -9, 9, 0, i_copy, BOOLS | REALS, false},
	{"add %0 %1", 2, r_add, -9, 9, 0.501, i_add, BOOLS | REALS, false},
	{"sub %0 %1", 2, r_sub, -9, 9, 0.501, i_sub, REALS, false},
	{"mul %0 %1", 2, r_mul, -9, 9, 0.501, i_mul, BOOLS | REALS, false},
	{"div %0 %1", 2, r_div, -9, 9, 0.501, i_div, REALS, false},
	{"rem %0 %1", 2, r_rem, -9, 9, 0, i_rem, REALS, false},
	{"max %0 %1", 2, r_max, -9, 9, 0, i_max, BOOLS | REALS, false},
	{"min %0 %1", 2, r_min, -9, 9, 0, i_min, BOOLS | REALS, false},
	{"pow %0 %1", 2, r_pow, -9, 9, 1, i_pow, REALS, false},
	{"atan2 %0 %1", 2, r_atan2, -9, 9, 1, NULL, FLOATS, false},
	{"and %0 %1", 2, NULL, 0, 0, 0, i_and, BOOLS | INTS_, false},
	{"or %0 %1", 2, NULL, 0, 0, 0, i_or, BOOLS | INTS_, false},
	{"xor %0 %1", 2, NULL, 0, 0, 0, i_xor, BOOLS | INTS_, false},
	{"shift_left %0 %1", 2, NULL, 0, 0, 0, i_left, INTS_, false},
	{"shift_right_logical %0 %1", 2, NULL, 0, 0, 0, i_logical, INTS_, false},
	{"shift_right_arithmetic %0 %1", 2, NULL, 0, 0, 0, i_arithmetic, INTS_, false},
	{"eq %0 %1", 2, r_eq, -9, 9, 0, i_eq, BOOLS | REALS, true},
	{"ne %0 %1", 2, r_ne, -9, 9, 0, i_ne, BOOLS | REALS, true},
	{"lt %0 %1", 2, r_lt, -9, 9, 0, i_lt, BOOLS | REALS, true},
	{"le %0 %1", 2, r_le, -9, 9, 0, i_le, BOOLS | REALS, true},
	{"gt %0 %1", 2, r_gt, -9, 9, 0, i_gt, BOOLS | REALS, true},
	{"ge %0 %1", 2, r_ge, -9, 9, 0, i_ge, BOOLS | REALS, true},
};

/* ---- values */

#define SIDE 40 /* pairs are all of SIDE values with all of SIDE */
#define PAIRS (SIDE * SIDE)

static double real_value(int i, uint64_t *random, double lo, double hi)
{
	static const double special[] = {0.0,      -0.0,           1,        -1,    2,
	                                 0.5,      -0.5,           1.5,      -2.5,  3,
	                                 INFINITY, -INFINITY,      NAN,      1e-40, -6e-8,
	                                 7e4,      0x1.fffffep127, -0x1p-149};

	return i < (int)ARRAY_LEN(special) ? special[i] : random_in(random, lo, hi);
}

static wide int_value(int i, uint64_t *random, int bits, bool is_signed)
{
	const wide top = (wide)1 << (is_signed ? bits - 1 : bits), low = is_signed ? -top : 0;
	const wide special[] = {0,
	                        1,
	                        2,
	                        3,
	                        7,
	                        8,
	                        15,
	                        16,
	                        31,
	                        32,
	                        33,
	                        63,
	                        64,
	                        65,
	                        top - 1,
	                        top - 2,
	                        low,
	                        low + 1,
	                        top / 2,
	                        is_signed ? -1 : 5,
	                        is_signed ? -2 : 6,
	                        is_signed ? -7 : 9};
	const wide v = i < (int)ARRAY_LEN(special) ? special[i] : (wide)random_bits(random);

	return low + (v - low + ((wide)1 << 100)) % (top - low);
}

/* x in both operands: element k of operand 0 is value k / SIDE, of operand 1 value k % SIDE */
static void fill_operands(const struct op *op, tsr_dtype dtype, void *x[2])
{
	const size_t item = tsr_dtype_size(dtype);
	char values[SIDE * 16];
	uint64_t random = (uint64_t)dtype * 77 + 5;

	for (int i = 0; i < SIDE; i++) {
		char *to = values + (size_t)i * item;
		if (dtype_kind(dtype) == KIND_FLOAT) {
			const double v = real_value(i, &random, op->lo, op->hi);
			dtype_convert(dtype, to, TSR_F64, &v, 1);
		} else if (dtype == TSR_BOOL) {
			*to = (char)(i % 3 == 1);
		} else {
			const int64_t v = (int64_t)int_value(i, &random, dtype_bits(dtype),
			                                     dtype_kind(dtype) == KIND_INT);
			memcpy(to, &v, item);
		}
	}
	for (size_t k = 0; k < PAIRS; k++) {
		memcpy((char *)x[0] + k * item, values + k / SIDE * item, item);
		memcpy((char *)x[1] + k * item, values + k % SIDE * item, item);
	}
}

static wide int_at(tsr_dtype dtype, const void *x, int64_t i)
{
	int64_t v;

	dtype_convert(TSR_I64, &v, dtype, (const char *)x + (size_t)i * tsr_dtype_size(dtype), 1);
	return dtype == TSR_U64 ? (wide)(uint64_t)v : (wide)v;
}

/* ---- comparison of one element */

static bool int_right(const struct op *op, tsr_dtype dtype, void *const *x, const void *y,
                      int64_t i)
{
	const int bits = dtype == TSR_BOOL ? 1 : dtype_bits(dtype);
	const wide want = op->of_integers(int_at(dtype, x[0], i), int_at(dtype, x[1], i), bits);
	const uint64_t mask = op->to_bool ? 1 : UINT64_MAX >> (64 - bits);
	const wide got = int_at(op->to_bool ? TSR_BOOL : dtype, y, i);

	return (((uint64_t)got ^ (uint64_t)want) & mask) == 0;
}

static bool real_right(const struct op *op, tsr_dtype dtype, void *const *x, const void *y,
                       int64_t i)
{
	const real want =
		op->of_reals((real)dtype_get(dtype, x[0], i), (real)dtype_get(dtype, x[1], i));
	const bool narrow = dtype == TSR_F16 || dtype == TSR_BF16;

	if (op->to_bool) return (real)((const uint8_t *)y)[i] == want;
	const double got = dtype_get(dtype, y, i), most = op->ulps > 0 && narrow ? 0.501 : op->ulps;
	if (isnan(want)) return isnan(got);
	return ulps_off_dtype(dtype, got, want) <= most &&
	       (want != 0 || !signbit(got) == !signbit(want));
}

static bool kind_fits(const struct op *op, tsr_dtype dtype)
{
	const enum dtype_kind kind = dtype_kind(dtype);

	return op->kinds & (kind == KIND_BOOL    ? BOOLS
	                    : kind == KIND_INT   ? SIGNED
	                    : kind == KIND_UINT  ? UNSIGNED
	                    : kind == KIND_FLOAT ? FLOATS
	                                         : COMPLEXES);
}

static const char *operands_text(const struct op *op, const char *one, char *room)
{
	sprintf(room, op->nin == 2 ? "%s; %s" : "%s", one, one);
	return room;
}

/* ---- the walk over the table */

static void each_element(rig *r, const struct op *op, tsr_dtype dtype, void *const *x)
{
	char types[64];
	program *p = rig_program(r, operands_text(op, "T[40,40]", types), op->equation,
	                         op->to_bool ? "bool[40,40]" : "T[40,40]", dtype);
	void *y = rig_eval(p, x);

	for (int64_t i = 0; i < PAIRS; i++) {
		const bool right = dtype_kind(dtype) == KIND_FLOAT ? real_right(op, dtype, x, y, i)
		                                                   : int_right(op, dtype, x, y, i);
		if (!right)
			fail_msg("%s of %s %g, %g = %g", op->equation, tsr_dtype_name(dtype),
			         dtype_get(dtype, x[0], i), dtype_get(dtype, x[1], i),
			         dtype_get(op->to_bool ? TSR_BOOL : dtype, y, i));
	}
	free(y);
	program_release(p);
}

/* no elements; one element of rank 0 gives what it gives among many */
static void few_elements(rig *r, const struct op *op, tsr_dtype dtype, void *const *x)
{
	static const char *const shapes[] = {"[0,3]", "[2,0]", "[]", "[1]"};
	char one[32], types[64], result[32];

	for (size_t s = 0; s < ARRAY_LEN(shapes); s++) {
		snprintf(one, sizeof one, "T%s", shapes[s]);
		snprintf(result, sizeof result, "%s%s", op->to_bool ? "bool" : "T", shapes[s]);
		program *p =
			rig_program(r, operands_text(op, one, types), op->equation, result, dtype);
		void *y = rig_eval(p, x);
		if (s >= 2 && dtype_kind(dtype) == KIND_FLOAT)
			assert_true(real_right(op, dtype, x, y, 0));
		if (s >= 2 && dtype_kind(dtype) != KIND_FLOAT)
			assert_true(int_right(op, dtype, x, y, 0));
		free(y);
		program_release(p);
	}
}

/* a literal of rank 0 in place of operand `at` gives the bits of an array full of it */
static void with_literal(rig *r, const struct op *op, tsr_dtype dtype, void *const *x, int at)
{
	const size_t item = tsr_dtype_size(dtype);
	char full[SIDE * 16], equation[128];
	str number = {.base = &r->base};
	const char *slot = strchr(op->equation, (char)('0' + at));

	for (size_t i = 0; i < SIDE; i++)
		memcpy(full + i * item, (char *)x[at] + 3 * (SIDE + 1) * item, item);
	str_number(&number, dtype, full, 0);
	snprintf(equation, sizeof equation, "%.*s%s:%s%s", (int)(slot - 1 - op->equation),
	         op->equation, number.s, tsr_dtype_name(dtype), slot + 1);
	str_free(&number);
	const char *result = op->to_bool ? "bool[40]" : "T[40]";
	program *p = rig_program(r, "T[40]; T[40]", op->equation, result, dtype);
	program *q = rig_program(r, "T[40]; T[40]", equation, result, dtype);
	void *const operands[] = {at == 0 ? full : x[0], at == 1 ? full : x[1]};
	void *y = rig_eval(p, operands), *z = rig_eval(q, operands);
	assert_memory_equal(y, z, SIDE * (op->to_bool ? 1 : item));
	free(y);
	free(z);
	program_release(p);
	program_release(q);
}

static void every_dtype(void **state)
{
	rig *r = *state;

	for (size_t k = 0; k < ARRAY_LEN(ops); k++)
		for (int d = TSR_BOOL; d < TSR_C64; d++) {
			void *x[2] = {block_make(PAIRS * 16), block_make(PAIRS * 16)};
			if (kind_fits(&ops[k], (tsr_dtype)d)) {
				fill_operands(&ops[k], (tsr_dtype)d, x);
				each_element(r, &ops[k], (tsr_dtype)d, x);
				few_elements(r, &ops[k], (tsr_dtype)d, x);
				for (int i = 0; ops[k].nin == 2 && i < 2; i++)
					with_literal(r, &ops[k], (tsr_dtype)d, x, i);
			}
			free(x[0]);
			free(x[1]);
		}
}

/* ---- whole powers */

static void integer_powers(void **state)
{
	static const struct { int y; double of_3, of_nan;
	} cases[] = {
		{0, 1, 1},     {1, 3, NAN},        {2, 9, NAN},
		{5, 243, NAN}, {-1, 1 / 3.0, NAN}, {-3, 1 / 27.0, NAN},
	};
	double x[] = {3, NAN};
	void *operands[] = {x};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char equation[64];
		snprintf(equation, sizeof equation, "integer_pow %%0 y=%d", cases[i].y);
		program *p = rig_program(*state, "f64[2]", equation, "f64[2]", TSR_F64);
		double *y = rig_eval(p, operands);
		assert_true(y[0] == cases[i].of_3);
		assert_true(isnan(cases[i].of_nan) ? isnan(y[1]) : y[1] == cases[i].of_nan);
		free(y);
		program_release(p);
	}
}

/* ---- select_n and clamp */

static void choices(void **state)
{
	for (int d = TSR_BOOL; d < TSR_DTYPE_COUNT_; d++) {
		const tsr_dtype dtype = (tsr_dtype)d;
		const size_t item = tsr_dtype_size(dtype);
		const int64_t zero[] = {0, 1, 0, 1}, one[] = {1, 1, 1, 0};
		uint8_t which[] = {0, 1, 1, 0}, yes = 1;
		char a[64], b[64], want[64];
		dtype_convert(dtype, a, TSR_I64, zero, 4);
		dtype_convert(dtype, b, TSR_I64, one, 4);
		for (size_t i = 0; i < 4; i++)
			memcpy(want + i * item, (which[i] ? b : a) + i * item, item);
		program *p = rig_program(*state, "bool[2,2]; T[2,2]; T[2,2]", "select_n %0 %1 %2",
		                         "T[2,2]", dtype);
		program *q = rig_program(*state, "bool[]; T[4]; T[4]", "select_n %0 %1 %2", "T[4]",
		                         dtype);
		void *y = rig_eval(p, (void *[]){which, a, b}),
		     *z = rig_eval(q, (void *[]){&yes, a, b});
		assert_memory_equal(y, want, 4 * item);
		assert_memory_equal(z, b, 4 * item);
		free(y);
		free(z);
		program_release(p);
		program_release(q);
	}
}

static void bounds(void **state)
{
	for (int d = TSR_I8; d < TSR_C64; d++) {
		const tsr_dtype dtype = (tsr_dtype)d;
		const int64_t values[] = {0, 1, 2, 3, 4, 5, 6, 7},
			      clamped[] = {2, 2, 2, 3, 4, 5, 5, 5};
		const int64_t low = 2, high = 5;
		char x[64], l[8], h[8], want[64];
		dtype_convert(dtype, x, TSR_I64, values, 8);
		dtype_convert(dtype, want, TSR_I64, clamped, 8);
		dtype_convert(dtype, l, TSR_I64, &low, 1);
		dtype_convert(dtype, h, TSR_I64, &high, 1);
		program *p = rig_program(*state, "T[]; T[8]; T[]", "clamp %0 %1 %2", "T[8]", dtype);
		void *y = rig_eval(p, (void *[]){l, x, h});
		assert_memory_equal(y, want, 8 * tsr_dtype_size(dtype));
		free(y);
		program_release(p);
	}
	float low[] = {0, 0, NAN}, x[] = {NAN, -1, 1}, high[] = {1, NAN, 2};
	program *p =
		rig_program(*state, "f32[3]; f32[3]; f32[3]", "clamp %0 %1 %2", "f32[3]", TSR_F32);
	float *y = rig_eval(p, (void *[]){low, x, high});
	for (int i = 0; i < 3; i++) assert_true(isnan(y[i]));
	free(y);
	program_release(p);
}

/* ---- casts: the row hands all to dtype_convert */

static void casts(void **state)
{
	for (int from = TSR_BOOL; from < TSR_DTYPE_COUNT_; from++)
		for (int to = TSR_BOOL; to < TSR_DTYPE_COUNT_; to++) {
			const int64_t values[] = {0, 1, 2, 3};
			char equation[64], result[32], x[64], want[64];
			dtype_convert((tsr_dtype)from, x, TSR_I64, values, 4);
			dtype_convert((tsr_dtype)to, want, (tsr_dtype)from, x, 4);
			snprintf(equation, sizeof equation, "convert_element_type %%0 dtype=%s",
			         tsr_dtype_name((tsr_dtype)to));
			snprintf(result, sizeof result, "%s[4]", tsr_dtype_name((tsr_dtype)to));
			program *p = rig_program(*state, "T[4]", equation, result, (tsr_dtype)from);
			void *y = rig_eval(p, (void *[]){x});
			assert_memory_equal(y, want, 4 * tsr_dtype_size((tsr_dtype)to));
			free(y);
			program_release(p);
		}
}

/* ---- complex numbers: near long double's functions, |got - want| <= most * epsilon * |want| */

typedef long double _Complex complex_l;
static complex_l z_neg(complex_l a, complex_l b) { return (void)b, -a; }
static complex_l z_sign(complex_l a, complex_l b) { return (void)b, a == 0 ? 0 : a / cabsl(a); }
static complex_l z_square(complex_l a, complex_l b) { return (void)b, a * a; }
static complex_l z_exp(complex_l a, complex_l b) { return (void)b, cexpl(a); }
static complex_l z_exp2(complex_l a, complex_l b) { return (void)b, cexpl(a * logl(2)); }
static complex_l z_expm1(complex_l a, complex_l b) { return (void)b, cexpl(a) - 1; }
static complex_l z_log(complex_l a, complex_l b) { return (void)b, clogl(a); }
static complex_l z_log1p(complex_l a, complex_l b) { return (void)b, clogl(1 + a); }
static complex_l z_logistic(complex_l a, complex_l b) { return (void)b, 1 / (1 + cexpl(-a)); }
static complex_l z_tanh(complex_l a, complex_l b) { return (void)b, ctanhl(a); }
static complex_l z_sin(complex_l a, complex_l b) { return (void)b, csinl(a); }
static complex_l z_cos(complex_l a, complex_l b) { return (void)b, ccosl(a); }
static complex_l z_tan(complex_l a, complex_l b) { return (void)b, ctanl(a); }
static complex_l z_asin(complex_l a, complex_l b) { return (void)b, casinl(a); }
static complex_l z_acos(complex_l a, complex_l b) { return (void)b, cacosl(a); }
static complex_l z_atan(complex_l a, complex_l b) { return (void)b, catanl(a); }
static complex_l z_sinh(complex_l a, complex_l b) { return (void)b, csinhl(a); }
static complex_l z_cosh(complex_l a, complex_l b) { return (void)b, ccoshl(a); }
static complex_l z_asinh(complex_l a, complex_l b) { return (void)b, casinhl(a); }
static complex_l z_acosh(complex_l a, complex_l b) { return (void)b, cacoshl(a); }
static complex_l z_atanh(complex_l a, complex_l b) { return (void)b, catanhl(a); }
static complex_l z_sqrt(complex_l a, complex_l b) { return (void)b, csqrtl(a); }
static complex_l z_rsqrt(complex_l a, complex_l b) { return (void)b, 1 / csqrtl(a); }
static complex_l z_cube(complex_l a, complex_l b) { return (void)b, 1 / (a * a * a); }
static complex_l z_add(complex_l a, complex_l b) { return a + b; }
static complex_l z_sub(complex_l a, complex_l b) { return a - b; }
static complex_l z_mul(complex_l a, complex_l b) { return a * b; }
static complex_l z_div(complex_l a, complex_l b) { return a / b; }
static complex_l z_pow(complex_l a, complex_l b) { return cpowl(a, b); }
static complex_l z_round(complex_l a, complex_l b)
{
	(void)b;
	return __builtin_complex(r_round(creall(a), 0), r_round(cimagl(a), 0));
}
static complex_l z_max(complex_l a, complex_l b)
{
	if (creall(a) == creall(b)) return cimagl(a) > cimagl(b) ? a : b;
	return creall(a) > creall(b) ? a : b;
}
static complex_l z_min(complex_l a, complex_l b) { return -z_max(-a, -b); }
static complex_l z_abs(complex_l a, complex_l b) { return (void)b, cabsl(a); }
static complex_l z_real(complex_l a, complex_l b) { return (void)b, creall(a); }
static complex_l z_imag(complex_l a, complex_l b) { return (void)b, cimagl(a); }
static complex_l z_conj(complex_l a, complex_l b) { return (void)b, conjl(a); }

static const struct complex_op {
	const char *equation;
	complex_l (*exact)(complex_l, complex_l);
	double most;
} complex_ops[] = {
	{"neg %0", z_neg, 0},    {"sign %0", z_sign, 2},   {"square %0", z_square, 2},
	{"exp %0", z_exp, 4},    {"exp2 %0", z_exp2, 8},   {"expm1 %0", z_expm1, 8},
	{"log %0", z_log, 2},    {"log1p %0", z_log1p, 4}, {"logistic %0", z_logistic, 16},
	{"tanh %0", z_tanh, 16}, {"sin %0", z_sin, 4},     {"cos %0", z_cos, 4},
	{"tan %0", z_tan, 16},   {"asin %0", z_asin, 4},   {"acos %0", z_acos, 4},
	{"atan %0", z_atan, 4},  {"sinh %0", z_sinh, 4},   {"cosh %0", z_cosh, 4},
	{"asinh %0", z_asinh, 4}, {"acosh %0", z_acosh, 4}, {"atanh %0", z_atanh, 4},
	{"sqrt %0", z_sqrt, 2},  {"rsqrt %0", z_rsqrt, 4}, {"integer_pow %0 y=-3", z_cube, 8},
	{"add %0 %1", z_add, 1}, {"sub %0 %1", z_sub, 1},  {"mul %0 %1", z_mul, 2},
	{"div %0 %1", z_div, 4}, {"pow %0 %1", z_pow, 64}, {"abs %0", z_abs, 1},
	{"real %0", z_real, 0}, {"imag %0", z_imag, 0}, {"conj %0", z_conj, 0},
	{"round %0", z_round, 0}, {"max %0 %1", z_max, 0}, {"min %0 %1", z_min, 0},
};

static void complex_case(rig *r, const struct complex_op *op, tsr_dtype dtype)
{
	const bool both = strchr(op->equation, '1') != NULL;
	const bool real_result =
		op->exact == z_abs || op->exact == z_real || op->exact == z_imag;
	const double epsilon = dtype == TSR_C64 ? 0x1p-23 : 0x1p-52;
	double values[2][2 * PAIRS];
	char x[2][16 * PAIRS];
	uint64_t random = 3;

	for (int k = 0; k < 2; k++) {
		for (int i = 0; i < 2 * PAIRS; i++) values[k][i] = random_in(&random, -4, 4);
		for (int i = 0; i < 40; i += 2)
			values[k][i + 1] = 0, values[k][i] += values[k][i] == 0;
		dtype_convert(dtype, x[k], TSR_C128, values[k], PAIRS);
	}
	program *p = rig_program(r, both ? "T[1600]; T[1600]" : "T[1600]", op->equation,
	                         !real_result       ? "T[1600]"
	                         : dtype == TSR_C64 ? "f32[1600]"
	                                            : "f64[1600]",
	                         dtype);
	void *y = rig_eval(p, (void *[]){x[0], x[1]});
	for (int i = 0; i < PAIRS; i++) {
		double a[2], b[2], got[2] = {0, 0};
		dtype_get_complex(dtype, x[0], i, a);
		dtype_get_complex(dtype, x[1], i, b);
		dtype_get_complex(real_result ? dtype_real(dtype) : dtype, y, i, got);
		const complex_l want = op->exact(__builtin_complex((real)a[0], (real)a[1]),
		                                 __builtin_complex((real)b[0], (real)b[1]));
		const complex_l off = __builtin_complex((real)got[0], (real)got[1]) - want;
		if (!(cabsl(off) <= (real)(op->most * epsilon) * cabsl(want)))
			fail_msg("%s of %s (%a, %a), (%a, %a) = (%a, %a), off by %g", op->equation,
			         tsr_dtype_name(dtype), a[0], a[1], b[0], b[1], got[0], got[1],
			         (double)(cabsl(off) / cabsl(want)) / epsilon);
	}
	free(y);
	program_release(p);
}

static void complex_numbers(void **state)
{
	for (size_t k = 0; k < ARRAY_LEN(complex_ops); k++) {
		complex_case(*state, &complex_ops[k], TSR_C64);
		complex_case(*state, &complex_ops[k], TSR_C128);
	}
}

/* zeros with their sign; any NaN is one */
static bool same_number(double a, double b)
{
	return isnan(b) ? isnan(a) : a == b && !signbit(a) == !signbit(b);
}

/* corners that the formulas speak of */
static void complex_corners(void **state)
{
	static const struct { const char *equation; double a[2], b[2], want[2]; } cases[] = {
		{"div %0 %1", {1, -2}, {0, 0}, {INFINITY, -INFINITY}},
		{"div %0 %1", {1e300, 1e300}, {1e300, 1e300}, {1, 0}},
		{"div %0 %1", {1, 2}, {INFINITY, 0}, {0, 0}},
		{"sqrt %0", {0, -0.0}, {0}, {0, -0.0}},
		{"sqrt %0", {-4, 0}, {0}, {0, 2}},
		{"sqrt %0", {-4, -0.0}, {0}, {0, -2}},
		{"sqrt %0", {0x1p1022, 0}, {0}, {0x1p511, 0}},
		{"sqrt %0", {0x1p-1070, 0}, {0}, {0x1p-535, 0}},
		{"sqrt %0", {1, INFINITY}, {0}, {INFINITY, INFINITY}},
		{"sqrt %0", {-INFINITY, 1}, {0}, {0, INFINITY}},
		{"exp %0", {-INFINITY, 3}, {0}, {0, 0}},
		{"exp %0", {INFINITY, 0}, {0}, {INFINITY, 0}},
		{"log %0", {0, 0}, {0}, {-INFINITY, 0}},
		{"log %0", {INFINITY, 1}, {0}, {INFINITY, 0}},
		{"tanh %0", {400, 1}, {0}, {1, 0}},
		{"sign %0", {0, 0}, {0}, {0, 0}},
		{"sign %0", {1.5e308, 1.5e308}, {0}, {0x1.6a09e667f3bccp-1, 0x1.6a09e667f3bccp-1}},
		{"pow %0 %1", {0, 0}, {0, 0}, {1, 0}},
		{"pow %0 %1", {0, 0}, {2, 1}, {0, 0}},
		{"sin %0", {0, INFINITY}, {0}, {0, INFINITY}},
		/* a NaN in one part; infinite parts; what JAX 0.10.2 gives */
		{"log %0", {1, NAN}, {0}, {NAN, NAN}},
		{"log %0", {NAN, 1}, {0}, {NAN, NAN}},
		{"log %0", {NAN, INFINITY}, {0}, {NAN, NAN}},
		{"log1p %0", {0, NAN}, {0}, {NAN, NAN}},
		{"log1p %0", {NAN, 0.25}, {0}, {NAN, NAN}},
		{"log1p %0", {-INFINITY, NAN}, {0}, {NAN, NAN}},
		{"sqrt %0", {0, NAN}, {0}, {NAN, NAN}},
		{"sqrt %0", {NAN, 0}, {0}, {NAN, NAN}},
		{"sqrt %0", {-INFINITY, NAN}, {0}, {NAN, NAN}},
		{"sqrt %0", {NAN, INFINITY}, {0}, {NAN, NAN}},
		{"rsqrt %0", {2, INFINITY}, {0}, {0, -0.0}},
		{"rsqrt %0", {-INFINITY, -1}, {0}, {0, 0}},
		{"rsqrt %0", {NAN, -INFINITY}, {0}, {0, 0}},
		{"rsqrt %0", {INFINITY, NAN}, {0}, {0, -0.0}},
		{"rsqrt %0", {1, NAN}, {0}, {NAN, NAN}},
		{"exp %0", {1e300, -0.0}, {0}, {INFINITY, -0.0}},
		{"tanh %0", {INFINITY, NAN}, {0}, {1, 0}},
		{"tanh %0", {-INFINITY, INFINITY}, {0}, {-1, 0}},
		/* the sides of branch cuts, as in C and NumPy; very large and very small parts */
		{"asin %0", {2, 0}, {0}, {0x1.921fb54442d18p+0, 0x1.5124271980434p+0}},
		{"asin %0", {2, -0.0}, {0}, {0x1.921fb54442d18p+0, -0x1.5124271980434p+0}},
		{"acos %0", {-2, -0.0}, {0}, {0x1.921fb54442d18p+1, 0x1.5124271980434p+0}},
		{"acosh %0", {-2, -0.0}, {0}, {0x1.5124271980434p+0, -0x1.921fb54442d18p+1}},
		{"acosh %0", {0, 0}, {0}, {0, 0x1.921fb54442d18p+0}},
		{"asinh %0", {-0.0, 2}, {0}, {-0x1.5124271980434p+0, 0x1.921fb54442d18p+0}},
		{"atanh %0", {2, -0.0}, {0}, {0x1.193ea7aad030bp-1, -0x1.921fb54442d18p+0}},
		{"atan %0", {-0.0, 2}, {0}, {-0x1.921fb54442d18p+0, 0x1.193ea7aad030bp-1}},
		{"atanh %0", {1, 0}, {0}, {INFINITY, 0}},
		{"atanh %0", {1, 0x1p-1000}, {0}, {0x1.5aeb8fdc01b22p+8, 0x1.921fb54442d18p-1}},
		{"atanh %0", {0x1p+1000, -1}, {0}, {0x1p-1000, -0x1.921fb54442d18p+0}},
		{"asin %0", {0.5, 0x1p-1000}, {0}, {0x1.0c152382d7366p-1, 0x1.279a74590331cp-1000}},
		{"asin %0", {0x1p+1023, 0x1p+1023}, {0},
	         {0x1.921fb54442d18p-1, 0x1.63108c75a1936p+9}},
		{"asin %0", {NAN, -INFINITY}, {0}, {NAN, -INFINITY}},
		{"acos %0", {-INFINITY, 1}, {0}, {0x1.921fb54442d18p+1, -INFINITY}},
		{"atanh %0", {NAN, INFINITY}, {0}, {0, 0x1.921fb54442d18p+0}},
		{"sinh %0", {-0.0, -0.0}, {0}, {-0.0, -0.0}},
		{"cosh %0", {1, -0.0}, {0}, {0x1.8b07551d9f55p+0, -0.0}},
		{"tan %0", {1, 400}, {0}, {0, 1}},
		{"square %0", {1e300, 1e300}, {0}, {0, INFINITY}},
		{"square %0", {INFINITY, 1e300}, {0}, {INFINITY, INFINITY}},
		{"div %0 %1", {1, 2}, {INFINITY, -INFINITY}, {-0.0, 0}},
		{"div %0 %1", {1, 0}, {NAN, INFINITY}, {0, -0.0}},
		{"div %0 %1", {INFINITY, NAN}, {1, 1}, {INFINITY, -INFINITY}},
		{"div %0 %1", {INFINITY, 1}, {NAN, INFINITY}, {NAN, NAN}},
		{"integer_pow %0 y=-2", {1e300, 1e300}, {0}, {0, -0.0}},
		{"pow %0 %1", {1, 0}, {NAN, INFINITY}, {1, 0}},
		/* by real part, then imaginary part */
		{"max %0 %1", {2, 1}, {2, 3}, {2, 3}},
		{"max %0 %1", {-0.0, 5}, {0, 3}, {0, 5}},
		{"min %0 %1", {-0.0, 5}, {0, 3}, {-0.0, 3}},
		{"min %0 %1", {INFINITY, -9}, {INFINITY, -INFINITY}, {INFINITY, -INFINITY}},
		{"max %0 %1", {NAN, 1}, {9, 9}, {NAN, NAN}},
		{"min %0 %1", {1, 1}, {1, NAN}, {NAN, NAN}},
		{"round %0", {2.5, -0.5}, {0}, {2, -0.0}},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const bool both = strchr(cases[i].equation, '1') != NULL;
		double a[2], b[2];
		memcpy(a, cases[i].a, sizeof a);
		memcpy(b, cases[i].b, sizeof b);
		program *p = rig_program(*state, both ? "c128[]; c128[]" : "c128[]",
		                         cases[i].equation, "c128[]", TSR_C128);
		double *y = rig_eval(p, (void *[]){a, b});
		for (int k = 0; k < 2; k++)
			if (!same_number(y[k], cases[i].want[k]))
				fail_msg("%s of (%g, %g): (%a, %a)", cases[i].equation, a[0], a[1],
				         y[0], y[1]);
		free(y);
		program_release(p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_dtype),     cmocka_unit_test(integer_powers),
		cmocka_unit_test(choices),         cmocka_unit_test(bounds),
		cmocka_unit_test(casts),           cmocka_unit_test(complex_numbers),
		cmocka_unit_test(complex_corners),
	};

	return cmocka_run_group_tests(tests, rig_open, rig_close);
}
