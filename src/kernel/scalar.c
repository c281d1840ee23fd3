/* scalar.c - computes operations on one number, as docs/numerics.md defines them where C leaves
 * them open: division by zero, shifts that are too wide, NaN and signed zero in max and min.
 *
 * Example:
 *
 *     f() -> i32[], i32[], u32[] {
 *       %0: i32[] = div 7:i32 0:i32
 *       %1: i32[] = rem 7:i32 0:i32
 *       %2: u32[] = shift_left 1:u32 40:u32
 *       return %0 %1 %2
 *     }
 *
 * Known integers are computed here while the kernel is built, so what a machine would do with them
 * does not count:
 *
 *     kernel() -> (out0: i32[], out1: i32[], out2: u32[]) {
 *       store out0 = -1:i32
 *       store out1 = 7:i32
 *       store out2 = 0:u32
 *     } */
#include <math.h>
#include "kernel/kernel.h"

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

/* ---- one node of a kernel. Integers as 64 bits, sign extended where they have a sign */

static uint64_t wide_bits(tsr_dtype t, kscalar x)
{
	uint64_t u = 0;

	if (t == TSR_BOOL) return x.bytes[0] != 0;
	if (t == TSR_U64) return x.bits;
	dtype_convert(TSR_I64, &u, t, &x, 1);
	return u;
}

static kscalar cut_bits(tsr_dtype t, uint64_t u)
{
	kscalar y = {.bits = 0};

	dtype_convert(t, &y, TSR_U64, &u, 1);
	return y;
}

static uint64_t shifted(kop op, tsr_dtype t, uint64_t a, uint64_t by)
{
	const int width = dtype_bits(t);

	by &= UINT64_MAX >> (64 - width);
	if (op == K_SHL) return shifted_left(a, by, width);
	return (op == K_SHR ? shifted_right : shifted_right_filled)(a, by, width);
}

static uint64_t of_integers(kop op, tsr_dtype t, uint64_t a, uint64_t b)
{
	const bool has_sign = dtype_kind(t) == KIND_INT;
	const int64_t i = (int64_t)a, j = (int64_t)b;
	const bool less = has_sign ? i < j : a < b;

	switch (op) {
	case K_NEG: return 0 - a;
	case K_NOT: return t == TSR_BOOL ? !a : ~a;
	case K_ADD: return a + b;
	case K_SUB: return a - b;
	case K_MUL: return a * b;
	case K_DIV: return has_sign ? (uint64_t)div_i64(i, j) : div_u64(a, b);
	case K_REM: return has_sign ? (uint64_t)rem_i64(i, j) : rem_u64(a, b);
	case K_MIN: return less ? a : b;
	case K_MAX: return less ? b : a;
	case K_AND: return a & b;
	case K_OR: return a | b;
	case K_XOR: return a ^ b;
	case K_EQ: return a == b;
	case K_NE: return a != b;
	case K_LT: return less;
	case K_GE: return !less;
	case K_LE: return less || a == b;
	case K_GT: return !less && a != b;
	default: return shifted(op, t, a, b);
	}
}

#define FLOAT_OPS(real, suffix, f) \
	static real of_##suffix(const knode *n, const real *x) \
	{ \
		switch (n->op) { \
		case K_NEG: return -x[0]; \
		case K_ABS: return fabs##f(x[0]); \
		case K_FLOOR: return floor##f(x[0]); \
		case K_CEIL: return ceil##f(x[0]); \
		case K_ROUND: return rint##f(x[0]); \
		case K_SQRT: return sqrt##f(x[0]); \
		case K_ADD: return x[0] + x[1]; \
		case K_SUB: return x[0] - x[1]; \
		case K_MUL: return x[0] * x[1]; \
		case K_DIV: return x[0] / x[1]; \
		case K_REM: return fmod##f(x[0], x[1]); \
		case K_MIN: return min_##suffix(x[0], x[1]); \
		case K_MAX: return max_##suffix(x[0], x[1]); \
		case K_COPYSIGN: return copysign##f(x[0], x[1]); \
		case K_FMA: return fma##f(x[0], x[1], x[2]); \
		default: return kfn_##suffix((kfn)n->bits, x); \
		} \
	} \
	static bool is_##suffix(kop op, real a, real b) \
	{ \
		switch (op) { \
		case K_EQ: return a == b; \
		case K_NE: return a != b; \
		case K_LT: return a < b; \
		case K_LE: return a <= b; \
		case K_GT: return a > b; \
		default: return a >= b; \
		} \
	}

