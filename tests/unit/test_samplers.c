/* test_samplers.c - samplers with a varying number of trials, samplers made of gamma numbers or of
 * matrices, and samplers with twice as many bits: as jax.random has them with key(12345). */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <tsr/tsr.h>
#define D TSR_DIMS
#define FLOATS(dims, ...) tsr_from(tsr_ctx_of(k), ((float[]){__VA_ARGS__}), TSR_F32, dims)
#define COVARIANCE FLOATS(D(2, 2), 2, 0.5f, 0.5f, 1)
#define SHARES FLOATS(D(3), 0.125f, 0.25f, 0.625f)
#define LOGITS FLOATS(D(4), 0, 1, 2, 0.5f)

#define DRAW(name, call) \
	static tsr *name(tsr *k) { return call; }
/* clang-format off */
DRAW(gamma_large, tsr_random_gamma(k, 2.5, .dims = D(6)))
DRAW(gamma_small, tsr_random_gamma(k, 0.25, .dims = D(6)))
DRAW(gamma_each, tsr_random_gamma(k, FLOATS(D(6), 0.1f, 0.7f, 1, 3, 20, 500)))
DRAW(loggamma, tsr_random_loggamma(k, 0.125, .dims = D(6)))
DRAW(beta, tsr_random_beta(k, 2, 0.5, .dims = D(6)))
DRAW(dirichlet, tsr_dirichlet(k, FLOATS(D(3), 0.5f, 1, 4), .dims = D(2)))
DRAW(chisquare, tsr_chisquare(k, 3, .dims = D(6)))
DRAW(student, tsr_random_t(k, 4, .dims = D(6)))
DRAW(fisher, tsr_random_f(k, 3, 5, .dims = D(6)))
DRAW(generalized, tsr_generalized_normal(k, 1.5, .dims = D(6)))
DRAW(ball, tsr_ball(k, 3, .dims = D(2)))
DRAW(ball_1, tsr_ball(k, 2, .p = TSR_ARG(1), .dims = D(3)))
DRAW(orthogonal, tsr_orthogonal(k, 2, .m = 3))
DRAW(tall, tsr_orthogonal(k, 3, .m = 2))
DRAW(correlated, tsr_multivariate_normal(k, FLOATS(D(2), 1, -2), COVARIANCE, .dims = D(3)))
DRAW(geometric, tsr_geometric(k, FLOATS(D(6), 0.5f, 0.3f, 0.1f, 0.05f, 0.01f, 0.9f)))
DRAW(geometric_f64, tsr_geometric(k, tsr_div(FLOATS(D(6), 50, 30, 10, 5, 1, 90),
     tsr_full(tsr_ctx_of(k), D(6), 100, .dtype = TSR_F64))))
DRAW(poisson_few, tsr_poisson(k, 3, .dims = D(6)))
DRAW(poisson_many, tsr_poisson(k, FLOATS(D(6), 0, 9, 11, 40, 200, -1)))
DRAW(binomial_few, tsr_binomial(k, 10, 0.3, .dims = D(6)))
DRAW(binomial_many, tsr_binomial(k, FLOATS(D(6), 100, 30, 1000, 7, -1, 50),
     FLOATS(D(6), 0.5f, 0.9f, 0.25f, 0, 0.5f, 1.5f)))
DRAW(multinomial, tsr_multinomial(k, FLOATS(D(2), 10, 100), SHARES, .dims = D(2)))
DRAW(once, tsr_categorical(k, LOGITS, .dims = D(4), .no_replace = true))
DRAW(fine_categories, tsr_categorical(k, LOGITS, .dims = D(6), .high = true))
DRAW(fine_gumbel, tsr_gumbel(k, D(6), .high = true))
DRAW(fine_coins, tsr_bernoulli(k, 0.4, .dims = D(6), .high = true))
DRAW(fine_choice, tsr_choice(k, 3, D(3), .p = SHARES, .no_replace = true, .high = true))
DRAW(gamma_bf16, tsr_random_gamma(k, 2.5, .dims = D(6), .dtype = TSR_BF16))
DRAW(gamma_f16, tsr_random_gamma(k, 0.75, .dims = D(6), .dtype = TSR_F16))

