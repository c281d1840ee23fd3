/* test_optimizers.c - optimisers on one device: the numbers of Optax, equal objects, the tree of
 * the state, and steps of training. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>
#include "support/optimizers.h"
#include "support/quiet.h"

static tsr_ctx *ctx;

static int open_all(void **state)
{
	(void)state;
	ctx = tsr_open(.devices = 2);
	return 0;
}

static int close_all(void **state)
{
	(void)state;
	return tsr_close(ctx);
}

/* ---- numbers, as tests/peer/run_optimizers.py --record has them from Optax */

enum { STEPS = 10, VALUES = 50 };

static double weighed(const tsr *x)
{
	double value[256], sum = 0;

	assert_true(tsr_read_into(x, value, .dtype = TSR_F64));
	for (int64_t i = 0; i < tsr_size(x); i++) sum += value[i] * cos((double)i);
	return sum;
}

static double of_optimizer(const tsr_optimizer *opt)
{
	TSR_SCOPE(ctx);
	three w = {0}, x = scattered_three(ctx, 0);
	double sum = 0;

	tsr_set_tree(TSR_TREE(three, &w), TSR_TREE(three, &x));
	tsr_tree state = tsr_optimizer_init(opt, TSR_TREE(three, &w));
	for (int i = 0; i < STEPS; i++) {
		TSR_SCOPE(ctx);
		three g = scattered_three(ctx, 1 + i);
		assert_true(tsr_optimizer_update(opt, TSR_TREE(three, &g), TSR_TREE(three, &w),
		                                 state));
	}
	for (int k = 0; k < 3; k++) sum += weighed(w.leaf[k]);
	tsr_drop_tree(state);
	tsr_drop_tree(TSR_TREE(three, &w));
	return sum;
}

static double of_schedule(tsr_fn *f)
{
	TSR_SCOPE(ctx);
	return weighed(tsr_call(tsr_vmap(ctx, f), tsr_arange(ctx, VALUES)));
}

static double computed(const char *name)
{
	for (int i = 0; i < OPTIMIZERS; i++)
		if (!strcmp(optimizers[i].name, name))
			return of_optimizer(optimizers[i].make(ctx, NULL));
	for (int i = 0; i < SCHEDULES; i++)
		if (!strcmp(schedules[i].name, name)) return of_schedule(schedules[i].make(ctx));
	return NAN;
}

static void test_numbers(void **state)
{
	FILE *f = fopen("tests/unit/data/optimizers.tsv", "r");
	char name[64];
	double want;
	int rows = 0;

	(void)state;
	assert_non_null(f);
	for (; fscanf(f, "%63s %lf", name, &want) == 2; rows++) {
		const double got = computed(name);
		if (!(fabs(got - want) <= 2e-5 * (1 + fabs(want))))
			fail_msg("%s: %.9g, and in Optax %.9g", name, got, want);
	}
	fclose(f);
	assert_int_equal(rows, OPTIMIZERS + SCHEDULES);
}

/* ---- equal ones are one object */

static void test_interned(void **state)
{
	static const bool two[] = {true, false}, same[] = {true, false}, other[] = {false, true};

	(void)state;
	for (int i = 0; i < OPTIMIZERS; i++) {
		assert_ptr_equal(optimizers[i].make(ctx, "x"), optimizers[i].make(ctx, "x"));
		for (int k = 0; k < i; k++)
			assert_ptr_not_equal(optimizers[i].make(ctx, NULL),
			                     optimizers[k].make(ctx, NULL));
	}
	for (int i = 0; i < SCHEDULES; i++)
		assert_ptr_equal(schedules[i].make(ctx), schedules[i].make(ctx));
	const tsr_optimizer *a = tsr_adamw(ctx, 0.1, TSR_DECAYED(two));
	assert_ptr_equal(a, tsr_adamw(ctx, 0.1, TSR_DECAYED(same)));
	assert_ptr_equal(a, tsr_adamw(ctx, 0.1, .b1 = 0.9, .weight_decay = 1e-4, TSR_DECAYED(two)));
	assert_ptr_not_equal(a, tsr_adamw(ctx, 0.1, TSR_DECAYED(other)));
	assert_ptr_not_equal(a, tsr_adamw(ctx, 0.1, TSR_DECAYED(two), .zero = "x"));
	assert_ptr_not_equal(tsr_lion(ctx, 0.1), tsr_lion(ctx, 0.1, .weight_decay = TSR_ZERO));
	assert_ptr_equal(tsr_adam(ctx, 1), tsr_adam(ctx, 1.0f));
}

