/* test_explain.c - the report of a call: its texts, its numbers, conditions on it, refused calls.
 *
 * spmd.automatic_programs compares the bytes with a count of its own over sampled placements, the
 * golden tests with what JAX's partitioner moves.
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
#define P TSR_P
#define D TSR_DIMS

static int opened(void **state)
{
	*state = tsr_open(.devices = 8, .log = log_nothing);
	return 0;
}

static int closed(void **state) { return tsr_close(*state); }

static tsr_mesh *grid(tsr_ctx *ctx) { return tsr_mesh_make(ctx, {"x", 4}, {"y", 2}); }

static const char product[] =
	"f(%0: f32[8,16], %1: f32[16,4]) -> f32[4] {\n"
	"  %2: f32[8,16] = sharding_constraint %0 mesh=(x:4,y:2) to=[[x,y]] open=[]\n"
	"  %3: f32[8,4] = dot_general %2 %1 contract_a=[1] contract_b=[0] batch_a=[] batch_b=[] "
	"dtype=f32\n"
	"  %4: f32[8,4] = sin %3\n"
	"  %5: f32[4] = reduce_sum %4 dims=[0]\n"
	"  return %5\n"
	"}\n";

/* ---- texts */

static void as_text(void **state)
{
	tsr_ctx *ctx = *state;
	tsr_fn *f = tsr_parse(ctx, product);

	assert_string_equal(
		tsr_explain_text_at(NULL, f, NULL, 0),
		"f over Mesh('x': 4, 'y': 2)\n"
		"2 collectives, in which a device receives 56 bytes, 1.0 us expected\n"
		"  psum over y: f32[2,4]{x,y} -> f32[2,4]{x}, 32 bytes, 0.5 us\n"
		"    for the terms of dot_general, which devices hold parts of: [x,-] sum y -> "
		"[x,-]\n"
		"    to save it, cut a dim that is not summed, or want the result in parts\n"
		"  psum over x: f32[4]{x} -> f32[4], 24 bytes, 0.5 us\n"
		"    for the terms of reduce_sum, which devices hold parts of: [-] sum x -> [-]\n"
		"    to save it, cut a dim that is not summed, or want the result in parts\n"
		"memory of a device: 256 bytes at most, with 192 bytes of arguments and 16 bytes "
		"of results\n"
		"  64 bytes made at no line\n"
		"values:\n"
		"  %0: f32[8,16] [x,y], 64 of 512 bytes: x, y as %2, by sharding_constraint "
		"ab->ab, round 1\n"
		"  %1: f32[16,4] [y,-], 128 of 256 bytes: y as %2, by dot_general ab,bc->ac | b "
		"sum, round 4\n"
		"  %2: f32[8,16] [x,y], 64 of 512 bytes, sharding_constraint: held, as a "
		"constraint says\n"
		"  %3: f32[8,4] [x,-], 32 of 128 bytes, dot_general: x as %2, by dot_general "
		"ab,bc->ac | b sum, round 3\n"
		"  %4: f32[8,4] [x,-], 32 of 128 bytes, sin: x as %3, by sin ab->ab, round 3\n"
		"  %5: f32[4] [-], 16 of 16 bytes, reduce_sum, a result: nothing cuts it\n");
}

static tsr *ordered(tsr *x) { return tsr_fft(x); }

static void reasons_of_rows(void **state)
{
	tsr_ctx *ctx = *state;
	tsr *x = tsr_put(tsr_ones(ctx, D(4, 8)), grid(ctx), P(NULL, "x"));
	const char *text = tsr_explain_text(tsr_jit(ctx, ordered), x);

	assert_non_null(strstr(text, "which needs a dim whole: "));
	assert_non_null(strstr(text, "test_explain.c:"));
}

static tsr *summed(tsr *x) { return tsr_psum(tsr_sum(x), "x"); }

static void own_collectives(void **state)
{
	tsr_ctx *ctx = *state;
	tsr_fn *f = tsr_shard_map(grid(ctx), summed, .sig = "[x] -> []");
	const char *text = tsr_explain_text(f, tsr_ones(ctx, D(8)));

	assert_non_null(strstr(text, "psum over x: f32[]{x} -> f32[], 6 bytes"));
	assert_non_null(strstr(text, "your own"));
}

static void one_device(void **state)
{
	tsr_ctx *ctx = *state;
	tsr_fn *f = tsr_jit(ctx, ordered);
	const char *text = tsr_explain_text(f, tsr_ones(ctx, D(4)));

	assert_int_equal(strncmp(text, "ordered on one device\nno collectives\n", 36), 0);
	assert_int_equal(tsr_fn_stats(f).executables, 0); /* nothing is compiled */
}

