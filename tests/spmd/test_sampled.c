/* test_sampled.c - random mapped bodies on random meshes with random specs, nested or not, checked
 * or not, under jit or not: the library against slice, run, concatenate on the host, bit for bit.
 *
 * Each draw has a seed of its own, which every message names; TSR_SEED=n in the environment runs
 * that draw alone and prints its program. TSR_DRAWS=n changes how many there are; make check
 * compiles fewer than it interprets, make check-slow all. */
#include "support/draws.h"
#include "support/plan.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { DRAWS = 6000, FIRST_SEED = 1000, DRAWS_A_CONTEXT = 40, FAILURES_SHOWN = 10 };

/* ---- one draw */

/* Axes that may cut a result behind those of its spec: the map leaves them, and they cut an
 * argument, or are those of a map inside */
static uint32_t more_axes(const plan *p, const deal *t)
{
	uint32_t set = 0;

	for (int k = 0; k < p->region[0].nin; k++)
		if (t->put[k]) set |= cut_mask(&t->placed[k]);
	for (int k = 1; k < p->nregions; k++) set |= axes_mask(&p->region[k].manual);
	return set & ~axes_mask(&p->region[0].manual);
}

/* *to: how the result is cut, as the spec says it, and along these axes behind it */
static bool reads_cut(const plan *p, const tsr *got, uint32_t more, cut *to)
{
	const tsr_spec spec = tsr_sharding_spec(tsr_sharding_of(got));
	char text[ORACLE_NDIM][16];

	if (tsr_sharding_mesh(tsr_sharding_of(got)) != p->mesh) return false;
	const int ndim = (int)spec.n1 - 1;
	if (to->n < ndim) to->n = ndim;
	for (int d = 0; d < ndim; d++) {
		axes *a = &to->dim[d];
		for (const char *at = spec.d[1 + d]; at && *at; at++) {
			const int axis = *at - 'x';
			if (axis < 0 || !(more >> axis & 1)) continue;
			a->at[a->n++] = axis;
			more &= ~(1u << axis);
		}
	}
	return tsr_sharding_equivalent(tsr_sharding_of(got),
	                               tsr_sharding_make(p->mesh, cut_spec(to, text)),
	                               tsr_ndim(got));
}

static bool shards_match(const plan *p, const deal *t, int k, const tsr *got, char *why, size_t n)
{
	cut to = p->region[0].to[k];

	if (!reads_cut(p, got, more_axes(p, t), &to)) {
		snprintf(why, n, "is on %s", tsr_sharding_text(tsr_sharding_of(got)));
		return false;
	}
	for (int at = 0; at < p->grid.count; at++) {
		const host block = host_block(&t->want[k], &p->grid, &to, at);
		tsr_shard shard = {0};
		char inner[256];
		tsr *part = tsr_shard_data(got, at);
		if (!host_matches(&block, (tsr_dtype)p->dtype, part, inner, sizeof inner) ||
		    !tsr_shard_of(got, at, &shard) || shard.device != t->device[at]) {
			snprintf(why, n, "shard %d on device %lld: %s", at, (long long)shard.device,
			         inner);
			return false;
		}
	}
	return true;
}

static bool results_match(const plan *p, const deal *t, tsr **got, char *why, size_t size)
{
	char inner[512] = "";
	for (int k = 0; k < p->region[0].nout; k++)
		if (!host_matches(&t->want[k], (tsr_dtype)p->dtype, got[k], inner, sizeof inner) ||
		    !shards_match(p, t, k, got[k], inner, sizeof inner)) {
			snprintf(why, size, "result %d: %s", k, inner);
			return false;
		}
	return true;
}

