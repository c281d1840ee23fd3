/* dtype.c - names, measures and promotes the element types, and converts between any two exactly.
 *
 * A conversion goes, block by block, through one of three wide types that hold every value of the
 * source: int64, uint64 or double. Only the last step rounds, so a value is rounded once. The one
 * exception is a large integer on its way to a float.
 *
 * Example, 2^60 + 2^52 + 1 as bf16, whose numbers are 2^53 apart there:
 *
 *     1157425104234217473
 *
 * It is above the middle of two of them. The nearest double is the middle, 2^60 + 2^52, which would
 * become the even one below. So the double is rounded to odd (see rounded_to_odd), after which
 * rounding to a shorter float gives the same as from the integer, 2^60 + 2^53:
 *
 *     1161928703861587968 */
#include "base/base.h"
#include <math.h>

#define TEXT_OF(x) TEXT_OF_(x)
#define TEXT_OF_(x) #x

static const struct dtype_row { char name[6]; uint8_t size, kind; } row_of[TSR_DTYPE_COUNT_] = {
	[TSR_DTYPE_DEFAULT] = {"?", 0, KIND_BOOL},
	[TSR_BOOL] = {"bool", 1, KIND_BOOL},
	[TSR_I8] = {"i8", 1, KIND_INT},
	[TSR_I16] = {"i16", 2, KIND_INT},
	[TSR_I32] = {"i32", 4, KIND_INT},
	[TSR_I64] = {"i64", 8, KIND_INT},
	[TSR_U8] = {"u8", 1, KIND_UINT},
	[TSR_U16] = {"u16", 2, KIND_UINT},
	[TSR_U32] = {"u32", 4, KIND_UINT},
	[TSR_U64] = {"u64", 8, KIND_UINT},
	[TSR_F16] = {"f16", 2, KIND_FLOAT},
	[TSR_BF16] = {"bf16", 2, KIND_FLOAT},
	[TSR_F32] = {"f32", 4, KIND_FLOAT},
	[TSR_F64] = {"f64", 8, KIND_FLOAT},
	[TSR_C64] = {"c64", 8, KIND_COMPLEX},
	[TSR_C128] = {"c128", 16, KIND_COMPLEX},
};

static const struct dtype_row *row(tsr_dtype d)
{
	return &row_of[dtype_ok(d) ? d : TSR_DTYPE_DEFAULT];
}

bool dtype_ok(tsr_dtype d) { return (int)d > TSR_DTYPE_DEFAULT && (int)d < TSR_DTYPE_COUNT_; }
enum dtype_kind dtype_kind(tsr_dtype d) { return (enum dtype_kind)row(d)->kind; }
int dtype_bits(tsr_dtype d) { return 8 * row(d)->size; }

const char *tsr_dtype_name(tsr_dtype d) { return row(d)->name; }
size_t tsr_dtype_size(tsr_dtype d) { return row(d)->size; }

const char *tsr_version(void)
{
	return TEXT_OF(TSR_VERSION_MAJOR) "." TEXT_OF(TSR_VERSION_MINOR) "."
	       TEXT_OF(TSR_VERSION_PATCH);
}

tsr_dtype dtype_parse(const char *name, size_t len)
{
	for (int d = TSR_BOOL; d < TSR_DTYPE_COUNT_; d++)
		if (strlen(row_of[d].name) == len && !memcmp(row_of[d].name, name, len))
			return (tsr_dtype)d;
	return TSR_DTYPE_DEFAULT;
}

tsr_dtype dtype_real(tsr_dtype d) { return d == TSR_C64 ? TSR_F32 : d == TSR_C128 ? TSR_F64 : d; }
tsr_dtype dtype_wide(tsr_dtype d) { return d == TSR_F16 || d == TSR_BF16 ? TSR_F32 : d; }

/* integers of 64 bits keep their width */
tsr_dtype dtype_inexact(tsr_dtype d)
{
	if (!dtype_ok(d) || dtype_kind(d) >= KIND_FLOAT) return d;
	return dtype_bits(d) == 64 ? TSR_F64 : TSR_F32;
}

tsr_dtype dtype_usual(const base *b, enum dtype_kind kind)
{
	static const tsr_dtype of[][2] = {
		[KIND_BOOL] = {TSR_BOOL, TSR_BOOL},     [KIND_INT] = {TSR_I32, TSR_I64},
		[KIND_UINT] = {TSR_U32, TSR_U64},       [KIND_FLOAT] = {TSR_F32, TSR_F64},
		[KIND_COMPLEX] = {TSR_C64, TSR_C128},
	};

	return of[kind][b->x64];
}

