/* cases_transformer.c - a step of training a transformer with the layers and optimisers of the
 * library, on one device and on 4x2: as plain array code on parameters and data that are placed. */
#include "bench.h"
#include <math.h>
#define D TSR_DIMS
#define P TSR_P
#define S TSR_SPEC

enum { BATCH, LENGTH, FEATURES, HEADS, LAYERS };
/* the parameters of a layer; they are one list, layer after layer */
enum { SCALE, QUERY, KEY, VALUE, OUT, SCALE_2, UP, DOWN, OF_LAYER };

static size_t params_count(const bench *b) { return (size_t)(OF_LAYER * b->size[LAYERS]); }

static tsr *run_layer(tsr *const *w, tsr *x)
{
	tsr *y = tsr_rms_norm(x, w[SCALE]);

	x = tsr_add(x, tsr_multi_head_attention(y, w[QUERY], w[KEY], w[VALUE], w[OUT]));
	y = tsr_gelu(tsr_linear(tsr_rms_norm(x, w[SCALE_2]), w[UP], NULL));
	return tsr_add(x, tsr_linear(y, w[DOWN], NULL));
}

static tsr *loss(tsr_tree p, tsr *x, tsr *targets)
{
	for (size_t k = 0; k < p.count; k += OF_LAYER) x = run_layer(p.leaf + k, x);
	return tsr_mean(tsr_squared_error(x, targets));
}

/* ---- parameters and data, put on a mesh if there is one */

static tsr *placed(tsr *x, tsr_mesh *mesh, tsr_spec spec)
{
	return mesh ? tsr_put(x, mesh, spec) : x;
}

static void make_layer(bench *b, tsr_mesh *mesh, uint32_t k)
{
	const int64_t n = b->size[FEATURES], heads = b->size[HEADS], each = n / heads;
	const double scale = 2 / sqrt((double)n);
	tsr **w = b->state + k * OF_LAYER;
	const struct leaf {
		tsr_dims dims;
		double scale;
		tsr_spec spec;
	} leaf[OF_LAYER] = {
		[QUERY] = {D(n, heads, each), scale, S(NULL, "model")},
		[KEY] = {D(n, heads, each), scale, S(NULL, "model")},
		[VALUE] = {D(n, heads, each), scale, S(NULL, "model")},
		[OUT] = {D(heads, each, n), scale, S("model")},
		[UP] = {D(n, 4 * n), scale, S(NULL, "model")},
		[DOWN] = {D(4 * n, n), scale / 2, S("model")},
	};

	for (int i = 0; i < OF_LAYER; i++) {
		const bool ones = i == SCALE || i == SCALE_2;
		tsr *x = ones ? tsr_ones(b->ctx, D(n))
		              : scattered(b->ctx, 3 + k * OF_LAYER + (uint32_t)i, leaf[i].dims,
		                          leaf[i].scale);
		tsr_set(&w[i], placed(x, mesh, ones ? P() : leaf[i].spec));
	}
}

static void setup(bench *b, tsr_mesh *mesh)
{
	const tsr_optimizer *adam = tsr_adam(b->ctx, 1e-3);
	const size_t n = params_count(b);
	const tsr_dims dims = D(b->size[BATCH], b->size[LENGTH], b->size[FEATURES]);

	for (uint32_t k = 0; k < 2; k++)
		b->in[k] = placed(scattered(b->ctx, 1 + k, dims, 2), mesh, P("data"));
	for (int64_t k = 0; k < b->size[LAYERS]; k++) make_layer(b, mesh, (uint32_t)k);
	b->fn = tsr_train_step(b->ctx, loss, adam);
	const tsr_tree state = tsr_optimizer_init(adam, TSR_LEAVES(b->state, n));
	for (size_t k = 0; k < state.count && n + k < BENCH_STATE; k++)
		b->state[n + k] = state.leaf[k];
}

static void setup_one(bench *b) { setup(b, NULL); }
static void setup_grid(bench *b)
{
	setup(b, tsr_mesh_make(b->ctx, {"data", 4}, {"model", 2}));
}

/* adam counts its steps, and has two moments of each parameter */
static void train(bench *b, tsr **out)
{
	const size_t n = params_count(b);

	out[0] = tsr_train(b->fn, TSR_LEAVES(b->state, n), TSR_LEAVES(b->state + n, 2 * n + 1),
	                   b->in[0], b->in[1]);
	out[1] = b->state[QUERY];
	out[2] = b->state[n - 1];
}

/* twelve products of all positions with square matrices, and the scores and their use; the
 * gradients take twice as much */
static double flops(const int64_t *size)
{
	const double all = (double)(size[BATCH] * size[LENGTH]), n = (double)size[FEATURES];

	return 3 * 2 * all * n * (12 * n + 2 * (double)size[LENGTH]) * (double)size[LAYERS];
}

#define TRAIN .step = train, .size = {8, 128, 256, 8, 2}, .tiny = {4, 6, 16, 4, 2}, \
	.limit = LIMIT_FMA, .work = flops, .rtol = 1e-3

const bench_case cases_transformer[] = {
	{.name = "transformer", .what = "Adam step of two transformer layers, [8,128,256]",
	 .setup = setup_one, .devices = 1, TRAIN, .bar = 1.2},
	{.name = "transformer_8", .what = "the same on 4x2 devices, batch and heads split",
	 .setup = setup_grid, .devices = 8, TRAIN, .bar = 1.8},
	{0},
};
