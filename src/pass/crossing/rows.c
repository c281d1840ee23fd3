/* rows.c - plans the messages of a sum of whole rows that all get, over a number of processes that
 * is no power of two, by walking all of them in LogGP (shard/message_cost.c).
 *
 * The tree of a sum (docs/numerics.md) has at its left a block, of as many processes as the
 * largest power of two below n, and at its right the rest, which is such a tree again: of 7
 * processes, 0 to 3, then 4 and 5, then 6. The processes of a block double what they have, nearest
 * first; meanwhile its rest adds up likewise. Then each process of the block needs the rest's sum,
 * once, and each of the rest the block's. A rest that is small has few senders for many that need
 * its sum, but also time: it has its sum before the block does. So each process sends as soon as
 * it can
 *
 *   - the half of a round, but for the last one, to its partner, and the rest's sum with it if only
 *     the sender has that;
 *   - or else, of both sums and the halves of the last round, what most lack for each that has it,
 *     to the one that can receive it first. If several can, those of the left and the right half
 *     take turns, since they pass it on to others. Who will get the rest's sum with a half, since a
 *     partner has it before, gets none alone.
 *
 * The innermost rest is walked first. All processes come to the same, in O(n log(n)^2) steps. So
 * the number of the last of 17 processes is sent, with rows of 12 KB over a network:
 *
 *     ns     0   16 to 0
 *         5833   16 to 8
 *        11666   16 to 1
 *        13366   0 to 9 and 8 to 2, while both wait for their third halves
 *        17499   16 to 10
 *        19199   0 to 4 and 8 to 12, together with third halves
 *        20899   1 to 3, 2 to 11 and 9 to 5
 *        23332   16 to 13
 *        26365   8 to 6; then 2 to 14, 3 to 7 and 11 to 15
 *
 * A rest of more than half as many processes as its block, but fewer, has its sum as late as the
 * block, and some of it would have to send that twice. So processes of a block of n that exchange
 * their last halves, i and i + n / 2, may be a pair, to which nobody sends that sum: one of them
 * gets that of the rest's own block, and the other that of what is behind it, and each passes its
 * one on with its half. There are half as many pairs as the rest lacks. In the rest's block as
 * many get the sum from behind it first, then the pairs, and then the others, which so have their
 * own block's sum sooner, and send that. Where there are pairs, of all messages that a process can
 * send one goes first that waits least for its receiver. Pairs are only in the first block, if that
 * takes less. Of 14 processes 0 and 4 are one:
 *
 *     ns  7533   12 to 8 and 13 to 4, their sum; to 8 before its last half
 *        13366   12 to 10 and 13 to 9
 *        15066   8 to 11; 9 to 12, 10 to 13 and 11 to 0 the sum of 8 to 11
 *        20899   8 to 1, 9 to 5 and 10 to 2 the sum of all six; 4 to 0 its half with what it got
 *        22599   11 to 6, 12 to 3 and 13 to 7 the same; 0 to 4 its half with what it got
 *
 * Where at most n / 8 processes are behind the rest's block, half as many pairs are tried, too.
 * Then the processes of that block get the sum from behind it first, and only then the pairs. So
 * more of that block have the rest's sum in time to send it twice. Where fewer than n / 16 are
 * behind, a quarter as many pairs are tried in place of all, likewise, and no message is put off
 * because it would wait. Of 25 processes only one of three pairs is left, 0 and 8:
 *
 *     ns 19199   16 to 21 the sum of 16 to 19, and 20 to 18 that of 20 to 23. They could send the
 *                number 24 to 19 and 23, but those receive halves, and nothing before 28432
 *        20899   17 to 19, 18 to 23 and 21 to 8 the number 24
 *        22599   22 to 0 the sum of 16 to 23
 *        25032   16 to 1 and 20 to 9 the rest's sum; from 26732 on 17, 18 and 21; each twice
 *        28432   8 to 0 its half with 24; from 30132 on 0 to 8 its half with the sum of 16 to 23 */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include "pass/crossing/rows.h"

