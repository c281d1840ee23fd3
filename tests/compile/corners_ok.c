/* corners_ok.c - corners of the macro layer that must compile without a warning.
 *
 * Nested trees, specs a leaf, no keywords and several, odd kinds of numbers, braces with commas,
 * every form of a body, scopes, early exit. Compiled, never run. */
#include <stdio.h>
#include "tsr/tsr.h"
#define P TSR_P
#define D TSR_DIMS

TSR_TREE_TYPE(linear, { tsr *w, *b; });
TSR_TREE_TYPE(mlp, { linear up, down; tsr *scale, *spare[2]; });
TSR_TREE_TYPE(named_as_its_type, { linear linear; tsr *w; });
static tsr *part_of_const(tsr_fn *f, tsr_tree t)
{
	return tsr_call(f, TSR_TREE(linear, &TSR_TREE_OF(mlp, t)->up));
}
static const tsr_spec mlp_specs[] = {
	TSR_SPEC(NULL, "model"), TSR_SPEC("model"), TSR_SPEC("model", NULL), TSR_SPEC(NULL),
	TSR_SPEC(), TSR_SPEC("batch*model"), TSR_SPEC("-", "-", "-", "-", "-", "-", "-", "-")};
struct hyper { double rate; int64_t halo; };

static tsr *forward(tsr_tree params, tsr *x, tsr *onehot)
{
	const mlp *p = TSR_TREE_OF(mlp, params);
	tsr *h = tsr_relu(tsr_add(tsr_dot(x, p->up.w), p->up.b));
	tsr *zero = tsr_zeros(x, D(), .dtype = TSR_F32);
	tsr *logits = tsr_add(tsr_dot(h, p->down.w), tsr_mul(p->scale, zero));
	tsr *right = tsr_sum(tsr_mul(logits, onehot), .dims = D(-1));

	return tsr_mean(tsr_sub(tsr_sum(logits, .dims = D(1), .keep = true), right));
}

/* every form of a body */
static tsr *of_ctx(tsr_ctx *ctx) { return tsr_axis_index(ctx, "model"); }
static tsr *of_1(tsr *x) { return tsr_all_gather(x, "model"); }
static tsr *of_2(tsr *a, tsr *b) { return tsr_psum(tsr_dot(a, b), "batch*model"); }
static tsr *of_3(tsr *a, tsr *b, tsr *c) { return tsr_where(a, b, tsr_clamp(-1, c, 1.5)); }
static tsr *of_4(tsr *a, tsr *b, tsr *c, tsr *d) { return tsr_concatenate(0, a, b, c, d); }
static tsr *of_t0(tsr_tree t) { return tsr_stack(-1, t.leaf[0], t.leaf[1]); }
static tsr *of_t1(tsr_tree t, tsr *a) { return tsr_pcast(tsr_maximum(t.leaf[0], a), "model"); }
static tsr *of_t3(tsr_tree t, tsr *a, tsr *b, tsr *c) { return tsr_add(of_3(a, b, c), t.leaf[0]); }
static void of_frame(tsr_frame *frame)
{
	const struct hyper *h = tsr_frame_env(frame);
	const mlp *p = TSR_TREE_OF(mlp, tsr_frame_tree(frame, 0));
	mlp scaled = {.scale = tsr_full(frame, D(2, 2), h->rate)};

	if (tsr_frame_count(frame) != 2 || !p->scale) {
		tsr_fail(frame, "two arguments");
		return;
	}
	tsr_tree captures = tsr_frame_captures(frame);
	tsr_return(frame, tsr_frame_arg(frame, 1), TSR_TREE(mlp, &scaled), captures);
}
static void of_nothing(tsr_frame *frame) { tsr_return(frame); }

static tsr *in_scopes(tsr *x)
{
	TSR_SCOPE(x);
	{
		TSR_SCOPE(x);
		tsr_show_sharding(x);
	}
	return tsr_keep(tsr_div(tsr_mul(2, x), sizeof x));
}

