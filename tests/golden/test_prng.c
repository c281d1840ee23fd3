/* test_prng.c - random numbers against those of jax.random, in the form that JAX has today and in
 * the older one: bits, keys, integers, orders and choices exactly, and f32 of uniform, normal and
 * truncated normal numbers too, for they come from the same operations. */
#include "support/golden.h"
#include "support/recorded_bytes.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#define P TSR_P
#define D TSR_DIMS

/* ---- records whose name says what is drawn: dtype and dims, "uint8_3x5", "float32_seed42_64" */

static tsr_dtype dtype_named(const char *name)
{
	static const struct {
		const char *name;
		tsr_dtype dtype;
	} all[] = {{"uint8_", TSR_U8},   {"uint16_", TSR_U16},   {"uint32_", TSR_U32},
	           {"int8_", TSR_I8},    {"int16_", TSR_I16},    {"int32_", TSR_I32},
	           {"float32_", TSR_F32}, {"float16_", TSR_F16}, {"bfloat16_", TSR_BF16}};

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (!strncmp(name, all[i].name, strlen(all[i].name))) return all[i].dtype;
	fail_msg("no dtype in %s", name);
	return TSR_DTYPE_DEFAULT;
}

/* "3x5"; "scalar" has none */
static tsr_dims dims_named(const char *text)
{
	tsr_dims dims = TSR_DIMS();

	for (char *at; *text && *text != 's'; text = *at == 'x' ? at + 1 : at) {
		dims.d[dims.d[0]++] = strtoll(text, &at, 10);
		assert_ptr_not_equal(at, text);
	}
	return dims;
}

static tsr *bits(tsr *key, tsr_dims dims, tsr_dtype dtype)
{
	return tsr_random_bits(key, dims, .dtype = dtype);
}
static tsr *uniform(tsr *key, tsr_dims dims, tsr_dtype dtype)
{
	return tsr_uniform(key, dims, .dtype = dtype);
}
static tsr *normal(tsr *key, tsr_dims dims, tsr_dtype dtype)
{
	return tsr_normal(key, dims, .dtype = dtype);
}

static tsr *named(tsr_ctx *ctx, const char *name,
                  tsr *(*draw)(tsr *key, tsr_dims dims, tsr_dtype dtype))
{
	const char *what = strchr(name, '_') + 1;
	uint64_t seed = 0;

	if (!strncmp(what, "seed", 4)) {
		seed = strtoull(what + 4, NULL, 10);
		what = strchr(what, '_') + 1;
	}
	return draw(tsr_key(ctx, seed), dims_named(what), dtype_named(name));
}

/* "int16_-300_300", and with dims "int32_0_10_3x5" */
static tsr *randint_named(tsr_ctx *ctx, const char *name)
{
	char *at;
	const int64_t low = strtoll(strchr(name, '_') + 1, &at, 10);
	const int64_t high = strtoll(at + 1, &at, 10);
	const tsr_dims dims = *at == '_' ? dims_named(at + 1) : D(13);

	return tsr_randint(tsr_key(ctx, 0), dims, low, high, .dtype = dtype_named(name));
}

/* ---- the others, by the id of the example and their name */

static tsr *p_array(tsr_ctx *ctx)
{
	return tsr_from(ctx, (float[]){0, 0.2f, 0.5f, 0.8f, 1}, TSR_F32, D(5));
}
static tsr *weights(tsr_ctx *ctx)
{
	return tsr_from(ctx, (float[]){0.1f, 0.2f, 0.3f, 0.4f}, TSR_F32, D(4));
}
static tsr *ints(tsr_ctx *ctx, const int *x) { return tsr_from(ctx, x, TSR_I32, D(4)); }
static tsr *rows(tsr_ctx *ctx)
{
	tsr *x = golden_load(ctx, "prng.permutation", "rows");

	golden_equal(x, "prng.permutation_nonpartitionable", "rows");
	return x;
}
static tsr *logits(tsr_ctx *ctx)
{
	tsr *x = golden_load(ctx, "prng.categorical", "logits");

	golden_equal(x, "prng.categorical_nonpartitionable", "logits");
	return x;
}

