/* halves.c - sums over a number of processes that is no power of two, in about log2(n)
 * rounds: each gets its part of the sum.
 *
 * The tree of a sum (docs/numerics.md) has at its left a block, of as many processes as the largest
 * power of two below n, and at its right the rest, which is such a tree again: of 7 processes, 0 to
 * 3, then 4 and 5, then 6. A block exchanges halves of rows, nearest first, and its rest does
 * likewise in the same rounds. Then both have their sums, and each process gets from the other side
 * what is to be its own. Of 7 processes, where the last three send each other all at once:
 *
 *     process     0        1          2          3        4          5          6
 *     round 1     with 1   with 0     with 3     with 2   with 6, 5  with 4, 6  with 5, 4
 *     round 2     with 2   with 3     with 0     with 1
 *     round 3     with 4   with 6, 5  with 5, 4  with 6   with 2, 0  with 1, 2  with 3, 1
 *
 * Which elements these messages have is planned in shares.c, and what is sent early in
 * ways.c. That comes while halves are on their way: a process sends its half, waits for
 * the early message, passes on what others need of it, and waits for the other half. Two processes
 * begin their messages to each other in one order, since each of these has one round on both sides;
 * and a process waits only for what it needs, so none wait for each other in a circle. */
#include <stdlib.h>
#include "pass/crossing/shares.h"

/* ---- some elements, one behind the other in a row */

typedef struct stretch {
	index_range of; /* the whole row */
	int64_t at;     /* where they are in this one */
} stretch;

typedef struct held {
	int n;
	stretch *v; /* in the order of the whole row */
	int64_t size;
	var row;
	int peer; /* that they go to, or come from */
} held;

typedef struct lists {
	int n;
	held *v;
} lists;

typedef struct halving { /* of one group */
	const lineup *line;
	plan p;
	int block, at; /* the process is number `at` of this block, */
	int turn;      /* and this one in the order of shares */
	int joins;     /* the block and rest whose sums are joined next; -1: all are */
	runs *list;    /* by block */
	held own;      /* of the sum of those joined so far */
	held rest;     /* of the sum of the other side; none before it comes */
	held more;     /* of it, what comes with a half */
	var half;      /* what comes in this round, */
	lists come;    /* of others than halves */
	lists early;   /* of the rest's sum, what comes early, */
	coming rest_of; /* and how */
} halving;

typedef struct turn {
	replicating *r;
	transfer *t;
	int round;
} turn;

/* `n` stretches of so many elements from `at` on, each begins `step` behind the one before */
static var every(build *b, const held *x, int64_t at, int64_t size, int64_t n, int64_t step)
{
	/* the row of them begins before the first one where the last is the row's end */
	const int64_t over = at + n * step - x->size, skip = n > 1 && over > 0 ? over : 0;
	const int64_t dims[] = {n, step}, flat = n * size;
	int64_t start[] = {0, skip}, stop[] = {n, skip + size}, steps[] = {1, 1};
	const slice_params p = {{2, start}, {2, stop}, {2, steps}};

	if (n == 1) return size == x->size ? x->row : emit_part(b, x->row, 0, at, at + size);
	var rows = x->row;
	if (n * step < x->size) rows = emit_part(b, rows, 0, at - skip, at - skip + n * step);
	rows = emit_reshape(b, rows, dims, 2);
	return emit_reshape(b, emit(b, &tsr__prim_slice, &p, &rows, 1), &flat, 1);
}

/* where these are in x, as stretches of x; v has room for those of both */
static int find_all(const held *x, const held *these, index_range *v)
{
	int n = 0;

	for (int i = 0, j = 0; i < these->n; i++) {
		for (index_range left = these->v[i].of; left.first < left.end;) {
			while (x->v[j].of.end <= left.first) j++;
			const int64_t end = x->v[j].of.end < left.end ? x->v[j].of.end : left.end;
			const int64_t at = x->v[j].at + left.first - x->v[j].of.first;
			if (n && v[n - 1].end == at)
				v[n - 1].end += end - left.first;
			else
				v[n++] = (index_range){at, at + end - left.first};
			left.first = end;
		}
	}
	return n;
}

