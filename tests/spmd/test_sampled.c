/* test_sampled.c - random mapped bodies of whole numbers (support/recipe.h) on random meshes with
 * random specs, nested or not, checked or not, under jit or not: the library against the oracle's
 * slice, run, concatenate, bit for bit, and each shard on its device.
 *
 * Each draw has a seed of its own, which every message names; TSR_SEED=n in the environment runs
 * that draw alone and prints its program. TSR_DRAWS=n changes how many there are; make check
 * compiles fewer than it interprets, make check-slow all. */
#include "support/draws.h"
#include "support/recipe_cells.h"
#include "support/recipe_draw.h"
#include "support/quiet.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { DRAWS = 6000, FIRST_SEED = 1000, DRAWS_A_CONTEXT = 40, FAILURES_SHOWN = 10 };

/* ---- how a result is cut */

/* Axes that may cut a result behind those of its spec: the map leaves them, and they cut an
 * argument or a constrained value, or are those of a map inside */
static uint32_t more_axes(const recipe *r)
{
	const nest *map = &r->region[0].step[0].nest;
	uint32_t set = 0;

	for (int k = 0; k < r->region[0].nin; k++) set |= split_bits(&r->place[k]);
	for (int k = 1; k < r->nregions; k++)
		for (int i = 0; i < r->region[k].nsteps; i++) {
			const step *s = &r->region[k].step[i];
			if (s->op == OP_CONSTRAIN) set |= split_bits(&s->cut);
			if (s->op == OP_NEST) set |= axis_bits(&s->nest.manual);
		}
	return set & ~axis_bits(&map->manual);
}

/* *to: how the result is cut, as the spec says it, and along these axes behind it */
static bool reads_cut(const recipe *r, tsr_mesh *mesh, const tsr *got, uint32_t more, split *to)
{
	const tsr_spec spec = tsr_sharding_spec(tsr_sharding_of(got));
	char text[RECIPE_NDIM][2 * RECIPE_AXES];

	if (tsr_sharding_mesh(tsr_sharding_of(got)) != mesh) return false;
	for (int d = 0; d < (int)spec.n1 - 1; d++)
		for (const char *at = spec.d[1 + d]; at && *at; at++) {
			const int axis = *at - 'x';
			if (axis < 0 || !(more >> axis & 1)) continue;
			split_by(to, d, axis);
			more &= ~(1u << axis);
		}
	return tsr_sharding_equivalent(tsr_sharding_of(got),
	                               tsr_sharding_make(mesh, split_spec(r, to, text)),
	                               tsr_ndim(got));
}

/* The block of a whole value on one device, element by element, and its form: where a dim does not
 * divide, the last blocks are smaller, or empty */
static form block_of(const recipe *r, const form *whole, const double *v, const split *cut,
                     int device, double *block)
{
	const oracle o = {.r = r};
	const world devices =
		world_enter(&o, &(world){.count = 1}, &(axis_list){r->nmesh, {0, 1, 2}});
	int start[RECIPE_NDIM] = {0}, index[RECIPE_NDIM];
	form f = {.ndim = whole->ndim};

	for (int d = 0; d < f.ndim; d++) {
		const axis_list *along = &cut->dim[d];
		int parts = 1;
		for (int i = 0; i < along->n; i++) parts *= r->axis[along->at[i]].size;
		const int size = whole->dim[d], part = (size + parts - 1) / parts;
		start[d] = world_index(&o, &devices, device, along) * part;
		if (start[d] > size) start[d] = size;
		f.dim[d] = start[d] + part < size ? part : size - start[d];
	}
	for (int i = 0; i < form_size(&f); i++) {
		form_index(&f, i, index);
		for (int d = 0; d < f.ndim; d++) index[d] += start[d];
		block[i] = v[form_place(whole, index)];
	}
	return f;
}

