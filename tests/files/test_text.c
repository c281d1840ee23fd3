/* test_text.c - numbers in columns: the results of numpy.loadtxt (NumPy 2.4.6) for each text, and
 * refused texts; and the lists of files. */
#include "files/files_rig.h"
#include <math.h>

typedef struct keys {
	const char *delimiter, *comments;
	int64_t skip;
	tsr_dims columns;
	tsr_dtype dtype;
} keys;

/* as an initialiser */
#define COLUMNS(...) {.d = {1 + TSR_N_(__VA_ARGS__), __VA_ARGS__}}

static tsr *load(tsr_ctx *ctx, const char *text, const keys *k)
{
	const char *path = in_folder("x.txt");
	const tsr_load_text_args args = {.size = sizeof args,
	                                 .delimiter = k->delimiter,
	                                 .comments = k->comments,
	                                 .skip = k->skip,
	                                 .columns = k->columns,
	                                 .dtype = k->dtype ? k->dtype : TSR_F64};

	write_bytes(path, text, strlen(text));
	return tsr_load_text_at("here.c:1", ctx, path, &args);
}

static const struct good {
	const char *text;
	keys k;
	int ndim;
	int64_t dims[2];
	double want[6]; /* of complex numbers both parts */
} good[] = {
	{"1 2\n3 4\n", {0}, 2, {2, 2}, {1, 2, 3, 4}},
	{"1\n2\n", {0}, 1, {2}, {1, 2}},
	{"1 2 3", {0}, 1, {3}, {1, 2, 3}},
	{"5", {0}, 0, {0}, {5}},
	{"", {0}, 1, {0}, {0}},
	{"# x\n", {0}, 1, {0}, {0}},
	{"1,2\n\n3,4", {.delimiter = ","}, 2, {2, 2}, {1, 2, 3, 4}},
	{"1 2\n3", {.columns = COLUMNS(0)}, 1, {2}, {1, 3}},
	{"1 2 3\n4 5 6", {.columns = COLUMNS(2, -3)}, 2, {2, 2}, {3, 1, 6, 4}},
	{"1,2", {.delimiter = ",", .columns = COLUMNS(0, 0)}, 1, {2}, {1, 1}},
	{" inf -Infinity", {0}, 1, {2}, {INFINITY, -INFINITY}},
	{"1e5 .5 5. +3 -.5E-3", {0}, 1, {5}, {1e5, .5, 5, 3, -.5e-3}},
	{"1e400 -1e-400", {0}, 1, {2}, {INFINITY, 0}},
	{"1e39", {.dtype = TSR_F32}, 0, {0}, {INFINITY}},
	{"65520 65519", {.dtype = TSR_F16}, 1, {2}, {INFINITY, 65504}},
	{"1+2j (3-4j) 2j", {.dtype = TSR_C128}, 1, {3}, {1, 2, 3, -4, 0, 2}},
	{"1 +2j", {.dtype = TSR_C64}, 1, {2}, {1, 0, 0, 2}},
	{"( 1+2j )", {.delimiter = ",", .dtype = TSR_C128}, 0, {0}, {1, 2}},
	{"1 0 2", {.dtype = TSR_BOOL}, 1, {3}, {1, 0, 1}},
	{"-128 +127", {.dtype = TSR_I8}, 1, {2}, {-128, 127}},
	{"18446744073709549568", {.dtype = TSR_U64}, 0, {0}, {18446744073709549568.0}},
	{"x y\n1 2", {.skip = 1}, 1, {2}, {1, 2}},
	{"1 2", {.skip = 9}, 1, {0}, {0}},
	{"1 2 // hi\n3 4", {.comments = "//"}, 2, {2, 2}, {1, 2, 3, 4}},
	{"1 2\n\n3 4 # c\n#d\n5 6", {.skip = 2}, 2, {2, 2}, {3, 4, 5, 6}},
	{"1\t2\r\n3\t4\r\n", {0}, 2, {2, 2}, {1, 2, 3, 4}},
	{"1, 2 ", {.delimiter = ","}, 1, {2}, {1, 2}},
	{"1 2", {.delimiter = " "}, 1, {2}, {1, 2}},
	{"1\x0b""2\x0c""3", {0}, 1, {3}, {1, 2, 3}},
	{"1 \n 2 \n", {0}, 1, {2}, {1, 2}},
};

static void test_good(void **state)
{
	tsr_ctx *ctx = tsr_open();

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(good); i++) {
		const struct good *g = &good[i];
		tsr *x = load(ctx, g->text, &g->k);
		const tsr_dims dims = tsr_shape(x);
		double out[6] = {0};
		if (tsr_is_poison(x)) fail_msg("%s: %s", g->text, tsr_message(ctx));
		assert_int_equal(tsr_dtype_of(x), g->k.dtype ? g->k.dtype : TSR_F64);
		assert_true(dims_same(dims.d + 1, (int)dims.d[0] - 1, g->dims, g->ndim));
		const bool complex = tsr_dtype_of(x) >= TSR_C64;
		assert_true(tsr_read_into(x, out, .dtype = complex ? TSR_C128 : TSR_F64));
		for (int k = 0; k < tsr_size(x) * (1 + complex); k++)
			if (out[k] != g->want[k]) fail_msg("%s: %s", g->text, tsr_text(x));
	}
	assert_true(isnan(tsr_item(load(ctx, "NaN", &(keys){0}))));
	assert_int_equal(tsr_close(ctx), 0);
}

