/* test_base_dtype.c - names, promotion and conversion against tables and slow oracles. */
#include "unit/base_rig.h"
#include <math.h>
#include <stdlib.h>

static const base narrow, wide = {.x64 = true};

static const char *const names[] = {
	"bool", "i8",  "i16",  "i32", "i64", "u8",  "u16",  "u32",
	"u64",  "f16", "bf16", "f32", "f64", "c64", "c128",
};

static tsr_dtype named(const char *name, size_t len)
{
	const tsr_dtype d = dtype_parse(name, len);
	assert_true(dtype_ok(d));
	return d;
}

static void test_dtype_names(void **state)
{
	static const uint8_t sizes[] = {1, 1, 2, 4, 8, 1, 2, 4, 8, 2, 2, 4, 8, 8, 16};
	static const enum dtype_kind kinds[] = {
		KIND_BOOL,  KIND_INT,   KIND_INT,   KIND_INT,     KIND_INT,
		KIND_UINT,  KIND_UINT,  KIND_UINT,  KIND_UINT,    KIND_FLOAT,
		KIND_FLOAT, KIND_FLOAT, KIND_FLOAT, KIND_COMPLEX, KIND_COMPLEX,
	};
	(void)state;
	assert_int_equal(ARRAY_LEN(names) + 1, TSR_DTYPE_COUNT_);
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		const tsr_dtype d = (tsr_dtype)(i + 1);
		assert_string_equal(tsr_dtype_name(d), names[i]);
		assert_int_equal(dtype_parse(names[i], strlen(names[i])), d);
		assert_int_equal(dtype_parse(names[i], strlen(names[i]) - 1), TSR_DTYPE_DEFAULT);
		assert_int_equal(tsr_dtype_size(d), sizes[i]);
		assert_int_equal(dtype_bits(d), 8 * sizes[i]);
		assert_int_equal(dtype_kind(d), kinds[i]);
		assert_int_equal(dtype_real(d), i < 13 ? d : i < 14 ? TSR_F32 : TSR_F64);
		assert_int_equal(dtype_inexact(d), i >= 9          ? d
		                                   : sizes[i] == 8 ? TSR_F64
		                                                   : TSR_F32);
	}
	static const int none[] = {TSR_DTYPE_DEFAULT, TSR_DTYPE_COUNT_, 1000, -1};
	for (size_t i = 0; i < ARRAY_LEN(none); i++) {
		assert_false(dtype_ok((tsr_dtype)none[i]));
		assert_string_equal(tsr_dtype_name((tsr_dtype)none[i]), "?");
		assert_int_equal(tsr_dtype_size((tsr_dtype)none[i]), 0);
		assert_int_equal(tsr_promote((tsr_dtype)none[i], TSR_F32), TSR_DTYPE_DEFAULT);
	}
	assert_int_equal(dtype_parse("float", 5), TSR_DTYPE_DEFAULT);
	assert_int_equal(dtype_parse("?", 1), TSR_DTYPE_DEFAULT);
	assert_int_equal(dtype_parse("", 0), TSR_DTYPE_DEFAULT);
	assert_int_equal(dtype_parse("f32x", 3), TSR_F32);
	assert_string_equal(tsr_version(), "0.2.0");
}

/* the words of a row, as dtypes */
static void row_of_dtypes(const char *text, tsr_dtype out[15])
{
	for (int i = 0; i < 15; i++) {
		const size_t n = strcspn(text, " ");
		out[i] = named(text, n);
		text += n + (text[n] == ' ');
	}
	assert_int_equal(*text, 0);
}

/* the words of a row, "i8 f32* ...", as elements; how many there are */
static int row_of_etypes(const char *text, etype *out, int most)
{
	int i = 0;

	for (; *text && i < most; i++) {
		const size_t n = strcspn(text, " *");
		out[i] = (etype){named(text, n), text[n] == '*'};
		text += n + out[i].weak;
		text += *text == ' ';
	}
	assert_int_equal(*text, 0);
	return i;
}

static void assert_etype(etype is, etype want)
{
	assert_string_equal(tsr_dtype_name(is.dtype), tsr_dtype_name(want.dtype));
	assert_int_equal(is.weak, want.weak);
}

