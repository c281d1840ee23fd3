/* recipe_draw.c - draws recipes: regions within nests, from the outside in.
 *
 * Types are drawn, not values: whether the numbers of a recipe are fit the oracle says. What
 * varies is kept as in checked regions (recipe.h), so that results can be cast to what a carry, a
 * branch or a spec wants. In unchecked regions it is what may differ. */
#include "support/recipe_draw.h"
#include <string.h>

bool derives(nest_kind k) { return k == NEST_GRAD || k == NEST_VALUE_AND_GRAD || k == NEST_JVP; }
bool has_rules(nest_kind k) { return k == NEST_CUSTOM_JVP || k == NEST_CUSTOM_VJP; }

/* ---- regions */

static void propose_steps(site *s, int n)
{
	if (s->r->whole) n *= 2;
	for (int tries = 0; n && tries < 40; tries++) n -= propose_step(s);
}

/* The first result has something of all that nothing uses */
static int draw_first(site *s)
{
	int x = last_value(s);

	s->g->idle &= ~(1ull << x);
	for (int v = 0; x >= 0 && s->g->idle && v < x; v++)
		if (s->g->idle >> v & 1) {
			s->g->idle &= ~(1ull << v);
			const int y = add_sum(s, x, v);
			s->g->idle = y < 0 ? 0 : s->g->idle & ~(1ull << y);
			x = y;
		}
	return x;
}

/* result k as the plan wants it; -1: no room */
static int draw_result(site *s, const plan *p, int k)
{
	if (k < p->nlike && p->like[k].key) return add_folded(s, k); /* that of the step before */
	int x = k ? some_value(s) : draw_first(s);
	if (x < 0) return -1;
	if (k < p->nlike) x = add_fitted(s, x, &p->like[k]);
	if (k == 0 && p->scalar)
		x = add_reduction(s, dice_chance(s->dice, 60) ? OP_SUM : OP_MEAN, x);
	if (x < 0) return -1;
	const uint32_t mesh = mesh_bits(s->r), want = k < p->typed ? p->like[k].varying & mesh : 0;
	uint32_t sum = k ? 0 : p->clear;
	if (k < p->typed && !s->g->unchecked) sum |= mesh & ~want;
	sum &= s->g->value[x].varying;
	if (sum & (s->forbidden | s->g->nameless) || (x = add_psum(s, x, sum)) < 0) return -1;
	return s->g->unchecked ? x : add_cast(s, x, want & ~s->g->value[x].varying);
}

static bool draw_bare(site *s, const plan *p)
{
	if (!draw_nest(s, p)) return false;
	const step *t = &s->g->step[0];
	s->g->bare = true;
	s->g->nout = t->nout;
	for (int k = 0; k < t->nout; k++) s->g->out[k] = t->first + k;
	return s->g->nsteps == 1;
}

/* one more nest beside the first one, not as deep */
static void draw_second(site *s, const plan *p)
{
	static const nest_kind simple[] = {NEST_JIT, NEST_VMAP, NEST_SCAN, NEST_COND};
	plan q = {.kind = {simple[dice_below(s->dice, 4)]}, .depth = 1};

	if (p->depth > 1 && dice_chance(s->dice, 50)) q.kind[0] = p->kind[p->depth - 1];
	if (s->r->whole) q.kind[0] = NEST_SHARD_MAP;
	if (q.kind[0] == NEST_CUSTOM_VJP) q.kind[0] = NEST_CUSTOM_JVP; /* settle_rules */
	draw_nest(s, &q);
}

bool draw_region(site *s, const plan *p)
{
	if (p->bare) return draw_bare(s, p);
	propose_steps(s, 1 + dice_below(s->dice, 2));
	bool nested = !p->depth;
	for (int tries = 0; !nested && tries < 6; tries++) nested = draw_nest(s, p);
	if (p->depth && dice_chance(s->dice, 15)) draw_second(s, p);
	propose_steps(s, dice_below(s->dice, 3));
	s->g->nout = p->nlike + dice_chance(s->dice, 25);
	if (!s->g->nout) s->g->nout = 1;
	if (s->g->nout > RECIPE_OUTS) s->g->nout = RECIPE_OUTS;
	for (int k = 0; k < s->g->nout; k++)
		if ((s->g->out[k] = draw_result(s, p, k)) < 0) return false;
	return nested || s->r->whole;
}