/* an optimiser, and a schedule made of schedules, hold what they are made of */
static void test_released(void **state)
{
	(void)state;
	tsr_fn *rise = tsr_linear_schedule(ctx, 0, 1, 4), *fall = tsr_linear_schedule(ctx, 1, 0, 4);
	tsr_fn *both = tsr_join_schedules(ctx, {0, rise}, {4, fall});

	tsr_fn_release(rise);
	tsr_fn_release(fall);
	assert_true(tsr_item(tsr_call(both, 3)) == 0.75);
	assert_true(tsr_item(tsr_call(both, 5)) == 0.75);
	const tsr_optimizer *opt = tsr_sgd(ctx, both);
	tsr_fn_release(both);
	tsr *w = NULL, *g = tsr_ones(ctx, TSR_DIMS(2));
	tsr_set(&w, tsr_zeros(ctx, TSR_DIMS(2)));
	tsr_tree params = TSR_LEAVES(&w, 1), begun = tsr_optimizer_init(opt, params);
	for (int i = 0; i < 3; i++) tsr_optimizer_update(opt, TSR_LEAVES(&g, 1), params, begun);
	assert_true(tsr_item(tsr_index(w, 0, 0)) == -(0 + 0.25 + 0.5));
	tsr_drop_tree(begun);
	tsr_drop(&w);
}

/* ---- state */

static void test_state(void **state)
{
	(void)state;
	const struct {
		const tsr_optimizer *opt;
		size_t leaves; /* for three parameters */
	} rows[] = {{tsr_sgd(ctx, 1), 0},
	            {tsr_sgd(ctx, tsr_constant_schedule(ctx, 1)), 1},
	            {tsr_sgd(ctx, 1, .momentum = 0.5), 3},
	            {tsr_adam(ctx, 1), 1 + 6},
	            {tsr_lion(ctx, 1), 3},
	            {tsr_adafactor(ctx, 1), 1 + 9},
	            {tsr_clip_by_global_norm(ctx, 1), 0},
	            {tsr_multi_steps(tsr_adam(ctx, 1), 2), 2 + 3 + 1 + 6},
	            {tsr_chain(ctx, tsr_adam(ctx, 1), tsr_ema_params(ctx, 0.5)), 1 + 6 + 3}};
	three w = scattered_three(ctx, 0);

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		assert_int_equal(tsr_optimizer_leaves(rows[i].opt, TSR_TREE(three, &w)),
		                 rows[i].leaves);
		tsr_tree begun = tsr_optimizer_init(rows[i].opt, TSR_TREE(three, &w));
		assert_int_equal(begun.count, rows[i].leaves);
		tsr_drop_tree(begun);
	}
	/* absent parameters have no state, and stay absent */
	three some = w, g = scattered_three(ctx, 1);
	some.b = g.b = NULL;
	const tsr_optimizer *opt = tsr_adam(ctx, 0.1);
	tsr_tree begun = tsr_optimizer_init(opt, TSR_TREE(three, &some));
	assert_null(begun.leaf[2]);
	assert_null(begun.leaf[5]);
	assert_true(tsr_optimizer_update(opt, TSR_TREE(three, &g), TSR_TREE(three, &some), begun));
	assert_null(some.b);
	assert_null(begun.leaf[2]);
	assert_false(tsr_array_equal(some.w, w.w));
	/* a parameter without a gradient stays as it is */
	g.w = NULL;
	tsr *before = tsr_copy(some.w);
	assert_true(tsr_optimizer_update(opt, TSR_TREE(three, &g), TSR_TREE(three, &some), begun));
	assert_true(tsr_array_equal(some.w, before));
	tsr_drop_tree(begun);
}

/* the part of a state that is an average of the parameters */
static void test_ema(void **state)
{
	(void)state;
	const tsr_optimizer *opt = tsr_multi_steps(
		tsr_chain(ctx, tsr_adam(ctx, 0.1), tsr_ema_params(ctx, 0.75)), 1);
	three w = scattered_three(ctx, 0), g = scattered_three(ctx, 1), first = w, mean;
	tsr_tree begun = tsr_optimizer_init(opt, TSR_TREE(three, &w));

	tsr_tree at = tsr_optimizer_ema(opt, TSR_TREE(three, &w), begun);
	assert_int_equal(at.count, 3);
	assert_true(tsr_array_equal(TSR_TREE_OF(three, at)->t, w.t));
	for (int k = 0; k < 3; k++) mean.leaf[k] = w.leaf[k];
	for (int i = 0; i < 3; i++) {
		tsr_optimizer_update(opt, TSR_TREE(three, &g), TSR_TREE(three, &w), begun);
		for (int k = 0; k < 3; k++)
			mean.leaf[k] = tsr_add(tsr_mul(mean.leaf[k], 0.75),
			                       tsr_mul(w.leaf[k], 0.25));
	}
	const three *average = TSR_TREE_OF(three, at);
	for (int k = 0; k < 3; k++)
		assert_true(tsr_allclose(average->leaf[k], mean.leaf[k], 1e-6, 1e-6));
	assert_false(tsr_array_equal(w.t, first.t));
	const tsr_optimizer *none = tsr_adam(ctx, 0.1);
	tsr_tree other = tsr_optimizer_init(none, TSR_TREE(three, &w));
	assert_int_equal(tsr_optimizer_ema(none, TSR_TREE(three, &w), other).count, 0);
	tsr_drop_tree(other);
	tsr_drop_tree(begun);
	tsr_drop_tree(TSR_TREE(three, &w));
}

