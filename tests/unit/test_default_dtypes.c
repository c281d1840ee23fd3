/* test_default_dtypes.c - dtypes where 64-bit dtypes are the default: each call of
 * tests/peer/dtypes.tsv, against the dtypes of JAX with jax_enable_x64; how the default is asked
 * for; and its other consequences. */
#include "peer/functions.h"
#include "trace/trace.h"
#include "support/quiet.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* ---- the table */

/* "f32[2,3]"; its elements are 1, as all functions take it: a place, a count, a probability */
static tsr *operand(tsr_ctx *ctx, char *text)
{
	char *at = strchr(text, '[');
	tsr_dims dims = TSR_DIMS();
	const tsr_dtype dtype = dtype_parse(text, (size_t)(at - text));

	for (at++; *at != ']'; at += *at == ',') dims.d[dims.d[0]++] = strtoll(at, &at, 10);
	return tsr_full(ctx, dims, 1, .dtype = dtype);
}

static bool is_row(tsr_ctx *ctx, char *row)
{
	char *call = strsep(&row, "\t"), *words = strsep(&row, "\t");
	char *types = strsep(&row, "\t"), *want = strsep(&row, "\n"), got[256] = "";
	tsr *x[MOST_OPERANDS] = {NULL}, *out[MOST_RESULTS] = {NULL};
	int nin = 0;

	TSR_SCOPE(ctx);
	for (char *t; (t = strsep(&types, " "));)
		if (*t) x[nin++] = operand(ctx, t);
	const int n = call_line(ctx, line_of(call), words, x, out);
	for (int j = 0; j < n; j++) {
		const tsr_dtype dtype = tsr_dtype_of(out[j]);
		if (j) strcat(got, " ");
		strcat(got, dtype ? tsr_dtype_name(dtype) : "poison");
	}
	if (strcmp(got, want) == 0) return true;
	printf("%s of %s: %s, not %s: %s\n", call, words, got, want, tsr_message(ctx));
	tsr_clear(ctx);
	return false;
}

static void test_table(void **state)
{
	FILE *from = fopen("tests/peer/dtypes.tsv", "r");
	tsr_ctx *ctx = tsr_open(.devices = 8, .dtype = TSR_F64);
	char row[4096];
	int n = 0, wrong = 0;

	(void)state;
	assert_non_null(from);
	for (; fgets(row, sizeof row, from); n++) wrong += !is_row(ctx, row);
	fclose(from);
	printf("%d calls\n", n);
	assert_true(n > 3000);
	assert_int_equal(wrong, 0);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* ---- asking for it */

/* the dtype of 0.1 in a context that is opened like this; 0: it is not opened */
static tsr_dtype default_of(tsr_dtype given, const char *variable)
{
	int code;

	if (variable) setenv("TSR_DTYPE", variable, 1);
	tsr_ctx *ctx = tsr_open(.dtype = given, .log = log_nothing, .code = &code);
	unsetenv("TSR_DTYPE");
	const tsr_dtype dtype = code ? 0 : tsr_dtype_of(tsr_scalar(ctx, 0.1));
	assert_int_equal(code, code ? TSR_ERROR_ARGUMENT : TSR_OK);
	assert_int_equal(tsr_close(ctx), code);
	return dtype;
}

static void test_open(void **state)
{
	(void)state;
	assert_int_equal(default_of(0, NULL), TSR_F32);
	assert_int_equal(default_of(TSR_F32, NULL), TSR_F32);
	assert_int_equal(default_of(TSR_F64, NULL), TSR_F64);
	assert_int_equal(default_of(0, "f64"), TSR_F64);
	assert_int_equal(default_of(0, "f32"), TSR_F32);
	assert_int_equal(default_of(0, ""), TSR_F32);
	assert_int_equal(default_of(TSR_F32, "f64"), TSR_F32);
	assert_int_equal(default_of(TSR_F64, "bf16"), TSR_F64);

	assert_int_equal(default_of(0, "bf16"), 0);
	assert_non_null(strstr(tsr_message(tsr_ctx_of(tsr_poison(NULL))),
	                       "TSR_DTYPE must be f32 or f64, got \"bf16\""));
	assert_int_equal(default_of(TSR_BF16, NULL), 0);
	assert_non_null(strstr(tsr_message(tsr_ctx_of(tsr_poison(NULL))),
	                       ".dtype must be TSR_F32 or TSR_F64, got bf16"));
	assert_int_equal(default_of((tsr_dtype)-3, NULL), 0);
}

/* ---- what else depends on it */

/* a double program without a dtype keeps its digits */
static void test_digits(void **state)
{
	tsr_ctx *ctx = tsr_open(.dtype = TSR_F64);
	tsr *x = tsr_ones(ctx, TSR_DIMS(1));

	(void)state;
	assert_true(tsr_item(tsr_scalar(ctx, 0.1)) == 0.1);
	assert_true(tsr_item(tsr_mul(x, tsr_scalar(ctx, 0.1))) == 0.1);
	assert_true(tsr_item(tsr_full(ctx, TSR_DIMS(), 0.1)) == 0.1);
	assert_true(tsr_item_int(tsr_scalar(ctx, 3000000000)) == 3000000000);
	assert_true(tsr_item(tsr_dot(tsr_linspace(ctx, 0, 0.1, 2), tsr_arange(ctx, 2))) == 0.1);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

static tsr *with_index(tsr *i, tsr *x) { return tsr_add(x, i); }
static tsr *plus(tsr *x, tsr *n) { return tsr_add(x, n); }
static tsr *third(tsr *x) { return tsr_mul(tsr_where(tsr_gt(x, 0), 1, 0), 1.0 / 3); }

/* numbers that a body is given, and the text of programs, whose literals have the default width */
static void test_bodies(void **state)
{
	tsr_ctx *ctx = tsr_open(.dtype = TSR_F64);
	tsr *bytes = tsr_ones(ctx, TSR_DIMS(2), .dtype = TSR_I8), *x = tsr_ones(ctx, TSR_DIMS(2));

	(void)state;
	assert_int_equal(tsr_dtype_of(tsr_fori(0, 3, tsr_jit(ctx, with_index), 0)), TSR_I64);
	assert_int_equal(tsr_dtype_of(tsr_fori(0, 3, tsr_jit(ctx, with_index), 0.5)), TSR_F64);
	assert_int_equal(tsr_dtype_of(tsr_fori(0, 3, with_index, bytes)), TSR_I8);
	tsr *y = tsr_call(tsr_jit(ctx, plus), bytes, 257); /* wraps, as an i32 does elsewhere */
	assert_int_equal(tsr_item_int(tsr_index(y, 0, 0)), 2);
	const char *text = tsr_fn_text(tsr_jit(ctx, third), x);
	assert_non_null(strstr(text, "f64*[2] = convert_element_type"));
	assert_null(strstr(text, "32"));
	assert_true(tsr_item(tsr_index(tsr_call(tsr_jit(ctx, third), x), 0, 0)) == 1.0 / 3);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_open),
		cmocka_unit_test(test_digits),
		cmocka_unit_test(test_bodies),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
