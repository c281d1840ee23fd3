/* operand_pointer.c - host memory as an operand */
#include <tsr/tsr.h>

tsr *use(tsr *x, const float *data);
tsr *use(tsr *x, const float *data)
{
#ifdef MISTAKE
	return tsr_add(x, data);
#else
	return tsr_add(x, data[0]);
#endif
}
