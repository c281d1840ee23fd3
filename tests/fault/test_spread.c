/* test_spread.c - every request for memory fails once, in automatic mode. */
#include "fault/fault_rig.h"

static tsr *mean_of_product(tsr *x, tsr *w) { return tsr_mean(tsr_square(tsr_dot(x, w))); }

/* operands on a mesh: layouts, blocks, and steps between layouts */
static bool spread(tsr_ctx *ctx)
{
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 4}, {"y", 2});
	tsr *x = tsr_put(tsr_ones(ctx, D(8, 4)), mesh, TSR_P("x", "y"));
	tsr *w = tsr_put(tsr_ones(ctx, D(4, 8)), mesh, TSR_P(NULL, "x"));
	tsr_fn *slope = tsr_jit(ctx, tsr_grad(ctx, mean_of_product, .wrt = D(1)));
	tsr *y = tsr_dot(x, w), *dw = tsr_call(slope, x, w);

	return tsr_item(tsr_sum(y)) == 256 && tsr_item(tsr_max(dw)) == 1;
}

static tsr *sum_of_exp(tsr *x) { return tsr_sum(tsr_exp(tsr_sub(x, 1))); }

/* dims that do not divide: padding, masks, and blocks that do not nest */
static bool uneven(tsr_ctx *ctx)
{
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 2}, {"y", 2});
	tsr *x = tsr_put(tsr_ones(ctx, D(9, 3)), mesh, TSR_P("x*y"));
	tsr *w = tsr_put(tsr_ones(ctx, D(3, 9)), mesh, TSR_P("y", "x"));

	return tsr_item(tsr_sum(tsr_dot(x, w))) == 243 && tsr_item(tsr_max(tsr_dot(w, x))) == 9 &&
	       tsr_item(tsr_call(tsr_jit(ctx, sum_of_exp), x)) == 27;
}

/* an axis comes apart */
static bool parts(tsr_ctx *ctx)
{
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 4});
	tsr *x = tsr_put(tsr_ones(ctx, D(8)), mesh, TSR_P("x"));

	return tsr_item(tsr_sum(tsr_reshape(x, D(2, 4)))) == 8;
}

/* in rows over axis x; a mesh that is made again is the same one */
static tsr *in_rows(tsr *x)
{
	return tsr_constrain(tsr_mul(x, 2), tsr_mesh_make(x, {"x", 4}, {"y", 2}), TSR_P("x"));
}

static bool constrained(tsr_ctx *ctx)
{
	tsr *x = tsr_ones(ctx, D(8, 4)), *stack = tsr_ones(ctx, D(2, 8, 4));
	tsr *y = tsr_call(tsr_jit(ctx, in_rows), x), *eager = in_rows(x);
	tsr *batch = tsr_call(tsr_jit(ctx, tsr_vmap(ctx, in_rows, .spmd_axis = "y")), stack);
	const tsr_sharding *s = tsr_sharding_of(y);
	tsr_fn *pinned = tsr_jit(ctx, in_rows, .mesh = tsr_mesh_make(ctx, {"x", 4}, {"y", 2}),
	                         .in = TSR_SPECS(TSR_P("y")), .out = TSR_SPECS(TSR_P(NULL, "x*y")));

	return tsr_item(tsr_sum(tsr_call(pinned, x))) == 64 && tsr_item(tsr_sum(y)) == 64 &&
	       tsr_item(tsr_sum(batch)) == 128 &&
	       tsr_item(tsr_sum(tsr_constrain_sharding(eager, s))) == 64;
}

static tsr *down_and_back(tsr *x)
{
	tsr *down = tsr_pad(x, D(1, 0), D(-1, 0), 0), *twice = tsr_concatenate(0, x, down);
	tsr *back = tsr_flip(tsr_pad(x, D(2, 0), D(-2, 0), 0), D(0));

	return tsr_add(tsr_slice(twice, 0, 4, 12), back);
}

/* of a table of ones: a row, the rows where columns have their largest, and the table with the row
 * in another place */
