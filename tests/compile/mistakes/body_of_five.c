/* body_of_five.c - a body of five handles */
#include <tsr/tsr.h>

tsr *wrong(tsr *, tsr *, tsr *, tsr *, tsr *);
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
