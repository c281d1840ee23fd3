/* recipe_nests.c - draws nests: their arguments, the forms that their regions see, and the forms of
 * their results. */
#include "support/recipe_draw.h"
#include <string.h>

enum { BATCH_MOST = 64 };

/* ---- regions */

static site site_of(const site *around, int number)
{
	site s = *around;

	s.g = &s.r->region[number];
	return s;
}

/* A new region, of which there must be one left, with the axes of this one in scope; its inputs are
 * the nest's arguments. In a branch, what a body takes from outside and what is differentiated by
 * varies over the axes over which devices part */
static int region_new(site *s, const nest *n)
{
	region *g = &s->r->region[s->r->nregions];
	*g = (region){.nin = n->nargs,
	              .nvalues = n->nargs,
	              .bound = s->g->bound,
	              .unchecked = s->g->unchecked,
	              .in_pmap = s->g->in_pmap,
	              .nameless = s->g->nameless,
	              .idle = (1ull << n->nargs) - 1};
	for (int k = 0; k < n->nargs; k++) {
		g->value[k] = s->g->value[n->arg[k]];
		if (n->as[k] != AS_ARGUMENT || derives(n->kind))
			g->value[k].varying |= s->g->unchecked ? 0 : s->forbidden;
	}
	return s->r->nregions++;
}

static uint32_t bound_bits(const site *s, bool mesh)
{
	const uint32_t all = axis_bits(&s->g->bound), of_mesh = mesh_bits(s->r);

	return all & (mesh ? of_mesh : ~of_mesh);
}

static int count_arguments(const nest *n)
{
	int count = 0;

	for (int k = 0; k < n->nargs; k++) count += n->as[k] == AS_ARGUMENT;
	return count;
}

/* values of the region as arguments, captures or lifted values; of a bare region all, in order */
static void draw_arguments(site *s, nest *n, bool bare)
{
	n->nargs = bare ? s->g->nin : 1 + dice_below(s->dice, 3);
	for (int k = 0; k < n->nargs; k++) {
		const int other = dice_chance(s->dice, 50) ? AS_CAPTURE : AS_LIFTED;
		n->arg[k] = bare ? k : k == 0 ? s->g->nvalues - 1 : some_value(s);
		n->as[k] =
			k == 0 || bare || dice_chance(s->dice, 65) ? AS_ARGUMENT : (pass_as)other;
	}
}

/* arguments come before captured values: in .arg only their order among themselves counts */
static void take_argument(nest *n, int value)
{
	n->as[n->nargs] = AS_ARGUMENT;
	n->arg[n->nargs++] = value;
}

static plan inside(const plan *p)
{
	plan q = {.depth = p->depth - 1};

	memcpy(q.kind, p->kind + 1, sizeof q.kind - sizeof *q.kind);
	return q;
}

static bool is_fn(nest_kind k) { return k != NEST_SCAN && k != NEST_COND; }

/* May the region of the nest be nothing but the next nest, whose fn is then the body? */
static bool may_be_bare(const site *s, const nest *n, const plan *q)
{
	const nest_kind k = q->kind[0];
	const bool scalar = k == NEST_JIT || k == NEST_SHARD_MAP || k == NEST_VALUE_AND_GRAD;

	return q->depth && is_fn(k) && !q->nlike && (!q->scalar || scalar) &&
	       count_arguments(n) == n->nargs && dice_chance(s->dice, 25);
}

static const form *result_form(const site *s, int k) { return &s->g->value[s->g->out[k]]; }

static bool draw_body(site *inner, const nest *n, plan *q)
{
	q->bare = may_be_bare(inner, n, q);
	return draw_region(inner, q);
}

/* ---- kinds of nests: each draws its region and gives the forms of the nest's results; 0: it does
 * not fit */

static int draw_jit(site *s, nest *n, const plan *p, plan *q, form *made)
{
	site inner = site_of(s, n->region[0] = region_new(s, n));

	(void)p;
	if (!draw_body(&inner, n, q)) return 0;
	for (int k = 0; k < inner.g->nout; k++) made[k] = *result_form(&inner, k);
	return inner.g->nout;
}

static bool grow(form *f, int at, int size)
{
	if (f->ndim == RECIPE_NDIM) return false;
	insert_dim(f, at, size);
	return true;
}

