/* recipe_nests_map.c - draws nests that map: vmap over batches, shard_map and pmap over devices. */
#include "support/recipe_draw.h"

enum { BATCH_MOST = 64 };

static int points_of(const site *s)
{
	int n = 1;

	for (int i = 0; i < s->g->bound.n; i++) n *= s->r->axis[s->g->bound.at[i]].size;
	return n;
}

/* dims that may be mapped or split: a key stays whole */
static int free_dims(const form *f) { return f->ndim - f->key; }

/* the dim to map of a value: one of this size, if it is not 0; -1: none */
static int mapped_dim(const site *s, const form *f, int size)
{
	for (int tries = 0; free_dims(f) && tries < 4; tries++) {
		const int d = dice_below(s->dice, free_dims(f));
		if (size ? f->dim[d] == size : f->dim[d] <= 4) return d;
	}
	return -1;
}

/* Maps arguments along dims of one size, which *size gives, or 0, if it may be any one. Their axis
 * varies over */
static void draw_in_dims(site *s, site *inner, nest *n, int *size)
{
	for (int k = 0; k < n->nargs; k++) {
		form *f = &inner->g->value[k];
		const bool may = n->as[k] == AS_ARGUMENT && (!*size || dice_chance(s->dice, 70));
		const int at = may ? mapped_dim(s, f, *size) : -1;
		n->in_at[k] = at < 0 ? RECIPE_UNMAPPED : at;
		if (at < 0) continue;
		*size = f->dim[at];
		drop_dim(f, at);
		f->varying |= 1u << n->axis;
	}
}

/* the forms of the results; 0: they have too many dims */
static int draw_out_dims(site *s, const site *inner, nest *n, int size, form *made)
{
	for (int k = 0; k < inner->g->nout; k++) {
		made[k] = *result_form(inner, k);
		const bool same = !(made[k].varying >> n->axis & 1);
		made[k].varying &= ~(1u << n->axis);
		n->out_at[k] = same && dice_chance(s->dice, 60)
		                       ? RECIPE_UNMAPPED
		                       : dice_below(s->dice, made[k].ndim + 1);
		if (n->out_at[k] != RECIPE_UNMAPPED && !grow_form(&made[k], n->out_at[k], size))
			return 0;
	}
	return inner->g->nout;
}

int draw_vmap(site *s, nest *n, const plan *p, plan *q, form *made)
{
	site inner = site_of(s, n->region[0] = region_new(s, n));
	const int axis = n->axis = s->r->naxes;
	int size = 0;

	(void)p;
	if (axis == RECIPE_AXES) return 0;
	draw_in_dims(s, &inner, n, &size);
	if (!size) size = 2 + dice_below(s->dice, 2);
	if (points_of(s) * size > BATCH_MOST) return 0;
	const char name = dice_chance(s->dice, 65) ? (char)('i' + axis - s->r->nmesh) : 0;
	s->r->axis[s->r->naxes++] = (axis_info){name, size, false};
	inner.g->bound.at[inner.g->bound.n++] = axis;
	if (!draw_body(&inner, n, q)) return 0;
	return draw_out_dims(s, &inner, n, size, made);
}

/* ---- shard_map */

/* a dim of the value that the axis can split, -1: none */
static int split_dim(const site *s, const form *f, int size)
{
	for (int tries = 0; free_dims(f) && tries < 4; tries++) {
		const int d = dice_below(s->dice, free_dims(f));
		if (f->dim[d] % size == 0) return d;
	}
	return -1;
}

static void draw_in_specs(site *s, site *inner, nest *n)
{
	for (int k = 0; k < n->nargs; k++) {
		form *f = &inner->g->value[k];
		const axis_list order = some_axes(s->dice, s->r, axis_bits(&n->manual), 75, 0);
		for (int i = 0; n->as[k] == AS_ARGUMENT && i < order.n; i++) {
			const int size = s->r->axis[order.at[i]].size, d = split_dim(s, f, size);
			if (d < 0) continue;
			split_by(&n->in[k], d, order.at[i]);
			f->dim[d] /= size;
			f->varying |= 1u << order.at[i];
		}
	}
}

