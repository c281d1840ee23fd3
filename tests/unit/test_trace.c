/* test_trace.c - traces: captures, lifted values, several meshes, contexts closed inside scopes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <tsr/tsr.h>
#include <cmocka.h>

#define P TSR_P
#define D TSR_DIMS

TSR_TREE_TYPE(two, { tsr *a, *b; });
static two slots;
static tsr *elsewhere;
static tsr_mesh *first, *second, *grid;

static bool holds(tsr *x, const int32_t *want)
{
	int32_t got[64];

	if (tsr_nbytes(x) > (int64_t)sizeof got || !tsr_read(x, got, (size_t)tsr_nbytes(x)))
		return false;
	for (int64_t i = 0; i < tsr_size(x); i++)
		if (got[i] != want[i]) return false;
	return true;
}

/* ---- meshes over the same devices in different orders, in one program */

static tsr *add_i(tsr *x) { return tsr_add(x, tsr_axis_index(x, "i")); }
static tsr *add_j(tsr *x) { return tsr_add(x, tsr_mul(tsr_axis_index(x, "j"), 10)); }
static tsr *in_both(tsr *x)
{
	tsr *y = tsr_call(tsr_shard_map(first, add_i, .sig = "[i] -> [i]"), x);
	return tsr_call(tsr_shard_map(second, add_j, .sig = "[j] -> [j]"), y);
}

