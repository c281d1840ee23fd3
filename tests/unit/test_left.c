/* test_left.c - bodies that are left without a return, by longjmp or the end of their thread: the
 * trace ends, the context works, nothing is lost. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "support/counted.h"
#include <tsr/tsr.h>
#include <cmocka.h>

static counter memory;

static char warned[300];

static void hear(void *user, int level, const char *text)
{
	(void)user;
	if (level == 1) snprintf(warned, sizeof warned, "%s", text);
}

static tsr_ctx *ctx;
static tsr *x, *slot, *never; /* never: results of calls that are left */
static jmp_buf out;

static tsr *jumps(tsr *y)
{
	tsr *z = tsr_add(y, slot); /* a lifted value, or a capture */
	longjmp(out, 1);
	return z;
}

static tsr *calls_one_that_jumps(tsr *y)
{
	tsr_fn *f = tsr_jit(ctx, jumps);
	TSR_SCOPE(ctx);
	return tsr_keep(tsr_call(f, tsr_neg(y)));
}

static tsr *below_3(tsr *y)
{
	return tsr_lt(y, 3);
}

static tsr *twice(tsr *y)
{
	return tsr_mul(y, 2);
}

/* ---- ways into a body */

static void call(void) { never = tsr_call(tsr_jit(ctx, jumps), x); }
static void call_of_call(void) { never = tsr_call(tsr_jit(ctx, calls_one_that_jumps), x); }
static void fn_of_fn(void)
{
	never = tsr_call(tsr_jit(ctx, tsr_jit(ctx, jumps), .name = "outer"), x);
}
static void grad(void) { never = tsr_call(tsr_grad(ctx, jumps), x); }
static void vmap(void) { never = tsr_call(tsr_vmap(ctx, jumps), x); }
static void cond(void) { never = tsr_cond(1, twice, jumps, x); }
static void loop(void) { never = tsr_while(below_3, jumps, tsr_scalar(ctx, 1.0)); }
static void map(void) { never = tsr_map(jumps, x); }
static void text(void) { (void)!tsr_fn_text(tsr_jit(ctx, jumps), x); }
static void captures(void)
{
	never = tsr_call(tsr_jit(ctx, jumps, .captures = TSR_LEAVES(&slot, 1)), x);
}
static void shard_map(void)
{
	tsr_mesh *m = tsr_mesh_make(ctx, {"x", 2});
	never = tsr_call(tsr_shard_map(m, jumps, .sig = "[x] -> [x]"), x);
}
static void (*const ways[])(void) = {call, call_of_call, fn_of_fn, grad,     vmap,     cond,
                                     loop, map,          text,     captures, shard_map};
#define NWAYS (sizeof ways / sizeof *ways)

static void open_all(void)
{
	ctx = tsr_open(.devices = 2, .alloc = counted, .user = &memory, .log = hear);
	x = tsr_ones(ctx, TSR_DIMS(2));
	slot = NULL;
	tsr_set(&slot, x);
	warned[0] = 0;
}

static void close_all(int code)
{
	tsr_drop(&slot);
	assert_int_equal(tsr_close(ctx), code);
	assert_int_equal(memory.held, 0);
}

/* calls from here stand deeper on the stack than the body that was left */
static __attribute__((noinline)) double from_deep_below(void)
{
	volatile char room[30000];
	memset((void *)(uintptr_t)room, 1, sizeof room);
	return tsr_item(tsr_sum(tsr_add(x, room[29999])));
}

/* ---- the next call ends the trace and says what happened; it works itself */
static void test_longjmp(void **state)
{
	(void)state;
	for (volatile size_t k = 0; k < 2 * NWAYS; k++) {
		open_all();
		tsr *const before = slot;
		if (!setjmp(out)) {
			ways[k / 2]();
			fail();
		}
		const double y = k % 2 ? from_deep_below() : tsr_item(tsr_sum(tsr_add(x, 1)));
		assert_true(y == 4);
		assert_true(slot == before);
		assert_int_equal(tsr_status(ctx), TSR_ERROR_ARGUMENT);
		assert_non_null(strstr(tsr_message(ctx), "was left without a return"));
		assert_non_null(strstr(tsr_message(ctx), "test_left.c:"));
		tsr_clear(ctx);
		assert_true(tsr_item(tsr_sum(tsr_call(tsr_jit(ctx, twice), slot))) == 4);
		close_all(TSR_OK);
	}
}

/* whatever looks first notices: the status, and the end */
static void test_longjmp_then_status(void **state)
{
	(void)state;
	open_all();
	if (!setjmp(out)) call();
	assert_int_equal(tsr_status(ctx), TSR_ERROR_ARGUMENT);
	if (!setjmp(out)) call_of_call();
	close_all(TSR_ERROR_ARGUMENT);
}

static tsr *jumps_and_goes_on(tsr *y)
{
	tsr *volatile z = tsr_mul(y, 3);
	if (!setjmp(out)) never = tsr_call(tsr_jit(ctx, jumps), z);
	return tsr_add(z, 1);
}

/* a body may be left into a body around it, whose trace goes on, with an error */
static void test_longjmp_into_a_body(void **state)
{
	(void)state;
	open_all();
	tsr *y = tsr_call(tsr_jit(ctx, jumps_and_goes_on), x);
	assert_true(tsr_is_poison(y));
	assert_non_null(strstr(tsr_message(ctx), "the body of jumps"));
	assert_non_null(strstr(tsr_message(ctx), "while tracing jumps_and_goes_on"));
	tsr_clear(ctx);
	assert_true(tsr_item(tsr_sum(tsr_add(x, 1))) == 4);
	close_all(TSR_OK);
}

/* ---- the end of a thread unwinds its stack, and the trace with it */

static size_t way;

static tsr *ends_thread(tsr *y)
{
	tsr *z = tsr_add(y, slot);
	pthread_exit(NULL);
	return z;
}

static void *other_thread(void *user)
{
	(void)user;
	switch (way) {
	case 0: never = tsr_call(tsr_jit(ctx, ends_thread), x); break;
	case 1: never = tsr_cond(1, twice, ends_thread, x); break;
	case 2: never = tsr_call(tsr_grad(ctx, tsr_jit(ctx, ends_thread)), x); break;
	default: (void)!tsr_fn_text(tsr_jit(ctx, ends_thread), x);
	}
	return ctx;
}

static void test_pthread_exit(void **state)
{
	(void)state;
	for (way = 0; way < 4; way++) {
		pthread_t thread;
		void *result = &thread;
		open_all();
		assert_int_equal(pthread_create(&thread, NULL, other_thread, NULL), 0);
		assert_int_equal(pthread_join(thread, &result), 0);
		assert_null(result);
		assert_non_null(strstr(warned, "left by an exception or the end of its thread"));
		assert_true(tsr_item(tsr_sum(tsr_add(x, 1))) == 4);
		close_all(TSR_OK);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_longjmp),
		cmocka_unit_test(test_longjmp_then_status),
		cmocka_unit_test(test_longjmp_into_a_body),
		cmocka_unit_test(test_pthread_exit),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
