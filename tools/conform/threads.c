/* threads.c - passes messages between threads, small ones at once, large ones when the receiver is
 * there, as MPI does. It wants all but the smallest in pieces, and fails a transfer whose sent
 * memory was written before its end: for MPI that is a wrong result now and then. */
#define XXH_INLINE_ALL /* the tool has no library of it */
#include "threads.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <xxhash.h>

enum { EAGER = COMM_SHORT, PIECE = 64 };

typedef struct parcel { /* a message that was sent and has not arrived */
	struct parcel *next;
	int from, to, tag;
	const char *data; /* the sender's, or own copy */
	size_t bytes;
	double due; /* seconds: not seen before */
	transfer *sends;
	char copy[EAGER];
} parcel;

typedef struct sent {
	const void *data;
	size_t bytes;
	uint64_t hash; /* of the data when it was sent */
} sent;

struct transfer {
	transfer *next; /* of the same rank */
	int left;       /* messages that are not over; under the lock */
	bool data;
	bool failed;
	sent *sent;
	int nsent;
	struct wanted {
		struct wanted *next;
		transfer *by;
		message m;
	} * receives;
};

struct threads_world {
	pthread_mutex_t lock;
	int n, a_node, closing;
	int *node;
	uint64_t seed;
	double delay;
	threads_times *times; /* by rank */
	int64_t sent;
	fault fault;
	int64_t fault_at;
	parcel *first, **last;
	struct wanted **wanted; /* by rank, in order */
	char *board;
	int boards;
};

typedef struct thread_comm {
	comm comm;
	transfer *live;
	threads_world *world;
} thread_comm;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

threads_world *threads_world_make(int n, int a_node, uint64_t seed)
{
	threads_world *w = calloc(1, sizeof *w);

	pthread_mutex_init(&w->lock, NULL);
	w->n = n;
	w->a_node = a_node ? a_node : n;
	w->seed = seed;
	w->last = &w->first;
	w->wanted = calloc((size_t)n, sizeof *w->wanted);
	w->node = calloc((size_t)n, sizeof *w->node);
	w->times = calloc((size_t)n, sizeof *w->times);
	for (int i = 0; i < n; i++) w->node[i] = i / w->a_node * w->a_node;
	return w;
}

void threads_world_delay(threads_world *w, double seconds) { w->delay = seconds; }

threads_times threads_world_times(const threads_world *w, int rank) { return w->times[rank]; }

static double processor_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool is_data(const message *m, int n) { return n && m->tag >= TAG_DATA; }

/* some messages are not seen at once */
static bool is_slow(const threads_world *w) { return w->seed || w->delay > 0; }

void threads_world_free(threads_world *w)
{
	while (w->first) {
		parcel *p = w->first;
		w->first = p->next;
		free(p);
	}
	pthread_mutex_destroy(&w->lock);
	free(w->wanted);
	free(w->node);
	free(w->times);
	free(w->board);
	free(w);
}

void threads_world_break(threads_world *w, fault f, int64_t message)
{
	w->fault = f;
	w->fault_at = message;
}

static comm *threads_open(const void *given, char why[COMM_WHY])
{
	const threads_place *at = given;
	thread_comm *c = calloc(1, sizeof *c);

	(void)why;
	c->comm = (comm){.type = &threads_comm,
	                 .rank = at->rank,
	                 .size = at->world->n,
	                 .piece = PIECE,
	                 .node = at->world->node};
	c->world = at->world;
	return &c->comm;
}

/* one more of the messages of a transfer is over */
static void message_over(transfer *t)
{
	if (t) t->left--;
}

static bool fits(const parcel *p, int to, const message *m)
{
	return p->to == to && p->tag == m->tag && (m->peer == COMM_ANY || m->peer == p->from);
}

/* the first parcel for this receive; NULL: none has come. One that is late holds up those behind it
 */
static parcel **find(threads_world *w, int to, const message *m, double at)
{
	for (parcel **p = &w->first; *p; p = &(*p)->next) {
		if (!fits(*p, to, m)) continue;
		return (*p)->due <= at ? p : NULL;
	}
	return NULL;
}

static void take_out(threads_world *w, parcel **p)
{
	parcel *gone = *p;

	*p = gone->next;
	if (w->last == &gone->next) w->last = p;
	free(gone);
}

