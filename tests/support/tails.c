/* tails.c - counts the elements that processes receive of a sum in rounds (pass/crossing/halves.c),
 * by following those that each is to have, from the tree of all blocks and rests to the last rest.
 *
 * Ranges are of a row in which all parts are as long as the longest. Those that are shorter lack
 * their last elements, and these are not counted. */
#include "support/tails.h"
#include "pass/crossing/shares.h"
#include <stdlib.h>

/* a block and its rest, n processes from `first` on */
typedef struct tail {
	const halving_way *way;
	int64_t depth, first, n, block, rounds;
} tail;

static bool is_base(const tail *x) { return x->depth && x->depth == x->way->base; }

static bool is_whole(const tail *x) { return x->depth < x->way->whole; }

static tail tail_of(const halving_way *way, axis_level level, int64_t depth, int64_t first,
                    int64_t n)
{
	tail x = {way, depth, first, n, 1, 0};

	for (; 2 * x.block <= n; x.rounds++) x.block *= 2;
	if (!is_base(&x)) return x;
	x.block = n;
	x.rounds = halvings_of(level, (int)n);
	return x;
}

static int64_t turned(int64_t at, int64_t rounds)
{
	int64_t to = 0;

	for (; rounds; rounds--, at /= 2) to = 2 * to + at % 2;
	return to;
}

/* the process that takes a share as number `turn` of a tail: those of a block in the order of their
 * last bits, turned around */
static int64_t taker(const halving_way *way, axis_level level, int64_t depth, int64_t n,
                     int64_t turn)
{
	const tail x = tail_of(way, level, depth, 0, n);
	const int64_t left = x.block >> x.rounds;

	if (turn >= x.block)
		return x.block + taker(way, level, depth + 1, n - x.block, turn - x.block);
	return turned(turn / left, x.rounds) + (turn % left << x.rounds);
}

/* ---- what a process has */

typedef struct parts {
	int64_t longest; /* elements of the longest part */
	int64_t longer;  /* so many parts, the first ones, have them */
} parts;

typedef struct range {
	int64_t first, end;
} range;

typedef struct ranges {
	int64_t n, size;
	range *v;
} ranges;

static void add_range(ranges *to, int64_t first, int64_t end)
{
	to->v = realloc(to->v, (size_t)(to->n + 1) * sizeof *to->v);
	to->v[to->n++] = (range){first, end};
	to->size += end - first;
}

static int compare_ranges(const void *a, const void *b)
{
	const range *x = a, *y = b;

	return (x->first > y->first) - (x->first < y->first);
}

/* elements before this one */
static int64_t before(const parts *p, int64_t at)
{
	const int64_t shorter = at / p->longest - p->longer;

	return at - (shorter > 0 ? shorter : 0);
}

/* of these, number `first` to number end - 1 go to `to`, too; how many elements they are */
static int64_t pick(const parts *p, const ranges *x, int64_t first, int64_t end, ranges *to)
{
	int64_t count = 0, at = 0;

	for (int64_t i = 0; i < x->n && at < end; i++) {
		const range *r = &x->v[i];
		const int64_t size = r->end - r->first;
		const int64_t skip = first > at ? first - at : 0;
		const int64_t stop = end - at < size ? end - at : size;
		at += size;
		if (skip >= stop) continue;
		if (to) add_range(to, r->first + skip, r->first + stop);
		count += before(p, r->first + stop) - before(p, r->first + skip);
	}
	return count;
}

static int64_t count_all(const parts *p, const ranges *x) { return pick(p, x, 0, x->size, NULL); }

/* what those of a tail have that are number first .. end - 1 in the order of turns */
static ranges in_turn(const tail *x, axis_level level, const ranges *has, int64_t first,
                      int64_t end)
{
	ranges all = {0};

	for (int64_t turn = first; turn < end; turn++) {
		const ranges *one = &has[taker(x->way, level, x->depth, x->n, turn)];
		for (int64_t i = 0; i < one->n; i++)
			add_range(&all, one->v[i].first, one->v[i].end);
	}
	return all;
}

