/* test_archives.c - trees in .npz and .safetensors files: files by NumPy and safetensors, files by
 * us, names, places, and errors.
 *
 * write_data.py has made the files in tests/files/data. ours.npz and ours.safetensors are what
 * tsr_save() writes (TSR_UPDATE=1 writes them anew): `make peer-check` has them read there. */
#include "files/files_rig.h"

#define DATA "tests/files/data/"

/* in each dtype [2, 3], as write_data.py makes it */
static tsr *array_of(tsr_ctx *ctx, tsr_dtype dtype)
{
	tsr *k = tsr_reshape(tsr_arange(ctx, 6), TSR_DIMS(2, 3));

	if (dtype == TSR_BOOL) return tsr_eq(tsr_rem(k, 2), 1);
	if (dtype == TSR_C64 || dtype == TSR_C128) {
		k = tsr_astype(k, dtype == TSR_C64 ? TSR_F32 : TSR_F64);
		k = tsr_complex(k, tsr_sub(0, k));
	}
	return tsr_astype(k, dtype);
}

static const tsr_dtype dtypes[] = {TSR_BOOL, TSR_I8,  TSR_I16,  TSR_I32, TSR_I64,
                                   TSR_U8,   TSR_U16, TSR_U32,  TSR_U64, TSR_F16,
                                   TSR_BF16, TSR_F32, TSR_F64,  TSR_C64, TSR_C128};

static bool same_array(const tsr *a, const tsr *b)
{
	return tsr_dtype_of(a) == tsr_dtype_of(b) && tsr_ndim(a) == tsr_ndim(b) &&
	       tsr_array_equal(a, b);
}

/* the first n dtypes, an empty array and a scalar; their names are in all_names */
static const char *const all_names[] = {"bool", "i8",  "i16", "i32", "i64", "u8",    "u16",
                                        "u32",  "u64", "f16", "bf16", "f32", "f64",  "c64",
                                        "c128", "empty", "scalar", "fortran", "swapped"};

static void make_all(tsr_ctx *ctx, tsr **x)
{
	for (size_t k = 0; k < ARRAY_LEN(dtypes); k++) x[k] = array_of(ctx, dtypes[k]);
	x[15] = tsr_zeros(ctx, TSR_DIMS(0, 3));
	x[16] = tsr_scalar(ctx, 2.5);
	x[17] = x[11];
	x[18] = x[12];
}

static void test_theirs(void **state)
{
	static const struct file {
		const char *path;
		size_t n;
	} files[] = {{DATA "numpy.npz", 19}, {DATA "numpy_compressed.npz", 19},
	             {DATA "theirs.safetensors", 17}};
	tsr_ctx *ctx = tsr_open();
	tsr *want[19], *x[19];

	(void)state;
	make_all(ctx, want);
	for (size_t f = 0; f < ARRAY_LEN(files); f++) {
		const char *names[19];
		memcpy(names, all_names, sizeof names);
		if (f == 2) names[14] = NULL; /* no c128 there */
		assert_true(tsr_load(TSR_LEAVES(x, files[f].n), files[f].path,
		                     .names = {{.count = (int64_t)files[f].n}, names}));
		for (size_t k = 0; k < files[f].n; k++) {
			if (!names[k]) assert_null(x[k]);
			else if (!same_array(x[k], want[k]))
				fail_msg("%s: %s: %s", files[f].path, names[k], tsr_text(x[k]));
		}
	}
	assert_int_equal(tsr_close(ctx), 0);
}

/* the same bytes as before, and what was saved comes back */
static void test_ours(void **state)
{
	static const char *const paths[] = {DATA "ours.npz", DATA "ours.safetensors"};
	tsr_ctx *ctx = tsr_open();
	tsr *x[17], *y[17];

	(void)state;
	for (size_t f = 0; f < 2; f++) {
		tsr *all[19];
		const char *names[17], *path = in_folder(f ? "x.safetensors" : "x.npz");
		make_all(ctx, all);
		memcpy(x, all, sizeof x);
		memcpy(names, all_names, sizeof names);
		if (f) names[14] = NULL;
		const tsr_names given = {{.count = 17}, names};
		assert_true(tsr_save(TSR_LEAVES(x, 17), path, .names = given));
		if (getenv("TSR_UPDATE"))
			assert_true(tsr_save(TSR_LEAVES(x, 17), paths[f], .names = given));
		assert_same_files(path, paths[f]);
		assert_true(tsr_load(TSR_LEAVES(y, 17), path, .names = given));
		for (size_t k = 0; k < 17; k++)
			if (names[k]) assert_true(same_array(x[k], y[k]));
	}
	assert_int_equal(tsr_close(ctx), 0);
}

/* ---- trees by their paths, and where their leaves go */

TSR_TREE_TYPE(dense, { tsr *kernel, *bias; });
TSR_TREE_TYPE(net, { dense layer[2]; tsr *scale; });

