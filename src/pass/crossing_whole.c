/* crossing_whole.c - sums over a number of processes that is no power of two, in whole rows that
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
 *       transfer_end %0 %0 %0 %0 number=1 to=[2,3,4,5] from=[] types=[]
 *       %1: f32[64] = transfer_begin number=2 to=[] from=[2] types=[f32[64]]
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
 *   - from some round on it sends its sum to processes of the block, as soon as each message can
 *     leave; who has got it passes it on with what it doubles. These processes fall behind a bit.
 *     So only those of even numbers get it early, or all, as takes less;
 *   - when the block has its sum, each process of the rest gets it from one that has it first; and
 *     who has the rest's sum sends it to the ones that lack it, until all have it.
 *
 * Each of these decisions is made by walking all messages in LogGP (shard/message_cost.c), the
 * innermost rest first. All processes come to the same, in O(n log(n)) steps. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include "pass/replicate.h"

/* ---- LogGP of all processes */

typedef struct port {    /* of a process */
	int64_t now;     /* it has all that came so far */
	int64_t out, in; /* it can send, and receive, from then on */
	int round;       /* in which it got the sum that its block and the rest of that have */
} port;

typedef enum content { HALF, HALF_AND_REST, REST, BLOCK } content;
typedef struct note { /* a message that one process sends or receives */
	int round, e, peer;
	content what;
	bool out;
} note;

typedef struct block { /* and its rest, which is all processes behind it */
	int first, n, rounds;
} block;

typedef struct due { /* when a process can send next */
	int64_t ns;
	int process;
} due;

typedef struct walk {
	arena *arena;
	int64_t latency, start, row; /* of a message, and of the bytes of a row */
	int n, nblocks;
	block v[MOST_BLOCKS];
	port *of, *saved;
	int mine; /* whose messages are noted; -1: nobody's */
	note *notes;
	int nnotes, cap;
	bool failed;
	/* of the processes of one block: the round in which each gets the rest's sum, when what it
	 * doubles comes, and that sum where it comes alone; and those that nobody has sent it to */
	int *got, *open, nopen;
	int64_t *half, *alone;
	due *queue;
	int nqueue;
} walk;

enum { NEVER = INT_MAX }; /* a round */
static const int64_t no_time = INT64_MAX;

typedef struct way {
	int early; /* from this round on the rest of a block sends its sum, */
	int step;  /* to each process, or to each second one */
} way;

static int64_t later(int64_t a, int64_t b) { return a > b ? a : b; }
static int64_t free_at(const port *c) { return later(c->now, c->out); }