#define K0 tsr_key(ctx, 0)
#define K42 tsr_key(ctx, 42)
#define DRAW(name, call) \
	static tsr *name(tsr_ctx *ctx) { return call; }
DRAW(between, tsr_uniform(K42, D(17), .minval = TSR_ARG(-2), .maxval = TSR_ARG(3)))
DRAW(above, tsr_uniform(K42, D(17), .minval = TSR_ARG(1e-3)))
DRAW(between16, tsr_uniform(K42, D(9), .dtype = TSR_BF16, .minval = TSR_ARG(-1)))
DRAW(randint_arrays, tsr_randint(K42, D(4), ints(ctx, (int[]){0, -3, 10, 100}),
                                 ints(ctx, (int[]){5, 3, 11, 1000})))
DRAW(range_1, tsr_permutation(K0, 1))
DRAW(range_2, tsr_permutation(K0, 2))
DRAW(range_5, tsr_permutation(K0, 5))
DRAW(range_8, tsr_permutation(K0, 8))
DRAW(range_13, tsr_permutation(K0, 13))
DRAW(range_100, tsr_permutation(K0, 100))
DRAW(rows_0, tsr_permutation(K0, rows(ctx)))
DRAW(rows_1, tsr_permutation(K0, rows(ctx), .dim = D(1)))
DRAW(rows_own, tsr_permutation(K0, rows(ctx), .independent = true))
DRAW(choose, tsr_choice(K0, 10, D(7)))
DRAW(choose_once, tsr_choice(K0, 10, D(7), .no_replace = true))
DRAW(choose_weighed, tsr_choice(K0, 4, D(9), .p = weights(ctx)))
DRAW(coin, tsr_bernoulli(K0, 0.5))
DRAW(coins, tsr_bernoulli(K0, 0.5, .dims = D(9)))
DRAW(unfair_coins, tsr_bernoulli(K0, 0.3, .dims = D(4, 5)))
DRAW(own_coins, tsr_bernoulli(K0, p_array(ctx)))
DRAW(signs, tsr_rademacher(K0, D(9)))
DRAW(gumbel, tsr_gumbel(K0, D(9)))
DRAW(gumbel16, tsr_gumbel(K0, D(9), .dtype = TSR_BF16))
DRAW(exponential, tsr_exponential(K0, D(9)))
DRAW(laplace, tsr_laplace(K0, D(9)))
DRAW(logistic, tsr_random_logistic(K0, D(9)))
DRAW(cauchy, tsr_cauchy(K0, D(9)))
DRAW(last_axis, tsr_categorical(K0, logits(ctx)))
DRAW(first_axis, tsr_categorical(K0, logits(ctx), .dim = D(0)))
DRAW(more, tsr_categorical(K0, logits(ctx), .dims = D(5, 2)))
DRAW(one_row, tsr_categorical(K42, tsr_index(logits(ctx), 0, 0), .dims = D(20)))
DRAW(from_m2_to_2, tsr_truncated_normal(K0, -2.0, 2.0, .dims = D(9)))
DRAW(from_m1_to_3, tsr_truncated_normal(K0, -1.0, 3.0, .dims = D(4, 5)))
DRAW(positive, tsr_truncated_normal(K0, 0.0, INFINITY, .dims = D(9)))
DRAW(truncated16, tsr_truncated_normal(K0, -2.0, 2.0, .dims = D(9), .dtype = TSR_BF16))
/* he_normal: times sqrt(2 / 6) / the deviation of what is drawn */
DRAW(he_normal, tsr_mul(tsr_truncated_normal(K0, -2.0, 2.0, .dims = D(6, 10)),
                        sqrtf(2.0f / 6) / 0.87962566103423978f))

DRAW(gamma_large, tsr_random_gamma(K0, 2.5, .dims = D(7)))
DRAW(gamma_small, tsr_random_gamma(K0, 0.3, .dims = D(7)))
DRAW(beta, tsr_random_beta(K0, 2, 3, .dims = D(7)))
DRAW(dirichlet, tsr_dirichlet(K0, tsr_add(tsr_arange(ctx, 3), 1), .dims = D(5)))
DRAW(poisson, tsr_poisson(K0, 3, .dims = D(9)))

