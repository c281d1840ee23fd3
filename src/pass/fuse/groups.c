/* groups.c - holds groups of equations: their members, their loops, and the values that they
 * use. */
#include "pass/fuse/fuse.h"
#include <math.h>

/* ---- groups */

group *group_new(fuse *f, const eqn *e, int32_t i, bool kernel)
{
	if (!mem_room(f->base, (void **)&f->groups, f->ngroups, &f->groups_cap,
	              sizeof *f->groups)) {
		f->failed = true;
		return NULL;
	}
	group *g = &f->groups[f->ngroups++];
	*g = (group){.kernel = kernel,
	             .whole = kernel ? type_of(f->p, e->out[0]) : NULL,
	             .low = f->height[i],
	             .high = f->height[i],
	             .narrow = HUGE_VAL};
	return g;
}

bool same_loops(const type *a, const type *b)
{
	const int fewer = a->ndim < b->ndim ? a->ndim : b->ndim;

	return dims_same(a->dims, fewer, b->dims, fewer);
}

/* loops over the dims that a result has and the group does not */
static void group_widen(fuse *f, group *g, const type *t)
{
	int32_t *loops = arena_array(f->scratch, (size_t)t->ndim + 1, sizeof *loops);
	const int had = g->loop ? g->whole->ndim : 0;

	if (!loops) {
		f->failed = true;
		return;
	}
	for (int d = 0; d < t->ndim; d++)
		loops[d] = d < had ? g->loop[d]
		                   : loop_open(f, d ? loops[d - 1] : 0, (double)t->dims[d], true);
	g->loop = loops;
	g->whole = t;
}

/* ---- uses */

typedef struct use_key {
	int32_t group, var;
} use_key;

static bool same_use(const void *entry, const void *key)
{
	const use *u = entry;
	const use_key *k = key;

	return u->group == k->group && u->var == k->var;
}

use *use_in(fuse *f, int32_t group, int32_t var)
{
	const use_key key = {group, var};
	const uint64_t hash = hash_u64((uint64_t)group << 32 | (uint64_t)var, 0);
	use *u = table_find(&f->use_of, hash, same_use, &key);

	if (u) return u;
	u = arena_alloc(f->scratch, sizeof *u);
	if (!u || !table_add(&f->use_of, hash, u)) {
		f->failed = true;
		return NULL;
	}
	*u = (use){.group = group, .var = var, .next = f->uses[var]};
	f->uses[var] = u;
	f->groups[group].nvalues++;
	return u;
}

/* ---- joining */

static bool fits_registers(const type *t)
{
	return t->size * (int64_t)tsr_dtype_size(t->dtype) <= TUNE_REGISTER_BYTES;
}

/* the same for groups of the same rows, in whatever order. Where a slice starts is no part of it,
 * unless the whole may stay in registers: kernels that differ in that alone become one
 * (engine/plan/origin.c) */
uint64_t content_of(const program *p, const eqn *e, const type *t)
{
	const uint64_t hash = hash_str(e->prim->name, t->hash);

	if (e->prim == &tsr__prim_slice && !fits_registers(type_of(p, e->in[0]))) return hash;
	return e->prim->params ? hash_u64(params_hash(e->prim->params, e->params), hash) : hash;
}

void add_member(fuse *f, use *u, const eqn *e, int32_t i, bool stored)
{
	group *g = &f->groups[u->group];
	member *m = arena_alloc(f->scratch, sizeof *m);
	const double cost = element_cost(f->p, e);

	if (!m) {
		f->failed = true;
		return;
	}
	*m = (member){i, u->var, stored, g->members, g->stored};
	g->members = m;
	if (stored) g->stored = m;
	g->nmembers++;
	g->content += content_of(f->p, e, fuse_type(f, u->var));
	g->nvalues -= !stored;
	g->nresults += stored;
	g->high = f->height[i];
	g->nodes += nodes_of(f->p, e) * u->nsites;
	u->inside = true;
	if (stored) f->home[u->var] = 1 + u->group;
	const int32_t group = u->group;
	for (const site *s = u->sites; s && !f->failed; s = s->next) {
		const loop l = f->loops[s->loop];
		g->work += cost * l.steps;
		if (cost * l.steps > f->target->shared_work && l.rows < g->narrow)
			g->narrow = l.rows;
		sites_ask(f, group, e, s);
	}
}

void add_stored(fuse *f, use *u, const eqn *e, int32_t i)
{
	group *g = &f->groups[u->group];
	const type *t = fuse_type(f, u->var);

	if (t->ndim > g->whole->ndim) group_widen(f, g, t);
	site *s = f->failed ? NULL : site_of_loops(f, g, t);
	if (!s) return;
	ask_at(u, s);
	add_member(f, u, e, i, true);
}

void begin_kernel(fuse *f, const eqn *e, int32_t i)
{
	const int32_t at = (int32_t)f->ngroups;
	group *g = group_new(f, e, i, true);

	if (!g) return;
	group_widen(f, g, g->whole);
	for (int k = 0; k < e->nout && !f->failed; k++) {
		use *u = is_needed(f, e->out[k].id) ? use_in(f, at, e->out[k].id) : NULL;
		if (u) add_stored(f, u, e, i);
	}
}

int32_t gives(const fuse *f, const member *m, int k)
{
	const eqn *e = &f->p->eqns[m->eqn];

	if (m->var) return k ? 0 : m->var;
	if (k < e->nout) return e->out[k].id;
	return k == e->nout && eqn_has_effects(e) ? f->p->nvars + m->eqn : 0;
}

/* gives a token, which the next equation with effects takes */
static void stand_before(fuse *f, int32_t group, int32_t i)
{
	const int32_t token = f->p->nvars + i;

	f->home[token] = 1 + group;
	if (f->effects) use_in(f, f->effects - 1, token);
	f->effects = 1 + group;
}

/* what a product of matrices reads in place of an operand; what makes it of that are members
 * of the group too */
static void gather_operand(fuse *f, group *g, const eqn *e, var *in)
{
	matrix_product product;
	gathered from;

	if (maker_of(f->target, f->p, e, &product) != BY_MATRICES ||
	    !product_gathers(f->p, e, &from))
		return;
	in[from.operand] = from.base;
	g->stored->var = e->out[0].id;
	for (int k = 0; k < from.n; k++) {
		member *m = arena_alloc(f->scratch, sizeof *m);
		const int32_t i = (int32_t)(from.eqn[k] - f->p->eqns);
		if (!m) {
			f->failed = true;
			return;
		}
		*m = (member){i, from.eqn[k]->out[0].id, false, g->members, NULL};
		g->members = m;
		g->nmembers++;
		g->high = f->height[i];
	}
}

void stand_alone(fuse *f, const eqn *e, int32_t i)
{
	const int32_t at = (int32_t)f->ngroups;
	group *g = group_new(f, e, i, false);
	member *m = arena_alloc(f->scratch, sizeof *m);
	var *in = arena_copy(f->scratch, e->in, (size_t)e->nin * sizeof *in);

	if (!g || !m || !in) {
		f->failed = true;
		return;
	}
	*m = (member){i, 0, true, NULL, NULL};
	g->members = g->stored = m;
	g->nmembers = 1;
	f->alone[i] = 1 + at;
	gather_operand(f, g, e, in);
	if (eqn_has_effects(e)) stand_before(f, at, i);
	for (int k = 0; k < e->nout; k++) f->home[e->out[k].id] = 1 + at;
	for (int k = 0; k < e->nin && !f->failed; k++)
		if (!f->p->vars[in[k].id].literal) use_in(f, at, in[k].id);
}
