/* test_random.c - arrays that are no keys, and arguments that samplers refuse. */
#include "support/mistakes.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#define D TSR_DIMS
#define KEY tsr_key(w->ctx, 1)

/* one mistake a line: a function of the world that makes one wrong call */
#define CASE(name, call) static tsr *name(world *w) { return WRONG(w, call); }

CASE(key_of_floats, tsr_normal(w->v, D(3)))
CASE(key_of_ints, tsr_fold_in(tsr_astype(KEY, TSR_I32), 1))
CASE(several_keys, tsr_uniform(tsr_split_keys(KEY, D(4)), D(3)))
CASE(split_of_several, tsr_split_keys(tsr_split_keys(KEY, D(4)), D(2)))
CASE(dims_not_given, tsr_random_bits(KEY, (tsr_dims){.d = {0}}))
CASE(dims_negative, tsr_normal(KEY, D(2, -3)))
CASE(bits_of_floats, tsr_random_bits(KEY, D(2), .dtype = TSR_F32))
CASE(bits_signed, tsr_random_bits(KEY, D(2), .dtype = TSR_I32))
CASE(uniform_ints, tsr_uniform(KEY, D(2), .dtype = TSR_I32))
CASE(uniform_complex, tsr_uniform(KEY, D(2), .dtype = TSR_C64))
CASE(geometric_complex, tsr_geometric(KEY, 0.5 + 0.0i))
CASE(binomial_complex, tsr_binomial(KEY, 3, tsr_full(w->ctx, D(2), 0.5, .dtype = TSR_C64)))
CASE(normal_ints, tsr_normal(KEY, D(2), .dtype = TSR_U8))
CASE(no_dtype, tsr_normal(KEY, D(2), .dtype = (tsr_dtype)77))
CASE(fold_in_float, tsr_fold_in(KEY, 1.5))
CASE(fold_in_floats, tsr_fold_in(KEY, tsr_scalar(w->ctx, 1.0)))
CASE(fold_in_several, tsr_fold_in(KEY, w->i))
CASE(whole_alone, tsr_normal(KEY, D(2), .whole = D(4)))
CASE(start_alone, tsr_normal(KEY, D(2), .start = tsr_slice(w->i, 0, 0, 1)))
CASE(start_short, tsr_normal(KEY, D(2, 2), .whole = D(4, 4), .start = tsr_slice(w->i, 0, 0, 1)))
CASE(start_of_floats, tsr_normal(KEY, D(2), .whole = D(4), .start = tsr_slice(w->v, 0, 0, 1)))
CASE(whole_of_other_dims, tsr_normal(KEY, D(2), .whole = D(4, 4),
                                     .start = tsr_slice(w->i, 0, 0, 2)))

CASE(uniform_other_dims, tsr_uniform(KEY, D(2, 3), .minval = TSR_ARG(w->v)))
CASE(truncated_other_dims, tsr_truncated_normal(KEY, w->v, 2, .dims = D(4)))
CASE(parameters_apart, tsr_weibull_min(KEY, w->v, tsr_zeros(w->ctx, D(5))))
CASE(more_than_dims, tsr_pareto(KEY, w->a, .dims = D(16)))
CASE(parameter_elsewhere, tsr_rayleigh(KEY, w->elsewhere))
CASE(randint_floats, tsr_randint(KEY, D(2), 0, 9, .dtype = TSR_F32))
CASE(bernoulli_ints, tsr_bernoulli(KEY, w->i))
CASE(categorical_ints, tsr_categorical(KEY, w->i))
CASE(categorical_scalar, tsr_categorical(KEY, tsr_scalar(w->ctx, 1.0)))
CASE(categorical_dims, tsr_categorical(KEY, w->a, .dims = D(7)))
CASE(permutation_scalar, tsr_permutation(KEY, tsr_scalar(w->ctx, 1.0)))
CASE(permutation_of_float, tsr_permutation(KEY, 2.5))
CASE(permutation_dim, tsr_permutation(KEY, w->a, .dim = D(2)))
CASE(permutation_huge, tsr_permutation(KEY, INT64_MAX))
CASE(choice_too_many, tsr_choice(KEY, 3, D(2, 2), .no_replace = true))
CASE(choice_of_none, tsr_choice(KEY, tsr_zeros(w->ctx, D(0, 2)), D(1)))
CASE(choice_of_zero, tsr_choice(KEY, 0, D(1)))
CASE(choice_weights, tsr_choice(KEY, w->v, D(2), .p = w->i))

