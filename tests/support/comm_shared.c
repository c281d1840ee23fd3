/* comm_shared.c - messages between forked processes, in pieces that lie in slots of shared memory.
 *
 * A slot is free, or holds a piece of one message. The sender puts pieces in order; the receiver of
 * a message takes those with the next numbers. A number is of all pieces between two ranks with one
 * tag, so pieces of several messages are not mixed up.
 *
 * Each rank has slots of its own for each other one, and of these some that are not for data: who
 * is ahead, and sends what nobody waits for yet, takes none that others need to come as far. */
#include "support/comm_shared.h"
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { SLOTS = 8, FOR_DATA = 6, PIECE = 4096, TAGS = TAG_DATA + DATA_TAGS, RANKS = 16 };
enum { BOARD = 1 << 20 };

typedef struct slot {
	_Atomic bool full;
	int tag;
	int64_t number;
	size_t bytes, total; /* of the piece; of the message */
	char data[PIECE];
} slot;

struct shared_world {
	int ranks;
	_Atomic bool ended;
	int node[RANKS];
	char board[BOARD];
	slot slots[][SLOTS]; /* first from rank 0 to each, then from rank 1, ... */
};

typedef struct pending { /* a message under way */
	struct pending *next;
	struct transfer *by;
	message m;
	size_t moved;
	bool begun;
} pending;

struct transfer {
	transfer *next; /* of the same rank */
	int left, n;
	bool failed;
	pending all[];
};

typedef struct shared {
	comm comm;
	shared_world *world;
	pending *out, *in; /* in the order in which they were started */
	transfer *live;
	int64_t put[RANKS][TAGS], taken[RANKS][TAGS];
	void *dropped;
	transfer *dropping;
} shared;

static size_t world_size(int ranks)
{
	const size_t pairs = (size_t)ranks * (size_t)ranks;

	return sizeof(shared_world) + pairs * sizeof(slot[SLOTS]);
}

