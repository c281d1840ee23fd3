/* test_base_text.c - growing strings; numbers to text and back. */
#include "unit/base_rig.h"
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void test_strings(void **state)
{
	base b;
	(void)state;
	base_open(&b);
	str s = {.base = &b};
	assert_null(s.s);
	str_put(&s, "");
	assert_string_equal(s.s, "");
	str_dims(&s, DIMS(2, 8, -1));
	str_putn(&s, "xyz", 2);
	str_printf(&s, "[%s:%d]", "name", 7);
	str_dims(&s, NULL, 0);
	assert_string_equal(s.s, "2,8,-1xy[name:7]");
	assert_int_equal(s.len, strlen(s.s));
	for (int i = 0; i < 1000; i++) str_printf(&s, "%d,", i);
	assert_int_equal(s.len, 16 + 10 * 2 + 90 * 3 + 900 * 4);
	assert_false(s.lost);
	str_free(&s);
	assert_null(s.s);
	assert_string_equal(base_name("a/b.c:7"), "b.c:7");
	assert_string_equal(base_name("b.c:7"), "b.c:7");
	assert_string_equal(base_name("/"), "");
	assert_null(base_name(NULL));
	base_close(&b);
}

/* what str_markup makes of a text */
static void test_markup(void **state)
{
#define NO "\xEF\xBF\xBD"
	static const char *const cases[][2] = {
		{"", ""},
		{"a<b & \"c\"", "a&lt;b &amp; &quot;c&quot;"}, /* the example of its head */
		{"</text><script>'", "&lt;/text&gt;&lt;script&gt;&#39;"},
		{"\t\n\r~\x7f", "\t\n\r~\x7f"},
		{"\x1b[1m \x01", NO "[1m " NO},
		{"\u00e9\u2550\U0001F600", "\u00e9\u2550\U0001F600"},
		{"\x80 \xc3", NO " " NO},             /* goes on from nothing; ends too early */
		{"\xc0\xaf", NO NO},                  /* longer than need be: '/' */
		{"\xe0\x80\xaf", NO NO NO},
		{"\xed\xa0\x80", NO NO NO},           /* D800, half of a pair */
		{"\xef\xbf\xbd\xef\xbf\xbe", NO NO NO NO}, /* FFFD is allowed, FFFE is not */
		{"\xf4\x8f\xbf\xbf", "\xf4\x8f\xbf\xbf"},
		{"\xf4\x90\x80\x80", NO NO NO NO},    /* above 10FFFF */
		{"\xf0\x9f\x98<", NO NO NO "&lt;"},
	};
	base b;

	(void)state;
	base_open(&b);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		str s = {.base = &b};
		str_put(&s, "");
		str_markup(&s, cases[i][0]);
		assert_string_equal(s.s, cases[i][1]);
		str_free(&s);
	}
	base_close(&b);
#undef NO
}

static bool fill_string(base *b)
{
	str s = {.base = b};

	for (int i = 0; i < 500; i++)
		str_printf(&s, "%d ", i), str_put(&s, "x"), str_dims(&s, DIMS(1, 2));
	assert_true(!s.s || strlen(s.s) == s.len);
	const bool lost = s.lost;
	str_free(&s);
	assert_false(s.lost);
	return !lost;
}

static void test_strings_failures(void **state)
{
	(void)state;
	with_failures(fill_string, 5);
}

/* what str_number makes of the element; in a static buffer */
static const char *number_text(base *b, tsr_dtype d, const void *data)
{
	static char text[100];
	str s = {.base = b};

	str_number(&s, d, data, 0);
	snprintf(text, sizeof text, "%s", s.s);
	str_free(&s);
	return text;
}

/* the element is written as `want` and that reads back to the same bits */
static void writes(base *b, tsr_dtype d, const void *data, const char *want)
{
	unsigned char back[16] = {0};
	const char *text = number_text(b, d, data), *at = text;

	if (want && strcmp(text, want))
		fail_msg("%s: got %s, want %s", tsr_dtype_name(d), text, want);
	if (!number_read(&at, d, back) || *at || memcmp(back, data, tsr_dtype_size(d)))
		fail_msg("%s: %s does not read back", tsr_dtype_name(d), text);
}

