/* grammar_exchange.c - collectives with parameters that fit their operands, as they never would by
 * chance: rows sent by lists, blocks of other layouts, and sorted blocks. */
#include "grammar.h"

enum { MOST = 16 };

static const type *at(const drawing *d, var v) { return build_type(d->b, v); }

/* axes that the operand varies over */
typedef struct along {
	ints axes;
	int64_t axis[GRID], size[GRID], members;
} along;

static bool draw_along(drawing *d, const type *t, along *to)
{
	*to = (along){.members = 1};
	for (int k = 0; k < d->naxes; k++) {
		if (!has_axis(t->varying, k) || pick(d->bytes, 3) == 2) continue;
		to->size[to->axes.n] = d->axes[k].size;
		to->members *= d->axes[k].size;
		to->axis[to->axes.n++] = k;
	}
	to->axes.v = to->axis;
	return to->axes.n && t->ndim && t->ndim <= MOST;
}

/* counted up, or any numbers */
static var draw_list(drawing *d, int64_t n, axis_set varying)
{
	static const tsr_dtype dtypes[] = {TSR_I32, TSR_U8, TSR_I64, TSR_I8};
	const iota_params count = {dtypes[pick(d->bytes, ARRAY_LEN(dtypes))], {1, &n}, 0};
	var v = {0};

	if (pick(d->bytes, 2))
		return draw_of_type(d, type_make(d->ir, count.dtype, &n, 1, varying));
	if (!build_eqn(d->b, &tsr__prim_iota, &count, NULL, 0, &v, NULL)) return v;
	return build_vary(d->b, v, varying, NULL);
}

/* lists need not agree: each piece is brought inside, and pieces land in their order */
static void draw_ragged(drawing *d, var x, const along *on)
{
	enum { OPERANDS = 6 };
	const axes_params p = {.on = {.axes = on->axes}};
	const type *t = at(d, x);
	const int64_t entries = on->members * (1 + pick(d->bytes, 2));
	int64_t dims[MOST];
	var in[OPERANDS] = {x};

	for (int k = 0; k < t->ndim; k++) dims[k] = k ? t->dims[k] : 1 + pick(d->bytes, 6);
	in[1] = draw_of_type(d, type_make(d->ir, t->dtype, dims, t->ndim, t->varying));
	for (int i = 2; i < OPERANDS; i++) in[i] = draw_list(d, entries, t->varying);
	for (int i = 0; i < OPERANDS; i++)
		if (!in[i].id) return;
	draw_append(d, &tsr__prim_ragged_all_to_all, &p, in, OPERANDS);
}

/* of a whole that its devices have these blocks of, the last of them not quite */
static int64_t draw_whole(drawing *d, int64_t block, int64_t parts)
{
	return block && parts > 1 ? block * parts - pick(d->bytes, (int)parts) : block * parts;
}

static void draw_layouts(drawing *d, var x, const along *on)
{
	const type *t = at(d, x);
	int64_t from[2 * GRID], to[2 * GRID], dims[MOST], parts[MOST];
	exchange_params p = {.on = {.axes = on->axes},
	                     .mesh = {on->axes.n, on->size},
	                     .dims = {t->ndim, dims},
	                     .from = {2 * on->axes.n, from},
	                     .to = {0, to}};

	for (int k = 0; k < t->ndim; k++) parts[k] = 1;
	for (int i = 0; i < on->axes.n; i++) {
		from[2 * i] = i;
		from[2 * i + 1] = pick(d->bytes, t->ndim);
		parts[from[2 * i + 1]] *= on->size[i];
		const int dim = pick(d->bytes, t->ndim + 1);
		if (dim == t->ndim) continue;
		to[p.to.n++] = i;
		to[p.to.n++] = dim;
	}
	for (int k = 0; k < t->ndim; k++) dims[k] = draw_whole(d, t->dims[k], parts[k]);
	draw_append(d, &tsr__prim_exchange, &p, &x, 1);
}

static void draw_sort(drawing *d, var x, const along *on)
{
	const type *t = at(d, x);
	const int dim = pick(d->bytes, t->ndim), n = 1 + pick(d->bytes, 3);
	const psort_params p = {.on = {.axes = on->axes},
	                        .dim = dim,
	                        .num_keys = 1 + pick(d->bytes, n),
	                        .size = draw_whole(d, t->dims[dim], on->members)};
	var in[3] = {x};

	for (int i = 1; i < n; i++) {
		const tsr_dtype dtype = pick(d->bytes, 2) ? t->dtype : TSR_I32;
		in[i] = draw_of_type(d, type_make(d->ir, dtype, t->dims, t->ndim, t->varying));
		if (!in[i].id) return;
	}
	draw_append(d, &tsr__prim_psort, &p, in, n);
}

bool draw_exchange(drawing *d, const tsr_prim *row)
{
	const bool ragged = row == &tsr__prim_ragged_all_to_all, sorts = row == &tsr__prim_psort;
	along on;

	if (!ragged && !sorts && row != &tsr__prim_exchange) return false;
	const var x = draw_any(d);
	if (!x.id || !draw_along(d, at(d, x), &on)) return true;
	if (ragged) draw_ragged(d, x, &on);
	else if (sorts)
		draw_sort(d, x, &on);
	else
		draw_layouts(d, x, &on);
	error_clear(d->ir->base);
	return true;
}
