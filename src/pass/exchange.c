/* exchange.c - turns collectives of many devices into equations of one.
 *
 *     pass replicate
 *     axes (x of (x:2)) f(%0: f32[2]{x}) -> f32[2] {
 *       %1: f32[2] = psum %0 axes=(x) to=invarying
 *       return %1
 *     }
 *     gives
 *     f(%0: f32[2], %1: f32[2]) -> f32[2] {
 *       %2: f32[2] = add %0 %1
 *       return %2
 *     }
 *     operand 0 on each device: 0 1
 *     result 0 on each device: 0 0
 *
 * What the members of a group compute, the row says (tsr_prim.members). Groups that are given the
 * same compute the same, once; but not groups with members in other processes, which may be given
 * something else (crossing/crossing.c). */
#include <stdlib.h>
#include "pass/replicate.h"

/* ---- who exchanges with whom */

typedef struct exchange { /* over some axes, in groups; by position in the device set: */
	const collective *on;
	member_groups groups;
	int *group;         /* the group of a device */
	int *first;         /* by group: the first of its members that are here */
	int *number;        /* its index along the axes, or in groups its place */
} exchange;

/* any row's parameters begin with what axis_index has */
static const field *collective_fields(void) { return tsr__prim_axis_index.params; }

static bool same_exchange(const void *entry, const void *on)
{
	return params_same(collective_fields(), ((const exchange *)entry)->on, on);
}

static exchange *exchange_make(replication *all, const collective *on)
{
	exchange *x = arena_alloc(all->arena, sizeof *x);
	const size_t n = (size_t)all->set.n;
	int *list = arena_array(all->arena, 3 * n, sizeof *list);

	if (!x || !list) return NULL;
	*x = (exchange){.on = on, .group = list, .first = list + n, .number = list + 2 * n};
	member_groups *g = &x->groups;
	if (!member_groups_make(all->base, all->arena, all->program, all->set, &on->axes,
	                        &on->groups, g))
		return NULL;
	for (int i = 0; i < g->ngroups; i++) {
		x->first[i] = -1;
		for (int m = g->start[i]; m < g->start[i + 1]; m++) {
			const int64_t at = g->member[m];
			if (at < 0) continue;
			if (x->first[i] < 0) x->first[i] = (int)at;
			x->group[at] = i;
			x->number[at] = on->groups.n ? m - g->start[i] : (int)g->index[m];
		}
	}
	return x;
}

static const exchange *exchange_find(replication *all, const collective *on)
{
	const uint64_t hash = params_hash(collective_fields(), on);
	exchange *x = table_find(&all->exchanges, hash, same_exchange, on);

	if (x || !(x = exchange_make(all, on))) return x;
	return table_add(&all->exchanges, hash, x) ? x : NULL;
}

/* axis_index: in an equation without operands each device knows its result */
static bool give_numbers(replicating *r, const eqn *e, const exchange *x)
{
	const crew *t = r->crew;
	var *y = arena_array(r->all->arena, (size_t)t->n, sizeof *y);
	uint64_t *key = arena_array(r->all->arena, (size_t)t->n, sizeof *key);

	for (int k = 0; y && key && k < t->n; k++) key[k] = (uint64_t)x->number[t->device[k]];
	const instances *of = y && key ? instances_by(r->crew, key) : NULL;
	for (int i = 0; of && i < of->n; i++) {
		const int32_t number = (int32_t)key[of->first[i]];
		y[i] = build_literal(r->to, TSR_I32, &number);
		if (!y[i].id) return false;
	}
	r->value[e->out[0].id] = (copies){of, y};
	return of;
}

/* ---- a group */

static bool same_group(const void *entry, const void *key)
{
	const group *a = entry, *b = key;

	return a->n == b->n && memcmp(a->x, b->x, (size_t)b->nx * sizeof *a->x) == 0;
}

/* does the crew decide alone, and every member alike, whether it comes here? */
static bool comes_together(const replicating *r, const eqn *e, const group *g)
{
	return !g->crosses || !(own_axes(e) & r->parted);
}

/* each has its own where members need different parts */
static bool find_views(replicating *r, const eqn *e, group *g)
{
	arena *a = r->all->arena;

	g->view = arena_array(a, (size_t)g->n, sizeof *g->view);
	for (int k = 0; g->view && k < g->here; k++) {
		var **view = &g->view[g->own[k]];
		*view = e->prim->sends ? arena_copy(a, g->x, (size_t)g->nx * sizeof **view) : g->x;
		if (!*view) return false;
	}
	g->before = members_before(r, g);
	g->reduces = g->before && reduces_in_parts(r, e, g);
	g->moves = g->before && !g->reduces && moves_in_rounds(r, e, g);
	return g->view && g->before;
}