/* repr() of NumPy's scalars */
static void test_number_text_reals(void **state)
{
	static const struct {
		double x;
		const char *f64, *f32;
	} rows[] = {
		{0.0, "0.0", "0.0"},
		{-0.0, "-0.0", "-0.0"},
		{1, "1.0", "1.0"},
		{-1.5, "-1.5", "-1.5"},
		{0.1, "0.1", "0.1"},
		{100, "100.0", "100.0"},
		{123456.789, "123456.789", "123456.79"},
		{1e15, "1000000000000000.0", "1000000000000000.0"},
		{1e16, "1e+16", "1e+16"},
		{1e-4, "0.0001", "0.0001"},
		{1.5e-4, "0.00015", "0.00015"},
		{1e-5, "1e-05", "1e-05"},
		{1e-7, "1e-07", "1e-07"},
		{-2.5e-7, "-2.5e-07", "-2.5e-07"},
		{9999999999999998.0, "9999999999999998.0", "1e+16"},
		{1.0 / 3, "0.3333333333333333", "0.33333334"},
		{HUGE_VAL, "inf", "inf"},
		{-HUGE_VAL, "-inf", "-inf"},
		{16777216, "16777216.0", "16777216.0"},
		{123456789, "123456789.0", "123456790.0"},
		{1e30, "1e+30", "1e+30"},
		{0x1p-96, "1.262177448353619e-29", "1.2621775e-29"},
		{0x1p87, "1.5474250491067253e+26", "1.5474251e+26"},
		{0x1p90, "1.2379400392853803e+27", "1.2379401e+27"},
		{0x1p-149, "1.401298464324817e-45", "1e-45"},
		{3.4028234663852886e38, "3.4028234663852886e+38", "3.4028235e+38"},
		{(double)NAN, "nan", "nan"},
	};
	static const struct {
		double x;
		const char *text;
	} wide[] = {
		{0x1p-1017, "7.120236347223045e-307"},
		{0x1p-662, "5.225680706521042e-200"},
		{5e-324, "5e-324"},
		{1.7976931348623157e308, "1.7976931348623157e+308"},
		{2.2250738585072014e-308, "2.2250738585072014e-308"},
		{1e23, "1e+23"},
		{9007199254740993.0, "9007199254740992.0"},
		{1e100, "1e+100"},
	};
	base b;
	(void)state;
	base_open(&b);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const float x = (float)rows[i].x;
		writes(&b, TSR_F64, &rows[i].x, rows[i].f64);
		writes(&b, TSR_F32, &x, rows[i].f32);
	}
	for (size_t i = 0; i < ARRAY_LEN(wide); i++) writes(&b, TSR_F64, &wide[i].x, wide[i].text);
	writes(&b, TSR_F16, &(uint16_t){0x2400}, "0.01563");
	writes(&b, TSR_F16, &(uint16_t){0x7BFF}, "65500.0");
	writes(&b, TSR_F16, &(uint16_t){0x0001}, "6e-08");
	writes(&b, TSR_F16, &(uint16_t){0x2E66}, "0.1");
	writes(&b, TSR_BF16, &(uint16_t){0x3DCD}, "0.1");
	writes(&b, TSR_BF16, &(uint16_t){0x7F7F}, "3.39e+38");
	base_close(&b);
}

