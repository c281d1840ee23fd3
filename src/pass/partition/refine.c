/* refine.c - an axis of the mesh in parts, where a dim that it cuts comes apart inside of one.
 *
 *     pass partition
 *     f(%0: f32[8]) -> f32[2,4], f32[8] {
 *       %1: f32[8] = sharding_constraint %0 mesh=(x:4) to=[[x]] open=[]
 *       %2: f32[2,4] = reshape %1 dims=[2,4]
 *       %3: f32[2,4] = sin %2
 *       %4: f32[8] = reshape %3 dims=[8]
 *       return %3 %4
 *     }
 *     gives
 *     axes (x.0, x.1 of (x.0:2,x.1:2)) f(%0: f32[2]{x.0,x.1}) -> f32[2,4], f32[2]{x.0,x.1} {
 *       %1: f32[1,2]{x.0,x.1} = reshape %0 dims=[1,2]
 *       %2: f32[1,2]{x.0,x.1} = sin %1
 *       %3: f32[2,2]{x.1} = all_gather %2 axes=(x.0) dim=0 tiled=true to=invarying
 *       %4: f32[2,4] = all_gather %3 axes=(x.1) dim=1 tiled=true to=invarying
 *       %5: f32[2]{x.0,x.1} = reshape %2 dims=[2]
 *       return %4 %5
 *     }
 *
 * Device k holds the elements 2k and 2k + 1 of %1. In two rows of four that is
 *
 *             x.1=0   x.1=1
 *     x.0=0    0 1     2 3
 *     x.0=1    4 5     6 7
 *
 * No spec says so with x: of four devices in a line, two change the row. But x.0 cuts the first
 * dim, and x.1 the second one. So the program is made over a mesh of the same devices, in the same
 * order, that has x as x.0 and x.1. Users see their own mesh: what no spec over x says is gathered
 * where it leaves the program, as the first result is here.
 *
 * Which axes come apart is known when values have places; these are found anew then, over more
 * axes. That ends, since the parts get smaller. Axes that a map makes manual stay whole, since its
 * body names them. */
#include "pass/partition/partition.h"
#include <stdio.h>