/* so many of them, from the first one on, are equally long and far apart, and fit in a matrix */
static int alike_ones(const held *x, const index_range *v, int n)
{
	const int64_t size = v->end - v->first, step = n > 1 ? v[1].first - v->first : 0;
	int k = 1;

	while (k < n && v[k].end - v[k].first == size && v[k].first - v[k - 1].first == step) k++;
	if (step < size) return 1;
	const int64_t over = v->first + k * step - x->size;
	return over <= 0 || (over <= v->first && over + size <= step) ? k : k > 2 ? k - 1 : 1;
}

/* These of x, in few slices. A process whose part is empty may have none at all: its row is empty,
 * and no message has it (transfer_send) */
static var take(replicating *r, const held *x, const held *these)
{
	if (!these->n) return emit_part(r->to, x->row, 0, 0, 0);
	const size_t room = (size_t)x->n + (size_t)these->n;
	index_range *at = arena_array(r->all->arena, room, sizeof *at);
	var *v = arena_array(r->all->arena, room, sizeof *v);
	int count = 0;

	if (!at || !v) return (var){0};
	const int n = find_all(x, these, at);
	for (int i = 0, k; i < n; i += k) {
		k = alike_ones(x, at + i, n - i);
		v[count++] = every(r->to, x, at[i].first, at[i].end - at[i].first, k,
		                   k > 1 ? at[i + 1].first - at[i].first : 0);
	}
	return emit_join(r->to, v, count, 0);
}

/* ---- who has what to do with whom: a peer for a run, or -1 */

typedef int peer_of(const turn *, const halving *, const run *);

static int rank_of(const halving *h) { return h->p.v[h->block].first + h->at; }

/* does a process have what this one has so far; and is it to go to the other half? */
static int half_of(const turn *t, const halving *h, int process)
{
	const block *b = &h->p.v[h->block];
	const int bit = alike(b, t->round) / 2, differs = (process - b->first) ^ h->at;

	return differs & (bit - 1) ? -1 : (differs & bit) != 0;
}

static int half_of_own(const turn *t, const halving *h, const run *x)
{
	return half_of(t, h, has_it(&h->p.v[h->block], x, false));
}

/* of the rest's sum what this process needs, or others that have the same halves then */
static bool is_needed(const turn *t, const halving *h, const run *x)
{
	return in_block(&h->p, h->block, x->owner) && half_of(t, h, x->owner) == 0;
}

static int from_rest(const turn *t, const halving *h, const run *x)
{
	return is_needed(t, h, x) ? has_it(&h->p.v[h->block], x, true) : -1;
}

static int from_beside(const turn *t, const halving *h, const run *x)
{
	return is_needed(t, h, x) ? h->p.v[h->block].first + h->rest_of.from : -1;
}

/* what others need of it goes to the first one with which this process exchanges later and which
 * has it then, too */
static int passed_on(const turn *t, const halving *h, const run *x)
{
	const int differs = (x->owner - h->p.v[h->block].first) ^ h->at;

	return is_needed(t, h, x) && differs ? rank_of(h) ^ (differs & -differs) : -1;
}

/* and with a half: what the other one needs, and those that have the same then */
static int needed_beside(const turn *t, const halving *h, const run *x)
{
	return in_block(&h->p, h->block, x->owner) && half_of(t, h, x->owner) == 1 ? 0 : -1;
}

static int needed_here(const turn *t, const halving *h, const run *x)
{
	return is_needed(t, h, x) ? 0 : -1;
}

static int to_block(const turn *t, const halving *h, const run *x)
{
	const block *b = &h->p.v[h->joins];
	const int at = (x->owner - b->first) & (alike(b, t->round) - 1);

	if (!in_block(&h->p, h->joins, x->owner) || has_it(b, x, true) != rank_of(h) ||
	    round_sent(&h->p, h->joins, at) != t->round)
		return -1;
	const bool pair = t->round == b->rounds - 2 && !h->p.way.early[h->joins].together;
	return b->first + (pair ? at + b->n / 2 : at);
}

static int to_rest(const turn *t, const halving *h, const run *x)
{
	const bool own = has_it(&h->p.v[h->block], x, false) == rank_of(h);

	return (void)t, own && !in_block(&h->p, h->block, x->owner) ? x->owner : -1;
}

