/* test_halves.c - sums over numbers of processes that are no power of two, each a node of its own,
 * give the bits of one process where their parts (pass/crossing/halves.c), or roots
 * (crossing/whole.c), go in rounds: several dtypes, and sizes where the model chooses that. */
#include "pass/replicate.h"
#include "rounds_rig.h"

enum { MUCH = 80 << 10, LITTLE = 16 << 10 }; /* bytes, as f32 */

static int64_t much = MUCH;

/* x: f32[much / 4], different on each device. All results in one row */
static tsr *sums(tsr *x)
{
	const int64_t n = tsr_axis_size(tsr_ctx_of(x), "x"), rows = much / 8 / n;
	tsr *few = tsr_slice(x, 0, 0, LITTLE / 4);
	tsr *cut = tsr_reshape(tsr_slice(x, 0, 0, 2 * rows * n), TSR_DIMS(2, n * rows));
	tsr *const parts[] = {
		flat(tsr_psum(x, "x")),
		flat(tsr_psum(tsr_astype(x, TSR_BF16), "x")),
		flat(tsr_psum(few, "x")),
		flat(tsr_psum(tsr_astype(few, TSR_F16), "x")),
		flat(tsr_psum(tsr_astype(few, TSR_F64), "x")),
		flat(tsr_psum(tsr_astype(tsr_mul(few, 1000), TSR_I32), "x")),
		flat(tsr_pmax(x, "x")),
		flat(tsr_psum_scatter(cut, "x", .dim = TSR_DIMS(1), .tiled = true)),
		flat(tsr_psum_scatter(tsr_astype(cut, TSR_BF16), "x", .dim = TSR_DIMS(1),
	                              .tiled = true)),
	};

	return tsr_concatenate_list(0, parts, ARRAY_LEN(parts));
}

/* of more, whose sums would be too long */
static tsr *chunks(tsr *x)
{
	const int64_t n = tsr_axis_size(tsr_ctx_of(x), "x"), rows = much / 8 / n;
	tsr *cut = tsr_reshape(tsr_slice(x, 0, 0, 2 * rows * n), TSR_DIMS(2, n * rows));
	tsr *const parts[] = {
		flat(tsr_psum_scatter(cut, "x", .dim = TSR_DIMS(1), .tiled = true)),
		flat(tsr_psum_scatter(tsr_astype(tsr_mul(cut, 1000), TSR_I32), "x",
	                              .dim = TSR_DIMS(1), .tiled = true)),
	};

	return tsr_concatenate_list(0, parts, ARRAY_LEN(parts));
}

/* parts of much go in rounds, of psum and psum_scatter, and roots of little */
static bool is_chosen(int n)
{
	base b;

	assert_true(base_init(&b, NULL, NULL, 0));
	const scatter_way parts = choose_scatter(&b, LEVEL_NETWORK, n, (double)much);
	const sum_kind more = choose_sum(&b, LEVEL_NETWORK, n, (double)much).kind;
	const sum_kind less = choose_sum(&b, LEVEL_NETWORK, n, LITTLE).kind;
	base_fini(&b);
	return parts == SCATTERS_IN_ROUNDS && more == SUMS_IN_PARTS && less == SUMS_BY_PLANS;
}

static void check(int processes, int each)
{
	assert_true(is_chosen(processes));
	check_rounds(sums, much / 4, processes, each);
}

static void check_chunks(int processes, int64_t bytes)
{
	much = bytes;
	assert_true(is_chosen(processes));
	check_rounds(chunks, much / 4, processes, 1);
	much = MUCH;
}

static halving_way way_of(int n, int64_t bytes)
{
	base b;

	assert_true(base_init(&b, NULL, NULL, 0));
	const halving_way way = halving_way_of(&b, LEVEL_NETWORK, n, (double)bytes);
	base_fini(&b);
	return way;
}

static early_way chosen(int n, int64_t bytes) { return way_of(n, bytes).early[0]; }

/* shares of elements, in one block or two */
static void cut(void **state)
{
	(void)state;
	assert_true(!way_of(19, MUCH).whole && way_of(19, MUCH).base == 1);
	check(19, 1);
	assert_true(!way_of(23, MUCH).whole && way_of(23, MUCH).base == 2);
	check(23, 1);
	check_chunks(7, 16 * MUCH);
}

/* the last six of 38 halve theirs before they exchange all at once */
static void halved(void **state)
{
	(void)state;
	assert_int_equal(way_of(38, 2 * MUCH).base, 1);
	check_chunks(38, 2 * MUCH);
}

/* shares are whole parts, in one block, or in all */
static void whole(void **state)
{
	(void)state;
	assert_int_equal(way_of(25, MUCH).whole, 1);
	check(25, 2);
	assert_int_equal(way_of(31, MUCH).whole, 3);
	check_chunks(31, MUCH);
}

/* whole in the first block, and not in the next one; or dealt from the last process on */
static void of_eleven_behind(void **state)
{
	const halving_way way = way_of(27, 3 * MUCH);

	(void)state;
	assert_true(way.whole == 1 && way.base == 2);
	check_chunks(27, 3 * MUCH);
	assert_true(chosen(27, 14 * MUCH).shifted);
	check_chunks(27, 14 * MUCH);
}

/* the rest sends early, to some of its block, which pass it on together with halves, */
static void early(void **state)
{
	(void)state;
	assert_true(chosen(17, MUCH).together);
	check(17, 1);
}

/* or before them: for four, and for two */
static void passed_on(void **state)
{
	(void)state;
	assert_true(chosen(17, 4 * MUCH).from == 1 && !chosen(17, 4 * MUCH).together);
	check_chunks(17, 4 * MUCH);
	assert_true(chosen(19, 4 * MUCH).from == 2 && !chosen(19, 4 * MUCH).together);
	check_chunks(19, 4 * MUCH);
}

/* and one of the rest gets shares of different size */
static void smaller(void **state)
{
	(void)state;
	assert_int_equal(chosen(17, 14 * MUCH).shares, 3);
	check_chunks(17, 14 * MUCH);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cut),
		cmocka_unit_test(halved),
		cmocka_unit_test(whole),
		cmocka_unit_test(of_eleven_behind),
		cmocka_unit_test(early),
		cmocka_unit_test(passed_on),
		cmocka_unit_test(smaller),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
