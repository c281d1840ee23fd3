/* crossing_shares.c - deals the elements of a sum to processes, as many as no power of two, and
 * chooses when they exchange them (crossing_halves.c).
 *
 * All processes of a block and its rest are to have equally many elements. So in the block each has
 * beside its own a share of those of the rest, and in the rest each a share of those of the block.
 * Shares are dealt in one order, in which processes of a block whose numbers end with the same bits
 * are neighbours: so each exchanges with few others, and half of what neighbours have is half of
 * the bytes. Of 7 processes, with parts of 12,000 elements, counted in thousands:
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
 * Messages leave in this order, too, the last one first. So of two that come to a process, as from
 * 4 and 5 to 2, one is the first of its sender and the other one the last, and none waits for the
 * other. Where bytes are few, a start weighs more, and shares are whole: in the block each has all
 * that one of the rest is to have, and one of the rest all that one or more of the block are to.
 *
 * With a share for each process of the block, those of a small rest would receive many messages. So
 * there are as many shares as processes of the rest, or twice as many, and so on, each within what
 * one of them is to have; or one for each of the block. And a small rest has what many in the block
 * need. It has its sum before they are ready, and sends it early: in some round a message for all
 * that have the same elements then, which pass it on with their halves. Some of these it keeps for
 * the next round, in which each has become two of half the bytes. The last blocks may act as one,
 * whose processes halve what they have while they are an even number, and then send each other all
 * at once. A closed formula by message_costs says what takes least. For most numbers of processes
 * it is what LogGP says; with early messages, or several rests, it is 2 in 100 more or less. */
#include <math.h>
#include <stdlib.h>
#include "pass/shares.h"

/* ---- blocks and rounds */

/* those whose numbers end with the same bits as a process's, when it has exchanged its halves */
static int left_of(const block *b) { return b->n >> b->rounds; }

/* so many rounds pass until n processes have sent each other their parts */
static int rounds_at_once(axis_level level, int n)
{
	const int rounds = (int)(direct_ns(level, n, 0) / message_costs[level].latency);

	return n < 2 ? 0 : rounds > 1 ? rounds : 1;
}

static plan plan_blocks(int n, axis_level level, int base, bool whole)
{
	plan p = {.n = n, .way = {.base = base, .whole = whole}};

	for (int first = 0, size; first < n; first += size) {
		const bool last = p.nblocks == base;
		for (size = 1; size <= (n - first) / 2;) size *= 2;
		if (last) size = n - first;
		p.v[p.nblocks++] = (block){.first = first,
		                           .n = size,
		                           .rest = n - first - size,
		                           .rounds = last ? halvings_of(level, size)
		                                          : rounds_of(size)};
	}
	block *b = &p.v[base];
	b->last = b->rounds + rounds_at_once(level, left_of(b)) - 1;
	while (b-- > p.v) {
		b->ready = b[1].last + 1;
		b->last = b->rounds > b->ready ? b->rounds : b->ready;
	}
	return p;
}

bool in_block(const plan *p, int e, int process)
{
	return process >= p->v[e].first && process < p->v[e].first + p->v[e].n;
}

int alike(const block *b, int t) { return t < b->rounds ? 2 << t : b->n; }

int round_sent(const plan *p, int e, int at)
{
	const early_way *way = &p->way.early[e];
	const block *b = &p->v[e];

	for (int t = way->from; t < b->rounds; t++)
		if ((at & (alike(b, t) - 1)) < alike(b, t) - way->keep) return t;
	return b->last;
}

/* ---- what takes less, in nanoseconds */

typedef struct load { /* of a block and its rest */
	int64_t latency, start;
	int64_t each;  /* the bytes of what a process is to have, */
	int64_t most;  /* and of what one is to have at most */
	int64_t ready; /* when the rest has its sum */
	int64_t gives; /* the bytes of what one of the rest has for the block, at most, */
	int to;        /* and for how many */
	int from;      /* of so many of the rest is what one of the block needs, at most */
} load;

static int64_t later(int64_t a, int64_t b) { return a > b ? a : b; }

