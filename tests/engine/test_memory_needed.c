/* test_memory_needed.c - how much memory compiled programs need at once: gradients of loops keep as
 * much as gradients of the same steps written out, and layers that gather their weights do so one
 * after the other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include "runtime/runtime.h"
#include "support/quiet.h"
#include <cmocka.h> /* after base.h: it takes the name fail */

#define D TSR_DIMS

static tsr_ctx *open_compiling(int devices)
{
	return tsr_open(.devices = devices, .engine = "cpu", .plugin_dir = PLUGIN_DIR, .debug = "c",
	                .log = log_nothing);
}

static double peak_mb(tsr_ctx *ctx) { return (double)tsr_memory(ctx).peak / 1e6; }

/* ---- tanh layers, whose derivatives need tanh x and what is computed from it */

enum { STEPS = 8, ROWS = 2048, FEATURES = 64, LAYERS = 4 };

static tsr *layers(tsr *x, tsr *w)
{
	for (int i = 0; i < LAYERS; i++) x = tsr_tanh(tsr_dot(x, w));
	return x;
}
static void layers_step(tsr_frame *frame)
{
	tsr_return(frame, layers(tsr_frame_arg(frame, 0), tsr_frame_captures(frame).leaf[0]));
}
/* the same in a branch, which gives its residuals as results */
static tsr *or_not(tsr *x) { return x; }
static void layers_branch(tsr_frame *frame)
{
	tsr *w = tsr_frame_captures(frame).leaf[0];
	tsr *x = tsr_frame_arg(frame, 0);
	for (int i = 0; i < STEPS; i++) x = layers(x, w);
	tsr_return(frame, x);
}
static void net(tsr_frame *frame)
{
	const char *how = tsr_frame_env(frame);
	tsr *x = tsr_frame_arg(frame, 0), *w = tsr_frame_arg(frame, 1);
	const tsr_tree own = TSR_LEAVES(&w, 1);
	if (*how == 's')
		x = tsr_scan(tsr_jit(x, layers_step, .captures = own), x, TSR_NONE,
		             .length = STEPS);
	else if (*how == 'b')
		x = tsr_cond(tsr_gt(tsr_sum(x), 0), tsr_jit(x, layers_branch, .captures = own),
		             or_not, x);
	for (int i = 0; i < STEPS && *how == 'u'; i++) x = layers(x, w);
	tsr_return(frame, tsr_sum(x));
}

static double peak_of_net(char how)
{
	tsr_ctx *ctx = open_compiling(1);
	tsr *w = tsr_full(ctx, D(FEATURES, FEATURES), 0.01), *x = tsr_ones(ctx, D(ROWS, FEATURES));
	tsr_fn *f = tsr_jit(ctx, tsr_grad(ctx, net, TSR_ENV(&how), .wrt = D(1)));
	assert_false(tsr_is_poison(tsr_call(f, x, w)));
	const double mb = peak_mb(ctx);
	assert_int_equal(tsr_close(ctx), 0);
	return mb;
}

static void residuals_are_computed_again(void **state)
{
	const double unrolled = peak_of_net('u'), scan = peak_of_net('s'),
		     branch = peak_of_net('b');

	(void)state;
	print_message("unrolled %.1f MB, as a scan %.1f, in a branch %.1f\n", unrolled, scan,
	              branch);
	assert_true(scan < 1.5 * unrolled); /* tanh x and 1 - tanh x: twice as much */
	assert_true(branch < 1.5 * unrolled);
}

/* what the linear half of tsr_vjp takes is memory that the caller holds */
static void linear_halves_hold_as_little(void **state)
{
	tsr_ctx *ctx = open_compiling(1);
	tsr *w = tsr_full(ctx, D(64, 64), 0.01), *y;
	const tsr_linearized l =
		tsr_vjp(TSR_OUT(&y), tsr_jit(ctx, layers), tsr_ones(ctx, D(1024, 64)), w);
	size_t large = 0;

	(void)state;
	for (size_t i = 0; i < l.residuals.count; i++)
		large += tsr_size(l.residuals.leaf[i]) == 65536;
	assert_int_equal(large, 1 + LAYERS); /* x, and each tanh */
	assert_int_equal(tsr_close(ctx), 0);
}

/* ---- layers that gather their weights, unrolled */

enum { DEPTH = 12, WIDTH = 256, DEVICES = 8 };

static tsr *gathered_layer(tsr *x, tsr *w)
{
	return tsr_tanh(tsr_dot(x, tsr_all_gather(w, "x", .dim = D(0), .tiled = true)));
}
static void gathered_net(tsr_frame *frame)
{
	tsr *x = tsr_frame_arg(frame, 0);
	const tsr_tree w = tsr_frame_tree(frame, 1);
	tsr_fn *f = tsr_remat(x, gathered_layer);
	for (int i = 0; i < DEPTH; i++) x = tsr_call(f, x, w.leaf[i]);
	tsr_return(frame, tsr_psum(tsr_sum(x), "x"));
}

/* MB beside weights and results; gradient: of the weights, otherwise the net itself */
static double beside_weights(bool gradient)
{
	tsr_ctx *ctx = open_compiling(DEVICES);
	tsr_mesh *m = tsr_mesh_make(ctx, {"x", DEVICES});
	tsr *x = tsr_put(tsr_ones(ctx, D(DEVICES, WIDTH)), m, TSR_P("x")), *w[DEPTH], *out[DEPTH];
	for (int i = 0; i < DEPTH; i++)
		w[i] = tsr_put(tsr_full(ctx, D(WIDTH, WIDTH), 0.01 + i * 1e-3), m, TSR_P("x"));
	tsr_fn *f = tsr_shard_map(m, gathered_net, .in = TSR_SPECS(TSR_P("x"), TSR_P("x")),
	                          .out = TSR_SPECS(TSR_P()));
	f = tsr_jit(ctx, gradient ? tsr_grad(ctx, f, .wrt = D(1)) : f);
	tsr_call_into(TSR_OUT(TSR_LEAVES(out, gradient ? DEPTH : 1)), f, x, TSR_LEAVES(w, DEPTH));
	const size_t before = tsr_memory(ctx).in_use;
	const double mb = peak_mb(ctx) - (double)before / 1e6;
	assert_int_equal(tsr_close(ctx), 0);
	return mb;
}

static void weights_are_gathered_when_needed(void **state)
{
	const double all = DEPTH * WIDTH * WIDTH * 4 / 1e6;
	const double forward = beside_weights(false), backward = beside_weights(true);

	(void)state;
	print_message("beside the weights %.2f MB, of the gradient %.2f; all weights %.2f\n",
	              forward, backward, all);
	assert_true(forward < 0.5 * all);
	assert_true(backward < 0.5 * all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(residuals_are_computed_again),
		cmocka_unit_test(linear_halves_hold_as_little),
		cmocka_unit_test(weights_are_gathered_when_needed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
