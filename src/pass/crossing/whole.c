/* whole.c - sums over a number of processes that is no power of two, in whole rows that
 * all get, by a plan of all messages in LogGP.
 *
 * Device 4 of five is here, and devices 0 to 3 in processes 2 to 5:
 *
 *     pass replicate 23451
 *     axes (x of (x:5)) f(%0: f32[64]{x}) -> f32[64] {
 *       %1: f32[64] = psum %0 axes=(x) to=invarying
 *       return %1
 *     }
 *     gives
 *     f(%0: f32[64]) -> f32[64] {
 *       transfer_begin %0 %0 %0 %0 number=1 to=[2,3,4,5] from=[] types=[]
 *       %1: f32[64] = transfer_begin number=2 to=[] from=[2] types=[f32[64]]
 *       transfer_end %0 %0 %0 %0 number=1 to=[2,3,4,5] from=[] types=[]
 *       %2: f32[64] = transfer_end %1 number=2 to=[] from=[2] types=[f32[64]]
 *       %3: f32[64] = add %2 %0
 *       %4: f32[64] = add %3 0.0:f32
 *       return %4
 *     }
 *     operand 0 on each device: 0
 *     result 0 on each device: 0
 *
 * The tree of a sum (docs/numerics.md) has at its left a block, of as many processes as the largest
 * power of two below n, and at its right the rest, which is such a tree again: of 7 processes, 0 to
 * 3, then 4 and 5, then 6. The processes of a block double what they have, nearest first; meanwhile
 * its rest adds up likewise. Then each process of the block needs the rest's sum, once, and each of
 * the rest the block's. A rest that is small has few senders for many that need its sum, but also
 * time: it has its sum before the block does. So
 *
 *   - from some round on one of less than half a block sends its sum to processes of that, as soon
 *     as each message can leave; who has got it passes it on with what it doubles. These processes
 *     fall behind a bit. So only those of even numbers get it early, or all, as takes less;
 *   - at the end each sends what most lack of what it has, to the one that can receive it first:
 *     the sum of the rest, or of the block, until all have both. Beside such a small rest this is
 *     the block's last round, too: its halves are exchanged like the other sums. A process that
 *     has received one passes it on while the next one comes.
 *
 * Each of these decisions is made by walking all messages in LogGP (shard/message_cost.c), the
 * innermost rest first. All processes come to the same, in O(n log(n)) steps.
 *
 * A message has one round, on both sides. A process begins its rounds one after the other, and each
 * as soon as it has what it sends then, which comes in rounds before: so none waits in a circle. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include "pass/replicate.h"

/* ---- LogGP of all processes */

typedef struct port {    /* of a process */
	int64_t now;     /* it has all that came so far */
	int64_t out, in; /* it can send, and receive, from then on */
	int has;         /* all of the rounds up to this one has come; -1: of none */
	int before;      /* that, when it sent the last time */
	int sent, came;  /* the rounds of the last messages; -1: none yet */
} port;

typedef struct part { /* sum of the processes first .. first + span - 1, as far as there are any */
	int first, span;
} part;
typedef struct message {
	int from, to, round, n; /* n: parts */
	part of[2];
	int after; /* it is sent when all of the rounds up to this one has come */
} message;

typedef struct block { /* and its rest, which is all processes behind it */
	int first, n, rounds;
} block;

typedef struct due { /* when a process can send or receive next */
	int64_t ns;
	int process;
} due;
typedef struct heap { /* the first one is on top */
	due *v;
	int n;
} heap;

/* at the end of a block */
typedef enum content { LEFT, RIGHT, WHOLE, REST, CONTENTS } content; /* LEFT: half of the block */
typedef struct member {
	unsigned has; /* bits of contents */
	int ncoming;
	struct {
		int64_t ns;
		int round;
		content what;
	} coming[2];
	bool idle; /* it has nothing to send until something comes */
} member;

typedef struct walk {
	arena *arena;
	int64_t latency, start, row; /* of a message, and of the bytes of a row */
	int n, nblocks;
	block v[MOST_BLOCKS];
	port *of, *saved;
	int mine; /* whose messages are noted; -1: nobody's */
	message *notes;
	int nnotes, cap;
	bool failed;
	/* of the processes of one block: the round in which each gets the rest's sum, when what it
	 * doubles comes, and that sum where it comes alone; and those that nobody has sent it to */
	int *got, *open, nopen;
	int64_t *half, *alone;
	/* those that can send; at the end of a block those that lack a content, and how many have
	 * it or will */
	heap senders, lacking[CONTENTS];
	int having[CONTENTS];
	member *members;
} walk;

