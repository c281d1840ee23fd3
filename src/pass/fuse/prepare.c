/* prepare.c - the program as fusion wants it: equations that workers could not share, or that no
 * library knows, are replaced by others. */
#include "pass/fuse/fuse.h"

static bool is_due(const program *p, const eqn *e)
{
	return sum_has_parts(p, e) || wants_matrices(p, e);
}

static bool copy_due(void *user, value_map *v, const eqn *e)
{
	(void)user;
	if (!is_due(v->from, e)) return copy_equation(v, e);
	const var *in = values_list(v, e->in, e->nin);
	if (!in) return false;
	build_at(v->to, e->where);
	const var y = sum_has_parts(v->from, e) ? sum_of_parts(v->to, v->from, e, in[0])
	                                        : product_of_matrices(v->to, e, in[0], in[1]);
	return values_set(v, e, &y);
}

const program *fuse_prepare(const program *p)
{
	for (int i = 0; i < p->neqns; i++)
		if (is_due(p, &p->eqns[i])) return copy_with(p, copy_due, NULL);
	program_retain(p);
	return p;
}
