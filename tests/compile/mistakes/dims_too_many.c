/* dims_too_many.c - more dims than a tsr_dims holds */
#include <tsr/tsr.h>

tsr *use(tsr *x);
tsr *use(tsr *x)
{
#ifdef MISTAKE
	return tsr_reshape(x, TSR_DIMS(1, 1, 1, 1, 1, 1, 1, 1, 1));
#else
	return tsr_reshape(x, TSR_DIMS(1, 1, 1, 1, 1, 1, 1, 1));
#endif
}