enum { NEVER = INT_MAX }; /* a round */
static const int64_t no_time = INT64_MAX;

typedef struct way {
	int early; /* from this round on the rest of a block sends its sum, */
	int step;  /* to each process, or to each second one */
} way;

static int64_t later(int64_t a, int64_t b) { return a > b ? a : b; }
static int most(int a, int b) { return a > b ? a : b; }
static int64_t free_at(const port *c) { return later(c->now, c->out); }
static part block_part(const block *b) { return (part){b->first, b->n}; }
static part rest_part(const block *b) { return (part){b->first + b->n, b->n}; }

static void note_message(walk *w, message x)
{
	if (w->nnotes == w->cap) {
		const int cap = 2 * w->cap + 32;
		message *v = arena_array(w->arena, (size_t)cap, sizeof *v);
		if (!v) {
			w->failed = true;
			return;
		}
		if (w->nnotes) memcpy(v, w->notes, (size_t)w->nnotes * sizeof *v);
		w->notes = v;
		w->cap = cap;
	}
	w->notes[w->nnotes++] = x;
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

static void can_send(walk *w, int process)
{
	push(&w->senders, free_at(&w->of[process]), process);
}

/* ---- the rounds of a block */

/* when the last one comes */
static int64_t walk_halves(walk *w, int e, int round)
{
	const block *b = &w->v[e];
	int64_t last = 0;

	for (int at = 0; at < b->n; at++) {
		const int other = at ^ 1 << round, from = b->first + at, span = 1 << round;
		const bool passes = w->got[at] < round && w->got[other] >= round;
		const part half = {b->first + (at & -span), span};
		w->half[other] = sends(w, (message){from, b->first + other, round, 1 + passes,
		                                    {half, rest_part(b)}, 0});
		last = later(last, w->half[other]);
		if (passes) w->got[other] = round;
	}
	return last;
}

/* Processes whose numbers end with the same bits have the same from now on, so one of them is
 * enough. Messages that would come after `last` go in a later round */
static void walk_early(walk *w, int e, int round, int64_t last)
{
	const block *b = &w->v[e];
	heap *h = &w->senders;
	int at = 0;

	h->n = 0;
	for (int q = b->first + b->n; q < w->n; q++)
		if (next_round(&w->of[q]) <= round) can_send(w, q);
	while (h->n && at < w->nopen && h->v[0].ns + w->row + w->latency <= last) {
		const int q = pop(h).process, to = w->open[at++];
		w->alone[to] =
			sends(w, (message){q, b->first + to, round, 1, {rest_part(b)}, 0});
		w->got[to] = round;
		can_send(w, q);
	}
	w->nopen -= at;
	memmove(w->open, w->open + at, (size_t)w->nopen * sizeof *w->open);
}

static void walk_coming(walk *w, int e, int at, int round)
{
	const int p = w->v[e].first + at;
	const bool alone = w->alone[at] != no_time, first = w->alone[at] < w->half[at];
	const int rows = w->got[at] == round && !alone ? 2 : 1;

	if (first) has_come(w, p, receives(w, p, w->alone[at], 1, round), round);
	has_come(w, p, receives(w, p, w->half[at], rows, round), round);
	if (alone && !first) has_come(w, p, receives(w, p, w->alone[at], 1, round), round);
}

static void walk_rounds(walk *w, int e, way way, int rounds)
{
	const block *b = &w->v[e];

	for (int at = 0; at < b->n; at++) w->got[at] = NEVER;
	for (w->nopen = 0; w->nopen < b->n >> rounds; w->nopen++)
		w->open[w->nopen] = w->nopen << rounds;
	for (int round = 0; round < rounds; round++) {
		int64_t last = walk_halves(w, e, round);
		for (int i = 0, n = w->nopen; 1 << round >= way.step && i < n; i++)
			w->open[w->nopen++] = w->open[i] + (1 << round);
		for (int at = 0; at < b->n; at++) w->alone[at] = no_time;
		if (round >= way.early) walk_early(w, e, round, last);
		for (int at = 0; at < b->n; at++) walk_coming(w, e, at, round);
	}
}

/* ---- the end of a block, whose rest has its sum */

static void lacks(walk *w, int process, content what)
{
	push(&w->lacking[what], w->of[process].in, process);
}

/* halves: are those of the block still to be exchanged? */
static void end_open(walk *w, int e, bool halves)
{
	const block *b = &w->v[e];
	const int rest = b->first + b->n;

	w->senders.n = 0;
	for (int what = 0; what < CONTENTS; what++) w->lacking[what].n = 0;
	memcpy(w->having, (int[]){b->n / 2, b->n / 2, b->n, w->n - rest}, sizeof w->having);
	for (int p = b->first; p < w->n; p++) {
		member *m = &w->members[p];
		const int at = p - b->first;
		const bool right = at >= b->n / 2, got = p < rest && w->got[at] != NEVER;
		*m = (member){.has = 1u << (p >= rest ? REST : !halves ? WHOLE : right)};
		if (p >= rest) lacks(w, p, WHOLE);
		else if (halves)
			lacks(w, p, right ? LEFT : RIGHT);
		if (got) {
			m->has |= 1u << REST;
			w->having[REST]++;
		} else if (p < rest)
			lacks(w, p, REST);
		can_send(w, p);
	}
}

/* by this time */
static void take_coming(walk *w, int process, int64_t ns)
{
	member *m = &w->members[process];
	int left = 0;

	for (int i = 0; i < m->ncoming; i++) {
		if (m->coming[i].ns > ns) {
			m->coming[left++] = m->coming[i];
			continue;
		}
		m->has |= 1u << m->coming[i].what;
		has_come(w, process, m->coming[i].ns, m->coming[i].round);
	}
	m->ncoming = left;
	if ((m->has & 3) == 3) m->has |= 1u << WHOLE;
}

/* what most lack for each that has it; CONTENTS: none lacks what the process has */
static content scarcest(const walk *w, int process)
{
	content best = CONTENTS;

	for (content x = LEFT; x < CONTENTS; x++) {
		if (!w->lacking[x].n || !(w->members[process].has >> x & 1)) continue;
		if (best == CONTENTS || (int64_t)w->lacking[x].n * w->having[best] >
		                                (int64_t)w->lacking[best].n * w->having[x])
			best = x;
	}
	return best;
}

/* the one that lacks it and can receive it first */
static int pop_lacking(walk *w, content what)
{
	heap *h = &w->lacking[what];

	for (;;) {
		const due x = pop(h);
		if (x.ns == w->of[x.process].in) return x.process;
		lacks(w, x.process, what);
	}
}

static void send_content(walk *w, int e, int from, content what)
{
	const block *b = &w->v[e];
	const int to = pop_lacking(w, what), half = b->n / 2;
	const int round = most(next_round(&w->of[from]), w->of[to].came + 1);
	const part of[] = {{b->first, half}, {b->first + half, half}, block_part(b), rest_part(b)};
	const int64_t comes = sends(w, (message){from, to, round, 1, {of[what]}, 0});
	const int64_t has = receives(w, to, comes, 1, round);
	member *m = &w->members[to];

	m->coming[m->ncoming].ns = has;
	m->coming[m->ncoming].round = round;
	m->coming[m->ncoming++].what = what;
	w->having[what]++;
	can_send(w, from);
	if (m->idle) push(&w->senders, later(has, w->of[to].out), to);
	m->idle = false;
}

static bool are_lacking(const walk *w)
{
	int n = 0;

	for (int what = 0; what < CONTENTS; what++) n += w->lacking[what].n;
	return n;
}

static void walk_end(walk *w, int e, bool halves)
{
	const block *b = &w->v[e];

	end_open(w, e, halves);
	while (are_lacking(w)) {
		const due x = pop(&w->senders);
		member *m = &w->members[x.process];
		take_coming(w, x.process, x.ns);
		const content what = scarcest(w, x.process);
		if (what != CONTENTS) send_content(w, e, x.process, what);
		else if (m->ncoming)
			push(&w->senders, m->coming[0].ns, x.process);
		else
			m->idle = true;
	}
	for (int p = b->first; p < w->n; p++) take_coming(w, p, no_time);
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
	            .saved = arena_array(a, room, sizeof *w->saved),
	            .got = arena_array(a, room, sizeof *w->got),
	            .open = arena_array(a, room, sizeof *w->open),
	            .half = arena_array(a, room, sizeof *w->half),
	            .alone = arena_array(a, room, sizeof *w->alone),
	            .members = arena_array(a, room, sizeof *w->members),
	            .senders.v = arena_array(a, room, sizeof(due))};
	bool ok = w->of && w->saved && w->got && w->open && w->half && w->alone && w->members;
	for (int what = 0; what < CONTENTS; what++) {
		w->lacking[what].v = arena_array(a, room, sizeof(due));
		ok = ok && w->lacking[what].v;
	}
	for (int p = 0; ok && p < n; p++)
		w->of[p] = (port){.has = -1, .before = -1, .sent = -1, .came = -1};
	for (int first = 0, size; first < n; first += size) {
		for (size = 1; size <= (n - first) / 2;) size *= 2;
		w->v[w->nblocks++] = (block){first, size, rounds_of(size)};
	}
	return ok && w->senders.v;
}

