/* shares.c - deals the elements of a sum to processes, as many as no power of two
 * (ways.c chooses in how many shares, and halves.c exchanges them).
 *
 * All processes of a block and its rest are to have equally many elements. So in the block each has
 * beside its own a share of those of the rest, and in the rest each a share of those of the block.
 * Shares are dealt in one order, in which processes of a block whose numbers end with the same bits
 * are neighbours: so each exchanges with few others, and half of what neighbours have is half of
 * the bytes. Of 7 processes, counted in twelfths of a part:
 *
 *     process     is to have     and has before, of the sum of its side
 *     0           0 to 11        48 to 56
 *     2           24 to 35       57 to 65
 *     1           12 to 23       66 to 74
 *     3           36 to 47       75 to 83
 *     4           48 to 59       0 to 11, 24 to 27
 *     5           60 to 71       28 to 35, 12 to 19
 *     6           72 to 83       20 to 23, 36 to 47
 *
 * Where parts differ by an element, they are dealt as if all were as long as the first one, and
 * then the last element of each shorter one is left out. If real sizes were dealt, shares would end
 * a few elements beside the ends of parts: each such piece is a message more, and takes a start.
 *
 * Messages leave in this order, too, the last one first. So of two that come to a process, as from
 * 4 and 5 to 2, one is the first of its sender and the other one the last, and none waits for the
 * other. Where bytes are few, a start weighs more, and shares are whole: in the block each has all
 * that one of the rest is to have, and one of the rest all that one or more of the block are to.
 *
 * A share of what the block is to have may begin behind the end of a part, and end behind another
 * one: its process sends three messages then. Of 27 processes such are the third, fifth, seventh
 * and ninth of the 11 shares of the rest. In the order of turns these are of 18, 17, 19 and 24,
 * which have more to add up than their neighbours, and their sums later. Dealt from the last
 * process on, they are of 20, 22, 21 and 23, which have theirs earlier (early_way.shifted). */
#include <stdlib.h>
#include "pass/crossing/shares.h"

/* ---- whose elements are whose */

static int reversed(int bits, int n)
{
	int to = 0;

	for (int i = 0; i < n; i++) to |= (bits >> i & 1) << (n - 1 - i);
	return to;
}

int turn_of(const plan *p, int process)
{
	const block *b = p->v;

	while (process >= b->first + b->n) b++;
	const int at = process - b->first, ends = 1 << b->rounds;
	return b->first + reversed(at & (ends - 1), b->rounds) * left_of(b) + at / ends;
}

static int process_of_turn(const plan *p, int turn)
{
	const block *b = p->v;

	while (turn >= b->first + b->n) b++;
	const int at = turn - b->first, left = left_of(b);
	return b->first + reversed(at / left, b->rounds) + (at % left << b->rounds);
}

/* so that a comparison sees it: run.other is the turn of the owner */
static int compare_turns(const void *a, const void *b)
{
	const run *x = a, *y = b;

	if (x->other != y->other) return x->other < y->other ? -1 : 1;
	return (x->at.first > y->at.first) - (x->at.first < y->at.first);
}

static int compare_runs(const void *a, const void *b)
{
	const run *x = a, *y = b;

	return (x->at.first > y->at.first) - (x->at.first < y->at.first);
}

typedef struct cut { /* of what one side is to have, in the order of turns */
	int64_t end;
	int to; /* the turn of who takes what is before it */
} cut;

typedef struct side {
	int64_t all, done; /* elements */
	cut *next;
} side;

typedef struct cutting { /* of a block and its rest */
	cut *cuts;
	int64_t *end;     /* of what each of the rest is to have, in the order of turns */
	class_cut *class; /* of the block */
} cutting;

static bool cutting_open(arena *a, const block *b, const early_way *way, int ncuts, cutting *c)
{
	c->cuts = arena_array(a, (size_t)ncuts, sizeof *c->cuts);
	c->end = arena_array(a, (size_t)b->rest, sizeof *c->end);
	c->class = arena_array(a, (size_t)way->classes, sizeof *c->class);
	return c->cuts && c->end && c->class;
}

static cut *cut_evenly(cut *v, int64_t all, int n, int first, bool shifted)
{
	for (int i = 0; i < n; i++)
		*v++ = (cut){all * (i + 1) / n, first + (shifted ? (i + n - 1) % n : i)};
	return v;
}

static void list_ends(const block *b, const runs *from, int64_t *end)
{
	int64_t at = 0;

	for (int i = 0; i < b->rest; i++) end[i] = 0;
	for (int i = 0; i < from->n; i++) {
		const run *x = &from->v[i];
		if (x->other < b->first + b->n) continue;
		at += x->at.end - x->at.first;
		end[x->other - b->first - b->n] = at;
	}
}

void cut_classes(int rest, const int64_t *end, int classes, class_cut *v)
{
	const int64_t all = end[rest - 1], near = all / classes / 64;
	int64_t first = 0;
	int owner = 0;

	for (int c = 0; c < classes; c++, first = v++->end) {
		const int64_t at = all * (c + 1) / classes;
		while (owner + 1 < rest && end[owner] <= first) owner++;
		int next = owner;
		while (end[next] < at - near) next++;
		v->end = end[next] <= at + near && c + 1 < classes ? end[next] : at;
		v->at = next > owner ? end[owner] : v->end;
	}
}

