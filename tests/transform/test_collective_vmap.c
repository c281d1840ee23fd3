/* test_collective_vmap.c - every collective with the names of vmaps among its axes, over every
 * choice of axes, in any order: the library against the loops of the host model, where the axis of
 * a map is one more axis of devices. Dims count from both ends. make check compiles a part of them
 * (support/part.h), make check-slow all. */
#include "support/exchange.h"
#include "support/part.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

/* plain bytes: the bodies' .env */
typedef struct trial {
	grid grid;
	uint32_t maps; /* the axes that are a vmap's */
	int depth;     /* the vmaps around this body */
	exchange exchange;
	bool negative;
	tsr_dtype dtype;
} trial;

typedef struct bench {
	tsr_ctx *ctx;
	tsr_mesh *mesh; /* of the other axes; NULL: there are none */
	trial trial;
	int count;
} bench;

static const char *const letters[] = {"x", "y", "z"};

static bool is_map(const trial *t, int axis) { return t->maps >> axis & 1; }

/* the axes in the order of the dims of operand and result: maps first */
static int axes_in_order(const trial *t, int order[ORACLE_AXES])
{
	int n = 0;

	for (int mesh = 0; mesh < 2; mesh++)
		for (int k = 0; k < t->grid.naxes; k++)
			if (is_map(t, k) == !mesh) order[n++] = k;
	return __builtin_popcount(t->maps);
}

/* sees [maps that are left, 1 for each mesh axis, block] */
static void body(tsr_frame *frame)
{
	const trial *t = tsr_frame_env(frame);
	tsr *x = tsr_frame_arg(frame, 0);
	int order[ORACLE_AXES];
	const int nmaps = axes_in_order(t, order), nmesh = t->grid.naxes - nmaps;

	if (t->depth < nmaps) {
		trial inner = *t;
		inner.depth++;
		tsr_fn *f = tsr_vmap(tsr_ctx_of(x), body, .axis = letters[order[t->depth]],
		                     TSR_ENV(&inner));
		tsr_return(frame, tsr_call(f, x));
		return;
	}
	for (int d = 0; d < nmesh; d++) x = tsr_squeeze(x, TSR_DIMS(0));
	tsr *y = exchange_run(&t->grid, &t->exchange, t->negative, x, t->dtype);
	if (t->exchange.kind == EX_AXIS_INDEX) y = tsr_ravel(y);
	for (int d = 0; d < nmesh; d++) y = tsr_expand_dims(y, TSR_DIMS(0));
	tsr_return(frame, y);
}

/* over the mesh axes, if there are any; a dim each */
static tsr *run(bench *b, tsr *x)
{
	const trial *t = &b->trial;
	int order[ORACLE_AXES];
	const int nmaps = axes_in_order(t, order), n = t->grid.naxes;
	tsr_spec spec = {.n1 = 1 + n};

	if (!b->mesh) {
		trial inner = *t;
		inner.depth = 1;
		return tsr_call(tsr_vmap(b->ctx, body, .axis = letters[order[0]], TSR_ENV(&inner)),
		                x);
	}
	for (int d = nmaps; d < n; d++) spec.d[1 + d] = letters[order[d]];
	return tsr_call(tsr_shard_map(b->mesh, body, .in = {TSR_FOR_ALL(spec)},
	                              .out = {TSR_FOR_ALL(spec)}, TSR_ENV(t)),
	                x);
}

static const char *describe(const trial *t, char out[200])
{
	static const char *const names[] = {"psum",         "pmax",       "pmin",     "all_gather",
	                                    "psum_scatter", "all_to_all", "ppermute", "pshuffle",
	                                    "pbroadcast",   "axis_index"};
	char over[16];
	const exchange *e = &t->exchange;

	snprintf(out, 200,
	         "%s over %s of %lldx%lldx%lld, maps %x, %s, dims %d %d, tiled %d, %d groups, "
	         "negative %d",
	         names[e->kind], axes_text(&e->over, over), (long long)t->grid.size[0],
	         (long long)t->grid.size[1], (long long)t->grid.size[2], t->maps,
	         tsr_dtype_name(t->dtype), e->dim, e->concat, e->tiled, e->groups.count,
	         t->negative);
	return out;
}