typedef struct score {
	int64_t last, sum;
} score;

static bool is_less(score a, score b) { return a.last != b.last ? a.last < b.last : a.sum < b.sum; }

static bool has_small_rest(const walk *w, int e)
{
	const block *b = &w->v[e];
	const int nrest = w->n - b->first - b->n;

	return nrest && 2 * nrest < b->n;
}

static score walk_block(walk *w, int e, way way)
{
	const block *b = &w->v[e];
	const bool halves = has_small_rest(w, e);
	score s = {0};

	walk_rounds(w, e, way, b->rounds - halves);
	if (e + 1 < w->nblocks) walk_end(w, e, halves);
	for (int p = b->first; p < w->n; p++) {
		s.last = later(s.last, w->of[p].now);
		s.sum += w->of[p].now;
	}
	return s;
}

/* How its rest sends its sum to block e: at the end, or, if it is small, from the round in which it
 * has that, or from the next one. What takes least */
static way choose_way(walk *w, int e)
{
	const block *b = &w->v[e];
	const size_t size = (size_t)(w->n - b->first) * sizeof *w->of;
	way best = {b->rounds, 1};
	score least = {INT64_MAX, 0};
	int ready = b->rounds;

	for (int q = b->first + b->n; q < w->n; q++)
		if (next_round(&w->of[q]) < ready) ready = next_round(&w->of[q]);
	memcpy(w->saved, w->of + b->first, size);
	for (int i = 0; i < 4 && has_small_rest(w, e) && ready < b->rounds; i++) {
		const way x = {i < 3 ? ready + i / 2 : b->rounds, 1 + i % 2};
		const score s = walk_block(w, e, x);
		memcpy(w->of + b->first, w->saved, size);
		if (!is_less(s, least)) continue;
		least = s;
		best = x;
	}
	return best;
}

