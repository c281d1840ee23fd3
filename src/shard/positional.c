/* positional.c - makes positional shardings: a grid of sets of devices, one set for each part of an
 * array, and no names.
 *
 * Four devices in a row can be reshaped to a grid, and a dim of the grid replicated: the sets along
 * it become one.
 *
 *     {0} {1} {2} {3}   reshape (2, 2)   {0} {1}   replicate dim 0   {0, 2} {1, 3}
 *                                        {2} {3}
 *
 * Row-major, the sets are numbered: part[k] is the number of the set of the k-th device, here
 * 0 1 2 3, and in the end 0 1 0 1. A new shape leaves that as it is, for numpy's reshape counts
 * row-major too.
 *
 * As all shardings these are a mesh with a spec. The axes of the mesh are the digits of part[k]:
 *
 *     0 1 0 1 is a digit of size 2 that counts nothing, and one of size 2 that counts 1
 *
 * A digit that two dims of the shape share comes apart at their border: 0 1 2 3 is one digit of
 * size 4 where the shape is (4), and two of size 2 where it is (2, 2). So equal grids have the same
 * mesh, and compare with named shardings as these do with each other. Where the digits do not come
 * apart like that, the mesh has the devices in the order of the sets, and then any shape does. For
 * example twelve devices as (2, 2, 3), with dim 1 replicated, are
 *
 *     {0, 3} {1, 4} {2, 5}     the digits count 3, nothing and 1. In the shape (3, 2) the border is
 *     {6, 9} {7, 10} {8, 11}   at 2, inside of the last one, which has the size 3 */
#include <stdio.h>
#include <stdlib.h>
#include "shard/shard.h"

/* ---- the digits of part[k] */

typedef struct part_digit {
	int64_t size, stride, weight; /* k / stride % size counts `weight` each */
} part_digit;

static int64_t part_of_digits(const part_digit *digit, int n, int64_t k)
{
	int64_t part = 0;

	for (int i = 0; i < n; i++) part += k / digit[i].stride % digit[i].size * digit[i].weight;
	return part;
}

/* Minor first; each is as large as can be. -1: part[k] has no digits */
static int find_digits(const int64_t *part, int64_t ndevices, part_digit *digit)
{
	int n = 0;

	for (int64_t stride = 1; stride < ndevices; stride *= digit[n++].size) {
		const int64_t weight = part[stride];
		int64_t size = 1;
		while (size * stride < ndevices && part[size * stride] == size * weight) size++;
		if (ndevices / stride % size) return -1;
		digit[n] = (part_digit){size, stride, weight};
	}
	for (int64_t k = 0; k < ndevices; k++)
		if (part_of_digits(digit, n, k) != part[k]) return -1;
	return n;
}

/* ---- axes and a spec */

/* an axis of the mesh, and what it counts: weight of the part's number, in a dim; -1: in none */
typedef struct piece {
	int64_t size, weight;
	int dim;
} piece;

typedef struct grid {
	shards *all;
	const char *where;
	const int64_t *ids, *part; /* by position */
	int64_t ndevices;
	const mesh *line; /* of the mesh that is made */
	const int64_t *shape;
	int ndim;
} grid;

/* the pieces of a digit, major first; false: it does not come apart at the borders of dims */
static bool split_digit(const grid *g, const part_digit *digit, piece *to, int *n)
{
	const int64_t low = digit->weight, high = low * digit->size;
	int64_t end = 1; /* of dim d: what its sizes and those of the dims behind it count */

	if (!low) {
		to[(*n)++] = (piece){digit->size, 0, -1};
		return true;
	}
	for (int d = 0; d < g->ndim; d++) end *= g->shape[d];
	for (int d = 0; d < g->ndim; d++) {
		const int64_t begin = end / g->shape[d];
		const int64_t from = begin > low ? begin : low, until = end < high ? end : high;
		if (until > from) {
			if (from % low || until % from) return false;
			to[(*n)++] = (piece){until / from, from, d};
		}
		end = begin;
	}
	return true;
}

