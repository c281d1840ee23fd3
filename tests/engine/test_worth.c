/* test_worth.c - when a program is compiled: not if it runs once or twice, soon if it runs often,
 * and before the first run if that is long; and the example at the head of worth.c.
 *
 *     TSR_SHOW=1 test_worth       says which call compiles */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include "engine/cpu/cpu.h"
#include "runtime/runtime.h"
#include "support/heads.h"
#include <cmocka.h> /* after base.h: it takes the name fail */

/* in a text: $ stands for `n` equations on %0, the last of which is returned, and their end */
static const struct worth {
	const char *name, *text;
	int n;
	int64_t side; /* of its square input; 0: f32[8] */
	int least, most; /* calls until it is compiled; most 0: more */
} cases[] = {
	{"few equations", "f(%0: f32[8]) -> f32[8] {\n$", 5, 0, 1000, 50000},
	{"many equations", "f(%0: f32[8]) -> f32[8] {\n$", 5000, 0, 100, 2000},
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
         0, 0, 1000, 15000},
	{"a loop of unknown length",
         "f(%0: f32[8]) -> f32[8] {\n %1: f32[8] = while %0 cond_consts=0 body_consts=0 "
         "cond=(%0: f32[8]) -> bool[] {\n %1: f32[] = reduce_sum %0 dims=[0]\n"
         " %2: bool[] = lt %1 99.0:f32\n return %2\n} body=(%0: f32[8]) -> f32[8] {\n"
         "$\n return %1\n}",
         5, 0, 1, 1},
	/* a library computes it, with other bits than the interpreter's */
	{"a product",
         "f(%0: f32[64,64]) -> f32[64,64] {\n %1: f32[64,64] = dot_general %0 %0 contract_a=[1] "
         "contract_b=[0] batch_a=[] batch_b=[] dtype=f32\n return %1\n}",
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
		if (w->most ? at < w->least : at)
			fail_msg("%s: compiled by call %d of at most %d, not before %d", w->name,
			         at, w->most, w->least);
		if (getenv("TSR_SHOW")) print_message("%s: call %d\n", w->name, at);
		assert_int_equal(tsr_close(ctx), 0);
	}
}

static void test_head(void **state)
{
	tsr_ctx *ctx = tsr_open();
	str text = {.base = &ctx->base};
	head_example x;
	weight w;
	price of;

	(void)state;
	assert_true(head_example_read("src/engine/cpu/worth.c", &x));
	const target *on = target_of(x.number);
	program *p = program_parse(&ctx->ir, NULL, x.program, strlen(x.program));
	if (!p) fail_msg("%s", tsr_message(ctx));
	program *fused = pass_fuse(p, on);
	assert_true(fused && program_weight(on, p, &w) && program_price(on, fused, &of));
	str_printf(&text, "interpreted: %.4g us\ncompiled: %.4g ms, %g kernel\n", w.ns / 1e3,
	           of.ns / 1e6, of.kernels);
	assert_string_equal(x.lines, text.s);
	str_free(&text);
	program_release(fused);
	program_release(p);
	head_example_free(&x);
	assert_int_equal(tsr_close(ctx), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_head),
	                                   cmocka_unit_test(test_worth)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