/* the call must fail, and name the axis */
static bool mistake_found(tsr_ctx *ctx, const deal *t, char *why, size_t size)
{
	const char name[] = {'\'', "xyz"[t->missing], '\'', 0}, set[] = {"xyz"[t->missing], 0};
	const bool found = tsr_status(ctx) == TSR_ERROR_SHARDING &&
	                   (strstr(tsr_message(ctx), name) || strstr(tsr_message(ctx), set));
	if (!found)
		snprintf(why, size, "a result varies over %s, but: %.300s", set, tsr_message(ctx));
	tsr_clear(ctx);
	return found;
}

static void show(const plan *p, tsr_fn *f, const tsr_arg *args)
{
	print_message("mesh %s, dtype %s\n%s\n", tsr_mesh_text(p->mesh),
	              tsr_dtype_name((tsr_dtype)p->dtype),
	              tsr_fn_text_at(TSR_HERE, f, args, (size_t)p->region[0].nin));
}

static bool call_matches(const plan *p, const deal *t, tsr_fn *f, const tsr_arg *args, char *why,
                         size_t size)
{
	tsr *got[PLAN_OUTS] = {0};
	tsr_out out[PLAN_OUTS];
	tsr_ctx *ctx = tsr_mesh_ctx(p->mesh);
	for (int k = 0; k < p->region[0].nout; k++)
		out[k] = (tsr_out){.to = {.leaf = &got[k], .count = 1}};
	tsr_call_into_at(TSR_HERE, out, (size_t)p->region[0].nout, f, args,
	                 (size_t)p->region[0].nin);
	if (t->missing >= 0) return mistake_found(ctx, t, why, size);
	if (tsr_status(ctx)) {
		snprintf(why, size, "%.700s", tsr_message(ctx));
		tsr_clear(ctx);
		return false;
	}
	return results_match(p, t, got, why, size);
}

static bool draw_matches(tsr_ctx *ctx, uint64_t seed, bool loud, char *why, size_t size)
{
	TSR_SCOPE(ctx);
	static plan p;
	deal t;
	tsr_arg args[PLAN_ARGS];
	char text[ORACLE_NDIM][16];
	plan_draw(&p, &t, seed);
	p.mesh = grid_mesh(ctx, &p.grid, t.device);
	for (int k = 0; k < p.region[0].nin; k++) {
		tsr *x = host_array(ctx, &t.arg[k], (tsr_dtype)p.dtype);
		if (t.put[k]) x = tsr_put(x, p.mesh, cut_spec(&t.placed[k], text));
		args[k] = TSR_ARG(x);
	}
	tsr_fn *f = plan_map(&p, 0);
	if (t.jit) f = tsr_jit(ctx, f);
	if (loud) show(&p, f, args);
	bool same = call_matches(&p, &t, f, args, why, size);
	if (same && t.twice) same = call_matches(&p, &t, f, args, why, size);
	oracle_reset();
	return same;
}

static void silent(void *user, int level, const char *text)
{
	(void)user;
	(void)level;
	(void)text;
}

static void test_sampled(void **state)
{
	(void)state;
	const bool one = getenv("TSR_SEED") != NULL;
	const int first = number_from("TSR_SEED", number_from("TSR_FIRST", FIRST_SEED));
	const int draws = one ? 1 : number_from("TSR_DRAWS", DRAWS);
	int failures = 0;
	tsr_ctx *ctx = NULL;
	print_message("seeds %d to %d\n", first, first + draws - 1);
	for (int k = 0; k < draws; k++) {
		char why[1024] = "";
		if (k % DRAWS_A_CONTEXT == 0) {
			assert_int_equal(tsr_close(ctx), 0);
			ctx = tsr_open(.devices = 8, .log = silent);
		}
		if (draw_matches(ctx, (uint64_t)(first + k), one, why, sizeof why)) continue;
		if (++failures <= FAILURES_SHOWN) print_error("TSR_SEED=%d: %s\n", first + k, why);
		tsr_clear(ctx);
	}
	assert_int_equal(tsr_close(ctx), 0);
	if (failures) fail_msg("%d of %d draws failed", failures, draws);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_sampled)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
