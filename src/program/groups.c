/* groups.c - finds the groups of devices that exchange in a collective: those that differ only
 * along the named axes, divided further by the groups parameter.
 *
 * Example, on devices 0 1 2 3, and in a process that has devices 0 and 1 of these:
 *
 *     axes (x of (x:2,y:2), y of (x:2,y:2)) f(%0: f32[4]{x,y}) -> f32[4]{y}, f32[4]{x,y}, f32[4] {
 *       %1: f32[4]{y} = psum %0 axes=(x) to=invarying
 *       %2: f32[4]{x,y} = psum %0 axes=(x,y) groups=[[0,3],[1,2]] to=varying
 *       %3: f32[4] = psum %0 axes=(x,y) to=invarying
 *       return %1 %2 %3
 *     }
 *
 * Each group that a set has a member of is there with all its members. Those with a star are not in
 * the set: they belong to another process:
 *
 *     %1, 4 devices: {0,2} {1,3}       %1, 2 devices: {0,2*} {1,3*}
 *     %2, 4 devices: {0,3} {1,2}       %2, 2 devices: {0,3*} {1,2*}
 *     %3, 4 devices: {0,1,2,3}         %3, 2 devices: {0,1,2*,3*} */
#include <stdlib.h>
#include "program/program.h"

/* For each device k: its index over the named axes, and its index over all other axes of the table.
 * All axes belong to one mesh, and are the mixed-radix digits of the device's position in it, so
 * both indices have closed forms. */
static bool split_index(base *bs, arena *a, const program *p, device_set set, const ints *axes,
                        int64_t *named, int64_t *rest)
{
	const mesh *m = p->axes[axes->v[0]].mesh;
	int64_t *at;

	if (!mesh_positions(bs, a, m, set, &at)) return false;
	for (int64_t k = 0; k < set.n; k++) {
		int64_t in = 0, other = 0;
		axis_set seen = 0;
		for (int i = 0; i < axes->n; i++) {
			const axis *x = &p->axes[axes->v[i]];
			if (x->mesh != m)
				return fail(bs, NULL, TSR_ERROR_SHARDING,
				            "a collective over axes of two meshes: '%s' and '%s'",
				            p->axes[axes->v[0]].name, x->name);
			in = in * x->size + mesh_coordinate(m, at[k], x->position);
			seen |= (axis_set)1 << x->position;
		}
		for (int i = 0; i < m->naxes; i++)
			if (!(seen >> i & 1))
				other = other * m->axis[i].size + mesh_coordinate(m, at[k], i);
		named[k] = in;
		rest[k] = other;
	}
	return true;
}

/* ---- groups. A group is known by a number that is the same in all processes */

typedef struct grouping {
	const program *program;
	const ints *axes;
	const groups *cut;
	device_set set;
	const mesh *mesh;
	int64_t size;       /* of the flattened index over the axes */
	int64_t cuts;       /* groups for each index over the other axes */
	const int64_t *cut_of; /* by flattened index: which of the cuts; NULL: there is one */
	int64_t (*by_place)[2]; /* {position in the mesh, place in the set}, ascending */
} grouping;

