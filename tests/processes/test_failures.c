/* test_failures.c - a failure in one process is known in all, with the process and the line; and
 * the context is as good as before, or ends everywhere. The processes are threads. */
#include "runtime/runtime.h"
#include "../tools/conform/threads.h"
#include "tsr/engine/test.h"
#include "support/quiet.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <cmocka.h>

static _Atomic int wrong;

static void not_so(int line, const char *what, const char *in)
{
	atomic_fetch_add(&wrong, 1);
	fprintf(stderr, "%s:%d: not so: %s%s%s\n", __FILE__, line, what, in ? ", in " : "",
	        in ? in : "");
}

/* cmocka's own assertions leave by longjmp, which a thread cannot */
#define EXPECT(x) ((x) ? (void)0 : not_so(__LINE__, #x, NULL))
#define EXPECT_TEXT(ctx, text) \
	(strstr(tsr_message(ctx), text) ? (void)0 : not_so(__LINE__, text, tsr_message(ctx)))

typedef struct job {
	void (*run)(tsr_ctx *, int rank);
	const char *engine;
	int code; /* of tsr_close */
} job;

static void on_rank(const threads_place *at, void *of)
{
	const job *j = of;
	const tsr_open_args args = {.size = sizeof args,
	                            .devices = 2 * at->size,
	                            .workers = 1,
	                            .log = log_nothing,
	                            .debug = "c", /* compiles at once */
	                            .engine = j->engine};
	tsr_ctx *ctx = ctx_open(TSR_HERE, &args, 1, &threads_comm, at);

	j->run(ctx, at->rank);
	const int code = tsr_close(ctx);
	EXPECT(j->code < 0 || code == j->code);
}

static void on_each(void (*run)(tsr_ctx *, int rank), int ranks, int code)
{
	static const char *const engines[] = {"interp", "cpu"};

	for (size_t e = 0; e < ARRAY_LEN(engines); e++) {
		threads_world *w = threads_world_make(ranks, 0, 1 + e);
		threads_run(w, on_rank, &(job){run, engines[e], code});
		threads_world_free(w);
	}
	assert_int_equal(atomic_exchange(&wrong, 0), 0);
}

/* ---- programs */

static tsr_mesh *line_of(tsr_ctx *ctx) { return tsr_mesh_make(ctx, {"x", tsr_device_count(ctx)}); }

static tsr *numbers_on(tsr_ctx *ctx, tsr_mesh *line)
{
	return tsr_put(tsr_arange(ctx, 4 * tsr_device_count(ctx), .dtype = TSR_F32), line,
	               TSR_P("x"));
}

static tsr *exchange_twice(tsr *x)
{
	return tsr_mul(tsr_psum(tsr_sum(tsr_ppermute(x, "x", TSR_SHIFT(1))), "x"), 2);
}

static tsr *sum_all(tsr *x) { return tsr_psum(tsr_sum(x), "x"); }

/* does the context compute as if nothing had happened? */
static void expect_well(tsr_ctx *ctx)
{
	TSR_SCOPE(ctx);
	const double n = 4.0 * (double)tsr_device_count(ctx);
	tsr_mesh *line = line_of(ctx);
	tsr *y = tsr_call(tsr_shard_map(line, sum_all, .sig = "[x] -> []"), numbers_on(ctx, line));

	if (tsr_status(ctx)) not_so(__LINE__, "all is well", tsr_message(ctx));
	EXPECT(tsr_item(y) == n * (n - 1) / 2);
}

/* ---- a callback fails in one process, between exchanges */

static bool fails_on_device_3(const tsr_host_call *c)
{
	const float *x = c->in[0];

	*(float *)c->out[0] = *x;
	return *x != 12 || (tsr_fail(c->ctx, "12 is bad luck"), false);
}

static _Thread_local tsr_fn *unlucky;

static tsr *exchange_and_call(tsr *x)
{
	tsr *before = tsr_psum(x, "x"), *y = tsr_call(unlucky, tsr_index(x, 0, 0));

	return tsr_psum(tsr_add(y, tsr_sum(before)), "x");
}

