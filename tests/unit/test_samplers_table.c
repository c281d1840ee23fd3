/* test_samplers_table.c - laws of all samplers: they end for any parameters; keys and parameters
 * may differ between devices; a part of an array has the numbers of the whole; a C number counts as
 * the f32 that it is. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <tsr/tsr.h>
#include <unistd.h>
#include "support/near.h"
#define D TSR_DIMS

/* what is asked of a sampler */
typedef struct wish {
	tsr_arg p[3];
	tsr_dtype dtype;
	tsr_dims dims, whole;
	tsr *start;
} wish;

#define DRAW(name, ...) \
	static tsr *name(tsr *k, const wish *w) { return (void)w, __VA_ARGS__; }
#define PLAIN(name) \
	DRAW(name, tsr_##name(k, w->dims, .dtype = w->dtype, .whole = w->whole, .start = w->start))
#define HOW &(tsr_sample_args){.size = sizeof(tsr_sample_args), .dtype = w->dtype, .dims = w->dims}
#define OF_1(name) DRAW(name, tsr_##name##_at(TSR_HERE, k, w->p[0], HOW))
#define OF_2(name) DRAW(name, tsr_##name##_at(TSR_HERE, k, w->p[0], w->p[1], HOW))
#define OF_3(name) DRAW(name, tsr_##name##_at(TSR_HERE, k, w->p[0], w->p[1], w->p[2], HOW))
PLAIN(random_bits)
PLAIN(uniform)
PLAIN(normal)
PLAIN(rademacher)
PLAIN(gumbel)
PLAIN(exponential)
PLAIN(laplace)
PLAIN(random_logistic)
PLAIN(cauchy)
PLAIN(maxwell)
DRAW(fine_gumbel, tsr_gumbel(k, w->dims, .dtype = w->dtype, .whole = w->whole, .start = w->start,
                             .high = true))
DRAW(between, tsr_uniform(k, w->dims, .dtype = w->dtype, .whole = w->whole, .start = w->start,
                          .minval = w->p[0], .maxval = w->p[1]))
DRAW(randint, tsr_randint_at(TSR_HERE, k, w->dims, w->p[0], w->p[1],
                             &(tsr_draw_args){.size = sizeof(tsr_draw_args), .dtype = w->dtype,
                                              .whole = w->whole, .start = w->start}))
#define COINS(high_) \
	&(tsr_bernoulli_args){.size = sizeof(tsr_bernoulli_args), .dims = w->dims, .high = high_}
DRAW(bernoulli, tsr_bernoulli_at(TSR_HERE, k, w->p[0], COINS(false)))
DRAW(fine_bernoulli, tsr_bernoulli_at(TSR_HERE, k, w->p[0], COINS(true)))
OF_1(geometric)
OF_1(poisson)
OF_1(pareto)
OF_1(rayleigh)
OF_1(lognormal)
OF_1(wald)
OF_1(random_gamma)
OF_1(random_loggamma)
OF_1(chisquare)
OF_1(random_t)
OF_1(generalized_normal)
OF_2(truncated_normal)
OF_2(binomial)
OF_2(weibull_min)
OF_2(double_sided_maxwell)
OF_2(random_beta)
OF_2(random_f)
OF_3(triangular)

/* those of vectors and matrices, whose parameter is an array: as many of its elements as they take,
 * along a last dim */
static tsr *vectors(const wish *w) { return tsr_reshape(w->p[0].as.one, D(-1, 3)); }
static tsr *one_vector(const wish *w) { return tsr_slice(w->p[0].as.one, 0, 0, 3); }
DRAW(multinomial, tsr_multinomial(k, 20, vectors(w), .dtype = w->dtype))
DRAW(of_many, tsr_multinomial(k, one_vector(w),
                              tsr_full(tsr_ctx_of(k), D(3, 2), 0.5), .dtype = w->dtype))
DRAW(categorical, tsr_categorical(k, vectors(w)))
DRAW(categories_once, tsr_categorical(k, vectors(w), .no_replace = true))
DRAW(dirichlet, tsr_dirichlet(k, vectors(w), .dtype = w->dtype))
DRAW(choice, tsr_choice(k, 3, D(5), .p = one_vector(w)))
DRAW(choice_once, tsr_choice(k, 3, D(2), .p = one_vector(w), .no_replace = true))
DRAW(permutation, tsr_permutation(k, w->p[0].as.one))
DRAW(permutation_of_number, tsr_permutation(k, 12))
DRAW(ball, tsr_ball(k, 3, .p = TSR_ARG(tsr_index(w->p[0].as.one, 0, 0)), .dtype = w->dtype,
                    .dims = D(2)))
DRAW(orthogonal, tsr_orthogonal(k, 3, .dtype = w->dtype, .dims = D(2)))
DRAW(multivariate_normal, tsr_multivariate_normal(k, vectors(w), tsr_eye(tsr_ctx_of(k), 3),
                                                  .dtype = w->dtype))
DRAW(uncertain, tsr_multivariate_normal(k, tsr_zeros(tsr_ctx_of(k), D(3)),
                                        tsr_mul(tsr_expand_dims(vectors(w), D(-1)),
                                                tsr_eye(tsr_ctx_of(k), 3)),
                                        .dtype = w->dtype, .factor = TSR_FACTOR_SVD))

typedef enum kind { BITS, WHOLE, FLOATS } kind; /* of the dtype that is asked for */
typedef struct sampler {
	const char *name;
	tsr *(*draw)(tsr *, const wish *);
	int n;     /* parameters; VECTORS: an array */
	kind kind;
	bool part; /* has .whole and .start */
	bool full; /* by linear algebra, which has no dtypes of 16 bits */
} sampler;
enum { VECTORS = 4 };
#define NAMED(name) #name, name
static const sampler samplers[] = {
	{NAMED(random_bits), 0, BITS, true, false},
	{NAMED(uniform), 0, FLOATS, true, false},
	{NAMED(normal), 0, FLOATS, true, false},
	{NAMED(rademacher), 0, WHOLE, true, false},
	{NAMED(gumbel), 0, FLOATS, true, false},
	{"gumbel", fine_gumbel, 0, FLOATS, true, false},
	{NAMED(exponential), 0, FLOATS, true, false},
	{NAMED(laplace), 0, FLOATS, true, false},
	{NAMED(random_logistic), 0, FLOATS, true, false},
	{NAMED(cauchy), 0, FLOATS, true, false},
	{NAMED(maxwell), 0, FLOATS, true, false},
	{"uniform", between, 2, FLOATS, true, false},
	{NAMED(randint), 2, WHOLE, true, false},
	{NAMED(bernoulli), 1, FLOATS, false, false},
	{"bernoulli", fine_bernoulli, 1, FLOATS, false, false},
	{NAMED(geometric), 1, WHOLE, false, false},
	{NAMED(poisson), 1, WHOLE, false, false},
	{NAMED(pareto), 1, FLOATS, false, false},
	{NAMED(rayleigh), 1, FLOATS, false, false},
	{NAMED(lognormal), 1, FLOATS, false, false},
	{NAMED(wald), 1, FLOATS, false, false},
	{NAMED(random_gamma), 1, FLOATS, false, false},
	{NAMED(random_loggamma), 1, FLOATS, false, false},
	{NAMED(chisquare), 1, FLOATS, false, false},
	{NAMED(random_t), 1, FLOATS, false, false},
	{NAMED(generalized_normal), 1, FLOATS, false, false},
	{NAMED(truncated_normal), 2, FLOATS, false, false},
	{NAMED(binomial), 2, FLOATS, false, false},
	{NAMED(weibull_min), 2, FLOATS, false, false},
	{NAMED(double_sided_maxwell), 2, FLOATS, false, false},
	{NAMED(random_beta), 2, FLOATS, false, false},
	{NAMED(random_f), 2, FLOATS, false, false},
	{NAMED(triangular), 3, FLOATS, false, false},
	{NAMED(multinomial), VECTORS, FLOATS, false, false},
	{"multinomial", of_many, VECTORS, FLOATS, false, false},
	{NAMED(categorical), VECTORS, FLOATS, false, false},
	{"categorical", categories_once, VECTORS, FLOATS, false, false},
	{NAMED(dirichlet), VECTORS, FLOATS, false, false},
	{NAMED(choice), VECTORS, FLOATS, false, false},
	{"choice", choice_once, VECTORS, FLOATS, false, false},
	{NAMED(permutation), VECTORS, FLOATS, false, false},
	{"permutation", permutation_of_number, 0, FLOATS, false, false},
	{NAMED(ball), VECTORS, FLOATS, false, false},
	{NAMED(orthogonal), 0, FLOATS, false, true},
	{NAMED(multivariate_normal), VECTORS, FLOATS, false, true},
	{"multivariate_normal", uncertain, VECTORS, FLOATS, false, true},
};
enum { SAMPLERS = sizeof samplers / sizeof *samplers };

static tsr_dtype dtype_of(const sampler *s, tsr_dtype own)
{
	return s->kind == BITS ? TSR_U32 : s->kind == WHOLE ? TSR_I32 : own;
}

static void is_listed(const char *name, size_t length)
{
	static const char *const others[] = {"key", "split_key", "split_keys", "fold_in"};

	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (strlen(others[i]) == length && !memcmp(name, others[i], length)) return;
	for (int i = 0; i < SAMPLERS; i++)
		if (strlen(samplers[i].name) == length && !memcmp(name, samplers[i].name, length))
			return;
	fail_msg("%.*s is not in the table of this test", (int)length, name);
}

/* the header has no sampler that the table lacks */
static void all_are_here(void **state)
{
	static char text[200000];
	FILE *f = fopen("include/tsr/random.h", "r");
	int found = 0;

	(void)state;
	assert_non_null(f);
	text[fread(text, 1, sizeof text - 1, f)] = 0;
	fclose(f);
	for (char *at = text; (at = strstr(at, " *tsr_")); found++) {
		at += strlen(" *tsr_");
		char *end = strstr(at, "_at(");
		assert_non_null(end);
		const size_t length = strspn(at, "abcdefghijklmnopqrstuvwxyz_0123456789");
		if (at + length == end + 3) is_listed(at, (size_t)(end - at));
	}
	assert_true(found > 30);
}

/* ---- whatever the parameters are, draws end */

static tsr_ctx *ctx;
static void ring(int number) { (void)number, tsr_cancel(ctx); }

/* numbers at the ends and thresholds of everything: as many as is a multiple of 3 */
static int hostile(double *x, double tiny, double least, double eps, double most)
{
	const double of[] = {0,   -0.0, least, -least,   tiny, 1,        1 - eps / 2, 1 + eps,
	                     0.5, 1e-3, -1,    -2 / 3.0, 0.01, 10,       11,          -most,
	                     3,   NAN,  1000,  most / 2, most, INFINITY, -INFINITY,   1 / 3.0};

	memcpy(x, of, sizeof of);
	return (int)(sizeof of / sizeof *of);
}

static const struct ends {
	tsr_dtype dtype;
	double tiny, least, eps, most;
} ends[] = {
	{TSR_F16, 0x1p-14, 0x1p-24, 0x1p-10, 65504},
	{TSR_BF16, 0x1p-126, 0x1p-133, 0x1p-7, 0x1.fep127},
	{TSR_F32, FLT_MIN, 0x1p-149, FLT_EPSILON, FLT_MAX},
	{TSR_F64, DBL_MIN, 0x1p-1074, DBL_EPSILON, DBL_MAX},
};

/* each number with each other one, along a dim for each parameter */
static wish each_with_each(const sampler *s, const struct ends *e)
{
	double x[64];
	const int n = hostile(x, e->tiny, e->least, e->eps, e->most);
	wish w = {.dtype = dtype_of(s, e->dtype)};
	tsr *all = tsr_astype(tsr_from(ctx, x, TSR_F64, D(n)), e->dtype);

	if (s->n == VECTORS) w.p[0] = TSR_ARG(all);
	for (int i = 0; s->n < VECTORS && i < s->n; i++) {
		tsr_dims dims = {.d = {1 + s->n}};
		for (int d = 0; d < s->n; d++) dims.d[1 + d] = d == i ? n : 1;
		w.p[i] = TSR_ARG(tsr_reshape(all, dims));
	}
	if (!s->n || s->part) w.dims = s->n ? D(n, n) : D(3, 2);
	return w;
}

static void they_end(void **state)
{
	(void)state;
	assert_true(signal(SIGALRM, ring) != SIG_ERR);
	ctx = tsr_open(.plugin_dir = PLUGIN_DIR);
	for (int i = 0; i < SAMPLERS; i++)
		for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
			TSR_SCOPE(ctx);
			if (samplers[i].full && k < 2) continue;
			const wish w = each_with_each(&samplers[i], &ends[k]);
			alarm(60);
			tsr *y = samplers[i].draw(tsr_key(ctx, 5), &w);
			if (!tsr_wait(y))
				fail_msg("%s, %s: %s", samplers[i].name,
				         tsr_dtype_name(ends[k].dtype), tsr_message(ctx));
		}
	alarm(0);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* ---- keys and parameters that differ between devices: each draws what it would draw alone */

typedef struct task {
	int of;
	bool parameters; /* these differ, and the key does not */
} task;

static wish harmless(const sampler *s, tsr_ctx *c, tsr *more)
{
	static const float shares[] = {.2f, .3f, .5f, .1f, .6f, .3f};
	wish w = {.dtype = dtype_of(s, TSR_F32), .dims = D(6)};

	for (int i = 0; i < 3 && s->n < VECTORS; i++)
		w.p[i] = TSR_ARG(tsr_add(tsr_full(c, D(6), 0.25 + 0.25 * i), more));
	if (s->n == VECTORS) w.p[0] = TSR_ARG(tsr_add(tsr_from(c, shares, TSR_F32, D(6)), more));
	return w;
}

static tsr *drawn(const task *t, tsr *key, tsr *device)
{
	const sampler *s = &samplers[t->of];
	tsr *none = tsr_mul(tsr_astype(device, TSR_F32), 0.0), *more = none;

	if (t->parameters) more = tsr_mul(tsr_astype(device, TSR_F32), 0.0625);
	else key = tsr_fold_in(key, device), more = tsr_scalar(tsr_ctx_of(key), 0.0);
	const wish w = harmless(s, tsr_ctx_of(key), more);
	return s->draw(key, &w);
}

static void on_each(tsr_frame *f)
{
	tsr *key = tsr_frame_arg(f, 0);

	tsr_return(f, drawn(tsr_frame_env(f), key, tsr_axis_index(key, "x")));
}

static void devices_differ(void **state)
{
	(void)state;
	ctx = tsr_open(.devices = 2, .plugin_dir = PLUGIN_DIR);
	tsr_mesh *m = tsr_mesh_make(ctx, {"x", 2});
	for (int i = 0; i < 2 * SAMPLERS; i++) {
		TSR_SCOPE(ctx);
		const task t = {i / 2, i % 2};
		if (t.parameters && !samplers[t.of].n) continue;
		tsr *key = tsr_key(ctx, 7), *own[2];
		tsr_fn *f = tsr_shard_map(m, on_each, .sig = "[] -> [x]", .env = &t,
		                          .env_size = sizeof t);
		tsr *got = tsr_call(f, key);
		if (tsr_is_poison(got)) fail_msg("%s: %s", samplers[t.of].name, tsr_message(ctx));
		for (int k = 0; k < 2; k++)
			own[k] = drawn(&t, key, tsr_scalar(ctx, k, .dtype = TSR_I32));
		SAME(got, tsr_concatenate(0, own[0], own[1]));
	}
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* ---- a part of an array has the numbers of the whole */

static void parts_of_a_whole(void **state)
{
	(void)state;
	ctx = tsr_open(.plugin_dir = PLUGIN_DIR);
	for (int i = 0; i < SAMPLERS; i++) {
		const sampler *s = &samplers[i];
		for (int pair = 0; s->part && pair < 1 + (s->draw == normal); pair++) {
			TSR_SCOPE(ctx);
			const tsr_dtype dtype = pair ? TSR_C64 : dtype_of(s, TSR_F32);
			wish w = {.dtype = dtype}, part = w;
			w.dims = part.whole = D(4, 6), part.dims = D(2, 3);
			for (int k = 0; k < s->n; k++) w.p[k] = part.p[k] = TSR_ARG(100 * k);
			part.start = tsr_from(ctx, ((const int32_t[]){1, 2}), TSR_I32, D(2));
			tsr *key = tsr_key(ctx, 3), *all = s->draw(key, &w);
			tsr *y = s->draw(key, &part);
			if (tsr_is_poison(y)) fail_msg("%s: %s", s->name, tsr_message(ctx));
			SAME(y, tsr_slice(tsr_slice(all, 0, 1, 3), 1, 2, 5));
		}
	}
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* ---- C numbers as parameters are f32, as jax.random takes them */

static void numbers_count_as_f32(void **state)
{
	(void)state;
	ctx = tsr_open(.plugin_dir = PLUGIN_DIR);
	for (int i = 0; i < SAMPLERS; i++) {
		TSR_SCOPE(ctx);
		const sampler *s = &samplers[i];
		if (!s->n || s->n == VECTORS || s->draw == randint) continue;
		wish c = {.dtype = dtype_of(s, TSR_F32), .dims = D(9)}, x = c;
		for (int k = 0; k < s->n; k++) {
			c.p[k] = TSR_ARG(0.3 + k * 0.3);
			x.p[k] = TSR_ARG(tsr_full(ctx, D(), 0.3 + k * 0.3, .dtype = TSR_F32));
		}
		SAME(s->draw(tsr_key(ctx, 5), &c), s->draw(tsr_key(ctx, 5), &x));
	}
	tsr *p = tsr_geometric(tsr_key(ctx, 5), 0.3, .dims = D(6));
	NEAR(p, 3, 1, 1, 7, 1, 2);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_are_here),
		cmocka_unit_test(they_end),
		cmocka_unit_test(devices_differ),
		cmocka_unit_test(parts_of_a_whole),
		cmocka_unit_test(numbers_count_as_f32),
	};

	return cmocka_run_group_tests_name("unit/samplers_table", tests, NULL, NULL);
}
