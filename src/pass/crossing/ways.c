/* ways.c - chooses when the processes of a sum exchange their elements, and how many each
 * has of it before the last message; processes as many as no power of two (halves.c).
 *
 * A small rest has its sum early, but each of its processes has what many of the block need, and
 * has to be given what many of them have. Of 17 processes the last one would send 16 messages,
 * whose starts alone take as long as half of all bytes. It sends ten, with parts of 80 KB:
 *
 *     in round 3     to 10, with what is for 2, too; likewise to 11, 12, 13, 14 and 15
 *     in round 4     to 8 and 9
 *     at the end     to 0 and 1
 *
 * 10 exchanges its last half with 2, sends that first, and passes on what is for 2 while the other
 * half comes: so neither is late with a half, and no process receives a message more than before.
 * What is for four or more goes to one of them before it has the half from behind which all four
 * have the same elements; it passes on half of that to the next one that it exchanges with, a
 * quarter to the one behind it, and so on, and these do likewise. Where bytes are few, a start
 * weighs more, and it is passed on together with halves (early_way.together).
 *
 * And the last process is to have a part of the block's sum. If all 16 have a share of it, it comes
 * in 16 messages, and if one has, that one receives a part more in each round. Three have shares:
 * 1 a half of it, 0 a third, and 2 the remaining eighth. A process with a smaller share has its
 * halves earlier; so the shares come one after the other, a start apart. And 0 and 1, the last ones
 * to have their halves, get what they need from the last process at the end.
 *
 * Where the rest is no power of two, those of the block whose numbers end with the same bits are a
 * class, and each class has equally much for the rest: of 11 processes four classes have 3/4 of a
 * part each. If that is of two of the rest, two processes of the class have it.
 *
 * A rest of more than half as many processes as its block is as busy as that. If one of it has
 * whole parts of the block, it sends fewer messages: one, or two, and those have one part that get
 * their sum last, from the rest's own rest. So shares may be whole in the first blocks, and not in
 * others.
 *
 * A closed formula by message_costs says what takes little, and messages are walked (walks.c) of
 * the few plans that take least by it. Of many processes the formula chooses alone. */
#include <math.h>
#include "pass/crossing/shares.h"

/* so many plans are walked, which the formula says take at most a sixteenth more than the least: up
 * to 1.5 ms */
enum { MOST_WALKS = 4 };

/* ---- blocks and rounds */

int left_of(const block *b) { return b->n >> b->rounds; }

/* so many rounds pass until n processes have sent each other their parts */
static int rounds_at_once(axis_level level, int n)
{
	const int rounds = (int)(direct_ns(level, n, 0) / message_costs[level].latency);

	return n < 2 ? 0 : rounds > 1 ? rounds : 1;
}

