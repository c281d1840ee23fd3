/* test_files.c - files that do not exist or are malformed, and text that is no program. */
#include "support/mistakes.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#define CASE(name, call) static tsr *name(world *w) { return WRONG(w, call); }

/* ---- files */
CASE(npy_missing, tsr_load_npy(w->ctx, "no/such/file.npy"))
CASE(npy_is_a_folder, tsr_load_npy(w->ctx, "/"))
CASE(npy_null_path, tsr_load_npy(w->ctx, NULL))

static tsr *npy_cannot_be_written(world *w)
{
	return WRONG(w, tsr_save_npy(w->a, "no/such/folder/x.npy")) ? w->a : NULL;
}

static tsr *program_missing(world *w)
{
	return tsr_call(WRONG(w, tsr_load_program(w->ctx, "no/such/program.tsr")), w->a);
}

static tsr *program_null_path(world *w)
{
	return tsr_call(WRONG(w, tsr_load_program(w->ctx, NULL)), w->a);
}

/* the bytes of a .npy file with this header, and n bytes of data */
static size_t npy_bytes(char *out, const char *magic, const char *header, size_t n)
{
	const size_t length = strlen(header);
	memcpy(out, magic, 8);
	out[8] = (char)(length & 255);
	out[9] = (char)(length >> 8);
	memcpy(out + 10, header, length);
	memset(out + 10 + length, 0, n);
	return 10 + length + n;
}

static tsr *read_bytes(world *w, const char *magic, const char *header, size_t n)
{
	char bytes[512];
	const size_t size = npy_bytes(bytes, magic, header, n);
	return WRONG(w, tsr_read_npy(w->ctx, bytes, size));
}

#define V1 "\x93NUMPY\x01\x00"
#define NPY(name, header, n) static tsr *name(world *w) { return read_bytes(w, V1, header, n); }
#define FLOATS(shape) "{'descr': '<f4', 'fortran_order': False, 'shape': " shape ", }\n"
NPY(npy_truncated, FLOATS("(4,)"), 15)
NPY(npy_without_data, FLOATS("(2, 3)"), 0)
NPY(npy_negative_dim, FLOATS("(-2, 3)"), 24)
NPY(npy_overflowing_dims, FLOATS("(9223372036854775807, 9223372036854775807)"), 64)
NPY(npy_huge_dim, FLOATS("(99999999999999999999999,)"), 64)
NPY(npy_overflowing_bytes, FLOATS("(4611686018427387904,)"), 64)
NPY(npy_no_shape, "{'descr': '<f4', 'fortran_order': False, }\n", 4)
NPY(npy_bad_descr, "{'descr': 'spam', 'fortran_order': False, 'shape': (1,), }\n", 4)
NPY(npy_objects, "{'descr': '|O', 'fortran_order': False, 'shape': (1,), }\n", 8)
NPY(npy_no_dict, "spam and eggs\n", 4)
NPY(npy_unclosed, "{'descr': '<f4', 'fortran_order': False, 'shape': (1,\n", 4)
NPY(npy_bad_order, "{'descr': '<f4', 'fortran_order': 7, 'shape': (1,), }\n", 4)

static tsr *npy_bad_magic(world *w)
{
	return read_bytes(w, "\x93NUMPZ\x01\x00", FLOATS("(1,)"), 4);
}

static tsr *npy_unknown_version(world *w)
{
	return read_bytes(w, "\x93NUMPY\x09\x00", FLOATS("(1,)"), 4);
}

static tsr *npy_huge_header(world *w)
{
	static const char bytes[] = "\x93NUMPY\x02\x00\xff\xff\xff\x7f{'descr': '<f4'";
	return WRONG(w, tsr_read_npy(w->ctx, bytes, sizeof bytes - 1));
}

static tsr *npy_short_magic(world *w)
{
	return WRONG(w, tsr_read_npy(w->ctx, "\x93NUM", 4));
}

static tsr *npy_of_nothing(world *w)
{
	return WRONG(w, tsr_read_npy(w->ctx, "", 0));
}

static tsr *npy_null_bytes(world *w)
{
	return WRONG(w, tsr_read_npy(w->ctx, NULL, 10));
}

/* ---- program text */
#define TEXT(name, text) static tsr *name(world *w) \
{ \
	tsr_fn *f = WRONG(w, tsr_parse(w->ctx, text)); \
	return tsr_call(f, w->a); \
}
TEXT(text_empty, "")
TEXT(text_null, NULL)
TEXT(text_garbage, "what is this")
TEXT(text_unclosed, "f(%0: f32[2]) -> f32[2] {\n  return %0\n")
TEXT(text_unknown_primitive,
     "f(%0: f32[2]) -> f32[2] {\n  %1: f32[2] = frobnicate %0\n  return %1\n}\n")
