/* cases_training.c - steps of AdamW: with given gradients, bound by memory, and in training a relu
 * network of two layers, on one device, and on eight with the batch split, where each has all of
 * the state or, as in ZeRO-1, a part. */
#include "bench.h"
#include <math.h>
#include <string.h>
#define P TSR_P
#define D TSR_DIMS

/* the parameters are the first slots of the state, behind them is that of the optimiser */
enum { PARAMS = 4, MOMENTS = 1 + 2 * PARAMS };
_Static_assert(PARAMS + MOMENTS <= BENCH_STATE, "slots");

static tsr_tree params_of(bench *b) { return TSR_LEAVES(b->state, PARAMS); }
static tsr_tree moments_of(bench *b) { return TSR_LEAVES(b->state + PARAMS, MOMENTS); }

static void make_state(bench *b, const tsr_optimizer *opt)
{
	const tsr_tree made = tsr_optimizer_init(opt, params_of(b));

	if (made.count == MOMENTS) memcpy(b->state + PARAMS, made.leaf, MOMENTS * sizeof(tsr *));
}

/* ---- with given gradients: sizes are those of a matrix */

static void update(tsr_frame *f)
{
	const tsr_tree params = tsr_frame_tree(f, 0), state = tsr_frame_tree(f, 1);
	tsr *w[PARAMS], *s[MOMENTS];

	memcpy(w, params.leaf, sizeof w);
	memcpy(s, state.leaf, sizeof s);
	tsr_optimizer_update(tsr_adamw(f, 1e-3), tsr_frame_tree(f, 2), TSR_LEAVES(w, PARAMS),
	                     TSR_LEAVES(s, MOMENTS));
	tsr_return(f, TSR_LEAVES(w, PARAMS), TSR_LEAVES(s, MOMENTS));
}

static void setup_update(bench *b)
{
	for (int k = 0; k < PARAMS; k++) {
		const tsr_dims dims = D(b->size[0], b->size[1]);
		tsr_set(&b->state[k], scattered(b->ctx, 1 + (uint32_t)k, dims, 2));
		b->in[k] = scattered(b->ctx, 11 + (uint32_t)k, dims, 2);
	}
	make_state(b, tsr_adamw(b->ctx, 1e-3));
	b->fn = tsr_jit(b->ctx, update, .donate = D(0, 1));
}

static void take_update(bench *b, tsr **out)
{
	const tsr_out to[] = {{.own = TSR_PLACE_OWN, .to = params_of(b)},
	                      {.own = TSR_PLACE_OWN, .to = moments_of(b)}};
	const tsr_arg args[] = {tsr_arg_tree(params_of(b)), tsr_arg_tree(moments_of(b)),
	                        tsr_arg_tree(TSR_LEAVES(b->in, PARAMS))};

	tsr_call_into_at(TSR_HERE, to, 2, b->fn, args, 3);
	out[0] = b->state[0];
	out[1] = b->state[PARAMS - 1];
}

/* reads parameters, gradients and both moments, and writes all but the gradients */
static double update_bytes(const int64_t *size)
{
	return 7.0 * PARAMS * 4 * (double)(size[0] * size[1]);
}

/* ---- training */

enum { BATCH, IN, INNER, OUT };
/* gradients that are nearly 0 are not made steps of full size, so that both sides agree */
#define EPS 1e-3

static tsr *loss(tsr_tree params, tsr *x, tsr *targets)
{
	tsr *const *w = params.leaf;
	tsr *hidden = tsr_relu(tsr_add(tsr_dot(x, w[0]), w[1]));
	tsr *guess = tsr_add(tsr_dot(hidden, w[2]), w[3]);

	return tsr_mean(tsr_sum(tsr_square(tsr_sub(guess, targets)), .dims = D(-1)));
}

/* on one device nothing is put anywhere, as in most programs */
static tsr *placed(bench *b, tsr *x, tsr_spec spec)
{
	return tsr_mesh_size(b->mesh) > 1 ? tsr_put(x, b->mesh, spec) : x;
}

static void set(bench *b, int k, tsr *x) { tsr_set(&b->state[k], placed(b, x, P())); }

static void setup_training(bench *b, const char *zero)
{
	const int64_t *size = b->size;
	const tsr_optimizer *opt = tsr_adamw(b->ctx, 1e-3, .eps = EPS, .zero = zero);
	const double first = 2 * sqrt(6 / (double)size[IN]),
		     second = 2 * sqrt(6 / (double)size[INNER]);

	set(b, 0, scattered(b->ctx, 1, D(size[IN], size[INNER]), first));
	set(b, 1, tsr_zeros(b->ctx, D(size[INNER])));
	set(b, 2, scattered(b->ctx, 2, D(size[INNER], size[OUT]), second));
	set(b, 3, tsr_zeros(b->ctx, D(size[OUT])));
	for (int k = 0; k < 2; k++) {
		const tsr_dims dims = D(size[BATCH], size[k ? OUT : IN]);
		b->in[k] = placed(b, scattered(b->ctx, 3 + (uint32_t)k, dims, 2), P("i"));
	}
	make_state(b, opt);
	b->fn = tsr_train_step(b->ctx, loss, opt);
}

static void setup_one(bench *b) { setup_training(b, NULL); }
static void setup_zero(bench *b) { setup_training(b, "i"); }

static void train(bench *b, tsr **out)
{
	out[0] = tsr_train(b->fn, params_of(b), moments_of(b), b->in[0], b->in[1]);
	out[1] = b->state[0];
	out[2] = b->state[PARAMS - 1];
}

static double train_flops(const int64_t *size)
{
	return 2 * (double)size[BATCH] *
	       (2 * (double)(size[IN] * size[INNER]) + 3 * (double)(size[INNER] * size[OUT]));
}

#define TRAINING .step = train, .rtol = 1e-3, .size = {256, 784, 2048, 256}, \
	.tiny = {32, 24, 16, 8}, .limit = LIMIT_FMA, .work = train_flops

const bench_case cases_training[] = {
	{.name = "adamw", .what = "AdamW step, four f32[2048,2048] with given gradients",
	 .setup = setup_update, .step = take_update, .devices = 1, .size = {2048, 2048},
	 .tiny = {24, 40}, .limit = LIMIT_COPY, .work = update_bytes, .bar = 1, .rtol = 1e-5},
	{.name = "train_adamw", .what = "training step, 784-2048-256, batch 256, AdamW",
	 .setup = setup_one, .devices = 1, TRAINING, .bar = 1.2},
	{.name = "train_adamw_dp", .what = "the same, batch split over 8 devices",
	 .setup = setup_one, .devices = 8, TRAINING, .bar = 1.8},
	{.name = "train_adamw_zero", .what = "the same, the state too",
	 .setup = setup_zero, .devices = 8, TRAINING, .bar = 1.2},
	{0},
};
