/* test_multi_head.c - the layer of attention: its parts, decoding with a cache, heads that are
 * split over devices. (make peer-check compares it with flax.). */
#include "support/near.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#define D TSR_DIMS

enum { BATCH = 2, LENGTH = 6, FEATURES = 6, HEADS = 4, KV_HEADS = 2, HEAD = 4 };

TSR_TREE_TYPE(kernels, { tsr *query, *key, *value, *out; });

static tsr *wave(tsr_ctx *ctx, tsr_dims dims, double f)
{
	int64_t n = 1;
	for (int64_t d = 1; d < dims.d[0]; d++) n *= dims.d[d];
	return tsr_reshape(tsr_sin(tsr_mul(tsr_arange(ctx, n, .dtype = TSR_F64), f)), dims);
}

static kernels make_kernels(tsr_ctx *ctx)
{
	return (kernels){.query = wave(ctx, D(FEATURES, HEADS, HEAD), 1.1),
	                 .key = wave(ctx, D(FEATURES, KV_HEADS, HEAD), 0.7),
	                 .value = wave(ctx, D(FEATURES, KV_HEADS, HEAD), 1.9),
	                 .out = wave(ctx, D(HEADS, HEAD, FEATURES), 0.3)};
}

static tsr *make_x(tsr_ctx *ctx) { return wave(ctx, D(BATCH, LENGTH, FEATURES), 0.37); }

static tsr *causal_layer(tsr_tree params, tsr *x)
{
	const kernels *w = TSR_TREE_OF(kernels, params);
	return tsr_multi_head_attention(x, w->query, w->key, w->value, w->out, .causal = true,
	                                .rotary = 100);
}

/* ---- what it is made of */

static void of_parts(void **state)
{
	tsr_ctx *ctx = *state;
	const kernels w = make_kernels(ctx);
	tsr *x = make_x(ctx), *q = tsr_einsum("btf,fnh->btnh", x, w.query);
	tsr *bias = wave(ctx, D(HEADS, HEAD), 0.2), *own = wave(ctx, D(KV_HEADS, HEAD), 0.6);
	tsr *k = tsr_add(tsr_einsum("btf,fnh->btnh", x, w.key), own);
	tsr *v = tsr_add(tsr_einsum("btf,fnh->btnh", x, w.value), own);
	tsr *scores = tsr_einsum("btnh,bsnh->bnts", tsr_rotary(tsr_add(q, bias), .base = 100),
	                         tsr_repeat(tsr_rotary(k, .base = 100), 2, 2));
	tsr *below = tsr_tri(ctx, LENGTH, LENGTH, 0, .dtype = TSR_BOOL);
	tsr *shares = tsr_softmax(tsr_where(below, tsr_mul(scores, 0.25), -1e300), -1);
	tsr *y = tsr_einsum("bnts,bsnh,nhf->btf", shares, tsr_repeat(v, 2, 2), w.out);
	ALIKE(tsr_multi_head_attention(x, w.query, w.key, w.value, w.out, .causal = true,
	                               .rotary = 100, .scale = 0.25, .query_bias = bias,
	                               .key_bias = own, .value_bias = own,
	                               .out_bias = tsr_ones(ctx, D(FEATURES))),
	      tsr_add(y, 1), 1e-13);
}

static void other_inputs(void **state)
{
	tsr_ctx *ctx = *state;
	const kernels w = make_kernels(ctx);
	tsr *x = make_x(ctx), *keys = wave(ctx, D(BATCH, 3, FEATURES), 0.9);
	tsr *twice = tsr_concatenate(1, keys, keys);
	tsr *once = tsr_multi_head_attention(x, w.query, w.key, w.value, w.out, .key_input = keys);
	SHAPE(once, BATCH, LENGTH, FEATURES);
	ALIKE(tsr_multi_head_attention(x, w.query, w.key, w.value, w.out, .key_input = twice), once,
	      1e-13);
	ALIKE(tsr_multi_head_attention(x, w.query, w.key, w.value, w.out, .key_input = keys,
	                               .value_input = tsr_zeros_like(keys)),
	      tsr_zeros_like(x), 0);
}

/* ---- rotary embedding */

static void turns(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *one = tsr_reshape(F64(ctx, 1, 0), D(1, 1, 2));
	NEAR(tsr_rotary(one, .position = TSR_ARG(2)), cos(2), sin(2));
	tsr *x = wave(ctx, D(3, 2, 4), 0.8), *places = F64(ctx, 5, 6, 7);
	SAME(tsr_rotary(x, .position = TSR_ARG(5)), tsr_rotary(x, .position = TSR_ARG(places)));
	/* products of a query and a key depend on their distance alone */
	tsr *y = wave(ctx, D(3, 2, 4), 0.3);
	tsr *near = tsr_vecdot(tsr_rotary(x, .position = TSR_ARG(1)), tsr_rotary(y));
	tsr *far = tsr_vecdot(tsr_rotary(x, .position = TSR_ARG(41)),
	                      tsr_rotary(y, .position = TSR_ARG(40)));
	ALIKE(far, near, 1e-13);
}