static int over(int n, int k) { return (n + k - 1) / k; }

/* so many of n equal things, in a row, does one touch at most who gets one of k equal shares of it;
 * n or k is a power of two */
static int most_touched(int n, int k)
{
	const int both = (n & -n) < (k & -k) ? n & -n : k & -k;

	return n % k ? 1 + over(n - both, k) : n / k;
}

/* what one of the block has when so many numbers end differently, at most */
static int64_t class_ns(const block *b, const load *x, int slices, int ends)
{
	const int64_t own = x->each * b->n / ends, others = x->each * b->rest / slices;

	return own + others * over(slices, ends) + x->most - x->each;
}

/* When block and rest have their sum. For those processes that are the last ones to do a thing:
 * now: one of the block that has most, and passes some on; out: one of the rest can send */
static int64_t block_ns(const block *b, const load *x, early_way way)
{
	const bool early = way.from < b->rounds, apart = b->rest & (b->rest - 1);
	const int back = most_touched(way.slices, b->rest);
	int64_t now = 0, out = x->ready, some = 0;

	for (int t = 0; t < b->rounds; t++) {
		const int ends = alike(b, t), sent = t == way.from ? ends - way.keep : way.keep;
		now += x->latency + class_ns(b, x, way.slices, ends) + some / 2;
		if (t < way.from) continue;
		some = x->each * b->n / ends;
		/* the first one comes with a half that its process waits for, too */
		if (t == way.from) now += some + x->start;
		out += sent * (some + x->start) / b->rest + apart * x->start;
		now = later(now, out - x->start + x->latency);
	}
	if (early) out += way.keep * (x->each + x->start) / b->rest;
	else out += x->gives + x->to * x->start;
	now += x->latency + x->most;
	now += (int)(later(back, early ? 1 : x->from) - 1) * x->start;
	return later(now, out - x->start + x->latency);
}

static void try_way(early_way *best, const block *b, const load *x, early_way way, int64_t *least)
{
	const int64_t ns = block_ns(b, x, way);

	if (ns >= *least) return;
	*least = ns;
	*best = way;
}

/* from which round on the rest sends, with so many shares */
static void choose_early(early_way *best, const block *b, const load *x, int slices, int64_t *least)
{
	const int places = 1 << rounds_of(b->rest);

	try_way(best, b, x, (early_way){b->rounds, 0, slices}, least);
	/* each message is of one process, but for those at the ends of shares */
	for (int t = b->ready; t < b->rounds; t++)
		for (int keep = 0; alike(b, t) >= places && keep < alike(b, t);
		     keep = keep ? 2 * keep : places)
			try_way(best, b, x, (early_way){t, keep, slices}, least);
}

static int64_t choose_way(early_way *best, const block *b, const load *x, bool whole)
{
	int64_t least = INT64_MAX;

	choose_early(best, b, x, b->rest, &least);
	for (int slices = 2 * b->rest; !whole && slices < b->n; slices *= 2)
		choose_early(best, b, x, slices, &least);
	if (!whole) choose_early(best, b, x, b->n, &least);
	return least;
}

static int64_t base_ns(const block *b, const load *x)
{
	const int left = left_of(b);
	int64_t ns = left > 1 ? x->latency + (left - 2) * x->start + x->most * (left - 1) : 0;

	for (int t = 0; t < b->rounds; t++)
		ns += x->latency + x->each * b->n / (2 << t) + x->most - x->each;
	return ns;
}