tsr_dtype dtype_holding(int64_t most) { return most > INT32_MAX ? TSR_I64 : TSR_I32; }

tsr_dtype dtype_counting(const base *b, int64_t most)
{
	return b->x64 ? TSR_I64 : dtype_holding(most);
}

/* ---- promotion */

/* JAX's lattice as rules. Kinds are ordered bool < integers < floats < complex. A float or complex
 * dtype stays beside a lower kind. Two floats, or two complex dtypes, give the wider one; f16 and
 * bf16 give f32. Two integers give the smallest integer dtype that holds both; u64 and a signed
 * integer have none, and give f64. */
static tsr_dtype promote_ints(tsr_dtype a, tsr_dtype b)
{
	if (dtype_kind(a) == dtype_kind(b)) return a > b ? a : b;
	const tsr_dtype sign = dtype_kind(a) == KIND_INT ? a : b, plain = sign == a ? b : a;
	if (plain == TSR_U64) return TSR_F64;
	const tsr_dtype holds = (tsr_dtype)(plain - TSR_U8 + TSR_I16);
	return sign > holds ? sign : holds;
}

tsr_dtype tsr_promote(tsr_dtype a, tsr_dtype b)
{
	if (!dtype_ok(a) || !dtype_ok(b)) return TSR_DTYPE_DEFAULT;
	if (a > b) return tsr_promote(b, a);
	if (a == b || a == TSR_BOOL) return b;
	if (b < TSR_F16) return promote_ints(a, b);
	if (a == TSR_F16 && b == TSR_BF16) return TSR_F32;
	return a == TSR_F64 && b == TSR_C64 ? TSR_C128 : b;
}

/* ---- weak elements: in JAX's lattice the weak type of a kind is below the dtypes of that kind,
 * and above those of lower kinds. Of two weak types of one kind the wider one wins. */

/* integers with and without sign are one kind */
static int rank_of(tsr_dtype d)
{
	return dtype_kind(d) == KIND_UINT ? (int)KIND_INT : (int)dtype_kind(d);
}

static etype join_weak(etype a, etype b)
{
	const bool whole = rank_of(a.dtype) == KIND_INT && rank_of(b.dtype) == KIND_INT;

	if (!whole) return (etype){tsr_promote(a.dtype, b.dtype), true};
	return a.dtype > b.dtype ? a : b;
}

etype etype_join(etype a, etype b)
{
	if (a.weak && b.weak) return join_weak(a, b);
	if (b.weak) return etype_join(b, a);
	if (!a.weak) return (etype){tsr_promote(a.dtype, b.dtype), false};
	if (rank_of(a.dtype) <= rank_of(b.dtype)) return b;
	const bool wide = dtype_inexact(b.dtype) == TSR_F64;
	if (rank_of(a.dtype) == KIND_COMPLEX && (wide || rank_of(b.dtype) == KIND_FLOAT))
		return (etype){wide ? TSR_C128 : TSR_C64, false};
	return wide && rank_of(a.dtype) == KIND_FLOAT ? (etype){TSR_F64, false} : a;
}

etype etype_inexact(etype of) { return (etype){dtype_inexact(of.dtype), of.weak}; }

static etype etype_of_integer(const base *b, uint64_t magnitude)
{
	return (etype){magnitude <= INT64_MAX ? dtype_counting(b, (int64_t)magnitude) : TSR_U64,
	               true};
}

etype etype_of_number(const base *b, const tsr_arg *a)
{
	switch (a->kind) {
	case TSR_KIND_BOOL: return (etype){TSR_BOOL, false};
	case TSR_KIND_INT: return etype_of_integer(b, a->as.i < 0 ? ~a->as.u : a->as.u);
	case TSR_KIND_UINT: return etype_of_integer(b, a->as.u);
	case TSR_KIND_FLOAT: return (etype){dtype_usual(b, KIND_FLOAT), true};
	case TSR_KIND_COMPLEX: return (etype){dtype_usual(b, KIND_COMPLEX), true};
	default: return (etype){TSR_DTYPE_DEFAULT, false};
	}
}

etype etype_wide(etype of)
{
	if (!of.weak || rank_of(of.dtype) < KIND_FLOAT) return of;
	return (etype){rank_of(of.dtype) == KIND_FLOAT ? TSR_F64 : TSR_C128, true};
}

etype etype_default(const base *b, etype of)
{
	if (b->x64 || !of.weak || rank_of(of.dtype) < KIND_FLOAT) return of;
	return (etype){dtype_usual(b, dtype_kind(of.dtype)), true};
}