/* ---- the program */

void recipe_axes(recipe *r, const int *mesh, int nmesh, const int *batch, int nbatch)
{
	for (int k = 0; k < nmesh && mesh[k]; k++)
		r->axis[r->naxes++] = (axis_info){"xyz"[k], mesh[k], true};
	r->nmesh = r->naxes;
	for (int k = 0; k < nbatch; k++)
		r->axis[r->naxes++] = (axis_info){"ijk"[k], batch[k], false};
	for (int k = 0; k < RECIPE_DEVICES; k++) r->device[k] = k;
}

/* axes: how many it must have; 0: any number */
static void draw_mesh(recipe *r, uint64_t *dice, int axes)
{
	static const int meshes[][3] = {{2},    {4},    {3},    {1},    {8},    {2, 2},    {4, 2},
	                                {2, 3}, {1, 3}, {2, 1}, {4, 1}, {2, 2, 2}, {2, 1, 3}};
	static const int of[] = {13, 5, 6}, first[] = {0, 0, 5};
	const int *size = meshes[first[axes] + dice_below(dice, of[axes])];

	recipe_axes(r, size, 3, NULL, 0);
	if (dice_chance(dice, 40)) dice_shuffle(dice, r->device, RECIPE_DEVICES);
}

/* an input that the map can split over the mesh: blocks of these sizes, or now and then empty */
static void draw_blocks(recipe *r, uint64_t *dice, form *f)
{
	static const int sizes[] = {1, 2, 2, 3, 4, 4, 8};
	const axis_list some = some_axes(dice, r, mesh_bits(r), 70, 0);

	for (int d = 0; d < f->ndim; d++)
		f->dim[d] =
			dice_chance(dice, 3) ? 0 : sizes[dice_below(dice, f->ndim == 3 ? 6 : 7)];
	for (int i = 0; f->ndim && i < some.n; i++)
		f->dim[dice_below(dice, f->ndim)] *= r->axis[some.at[i]].size;
}

static void draw_inputs(recipe *r, uint64_t *dice)
{
	static const int sizes[] = {1, 2, 2, 3, 4, 4, 4, 6, 8};
	region *g = &r->region[0];

	g->nin = g->nvalues = 2 + dice_below(dice, 2);
	g->idle = (1ull << g->nin) - 1;
	for (int k = 0; k < g->nin; k++) {
		form *f = &g->value[k];
		f->ndim = dice_chance(dice, 10) ? 0 : 1 + dice_below(dice, 3);
		for (int d = 0; d < f->ndim; d++) f->dim[d] = sizes[dice_below(dice, 9)];
		if (r->whole) draw_blocks(r, dice, f);
		while (!r->whole && form_size(f) > 48) f->ndim--;
	}
}

/* any dims over any axes: they need not divide */
static void draw_place(recipe *r, uint64_t *dice, int k)
{
	const form *f = &r->region[0].value[k];
	const axis_list some = some_axes(dice, r, mesh_bits(r), 60, 0);

	r->put[k] = true;
	for (int i = 0; f->ndim && i < some.n; i++)
		split_by(&r->place[k], dice_below(dice, f->ndim), some.at[i]);
}

static void draw_kinds(uint64_t *dice, const recipe_limits *limits, plan *p)
{
	static const int depths[] = {1, 2, 2, 3, 3, 3, 4, 4, 4, 4};
	int levels = 0;

	p->depth = limits->depth ? limits->depth : depths[dice_below(dice, 10)];
	for (int k = 0; k < p->depth; k++) {
		nest_kind kind;
		do kind = (nest_kind)dice_below(dice, NEST_COUNT);
		while (limits->without >> kind & 1 || (derives(kind) && levels == LEVELS_MOST));
		levels += derives(kind);
		p->kind[k] = kind;
	}
	if (dice_chance(dice, 50)) p->kind[dice_below(dice, p->depth)] = NEST_SHARD_MAP;
}

/* A custom_vjp has no tangents, so where those around it want some it is a custom_jvp: in a jvp, in
 * the rule of a custom_jvp, and in that of a custom_vjp, which a jvp may be around */
