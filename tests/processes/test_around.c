/* test_around.c - sums of little data over any number of processes, each a node of its own, give
 * the bits of one process where rows and parts go around (pass/crossing/around.c): several dtypes,
 * numbers of elements, and devices of a process. */
#include "pass/replicate.h"
#include "rounds_rig.h"

static int64_t each; /* elements of the part of a device */

/* x: f32[elements of all parts]. All results in one row */
static tsr *sums(tsr *x)
{
	const int64_t n = tsr_axis_size(tsr_ctx_of(x), "x");
	tsr *rows = tsr_reshape(x, TSR_DIMS(each, n));
	tsr *const parts[] = {
		flat(tsr_psum_scatter(x, "x", .tiled = true)),
		flat(tsr_psum_scatter(rows, "x", .dim = TSR_DIMS(1))),
		flat(tsr_psum_scatter(tsr_astype(x, TSR_BF16), "x", .tiled = true)),
		flat(tsr_psum_scatter(tsr_astype(x, TSR_F64), "x", .tiled = true)),
		flat(tsr_psum_scatter(tsr_astype(tsr_mul(x, 1000), TSR_I32), "x", .tiled = true)),
		flat(tsr_psum(x, "x")),
	};

	return tsr_concatenate_list(0, parts, ARRAY_LEN(parts));
}

static void check(int processes, int devices, int64_t elements)
{
	const int n = processes * devices;
	base b;

	assert_true(base_init(&b, NULL, NULL, 0));
	for (int bytes = 4; bytes <= 8; bytes += 4)
		assert_int_equal(choose_scatter(&b, LEVEL_NETWORK, processes,
		                                bytes * (double)(n * elements)),
		                 SCATTERS_AROUND);
	base_fini(&b);
	each = elements;
	check_rounds(sums, n * elements, processes, devices);
}

/* whose rows go around too, where all get the sum */
static void check_rows(int processes, int64_t elements)
{
	base b;

	assert_true(base_init(&b, NULL, NULL, 0));
	assert_int_equal(
		choose_sum(&b, LEVEL_NETWORK, processes, 4 * (double)(processes * elements)).kind,
		SUMS_AROUND);
	base_fini(&b);
	check(processes, 1, elements);
}

/* nobody is in a block of more than one */
static void odd(void **state)
{
	(void)state;
	check_rows(7, 1);
	check(25, 1, 2);
	check_rows(13, 3);
	check_rows(15, 4);
	check(19, 1, 5);
	check(21, 1, 6);
	check_rows(23, 7);
}

/* blocks of two, four and eight exchange first */
static void even(void **state)
{
	(void)state;
	check(14, 1, 5);
	check_rows(26, 2);
	check(28, 1, 1);
	check(56, 1, 1);
}

static void more_devices(void **state)
{
	(void)state;
	check(7, 4, 1);
	check(13, 2, 3);
	check(14, 2, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(odd),
		cmocka_unit_test(even),
		cmocka_unit_test(more_devices),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