static int from_block(const turn *t, const halving *h, const run *x)
{
	return (void)t, x->owner == rank_of(h) ? has_it(&h->p.v[h->joins], x, false) : -1;
}

static int all_of_own(const turn *t, const halving *h, const run *x)
{
	return (void)t, x->owner == rank_of(h) ? 0 : -1;
}

/* of those that send each other all at once: they have the same halves */
static int to_owner(const turn *t, const halving *h, const run *x)
{
	const block *b = &h->p.v[h->block];

	return (void)t, (x->owner - b->first - h->at) & ((1 << b->rounds) - 1) ? -1 : x->owner;
}

typedef struct addressed {
	index_range at;
	int peer, turn;
} addressed;

static int compare_addressed(const void *a, const void *b)
{
	const addressed *x = a, *y = b;

	if (x->turn != y->turn) return x->turn < y->turn ? -1 : 1;
	return (x->at.first > y->at.first) - (x->at.first < y->at.first);
}

/* What goes to each, or comes, in the order of their turns, from that of this process down: where
 * all send to all, no two begin with the same */
static bool list_by(const turn *t, const halving *h, int e, peer_of *peer, lists *to)
{
	const runs *list = &h->list[e];
	arena *a = t->r->all->arena;
	int n = 0, count = 0;

	for (int i = 0; i < list->n; i++) n += peer(t, h, &list->v[i]) >= 0;
	addressed *v = arena_array(a, (size_t)n + 1, sizeof *v);
	stretch *all = arena_array(a, (size_t)n + 1, sizeof *all);
	*to = (lists){0, arena_array(a, (size_t)n + 1, sizeof *to->v)};
	if (!v || !all || !to->v) return false;
	for (int i = 0; i < list->n; i++) {
		const int of = peer(t, h, &list->v[i]);
		if (of < 0) continue;
		const int turn = h->turn - turn_of(&h->p, of);
		v[count++] = (addressed){list->v[i].at, of, turn < 0 ? turn + h->p.n : turn};
	}
	if (n) qsort(v, (size_t)n, sizeof *v, compare_addressed);
	for (int i = 0; i < n; i++) {
		if (!i || v[i].peer != v[i - 1].peer)
			to->v[to->n++] = (held){.v = all + i, .peer = v[i].peer};
		held *x = &to->v[to->n - 1];
		x->v[x->n++] = (stretch){v[i].at, x->size};
		x->size += v[i].at.end - v[i].at.first;
	}
	return true;
}

static bool list_one(const turn *t, const halving *h, int e, peer_of *peer, held *to)
{
	lists some;

	if (!list_by(t, h, e, peer, &some)) return false;
	*to = some.n ? some.v[0] : (held){0};
	return true;
}

/* ---- one round of one process: what it sends and receives */

static bool send_to(const turn *t, const halving *h, int rank, var row)
{
	return !build_failed(t->r->to) && transfer_send(t->t, process_at(t->r, h->line, rank), row);
}

static bool receive_from(const turn *t, const halving *h, int rank, int64_t size, var *to)
{
	const type *of = build_failed(t->r->to) ? NULL : build_type(t->r->to, h->own.row);

	of = of ? type_make(t->r->from->ir, of->dtype, &size, 1, 0) : NULL;
	return of && transfer_receive(t->t, process_at(t->r, h->line, rank), of, to);
}

static bool needs_rest(const halving *h)
{
	return h->joins == h->block && h->p.v[h->block].rest;
}

/* does it get what it needs of the rest's sum before the last round, or from one of its block? */
static bool is_early(const halving *h)
{
	return needs_rest(h) && h->rest_of.sent < h->p.v[h->block].last;
}

/* is some of it passed on with halves? */
static bool is_together(const halving *h)
{
	return is_early(h) && h->p.way.early[h->block].together;
}

