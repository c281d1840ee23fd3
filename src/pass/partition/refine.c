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
 * Operands may be on several meshes of the same devices, say x:4, y:2 and p:2, q:4. What p cuts is
 * no spec over the first one, but over x.0:2, x.1:2, y:2 it is: p is x.0, and q is x.1*y. These
 * axes come apart before anything else. They are what operands, and results, are seen in again.
 *
 * Which other axes come apart is known when values have places; these are found anew then, over
 * more axes. That ends, since the parts get smaller. Axes that a map makes manual stay whole, since
 * its body names them. */
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
	if (!cutting_make(&s->c, s->p->ir->by_mesh, e, s->type, s->p->size)) return;
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

/* the axes of other meshes stay behind those of the program's */
static void take_mesh(partitioning *p, const mesh *fine, int entry)
{
	axis others[MAX_AXES];
	const int nothers = p->naxes - p->fine->naxes;

	memcpy(others, p->axes + p->fine->naxes, (size_t)nothers * sizeof *others);
	p->fine = fine;
	for (int a = 0; a <= p->mesh->naxes; a++) p->part[a] += p->part[a] > entry;
	p->naxes = 0;
	for (int i = 0; i < fine->naxes; i++) add_axis(p, fine, i);
	for (int i = 0; i < nothers; i++) add_axis(p, others[i].mesh, others[i].position);
}

/* the entry comes apart, if there are names and room for its parts. false: an error is recorded */
static bool split_entry(partitioning *p, int entry, int64_t part, bool *done)
{
	int n;
	const tsr_axis *axis = split_axes(p, entry, part, &n);

	*done = false;
	if (!axis) return false;
	if (!axes_fit(axis, n) || n + p->naxes - p->fine->naxes > MAX_AXES) return true;
	const mesh *fine = mesh_make(p->ir->shards, p->where, axis, (size_t)n, p->mesh->device,
	                             (size_t)p->mesh->size);
	*done = fine;
	if (fine) take_mesh(p, fine, entry);
	return fine;
}

/* the axis that has this border inside comes apart there, if it can */
static bool split_at(partitioning *p, int64_t border)
{
	int64_t stride = 1;
	bool done;

	for (int i = p->fine->naxes - 1; i >= 0; i--) {
		const int64_t end = stride * p->fine->axis[i].size;
		if (stride < border && border < end)
			return border % stride || end % border ||
			       (p->named >> axis_of(p, i) & 1) ||
			       split_entry(p, i, end / border, &done);
		stride = end;
	}
	return true;
}

bool refine_for(partitioning *p, const sharding *s)
{
	int64_t border[2 * MAX_AXES];
	bool ok = true;

	if (!s->mesh || s->mesh == p->mesh || !mesh_same_devices(s->mesh, p->mesh)) return true;
	const int n = sharding_borders(s, border);
	for (int i = 0; ok && i < n; i++) ok = split_at(p, border[i]);
	return ok;
}

bool refine(partitioning *p, const places *at, bool *again)
{
	search *s = arena_alloc(p->scratch, sizeof *s);

	*again = false;
	if (p->naxes > p->fine->naxes) return true;
	if (!s) return false;
	s->p = p;
	s->entry = -1;
	if (!look_at_program(s, at)) return false;
	if (s->entry < 0) return true;
	return split_entry(p, s->entry, s->part, again);
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

/* between axes of the mesh and their parts: the layout of what users see has none in part */
static void keep_whole_axes(const partitioning *p, layout *l)
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

static bool has_whole_axes(const partitioning *p, const layout *l)
{
	layout whole = *l;

	keep_whole_axes(p, &whole);
	return layout_same(&whole, l);
}

/* the layout as a spec over the fine mesh */
static void fine_spec(const layout *l, int ndim, spec_room *room)
{
	*room = (spec_room){.ndim = ndim};
	for (int d = 0, n = 0; d < ndim; d++) {
		for (int i = 0; i < l->n; i++)
			if (l->dim[i] == d) room->axis[n++] = l->axis[i];
		room->start[d + 1] = n;
	}
}

bool layout_seen(const partitioning *p, const layout *l, int ndim, const sharding **as)
{
	shards *all = p->ir->shards;
	spec_room room;

	if (has_whole_axes(p, l)) return (*as = sharding_of(p, l, ndim));
	*as = NULL;
	fine_spec(l, ndim, &room);
	const sharding *fine = sharding_of_room(all, p->fine, &room);
	for (int i = 0; fine && !*as && i < p->nusers; i++) {
		if (!sharding_over(p->user[i], fine, &room)) continue;
		for (; room.ndim < ndim; room.ndim++)
			room.start[room.ndim + 1] = room.start[room.ndim];
		if (!(*as = sharding_of_room(all, p->user[i], &room))) return false;
	}
	return fine;
}

bool keep_what_is_seen(const partitioning *p, layout *l, int ndim)
{
	const sharding *as;

	if (!layout_seen(p, l, ndim, &as)) return false;
	if (!as) keep_whole_axes(p, l);
	return true;
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
