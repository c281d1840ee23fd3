/* test_parts.c - sums of few elements, with empty parts among those of processes, give the bits of
 * one process: in rounds (pass/crossing/halves.c, rounds.c), by plans of each kind, around
 * (crossing/around.c) and at once (crossing/sums.c). */
#include "pass/replicate.h"
#include "rounds_rig.h"
#include "support/other_costs.h"

enum { MOST_SIZES = 4, ROOM = 64 };

static const int64_t *sizes;

/* x: f32[ROOM], different on each device. All results in one row */
static tsr *sums(tsr *x)
{
	tsr *y[3 * MOST_SIZES];
	int n = 0;

	for (int i = 0; i < MOST_SIZES && sizes[i]; i++) {
		tsr *few = tsr_slice(x, 0, ROOM - sizes[i], ROOM);
		y[n++] = flat(tsr_psum(few, "x"));
		y[n++] = flat(tsr_psum(tsr_astype(few, TSR_BF16), "x"));
		y[n++] = flat(tsr_pmax(few, "x"));
	}
	return tsr_concatenate_list(0, y, (size_t)n);
}

typedef struct sum {
	int n;
	int64_t sizes[MOST_SIZES];
} sum;

static bool goes_in_parts(base *b, int n, int64_t size, scatter_way way)
{
	const double row = 4 * (double)size, all = 4 * (double)filled(size, n);

	return choose_sum(b, LEVEL_NETWORK, n, row).kind == SUMS_IN_PARTS &&
	       choose_scatter(b, LEVEL_NETWORK, n, all) == way;
}

static void check(const sum *s, int each, scatter_way way)
{
	base b;

	assert_true(base_init(&b, NULL, NULL, 0));
	for (int i = 0; i < MOST_SIZES && s->sizes[i]; i++)
		if (!goes_in_parts(&b, s->n, s->sizes[i], way))
			fail_msg("%lld elements over %d processes go another way",
			         (long long)s->sizes[i], s->n);
	base_fini(&b);
	sizes = s->sizes;
	check_rounds(sums, ROOM, s->n, each);
}

static early_way plan_of(int n, int64_t size)
{
	base b;

	assert_true(base_init(&b, NULL, NULL, 0));
	const halving_way way = halving_way_of(&b, LEVEL_NETWORK, n, 4 * (double)filled(size, n));
	base_fini(&b);
	return way.early[0];
}

static void check_all(const sum *s, size_t n)
{
	for (size_t i = 0; i < n; i++) check(&s[i], 1, SCATTERS_IN_ROUNDS);
}

/* what the rest sends early goes on together with halves, or before them; whole shares, shares of
 * different size, and shares dealt from the last process on */
static void dear_starts(void **state)
{
	static const sum few[] = {
		{17, {4, 16, 20}}, {19, {4, 5, 18}},  {21, {4, 20, 22, 41}}, {23, {6, 22, 45}},
		{25, {30, 49}},    {27, {5, 26, 30}}, {34, {3, 33, 40}},
	};

	(void)state;
	set_costs(1000, 1000, 100);
	assert_true(plan_of(17, 4).together);
	assert_true(plan_of(17, 20).from == 1 && !plan_of(17, 20).together);
	assert_true(plan_of(27, 30).shifted);
	check_all(few, ARRAY_LEN(few));
	check(&few[0], 2, SCATTERS_IN_ROUNDS);
}

/* and where bytes take longer, so that one element goes in parts, too */
static void dear_bytes(void **state)
{
	static const sum few[] = {
		{17, {16, 18}}, {19, {17, 18, 20}}, {23, {1, 22, 24}}, {27, {2, 5}},
	};

	(void)state;
	set_costs(1000, 1000, 300);
	assert_int_equal(plan_of(17, 18).shares, 3);
	assert_true(plan_of(27, 5).shifted);
	check_all(few, ARRAY_LEN(few));
}

/* filled up to parts that are equally long, which go around, in blocks of one, two and four */
static void around(void **state)
{
	static const sum few[] = {
		{3, {4, 5}}, {5, {2, 4, 6}}, {7, {3, 8, 20}}, {12, {4, 11, 13, 40}}, {14, {3, 29}},
	};

	(void)state;
	set_costs(100, 2000, 10);
	for (size_t i = 0; i < ARRAY_LEN(few); i++) check(&few[i], 1, SCATTERS_AROUND);
}

/* filled up likewise */
static void at_once(void **state)
{
	static const sum few[] = {{3, {1, 2, 4, 5}}, {4, {1, 3, 5, 7}}, {6, {1, 5, 7, 11}}};

	(void)state;
	set_costs(1, 1, 1000);
	for (size_t i = 0; i < ARRAY_LEN(few); i++) check(&few[i], 1, SCATTERS_AT_ONCE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(dear_starts),
		cmocka_unit_test(dear_bytes),
		cmocka_unit_test(around),
		cmocka_unit_test(at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
