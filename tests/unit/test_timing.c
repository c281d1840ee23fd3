/* test_timing.c - how long calls take: calls, waits and measured times; the line of IPython's
 * %timeit; the table of collectives. */
#include "lib/timing/timing.h"
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <tsr/tsr.h>
#include <unistd.h>
#include "support/heads.h"
#include <cmocka.h> /* after base.h: it takes the name fail */

#define OPEN(...) tsr_open(.plugin_dir = PLUGIN_DIR, __VA_ARGS__)
#define D TSR_DIMS

static tsr *step(tsr *w, tsr *x) { return tsr_sub(w, tsr_mul(0.1, tsr_dot(x, w))); }
static void two_results(tsr_frame *f)
{
	tsr *x = tsr_frame_arg(f, 0);
	tsr_return(f, tsr_sin(x), tsr_cos(x));
}

/* ---- what is called */

static void each_loop_is_a_call(void **state)
{
	tsr_ctx *ctx = OPEN(.devices = 1);
	tsr *x = tsr_ones(ctx, D(8));
	tsr_fn *f = tsr_jit(ctx, two_results), *other = tsr_jit(ctx, tsr_exp);
	tsr_engine_info engine = {.size = sizeof engine};

	(void)state;
	assert_true(tsr_engine(ctx, &engine));
	const tsr_timing t = tsr_time(3, 5, f, x);
	assert_int_equal(t.size, sizeof t);
	assert_int_equal(t.runs, 3);
	assert_int_equal(t.loops, 5);
	assert_true(t.least > 0 && t.least <= t.mean && t.mean <= t.most);
	assert_true(t.deviation >= 0 && t.deviation <= t.most - t.least);
	assert_int_equal(tsr_fn_stats(f).calls, 1 + 3 * 5);
	assert_int_equal(tsr_fn_stats(f).traces, 1);
	/* in the call that is not measured, and other programs wait as ever until it pays */
	assert_int_equal(tsr_fn_stats(f).compiles, engine.compiles);
	assert_true(tsr_wait(tsr_call(other, x)));
	if (!getenv("TSR_DEBUG")) assert_int_equal(tsr_fn_stats(other).compiles, 0);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

static bool sleeps(const tsr_host_call *c)
{
	(void)c;
	return !nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
}

/* and their results are waited for */
static void the_clock_is_that_on_the_wall(void **state)
{
	tsr_ctx *ctx = OPEN(.devices = 1);
	tsr_fn *f = tsr_io_callback(ctx, sleeps);

	(void)state;
	const tsr_timing t = tsr_time(2, 3, f);
	assert_true(t.least >= 2e-3);
	assert_true(t.mean < 2);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

static void memory_is_flat(void **state)
{
	tsr_ctx *ctx = OPEN(.devices = 2);
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 2});
	tsr *x = tsr_put(tsr_ones(ctx, D(16, 16)), mesh, TSR_P("x")), *w = tsr_ones(ctx, D(16, 64));
	tsr_fn *f = tsr_jit(ctx, step);

	(void)state;
	w = tsr_put(w, mesh, TSR_P());
	tsr_time(1, 10, f, tsr_t(x), tsr_t(x));
	assert_int_equal(tsr_time(1, 10, f, w, x).runs, 1);
	const tsr_memory_info before = tsr_memory(ctx);
	assert_int_equal(tsr_time(10, 1000, f, w, x).runs, 10);
	const tsr_memory_info after = tsr_memory(ctx);
	assert_int_equal(after.in_use, before.in_use);
	assert_int_equal(after.peak, before.peak);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* ---- the line */

/* what IPython 8.12 prints of these: "TIMES per loop (mean ± std. dev. of COUNTS)" */
static const struct line {
	double mean, deviation;
	int runs, loops;
	const char *times, *counts;
} lines[] = {
	{0.00123456, 4.56789e-05, 10, 5, "1.23 ms ± 45.7 µs", "10 runs, 5 loops each"},
	{0.0009996, 0.0, 1, 1, "1e+03 µs ± 0 ns", "1 run, 1 loop each"},
	{5.0123, 0.25, 7, 1, "5.01 s ± 250 ms", "7 runs, 1 loop each"},
	{75.5, 3.0, 2, 1234, "1min 15s ± 3 s", "2 runs, 1,234 loops each"},
	{2e-09, 5e-11, 7, 1000000, "2 ns ± 0.05 ns", "7 runs, 1,000,000 loops each"},
	{0.0, 0.0, 3, 100000, "0 ns ± 0 ns", "3 runs, 100,000 loops each"},
	{3661.5, 61.2, 1, 10, "1h 1min 1s ± 1min 1s", "1 run, 10 loops each"},
	{90061.0, 0.0, 1, 1, "1d 1h 1min 1s ± 0 ns", "1 run, 1 loop each"},
	{0.1, 0.0333333, 7, 10, "100 ms ± 33.3 ms", "7 runs, 10 loops each"},
	{59.99, 0.999999, 7, 10, "60 s ± 1e+03 ms", "7 runs, 10 loops each"},
	{1e-06, 1e-09, 7, 10000, "1 µs ± 1 ns", "7 runs, 10,000 loops each"},
	{0.000123456, 1.23456e-05, 1000, 999, "123 µs ± 12.3 µs", "1000 runs, 999 loops each"},
	{86400.0, 1.0, 1, 1, "1d ± 1 s", "1 run, 1 loop each"},
	{1e-12, 0.0, 1, 2147483647, "0.001 ns ± 0 ns", "1 run, 2,147,483,647 loops each"},
};

static void check_lines(void)
{
	tsr_ctx *ctx = OPEN(.devices = 1);
	char want[256];

	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		const struct line *l = &lines[i];
		const tsr_timing t = {sizeof t, l->runs, l->loops, l->mean, l->deviation, 0, 0};
		snprintf(want, sizeof want, "%s per loop (mean ± std. dev. of %s)", l->times,
		         l->counts);
		assert_string_equal(tsr_timing_text(ctx, t), want);
	}
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

static void the_line_is_that_of_ipython(void **state)
{
	(void)state;
	check_lines();
	if (!setlocale(LC_ALL, "de_DE.UTF-8")) return; /* made for the tests, where it can be */
	check_lines();
	setlocale(LC_ALL, "C");
}

/* ---- collectives */

static void the_table_at_the_head_is_true(void **state)
{
	static const figures all[] = {
		{"psum", NULL, {1.5e6, 5e6}, 250e-6},
		{"all_gather", NULL, {3e6, 8e6}, 250e-6},
		{"ppermute", NULL, {1e6, 0}, 260e-9},
		{"all_to_all", "the devices divide no dim of a block", {0, 0}, 0},
	};
	tsr_ctx *ctx = OPEN(.devices = 1);
	str s = {.base = &ctx->base};
	char *lines = head_indented("src/lib/timing/figures.c"), want[1024] = "", got[1024] = "";

	(void)state;
	assert_non_null(lines);
	figures_table(&s, all, sizeof all / sizeof *all, 40e9);
	/* without the spaces before the head, and the lines that are not indented */
	for (char *rest = lines, *line; (line = strsep(&rest, "\n"));)
		if (*line) strcat(strcat(want, line), "\n");
	for (char *rest = s.s, *line; (line = strsep(&rest, "\n"));)
		if (*line) strcat(strcat(got, line + strspn(line, " ")), "\n");
	assert_string_equal(got, want);
	free(lines);
	str_free(&s);
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* what tsr_bench_collectives() prints */
static void print_into(char *to, size_t room, tsr_mesh *mesh, const char *axis, tsr *x)
{
	FILE *file = tmpfile();

	assert_non_null(file);
	fflush(stdout);
	const int kept = dup(STDOUT_FILENO);
	dup2(fileno(file), STDOUT_FILENO);
	tsr_bench_collectives(mesh, axis, x);
	fflush(stdout);
	dup2(kept, STDOUT_FILENO);
	close(kept);
	rewind(file);
	to[fread(to, 1, room - 1, file)] = 0;
	fclose(file);
}

/* a line begins with a name and has these words somewhere behind it */
static void has_line(const char *table, const char *name, const char *words)
{
	for (const char *at = table; (at = strchr(at, '\n')) && *++at;) {
		if (strncmp(at, name, strlen(name)) || at[strlen(name)] != ' ') continue;
		const char *end = strchr(at, '\n'), *found = strstr(at, words);
		if (found && end && found < end) return;
	}
	fail_msg("no line %s with %s in\n%s", name, words, table);
}

/* a block is f32[4,12], 192 bytes, on each of 4 devices along x */
static void a_line_for_each_collective(void **state)
{
	tsr_ctx *ctx = OPEN(.devices = 8);
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 4}, {"y", 2});
	char table[4096];

	(void)state;
	print_into(table, sizeof table, mesh, "x", tsr_ones(ctx, D(16, 12)));
	assert_memory_equal(table, "4 devices along x, of f32[16,12] cut along dim 0\n", 49);
	has_line(table, "psum", " 288 ");
	has_line(table, "pmax", " 288 ");
	has_line(table, "pmin", " 288 ");
	has_line(table, "all_gather", " 576 ");
	has_line(table, "psum_scatter", " 144 ");
	has_line(table, "all_to_all", " 144 ");
	has_line(table, "ppermute", " 192 ");
	has_line(table, "pbroadcast", " 192 ");
	has_line(table, "psum", " %");
	/* 8 devices, each with a c64[1] */
	print_into(table, sizeof table, mesh, "x*y", tsr_astype(tsr_ones(ctx, D(8)), TSR_C64));
	has_line(table, "psum", " 14 ");
	has_line(table, "pmax", "complex numbers have no order");
	has_line(table, "all_to_all", "the devices divide no dim of a block");
	/* nothing to measure, and nobody to exchange with */
	print_into(table, sizeof table, mesh, "y", tsr_ones(ctx, D(0, 4)));
	has_line(table, "all_gather", " 0 ");
	has_line(table, "all_gather", "not copied");
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_loop_is_a_call),
		cmocka_unit_test(the_clock_is_that_on_the_wall),
		cmocka_unit_test(memory_is_flat),
		cmocka_unit_test(the_line_is_that_of_ipython),
		cmocka_unit_test(the_table_at_the_head_is_true),
		cmocka_unit_test(a_line_for_each_collective),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
