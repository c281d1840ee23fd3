/* argument_missing.c - a collective without an axis */
#include <tsr/tsr.h>

tsr *use(tsr *x);
tsr *use(tsr *x)
{
#ifdef MISTAKE
	return tsr_psum(x);
#else
	return tsr_psum(x, "x");
#endif
}
