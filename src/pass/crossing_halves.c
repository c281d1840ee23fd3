/* crossing_halves.c - sums over a number of processes that is no power of two, in about log2(n)
 * rounds: each gets its part of the sum.
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
 * and sends it early: in some round one message for all that have the same parts then, which pass
 * it on with their halves. Of these messages it keeps some for the next rounds, in which each has
 * become two of half the bytes. And the last blocks, up to 64 processes, may send each other all at
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

static plan plan_blocks(int n, axis_level level, int base)
{
	plan p = {.n = n, .way = {.base = base, .spread = 1}};

	for (int first = 0, size; first < n; first += size) {
		block *b = &p.v[p.nblocks++];
		for (size = 1; size <= (n - first) / 2;) size *= 2;
		const bool at_once = base && p.nblocks - 1 == base;
		if (at_once) size = n - first;
		*b = (block){.first = first, .n = size, .rest = n - first - size};
		b->at_once = at_once;
		b->rounds = b->at_once ? 0 : rounds_of(size);
		b->places = 1 << rounds_of(n - first);
	}
	for (int e = p.nblocks - 1, ready = 0; e >= 0; ready = p.v[e--].last + 1) {
		block *b = &p.v[e];
		b->ready = ready;
		b->last = b->rounds > ready ? b->rounds : ready;
		if (!b->rest) b->last = (b->at_once ? rounds_at_once(level, b->n) : b->rounds) - 1;
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
	int t = p->way.early[e].from;

	if (t >= b->rounds) return b->last;
	/* so many messages for each place of the rest; of those that are left, two each for the
	 * next round */
	const int keep = p->way.early[e].keep;
	int n = (2 << t) / p->v[e + 1].places;
	for (int i = (at & ((2 << t) - 1)) / p->v[e + 1].places; t < b->rounds; t++) {
		if (i < n - keep) return t;
		i = 2 * (i - (n - keep)) + (at >> (t + 1) & 1);
		n = 2 * keep;
	}
	return b->last;
}

/* those whose numbers end with the same bits, so many, have the same parts after round t */
static int alike(const block *b, int t) { return t < b->rounds ? 2 << t : b->n; }

/* ---- what takes less */

typedef struct load { /* of a block and its rest */
	double latency, start;
	double part, each; /* the bytes of a part, and of what one process needs of the rest */
	double ready;      /* when the rest has its sum */
	double places;     /* that a process of the rest has, at most */
	double more;       /* how much later things are where processes have several places */
} load;

static double later(double a, double b) { return a > b ? a : b; }

/* When block e and its rest have their sum. For each process that is the last one to do a thing:
 * now: the block's process that has most parts, and passes some on; out: one of the rest can send.
 * several: of all places it starts messages of its own */
static double block_ns(const plan *p, int e, const load *x, early_way way, bool several)
{
	const block *b = &p->v[e];
	const int all = p->v[e + 1].places, spread = b[1].at_once ? p->way.spread : 1;
	double now = 0, out = x->ready, places = x->places, passed = 0;
	int n = way.from < b->rounds ? (2 << way.from) / all : 0; /* messages for a place */

	for (int t = 0; t < b->rounds; t++) {
		const double some = x->each * b->n / (2 << t);
		const int parts = (p->n + (2 << t) - 1) / (2 << t);
		now += x->latency + parts * x->part + (passed > 0 ? some : 0);
		if (t < way.from) continue;
		if (n > way.keep) {
			/* the first one comes with a half that its process waits for, too */
			if (!(passed > 0)) now += x->start;
			out += (n - way.keep) * (places * some + (several ? places : 1) * x->start);
			now = later(now, out - x->start + x->latency);
			passed = some;
		}
		/* what is left of a place that several share may be one's */
		if (way.keep < spread) places = 2;
		n = 2 * way.keep;
	}
	const double gets = now + x->latency + (e ? x->part * p->n / b->places : x->part);
	n = n ? way.keep : b->n / all;
	out += n * (places * x->each + (several ? places : 1) * x->start);
	return later(gets, out - x->start + x->latency);
}

/* Messages that a process starts later, since it has several places, delay those that receive them.
 * In the next block and rest others have several. So only the most of these delays counts */
static void choose_early(plan *p, int e, load *x)
{
	const block *b = &p->v[e];
	const int all = p->v[e + 1].places, spread = b[1].at_once ? p->way.spread : 1;
	early_way best = {b->last, 0};
	double least = block_ns(p, e, x, best, true);

	/* each message is of one process */
	for (int t = b->ready; t < b->rounds; t++)
		for (int keep = 1; 2 << t >= all * spread && keep < (2 << t) / all; keep *= 2) {
			const early_way way = {t, keep};
			const double ns = block_ns(p, e, x, way, true);
			if (ns >= least) continue;
			least = ns;
			best = way;
		}
	p->way.early[e] = best;
	x->ready = block_ns(p, e, x, best, false);
	x->more = later(x->more, least - x->ready);
}

