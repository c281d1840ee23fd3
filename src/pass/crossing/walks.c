/* walks.c - walks the messages of a plan of shares, to say when the last process has its part of
 * the sum.
 *
 * The formula of ways.c takes all of a rest to be nearly as late as the last one. Of 49 processes
 * with parts of 80 KB, 8,889 ns each, the last one sends 16 messages to the others of its rest, the
 * last of them to 32. These have whole parts for the block, and 32 has only one, so it is not much
 * later than others, which send two:
 *
 *     process     has a message of 48     sends parts     which are there
 *     40          at 469,200              to 24, 8        at 484,300 and 497,700
 *     32          at 491,500              to 0            at 506,600
 *
 * The model is LogGP (shard/message_cost.c): a process sends one message after the other, and it
 * receives those of a round as they come. A part is so large a number that no share ends within
 * one: what is counted is the time that one of them takes. */
#include <math.h>
#include <stdlib.h>
#include "pass/crossing/shares.h"

typedef struct port {
	int64_t now, out, in; /* the process can send, and receive, from then on */
} port;

typedef struct message {
	int from, to;
	int round, order; /* of those that a process sends */
	int64_t bytes, comes;
} message;

typedef struct messages {
	int n;
	message *v;
} messages;

typedef struct walk { /* of one block; what is by process begins with the first one of it */
	const plan *p;
	int64_t latency, start;
	port *ports; /* of all */
	int *turns;

	int e;
	const block *b;
	port *v;
	int64_t *own;    /* elements that a process has of the block's sum */
	int64_t *needs;  /* elements that a process of the block needs of the rest's sum */
	coming *ways;    /* how those come to it */
	messages down;   /* from the rest, with those */
	int *first;      /* by process of the block and one behind it, its first one of `down` */
	message *passed; /* to a process of the block, by another one, with those */
	message *halves; /* in this round */
	messages up;     /* to the rest */
} walk;

static int64_t later(int64_t a, int64_t b) { return a > b ? a : b; }

static void send_one(const walk *w, port *from, message *m)
{
	const int64_t out = later(from->out, from->now) + m->bytes;

	from->out = out + w->start;
	m->comes = out + w->latency;
}

static void receive_one(const walk *w, port *to, const message *m)
{
	const int64_t has = later(to->in + m->bytes, m->comes);

	to->now = later(to->now, has);
	to->in = has + w->start;
}

static int order_of(const walk *w, int from, int to)
{
	const int order = w->turns[from] - w->turns[to];

	return order < 0 ? order + w->p->n : order;
}

static int compare(int64_t a, int64_t b) { return (a > b) - (a < b); }

static int compare_sent(const void *a, const void *b)
{
	const message *x = a, *y = b;

	if (x->from != y->from) return compare(x->from, y->from);
	return x->round != y->round ? compare(x->round, y->round) : compare(x->order, y->order);
}

static int compare_coming(const void *a, const void *b)
{
	const message *x = a, *y = b;

	if (x->to != y->to) return compare(x->to, y->to);
	return x->comes != y->comes ? compare(x->comes, y->comes) : compare(x->from, y->from);
}

/* those from one to another are one */
static void send_all(const walk *w, messages *m)
{
	int n = 0;

	qsort(m->v, (size_t)m->n, sizeof *m->v, compare_sent);
	for (int i = 0; i < m->n; i++) {
		message *before = n ? &m->v[n - 1] : NULL;
		if (before && before->from == m->v[i].from && before->to == m->v[i].to)
			before->bytes += m->v[i].bytes;
		else
			m->v[n++] = m->v[i];
	}
	m->n = n;
	for (int i = 0; i < n; i++) send_one(w, &w->ports[m->v[i].from], &m->v[i]);
	qsort(m->v, (size_t)n, sizeof *m->v, compare_coming);
}

/* of those whose numbers end with the same bits as k */
static int64_t sum_of(const walk *w, const int64_t *v, int k, int ends)
{
	int64_t sum = 0;

	for (k &= ends - 1; k < w->b->n; k += ends) sum += v[k];
	return sum;
}

/* ---- halves, and what of the rest's sum comes before them or with them */

static bool is_early(const walk *w, int k) { return w->b->rest && w->ways[k].sent < w->b->last; }

static bool is_together(const walk *w) { return w->p->way.early[w->e].together; }

