/* listed.c - sums parts over few processes by plans that list each message.
 *
 * Rules for any number of processes (ways.c) make plans in which many do alike. Where a number is
 * no power of two, the best plans have no such order: one process sends something before it
 * exchanges a half, since it would only wait there, and another one passes something on, since it
 * has time. But few processes have few plans, so a search finds good ones
 * (tools/plans/search_plans.c), and these are listed (listed.def). Of 5 processes:
 *
 *     1>0:04   3>2:24   0>1:123  2>3:013    neighbours send what the other one can join: 1 sends
 *                                           to 0 its own parts for 0 and for 4
 *     4>2:12   4>0:0    4>3:3               4 sends its own part for each; that for 1 goes to 2,
 *     2+2>1:1                               which passes it on when it has received two messages
 *     1+1>2:2  1+1>3:3                      1 has received one, and sends the sum of 0 and 1
 *     3+1>0:0  3+1>1:1                      and 3 that of 2 and 3
 *     0+1>4:4  2+1>4:4                      4 gets both, and adds its own
 *
 * With parts of 4 KB over a network that takes 19,176 ns. If all send each other their parts at
 * once, it takes 21,520, in blocks and rests (halves.c) 21,331, and around (around.c) 20,876.
 *
 * The list has the same messages in the order in which they come. Each process begins its own, and
 * ends those that it needs, in this order. So none waits in a circle: a message needs only what is
 * before it in the list.
 *
 * Where the number of processes has a power of two as a factor, blocks of so many exchange halves
 * first, as in all other ways, and then those with the same number in their blocks go by a plan: 18
 * processes are 9 blocks of two.
 *
 * Whatever the plan, each element is added in the tree of one process: messages have roots of
 * subtrees, and a process that has the roots of both halves of a subtree joins them (roots.c). */
#include <math.h>
#include "pass/crossing/listed.h"
#include "pass/crossing/roots.h"

const listed_plan listed_plans[] = {
#define PLAN(n, messages) {n, messages},
#include "pass/crossing/listed.def"
#undef PLAN
	{0, NULL},
};

/* ---- reading a plan */

static uint8_t digit_of(char c) { return (uint8_t)(c <= '9' ? c - '0' : c - 'a' + 10); }

/* the first message of a list, but for what it has of its parts; the list behind it */
static const char *read_message(const char *at, planned *m)
{
	*m = (planned){.from = digit_of(*at++)};
	if (*at == '+') {
		m->after = digit_of(at[1]);
		at += 2;
	}
	m->to = digit_of(at[1]); /* behind > */
	for (at += 3; *at > ' '; at++) m->part[m->n++] = digit_of(*at);
	while (*at == ' ') at++;
	return at;
}

typedef struct inbox { /* messages that a process receives, in their order */
	const planned *v[MOST_LISTED * 2];
	int n, taken;
} inbox;
typedef struct parts { /* in bits, by process and part: those whose sum a process has */
	uint16_t has[MOST_LISTED][MOST_LISTED];
	inbox in[MOST_LISTED];
} parts;

/* a process has received so many messages */
static void take_messages(parts *x, int process, int count)
{
	inbox *in = &x->in[process];

	for (; in->taken < count; in->taken++) {
		const planned *m = in->v[in->taken];
		for (int j = 0; j < m->n; j++) x->has[process][m->part[j]] |= m->of[j];
	}
}

/* false: it has none of a part, has not received so many, or is the one that it sends to */
static bool send_message(parts *x, planned *m)
{
	inbox *to = &x->in[m->to];

	if (m->after < x->in[m->from].taken || m->after > x->in[m->from].n ||
	    m->from == m->to || to->n == ARRAY_LEN(to->v))
		return false;
	take_messages(x, m->from, m->after);
	for (int j = 0; j < m->n; j++) {
		uint16_t *has = &x->has[m->from][m->part[j]];
		if (!*has) return false;
		m->of[j] = *has;
		*has = 0;
	}
	to->v[to->n++] = m;
	return true;
}

int list_planned(const char *plan, int n, planned *v)
{
	const int all = (1 << n) - 1;
	bool complete = true;
	parts x = {0};
	int count = 0;

	for (int k = 0; k < n; k++)
		for (int j = 0; j < n; j++) x.has[k][j] = (uint16_t)(1 << k);
	while (*plan) {
		if (count == MOST_PLANNED) return 0;
		planned *m = &v[count++];
		plan = read_message(plan, m);
		if (!send_message(&x, m)) return 0;
	}
	for (int k = 0; k < n; k++) {
		take_messages(&x, k, x.in[k].n);
		for (int j = 0; j < n; j++)
			complete = complete && x.has[k][j] == (j == k ? all : 0);
	}
	return complete ? count : 0;
}

