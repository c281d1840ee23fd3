/* steps.c - prepares a program for all its runs: finds types, groups that exchange and last uses of
 * values, also in the programs inside. */
#include "engine/interp/interp.h"

static const type **types_of(arena *a, const program *p, const var *v, int n)
{
	const type **t = arena_array(a, (size_t)n + 1, sizeof *t);

	for (int i = 0; t && i < n; i++) t[i] = type_of(p, v[i]);
	return t;
}

static bool inner_make(executable *x, const eqn *e, step *s)
{
	int n = 0;

	for (inner i = {0}; inner_next(e->prim, e->params, &i);) n++;
	s->inner = arena_array(x->arena, (size_t)n + 1, sizeof *s->inner);
	if (!s->inner) return false;
	n = 0;
	for (inner i = {0}; inner_next(e->prim, e->params, &i);)
		if (!(s->inner[n++] = code_of(x, i.program))) return false;
	return true;
}

static bool step_make(executable *x, const program *p, const eqn *e, step *s)
{
	base *bs = x->engine->base;

	s->eqn = e;
	s->in = types_of(x->arena, p, e->in, e->nin);
	s->out = types_of(x->arena, p, e->out, e->nout);
	if (!s->in || !s->out) return false;
	if (!prim_has(e->prim, COL_EVAL))
		return fail(bs, e->where, TSR_ERROR_UNSUPPORTED,
		            "the interpreter cannot run %s: %s", e->prim->name,
		            e->prim->no_rule[COL_EVAL] ? e->prim->no_rule[COL_EVAL]
		                                       : "it has no eval rule");
	if (e->prim->run) return inner_make(x, e, s);
	if (own_effects(e))
		return effect_groups_make(bs, x->arena, p, e, x->set, x->engine->devices,
		                          &s->alike);
	if (!(e->prim->flags & PRIM_COLLECTIVE)) return true;
	const collective *on = e->params;
	return member_groups_make(bs, x->arena, p, x->set, &on->axes, &on->groups, &s->groups);
}

/* finds for each step the values that are last read there, or made there and never read */
static bool find_last_uses(arena *a, code *c)
{
	const program *p = c->program;
	int *last = arena_array(a, (size_t)p->nvars, sizeof *last); /* 1 + the step; 0: never */

	if (!last) return false;
	for (int i = 0; i < p->neqns; i++) {
		for (int j = 0; j < p->eqns[i].nin; j++) last[p->eqns[i].in[j].id] = i + 1;
		for (int j = 0; j < p->eqns[i].nout; j++) last[p->eqns[i].out[j].id] = i + 1;
	}
	for (int i = 0; i < p->nout; i++) last[p->out[i].id] = 0;
	for (int v = 1; v < p->nvars; v++)
		if (last[v] && !p->vars[v].literal) c->steps[last[v] - 1].ndead++;
	for (int i = 0; i < p->neqns; i++) {
		c->steps[i].dead = arena_array(a, (size_t)c->steps[i].ndead + 1, sizeof(var));
		if (!c->steps[i].dead) return false;
		c->steps[i].ndead = 0;
	}
	for (int v = 1; v < p->nvars; v++)
		if (last[v] && !p->vars[v].literal) {
			step *s = &c->steps[last[v] - 1];
			s->dead[s->ndead++] = (var){v};
		}
	return true;
}

/* does nothing else read operand 0, now or later? */
static bool ends_as_operand_0(const step *s)
{
	const var v = s->eqn->in[0];
	bool ends = false;

	for (int d = 0; d < s->ndead; d++) ends = ends || s->dead[d].id == v.id;
	for (int i = 1; i < s->eqn->nin; i++) ends = ends && s->eqn->in[i].id != v.id;
	return ends;
}

static void find_in_place(const code *c)
{
	for (int i = 0; i < c->program->neqns; i++) {
		step *s = &c->steps[i];
		s->in_place = s->eqn->prim->flags & PRIM_UPDATES && ends_as_operand_0(s);
	}
}

static void find_most(code *c)
{
	for (int i = 0; i < c->program->neqns; i++) {
		const eqn *e = &c->program->eqns[i];
		if (e->nin > c->most) c->most = e->nin;
		if (e->nout > c->most) c->most = e->nout;
	}
}

static bool same_program(const void *entry, const void *p)
{
	return ((const code *)entry)->program == p;
}

code *code_of(executable *x, const program *p)
{
	const uint64_t hash = hash_u64((uint64_t)(uintptr_t)p, 0);
	code *c = table_find(&x->codes, hash, same_program, p);

	if (c || !(c = arena_alloc(x->arena, sizeof *c))) return c;
	c->program = p;
	c->steps = arena_array(x->arena, (size_t)p->neqns + 1, sizeof *c->steps);
	if (!c->steps) return NULL;
	for (int i = 0; i < p->neqns; i++)
		if (!step_make(x, p, &p->eqns[i], &c->steps[i])) return NULL;
	find_most(c);
	if (!find_last_uses(x->arena, c)) return NULL;
	find_in_place(c);
	return table_add(&x->codes, hash, c) ? c : NULL;
}
