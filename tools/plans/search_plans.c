/* search_plans.c - searches for plans of sums over few processes, to be listed in
 * src/pass/crossing/listed.def.
 *
 *     search_plans PROCESSES ELEMENTS [STEPS [SEED]]
 *
 * prints the best plan that it finds for parts of so many f32 over a network.
 *
 * A choice says, for each part and each inner subtree of the sum, who joins it, who passes its root
 * on to there, if anybody, and to whom each process sends first. Messages follow from that: all
 * that one process has for another is one message, and it leaves when it is complete. Of three
 * processes, where 0 joins 0 and 1 for the last part, 1 sends to 0 what it has for 0 and for 2, and
 * when that has come, 0 sends to 2 the root 01.
 *
 * Simulated annealing (Kirkpatrick, Gelatt, Vecchi, 1983) changes a choice at random, one to three
 * things at a time, and keeps a change that takes longer less and less often. A million steps for 9
 * processes take 4 s. Most of the listed plans are the best of a few searches with 4 to 16 million
 * steps; others with as many are up to 3 in 100 longer. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "pass/crossing/listed.h"

enum { NODES = 2 * MOST_LISTED };

typedef struct tree { /* of a sum; nodes 0 .. n - 1 are the processes' own */
	int n, count, root;
	int left[NODES], right[NODES], parent[NODES];
	int first[NODES], end[NODES]; /* processes */
} tree;

typedef struct choice {
	int8_t at[MOST_LISTED][NODES];  /* by part and node: who joins it */
	int8_t via[MOST_LISTED][NODES]; /* who passes it on to where it is needed; -1: nobody */
	uint8_t order[MOST_LISTED][MOST_LISTED]; /* to whom each sends first */
} choice;

static uint64_t draws;

static int below(int n)
{
	draws ^= draws << 13;
	draws ^= draws >> 7;
	draws ^= draws << 17;
	return (int)((draws >> 32) * (uint64_t)n >> 32);
}

static int tree_make(tree *t, int first, int end)
{
	int half = 1, id = first;

	if (end - first > 1) {
		while (2 * half < end - first) half *= 2;
		const int left = tree_make(t, first, first + half);
		const int right = tree_make(t, first + half, end);
		id = t->count++;
		t->left[id] = left;
		t->right[id] = right;
		t->parent[left] = t->parent[right] = id;
	}
	t->first[id] = first;
	t->end[id] = end;
	return id;
}

/* ---- the messages of a choice, and when all have their parts */

typedef struct hop { /* of a root: it goes from one to another */
	int8_t from, to; /* from < 0: there is none */
} hop;
typedef struct item { /* of a message: a root on its first or second hop */
	int8_t part, node, hop;
} item;
typedef struct parcel { /* all that one process sends to another */
	int n, missing;
	double ready; /* when all that has come so far was there */
	item v[MOST_LISTED * NODES];
} parcel;
typedef struct port {
	double out, in; /* it can send, and receive, from then on */
	int sent;       /* so many of its order */
	int came, after;
	double has[MOST_LISTED]; /* when what came was there */
} port;

typedef struct walk {
	const tree *tree;
	const choice *choice;
	double part, latency, start; /* ns */
	parcel of[MOST_LISTED][MOST_LISTED];
	hop hops[MOST_LISTED][NODES][2];
	double there[MOST_LISTED][NODES]; /* when a node is joined, or so much of it */
	int8_t lacks[MOST_LISTED][NODES]; /* so many of its two subtrees */
	port ports[MOST_LISTED];
	int left; /* messages */
	double last;
	planned *notes; /* NULL: they are not noted */
	int nnotes;
} walk;

static double later(double a, double b) { return a > b ? a : b; }

static void add_item(walk *w, int part, int node, int which, int from, int to)
{
	parcel *b = &w->of[from][to];

	w->hops[part][node][which] = (hop){(int8_t)from, (int8_t)to};
	w->left += !b->n;
	b->v[b->n++] = (item){(int8_t)part, (int8_t)node, (int8_t)which};
	b->missing = b->n;
}

static void list_items(walk *w)
{
	const tree *t = w->tree;

	for (int q = 0; q < t->n; q++)
		for (int v = 0; v < t->count; v++) {
			const int from = w->choice->at[q][v], via = w->choice->via[q][v];
			w->hops[q][v][0].from = w->hops[q][v][1].from = -1;
			w->lacks[q][v] = v < t->n ? 0 : 2;
			w->there[q][v] = 0;
			if (v == t->root) continue;
			const int to = w->choice->at[q][t->parent[v]];
			if (from == to) continue;
			const bool passed = via >= 0 && via != from && via != to;
			add_item(w, q, v, 0, from, passed ? via : to);
			if (passed) add_item(w, q, v, 1, via, to);
		}
}

static void is_there(walk *w, const hop *h, double ns)
{
	parcel *b = &w->of[h->from][h->to];

	b->missing--;
	b->ready = later(b->ready, ns);
}

static void is_joined(walk *w, int part, int node);

