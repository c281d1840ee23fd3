/* keyword_unknown.c - a keyword that no operation has */
#include <tsr/tsr.h>

tsr *use(tsr *x);
tsr *use(tsr *x)
{
#ifdef MISTAKE
	return tsr_sum(x, .axis = 1);
#else
	return tsr_sum(x, .dims = TSR_DIMS(1));
#endif
}
