/* layout.c - describes and prints layouts: how each dim is cut.
 *
 * Example, on axes a of 2 and b of 4:
 *
 *     [ab,-] of 20
 *
 * A part is ceil(20 / 8) long, and all are: seven hold elements, the last of these two, and the
 * eighth none. Without the cut the dim is whole:
 *
 *     [ab,-]: 8 parts of 3
 *     [-,-]: 1 part of 20 */
#include "shard/shard.h"

bool layout_same(const layout *a, const layout *b)
{
	return a->n == b->n && a->partial == b->partial &&
	       memcmp(a->dim, b->dim, (size_t)a->n) == 0 &&
	       memcmp(a->axis, b->axis, (size_t)a->n) == 0;
}

void layout_cut(layout *l, int dim, int axis)
{
	int at = l->n++;

	for (; at > 0 && l->dim[at - 1] > dim; at--) {
		l->dim[at] = l->dim[at - 1];
		l->axis[at] = l->axis[at - 1];
	}
	l->dim[at] = (uint8_t)dim;
	l->axis[at] = (uint8_t)axis;
}

void layout_uncut(layout *l, int dim)
{
	int n = 0;

	for (int i = 0; i < l->n; i++) {
		if (l->dim[i] == dim) continue;
		l->dim[n] = l->dim[i];
		l->axis[n++] = l->axis[i];
	}
	l->n = n;
}

static void put_axis(str *s, const mesh *m, int axis, bool first)
{
	if (m)
		str_printf(s, "%s%s", first ? "" : "*", m->axis[axis].name);
	else if (axis < 26)
		str_printf(s, "%c", 'a' + axis);
	else
		str_printf(s, "(%d)", axis);
}

void layout_text(str *s, const layout *l, int ndim, const mesh *m)
{
	bool first = true;

	str_put(s, "[");
	for (int d = 0, i = 0; d < ndim; d++) {
		str_put(s, d ? "," : "");
		if (i == l->n || l->dim[i] != d) str_put(s, "-");
		for (first = true; i < l->n && l->dim[i] == d; i++, first = false)
			put_axis(s, m, l->axis[i], first);
	}
	str_put(s, "]");
	if (l->partial) str_put(s, " sum ");
	first = true;
	for (int a = 0; a < MAX_AXES; a++) {
		if (!(l->partial >> a & 1)) continue;
		put_axis(s, m, a, first);
		first = false;
	}
}

int64_t layout_parts(const layout *l, const layout_axis *axis, int dim)
{
	int64_t parts = 1;

	for (int i = 0; i < l->n; i++)
		if (l->dim[i] == dim) parts *= axis[l->axis[i]].size;
	return parts;
}

int64_t layout_block(const layout *l, const layout_axis *axis, const int64_t *dims, int dim)
{
	const int64_t parts = layout_parts(l, axis, dim);

	return (dims[dim] + parts - 1) / parts;
}

bool layout_divides(const layout *l, const layout_axis *axis, const int64_t *dims, int ndim)
{
	for (int d = 0; d < ndim; d++)
		if (dims[d] % layout_parts(l, axis, d)) return false;
	return true;
}