static int compare_first(const void *a, const void *b)
{
	const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static bool cuts_make(arena *a, grouping *g)
{
	int64_t *cut_of;

	g->cuts = g->cut->n ? g->cut->n : 1;
	if (!g->cut->n) return true;
	if (!(cut_of = arena_array(a, (size_t)g->size, sizeof *cut_of))) return false;
	for (int c = 0; c < g->cut->n; c++)
		for (int i = 0; i < g->cut->group[c].n; i++) cut_of[g->cut->group[c].v[i]] = c;
	g->cut_of = cut_of;
	return true;
}

/* the place in the set of the device at this position of the mesh; -1: it is not in the set */
static int64_t place_of(const grouping *g, int64_t position)
{
	const int64_t(*found)[2] = bsearch(&position, g->by_place, (size_t)g->set.n,
	                                   sizeof *g->by_place, compare_first);

	return found ? (*found)[1] : -1;
}

/* the position in the mesh of the device with these indices over the named and the other axes */
static int64_t position_of(const grouping *g, int64_t named, int64_t rest)
{
	int64_t coordinate[MAX_AXES], position = 0;
	axis_set seen = 0;

	for (int i = g->axes->n; i-- > 0;) {
		const axis *x = &g->program->axes[g->axes->v[i]];
		coordinate[x->position] = named % x->size;
		named /= x->size;
		seen |= (axis_set)1 << x->position;
	}
	for (int i = g->mesh->naxes; i-- > 0;) {
		if (seen >> i & 1) continue;
		coordinate[i] = rest % g->mesh->axis[i].size;
		rest /= g->mesh->axis[i].size;
	}
	for (int i = 0; i < g->mesh->naxes; i++)
		position = position * g->mesh->axis[i].size + coordinate[i];
	return position;
}

static int64_t group_members(const grouping *g, int64_t number)
{
	return g->cut->n ? g->cut->group[number % g->cuts].n : g->size;
}

/* the numbers of the groups that the set has members of, ascending; *n of them */
static int64_t *groups_here(arena *a, const grouping *g, const int64_t *named, const int64_t *rest,
                            int *n)
{
	int64_t *number = arena_array(a, (size_t)g->set.n + 1, sizeof *number);

	*n = 0;
	if (!number) return NULL;
	for (int64_t k = 0; k < g->set.n; k++)
		number[k] = rest[k] * g->cuts + (g->cut_of ? g->cut_of[named[k]] : 0);
	qsort(number, (size_t)g->set.n, sizeof *number, compare_first);
	for (int64_t k = 0; k < g->set.n; k++)
		if (!*n || number[*n - 1] != number[k]) number[(*n)++] = number[k];
	return number;
}

static void group_fill(const grouping *g, int64_t number, member_groups *to, int at)
{
	const ints *list = g->cut->n ? &g->cut->group[number % g->cuts] : NULL;
	const int64_t n = group_members(g, number);

	for (int64_t i = 0; i < n; i++, at++) {
		const int64_t index = list ? list->v[i] : i;
		const int64_t position = position_of(g, index, number / g->cuts);
		to->index[at] = index;
		to->device[at] = g->mesh->device[position];
		to->member[at] = place_of(g, position);
	}
}

static bool groups_fill(arena *a, const grouping *g, const int64_t *named, const int64_t *rest,
                        member_groups *out)
{
	const int64_t *number = groups_here(a, g, named, rest, &out->ngroups);
	int64_t all = 0;

	for (int i = 0; number && i < out->ngroups; i++) all += group_members(g, number[i]);
	out->start = arena_array(a, (size_t)out->ngroups + 1, sizeof *out->start);
	out->member = arena_array(a, (size_t)all + 1, sizeof *out->member);
	out->device = arena_array(a, (size_t)all + 1, sizeof *out->device);
	out->index = arena_array(a, (size_t)all + 1, sizeof *out->index);
	if (!number || !out->start || !out->member || !out->device || !out->index) return false;
	for (int i = 0; i < out->ngroups; i++) {
		out->start[i + 1] = out->start[i] + (int)group_members(g, number[i]);
		group_fill(g, number[i], out, out->start[i]);
	}
	return true;
}

bool member_groups_make(base *bs, arena *a, const program *p, device_set set, const ints *axes,
                        const groups *cut, member_groups *out)
{
	const mesh *m = p->axes[axes->v[0]].mesh;
	grouping g = {.program = p, .axes = axes, .cut = cut, .set = set, .mesh = m, .size = 1};
	int64_t *named = arena_array(a, (size_t)set.n + 1, sizeof *named),
		*rest = arena_array(a, (size_t)set.n + 1, sizeof *rest), *at;

	*out = (member_groups){0};
	g.by_place = arena_array(a, (size_t)set.n + 1, sizeof *g.by_place);
	for (int i = 0; i < axes->n; i++) g.size *= p->axes[axes->v[i]].size;
	if (!named || !rest || !g.by_place || !cuts_make(a, &g) ||
	    !split_index(bs, a, p, set, axes, named, rest) || !mesh_positions(bs, a, m, set, &at))
		return false;
	for (int64_t k = 0; k < set.n; k++) {
		g.by_place[k][0] = at[k];
		g.by_place[k][1] = k;
	}
	qsort(g.by_place, (size_t)set.n, sizeof *g.by_place, compare_first);
	return groups_fill(a, &g, named, rest, out);
}

/* ---- exchanges with devices that are not in the set */

static bool group_leaves(const member_groups *g)
{
	for (int i = 0; i < g->start[g->ngroups]; i++)
		if (g->member[i] < 0) return true;
	return false;
}

static bool crosses_in(base *bs, arena *a, const program *p, device_set set, bool *crosses)
{
	for (int i = 0; i < p->neqns && !*crosses; i++) {
		const eqn *e = &p->eqns[i];
		const collective *on = e->params;
		member_groups g;
		for (inner k = {0}; inner_next(e->prim, e->params, &k);)
			if (!crosses_in(bs, a, k.program, set, crosses)) return false;
		if (!eqn_exchanges(e) || *crosses) continue;
		if (!member_groups_make(bs, a, p, set, &on->axes, &on->groups, &g)) return false;
		*crosses = group_leaves(&g);
	}
	return true;
}

bool program_crosses(base *bs, const program *p, device_set set, bool *crosses)
{
	arena *a = p->exchanges ? arena_make(bs) : NULL;

	*crosses = false;
	if (!p->exchanges) return true;
	const bool ok = a && crosses_in(bs, a, p, set, crosses);
	arena_free(a);
	return ok;
}

/* ---- how far apart members are, on all processes */

static axis_level group_level(const grouping *g, const ints *list, int64_t rest)
{
	const shards *all = g->program->ir->shards;
	const int64_t first = position_of(g, list->v[0], rest);
	const int from = shards_device(all, g->mesh->device[first])->process;
	axis_level level = LEVEL_MEMORY;

	for (int i = 1; i < list->n && level < LEVEL_NETWORK; i++) {
		const int64_t at = position_of(g, list->v[i], rest);
		const int to = shards_device(all, g->mesh->device[at])->process;
		const axis_level of = processes_level(all->node, from, to);
		level = of > level ? of : level;
	}
	return level;
}

axis_level axes_level(const axis *axes, const ints *entries)
{
	axis_level level = LEVEL_MEMORY;

	for (int i = 0; i < entries->n; i++) {
		const axis *x = &axes[entries->v[i]];
		if (x->mesh && x->mesh->level && x->mesh->level[x->position] > level)
			level = x->mesh->level[x->position];
	}
	return level;
}

axis_level collective_level(const program *p, const collective *on)
{
	const mesh *m = p->axes[on->axes.v[0]].mesh;
	grouping g = {.program = p, .axes = &on->axes, .cut = &on->groups, .mesh = m, .size = 1};
	const axis_level level = axes_level(p->axes, &on->axes);
	axis_level cut = LEVEL_MEMORY;

	for (int i = 0; i < on->axes.n; i++) g.size *= p->axes[on->axes.v[i]].size;
	if (!on->groups.n || level == LEVEL_MEMORY) return level;
	for (int64_t rest = 0; cut < level && rest < m->size / g.size; rest++)
		for (int c = 0; c < on->groups.n; c++) {
			const axis_level of = group_level(&g, &on->groups.group[c], rest);
			cut = of > cut ? of : cut;
		}
	return cut;
}

/* ---- devices that have one place on some axes */

/* first: of those alike so far; afterwards of those that have one place on this axis too */
static bool tell_apart(base *bs, arena *a, const axis *on, device_set set, int64_t *first)
{
	int64_t *at, *before = arena_copy(a, first, (size_t)set.n * sizeof *first);

	if (!before || !mesh_positions(bs, a, on->mesh, set, &at)) return false;
	for (int64_t k = 0; k < set.n; k++) at[k] = mesh_coordinate(on->mesh, at[k], on->position);
	for (int64_t k = 0; k < set.n; k++) {
		first[k] = before[k];
		while (before[first[k]] != before[k] || at[first[k]] != at[k]) first[k]++;
	}
	return true;
}

const int64_t *devices_alike(base *bs, arena *a, const program *p, device_set set, axis_set over)
{
	int64_t *first = arena_array(a, (size_t)set.n, sizeof *first);

	for (int i = 0; first && i < p->naxes; i++)
		if (over >> i & 1 && !tell_apart(bs, a, &p->axes[i], set, first)) return NULL;
	return first;
}
