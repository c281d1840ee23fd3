/* tree_pointer.c - host memory in a tree */
#include <tsr/tsr.h>

#ifdef MISTAKE
TSR_TREE_TYPE(layer, { tsr *w, *b; const float *data; });
#else
TSR_TREE_TYPE(layer, { tsr *w, *b; });
#endif