FLOAT_OPS(float, f32, f)
FLOAT_OPS(double, f64, )

static kscalar of_float_node(const knode *n, tsr_dtype from, const kscalar *x)
{
	const bool compares = n->op >= K_EQ && n->op <= K_GE;
	kscalar y = {.bits = 0};
	float f[3];
	double d[3];

	for (int i = 0; i < n->nargs; i++) {
		f[i] = x[i].f32;
		d[i] = x[i].f64;
	}
	if (compares)
		y.bytes[0] =
			from == TSR_F32 ? is_f32(n->op, f[0], f[1]) : is_f64(n->op, d[0], d[1]);
	else if (from == TSR_F32)
		y.f32 = of_f32(n, f);
	else
		y.f64 = of_f64(n, d);
	return y;
}

static kscalar complex_node(const knode *n, tsr_dtype from, const kscalar *x)
{
	kscalar y = {.bits = 0};

	switch (n->op) {
	case K_COMPLEX:
		if (n->dtype == TSR_C64)
			y.c64[0] = x[0].f32, y.c64[1] = x[1].f32;
		else
			y.c128[0] = x[0].f64, y.c128[1] = x[1].f64;
		break;
	default:
		if (from == TSR_C64)
			y.f32 = x[0].c64[n->op == K_IM];
		else
			y.f64 = x[0].c128[n->op == K_IM];
	}
	return y;
}

kscalar scalar_of(const knode *n, tsr_dtype from, const kscalar *x)
{
	kscalar y = {.bits = 0};

	switch (n->op) {
	case K_CONST: y.bits = n->bits; return y;
	case K_SELECT: return x[0].bytes[0] ? x[1] : x[2];
	case K_CONVERT: dtype_convert(n->dtype, &y, from, x, 1); return y;
	case K_BITCAST: return x[0];
	case K_COMPLEX:
	case K_RE:
	case K_IM: return complex_node(n, from, x);
	default: break;
	}
	if (dtype_kind(from) == KIND_FLOAT) return of_float_node(n, from, x);
	const uint64_t b = n->nargs > 1 ? wide_bits(from, x[1]) : 0;
	return cut_bits(n->dtype, of_integers(n->op, from, wide_bits(from, x[0]), b));
}

/* ---- reductions */

static uint64_t neutral_bits(kreduction kind, tsr_dtype t)
{
	const int bits = dtype_bits(t);
	const bool has_sign = dtype_kind(t) == KIND_INT;

	switch (kind) {
	case KR_PROD: return 1;
	case KR_MAX: return has_sign ? (uint64_t)1 << (bits - 1) : 0;
	case KR_MIN: return has_sign ? ((uint64_t)1 << (bits - 1)) - 1 : UINT64_MAX;
	case KR_AND: return UINT64_MAX;
	default: return 0;
	}
}

kscalar scalar_neutral(kreduction kind, tsr_dtype t)
{
	double f = kind == KR_PROD;
	kscalar y = {.bits = 0};

	if (kind == KR_MAX) f = -INFINITY;
	if (kind == KR_MIN) f = INFINITY;
	if (dtype_kind(t) < KIND_FLOAT) return cut_bits(t, neutral_bits(kind, t));
	dtype_convert(t, &y, TSR_F64, &f, 1);
	return y;
}
