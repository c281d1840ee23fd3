/* lists.h - makes lists of dims and values for the rules of transformations. */
#ifndef TSR_SRC_PRIM_LISTS_H
#define TSR_SRC_PRIM_LISTS_H
#include "prim/prim.h"

/* ---- lists.c: lists in the build's arena. Without memory they mark the build and are empty */
static inline bool listed(const ints *list, int64_t entry)
{
	for (int i = 0; i < list->n; i++)
		if (list->v[i] == entry) return true;
	return false;
}
int64_t *list_room(build *, int n);
ints list_plus(build *, const ints *, int64_t add); /* `add` added to each entry */
/* `first`, then the list with `add` added to each entry */
ints list_behind(build *, int64_t first, const ints *, int64_t add);
ints list_others(build *, int n, const ints *); /* of 0 .. n-1 those not listed */
var *var_room(build *, int64_t n);

#endif
