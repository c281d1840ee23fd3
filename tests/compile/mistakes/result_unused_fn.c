/* result_unused_fn.c - jit runs nothing; a call of what it returns does */
#include <tsr/tsr.h>

tsr *use(tsr *x);
tsr *use(tsr *x)
{
#ifdef MISTAKE
	tsr_jit(x, tsr_neg);
#else
	(void)tsr_jit(x, tsr_neg);
#endif
	return x;
}
