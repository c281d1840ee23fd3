/* test_random.c - random numbers on several devices are those of one device, bit for bit, and
 * nothing is sent for them: with results placed by .out, by a constraint in the body, and in mapped
 * regions where each device draws a part; for one key and for a batch of keys. */
#include "support/recorded_bytes.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <tsr/tsr.h>
#define P TSR_P
#define D TSR_DIMS

/* ---- what is drawn: [8,6] each */

static tsr *bits8(tsr *k) { return tsr_random_bits(k, D(8, 6), .dtype = TSR_U8); }
static tsr *bits16(tsr *k) { return tsr_random_bits(k, D(8, 6), .dtype = TSR_U16); }
static tsr *bits32(tsr *k) { return tsr_random_bits(k, D(8, 6)); }
static tsr *bits64(tsr *k) { return tsr_random_bits(k, D(8, 6), .dtype = TSR_U64); }
static tsr *uniform(tsr *k) { return tsr_uniform(k, D(8, 6)); }
static tsr *uniform64(tsr *k) { return tsr_uniform(k, D(8, 6), .dtype = TSR_F64); }
static tsr *normal(tsr *k) { return tsr_normal(k, D(8, 6)); }
static tsr *normal16(tsr *k) { return tsr_normal(k, D(8, 6), .dtype = TSR_BF16); }
static tsr *normal_complex(tsr *k) { return tsr_normal(k, D(8, 6), .dtype = TSR_C64); }
static tsr *of_new_key(tsr *k) { return tsr_normal(tsr_fold_in(k, 3), D(8, 6)); }
static tsr *uniform_in(tsr *k)
{
	return tsr_uniform(k, D(8, 6), .minval = TSR_ARG(-3), .maxval = TSR_ARG(2.5));
}
static tsr *truncated(tsr *k) { return tsr_truncated_normal(k, -1, 2, .dims = D(8, 6)); }
static tsr *integers(tsr *k) { return tsr_randint(k, D(8, 6), -7, 100, .dtype = TSR_I64); }
static tsr *coins(tsr *k) { return tsr_bernoulli(k, 0.4, .dims = D(8, 6)); }
static tsr *gumbel(tsr *k) { return tsr_gumbel(k, D(8, 6)); }
static tsr *classes(tsr *k)
{
	tsr *logits = tsr_broadcast_to(tsr_arange(k, 4, .dtype = TSR_F32), D(8, 6, 4));
	return tsr_categorical(k, logits);
}
static tsr *gammas(tsr *k)
{
	tsr *a = tsr_add(tsr_arange(k, 6, .dtype = TSR_F32), 0.25);
	return tsr_random_gamma(k, a, .dims = D(8, 6));
}
static tsr *betas(tsr *k) { return tsr_random_beta(k, 2, 0.5, .dims = D(8, 6)); }
/* of vectors the first elements, since how a sum is added up depends on whether it is split */
static tsr *shares(tsr *k)
{
	return tsr_index(tsr_dirichlet(k, tsr_ones(k, D(3)), .dims = D(8, 6)), -1, 0);
}
static tsr *students(tsr *k) { return tsr_random_t(k, 3, .dims = D(8, 6), .dtype = TSR_F64); }
static tsr *in_ball(tsr *k) { return tsr_index(tsr_ball(k, 3, .dims = D(8, 6)), -1, 0); }
static tsr *events(tsr *k)
{
	tsr *lam = tsr_mul(tsr_arange(k, 6, .dtype = TSR_F32), 5);
	return tsr_poisson(k, lam, .dims = D(8, 6));
}
static tsr *successes(tsr *k) { return tsr_binomial(k, 40, 0.6, .dims = D(8, 6)); }
static tsr *outcomes(tsr *k)
{
	return tsr_index(tsr_multinomial(k, 20, tsr_full(k, D(3), 0.25), .dims = D(8, 6)), -1, 1);
}
static tsr *fine_gumbel(tsr *k) { return tsr_gumbel(k, D(8, 6), .high = true); }
static tsr *others(tsr *k)
{
	return tsr_categorical(k, tsr_zeros(k, D(6, 9)), .dims = D(8, 6), .no_replace = true);
}
static tsr *rotations(tsr *k) { return tsr_reshape(tsr_orthogonal(k, 2, .dims = D(12)), D(8, 6)); }
static tsr *correlated(tsr *k)
{
	tsr *cov = tsr_add(tsr_eye(k, 2), 0.5);
	return tsr_index(tsr_multivariate_normal(k, tsr_zeros(k, D(2)), cov, .dims = D(8, 6)), -1,
	                 1);
}
static tsr *order(tsr *k) { return tsr_reshape(tsr_permutation(k, 48), D(8, 6)); }
static tsr *keys(tsr *k) { return tsr_reshape(tsr_split_keys(k, D(8, 3)), D(8, 6)); }

