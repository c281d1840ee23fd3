/* cases_layers.c - normalizations as they are trained: forward, and the gradients of the input, the
 * scale and the bias. Rows of a transformer, and images [batch, rows, columns, features]. */
#include "bench.h"
#define D TSR_DIMS

/* in: x, scale, bias, and what each element of the result counts */
static tsr *rows_loss(tsr *x, tsr *scale, tsr *bias, tsr *counts)
{
	return tsr_sum(tsr_mul(tsr_layer_norm(x, scale, bias), counts));
}

/* the loss, and the new averages behind it */
static void batch_loss(tsr_frame *f)
{
	tsr *x = tsr_frame_arg(f, 0), *mean, *var;
	const tsr_dims features = D(tsr_dim(x, -1));
	tsr *y = tsr_batch_norm(x, tsr_frame_arg(f, 1), tsr_frame_arg(f, 2), tsr_zeros(x, features),
	                        tsr_ones(x, features), .new_mean = &mean, .new_var = &var);

	tsr_return(f, tsr_sum(tsr_mul(y, tsr_frame_arg(f, 3))), tsr_add(mean, var));
}

static void setup(bench *b, tsr_fn *gradient, tsr_dims dims)
{
	const tsr_dims features = D(dims.d[dims.d[0] - 1]);

	b->fn = tsr_jit(b->ctx, gradient);
	b->in[0] = scattered(b->ctx, 1, dims, 4);
	b->in[1] = scattered(b->ctx, 2, features, 2);
	b->in[2] = scattered(b->ctx, 3, features, 2);
	b->in[3] = scattered(b->ctx, 4, dims, 2);
}

static void setup_rows(bench *b)
{
	setup(b, tsr_value_and_grad(b->ctx, rows_loss, .wrt = D(0, 1, 2)),
	      D(b->size[0], b->size[1]));
}

static void setup_images(bench *b)
{
	const int64_t *n = b->size;

	setup(b, tsr_grad(b->ctx, batch_loss, .wrt = D(0, 1, 2), .has_aux = true),
	      D(n[0], n[1], n[1], n[2]));
}

static void call(bench *b, tsr **out)
{
	tsr_call_into(TSR_OUT(&out[0], &out[1], &out[2], &out[3]), b->fn, b->in[0], b->in[1],
	              b->in[2], b->in[3]);
}

/* x and the counts are read, the gradient of x is written */
static double rows_bytes(const int64_t *n) { return 12 * (double)n[0] * (double)n[1]; }
static double image_bytes(const int64_t *n) { return 12 * (double)(n[0] * n[1] * n[1] * n[2]); }

const bench_case cases_layers[] = {
	{.name = "layer_norm_grad", .what = "layer norm and its gradients, f32[4096,1024]",
	 .size = {4096, 1024}, .tiny = {16, 40}, .devices = 1, .setup = setup_rows, .step = call,
	 .limit = LIMIT_COPY, .work = rows_bytes, .bar = 1, .rtol = 1e-4},
	{.name = "batch_norm_grad", .what = "batch norm and its gradients, f32[16,56,56,64]",
	 .size = {16, 56, 64}, .tiny = {2, 5, 6}, .devices = 1, .setup = setup_images,
	 .step = call, .limit = LIMIT_COPY, .work = image_bytes, .bar = 1, .rtol = 1e-4},
	{0},
};
