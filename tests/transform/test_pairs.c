/* test_pairs.c - every collective under every transformation and every pair of them that matters,
 * in checked and unchecked regions and in pmaps, over one axis, two axes, groups, the name of a
 * batch, and a batch and the mesh together: through the public API, against the oracle of recipes
 * (support/recipe.h).
 *
 * The body at the bottom is sin(C(tanh(x))) w: all its derivatives differ, by device, by element
 * of a batch and by element. Each transformation stands outside the shard_map, inside it, or one of
 * two on each side. A pmap stands for each axis of the mesh, one inside another. Interpreted, all
 * cases run; under the sanitizers every n-th one, counted from another one for each of the lines of
 * what it is over, and compiled a part (TSR_PART; make check-slow: all). TSR_SHOW=1 prints each. */
#include "prim/prim.h"
#include "support/draws.h"
#include "support/recipe_draw.h"
#include "support/quiet.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#ifdef __SANITIZE_ADDRESS__
enum { EVERY = 7 };
#else
enum { EVERY = 1 };
#endif
enum { MOST_KINDS = 5, BATCH = 4, STEPS = 2, CASES_A_CONTEXT = 100 };
enum { W, X, OUTPUT, Q, INPUTS }; /* the inputs of every region */
typedef enum mode { CHECKED_MAP, UNCHECKED_MAP, PMAPS, MODES } mode;
static const char *const mode_names[] = {"checked", "unchecked", "pmap"};

/* ---- the collectives. Dims of x: N stands for the number of members, times a digit */

enum { N = 100 };
enum subject_flags {
	FLAT = 1,     /* has no derivative */
	CAST = 2,     /* is no exchange: pcast */
	NO_BATCH = 4, /* does not go over the name of a batch */
	NO_GROUPS = 8,
	CHECKED = 16 /* says what only checked regions know */
};
typedef struct subject {
	const char *name;
	exchange e;
	int ndim, dim[3], flags;
} subject;

#define GATHER .kind = EX_ALL_GATHER
#define MOVE .kind = EX_ALL_TO_ALL
static const subject subjects[] = {
	{"psum", {.kind = EX_PSUM}, 2, {2, 3}, 0},
	{"pmean", {.kind = EX_PMEAN}, 1, {3}, 0},
	{"pmax", {.kind = EX_PMAX}, 2, {2, 2}, FLAT},
	{"pmin", {.kind = EX_PMIN}, 1, {3}, FLAT},
	{"all_gather", {GATHER, .at = 1}, 2, {2, 3}, 0},
	{"all_gather tiled", {GATHER, .at = 1, .tiled = true}, 2, {2, 3}, 0},
	{"all_gather to=invarying", {GATHER, .invarying = true}, 1, {2}, NO_GROUPS},
	{"psum_scatter", {.kind = EX_PSUM_SCATTER, .at = 1}, 2, {2, N}, 0},
	{"psum_scatter tiled", {.kind = EX_PSUM_SCATTER, .tiled = true}, 2, {2 * N, 2}, 0},
	{"all_to_all", {MOVE, .at = 0, .to = 1}, 3, {N, 2, 2}, 0},
	{"all_to_all tiled", {MOVE, .at = 1, .to = 0, .tiled = true}, 2, {2, 2 * N}, 0},
	{"pswapaxes", {.kind = EX_PSWAPAXES, .at = 1, .to = 1}, 2, {2, N}, 0},
	{"ppermute", {.kind = EX_PPERMUTE}, 2, {2, 2}, 0},
	{"pshuffle", {.kind = EX_PSHUFFLE}, 1, {3}, 0},
	{"pbroadcast", {.kind = EX_PBROADCAST}, 2, {1, 3}, 0},
	{"pbroadcast to=invarying", {.kind = EX_PBROADCAST, .invarying = true}, 1, {3}, NO_GROUPS},
	{"ragged_all_to_all", {.kind = EX_RAGGED}, 2, {6, 2}, NO_BATCH},
	{"axis_index", {.kind = EX_AXIS_INDEX}, 1, {2}, 0},
	{"pcast", {.kind = EX_PSUM}, 1, {3}, CAST | NO_BATCH | NO_GROUPS | CHECKED},
};