static const struct {
	const char *name;
	tsr *(*draw)(tsr_ctx *);
} others[] = {
	{"float32_-2_3", between}, {"float32_1e-3_1", above}, {"bfloat16_-1_1", between16},
	{"int32_arrays", randint_arrays},
	{"range_1", range_1}, {"range_2", range_2}, {"range_5", range_5}, {"range_8", range_8},
	{"range_13", range_13}, {"range_100", range_100},
	{"rows_axis0", rows_0}, {"rows_axis1", rows_1}, {"rows_axis0_independent", rows_own},
	{"choice_replace", choose}, {"choice_noreplace", choose_once}, {"choice_p", choose_weighed},
	{"p0.5_scalar", coin}, {"p0.5_9", coins}, {"p0.3_4x5", unfair_coins},
	{"p_array", own_coins},
	{"rademacher_9", signs},
	{"gumbel_9", gumbel}, {"gumbel_bf16_9", gumbel16}, {"exponential_9", exponential},
	{"laplace_9", laplace}, {"logistic_9", logistic}, {"cauchy_9", cauchy},
	{"axis_last", last_axis}, {"axis0", first_axis}, {"shape_5x2", more},
	{"one_row_20", one_row},
	{"gamma_2.5_7", gamma_large}, {"gamma_0.3_7", gamma_small}, {"beta_7", beta},
	{"dirichlet_5", dirichlet}, {"poisson_3_9", poisson},
	{"m2_2_9", from_m2_to_2}, {"m1_3_4x5", from_m1_to_3}, {"0_inf_9", positive},
	{"bf16_m2_2_9", truncated16}, {"he_normal_6x10", he_normal},
};

static tsr *draw_named(tsr_ctx *ctx, const char *id, const char *name)
{
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (!strcmp(others[i].name, name)) return others[i].draw(ctx);
	if (strstr(id, "bits")) return named(ctx, name, bits);
	if (strstr(id, "uniform")) return named(ctx, name, uniform);
	if (strstr(id, "randint")) return randint_named(ctx, name);
	return named(ctx, name, normal);
}

/* ---- all of them */

