/* fuse_groups.c - which equations are one kernel.
 *
 * From the results back: when an equation is looked at, all that use it have their groups, and the
 * sites at which these ask for its elements are known. It joins the groups that can compute it as
 * cheaply as load it, or begins one of its own. */
#include "pass/fuse.h"
#include <math.h>

#define MOST_MEMBERS 200
#define MOST_VALUES 64 /* inputs and results of a kernel */
#define MOST_NODES 4000
#define MOST_SITES 8   /* at which a kernel asks for a value that it makes */
#define MOST_SEARCH 64 /* groups that are looked at for a cycle */

#define STEP 1000                  /* work that a kernel of its own costs besides */
#define MUCH 8192                  /* work that is worth more than one worker */
#define MIN_ROWS 32                /* that workers share well */
#define CACHED ((double)(1 << 18)) /* bytes */
#define LIGHT 3                    /* work of what may be computed again */

/* ---- groups */

static group *group_new(fuse *f, const eqn *e, int32_t i, bool kernel)
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

/* ---- what it costs to compute a value in a group that uses it */

static double evaluations(const fuse *f, const site *s)
{
	double n = 0;

	for (; s; s = s->next) n += f->loops[s->loop].steps;
	return n;
}

/* what it costs to store a value and to load it again */
static double traffic(const type *t)
{
	const double item = (double)tsr_dtype_size(t->dtype), n = (double)t->size;

	return n * (n * item > CACHED ? 6 * item : 2 * (item < 4 ? 4 : item));
}

/* is it asked for at several indices that are not those of loops, as a stencil does? */
static bool is_stencil(const use *u)
{
	for (const site *s = u->sites; s && u->nsites > 1; s = s->next)
		for (int d = 0; d < s->ndim; d++)
			if (!s->dim[d].plain) return true;
	return false;
}

static bool worth(const fuse *f, const use *u, double more)
{
	const type *t = fuse_type(f, u->var);
	const double weight = f->weight[u->var];
	const double again = weight * (evaluations(f, u->sites) + more - (double)t->size);

	return again <= STEP || (again <= traffic(t) && (weight <= LIGHT || !is_stencil(u)));
}

/* Does much work stand outside of loops that are long, where few workers share it? They would wait
 * for it, or do it each */
static bool narrows(const fuse *f, const group *g, const use *u, double cost)
{
	const double all = (double)g->whole->size;

	for (const site *s = u->sites; s; s = s->next) {
		const loop *l = &f->loops[s->loop];
		if (l->rows < MIN_ROWS && l->rows < all && cost * l->steps > MUCH && all > MUCH)
			return true;
	}
	return false;
}

static bool has_room(const fuse *f, const group *g, const use *u, const eqn *e)
{
	int operands = -1;

	for (int i = 0; i < e->nin; i++) operands += !f->p->vars[e->in[i].id].literal;
	return g->nmembers < MOST_MEMBERS && u->nsites <= MOST_SITES &&
	       (operands <= 0 || g->nvalues + operands <= MOST_VALUES) &&
	       g->nodes + nodes_of(f->p, e) * u->nsites <= MOST_NODES;
}

static bool can_join(const fuse *f, const use *u, const eqn *e)
{
	const group *g = &f->groups[u->group];

	return g->kernel && has_room(f, g, u, e) && worth(f, u, 0) &&
	       !narrows(f, g, u, cost_of(f->p, e));
}

/* ---- joining */

static void add_member(fuse *f, use *u, const eqn *e, int32_t i, bool stored)
{
	group *g = &f->groups[u->group];
	member *m = arena_alloc(f->scratch, sizeof *m);
	const double cost = cost_of(f->p, e);

	if (!m) {
		f->failed = true;
		return;
	}
	*m = (member){i, stored, g->members};
	g->members = m;
	g->nmembers++;
	g->nvalues -= !stored;
	g->high = f->height[i];
	g->nodes += nodes_of(f->p, e) * u->nsites;
	u->inside = true;
	if (stored) f->home[u->var] = 1 + u->group;
	const int32_t group = u->group;
	for (const site *s = u->sites; s && !f->failed; s = s->next) {
		const loop l = f->loops[s->loop];
		g->work += cost * l.steps;
		if (cost * l.steps > MUCH && l.rows < g->narrow) g->narrow = l.rows;
		sites_ask(f, group, e, s);
	}
}

