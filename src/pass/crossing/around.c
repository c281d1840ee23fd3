/* around.c - sums little data over any number of processes by dissemination, in ceil(log2(n))
 * rounds of one message each: process k sends to k + 1, then to k + 2, k + 4, and so on.
 *
 * All get the sum of rows: before round i, process k has the sum of the 2^i processes that end with
 * k; before 0 comes n - 1. (Of 12 processes each four are a subtree, which exchange first, and then
 * three such blocks go around.) These are not the leaves of one subtree, but of some, whose roots
 * are sent:
 *
 *     of 7 processes, 5 has [5], then [4 5], then [2 3 4 5] as the roots 23 and 45, then all
 *
 * Each gets its part: the part for process k + j moves on by 2^i in each round i of which j has the
 * bit, and is joined there. So process k sends the sums of the 2^i processes that end with it, for
 * every second j that it has. Of 7 processes, 5 has
 *
 *                 for 5          for 6  for 0    for 1  for 2      for 3  for 4    and sends
 *     at first    [5]            [5]    [5]      [5]    [5]        [5]    [5]      to 6: 6, 1, 3
 *     then        [4 5]                 [4 5]           [4 5]             [5]      to 0: 0, 4
 *     then        [2 3 4 5]                             [3 4 5]                    to 2: 2
 *     then        [6 0 1 2 3 4 5]
 *
 * [3 4 5] leaves as the roots 3 and 45. All roots together are about twice the bytes that processes
 * receive if they exchange halves (halves.c). But then those of a rest send several messages, one
 * behind the other, and here each sends one: by LogGP (shard/message_cost.c), 1,286 processes with
 * two elements each take 70 us over a network, and 83 in halves. */
#include <math.h>
#include "pass/crossing/roots.h"

/* ---- roots of subtrees */

/* Processes in a row, or the last ones and the first, are two rows of at most 2 * 31 subtrees */
enum { MOST_ROOTS = 128 };

static bool roots_open(arena *a, roots *x)
{
	*x = (roots){0, arena_array(a, 4 * MOST_ROOTS, sizeof *x->v)};
	return x->v;
}

/* the roots of the fewest subtrees that are the processes first .. end - 1, to `to`; how many */
static int list_roots(int n, int first, int end, root *to)
{
	int count = 0;

	while (first < end) {
		int level = 0, next = first + 1;
		for (int64_t span = 2; first % span == 0; span *= 2) {
			const int64_t behind = first + span < n ? first + span : n;
			if (behind > end || behind == next) break;
			next = (int)behind;
			level++;
		}
		to[count++] = (root){level, first >> level, {0}};
		first = next;
	}
	return count;
}

/* those of `span` processes from `first` on, and from 0 on behind the last */
static int roots_of(int n, int first, int span, root *to)
{
	const int end = first + span < n ? first + span : n;
	const int count = list_roots(n, first, end, to);

	return count + list_roots(n, 0, first + span - end, to + count);
}

/* ---- all get the sum of rows */

/* The processes whose sum process k has before the round of this span, `span` of them: those of its
 * subtree, or of the blocks up to its own. The first one; they go on from 0 behind the last */
static int first_had(int n, int k, int span)
{
	const int block = block_of(n);

	return span <= block ? k & ~(span - 1) : (k / block * block + block - span + n) % n;
}

/* from whom does process k get more in this round, and whom does it send to? */
static int source_of(int n, int k, int span)
{
	return span < block_of(n) ? k ^ span : (k - span + n) % n;
}

static int taker_of(int n, int k, int span)
{
	return span < block_of(n) ? k ^ span : (k + span) % n;
}

typedef struct rows { /* of one group */
	const lineup *line;
	const type *of;
	roots has;  /* all that came, and those joined of them */
	root *more; /* those that come in a round */
	int nmore;
} rows;

static bool rows_open(replicating *r, const lineup *l, var row, rows *x)
{
	arena *a = r->all->arena;

	*x = (rows){.line = l,
	            .of = build_failed(r->to) ? NULL : build_type(r->to, row),
	            .has.v = arena_array(a, 64 * (size_t)(2 * rounds_of(l->n) + 4), sizeof(root)),
	            .more = arena_array(a, MOST_ROOTS, sizeof(root))};
	if (!x->of || !x->has.v || !x->more) return false;
	add_root(&x->has, 0, l->mine, row);
	return true;
}

