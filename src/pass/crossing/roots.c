/* roots.c - joins roots of subtrees in the tree of a sum over processes.
 *
 * Of five processes the tree is ((0 1) (2 3)) 4. With the roots 01, 2, 3 and 4 a process has the
 * whole sum, at level 3: it joins 2 and 3, then 01 and 23, and then 4, which is the root at the
 * levels 0, 1 and 2. */
#include "pass/crossing/roots.h"

void add_root(roots *x, int level, int index, var v) { x->v[x->n++] = (root){level, index, v}; }

var root_value(build *b, const tsr_prim *join, int n, roots *x, int level, int index)
{
	for (int i = 0; i < x->n; i++)
		if (x->v[i].level == level && x->v[i].index == index) return x->v[i].v;
	if (!level) return build_fail(b), (var){0};
	const bool alone = (int64_t)(2 * index + 1) << (level - 1) >= n;
	const var left = root_value(b, join, n, x, level - 1, 2 * index);
	const var v = alone ? left
	                    : emit_2(b, join, left,
	                             root_value(b, join, n, x, level - 1, 2 * index + 1));
	add_root(x, level, index, v);
	return v;
}
