/* test_rows.c - each local row as machine code, bit for bit what the slow evaluator of kernels
 * gives: every dtype, sizes around vectors, lanes and blocks. A table row has many sizes; each
 * dtype takes some of them, in turn. TSR_ALL=1 takes all, as make check-slow does. */
#include "kernel/lower_cases.h"
#include "native_rig.h"

/* one of so many, where the case has many sizes and where it has one */
#define OF_MANY (SANITIZED ? 60 : 6)
#define OF_ONE (SANITIZED ? 10 : 2)

static void rows_equal_eval(void **state)
{
	rig *r = *state;
	const bool all = getenv("TSR_ALL") != NULL;
	int count = 0, turn = 0;

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const lower_case *c = &cases[i];
		const size_t ns = has(c, 'S') ? ARRAY_LEN(shapes) : 1;
		const size_t nn = has(c, 'N') ? ARRAY_LEN(sizes) : 1;
		for (size_t s = 0; s < ns; s++)
			for (size_t n = 0; n < nn; n++)
				for (int d = TSR_BOOL; d < TSR_DTYPE_COUNT_; d++) {
					if (turn++ % (ns * nn > 1 ? OF_MANY : OF_ONE) && !all)
						continue;
					count += one_case(r, c, shapes[s], sizes[n], (tsr_dtype)d,
					                  native_fault, 1);
				}
	}
	print_message("%d kernels\n", count);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(rows_equal_eval)};

	return cmocka_run_group_tests(tests, rig_open, rig_close);
}
