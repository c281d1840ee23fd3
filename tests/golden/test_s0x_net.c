/* test_s0x_net.c - the loss of a six-layer relu network and its gradients, computed plainly and in
 * five parallel forms: over the batch, with sharded parameters, over the features, both, and as a
 * pipeline. Each runs with and without the check of what varies. */
#include "support/equations.h"
#include "support/golden.h"
#include "support/net.h"
#include "support/recorded_bytes.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>
#define P TSR_P
#define D TSR_DIMS

typedef struct problem {
	tsr_ctx *ctx;
	net params, grads; /* grads: those of plain_loss */
	tsr *inputs, *targets;
} problem;

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

/* programs: the loss and its gradients, as recorded of maps that check what varies */
static void moves(tsr_fn *f, tsr_tree params, tsr *inputs, tsr *targets, const char *id,
                  const char *forward, const char *grad)
{
	golden_moves(MOVED(f, params, inputs, targets), id, forward);
	golden_moves(MOVED(tsr_jit(f, tsr_grad(f, f)), params, inputs, targets), id, grad);
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

/* ---- the forms */

static void net_dp(void **state)
{
	problem p = problem_of(*state);
	tsr_mesh *m = tsr_mesh_make(p.ctx, {"batch", 8});
	tsr *inputs = tsr_put(p.inputs, m, P("batch")), *loss;
	tsr *targets = tsr_put(p.targets, m, P("batch"));
	put_all(TSR_TREE(net, &p.params), m, P());
	for (int unchecked = 0; unchecked < 2; unchecked++) {
		tsr_fn *f = dp_fn(m, unchecked);
		net g = gradients("over the batch", f, &p.params, inputs, targets, &loss);
		golden_equal(loss, "s0x.net_dp", "loss");
		golden_sharded(loss, m, P());
		all_sharded(TSR_TREE(net, &g), m, P());
		golden_truth(right_grads(&p, &g), "s0x.net_dp", "allclose_grads");
	}
	moves(dp_fn(m, false), TSR_TREE(net, &p.params), inputs, targets, "s0x.net_dp",
	      "forward.moves", "grad.moves");
}

static void net_fsdp(void **state)
{
	problem p = problem_of(*state);
	tsr_mesh *m = tsr_mesh_make(p.ctx, {"batch", 8});
	tsr *inputs = tsr_put(p.inputs, m, P("batch")), *loss;
	tsr *targets = tsr_put(p.targets, m, P("batch"));
	put_all(TSR_TREE(net, &p.params), m, P("batch"));
	for (int unchecked = 0; unchecked < 2; unchecked++) {
		tsr_fn *f = fsdp_fn(m, unchecked);
		net g = gradients("sharded parameters", f, &p.params, inputs, targets, &loss);
		golden_equal(loss, "s0x.net_fsdp", "loss");
		golden_sharded(loss, m, P());
		all_sharded(TSR_TREE(net, &g), m, P("batch"));
		golden_truth(right_grads(&p, &g), "s0x.net_fsdp", "allclose_grads");
	}
	moves(fsdp_fn(m, false), TSR_TREE(net, &p.params), inputs, targets, "s0x.net_fsdp",
	      "forward.moves", "grad.moves");
}

static void net_tp(void **state)
{
	problem p = problem_of(*state);
	tsr_mesh *m = tsr_mesh_make(p.ctx, {"feats", 8});
	tsr *inputs = tsr_put(p.inputs, m, P(NULL, "feats")), *loss;
	tsr *targets = tsr_put(p.targets, m, P(NULL, "feats"));
	put_all(TSR_TREE(net, &p.params), m, P("feats"));
	for (int unchecked = 0; unchecked < 2; unchecked++) {
		tsr_fn *f = tp_fn(m, unchecked);
		net g = gradients("over the features", f, &p.params, inputs, targets, &loss);
		golden_equal(loss, "s0x.net_tp", "loss");
		all_sharded(TSR_TREE(net, &g), m, P("feats"));
		golden_truth(right_grads(&p, &g), "s0x.net_tp", "allclose_grads");
	}
	moves(tp_fn(m, false), TSR_TREE(net, &p.params), inputs, targets, "s0x.net_tp",
	      "forward.moves", "grad.moves");
}

static void net_fsdp_tp(void **state)
{
	problem p = problem_of(*state);
	tsr_mesh *m = tsr_mesh_make(p.ctx, {"batch", 4}, {"feats", 2});
	tsr *inputs = tsr_put(p.inputs, m, P("batch", "feats")), *loss;
	tsr *targets = tsr_put(p.targets, m, P("batch", "feats"));
	put_all(TSR_TREE(net, &p.params), m, P("feats*batch"));
	for (int unchecked = 0; unchecked < 2; unchecked++) {
		tsr_fn *f = fsdp_tp_fn(m, unchecked);
		net g = gradients("batch and features", f, &p.params, inputs, targets, &loss);
		golden_equal(loss, "s0x.net_fsdp_tp", "loss");
		golden_sharded(loss, m, P());
		all_sharded(TSR_TREE(net, &g), m, P("feats*batch"));
		golden_truth(right_grads(&p, &g), "s0x.net_fsdp_tp", "allclose_grads");
	}
	moves(fsdp_tp_fn(m, false), TSR_TREE(net, &p.params), inputs, targets, "s0x.net_fsdp_tp",
	      "forward.moves", "grad.moves");
}

static void pp_gradients(const problem *p, tsr_mesh *m, pipeline *params, bool unchecked)
{
	const tsr_tree tree = TSR_TREE(pipeline, params);
	tsr *inputs = tsr_put(p->inputs, m, P("stages")), *loss;
	tsr *targets = tsr_put(p->targets, m, P("stages"));
	tsr_fn *f = pp_fn(m, unchecked);
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
	moves(pp_fn(m, false), TSR_TREE(pipeline, &params), tsr_put(p.inputs, m, P("stages")),
	      tsr_put(p.targets, m, P("stages")), "s0x.net_pp", "forward.moves", "grad.moves");
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
