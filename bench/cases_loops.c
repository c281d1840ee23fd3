/* cases_loops.c - compiled loops of small steps, with and without communication. */
#include "bench.h"
#include <math.h>
#define P TSR_P
#define D TSR_DIMS

static void call_1(bench *b, tsr **out) { out[0] = tsr_call(b->fn, b->in[0]); }

/* the number of steps of a loop is the .env of the fn around it */
static int64_t steps_of(const tsr_frame *frame) { return *(const int64_t *)tsr_frame_env(frame); }

/* ---- on one device */

static tsr *tiny_step(tsr *i, tsr *x)
{
	(void)i;
	return tsr_add(tsr_mul(x, 0.5), 1.0);
}

static void tiny_steps(tsr_frame *frame)
{
	tsr *x = tsr_frame_arg(frame, 0);
	tsr_return(frame, tsr_fori(0, steps_of(frame), tiny_step, x));
}

static void setup_fori(bench *b)
{
	b->fn = tsr_jit(b->ctx, tiny_steps, TSR_ENV(&b->size[0]));
	b->in[0] = scattered(b->ctx, 1, b->size[1] ? D(b->size[1]) : D(), 2);
}

/* ---- a sum over the devices in every step */

static tsr *psum_step(tsr *i, tsr *x)
{
	(void)i;
	return tsr_add(tsr_mul(x, 0.5), tsr_mul(tsr_psum(x, "i"), 0.0625));
}

static void psum_steps(tsr_frame *frame)
{
	tsr *x = tsr_frame_arg(frame, 0);
	tsr_return(frame, tsr_fori(0, steps_of(frame), psum_step, x));
}

static void setup_psum_loop(bench *b)
{
	tsr_fn *map = tsr_shard_map(b->mesh, psum_steps, .sig = "[i] -> [i]", TSR_ENV(&b->size[0]));
	b->fn = tsr_jit(b->ctx, map);
	b->in[0] = tsr_put(scattered(b->ctx, 1, D(b->size[1]), 2), b->mesh, P("i"));
}

/* ---- Rule 30: each step sends one cell to each neighbour */

static tsr *rule30_step(tsr *i, tsr *board)
{
	(void)i;
	tsr *first = tsr_slice(board, 0, 0, 1), *last = tsr_slice(board, 0, -1, TSR_END);
	tsr *left = tsr_ppermute(last, "i", TSR_SHIFT(+1));
	tsr *right = tsr_ppermute(first, "i", TSR_SHIFT(-1));
	tsr *padded = tsr_concatenate(0, left, board, right);
	tsr *l = tsr_slice(padded, 0, 0, -2), *c = tsr_slice(padded, 0, 1, -1);
	tsr *r = tsr_slice(padded, 0, 2, TSR_END);
	return tsr_bitwise_xor(l, tsr_bitwise_or(c, r));
}

static void rule30_steps(tsr_frame *frame)
{
	tsr *board = tsr_frame_arg(frame, 0);
	tsr_return(frame, tsr_fori(0, steps_of(frame), rule30_step, board));
}

static tsr *rule30_one(tsr *board) { return rule30_step(NULL, board); }

/* one living cell in the middle */
static tsr *first_board(bench *b)
{
	tsr *cells = tsr_arange(b->ctx, b->size[1], .dtype = TSR_I32);
	tsr *board = tsr_astype(tsr_eq(cells, b->size[1] / 2), TSR_U32);
	return tsr_put(board, b->mesh, P("i"));
}

static void setup_rule30(bench *b)
{
	tsr_fn *map =
		tsr_shard_map(b->mesh, rule30_steps, .sig = "[i] -> [i]", TSR_ENV(&b->size[0]));
	b->fn = tsr_jit(b->ctx, map);
	b->in[0] = first_board(b);
}

static void setup_rule30_calls(bench *b)
{
	b->fn = tsr_jit(b->ctx, tsr_shard_map(b->mesh, rule30_one, .sig = "[i] -> [i]"));
	b->in[0] = first_board(b);
}

static void rule30_calls(bench *b, tsr **out)
{
	tsr_set(&b->state[0], b->in[0]);
	for (int64_t i = 0; i < b->size[0]; i++) {
		TSR_SCOPE(b->ctx);
		tsr_set(&b->state[0], tsr_call(b->fn, b->state[0]));
	}
	out[0] = b->state[0];
}