/* at the process that joins it with its neighbour */
static void has_come(walk *w, int part, int node, double ns)
{
	const int parent = w->tree->parent[node];

	w->there[part][parent] = later(w->there[part][parent], ns);
	if (!--w->lacks[part][parent]) is_joined(w, part, parent);
}

static void is_joined(walk *w, int part, int node)
{
	const hop *h = w->hops[part][node];
	const double ns = w->there[part][node];

	if (node == w->tree->root) w->last = later(w->last, ns);
	else if (h->from >= 0)
		is_there(w, h, ns);
	else
		has_come(w, part, node, ns);
}

static void note(walk *w, int from, int to, double has)
{
	const parcel *b = &w->of[from][to];
	planned *m = &w->notes[w->nnotes++];
	port *p = &w->ports[from];

	*m = (planned){.from = (uint8_t)from, .to = (uint8_t)to};
	while (p->after < p->came && p->has[p->after] <= b->ready) p->after++;
	m->after = (uint8_t)p->after;
	for (int i = 0; i < b->n; i++) {
		bool listed = false;
		for (int j = 0; j < m->n; j++) listed = listed || m->part[j] == b->v[i].part;
		if (!listed) m->part[m->n++] = (uint8_t)b->v[i].part;
	}
	w->ports[to].has[w->ports[to].came++] = has;
}

/* a process sends the next of its messages */
static void send_next(walk *w, int from, int to, double comes)
{
	const parcel *b = &w->of[from][to];
	port *out = &w->ports[from], *in = &w->ports[to];
	const double has = later(in->in + b->n * w->part, comes);

	if (w->notes) note(w, from, to, has);
	out->out = comes - w->latency + w->start;
	out->sent++;
	in->in = has + w->start;
	w->left--;
	for (int i = 0; i < b->n; i++) {
		const item *x = &b->v[i];
		const hop *next = &w->hops[x->part][x->node][1];
		if (!x->hop && next->from >= 0) is_there(w, next, has);
		else
			has_come(w, x->part, x->node, has);
	}
}

/* whom a process sends to next; -1: to nobody, or not all of it is there yet */
static int next_of(walk *w, int from)
{
	port *p = &w->ports[from];
	const uint8_t *order = w->choice->order[from];

	while (p->sent < w->tree->n && !w->of[from][order[p->sent]].n) p->sent++;
	return p->sent < w->tree->n && !w->of[from][order[p->sent]].missing ? order[p->sent] : -1;
}

/* the one that comes first of those that can leave. false: none can */
static bool walk_one(walk *w)
{
	int from = -1, to = -1;
	double comes = INFINITY;

	for (int k = 0; k < w->tree->n; k++) {
		const int other = next_of(w, k);
		if (other < 0) continue;
		const parcel *b = &w->of[k][other];
		const double ns =
			later(w->ports[k].out, b->ready) + b->n * w->part + w->latency;
		if (ns >= comes) continue;
		comes = ns;
		from = k;
		to = other;
	}
	if (from >= 0) send_next(w, from, to, comes);
	return from >= 0;
}

/* infinity: some wait for each other. notes: gets the messages, if it is not NULL */
static double walk_choice(walk *w, const choice *c, planned *notes)
{
	const int n = w->tree->n;

	w->choice = c;
	w->notes = notes;
	w->left = w->nnotes = 0;
	w->last = 0;
	for (int k = 0; k < n; k++) {
		w->ports[k] = (port){0};
		for (int j = 0; j < n; j++) {
			w->of[k][j].n = w->of[k][j].missing = 0;
			w->of[k][j].ready = 0;
		}
	}
	list_items(w);
	for (int q = 0; q < n; q++)
		for (int k = 0; k < n; k++) is_joined(w, q, k);
	while (w->left)
		if (!walk_one(w)) return INFINITY;
	return w->last;
}

/* ---- choices */

/* The process in a subtree whose last bits are those of the part's owner, as if halves were
 * exchanged; each sends to those first that differ in the last bit, then in the one before */
static void choice_begin(const tree *t, choice *c)
{
	memset(c->via, -1, sizeof c->via);
	for (int q = 0; q < t->n; q++)
		for (int v = 0; v < t->count; v++) {
			const int size = t->end[v] - t->first[v], places = 1 << rounds_of(size);
			const int place = q % places < size ? q % places : q % (places / 2);
			c->at[q][v] = (int8_t)(v == t->root ? q : t->first[v] + place);
		}
	for (int k = 0; k < t->n; k++) {
		int count = 0;
		for (int bit = 1; bit < MOST_LISTED; bit *= 2)
			for (int j = 0; j < t->n; j++)
				if (((k ^ j) & -(k ^ j)) == bit)
					c->order[k][count++] = (uint8_t)j;
		c->order[k][count] = (uint8_t)k;
	}
}

static void change_order(const tree *t, choice *c)
{
	uint8_t *v = c->order[below(t->n)];
	const int i = below(t->n), j = below(t->n);
	const uint8_t x = v[i];

	if (below(2)) v[i] = v[j];
	else if (i < j)
		memmove(v + i, v + i + 1, (size_t)(j - i));
	else
		memmove(v + j + 1, v + j, (size_t)(i - j));
	v[j] = x;
}