static tsr *on_meshes(tsr *x, tsr_mesh *mesh, const tsr_mesh *other)
{
	TSR_MESH(mesh);
	for (int i = 0; i < 2; i++) {
		TSR_MESH(other);
		x = tsr_put(x, NULL, P("x"));
	}
	return tsr_constrain(x, NULL, P("x"));
}

static tsr *numbers(tsr_ctx *ctx, const tsr *c)
{
	const size_t n = 80;
	const unsigned u = 3;
	const bool yes = true;
	const uint8_t byte = 7;
	const short small = -1;
	const long long wide = 1;
	const float half = 0.5f;
	int64_t rows = 8, cols = 10;
	tsr *x = tsr_arange(ctx, 80, .dtype = TSR_U32, .start = 1, .step = 2);

	x = tsr_mul(tsr_reshape(x, D(rows, cols)), n);
	x = tsr_add(x, tsr_add(u, tsr_mul(yes, tsr_add(true, tsr_mul('a', tsr_add(byte, c))))));
	x = tsr_pow(tsr_rem(x, wide), tsr_sub(half, tsr_bitwise_or(small, tsr_shift_left(x, 2))));
	x = tsr_mul(x, __extension__ 2.0i);
	x = tsr_add(tsr_scalar(x, 1), tsr_full(x, D(), -2.5, .dtype = TSR_BF16));
	return tsr_reshape(x, D());
}

static tsr *pieces(tsr *x)
{
	tsr *half[2];
	const int order[] = {1, 0};

	tsr_split(x, 0, half, 2);
	x = tsr_pad(x, D(1, 0), D(0, -1), 0, .interior = D(0, 1));
	x = tsr_slice(tsr_slice_strided(x, D(0, 0), D(4, 2)), 0, 1, TSR_END);
	x = tsr_slice_strided(x, D(0, 0), D(4, TSR_END), .steps = D(2, 1));
	x = tsr_dynamic_update(x, tsr_dynamic_slice(x, 0, tsr_item_int(half[0]), 1), 0, half[1]);
	x = tsr_dot_general(x, x, .contract_a = D(1), .contract_b = D(1));
	x = tsr_add(tsr_iota(x, D(2, 2), 1), tsr_iota(x, D(2, 2), 0, .dtype = TSR_F32));
	x = tsr_transpose(tsr_transpose(x), .perm = D(1, 0));
	x = tsr_argmax(x, .dim = D(0), .keep = true);
	x = tsr_psum(x, "x",
	             .groups = {.member = (const int[]){0, 1, 2, 3}, .count = 2, .size = 2});
	x = tsr_psum(x, "x", .groups = {.member = order, .count = 1, .size = 2});
	x = tsr_all_gather(x, "x", .dim = D(-1), .tiled = true,
	                   .groups = {.member = order, .count = 1, .size = 2});
	x = tsr_ppermute(x, "x", TSR_SHIFT(+1));
	x = tsr_ppermute(x, "x", TSR_PAIRS({0, 1}, {1, 0}),
	                 .groups = {.member = order, .count = 1, .size = 2});
	x = tsr_pmean(x, "x", .groups = {.member = order, .count = 2, .size = 1});
	x = tsr_pshuffle(x, "x", order, 2);
	x = tsr_pswapaxes(tsr_pbroadcast(x, "x", 0), "x", 0);
	x = tsr_psum_scatter(x, "x", .tiled = true);
	x = tsr_all_to_all(x, "x", .split = D(1), .concat = D(0));
	return tsr_ragged_all_to_all(x, x, x, x, x, x, "x",
	                             .groups = {.member = order, .count = 1, .size = 2});
}

