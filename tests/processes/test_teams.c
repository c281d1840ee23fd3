/* test_teams.c - ranks agree and gather bytes in teams that overlap, with those of their node
 * through memory and with others by messages. The ranks are threads. */
#include "../tools/conform/threads.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

enum { RANKS = 9, ROUNDS = 400 };

static void join_most(void *a, const void *b)
{
	uint64_t *x = a;
	const uint64_t *y = b;

	*x = *x > *y ? *x : *y;
}

static uint64_t value_of(int round, int rank) { return hash_u64((uint64_t)round, (uint64_t)rank); }

/* the ranks of a round's team, the same for all who ask; how many */
static int draw_team(int round, int size, int rank[RANKS])
{
	const uint64_t bits = value_of(round, -1);
	int n = 0;

	for (int i = 0; i < size; i++)
		if (bits >> i & 1) rank[n++] = i;
	return n;
}

static bool is_right(processes *ps, int round, const team *t)
{
	uint64_t each[RANKS] = {0}, most = 0, agreed = value_of(round, ps->comm->rank);

	each[t->mine] = agreed;
	if (!agree(ps, t, &agreed, sizeof agreed, join_most)) return false;
	if (round % 4 == 0 && !gather_bytes(ps, t, each, sizeof *each)) return false;
	for (int i = 0; i < t->n; i++) {
		const uint64_t v = value_of(round, t->rank[i]);
		most = most > v ? most : v;
		if (round % 4 == 0 && each[i] != v) return false;
	}
	return agreed == most;
}

static void run_rounds(const threads_place *at, void *of)
{
	_Atomic int *right = of;
	base b;

	if (!base_init(&b, NULL, NULL, 0)) return;
	processes *ps = processes_open(&b, "app.c:1", &threads_comm, at, 0);
	for (int round = 0; ps && round < ROUNDS; round++) {
		int rank[RANKS];
		const int n = draw_team(round, at->size, rank);
		bool in = false;
		for (int i = 0; i < n; i++) in |= rank[i] == at->rank;
		if (!in) continue;
		const team *t = team_of(ps, rank, n);
		*right += t && is_right(ps, round, t);
	}
	processes_close(ps);
	base_fini(&b);
}

static void overlapping_teams(void **state)
{
	static const struct {
		int ranks, a_node;
		uint64_t seed; /* of late messages */
	} worlds[] = {{2, 0, 0}, {5, 0, 0}, {9, 0, 0}, {9, 1, 0}, {9, 3, 0}, {8, 3, 7}, {4, 2, 9}};

	for (size_t k = 0; k < ARRAY_LEN(worlds); k++) {
		threads_world *w =
			threads_world_make(worlds[k].ranks, worlds[k].a_node, worlds[k].seed);
		_Atomic int right = 0;
		int expected = 0, rank[RANKS];

		threads_run(w, run_rounds, &right);
		for (int i = 0; i < ROUNDS; i++) expected += draw_team(i, worlds[k].ranks, rank);
		if (right != expected)
			fail_msg("%d ranks, %d a node: %d of %d are right", worlds[k].ranks,
			         worlds[k].a_node, (int)right, expected);
		threads_world_free(w);
	}
	(void)state;
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(overlapping_teams)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
