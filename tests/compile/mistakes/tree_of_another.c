/* tree_of_another.c - a tree under the name of another type */
#include <tsr/tsr.h>

TSR_TREE_TYPE(pair, { tsr *a, *b; });
TSR_TREE_TYPE(one, { tsr *a; });
static one o;
tsr *use(tsr_fn *f);
tsr *use(tsr_fn *f)
{
#ifdef MISTAKE
	return tsr_call(f, TSR_TREE(pair, &o));
#else
	return tsr_call(f, TSR_TREE(one, &o));
#endif
}
