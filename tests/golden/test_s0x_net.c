/* test_s0x_net.c - the loss of a six-layer relu network and its gradients, computed plainly and in
 * five parallel forms: over the batch, with sharded parameters, over the features, both, and as a
 * pipeline. Each runs with and without the check of what varies. */
#include "support/equations.h"
#include "support/golden.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>
#define P TSR_P
#define D TSR_DIMS

enum { LAYERS = 6, STAGES = 2, MICRO = 8 };

TSR_TREE_TYPE(dense, { tsr *w, *b; });
TSR_TREE_TYPE(net, { dense layer[LAYERS]; });
/* the four inner layers lie behind each other along a new dim 0 */
TSR_TREE_TYPE(pipeline, { dense first, inner, last; });

typedef struct problem {
	tsr_ctx *ctx;
	net params, grads; /* grads: those of plain_loss */
	tsr *inputs, *targets;
} problem;

/* ---- the network */

static tsr *dense_of(const dense *layer, tsr *h) { return tsr_add(tsr_dot(h, layer->w), layer->b); }

static tsr *predict(const net *params, tsr *h)
{
	for (int i = 0; i < LAYERS - 1; i++) h = tsr_relu(dense_of(&params->layer[i], h));
	return dense_of(&params->layer[LAYERS - 1], h);
}

static tsr *squares(tsr *predicted, tsr *targets)
{
	return tsr_sum(tsr_square(tsr_sub(predicted, targets)), .dims = D(-1));
}

static tsr *plain_loss(tsr_tree params, tsr *inputs, tsr *targets)
{
	tsr *predicted = predict(TSR_TREE_OF(net, params), inputs);
	return tsr_mean(squares(predicted, targets));
}

/* ---- the problem */

static problem problem_of(tsr_ctx *ctx)
{
	problem p = {.ctx = ctx};
	dense *layer = p.params.layer;
	layer[0].w = golden_load(ctx, "s0x.net_reference", "param_W0");
	layer[0].b = golden_load(ctx, "s0x.net_reference", "param_b0");
	layer[1].w = golden_load(ctx, "s0x.net_reference", "param_W1");
	layer[1].b = golden_load(ctx, "s0x.net_reference", "param_b1");
	layer[2].w = golden_load(ctx, "s0x.net_reference", "param_W2");
	layer[2].b = golden_load(ctx, "s0x.net_reference", "param_b2");
	layer[3].w = golden_load(ctx, "s0x.net_reference", "param_W3");
	layer[3].b = golden_load(ctx, "s0x.net_reference", "param_b3");
	layer[4].w = golden_load(ctx, "s0x.net_reference", "param_W4");
	layer[4].b = golden_load(ctx, "s0x.net_reference", "param_b4");
	layer[5].w = golden_load(ctx, "s0x.net_reference", "param_W5");
	layer[5].b = golden_load(ctx, "s0x.net_reference", "param_b5");
	p.inputs = golden_load(ctx, "s0x.net_reference", "inputs");
	p.targets = golden_load(ctx, "s0x.net_reference", "targets");
	tsr_call_into(TSR_OUT(TSR_TREE(net, &p.grads)), tsr_grad(ctx, plain_loss),
	              TSR_TREE(net, &p.params), p.inputs, p.targets);
	return p;
}

/* the gradients are the recorded ones; gives whether they are close to those of plain_loss */
static bool right_grads(const problem *p, const net *g)
{
	bool close = true;
	golden_equal(g->layer[0].w, "s0x.net_reference", "grad_W0");
	golden_equal(g->layer[0].b, "s0x.net_reference", "grad_b0");
	golden_equal(g->layer[1].w, "s0x.net_reference", "grad_W1");
	golden_equal(g->layer[1].b, "s0x.net_reference", "grad_b1");
	golden_equal(g->layer[2].w, "s0x.net_reference", "grad_W2");
	golden_equal(g->layer[2].b, "s0x.net_reference", "grad_b2");
	golden_equal(g->layer[3].w, "s0x.net_reference", "grad_W3");
	golden_equal(g->layer[3].b, "s0x.net_reference", "grad_b3");
	golden_equal(g->layer[4].w, "s0x.net_reference", "grad_W4");
	golden_equal(g->layer[4].b, "s0x.net_reference", "grad_b4");
	golden_equal(g->layer[5].w, "s0x.net_reference", "grad_W5");
	golden_equal(g->layer[5].b, "s0x.net_reference", "grad_b5");
	for (int i = 0; i < 2 * LAYERS; i++)
		close = close && tsr_allclose(g->leaf[i], p->grads.leaf[i], 1e-2, 1e-2);
	return close;
}