/* jnp.promote_types with 64-bit types on */
static void test_dtype_promotion(void **state)
{
	static const char *const rows[] = {
		"bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 c64 c128",
		"i8 i8 i16 i32 i64 i16 i32 i64 f64 f16 bf16 f32 f64 c64 c128",
		"i16 i16 i16 i32 i64 i16 i32 i64 f64 f16 bf16 f32 f64 c64 c128",
		"i32 i32 i32 i32 i64 i32 i32 i64 f64 f16 bf16 f32 f64 c64 c128",
		"i64 i64 i64 i64 i64 i64 i64 i64 f64 f16 bf16 f32 f64 c64 c128",
		"u8 i16 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 c64 c128",
		"u16 i32 i32 i32 i64 u16 u16 u32 u64 f16 bf16 f32 f64 c64 c128",
		"u32 i64 i64 i64 i64 u32 u32 u32 u64 f16 bf16 f32 f64 c64 c128",
		"u64 f64 f64 f64 f64 u64 u64 u64 u64 f16 bf16 f32 f64 c64 c128",
		"f16 f16 f16 f16 f16 f16 f16 f16 f16 f16 f32 f32 f64 c64 c128",
		"bf16 bf16 bf16 bf16 bf16 bf16 bf16 bf16 bf16 f32 bf16 f32 f64 c64 c128",
		"f32 f32 f32 f32 f32 f32 f32 f32 f32 f32 f32 f32 f64 c64 c128",
		"f64 f64 f64 f64 f64 f64 f64 f64 f64 f64 f64 f64 f64 c128 c128",
		"c64 c64 c64 c64 c64 c64 c64 c64 c64 c64 c64 c64 c128 c64 c128",
		"c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128",
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		tsr_dtype want[15];
		row_of_dtypes(rows[i], want);
		for (int j = 0; j < 15; j++)
			assert_int_equal(tsr_promote((tsr_dtype)(i + 1), (tsr_dtype)(j + 1)),
			                 want[j]);
	}
}

/* a Python bool, int, float or complex beside each dtype: JAX's jnp.result_type, and whether the
 * result of an operation on both is weak */
static void test_etype_join(void **state)
{
	static const struct {
		tsr_arg number;
		const char *alone, *beside;
	} rows[] = {
		{{.kind = TSR_KIND_BOOL, .as.i = 1}, "bool",
	         "bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 c64 c128"},
		{{.kind = TSR_KIND_INT, .as.i = -7}, "i32*",
	         "i32* i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 c64 c128"},
		{{.kind = TSR_KIND_UINT, .as.u = 7}, "i32*",
	         "i32* i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 c64 c128"},
		{{.kind = TSR_KIND_FLOAT, .as.f = {0.5, 0}}, "f32*",
	         "f32* f32* f32* f32* f64 f32* f32* f32* f64 f16 bf16 f32 f64 c64 c128"},
		{{.kind = TSR_KIND_COMPLEX, .as.f = {0, 1}}, "c64*",
	         "c64* c64* c64* c64* c128 c64* c64* c64* c128 c64 c64 c64 c128 c64 c128"},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		etype want[15], alone;
		row_of_etypes(rows[i].alone, &alone, 1);
		row_of_etypes(rows[i].beside, want, 15);
		const etype number = etype_of_number(&narrow, &rows[i].number);
		assert_etype(number, alone);
		for (int j = 0; j < 15; j++) {
			const etype strong = {(tsr_dtype)(j + 1), false};
			assert_etype(etype_join(number, strong), want[j]);
			assert_etype(etype_join(strong, number), want[j]);
		}
	}
}

/* weak beside weak: the higher kind, and the wider width */
static void test_etype_join_weak(void **state)
{
	static const char *const rows[] = {"i32* i32* i32*", "i32* i64* i64*", "i64* u64* u64*",
	                                   "i64* f32* f32*", "u64* f32* f32*", "i32* f64* f64*",
	                                   "f32* f64* f64*", "f32* c64* c64*", "f64* c64* c128*",
	                                   "i64* c64* c64*", "c64* c128* c128*"};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		etype e[3];
		row_of_etypes(rows[i], e, 3);
		assert_etype(etype_join(e[0], e[1]), e[2]);
		assert_etype(etype_join(e[1], e[0]), e[2]);
	}
}

