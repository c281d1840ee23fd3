/* grad_keyword_of_vmap.c - a keyword of vmap that grad does not have */
#include <tsr/tsr.h>

tsr_fn *use(tsr_ctx *ctx);
tsr_fn *use(tsr_ctx *ctx)
{
#ifdef MISTAKE
	return tsr_grad(ctx, tsr_exp, .axis = "i");
#else
	return tsr_vmap(ctx, tsr_exp, .axis = "i");
#endif
}
