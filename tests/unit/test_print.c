/* test_print.c - the text of arrays against NumPy's (data/print_cases.txt), under a locale with a
 * decimal comma too, and with failing allocations. cmocka.h comes last: it makes fail() a macro. */
#include "lib/host.h"
#include "tsr/tsr.h"
#include "support/quiet.h"
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

enum { MOST_BYTES = 1 << 16, MOST_TEXT = 1 << 16 };

/* one case of the file */
typedef struct sample {
	tsr_dtype dtype;
	int ndim;
	int64_t dims[8];
	char *data, *text;
} sample;

static int read_dims(const char *text, int64_t *dims)
{
	int n = 0;

	if (*text == '-') return 0;
	for (char *end; *text && *text != '\n'; text = *end == ',' ? end + 1 : end)
		dims[n++] = strtoll(text, &end, 10);
	return n;
}

static void read_hex(const char *text, char *out)
{
	for (unsigned byte; sscanf(text, "%2x", &byte) == 1; text += 2) *out++ = (char)byte;
}

static void count_up(const sample *s, int64_t n)
{
	for (int64_t i = 0; i < n; i++)
		dtype_convert(s->dtype, s->data + (size_t)i * tsr_dtype_size(s->dtype), TSR_I64, &i,
		              1);
}

/* the next case; false at the end of the file */
static bool next_sample(FILE *file, sample *s, char *line, size_t room)
{
	if (!fgets(line, (int)room, file)) return false;
	char *dims = strchr(line, ' ');
	int64_t size;
	assert_non_null(dims);
	s->dtype = dtype_parse(line, (size_t)(dims - line));
	assert_true(dtype_ok(s->dtype));
	s->ndim = read_dims(dims + 1, s->dims);
	assert_true(dims_size(s->dims, s->ndim, &size) &&
	            (size_t)size * tsr_dtype_size(s->dtype) <= MOST_BYTES);
	assert_non_null(fgets(line, (int)room, file));
	if (*line == '@') count_up(s, size);
	else read_hex(line, s->data);
	size_t len = 0;
	while (fgets(line, (int)room, file) && *line == '>') {
		assert_true(len + strlen(line) < MOST_TEXT);
		strcpy(s->text + len, line + 1);
		len += strlen(line + 1);
	}
	assert_true(len > 0);
	s->text[len - 1] = 0;
	return true;
}

static int check_samples(base *b)
{
	FILE *file = fopen("tests/unit/data/print_cases.txt", "r");
	sample s = {.data = malloc(MOST_BYTES), .text = malloc(MOST_TEXT)};
	const size_t room = 2 * MOST_BYTES + 2;
	char *line = malloc(room);
	int count = 0, wrong = 0;

	if (!file) fail_msg("the cases are missing: run from the root of the tree");
	assert_true(s.data && s.text && line);
	for (; next_sample(file, &s, line, room); count++) {
		str text = {.base = b};
		array_text(&text, s.dtype, s.data, s.dims, s.ndim, TEXT_OPTIONS);
		assert_false(text.lost);
		if (strcmp(text.s, s.text) != 0) {
			print_error("%s of %d dims, case %d:\n%s\nbut NumPy prints\n%s\n",
			            tsr_dtype_name(s.dtype), s.ndim, count, text.s, s.text);
			wrong++;
		}
		str_free(&text);
	}
	assert_int_equal(wrong, 0);
	fclose(file);
	free(s.data);
	free(s.text);
	free(line);
	return count;
}

static void base_open(base *b) { assert_true(base_init(b, NULL, NULL, 0)); }

static void base_close(base *b)
{
	error_clear(b);
	base_fini(b);
	assert_int_equal(mem_in_use(b), 0);
}

static void test_samples(void **state)
{
	base b;

	(void)state;
	base_open(&b);
	assert_true(check_samples(&b) >= 550);
	base_close(&b);
}

static void test_comma_locale(void **state)
{
	base b;

	(void)state;
	if (!setlocale(LC_ALL, "de_DE.UTF-8")) skip();
	base_open(&b);
	check_samples(&b);
	base_close(&b);
	setlocale(LC_ALL, "C");
}

/* ---- digits, where they are cut or asked for */

static void assert_digits(double x, tsr_dtype dtype, digit_limits limits, const char *want,
                          int exponent)
{
	digits d;

	digits_make(&d, x, dtype, limits);
	assert_int_equal(d.count, strlen(want));
	assert_memory_equal(d.digit, want, strlen(want));
	assert_int_equal(d.exponent, exponent);
}

