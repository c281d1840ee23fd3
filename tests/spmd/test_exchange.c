/* test_exchange.c - every collective over every choice of axes on meshes 1, 2, 4, 2x2, 4x2 and
 * 2x2x2, tiled and not, dims from both ends, with and without groups, for all dtypes that make
 * sense: the library against the loops of the host model. */
#include "support/exchange.h"
#include <complex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static const grid grids[] = {
	{1, 1, {1}}, {1, 2, {2}}, {1, 4, {4}}, {2, 4, {2, 2}}, {2, 8, {4, 2}}, {3, 8, {2, 2, 2}}
};

/* plain bytes: the body's .env */
typedef struct trial {
	grid grid;
	exchange exchange;
	bool negative;
	tsr_dtype dtype;
} trial;

typedef struct bench {
	tsr_ctx *ctx;
	tsr_mesh *mesh;
	trial trial;
	int count;
} bench;

static void body(tsr_frame *frame)
{
	const trial *t = tsr_frame_env(frame);
	tsr *x = tsr_frame_arg(frame, 0);
	tsr *y = exchange_run(&t->grid, &t->exchange, t->negative, x, t->dtype);
	tsr_return(frame, t->exchange.kind == EX_AXIS_INDEX ? tsr_ravel(y) : y);
}

static const char *describe(const trial *t, char out[160])
{
	static const char *const names[] = {"psum", "pmax", "pmin", "all_gather", "psum_scatter",
		"all_to_all", "ppermute", "pshuffle", "pbroadcast", "axis_index"};
	char over[16];
	const exchange *e = &t->exchange;
	snprintf(out, 160, "%s over %s of %lldx%lldx%lld, %s, dims %d %d, tiled %d, %d groups, "
	         "negative %d", names[e->kind], axes_text(&e->over, over),
	         (long long)t->grid.size[0], (long long)t->grid.size[1],
	         (long long)t->grid.size[2], tsr_dtype_name(t->dtype),
	         e->dim, e->concat, e->tiled, e->groups.count, t->negative);
	return out;
}

/* values that every dtype holds, and their sums over 8 devices too */
static host numbers(const grid *g, const int64_t *block, tsr_dtype dtype)
{
	const bool is_signed = tsr_dtype_size(dtype) > 0 && dtype != TSR_BOOL &&
		(dtype < TSR_U8 || dtype > TSR_U64);
	const host x = host_make(3, (int64_t[]){block[0] * g->count, block[1], block[2]});
	for (int64_t i = 0; i < x.size; i++) {
		const int64_t v = i * 7 % 11 + i / 13 % 3;
		x.v[i] = dtype == TSR_BOOL ? v % 3 == 0 : is_signed ? v % 9 - 4 : v % 9;
	}
	return x;
}

static tsr_dtype result_dtype(const trial *t)
{
	return t->exchange.kind == EX_PSUM && t->dtype == TSR_BOOL ? TSR_I32 : t->dtype;
}

/* dim 0 is cut over all axes, on the way in and out */
static cut all_rows(const grid *g)
{
	cut c = {.n = 1, .dim = {{.n = g->naxes}}};
	for (int k = 0; k < g->naxes; k++)
		c.dim[0].at[k] = k;
	return c;
}

static void compare(bench *b, const trial *t)
{
	TSR_SCOPE(b->ctx);
	const grid *g = &t->grid;
	const int64_t n = grid_parts(g, &t->exchange.over), dims[] = {n, n, 2 * n};
	const cut rows = all_rows(g);
	host block[ORACLE_DEVICES], result[ORACLE_DEVICES];
	char text[ORACLE_NDIM][16], why[512], what[160];
	const host x = numbers(g, dims, t->dtype);
	for (int k = 0; k < g->count; k++)
		block[k] = host_block(&x, g, &rows, k);
	for (int k = 0; k < g->count; k++) {
		result[k] = host_exchange(block, g, &t->exchange, k);
		if (t->exchange.kind == EX_AXIS_INDEX)
			result[k] = host_reshape(&result[k], 1, &result[k].size);
	}
	const host want = host_whole(result, g, &rows, 7, 0);
	const tsr_spec spec = cut_spec(&rows, text);
	tsr_fn *f = tsr_shard_map(b->mesh, body, .in = {TSR_FOR_ALL(spec)},
	                          .out = {TSR_FOR_ALL(spec)}, TSR_ENV(t));
	tsr *got = tsr_call(f, host_array(b->ctx, &x, t->dtype));
	if (!host_matches(&want, result_dtype(t), got, why, sizeof why))
		fail_msg("%s: %s", describe(t, what), why);
	b->count++;
	oracle_reset();
}