static const struct {
	const char *id, *names;
} records[] = {
	{"prng.bernoulli",
	 "p0.5_scalar p0.5_9 p0.3_4x5 p_array rademacher_9"},
	{"prng.bernoulli_nonpartitionable",
	 "p0.5_scalar p0.5_9 p0.3_4x5 p_array rademacher_9"},
	{"prng.bits",
	 "uint32_scalar uint16_scalar uint8_scalar uint32_1 uint16_1 uint8_1 "
	 "uint32_2 uint16_2 uint8_2 uint32_5 uint16_5 uint8_5 uint32_8 uint16_8 "
	 "uint8_8 uint32_3x5 uint16_3x5 uint8_3x5 uint32_2x3x4 uint16_2x3x4 "
	 "uint8_2x3x4 uint32_7x9 uint16_7x9 uint8_7x9 uint32_0 uint16_0 uint8_0 "
	 "uint32_3x0 uint16_3x0 uint8_3x0 uint32_seed42_16"},
	{"prng.bits_nonpartitionable",
	 "uint32_1 uint16_1 uint8_1 uint32_2 uint16_2 uint8_2 uint32_5 uint16_5 "
	 "uint8_5 uint32_8 uint16_8 uint8_8 uint32_3x5 uint16_3x5 uint8_3x5 "
	 "uint32_2x3x4 uint16_2x3x4 uint8_2x3x4 uint32_7x9 uint16_7x9 uint8_7x9 "
	 "uint32_seed42_16"},
	{"prng.categorical",
	 "axis_last axis0 shape_5x2 one_row_20"},
	{"prng.categorical_nonpartitionable",
	 "axis_last axis0 shape_5x2 one_row_20"},
	{"prng.gamma", "gamma_2.5_7 gamma_0.3_7 beta_7 dirichlet_5 poisson_3_9"},
	{"prng.gumbel",
	 "gumbel_9 gumbel_bf16_9 exponential_9 laplace_9 logistic_9 cauchy_9"},
	{"prng.gumbel_nonpartitionable",
	 "gumbel_9 gumbel_bf16_9 exponential_9 laplace_9 logistic_9 cauchy_9"},
	{"prng.normal",
	 "float32_scalar float32_1 float32_2 float32_5 float32_8 float32_3x5 "
	 "float32_2x3x4 float32_7x9 float32_0 float32_3x0 bfloat16_5 bfloat16_8 "
	 "bfloat16_3x5 float16_5 float16_8 float16_3x5 float32_seed1_5 "
	 "float32_seed42_5 float32_seed42_64"},
	{"prng.normal_nonpartitionable",
	 "float32_1 float32_2 float32_5 float32_8 float32_3x5 float32_2x3x4 "
	 "float32_7x9 bfloat16_5 bfloat16_8 bfloat16_3x5 float16_5 float16_8 "
	 "float16_3x5 float32_seed1_5 float32_seed42_5"},
	{"prng.permutation",
	 "range_1 range_2 range_5 range_8 range_13 range_100 rows_axis0 "
	 "rows_axis1 rows_axis0_independent choice_replace choice_noreplace "
	 "choice_p"},
	{"prng.permutation_nonpartitionable",
	 "range_1 range_2 range_5 range_8 range_13 range_100 rows_axis0 "
	 "rows_axis1 rows_axis0_independent choice_replace choice_noreplace "
	 "choice_p"},
	{"prng.randint",
	 "int32_0_10 int32_-5_5 int32_0_2147483647 int32_-2147483648_2147483647 "
	 "int32_0_32000 int32_0_8 int32_3_3 int32_5_2 int32_0_1 uint32_0_10 "
	 "uint32_0_4294967295 uint8_0_10 uint8_0_255 uint8_0_256 int8_-128_127 "
	 "int8_-5_5 int16_-300_300 uint16_0_60000 int32_0_10_scalar int32_0_10_1 "
	 "int32_0_10_8 int32_0_10_3x5 int32_arrays"},
	{"prng.randint_nonpartitionable",
	 "int32_0_10 int32_-5_5 int32_0_2147483647 int32_-2147483648_2147483647 "
	 "int32_0_32000 int32_0_8 int32_3_3 int32_5_2 int32_0_1 uint32_0_10 "
	 "uint32_0_4294967295 uint8_0_10 uint8_0_255 uint8_0_256 int8_-128_127 "
	 "int8_-5_5 int16_-300_300 uint16_0_60000 int32_0_10_scalar int32_0_10_1 "
	 "int32_0_10_8 int32_0_10_3x5 int32_arrays"},
	{"prng.truncated_normal",
	 "m2_2_9 m1_3_4x5 0_inf_9 bf16_m2_2_9 he_normal_6x10"},
	{"prng.truncated_normal_nonpartitionable",
	 "m2_2_9 m1_3_4x5 0_inf_9 bf16_m2_2_9 he_normal_6x10"},
	{"prng.uniform",
	 "float32_scalar float32_1 float32_2 float32_5 float32_8 float32_3x5 "
	 "float32_2x3x4 float32_7x9 float32_0 float32_3x0 bfloat16_5 bfloat16_8 "
	 "bfloat16_3x5 float16_5 float16_8 float16_3x5 float32_-2_3 "
	 "float32_1e-3_1 bfloat16_-1_1"},
	{"prng.uniform_nonpartitionable",
	 "float32_1 float32_2 float32_5 float32_8 float32_3x5 float32_2x3x4 "
	 "float32_7x9 bfloat16_5 bfloat16_8 bfloat16_3x5 float16_5 float16_8 "
	 "float16_3x5 float32_-2_3 float32_1e-3_1 bfloat16_-1_1"},
};

/* f32 made of fused operations alone */
static bool exact(const char *id, const tsr *x)
{
	return tsr_dtype_of(x) == TSR_F32 && (strstr(id, "uniform") || strstr(id, "normal"));
}

