/* cases_net.c - a step of gradient descent of a relu network, six small layers or three large ones,
 * on one device, under shard_map in five parallel forms, and as plain array code with operands
 * placed as in three of these; and its compile time. */
#include "bench.h"
#include <math.h>
#define P TSR_P
#define D TSR_DIMS

/* sizes of a case: batch, features of the inputs, of the inner layers, of the targets; and the
 * number of layers. The parameters are one list, w and b of each layer */
enum { BATCH, IN, INNER, OUT, LAYERS };

static int64_t fan_in(const int64_t *size, int64_t layer) { return size[layer ? INNER : IN]; }
static int64_t fan_out(const int64_t *size, int64_t layer)
{
	return size[layer < size[LAYERS] - 1 ? INNER : OUT];
}

static tsr_tree params_of(bench *b)
{
	return TSR_LEAVES(b->state, 2 * (size_t)b->size[LAYERS]);
}

/* ---- losses, of a device's blocks */

static tsr *squares(tsr *predicted, tsr *targets)
{
	return tsr_sum(tsr_square(tsr_sub(predicted, targets)), .dims = D(-1));
}

static tsr *one_loss(tsr_tree p, tsr *h, tsr *targets)
{
	for (size_t k = 0; k < p.count; k += 2) {
		h = tsr_add(tsr_dot(h, p.leaf[k]), p.leaf[k + 1]);
		if (k + 2 < p.count) h = tsr_relu(h);
	}
	return tsr_mean(squares(h, targets));
}

static tsr *dp_loss(tsr_tree p, tsr *h, tsr *targets)
{
	return tsr_pmean(one_loss(p, h, targets), "i");
}

static tsr *fsdp_loss(tsr_tree p, tsr *h, tsr *targets)
{
	tsr *whole[BENCH_STATE];
	for (size_t k = 0; k < p.count; k++)
		whole[k] = tsr_all_gather(p.leaf[k], "i", .tiled = true);
	return dp_loss(TSR_LEAVES(whole, p.count), h, targets);
}

/* a layer whose features are split over an axis, the last one without relu */
static tsr *split_layer(tsr *h, tsr *w, tsr *b, const char *axis, bool last)
{
	h = tsr_psum_scatter(tsr_dot(h, w), axis, .dim = D(1), .tiled = true);
	h = tsr_add(h, b);
	return last ? h : tsr_relu(h);
}

static tsr *tp_loss(tsr_tree p, tsr *h, tsr *targets)
{
	for (size_t k = 0; k < p.count; k += 2)
		h = split_layer(h, p.leaf[k], p.leaf[k + 1], "i", k + 2 == p.count);
	return tsr_mean(tsr_psum(squares(h, targets), "i"));
}

/* both: parameters gathered along "batch", features split over "feats" */
static tsr *fsdp_tp_loss(tsr_tree p, tsr *h, tsr *targets)
{
	for (size_t k = 0; k < p.count; k += 2) {
		tsr *w = tsr_all_gather(p.leaf[k], "batch", .tiled = true);
		tsr *b = tsr_all_gather(p.leaf[k + 1], "batch", .tiled = true);
		h = split_layer(h, w, b, "feats", k + 2 == p.count);
	}
	return tsr_pmean(tsr_mean(tsr_psum(squares(h, targets), "feats")), "batch");
}

/* layers in pairs: the first one's products are of some features, and the second one's are terms */
static tsr *pairs_loss(tsr_tree p, tsr *h, tsr *targets)
{
	for (size_t k = 0; k < p.count; k += 2) {
		h = tsr_dot(h, p.leaf[k]);
		if (k % 4) h = tsr_psum(h, "feats");
		h = tsr_add(h, p.leaf[k + 1]);
		if (k + 2 < p.count) h = tsr_relu(h);
	}
	return tsr_pmean(tsr_mean(squares(h, targets)), "batch");
}

/* ---- the step, and how its arguments are split */

static void descend(tsr_frame *frame, tsr *(*loss)(tsr_tree, tsr *, tsr *))
{
	const tsr_tree params = tsr_frame_tree(frame, 0);
	tsr *inputs = tsr_frame_arg(frame, 1), *targets = tsr_frame_arg(frame, 2), *value;
	tsr *g[BENCH_STATE];
	const tsr_tree grads = TSR_LEAVES(g, params.count);

	tsr_call_into(TSR_OUT(&value, grads), tsr_value_and_grad(frame, loss), params, inputs,
	              targets);
	for (size_t k = 0; k < params.count; k++)
		g[k] = tsr_sub(params.leaf[k], tsr_mul(g[k], 1e-3));
	tsr_return(frame, value, grads);
}

