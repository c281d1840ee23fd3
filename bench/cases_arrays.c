/* cases_arrays.c - cases of large arrays, bound by memory or arithmetic. */
#include "bench.h"
#define D TSR_DIMS

static void call_1(bench *b, tsr **out) { out[0] = tsr_call(b->fn, b->in[0]); }
static void call_2(bench *b, tsr **out) { out[0] = tsr_call(b->fn, b->in[0], b->in[1]); }

static void setup_vector(bench *b, tsr_fn *fn)
{
	b->fn = fn;
	b->in[0] = scattered(b->ctx, 1, D(b->size[0]), 2);
	b->in[1] = scattered(b->ctx, 2, D(b->size[0]), 2);
}

static void setup_matrix(bench *b, tsr_fn *fn)
{
	b->fn = fn;
	b->in[0] = scattered(b->ctx, 1, D(b->size[0], b->size[1]), 4);
}

static double vector_bytes(const int64_t *size) { return 4.0 * (double)size[0]; }
static double saxpy_bytes(const int64_t *size) { return 3 * vector_bytes(size); }
static double cut_bytes(const int64_t *size) { return 8 * saxpy_bytes(size); }
static double map_bytes(const int64_t *size) { return 2 * vector_bytes(size); }
static double matrix_bytes(const int64_t *size) { return 2 * 4.0 * (double)(size[0] * size[1]); }

/* ---- elementwise, sums, layout */

static tsr *saxpy(tsr *x, tsr *y) { return tsr_add(tsr_mul(x, 0.5), y); }
static void setup_saxpy(bench *b) { setup_vector(b, tsr_jit(b->ctx, saxpy)); }

/* over all devices, along the first dim */
static void split(bench *b, int k) { b->in[k] = tsr_put(b->in[k], b->mesh, TSR_P("i")); }

static void setup_saxpy_8(bench *b)
{
	tsr_fn *map = tsr_shard_map(b->mesh, saxpy, .sig = "[i][i] -> [i]");
	setup_vector(b, tsr_jit(b->ctx, map));
	split(b, 0);
	split(b, 1);
}

static void setup_saxpy_donated(bench *b)
{
	setup_vector(b, tsr_jit(b->ctx, saxpy, .donate = D(1)));
	tsr_set(&b->state[0], tsr_copy(b->in[1]));
}

static void saxpy_donated(bench *b, tsr **out)
{
	tsr_set(&b->state[0], tsr_call(b->fn, b->in[0], b->state[0]));
	out[0] = b->state[0];
}

/* the same on 8 devices, cut along the first dim */
static void setup_saxpy_cut(bench *b, tsr_fn *fn)
{
	b->fn = fn;
	for (uint32_t k = 0; k < 2; k++) {
		b->in[k] = scattered(b->ctx, 1 + k, D(tsr_device_count(b->ctx), b->size[0]), 2);
		split(b, (int)k);
	}
	tsr_set(&b->state[0], tsr_copy(b->in[1]));
}

static void setup_saxpy_donated_8(bench *b)
{
	setup_saxpy_cut(b, tsr_jit(b->ctx, saxpy, .donate = D(1)));
}

static void setup_saxpy_donated_pmap(bench *b)
{
	setup_saxpy_cut(b, tsr_pmap(b->ctx, saxpy, .donate = D(1)));
}

static void setup_exp(bench *b) { setup_vector(b, tsr_jit(b->ctx, tsr_exp)); }

static tsr *gelu(tsr *x)
{
	tsr *cube = tsr_mul(tsr_mul(x, x), x);
	tsr *inner = tsr_mul(tsr_add(x, tsr_mul(cube, 0.044715)), 0.7978845608028654);
	return tsr_mul(tsr_mul(x, 0.5), tsr_add(tsr_tanh(inner), 1.0));
}

static void setup_gelu(bench *b) { setup_vector(b, tsr_jit(b->ctx, gelu)); }

/* outside of a body */
static void gelu_alone(bench *b, tsr **out) { out[0] = tsr_gelu(b->in[0]); }
static void setup_gelu_alone(bench *b) { setup_vector(b, NULL); }

static tsr *sum(tsr *x) { return tsr_sum(x); }
static void setup_sum(bench *b) { setup_vector(b, tsr_jit(b->ctx, sum)); }

static tsr *sum_of_products(tsr *x, tsr *y) { return tsr_sum(tsr_mul(x, y)); }
static void setup_sum_of_products(bench *b)
{
	setup_matrix(b, tsr_jit(b->ctx, sum_of_products));
	b->in[1] = scattered(b->ctx, 2, D(b->size[0], b->size[1]), 2);
}

static tsr *transposed(tsr *x) { return tsr_transpose(x); }
static void setup_transpose(bench *b) { setup_matrix(b, tsr_jit(b->ctx, transposed)); }

/* ---- along rows */

static tsr *softmax(tsr *x)
{
	tsr *e = tsr_exp(tsr_sub(x, tsr_max(x, .dims = D(-1), .keep = true)));
	return tsr_div(e, tsr_sum(e, .dims = D(-1), .keep = true));
}

static void setup_softmax(bench *b) { setup_matrix(b, tsr_jit(b->ctx, softmax)); }

static void setup_softmax_8(bench *b)
{
	tsr_fn *map = tsr_shard_map(b->mesh, softmax, .sig = "[i,-] -> [i,-]");
	setup_matrix(b, tsr_jit(b->ctx, map));
	split(b, 0);
}