/* names come from users */
static void names_are_escaped(void **state)
{
	tsr_ctx *ctx = *state;
	tsr_fn *f = tsr_jit(ctx, ordered, .name = "a<b>&\"c\"\\\n");
	tsr *x = tsr_ones(ctx, D(4));
	const char *json = tsr_explain_json(f, x), *html = tsr_explain_html(f, x);
	static const char begin[] = "{\"name\":\"a<b>&\\\"c\\\"\\\\\\u000a\",";

	assert_int_equal(strncmp(json, begin, strlen(begin)), 0);
	assert_non_null(strstr(html, "<title>a&lt;b&gt;&amp;&quot;c&quot;\\\n</title>"));
	assert_null(strstr(html, "<b>"));
	assert_null(strstr(html, "http"));
}

static tsr *net_loss(tsr *x, tsr *w1, tsr *w2, tsr *t)
{
	tsr *y = tsr_dot(tsr_maximum(tsr_dot(x, w1), 0), w2);
	return tsr_neg(tsr_sum(tsr_mul(t, tsr_log_softmax(y, -1))));
}

/* the third seed's step on 4x2 devices: small, and the dearest collective comes first */
static void as_page(void **state)
{
	tsr_ctx *ctx = *state;
	tsr_mesh *m = tsr_mesh_make(ctx, {"data", 4}, {"model", 2});
	tsr *x = tsr_put(tsr_ones(ctx, D(8192, 64)), m, P("data", NULL));
	tsr *w1 = tsr_put(tsr_ones(ctx, D(64, 1024)), m, P(NULL, "model"));
	tsr *w2 = tsr_put(tsr_ones(ctx, D(1024, 10)), m, P("model", NULL));
	tsr *t = tsr_put(tsr_ones(ctx, D(8192, 1)), m, P("data"));
	tsr_fn *f = tsr_jit(ctx, tsr_value_and_grad(ctx, net_loss, .wrt = D(1, 2)));
	const char *page = tsr_explain_html(f, x, w1, w2, t);
	const char *first = strstr(page, "<span class=op>");

	assert_true(strlen(page) < 1 << 20);
	assert_non_null(first);
	const char *bytes = strstr(first, "data-n=bytes>");
	const char *line = strstr(first, "test_explain.c:");
	assert_int_equal(strncmp(bytes, "data-n=bytes>196608<", 20), 0);
	assert_true(line && line < strstr(first, "</tr>"));
	for (const char *at = bytes + 1; (at = strstr(at, "data-n=bytes>")); at++) {
		if (strstr(page, "Memory, when") < at) break;
		assert_true(strtod(at + 13, NULL) <= 196608);
	}
}

static void as_measured(void **state)
{
	static char text[1 << 16];
	tsr_ctx *ctx = *state;
	FILE *to = tmpfile();
	tsr *x = tsr_put(tsr_ones(ctx, D(8, 8)), grid(ctx), P("x"));
	tsr_fn *f = tsr_jit(ctx, ordered), *gives = tsr_jit(ctx, ordered, .donate = D(0));

	assert_non_null(to);
	fflush(stdout);
	const int own = dup(1);
	dup2(fileno(to), 1);
	tsr_explain_measured(f, x);
	fflush(stdout);
	dup2(own, 1);
	close(own);
	rewind(to);
	text[fread(text, 1, sizeof text - 1, to)] = 0;
	fclose(to);
	const char *measured = strstr(text, "\nmeasured: ");
	assert_non_null(measured);
	assert_non_null(strstr(measured, "step"));
	assert_non_null(strstr(measured, " at test_explain.c:"));
	tsr_explain_measured(gives, x);
	assert_non_null(strstr(tsr_message(ctx), "explain_measured: ordered donates argument 0"));
	tsr_clear(ctx);
}

/* ---- numbers */


static void in_loops(void **state)
{
	tsr_ctx *ctx = *state;
	tsr_fn *f = tsr_parse(
		ctx, "f(%0: f32[8]) -> f32[8] {\n"
		     "  %1: f32[8] = shard_map %0 mesh=(x:4) axes=(x) in=[[x]] out=[[x]] "
		     "body=(%0: f32[2]{x}) -> f32[2]{x} {\n"
		     "    %1: f32[2]{x} = scan %0 length=10 consts=0 carry=1 unroll=1 "
		     "reverse=false body=(%0: f32[2]{x}) -> f32[2]{x} {\n"
		     "      %1: f32[2] = psum %0 axes=(x) to=invarying\n"
		     "      %2: f32[2]{x} = pcast %1 axes=(x)\n      return %2\n    }\n"
		     "    return %1\n  }\n  return %1\n}\n");
	tsr_costs c = {.size = sizeof c};

	assert_true(tsr_fn_costs(f, &c));
	assert_int_equal(c.collectives, 10);
	assert_true(c.bytes == 120 && !c.in_while);
	assert_true(c.argument_bytes == 8 && c.result_bytes == 8 && c.peak_bytes >= 16);
	assert_non_null(strstr(tsr_explain_text(f), ", 10 times\n"));
	assert_true(tsr_expect_collectives("psum=10 bytes<=120 all_gather=0", f));
}

