/* crossing_halves.c - sums over a number of processes that is no power of two, in about log2(n)
 * rounds: each gets its part of the sum, or all of it.
 *
 * Device 6 of seven is here, and devices 0 to 5 in processes 2 to 7:
 *
 *     pass replicate 2345671
 *     axes (x of (x:7)) f(%0: f32[256]{x}) -> f32[256] {
 *       %1: f32[256] = psum %0 axes=(x) to=invarying
 *       return %1
 *     }
 *     gives
 *     f(%0: f32[256]) -> f32[256] {
 *       %1: f32[256] = transfer_begin %0 %0 number=1 to=[7,6] from=[6] types=[f32[256]]
 *       %2: f32[256] = transfer_end %0 %0 %1 number=1 to=[7,6] from=[6] types=[f32[256]]
 *       %3: f32[256] = add %2 %0
 *       %4: f32[256] = transfer_begin %3 number=2 to=[4] from=[4] types=[f32[256]]
 *       %5: f32[256] = transfer_end %3 %4 number=2 to=[4] from=[4] types=[f32[256]]
 *       %6: f32[256] = add %5 %3
 *       %7: f32[256] = add %6 0.0:f32
 *       return %7
 *     }
 *     operand 0 on each device: 0
 *     result 0 on each device: 0
 *
 * The tree of a sum (docs/numerics.md) has at its left a block, of as many processes as the largest
 * power of two below n, and at its right the rest, which is such a tree again: of 7 processes, 0 to
 * 3, then 4 and 5, then 6. A block exchanges halves of rows, nearest first, and its rest does
 * likewise in the same rounds. Then both have sums of the same parts, at different processes, and
 * each process gets from the other side what is to be its own. Of 7 processes, with parts 0 to 6 of
 * a row:
 *
 *     process     0        1        2        3        4        5        6
 *     round 1     with 1            with 3            with 5
 *     has         0 2 4 6  1 3 5    0 2 4 6  1 3 5    0 2 4 6  1 3 5    all
 *     round 2     with 2   with 3                     from 6   from 6   from 4
 *     has         0 4      1 5      2 6      3        0 4      1 3 5    2 6
 *     round 3     with 4   with 5   with 6   from 5
 *     has         0        1        2        3        4        5        6
 *
 * Part k is process k's in the end. Before, a part is where its last bits say: after i rounds a
 * process of a block has the parts whose numbers end with the i bits of its own. The rest of a
 * block of m is one of m places. Each of its processes has one, and those at the same places of the
 * block have what is at the others, as process 3 has place 7, and 5 has place 3 of the second
 * block. So a message to one process, of the parts with some last bits, is almost always enough.
 *
 * A process of a small rest has what many in the block need. It has its sum before they are ready,
 * and sends it early: of the parts that 0 to 31 need, process 32 sends half to one of them, and in
 * the next round half of what is left, or in pieces so small as pays. Who gets more than it needs
 * passes it on with its halves. And the last blocks, up to 64 processes, may send each other all at
 * once, while those before them exchange halves: many blocks of few processes would move more
 * bytes. The least by message_costs is chosen, which is the same in all processes. */
#include "pass/replicate.h"

typedef struct block { /* and its rest, which is all blocks behind it */
	int first, n, rest;
	int rounds; /* in which it exchanges halves */
	int places; /* of the block and its rest */
	int ready;  /* the rest has its sums before this round, */
	int last;   /* and both have theirs after that one */
	bool at_once; /* all send each other their parts; there is no rest */
} block;

typedef struct plan {
	int n, nblocks;
	bool whole; /* all get all of the sum: there is one part */
	block v[MOST_BLOCKS];
	halving_way way;
} plan;

/* ---- who has what */

/* so many rounds pass until n processes have sent each other their parts */
static int rounds_at_once(axis_level level, int n)
{
	const int rounds = (int)(direct_ns(level, n, 0) / message_costs[level].latency);

	return rounds > 1 ? rounds : 1;
}

