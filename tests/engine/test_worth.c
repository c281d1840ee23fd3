/* test_worth.c - when a program is compiled: not if it runs once or twice, soon if it runs often,
 * and before the first run if that is long; once its runs have taken, by a clock of the test's own,
 * the estimated time of compiling; and the example at the head of worth.c.
 *
 *     TSR_SHOW=1 test_worth       says which call compiles */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include "engine/cpu/cpu.h"
#include "runtime/runtime.h"
#include "support/heads.h"
#include <cmocka.h> /* after base.h: it takes the name fail */

/* in a text: $ stands for `n` equations on %0, the last of which is returned, and their end */
static const struct worth {
	const char *name, *text;
	int n;
	int64_t side; /* of its square input; 0: f32[8] */
	/* calls until it is compiled, most 0: more. The faster a machine runs them, the more */
	int least, most;
} cases[] = {
	{"few equations", "f(%0: f32[8]) -> f32[8] {\n$", 5, 0, 1000, 50000},
	{"many equations", "f(%0: f32[8]) -> f32[8] {\n$", 5000, 0, 100, 8000},
	{"many more", "f(%0: f32[8]) -> f32[8] {\n$", 20000, 0, 3, 0},
	{"large ones", "f(%0: f32[1000,1000]) -> f32[1000,1000] {\n$", 20, 1000, 1, 2},
	{"a long loop",
         "f(%0: f32[8]) -> f32[8] {\n %1: f32[8] = scan %0 length=100000 consts=0 carry=1 "
         "unroll=1 body=(%0: f32[8]) -> f32[8] {\n$\n return %1\n}",
         5, 0, 1, 1},
	{"a short loop",
         "f(%0: f32[8]) -> f32[8] {\n %1: f32[8] = scan %0 length=3 consts=0 carry=1 "
         "unroll=1 body=(%0: f32[8]) -> f32[8] {\n$\n return %1\n}",
         5, 0, 300, 50000},
	{"few equations on each of 8 devices",
         "f(%0: f32[8]) -> f32[8] {\n %1: f32[8] = shard_map %0 mesh=(x:8) axes=(x) in=[[x]] "
         "out=[[x]] body=(%0: f32[1]{x}) -> f32[1]{x} {\n %1: f32[1]{x} = sin %0\n"
         " %2: f32[1]{x} = mul %1 %0\n return %2\n}\n return %1\n}",
         0, 0, 1000, 50000},
	{"a loop of unknown length",
         "f(%0: f32[8]) -> f32[8] {\n %1: f32[8] = while %0 cond_consts=0 body_consts=0 "
         "cond=(%0: f32[8]) -> bool[] {\n %1: f32[] = reduce_sum %0 dims=[0]\n"
         " %2: bool[] = lt %1 99.0:f32\n return %2\n} body=(%0: f32[8]) -> f32[8] {\n"
         "$\n return %1\n}",
         5, 0, 1, 1},
	/* a library computes it, with other bits than the interpreter's */
	{"a factorisation",
         "f(%0: f32[64,64]) -> f32[64,64] {\n %1: f32[64,64] = cholesky %0\n return %1\n}",
         0, 64, 1, 1},
};

static void put_text(str *s, const struct worth *w)
{
	for (const char *c = w->text; *c; c++) {
		if (*c != '$') {
			str_putn(s, c, 1);
			continue;
		}
		for (int i = 1; i <= w->n; i++)
			str_printf(s, w->side ? " %%%d: f32[1000,1000] = add %%%d %%%d\n"
			                      : " %%%d: f32[8] = add %%%d %%%d\n",
			           i, i - 1, i / 2);
		str_printf(s, " return %%%d\n}", w->n);
	}
}

/* Under the sanitizers runs that are interpreted take five times as long, beside other tests up to
 * fifteen times, and compiling is estimated as ever: so many calls fewer suffice */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { FEWER = 15 };
#else
enum { FEWER = 1 };
#endif