/* rows that no body names: where there are rules, test_collective_rules.c tries them, those of
 * exchange test_exchange_layouts.c */
static const struct unnamed {
	const char *row, *why;
} unnamed[] = {
	{"assume_equal", "unchecked maps end with it; nothing exchanges"},
	{"exchange", "partition makes it"},
	{"psort", "partition makes it, of programs that are transformed already: it has no rules"},
};

/* ---- the transformations: nests from the outside in */

#define MAP NEST_SHARD_MAP
typedef struct chain {
	const char *name;
	int n;
	nest_kind kind[MOST_KINDS];
} chain;
static const chain chains[] = {
	{"alone", 1, {MAP}},
	{"jit", 2, {NEST_JIT, MAP}},
	{"jit", 2, {MAP, NEST_JIT}},
	{"jvp", 2, {NEST_JVP, MAP}},
	{"jvp", 2, {MAP, NEST_JVP}},
	{"vjp", 2, {NEST_GRAD, MAP}},
	{"vjp", 2, {MAP, NEST_GRAD}},
	{"vmap", 2, {NEST_VMAP, MAP}},
	{"vmap", 2, {MAP, NEST_VMAP}},
	{"vmap of vjp", 3, {NEST_VMAP, NEST_GRAD, MAP}},
	{"vmap of vjp", 3, {NEST_VMAP, MAP, NEST_GRAD}},
	{"vmap of vjp", 3, {MAP, NEST_VMAP, NEST_GRAD}},
	{"vjp of vmap", 3, {NEST_GRAD, NEST_VMAP, MAP}},
	{"vjp of vmap", 3, {NEST_GRAD, MAP, NEST_VMAP}},
	{"vjp of vmap", 3, {MAP, NEST_GRAD, NEST_VMAP}},
	{"scan", 2, {NEST_SCAN, MAP}},
	{"scan", 2, {MAP, NEST_SCAN}},
	{"vjp of scan", 3, {NEST_GRAD, NEST_SCAN, MAP}},
	{"vjp of scan", 3, {MAP, NEST_GRAD, NEST_SCAN}},
	{"cond", 2, {NEST_COND, MAP}},
	{"cond", 2, {MAP, NEST_COND}},
	{"vjp of cond", 3, {NEST_GRAD, NEST_COND, MAP}},
	{"vjp of cond", 3, {MAP, NEST_GRAD, NEST_COND}},
	{"jvp of vjp", 3, {NEST_JVP, NEST_GRAD, MAP}},
	{"jvp of vjp", 3, {NEST_JVP, MAP, NEST_GRAD}},
	{"jvp of vjp", 3, {MAP, NEST_JVP, NEST_GRAD}},
	{"vmap of jvp of vjp", 4, {NEST_VMAP, MAP, NEST_JVP, NEST_GRAD}},
	{"remat", 2, {NEST_REMAT, MAP}},
	{"vjp of remat", 3, {NEST_GRAD, NEST_REMAT, MAP}},
	{"vjp of remat", 3, {NEST_GRAD, MAP, NEST_REMAT}},
	{"vjp of remat", 3, {MAP, NEST_GRAD, NEST_REMAT}},
	{"vjp of scan of remat", 4, {MAP, NEST_GRAD, NEST_SCAN, NEST_REMAT}},
	{"vmap of vjp of remat", 4, {NEST_VMAP, NEST_GRAD, MAP, NEST_REMAT}},
	{"jvp of vjp of remat", 4, {NEST_JVP, NEST_GRAD, MAP, NEST_REMAT}},
	{"jvp of custom_jvp", 3, {NEST_JVP, MAP, NEST_CUSTOM_JVP}},
	{"vjp of custom_jvp", 3, {NEST_GRAD, NEST_CUSTOM_JVP, MAP}},
	{"vjp of custom_jvp", 3, {NEST_GRAD, MAP, NEST_CUSTOM_JVP}},
	{"vmap of vjp of custom_jvp", 4, {NEST_VMAP, NEST_GRAD, MAP, NEST_CUSTOM_JVP}},
	{"vjp of vmap of custom_jvp", 4, {NEST_GRAD, MAP, NEST_VMAP, NEST_CUSTOM_JVP}},
	{"vjp of custom_vjp", 3, {NEST_GRAD, NEST_CUSTOM_VJP, MAP}},
	{"vjp of custom_vjp", 3, {NEST_GRAD, MAP, NEST_CUSTOM_VJP}},
	{"vjp of custom_vjp", 3, {MAP, NEST_GRAD, NEST_CUSTOM_VJP}},
	{"vmap of vjp of custom_vjp", 4, {NEST_VMAP, NEST_GRAD, MAP, NEST_CUSTOM_VJP}},
	{"vjp of vmap of custom_vjp", 4, {NEST_GRAD, MAP, NEST_VMAP, NEST_CUSTOM_VJP}},
	{"jvp of vjp of custom_vjp", 4, {NEST_JVP, NEST_GRAD, MAP, NEST_CUSTOM_VJP}},
	{"vjp of remat of custom_vjp", 4, {NEST_GRAD, NEST_REMAT, MAP, NEST_CUSTOM_VJP}},
};

