/* test_schedule_examples.c - the worked examples at the heads of src/pass/crossing/ list messages
 * that processes do send and receive. */
#include "schedule_rig.h"
#include <math.h>

typedef struct expected { /* messages of a process, in this order; their bytes are in units */
	int64_t process;
	const sent *v;
	size_t n;
} expected;

static void check_messages(crowd *c, const program *p, const expected *wants, int64_t unit)
{
	messages m = messages_of(c, p, wants->process);

	assert_int_equal(m.n, wants->n);
	for (int64_t j = 0; j < m.n; j++) {
		assert_int_equal(m.v[j].peer, wants->v[j].peer);
		assert_int_equal(m.v[j].bytes, unit * wants->v[j].bytes);
		assert_int_equal(m.v[j].out, wants->v[j].out);
	}
	free(m.v);
}

static void check_example(const kind *k, int64_t n, int64_t x, const expected *of, size_t count,
                          int64_t unit)
{
	const place at = {.n = n, .e = 1, .x = x, .level = LEVEL_NETWORK};
	crowd c;
	program *p = program_for(crowd_at(&c, &at), k, x);

	for (size_t i = 0; i < count; i++) check_messages(&c, p, &of[i], unit);
	program_release(p);
	crowd_done(&c);
}

/* the head of crossing/shares.c has these shares, in twelfths of a part */
static void shares_of_seven(void **state)
{
	static const sent two[] = {{3, 42, true}, {3, 42, false}, {0, 21, true}, {0, 21, false},
	                           {5, 6, true},  {4, 3, true},   {5, 8, false}, {4, 4, false}};
	static const sent four[] = {{6, 28, true}, {5, 28, true}, {5, 28, false}, {6, 28, false},
	                            {2, 4, true},  {0, 12, true}, {2, 3, false},  {0, 9, false}};
	const expected of[] = {{2, two, ARRAY_LEN(two)}, {4, four, ARRAY_LEN(four)}};

	(void)state;
	check_example(&kinds[1], 7, 7 * 24000, of, ARRAY_LEN(of), 8000);
}

/* the head of crossing/ways.c: the last of 17 sends ten messages, and receives three shares */
static void ten_of_seventeen(void **state)
{
	const place at = {.n = 17, .e = 1, .x = 17 * 20000, .level = LEVEL_NETWORK};
	int64_t received[3] = {0}, two = 0, one = 0;
	crowd c;
	program *p = program_for(crowd_at(&c, &at), &kinds[1], at.x);
	messages m = messages_of(&c, p, 16), passes = messages_of(&c, p, 10);

	(void)state;
	for (int64_t j = 0; j < m.n; j++) {
		const sent *x = &m.v[j];
		if (!x->out) received[x->peer] += x->bytes;
		else if (x->peer >= 10) two += x->bytes == 160000;
		else one += x->bytes == 80000 && (x->peer < 2 || x->peer >= 8);
	}
	assert_int_equal(m.n, 13);
	assert_int_equal(two, 6);
	assert_int_equal(one, 4);
	assert_int_equal(received[0] + received[1] + received[2], 80000);
	assert_true(received[1] > received[0] && received[0] > received[2] && received[2] > 0);
	assert_int_equal(passes.v[passes.n - 1].peer, 2);
	free(m.v);
	free(passes.v);
	program_release(p);
	crowd_done(&c);
}

/* the head of crossing/listed.c: 2 passes on what 4 has for 1, and 4 gets two roots */
static void five_as_listed(void **state)
{
	static const sent two[] = {{3, 2, false}, {4, 2, false}, {3, 3, true},
	                           {4, 1, true},  {1, 1, false}, {1, 1, true}};
	static const sent four[] = {{2, 2, true},  {0, 1, true}, {0, 1, false},
	                            {2, 1, false}, {3, 1, true}};
	const expected of[] = {{2, two, ARRAY_LEN(two)}, {4, four, ARRAY_LEN(four)}};

	(void)state;
	check_example(&kinds[1], 5, 5 * 1024, of, ARRAY_LEN(of), 4096);
}

