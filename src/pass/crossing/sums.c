/* sums.c - reduces over members of several processes in parts: sums, maxima and minima.
 *
 * Devices 0 and 1 are here, and the others in process 1:
 *
 *     pass replicate 1100
 *     axes (x of (x:4)) f(%0: f32[2]{x}) -> f32[2] {
 *       %1: f32[2] = psum %0 axes=(x) to=invarying
 *       return %1
 *     }
 *     gives
 *     f(%0: f32[2], %1: f32[2]) -> f32[2] {
 *       %2: f32[2] = add %0 %1
 *       %3: f32[2] = transfer_begin %2 number=1 to=[1] from=[1] types=[f32[2]]
 *       %4: f32[2] = transfer_end %2 %3 number=1 to=[1] from=[1] types=[f32[2]]
 *       %5: f32[2] = add %2 %4
 *       return %5
 *     }
 *     operand 0 on each device: 0 1
 *     result 0 on each device: 0 0
 *
 * Where four processes have two members each, each adds up its own, which gives the roots of four
 * subtrees of the tree of all. Little data goes by doubling, nearest first: with what it receives
 * a process has the root of a tree twice as large,
 *
 *     process     0        1        2        3
 *     has         01       23       45       67
 *     round 1     with 1: 0123      with 3: 4567
 *     round 2     with 2: 01234567  with 3: likewise
 *
 * and much data in parts: first each process gets quarter k of the sum of all, and then all get all
 * quarters; of psum_scatter that is half the way. For both halves there are two ways. Either
 * processes send all others their parts at once, or they exchange halves of what they have, nearest
 * first: of the parts 0 to 3 of its root, process 2 sends 1 and 3 to process 3, and with the sums
 * of 0 and 2 that it has then, it sends 0 to process 0 (Thakur, Rabenseifner, Gropp, 2005, in the
 * other order). What takes less is chosen by message_costs, which is the same in all processes. Any
 * way each element is joined in the tree that one process would take (docs/numerics.md), and
 * numbers of 16 bits are rounded once, at the end.
 *
 * Where their number is no power of two, little data goes around in rows, or in parts (around.c),
 * or blocks and rests take turns, with whole roots (whole.c), or parts of much data (halves.c). For
 * odd numbers from 5 to 15, and these times a power of two, there are listed plans of parts, too
 * (listed.c).
 *
 * That needs processes that have equally many members of the group, one behind the other, and as
 * many as a power of two, where there are several. Other groups send their operands
 * (crossing.c). */
#include <math.h>
#include "pass/crossing/listed.h"

typedef struct reduction { /* of one group */
	lineup line;
	const type *t; /* of the operand */
	int64_t all;   /* elements of which each process has its part */
	var root;      /* of ours, and then of more */
	sum_way way;   /* how all get all, */
	scatter_way scatter; /* and how each gets its part; */
	int goes;            /* the one or the other: those with equal numbers go together */
	int halvings;        /* rounds in which halves of parts are exchanged */
	var *part;           /* by process: what it sends */
} reduction;

/* ---- what takes least, by message_costs */

static double scatter_by_ns(axis_level level, int n, int halvings)
{
	const int rest = n >> halvings;

	return halvings * message_costs[level].latency + (rest > 1 ? direct_ns(level, rest, 0) : 0);
}

int halvings_of(axis_level level, int n)
{
	int best = 0;

	for (int h = 1; n % (1 << h) == 0 && 1 << h < n; h++)
		if (scatter_by_ns(level, n, h) < scatter_by_ns(level, n, best)) best = h;
	return best;
}

static double at_once_ns(axis_level level, int n, double bytes)
{
	return scatter_by_ns(level, n, halvings_of(level, n)) +
	       bytes / n * (n - 1) * message_costs[level].byte;
}

static double least(double a, double b) { return a < b ? a : b; }

typedef struct scatter_choice {
	scatter_way way;
	double ns;
} scatter_choice;

