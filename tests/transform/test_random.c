/* test_random.c - random numbers under transformations: derivatives by the parameters of samplers,
 * with the drawn numbers as constants, and loops that carry a key. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <tsr/tsr.h>
#define D TSR_DIMS

static tsr *scaled_normals(tsr *scale, tsr *key)
{
	return tsr_sum(tsr_mul(tsr_normal(key, D(5)), scale));
}

static tsr *sum_up_to(tsr *high, tsr *key)
{
	tsr *y = tsr_uniform(key, D(5), .minval = TSR_ARG(-1), .maxval = TSR_ARG(high));
	return tsr_sum(y);
}

static tsr *truncated_from(tsr *low, tsr *key)
{
	return tsr_sum(tsr_truncated_normal(key, low, 2, .dims = D(5)));
}

static tsr *gammas(tsr *a, tsr *key) { return tsr_sum(tsr_random_gamma(key, a, .dims = D(5))); }
static tsr *log_gammas(tsr *a, tsr *key)
{
	return tsr_sum(tsr_random_loggamma(key, a, .dims = D(5)));
}
static tsr *betas(tsr *a, tsr *key) { return tsr_sum(tsr_random_beta(key, a, 2, .dims = D(5))); }
static tsr *students(tsr *a, tsr *key) { return tsr_sum(tsr_random_t(key, a, .dims = D(5))); }
static tsr *correlated(tsr *a, tsr *key)
{
	tsr *each = tsr_add(tsr_arange(key, 2, .dtype = TSR_F32), 1);
	tsr *cov = tsr_mul(tsr_mul(tsr_eye(key, 2), each), a);
	return tsr_sum(tsr_multivariate_normal(key, tsr_sub(2, each), cov));
}
/* how often something happens does not change with the chance */
static tsr *counts(tsr *a, tsr *key)
{
	tsr *few = tsr_astype(tsr_poisson(key, a, .dims = D(5)), TSR_F32);
	return tsr_sum(tsr_add(few, tsr_binomial(key, 9, tsr_div(a, 4), .dims = D(5))));
}

/* jax.grad of the same, at 2.0 and key(3) */
static const struct {
	tsr *(*f)(tsr *, tsr *);
	double at, slope;
} slopes[] = {
	{scaled_normals, 2.0, 1.8586645126342773},
	{sum_up_to, 2.0, 2.9151527881622314},
	{truncated_from, -1.0, 1.6275538206100464},
	{gammas, 2.5, 3.967176914215088},
	{gammas, 0.4, 3.6895713806152344},
	{log_gammas, 0.4, 32.126434326171875},
	{betas, 1.5, 0.8581218123435974},
	{students, 3.0, -0.006539702415466309},
	{correlated, 2.0, 0.25836145877838135},
	{counts, 2.0, 0},
};

static void slopes_by_parameters(void **state)
{
	tsr_ctx *ctx = tsr_open();

	(void)state;
	for (size_t i = 0; i < sizeof slopes / sizeof *slopes; i++) {
		tsr_fn *f = tsr_jit(ctx, tsr_grad(ctx, slopes[i].f));
		tsr *slope = tsr_call(f, tsr_scalar(ctx, slopes[i].at), tsr_key(ctx, 3));
		const double got = tsr_item(slope);
		const double error = got - slopes[i].slope;
		const double most = 2e-6 * fmax(1, fabs(slopes[i].slope));
		if (!(fabs(error) < most)) fail_msg("slope %zu is %.9g", i, got);
	}
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* a walk whose steps have keys of their own, made in the loop */
static tsr *step(tsr *i, tsr *at)
{
	return tsr_add(at, tsr_normal(tsr_fold_in(tsr_key(at, 8), i), D(3)));
}

static tsr *walked(tsr *start) { return tsr_fori(0, 4, step, start); }

static void keys_in_loops(void **state)
{
	tsr_ctx *ctx = tsr_open();
	tsr *sum = tsr_zeros(ctx, D(3)), *got = tsr_call(tsr_jit(ctx, walked), sum);

	(void)state;
	for (int i = 0; i < 4; i++)
		sum = tsr_add(sum, tsr_normal(tsr_fold_in(tsr_key(ctx, 8), i), D(3)));
	assert_true(tsr_array_equal(got, sum));
	assert_true(tsr_array_equal(walked(tsr_zeros(ctx, D(3))), sum));
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(slopes_by_parameters),
		cmocka_unit_test(keys_in_loops),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