static bool makes_sense(const trial *t)
{
	switch (t->exchange.kind) {
	case EX_PMAX: case EX_PMIN: return t->dtype < TSR_C64;
	case EX_PSUM_SCATTER: return t->dtype != TSR_BOOL;
	case EX_AXIS_INDEX: return t->dtype == TSR_I32;
	default: return true;
	}
}

/* all dtypes where `every`, otherwise one after the other */
static void over_dtypes(bench *b, bool every)
{
	if (!every)
		b->trial.dtype = b->trial.dtype % (TSR_DTYPE_COUNT_ - 1) + 1;
	for (int d = 1; every && d < TSR_DTYPE_COUNT_; d++) {
		b->trial.dtype = (tsr_dtype)d;
		if (makes_sense(&b->trial))
			compare(b, &b->trial);
	}
	if (b->trial.exchange.kind == EX_AXIS_INDEX)
		b->trial.dtype = TSR_I32;
	if (!every && makes_sense(&b->trial))
		compare(b, &b->trial);
	b->trial.negative = !b->trial.negative;
}

static void over_dims(bench *b, bool every)
{
	exchange *e = &b->trial.exchange;
	const bool scatter = e->kind == EX_PSUM_SCATTER, exchanged = e->kind == EX_ALL_TO_ALL;
	const int all = (int)grid_parts(&b->trial.grid, &e->over);
	const bool whole = !e->groups.count || e->groups.size[0] == all;
	for (int tiled = 0; tiled < 2; tiled++) {
		e->tiled = tiled;
		for (e->dim = 0; e->dim < 4 - (tiled || scatter || exchanged); e->dim++) {
			/* untiled, what is dealt out must have the size of the group */
			if (!tiled && (scatter || exchanged) && (e->dim == 2 || !whole))
				continue;
			for (e->concat = 0; e->concat < (exchanged ? 3 : 1); e->concat++) {
				e->swap = exchanged && !tiled && e->dim == e->concat &&
					b->count % 2;
				over_dtypes(b, every && e->dim == 1);
			}
		}
	}
}

static void over_kinds(bench *b, bool every)
{
	exchange *e = &b->trial.exchange;
	const int n = e->groups.count ? e->groups.size[0] :
	              (int)grid_parts(&b->trial.grid, &e->over);
	for (e->kind = 0; e->kind < EX_COUNT; e->kind++) {
		for (int i = 0; i < ORACLE_DEVICES; i++)
			e->source[i] = e->kind == EX_PBROADCAST ? n - 1 :
			               e->kind == EX_PPERMUTE && i % 3 == 1 ? -1 : (i + n - 1) % n;
		if (e->kind >= EX_ALL_GATHER && e->kind <= EX_ALL_TO_ALL)
			over_dims(b, every);
		else
			over_dtypes(b, every);
		e->dim = e->concat = 0;
		e->tiled = e->swap = false;
	}
}

/* {0, n/2}, {1, n/2 + 1}, ...: pairs that are not neighbours; and two halves, the second of them
 * reversed */
static void over_groups(bench *b, bool every)
{
	circles *c = &b->trial.exchange.groups;
	const int n = (int)grid_parts(&b->trial.grid, &b->trial.exchange.over);
	*c = (circles){0};
	over_kinds(b, every);
	if (n < 2)
		return;
	for (int i = 0; i < n; i++) {
		c->size[i / 2] = 2;
		c->member[i] = i / 2 + i % 2 * (n / 2);
	}
	c->count = n / 2;
	over_kinds(b, false);
	for (int i = 0; i < n; i++)
		c->member[i] = i < n / 2 ? i : n - 1 - (i - n / 2);
	c->count = 2;
	c->size[0] = c->size[1] = n / 2;
	over_kinds(b, false);
}