/* ---- one tail */

/* what those have whose numbers end with the same bits as `at` */
static int64_t of_ends(const int64_t *has, int64_t n, int64_t at, int64_t ends)
{
	int64_t sum = 0;

	for (int64_t k = at % ends; k < n; k += ends) sum += has[k];
	return sum;
}

/* each process of the block gets the other half of what it has after each round */
static void add_halves(const tail *x, const int64_t *has, int64_t *to)
{
	for (int64_t ends = 2; ends <= (int64_t)1 << x->rounds; ends *= 2)
		for (int64_t at = 0; at < ends; at++) {
			const int64_t sum = of_ends(has, x->block, at, ends);
			for (int64_t k = at; k < x->block; k += ends) to[k] += sum;
		}
}

/* What process `at` of the block receives of the rest's sum, with what it passes on: what all need
 * whose numbers have the same end, when it is sent, or when the process is in the second half of
 * those that have it */
static int64_t of_rest(const tail *x, const int64_t *has, int64_t at)
{
	const early_way *way = &x->way->early[x->depth];
	int64_t ends = (int64_t)2 << way->from;

	if (way->from >= x->rounds) return has[at];
	while (ends < x->block && at % ends < way->keep) ends *= 2;
	if (at % ends < way->keep) return has[at];
	if (ends == x->block / 2 && !way->together) /* for two, and the one with the lower number */
		return has[at] + (at < ends ? 0 : has[at - ends]);
	while (ends <= at) ends *= 2;
	return of_ends(has, x->block, at, ends);
}

/* Where shares are whole: the one of the rest that has those of number `at` of the block, as many
 * places as the next power of two; those behind the last process are of the same in a block */
static int64_t whole_taker(const halving_way *way, axis_level level, int64_t depth, int64_t n,
                           int64_t at)
{
	const tail x = tail_of(way, level, depth, 0, n);
	int64_t places = 1;

	while (places < n) places *= 2;
	at %= places;
	if (at < x.block) return at;
	at -= x.block;
	if (at >= n - x.block) return at;
	return x.block + whole_taker(way, level, depth + 1, n - x.block, at);
}

/* what each of the rest takes of what those of the block are to have; has: of the first process */
static void add_shares(const tail *x, axis_level level, const parts *p, ranges *has)
{
	const int64_t n = x->block, rest = x->n - n;
	ranges own = in_turn(x, level, has, 0, n);

	for (int64_t i = 0; !is_whole(x) && i < rest; i++) {
		const int64_t turn = x->way->early[x->depth].shifted ? (i + rest - 1) % rest : i;
		const int64_t to = taker(x->way, level, x->depth, x->n, n + turn);
		pick(p, &own, own.size * i / rest, own.size * (i + 1) / rest, &has[to]);
	}
	for (int64_t i = 0; is_whole(x) && i < n; i++) {
		const int64_t to = n + whole_taker(x->way, level, x->depth + 1, rest, i);
		pick(p, &has[i], 0, has[i].size, &has[to]);
	}
	for (int64_t i = n; i < x->n; i++)
		qsort(has[i].v, (size_t)has[i].n, sizeof *has[i].v, compare_ranges);
	free(own.v);
}

/* what the rest is to have, from `first` on, of those of a class of the block */
static void add_to_class(const tail *x, const parts *p, const ranges *of_rest, int64_t number,
                         int64_t first, const class_cut *class, int64_t *block)
{
	const early_way *way = &x->way->early[x->depth];
	const int64_t turns = x->block / way->classes, turn = number * x->block / way->classes;
	const bool larger = class->at - first >= class->end - class->at;
	int end[MOST_SHARES] = {0};
	int64_t done = 0;

	share_out((int)turns, way, end);
	for (int k = 0; way->shares > 1 && k < way->shares; k++) {
		const int64_t to = (class->end - first) * end[k] / WHOLE;
		const int64_t one = turn + turn_shared((int)turns, way->shares, k);
		block[turned(one, x->rounds)] += pick(p, of_rest, first + done, first + to, NULL);
		done = to;
	}
	if (way->shares > 1) return;
	block[turned(larger ? turn : turn + turns / 2, x->rounds)] +=
		pick(p, of_rest, first, class->at, NULL);
	block[turned(larger ? turn + turns / 2 : turn, x->rounds)] +=
		pick(p, of_rest, class->at, class->end, NULL);
}

