/* test_uneven.c - every row, and gradients, on operands of sizes 0 to 9 that are spread over a mesh
 * without dividing, for the most part, against the same on one device, bit for bit.
 *
 * Padding holds garbage: each program puts NaN, infinities or extreme integers where there is 0,
 * which no operand holds, but padding does at first.
 *
 * The cases are those of support/row_cases.def: A to C are drawn from 0 to 9, D from 1 to 9.
 *
 * TSR_EVERY=1 in the environment tries every placement of the operands instead, each of all sizes,
 * or of as many as make PLACEMENTS of them on a mesh. */
#include "spmd/row_draws.h"

/* elementwise rows, which partition does not tell apart, have fewer */
enum { DRAWS_A_CASE = 70, DRAWS_A_GRADIENT = 48, DRAWS_A_ROW = 40, DRAWS_A_SLOPE = 10,
       PLACEMENTS = 450 };

/* ---- sizes */

static row_letters letters_of(const row_case *c, const int digit[4], const char *dtype)
{
	const int64_t sizes[] = {digit[0], digit[1], digit[2], 1 + digit[3], 23};

	return row_letters_of(dtype, getenv("TSR_EVERY") ? fewer_dims(c) : "A,B,C", sizes);
}

static row_letters draw_letters(const row_case *c, uint64_t *dice, const char *dtype)
{
	int digit[4];

	for (int i = 0; i < 4; i++) digit[i] = dice_below(dice, i < 3 ? 10 : 9);
	return letters_of(c, digit, dtype);
}

/* an operand's number is replaced by that of its value with garbage behind it: value[k] */
static const char *renumbered(const char *from, const int *value, char to[512])
{
	char *at = to;

	for (; *from; from++)
		if (*from == '%')
			at += sprintf(at, "%%%d", value[*++from - '0']);
		else
			*at++ = *from;
	*at = 0;
	return to;
}

/* ---- programs */

static const char *draw_garbage(uint64_t *dice, const char *dtype)
{
	static const char *const reals[] = {"nan", "inf", "-inf"};
	static const char *const integers[] = {"-2147483648", "2147483647", "-1"};

	return *dtype == 'f'   ? reals[dice_below(dice, 3)]
	       : *dtype == 'i' ? integers[dice_below(dice, 3)]
	       : *dtype == 'c' ? "(nan,-inf)"
	                       : "4294967295";
}

/* gives the number of a value that is operand i, with garbage where that is 0 */
static int put_garbage(written *w, int i, uint64_t *dice)
{
	const shape *s = &w->value[i];
	shape where = *s;

	if (*s->dtype == 'b' || s->ndim == 0) return i;
	where.dtype = "bool";
	put(w, "  %%%d: ", w->nvalues);
	put_type(w, &where);
	put(w, " = eq %%%d %s:%s\n  %%%d: ", i, *s->dtype == 'c' ? "(0,0)" : "0", s->dtype,
	    w->nvalues + 1);
	put_type(w, s);
	put(w, " = select_n %%%d %%%d %s:%s\n", w->nvalues, i, draw_garbage(dice, s->dtype),
	    s->dtype);
	w->nvalues += 2;
	return w->nvalues - 1;
}

/* gives the number of results */
static int write_uneven(written *w, const row_case *c, const row_letters *l, uint64_t *dice)
{
	shape out[4];
	int value[INPUTS];
	char text[512];
	const row_texts t = row_texts_of(c, l);
	const int nout = read_shapes(t.results, out);

	*w = (written){.more = dice_below(dice, 2) ? 2 : -9};
	w->ninputs = w->nvalues = read_shapes(t.operands, w->value);
	put_signature(w, out, nout);
	put(w, " {\n");
	for (int i = 0; i < w->ninputs; i++) value[i] = put_garbage(w, i, dice);
	for (int j = 0; j < nout; j++) {
		put(w, "%s%%%d: ", j ? ", " : "  ", w->nvalues + j);
		put_type(w, &out[j]);
	}
	put(w, " = %s\n  return", renumbered(t.equation, value, text));
	for (int j = 0; j < nout; j++) put(w, " %%%d", w->nvalues + j);
	put(w, "\n}\n");
	return nout;
}

/* the letters of sizes that a case has, as a text; the others come of A, B and C */
static void list_letters(const row_case *c, char to[8])
{
	static const char *const of[] = {"APS", "BPQUVS", "CQS", "D"};

	for (int i = 0; i < 4; i++)
		if (row_has(c, of[i])) *to++ = (char)('A' + i);
	*to = 0;
}