static const struct {
	const char *name;
	tsr *(*draw)(tsr *);
	bool sends; /* it may: a sort or a sum along a split dim, or trials until all are done */
} draws[] = {
	{"u8", bits8, false},
	{"u16", bits16, false},
	{"u32", bits32, false},
	{"u64", bits64, false},
	{"uniform", uniform, false},
	{"uniform f64", uniform64, false},
	{"normal", normal, false},
	{"normal bf16", normal16, false},
	{"normal c64", normal_complex, false},
	{"fold_in", of_new_key, false},
	{"keys", keys, false},
	{"uniform -3 2.5", uniform_in, false},
	{"truncated_normal", truncated, false},
	{"randint", integers, false},
	{"bernoulli", coins, false},
	{"gumbel", gumbel, false},
	{"categorical", classes, false},
	{"permutation", order, true},
	{"gamma", gammas, false},
	{"beta", betas, false},
	{"dirichlet", shares, false},
	{"t", students, false},
	{"ball", in_ball, false},
	{"poisson", events, true},
	{"binomial", successes, true},
	{"multinomial", outcomes, true},
	{"gumbel high", fine_gumbel, false},
	{"categorical once", others, true},
	{"orthogonal", rotations, true},
	{"multivariate_normal", correlated, false},
};
enum { DRAWS = sizeof draws / sizeof *draws };

/* ---- where */

static const struct {
	const char *spec[2];
	int64_t x, y;
} places[] = {
	{{"x", NULL}, 2, 1}, {{NULL, "x"}, 2, 1}, {{"x", NULL}, 4, 1},   {{NULL, "x"}, 4, 1},
	{{"x", "y"}, 2, 2},  {{"y", "x"}, 2, 2},  {{"x*y", NULL}, 2, 2}, {{"y*x", NULL}, 4, 2},
	{{"x", "y"}, 4, 2},  {{NULL, NULL}, 2, 2}, {{"x", NULL}, 8, 1},
};
enum { PLACES = sizeof places / sizeof *places };

static int open_eight(void **state)
{
	return !(*state = tsr_open(.devices = 8));
}

static int close_it(void **state) { return tsr_close(*state); }

static tsr_mesh *mesh_of(tsr_ctx *ctx, int k)
{
	return tsr_mesh_make(ctx, {"x", places[k].x}, {"y", places[k].y});
}

static tsr_spec spec_of(int k) { return P(places[k].spec[0], places[k].spec[1]); }

/* the same elements, bit for bit */
static void same_bits(const tsr *got, const tsr *want, const char *name, int k)
{
	static char x[4096], y[4096];
	const size_t bytes = (size_t)tsr_nbytes(want);

	assert_in_range(bytes, 1, sizeof x);
	if (!tsr_read(got, x, bytes) || !tsr_read(want, y, bytes))
		fail_msg("%s, place %d: %s", name, k, tsr_message(tsr_ctx_of(got)));
	if (memcmp(x, y, bytes)) fail_msg("%s, place %d: other numbers", name, k);
}

static void at_results(void **state)
{
	tsr_ctx *ctx = *state;

	for (int i = 0; i < DRAWS; i++) {
		tsr *key = tsr_key(ctx, 42), *want = draws[i].draw(key);
		for (int k = i % 5; k < PLACES; k += 5) {
			tsr_mesh *mesh = mesh_of(ctx, k);
			tsr_fn *f = tsr_jit(ctx, draws[i].draw, .mesh = mesh,
			                    .out = TSR_SPECS(spec_of(k)));
			tsr *y = tsr_call(f, key);
			same_bits(y, want, draws[i].name, k);
			assert_ptr_equal(tsr_sharding_of(y), tsr_sharding_make(mesh, spec_of(k)));
			if (!draws[i].sends && MOVED(f, key) > 0)
				fail_msg("%s, place %d: something is sent", draws[i].name, k);
		}
	}
}

/* in the older form too, where elements are made in pairs, and something may be sent for them */
static void of_older_form(void **state)
{
	tsr_ctx *old = tsr_open(.devices = 8, .threefry_original = true);
	tsr *key = tsr_key(old, 42);

	(void)state;
	for (int i = 0; i < DRAWS; i += 3) {
		const int k = i % PLACES;
		tsr_fn *f = tsr_jit(old, draws[i].draw, .mesh = mesh_of(old, k),
		                    .out = TSR_SPECS(spec_of(k)));
		same_bits(tsr_call(f, key), draws[i].draw(key), draws[i].name, k);
	}
	assert_int_equal(tsr_close(old), 0);
}

/* ---- a constraint in the middle */

