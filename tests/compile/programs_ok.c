/* programs_ok.c - whole programs as a user writes them must compile without a warning.
 *
 * Compiled, never run. Random numbers and shardings that the compiler chooses come in with their
 * headers. */
#include <tsr/tsr.h>
#define P TSR_P
#define D TSR_DIMS

/* ---- a matrix product: blocks in, one psum, blocks out; and by placement alone */

static tsr *product(tsr *a, tsr *b) /* a: f32[2,8]  b: f32[8,4] */
{
	return tsr_psum(tsr_dot(a, b), "y"); /* f32[2,4] */
}

static int multiply(void)
{
	tsr_ctx *ctx = tsr_open(.devices = 8);
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 4}, {"y", 2});
	tsr *a = tsr_reshape(tsr_arange(ctx, 8 * 16, .dtype = TSR_F32), D(8, 16));
	tsr *b = tsr_reshape(tsr_arange(ctx, 16 * 4, .dtype = TSR_F32), D(16, 4));

	tsr_fn *mapped = tsr_shard_map(mesh, product, .in = TSR_SPECS(P("x", "y"), P("y", NULL)),
	                               .out = TSR_SPECS(P("x", NULL)));
	tsr *c = tsr_call(mapped, a, b);
	tsr *d = tsr_dot(tsr_put(a, mesh, P("x", "y")), tsr_put(b, mesh, P("y", NULL)));

	tsr_show_sharding(c);
	tsr_show_sharding(d);
	printf("close: %d\n",
	       tsr_allclose(tsr_dot(a, b), c, 1e-2, 1e-2) && tsr_allclose(c, d, 0, 0));
	return tsr_close(ctx);
}

/* ---- Rule 30: each step sends one cell to each neighbour */

static tsr *next(tsr *cells) /* u32[10] on each device */
{
	tsr *first = tsr_slice(cells, 0, 0, 1), *last = tsr_slice(cells, 0, -1, TSR_END);
	tsr *before = tsr_ppermute(last, "i", TSR_SHIFT(+1));
	tsr *behind = tsr_ppermute(first, "i", TSR_SHIFT(-1));
	tsr *padded = tsr_concatenate(0, before, cells, behind);
	tsr *l = tsr_slice(padded, 0, 0, -2), *c = tsr_slice(padded, 0, 1, -1),
	    *r = tsr_slice(padded, 0, 2, TSR_END);

	return tsr_bitwise_xor(l, tsr_bitwise_or(c, r));
}

static int evolve(void)
{
	tsr_ctx *ctx = tsr_open(.devices = 8);
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"i", 8});
	tsr_fn *step = tsr_jit(ctx, tsr_shard_map(mesh, next, .sig = "[i] -> [i]"));
	tsr *cells = tsr_from(ctx, (uint32_t[80]){[40] = 1}, TSR_U32, D(80));

	for (int k = 0; k < 40; k++) {
		tsr_print(cells);
		cells = tsr_call(step, cells);
	}
	return tsr_close(ctx);
}

/* ---- a layer: weights and batch split over one axis, the weights gathered just before use */

static tsr *layer(tsr *x, tsr *w)
{
	return tsr_dot(x, tsr_all_gather(w, "data", .dim = D(0), .tiled = true));
}

static int gather(void)
{
	tsr_ctx *ctx = tsr_open(.devices = 4);
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"data", 2}, {"model", 2});
	tsr *x = tsr_sin(tsr_reshape(tsr_arange(ctx, 4 * 10), D(4, 10)));
	tsr *w = tsr_cos(tsr_reshape(tsr_arange(ctx, 10 * 10), D(10, 10)));

	tsr_fn *f = tsr_shard_map(mesh, layer, .sig = "[data,-] [data,-] -> [data,-]");
	tsr *y = tsr_call(f, x, w);
	tsr_show_sharding(y);
	printf("close: %d\n", tsr_allclose(y, tsr_dot(x, w), 1e-5, 1e-8));
	return tsr_close(ctx);
}

/* ---- a two-layer classifier: batch over one axis, hidden units over the other */

TSR_TREE_TYPE(mlp, { tsr *w1, *b1, *w2, *b2; });

static tsr *loss(tsr_tree params, tsr *x, tsr *onehot)
{
	const mlp *p = TSR_TREE_OF(mlp, params);
	tsr *hidden = tsr_relu(tsr_add(tsr_dot(x, p->w1), p->b1));
	tsr *logits = tsr_add(tsr_dot(hidden, p->w2), p->b2);
	tsr *right = tsr_sum(tsr_mul(logits, onehot), .dims = D(1));

	return tsr_mean(tsr_sub(tsr_logsumexp(logits, .dims = D(1)), right));
}

static int train(void)
{
	tsr_ctx *ctx = tsr_open(.devices = 8);
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"batch", 4}, {"model", 2});
	mlp w = {0};

	tsr_set(&w.w1, tsr_put(tsr_ones(ctx, D(784, 512)), mesh, P(NULL, "model")));
	tsr_set(&w.b1, tsr_put(tsr_zeros(ctx, D(512)), mesh, P("model")));
	tsr_set(&w.w2, tsr_put(tsr_ones(ctx, D(512, 10)), mesh, P("model", NULL)));
	tsr_set(&w.b2, tsr_put(tsr_zeros(ctx, D(10)), mesh, P()));
	tsr *x = tsr_put(tsr_ones(ctx, D(128, 784)), mesh, P("batch", NULL));
	tsr *y = tsr_put(tsr_ones(ctx, D(128, 10)), mesh, P("batch", NULL));

	tsr_fn *step = tsr_jit(ctx, tsr_value_and_grad(ctx, loss));
	for (int i = 0; i < 100; i++) {
		TSR_SCOPE(ctx); /* every temporary of the step goes here */
		mlp g;
		tsr *l;
		tsr_call_into(TSR_OUT(&l, TSR_TREE(mlp, &g)), step, TSR_TREE(mlp, &w), x, y);
		for (size_t k = 0; k < sizeof w.leaf / sizeof *w.leaf; k++)
			tsr_set(&w.leaf[k], tsr_sub(w.leaf[k], tsr_mul(g.leaf[k], 1e-3)));
		if (i % 10 == 0) printf("%3d  %f\n", i, tsr_item(l));
	}
	tsr_drop_tree(TSR_TREE(mlp, &w));
	return tsr_close(ctx);
}

int main(void) { return multiply() | evolve() | gather() | train(); }
