/* test_array.c - arrays as shards: placement even and uneven, queries, wrapped and borrowed memory,
 * limits, several processes. */
#include "runtime/runtime.h"
#include "support/comm_record.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

#define D TSR_DIMS
#define P TSR_P

static tsr *counted_up(tsr_ctx *ctx, int64_t rows, int64_t cols)
{
	return tsr_reshape(tsr_arange(ctx, rows * cols), D(rows, cols));
}

static bool holds_count(tsr *x, int64_t n)
{
	int32_t *data = malloc((size_t)n * sizeof *data + 1);
	bool same = data && tsr_read(x, data, (size_t)n * sizeof *data);

	for (int64_t i = 0; same && i < n; i++) same = data[i] == i;
	free(data);
	return same;
}

/* ---- placement */

static const tsr_spec specs[] = {
	TSR_SPEC(),          TSR_SPEC("x"),         TSR_SPEC("y"),        TSR_SPEC(NULL, "x"),
	TSR_SPEC(NULL, "y"), TSR_SPEC("x", "y"),    TSR_SPEC("y", "x"),   TSR_SPEC("x*y"),
	TSR_SPEC("y*x"),     TSR_SPEC(NULL, "x*y"), TSR_SPEC("-", "y*x"),
};

/* every spec to every other one, dims that divide and dims that do not, and none at all */
static void any_spec_to_any_other(void **state)
{
	static const int64_t sizes[][2] = {{8, 8}, {7, 5}, {3, 1}, {1, 9}, {0, 4}, {4, 0}};
	tsr_ctx *ctx = tsr_open(.devices = 8);
	tsr_mesh *grid = tsr_mesh_make(ctx, {"x", 4}, {"y", 2});
	tsr_mesh *mixed = tsr_mesh_make_devices(ctx, ((const int64_t[]){3, 1, 2, 0, 7, 6, 5, 4}), 8,
	                                        {"x", 4}, {"y", 2});

	(void)state;
	for (size_t k = 0; k < ARRAY_LEN(sizes); k++)
		for (size_t i = 0; i < ARRAY_LEN(specs); i++)
			for (size_t j = 0; j < ARRAY_LEN(specs); j++) {
				TSR_SCOPE(ctx);
				const int64_t n = sizes[k][0] * sizes[k][1];
				tsr *x = tsr_put(counted_up(ctx, sizes[k][0], sizes[k][1]), grid,
				                 specs[i]);
				assert_true(holds_count(x, n));
				assert_true(holds_count(tsr_put(x, grid, specs[j]), n));
				assert_true(holds_count(tsr_put(x, mixed, specs[j]), n));
				assert_true(holds_count(tsr_put_device(x, 5), n));
			}
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

static void shards_tell_device_index_and_data(void **state)
{
	tsr_ctx *ctx = tsr_open(.devices = 8);
	tsr_mesh *grid = tsr_mesh_make(ctx, {"x", 4}, {"y", 2});
	tsr *x = tsr_put(counted_up(ctx, 7, 2), grid, P("x"));
	static const int64_t starts[] = {0, 0, 2, 2, 4, 4, 6, 6},
			     stops[] = {2, 2, 4, 4, 6, 6, 7, 7};

	(void)state;
	assert_int_equal(tsr_shard_count(x), 8);
	for (int64_t k = 0; k < 8; k++) {
		tsr_shard s;
		assert_true(tsr_shard_of(x, k, &s));
		assert_int_equal(s.device, k);
		assert_int_equal(s.replica, k % 2);
		assert_true(s.here && s.ndim == 2 && s.start[0] == starts[k] &&
		            s.stop[0] == stops[k]);
		tsr *piece = tsr_shard_data(x, k);
		assert_int_equal(tsr_dim(piece, 0), stops[k] - starts[k]);
		assert_int_equal(tsr_item_int(tsr_index(tsr_index(piece, 0, 0), 0, 1)),
		                 2 * starts[k] + 1);
		int64_t strides[TSR_MAX_NDIM];
		const int32_t *data = tsr_shard_borrow(x, k, strides);
		assert_int_equal(data[0], 2 * starts[k]);
		assert_int_equal(strides[0], 8);
	}
	assert_false(tsr_is_fully_replicated(x));
	assert_true(tsr_is_fully_replicated(tsr_put(x, grid, P())));
	assert_true(tsr_is_fully_replicated(tsr_put_device(x, 2)));
	/* replicas in one memory are one buffer */
	assert_ptr_equal(tsr_shard_borrow(x, 0, NULL), tsr_shard_borrow(x, 1, NULL));
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

TSR_TREE_TYPE(layer, { tsr *w, *b, *absent; });

static void trees_are_placed_leaf_by_leaf(void **state)
{
	tsr_ctx *ctx = tsr_open(.devices = 4), *other = tsr_open();
	tsr_mesh *grid = tsr_mesh_make(ctx, {"x", 2}, {"y", 2});
	const tsr_spec each[] = {TSR_SPEC("x", "y"), TSR_SPEC("x"), TSR_SPEC()};
	layer w = {{counted_up(ctx, 4, 2), counted_up(ctx, 4, 1), NULL}}, to = w;
	tsr *before = w.b;

	(void)state;
	assert_true(tsr_put_tree(TSR_TREE(layer, &to), TSR_TREE(layer, &w), grid,
	                         .spec = TSR_FOR_EACH(each)));
	assert_ptr_equal(tsr_sharding_of(to.w), tsr_sharding_make(grid, P("x", "y")));
	assert_ptr_equal(tsr_sharding_of(to.b), tsr_sharding_make(grid, P("x")));
	assert_null(to.absent);
	assert_true(holds_count(to.w, 8) && holds_count(to.b, 4));
	assert_true(tsr_put_tree(TSR_TREE(layer, &to), TSR_TREE(layer, &to), grid,
	                         .spec = TSR_FOR_ALL(P("y"))));
	assert_ptr_equal(tsr_sharding_of(to.b), tsr_sharding_make(grid, P("y")));
	assert_true(tsr_put_tree(TSR_TREE(layer, &to), TSR_TREE(layer, &to), grid));
	assert_true(tsr_is_fully_replicated(to.w));

	/* nothing changes where one leaf cannot be placed, or the lists do not fit */
	assert_false(tsr_put_tree(TSR_TREE(layer, &w), TSR_TREE(layer, &w), grid,
	                          .spec = TSR_FOR_ALL(P("x", "y", NULL))));
	assert_ptr_equal(w.b, before);
	assert_int_equal(tsr_status(ctx), TSR_ERROR_SHARDING);
	tsr_clear(ctx);
	assert_false(tsr_put_tree(TSR_TREE(layer, &w), TSR_LEAVES(&before, 1), grid));
	assert_non_null(strstr(tsr_message(ctx), "numbers of leaves"));
	tsr_clear(ctx);
	assert_false(tsr_put_tree(TSR_TREE(layer, &w), TSR_TREE(layer, &w), grid,
	                          .spec = {.count = 2, .leaf = each}));
	assert_non_null(strstr(tsr_message(ctx), ".spec"));
	tsr_clear(ctx);
	before = tsr_ones(other, D(4));
	assert_false(tsr_put_tree(TSR_LEAVES(&w.w, 1), TSR_LEAVES(&before, 1), grid));
	assert_ptr_equal(tsr_ctx_of(w.w), ctx);
	assert_int_equal(tsr_close(other), TSR_ERROR_HANDLE);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

static void pieces_make_an_array(void **state)
{
	tsr_ctx *ctx = tsr_open(.devices = 4);
	tsr_mesh *grid = tsr_mesh_make(ctx, {"x", 4});
	tsr *x = tsr_put(counted_up(ctx, 6, 3), grid, P("x")), *piece[4];

	(void)state;
	for (int k = 0; k < 4; k++) piece[k] = tsr_shard_data(x, k);
	tsr *y = tsr_from_shards(ctx, tsr_sharding_of(x), D(6, 3), piece, 4);
	assert_true(holds_count(y, 18));
	assert_true(tsr_is_poison(tsr_from_shards(ctx, tsr_sharding_of(x), D(6, 3), piece, 3)));
	tsr_clear(ctx);
	piece[0] = tsr_put_device(tsr_slice(x, 0, 0, 1), 0);
	assert_true(tsr_is_poison(tsr_from_shards(ctx, tsr_sharding_of(x), D(6, 3), piece, 4)));
	assert_non_null(strstr(tsr_message(ctx), "[2,3], the type of that shard, got "));
	tsr_clear(ctx);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

static void equivalent_shardings(void **state)
{
	tsr_ctx *ctx = tsr_open(.devices = 8);
	tsr_mesh *a = tsr_mesh_make(ctx, {"x", 4}, {"y", 2}), *b = tsr_mesh_make(ctx, {"i", 8});

	(void)state;
	assert_ptr_equal(tsr_sharding_make(a, P("x", NULL)), tsr_sharding_make(a, P("x")));
	assert_true(tsr_sharding_equivalent(tsr_sharding_make(a, P("x*y")),
	                                    tsr_sharding_make(b, P("i")), 1));
	assert_false(tsr_sharding_equivalent(tsr_sharding_make(a, P("y*x")),
	                                     tsr_sharding_make(b, P("i")), 1));
	assert_string_equal(tsr_sharding_text(tsr_sharding_make(a, P("x*y", NULL))),
	                    "NamedSharding(mesh=Mesh('x': 4, 'y': 2), spec=P(('x', 'y'),))");
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* ---- the caller's memory */

static int released;
static void count_release(void *user, void *data)
{
	(void)data;
	++*(int *)user;
}

static void memory_is_wrapped_without_a_copy(void **state)
{
	tsr_ctx *ctx = tsr_open(.devices = 2);
	float data[4][6], back[3][2] = {{0}};

	(void)state;
	for (int i = 0; i < 24; i++) data[i / 6][i % 6] = (float)i;
	released = 0;
	{
		TSR_SCOPE(ctx);
		tsr *x = tsr_wrap(ctx, data, TSR_F32, D(4, 6), .release = count_release,
		                  .user = &released);
		assert_ptr_equal(tsr_shard_borrow(x, 0, NULL), data);
		assert_true(tsr_item(tsr_sum(x)) == 276);
		/* every second column, rows backwards */
		tsr *y = tsr_wrap(ctx, &data[3][0], TSR_F32, D(4, 3),
		                  .strides = D(-(int64_t)sizeof data[0], 8),
		                  .release = count_release, .user = &released);
		assert_true(tsr_item(tsr_index(tsr_index(y, 0, 0), 0, 2)) == 22);
		assert_true(tsr_item(tsr_sum(y)) == 132);
		/* results into strided memory of another order */
		assert_true(tsr_read_into(tsr_slice(tsr_slice(x, 0, 0, 2), 1, 0, 3), back,
		                          .strides = D(4, 8)));
		assert_true(back[1][0] == 1 && back[1][1] == 7 && back[2][1] == 8);
		double wide[24];
		assert_true(tsr_read_into(x, wide, .dtype = TSR_F64) && wide[23] == 23);
		assert_int_equal(released, 0);
	}
	assert_int_equal(released, 2);
	/* a failed call gives the memory back at once */
	assert_true(tsr_is_poison(tsr_wrap(ctx, data, TSR_F32, D(4, -6), .release = count_release,
	                                   .user = &released)));
	assert_int_equal(released, 3);
	tsr_clear(ctx);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

static void unaligned_memory_works(void **state)
{
	tsr_ctx *ctx = tsr_open();
	char room[17 * 4 + 1];

	(void)state;
	for (int i = 0; i < 16; i++) memcpy(room + 1 + 4 * i, &(float){(float)i}, 4);
	tsr *x = tsr_wrap(ctx, room + 1, TSR_F32, D(16));
	assert_true(tsr_item(tsr_sum(tsr_mul(x, 2))) == 240);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* ---- memory accounts */

static void limit_is_an_error(void **state)
{
	tsr_ctx *ctx = tsr_open(.memory_limit = 4 << 20, .log = NULL);

	(void)state;
	assert_false(tsr_is_poison(tsr_zeros(ctx, D(1000))));
	assert_true(tsr_is_poison(tsr_zeros(ctx, D(1 << 20))));
	assert_int_equal(tsr_status(ctx), TSR_ERROR_MEMORY);
	tsr_clear(ctx);
	assert_false(tsr_is_poison(tsr_zeros(ctx, D(1000))));
	assert_true(tsr_memory(ctx).in_use <= 4 << 20 && tsr_memory(ctx).peak <= 4 << 20);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* an eager call in a loop neither traces nor keeps anything */
static void steady_memory(void **state)
{
	tsr_ctx *ctx = tsr_open(.devices = 4, .debug = "c"); /* compiled at once, not on the way */
	tsr *x = tsr_arange(ctx, 64, .dtype = TSR_F32);
	size_t after = 0;

	(void)state;
	for (int i = 0; i < 1000; i++) {
		TSR_SCOPE(ctx);
		(void)!tsr_sum(tsr_add(tsr_mul(x, 0.5 + i), x));
		tsr_text(x);
		if (i == 10) after = tsr_memory(ctx).in_use;
	}
	assert_true(tsr_memory(ctx).in_use <= after);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

static int lines;
static void count_lines(void *user, int level, const char *text)
{
	(void)user, (void)level;
	lines += *text != 0;
}

static void errors_are_logged_once(void **state)
{
	tsr_ctx *ctx = tsr_open(.log = count_lines);
	tsr *bad = tsr_add(tsr_zeros(ctx, D(2)), tsr_zeros(ctx, D(3)));

	(void)state;
	lines = 0;
	assert_true(tsr_item(bad) != tsr_item(bad));
	assert_true(tsr_item_int(bad) == 0 && lines == 1);
	assert_int_equal(tsr_close(ctx), TSR_ERROR_TYPE);
	assert_int_equal(lines, 1);
}

/* ---- two processes, of which we are one: half of the devices are elsewhere */

static void half_of_the_devices_are_elsewhere(void **state)
{
	const tsr_open_args args = {.size = sizeof args, .devices = 8};

	(void)state;
	for (int process = 0; process < 2; process++) {
		record_place at = {process, 2, NULL, 0, 0};
		tsr_ctx *ctx = ctx_open(TSR_HERE, &args, 1, &record_comm, &at);
		tsr_mesh *grid = tsr_mesh_make(ctx, {"x", 4}, {"y", 2});
		const int64_t home = 4 * process;
		const type *t = type_make(&ctx->ir, TSR_I32, (int64_t[]){8, 2}, 2, 0);
		int32_t data[16];
		for (int i = 0; i < 16; i++) data[i] = i;
		tsr *x = tsr_put(
			handle_make(&ctx->handles, HANDLE_ARRAY,
		                    array_from_host(ctx, t, data,
		                                    sharding_one(&ctx->shards, NULL, home), false),
		                    0),
			grid, P("x"));
		tsr_shard s;
		for (int64_t k = 0; k < 8; k++) {
			assert_true(tsr_shard_of(x, k, &s));
			assert_int_equal(s.here, k / 4 == process);
			assert_int_equal(tsr_is_poison(tsr_shard_data(x, k)), k / 4 != process);
			if (k / 4 == process)
				assert_int_equal(*(const int32_t *)tsr_shard_borrow(x, k, NULL),
				                 4 * (k / 2));
			tsr_clear(ctx);
		}
		assert_false(tsr_read(x, data, sizeof data));
		assert_non_null(strstr(tsr_message(ctx), "gather"));
		tsr_clear(ctx);
		/* what is whole on each device can be read */
		tsr *whole = tsr_put(tsr_zeros(ctx, D(0)), grid, P());
		assert_true(tsr_is_poison(whole) || tsr_read(whole, (void *)data, 0));
		tsr_clear(ctx);
		assert_int_equal(tsr_device(ctx, 7).process, 1);
		assert_int_equal(tsr_close(ctx), TSR_OK);
	}
}

/* Each process runs programs on its own devices of a mesh, as long as it needs no others: blocks,
 * and exchanges among those that are here. The mesh lists devices of both in turn */
static tsr *of_block(tsr *x)
{
	tsr *sum = tsr_psum(x, "y");

	return tsr_add(tsr_mul(x, 10), tsr_add(sum, tsr_mul(tsr_axis_index(x, "x"), 1000)));
}

static void check_own_shards(tsr_ctx *ctx, tsr_fn *f, const tsr *x, int process)
{
	const tsr *y = tsr_call(f, x);

	assert_int_equal(tsr_status(ctx), TSR_OK);
	assert_int_equal(tsr_shard_count(y), 8);
	for (int64_t k = 0; k < 8; k++) {
		const int32_t *data = tsr_shard_borrow(y, k, NULL);
		const int row = (int)k / 2, mine = 2 * (int)k, sum = 8 * row + 2;
		if (row % 2 != process) {
			assert_null(data);
			tsr_clear(ctx);
			continue;
		}
		for (int i = 0; i < 2; i++)
			assert_int_equal(data[i],
			                 10 * (mine + i) + sum + 2 * i + 1000 * row);
	}
}

static void programs_run_on_the_devices_that_are_here(void **state)
{
	static const char *const engines[] = {"interp", "cpu"};
	static const int64_t order[] = {0, 1, 4, 5, 2, 3, 6, 7};

	(void)state;
	for (int process = 0; process < 2; process++)
		for (size_t e = 0; e < ARRAY_LEN(engines); e++) {
			const tsr_open_args args = {.size = sizeof args,
			                            .devices = 8,
			                            .engine = engines[e],
			                            .debug = "c"};
			record_place at = {process, 2, NULL, 0, 0};
			tsr_ctx *ctx = ctx_open(TSR_HERE, &args, 1, &record_comm, &at);
			tsr_mesh *grid = (mesh *)(uintptr_t)mesh_make(&ctx->shards, NULL,
			                             (tsr_axis[]){{"x", 4}, {"y", 2}}, 2, order, 8);
			tsr *all = tsr_arange(ctx, 16, .dtype = TSR_I32);
			tsr *x = tsr_put(all, grid, P("x*y"));
			assert_int_equal(grid->list->nhere, 4);
			assert_int_equal(((array *)handle_slot_of(x)->payload)->nshards, 4);
			tsr_fn *f = tsr_shard_map(grid, of_block, .sig = "[x*y] -> [x*y]");
			check_own_shards(ctx, f, x, process);
			check_own_shards(ctx, tsr_jit(ctx, f), x, process);
			assert_int_equal(tsr_close(ctx), TSR_OK);
		}
}

/* as in Python's (3,) */
static void lists_may_end_in_a_comma(void **state)
{
	static const tsr_spec rows = TSR_SPEC("x", NULL, );
	const int64_t n = 4;

	(void)state;
	assert_int_equal(TSR_DIMS().d[0], 1);
	assert_int_equal(TSR_DIMS(3, ).d[0], 2);
	assert_int_equal(TSR_DIMS(n, n + 1, ).d[0], 3);
	assert_int_equal(TSR_DIMS(n, n + 1).d[0], 3);
	assert_int_equal(rows.n1, 3);
	assert_int_equal(TSR_P("x", ).n1, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_may_end_in_a_comma),
		cmocka_unit_test(any_spec_to_any_other),
		cmocka_unit_test(shards_tell_device_index_and_data),
		cmocka_unit_test(trees_are_placed_leaf_by_leaf),
		cmocka_unit_test(pieces_make_an_array),
		cmocka_unit_test(equivalent_shardings),
		cmocka_unit_test(memory_is_wrapped_without_a_copy),
		cmocka_unit_test(unaligned_memory_works),
		cmocka_unit_test(limit_is_an_error),
		cmocka_unit_test(steady_memory),
		cmocka_unit_test(errors_are_logged_once),
		cmocka_unit_test(half_of_the_devices_are_elsewhere),
		cmocka_unit_test(programs_run_on_the_devices_that_are_here),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
