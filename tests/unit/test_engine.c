/* test_engine.c - finding the plug-in that makes machine code: each context looks in its own
 * folder, and its log says the result. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include "runtime/runtime.h"
#include <cmocka.h> /* after base.h: it takes the name fail */

#ifdef WITHOUT_NATIVE
#undef PLUGIN_DIR
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

/* ---- what tsr_engine says, and what .require_compiled asks */

static void engines_say_whether_they_compile(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(folders); i++) {
		tsr_ctx *ctx = tsr_open(.plugin_dir = folders[i].folder, .engine = "cpu");
		tsr_engine_info e = {.size = sizeof e};
		assert_true(tsr_engine(ctx, &e));
		assert_string_equal(e.name, "cpu");
		assert_int_equal(e.compiles, folders[i].compiles);
		assert_int_equal(!e.why_not, folders[i].compiles);
		assert_int_equal(!!e.plugin, folders[i].compiles);
		if (e.plugin) assert_non_null(strstr(e.plugin, "libtsr-cpu-"));
		if (e.why_not) assert_non_null(strstr(e.why_not, folders[i].folder));
		assert_int_equal(tsr_close(ctx), 0);
	}
	tsr_ctx *ctx = tsr_open(.engine = "interp");
	tsr_engine_info e = {.size = sizeof e};
	assert_true(tsr_engine(ctx, &e) && !e.compiles && !e.plugin);
	assert_non_null(strstr(e.why_not, "interp"));
	assert_int_equal(tsr_close(ctx), 0);
}

/* an older program has a shorter record, of which nothing behind its end is touched */
static void records_have_the_callers_size(void **state)
{
	tsr_ctx *ctx = tsr_open(.engine = "interp", .log = keep);
	tsr_engine_info e;

	(void)state;
	memset(&e, 0x55, sizeof e);
	e.size = offsetof(tsr_engine_info, why_not);
	assert_true(tsr_engine(ctx, &e));
	assert_int_equal(e.size, offsetof(tsr_engine_info, why_not));
	assert_string_equal(e.name, "interp");
	assert_int_equal((uintptr_t)e.plugin & 255, 0x55);
	e.size = 0;
	assert_false(tsr_engine(ctx, &e));
	assert_non_null(strstr(tsr_message(ctx), ".size is not set"));
	tsr_clear(ctx);
	assert_false(tsr_engine(ctx, NULL));
	assert_int_equal(tsr_close(ctx), TSR_ERROR_ARGUMENT);
}

static void code_can_be_required(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(folders); i++) {
		tsr_ctx *ctx = tsr_open(.plugin_dir = folders[i].folder, .engine = "cpu",
		                        .require_compiled = true, .log = keep);
		if (!folders[i].compiles) {
			assert_non_null(strstr(tsr_message(ctx), ".require_compiled: no machine"));
			assert_non_null(strstr(tsr_message(ctx), folders[i].folder));
			assert_non_null(strstr(tsr_message(ctx), "test_engine.c:"));
		}
		assert_int_equal(tsr_close(ctx),
		                 folders[i].compiles ? 0 : TSR_ERROR_UNSUPPORTED);
	}
	tsr_ctx *ctx = tsr_open(.engine = "interp", .require_compiled = true, .log = keep);
	assert_int_equal(tsr_close(ctx), TSR_ERROR_UNSUPPORTED);
}

/* a choice between two equal branches, each of them a choice, and so on: little to trace and to
 * interpret, but more than a million equations if each is counted wherever it stands */
static void choose(tsr_frame *f)
{
	tsr_fn *const *next = tsr_frame_env(f);
	tsr *x = tsr_frame_arg(f, 0);

	tsr_return(f, *next ? tsr_cond(tsr_gt(x, 0), *next, *next, x) : tsr_sin(x));
}

static void what_is_too_long_is_interpreted_or_refused(void **state)
{
	enum { DEPTH = 21 };
	static const char why[] = "it has more than a million equations";

	(void)state;
	for (int required = 0; required <= NATIVE; required++) {
		tsr_ctx *ctx = tsr_open(.plugin_dir = PLUGIN_DIR, .engine = "cpu", .debug = "c",
		                        .require_compiled = required, .log = keep);
		tsr_fn *fn = NULL;
		for (int i = 0; i < DEPTH; i++) fn = tsr_jit(ctx, choose, TSR_ENV(&fn));
		*logged = 0;
		tsr *y = tsr_call(fn, tsr_scalar(ctx, 0.0));
		if (required) {
			assert_non_null(strstr(tsr_message(ctx), ".require_compiled: this"));
			assert_non_null(strstr(tsr_message(ctx), "test_engine.c:"));
			assert_non_null(strstr(tsr_message(ctx), why));
		} else {
			assert_non_null(strstr(logged, why));
			assert_float_equal(tsr_item(y), 0, 0);
		}
		assert_int_equal(tsr_close(ctx), required ? TSR_ERROR_UNSUPPORTED : 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(folders_are_the_contexts_own),
		cmocka_unit_test(the_reason_is_said_once),
		cmocka_unit_test(engines_say_whether_they_compile),
		cmocka_unit_test(records_have_the_callers_size),
		cmocka_unit_test(code_can_be_required),
		cmocka_unit_test(what_is_too_long_is_interpreted_or_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