static scatter_choice cheapest_scatter(base *b, axis_level level, int n, double bytes)
{
	const message_cost *c = &message_costs[level];
	const double parts = bytes / n * (n - 1), join = parts / TUNE_JOIN_RATE;
	const double around = n & (n - 1) ? scatter_around_ns(level, n, bytes) : INFINITY;
	/* a round takes a start at least */
	const double rounds = c->latency + (rounds_of(n) - 1) * least(c->start, c->latency);
	scatter_choice best = {SCATTERS_AT_ONCE, at_once_ns(level, n, bytes) + join};
	double listed;

	if (around < best.ns) best = (scatter_choice){SCATTERS_AROUND, around};
	if (choose_listed(level, n, bytes, &listed) && listed + join < best.ns)
		best = (scatter_choice){SCATTERS_AS_LISTED, listed + join};
	if (rounds + parts * c->byte + join >= best.ns) return best;
	const double ns = halving_way_of(b, level, n, bytes).ns + join;
	return ns < best.ns ? (scatter_choice){SCATTERS_IN_ROUNDS, ns} : best;
}

scatter_way choose_scatter(base *b, axis_level level, int n, double bytes)
{
	return cheapest_scatter(b, level, n, bytes).way;
}

sum_way choose_sum(base *b, axis_level level, int n, double bytes)
{
	const double parts = bytes / n * (n - 1), join = rounds_of(n) * bytes / TUNE_JOIN_RATE;
	const double share = least(direct_ns(level, n, parts), rounds_ns(level, n, parts));
	const double by_parts = cheapest_scatter(b, level, n, bytes).ns + share;
	const double around = sum_around_ns(b, level, n, bytes);
	sum_way way = {.kind = around < by_parts ? SUMS_AROUND : SUMS_IN_PARTS};

	/* plans of rows have one in each round at least */
	if (!(n & (n - 1)) ||
	    rounds_ns(level, n, rounds_of(n) * bytes) + join >= least(around, by_parts))
		return way;
	way.rows = choose_rows(b, level, n, bytes);
	if (way.rows.ns + join < least(around, by_parts)) way.kind = SUMS_BY_PLANS;
	return way;
}

/* ---- which groups */

bool reduces_in_parts(const replicating *r, const eqn *e, const group *g)
{
	return members_join(e) && is_lined_up(r, e, g) && !(g->here & (g->here - 1));
}

/* the sum in the dtype of the operand, rounded once */
static void narrow(replicating *r, const eqn *e, reduction *x)
{
	x->root = members_narrow(r->to, e, x->root, x->line.g->n, x->t->dtype);
}

/* moves those that go this way before the others, and returns where these begin */
static reduction *first_those(replicating *r, reduction *x, int n, int goes, int *count)
{
	reduction *others = arena_array(r->all->arena, (size_t)n + 1, sizeof *others);
	int nothers = 0;

	*count = 0;
	for (int k = 0; others && k < n; k++)
		if (x[k].goes == goes) x[(*count)++] = x[k];
		else others[nothers++] = x[k];
	if (!others) return NULL;
	memcpy(x + *count, others, (size_t)nothers * sizeof *others);
	return x + *count;
}

static double bytes_of(replicating *r, const reduction *x, int64_t elements)
{
	return (double)elements * (double)tsr_dtype_size(build_type(r->to, x->root)->dtype);
}

typedef bool go(replicating *, const eqn *, lineup *const *, int n, var *row);

/* root: of each process, a row; it becomes its part of the sum, or all of it */
static bool go_by(replicating *r, const eqn *e, reduction *x, int n, bool whole, go *by)
{
	lineup **l = arena_array(r->all->arena, (size_t)n + 1, sizeof *l);
	var *row = arena_array(r->all->arena, (size_t)n + 1, sizeof *row);

	for (int k = 0; l && row && k < n && !build_failed(r->to); k++) {
		l[k] = &x[k].line;
		row[k] = emit_reshape(r->to, x[k].root, &build_type(r->to, x[k].root)->size, 1);
	}
	if (build_failed(r->to) || !l || !row || !by(r, e, l, n, row)) return false;
	for (int k = 0; k < n; k++) {
		const type *t = build_type(r->to, x[k].root);
		x[k].root = whole ? emit_reshape(r->to, row[k], t->dims, t->ndim) : row[k];
	}
	return !build_failed(r->to);
}

/* ---- little data: roots of rows */

/* root becomes the sum of all */
static bool sum_rows(replicating *r, const eqn *e, reduction *x, int n)
{
	int nplanned;
	reduction *others = first_those(r, x, n, SUMS_BY_PLANS, &nplanned);

	if (!others) return false;
	for (int k = 0; k < nplanned; k++) x[k].line.rows = &x[k].way.rows;
	if ((nplanned && !go_by(r, e, x, nplanned, true, sum_whole)) ||
	    (nplanned < n && !go_by(r, e, others, n - nplanned, true, sum_around)))
		return false;
	for (int k = 0; k < n; k++) narrow(r, e, &x[k]);
	return !build_failed(r->to);
}