static void choose_ways(plan *p, axis_level level, double bytes)
{
	const message_cost *c = &message_costs[level];
	const int64_t row = (int64_t)(bytes * c->byte);
	const bool whole = p->way.whole;
	int64_t most[MOST_BLOCKS] = {row / p->n}, more = 0, ready = 0;

	for (int e = 0; e < p->way.base; e++) {
		const block *b = &p->v[e];
		const int64_t each = row / (b->n + b->rest);
		const int places = 1 << rounds_of(b->rest);
		most[e + 1] = row / b->rest;
		if (!whole || places == b->rest) continue;
		most[e + 1] += most[e] - each + each * b->n / places;
		more = (int64_t)c->start;
	}
	for (int e = p->way.base; e >= 0; e--) {
		const block *b = &p->v[e];
		load x = {(int64_t)c->latency, (int64_t)c->start, row / (b->n + b->rest), most[e],
		          ready};
		if (b->rest) {
			x.from = whole ? 1 : most_touched(b->rest, b->n);
			x.to = whole ? b->n >> rounds_of(b->rest) : most_touched(b->n, b->rest);
			x.gives = x.each * b->n / b->rest;
		}
		ready = b->rest ? choose_way(&p->way.early[e], b, &x, whole) : base_ns(b, &x);
	}
	p->way.ns = (double)(ready + more);
}

plan choose_plan(axis_level level, int n, double bytes)
{
	plan best = {.way.ns = INFINITY};

	for (int base = 1; base < MOST_BLOCKS; base++)
		for (int whole = 0; whole < 2; whole++) {
			plan p = plan_blocks(n, level, base, whole);
			if (p.nblocks <= base) return best;
			choose_ways(&p, level, bytes);
			if (p.way.ns < best.way.ns) best = p;
		}
	return best;
}

halving_way halving_way_of(axis_level level, int n, double bytes)
{
	return choose_plan(level, n, bytes).way;
}

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

typedef struct share {     /* of what one side is to have */
	int64_t all, done; /* elements */
	int n, taken;      /* shares */
	int to, among;     /* the turns of those who take them */
} share;

/* so many elements of a run are of one share; s->taken: of which */
static int64_t size_in(share *s, const run *x)
{
	const int64_t size = x->at.end - x->at.first;

	while (s->done == s->all * (s->taken + 1) / s->n) s->taken++;
	const int64_t left = s->all * (s->taken + 1) / s->n - s->done;
	return size < left ? size : left;
}

static int turn_taken(const share *s) { return (int)((int64_t)s->taken * s->among / s->n); }

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
static int deal(const plan *p, int e, const runs *from, run *v)
{
	const block *b = &p->v[e];
	const int behind = b->first + b->n;
	share s[2] = {{.n = b->rest, .to = behind, .among = b->rest},
	              {.n = p->way.early[e].slices, .to = b->first, .among = b->n}};
	int n = 0;

	for (int i = 0; i < from->n; i++) {
		run *x = &from->v[i];
		x->other = turn_of(p, x->owner);
		s[x->owner >= behind].all += x->at.end - x->at.first;
	}
	qsort(from->v, (size_t)from->n, sizeof *from->v, compare_turns);
	for (int i = 0; i < from->n; i++) {
		run x = from->v[i];
		share *to = &s[x.owner >= behind];
		for (const int64_t end = x.at.end; x.at.first < end; x.at.first = x.at.end) {
			run *part = &v[n++];
			x.at.end = end;
			if (!p->way.whole) x.at.end = x.at.first + size_in(to, &x);
			to->done += x.at.end - x.at.first;
			*part = x;
			part->other = p->way.whole ? taker_of_all(p, e, x.owner)
			                           : process_of_turn(p, to->to + turn_taken(to));
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

bool deal_all(arena *a, const plan *p, int blocks, int64_t size, runs *list)
{
	runs from = {p->n, arena_array(a, (size_t)p->n, sizeof *from.v)};

	for (int k = 0; from.v && k < p->n; k++)
		from.v[k] = (run){.at = {k * size, (k + 1) * size}, .owner = k};
	for (int e = 0; from.v && e < blocks; e++) {
		const size_t room = (size_t)(from.n + p->v[e].rest + p->way.early[e].slices);
		list[e] = from;
		if (!p->v[e].rest) break;
		list[e].v = arena_array(a, room, sizeof *list[e].v);
		if (!list[e].v) return false;
		list[e].n = deal(p, e, &from, list[e].v);
		from = (runs){0, arena_array(a, room, sizeof *from.v)};
		if (from.v) list_rest(&p->v[e], &list[e], &from);
	}
	return from.v;
}
