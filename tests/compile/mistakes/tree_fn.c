/* tree_fn.c - a fn in a tree */
#include <tsr/tsr.h>

#ifdef MISTAKE
TSR_TREE_TYPE(layer, { tsr *w, *b; tsr_fn *f; });
#else
TSR_TREE_TYPE(layer, { tsr *w, *b; });
#endif
