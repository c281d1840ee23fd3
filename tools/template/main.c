/* main.c - trains a small network on four devices, each with its part of the batch: it learns the
 * product of two numbers. Prints the loss. */
#include <tsr/tsr.h>
#define D TSR_DIMS
#define P TSR_P

enum { DEVICES = 4, POINTS = 256, HIDDEN = 32, STEPS = 500 };
TSR_TREE_TYPE(network, { tsr *w1, *b1, *w2, *b2; });

/* the mean squared error on a device's part of the batch, averaged over all devices */
static tsr *loss(tsr_tree params, tsr *x, tsr *y)
{
	const network *n = TSR_TREE_OF(network, params);
	tsr *hidden = tsr_tanh(tsr_add(tsr_dot(x, n->w1), n->b1));
	tsr *guess = tsr_add(tsr_dot(hidden, n->w2), n->b2);
	return tsr_pmean(tsr_mean(tsr_square(tsr_sub(guess, y))), "batch");
}

int main(void)
{
	tsr_ctx *ctx = tsr_open(.devices = DEVICES);
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"batch", DEVICES});
	tsr *x = tsr_normal(tsr_key(ctx, 1), D(POINTS, 2));
	tsr *y = tsr_prod(x, .dims = D(1), .keep = true);
	network n = {.w1 = tsr_normal(tsr_key(ctx, 2), D(2, HIDDEN)),
	             .b1 = tsr_zeros(ctx, D(HIDDEN)),
	             .w2 = tsr_div(tsr_normal(tsr_key(ctx, 3), D(HIDDEN, 1)), 4),
	             .b2 = tsr_zeros(ctx, D(1))};
	tsr_fn *f = tsr_shard_map(mesh, loss, .out = TSR_SPECS(P()),
	                          .in = {TSR_FOR_ALL(P()), TSR_FOR_ALL(P("batch")),
	                                 TSR_FOR_ALL(P("batch"))});
	const tsr_optimizer *adam = tsr_adam(ctx, 0.01);
	tsr_fn *step = tsr_train_step(ctx, f, adam);
	tsr_tree state = tsr_optimizer_init(adam, TSR_TREE(network, &n));

	for (int i = 0; i <= STEPS; i++) {
		TSR_SCOPE(ctx); /* what a step makes goes at its end */
		tsr *l = tsr_train(step, TSR_TREE(network, &n), state, x, y);
		if (i % 100 == 0) tsr_printf(ctx, "step %3d  loss %.6f\n", i, tsr_item(l));
	}
	return tsr_close(ctx); /* what went wrong, if anything did, is printed where it happened */
}