shared_world *shared_world_make(int ranks)
{
	shared_world *w = mmap(NULL, world_size(ranks), PROT_READ | PROT_WRITE,
	                       MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (w == MAP_FAILED || ranks > RANKS) abort();
	w->ranks = ranks;
	return w;
}

void shared_world_nodes(shared_world *w, int a_node)
{
	for (int i = 0; i < w->ranks; i++) w->node[i] = i / a_node * a_node;
}

void shared_world_free(shared_world *w) { munmap(w, world_size(w->ranks)); }

void shared_world_again(shared_world *w)
{
	const int ranks = w->ranks;

	if (madvise(w, world_size(ranks), MADV_REMOVE) != 0) abort(); /* all of it is 0 */
	w->ranks = ranks;
}

void shared_world_end(shared_world *w) { atomic_store(&w->ended, true); }

static comm *shared_open(const void *given, char why[COMM_WHY])
{
	const shared_place *at = given;
	shared *s = calloc(1, sizeof *s);

	(void)why;
	s->world = at->world;
	s->comm = (comm){.type = &shared_comm,
	                 .rank = at->rank,
	                 .size = at->world->ranks,
	                 .node = at->world->node};
	return &s->comm;
}

/* ---- pieces */

static slot *slots_between(shared_world *w, int from, int to)
{
	return w->slots[from * w->ranks + to];
}

static slot *free_slot(shared_world *w, int from, int to, int tag)
{
	slot *x = slots_between(w, from, to);
	const int n = tag < TAG_DATA ? SLOTS : FOR_DATA;

	for (int i = 0; i < n; i++)
		if (!atomic_load(&x[n - 1 - i].full)) return &x[n - 1 - i];
	return NULL;
}

/* Has an earlier message to the same rank and tag pieces left? Tags of data count as one: the
 * receiver begins with the first */
static bool is_behind(const shared *s, const pending *p)
{
	for (const pending *q = s->out; q != p; q = q->next)
		if (q->m.peer == p->m.peer &&
		    (q->m.tag == p->m.tag || (q->m.tag >= TAG_DATA && p->m.tag >= TAG_DATA)))
			return true;
	return false;
}

/* puts what fits; is all of it there? */
static bool put(shared *s, pending *p)
{
	while (!p->begun || p->moved < p->m.bytes) {
		slot *x = free_slot(s->world, s->comm.rank, p->m.peer, p->m.tag);
		if (!x) return false;
		const size_t rest = p->m.bytes - p->moved;
		x->tag = p->m.tag;
		x->number = s->put[p->m.peer][x->tag]++;
		x->total = p->m.bytes;
		x->bytes = rest < PIECE ? rest : PIECE;
		if (x->bytes) memcpy(x->data, (char *)p->m.data + p->moved, x->bytes);
		p->moved += x->bytes;
		p->begun = true;
		atomic_store(&x->full, true);
	}
	return true;
}

/* the next piece for us from this rank; NULL: it has not come */
static slot *find(const shared *s, int from, int tag)
{
	slot *x = slots_between(s->world, from, s->comm.rank);

	for (int i = 0; i < SLOTS; i++)
		if (atomic_load(&x[i].full) && x[i].tag == tag &&
		    x[i].number == s->taken[from][tag])
			return &x[i];
	return NULL;
}

/* whoever has sent a piece of this; COMM_ANY: nobody has */
static int find_sender(const shared *s, int tag)
{
	for (int from = 0; from < s->comm.size; from++)
		if (find(s, from, tag)) return from;
	return COMM_ANY;
}

/* takes what has come; is it whole? */
static bool take(shared *s, pending *p)
{
	if (p->m.peer == COMM_ANY) p->m.peer = find_sender(s, p->m.tag);
	if (p->m.peer == COMM_ANY) return false;
	for (slot *x; (x = find(s, p->m.peer, p->m.tag));) {
		if (x->total && x->total != p->m.bytes)
			p->by->failed = true;
		else if (x->bytes)
			memcpy((char *)p->m.data + p->moved, x->data, x->bytes);
		p->moved += x->bytes;
		s->taken[p->m.peer][x->tag]++;
		const bool whole = p->moved == x->total;
		atomic_store(&x->full, false);
		if (whole) return true;
	}
	return false;
}

/* has an earlier receive first call on what this one waits for? */
static bool is_later(const shared *s, const pending *p)
{
	for (const pending *q = s->in; q != p; q = q->next)
		if (q->m.tag == p->m.tag &&
		    (q->m.peer == p->m.peer || q->m.peer == COMM_ANY || p->m.peer == COMM_ANY))
			return true;
	return false;
}

static void move_all(shared *s)
{
	for (pending **p = &s->out; *p;) {
		if (is_behind(s, *p) || !put(s, *p)) {
			p = &(*p)->next;
			continue;
		}
		(*p)->by->left--;
		*p = (*p)->next;
	}
	for (pending **p = &s->in; *p;) {
		if (is_later(s, *p) || !take(s, *p)) {
			p = &(*p)->next;
			continue;
		}
		(*p)->by->left--;
		*p = (*p)->next;
	}
}

/* ---- the contract */

static transfer *shared_start(comm *c, const message *out, int nout, const message *in, int nin)
{
	shared *s = (shared *)c;
	const int n = nout + nin;
	transfer *t = calloc(1, sizeof *t + (size_t)n * sizeof *t->all);

	t->left = t->n = n;
	t->next = s->live;
	s->live = t;
	for (int i = 0; i < n; i++) {
		pending **end = i < nout ? &s->out : &s->in;
		t->all[i] = (pending){.by = t, .m = i < nout ? out[i] : in[i - nout]};
		while (*end) end = &(*end)->next;
		*end = &t->all[i];
	}
	move_all(s);
	return t;
}

static void forget(shared *s, transfer *t)
{
	transfer **at = &s->live;

	while (*at != t) at = &(*at)->next;
	*at = t->next;
	free(t);
}

static comm_state shared_test(comm *c, transfer *t)
{
	shared *s = (shared *)c;

	move_all(s);
	if (t->left && !atomic_load(&s->world->ended)) {
		sched_yield();
		return COMM_BUSY;
	}
	const bool lost = t->failed || t->left;
	if (t->left) {
		snprintf(c->why, COMM_WHY, "a process is gone");
		return COMM_FAILED; /* what waits may still be in the lists */
	}
	if (lost) snprintf(c->why, COMM_WHY, "a message has another length than its place");
	forget(s, t);
	return lost ? COMM_FAILED : COMM_DONE;
}

static comm_state shared_drop(comm *c, int peer, int tag)
{
	shared *s = (shared *)c;

	if (!s->dropped) {
		const slot *x = find(s, peer, tag);
		if (!x) return atomic_load(&s->world->ended) ? COMM_FAILED : COMM_BUSY;
		s->dropped = malloc(x->total + 1);
		const message m = {peer, tag, s->dropped, x->total};
		s->dropping = shared_start(c, NULL, 0, &m, 1);
	}
	const comm_state state = shared_test(c, s->dropping);
	if (state != COMM_BUSY) free(s->dropped), s->dropped = NULL;
	return state;
}

static void shared_cancel(comm *c, transfer *t)
{
	shared *s = (shared *)c;

	for (pending **p = &s->in; *p;)
		if ((*p)->by == t)
			*p = (*p)->next;
		else
			p = &(*p)->next;
	forget(s, t);
}

static void shared_stop(comm *c)
{
	shared *s = (shared *)c;

	move_all(s);
	s->out = s->in = NULL;
	while (s->live) forget(s, s->live);
}

static void *shared_board(comm *c, size_t bytes)
{
	shared *s = (shared *)c;

	const size_t first = (size_t)s->world->node[c->rank] * bytes;

	return (size_t)c->size * bytes <= BOARD ? s->world->board + first : NULL;
}

static void shared_close(comm *c, bool whole)
{
	(void)whole;
	shared_stop(c);
	free(((shared *)c)->dropped);
	free(c);
}

const comm_type shared_comm = {.abi = COMM_ABI,
                               .name = "shared",
                               .open = shared_open,
                               .start = shared_start,
                               .test = shared_test,
                               .drop = shared_drop,
                               .cancel = shared_cancel,
                               .stop = shared_stop,
                               .board = shared_board,
                               .close = shared_close};
