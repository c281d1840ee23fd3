/* test_many.c - one process of 65,536, without the others (support/comm_record.h). It opens a
 * context, and compiles and runs a product of matrices that are spread over all devices, in less
 * than a second of its processor and 64 MiB of memory, with the compiler. It brings arrays from one
 * placement to others in the time that its own messages take. */
#include "runtime/runtime.h"
#include "support/comm_record.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>
#include <cmocka.h>

enum { SIDE = 256, RANKS = SIDE * SIDE };

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double resident_mib(void)
{
	struct rusage use;

	getrusage(RUSAGE_SELF, &use);
	return (double)use.ru_maxrss / 1024;
}

static tsr_ctx *open_one(record_place *at, const char *engine)
{
	const tsr_open_args args = {.size = sizeof args,
	                            .devices = RANKS,
	                            .engine = engine,
	                            .plugin_dir = PLUGIN_DIR,
	                            .debug = "c",
	                            .workers = 1};

	return ctx_open(TSR_HERE, &args, 1, &record_comm, at);
}

static tsr *matmul(tsr *a, tsr *b) { return tsr_psum(tsr_dot(a, b), "y"); }

/* the blocks of a process are those of examples/matmul.c: f32[2,8] and f32[8,4] */
static void one_of_many(void **state)
{
	record_place at = {.rank = RANKS / 2 + 77, .size = RANKS};
	const double began = seconds();
	tsr_ctx *ctx = open_one(&at, "cpu");
	tsr_mesh *grid = tsr_mesh_make(ctx, {"x", SIDE}, {"y", SIDE});
	tsr *a = tsr_put(tsr_ones(ctx, TSR_DIMS(2 * SIDE, 8 * SIDE)), grid, TSR_P("x", "y"));
	tsr *b = tsr_put(tsr_ones(ctx, TSR_DIMS(8 * SIDE, 4)), grid, TSR_P("y"));
	tsr_fn *product = tsr_shard_map(grid, matmul, .sig = "[x,y] [y,-] -> [x,-]");

	(void)state;
	assert_false(tsr_is_poison(tsr_call(product, a, b)));
	const double took = seconds() - began, own = (double)tsr_memory(ctx).peak / (1 << 20);
	printf("%d processes: %.3f s, %.1f MiB, of which %.1f are the context's\n", RANKS, took,
	       resident_mib(), own);
	assert_true(took < 1 && resident_mib() < 64);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* No call looks at all devices: a hundred of each take less than looking at them once would. What
 * a process sends to all, and where all is whole, is as much as that by itself */
static void puts_of_many(void **state)
{
	record_place at = {.rank = RANKS / 2 + 77, .size = RANKS};
	tsr_ctx *ctx = open_one(&at, "interp");
	tsr_mesh *grid = tsr_mesh_make(ctx, {"x", SIDE}, {"y", SIDE});
	tsr_mesh *line = tsr_mesh_make(ctx, {"z", RANKS});
	const struct placement {
		const char *name;
		tsr_mesh *mesh;
		tsr_spec spec;
	} to[] = {{"[y,x]", grid, TSR_SPEC("y", "x")},   {"[x]", grid, TSR_SPEC("x")},
	          {"[-,y]", grid, TSR_SPEC(NULL, "y")},  {"[z]", line, TSR_SPEC("z")},
	          {"[y*x]", grid, TSR_SPEC("y*x")},      {"[-,x*y]", grid, TSR_SPEC(NULL, "x*y")},
	          {"[x,y]", grid, TSR_SPEC("x", "y")}};
	tsr *x = tsr_put(tsr_ones(ctx, TSR_DIMS(SIDE, SIDE)), grid, TSR_P("x", "y"));

	(void)state;
	for (int turn = 0; turn < 2; turn++)
		for (size_t i = 0; i < ARRAY_LEN(to); i++) {
			const int times = turn ? 100 : 1; /* at first teams are found */
			const int64_t before = at.n;
			const double began = seconds();
			for (int k = 0; k < times; k++) {
				tsr_scope *s = tsr_scope_open(ctx);
				assert_false(tsr_is_poison(tsr_put(x, to[i].mesh, to[i].spec)));
				tsr_scope_close(s);
			}
			const double us = (seconds() - began) * 1e6 / times;
			printf("%-8s %8.1f us, %lld messages\n", to[i].name, us,
			       (long long)(at.n - before) / times);
			assert_true(!turn || us < 2000);
			if (turn) x = tsr_put(x, to[i].mesh, to[i].spec);
		}
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_of_many),
		cmocka_unit_test(puts_of_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