static bool exchange_rows(transfer *t, rows *x, int span)
{
	replicating *r = t->r;
	const lineup *l = x->line;
	const int from = source_of(l->n, l->mine, span), to = taker_of(l->n, l->mine, span);
	root own[MOST_ROOTS];
	const int nown = roots_of(l->n, first_had(l->n, l->mine, span), span, own);

	for (int i = 0; i < nown; i++) {
		const var v = root_value(r->to, members_join(t->e), l->n, &x->has, own[i].level,
		                         own[i].index);
		if (build_failed(r->to) || !transfer_send(t, process_at(r, l, to), v)) return false;
	}
	x->nmore = roots_of(l->n, first_had(l->n, from, span), span, x->more);
	for (int i = 0; i < x->nmore; i++)
		if (!transfer_receive(t, process_at(r, l, from), x->of, &x->more[i].v))
			return false;
	return true;
}

bool sum_around(replicating *r, const eqn *e, lineup *const *l, int n, var *row)
{
	rows *x = arena_array(r->all->arena, (size_t)n + 1, sizeof *x);
	int most = 0;

	for (int k = 0; k < n; k++) {
		if (!x || !rows_open(r, l[k], row[k], &x[k])) return false;
		most = l[k]->n > most ? l[k]->n : most;
	}
	for (int span = 1; span < most; span *= 2) {
		transfer t = {.r = r, .e = e};
		for (int k = 0; k < n; k++)
			if (span < l[k]->n && !exchange_rows(&t, &x[k], span)) return false;
		if (!transfer_emit(&t)) return false;
		for (int k = 0; k < n; k++)
			for (int i = 0; span < l[k]->n && i < x[k].nmore; i++)
				x[k].has.v[x[k].has.n++] = x[k].more[i];
	}
	for (int k = 0; k < n; k++)
		row[k] = root_value(r->to, members_join(e), l[k]->n, &x[k].has, rounds_of(l[k]->n),
		                    0);
	return !build_failed(r->to);
}

/* as many roots as process k has before the round of this span */
static int count_roots(int n, int k, int span)
{
	root list[MOST_ROOTS];

	return span < block_of(n) ? 1 : roots_of(n, first_had(n, k, span), span, list);
}

/* what comes is joined with what is here, too */
double sum_around_ns(base *b, axis_level level, int n, double bytes)
{
	const message_cost *c = &message_costs[level];
	const double row = bytes * c->byte + bytes / TUNE_JOIN_RATE;
	double last = rounds_of(n) * (c->latency + row), *has, *next;

	if (!(n & (n - 1))) return last;
	has = mem_array(b, 2 * (size_t)n, sizeof *has); /* when each process has what it sends */
	if (!has) return INFINITY;
	next = has + n;
	for (int span = 1; span < n; span *= 2) {
		last = 0;
		for (int k = 0; k < n; k++) {
			const int from = source_of(n, k, span);
			next[k] = has[from] + c->latency + count_roots(n, from, span) * row;
			if (next[k] < has[k]) next[k] = has[k];
			last = next[k] > last ? next[k] : last;
		}
		memcpy(has, next, (size_t)n * sizeof *has);
	}
	mem_free(b, has);
	return last;
}

/* ---- each gets its part of the sum of rows */

typedef struct parts { /* of one group */
	const lineup *line;
	int n, mine;  /* the process is in block `mine` of n, which go around */
	int64_t size; /* elements of a part */
	int span;     /* `all` has sums of so many blocks, which end with this one, */
	int full;     /* for this block and those `span`, 2 `span`, .. ahead, so many */
	roots all;
	int fewer; /* `last` has sums of so many, for the block `full` * `span` ahead; 0: none */
	roots last;
	var came;
} parts;

typedef struct sending { /* of a process in a round */
	int second; /* parts 1, 3, .. of `all`, so many of each root; */
	bool last;  /* and `last`, if it is one of these */
} sending;

static sending sent_by(const parts *x)
{
	return (sending){x->full / 2, x->fewer && x->full % 2};
}

