/* out_handle.c - a handle instead of its address as a place for a result */
#include <tsr/tsr.h>

void use(tsr_fn *f);
void use(tsr_fn *f)
{
	tsr *y = NULL;

#ifdef MISTAKE
	tsr_call_into(TSR_OUT(y), f);
#else
	tsr_call_into(TSR_OUT(&y), f);
#endif
}
