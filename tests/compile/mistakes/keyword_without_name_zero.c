/* keyword_without_name_zero.c - the same with 0, a valid pointer. */
#include <tsr/tsr.h>

tsr *use(tsr *x);
tsr *use(tsr *x)
{
#ifdef MISTAKE
	return tsr_psum(x, "x", 0);
#else
	return tsr_psum(x, "x", .groups = {.count = 0});
#endif
}