static bool parts_open(replicating *r, const lineup *l, var row, parts *x)
{
	const int block = block_of(l->n);

	*x = (parts){.line = l, .n = l->n / block, .mine = l->mine / block, .span = 1};
	x->full = x->n;
	if (build_failed(r->to) || !roots_open(r->all->arena, &x->all) ||
	    !roots_open(r->all->arena, &x->last))
		return false;
	x->size = build_type(r->to, row)->size / x->n;
	add_root(&x->all, 0, x->mine, turned_row(r->to, row, x->mine * x->size));
	return true;
}

/* the process with the same number in the block that is so far ahead */
static int process_ahead(const replicating *r, const parts *x, int ahead)
{
	return process_at(r, x->line, x->line->mine + (ahead + x->n) * block_of(x->line->n));
}

/* lists the roots of `span` blocks, up to the one that is so far ahead; how many */
static int roots_up_to(const parts *x, int ahead, int span, root *to)
{
	return roots_of(x->n, (x->mine + ahead + 1 - span + 2 * x->n) % x->n, span, to);
}

/* every second part of a row, from part `first` on */
static var every_second(build *b, const parts *x, var row, int first)
{
	const int64_t dims[] = {x->full, x->size}, flat = (x->full + 1 - first) / 2 * x->size;
	const var v = emit_every(b, emit_reshape(b, row, dims, 2), 0, first, x->full, 2);

	return emit_reshape(b, v, &flat, 1);
}

/* all that is sent is one row */
static bool exchange_parts(transfer *t, parts *x)
{
	replicating *r = t->r;
	const sending s = sent_by(x);
	var row[2 * MOST_ROOTS];
	root come[MOST_ROOTS];
	int n = 0;
	int64_t size = 0;

	for (int i = 0; s.second && i < x->all.n; i++)
		row[n++] = every_second(r->to, x, x->all.v[i].v, 1);
	for (int i = 0; s.last && i < x->last.n; i++) row[n++] = x->last.v[i].v;
	if (s.second) size += roots_up_to(x, -x->span, x->span, come) * s.second * x->size;
	if (s.last) size += roots_up_to(x, -x->span, x->fewer, come) * x->size;
	const type *of = build_failed(r->to) ? NULL : build_type(r->to, row[0]);
	of = of ? type_make(r->from->ir, of->dtype, &size, 1, 0) : NULL;
	const var goes = emit_join(r->to, row, n, 0);
	return of && !build_failed(r->to) &&
	       transfer_send(t, process_ahead(r, x, x->span), goes) &&
	       transfer_receive(t, process_ahead(r, x, -x->span), of, &x->came);
}

/* adds the roots of `span` blocks that came, of `count` parts each, from element `at` on; where
 * they end */
static int64_t add_those(build *b, const parts *x, int span, int64_t at, int count, roots *to)
{
	root come[MOST_ROOTS];
	const int n = roots_up_to(x, -x->span, span, come);
	const int64_t size = count * x->size;

	for (int i = 0; i < n; i++, at += size)
		add_root(to, come[i].level, come[i].index,
		         emit_part(b, x->came, 0, at, at + size));
	return at;
}

/* joins the roots of `span` blocks, up to this one, to as few as possible */
static void keep_few(build *b, const tsr_prim *join, const parts *x, int span, roots *of)
{
	root few[MOST_ROOTS];
	const int n = roots_up_to(x, 0, span, few);

	for (int i = 0; i < n; i++)
		few[i].v = root_value(b, join, x->n, of, few[i].level, few[i].index);
	memcpy(of->v, few, (size_t)n * sizeof *few);
	of->n = n;
}

/* Keeps the parts that are not sent, `kept` of them for which full ones come. The last one of an
 * odd number is left: it is of fewer blocks from now on */
static void keep_own(build *b, parts *x, int kept)
{
	const int64_t size = kept * x->size;
	const bool left = x->full % 2;

	if (left) x->last.n = 0; /* it is sent, if there was one */
	for (int i = 0; i < x->all.n; i++) {
		root *of = &x->all.v[i];
		const var own = every_second(b, x, of->v, 0);
		if (left)
			add_root(&x->last, of->level, of->index,
			         emit_part(b, own, 0, size, size + x->size));
		of->v = left && kept ? emit_part(b, own, 0, 0, size) : own;
	}
}

