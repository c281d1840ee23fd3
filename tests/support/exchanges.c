/* exchanges.c - makes a recipe of each exchange: the operand has a dim for each axis of the batch,
 * and behind these three dims of one device's part, the first of them split over the mesh.
 *
 * An all_gather over a mesh x=2 and the batch i=3, of [3,12,6,12]: region 0 is a shard_map that
 * splits dim 1, region 1 a vmap of dim 0, and region 2 the body: an all_gather of [6,6,12]. */
#include "support/exchanges.h"
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>
#include "support/recipe_draw.h"
#include "support/quiet.h"

enum { IN_MOST = 8 * 8 * 16 * 8, OUT_MOST = 8 * IN_MOST, BLOCK = 3 };

static int until_zero(const int *v)
{
	int n = 0;

	while (v[n]) n++;
	return n;
}

exchanges exchanges_open(const int *mesh, const int *batch, void (*each)(exchanges *))
{
	exchanges x = {.ctx = tsr_open(.devices = RECIPE_DEVICES, .log = log_nothing),
	               .each = each};

	recipe_axes(&x.r, mesh, until_zero(mesh), batch, until_zero(batch));
	return x;
}

int exchanges_close(exchanges *x)
{
	assert_int_equal(tsr_close(x->ctx), 0);
	return x->count;
}

/* ---- the recipe */

static void add_return(region *g, int value)
{
	g->out[0] = value;
	g->nout = 1;
}

static void fill_body(exchanges *x, site *s)
{
	step t = {.op = OP_EXCHANGE, .nin = 1, .ex = x->e, .axis = -1};
	form to = *form_of(s, 0);

	assert_true(exchange_form(&x->r, &x->e, false, NULL, &to));
	const int v = step_add(s, &t, &to, 1);
	s->g->step[0].negative = x->negative;
	add_return(s->g, x->e.kind == EX_AXIS_INDEX ? add_expanded(s, v) : v);
}

static int devices_of(const recipe *r)
{
	int n = 1;

	for (int k = 0; k < r->nmesh; k++) n *= r->axis[k].size;
	return n;
}

static void fill_region(exchanges *x, site *s, int batches);

/* a nest of the argument with its region inside, over one axis of the batch, or over the mesh */
static void fill_nest(exchanges *x, site *s, nest_kind kind, int batches)
{
	const int nbatch = x->r.naxes - x->r.nmesh, devices = devices_of(&x->r);
	step t = {.op = OP_NEST, .axis = -1};
	nest *n = &t.nest;

	n->kind = kind;
	n->nargs = 1;
	n->axis = x->r.nmesh + batches;
	n->region[0] = region_new(s, n);
	site inner = site_of(s, n->region[0]);
	form *f = &inner.g->value[0];
	const bool maps = kind == NEST_VMAP;
	const axis_list over = maps ? (axis_list){1, {n->axis}} : listed(mesh_bits(&x->r));
	if (!maps) n->manual = n->in[0].dim[nbatch] = n->to[0].dim[nbatch] = over;
	n->in[0].n = n->to[0].n = nbatch + 1;
	if (maps)
		drop_dim(f, 0);
	else
		f->dim[nbatch] /= devices;
	for (int k = 0; k < over.n; k++) inner.g->bound.at[inner.g->bound.n++] = over.at[k];
	f->varying |= axis_bits(&over);
	fill_region(x, &inner, batches + maps);
	form made = *result_form(&inner, 0);
	made.varying &= ~axis_bits(&over);
	if (maps)
		insert_dim(&made, 0, x->r.axis[n->axis].size);
	else
		made.dim[nbatch] *= devices;
	add_return(s->g, step_add(s, &t, &made, 1));
}

static void fill_region(exchanges *x, site *s, int batches)
{
	if (x->r.nmesh && s->g == x->r.region)
		fill_nest(x, s, NEST_SHARD_MAP, 0);
	else if (batches < x->r.naxes - x->r.nmesh)
		fill_nest(x, s, NEST_VMAP, batches);
	else
		fill_body(x, s);
}

static bool is_signed(tsr_dtype d) { return d != TSR_BOOL && (d < TSR_U8 || d > TSR_U64); }

static form block_of(const exchanges *x)
{
	int n = 1;

	for (int k = 0; k < x->e.over.n; k++) n *= x->r.axis[x->e.over.at[k]].size;
	return (form){.ndim = BLOCK, .dim = {n, n, 2 * n}};
}

void exchanges_make(exchanges *x, tsr_dtype dtype, const double **in, const double **want)
{
	static double operand[IN_MOST], result[OUT_MOST];
	double *const from[] = {operand}, *const to[] = {result};
	uint64_t dice = 1;
	recipe_limits limits = {0};
	recipe *r = &x->r;
	region *g = r->region;
	site s = {.r = r, .g = g, .dice = &dice, .limits = &limits};

	memset(g, 0, sizeof *g);
	r->nregions = g->nin = g->nvalues = 1;
	g->bare = true;
	g->value[0] = block_of(x);
	g->value[0].dim[0] *= devices_of(r);
	for (int k = r->naxes - 1; k >= r->nmesh; k--)
		insert_dim(&g->value[0], 0, r->axis[k].size);
	fill_region(x, &s, 0);
	assert_in_range(form_size(&g->value[0]), 1, IN_MOST);
	assert_in_range(form_size(result_form(&s, 0)), 1, OUT_MOST);
	for (int i = 0; i < form_size(&g->value[0]); i++) {
		const int v = i * 7 % 11 + i / 13 % 3;
		operand[i] = dtype == TSR_BOOL ? v % 3 == 0 : is_signed(dtype) ? v % 9 - 4 : v % 9;
	}
	assert_true(recipe_evaluate(r, 0, from, to).fit);
	*in = operand;
	*want = result;
}

