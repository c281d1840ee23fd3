/* arguments_too_many.c - more than 8 arguments */
#include <tsr/tsr.h>

tsr *use(tsr_fn *f);
tsr *use(tsr_fn *f)
{
#ifdef MISTAKE
	return tsr_call(f, 1, 2, 3, 4, 5, 6, 7, 8, 9);
#else
	return tsr_call(f, 1, 2, 3, 4, 5, 6, 7, 8);
#endif
}
