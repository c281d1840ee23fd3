/* test_storage.c - memory of a program while it is planned: the example at the head of storage.c;
 * against a list of bytes that are taken; and its time, when there are many holes. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "engine/plan/plan.h"
#include "support/heads.h"
#include <cmocka.h> /* after base.h: it takes the name fail */

enum { UNIT = 64, MOST_UNITS = 4096, DRAWS = 20000 };

/* "take 64 at 128   ..a", or give; units: a letter for each UNIT that is taken, by the call */
static void follow(storage *s, const char *line, int letter, char *units)
{
	char what[5], want[100];
	int64_t bytes, at;

	if (sscanf(line, "%4s %" SCNd64 " at %" SCNd64 " %99[a-z.]", what, &bytes, &at, want) != 4)
		fail_msg("'%s' is neither take nor give", line);
	const bool takes = strcmp(what, "take") == 0;
	if (takes)
		assert_int_equal(storage_take(s, bytes), at);
	else
		assert_true(storage_give(s, at, bytes));
	memset(units + at / UNIT, takes ? letter : '.', (size_t)(bytes / UNIT));
	assert_string_equal(units, want);
	assert_int_equal(s->end, (int64_t)strlen(units) * UNIT);
}

static void test_head(void **state)
{
	base b;
	char units[100] = "";
	int letter = 'a';
	head_example x;

	(void)state;
	assert_true(base_init(&b, NULL, NULL, 0));
	assert_true(head_example_read("src/engine/plan/storage.c", &x));
	storage s = {.base = &b};
	for (char *line = strtok(x.program, "\n"); line; line = strtok(NULL, "\n")) {
		follow(&s, line, letter, units);
		if (*line == 't') letter++;
	}
	storage_free(&s);
	head_example_free(&x);
	base_fini(&b);
}

typedef struct taken {
	int64_t offset, bytes;
} taken;

static int64_t units_of(int64_t bytes) { return bytes ? (bytes + UNIT - 1) / UNIT : 1; }

/* the first of the least rows of free units below `end` that are enough; end: there is none */
static int64_t best_fit(const bool *used, int64_t end, int64_t wanted)
{
	int64_t best = end, least = MOST_UNITS + 1;

	for (int64_t at = 0, n; at < end; at += n + 1) {
		for (n = 0; at + n < end && !used[at + n]; n++)
			;
		if (n < wanted || n >= least) continue;
		best = at;
		least = n;
	}
	return best;
}

static void set_units(bool *used, taken t, bool to)
{
	for (int64_t i = 0; i < units_of(t.bytes); i++) used[t.offset / UNIT + i] = to;
}

static void test_best_fit(void **state)
{
	base b;
	static bool used[MOST_UNITS];
	static taken held[MOST_UNITS];
	int64_t end = 0;
	int n = 0;

	(void)state;
	assert_true(base_init(&b, NULL, NULL, 0));
	storage s = {.base = &b};
	srand(1);
	for (int i = 0; i < DRAWS; i++) {
		const int64_t bytes = rand() % (rand() % 4 ? 300 : 3000);
		if (n && (rand() % 2 || end + units_of(bytes) > MOST_UNITS)) {
			const int k = rand() % n;
			assert_true(storage_give(&s, held[k].offset, held[k].bytes));
			set_units(used, held[k], false);
			held[k] = held[--n];
			continue;
		}
		const int64_t at = best_fit(used, end, units_of(bytes));
		held[n] = (taken){storage_take(&s, bytes), bytes};
		assert_int_equal(held[n].offset, at * UNIT);
		set_units(used, held[n++], true);
		if (at == end) end += units_of(bytes);
		assert_int_equal(s.end, end * UNIT);
	}
	storage_free(&s);
	base_fini(&b);
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* every second of n is given back, the last first, and then taken again */
static double time_of(int n)
{
	double least = 1e9;
	base b;

	assert_true(base_init(&b, NULL, NULL, 0));
	for (int again = 0; again < 3; again++) {
		storage s = {.base = &b};
		const double since = now();
		for (int i = 0; i < n; i++) storage_take(&s, 64 * (i + 1));
		int64_t at = s.end;
		for (int i = n; i-- > 0;) {
			at -= 64 * (i + 1);
			if (i % 2) assert_true(storage_give(&s, at, 64 * (i + 1)));
		}
		assert_int_equal(at, 0);
		const int64_t end = s.end;
		for (int i = 0; i < n; i++)
			if (i % 2) storage_take(&s, 64 * (i + 1));
		assert_int_equal(s.end, end);
		if (now() - since < least) least = now() - since;
		storage_free(&s);
	}
	base_fini(&b);
	return least;
}

static void test_many_holes(void **state)
{
	(void)state;
	const double few = time_of(4000), many = time_of(16000);
	if (many > 9 * few) fail_msg("%.2f ms, four times as many: %.2f", 1e3 * few, 1e3 * many);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_head),
	                                   cmocka_unit_test(test_best_fit),
	                                   cmocka_unit_test(test_many_holes)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
