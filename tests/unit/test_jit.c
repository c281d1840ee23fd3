/* test_jit.c - the options of tsr_jit: arguments that a call gives up, the record of calls, the
 * text of compiled programs. */
#include "support/quiet.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tsr/tsr.h>
#include <cmocka.h>

TSR_TREE_TYPE(pair, { tsr *w, *b; });

static tsr *scaled(tsr *x) { return tsr_add(tsr_mul(x, 2), 1); }
static tsr *sum(tsr *x, tsr *y) { return tsr_add(x, y); }

static void step(tsr_frame *frame)
{
	const pair *p = TSR_TREE_OF(pair, tsr_frame_tree(frame, 0));
	tsr *x = tsr_frame_arg(frame, 1);
	pair next = {.w = tsr_add(tsr_mul(p->w, 0.5f), x), .b = tsr_neg(p->b)};

	tsr_return(frame, tsr_sum(next.w), TSR_TREE(pair, &next));
}

static void is_dead(tsr_ctx *ctx, tsr *x, const char *donated_to)
{
	assert_true(tsr_is_poison(tsr_neg(x)));
	assert_int_equal(tsr_status(ctx), TSR_ERROR_HANDLE);
	assert_non_null(strstr(tsr_message(ctx), "test_jit.c:"));
	assert_non_null(strstr(tsr_message(ctx), donated_to));
	tsr_clear(ctx);
	float y[1];
	assert_false(tsr_read(x, y, sizeof y));
	assert_int_equal(tsr_status(ctx), TSR_ERROR_HANDLE);
	tsr_clear(ctx);
	assert_non_null(strstr(tsr_text(x), "was donated to"));
}

/* ---- donation */

static void donated_arguments_are_dead(void **state)
{
	tsr_ctx *ctx = tsr_open(.log = log_nothing);
	tsr *a = tsr_scalar(ctx, 1.0f), *b = tsr_scalar(ctx, 2.0f), *c = tsr_scalar(ctx, 3.0f);
	tsr_fn *f = tsr_jit(ctx, sum, .donate = TSR_DIMS(1));

	(void)state;
	assert_float_equal(tsr_item(tsr_call(f, a, b)), 3, 0);
	assert_float_equal(tsr_item(a), 1, 0);
	is_dead(ctx, b, "the operand was donated to sum at test_jit.c:");
	assert_true(tsr_is_poison(tsr_call(f, b, a)));
	assert_non_null(strstr(tsr_message(ctx), "args[0] was donated to sum"));
	tsr_clear(ctx);
	/* numbers are nobody's, and another fn is what does not donate */
	assert_float_equal(tsr_item(tsr_call(f, a, 4.0)), 5, 0);
	assert_float_equal(tsr_item(tsr_call(tsr_jit(ctx, sum), a, c)), 4, 0);
	assert_float_equal(tsr_item(c), 3, 0);
	assert_ptr_equal(f, tsr_jit(ctx, sum, .donate = TSR_DIMS(1)));
	assert_ptr_not_equal(f, tsr_jit(ctx, sum));
	assert_int_equal(tsr_close(ctx), 0);
}

static void every_handle_of_it_is_dead(void **state)
{
	tsr_ctx *ctx = tsr_open(.log = log_nothing);
	tsr *x = tsr_ones(ctx, TSR_DIMS(4)), *owned = NULL;
	tsr_fn *f = tsr_jit(ctx, scaled, .donate = TSR_DIMS(0));

	(void)state;
	tsr_set(&owned, x);
	tsr *y = tsr_call(f, owned);
	is_dead(ctx, x, "donated to scaled");
	is_dead(ctx, owned, "donated to scaled");
	assert_float_equal(tsr_item(tsr_sum(y)), 12, 0);
	tsr_drop(&owned);
	assert_int_equal(tsr_close(ctx), 0);
}