static void callback_fails(tsr_ctx *ctx, int rank)
{
	tsr_mesh *line = line_of(ctx);
	tsr *x = numbers_on(ctx, line);

	unlucky = tsr_pure_callback(ctx, fails_on_device_3,
	                            .results = TSR_RESULTS({TSR_F32, TSR_DIMS()}));
	tsr_fn *f = tsr_shard_map(line, exchange_and_call, .sig = "[x] -> []");
	for (int round = 0; round < 3; round++) {
		EXPECT(tsr_is_poison(tsr_call(f, x)));
		EXPECT(tsr_status(ctx) == TSR_ERROR_USER);
		EXPECT_TEXT(ctx, "rank 1: 12 is bad luck");
		tsr_clear(ctx);
		expect_well(ctx);
	}
	(void)rank;
}

/* ---- a number is not finite in one process: in a region of its own, in one after an exchange, in
 * a loop, in plain code, and outside of bodies */

static tsr *checked(tsr *x)
{
	tsr_check_finite(x, "the loss");
	return x;
}

static tsr *without_12(tsr *x) { return checked(tsr_div(x, tsr_sub(x, 12))); }

static tsr *checked_in_between(tsr *x)
{
	tsr *y = without_12(tsr_ppermute(tsr_ppermute(x, "x", TSR_SHIFT(1)), "x", TSR_SHIFT(-1)));

	return tsr_add(x, tsr_psum(tsr_sum(y), "x"));
}

static tsr *checked_turn(tsr *i, tsr *x)
{
	return tsr_add(tsr_ppermute(x, "x", TSR_SHIFT(1)),
	               tsr_mul(0, without_12(tsr_where(tsr_eq(i, 5), x, 0))));
}

static tsr *checked_in_turn(tsr *x) { return tsr_fori(0, 9, checked_turn, x); }

static void expect_not_finite(tsr_ctx *ctx, const char *says)
{
	EXPECT(tsr_status(ctx) == TSR_ERROR_USER);
	EXPECT_TEXT(ctx, says);
	EXPECT_TEXT(ctx, "test_failures.c:");
	tsr_clear(ctx);
	expect_well(ctx);
}

static void check_fails(tsr_ctx *ctx, int rank)
{
	tsr_mesh *line = line_of(ctx);
	tsr *x = numbers_on(ctx, line);
	const struct {
		tsr *(*body)(tsr *);
		const char *says;
	} regions[] = {
		{without_12, "rank 1: check_finite: the loss, f32[4], has inf at [0], on the "
	                     "device at x=3"},
		{checked_in_between, "rank 1: check_finite: the loss, f32[4], has inf at [0], on "
	                             "the device at x=3"},
		{checked_in_turn, "rank 1: check_finite: the loss, f32[4], has inf at [0], on the "
	                          "device at x=2"},
	};

	for (size_t i = 0; i < ARRAY_LEN(regions); i++) {
		tsr_fn *f = tsr_shard_map(line, regions[i].body, .sig = "[x] -> [x]");
		for (int round = 0; round < 2; round++) {
			EXPECT(tsr_is_poison(tsr_call(f, x)));
			expect_not_finite(ctx, regions[i].says);
		}
	}
	/* all of the numbers, which the process of the first device is sent */
	static const char *const whole = "rank 0: check_finite: the loss, f32[24], has inf at [12]";
	EXPECT(tsr_is_poison(tsr_call(tsr_jit(ctx, without_12), x)));
	expect_not_finite(ctx, whole);
	without_12(x);
	expect_not_finite(ctx, whole);
	(void)rank;
}

/* ---- in a loop that only exchanges: the others are some turns ahead or behind */

static tsr *turn(tsr *i, tsr *x)
{
	(void)i;
	tsr *y = tsr_ppermute(x, "x", TSR_SHIFT(1));
	return tsr_add(y, tsr_mul(0, tsr_call(unlucky, tsr_index(y, 0, 0))));
}

static tsr *many_turns(tsr *x) { return tsr_fori(0, 50, turn, x); }

static bool fails_late(const tsr_host_call *c)
{
	static _Thread_local int calls;

	*(float *)c->out[0] = 0;
	return ++calls % 37 || (tsr_fail(c->ctx, "late"), false);
}

static void loop_fails(tsr_ctx *ctx, int rank)
{
	tsr_mesh *line = line_of(ctx);
	tsr *x = numbers_on(ctx, line);
	static tsr_host_fn *const all[] = {fails_on_device_3, fails_late};

	unlucky = tsr_pure_callback(ctx, all[rank == 2], .name = "unlucky",
	                            .results = TSR_RESULTS({TSR_F32, TSR_DIMS()}));
	tsr_fn *f = tsr_shard_map(line, many_turns, .sig = "[x] -> [x]");
	EXPECT(tsr_is_poison(tsr_call(f, x)));
	EXPECT_TEXT(ctx, "rank ");
	tsr_clear(ctx);
	expect_well(ctx);
}