static plan plan_blocks(int n, bool whole, axis_level level, int base)
{
	plan p = {.n = n, .whole = whole, .way = {.base = base, .spread = 1}};

	for (int first = 0, size; first < n; first += size) {
		block *b = &p.v[p.nblocks++];
		for (size = 1; size <= (n - first) / 2;) size *= 2;
		const bool at_once = base && p.nblocks - 1 == base;
		if (at_once) size = n - first;
		*b = (block){.first = first, .n = size, .rest = n - first - size};
		b->at_once = at_once;
		b->rounds = b->at_once ? 0 : rounds_of(size);
		b->places = b->at_once ? b[-1].n : b->rest ? 2 * size : size;
	}
	for (int e = p.nblocks - 1, ready = 0; e >= 0; ready = p.v[e--].last + 1) {
		block *b = &p.v[e];
		b->ready = ready;
		b->last = b->rounds > ready ? b->rounds : ready;
		if (!b->rest) b->last = (b->at_once ? rounds_at_once(level, b->n) : b->rounds) - 1;
		p.way.early[e] = b->last;
	}
	return p;
}

/* Of those that send each other all at once, the one that has this part. They take places in their
 * turn, as long as there is one for each; the parts of the others are spread */
static int owner_at_once(const plan *p, const block *b, int part)
{
	const int at = part & (b->places - 1), full = b->places / b->n * b->n;
	const int turn = part / b->places % p->way.spread;

	return b->first + (at < full ? at : (at - full) * p->way.spread + turn) % b->n;
}

/* The process that has this part of the sum of block e and its rest. Places behind the last
 * process are of those that have the same one in the block */
static int owner_of(const plan *p, int e, int part)
{
	for (int v = part;; e++) {
		const block *b = &p->v[e];
		if (b->at_once) return owner_at_once(p, b, part);
		v &= b->places - 1;
		if (v < b->n) return b->first + v;
		v -= b->n;
		if (v >= b->rest) return b->first + v;
	}
}

static bool in_block(const plan *p, int e, int process)
{
	return process >= p->v[e].first && process < p->v[e].first + p->v[e].n;
}

/* the round in which the rest sends what process `at` of the block needs */
static int round_sent(const plan *p, int e, int at)
{
	const block *b = &p->v[e];
	int t = p->way.early[e];

	if (t == b->last || b[1].at_once) return b->last;
	/* so many messages for each place of the rest, half of them in this round, and of the
	 * others two each for the next one */
	const int half = (2 << t) / p->v[e + 1].places / 2;
	for (int i = (at & ((2 << t) - 1)) / p->v[e + 1].places; t < b->rounds; t++) {
		if (i < half) return t;
		i = 2 * (i - half) + (at >> (t + 1) & 1);
	}
	return b->last;
}

/* those whose numbers end with the same bits, so many, have the same parts after round t */
static int alike(const block *b, int t) { return t < b->rounds ? 2 << t : b->n; }

/* ---- what takes less */

/* What messages of the rest take longer than one in each round, one for each of its places, of
 * which a process has so many; and what it takes to pass on what is sent early */
static double choose_early(plan *p, int e, axis_level level, int places, double bytes)
{
	const message_cost *c = &message_costs[level];
	const block *b = &p->v[e];
	const double row = bytes * c->byte, more = c->start + (p->whole ? row : 0);
	const int all = p->v[e + 1].places;
	double least = (places * (b->n / all) - 1) * more;

	for (int t = b->ready; t < b->rounds; t++) {
		const int each = places * ((2 << t) / all / 2);
		const double passed = p->whole ? (b->rounds - 1 - t) * row : row / (2 << t);
		/* the first comes with a half that its process waits for, too */
		const double ns =
			((b->rounds - t + 1) * (each - 1) + (t == b->ready)) * more + passed;
		if (ns >= least) continue;
		least = ns;
		p->way.early[e] = t;
	}
	return least;
}

enum { MOST_AT_ONCE = 64 };

