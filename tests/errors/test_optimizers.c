/* test_optimizers.c - optimisers, schedules and steps of training that cannot be made or taken:
 * each mistake in its own words, at its line. */
#include "support/mistakes.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>
#define A TSR_ERROR_ARGUMENT
#define H TSR_ERROR_HANDLE
#define P TSR_P

static tsr *none(tsr_tree t) { return t.count ? *t.leaf : NULL; }
static tsr *as_handle(bool ok) { return (void)ok, NULL; }

/* what makes an optimiser, a schedule, a state */
#define MAKES(name, ...) \
	static tsr *name(world *w) \
	{ \
		const tsr_optimizer *made = WRONG(w, __VA_ARGS__); \
		return made ? NULL : w->a; \
	}
#define SCHEDULES(name, ...) \
	static tsr *name(world *w) \
	{ \
		tsr_fn *made = WRONG(w, __VA_ARGS__); \
		return made ? NULL : w->a; \
	}
#define CASE(name, ...) \
	static tsr *name(world *w) { return WRONG(w, __VA_ARGS__); }
#define INIT(opt, x) none(tsr_optimizer_init(opt, TSR_LEAVES(&(x), 1)))

MAKES(no_steps, tsr_multi_steps(tsr_adam(w->ctx, 0.1), 0))
MAKES(chain_of_null, tsr_chain(w->ctx, tsr_adam(w->ctx, 0.1), NULL))
MAKES(chain_of_others, tsr_chain(w->ctx, tsr_adam(w->other, 0.1)))
MAKES(mask_alone, tsr_adamw(w->ctx, 0.1, .mask = (bool[]){true}))
MAKES(whole_moments, tsr_adam(w->ctx, 0.1, .mu_dtype = TSR_I32))
MAKES(no_dtype, tsr_sgd(w->ctx, 0.1, .momentum = 0.9, .dtype = (tsr_dtype)77))
MAKES(negative_dims, tsr_adafactor(w->ctx, 0.1, .min_dim_size_to_factor = -1))
MAKES(others_schedule, tsr_sgd(w->ctx, tsr_constant_schedule(w->other, 1)))
static tsr *poison_in_chain(world *w)
{
	const tsr_optimizer *bad = tsr_multi_steps(tsr_adam(w->ctx, 0.1), 0);

	tsr_clear(w->ctx);
	return WRONG(w, tsr_chain(w->ctx, bad)) ? NULL : w->a;
}

SCHEDULES(no_decay_steps, tsr_cosine_decay_schedule(w->ctx, 1, 0))
SCHEDULES(warm_too_long, tsr_warmup_cosine_decay_schedule(w->ctx, 0, 1, 10, 10))
SCHEDULES(warm_negative, tsr_warmup_cosine_decay_schedule(w->ctx, 0, 1, -1, 10))
SCHEDULES(negative_scale, tsr_piecewise_constant_schedule(w->ctx, 1, {3, -0.5}))
SCHEDULES(joins_null, tsr_join_schedules(w->ctx, {0, NULL}))
SCHEDULES(joins_others, tsr_join_schedules(w->ctx, {0, tsr_constant_schedule(w->other, 1)}))
SCHEDULES(joins_nothing, tsr_join_schedules_at(TSR_HERE, w->ctx, NULL, 0))
CASE(two_steps, tsr_call(tsr_linear_schedule(w->ctx, 0, 1, 9), 1, 2))

CASE(init_null, INIT(NULL, w->a))
CASE(no_params, none(tsr_optimizer_init(tsr_adam(w->ctx, 0.1), TSR_LEAVES(NULL, 0))))
CASE(whole_params, INIT(tsr_adam(w->ctx, 0.1), w->i))
CASE(others_params, INIT(tsr_adam(w->ctx, 0.1), w->elsewhere))
CASE(mask_of_two, INIT(tsr_adamw(w->ctx, 0.1, TSR_DECAYED(((bool[]){true, false}))), w->a))
CASE(zero_nowhere, INIT(tsr_adam(w->ctx, 0.1, .zero = "x"), w->a))
static tsr *zero_unknown(world *w)
{
	tsr *x = tsr_put(w->a, w->mesh, P("x"));

	return WRONG(w, INIT(tsr_adam(w->ctx, 0.1, .zero = "data"), x));
}
static tsr *zero_twice(world *w)
{
	tsr *x = tsr_put(w->a, w->mesh, P("x"));

	return WRONG(w, INIT(tsr_adam(w->ctx, 0.1, .zero = "y*y"), x));
}
static world *here;
static tsr *makes_state(tsr *x)
{
	const tsr *leaf = WRONG(here, INIT(tsr_adam(here->ctx, 0.1, .zero = "x"), x));

	return leaf ? x : tsr_poison(here->ctx);
}
static tsr *zero_in_a_body(world *w)
{
	here = w;
	return tsr_call(tsr_jit(w->ctx, makes_state), w->a);
}

#define STEP(opt, g, x, s, n) \
	as_handle(tsr_optimizer_update(opt, TSR_LEAVES(&(g), 1), TSR_LEAVES(&(x), 1), \
	                               TSR_LEAVES(s, n)))
