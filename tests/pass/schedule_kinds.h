/* schedule_kinds.h - computes the bytes that a process receives in each collective, and the least
 * time that all take, in closed form.
 *
 * The least time: latency l, and b of a byte. In r = ceil(log2(n)) rounds of a message and no fewer
 * each process can have heard of all others. Of N bytes that all have in the end, or that are
 * summed, it receives (n - 1) / n N at least, and of a sum that all have twice as much (Chan,
 * Heimlich, Purkayastha, van de Geijn, "Collective communication: theory, practice, and
 * experience", 2007, table 1):
 *
 *     psum_scatter, all_gather      r l + (n - 1) / n N b
 *     psum                          r (l + N b), or 2 r l + 2 (n - 1) / n N b: no way is known that
 *                                   has both few rounds and few bytes (Thakur, Rabenseifner, Gropp,
 *                                   2005); at the ends these are r l and the bytes' time. Of rows
 *                                   of 12 KB over a network more is proved for some numbers of
 *                                   processes (docs/design/0045-least-times-of-rows.md)
 *     all_to_all                    (n - 1) (l + N b), or r l + half of all N b in each round
 *                                   (Bruck and others, 1997)
 *     ppermute                      l + N b
 *     pbroadcast                    r (l + N b) */
#ifndef TSR_TESTS_SCHEDULE_KINDS_H
#define TSR_TESTS_SCHEDULE_KINDS_H
#include "pass/crossing/listed.h"
#include "support/listed_plan.h"
#include "support/tails.h"

enum { SUMS = 2 }; /* so many kinds, the first ones, are sums */

/* ---- of process `at` of n, each with e members; x: elements */

typedef struct chosen { /* how a sum goes, which is the same for all processes */
	bool known;
	sum_way all;
	scatter_way parts;
	int64_t *received; /* by process: elements of a sum in parts; by block: parts */
} chosen;
typedef struct place {
	int64_t n, e, x;
	axis_level level;
	base *base;
	chosen *way;
} place;
typedef double formula(const place *, int64_t at);
typedef struct kind {
	const char *name, *text;
	int64_t block[3]; /* elements of a block, or, as `share` says, of each share of it */
	bool share;
	formula *bytes;
	double (*least)(const place *);
} kind;

static double latency(const place *p) { return message_costs[p->level].latency; }
static double byte(const place *p) { return message_costs[p->level].byte; }
static double rounds(const place *p) { return rounds_of((int)p->n); }

/* subtrees of which the processes first .. end - 1 are the leaves, the largest there are */
static int64_t subtrees(int64_t n, int64_t first, int64_t end)
{
	int64_t count = 0;

	for (; first < end; count++) {
		int64_t span = 1;
		while (first % (2 * span) == 0 && first + span < n &&
		       (first + 2 * span < n ? first + 2 * span : n) <= end)
			span *= 2;
		first += span;
	}
	return count;
}

static double of_roots(const place *p, int64_t at)
{
	const int64_t block = p->n & -p->n; /* so many are a subtree: the blocks go around */
	double roots = 0;

	if (p->way->all.kind == SUMS_BY_PLANS)
		return rows_received(p->n, at, p->way->all.rows.pairs) * 4 * (double)p->x;
	for (int64_t span = 1; span < p->n; span *= 2) {
		const int64_t from = (at - span + p->n) % p->n;
		const int64_t end = from / block * block + block, first = end - span;
		if (span < block) roots++;
		else
			roots += (double)(subtrees(p->n, first < 0 ? 0 : first, end) +
			                  (first < 0 ? subtrees(p->n, first + p->n, p->n) : 0));
	}
	return roots * 4 * (double)p->x;
}

/* of `span` processes of n up to number `last`, which go on from 0 behind the last of all */
static int64_t subtrees_up_to(int64_t n, int64_t last, int64_t span)
{
	const int64_t first = (last + 1 - span + n) % n, over = first + span - n;

	if (over <= 0) return subtrees(n, first, first + span);
	return subtrees(n, first, n) + subtrees(n, 0, over);
}

/* Parts that a process receives where blocks go around (crossing/around.c): half of all in the
 * first round of its block, then a quarter, and so on. Then, in the round of each span, of a block
 * that is so far behind, what it has for those that are span, 3 span, .. ahead of it: roots of
 * `span` blocks up to its own, and for the last one of those that are left */
static double parts_around(int64_t n, int64_t at)
{
	const int64_t block = n & -n, blocks = n / block;
	int64_t parts = n - blocks;

	for (int64_t span = 1; span < blocks; span *= 2) {
		const int64_t from = (at / block - span + blocks) % blocks;
		const int64_t left = blocks % (2 * span) - span;
		parts += blocks / (2 * span) * subtrees_up_to(blocks, from, span);
		if (left > 0) parts += subtrees_up_to(blocks, from, left);
	}
	return (double)parts;
}

/* the longest part of a sum, of the first p->x % p->n processes; others have an element less */
static int64_t longest(const place *p) { return (p->x + p->n - 1) / p->n; }

static void choose_once(const place *p, bool all)
{
	const double row = 4 * (double)p->x, bytes = 4 * (double)(longest(p) * p->n);
	const int n = (int)p->n;
	chosen *way = p->way;
	double ns;

	if (way->known) return;
	way->known = true;
	if (all) way->all = choose_sum(p->base, p->level, n, row);
	way->parts = choose_scatter(p->base, p->level, n, bytes);
	if (way->all.kind != SUMS_IN_PARTS) return;
	if (way->parts == SCATTERS_AS_LISTED)
		follow_plan(choose_listed(p->level, n, bytes, &ns), n / (n & -n), way->received);
	if (way->parts != SCATTERS_IN_ROUNDS) return;
	const halving_way halving = halving_way_of(p->base, p->level, n, bytes);
	elements_received(&halving, p->level, n, p->x, way->received);
}