static void as_much_as_is_known(void **state)
{
	tsr_ctx *ctx = *state;
	tsr_fn *f = tsr_parse(ctx, product);
	tsr_costs c;

	memset(&c, 0x55, sizeof c);
	c.size = offsetof(tsr_costs, seconds);
	const double before = c.seconds;
	assert_true(tsr_fn_costs(f, &c));
	assert_true(c.bytes == 56 && c.collectives == 2);
	assert_memory_equal(&c.seconds, &before, sizeof before);
}

/* ---- conditions */

static void conditions(void **state)
{
	tsr_ctx *ctx = *state;
	static const struct {
		const char *text;
		int code; /* 0: true */
	} cases[] = {
		{"psum=2", 0},           {"psum=1", TSR_ERROR_USER},
		{"psum<3 psum>1", 0},    {"psum<2", TSR_ERROR_USER},
		{"psum<=2 psum>=2", 0},  {"psum>2", TSR_ERROR_USER},
		{"all_gather=0", 0},     {"collectives=2", 0},
		{"bytes<=56", 0},        {"bytes<56", TSR_ERROR_USER},
		{" ", 0},                {"", 0},
		{"ragged_all_to_all=0 exchange=0 psort=0", 0},
		{"axis_index=0", TSR_ERROR_ARGUMENT},
		{"psum", TSR_ERROR_ARGUMENT},   {"psum==2", TSR_ERROR_ARGUMENT},
		{"psum=x", TSR_ERROR_ARGUMENT}, {"psum=2,bytes=1", TSR_ERROR_ARGUMENT},
		{"sums=2", TSR_ERROR_ARGUMENT}, {"psum=-1", TSR_ERROR_ARGUMENT},
		{"psum=<2", TSR_ERROR_ARGUMENT}, {NULL, TSR_ERROR_ARGUMENT},
	};
	tsr_fn *f = tsr_parse(ctx, product);

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const bool ok = tsr_expect_collectives(cases[i].text, f);
		if (ok != !cases[i].code || (int)tsr_status(ctx) != cases[i].code)
			fail_msg("\"%s\": %d, %s", cases[i].text ? cases[i].text : "NULL", ok,
			         tsr_message(ctx));
		tsr_clear(ctx);
	}
	assert_false(tsr_expect_collectives("psum=1", f));
	assert_non_null(strstr(tsr_message(ctx), "psum=1 is not true of f: it is 2\n"));
	assert_non_null(strstr(tsr_message(ctx), "for the terms of dot_general"));
	tsr_clear(ctx);
}

/* ---- what is refused */

static void refused(void **state)
{
	tsr_ctx *ctx = *state;
	tsr_fn *f = tsr_jit(ctx, ordered);
	tsr_costs c = {0};

	assert_false(tsr_fn_costs(f, &c, tsr_ones(ctx, D(4))));
	assert_non_null(strstr(tsr_message(ctx), "fn_costs: the record has no .size"));
	tsr_clear(ctx);
	assert_false(tsr_fn_costs(f, NULL, tsr_ones(ctx, D(4))));
	assert_non_null(strstr(tsr_message(ctx), "fn_costs: the record is NULL"));
	tsr_clear(ctx);
	c = (tsr_costs){.size = sizeof c, .bytes = 3};
	assert_false(tsr_fn_costs(f, &c));
	assert_true(c.bytes == 0);
	assert_non_null(strstr(tsr_message(ctx), "argument"));
	tsr_clear(ctx);
	assert_string_equal(tsr_explain_text((tsr_fn *)NULL, tsr_ones(ctx, D(4))), "");
	assert_int_not_equal(tsr_status(ctx), TSR_OK);
	tsr_clear(ctx);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(as_text, opened, closed),
		cmocka_unit_test_setup_teardown(reasons_of_rows, opened, closed),
		cmocka_unit_test_setup_teardown(own_collectives, opened, closed),
		cmocka_unit_test_setup_teardown(one_device, opened, closed),
		cmocka_unit_test_setup_teardown(names_are_escaped, opened, closed),
		cmocka_unit_test_setup_teardown(as_page, opened, closed),
		cmocka_unit_test_setup_teardown(as_measured, opened, closed),
		cmocka_unit_test_setup_teardown(in_loops, opened, closed),
		cmocka_unit_test_setup_teardown(as_much_as_is_known, opened, closed),
		cmocka_unit_test_setup_teardown(conditions, opened, closed),
		cmocka_unit_test_setup_teardown(refused, opened, closed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
