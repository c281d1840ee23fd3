/* argument_missing_in_front.c - keywords where an argument was forgotten */
#include <tsr/tsr.h>

tsr *use(tsr *x);
tsr *use(tsr *x)
{
#ifdef MISTAKE
	return tsr_ppermute(x, "x");
#else
	return tsr_ppermute(x, "x", TSR_SHIFT(1));
#endif
}