static void send_half(const walk *w, int k, int round)
{
	const int bit = 1 << round;
	const bool passes = is_early(w, k) && is_together(w) && w->ways[k].had < round;

	w->halves[k] = (message){.bytes = sum_of(w, w->own, k ^ bit, 2 * bit)};
	if (passes) w->halves[k].bytes += sum_of(w, w->needs, k ^ bit, 2 * bit);
	send_one(w, &w->v[k], &w->halves[k]);
}

/* what others need goes to each with which k exchanges later */
static void pass_on(const walk *w, int k)
{
	message m[MOST_BLOCKS];
	int n = 0;

	for (int bit = alike(w->b, w->ways[k].alike); bit < w->b->n; bit *= 2, n++)
		m[n] = (message){.to = k ^ bit,
		                 .order = order_of(w, w->b->first + k, w->b->first + (k ^ bit)),
		                 .bytes = sum_of(w, w->needs, k ^ bit, 2 * bit)};
	qsort(m, (size_t)n, sizeof *m, compare_sent);
	for (int i = 0; i < n; i++) {
		send_one(w, &w->v[k], &m[i]);
		w->passed[m[i].to] = m[i];
	}
}

/* what k gets early, and passes on at once */
static void receive_early(const walk *w, int k, int round)
{
	if (!is_early(w, k) || is_together(w) || w->ways[k].had != round) return;
	if (w->ways[k].from >= 0)
		receive_one(w, &w->v[k], &w->passed[k]);
	else
		for (int i = w->first[k]; i < w->first[k + 1]; i++)
			receive_one(w, &w->v[k], &w->down.v[i]);
	pass_on(w, k);
}

static void receive_half(const walk *w, int k, int round)
{
	const message *half = &w->halves[k ^ 1 << round];
	const bool beside =
		is_early(w, k) && is_together(w) && w->ways[k].from < 0 && w->ways[k].had == round;
	int i = beside ? w->first[k] : 0, end = beside ? w->first[k + 1] : 0;

	for (; i < end && w->down.v[i].comes <= half->comes; i++)
		receive_one(w, &w->v[k], &w->down.v[i]);
	receive_one(w, &w->v[k], half);
	for (; i < end; i++) receive_one(w, &w->v[k], &w->down.v[i]);
}

static void walk_halves(const walk *w)
{
	const block *b = w->b;

	for (int t = 0; t < b->rounds; t++) {
		for (int k = 0; k < b->n; k++) send_half(w, k, t);
		for (int k = 0; k < b->n; k++) receive_early(w, k, t);
		for (int k = 0; k < b->n; k++) receive_half(w, k, t);
	}
}

/* those that have the same elements then send each other all at once */
static void walk_at_once(walk *w)
{
	const int ends = 1 << w->b->rounds, left = left_of(w->b);

	w->up.n = 0;
	for (int k = 0; k < w->b->n; k++)
		for (int i = 1; i < left; i++) {
			const int to = (k / ends + left - i) % left * ends + k % ends;
			message *m = &w->up.v[w->up.n++];
			*m = (message){.from = k, .to = to, .bytes = w->own[to]};
			send_one(w, &w->v[k], m);
		}
	qsort(w->up.v, (size_t)w->up.n, sizeof *w->up.v, compare_coming);
	for (int i = 0; i < w->up.n; i++) receive_one(w, &w->v[w->up.v[i].to], &w->up.v[i]);
}

/* ---- what block and rest send each other */

static void list_messages(walk *w, const runs *list)
{
	const block *b = w->b;
	const bool pairs = !is_together(w);

	w->down.n = w->up.n = 0;
	for (int k = 0; k < b->n; k++) w->own[k] = w->needs[k] = 0;
	for (int i = 0; i < list->n; i++) {
		const run *x = &list->v[i];
		const int64_t bytes = x->at.end - x->at.first;
		int at = x->owner - b->first;
		w->own[has_it(b, x, false) - b->first] += bytes;
		if (!b->rest) continue;
		if (at >= b->n) {
			w->up.v[w->up.n++] = (message){x->other, x->owner,
			                               b->last,  order_of(w, x->other, x->owner),
			                               bytes,    0};
			continue;
		}
		w->needs[at] += bytes;
		const int round = round_sent(w->p, w->e, at);
		at &= alike(b, round) - 1;
		if (pairs && round == b->rounds - 2) at += b->n / 2;
		w->down.v[w->down.n++] = (message){x->other, b->first + at,
		                                   round,    order_of(w, x->other, b->first + at),
		                                   bytes,    0};
	}
}

