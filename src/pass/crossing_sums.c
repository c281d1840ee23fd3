/* crossing_sums.c - reduces over members of several processes in parts: sums, maxima and minima.
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
 * and much data by owners: process k gets quarter k of all roots, joins these, and sends what they
 * give to all. Of psum_scatter that is half the way. Either way each element is joined in the tree
 * that one process would take (docs/numerics.md), and numbers of 16 bits are rounded once, at the
 * end.
 *
 * Three processes are the tree of four that lacks the last: in round 2 the third one sends its root
 * to both others.
 *
 * That needs processes that have equally many members of the group, one behind the other, and a
 * power of two of them. Other groups send their operands (crossing.c). */
#include "pass/replicate.h"

typedef struct reduction { /* of one group */
	group *g;
	const type *t;       /* of the operand */
	int processes, mine; /* how many, and which of them this one is */
	int each;            /* members that each has */
	var root;            /* of ours, and then of more */
	var *part;           /* by process: what it sends */
} reduction;

/* ---- which groups */

bool reduces_in_parts(const replicating *r, const eqn *e, const group *g)
{
	const int each = g->here;
	bool rows = members_join(e) && g->n % each == 0 && !(each & (each - 1));

	for (int m = 0; rows && m < g->n; m++) rows = g->before[m] == (m % each ? m - 1 : -1);
	return rows && !r->from->vars[e->in[0].id].literal;
}

/* ---- doubling */

static int process_at(const replicating *r, const reduction *x, int k)
{
	return process_of(r, x->g->device[k * x->each]);
}

/* from whom does process k get the root of the subtree beside its own, of 2^level processes? -1:
 * there is none */
static int source_of(const reduction *x, int k, int level)
{
	const int first = (k >> level ^ 1) << level, at = first + (k & ((1 << level) - 1));

	if (first >= x->processes) return -1;
	return at < x->processes ? at : x->processes - 1;
}

static bool list_round(replicating *r, transfer *t, reduction *x, int level, var *beside)
{
	const type *of = build_type(r->to, x->root);
	const int source = source_of(x, x->mine, level), span = 1 << level;

	if (source >= 0 && !transfer_receive(t, process_at(r, x, source), of, beside)) return false;
	/* those of the subtree beside ours, to whom this process is the source */
	const int first = (x->mine >> level ^ 1) << level;
	for (int k = first; k < first + span && k < x->processes; k++)
		if (source_of(x, k, level) == x->mine &&
		    !transfer_send(t, process_at(r, x, k), x->root))
			return false;
	return true;
}

static bool double_all(replicating *r, const eqn *e, reduction *x, int n)
{
	const tsr_prim *join = members_join(e);
	var *beside = arena_array(r->all->arena, (size_t)n, sizeof *beside);
	int most = 0;

	for (int k = 0; k < n; k++) most = x[k].processes > most ? x[k].processes : most;
	for (int level = 0; beside && 1 << level < most; level++) {
		transfer t = {.r = r, .e = e};
		memset(beside, 0, (size_t)n * sizeof *beside);
		for (int k = 0; k < n; k++)
			if (!list_round(r, &t, &x[k], level, &beside[k])) return false;
		if (!transfer_emit(&t)) return false;
		for (int k = 0; k < n; k++) {
			const bool right = x[k].mine >> level & 1;
			if (is_zero(beside[k])) continue;
			x[k].root = right ? emit_2(r->to, join, beside[k], x[k].root)
			                  : emit_2(r->to, join, x[k].root, beside[k]);
		}
	}
	return beside;
}

/* ---- owners */

/* sends each process its part of our root, part(k), and joins what all have of ours */
static bool exchange_parts(replicating *r, const eqn *e, reduction *x, int n)
{
	transfer t = {.r = r, .e = e};

	for (int k = 0; k < n; k++)
		for (int p = 0; p < x[k].processes; p++) {
			const type *of = build_type(r->to, x[k].part[x[k].mine]);
			if (p == x[k].mine || !of) continue;
			const int process = process_at(r, &x[k], p);
			if (!transfer_send(&t, process, x[k].part[p]) ||
			    !transfer_receive(&t, process, of, &x[k].part[p]))
				return false;
		}
	if (!transfer_emit(&t)) return false;
	for (int k = 0; k < n; k++)
		x[k].root = members_narrow(
			r->to, e, members_tree(r->to, members_join(e), x[k].part, x[k].processes),
			x[k].g->n, x[k].t->dtype);
	return !build_failed(r->to);
}

/* of `size` elements, those that process k owns */
static index_range owned_by(const reduction *x, int64_t size, int k)
{
	const int64_t each = size / x->processes + (size % x->processes != 0);
	const int64_t first = k * each < size ? k * each : size;

	return (index_range){first, size - first < each ? size : first + each};
}

static bool cut_row(replicating *r, reduction *x)
{
	const int64_t size = x->t->size;
	const var row = emit_reshape(r->to, x->root, &size, 1);

	for (int k = 0; k < x->processes; k++) {
		const index_range own = owned_by(x, size, k);
		x->part[k] = emit_part(r->to, row, 0, own.first, own.end);
	}
	return !build_failed(r->to);
}