/* what the rest is to have, in each class for one process, or for two, or for some with shares */
static void cut_for_classes(cut *v, const plan *p, int e, const class_cut *class)
{
	const block *b = &p->v[e];
	const early_way *way = &p->way.early[e];
	const int turns = b->n / way->classes;
	int64_t first = 0;
	int end[MOST_SHARES];

	share_out(turns, way, end);
	for (int c = 0; c < way->classes; c++, first = class++->end) {
		const int turn = b->first + (int)((int64_t)c * b->n / way->classes);
		const bool larger = class->at - first >= class->end - class->at;
		for (int k = 0; way->shares > 1 && k < way->shares; k++)
			*v++ = (cut){first + (class->end - first) * end[k] / WHOLE,
			             turn + turn_shared(turns, way->shares, k)};
		if (way->shares > 1) continue;
		*v++ = (cut){class->at, turn + (larger ? 0 : turns / 2)};
		*v++ = (cut){class->end, turn + (larger ? turns / 2 : 0)};
	}
}

/* The one of the other side that has all of this process's: the rest has as many places as the next
 * power of two, and those behind its last process are of the same ones in its block */
static int taker_of_all(const plan *p, int e, int process)
{
	const block *b = &p->v[e];
	int at = process - b->first;

	if (at >= b->n) return process - b->n;
	for (b++;; b++) {
		at &= (1 << rounds_of(b->n + b->rest)) - 1;
		if (at < b->n) return b->first + at;
		at -= b->n;
		if (at >= b->rest) return b->first + at;
	}
}

/* The runs of block e, each cut where the other side's shares end, with those who take them; v has
 * room for so many more */
static int deal(const plan *p, int e, const runs *from, const cutting *c, run *v)
{
	const block *b = &p->v[e];
	const int behind = b->first + b->n;
	const bool whole = e < p->way.whole;
	side s[2] = {0};
	int n = 0;

	for (int i = 0; i < from->n; i++) {
		run *x = &from->v[i];
		x->other = turn_of(p, x->owner);
		s[x->owner >= behind].all += x->at.end - x->at.first;
	}
	qsort(from->v, (size_t)from->n, sizeof *from->v, compare_turns);
	s[0].next = c->cuts;
	s[1].next = cut_evenly(c->cuts, s[0].all, b->rest, behind, p->way.early[e].shifted);
	list_ends(b, from, c->end);
	cut_classes(b->rest, c->end, p->way.early[e].classes, c->class);
	cut_for_classes(s[1].next, p, e, c->class);
	for (int i = 0; i < from->n; i++) {
		run x = from->v[i];
		side *to = &s[x.owner >= behind];
		for (const int64_t end = x.at.end; x.at.first < end; x.at.first = x.at.end) {
			run *part = &v[n++];
			while (to->next->end == to->done) to->next++;
			const int64_t cut = x.at.first + to->next->end - to->done;
			x.at.end = whole || cut > end ? end : cut;
			if (!whole) to->done += x.at.end - x.at.first;
			*part = x;
			part->other = whole ? taker_of_all(p, e, x.owner)
			                           : process_of_turn(p, to->next->to);
		}
	}
	qsort(v, (size_t)n, sizeof *v, compare_runs);
	return n;
}

int has_it(const block *b, const run *x, bool of_rest)
{
	return (x->owner >= b->first + b->n) == of_rest ? x->owner : x->other;
}

/* what the rest has of its sum, as runs of their owners */
static void list_rest(const block *b, const runs *all, runs *to)
{
	for (int i = 0; i < all->n; i++) {
		const run x = {all->v[i].at, has_it(b, &all->v[i], true), 0};
		run *before = to->n ? &to->v[to->n - 1] : NULL;
		if (before && before->owner == x.owner && before->at.end == x.at.first)
			before->at.end = x.at.end;
		else
			to->v[to->n++] = x;
	}
}

/* so many elements are before this one of the filled row, whose parts have so many each */
static int64_t elements_before(int64_t all, int n, int64_t size, int64_t at)
{
	const int64_t own = part_begin(all, n, at / size) + at % size;
	const int64_t next = part_begin(all, n, at / size + 1);

	return own < next ? own : next;
}

static void leave_out(int64_t all, int n, int64_t size, runs *list)
{
	int count = 0;

	for (int i = 0; i < list->n; i++) {
		run x = list->v[i];
		x.at.first = elements_before(all, n, size, x.at.first);
		x.at.end = elements_before(all, n, size, x.at.end);
		if (x.at.first < x.at.end) list->v[count++] = x;
	}
	list->n = count;
}

bool deal_all(arena *a, const plan *p, int blocks, int64_t all, runs *list)
{
	const int64_t size = filled(all, p->n) / p->n;
	runs from = {p->n, arena_array(a, (size_t)p->n, sizeof *from.v)};

	for (int k = 0; from.v && k < p->n; k++)
		from.v[k] = (run){.at = {k * size, (k + 1) * size}, .owner = k};
	for (int e = 0; from.v && e < blocks; e++) {
		const early_way *way = &p->way.early[e];
		const int ncuts = p->v[e].rest + way->classes * (way->shares + 1);
		const size_t room = (size_t)(from.n + ncuts);
		cutting c;
		list[e] = from;
		if (!p->v[e].rest) break;
		list[e].v = arena_array(a, room, sizeof *list[e].v);
		if (!list[e].v || !cutting_open(a, &p->v[e], way, ncuts, &c)) return false;
		list[e].n = deal(p, e, &from, &c, list[e].v);
		from = (runs){0, arena_array(a, room, sizeof *from.v)};
		if (from.v) list_rest(&p->v[e], &list[e], &from);
	}
	for (int e = 0; from.v && all % p->n && e < blocks; e++)
		leave_out(all, p->n, size, &list[e]);
	return from.v;
}
