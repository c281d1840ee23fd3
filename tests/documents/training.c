/* training.c - runs the code of docs/training.md. */
#include "folder.h"
#include <stdio.h>
#include <tsr/tsr.h>

enum { ROWS = 256, STEPS = 1000 };

TSR_TREE_TYPE(mlp, { tsr *w1, *b1, *w2, *b2; });

static tsr *loss(tsr_tree params, tsr *x, tsr *y)
{
	const mlp *p = TSR_TREE_OF(mlp, params);
	tsr *hidden = tsr_tanh(tsr_add(tsr_dot(x, p->w1), p->b1));
	tsr *guess = tsr_add(tsr_dot(hidden, p->w2), p->b2);
	return tsr_mean(tsr_square(tsr_sub(guess, y)));
}

static mlp draw(tsr_ctx *ctx)
{
	tsr *key[2];

	tsr_split_key(tsr_key(ctx, 0), key, 2);
	return (mlp){.w1 = tsr_normal(key[0], TSR_DIMS(2, 16)), .b1 = tsr_zeros(ctx, TSR_DIMS(16)),
	             .w2 = tsr_normal(key[1], TSR_DIMS(16, 1)), .b2 = tsr_zeros(ctx, TSR_DIMS(1))};
}

static tsr *inputs(tsr_ctx *ctx) { return tsr_uniform(tsr_key(ctx, 1), TSR_DIMS(ROWS, 2)); }
static tsr *targets(tsr *x) { return tsr_prod(x, .dims = TSR_DIMS(1), .keep = true); }

static void a_loop(tsr_ctx *ctx)
{
	TSR_SCOPE(ctx);
	mlp w = draw(ctx);
	tsr *x = inputs(ctx), *y = targets(x);

	tsr_fn *rate = tsr_warmup_cosine_decay_schedule(ctx, 0, 1e-2, 100, 1000);
	const tsr_optimizer *opt = tsr_chain(ctx, tsr_clip_by_global_norm(ctx, 1.0),
	                                     tsr_adamw(ctx, rate, .weight_decay = 1e-2));
	tsr_fn *step = tsr_train_step(ctx, loss, opt);
	tsr_tree state = tsr_optimizer_init(opt, TSR_TREE(mlp, &w));
	for (int i = 0; i < 1000; i++) {
		TSR_SCOPE(ctx);
		tsr *l = tsr_train(step, TSR_TREE(mlp, &w), state, x, y);
		if (i % 100 == 0) printf("%4d  %g\n", i, tsr_item(l));
	}
	tsr_drop_tree(state);
	tsr_drop_tree(TSR_TREE(mlp, &w));
}

static void data_progress_files(tsr_ctx *ctx)
{
	TSR_SCOPE(ctx);
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"data", 4});
	const tsr_optimizer *opt = tsr_adam(ctx, 1e-3);
	tsr_fn *step = tsr_train_step(ctx, loss, opt);
	mlp w = draw(ctx);
	tsr *x = inputs(ctx);

	for (size_t k = 0; k < 4; k++) w.leaf[k] = tsr_put(w.leaf[k], mesh, TSR_P());
	tsr_tree state = tsr_optimizer_init(opt, TSR_TREE(mlp, &w));
	tsr_save_npy(x, "x.npy");
	tsr_save_npy(targets(x), "y.npy");

	tsr_batches *b = tsr_batches_open(ctx, ((const char *[]){"x.npy", "y.npy"}), 2, 128,
	                                  .key = tsr_key(ctx, 0), .mesh = mesh,
	                                  .spec = TSR_P("data"));
	tsr_progress *p = tsr_progress_begin(ctx, tsr_batches_count(b), .label = "epoch");
	tsr *xy[2];
	for (int i = 1; tsr_batches_next(b, xy, 2); i++) {
		TSR_SCOPE(ctx);
		tsr_train(step, TSR_TREE(mlp, &w), state, xy[0], xy[1]);
		tsr_progress_show(p, i, NULL);
	}
	tsr_progress_end(p);
	tsr_save(TSR_TREE(mlp, &w), "mlp.safetensors");
	tsr_drop_tree(state);
	tsr_drop_tree(TSR_TREE(mlp, &w));
}

static void parts_of_the_state(tsr_ctx *ctx)
{
	TSR_SCOPE(ctx);
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"data", 4});
	mlp w = draw(ctx);
	tsr *x = inputs(ctx), *y = targets(x);

	for (size_t k = 0; k < 4; k++)
		w.leaf[k] = tsr_put(w.leaf[k], mesh, TSR_P()); /* all have all */
	x = tsr_put(x, mesh, TSR_P("data")); /* rows of the batch */
	const tsr_optimizer *opt = tsr_adam(ctx, 1e-3, .zero = "data");

	tsr_fn *step = tsr_train_step(ctx, loss, opt);
	tsr_tree state = tsr_optimizer_init(opt, TSR_TREE(mlp, &w));
	tsr_expect_collectives("psum_scatter=3 all_gather=3", step, TSR_TREE(mlp, &w), state, x, y);
	tsr_drop_tree(state);
}

int main(void)
{
	tsr_ctx *ctx = tsr_open(.devices = 4);

	if (!in_new_folder()) return 1;
	a_loop(ctx);
	data_progress_files(ctx);
	parts_of_the_state(ctx);
	return tsr_close(ctx);
}
