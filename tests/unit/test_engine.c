/* test_engine.c - who makes machine code: each context looks for the plug-in in its own folder, and
 * its log says what it found there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include "runtime/runtime.h"
#include <cmocka.h> /* after base.h: it takes the name fail */

#ifndef PLUGIN_DIR
#define PLUGIN_DIR "/built/without"
enum { NATIVE = 0 };
#else
enum { NATIVE = 1 };
#endif

static char logged[2048];

static void keep(void *user, int level, const char *text)
{
	(void)user, (void)level;
	snprintf(logged, sizeof logged, "%s", text);
}

static tsr *twice(tsr *x) { return tsr_add(x, x); }

static const struct {
	const char *folder, *said;
	int compiles;
} folders[] = {
	{"/nowhere", "programs are interpreted: the plug-in /nowhere/libtsr-cpu-", 0},
	{PLUGIN_DIR, NATIVE ? "" : "programs are interpreted: the plug-in /built/without/", NATIVE},
	{"/elsewhere", "programs are interpreted: the plug-in /elsewhere/libtsr-cpu-", 0},
};

/* all are open at once, and the first one decides nothing for the others */
static void folders_are_the_contexts_own(void **state)
{
	enum { N = ARRAY_LEN(folders) };
	tsr_ctx *ctx[N];

	(void)state;
	for (size_t i = 0; i < N; i++)
		ctx[i] = tsr_open(.plugin_dir = folders[i].folder, .engine = "cpu", .debug = "c",
		                  .log = keep);
	for (size_t i = 0; i < N; i++) {
		tsr_fn *f = tsr_jit(ctx[i], twice);
		*logged = 0;
		assert_float_equal(tsr_item(tsr_call(f, tsr_scalar(ctx[i], 2.0))), 4, 0);
		assert_int_equal(tsr_fn_stats(f).compiles, folders[i].compiles);
		if (!*folders[i].said) assert_string_equal(logged, "");
		assert_non_null(strstr(logged, folders[i].said));
		assert_int_equal(tsr_close(ctx[i]), 0);
	}
}

/* it is said once in a context, whatever is compiled */
static void the_reason_is_said_once(void **state)
{
	tsr_ctx *ctx = tsr_open(.plugin_dir = "/nowhere", .engine = "cpu", .debug = "c",
	                        .log = keep);

	(void)state;
	tsr_call(tsr_jit(ctx, twice), tsr_scalar(ctx, 2.0));
	assert_non_null(strstr(logged, "/nowhere"));
	*logged = 0;
	tsr_call(tsr_jit(ctx, twice), tsr_ones(ctx, TSR_DIMS(3)));
	assert_string_equal(logged, "");
	assert_int_equal(tsr_close(ctx), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(folders_are_the_contexts_own),
		cmocka_unit_test(the_reason_is_said_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