/* and those of the block of what the rest is to have */
static void add_slices(const tail *x, axis_level level, const parts *p, const ranges *has,
                       int64_t *block)
{
	const int64_t n = x->block, rest = x->n - n;
	const int classes = x->way->early[x->depth].classes;
	int64_t *end = calloc((size_t)rest, sizeof *end), first = 0;
	class_cut *class = calloc((size_t)classes, sizeof *class);
	ranges of_rest = in_turn(x, level, has, n, x->n);

	for (int64_t i = 0; i < rest; i++) {
		const int64_t one = taker(x->way, level, x->depth, x->n, n + i);
		end[i] = has[one].size + (i ? end[i - 1] : 0);
	}
	cut_classes((int)rest, end, classes, class);
	for (int64_t i = 0; !is_whole(x) && i < classes; i++) {
		add_to_class(x, p, &of_rest, i, first, &class[i], block);
		first = class[i].end;
	}
	for (int64_t i = 0; is_whole(x) && i < rest; i++) block[i] += count_all(p, &has[n + i]);
	free(of_rest.v);
	free(class);
	free(end);
}

/* to and has of the first process of the tail; has is then of the rest's sum */
static tail count_tail(const tail *x, axis_level level, const parts *p, ranges *has, int64_t *to)
{
	const int64_t n = x->block;
	int64_t *block = calloc((size_t)n, sizeof *block);
	int64_t *own = calloc((size_t)x->n, sizeof *own);

	for (int64_t k = 0; k < x->n; k++) own[k] = count_all(p, &has[k]);
	for (int64_t k = 0; k < n; k++) block[k] = own[k];
	add_slices(x, level, p, has, block);
	add_halves(x, block, to);
	for (int64_t k = 0; k < n; k++) to[k] += of_rest(x, own, k);
	for (int64_t k = n; k < x->n; k++) to[k] += own[k];
	add_shares(x, level, p, has);
	free(own);
	free(block);
	return tail_of(x->way, level, x->depth + 1, x->first + n, x->n - n);
}

void elements_received(const halving_way *way, axis_level level, int64_t n, int64_t all,
                       int64_t *to)
{
	const int64_t longest = (all + n - 1) / n;
	const parts p = {longest, n - (longest * n - all)};
	ranges *has = calloc((size_t)n, sizeof *has);
	int64_t *own = calloc((size_t)n, sizeof *own);
	tail x = tail_of(way, level, 0, 0, n);

	for (int64_t k = 0; k < n; k++) to[k] = 0;
	for (int64_t k = 0; k < n; k++) add_range(&has[k], k * longest, (k + 1) * longest);
	while (!is_base(&x)) x = count_tail(&x, level, &p, has + x.first, to + x.first);
	for (int64_t k = x.first; k < n; k++) own[k] = count_all(&p, &has[k]);
	add_halves(&x, own + x.first, to + x.first);
	for (int64_t k = x.first; k < n; k++) to[k] += ((x.n >> x.rounds) - 1) * own[k];
	for (int64_t k = 0; k < n; k++) free(has[k].v);
	free(has);
	free(own);
}

/* One in each round of its block, and then one of each sum that is joined. A pair of the first
 * block gets that of its rest in two parts */
double rows_received(int64_t n, int64_t at, int pairs)
{
	const halving_way none = {0};
	tail x = tail_of(&none, LEVEL_NODE, 0, 0, n);

	while (at >= x.first + x.block)
		x = tail_of(&none, LEVEL_NODE, x.depth + 1, x.first + x.block, x.n - x.block);
	const bool pair = !x.depth && at % (x.block / 2 > 0 ? x.block / 2 : 1) < pairs;
	return (double)(rounds_of((int)x.block) + x.depth + (x.n > x.block) + pair);
}