/* mine: -1, or the process whose messages are noted. When all have all; -1: no memory */
static int64_t walk_all(walk *w, int mine)
{
	score all = {0};

	for (int e = w->nblocks - 1; e >= 0; e--) {
		w->mine = -1;
		const way best = choose_way(w, e);
		w->mine = mine;
		all = walk_block(w, e, best);
	}
	return w->failed ? -1 : all.last;
}

double whole_ns(base *b, axis_level level, int n, double bytes)
{
	arena *a = arena_make(b);
	walk w;
	const int64_t ns = a && walk_open(&w, a, level, n, bytes) ? walk_all(&w, -1) : -1;

	arena_free(a);
	return ns < 0 ? INFINITY : (double)ns;
}

/* ---- the messages of one process */

typedef struct known {
	part of;
	var v;
} known;
typedef struct doubling { /* of one group */
	const lineup *line;
	walk w;
	known *known; /* sums that the process has */
	int nknown;
	var *came; /* by note */
} doubling;

static bool doubling_open(replicating *r, const lineup *l, var row, doubling *d)
{
	arena *a = r->all->arena;
	const type *of = build_failed(r->to) ? NULL : build_type(r->to, row);

	*d = (doubling){.line = l};
	if (!of ||
	    !walk_open(&d->w, a, l->level, l->n,
	               (double)of->size * (double)tsr_dtype_size(of->dtype)) ||
	    walk_all(&d->w, l->mine) < 0)
		return false;
	const size_t n = (size_t)d->w.nnotes;
	d->came = arena_array(a, 2 * n + 1, sizeof *d->came);
	d->known = arena_array(a, 4 * n + 4 * MOST_BLOCKS, sizeof *d->known);
	if (d->known) d->known[d->nknown++] = (known){{l->mine, 1}, row};
	return d->came && d->known;
}

/* what the process has is joined, the left at the left */
static var sum_of(replicating *r, const tsr_prim *join, doubling *d, part x)
{
	const part left = {x.first, x.span / 2}, right = {x.first + x.span / 2, x.span / 2};

	for (int i = 0; i < d->nknown; i++)
		if (d->known[i].of.first == x.first && d->known[i].of.span == x.span)
			return d->known[i].v;
	var v = sum_of(r, join, d, left);
	if (right.first < d->w.n) v = emit_2(r->to, join, v, sum_of(r, join, d, right));
	d->known[d->nknown++] = (known){x, v};
	return v;
}

