/* optimizers.c - runs each optimiser and schedule of optimizers.def, for run_optimizers.py:
 * optimizers FOLDER.
 *
 * FOLDER has the gradients of STEPS steps, g0.npy to g2.npy, and the parameters, p0.npy to
 * p2.npy; FOLDER/NAME.K.npy gets parameter K behind each step, and FOLDER/NAME.npy what a schedule
 * gives. */
#include "support/optimizers.h"
#include <stdio.h>

enum { STEPS = 50 };

static void path_of(char *out, size_t size, const char *folder, const char *name, int k)
{
	snprintf(out, size, k < 0 ? "%s/%s.npy" : "%s/%s%d.npy", folder, name, k);
}

static three read_three(tsr_ctx *ctx, const char *folder, const char *name)
{
	char path[4096];
	three x;

	for (int k = 0; k < 3; k++) {
		path_of(path, sizeof path, folder, name, k);
		x.leaf[k] = tsr_load_npy(ctx, path);
	}
	return x;
}

static void run_optimizer(const char *folder, const char *name, const tsr_optimizer *opt,
                          const three *params, const three *grads)
{
	tsr_ctx *ctx = tsr_ctx_of(params->w);
	TSR_SCOPE(ctx);
	char path[4096];
	tsr *behind[3][STEPS];
	three w = {0};

	tsr_set_tree(TSR_TREE(three, &w), TSR_TREE(three, params));
	tsr_tree state = tsr_optimizer_init(opt, TSR_TREE(three, &w));
	for (int i = 0; i < STEPS; i++) {
		three g;
		for (int k = 0; k < 3; k++) g.leaf[k] = tsr_index(grads->leaf[k], 0, i);
		tsr_optimizer_update(opt, TSR_TREE(three, &g), TSR_TREE(three, &w), state);
		for (int k = 0; k < 3; k++) behind[k][i] = tsr_copy(w.leaf[k]);
	}
	for (int k = 0; k < 3; k++) {
		snprintf(path, sizeof path, "%s/%s.%d.npy", folder, name, k);
		if (!tsr_save_npy(tsr_stack_list(0, behind[k], STEPS), path)) return;
	}
	tsr_drop_tree(state);
	tsr_drop_tree(TSR_TREE(three, &w));
}

int main(int argc, char **argv)
{
	if (argc != 2) return 2;
	tsr_ctx *ctx = tsr_open();
	const three params = read_three(ctx, argv[1], "p"), grads = read_three(ctx, argv[1], "g");
	char path[4096];

	for (int i = 0; i < OPTIMIZERS; i++)
		run_optimizer(argv[1], optimizers[i].name, optimizers[i].make(ctx, NULL), &params,
		              &grads);
	for (int i = 0; i < SCHEDULES; i++) {
		TSR_SCOPE(ctx);
		tsr_fn *each = tsr_vmap(ctx, schedules[i].make(ctx));
		path_of(path, sizeof path, argv[1], schedules[i].name, -1);
		if (!tsr_save_npy(tsr_call(each, tsr_arange(ctx, STEPS)), path)) break;
	}
	return tsr_close(ctx);
}