/* half of what it has, and together with it what the other one lacks of the rest's sum */
static bool exchange_half(const turn *t, halving *h)
{
	const int other = h->p.v[h->block].first + (h->at ^ 1 << t->round);
	const held both = h->own;
	held goes = {0}, rest = {0};
	lists to;

	if (!list_by(t, h, h->block, half_of_own, &to)) return false;
	h->own = (held){0};
	for (int i = 0; i < to.n; i++) *(to.v[i].peer ? &goes : &h->own) = to.v[i];
	goes.row = take(t->r, &both, &goes);
	h->own.row = take(t->r, &both, &h->own);
	h->more = (held){0};
	if (is_together(h) && h->rest_of.had < t->round &&
	    !list_one(t, h, h->block, needed_beside, &rest))
		return false;
	if (is_together(h) && h->rest_of.from >= 0 && h->rest_of.had == t->round &&
	    !list_one(t, h, h->block, needed_here, &h->more))
		return false;
	if (rest.n) rest.row = take(t->r, &h->rest, &rest);
	const var rows[] = {goes.row, rest.row};
	return send_to(t, h, other, emit_join(t->r->to, rows, rest.n ? 2 : 1, 0)) &&
	       receive_from(t, h, other, h->own.size + h->more.size, &h->half);
}

static bool send_all(const turn *t, const halving *h, int e, const held *from, peer_of *peer)
{
	lists to;

	if (!list_by(t, h, e, peer, &to)) return false;
	for (int i = 0; i < to.n; i++)
		if (to.v[i].peer != rank_of(h) &&
		    !send_to(t, h, to.v[i].peer, take(t->r, from, &to.v[i])))
			return false;
	return true;
}

static bool receive_all(const turn *t, const halving *h, int e, peer_of *peer, lists *come)
{
	if (!list_by(t, h, e, peer, come)) return false;
	for (int i = 0; i < come->n; i++) {
		held *x = &come->v[i];
		if (!receive_from(t, h, x->peer, x->size, &x->row)) return false;
	}
	return true;
}

/* what is to be its own, of all others that have the same halves */
static bool exchange_all(const turn *t, halving *h)
{
	const block *b = &h->p.v[h->block];
	const int ends = 1 << b->rounds, n = b->n / ends;
	held own;

	h->come = (lists){n, arena_array(t->r->all->arena, (size_t)n, sizeof *h->come.v)};
	if (!h->come.v || !list_one(t, h, h->block, all_of_own, &own) ||
	    !send_all(t, h, h->block, &h->own, to_owner))
		return false;
	own.row = take(t->r, &h->own, &own);
	for (int k = 0; k < n; k++) {
		const int from = b->first + h->at % ends + k * ends;
		h->come.v[k] = own;
		if (from != rank_of(h) && !receive_from(t, h, from, own.size, &h->come.v[k].row))
			return false;
	}
	return true;
}

static bool is_at_once(const turn *t, const halving *h)
{
	const block *b = &h->p.v[h->block];

	return t->round == b->rounds && b->n >> b->rounds > 1;
}

static bool joins_now(const turn *t, const halving *h)
{
	return h->joins >= 0 && t->round == h->p.v[h->joins].last;
}

static bool halving_begin(const turn *t, halving *h)
{
	const block *b = &h->p.v[h->block];
	const bool in_rest = h->joins < h->block;

	h->come = (lists){0};
	if (is_at_once(t, h)) return exchange_all(t, h);
	if (t->round < b->rounds) return exchange_half(t, h);
	if (!joins_now(t, h)) return true;
	if (in_rest)
		return send_all(t, h, h->joins, &h->own, to_block) &&
		       receive_all(t, h, h->joins, from_block, &h->come);
	return send_all(t, h, h->block, &h->own, to_rest) &&
	       (is_early(h) || receive_all(t, h, h->block, from_rest, &h->come));
}

/* ---- what the rest sends early */

/* from one of the rest, in this round, to one of the block */
static bool early_begin(const turn *t, halving *h, bool together)
{
	if (h->joins < 0 || h->p.way.early[h->joins].together != together) return true;
	if (h->joins < h->block) {
		const block *b = &h->p.v[h->joins];
		return t->round < b->ready || t->round >= b->rounds ||
		       send_all(t, h, h->joins, &h->own, to_block);
	}
	return !is_early(h) || h->rest_of.from >= 0 || h->rest_of.sent != t->round ||
	       receive_all(t, h, h->block, from_rest, &h->early);
}