static void meshes_of_different_orders(void **state)
{
	tsr_ctx *ctx = tsr_open(.devices = 4);
	const int64_t ids[] = {2, 0, 3, 1};

	(void)state;
	first = tsr_mesh_make(ctx, {"i", 4});
	second = tsr_mesh_make_devices(ctx, ids, 4, {"j", 4});
	tsr *zero = tsr_zeros(ctx, D(4), .dtype = TSR_I32);
	assert_true(holds(tsr_call(tsr_jit(ctx, in_both), zero), (int32_t[]){0, 11, 22, 33}));
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* ---- captures: what a slot holds, and not another variable with the same handle */

static tsr *reads_slot_and_other(tsr *x)
{
	return tsr_add(tsr_add(x, slots.a), tsr_mul(elsewhere, 100));
}
static tsr *product_of_slots(tsr *x) { return tsr_add(x, tsr_mul(slots.a, slots.b)); }

static void a_slot_is_not_its_handle(void **state)
{
	tsr_ctx *ctx = tsr_open();

	(void)state;
	elsewhere = slots.a = tsr_scalar(ctx, 1);
	slots.b = NULL;
	tsr_fn *f = tsr_jit(ctx, reads_slot_and_other, .captures = TSR_TREE(two, &slots));
	assert_int_equal(tsr_item_int(tsr_call(f, 0)), 101);
	slots.a = tsr_scalar(ctx, 2);
	assert_int_equal(tsr_item_int(tsr_call(f, 0)), 102);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

static void captures_of_a_fn_around_a_fn(void **state)
{
	tsr_ctx *ctx = tsr_open(.devices = 8);

	(void)state;
	grid = tsr_mesh_make(ctx, {"x", 4}, {"y", 2});
	tsr_fn *f = tsr_jit(ctx, tsr_shard_map(grid, product_of_slots, .sig = "[] -> []",
	                                       .captures = TSR_TREE(two, &slots)));
	slots.a = tsr_scalar(ctx, 7);
	for (int i = 0; i < 3; i++) {
		slots.b = tsr_scalar(ctx, i);
		assert_int_equal(tsr_item_int(tsr_call(f, 1)), 1 + 7 * i);
	}
	assert_int_equal(tsr_fn_stats(f).traces, 1);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* ---- values from outside in unchecked maps, however they come in */

static tsr *sum_of(tsr *x, tsr *y) { return tsr_add(x, y); }
static tsr *lifts(tsr *x) { return tsr_add(x, elsewhere); }
static tsr *jit_that_lifts(tsr *x) { return tsr_call(tsr_jit(x, lifts), x); }
static tsr *jit_of_argument(tsr *x) { return tsr_call(tsr_jit(x, sum_of), x, elsewhere); }
static tsr *map_of_argument(tsr *x)
{
	return tsr_call(tsr_shard_map(grid, sum_of, .sig = "[] [] -> []", .axes = "y"), x,
	                elsewhere);
}
static tsr *unchecked_map_of_argument(tsr *x)
{
	tsr_fn *f =
		tsr_shard_map(grid, sum_of, .sig = "[] [] -> []", .axes = "y", .unchecked = true);
	return tsr_call(f, x, elsewhere);
}

static void values_from_outside(void **state)
{
	tsr_ctx *ctx = tsr_open(.devices = 8);
	const int32_t want[] = {3, 4, 5, 6, 7, 8, 9, 10};
	tsr *x = tsr_arange(ctx, 8);

	(void)state;
	grid = tsr_mesh_make(ctx, {"x", 4}, {"y", 2});
	elsewhere = tsr_scalar(ctx, 3);
	for (int unchecked = 0; unchecked < 2; unchecked++) {
		const bool u = unchecked;
		tsr_fn *f[] = {
			tsr_shard_map(grid, jit_that_lifts, .sig = "[x] -> [x]", .unchecked = u),
			tsr_shard_map(grid, jit_of_argument, .sig = "[x] -> [x]", .unchecked = u),
			tsr_shard_map(grid, map_of_argument, .sig = "[x] -> [x]", .axes = "x",
		                      .unchecked = u),
			tsr_shard_map(grid, unchecked_map_of_argument, .sig = "[x] -> [x]",
		                      .axes = "x", .unchecked = u),
		};
		for (size_t i = 0; i < sizeof f / sizeof *f; i++) {
			assert_true(holds(tsr_call(f[i], x), want));
			assert_true(holds(tsr_call(tsr_jit(ctx, f[i]), x), want));
		}
	}
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* ---- endings */

static int closes_inside_its_scopes(void)
{
	tsr_ctx *ctx = tsr_open();
	TSR_SCOPE(ctx);
	tsr *x = tsr_zeros(ctx, D(3));
	{
		TSR_SCOPE(x);
		(void)!tsr_add(x, 1);
		return tsr_close(ctx);
	}
}

static tsr *closes_its_context(tsr *x)
{
	tsr_close(tsr_ctx_of(x));
	return x;
}

static void contexts_end_safely(void **state)
{
	(void)state;
	assert_int_equal(closes_inside_its_scopes(), TSR_OK);
	tsr_ctx *ctx = tsr_open(), *other = tsr_open();
	assert_true(tsr_is_poison(tsr_call(tsr_jit(ctx, closes_its_context), 1)));
	assert_int_equal(tsr_status(ctx), TSR_ERROR_ARGUMENT);
	tsr_clear(ctx);
	/* two contexts in one comparison */
	assert_false(tsr_allclose(tsr_scalar(ctx, 1), tsr_scalar(other, 1), 0, 0));
	assert_int_equal(tsr_status(ctx), TSR_ERROR_HANDLE);
	tsr_clear(ctx);
	assert_int_equal(tsr_close(ctx), TSR_OK);
	assert_int_equal(tsr_close(other), TSR_OK);
}

/* an error in a body fails its trace, whatever the body returns, unless the body clears it */
static tsr *decides_on_a_value(tsr *x) { return tsr_item(x) > 0 ? x : tsr_neg(x); }
static tsr *clears_and_errs_again(tsr *x)
{
	tsr_clear(tsr_ctx_of(x));
	tsr_item(x);
	return x;
}
static tsr *errs_and_clears(tsr *x)
{
	tsr_item(x);
	tsr_clear(tsr_ctx_of(x));
	return x;
}

static void errors_in_bodies(void **state)
{
	tsr_ctx *ctx = tsr_open();

	(void)state;
	for (int again = 0; again < 2; again++) {
		assert_true(tsr_is_poison(tsr_call(tsr_jit(ctx, decides_on_a_value), 2.0)));
		assert_int_equal(tsr_status(ctx), TSR_ERROR_HANDLE);
		assert_true(tsr_is_poison(tsr_call(tsr_jit(ctx, clears_and_errs_again), 2.0)));
		tsr_clear(ctx);
		assert_true(tsr_item(tsr_call(tsr_jit(ctx, errs_and_clears), 2.0)) == 2);
	}
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(meshes_of_different_orders),
		cmocka_unit_test(a_slot_is_not_its_handle),
		cmocka_unit_test(captures_of_a_fn_around_a_fn),
		cmocka_unit_test(values_from_outside),
		cmocka_unit_test(contexts_end_safely),
		cmocka_unit_test(errors_in_bodies),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
