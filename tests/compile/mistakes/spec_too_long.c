/* spec_too_long.c - more entries than a tsr_spec holds */
#include <tsr/tsr.h>

tsr *use(tsr *x, tsr_mesh *mesh);
tsr *use(tsr *x, tsr_mesh *mesh)
{
#ifdef MISTAKE
	return tsr_put(x, mesh, TSR_P(NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL));
#else
	return tsr_put(x, mesh, TSR_P(NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL));
#endif
}