static tsr *fns(tsr_ctx *ctx, tsr_mesh *mesh, tsr *x)
{
	mlp w = {0};
	const struct hyper h = {1e-3, 1};
	tsr_fn *gather = tsr_jit(ctx, tsr_shard_map(mesh, of_1, .sig = "[model] -> [-]"));
	tsr_fn *all[] = {
		tsr_jit(ctx, tsr_exp), tsr_jit(x, of_3), tsr_jit(mesh, of_4, .name = "four"),
		gather,
		tsr_jit(ctx, of_t0), tsr_jit(ctx, of_t1), tsr_jit(ctx, of_t3),
		tsr_jit(ctx, of_nothing),
		tsr_jit(ctx, of_frame, TSR_ENV(&h), .captures = TSR_TREE(mlp, &w)),
		tsr_shard_map(mesh, of_ctx, .out = {TSR_FOR_ALL(P("model"))}, .axes = "model"),
		tsr_shard_map(mesh, of_2, .in = TSR_SPECS(P("batch"), P()), .out = TSR_SPECS(P())),
		tsr_shard_map(mesh, forward, .out = {TSR_FOR_ALL(P())}, .unchecked = true,
			.in = {TSR_FOR_EACH(mlp_specs), TSR_FOR_ALL(P("batch")), TSR_FOR_ALL(P())}),
	};
	tsr *y = tsr_call(all[0], tsr_call(all[9]));
	y = part_of_const(all[0], TSR_TREE(mlp, &w));

	puts(tsr_fn_text(all[9]));
	puts(tsr_fn_text(all[8], TSR_TREE(mlp, &w), y));
	tsr_call_into(TSR_OUT(&y), all[9]);
	tsr_call_into(TSR_OUT(NULL, &y), all[8]);
	return tsr_call(all[4], TSR_TREE(mlp, &w));
}

static const int64_t ids[] = {1, 0};
static const int leaf_dims[] = {0, TSR_UNMAPPED, -1, 1, 0, 0, 2};

/* derivatives and batches, with every kind of keyword */
static tsr *transformed(tsr_ctx *ctx, tsr_mesh *mesh, tsr *x, tsr_dims wrt)
{
	mlp w = {0}, g;
	const struct hyper h = {1e-3, 1};
	tsr *y, *dy;
	tsr_fn *step = tsr_jit(ctx, tsr_value_and_grad(ctx, forward, .wrt = D(0)), .donate = D(0),
	                       TSR_ENV(&h), .captures = TSR_TREE(mlp, &w));
	tsr_fn *all[] = {
		step, tsr_grad(x, of_1), tsr_grad(mesh, of_2, .wrt = wrt), tsr_jvp(step, of_2),
		tsr_grad(ctx, of_frame, TSR_ENV(&h), .wrt = D(1, 0), .has_aux = true, .name = "g"),
		tsr_jacfwd(ctx, tsr_exp), tsr_jacrev(ctx, tsr_jacfwd(ctx, tsr_exp)),
		tsr_hessian(ctx, of_2, .wrt = D(0, 1)), tsr_vmap(ctx, tsr_exp),
		tsr_vmap(x, of_ctx, .axis_size = 4, .axis = "i"),
		tsr_vmap(ctx, of_2, .in = TSR_MAPPED(0, TSR_UNMAPPED), .out = TSR_MAPPED(-1)),
		tsr_vmap(mesh, forward, .spmd_axis = "batch", TSR_ENV(&h),
			.in = {TSR_FOR_EACH(leaf_dims), TSR_MAPPED_ALL(0), TSR_MAPPED_ALL(1)}),
		tsr_vmap(ctx, tsr_vmap(ctx, tsr_grad(ctx, tsr_jit(ctx, of_1)))),
		tsr_pmap(x, tsr_pmap(ctx, of_1, .axis = "j"), .axis = "i", TSR_DEVICES(ids)),
	};

	tsr_call_into(TSR_OUT(&y, TSR_TREE(mlp, &g)), step, TSR_TREE(mlp, &w), x, 2.0);
	tsr_call_into(TSR_OUT(&y, &dy), all[3], x, x, 1.5, true);
	tsr_linearized l = tsr_linearize(TSR_OUT(&y), all[8], x);
	dy = tsr_call(l.fn, l.residuals, y);
	l = tsr_vjp(TSR_OUT(&y, TSR_OWN(mlp, &w)), all[11], TSR_TREE(mlp, &w), x, 1);
	tsr_call_into(TSR_OUT(TSR_TREE(mlp, &g)), l.fn, l.residuals, dy);
	l = tsr_linear_transpose(all[5], x);
	return tsr_call(l.fn, l.residuals, dy);
}