TEXT(text_undefined_variable, "f(%0: f32[2]) -> f32[2] {\n  %1: f32[2] = neg %7\n  return %1\n}\n")
TEXT(text_defined_twice, "f(%0: f32[2]) -> f32[2] {\n  %0: f32[2] = neg %0\n  return %0\n}\n")
TEXT(text_wrong_type, "f(%0: f32[2]) -> f32[2] {\n  %1: f32[3] = neg %0\n  return %1\n}\n")
TEXT(text_wrong_result, "f(%0: f32[2]) -> f32[5] {\n  %1: f32[2] = neg %0\n  return %1\n}\n")
TEXT(text_unknown_dtype, "f(%0: f33[2]) -> f33[2] {\n  return %0\n}\n")
TEXT(text_negative_dim, "f(%0: f32[-2]) -> f32[-2] {\n  return %0\n}\n")
TEXT(text_overflowing_dim,
     "f(%0: f32[99999999999999999999]) -> f32[99999999999999999999] {\n  return %0\n}\n")
TEXT(text_unbound_axis,
     "f(%0: f32[2]) -> f32[2] {\n  %1: f32[2] = psum %0 axes=(x)\n  return %1\n}\n")
TEXT(text_behind_the_end, "f(%0: f32[2]) -> f32[2] {\n  return %0\n}\nspam")

static tsr *text_called_with_other_dims(world *w)
{
	tsr_fn *f = tsr_parse(w->ctx, "f(%0: f32[2]) -> f32[2] {\n  return %0\n}\n");
	return WRONG(w, tsr_call(f, w->a));
}

static tsr *text_called_with_other_dtype(world *w)
{
	tsr_fn *f = tsr_parse(w->ctx, "f(%0: f32[8]) -> f32[8] {\n  return %0\n}\n");
	return WRONG(w, tsr_call(f, w->i));
}

static tsr *text_of_a_jit(world *w)
{
	const char *text = WRONG(w, tsr_program_text(tsr_jit(w->ctx, tsr_neg)));
	return text && !*text ? NULL : w->a;
}

static tsr *graph_of_a_jit(world *w)
{
	const char *text = WRONG(w, tsr_program_graph(tsr_jit(w->ctx, tsr_neg)));
	return text && !*text ? NULL : w->a;
}

/* ---- pictures */

static tsr *picture_that_shows_three_dims(world *w)
{
	tsr *x = tsr_put(tsr_zeros(w->ctx, TSR_DIMS(4, 2, 2)), w->mesh, TSR_P("x", "y"));
	return *WRONG(w, tsr_sharding_picture(x, .dims = TSR_DIMS(0, 1, 2))) ? x : NULL;
}

static tsr *picture_of_a_scalar(world *w)
{
	tsr *x = tsr_scalar(w->ctx, 1.0);
	return *WRONG(w, tsr_sharding_picture(x)) ? x : NULL;
}

static tsr *table_over_other_devices(world *w)
{
	const int64_t ids[] = {4, 5};
	tsr *x = tsr_put_device(tsr_ones(w->ctx, TSR_DIMS(2)), 0);
	tsr_mesh *m = tsr_mesh_make_devices(w->ctx, ids, 2, {"x", 2});
	return *WRONG(w, tsr_shards_text(x, .mesh = m)) ? x : NULL;
}

static tsr *drawn(tsr *x)
{
	tsr_sharding_picture(x);
	return x;
}

static tsr *picture_of_a_traced_value(world *w)
{
	return tsr_call(tsr_jit(w->ctx, drawn), w->a);
}

