/* body_called.c - a call of the body instead of the body */
#include <tsr/tsr.h>

tsr_fn *use(tsr_ctx *ctx, tsr *x);
tsr_fn *use(tsr_ctx *ctx, tsr *x)
{
#ifdef MISTAKE
	return x ? tsr_jit(ctx, tsr_exp(x)) : NULL;
#else
	return x ? tsr_jit(ctx, tsr_exp) : NULL;
#endif
}