static void note_message(walk *w, note x)
{
	if (w->nnotes == w->cap) {
		const int cap = 2 * w->cap + 32;
		note *v = arena_array(w->arena, (size_t)cap, sizeof *v);
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
static int64_t sends(walk *w, int from, int to, int round, int e, content what)
{
	port *c = &w->of[from];
	const int64_t end = free_at(c) + (what == HALF_AND_REST ? 2 : 1) * w->row;

	c->out = end + w->start;
	if (w->mine == from) note_message(w, (note){round, e, to, what, true});
	if (w->mine == to) note_message(w, (note){round, e, from, what, false});
	return end + w->latency;
}

static void receives(const walk *w, int to, int64_t comes, int rows)
{
	port *c = &w->of[to];
	const int64_t has = later(c->in + rows * w->row, comes);

	c->in = has + w->start;
	c->now = later(c->now, has);
}

/* ---- who can send next: a heap */

static int compare_due(const void *a, const void *b)
{
	const due *x = a, *y = b;

	if (x->ns != y->ns) return x->ns < y->ns ? -1 : 1;
	return (x->process > y->process) - (x->process < y->process);
}

static void push(walk *w, int process)
{
	const due x = {free_at(&w->of[process]), process};
	int i = w->nqueue++;

	for (; i && compare_due(&x, &w->queue[(i - 1) / 2]) < 0; i = (i - 1) / 2)
		w->queue[i] = w->queue[(i - 1) / 2];
	w->queue[i] = x;
}

static int pop(walk *w)
{
	const int process = w->queue[0].process;
	const due x = w->queue[--w->nqueue];
	int i = 0;

	for (int c = 1; c < w->nqueue; i = c, c = 2 * c + 1) {
		if (c + 1 < w->nqueue && compare_due(&w->queue[c + 1], &w->queue[c]) < 0) c++;
		if (compare_due(&x, &w->queue[c]) <= 0) break;
		w->queue[i] = w->queue[c];
	}
	w->queue[i] = x;
	return process;
}

/* ---- a block and its rest, whose processes have their sum */

/* when the last one comes */
static int64_t walk_halves(walk *w, int e, int round)
{
	const block *b = &w->v[e];
	int64_t last = 0;

	for (int at = 0; at < b->n; at++) {
		const int other = at ^ 1 << round;
		const bool passes = w->got[at] < round && w->got[other] >= round;
		w->half[other] = sends(w, b->first + at, b->first + other, round, e,
		                       passes ? HALF_AND_REST : HALF);
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
	int at = 0;

	w->nqueue = 0;
	for (int q = b->first + b->n; q < w->n; q++)
		if (w->of[q].round < round) push(w, q);
	while (w->nqueue && at < w->nopen && w->queue[0].ns + w->row + w->latency <= last) {
		const int q = pop(w), to = w->open[at++];
		w->alone[to] = sends(w, q, b->first + to, round, e, REST);
		w->got[to] = round;
		push(w, q);
	}
	w->nopen -= at;
	memmove(w->open, w->open + at, (size_t)w->nopen * sizeof *w->open);
}

static void walk_rounds(walk *w, int e, way way)
{
	const block *b = &w->v[e];

	for (int at = 0; at < b->n; at++) w->got[at] = NEVER;
	w->open[0] = 0;
	w->nopen = 1;
	for (int round = 0; round < b->rounds; round++) {
		int64_t last = walk_halves(w, e, round);
		for (int i = 0, n = w->nopen; 1 << round >= way.step && i < n; i++)
			w->open[w->nopen++] = w->open[i] + (1 << round);
		for (int at = 0; at < b->n; at++) w->alone[at] = no_time;
		if (round >= way.early) walk_early(w, e, round, last);
		for (int at = 0; at < b->n; at++) {
			const bool first = w->alone[at] < w->half[at];
			const int rows = w->got[at] == round && w->alone[at] == no_time ? 2 : 1;
			if (first) receives(w, b->first + at, w->alone[at], 1);
			receives(w, b->first + at, w->half[at], rows);
			if (!first && w->alone[at] != no_time)
				receives(w, b->first + at, w->alone[at], 1);
		}
	}
}

/* those that have it send the rest's sum to all that lack it, first to those that are ready */
static void spread_rest(walk *w, int e, due *list)
{
	const block *b = &w->v[e];
	int n = 0;

	w->nqueue = 0;
	for (int p = b->first; p < w->n; p++)
		if (p < b->first + b->n && w->got[p - b->first] == NEVER)
			list[n++] = (due){w->of[p].now, p};
		else
			push(w, p);
	qsort(list, (size_t)n, sizeof *list, compare_due);
	for (int i = 0; i < n; i++) {
		const int q = pop(w), p = list[i].process;
		w->of[p].round = w->of[q].round + 1;
		receives(w, p, sends(w, q, p, w->of[p].round, e, REST), 1);
		push(w, q);
		push(w, p);
	}
}

/* list: room for all processes of the block and its rest */
static void walk_end(walk *w, int e, due *list)
{
	const block *b = &w->v[e];
	const int rest = b->first + b->n, nrest = w->n - rest;
	int round = b->rounds;

	for (int q = rest; q < w->n; q++)
		if (w->of[q].round >= round) round = w->of[q].round + 1;
	for (int at = 0; at < b->n; at++)
		list[at] = (due){free_at(&w->of[b->first + at]), b->first + at};
	qsort(list, (size_t)b->n, sizeof *list, compare_due);
	for (int i = 0; i < nrest; i++) w->queue[i] = (due){-w->of[rest + i].now, rest + i};
	qsort(w->queue, (size_t)nrest, sizeof *w->queue, compare_due);
	for (int i = 0; i < nrest; i++) {
		const int q = w->queue[i].process;
		w->alone[q - rest] = sends(w, list[i].process, q, round, e, BLOCK);
	}
	for (int p = b->first; p < w->n; p++) w->of[p].round = round - 1;
	spread_rest(w, e, list);
	for (int i = 0; i < nrest; i++) receives(w, rest + i, w->alone[i], 1);
	for (int p = b->first; p < w->n; p++)
		if (w->of[p].round < round) w->of[p].round = round;
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
	            .queue = arena_array(a, room, sizeof *w->queue)};
	for (int first = 0, size; first < n; first += size) {
		for (size = 1; size <= (n - first) / 2;) size *= 2;
		w->v[w->nblocks++] = (block){first, size, rounds_of(size)};
	}
	return w->of && w->saved && w->got && w->open && w->half && w->alone && w->queue;
}

typedef struct score {
	int64_t last, sum;
} score;

static bool is_less(score a, score b) { return a.last != b.last ? a.last < b.last : a.sum < b.sum; }

static score walk_block(walk *w, int e, way way, due *list)
{
	score s = {0};

	walk_rounds(w, e, way);
	if (e + 1 < w->nblocks)
		walk_end(w, e, list);
	else
		for (int p = w->v[e].first; p < w->n; p++) w->of[p].round = w->v[e].rounds - 1;
	for (int p = w->v[e].first; p < w->n; p++) {
		s.last = later(s.last, w->of[p].now);
		s.sum += w->of[p].now;
	}
	return s;
}

/* How its rest sends its sum to block e: from the round in which it has that, or one of the next
 * two, or when the block has its own. What takes least */
static way choose_way(walk *w, int e, due *list)
{
	const block *b = &w->v[e];
	const size_t size = (size_t)(w->n - b->first) * sizeof *w->of;
	way best = {b->rounds, 1};
	score least = {INT64_MAX, 0};
	int ready = b->rounds;

	for (int q = b->first + b->n; q < w->n; q++)
		if (w->of[q].round < ready) ready = w->of[q].round + 1;
	memcpy(w->saved, w->of + b->first, size);
	for (int i = 0; i < 7 && ready < b->rounds; i++) {
		const way x = {i < 6 ? ready + i / 2 : b->rounds, 1 + i % 2};
		const score s = walk_block(w, e, x, list);
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
	due *list = arena_array(w->arena, (size_t)w->n, sizeof *list);
	score all = {0};

	if (!list) return -1;
	for (int e = w->nblocks - 1; e >= 0; e--) {
		w->mine = -1;
		const way best = choose_way(w, e, list);
		w->mine = mine;
		all = walk_block(w, e, best, list);
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

typedef struct doubling { /* of one group */
	const lineup *line;
	walk w;
	int at, block; /* the process is number `at` of this block */
	int e, next;   /* what is joined next, and noted */
	var own;       /* sum of the block, or then of all from that one on */
	var rest;      /* of the rest, as its block gets it; none before it comes */
	var *came;     /* by note */
} doubling;

static bool doubling_open(replicating *r, const lineup *l, var row, doubling *d)
{
	const type *of = build_failed(r->to) ? NULL : build_type(r->to, row);

	*d = (doubling){.line = l, .own = row};
	if (!of ||
	    !walk_open(&d->w, r->all->arena, l->level, l->n,
	               (double)of->size * (double)tsr_dtype_size(of->dtype)) ||
	    walk_all(&d->w, l->mine) < 0)
		return false;
	while (l->mine >= d->w.v[d->block].first + d->w.v[d->block].n) d->block++;
	d->at = l->mine - d->w.v[d->block].first;
	d->e = d->block;
	d->came = arena_array(r->all->arena, (size_t)d->w.nnotes + 1, sizeof *d->came);
	return d->came;
}

/* the block's sum is at the left of the rest's */
static void join_rest(replicating *r, const tsr_prim *join, doubling *d)
{
	if (!is_zero(d->rest)) d->own = emit_2(r->to, join, d->own, d->rest);
	d->rest = (var){0};
}

static bool send_noted(transfer *t, doubling *d, const note *x)
{
	build *b = t->r->to;
	const var both[] = {d->own, d->rest};
	const var v = x->what == HALF_AND_REST              ? emit_join(b, both, 2, 0)
	              : x->what == REST && x->e == d->block ? d->rest
	                                                    : d->own;

	return !build_failed(b) && transfer_send(t, process_at(t->r, d->line, x->peer), v);
}

static bool receive_noted(transfer *t, doubling *d, const note *x, var *to)
{
	const type *of = build_failed(t->r->to) ? NULL : build_type(t->r->to, d->own);
	const int64_t size = of ? of->size * (x->what == HALF_AND_REST ? 2 : 1) : 0;

	of = of ? type_make(t->r->from->ir, of->dtype, &size, 1, 0) : NULL;
	return of && transfer_receive(t, process_at(t->r, d->line, x->peer), of, to);
}

static bool round_begin(transfer *t, const tsr_prim *join, doubling *d, int round)
{
	for (int i = d->next; i < d->w.nnotes && d->w.notes[i].round == round; i++) {
		const note *x = &d->w.notes[i];
		if (x->e < d->e) join_rest(t->r, join, d);
		d->e = x->e;
		if (!(x->out ? send_noted(t, d, x) : receive_noted(t, d, x, &d->came[i])))
			return false;
	}
	return true;
}

static void round_end(replicating *r, const tsr_prim *join, doubling *d, int round)
{
	for (; d->next < d->w.nnotes && d->w.notes[d->next].round == round; d->next++) {
		const note *x = &d->w.notes[d->next];
		const var came = d->came[d->next];
		const int64_t size = build_failed(r->to) ? 0 : build_type(r->to, d->own)->size;
		const bool both = x->what == HALF_AND_REST, right = d->at >> round & 1;
		if (x->out) continue;
		if (x->what == REST) {
			d->rest = came;
			continue;
		}
		const var half = both ? emit_part(r->to, came, 0, 0, size) : came;
		if (both) d->rest = emit_part(r->to, came, 0, size, 2 * size);
		d->own = x->what == BLOCK || right ? emit_2(r->to, join, half, d->own)
		                                   : emit_2(r->to, join, d->own, half);
	}
}

bool sum_whole(replicating *r, const eqn *e, lineup *const *l, int n, var *row)
{
	doubling *d = arena_array(r->all->arena, (size_t)n + 1, sizeof *d);
	const tsr_prim *join = members_join(e);

	for (int k = 0; k < n; k++)
		if (!d || !doubling_open(r, l[k], row[k], &d[k])) return false;
	for (int round = 0, left = n; left; round++) {
		transfer t = {.r = r, .e = e, .ordered = true};
		for (int k = 0; k < n; k++)
			if (!round_begin(&t, join, &d[k], round)) return false;
		if (!transfer_emit(&t)) return false;
		left = 0;
		for (int k = 0; k < n; k++) {
			round_end(r, join, &d[k], round);
			left += d[k].next < d[k].w.nnotes;
		}
	}
	for (int k = 0; k < n; k++) {
		join_rest(r, join, &d[k]);
		row[k] = d[k].own;
	}
	return !build_failed(r->to);
}
