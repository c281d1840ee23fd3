/* recipe_oracle.c - the oracle of recipes: regions and nests, for all points at once. */
#include "support/recipe_cells.h"
#include <math.h>
#include <string.h>

enum { WORK_MOST = 12000000 };
/* Of coefficients: the error of others would be large. Whole numbers up to 2^17 have exact sums of
 * 128 terms in f32, in any order */
static const double LARGEST = 1e4, LARGEST_WHOLE = 0x1p17;

static void region_run(oracle *, const world *, int region, const cells *in, cells *out);

static const region *region_of(const oracle *o, int k) { return &o->r->region[k]; }
static const form *result_form(const oracle *o, int number, int k)
{
	return &region_of(o, number)->value[region_of(o, number)->out[k]];
}

/* one nest in a region: its place, the inputs of its body, and the values of the region */
typedef struct nesting {
	oracle *o;
	const world *w;
	const nest *n;
	const form *value; /* of the region around */
	const cells *have; /* all values of the region around */
	const form *to;    /* of the results */
	cells *out;
	int nout, levels;
} nesting;

static const cells *arg_of(const nesting *g, int k) { return &g->have[g->n->arg[k]]; }
static const form *inner_form(const nesting *g, int k)
{
	return &region_of(g->o, g->n->region[0])->value[k];
}

static void copy_results(const nesting *g, const cells *from)
{
	for (int k = 0; k < g->nout; k++) cells_copy(&g->out[k], &from[k]);
}

static void run_jit(const nesting *g)
{
	cells in[RECIPE_INS], out[RECIPE_OUTS];

	for (int k = 0; k < g->n->nargs; k++) in[k] = *arg_of(g, k);
	region_run(g->o, g->w, g->n->region[0], in, out);
	copy_results(g, out);
}

/* ---- vmap and pmap: the place in the batch, or the device, is one more place of a point, the last
 * one */

/* the element of a whole value that is element i of its part `place` along dim at */
static int whole_element(const form *part, const form *whole, int at, int i, int place)
{
	int index[RECIPE_NDIM], own[RECIPE_NDIM];

	form_index(part, i, index);
	for (int d = 0; d < whole->ndim; d++) own[d] = d == at ? place : index[d - (d > at)];
	return form_place(whole, own);
}

static void run_vmap(const nesting *g)
{
	const nest *n = g->n;
	const axis_list more = {1, {n->axis}};
	const world inner = world_enter(g->o, g->w, &more);
	const int size = g->o->r->axis[n->axis].size;
	cells in[RECIPE_INS], out[RECIPE_OUTS];

	for (int k = 0; k < n->nargs; k++) {
		const form *part = inner_form(g, k), *whole = &g->value[n->arg[k]];
		in[k] = cells_make(g->o, &inner, part, g->levels);
		for (int p = 0; p < inner.count; p++)
			for (int i = 0; i < in[k].size; i++) {
				const int from = n->in_at[k] == RECIPE_UNMAPPED
				                         ? i
				                         : whole_element(part, whole, n->in_at[k],
				                                         i, p % size);
				memcpy(cell(&in[k], p, i), cell(arg_of(g, k), p / size, from),
				       sizeof(double) << g->levels);
			}
	}
	region_run(g->o, &inner, n->region[0], in, out);
	for (int k = 0; k < g->nout; k++)
		for (int p = 0; p < inner.count; p++)
			for (int i = 0; i < out[k].size; i++) {
				const form *part = result_form(g->o, n->region[0], k);
				const int at = n->out_at[k];
				if (at == RECIPE_UNMAPPED && p % size) continue;
				const int to =
					at == RECIPE_UNMAPPED
						? i
						: whole_element(part, &g->to[k], at, i, p % size);
				memcpy(cell(&g->out[k], p / size, to), cell(&out[k], p, i),
				       sizeof(double) << g->levels);
			}
}

/* ---- shard_map: the device is the last place of a point */

/* the element of a whole value that is element i of the block of this point */
static int block_element(const nesting *g, const world *inner, const split *cut, const form *block,
                         const form *whole, int point, int i)
{
	int index[RECIPE_NDIM];

	form_index(block, i, index);
	for (int d = 0; d < cut->n; d++)
		index[d] += world_index(g->o, inner, point, &cut->dim[d]) * block->dim[d];
	return form_place(whole, index);
}