static net make_net(tsr_ctx *ctx)
{
	net w = {.scale = tsr_scalar(ctx, 3)};

	for (int i = 0; i < 2; i++) {
		tsr *k = tsr_arange(ctx, 24, .dtype = TSR_F32, .start = i);
		w.layer[i] = (dense){{tsr_reshape(k, TSR_DIMS(4, 6)),
		                      tsr_arange(ctx, 6, .dtype = TSR_F32)}};
	}
	return w;
}

static void test_tree(void **state)
{
	const tsr_spec specs[] = {TSR_SPEC(NULL, "x"), TSR_SPEC("x"), TSR_SPEC("y", "x"),
	                          TSR_SPEC(NULL), TSR_SPEC()};
	tsr_ctx *ctx = tsr_open(.devices = 4);
	const tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 2}, {"y", 2});
	net w = make_net(ctx), r;

	(void)state;
	for (int f = 0; f < 2; f++) {
		const char *path = in_folder(f ? "net.safetensors" : "net.npz");
		assert_true(tsr_save(TSR_TREE(net, &w), path));
		assert_true(tsr_load(TSR_TREE(net, &r), path, .mesh = mesh,
		                     .spec = TSR_FOR_EACH(specs)));
		for (size_t k = 0; k < 5; k++) {
			assert_true(same_array(r.leaf[k], w.leaf[k]));
			assert_ptr_equal(tsr_sharding_of(r.leaf[k]),
			                 tsr_sharding_make(mesh, specs[k]));
		}
		tsr *one; /* a part of the file, by name; on the first device */
		assert_true(tsr_load(TSR_LEAVES(&one, 1), path,
		                     .names = TSR_NAMES("layer[1].kernel")));
		assert_true(same_array(one, w.layer[1].kernel));
		assert_int_equal(tsr_shard_count(one), 1);
	}
	assert_int_equal(tsr_close(ctx), 0);
}

/* weights of PyTorch are [out, in]: they are so in the file, and not here */
static void test_turned(void **state)
{
	tsr_ctx *ctx = tsr_open(.devices = 4);
	const tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 4});
	tsr *k = tsr_reshape(tsr_arange(ctx, 30), TSR_DIMS(5, 6));
	tsr *x[2] = {k, tsr_gt(k, 7)}, *y[2];

	(void)state;
	for (int f = 0; f < 2; f++) {
		const char *path = in_folder(f ? "turned.safetensors" : "turned.npz");
		assert_true(tsr_save(TSR_LEAVES(x, 2), path, .names = TSR_NAMES("k", "flag"),
		                     .turned = TSR_NAMES("flag", "k")));
		assert_true(tsr_load(TSR_LEAVES(y, 2), path, .names = TSR_NAMES("k", "flag")));
		for (int i = 0; i < 2; i++)
			assert_true(same_array(y[i], tsr_transpose(x[i])));
		for (int d = 0; d < 2; d++) {
			const tsr_spec spec = d ? (tsr_spec)TSR_SPEC(NULL, "x")
			                        : (tsr_spec)TSR_SPEC("x", NULL);
			assert_true(tsr_load(TSR_LEAVES(y, 2), path, .mesh = mesh,
			                     .spec = TSR_FOR_ALL(spec),
			                     .names = TSR_NAMES("k", "flag"),
			                     .turned = TSR_NAMES("flag", "k")));
			for (int i = 0; i < 2; i++) assert_true(same_array(y[i], x[i]));
		}
	}
	assert_int_equal(tsr_close(ctx), 0);
}

/* a file that others may write to is read, not mapped: the same comes out, in every order of the
 * file, cut along every dim */
static void test_read_not_mapped(void **state)
{
	static const char *const files[] = {"numpy.npz", "numpy_compressed.npz",
	                                    "theirs.safetensors"};
	const tsr_spec specs[] = {TSR_SPEC("x", NULL), TSR_SPEC(NULL, "x")};
	tsr_ctx *ctx = tsr_open(.devices = 2);
	const tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 2});
	tsr *want[19], *x[19];

	(void)state;
	make_all(ctx, want);
	for (size_t f = 0; f < ARRAY_LEN(files); f++)
		for (int way = 0; way < 4; way++) {
			const char *names[19], *path = in_folder(files[f]);
			const int64_t n = f == 2 ? 17 : 19;
			char from[100];
			snprintf(from, sizeof from, DATA "%s", files[f]);
			copy_file(from, path);
			assert_int_equal(chmod(path, way < 2 ? 0644 : 0666), 0);
			memcpy(names, all_names, sizeof names);
			names[16] = NULL; /* a scalar takes no such spec */
			if (f == 2) names[14] = NULL;
			assert_true(tsr_load(TSR_LEAVES(x, (size_t)n), path, .mesh = mesh,
			                     .spec = TSR_FOR_ALL(specs[way % 2]),
			                     .names = {{.count = n}, names}));
			for (int64_t k = 0; k < n; k++)
				if (names[k]) assert_true(same_array(x[k], want[k]));
		}
	assert_int_equal(tsr_close(ctx), 0);
}