/* ---- the library */

bool exchanges_have(const exchanges *x, tsr_dtype dtype)
{
	switch (x->e.kind) {
	case EX_PMAX:
	case EX_PMIN: return dtype < TSR_C64;
	case EX_PSUM_SCATTER: return dtype != TSR_BOOL;
	case EX_AXIS_INDEX: return dtype == TSR_I32;
	default: return true;
	}
}

/* groups over a batch and other axes together are refused */
static bool is_refused(const exchanges *x)
{
	return x->e.ngroups && x->e.over.n > 1 && axis_bits(&x->e.over) & ~mesh_bits(&x->r);
}

void exchanges_compare(exchanges *x, tsr_dtype dtype)
{
	TSR_SCOPE(x->ctx);
	const double *in, *want;
	const bool counts = x->e.kind == EX_PSUM && dtype == TSR_BOOL;
	const region *g = x->r.region;
	char why[512] = "";
	tsr *y = NULL;

	exchanges_make(x, dtype, &in, &want);
	recipe_run(x->ctx, &x->r, dtype, (tsr *[]){form_array(x->ctx, g->value, in, dtype)}, &y);
	x->count++;
	if (is_refused(x)) {
		assert_true(tsr_is_poison(y));
		assert_non_null(strstr(tsr_message(x->ctx), ".groups over the axis"));
		tsr_clear(x->ctx);
	} else if (!form_matches(&g->value[g->out[0]], want, 0, counts ? TSR_I32 : dtype, y, why,
	                         sizeof why)) {
		recipe_print(&x->r, stdout);
		fail_msg("%s: %s %s", tsr_dtype_name(dtype), why, tsr_message(x->ctx));
	}
}

/* ---- all of them */

static int members_of_all(const exchanges *x)
{
	exchange e = x->e;

	e.ngroups = 0;
	return members_of(&x->r, &e);
}

static void try_each(exchanges *x)
{
	form to = block_of(x);

	if (!exchange_form(&x->r, &x->e, false, NULL, &to)) return;
	x->each(x);
	x->negative = !x->negative;
}

/* all dims, where it has some */
static void over_dims(exchanges *x)
{
	exchange *e = &x->e;
	const bool has_dims = e->kind >= EX_ALL_GATHER && e->kind <= EX_PSWAPAXES;
	const bool swaps = e->kind == EX_PSWAPAXES, moves = e->kind == EX_ALL_TO_ALL;
	const bool may = e->kind == EX_ALL_GATHER || e->kind == EX_PBROADCAST;

	for (int tiled = 0; tiled < (has_dims && !swaps ? 2 : 1); tiled++)
		for (e->at = 0; e->at < (has_dims ? BLOCK + 1 : 1); e->at++)
			for (int to = 0; to < (moves ? BLOCK : 1); to++) {
				e->to = swaps ? e->at : to;
				e->tiled = tiled;
				e->invarying = may && !e->ngroups && x->count % 2;
				try_each(x);
			}
	e->at = e->to = 0;
	e->tiled = e->invarying = false;
}

static void over_kinds(exchanges *x)
{
	exchange *e = &x->e;
	const int n = members_of(&x->r, e);

	for (int kind = 0; kind < EX_COUNT; kind++) {
		if (kind == EX_PMEAN || kind == EX_RAGGED) continue; /* test_algebra.c has them */
		e->kind = (exchange_kind)kind;
		e->nsource = kind == EX_PBROADCAST                          ? 1
		             : kind == EX_PPERMUTE || kind == EX_PSHUFFLE ? n
		                                                          : 0;
		for (int i = 0; i < n; i++)
			e->source[i] = kind == EX_PBROADCAST               ? n - 1
			               : kind == EX_PPERMUTE && i % 3 == 1 ? -1
			                                                   : (i + n - 1) % n;
		over_dims(x);
	}
}

/* all together; {0, n/2}, {1, n/2 + 1}, ...: pairs that are not neighbours; and two halves, the
 * second of them reversed */
static void over_groups(exchanges *x)
{
	exchange *e = &x->e;
	const int n = members_of_all(x);

	e->ngroups = 0;
	over_kinds(x);
	if (n % 2) return;
	for (int halves = 0; halves < 2; halves++) {
		e->ngroups = halves ? 2 : n / 2;
		for (int i = 0; i < n; i++) {
			e->group_size[i] = n / e->ngroups;
			e->member[i] = !halves     ? i / 2 + i % 2 * (n / 2)
			               : i < n / 2 ? i
			                           : n - 1 - (i - n / 2);
		}
		over_kinds(x);
	}
	e->ngroups = 0;
}

/* all axes that come behind these */
static void over_axes(exchanges *x, axis_list a)
{
	if (a.n) {
		x->e.over = a;
		over_groups(x);
	}
	for (int k = 0; k < x->r.naxes; k++) {
		axis_list more = a;
		if (axis_bits(&a) >> k & 1) continue;
		more.at[more.n++] = k;
		over_axes(x, more);
	}
}

void exchanges_try_all(exchanges *x) { over_axes(x, (axis_list){0}); }
