/* errors_and_memory.c - runs the code of docs/errors-and-memory.md. */
#include <math.h>
#include <stdio.h>
#include <tsr/tsr.h>

enum { N = 4 };
TSR_TREE_TYPE(mlp, { tsr *w; });

static int a_chain(void)
{
	tsr_ctx *ctx = tsr_open();
	tsr *w = tsr_ones(ctx, TSR_DIMS(2, 3)), *x = tsr_ones(ctx, TSR_DIMS(2));
	tsr *y = tsr_ones(ctx, TSR_DIMS(2));

	tsr *loss = tsr_mean(tsr_square(tsr_sub(tsr_dot(w, x), y)));
	printf("%g\n", tsr_item(loss)); /* NaN, and the log has said why */
	return tsr_close(ctx);          /* the code of the first error: an exit status */
}

static tsr_ctx *ctx;
static tsr *batch(int i) { return tsr_full(ctx, TSR_DIMS(N), (float)i); }

static void add_batch(tsr_frame *frame)
{
	mlp w = *TSR_TREE_OF(mlp, tsr_frame_tree(frame, 0));

	w.w = tsr_add(w.w, tsr_frame_arg(frame, 1));
	tsr_return(frame, TSR_TREE(mlp, &w));
}

static double a_loop_of_steps(int steps)
{
	mlp params = {0};
	tsr_fn *step = tsr_jit(ctx, add_batch);

	tsr_set(&params.w, tsr_zeros(ctx, TSR_DIMS(N)));
	for (int i = 0; i < steps; i++) {
		TSR_SCOPE(ctx);
		tsr_call_into(TSR_OUT(TSR_OWN(mlp, &params)), step, TSR_TREE(mlp, &params),
		              batch(i));
	}
	const double last = tsr_item(tsr_max(params.w));
	tsr_drop_tree(TSR_TREE(mlp, &params));
	return last;
}

static double donated(int steps)
{
	mlp params = {0};
	tsr_fn *step = tsr_jit(ctx, add_batch);

	tsr_set(&params.w, tsr_zeros(ctx, TSR_DIMS(N)));
	tsr_fn *f = tsr_jit(ctx, step, .donate = TSR_DIMS(0));
	for (int i = 0; i < steps; i++)
		tsr_call_into(TSR_OUT(TSR_OWN(mlp, &params)), f, TSR_TREE(mlp, &params), batch(i));
	const double last = tsr_item(tsr_max(params.w));
	tsr_drop_tree(TSR_TREE(mlp, &params));
	return last;
}

static void sum_and_same(tsr_frame *frame)
{
	tsr *x = tsr_frame_arg(frame, 0);
	tsr_return(frame, tsr_sum(x), x);
}

static float into_memory(void)
{
	tsr_fn *f = tsr_jit(ctx, sum_and_same);
	tsr *x = batch(3), *loss;

	float y[N];
	tsr_call_into(TSR_OUT(&loss, TSR_INTO(y, TSR_F32, TSR_DIMS(N))), f, x);
	return y[N - 1];
}

int main(void)
{
	if (a_chain() != TSR_ERROR_TYPE) return 1;
	ctx = tsr_open();
	if (a_loop_of_steps(5) != 10 || donated(5) != 10 || into_memory() != 3) return 1;
	return tsr_close(ctx);
}