/* an integer is u64* only if i64 does not hold it, and i64*, unless that is usual, only if i32 does
 * not */
bool etype_fits(const base *b, etype of, tsr_dtype to)
{
	const enum dtype_kind kind = dtype_kind(to);

	if (!of.weak || (kind != KIND_INT && kind != KIND_UINT)) return true;
	if (of.dtype == TSR_U64) return to == TSR_U64;
	return of.dtype != TSR_I64 || b->x64 || to == TSR_U32 || dtype_bits(to) == 64;
}

bool number_fits(tsr_dtype d, const tsr_arg *a)
{
	const enum dtype_kind kind = dtype_kind(d);
	const bool negative = a->kind == TSR_KIND_INT && a->as.i < 0;
	const bool whole = a->kind == TSR_KIND_INT || a->kind == TSR_KIND_UINT;
	const uint64_t magnitude = negative ? ~a->as.u : a->as.u; /* -1 is 0, as -128 is 127 */
	const int bits = dtype_bits(d) - (kind == KIND_INT || negative);

	if (!whole || (kind != KIND_INT && kind != KIND_UINT)) return true;
	return bits >= 64 || !(magnitude >> bits);
}

/* ---- 16-bit floats, by integer arithmetic: right in every rounding mode and with denormals
 * flushed */

static uint32_t bits_of(float x) { uint32_t u; memcpy(&u, &x, sizeof u); return u; }
static float float_of(uint32_t u) { float x; memcpy(&x, &u, sizeof x); return x; }

/* f16 has 5 bits of exponent (bias 15) and 10 of fraction */
float f16_to_f32(uint16_t h)
{
	const uint32_t sign = (uint32_t)(h & 0x8000) << 16;
	const uint32_t exponent = (h >> 10) & 31, fraction = h & 1023;

	if (exponent == 31) return float_of(sign | 0x7F800000 | fraction << 13);
	if (exponent) return float_of(sign | (exponent + 127 - 15) << 23 | fraction << 13);
	if (!fraction) return float_of(sign);
	const int shift = __builtin_clz(fraction) - 21;      /* brings the leading one to bit 10 */
	return float_of(sign | (uint32_t)(113 - shift) << 23 | ((fraction << shift) & 1023) << 13);
}

uint16_t f32_to_f16(float x)
{
	const uint32_t u = bits_of(x), a = u & 0x7FFFFFFF, sign = u >> 16 & 0x8000;

	if (a > 0x7F800000) return (uint16_t)(sign | 0x7E00 | (a >> 13 & 0x3FF));
	if (a >= 0x477FF000) return (uint16_t)(sign | 0x7C00);          /* from 65520: infinity */
	if (a >= 0x38800000)                                            /* from 2^-14: normal */
		return (uint16_t)(sign | ((a - 0x38000000 + 0xFFF + (a >> 13 & 1)) >> 13));
	const uint32_t shift = 126 - (a >> 23);                         /* to units of 2^-24 */
	if (shift > 24) return (uint16_t)sign;
	const uint32_t m = (a & 0x7FFFFF) | 0x800000, down = m >> shift;
	const uint32_t rest = m & ((1U << shift) - 1), half = 1U << (shift - 1);
	return (uint16_t)(sign | (down + (rest > half || (rest == half && (down & 1)))));
}

float bf16_to_f32(uint16_t h) { return float_of((uint32_t)h << 16); }

uint16_t f32_to_bf16(float x)
{
	const uint32_t u = bits_of(x);

	if ((u & 0x7FFFFFFF) > 0x7F800000) return (uint16_t)(u >> 16 | 0x40);
	return (uint16_t)((u + 0x7FFF + (u >> 16 & 1)) >> 16);
}

/* Rounding to odd: an inexact value becomes that of its two neighbours whose last bit is 1. The bit
 * records that something was cut off, so a later rounding to a format that is at least two bits
 * shorter gives the same as rounding at once. Example, 1.001001 (binary) to 3 bits by way of 5: to
 * nearest it would become 1.0010, and that, a tie, 1.00; to odd it becomes 1.0011, and that,
 * rightly, 1.01. */
static float rounded_to_odd(double x)
{
	const float near = (float)x;
	const uint32_t u = bits_of(near);

	if (x != x || (double)near == x || u & 1) return near;
	return float_of(fabs((double)near) > fabs(x) ? u - 1 : u + 1);
}

uint16_t f64_to_f16(double x) { return f32_to_f16(rounded_to_odd(x)); }
uint16_t f64_to_bf16(double x) { return f32_to_bf16(rounded_to_odd(x)); }

