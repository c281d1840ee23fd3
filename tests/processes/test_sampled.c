/* test_sampled.c - random programs (support/recipe.h) give in several processes the bits that they
 * give in one: collectives over all axes, loops, choices, maps in maps, derivatives, random
 * numbers. The processes are threads; where they are three, each has two workers.
 *
 * TSR_SEED=n in the environment runs that draw alone; TSR_FIRST and TSR_DRAWS choose others. */
#include "runtime/runtime.h"
#include "../tools/conform/threads.h"
#include "support/part.h"
#include "support/recipe.h"
#include "support/quiet.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

enum { FIRST = 100, DRAWS = 60, MOST = RECIPE_OUTS * RECIPE_SIZE };

typedef struct sample { /* a draw, and what it gives in one process */
	uint64_t seed;
	recipe_deal deal;
	double result[MOST];
	size_t n;
} sample;

typedef struct job {
	sample **all;
	int n, processes; /* 0: one process, whose results are kept */
	const char *engine;
	_Atomic int faults;
} job;

static void say(job *j, const sample *s, int rank, const char *why)
{
	fprintf(stderr, "TSR_SEED=%llu, engine %s, process %d of %d: %s\n",
	        (unsigned long long)s->seed, j->engine, rank, j->processes, why);
	j->faults++;
}

/* false: the context cannot go on */
static bool run_one(tsr_ctx *ctx, job *j, sample *s, int rank)
{
	TSR_SCOPE(ctx);
	const region *g = &s->deal.r.region[0];
	tsr *in[RECIPE_INS], *out[RECIPE_OUTS];
	double got[MOST];
	size_t n = 0;

	recipe_inputs(ctx, &s->deal, TSR_F64, in);
	recipe_run(ctx, &s->deal.r, TSR_F64, in, out);
	for (int k = 0; k < g->nout && !tsr_status(ctx); k++) {
		tsr *whole = tsr_gather_whole(out[k]);
		const size_t size = (size_t)tsr_size(whole);
		if (n + size > MOST || !tsr_read(whole, got + n, size * sizeof *got)) break;
		n += size;
	}
	if (!j->processes) {
		memcpy(s->result, got, n * sizeof *got);
		s->n = n;
	}
	if (!n && !tsr_status(ctx)) say(j, s, rank, "no results");
	if (tsr_status(ctx)) {
		say(j, s, rank, tsr_message(ctx));
		const bool dead = tsr_status(ctx) == TSR_ERROR_PROCESS;
		tsr_clear(ctx);
		return !dead;
	}
	if (n != s->n || memcmp(got, s->result, n * sizeof *got) != 0)
		say(j, s, rank, "other numbers than in one process");
	return true;
}

static void on_rank(const threads_place *at, void *of)
{
	static const int thirds[] = {3, 3, 2};
	job *j = of;
	const bool three = at && at->size == 3;
	const tsr_open_args args = {.size = sizeof args,
	                            .devices = RECIPE_DEVICES,
	                            .devices_here = three ? thirds[at->rank] : 0,
	                            .workers = three ? 2 : 1,
	                            .log = log_nothing,
	                            /* compiles at once; and shares whatever can be shared */
	                            .debug = three ? "cw" : "c",
	                            .engine = j->engine};
	tsr_ctx *ctx =
		at ? ctx_open(TSR_HERE, &args, 1, &threads_comm, at) : tsr_open_at(TSR_HERE, &args);

	for (int i = 0; i < j->n; i++)
		if (!run_one(ctx, j, j->all[i], at ? at->rank : 0)) break;
	tsr_close(ctx);
}

static void test_sampled(void **state)
{
	(void)state;
	static const char *const engines[] = {"interp", "cpu"};
	const bool one = getenv("TSR_SEED") != NULL;
	const int first = number_from("TSR_SEED", number_from("TSR_FIRST", FIRST));
	const int draws = one ? 1 : number_from("TSR_DRAWS", DRAWS);
	job j = {.all = calloc((size_t)draws, sizeof *j.all)};

	for (int i = 0; i < draws; i++) {
		sample *s = calloc(1, sizeof *s);
		s->seed = (uint64_t)(first + i);
		assert_true(recipe_deal_make(&s->deal, s->seed, &(recipe_limits){0}));
		if (one) recipe_print(&s->deal.r, stdout);
		j.all[j.n++] = s;
	}
	for (size_t e = 0; e < ARRAY_LEN(engines); e++) {
		j.engine = engines[e];
		j.processes = 0;
		on_rank(NULL, &j);
		for (j.processes = 2; j.processes <= 3; j.processes++) {
			threads_world *w = threads_world_make(j.processes, j.processes == 3, e);
			threads_run(w, on_rank, &j);
			threads_world_free(w);
		}
	}
	for (int i = 0; i < j.n; i++) free(j.all[i]);
	free(j.all);
	assert_int_equal(j.faults, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_sampled)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