static void test_digits(void **state)
{
	const digit_limits all = {false, -1, -1};

	(void)state;
	assert_digits(0, TSR_F64, all, "0", 0);
	assert_digits(5e-324, TSR_F64, all, "5", -324);
	assert_digits(1.7976931348623157e308, TSR_F64, all, "17976931348623157", 308);
	assert_digits(2.2250738585072014e-308, TSR_F64, all, "22250738585072014", -308);
	assert_digits(9007199254740993.0, TSR_F64, all, "9007199254740992", 15);
	assert_digits(0x1p-44, TSR_F64, all, "5684341886080802", -14);
	assert_digits((double)0x1p90f, TSR_F32, all, "12379401", 27);
	assert_digits((double)0.1f, TSR_F32, all, "1", -1);
	assert_digits((double)0.1f, TSR_F64, all, "10000000149011612", -1);
	assert_digits(0.0999755859375, TSR_F16, all, "1", -1);
	assert_digits(0.0999755859375, TSR_F16, (digit_limits){false, 4, 4}, "9998", -2);
	assert_digits(0.125, TSR_F64, (digit_limits){false, 2, -1}, "12", -1); /* ties to even */
	assert_digits(0.375, TSR_F64, (digit_limits){true, 2, -1}, "38", -1);
	assert_digits(0.5, TSR_F64, (digit_limits){true, 0, -1}, "0", 0);
	assert_digits(0.51, TSR_F64, (digit_limits){true, 0, -1}, "1", 0);
	assert_digits(0.007, TSR_F64, (digit_limits){true, 2, -1}, "1", -2);
	assert_digits(0.0007, TSR_F64, (digit_limits){true, 2, -1}, "0", 0);
	assert_digits(999.96, TSR_F64, (digit_limits){true, 1, -1}, "1", 3); /* nines go over */
	assert_digits(1.25, TSR_F64, (digit_limits){false, 6, 6}, "125000", 0);
}

/* ---- no memory: lost, and nothing leaks */

static void test_lost(void **state)
{
	const double x[6] = {1, 2.5, 1e10, -3, 0, 1e-3};
	bool done = false;

	(void)state;
	for (int64_t n = 1; !done; n++) {
		base b;
		base_open(&b);
		str text = {.base = &b};
		b.mem.fail_at = n;
		array_text(&text, TSR_C128, x, (const int64_t[]){3, 1}, 2, TEXT_OPTIONS);
		done = !text.lost;
		b.mem.fail_at = -1;
		assert_true(done == !failed(&b));
		str_free(&text);
		base_close(&b);
		assert_true(n < 100);
	}
}

/* ---- the public functions */

static char seen[100];

static tsr *looks(tsr *x)
{
	snprintf(seen, sizeof seen, "%s", tsr_text(x));
	return x;
}

static void test_text(void **state)
{
	tsr_ctx *ctx = tsr_open(.devices = 4, .log = log_nothing);
	tsr_mesh *m = tsr_mesh_make(ctx, {"x", 2}, {"y", 2});
	tsr *x = tsr_reshape(tsr_arange(ctx, 6, .dtype = TSR_F32), TSR_DIMS(2, 3)), *old;

	(void)state;
	assert_string_equal(tsr_text(x), "[[0. 1. 2.]\n [3. 4. 5.]]");
	assert_string_equal(tsr_text(tsr_put(x, m, TSR_P("y"))), "[[0. 1. 2.]\n [3. 4. 5.]]");
	assert_string_equal(tsr_text(tsr_put(x, m, TSR_P())), "[[0. 1. 2.]\n [3. 4. 5.]]");
	assert_string_equal(tsr_text(tsr_slice(x, 1, 1, 3)), "[[1. 2.]\n [4. 5.]]");
	tsr_call(tsr_shard_map(m, looks, .sig = "[x,-] -> [x,-]"), x);
	assert_string_equal(seen, "f32[1,3]{x}");
	{
		TSR_SCOPE(ctx);
		old = tsr_ones(ctx, TSR_DIMS(2));
	}
	assert_string_equal(tsr_text(old), "stale handle");
	assert_string_equal(tsr_text(NULL), "NULL");
	assert_string_equal(tsr_text(tsr_poison(ctx)), "poison");
	assert_int_equal(tsr_status(ctx), 0);
	assert_true(tsr_is_poison(tsr_fail(ctx, "too cold")));
	assert_non_null(strstr(tsr_text(tsr_poison(ctx)), "too cold"));
	assert_int_equal(tsr_close(ctx), TSR_ERROR_USER);
}

