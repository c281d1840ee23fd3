/* test_optimizers.c - optimisers and schedules under transformations: derivatives against
 * differences, batches against one element after the other, and steps in a loop and in a map. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "support/optimizers.h"

static tsr_ctx *ctx;

static int open_all(void **state)
{
	(void)state;
	ctx = tsr_open(.devices = 2, .engine = "interp"); /* to compile all takes 20 s */
	return 0;
}

static int close_all(void **state)
{
	(void)state;
	return tsr_close(ctx);
}

/* ---- a step from a point on a line, as one number: parameters and gradients are x + s dx */

static const tsr_optimizer *optimizer;
static three params, grads, dparams, dgrads, weights;
static tsr_tree before; /* the state */

static three on_line(const three *x, const three *dx, tsr *s)
{
	three y;

	for (int k = 0; k < 3; k++) y.leaf[k] = tsr_add(x->leaf[k], tsr_mul(dx->leaf[k], s));
	return y;
}

static tsr *weighed(tsr *sum, tsr *x, tsr *weight)
{
	return tsr_add(sum, tsr_sum(tsr_mul(x, weight)));
}

static tsr *step(tsr *s)
{
	three w = on_line(&params, &dparams, s), g = on_line(&grads, &dgrads, s);
	tsr *state[64], *sum = tsr_mul(s, 0);

	memcpy(state, before.leaf, before.count * sizeof *state);
	tsr_optimizer_update(optimizer, TSR_TREE(three, &g), TSR_TREE(three, &w),
	                     TSR_LEAVES(state, before.count));
	for (int k = 0; k < 3; k++) sum = weighed(sum, w.leaf[k], weights.leaf[k]);
	for (size_t i = 0; i < before.count; i++)
		if (state[i] && tsr_ndim(state[i])) sum = weighed(sum, state[i], tsr_cos(state[i]));
	return sum;
}

static three wide(int seed)
{
	three x = scattered_three(ctx, seed);

	for (int k = 0; k < 3; k++) x.leaf[k] = tsr_astype(x.leaf[k], TSR_F64);
	return x;
}

/* behind so many steps; true where all of the state is floats of at least 32 bits */
static bool begin(int row, int steps)
{
	bool precise = true;

	params = wide(0), grads = wide(1), dparams = wide(2), dgrads = wide(3), weights = wide(4);
	optimizer = optimizers[row].make(ctx, NULL);
	before = tsr_optimizer_init(optimizer, TSR_TREE(three, &params));
	for (int i = 0; i < steps; i++) {
		three w = params, g = wide(5 + i);
		tsr_optimizer_update(optimizer, TSR_TREE(three, &g), TSR_TREE(three, &w), before);
		tsr_drop_tree(TSR_TREE(three, &w));
	}
	for (size_t i = 0; i < before.count; i++)
		if (before.leaf[i]) precise &= tsr_dtype_of(before.leaf[i]) != TSR_BF16;
	return precise;
}

static void check_derivatives(const char *name)
{
	const double h = 1e-3;
	tsr *at = tsr_scalar(ctx, 0, .dtype = TSR_F64), *y, *forward;

	tsr_call_into(TSR_OUT(&y, &forward), tsr_jvp(ctx, step), at,
	              tsr_scalar(ctx, 1, .dtype = TSR_F64));
	const double slope = tsr_item(tsr_call(tsr_grad(ctx, step), at));
	const double difference = (tsr_item(tsr_call(tsr_jit(ctx, step), tsr_add(at, h))) -
	                           tsr_item(tsr_call(tsr_jit(ctx, step), tsr_sub(at, h)))) /
	                          (2 * h);
	if (tsr_status(ctx)) fail_msg("%s: %s", name, tsr_message(ctx));
	if (!(fabs(slope - difference) <= 3e-3 * (1 + fabs(difference))) ||
	    !(fabs(slope - tsr_item(forward)) <= 1e-6 * (1 + fabs(slope))))
		fail_msg("%s: the derivative is %g, forward %g, and differences are %g", name,
		         slope, tsr_item(forward), difference);
}

/* at the first step, where all state is 0, and behind three, where none is */
static void test_derivatives(void **state)
{
	(void)state;
	for (int row = 0; row < OPTIMIZERS; row++)
		for (int steps = 0; steps <= 3; steps += 3) {
			TSR_SCOPE(ctx);
			if (begin(row, steps)) check_derivatives(optimizers[row].name);
			tsr_drop_tree(before);
		}
}

static void test_batches(void **state)
{
	(void)state;
	for (int row = 0; row < OPTIMIZERS; row++) {
		TSR_SCOPE(ctx);
		const double at[] = {-0.3, 0.1, 0.8};
		begin(row, 3);
		tsr *s = tsr_from(ctx, at, TSR_F64, TSR_DIMS(3)), *one[3];
		tsr *all = tsr_call(tsr_vmap(ctx, step), s);
		for (int i = 0; i < 3; i++)
			one[i] = tsr_call(tsr_jit(ctx, step), tsr_index(s, 0, i));
		tsr *each = tsr_stack(0, one[0], one[1], one[2]);
		if (!tsr_allclose(all, each, 1e-6, 1e-6))
			fail_msg("%s: %s in a batch, %s one by one: %s", optimizers[row].name,
			         tsr_text(all), tsr_text(each), tsr_message(ctx));
		tsr_drop_tree(before);
	}
}

/* ---- schedules */

