/* groups.c - who exchanges with whom in a collective: devices that differ only along the named
 * axes, divided further by the groups parameter.
 *
 * On a mesh x:2, y:2 with devices 0 1 2 3, a collective over x exchanges in {0,2} and {1,3}, one
 * over (x,y) among all four, and one over (x,y) with groups [[0,3],[1,2]] in {0,3} and {1,2}. Of a
 * set that lacks devices of the mesh, groups have those that are there, or nobody. */
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

/* order[rest * size + named] = k, and -1 for places of the mesh, `all` of them, without a device of
 * the set */
static int64_t *by_index(arena *a, device_set set, const int64_t *named, const int64_t *rest,
                         int64_t size, int64_t all)
{
	int64_t *order = arena_array(a, (size_t)all, sizeof *order);

	for (int64_t i = 0; order && i < all; i++) order[i] = -1;
	for (int64_t k = 0; order && k < set.n; k++) order[rest[k] * size + named[k]] = k;
	return order;
}

static void add_member(member_groups *g, int *at, const int64_t *order, int64_t base_index,
                       int64_t index)
{
	if (order[base_index + index] < 0) return;
	g->member[*at] = order[base_index + index];
	g->index[(*at)++] = index;
}

bool member_groups_make(base *bs, arena *a, const program *p, device_set set, const ints *axes,
                        const groups *cut, member_groups *out)
{
	int64_t size = 1;

	for (int i = 0; i < axes->n; i++) size *= p->axes[axes->v[i]].size;
	const int64_t all = p->axes[axes->v[0]].mesh->size;
	const int64_t sets = all / size, per_set = cut->n ? cut->n : 1;
	int64_t *named = arena_array(a, (size_t)set.n, sizeof *named),
		*rest = arena_array(a, (size_t)set.n, sizeof *rest);
	out->ngroups = (int)(sets * per_set);
	out->start = arena_array(a, (size_t)out->ngroups + 1, sizeof *out->start);
	out->member = arena_array(a, (size_t)set.n, sizeof *out->member);
	out->index = arena_array(a, (size_t)set.n, sizeof *out->index);
	if (!named || !rest || !out->start || !out->member || !out->index) return false;
	if (!split_index(bs, a, p, set, axes, named, rest)) return false;
	const int64_t *order = by_index(a, set, named, rest, size, all);
	if (!order) return false;
	int at = 0;
	for (int g = 0; g < out->ngroups; g++) {
		const int64_t first = g / per_set * size;
		const ints *list = cut->n ? &cut->group[g % per_set] : NULL;
		for (int64_t i = 0; i < (list ? list->n : size); i++)
			add_member(out, &at, order, first, list ? list->v[i] : i);
		out->start[g + 1] = at;
	}
	return true;
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