static void begin_kernel(fuse *f, const eqn *e, int32_t i)
{
	const int32_t at = (int32_t)f->ngroups;
	group *g = group_new(f, e, i, true);
	use *u = g ? use_in(f, at, e->out[0].id) : NULL;

	if (!u) return;
	group_widen(f, g, g->whole);
	site *s = f->failed ? NULL : site_of_loops(f, g, g->whole);
	if (!s) return;
	ask_at(u, s);
	add_member(f, u, e, i, true);
}

static void stand_alone(fuse *f, const eqn *e, int32_t i)
{
	const int32_t at = (int32_t)f->ngroups;
	group *g = group_new(f, e, i, false);
	member *m = arena_alloc(f->scratch, sizeof *m);

	if (!g || !m) {
		f->failed = true;
		return;
	}
	*m = (member){i, true, NULL};
	g->members = m;
	g->nmembers = 1;
	f->alone[i] = 1 + at;
	for (int k = 0; k < e->nout; k++) f->home[e->out[k].id] = 1 + at;
	for (int k = 0; k < e->nin && !f->failed; k++)
		if (!f->p->vars[e->in[k].id].literal) use_in(f, at, e->in[k].id);
}

/* ---- one equation */

/* used by something that is no kernel, or a result of the program */
static bool used_outside(const fuse *f, int32_t var)
{
	bool outside = f->result[var];

	for (const use *u = f->uses[var]; u && !outside; u = u->next)
		outside = !f->groups[u->group].kernel;
	return outside;
}

static bool all_can_join(const fuse *f, const eqn *e)
{
	for (const use *u = f->uses[e->out[0].id]; u; u = u->next)
		if (!can_join(f, u, e)) return false;
	return true;
}

/* computed by each of several groups, in place of being stored by one */
static bool is_cheap(const fuse *f, int32_t var)
{
	return f->weight[var] <= LIGHT && f->width[var] <= 1;
}

static void place_local(fuse *f, const eqn *e, int32_t i)
{
	const int32_t var = e->out[0].id;
	use *first = f->uses[var];
	const bool one = first && !first->next;

	if (first && !used_outside(f, var) && (one || is_cheap(f, var)) && all_can_join(f, e)) {
		for (use *u = first; u; u = u->next) add_member(f, u, e, i, false);
		return;
	}
	if (f->kind[i] == EQN_PLAIN)
		stand_alone(f, e, i);
	else
		begin_kernel(f, e, i);
}

/* ---- all of them: those that are nearer to the results first */

static int32_t *by_height(fuse *f)
{
	const int n = f->p->neqns;
	int32_t *count = arena_array(f->scratch, (size_t)n + 1, sizeof *count);
	int32_t *order = arena_array(f->scratch, (size_t)n + 1, sizeof *order);

	if (!count || !order) return NULL;
	for (int i = 0; i < n; i++) count[f->height[i] + 1]++;
	for (int h = 1; h < n; h++) count[h] += count[h - 1];
	for (int i = n - 1; i >= 0; i--) order[count[f->height[i]]++] = i;
	return order;
}

bool groups_find(fuse *f)
{
	const int32_t *order = by_height(f);

	if (!order) return false;
	loop_open(f, 0, 1, true);
	for (int i = 0; i < f->p->neqns && !f->failed; i++) {
		const eqn *e = &f->p->eqns[order[i]];
		if (f->kind[order[i]] == EQN_ALONE)
			stand_alone(f, e, order[i]);
		else
			place_local(f, e, order[i]);
	}
	return !f->failed;
}
