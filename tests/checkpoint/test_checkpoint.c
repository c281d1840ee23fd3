/* test_checkpoint.c - saves and loads in one process, and refused calls. */
#include "checkpoint/checkpoint_rig.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <time.h>
#define D TSR_DIMS

TSR_TREE_TYPE(layer, { tsr *w, *b; });
TSR_TREE_TYPE(net, {
	layer in[2];
	tsr *scale;
});

static void fill(tsr_ctx *ctx, net *x, double value)
{
	for (int i = 0; i < 2; i++)
		x->in[i] = (layer){tsr_full(ctx, D(4, 6), value + i), tsr_full(ctx, D(6), -value)};
	x->scale = tsr_scalar(ctx, value);
}

static void test_tree(void **state)
{
	tsr_ctx *ctx = tsr_open(.devices = 4, .log = log_nothing);
	const char *dir = in_folder("tree");
	net x, y;
	char text[200];

	(void)state;
	fill(ctx, &x, 3);
	assert_int_equal(tsr_checkpoint_latest(ctx, dir), -1);
	assert_string_equal(tsr_checkpoint_text(ctx, dir), "");
	assert_true(tsr_checkpoint_save(dir, 7, TSR_TREE(net, &x)));
	fill(ctx, &y, 0);
	assert_true(tsr_checkpoint_load(dir, 7, TSR_TREE(net, &y)));
	assert_true(tsr_tree_allclose(TSR_TREE(net, &x), TSR_TREE(net, &y), 0, 0));
	assert_int_equal(tsr_checkpoint_latest(ctx, dir), 7);
	assert_true(tsr_checkpoint_verify(ctx, dir, 7));
	/* the mesh that is named, and its specs */
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"d", 2});
	assert_true(tsr_checkpoint_load(dir, 7, TSR_TREE(net, &y), .mesh = mesh));
	assert_int_equal(tsr_shard_count(y.scale), 2);
	y = (net){0}; /* whatever there is */
	assert_true(tsr_checkpoint_load(dir, 7, TSR_TREE(net, &y)));
	assert_true(tsr_tree_allclose(TSR_TREE(net, &x), TSR_TREE(net, &y), 0, 0));
	/* steps are in their order, not in that of names; the lowest of the others go */
	for (int step = 9; step < 12; step++)
		assert_true(tsr_checkpoint_save(dir, step, TSR_TREE(net, &x), .keep = 3));
	assert_int_equal(tsr_checkpoint_latest(ctx, dir), 11);
	snprintf(text, sizeof text, "%s", tsr_checkpoint_text(ctx, dir));
	assert_true(strncmp(text, "9  5 leaves  ", 13) == 0 && strstr(text, "\n10  5 leaves  ") &&
	            strstr(text, " bytes in 1 files\n11  5 leaves  "));
	assert_true(tsr_checkpoint_save(dir, 1, TSR_TREE(net, &x), .keep = 1)); /* and this stays */
	assert_int_equal(tsr_checkpoint_latest(ctx, dir), 1);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* what is in the folder and not ours stays, also where it has files like ours */