/* to one of the subtree's processes, or to where it is needed, or where one half of it is; maybe
 * with the subtrees that it is part of, as far as they were joined by the same */
static void change_place(const tree *t, choice *c)
{
	int8_t *at = c->at[below(t->n)];
	const int v = t->n + below(t->count - t->n), from = at[v], way = below(3);

	if (v == t->root) return;
	if (way == 0) at[v] = (int8_t)(t->first[v] + below(t->end[v] - t->first[v]));
	else if (way == 1)
		at[v] = at[t->parent[v]];
	else
		at[v] = at[below(2) ? t->left[v] : t->right[v]];
	if (below(2)) return;
	for (int u = t->parent[v]; u != t->root && at[u] == from; u = t->parent[u]) at[u] = at[v];
}

/* as for another part */
static void copy_places(const tree *t, choice *c)
{
	const int to = below(t->n), from = below(t->n), of = t->n + below(t->count - t->n);

	for (int v = t->n; v < t->count; v++)
		if (v != t->root && t->first[v] >= t->first[of] && t->end[v] <= t->end[of])
			c->at[to][v] = c->at[from][v];
}

static void change(const tree *t, choice *c)
{
	const int what = below(10);

	if (what < 4) change_order(t, c);
	else if (what < 7)
		change_place(t, c);
	else if (what < 8)
		copy_places(t, c);
	else
		c->via[below(t->n)][below(t->count)] = (int8_t)(below(2) ? -1 : below(t->n));
}

static choice anneal(walk *w, long steps)
{
	choice now, best, next;

	choice_begin(w->tree, &now);
	double ns = walk_choice(w, &now, NULL), least = ns;
	const double hot = ns / 64;
	best = now;
	for (long i = 0; i < steps; i++) {
		const double heat = hot * pow(0.01, (double)i / (double)steps);
		next = now;
		for (int k = below(3); k >= 0; k--) change(w->tree, &next);
		const double takes = walk_choice(w, &next, NULL);
		if (takes > ns && below(1 << 30) >= exp((ns - takes) / heat) * (1 << 30)) continue;
		now = next;
		ns = takes;
		if (ns >= least) continue;
		least = ns;
		best = now;
	}
	return best;
}

/* ---- printing */

static int print_message(char *to, size_t room, const planned *m)
{
	int at = snprintf(to, room, "%x", (unsigned)m->from);

	if (m->after) at += snprintf(to + at, room - (size_t)at, "+%x", (unsigned)m->after);
	at += snprintf(to + at, room - (size_t)at, ">%x:", (unsigned)m->to);
	for (int j = 0; j < m->n; j++)
		at += snprintf(to + at, room - (size_t)at, "%x", (unsigned)m->part[j]);
	return at;
}

/* in lines of at most 84 characters; text: gets the messages alone */
static void print_plan(int n, const planned *v, int count, char *text)
{
	char one[64];
	int column = 0;

	printf("PLAN(%d,\n     \"", n);
	for (int i = 0; i < count; i++) {
		const int size = print_message(one, sizeof one, &v[i]);
		if (column && column + 1 + size > 84) {
			printf(" \"\n     \"");
			column = 0;
		}
		column += printf("%s%s", column ? " " : "", one);
		text += sprintf(text, "%s%s", i ? " " : "", one);
	}
	printf("\")\n");
}

int main(int argc, char **argv)
{
	static walk w;
	static planned notes[MOST_PLANNED], listed[MOST_PLANNED];
	static char text[MOST_PLANNED * 64];
	const int n = argc > 2 ? atoi(argv[1]) : 0;
	const double elements = argc > 2 ? atof(argv[2]) : 0;
	const message_cost *c = &message_costs[LEVEL_NETWORK];
	tree t = {.n = n, .count = n};

	if (n < 2 || n > MOST_LISTED || elements < 1) {
		fprintf(stderr, "usage: search_plans PROCESSES (2 to %d) ELEMENTS [STEPS [SEED]]\n",
		        MOST_LISTED);
		return 2;
	}
	draws = 0x9E3779B97F4A7C15u * (argc > 4 ? strtoull(argv[4], NULL, 10) + 1 : 1);
	t.root = tree_make(&t, 0, n);
	w = (walk){.tree = &t,
	           .part = 4 * elements * c->byte,
	           .latency = c->latency,
	           .start = c->start};
	const choice best = anneal(&w, argc > 3 ? atol(argv[3]) : 1000000);
	walk_choice(&w, &best, notes);
	print_plan(n, notes, w.nnotes, text);
	const int count = list_planned(text, n, listed);
	if (!count) {
		fprintf(stderr, "search_plans: the plan is wrong\n");
		return 1;
	}
	printf("/* %.0f elements: %.0f ns */\n", elements,
	       planned_ns(listed, count, LEVEL_NETWORK, n, 4 * elements));
	return 0;
}
