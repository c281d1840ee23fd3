/* crossing_halves.c - sums over a number of processes that is no power of two, in about log2(n)
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
 * Which elements these messages have, and what is sent early, is planned in crossing_shares.c. */
#include <stdlib.h>
#include "pass/shares.h"

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
	held more;     /* of it, what comes in this round */
	var half;      /* with a half */
	lists come;    /* what else does */
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

/* these of x, in few slices */
static var take(replicating *r, const held *x, const held *these)
{
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
	const int bit = 1 << t->round, differs = (process - h->p.v[h->block].first) ^ h->at;

	return differs & (bit - 1) ? -1 : (differs & bit) != 0;
}

static int half_of_own(const turn *t, const halving *h, const run *x)
{
	return half_of(t, h, has_it(&h->p.v[h->block], x, false));
}

static int half_of_rest(const turn *t, const halving *h, const run *x)
{
	return in_block(&h->p, h->block, x->owner) ? half_of(t, h, x->owner) : -1;
}

/* of the rest's sum what this process needs, or others that have the same so far do */
static int needed(const turn *t, const halving *h, const run *x)
{
	return half_of_rest(t, h, x) ? -1 : 0;
}

static int from_rest(const turn *t, const halving *h, const run *x)
{
	return needed(t, h, x) < 0 ? -1 : has_it(&h->p.v[h->block], x, true);
}

