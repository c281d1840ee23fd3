/* cases_called.c - cases of rows without a kernel: compiled programs call the interpreter's code
 * for them (docs/debugging.md lists the rows). */
#include "bench.h"
#define D TSR_DIMS

static void call_1(bench *b, tsr **out) { out[0] = tsr_call(b->fn, b->in[0]); }
static void call_2(bench *b, tsr **out) { out[0] = tsr_call(b->fn, b->in[0], b->in[1]); }
static void call_3(bench *b, tsr **out)
{
	out[0] = tsr_call(b->fn, b->in[0], b->in[1], b->in[2]);
}

/* ---- running products, extremes and logarithms of sums, along rows */

static tsr *products(tsr *x) { return tsr_cumprod(x, .dim = D(-1)); }
static tsr *largest(tsr *x) { return tsr_cummax(x, .dim = D(-1)); }
static tsr *smallest(tsr *x) { return tsr_cummin(x, .dim = D(-1)); }
static tsr *logarithms(tsr *x) { return tsr_cumlogsumexp(x, .dim = D(-1)); }

static void setup_rows(bench *b, tsr_fn *fn)
{
	b->fn = fn;
	b->in[0] = scattered(b->ctx, 1, D(b->size[0], b->size[1]), 2);
}

static void setup_products(bench *b) { setup_rows(b, tsr_jit(b->ctx, products)); }
static void setup_largest(bench *b) { setup_rows(b, tsr_jit(b->ctx, largest)); }
static void setup_smallest(bench *b) { setup_rows(b, tsr_jit(b->ctx, smallest)); }
static void setup_logarithms(bench *b) { setup_rows(b, tsr_jit(b->ctx, logarithms)); }

/* ---- shares of functions, of numbers from 0.5 to 4.5; places from 0 to 1 */

static tsr *lower(tsr *a, tsr *x) { return tsr_igamma(a, x); }
static tsr *upper(tsr *a, tsr *x) { return tsr_igammac(a, x); }
static tsr *slope(tsr *a, tsr *x) { return tsr_igamma_grad_a(a, x); }
static tsr *sample_slope(tsr *a, tsr *x) { return tsr_random_gamma_grad(a, x); }
static tsr *share(tsr *a, tsr *c, tsr *x) { return tsr_betainc(a, c, x); }

static void setup_shares(bench *b, tsr_fn *fn)
{
	b->fn = fn;
	for (uint32_t k = 0; k < 2; k++)
		b->in[k] = tsr_add(scattered(b->ctx, 1 + k, D(b->size[0]), 4), 2.5);
	b->in[2] = tsr_add(scattered(b->ctx, 3, D(b->size[0]), 0.98), 0.5);
}

static void setup_lower(bench *b) { setup_shares(b, tsr_jit(b->ctx, lower)); }
static void setup_upper(bench *b) { setup_shares(b, tsr_jit(b->ctx, upper)); }
static void setup_slope(bench *b) { setup_shares(b, tsr_jit(b->ctx, slope)); }
static void setup_sample_slope(bench *b) { setup_shares(b, tsr_jit(b->ctx, sample_slope)); }
static void setup_share(bench *b) { setup_shares(b, tsr_jit(b->ctx, share)); }

/* how many there are stays the same, and so does about what they add up to */
static tsr *draw(tsr *key, tsr *a) { return tsr_mean(tsr_random_gamma(key, a)); }

/* ---- matrices of other forms: what their signs and the order of their parts do not change */

static tsr *solved(tsr *a, tsr *b) { return tsr_solve_triangular(a, b, .lower = true); }

static tsr *schur_form(tsr *x)
{
	tsr *y[2];

	return tsr_schur(x, y) ? tsr_sum(tsr_square(y[0])) : NULL;
}

static tsr *hessenberg_form(tsr *x)
{
	tsr *y[2];

	return tsr_hessenberg(x, y) ? tsr_sum(tsr_square(y[0])) : NULL;
}

static tsr *tridiagonal_form(tsr *x)
{
	tsr *y[4];

	return tsr_tridiagonal(x, y) ? tsr_sum(tsr_square(y[1])) : NULL;
}

static void setup_draw(bench *b)
{
	b->fn = tsr_jit(b->ctx, draw);
	b->in[0] = tsr_key(b->ctx, 1);
	b->in[1] = tsr_add(scattered(b->ctx, 1, D(b->size[0]), 4), 2.5);
}

/* its diagonal is larger than the sum of its row */
static void setup_matrix(bench *b, tsr_fn *fn)
{
	const int64_t n = b->size[0];
	tsr *x = scattered(b->ctx, 1, D(n, n), 1);

	b->fn = fn;
	b->in[0] = tsr_add(tsr_add(x, tsr_t(x)), tsr_mul(tsr_eye(b->ctx, n), (double)n));
	b->in[1] = scattered(b->ctx, 2, D(n, n), 2);
}

static void setup_solved(bench *b) { setup_matrix(b, tsr_jit(b->ctx, solved)); }
static void setup_schur(bench *b) { setup_matrix(b, tsr_jit(b->ctx, schur_form)); }
static void setup_hessenberg(bench *b) { setup_matrix(b, tsr_jit(b->ctx, hessenberg_form)); }
static void setup_tridiagonal(bench *b) { setup_matrix(b, tsr_jit(b->ctx, tridiagonal_form)); }

#define ROWS(name_, what_) {.name = #name_, .what = what_ ", 1000x10000 f32", .devices = 1, \
	.size = {1000, 10000}, .tiny = {5, 300}, .step = call_1, .rtol = 1e-4,
#define SHARES(name_, what_) {.name = #name_, .what = what_ ", 100000 f32", .devices = 1, \
	.size = {100000}, .tiny = {100}, .step = call_2, .rtol = 1e-4,
#define MATRIX(name_, what_) {.name = #name_, .what = what_ " of f32[256,256]", .devices = 1, \
	.size = {256}, .tiny = {6}, .step = call_1, .rtol = 1e-3,

const bench_case cases_called[] = {
	ROWS(cumprod, "running products along rows") .setup = setup_products},
	ROWS(cummax, "the largest so far along rows") .setup = setup_largest},
	ROWS(cummin, "the smallest so far along rows") .setup = setup_smallest},
	ROWS(cumlogsumexp, "logarithms of running sums along rows") .setup = setup_logarithms},
	SHARES(igamma, "incomplete gamma functions") .setup = setup_lower},
	SHARES(igammac, "the rest of incomplete gamma functions") .setup = setup_upper},
	SHARES(igamma_grad_a, "their slopes") .setup = setup_slope},
	SHARES(random_gamma_grad, "slopes of gamma numbers") .setup = setup_sample_slope},
	{.name = "betainc", .what = "incomplete beta functions, 100000 f32", .devices = 1,
	 .size = {100000}, .tiny = {100}, .step = call_3, .rtol = 1e-4, .setup = setup_share},
	SHARES(random_gamma, "the mean of gamma numbers") .setup = setup_draw},
	{.name = "triangular_solve", .what = "systems of f32[256,256], triangular", .devices = 1,
	 .size = {256}, .tiny = {6}, .step = call_2, .rtol = 1e-3, .setup = setup_solved},
	MATRIX(schur, "the Schur form") .setup = setup_schur},
	MATRIX(hessenberg, "the Hessenberg form") .setup = setup_hessenberg},
	MATRIX(tridiagonal, "the tridiagonal form") .setup = setup_tridiagonal},
	{0},
};