static void same_draw(tsr_ctx *ctx, const char *id, const char *name)
{
	TSR_SCOPE(ctx);
	tsr *y = draw_named(ctx, id, name);

	golden_equal(y, id, name);
	if (exact(id, y) && strcmp(name, "he_normal_6x10") &&
	    !tsr_array_equal(y, golden_load(ctx, id, name)))
		fail_msg("%s %s: near, but not the same bits:\n%s", id, name, tsr_text(y));
}

static tsr_ctx *older(void) { return tsr_open(.devices = 8, .threefry_original = true); }

static void recorded(void **state)
{
	tsr_ctx *old = older();

	for (size_t i = 0; i < sizeof records / sizeof *records; i++) {
		char names[1024], *rest = names;
		assert_true(strlen(records[i].names) < sizeof names);
		strcpy(names, records[i].names);
		for (char *name; (name = strtok_r(rest, " ", &rest));)
			same_draw(strstr(records[i].id, "_nonp") ? old : *state, records[i].id,
			          name);
	}
	assert_int_equal(tsr_close(old), TSR_OK);
}

static void sampled(void **state)
{
	tsr_ctx *ctx = *state, *old = older();

	golden_sampled(tsr_random_bits(K0, D(300, 401)), "prng.bits",
	               "uint32_300x401.idx uint32_300x401.samples");
	golden_sampled(tsr_uniform(K0, D(1000, 1000)), "prng.uniform",
	               "float32_1000x1000.idx float32_1000x1000.samples");
	golden_sampled(tsr_normal(K0, D(1000, 1000)), "prng.normal",
	               "float32_1000x1000.idx float32_1000x1000.samples");
	golden_sampled(tsr_permutation(K0, 70000), "prng.permutation",
	               "range_70000.idx range_70000.samples");
	golden_sampled(tsr_random_bits(tsr_key(old, 0), D(300, 401)), "prng.bits_nonpartitionable",
	               "uint32_300x401.idx uint32_300x401.samples");
	golden_sampled(tsr_uniform(tsr_key(old, 0), D(1000, 1000)), "prng.uniform_nonpartitionable",
	               "float32_1000x1000.idx float32_1000x1000.samples");
	golden_sampled(tsr_normal(tsr_key(old, 0), D(1000, 1000)), "prng.normal_nonpartitionable",
	               "float32_1000x1000.idx float32_1000x1000.samples");
	golden_sampled(tsr_permutation(tsr_key(old, 0), 70000), "prng.permutation_nonpartitionable",
	               "range_70000.idx range_70000.samples");
	assert_int_equal(tsr_close(old), TSR_OK);
}

/* ---- keys */

static tsr *seeds(tsr_ctx *ctx)
{
	/* JAX without 64-bit types has the lower half of -1 */
	static const uint64_t seed[] = {0, 1, 42, UINT32_MAX, INT32_MAX, 0xdeadbeef};
	tsr *key[6];

	for (int i = 0; i < 6; i++) key[i] = tsr_key(ctx, seed[i]);
	return tsr_stack_list(0, key, 6);
}

static const struct {
	const char *id, *name;
	uint64_t seed;
	int64_t n;
	bool old;
} splits[] = {
	{"prng.split", "seed0_n1", 0, 1, false},
	{"prng.split", "seed0_n2", 0, 2, false},
	{"prng.split", "seed0_n3", 0, 3, false},
	{"prng.split", "seed0_n4", 0, 4, false},
	{"prng.split", "seed0_n8", 0, 8, false},
	{"prng.split", "seed42_n1", 42, 1, false},
	{"prng.split", "seed42_n2", 42, 2, false},
	{"prng.split", "seed42_n3", 42, 3, false},
	{"prng.split", "seed42_n4", 42, 4, false},
	{"prng.split", "seed42_n8", 42, 8, false},
	{"prng.split_nonpartitionable", "seed0_n1", 0, 1, true},
	{"prng.split_nonpartitionable", "seed0_n2", 0, 2, true},
	{"prng.split_nonpartitionable", "seed0_n3", 0, 3, true},
	{"prng.split_nonpartitionable", "seed0_n4", 0, 4, true},
	{"prng.split_nonpartitionable", "seed0_n8", 0, 8, true},
	{"prng.split_nonpartitionable", "seed42_n1", 42, 1, true},
	{"prng.split_nonpartitionable", "seed42_n2", 42, 2, true},
	{"prng.split_nonpartitionable", "seed42_n3", 42, 3, true},
	{"prng.split_nonpartitionable", "seed42_n4", 42, 4, true},
	{"prng.split_nonpartitionable", "seed42_n8", 42, 8, true},
};