/* ---- Jacobi's iteration on a torus: halos from the neighbours along both axes */

/* x with a border from the devices before and behind along an axis of the mesh, which splits dim */
static tsr *bordered(tsr *x, int dim, const char *axis)
{
	tsr *first = tsr_slice(x, dim, 0, 1), *last = tsr_slice(x, dim, -1, TSR_END);
	tsr *before = tsr_ppermute(last, axis, TSR_SHIFT(+1));
	return tsr_concatenate(dim, before, x, tsr_ppermute(first, axis, TSR_SHIFT(-1)));
}

/* the sum of the elements before and behind along a dim */
static tsr *both_sides(tsr *x, int dim, const char *axis)
{
	tsr *y = bordered(x, dim, axis);
	return tsr_add(tsr_slice(y, dim, 0, -2), tsr_slice(y, dim, 2, TSR_END));
}

static tsr *jacobi_step(tsr *i, tsr *x)
{
	(void)i;
	return tsr_mul(tsr_add(both_sides(x, 0, "rows"), both_sides(x, 1, "columns")), 0.25);
}

static void jacobi_steps(tsr_frame *frame)
{
	tsr *x = tsr_frame_arg(frame, 0);
	tsr_return(frame, tsr_fori(0, steps_of(frame), jacobi_step, x));
}

static void setup_torus(bench *b, tsr_mesh *mesh)
{
	const tsr_spec spec = P("rows", "columns");
	tsr_fn *map = tsr_shard_map(mesh, jacobi_steps, .in = TSR_SPECS(spec),
	                            .out = TSR_SPECS(spec), TSR_ENV(&b->size[0]));

	b->fn = tsr_jit(b->ctx, map);
	b->in[0] = tsr_put(scattered(b->ctx, 1, D(b->size[1], b->size[1]), 2), mesh, spec);
}

static void setup_jacobi(bench *b)
{
	setup_torus(b, tsr_mesh_make(b->ctx, {"rows", 1}, {"columns", 1}));
}

static void setup_jacobi_8(bench *b)
{
	setup_torus(b, tsr_mesh_make(b->ctx, {"rows", 4}, {"columns", 2}));
}

static double jacobi_bytes(const int64_t *size) { return 2.0 * 4 * (double)(size[1] * size[1]); }

/* ---- a recurrent cell: h becomes tanh(h w + x u + b), and each h is a result */

TSR_TREE_TYPE(cell, { tsr *w, *u, *b; });
static cell weights; /* those of the body that is being traced */

static void cell_step(tsr_frame *frame)
{
	tsr *h = tsr_frame_arg(frame, 0), *x = tsr_frame_arg(frame, 1);
	tsr *sum = tsr_add(tsr_add(tsr_dot(h, weights.w), tsr_dot(x, weights.u)), weights.b);
	h = tsr_tanh(sum);
	tsr_return(frame, h, h);
}

/* x: [steps, n] */
static tsr *rnn(tsr_tree of, tsr *h, tsr *x)
{
	tsr *all;
	weights = *TSR_TREE_OF(cell, of);
	tsr_scan_into(TSR_OUT(&h, &all), cell_step, h, x);
	return all;
}

static tsr *rnn_loss(tsr_tree of, tsr *h, tsr *x) { return tsr_mean(tsr_square(rnn(of, h, x))); }

static void setup_cell(bench *b, tsr_fn *fn)
{
	const int64_t steps = b->size[0], n = b->size[1];
	const double scale = 2 / sqrt((double)n);
	cell *c = (cell *)b->state;
	b->fn = fn;
	tsr_set(&c->w, scattered(b->ctx, 1, D(n, n), scale));
	tsr_set(&c->u, scattered(b->ctx, 2, D(n, n), scale));
	tsr_set(&c->b, scattered(b->ctx, 3, D(n), 1));
	b->in[0] = scattered(b->ctx, 4, D(n), 2);
	b->in[1] = scattered(b->ctx, 5, D(steps, n), 2);
}

static void setup_rnn(bench *b) { setup_cell(b, tsr_jit(b->ctx, rnn)); }

