/* keyword_without_name_fn.c - the same behind a body */
#include <tsr/tsr.h>

tsr_fn *use(tsr_ctx *ctx);
tsr_fn *use(tsr_ctx *ctx)
{
#ifdef MISTAKE
	return tsr_jit(ctx, tsr_exp, "exp");
#else
	return tsr_jit(ctx, tsr_exp, .name = "exp");
#endif
}
