/* test_full_size.c - two cells of the seeds whose arrays are large: products of random matrices,
 * one a device, and a two-layer network over the batch. test_full_size runs them cut down,
 * test_full_size full as they were published, which wants a compiling engine, 6 GB and some
 * minutes. */
#include "support/draw.h"
#include "support/golden.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#define P TSR_P
#define D TSR_DIMS

enum { DEVICES = 8 };
static bool full;

static void release(void *user, void *data)
{
	(void)user;
	free(data);
}

static void *room(int64_t n)
{
	void *memory = malloc((size_t)n * 4);
	assert_non_null(memory);
	return memory;
}

static tsr *normals(tsr_ctx *ctx, draw_key key, float scale, int64_t m, int64_t n)
{
	float *x = room(m * n);
	draw_normal(key, scale, x, (size_t)(m * n));
	return tsr_wrap(ctx, x, TSR_F32, D(m, n), .release = release);
}

/* ---- a matrix of normals a device, x @ x.T, and the mean of that */

typedef struct matrices {
	int64_t rows, columns;
	const char *id, *mats, *result, *means, *means_f64;
} matrices;

static const matrices matrices_of[] = {
	{50, 60, "s1.random_matmul", "mats_all.idx mats_all.samples", "result.idx result.samples",
         "means", "means_f64"},
	{5000, 6000, "s1.random_matmul_full", "mats.idx mats.samples", "result.idx result.samples",
         "means", "means_f64"},
};

/* [1,m,n] -> [1,m,m] */
static tsr *squared(tsr *x)
{
	tsr *rows = tsr_squeeze(x, D(0));
	return tsr_expand_dims(tsr_dot(rows, tsr_t(rows)), TSR_DIMS(0));
}

static tsr *mean(tsr *x) { return tsr_mean(x, .dims = D(1, 2)); }

static void random_matmul(void **state)
{
	tsr_ctx *ctx = *state;
	const matrices *c = &matrices_of[full];
	const int64_t m = c->rows, n = c->columns;
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"i", DEVICES});
	tsr *piece[DEVICES];

	for (int k = 0; k < DEVICES; k++) {
		const draw_key key = draw_split(draw_key_of(0), (uint64_t)k);
		tsr *x = tsr_reshape(normals(ctx, key, 1, m, n), D(1, m, n));
		piece[k] = tsr_put_device(x, k);
	}
	tsr *mats = tsr_from_shards(ctx, tsr_sharding_make(mesh, P("i")), D(DEVICES, m, n), piece,
	                            DEVICES);
	golden_sampled(mats, c->id, c->mats);
	tsr_fn *product = tsr_shard_map(mesh, squared, .sig = "[i] -> [i]");
	tsr *result = tsr_call(tsr_jit(ctx, product), mats);
	golden_sampled(result, c->id, c->result);
	tsr *means = tsr_call(tsr_jit(ctx, tsr_shard_map(mesh, mean, .sig = "[i] -> [i]")), result);
	golden_equal(means, c->id, c->means);
	golden_equal(means, c->id, c->means_f64);
}

/* ---- two layers, the batch over 8 devices, parameters on each */

typedef struct layers {
	int64_t batch, features;
	uint32_t classes;
	const char *id, *x, *w1, *w2, *t, *loss, *loss_sharded, *dw1, *dw2;
} layers;

static const layers layers_of[] = {
	{64, 32, 250, "s3.dp_large_cut", "x.idx x.samples", "w1.idx w1.samples",
         "w2.idx w2.samples", "t.idx t.samples", "loss_device0", "loss_sharded",
         "dw1.idx dw1.samples", "dw2.idx dw2.samples"},
	{8192, 4096, 32000, "s3.dp_large_full", "x.idx x.samples", "w1.idx w1.samples",
         "w2.idx w2.samples", "t.idx t.samples", "loss_device0", "loss_sharded",
         "dw1.idx dw1.samples", "dw2.idx dw2.samples"},
};

/* the sum over the batch and the classes of -t * log_softmax(relu(x w1) w2) */
static tsr *loss(tsr *w1, tsr *w2, tsr *x, tsr *t)
{
	tsr *logits = tsr_dot(tsr_relu(tsr_dot(x, w1)), w2);
	tsr *log_softmax = tsr_sub(logits, tsr_logsumexp(logits, .dims = D(-1), .keep = true));
	return tsr_neg(tsr_psum(tsr_sum(tsr_mul(t, log_softmax)), "data"));
}

static void dp_large(void **state)
{
	tsr_ctx *ctx = *state;
	const layers *c = &layers_of[full];
	const int64_t b = c->batch, h = c->features;
	const draw_key first = draw_split(draw_key_of(0), 0),
		       second = draw_split(draw_key_of(0), 1);
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"data", DEVICES});
	tsr *x = tsr_put(normals(ctx, first, 1, b, h), mesh, P("data"));
	tsr *w1 = tsr_put(normals(ctx, first, 1 / sqrtf((float)h), h, h), mesh, P());
	tsr *w2 = tsr_put(normals(ctx, first, 1 / sqrtf((float)h), h, h), mesh, P());
	int32_t *classes = room(b);
	draw_int(second, c->classes, classes, (size_t)b);
	tsr *t = tsr_put(tsr_wrap(ctx, classes, TSR_I32, D(b, 1), .release = release), mesh,
	                 P("data"));
	tsr *value, *dw1, *dw2;

	golden_sampled(x, c->id, c->x);
	golden_sampled(w1, c->id, c->w1);
	golden_sampled(w2, c->id, c->w2);
	golden_sampled(t, c->id, c->t);
	tsr_fn *map = tsr_shard_map(mesh, loss, .sig = "[] [] [data] [data] -> []");
	tsr_fn *f = tsr_jit(ctx, tsr_value_and_grad(ctx, map, .wrt = D(0, 1)));
	tsr_call_into(TSR_OUT(&value, &dw1, &dw2), f, w1, w2, x, t);
	golden_equal(value, c->id, c->loss);
	golden_equal(value, c->id, c->loss_sharded);
	golden_sampled(dw1, c->id, c->dw1);
	golden_sampled(dw2, c->id, c->dw2);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(random_matmul, golden_open, golden_close),
		cmocka_unit_test_setup_teardown(dp_large, golden_open, golden_close),
	};
	full = argc > 1 && !strcmp(argv[1], "full");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
