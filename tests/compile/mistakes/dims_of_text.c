/* dims_of_text.c - a text among dims */
#include <tsr/tsr.h>

tsr *use(tsr *x);
tsr *use(tsr *x)
{
#ifdef MISTAKE
	return tsr_reshape(x, TSR_DIMS(1, "2"));
#else
	return tsr_reshape(x, TSR_DIMS(1, 2));
#endif
}