/* Parts that a process receives where blocks go by a listed plan: half of all in the first round of
 * its block, then a quarter, and so on; and what the plan says */
static double parts_listed(const place *p, int64_t at)
{
	const int64_t block = p->n & -p->n;

	return (double)(p->n - p->n / block + p->way->received[at / block]);
}

/* Bytes that a process receives until it has its part of the sum. Where all are sent at once, each
 * is filled up to the longest */
static double of_scatter(const place *p, int64_t at)
{
	const scatter_way way = p->way->parts;

	if (way == SCATTERS_AROUND) return 4 * (double)longest(p) * parts_around(p->n, at);
	if (way == SCATTERS_AS_LISTED) return 4 * (double)longest(p) * parts_listed(p, at);
	return 4 * (double)(way == SCATTERS_IN_ROUNDS ? p->way->received[at]
	                                              : longest(p) * (p->n - 1));
}

static double of_sum(const place *p, int64_t at)
{
	const int64_t own = longest(p) - (p->x % p->n && at >= p->x % p->n);

	choose_once(p, true);
	if (p->way->all.kind != SUMS_IN_PARTS) return of_roots(p, at);
	return of_scatter(p, at) +
	       4 * (double)(p->way->parts == SCATTERS_IN_ROUNDS ? p->x - own
	                                                        : longest(p) * (p->n - 1));
}

/* The time that plans of whole rows of 12 KB take over a network at least, by proof; 0: there is
 * none */
static double proved_for_rows(const place *p)
{
	const double b = 4 * (double)p->x * byte(p), s = latency(p) + b;
	const double g = message_costs[p->level].start + b;

	if (p->x != 3000 || p->level != LEVEL_NETWORK) return 0;
	if (p->n == 7) return 1.1 * 3 * s;
	if (p->n == 15) return 4 * s + b;
	return p->n >= 29 && p->n <= 31 ? 5 * g + s + b : 0;
}

static double least_sum(const place *p)
{
	const double b = 4 * (double)p->x * byte(p), r = rounds(p);
	const double parts = 2 * r * latency(p) + 2 * b * (double)(p->n - 1) / (double)p->n;
	const double roots = r * (latency(p) + b), proved = proved_for_rows(p);
	const double least = parts < roots ? parts : roots;

	return least > proved ? least : proved;
}

static double of_chunks(const place *p, int64_t at)
{
	choose_once(p, false);
	return of_scatter(p, at);
}

static double least_chunks(const place *p)
{
	return rounds(p) * latency(p) + 4 * (double)(p->x / p->n * (p->n - 1)) * byte(p);
}

static double of_blocks(const place *p, int64_t at)
{
	return (void)at, 4 * (double)(p->n - 1) * (double)(p->e * p->x);
}

static double least_blocks(const place *p)
{
	return rounds(p) * latency(p) + of_blocks(p, 0) * byte(p);
}

static double passed_on(const place *p)
{
	double blocks = 0;

	for (int64_t span = 1; span < p->n; span *= 2) blocks += (double)traded(p->n, span);
	return 4 * blocks * (double)(p->e * p->x / p->n);
}

static double of_pairs(const place *p, int64_t at)
{
	const double block = 4 * (double)(p->e * p->x / p->n);

	(void)at;
	if (p->n > 2 && trades_in_rounds(p->level, (int)p->n, block)) return passed_on(p);
	return block * (double)(p->n - 1);
}

static double least_pairs(const place *p)
{
	const double n = (double)(p->n - 1), block = 4 * (double)(p->e * p->x / p->n);
	const double direct = n * (latency(p) + block * byte(p));
	const double bruck = rounds(p) * latency(p) + passed_on(p) * byte(p);

	return direct < bruck ? direct : bruck;
}

static double of_one(const place *p, int64_t at) { return (void)at, 4 * (double)p->x; }
static double least_one(const place *p) { return latency(p) + of_one(p, 0) * byte(p); }
static double of_source(const place *p, int64_t at)
{
	return at == 3 / p->e ? 0 : 4 * (double)p->x;
}
static double least_source(const place *p)
{
	return rounds(p) * (latency(p) + 4 * (double)p->x * byte(p));
}

static const kind kinds[] = {
	{"psum", "psum %0 axes=(x) to=invarying", {3, 3000, 1 << 22}, false, of_sum, least_sum},
	{"psum_scatter", "psum_scatter %0 axes=(x) dim=0 tiled=true", {2, 20000}, true, of_chunks,
	 least_chunks},
	{"all_gather", "all_gather %0 axes=(x) dim=0 tiled=true to=varying", {5, 20000}, false,
	 of_blocks, least_blocks},
	{"all_to_all", "all_to_all %0 axes=(x) split=0 concat=0 tiled=true", {1, 100, 20000}, true,
	 of_pairs, least_pairs},
	{"ppermute", NULL, {5, 1 << 20}, false, of_one, least_one},
	{"pbroadcast", "pbroadcast %0 axes=(x) source=3 to=invarying", {5, 3000}, false, of_source,
	 least_source},
};

#endif