static int points_of(const site *s)
{
	int n = 1;

	for (int i = 0; i < s->g->bound.n; i++) n *= s->r->axis[s->g->bound.at[i]].size;
	return n;
}

/* the dim to map of a value: one of this size, if it is not 0; -1: none */
static int mapped_dim(const site *s, const form *f, int size)
{
	for (int tries = 0; f->ndim && tries < 4; tries++) {
		const int d = dice_below(s->dice, f->ndim);
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
		if (n->out_at[k] != RECIPE_UNMAPPED && !grow(&made[k], n->out_at[k], size))
			return 0;
	}
	return inner->g->nout;
}

static int draw_vmap(site *s, nest *n, const plan *p, plan *q, form *made)
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

/* some of the arguments */
static void draw_wrt(site *s, nest *n, int percent)
{
	for (int round = 0; round < 2 && !n->nwrt; round++)
		for (int k = 0; k < n->nargs; k++)
			if (n->as[k] == AS_ARGUMENT && (round || dice_chance(s->dice, percent)))
				n->wrt[n->nwrt++] = k;
}

/* what a gradient may vary over: as its argument, and along what types do not tell, anything */
static uint32_t gradient_varying(const site *s, const form *x)
{
	return s->g->unchecked ? axis_bits(&s->g->bound) : x->varying | bound_bits(s, false);
}

static int draw_grad(site *s, nest *n, const plan *p, plan *q, form *made)
{
	site inner = site_of(s, n->region[0] = region_new(s, n));
	const bool value = n->kind == NEST_VALUE_AND_GRAD;
	int at = 0;

	(void)p;
	if (++inner.levels > LEVELS_MOST) return 0;
	draw_wrt(s, n, 50);
	if (n->nwrt > 2) n->nwrt = 2;
	q->scalar = true;
	if (!draw_body(&inner, n, q)) return 0;
	const int naux = inner.g->nout - 1;
	if (value) made[at++] = *result_form(&inner, 0);
	for (int k = 0; value && k < naux; k++) made[at++] = *result_form(&inner, 1 + k);
	for (int t = 0; t < n->nwrt; t++) {
		made[at] = inner.g->value[n->wrt[t]];
		made[at].varying = gradient_varying(&inner, &made[at]);
		at++;
	}
	for (int k = 0; !value && k < naux; k++) made[at++] = *result_form(&inner, 1 + k);
	return at;
}

static bool same_type(const site *s, const form *a, const form *b)
{
	return form_same(a, b) &&
	       (s->g->unchecked || !((a->varying ^ b->varying) & mesh_bits(s->r)));
}

/* a value that may be the tangent of x */
static int draw_tangent(site *s, int x)
{
	for (int tries = 0; tries < 4; tries++) {
		const int v = some_value(s);
		if (same_type(s, &s->g->value[v], &s->g->value[x])) return v;
	}
	return add_unary(s, dice_chance(s->dice, 50) ? OP_COS : OP_AFFINE, x);
}

static int draw_jvp(site *s, nest *n, const plan *p, plan *q, form *made)
{
	site inner = site_of(s, n->region[0] = region_new(s, n));
	uint32_t varying = 0;

	if (++inner.levels > LEVELS_MOST || p->bare) return 0;
	draw_wrt(s, n, 70);
	for (int t = 0; t < n->nwrt; t++) {
		if ((n->tangent[t] = draw_tangent(s, n->arg[n->wrt[t]])) < 0) return 0;
		varying |= s->g->value[n->tangent[t]].varying;
	}
	if (!s->g->unchecked) varying &= bound_bits(s, false);
	if (!draw_body(&inner, n, q)) return 0;
	const int nout = inner.g->nout;
	for (int k = 0; k < nout; k++) {
		made[k] = made[nout + k] = *result_form(&inner, k);
		made[nout + k].varying |= varying;
	}
	return 2 * nout;
}

/* ---- control flow */

