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

static tsr *conv_steps(tsr *w, tsr *x)
{
	return tsr_conv_general_dilated(x, w, .strides = D(2, 2), .low = D(1, 1), .high = D(1, 1),
	                                IMAGES);
}

/* as many groups as rhs has input features fewer than lhs */
static tsr *conv_groups(tsr *w, tsr *x)
{
	return tsr_conv_general_dilated(x, w, .padding = TSR_SAME, IMAGES,
	                                .feature_group_count = tsr_dim(x, 3) / tsr_dim(w, 2));
}

static tsr *loss_7x7(tsr *w, tsr *x) { return tsr_mean(tsr_square(conv_7x7(w, x))); }
static tsr *loss_3x3(tsr *w, tsr *x) { return tsr_mean(tsr_square(conv_3x3(w, x))); }
static tsr *loss_steps(tsr *w, tsr *x) { return tsr_mean(tsr_square(conv_steps(w, x))); }
static tsr *loss_groups(tsr *w, tsr *x) { return tsr_mean(tsr_square(conv_groups(w, x))); }
static tsr *pool(tsr *x)
{
	return tsr_max_pool(x, D(3, 3), .strides = D(2, 2), .low = D(1, 1), .high = D(1, 1));
}

static void setup_images(bench *b)
{
	const int64_t *n = b->size;

	b->in[1] = scattered(b->ctx, 1, D(n[BATCH], n[SIDE], n[SIDE], n[FEATURES]), 2);
}

static void setup_some(bench *b, tsr_fn *fn, int64_t window, int64_t features)
{
	b->fn = tsr_jit(b->ctx, fn);
	b->in[0] = scattered(b->ctx, 2, D(window, window, features, b->size[RESULTS]), 0.2);
	setup_images(b);
}

static void setup(bench *b, tsr_fn *fn, int64_t window)
{
	setup_some(b, fn, window, b->size[FEATURES]);
}

static void setup_7x7(bench *b) { setup(b, tsr_jit(b->ctx, conv_7x7), 7); }
static void setup_3x3(bench *b) { setup(b, tsr_jit(b->ctx, conv_3x3), 3); }
static void setup_7x7_grad(bench *b) { setup(b, tsr_grad(b->ctx, loss_7x7), 7); }
static void setup_3x3_grad(bench *b)
{
	setup(b, tsr_grad(b->ctx, loss_3x3, .wrt = D(0, 1)), 3);
}

static void setup_steps_grad(bench *b)
{
	setup(b, tsr_grad(b->ctx, loss_steps, .wrt = D(0, 1)), 3);
}

enum { IN_GROUP = 16 };
static void setup_groups(bench *b) { setup_some(b, tsr_jit(b->ctx, conv_groups), 3, IN_GROUP); }
static void setup_groups_grad(bench *b)
{
	setup_some(b, tsr_grad(b->ctx, loss_groups, .wrt = D(0, 1)), 3, IN_GROUP);
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
static double flops_steps_grad(const int64_t *n) { return 3 * flops(n, 3, 2); }
static double flops_groups(const int64_t *n)
{
	return flops(n, 3, 1) * IN_GROUP / (double)n[FEATURES];
}
static double flops_groups_grad(const int64_t *n) { return 3 * flops_groups(n); }
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
	{.name = "conv_steps_grad", .what = "the same in steps of 2, to 128 features",
	 .setup = setup_steps_grad, .step = call_both, CONV, .size = {16, 56, 64, 128},
	 .tiny = {2, 7, 8, 8}, .work = flops_steps_grad},
	{.name = "conv_groups", .what = "3x3 in groups of 16 features, f32[16,56,56,128]",
	 .setup = setup_groups, .step = call_conv, CONV, .size = {16, 56, 128, 128},
	 .tiny = {2, 7, 32, 8}, .work = flops_groups},
	{.name = "conv_groups_grad", .what = "the gradient of its mean square, by both",
	 .setup = setup_groups_grad, .step = call_both, CONV, .size = {16, 56, 128, 128},
	 .tiny = {2, 7, 32, 8}, .work = flops_groups_grad},
	{.name = "max_pool", .what = "largest of 3x3 in steps of 2, f32[8,112,112,64]",
	 .setup = setup_pool, .step = call_pool, .devices = 1, .limit = LIMIT_COPY,
	 .size = {8, 112, 64}, .tiny = {2, 9, 8}, .work = pool_bytes, .bar = 1},
	{0},
};