CASE(seed_of_float, tsr_key(w->ctx, 1.5))
CASE(seed_of_several, tsr_key(w->ctx, w->i))
CASE(gamma_ints, tsr_random_gamma(KEY, 2, .dims = D(2), .dtype = TSR_I32))
CASE(gamma_other_dims, tsr_random_gamma(KEY, w->v, .dims = D(4)))
CASE(dirichlet_scalar, tsr_dirichlet(KEY, tsr_scalar(w->ctx, 1.0)))
CASE(dirichlet_dims, tsr_dirichlet(KEY, w->a, .dims = D(7)))
CASE(ball_negative, tsr_ball(KEY, -3))
CASE(ball_norms, tsr_ball(KEY, 3, .p = TSR_ARG(w->v)))
CASE(too_many_dims, tsr_ball(KEY, 3, .dims = D(1, 1, 1, 1, 1, 1, 1, 1)))
CASE(poisson_floats, tsr_poisson(KEY, 3, .dtype = TSR_F32))
CASE(binomial_ints, tsr_binomial(KEY, 3, 0.5, .dtype = TSR_I32))
CASE(multinomial_scalar, tsr_multinomial(KEY, 3, tsr_scalar(w->ctx, 1.0)))
CASE(multinomial_dims, tsr_multinomial(KEY, w->i, w->v))
CASE(orthogonal_ints, tsr_orthogonal(KEY, 3, .dtype = TSR_I32))
CASE(covariance_vector, tsr_multivariate_normal(KEY, w->v, w->v))
CASE(covariance_scalar_mean, tsr_multivariate_normal(KEY, tsr_scalar(w->ctx, 1.0), w->a))
CASE(covariance_dims, tsr_multivariate_normal(KEY, tsr_zeros(w->ctx, D(3, 2)), tsr_eye(w->ctx, 2),
                                              .dims = D(4)))
CASE(covariance_factor, tsr_multivariate_normal(KEY, tsr_zeros(w->ctx, D(2)), tsr_eye(w->ctx, 2),
                                                .factor = 7))
CASE(categories_too_many, tsr_categorical(KEY, w->v, .dims = D(7), .no_replace = true))

static tsr *split_key_of_floats(world *w)
{
	tsr *key[2];
	const bool done = WRONG(w, tsr_split_key(w->v, key, 2));
	return done ? w->a : key[1];
}

