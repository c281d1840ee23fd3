/* test_open.c - how many workers a context has: .workers, TSR_WORKERS, and what neither may be. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include "runtime/runtime.h"
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(workers_are_as_given),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