/* by value: what a number is alone, and as an argument; which integers hold it */
static void test_numbers(void **state)
{
	static const struct {
		tsr_arg number;
		const char *alone_exact, *fits;
	} rows[] = {
		{{.kind = TSR_KIND_INT, .as.i = 127}, "i32* i32*", "i8 i16 i32 i64 u8 u16 u32 u64"},
		{{.kind = TSR_KIND_INT, .as.i = 128}, "i32* i32*", "i16 i32 i64 u8 u16 u32 u64"},
		{{.kind = TSR_KIND_INT, .as.i = 256}, "i32* i32*", "i16 i32 i64 u16 u32 u64"},
		{{.kind = TSR_KIND_INT, .as.i = -1}, "i32* i32*", "i8 i16 i32 i64 u8 u16 u32 u64"},
		{{.kind = TSR_KIND_INT, .as.i = -128},
	         "i32* i32*",
	         "i8 i16 i32 i64 u8 u16 u32 u64"},
		{{.kind = TSR_KIND_INT, .as.i = -129}, "i32* i32*", "i16 i32 i64 u16 u32 u64"},
		{{.kind = TSR_KIND_INT, .as.i = INT32_MIN}, "i32* i32*", "i32 i64 u32 u64"},
		{{.kind = TSR_KIND_INT, .as.i = 3000000000}, "i64* i64*", "i64 u32 u64"},
		{{.kind = TSR_KIND_INT, .as.i = INT64_MIN}, "i64* i64*", "i64 u64"},
		{{.kind = TSR_KIND_UINT, .as.u = INT64_MAX}, "i64* i64*", "i64 u64"},
		{{.kind = TSR_KIND_UINT, .as.u = UINT64_MAX}, "u64* u64*", "u64"},
		{{.kind = TSR_KIND_FLOAT, .as.f = {1e300, 0}},
	         "f32* f64*",
	         "i8 i16 i32 i64 u8 u16 u32 u64"},
		{{.kind = TSR_KIND_COMPLEX, .as.f = {0, 1}},
	         "c64* c128*",
	         "i8 i16 i32 i64 u8 u16 u32 u64"},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const tsr_arg *number = &rows[i].number;
		etype e[2], fits[8];
		row_of_etypes(rows[i].alone_exact, e, 2);
		const int n = row_of_etypes(rows[i].fits, fits, 8);
		assert_etype(etype_of_number(&narrow, number), e[0]);
		assert_etype(etype_wide(etype_of_number(&narrow, number)), e[1]);
		assert_etype(etype_default(&narrow, e[1]), e[0]);
		assert_etype(etype_default(&wide, e[0]), e[0]);
		for (int d = TSR_I8, k = 0; d <= TSR_U64; d++) {
			const bool wanted = k < n && (int)fits[k].dtype == d;
			k += wanted;
			assert_int_equal(number_fits((tsr_dtype)d, number), wanted);
		}
	}
}

/* What the bits of a 16-bit float mean, by its definition. */
static double small_value(uint16_t h, int fraction_bits)
{
	const int most = (1 << (15 - fraction_bits)) - 1, bias = most / 2;
	const int exponent = h >> fraction_bits & most, fraction = h & ((1 << fraction_bits) - 1);
	double x = ldexp(fraction, 1 - bias - fraction_bits);

	if (exponent) x = ldexp((1 << fraction_bits) + fraction, exponent - bias - fraction_bits);
	if (exponent == most) x = fraction ? (double)NAN : HUGE_VAL;
	return h >> 15 ? -x : x;
}

typedef struct small_float {
	int fraction_bits;
	float (*to_f32)(uint16_t);
	uint16_t (*from_f32)(float), (*from_f64)(double);
	uint16_t infinity;
} small_float;

static const small_float small_floats[] = {
	{10, f16_to_f32, f32_to_f16, f64_to_f16, 0x7C00},
	{7, bf16_to_f32, f32_to_bf16, f64_to_bf16, 0x7F80},
};