static void setup_rnn_grad(bench *b)
{
	setup_cell(b, tsr_jit(b->ctx, tsr_grad(b->ctx, rnn_loss)));
}

static void call_rnn(bench *b, tsr **out)
{
	out[0] = tsr_call(b->fn, TSR_TREE(cell, (cell *)b->state), b->in[0], b->in[1]);
}

static void call_rnn_grad(bench *b, tsr **out)
{
	cell g;
	tsr_call_into(TSR_OUT(TSR_TREE(cell, &g)), b->fn, TSR_TREE(cell, (cell *)b->state),
	              b->in[0], b->in[1]);
	out[0] = g.w;
	out[1] = g.u;
	out[2] = g.b;
}

static double rnn_flops(const int64_t *size) { return 4.0 * (double)(size[1] * size[1]); }
static double rnn_grad_flops(const int64_t *size) { return 3 * rnn_flops(size); }

static double rule30_bytes(const int64_t *size) { return 2.0 * 4 * (double)size[1]; }

#define JACOBI .size = {20, 2048}, .tiny = {6, 16}, .step = call_1, .inner = 1, \
	.limit = LIMIT_COPY, .work = jacobi_bytes, .rtol = 1e-5, .c = HAND_JACOBI
#define RULE30 .size = {1000, 100000}, .tiny = {10, 80}, .setup = setup_rule30, .step = call_1, \
	.inner = 1, .limit = LIMIT_CACHE, .work = rule30_bytes, .c = HAND_RULE30

const bench_case cases_loops[] = {
	{.name = "fori_scalar", .what = "a step of fori, x / 2 + 1 of a f32 scalar", .devices = 1,
	 .size = {100000}, .tiny = {50}, .setup = setup_fori, .step = call_1, .inner = 1,
	 .bar = 1, .rtol = 1e-6},
	{.name = "fori_vector", .what = "a step of fori, x / 2 + 1 of f32[8]", .devices = 1,
	 .size = {100000, 8}, .tiny = {50, 8}, .setup = setup_fori, .step = call_1, .inner = 1,
	 .bar = 1, .rtol = 1e-6},
	{.name = "psum_loop", .what = "a step of a compiled loop with a psum of f32[8], 8 devices",
	 .devices = 8, .size = {1000, 8}, .tiny = {20, 8}, .setup = setup_psum_loop,
	 .step = call_1, .inner = 1, .bar = 200, .rtol = 1e-5},
	{.name = "rnn", .what = "a step of a scan of a recurrent cell of 256 features",
	 .devices = 1, .size = {1000, 256}, .tiny = {20, 16}, .setup = setup_rnn,
	 .step = call_rnn, .inner = 1, .limit = LIMIT_FMA, .work = rnn_flops,
	 .bar = 1.5, .rtol = 1e-4},
	{.name = "rnn_grad", .what = "the gradient of its mean square by the weights, a step",
	 .devices = 1, .size = {1000, 256}, .tiny = {20, 16}, .setup = setup_rnn_grad,
	 .step = call_rnn_grad, .inner = 1, .limit = LIMIT_FMA, .work = rnn_grad_flops, .bar = 2,
	 .rtol = 1e-3},
	{.name = "rule30", .what = "a step of Rule 30, 100,000 cells on 8 devices, in a loop",
	 .devices = 8, RULE30, .bar = 50, .c_bar = 0.85},
	{.name = "rule30_one", .what = "the same on one device",
	 .devices = 1, RULE30, .c_bar = 0.95},
	{.name = "jacobi", .what = "a step of the mean of four neighbours, f32[2048,2048]",
	 .devices = 1, .setup = setup_jacobi, JACOBI, .c_bar = 0.95},
	{.name = "jacobi_8", .what = "the same on 4x2 devices, with halos",
	 .devices = 8, .setup = setup_jacobi_8, JACOBI, .c_bar = 0.85},
	{.name = "rule30_calls", .what = "a step of rule30, each a call", .devices = 8,
	 .size = {1000, 100000}, .tiny = {10, 80}, .setup = setup_rule30_calls,
	 .step = rule30_calls, .inner = 1, .limit = LIMIT_CACHE, .work = rule30_bytes},
	{0},
};