/* ---- much data: each process gets its part of the sum. First halves are exchanged, nearest first:
 * then processes whose numbers end with the same bits have the same parts, and send each other
 * these at once. Of 12 processes 5 exchanges with 4 and 7, and then with 1 and 9 */

/* a row of parts whose numbers end with some bits: those whose next bit is 0, or 1 */
static var half_of(build *b, var row, int64_t parts, int bit)
{
	const int64_t size = build_failed(b) ? 0 : build_type(b, row)->size, flat = size / 2;
	const int64_t dims[] = {parts / 2, 2, size / parts};

	const var x = emit_part(b, emit_reshape(b, row, dims, 3), 1, bit, bit + 1);
	return emit_reshape(b, x, &flat, 1);
}

static bool exchange_halves(replicating *r, const eqn *e, reduction *x, int n, int round)
{
	const tsr_prim *join = members_join(e);
	const int span = 1 << round;
	var *beside = arena_array(r->all->arena, (size_t)n, sizeof *beside);
	transfer t = {.r = r, .e = e};

	for (int k = 0; beside && k < n; k++) {
		const lineup *l = &x[k].line;
		const int bit = l->mine & span ? 1 : 0;
		if (round >= x[k].halvings) continue;
		const var gives = half_of(r->to, x[k].root, l->n / span, !bit);
		x[k].root = half_of(r->to, x[k].root, l->n / span, bit);
		const int other = process_at(r, l, l->mine ^ span);
		if (build_failed(r->to) || !transfer_send(&t, other, gives) ||
		    !transfer_receive(&t, other, build_type(r->to, gives), &beside[k]))
			return false;
	}
	if (!beside || !transfer_emit(&t)) return false;
	for (int k = 0; k < n; k++) {
		const bool right = x[k].line.mine & span;
		if (round >= x[k].halvings) continue;
		x[k].root = right ? emit_2(r->to, join, beside[k], x[k].root)
		                  : emit_2(r->to, join, x[k].root, beside[k]);
	}
	return !build_failed(r->to);
}

/* sends each of the processes that have the same parts its own, and joins what all have of ours */
static bool scatter_rest(replicating *r, const eqn *e, reduction *x, int n)
{
	transfer t = {.r = r, .e = e};

	for (int k = 0; k < n; k++) {
		const lineup *l = &x[k].line;
		const int h = x[k].halvings, rest = l->n >> h, mine = l->mine >> h;
		const int64_t size = build_type(r->to, x[k].root)->size / rest;
		for (int p = 0; p < rest; p++)
			x[k].part[p] = emit_part(r->to, x[k].root, 0, p * size, (p + 1) * size);
		for (int p = 0; p < rest; p++) {
			const type *of = build_type(r->to, x[k].part[mine]);
			const int at = l->mine + (p - mine + rest) * (1 << h);
			const int process = process_at(r, l, at);
			if (p != mine && (!of || !transfer_send(&t, process, x[k].part[p]) ||
			                  !transfer_receive(&t, process, of, &x[k].part[p])))
				return false;
		}
	}
	if (!transfer_emit(&t)) return false;
	for (int k = 0; k < n; k++)
		x[k].root = members_tree(r->to, members_join(e), x[k].part,
		                         x[k].line.n >> x[k].halvings);
	return !build_failed(r->to);
}

/* in so many rounds as each says */
static bool halve_all(replicating *r, const eqn *e, reduction *x, int n)
{
	int most = 0;

	for (int k = 0; k < n; k++) most = x[k].halvings > most ? x[k].halvings : most;
	for (int round = 0; round < most; round++)
		if (!exchange_halves(r, e, x, n, round)) return false;
	return !build_failed(r->to);
}

static bool scatter_at_once(replicating *r, const eqn *e, reduction *x, int n)
{
	for (int k = 0; k < n; k++) x[k].halvings = halvings_of(x[k].line.level, x[k].line.n);
	return halve_all(r, e, x, n) && scatter_rest(r, e, x, n);
}

/* as many as a power of two exchange halves first, and then those with the same number in such
 * blocks go by something else */
static bool scatter_blocks(replicating *r, const eqn *e, reduction *x, int n, go *by)
{
	for (int k = 0; k < n; k++) x[k].halvings = rounds_of(block_of(x[k].line.n));
	return halve_all(r, e, x, n) && go_by(r, e, x, n, false, by);
}

