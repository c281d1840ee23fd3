/* cases_exchange.c - one collective a case, of a matrix with rows split over the devices. */
#include "bench.h"
#define P TSR_P
#define D TSR_DIMS

static void call_1(bench *b, tsr **out) { out[0] = tsr_call(b->fn, b->in[0]); }

static tsr *summed(tsr *x) { return tsr_psum(x, "i"); }
static tsr *split_sum(tsr *x) { return tsr_psum_scatter(x, "i", .dim = D(1), .tiled = true); }
static tsr *shifted(tsr *x) { return tsr_ppermute(x, "i", TSR_SHIFT(+1)); }

static tsr *gathered(tsr *x)
{
	return tsr_all_gather(x, "i", .tiled = true, .to = TSR_TO_INVARYING);
}

static tsr *exchanged(tsr *x)
{
	return tsr_all_to_all(x, "i", .split = D(1), .concat = D(0), .tiled = true);
}

static void setup(bench *b, tsr_fn *map)
{
	b->fn = tsr_jit(b->ctx, map);
	b->in[0] = tsr_put(scattered(b->ctx, 1, D(b->size[0], b->size[1]), 4), b->mesh, P("i"));
}

static void setup_psum(bench *b)
{
	setup(b, tsr_shard_map(b->mesh, summed, .sig = "[i] -> []"));
}

static void setup_all_gather(bench *b)
{
	setup(b, tsr_shard_map(b->mesh, gathered, .sig = "[i] -> []"));
}

static void setup_psum_scatter(bench *b)
{
	setup(b, tsr_shard_map(b->mesh, split_sum, .sig = "[i,-] -> [-,i]"));
}

static void setup_all_to_all(bench *b)
{
	setup(b, tsr_shard_map(b->mesh, exchanged, .sig = "[i,-] -> [-,i]"));
}

static void setup_ppermute(bench *b)
{
	setup(b, tsr_shard_map(b->mesh, shifted, .sig = "[i] -> [i]"));
}

/* The matrix is read; results are of its size, but sums over the devices are small beside it.
 * ppermute moves nothing: devices get each other's buffers */
static double matrix_bytes(const int64_t *size) { return 4.0 * (double)(size[0] * size[1]); }
static double moved_bytes(const int64_t *size) { return 2 * matrix_bytes(size); }

#define ON_4 .devices = 4, .size = {1000, 1000}, .tiny = {40, 28}, .step = call_1
#define ON_8 .devices = 8, .size = {4096, 4096}, .tiny = {40, 32}, .step = call_1

const bench_case cases_exchange[] = {
	{.name = "psum_4", .what = "psum of the shards of f32[1000,1000], 4 devices", ON_4,
	 .setup = setup_psum, .limit = LIMIT_CACHE, .work = matrix_bytes,
	 .bar = 3, .rtol = 1e-5},
	{.name = "all_gather_4", .what = "all_gather of f32[1000,1000], 4 devices", ON_4,
	 .setup = setup_all_gather, .limit = LIMIT_CACHE, .work = moved_bytes,
	 .bar = 3},
	{.name = "psum_scatter_4", .what = "psum_scatter of f32[1000,1000], 4 devices",
	 ON_4, .setup = setup_psum_scatter, .limit = LIMIT_CACHE, .work = matrix_bytes,
	 .bar = 3, .rtol = 1e-5},
	{.name = "all_to_all_4", .what = "all_to_all of f32[1000,1000], 4 devices", ON_4,
	 .setup = setup_all_to_all, .limit = LIMIT_CACHE, .work = moved_bytes,
	 .bar = 3},
	{.name = "ppermute_4", .what = "ppermute of f32[1000,1000], 4 devices", ON_4,
	 .setup = setup_ppermute, .bar = 3},
	{.name = "psum_8", .what = "psum of the shards of f32[4096,4096], 8 devices", ON_8,
	 .setup = setup_psum, .limit = LIMIT_COPY, .work = matrix_bytes,
	 .bar = 6, .rtol = 1e-5},
	{.name = "all_gather_8", .what = "all_gather of f32[4096,4096], 8 devices", ON_8,
	 .setup = setup_all_gather, .limit = LIMIT_COPY, .work = moved_bytes,
	 .bar = 15},
	{.name = "psum_scatter_8", .what = "psum_scatter of f32[4096,4096], 8 devices",
	 ON_8, .setup = setup_psum_scatter, .limit = LIMIT_COPY, .work = matrix_bytes,
	 .bar = 2, .rtol = 1e-5},
	{.name = "all_to_all_8", .what = "all_to_all of f32[4096,4096], 8 devices", ON_8,
	 .setup = setup_all_to_all, .limit = LIMIT_COPY, .work = moved_bytes,
	 .bar = 4},
	{.name = "ppermute_8", .what = "ppermute of f32[4096,4096], 8 devices", ON_8,
	 .setup = setup_ppermute, .bar = 50},
	{0},
};
