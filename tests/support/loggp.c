/* loggp.c - walks the messages of all processes: a process ends a transfer when all has come that
 * it receives in it. What it sends leaves one message after the other, and what it receives comes
 * one after the other:
 *
 *     process 0 sends to 1 and 2:  |- bytes -|- start -|- bytes -|
 *     1 has it                               latency behind the first
 *     2 has it                                                   latency behind the second
 *
 * What is sent in one transfer may still leave in the next ones. */
#include "support/loggp.h"
#include "prim/prim.h"
#include "shard/shard.h"
#include <stdlib.h>

typedef struct message {
	int64_t from, to, number; /* of those from one to another */
	double bytes, comes;      /* comes < 0: it is not sent yet */
} message;

typedef struct step { /* of a process: it sends, receives, or ends a transfer */
	int64_t peer, number;
	enum { SENDS, RECEIVES, ENDS } does;
	double bytes;
} step;

typedef struct process {
	step *v;
	int64_t n, cap, at;
	double now, out, in; /* it can send, and receive, from then on */
} process;

struct loggp {
	int64_t n;
	message_cost cost;
	process *v;
	int64_t *to, *from; /* by process: messages so far */
	message *m;
	int64_t nm;
	message **come;
};

loggp *loggp_open(int64_t n, axis_level level)
{
	loggp *l = calloc(1, sizeof *l);

	l->n = n;
	l->cost = message_costs[level];
	l->v = calloc((size_t)n, sizeof *l->v);
	l->to = calloc((size_t)n, sizeof *l->to);
	l->from = calloc((size_t)n, sizeof *l->from);
	l->come = calloc((size_t)n, sizeof(message *));
	return l;
}

void loggp_free(loggp *l)
{
	for (int64_t k = 0; k < l->n; k++) free(l->v[k].v);
	free(l->v);
	free(l->to);
	free(l->from);
	free(l->m);
	free((void *)l->come);
	free(l);
}

static void add_step(process *p, step s)
{
	if (p->n == p->cap) {
		p->cap = 2 * p->cap + 32;
		p->v = realloc(p->v, (size_t)p->cap * sizeof *p->v);
	}
	p->v[p->n++] = s;
}

static double bytes_of(const type *t) { return (double)t->size * (double)tsr_dtype_size(t->dtype); }

void loggp_add(loggp *l, int64_t k, const program *p)
{
	const size_t bytes = (size_t)l->n * sizeof *l->to;

	memset(l->to, 0, bytes);
	memset(l->from, 0, bytes);
	for (int i = 0; i < p->neqns; i++) {
		const eqn *e = &p->eqns[i];
		const transfer_params *t = e->params;
		const bool begins = e->prim == &tsr__prim_transfer_begin;
		if (!begins && e->prim != &tsr__prim_transfer_end) continue;
		for (int j = 0; begins && j < t->to.n; j++)
			add_step(&l->v[k], (step){t->to.v[j], l->to[t->to.v[j]]++, SENDS,
			                          bytes_of(type_of(p, e->in[j]))});
		for (int j = 0; !begins && j < t->from.n; j++)
			add_step(&l->v[k], (step){t->from.v[j], l->from[t->from.v[j]]++, RECEIVES,
			                          bytes_of(t->types.v[j])});
		if (!begins) add_step(&l->v[k], (step){.does = ENDS});
	}
}

static int compare_messages(const void *a, const void *b)
{
	const message *x = a, *y = b;

	if (x->to != y->to) return x->to < y->to ? -1 : 1;
	if (x->from != y->from) return x->from < y->from ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

static int compare_coming(const void *a, const void *b)
{
	const double x = (*(message *const *)a)->comes, y = (*(message *const *)b)->comes;

	return (x > y) - (x < y);
}

static void list_messages(loggp *l)
{
	int64_t n = 0;

	for (int64_t k = 0; k < l->n; k++) n += l->v[k].n;
	l->m = calloc((size_t)n + 1, sizeof *l->m);
	for (int64_t k = 0; k < l->n; k++)
		for (int64_t i = 0; i < l->v[k].n; i++) {
			const step *s = &l->v[k].v[i];
			if (s->does == SENDS)
				l->m[l->nm++] = (message){k, s->peer, s->number, s->bytes, -1};
		}
	qsort(l->m, (size_t)l->nm, sizeof *l->m, compare_messages);
}

static message *find_message(const loggp *l, int64_t from, int64_t to, int64_t number)
{
	const message key = {.from = from, .to = to, .number = number};

	return bsearch(&key, l->m, (size_t)l->nm, sizeof key, compare_messages);
}

/* process k to the end of a transfer; false: not all has come yet */
static bool walk_transfer(loggp *l, int64_t k)
{
	process *p = &l->v[k];
	int64_t i = p->at, n = 0;

	for (; p->v[i].does == SENDS; i++) {
		message *m = find_message(l, k, p->v[i].peer, p->v[i].number);
		if (m->comes >= 0) continue;
		p->out = (p->out > p->now ? p->out : p->now) + m->bytes * l->cost.byte;
		m->comes = p->out + l->cost.latency;
		p->out += l->cost.start;
	}
	for (; p->v[i].does == RECEIVES; i++) {
		message *m = find_message(l, p->v[i].peer, k, p->v[i].number);
		if (!m || m->comes < 0) return false;
		l->come[n++] = m;
	}
	qsort((void *)l->come, (size_t)n, sizeof(message *), compare_coming);
	for (int64_t j = 0; j < n; j++) {
		const double next = p->in + l->come[j]->bytes * l->cost.byte;
		const double has = next > l->come[j]->comes ? next : l->come[j]->comes;
		if (has > p->now) p->now = has;
		p->in = has + l->cost.start;
	}
	p->at = i + 1;
	return true;
}

double loggp_ns(loggp *l)
{
	double last = 0;

	list_messages(l);
	for (bool moved = true; moved;) {
		moved = false;
		for (int64_t k = 0; k < l->n; k++)
			while (l->v[k].at < l->v[k].n && walk_transfer(l, k)) moved = true;
	}
	for (int64_t k = 0; k < l->n; k++) {
		if (l->v[k].at < l->v[k].n) return -1;
		last = l->v[k].now > last ? l->v[k].now : last;
	}
	return last;
}