static void walk_block(walk *w, const runs *list)
{
	const block *b = w->b;

	list_messages(w, list);
	for (int k = 0; b->rest && k < b->n; k++) w->ways[k] = way_of_rest(w->p, w->e, k);
	send_all(w, &w->down);
	for (int k = 0, i = 0; k <= b->n; k++) {
		while (i < w->down.n && w->down.v[i].to < b->first + k) i++;
		w->first[k] = i;
	}
	walk_halves(w);
	if (!b->rest) {
		walk_at_once(w);
		return;
	}
	send_all(w, &w->up);
	for (int i = 0; i < w->up.n; i++) receive_one(w, &w->ports[w->up.v[i].to], &w->up.v[i]);
	for (int k = 0; k < b->n; k++) {
		receive_early(w, k, b->last);
		for (int i = w->first[k]; !is_early(w, k) && i < w->first[k + 1]; i++)
			receive_one(w, &w->v[k], &w->down.v[i]);
	}
}

static bool walk_open(walk *w, arena *a, const plan *p, const message_cost *c, double unit,
                      int most)
{
	const size_t n = (size_t)p->n, room = (size_t)most + 1;

	*w = (walk){.p = p,
	            .latency = (int64_t)(c->latency / unit),
	            .start = (int64_t)(c->start / unit),
	            .ports = arena_array(a, n, sizeof *w->ports),
	            .turns = arena_array(a, n, sizeof *w->turns),
	            .own = arena_array(a, n, sizeof *w->own),
	            .needs = arena_array(a, n, sizeof *w->needs),
	            .ways = arena_array(a, n, sizeof *w->ways),
	            .down.v = arena_array(a, room, sizeof *w->down.v),
	            .first = arena_array(a, n + 1, sizeof *w->first),
	            .passed = arena_array(a, n, sizeof *w->passed),
	            .halves = arena_array(a, n, sizeof *w->halves),
	            .up.v = arena_array(a, room, sizeof *w->up.v)};
	for (int k = 0; w->turns && k < p->n; k++) w->turns[k] = turn_of(p, k);
	return w->ports && w->turns && w->own && w->needs && w->ways && w->down.v && w->first &&
	       w->passed && w->halves && w->up.v;
}

/* a multiple of all numbers that parts are divided by, of at most 128 processes */
static int64_t size_of_part(const plan *p)
{
	int64_t all = WHOLE;

	for (int e = 0; e < p->way.base; e++) {
		int64_t a = all, b = p->v[e].rest;
		while (b) {
			const int64_t left = a % b;
			a = b;
			b = left;
		}
		all *= p->v[e].rest / a;
	}
	return all * (1 + (INT64_C(1) << 32) / all);
}

static double walk_plan(arena *a, const plan *p, axis_level level, double bytes)
{
	const message_cost *c = &message_costs[level];
	const double part = bytes * c->byte / p->n;
	const int blocks = p->way.base + 1;
	const block *base = &p->v[p->way.base];
	const int64_t size = size_of_part(p);
	const double unit = (part > 0.01 ? part : 0.01) / (double)size;
	runs *list = arena_array(a, (size_t)blocks, sizeof *list);
	int most = base->n * left_of(base);
	int64_t last = 0;
	walk w;

	if (!list || !deal_all(a, p, blocks, p->n * size, list)) return INFINITY;
	for (int e = 0; e < blocks; e++) most = list[e].n > most ? list[e].n : most;
	if (!walk_open(&w, a, p, c, unit, most)) return INFINITY;
	for (w.e = blocks - 1; w.e >= 0; w.e--) {
		w.b = &p->v[w.e];
		w.v = w.ports + w.b->first;
		walk_block(&w, &list[w.e]);
	}
	for (int k = 0; k < p->n; k++) last = later(last, w.ports[k].now);
	return (double)last * unit;
}

double walk_ns(base *b, const plan *p, axis_level level, double bytes)
{
	arena *a = arena_make(b);
	const double ns = a ? walk_plan(a, p, level, bytes) : INFINITY;

	arena_free(a);
	return ns;
}
