/* context_number.c - a number in the place of a context, or of a value with one. */
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