static tsr *layer_norm(tsr *x, tsr *scale, tsr *bias)
{
	tsr *apart = tsr_sub(x, tsr_mean(x, .dims = D(-1), .keep = true));
	tsr *variance = tsr_mean(tsr_square(apart), .dims = D(-1), .keep = true);
	tsr *normal = tsr_mul(apart, tsr_rsqrt(tsr_add(variance, 1e-5)));
	return tsr_add(tsr_mul(normal, scale), bias);
}

static void setup_layer_norm(bench *b)
{
	setup_matrix(b, tsr_jit(b->ctx, layer_norm));
	b->in[1] = scattered(b->ctx, 2, D(b->size[1]), 2);
	b->in[2] = scattered(b->ctx, 3, D(b->size[1]), 2);
}

static void call_3(bench *b, tsr **out) { out[0] = tsr_call(b->fn, b->in[0], b->in[1], b->in[2]); }

#define SAXPY   .size = {1 << 24}, .tiny = {1000}, .step = call_2, .limit = LIMIT_COPY, \
	.work = saxpy_bytes, .rtol = 1e-6, .c = HAND_SAXPY
#define SOFTMAX .size = {4096, 1024}, .tiny = {16, 40}, .step = call_1, .limit = LIMIT_COPY, \
	.work = matrix_bytes, .rtol = 1e-5, .c = HAND_SOFTMAX

const bench_case cases_arrays[] = {
	{.name = "saxpy", .what = "x / 2 + y, 16M f32", .devices = 1,
	 .setup = setup_saxpy, SAXPY, .c_bar = 0.95},
	{.name = "saxpy_8", .what = "the same, split over 8 devices", .devices = 8,
	 .setup = setup_saxpy_8, SAXPY, .c_bar = 0.85},
	{.name = "saxpy_donated", .what = "saxpy into the donated y", .devices = 1,
	 .size = {1 << 24}, .tiny = {1000}, .setup = setup_saxpy_donated, .step = saxpy_donated,
	 .limit = LIMIT_COPY, .work = saxpy_bytes, .bar = 1, .rtol = 1e-6,
	 .c = HAND_SAXPY_DONATED, .c_bar = 0.95},
	{.name = "saxpy_donated_8", .what = "the same, of y cut over 8 devices", .devices = 8,
	 .size = {1 << 21}, .tiny = {100}, .setup = setup_saxpy_donated_8, .step = saxpy_donated,
	 .limit = LIMIT_COPY, .work = cut_bytes, .rtol = 1e-6},
	{.name = "saxpy_donated_pmap", .what = "the same, as a map over the devices",
	 .devices = 8, .size = {1 << 21}, .tiny = {100}, .setup = setup_saxpy_donated_pmap,
	 .step = saxpy_donated, .limit = LIMIT_COPY, .work = cut_bytes, .rtol = 1e-6,
	 .than = "saxpy_donated_8", .than_bar = 0.9},
	{.name = "exp", .what = "e^x, 16M f32", .devices = 1,
	 .size = {1 << 24}, .tiny = {1000}, .setup = setup_exp, .step = call_1,
	 .limit = LIMIT_COPY, .work = map_bytes, .bar = 3, .rtol = 1e-6},
	{.name = "gelu", .what = "gelu in its tanh form, 4M f32", .devices = 1,
	 .size = {1 << 22}, .tiny = {1000}, .setup = setup_gelu, .step = call_1,
	 .limit = LIMIT_COPY, .work = map_bytes, .bar = 1.3, .rtol = 1e-6},
	{.name = "gelu_alone", .what = "the same, as a function outside of jit", .devices = 1,
	 .size = {1 << 22}, .tiny = {1000}, .setup = setup_gelu_alone, .step = gelu_alone,
	 .limit = LIMIT_COPY, .work = map_bytes, .bar = 1.2, .rtol = 1e-6, .than = "gelu",
	 .than_bar = 0.9},
	{.name = "reduce_sum", .what = "sum of 16M f32", .devices = 1,
	 .size = {1 << 24}, .tiny = {1000}, .setup = setup_sum, .step = call_1,
	 .limit = LIMIT_SUM, .work = vector_bytes, .bar = 1, .rtol = 1e-3},
	{.name = "sum_of_products", .what = "sum of the products of two f32[4096,1024]",
	 .devices = 1, .size = {4096, 1024}, .tiny = {40, 30}, .setup = setup_sum_of_products,
	 .step = call_2, .limit = LIMIT_SUM, .work = matrix_bytes, .bar = 1, .rtol = 1e-3},
	{.name = "transpose", .what = "transposition of f32[4096,4096]", .devices = 1,
	 .size = {4096, 4096}, .tiny = {40, 30}, .setup = setup_transpose, .step = call_1,
	 .limit = LIMIT_COPY, .work = matrix_bytes, .bar = 3},
	{.name = "softmax", .what = "softmax of rows, f32[4096,1024]", .devices = 1,
	 .setup = setup_softmax, SOFTMAX, .bar = 1.2, .c_bar = 0.95},
	{.name = "softmax_8", .what = "the same, split over 8 devices", .devices = 8,
	 .setup = setup_softmax_8, SOFTMAX, .c_bar = 0.85},
	{.name = "layer_norm", .what = "layer norm of rows, f32[4096,1024]", .devices = 1,
	 .size = {4096, 1024}, .tiny = {16, 40}, .setup = setup_layer_norm, .step = call_3,
	 .limit = LIMIT_COPY, .work = matrix_bytes, .bar = 1.3, .rtol = 1e-5},
	{0},
};
