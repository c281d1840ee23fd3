/* result_unused.c - an operation changes nothing but its result. */
#include <tsr/tsr.h>

tsr *use(tsr *x);
tsr *use(tsr *x)
{
#ifdef MISTAKE
	tsr_add(x, 1);
	return x;
#else
	return tsr_add(x, 1);
#endif
}
