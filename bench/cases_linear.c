/* cases_linear.c - Fourier transforms, and factorisations of large and of many small matrices. */
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

/* ---- of matrices that are not symmetric, and of symmetric ones */

static void setup_matrix(bench *b, tsr_fn *fn)
{
	b->fn = fn;
	b->in[0] = scattered(b->ctx, 1, D(b->size[0], b->size[0]), 2);
}

/* eigenvalues alone, in order */
static tsr *eigenvalues(tsr *x)
{
	tsr *y[2];

	return tsr_eigh(x, y) ? y[0] : NULL;
}

static void setup_eigh(bench *b)
{
	b->fn = tsr_jit(b->ctx, eigenvalues);
	b->in[0] = definite(b);
}

/* the sizes of eigenvalues, in order: their own order is any */
static tsr *sizes(tsr *x)
{
	tsr *y[3];

	return tsr_eig(x, y) ? tsr_sort(tsr_abs(y[0])) : NULL;
}

static void setup_eig(bench *b) { setup_matrix(b, tsr_jit(b->ctx, sizes)); }

/* ---- many small matrices: size[0] of size[1] x size[1] */

static void setup_small(bench *b, tsr_fn *fn)
{
	const int64_t many = b->size[0], n = b->size[1];
	tsr *x = scattered(b->ctx, 1, D(many, n, n), 1);

	b->fn = fn;
	x = tsr_add(x, tsr_matrix_transpose(x));
	b->in[0] = tsr_add(x, tsr_mul(tsr_eye(b->ctx, n), (double)n));
	b->in[1] = scattered(b->ctx, 2, D(many, n), 2);
}

static tsr *inverse(tsr *x) { return tsr_inv(x); }
static tsr *solution(tsr *x, tsr *y) { return tsr_solve(x, tsr_expand_dims(y, D(-1))); }

/* of either sign */
static void orthogonal(tsr_frame *f)
{
	tsr *y[2];

	if (tsr_qr(tsr_frame_arg(f, 0), y)) tsr_return(f, tsr_abs(y[0]), tsr_abs(y[1]));
}

static void setup_small_cholesky(bench *b) { setup_small(b, tsr_jit(b->ctx, factor)); }
static void setup_small_lu(bench *b) { setup_small(b, tsr_jit(b->ctx, factors)); }
static void setup_small_qr(bench *b) { setup_small(b, tsr_jit(b->ctx, orthogonal)); }
static void setup_small_inv(bench *b) { setup_small(b, tsr_jit(b->ctx, inverse)); }
static void setup_small_solve(bench *b) { setup_small(b, tsr_jit(b->ctx, solution)); }

static void call_solve(bench *b, tsr **out) { out[0] = tsr_call(b->fn, b->in[0], b->in[1]); }
static void call_qr(bench *b, tsr **out)
{
	tsr_call_into(TSR_OUT(&out[0], &out[1]), b->fn, b->in[0]);
}

static double cholesky_flops(const int64_t *size) { return pow((double)size[0], 3) / 3; }
static double lu_flops(const int64_t *size) { return 2 * cholesky_flops(size); }

#define SMALL .devices = 1, .size = {10000, 8}, .tiny = {7, 5}, .bar = 1, .rtol = 1e-4
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
	{.name = "eigh", .what = "eigenvalues of symmetric f32[512,512]", .devices = 1,
	 .size = {512}, .tiny = {6}, .setup = setup_eigh, .step = call_1, .rtol = 1e-4},
	{.name = "eig", .what = "sizes of the eigenvalues of f32[256,256]", .devices = 1,
	 .size = {256}, .tiny = {6}, .setup = setup_eig, .step = call_1, .rtol = 1e-3},
	{.name = "small_cholesky", .what = "Cholesky factors of 10000 f32[8,8]", SMALL,
	 .setup = setup_small_cholesky, .step = call_1},
	{.name = "small_lu", .what = "triangular factors of 10000 f32[8,8]", SMALL,
	 .setup = setup_small_lu, .step = call_1},
	{.name = "small_qr", .what = "orthogonal factors of 10000 f32[8,8]", SMALL,
	 .setup = setup_small_qr, .step = call_qr},
	{.name = "small_inv", .what = "inverses of 10000 f32[8,8]", SMALL,
	 .setup = setup_small_inv, .step = call_1},
	{.name = "small_solve", .what = "10000 systems of 8 equations", SMALL,
	 .setup = setup_small_solve, .step = call_solve},
	{0},
};
