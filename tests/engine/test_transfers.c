/* test_transfers.c - when messages to other processes begin and end in a plan: at once, and when as
 * much has been computed as they are predicted to take, if there is so much. */
#include "engine/plan/plan.h"
#include "runtime/runtime.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

static void nothing(str *s, const step *x, const void *user) { (void)s, (void)x, (void)user; }

/* the first words of the steps, "begin call call end kernel" */
static char *order_of(const char *text)
{
	tsr_ctx *ctx = tsr_open(.devices = 1);
	program *p = program_parse(&ctx->ir, "text", text, strlen(text));
	if (!p) fail_msg("%s", tsr_message(ctx));
	const target *on = target_of(32);
	program *fused = pass_fuse(p, on);
	str why = {.base = &ctx->base}, plan = why;
	schedule *s = schedule_make(&ctx->base, on, fused, &why);
	char *words = calloc(4096, 1);

	assert_non_null(s);
	schedule_text(&plan, s, nothing, NULL);
	for (const char *line = plan.s; (line = strchr(line, '\n')); line++) {
		char word[32];
		if (sscanf(line, " %*d %31s", word) == 1)
			sprintf(words + strlen(words), *words ? " %s" : "%s", word);
	}
	str_free(&plan);
	str_free(&why);
	schedule_free(s);
	program_release(fused);
	program_release(p);
	assert_int_equal(tsr_close(ctx), TSR_OK);
	return words;
}

#define BEGIN(x, n, type) \
	"  %1" n ": " type " = transfer_begin " x " number=" n " to=[1] from=[1] types=[" \
	type "]\n"
#define END(x, n, type) \
	"  %2" n ": " type " = transfer_end " x " %1" n " number=" n " to=[1] from=[1] types=[" \
	type "]\n"
#define PAIR(x, n, type) BEGIN(x, n, type) END(x, n, type)
#define SUM(y, x) "  " y ": f32[9000] = cumsum " x " dim=0 reverse=false\n"

static const struct order {
	const char *text, *steps;
} orders[] = {
	/* little: two sums take as long */
	{"f(%0: f32[8], %1: f32[9000]) -> f32[8], f32[9000] {\n" PAIR("%0", "1", "f32[8]") SUM(
		 "%3", "%1") SUM("%4", "%3") SUM("%5", "%4") "  %6: f32[8] = neg %21\n"
	                                                     "  return %6 %5\n}\n",
         "begin call call end kernel call"},
	/* much: it ends behind all of them */
	{"f(%0: f32[800000], %1: f32[9000]) -> f32[800000], f32[9000] {\n" PAIR(
		 "%0", "1", "f32[800000]") SUM("%3", "%1") SUM("%4", "%3") SUM("%5", "%4")
         "  %6: f32[800000] = neg %21\n"
         "  return %6 %5\n}\n",
         "begin call call call end kernel"},
	/* nothing to do meanwhile; two at once */
	{"f(%0: f32[8], %1: f32[8]) -> f32[8] {\n" PAIR("%0", "1", "f32[8]") PAIR(
		 "%1", "2", "f32[8]") "  %3: f32[8] = add %21 %22\n"
	                              "  return %3\n}\n",
         "begin begin end end kernel"},
	/* one that nothing needs */
	{"f(%0: f32[8]) -> f32[8] {\n" PAIR("%0", "1", "f32[8]") "  %3: f32[8] = neg %0\n"
	                                                          "  return %3\n}\n",
         "begin kernel end"},
	/* The second one is sent, and nothing comes back. Its operand is there at once, but it
	 * begins behind the first one, and ends behind its own beginning */
	{"f(%0: f32[8], %1: f32[9000]) -> f32[9000] {\n" SUM("%2", "%1") SUM("%3", "%2")
		 SUM("%4", "%3") SUM("%5", "%4") PAIR("%5", "1", "f32[9000]")
         "  transfer_begin %0 number=2 to=[1] from=[] types=[]\n"
         "  transfer_end %0 number=2 to=[1] from=[] types=[]\n" SUM("%6", "%21")
         "  return %6\n}\n",
         "call call call call begin begin end end call"},
	/* the second one ends behind the third one's beginning, which needs only the first */
	{"f(%0: f32[8]) -> f32[8] {\n" BEGIN("%0", "1", "f32[8]") BEGIN("%0", "2", "f32[8]")
		 END("%0", "1", "f32[8]") "  %3: f32[8] = neg %21\n" BEGIN("%3", "3", "f32[8]")
		 END("%0", "2", "f32[8]") END("%3", "3", "f32[8]")
         "  %4: f32[8] = add %22 %23\n"
         "  return %4\n}\n",
         "begin begin end kernel begin end end kernel"},
	/* what is received comes where it is joined, and the rest is copied there meanwhile */
	{"f(%0: f32[4096]) -> f32[8192] {\n" PAIR(
		 "%0", "1", "f32[4096]") "  %3: f32[8192] = concatenate %0 %21 dim=0\n"
	                                 "  return %3\n}\n",
         "begin copy end"},
	/* likewise of another shape; the rest is computed where it is joined, and sent from there
	 */
	{"f(%0: f32[4096]) -> f32[2,4096] {\n"
         "  %3: f32[4096] = sin %0\n" PAIR("%3", "1", "f32[4096]")
		 "  %4: f32[1,4096] = reshape %3 dims=[1,4096]\n"
		 "  %5: f32[1,4096] = reshape %21 dims=[1,4096]\n"
		 "  %6: f32[2,4096] = concatenate %5 %4 dim=0\n"
		 "  return %6\n}\n",
         "kernel begin end"},
	/* joined twice: once it comes there, and once it is copied */
	{"f(%0: f32[4096]) -> f32[8192], f32[8192] {\n" PAIR(
		 "%0", "1", "f32[4096]") "  %3: f32[8192] = concatenate %0 %21 dim=0\n"
	                                 "  %4: f32[8192] = concatenate %21 %0 dim=0\n"
	                                 "  return %3 %4\n}\n",
         "begin copy copy end copy"},
};

static void test_orders(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(orders); i++) {
		char *steps = order_of(orders[i].text);
		assert_string_equal(steps, orders[i].steps);
		free(steps);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_orders)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