/* ---- LogGP of all processes */

typedef struct port {    /* of a process */
	int64_t now;     /* it has all that came so far */
	int64_t out, in; /* it can send, and receive, from then on */
	int has;         /* all of the rounds up to this one has come; -1: of none */
	int before;      /* that, when it sent the last time */
	int sent, came;  /* the rounds of the last messages; -1: none yet */
} port;

typedef struct block { /* and its rest, which is all processes behind it */
	int first, n, rounds;
} block;

typedef struct due { /* when a process can send or receive next */
	int64_t ns;
	int process; /* or its place in the order of those that lack something */
} due;
typedef struct heap { /* the first one is on top */
	due *v;
	int n;
} heap;

/* contents of messages, in bits: sums of the rest and of the block, what one of a pair has of the
 * rest's sum, and 1 << r for the half of round r, which is of so many processes */
enum { REST = 1 << 30, WHOLE = 1 << 29, PAIR = 1 << 28 };
/* contents that any process can get from any that has them. OF_LEFT: of the block's left half */
typedef enum kind { OF_LEFT, OF_RIGHT, OF_REST, OF_WHOLE, KINDS } kind;

typedef struct arrival {
	int64_t ns;
	int round, what;
	int next; /* of the same process, or that is free; -1: none */
} arrival;
typedef struct member {
	int has, expects; /* bits of contents; expects: with what is on its way */
	int sent;         /* so many halves, but for the last one */
	int first, last;  /* arrivals: they come in this order */
	bool gets;        /* somebody has sent it the rest's sum, or will with a half */
	bool idle;        /* it has nothing to send until something comes */
	bool pair;        /* it is one, and has not sent its half yet */
	int64_t after;    /* it gets the rest's sum after those of a smaller number */
} member;

/* of a block: with its rest; but for the last round, without that; the block of a rest, which sends
 * to pairs, too; the last round */
typedef enum stage { ALONE, FIRST, INNER, LAST } stage;

typedef struct walk {
	arena *arena;
	int64_t latency, start, row; /* of a message, and of the bytes of a row */
	int n, nblocks;
	block v[MOST_BLOCKS];
	port *of;
	int mine; /* whose messages are noted; -1: nobody's */
	rows_plan notes;
	int note_cap;
	bool failed;
	rows_way way;
	int before; /* processes from this one on send before others at the same time */
	/* of one block and its rest: those that can send, and those that lack a content; how many
	 * lack it, and how many have it or will */
	heap senders, lacking[KINDS];
	int lack[KINDS], have[KINDS];
	member *members;
	arrival *arrivals;
	int narrivals, arrival_cap, spare; /* spare: the first that is free */
} walk;

static const int64_t no_time = INT64_MAX, much_later = INT64_MAX / 4;

static int64_t later(int64_t a, int64_t b) { return a > b ? a : b; }
static int most(int a, int b) { return a > b ? a : b; }
static int64_t free_at(const port *c) { return later(c->now, c->out); }
static part block_part(const block *b) { return (part){b->first, b->n}; }
static part rest_part(const block *b) { return (part){b->first + b->n, b->n}; }

/* n things of this size with room for one more; NULL: no memory */
static void *with_room(walk *w, void *v, int n, int *cap, size_t size)
{
	if (n < *cap) return v;
	*cap = 2 * n + 32;
	void *to = arena_array(w->arena, (size_t)*cap, size);
	if (to && n) memcpy(to, v, (size_t)n * size);
	if (!to) w->failed = true;
	return to;
}

static void note_message(walk *w, message x)
{
	rows_plan *p = &w->notes;

	p->v = with_room(w, p->v, p->n, &w->note_cap, sizeof x);
	if (p->v) p->v[p->n++] = x;
}

/* when it comes */
static int64_t sends(walk *w, message x)
{
	port *c = &w->of[x.from];
	const int64_t end = free_at(c) + x.n * w->row;

	x.after = c->has;
	c->out = end + w->start;
	c->sent = x.round;
	c->before = c->has;
	if (w->mine == x.from || w->mine == x.to) note_message(w, x);
	return end + w->latency;
}

