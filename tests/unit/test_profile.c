/* test_profile.c - traces: the fields that their format requires, the events of each kind, steps
 * that add up to their run, refused calls.
 *
 * cmocka.h comes last: it makes fail() a macro. */
#include "support/quiet.h"
#include <tsr/tsr.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>
#define D TSR_DIMS

static char path[] = "/tmp/tsr_profile_XXXXXX";

static int opened(void **state)
{
	strcpy(path + strlen(path) - 6, "XXXXXX");
	const int file = mkstemp(path);
	assert_true(file >= 0);
	close(file);
	*state = tsr_open(.devices = 2, .log = log_nothing, .workers = 1, .debug = "c");
	return 0;
}

static int closed(void **state)
{
	unlink(path);
	return tsr_close(*state);
}

static tsr *layers(tsr *x, tsr *w)
{
	for (int i = 0; i < 3; i++) x = tsr_tanh(tsr_dot(x, w));
	return tsr_sum(x);
}

/* ---- a trace, read: an event a line */

typedef struct event {
	char phase, category[16], name[128];
	int thread;
	double begin, took;
	bool has_where, has_bytes;
} event;

static const char *field(const char *line, const char *name)
{
	char key[32];

	snprintf(key, sizeof key, "\"%s\":", name);
	const char *at = strstr(line, key);
	return at ? at + strlen(key) : NULL;
}

static double number(const char *line, const char *name)
{
	const char *at = field(line, name);

	if (!at) fail_msg("no %s in %s", name, line);
	return strtod(at, NULL);
}

static void text(const char *line, const char *name, char *to, size_t size)
{
	const char *at = field(line, name);

	if (!at || *at != '"') fail_msg("no text %s in %s", name, line);
	snprintf(to, size, "%.*s", (int)strcspn(at + 1, "\""), at + 1);
}

/* every complete event has these fields (Trace Event Format, "Duration events") */
static int read_trace(event *to, int most)
{
	FILE *in = fopen(path, "r");
	char line[1024], phase[4];
	int n = 0;

	assert_non_null(in);
	assert_non_null(fgets(line, sizeof line, in));
	assert_string_equal(line, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n");
	while (fgets(line, sizeof line, in) && *line == '{') {
		event *e = &to[n];
		assert_true(n < most);
		*e = (event){0};
		text(line, "ph", phase, sizeof phase);
		e->phase = *phase;
		e->thread = (int)number(line, "tid");
		assert_true(number(line, "pid") == 1);
		text(line, "name", e->name, sizeof e->name);
		assert_non_null(field(line, "args"));
		if (e->phase == 'M') continue;
		assert_int_equal(e->phase, 'X');
		text(line, "cat", e->category, sizeof e->category);
		e->begin = number(line, "ts");
		e->took = number(line, "dur");
		e->has_where = field(line, "where");
		e->has_bytes = field(line, "bytes");
		assert_true(e->took >= 0);
		n++;
	}
	assert_string_equal(line, "],\"otherData\":{\"left out\":0}}\n");
	fclose(in);
	return n;
}

static void steps_add_up(void **state)
{
	static event event[4096];
	tsr_ctx *ctx = *state;
	tsr *x = tsr_ones(ctx, D(512, 512)), *w = tsr_full(ctx, D(512, 512), 0.01);
	tsr_fn *f = tsr_jit(ctx, tsr_grad(ctx, layers));
	double best = 0;
	int kinds[4] = {0};

	assert_true(tsr_profile(ctx, path));
	for (int i = 0; i < 5; i++) {
		TSR_SCOPE(ctx);
		(void)tsr_call(f, x, w);
	}
	assert_true(tsr_profile_end(ctx));
	const int n = read_trace(event, 4096);
	for (int i = 0; i < n; i++) {
		const double begin = event[i].begin, end = begin + event[i].took;
		double steps = 0;
		kinds[0] += !strcmp(event[i].category, "trace");
		kinds[1] += !strcmp(event[i].category, "compile");
		kinds[2] += !strcmp(event[i].category, "step") && event[i].has_where &&
		            event[i].has_bytes;
		if (strcmp(event[i].category, "run") != 0) continue;
		kinds[3]++;
		for (int k = 0; k < n; k++)
			if (!strcmp(event[k].category, "step") && event[k].begin >= begin &&
			    event[k].begin <= end)
				steps += event[k].took;
		if (steps / event[i].took > best) best = steps / event[i].took;
		assert_true(steps <= event[i].took * 1.001);
	}
	for (int i = 0; i < 4; i++) assert_true(kinds[i]);
	if (best < 0.95) fail_msg("steps are %g of their run at best", best);
}

static void interpreted_too(void **state)
{
	static event event[4096];
	tsr_ctx *ctx = tsr_open(.engine = "interp", .log = log_nothing);
	int products = 0;

	(void)state;
	assert_true(tsr_profile(ctx, path));
	(void)tsr_call(tsr_jit(ctx, layers), tsr_ones(ctx, D(8, 8)), tsr_ones(ctx, D(8, 8)));
	assert_int_equal(tsr_close(ctx), 0); /* ends it */
	const int n = read_trace(event, 4096);
	for (int i = 0; i < n; i++) products += !strcmp(event[i].name, "dot_general");
	assert_int_equal(products, 3);
}

static void refused(void **state)
{
	tsr_ctx *ctx = *state;

	assert_false(tsr_profile_end(ctx));
	assert_non_null(strstr(tsr_message(ctx), "profile_end: no profile has begun"));
	tsr_clear(ctx);
	assert_false(tsr_profile(ctx, "/nowhere/at/all.json"));
	assert_int_equal(tsr_status(ctx), TSR_ERROR_FILE);
	tsr_clear(ctx);
	assert_false(tsr_profile(ctx, NULL));
	assert_int_equal(tsr_status(ctx), TSR_ERROR_ARGUMENT);
	tsr_clear(ctx);
	assert_true(tsr_profile(ctx, path));
	assert_false(tsr_profile(ctx, path));
	assert_non_null(strstr(tsr_message(ctx), "end it first"));
	tsr_clear(ctx);
	assert_true(tsr_profile_end(ctx));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(steps_add_up, opened, closed),
		cmocka_unit_test_setup_teardown(interpreted_too, opened, closed),
		cmocka_unit_test_setup_teardown(refused, opened, closed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
