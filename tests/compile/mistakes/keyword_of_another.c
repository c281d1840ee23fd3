/* keyword_of_another.c - a keyword that another collective has */
#include <tsr/tsr.h>

tsr *use(tsr *x);
tsr *use(tsr *x)
{
#ifdef MISTAKE
	return tsr_psum(x, "x", .tiled = true);
#else
	return tsr_psum_scatter(x, "x", .tiled = true);
#endif
}
