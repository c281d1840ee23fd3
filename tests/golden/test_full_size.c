/* test_full_size.c - two cells of the seeds with large arrays: products of random matrices, one a
 * device, and a two-layer network. test_full_size runs them cut down, test_full_size full as they
 * were published (it wants a compiling engine, 6 GB and some minutes). */
#include "support/draw.h"
#include "support/golden.h"
#include "support/recorded_bytes.h"
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
	const char *id, *keys, *mats, *result, *means, *means_f64, *normal, *dot, *mean;
} matrices;

static const matrices matrices_of[] = {
	{50, 60, "s1.random_matmul", "keys", "mats_all.idx mats_all.samples",
         "result.idx result.samples", "means", "means_f64", "normal.moves", "dot.moves",
         "mean.moves"},
	{5000, 6000, "s1.random_matmul_full", "keys", "mats.idx mats.samples",
         "result.idx result.samples", "means", "means_f64", "normal.moves", "dot.moves",
         "mean.moves"},
};

static void random_matrix(tsr_frame *frame)
{
	const matrices *c = tsr_frame_env(frame);
	tsr_return(frame, tsr_normal(tsr_frame_arg(frame, 0), D(c->rows, c->columns)));
}

static tsr *squared(tsr *x) { return tsr_dot(x, tsr_t(x)); }

static void random_matmul(void **state)
{
	tsr_ctx *ctx = *state;
	const matrices *c = &matrices_of[full];
	tsr *keys = tsr_split_keys(tsr_key(ctx, 0), D(DEVICES));
	tsr_fn *normal = tsr_pmap(ctx, random_matrix, TSR_ENV(c));
	tsr_fn *dot = tsr_pmap(ctx, squared), *mean = tsr_pmap(ctx, tsr_mean);
	tsr *mats = tsr_call(normal, keys);

	golden_equal(keys, c->id, c->keys);
	golden_sampled(mats, c->id, c->mats);
	if (!full) golden_equal(tsr_slice(mats, 0, 0, 2), "s1.random_matmul", "mats");
	tsr *result = tsr_call(dot, mats);
	golden_sampled(result, c->id, c->result);
	tsr *means = tsr_call(mean, result);
	golden_moves(MOVED(normal, keys), c->id, c->normal);
	golden_moves(MOVED(dot, mats), c->id, c->dot);
	golden_moves(MOVED(mean, result), c->id, c->mean);
	golden_equal(means, c->id, c->means);
	golden_equal(means, c->id, c->means_f64);
}

/* what the notebook's JAX drew */
static void random_matmul_of_old(void **state)
{
	(void)state;
	tsr_ctx *ctx = tsr_open(.devices = DEVICES, .threefry_original = true);
	tsr *keys = tsr_split_keys(tsr_key(ctx, 0), D(DEVICES));
	tsr *mats = tsr_call(tsr_pmap(ctx, random_matrix, TSR_ENV(&matrices_of[0])), keys);
	tsr *result = tsr_call(tsr_pmap(ctx, squared), mats);

	golden_equal(keys, "s1.random_matmul_nonpartitionable", "keys");
	golden_sampled(mats, "s1.random_matmul_nonpartitionable", "mats_all.idx mats_all.samples");
	golden_equal(tsr_call(tsr_pmap(ctx, tsr_mean), result), "s1.random_matmul_nonpartitionable",
	             "means");
	assert_int_equal(tsr_close(ctx), 0);
}

/* ---- two layers, the batch over 8 devices; or over 4, and the hidden features over 2 */

typedef struct layers {
	int64_t batch, features, hidden, model;
	uint32_t classes;
	const char *id, *x, *w1, *w2, *t, *loss, *loss_sharded, *dw1, *dw2, *moves;
} layers;

/* the first one cut down, the others as published */
static const layers layers_of[] = {
	{64, 32, 32, 1, 250, "s3.dp_large_cut", "x.idx x.samples", "w1.idx w1.samples",
         "w2.idx w2.samples", "t.idx t.samples", "loss_device0", "loss_sharded",
         "dw1.idx dw1.samples", "dw2.idx dw2.samples", "loss_and_grad.moves"},
	{8192, 4096, 4096, 1, 32000, "s3.dp_large_full", "x.idx x.samples", "w1.idx w1.samples",
         "w2.idx w2.samples", "t.idx t.samples", "loss_device0", "loss_sharded",
         "dw1.idx dw1.samples", "dw2.idx dw2.samples", "loss_and_grad.moves"},
	{8192, 512, 1024, 2, 32000, "s3.dp_tp_large", "x.idx x.samples", "w1.idx w1.samples",
         "w2.idx w2.samples", "t.idx t.samples", "loss_device0", "loss_sharded",
         "dw1.idx dw1.samples", "dw2.idx dw2.samples", "loss_and_grad.moves"},
};

