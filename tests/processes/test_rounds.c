/* test_rounds.c - collectives of many processes, each a node of its own, so that exchanges go in
 * rounds (pass/crossing/rounds.c, crossing/sums.c), give the bits of one process: numbers of
 * processes that are powers of two and others, one and two devices each, little data and much. */
#include "rounds_rig.h"

enum { MUCH = 40000 };

/* x: f32[MUCH], different on each device. All results in one row */
static tsr *collectives(tsr *x)
{
	const int64_t n = tsr_axis_size(tsr_ctx_of(x), "x");
	tsr *few = tsr_slice(x, 0, 0, 7), *half = tsr_astype(few, TSR_F16);
	tsr *box = tsr_reshape(tsr_slice(x, 0, 0, 6), TSR_DIMS(2, 3));
	tsr *cut = tsr_reshape(tsr_slice(x, 0, 0, 2 * n * 3 * n), TSR_DIMS(2 * n, 3 * n));
	tsr *by_n = tsr_reshape(tsr_slice(x, 0, 7, 7 + 2 * n * 3), TSR_DIMS(2, n, 3));
	tsr *const parts[] = {
		flat(tsr_psum(few, "x")),
		flat(tsr_psum(half, "x")),
		flat(tsr_pmax(few, "x")),
		flat(tsr_slice(tsr_psum(x, "x"), 0, MUCH - 50, MUCH)),
		flat(tsr_slice(tsr_pmin(x, "x"), 0, 0, 50)),
		flat(tsr_psum_scatter(cut, "x", .dim = TSR_DIMS(1), .tiled = true)),
		flat(tsr_psum_scatter(by_n, "x", .dim = TSR_DIMS(1))),
		flat(tsr_psum_scatter(tsr_astype(cut, TSR_BF16), "x", .tiled = true)),
		flat(tsr_all_gather(box, "x", .dim = TSR_DIMS(1))),
		flat(tsr_all_gather(box, "x", .dim = TSR_DIMS(1), .tiled = true)),
		flat(tsr_all_gather(box, "x")),
		flat(tsr_all_to_all(cut, "x", .concat = TSR_DIMS(1), .tiled = true)),
		flat(tsr_all_to_all(cut, "x", .split = TSR_DIMS(1), .tiled = true)),
		flat(tsr_all_to_all(by_n, "x", .split = TSR_DIMS(1), .concat = TSR_DIMS(2))),
		flat(tsr_all_to_all(by_n, "x", .split = TSR_DIMS(1), .concat = TSR_DIMS(0))),
		flat(tsr_pbroadcast(box, "x", 2)),
	};

	return tsr_concatenate_list(0, parts, ARRAY_LEN(parts));
}

static void check(int processes, int each) { check_rounds(collectives, MUCH, processes, each); }

static void powers_of_two(void **state)
{
	(void)state;
	check(8, 1);
	check(4, 2);
}

static void other_numbers(void **state)
{
	(void)state;
	check(6, 1);
	check(5, 2);
	check(7, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(powers_of_two),
		cmocka_unit_test(other_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
