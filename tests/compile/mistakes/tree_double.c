/* tree_double.c - a number as wide as a handle in a tree */
#include <tsr/tsr.h>

#ifdef MISTAKE
TSR_TREE_TYPE(layer, { tsr *w, *b; double rate; });
#else
TSR_TREE_TYPE(layer, { tsr *w, *b; });
#endif