/* the sum over the batch and the classes of -t * log_softmax(relu(x w1) w2) */
static tsr *loss(tsr *w1, tsr *w2, tsr *x, tsr *t)
{
	tsr *logits = tsr_dot(tsr_relu(tsr_dot(x, w1)), w2);
	tsr *log_softmax = tsr_sub(logits, tsr_logsumexp(logits, .dims = D(-1), .keep = true));
	return tsr_neg(tsr_sum(tsr_mul(t, log_softmax)));
}

static tsr *loss_of_blocks(tsr *w1, tsr *w2, tsr *x, tsr *t)
{
	return tsr_psum(loss(w1, w2, x, t), "data");
}

/* arguments of the loss */
typedef struct operands {
	tsr *w1, *w2, *x, *t;
} operands;

static operands drawn(tsr_ctx *ctx, const layers *c, const tsr_mesh *mesh)
{
	const draw_key first = draw_split(draw_key_of(0), 0),
		       second = draw_split(draw_key_of(0), 1);
	const int64_t b = c->batch, h1 = c->features, h2 = c->hidden;
	tsr *x = normals(ctx, first, 1, b, h1);
	tsr *w1 = normals(ctx, first, 1 / sqrtf((float)h1), h1, h2);
	tsr *w2 = normals(ctx, first, 1 / sqrtf((float)h2), h2, h1);
	int32_t *classes = room(b);
	draw_int(second, c->classes, classes, (size_t)b);
	tsr *t = tsr_wrap(ctx, classes, TSR_I32, D(b, 1), .release = release);

	golden_sampled(x, c->id, c->x);
	golden_sampled(w1, c->id, c->w1);
	golden_sampled(w2, c->id, c->w2);
	golden_sampled(t, c->id, c->t);
	return (operands){tsr_put(w1, mesh, P(NULL, "model")), tsr_put(w2, mesh, P("model")),
	                  tsr_put(x, mesh, P("data")), tsr_put(t, mesh, P("data"))};
}

static void differentiate(tsr_fn *f, const operands *o, const layers *c)
{
	tsr *value, *dw1, *dw2;

	tsr_call_into(TSR_OUT(&value, &dw1, &dw2), f, o->w1, o->w2, o->x, o->t);
	golden_moves(MOVED(f, o->w1, o->w2, o->x, o->t), c->id, c->moves);
	golden_equal(value, c->id, c->loss);
	golden_equal(value, c->id, c->loss_sharded);
	golden_sampled(dw1, c->id, c->dw1);
	golden_sampled(dw2, c->id, c->dw2);
	assert_true(tsr_is_fully_replicated(value));
	assert_true(tsr_sharding_equivalent(tsr_sharding_of(dw1), tsr_sharding_of(o->w1), 2));
	assert_true(tsr_sharding_equivalent(tsr_sharding_of(dw2), tsr_sharding_of(o->w2), 2));
}

/* as plain array code, and where the batch alone is split also by a map */
static void large(void **state)
{
	tsr_ctx *ctx = *state;

	for (size_t i = full; i < (full ? sizeof layers_of / sizeof *layers_of : 1); i++) {
		TSR_SCOPE(ctx);
		const layers *c = &layers_of[i];
		const int64_t data = DEVICES / c->model;
		tsr_mesh *mesh = tsr_mesh_make(ctx, {"data", data}, {"model", c->model});
		const operands o = drawn(ctx, c, mesh);
		differentiate(tsr_jit(ctx, tsr_value_and_grad(ctx, loss, .wrt = D(0, 1))), &o, c);
		if (c->model > 1) continue;
		tsr_fn *map =
			tsr_shard_map(mesh, loss_of_blocks, .sig = "[] [] [data] [data] -> []");
		differentiate(tsr_jit(ctx, tsr_value_and_grad(ctx, map, .wrt = D(0, 1))), &o, c);
	}
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(random_matmul, golden_open, golden_close),
		cmocka_unit_test(random_matmul_of_old),
		cmocka_unit_test_setup_teardown(large, golden_open, golden_close),
	};
	full = argc > 1 && !strcmp(argv[1], "full");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