/* is the point the first one along the axes that the split leaves out? */
static bool is_first(const nesting *g, const world *inner, const split *cut, int point)
{
	for (int i = 0; i < g->n->manual.n; i++) {
		const int axis = g->n->manual.at[i];
		if (!(split_bits(cut) >> axis & 1) && world_place(g->o, inner, point, axis))
			return false;
	}
	return true;
}

static void run_shard_map(const nesting *g)
{
	const nest *n = g->n;
	const world inner = world_enter(g->o, g->w, &n->manual);
	const int devices = inner.count / g->w->count;
	const size_t bytes = sizeof(double) << g->levels;
	cells in[RECIPE_INS], out[RECIPE_OUTS];

	for (int k = 0; k < n->nargs; k++) {
		const form *block = inner_form(g, k), *whole = &g->value[n->arg[k]];
		in[k] = cells_make(g->o, &inner, block, g->levels);
		for (int p = 0; p < inner.count; p++)
			for (int i = 0; i < in[k].size; i++)
				memcpy(cell(&in[k], p, i),
				       cell(arg_of(g, k), p / devices,
				            block_element(g, &inner, &n->in[k], block, whole, p,
				                          i)),
				       bytes);
	}
	region_run(g->o, &inner, n->region[0], in, out);
	for (int k = 0; k < g->nout; k++) {
		const form *block = result_form(g->o, n->region[0], k);
		for (int p = 0; p < inner.count; p++)
			for (int i = 0; is_first(g, &inner, &n->to[k], p) && i < out[k].size; i++)
				memcpy(cell(&g->out[k], p / devices,
				            block_element(g, &inner, &n->to[k], block, &g->to[k], p,
				                          i)),
				       cell(&out[k], p, i), bytes);
	}
}

/* ---- derivatives: inputs get one level more, whose coefficients are the upper half of a number */

static cells lifted(const nesting *g, const form *f, const cells *x)
{
	const cells y = cells_make(g->o, g->w, f, g->levels + 1);

	for (int p = 0; p < x->count; p++)
		for (int i = 0; i < x->size; i++)
			memcpy(cell(&y, p, i), cell(x, p, i), sizeof(double) << g->levels);
	return y;
}

static double *upper(const cells *x, int point, int element)
{
	return cell(x, point, element) + (1 << (x->levels - 1));
}

/* the lower or the upper half of all numbers */
static void take_half(const cells *to, const cells *from, bool up)
{
	for (int p = 0; p < to->count; p++)
		for (int i = 0; i < to->size; i++)
			memcpy(cell(to, p, i), up ? upper(from, p, i) : cell(from, p, i),
			       sizeof(double) << to->levels);
}

static void run_jvp(const nesting *g)
{
	const nest *n = g->n;
	cells in[RECIPE_INS], out[RECIPE_OUTS];
	const int half = g->nout / 2;

	for (int k = 0; k < n->nargs; k++) in[k] = lifted(g, inner_form(g, k), arg_of(g, k));
	for (int t = 0; t < n->nwrt; t++) {
		const cells *dx = &g->have[n->tangent[t]];
		for (int p = 0; p < dx->count; p++)
			for (int i = 0; i < dx->size; i++)
				memcpy(upper(&in[n->wrt[t]], p, i), cell(dx, p, i),
				       sizeof(double) << g->levels);
	}
	region_run(g->o, g->w, n->region[0], in, out);
	for (int k = 0; k < half; k++) {
		take_half(&g->out[k], &out[k], false);
		take_half(&g->out[half + k], &out[k], true);
	}
}

/* Axes along which points hold a value of their own: those of batches, and those of the mesh along
 * which its type says that it varies. */
static uint32_t own_axes(const nesting *g, const form *f)
{
	const region *inner = region_of(g->o, g->n->region[0]);
	uint32_t own = f->varying;

	for (int i = 0; i < g->w->axes.n; i++) {
		const int axis = g->w->axes.at[i];
		if (inner->unchecked || !g->o->r->axis[axis].mesh) own |= 1u << axis;
	}
	return own;
}

/* the first of the points that must hold the same value */
static int first_point(const nesting *g, uint32_t own, int point)
{
	for (int i = 0; i < g->w->axes.n; i++)
		if (!(own >> g->w->axes.at[i] & 1))
			point = world_move(g->o, g->w, point, g->w->axes.at[i], 0);
	return point;
}

