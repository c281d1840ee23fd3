/* test_progress.c - a process that waits for others makes progress while the engine cpu computes:
 * between steps, between pieces of work, and in loops that are machine code otherwise. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include "runtime/runtime.h"
#include <cmocka.h> /* after base.h: it takes the name fail */

enum { RUNS = 20, TURNS = 1000 };

typedef struct watcher {
	pthread_t caller;
	int64_t calls, elsewhere;
} watcher;

static void watch_run(void *user, engine_run *run)
{
	watcher *w = user;

	(void)run;
	w->calls++;
	w->elsewhere += !pthread_equal(pthread_self(), w->caller);
}

static tsr *large(tsr *x) { return tsr_sin(tsr_mul(x, 2.0)); }
static tsr *turn(tsr *i, tsr *x) { return tsr_add(tsr_mul(x, 0.5), tsr_mul(i, 0)); }
static tsr *loop(tsr *x) { return tsr_fori(0, TURNS, turn, x); }

/* calls of RUNS runs */
static int64_t calls_of(tsr *(*body)(tsr *), int64_t n, const char *debug, int workers)
{
	tsr_ctx *ctx = tsr_open(.debug = debug, .workers = workers, .plugin_dir = PLUGIN_DIR,
	                        .require_compiled = true);
	watcher w = {.caller = pthread_self()};
	tsr_fn *f = tsr_jit(ctx, body);
	tsr *x = tsr_arange(ctx, n, .dtype = TSR_F32), *y = tsr_call(f, x);

	ctx->engine->progress = watch_run;
	ctx->engine->progress_user = &w;
	for (int i = 0; i < RUNS; i++) {
		tsr *again = tsr_call(f, x);
		ctx->engine->progress = NULL;
		assert_true(tsr_item_int(tsr_all(tsr_eq(y, again))) == 1);
		ctx->engine->progress = watch_run;
	}
	assert_int_equal(w.elsewhere, 0);
	assert_int_equal(tsr_close(ctx), TSR_OK);
	return w.calls;
}

/* one worker walks steps; of several the caller does pieces of them */
static void between_pieces(void **state)
{
	(void)state;
	if (!PLUGIN_DIR) skip();
	const int64_t steps = calls_of(large, 1 << 18, "c", 1);
	assert_true(steps >= RUNS);
	assert_true(calls_of(large, 1 << 18, "cw", 3) > steps);
}

static void in_each_turn(void **state)
{
	(void)state;
	if (!PLUGIN_DIR) skip();
	assert_true(calls_of(loop, 1, "c", 1) >= RUNS * TURNS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(between_pieces),
	                                   cmocka_unit_test(in_each_turn)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
