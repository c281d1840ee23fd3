/* effects.c - finds which process evaluates an equation with effects for others, and which processes
 * need its results.
 *
 * A host call that every device of a mesh of four makes alike, in two processes of two devices:
 *
 *     process 0   devices 0, 1   evaluates it for device 0, gives device 1 the same, sends to 1
 *     process 1   devices 2, 3   receives from 0 for device 2, gives device 3 the same
 *
 * in process 0: first = [0,0], from = [-1,-1], start = [0,1,1], to = [1];
 * in process 1: first = [0,0], from = [0,0], start = [0,0,0] */
#include "engine/engine.h"

/* all devices of the mesh that a program is for; n 0: it has none */
static device_set all_devices(const program *p)
{
	const mesh *m = p->naxes ? p->axes[0].mesh : NULL;

	return m ? (device_set){m->size, m->device} : (device_set){0, NULL};
}

typedef struct effects_making {
	const engine *engine;
	device_set all, here;
	const int64_t *first; /* by device of `all`: the first one at the same place */
	int *from, *start, *to;
	int n;
} effects_making;

static int process_at(const effects_making *f, int64_t position)
{
	return f->engine->devices[f->all.device[position]].process;
}

static int64_t position_of(const effects_making *f, int64_t k)
{
	int64_t at = 0;

	while (f->all.device[at] != f->here.device[k]) at++;
	return at;
}

/* the processes of those at the same place as k, which evaluates it for them */
static void find_takers(effects_making *f, int64_t k, int64_t at, int own)
{
	for (int64_t i = at + 1; i < f->all.n; i++) {
		const int process = process_at(f, i);
		bool seen = f->first[i] != at || process == own;
		for (int j = f->start[k]; !seen && j < f->n; j++) seen = f->to[j] == process;
		if (!seen) f->to[f->n++] = process;
	}
}

static bool find_processes(effects_making *f, arena *a, const program *p, const eqn *e)
{
	const size_t n = (size_t)f->here.n + 1;

	f->first = devices_alike(f->engine->base, a, p, f->all, own_axes(e));
	f->from = arena_array(a, n, sizeof *f->from);
	f->start = arena_array(a, n, sizeof *f->start);
	f->to = arena_array(a, (size_t)f->all.n, sizeof *f->to);
	if (!f->first || !f->from || !f->start || !f->to) return false;
	for (int64_t k = 0; k < f->here.n; k++) {
		const int64_t at = position_of(f, k);
		const int own = process_at(f, at), by = process_at(f, f->first[at]);
		f->from[k] = by == own ? -1 : by;
		f->start[k] = f->n;
		if (f->first[at] == at) find_takers(f, k, at, own);
	}
	f->start[f->here.n] = f->n;
	return true;
}

bool effect_groups_make(engine *on, arena *a, const program *p, const eqn *e, device_set set,
                        effect_groups *out)
{
	effects_making f = {.engine = on, .all = all_devices(p), .here = set};

	*out = (effect_groups){.first = devices_alike(on->base, a, p, set, own_axes(e))};
	if (!out->first || f.all.n <= set.n) return out->first;
	if (!find_processes(&f, a, p, e)) return false;
	out->from = f.from;
	out->start = f.start;
	out->to = f.to;
	return true;
}