/* the axes that cut a dim, major first */
static void fill_spec(const grid *g, const piece *axis, int naxes, spec_room *room)
{
	int n = 0;

	*room = (spec_room){.ndim = g->ndim};
	for (int d = 0; d < g->ndim; d++) {
		const int first = n;
		for (int a = 0; a < naxes; a++) {
			if (axis[a].dim != d) continue;
			int at = n++;
			for (; at > first && axis[room->axis[at - 1]].weight < axis[a].weight; at--)
				room->axis[at] = room->axis[at - 1];
			room->axis[at] = a;
		}
		room->start[d + 1] = n;
	}
}

static const sharding *over_axes(const grid *g, const piece *axis, int naxes)
{
	int64_t size[MAX_AXES] = {1};
	spec_room room;

	fill_spec(g, axis, naxes, &room);
	for (int a = 0; a < naxes; a++) size[a] = axis[a].size;
	const mesh *m = mesh_positional(g->all, g->where, size, naxes ? naxes : 1, g->ids,
	                                (size_t)g->ndevices, g->line);
	return m ? sharding_of_room(g->all, m, &room) : NULL;
}

/* *fits false: the devices must be in another order */
static const sharding *in_this_order(const grid *g, bool *fits)
{
	part_digit digit[MAX_AXES];
	piece axis[2 * MAX_AXES];
	int naxes = 0, n = find_digits(g->part, g->ndevices, digit);

	*fits = n >= 0;
	while (*fits && n-- > 0) *fits = split_digit(g, &digit[n], axis, &naxes);
	return *fits ? over_axes(g, axis, naxes) : NULL;
}

/* the devices by set, and in a set as they were */
static const sharding *in_order_of_sets(const grid *g)
{
	base *b = g->all->base;
	int64_t *ids = mem_array(b, (size_t)g->ndevices * 3, sizeof *ids), nsets = 1, n = 0;
	int64_t *part = ids ? ids + g->ndevices : NULL, *next = ids ? part + g->ndevices : NULL;
	const sharding *made = NULL;
	bool fits;

	for (int d = 0; d < g->ndim; d++) nsets *= g->shape[d];
	for (int64_t set = 0; ids && set < nsets; set++) next[set] = set * (g->ndevices / nsets);
	for (int64_t k = 0; ids && k < g->ndevices; k++) {
		n = next[g->part[k]]++;
		ids[n] = g->ids[k];
		part[n] = g->part[k];
	}
	grid sorted = *g;
	sorted.ids = ids;
	sorted.part = part;
	sorted.line = mesh_positional(g->all, g->where, &g->ndevices, 1, g->ids,
	                              (size_t)g->ndevices, NULL);
	if (ids && sorted.line) made = in_this_order(&sorted, &fits);
	mem_free(b, ids);
	return made;
}

static const sharding *grid_make(const grid *g)
{
	bool fits;
	const sharding *s = in_this_order(g, &fits);

	return fits ? s : in_order_of_sets(g);
}

/* ---- what they are made of */

static const sharding *refuse(shards *all, const char *where, const char *format, ...)
	PRINTF_LIKE(3, 4);
static const sharding *refuse(shards *all, const char *where, const char *format, ...)
{
	char text[300];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	fail(all->base, where, TSR_ERROR_SHARDING, "%s", text);
	return NULL;
}

/* the product of the sizes; -1: one is below 1, or there are too many */
static int64_t count_sets(const int64_t *shape, int ndim)
{
	int64_t n = 1;

	for (int d = 0; d < ndim; d++)
		if (shape[d] < 1 || !mul_ok(n, shape[d], &n)) return -1;
	return n;
}

const sharding *positional_make(shards *all, const char *where, const int64_t *ids, size_t count,
                                const int64_t *shape, int ndim)
{
	const int64_t n = count_sets(shape, ndim);

	if (n < 0)
		return refuse(all, where,
		              "sharding_positional: each size must be at least 1, and their "
		              "product a number of devices");
	if (ids && (uint64_t)n != count)
		return refuse(all, where,
		              "sharding_positional: the number of devices, %zu, must equal the "
		              "product of the sizes, %lld",
		              count, (long long)n);
	const mesh *line = mesh_positional(all, where, &n, 1, ids, count, NULL);
	int64_t *part = line ? mem_array(all->base, (size_t)n, sizeof *part) : NULL;
	for (int64_t k = 0; part && k < n; k++) part[k] = k;
	const grid g = {all, where, line ? line->device : NULL, part, n, NULL, shape, ndim};
	const sharding *s = part ? grid_make(&g) : NULL;
	mem_free(all->base, part);
	return s;
}