/* ---- decoding */

/* one row with the caches before it, in a scan: the carry is the place and both caches */
TSR_TREE_TYPE(cache, { tsr *keys, *values, *at; });
static kernels fixed;
static void decode(tsr_frame *f)
{
	const cache *c = TSR_TREE_OF(cache, tsr_frame_tree(f, 0));
	tsr *x = tsr_frame_arg(f, 1);
	cache next = {.at = tsr_add(c->at, 1)};
	tsr *y = tsr_multi_head_attention(x, fixed.query, fixed.key, fixed.value, fixed.out,
	                                  .rotary = 100, .key_cache = c->keys,
	                                  .value_cache = c->values, .position = TSR_ARG(c->at),
	                                  .new_key_cache = &next.keys,
	                                  .new_value_cache = &next.values);
	tsr_return(f, TSR_TREE(cache, &next), y);
}

static void row_by_row(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *x = make_x(ctx), *y;
	const tsr_dims room = D(BATCH, LENGTH + 3, KV_HEADS, HEAD);
	cache begin = {.keys = tsr_zeros(ctx, room, .dtype = TSR_F64),
	               .values = tsr_zeros(ctx, room, .dtype = TSR_F64),
	               .at = tsr_scalar(ctx, 0, .dtype = TSR_I32)}, end;
	fixed = make_kernels(ctx);
	tsr *rows = tsr_expand_dims(tsr_moveaxis(x, D(1), D(0)), D(2));
	tsr_scan_into(TSR_OUT(TSR_TREE(cache, &end), &y), decode, TSR_TREE(cache, &begin), rows);
	tsr *whole = causal_layer(TSR_TREE(kernels, &fixed), x);
	ALIKE(tsr_moveaxis(tsr_squeeze(y, D(2)), D(0), D(1)), whole, 1e-13);
	assert_int_equal(tsr_item_int(end.at), LENGTH);
	SAME(tsr_slice(end.keys, 1, LENGTH, TSR_END), tsr_zeros(ctx, D(BATCH, 3, KV_HEADS, HEAD),
	                                                        .dtype = TSR_F64));
}

/* several rows at once, behind others, each sees those up to its own */
static void rows_at_once(void **state)
{
	tsr_ctx *ctx = *state;
	const kernels w = make_kernels(ctx);
	tsr *x = make_x(ctx), *keys = NULL, *values = NULL, *part[2], *y[2];
	const tsr_dims room = D(BATCH, LENGTH, KV_HEADS, HEAD);
	tsr *empty = tsr_zeros(ctx, room, .dtype = TSR_F64);
	tsr_split(x, 1, part, 2, .indices = D(2));
	keys = values = empty;
	for (int i = 0; i < 2; i++)
		y[i] = tsr_multi_head_attention(part[i], w.query, w.key, w.value, w.out,
		                                .causal = true, .rotary = 100, .key_cache = keys,
		                                .value_cache = values, .position = TSR_ARG(2 * i),
		                                .new_key_cache = &keys, .new_value_cache = &values);
	ALIKE(tsr_concatenate(1, y[0], y[1]), causal_layer(TSR_TREE(kernels, &w), x), 1e-13);
}

/* ---- over devices */

static tsr *split_layer(tsr_tree params, tsr *x)
{
	return tsr_psum(causal_layer(params, x), "model");
}

static void heads_over_devices(void **state)
{
	tsr_ctx *ctx = *state;
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"data", 2}, {"model", 2});
	const kernels w = make_kernels(ctx);
	const tsr_tree params = TSR_TREE(kernels, &w);
	const tsr_spec heads = TSR_SPEC(NULL, "model"), rows = TSR_SPEC("data");
	const tsr_spec specs[] = {heads, heads, heads, TSR_SPEC("model")};
	tsr *x = make_x(ctx), *want = causal_layer(params, x);
	tsr_fn *map = tsr_shard_map(mesh, split_layer,
	                            .in = {TSR_FOR_EACH(specs), TSR_FOR_ALL(rows)},
	                            .out = {TSR_FOR_ALL(rows)});
	tsr_fn *automatic = tsr_jit(ctx, causal_layer, .mesh = mesh,
	                            .in = {TSR_FOR_EACH(specs), TSR_FOR_ALL(rows)},
	                            .out = {TSR_FOR_ALL(rows)});
	ALIKE(tsr_call(map, params, x), want, 1e-13);
	ALIKE(tsr_call(automatic, params, x), want, 1e-13);
	assert_true(tsr_expect_collectives("psum=1", map, params, x));
	assert_true(tsr_expect_collectives("psum=1", automatic, params, x));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(of_parts),   cmocka_unit_test(other_inputs),
		cmocka_unit_test(turns),      cmocka_unit_test(row_by_row),
		cmocka_unit_test(rows_at_once), cmocka_unit_test(heads_over_devices),
	};

	return cmocka_run_group_tests(tests, near_open, near_close);
}