/* the parts that the owners have joined, from all to all */
static bool share_parts(replicating *r, const eqn *e, reduction *x, int n)
{
	transfer t = {.r = r, .e = e};

	for (int k = 0; k < n; k++)
		for (int p = 0; p < x[k].processes; p++) {
			const index_range own = owned_by(&x[k], x[k].t->size, p);
			const int64_t size = own.end - own.first;
			const type *of = type_make(r->from->ir, x[k].t->dtype, &size, 1, 0);
			const int process = process_at(r, &x[k], p);
			x[k].part[p] = x[k].root;
			if (p == x[k].mine) continue;
			if (!of || !transfer_send(&t, process, x[k].root) ||
			    !transfer_receive(&t, process, of, &x[k].part[p]))
				return false;
		}
	if (!transfer_emit(&t)) return false;
	for (int k = 0; k < n; k++) {
		const var row = emit_join(r->to, x[k].part, x[k].processes, 0);
		x[k].root = emit_reshape(r->to, row, x[k].t->dims, x[k].t->ndim);
	}
	return !build_failed(r->to);
}

/* ---- results */

/* Doubling takes log2(n) times as long as a message of all and joining all; owners take two rounds
 * of messages of a part, at the same time, and join each element once */
static bool is_little(const reduction *x)
{
	const double n = x->processes, bytes = (double)x->t->size * 4;
	const double parts = bytes * (n - 1) / n;
	double rounds = 0;

	for (int k = 1; k < x->processes; k *= 2) rounds++;
	return rounds * (TUNE_MESSAGE_LATENCY + bytes / TUNE_MESSAGE_RATE +
	                 bytes / TUNE_JOIN_RATE) <=
	       2 * (TUNE_MESSAGE_LATENCY + (n - 1) * TUNE_MESSAGE_START +
	            parts / TUNE_MESSAGE_RATE) +
	               parts / TUNE_JOIN_RATE;
}

static bool give_all(replicating *r, const eqn *e, reduction *x, int n)
{
	reduction *much = arena_array(r->all->arena, (size_t)n, sizeof *much);
	int nlittle = 0, nmuch = 0;

	if (!much) return false;
	for (int k = 0; k < n; k++) {
		if (is_little(&x[k]))
			x[nlittle++] = x[k];
		else
			much[nmuch++] = x[k];
	}
	if (nlittle && !double_all(r, e, x, nlittle)) return false;
	for (int k = 0; k < nlittle; k++)
		x[k].root = members_narrow(r->to, e, x[k].root, x[k].g->n, x[k].t->dtype);
	for (int k = 0; k < nmuch; k++)
		if (!cut_row(r, &much[k])) return false;
	if (nmuch && (!exchange_parts(r, e, much, nmuch) || !share_parts(r, e, much, nmuch)))
		return false;
	memcpy(x + nlittle, much, (size_t)nmuch * sizeof *much);
	for (int k = 0; k < n; k++)
		for (int m = 0; m < x[k].g->here; m++) x[k].g->y[x[k].g->own[m]] = x[k].root;
	return true;
}

/* member m of psum_scatter gets chunk m of a dim, so a process owns those of its members */
static bool give_chunks(replicating *r, const eqn *e, reduction *x, int n)
{
	const int dim = (int)((const psum_scatter_params *)e->params)->dim;
	const type *to = type_of(r->from, e->out[0]);

	for (int k = 0; k < n; k++)
		for (int p = 0; p < x[k].processes; p++) {
			const int64_t size = x[k].t->dims[dim] / x[k].processes;
			x[k].part[p] = emit_part(r->to, x[k].root, dim, p * size, (p + 1) * size);
		}
	if (!exchange_parts(r, e, x, n)) return false;
	for (int k = 0; k < n; k++)
		for (int m = 0; m < x[k].each; m++) {
			const int64_t size = x[k].t->dims[dim] / x[k].g->n;
			const var y = emit_part(r->to, x[k].root, dim, m * size, (m + 1) * size);
			x[k].g->y[x[k].g->own[m]] = emit_reshape(r->to, y, to->dims, to->ndim);
		}
	return !build_failed(r->to);
}

static bool reduction_begin(replicating *r, const eqn *e, group *g, reduction *x)
{
	arena *a = r->all->arena;
	var *v = arena_array(a, (size_t)g->here, sizeof *v);

	*x = (reduction){.g = g,
	                 .t = build_type(r->to, g->x[g->own[0]]),
	                 .processes = g->n / g->here,
	                 .mine = g->own[0] / g->here,
	                 .each = g->here};
	x->part = arena_array(a, (size_t)x->processes, sizeof *x->part);
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
		if (g[k].reduces && !reduction_begin(r, e, &g[k], &x[count++])) return false;
	if (!count) return true;
	return (e->prim == &tsr__prim_psum_scatter ? give_chunks : give_all)(r, e, x, count);
}