/* the sizes of the grid; gives how many sets there are */
static int64_t shape_of(const sharding *s, int64_t *shape)
{
	int64_t n = 1;

	for (int d = 0; d < s->spec.ndim; d++) n *= shape[d] = sharding_parts(s, d);
	return n;
}

/* the mesh that has the devices as they were listed */
static const mesh *line_of(const sharding *s) { return s->mesh->line ? s->mesh->line : s->mesh; }

/* of the set of the device at position k of the mesh, row-major over the dims that `kept` says */
static int64_t set_number(const sharding *s, uint64_t kept, int64_t k)
{
	int64_t set = 0;

	for (int d = 0; d < s->spec.ndim; d++)
		if (kept >> d & 1) set = set * sharding_parts(s, d) + sharding_part(s, d, k);
	return set;
}

/* by device, in the order of the line, in memory to be freed; NULL: no memory */
static int64_t *parts_of(base *b, const sharding *s, uint64_t kept)
{
	const mesh *line = line_of(s);
	const device_set listed = {line->size, line->device};
	arena *a = arena_make(b);
	int64_t *at, *part = a ? mem_array(b, (size_t)line->size, sizeof *part) : NULL;
	const bool ok = part && mesh_positions(b, a, s->mesh, listed, &at);

	for (int64_t k = 0; ok && k < line->size; k++) part[k] = set_number(s, kept, at[k]);
	if (!ok) mem_free(b, part);
	arena_free(a);
	return ok ? part : NULL;
}

static const sharding *regrid(shards *all, const char *where, const sharding *s, uint64_t kept,
                              const int64_t *shape, int ndim)
{
	int64_t *part = parts_of(all->base, s, kept);
	const grid g = {all, where, line_of(s)->device, part, s->mesh->size, NULL, shape, ndim};
	const sharding *made = part ? grid_make(&g) : NULL;

	mem_free(all->base, part);
	return made;
}

/* as Python prints a tuple */
static void put_shape(str *s, const int64_t *shape, int ndim)
{
	str_put(s, "(");
	for (int d = 0; d < ndim; d++) str_printf(s, d ? ", %lld" : "%lld", (long long)shape[d]);
	str_put(s, ndim == 1 ? ",)" : ")");
}

/* one size may be -1: what is left over */
static bool fill_in(int64_t *to, const int64_t *shape, int ndim, int64_t nsets)
{
	int64_t n = 1;
	int open = -1;

	for (int d = 0; d < ndim; d++) {
		to[d] = shape[d];
		if (shape[d] == -1 && open < 0)
			open = d;
		else if (shape[d] < 1 || !mul_ok(n, shape[d], &n))
			return false;
	}
	if (open >= 0) to[open] = nsets / n;
	return n * (open < 0 ? 1 : to[open]) == nsets;
}

const sharding *positional_reshape(shards *all, const char *where, const sharding *s,
                                   const int64_t *shape, int ndim)
{
	int64_t old[MAX_NDIM], new[MAX_NDIM];
	const int64_t nsets = shape_of(s, old);

	if (fill_in(new, shape, ndim, nsets)) return regrid(all, where, s, ~0ull, new, ndim);
	str was = {.base = all->base}, is = was;
	put_shape(&was, old, s->spec.ndim);
	put_shape(&is, shape, ndim);
	refuse(all, where,
	       "sharding_reshape: %lld sets of devices in the shape %s cannot be reshaped to %s: "
	       "the product of the sizes must stay",
	       (long long)nsets, was.s ? was.s : "?", is.s ? is.s : "?");
	str_free(&was);
	str_free(&is);
	return NULL;
}

const sharding *positional_replicate(shards *all, const char *where, const sharding *s,
                                     uint64_t dims, bool drop)
{
	int64_t shape[MAX_NDIM];
	int ndim = 0;

	for (int d = 0; d < s->spec.ndim; d++) {
		const bool kept = !(dims >> d & 1);
		if (kept || !drop) shape[ndim++] = kept ? sharding_parts(s, d) : 1;
	}
	return regrid(all, where, s, ~dims, shape, ndim);
}

