/* test_left_runs.c - a signal handler leaves a run by siglongjmp: the workers go home, the memory
 * of the run is given back, and later runs work as usual. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>
#include "support/counted.h"
#include <tsr/tsr.h>
#include <cmocka.h>

enum { SIDE = 256, TIMES = 24, LEAST = 8 };

static counter memory;

/* ---- a run of some hundred milliseconds, in long pieces and short ones */

static tsr *step(tsr *i, tsr *x)
{
	(void)i;
	return tsr_add(tsr_mul(tsr_transpose(tsr_sin(x)), 0.5),
	               tsr_mean(x, .dims = TSR_DIMS(0), .keep = true));
}

static tsr *many_steps(tsr *x) { return tsr_fori(0, 400, step, x); }

typedef struct world {
	tsr_ctx *ctx;
	tsr_fn *f;
	tsr *x;
	float first[SIDE * SIDE], again[SIDE * SIDE];
} world;

static void open_world(world *w, int workers)
{
	w->ctx = tsr_open(.plugin_dir = PLUGIN_DIR, .workers = workers, .debug = "cw",
	                  .alloc = counted, .user = &memory);
	w->x = tsr_full(w->ctx, TSR_DIMS(SIDE, SIDE), 0.25, .dtype = TSR_F32);
	w->f = tsr_jit(w->ctx, many_steps);
}

static void run(const world *w, float *result)
{
	TSR_SCOPE(w->ctx);
	assert_true(tsr_read(tsr_call(w->f, w->x), result, sizeof w->first));
}

/* ---- the signal: after so much processor time of the caller, so that he is computing */

static timer_t watch;
static sigjmp_buf back;

static void set_watch(int milliseconds)
{
	const struct itimerspec t = {.it_value.tv_nsec = 1000000L * milliseconds};

	assert_int_equal(timer_settime(watch, 0, &t, NULL), 0);
}

/* What comes before and after the computing must not be left, so the handler waits until the caller
 * is in a kernel: in code that is no part of any file */
static bool computes(const ucontext_t *at)
{
	Dl_info info;
#if defined __x86_64__
	const uintptr_t pc = (uintptr_t)at->uc_mcontext.gregs[REG_RIP];
#elif defined __aarch64__
	const uintptr_t pc = (uintptr_t)at->uc_mcontext.pc;
#else
#error "where does this processor keep the address of the instruction?"
#endif
	return !dladdr((void *)pc, &info);
}

static void ring(int number, siginfo_t *info, void *at)
{
	(void)number, (void)info;
	if (computes(at)) siglongjmp(back, 1);
	set_watch(1);
}

static bool left_after(const world *w, int milliseconds)
{
	TSR_SCOPE(w->ctx);
	if (sigsetjmp(back, 1)) return true;
	set_watch(milliseconds);
	(void)!tsr_call(w->f, w->x);
	set_watch(0);
	return false;
}

/* the caller may take little part in a run */
static bool left_soon(const world *w)
{
	for (volatile int k = 0; k < TIMES; k++)
		if (left_after(w, 1)) return true;
	return false;
}

static void prepare(void)
{
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
	const struct sigaction action = {.sa_sigaction = ring, .sa_flags = SA_SIGINFO};

	assert_int_equal(sigaction(SIGALRM, &action, NULL), 0);
	assert_int_equal(timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &watch), 0);
}

static bool compiles(void)
{
	tsr_engine_info engine = {.size = sizeof engine};
	tsr_ctx *ctx = tsr_open(.plugin_dir = PLUGIN_DIR);
	const bool known = tsr_engine(ctx, &engine);

	return tsr_close(ctx) == TSR_OK && known && engine.compiles;
}

/* ---- */

static const int sizes[] = {1, 2, 5};

static void later_runs_are_right_and_nothing_is_lost(void **state)
{
	static world w;

	(void)state;
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		volatile int left = 0;
		open_world(&w, sizes[i]);
		run(&w, w.first);
		run(&w, w.again);
		const size_t before = tsr_memory(w.ctx).in_use;
		for (volatile int k = 0; k < TIMES; k++) {
			left += left_after(&w, 1 + k % 8);
			if (k % 6 != 5) continue;
			run(&w, w.again);
			assert_memory_equal(w.first, w.again, sizeof w.first);
			assert_int_equal(tsr_memory(w.ctx).in_use, before);
		}
		assert_true(left >= LEAST);
		assert_int_equal(tsr_close(w.ctx), TSR_OK);
		assert_int_equal(memory.held, 0);
	}
}

static void a_context_may_be_closed_after_it(void **state)
{
	static world w, other;

	(void)state;
	for (volatile size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		open_world(&w, sizes[i]);
		open_world(&other, sizes[i]);
		run(&w, w.first);
		assert_true(left_soon(&w));
		run(&other, other.first);
		assert_memory_equal(w.first, other.first, sizeof w.first);
		assert_int_equal(tsr_close(w.ctx), TSR_OK);
		assert_true(left_soon(&other));
		assert_int_equal(tsr_close(other.ctx), TSR_OK);
		assert_int_equal(memory.held, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(later_runs_are_right_and_nothing_is_lost),
		cmocka_unit_test(a_context_may_be_closed_after_it),
	};

	if (!compiles()) {
		printf("no machine code here, and an interpreted run that is left loses memory\n");
		return 0;
	}
	prepare();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
