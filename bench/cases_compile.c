/* cases_compile.c - measures compile times by the number of equations, with equal layers, and how
 * long programs of small work are interpreted. */
#include "bench.h"
#include <math.h>
#define D TSR_DIMS

static void call_2(bench *b, tsr **out) { out[0] = tsr_call(b->fn, b->in[0], b->in[1]); }

static int64_t count_of(const tsr_frame *frame) { return *(const int64_t *)tsr_frame_env(frame); }

/* Ten equations, of which no two groups have the same: a product, a row's largest element, and
 * elementwise operations with numbers of their own. */
static tsr *ten_equations(tsr *x, tsr *w, double k)
{
	tsr *y = tsr_tanh(tsr_add(tsr_dot(x, w), k));
	tsr *z = tsr_sub(tsr_mul(y, 1 + 1 / (k + 2)), tsr_sin(x));
	return tsr_sub(tsr_mul(z, 0.5), tsr_max(y, .dims = D(-1), .keep = true));
}

static void equations(tsr_frame *frame)
{
	tsr *x = tsr_frame_arg(frame, 0), *w = tsr_frame_arg(frame, 1);
	for (int64_t k = 0; k < count_of(frame) / 10; k++) x = ten_equations(x, w, (double)k);
	tsr_return(frame, x);
}

static void setup_equations(bench *b)
{
	const int64_t n = b->size[1];
	b->fn = tsr_jit(b->ctx, equations, TSR_ENV(&b->size[0]));
	b->in[0] = scattered(b->ctx, 1, D(n, n), 2);
	b->in[1] = scattered(b->ctx, 2, D(n, n), 2 / sqrt((double)n));
}

/* a product into a wider layer, one back, both with relu, the input added, rows normalised */
static tsr *layer(tsr *x, tsr *w, tsr *v)
{
	tsr *y = tsr_add(tsr_dot(tsr_relu(tsr_dot(x, w)), v), x);
	tsr *apart = tsr_sub(y, tsr_mean(y, .dims = D(-1), .keep = true));
	tsr *variance = tsr_mean(tsr_square(apart), .dims = D(-1), .keep = true);
	return tsr_mul(apart, tsr_rsqrt(tsr_add(variance, 1e-5)));
}

/* w: [layers, n, 4n], v: [layers, 4n, n] */
static void layers(tsr_frame *frame)
{
	tsr *x = tsr_frame_arg(frame, 0), *w = tsr_frame_arg(frame, 1);
	tsr *v = tsr_frame_arg(frame, 2);
	for (int64_t k = 0; k < count_of(frame); k++)
		x = layer(x, tsr_index(w, 0, k), tsr_index(v, 0, k));
	tsr_return(frame, x);
}

static void setup_layers(bench *b)
{
	const int64_t count = b->size[0], n = b->size[1];
	b->fn = tsr_jit(b->ctx, layers, TSR_ENV(&b->size[0]));
	b->in[0] = scattered(b->ctx, 1, D(n, n), 2);
	b->in[1] = scattered(b->ctx, 2, D(count, n, 4 * n), 2 / sqrt((double)n));
	b->in[2] = scattered(b->ctx, 3, D(count, 4 * n, n), 2 / sqrt((double)n));
}

static void call_3(bench *b, tsr **out) { out[0] = tsr_call(b->fn, b->in[0], b->in[1], b->in[2]); }

/* ---- until there is machine code */

static tsr *small_products(tsr *x, tsr *w)
{
	for (int i = 0; i < 20; i++) x = tsr_tanh(tsr_dot(x, w));
	return tsr_sum(x);
}

static tsr *small_kernels(tsr *x, tsr *w)
{
	for (int i = 0; i < 20; i++) x = tsr_cumsum(tsr_sin(tsr_mul(x, w)), .dim = D(1));
	return tsr_sum(x);
}

static tsr *exchange(tsr *x, tsr *w)
{
	for (int i = 0; i < 10; i++) {
		tsr *all = tsr_psum(tsr_sin(x), "i");
		x = tsr_add(tsr_mul(x, w), tsr_mul(all, 0.1));
	}
	return x;
}

/* size: rows on each device, columns */
static void setup_small(bench *b, tsr_fn *fn, tsr_dims w)
{
	const int64_t rows = b->size[0] * tsr_device_count(b->ctx);
	b->fn = tsr_jit(b->ctx, fn);
	b->in[0] = tsr_put(scattered(b->ctx, 1, D(rows, b->size[1]), 2), b->mesh, TSR_P("i"));
	b->in[1] = tsr_put(scattered(b->ctx, 2, w, 1), b->mesh, TSR_P());
	tsr_wait(b->in[0]);
	tsr_wait(b->in[1]);
}

static void setup_small_products(bench *b)
{
	setup_small(b, tsr_grad(b->ctx, small_products), D(b->size[1], b->size[1]));
}
static void setup_small_kernels(bench *b)
{
	setup_small(b, tsr_grad(b->ctx, small_kernels), D(b->size[1]));
}
static void setup_small_exchanges(bench *b)
{
	tsr_fn *map = tsr_shard_map(b->mesh, exchange, .sig = "[i,-] [-] -> [i,-]");
	setup_small(b, map, D(b->size[1]));
}

#define UNTIL .devices = 8, .size = {4, 16}, .tiny = {1, 3}, .step = call_2, .rtol = 1e-3
#define WAITING UNTIL, .kind = BENCH_WAITING, .than_bar = 0.4
#define AT_ONCE UNTIL, .kind = BENCH_AT_ONCE

#define EQUATIONS .kind = BENCH_FIRST, .devices = 1, .setup = setup_equations, .step = call_2, \
	.rtol = 1e-3
#define LAYERS .kind = BENCH_FIRST, .devices = 1, .setup = setup_layers, .step = call_3, \
	.rtol = 1e-3

const bench_case cases_compile[] = {
	{.name = "equations_100", .what = "compiling 100 equations",
	 .size = {100, 64}, .tiny = {20, 8}, EQUATIONS, .bar = 1.5},
	{.name = "equations_1000", .what = "compiling 1,000 equations",
	 .size = {1000, 64}, .tiny = {30, 8}, EQUATIONS, .bar = 1.5},
	{.name = "equations_3000", .what = "compiling 3,000 equations",
	 .size = {3000, 64}, .tiny = {40, 8}, EQUATIONS, .bar = 1.5},
	{.name = "layers_2", .what = "compiling 2 equal layers",
	 .size = {2, 64}, .tiny = {2, 8}, LAYERS},
	{.name = "layers_24", .what = "compiling 24 equal layers",
	 .size = {24, 64}, .tiny = {3, 8}, LAYERS},
	{.name = "products_at_once", .what = "the gradient of 20 small products, compiled at once",
	 .setup = setup_small_products, AT_ONCE},
	{.name = "products_waiting", .what = "the same, interpreted until compiling pays",
	 .setup = setup_small_products, WAITING, .than = "products_at_once"},
	{.name = "kernels_at_once", .what = "the gradient of 40 small kernels, compiled at once",
	 .setup = setup_small_kernels, AT_ONCE},
	{.name = "kernels_waiting", .what = "the same, interpreted until compiling pays",
	 .setup = setup_small_kernels, WAITING, .than = "kernels_at_once"},
	{.name = "psums_at_once", .what = "10 sums over 8 devices, compiled at once",
	 .setup = setup_small_exchanges, AT_ONCE},
	{.name = "psums_waiting", .what = "the same, interpreted until compiling pays",
	 .setup = setup_small_exchanges, WAITING, .than = "psums_at_once"},
	{0},
};
