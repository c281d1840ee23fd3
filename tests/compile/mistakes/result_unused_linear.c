/* result_unused_linear.c - what vjp is called for is the linear function that it returns */
#include <tsr/tsr.h>

tsr *use(tsr_fn *f, tsr *x);
tsr *use(tsr_fn *f, tsr *x)
{
	tsr *y;

#ifdef MISTAKE
	tsr_vjp(TSR_OUT(&y), f, x);
#else
	(void)tsr_vjp(TSR_OUT(&y), f, x);
#endif
	return y;
}