/* ---- no memory in one process: in a call, all get its error, and go on; where it has left out a
 * call because of that, all end */

static int64_t request;

static void memory_fails(tsr_ctx *ctx, int rank)
{
	tsr_mesh *line = line_of(ctx);
	tsr *x = numbers_on(ctx, line);
	tsr_fn *f = tsr_shard_map(line, sum_all, .sig = "[x] -> []");

	tsr_call(f, x); /* rank 1 may have ended all before another one sees that this went well */
	if (rank == 1) tsr__fail_memory(ctx, request);
	tsr *y = tsr_call(f, x);
	tsr__fail_memory(ctx, -1);
	if (rank != 1 && tsr_is_poison(y)) EXPECT_TEXT(ctx, "rank 1");
	if (tsr_status(ctx) == TSR_ERROR_PROCESS) return;
	tsr_clear(ctx);
	y = tsr_call(f, x);
	if (tsr_is_poison(y)) EXPECT_TEXT(ctx, "rank 1");
}

/* ---- different calls */

static tsr *twice(tsr *x) { return tsr_psum(tsr_mul(x, 2), "x"); }
static tsr *thrice(tsr *x) { return tsr_psum(tsr_mul(x, 3), "x"); }

static void literals_differ(tsr_ctx *ctx, int rank)
{
	tsr_mesh *line = line_of(ctx);
	tsr *x = numbers_on(ctx, line);

	expect_well(ctx);
	tsr_fn *f = rank == 1 ? tsr_shard_map(line, thrice, .sig = "[x] -> []")
	                      : tsr_shard_map(line, twice, .sig = "[x] -> []");
	EXPECT(tsr_is_poison(tsr_call(f, x)));
	EXPECT(tsr_status(ctx) == TSR_ERROR_PROCESS);
	EXPECT_TEXT(ctx, "call 2 differs: ranks 0, 2 run ");
	EXPECT_TEXT(ctx, "rank 1 runs");
	EXPECT_TEXT(ctx, "test_failures.c:");
	EXPECT_TEXT(ctx, "thrice");
}

/* rows of an array become columns on each device, or are all on each */
static void shardings_differ(tsr_ctx *ctx, int rank)
{
	tsr_mesh *line = line_of(ctx);
	const int64_t n = tsr_device_count(ctx);
	tsr *all = tsr_reshape(tsr_arange(ctx, n * n), TSR_DIMS(n, n));
	tsr *rows = tsr_put(all, line, TSR_P("x"));

	expect_well(ctx);
	EXPECT(tsr_is_poison(tsr_put(rows, line, rank == 1 ? TSR_P() : TSR_P(NULL, "x"))));
	EXPECT(tsr_status(ctx) == TSR_ERROR_PROCESS);
	EXPECT_TEXT(ctx, "call 2 differs: ranks 0, 2 run ");
	EXPECT_TEXT(ctx, "rank 1 runs");
	EXPECT_TEXT(ctx, "test_failures.c:");
}

static void one_closes(tsr_ctx *ctx, int rank)
{
	if (rank == 0) return;
	tsr_mesh *line = line_of(ctx);
	EXPECT(tsr_is_poison(
		tsr_call(tsr_shard_map(line, twice, .sig = "[x] -> []"), numbers_on(ctx, line))));
	EXPECT_TEXT(ctx, "rank 0 runs \"tsr_close\"");
}

/* as an if (rank == 0) around it does; the others close */
static void one_computes(tsr_ctx *ctx, int rank)
{
	if (rank != 0) return;
	tsr_mesh *line = line_of(ctx);
	EXPECT(tsr_is_poison(
		tsr_call(tsr_shard_map(line, twice, .sig = "[x] -> []"), numbers_on(ctx, line))));
	EXPECT_TEXT(ctx, "call 1 differs: rank 0 runs \"twice\" (");
	EXPECT_TEXT(ctx, "ranks 1-2 run \"tsr_close\"");
}

static void one_goes_alone(tsr_ctx *ctx, int rank)
{
	tsr_mesh *line = line_of(ctx);
	tsr *x = numbers_on(ctx, line);

	if (rank == 0) EXPECT(tsr_is_poison(tsr_gather_whole(x)));
	EXPECT(tsr_is_poison(tsr_call(tsr_shard_map(line, twice, .sig = "[x] -> []"), x)));
	EXPECT_TEXT(ctx, "rank 0 runs \"put\"");
}