static void test_strangers(void **state)
{
	static const char *const names[] = {"x.draft-1-1", "1.draft-x",     "1.draft-12",
	                                    "1.draft-12-", "1.draft-12-3x", "01.draft-12-3",
	                                    "7",           "backup",        ".draft-1-1"};
	tsr_ctx *ctx = tsr_open(.log = log_nothing);
	tsr *x = tsr_ones(ctx, D(3));
	char path[300];

	(void)state;
	assert_int_equal(mkdir(in_folder("shared"), 0700), 0);
	for (size_t k = 0; k < ARRAY_LEN(names); k++) {
		snprintf(path, sizeof path, "%s/%s", in_folder("shared"), names[k]);
		assert_int_equal(mkdir(path, 0700), 0);
		strcat(path, "/weights.safetensors");
		assert_int_equal(close(open(path, O_CREAT | O_WRONLY, 0600)), 0);
	}
	assert_int_equal(mkdir(in_folder("shared/3.draft-99-a0"), 0700), 0); /* this is ours */
	assert_int_equal(close(open(in_folder("shared/3.draft-99-a0/00001.note"), O_CREAT, 0600)),
	                 0);
	for (int step = 10; step < 13; step++)
		assert_true(tsr_checkpoint_save(in_folder("shared"), step, TSR_LEAVES(&x, 1),
		                                .keep = 1));
	assert_int_equal(tsr_checkpoint_latest(ctx, in_folder("shared")), 12);
	for (size_t k = 0; k < ARRAY_LEN(names); k++) {
		snprintf(path, sizeof path, "%s/%s/weights.safetensors", in_folder("shared"),
		         names[k]);
		if (access(path, F_OK) != 0) fail_msg("%s is gone", names[k]);
	}
	assert_int_not_equal(access(in_folder("shared/3.draft-99-a0"), F_OK), 0);
	assert_int_not_equal(access(in_folder("shared/11"), F_OK), 0);
	assert_false(tsr_checkpoint_save(in_folder("shared"), 7, TSR_LEAVES(&x, 1)));
	assert_message(ctx, TSR_ERROR_ARGUMENT, "step 7 is there already");
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* absent leaves, views of memory of the caller's, and what is whole on many devices */
static void test_leaves(void **state)
{
	tsr_ctx *ctx = tsr_open(.devices = 4, .log = log_nothing);
	const char *dir = in_folder("leaves");
	float numbers[24];
	char path[300];
	struct stat about;

	(void)state;
	for (int i = 0; i < 24; i++) numbers[i] = (float)i;
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 4});
	tsr *turned = tsr_wrap(ctx, numbers, TSR_F32, D(6, 4), .strides = D(4, 24));
	tsr *back = tsr_wrap(ctx, numbers + 23, TSR_F32, D(24), .strides = D(-4));
	tsr *whole = tsr_put(tsr_full(ctx, D(1000), 1.5), mesh, TSR_P());
	tsr *x[4] = {turned, NULL, back, whole}, *y[4] = {0};
	assert_true(tsr_checkpoint_save(dir, 0, TSR_LEAVES(x, 4)));
	assert_true(tsr_checkpoint_load(dir, 0, TSR_LEAVES(y, 4)));
	assert_null(y[1]);
	for (int k = 0; k < 4; k++) assert_true(!x[k] || tsr_array_equal(x[k], y[k]));
	/* the first of four devices has written what is whole on all */
	snprintf(path, sizeof path, "%s/0/00000-00001.safetensors", dir);
	assert_int_not_equal(stat(path, &about), 0);
	y[1] = whole;
	assert_false(tsr_checkpoint_load(dir, 0, TSR_LEAVES(y, 4)));
	assert_message(ctx, TSR_ERROR_TYPE, "the leaf \"[1]\" was absent when it was saved");
	assert_ptr_equal(y[1], whole);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* what is being saved is held, not copied: a call that it is donated to makes its result
 * elsewhere */
static tsr *half(tsr *x) { return tsr_mul(x, 0.5); }

static void test_async(void **state)
{
	tsr_ctx *ctx = tsr_open(.log = log_nothing);
	const char *dir = in_folder("async");
	enum { N = 1 << 20 };

	(void)state;
	tsr_fn *f = tsr_jit(ctx, half, .donate = D(0));
	tsr *x = NULL, *y = NULL;
	tsr_set(&x, tsr_full(ctx, D(N), 1024.0));
	for (int step = 0; step < 8; step++) {
		TSR_SCOPE(ctx);
		const int64_t before = (int64_t)tsr_memory(ctx).in_use;
		assert_true(tsr_checkpoint_save(dir, step, TSR_LEAVES(&x, 1), .async = true));
		const int64_t more = (int64_t)tsr_memory(ctx).in_use - before;
		assert_true(more < 2 * N); /* of 4 N bytes */
		assert_true(tsr_set(&x, tsr_call(f, x)));
	}
	assert_true(tsr_checkpoint_wait(ctx) && tsr_checkpoint_wait(ctx));
	for (int step = 0; step < 8; step++) {
		TSR_SCOPE(ctx);
		y = NULL;
		assert_true(tsr_checkpoint_load(dir, step, TSR_LEAVES(&y, 1)));
		assert_true(tsr_item(tsr_min(y)) == 1024.0 / (1 << step));
		assert_true(tsr_item(tsr_max(y)) == 1024.0 / (1 << step));
	}
	/* its failure is that of the next call, and of tsr_close() */
	assert_int_equal(close(open(in_folder("file"), O_CREAT | O_WRONLY, 0600)), 0);
	assert_true(tsr_checkpoint_save(in_folder("file"), 0, TSR_LEAVES(&x, 1), .async = true));
	assert_false(tsr_checkpoint_save(dir, 9, TSR_LEAVES(&x, 1)));
	assert_message(ctx, TSR_ERROR_FILE, "while the checkpoint of step 0 was saved");
	assert_true(tsr_checkpoint_save(dir, 9, TSR_LEAVES(&x, 1)));
	assert_true(tsr_checkpoint_save(dir, 9, TSR_LEAVES(&x, 1), .async = true));
	assert_int_equal(tsr_close(ctx), TSR_ERROR_ARGUMENT); /* step 9 is there */
}

