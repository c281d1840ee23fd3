/* mapped_without_macro.c - dims of a batch without TSR_MAPPED */
#include <tsr/tsr.h>

tsr_fn *use(tsr_ctx *ctx);
tsr_fn *use(tsr_ctx *ctx)
{
#ifdef MISTAKE
	return tsr_vmap(ctx, tsr_dot, .in = {0, TSR_UNMAPPED});
#else
	return tsr_vmap(ctx, tsr_dot, .in = TSR_MAPPED(0, TSR_UNMAPPED));
#endif
}