static tsr *looked_up(tsr *table)
{
	tsr *row = tsr_slice(table, 0, 5, 6), *rows = tsr_argmax(table, .dim = D(0));
	tsr *taken = tsr_take(table, 0, rows), *put = tsr_dynamic_update(table, row, 0, 3);

	return tsr_add(tsr_add(tsr_sum(taken), tsr_sum(put)), tsr_sum(row));
}

/* elements of what is cut move: windows */
static bool windows(tsr_ctx *ctx)
{
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 4}, {"y", 2});
	tsr *x = tsr_put(tsr_ones(ctx, D(8, 4)), mesh, TSR_P("x", "y"));
	tsr *table = tsr_put(tsr_ones(ctx, D(32, 4)), mesh, TSR_P("x"));

	return tsr_item(tsr_sum(tsr_call(tsr_jit(ctx, down_and_back), x))) == 4 * (7 + 6) &&
	       tsr_item(tsr_call(tsr_jit(ctx, looked_up), table)) == 16 + 128 + 4;
}

static tsr *first; /* of the rows, from outside of the loop */
static tsr *twice(tsr *x) { return tsr_mul(x, 2); }
static tsr *below_20(tsr *x) { return tsr_lt(tsr_sum(x), 20); }

static void add_slice(tsr_frame *f)
{
	tsr *sum = tsr_add(tsr_frame_arg(f, 0), tsr_frame_arg(f, 1));

	tsr_return(f, tsr_cond(tsr_gt(tsr_max(sum), 0), twice, tsr_neg, sum),
	           tsr_add(sum, tsr_cumsum(first)));
}

static void add_slices(tsr_frame *f)
{
	tsr *x = tsr_frame_arg(f, 0), *sum, *sums;

	first = tsr_index(x, 0, 1);
	tsr_scan_into(TSR_OUT(&sum, &sums), add_slice, tsr_index(x, 0, 0), x);
	tsr_return(f, tsr_while(below_20, twice, sum), sums);
}

/* loops over what is cut, and choices in them: layouts of the programs inside */
static bool spread_loops(tsr_ctx *ctx)
{
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 4}, {"y", 2});
	tsr *x = tsr_put(tsr_full(ctx, D(2, 4), 0.25), mesh, TSR_P(NULL, "x")), *sum, *sums;

	tsr_call_into(TSR_OUT(&sum, &sums), tsr_jit(ctx, add_slices), x);
	return tsr_item(tsr_sum(sum)) == 20 && tsr_item(tsr_sum(sums)) == 7 + 5;
}

/* rows for columns in one step, forwards and backwards */
static bool exchanged(tsr_ctx *ctx)
{
	static const char text[] =
		"f(%0: f32[4,4]) -> f32[] {\n"
		"  %1: f32[4,4] = shard_map %0 mesh=(x:2) axes=(x) in=[[x,-]] out=[[-,x]] "
		"body=(%0: f32[2,4]{x}) -> f32[4,2]{x} {\n"
		"    %1: f32[4,2]{x} = exchange %0 axes=(x) mesh=[2] dims=[4,4] from=[0>0] "
		"to=[0>1]\n"
		"    return %1\n  }\n"
		"  %2: f32[] = reduce_sum %1 dims=[0,1]\n"
		"  return %2\n}\n";
	tsr *dx = tsr_call(tsr_grad(ctx, tsr_parse(ctx, text)), tsr_ones(ctx, D(4, 4)));

	return tsr_item(tsr_sum(dx)) == 16;
}

/* the same where TSR_DEBUG asks what is said of it (debug_of) */
static bool told(tsr_ctx *ctx) { return spread(ctx); }

static const scenario scenarios[] = {
	SCENARIO(spread), SCENARIO(parts), SCENARIO(uneven), SCENARIO(constrained),
	SCENARIO(windows), SCENARIO(spread_loops), SCENARIO(exchanged),
	{"told", told, "PC"},
};

static void test_scenarios(void **state)
{
	(void)state;
	for (size_t k = 0; k < sizeof scenarios / sizeof *scenarios; k++)
		check_scenario(&scenarios[k]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_scenarios)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