/* ---- threads */

static bool no_threads;

int pthread_create(pthread_t *to, const pthread_attr_t *how, void *(*work)(void *), void *of)
{
	int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) = NULL;

	if (no_threads) return EAGAIN;
	*(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
	return real(to, how, work, of);
}

/* where no thread can be had, the call writes itself */
static void test_no_thread(void **state)
{
	tsr_ctx *ctx = tsr_open(.log = log_nothing);
	tsr *x = tsr_ones(ctx, D(3));

	(void)state;
	no_threads = true;
	assert_true(tsr_checkpoint_save(in_folder("alone"), 1, TSR_LEAVES(&x, 1), .async = true));
	no_threads = false;
	assert_int_equal(tsr_checkpoint_latest(ctx, in_folder("alone")), 1);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* the call for 100 leaves takes at most 1 ms, on one device and on eight */
static void test_soon(void **state)
{
	enum { COUNT = 100 };

	(void)state;
	for (int devices = 1; devices <= 8; devices += 7) {
		tsr_ctx *ctx = tsr_open(.devices = devices, .log = log_nothing);
		tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", devices});
		tsr *x[COUNT];
		double least = 1e9;
		for (int k = 0; k < COUNT; k++)
			x[k] = tsr_put(tsr_ones(ctx, D(64, 64)), mesh, TSR_P("x"));
		for (int step = 0; step < 10; step++) {
			struct timespec begin, end;
			clock_gettime(CLOCK_MONOTONIC, &begin);
			assert_true(tsr_checkpoint_save(in_folder("soon"), step,
			                                TSR_LEAVES(x, COUNT), .async = true));
			clock_gettime(CLOCK_MONOTONIC, &end);
			const double ms = 1e3 * (double)(end.tv_sec - begin.tv_sec) +
			                  1e-6 * (double)(end.tv_nsec - begin.tv_nsec);
			least = ms < least ? ms : least;
			assert_true(tsr_checkpoint_wait(ctx));
		}
		remove_all(in_folder("soon"));
		printf("%d devices: %.3f ms\n", devices, least);
#if defined NDEBUG && !defined __SANITIZE_ADDRESS__
		assert_true(least <= 1);
#endif
		assert_int_equal(tsr_close(ctx), TSR_OK);
	}
}

/* the folder is that of the call, wherever the process goes */
static void test_folder(void **state)
{
	tsr_ctx *ctx = tsr_open(.log = log_nothing);
	tsr *x = tsr_ones(ctx, D(3));
	char here[300];

	(void)state;
	assert_non_null(getcwd(here, sizeof here));
	assert_int_equal(chdir(folder), 0);
	assert_true(tsr_checkpoint_save("near", 1, TSR_LEAVES(&x, 1), .async = true));
	assert_int_equal(chdir(here), 0);
	assert_true(tsr_checkpoint_wait(ctx));
	assert_int_equal(tsr_checkpoint_latest(ctx, in_folder("near")), 1);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

static void test_mistakes(void **state)
{
	tsr_ctx *ctx = tsr_open(.log = log_nothing), *other = tsr_open(.log = log_nothing);
	const char *dir = in_folder("mistakes");
	tsr *x[3] = {tsr_ones(ctx, D(3)), tsr_ones(ctx, D(4, 5)), tsr_zeros(ctx, D(2))};
	tsr *y = tsr_ones(other, D(3)), *z = tsr_zeros(ctx, D(2), .dtype = TSR_C128);

	(void)state;
	assert_true(tsr_checkpoint_save(dir, 5, TSR_LEAVES(x, 2)));
	assert_false(tsr_checkpoint_save(dir, 5, TSR_LEAVES(x, 2)));
	assert_message(ctx, TSR_ERROR_ARGUMENT, "step 5 is there already");
	assert_false(tsr_checkpoint_save(dir, -1, TSR_LEAVES(x, 2)));
	assert_message(ctx, TSR_ERROR_ARGUMENT, "a step is a number from 0");
	assert_false(tsr_checkpoint_save("", 6, TSR_LEAVES(x, 2)));
	assert_message(ctx, TSR_ERROR_ARGUMENT, "the folder has no name");
	assert_false(tsr_checkpoint_save(dir, 6, TSR_LEAVES(x, 2), .keep = -1));
	assert_message(ctx, TSR_ERROR_ARGUMENT, ".keep is how many");
	assert_false(tsr_checkpoint_save(dir, 6, TSR_LEAVES(&z, 1)));
	assert_message(ctx, TSR_ERROR_UNSUPPORTED, "the format has no c128");
	assert_false(tsr_checkpoint_save(in_folder("no/folder"), 6, TSR_LEAVES(x, 2)));
	assert_message(ctx, TSR_ERROR_FILE, "No such file or directory");
	assert_false(tsr_checkpoint_load(dir, 6, TSR_LEAVES(x, 2)));
	assert_message(ctx, TSR_ERROR_FILE, "6/index.json: No such file or directory");
	assert_false(tsr_checkpoint_load(dir, 5, TSR_LEAVES(x, 3)));
	assert_message(ctx, TSR_ERROR_FILE, "it has no leaf \"[2]\"");
	tsr *swapped[2] = {x[1], x[0]};
	assert_false(tsr_checkpoint_load(dir, 5, TSR_LEAVES(swapped, 2)));
	assert_message(ctx, TSR_ERROR_TYPE,
	               "the leaf \"[0]\" is f32[3] in the checkpoint, and f32[4,5]");
	assert_ptr_equal(swapped[0], x[1]);
	tsr *whole = tsr_zeros(ctx, D(3), .dtype = TSR_I32);
	assert_false(tsr_checkpoint_load(dir, 5, TSR_LEAVES(&whole, 1)));
	assert_message(ctx, TSR_ERROR_TYPE, "is f32[3] in the checkpoint, and i32[3] here");
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 1});
	const tsr_spec one = TSR_SPEC("x"), specs[3] = {one, one, one};
	assert_false(tsr_checkpoint_load(dir, 5, TSR_LEAVES(x, 2), .spec = TSR_FOR_EACH(specs)));
	assert_message(ctx, TSR_ERROR_ARGUMENT, ".spec needs a .mesh");
	assert_false(tsr_checkpoint_load(dir, 5, TSR_LEAVES(x, 2), .mesh = mesh,
	                                 .spec = TSR_FOR_EACH(specs)));
	assert_message(ctx, TSR_ERROR_ARGUMENT, ".spec is one for all leaves, or one a leaf");
	assert_false(tsr_checkpoint_verify(ctx, dir, 6));
	assert_message(ctx, TSR_ERROR_FILE, "No such file");
	assert_int_equal(tsr_checkpoint_latest(ctx, in_folder("file")), -1);
	assert_message(ctx, TSR_ERROR_FILE, "Not a directory");
	(void)y;
	assert_int_equal(tsr_close(other), TSR_OK);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* the limit of the process is an error, not the signal that ends it */
static void test_limit(void **state)
{
	tsr_ctx *ctx = tsr_open(.log = log_nothing);
	tsr *x = tsr_ones(ctx, D(1 << 16));
	struct rlimit before;

	(void)state;
	getrlimit(RLIMIT_FSIZE, &before);
	setrlimit(RLIMIT_FSIZE, &(struct rlimit){1 << 17, before.rlim_max});
	assert_false(tsr_checkpoint_save(in_folder("limit"), 0, TSR_LEAVES(&x, 1)));
	setrlimit(RLIMIT_FSIZE, &before);
	assert_message(ctx, TSR_ERROR_FILE, "File too large");
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tree),      cmocka_unit_test(test_strangers),
		cmocka_unit_test(test_leaves),    cmocka_unit_test(test_async),
		cmocka_unit_test(test_no_thread), cmocka_unit_test(test_soon),
		cmocka_unit_test(test_folder),    cmocka_unit_test(test_mistakes),
		cmocka_unit_test(test_limit),
	};

	return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
