/* recipe_nests.c - draws nests: their arguments, the forms that their regions see, and the forms of
 * their results. */
#include "support/recipe_draw.h"
#include <string.h>

/* ---- regions */

site site_of(const site *around, int number)
{
	site s = *around;

	s.g = &s.r->region[number];
	return s;
}

int region_new(site *s, const nest *n)
{
	region *g = &s->r->region[s->r->nregions];
	*g = (region){.nin = n->nargs,
	              .nvalues = n->nargs,
	              .bound = s->g->bound,
	              .unchecked = s->g->unchecked,
	              .manual = s->g->manual,
	              .in_pmap = s->g->in_pmap,
	              .nameless = s->g->nameless};
	for (int k = 0; k < n->nargs; k++) {
		g->value[k] = s->g->value[n->arg[k]];
		if (!g->value[k].key) g->idle |= 1ull << k;
		if (n->as[k] != AS_ARGUMENT || derives(n->kind) || has_rules(n->kind))
			g->value[k].varying |= s->g->unchecked ? 0 : s->forbidden;
	}
	return s->r->nregions++;
}

uint32_t bound_bits(const site *s, bool mesh)
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

/* the first argument is a number, others may be keys */
static int draw_argument(site *s, const nest *n, int k)
{
	const bool may = k && !has_rules(n->kind);
	const int key = may && dice_chance(s->dice, 30) ? some_key(s, 0) : -1;

	return !k ? last_value(s) : key >= 0 ? key : some_value(s);
}

/* values of the region as arguments, captures or lifted values; of a bare region all, in order */
static void draw_arguments(site *s, nest *n, bool bare)
{
	n->nargs = bare ? s->g->nin : 1 + dice_below(s->dice, 3);
	for (int k = 0; k < n->nargs; k++) {
		const int other = dice_chance(s->dice, 50) ? AS_CAPTURE : AS_LIFTED;
		const bool argument = k == 0 || bare || has_rules(n->kind);
		n->arg[k] = bare ? k : draw_argument(s, n, k);
		n->as[k] = argument || dice_chance(s->dice, 65) ? AS_ARGUMENT : (pass_as)other;
	}
}

static bool takes_keys(const site *s, const nest *n)
{
	for (int k = 0; k < n->nargs; k++)
		if (n->as[k] == AS_ARGUMENT && s->g->value[n->arg[k]].key) return true;
	return false;
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

const form *result_form(const site *s, int k) { return &s->g->value[s->g->out[k]]; }

bool draw_body(site *inner, const nest *n, plan *q)
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

/* its rules are about the region, which no other fn can be */
static int draw_custom(site *s, nest *n, const plan *p, plan *q, form *made)
{
	site inner = site_of(s, n->region[0] = region_new(s, n));

	(void)p;
	inner.slopes = true;
	if (takes_keys(s, n) || !draw_region(&inner, q)) return 0;
	for (int k = 0; k < inner.g->nout; k++) { /* a batch has all results for each element */
		made[k] = *result_form(&inner, k);
		made[k].varying |= bound_bits(s, false);
	}
	return inner.g->nout;
}

bool grow_form(form *f, int at, int size)
{
	if (f->ndim == RECIPE_NDIM) return false;
	insert_dim(f, at, size);
	return true;
}

/* some of the arguments */
static void draw_wrt(site *s, nest *n, int percent)
{
	for (int round = 0; round < 2 && !n->nwrt; round++)
		for (int k = 0; k < n->nargs; k++)
			if (n->as[k] == AS_ARGUMENT && !s->g->value[n->arg[k]].key &&
			    (round || dice_chance(s->dice, percent)))
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
	inner.slopes = true;
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
	inner.slopes = true;
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
	const int key = dice_chance(s->dice, 40) ? some_key(s, 1) : -1;
	if (key >= 0) {
		take_argument(n, key);
		n->ncarry++;
	}
	for (int tries = 0; tries < 6 && n->nargs < n->ncarry + 2; tries++) {
		const int keys = dice_chance(s->dice, 30) ? some_key(s, 2) : -1;
		const int x = keys >= 0 ? keys : some_value(s);
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
		if (k >= n->ncarry && !grow_form(&made[k], 0, n->length)) return 0;
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
	if (s->limits->jax && over & s->g->nameless) return 0;
	if (s->limits->jax && over) n->pred = add_psum(s, n->pred, over & ~s->forbidden);
	if (n->pred < 0) return 0;
	const uint32_t varying = s->g->value[n->pred].varying;
	site yes = site_of(s, n->region[0] = region_new(s, n));
	yes.forbidden |= s->slopes ? varying : varying & mesh_bits(s->r);
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

/* ---- one of them */

static draw_kind *const draw_of[NEST_COUNT] = {draw_jit, draw_vmap, draw_grad, draw_grad,
                                               draw_jvp, draw_scan, draw_cond, draw_shard_map,
                                               draw_pmap, draw_jit, draw_custom, draw_custom};

static void draw_spelling(site *s, nest *n, bool bare)
{
	const bool of_bare = s->r->region[n->region[0]].bare;
	const bool all = n->nwrt == count_arguments(n); /* then they are in order */
	const bool one_tree = !derives(n->kind) || all;

	n->other = dice_chance(s->dice, 30) && !(bare || of_bare) &&
	           !(derives(n->kind) && takes_keys(s, n));
	n->tree = dice_chance(s->dice, 25) && !bare && !of_bare && one_tree &&
	          n->kind != NEST_SCAN && !has_rules(n->kind) && !(derives(n->kind) && n->other);
}

/* by what nests put together, values grow; no recipe has room for much more */
static bool are_small(const site *s, const form *made, int n)
{
	const bool last = s->r->whole && s->g == s->r->region; /* nothing uses them */

	for (int k = 0; k < n; k++)
		if (form_size(&made[k]) > (last ? RECIPE_SIZE : 256)) return false;
	return true;
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
	if (n && (!p->bare || n <= RECIPE_OUTS) && are_small(s, made, n) &&
	    step_add(s, &t, made, n) >= 0)
		return true;
	*s->g = *saved;
	s->r->nregions = nregions;
	s->r->naxes = naxes;
	return false;
}