/* the same for a rest that has sent all at once, which takes *ns */
static double choose_base(const plan *p, const block *b, axis_level level, double bytes, double *ns)
{
	const int full = b->places / b->n * b->n, spread = p->way.spread;
	int parts[MOST_AT_ONCE] = {0}, sends[MOST_AT_ONCE] = {0}, most = 0, n = spread;

	for (int at = 0; at < b->places; at++) {
		const int all = (p->n - at + b->places - 1) / b->places;
		for (int turn = 0; turn < (at < full ? 1 : spread); turn++) {
			const int k = owner_at_once(p, b, at + turn * b->places) - b->first;
			parts[k] += at < full ? all : (all - turn + spread - 1) / spread;
			sends[k]++;
		}
	}
	for (int k = 0; k < b->n; k++) {
		most = parts[k] > most ? parts[k] : most;
		n = sends[k] > n ? sends[k] : n;
	}
	*ns = direct_ns(level, b->n, bytes * most / p->n * (b->n - 1));
	return (n - 1) * message_costs[level].start;
}

/* Messages that some processes start later delay those that receive them; the processes that start
 * several in the next block and rest are others. So only the most of these delays counts */
static void choose_all(plan *p, axis_level level, double bytes)
{
	const message_cost *c = &message_costs[level];
	const double row = bytes * c->byte;
	double more = 0, most = 0;
	int places = 1; /* that a process of the rest has */

	p->way.ns = 0;
	for (int e = p->nblocks - 1; e >= 0; e--) {
		const block *b = &p->v[e];
		const double halves = p->whole ? b->rounds : 1 - 1.0 / b->n;
		const double ns = b->rounds * c->latency + halves * row;
		if (b->at_once) {
			more = choose_base(p, b, level, bytes, &p->way.ns);
			continue;
		}
		if (ns > p->way.ns) p->way.ns = ns;
		if (!b->rest) continue;
		if (!b[1].at_once) more = choose_early(p, e, level, places, bytes);
		if (more > most) most = more;
		places = 2;
		const double parts = e ? (p->n + b->places - 1) / b->places * places : 1;
		p->way.ns += c->latency + row * (p->whole ? 1 : parts / p->n);
	}
	p->way.ns += most;
}

static plan choose_plan(axis_level level, int n, double bytes, bool whole)
{
	plan best = plan_blocks(n, whole, level, 0);
	const int nblocks = best.nblocks;

	choose_all(&best, level, bytes);
	for (int base = 1; !whole && base < nblocks; base++) {
		plan p = plan_blocks(n, whole, level, base);
		const int all = p.v[base].n, most = (n - 1) / p.v[base].places + 1;
		const int spreads[] = {1, 2, 4, all};
		for (int i = 0; i < 4 && all > 1 && all <= MOST_AT_ONCE; i++) {
			p.way.spread = spreads[i];
			if (spreads[i] > all || spreads[i] > most) continue;
			choose_all(&p, level, bytes);
			if (p.way.ns < best.way.ns) best = p;
		}
	}
	return best;
}

halving_way halving_way_of(axis_level level, int n, double bytes, bool whole)
{
	return choose_plan(level, n, bytes, whole).way;
}

/* ---- some parts, one behind the other in a row */

typedef struct parts {
	int n;
	int *v; /* their numbers */
	var row;
	int from; /* that they come from */
} parts;

typedef struct halving { /* of one group */
	const lineup *line;
	plan p;
	int64_t size;  /* of a part */
	int block, at; /* the process is number `at` of this block */
	int joins;     /* the block and rest whose sums are joined next; -1: all are */
	parts own;     /* of the sum of those joined so far */
	parts rest;    /* of the sum of the rest of its block; none before it comes */
	var half;      /* that comes in this round, and */
	parts more;    /* the parts of the rest's sum that come with it */
	parts *come;   /* of what is joined */
	int ncome;
	int *where; /* by number of a part: its position */
} halving;