static tsr *twice(tsr *key)
{
	tsr *part[2];

	return tsr_split_key(key, part, 2) ? tsr_split_keys(part[0], D(3)) : key;
}

static void keys(void **state)
{
	tsr_ctx *ctx = *state, *old = older();

	golden_equal(seeds(ctx), "prng.key", "keys");
	golden_equal(seeds(old), "prng.key_nonpartitionable", "keys");
	for (size_t i = 0; i < sizeof splits / sizeof *splits; i++) {
		tsr *key = tsr_key(splits[i].old ? old : ctx, splits[i].seed);
		golden_equal(tsr_split_keys(key, D(splits[i].n)), splits[i].id, splits[i].name);
	}
	golden_equal(tsr_split_keys(K0, D(2, 3)), "prng.split", "seed0_2x3");
	golden_equal(twice(K0), "prng.split", "twice");
	golden_equal(tsr_split_keys(tsr_key(old, 0), D(2, 3)), "prng.split_nonpartitionable",
	             "seed0_2x3");
	golden_equal(twice(tsr_key(old, 0)), "prng.split_nonpartitionable", "twice");
	assert_int_equal(tsr_close(old), TSR_OK);
}

static tsr *folded(tsr *key, tsr *data) { return tsr_fold_in(key, data); }

static void fold_in(void **state)
{
	tsr_ctx *ctx = *state, *old = older();
	tsr_fn *f = tsr_vmap(ctx, folded, .in = TSR_MAPPED(TSR_UNMAPPED, 0));
	tsr_fn *g = tsr_vmap(old, folded, .in = TSR_MAPPED(TSR_UNMAPPED, 0));
	tsr *data = golden_load(ctx, "prng.fold_in", "data");
	tsr *same = golden_load(old, "prng.fold_in_nonpartitionable", "data");

	golden_equal(tsr_call(f, K0, data), "prng.fold_in", "seed0");
	golden_equal(tsr_call(f, K42, data), "prng.fold_in", "seed42");
	golden_equal(tsr_call(g, tsr_key(old, 0), same), "prng.fold_in_nonpartitionable", "seed0");
	golden_equal(tsr_call(g, tsr_key(old, 42), same), "prng.fold_in_nonpartitionable",
	             "seed42");
	assert_int_equal(tsr_close(old), TSR_OK);
}

/* keys that other examples used */
static void keys_of_seeds(void **state)
{
	tsr_ctx *ctx = *state, *old = older();

	golden_equal(tsr_split_keys(K0, D(8)), "s1.random_matmul", "keys");
	golden_equal(tsr_split_keys(K0, D(8)), "s1.random_matmul_full", "keys");
	golden_equal(K0, "s3.dp_training", "key");
	golden_equal(tsr_key(old, 0), "s3.dp_training_nonpartitionable", "key");
	assert_int_equal(tsr_close(old), TSR_OK);
}

static void two_keys(void **state)
{
	tsr_ctx *ctx = *state;
	static const char *const facts[] = {"normal", "key", NULL};
	static const char *const own[] = {"u32[2,2]", "tsr_vmap()", NULL};

	assert_true(tsr_is_poison(tsr_normal(tsr_split_keys(K0, D(2)), D(3))));
	golden_error(ctx, TSR_ERROR_TYPE, __FILE__, "prng.key", "error_two_keys", facts, own);
}

static void wrong_seeds(void **state)
{
	tsr_ctx *ctx = *state;
	static const char *const integer[] = {"key", "integer", NULL};
	static const char *const only[] = {"key", NULL};
	static const char *const own[] = {"i32[2]", "tsr_vmap()", NULL};

	assert_true(tsr_is_poison(tsr_key(ctx, 1.5)));
	golden_error(ctx, TSR_ERROR_TYPE, __FILE__, "prng.key", "error_float_seed", integer,
	             own + 2);
	assert_true(tsr_is_poison(tsr_key(ctx, tsr_arange(ctx, 2))));
	golden_error(ctx, TSR_ERROR_TYPE, __FILE__, "prng.key", "error_vector_seed", only, own);
}