/* near: to six digits, otherwise equal */
typedef struct record {
	tsr *(*draw)(tsr *);
	bool near;
	double y[9];
} record;
static const record known[] = {
	{gamma_large, true,
	 {1.16927946, 2.71409631, 1.94472134, 0.583090067, 0.876861393, 1.85463321}},
	{gamma_small, true,
	 {0.0831652656, 0.0474356189, 0.0199723039,
	  0.0718519613, 0.144435257, 0.0811058655}},
	{gamma_each, true,
	 {0.007706773, 0.556775331, 0.547057331,
	  0.840602338, 14.9966431, 494.697052}},
	{loggamma, true,
	 {-4.11670446, -6.4717164, -7.73176432,
	  -3.25104642, -2.55214262, -4.86033916}},
	{beta, true,
	 {0.880477071, 0.890039861, 0.0691908151,
	  0.429954469, 0.663834751, 0.17161189}},
	{dirichlet, true,
	 {0.0526117012, 0.214712143, 0.732676148,
	  0.0419799313, 0.0284503717, 0.929569721}},
	{chisquare, true,
	 {0.971595049, 3.15907669, 2.01181769,
	  0.322570443, 0.626843691, 1.88387203}},
	{student, true,
	 {1.58729053, -0.207362384, 0.437947124,
	  0.382747978, 0.217933625, 0.9410972}},
	{fisher, true, {2.13578176, 0.3873128, 16.9271927, 1.92928898, 0.89623028, 7.03284597}},
	{generalized, true,
	 {-0.383044988, -0.343227327, -0.134344772,
	  -0.135684848, -0.423579067, 0.157758564}},
	{ball, true,
	 {0.623224735, 0.550465763, 0.0602504387,
	  0.543171644, 0.542003036, 0.162815988}},
	{ball_1, true,
	 {0.556095779, 0.222146377, 0.165024102,
	  0.584428191, 0.215182707, 0.398544312}},
	{orthogonal, true,
	 {-0.479000092, 0.39950797, -0.781634271,
	  0.681913316, -0.391363889, -0.617922723}},
	{tall, true,
	 {-0.479000092, 0.681913316, 0.39950797,
	  -0.391363889, -0.781634271, -0.617922723}},
	{correlated, true,
	 {0.345966756, -1.28463435, 1.5454936,
	  -2.39174867, -0.0672540665, -2.83180141}},
	{geometric, false, {2, 1, 5, 25, 149, 1}},
	{geometric_f64, false, {2, 5, 17, 36, 263, 1}},
	{poisson_few, false, {3, 1, 3, 1, 5, 1}},
	{poisson_many, false, {0, 9, 15, 50, 218, -1}},
	{binomial_few, false, {4, 1, 4, 3, 5, 3}},
	{binomial_many, false, {48, 29, 267, 0, NAN, NAN}},
	{multinomial, false, {2, 3, 5, 6, 31, 63}},
	{once, false, {2, 1, 3, 0}},
	{fine_categories, false, {2, 2, 2, 1, 3, 3}},
	{fine_gumbel, true,
	 {0.945671201, -0.559784174, -0.0490255579,
	  1.08731258, 1.36577213, 1.14343429}},
	{fine_coins, false, {1, 0, 0, 1, 1, 1}},
	{fine_choice, false, {2, 0, 1}},
	{gamma_bf16, false, {1.578125, 0.75390625, 5.84375, 3.9375, 3.9375, 2.5}},
	{gamma_f16, false,
	 {0.1875, 0.473876953125, 0.5166015625,
	  2.314453125, 0.2225341796875, 0.0022907257080078125}},
};