/* The last one of an odd number of full parts is not full any more: what comes for it is of `fewer`
 * blocks */
static void next_round(parts *x)
{
	if (x->full % 2) x->fewer += x->span;
	x->full /= 2;
	x->span *= 2;
}

static void join_parts(build *b, const tsr_prim *join, parts *x)
{
	const sending s = sent_by(x);
	int64_t at = 0;

	keep_own(b, x, s.second);
	if (s.second) at = add_those(b, x, x->span, 0, s.second, &x->all);
	if (s.last) add_those(b, x, x->fewer, at, 1, &x->last);
	next_round(x);
	if (x->full) keep_few(b, join, x, x->span, &x->all);
	keep_few(b, join, x, x->fewer, &x->last);
}

/* row: the parts of all processes that have the same number in their blocks; it becomes the
 * process's part of the sum */
bool scatter_around(replicating *r, const eqn *e, lineup *const *l, int n, var *row)
{
	const tsr_prim *join = members_join(e);
	parts *x = arena_array(r->all->arena, (size_t)n + 1, sizeof *x);
	int most = 0;

	for (int k = 0; k < n; k++) {
		if (!x || !parts_open(r, l[k], row[k], &x[k])) return false;
		most = x[k].n > most ? x[k].n : most;
	}
	for (int span = 1; span < most; span *= 2) {
		transfer t = {.r = r, .e = e};
		for (int k = 0; k < n; k++)
			if (span < x[k].n && !exchange_parts(&t, &x[k])) return false;
		if (!transfer_emit(&t)) return false;
		for (int k = 0; k < n; k++)
			if (span < x[k].n && !build_failed(r->to)) join_parts(r->to, join, &x[k]);
	}
	for (int k = 0; k < n && !build_failed(r->to); k++)
		row[k] = root_value(r->to, join, x[k].n, &x[k].last, rounds_of(x[k].n), 0);
	return !build_failed(r->to);
}

/* parts that come to a process in a round */
static int count_coming(const parts *x)
{
	const sending s = sent_by(x);
	root list[MOST_ROOTS];
	int count = 0;

	if (s.second) count += roots_up_to(x, -x->span, x->span, list) * s.second;
	if (s.last) count += roots_up_to(x, -x->span, x->fewer, list);
	return count;
}

/* until the last of few blocks has its part, which takes so long to come and be joined */
static double walk_blocks(axis_level level, int n, double part)
{
	double has[MOST_WALKED] = {0}, next[MOST_WALKED]; /* when each has what it sends */
	double last = 0;

	for (parts x = {.n = n, .full = n, .span = 1}; x.span < n; next_round(&x)) {
		for (x.mine = 0; x.mine < n; x.mine++) {
			const int from = (x.mine - x.span + n) % n;
			const double comes =
				has[from] + message_costs[level].latency + count_coming(&x) * part;
			next[x.mine] = comes > has[x.mine] ? comes : has[x.mine];
			last = next[x.mine] > last ? next[x.mine] : last;
		}
		memcpy(has, next, (size_t)n * sizeof *has);
	}
	return last;
}

/* and of many, where all wait for those with most roots: 2^i processes in a row are the leaves of
 * i + 1 subtrees at most, unless they are the last ones and the first, which may be a few more */
static double most_of_blocks(axis_level level, int n, double part)
{
	double count = 0;
	int most = 1;

	for (parts x = {.n = n, .full = n, .span = 1}; x.span < n; next_round(&x), most++) {
		const sending s = sent_by(&x);
		count += most * (s.second + s.last);
	}
	return rounds_of(n) * message_costs[level].latency + count * part;
}

double scatter_around_ns(axis_level level, int n, double bytes)
{
	const message_cost *c = &message_costs[level];
	const int block = block_of(n), blocks = n / block;
	const double part = bytes / n * (c->byte + 1.0 / TUNE_JOIN_RATE);
	const double halves = rounds_of(block) * c->latency + (n - blocks) * part;

	return halves + (blocks <= MOST_WALKED ? walk_blocks(level, blocks, part)
	                                       : most_of_blocks(level, blocks, part));
}