static void over_axes(bench *b, bool every)
{
	const int most = b->trial.grid.naxes;
	axes *a = &b->trial.exchange.over;
	for (a->n = 1; a->n <= most; a->n++)
		for (int code = 0; code < 27; code++) {
			const axes some = {a->n, {code % 3, code / 3 % 3, code / 9}};
			uint32_t mask = axes_mask(&some);
			if (__builtin_popcount(mask) != a->n || mask >> most)
				continue;
			if ((a->n == 1 && code > 2) || (a->n == 2 && code > 8))
				continue;
			memcpy(a->at, some.at, sizeof some.at);
			over_groups(b, every && a->n == 1);
		}
}

static void test_every_collective(void **state)
{
	(void)state;
	int count = 0;
	for (size_t k = 0; k < sizeof grids / sizeof *grids; k++) {
		bench b;
		memset(&b, 0, sizeof b);
		b.ctx = tsr_open(.devices = 8);
		b.mesh = grid_mesh(b.ctx, &grids[k], NULL);
		b.trial.grid = grids[k];
		over_axes(&b, k == 2 || k == 4);
		assert_int_equal(tsr_close(b.ctx), 0);
		count += b.count;
	}
	print_message("%d exchanges\n", count);
	assert_true(count > 1000);
}

/* groups of several sizes, where they are legal */
static void test_uneven_groups(void **state)
{
	(void)state;
	static const circles uneven[] = {
		{2, {1, 3}, {2, 0, 3, 1}}, {3, {2, 1, 1}, {3, 0, 1, 2}},
		{4, {1, 1, 1, 1}, {0, 1, 2, 3}}
	};
	bench b;
	memset(&b, 0, sizeof b);
	b.ctx = tsr_open(.devices = 8);
	b.trial.grid = grids[4];
	b.mesh = grid_mesh(b.ctx, &b.trial.grid, NULL);
	b.trial.exchange.over = (axes){1, {0}};
	for (size_t k = 0; k < sizeof uneven / sizeof *uneven; k++)
		for (int kind = EX_PSUM; kind <= EX_PMIN; kind++) {
			b.trial.exchange.groups = uneven[k];
			b.trial.exchange.kind = kind;
			over_dtypes(&b, true);
		}
	assert_int_equal(tsr_close(b.ctx), 0);
}

/* complex numbers move and add as pairs: f((1 + 2i) x) = (1 + 2i) f(x) */
static void test_complex(void **state)
{
	(void)state;
	bench b;
	memset(&b, 0, sizeof b);
	b.ctx = tsr_open(.devices = 8);
	b.trial.grid = grids[4];
	b.mesh = grid_mesh(b.ctx, &b.trial.grid, NULL);
	const cut rows = all_rows(&b.trial.grid);
	char text[ORACLE_NDIM][16];
	const tsr_spec spec = cut_spec(&rows, text);
	b.trial.exchange.over = (axes){1, {0}};
	for (int dtype = TSR_C64; dtype <= TSR_C128; dtype++)
		for (int kind = 0; kind < EX_AXIS_INDEX; kind++) {
			if (kind == EX_PMAX || kind == EX_PMIN)
				continue;
			b.trial.exchange.kind = kind;
			memcpy(b.trial.exchange.source, (int[]){2, 0, 3, 1}, 4 * sizeof(int));
			tsr_fn *f = tsr_shard_map(b.mesh, body, .in = {TSR_FOR_ALL(spec)},
			                          .out = {TSR_FOR_ALL(spec)}, TSR_ENV(&b.trial));
			const host x = numbers(&b.trial.grid, (int64_t[]){4, 4, 8}, TSR_F32);
			tsr *real = host_array(b.ctx, &x, (tsr_dtype)dtype);
			const double _Complex turn = 1 + 2 * _Complex_I;
			tsr *left = tsr_call(f, tsr_mul(real, turn));
			tsr *right = tsr_mul(tsr_call(f, real), turn);
			assert_int_equal(tsr_dtype_of(left), dtype);
			assert_true(tsr_array_equal(left, right));
			oracle_reset();
		}
	assert_int_equal(tsr_close(b.ctx), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_collective),
		cmocka_unit_test(test_uneven_groups),
		cmocka_unit_test(test_complex),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
