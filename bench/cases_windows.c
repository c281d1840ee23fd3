/* cases_windows.c - convolutions and pooling: the first layers of ResNet. Arrays are
 * [batch, rows, columns, features] and kernels [rows, columns, features, results], as flax has
 * them. */
#include "bench.h"
#include <math.h>
#define D TSR_DIMS

/* sizes of a case: images, their side, and features of the operand and of the result */
enum { BATCH, SIDE, FEATURES, RESULTS };
#define IMAGES .lhs_spec = "NHWC", .rhs_spec = "HWIO", .out_spec = "NHWC"

static tsr *conv_7x7(tsr *w, tsr *x)
{
	return tsr_conv_general_dilated(x, w, .strides = D(2, 2), .low = D(3, 3), .high = D(3, 3),
	                                IMAGES);
}

static tsr *conv_3x3(tsr *w, tsr *x)
{
	return tsr_conv_general_dilated(x, w, .padding = TSR_SAME, IMAGES);
}

static tsr *loss_7x7(tsr *w, tsr *x) { return tsr_mean(tsr_square(conv_7x7(w, x))); }
static tsr *loss_3x3(tsr *w, tsr *x) { return tsr_mean(tsr_square(conv_3x3(w, x))); }
static tsr *pool(tsr *x)
{
	return tsr_max_pool(x, D(3, 3), .strides = D(2, 2), .low = D(1, 1), .high = D(1, 1));
}

static void setup_images(bench *b)
{
	const int64_t *n = b->size;

	b->in[1] = scattered(b->ctx, 1, D(n[BATCH], n[SIDE], n[SIDE], n[FEATURES]), 2);
}

static void setup(bench *b, tsr_fn *fn, int64_t window)
{
	const int64_t *n = b->size;

	b->fn = tsr_jit(b->ctx, fn);
	b->in[0] = scattered(b->ctx, 2, D(window, window, n[FEATURES], n[RESULTS]), 0.2);
	setup_images(b);
}

static void setup_7x7(bench *b) { setup(b, tsr_jit(b->ctx, conv_7x7), 7); }
static void setup_3x3(bench *b) { setup(b, tsr_jit(b->ctx, conv_3x3), 3); }
static void setup_7x7_grad(bench *b) { setup(b, tsr_grad(b->ctx, loss_7x7), 7); }
static void setup_3x3_grad(bench *b)
{
	setup(b, tsr_grad(b->ctx, loss_3x3, .wrt = D(0, 1)), 3);
}

static void setup_pool(bench *b)
{
	b->fn = tsr_jit(b->ctx, pool);
	setup_images(b);
}

static void call_conv(bench *b, tsr **out) { out[0] = tsr_call(b->fn, b->in[0], b->in[1]); }
static void call_pool(bench *b, tsr **out) { out[0] = tsr_call(b->fn, b->in[1]); }
static void call_both(bench *b, tsr **out)
{
	tsr_call_into(TSR_OUT(&out[0], &out[1]), b->fn, b->in[0], b->in[1]);
}

static double flops(const int64_t *n, double window, double stride)
{
	return 2 * (double)(n[BATCH] * n[FEATURES] * n[RESULTS]) *
	       pow((double)n[SIDE] / stride * window, 2);
}

static double flops_7x7(const int64_t *n) { return flops(n, 7, 2); }
static double flops_7x7_grad(const int64_t *n) { return 2 * flops(n, 7, 2); }
static double flops_3x3(const int64_t *n) { return flops(n, 3, 1); }
static double flops_3x3_grad(const int64_t *n) { return 3 * flops(n, 3, 1); }
static double pool_bytes(const int64_t *n)
{
	return 5.0 * (double)(n[BATCH] * n[SIDE] * n[SIDE] * n[FEATURES]);
}

#define CONV .devices = 1, .limit = LIMIT_FMA, .rtol = 1e-4
#define FIRST CONV, .size = {8, 224, 3, 64}, .tiny = {2, 18, 3, 8}
#define SECOND CONV, .size = {16, 56, 64, 64}, .tiny = {2, 7, 8, 8}

const bench_case cases_windows[] = {
	{.name = "conv_7x7", .what = "7x7 in steps of 2, f32[8,224,224,3] to 64 features",
	 .setup = setup_7x7, .step = call_conv, FIRST, .work = flops_7x7, .bar = 1},
	{.name = "conv_3x3", .what = "3x3, f32[16,56,56,64] to 64 features",
	 .setup = setup_3x3, .step = call_conv, SECOND, .work = flops_3x3, .bar = 1},
	{.name = "conv_7x7_grad", .what = "the gradient of its mean square by the kernel",
	 .setup = setup_7x7_grad, .step = call_conv, FIRST, .work = flops_7x7_grad, .bar = 1},
	{.name = "conv_3x3_grad", .what = "the same of the other, by the operand too",
	 .setup = setup_3x3_grad, .step = call_both, SECOND, .work = flops_3x3_grad, .bar = 1},
	{.name = "max_pool", .what = "largest of 3x3 in steps of 2, f32[8,112,112,64]",
	 .setup = setup_pool, .step = call_pool, .devices = 1, .limit = LIMIT_COPY,
	 .size = {8, 112, 64}, .tiny = {2, 9, 8}, .work = pool_bytes, .bar = 1},
	{0},
};