static void all_sharded(tsr_tree tree, const tsr_mesh *mesh, tsr_spec spec)
{
	for (size_t i = 0; i < tree.count; i++) golden_sharded(tree.leaf[i], mesh, spec);
}

/* the gradients of f, which takes parameters, inputs and targets; its loss to *loss. They cost at
 * most four times as many equations */
static net gradients(const char *name, tsr_fn *f, net *params, tsr *inputs, tsr *targets,
                     tsr **loss)
{
	const tsr_tree tree = TSR_TREE(net, params);
	net g;
	tsr_fn *both = tsr_value_and_grad(f, f);
	tsr_call_into(TSR_OUT(loss, TSR_TREE(net, &g)), tsr_jit(f, both), tree, inputs, targets);
	at_most_four_times(name, tsr_fn_text(f, tree, inputs, targets),
	                   tsr_fn_text(both, tree, inputs, targets));
	return g;
}

static void put_all(tsr_tree tree, const tsr_mesh *mesh, tsr_spec spec)
{
	for (size_t i = 0; i < tree.count; i++) tree.leaf[i] = tsr_put(tree.leaf[i], mesh, spec);
}

static void net_reference(void **state)
{
	problem p = problem_of(*state);
	tsr *eager = plain_loss(TSR_TREE(net, &p.params), p.inputs, p.targets), *loss;
	tsr_fn *f = tsr_jit(p.ctx, plain_loss);
	golden_equal(eager, "s0x.net_reference", "loss");
	net g = gradients("plain", f, &p.params, p.inputs, p.targets, &loss);
	golden_equal(loss, "s0x.net_reference", "loss");
	assert_true(right_grads(&p, &g));
}

/* ---- over the batch; each device has all parameters */

static tsr *dp_loss(tsr_tree params, tsr *inputs, tsr *targets)
{
	return tsr_pmean(plain_loss(params, inputs, targets), "batch");
}

static void net_dp(void **state)
{
	problem p = problem_of(*state);
	tsr_mesh *m = tsr_mesh_make(p.ctx, {"batch", 8});
	tsr *inputs = tsr_put(p.inputs, m, P("batch")), *loss;
	tsr *targets = tsr_put(p.targets, m, P("batch"));
	put_all(TSR_TREE(net, &p.params), m, P());
	for (int unchecked = 0; unchecked < 2; unchecked++) {
		tsr_fn *f = tsr_shard_map(m, dp_loss, .in = TSR_SPECS(P(), P("batch"), P("batch")),
		                          .out = TSR_SPECS(P()), .unchecked = unchecked);
		net g = gradients("over the batch", f, &p.params, inputs, targets, &loss);
		golden_equal(loss, "s0x.net_dp", "loss");
		golden_sharded(loss, m, P());
		all_sharded(TSR_TREE(net, &g), m, P());
		golden_truth(right_grads(&p, &g), "s0x.net_dp", "allclose_grads");
	}
}

/* ---- over the batch; parameters are split too, and gathered where they are used */

static dense gathered(const dense *layer)
{
	return (dense){.w = tsr_all_gather(layer->w, "batch", .tiled = true),
	               .b = tsr_all_gather(layer->b, "batch", .tiled = true)};
}