static int least(int a, int b) { return a < b ? a : b; }

/* in one subtree */
static int roots_in(uint16_t set, int n, int level, int index, root *to)
{
	const int first = least(index << level, n), end = least((index + 1) << level, n);
	const int all = (1 << end) - (1 << first);

	if (!(set & all)) return 0;
	if ((set & all) == all) {
		*to = (root){level, index, {0}};
		return 1;
	}
	const int left = roots_in(set, n, level - 1, 2 * index, to);
	return left + roots_in(set, n, level - 1, 2 * index + 1, to + left);
}

/* the roots of the fewest subtrees over n processes that are those of a set, to `to`; how many */
static int roots_of(uint16_t set, int n, root *to)
{
	return roots_in(set, n, rounds_of(n), 0, to);
}

int planned_size(const planned *m, int n)
{
	root list[MOST_LISTED];
	int size = 0;

	for (int j = 0; j < m->n; j++) size += roots_of(m->of[j], n, list);
	return size;
}

/* ---- the time of a plan, in LogGP (shard/message_cost.c) */

typedef struct port { /* of a process */
	double out, in; /* it can send, and receive, from then on */
	int n;
	double has[MOST_LISTED * 2]; /* when it has each message */
} port;

static double later(double a, double b) { return a > b ? a : b; }

double planned_ns(const planned *v, int count, axis_level level, int n, double bytes)
{
	const message_cost *c = &message_costs[level];
	port ports[MOST_LISTED] = {0};
	double last = 0;

	/* messages come in the order of the list, so each port is used in that order, too */
	for (int i = 0; i < count; i++) {
		const double ns = planned_size(&v[i], n) * bytes * c->byte;
		port *from = &ports[v[i].from], *to = &ports[v[i].to];
		const double begin = v[i].after ? later(from->out, from->has[v[i].after - 1])
		                                : from->out;
		const double has = later(to->in + ns, begin + ns + c->latency);
		from->out = begin + ns + c->start;
		to->in = has + c->start;
		to->has[to->n++] = has;
		last = later(last, has);
	}
	return last;
}

const char *choose_listed(axis_level level, int n, double bytes, double *ns)
{
	const message_cost *c = &message_costs[level];
	const int block = block_of(n), blocks = n / block;
	const double halves = rounds_of(block) * c->latency + (n - blocks) * bytes / n * c->byte;
	const char *best = NULL;
	planned v[MOST_PLANNED];

	*ns = INFINITY;
	for (const listed_plan *p = listed_plans; p->n; p++) {
		const int count = p->n == blocks ? list_planned(p->messages, blocks, v) : 0;
		const double takes = halves + planned_ns(v, count, level, blocks, bytes / n);
		if (!count || takes >= *ns) continue;
		*ns = takes;
		best = p->messages;
	}
	return best;
}

/* ---- the messages of one process */

typedef struct listing { /* of one group */
	const lineup *line;
	int n, mine; /* the process is in block `mine` of n */
	tsr_dtype dtype;
	int64_t size; /* of a part */
	int count; /* messages */
	planned *v;
	var *came;  /* by message */
	int taken;  /* of the messages before this one those that come are taken, */
	int ntaken; /* so many */
	roots has[MOST_LISTED]; /* by part */
} listing;

static bool listing_open(replicating *r, const lineup *l, var row, listing *x)
{
	enum { ROOM = 2 * MOST_LISTED }; /* of a part, each subtree is added once */
	const int block = block_of(l->n);
	const type *of = build_failed(r->to) ? NULL : build_type(r->to, row);
	arena *a = r->all->arena;
	double ns;

	*x = (listing){.line = l,
	               .n = l->n / block,
	               .mine = l->mine / block,
	               .v = arena_array(a, MOST_PLANNED, sizeof *x->v),
	               .came = arena_array(a, MOST_PLANNED, sizeof *x->came)};
	if (!of || !x->v || !x->came) return false;
	x->dtype = of->dtype;
	x->size = of->size / x->n;
	const double part = (double)(x->size * (int64_t)tsr_dtype_size(of->dtype));
	x->count = list_planned(choose_listed(l->level, l->n, part * l->n, &ns), x->n, x->v);
	for (int k = 0; k < x->n; k++) {
		x->has[k].v = arena_array(a, ROOM, sizeof(root));
		if (!x->has[k].v) return false;
		add_root(&x->has[k], 0, x->mine,
		         emit_part(r->to, row, 0, k * x->size, (k + 1) * x->size));
	}
	return !build_failed(r->to);
}