/* the derivative of the sum of all losses by element i of input k of the points like this one */
static void gradient_at(const nesting *g, const cells *in, int k, int point, int i, double *sum)
{
	const form *x = inner_form(g, k), *loss = result_form(g->o, g->n->region[0], 0);
	const uint32_t own = own_axes(g, x), own_loss = own_axes(g, loss);
	cells out[RECIPE_OUTS];
	const size_t used = g->o->used;

	for (int p = 0; p < in[k].count; p++)
		if (first_point(g, own, p) == point) upper(&in[k], p, i)[0] = 1;
	region_run(g->o, g->w, g->n->region[0], in, out);
	for (int p = 0; p < in[k].count; p++)
		if (first_point(g, own_loss, p) == p)
			dual_add(g->levels, sum, upper(&out[0], p, 0), sum);
	for (int p = 0; p < in[k].count; p++)
		if (first_point(g, own, p) == point) upper(&in[k], p, i)[0] = 0;
	g->o->used = used;
}

static void run_grad(const nesting *g)
{
	const nest *n = g->n;
	const bool value = n->kind == NEST_VALUE_AND_GRAD;
	cells in[RECIPE_INS], out[RECIPE_OUTS];
	int at = 0;

	for (int k = 0; k < n->nargs; k++) in[k] = lifted(g, inner_form(g, k), arg_of(g, k));
	region_run(g->o, g->w, n->region[0], in, out);
	const int naux = g->nout - n->nwrt - value;
	if (value) take_half(&g->out[at++], &out[0], false);
	for (int a = 0; value && a < naux; a++) take_half(&g->out[at++], &out[1 + a], false);
	for (int t = 0; t < n->nwrt; t++, at++) {
		const int k = n->wrt[t];
		const uint32_t own = own_axes(g, inner_form(g, k));
		for (int p = 0; p < in[k].count && g->o->fit; p++)
			for (int i = 0; i < in[k].size && g->o->fit; i++) {
				const int first = first_point(g, own, p);
				if (first == p)
					gradient_at(g, in, k, p, i, cell(&g->out[at], p, i));
				else
					memcpy(cell(&g->out[at], p, i), cell(&g->out[at], first, i),
					       sizeof(double) << g->levels);
			}
	}
	for (int a = 0; !value && a < naux; a++) take_half(&g->out[at++], &out[1 + a], false);
}

/* ---- control flow */

/* element `at` along dim 0 of x into y, or y into it */
static void slice_copy(const cells *x, const cells *y, int at, bool into)
{
	for (int p = 0; p < y->count; p++) {
		double *part = cell(x, p, at * y->size), *whole = cell(y, p, 0);
		memcpy(into ? part : whole, into ? whole : part,
		       ((size_t)y->size << y->levels) * sizeof(double));
	}
}

static void run_scan(const nesting *g)
{
	const nest *n = g->n;
	cells in[RECIPE_INS], out[RECIPE_OUTS], next[RECIPE_INS];
	const size_t before = g->o->used;

	for (int k = 0; k < n->nargs; k++) {
		in[k] = cells_make(g->o, g->w, inner_form(g, k), g->levels);
		if (k < n->ncarry) next[k] = cells_make(g->o, g->w, inner_form(g, k), g->levels);
		if (k < n->ncarry || n->as[k] != AS_ARGUMENT) cells_copy(&in[k], arg_of(g, k));
	}
	const size_t used = g->o->used;
	for (int i = 0; i < n->length && g->o->fit; i++) {
		const int at = n->reverse ? n->length - 1 - i : i;
		for (int k = n->ncarry; k < n->nargs; k++)
			if (n->as[k] == AS_ARGUMENT) slice_copy(arg_of(g, k), &in[k], at, false);
		region_run(g->o, g->w, n->region[0], in, out);
		for (int k = n->ncarry; k < g->nout; k++) slice_copy(&g->out[k], &out[k], at, true);
		for (int k = 0; k < n->ncarry; k++) cells_copy(&next[k], &out[k]);
		for (int k = 0; k < n->ncarry; k++) cells_copy(&in[k], &next[k]);
		g->o->used = used;
	}
	for (int k = 0; k < n->ncarry; k++) cells_copy(&g->out[k], &in[k]);
	g->o->used = before;
}