static struct {
	tsr *(*draw)(tsr *);
	tsr_mesh *mesh;
	int place;
} now;

static tsr *constrained(tsr *key)
{
	return tsr_mul(tsr_constrain(now.draw(key), now.mesh, spec_of(now.place)), 3);
}

static tsr *unconstrained(tsr *key) { return tsr_mul(now.draw(key), 3); }

static void at_constraints(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *key = tsr_key(ctx, 7);

	for (int i = 0; i < DRAWS * PLACES; i += 7) {
		now.draw = draws[i / PLACES].draw;
		now.place = i % PLACES;
		now.mesh = mesh_of(ctx, now.place);
		/* fns with other state are others: .env tells them apart */
		tsr_fn *f = tsr_jit(ctx, constrained, TSR_ENV(&i));
		tsr_fn *plain = tsr_jit(ctx, unconstrained, TSR_ENV(&i));
		same_bits(tsr_call(f, key), tsr_call(plain, key), draws[i / PLACES].name,
		          now.place);
		if (!draws[i / PLACES].sends)
			assert_true(MOVED(f, key) == 0);
	}
}

/* ---- parts in a mapped region: each device knows where its block begins */

static tsr *starts(tsr *key)
{
	tsr *row = tsr_mul(tsr_axis_index(key, "x"), 2);
	tsr *col = tsr_mul(tsr_axis_index(key, "y"), 3);

	return tsr_stack(0, row, col);
}

static tsr *block_of_bits(tsr *k)
{
	return tsr_random_bits(k, D(2, 3), .dtype = TSR_U64, .whole = D(8, 6), .start = starts(k));
}
static tsr *block_of_uniforms(tsr *k)
{
	return tsr_uniform(k, D(2, 3), .whole = D(8, 6), .start = starts(k));
}
static tsr *block_of_normals(tsr *k)
{
	return tsr_normal(k, D(2, 3), .whole = D(8, 6), .start = starts(k));
}

static void in_regions(void **state)
{
	tsr_ctx *ctx = *state;
	static const struct {
		tsr *(*block)(tsr *), *(*whole)(tsr *);
	} both[] = {{block_of_bits, bits64},
	            {block_of_uniforms, uniform},
	            {block_of_normals, normal}};
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 4}, {"y", 2});
	tsr *key = tsr_key(ctx, 1);

	for (size_t i = 0; i < sizeof both / sizeof *both; i++) {
		tsr_fn *f = tsr_shard_map(mesh, both[i].block, .sig = "[] -> [x,y]");
		same_bits(tsr_call(f, key), both[i].whole(key), "block", (int)i);
		tsr_fn *compiled = tsr_jit(ctx, f);
		assert_true(MOVED(compiled, key) == 0);
	}
}

/* devices with one key make the same block, and those with their own make others */
static tsr *own_normals(tsr *k)
{
	return tsr_normal(tsr_fold_in(k, tsr_axis_index(k, "x")), D(1, 4));
}

static void own_keys(void **state)
{
	tsr_ctx *ctx = *state;
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 8});
	tsr *key = tsr_key(ctx, 0), *row[8];

	tsr *got = tsr_call(tsr_shard_map(mesh, own_normals, .sig = "[] -> [x]"), key);
	for (int i = 0; i < 8; i++) row[i] = tsr_normal(tsr_fold_in(key, i), D(1, 4));
	same_bits(got, tsr_concatenate_list(0, row, 8), "own keys", 0);
}

/* ---- batches of keys */

static void batches(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *several = tsr_split_keys(tsr_key(ctx, 5), D(4)), *key[4], *one[4];

	tsr_split_key(tsr_key(ctx, 5), key, 4);
	for (int i = 0; i < DRAWS; i++) {
		tsr_fn *f = tsr_vmap(ctx, draws[i].draw);
		for (int k = 0; k < 4; k++) one[k] = draws[i].draw(key[k]);
		tsr *want = tsr_stack_list(0, one, 4);
		same_bits(tsr_call(f, several), want, draws[i].name, -1);
		tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 4}, {"y", 2});
		tsr *spread = tsr_put(several, mesh, P("x"));
		tsr_fn *g = tsr_jit(ctx, f, .mesh = mesh, .out = TSR_SPECS(P("x", NULL, "y")));
		same_bits(tsr_call(g, spread), want, draws[i].name, -2);
		if (!draws[i].sends)
			assert_true(MOVED(g, spread) == 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(at_results),     cmocka_unit_test(of_older_form),
		cmocka_unit_test(at_constraints), cmocka_unit_test(in_regions),
		cmocka_unit_test(own_keys),       cmocka_unit_test(batches),
	};

	return cmocka_run_group_tests(tests, open_eight, close_it);
}