/* the process with the same number in this block */
static int process_in(const replicating *r, const listing *x, int block)
{
	const int size = block_of(x->line->n);

	return process_at(r, x->line, block * size + x->line->mine % size);
}

static bool comes(const listing *x, int i) { return x->v[i].to == x->mine; }

/* the roots of a message, one behind the other */
static bool send_roots(transfer *t, listing *x, const planned *m)
{
	build *b = t->r->to;
	var row[MOST_LISTED * MOST_LISTED];
	root list[MOST_LISTED];
	int count = 0;

	for (int j = 0; j < m->n; j++) {
		roots *has = &x->has[m->part[j]];
		const int nroots = roots_of(m->of[j], x->n, list);
		for (int i = 0; i < nroots; i++)
			row[count++] = root_value(b, members_join(t->e), x->n, has, list[i].level,
			                          list[i].index);
	}
	const var all = emit_join(b, row, count, 0);
	return !build_failed(b) && transfer_send(t, process_in(t->r, x, m->to), all);
}

/* and those of message i, which has come */
static void take_roots(build *b, listing *x, int i)
{
	const planned *m = &x->v[i];
	root list[MOST_LISTED];
	int64_t at = 0;

	for (int j = 0; j < m->n; j++) {
		const int nroots = roots_of(m->of[j], x->n, list);
		for (int k = 0; k < nroots; k++, at += x->size)
			add_root(&x->has[m->part[j]], list[k].level, list[k].index,
			         emit_part(b, x->came[i], 0, at, at + x->size));
	}
}

typedef struct transfers { /* of several groups */
	replicating *r;
	/* by message: those with one number in the lists of several groups are one transfer, so
	 * two processes with members in these send each other one message */
	transfer *of;
	bool *ended;
} transfers;

/* until so many have come, or all */
static bool take_some(transfers *t, listing *x, int count)
{
	for (; x->taken < x->count && x->ntaken < count; x->taken++) {
		if (!comes(x, x->taken)) continue;
		if (!t->ended[x->taken] && !transfer_end(&t->of[x->taken])) return false;
		t->ended[x->taken] = true;
		take_roots(t->r->to, x, x->taken);
		x->ntaken++;
	}
	return !build_failed(t->r->to);
}

/* message i of a group, if it leaves this process or comes to it */
static bool begin_message(transfers *t, listing *x, int i)
{
	const planned *m = &x->v[i];

	if (m->from == x->mine) return take_some(t, x, m->after) && send_roots(&t->of[i], x, m);
	if (m->to != x->mine) return true;
	const int64_t size = planned_size(m, x->n) * x->size;
	const type *of = type_make(t->r->from->ir, x->dtype, &size, 1, 0);
	return of &&
	       transfer_receive(&t->of[i], process_in(t->r, x, m->from), of, &x->came[i]);
}

bool scatter_as_listed(replicating *r, const eqn *e, lineup *const *l, int n, var *row)
{
	arena *a = r->all->arena;
	listing *x = arena_array(a, (size_t)n + 1, sizeof *x);
	transfers t = {r, arena_array(a, MOST_PLANNED, sizeof *t.of),
	               arena_array(a, MOST_PLANNED, sizeof *t.ended)};
	int most = 0;

	if (!x || !t.of || !t.ended) return false;
	for (int k = 0; k < n; k++) {
		if (!listing_open(r, l[k], row[k], &x[k])) return false;
		most = x[k].count > most ? x[k].count : most;
	}
	for (int i = 0; i < most; i++) {
		t.of[i] = (transfer){.r = r, .e = e};
		for (int k = 0; k < n; k++)
			if (i < x[k].count && !begin_message(&t, &x[k], i)) return false;
		if (!transfer_begin(&t.of[i])) return false;
	}
	for (int k = 0; k < n; k++) {
		if (!take_some(&t, &x[k], MOST_PLANNED)) return false;
		row[k] = root_value(r->to, members_join(e), x[k].n, &x[k].has[x[k].mine],
		                    rounds_of(x[k].n), 0);
	}
	/* those in which this process only sends: nothing waits for them before */
	for (int i = 0; i < most; i++)
		if (!t.ended[i] && !transfer_end(&t.of[i])) return false;
	return !build_failed(r->to);
}
