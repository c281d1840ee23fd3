/* test_s0x_net_full.c - the network of test_s0x_net.c at its published size,
 * 784-128-128-128-128-128-8, batch 32: losses in every form, and the norms of gradients. */
#include "support/draw.h"
#include "support/golden.h"
#include "support/net.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>
#define P TSR_P
#define D TSR_DIMS

typedef struct problem {
	tsr_ctx *ctx;
	net params;
	tsr *inputs, *targets;
} problem;

static tsr *normals(tsr_ctx *ctx, draw_key key, tsr_dims dims, float scale)
{
	int64_t n = 1;
	for (int64_t d = 1; d < dims.d[0]; d++) n *= dims.d[d];
	float *x = malloc((size_t)n * sizeof *x);
	assert_non_null(x);
	draw_normal(key, scale, x, (size_t)n);
	tsr *drawn = tsr_from(ctx, x, TSR_F32, dims);
	free(x);
	return drawn;
}

/* weights are divided by the root of their rows, which JAX does by multiplying */
static problem full_problem(tsr_ctx *ctx)
{
	static const int64_t size[LAYERS + 1] = {784, 128, 128, 128, 128, 128, 8};
	const int64_t batch = 32;
	const draw_key root = draw_key_of(0), data = draw_split(root, 0);
	problem p = {.ctx = ctx};

	for (int k = 0; k < LAYERS; k++) {
		const draw_key key = draw_split(root, (uint64_t)k + 1);
		dense *layer = &p.params.layer[k];
		layer->w = normals(ctx, draw_split(key, 0), D(size[k], size[k + 1]),
		                   1 / sqrtf((float)size[k]));
		layer->b = normals(ctx, draw_split(key, 1), D(size[k + 1]), 1);
	}
	p.inputs = normals(ctx, draw_split(data, 1), D(batch, size[0]), 1);
	p.targets = normals(ctx, draw_split(data, 2), D(batch, size[LAYERS]), 1);
	return p;
}

/* the Euclidean norm of each leaf, summed up in double */
static tsr *norms(tsr_ctx *ctx, const net *n)
{
	float norm[2 * LAYERS];
	for (int k = 0; k < 2 * LAYERS; k++) {
		const size_t count = (size_t)tsr_size(n->leaf[k]);
		double *x = malloc(count * sizeof *x), sum = 0;
		assert_non_null(x);
		assert_true(tsr_read_into(n->leaf[k], x, .dtype = TSR_F64));
		for (size_t i = 0; i < count; i++) sum += x[i] * x[i];
		norm[k] = (float)sqrt(sum);
		free(x);
	}
	return tsr_from(ctx, norm, TSR_F32, D(2 * LAYERS));
}

static tsr *full_loss(tsr_fn *f, const problem *p, tsr_mesh *m, tsr_spec params, tsr_spec data)
{
	net there = p->params;
	put_all(TSR_TREE(net, &there), m, params);
	return tsr_call(tsr_jit(m, f), TSR_TREE(net, &there), tsr_put(p->inputs, m, data),
	                tsr_put(p->targets, m, data));
}

static tsr *full_pp_loss(const problem *p, tsr_mesh *m)
{
	pipeline there = packed(&p->params);
	for (size_t i = 0; i < sizeof there.leaf / sizeof *there.leaf; i++)
		there.leaf[i] = tsr_put(there.leaf[i], m, pp_specs[i]);
	return tsr_call(tsr_jit(m, pp_fn(m, false)), TSR_TREE(pipeline, &there),
	                tsr_put(p->inputs, m, P("stages")), tsr_put(p->targets, m, P("stages")));
}

static void net_full(void **state)
{
	problem p = full_problem(*state);
	tsr_mesh *batch = tsr_mesh_make(p.ctx, {"batch", 8});
	tsr_mesh *feats = tsr_mesh_make(p.ctx, {"feats", 8});
	tsr_mesh *both = tsr_mesh_make(p.ctx, {"batch", 4}, {"feats", 2});
	tsr_mesh *stages = tsr_mesh_make(p.ctx, {"stages", STAGES});
	tsr *loss;
	net g;

	golden_sampled(p.params.layer[0].w, "s0x.net_full", "W0.idx W0.samples");
	golden_equal(norms(p.ctx, &p.params), "s0x.net_full", "param_norms");
	tsr_call_into(TSR_OUT(&loss, TSR_TREE(net, &g)),
	              tsr_jit(p.ctx, tsr_value_and_grad(p.ctx, plain_loss)),
	              TSR_TREE(net, &p.params), p.inputs, p.targets);
	golden_equal(loss, "s0x.net_full", "loss");
	golden_equal(norms(p.ctx, &g), "s0x.net_full", "grad_norms");

	loss = full_loss(dp_fn(batch, false), &p, batch, P(), P("batch"));
	golden_equal(loss, "s0x.net_full", "loss_dp");
	loss = full_loss(fsdp_fn(batch, false), &p, batch, P("batch"), P("batch"));
	golden_equal(loss, "s0x.net_full", "loss_fsdp");
	loss = full_loss(tp_fn(feats, false), &p, feats, P("feats"), P(NULL, "feats"));
	golden_equal(loss, "s0x.net_full", "loss_tp");
	loss = full_loss(fsdp_tp_fn(both, false), &p, both, P("feats*batch"), P("batch", "feats"));
	golden_equal(loss, "s0x.net_full", "loss_fsdp_tp");
	golden_equal(full_pp_loss(&p, stages), "s0x.net_full", "loss_pp");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(net_full, golden_open, golden_close),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