/* a value that shares its memory is another array */
static void shared_memory_stays(void **state)
{
	tsr_ctx *ctx = tsr_open(.devices = 2, .log = log_nothing);
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 2});
	tsr *x = tsr_ones(ctx, TSR_DIMS(4)), *all = tsr_put(x, mesh, TSR_P());

	(void)state;
	tsr *y = tsr_call(tsr_jit(ctx, scaled, .donate = TSR_DIMS(0)), x);
	is_dead(ctx, x, "donated to scaled");
	assert_float_equal(tsr_item(tsr_sum(all)), 4, 0);
	assert_float_equal(tsr_item(tsr_sum(y)), 12, 0);
	assert_int_equal(tsr_close(ctx), 0);
}

static void one_array_is_one_operand(void **state)
{
	tsr_ctx *ctx = tsr_open(.log = log_nothing);
	tsr *x = tsr_scalar(ctx, 1.0f);

	(void)state;
	assert_true(tsr_is_poison(tsr_call(tsr_jit(ctx, sum, .donate = TSR_DIMS(0, 1)), x, x)));
	assert_int_equal(tsr_status(ctx), TSR_ERROR_ARGUMENT);
	assert_non_null(strstr(tsr_message(ctx), "another operand of the same call"));
	tsr_clear(ctx);
	assert_true(tsr_is_poison(tsr_call(tsr_jit(ctx, sum, .donate = TSR_DIMS(1)), x, x)));
	assert_non_null(strstr(tsr_message(ctx), "(operand 0)"));
	tsr_clear(ctx);
	assert_float_equal(tsr_item(x), 1, 0);
	assert_int_equal(tsr_close(ctx), 0);
}

static void bad_numbers(void **state)
{
	tsr_ctx *ctx = tsr_open(.log = log_nothing);
	tsr *x = tsr_scalar(ctx, 1.0f);

	(void)state;
	(void)tsr_jit(ctx, sum, .donate = TSR_DIMS(8));
	assert_non_null(
		strstr(tsr_message(ctx), ".donate names argument 8; they are numbered 0 to 7"));
	tsr_clear(ctx);
	(void)tsr_jit(ctx, sum, .donate = TSR_DIMS(-1));
	assert_int_equal(tsr_status(ctx), TSR_ERROR_ARGUMENT);
	tsr_clear(ctx);
	assert_true(tsr_is_poison(tsr_call(tsr_jit(ctx, scaled, .donate = TSR_DIMS(0, 2)), x)));
	assert_non_null(strstr(tsr_message(ctx),
	                       "scaled donates argument 2, and this call has 1 argument"));
	tsr_clear(ctx);
	assert_float_equal(tsr_item(x), 1, 0);
	assert_int_equal(tsr_close(ctx), 0);
}

/* inside a body a call gives nothing up, and neither does one that fails before it runs */
static tsr *uses_twice(tsr *x)
{
	tsr *y = tsr_call(tsr_jit(x, scaled, .donate = TSR_DIMS(0)), x);
	return tsr_add(x, y);
}

static tsr *fails(tsr *x) { return tsr_reshape(x, TSR_DIMS(7)); }

static void calls_that_give_nothing_up(void **state)
{
	tsr_ctx *ctx = tsr_open(.log = log_nothing);
	tsr *x = tsr_scalar(ctx, 1.0f);

	(void)state;
	assert_float_equal(tsr_item(tsr_call(tsr_jit(ctx, uses_twice), x)), 4, 0);
	assert_true(tsr_is_poison(tsr_call(tsr_jit(ctx, fails, .donate = TSR_DIMS(0)), x)));
	tsr_clear(ctx);
	assert_float_equal(tsr_item(x), 1, 0);
	assert_int_equal(tsr_close(ctx), 0);
}