/* ---- over what */

static const struct arrangement {
	const char *name;
	int mesh[2];
	const char *over; /* i: the batch */
	bool groups;
} arrangements[] = {
	{"one axis", {3}, "x", false},
	{"one axis of two", {2, 2}, "y", false},
	{"two axes", {2, 3}, "yx", false},
	{"groups", {4}, "x", true},
	{"a batch", {2}, "i", false},
	{"groups of a batch", {2}, "i", true},
	{"a batch and the mesh", {2}, "ix", false},
};

/* ---- making a recipe */

typedef struct builder {
	recipe *r;
	const subject *of;
	chain chain;
	exchange e;
	bool unchecked; /* pmaps are */
	int batch; /* number of its axis, -1: none */
	uint64_t dice;
	recipe_limits limits;
} builder;

static site site_at(builder *b, int number)
{
	return (site){
		.r = b->r, .g = &b->r->region[number], .dice = &b->dice, .limits = &b->limits};
}

static bool has(const chain *c, nest_kind kind)
{
	for (int k = 0; k < c->n; k++)
		if (c->kind[k] == kind) return true;
	return false;
}

/* with a pmap for each axis of the mesh in the place of the shard_map */
static chain with_pmaps(const chain *c, int axes)
{
	chain to = {.name = c->name};

	for (int k = 0; k < c->n; k++)
		for (int i = 0; i < (c->kind[k] == MAP ? axes : 1); i++)
			to.kind[to.n++] = c->kind[k] == MAP ? NEST_PMAP : c->kind[k];
	return to;
}

/* the axis of the pmap that is number k of the chain */
static int pmap_axis(const builder *b, int k)
{
	int axis = 0;

	while (--k >= 0) axis += b->chain.kind[k] == NEST_PMAP;
	return axis;
}

static int axis_called(const recipe *r, char name)
{
	for (int k = 0; k < r->naxes; k++)
		if (r->axis[k].name == name) return k;
	return -1;
}

/* members of a group: two of them where there are groups; of four, in an order of their own */
static void set_exchange(builder *b, const struct arrangement *a)
{
	static const int order[] = {2, 0, 1, 3}, three[] = {1, 2, 0};
	exchange *e = &b->e;

	*e = b->of->e;
	for (const char *c = a->over; *c; c++) e->over.at[e->over.n++] = axis_called(b->r, *c);
	if (a->groups) { /* 4 members: pairs; a batch of 3: each by itself */
		const int all = members_of(b->r, e);
		e->ngroups = all == 4 ? 2 : all;
		for (int g = 0; g < e->ngroups; g++) e->group_size[g] = all / e->ngroups;
		memcpy(e->member, all == 4 ? order : three, (size_t)all * sizeof *order);
	}
	const int n = members_of(b->r, e);
	e->nsource = e->kind == EX_PBROADCAST ? 1 : n;
	for (int i = 0; i < n; i++) e->source[i] = (i + 1) % n;
	if (e->kind == EX_PPERMUTE && n > 2) e->source[0] = -1;
	if (e->kind != EX_PPERMUTE && e->kind != EX_PSHUFFLE && e->kind != EX_PBROADCAST)
		e->nsource = 0;
	for (int i = 0; e->kind == EX_RAGGED && i < n * n; i++)
		e->rows[i] = (i / n + i % n * 2) % 3 ? 0 : 1 + i % n % 2;
}

