/* context_number.c - a number where a context, or what has one, belongs */
#include <tsr/tsr.h>

tsr *use(tsr *x);
tsr *use(tsr *x)
{
#ifdef MISTAKE
	return tsr_add(x, tsr_zeros(3, TSR_DIMS(2)));
#else
	return tsr_add(x, tsr_zeros(x, TSR_DIMS(2)));
#endif
}