static tsr *fsdp_loss(tsr_tree params, tsr *inputs, tsr *targets)
{
	const net *shards = TSR_TREE_OF(net, params);
	net whole;
	for (int i = 0; i < LAYERS; i++) whole.layer[i] = gathered(&shards->layer[i]);
	return dp_loss(TSR_TREE(net, &whole), inputs, targets);
}

static void net_fsdp(void **state)
{
	problem p = problem_of(*state);
	tsr_mesh *m = tsr_mesh_make(p.ctx, {"batch", 8});
	tsr *inputs = tsr_put(p.inputs, m, P("batch")), *loss;
	tsr *targets = tsr_put(p.targets, m, P("batch"));
	put_all(TSR_TREE(net, &p.params), m, P("batch"));
	for (int unchecked = 0; unchecked < 2; unchecked++) {
		tsr_fn *f = tsr_shard_map(m, fsdp_loss, .sig = "[batch] [batch] [batch] -> []",
		                          .unchecked = unchecked);
		net g = gradients("sharded parameters", f, &p.params, inputs, targets, &loss);
		golden_equal(loss, "s0x.net_fsdp", "loss");
		golden_sharded(loss, m, P());
		all_sharded(TSR_TREE(net, &g), m, P("batch"));
		golden_truth(right_grads(&p, &g), "s0x.net_fsdp", "allclose_grads");
	}
}

/* ---- over the features: a map for each product, inside jit */

static tsr *scattered_product(tsr *h, const dense *layer)
{
	tsr *partial = tsr_dot(h, layer->w);
	return tsr_add(tsr_psum_scatter(partial, "feats", .dim = 1, .tiled = true), layer->b);
}

static tsr *tp_product(tsr *h, tsr *w, tsr *b)
{
	return scattered_product(h, &(dense){.w = w, .b = b});
}

typedef struct tp_env {
	tsr_fn *product;
} tp_env;

static void tp_loss(tsr_frame *frame)
{
	const tp_env *env = tsr_frame_env(frame);
	const net *params = TSR_TREE_OF(net, tsr_frame_tree(frame, 0));
	tsr *h = tsr_frame_arg(frame, 1), *out = h;
	for (int i = 0; i < LAYERS; i++) {
		out = tsr_call(env->product, h, params->layer[i].w, params->layer[i].b);
		h = tsr_relu(out);
	}
	tsr_return(frame, tsr_mean(squares(out, tsr_frame_arg(frame, 2))));
}

static void net_tp(void **state)
{
	problem p = problem_of(*state);
	tsr_mesh *m = tsr_mesh_make(p.ctx, {"feats", 8});
	tsr *inputs = tsr_put(p.inputs, m, P(NULL, "feats")), *loss;
	tsr *targets = tsr_put(p.targets, m, P(NULL, "feats"));
	put_all(TSR_TREE(net, &p.params), m, P("feats"));
	for (int unchecked = 0; unchecked < 2; unchecked++) {
		const tp_env env = {
			tsr_shard_map(m, tp_product, .unchecked = unchecked,
		                      .sig = "[-,feats] [feats,-] [feats] -> [-,feats]")};
		tsr_fn *f = tsr_jit(p.ctx, tp_loss, TSR_ENV(&env));
		net g = gradients("over the features", f, &p.params, inputs, targets, &loss);
		golden_equal(loss, "s0x.net_tp", "loss");
		all_sharded(TSR_TREE(net, &g), m, P("feats"));
		golden_truth(right_grads(&p, &g), "s0x.net_tp", "allclose_grads");
	}
}

/* ---- parameters gathered over the batch, sums scattered over the features */

static tsr *fsdp_tp_loss(tsr_tree params, tsr *inputs, tsr *targets)
{
	const net *shards = TSR_TREE_OF(net, params);
	tsr *h = inputs, *out = h;
	for (int i = 0; i < LAYERS; i++) {
		const dense layer = gathered(&shards->layer[i]);
		out = scattered_product(h, &layer);
		h = tsr_relu(out);
	}
	tsr *all_features = tsr_psum(squares(out, targets), "feats");
	return tsr_pmean(tsr_mean(all_features), "batch");
}