static void parameters_replace_themselves(void **state)
{
	tsr_ctx *ctx = tsr_open(.log = log_nothing, .debug = "c"); /* compiled at once */
	pair p = {0};
	tsr *x = tsr_ones(ctx, TSR_DIMS(1000)), *loss;
	size_t after[50];

	(void)state;
	tsr_set(&p.w, tsr_zeros(ctx, TSR_DIMS(1000)));
	tsr_set(&p.b, tsr_zeros(ctx, TSR_DIMS(1000)));
	tsr_fn *f = tsr_jit(ctx, step, .donate = TSR_DIMS(0));
	for (int i = 0; i < 50; i++) {
		TSR_SCOPE(ctx);
		tsr_call_into(TSR_OUT(&loss, TSR_OWN(pair, &p)), f, TSR_TREE(pair, &p), x);
		after[i] = tsr_memory(ctx).in_use;
	}
	assert_int_equal(after[49], after[10]);
	float w[1000];
	assert_true(tsr_read(p.w, w, sizeof w));
	assert_true(w[0] > 1.99f && w[999] < 2.01f);
	tsr_drop_tree(TSR_TREE(pair, &p));
	assert_int_equal(tsr_close(ctx), 0);
}

/* one operation after the other: x is freed after x * 2, and there are never three arrays */
static size_t peak_of(bool donate)
{
	const size_t bytes = 1 << 20;
	tsr_ctx *ctx = tsr_open(.log = log_nothing, .engine = "interp");
	tsr_fn *f = donate ? tsr_jit(ctx, scaled, .donate = TSR_DIMS(0)) : tsr_jit(ctx, scaled);

	tsr_call(f, tsr_ones(ctx, TSR_DIMS(1 << 18)));
	const size_t peak = tsr_memory(ctx).peak;
	assert_int_equal(tsr_close(ctx), 0);
	return (peak + bytes / 4) / bytes;
}

static void donated_memory_is_freed_early(void **state)
{
	(void)state;
	assert_int_equal(peak_of(false), 3);
	assert_int_equal(peak_of(true), 2);
}

static int released;
static void release(void *user, void *data) { (void)user, (void)data, released++; }

static void wrapped_memory_is_given_back(void **state)
{
	static float data[16];
	tsr_ctx *ctx = tsr_open(.log = log_nothing);
	tsr *x = tsr_wrap(ctx, data, TSR_F32, TSR_DIMS(16), .release = release);

	(void)state;
	released = 0;
	assert_float_equal(
		tsr_item(tsr_sum(tsr_call(tsr_jit(ctx, scaled, .donate = TSR_DIMS(0)), x))), 16, 0);
	assert_int_equal(released, 1);
	assert_float_equal(data[0], 0, 0);
	assert_int_equal(tsr_close(ctx), 0);
	assert_int_equal(released, 1);
}

/* ---- counts and texts */

#ifdef WITHOUT_NATIVE
#undef PLUGIN_DIR
#define PLUGIN_DIR "/nowhere" /* no machine code is made here */
enum { NATIVE = 0 };
#else
enum { NATIVE = 1 };
#endif

/* who makes machine code of a program for its first run: 1 or 0 */
static const struct compiler {
	const char *engine, *plugin_dir, *debug;
	int compiles;
} compilers[] = {
	{"cpu", PLUGIN_DIR, "c", NATIVE}, {"cpu", PLUGIN_DIR, "", 0}, /* it does not pay yet */
	{"cpu", "/nowhere", "c", 0},      {"interp", NULL, "c", 0},
};

static void check_counts(const struct compiler *by)
{
	tsr_ctx *ctx = tsr_open(.log = log_nothing, .engine = by->engine, .debug = by->debug,
	                        .plugin_dir = by->plugin_dir);
	tsr_fn *f = tsr_jit(ctx, scaled);

	for (int i = 0; i < 3; i++) tsr_call(f, tsr_scalar(ctx, 1.0f));
	tsr_fn_info n = tsr_fn_stats(f);
	assert_int_equal(n.calls, 3);
	assert_int_equal(n.traces, 1);
	assert_int_equal(n.hits, 2);
	assert_int_equal(n.compiles, by->compiles);
	assert_int_equal(n.executables, 1);
	tsr_call(f, tsr_ones(ctx, TSR_DIMS(3)));
	tsr_call(f, tsr_ones(ctx, TSR_DIMS(4)));
	n = tsr_fn_stats(f);
	assert_int_equal(n.calls, 5);
	assert_int_equal(n.traces, 3);
	assert_int_equal(n.compiles, 3 * by->compiles);
	assert_int_equal(n.executables, 3);
	/* an equal program of another fn is compiled already */
	tsr_fn *g = tsr_jit(ctx, scaled, .name = "other");
	tsr_call(g, tsr_scalar(ctx, 1.0f));
	n = tsr_fn_stats(g);
	assert_int_equal(n.traces, 1);
	assert_int_equal(n.compiles, 0);
	assert_int_equal(n.executables, 1);
	assert_int_equal(tsr_close(ctx), 0);
}

