/* test_debug.c - the letters of .debug and TSR_DEBUG: each prints, checks or leaves out its
 * part. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include "runtime/runtime.h"
#include <cmocka.h> /* after base.h: it takes the name fail */

/* what reached the log, one text after the other */
typedef struct logged {
	char text[16384];
	int debug, errors;
} logged;

static void keep(void *user, int level, const char *text)
{
	logged *l = user;
	const size_t used = strlen(l->text);

	l->debug += level == 2;
	l->errors += level == 0;
	snprintf(l->text + used, sizeof l->text - used, "%s\n", text);
}

static int count(const logged *l, const char *part)
{
	int n = 0;

	for (const char *at = l->text; (at = strstr(at, part)); at++) n++;
	return n;
}

static tsr *twice_negated(tsr *x) { return tsr_neg(tsr_neg(x)); }
static tsr *square_of_sin(tsr *x) { return tsr_square(tsr_sin(x)); }

static logged run(const char *letters, bool grad)
{
	logged l = {"", 0, 0};
	tsr_ctx *ctx = tsr_open(.log = keep, .user = &l, .debug = letters);
	tsr *x = tsr_scalar(ctx, 0.5f);
	tsr_fn *f = grad ? tsr_jit(ctx, tsr_grad(ctx, square_of_sin)) : tsr_jit(ctx, twice_negated);

	for (int i = 0; i < 2; i++) tsr_call(f, x);
	assert_int_equal(tsr_close(ctx), 0);
	return l;
}

/* a letter means one pass, and stands in the table of docs/debugging.md */
static void letters_are_distinct_and_documented(void **state)
{
	FILE *f = fopen("docs/debugging.md", "r");
	char page[16384], row[8];
	bool used[128] = {false};

	(void)state;
	assert_non_null(f);
	page[fread(page, 1, sizeof page - 1, f)] = 0;
	fclose(f);
	for (const pass_info *p = all_passes; p->name; p++) {
		assert_in_range(p->letter & ~('a' - 'A'), 'A', 'Z');
		assert_false(used[(int)p->letter]);
		used[(int)p->letter] = true;
		snprintf(row, sizeof row, "`%c`", p->letter);
		if (!strstr(page, row)) fail_msg("%s is not in docs/debugging.md", row);
	}
	for (const char *c = "acehnrvwNPC"; *c; c++) {
		snprintf(row, sizeof row, "`%c`", *c);
		if (!strstr(page, row)) fail_msg("%s is not in docs/debugging.md", row);
	}
}

static void nothing_is_printed_unasked(void **state)
{
	(void)state;
	assert_int_equal(run(NULL, true).debug, 0);
	assert_int_equal(run("", true).debug, 0);
	assert_int_equal(run("v", true).debug, 0);
}

static void letters_print_after_their_passes(void **state)
{
	static const struct {
		const char *letter, *title;
		int times;
	} cases[] = {
		{"t", "after trace:\n", 1},    {"i", "after inline:\n", 1},
		{"s", "after simplify:\n", 2}, {"p", "after partition:\n", 1},
		{"f", "after all:\n", 1},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const logged l = run(cases[i].letter, false);
		assert_int_equal(count(&l, cases[i].title), cases[i].times);
		assert_int_equal(l.debug, cases[i].times);
		assert_int_equal(count(&l, "twice_negated(%0: f32[])"), cases[i].times);
	}
}

static void letters_of_transformations(void **state)
{
	static const char *const titles[][2] = {
		{"j", "after jvp:\n"},       {"l", "after split:\n"},
		{"x", "after transpose:\n"}, {"d", "after transform:\n"},
		{"t", "square_of_sin(%0: "},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(titles); i++) {
		const logged l = run(titles[i][0], true);
		assert_true(count(&l, titles[i][1]) >= 1);
	}
	const logged all = run("a", true);
	for (size_t i = 0; i < ARRAY_LEN(titles); i++) assert_true(count(&all, titles[i][1]) >= 1);
	assert_int_equal(count(&all, "after all:\n"), 1);
}

static void simplify_is_left_out(void **state)
{
	const logged with = run("f", false), without = run("fn", false);

	(void)state;
	assert_int_equal(count(&with, "= neg"), 0);
	assert_int_equal(count(&without, "= neg"), 2);
	const logged none = run("sn", false);
	assert_int_equal(none.debug, 0);
}

static void operations_are_printed_once(void **state)
{
	logged l = {"", 0, 0};
	tsr_ctx *ctx = tsr_open(.log = keep, .user = &l, .debug = "o");
	tsr *x = tsr_scalar(ctx, 0.5f);

	(void)state;
	const int before = l.debug;
	for (int i = 0; i < 3; i++) (void)!tsr_sin(x);
	assert_int_equal(l.debug, before + 1);
	assert_int_equal(count(&l, "after operation:\nsin(%0: f32[])"), 1);
	assert_int_equal(tsr_close(ctx), 0);
}

/* ---- values that are spread: where they are, and what is moved */