/* group number `at`. Members elsewhere have no operands yet */
static bool group_read(replicating *r, const eqn *e, const exchange *on, int at, group *g)
{
	const int from = on->groups.start[at], n = on->groups.start[at + 1] - from;
	arena *a = r->all->arena;
	int *member = arena_array(a, 2 * (size_t)n, sizeof *member), *own = member + n;

	*g = (group){.n = n, .nx = n * e->nin, .member = member, .own = own};
	g->device = on->groups.device + from;
	g->x = arena_array(a, (size_t)g->nx, sizeof *g->x);
	if (!member || !g->x) return false;
	for (int m = 0; m < n; m++) {
		const int64_t position = on->groups.member[from + m];
		member[m] = position < 0 ? -1 : crew_find(r->crew, position);
		g->crosses = g->crosses || position < 0;
		if (position >= 0 && member[m] < 0) return r->all->fits = false;
		if (position >= 0) own[g->here++] = m;
		for (int i = 0; i < e->nin && member[m] >= 0; i++)
			g->x[i * n + m] = copy_at(&r->value[e->in[i].id], member[m]);
	}
	if (!comes_together(r, e, g)) return r->all->fits = false;
	return !g->crosses || find_views(r, e, g);
}

/* by its view, of what our member m is given. A rule may give others something too */
static bool emit_for(replicating *r, const eqn *e, const group *g, int m)
{
	arena *a = r->all->arena;
	bool *here = arena_array(a, (size_t)g->n, sizeof *here);
	var *y = arena_array(a, (size_t)g->n * (size_t)e->nout, sizeof *y);

	if (!here || !y) return false;
	here[m] = true;
	e->prim->members(r->to, e, g->n, here, g->view[m], y);
	for (int j = 0; j < e->nout; j++) g->y[j * g->n + m] = y[j * g->n + m];
	return !build_failed(r->to);
}

static bool group_emit(replicating *r, const eqn *e, group *g)
{
	arena *a = r->all->arena;
	const bool apart = g->crosses && e->prim->sends;

	if (g->y) return true;
	if (!(g->y = arena_array(a, (size_t)g->n * (size_t)e->nout, sizeof *g->y))) return false;
	for (int k = 0; apart && k < g->here; k++)
		if (!emit_for(r, e, g, g->own[k])) return false;
	if (!apart) e->prim->members(r->to, e, g->n, NULL, g->x, g->y);
	return !build_failed(r->to);
}

/* y: by device */
static bool group_give(replicating *r, const eqn *e, group *g, table *made, var *y)
{
	const uint64_t hash = hash_bytes(g->x, (size_t)g->nx * sizeof *g->x, 0);
	const group *like = g->crosses ? NULL : table_find(made, hash, same_group, g);

	if (!like) {
		if (!group_emit(r, e, g) || (!g->crosses && !table_add(made, hash, g)))
			return false;
		like = g;
	}
	for (int j = 0; j < e->nout; j++)
		for (int m = 0; m < g->n; m++)
			if (g->member[m] >= 0)
				y[(int64_t)j * r->crew->n + g->member[m]] = like->y[j * g->n + m];
	return true;
}

/* ---- all groups of a crew */

static int compare_numbers(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

/* The groups of the crew; *n of them. In several processes in one order in all of these. NULL: no
 * memory, or a device misses what others of its group reach */
static int *groups_of(replicating *r, const exchange *on, int *n)
{
	const crew *t = r->crew;
	int *list = arena_array(r->all->arena, (size_t)t->n, sizeof *list);

	*n = 0;
	for (int k = 0; list && k < t->n; k++) {
		const int g = on->group[t->device[k]], first = on->first[g];
		if (first == t->device[k])
			list[(*n)++] = g;
		else if (crew_find(t, first) < 0)
			return r->all->fits = false, NULL;
	}
	if (list && r->all->crosses) qsort(list, (size_t)*n, sizeof *list, compare_numbers);
	return list;
}

static bool exchange_all(replicating *r, const eqn *e, const exchange *on, table *made, var *y)
{
	int n;
	const int *number = groups_of(r, on, &n);
	group *all = number ? arena_array(r->all->arena, (size_t)n + 1, sizeof *all) : NULL;
	bool crosses = false;

	if (!all) return false;
	for (int i = 0; i < n; i++) {
		if (!group_read(r, e, on, number[i], &all[i])) return false;
		crosses = crosses || all[i].crosses;
	}
	if (crosses && (!fetch_operands(r, e, all, n) || !reduce_in_parts(r, e, all, n) ||
	                !move_in_rounds(r, e, all, n)))
		return false;
	for (int i = 0; i < n; i++)
		if (!group_give(r, e, &all[i], made, y)) return false;
	return !crosses || share_results(r, e, y);
}

bool replicate_collective(replicating *r, const eqn *e)
{
	const exchange *on = exchange_find(r->all, e->params);
	table made = {.base = r->all->base};

	if (!on) return false;
	if (!e->nin) return give_numbers(r, e, on);
	for (int i = 0; i < e->nin; i++)
		if (!copies_of(r, e->in[i])) return false;
	var *y = arena_array(r->all->arena, (size_t)e->nout * (size_t)r->crew->n, sizeof *y);
	build_at(r->to, e->where);
	const bool ok = y && exchange_all(r, e, on, &made, y) && copies_give(r, e, y);
	table_free(&made, NULL);
	return ok;
}