/* when the process has it */
static int64_t receives(const walk *w, int to, int64_t comes, int rows, int round)
{
	port *c = &w->of[to];
	const int64_t has = later(c->in + rows * w->row, comes);

	c->in = has + w->start;
	c->came = round;
	return has;
}

static void has_come(const walk *w, int to, int64_t ns, int round)
{
	port *c = &w->of[to];

	c->now = later(c->now, ns);
	c->has = round;
}

/* what it sends next can go with the last, if that waited for the same */
static int next_round(const port *c) { return most(c->has, c->sent - (c->before == c->has)) + 1; }

/* ---- who can send or receive next */

static bool is_before(due x, due y) { return x.ns != y.ns ? x.ns < y.ns : x.process < y.process; }

static void push(heap *h, int64_t ns, int process)
{
	const due x = {ns, process};
	int i = h->n++;

	for (; i && is_before(x, h->v[(i - 1) / 2]); i = (i - 1) / 2) h->v[i] = h->v[(i - 1) / 2];
	h->v[i] = x;
}

static due pop(heap *h)
{
	const due top = h->v[0], x = h->v[--h->n];
	int i = 0;

	for (int c = 1; c < h->n; i = c, c = 2 * c + 1) {
		if (c + 1 < h->n && is_before(h->v[c + 1], h->v[c])) c++;
		if (!is_before(h->v[c], x)) break;
		h->v[i] = h->v[c];
	}
	h->v[i] = x;
	return top;
}

static void sends_at(walk *w, int64_t ns, int process)
{
	push(&w->senders, ns, process < w->before ? process : process - w->n);
}

static void can_send(walk *w, int process) { sends_at(w, free_at(&w->of[process]), process); }

/* ---- what comes */

static int arrival_make(walk *w)
{
	const int i = w->spare;

	if (i >= 0) {
		w->spare = w->arrivals[i].next;
		return i;
	}
	w->arrivals = with_room(w, w->arrivals, w->narrivals, &w->arrival_cap, sizeof(arrival));
	return w->arrivals ? w->narrivals++ : -1;
}

static void will_come(walk *w, int process, int64_t ns, int round, int what)
{
	member *m = &w->members[process];
	const int i = arrival_make(w);

	if (i < 0) return;
	w->arrivals[i] = (arrival){ns, round, what, -1};
	if (m->first < 0) m->first = i;
	else w->arrivals[m->last].next = i;
	m->last = i;
	m->expects |= what;
}

/* by this time */
static void take_coming(walk *w, int process, int64_t ns)
{
	member *m = &w->members[process];

	while (m->first >= 0 && w->arrivals[m->first].ns <= ns) {
		const int i = m->first;
		arrival *a = &w->arrivals[i];
		m->has |= a->what;
		has_come(w, process, a->ns, a->round);
		m->first = a->next;
		a->next = w->spare;
		w->spare = i;
	}
}

/* ---- who lacks a content */

static int halves_of(int bits)
{
	int n = 0;

	while (bits >> n & 1) n++;
	return n;
}

/* pairs of the block before, one of the left half of this, one of the right, and so on, the rest */
static int order_of(const block *b, int at)
{
	const int half = most(b->n / 2, 1);

	return 0 <= at && at < b->n ? at % half * 2 + at / half : at;
}

static int process_in(const block *b, int order)
{
	const int half = most(b->n / 2, 1);

	return b->first + (0 <= order && order < b->n ? order / 2 + order % 2 * half : order);
}

static int64_t turn_of(const walk *w, int process, kind what)
{
	return w->of[process].in + (what == OF_REST ? w->members[process].after : 0);
}

static void list(walk *w, const block *b, int process, kind what)
{
	push(&w->lacking[what], turn_of(w, process, what), order_of(b, process - b->first));
}

static void lacks(walk *w, const block *b, int process, kind what)
{
	list(w, b, process, what);
	w->lack[what]++;
}