/* the root as a row of parts that are equally long, the last ones filled up */
static bool fill_row(replicating *r, reduction *x)
{
	const int64_t size = x->t->size;
	const var row = emit_reshape(r->to, x->root, &size, 1);
	const tsr_dtype dtype = build_failed(r->to) ? TSR_F32 : build_type(r->to, row)->dtype;

	x->root = row;
	if (x->all > size)
		x->root =
			emit_pad_dim(r->to, row, 0, 0, x->all - size, emit_scalar(r->to, dtype, 0));
	return !build_failed(r->to);
}

static bool goes_in_rounds(const reduction *x) { return x->scatter == SCATTERS_IN_ROUNDS; }

/* how it goes, of parts that are equally long, or, in rounds, differ by one element at most */
static bool choose_parts(replicating *r, reduction *x)
{
	const size_t refusals = mem_refusals(r->all->base);
	const int64_t all = filled(x->t->size, x->line.n);

	x->scatter = choose_scatter(r->all->base, x->line.level, x->line.n, bytes_of(r, x, all));
	x->all = goes_in_rounds(x) ? x->t->size : all;
	return mem_refusals(r->all->base) == refusals && (goes_in_rounds(x) || fill_row(r, x));
}

static bool scatter_some(replicating *r, const eqn *e, reduction *x, int n, scatter_way way)
{
	switch (way) {
	case SCATTERS_AT_ONCE: return scatter_at_once(r, e, x, n);
	case SCATTERS_AROUND: return scatter_blocks(r, e, x, n, scatter_around);
	case SCATTERS_AS_LISTED: return scatter_blocks(r, e, x, n, scatter_as_listed);
	default: return go_by(r, e, x, n, false, scatter_in_rounds);
	}
}

/* root: it becomes our part of the sum */
static bool scatter_rows(replicating *r, const eqn *e, reduction *x, int n)
{
	reduction *some = x;

	for (int k = 0; k < n; k++) {
		if (!choose_parts(r, &x[k])) return false;
		x[k].goes = (int)x[k].scatter;
	}
	for (int way = 0, count; way < SCATTER_WAYS; way++) {
		reduction *others = first_those(r, some, n - (int)(some - x), way, &count);
		if (!others || (count && !scatter_some(r, e, some, count, (scatter_way)way)))
			return false;
		some = others;
	}
	for (int k = 0; k < n; k++) narrow(r, e, &x[k]);
	return !build_failed(r->to);
}

/* ---- much data: all get all parts of the sum */

/* root: our part, which becomes a row of all. Parts are equally long here: others are shared in
 * rounds */
static bool share_at_once(replicating *r, const eqn *e, reduction *const *x, int n)
{
	transfer t = {.r = r, .e = e};

	for (int k = 0; k < n; k++)
		for (int p = 0; p < x[k]->line.n; p++) {
			const type *of = build_type(r->to, x[k]->root);
			const int process = process_at(r, &x[k]->line, p);
			x[k]->part[p] = x[k]->root;
			if (p == x[k]->line.mine) continue;
			if (!of || !transfer_send(&t, process, x[k]->root) ||
			    !transfer_receive(&t, process, of, &x[k]->part[p]))
				return false;
		}
	if (!transfer_emit(&t)) return false;
	for (int k = 0; k < n; k++)
		x[k]->root = emit_join(r->to, x[k]->part, x[k]->line.n, 0);
	return !build_failed(r->to);
}

static bool share_in_rounds(replicating *r, const eqn *e, reduction *const *x, int n)
{
	lineup **l = arena_array(r->all->arena, (size_t)n, sizeof *l);
	int64_t *all = arena_array(r->all->arena, (size_t)n, sizeof *all);
	var *row = arena_array(r->all->arena, (size_t)n, sizeof *row);

	for (int k = 0; l && all && row && k < n; k++) {
		l[k] = &x[k]->line;
		all[k] = x[k]->all;
		row[k] = x[k]->root;
	}
	if (!l || !all || !row || !gather_rows(r, e, l, n, all, row)) return false;
	for (int k = 0; k < n; k++) x[k]->root = row[k];
	return true;
}