static void net_fsdp_tp(void **state)
{
	problem p = problem_of(*state);
	tsr_mesh *m = tsr_mesh_make(p.ctx, {"batch", 4}, {"feats", 2});
	tsr *inputs = tsr_put(p.inputs, m, P("batch", "feats")), *loss;
	tsr *targets = tsr_put(p.targets, m, P("batch", "feats"));
	put_all(TSR_TREE(net, &p.params), m, P("feats*batch"));
	for (int unchecked = 0; unchecked < 2; unchecked++) {
		tsr_fn *f = tsr_shard_map(m, fsdp_tp_loss, .unchecked = unchecked,
		                          .sig = "[feats*batch] [batch,feats] [batch,feats] -> []");
		net g = gradients("batch and features", f, &p.params, inputs, targets, &loss);
		golden_equal(loss, "s0x.net_fsdp_tp", "loss");
		golden_sharded(loss, m, P());
		all_sharded(TSR_TREE(net, &g), m, P("feats*batch"));
		golden_truth(right_grads(&p, &g), "s0x.net_fsdp_tp", "allclose_grads");
	}
}

/* ---- a pipeline: stage s has the inner layers of its half, micro-batches pass from stage to
 * stage */

static tsr *stage(const dense *inner, tsr *h)
{
	for (int64_t k = 0; k < tsr_dim(inner->w, 0); k++) {
		const dense layer = {.w = tsr_index(inner->w, 0, k),
		                     .b = tsr_index(inner->b, 0, k)};
		h = tsr_relu(dense_of(&layer, h));
	}
	return h;
}

static tsr *set_row(tsr *x, int64_t row, tsr *value)
{
	return tsr_dynamic_update(x, tsr_expand_dims(value, 0), 0, row);
}

/* x: this stage's share [k, MICRO, features] of the micro-batches. In one tick every stage runs its
 * layers; the shares rotate so that stage 0 reads, and the last stage writes, its own slot. */
static tsr *run_stages(const dense *inner, tsr *x)
{
	const int64_t k = tsr_dim(x, 0), micros = k * STAGES;
	tsr *me = tsr_axis_index(x, "stages"), *y = tsr_zeros_like(x);
	tsr *carry = tsr_zeros_like(tsr_index(x, 0, 0));
	for (int64_t tick = 0; tick < micros + STAGES - 1; tick++) {
		const int64_t done = tick - (STAGES - 1);
		if (tick > 0 && tick < micros && tick % k == 0)
			x = tsr_ppermute(x, "stages", TSR_SHIFT(-1));
		tsr *h = stage(inner, tsr_where(tsr_eq(me, 0), tsr_index(x, 0, tick % k), carry));
		if (done > 0 && done % k == 0) y = tsr_ppermute(y, "stages", TSR_SHIFT(-1));
		if (done >= 0) {
			tsr *slot = tsr_index(y, 0, done % k);
			y = set_row(y, done % k, tsr_where(tsr_eq(me, STAGES - 1), h, slot));
		}
		carry = tsr_ppermute(h, "stages", TSR_SHIFT(1));
	}
	return y;
}

static tsr *pp_predict(tsr_tree params, tsr *h)
{
	const pipeline *p = TSR_TREE_OF(pipeline, params);
	const int64_t rows = tsr_dim(h, 0);
	h = tsr_relu(dense_of(&p->first, h));
	h = run_stages(&p->inner, tsr_reshape(h, D(rows / MICRO, MICRO, -1)));
	return dense_of(&p->last, tsr_reshape(h, D(rows, -1)));
}

static tsr *pp_loss(tsr_tree params, tsr *inputs, tsr *targets)
{
	tsr *predicted = pp_predict(params, inputs);
	return tsr_pmean(tsr_mean(squares(predicted, targets)), "stages");
}

static pipeline packed(const net *params)
{
	const dense *l = params->layer;
	return (pipeline){.first = l[0],
	                  .inner = {.w = tsr_stack(0, l[1].w, l[2].w, l[3].w, l[4].w),
	                            .b = tsr_stack(0, l[1].b, l[2].b, l[3].b, l[4].b)},
	                  .last = l[5]};
}