/* the one that can receive it first, on top */
static int first_lacking(walk *w, const block *b, kind what)
{
	const heap *h = &w->lacking[what];

	for (;;) {
		const due x = h->v[0];
		const int process = process_in(b, x.process);
		const bool gets = what == OF_REST && w->members[process].gets;
		if (!gets && x.ns == turn_of(w, process, what)) return process;
		pop(&w->lacking[what]);
		if (!gets) list(w, b, process, what);
	}
}

/* its message is there so long before the receiver can take it */
static int64_t waits_for(walk *w, const block *b, int from, kind what)
{
	const int64_t comes = free_at(&w->of[from]) + w->latency;

	return w->way.waits ? later(w->of[first_lacking(w, b, what)].in - comes, 0) : 0;
}

static void is_served(walk *w, kind what)
{
	w->lack[what]--;
	w->have[what]++;
}

/* One has the rest's sum before its half of round - 1 comes: its partners get it with the halves
 * from then on, and pass it on likewise */
static void will_pass(walk *w, const block *b, int at, int round)
{
	member *m = &w->members[b->first + at];

	if (!m->gets) is_served(w, OF_REST);
	m->gets = true;
	for (; round < b->rounds - 1; round++)
		if (!w->members[b->first + (at ^ 1 << round)].gets)
			will_pass(w, b, at ^ 1 << round, round + 1);
}

/* more lack x for each that has it */
static bool is_scarcer(const walk *w, kind x, kind y)
{
	return (int64_t)w->lack[x] * w->have[y] > (int64_t)w->lack[y] * w->have[x];
}

/* of contents that wait least the one that most lack for each that has it; KINDS: none lacks what
 * the process has */
static kind most_urgent(walk *w, const block *b, int process)
{
	const int at = process - b->first, has = w->members[process].has, n = halves_of(has);
	const bool of_block = at < b->n, whole = of_block ? n == b->rounds : has & WHOLE;
	const bool half = of_block && n >= b->rounds - 1, right = 2 * at >= b->n;
	const bool can[KINDS] = {half && !right, half && right, has & REST, whole};
	kind best = KINDS;
	int64_t least = 0;

	for (kind x = OF_LEFT; x < KINDS; x++) {
		if (!w->lack[x] || !can[x]) continue;
		const int64_t ns = waits_for(w, b, process, x);
		if (best != KINDS && (ns > least || (ns == least && !is_scarcer(w, x, best))))
			continue;
		best = x;
		least = ns;
	}
	return best;
}

/* ---- what is sent */

static part part_of(const block *b, int from, int what)
{
	if (what == WHOLE) return block_part(b);
	if (what == REST) return rest_part(b);
	if (what == PAIR) return from < b->first + b->n / 2 ? block_part(b + 1) : rest_part(b + 1);
	return (part){b->first + ((from - b->first) & -what), what};
}

/* it may have something to send from then on */
static void wake(walk *w, int process, int64_t ns)
{
	member *m = &w->members[process];

	if (m->idle) sends_at(w, later(ns, w->of[process].out), process);
	m->idle = false;
}

/* a half, the rest's sum, both, or the block's. Now the partner's next half can go, too */
static void send_content(walk *w, const block *b, int from, int to, int what)
{
	const int round = most(next_round(&w->of[from]), w->of[to].came + 1);
	member *m = &w->members[to];
	const int64_t now = free_at(&w->of[from]);
	message x = {.from = from, .to = to, .round = round};

	if (what & ~(REST | PAIR)) x.of[x.n++] = part_of(b, from, what & ~(REST | PAIR));
	if (what & (REST | PAIR)) x.of[x.n++] = part_of(b, from, what & (REST | PAIR));
	if (what & REST)
		will_pass(w, b, to - b->first,
		          to < b->first ? b->rounds : halves_of(m->expects) + 1);
	const int64_t ns = receives(w, to, sends(w, x), x.n, round);
	will_come(w, to, ns, round, what);
	can_send(w, from);
	wake(w, to, ns);
	if (to < b->first || to >= b->first + b->n) return;
	const int at = to - b->first, next = halves_of(m->expects);
	if (next < b->rounds - 1) wake(w, b->first + (at ^ 1 << next), now);
}