/* gives what has come to the receives of a rank */
static void deliver(threads_world *w, int rank)
{
	const double at = is_slow(w) ? now() : 0;

	for (struct wanted **x = &w->wanted[rank]; *x;) {
		parcel **p = find(w, rank, &(*x)->m, at);
		if (!p) {
			x = &(*x)->next;
			continue;
		}
		if ((*p)->bytes && (*p)->bytes != (*x)->m.bytes)
			(*x)->by->failed = true;
		else if ((*p)->bytes)
			memcpy((*x)->m.data, (*p)->data, (*p)->bytes);
		message_over((*p)->sends);
		message_over((*x)->by);
		take_out(w, p);
		*x = (*x)->next;
	}
}

static void send_one(threads_world *w, int from, const message *m, transfer *t)
{
	parcel *p = calloc(1, sizeof *p);
	const int64_t number = ++w->sent;
	const fault f = number == w->fault_at ? w->fault : FAULT_NONE;

	*p = (parcel){
		.from = from, .to = m->peer, .tag = m->tag, .data = m->data, .bytes = m->bytes};
	if (m->bytes <= EAGER) {
		if (m->bytes) memcpy(p->copy, m->data, m->bytes);
		p->data = p->copy;
	} else {
		p->sends = t;
		t->left++;
	}
	if (w->seed) {
		w->seed = w->seed * 6364136223846793005u + 1442695040888963407u;
		p->due = now() + ((w->seed >> 60) ? 0 : 1e-3 * (double)(w->seed >> 32 & 3));
	}
	if (w->delay > 0 && m->tag >= TAG_DATA) p->due = now() + w->delay;
	if (f == FAULT_SHORT && p->bytes) p->bytes--;
	if (f == FAULT_LOSE) {
		message_over(p->sends);
		free(p);
		return;
	}
	if (f == FAULT_SWAP && w->first) {
		p->next = w->first;
		w->first = p;
		return;
	}
	*w->last = p;
	w->last = &p->next;
}

static void transfer_free(transfer *t)
{
	free(t->receives);
	free(t->sent);
	free(t);
}

static bool is_unchanged(const transfer *t)
{
	for (int i = 0; i < t->nsent; i++) {
		const sent *x = &t->sent[i];
		if (XXH3_64bits(x->data, x->bytes) != x->hash) return false;
	}
	return true;
}

static transfer *threads_start(comm *c, const message *out, int nout, const message *in, int nin)
{
	threads_world *w = ((thread_comm *)c)->world;
	transfer *t = calloc(1, sizeof *t);
	int n = 0;

	for (int i = 0; i < nin; i++) n += message_pieces(&in[i], PIECE);
	t->receives = calloc((size_t)n + 1, sizeof *t->receives);
	t->data = is_data(out, nout) || is_data(in, nin);
	t->sent = calloc((size_t)nout + 1, sizeof *t->sent);
	for (; t->data && t->nsent < nout; t->nsent++) {
		const message *m = &out[t->nsent];
		t->sent[t->nsent] = (sent){m->data, m->bytes, XXH3_64bits(m->data, m->bytes)};
	}
	if (t->data) w->times[c->rank].began = processor_now();
	pthread_mutex_lock(&w->lock);
	if (w->fault == FAULT_REFUSE && w->sent >= w->fault_at) {
		pthread_mutex_unlock(&w->lock);
		transfer_free(t);
		snprintf(c->why, COMM_WHY, "the network is down");
		return NULL;
	}
	struct wanted **end = &w->wanted[c->rank];
	while (*end) end = &(*end)->next;
	for (int i = 0; i < nin; i++) {
		const int pieces = message_pieces(&in[i], PIECE);
		for (int k = 0; k < pieces; k++) {
			struct wanted *x = &t->receives[t->left++];
			*x = (struct wanted){.by = t, .m = message_piece(&in[i], pieces, k)};
			*end = x;
			end = &x->next;
		}
	}
	for (int i = 0; i < nout; i++) {
		const int pieces = message_pieces(&out[i], PIECE);
		for (int k = 0; k < pieces; k++) {
			const message piece = message_piece(&out[i], pieces, k);
			send_one(w, c->rank, &piece, t);
		}
	}
	t->next = ((thread_comm *)c)->live;
	((thread_comm *)c)->live = t;
	pthread_mutex_unlock(&w->lock);
	return t;
}

