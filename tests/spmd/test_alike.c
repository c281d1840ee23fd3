/* test_alike.c - tsr_shard_alike(): whatever places one of two values places the other. */
#include "support/quiet.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include <tsr/tsr.h>
#define P TSR_P

static tsr_ctx *ctx;
static tsr_mesh *mesh; /* x:4, y:2 */
static tsr *a, *b;     /* f32[8,8] */

static int open_all(void **state)
{
	(void)state;
	ctx = tsr_open(.devices = 8, .log = log_nothing);
	mesh = tsr_mesh_make(ctx, {"x", 4}, {"y", 2});
	a = tsr_reshape(tsr_arange(ctx, 64, .dtype = TSR_F32), TSR_DIMS(8, 8));
	b = tsr_sin(a);
	return 0;
}

static int close_all(void **state)
{
	(void)state;
	return tsr_close(ctx);
}

static void is_at(const tsr *x, tsr_spec spec)
{
	const tsr_sharding *at = tsr_sharding_of(x), *want = tsr_sharding_make(mesh, spec);

	if (!at) fail_msg("poison: %s", tsr_message(ctx));
	if (at != want) fail_msg("at %s, not %s", tsr_sharding_text(at), tsr_sharding_text(want));
}

static void equal(const tsr *x, const tsr *y)
{
	if (!tsr_array_equal(x, y)) fail_msg("other values: %s", tsr_message(ctx));
}

/* ---- bodies of two values, which are alike in the middle */

static tsr *plain(tsr *x, tsr *like) { return tsr_shard_alike(x, like); }
static tsr *within(tsr *x, tsr *like)
{
	return tsr_neg(tsr_shard_alike(tsr_neg(x), tsr_exp(like)));
}
/* only the sum of `like` is used, and only behind the two a wish says where that is */
static tsr *backwards(tsr *x, tsr *like)
{
	like = tsr_exp(like);
	x = tsr_shard_alike(tsr_mul(x, 1), like);
	like = tsr_constrain(like, mesh, P(NULL, "x"));
	return tsr_add(x, tsr_mul(tsr_sum(like), 0));
}
static tsr *step(tsr *carry, tsr *x) { return tsr_add(carry, tsr_shard_alike(x, carry)); }
static tsr *in_a_loop(tsr *x, tsr *like)
{
	tsr *at = tsr_scan(step, like, tsr_expand_dims(x, TSR_DIMS(0)));
	return tsr_sub(at, like);
}
static tsr *each(tsr *x, tsr *like) { return tsr_shard_alike(x, like); }
static tsr *in_a_batch(tsr *x, tsr *like) { return tsr_call(tsr_vmap(ctx, each), x, like); }
static tsr *chained(tsr *x, tsr *like)
{
	return tsr_shard_alike(x, tsr_shard_alike(tsr_zeros_like(x), like));
}

static void test_bodies(void **state)
{
	static const struct {
		tsr *(*body)(tsr *, tsr *);
		tsr_spec like, result;
	} rows[] = {
		{plain, TSR_SPEC("x", "y"), TSR_SPEC("x", "y")},
		{plain, TSR_SPEC(NULL, "y*x"), TSR_SPEC(NULL, "y*x")},
		{plain, TSR_SPEC(), TSR_SPEC()},
		{within, TSR_SPEC("y"), TSR_SPEC("y")},
		{chained, TSR_SPEC("y", "x"), TSR_SPEC("y", "x")},
		{backwards, TSR_SPEC(), TSR_SPEC(NULL, "x")},
		{in_a_loop, TSR_SPEC("x"), TSR_SPEC("x")},
		{in_a_batch, TSR_SPEC("x", "y"), TSR_SPEC("x", "y")},
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		tsr *like = rows[i].body == backwards ? b : tsr_put(b, mesh, rows[i].like);
		tsr *y = tsr_call(tsr_jit(ctx, rows[i].body), a, like);
		if (!tsr_is_poison(y) &&
		    tsr_sharding_of(y) != tsr_sharding_make(mesh, rows[i].result))
			fail_msg("row %zu: %s", i, tsr_sharding_text(tsr_sharding_of(y)));
		if (rows[i].body == in_a_loop)
			assert_true(tsr_allclose(y, a, 1e-5, 1e-5));
		else
			equal(y, a);
	}
}

/* ---- it is a wish of both: x is placed, like is not; both are, and like decides */

static tsr *gives_like(tsr *x, tsr *like)
{
	like = tsr_mul(like, 1);
	x = tsr_shard_alike(x, like);
	return tsr_add(like, tsr_mul(tsr_sum(x), 0));
}

static tsr *sum_at_like(tsr *x, tsr *like) { return tsr_shard_alike(tsr_add(x, like), like); }

static void test_both_ways(void **state)
{
	(void)state;
	tsr *y = tsr_call(tsr_jit(ctx, gives_like), tsr_put(a, mesh, P("y", "x")), b);
	is_at(y, P("y", "x"));
	equal(y, b);
	y = tsr_call(tsr_jit(ctx, plain), tsr_put(a, mesh, P("x")), tsr_put(b, mesh, P(NULL, "x")));
	is_at(y, P(NULL, "x"));
	equal(y, a);
	/* also where it was put whole: what is computed of both is whole again */
	y = tsr_call(tsr_jit(ctx, sum_at_like), tsr_put(a, mesh, P("x")), tsr_put(b, mesh, P()));
	is_at(y, P());
	equal(y, tsr_add(a, b));
}

static void test_outside(void **state)
{
	(void)state;
	is_at(tsr_shard_alike(a, tsr_put(b, mesh, P("x"))), P("x"));
	is_at(tsr_shard_alike(tsr_put(a, mesh, P("y")), tsr_put(b, mesh, P("x"))), P("x"));
	is_at(tsr_shard_alike(tsr_put(a, mesh, P("y")), b), P("y"));
	equal(tsr_shard_alike(tsr_put(a, mesh, P("y")), tsr_put(b, mesh, P("x"))), a);
	/* of another dtype, and without a mesh */
	equal(tsr_shard_alike(a, tsr_astype(b, TSR_I32)), a);
}

/* ---- derivatives pass */

static tsr *loss(tsr *x, tsr *like) { return tsr_sum(tsr_square(tsr_shard_alike(x, like))); }

static void test_gradient(void **state)
{
	(void)state;
	tsr *g = tsr_call(tsr_grad(ctx, loss), a, tsr_put(b, mesh, P("x", "y")));
	is_at(g, P("x", "y"));
	equal(g, tsr_mul(a, 2));
}

static void test_errors(void **state)
{
	(void)state;
	assert_true(tsr_is_poison(tsr_shard_alike(a, tsr_sum(b))));
	assert_int_equal(tsr_status(ctx), TSR_ERROR_TYPE);
	assert_non_null(strstr(tsr_message(ctx),
	                       "shard_alike places values of the same dims alike, "
	                       "and got f32[8,8] and f32[]"));
	tsr_clear(ctx);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bodies),  cmocka_unit_test(test_both_ways),
		cmocka_unit_test(test_outside), cmocka_unit_test(test_gradient),
		cmocka_unit_test(test_errors),
	};
	return cmocka_run_group_tests(tests, open_all, close_all);
}