/* with the rest's sum, where only the sender has that */
static void send_half(walk *w, const block *b, int from, int to, int round)
{
	const int passes = w->members[from].has & ~w->members[to].expects & REST;

	send_content(w, b, from, to, 1 << round | passes);
}

static void send_kind(walk *w, const block *b, int from, kind what)
{
	const int to = first_lacking(w, b, what);

	pop(&w->lacking[what]);
	if (what != OF_REST) is_served(w, what);
	if (what == OF_REST) send_content(w, b, from, to, REST);
	else if (what == OF_WHOLE)
		send_content(w, b, from, to, WHOLE);
	else
		send_half(w, b, from, to, b->rounds - 1);
}

static void send_pair(walk *w, const block *b, int from)
{
	w->members[from].pair = false;
	send_content(w, b, from, b->first + ((from - b->first) ^ b->n / 2), b->n / 2 | PAIR);
}

/* ---- a block, whose rest has its sum */

static void member_open(walk *w, const block *b, int p, stage s)
{
	const int at = p - b->first, half = b->n / 2;
	member *m = &w->members[p];

	*m = (member){.has = at < b->n ? 0 : REST, .first = -1};
	if (s == LAST && at < b->n) {
		m->has = m->expects = half - 1; /* all bits of rounds before the last */
		m->sent = b->rounds - 1;
		m->pair = at % half < w->way.pairs;
	}
	if (s == INNER && at < b->n && !w->way.last && order_of(b, at) >= w->way.pairs)
		m->after = 2 * much_later;
	can_send(w, p);
	if (m->pair || s == FIRST) return;
	if (at >= b->n) lacks(w, b, p, OF_WHOLE);
	else if (b->first + b->n < w->n)
		lacks(w, b, p, OF_REST);
	if (at < b->n && b->n > 1) lacks(w, b, p, at < half ? OF_RIGHT : OF_LEFT);
}

static void block_open(walk *w, const block *b, stage s)
{
	const int half = b->n / 2, rest = b->first + b->n, last = w->v[0].n / 2;

	w->senders.n = 0;
	memset(w->lack, 0, sizeof w->lack);
	memcpy(w->have, (int[KINDS]){half, half, w->n - rest, b->n}, sizeof w->have);
	for (int k = 0; k < KINDS; k++) w->lacking[k].n = 0;
	w->before = INT_MAX;
	/* A rest that has its sum just when the last halves can leave sends first: a process that
	 * gets it before such a half relays it */
	if (s == INNER && w->of[rest].now == (b->rounds - 1) * (w->latency + w->row))
		w->before = rest;
	for (int p = b->first; p < (s == FIRST ? rest : w->n); p++) member_open(w, b, p, s);
	for (int i = 0; s == INNER && i < w->way.pairs; i++) {
		w->members[i] = (member){.first = -1};
		w->members[i + last] = (member){.first = -1, .after = much_later};
		lacks(w, b, i, OF_WHOLE);
		lacks(w, b, i + last, OF_REST);
	}
}

/* of a round but the last: not before the partner has, or expects, those of the rounds before, for
 * which it would only have to wait longer */
static bool can_send_half(const block *b, const member *from, const member *to)
{
	return from->sent < b->rounds - 1 && from->sent <= halves_of(from->has) &&
	       from->sent <= halves_of(to->expects);
}