/* what it has got in this round goes to those with which it exchanges later; and what another one
 * has got comes */
static bool pass_on(const turn *t, halving *h)
{
	const turn of = {t->r, t->t, h->rest_of.alike};

	if (!is_early(h) || is_together(h)) return true;
	if (h->rest_of.had == t->round) return send_all(&of, h, h->block, &h->rest, passed_on);
	return h->rest_of.from < 0 || h->rest_of.sent != t->round ||
	       receive_all(&of, h, h->block, from_beside, &h->early);
}

/* ---- and what it makes of that */

static bool join_all(const turn *t, const tsr_prim *join, halving *h)
{
	var *row = arena_array(t->r->all->arena, (size_t)h->come.n, sizeof *row);

	for (int k = 0; row && k < h->come.n; k++) row[k] = h->come.v[k].row;
	if (!row) return false;
	h->own = h->come.v[h->at >> h->p.v[h->block].rounds];
	h->own.row = members_tree(t->r->to, join, row, h->come.n);
	h->come.n = 0;
	return !build_failed(t->r->to);
}

static void join_half(const turn *t, const tsr_prim *join, halving *h)
{
	const held came = {.size = h->own.size + h->more.size, .row = h->half};
	const bool right = h->at >> t->round & 1;
	const var own = h->own.row, half = every(t->r->to, &came, 0, h->own.size, 1, 0);

	h->own.row = emit_2(t->r->to, join, right ? half : own, right ? own : half);
	if (!h->more.n) return;
	h->rest = h->more;
	h->rest.row = every(t->r->to, &came, h->own.size, h->more.size, 1, 0);
}

static int compare_stretches(const void *a, const void *b)
{
	const stretch *x = a, *y = b;

	return (x->of.first > y->of.first) - (x->of.first < y->of.first);
}

/* what came of the other side's sum, as one row */
static bool gather_rest(const turn *t, halving *h, const lists *come)
{
	arena *a = t->r->all->arena;
	held all = {0};

	if (!come->n) return true;
	var *row = arena_array(a, (size_t)come->n, sizeof *row);
	for (int i = 0; i < come->n; i++) all.n += come->v[i].n;
	all.v = arena_array(a, (size_t)all.n, sizeof *all.v);
	if (!row || !all.v) return false;
	stretch *to = all.v;
	for (int i = 0; i < come->n; i++) {
		const held *x = &come->v[i];
		for (int k = 0; k < x->n; k++) *to++ = (stretch){x->v[k].of, all.size + x->v[k].at};
		all.size += x->size;
		row[i] = x->row;
	}
	qsort(all.v, (size_t)all.n, sizeof *all.v, compare_stretches);
	all.row = emit_join(t->r->to, row, come->n, 0);
	h->rest = all;
	return true;
}

/* its own of block and rest: the block's are at the left */
static bool join_rest(const turn *t, const tsr_prim *join, halving *h)
{
	const bool in_rest = h->joins < h->block;
	held x;

	if (!list_one(t, h, h->joins, all_of_own, &x)) return false;
	x.row = take(t->r, &h->own, &x);
	if (x.n) {
		const var own = x.row, other = take(t->r, &h->rest, &x);
		x.row = emit_2(t->r->to, join, in_rest ? other : own, in_rest ? own : other);
	}
	h->own = x;
	h->rest = (held){0};
	h->joins--;
	return !build_failed(t->r->to);
}

static bool halving_end(const turn *t, const tsr_prim *join, halving *h)
{
	if (t->round < h->p.v[h->block].rounds) join_half(t, join, h);
	if (is_at_once(t, h) && !join_all(t, join, h)) return false;
	if (h->come.n && !gather_rest(t, h, &h->come)) return false;
	if (is_together(h) && h->rest_of.had == t->round && h->rest_of.from < 0 &&
	    !gather_rest(t, h, &h->early))
		return false;
	return !joins_now(t, h) || join_rest(t, join, h);
}

/* ---- all groups */