static const mistake table[] = {
	MISTAKE(key_of_floats, TSR_ERROR_TYPE, "normal", "u32[2]", "f32[6]", "tsr_key()"),
	MISTAKE(key_of_ints, TSR_ERROR_TYPE, "fold_in", "u32[2]", "i32[2]"),
	MISTAKE(several_keys, TSR_ERROR_TYPE, "uniform", "one key", "u32[4,2]", "tsr_vmap()"),
	MISTAKE(split_of_several, TSR_ERROR_TYPE, "split_keys", "one key", "tsr_vmap()"),
	MISTAKE(split_key_of_floats, TSR_ERROR_TYPE, "split_key", "u32[2]", "f32[6]"),
	MISTAKE(dims_not_given, TSR_ERROR_ARGUMENT, "random_bits", "dims"),
	MISTAKE(dims_negative, TSR_ERROR_ARGUMENT, "normal", "-3"),
	MISTAKE(bits_of_floats, TSR_ERROR_ARGUMENT, "random_bits", ".dtype", "u32", "f32"),
	MISTAKE(bits_signed, TSR_ERROR_ARGUMENT, "random_bits", ".dtype", "i32"),
	MISTAKE(uniform_ints, TSR_ERROR_ARGUMENT, "uniform", "float dtype", "i32"),
	MISTAKE(uniform_complex, TSR_ERROR_ARGUMENT, "uniform", "float dtype", "c64"),
	MISTAKE(geometric_complex, TSR_ERROR_TYPE, "geometric", "must be real"),
	MISTAKE(binomial_complex, TSR_ERROR_TYPE, "binomial", "must be real"),
	MISTAKE(normal_ints, TSR_ERROR_ARGUMENT, "normal", "float or complex", "u8"),
	MISTAKE(no_dtype, TSR_ERROR_ARGUMENT, "normal", "77"),
	MISTAKE(fold_in_float, TSR_ERROR_TYPE, "fold_in", "integer"),
	MISTAKE(fold_in_floats, TSR_ERROR_TYPE, "fold_in", "integer", "f32[]"),
	MISTAKE(fold_in_several, TSR_ERROR_TYPE, "fold_in", "integer", "i32[8]", "tsr_vmap()"),
	MISTAKE(whole_alone, TSR_ERROR_ARGUMENT, "normal", ".whole", ".start"),
	MISTAKE(start_alone, TSR_ERROR_ARGUMENT, "normal", ".start", ".whole"),
	MISTAKE(start_short, TSR_ERROR_TYPE, "normal", ".start", "2 dims", "i32[1]"),
	MISTAKE(start_of_floats, TSR_ERROR_TYPE, "normal", ".start", "f32[1]"),
	MISTAKE(uniform_other_dims, TSR_ERROR_TYPE, "uniform", "f32[6]"),
	MISTAKE(truncated_other_dims, TSR_ERROR_TYPE, "truncated_normal", "f32[6]"),
	MISTAKE(parameters_apart, TSR_ERROR_TYPE, "weibull_min", "f32[5]"),
	MISTAKE(more_than_dims, TSR_ERROR_TYPE, "pareto", "dims"),
	MISTAKE(parameter_elsewhere, TSR_ERROR_HANDLE, "rayleigh", "context"),
	MISTAKE(randint_floats, TSR_ERROR_ARGUMENT, "randint", "integer", "f32"),
	MISTAKE(bernoulli_ints, TSR_ERROR_ARGUMENT, "bernoulli", "float", "i32"),
	MISTAKE(categorical_ints, TSR_ERROR_ARGUMENT, "categorical", "float", "i32"),
	MISTAKE(categorical_scalar, TSR_ERROR_ARGUMENT, "categorical", "0 dims"),
	MISTAKE(categorical_dims, TSR_ERROR_TYPE, "categorical", ".dims"),
	MISTAKE(permutation_scalar, TSR_ERROR_TYPE, "permutation", "dims"),
	MISTAKE(permutation_of_float, TSR_ERROR_TYPE, "permutation", "array"),
	MISTAKE(permutation_dim, TSR_ERROR_ARGUMENT, "permutation", "2"),
	MISTAKE(permutation_huge, TSR_ERROR_ARGUMENT, "permutation", "9223372036854775807"),
	MISTAKE(choice_too_many, TSR_ERROR_ARGUMENT, "choice", "4", "3", ".no_replace"),
	MISTAKE(choice_of_none, TSR_ERROR_ARGUMENT, "choice", "f32[0,2]"),
	MISTAKE(choice_of_zero, TSR_ERROR_ARGUMENT, "choice", "2^31"),
	MISTAKE(choice_weights, TSR_ERROR_TYPE, "choice", ".p", "6"),
	MISTAKE(seed_of_float, TSR_ERROR_TYPE, "key", "integer"),
	MISTAKE(seed_of_several, TSR_ERROR_TYPE, "key", "i32[8]", "tsr_vmap()"),
	MISTAKE(gamma_ints, TSR_ERROR_ARGUMENT, "random_gamma", "float", "i32"),
	MISTAKE(gamma_other_dims, TSR_ERROR_TYPE, "random_gamma", "f32[6]"),
	MISTAKE(dirichlet_scalar, TSR_ERROR_TYPE, "dirichlet", "alpha", "f32[]"),
	MISTAKE(dirichlet_dims, TSR_ERROR_TYPE, "dirichlet"),
	MISTAKE(ball_negative, TSR_ERROR_ARGUMENT, "ball", "-3"),
	MISTAKE(ball_norms, TSR_ERROR_TYPE, "ball", ".p", "f32[6]"),
	MISTAKE(too_many_dims, TSR_ERROR_UNSUPPORTED, "ball", "7 dims", "8"),
	MISTAKE(poisson_floats, TSR_ERROR_ARGUMENT, "poisson", "integer", "f32"),
	MISTAKE(binomial_ints, TSR_ERROR_ARGUMENT, "binomial", "float", "i32"),
	MISTAKE(multinomial_scalar, TSR_ERROR_TYPE, "multinomial", "p must have dims", "f32[]"),
	MISTAKE(multinomial_dims, TSR_ERROR_TYPE, "multinomial", "dims"),
	MISTAKE(orthogonal_ints, TSR_ERROR_ARGUMENT, "orthogonal", "i32"),
	MISTAKE(covariance_vector, TSR_ERROR_TYPE, "multivariate_normal", "cov", "f32[6]"),
	MISTAKE(covariance_scalar_mean, TSR_ERROR_TYPE, "multivariate_normal", "mean", "f32[]"),
	MISTAKE(covariance_dims, TSR_ERROR_TYPE, "multivariate_normal", "leading dims"),
	MISTAKE(covariance_factor, TSR_ERROR_ARGUMENT, "multivariate_normal", ".factor"),
	MISTAKE(categories_too_many, TSR_ERROR_ARGUMENT, "categorical", "7", "6", ".no_replace"),
	MISTAKE(whole_of_other_dims, TSR_ERROR_TYPE, "normal", ".whole", "1 dims"),
};