/* with jax_threefry_partitionable=False; in f16 as of its _gamma_one, since fusion rounds less */
static const record older[] = {
	{gamma_large, true,
	 {0.785633624, 0.849455774, 2.2834599,
	  3.02017879, 1.36253333, 1.12368476}},
	{gamma_small, true,
	 {9.42105949e-10, 0.0326949991, 0.00473899255,
	  3.75098992e-08, 1.85254606e-07, 0.00264532096}},
	{gamma_each, true,
	 {2.82815697e-22, 0.213438749, 0.732369065,
	  3.60308456, 16.9925632, 480.513947}},
	{loggamma, true,
	 {-40.0657387, -5.47104263, -10.8377724,
	  -34.7188148, -30.3814945, -10.9505215}},
	{beta, true,
	 {0.949456632, 0.777448297, 0.929590106,
	  0.898080587, 0.656621158, 0.990987957}},
	{dirichlet, true,
	 {5.17108401e-06, 0.023516601, 0.976478219,
	  0.00011411617, 0.108158879, 0.89172703}},
	{chisquare, true,
	 {0.52703172, 0.596418798, 2.50583267,
	  3.63774753, 1.21619368, 0.915664256}},
	{student, true,
	 {-1.87512982, 0.444075733, 0.986649811,
	  -2.08031917, -0.259130985, 1.20014477}},
	{fisher, true,
	 {0.640348673, 0.966517389, 0.952272236,
	  0.446249783, 0.730712235, 1.68352985}},
	{generalized, true,
	 {0.511157215, -1.56883848, 0.142784253,
	  1.30778539, -0.463558525, -1.36970377}},
	{ball, true,
	 {0.131186724, 0.0640413836, 0.905287564,
	  -0.706190944, 0.0508515239, -0.614178121}},
	{poisson_few, false, {3, 5, 2, 3, 2, 2}},
	{binomial_few, false, {1, 2, 4, 1, 3, 2}},
	{gamma_bf16, false, {1.3046875, 2.0625, 1.7890625, 1.8125, 2.546875, 4.59375}},
	{gamma_f16, false,
	 {0.0582275390625, 1.6787109375, 0.418212890625,
	  0.2406005859375, 0.87646484375, 0.1944580078125}},
};
/* clang-format on */
enum { KNOWN = sizeof known / sizeof *known, OLDER = sizeof older / sizeof *older };

static bool same(double got, double want, bool near)
{
	if (isnan(want)) return isnan(got);
	return near ? fabs(got - want) <= 2e-6 * (1 + fabs(want)) : got == want;
}

static void same_numbers(tsr *y, const record *want, int i, const char *how)
{
	double got[9] = {0};

	assert_in_range(tsr_size(y), 3, 9);
	if (!tsr_read_into(y, got, .dtype = TSR_F64))
		fail_msg("%d, %s: %s", i, how, tsr_message(tsr_ctx_of(y)));
	for (int64_t k = 0; k < tsr_size(y); k++)
		if (!same(got[k], want->y[k], want->near))
			fail_msg("%d, %s: number %d is %.9g, not %.9g", i, how, (int)k, got[k],
			         want->y[k]);
}

