/* cases_linear.c - Fourier transforms and factorisations. */
#include <math.h>
#include "bench.h"
#define D TSR_DIMS

static void call_1(bench *b, tsr **out) { out[0] = tsr_call(b->fn, b->in[0]); }

/* ---- transforms */

static tsr *fft(tsr *x) { return tsr_fft(x); }
static tsr *rfft(tsr *x) { return tsr_rfft(x); }
static tsr *irfft(tsr *x) { return tsr_irfft(x); }

static tsr *line(bench *b, uint32_t seed, int64_t n) { return scattered(b->ctx, seed, D(n), 2); }

static void setup_fft(bench *b)
{
	const int64_t n = b->size[0];
	b->fn = tsr_jit(b->ctx, fft);
	b->in[0] = tsr_complex(line(b, 1, n), line(b, 2, n));
}

static void setup_rfft(bench *b)
{
	b->fn = tsr_jit(b->ctx, rfft);
	b->in[0] = line(b, 1, b->size[0]);
}

static void setup_irfft(bench *b)
{
	const int64_t n = b->size[0] / 2 + 1;
	b->fn = tsr_jit(b->ctx, irfft);
	b->in[0] = tsr_complex(line(b, 1, n), line(b, 2, n));
}

static void setup_fft_rows(bench *b)
{
	const tsr_dims dims = D(b->size[0], b->size[1]);
	b->fn = tsr_jit(b->ctx, fft);
	b->in[0] = tsr_complex(scattered(b->ctx, 1, dims, 2), scattered(b->ctx, 2, dims, 2));
}

/* n log2 n, times what one element and one halving takes */
static double steps(double n, double each) { return each * n * log2(n); }
static double fft_flops(const int64_t *size) { return steps((double)size[0], 5); }
static double rfft_flops(const int64_t *size) { return steps((double)size[0], 2.5); }
static double rows_flops(const int64_t *size)
{
	return (double)size[0] * steps((double)size[1], 5);
}

/* ---- factorisations */

static tsr *factor(tsr *x) { return tsr_cholesky(x); }

static tsr *factors(tsr *x)
{
	tsr *y[3];

	return tsr_lu(x, y) ? y[0] : NULL;
}

/* definite: its diagonal is larger than the sum of its row */
static tsr *definite(bench *b)
{
	const int64_t n = b->size[0];
	tsr *x = scattered(b->ctx, 1, D(n, n), 1);

	return tsr_add(tsr_add(x, tsr_t(x)), tsr_mul(tsr_eye(b->ctx, n), (double)n));
}

static void setup_cholesky(bench *b)
{
	b->fn = tsr_jit(b->ctx, factor);
	b->in[0] = definite(b);
}

static void setup_lu(bench *b)
{
	b->fn = tsr_jit(b->ctx, factors);
	b->in[0] = definite(b);
}

/* sizes of vectors, whose signs are any */
static void values(tsr_frame *f)
{
	tsr *y[3];

	if (tsr_svd(tsr_frame_arg(f, 0), y)) tsr_return(f, y[1], tsr_abs(y[0]), tsr_abs(y[2]));
}

static void setup_svd(bench *b)
{
	b->fn = tsr_jit(b->ctx, values);
	b->in[0] = scattered(b->ctx, 1, D(b->size[0], b->size[0]), 2);
}

static void call_svd(bench *b, tsr **out)
{
	tsr_call_into(TSR_OUT(&out[0], &out[1], &out[2]), b->fn, b->in[0]);
}

static double cholesky_flops(const int64_t *size) { return pow((double)size[0], 3) / 3; }
static double lu_flops(const int64_t *size) { return 2 * cholesky_flops(size); }

#define TRANSFORM .step = call_1, .limit = LIMIT_FMA, .bar = 1, .rtol = 1e-5

const bench_case cases_linear[] = {
	{.name = "fft", .what = "Fourier transform of 2^20 c64", .devices = 1,
	 .size = {1 << 20}, .tiny = {48}, .setup = setup_fft, .work = fft_flops, TRANSFORM},
	{.name = "rfft", .what = "Fourier transform of 2^20 f32", .devices = 1,
	 .size = {1 << 20}, .tiny = {48}, .setup = setup_rfft, .work = rfft_flops, TRANSFORM},
	{.name = "irfft", .what = "2^20 f32 of their Fourier transform", .devices = 1,
	 .size = {1 << 20}, .tiny = {48}, .setup = setup_irfft, .work = rfft_flops, TRANSFORM},
	{.name = "fft_rows", .what = "Fourier transforms of rows, c64[1024,1024]", .devices = 1,
	 .size = {1024, 1024}, .tiny = {5, 40}, .setup = setup_fft_rows, .work = rows_flops,
	 TRANSFORM},
	{.name = "cholesky", .what = "Cholesky factor of f32[512,512]", .devices = 1,
	 .size = {512}, .tiny = {20}, .setup = setup_cholesky, .step = call_1,
	 .limit = LIMIT_FMA, .work = cholesky_flops, .bar = 1, .rtol = 1e-5},
	{.name = "lu", .what = "triangular factors of f32[512,512]", .devices = 1,
	 .size = {512}, .tiny = {20}, .setup = setup_lu, .step = call_1,
	 .limit = LIMIT_FMA, .work = lu_flops, .bar = 1, .rtol = 1e-5},
	{.name = "svd", .what = "singular values and vectors of f32[512,512]", .devices = 1,
	 .size = {512}, .tiny = {6}, .setup = setup_svd, .step = call_svd, .bar = 1,
	 .rtol = 2e-2},
	{0},
};
