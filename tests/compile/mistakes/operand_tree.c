/* operand_tree.c - a tree as an operand */
#include <tsr/tsr.h>

TSR_TREE_TYPE(pair, { tsr *a, *b; });
static pair p;
tsr *use(tsr *x);
tsr *use(tsr *x)
{
#ifdef MISTAKE
	return tsr_add(x, TSR_TREE(pair, &p));
#else
	return tsr_add(x, p.a);
#endif
}
