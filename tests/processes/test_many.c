/* test_many.c - one process of 65,536 opens a context and compiles and runs a product of matrices
 * that are spread over all devices: in less than a second of its processor, and 64 MiB. The others
 * are not there (support/comm_record.h). */
#include "runtime/runtime.h"
#include "support/comm_record.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <cmocka.h>

enum { SIDE = 256, RANKS = SIDE * SIDE };

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static tsr *product(tsr *a, tsr *b) { return tsr_psum(tsr_matmul(a, b), "y"); }

static void one_of_many(void **state)
{
	record_place at = {.rank = RANKS / 2, .size = RANKS};
	const tsr_open_args args = {.size = sizeof args,
	                            .devices = RANKS,
	                            .engine = "interp",
	                            .workers = 1};
	const double began = seconds();
	tsr_ctx *ctx = ctx_open(TSR_HERE, &args, 1, &record_comm, &at);
	tsr_mesh *grid = tsr_mesh_make(ctx, {"x", SIDE}, {"y", SIDE});
	tsr *a = tsr_put(tsr_ones(ctx, TSR_DIMS(8 * SIDE, 8 * SIDE)), grid, TSR_P("x", "y"));
	tsr *b = tsr_put(tsr_ones(ctx, TSR_DIMS(8 * SIDE, 16)), grid, TSR_P("y"));
	tsr *c = tsr_call(tsr_shard_map(grid, product, .sig = "[x,y] [y,-] -> [x,-]"), a, b);

	(void)state;
	assert_false(tsr_is_poison(c));
	const double took = seconds() - began;
	const double bytes = (double)tsr_memory(ctx).peak;
	printf("%d processes: %.3f s, %.1f MiB\n", RANKS, took, bytes / (1 << 20));
	assert_true(took < 1 && bytes < 64 << 20);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(one_of_many)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
