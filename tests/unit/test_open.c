/* test_open.c - the number of workers of a context: .workers, TSR_WORKERS, and refused values; the
 * values of TSR_CPU; the messages of the dead context, and where they go. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include "runtime/runtime.h"
#include "support/quiet.h"
#include <cmocka.h> /* after base.h: it takes the name fail */

static char logged[512];

static void keep(void *user, int level, const char *text)
{
	(void)user, (void)level;
	snprintf(logged, sizeof logged, "%s", text);
}

static const struct {
	const char *environment; /* NULL: not set */
	int given, workers;
	const char *wrong; /* what the message says; NULL: there is none */
} cases[] = {
	{NULL, 0, 0, NULL},
	{NULL, 5, 5, NULL},
	{NULL, WORKERS_MOST, WORKERS_MOST, NULL},
	{"", 0, 0, NULL},
	{"0", 0, 0, NULL},
	{"3", 0, 3, NULL},
	{"3", 1, 1, NULL},
	{NULL, -1, 0, ".workers must be from 0 to 1024, got -1"},
	{NULL, WORKERS_MOST + 1, 0, ".workers must be from 0 to 1024, got 1025"},
	{"two", 0, 0, "TSR_WORKERS must be a number from 0 to 1024, got \"two\""},
	{"2x", 0, 0, "TSR_WORKERS must be a number from 0 to 1024, got \"2x\""},
	{" 2", 0, 0, "TSR_WORKERS must be a number from 0 to 1024, got \" 2\""},
	{"-1", 0, 0, "TSR_WORKERS must be a number from 0 to 1024, got \"-1\""},
	{"1025", 0, 0, "TSR_WORKERS must be a number from 0 to 1024, got \"1025\""},
	{"99999999999999999999", 0, 0, "TSR_WORKERS must be a number"},
};

static void workers_are_as_given(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const char *wrong = cases[i].wrong;
		unsetenv("TSR_WORKERS");
		if (cases[i].environment) setenv("TSR_WORKERS", cases[i].environment, 1);
		tsr_ctx *ctx = tsr_open(.workers = cases[i].given, .log = keep);
		if (!wrong) assert_int_equal(ctx->engine->workers, cases[i].workers);
		assert_int_equal(tsr_close(ctx), wrong ? TSR_ERROR_ARGUMENT : TSR_OK);
		if (!wrong) continue;
		assert_non_null(strstr(logged, wrong));
		assert_non_null(strstr(logged, "test_open.c:"));
	}
	unsetenv("TSR_WORKERS");
}

static const struct {
	const char *environment;
	int bytes;         /* of the set's vectors; 0: there is none of this name */
	const char *wrong; /* the message, where the processor does not have the set; or always */
} sets[] = {
	{"", 0, NULL},
	{"fma", 16, "TSR_CPU is fma: this processor does not have it"},
	{"avx2", 32, "TSR_CPU is avx2: this processor does not have it"},
	{"avx512", 64, "TSR_CPU is avx512: this processor does not have it"},
	{"avx512_bf16", 64, "TSR_CPU is avx512_bf16: this processor does not have it"},
	{"sse2", 0, "TSR_CPU must be fma, avx2, avx512 or avx512_bf16, got \"sse2\""},
	{"AVX2", 0, "TSR_CPU must be fma, avx2, avx512 or avx512_bf16, got \"AVX2\""},
	{"avx2 ", 0, "TSR_CPU must be fma, avx2, avx512 or avx512_bf16, got \"avx2 \""},
};

static void sets_are_known(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(sets); i++) {
		const bool has = instructions_have(sets[i].environment);
		const char *wrong = has ? NULL : sets[i].wrong;
		setenv("TSR_CPU", sets[i].environment, 1);
		const int code = tsr_close(tsr_open(.log = keep));
		assert_int_equal(code, !wrong          ? TSR_OK
		                       : sets[i].bytes ? TSR_ERROR_UNSUPPORTED
		                                       : TSR_ERROR_ARGUMENT);
		if (!wrong) continue;
		assert_non_null(strstr(logged, wrong));
		assert_non_null(strstr(logged, "test_open.c:"));
	}
	unsetenv("TSR_CPU");
}

static const struct {
	const char *environment; /* NULL: not set */
	size_t given, limit;     /* limit 0: a mistake */
} limits[] = {
	{NULL, 0, (size_t)256 << 20},
	{"", 0, (size_t)256 << 20},
	{"0", 0, (size_t)256 << 20},
	{NULL, 12345, 12345},
	{"70000", 0, 70000},
	{"70000", 5, 5},
	{"64k", 0, 64 << 10},
	{"3M", 0, 3 << 20},
	{"2G", 0, (size_t)2 << 30},
	{"many", 0, 0},
	{"-1", 0, 0},
	{"M", 0, 0},
	{"1K", 0, 0},
	{"1.5M", 0, 0},
	{"1MB", 0, 0},
	{" 1M", 0, 0},
	{"9007199254740992k", 0, 0},
	{"99999999999999999999", 0, 0},
};

static void cache_limits_are_as_given(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(limits); i++) {
		const size_t limit = limits[i].limit;
		unsetenv("TSR_CACHE");
		if (limits[i].environment) setenv("TSR_CACHE", limits[i].environment, 1);
		tsr_ctx *ctx = tsr_open(.cache_limit = limits[i].given, .log = keep);
		if (limit) assert_int_equal(ctx->cache.limit, limit);
		assert_int_equal(tsr_close(ctx), limit ? TSR_OK : TSR_ERROR_ARGUMENT);
		if (limit) continue;
		assert_non_null(strstr(logged, "TSR_CACHE must be a number of bytes such as"));
		assert_non_null(strstr(logged, limits[i].environment));
		assert_non_null(strstr(logged, "test_open.c:"));
	}
	unsetenv("TSR_CACHE");
}