static void test_small_floats_all(void **state)
{
	(void)state;
	for (size_t k = 0; k < ARRAY_LEN(small_floats); k++) {
		const small_float *t = &small_floats[k];
		for (uint32_t u = 0; u < 65536; u++) {
			const uint16_t h = (uint16_t)u;
			const float x = t->to_f32(h);
			const double want = small_value(h, t->fraction_bits);
			if (want != want) {
				assert_true(x != x);
				assert_true((t->from_f32(x) & 0x7FFF) > t->infinity &&
				            t->from_f32(x) >> 15 == h >> 15);
				assert_true((t->from_f64((double)x) & 0x7FFF) > t->infinity);
				continue;
			}
			assert_true((double)x == want && !signbit(x) == !(h >> 15));
			assert_int_equal(t->from_f32(x), h);
			assert_int_equal(t->from_f64((double)x), h);
		}
	}
}

/* Around the middle of each two neighbours: to even on it, to the nearer one beside it, however
 * little beside. */
static void test_small_floats_round_once(void **state)
{
	(void)state;
	for (size_t k = 0; k < ARRAY_LEN(small_floats); k++) {
		const small_float *t = &small_floats[k];
		for (uint16_t h = 0; h < t->infinity; h++) {
			const uint16_t sign = h & 1 ? 0x8000 : 0, low = sign | h;
			const uint16_t high = (uint16_t)(low + 1), before = (uint16_t)(low - 1);
			const double x = small_value(low, t->fraction_bits);
			/* infinity stands where the next number would be */
			const double next = high == (sign | t->infinity)
			                            ? 2 * x - small_value(before, t->fraction_bits)
			                            : small_value(high, t->fraction_bits);
			const double middle = (x + next) / 2, far = next > x ? HUGE_VAL : -HUGE_VAL;
			const float middle_f32 = (float)middle;
			assert_int_equal(t->from_f32(middle_f32), h & 1 ? high : low);
			assert_int_equal(t->from_f64(middle), h & 1 ? high : low);
			assert_int_equal(t->from_f32(nextafterf(middle_f32, 0)), low);
			assert_int_equal(t->from_f32(nextafterf(middle_f32, (float)far)), high);
			assert_int_equal(t->from_f64(nextafter(middle, 0)), low);
			assert_int_equal(t->from_f64(nextafter(middle, far)), high);
		}
		assert_int_equal(t->from_f64(1e300), t->infinity);
		assert_int_equal(t->from_f64(-1e300), 0x8000 | t->infinity);
		assert_int_equal(t->from_f64(1e-300), 0);
		assert_int_equal(t->from_f64(-5e-324), 0x8000);
	}
}

/* one conversion, both sides as text */
static void converts(tsr_dtype from, const char *text, tsr_dtype to, const char *want)
{
	base b;
	uint64_t in[2] = {0, 0}, out[2] = {0, 0};
	const char *at = text;

	base_open(&b);
	str got = {.base = &b};
	assert_true(number_read(&at, from, in));
	dtype_convert(to, out, from, in, 1);
	str_number(&got, to, out, 0);
	if (strcmp(got.s, want))
		fail_msg("%s %s to %s: got %s, want %s", tsr_dtype_name(from), text,
		         tsr_dtype_name(to), got.s, want);
	str_free(&got);
	base_close(&b);
}

