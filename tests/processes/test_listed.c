/* test_listed.c - sums of parts over few processes, each a node of its own, give the bits of one
 * process where they go by listed plans (pass/crossing/listed.c): each plan, several dtypes and
 * devices of a process, blocks, rows that are filled up, and several groups. */
#include "pass/crossing/listed.h"
#include "rounds_rig.h"
#include "support/other_costs.h"

static int64_t size; /* elements of a row of a psum */

/* x: f32[elements of all parts], of which `size` are a row of a psum. All results in one row */
static tsr *sums(tsr *x)
{
	tsr *row = tsr_slice(x, 0, 0, size);
	tsr *const y[] = {
		flat(tsr_psum_scatter(x, "x", .tiled = true)),
		flat(tsr_psum_scatter(tsr_astype(x, TSR_BF16), "x", .tiled = true)),
		flat(tsr_psum(tsr_astype(tsr_mul(row, 1000), TSR_I32), "x")),
		flat(tsr_pmax(row, "x")),
	};

	return tsr_concatenate_list(0, y, ARRAY_LEN(y));
}

/* bytes take so many times as long as they really do */
static void set_dearer(double times)
{
	const message_cost *real = &__real_message_costs[LEVEL_NETWORK];

	set_costs(real->latency, real->start, times * real->byte);
}

/* does a sum of so many elements, of 4 bytes, over n processes go by this plan? */
static bool goes_by(const listed_plan *plan, int n, int64_t elements)
{
	const double bytes = 4 * (double)filled(elements, n);
	double ns;
	base b;

	assert_true(base_init(&b, NULL, NULL, 0));
	const scatter_way way = choose_scatter(&b, LEVEL_NETWORK, n, bytes);
	base_fini(&b);
	return way == SCATTERS_AS_LISTED &&
	       choose_listed(LEVEL_NETWORK, n, bytes, &ns) == plan->messages;
}

/* in blocks of so many processes: parts of so many elements on each device, and a row with some
 * less than all of them */
static bool check(const listed_plan *plan, int block, int64_t part, int devices)
{
	const int n = plan->n * block;
	const int64_t all = n * part * devices;

	if (!goes_by(plan, n, all)) return false;
	size = all - n / 2;
	check_rounds(sums, all, n, devices);
	return true;
}

static void each_plan(void **state)
{
	(void)state;
	set_dearer(10);
	for (const listed_plan *p = listed_plans; p->n; p++) {
		bool goes = false;
		for (int64_t part = 2; part <= 4000 && !goes; part += 1 + part / 8)
			goes = check(p, 1, part, 1);
		if (!goes)
			fail_msg("plan %d, of %d processes, is never taken",
			         (int)(p - listed_plans), p->n);
	}
}

static void more_devices(void **state)
{
	int count = 0;

	(void)state;
	set_dearer(10);
	for (const listed_plan *p = listed_plans; p->n; p++)
		if (p->n < 10) count += check(p, 1, 200, 2);
	assert_true(count >= 2);
}

/* which exchange halves first */
static void blocks(void **state)
{
	int count = 0;

	(void)state;
	set_dearer(10);
	for (const listed_plan *p = listed_plans; p->n; p++) {
		if (p->n < 8) count += check(p, 2, 300, 1);
		if (p->n < 6) count += check(p, 2, 100, 2) + check(p, 4, 100, 1);
	}
	assert_true(count >= 4);
}

/* Each process has a device in two groups of n, and is number k of the first one, and number k + 1
 * of the second one. x: f32[n parts] */
static tsr *in_groups(tsr *x)
{
	const int64_t n = tsr_axis_size(tsr_ctx_of(x), "x") / 2;
	int member[2 * MOST_LISTED];

	for (int64_t k = 0; k < n; k++) {
		member[k] = 2 * (int)k;
		member[n + (k + 1) % n] = 2 * (int)k + 1;
	}
	const tsr_groups two = {.member = member, .count = 2, .size = (int)n};
	tsr *const y[] = {
		tsr_psum_scatter(x, "x", .tiled = true, .groups = two),
		tsr_psum(x, "x", .groups = two),
	};
	return tsr_concatenate_list(0, y, ARRAY_LEN(y));
}

static void two_groups(void **state)
{
	int count = 0;

	(void)state;
	set_dearer(10);
	for (const listed_plan *p = listed_plans; p->n; p++) {
		if (p->n > 9 || !goes_by(p, p->n, 400 * p->n)) continue;
		check_rounds(in_groups, 400 * p->n, p->n, 2);
		count++;
	}
	assert_true(count >= 2);
}

/* The first devices of ten processes are a group, which exchanges halves first, and the others are
 * two groups of five */
static tsr *in_unequal_groups(tsr *x)
{
	enum { N = 10 };
	static const size_t sizes[] = {N, N / 2, N / 2};
	int member[2 * N];

	for (int k = 0; k < N; k++) {
		member[k] = 2 * k;
		member[N + k] = 2 * k + 1;
	}
	return tsr_psum(x, "x", .groups = {.member = member, .count = 3, .sizes = sizes});
}

static void unequal_groups(void **state)
{
	const listed_plan *five = listed_plans;

	(void)state;
	set_dearer(10);
	while (five->n != 5) five++;
	assert_true(goes_by(five, 5, 2000) && goes_by(five, 10, 2000));
	check_rounds(in_unequal_groups, 2000, 10, 2);
}

/* x: f32[some], of which the first `size` are summed */
static tsr *few(tsr *x) { return flat(tsr_psum(tsr_slice(x, 0, 0, size), "x")); }

static void little_rows(void **state)
{
	int count = 0;

	(void)state;
	set_dearer(4000);
	for (const listed_plan *p = listed_plans; p->n; p++)
		for (size = 1; size < p->n && p->n < 12; size += 2) {
			if (!goes_by(p, p->n, size)) continue;
			check_rounds(few, p->n, p->n, 1);
			count++;
		}
	assert_true(count >= 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_plan),
		cmocka_unit_test(more_devices),
		cmocka_unit_test(blocks),
		cmocka_unit_test(two_groups),
		cmocka_unit_test(unequal_groups),
		cmocka_unit_test(little_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