/* and takes less than other ways, without the time to join what comes */
static void five_take(void **state)
{
	const double part = 4 * 1024, bytes = 5 * part;
	double listed;
	base b;

	(void)state;
	assert_true(base_init(&b, NULL, NULL, 0));
	choose_listed(LEVEL_NETWORK, 5, bytes, &listed);
	assert_int_equal(lround(listed), 19176);
	assert_int_equal(lround(direct_ns(LEVEL_NETWORK, 5, 4 * part)), 21520);
	assert_int_equal(lround(halving_way_of(&b, LEVEL_NETWORK, 5, bytes).ns), 21331);
	assert_int_equal(lround(scatter_around_ns(LEVEL_NETWORK, 5, bytes) -
	                        5 * part / TUNE_JOIN_RATE),
	                 20876);
	base_fini(&b);
}

/* the head of crossing/rows.c: what the last of 17 sends, and one that passes it on, with a half
 * once, and receives. Halves are sent to 9, 10 and 12, and the last one comes from 7 */
static void rows_of_seventeen(void **state)
{
	static const sent last[] = {{0, 1, true},  {8, 1, true},  {1, 1, true},
	                            {10, 1, true}, {13, 1, true}, {6, 1, false}};
	static const sent passes[] = {{9, 1, true},   {9, 1, false},  {10, 1, true}, {16, 1, false},
	                              {2, 1, true},   {10, 1, false}, {12, 2, true}, {12, 1, false},
	                              {7, 1, false},  {6, 1, true}};
	const expected of[] = {{16, last, ARRAY_LEN(last)}, {8, passes, ARRAY_LEN(passes)}};

	(void)state;
	check_example(&kinds[0], 17, 3000, of, ARRAY_LEN(of), 12000);
}

/* and a pair of 14, 0 and 4, which gets the sum of the rest in two parts: 8 to 11, and 12 and 13 */
static void pair_of_fourteen(void **state)
{
	static const sent first[] = {{1, 1, true},   {1, 1, false}, {2, 1, true}, {2, 1, false},
	                             {11, 1, false}, {4, 2, true},  {4, 2, false}};
	static const sent second[] = {{5, 1, true},   {5, 1, false}, {6, 1, true}, {6, 1, false},
	                              {13, 1, false}, {0, 2, true},  {0, 2, false}};
	const expected of[] = {{0, first, ARRAY_LEN(first)}, {4, second, ARRAY_LEN(second)}};

	(void)state;
	check_example(&kinds[0], 14, 3000, of, ARRAY_LEN(of), 12000);
}

/* and one of 25, 0 and 8, which gets the sums of 16 to 23, and of 24. 16 does not send 24 to 19,
 * which has to wait, but another half to 21, and then sends the rest's sum twice */
static void pair_of_twenty_five(void **state)
{
	static const sent first[] = {{1, 1, true}, {1, 1, false}, {2, 1, true},
	                             {2, 1, false}, {4, 1, true}, {4, 1, false},
	                             {22, 1, false}, {8, 2, true}, {8, 2, false}};
	static const sent second[] = {{9, 1, true}, {9, 1, false}, {10, 1, true},
	                              {10, 1, false}, {12, 1, true}, {12, 1, false},
	                              {21, 1, false}, {0, 2, true}, {0, 2, false}};
	static const sent rest[] = {{17, 1, true}, {17, 1, false}, {18, 1, true}, {24, 1, false},
	                            {21, 1, true}, {18, 1, false}, {21, 1, true}, {22, 1, false},
	                            {1, 1, true},  {13, 1, true},  {1, 1, false}};
	const expected of[] = {
		{0, first, ARRAY_LEN(first)},
		{8, second, ARRAY_LEN(second)},
		{16, rest, ARRAY_LEN(rest)},
	};

	(void)state;
	check_example(&kinds[0], 25, 3000, of, ARRAY_LEN(of), 12000);
}

/* the head of crossing/around.c: what 5 of seven sends and receives, of parts of two elements */
static void parts_around_seven(void **state)
{
	static const sent five[] = {{6, 3, true},  {4, 3, false}, {0, 2, true},
	                            {3, 2, false}, {2, 2, true},  {1, 2, false}};
	const expected of[] = {{5, five, ARRAY_LEN(five)}};

	(void)state;
	check_example(&kinds[1], 7, 14, of, ARRAY_LEN(of), 8);
}

/* the head of crossing/shares.c: of the 11 behind a block of 16, those send it three messages that
 * have their sums early */
