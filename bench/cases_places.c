/* cases_places.c - single elements at indices from an array, and functions made with them: counts
 * by bins, sorted places, lines between points. */
#include "bench.h"
#define D TSR_DIMS

static void call_1(bench *b, tsr **out) { out[0] = tsr_call(b->fn, b->in[0]); }
static void call_2(bench *b, tsr **out) { out[0] = tsr_call(b->fn, b->in[0], b->in[1]); }

static void call_3(bench *b, tsr **out)
{
	out[0] = tsr_call(b->fn, b->in[0], b->in[1], b->in[2]);
}

/* n whole numbers below `end`, i32 */
static tsr *places(bench *b, int64_t n, int64_t end)
{
	tsr *x = tsr_mul(tsr_add(scattered(b->ctx, 2, D(n), 2), 1.0), (double)end / 2);
	return tsr_minimum(tsr_astype(x, TSR_I32), end - 1);
}

/* ---- elements */

static tsr *take(tsr *x, tsr *i) { return tsr_take(x, 0, i); }
static tsr *take_any(tsr *x, tsr *i) { return tsr_take(x, 0, i, .mode = TSR_PROMISE_IN_BOUNDS); }
static tsr *table(tsr *like) { return tsr_zeros(like, D(1000)); }
static tsr *add(tsr *i, tsr *x) { return tsr_at_add(table(x), 0, i, x); }
static tsr *max(tsr *i, tsr *x) { return tsr_at_max(table(x), 0, i, x); }
static tsr *set(tsr *i, tsr *x) { return tsr_at_set(table(x), 0, i, x); }

/* places in `end` elements, and as many numbers */
static void setup(bench *b, tsr_fn *fn, int64_t end)
{
	b->fn = fn;
	b->in[0] = places(b, b->size[0], end);
	b->in[1] = scattered(b->ctx, 1, D(b->size[0]), 2);
}

static void setup_take(bench *b)
{
	setup(b, tsr_jit(b->ctx, take), b->size[0]);
	tsr *i = b->in[0];
	b->in[0] = b->in[1], b->in[1] = i;
}

static void setup_take_any(bench *b)
{
	setup_take(b);
	b->fn = tsr_jit(b->ctx, take_any);
}

static void setup_add(bench *b) { setup(b, tsr_jit(b->ctx, add), 1000); }
static void setup_max(bench *b) { setup(b, tsr_jit(b->ctx, max), 1000); }
static void setup_set(bench *b) { setup(b, tsr_jit(b->ctx, set), 1000); }

/* ---- rows: a table of 1000 rows of size[1] numbers */

static tsr *add_rows(tsr *i, tsr *x)
{
	return tsr_at_add(tsr_zeros(x, D(1000, tsr_dim(x, 1))), 0, i, x);
}

static void setup_rows(bench *b)
{
	b->fn = tsr_jit(b->ctx, add_rows);
	b->in[0] = places(b, b->size[0], 1000);
	b->in[1] = scattered(b->ctx, 1, D(b->size[0], b->size[1]), 2);
}

/* ---- bins */

static tsr *count(tsr *i) { return tsr_bincount(i, 1000); }
static void setup_count(bench *b) { setup(b, tsr_jit(b->ctx, count), 1000); }

static void histogram(tsr_frame *f)
{
	tsr *y[2];

	if (tsr_histogram(tsr_frame_arg(f, 0), 100, y)) tsr_return(f, y[0]);
}

static void setup_histogram(bench *b)
{
	b->fn = tsr_jit(b->ctx, histogram);
	b->in[0] = scattered(b->ctx, 1, D(b->size[0]), 2);
}

/* ---- sorted places and lines: size[1] points from -1 to 1, sorted */

static tsr *stand(tsr *at, tsr *x) { return tsr_searchsorted(at, x); }
static tsr *among(tsr *set, tsr *x) { return tsr_isin(x, set); }
static tsr *on_lines(tsr *x, tsr *at, tsr *y) { return tsr_interp(x, at, y); }

static void setup_sorted(bench *b)
{
	b->fn = tsr_jit(b->ctx, stand);
	b->in[0] = tsr_sort(scattered(b->ctx, 2, D(b->size[1]), 2));
	b->in[1] = scattered(b->ctx, 1, D(b->size[0]), 2);
}

static void setup_among(bench *b)
{
	b->fn = tsr_jit(b->ctx, among);
	for (uint32_t k = 0; k < 2; k++)
		b->in[k] = tsr_floor(scattered(b->ctx, 1 + k, D(b->size[k]), 40000));
}

static void setup_lines(bench *b)
{
	b->fn = tsr_jit(b->ctx, on_lines);
	b->in[0] = scattered(b->ctx, 1, D(b->size[0]), 2);
	b->in[1] = tsr_sort(scattered(b->ctx, 2, D(b->size[1]), 2));
	b->in[2] = scattered(b->ctx, 3, D(b->size[1]), 2);
}

#define PLACES .devices = 1, .size = {1000000}, .tiny = {300}, .bar = 1, .rtol = 1e-6

const bench_case cases_places[] = {
	{.name = "take", .what = "1M f32 picked from as many", PLACES, .setup = setup_take,
	 .step = call_2},
	{.name = "take_in_bounds", .what = "1M f32 picked from as many, all there", PLACES,
	 .setup = setup_take_any, .step = call_2},
	{.name = "at_add", .what = "1M f32 added at places in 1000", PLACES, .setup = setup_add,
	 .step = call_2},
	{.name = "at_max", .what = "the largest of 1M f32 at places in 1000", PLACES,
	 .setup = setup_max, .step = call_2},
	{.name = "at_set", .what = "the last of 1M f32 at places in 1000", PLACES,
	 .setup = setup_set, .step = call_2},
	{.name = "at_add_rows", .what = "100000 rows of 64 f32 added at places in 1000 rows",
	 .devices = 1, .size = {100000, 64}, .tiny = {300, 17}, .setup = setup_rows,
	 .step = call_2, .bar = 1, .rtol = 1e-6},
	{.name = "bincount", .what = "1M i32 below 1000 counted", PLACES, .setup = setup_count,
	 .step = call_1},
	/* a number at an edge that is rounded otherwise may be in the next bin */
	{.name = "histogram", .what = "1M f32 counted in 100 bins", .devices = 1,
	 .size = {1000000}, .tiny = {300}, .setup = setup_histogram, .step = call_1, .bar = 1,
	 .rtol = 1e-2},
	{.name = "searchsorted", .what = "where 1M f32 stand among 1000", .devices = 1,
	 .size = {1000000, 1000}, .tiny = {300, 17}, .setup = setup_sorted, .step = call_2,
	 .bar = 1},
	{.name = "isin", .what = "which of 30000 f32 are among as many", .devices = 1,
	 .size = {30000, 30000}, .tiny = {300, 17}, .setup = setup_among, .step = call_2,
	 .bar = 1},
	{.name = "interp", .what = "1M f32 on lines between 1000 points", .devices = 1,
	 .size = {1000000, 1000}, .tiny = {300, 17}, .setup = setup_lines, .step = call_3,
	 .bar = 1, .rtol = 1e-4},
	{0},
};
