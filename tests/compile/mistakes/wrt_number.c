/* wrt_number.c - a number in the place of a list of arguments */
#include <tsr/tsr.h>

tsr_fn *use(tsr_ctx *ctx);
tsr_fn *use(tsr_ctx *ctx)
{
#ifdef MISTAKE
	return tsr_grad(ctx, tsr_dot, .wrt = 1);
#else
	return tsr_grad(ctx, tsr_dot, .wrt = TSR_DIMS(1));
#endif
}