/* m as a double: exact up to 2^53, above that rounded to odd */
static double odd_of_u64(uint64_t m)
{
	if (m >> 53) m = (m >> 11 | ((m & 2047) != 0)) << 11;
	return (double)m;
}

static double odd_of_i64(int64_t x)
{
	return x < 0 ? -odd_of_u64(-(uint64_t)x) : odd_of_u64((uint64_t)x);
}

/* ---- conversion */

#define AT_ONCE 256

typedef union wide { int64_t i[AT_ONCE]; uint64_t u[AT_ONCE]; double f[AT_ONCE]; } wide;

static int64_t f64_to_i64(double x, int64_t least, int64_t most)
{
	if (x != x) return 0;
	if (x >= 0x1p63) return most;
	if (x < -0x1p63) return least;
	const int64_t i = (int64_t)x;
	return i < least ? least : i > most ? most : i;
}

static uint64_t f64_to_u64(double x, uint64_t most)
{
	if (!(x > 0)) return 0;
	const uint64_t u = x < 0x1p64 ? (uint64_t)x : UINT64_MAX;
	return u > most ? most : u;
}

/* Widens n elements from `in`, `step` elements apart (2 skips imaginary parts). The memory may be
 * the user's: it need not be aligned, and may have been written as any type. */
static void load(wide *w, tsr_dtype from, const void *in, int step, int n)
{
#define LOAD(dtype, type, member, wider) \
	case dtype: for (int k = 0; k < n; k++) { \
		type x; \
		memcpy(&x, (const char *)in + (size_t)(k * step) * sizeof x, sizeof x); \
		w->member[k] = wider; \
	} break
	switch ((int)from) {
	LOAD(TSR_BOOL, uint8_t, u, x != 0);
	LOAD(TSR_I8, int8_t, i, x);
	LOAD(TSR_I16, int16_t, i, x);
	LOAD(TSR_I32, int32_t, i, x);
	LOAD(TSR_I64, int64_t, i, x);
	LOAD(TSR_U8, uint8_t, u, x);
	LOAD(TSR_U16, uint16_t, u, x);
	LOAD(TSR_U32, uint32_t, u, x);
	LOAD(TSR_U64, uint64_t, u, x);
	LOAD(TSR_F16, uint16_t, f, (double)f16_to_f32(x));
	LOAD(TSR_BF16, uint16_t, f, (double)bf16_to_f32(x));
	LOAD(TSR_F32, float, f, (double)x);
	LOAD(TSR_F64, double, f, x);
	}
#undef LOAD
}

#define STORE(dtype, type, member, value) \
	case dtype: for (int k = 0; k < n; k++) { \
		const __typeof__(w->member[0]) x = w->member[k]; \
		const type y = (type)(value); \
		memcpy((char *)out + (size_t)(k * step) * sizeof y, &y, sizeof y); \
	} break

static void store_int(void *out, tsr_dtype to, int step, const wide *w, int n)
{
	switch ((int)to) {
	STORE(TSR_BOOL, uint8_t, i, x != 0);
	STORE(TSR_I8, int8_t, i, x);
	STORE(TSR_I16, int16_t, i, x);
	STORE(TSR_I32, int32_t, i, x);
	STORE(TSR_I64, int64_t, i, x);
	STORE(TSR_U8, uint8_t, i, x);
	STORE(TSR_U16, uint16_t, i, x);
	STORE(TSR_U32, uint32_t, i, x);
	STORE(TSR_U64, uint64_t, i, x);
	STORE(TSR_F16, uint16_t, i, f64_to_f16(odd_of_i64(x)));
	STORE(TSR_BF16, uint16_t, i, f64_to_bf16(odd_of_i64(x)));
	STORE(TSR_F32, float, i, x);
	STORE(TSR_F64, double, i, x);
	}
}

/* only what differs from store_int: to any integer both wrap alike */
static void store_uint(void *out, tsr_dtype to, int step, const wide *w, int n)
{
	switch ((int)to) {
	STORE(TSR_F16, uint16_t, u, f64_to_f16(odd_of_u64(x)));
	STORE(TSR_BF16, uint16_t, u, f64_to_bf16(odd_of_u64(x)));
	STORE(TSR_F32, float, u, x);
	STORE(TSR_F64, double, u, x);
	default: store_int(out, to, step, w, n);
	}
}