static tsr *train(tsr_ctx *ctx, tsr_fn *step, mlp *w, tsr *x)
{
	tsr *l = tsr_poison(ctx);

	for (int i = 0; i < 100; i++) {
		TSR_SCOPE(ctx);
		tsr_call_into(TSR_OUT(&l, TSR_OWN(mlp, w)), step, TSR_TREE(mlp, w), x, 2.0, i);
		if (tsr_item(l) < 1e-3) break;
		if (tsr_is_poison(l)) goto out;
	}
out:
	tsr_drop_tree(TSR_TREE(mlp, w));
	return l;
}

static bool host(tsr_ctx *ctx, tsr_mesh *mesh, tsr *x)
{
	float here[6];
	int64_t strides[TSR_MAX_NDIM];
	tsr_shard shard;
	tsr *copy[2] = {tsr_shard_data(x, 0), x};

	x = tsr_from(ctx, (uint32_t[80]){[40] = 1}, TSR_U32, D(80));
	x = tsr_from(ctx, (float[]){1, 2, 3, 4}, TSR_F32, D(2, 2));
	x = tsr_wrap(ctx, here, TSR_F32, D(2, 3), .strides = D(4, 8), .writable = true);
	tsr_call_into(TSR_OUT(TSR_INTO(here, TSR_F32, D(2, 3)), &x,
	                      TSR_INTO(&here[1], TSR_F32, D(2), .strides = D(12))),
	              tsr_jit(x, of_3), x, x, x);
	x = tsr_put(tsr_wrap(ctx, here, TSR_F32, D(6)), mesh, P("batch"));
	x = tsr_put_sharding(tsr_put_device(x, 1), tsr_sharding_make(mesh, P("batch", "model")));
	x = tsr_from_shards(ctx, tsr_sharding_of(x), D(4), copy, 2);
	x = tsr_concatenate(0, tsr_load_npy(ctx, "x.npy"), tsr_eye(ctx, 3), tsr_ones(ctx, D(3, 3)));
	puts(tsr_sharding_picture(x));
	puts(tsr_sharding_picture(x, .color = true));
	puts(tsr_sharding_svg(x, .dims = D(0)));
	tsr_show_shards(x);
	puts(tsr_shards_text(x, .devices = true, .precision = 3));
	return tsr_read(x, here, sizeof here) && tsr_read_into(x, here) &&
	       tsr_read_into(x, here, .dtype = TSR_F32, .strides = D(12, 4)) &&
	       tsr_shard_of(x, 0, &shard) && tsr_shard_borrow(x, 0, strides) &&
	       tsr_allclose(x, x, 1e-5, 1e-8);
}

int main(void)
{
	tsr_ctx *ctx = tsr_open(.devices = 8), *plain = tsr_open();
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"batch", 4}, {"model", 2});
	tsr_mesh *other = tsr_mesh_make_devices(ctx, ((const int64_t[]){1, 0}), 2, {"x", 2});
	mlp w = {0};
	tsr *x = in_scopes(numbers(ctx, tsr_poison(ctx)));

	tsr_set(&w.up.w, on_meshes(tsr_put(x, other, P()), mesh, other));
	x = train(ctx, tsr_jit(ctx, forward), &w, pieces(fns(ctx, mesh, x)));
	x = transformed(ctx, mesh, x, D(1));
	return tsr_close(plain) | (host(ctx, mesh, x) ? tsr_close(ctx) : 1);
}