/* the texts are those of numpy.array2string with precision, max_line_width and threshold */
static void test_options(void **state)
{
	tsr_ctx *ctx = tsr_open();
	tsr *x = tsr_from(ctx, ((float[]){1 / 3.f, -2 / 3.f, 100}), TSR_F32, TSR_DIMS(3));
	tsr *third = tsr_index(x, 0, 0), *n = tsr_arange(ctx, 12);
	tsr *small = tsr_from(ctx, ((float[]){1e-5f, 1}), TSR_F32, TSR_DIMS(2));
	tsr *thirds = tsr_div(tsr_arange(ctx, 7, .dtype = TSR_F64), 3);
	tsr *z = tsr_from(ctx, ((double[]){1 / 3., 2 / 3.}), TSR_C128, TSR_DIMS());

	(void)state;
	assert_string_equal(tsr_text(x, .precision = 3), "[  0.333  -0.667 100.   ]");
	assert_string_equal(tsr_text(x, .precision = -1), "[  0.  -1. 100.]");
	assert_string_equal(tsr_text(x, .precision = 12),
	                    "[  0.33333334  -0.6666667  100.        ]");
	assert_string_equal(tsr_text(x), tsr_text(x, .precision = 8));
	assert_string_equal(tsr_text(small, .precision = 2), "[1.e-05 1.e+00]");
	assert_string_equal(tsr_text(third), "0.33333334");
	assert_string_equal(tsr_text(third, .precision = 3), "0.333");
	assert_string_equal(tsr_text(third, .precision = -1), "0.");
	assert_string_equal(tsr_text(z, .precision = 2), "0.33+0.67j");
	assert_string_equal(tsr_text(tsr_scalar(ctx, 7), .precision = 3), "7");
	assert_string_equal(tsr_text(tsr_eq(third, third), .precision = 3), "True");
	assert_string_equal(tsr_text(n, .linewidth = 20),
	                    "[ 0  1  2  3  4  5\n  6  7  8  9 10 11]");
	assert_string_equal(tsr_text(n, .threshold = 5), "[ 0  1  2 ...  9 10 11]");
	assert_string_equal(tsr_text(n, .threshold = INT64_MAX), tsr_text(n));
	assert_string_equal(tsr_text(tsr_reshape(thirds, TSR_DIMS(1, 7)), .precision = 2,
	                             .linewidth = 24),
	                    "[[0.   0.33 0.67 1.\n  1.33 1.67 2.  ]]");
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

static tsr *shows_type(tsr *x)
{
	snprintf(seen, sizeof seen, "%s", tsr_type_text(x));
	return x;
}

static void test_types_and_devices(void **state)
{
	tsr_ctx *ctx = tsr_open(.devices = 4, .log = log_nothing);
	tsr_mesh *m = tsr_mesh_make(ctx, {"x", 4});
	tsr *x = tsr_zeros(ctx, TSR_DIMS(8, 3));

	(void)state;
	assert_string_equal(tsr_type_text(x), "f32[8,3]");
	assert_string_equal(tsr_type_text(tsr_put(x, m, TSR_P("x"))), "f32[8,3]");
	assert_string_equal(tsr_type_text(tsr_ones(ctx, TSR_DIMS(), .dtype = TSR_BOOL)), "bool[]");
	tsr_call(tsr_shard_map(m, shows_type, .sig = "[x,-] -> [x,-]"), x);
	assert_string_equal(seen, "f32[2,3]{x}");
	assert_string_equal(tsr_type_text(NULL), "NULL");
	assert_string_equal(tsr_type_text(tsr_poison(ctx)), "poison");
	assert_string_equal(tsr_device_text(ctx, 0), "cpu:0");
	assert_string_equal(tsr_device_text(ctx, 3), "cpu:3");
	assert_string_equal(tsr_device_text(ctx, 4), "");
	assert_string_equal(tsr_device_text(ctx, -1), "");
	assert_string_equal(tsr_device_text(NULL, 0), "");
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_samples),
		cmocka_unit_test(test_comma_locale),
		cmocka_unit_test(test_digits),
		cmocka_unit_test(test_lost),
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_options),
		cmocka_unit_test(test_types_and_devices),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