CASE(no_state, STEP(tsr_sgd(w->ctx, 0.1, .momentum = 0.9), w->a, w->a, NULL, 0))
CASE(grads_of_other_dims, STEP(tsr_sgd(w->ctx, 0.1), w->b, w->a, NULL, 0))
CASE(two_grads, as_handle(tsr_optimizer_update(tsr_sgd(w->ctx, 0.1), TSR_LEAVES(&w->a, 2),
                                               TSR_LEAVES(&w->a, 1), TSR_LEAVES(NULL, 0))))
static tsr *vector_rate(tsr *step) { return tsr_mul(tsr_ones(step, TSR_DIMS(2)), step); }
static tsr *rate_is_a_vector(world *w)
{
	const tsr_optimizer *opt = tsr_sgd(w->ctx, tsr_jit(w->ctx, vector_rate));
	tsr *x = tsr_copy(w->a);
	tsr_tree state = tsr_optimizer_init(opt, TSR_LEAVES(&x, 1));

	return WRONG(w, as_handle(tsr_optimizer_update(opt, TSR_LEAVES(&w->a, 1),
	                                               TSR_LEAVES(&x, 1), state)));
}

static tsr *loss(tsr_tree params) { return tsr_sum(*params.leaf); }
static tsr *no_optimizer(world *w)
{
	return WRONG(w, tsr_train_step(w->ctx, loss, NULL)) ? NULL : w->a;
}
static tsr *state_of_another(world *w)
{
	tsr *x = tsr_copy(w->a);
	tsr_tree state = tsr_optimizer_init(tsr_adam(w->ctx, 0.1), TSR_LEAVES(&x, 1));
	tsr_fn *step = tsr_train_step(w->ctx, loss, tsr_lion(w->ctx, 0.1));

	return WRONG(w, tsr_train(step, TSR_LEAVES(&x, 1), state));
}
static tsr *too_few(world *w)
{
	tsr_fn *step = tsr_train_step(w->ctx, loss, tsr_sgd(w->ctx, 0.1));

	return WRONG(w, tsr_call(step, TSR_LEAVES(&w->a, 1)));
}

static const mistake table[] = {
	MISTAKE(no_steps, A, "multi_steps", "not in 1 to"),
	MISTAKE(chain_of_null, A, "chain: the optimizer is NULL"),
	MISTAKE(chain_of_others, A, "chain: the optimizer belongs to another context"),
	MISTAKE(poison_in_chain, H, "chain: the optimizer is poison"),
	MISTAKE(mask_alone, A, "adamw", ".mask_count", "TSR_DECAYED"),
	MISTAKE(whole_moments, A, "adam", "floating"),
	MISTAKE(no_dtype, A, "sgd", "dtype"),
	MISTAKE(negative_dims, A, "adafactor", ".min_dim_size_to_factor"),
	MISTAKE(others_schedule, A, "sgd: the schedule belongs to another context"),
	MISTAKE(no_decay_steps, A, "cosine_decay_schedule", "decay_steps"),
	MISTAKE(warm_too_long, A, "warmup_cosine_decay_schedule", "exceed warmup_steps"),
	MISTAKE(warm_negative, A, "warmup_cosine_decay_schedule", "warmup_steps is negative"),
	MISTAKE(negative_scale, A, "piecewise_constant_schedule", "negative"),
	MISTAKE(joins_null, A, "join_schedules", "NULL"),
	MISTAKE(joins_others, A, "join_schedules", "schedule 0", "another context"),
	MISTAKE(joins_nothing, A, "join_schedules", "no phases"),
	MISTAKE(two_steps, A, "linear_schedule takes one argument", "got 2"),
	MISTAKE(init_null, A, "optimizer_init: the optimizer is NULL"),
	MISTAKE(no_params, A, "optimizer_init", "no leaves"),
	MISTAKE(whole_params, TSR_ERROR_TYPE, "params", "i32[8]", "floating or complex"),
	MISTAKE(others_params, H, "optimizer_init", "another context"),
	MISTAKE(mask_of_two, A, ".mask of weight_decay", "2 leaves", "have 1"),
	MISTAKE(zero_nowhere, A, "optimizer_init: .zero", "mesh"),
	MISTAKE(zero_unknown, TSR_ERROR_SHARDING, ".zero = \"data\" of adam", "'x': 4"),
	MISTAKE(zero_twice, TSR_ERROR_SHARDING, ".zero = \"y*y\"", "twice"),
	MISTAKE(zero_in_a_body, TSR_ERROR_UNSUPPORTED, ".zero = \"x\" of adam", "outside"),
	MISTAKE(no_state, A, "state has 0 leaves", "it is 1", "tsr_optimizer_init"),
	MISTAKE(grads_of_other_dims, TSR_ERROR_TYPE, "gradient 0 is f32[16,4]", "f32[8,16]"),
	MISTAKE(two_grads, A, "2 gradients for 1 parameters"),
	MISTAKE(rate_is_a_vector, TSR_ERROR_TYPE, "vector_rate", "f32[2]", "scalar"),
	MISTAKE(no_optimizer, A, "train_step: the optimizer is NULL"),
	MISTAKE(state_of_another, A, "train_step: the state has 3 leaves", "it is 1"),
	MISTAKE(too_few, A, "train_step takes parameters, state", "1 argument"),
};

static void test_mistakes(void **state)
{
	(void)state;
	assert_int_equal(
		mistakes_check("test_optimizers.c", table, sizeof table / sizeof *table), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_mistakes)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
