/* spread.c - a network without a map: data and weights are put on a mesh, and plain array code
 * computes where they are.
 *
 * The batch is split over "data" and the hidden units over "model". Each step's gradients lie as
 * the weights do, so that these stay where they were put; the loss is summed over both axes. */
#include <tsr/tsr.h>

static tsr *loss(tsr *w1, tsr *w2, tsr *x, tsr *y)
{
	tsr *hidden = tsr_tanh(tsr_dot(x, w1));                      /* f32[16,8] */
	return tsr_mean(tsr_square(tsr_sub(tsr_dot(hidden, w2), y))); /* f32[] */
}

int main(void)
{
	tsr_ctx *ctx = tsr_open(.devices = 8);
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"data", 4}, {"model", 2});
	tsr *x = tsr_reshape(tsr_arange(ctx, 64, .start = -1, .step = 1. / 32), TSR_DIMS(16, 4));
	tsr *y = tsr_sum(tsr_square(x), .dims = TSR_DIMS(1), .keep = true);
	tsr *w1 = tsr_reshape(tsr_arange(ctx, 32, .start = -1, .step = 1. / 16), TSR_DIMS(4, 8));
	tsr *w2 = tsr_full(ctx, TSR_DIMS(8, 1), 0.5);
	tsr_fn *step = tsr_jit(ctx, tsr_value_and_grad(ctx, loss, .wrt = TSR_DIMS(0, 1)));
	tsr *value, *d1, *d2;

	x = tsr_put(x, mesh, TSR_P("data", NULL));
	y = tsr_put(y, mesh, TSR_P("data", NULL));
	w1 = tsr_put(w1, mesh, TSR_P(NULL, "model"));
	w2 = tsr_put(w2, mesh, TSR_P("model", NULL));
	for (int i = 0; i <= 40; i++) {
		TSR_SCOPE(ctx); /* what a round makes ends with it, but for what tsr_set keeps */
		tsr_call_into(TSR_OUT(&value, &d1, &d2), step, w1, w2, x, y);
		if (i % 10 == 0) tsr_printf(ctx, "step %2d  loss %.4f\n", i, tsr_item(value));
		tsr_set(&w1, tsr_sub(w1, tsr_mul(0.1, d1)));
		tsr_set(&w2, tsr_sub(w2, tsr_mul(0.1, d2)));
	}
	tsr_show_sharding(w1);
	return tsr_close(ctx);
}