/* where the blocks of a result go: axes along which it varies must be named, others may be */
static bool draw_out_spec(site *s, site *inner, nest *n, int k, form *made)
{
	const uint32_t manual = axis_bits(&n->manual);
	const bool told = inner->r->whole && inner->g->unchecked; /* the first device's counts */
	const uint32_t must = told ? 0 : result_form(inner, k)->varying & manual;

	if (must && !result_form(inner, k)->ndim) {
		if (inner->g->bare) return false;
		if ((inner->g->out[k] = add_expanded(inner, inner->g->out[k])) < 0) return false;
	}
	*made = *result_form(inner, k);
	const axis_list more = some_axes(s->dice, s->r, manual & ~must, s->r->whole ? 35 : 15, 0);
	axis_list order = some_axes(s->dice, s->r, must, 100, 0);
	for (int i = 0; i < more.n; i++) order.at[order.n++] = more.at[i];
	for (int i = 0; made->ndim && i < order.n; i++) {
		const int d = dice_below(s->dice, made->ndim);
		split_by(&n->to[k], d, order.at[i]);
		made->dim[d] *= s->r->axis[order.at[i]].size;
	}
	made->varying &= ~manual;
	if (inner->g->unchecked && !s->g->unchecked) made->varying |= bound_bits(s, true);
	return true;
}

/* Is the map inside others checked where those are not, or the other way round? */
static bool draw_other_way(site *s, const nest *n)
{
	bool arguments = s->r->whole;

	for (int k = 0; k < n->nargs; k++) arguments = arguments && n->as[k] == AS_ARGUMENT;
	if (!arguments || !dice_chance(s->dice, 20)) return false;
	s->r->mixed = true;
	return true;
}

int draw_shard_map(site *s, nest *n, const plan *p, plan *q, form *made)
{
	site inner = site_of(s, n->region[0] = region_new(s, n));
	const uint32_t free_axes = mesh_bits(s->r) & ~axis_bits(&s->g->bound);
	const bool all = s->limits->jax || dice_chance(s->dice, s->r->whole ? 30 : 60);

	if (!free_axes || s->g->in_pmap || points_of(s) > BATCH_MOST / 4) return 0;
	n->manual = some_axes(s->dice, s->r, free_axes, all ? 100 : 40, 1);
	n->unchecked = bound_bits(s, true) ? s->g->unchecked != draw_other_way(s, n)
	                                   : dice_chance(s->dice, 40);
	inner.g->unchecked = n->unchecked;
	inner.g->manual = axis_bits(&n->manual);
	for (int i = 0; i < n->manual.n; i++)
		inner.g->bound.at[inner.g->bound.n++] = n->manual.at[i];
	draw_in_specs(s, &inner, n);
	(void)p;
	if (q->scalar) q->clear |= axis_bits(&n->manual);
	if (!draw_body(&inner, n, q)) return 0;
	for (int k = 0; k < inner.g->nout; k++)
		if (!draw_out_spec(s, &inner, n, k, &made[k])) return 0;
	return inner.g->nout;
}

/* ---- pmap: of the axes of the mesh the first one that is left. Those inside it take the others,
 * so that all devices of the mesh are used */

static int count_pmaps(const plan *p)
{
	int n = 0;

	for (int k = 0; k < p->depth; k++) n += p->kind[k] == NEST_PMAP;
	return n;
}

int draw_pmap(site *s, nest *n, const plan *p, plan *q, form *made)
{
	site inner = site_of(s, n->region[0] = region_new(s, n));
	const uint32_t taken = bound_bits(s, true);
	const axis_list left = listed(mesh_bits(s->r) & ~taken);

	if (left.n != count_pmaps(p) || (taken && !s->g->in_pmap) ||
	    points_of(s) > BATCH_MOST / 4)
		return 0;
	n->axis = left.at[0];
	n->anonymous = dice_chance(s->dice, 25);
	int size = s->r->axis[n->axis].size;
	draw_in_dims(s, &inner, n, &size);
	inner.g->in_pmap = inner.g->unchecked = true;
	inner.g->bound.at[inner.g->bound.n++] = n->axis;
	if (n->anonymous) inner.g->nameless |= 1u << n->axis;
	if (!draw_body(&inner, n, q)) return 0;
	return draw_out_dims(s, &inner, n, size, made);
}