/* ---- a collective that devices of one process reach and those of another do not */

static tsr *exchanged(tsr *x) { return tsr_psum(x, "x"); }
static tsr *kept(tsr *x) { return x; }

static tsr *different_ways(tsr *x)
{
	return tsr_cond(tsr_gt(tsr_axis_index(x, "x"), 1), exchanged, kept, x);
}

static void ways_differ(tsr_ctx *ctx, int rank)
{
	tsr_mesh *line = line_of(ctx);
	tsr_fn *f = tsr_shard_map(line, different_ways, .sig = "[x] -> [x]", .unchecked = true);

	EXPECT(tsr_is_poison(tsr_call(f, numbers_on(ctx, line))));
	EXPECT(tsr_status(ctx) == TSR_ERROR_SHARDING);
	EXPECT_TEXT(ctx, "an exchange is reached by this process");
	EXPECT_TEXT(ctx, "rank ");
	tsr_clear(ctx);
	expect_well(ctx);
	(void)rank;
}

/* ---- cancelled in one process, which is in a loop with all others */

static bool cancels(const tsr_host_call *c)
{
	static _Thread_local int calls;

	*(float *)c->out[0] = 0;
	if (++calls == 20) tsr_cancel(c->ctx);
	return true;
}

static bool goes_on(const tsr_host_call *c) { return *(float *)c->out[0] = 0, true; }

static void one_cancels(tsr_ctx *ctx, int rank)
{
	tsr_mesh *line = line_of(ctx);

	unlucky = tsr_pure_callback(ctx, rank == 2 ? cancels : goes_on, .name = "unlucky",
	                            .results = TSR_RESULTS({TSR_F32, TSR_DIMS()}));
	tsr_fn *f = tsr_shard_map(line, many_turns, .sig = "[x] -> [x]");
	EXPECT(tsr_is_poison(tsr_call(f, numbers_on(ctx, line))));
	EXPECT(tsr_status(ctx) == TSR_ERROR_CANCELLED);
	EXPECT_TEXT(ctx, "rank 2: the run was cancelled");
	tsr_clear(ctx);
	expect_well(ctx);
}

/* ---- a callback leaves the program of all by longjmp */

static _Thread_local jmp_buf out_of_it;

static bool leaves(const tsr_host_call *c)
{
	if (*(const float *)c->in[0] == 12) longjmp(out_of_it, 1);
	return *(float *)c->out[0] = 0, true;
}

static void one_leaves(tsr_ctx *ctx, int rank)
{
	tsr_mesh *line = line_of(ctx);
	tsr *x = numbers_on(ctx, line);

	unlucky = tsr_pure_callback(ctx, leaves, .results = TSR_RESULTS({TSR_F32, TSR_DIMS()}));
	tsr_fn *f = tsr_shard_map(line, many_turns, .sig = "[x] -> [x]");
	if (!setjmp(out_of_it)) EXPECT(tsr_is_poison(tsr_call(f, x)));
	EXPECT(tsr_status(ctx) == TSR_ERROR_USER);
	EXPECT_TEXT(ctx, "a callback left the program by longjmp");
	tsr_clear(ctx);
	expect_well(ctx);
	(void)rank;
}

/* ---- comms that break: noticed, or harmless; no wrong result, and nobody waits for ever */

static void on_broken(tsr_ctx *ctx, int rank)
{
	const double n = 4.0 * (double)tsr_device_count(ctx);
	tsr_mesh *line = line_of(ctx);
	tsr_fn *f = tsr_shard_map(line, exchange_twice, .sig = "[x] -> []");

	for (int i = 0; i < 3; i++) {
		tsr *y = tsr_call(f, numbers_on(ctx, line));
		EXPECT(tsr_is_poison(y) ? tsr_status(ctx) == TSR_ERROR_PROCESS ||
		                                  tsr_status(ctx) == TSR_ERROR_SHARDING
		                        : tsr_item(y) == n * (n - 1));
	}
	(void)rank;
}

static void on_broken_rank(const threads_place *at, void *of)
{
	const tsr_open_args args = {.size = sizeof args,
	                            .devices = 2 * at->size,
	                            .engine = "interp",
	                            .log = log_nothing,
	                            .workers = 1,
	                            .wait_limit = 0.3};
	int code = 0;
	tsr_open_args own = args;

	(void)of;
	own.code = &code;
	tsr_ctx *ctx = ctx_open(TSR_HERE, &own, 1, &threads_comm, at);
	if (!code) on_broken(ctx, at->rank);
	tsr_close(ctx);
}