static void one_step(tsr_frame *frame) { descend(frame, one_loss); }
static void dp_step(tsr_frame *frame) { descend(frame, dp_loss); }
static void fsdp_step(tsr_frame *frame) { descend(frame, fsdp_loss); }
static void tp_step(tsr_frame *frame) { descend(frame, tp_loss); }
static void fsdp_tp_step(tsr_frame *frame) { descend(frame, fsdp_tp_loss); }
static void pairs_step(tsr_frame *frame) { descend(frame, pairs_loss); }

static void make_inputs(bench *b)
{
	const int64_t *size = b->size;

	b->in[0] = scattered(b->ctx, 1, D(size[BATCH], size[IN]), 2);
	b->in[1] = scattered(b->ctx, 2, D(size[BATCH], size[OUT]), 2);
	for (int64_t k = 0; k < size[LAYERS]; k++) {
		const int64_t m = fan_in(size, k), n = fan_out(size, k);
		const double scale = 2 * sqrt(6 / (double)m);
		tsr_set(&b->state[2 * k], scattered(b->ctx, 3 + (uint32_t)k, D(m, n), scale));
		tsr_set(&b->state[2 * k + 1], tsr_zeros(b->ctx, D(n)));
	}
}

static void setup_one(bench *b)
{
	b->fn = tsr_jit(b->ctx, one_step, .donate = D(0));
	make_inputs(b);
}

/* where the arguments are; params: of all leaves, or of each */
typedef struct placing {
	tsr_mesh *mesh;
	tsr_specs params, data;
} placing;

/* fn: the step on the arguments where they are */
static void setup_net(bench *b, const placing *at, tsr_fn *fn)
{
	const tsr_tree params = params_of(b);

	b->fn = fn;
	make_inputs(b);
	for (int k = 0; k < 2; k++) b->in[k] = tsr_put(b->in[k], at->mesh, *at->data.leaf);
	tsr_put_tree(params, params, at->mesh, .spec = at->params);
}

#define WHOLE TSR_FOR_ALL(P())
static void setup_map(bench *b, const placing *at, void (*step)(tsr_frame *))
{
	tsr_fn *map = tsr_shard_map(at->mesh, step, .in = {at->params, at->data, at->data},
	                            .out = {WHOLE, at->params});
	setup_net(b, at, tsr_jit(b->ctx, map, .donate = D(0)));
}

/* plain array code, which computes where its operands are */
static void setup_auto(bench *b, const placing *at)
{
	setup_net(b, at, tsr_jit(b->ctx, one_step, .donate = D(0), .mesh = at->mesh,
	                         .out = {WHOLE, at->params}));
}

#define PLACED(name, mesh_, params_, data_) \
	static placing name(bench *b) \
	{ \
		static const tsr_spec params[] = params_, data = data_; \
		return (placing){mesh_, TSR_FOR_EACH(params), {.count = 1, .leaf = &data}}; \
	}
#define LIST(...) {__VA_ARGS__}
#define PAIR TSR_SPEC(NULL, "feats"), TSR_SPEC("feats"), TSR_SPEC("feats"), TSR_SPEC()
#define GRID tsr_mesh_make(b->ctx, {"batch", 4}, {"feats", 2})
PLACED(by_batch, b->mesh, LIST(TSR_SPEC()), TSR_SPEC("i"))
PLACED(by_both, b->mesh, LIST(TSR_SPEC("i")), TSR_SPEC("i"))
PLACED(by_features, b->mesh, LIST(TSR_SPEC("i")), TSR_SPEC(NULL, "i"))
PLACED(on_grid, GRID, LIST(TSR_SPEC("feats*batch")), TSR_SPEC("batch", "feats"))
PLACED(in_pairs, GRID, LIST(PAIR, PAIR, PAIR), TSR_SPEC("batch"))

#define SETUP(name, place, how) \
	static void setup_##name(bench *b) \
	{ \
		const placing at = place(b); \
		how; \
	}