/* outside of bodies, and in one */
static void are_numbers(tsr_ctx *ctx, const record *of, int n, const char *how)
{
	for (int i = 0; i < n; i++) {
		TSR_SCOPE(ctx);
		tsr *key = tsr_key(ctx, 12345);
		same_numbers(of[i].draw(key), &of[i], i, how);
		tsr_fn *f = tsr_jit(ctx, of[i].draw);
		for (int again = 0; again < 3; again++)
			same_numbers(tsr_call(f, key), &of[i], i, how);
	}
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* interpreted, and compiled if this can be */
static void numbers_are_those_of_jax(void **state)
{
	(void)state;
	are_numbers(tsr_open(.engine = "interp"), known, KNOWN, "interpreted");
	are_numbers(tsr_open(), known, KNOWN, "compiled");
}

static void those_of_older_jax(void **state)
{
	(void)state;
	are_numbers(tsr_open(.threefry_original = true), older, OLDER, "the older form");
}

/* seeds that are arrays, also traced: JAX's words of seeds with 32 and with 64 bits */
static tsr *key_of(tsr *seed) { return tsr_key(seed, seed); }

static void seeds(void **state)
{
	static const struct {
		tsr_dtype dtype;
		int64_t seed;
		uint32_t word[2];
	} of[] = {{TSR_I32, -1, {0, 0xffffffff}},
	          {TSR_I8, -1, {0, 0xffffffff}},
	          {TSR_I64, -5, {0xffffffff, 0xfffffffb}},
	          {TSR_U64, INT64_MIN, {0x80000000, 0}},
	          {TSR_U32, 42, {0, 42}}};
	tsr_ctx *ctx = tsr_open();
	tsr_fn *traced = tsr_jit(ctx, key_of);

	(void)state;
	for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
		tsr *seed = tsr_astype(tsr_from(ctx, &of[i].seed, TSR_I64, D()), of[i].dtype);
		tsr *y[] = {key_of(seed), tsr_call(traced, seed)};
		for (int k = 0; k < 2; k++) {
			uint32_t got[2] = {0};
			assert_true(tsr_read(y[k], got, sizeof got));
			assert_memory_equal(got, of[i].word, sizeof got);
		}
	}
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* ---- where the parameter is at an end */

static double first_of(tsr *y)
{
	return tsr_item(tsr_astype(tsr_index(tsr_ravel(y), 0, 0), TSR_F64));
}

static void ends(void **state)
{
	tsr_ctx *ctx = tsr_open();
	tsr *k = tsr_key(ctx, 1);

	(void)state;
	assert_true(isnan(first_of(tsr_random_gamma(k, -1))));
	assert_true(isnan(first_of(tsr_random_gamma(k, NAN))));
	assert_true(first_of(tsr_random_gamma(k, 0)) == 0);
	assert_true(isinf(first_of(tsr_random_gamma(k, INFINITY))));
	assert_int_equal(tsr_size(tsr_random_gamma(k, 2, .dims = D(0, 3))), 0);
	assert_true(first_of(tsr_poisson(k, NAN)) == -1);
	assert_int_equal(tsr_size(tsr_poisson(k, 20, .dims = D(0))), 0);
	assert_true(isnan(first_of(tsr_binomial(k, NAN, 0.5))));
	assert_true(isnan(first_of(tsr_binomial(k, 5, NAN))));
	assert_true(isinf(first_of(tsr_binomial(k, INFINITY, 0))));
	assert_true(first_of(tsr_binomial(k, 50.75, 1)) == 50);
	assert_true(first_of(tsr_binomial(k, 0, 0.5)) == 0);
	assert_int_equal(tsr_status(ctx), TSR_OK);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* ---- F F^T is the covariance, whichever F is taken; and of orthogonal matrices Q^T Q is 1 */

static void matrices(void **state)
{
	tsr_ctx *ctx = tsr_open();
	tsr *k = tsr_key(ctx, 5), *mean = FLOATS(D(2), 0, 0), *y[3];

	(void)state;
	for (int i = 0; i < 3; i++) {
		y[i] = tsr_multivariate_normal(k, mean, COVARIANCE, .dims = D(20000), .factor = i);
		tsr *got = tsr_div(tsr_matmul(tsr_t(y[i]), y[i]), 20000);
		assert_true(tsr_allclose(got, COVARIANCE, 0, 0.06));
	}
	tsr *q = tsr_orthogonal(k, 5, .dims = D(3), .m = 2);
	tsr *one = tsr_broadcast_to(tsr_eye(ctx, 2), D(3, 2, 2));
	assert_true(tsr_allclose(tsr_matmul(tsr_matrix_transpose(q), q), one, 0, 1e-5));
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_those_of_jax),
		cmocka_unit_test(those_of_older_jax),
		cmocka_unit_test(seeds),
		cmocka_unit_test(ends),
		cmocka_unit_test(matrices),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