/* the values of JAX's astype; where it rounds twice, through f32, once */
static void test_convert_edges(void **state)
{
	static const struct edge {
		tsr_dtype from;
		const char *text;
		tsr_dtype to;
		const char *want;
	} rows[] = {
		{TSR_F32, "300.0", TSR_I8, "127"},
		{TSR_F32, "-300.0", TSR_I8, "-128"},
		{TSR_F32, "-1.9", TSR_I8, "-1"},
		{TSR_F32, "nan", TSR_I8, "0"},
		{TSR_F32, "inf", TSR_I8, "127"},
		{TSR_F32, "-inf", TSR_I8, "-128"},
		{TSR_F32, "255.9", TSR_U8, "255"},
		{TSR_F32, "-1.0", TSR_U8, "0"},
		{TSR_F32, "256.0", TSR_U8, "255"},
		{TSR_F64, "40000.0", TSR_I16, "32767"},
		{TSR_F16, "-inf", TSR_I16, "-32768"},
		{TSR_BF16, "1e+20", TSR_U16, "65535"},
		{TSR_F32, "2147483600.0", TSR_I32, "2147483647"},
		{TSR_F32, "2147483500.0", TSR_I32, "2147483520"},
		{TSR_F32, "-1e+20", TSR_I32, "-2147483648"},
		{TSR_F32, "nan", TSR_I32, "0"},
		{TSR_F64, "4294967295.5", TSR_U32, "4294967295"},
		{TSR_F32, "-0.5", TSR_U32, "0"},
		{TSR_F64, "9223372036854775807", TSR_I64, "9223372036854775807"},
		{TSR_F64, "-9223372036854775808", TSR_I64, "-9223372036854775808"},
		{TSR_F64, "-1e+19", TSR_I64, "-9223372036854775808"},
		{TSR_F64, "18446744073709549568", TSR_U64, "18446744073709549568"},
		{TSR_F64, "1e+20", TSR_U64, "18446744073709551615"},
		{TSR_F64, "nan", TSR_U64, "0"},
		{TSR_F64, "-3.0", TSR_U64, "0"},
		{TSR_I32, "-1", TSR_U8, "255"},
		{TSR_I32, "300", TSR_U8, "44"},
		{TSR_I32, "200", TSR_I8, "-56"},
		{TSR_I64, "-1", TSR_U64, "18446744073709551615"},
		{TSR_U64, "18446744073709551615", TSR_I64, "-1"},
		{TSR_U64, "18446744073709551615", TSR_I8, "-1"},
		{TSR_I8, "-1", TSR_U32, "4294967295"},
		{TSR_I64, "9223372036854775807", TSR_I64, "9223372036854775807"},
		{TSR_I64, "16777217", TSR_F32, "16777216.0"},
		{TSR_I64, "16777219", TSR_F32, "16777220.0"},
		{TSR_I64, "9007199791611905", TSR_F32, "9007200000000000.0"},
		{TSR_I64, "9007199254740993", TSR_F64, "9007199254740992.0"},
		{TSR_U64, "18446744073709551615", TSR_F32, "1.8446744e+19"},
		{TSR_U64, "18446744073709551615", TSR_F64, "1.8446744073709552e+19"},
		{TSR_I64, "-9223372036854775808", TSR_BF16, "-9.22e+18"},
		{TSR_U64, "18446744073709551615", TSR_F16, "inf"},
		{TSR_I32, "65519", TSR_F16, "65500.0"},
		{TSR_I32, "65520", TSR_F16, "inf"},
		{TSR_I32, "-65520", TSR_F16, "-inf"},
		{TSR_F64, "1.00390625000001", TSR_BF16, "1.01"},
		{TSR_F64, "1.00390625", TSR_BF16, "1.0"},
		{TSR_F64, "1.00048828125001", TSR_F16, "1.001"},
		{TSR_F64, "1e+39", TSR_F32, "inf"},
		{TSR_F64, "0.1", TSR_F32, "0.1"},
		{TSR_BOOL, "true", TSR_F16, "1.0"},
		{TSR_F32, "nan", TSR_BOOL, "true"},
		{TSR_F32, "-0.0", TSR_BOOL, "false"},
		{TSR_U64, "9223372036854775808", TSR_BOOL, "true"},
		{TSR_I8, "-128", TSR_BOOL, "true"},
		{TSR_C64, "(0.0,1.0)", TSR_BOOL, "true"},
		{TSR_C64, "(0.0,-0.0)", TSR_BOOL, "false"},
		{TSR_C64, "(2.5,7.0)", TSR_I32, "2"},
		{TSR_C128, "(0.1,nan)", TSR_C64, "(0.1,nan)"},
		{TSR_C64, "(1.5,7.0)", TSR_F64, "1.5"},
		{TSR_I16, "-3", TSR_C128, "(-3.0,0.0)"},
		{TSR_F16, "-0.0", TSR_C64, "(-0.0,0.0)"},
		{TSR_C64, "(1.0,2.0)", TSR_C64, "(1.0,2.0)"},
		{TSR_BF16, "nan", TSR_F16, "nan"},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		converts(rows[i].from, rows[i].text, rows[i].to, rows[i].want);
}

/* 2^60 + 2^52 + 1 is just above the middle of two bf16, and 2^63 + 2^39 + 1 of two f32; through f64
 * they would be on it. */
static void test_convert_ints_round_once(void **state)
{
	const int64_t above = ((int64_t)1 << 60) + ((int64_t)1 << 52) + 1, x[] = {above, -above};
	const uint64_t y = ((uint64_t)1 << 63) + ((uint64_t)1 << 39) + 1;
	uint16_t h[2];
	float f;
	(void)state;
	dtype_convert(TSR_BF16, h, TSR_I64, x, 2);
	assert_int_equal(h[0], 0x5D81);
	assert_int_equal(h[1], 0xDD81);
	dtype_convert(TSR_BF16, h, TSR_U64, x, 1);
	assert_int_equal(h[0], 0x5D81);
	dtype_convert(TSR_F32, &f, TSR_U64, &y, 1);
	assert_true(f == 0x1.000002p63f);
}

/* Every pair, over more than a block, from and to memory aligned to nothing, of numbers that every
 * dtype has. */
static void test_convert_all_pairs(void **state)
{
	enum { N = 700 };
	static unsigned char in[16 * N + 1], out[16 * N + 2];
	static double number[N];
	(void)state;
	for (int i = 0; i < N; i++) number[i] = i % 128;
	for (int a = TSR_BOOL; a < TSR_DTYPE_COUNT_; a++) {
		dtype_convert((tsr_dtype)a, in + 1, TSR_F64, number, N);
		for (int b = TSR_BOOL; b < TSR_DTYPE_COUNT_; b++) {
			const size_t size = N * tsr_dtype_size((tsr_dtype)b);
			out[1 + size] = 77;
			dtype_convert((tsr_dtype)b, out + 1, (tsr_dtype)a, in + 1, N);
			assert_int_equal(out[1 + size], 77);
			const bool truth = a == TSR_BOOL || b == TSR_BOOL;
			for (int i = 0; i < N; i++) {
				double z[2];
				dtype_get_complex((tsr_dtype)b, out + 1, i, z);
				assert_true(z[0] == (truth ? number[i] != 0 : number[i]));
				assert_true(z[1] == 0);
				assert_true(dtype_get((tsr_dtype)b, out + 1, i) == z[0]);
			}
		}
	}
	dtype_convert(TSR_F32, NULL, TSR_F64, NULL, 0);
	dtype_convert(TSR_BOOL, out, TSR_BOOL, "\0\1\5", 3);
	assert_memory_equal(out, "\0\1\1", 3);
}

static void test_dtype_from_arg(void **state)
{
	uint64_t u = 0;
	int8_t i8;
	float f;
	float c[2];
	bool t;
	(void)state;
	dtype_from_arg(TSR_U64, &(tsr_arg){.kind = TSR_KIND_UINT, .as.u = UINT64_MAX}, &u);
	assert_true(u == UINT64_MAX);
	dtype_from_arg(TSR_I8, &(tsr_arg){.kind = TSR_KIND_INT, .as.i = -3}, &i8);
	assert_int_equal(i8, -3);
	dtype_from_arg(TSR_F32, &(tsr_arg){.kind = TSR_KIND_INT, .as.i = 16777219}, &f);
	assert_true(f == 16777220.0f);
	dtype_from_arg(TSR_F32, &(tsr_arg){.kind = TSR_KIND_FLOAT, .as.f = {0.1, 0}}, &f);
	assert_true(f == 0.1f);
	dtype_from_arg(TSR_C64, &(tsr_arg){.kind = TSR_KIND_FLOAT, .as.f = {0.5, 99}}, c);
	assert_true(c[0] == 0.5f && c[1] == 0);
	dtype_from_arg(TSR_C64, &(tsr_arg){.kind = TSR_KIND_COMPLEX, .as.f = {0.5, -2}}, c);
	assert_true(c[0] == 0.5f && c[1] == -2);
	dtype_from_arg(TSR_F32, &(tsr_arg){.kind = TSR_KIND_BOOL, .as.i = 1}, &f);
	assert_true(f == 1);
	dtype_from_arg(TSR_BOOL, &(tsr_arg){.kind = TSR_KIND_FLOAT, .as.f = {0.25, 0}}, &t);
	assert_true(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_dtype_names),
		cmocka_unit_test(test_dtype_promotion),
		cmocka_unit_test(test_etype_join),
		cmocka_unit_test(test_etype_join_weak),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_small_floats_all),
		cmocka_unit_test(test_small_floats_round_once),
		cmocka_unit_test(test_convert_edges),
		cmocka_unit_test(test_convert_ints_round_once),
		cmocka_unit_test(test_convert_all_pairs),
		cmocka_unit_test(test_dtype_from_arg),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