static plan plan_blocks(int n, axis_level level, int base, int whole)
{
	plan p = {.n = n, .way = {.base = base, .whole = whole}};

	for (int first = 0, size; first < n; first += size) {
		const bool last = p.nblocks == base;
		for (size = 1; size <= (n - first) / 2;) size *= 2;
		if (last) size = n - first;
		p.v[p.nblocks++] =
			(block){.first = first,
		                .n = size,
		                .rest = n - first - size,
		                .rounds = last ? halvings_of(level, size) : rounds_of(size)};
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
		if ((at & (alike(b, t) - 1)) >= way->keep) return t;
	return b->last;
}

coming way_of_rest(const plan *p, int e, int at)
{
	const block *b = &p->v[e];
	const int t = round_sent(p, e, at), half = b->n / 2;

	if (t == b->rounds - 2 && !p->way.early[e].together)
		return at < half ? (coming){at + half, t + 1, b->last, t + 1}
		                 : (coming){-1, t, t + 1, t};
	if (at < alike(b, t)) return (coming){-1, t, t, t};
	int bit = half;
	while (bit > at) bit /= 2;
	const int had = rounds_of(bit);
	return (coming){at - bit, p->way.early[e].together ? had : way_of_rest(p, e, at - bit).had,
	                had, had};
}

/* ---- shares of what one of the rest is to have, each smaller than the one before */

int turn_shared(int n, int shares, int k)
{
	if (shares == 1) return 0;
	return k ? n / 2 - (n / 2 >> (k - 1)) : n / 2;
}

static int64_t later(int64_t a, int64_t b) { return a > b ? a : b; }

typedef struct smaller { /* shares from one on, where so much is left for them; all in WHOLE */
	int64_t bytes, starts; /* it takes so many of these until the last one has come */
	int64_t others;        /* the bytes of those behind the first one */
	int64_t all;           /* of both, where they are equally large */
} smaller;

/* n processes have exchanged halves log2(n) times when the shares leave. In each of these rounds
 * the first one is received, and the others in those before they are apart */
static smaller with_first(int rounds, const smaller *behind, bool is_last)
{
	smaller s = {.others = (is_last ? rounds : 1) * WHOLE + behind->bytes};

	s.all = rounds * WHOLE + s.others;
	s.bytes = (rounds + 1) * s.others * WHOLE / s.all;
	s.starts = (rounds + 1) * (behind->starts + WHOLE) * WHOLE / s.all;
	return s;
}

void share_out(int n, const early_way *way, int *end)
{
	const int last = way->shares - 1;
	smaller s[MOST_SHARES];
	int64_t left = WHOLE;

	s[last] = (smaller){.bytes = WHOLE};
	for (int k = last - 1; k >= 0; k--)
		s[k] = with_first(rounds_of(n) - k, &s[k + 1], k + 1 == last);
	for (int k = 0; k < last; k++) {
		/* the process with the first one still receives something behind its halves */
		const int64_t own = k ? 0 : way->own, less = k ? 0 : WHOLE;
		const int64_t starts = (s[k + 1].starts + WHOLE) * way->start;
		const int64_t size =
			(s[k].others * left + starts - own * WHOLE) / (s[k].all - less);
		left -= size < 0 ? 0 : size < left ? size : left;
		end[k] = (int)(WHOLE - left);
	}
	end[last] = WHOLE;
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
	int64_t first; /* the bytes of the largest share of what the rest is to have */
	int64_t more;  /* most of it send so long what a second place of the block before needs */
	bool late;     /* nothing is to be sent early */
} load;

static int over(int n, int k) { return (n + k - 1) / k; }

/* so many of n equal things, in a row, does one touch at most who gets one of k equal shares of it;
 * n or k is a power of two */
static int most_touched(int n, int k)
{
	const int both = (n & -n) < (k & -k) ? n & -n : k & -k;

	return n % k ? 1 + over(n - both, k) : n / k;
}

/* do two processes of a class have shares of different owners? */
static bool is_apart(const block *b, early_way way) { return way.classes % b->rest; }

/* processes with numbers below this one have shares */
static int end_of_sharing(const block *b, early_way way)
{
	const int shares = way.classes * (is_apart(b, way) ? 2 : way.shares);

	return way.classes & (way.classes - 1) || shares > b->n ? b->n : shares;
}

typedef struct path { /* of one of the block: when each round begins, and what its half takes */
	int64_t now[MOST_BLOCKS + 2], half[MOST_BLOCKS + 1];
} path;

/* Of a process with the largest share; or of one that gets the rest's sum early: then those with
 * the same elements have no share, but before some of them have the largest one */
static void list_path(const block *b, const load *x, early_way way, bool largest, path *p)
{
	p->now[0] = 0;
	for (int t = 0; t < b->rounds; t++) {
		const int ends = alike(b, t);
		p->half[t] = x->each * b->n / ends + x->most - x->each;
		if (ends <= way.classes)
			p->half[t] += x->each * b->rest * over(way.classes, ends) / way.classes;
		else if (largest || ends < alike(b, way.from))
			p->half[t] += x->first;
		p->now[t + 1] = p->now[t] + x->latency + p->half[t];
	}
	p->half[b->rounds] = x->each;
}

/* When a process has its halves that gets the rest's sum in round t, and passes it on together with
 * these. all: its bytes; it is there at `comes` */
static int64_t together_ns(const block *b, const load *x, const path *p, int t, int64_t all,
                           int64_t comes)
{
	const int64_t half = p->now[t + 1], has = later(p->now[t] + x->start + all, comes);
	const int64_t both = comes <= half ? later(half, has + x->start + p->half[t])
	                                   : later(comes, half + x->start + all);

	return both + p->now[b->rounds] - half + all - x->each;
}

/* and of one that passes it on at once */
static int64_t early_ns(const block *b, const load *x, const path *p, int t, int64_t comes,
                        bool together)
{
	const int64_t all = x->each * b->n / alike(b, t);
	const bool pair = t == b->rounds - 2;
	const int in = t + pair;
	const int64_t has = later(p->now[in] + x->start + all, comes);
	const int64_t passed = all - x->each + (b->rounds - 1 - t) * x->start;

	if (together) return together_ns(b, x, p, t, all, comes);
	if (pair) return has + later(x->start + p->half[in], x->each + x->latency);
	return has + later(x->start + p->half[in], passed) + p->now[b->rounds] - p->now[in + 1];
}

/* Are some late with their shares, since they get the rest's sum before? Where it is for two, only
 * the one with the higher number is late, which passes it on */
static bool shares_late(const block *b, early_way way)
{
	const int end = end_of_sharing(b, way);

	if (way.from >= b->rounds) return false;
	return way.from == b->rounds - 2 && !way.together ? end > b->n / 2 : way.keep < end;
}

/* until one of the rest has its shares, from when the largest one leaves on */
static int64_t back_ns(const block *b, const load *x, early_way way)
{
	const int n = most_touched(way.classes, b->rest);
	/* of several, smaller ones are there before the largest */
	const int64_t before = (b->rounds - rounds_of(way.classes)) * (x->first - x->each / n);
	const int64_t all = n > 1 ? x->each + (n - 1) * x->start - before : 0;
	const int64_t own = way.shares > 1 ? x->each * way.own / WHOLE : 0;

	return x->latency + later(later(all, own), x->first) + x->most - x->each;
}

/* until one of the block has what it needs of the rest's sum at the end, when it has its halves and
 * the last of these messages comes at some time */
static int64_t end_ns(const load *x, early_way way, bool early, int64_t now, int64_t comes)
{
	const int64_t there = now + x->from * x->start + x->most; /* they wait for it */
	const int64_t leave = now + x->latency + x->most + (x->from - 1) * x->start;

	if (early) return way.keep ? now + x->start + x->most : 0;
	return later(there, comes < leave ? comes : leave);
}

/* When block and rest have their sum. Of the block it is those that have the largest shares, or
 * those that get the rest's sum first. out: one of the rest can send */
static int64_t block_ns(const block *b, const load *x, early_way way)
{
	const bool split = b->rest & (b->rest - 1), early = way.from < b->rounds;
	const int large_ones = (way.shares > 1 ? 2 : 1) << rounds_of(way.classes);
	int64_t out = x->ready, last = 0;
	path large, small;

	list_path(b, x, way, true, &large);
	list_path(b, x, way, way.keep < large_ones, &small);
	const int64_t now = large.now[b->rounds];
	for (int t = way.from; t < b->rounds; t++) {
		const int sent = t == way.from ? alike(b, t) - way.keep : way.keep;
		if (!sent) continue;
		const int64_t all = x->each * b->n / alike(b, t);
		out += sent * (all + x->start) / b->rest + split * x->start;
		last = later(last, early_ns(b, x, t == way.from ? &small : &large, t,
		                            out - x->start + x->latency, way.together));
	}
	const int64_t back = back_ns(b, x, way) + (shares_late(b, way) ? later(last, now) : now);
	/* each of the last messages goes to one that has one place of a block before, not two */
	const int64_t each = early ? x->each : x->gives / later(x->to, 1);
	if (early)
		out += way.keep * (x->each + x->start) / b->rest;
	else
		out += x->gives + x->to * x->start;
	const int64_t comes = out - x->start + x->latency;
	last = later(last, end_ns(x, way, early, now, comes - each - x->start));
	last = later(last + x->more, end_ns(x, way, early, now, comes));
	return later(later(last, back), comes);
}

static void try_way(early_way *best, const block *b, const load *x, early_way way, int64_t *least)
{
	const int64_t ns = block_ns(b, x, way);

	if (ns >= *least) return;
	*least = ns;
	*best = way;
}

/* own: the process with the largest share still gets so much behind its halves, from the rest */
static void share_largest(const block *b, load *x, early_way *way, int64_t own)
{
	int end[MOST_SHARES];

	way->own = (int)own;
	share_out(b->n / way->classes, way, end);
	x->first = x->each * b->rest / way->classes * end[0] / WHOLE;
}

/* from which round on the rest sends */
static void choose_early(early_way *best, const block *b, load *x, early_way way, int64_t *least)
{
	const int places = 1 << rounds_of(b->rest);
	const int64_t latency = way.start * x->latency / later(x->start, 1);

	way.from = b->rounds;
	share_largest(b, x, &way, WHOLE);
	try_way(best, b, x, way, least);
	if (x->late) return;
	share_largest(b, x, &way, WHOLE + way.start - latency);
	/* each message is of one process, but for those at the ends of shares */
	for (way.from = b->ready; way.from < b->rounds; way.from++)
		for (int k = 0; alike(b, way.from) >= places; k++) {
			/* 0, 1, 2, 3, 4, 6, 8, 12, .. */
			way.keep = (k < 3 ? k : (2 + k % 2) << (k / 2 - 1)) * places;
			if (way.keep >= alike(b, way.from)) break;
			way.together = way.from < b->rounds - 1;
			if (way.together) try_way(best, b, x, way, least);
			way.together = false;
			try_way(best, b, x, way, least);
		}
}

static int64_t choose_way(early_way *best, const block *b, load *x, bool whole)
{
	const int64_t start = x->start * WHOLE / later(x->each, 1);
	const int places = 1 << rounds_of(b->rest);
	early_way way = {.shares = 1, .start = (int)(start < 16 * WHOLE ? start : 16 * WHOLE)};
	int64_t least = INT64_MAX;

	for (way.classes = places; !whole && way.classes <= b->n; way.classes *= 2)
		choose_early(best, b, x, way, &least);
	way.classes = b->rest;
	if (whole || places > b->rest) choose_early(best, b, x, way, &least);
	if (whole || places > b->rest) return least;
	while (++way.shares <= MOST_SHARES && b->rest << (way.shares - 1) <= b->n)
		choose_early(best, b, x, way, &least);
	return least;
}

static int64_t base_ns(const block *b, const load *x)
{
	const int left = left_of(b);
	int64_t ns = x->more;

	if (left > 1) ns += x->latency + (left - 2) * x->start + x->most * (left - 1);

	for (int t = 0; t < b->rounds; t++)
		ns += x->latency + x->each * b->n / (2 << t) + x->most - x->each;
	return ns;
}

static load load_of(const plan *p, int e, axis_level level, int64_t row, int64_t most)
{
	const message_cost *c = &message_costs[level];
	const block *b = &p->v[e];
	const int places = 1 << rounds_of(b->rest);
	load x = {.latency = (int64_t)c->latency,
	          .start = (int64_t)c->start,
	          .each = row / (b->n + b->rest),
	          .most = most};

	if (!b->rest) return x;
	x.from = e < p->way.whole ? 1 : most_touched(b->rest, b->n);
	x.to = e < p->way.whole ? b->n / places : most_touched(b->n, b->rest);
	x.gives = e < p->way.whole ? x.each * b->n / places : x.each * b->n / b->rest;
	return x;
}

/* does one of the rest have what two places of the block need? */
static bool has_two_places(const plan *p, int e)
{
	return e < p->way.whole && p->v[e].rest & (p->v[e].rest - 1);
}

static void choose_ways(plan *p, axis_level level, double bytes, bool late)
{
	const int64_t row = (int64_t)(bytes * message_costs[level].byte);
	int64_t most = row / p->n, more = 0, ready = 0;
	load v[MOST_BLOCKS];

	for (int e = 0; e <= p->way.base; e++) {
		load *x = &v[e];
		*x = load_of(p, e, level, row, most);
		x->late = late;
		x->more = more;
		more = has_two_places(p, e) ? x->gives + x->to * x->start : 0;
		most = more ? most + 2 * x->gives : row / later(p->v[e].rest, 1);
	}
	for (int e = p->way.base; e >= 0; e--) {
		const block *b = &p->v[e];
		v[e].ready = ready;
		ready = b->rest ? choose_way(&p->way.early[e], b, &v[e], e < p->way.whole)
		                : base_ns(b, &v[e]);
	}
	p->way.ns = (double)ready;
}

static bool is_late(const plan *p)
{
	for (int e = 0; e < p->way.base; e++)
		if (p->way.early[e].from < p->v[e].rounds) return false;
	return true;
}

/* ---- what takes least */

typedef struct candidates { /* those that take least by the formula, the first one least of all */
	int n;
	plan v[MOST_WALKS];
} candidates;

static void add_candidate(candidates *c, const plan *p)
{
	int at = c->n;

	while (at > 0 && p->way.ns <= c->v[at - 1].way.ns) at--;
	if (at == MOST_WALKS) return;
	c->n += c->n < MOST_WALKS;
	for (int i = c->n - 1; i > at; i--) c->v[i] = c->v[i - 1];
	c->v[at] = *p;
}

static void list_candidates(candidates *c, axis_level level, int n, double bytes)
{
	const bool walked = n <= MOST_WALKED;

	c->n = 0;
	for (int base = 1; base < MOST_BLOCKS; base++)
		for (int whole = 0; whole <= base; whole += walked ? 1 : base) {
			plan p = plan_blocks(n, level, base, whole);
			if (p.nblocks <= base) return;
			choose_ways(&p, level, bytes, false);
			add_candidate(c, &p);
			if (!walked || is_late(&p)) continue;
			choose_ways(&p, level, bytes, true);
			add_candidate(c, &p);
		}
}

static void walk_candidate(plan *best, plan *p, base *b, axis_level level, double bytes)
{
	p->way.ns = walk_ns(b, p, level, bytes);
	if (p->way.ns < best->way.ns) *best = *p;
}

plan choose_plan(base *b, axis_level level, int n, double bytes)
{
	plan best = {.way.ns = INFINITY};
	candidates c;

	list_candidates(&c, level, n, bytes);
	if (n > MOST_WALKED && c.n) return c.v[0];
	for (int i = 0; i < c.n && 16 * c.v[i].way.ns <= 17 * c.v[0].way.ns; i++) {
		plan p = c.v[i];
		walk_candidate(&best, &p, b, level, bytes);
		p.way.early[0].shifted = true;
		if (!p.way.whole) walk_candidate(&best, &p, b, level, bytes);
	}
	return best;
}

halving_way halving_way_of(base *b, axis_level level, int n, double bytes)
{
	return choose_plan(b, level, n, bytes).way;
}