enum { MOST_AT_ONCE = 64 };

/* the same for a rest that sends all at once; *places: that a process has, at most */
static double base_ns(const plan *p, const block *b, axis_level level, double bytes, double *places)
{
	const int spread = p->way.spread;
	int parts[MOST_AT_ONCE] = {0}, most = 0;
	double of[MOST_AT_ONCE] = {0};

	*places = 0;
	for (int at = 0; at < b->places; at++) {
		const int all = (p->n - at + b->places - 1) / b->places;
		const int turns = at < b->n ? 1 : spread;
		for (int turn = 0; turn < turns; turn++) {
			const int k = owner_at_once(p, b, at + turn * b->places) - b->first;
			parts[k] += (all - turn + turns - 1) / turns;
			of[k] += 1.0 / turns;
		}
	}
	for (int k = 0; k < b->n; k++) {
		most = parts[k] > most ? parts[k] : most;
		*places = later(*places, of[k]);
	}
	return direct_ns(level, b->n, bytes * most / p->n * (b->n - 1));
}

static void choose_all(plan *p, axis_level level, double bytes)
{
	const message_cost *c = &message_costs[level];
	load x = {.latency = c->latency, .start = c->start, .part = bytes / p->n * c->byte};

	for (int e = p->nblocks - 1; e >= 0; e--) {
		const block *b = &p->v[e];
		const bool full = b->n + b->rest == b->places;
		/* the places behind the rest are the block's, too */
		x.each = e ? x.part * p->n / b->places * (b->places - b->rest) / b->n : x.part;
		if (b->at_once) {
			x.ready = base_ns(p, b, level, bytes, &x.places);
			continue;
		}
		if (b->rest) choose_early(p, e, &x);
		for (int t = 0; !b->rest && t < b->rounds; t++)
			x.ready += x.latency + (p->n + (2 << t) - 1) / (2 << t) * x.part;
		x.places = full ? 1 : 2;
	}
	p->way.ns = x.ready + x.more;
}

static plan choose_plan(axis_level level, int n, double bytes)
{
	plan best = plan_blocks(n, level, 0);
	const int nblocks = best.nblocks;

	choose_all(&best, level, bytes);
	for (int base = 1; base < nblocks; base++) {
		plan p = plan_blocks(n, level, base);
		const int all = p.v[base].n;
		if (all == 1 || all > MOST_AT_ONCE) continue;
		for (int spread = 1; spread <= 16; spread *= 2) {
			p.way.spread = spread;
			if (spread > 1 && (p.v[base].places == all ||
			                   spread * p.v[base].places >= 2 * n))
				continue;
			choose_all(&p, level, bytes);
			if (p.way.ns < best.way.ns) best = p;
		}
	}
	return best;
}

halving_way halving_way_of(axis_level level, int n, double bytes)
{
	return choose_plan(level, n, bytes).way;
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

	*goes = (parts){0};
	if (!x->n) return true;
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
		keep_owned(h, h->joins + 1, rank_of(h), &x);
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
	if (!b[1].at_once || ends >= b[1].places * h->p.way.spread)
		return receive_from(t, h, owner_of(&h->p, e, h->at), h->rest.n, &h->rest.row);
	int *from = arena_array(t->r->all->arena, (size_t)h->rest.n + 1, sizeof *from);
	for (int i = 0; from && i < h->rest.n; i++) from[i] = owner_of(&h->p, e, h->rest.v[i]);
	return from && receive_parts(t, h, &h->rest, from);
}

/* what the rest gets of the block's sum */
static bool send_block(const turn *t, halving *h)
{
	const block *b = &h->p.v[h->block];
	const int to = owner_of(&h->p, h->block, b->n + h->at);
	parts x;

	if (to == rank_of(h)) return true;
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
	for (int i = 0; from && i < all.n; i++) from[i] = b->first + (all.v[i] & (b->n - 1));
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

static bool halving_open(replicating *r, const lineup *l, var row, halving *h)
{
	const type *of = build_failed(r->to) ? NULL : build_type(r->to, row);

	if (!of) return false;
	const int n = l->n;
	const double bytes = (double)of->size * (double)tsr_dtype_size(of->dtype);
	*h = (halving){.line = l, .size = of->size / n, .p = choose_plan(l->level, n, bytes)};
	while (!in_block(&h->p, h->block, l->mine)) h->block++;
	h->at = l->mine - h->p.v[h->block].first;
	h->joins = h->p.v[h->block].rest ? h->block : h->block - 1;
	h->own = (parts){n, arena_array(r->all->arena, (size_t)n, sizeof *h->own.v), row, 0};
	h->where = arena_array(r->all->arena, (size_t)n, sizeof *h->where);
	for (int v = 0; h->own.v && v < n; v++) h->own.v[v] = v;
	return h->own.v && h->where;
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