/* `n` parts of the row, from position `at` on, each `step` behind the one before */
static var every(build *b, const parts *x, int64_t size, int at, int n, int step)
{
	const int64_t dims[] = {x->n, size}, flat = n * size;
	int64_t start[] = {at, 0}, stop[] = {at + (int64_t)(n - 1) * step + 1, size};
	int64_t steps[] = {step, 1};
	const slice_params p = {{2, start}, {2, stop}, {2, steps}};

	if (n == x->n && step == 1) return x->row;
	if (step == 1) return emit_part(b, x->row, 0, at * size, (at + n) * size);
	const var rows = emit_reshape(b, x->row, dims, 2);
	return emit_reshape(b, emit(b, &tsr__prim_slice, &p, &rows, 1), &flat, 1);
}

static void note_places(halving *h, const parts *x)
{
	for (int i = 0; i < x->n; i++) h->where[x->v[i]] = i;
}

/* those of x with these numbers, in few slices; note_places was told of x */
static var take(replicating *r, const halving *h, const parts *x, const parts *these)
{
	var *v = arena_array(r->all->arena, (size_t)these->n + 1, sizeof *v);
	int count = 0;

	for (int i = 0, end; v && i < these->n; i = end) {
		const int *where = h->where, at = where[these->v[i]];
		int step = i + 1 < these->n ? where[these->v[i + 1]] - at : 1;
		if (step < 1) step = 1;
		for (end = i + 1; end < these->n; end++)
			if (where[these->v[end]] - where[these->v[end - 1]] != step) break;
		v[count++] = every(r->to, x, h->size, at, end - i, end - i > 1 ? step : 1);
	}
	return v && count ? emit_join(r->to, v, count, 0) : (var){0};
}

/* the one part that there is */
static bool list_whole(replicating *r, parts *x)
{
	static const int first = 0;

	*x = (parts){.n = 1, .v = arena_copy(r->all->arena, &first, sizeof first)};
	return x->v;
}

/* an empty list with room for parts that have one of so many ends */
static bool list_room(replicating *r, const halving *h, int ends, parts *x)
{
	*x = (parts){.v = arena_array(r->all->arena, (size_t)(h->p.n / ends) + 1, sizeof *x->v)};
	return x->v;
}

static int rank_of(const halving *h) { return h->p.v[h->block].first + h->at; }

/* those of which process `at` of block e needs the rest's sum, or others with the same end do */
static bool list_needed(replicating *r, const halving *h, int e, int at, int ends, parts *x)
{
	if (h->p.whole) return list_whole(r, x);
	if (!list_room(r, h, ends, x)) return false;
	for (int v = at & (ends - 1); v < h->p.n; v += ends)
		if (in_block(&h->p, e, owner_of(&h->p, e, v))) x->v[x->n++] = v;
	return true;
}

/* those of them that `process` has of the sum of block e and its rest */
static void keep_owned(const halving *h, int e, int process, parts *x)
{
	int n = 0;

	for (int i = 0; i < x->n; i++)
		if (owner_of(&h->p, e, x->v[i]) == process) x->v[n++] = x->v[i];
	x->n = n;
}

static bool list_owned(replicating *r, const halving *h, int e, int process, parts *x)
{
	if (h->p.whole) return list_whole(r, x);
	*x = (parts){.n = h->own.n,
	             .v = arena_array(r->all->arena, (size_t)h->own.n + 1, sizeof *x->v)};
	if (!x->v) return false;
	memcpy(x->v, h->own.v, (size_t)h->own.n * sizeof *x->v);
	keep_owned(h, e, process, x);
	return true;
}

/* ---- one round of one process: what it sends and receives */

typedef struct turn {
	replicating *r;
	transfer *t;
	int round;
} turn;

static bool send_to(const turn *t, const halving *h, int rank, var row)
{
	return !build_failed(t->r->to) && transfer_send(t->t, process_at(t->r, h->line, rank), row);
}