static void forget(comm *c, transfer *t)
{
	transfer **at = &((thread_comm *)c)->live;

	while (*at != t) at = &(*at)->next;
	*at = t->next;
	transfer_free(t);
}

static comm_state threads_test(comm *c, transfer *t)
{
	threads_world *w = ((thread_comm *)c)->world;

	pthread_mutex_lock(&w->lock);
	deliver(w, c->rank);
	const int left = t->left;
	const bool lost = t->failed;
	pthread_mutex_unlock(&w->lock);
	if (left) return COMM_BUSY;
	const bool changed = !is_unchanged(t);
	if (lost) snprintf(c->why, COMM_WHY, "a message has another length than its place");
	else if (changed)
		snprintf(c->why, COMM_WHY, "what is sent was written before the transfer's end");
	if (t->data) w->times[c->rank].over = processor_now();
	forget(c, t);
	return lost || changed ? COMM_FAILED : COMM_DONE;
}

static comm_state threads_drop(comm *c, int peer, int tag)
{
	threads_world *w = ((thread_comm *)c)->world;

	pthread_mutex_lock(&w->lock);
	deliver(w, c->rank);
	parcel **p = find(w, c->rank, &(message){.peer = peer, .tag = tag}, is_slow(w) ? now() : 0);
	if (p) {
		message_over((*p)->sends);
		take_out(w, p);
	}
	pthread_mutex_unlock(&w->lock);
	return p ? COMM_DONE : COMM_BUSY;
}

static void threads_cancel(comm *c, transfer *t)
{
	threads_world *w = ((thread_comm *)c)->world;

	pthread_mutex_lock(&w->lock);
	for (struct wanted **x = &w->wanted[c->rank]; *x;)
		if ((*x)->by == t)
			*x = (*x)->next;
		else
			x = &(*x)->next;
	pthread_mutex_unlock(&w->lock);
	forget(c, t);
}

/* what was sent and has not been taken goes, but for what has a copy */
static void threads_stop(comm *c)
{
	threads_world *w = ((thread_comm *)c)->world;

	pthread_mutex_lock(&w->lock);
	w->wanted[c->rank] = NULL;
	for (parcel **p = &w->first; *p;)
		if ((*p)->from == c->rank && (*p)->sends)
			take_out(w, p);
		else
			p = &(*p)->next;
	while (((thread_comm *)c)->live) forget(c, ((thread_comm *)c)->live);
	pthread_mutex_unlock(&w->lock);
}

static void *threads_board(comm *c, size_t bytes)
{
	threads_world *w = ((thread_comm *)c)->world;

	pthread_mutex_lock(&w->lock);
	if (!w->board) w->board = calloc((size_t)w->n, bytes);
	pthread_mutex_unlock(&w->lock);
	return w->board + (size_t)w->node[c->rank] * bytes;
}

/* Where all goes well, each transfer of data was waited for */
static bool has_data(const transfer *live)
{
	while (live && !live->data) live = live->next;
	return live;
}

static void threads_close(comm *c, bool whole)
{
	if (whole && has_data(((thread_comm *)c)->live)) {
		fprintf(stderr, "rank %d closes before a transfer of data is over\n", c->rank);
		abort();
	}
	threads_stop(c);
	free(c);
}

const comm_type threads_comm = {.abi = COMM_ABI,
                                .name = "threads",
                                .open = threads_open,
                                .start = threads_start,
                                .test = threads_test,
                                .drop = threads_drop,
                                .cancel = threads_cancel,
                                .stop = threads_stop,
                                .board = threads_board,
                                .close = threads_close};

/* ---- threads */

typedef struct running {
	pthread_t thread;
	threads_place at;
	void (*body)(const threads_place *, void *of);
	void *of;
} running;

static void *run(void *of)
{
	const running *r = of;

	r->body(&r->at, r->of);
	return NULL;
}

void threads_run(threads_world *w, void (*body)(const threads_place *, void *of), void *of)
{
	running *all = calloc((size_t)w->n, sizeof *all);

	for (int i = 0; i < w->n; i++) {
		all[i] = (running){.at = {w, i, w->n}, .body = body, .of = of};
		pthread_create(&all[i].thread, NULL, run, &all[i]);
	}
	for (int i = 0; i < w->n; i++) pthread_join(all[i].thread, NULL);
	free(all);
}