static const struct bad {
	const char *text;
	keys k;
	const char *says;
	int code; /* 0: TSR_ERROR_FILE */
} bad[] = {
	{"1,2,\n3,4,", {.delimiter = ","}, "line 1 has \"\" in column 2, which is no number", 0},
	{"1,2\n  \n3,4", {.delimiter = ","}, "line 2 has 1 columns, and those before have 2", 0},
	{"1 2\n3", {0}, "line 2 has 1 columns, and those before have 2: .columns takes some", 0},
	{"1 2", {.columns = COLUMNS(5)}, "line 1 has 2 columns, and .columns has 5", 0},
	{"1.5", {.dtype = TSR_I64}, "line 1 has \"1.5\" in column 0, which is no number of i64", 0},
	{"1_0", {0}, "\"1_0\"", 0},
	{"0x10", {0}, "\"0x10\"", 0},
	{"nan(1)", {0}, "\"nan(1)\"", 0},
	{"infi", {0}, "\"infi\"", 0},
	{"1e", {0}, "\"1e\"", 0},
	{"1d5", {0}, "\"1d5\"", 0},
	{".", {0}, "\".\"", 0},
	{"1\nx\x1b[31m", {0}, "line 2 has \"x\\u001b[31m\" in column 0", 0},
	{"True", {.dtype = TSR_BOOL}, "\"True\"", 0},
	{"300", {.dtype = TSR_U8}, "which is no number of u8", 0},
	{"-1", {.dtype = TSR_U8}, "\"-1\"", 0},
	{"9223372036854775808", {.dtype = TSR_I64}, "which is no number of i64", 0},
	{"1+j", {.dtype = TSR_C64}, "\"1+j\"", 0},
	{"(1,2)", {.dtype = TSR_C64}, "\"(1,2)\"", 0},
	{"1  2", {.delimiter = " "}, "\"\" in column 1", 0},
	{"1 2", {.delimiter = "ab"}, ".delimiter is one character", TSR_ERROR_ARGUMENT},
	{"1 2", {.delimiter = ""}, ".delimiter is one character", TSR_ERROR_ARGUMENT},
	{"1 2", {.skip = -1}, ".skip is a number of lines", TSR_ERROR_ARGUMENT},
};

static void test_bad(void **state)
{
	tsr_ctx *ctx = tsr_open(.log = log_nothing);

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		assert_true(tsr_is_poison(load(ctx, bad[i].text, &bad[i].k)));
		assert_non_null(strstr(tsr_message(ctx), "here.c:1: load_text: "));
		assert_message(ctx, bad[i].code ? bad[i].code : TSR_ERROR_FILE, bad[i].says);
	}
	write_bytes(in_folder("zero.txt"), "1\0002", 3);
	assert_true(tsr_is_poison(tsr_load_text(ctx, in_folder("zero.txt"))));
	assert_message(ctx, TSR_ERROR_FILE, "is no text: it holds a zero byte");
	assert_true(tsr_is_poison(tsr_load_text(ctx, "no/such.txt")));
	assert_message(ctx, TSR_ERROR_FILE, "load_text: no/such.txt: No such file");
	assert_true(tsr_is_poison(tsr_load_text(ctx, NULL)));
	assert_message(ctx, TSR_ERROR_ARGUMENT, "load_text: the path is NULL");
	assert_int_equal(tsr_close(ctx), 0);
}

static void test_lists(void **state)
{
	tsr_ctx *ctx = tsr_open(.log = log_nothing);
	tsr *x[3] = {tsr_ones(ctx, TSR_DIMS(2, 3)), tsr_scalar(ctx, 1, .dtype = TSR_BOOL),
	             tsr_zeros(ctx, TSR_DIMS(0), .dtype = TSR_C64)};

	(void)state;
	for (int f = 0; f < 2; f++) {
		const char *path = in_folder(f ? "l.safetensors" : "l.npz");
		assert_true(tsr_save(TSR_LEAVES(x, 3), path,
		                     .names = TSR_NAMES("a.kernel", "b", "c")));
		assert_string_equal(tsr_file_text(ctx, path),
		                    f ? "c         c64[0]    0 bytes\n"
		                        "a.kernel  f32[2,3]  24 bytes\n"
		                        "b         bool[]    1 bytes\n"
		                      : "a.kernel  f32[2,3]  24 bytes\n"
		                        "b         bool[]    1 bytes\n"
		                        "c         c64[0]    0 bytes\n");
	}
	assert_string_equal(tsr_file_text(ctx, "tests/fuzz/corpus/npy/fortran.npy"),
	                    "f32[2,3,4]  96 bytes\n");
	copy_file("tests/fuzz/corpus/npz/nothing_in_it", in_folder("n.npz"));
	assert_string_equal(tsr_file_text(ctx, in_folder("n.npz")), "no arrays\n");
	copy_file("tests/fuzz/corpus/safetensors/f8", in_folder("n.safetensors"));
	assert_string_equal(tsr_file_text(ctx, in_folder("n.safetensors")),
	                    "a  F8_E4M3[3]  3 bytes\n");
	copy_file("tests/fuzz/corpus/npz/packed", in_folder("p.npz"));
	assert_string_equal(tsr_file_text(ctx, in_folder("p.npz")),
	                    "a  i16[3]    6 bytes, packed\nb  f32[2,3]  24 bytes, packed\n");
	assert_string_equal(tsr_file_text(ctx, "x.txt"), "");
	assert_message(ctx, TSR_ERROR_ARGUMENT, "must end in .npy, .npz or .safetensors");
	assert_int_equal(tsr_close(ctx), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good),
		cmocka_unit_test(test_bad),
		cmocka_unit_test(test_lists),
	};

	return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
