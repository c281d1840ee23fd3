/* train.c - a two-layer network trained on a 4x2 grid of devices, batch over one axis and hidden
 * units over the other, beside the same training on one device. */
#include <tsr/tsr.h>
#define P TSR_P
#define D TSR_DIMS

enum { POINTS = 64, HIDDEN = 32, STEPS = 200 };
TSR_TREE_TYPE(mlp, { tsr *w1, *b1, *w2, *b2; });
static const tsr_spec cuts[] = {TSR_SPEC(NULL, "model"), TSR_SPEC("model"), TSR_SPEC("model"),
                                TSR_SPEC()};

/* mean squared error on a device's part of the batch with its part of the hidden units */
static tsr *loss(tsr_tree params, tsr *x, tsr *y)
{
	const mlp *p = TSR_TREE_OF(mlp, params);
	tsr *hidden = tsr_tanh(tsr_add(tsr_dot(x, p->w1), p->b1));
	tsr *guess = tsr_add(tsr_psum(tsr_dot(hidden, p->w2), "model"), p->b2);
	return tsr_pmean(tsr_mean(tsr_square(tsr_sub(guess, y))), "batch");
}

/* n numbers in (-1, 1) without a pattern that matters */
static tsr *scattered(tsr_ctx *ctx, int n, tsr_dims dims)
{
	tsr *k = tsr_arange(ctx, n, .dtype = TSR_F32);
	return tsr_reshape(tsr_sin(tsr_mul(tsr_square(k), 0.7)), dims);
}

/* losses of STEPS steps of Adam, every 25th */
static void train(tsr_ctx *ctx, tsr_mesh *mesh, tsr *x, tsr *y, double *out)
{
	TSR_SCOPE(ctx);
	tsr_fn *f = tsr_shard_map(
		mesh, loss, .out = TSR_SPECS(P()),
		.in = {TSR_FOR_EACH(cuts), TSR_FOR_ALL(P("batch")), TSR_FOR_ALL(P("batch"))});
	const tsr_optimizer *adam = tsr_adam(ctx, 0.01);
	tsr_fn *step = tsr_train_step(ctx, f, adam);
	mlp w = {.w1 = scattered(ctx, 2 * HIDDEN, D(2, HIDDEN)),
	         .b1 = tsr_zeros(ctx, D(HIDDEN)),
	         .w2 = tsr_div(scattered(ctx, HIDDEN, D(HIDDEN, 1)), 4),
	         .b2 = tsr_zeros(ctx, D(1))};
	tsr_tree state = tsr_optimizer_init(adam, TSR_TREE(mlp, &w));

	for (int i = 0; i <= STEPS; i++) {
		TSR_SCOPE(ctx); /* every temporary of the step goes here */
		tsr *l = tsr_train(step, TSR_TREE(mlp, &w), state, x, y);
		if (i % 25 == 0) out[i / 25] = tsr_item(tsr_gather_whole(l));
	}
	tsr_drop_tree(state);
	tsr_drop_tree(TSR_TREE(mlp, &w));
}

int main(void)
{
	tsr_ctx *ctx = tsr_open(.devices = 8);
	tsr_mesh *grid = tsr_mesh_make(ctx, {"batch", 4}, {"model", 2});
	tsr_mesh *one = tsr_mesh_make(ctx, {"batch", 1}, {"model", 1});
	tsr *x = scattered(ctx, 2 * POINTS, D(POINTS, 2));
	tsr *y = tsr_prod(x, .dims = D(1), .keep = true); /* the product of two numbers */
	double on_grid[STEPS / 25 + 1] = {0}, on_one[STEPS / 25 + 1] = {0};

	train(ctx, grid, x, y, on_grid);
	train(ctx, one, x, y, on_one);
	tsr_printf(ctx, "step  8 devices  1 device\n");
	for (int i = 0; i <= STEPS / 25; i++)
		tsr_printf(ctx, "%4d  %9.6f  %8.6f\n", 25 * i, on_grid[i], on_one[i]);
	return tsr_close(ctx);
}
