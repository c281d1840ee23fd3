/* rule30.c - Rule 30 with the board cut over the devices: each step sends one cell to each
 * neighbour. */
#include <tsr/tsr.h>
#define D TSR_DIMS

static tsr *step(tsr *board) /* u32[10] on each device */
{
	tsr *first = tsr_slice(board, 0, 0, 1), *last = tsr_slice(board, 0, -1, TSR_END);
	tsr *left = tsr_ppermute(last, "i", TSR_SHIFT(+1)),
	    *right = tsr_ppermute(first, "i", TSR_SHIFT(-1));
	tsr *padded = tsr_concatenate(0, left, board, right);
	tsr *l = tsr_slice(padded, 0, 0, -2), *c = tsr_slice(padded, 0, 1, -1),
	    *r = tsr_slice(padded, 0, 2, TSR_END);
	return tsr_bitwise_xor(l, tsr_bitwise_or(c, r));
}

int main(void)
{
	tsr_ctx *ctx = tsr_open(.devices = 8);
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"i", 8});
	tsr_fn *f = tsr_jit(ctx, tsr_shard_map(mesh, step, .sig = "[i] -> [i]"));
	tsr *board = tsr_from(ctx, (uint32_t[80]){[40] = 1}, TSR_U32, D(80));
	for (int k = 0; k < 40; k++) {
		tsr_print(tsr_gather_whole(board));
		board = tsr_call(f, board);
	}
	return tsr_close(ctx);
}
