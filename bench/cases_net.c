/* cases_net.c - a step of gradient descent of a six-layer relu network under shard_map, in three
 * parallel forms, and what compiling it costs. */
#include "bench.h"
#include <math.h>
#define P TSR_P
#define D TSR_DIMS

enum { LAYERS = 6 };

TSR_TREE_TYPE(dense, { tsr *w, *b; });
TSR_TREE_TYPE(net, { dense layer[LAYERS]; });
_Static_assert(sizeof(net) <= sizeof(((bench *)0)->state), "the parameters are the state");

/* sizes of a case: batch, features of the inputs, of the inner layers, of the targets */
enum { BATCH, IN, INNER, OUT };

static int64_t fan_in(const int64_t *size, int layer) { return size[layer ? INNER : IN]; }
static int64_t fan_out(const int64_t *size, int layer)
{
	return size[layer < LAYERS - 1 ? INNER : OUT];
}

/* ---- losses, of a device's blocks */

static tsr *squares(tsr *predicted, tsr *targets)
{
	return tsr_sum(tsr_square(tsr_sub(predicted, targets)), .dims = D(-1));
}

static tsr *dp_loss(tsr_tree params, tsr *h, tsr *targets)
{
	const net *p = TSR_TREE_OF(net, params);
	for (int k = 0; k < LAYERS; k++) {
		h = tsr_add(tsr_dot(h, p->layer[k].w), p->layer[k].b);
		if (k < LAYERS - 1) h = tsr_relu(h);
	}
	return tsr_pmean(tsr_mean(squares(h, targets)), "i");
}

static tsr *fsdp_loss(tsr_tree params, tsr *h, tsr *targets)
{
	const net *p = TSR_TREE_OF(net, params);
	net whole;
	for (size_t k = 0; k < sizeof whole.leaf / sizeof *whole.leaf; k++)
		whole.leaf[k] = tsr_all_gather(p->leaf[k], "i", .tiled = true);
	return dp_loss(TSR_TREE(net, &whole), h, targets);
}

static tsr *tp_loss(tsr_tree params, tsr *h, tsr *targets)
{
	const net *p = TSR_TREE_OF(net, params);
	for (int k = 0; k < LAYERS; k++) {
		tsr *partial = tsr_dot(h, p->layer[k].w);
		h = tsr_psum_scatter(partial, "i", .dim = 1, .tiled = true);
		h = tsr_add(h, p->layer[k].b);
		if (k < LAYERS - 1) h = tsr_relu(h);
	}
	return tsr_mean(tsr_psum(squares(h, targets), "i"));
}

/* ---- the step, and how its arguments are split */

static void descend(tsr_frame *frame, tsr *(*loss)(tsr_tree, tsr *, tsr *))
{
	const tsr_tree params = tsr_frame_tree(frame, 0);
	tsr *inputs = tsr_frame_arg(frame, 1), *targets = tsr_frame_arg(frame, 2), *value;
	net g;

	tsr_call_into(TSR_OUT(&value, TSR_TREE(net, &g)), tsr_value_and_grad(frame, loss), params,
	              inputs, targets);
	for (size_t k = 0; k < params.count; k++)
		g.leaf[k] = tsr_sub(params.leaf[k], tsr_mul(g.leaf[k], 1e-3));
	tsr_return(frame, value, TSR_TREE(net, &g));
}

static void dp_step(tsr_frame *frame) { descend(frame, dp_loss); }
static void fsdp_step(tsr_frame *frame) { descend(frame, fsdp_loss); }
static void tp_step(tsr_frame *frame) { descend(frame, tp_loss); }

static void setup_net(bench *b, void (*step)(tsr_frame *), tsr_spec params, tsr_spec data)
{
	const int64_t *size = b->size;
	net *p = (net *)b->state;
	tsr_fn *map = tsr_shard_map(b->mesh, step, .in = TSR_SPECS(params, data, data),
	                            .out = TSR_SPECS(P(), params));

	b->fn = tsr_jit(b->ctx, map, .donate = D(0));
	b->in[0] = scattered(b->ctx, 1, D(size[BATCH], size[IN]), 2);
	b->in[1] = scattered(b->ctx, 2, D(size[BATCH], size[OUT]), 2);
	for (int k = 0; k < 2; k++) b->in[k] = tsr_put(b->in[k], b->mesh, data);
	for (int k = 0; k < LAYERS; k++) {
		const int64_t m = fan_in(size, k), n = fan_out(size, k);
		tsr *w = scattered(b->ctx, 3 + (uint32_t)k, D(m, n), 2 * sqrt(6 / (double)m));
		tsr_set(&p->layer[k].w, tsr_put(w, b->mesh, params));
		tsr_set(&p->layer[k].b, tsr_put(tsr_zeros(b->ctx, D(n)), b->mesh, params));
	}
}

static void setup_dp(bench *b) { setup_net(b, dp_step, P(), P("i")); }
static void setup_fsdp(bench *b) { setup_net(b, fsdp_step, P("i"), P("i")); }
static void setup_tp(bench *b) { setup_net(b, tp_step, P("i"), P(NULL, "i")); }

static void train(bench *b, tsr **out)
{
	net *p = (net *)b->state;
	tsr_call_into(TSR_OUT(&out[0], TSR_OWN(net, p)), b->fn, TSR_TREE(net, p), b->in[0],
	              b->in[1]);
	out[1] = p->layer[0].w;
	out[2] = p->layer[LAYERS - 1].b;
}

/* a product forwards, and two backwards but for the first layer's inputs */
static double net_flops(const int64_t *size)
{
	double sum = 0;
	for (int k = 0; k < LAYERS; k++)
		sum += (k ? 3 : 2) * (double)(fan_in(size, k) * fan_out(size, k));
	return 2 * (double)size[BATCH] * sum;
}

#define NET .devices = 8, .size = {32, 784, 128, 8}, .tiny = {32, 24, 16, 8}, .step = train, \
	.rtol = 1e-4
#define STEADY NET, .limit = LIMIT_FMA, .work = net_flops, .bar = 8
#define FIRST  NET, .kind = BENCH_FIRST, .bar = 4

const bench_case cases_net[] = {
	{.name = "net_dp", .what = "SGD step, 784-128x5-8, batch 32, split over the batch",
	 .setup = setup_dp, STEADY},
	{.name = "net_fsdp", .what = "the same, parameters split and gathered",
	 .setup = setup_fsdp, STEADY},
	{.name = "net_tp", .what = "the same, split over the features",
	 .setup = setup_tp, STEADY},
	{.name = "net_dp_compile", .what = "compiling the step net_dp",
	 .setup = setup_dp, FIRST},
	{.name = "net_fsdp_compile", .what = "compiling the step net_fsdp",
	 .setup = setup_fsdp, FIRST},
	{.name = "net_tp_compile", .what = "compiling the step net_tp",
	 .setup = setup_tp, FIRST},
	{0},
};