static void test_number_text_others(void **state)
{
	base b;
	(void)state;
	base_open(&b);
	writes(&b, TSR_BOOL, &(bool){true}, "true");
	writes(&b, TSR_BOOL, &(bool){false}, "false");
	writes(&b, TSR_I8, &(int8_t){-128}, "-128");
	writes(&b, TSR_I16, &(int16_t){32767}, "32767");
	writes(&b, TSR_I32, &(int32_t){INT32_MIN}, "-2147483648");
	writes(&b, TSR_I64, &(int64_t){INT64_MIN}, "-9223372036854775808");
	writes(&b, TSR_U8, &(uint8_t){255}, "255");
	writes(&b, TSR_U16, &(uint16_t){65535}, "65535");
	writes(&b, TSR_U32, &(uint32_t){UINT32_MAX}, "4294967295");
	writes(&b, TSR_U64, &(uint64_t){UINT64_MAX}, "18446744073709551615");
	writes(&b, TSR_C64, (const float[]){1, -2}, "(1.0,-2.0)");
	writes(&b, TSR_C64, (const float[]){0.1f, HUGE_VALF}, "(0.1,inf)");
	writes(&b, TSR_C128, (const double[]){1e-7, 0.1}, "(1e-07,0.1)");
	str s = {.base = &b};
	str_number(&s, TSR_I16, (const int16_t[]){1, 2, -3}, 2);
	assert_string_equal(s.s, "-3");
	str_free(&s);
	base_close(&b);
}

static double rounded(double x, tsr_dtype dtype)
{
	switch (dtype) {
	case TSR_F16: return (double)f16_to_f32(f64_to_f16(x));
	case TSR_BF16: return (double)bf16_to_f32(f64_to_bf16(x));
	case TSR_F32: return (double)(float)x;
	default: return x;
	}
}

/* the digits read back, and no decimal with a digit less does: neither the nearest nor its
 * neighbours */
static void is_shortest(double x, tsr_dtype dtype)
{
	char text[60], less[40];
	digits d;

	digits_make(&d, x, dtype, (digit_limits){false, -1, -1});
	snprintf(text, sizeof text, "%.*se%d", d.count, d.digit, d.exponent - (d.count - 1));
	if (rounded(strtod(text, NULL), dtype) != fabs(x))
		fail_msg("%s does not read back as %s", text, tsr_dtype_name(dtype));
	if (d.count < 2) return;
	snprintf(less, sizeof less, "%.*e", d.count - 2, fabs(x));
	char *e = strchr(less, 'e');
	const int exponent = atoi(e + 1) - (d.count - 2);
	long long mantissa = 0;
	for (const char *c = less; c < e; c++)
		if (*c >= '0' && *c <= '9') mantissa = mantissa * 10 + *c - '0';
	for (int step = -1; step <= 1; step++) {
		snprintf(text, sizeof text, "%llde%d", mantissa + step, exponent);
		if (rounded(strtod(text, NULL), dtype) == fabs(x))
			fail_msg("%.17g of %s is shorter as %s", x, tsr_dtype_name(dtype), text);
	}
}

static void test_shortest_small(void **state)
{
	base b;
	(void)state;
	base_open(&b);
	for (uint32_t u = 0; u < 65536; u++) {
		const uint16_t h = (uint16_t)u;
		const double x = (double)f16_to_f32(h), y = (double)bf16_to_f32(h);
		if (isfinite(x)) is_shortest(x, TSR_F16);
		if (isfinite(y)) is_shortest(y, TSR_BF16);
		if (x == x) writes(&b, TSR_F16, &h, NULL);
		if (y == y) writes(&b, TSR_BF16, &h, NULL);
	}
	base_close(&b);
}

static void test_shortest_random(void **state)
{
	base b;
	(void)state;
	base_open(&b);
	for (int i = 0; i < 20000; i++) {
		const uint64_t r = random_u64();
		const uint32_t half = (uint32_t)(r >> 20);
		double x;
		float y;
		memcpy(&x, &r, sizeof x);
		memcpy(&y, &half, sizeof y);
		if (i < 2098) x = ldexp(1, i - 1074);
		if (i < 277) y = ldexpf(1, i - 149);
		if (isfinite(x)) is_shortest(x, TSR_F64), writes(&b, TSR_F64, &x, NULL);
		if (isfinite(y)) is_shortest((double)y, TSR_F32), writes(&b, TSR_F32, &y, NULL);
	}
	base_close(&b);
}

/* text of exactly its size, so that a reader that runs on is seen by the sanitizers; true: it was
 * all of a number */