static bool share_rows(replicating *r, const eqn *e, reduction *x, int n)
{
	reduction **some = arena_array(r->all->arena, (size_t)n + 1, sizeof *some);

	for (int rounds = 0; some && rounds < 2; rounds++) {
		int count = 0;
		for (int k = 0; k < n; k++)
			if ((goes_in_rounds(&x[k]) ||
			     gathers_in_rounds(x[k].line.level, x[k].line.n)) == rounds)
				some[count++] = &x[k];
		if (count && !(rounds ? share_in_rounds : share_at_once)(r, e, some, count))
			return false;
	}
	return some;
}

/* ---- results */

/* a row of all, without what it was filled up with */
static void unfill_row(replicating *r, reduction *x)
{
	if (x->all > x->t->size) x->root = emit_part(r->to, x->root, 0, 0, x->t->size);
	x->root = emit_reshape(r->to, x->root, x->t->dims, x->t->ndim);
}

static bool give_all(replicating *r, const eqn *e, reduction *x, int n)
{
	const size_t refusals = mem_refusals(r->all->base);
	int nmuch;

	for (int k = 0; k < n; k++) {
		x[k].way = choose_sum(r->all->base, x[k].line.level, x[k].line.n,
		                      bytes_of(r, &x[k], x[k].t->size));
		x[k].goes = (int)x[k].way.kind;
	}
	reduction *little = first_those(r, x, n, SUMS_IN_PARTS, &nmuch);
	if (mem_refusals(r->all->base) > refusals || !little ||
	    (nmuch < n && !sum_rows(r, e, little, n - nmuch)))
		return false;
	if (nmuch && (!scatter_rows(r, e, x, nmuch) || !share_rows(r, e, x, nmuch))) return false;
	for (int k = 0; k < nmuch; k++) unfill_row(r, &x[k]);
	for (int k = 0; k < n; k++)
		for (int m = 0; m < x[k].line.each; m++)
			x[k].line.g->y[x[k].line.g->own[m]] = x[k].root;
	return !build_failed(r->to);
}

/* member m of psum_scatter gets chunk m of a dim, so a process owns those of its members */
static bool give_chunks(replicating *r, const eqn *e, reduction *x, int n)
{
	const int dim = (int)((const psum_scatter_params *)e->params)->dim;
	const type *to = type_of(r->from, e->out[0]);
	int64_t dims[MAX_NDIM + 1];

	for (int k = 0; k < n; k++) {
		const type *t = x[k].t;
		for (int d = 0; d <= t->ndim; d++)
			dims[d] = d < dim ? t->dims[d] : d > dim ? t->dims[d - 1] : x[k].line.g->n;
		dims[dim + 1] /= x[k].line.g->n;
		const var chunks = emit_reshape(r->to, x[k].root, dims, t->ndim + 1);
		x[k].root = emit_reshape(r->to, emit_move_dim(r->to, chunks, dim, 0), &t->size, 1);
	}
	if (build_failed(r->to) || !scatter_rows(r, e, x, n)) return false;
	for (int k = 0; k < n; k++)
		for (int m = 0; m < x[k].line.each; m++) {
			const int64_t size = to->size;
			const var y = emit_part(r->to, x[k].root, 0, m * size, (m + 1) * size);
			x[k].line.g->y[x[k].line.g->own[m]] =
				emit_reshape(r->to, y, to->dims, to->ndim);
		}
	return !build_failed(r->to);
}

static bool reduction_begin(replicating *r, const eqn *e, group *g, reduction *x)
{
	arena *a = r->all->arena;
	var *v = arena_array(a, (size_t)g->here, sizeof *v);

	*x = (reduction){.line = lineup_of(r, e, g), .t = build_type(r->to, g->x[g->own[0]])};
	x->all = x->t->size;
	x->part = arena_array(a, (size_t)x->line.n, sizeof *x->part);
	g->y = arena_array(a, (size_t)g->n, sizeof *g->y);
	if (!v || !x->part || !g->y) return false;
	for (int k = 0; k < g->here; k++) v[k] = members_widen(r->to, e, g->x[g->own[k]]);
	x->root = members_tree(r->to, members_join(e), v, g->here);
	return !build_failed(r->to);
}

bool reduce_in_parts(replicating *r, const eqn *e, group *g, int n)
{
	reduction *x = arena_array(r->all->arena, (size_t)n, sizeof *x);
	int count = 0;

	if (!x) return false;
	for (int k = 0; k < n; k++)
		if (g[k].reduces && !reduction_begin(r, e, &g[k], &x[count++]))
			return false;
	if (!count) return true;
	return (e->prim == &tsr__prim_psum_scatter ? give_chunks : give_all)(r, e, x, count);
}
