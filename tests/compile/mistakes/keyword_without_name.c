/* keyword_without_name.c - an argument where only keywords are taken */
#include <tsr/tsr.h>

tsr *use(tsr *x);
tsr *use(tsr *x)
{
#ifdef MISTAKE
	return tsr_sum(x, 1);
#else
	return tsr_sum(x, .dims = TSR_DIMS(1));
#endif
}
