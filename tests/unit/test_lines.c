/* test_lines.c - an error while a program runs names the caller's own lines, also when the
 * executable was made for an equal program from other lines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include "trace/trace.h"
#include <cmocka.h> /* after base.h: it takes the name fail */

static char logged[1024];

static void keep(void *user, int level, const char *text)
{
	(void)user;
	if (level == 0) snprintf(logged, sizeof logged, "%s", text);
}

/* ---- two fns with equal bodies. On device 0 alone the sum is reached: that fails, at its line */

static int sum_line[2], cond_line[2];

static tsr *sum_0(tsr *x)
{
	sum_line[0] = __LINE__ + 1;
	return tsr_psum(x, "i");
}

static tsr *sum_1(tsr *x)
{
	tsr *y = x;

	sum_line[1] = __LINE__ + 1;
	return tsr_psum(y, "i");
}

static tsr *other(tsr *x) { return tsr_mul(x, 2); }

static tsr *map_0(tsr *x)
{
	cond_line[0] = __LINE__ + 1;
	return tsr_cond(tsr_eq(tsr_axis_index(x, "i"), 0), sum_0, other, x);
}

static tsr *map_1(tsr *x)
{
	cond_line[1] = __LINE__ + 1;
	return tsr_cond(tsr_eq(tsr_axis_index(x, "i"), 0), sum_1, other, x);
}

static void check_places(tsr_ctx *ctx, int line, int around, int call_line)
{
	char place[64], note[64];

	snprintf(place, sizeof place, "test_lines.c:%d: psum is reached by devices {0}", line);
	snprintf(note, sizeof note, "called at test_lines.c:%d", call_line);
	if (!strstr(tsr_message(ctx), place) || !strstr(tsr_message(ctx), note))
		fail_msg("wanted %s and %s, got %s", place, note, tsr_message(ctx));
	snprintf(place, sizeof place, "test_lines.c:%d)\n  while running cond", line);
	snprintf(note, sizeof note, "test_lines.c:%d)\n  while running map", around);
	if (!strstr(tsr_message(ctx), place) || !strstr(tsr_message(ctx), note))
		fail_msg("wanted %s and %s, got %s", place, note, tsr_message(ctx));
	tsr_clear(ctx);
}

static void errors_at_run(void **state)
{
	static const char *const engine[] = {"interp", "cpu"};

	(void)state;
	for (size_t e = 0; e < ARRAY_LEN(engine); e++) {
		tsr_ctx *ctx = tsr_open(.devices = 2, .engine = engine[e], .log = keep,
		                        .plugin_dir = PLUGIN_DIR, .debug = "c");
		tsr_mesh *m = tsr_mesh_make(ctx, {"i", 2});
		tsr_fn *f[] = {tsr_shard_map(m, map_0, .sig = "[i] -> [i]", .unchecked = true),
		               tsr_shard_map(m, map_1, .sig = "[i] -> [i]", .unchecked = true)};
		tsr *x = tsr_arange(ctx, 4, .dtype = TSR_F32);
		for (int k = 0; k < 6; k++) {
			assert_true(tsr_is_poison(tsr_call(f[k % 2], x)));
			check_places(ctx, sum_line[k % 2], cond_line[k % 2], __LINE__ - 1);
		}
		assert_int_equal(ctx->executables.count, 2); /* one is arange */
		assert_int_equal(tsr_close(ctx), TSR_OK);
	}
}

/* ---- a run that was cancelled says at which line */

static void check_cancelled(tsr_ctx *ctx, const tsr *y, int line)
{
	char place[64];

	snprintf(place, sizeof place, "test_lines.c:%d: the run was cancelled", line);
	assert_true(tsr_is_poison(y));
	if (!strstr(tsr_message(ctx), place))
		fail_msg("wanted %s, got %s", place, tsr_message(ctx));
	tsr_clear(ctx);
}

static void operations_outside_bodies(void **state)
{
	static const char *const debug[] = {"", "c"};

	(void)state;
	for (size_t d = 0; d < ARRAY_LEN(debug); d++) {
		tsr_ctx *ctx = tsr_open(.log = keep, .plugin_dir = PLUGIN_DIR, .debug = debug[d]);
		tsr *x = tsr_ones(ctx, TSR_DIMS(3));
		tsr *y = tsr_add(x, x);
		assert_true(tsr_item(tsr_sum(y)) == 6);
		tsr_cancel(ctx);
		y = tsr_add(x, x);
		check_cancelled(ctx, y, __LINE__ - 1);
		tsr_cancel(ctx);
		y = tsr_add(x, x);
		check_cancelled(ctx, y, __LINE__ - 1);
		assert_int_equal(tsr_close(ctx), TSR_OK);
	}
}

/* ---- where one line of one program is two of the other, each is compiled for itself */

static int line_of[2];

static tsr *on_one_line(tsr *x)
{
	line_of[0] = __LINE__ + 1;
	for (int i = 0; i < 2; i++) x = tsr_sin(x);
	return x;
}

static tsr *on_two_lines(tsr *x)
{
	tsr *y = tsr_sin(x);
	line_of[1] = __LINE__ - 1;
	return tsr_sin(y);
}

static void one_line_or_two(void **state)
{
	tsr_ctx *ctx = tsr_open(.log = keep, .plugin_dir = PLUGIN_DIR, .debug = "n");
	tsr *x = tsr_ones(ctx, TSR_DIMS(3));
	tsr_fn *f[] = {tsr_jit(ctx, on_one_line), tsr_jit(ctx, on_two_lines)};

	(void)state;
	for (int k = 0; k < 4; k++) {
		(void)!tsr_call(f[k % 2], x);
		tsr_cancel(ctx);
		const tsr *y = tsr_call(f[k % 2], x);
		check_cancelled(ctx, y, line_of[k % 2]);
	}
	assert_int_equal(ctx->executables.count, 3); /* one is tsr_ones */
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* ---- linear functions of equal programs */

static int sin_line[2];

static tsr *sin_0(tsr *x)
{
	sin_line[0] = __LINE__ + 1;
	return tsr_sin(x);
}

static tsr *sin_1(tsr *x)
{
	sin_line[1] = __LINE__ + 1;
	return tsr_sin(x);
}

static void linear_functions(void **state)
{
	tsr_ctx *ctx = tsr_open(.log = keep, .plugin_dir = PLUGIN_DIR);
	tsr *x = tsr_ones(ctx, TSR_DIMS(3)), *y;
	tsr_fn *f[] = {tsr_jit(ctx, sin_0, .name = "f"), tsr_jit(ctx, sin_1, .name = "f")};

	(void)state;
	for (int k = 0; k < 4; k++) {
		tsr_linearized l = tsr_vjp(TSR_OUT(&y), f[k % 2], x);
		tsr_cancel(ctx);
		y = tsr_call(l.fn, l.residuals, x);
		check_cancelled(ctx, y, sin_line[k % 2]);
	}
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(operations_outside_bodies),
		cmocka_unit_test(one_line_or_two),
		cmocka_unit_test(linear_functions),
		cmocka_unit_test(errors_at_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
