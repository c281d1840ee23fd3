/* argument_extra.c - one operand too many */
#include <tsr/tsr.h>

tsr *use(tsr *x);
tsr *use(tsr *x)
{
#ifdef MISTAKE
	return tsr_exp(x, x);
#else
	return tsr_exp(x);
#endif
}
