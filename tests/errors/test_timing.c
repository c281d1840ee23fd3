/* test_timing.c - calls that cannot be measured, and the figures of empty measurements. */
#include "support/mistakes.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#define A TSR_ERROR_ARGUMENT
#define S TSR_ERROR_SHARDING
#define D TSR_DIMS

static tsr *same(tsr *x) { return x; }
static tsr *both(tsr *x, tsr *y) { return tsr_add(x, y); }

/* nothing was measured, and that has no line either */
static tsr *nothing_of(const world *w, tsr_timing t)
{
	const bool nothing = t.size == sizeof t && !t.runs && !t.loops && isnan(t.mean) &&
	                     isnan(t.deviation) && isnan(t.least) && isnan(t.most);

	return nothing && !*tsr_timing_text(w->ctx, t) ? NULL : w->a;
}

/* NAME(w): the wrong call is CALL */
#define CASE(NAME, CALL) \
	static tsr *NAME(world *w) { return nothing_of(w, WRONG(w, CALL)); }
CASE(no_runs, tsr_time(0, 5, tsr_jit(w->ctx, same), w->a))
CASE(loops_below_0, tsr_time(3, -5, tsr_jit(w->ctx, same), w->a))
CASE(donated, tsr_time(3, 5, tsr_jit(w->ctx, both, .name = "eats", .donate = D(1)), w->a, w->a))
CASE(donated_to_a_pmap, tsr_time(3, 5, tsr_pmap(w->ctx, same, .donate = D(0)), w->i))
CASE(no_argument, tsr_time(3, 5, tsr_jit(w->ctx, same)))
CASE(null_argument, tsr_time(3, 5, tsr_jit(w->ctx, same), (tsr *)NULL))

static world *outside;
static tsr *measures(tsr *x)
{
	nothing_of(outside, WRONG(outside, tsr_time(1, 1, tsr_jit(outside->ctx, same), x)));
	return x;
}
static tsr *inside_a_body(world *w)
{
	outside = w;
	(void)!tsr_call(tsr_jit(w->ctx, measures), w->a);
	return NULL;
}

static tsr *text_of_numbers(world *w)
{
	const tsr_timing t = {sizeof t, 3, 5, -1, 0, 0, 0};
	return *WRONG(w, tsr_timing_text(w->ctx, t)) ? w->a : NULL;
}

/* ---- collectives */

#define BENCH(NAME, MESH, AXIS, X) \
	static tsr *NAME(world *w) \
	{ \
		WRONG(w, (void)0), tsr_bench_collectives(MESH, AXIS, X); \
		return NULL; \
	}
static const char *const no_axis;
BENCH(bench_of_no_mesh, NULL, "x", w->a)
BENCH(bench_of_null, w->mesh, "x", NULL)
BENCH(bench_of_no_axis, w->mesh, "z", w->a)
BENCH(bench_of_null_axis, w->mesh, no_axis, w->a)
BENCH(bench_of_empty_axis, w->mesh, "", w->a)
BENCH(bench_of_a_product, w->mesh, "x*z", w->a)
BENCH(bench_of_a_scalar, w->mesh, "x", tsr_sum(w->a))
BENCH(bench_of_bools, w->mesh, "x", tsr_gt(w->i, 1))
BENCH(bench_of_six, w->mesh, "x", w->v)
BENCH(bench_elsewhere, w->mesh, "x", w->elsewhere)

static tsr *benches(tsr *x)
{
	WRONG(outside, (void)0), tsr_bench_collectives(outside->mesh, "x", x);
	return x;
}
static tsr *bench_inside_a_body(world *w)
{
	outside = w;
	(void)!tsr_call(tsr_jit(w->ctx, benches), w->a);
	return NULL;
}

static const mistake table[] = {
	MISTAKE(no_runs, A, "time", "runs = 0"),
	MISTAKE(loops_below_0, A, "time", "loops = -5"),
	MISTAKE(donated, A, "time", "eats donates argument 1", "after the first loop", ".donate"),
	MISTAKE(donated_to_a_pmap, A, "donates argument 0"),
	MISTAKE(no_argument, A, "same", "1"),
	MISTAKE(null_argument, TSR_ERROR_HANDLE, "args[0] is NULL"),
	MISTAKE(inside_a_body, TSR_ERROR_HANDLE, "time", "outside of bodies"),
	MISTAKE(text_of_numbers, A, "timing_text", "tsr_time()"),
	MISTAKE(bench_of_no_mesh, A, "bench_collectives", "TSR_MESH"),
	MISTAKE(bench_of_null, TSR_ERROR_HANDLE, "bench_collectives"),
	MISTAKE(bench_of_no_axis, S, "bench_collectives", "\"z\"", "'x': 4"),
	MISTAKE(bench_of_null_axis, S, "bench_collectives", "NULL"),
	MISTAKE(bench_of_empty_axis, S, "bench_collectives", "empty"),
	MISTAKE(bench_of_a_product, S, "bench_collectives", "\"x*z\""),
	MISTAKE(bench_of_a_scalar, TSR_ERROR_TYPE, "bench_collectives", "f32[]"),
	MISTAKE(bench_of_bools, TSR_ERROR_TYPE, "bench_collectives", "bool[8]"),
	MISTAKE(bench_of_six, S, "bench_collectives", "4 devices", "f32[6]"),
	MISTAKE(bench_elsewhere, TSR_ERROR_HANDLE, "another context"),
	MISTAKE(bench_inside_a_body, TSR_ERROR_HANDLE, "bench_collectives", "outside of bodies"),
};

static void test_timing(void **state)
{
	(void)state;
	assert_int_equal(mistakes_check("test_timing.c", table, sizeof table / sizeof *table), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_timing)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