static bool halving_open(replicating *r, const lineup *l, var row, halving *h)
{
	const type *of = build_failed(r->to) ? NULL : build_type(r->to, row);
	arena *a = r->all->arena;

	if (!of) return false;
	const int n = l->n;
	const size_t refusals = mem_refusals(r->all->base);
	const double bytes = (double)filled(of->size, n) * (double)tsr_dtype_size(of->dtype);
	*h = (halving){.line = l, .p = choose_plan(r->all->base, l->level, n, bytes)};
	if (mem_refusals(r->all->base) > refusals) return false;
	while (!in_block(&h->p, h->block, l->mine)) h->block++;
	h->at = l->mine - h->p.v[h->block].first;
	h->turn = turn_of(&h->p, l->mine);
	h->joins = h->p.v[h->block].rest ? h->block : h->block - 1;
	if (needs_rest(h)) h->rest_of = way_of_rest(&h->p, h->block, h->at);
	h->own = (held){1, arena_array(a, 1, sizeof *h->own.v), of->size, row, 0};
	h->list = arena_array(a, (size_t)h->block + 1, sizeof *h->list);
	if (!h->own.v || !h->list) return false;
	h->own.v[0] = (stretch){{0, of->size}, 0};
	return deal_all(a, &h->p, h->block + 1, of->size, h->list);
}

typedef struct rounds { /* of several groups */
	replicating *r;
	const eqn *e;
	halving *h;
	int n;
	transfer *early; /* by round, what the rest sends early, and behind it what is passed on */
	bool *ended;
} rounds;

static bool end_early(rounds *x, int k)
{
	if (x->ended[k]) return true;
	x->ended[k] = true;
	return transfer_end(&x->early[k]);
}

/* those that have got something early pass it on, while halves are on their way */
static bool pass_on_all(rounds *x, int round)
{
	transfer *to = &x->early[2 * round + 1];
	const turn t = {x->r, to, round};

	for (int k = 0; k < x->n; k++) {
		halving *h = &x->h[k];
		if (!is_early(h) || is_together(h) || h->rest_of.had != round) continue;
		if (!end_early(x, 2 * h->rest_of.sent + (h->rest_of.from >= 0)) ||
		    !gather_rest(&t, h, &h->early))
			return false;
	}
	*to = (transfer){.r = x->r, .e = x->e, .ordered = true};
	for (int k = 0; k < x->n; k++)
		if (!pass_on(&t, &x->h[k])) return false;
	return transfer_begin(to);
}

static bool go_round(rounds *x, int round)
{
	transfer halves = {.r = x->r, .e = x->e, .ordered = true}, *early = &x->early[2 * round];
	const turn t = {x->r, &halves, round}, e = {x->r, early, round};

	*early = halves;
	for (int k = 0; k < x->n; k++)
		if (!early_begin(&e, &x->h[k], false)) return false;
	if (!transfer_begin(early)) return false;
	for (int k = 0; k < x->n; k++)
		if (!halving_begin(&t, &x->h[k]) || !early_begin(&t, &x->h[k], true)) return false;
	if (!transfer_begin(&halves) || !pass_on_all(x, round) || !transfer_end(&halves))
		return false;
	for (int k = 0; k < x->n; k++)
		if (!halving_end(&t, members_join(x->e), &x->h[k])) return false;
	return true;
}

bool scatter_in_rounds(replicating *r, const eqn *e, lineup *const *l, int n, var *row)
{
	arena *a = r->all->arena;
	rounds x = {r, e, arena_array(a, (size_t)n + 1, sizeof *x.h), n, NULL, NULL};
	int most = 0;

	for (int k = 0; k < n; k++) {
		if (!x.h || !halving_open(r, l[k], row[k], &x.h[k])) return false;
		most = x.h[k].p.v[0].last + 1 > most ? x.h[k].p.v[0].last + 1 : most;
	}
	x.early = arena_array(a, 2 * (size_t)most + 1, sizeof *x.early);
	x.ended = arena_array(a, 2 * (size_t)most + 1, sizeof *x.ended);
	if (!x.early || !x.ended) return false;
	for (int round = 0; round < most; round++)
		if (!go_round(&x, round)) return false;
	for (int k = 0; k < 2 * most; k++)
		if (!end_early(&x, k)) return false;
	for (int k = 0; k < n; k++) row[k] = x.h[k].own.row;
	return !build_failed(r->to);
}
