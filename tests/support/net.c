/* net.c - the losses of net.h, and the maps around them. */
#include "support/net.h"
#include <stddef.h>
#define P TSR_P
#define D TSR_DIMS

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

tsr *plain_loss(tsr_tree params, tsr *inputs, tsr *targets)
{
	tsr *predicted = predict(TSR_TREE_OF(net, params), inputs);
	return tsr_mean(squares(predicted, targets));
}

void put_all(tsr_tree tree, const tsr_mesh *mesh, tsr_spec spec)
{
	for (size_t i = 0; i < tree.count; i++) tree.leaf[i] = tsr_put(tree.leaf[i], mesh, spec);
}

/* ---- over the batch; each device has all parameters */

static tsr *dp_loss(tsr_tree params, tsr *inputs, tsr *targets)
{
	return tsr_pmean(plain_loss(params, inputs, targets), "batch");
}

tsr_fn *dp_fn(tsr_mesh *m, bool unchecked)
{
	return tsr_shard_map(m, dp_loss, .in = TSR_SPECS(P(), P("batch"), P("batch")),
	                     .out = TSR_SPECS(P()), .unchecked = unchecked);
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

tsr_fn *fsdp_fn(tsr_mesh *m, bool unchecked)
{
	return tsr_shard_map(m, fsdp_loss, .sig = "[batch] [batch] [batch] -> []",
	                     .unchecked = unchecked);
}

/* ---- over the features: a map for each product, inside jit */

static tsr *scattered_product(tsr *h, const dense *layer)
{
	tsr *partial = tsr_dot(h, layer->w);
	return tsr_add(tsr_psum_scatter(partial, "feats", .dim = D(1), .tiled = true), layer->b);
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

tsr_fn *tp_fn(tsr_mesh *m, bool unchecked)
{
	const tp_env env = {tsr_shard_map(m, tp_product, .unchecked = unchecked,
	                                  .sig = "[-,feats] [feats,-] [feats] -> [-,feats]")};
	return tsr_jit(m, tp_loss, TSR_ENV(&env));
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

tsr_fn *fsdp_tp_fn(tsr_mesh *m, bool unchecked)
{
	return tsr_shard_map(m, fsdp_tp_loss, .unchecked = unchecked,
	                     .sig = "[feats*batch] [batch,feats] [batch,feats] -> []");
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
	return tsr_dynamic_update(x, tsr_expand_dims(value, D(0)), 0, row);
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

tsr *pp_predict(tsr_tree params, tsr *h)
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

pipeline packed(const net *params)
{
	const dense *l = params->layer;
	return (pipeline){.first = l[0],
	                  .inner = {.w = tsr_stack(0, l[1].w, l[2].w, l[3].w, l[4].w),
	                            .b = tsr_stack(0, l[1].b, l[2].b, l[3].b, l[4].b)},
	                  .last = l[5]};
}

net unpacked(const pipeline *p)
{
	net n = {.layer = {p->first, [LAYERS - 1] = p->last}};
	for (int i = 0; i < LAYERS - 2; i++)
		n.layer[i + 1] =
			(dense){.w = tsr_index(p->inner.w, 0, i), .b = tsr_index(p->inner.b, 0, i)};
	return n;
}

const tsr_spec pp_specs[] = {TSR_SPEC(),         TSR_SPEC(), TSR_SPEC("stages"),
                             TSR_SPEC("stages"), TSR_SPEC(), TSR_SPEC()};

tsr_fn *pp_fn(tsr_mesh *m, bool unchecked)
{
	return tsr_shard_map(
		m, pp_loss, .out = {TSR_FOR_ALL(P())}, .unchecked = unchecked,
		.in = {TSR_FOR_EACH(pp_specs), TSR_FOR_ALL(P("stages")), TSR_FOR_ALL(P("stages"))});
}