/* arguments of a scan anew: what is carried, slices, and captured values */
static bool draw_scan_arguments(site *s, nest *n)
{
	const uint32_t mesh = bound_bits(s, true);

	n->nargs = 0;
	n->ncarry = 1 + dice_chance(s->dice, 30);
	for (int k = 0; k < n->ncarry; k++) {
		int x = some_value(s);
		const uint32_t rest = mesh & ~s->g->value[x].varying;
		if (!s->g->unchecked && dice_chance(s->dice, 60)) x = add_cast(s, x, rest);
		if (x < 0) return false;
		take_argument(n, x);
	}
	for (int tries = 0; tries < 6 && n->nargs < n->ncarry + 2; tries++) {
		const int x = some_value(s);
		const form *f = &s->g->value[x];
		if (!f->ndim || f->dim[0] > 4 || (n->length && n->length != f->dim[0])) continue;
		n->length = f->dim[0];
		take_argument(n, x);
	}
	if (!n->length) n->length = 2 + dice_below(s->dice, 2);
	if (dice_chance(s->dice, 50)) {
		n->as[n->nargs] = dice_chance(s->dice, 50) ? AS_CAPTURE : AS_LIFTED;
		n->arg[n->nargs++] = some_value(s);
	}
	return true;
}

static int draw_scan(site *s, nest *n, const plan *p, plan *q, form *made)
{
	form like[RECIPE_INS];

	if (p->bare || !draw_scan_arguments(s, n)) return 0;
	site inner = site_of(s, n->region[0] = region_new(s, n));
	n->reverse = dice_chance(s->dice, 40);
	n->unroll = 1 + dice_chance(s->dice, 20);
	for (int k = 0; k < n->nargs; k++) {
		form *f = &inner.g->value[k];
		if (k < n->ncarry) { /* the loop may make it vary more, but for what types say */
			f->varying |= bound_bits(s, false);
			if (s->g->unchecked) f->varying |= bound_bits(s, true);
			like[k] = *f;
		} else if (n->as[k] == AS_ARGUMENT)
			drop_dim(f, 0);
	}
	q->like = like;
	q->nlike = q->typed = n->ncarry;
	if (!draw_body(&inner, n, q)) return 0;
	for (int k = 0; k < inner.g->nout; k++) {
		made[k] = *result_form(&inner, k);
		if (k >= n->ncarry && !grow(&made[k], 0, n->length)) return 0;
		if (k < n->ncarry) made[k].varying |= like[k].varying;
	}
	return inner.g->nout;
}

/* results of both branches vary, by type, over the same axes */
static bool level_results(site *a, site *b)
{
	for (int k = 0; !a->g->unchecked && k < a->g->nout; k++) {
		const uint32_t in_a = result_form(a, k)->varying & mesh_bits(a->r);
		const uint32_t in_b = result_form(b, k)->varying & mesh_bits(a->r);
		a->g->out[k] = add_cast(a, a->g->out[k], in_b & ~in_a);
		b->g->out[k] = add_cast(b, b->g->out[k], in_a & ~in_b);
		if (a->g->out[k] < 0 || b->g->out[k] < 0) return false;
	}
	return true;
}

/* what comes into a branch varies, by type too, over the axes over which the predicate does */
static void branch_inputs(site *s, const nest *n, uint32_t varying)
{
	for (int k = 0; k < n->nargs; k++)
		s->g->value[k].varying |= varying & (s->g->unchecked ? 0 : mesh_bits(s->r));
}

static int draw_cond(site *s, nest *n, const plan *p, plan *q, form *made)
{
	form like[RECIPE_OUTS];

	if (p->bare) return 0;
	n->pred = some_value(s);
	n->k = 0.11 * (dice_below(s->dice, 7) - 3) + 0.037;
	const uint32_t over = s->g->value[n->pred].varying & bound_bits(s, true);
	/* in JAX devices that differ in a branch's cotangents wait for each other forever */
	if (s->limits->jax && over) n->pred = add_psum(s, n->pred, over & ~s->forbidden);
	if (n->pred < 0) return 0;
	const uint32_t varying = s->g->value[n->pred].varying;
	site yes = site_of(s, n->region[0] = region_new(s, n));
	yes.forbidden |= s->levels ? varying : varying & mesh_bits(s->r);
	branch_inputs(&yes, n, varying);
	if (!draw_region(&yes, q) || s->r->nregions == RECIPE_REGIONS) return 0;
	site no = site_of(&yes, n->region[1] = region_new(s, n));
	branch_inputs(&no, n, varying);
	for (int k = 0; k < yes.g->nout; k++) like[k] = *result_form(&yes, k);
	const plan other = {.like = like, .nlike = yes.g->nout};
	if (!draw_region(&no, &other)) return 0;
	no.g->nout = yes.g->nout;
	if (!level_results(&yes, &no)) return 0;
	for (int k = 0; k < yes.g->nout; k++) {
		made[k] = *result_form(&yes, k);
		made[k].varying |= result_form(&no, k)->varying | varying;
	}
	return yes.g->nout;
}