static void test_broken(void **state)
{
	static const fault faults[] = {FAULT_LOSE, FAULT_SWAP, FAULT_SHORT, FAULT_REFUSE};

	(void)state;
	for (size_t k = 0; k < ARRAY_LEN(faults); k++)
		for (int64_t message = 1; message < 60; message += 19) {
			threads_world *w = threads_world_make(3, 0, 0);
			threads_world_break(w, faults[k], message);
			threads_run(w, on_broken_rank, NULL);
			threads_world_free(w);
		}
	assert_int_equal(atomic_exchange(&wrong, 0), 0);
}

/* ---- a call of two processes meets one of all three */

static void teams_differ(tsr_ctx *ctx, int rank)
{
	tsr_mesh *line = rank == 1 ? tsr_mesh_make(ctx, {"x", 4}) : line_of(ctx);
	tsr_fn *f = tsr_shard_map(line, twice, .sig = "[x] -> []");

	EXPECT(tsr_is_poison(
		tsr_call(f, tsr_put(tsr_arange(ctx, 24, .dtype = TSR_F32), line, TSR_P("x")))));
	EXPECT(tsr_status(ctx) == TSR_ERROR_PROCESS);
	EXPECT_TEXT(ctx, "a call of other processes");
}

/* ---- reading what is elsewhere */

static void reading(tsr_ctx *ctx, int rank)
{
	float data[64];
	tsr *x = numbers_on(ctx, line_of(ctx));

	EXPECT(!tsr_read(x, data, sizeof *data * (size_t)tsr_size(x)));
	EXPECT(tsr_status(ctx) == TSR_ERROR_UNSUPPORTED);
	EXPECT_TEXT(ctx, "tsr_gather_whole()");
	tsr_clear(ctx);
	tsr_print(x);
	EXPECT_TEXT(ctx, "tsr_gather_whole()");
	tsr_clear(ctx);
	EXPECT(tsr_read(tsr_gather_whole(x), data, sizeof *data * (size_t)tsr_size(x)));
	EXPECT(data[5] == 5);
	(void)rank;
}

static void test_callback(void **state)
{
	(void)state;
	on_each(callback_fails, 3, TSR_OK);
}
static void test_checks(void **state)
{
	(void)state;
	on_each(check_fails, 3, TSR_OK);
}
static void test_loop(void **state)
{
	(void)state;
	on_each(loop_fails, 3, TSR_OK);
}
static void test_memory(void **state)
{
	(void)state;
	for (request = 1; request < 25; request++) on_each(memory_fails, 3, -1);
}
static void test_literals(void **state)
{
	(void)state;
	on_each(literals_differ, 3, TSR_ERROR_PROCESS);
	on_each(shardings_differ, 3, TSR_ERROR_PROCESS);
}
static void test_close(void **state)
{
	(void)state;
	on_each(one_closes, 3, TSR_ERROR_PROCESS);
}
static void test_alone(void **state)
{
	(void)state;
	on_each(one_computes, 3, TSR_ERROR_PROCESS);
	on_each(one_goes_alone, 3, TSR_ERROR_PROCESS);
}
static void test_ways(void **state)
{
	(void)state;
	on_each(ways_differ, 2, TSR_OK);
}
static void test_cancel(void **state)
{
	(void)state;
	on_each(one_cancels, 3, TSR_OK);
}
static void test_leaves(void **state)
{
	(void)state;
#ifdef __SANITIZE_ADDRESS__
	skip(); /* what an interpreted program held is lost (docs/errors-and-memory.md) */
#endif
	on_each(one_leaves, 3, TSR_OK);
}
static void test_teams(void **state)
{
	(void)state;
	on_each(teams_differ, 3, TSR_ERROR_PROCESS);
}
static void test_reading(void **state)
{
	(void)state;
	on_each(reading, 3, TSR_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_callback), cmocka_unit_test(test_loop),
		cmocka_unit_test(test_memory),   cmocka_unit_test(test_literals),
		cmocka_unit_test(test_close),    cmocka_unit_test(test_alone),
		cmocka_unit_test(test_ways),     cmocka_unit_test(test_cancel),
		cmocka_unit_test(test_leaves),   cmocka_unit_test(test_broken),
		cmocka_unit_test(test_teams),    cmocka_unit_test(test_reading),
		cmocka_unit_test(test_checks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