/* without any memory the dead context is there, says why, and gives poison that is no NULL */
static void *refuses(void *user, void *old, size_t size)
{
	(void)user, (void)old, (void)size;
	return NULL;
}

static void no_memory_at_all(void **state)
{
	int code = 0;

	(void)state;
	logged[0] = 0;
	tsr_ctx *ctx = tsr_open(.alloc = refuses, .log = keep, .code = &code);
	assert_non_null(strstr(logged, "no memory"));
	assert_int_equal(code, TSR_ERROR_MEMORY);
	assert_int_equal(tsr_status(ctx), TSR_ERROR_MEMORY);
	assert_null(mem_alloc_quiet(&ctx->base, 1));
	{
		TSR_SCOPE(ctx);
		tsr *x = tsr_ones(ctx, TSR_DIMS(3)), *slot = NULL;
		assert_non_null(x);
		assert_true(tsr_is_poison(x) && tsr_is_poison(tsr_add(x, 1)));
		assert_false(tsr_set(&slot, x));
		assert_true(tsr_is_poison(tsr_call(tsr_jit(ctx, tsr_neg), x)));
		assert_non_null(tsr_mesh_make(ctx, {"x", 1}));
	}
	assert_int_equal(tsr_close(ctx), TSR_ERROR_MEMORY);
	tsr_ctx *good = tsr_open(.log = keep);
	assert_int_equal(tsr_close(good), TSR_OK);
}

/* what no context can be found for goes to the log of the process, and to no context */
static void errors_of_no_context(void **state)
{
	tsr_ctx *a = tsr_open(.log = keep), *b = tsr_open(.log = keep);
	tsr *none = NULL;

	(void)state;
	logged[0] = 0;
	tsr_log_to(keep, NULL);
	tsr *y = tsr_exp(none);
	assert_true(tsr_is_poison(y) && tsr_ctx_of(y) == ctx_dead());
	assert_non_null(strstr(logged, "test_open.c:"));
	assert_non_null(strstr(logged, "exp: the operand is NULL"));
	tsr_log_to(NULL, NULL);
	assert_int_equal(tsr_close(b), TSR_OK);
	assert_true(tsr_ctx_of(tsr_exp(none)) == a); /* the only one left */
	assert_int_equal(tsr_close(a), TSR_ERROR_HANDLE);
}

/* a thread sees its own last error of the dead context; who has none sees the last one of all */
static void *opens_and_sees(void *of)
{
	const char *engine = of;

	tsr_ctx *ctx = engine ? tsr_open(.engine = engine, .log = keep) : ctx_dead();
	return strstr(tsr_message(ctx), engine ? engine : "second") ? ctx : NULL;
}

static void *on_thread(void *of)
{
	pthread_t thread;
	void *out = NULL;

	assert_int_equal(pthread_create(&thread, NULL, opens_and_sees, of), 0);
	assert_int_equal(pthread_join(thread, &out), 0);
	return out;
}

static void errors_of_threads(void **state)
{
	(void)state;
	assert_non_null(opens_and_sees("first"));
	assert_non_null(on_thread("second"));
	assert_non_null(strstr(tsr_message(ctx_dead()), "first"));
	assert_non_null(on_thread(NULL));
	tsr_clear(ctx_dead());
	assert_int_equal(tsr_status(ctx_dead()), TSR_OK);
}

/* threads that have no context, at once: under the thread sanitizer nothing of it is a race */
static void *uses_the_dead(void *of)
{
	const char *engine = of;

	for (int i = 0; i < 50; i++) {
		tsr_ctx *ctx = tsr_open(.engine = engine, .log = log_nothing);
		TSR_SCOPE(ctx);
		tsr *x = tsr_ones(ctx, TSR_DIMS(3)), *slot = NULL;
		tsr *y = tsr_call(tsr_jit(ctx, tsr_neg), tsr_add(x, 1));
		tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 1});
		float data[3];
		if (!tsr_is_poison(y) || tsr_set(&slot, y) || !mesh) return NULL;
		if (tsr_read(tsr_put(y, mesh, TSR_P("x")), data, sizeof data)) return NULL;
		if (!strstr(tsr_message(ctx), engine)) return NULL;
		tsr_clear(ctx);
		if (!tsr_is_poison(tsr_exp(NULL)) || !tsr_status(ctx_dead())) return NULL;
		tsr_close(ctx);
	}
	return of;
}

static void threads_use_the_dead_context(void **state)
{
	static char names[4][8] = {"one", "two", "three", "four"};
	pthread_t thread[4];

	(void)state;
	tsr_log_to(log_nothing, NULL);
	for (int i = 0; i < 4; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, uses_the_dead, names[i]), 0);
	for (int i = 0; i < 4; i++) {
		void *out;
		assert_int_equal(pthread_join(thread[i], &out), 0);
		assert_ptr_equal(out, names[i]);
	}
	tsr_log_to(NULL, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(workers_are_as_given),
		cmocka_unit_test(sets_are_known),
		cmocka_unit_test(cache_limits_are_as_given),
		cmocka_unit_test(no_memory_at_all),
		cmocka_unit_test(errors_of_no_context),
		cmocka_unit_test(errors_of_threads),
		cmocka_unit_test(threads_use_the_dead_context),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
