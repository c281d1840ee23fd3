/* test_epilogues.c - products with equations fused behind them (engine/cpu/epilogue.c): sampled
 * programs, compiled for 1, 2 and 5 workers, against the interpreter, bit for bit. ctest runs it
 * for each set of instructions.
 *
 * Each draw has a seed of its own, which every message names; TSR_SEED=n in the environment runs
 * that draw alone. TSR_DRAWS=n changes how many there are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tsr/tsr.h>
#include "support/part.h"
#include "support/products_draw.h"
#include <cmocka.h>

enum { FIRST_SEED = 1, DRAWS = 60, MOST_SIDE = 400, MOST_BATCH = 3 };

static char logged[1 << 20];

static void keep(void *user, int level, const char *line)
{
	(void)user, (void)level;
	strncat(logged, line, sizeof logged - strlen(logged) - 1);
}

typedef struct drawn {
	char text[PRODUCTS_TEXT];
	int batch, side;
} drawn;

static size_t elements(const drawn *d)
{
	return (size_t)(d->batch ? d->batch : 1) * (size_t)d->side * (size_t)d->side;
}

/* ---- runs */

static float result[4][PRODUCTS_RESULTS][MOST_BATCH * MOST_SIDE * MOST_SIDE];

static tsr *array_of(tsr_ctx *ctx, const drawn *d, double from)
{
	const int64_t n = (int64_t)elements(d), side = d->side;
	tsr *x = tsr_sin(tsr_add(tsr_arange(ctx, n, .dtype = TSR_F32), from));

	return d->batch ? tsr_reshape(x, TSR_DIMS(d->batch, side, side))
	                : tsr_reshape(x, TSR_DIMS(side, side));
}

static void run(tsr_ctx *ctx, const drawn *d, int into)
{
	tsr *line = tsr_cos(tsr_arange(ctx, d->side, .dtype = TSR_F32));
	tsr *x[PRODUCTS_INPUTS] = {array_of(ctx, d, 0.0), array_of(ctx, d, 0.5), line,
	                           tsr_neg(line)};
	tsr *y[PRODUCTS_RESULTS];
	const tsr_arg args = tsr_arg_tree(TSR_LEAVES(x, PRODUCTS_INPUTS));
	const tsr_out out[] = {{.to = TSR_LEAVES(&y[0], 1)},
	                       {.to = TSR_LEAVES(&y[1], 1)},
	                       {.to = TSR_LEAVES(&y[2], 1)}};

	tsr_call_into_at("here", out, PRODUCTS_RESULTS, tsr_parse(ctx, d->text), &args, 1);
	for (int i = 0; i < PRODUCTS_RESULTS; i++)
		tsr_read(y[i], result[into][i], elements(d) * sizeof(float));
	assert_string_equal(tsr_message(ctx), "");
	assert_int_equal(tsr_close(ctx), TSR_OK);
}

/* how many kernels are computed by a product */
static int count_epilogues(void)
{
	int n = 0;

	for (const char *at = logged; (at = strstr(at, ", then ")); at++) n++;
	return n;
}

static int check(const drawn *d, const char *about)
{
	static const int workers[] = {1, 2, 5};

	logged[0] = 0;
	run(tsr_open(.engine = "interp"), d, 0);
	for (int i = 0; i < 3; i++)
		run(tsr_open(.plugin_dir = PLUGIN_DIR, .debug = i ? "cew" : "ce", .log = keep,
		             .workers = workers[i]),
		    d, 1 + i);
	for (int i = 1; i < 4; i++)
		for (int j = 0; j < PRODUCTS_RESULTS; j++)
			if (memcmp(result[0][j], result[i][j], elements(d) * sizeof(float)) != 0)
				fail_msg("%s: result %d of %d workers differs\n%s%s", about, j,
				         workers[i - 1], d->text, logged);
	return count_epilogues();
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
	static const int sides[] = {16, 17, 31, 64, 100, 130, 257, 300, MOST_SIDE};
	static drawn d;
	const bool one = getenv("TSR_SEED") != NULL;
	const int first = number_from("TSR_SEED", FIRST_SEED);
	const int draws = one ? 1 : number_from("TSR_DRAWS", DRAWS);
	int epilogues = 0;

	(void)state;
	if (!compiles()) skip();
	for (int k = first; k < first + draws; k++) {
		char about[40];
		snprintf(about, sizeof about, "TSR_SEED=%d", k);
		d.side = sides[k % (int)(sizeof sides / sizeof *sides)];
		d.batch = k % 5 % 2 ? 2 + k % 2 : 0;
		products_draw((uint64_t)k, d.batch, d.side, false, d.text);
		epilogues += check(&d, about);
	}
	print_message("%d epilogues in %d programs\n", epilogues, draws);
	assert_true(one || epilogues > draws);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(sampled_programs)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