SETUP(dp, by_batch, setup_map(b, &at, dp_step))
SETUP(fsdp, by_both, setup_map(b, &at, fsdp_step))
SETUP(tp, by_features, setup_map(b, &at, tp_step))
SETUP(fsdp_tp, on_grid, setup_map(b, &at, fsdp_tp_step))
SETUP(pairs, in_pairs, setup_map(b, &at, pairs_step))
SETUP(auto_dp, by_batch, setup_auto(b, &at))
SETUP(auto_tp, by_features, setup_auto(b, &at))
SETUP(auto_pairs, in_pairs, setup_auto(b, &at))

static void train(bench *b, tsr **out)
{
	const tsr_tree p = params_of(b);
	tsr_call_into(TSR_OUT(&out[0], ((tsr_out){.own = TSR_PLACE_OWN, .to = p})), b->fn, p,
	              b->in[0], b->in[1]);
	out[1] = p.leaf[0];
	out[2] = p.leaf[p.count - 1];
}

/* a product forwards, and two backwards but for the first layer's inputs */
static double net_flops(const int64_t *size)
{
	double sum = 0;
	for (int64_t k = 0; k < size[LAYERS]; k++)
		sum += (k ? 3 : 2) * (double)(fan_in(size, k) * fan_out(size, k));
	return 2 * (double)size[BATCH] * sum;
}

#define FLOPS  .limit = LIMIT_FMA, .work = net_flops
#define NET    .step = train, .rtol = 1e-4, .size = {32, 784, 128, 8, 6}, .tiny = {32, 24, 16, 8, 6}
#define ON_8   .devices = 8, .c = HAND_NET, .c_bar = 0.85
#define STEADY NET, FLOPS, ON_8, .bar = 8
#define AUTO   NET, FLOPS, .devices = 8, .than_bar = 1 / 1.03
#define FIRST  NET, .devices = 8, .kind = BENCH_FIRST, .bar = 4
#define BIG    .step = train, .rtol = 1e-4, .size = {1024, 784, 2048, 16, 3}, \
	.tiny = {32, 16, 24, 8, 3}, FLOPS
#define BIG_8  BIG, ON_8, .bar = 1.3, .than = "big_one", .than_bar = 1 / 1.08

const bench_case cases_net[] = {
	{.name = "net_one", .what = "SGD step, 784-128x5-8, batch 32, on one device",
	 .setup = setup_one, .devices = 1, NET, FLOPS, .c = HAND_NET, .c_bar = 0.95},
	{.name = "net_dp", .what = "SGD step, 784-128x5-8, batch 32, split over the batch",
	 .setup = setup_dp, STEADY},
	{.name = "net_fsdp", .what = "the same, parameters split and gathered",
	 .setup = setup_fsdp, STEADY},
	{.name = "net_tp", .what = "the same, split over the features",
	 .setup = setup_tp, STEADY},
	{.name = "net_pairs", .what = "the same on 4x2 devices, batch and features split",
	 .setup = setup_pairs, STEADY},
	{.name = "auto_dp", .what = "net_dp as plain array code",
	 .setup = setup_auto_dp, AUTO, .than = "net_dp"},
	{.name = "auto_tp", .what = "net_tp as plain array code",
	 .setup = setup_auto_tp, AUTO, .than = "net_tp"},
	{.name = "auto_pairs", .what = "net_pairs as plain array code",
	 .setup = setup_auto_pairs, AUTO, .than = "net_pairs"},
	{.name = "net_dp_compile", .what = "compiling the step net_dp",
	 .setup = setup_dp, FIRST},
	{.name = "net_fsdp_compile", .what = "compiling the step net_fsdp",
	 .setup = setup_fsdp, FIRST},
	{.name = "net_tp_compile", .what = "compiling the step net_tp",
	 .setup = setup_tp, FIRST},
	{.name = "big_one", .what = "SGD step, 784-2048x2-16, batch 1024, on one device",
	 .setup = setup_one, .devices = 1, BIG, .bar = 1.2, .c = HAND_NET, .c_bar = 0.95},
	{.name = "big_dp", .what = "the same, split over the batch, 8 devices",
	 .setup = setup_dp, BIG_8},
	{.name = "big_fsdp", .what = "the same, parameters split and gathered",
	 .setup = setup_fsdp, BIG_8},
	{.name = "big_tp", .what = "the same, split over the features",
	 .setup = setup_tp, BIG_8},
	{.name = "big_fsdp_tp", .what = "the same, both on 4x2 devices",
	 .setup = setup_fsdp_tp, BIG_8},
	{0},
};