static void fill_dims(const builder *b, form *x)
{
	const int n = members_of(b->r, &b->e);

	*x = (form){.ndim = b->of->ndim};
	for (int d = 0; d < x->ndim; d++)
		x->dim[d] = b->of->dim[d] < N ? b->of->dim[d] : b->of->dim[d] / N * n;
}

/* the inputs as the body at the bottom sees them, without what they vary over */
static void innermost(const builder *b, form in[INPUTS])
{
	fill_dims(b, &in[X]);
	in[OUTPUT] = (form){.ndim = 2, .dim = {7, 2}};
	in[Q] = (form){.ndim = 0};
	in[W] = in[X];
	if (!(b->of->flags & CAST)) exchange_form(b->r, &b->e, b->unchecked, &in[OUTPUT], &in[W]);
	if (!in[W].ndim) insert_dim(&in[W], 0, 1);
	for (int k = 0; k < INPUTS; k++) in[k].varying = 0;
}

/* the same as nest k of the chain sees them from outside */
static void around(const builder *b, int at, form in[INPUTS])
{
	const nest_kind kind = b->chain.kind[at];
	int devices = 1;

	for (int k = 0; k < b->r->nmesh; k++) devices *= b->r->axis[k].size;
	for (int k = 0; k < INPUTS; k++) {
		if (k == Q) continue;
		if (kind == MAP) in[k].dim[0] *= devices;
		if (kind == NEST_PMAP) insert_dim(&in[k], 0, b->r->axis[pmap_axis(b, at)].size);
		if (kind == NEST_VMAP && k != OUTPUT) insert_dim(&in[k], in[k].ndim > 1, BATCH);
	}
	if (kind == NEST_SCAN) insert_dim(&in[X], 0, STEPS);
}

/* sin(C(tanh(x))) w */
static int core(builder *b, site *s)
{
	step t = {.op = OP_EXCHANGE,
	          .in = {add_unary(s, OP_TANH, X), OUTPUT},
	          .nin = 1,
	          .ex = b->e,
	          .axis = -1};
	form c = s->g->value[t.in[0]];
	int y;

	if (b->of->flags & CAST) { /* what is the same for all is cast back */
		const uint32_t over = axis_bits(&b->e.over);
		y = add_cast(s, add_psum(s, t.in[0], over), over);
	} else {
		if (b->e.kind == EX_RAGGED) t.nin = 2;
		assert_true(exchange_form(b->r, &b->e, b->unchecked, &s->g->value[OUTPUT], &c));
		y = step_add(s, &t, &c, 1);
	}
	if (!s->g->value[y].ndim) y = add_expanded(s, y);
	y = add_unary(s, OP_SIN, y);
	step mul = {.op = OP_MUL, .in = {y, W}, .nin = 2, .axis = -1};
	form product = s->g->value[W];
	product.varying |= s->g->value[y].varying;
	y = step_add(s, &mul, &product, 1);
	return b->e.kind == EX_AXIS_INDEX ? add_sum(s, y, t.in[0]) : y;
}

/* ---- regions and nests: each has the inputs w, x, output, q, in this order */

