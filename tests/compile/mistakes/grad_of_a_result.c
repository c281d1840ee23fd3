/* grad_of_a_result.c - the result of a body in the place of the body. */
#include <tsr/tsr.h>

tsr_fn *use(tsr *x);
tsr_fn *use(tsr *x)
{
#ifdef MISTAKE
	return tsr_grad(x, tsr_exp(x));
#else
	return tsr_grad(x, tsr_exp);
#endif
}
