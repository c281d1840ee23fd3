/* cases_random.c - large arrays of random numbers. */
#include "bench.h"
#define D TSR_DIMS

static int64_t count; /* fns of one process draw as many each time */

static tsr *bits(tsr *key) { return tsr_random_bits(key, D(count)); }
static tsr *normals(tsr *key) { return tsr_normal(key, D(count)); }

static void setup(bench *b, tsr *(*draw)(tsr *))
{
	count = b->size[0];
	b->fn = tsr_mesh_size(b->mesh) > 1
	                ? tsr_jit(b->ctx, draw, .mesh = b->mesh, .out = TSR_SPECS(TSR_P("i")))
	                : tsr_jit(b->ctx, draw);
	b->in[0] = tsr_key(b->ctx, 1);
}

static void setup_bits(bench *b) { setup(b, bits); }
static void setup_normals(bench *b) { setup(b, normals); }

/* the random matrices of JAX's pmap cookbook: one for each device, of a key of its own */
static int64_t rows, columns;

static tsr *matrix(tsr *key) { return tsr_normal(key, D(rows, columns)); }

static void setup_matrices(bench *b)
{
	const int64_t n = tsr_mesh_size(b->mesh);

	rows = b->size[0], columns = b->size[1];
	b->fn = tsr_pmap(b->ctx, matrix, .axis = "i");
	b->in[0] = tsr_put(tsr_split_keys(tsr_key(b->ctx, 1), D(n)), b->mesh, TSR_P("i"));
}

static double matrices_bytes(const int64_t *size)
{
	return 8 * 4 * (double)size[0] * (double)size[1];
}

static void call_1(bench *b, tsr **out) { out[0] = tsr_call(b->fn, b->in[0]); }
static double bytes(const int64_t *size) { return 4.0 * (double)size[0]; }

#define DRAW .size = {30000000}, .tiny = {1000}, .step = call_1, .limit = LIMIT_COPY, \
	.work = bytes

const bench_case cases_random[] = {
	{.name = "random_bits", .what = "random bits, 30M u32", .devices = 1,
	 .setup = setup_bits, DRAW, .bar = 15},
	{.name = "random_bits_8", .what = "the same, split over 8 devices", .devices = 8,
	 .setup = setup_bits, DRAW, .bar = 15},
	{.name = "random_normals", .what = "normal random numbers, 30M f32", .devices = 1,
	 .setup = setup_normals, DRAW, .bar = 8},
	{.name = "random_normals_8", .what = "the same, split over 8 devices", .devices = 8,
	 .setup = setup_normals, DRAW, .bar = 8},
	{.name = "cookbook_random", .what = "pmap of normals by eight keys, f32[2500,3000] each",
	 .devices = 8, .size = {2500, 3000}, .tiny = {20, 30}, .setup = setup_matrices,
	 .step = call_1, .limit = LIMIT_COPY, .work = matrices_bytes, .bar = 8},
	{0},
};
