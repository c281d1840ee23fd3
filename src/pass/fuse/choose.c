/* choose.c - chooses the equations of each kernel.
 *
 * From the results back: when an equation is looked at, all that use it have their groups, and
 * the sites at which these ask for its elements are known. It joins the groups that can compute
 * it as cheaply as load it. Otherwise it is stored, by the one group that can give it as a
 * further result, or by a group of its own.
 *
 *     pass fuse
 *     f(%0: f32[64]) -> f32[64,64], f32[64] {
 *       %1: f32[64] = sin %0
 *       %2: f32[64] = neg %0
 *       %3: f32[64] = mul %1 %2
 *       %4: f32[64,64] = broadcast_in_dim %1 dims=[64,64] at=[1]
 *       %5: f32[64,64] = broadcast_in_dim %2 dims=[64,64] at=[0]
 *       %6: f32[64,64] = mul %4 %5
 *       return %6 %3
 *     }
 *     gives
 *     f(%0: f32[64]) -> f32[64,64], f32[64] {
 *       %1: f32[64], %2: f32[64] = call %0 program=sin(%0: f32[64]) -> f32[64], f32[64] {
 *         %1: f32[64] = sin %0
 *         %2: f32[64] = neg %0
 *         %3: f32[64] = mul %1 %2
 *         return %1 %3
 *       }
 *       %3: f32[64,64] = call %1 %0 program=mul(%0: f32[64], %1: f32[64]) -> f32[64,64] {
 *         %2: f32[64,64] = broadcast_in_dim %0 dims=[64,64] at=[1]
 *         %3: f32[64] = neg %1
 *         %4: f32[64,64] = broadcast_in_dim %3 dims=[64,64] at=[0]
 *         %5: f32[64,64] = mul %2 %4
 *         return %5
 *       }
 *       return %3 %2
 *     }
 *
 * To the matrix, each element of the sine is worth more than a load, so it is stored; the negation
 * is not, so both groups compute it. The product of both joins them in the first group. */
#include "pass/fuse/fuse.h"

/* ---- what it costs to compute a value in a group that uses it */

static double evaluations(const fuse *f, const site *s)
{
	double n = 0;

	for (; s; s = s->next) n += f->loops[s->loop].steps;
	return n;
}

/* is it asked for at several indices that are not those of loops, as a stencil does? */
static bool is_stencil(const use *u)
{
	for (const site *s = u->sites; s && u->nsites > 1; s = s->next)
		for (int d = 0; d < s->ndim; d++)
			if (!s->dim[d].plain) return true;
	return false;
}

/* Does it cost less than `saved` to compute a value where it is used, for `more` further elements?
 * If it is not computed there, it has to be loaded */
static bool worth(const fuse *f, const use *u, double more, double saved)
{
	const double weight = f->weight[u->var];
	const double each = weight + wide_leaves(f, u->var) - 1;
	const double again =
		each * (evaluations(f, u->sites) + more - (double)fuse_type(f, u->var)->size);

	return again <= f->target->step_work ||
	       (again <= saved && (weight <= f->target->light || !is_stencil(u)));
}

/* Is there much work outside long loops, where only few workers can share it? The others would have
 * to wait for it, or do all of it themselves */
static bool narrow_at(const target *on, const loop *l, double cost, double all)
{
	return l->rows < on->shared_rows && l->rows < all && all > on->shared_work &&
	       cost * l->steps > on->shared_work;
}

static bool narrows(const fuse *f, const use *u, double cost, double all)
{
	for (const site *s = u->sites; s; s = s->next)
		if (narrow_at(f->target, &f->loops[s->loop], cost, all)) return true;
	return false;
}

/* a reduction of many elements to few: it is fused only with work that needs nothing but its
 * result */
static bool ends_kernel(const fuse *f, const group *g, const use *u, const eqn *e)
{
	const target *on = f->target;
	const double cost = element_cost(f->p, e), size = (double)fuse_type(f, u->var)->size;
	const bool alone = g->nvalues - g->nresults == 1 && size < on->shared_rows;

	if (!is_reduction(e) || alone) return false;
	for (const site *s = u->sites; s; s = s->next)
		if (f->loops[s->loop].rows < on->shared_rows &&
		    cost * f->loops[s->loop].steps > on->shared_work)
			return true;
	return false;
}

