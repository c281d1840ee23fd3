/* tree_int.c - a number narrower than a handle in a tree */
#include <tsr/tsr.h>

#ifdef MISTAKE
TSR_TREE_TYPE(layer, { tsr *w, *b; int steps; });
#else
TSR_TREE_TYPE(layer, { tsr *w, *b; });
#endif