/* the forms that the region of a nest sees, and the axes in its scope */
static void enter(const builder *b, const nest *n, const form *value, region *g)
{
	const uint32_t mesh = mesh_bits(b->r);

	for (int k = 0; k < INPUTS; k++) {
		form *f = &g->value[k];
		*f = value[k];
		if (n->kind == NEST_VMAP && n->in_at[k] != RECIPE_UNMAPPED) {
			drop_dim(f, n->in_at[k]);
			f->varying |= 1u << b->batch;
		}
		if (n->kind == NEST_PMAP && k != Q) {
			drop_dim(f, 0);
			f->varying |= 1u << n->axis;
		}
		if (n->kind == NEST_SCAN && k == W) f->varying |= axis_bits(&g->bound) & ~mesh;
		if (n->kind != MAP || k == Q) continue;
		for (int i = 0; i < b->r->nmesh; i++) f->dim[0] /= b->r->axis[i].size;
		f->varying |= mesh;
	}
	if (n->kind == NEST_SCAN) drop_dim(&g->value[X], 0);
	if (n->kind == NEST_VMAP || n->kind == NEST_PMAP) g->bound.at[g->bound.n++] = n->axis;
	if (n->kind == NEST_PMAP) g->unchecked = true;
	if (n->kind != MAP) return;
	for (int i = 0; i < b->r->nmesh; i++) g->bound.at[g->bound.n++] = i;
	g->unchecked = b->unchecked;
}

static int add_region(const builder *b, const site *s, const nest *n)
{
	region *g = &b->r->region[b->r->nregions];

	*g = (region){.nin = INPUTS,
	              .nvalues = INPUTS,
	              .bound = s->g->bound,
	              .unchecked = s->g->unchecked};
	enter(b, n, s->g->value, g);
	return b->r->nregions++;
}

/* w and x are split, mapped, carried, stepped through or differentiated by; the others are the same
 * for all where they can be */
static void pass_inputs(const builder *b, const site *s, nest *n)
{
	const bool devices = n->kind == MAP || n->kind == NEST_PMAP;
	const bool rules = has_rules(n->kind);

	n->nargs = INPUTS;
	for (int k = 0; k < INPUTS; k++) {
		const bool moves = k == W || k == X;
		n->arg[k] = k;
		n->as[k] = k == Q && !devices && !rules          ? AS_CAPTURE
		           : k == OUTPUT && n->kind == NEST_SCAN ? AS_LIFTED
		                                                 : AS_ARGUMENT;
		n->in_at[k] = moves ? s->g->value[k].ndim > 2 : RECIPE_UNMAPPED;
		if (n->kind == NEST_PMAP) n->in_at[k] = k == Q ? RECIPE_UNMAPPED : 0;
		if (n->kind == MAP && k != Q) n->in[k] = (split){1, {n->manual}};
	}
	if (n->kind != NEST_PMAP) n->axis = b->batch;
	n->unchecked = b->unchecked;
	n->nwrt = 1;
	n->wrt[0] = X;
	n->ncarry = n->unroll = 1;
	n->length = STEPS;
	n->pred = Q;
	n->k = 0.1;
	n->to[0] = (split){1, {n->manual}};
}

/* the result of a nest, from that of its region */
static form leave(const builder *b, const site *s, const nest *n, const form *inner)
{
	const uint32_t mesh = mesh_bits(b->r), bound = axis_bits(&s->g->bound);
	form y = n->kind == NEST_GRAD ? s->g->value[X] : *inner;

	switch (n->kind) {
	case NEST_GRAD: y.varying |= s->g->unchecked ? bound : bound & ~mesh; break;
	case NEST_VMAP:
		insert_dim(&y, 0, BATCH);
		y.varying &= ~(1u << b->batch);
		break;
	case NEST_PMAP:
		insert_dim(&y, 0, b->r->axis[n->axis].size);
		y.varying &= ~(1u << n->axis);
		break;
	case MAP:
		for (int i = 0; i < b->r->nmesh; i++) y.dim[0] *= b->r->axis[i].size;
		y.varying &= ~mesh;
		break;
	default: break;
	}
	return y;
}

static void fill(builder *, int number, int k, bool scalar);

