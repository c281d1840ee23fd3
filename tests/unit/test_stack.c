/* test_stack.c - threads with small stacks: a body that calls its own fn is an error, not a crash,
 * and the deepest legal nests fit into 512 KiB. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tsr/tsr.h"
#include "support/quiet.h"
#include <cmocka.h>

/* frames of functions that sanitizers watch are several times as large */
#ifdef __SANITIZE_ADDRESS__
enum { TIMES = 2 };
#else
enum { TIMES = 1 };
#endif

/* ---- bodies that call themselves until `levels` is used up */

static _Thread_local int levels;
static tsr *again(tsr *x);

static tsr *less(tsr *x) { return tsr_lt(tsr_sum(x), -1e9); }
static tsr *with_index(tsr *i, tsr *x)
{
	(void)i;
	return again(x);
}
static tsr *by_jit(tsr *x) { return tsr_call(tsr_jit(x, again), x); }
static tsr *by_vmap(tsr *x)
{
	return tsr_call(tsr_vmap(x, again, .in = TSR_MAPPED(TSR_UNMAPPED), .axis_size = 2,
	                         .out = TSR_MAPPED(TSR_UNMAPPED)),
	                x);
}
static tsr *by_grad(tsr *x) { return tsr_call(tsr_grad(x, again), x); }
static tsr *by_while(tsr *x) { return tsr_while(less, again, x); }
static tsr *by_scan(tsr *x) { return tsr_scan(again, x, TSR_NONE, .length = 1); }
static tsr *by_fori(tsr *x) { return tsr_fori(0, 1, with_index, x); }
static tsr *by_cond(tsr *x) { return tsr_cond(tsr_gt(x, 0), again, tsr_neg, x); }

static const struct way {
	const char *name;
	tsr *(*call)(tsr *);
} ways[] = {{"jit", by_jit},   {"vmap", by_vmap}, {"grad", by_grad}, {"while", by_while},
            {"scan", by_scan}, {"fori", by_fori}, {"cond", by_cond}};

static _Thread_local const struct way *way;

static tsr *again(tsr *x)
{
	if (levels == 0) return tsr_sin(x);
	levels--;
	tsr *y = way->call(x);
	levels++;
	return y;
}

/* ---- in a thread */

typedef struct job {
	const struct way *way;
	int levels, status;
	char message[256];
} job;

static void *run(void *of)
{
	job *j = of;
	tsr_ctx *ctx = tsr_open(.log = log_nothing);

	way = j->way;
	levels = j->levels;
	tsr_call(tsr_jit(ctx, again), tsr_full(ctx, TSR_DIMS(), 0.5));
	j->status = tsr_status(ctx);
	snprintf(j->message, sizeof j->message, "%s", tsr_message(ctx));
	tsr_close(ctx);
	return NULL;
}

static job run_with(const struct way *w, int kib, int n)
{
	job j = {.way = w, .levels = n};
	pthread_attr_t attr;
	pthread_t thread;

	assert_int_equal(pthread_attr_init(&attr), 0);
	assert_int_equal(pthread_attr_setstacksize(&attr, (size_t)kib * TIMES << 10), 0);
	assert_int_equal(pthread_create(&thread, &attr, run, &j), 0);
	assert_int_equal(pthread_join(thread, NULL), 0);
	pthread_attr_destroy(&attr);
	return j;
}

static void test_endless_bodies(void **state)
{
	static const int kib[] = {192, 256, 384, 512, 1024};

	(void)state;
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
		for (size_t k = 0; k < sizeof kib / sizeof *kib; k++) {
			const job j = run_with(&ways[i], kib[k], 1 << 20);
			assert_int_equal(j.status, TSR_ERROR_UNSUPPORTED);
			assert_non_null(strstr(j.message, "traces are nested"));
			assert_non_null(strstr(j.message, "does a body call its own fn?"));
			if (kib[k] == 1024) assert_non_null(strstr(j.message, "nested 100 deep"));
			if (kib[k] == 192) assert_non_null(strstr(j.message, "KiB are left"));
		}
}

static void test_deep_nests(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		const job j = run_with(&ways[i], 512, 60);
		if (j.status) fail_msg("%s: %s", ways[i].name, j.message);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_endless_bodies),
		cmocka_unit_test(test_deep_nests),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