static bool reads(tsr_dtype d, const char *text, void *out)
{
	char *copy = strdup(text);
	const char *at = copy;
	assert_non_null(copy);
	const bool ok = number_read(&at, d, out);
	const size_t used = (size_t)(at - copy);
	assert_true(ok ? used > 0 && used <= strlen(text) : used == 0);
	free(copy);
	return ok && !text[used];
}

static void test_number_read_rejects(void **state)
{
	static const struct {
		tsr_dtype d;
		const char *text;
	} rows[] = {
		{TSR_F32, ""},
		{TSR_F32, "-"},
		{TSR_F32, "+1"},
		{TSR_F32, "."},
		{TSR_F32, ".5"},
		{TSR_F32, "1."},
		{TSR_F32, "1.e5"},
		{TSR_F32, "1e"},
		{TSR_F32, "1e+"},
		{TSR_F32, "1.5.2"},
		{TSR_F32, "0x10"},
		{TSR_F32, "0x1p3"},
		{TSR_F32, "--1"},
		{TSR_F32, " 1"},
		{TSR_F32, "1f"},
		{TSR_F32, "nanx"},
		{TSR_F32, "nan(1)"},
		{TSR_F32, "infinity"},
		{TSR_F32, "NaN"},
		{TSR_F32, "in"},
		{TSR_F32, "1,5"},
		{TSR_F32, "e5"},
		{TSR_F32, "(1.0,2.0)"},
		{TSR_F32, "true"},
		{TSR_F32, "1_000"},
		{TSR_F64, "1e309"},
		{TSR_F64, "-1e999999999999999999999"},
		{TSR_F32, "3.5e38"},
		{TSR_F16, "65520"},
		{TSR_BF16, "3.4e38"},
		{TSR_I8, "128"},
		{TSR_I8, "-129"},
		{TSR_I8, "1.0"},
		{TSR_I8, "1e2"},
		{TSR_I8, "-"},
		{TSR_I8, ""},
		{TSR_I8, "true"},
		{TSR_U8, "256"},
		{TSR_U8, "-1"},
		{TSR_I16, "32768"},
		{TSR_U16, "65536"},
		{TSR_I32, "2147483648"},
		{TSR_U32, "4294967296"},
		{TSR_I64, "9223372036854775808"},
		{TSR_I64, "-9223372036854775809"},
		{TSR_U64, "18446744073709551616"},
		{TSR_U64, "99999999999999999999999999"},
		{TSR_BOOL, "1"},
		{TSR_BOOL, "tru"},
		{TSR_BOOL, "truee"},
		{TSR_BOOL, ""},
		{TSR_C64, "1.0"},
		{TSR_C64, "("},
		{TSR_C64, "(1.0"},
		{TSR_C64, "(1.0,"},
		{TSR_C64, "(1.0,2.0"},
		{TSR_C64, "(1.0 2.0)"},
		{TSR_C64, "(1.0,x)"},
		{TSR_C64, "(1.0,2.0]"},
		{TSR_C64, "()"},
		{TSR_C64, "(1e39,0.0)"},
		{TSR_DTYPE_DEFAULT, "1"},
	};
	uint64_t out[2];
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (reads(rows[i].d, rows[i].text, out))
			fail_msg("%s took %s", tsr_dtype_name(rows[i].d), rows[i].text);
}