/* small numbers, whose sums every dtype holds */
static host numbers(const grid *g, const int64_t *block, tsr_dtype dtype)
{
	const host x = host_make(3, (int64_t[]){block[0] * g->count, block[1], block[2]});

	for (int64_t i = 0; i < x.size; i++) {
		const int64_t v = i * 7 % 11 + i / 13 % 3;
		x.v[i] = dtype == TSR_BOOL ? v % 3 == 0 : v % 9;
	}
	return x;
}

/* dim 0 is cut over all axes; instead of it a dim for each, the maps' first, and what one device
 * has of it */
static host axes_apart(const trial *t, const host *x)
{
	int order[ORACLE_AXES], perm[ORACLE_NDIM], n = t->grid.naxes;
	int64_t dims[ORACLE_NDIM];

	axes_in_order(t, order);
	for (int k = 0; k < n; k++) {
		perm[k] = order[k];
		dims[k] = t->grid.size[k];
	}
	for (int d = 0; d < x->ndim; d++) {
		perm[n + d] = n + d;
		dims[n + d] = d ? x->dim[d] : x->dim[0] / t->grid.count;
	}
	const host apart = host_reshape(x, n + x->ndim, dims);
	return host_transpose(&apart, perm);
}

static cut all_rows(const grid *g)
{
	cut c = {.n = 1, .dim = {{.n = g->naxes}}};

	for (int k = 0; k < g->naxes; k++) c.dim[0].at[k] = k;
	return c;
}

/* groups over a map and other axes together are refused */
static bool refused(const trial *t)
{
	return t->exchange.groups.count && t->exchange.over.n > 1 &&
	       axes_mask(&t->exchange.over) & t->maps;
}

static void compare(bench *b)
{
	b->count++;
	if (is_left_out()) return;
	TSR_SCOPE(b->ctx);
	const trial *t = &b->trial;
	const grid *g = &t->grid;
	const int64_t n = grid_parts(g, &t->exchange.over), dims[] = {n, n, 2 * n};
	const cut rows = all_rows(g);
	host block[ORACLE_DEVICES], result[ORACLE_DEVICES];
	char why[512], what[200];

	const host x = numbers(g, dims, t->dtype), apart = axes_apart(t, &x);
	for (int k = 0; k < g->count; k++) block[k] = host_block(&x, g, &rows, k);
	for (int k = 0; k < g->count; k++) {
		result[k] = host_exchange(block, g, &t->exchange, k);
		if (t->exchange.kind == EX_AXIS_INDEX)
			result[k] = host_reshape(&result[k], 1, &result[k].size);
	}
	const host whole = host_whole(result, g, &rows, 7, 0), want = axes_apart(t, &whole);
	const bool counted = t->exchange.kind == EX_PSUM && t->dtype == TSR_BOOL;
	tsr *got = run(b, host_array(b->ctx, &apart, t->dtype));
	if (refused(t)) {
		assert_true(tsr_is_poison(got));
		assert_non_null(strstr(tsr_message(b->ctx), ".groups over the axis"));
		tsr_clear(b->ctx);
	} else if (!host_matches(&want, counted ? TSR_I32 : t->dtype, got, why, sizeof why)) {
		fail_msg("%s: %s", describe(t, what), why);
	}
	oracle_reset();
}

static bool makes_sense(const trial *t)
{
	switch (t->exchange.kind) {
	case EX_PSUM_SCATTER: return t->dtype != TSR_BOOL;
	case EX_AXIS_INDEX: return t->dtype == TSR_I32;
	default: return true;
	}
}

/* one dtype after the other, and both ways to count dims */
static void next_dtype(bench *b)
{
	static const tsr_dtype dtypes[] = {TSR_F32, TSR_I32, TSR_BF16, TSR_BOOL, TSR_U8};
	static int next;

	b->trial.dtype = dtypes[next++ % 5];
	b->trial.negative = next % 2;
	if (b->trial.exchange.kind == EX_AXIS_INDEX) b->trial.dtype = TSR_I32;
	if (makes_sense(&b->trial)) compare(b);
}