/* both branches for all points; each keeps the one that its own predicate says */
static void run_cond(const nesting *g)
{
	const nest *n = g->n;
	const cells *pred = &g->have[n->pred];
	cells in[RECIPE_INS], yes[RECIPE_OUTS], no[RECIPE_OUTS];

	for (int k = 0; k < n->nargs; k++) in[k] = *arg_of(g, k);
	region_run(g->o, g->w, n->region[0], in, yes);
	region_run(g->o, g->w, n->region[1], in, no);
	for (int p = 0; p < g->w->count; p++) {
		double sum = 0;
		for (int i = 0; i < pred->size; i++) sum += cell(pred, p, i)[0];
		oracle_margin(g->o, sum - n->k);
		const cells *chosen = sum > n->k ? yes : no;
		for (int k = 0; k < g->nout; k++)
			memcpy(cell(&g->out[k], p, 0), cell(&chosen[k], p, 0),
			       ((size_t)g->out[k].size << g->levels) * sizeof(double));
	}
}

/* ---- regions */

static void watch(oracle *o, const cells *x)
{
	const size_t n = (size_t)x->count * (size_t)x->size << x->levels;

	for (size_t i = 0; i < n; i++) {
		if (o->noise > 0) x->v[i] *= 1 + o->noise * recipe_number(&o->dice);
		const double a = fabs(x->v[i]);
		if (!(a <= o->limit)) o->fit = false;
		if (a > o->largest) o->largest = a;
	}
	if ((o->work += (int64_t)n) > WORK_MOST) o->fit = false;
}

static void nest_run(const nesting *g)
{
	switch (g->n->kind) {
	case NEST_PMAP:
	case NEST_VMAP: run_vmap(g); break;
	case NEST_GRAD:
	case NEST_VALUE_AND_GRAD: run_grad(g); break;
	case NEST_JVP: run_jvp(g); break;
	case NEST_SCAN: run_scan(g); break;
	case NEST_COND: run_cond(g); break;
	case NEST_SHARD_MAP: run_shard_map(g); break;
	default: run_jit(g); break;
	}
}

static void step_run(oracle *o, const world *w, const region *r, const step *s, cells *value)
{
	const int levels = r->nin ? value[0].levels : 0;

	for (int k = 0; k < s->nout; k++)
		value[s->first + k] = cells_make(o, w, &r->value[s->first + k], levels);
	const cells *out = &value[s->first];
	if (!o->fit) return;
	if (s->op == OP_NEST) {
		const nesting g = {o,
		                   w,
		                   &s->nest,
		                   r->value,
		                   value,
		                   &r->value[s->first],
		                   &value[s->first],
		                   s->nout,
		                   levels};
		nest_run(&g);
	} else if (s->op == OP_EXCHANGE)
		oracle_exchange(o, w, s, r->value, value, out);
	else if (s->op >= OP_KEY && s->op <= OP_NORMAL)
		oracle_random(o, w, s, r->value, value, out);
	else
		oracle_local(o, w, s, r->value, value, out);
	for (int k = 0; k < s->nout; k++)
		if (!r->value[s->first + k].key) watch(o, &out[k]);
}

static void region_run(oracle *o, const world *w, int region_number, const cells *in, cells *out)
{
	const region *r = region_of(o, region_number);
	cells value[RECIPE_VALUES];

	for (int k = 0; k < r->nin; k++) value[k] = in[k];
	for (int k = 0; k < r->nsteps; k++) step_run(o, w, r, &r->step[k], value);
	for (int k = 0; k < r->nout; k++) out[k] = value[r->out[k]];
}

static oracle evaluate(const recipe *r, double noise, double *const *in, cells *out)
{
	oracle o = {.r = r, .fit = true, .margin = 1, .largest = 1, .noise = noise};
	o.limit = r->whole ? LARGEST_WHOLE : LARGEST;
	const world w = {.count = 1};
	const region *top = &r->region[0];
	cells x[RECIPE_INS];

	for (int k = 0; k < top->nin; k++) {
		x[k] = cells_make(&o, &w, &top->value[k], 0);
		memcpy(x[k].v, in[k], (size_t)x[k].size * sizeof *x[k].v);
	}
	region_run(&o, &w, 0, x, out);
	return o;
}

verdict recipe_evaluate(const recipe *r, double noise, double *const *in, double *const *out)
{
	const region *top = &r->region[0];
	cells y[RECIPE_OUTS];
	const oracle o = evaluate(r, noise, in, y);

	for (int k = 0; k < top->nout && o.fit; k++)
		memcpy(out[k], y[k].v, (size_t)y[k].size * sizeof *y[k].v);
	return (verdict){o.fit, o.largest, o.margin};
}