/* ---- text, as numpy prints an array of objects in at most 100 columns; of a large one the first
 * and the last few along each dim */

enum { WIDTH = 100, MOST = 1000, EDGE = 3 };

typedef struct set_printer {
	str *out;
	str line; /* that is not in `out` yet */
	const sharding *s;
	const int64_t *part; /* by device of the line */
	int64_t *ids;        /* room for one set */
	bool cut;
} set_printer;

static int compare_ids(const void *a, const void *b)
{
	const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static void put_set(str *word, const set_printer *p, int64_t set)
{
	size_t n = 0;

	for (int64_t k = 0; k < p->s->mesh->size; k++)
		if (p->part[k] == set) p->ids[n++] = line_of(p->s)->device[k];
	qsort(p->ids, n, sizeof *p->ids, compare_ids);
	str_put(word, "{CPU ");
	for (size_t i = 0; i < n; i++)
		str_printf(word, i ? ", %lld" : "%lld", (long long)p->ids[i]);
	str_put(word, "}");
}

static void put_spaces(str *s, int n) { str_printf(s, "%*s", n, ""); }

/* the first text of a line, or the next one where there is room for it */
static void put_word(set_printer *p, const char *word, bool first, int indent, size_t width)
{
	if (!first && p->line.len + 1 + strlen(word) > width) {
		str_printf(p->out, "%s\n", p->line.s);
		p->line.len = 0;
		put_spaces(&p->line, indent);
	} else if (!first) {
		str_put(&p->line, " ");
	}
	str_put(&p->line, word);
}

static void put_row(set_printer *p, int64_t first, int64_t n, int indent, size_t width)
{
	for (int64_t i = 0; i < n; i++) {
		str word = {.base = p->out->base};
		const bool gap = p->cut && n > 2 * EDGE && i == EDGE;
		if (gap)
			str_put(&word, "...");
		else
			put_set(&word, p, first + i);
		if (word.s) put_word(p, word.s, !i, indent, width);
		p->out->lost |= word.lost;
		str_free(&word);
		if (gap) i = n - EDGE - 1;
	}
}

/* The sets from number `first` on, along dims from d on, behind the text that is in the line */
static void put_grid(set_printer *p, int d, int64_t first, int64_t nsets, int indent)
{
	const int ndim = p->s->spec.ndim;

	str_put(&p->line, "[");
	const int64_t n = sharding_parts(p->s, d), each = nsets / n;
	if (d == ndim - 1) put_row(p, first, n, indent + 1, (size_t)(WIDTH - 2 - d));
	for (int64_t i = 0; d < ndim - 1 && i < n; i++) {
		const bool gap = p->cut && n > 2 * EDGE && i == EDGE;
		if (gap)
			str_put(&p->line, "...");
		else
			put_grid(p, d + 1, first + i * each, each, indent + 1);
		if (gap) i = n - EDGE - 1;
		if (i == n - 1) break;
		str_put(p->out, p->line.s);
		for (int k = d; k < ndim - 1; k++) str_put(p->out, "\n");
		p->line.len = 0;
		put_spaces(&p->line, indent + 1);
	}
	str_put(&p->line, "]");
}

void positional_text(str *out, const sharding *s)
{
	static const char head[] = "PositionalSharding(";
	int64_t shape[MAX_NDIM];
	const int64_t nsets = shape_of(s, shape);
	int64_t *part = parts_of(out->base, s, ~0ull);
	int64_t *ids = mem_array(out->base, (size_t)s->mesh->size, sizeof *ids);
	set_printer p = {out, {.base = out->base}, s, part, ids, nsets > MOST};

	if (part && ids) {
		str_put(&p.line, head);
		if (s->spec.ndim)
			put_grid(&p, 0, 0, nsets, (int)sizeof head - 1);
		else
			put_set(&p.line, &p, 0);
		str_put(&p.line, ", shape=");
		put_shape(&p.line, shape, s->spec.ndim);
		str_put(&p.line, ")");
		str_put(out, p.line.s ? p.line.s : "");
	}
	out->lost |= !part || !ids || p.line.lost;
	str_free(&p.line);
	mem_free(out->base, part);
	mem_free(out->base, ids);
}