/* the call that makes it machine code, from 1; 0: not one of the first `most` calls */
static int calls_until_compiled(tsr_ctx *ctx, tsr_fn *f, tsr *x, int most)
{
	for (int i = 1; i <= most; i++) {
		TSR_SCOPE(ctx);
		tsr_call(f, x);
		if (tsr_fn_stats(f).compiles) return i;
	}
	return 0;
}

static void test_worth(void **state)
{
	(void)state;
	for (size_t k = 0; k < ARRAY_LEN(cases); k++) {
		const struct worth *w = &cases[k];
		tsr_ctx *ctx = tsr_open(.devices = 8, .plugin_dir = PLUGIN_DIR);
		str text = {.base = &ctx->base};
		put_text(&text, w);
		tsr_fn *f = tsr_parse(ctx, text.s);
		tsr *x = w->side ? tsr_ones(ctx, TSR_DIMS(w->side, w->side))
		                 : tsr_ones(ctx, TSR_DIMS(8));
		const int at = calls_until_compiled(ctx, f, x, w->most ? w->most : w->least);
		str_free(&text);
		const int least = w->most > 2 ? w->least / FEWER : w->least;
		if (w->most ? at < least : at)
			fail_msg("%s: compiled by call %d of at most %d, not before %d", w->name,
			         at, w->most, least);
		if (getenv("TSR_SHOW")) print_message("%s: call %d\n", w->name, at);
		assert_int_equal(tsr_close(ctx), 0);
	}
}

/* ---- what runs take is measured */

/* The clocks are the test's: that on the wall goes on by so many nanoseconds whenever this thread
 * reads it, as before and after a run, and the processor's by as many. 0: they are as they are */
static int64_t of_a_run;
static _Thread_local bool asks;

int clock_gettime(clockid_t clock, struct timespec *to)
{
	static int64_t gone;

	if (!of_a_run || !asks) return (int)syscall(SYS_clock_gettime, clock, to);
	if (clock == CLOCK_MONOTONIC) gone += of_a_run;
	*to = (struct timespec){gone / 1000000000, gone % 1000000000};
	return 0;
}

static tsr *one_layer(tsr *x, tsr *w) { return tsr_tanh(tsr_dot(x, w)); }
static tsr *products(tsr *x, tsr *w)
{
	return tsr_sum(one_layer(one_layer(x, w), w));
}
static tsr *small_kernels(tsr *x, tsr *w)
{
	(void)w;
	for (int i = 0; i < 4; i++) x = tsr_cumsum(tsr_mul(x, x), .dim = TSR_DIMS(1));
	return x;
}
static tsr *next(tsr *i, tsr *x)
{
	(void)i;
	return tsr_mul(tsr_sin(x), 0.5);
}
static tsr *loop(tsr *x, tsr *w)
{
	(void)w;
	return tsr_fori(0, 3, next, x);
}
static tsr *calls(tsr *x, tsr *w)
{
	tsr_fn *f = tsr_jit(x, one_layer);
	return tsr_call(f, tsr_call(f, x, w), w);
}
static tsr_mesh *devices;
static tsr *exchanges(tsr *x)
{
	for (int i = 0; i < 3; i++) x = tsr_add(x, tsr_psum(tsr_sin(x), "x"));
	return x;
}
static tsr *collectives(tsr *x, tsr *w)
{
	(void)w;
	tsr_fn *f = tsr_shard_map(devices, exchanges, .sig = "[x,-] -> [x,-]");
	return tsr_call(f, x);
}

static const struct measured {
	const char *name;
	tsr *(*body)(tsr *, tsr *);
} measured[] = {{"products", products},
                {"small kernels", small_kernels},
                {"a loop", loop},
                {"calls", calls},
                {"collectives", collectives}};

/* the runs of f that are interpreted, of so many nanoseconds each */
static int64_t runs_interpreted(tsr_ctx *ctx, tsr_fn *f, tsr *x, tsr *w, int64_t run)
{
	int64_t n = 0;

	asks = true;
	of_a_run = run;
	for (bool done = false; !done; n++) {
		TSR_SCOPE(ctx);
		tsr_call(f, x, w);
		done = tsr_fn_stats(f).compiles;
	}
	of_a_run = 0;
	return n - 1;
}

