/* prepare.c - the program as fusion wants it: equations that workers could not share are replaced
 * by others. */
#include "pass/fuse/fuse.h"

/* elements are put into memory that somebody has made */
static bool puts_into_number(const program *p, const eqn *e)
{
	return e->prim->put && p->vars[e->in[0].id].literal;
}

static var put_into_copy(build *b, const eqn *e, const var *in)
{
	var *x = arena_copy(build_arena(b), in, (size_t)e->nin * sizeof *x);

	if (!x) {
		build_fail(b);
		return (var){0};
	}
	x[0] = emit_1(b, &tsr__prim_copy, in[0]);
	return emit(b, e->prim, e->params, x, e->nin);
}

static bool is_due(const target *on, const program *p, const eqn *e)
{
	return puts_into_number(p, e) || put_has_parts(on, p, e) || sum_has_parts(on, p, e);
}

static var made_of(const target *on, value_map *v, const eqn *e, const var *in)
{
	if (puts_into_number(v->from, e)) return put_into_copy(v->to, e, in);
	if (put_has_parts(on, v->from, e)) return put_of_parts(v->to, on, v->from, e, in);
	return sum_of_parts(v->to, on, v->from, e, in[0]);
}

static bool copy_due(void *user, value_map *v, const eqn *e)
{
	const target *on = user;

	if (!is_due(on, v->from, e)) return copy_equation(v, e);
	const var *in = values_list(v, e->in, e->nin);
	if (!in) return false;
	build_at(v->to, e->where);
	const var y = made_of(on, v, e, in);
	return values_set(v, e, &y);
}

static program *replace(const target *on, const program *p)
{
	for (int i = 0; i < p->neqns; i++)
		if (is_due(on, p, &p->eqns[i]))
			return copy_with(p, copy_due, (void *)(uintptr_t)on);
	return retained(p);
}

const program *fuse_prepare(const target *on, const program *p) { return replace(on, p); }
