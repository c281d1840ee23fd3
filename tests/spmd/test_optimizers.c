/* test_optimizers.c - optimisers on a mesh: the numbers of one device, state beside its parameter,
 * .zero with its further cuts, and the exchanges of a step. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include "runtime/runtime.h"
#include <cmocka.h>
#include "support/optimizers.h"
#define P TSR_P

enum { STEPS = 4 };

static tsr_ctx *ctx;
static tsr_mesh *grid; /* x:2, y:2 */

static int open_all(void **state)
{
	(void)state;
	ctx = tsr_open(.devices = 8);
	grid = tsr_mesh_make(ctx, {"x", 2}, {"y", 2});
	return 0;
}

static int close_all(void **state)
{
	(void)state;
	return tsr_close(ctx);
}

static void all_well(const char *what)
{
	if (tsr_status(ctx)) fail_msg("%s: %s", what, tsr_message(ctx));
}

/* ---- steps with gradients that are given, as one fn with what it replaces donated */

static const tsr_optimizer *optimizer;

static void update(tsr_frame *f)
{
	three w = *TSR_TREE_OF(three, tsr_frame_tree(f, 0));
	const tsr_tree state = tsr_frame_tree(f, 1), grads = tsr_frame_tree(f, 2);
	tsr *next[64];

	memcpy(next, state.leaf, state.count * sizeof *next);
	tsr_optimizer_update(optimizer, grads, TSR_TREE(three, &w),
	                     TSR_LEAVES(next, state.count));
	tsr_return(f, TSR_TREE(three, &w), TSR_LEAVES(next, state.count));
}

/* STEPS steps; w: slots that own the parameters */
static tsr_tree run(const tsr_optimizer *opt, three *w, const tsr_spec *grads)
{
	tsr_tree state = tsr_optimizer_init(opt, TSR_TREE(three, w));
	static int runs;
	char name[40]; /* for each a fn of its own */

	snprintf(name, sizeof name, "steps_%d", ++runs);
	tsr_fn *f = tsr_jit(ctx, update, .donate = TSR_DIMS(0, 1), .name = name);
	optimizer = opt;
	assert_int_equal(state.count, tsr_optimizer_leaves(opt, TSR_TREE(three, w)));
	int64_t programs = 0;
	for (int i = 0; i < STEPS; i++) {
		TSR_SCOPE(ctx);
		three g = scattered_three(ctx, 1 + i);
		for (int k = 0; k < 3 && grads; k++) g.leaf[k] = tsr_put(g.leaf[k], grid, grads[k]);
		const tsr_out to[] = {TSR_OWN(three, w), {.own = TSR_PLACE_OWN, .to = state}};
		const tsr_arg args[] = {tsr_arg_tree(TSR_TREE(three, w)), tsr_arg_tree(state),
		                        tsr_arg_tree(TSR_TREE(three, &g))};
		tsr_call_into_at(TSR_HERE, to, 2, f, args, 3);
		if (i && tsr_fn_stats(f).executables != programs)
			fail_msg("step %d is another program than the one before", i);
		programs = tsr_fn_stats(f).executables;
	}
	tsr_fn_release(f);
	return state;
}

static three parameters(const tsr_spec *specs)
{
	three w = {0}, x = scattered_three(ctx, 0);

	for (int k = 0; k < 3; k++)
		tsr_set(&w.leaf[k], specs ? tsr_put(x.leaf[k], grid, specs[k]) : x.leaf[k]);
	return w;
}

static void is_at(const char *name, const tsr *x, const tsr_sharding *want, int leaf)
{
	const tsr_sharding *at = tsr_sharding_of(x);

	if (at != want)
		fail_msg("%s: leaf %d is at %s, not at %s", name, leaf, tsr_sharding_text(at),
		         tsr_sharding_text(want));
}

/* the largest part of x that a device holds, in elements */
static int64_t part_of(const tsr *x)
{
	const tsr_dims part = tsr_sharding_shard_shape(tsr_sharding_of(x), tsr_shape(x));
	int64_t n = 1;

	for (int d = 1; d < part.d[0]; d++) n *= part.d[d];
	return n;
}