static void walk_block(walk *w, int e, stage s)
{
	const block *b = &w->v[e];
	const int first = s == INNER ? 0 : b->first, end = s == FIRST ? b->n : w->n;

	block_open(w, b, s);
	while (w->senders.n && !w->failed) {
		const due x = pop(&w->senders);
		const int p = x.process < 0 ? x.process + w->n : x.process, at = p - b->first;
		member *m = &w->members[p];
		take_coming(w, p, x.ns);
		const int other = b->first + (at ^ 1 << m->sent); /* of its next half */
		const bool half = at < b->n && can_send_half(b, m, &w->members[other]);
		const kind what = half ? KINDS : most_urgent(w, b, p);
		if (m->pair) send_pair(w, b, p);
		else if (half)
			send_half(w, b, p, other, m->sent++);
		else if (what != KINDS)
			send_kind(w, b, p, what);
		else if (m->first >= 0)
			sends_at(w, later(w->arrivals[m->first].ns, w->of[p].out), p);
		else
			m->idle = true;
	}
	for (int p = first; p < end && !w->failed; p++) take_coming(w, p, no_time);
}

/* ---- all blocks */

static bool walk_open(walk *w, arena *a, axis_level level, int n, double bytes)
{
	const message_cost *c = &message_costs[level];
	const size_t room = (size_t)n + 1;

	*w = (walk){.arena = a,
	            .latency = (int64_t)c->latency,
	            .start = (int64_t)c->start,
	            .row = (int64_t)(bytes * c->byte),
	            .n = n,
	            .mine = -1,
	            .of = arena_array(a, room, sizeof *w->of),
	            .members = arena_array(a, room, sizeof *w->members),
	            .senders.v = arena_array(a, room, sizeof(due)),
	            .spare = -1};
	bool ok = w->of && w->members && w->senders.v;
	for (int k = 0; k < KINDS; k++) {
		w->lacking[k].v = arena_array(a, room, sizeof(due));
		ok = ok && w->lacking[k].v;
	}
	for (int first = 0, size; first < n; first += size) {
		for (size = 1; size <= (n - first) / 2;) size *= 2;
		w->v[w->nblocks++] = (block){first, size, rounds_of(size)};
	}
	return ok;
}

/* when all have all */
static int64_t walk_all(walk *w, rows_way x)
{
	const bool pairs = x.pairs > 0;
	int64_t last = 0;

	for (int p = 0; p < w->n; p++)
		w->of[p] = (port){.has = -1, .before = -1, .sent = -1, .came = -1};
	w->way = x;
	for (int e = w->nblocks - 1; e > 1 && !w->failed; e--) walk_block(w, e, ALONE);
	if (pairs) walk_block(w, 0, FIRST);
	if (w->nblocks > 1) walk_block(w, 1, pairs ? INNER : ALONE);
	walk_block(w, 0, pairs ? LAST : ALONE);
	for (int p = 0; p < w->n; p++) last = later(last, w->of[p].now);
	return last;
}

static void try_way(walk *w, rows_way x, rows_way *best)
{
	if (!x.pairs) return;
	x.ns = (double)walk_all(w, x);
	if (x.ns < best->ns) *best = x;
}

static rows_way choose(walk *w)
{
	const int n = w->v[0].n, nrest = w->n - n;
	const int pairs = (n - nrest) / 2, behind = nrest - n / 2;
	rows_way best = {.ns = (double)walk_all(w, (rows_way){0})};

	if (behind > 0) {
		if (behind >= n / 16) try_way(w, (rows_way){.pairs = pairs, .waits = true}, &best);
		else try_way(w, (rows_way){.pairs = pairs / 4, .last = true}, &best);
		if (behind <= n / 8)
			try_way(w, (rows_way){.pairs = pairs / 2, .last = true, .waits = true},
			        &best);
	}
	if (w->failed) best.ns = INFINITY;
	return best;
}

rows_way choose_rows(base *b, axis_level level, int n, double bytes)
{
	arena *a = arena_make(b);
	walk w;
	const rows_way x = a && walk_open(&w, a, level, n, bytes) ? choose(&w)
	                                                          : (rows_way){.ns = INFINITY};

	arena_free(a);
	return x;
}

bool rows_plan_make(arena *a, const lineup *l, double bytes, rows_plan *to)
{
	walk w;

	if (!walk_open(&w, a, l->level, l->n, bytes)) return false;
	w.mine = l->mine;
	walk_all(&w, *l->rows);
	*to = w.notes;
	return !w.failed;
}
