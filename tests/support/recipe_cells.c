/* recipe_cells.c - forms, points and their values. */
#include "support/recipe_cells.h"
#include <math.h>
#include <string.h>

enum { POOL = 1 << 22 };
static double pool[POOL];

int form_size(const form *f)
{
	int size = 1;

	for (int d = 0; d < f->ndim; d++) size *= f->dim[d];
	return size;
}

bool form_same(const form *a, const form *b)
{
	if (a->ndim != b->ndim || a->key != b->key) return false;
	for (int d = 0; d < a->ndim; d++)
		if (a->dim[d] != b->dim[d]) return false;
	return true;
}

uint32_t axis_bits(const axis_list *a)
{
	uint32_t bits = 0;

	for (int i = 0; i < a->n; i++) bits |= 1u << a->at[i];
	return bits;
}

uint32_t split_bits(const split *cut)
{
	uint32_t bits = 0;

	for (int d = 0; d < cut->n; d++) bits |= axis_bits(&cut->dim[d]);
	return bits;
}

void form_index(const form *f, int element, int *index)
{
	for (int d = f->ndim - 1; d >= 0; element /= f->dim[d--]) index[d] = element % f->dim[d];
}

int form_place(const form *f, const int *index)
{
	int at = 0;

	for (int d = 0; d < f->ndim; d++) at = at * f->dim[d] + index[d];
	return at;
}

/* what does not fit into the pool makes the recipe unfit; its values are then of no use */
cells cells_make(oracle *o, const world *w, const form *f, int levels)
{
	cells c = {.count = w->count, .size = form_size(f), .levels = levels};
	const size_t n = (size_t)c.count * (size_t)c.size << levels;

	if (n > POOL - o->used) {
		o->fit = false;
		o->used = 0;
	}
	c.v = pool + o->used;
	o->used += n;
	memset(c.v, 0, n * sizeof *c.v);
	return c;
}

void cells_copy(const cells *to, const cells *from)
{
	memcpy(to->v, from->v,
	       ((size_t)to->count * (size_t)to->size << to->levels) * sizeof *to->v);
}

double *cell(const cells *c, int point, int element)
{
	return c->v + ((size_t)(point * c->size + element) << c->levels);
}

world world_enter(const oracle *o, const world *w, const axis_list *more)
{
	world to = *w;

	for (int i = 0; i < more->n; i++) {
		to.axes.at[to.axes.n++] = more->at[i];
		to.count *= o->r->axis[more->at[i]].size;
	}
	return to;
}

static int stride_of(const oracle *o, const world *w, int axis)
{
	int stride = 1;

	for (int i = w->axes.n - 1; i >= 0 && w->axes.at[i] != axis; i--)
		stride *= o->r->axis[w->axes.at[i]].size;
	return stride;
}

int world_place(const oracle *o, const world *w, int point, int axis)
{
	return point / stride_of(o, w, axis) % o->r->axis[axis].size;
}

int world_move(const oracle *o, const world *w, int point, int axis, int place)
{
	return point + (place - world_place(o, w, point, axis)) * stride_of(o, w, axis);
}

int world_index(const oracle *o, const world *w, int point, const axis_list *along)
{
	int index = 0;

	for (int i = 0; i < along->n; i++)
		index = index * o->r->axis[along->at[i]].size +
		        world_place(o, w, point, along->at[i]);
	return index;
}

int world_move_index(const oracle *o, const world *w, int point, const axis_list *along, int index)
{
	for (int i = along->n - 1; i >= 0; i--) {
		const int size = o->r->axis[along->at[i]].size;
		point = world_move(o, w, point, along->at[i], index % size);
		index /= size;
	}
	return point;
}

void oracle_margin(oracle *o, double distance)
{
	if (fabs(distance) < o->margin) o->margin = fabs(distance);
}