/* The sizes of turn k: all digits of it, in an order that jumps, so that some of them are like all.
 * false behind the last */
static bool sizes_of_turn(const char *names, long k, int digit[4])
{
	long all = 1;

	for (const char *at = names; *at; at++) all *= *at < 'D' ? 10 : 9;
	if (k >= all) return false;
	long rest = k * 7919 % all; /* no size divides 7919 */
	for (const char *at = names; *at; at++) {
		digit[*at - 'A'] = (int)(rest % (*at < 'D' ? 10 : 9));
		rest /= *at < 'D' ? 10 : 9;
	}
	return true;
}

/* writes a program of the case at some sizes; gives the number of its results */
typedef int writer(written *w, const row_case *c, const row_letters *l, uint64_t *dice);

static void try_every_uneven(const row_case *c, const char *dtype, writer *write)
{
	static written w;
	char names[8];
	long all = 0;

	list_letters(c, names);
	for (size_t m = 0; m < FEW_MESHES; m++) {
		int digit[4] = {0};
		long placements = 0;
		for (long k = 0; placements < PLACEMENTS && sizes_of_turn(names, k, digit); k++) {
			uint64_t dice = (uint64_t)k + 1;
			const row_letters l = letters_of(c, digit, dtype);
			const int nout = write(&w, c, &l, &dice);
			placements += try_every_placement(k < 1 ? NULL : "interp", &w, nout,
			                                  &meshes[m]);
		}
		all += placements;
	}
	print_message("%s, T is %s: %ld placements\n", c->equation, dtype, all);
}

static void try_uneven(const row_case *c, const char *dtype, int first, int draws)
{
	static written w;

	if (getenv("TSR_EVERY")) {
		try_every_uneven(c, dtype, write_uneven);
		return;
	}
	tsr_ctx *ctx = tsr_open(.devices = 8, .log = log_nothing, .reproducible = asked_for());
	for (int k = 0; k < draws; k++) {
		uint64_t dice = (uint64_t)(first + k) * 7919;
		const row_letters l = draw_letters(c, &dice, dtype);
		const int nout = write_uneven(&w, c, &l, &dice);
		try_program(ctx, &w, nout, first + k);
	}
	assert_int_equal(tsr_close(ctx), 0);
}

static void each_case(void **state)
{
	const char *dtype[4];
	int seed = 100000;

	(void)state;
	for (int k = 0; k < ROW_CASES; k++) {
		const row_case *c = &row_cases[k];
		const int draws = is_alike(c) ? DRAWS_A_ROW : DRAWS_A_CASE;
		const int n = row_law(c, SPREAD) ? row_dtypes(c, dtype) : 0;
		for (int i = 0; i < n; i++, seed += draws) try_uneven(c, dtype[i], seed, draws);
	}
	print_message("%d draws\n", seed - 100000);
}

/* ---- gradients */

static int write_uneven_loss(written *w, const row_case *c, const row_letters *l, uint64_t *dice)
{
	(void)dice;
	write_slope(w, c, l);
	return 1;
}

static void try_gradient(const row_case *c, const char *dtype, int first, int draws)
{
	static written w;
	tsr_ctx *ctx = tsr_open(.devices = 8, .log = log_nothing, .reproducible = asked_for());

	for (int seed = first; seed < first + draws; seed++) {
		uint64_t dice = (uint64_t)seed * 7919;
		const row_letters l = draw_letters(c, &dice, dtype);
		try_program(ctx, &w, write_uneven_loss(&w, c, &l, &dice), seed);
	}
	assert_int_equal(tsr_close(ctx), 0);
}

static void each_gradient(void **state)
{
	int seed = 300000;

	(void)state;
	for (int k = 0; k < ROW_CASES; k++) {
		const row_case *c = &row_cases[k];
		const int draws = is_alike(c) ? DRAWS_A_SLOPE : DRAWS_A_GRADIENT;
		const char *dtype = slope_dtype(c);
		if (!dtype) continue;
		if (getenv("TSR_EVERY")) try_every_uneven(c, dtype, write_uneven_loss);
		else try_gradient(c, dtype, seed, draws);
		seed += draws;
	}
	print_message("%d draws\n", seed - 300000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_case),
		cmocka_unit_test(each_gradient),
		cmocka_unit_test(every_row_is_in_a_case),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
