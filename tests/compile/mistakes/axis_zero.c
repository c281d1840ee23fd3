/* axis_zero.c - a number, a null pointer to C, as an axis. */
#include <tsr/tsr.h>

tsr *use(tsr *x);
tsr *use(tsr *x)
{
#ifdef MISTAKE
	return tsr_psum(x, 0);
#else
	return tsr_psum(x, "0");
#endif
}
