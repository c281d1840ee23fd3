/* rows.c - every row of the table of primitives, in every dtype that it takes. A row that is added
 * needs a line in tests/support/row_cases.def, or in control.c, exchanges.c or effects.c: without
 * one no engine conforms. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "conform.h"
#include "support/row_cases.h"

enum { LONGEST = 4096, DTYPES = 15 };

/* ---- texts */

/* "f32[3]; i32[]" as "%2: f32[3], %3: i32[]", or as types alone if number is NULL */
static void put_types(char *text, const char *types, int *number)
{
	const char *between = "";

	for (size_t n; *(types += strspn(types, "; ")); types += n, between = ", ") {
		n = strcspn(types, ";");
		strcat(text, between);
		if (number) sprintf(text + strlen(text), "%%%d: ", (*number)++);
		strncat(text, types, n);
	}
}

static void make_text(char *text, const row_case *c, const char *dtype)
{
	const row_letters l = row_letters_of(dtype, "3,70", (const int64_t[]){3, 5, 4, 6, 300});
	const row_texts t = row_texts_of(c, &l);
	int number = 0;

	strcpy(text, "f(");
	put_types(text, t.operands, &number);
	const int first = number;
	strcat(text, ") -> ");
	put_types(text, t.results, NULL);
	strcat(text, " {\n  ");
	put_types(text, t.results, &number);
	sprintf(text + strlen(text), " = %s\n  return", t.equation);
	for (int i = first; i < number; i++) sprintf(text + strlen(text), " %%%d", i);
	strcat(text, "\n}\n");
}

/* does the row take these dtypes? */
static bool is_legal(tsr_ctx *ctx, const char *text)
{
	const bool legal = tsr_parse(ctx, text) != NULL && !tsr_status(ctx);

	tsr_clear(ctx);
	return legal;
}

/* in every dtype, if its text names one */
static void check_case(trial *t, tsr_ctx *ctx, const row_case *c)
{
	static const char *const dtypes[DTYPES] = {"bool", "i8",  "i16", "i32",  "i64",
	                                           "u8",   "u16", "u32", "u64",  "f16",
	                                           "bf16", "f32", "f64", "c64", "c128"};
	char text[LONGEST], what[64];
	const int count = row_has(c, "TRWN") ? DTYPES : 1;
	int legal = 0;

	for (int k = 0; k < count; k++) {
		make_text(text, c, dtypes[k]);
		if (!is_legal(ctx, text)) continue;
		snprintf(what, sizeof what, "%.*s of %s", (int)strcspn(c->equation, " "),
		         c->equation, dtypes[k]);
		check_program(t, what, text, 1, 1, 3, 0);
		legal++;
	}
	check(t, legal > 0, "no dtype for %s", c->equation);
}

/* ---- is every row there? */

/* in the files of control flow, exchanges and effects */
static const char *const elsewhere[] = {
	"psum", "pmax", "pmin", "all_gather", "psum_scatter", "all_to_all", "ppermute",
	"pbroadcast", "ragged_all_to_all", "psort", "exchange", "axis_index", "pcast",
	"assume_equal",
	"cond", "while", "scan", "debug_print", "callback", "check_finite",
	/* no engine sees these: passes put what is in them in their place */
	"call", "remat", "custom_jvp", "custom_vjp", "custom_lin", "shard_map",
	"sharding_constraint", "placed_like", "shard_alike",
	"transfer_begin", "transfer_end", /* pass/replicate makes them, for an engine of its own */
};

static bool is_covered(const char *row)
{
	for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++)
		if (strcmp(elsewhere[i], row) == 0) return true;
	for (int i = 0; i < ROW_CASES; i++)
		if (row_law(&row_cases[i], CONFORM) && row_is_of(&row_cases[i], row)) return true;
	return false;
}

/* A product that is large enough for a library, which may add in any order: each result is a sum
 * of 256 products of numbers below 4, so it is off by at most 256 roundings of partial sums that
 * are at most 256 * 16 */
static void check_large_product(trial *t)
{
	check_program(t, "a large product",
	              "f(%0: f32[256,256], %1: f32[256,256]) -> f32[256,256] {\n"
	              "  %2: f32[256,256] = dot_general %0 %1 contract_a=[1] contract_b=[0] "
	              "batch_a=[] batch_b=[] dtype=f32\n  return %2\n}\n",
	              1, 1, 2, 256 * 0x1p-24 * 256 * 16);
}

void conform_rows(trial *t)
{
	for (int k = 0; tsr__row_name(k); k++)
		check(t, is_covered(tsr__row_name(k)), "no program checks the row %s",
		      tsr__row_name(k));
	tsr_ctx *ctx = trial_open(t, "interp", 1, 1);
	for (int i = 0; ctx && i < ROW_CASES; i++)
		if (row_law(&row_cases[i], CONFORM)) check_case(t, ctx, &row_cases[i]);
	if (ctx) trial_close(t, ctx, TSR_OK);
	check_large_product(t);
}