/* nest k of the chain */
static int add_nest(builder *b, site *s, int k)
{
	step t = {.op = OP_NEST, .axis = -1};
	nest *n = &t.nest;
	form made[2];

	n->kind = b->chain.kind[k];
	if (n->kind == NEST_PMAP) n->axis = pmap_axis(b, k);
	n->manual = listed(mesh_bits(b->r));
	if (n->kind == NEST_JVP) n->tangent[0] = add_unary(s, OP_COS, X);
	pass_inputs(b, s, n);
	n->region[0] = add_region(b, s, n);
	fill(b, n->region[0], k + 1, n->kind == NEST_GRAD);
	if (n->kind == NEST_COND) {
		site other = site_at(b, n->region[1] = add_region(b, s, n));
		other.g->out[0] = add_unary(&other, OP_AFFINE, W);
		other.g->nout = 1;
	}
	const region *inner = &b->r->region[n->region[0]];
	made[0] = made[1] = leave(b, s, n, &inner->value[inner->out[0]]);
	const int y = step_add(s, &t, made, 1 + (n->kind == NEST_JVP));
	return n->kind == NEST_JVP ? add_sum(s, y, y + 1) : y;
}

/* the region of what is left of the chain from nest k on */
static void fill(builder *b, int number, int k, bool scalar)
{
	site s = site_at(b, number);
	const int y = k == b->chain.n ? core(b, &s) : add_nest(b, &s, k);

	s.g->out[0] = scalar ? add_reduction(&s, OP_SUM, y) : y;
	s.g->nout = 1;
	assert_true(s.g->out[0] >= 0);
}

/* false: there is no such case */
static bool make(builder *b, const struct arrangement *a, const subject *of, const chain *c,
                 mode how)
{
	recipe *r = b->r;
	region *g = &r->region[0];
	const bool batch = strchr(a->over, 'i') != NULL;

	if ((batch && (of->flags & NO_BATCH || !has(c, NEST_VMAP))) ||
	    (a->groups && of->flags & NO_GROUPS) || (how != CHECKED_MAP && of->flags & CHECKED))
		return false;
	memset(r, 0, sizeof *r);
	b->of = of;
	b->unchecked = how != CHECKED_MAP;
	r->dtype = TSR_F64;
	recipe_axes(r, a->mesh, 2, (const int[]){BATCH}, has(c, NEST_VMAP));
	b->chain = how == PMAPS ? with_pmaps(c, r->nmesh) : *c;
	b->batch = r->naxes > r->nmesh ? r->nmesh : -1;
	set_exchange(b, a);
	r->nregions = 1;
	r->jit = (of - subjects + (c - chains)) % 2;
	g->nin = g->nvalues = INPUTS;
	innermost(b, g->value);
	for (int k = b->chain.n - 1; k >= 0; k--) around(b, k, g->value);
	fill(b, 0, 0, false);
	return true;
}

/* ---- running it */

static bool matches(tsr_ctx *ctx, const recipe_deal *d, char *why, size_t size)
{
	TSR_SCOPE(ctx);
	tsr *in[RECIPE_INS], *out[RECIPE_OUTS];

	recipe_inputs(ctx, d, TSR_F64, in);
	recipe_run(ctx, &d->r, TSR_F64, in, out);
	if (!tsr_status(ctx) && recipe_matches(d, 0, out[0], why, size)) return true;
	if (tsr_status(ctx)) snprintf(why, size, "%s", tsr_message(ctx));
	tsr_clear(ctx);
	return false;
}

/* Is it differentiated where it stands? Over a batch alone, a vmap makes it another operation */
static bool derived(const builder *b)
{
	const bool batch = !(axis_bits(&b->e.over) & mesh_bits(b->r));

	for (int k = 0, inside = 0; k < b->chain.n; k++) {
		if (has_rules(b->chain.kind[k])) return true; /* by its rules */
		if (b->chain.kind[k] == NEST_VMAP) inside = 1;
		if (derives(b->chain.kind[k]) && (inside || !batch)) return true;
	}
	return false;
}

/* what has no derivative says so */
static bool refused(tsr_ctx *ctx, const recipe_deal *d, const subject *of, char *why, size_t size)
{
	char fact[80];

	if (matches(ctx, d, why, size)) {
		snprintf(why, size, "has a derivative");
		return false;
	}
	snprintf(fact, sizeof fact, "Differentiation rule for '%s' not implemented", of->name);
	return strstr(why, fact) != NULL;
}