static void test_mistakes(void **state)
{
	(void)state;
	assert_int_equal(mistakes_check("test_random.c", table, sizeof table / sizeof *table), 0);
}

static void older_form(void **state)
{
	tsr_ctx *old = tsr_open(.threefry_original = true);
	tsr *key = tsr_key(old, 1), *start = tsr_zeros(old, D(1), .dtype = TSR_I32);

	(void)state;
	assert_true(tsr_is_poison(tsr_normal(key, D(2), .whole = D(4), .start = start)));
	assert_int_equal(tsr_status(old), TSR_ERROR_UNSUPPORTED);
	assert_non_null(strstr(tsr_message(old), ".threefry_original"));
	tsr_clear(old);
	assert_int_equal(tsr_close(old), TSR_OK);
}

/* what only the operations of a draw can find names the call behind its own words */
static void mistakes_inside(void **state)
{
	tsr_ctx *ctx = tsr_open();

	(void)state;
	assert_true(tsr_is_poison(tsr_maxwell(tsr_key(ctx, 1), D(1, 1, 1, 1, 1, 1, 1, 1))));
	assert_int_equal(tsr_status(ctx), TSR_ERROR_UNSUPPORTED);
	assert_non_null(strstr(tsr_message(ctx), "called at"));
	tsr_clear(ctx);
	assert_true(tsr_is_poison(tsr_orthogonal(tsr_key(ctx, 1), 3, .dtype = TSR_F16)));
	assert_int_equal(tsr_status(ctx), TSR_ERROR_TYPE);
	assert_non_null(strstr(tsr_message(ctx), "f16"));
	tsr_clear(ctx);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_mistakes),
	                                   cmocka_unit_test(older_form),
	                                   cmocka_unit_test(mistakes_inside)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
