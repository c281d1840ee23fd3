/* test_automatic.c - single equations and their gradients on operands spread over a mesh, against
 * the same on one device, bit for bit: whole numbers, so that sums are exact in any order.
 * test_automatic_programs.c has programs.
 *
 * Each draw places the operands at random: every axis cuts a dim, which it need not divide, or
 * none. TSR_EVERY=1 in the environment tries every placement of the operands of each equation
 * instead. */
#include "spmd/row_draws.h"

/* elementwise rows, which partition does not tell apart, have fewer */
enum { DRAWS_A_CASE = 24, DRAWS_A_GRADIENT = 8, DRAWS_A_ROW = 2 };

/* ---- each equation */

/* each case has its turn with one of its dtypes */
static int write_row(written *w, const row_case *c, int turn)
{
	const char *dtype[4];
	const int n = row_dtypes(c, dtype);
	const row_letters l = row_letters_of(dtype[turn % n], fewer_dims(c), row_sizes);
	const row_texts t = row_texts_of(c, &l);
	const one o = one_of(&t);

	return write_case(w, &o);
}

static void each_equation(void **state)
{
	static written w;
	int seed = 1;

	(void)state;
	for (int k = 0; k < ROW_CASES; k++) {
		const row_case *c = &row_cases[k];
		if (!row_law(c, SPREAD)) continue;
		tsr_ctx *ctx =
			tsr_open(.devices = 8, .log = log_nothing, .reproducible = asked_for());
		const int nout = write_row(&w, c, k);
		for (int d = 0; d < (is_alike(c) ? DRAWS_A_ROW : DRAWS_A_CASE); d++)
			try_program(ctx, &w, nout, seed++);
		assert_int_equal(tsr_close(ctx), 0);
	}
	print_message("%d draws\n", seed - 1);
}

/* ---- their gradients */

static void each_gradient(void **state)
{
	static written w;
	int seed = 10000;

	(void)state;
	for (int k = 0; k < ROW_CASES; k++) {
		const row_case *c = &row_cases[k];
		const char *dtype = slope_dtype(c);
		if (!dtype) continue;
		const row_letters l = row_letters_of(dtype, fewer_dims(c), row_sizes);
		tsr_ctx *ctx =
			tsr_open(.devices = 8, .log = log_nothing, .reproducible = asked_for());
		write_slope(&w, c, &l);
		for (int d = 0; d < (is_alike(c) ? DRAWS_A_ROW : DRAWS_A_GRADIENT); d++)
			try_program(ctx, &w, 1, seed++);
		assert_int_equal(tsr_close(ctx), 0);
	}
	print_message("%d draws\n", seed - 10000);
}

/* ---- under all placements of the operands, which is slow */

static void every_placement_of(const written *w, int nout, const char *what)
{
	long placements = 0;

	for (size_t m = 0; m < FEW_MESHES; m++)
		placements += try_every_placement(NULL, w, nout, &meshes[m]);
	print_message("%s: %ld placements\n", what, placements);
}

static void every_equation(void **state)
{
	static written w;

	(void)state;
	for (int k = 0; k < ROW_CASES; k++)
		if (row_law(&row_cases[k], SPREAD))
			every_placement_of(&w, write_row(&w, &row_cases[k], 0),
			                   row_cases[k].equation);
}

static void every_gradient(void **state)
{
	static written w;

	(void)state;
	for (int k = 0; k < ROW_CASES; k++) {
		const row_case *c = &row_cases[k];
		const char *dtype = slope_dtype(c);
		if (!dtype) continue;
		const row_letters l = row_letters_of(dtype, fewer_dims(c), row_sizes);
		write_slope(&w, c, &l);
		every_placement_of(&w, 1, c->equation);
	}
}

int main(void)
{
	const struct CMUnitTest every[] = {
		cmocka_unit_test(every_equation),
		cmocka_unit_test(every_gradient),
	};
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_equation),
		cmocka_unit_test(each_gradient),
		cmocka_unit_test(every_row_is_in_a_case),
	};

	if (getenv("TSR_EVERY")) return cmocka_run_group_tests(every, NULL, NULL);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