/* Runs take as long in all before a program is compiled, whatever one takes, and whatever the
 * estimate was; cut: over 8 devices. Each time it has columns of its own, so that its kernels are
 * not known */
static void check_measured(const struct measured *m, bool cut)
{
	const int64_t run[] = {50000, 200000, 1000000};
	double all[3];

	for (int i = 0; i < 3; i++) {
		static int64_t columns = 16;
		tsr_ctx *ctx = tsr_open(.devices = 8, .plugin_dir = PLUGIN_DIR);
		devices = tsr_mesh_make(ctx, {"x", 8});
		columns++;
		tsr *x = tsr_ones(ctx, TSR_DIMS(8, columns));
		tsr *w = tsr_ones(ctx, TSR_DIMS(columns, columns));
		if (cut) x = tsr_put(x, devices, TSR_P("x"));
		const int64_t n = runs_interpreted(ctx, tsr_jit(ctx, m->body), x, w, run[i]);
		all[i] = (double)(n * run[i]);
		assert_int_equal(tsr_close(ctx), 0);
	}
	if (getenv("TSR_SHOW"))
		print_message("%s%s: %.3g, %.3g and %.3g ms\n", m->name, cut ? ", cut" : "",
		              all[0] / 1e6, all[1] / 1e6, all[2] / 1e6);
	for (int i = 0; i < 3; i++)
		if (all[i] < TUNE_PRICE_OPEN || all[i] < 0.85 * all[2] || all[i] > 1.15 * all[2])
			fail_msg("%s: runs took %g ms until it was compiled, or %g or %g", m->name,
			         all[0] / 1e6, all[1] / 1e6, all[2] / 1e6);
}

static void test_measured(void **state)
{
	(void)state;
	for (size_t k = 0; k < ARRAY_LEN(measured); k++)
		for (int cut = 0; cut < 2; cut++) check_measured(&measured[k], cut);
}

/* kernels that were compiled for another program take no time; a sort lies between two */
static tsr *sine(tsr *x, tsr *w)
{
	(void)w;
	return tsr_sort(tsr_sin(x));
}
static tsr *sines(tsr *x, tsr *w) { return sine(sine(x, w), w); }

static void test_known(void **state)
{
	tsr_ctx *ctx = tsr_open(.plugin_dir = PLUGIN_DIR);
	tsr *x = tsr_ones(ctx, TSR_DIMS(8, 3)), *w = tsr_ones(ctx, TSR_DIMS(3, 3));

	(void)state;
	const int64_t first = runs_interpreted(ctx, tsr_jit(ctx, sine), x, w, 1000000);
	const int64_t second = runs_interpreted(ctx, tsr_jit(ctx, sines), x, w, 1000000);
	if (first < 10 || second > 1)
		fail_msg("%lld runs, and of another program with the same kernels %lld",
		         (long long)first, (long long)second);
	assert_int_equal(tsr_close(ctx), 0);
}

static void test_head(void **state)
{
	tsr_ctx *ctx = tsr_open();
	str text = {.base = &ctx->base}, why = text;
	head_example x;
	weight w;
	price of;

	(void)state;
	assert_true(head_example_read("src/engine/cpu/worth.c", &x));
	const target *on = target_of(x.number);
	program *p = program_parse(&ctx->ir, NULL, x.program, strlen(x.program));
	if (!p) fail_msg("%s", tsr_message(ctx));
	program *fused = pass_fuse(p, on);
	schedule *plan = fused ? schedule_make(&ctx->base, on, fused, &why) : NULL;
	assert_true(plan && program_weight(on, p, &w) && plan_price(plan, NULL, NULL, &of));
	str_printf(&text, "interpreted: %.4g us\ncompiled: %.4g ms, %g kernel\n", w.ns / 1e3,
	           of.ns / 1e6, of.kernels);
	assert_string_equal(x.lines, text.s);
	str_free(&text);
	schedule_free(plan);
	program_release(fused);
	program_release(p);
	head_example_free(&x);
	assert_int_equal(tsr_close(ctx), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_head),
	                                   cmocka_unit_test(test_worth),
	                                   cmocka_unit_test(test_measured),
	                                   cmocka_unit_test(test_known)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