static tsr_mesh *grid;
static int line_of_sum;
static tsr *sum_of_rows(tsr *x)
{
	line_of_sum = __LINE__ + 1;
	return tsr_sum(tsr_constrain(x, grid, TSR_P("x", "y")), .dims = TSR_DIMS(1));
}
static tsr *top_rows(tsr *x) { return tsr_psum(tsr_slice(x, 0, 0, 1), "x"); }
static tsr *mapped(tsr *x)
{
	tsr_fn *map = tsr_shard_map(grid, top_rows, .in = TSR_SPECS(TSR_P("x")),
	                            .out = TSR_SPECS(TSR_P()));
	tsr *sum = tsr_call(map, x);
	return tsr_add(tsr_slice(x, 0, 0, 1), sum);
}

static void step(tsr_frame *f)
{
	tsr *x = tsr_constrain(tsr_frame_arg(f, 0), grid, TSR_P("x"));
	tsr_return(f, x, tsr_max(tsr_mul(x, tsr_frame_arg(f, 1))));
}
static tsr *below(tsr *x) { return tsr_lt(tsr_sum(x), 100.0); }
static tsr *doubled(tsr *x) { return tsr_mul(tsr_constrain(x, grid, TSR_P("x")), 2.0); }
static tsr *looped(tsr *x)
{
	tsr *carry, *most;

	tsr_scan_into(TSR_OUT(&carry, &most), step, x, tsr_ones(x, TSR_DIMS(3)));
	return tsr_add(tsr_while(below, doubled, carry), tsr_sum(most));
}

static logged spread(const char *letters, tsr *(*body)(tsr *))
{
	logged l = {"", 0, 0};
	tsr_ctx *ctx = tsr_open(.devices = 4, .log = keep, .user = &l, .debug = letters);

	grid = tsr_mesh_make(ctx, {"x", 2}, {"y", 2});
	for (int i = 0; i < 2; i++) tsr_call(tsr_jit(ctx, body), tsr_ones(ctx, TSR_DIMS(4, 4)));
	assert_int_equal(tsr_close(ctx), 0);
	return l;
}

static void where_values_are(void **state)
{
	char place[64];
	const logged l = spread("P", sum_of_rows);

	(void)state;
	assert_int_equal(l.debug, 1);
	assert_int_equal(count(&l, "the values of body, over Mesh('x': 2, 'y': 2):\n"), 1);
	assert_int_equal(count(&l, "%0: f32[4,4] [x,y]: x, y as %1, by sharding_constraint"), 1);
	assert_int_equal(count(&l, "%1: f32[4,4] [x,y]: held, as a constraint says\n"), 1);
	snprintf(place, sizeof place, "round 3, at test_debug.c:%d\n", line_of_sum);
	assert_int_equal(count(&l, "%2: f32[4] [x]: x as %1, by reduce_sum ab->a | b sum, "), 1);
	assert_int_equal(count(&l, place), 1);
	const logged map = spread("P", mapped);
	assert_int_equal(count(&map, "[x,-]: x as shard_map takes it, at test_debug.c:"), 1);
	assert_int_equal(count(&map, "held, as shard_map gives it"), 1);
}

static void collectives(void **state)
{
	char line[128];
	const logged l = spread("C", sum_of_rows);

	(void)state;
	assert_int_equal(l.debug, 1);
	snprintf(line, sizeof line,
	         "  psum over y: f32[4], [x] sum y -> [x], 8 bytes, 0.5 us  # test_debug.c:%d\n",
	         line_of_sum);
	assert_int_equal(count(&l, line), 1);
	assert_int_equal(count(&l, "1 in all: each device receives 8 bytes, 0.5 us"), 1);
	/* the user's own are not partition's */
	const logged map = spread("C", mapped);
	assert_int_equal(count(&map, "psum"), 0);
	assert_int_equal(count(&map, "made for body, over Mesh('x': 2, 'y': 2):"), 1);
	assert_int_equal(spread("", sum_of_rows).debug, 0);
	const logged loops = spread("C", looped);
	assert_int_equal(count(&loops, "pmax over x: f32[]{x} -> f32[], 4 bytes, 0.5 us, 3 times"),
	                 1);
	assert_int_equal(count(&loops, "4 bytes, 0.5 us at each turn of a while"), 1);
	assert_int_equal(count(&loops, "each device receives 16 bytes"), 1);
}

/* ---- bodies that are not pure */

static int calls;
static tsr *counting(tsr *x) { return tsr_mul(x, ++calls); }
static tsr *growing(tsr *x) { return calls++ ? tsr_exp(tsr_neg(x)) : tsr_neg(x); }

