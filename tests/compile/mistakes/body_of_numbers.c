/* body_of_numbers.c - a body of numbers */
#include <tsr/tsr.h>

double wrong(double);
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
