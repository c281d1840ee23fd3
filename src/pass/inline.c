/* inline.c - what calls call stands in their place: no `call` is left, inside inner programs
 * either.
 *
 *     pass inline
 *     f(%0: f32[]) -> f32[] {
 *       %1: f32[] = call %0 program=twice(%0: f32[]) -> f32[] {
 *         %1: f32[] = add %0 %0
 *         return %1
 *       }
 *       %2: f32[] = sin %1
 *       return %2
 *     }
 *     gives
 *     f(%0: f32[]) -> f32[] {
 *       %1: f32[] = add %0 %0
 *       %2: f32[] = sin %1
 *       return %2
 *     }
 *
 * Transformations and partition look at equations one by one; a call would hide what is in it
 * from all of them. A program without calls is given back as it is. */
#include "pass/pass.h"

static bool inline_walk(value_map *v, const char *where);

static bool inline_call(value_map *v, const eqn *e, const char *where)
{
	const program *callee = ((const call_params *)e->params)->program;
	var *out = arena_array(build_arena(v->to), (size_t)e->nout + 1, sizeof *out);
	value_map inner;

	if (!out || !values_init(&inner, callee, v->to)) return false;
	for (int i = 0; i < e->nin; i++) inner.of[callee->in[i].id] = values_get(v, e->in[i]);
	if (!inline_walk(&inner, e->where ? e->where : where)) return false;
	for (int i = 0; i < e->nout; i++) out[i] = values_get(&inner, callee->out[i]);
	return values_set(v, e, out);
}

static program *clean(void *user, const program *p);

static bool copy_eqn(value_map *v, const eqn *e, const char *where)
{
	var *x = values_list(v, e->in, e->nin);
	var *y = arena_array(build_arena(v->to), (size_t)e->nout + 1, sizeof *y);
	eqn own = *e;

	if (!x || !y) return false;
	if (!e->where) own.where = where;
	if (eqn_program(e) && !(own.params = build_params(v->to, e, NULL, clean, NULL)))
		return false;
	return build_copy(v->to, &own, 0, x, y, NULL) && values_set(v, e, y);
}

/* where: of the call whose equations these are; their place if they have none of their own */
static bool inline_walk(value_map *v, const char *where)
{
	for (int i = 0; i < v->from->neqns; i++) {
		const eqn *e = &v->from->eqns[i];
		if (e->prim == &tsr__prim_call ? !inline_call(v, e, where)
		                               : !copy_eqn(v, e, where))
			return false;
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
	if (!inline_walk(&v, NULL)) return NULL;
	for (int i = 0; i < p->nout; i++) out[i] = values_get(&v, p->out[i]);
	build *end = *b;
	*b = NULL;
	return build_end(end, out, p->nout);
}

static bool is_call(const eqn *e) { return e->prim == &tsr__prim_call; }

static program *inline_make(const program *p)
{
	if (!changes(p, is_call, clean, NULL)) return retained(p);
	build *b = build_begin(p->ir, p->name, p->axes, p->naxes);
	program *made = b ? inline_all(p, &b) : NULL;
	build_abandon(b);
	return made;
}

/* for build_params */
static program *clean(void *user, const program *p)
{
	memo m;

	(void)user;
	if (memo_begin(&m, "inline", p, NULL, 0, NULL, 0)) m.to[0] = inline_make(p);
	return memo_end(&m);
}

program *pass_inline(const program *p) { return clean(NULL, p); }