static int to_block(const turn *t, const halving *h, const run *x)
{
	const block *b = &h->p.v[h->joins];
	const int at = (x->owner - b->first) & (alike(b, t->round) - 1);

	if (!in_block(&h->p, h->joins, x->owner) || has_it(b, x, true) != rank_of(h)) return -1;
	return round_sent(&h->p, h->joins, at) == t->round ? b->first + at : -1;
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

/* splits what it has by the bit of this round: what stays here, and what goes */
static bool split(const turn *t, halving *h, held *x, peer_of *half, held *goes)
{
	const held both = *x;
	lists to;

	*goes = (held){0};
	if (!both.n) return true;
	if (!list_by(t, h, h->block, half, &to)) return false;
	for (int i = 0; i < to.n; i++) {
		to.v[i].row = take(t->r, &both, &to.v[i]);
		*(to.v[i].peer ? goes : x) = to.v[i];
	}
	return true;
}

/* half of what it has, and of what it has of the rest's sum; and what the other sends */
static bool exchange_half(const turn *t, halving *h)
{
	const block *b = &h->p.v[h->block];
	const int other = b->first + (h->at ^ 1 << t->round);
	held goes, rest;

	if (!split(t, h, &h->own, half_of_own, &goes) ||
	    !split(t, h, &h->rest, half_of_rest, &rest))
		return false;
	const var both[] = {goes.row, rest.row};
	if (!send_to(t, h, other, emit_join(t->r->to, both, rest.n ? 2 : 1, 0))) return false;
	h->more = (held){0};
	if (h->at >> t->round == 1 && b->rest && round_sent(&h->p, h->block, h->at) < t->round &&
	    !list_one(t, h, h->block, needed, &h->more))
		return false;
	return receive_from(t, h, other, h->own.size + h->more.size, &h->half);
}

static bool send_all(const turn *t, const halving *h, int e, peer_of *peer)
{
	lists to;

	if (!list_by(t, h, e, peer, &to)) return false;
	for (int i = 0; i < to.n; i++)
		if (to.v[i].peer != rank_of(h) &&
		    !send_to(t, h, to.v[i].peer, take(t->r, &h->own, &to.v[i])))
			return false;
	return true;
}

static bool receive_all(const turn *t, halving *h, int e, peer_of *peer)
{
	if (!list_by(t, h, e, peer, &h->come)) return false;
	for (int i = 0; i < h->come.n; i++) {
		held *x = &h->come.v[i];
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
	    !send_all(t, h, h->block, to_owner))
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
	const bool last = joins_now(t, h);

	h->come = (lists){0};
	if (is_at_once(t, h)) return exchange_all(t, h);
	if (t->round < b->rounds && !exchange_half(t, h)) return false;
	if (h->joins < 0) return true;
	if (h->joins < h->block)
		return t->round < h->p.v[h->joins].ready ||
		       (send_all(t, h, h->joins, to_block) &&
		        (!last || receive_all(t, h, h->joins, from_block)));
	if (h->at < alike(b, t->round) && round_sent(&h->p, h->block, h->at) == t->round &&
	    !receive_all(t, h, h->block, from_rest))
		return false;
	return !last || send_all(t, h, h->block, to_rest);
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
	const var half = every(t->r->to, &came, 0, h->own.size, 1, 0);

	h->own.row = emit_2(t->r->to, join, right ? half : h->own.row, right ? h->own.row : half);
	if (!h->more.n) return;
	h->more.row = every(t->r->to, &came, h->own.size, h->more.size, 1, 0);
	h->rest = h->more;
}

static int compare_stretches(const void *a, const void *b)
{
	const stretch *x = a, *y = b;

	return (x->of.first > y->of.first) - (x->of.first < y->of.first);
}

/* what came of the other side's sum, as one row */
static bool gather_rest(const turn *t, halving *h)
{
	held all = {0};
	var *row = arena_array(t->r->all->arena, (size_t)h->come.n, sizeof *row);

	for (int i = 0; i < h->come.n; i++) all.n += h->come.v[i].n;
	all.v = arena_array(t->r->all->arena, (size_t)all.n, sizeof *all.v);
	if (!row || !all.v) return false;
	stretch *to = all.v;
	for (int i = 0; i < h->come.n; i++) {
		const held *x = &h->come.v[i];
		for (int k = 0; k < x->n; k++) *to++ = (stretch){x->v[k].of, all.size + x->v[k].at};
		all.size += x->size;
		row[i] = x->row;
	}
	qsort(all.v, (size_t)all.n, sizeof *all.v, compare_stretches);
	all.row = emit_join(t->r->to, row, h->come.n, 0);
	h->rest = all;
	return true;
}

/* its own of block and rest: the block's are at the left */
static bool join_rest(const turn *t, const tsr_prim *join, halving *h)
{
	const bool in_rest = h->joins < h->block;
	held x;

	if (!list_one(t, h, h->joins, all_of_own, &x)) return false;
	const var own = take(t->r, &h->own, &x), other = take(t->r, &h->rest, &x);
	x.row = emit_2(t->r->to, join, in_rest ? other : own, in_rest ? own : other);
	h->own = x;
	h->rest = (held){0};
	h->joins--;
	return !build_failed(t->r->to);
}

static bool halving_end(const turn *t, const tsr_prim *join, halving *h)
{
	if (t->round < h->p.v[h->block].rounds) join_half(t, join, h);
	if (is_at_once(t, h) && !join_all(t, join, h)) return false;
	if (h->come.n && !gather_rest(t, h)) return false;
	return !joins_now(t, h) || join_rest(t, join, h);
}

/* ---- all groups */

static bool halving_open(replicating *r, const lineup *l, var row, halving *h)
{
	const type *of = build_failed(r->to) ? NULL : build_type(r->to, row);
	arena *a = r->all->arena;

	if (!of) return false;
	const int n = l->n;
	const double bytes = (double)of->size * (double)tsr_dtype_size(of->dtype);
	*h = (halving){.line = l, .p = choose_plan(l->level, n, bytes)};
	while (!in_block(&h->p, h->block, l->mine)) h->block++;
	h->at = l->mine - h->p.v[h->block].first;
	h->turn = turn_of(&h->p, l->mine);
	h->joins = h->p.v[h->block].rest ? h->block : h->block - 1;
	h->own = (held){1, arena_array(a, 1, sizeof *h->own.v), of->size, row, 0};
	h->list = arena_array(a, (size_t)h->block + 1, sizeof *h->list);
	if (!h->own.v || !h->list) return false;
	h->own.v[0] = (stretch){{0, of->size}, 0};
	return deal_all(a, &h->p, h->block + 1, of->size / n, h->list);
}

bool scatter_in_rounds(replicating *r, const eqn *e, lineup *const *l, int n, var *row)
{
	halving *h = arena_array(r->all->arena, (size_t)n + 1, sizeof *h);
	int most = 0;

	for (int k = 0; k < n; k++) {
		if (!h || !halving_open(r, l[k], row[k], &h[k])) return false;
		most = h[k].p.v[0].last + 1 > most ? h[k].p.v[0].last + 1 : most;
	}
	for (int round = 0; round < most; round++) {
		transfer transfer = {.r = r, .e = e, .ordered = true};
		const turn t = {r, &transfer, round};
		for (int k = 0; k < n; k++)
			if (!halving_begin(&t, &h[k])) return false;
		if (!transfer_emit(&transfer)) return false;
		for (int k = 0; k < n; k++)
			if (!halving_end(&t, members_join(e), &h[k])) return false;
	}
	for (int k = 0; k < n; k++) row[k] = h[k].own.row;
	return !build_failed(r->to);
}