static void settle_rules(plan *p)
{
	bool wanted = false, inside = false;

	for (int k = 0; k < p->depth; k++) {
		if (p->kind[k] == NEST_CUSTOM_VJP && (wanted || inside))
			p->kind[k] = NEST_CUSTOM_JVP;
		if (derives(p->kind[k])) wanted = p->kind[k] == NEST_JVP;
		inside = inside || has_rules(p->kind[k]);
	}
}

/* Where there is a pmap, the others that map over devices are pmaps too, as many as there may be.
 * Gives how many */
static int settle_pmaps(plan *p, int most)
{
	int pmaps = 0;

	for (int k = 0; k < p->depth; k++) pmaps += p->kind[k] == NEST_PMAP;
	for (int k = 0, n = 0; pmaps && k < p->depth; k++) {
		if (p->kind[k] != NEST_PMAP && p->kind[k] != NEST_SHARD_MAP) continue;
		p->kind[k] = n++ < most ? NEST_PMAP : NEST_VMAP;
		pmaps = n < most ? n : most;
	}
	return pmaps;
}

/* a body of whole numbers: one map, and others inside it while axes are left */
static void plan_maps(const recipe *r, uint64_t *dice, plan *p)
{
	p->bare = true;
	p->depth = r->nmesh - dice_chance(dice, r->nmesh > 1 ? 20 : 0);
	for (int k = 0; k < p->depth; k++) p->kind[k] = NEST_SHARD_MAP;
}

/* sometimes leaves out of a spec an axis over which its value varies */
static void draw_mistake(site *s)
{
	nest *n = &s->g->step[0].nest;
	const region *inner = &s->r->region[n->region[0]];
	const uint32_t must = inner->value[inner->out[0]].varying & axis_bits(&n->manual);

	if (!must || n->unchecked || s->r->mixed || !dice_chance(s->dice, 12)) return;
	const int axis = some_axes(s->dice, s->r, must, 30, 1).at[0];
	s->r->missing = 1 + axis;
	for (int d = 0; d < n->to[0].n; d++) {
		axis_list *entry = &n->to[0].dim[d], kept = {0};
		for (int k = 0; k < entry->n; k++)
			if (entry->at[k] != axis) kept.at[kept.n++] = entry->at[k];
		*entry = kept;
	}
}

bool recipe_draw(recipe *r, uint64_t seed, int attempt, const recipe_limits *limits)
{
	uint64_t dice = (seed << 8) + (uint64_t)attempt;
	plan p = {.depth = 0};

	memset(r, 0, sizeof *r);
	r->seed = seed;
	r->single = limits->single;
	r->whole = limits->whole;
	r->dtype = r->whole ? dice_chance(&dice, 50) ? TSR_F32 : TSR_I32 : TSR_F64;
	if (!r->whole) draw_kinds(&dice, limits, &p);
	const int pmaps = settle_pmaps(&p, limits->jax ? 1 : 2);
	r->own_meshes = pmaps > 0;
	draw_mesh(r, &dice, pmaps);
	if (r->whole) plan_maps(r, &dice, &p);
	settle_rules(&p);
	draw_inputs(r, &dice);
	r->nregions = 1;
	r->jit = dice_chance(&dice, 60);
	r->twice = (r->jit || r->whole) && dice_chance(&dice, 20);
	for (int k = 0; k < r->region[0].nin; k++)
		if (dice_chance(&dice, r->whole ? 40 : 25)) draw_place(r, &dice, k);
	site s = {.r = r, .g = &r->region[0], .dice = &dice, .limits = limits};
	if (!draw_region(&s, &p)) return false;
	if (r->whole) draw_mistake(&s);
	return true;
}

/* ---- what was drawn */

static int deepest(const recipe *r, int number, nest_kind *kinds)
{
	nest_kind below[RECIPE_REGIONS];
	int most = 0;

	for (int k = 0; k < r->region[number].nsteps; k++) {
		const step *t = &r->region[number].step[k];
		for (int b = 0; t->op == OP_NEST && b < 1 + (t->nest.kind == NEST_COND); b++) {
			const int n = 1 + deepest(r, t->nest.region[b], below);
			if (n <= most) continue;
			most = n;
			kinds[0] = t->nest.kind;
			memcpy(kinds + 1, below, (size_t)(n - 1) * sizeof *kinds);
		}
	}
	return most;
}

int recipe_stack(const recipe *r, nest_kind *kinds) { return deepest(r, 0, kinds); }
