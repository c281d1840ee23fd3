/* grad_keyword_of_vmap.c - a keyword that vmap has and grad has not */
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