static bool receive_from(const turn *t, const halving *h, int rank, int nparts, var *to)
{
	const int64_t size = nparts * h->size;
	const type *of = build_failed(t->r->to) ? NULL : build_type(t->r->to, h->own.row);

	of = of ? type_make(t->r->from->ir, of->dtype, &size, 1, 0) : NULL;
	return of && transfer_receive(t->t, process_at(t->r, h->line, rank), of, to);
}

/* splits parts by the bit of this round: those that stay here, and those that go */
static bool split(const turn *t, halving *h, parts *x, parts *goes)
{
	const int bit = 1 << t->round;
	parts stays = {0};

	*goes = h->p.whole ? *x : (parts){0};
	if (!x->n || h->p.whole) return true;
	stays.v = arena_array(t->r->all->arena, (size_t)x->n, sizeof *stays.v);
	goes->v = arena_array(t->r->all->arena, (size_t)x->n, sizeof *goes->v);
	if (!stays.v || !goes->v) return false;
	for (int i = 0; i < x->n; i++) {
		parts *to = (x->v[i] ^ h->at) & bit ? goes : &stays;
		to->v[to->n++] = x->v[i];
	}
	note_places(h, x);
	goes->row = take(t->r, h, x, goes);
	stays.row = take(t->r, h, x, &stays);
	*x = stays;
	return true;
}

/* half of what it has, and of what it has of the rest's sum; and what the other sends */
static bool exchange_half(const turn *t, halving *h)
{
	const block *b = &h->p.v[h->block];
	const int other = b->first + (h->at ^ 1 << t->round);
	parts goes, rest;

	if (!split(t, h, &h->own, &goes) || !split(t, h, &h->rest, &rest)) return false;
	const var both[] = {goes.row, rest.row};
	if (goes.n && !send_to(t, h, other, emit_join(t->r->to, both, rest.n ? 2 : 1, 0)))
		return false;
	h->more = (parts){0};
	if (h->at >> t->round == 1 && b->rest && round_sent(&h->p, h->block, h->at) < t->round &&
	    !list_needed(t->r, h, h->block, h->at, 2 << t->round, &h->more))
		return false;
	return receive_from(t, h, other, h->own.n + h->more.n, &h->half);
}

/* of the rest's sum what its block needs, to each process that gets some now */
static bool send_rest(const turn *t, halving *h)
{
	const int ends = alike(&h->p.v[h->joins], t->round);
	parts x;

	note_places(h, &h->own);
	for (int at = 0; at < ends; at++) {
		if (round_sent(&h->p, h->joins, at) != t->round) continue;
		if (!list_needed(t->r, h, h->joins, at, ends, &x)) return false;
		if (!h->p.whole) keep_owned(h, h->joins + 1, rank_of(h), &x);
		else if (owner_of(&h->p, h->joins + 1, at) != rank_of(h)) continue;
		if (x.n && !send_to(t, h, h->p.v[h->joins].first + at, take(t->r, h, &h->own, &x)))
			return false;
	}
	return true;
}

/* some parts that come, each from where `from` says, as h->come */
static bool receive_parts(const turn *t, halving *h, const parts *all, const int *from)
{
	h->ncome = 0;
	h->come = arena_array(t->r->all->arena, (size_t)all->n + 1, sizeof *h->come);
	for (int i = 0; h->come && i < all->n; i++) {
		int c = 0;
		while (c < h->ncome && h->come[c].from != from[i]) c++;
		if (c == h->ncome) {
			parts *x = &h->come[h->ncome++];
			*x = (parts){.from = from[i]};
			x->v = arena_array(t->r->all->arena, (size_t)all->n, sizeof *x->v);
			if (!x->v) return false;
		}
		h->come[c].v[h->come[c].n++] = all->v[i];
	}
	for (int c = 0; h->come && c < h->ncome; c++)
		if (!receive_from(t, h, h->come[c].from, h->come[c].n, &h->come[c].row))
			return false;
	return h->come;
}

