/* spec_for_dims.c - a spec where dims belong */
#include <tsr/tsr.h>

tsr *use(tsr *x);
tsr *use(tsr *x)
{
#ifdef MISTAKE
	return tsr_reshape(x, TSR_P("x"));
#else
	return tsr_reshape(x, TSR_DIMS(2));
#endif
}
