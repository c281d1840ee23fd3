/* body_tree_last.c - a tree that is not the first argument */
#include <tsr/tsr.h>

tsr *wrong(tsr *, tsr_tree);
tsr *right(tsr_tree, tsr *);
tsr_fn *use(tsr_ctx *ctx);
tsr_fn *use(tsr_ctx *ctx)
{
#ifdef MISTAKE
	return tsr_jit(ctx, wrong);
#else
	return tsr_jit(ctx, right);
#endif
}