static bool has_room(const fuse *f, const group *g, const use *u, const eqn *e, bool stored)
{
	int operands = stored ? 0 : -1;

	for (int i = 0; i < e->nin; i++) operands += !f->p->vars[e->in[i].id].literal;
	return g->nmembers < TUNE_KERNEL_MEMBERS && u->nsites <= TUNE_VALUE_SITES &&
	       (operands <= 0 || g->nvalues + operands <= TUNE_KERNEL_VALUES) &&
	       g->nodes + nodes_of(f->p, e) * u->nsites <= TUNE_KERNEL_NODES;
}

static bool can_join(const fuse *f, const use *u, const eqn *e)
{
	const group *g = &f->groups[u->group];

	return g->kernel && !u->held && has_room(f, g, u, e, false) &&
	       worth(f, u, 0, 3 * load_work(f->target, fuse_type(f, u->var))) &&
	       (is_light_put(f, g, u) ||
	        !narrows(f, u, element_cost(f->p, e), (double)g->whole->size)) &&
	       !ends_kernel(f, g, u, e);
}

/* ---- the group that stores a value besides its own results */

static int users(const fuse *f, int32_t var)
{
	int n = 0;

	for (const use *u = f->uses[var]; u; u = u->next) n++;
	return n;
}

/* a search for a way from one group to another */
typedef struct search {
	fuse *f;
	const group *to;
	int32_t number;
	int32_t stack[TUNE_SEARCHED_USES];
	int n, looked; /* uses that were looked at */
} search;

/* the groups that use what another one stores; false: too many to look at */
static bool search_users(search *s, const group *from)
{
	for (const member *m = from->stored; m; m = m->next_stored)
		for (int k = 0, v; (v = gives(s->f, m, k)); k++)
			for (const use *u = s->f->uses[v]; u; u = u->next) {
				if (++s->looked >= TUNE_SEARCHED_USES) return false;
				if (!u->inside) s->stack[s->n++] = u->group;
			}
	return true;
}

/* Does another group depend on the results of this one? If that would take long to find out: yes.
 * A group whose equations are all nearer to the results is left out: almost always so are those
 * that use its results, but one of these may have equations farther away too, and lead there. If
 * groups need each other in the end, all are chosen again with no group left out (fuse.c) */
static bool leads_to(fuse *f, int32_t from, int32_t to)
{
	search s = {.f = f, .to = &f->groups[to], .number = ++f->searches};

	for (s.stack[s.n++] = from; s.n > 0;) {
		group *g = &f->groups[s.stack[--s.n]];
		if (g == s.to) return true;
		if (g->seen == s.number || (!f->all_ways && g->high <= s.to->low)) continue;
		g->seen = s.number;
		if (!search_users(&s, g)) return true;
	}
	return false;
}

static bool others_lead_back(fuse *f, const use *to)
{
	for (const use *u = f->uses[to->var]; u; u = u->next)
		if (u != to && leads_to(f, u->group, to->group)) return true;
	return false;
}

/* The work of elements that the group would compute only to store them; < 0: it cannot give the
 * value away */
static double host_cost(fuse *f, const use *u, const eqn *e)
{
	const group *g = &f->groups[u->group];
	const type *t = fuse_type(f, u->var);
	const type *whole = g->kernel && t->ndim < g->whole->ndim ? g->whole : t;
	const double cost = element_cost(f->p, e), all = (double)whole->size;
	double more = (double)t->size;

	if (!g->kernel || g->puts || !has_room(f, g, u, e, true) || !same_loops(t, g->whole) ||
	    ends_kernel(f, g, u, e))
		return -1;
	if (t->ndim > g->whole->ndim) {
		if (g->narrow < f->target->shared_rows && all > f->target->shared_work) return -1;
	} else {
		const site *s = site_of_loops(f, g, t);
		const loop *l = &f->loops[t->ndim ? g->loop[t->ndim - 1] : 0];
		if (!s || narrow_at(f->target, l, cost, all)) return -1;
		if (site_find(u->sites, s->id)) more = 0;
	}
	return worth(f, u, more, load_work(f->target, t)) && !narrows(f, u, cost, all) ? more : -1;
}

typedef struct host {
	use *use;
	double cost;
	bool tied;
} host;

/* is a group the better one to store a value? 0: they are alike, as far as this can tell */
static int compare_hosts(const fuse *f, const host *a, const host *b)
{
	const group *g = &f->groups[a->use->group], *h = &f->groups[b->use->group];

	if (a->cost != b->cost) return a->cost < b->cost ? 1 : -1;
	if (g->high != h->high) return g->high > h->high ? 1 : -1;
	if (g->nodes != h->nodes) return g->nodes > h->nodes ? 1 : -1;
	return g->content == h->content ? 0 : g->content > h->content ? 1 : -1;
}

