/* operand_text.c - a text as an operand */
#include <tsr/tsr.h>

tsr *use(tsr *x);
tsr *use(tsr *x)
{
#ifdef MISTAKE
	return tsr_add(x, "1");
#else
	return tsr_add(x, 1);
#endif
}
