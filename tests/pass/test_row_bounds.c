/* test_row_bounds.c - computes the figures of docs/design/0045-least-times-of-rows.md, of rows of
 * 12 KB over a network: how many numbers a process can have by a time, and how many the sender and
 * the receiver of a late message have. schedule_kinds.h has the bounds that follow. */
#include "schedule_kinds.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

enum { ROW = 1333, COMES = 6200 + ROW, APART = 4500 + ROW };

/* so many numbers a process has by a time at most */
static int64_t numbers_by(int64_t ns)
{
	int64_t n = 1;

	for (int64_t left = ns - COMES; left >= 0; left -= APART) n += numbers_by(left);
	return n;
}

/* of processes that have all before `end`: what the sender of a late message of so many rows has,
 * and its receiver before it comes */
static void check_late(int64_t end, int rows, int64_t sender, int64_t receiver)
{
	const int64_t leaves = end - 1 - COMES - (rows - 1) * ROW;
	int64_t before = 1;

	for (int64_t left = leaves - APART; left >= 0; left -= APART) before += numbers_by(left);
	assert_int_equal(numbers_by(leaves), sender);
	assert_int_equal(before, receiver);
}

static void bounds_of_rows(void **state)
{
	static const int64_t from[] = {0, 7533, 13366, 15066, 19199, 20899, 22599, 25032};
	static const int64_t numbers[] = {1, 2, 3, 4, 5, 7, 8, 9};
	static const int64_t late[4][4] = { /* of one row, .. of four */
		{8, 9, 16, 17}, {7, 8, 15, 16}, {7, 8, 12, 15}, {5, 7, 9, 12}};
	const int64_t of_15 = 4 * COMES + ROW, of_31 = 5 * APART + COMES + ROW;
	const place few = {.n = 15, .x = 3000, .level = LEVEL_NETWORK};
	const place many = {.n = 31, .x = 3000, .level = LEVEL_NETWORK};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(from); i++) {
		assert_int_equal(numbers_by(from[i]), numbers[i]);
		if (i) assert_int_equal(numbers_by(from[i] - 1), numbers[i - 1]);
	}
	for (int rows = 1; rows <= 4; rows++) {
		const int64_t *has = late[rows - 1];
		check_late(of_15, rows, has[0], has[1]);
		check_late(of_31, rows, has[2], has[3]);
	}
	assert_true(fabs(kinds[0].least(&few) - (double)of_15) < 5);
	assert_true(fabs(kinds[0].least(&many) - (double)of_31) < 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(bounds_of_rows)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
