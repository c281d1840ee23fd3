/* test_uneven_results.c - arrays that are spread without dividing, outside of programs: operations,
 * the host and other programs take results as they are. */
#include "spmd/placed_rig.h"

static tsr *exp_less_one(tsr *x) { return tsr_sub(tsr_exp(x), 1); }
static tsr *largest(tsr *x) { return tsr_max(x, .dims = TSR_DIMS(0)); }

static bool lies(tsr *x, tsr_mesh *m, tsr_spec s)
{
	return tsr_sharding_equivalent(tsr_sharding_of(x), tsr_sharding_make(m, s), tsr_ndim(x));
}

static void results_are_arrays(void **state)
{
	tsr_ctx *ctx = tsr_open(.devices = 8, .log = log_nothing);

	(void)state;
	{
		TSR_SCOPE(ctx);
		tsr_mesh *m = tsr_mesh_make(ctx, {"x", 4}, {"y", 2});
		tsr *x = tsr_reshape(tsr_arange(ctx, 27, .dtype = TSR_F32), TSR_DIMS(9, 3));
		tsr *a = tsr_sub(x, 30), *b = tsr_sub(tsr_put(x, m, TSR_P("x", "y")), 30);
		assert_true(lies(b, m, TSR_P("x", "y")) && tsr_array_equal(a, b));
		assert_string_equal(tsr_text(a), tsr_text(b));
		assert_true(tsr_array_equal(tsr_index(b, 0, 8), tsr_index(a, 0, 8)));
		assert_true(tsr_item(tsr_max(b)) == -4); /* padding is -30, then 0 */
		tsr *c = tsr_sub(b, b), *d = tsr_call(tsr_jit(ctx, exp_less_one), c);
		assert_true(tsr_item(tsr_sum(d)) == 0 && tsr_item(tsr_min(d)) == 0);
		tsr *e = tsr_put(b, m, TSR_P(NULL, "x*y"));
		assert_true(tsr_array_equal(tsr_add(b, e), tsr_mul(a, 2)));
		tsr *f = tsr_call(tsr_jit(ctx, largest), b);
		assert_true(lies(f, m, TSR_P("y")) && tsr_array_equal(f, largest(a)));
		tsr *none = tsr_shard_data(b, 6); /* of rows 9 to 11 */
		assert_int_equal(tsr_size(none), 0);
	}
	assert_int_equal(tsr_close(ctx), 0);
}

/* 1 times 1 - 0i is 1 + 0i: no padding will do */
static void complex_products(void **state)
{
	static const float ones[5][2] = {{1, -0.f}, {1, -0.f}, {1, -0.f}, {1, -0.f}, {1, -0.f}};
	tsr_ctx *ctx = tsr_open(.devices = 2, .log = log_nothing);

	(void)state;
	{
		TSR_SCOPE(ctx);
		tsr *x = tsr_from(ctx, ones, TSR_C64, TSR_DIMS(5));
		tsr *placed = tsr_put(x, tsr_mesh_make(ctx, {"x", 2}), TSR_P("x"));
		assert_true(same_bytes(tsr_prod(x), tsr_index(x, 0, 0)));
		assert_true(same_bytes(tsr_prod(placed), tsr_index(x, 0, 0)));
	}
	assert_int_equal(tsr_close(ctx), 0);
}

/* a constraint to another mesh, and from there on */
static tsr_mesh *other;
static tsr *on_other(tsr *x) { return tsr_constrain(tsr_add(x, 1), other, TSR_P(NULL, "a")); }
static tsr *and_back(tsr *x) { return tsr_mul(on_other(x), x); }

static void another_mesh(void **state)
{
	tsr_ctx *ctx = tsr_open(.devices = 8, .log = log_nothing);

	(void)state;
	{
		TSR_SCOPE(ctx);
		tsr_mesh *m = tsr_mesh_make(ctx, {"x", 4}, {"y", 2});
		other = tsr_mesh_make(ctx, {"a", 8});
		tsr *x = tsr_reshape(tsr_arange(ctx, 99, .dtype = TSR_F32), TSR_DIMS(9, 11));
		tsr *a = tsr_put(x, m, TSR_P("x", "y")), *y = tsr_call(tsr_jit(ctx, on_other), a);
		assert_true(lies(y, other, TSR_P(NULL, "a")) && tsr_array_equal(y, tsr_add(x, 1)));
		tsr *z = tsr_call(tsr_jit(ctx, and_back), a);
		assert_true(tsr_array_equal(z, tsr_mul(tsr_add(x, 1), x)));
	}
	assert_int_equal(tsr_close(ctx), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(results_are_arrays),
		cmocka_unit_test(complex_products),
		cmocka_unit_test(another_mesh),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
