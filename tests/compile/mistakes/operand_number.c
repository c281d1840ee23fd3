/* operand_number.c - a C number where only handles are taken */
#include <tsr/tsr.h>

tsr *use(tsr *x);
tsr *use(tsr *x)
{
#ifdef MISTAKE
	return tsr_add(x, tsr_exp(2.0));
#else
	return tsr_add(x, tsr_exp(tsr_scalar(x, 2.0)));
#endif
}