/* w and b are those of one device, a and its state are on the mesh */
static void equal_trees(const char *name, const tsr_tree *one, const tsr_tree *many)
{
	assert_int_equal(one->count, many->count);
	for (size_t i = 0; i < one->count; i++) {
		if (!one->leaf[i] && !many->leaf[i]) continue;
		if (!tsr_allclose(many->leaf[i], one->leaf[i], 2e-5, 2e-6))
			fail_msg("%s: leaf %zu is %s on the mesh, and %s on one device", name, i,
			         tsr_text(many->leaf[i]), tsr_text(one->leaf[i]));
	}
}

typedef struct placement {
	tsr_spec params[3], grads[3];
	const char *zero;
	int parts; /* in which state is cut, at least; 0: as its parameter */
} placement;

/* is each leaf of the state cut? Those of the dims of a parameter are where it is */
static void look_at_state(const char *name, const tsr_tree *state, const three *w,
                          const placement *to)
{
	for (size_t i = 0; i < state->count; i++) {
		const tsr *s = state->leaf[i];
		if (!s || !tsr_ndim(s)) continue;
		for (int k = 0; !to->zero && k < 3; k++)
			if (tsr_size(s) == tsr_size(w->leaf[k]))
				is_at(name, s, tsr_sharding_make(grid, to->params[k]), (int)i);
		const int64_t most = to->parts ? (tsr_size(s) + to->parts - 1) / to->parts
		                               : tsr_size(s);
		if (part_of(s) > most)
			fail_msg("%s: a device has %lld of %lld elements of leaf %zu, %s", name,
			         (long long)part_of(s), (long long)tsr_size(s), i,
			         tsr_sharding_text(tsr_sharding_of(s)));
	}
}

static void compare(int row, const placement *to)
{
	TSR_SCOPE(ctx);
	const char *name = optimizers[row].name;
	three w = parameters(NULL), m = parameters(to->params);
	tsr_tree one = run(optimizers[row].make(ctx, NULL), &w, NULL),
		 many = run(optimizers[row].make(ctx, to->zero), &m, to->grads);
	const tsr_tree a = TSR_TREE(three, &w), b = TSR_TREE(three, &m);

	all_well(name);
	equal_trees(name, &a, &b);
	equal_trees(name, &one, &many);
	for (int k = 0; k < 3; k++)
		is_at(name, m.leaf[k], tsr_sharding_make(grid, to->params[k]), k);
	look_at_state(name, &many, &m, to);
	tsr_drop_tree(a);
	tsr_drop_tree(b);
	tsr_drop_tree(one);
	tsr_drop_tree(many);
}

static void test_placements(void **state)
{
	static const placement all[] = {
		{{TSR_SPEC("x", "y"), TSR_SPEC("y"), TSR_SPEC(NULL, "x*y")},
	         {TSR_SPEC("x"), TSR_SPEC(), TSR_SPEC(NULL, "y")}, NULL, 0},
		{{TSR_SPEC(), TSR_SPEC(), TSR_SPEC()},
	         {TSR_SPEC(), TSR_SPEC(), TSR_SPEC()}, "x*y", 4},
		{{TSR_SPEC("x"), TSR_SPEC(), TSR_SPEC("y")},
	         {TSR_SPEC("x"), TSR_SPEC("y"), TSR_SPEC()}, "y", 2}};

	(void)state;
	for (int i = 0; i < OPTIMIZERS; i++)
		for (size_t k = 0; k < sizeof all / sizeof *all; k++) compare(i, &all[k]);
}

/* ---- a step of training: what .zero makes of it */

TSR_TREE_TYPE(layers, { tsr *first, *second; });

static tsr *loss(tsr_tree params, tsr *x)
{
	const layers *w = TSR_TREE_OF(layers, params);
	return tsr_mean(tsr_square(tsr_dot(tsr_tanh(tsr_dot(x, w->first)), w->second)));
}

