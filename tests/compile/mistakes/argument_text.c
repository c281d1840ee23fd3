/* argument_text.c - a text as an argument of a call */
#include <tsr/tsr.h>

tsr *use(tsr_fn *f);
tsr *use(tsr_fn *f)
{
#ifdef MISTAKE
	return tsr_call(f, "x");
#else
	return tsr_call(f, 2);
#endif
}