/* ---- shard_map */

/* a dim of the value that the axis can split, -1: none */
static int split_dim(const site *s, const form *f, int size)
{
	for (int tries = 0; f->ndim && tries < 4; tries++) {
		const int d = dice_below(s->dice, f->ndim);
		if (f->dim[d] % size == 0) return d;
	}
	return -1;
}

static void split_by(split *cut, int dim, int axis)
{
	axis_list *entry = &cut->dim[dim];

	if (dim >= cut->n) cut->n = dim + 1;
	entry->at[entry->n++] = axis;
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
	const uint32_t must = result_form(inner, k)->varying & manual;

	if (must && !result_form(inner, k)->ndim) {
		if (inner->g->bare) return false;
		if ((inner->g->out[k] = add_expanded(inner, inner->g->out[k])) < 0) return false;
	}
	*made = *result_form(inner, k);
	const axis_list more = some_axes(s->dice, s->r, manual & ~must, 15, 0);
	axis_list order = some_axes(s->dice, s->r, must, 100, 0);
	for (int i = 0; i < more.n; i++) order.at[order.n++] = more.at[i];
	for (int i = 0; made->ndim && i < order.n; i++) {
		const int d = dice_below(s->dice, made->ndim);
		split_by(&n->to[k], d, order.at[i]);
		made->dim[d] *= s->r->axis[order.at[i]].size;
	}
	made->varying &= ~manual;
	return form_size(made) <= 256;
}

static int draw_shard_map(site *s, nest *n, const plan *p, plan *q, form *made)
{
	site inner = site_of(s, n->region[0] = region_new(s, n));
	const uint32_t free_axes = mesh_bits(s->r) & ~axis_bits(&s->g->bound);
	const bool all = s->limits->jax || dice_chance(s->dice, 60);

	if (!free_axes || s->g->in_pmap || points_of(s) > BATCH_MOST / 4) return 0;
	n->manual = some_axes(s->dice, s->r, free_axes, all ? 100 : 40, 1);
	n->unchecked = bound_bits(s, true) ? s->g->unchecked : dice_chance(s->dice, 40);
	inner.g->unchecked = n->unchecked;
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

static int draw_pmap(site *s, nest *n, const plan *p, plan *q, form *made)
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

/* ---- one of them */

typedef int draw_kind(site *, nest *, const plan *, plan *, form *made);
static draw_kind *const draw_of[NEST_COUNT] = {draw_jit, draw_vmap, draw_grad, draw_grad,
                                               draw_jvp, draw_scan, draw_cond, draw_shard_map,
                                               draw_pmap, draw_jit, NULL, NULL};

static void draw_spelling(site *s, nest *n, bool bare)
{
	const bool of_bare = s->r->region[n->region[0]].bare;
	const bool all = n->nwrt == count_arguments(n); /* then they are in order */
	const bool one_tree = !derives(n->kind) || all;

	n->other = dice_chance(s->dice, 30) && !(bare || of_bare);
	n->tree = dice_chance(s->dice, 25) && !bare && !of_bare && one_tree &&
	          n->kind != NEST_SCAN && !(derives(n->kind) && n->other);
}

bool draw_nest(site *s, const plan *p)
{
	static region before[RECIPE_REGIONS];
	const int nregions = s->r->nregions, naxes = s->r->naxes;
	form made[2 * RECIPE_OUTS + RECIPE_INS];
	step t = {.op = OP_NEST, .axis = -1};
	plan q = inside(p);

	region *saved = &before[s->g - s->r->region];
	*saved = *s->g;
	t.nest.kind = p->kind[0];
	draw_arguments(s, &t.nest, p->bare);
	q.clear = p->bare ? p->clear : 0;
	q.scalar = p->bare && p->scalar;
	const int n = nregions < RECIPE_REGIONS ? draw_of[p->kind[0]](s, &t.nest, p, &q, made) : 0;
	if (n) draw_spelling(s, &t.nest, p->bare);
	if (n && (!p->bare || n <= RECIPE_OUTS) && step_add(s, &t, made, n) >= 0) return true;
	*s->g = *saved;
	s->r->nregions = nregions;
	s->r->naxes = naxes;
	return false;
}
