/* tree_int64.c - an integer as wide as a handle in a tree */
#include <tsr/tsr.h>

#ifdef MISTAKE
TSR_TREE_TYPE(layer, { tsr *w, *b; int64_t steps; });
#else
TSR_TREE_TYPE(layer, { tsr *w, *b; });
#endif
