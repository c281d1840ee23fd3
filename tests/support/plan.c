/* plan.c - draws random mapped bodies and computes them on the host while drawing.
 *
 * A step is proposed at random; if the blocks at hand do not fit it, another one is. Numbers stay
 * below LIMIT in magnitude, partial sums included, so that f32 and i32 hold them exactly. */
#include "support/plan.h"
#include <string.h>

enum { LIMIT = 1 << 22, BLOCK_MOST = 256, TRIES = 60 };

/* the blocks of all devices, for each value of a region */
typedef struct scene {
	plan *plan;
	region *region;
	dice *dice;
	int count;
	host block[PLAN_VALUES][ORACLE_DEVICES];
} scene;

/* ---- chance */

static uint64_t next_random(dice *d)
{
	/* splitmix64, Steele, Lea and Flood 2014 */
	uint64_t z = d->state += 0x9e3779b97f4a7c15u;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

int roll(dice *d, int n)
{
	return (int)(next_random(d) >> 33) % n;
}

bool chance(dice *d, int percent)
{
	return roll(d, 100) < percent;
}

static void shuffle(dice *d, int *v, int n)
{
	for (int i = 0; i < n; i++)
		v[i] = i;
	for (int i = n - 1; i > 0; i--) {
		const int j = roll(d, i + 1), t = v[i];
		v[i] = v[j];
		v[j] = t;
	}
}

/* some axes of a mask in any order, at least `least` of them */
static axes draw_axes(dice *d, uint32_t mask, int percent, int least)
{
	int order[ORACLE_AXES];
	axes a = {0};
	shuffle(d, order, ORACLE_AXES);
	for (int round = 0; round < 2; round++)
		for (int k = 0; k < ORACLE_AXES; k++) {
			const uint32_t bit = 1u << order[k];
			const bool wanted = round ? a.n < least : chance(d, percent);
			if (mask & bit && !(axes_mask(&a) & bit) && wanted)
				a.at[a.n++] = order[k];
		}
	return a;
}

/* ---- what steps do to one block */

static int64_t negate(int64_t x, int64_t k)
{
	return x * k;
}

static int64_t clip(int64_t x, int64_t k)
{
	return x > k ? x : k;
}

static int64_t scale(int64_t x, int64_t k)
{
	return x * k + 1;
}

static int64_t remainder_of(int64_t x, int64_t k)
{
	return x % k;
}

static int64_t is_some(int64_t x, int64_t k) { return x != k; }
static int64_t becomes(int64_t x, int64_t k)
{
	(void)x;
	return k;
}

static host add_any(const host *a, const host *b)
{
	if (a->ndim == b->ndim)
		return host_zip(a, b, add_up);
	return a->ndim ? host_map(a, add_up, b->v[0]) : host_map(b, add_up, a->v[0]);
}

static host eval_local(const step *s, const host *a, const host *b)
{
	static const int swap[] = {1, 0};
	const host two[] = {*a, *b};
	host t;
	switch (s->op) {
	case OP_NEG: return host_map(a, negate, -1);
	case OP_RELU: return host_map(a, clip, 0);
	case OP_SCALE: return host_map(a, scale, s->k);
	case OP_REM: return host_map(a, remainder_of, s->k);
	case OP_FLIP: return host_flip(a, s->dim);
	case OP_TRANSPOSE: return host_transpose(a, s->perm);
	case OP_RAVEL: return host_reshape(a, 1, &a->size);
	case OP_SUM: return host_fold(a, s->dim, add_up, s->flag);
	case OP_MAX: return host_fold(a, s->dim, larger, s->flag);
	case OP_CONCAT: return host_concat(two, 2, s->dim);
	case OP_SLICE: return host_slice(a, s->dim, s->start, s->stop);
	case OP_DOT: t = host_dot(a, b); return s->flag ? host_map(&t, is_some, 0) : t;
	case OP_GRAM:
		t = host_transpose(a, swap);
		t = host_dot(&t, a);
		return s->flag ? host_map(&t, is_some, 0) : t;
	case OP_ADD: return add_any(a, b);
	case OP_EXPAND: return host_expand(a, s->dim);
	case OP_CONST: t = host_make(s->ndim, s->dims); return host_map(&t, becomes, s->k);
	default: return *a;
	}
}

/* ---- proposing a step: false if the blocks do not fit it */

static int64_t largest(const scene *c, int value)
{
	int64_t most = 0;
	for (int k = 0; k < c->plan->grid.count; k++)
		most = larger(most, host_largest(&c->block[value][k]));
	return most;
}

static bool fits_concat(const step *s, const host *a, const host *b)
{
	if (a->ndim == 0 || a->ndim != b->ndim || a->size + b->size > BLOCK_MOST)
		return false;
	for (int d = 0; d < a->ndim; d++)
		if (d != s->dim && a->dim[d] != b->dim[d])
			return false;
	return true;
}

static bool fits_add(const host *a, const host *b)
{
	if (a->ndim == 0 || b->ndim == 0)
		return true;
	return a->ndim == b->ndim && memcmp(a->dim, b->dim, (size_t)a->ndim * sizeof *a->dim) == 0;
}

static bool fits_dot(const scene *c, const step *s, const host *a, const host *b)
{
	if (a->ndim != 2 || b->ndim != 2)
		return false;
	if (s->op == OP_GRAM)
		return largest(c, s->a) * largest(c, s->a) * a->dim[0] < LIMIT &&
		       a->dim[1] * a->dim[1] <= BLOCK_MOST;
	return a->dim[1] == b->dim[0] && a->dim[0] * b->dim[1] <= BLOCK_MOST &&
	       largest(c, s->a) * largest(c, s->b) * a->dim[1] < LIMIT;
}

static bool fits_local(const scene *c, const step *s, const host *a, const host *b)
{
	switch (s->op) {
	case OP_SCALE: return largest(c, s->a) * 3 + 1 < LIMIT;
	case OP_FLIP: case OP_SLICE: return a->ndim >= 1;
	case OP_TRANSPOSE: return a->ndim >= 2;
	case OP_SUM: return a->ndim >= 1 && a->dim[s->dim] > 0 &&
	                    largest(c, s->a) * a->dim[s->dim] < LIMIT;
	case OP_MAX: return a->ndim >= 1 && a->dim[s->dim] > 0;
	case OP_CONCAT: return fits_concat(s, a, b);
	case OP_DOT: case OP_GRAM: return fits_dot(c, s, a, b);
	case OP_ADD: return fits_add(a, b) && largest(c, s->a) + largest(c, s->b) < LIMIT;
	case OP_EXPAND: return a->ndim < PLAN_NDIM;
	default: return true;
	}
}

static void draw_constant(dice *d, step *s)
{
	s->k = roll(d, 7) - 3;
	s->ndim = roll(d, 3);
	for (int k = 0; k < s->ndim; k++)
		s->dims[k] = 1 + roll(d, 4);
}

static bool propose_local(const scene *c, step *s)
{
	dice *d = c->dice;
	const host *a = &c->block[s->a][0], *b = &c->block[s->b][0];
	s->dim = roll(d, s->op == OP_EXPAND ? a->ndim + 1 : a->ndim ? a->ndim : 1);
	s->flag = chance(d, 50);
	if (s->op == OP_DOT || s->op == OP_GRAM) s->flag &= c->plan->dtype == TSR_F32;
	s->k = s->op == OP_REM ? 5 : roll(d, 6) - 2;
	if (s->op == OP_CONST)
		draw_constant(d, s);
	if (!fits_local(c, s, a, b))
		return false;
	shuffle(d, s->perm, a->ndim);
	if (s->op == OP_SLICE) {
		s->start = roll(d, (int)a->dim[s->dim] + 1);
		s->stop = s->start + roll(d, (int)(a->dim[s->dim] - s->start) + 1);
	}
	return true;
}

/* groups in equal parts, or, where that is legal, of any sizes */
static void draw_groups(dice *d, exchange *e, int n)
{
	const int most = n < 4 ? n : 4, want = 1 + roll(d, most);
	const bool uneven = e->kind <= EX_PMIN && chance(d, 40);
	const int count = n % want == 0 || uneven ? want : 1;
	shuffle(d, e->groups.member, n);
	e->groups.count = count;
	for (int k = 0, left = n; k < count; left -= e->groups.size[k++])
		e->groups.size[k] = !uneven ? n / count : k == count - 1 ? left :
		                    1 + roll(d, left - (count - 1 - k));
}

static void draw_sources(dice *d, exchange *e, int n)
{
	shuffle(d, e->source, n);
	for (int i = 0; i < n; i++)
		if (e->kind == EX_PPERMUTE && chance(d, 20))
			e->source[i] = -1;
}

static bool fits_exchange(const scene *c, const step *s, const host *a, int n)
{
	const exchange *e = &s->ex;
	const int64_t size = a->ndim ? a->dim[e->dim < a->ndim ? e->dim : 0] : 0;
	switch (e->kind) {
	case EX_PSUM:
		return largest(c, s->a) * n < LIMIT;
	case EX_ALL_GATHER:
		return a->size * n <= BLOCK_MOST &&
		       (e->tiled ? a->ndim > e->dim : a->ndim < PLAN_NDIM);
	case EX_PSUM_SCATTER:
		return a->ndim && e->dim < a->ndim && largest(c, s->a) * n < LIMIT &&
		       (e->tiled ? size % n == 0 : size == n);
	case EX_ALL_TO_ALL:
		return a->ndim && e->dim < a->ndim && (e->tiled ? size % n == 0 : size == n);
	default:
		return true;
	}
}

static bool propose_exchange(const scene *c, step *s)
{
	dice *d = c->dice;
	exchange *e = &s->ex;
	const host *a = &c->block[s->a][0];
	e->kind = roll(d, EX_COUNT);
	e->over = draw_axes(d, c->region->bound, 40, 1);
	const int all = (int)grid_parts(&c->plan->grid, &e->over);
	if (chance(d, 25))
		draw_groups(d, e, all);
	const int n = e->groups.count ? e->groups.size[0] : all;
	e->dim = roll(d, a->ndim + 1);
	e->concat = roll(d, a->ndim ? a->ndim : 1);
	e->tiled = chance(d, 50);
	if (e->kind == EX_PPERMUTE || e->kind == EX_PSHUFFLE)
		draw_sources(d, e, n);
	if (e->kind == EX_PBROADCAST)
		e->source[0] = roll(d, n);
	e->invarying = chance(d, 40) && !e->groups.count && !c->region->unchecked;
	e->swap = !e->tiled && e->dim == e->concat && chance(d, 70);
	return fits_exchange(c, s, a, n);
}

/* ---- over which axes a value may vary */

static uint32_t varying_after(const region *r, const step *s)
{
	const uint32_t both = r->varying[s->a] | r->varying[s->b];
	const uint32_t over = axes_mask(&s->ex.over);
	const exchange *e = &s->ex;
	switch (s->op) {
	case OP_CONCAT: case OP_DOT: case OP_ADD: return both;
	case OP_CONST: return 0;
	case OP_CAST: return r->varying[s->a] | axes_mask(&s->over);
	case OP_EXCHANGE: break;
	default: return r->varying[s->a];
	}
	if (e->kind == EX_AXIS_INDEX)
		return over;
	const bool equal = e->kind <= EX_PMIN ? !e->groups.count :
	                   (e->kind == EX_ALL_GATHER || e->kind == EX_PBROADCAST) && e->invarying;
	return equal && !r->unchecked ? r->varying[s->a] & ~over : r->varying[s->a] | over;
}

/* ---- maps */

static void region_fill(scene *);

/* a cut of blocks of these dims over some axes of a mask, which divides them */
static cut draw_dividing_cut(dice *d, const grid *g, uint32_t mask, const host *x)
{
	cut c = {.n = x->ndim};
	const axes some = draw_axes(d, mask, 70, 0);
	int64_t left[ORACLE_NDIM];
	memcpy(left, x->dim, sizeof left);
	for (int k = 0; k < some.n && x->ndim; k++) {
		const int dim = roll(d, x->ndim), axis = some.at[k];
		if (left[dim] % g->size[axis])
			continue;
		left[dim] /= g->size[axis];
		c.dim[dim].at[c.dim[dim].n++] = axis;
	}
	return c;
}

/* a cut for a result: names all axes of `must`, and some of `may` */
static cut draw_cut(dice *d, int ndim, uint32_t must, uint32_t may)
{
	cut c = {.n = ndim};
	const axes some = draw_axes(d, may & ~must, 35, 0), all = draw_axes(d, must, 100, 0);
	for (int k = 0; k < all.n + some.n && ndim; k++) {
		axes *entry = &c.dim[roll(d, ndim)];
		entry->at[entry->n++] = k < all.n ? all.at[k] : some.at[k - all.n];
	}
	while (c.n && !c.dim[c.n - 1].n && chance(d, 50))
		c.n--;
	return c;
}

static uint32_t must_name(const region *r, int value)
{
	return r->unchecked ? 0 : r->varying[value] & axes_mask(&r->manual);
}

static void step_add(scene *c, const step *s);

/* chooses value as a result, as a vector if it is a scalar whose spec must name axes */
static void region_result(scene *c, int value)
{
	region *r = c->region;
	const uint32_t must = must_name(r, value);
	if (must && c->block[value][0].ndim == 0) {
		step_add(c, &(step){.op = OP_RAVEL, .a = value, .b = value});
		value = c->count - 1;
	}
	const int ndim = c->block[value][0].ndim;
	r->to[r->nout] = draw_cut(c->dice, ndim, must, axes_mask(&r->manual));
	r->out[r->nout++] = value;
}

/* the scene of a map inside c, its arguments cut */
static void nested_enter(const scene *c, const step *s, scene *in)
{
	const grid *g = &c->plan->grid;
	region *r = in->region;
	for (int k = 0; k < r->nin; k++) {
		const int value = k ? s->b : s->a;
		const uint32_t manual = axes_mask(&r->manual);
		r->in[k] = draw_dividing_cut(c->dice, g, manual, &c->block[value][0]);
		for (int at = 0; at < g->count; at++)
			in->block[k][at] = host_block(&c->block[value][at], g, &r->in[k], at);
		r->varying[k] = c->region->varying[value] | cut_mask(&r->in[k]);
	}
	in->count = r->nin;
}

static bool propose_nested(scene *c, step *s)
{
	plan *p = c->plan;
	const uint32_t left = ((1u << p->grid.naxes) - 1) & ~c->region->bound;
	if (!left || p->nregions == PLAN_REGIONS)
		return false;
	s->region = p->nregions++;
	region *r = &p->region[s->region];
	r->manual = draw_axes(c->dice, left, 60, 1);
	r->bound = c->region->bound | axes_mask(&r->manual);
	r->unchecked = chance(c->dice, 20) ? !c->region->unchecked : c->region->unchecked;
	if (r->unchecked != c->region->unchecked)
		p->exact = false;
	r->nin = 1 + roll(c->dice, 2);
	return true;
}

static void run_nested(scene *c, const step *s, int value)
{
	plan *p = c->plan;
	region *r = &p->region[s->region];
	scene in = {.plan = p, .region = r, .dice = c->dice};
	nested_enter(c, s, &in);
	region_fill(&in);
	region_result(&in, in.count - 1);
	const uint32_t manual = axes_mask(&r->manual);
	for (int at = 0; at < p->grid.count; at++)
		c->block[value][at] =
			host_whole(in.block[r->out[0]], &p->grid, &r->to[0], manual, at);
	c->region->varying[value] = r->varying[r->out[0]] & ~manual;
	if (r->unchecked)
		c->region->varying[value] = c->region->bound;
}

/* ---- one step after the other */

static void step_add(scene *c, const step *s)
{
	region *r = c->region;
	const int value = c->count++;
	r->step[r->nsteps++] = *s;
	if (s->op == OP_NESTED) {
		run_nested(c, s, value);
		return;
	}
	for (int at = 0; at < c->plan->grid.count; at++)
		c->block[value][at] = s->op == OP_EXCHANGE ?
			host_exchange(c->block[s->a], &c->plan->grid, &s->ex, at) :
			eval_local(s, &c->block[s->a][at], &c->block[s->b][at]);
	r->varying[value] = varying_after(r, s);
}

/* over these axes: along those of an unchecked map around it, all values may vary */
static bool says_exactly(const scene *c, uint32_t over)
{
	return c->plan->exact || !(over & ~axes_mask(&c->region->manual));
}

static bool propose(scene *c, step *s)
{
	dice *d = c->dice;
	*s = (step){.negative = chance(d, 25)};
	s->op = chance(d, 40) ? OP_EXCHANGE : chance(d, 20) ? OP_NESTED : roll(d, OP_COUNT);
	s->a = chance(d, 60) ? c->count - 1 : roll(d, c->count);
	s->b = roll(d, c->count);
	switch (s->op) {
	case OP_EXCHANGE: return propose_exchange(c, s);
	case OP_NESTED: return propose_nested(c, s);
	case OP_CAST:
		s->over = draw_axes(d, c->region->bound, 40, 1);
		return !c->region->unchecked && says_exactly(c, axes_mask(&s->over)) &&
		       !(c->region->varying[s->a] & axes_mask(&s->over));
	default: return propose_local(c, s);
	}
}

static void region_fill(scene *c)
{
	const int want = 2 + roll(c->dice, PLAN_STEPS - 2 - PLAN_OUTS);
	for (int tries = 0; tries < TRIES && c->region->nsteps < want; tries++) {
		step s;
		if (propose(c, &s))
			step_add(c, &s);
	}
}

/* ---- the outermost map */

static host draw_block(dice *d)
{
	static const int64_t sizes[] = {1, 2, 2, 3, 4, 4, 8, 0};
	int64_t dim[3];
	const int ndim = chance(d, 10) ? 0 : 1 + roll(d, 3);
	for (int k = 0; k < ndim; k++)
		dim[k] = sizes[chance(d, 3) ? 7 : roll(d, ndim == 3 ? 6 : 7)];
	return host_make(ndim, dim);
}

/* an argument: any block, any cut of it over the manual axes, and a place to be put before */
static void draw_argument(scene *c, deal *t, int k)
{
	const grid *g = &c->plan->grid;
	region *r = c->region;
	host x = draw_block(c->dice);
	r->in[k] = draw_cut(c->dice, x.ndim, 0, 0);
	const axes some = draw_axes(c->dice, axes_mask(&r->manual), 70, 0);
	for (int i = 0; i < some.n && x.ndim; i++) {
		const int dim = roll(c->dice, x.ndim);
		axes *entry = &r->in[k].dim[dim];
		r->in[k].n = dim >= r->in[k].n ? dim + 1 : r->in[k].n;
		entry->at[entry->n++] = some.at[i];
		x.dim[dim] *= g->size[some.at[i]];
	}
	t->arg[k] = host_make(x.ndim, x.dim);
	for (int64_t i = 0; i < t->arg[k].size; i++)
		t->arg[k].v[i] = roll(c->dice, 7) - 3;
	t->put[k] = chance(c->dice, 40);
	t->placed[k] = draw_cut(c->dice, x.ndim, 0, (1u << g->naxes) - 1);
	for (int at = 0; at < g->count; at++)
		c->block[k][at] = host_block(&t->arg[k], g, &r->in[k], at);
	r->varying[k] = r->unchecked ? r->bound : cut_mask(&r->in[k]);
}

static void draw_grid(dice *d, grid *g, int64_t *device)
{
	static const grid grids[] = {{1, 1, {1}}, {1, 2, {2}}, {1, 4, {4}}, {2, 4, {2, 2}},
		{2, 8, {4, 2}}, {2, 8, {4, 2}}, {3, 8, {2, 2, 2}}, {3, 8, {2, 2, 2}}, {1, 8, {8}},
		{1, 3, {3}}, {2, 3, {1, 3}}, {2, 4, {4, 1}}, {3, 6, {2, 1, 3}}};
	int order[ORACLE_DEVICES];
	const bool permuted = chance(d, 40);
	shuffle(d, order, ORACLE_DEVICES);
	*g = grids[roll(d, sizeof grids / sizeof *grids)];
	for (int k = 0; k < g->count; k++)
		device[k] = permuted ? order[k] : k;
}

/* sometimes leaves out of a spec an axis over which its value varies */
static void draw_mistake(scene *c, deal *t)
{
	region *r = c->region;
	t->missing = -1;
	const uint32_t must = must_name(r, r->out[0]);
	if (!must || !c->plan->exact || !chance(c->dice, 12))
		return;
	t->missing = draw_axes(c->dice, must, 30, 1).at[0];
	for (int d = 0; d < r->to[0].n; d++) {
		axes *entry = &r->to[0].dim[d], kept = {0};
		for (int k = 0; k < entry->n; k++)
			if (entry->at[k] != t->missing)
				kept.at[kept.n++] = entry->at[k];
		*entry = kept;
	}
}

void plan_draw(plan *p, deal *t, uint64_t seed)
{
	dice d = {seed * 0x2545f4914f6cdd1du};
	memset(p, 0, sizeof *p);
	memset(t, 0, sizeof *t);
	draw_grid(&d, &p->grid, t->device);
	p->dtype = chance(&d, 50) ? TSR_F32 : TSR_I32;
	p->exact = true;
	p->nregions = 1;
	region *r = &p->region[0];
	const uint32_t all = (1u << p->grid.naxes) - 1;
	r->manual = draw_axes(&d, all, chance(&d, 35) ? 100 : 30, 1);
	r->bound = axes_mask(&r->manual);
	r->unchecked = chance(&d, 35);
	r->nin = 1 + roll(&d, PLAN_ARGS);
	scene c = {.plan = p, .region = r, .dice = &d, .count = r->nin};
	for (int k = 0; k < r->nin; k++)
		draw_argument(&c, t, k);
	region_fill(&c);
	const int nout = 1 + roll(&d, PLAN_OUTS);
	region_result(&c, c.count - 1);
	for (int k = 1; k < nout && r->nsteps < PLAN_STEPS; k++)
		region_result(&c, roll(&d, c.count));
	draw_mistake(&c, t);
	for (int k = 0; k < r->nout; k++)
		t->want[k] = host_whole(c.block[r->out[k]], &p->grid, &r->to[k], r->bound, 0);
	t->jit = chance(&d, 50);
	t->twice = chance(&d, 25);
}
