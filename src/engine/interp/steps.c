/* steps.c - what of a program does not change between runs: types, who exchanges with whom, after
 * which equation a value is dead, and all of that for the programs inside. */
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

/* ---- effects, which one device does for all at the same place */

/* all devices of the mesh that a program is for; n 0: it has none */
static device_set all_devices(const program *p)
{
	const mesh *m = p->naxes ? p->axes[0].mesh : NULL;

	return m ? (device_set){m->size, m->device} : (device_set){0, NULL};
}

typedef struct far_making {
	const executable *x;
	device_set all;
	const int64_t *first; /* by device of `all`: the first one at the same place */
	int *from, *start, *to;
	int n;
} far_making;

static int process_at(const far_making *f, int64_t position)
{
	return f->x->engine->devices[f->all.device[position]].process;
}

static int64_t position_of(const far_making *f, int64_t k)
{
	int64_t at = 0;

	while (f->all.device[at] != f->x->set.device[k]) at++;
	return at;
}

/* the processes of those at the same place as k, which evaluates it for them */
static void find_takers(far_making *f, int64_t k, int64_t at, int own)
{
	for (int64_t i = at + 1; i < f->all.n; i++) {
		const int process = process_at(f, i);
		bool seen = f->first[i] != at || process == own;
		for (int j = f->start[k]; !seen && j < f->n; j++) seen = f->to[j] == process;
		if (!seen) f->to[f->n++] = process;
	}
}

/* nothing is made where all devices are here */
static bool far_make(executable *x, const program *p, const eqn *e, step *s)
{
	base *bs = x->engine->base;
	const size_t n = (size_t)x->set.n + 1;
	far_making f = {.x = x, .all = all_devices(p)};

	if (f.all.n <= x->set.n) return true;
	f.first = devices_alike(bs, x->arena, p, f.all, own_axes(e));
	f.from = arena_array(x->arena, n, sizeof *f.from);
	f.start = arena_array(x->arena, n, sizeof *f.start);
	f.to = arena_array(x->arena, (size_t)f.all.n, sizeof *f.to);
	if (!f.first || !f.from || !f.start || !f.to) return false;
	for (int64_t k = 0; k < x->set.n; k++) {
		const int64_t at = position_of(&f, k);
		const int own = process_at(&f, at), by = process_at(&f, f.first[at]);
		f.from[k] = by == own ? -1 : by;
		f.start[k] = f.n;
		if (f.first[at] == at) find_takers(&f, k, at, own);
	}
	f.start[x->set.n] = f.n;
	s->far = (effect_groups){f.from, f.start, f.to};
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
		return (s->alike = devices_alike(bs, x->arena, p, x->set, own_axes(e))) &&
		       far_make(x, p, e, s);
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