/* the best group to store a value; none if several are equally good, because copies of one piece of
 * code would become different kernels */
static use *host_of(fuse *f, const eqn *e)
{
	host best = {NULL, 0, false};

	if (users(f, e->out[0].id) > TUNE_SEARCHED_HOSTS) return NULL;
	for (use *u = f->uses[e->out[0].id]; u; u = u->next) {
		host h = {u, host_cost(f, u, e), false};
		if (h.cost < 0 || others_lead_back(f, u)) continue;
		const int better = best.use ? compare_hosts(f, &h, &best) : 1;
		if (better > 0)
			best = h;
		else if (better == 0)
			best.tied = true;
	}
	return best.tied ? NULL : best.use;
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
	const double work = f->weight[var] * (double)fuse_type(f, var)->size;

	return (f->weight[var] <= f->target->light && wide_leaves(f, var) <= 1) ||
	       work * (users(f, var) - 1) <= f->target->again_work;
}

static void join_all(fuse *f, const eqn *e, int32_t i)
{
	for (use *u = f->uses[e->out[0].id]; u && !f->failed; u = u->next)
		add_member(f, u, e, i, false);
}

/* what is stored and costs no more to compute than to load */
static void join_beside(fuse *f, const eqn *e, int32_t i)
{
	const int32_t var = e->out[0].id;

	if (f->kind[i] != EQN_PLAIN &&
	    !(f->weight[var] <= f->target->light && wide_leaves(f, var) == 0))
		return;
	for (use *u = f->uses[var]; u && !f->failed; u = u->next)
		if (!u->inside && can_join(f, u, e)) add_member(f, u, e, i, false);
}

static void store(fuse *f, const eqn *e, int32_t i)
{
	if (f->kind[i] == EQN_PLAIN) {
		stand_alone(f, e, i);
		return;
	}
	use *host = f->cut[e->out[0].id] ? NULL : host_of(f, e);
	if (host && !f->failed)
		add_stored(f, host, e, i);
	else
		begin_kernel(f, e, i);
}

/* does one group alone use the results, and can it compute them? */
static bool one_can_join(const fuse *f, const eqn *e)
{
	const use *first = NULL;

	for (int k = 0; k < e->nout; k++) {
		const int32_t var = e->out[k].id;
		if (f->cut[var] || used_outside(f, var)) return false;
		for (const use *u = f->uses[var]; u; u = u->next) {
			if (!first) first = u;
			if (u->group != first->group || !can_join(f, u, e)) return false;
		}
	}
	return true;
}

/* An equation of several results is computed in one place: nothing gains from half of it */
static void place_several(fuse *f, const eqn *e, int32_t i)
{
	if (!one_can_join(f, e)) {
		begin_kernel(f, e, i);
		return;
	}
	for (int k = 0; k < e->nout && !f->failed; k++)
		if (f->uses[e->out[k].id]) add_member(f, f->uses[e->out[k].id], e, i, false);
}

static void place_local(fuse *f, const eqn *e, int32_t i)
{
	const int32_t var = e->out[0].id;
	const use *first = f->uses[var];
	const bool one = first && !first->next;

	if (first && !f->cut[var] && !used_outside(f, var) && (one || is_cheap(f, var)) &&
	    all_can_join(f, e)) {
		join_all(f, e, i);
		return;
	}
	store(f, e, i);
	join_beside(f, e, i);
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

/* All that used it make it themselves, or are made otherwise */
static bool is_left_over(const fuse *f, const eqn *e)
{
	bool needed = eqn_has_effects(e);

	for (int k = 0; k < e->nout; k++) needed = needed || is_needed(f, e->out[k].id);
	return !needed;
}

bool groups_find(fuse *f)
{
	const int32_t *order = by_height(f);

	if (!order) return false;
	loop_open(f, 0, 1, true);
	for (int i = 0; i < f->p->neqns && !f->failed; i++) {
		const eqn *e = &f->p->eqns[order[i]];
		if (is_left_over(f, e)) continue;
		if (f->kind[order[i]] == EQN_ALONE)
			stand_alone(f, e, order[i]);
		else if (e->prim->put)
			begin_put(f, e, order[i]);
		else if (e->nout > 1)
			place_several(f, e, order[i]);
		else
			place_local(f, e, order[i]);
	}
	return !f->failed;
}
