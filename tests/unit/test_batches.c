/* test_batches.c - batches of rows of .npy files: the choice of rows, their places, the ends of
 * epochs; and refused calls. The order of a key is computed again by tsr_permutation(). */
#include "support/quiet.h"
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tsr/tsr.h>
#include <unistd.h>
#include <cmocka.h>

#define OPEN(...) tsr_open(.plugin_dir = PLUGIN_DIR, __VA_ARGS__)
#define D TSR_DIMS
#define P TSR_P

enum { ROWS = 23, WIDTH = 3, EACH = 4 };

static char folder[] = "/tmp/tsr-batches-XXXXXX", x_path[64], y_path[64], other_path[64];
static const char *both[] = {x_path, y_path};

/* row i of x is [100 i, 100 i + 1, 100 i + 2], and y[i] is i */
static int files_made(void **state)
{
	(void)state;
	if (!mkdtemp(folder)) return -1;
	snprintf(x_path, sizeof x_path, "%s/x.npy", folder);
	snprintf(y_path, sizeof y_path, "%s/y.npy", folder);
	snprintf(other_path, sizeof other_path, "%s/other.npy", folder);
	tsr_ctx *ctx = OPEN(.devices = 1);
	tsr *row = tsr_reshape(tsr_arange(ctx, ROWS), D(ROWS, 1));
	tsr *x = tsr_astype(tsr_add(tsr_mul(row, 100), tsr_arange(ctx, WIDTH)), TSR_F32);
	const bool ok = tsr_save_npy(x, x_path) &&
	                tsr_save_npy(tsr_astype(tsr_arange(ctx, ROWS), TSR_I16), y_path);
	return tsr_close(ctx) || !ok;
}

static int files_gone(void **state)
{
	(void)state;
	unlink(x_path), unlink(y_path), unlink(other_path);
	return rmdir(folder);
}

/* ---- which rows */

/* in which order an epoch has the rows */
static void order_of(tsr *key, int64_t epoch, int32_t out[ROWS])
{
	TSR_SCOPE(tsr_ctx_of(key));
	assert_true(
		tsr_read(tsr_permutation(tsr_fold_in(key, epoch), ROWS), out, ROWS * sizeof *out));
}

static void has_rows(tsr *const xy[2], const int32_t *row, int n)
{
	float x[ROWS * WIDTH];
	int16_t y[ROWS];

	assert_int_equal(tsr_dim(xy[0], 0), n);
	assert_int_equal(tsr_dim(xy[0], 1), WIDTH);
	assert_int_equal(tsr_ndim(xy[1]), 1);
	assert_true(tsr_read(xy[0], x, (size_t)n * WIDTH * sizeof *x));
	assert_true(tsr_read(xy[1], y, (size_t)n * sizeof *y));
	for (int i = 0; i < n; i++) {
		assert_int_equal(y[i], row[i]);
		for (int j = 0; j < WIDTH; j++)
			assert_int_equal((int)x[WIDTH * i + j], 100 * row[i] + j);
	}
}

/* three epochs, whole or without the rows left at the end */
static void epochs(tsr_ctx *ctx, tsr *key, int ahead, bool short_last)
{
	const int count = ROWS / EACH + short_last;
	tsr_batches *b = tsr_batches_open(ctx, both, 2, EACH, .key = key, .prefetch = ahead,
	                                  .short_last = short_last);
	int32_t order[ROWS];
	tsr *xy[2];

	assert_int_equal(tsr_batches_count(b), count);
	for (int epoch = 0; epoch < 3; epoch++) {
		int k = 0;
		for (int i = 0; i < ROWS; i++) order[i] = i;
		if (key) order_of(key, epoch, order);
		for (; tsr_batches_next(b, xy, 2); k++) {
			TSR_SCOPE(ctx);
			has_rows(xy, order + EACH * k, k < ROWS / EACH ? EACH : ROWS % EACH);
		}
		assert_int_equal(k, count);
		assert_true(tsr_is_poison(xy[0]));
	}
	assert_int_equal(tsr_status(ctx), TSR_OK);
	tsr_batches_close(b);
	tsr_batches_close(b);
}

