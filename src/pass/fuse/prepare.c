/* prepare.c - the program as fusion wants it: equations that workers could not share, or that no
 * library knows, are replaced by others. */
#include "pass/fuse/fuse.h"

static bool is_due(const program *p, const eqn *e)
{
	return sum_has_parts(p, e) || wants_matrices(p, e);
}

static bool copy_eqn(value_map *v, const eqn *e)
{
	const var *in = values_list(v, e->in, e->nin);
	var *out = arena_array(build_arena(v->to), (size_t)e->nout + 1, sizeof *out);

	if (!in || !out) return false;
	build_at(v->to, e->where);
	if (sum_has_parts(v->from, e))
		out[0] = sum_of_parts(v->to, v->from, e, in[0]);
	else if (wants_matrices(v->from, e))
		out[0] = product_of_matrices(v->to, e, in[0], in[1]);
	else if (!build_copy(v->to, e, v->from->naxes, in, out, NULL))
		return false;
	return values_set(v, e, out);
}

static program *copy_program(const program *p)
{
	build *b = build_begin(p->ir, p->name, p->axes, p->naxes);
	value_map v;
	const var *in = b && values_init(&v, p, b) ? inputs_like(b, p, 0) : NULL;
	bool ok = in;

	for (int i = 0; ok && i < p->nin; i++) v.of[p->in[i].id] = in[i];
	for (int i = 0; ok && i < p->neqns; i++) ok = copy_eqn(&v, &p->eqns[i]);
	const var *out = ok ? values_list(&v, p->out, p->nout) : NULL;
	if (out) return build_end(b, out, p->nout);
	build_abandon(b);
	return NULL;
}

const program *fuse_prepare(const program *p)
{
	for (int i = 0; i < p->neqns; i++)
		if (is_due(p, &p->eqns[i])) return copy_program(p);
	program_retain(p);
	return p;
}