static bool shards_match(const recipe_deal *d, tsr_mesh *mesh, int k, const tsr *got, char *why,
                         size_t size)
{
	const recipe *r = &d->r;
	const form *whole = &r->region[0].value[r->region[0].out[k]];
	split to = r->region[0].step[0].nest.to[k];
	double block[RECIPE_SIZE];

	if (!reads_cut(r, mesh, got, more_axes(r), &to)) {
		snprintf(why, size, "is on %s", tsr_sharding_text(tsr_sharding_of(got)));
		return false;
	}
	for (int at = 0; at < (int)tsr_mesh_size(mesh); at++) {
		const form f = block_of(r, whole, d->want[k], &to, at, block);
		tsr_shard shard = {0};
		char inner[256] = "";
		if (form_matches(&f, block, 0, r->dtype, tsr_shard_data(got, at), inner,
		                 sizeof inner) &&
		    tsr_shard_of(got, at, &shard) && shard.device == r->device[at])
			continue;
		snprintf(why, size, "shard %d on device %lld: %s", at, (long long)shard.device,
		         inner);
		return false;
	}
	return true;
}

/* ---- one draw */

/* the call must fail, and name the axis */
static bool mistake_found(tsr_ctx *ctx, const recipe *r, char *why, size_t size)
{
	const char set[] = {r->axis[r->missing - 1].name, 0}, name[] = {'\'', *set, '\'', 0};
	const bool found = tsr_status(ctx) == TSR_ERROR_SHARDING &&
	                   (strstr(tsr_message(ctx), name) || strstr(tsr_message(ctx), set));

	if (!found)
		snprintf(why, size, "a result varies over %s, but: %.300s", set, tsr_message(ctx));
	tsr_clear(ctx);
	return found;
}

static bool draw_matches(tsr_ctx *ctx, const recipe_deal *d, bool loud, char *why, size_t size)
{
	TSR_SCOPE(ctx);
	const recipe *r = &d->r;
	tsr *in[RECIPE_INS], *out[RECIPE_OUTS];
	char inner[600] = "";

	recipe_inputs(ctx, d, r->dtype, in);
	if (loud) {
		recipe_print(r, stdout);
		puts(recipe_program(ctx, r, r->dtype, in));
	}
	recipe_run(ctx, r, r->dtype, in, out);
	if (r->missing) return mistake_found(ctx, r, why, size);
	for (int k = 0; k < r->region[0].nout && !tsr_status(ctx); k++)
		if (!recipe_matches(d, k, out[k], why, size) && !tsr_status(ctx))
			return false;
		else if (!shards_match(d, recipe_mesh(ctx, r), k, out[k], inner, sizeof inner) &&
		         !tsr_status(ctx)) {
			snprintf(why, size, "result %d: %s", k, inner);
			return false;
		}
	if (!tsr_status(ctx)) return true;
	snprintf(why, size, "%.900s", tsr_message(ctx));
	tsr_clear(ctx);
	return false;
}

static void test_sampled(void **state)
{
	(void)state;
	static recipe_deal d;
	const recipe_limits limits = {.whole = true};
	const bool one = getenv("TSR_SEED") != NULL;
	const int first = number_from("TSR_SEED", number_from("TSR_FIRST", FIRST_SEED));
	const int draws = one ? 1 : number_from("TSR_DRAWS", DRAWS);
	int failures = 0, mistakes = 0, nested = 0, mixed = 0;
	tsr_ctx *ctx = NULL;

	print_message("seeds %d to %d\n", first, first + draws - 1);
	for (int k = 0; k < draws; k++) {
		char why[1024] = "";
		if (k % DRAWS_A_CONTEXT == 0) {
			assert_int_equal(tsr_close(ctx), 0);
			ctx = tsr_open(.devices = 8, .log = log_nothing);
		}
		assert_true(recipe_deal_make(&d, (uint64_t)(first + k), &limits));
		mistakes += d.r.missing > 0;
		nested += d.r.nregions > 2;
		mixed += d.r.mixed;
		if (draw_matches(ctx, &d, one, why, sizeof why)) continue;
		if (++failures <= FAILURES_SHOWN) print_error("TSR_SEED=%d: %s\n", first + k, why);
		tsr_clear(ctx);
	}
	assert_int_equal(tsr_close(ctx), 0);
	print_message(
		"%d draws: %d must fail, %d have maps in maps, %d of them checked otherwise\n",
		draws, mistakes, nested, mixed);
	if (failures) fail_msg("%d of %d draws failed", failures, draws);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_sampled)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