static void impure(tsr *(*body)(tsr *), const char *difference)
{
	logged l = {"", 0, 0};
	tsr_ctx *ctx = tsr_open(.log = keep, .user = &l, .debug = "r");
	tsr *x = tsr_scalar(ctx, 0.5f);
	tsr_fn *f = tsr_jit(ctx, body, .name = "body");

	calls = 0;
	assert_false(tsr_is_poison(tsr_call(f, x)));
	assert_true(tsr_is_poison(tsr_call(f, x)));
	assert_int_equal(tsr_status(ctx), TSR_ERROR_ARGUMENT);
	assert_non_null(strstr(tsr_message(ctx), "test_debug.c:"));
	assert_non_null(strstr(tsr_message(ctx), "body is not pure"));
	assert_non_null(strstr(tsr_message(ctx), difference));
	assert_int_equal(tsr_close(ctx), TSR_ERROR_ARGUMENT);
}

static void bodies_are_traced_again(void **state)
{
	(void)state;
	impure(counting,
	       "\"  %1: f32[] = mul %0 1.0:f32\" became \"  %1: f32[] = mul %0 2.0:f32\"");
	impure(growing, "\"  return %1\" became \"  %2: f32[] = exp %1\"");
	assert_int_equal(run("r", true).errors, 0);
	calls = 0;
	tsr_ctx *ctx = tsr_open();
	tsr_fn *f = tsr_jit(ctx, counting);
	for (int i = 0; i < 3; i++) tsr_call(f, tsr_scalar(ctx, 0.5f));
	assert_int_equal(calls, 1);
	assert_int_equal(tsr_close(ctx), 0);
}

static void wrong_programs_are_found(void **state)
{
	static const char text[] =
		"wrong(%0: f32[]) -> f32[] {\n  %1: f32[] = neg %0\n  return %1\n}\n";
	logged l = {"", 0, 0};
	tsr_ctx *ctx = tsr_open(.log = keep, .user = &l, .debug = "v");
	program *p = program_parse(&ctx->ir, NULL, text, strlen(text));

	(void)state;
	assert_ptr_equal(pass_done(p, "trace"), p);
	p->effects = true;
	assert_null(pass_done(p, "simplify"));
	assert_non_null(strstr(tsr_message(ctx), "in program 'wrong' after simplify"));
	assert_int_equal(tsr_close(ctx), TSR_ERROR_TEXT);
}

/* ---- letters that do not exist, and the environment */

static void unknown_letters(void **state)
{
	logged l = {"", 0, 0};
	tsr_ctx *ctx = tsr_open(.log = keep, .user = &l, .debug = "tZ");

	(void)state;
	assert_int_equal(tsr_close(ctx), TSR_ERROR_ARGUMENT);
	assert_non_null(strstr(l.text, ".debug has no letter 'Z'; there are a: print"));
	assert_non_null(strstr(l.text, "v: verify after every pass"));
	setenv("TSR_DEBUG", "Y", 1);
	ctx = tsr_open(.log = keep, .user = &l);
	unsetenv("TSR_DEBUG");
	assert_int_equal(tsr_close(ctx), TSR_ERROR_ARGUMENT);
	assert_non_null(strstr(l.text, "TSR_DEBUG has no letter 'Y'"));
}

static void the_environment_adds(void **state)
{
	(void)state;
	setenv("TSR_DEBUG", "f", 1);
	const logged l = run("n", false);
	unsetenv("TSR_DEBUG");
	assert_int_equal(l.debug, 1);
	assert_int_equal(count(&l, "= neg"), 2);
}

/* a hook that computes with the context, whatever is going on there: also while a trace ends */
static tsr_ctx *busy;
static int computed;

static void compute(void *user, int level, const char *text)
{
	tsr_ctx *ctx = busy;

	(void)user, (void)level, (void)text;
	if (!ctx) return;
	busy = NULL; /* what it computes is logged too */
	computed += tsr_item(tsr_sum(tsr_exp(tsr_zeros(ctx, TSR_DIMS(3))))) == 3;
	busy = ctx;
}

static void a_hook_may_compute(void **state)
{
	tsr_ctx *ctx = tsr_open(.log = compute, .debug = "a");
	tsr *x = tsr_scalar(ctx, 1.5);

	(void)state;
	busy = ctx;
	tsr *y = tsr_call(tsr_jit(ctx, twice_negated), x);
	busy = NULL;
	assert_true(tsr_item(y) == 1.5);
	assert_true(computed >= 4);
	assert_int_equal(tsr_close(ctx), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(letters_are_distinct_and_documented),
		cmocka_unit_test(nothing_is_printed_unasked),
		cmocka_unit_test(letters_print_after_their_passes),
		cmocka_unit_test(letters_of_transformations),
		cmocka_unit_test(simplify_is_left_out),
		cmocka_unit_test(a_hook_may_compute),
		cmocka_unit_test(operations_are_printed_once),
		cmocka_unit_test(where_values_are),
		cmocka_unit_test(collectives),
		cmocka_unit_test(bodies_are_traced_again),
		cmocka_unit_test(wrong_programs_are_found),
		cmocka_unit_test(unknown_letters),
		cmocka_unit_test(the_environment_adds),
	};

	unsetenv("TSR_DEBUG");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
