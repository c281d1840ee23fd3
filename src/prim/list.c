/* list.c - the table of all primitives, in the order of prims.def. */
#include "prim/prim.h"

const tsr_prim *const all_prims[] = {
#define PRIM(name) &tsr__prim_##name,
#include "prim/prims.def"
#undef PRIM
};
const int all_prims_count = (int)ARRAY_LEN(all_prims);
