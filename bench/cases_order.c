/* cases_order.c - elements in order, running sums, and rows picked from a table. */
#include "bench.h"
#define D TSR_DIMS

static void call_1(bench *b, tsr **out) { out[0] = tsr_call(b->fn, b->in[0]); }
static void call_2(bench *b, tsr **out) { out[0] = tsr_call(b->fn, b->in[0], b->in[1]); }

static double vector_bytes(const int64_t *size) { return 8.0 * (double)size[0]; }
static double pair_bytes(const int64_t *size) { return 2 * vector_bytes(size); }
static double matrix_bytes(const int64_t *size) { return 8.0 * (double)(size[0] * size[1]); }
static double read_bytes(const int64_t *size) { return 4.0 * (double)(size[0] * size[1]); }
static double row_bytes(const int64_t *size) { return 8.0 * (double)(size[0] * size[2]); }

static void setup_vector(bench *b, tsr_fn *fn)
{
	b->fn = fn;
	b->in[0] = scattered(b->ctx, 1, D(b->size[0]), 2);
}

static void setup_matrix(bench *b, tsr_fn *fn)
{
	b->fn = fn;
	b->in[0] = scattered(b->ctx, 1, D(b->size[0], b->size[1]), 2);
}

/* ---- sorts */

static tsr *sorted(tsr *x) { return tsr_sort(x); }
static void setup_sort(bench *b) { setup_vector(b, tsr_jit(b->ctx, sorted)); }
static void setup_sort_rows(bench *b) { setup_matrix(b, tsr_jit(b->ctx, sorted)); }

static tsr *order(tsr *x) { return tsr_argsort(x); }
static void setup_argsort(bench *b) { setup_vector(b, tsr_jit(b->ctx, order)); }

static void setup_pairs(bench *b)
{
	b->in[0] = scattered(b->ctx, 1, D(b->size[0]), 2);
	b->in[1] = scattered(b->ctx, 2, D(b->size[0]), 2);
}

static void sort_pairs(bench *b, tsr **out)
{
	tsr_sort_operands(b->in, out, 2);
}

static void top_k(bench *b, tsr **out) { tsr_top_k(b->in[0], b->size[2], out); }
static void setup_top_k(bench *b) { setup_matrix(b, NULL); }

/* ---- running sums */

static tsr *sums(tsr *x) { return tsr_cumsum(x, .dim = D(-1)); }
static tsr *sums_down(tsr *x) { return tsr_cumsum(x, .dim = D(0)); }
static void setup_cumsum(bench *b) { setup_vector(b, tsr_jit(b->ctx, sums)); }
static void setup_cumsum_rows(bench *b) { setup_matrix(b, tsr_jit(b->ctx, sums)); }
static void setup_cumsum_columns(bench *b) { setup_matrix(b, tsr_jit(b->ctx, sums_down)); }

/* ---- rows of a table */

static tsr *rows(tsr *table, tsr *which) { return tsr_take(table, 0, which); }

static void setup_rows(bench *b)
{
	const double half = (double)b->size[1] / 2;
	tsr *which = tsr_mul(tsr_add(scattered(b->ctx, 2, D(b->size[0]), 2), 1.0), half);
	b->fn = tsr_jit(b->ctx, rows);
	b->in[0] = scattered(b->ctx, 1, D(b->size[1], b->size[2]), 2);
	b->in[1] = tsr_minimum(tsr_astype(which, TSR_I32), b->size[1] - 1);
}

#define VECTOR .devices = 1, .size = {10000000}, .tiny = {1000}, .limit = LIMIT_COPY, .bar = 1
#define MATRIX .devices = 1, .size = {1000, 10000}, .tiny = {20, 300}, .limit = LIMIT_COPY, \
	.work = matrix_bytes, .bar = 1

const bench_case cases_order[] = {
	{.name = "sort", .what = "sort, 10M f32", VECTOR, .setup = setup_sort, .step = call_1,
	 .work = vector_bytes},
	{.name = "sort_rows", .what = "the rows of 1000x10000 f32 sorted", MATRIX,
	 .setup = setup_sort_rows, .step = call_1},
	{.name = "sort_pairs", .what = "10M f32 sorted by as many others", VECTOR,
	 .setup = setup_pairs, .step = sort_pairs, .work = pair_bytes},
	{.name = "argsort", .what = "where 10M sorted f32 were", VECTOR, .setup = setup_argsort,
	 .step = call_1, .work = vector_bytes},
	{.name = "top_k", .what = "the best 50 of rows, 1024x50257 f32", .devices = 1,
	 .size = {1024, 50257, 50}, .tiny = {3, 400, 5}, .setup = setup_top_k, .step = top_k,
	 .limit = LIMIT_COPY, .work = read_bytes, .bar = 1},
	{.name = "top_k_one", .what = "the best 100 of 10M f32", .devices = 1,
	 .size = {1, 10000000, 100}, .tiny = {1, 2000, 7}, .setup = setup_top_k, .step = top_k,
	 .limit = LIMIT_COPY, .work = read_bytes, .bar = 1},
	{.name = "cumsum", .what = "running sums of 10M f32", VECTOR, .setup = setup_cumsum,
	 .step = call_1, .work = vector_bytes, .rtol = 1e-4},
	{.name = "cumsum_rows", .what = "running sums along rows, 1000x10000 f32", MATRIX,
	 .setup = setup_cumsum_rows, .step = call_1, .rtol = 1e-5},
	{.name = "cumsum_columns", .what = "running sums along columns, 1000x10000 f32", MATRIX,
	 .setup = setup_cumsum_columns, .step = call_1, .rtol = 1e-5},
	{.name = "gather_rows", .what = "1M rows of 64 f32, picked from 200000", .devices = 1,
	 .size = {1000000, 200000, 64}, .tiny = {100, 30, 8}, .setup = setup_rows, .step = call_2,
	 .limit = LIMIT_COPY, .work = row_bytes, .bar = 1},
	{0},
};