static void store_float(void *out, tsr_dtype to, int step, const wide *w, int n)
{
	switch ((int)to) {
	STORE(TSR_BOOL, uint8_t, f, x != 0);
	STORE(TSR_I8, int8_t, f, f64_to_i64(x, INT8_MIN, INT8_MAX));
	STORE(TSR_I16, int16_t, f, f64_to_i64(x, INT16_MIN, INT16_MAX));
	STORE(TSR_I32, int32_t, f, f64_to_i64(x, INT32_MIN, INT32_MAX));
	STORE(TSR_I64, int64_t, f, f64_to_i64(x, INT64_MIN, INT64_MAX));
	STORE(TSR_U8, uint8_t, f, f64_to_u64(x, UINT8_MAX));
	STORE(TSR_U16, uint16_t, f, f64_to_u64(x, UINT16_MAX));
	STORE(TSR_U32, uint32_t, f, f64_to_u64(x, UINT32_MAX));
	STORE(TSR_U64, uint64_t, f, f64_to_u64(x, UINT64_MAX));
	STORE(TSR_F16, uint16_t, f, f64_to_f16(x));
	STORE(TSR_BF16, uint16_t, f, f64_to_bf16(x));
	STORE(TSR_F32, float, f, x);
	STORE(TSR_F64, double, f, x);
	}
}
#undef STORE

static void convert_real(tsr_dtype to, void *out, int out_step, tsr_dtype from, const void *in,
                         int in_step, int64_t n)
{
	const enum dtype_kind kind = dtype_kind(from);
	const size_t out_size = tsr_dtype_size(to) * (size_t)out_step;
	const size_t in_size = tsr_dtype_size(from) * (size_t)in_step;
	wide w;

	for (int64_t done = 0; done < n; done += AT_ONCE) {
		const int m = n - done < AT_ONCE ? (int)(n - done) : AT_ONCE;
		void *to_here = (char *)out + (size_t)done * out_size;
		load(&w, from, (const char *)in + (size_t)done * in_size, in_step, m);
		if (kind == KIND_FLOAT) store_float(to_here, to, out_step, &w, m);
		else if (kind == KIND_INT) store_int(to_here, to, out_step, &w, m);
		else store_uint(to_here, to, out_step, &w, m);
	}
}

static void complex_to_bool(uint8_t *out, tsr_dtype from, const void *in, int64_t n)
{
	for (int64_t k = 0; k < n; k++) {
		double x[2];
		dtype_get_complex(from, in, k, x);
		out[k] = x[0] != 0 || x[1] != 0;
	}
}

void dtype_convert(tsr_dtype to, void *out, tsr_dtype from, const void *in, int64_t n)
{
	const bool pairs_in = dtype_kind(from) == KIND_COMPLEX;
	const bool pairs_out = dtype_kind(to) == KIND_COMPLEX;
	const tsr_dtype real_in = dtype_real(from), real_out = dtype_real(to);

	if (n <= 0) return;
	if (to == from && to != TSR_BOOL) {
		memcpy(out, in, (size_t)n * tsr_dtype_size(to));
		return;
	}
	FLOAT_DEFAULT;
	if (pairs_in && pairs_out) {
		convert_real(real_out, out, 1, real_in, in, 1, 2 * n);
	} else if (pairs_in && to == TSR_BOOL) {
		complex_to_bool(out, from, in, n);
	} else {
		if (pairs_out) memset(out, 0, (size_t)n * tsr_dtype_size(to));
		convert_real(real_out, out, 1 + pairs_out, real_in, in, 1 + pairs_in, n);
	}
}

void dtype_get_complex(tsr_dtype d, const void *data, int64_t index, double out[2])
{
	dtype_convert(TSR_C128, out, d, (const char *)data + (size_t)index * tsr_dtype_size(d), 1);
}

double dtype_get(tsr_dtype d, const void *data, int64_t index)
{
	double out[2];

	dtype_get_complex(d, data, index, out);
	return out[0];
}

void dtype_from_arg(tsr_dtype d, const tsr_arg *arg, void *out)
{
	const uint8_t yes = arg->as.i != 0;

	switch (arg->kind) {
	case TSR_KIND_BOOL: dtype_convert(d, out, TSR_BOOL, &yes, 1); break;
	case TSR_KIND_INT: dtype_convert(d, out, TSR_I64, &arg->as.i, 1); break;
	case TSR_KIND_UINT: dtype_convert(d, out, TSR_U64, &arg->as.u, 1); break;
	case TSR_KIND_FLOAT: dtype_convert(d, out, TSR_F64, arg->as.f, 1); break;
	case TSR_KIND_COMPLEX: dtype_convert(d, out, TSR_C128, arg->as.f, 1); break;
	}
}
