/* inline.c - what calls call stands in their place: no `call` is left, inside inner programs
 * either. */
#include "pass/pass.h"

static bool has_calls(const program *p)
{
	for (int i = 0; i < p->neqns; i++) {
		const eqn *e = &p->eqns[i];
		if (e->prim == &tsr__prim_call) return true;
		for (inner k = {0}; inner_next(e->prim, e->params, &k);)
			if (has_calls(k.program)) return true;
	}
	return false;
}

static bool walk(value_map *v);

static bool inline_call(value_map *v, const eqn *e)
{
	const program *callee = ((const call_params *)e->params)->program;
	var *out = arena_array(build_arena(v->to), (size_t)e->nout + 1, sizeof *out);
	value_map inner;

	if (!out || !values_init(&inner, callee, v->to)) return false;
	for (int i = 0; i < e->nin; i++) inner.of[callee->in[i].id] = values_get(v, e->in[i]);
	if (!walk(&inner)) return false;
	for (int i = 0; i < e->nout; i++) out[i] = values_get(&inner, callee->out[i]);
	return values_set(v, e, out);
}

static program *clean(void *user, const program *p)
{
	(void)user;
	return pass_inline(p);
}

static bool copy_eqn(value_map *v, const eqn *e)
{
	var *x = values_list(v, e->in, e->nin);
	var *y = arena_array(build_arena(v->to), (size_t)e->nout + 1, sizeof *y);
	eqn own = *e;

	if (!x || !y) return false;
	if (eqn_program(e) && !(own.params = build_params(v->to, e, NULL, clean, NULL)))
		return false;
	return build_copy(v->to, &own, 0, x, y, NULL) && values_set(v, e, y);
}

static bool walk(value_map *v)
{
	for (int i = 0; i < v->from->neqns; i++) {
		const eqn *e = &v->from->eqns[i];
		if (e->prim == &tsr__prim_call ? !inline_call(v, e) : !copy_eqn(v, e)) return false;
	}
	return true;
}

static program *inline_all(const program *p, build **b)
{
	value_map v;
	var *out = arena_array(build_arena(*b), (size_t)p->nout + 1, sizeof *out);

	if (!out || !values_init(&v, p, *b)) return NULL;
	for (int i = 0; i < p->nin; i++)
		if (!(v.of[p->in[i].id] = build_input(*b, type_of(p, p->in[i]))).id) return NULL;
	if (!walk(&v)) return NULL;
	for (int i = 0; i < p->nout; i++) out[i] = values_get(&v, p->out[i]);
	build *end = *b;
	*b = NULL;
	return build_end(end, out, p->nout);
}

program *pass_inline(const program *p)
{
	if (!has_calls(p)) {
		program_retain(p);
		return (program *)(uintptr_t)p;
	}
	build *b = build_begin(p->ir, p->name, p->axes, p->naxes);
	program *made = b ? inline_all(p, &b) : NULL;
	build_abandon(b);
	return made;
}
