/* checkpoints.c - runs the code of docs/checkpoints.md. */
#include "folder.h"
#include <tsr/tsr.h>

TSR_TREE_TYPE(state, { tsr *w, *count; });

int main(void)
{
	tsr_ctx *ctx = tsr_open();
	state s = {.w = tsr_ones(ctx, TSR_DIMS(8, 4)), .count = tsr_scalar(ctx, 0)};

	if (!in_new_folder()) return 1;
	for (int step = 1; step <= 4; step++) {
		s.count = tsr_add(s.count, 1);
		tsr_checkpoint_save("run", step, TSR_TREE(state, &s), .async = true, .keep = 3);
	}
	tsr_checkpoint_wait(ctx);
	state found = {.w = tsr_zeros(ctx, TSR_DIMS(8, 4)), .count = tsr_scalar(ctx, 0)};
	s = found;

	const int64_t last = tsr_checkpoint_latest(ctx, "run"); /* -1: there is none */
	if (last >= 0) tsr_checkpoint_load("run", last, TSR_TREE(state, &s));
	if (last != 4 || tsr_item_int(s.count) != 4) return 1;
	return tsr_close(ctx);
}