static layers two_layers(const tsr_mesh *on, int64_t in, int64_t out)
{
	layers w = {0};
	tsr_ctx *of = tsr_mesh_ctx(on);

	tsr_set(&w.first, tsr_put(scattered(of, 1, TSR_DIMS(in, out)), on, P()));
	tsr_set(&w.second, tsr_put(scattered(of, 2, TSR_DIMS(out, in)), on, P()));
	return w;
}

/* after some steps; w is replaced */
static double train(const tsr_optimizer *opt, layers *w, const char *expected)
{
	TSR_SCOPE(ctx);
	tsr *x = tsr_put(scattered(ctx, 3, TSR_DIMS(512, 16)), grid, P("x"));
	tsr_fn *step = tsr_train_step(ctx, loss, opt);
	tsr_tree state = tsr_optimizer_init(opt, TSR_TREE(layers, w));
	double last = 0;

	assert_true(tsr_expect_collectives(expected, step, TSR_TREE(layers, w), state, x));
	for (int i = 0; i < 5; i++) {
		TSR_SCOPE(ctx);
		last = tsr_item(tsr_train(step, TSR_TREE(layers, w), state, x));
	}
	tsr_drop_tree(state);
	return last;
}

/* the sum of a gradient goes to each device in its part, and updated parameters are gathered; with
 * state that is whole gradients are whole */
static void test_zero(void **state)
{
	(void)state;
	layers w = two_layers(grid, 16, 32), z = two_layers(grid, 16, 32);
	const double plain = train(tsr_adamw(ctx, 1e-2), &w, "psum=3 all_gather=0");
	const double zero = train(tsr_adamw(ctx, 1e-2, .zero = "x"), &z,
	                          "psum=1 psum_scatter=2 all_gather=2");

	all_well("zero");
	assert_true(fabs(plain - zero) <= 1e-5 * fabs(plain));
	assert_true(tsr_allclose(w.first, z.first, 1e-4, 1e-5));
	is_at("zero", z.first, tsr_sharding_make(grid, P()), 0);
	tsr_drop_tree(TSR_TREE(layers, &w));
	tsr_drop_tree(TSR_TREE(layers, &z));
}

/* bytes that a state takes, on all devices together */
static size_t bytes_of(const tsr_optimizer *opt, layers *w)
{
	tsr_ctx *of = tsr_ctx_of(w->first);
	const size_t before = tsr_memory(of).in_use;
	tsr_tree state = tsr_optimizer_init(opt, TSR_TREE(layers, w));
	const size_t bytes = tsr_memory(of).in_use - before;

	tsr_drop_tree(state);
	return bytes;
}

/* Four devices, each with a memory of its own: what is whole is there four times. With .zero no
 * moment is whole anywhere, not even while it is made */
static void test_memory(void **state)
{
	(void)state;
	tsr_ctx *four = ctx_open(TSR_HERE, &(tsr_open_args){.size = sizeof(tsr_open_args),
	                                                    .devices = 4}, 4, NULL, NULL);
	tsr_mesh *square = tsr_mesh_make(four, {"x", 2}, {"y", 2});
	layers w = two_layers(square, 64, 256);
	const size_t moments = 2 * 2 * 64 * 256 * 4, slack = moments / 3;
	const tsr_optimizer *plain = tsr_adam(four, 1e-3),
			    *half = tsr_adam(four, 1e-3, .zero = "y"),
			    *quarter = tsr_adam(four, 1e-3, .zero = "x*y");

	for (int round = 0; round < 2; round++) {
		const size_t all = bytes_of(plain, &w), halves = bytes_of(half, &w),
			     quarters = bytes_of(quarter, &w);
		if (!round) continue; /* shardings were made */
		assert_in_range(all, 4 * moments, 4 * moments + slack);
		assert_in_range(halves, 2 * moments, 2 * moments + slack);
		assert_in_range(quarters, moments, moments + slack);
	}
	tsr_drop_tree(TSR_TREE(layers, &w));
	assert_int_equal(tsr_close(four), TSR_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_placements),
		cmocka_unit_test(test_zero),
		cmocka_unit_test(test_memory),
	};
	return cmocka_run_group_tests(tests, open_all, close_all);
}
