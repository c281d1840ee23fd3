/* test_local.c - elementwise rows against oracles of their own: reals in long double, integers in
 * 128 bits. test_complex.c has complex numbers, test_local_mixed.c rows of several dtypes. */
#include "prim/local_rig.h"

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_dtype),
	};

	return cmocka_run_group_tests(tests, rig_open, rig_close);
}