static void over_dims(bench *b)
{
	exchange *e = &b->trial.exchange;
	const bool scatter = e->kind == EX_PSUM_SCATTER, exchanged = e->kind == EX_ALL_TO_ALL;
	const int all = (int)grid_parts(&b->trial.grid, &e->over);
	const bool whole = !e->groups.count || e->groups.size[0] == all;

	for (int tiled = 0; tiled < 2; tiled++) {
		e->tiled = tiled;
		for (e->dim = 0; e->dim < 4 - (tiled || scatter || exchanged); e->dim++) {
			/* untiled, what is dealt out must have the size of the group */
			if (!tiled && (scatter || exchanged) && (e->dim == 2 || !whole)) continue;
			for (e->concat = 0; e->concat < (exchanged ? 3 : 1); e->concat++) {
				e->swap =
					exchanged && !tiled && e->dim == e->concat && b->count % 2;
				const bool all_alike =
					e->kind == EX_ALL_GATHER || e->kind == EX_PBROADCAST;
				e->invarying = all_alike && !e->groups.count && b->count % 2;
				next_dtype(b);
			}
		}
	}
	e->invarying = false;
}

static void over_kinds(bench *b)
{
	exchange *e = &b->trial.exchange;
	const int n =
		e->groups.count ? e->groups.size[0] : (int)grid_parts(&b->trial.grid, &e->over);

	for (e->kind = 0; e->kind < EX_COUNT; e->kind++) {
		for (int i = 0; i < ORACLE_DEVICES; i++)
			e->source[i] = e->kind == EX_PBROADCAST               ? n - 1
			               : e->kind == EX_PPERMUTE && i % 3 == 1 ? -1
			                                                      : (i + n - 1) % n;
		if (e->kind >= EX_ALL_GATHER && e->kind <= EX_ALL_TO_ALL)
			over_dims(b);
		else
			next_dtype(b);
		e->dim = e->concat = 0;
		e->tiled = e->swap = false;
	}
}

/* all together; and {0, n/2}, {1, n/2 + 1}, ... */
static void over_groups(bench *b)
{
	circles *c = &b->trial.exchange.groups;
	const int n = (int)grid_parts(&b->trial.grid, &b->trial.exchange.over);

	*c = (circles){0};
	over_kinds(b);
	if (n % 2) return;
	c->count = n / 2;
	for (int i = 0; i < n; i++) {
		c->size[i / 2] = 2;
		c->member[i] = i / 2 + i % 2 * (n / 2);
	}
	over_kinds(b);
}

static void over_axes(bench *b, axes a, int n)
{
	if (n) {
		a.n = n;
		b->trial.exchange.over = a;
		over_groups(b);
	}
	for (int k = 0; k < b->trial.grid.naxes; k++) {
		const axes before = {n, {a.at[0], a.at[1], a.at[2]}};
		if (axes_mask(&before) >> k & 1) continue;
		a.at[n] = k;
		over_axes(b, a, n + 1);
	}
}

static tsr_mesh *mesh_of(tsr_ctx *ctx, const trial *t)
{
	tsr_axis axis[ORACLE_AXES];
	size_t n = 0;

	for (int k = 0; k < t->grid.naxes; k++)
		if (!is_map(t, k)) axis[n++] = (tsr_axis){letters[k], t->grid.size[k]};
	return n ? tsr_mesh_make_at(TSR_HERE, ctx, axis, n) : NULL;
}

static void every_collective(void **state)
{
	static const struct {
		grid grid;
		uint32_t maps;
	} cases[] = {
		{{1, 1, {1}}, 1},    {{1, 4, {4}}, 1},       {{2, 6, {2, 3}}, 2},
		{{2, 8, {4, 2}}, 1}, {{3, 8, {2, 2, 2}}, 2}, {{3, 8, {2, 2, 2}}, 1},
		{{2, 8, {2, 4}}, 3}, {{3, 8, {2, 2, 2}}, 5},
	};
	int count = 0;

	(void)state;
	for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
		bench b = {.ctx = tsr_open(.devices = 8, .log = NULL)};
		b.trial.grid = cases[k].grid;
		b.trial.maps = cases[k].maps;
		b.mesh = mesh_of(b.ctx, &b.trial);
		over_axes(&b, (axes){0}, 0);
		assert_int_equal(tsr_close(b.ctx), 0);
		count += b.count;
	}
	assert_true(count > 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(every_collective)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
