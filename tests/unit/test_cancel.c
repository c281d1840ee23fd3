/* test_cancel.c - runs are ended from signal handlers and from other threads, wherever they are: in
 * the interpreter, in the table, in the machine code of a loop, in shared pieces. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <tsr/tsr.h>
#include <cmocka.h>

/* ---- programs that never end */

static tsr *always(tsr *x) { return tsr_ge(tsr_max(x), -1); }
static tsr *small(tsr *x) { return tsr_mul(tsr_add(x, 1), 0.5); }
static tsr *in_a_routine(tsr *x) { return tsr_while(always, small, x); }
static tsr *large(tsr *x) { return tsr_sub(tsr_sin(x), tsr_mean(x)); }
static tsr *in_pieces(tsr *x) { return tsr_while(always, large, x); }

static const struct world {
	const char *name;
	tsr *(*program)(tsr *);
	int64_t size;
	const char *engine, *debug;
} worlds[] = {
	{"interpreted", in_a_routine, 4, "interp", ""},
	{"a routine", in_a_routine, 4, "cpu", "c"},
	{"pieces", in_pieces, 100000, "cpu", "c"},
	{"pieces, and workers halt", in_pieces, 10000, "cpu", "cwh"},
};

static tsr_ctx *ctx;

static void ring(int number)
{
	(void)number;
	tsr_cancel(ctx);
}

static void set_watch(void)
{
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
	const struct itimerspec t = {.it_value.tv_nsec = 100000000};
	static timer_t watch;
	static bool made;

	assert_true(signal(SIGALRM, ring) != SIG_ERR);
	if (!made) assert_int_equal(timer_create(CLOCK_MONOTONIC, &event, &watch), 0);
	made = true;
	assert_int_equal(timer_settime(watch, 0, &t, NULL), 0);
}

static void *ring_later(void *user)
{
	(void)user;
	nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
	tsr_cancel(ctx);
	return NULL;
}

/* it ends, says so, and what comes then is as if it had not been */
static void ends(const struct world *w, bool by_signal)
{
	pthread_t other;
	float y[3];

	ctx = tsr_open(.plugin_dir = PLUGIN_DIR, .engine = w->engine, .debug = w->debug,
	               .workers = 3);
	tsr *x = tsr_full(ctx, TSR_DIMS(w->size), 0.5, .dtype = TSR_F32);
	tsr_fn *f = tsr_jit(ctx, w->program);
	size_t after[4];
	for (int k = 0; k < 4; k++) {
		TSR_SCOPE(ctx);
		if (by_signal)
			set_watch();
		else
			assert_int_equal(pthread_create(&other, NULL, ring_later, NULL), 0);
		assert_true(tsr_is_poison(tsr_call(f, x)));
		if (!by_signal) pthread_join(other, NULL);
		assert_int_equal(tsr_status(ctx), TSR_ERROR_CANCELLED);
		assert_non_null(strstr(tsr_message(ctx), "the run was cancelled"));
		assert_non_null(strstr(tsr_message(ctx), "test_cancel.c:"));
		tsr_clear(ctx);
		tsr *z = tsr_add(tsr_arange(ctx, 3, .dtype = TSR_F32), 1);
		assert_true(tsr_read(z, y, sizeof y) && y[0] == 1 && y[2] == 3);
		after[k] = tsr_memory(ctx).in_use;
	}
	assert_int_equal(after[2], after[3]);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

static void runs_end_wherever_they_are(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof worlds / sizeof *worlds; i++) {
		print_message("%s\n", worlds[i].name);
		ends(&worlds[i], true);
		ends(&worlds[i], false);
	}
}

/* with no run in progress it ends the next one, and only that */
static void the_next_run(void **state)
{
	float y = 0;

	(void)state;
	ctx = tsr_open(.plugin_dir = PLUGIN_DIR);
	tsr *x = tsr_full(ctx, TSR_DIMS(), 2.0, .dtype = TSR_F32);
	tsr_cancel(ctx);
	assert_true(tsr_is_poison(tsr_add(x, x)));
	assert_int_equal(tsr_status(ctx), TSR_ERROR_CANCELLED);
	tsr_clear(ctx);
	assert_true(tsr_read(tsr_add(x, x), &y, sizeof y) && y == 4);
	assert_int_equal(tsr_close(ctx), TSR_OK);
	tsr_cancel(NULL);
}

static tsr *same(tsr *x) { return x; }

/* a program without a step has no line to tell */
static void no_steps(void **state)
{
	static const char *const debug[] = {"", "c"};

	(void)state;
	for (int k = 0; k < 2; k++) {
		ctx = tsr_open(.plugin_dir = PLUGIN_DIR, .debug = debug[k]);
		tsr_fn *f = tsr_jit(ctx, same);
		tsr *x = tsr_full(ctx, TSR_DIMS(2), 2.0, .dtype = TSR_F32);
		assert_false(tsr_is_poison(tsr_call(f, x)));
		tsr_cancel(ctx);
		(void)!tsr_call(f, x); /* nothing is left to cancel, or it is cancelled */
		(void)!tsr_add(x, x);
		assert_int_equal(tsr_status(ctx), TSR_ERROR_CANCELLED);
		assert_int_equal(tsr_close(ctx), TSR_ERROR_CANCELLED);
	}
}

/* an array without elements takes no time, however large its other dims are */
static void nothing_beside_much(void **state)
{
	static const char *const debug[] = {"", "c"};

	(void)state;
	for (int k = 0; k < 2; k++) {
		ctx = tsr_open(.plugin_dir = PLUGIN_DIR, .debug = debug[k]);
		const tsr_dims dims = TSR_DIMS((int64_t)1 << 44, 0);
		tsr *x = tsr_uniform(tsr_key(ctx, 1), dims), *y = tsr_cumsum(tsr_sort(x));
		tsr *z = tsr_concatenate(1, tsr_add(x, y), tsr_sin(x));
		assert_true(tsr_item(tsr_sum(z)) == 0);
		assert_int_equal(tsr_close(ctx), 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(runs_end_wherever_they_are),
		cmocka_unit_test(the_next_run),
		cmocka_unit_test(no_steps),
		cmocka_unit_test(nothing_beside_much),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