static void test_number_read_accepts(void **state)
{
	static char many[3000];
	const char *at = "12]", *list = "-7,8";
	int64_t i = 0;
	double x[2] = {0, 0};
	float f = 0;
	uint8_t u = 9;
	(void)state;
	assert_true(reads(TSR_F64, "3", x) && x[0] == 3);
	assert_true(reads(TSR_F64, "1E5", x) && x[0] == 1e5);
	assert_true(reads(TSR_F64, "1e-400", x) && x[0] == 0);
	assert_true(reads(TSR_F64, "-inf", x) && x[0] == -HUGE_VAL);
	assert_true(reads(TSR_F32, "3.4028235e+38", &f) && f == 3.4028234663852886e38f);
	assert_true(reads(TSR_U8, "-0", &u) && u == 0);
	assert_true(reads(TSR_U8, "000255", &u) && u == 255);
	assert_true(reads(TSR_C128, "(nan,-inf)", x) && x[0] != x[0] && x[1] == -HUGE_VAL);
	memset(many, '3', sizeof many - 1);
	memcpy(many, "0.", 2);
	assert_true(reads(TSR_F64, many, x) && x[0] == 1.0 / 3);
	assert_true(number_read(&at, TSR_I32, &(int32_t){0}) && *at == ']');
	assert_true(integer_read(&list, &i) && i == -7 && *list == ',');
	assert_false(integer_read(&list, &i));
	assert_int_equal(*list, ',');
	at = "9223372036854775808";
	assert_false(integer_read(&at, &i));
	at = "-9223372036854775808x";
	assert_true(integer_read(&at, &i) && i == INT64_MIN && *at == 'x');
}

static void test_number_read_noise(void **state)
{
	static const char letters[] = "00123459..--+eEinfatruls(), x_";
	uint64_t out[2];
	char text[16];
	(void)state;
	for (int i = 0; i < 200000; i++) {
		const size_t n = random_u64() % (sizeof text - 1);
		for (size_t k = 0; k < n; k++)
			text[k] = letters[random_u64() % (sizeof letters - 1)];
		text[n] = 0;
		reads((tsr_dtype)(random_u64() % TSR_DTYPE_COUNT_), text, out);
	}
}

/* sets a locale whose decimal point is a comma: one that is installed, or one made for the test */
static bool comma_locale(void)
{
	static const char *const known[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "es_ES.UTF-8"};

	for (size_t i = 0; i < ARRAY_LEN(known); i++)
		if (setlocale(LC_ALL, known[i]) && *localeconv()->decimal_point == ',') return true;
	char place[] = "/tmp/tsr_locale_XXXXXX", command[200];
	if (!mkdtemp(place)) return false;
	snprintf(command, sizeof command,
	         "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 >/dev/null 2>&1", place);
	bool made = system(command) == 0;
	setenv("LOCPATH", place, 1);
	made = setlocale(LC_ALL, "de_DE.UTF-8") && *localeconv()->decimal_point == ',';
	snprintf(command, sizeof command, "rm -r %s", place);
	return system(command) == 0 && made;
}

static void test_number_locale(void **state)
{
	char user[16];
	base b;
	(void)state;
	if (!comma_locale()) {
		unsetenv("LOCPATH");
		print_message("no locale with a decimal comma can be had here\n");
		skip();
	}
	base_open(&b);
	snprintf(user, sizeof user, "%.1f", 1.5);
	assert_string_equal(user, "1,5");
	writes(&b, TSR_F64, &(double){1234567.25}, "1234567.25");
	writes(&b, TSR_F32, &(float){1.5e-7f}, "1.5e-07");
	writes(&b, TSR_F16, &(uint16_t){0x3E00}, "1.5");
	writes(&b, TSR_C64, (const float[]){1.5f, -0.25f}, "(1.5,-0.25)");
	writes(&b, TSR_I64, &(int64_t){-1234567}, "-1234567");
	assert_false(reads(TSR_F64, "1,5", &(double){0}));
	snprintf(user, sizeof user, "%.1f", 1.5);
	assert_string_equal(user, "1,5");
	setlocale(LC_ALL, "C");
	unsetenv("LOCPATH");
	base_close(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_strings),
		cmocka_unit_test(test_markup),
		cmocka_unit_test(test_strings_failures),
		cmocka_unit_test(test_number_text_reals),
		cmocka_unit_test(test_number_text_others),
		cmocka_unit_test(test_shortest_small),
		cmocka_unit_test(test_shortest_random),
		cmocka_unit_test(test_number_read_rejects),
		cmocka_unit_test(test_number_read_accepts),
		cmocka_unit_test(test_number_read_noise),
		cmocka_unit_test(test_number_locale),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