static bool holds(tsr_ctx *ctx, recipe_deal *d, const builder *b, char *why, size_t size)
{
	double *in[RECIPE_INS], *out[RECIPE_OUTS] = {d->want[0]};
	const region *g = &d->r.region[0];
	uint64_t dice = 7;

	for (int k = 0; k < g->nin; k++) {
		assert_in_range(form_size(&g->value[k]), 1, RECIPE_SIZE);
		in[k] = d->in[k];
		for (int i = 0; i < form_size(&g->value[k]); i++)
			d->in[k][i] = 1.5 * recipe_number(&dice);
	}
	d->in[Q][0] = 1;
	const verdict v = recipe_evaluate(&d->r, 0, in, out);
	d->largest = v.largest;
	if (!v.fit) {
		snprintf(why, size, "the oracle's numbers are not fit");
		return false;
	}
	if ((b->of->flags & FLAT) && derived(b)) return refused(ctx, d, b->of, why, size);
	return matches(ctx, d, why, size);
}

static void tell(const builder *b, const struct arrangement *a, mode how, const char *why)
{
	printf("%s of %s over %s, %s:", b->chain.name, b->of->name, a->name, mode_names[how]);
	for (int k = 0; k < b->chain.n; k++) printf(" %s", nest_name(b->chain.kind[k]));
	printf(": %s\n", why);
}

static void test_arrangement(void **state)
{
	static recipe_deal d;
	const struct arrangement *a = *state;
	const size_t nsubjects = sizeof subjects / sizeof *subjects;
	const size_t nchains = sizeof chains / sizeof *chains;
	builder b = {.r = &d.r, .dice = 1};
	const size_t first = (size_t)(a - arrangements);
	tsr_ctx *ctx = NULL;
	int cases = 0, failures = 0;

	for (size_t i = 0; i < nsubjects * nchains * MODES; i++) {
		static char why[4096];
		const size_t of = i / MODES;
		const mode how = (mode)(i % MODES);
		if ((i + first) % EVERY ||
		    !make(&b, a, &subjects[of / nchains], &chains[of % nchains], how) ||
		    is_left_out())
			continue;
		if (cases++ % CASES_A_CONTEXT == 0) {
			assert_int_equal(tsr_close(ctx), 0);
			ctx = tsr_open(.devices = 8, .log = log_nothing);
		}
		if (getenv("TSR_SHOW")) recipe_print(&d.r, stdout);
		if (holds(ctx, &d, &b, why, sizeof why)) continue;
		failures++;
		tell(&b, a, how, why);
	}
	assert_int_equal(tsr_close(ctx), 0);
	printf("%s: %d cases\n", a->name, cases);
	if (failures) fail_msg("%d of %d cases failed", failures, cases);
}

/* ---- is every row a subject? */

static bool is_subject(const tsr_prim *row)
{
	const size_t length = strlen(row->name);

	for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++)
		if (strcspn(subjects[i].name, " ") == length &&
		    strncmp(subjects[i].name, row->name, length) == 0)
			return true;
	for (size_t i = 0; i < sizeof unnamed / sizeof *unnamed; i++)
		if (strcmp(unnamed[i].row, row->name) == 0) return *unnamed[i].why;
	return false;
}

static void every_row_is_a_subject(void **state)
{
	(void)state;
	for (int k = 0; k < all_prims_count; k++)
		if (all_prims[k]->flags & PRIM_COLLECTIVE && !is_subject(all_prims[k]))
			fail_msg("%s is no subject", all_prims[k]->name);
}

int main(void)
{
	enum { COUNT = sizeof arrangements / sizeof *arrangements };
	struct CMUnitTest tests[COUNT + 1] = {
		[COUNT] = cmocka_unit_test(every_row_is_a_subject)};

	for (int k = 0; k < COUNT; k++)
		tests[k] = (struct CMUnitTest){arrangements[k].name, test_arrangement, NULL, NULL,
		                               (void *)(uintptr_t)&arrangements[k]};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