#define F TSR_ERROR_FILE
#define X TSR_ERROR_TEXT
static const mistake table[] = {
	MISTAKE(npy_missing, F, "no/such/file.npy", "No such file"),
	MISTAKE(npy_is_a_folder, F, "/"),
	MISTAKE(npy_null_path, TSR_ERROR_ARGUMENT, "NULL"),
	MISTAKE(npy_cannot_be_written, F, "no/such/folder/x.npy", "No such file"),
	MISTAKE(program_missing, F, "no/such/program.tsr", "No such file"),
	MISTAKE(program_null_path, TSR_ERROR_ARGUMENT, "NULL"),
	MISTAKE(npy_truncated, F, "16", "15"),
	MISTAKE(npy_without_data, F, "24", "0"),
	MISTAKE(npy_negative_dim, F, "negative"),
	MISTAKE(npy_overflowing_dims, F, "shape"),
	MISTAKE(npy_huge_dim, F, "shape"),
	MISTAKE(npy_overflowing_bytes, F, "shape"),
	MISTAKE(npy_no_shape, F, "shape"),
	MISTAKE(npy_bad_descr, TSR_ERROR_UNSUPPORTED, "spam"),
	MISTAKE(npy_objects, TSR_ERROR_UNSUPPORTED, "O"),
	MISTAKE(npy_no_dict, F, "header"),
	MISTAKE(npy_unclosed, F, "shape"),
	MISTAKE(npy_bad_order, F, "fortran_order"),
	MISTAKE(npy_bad_magic, F, ".npy"),
	MISTAKE(npy_unknown_version, F, "9"),
	MISTAKE(npy_huge_header, F, "header"),
	MISTAKE(npy_short_magic, F, "npy"),
	MISTAKE(npy_of_nothing, F, "npy"),
	MISTAKE(npy_null_bytes, TSR_ERROR_ARGUMENT, "NULL"),
	MISTAKE(text_empty, X, "line 1"),
	MISTAKE(text_null, TSR_ERROR_ARGUMENT, "NULL"),
	MISTAKE(text_garbage, X, "line 1"),
	MISTAKE(text_unclosed, X, "line 3", "}"),
	MISTAKE(text_unknown_primitive, X, "line 2", "frobnicate"),
	MISTAKE(text_undefined_variable, X, "line 2", "%7"),
	MISTAKE(text_defined_twice, X, "line 2", "%0"),
	MISTAKE(text_wrong_type, X, "line 2", "f32[3]", "f32[2]"),
	MISTAKE(text_wrong_result, X, "line", "f32[5]", "f32[2]"),
	MISTAKE(text_unknown_dtype, X, "line 1, column 7", "dtype"),
	MISTAKE(text_negative_dim, X, "line 1"),
	MISTAKE(text_overflowing_dim, X, "line 1"),
	MISTAKE(text_unbound_axis, X, "line 2", "x"),
	MISTAKE(text_behind_the_end, X, "line 4"),
	MISTAKE(text_called_with_other_dims, TSR_ERROR_TYPE, "f32[2]", "f32[8,16]"),
	MISTAKE(text_called_with_other_dtype, TSR_ERROR_TYPE, "f32[8]", "i32[8]"),
	MISTAKE(text_of_a_jit, TSR_ERROR_ARGUMENT, "tsr_fn_text"),
	MISTAKE(graph_of_a_jit, TSR_ERROR_ARGUMENT, "program_graph", "tsr_fn_graph"),
	MISTAKE(picture_that_shows_three_dims, TSR_ERROR_ARGUMENT, ".dims", "3", "two"),
	MISTAKE(picture_of_a_scalar, TSR_ERROR_ARGUMENT, "()", "reshape"),
	MISTAKE(table_over_other_devices, TSR_ERROR_SHARDING, ".mesh", "[4, 5]", "[0]"),
	MISTAKE(picture_of_a_traced_value, TSR_ERROR_HANDLE, "traced", "while tracing drawn"),
};

static void test_mistakes(void **state)
{
	(void)state;
	assert_int_equal(mistakes_check("test_files.c", table, sizeof table / sizeof *table), 0);
}

/* every beginning of a good file is an error, and no crash */
static void test_every_truncation(void **state)
{
	(void)state;
	char bytes[512];
	const size_t n = npy_bytes(bytes, V1, FLOATS("(2, 3)"), 24);
	tsr_ctx *ctx = tsr_open(.log = mistakes_log);
	for (size_t k = 0; k < n; k++) {
		char *exact = malloc(k + !k);
		memcpy(exact, bytes, k);
		assert_true(tsr_is_poison(tsr_read_npy(ctx, exact, k)));
		assert_int_equal(tsr_status(ctx), TSR_ERROR_FILE);
		tsr_clear(ctx);
		free(exact);
	}
	assert_false(tsr_is_poison(tsr_read_npy(ctx, bytes, n)));
	assert_int_equal(tsr_close(ctx), 0);
}

/* the same for a program; a beginning that is a program is legal */
static void test_every_text_truncation(void **state)
{
	(void)state;
	static const char text[] = "f(%0: f32[2,8], %1: f32[2,8]) -> f32[8,2] {\n"
		"  %2: f32[2,8] = add %0 %1\n  %3: f32[8,2] = transpose %2 perm=[1,0]\n"
		"  return %3\n}\n";
	tsr_ctx *ctx = tsr_open(.log = mistakes_log);
	for (size_t k = 0; k + 2 < sizeof text; k++) {
		char *exact = malloc(k + 1);
		memcpy(exact, text, k);
		exact[k] = 0;
		(void)!tsr_parse(ctx, exact);
		assert_int_equal(tsr_status(ctx), TSR_ERROR_TEXT);
		tsr_clear(ctx);
		free(exact);
	}
	assert_string_not_equal(tsr_program_text(tsr_parse(ctx, text)), "");
	assert_int_equal(tsr_close(ctx), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mistakes),
		cmocka_unit_test(test_every_truncation),
		cmocka_unit_test(test_every_text_truncation),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
