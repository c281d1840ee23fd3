/* roots.h - declares roots of subtrees of a sum, as a process has them. */
#ifndef TSR_ROOTS_H
#define TSR_ROOTS_H
#include "pass/replicate.h"

typedef struct root { /* of the subtree of 2^level processes from number index * 2^level on */
	int level, index;
	var v;
} root;
typedef struct roots { /* those that are here */
	int n;
	root *v; /* with room for all that are added and joined */
} roots;

void add_root(roots *, int level, int index, var);
/* Of a subtree, over n processes, of which roots are here. It is joined from these, and added, if
 * it is not one of them; the build fails if some are missing */
var root_value(build *, const tsr_prim *join, int n, roots *, int level, int index);

#endif
