/* test_rows.c - each local row as machine code, against the slow evaluator of kernels, bit for bit:
 * every dtype, sizes around vectors, lanes and blocks. A table row has many sizes; each dtype that
 * it takes is tried with some of them, in turn. TSR_ALL=1 tries all, as make check-slow does. */
#include "kernel/lower_cases.h"
#include "native_rig.h"

/* one of so many, where the case has many sizes and where it has one */
#define OF_MANY (SANITIZED ? 97 : 11)
#define OF_ONE (SANITIZED ? 11 : 4)
#define DTYPES (TSR_DTYPE_COUNT_ - TSR_BOOL)

/* Of each case the first program is tried, and then one of so many. It is of another dtype than the
 * first one of the next case */
static int of, turn, kernels;

/* a kernel_check */
static const char *fault_in_turn(const program *p, uint64_t *random, bool *fits)
{
	*fits = true;
	if (turn++ % of) return NULL;
	kernels++;
	return native_fault(p, random, fits);
}

static void rows_equal_eval(void **state)
{
	rig *r = *state;
	const bool all = getenv("TSR_ALL") != NULL;

	for (size_t i = 0; i < ROW_CASES; i++) {
		const row_case *c = &row_cases[i];
		const size_t ns = shapes_of(c), nn = sizes_of(c);
		if (!is_lowered(r, c)) continue;
		of = all ? 1 : ns * nn > 1 ? OF_MANY : OF_ONE;
		turn = 0;
		for (size_t s = 0; s < ns; s++)
			for (size_t n = 0; n < nn; n++)
				for (size_t d = 0; d < DTYPES; d++)
					one_case(r, c, shapes[s], sizes[n],
					         (tsr_dtype)(TSR_BOOL + (i + s + n + d) % DTYPES),
					         fault_in_turn, 1);
	}
	print_message("%d kernels\n", kernels);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(rows_equal_eval)};

	return cmocka_run_group_tests(tests, rig_open, rig_close);
}