/* ---- the row, and the function that normals need */

static void block_function(void **state)
{
	tsr *k = golden_load(*state, "prng.threefry", "keys"), *y[2];
	tsr *c = golden_load(*state, "prng.threefry", "counters");

	assert_true(tsr_threefry2x32(tsr_index(k, 1, 0), tsr_index(k, 1, 1), tsr_index(c, 1, 0),
	                             tsr_index(c, 1, 1), y));
	golden_equal(tsr_stack(1, y[0], y[1]), "prng.threefry", "out");
}

static void inverse_of_erf(void **state)
{
	tsr_ctx *ctx = *state;
	const double low = (double)nextafterf(-1, 0);
	tsr *u = tsr_uniform(K42, D(64), .minval = TSR_ARG(low));

	golden_equal(u, "prng.normal", "u_64");
	golden_equal(tsr_erf_inv(u), "prng.normal", "erf_inv_64");
	assert_true(tsr_array_equal(tsr_erf_inv(u), golden_load(ctx, "prng.normal", "erf_inv_64")));
	golden_equal(tsr_erf_inv(golden_load(ctx, "prng.normal", "erf_inv_points")), "prng.normal",
	             "erf_inv_values");
}

/* ---- on several devices */

static tsr *normals(tsr *key) { return tsr_normal(key, D(8, 6)); }
static tsr *classes(tsr *key) { return tsr_randint(key, D(16, 1), 0, 8); }
static tsr *row_of_index(tsr *key)
{
	return tsr_normal(tsr_fold_in(key, tsr_axis_index(key, "x")), D(1, 4));
}
static tsr *row(tsr *key) { return tsr_normal(key, D(1, 4)); }
static tsr *row_of_first(tsr *keys) { return row(tsr_index(keys, 0, 0)); }

static void sharded(void **state)
{
	tsr_ctx *ctx = *state;
	tsr_mesh *grid = tsr_mesh_make(ctx, {"x", 4}, {"y", 2});
	tsr_mesh *line = tsr_mesh_make(ctx, {"x", 8});
	tsr_fn *f = tsr_jit(ctx, normals, .mesh = grid, .out = TSR_SPECS(P("x", "y")));
	tsr_fn *g = tsr_jit(ctx, classes, .mesh = grid, .out = TSR_SPECS(P("x*y")));

	golden_equal(tsr_call(f, K0), "prng.sharded", "normal_8x6");
	golden_sharded(tsr_call(f, K0), grid, P("x", "y"));
	golden_equal(tsr_call(g, K0), "prng.sharded", "randint_16x1");
	golden_moves(MOVED(f, K0), "prng.sharded", "normal.moves");
	golden_moves(MOVED(g, K0), "prng.sharded", "randint.moves");
	golden_equal(tsr_call(tsr_shard_map(line, row_of_index, .sig = "[] -> [x]"), K0),
	             "prng.sharded", "fold_in_axis_index");
	golden_equal(tsr_call(tsr_shard_map(line, row, .sig = "[] -> []"), K0), "prng.sharded",
	             "same_key_everywhere");
	golden_equal(tsr_call(tsr_shard_map(line, row_of_first, .sig = "[x] -> [x]"),
	                      tsr_split_keys(K0, D(8))),
	             "prng.sharded", "split_keys");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(recorded),       cmocka_unit_test(sampled),
		cmocka_unit_test(keys),           cmocka_unit_test(fold_in),
		cmocka_unit_test(keys_of_seeds),  cmocka_unit_test(two_keys),
		cmocka_unit_test(block_function), cmocka_unit_test(inverse_of_erf),
		cmocka_unit_test(sharded),        cmocka_unit_test(wrong_seeds),
	};

	return cmocka_run_group_tests(tests, golden_open, golden_close);
}
