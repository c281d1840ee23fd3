/* cases_calls.c - measures the cost of calls with next to nothing to compute. */
#include "bench.h"
#define P TSR_P
#define D TSR_DIMS

static void call_1(bench *b, tsr **out) { out[0] = tsr_call(b->fn, b->in[0]); }

static tsr *plus_one(tsr *x) { return tsr_add(x, 1.0); }

static void setup_jit_add(bench *b)
{
	b->fn = tsr_jit(b->ctx, plus_one);
	b->in[0] = scattered(b->ctx, 1, D(b->size[0]), 2);
}

static void setup_jit_add_8(bench *b)
{
	setup_jit_add(b);
	b->in[0] = tsr_put(b->in[0], b->mesh, P("i"));
}

static void setup_eager_add(bench *b)
{
	b->in[0] = scattered(b->ctx, 1, D(b->size[0]), 2);
	b->in[1] = scattered(b->ctx, 2, D(b->size[0]), 2);
}

static void eager_add(bench *b, tsr **out) { out[0] = tsr_add(b->in[0], b->in[1]); }

static tsr *sum_of_all(tsr *x) { return tsr_psum(x, "i"); }

static tsr_fn *psum_map(const bench *b)
{
	return tsr_shard_map(b->mesh, sum_of_all, .sig = "[i] -> []");
}

static void setup_psum_eager(bench *b)
{
	b->in[0] = tsr_put(scattered(b->ctx, 1, D(b->size[1]), 2), b->mesh, P("i"));
}

static void setup_psum_jit(bench *b)
{
	setup_psum_eager(b);
	b->fn = tsr_jit(b->ctx, psum_map(b));
}

/* makes the map anew, as code outside jit does */
static void psum_eager(bench *b, tsr **out) { out[0] = tsr_call(psum_map(b), b->in[0]); }

const bench_case cases_calls[] = {
	{.name = "start", .what = "process of the first seed, from its start to its end",
	 .kind = BENCH_PROCESS, .bar = 10},
	{.name = "jit_add", .what = "jit of x + 1, f32[8]", .devices = 1,
	 .size = {8}, .tiny = {8}, .setup = setup_jit_add, .step = call_1, .bar = 15},
	{.name = "eager_add", .what = "x + y outside jit, f32[8]", .devices = 1,
	 .size = {8}, .tiny = {8}, .setup = setup_eager_add, .step = eager_add, .bar = 10},
	{.name = "jit_add_8", .what = "jit of x + 1, f32[8] split over 8 devices", .devices = 8,
	 .size = {8}, .tiny = {8}, .setup = setup_jit_add_8, .step = call_1, .bar = 100},
	{.name = "psum_jit", .what = "jit of psum, f32[8] split over 8 devices", .devices = 8,
	 .size = {0, 8}, .tiny = {0, 8}, .setup = setup_psum_jit, .step = call_1, .bar = 200},
	{.name = "psum_eager", .what = "psum outside jit, f32[8] split over 8 devices",
	 .devices = 8, .size = {0, 8}, .tiny = {0, 8}, .setup = setup_psum_eager,
	 .step = psum_eager, .bar = 5000},
	{.name = "psum_row", .what = "10^6 calls of psum_jit in a row, memory flat", .devices = 8,
	 .kind = BENCH_ROW, .size = {1000000, 8}, .tiny = {1000, 8}, .setup = setup_psum_jit,
	 .step = call_1, .inner = 1},
	{0},
};