static void test_schedules(void **state)
{
	(void)state;
	for (int row = 0; row < SCHEDULES; row++) {
		TSR_SCOPE(ctx);
		tsr_fn *f = schedules[row].make(ctx);
		const double at = 12.3, h = 1e-2;
		const double slope = tsr_item(tsr_call(tsr_grad(ctx, f), tsr_scalar(ctx, at)));
		tsr *high = tsr_scalar(ctx, at + h, .dtype = TSR_F64),
		    *low = tsr_scalar(ctx, at - h, .dtype = TSR_F64);
		const double difference = (tsr_item(tsr_call(f, high)) -
		                           tsr_item(tsr_call(f, low))) / (2 * h);
		if (!(fabs(slope - difference) <= 1e-4 * (1e-3 + fabs(difference))))
			fail_msg("%s: the derivative is %g, and differences are %g: %s",
			         schedules[row].name, slope, difference, tsr_message(ctx));
		tsr *steps = tsr_arange(ctx, 50), *all = tsr_call(tsr_vmap(ctx, f), steps);
		assert_int_equal(tsr_dtype_of(all), TSR_F32);
		for (int i = 0; i < 50; i += 7)
			assert_true(tsr_allclose(tsr_index(all, 0, i), tsr_call(f, i), 1e-6, 1e-9));
	}
}

/* ---- many steps in one program, and steps in a map */

/* parameters, state, gradients -> parameters, state */
static void next(tsr_frame *f)
{
	three w = *TSR_TREE_OF(three, tsr_frame_tree(f, 0));
	const tsr_tree state = tsr_frame_tree(f, 1);
	tsr *leaf[64];

	memcpy(leaf, state.leaf, state.count * sizeof *leaf);
	tsr_optimizer_update(optimizer, tsr_frame_tree(f, 2), TSR_TREE(three, &w),
	                     TSR_LEAVES(leaf, state.count));
	tsr_return(f, TSR_TREE(three, &w), TSR_LEAVES(leaf, state.count));
}

/* the same of one list of both, as a loop carries it */
static void next_carry(tsr_frame *f)
{
	const tsr_tree carry = tsr_frame_tree(f, 0);
	tsr *leaf[64];

	memcpy(leaf, carry.leaf, carry.count * sizeof *leaf);
	tsr_optimizer_update(optimizer, tsr_frame_tree(f, 1), TSR_LEAVES(leaf, 3),
	                     TSR_LEAVES(leaf + 3, carry.count - 3));
	tsr_return(f, TSR_LEAVES(leaf, carry.count));
}

static void equal(const char *name, const char *how, const tsr_tree *got, const tsr_tree *want)
{
	for (size_t i = 0; i < want->count; i++)
		if (want->leaf[i] && !tsr_allclose(got->leaf[i], want->leaf[i], 2e-5, 2e-6))
			fail_msg("%s in %s: leaf %zu is %s, not %s: %s", name, how, i,
			         tsr_text(got->leaf[i]), tsr_text(want->leaf[i]), tsr_message(ctx));
}

static void test_in_programs(void **state)
{
	(void)state;
	enum { STEPS = 3 };
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 2});

	for (int row = 0; row < OPTIMIZERS; row++) {
		TSR_SCOPE(ctx);
		const char *name = optimizers[row].name;
		three x = scattered_three(ctx, 0), w = {0}, g[STEPS], all, in_map = x;
		tsr *carry[64], *leaf[64];
		optimizer = optimizers[row].make(ctx, NULL);
		tsr_tree begun = tsr_optimizer_init(optimizer, TSR_TREE(three, &x));
		const size_t n = begun.count;
		tsr_tree in_scan = {.leaf = carry, .count = 3 + n},
			 mapped = {.leaf = leaf, .count = n};
		memcpy(carry, x.leaf, sizeof x.leaf);
		memcpy(carry + 3, begun.leaf, n * sizeof(tsr *));
		memcpy(leaf, begun.leaf, n * sizeof(tsr *));
		for (int i = 0; i < STEPS; i++) g[i] = scattered_three(ctx, 1 + i);
		for (int k = 0; k < 3; k++)
			all.leaf[k] = tsr_stack(0, g[0].leaf[k], g[1].leaf[k], g[2].leaf[k]);
		tsr_scan_into(TSR_OUT(in_scan), tsr_jit(ctx, next_carry, .name = name), in_scan,
		              TSR_TREE(three, &all));
		tsr_fn *map = tsr_shard_map(mesh, next, .name = name,
		                            .in = TSR_SPECS(TSR_P(), TSR_P(), TSR_P()),
		                            .out = TSR_SPECS(TSR_P(), TSR_P()));
		tsr_set_tree(TSR_TREE(three, &w), TSR_TREE(three, &x));
		for (int i = 0; i < STEPS; i++) {
			tsr_call_into(TSR_OUT(TSR_TREE(three, &in_map), mapped), map,
			              TSR_TREE(three, &in_map), mapped, TSR_TREE(three, &g[i]));
			tsr_optimizer_update(optimizer, TSR_TREE(three, &g[i]), TSR_TREE(three, &w),
			                     begun);
		}
		const tsr_tree want = TSR_TREE(three, &w), of_map = TSR_TREE(three, &in_map);
		equal(name, "a scan", &in_scan, &want);
		equal(name, "a scan", &TSR_LEAVES(carry + 3, n), &begun);
		equal(name, "a map", &of_map, &want);
		equal(name, "a map", &mapped, &begun);
		tsr_drop_tree(TSR_TREE(three, &w));
		tsr_drop_tree(begun);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_derivatives),
		cmocka_unit_test(test_batches),
		cmocka_unit_test(test_schedules),
		cmocka_unit_test(test_in_programs),
	};
	return cmocka_run_group_tests(tests, open_all, close_all);
}
