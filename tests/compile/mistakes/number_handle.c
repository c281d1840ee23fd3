/* number_handle.c - a handle where a C number belongs */
#include <tsr/tsr.h>

tsr *use(tsr *x);
tsr *use(tsr *x)
{
#ifdef MISTAKE
	return tsr_full(x, TSR_DIMS(2), x);
#else
	return tsr_full(x, TSR_DIMS(2), 2);
#endif
}
