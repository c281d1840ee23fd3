/* test_scopes.c - derivatives and linear functions together with maps and batches: in a scope
 * inside the one that they were made in, on values that vary less than at their making, and the
 * axes that a body sees around it. */
#include "support/near.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#define D TSR_DIMS

static tsr *squares(tsr *x) { return tsr_sum(tsr_square(x)); }
static tsr *doubled(tsr *x) { return tsr_mul(x, 2); }
static tsr_mesh *grid(tsr_ctx *ctx) { return tsr_mesh_make(ctx, {"x", 4}, {"y", 2}); }

/* ---- linear functions in scopes further in */

static tsr_linearized slope;
static tsr *by_slope(tsr *ct) { return tsr_call(slope.fn, slope.residuals, ct); }

static tsr *slope_and_index(tsr *x)
{
	tsr *by = tsr_astype(tsr_axis_index(x, "x"), TSR_F64);
	return tsr_expand_dims(tsr_mul(by_slope(tsr_scalar(x, 1, .dtype = TSR_F64)), by), D(0));
}

static void further_in(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *x = F64(ctx, 1, 2, 3), *ct = F64(ctx, 1, 10), *y;
	slope = tsr_vjp(TSR_OUT(&y), tsr_jit(ctx, squares), x);
	NEAR(tsr_call(tsr_vmap(ctx, by_slope), ct), 2, 4, 6, 20, 40, 60);
	NEAR(tsr_call(tsr_vmap(ctx, by_slope, .axis = "rows"), ct), 2, 4, 6, 20, 40, 60);
	tsr_fn *f = tsr_shard_map(grid(ctx), by_slope, .sig = "[] -> []");
	NEAR(tsr_call(f, tsr_scalar(ctx, 1, .dtype = TSR_F64)), 2, 4, 6);
	NEAR(tsr_call(tsr_jacrev(ctx, f), tsr_scalar(ctx, 1, .dtype = TSR_F64)), 2, 4, 6);
	f = tsr_shard_map(grid(ctx), slope_and_index, .sig = "[x] -> [x]", .axes = "x");
	NEAR(tsr_call(f, tsr_zeros(ctx, D(4))), 0, 0, 0, 2, 4, 6, 4, 8, 12, 6, 12, 18);
}

static tsr *by_slope_of_index(tsr *x)
{
	tsr *ct = tsr_add(tsr_astype(tsr_axis_index(x, "x"), TSR_F64),
	                  tsr_scalar(x, 0, .dtype = TSR_F64));
	return tsr_expand_dims(by_slope(ct), D(0));
}

static tsr *step(tsr *c) { return tsr_mul(c, tsr_add(c, 1)); }
static tsr *grows(tsr *i, tsr *c) { return tsr_where(tsr_gt(i, 1), c, tsr_sin(c)); }
static tsr *minus(tsr *x) { return tsr_neg(x); }
static tsr *through_control(tsr *x)
{
	tsr *y = tsr_fori(0, 3, grows, step(x));
	return tsr_sum(tsr_cond(tsr_gt(tsr_sum(x), 0), minus, step, y));
}

static void where_cotangents_vary(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *x = F64(ctx, 1, 2, 3), *y, *each = tsr_zeros(ctx, D(4));
	tsr_fn *bodies[] = {tsr_jit(ctx, squares), tsr_jit(ctx, through_control)};
	for (int k = 0; k < 4; k++) {
		slope = tsr_vjp(TSR_OUT(&y), bodies[k / 2], x);
		tsr_fn *f = tsr_shard_map(grid(ctx), by_slope_of_index, .sig = "[x] -> [x]",
		                          .axes = "x", .unchecked = k % 2);
		tsr *one = by_slope(tsr_scalar(ctx, 1, .dtype = TSR_F64));
		ALIKE(tsr_call(f, each),
		      tsr_stack(0, tsr_mul(0, one), one, tsr_mul(2, one), tsr_mul(3, one)), 1e-15);
	}
}