static bool receive_rest(const turn *t, halving *h)
{
	const block *b = &h->p.v[h->block];
	const int ends = alike(b, t->round), e = h->block + 1;

	h->ncome = 0;
	if (h->at >= ends || round_sent(&h->p, h->block, h->at) != t->round) return true;
	if (!list_needed(t->r, h, h->block, h->at, ends, &h->rest)) return false;
	if (!b[1].at_once)
		return receive_from(t, h, owner_of(&h->p, e, h->at), h->rest.n, &h->rest.row);
	int *from = arena_array(t->r->all->arena, (size_t)h->rest.n + 1, sizeof *from);
	for (int i = 0; from && i < h->rest.n; i++) from[i] = owner_of(&h->p, e, h->rest.v[i]);
	return from && receive_parts(t, h, &h->rest, from);
}

/* what the rest gets of the block's sum */
static bool send_block(const turn *t, halving *h)
{
	const block *b = &h->p.v[h->block];
	const int to = h->p.whole ? rank_of(h) + b->n : owner_of(&h->p, h->block, b->n + h->at);
	parts x;

	if (to == rank_of(h) || (h->p.whole && h->at >= b->rest)) return true;
	if (!list_owned(t->r, h, h->block, to, &x)) return false;
	note_places(h, &h->own);
	return !x.n || send_to(t, h, to, take(t->r, h, &h->own, &x));
}

static bool receive_block(const turn *t, halving *h)
{
	const block *b = &h->p.v[h->joins];
	parts all;

	if (!list_owned(t->r, h, h->joins, rank_of(h), &all)) return false;
	int *from = arena_array(t->r->all->arena, (size_t)all.n + 1, sizeof *from);
	for (int i = 0; from && i < all.n; i++)
		from[i] = h->p.whole ? rank_of(h) - b->n : b->first + (all.v[i] & (b->n - 1));
	return from && receive_parts(t, h, &all, from);
}

/* what a process of a block that exchanges all at once gets, place by place: so these are few
 * slices of a row of all parts */
static bool list_at_once(replicating *r, const halving *h, int process, parts *x)
{
	const block *b = &h->p.v[h->block];
	const int full = b->places / b->n * b->n;

	*x = (parts){.v = arena_array(r->all->arena, (size_t)h->p.n, sizeof *x->v)};
	for (int at = 0; x->v && at < b->places; at++) {
		const int turns = at < full ? 1 : h->p.way.spread;
		for (int turn = 0; turn < turns; turn++) {
			const int first = at + turn * b->places;
			if (owner_at_once(&h->p, b, first) != process) continue;
			for (int v = first; v < h->p.n; v += turns * b->places) x->v[x->n++] = v;
		}
	}
	return x->v;
}

/* the parts of all others of a block that exchanges all at once */
static bool exchange_all(const turn *t, halving *h)
{
	const block *b = &h->p.v[h->block];
	parts x;

	h->come = arena_array(t->r->all->arena, (size_t)b->n, sizeof *h->come);
	note_places(h, &h->own);
	for (int k = 0; h->come && k < b->n; k++) {
		if (!list_at_once(t->r, h, b->first + k, &x)) return false;
		x.row = take(t->r, h, &h->own, &x);
		if (k == h->at) h->come[k] = x;
		else if (!send_to(t, h, b->first + k, x.row)) return false;
	}
	for (int k = 0; h->come && k < b->n; k++)
		if (k != h->at &&
		    !receive_from(t, h, b->first + k, h->come[h->at].n, &h->come[k].row))
			return false;
	return h->come;
}

static bool join_all(const turn *t, const tsr_prim *join, halving *h)
{
	const int n = h->p.v[h->block].n;
	var *row = arena_array(t->r->all->arena, (size_t)n, sizeof *row);

	for (int k = 0; row && k < n; k++) row[k] = h->come[k].row;
	if (!row) return false;
	h->own = h->come[h->at];
	h->own.row = members_tree(t->r->to, join, row, n);
	return !build_failed(t->r->to);
}

static bool joins_now(const turn *t, const halving *h)
{
	return h->joins >= 0 && t->round == h->p.v[h->joins].last;
}