static void rows_come_in_order(void **state)
{
	tsr_ctx *ctx = OPEN(.devices = 1);

	(void)state;
	for (int ahead = -1; ahead < 8; ahead++) {
		TSR_SCOPE(ctx);
		epochs(ctx, NULL, ahead, ahead & 1);
		epochs(ctx, tsr_key(ctx, 7), ahead, !(ahead & 1));
	}
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

static void a_later_batch_can_be_the_first(void **state)
{
	tsr_ctx *ctx = OPEN(.devices = 1);
	tsr *key = tsr_key(ctx, 1), *xy[2];
	int32_t order[ROWS];

	(void)state;
	/* epochs have 5 batches: of epoch 2 number 3 is next, then 4, and the end */
	tsr_batches *b = tsr_batches_open(ctx, both, 2, EACH, .key = key, .first = 13);
	order_of(key, 2, order);
	assert_true(tsr_batches_next(b, xy, 2));
	has_rows(xy, order + 3 * EACH, EACH);
	assert_true(tsr_batches_next(b, xy, 2));
	assert_false(tsr_batches_next(b, xy, 2));
	order_of(key, 3, order);
	assert_true(tsr_batches_next(b, xy, 2));
	has_rows(xy, order, EACH);
	/* the first of an epoch */
	b = tsr_batches_open(ctx, both, 2, EACH, .key = key, .first = 15);
	assert_true(tsr_batches_next(b, xy, 2));
	has_rows(xy, order, EACH);
	assert_int_equal(tsr_close(ctx), TSR_OK); /* closes them, too */
}

/* ---- where they are */

static int64_t rows_of_shard(tsr *x, int64_t k)
{
	tsr_shard s;

	assert_true(tsr_shard_of(x, k, &s));
	return s.stop[0] - s.start[0];
}

static void batches_are_cut(void **state)
{
	tsr_ctx *ctx = OPEN(.devices = 8);
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"data", 4}, {"model", 2});
	tsr_batches *b = tsr_batches_open(ctx, both, 2, 8, .mesh = mesh, .spec = P("data"));
	const int32_t order[] = {0, 1, 2, 3, 4, 5, 6, 7};
	tsr *xy[2];

	(void)state;
	assert_true(tsr_batches_next(b, xy, 2));
	assert_true(tsr_sharding_of(xy[0]) == tsr_sharding_make(mesh, P("data")));
	assert_int_equal(rows_of_shard(xy[0], 2), 2);
	has_rows(xy, order, 8);
	TSR_MESH(mesh);
	b = tsr_batches_open(ctx, both, 1, 8, .spec = P("data", NULL)); /* the mesh in use */
	assert_true(tsr_batches_next(b, xy, 1));
	assert_int_equal(rows_of_shard(xy[0], 2), 2);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

static void memory_is_flat(void **state)
{
	tsr_ctx *ctx = OPEN(.devices = 1);
	tsr_batches *b = tsr_batches_open(ctx, both, 2, 1, .key = tsr_key(ctx, 0));
	size_t before = 0;
	tsr *xy[2], *kept = NULL;

	(void)state;
	for (int i = 0; i < 1000; i++) {
		tsr_batches_next(b, xy, 2);
		if (i == 0) tsr_set(&kept, xy[1]);
		if (i == 100) before = tsr_memory(ctx).in_use;
	}
	assert_true(tsr_memory(ctx).in_use <= before + 4096);
	int32_t order[ROWS];
	order_of(tsr_key(ctx, 0), 0, order);
	assert_int_equal((int)tsr_item(tsr_reshape(kept, D())), order[0]);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* ---- what is refused */

/* the error that is recorded now, and no longer */
static void refused(tsr_ctx *ctx, int code, const char *text)
{
	if (tsr_status(ctx) != code || !strstr(tsr_message(ctx), text))
		fail_msg("got %d, %s", tsr_status(ctx), tsr_message(ctx));
	tsr_clear(ctx);
}

/* a batch of what could not be opened is none, and records nothing more */
static void not_opened(tsr_ctx *ctx, tsr_batches *b, int code, const char *text)
{
	tsr *xy[2];

	refused(ctx, code, text);
	assert_int_equal(tsr_batches_count(b), 0);
	assert_false(tsr_batches_next(b, xy, 2));
	assert_true(tsr_is_poison(xy[1]));
	assert_int_equal(tsr_status(ctx), TSR_OK);
	tsr_batches_close(b);
}

static void bytes_of(const char *path, const char *bytes, size_t n)
{
	FILE *f = fopen(path, "wb");

	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, n, f), n);
	assert_int_equal(fclose(f), 0);
}

static void bad_arguments(void **state)
{
	tsr_ctx *ctx = OPEN(.devices = 4, .log = log_nothing), *another = OPEN(.devices = 1);
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"data", 4});
	static const char fortran[] =
		"\x93NUMPY\x01\0\x46\0{'descr': '<f4', 'fortran_order': True, "
		"'shape': (1, 1), }             \n\0\0\0\0";
	const char *others[] = {x_path, other_path};

	(void)state;