static void shares_of_eleven(void **state)
{
	const place at = {.n = 27, .e = 1, .x = 27 * 20000, .level = LEVEL_NETWORK};
	crowd c;
	program *p = program_for(crowd_at(&c, &at), &kinds[1], at.x);

	(void)state;
	assert_true(halving_way_of(&c.base, at.level, 27, 4 * (double)at.x).early[0].shifted);
	for (int64_t k = 16; k < 27; k++) {
		messages m = messages_of(&c, p, k);
		int64_t count = 0;
		for (int64_t j = 0; j < m.n; j++) count += m.v[j].out && m.v[j].peer < 16;
		assert_int_equal(count, k >= 20 && k < 24 ? 3 : 2);
		free(m.v);
	}
	program_release(p);
	crowd_done(&c);
}

/* messages that process k of 49 sends to those from number `first` on, and before `end` */
static int64_t count_sent(crowd *c, const program *p, int64_t k, int64_t first, int64_t end,
                          int64_t *last)
{
	messages m = messages_of(c, p, k);
	int64_t count = 0;

	for (int64_t j = 0; j < m.n; j++) {
		if (!m.v[j].out || m.v[j].peer < first || m.v[j].peer >= end) continue;
		*last = m.v[j].peer;
		count++;
	}
	free(m.v);
	return count;
}

/* the head of crossing/walks.c: who gets the last message of the last of 49 sends the block one */
static void whole_of_forty_nine(void **state)
{
	const place at = {.n = 49, .e = 1, .x = 49 * 20000, .level = LEVEL_NETWORK};
	const message_cost *cost = &message_costs[at.level];
	const double part = 80000 * cost->byte;
	const double there = 47 * part + 15 * cost->start + cost->latency;
	int64_t last = 0;
	crowd c;
	program *p = program_for(crowd_at(&c, &at), &kinds[1], at.x);

	(void)state;
	assert_int_equal(count_sent(&c, p, 48, 32, 48, &last), 16);
	assert_int_equal(last, 32);
	assert_int_equal(count_sent(&c, p, 32, 0, 32, &last), 1);
	assert_int_equal(last, 0);
	assert_int_equal(count_sent(&c, p, 40, 0, 32, &last), 2);
	assert_int_equal(last, 8);
	assert_true(fabs(there - 491500) < 50);
	assert_true(fabs(there - 2 * part - cost->start - 469200) < 50);
	assert_true(fabs(there + part + cost->latency - 506600) < 50);
	const double ns = halving_way_of(&c.base, at.level, 49, 4 * (double)at.x).ns;
	assert_true(ns >= there + part + cost->latency && ns < 506700);
	program_release(p);
	crowd_done(&c);
}

/* ---- the way differs by level */

static int64_t count_messages(axis_level level, const kind *k, int64_t n, int64_t x)
{
	const place at = {.n = n, .e = 1, .x = x, .level = level};
	crowd c;
	program *p = program_for(crowd_at(&c, &at), k, x);
	messages m = messages_of(&c, p, 0);
	int64_t count = 0;

	for (int64_t j = 0; j < m.n; j++) count += m.v[j].out;
	free(m.v);
	program_release(p);
	crowd_done(&c);
	return count;
}

/* eight processes on a node send each other what they have at once; over a network, where a message
 * takes its sender so long, they pass on what they get */
static void ways_by_level(void **state)
{
	const kind *gather = &kinds[2], *sum = &kinds[0];

	(void)state;
	assert_int_equal(count_messages(LEVEL_NODE, gather, 8, 5), 7);
	assert_int_equal(count_messages(LEVEL_NETWORK, gather, 8, 5), 3);
	assert_int_equal(count_messages(LEVEL_NODE, sum, 8, 1 << 22), 7 + 7);
	assert_int_equal(count_messages(LEVEL_NETWORK, sum, 8, 1 << 22), 3 + 3);
	assert_int_equal(count_messages(LEVEL_NODE, sum, 8, 3), 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shares_of_seven),
		cmocka_unit_test(five_as_listed),
		cmocka_unit_test(five_take),
		cmocka_unit_test(ten_of_seventeen),
		cmocka_unit_test(rows_of_seventeen),
		cmocka_unit_test(pair_of_fourteen),
		cmocka_unit_test(pair_of_twenty_five),
		cmocka_unit_test(parts_around_seven),
		cmocka_unit_test(shares_of_eleven),
		cmocka_unit_test(whole_of_forty_nine),
		cmocka_unit_test(ways_by_level),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