static bool halving_begin(const turn *t, halving *h)
{
	const block *b = &h->p.v[h->block];

	if (b->at_once && !t->round) return exchange_all(t, h);
	if (t->round < b->rounds && !exchange_half(t, h)) return false;
	if (h->joins < 0) return true;
	if (h->joins == h->block)
		return receive_rest(t, h) && (!joins_now(t, h) || send_block(t, h));
	return t->round < h->p.v[h->joins].ready ||
	       (send_rest(t, h) && (!joins_now(t, h) || receive_block(t, h)));
}

/* ---- and what it makes of that */

static void join_half(const turn *t, const tsr_prim *join, halving *h)
{
	const parts came = {.n = h->own.n + h->more.n, .row = h->half};
	const bool right = h->at >> t->round & 1;
	const var half = every(t->r->to, &came, h->size, 0, h->own.n, 1);

	h->own.row = emit_2(t->r->to, join, right ? half : h->own.row, right ? h->own.row : half);
	if (!h->more.n) return;
	h->more.row = every(t->r->to, &came, h->size, h->own.n, h->more.n, 1);
	h->rest = h->more;
}

/* its own parts of block and rest: the block's are at the left */
static bool join_rest(const turn *t, const tsr_prim *join, halving *h)
{
	const bool in_rest = h->joins < h->block, came = h->ncome;
	var *come = arena_array(t->r->all->arena, (size_t)h->ncome + 1, sizeof *come);
	parts x;

	if (!come || !list_owned(t->r, h, h->joins, rank_of(h), &x)) return false;
	for (int c = 0, n = 0; c < h->ncome; n += h->come[c++].n) {
		memcpy(x.v + n, h->come[c].v, (size_t)h->come[c].n * sizeof *x.v);
		come[c] = h->come[c].row;
	}
	note_places(h, &h->own);
	const var own = take(t->r, h, &h->own, &x);
	const var other = came ? emit_join(t->r->to, come, h->ncome, 0) : h->rest.row;
	x.row = emit_2(t->r->to, join, in_rest ? other : own, in_rest ? own : other);
	h->own = x;
	h->joins--;
	return !build_failed(t->r->to);
}

static bool halving_end(const turn *t, const tsr_prim *join, halving *h)
{
	if (h->p.v[h->block].at_once && !t->round) return join_all(t, join, h);
	if (t->round < h->p.v[h->block].rounds) join_half(t, join, h);
	return !joins_now(t, h) || join_rest(t, join, h);
}

/* ---- all groups */

static bool halving_open(replicating *r, const lineup *l, var row, bool whole, halving *h)
{
	const type *of = build_failed(r->to) ? NULL : build_type(r->to, row);

	if (!of) return false;
	const int n = whole ? 1 : l->n;
	const double bytes = (double)of->size * (double)tsr_dtype_size(of->dtype);
	*h = (halving){.line = l,
	               .size = of->size / n,
	               .p = choose_plan(l->level, l->n, bytes, whole)};
	while (!in_block(&h->p, h->block, l->mine)) h->block++;
	h->at = l->mine - h->p.v[h->block].first;
	h->joins = h->p.v[h->block].rest ? h->block : h->block - 1;
	h->own = (parts){n, arena_array(r->all->arena, (size_t)n, sizeof *h->own.v), row, 0};
	h->where = arena_array(r->all->arena, (size_t)n, sizeof *h->where);
	for (int v = 0; h->own.v && v < n; v++) h->own.v[v] = v;
	return h->own.v && h->where;
}

bool sum_in_rounds(replicating *r, const eqn *e, lineup *const *l, int n, bool whole, var *row)
{
	halving *h = arena_array(r->all->arena, (size_t)n + 1, sizeof *h);
	int most = 0;

	for (int k = 0; k < n; k++) {
		if (!h || !halving_open(r, l[k], row[k], whole, &h[k])) return false;
		most = h[k].p.v[0].last + 1 > most ? h[k].p.v[0].last + 1 : most;
	}
	for (int round = 0; round < most; round++) {
		transfer transfer = {.r = r, .e = e};
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
