/* body_without_result.c - a body that returns nothing */
#include <tsr/tsr.h>

void wrong(tsr *);
tsr *right(tsr *);
tsr_fn *use(tsr_ctx *ctx);
tsr_fn *use(tsr_ctx *ctx)
{
#ifdef MISTAKE
	return tsr_jit(ctx, wrong);
#else
	return tsr_jit(ctx, right);
#endif
}