/* ---- what is wrong */

static void test_errors(void **state)
{
	tsr_ctx *ctx = tsr_open(.log = log_nothing);
	tsr *x = tsr_ones(ctx, TSR_DIMS(2)), *c = tsr_ones(ctx, TSR_DIMS(2), .dtype = TSR_C128);
	tsr *two[2] = {x, x}, *kept = x;
	const char *npz = in_folder("e.npz"), *st = in_folder("e.safetensors");
	const tsr_tree one = TSR_LEAVES(&x, 1), both = TSR_LEAVES(two, 2);

	(void)state;
	assert_false(tsr_save(one, "x.npy"));
	assert_message(ctx, TSR_ERROR_ARGUMENT, "save: x.npy: the name of the file must end in");
	assert_false(tsr_save(one, NULL));
	assert_message(ctx, TSR_ERROR_ARGUMENT, "save: the path is NULL");
	assert_false(tsr_save(one, "no/such/x.npz"));
	assert_message(ctx, TSR_ERROR_FILE, "save: no/such/x.npz: No such file");
	assert_false(tsr_save(both, npz, .names = TSR_NAMES("a", "a")));
	assert_message(ctx, TSR_ERROR_ARGUMENT, "the leaf \"a\": another leaf has the same name");
	assert_false(tsr_save(both, npz, .names = TSR_NAMES("a")));
	assert_message(ctx, TSR_ERROR_ARGUMENT, ".names are one a leaf");
	assert_false(tsr_save(one, npz, .names = TSR_NAMES("a\x1b[31m")));
	assert_message(ctx, TSR_ERROR_ARGUMENT, "the leaf \"a\\u001b[31m\": this is no name");
	assert_false(tsr_save(one, npz, .names = TSR_NAMES("")));
	assert_message(ctx, TSR_ERROR_ARGUMENT, "this is no name");
	assert_false(tsr_save(one, npz, .names = TSR_NAMES("a"), .turned = TSR_NAMES("a")));
	assert_message(ctx, TSR_ERROR_ARGUMENT, "has no two dims");
	assert_false(tsr_save(one, npz, .names = TSR_NAMES("a"), .turned = TSR_NAMES("b")));
	assert_message(ctx, TSR_ERROR_ARGUMENT, ".turned has \"b\", which is no name of a leaf");
	assert_false(tsr_save(one, st, .names = TSR_NAMES("__metadata__")));
	assert_message(ctx, TSR_ERROR_UNSUPPORTED, "another use of this name");
	assert_false(tsr_save(TSR_LEAVES(&c, 1), st));
	assert_message(ctx, TSR_ERROR_UNSUPPORTED, "the leaf \"[0]\": the format has no c128");
	assert_int_equal(access(npz, F_OK), -1);
	assert_int_equal(access(st, F_OK), -1);

	assert_true(tsr_save(one, npz, .names = TSR_NAMES("a")));
	assert_true(tsr_save(one, st, .names = TSR_NAMES("a")));
	for (int f = 0; f < 2; f++) {
		const char *path = f ? st : npz;
		assert_false(tsr_load(one, path, .names = TSR_NAMES("b")));
		assert_message(ctx, TSR_ERROR_FILE, "no array has the name \"b\"; it has \"a\"");
		assert_false(tsr_load(one, path, .names = TSR_NAMES("a"),
		                      .turned = TSR_NAMES("a")));
		assert_message(ctx, TSR_ERROR_TYPE, "the array \"a\": it is .turned");
		assert_false(tsr_load(one, path, .names = TSR_NAMES("a"),
		                      .spec = TSR_FOR_ALL(TSR_P("x"))));
		assert_message(ctx, TSR_ERROR_ARGUMENT, ".spec needs a .mesh");
		assert_false(tsr_load(one, path, .mesh = tsr_mesh_make(ctx, {"x", 1}),
		                      .names = TSR_NAMES("a"),
		                      .spec = TSR_FOR_ALL(TSR_P("x", NULL))));
		assert_message(ctx, TSR_ERROR_SHARDING, "shorten the spec");
	}
	assert_false(tsr_load(one, "no/such/x.npz"));
	assert_message(ctx, TSR_ERROR_FILE, "load: no/such/x.npz: No such file");
	copy_file(npz, st);
	assert_false(tsr_load(one, st));
	assert_message(ctx, TSR_ERROR_FILE, "is too large for it");
	assert_ptr_equal(x, kept);
	tsr_ctx *other = tsr_open();
	tsr_log_to(log_nothing, NULL);
	assert_false(tsr_load(one, npz));
	tsr_log_to(NULL, NULL);
	assert_int_equal(tsr_close(other), 0);
	assert_int_equal(tsr_close(ctx), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_theirs),  cmocka_unit_test(test_ours),
		cmocka_unit_test(test_tree),    cmocka_unit_test(test_turned),
		cmocka_unit_test(test_read_not_mapped), cmocka_unit_test(test_errors),
	};

	return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
