/* test_chains.c - waves that are done together (engine/cpu/chains.c): sampled programs of batches
 * of matrices, with equations that keep to their matrix and others, shared in all ways by 5
 * workers, against one worker alone, bit for bit.
 *
 * Each draw has a seed of its own, which every message names; TSR_SEED=n in the environment runs
 * that draw alone. TSR_DRAWS=n changes how many there are. */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tsr/tsr.h>
#include "support/part.h"
#include <cmocka.h>

enum { FIRST_SEED = 1, DRAWS = 150, SIDE = 32, EQUATIONS = 8, MOST = 4 * 256 * 256 };

static char logged[1 << 17];

static void keep(void *user, int level, const char *line)
{
	(void)user, (void)level;
	strncat(logged, line, sizeof logged - strlen(logged) - 1);
}

static uint64_t dice;

static int roll(int n)
{
	dice ^= dice << 13;
	dice ^= dice >> 7;
	dice ^= dice << 17;
	return (int)(dice >> 33) % n;
}

/* ---- programs of f32[32,32,32] */

static const char *const kept[] = {
	/* matrix i of the result needs matrix i of the operands alone */
	"tanh %%%d",
	"dot_general %%%d %%%d contract_a=[2] contract_b=[1] batch_a=[0] batch_b=[0] dtype=f32",
	"dot_general %%%d %%%d contract_a=[1] contract_b=[1] batch_a=[0] batch_b=[0] dtype=f32",
	"transpose %%%d perm=[0,2,1]",
	"sub %%%d %%%d",
	"rev %%%d dims=[1]",
};
static const char *const mixed[] = {
	/* it needs others */
	"transpose %%%d perm=[1,0,2]",
	"rev %%%d dims=[0]",
	"cumsum %%%d dim=2",
	"dot_general %%%d %%%d contract_a=[2] contract_b=[2] batch_a=[1] batch_b=[1] dtype=f32",
};

static const char *draw_program(void)
{
	static char text[1 << 13];
	int n = snprintf(text, sizeof text,
	                 "f(%%0: f32[32,32,32], %%1: f32[32,32,32]) -> f32[32,32,32], "
	                 "f32[32,32,32] {\n");

	for (int i = 2; i < EQUATIONS + 2; i++) {
		const bool keeps = roll(5) != 0;
		const char *op = keeps ? kept[roll(sizeof kept / sizeof *kept)]
		                       : mixed[roll(sizeof mixed / sizeof *mixed)];
		/* mostly the value before, so that there is much to do in a row */
		const int a = roll(3) ? i - 1 : roll(i), b = roll(i);
		n += snprintf(text + n, sizeof text - (size_t)n, "  %%%d: f32[32,32,32] = ", i);
		n += snprintf(text + n, sizeof text - (size_t)n, op, a, b);
		n += snprintf(text + n, sizeof text - (size_t)n, "\n");
	}
	snprintf(text + n, sizeof text - (size_t)n, "  return %%%d %%%d\n}\n", EQUATIONS + 1,
	         2 + roll(EQUATIONS));
	return text;
}

/* ---- runs */

static float result[3][2][MOST];

/* of two arrays batch x n x n, with two results like them */
typedef struct sampled {
	const char *program;
	int batch, n;
} sampled;

static void run(const sampled *p, int workers, const char *debug, int into)
{
	tsr_ctx *ctx =
		tsr_open(.plugin_dir = PLUGIN_DIR, .debug = debug, .log = keep, .workers = workers);
	const int n = p->batch * p->n * p->n;
	tsr *x[2], *y[2];

	for (int i = 0; i < 2; i++) {
		tsr *all = tsr_sin(tsr_arange(ctx, n, .dtype = TSR_F32));
		x[i] = tsr_reshape(i ? tsr_neg(all) : all, TSR_DIMS(p->batch, p->n, p->n));
	}
	const tsr_arg args = tsr_arg_tree(TSR_LEAVES(x, 2));
	const tsr_out out[] = {{.to = TSR_LEAVES(&y[0], 1)}, {.to = TSR_LEAVES(&y[1], 1)}};
	tsr_call_into_at("here", out, 2, tsr_parse(ctx, p->program), &args, 1);
	for (int i = 0; i < 2; i++) tsr_read(y[i], result[into][i], (size_t)n * sizeof(float));
	assert_string_equal(tsr_message(ctx), "");
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* a step that is shared with others: ", 0-2 in 8 pieces" */
static bool has_chains(const char *plan)
{
	for (const char *at = plan; (at = strstr(at, " in ")); at++)
		if (isdigit(at[4])) return true;
	return false;
}

/* does the program have chains? */
static bool check(const sampled *p, const char *about)
{
	const size_t bytes = (size_t)(p->batch * p->n * p->n) * sizeof(float);

	logged[0] = 0;
	run(p, 1, "c", 0);
	run(p, 5, "ce", 1);
	run(p, 5, "cewh", 2);
	for (int i = 1; i < 3; i++)
		for (int j = 0; j < 2; j++)
			if (memcmp(result[0][j], result[i][j], bytes))
				fail_msg("%s: %s differs\n%s%s", about,
				         i == 1 ? "5 workers" : "all is shared", p->program,
				         logged);
	return has_chains(logged);
}

/* is there machine code? */
static bool compiles(void)
{
	tsr_ctx *ctx = tsr_open(.plugin_dir = PLUGIN_DIR, .log = keep);
	tsr_engine_info info = {.size = sizeof info};

	assert_true(tsr_engine(ctx, &info));
	assert_int_equal(tsr_close(ctx), TSR_OK);
	return info.compiles;
}

static void sampled_programs(void **state)
{
	const bool one = getenv("TSR_SEED") != NULL;
	const int first = number_from("TSR_SEED", FIRST_SEED);
	const int draws = one ? 1 : number_from("TSR_DRAWS", DRAWS);
	int chained = 0;

	(void)state;
	if (!compiles()) skip();
	for (int k = first; k < first + draws; k++) {
		char about[40];
		snprintf(about, sizeof about, "TSR_SEED=%d", k);
		dice = (uint64_t)k * 0x2545f4914f6cdd1du;
		chained += check(&(sampled){draw_program(), SIDE, SIDE}, about);
	}
	print_message("%d of %d programs have chains\n", chained, draws);
	assert_true(one || chained > draws / 3);
}

/* a library computes each matrix in several parts, none of which is rows alone */
static void matrices_in_parts(void **state)
{
	(void)state;
	if (!compiles()) skip();
	assert_true(check(&(sampled){"f(%0: f32[4,256,256], %1: f32[4,256,256]) -> "
	                             "f32[4,256,256], f32[4,256,256] {\n"
	                             "  %2: f32[4,256,256] = dot_general %0 %1 contract_a=[2] "
	                             "contract_b=[1] batch_a=[0] batch_b=[0] dtype=f32\n"
	                             "  %3: f32[4,256,256] = tanh %2\n"
	                             "  return %2 %3\n"
	                             "}\n",
	                             4, 256},
	                  "parts"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sampled_programs),
		cmocka_unit_test(matrices_in_parts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
