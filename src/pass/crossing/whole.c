/* whole.c - sums over a number of processes that is no power of two, in whole rows that
 * all get, by the messages that rows.c plans.
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
 *       transfer_begin %0 %0 %0 %0 number=1 to=[2,4,3,5] from=[] types=[]
 *       %1: f32[64] = transfer_begin number=2 to=[] from=[2] types=[f32[64]]
 *       transfer_end %0 %0 %0 %0 number=1 to=[2,4,3,5] from=[] types=[]
 *       %2: f32[64] = transfer_end %1 number=2 to=[] from=[2] types=[f32[64]]
 *       %3: f32[64] = add %2 %0
 *       %4: f32[64] = add %3 0.0:f32
 *       return %4
 *     }
 *     operand 0 on each device: 0
 *     result 0 on each device: 0
 *
 * A message has one round, on both sides. A process begins its rounds one after the other, and each
 * as soon as it has what it sends then, which comes in rounds before: so none waits in a circle. */
#include <stdlib.h>
#include "pass/crossing/rows.h"

/* ---- the messages of one process */

static int most(int a, int b) { return a > b ? a : b; }

typedef struct known {
	part of;
	var v;
} known;
typedef struct doubling { /* of one group */
	const lineup *line;
	rows_plan plan;
	known *known; /* sums that the process has */
	int nknown;
	var *came; /* by message */
} doubling;

static bool doubling_open(replicating *r, const lineup *l, var row, doubling *d)
{
	arena *a = r->all->arena;
	const type *of = build_failed(r->to) ? NULL : build_type(r->to, row);

	*d = (doubling){.line = l};
	if (!of ||
	    !rows_plan_make(a, l, (double)of->size * (double)tsr_dtype_size(of->dtype), &d->plan))
		return false;
	const size_t n = (size_t)d->plan.n;
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
	if (right.first < d->line->n) v = emit_2(r->to, join, v, sum_of(r, join, d, right));
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
	for (int i = 0; i < d->plan.n; i++) {
		const message *x = &d->plan.v[i];
		if (x->round == round && !(is_sent(d, x) ? send_noted(t, join, d, x)
		                                         : receive_noted(t, d, x, &d->came[i])))
			return false;
	}
	return true;
}

static void round_end(replicating *r, doubling *d, int round)
{
	for (int i = 0; i < d->plan.n; i++) {
		const message *x = &d->plan.v[i];
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
		for (int i = 0; i < p->d[k].plan.n; i++) {
			const message *x = &p->d[k].plan.v[i];
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
		const rows_plan *x = &p->d[k].plan;
		for (int i = 0; i < x->n; i++)
			p->rounds = most(p->rounds, x->v[i].round + 1);
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