static int64_t greatest_divisor(int64_t a, int64_t b)
{
	while (b) {
		const int64_t rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

/* ---- which axis comes apart */

/* the axis of the users' mesh that an entry is of */
static int axis_of(const partitioning *p, int entry)
{
	int a = 0;

	while (p->part[a + 1] <= entry) a++;
	return a;
}

typedef struct search {
	const partitioning *p;
	cutting c;
	const type **type; /* of an equation's values */
	int entry;         /* found: the axis, by its entry; -1: none yet */
	int64_t part;      /* and the size of its major part */
} search;

/* slots of one dim are neighbours */
static bool are_of_one_dim(const factors *f, int i, int k)
{
	return k >= 0 && k < f->nslots && f->slot[k].value == f->slot[i].value &&
	       f->slot[k].dim == f->slot[i].dim;
}

/* Does a factor need a part of the axis that cuts it next? */
static void look_at_value(search *s, int value, const layout *l)
{
	const factors *f = &s->c.f;

	for (int i = 0, dim = -1, at = 0; i < f->nslots; i++) {
		if (f->slot[i].value != value) continue;
		if (f->slot[i].dim != dim) {
			dim = f->slot[i].dim;
			for (at = 0; at < l->n && l->dim[at] < dim;) at++;
		}
		if (!are_of_one_dim(f, i, i - 1) && !are_of_one_dim(f, i, i + 1)) continue;
		int64_t rest = factor_slot_size(f, i), size = 1;
		for (; at < l->n && l->dim[at] == dim; at++) {
			size = s->c.axis[l->axis[at]].size;
			if (rest % size) break;
			rest /= size;
		}
		const int64_t part = greatest_divisor(rest, size);
		if (at < l->n && l->dim[at] == dim && rest % size && part > 1 &&
		    !(s->p->named >> axis_of(s->p, l->axis[at]) & 1)) {
			s->entry = l->axis[at];
			s->part = part;
			return;
		}
		if (rest > 1) at = l->n;
	}
}

static void look_at_equation(search *s, const places *at, const eqn *e)
{
	const int n = e->nin + e->nout;

	for (int v = 0; v < n; v++)
		s->type[v] = type_of(at->program, v < e->nin ? e->in[v] : e->out[v - e->nin]);
	if (!cutting_make(&s->c, e, s->type, s->p->size)) return;
	for (int v = 0; v < n && s->entry < 0; v++)
		look_at_value(s, v, at->at[(v < e->nin ? e->in[v] : e->out[v - e->nin]).id]);
}

static bool look_at_program(search *s, const places *at)
{
	const program *p = at->program;
	int most = 1;

	for (int i = 0; i < p->neqns; i++)
		if (p->eqns[i].nin + p->eqns[i].nout > most)
			most = p->eqns[i].nin + p->eqns[i].nout;
	s->type = arena_array(s->p->scratch, (size_t)most, sizeof *s->type);
	for (int i = 0; s->type && s->entry < 0 && i < p->neqns; i++)
		look_at_equation(s, at, &p->eqns[i]);
	if (!s->type) return false;
	for (int i = 0; s->entry < 0 && i < p->neqns; i++)
		for (int k = 0; at->inside[i] && s->entry < 0 && k < at->inside[i]->n; k++)
			if (!look_at_program(s, &at->inside[i]->program[k])) return false;
	return true;
}

/* ---- the mesh with one more axis */

/* NULL: no memory */
static const char *part_name(arena *a, const char *axis, int which)
{
	const size_t n = strlen(axis) + 16;
	char *name = arena_alloc(a, n);

	if (name) snprintf(name, n, "%s.%d", axis, which);
	return name;
}

/* The axes with this entry in two; NULL: no memory. The parts of an axis are numbered: y of 8 is
 * y.0 and y.1 at first, and y.0, y.1 and y.2 in the end */
static tsr_axis *split_axes(const partitioning *p, int entry, int64_t part, int *n)
{
	tsr_axis *axis = arena_array(p->scratch, (size_t)p->fine->naxes + 1, sizeof *axis);
	bool ok = axis;

	*n = 0;
	for (int a = 0; ok && a < p->mesh->naxes; a++) {
		const char *name = p->mesh->axis[a].name;
		const int first = *n;
		for (int i = p->part[a]; i < p->part[a + 1]; i++) {
			const int64_t size = p->fine->axis[i].size;
			if (i == entry) axis[(*n)++].size = part;
			axis[(*n)++].size = i == entry ? size / part : size;
		}
		for (int i = first; ok && i < *n; i++) {
			axis[i].name = *n == first + 1 ? name
			                               : part_name(p->scratch, name, i - first);
			ok = axis[i].name;
		}
	}
	return ok ? axis : NULL;
}

/* are the names of all axes different, and is there room for them? */
static bool axes_fit(const tsr_axis *axis, int n)
{
	for (int i = 0; i < n; i++)
		for (int k = 0; k < i; k++)
			if (strcmp(axis[i].name, axis[k].name) == 0) return false;
	return n <= MAX_AXES;
}

static void take_mesh(partitioning *p, const mesh *fine, int entry)
{
	p->fine = fine;
	for (int a = 0; a <= p->mesh->naxes; a++) p->part[a] += p->part[a] > entry;
	p->naxes = 0;
	for (int i = 0; i < fine->naxes; i++) add_axis(p, fine, i);
}

bool refine(partitioning *p, const places *at, bool *again)
{
	search *s = arena_alloc(p->scratch, sizeof *s);
	int n;

	*again = false;
	if (p->naxes > p->fine->naxes) return true;
	if (!s) return false;
	s->p = p;
	s->entry = -1;
	if (!look_at_program(s, at)) return false;
	if (s->entry < 0) return true;
	const tsr_axis *axis = split_axes(p, s->entry, s->part, &n);
	if (!axis) return false;
	if (!axes_fit(axis, n)) return true;
	const mesh *fine = mesh_make(p->ir->shards, p->where, axis, (size_t)n,
	                             p->mesh->device, (size_t)p->mesh->size);
	*again = fine;
	if (fine) take_mesh(p, fine, s->entry);
	return fine;
}

/* ---- and back */

/* how many entries of the layout, from the i-th on, are one axis with all of its parts; 0: they are
 * not all there */
static int all_parts(const partitioning *p, const layout *l, int i)
{
	const int a = axis_of(p, l->axis[i]), n = p->part[a + 1] - p->part[a];

	for (int k = 0; k < n; k++)
		if (i + k >= l->n || l->dim[i + k] != l->dim[i] ||
		    l->axis[i + k] != p->part[a] + k)
			return 0;
	return n;
}

void keep_whole_axes(const partitioning *p, layout *l)
{
	layout kept = {.partial = l->partial};
	int lost = -1; /* a dim, of which minor axes follow */

	for (int i = 0, n; i < l->n; i += n ? n : 1) {
		n = l->dim[i] == lost ? 0 : all_parts(p, l, i);
		if (!n) lost = l->dim[i];
		for (int k = 0; k < n; k++) layout_cut(&kept, l->dim[i], l->axis[i + k]);
	}
	*l = kept;
}

void cut_along(const partitioning *p, layout *l, int dim, int axis)
{
	for (int i = p->part[axis]; i < p->part[axis + 1]; i++) layout_cut(l, dim, i);
}

int next_axis(const partitioning *p, const layout *l, int *i)
{
	const int axis = axis_of(p, l->axis[*i]);

	*i += p->part[axis + 1] - p->part[axis];
	return axis;
}
