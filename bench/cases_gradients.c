/* cases_gradients.c - gradients against gradients of ours: of long loops against short ones, of
 * scans against the same layers written out, of layers that gather their weights again in the
 * backward pass against those that keep them. The last two save memory, which the test
 * engine.memory_needed measures; here they may not take much more time for it. */
#include "bench.h"
#define D TSR_DIMS

static void call_1(bench *b, tsr **out) { out[0] = tsr_call(b->fn, b->in[0]); }
static void call_2(bench *b, tsr **out) { out[0] = tsr_call(b->fn, b->in[0], b->in[1]); }

/* ---- a loop that writes a row of its carry in each step: size[0] rows of size[1] */

static void row_step(tsr_frame *frame)
{
	tsr *i = tsr_frame_arg(frame, 0), *y = tsr_frame_arg(frame, 1);
	tsr *x = tsr_frame_captures(frame).leaf[0];
	tsr *before = tsr_dynamic_index(y, 0, tsr_maximum(tsr_sub(i, 1), 0));
	tsr *row = tsr_add(tsr_mul(before, 0.5), tsr_sin(tsr_dynamic_index(x, 0, i)));
	tsr_return(frame, tsr_dynamic_update(y, tsr_expand_dims(row, D(0)), 0, i));
}

static tsr *rows(tsr *x)
{
	tsr_fn *step = tsr_jit(x, row_step, .captures = TSR_LEAVES(&x, 1));
	return tsr_sum(tsr_square(tsr_fori(0, tsr_dim(x, 0), step, tsr_zeros_like(x))));
}

static void setup_rows(bench *b)
{
	b->fn = tsr_jit(b->ctx, tsr_grad(b->ctx, rows));
	b->in[0] = scattered(b->ctx, 1, D(b->size[0], b->size[1]), 2);
}

/* ---- size[0] times the same tanh layer of size[2] features, on size[1] rows */

enum { LAYERS_A_STEP = 4 };

static tsr *layers(tsr *x, tsr *w)
{
	for (int k = 0; k < LAYERS_A_STEP; k++) x = tsr_tanh(tsr_dot(x, w));
	return x;
}

static void layers_step(tsr_frame *frame)
{
	tsr_return(frame, layers(tsr_frame_arg(frame, 0), tsr_frame_captures(frame).leaf[0]));
}

static void layers_scan(tsr_frame *frame)
{
	tsr *x = tsr_frame_arg(frame, 0), *w = tsr_frame_arg(frame, 1);
	const int64_t *steps = tsr_frame_env(frame);
	tsr_fn *step = tsr_jit(x, layers_step, .captures = TSR_LEAVES(&w, 1));
	tsr_return(frame, tsr_sum(tsr_scan(step, x, TSR_NONE, .length = *steps)));
}

static void layers_unrolled(tsr_frame *frame)
{
	tsr *x = tsr_frame_arg(frame, 0), *w = tsr_frame_arg(frame, 1);
	const int64_t *steps = tsr_frame_env(frame);
	for (int64_t i = 0; i < *steps; i++) x = layers(x, w);
	tsr_return(frame, tsr_sum(x));
}

static void put_layers(bench *b)
{
	b->in[0] = scattered(b->ctx, 1, D(b->size[1], b->size[2]), 2);
	b->in[1] = scattered(b->ctx, 2, D(b->size[2], b->size[2]), 0.25);
}

static void setup_layers_scan(bench *b)
{
	b->fn = tsr_jit(b->ctx, tsr_grad(b->ctx, layers_scan, TSR_ENV(&b->size[0]), .wrt = D(1)));
	put_layers(b);
}

static void setup_layers(bench *b)
{
	b->fn = tsr_jit(b->ctx,
	                tsr_grad(b->ctx, layers_unrolled, TSR_ENV(&b->size[0]), .wrt = D(1)));
	put_layers(b);
}

/* ---- size[0] tanh layers of size[1] features, whose weights are split over the devices */

static tsr *gathered_layer(tsr *x, tsr *w)
{
	return tsr_tanh(tsr_dot(x, tsr_all_gather(w, "i", .dim = D(0), .tiled = true)));
}

static tsr *gathers_with(tsr_fn *layer, tsr *x, tsr *w)
{
	for (int64_t i = 0; i < tsr_dim(w, 0); i++) x = tsr_call(layer, x, tsr_index(w, 0, i));
	return tsr_psum(tsr_sum(x), "i");
}
static tsr *gathers(tsr *x, tsr *w) { return gathers_with(tsr_jit(x, gathered_layer), x, w); }
static tsr *gathers_again(tsr *x, tsr *w)
{
	return gathers_with(tsr_remat(x, gathered_layer), x, w);
}

static void gathers_of(bench *b, tsr_fn *map)
{
	const int64_t n = b->size[1];
	b->fn = tsr_jit(b->ctx, tsr_grad(b->ctx, map, .wrt = D(1)));
	b->in[0] = tsr_put(scattered(b->ctx, 1, D(8, n), 2), b->mesh, TSR_P("i"));
	b->in[1] = tsr_put(scattered(b->ctx, 2, D(b->size[0], n, n), 0.125), b->mesh,
	                   TSR_P(NULL, "i"));
}

static void setup_gathers(bench *b)
{
	gathers_of(b, tsr_shard_map(b->mesh, gathers, .sig = "[i] [-,i] -> []"));
}

static void setup_gathers_again(bench *b)
{
	gathers_of(b, tsr_shard_map(b->mesh, gathers_again, .sig = "[i] [-,i] -> []"));
}

#define ROWS(n) .size = {n, 8}, .tiny = {12, 4}, .devices = 1, .setup = setup_rows, \
	.step = call_1, .inner = 1, .rtol = 1e-4
#define SAME_LAYERS .size = {16, 4096, 64}, .tiny = {3, 8, 6}, .devices = 1, .step = call_2, \
	.rtol = 1e-3
#define GATHERED .size = {24, 512}, .tiny = {3, 16}, .devices = 8, .step = call_2, .rtol = 1e-3

const bench_case cases_gradients[] = {
	{.name = "rows_grad_few", .what = "gradient of a loop that writes a row a step, 2000 steps",
	 ROWS(2000)},
	{.name = "rows_grad", .what = "the same in 8000 steps, a step", ROWS(8000),
	 .than = "rows_grad_few", .than_bar = 0.5},
	{.name = "layers_grad", .what = "gradient of 64 tanh layers, f32[4096,64], written out",
	 SAME_LAYERS, .setup = setup_layers},
	{.name = "layers_scan_grad", .what = "the same as a scan of 16 steps", SAME_LAYERS,
	 .setup = setup_layers_scan, .than = "layers_grad", .than_bar = 0.7},
	{.name = "gathers_grad", .what = "gradient of 24 layers that gather f32[512,512]", GATHERED,
	 .setup = setup_gathers},
	{.name = "gathers_remat_grad", .what = "the same, gathered again in the backward pass",
	 GATHERED, .setup = setup_gathers_again, .than = "gathers_grad", .than_bar = 0.5},
	{0},
};