static void counts(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof compilers / sizeof *compilers; i++)
		check_counts(&compilers[i]);
}

/* it compiles at the call from which it pays, and once */
static void compiled_when_it_pays(void **state)
{
	tsr_ctx *ctx = tsr_open(.log = log_nothing, .engine = "cpu", .plugin_dir = PLUGIN_DIR);
	tsr_fn *f = tsr_jit(ctx, scaled);
	tsr *x = tsr_ones(ctx, TSR_DIMS(4000));
	int64_t before = 0, calls = 0;

	(void)state;
	for (; calls < 100000 && !tsr_fn_stats(f).compiles; calls++) tsr_call(f, x);
	if (NATIVE) assert_in_range(calls, 2, 99999);
	before = tsr_fn_stats(f).compiles;
	assert_int_equal(before, NATIVE);
	for (int i = 0; i < 10; i++) tsr_call(f, x);
	assert_int_equal(tsr_fn_stats(f).compiles, before);
	assert_int_equal(tsr_close(ctx), 0);
}

static tsr *inner(tsr *x) { return tsr_neg(x); }
static tsr *outer(tsr *x) { return tsr_neg(tsr_call(tsr_jit(x, inner), tsr_sin(x))); }
static tsr *asks(tsr *x) { return *tsr_fn_compiled_text(tsr_jit(x, inner), x) ? x : tsr_neg(x); }

static void compiled_texts(void **state)
{
	tsr_ctx *ctx = tsr_open(.devices = 2, .log = log_nothing);
	tsr *x = tsr_ones(ctx, TSR_DIMS(2));
	tsr_fn *f = tsr_jit(ctx, outer);

	(void)state;
	assert_non_null(strstr(tsr_fn_text(f, x), "call"));
	const char *text = tsr_fn_compiled_text(f, x);
	assert_non_null(strstr(text, "outer(%0: f32[2]) -> f32[2] {\n  %1: f32[2] = sin %0"));
	assert_null(strstr(text, "neg"));
	assert_null(strstr(text, "call"));
	assert_int_equal(tsr_fn_stats(f).executables, 0);
	tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 2});
	text = tsr_fn_compiled_text(tsr_shard_map(mesh, inner, .sig = "[x] -> [x]"), x);
	assert_non_null(strstr(text, "axes (x of (x:2)) inner(%0: f32[1]{x}) -> f32[1]{x}"));
	assert_int_equal(tsr_status(ctx), 0);
	assert_true(tsr_is_poison(tsr_call(tsr_shard_map(mesh, asks, .sig = "[x] -> [x]"), x)));
	assert_non_null(strstr(tsr_message(ctx), "fn_compiled_text"));
	tsr_clear(ctx);
	assert_int_equal(tsr_close(ctx), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(donated_arguments_are_dead),
		cmocka_unit_test(every_handle_of_it_is_dead),
		cmocka_unit_test(shared_memory_stays),
		cmocka_unit_test(one_array_is_one_operand),
		cmocka_unit_test(bad_numbers),
		cmocka_unit_test(calls_that_give_nothing_up),
		cmocka_unit_test(parameters_replace_themselves),
		cmocka_unit_test(donated_memory_is_freed_early),
		cmocka_unit_test(wrapped_memory_is_given_back),
		cmocka_unit_test(counts),
		cmocka_unit_test(compiled_when_it_pays),
		cmocka_unit_test(compiled_texts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