static const char twice[] = "twice(%0: f64[3]) -> f64[3] {\n"
			    "  %1: f64[3] = broadcast_in_dim 2.0:f64 dims=[3] at=[]\n"
			    "  %2: f64[3] = mul %0 %1\n  return %2\n}\n";
static tsr *by_text(tsr *x) { return tsr_call(tsr_parse(x, twice), x); }

static void texts_in_maps(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *x = F64(ctx, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
	for (int unchecked = 0; unchecked < 2; unchecked++) {
		tsr_fn *f = tsr_shard_map(grid(ctx), by_text, .sig = "[x] -> [x]",
		                          .unchecked = unchecked);
		NEAR(tsr_call(f, x), 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24);
	}
}

static tsr *rows_by_slope(tsr *x) /* f64[2]{x} -> f64[2,2]{x}: 2 x for each of two cotangents */
{
	tsr *y, *ct = F64(x, 1, 10);
	slope = tsr_vjp(TSR_OUT(&y), tsr_jit(x, squares), x);
	return tsr_call(tsr_vmap(x, by_slope, .axis = "rows"), ct);
}

static tsr *summed_by_slope(tsr *x)
{
	slope = tsr_linearize(TSR_OUT(&x), tsr_jit(x, squares), x);
	tsr_fn *inner = tsr_shard_map(grid(tsr_ctx_of(x)), by_slope, .sig = "[] -> []");
	return tsr_expand_dims(tsr_call(inner, F64(x, 1, 1)), D(0));
}

static void made_in_a_map(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *x = F64(ctx, 1, 2, 3, 4, 5, 6, 7, 8);
	tsr_fn *f = tsr_shard_map(grid(ctx), rows_by_slope, .sig = "[x] -> [-,x]");
	NEAR(tsr_call(f, x), 2, 4, 6, 8, 10, 12, 14, 16, 20, 40, 60, 80, 100, 120, 140, 160);
	f = tsr_shard_map(grid(ctx), summed_by_slope, .sig = "[x] -> [x]", .axes = "x");
	NEAR(tsr_call(f, x), 6, 14, 22, 30);
	f = tsr_shard_map(grid(ctx), summed_by_slope, .sig = "[x] -> [x]", .axes = "x",
	                  .unchecked = true);
	NEAR(tsr_call(f, x), 6, 14, 22, 30);
}

/* ---- tangents and cotangents that vary less */

static tsr *with_unit_cotangent(tsr *x)
{
	tsr *y;
	tsr_linearized l = tsr_vjp(TSR_OUT(&y), tsr_jit(x, squares), x);
	return tsr_call(l.fn, l.residuals, tsr_scalar(x, 1, .dtype = TSR_F64));
}

static tsr *with_unit_tangents(tsr *x)
{
	tsr *y, *dy, *ones = tsr_ones(x, D(2), .dtype = TSR_F64);
	tsr_linearized l = tsr_linearize(TSR_OUT(&y), tsr_jit(x, squares), x);
	tsr_call_into(TSR_OUT(&y, &dy), tsr_jvp(x, squares), x, ones);
	return tsr_stack(0, dy, tsr_call(l.fn, l.residuals, ones));
}

static void of_values_that_vary(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *x = F64(ctx, 1, 2, 3, 4, 5, 6, 7, 8);
	for (int unchecked = 0; unchecked < 2; unchecked++) {
		tsr_fn *f = tsr_shard_map(grid(ctx), with_unit_cotangent, .sig = "[x] -> [x]",
		                          .unchecked = unchecked);
		NEAR(tsr_call(f, x), 2, 4, 6, 8, 10, 12, 14, 16);
		f = tsr_shard_map(grid(ctx), with_unit_tangents, .sig = "[x] -> [x]",
		                  .unchecked = unchecked);
		NEAR(tsr_call(f, x), 6, 6, 14, 14, 22, 22, 30, 30);
	}
}

static tsr *not_of_it(tsr *x)
{
	return tsr_mul(0, tsr_sum(tsr_ones(x, tsr_shape(x), .dtype = TSR_F64)));
}

/* zeros vary as the derivative would: by columns like the result, by rows like the argument */
static tsr *by_columns(tsr *x) { return tsr_call(tsr_jacfwd(x, not_of_it), x); }
static tsr *by_rows(tsr *x)
{
	tsr *w = tsr_ones(x, D(2), .dtype = TSR_F64);
	return tsr_call(tsr_jacrev(x, not_of_it), w);
}

static void zeros_that_do_not_vary(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *x = F64(ctx, 1, 2, 3, 4, 5, 6, 7, 8);
	NEAR(tsr_call(tsr_shard_map(grid(ctx), by_columns, .sig = "[x] -> []"), x), 0, 0);
	NEAR(tsr_call(tsr_shard_map(grid(ctx), by_rows, .sig = "[x] -> []"), x), 0, 0);
}

/* ---- axes in scope */

static int looked;

static tsr *looks(tsr *x)
{
	tsr_axis axes[4];
	assert_int_equal(tsr_axis_sizes(tsr_ctx_of(x), axes, 4), 1);
	assert_string_equal(axes[0].name, "rows");
	assert_int_equal(axes[0].size, 3);
	looked++;
	return x;
}

static void only_names_are_axes(void **state)
{
	tsr_ctx *ctx = *state;
	tsr_fn *f = tsr_vmap(ctx, tsr_vmap(ctx, tsr_vmap(ctx, looks), .axis = "rows"));
	tsr_call(f, tsr_ones(ctx, D(2, 3, 4)));
	assert_int_equal(looked, 1);
}

static void many_batches(void **state)
{
	tsr_ctx *ctx = *state;
	tsr_fn *f = tsr_jit(ctx, doubled);
	tsr *x = tsr_ones(ctx, D(1));
	for (int k = 0; k < 80; k++) f = tsr_vmap(ctx, f);
	for (int k = 0; k < 79; k++) x = tsr_expand_dims(x, D(0));
	NEAR(tsr_call(f, x), 2);
}

/* ---- what is said of a program */

static const char *text;

static tsr *tells(tsr *x)
{
	tsr_fn *inner =
		tsr_shard_map(grid(tsr_ctx_of(x)), doubled, .sig = "[y] -> [y]", .axes = "y");
	text = tsr_fn_text(inner, x);
	assert_non_null(strstr(text, "shard_map"));
	assert_non_null(strstr(text, "axes (x of (x:4,y:2)) doubled(%0: f32[2]{x})"));
	return tsr_call(inner, x);
}

static void text_inside_a_map(void **state)
{
	tsr_ctx *ctx = *state;
	tsr_fn *f = tsr_shard_map(grid(ctx), tells, .sig = "[x] -> [x]", .axes = "x");
	tsr_call(f, tsr_ones(ctx, D(8)));
	assert_non_null(text);
}

static void linear_fns_of_nothing(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *x = tsr_ones(ctx, D(2)), *y = x;
	tsr_fn *none = NULL;
	(void)tsr_vjp(TSR_OUT(&y), none, x);
	assert_true(tsr_is_poison(y));
	const char *said = tsr_message(ctx);
	assert_non_null(strstr(said, "test_scopes.c"));
	assert_non_null(strstr(said, "NULL"));
	tsr_clear(ctx);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, near_open, near_close)
	const struct CMUnitTest tests[] = {
		TEST(further_in),          TEST(where_cotangents_vary),
		TEST(texts_in_maps),
		TEST(made_in_a_map),
		TEST(of_values_that_vary), TEST(zeros_that_do_not_vary),
		TEST(only_names_are_axes), TEST(many_batches),
		TEST(text_inside_a_map),   TEST(linear_fns_of_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
