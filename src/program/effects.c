/* effects.c - finds the process that evaluates an equation with effects for others, and the
 * processes that need its results.
 *
 * A host call that every device of a mesh of four makes alike, in two processes of two devices:
 *
 *     process 0   devices 0, 1   evaluates it for device 0, gives device 1 the same, sends to 1
 *     process 1   devices 2, 3   receives from 0 for device 2, gives device 3 the same
 *
 *     in process 0: order = [0,1], first = [0,0], from = [-1,-1], start = [0,1,1], to = [1]
 *     in process 1: order = [0,1], first = [0,0], from = [0,0],   start = [0,0,0]
 *
 * Two processes may have two places in different orders, as processes 0 and 2 on a mesh of 3 x 2,
 * of which each row is a call for A and one for B:
 *
 *     A of 0   B of 0
 *     A of 1   B of 2        process 2 has B before A, and gets A first all the same,
 *     A of 2   B of 1        as process 0 sends it: by the first devices of all
 *
 * in process 2: order = [1,0]. */
#include <stdlib.h>
#include "program/program.h"

/* all devices of the mesh that a program is for; n 0: it has none */
static device_set all_devices(const program *p)
{
	const mesh *m = p->naxes ? p->axes[0].mesh : NULL;

	return m ? (device_set){m->size, m->device} : (device_set){0, NULL};
}

typedef struct placed_device {
	int64_t first, k; /* the first device of all at its place; its own number */
} placed_device;

typedef struct making {
	const device *devices; /* by id */
	device_set all, here;
	const int64_t *first; /* by device of `all`: the first one at the same place */
	int64_t *position;    /* of those here, in `all` */
	int *from, *start, *to;
	int64_t *order;
	int64_t *taken; /* by process: 1 + the last place that it gets */
	int n, cap;
} making;

static int process_at(const making *f, int64_t position)
{
	return f->devices[f->all.device[position]].process;
}

/* the processes of those at the same place as k, which evaluates it for them */
static bool find_takers(making *f, arena *a, int64_t k, int own)
{
	const int64_t at = f->position[k];

	for (int64_t i = at + 1; i < f->all.n; i++) {
		if (f->first[i] != at) continue;
		const int process = process_at(f, i);
		if (process == own || f->taken[process] == 1 + at) continue;
		if (f->n == f->cap) {
			const int cap = 2 * f->cap + 16;
			int *to = arena_array(a, (size_t)cap, sizeof *to);
			if (!to) return false;
			if (f->n) memcpy(to, f->to, (size_t)f->n * sizeof *to);
			f->to = to;
			f->cap = cap;
		}
		f->taken[process] = 1 + at;
		f->to[f->n++] = process;
	}
	return true;
}

static bool find_processes(making *f, arena *a)
{
	for (int64_t k = 0; k < f->here.n; k++) {
		const int64_t at = f->position[k];
		const int own = process_at(f, at), by = process_at(f, f->first[at]);
		f->from[k] = by == own ? -1 : by;
		f->start[k] = f->n;
		if (f->first[at] == at && !find_takers(f, a, k, own)) return false;
	}
	f->start[f->here.n] = f->n;
	return true;
}

static int compare_placed(const void *a, const void *b)
{
	const placed_device *x = a, *y = b;

	if (x->first != y->first) return x->first < y->first ? -1 : 1;
	return (x->k > y->k) - (x->k < y->k);
}

static bool put_in_order(making *f, arena *a)
{
	placed_device *by = arena_array(a, (size_t)f->here.n + 1, sizeof *by);

	for (int64_t k = 0; by && k < f->here.n; k++)
		by[k] = (placed_device){f->first[f->position[k]], k};
	if (by) qsort(by, (size_t)f->here.n, sizeof *by, compare_placed);
	for (int64_t k = 0; by && k < f->here.n; k++) f->order[k] = by[k].k;
	return by;
}

static bool make_lists(making *f, base *bs, arena *a, const program *p)
{
	const size_t n = (size_t)f->here.n + 1;
	int processes = 0;

	for (int64_t i = 0; i < f->all.n; i++)
		if (process_at(f, i) >= processes) processes = process_at(f, i) + 1;
	f->from = arena_array(a, n, sizeof *f->from);
	f->start = arena_array(a, n, sizeof *f->start);
	f->order = arena_array(a, n, sizeof *f->order);
	f->taken = arena_array(a, (size_t)processes + 1, sizeof *f->taken);
	return f->from && f->start && f->order && f->taken &&
	       mesh_positions(bs, a, p->axes[0].mesh, f->here, &f->position);
}

bool effect_groups_make(base *bs, arena *a, const program *p, const eqn *e, device_set set,
                        const device *devices, effect_groups *out)
{
	const axis_set axes = own_axes(e);
	making f = {.devices = devices, .all = all_devices(p), .here = set};

	*out = (effect_groups){.first = devices_alike(bs, a, p, set, axes)};
	if (!out->first || !devices || f.all.n <= set.n) return out->first;
	if (!(f.first = devices_alike(bs, a, p, f.all, axes)) || !make_lists(&f, bs, a, p) ||
	    !find_processes(&f, a) || !put_in_order(&f, a))
		return false;
	out->order = f.order;
	out->from = f.from;
	out->start = f.start;
	out->to = f.to;
	return true;
}