static bool is_sent(const doubling *d, const message *x) { return x->from == d->line->mine; }

static bool send_noted(transfer *t, const tsr_prim *join, doubling *d, const message *x)
{
	build *b = t->r->to;
	var v[2];

	for (int i = 0; i < x->n; i++) v[i] = sum_of(t->r, join, d, x->of[i]);
	if (x->n == 2) v[0] = emit_join(b, v, 2, 0);
	return !build_failed(b) && transfer_send(t, process_at(t->r, d->line, x->to), v[0]);
}

static bool receive_noted(transfer *t, doubling *d, const message *x, var *to)
{
	const type *row = build_failed(t->r->to) ? NULL : build_type(t->r->to, d->known[0].v);
	const int64_t size = row ? row->size * x->n : 0;
	const type *of = row ? type_make(t->r->from->ir, row->dtype, &size, 1, 0) : NULL;

	return of && transfer_receive(t, process_at(t->r, d->line, x->from), of, to);
}

static bool round_begin(transfer *t, const tsr_prim *join, doubling *d, int round)
{
	for (int i = 0; i < d->w.nnotes; i++) {
		const message *x = &d->w.notes[i];
		if (x->round == round && !(is_sent(d, x) ? send_noted(t, join, d, x)
		                                         : receive_noted(t, d, x, &d->came[i])))
			return false;
	}
	return true;
}

static void round_end(replicating *r, doubling *d, int round)
{
	for (int i = 0; i < d->w.nnotes; i++) {
		const message *x = &d->w.notes[i];
		if (x->round != round || is_sent(d, x) || build_failed(r->to)) continue;
		const int64_t size = build_type(r->to, d->known[0].v)->size;
		for (int j = 0; j < x->n; j++) {
			const var v = x->n == 1 ? d->came[i]
			                        : emit_part(r->to, d->came[i], 0, j * size,
			                                    (j + 1) * size);
			d->known[d->nknown++] = (known){x->of[j], v};
		}
	}
}

typedef struct plan { /* of several groups */
	replicating *r;
	doubling *d;
	int n, rounds, ended; /* of so many rounds all has come */
	transfer *t;          /* by round */
} plan;

/* as what is sent in this round needs it */
static int rounds_before(const plan *p, int round)
{
	int n = 0;

	for (int k = 0; k < p->n; k++)
		for (int i = 0; i < p->d[k].w.nnotes; i++) {
			const message *x = &p->d[k].w.notes[i];
			if (x->round == round && is_sent(&p->d[k], x)) n = most(n, x->after + 1);
		}
	return n;
}

static bool end_rounds(plan *p, int n)
{
	for (; p->ended < n; p->ended++) {
		if (!transfer_end(&p->t[p->ended])) return false;
		for (int k = 0; k < p->n; k++) round_end(p->r, &p->d[k], p->ended);
	}
	return !build_failed(p->r->to);
}

static bool plan_open(plan *p, lineup *const *l, const var *row)
{
	arena *a = p->r->all->arena;

	p->d = arena_array(a, (size_t)p->n + 1, sizeof *p->d);
	for (int k = 0; k < p->n; k++) {
		if (!p->d || !doubling_open(p->r, l[k], row[k], &p->d[k])) return false;
		const walk *w = &p->d[k].w;
		for (int i = 0; i < w->nnotes; i++)
			p->rounds = most(p->rounds, w->notes[i].round + 1);
	}
	p->t = arena_array(a, (size_t)p->rounds + 1, sizeof *p->t);
	return p->t;
}

bool sum_whole(replicating *r, const eqn *e, lineup *const *l, int n, var *row)
{
	const tsr_prim *join = members_join(e);
	plan p = {.r = r, .n = n};

	if (!plan_open(&p, l, row)) return false;
	for (int round = 0; round < p.rounds; round++) {
		transfer *t = &p.t[round];
		if (!end_rounds(&p, rounds_before(&p, round))) return false;
		*t = (transfer){.r = r, .e = e, .ordered = true};
		for (int k = 0; k < n; k++)
			if (!round_begin(t, join, &p.d[k], round)) return false;
		if (!transfer_begin(t)) return false;
	}
	if (!end_rounds(&p, p.rounds)) return false;
	for (int k = 0; k < n; k++)
		row[k] = sum_of(r, join, &p.d[k], (part){0, 1 << rounds_of(l[k]->n)});
	return !build_failed(r->to);
}