#define NOT(code, text, ...) not_opened(ctx, tsr_batches_open(ctx, __VA_ARGS__), code, text)
	NOT(TSR_ERROR_FILE, "batches: /none.npy: No such file", ((const char *[]){"/none.npy"}), 1,
	    4);
	NOT(TSR_ERROR_ARGUMENT, "there must be a file at least", both, 0, 4);
	NOT(TSR_ERROR_ARGUMENT, "a path is NULL", ((const char *[]){NULL}), 1, 4);
	NOT(TSR_ERROR_ARGUMENT, "a batch must have a row at least, got 0", both, 2, 0);
	NOT(TSR_ERROR_ARGUMENT, "the files have 23 rows, fewer than a batch of 24", both, 2, 24);
	NOT(TSR_ERROR_ARGUMENT, ".first must not be negative, got -1", both, 2, 4, .first = -1);
	NOT(TSR_ERROR_ARGUMENT, ".prefetch is from 1 to 1024", both, 2, 4, .prefetch = 4096);
	NOT(TSR_ERROR_SHARDING, "batches", both, 2, 4, .mesh = mesh, .spec = P("rows"));
	NOT(TSR_ERROR_SHARDING, "batches", both, 2, 4, .mesh = mesh, .spec = P(NULL, "data"));
	NOT(TSR_ERROR_HANDLE, "", both, 2, 4, .key = tsr_key(another, 0));
	NOT(TSR_ERROR_TYPE, "", both, 2, 4, .key = tsr_ones(ctx, D(2)));
	tsr_save_npy(tsr_ones(ctx, D(5)), other_path);
	NOT(TSR_ERROR_TYPE, "has 23 rows, and", others, 2, 4);
	tsr_save_npy(tsr_scalar(ctx, 5), other_path);
	NOT(TSR_ERROR_TYPE, "holds a single number", others, 2, 4);
	bytes_of(other_path, fortran, sizeof fortran - 1);
	NOT(TSR_ERROR_UNSUPPORTED, "its first dim innermost", (const char *[]){other_path}, 1, 1);
	bytes_of(other_path, "no array", 8);
	NOT(TSR_ERROR_FILE, "batches: /tmp/", others, 2, 4);
	assert_int_equal(tsr_close(ctx), TSR_OK);
	assert_int_equal(tsr_close(another), TSR_OK);
}

static tsr_batches *seen;

static tsr *reads(tsr *x)
{
	tsr *xy[2];

	return tsr_batches_next(seen, xy, 2) ? xy[0] : x;
}

static void bad_calls(void **state)
{
	tsr_ctx *ctx = OPEN(.devices = 1, .log = log_nothing);
	tsr *xy[2];

	(void)state;
	seen = tsr_batches_open(ctx, both, 2, EACH);
	assert_false(tsr_batches_next(seen, xy, 1));
	refused(ctx, TSR_ERROR_ARGUMENT, "a batch has 2 arrays, one a file, got room for 1");
	tsr_call(tsr_jit(ctx, reads), tsr_ones(ctx, D(2)));
	refused(ctx, TSR_ERROR_HANDLE, "a body is being traced");
	tsr_batches_close(seen);
	assert_false(tsr_batches_next(seen, xy, 2));
	refused(ctx, TSR_ERROR_HANDLE, "the batches are closed");
	assert_false(tsr_batches_next(NULL, xy, 2));
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* a file that is cut short while it is open is no reason to die */
static void a_file_changes(void **state)
{
	tsr_ctx *ctx = OPEN(.devices = 1, .log = log_nothing);
	tsr *x[1];

	(void)state;
	tsr_save_npy(tsr_ones(ctx, D(64, 4096)), other_path);
	tsr_batches *b = tsr_batches_open(ctx, (const char *[]){other_path}, 1, 4, .prefetch = -1);
	assert_true(tsr_batches_next(b, x, 1));
	assert_int_equal(truncate(other_path, 4096), 0);
	assert_false(tsr_batches_next(b, x, 1));
	refused(ctx, TSR_ERROR_FILE, other_path);
	tsr_batches_close(b);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_come_in_order),
		cmocka_unit_test(a_later_batch_can_be_the_first),
		cmocka_unit_test(batches_are_cut),
		cmocka_unit_test(memory_is_flat),
		cmocka_unit_test(bad_arguments),
		cmocka_unit_test(bad_calls),
		cmocka_unit_test(a_file_changes),
	};

	return cmocka_run_group_tests(tests, files_made, files_gone);
}