static net unpacked(const pipeline *p)
{
	net n = {.layer = {p->first, [LAYERS - 1] = p->last}};
	for (int i = 0; i < LAYERS - 2; i++)
		n.layer[i + 1] =
			(dense){.w = tsr_index(p->inner.w, 0, i), .b = tsr_index(p->inner.b, 0, i)};
	return n;
}

static const tsr_spec pp_specs[] = {TSR_SPEC(),         TSR_SPEC(), TSR_SPEC("stages"),
                                    TSR_SPEC("stages"), TSR_SPEC(), TSR_SPEC()};

static void pp_gradients(const problem *p, tsr_mesh *m, pipeline *params, bool unchecked)
{
	const tsr_tree tree = TSR_TREE(pipeline, params);
	tsr *inputs = tsr_put(p->inputs, m, P("stages")), *loss;
	tsr *targets = tsr_put(p->targets, m, P("stages"));
	tsr_fn *f = tsr_shard_map(
		m, pp_loss, .out = {TSR_FOR_ALL(P())}, .unchecked = unchecked,
		.in = {TSR_FOR_EACH(pp_specs), TSR_FOR_ALL(P("stages")), TSR_FOR_ALL(P("stages"))});
	tsr_fn *both = tsr_value_and_grad(m, f);
	pipeline g;
	tsr_call_into(TSR_OUT(&loss, TSR_TREE(pipeline, &g)), both, tree, inputs, targets);
	golden_equal(loss, "s0x.net_pp", "loss");
	golden_sharded(loss, m, P());
	for (size_t i = 0; i < tree.count; i++) golden_sharded(g.leaf[i], m, pp_specs[i]);
	const net apart = unpacked(&g);
	golden_truth(right_grads(p, &apart), "s0x.net_pp", "allclose_grads");
	at_most_four_times("pipeline", tsr_fn_text(f, tree, inputs, targets),
	                   tsr_fn_text(both, tree, inputs, targets));
}

static void net_pp(void **state)
{
	problem p = problem_of(*state);
	tsr_mesh *m = tsr_mesh_make(p.ctx, {"stages", STAGES});
	pipeline params = packed(&p.params);
	char shape[160];

	const int64_t each = tsr_dim(params.inner.w, 0) / STAGES;
	snprintf(shape, sizeof shape,
	         "%d stages, %d layer(s) per stage, %d pipelined layers "
	         "total\n%d examples per microbatch, %d microbatches total",
	         STAGES, (int)each, (int)each * STAGES, MICRO, (int)(tsr_dim(p.inputs, 0) / MICRO));
	golden_same_text(shape, "s0x.net_pp", "printed");

	for (size_t i = 0; i < TSR_TREE(pipeline, &params).count; i++)
		params.leaf[i] = tsr_put(params.leaf[i], m, pp_specs[i]);
	tsr_fn *f = tsr_shard_map(m, pp_predict, .out = {TSR_FOR_ALL(P("stages"))},
	                          .in = {TSR_FOR_EACH(pp_specs), TSR_FOR_ALL(P("stages"))});
	tsr *predictions = tsr_call(f, TSR_TREE(pipeline, &params), p.inputs);
	golden_equal(predictions, "s0x.net_pp", "predictions");
	golden_sharded(predictions, m, P("stages"));
	pp_gradients(&p, m, &params, false);
	pp_gradients(&p, m, &params, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(net_reference, golden_open, golden_close),
		cmocka_unit_test_setup_teardown(net_dp, golden_open, golden_close),
		cmocka_unit_test_setup_teardown(net_fsdp, golden_open, golden_close),
		cmocka_unit_test_setup_teardown(net_tp, golden_open, golden_close),
		cmocka_unit_test_setup_teardown(net_fsdp_tp, golden_open, golden_close),
		cmocka_unit_test_setup_teardown(net_pp, golden_open, golden_close),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
