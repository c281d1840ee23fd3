/* linearize_without_places.c - no place for the results */
#include <tsr/tsr.h>

tsr_linearized use(tsr_fn *f, tsr *x);
tsr_linearized use(tsr_fn *f, tsr *x)
{
#ifdef MISTAKE
	return tsr_linearize(f, x);
#else
	tsr *y;
	return tsr_linearize(TSR_OUT(&y), f, x);
#endif
}