/* ---- training */

TSR_TREE_TYPE(line, { tsr *slope, *offset; });

static tsr *guess(const line *p, tsr *x) { return tsr_add(tsr_mul(x, p->slope), p->offset); }
static tsr *loss(tsr_tree params, tsr *x, tsr *y)
{
	return tsr_mean(tsr_square(tsr_sub(guess(TSR_TREE_OF(line, params), x), y)));
}
static void loss_and_guess(tsr_frame *f)
{
	tsr *x = tsr_frame_arg(f, 1), *y = tsr_frame_arg(f, 2);
	const tsr_tree params = tsr_frame_tree(f, 0);

	tsr_return(f, loss(params, x, y), guess(TSR_TREE_OF(line, params), x));
}

static line level(void)
{
	line p = {0};

	tsr_set(&p.slope, tsr_scalar(ctx, 0.0));
	tsr_set(&p.offset, tsr_scalar(ctx, 0.0));
	return p;
}

static void test_train(void **state)
{
	(void)state;
	tsr *x = tsr_arange(ctx, 8, .dtype = TSR_F32), *y = tsr_add(tsr_mul(x, 0.5), -1);
	const tsr_optimizer *opt = tsr_adam(ctx, 0.1);
	tsr_fn *step = tsr_train_step(ctx, loss, opt);
	line p = level();
	tsr_tree begun = tsr_optimizer_init(opt, TSR_TREE(line, &p));
	double l = 0;

	assert_string_equal(tsr_fn_name(step), "train_step");
	assert_ptr_equal(step, tsr_train_step(ctx, loss, tsr_adam(ctx, 0.1)));
	tsr *given = p.slope;
	for (int i = 0; i < 300; i++) {
		TSR_SCOPE(ctx);
		l = tsr_item(tsr_train(step, TSR_TREE(line, &p), begun, x, y));
		if (i == 0) assert_ptr_not_equal(p.slope, given);
	}
	assert_true(l < 1e-4);
	assert_true(fabs(tsr_item(p.slope) - 0.5) < 0.02);
	assert_int_equal(tsr_item_int(begun.leaf[0]), 300);
	assert_int_equal(tsr_fn_stats(step).traces, 1);
	assert_int_equal(tsr_fn_stats(step).executables, 1);
	tsr_drop_tree(begun);
	tsr_drop_tree(TSR_TREE(line, &p));
}

/* what the loss passes on comes behind the state; and a loss may be a fn */
static void test_aux(void **state)
{
	(void)state;
	tsr *x = tsr_arange(ctx, 8, .dtype = TSR_F32), *l, *guessed;
	const tsr_optimizer *opt = tsr_sgd(ctx, 0.01);
	tsr_fn *of = tsr_jit(ctx, loss_and_guess);
	tsr_fn *step = tsr_train_step(ctx, of, opt, .has_aux = true, .name = "with_guess");
	line p = level();

	tsr_fn_release(of); /* the step holds it */
	tsr_call_into(TSR_OUT(&l, TSR_OWN(line, &p), TSR_LEAVES(NULL, 0), &guessed), step,
	              TSR_TREE(line, &p), TSR_LEAVES(NULL, 0), x, x);
	assert_true(tsr_item(l) == 17.5);
	assert_true(tsr_array_equal(guessed, tsr_zeros_like(x)));
	assert_string_equal(tsr_fn_name(step), "with_guess");
	assert_true(tsr_item(p.slope) > 0);
	tsr_drop_tree(TSR_TREE(line, &p));
}

/* what was given up is gone, and an error tells the call */
static void test_donated(void **state)
{
	(void)state;
	tsr_ctx *own = tsr_open(.log = log_nothing);
	tsr *x = tsr_ones(own, TSR_DIMS(4));
	line p = {.slope = tsr_scalar(own, 1.0), .offset = tsr_scalar(own, 1.0)};
	tsr *before = p.slope;
	const tsr_optimizer *opt = tsr_sgd(own, 0.1, .momentum = 0.9);
	tsr_fn *step = tsr_train_step(own, loss, opt);
	tsr_tree begun = tsr_optimizer_init(opt, TSR_TREE(line, &p));

	assert_false(tsr_is_poison(tsr_train(step, TSR_TREE(line, &p), begun, x, x)));
	assert_true(tsr_is_poison(tsr_neg(before)));
	assert_non_null(strstr(tsr_message(own), "was donated to train_step at test_optimizers.c"));
	tsr_drop_tree(begun);
	tsr_drop_tree(TSR_TREE(line, &p));
	assert_int_equal(tsr_close(own), TSR_ERROR_HANDLE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers), cmocka_unit_test(test_interned),
		cmocka_unit_test(test_released), cmocka_unit_test(test_state),
		cmocka_unit_test(test_ema), cmocka_unit_test(test_train),
		cmocka_unit_test(test_aux), cmocka_unit_test(test_donated),
	};
	return cmocka_run_group_tests(tests, open_all, close_all);
}
