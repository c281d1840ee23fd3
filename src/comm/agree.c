/* agree.c - lets the ranks of a team exchange messages, agree and gather bytes, and waits for that.
 *
 * To agree, five ranks exchange three times, with those at distance 1, 2 and 4. After each round a
 * rank has the join of twice as many, those before it:
 *
 *     rank     0        1        2        3        4
 *     has      0        1        2        3        4
 *     round 1  4,0      0,1      1,2      2,3      3,4
 *     round 2  2,3,4,0  3,4,0,1  4,0,1,2  0,1,2,3  1,2,3,4
 *     round 3  all, some of them twice, which a join does not mind
 *
 * So it takes log2(n) messages a rank, and none waits for a rank that has to collect. */
#include "comm/comm.h"
#include <sched.h>
#include <stdio.h>
#include <time.h>

static const char no_memory[] = "there is no memory to tell the other processes of an error";

/* ---- waiting. Another process may need this processor, so a long wait gives it away */

enum { SPINS = 2000, YIELDS = 20000 };
/* looks, in a row, at which a sender had ended the call: what it sent before has come by then */
enum { LEFT = 3 };

/* Where the others are not to be waited for any more, all is dead afterwards */
static void rest(processes *ps, int turn)
{
	if (turn < SPINS) return;
	if (turn == SPINS) {
		if (!ps->leaving || !ps->in) watch_note(ps, WATCH_WAITING);
		watch_wait(ps);
	}
	if (turn < YIELDS) {
		sched_yield();
	} else {
		watch_others(ps);
		nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL);
	}
}

static void rested(processes *ps, int turn)
{
	if (turn > SPINS && !(ps->in && ps->leaving))
		watch_note(ps, ps->in ? WATCH_CALL : WATCH_USER);
}

/* until *t is over; heed: or until the call in progress is, as a notice says, or as those who would
 * have to send have ended it. *t is NULL if it is over. false: it is not, or all is dead, which is
 * recorded */
static bool wait_for(processes *ps, transfer **t, bool heed)
{
	int turn = 0;

	for (; *t; turn += turn < YIELDS) {
		const comm_state s = ps->comm->type->test(ps->comm, *t);
		if (s != COMM_BUSY) *t = NULL;
		if (s == COMM_FAILED) return processes_die(ps, NULL, ps->comm->why);
		if (s == COMM_DONE) break;
		notices_take(ps);
		if (ps->dead) return processes_die(ps, NULL, ps->why);
		if (heed && (ps->stopped || ps->left_by > LEFT)) break;
		rest(ps, turn);
		if (ps->dead) return processes_die(ps, NULL, ps->why);
	}
	rested(ps, turn);
	return !*t;
}

static bool move(processes *ps, const message *out, int nout, const message *in, int nin)
{
	if (ps->dead) return processes_die(ps, NULL, ps->why);
	transfer *t = ps->comm->type->start(ps->comm, out, nout, in, nin);
	if (!t) return processes_die(ps, NULL, ps->comm->why);
	return wait_for(ps, &t, false);
}

/* two ranks begin calls that different processes take part in */
static bool other_team(processes *ps, int from)
{
	char why[COMM_WHY];

	snprintf(why, sizeof why,
	         "it runs \"%s\", and rank %d a call of other processes: they have gone apart",
	         ps->call.name ? ps->call.name : "a program", from);
	return processes_die(ps, NULL, why);
}

/* what ranks send each other to agree: all of one length, so that a team notices the message of
 * another one */
typedef struct saying {
	uint64_t team;
	char data[AGREE_MOST];
} saying;

bool agree(processes *ps, const team *t, void *data, size_t bytes, joins *join)
{
	saying other, mine = {.team = t->id};

	for (int64_t step = 1; step < t->n; step *= 2) {
		const int to = t->rank[(t->mine + step) % t->n];
		const int from = t->rank[(t->mine - step % t->n + t->n) % t->n];
		memcpy(mine.data, data, bytes);
		if (!move(ps, &(message){to, TAG_AGREE, &mine, sizeof mine}, 1,
		          &(message){from, TAG_AGREE, &other, sizeof other}, 1))
			return false;
		if (other.team != t->id) return other_team(ps, from);
		join(data, other.data);
	}
	return true;
}

bool gather_bytes(processes *ps, const team *t, void *all, size_t bytes)
{
	message *m = mem_array(ps->base, 2 * (size_t)t->n, sizeof *m);
	int n = 0;

	for (int i = 0; m && i < t->n; i++) {
		if (i == t->mine) continue;
		m[n] = (message){t->rank[i], TAG_AGREE, (char *)all + (size_t)t->mine * bytes,
		                 bytes};
		m[t->n + n++] =
			(message){t->rank[i], TAG_AGREE, (char *)all + (size_t)i * bytes, bytes};
	}
	const bool ok = m ? move(ps, m, n, m + t->n, n) : processes_die(ps, NULL, no_memory);
	mem_free(ps->base, m);
	return ok;
}

bool broadcast(processes *ps, const team *t, int from, void *data, size_t bytes)
{
	const message in = {t->rank[from], TAG_AGREE, data, bytes};

	if (from != t->mine) return move(ps, NULL, 0, &in, 1);
	for (int i = 0; i < t->n; i++) {
		const message out = {t->rank[i], TAG_AGREE, data, bytes};
		if (i != from && !move(ps, &out, 1, NULL, 0)) return false;
	}
	return true;
}

/* ---- data. What is sent and received is counted, so that a call that fails can be tidied up */

bool comm_exchange(processes *ps, message *out, int nout, message *in, int nin)
{
	if (ps->dead) return processes_die(ps, NULL, ps->why);
	notices_take(ps);
	if (ps->stopped) return call_stop(ps, NULL);
	for (int i = 0; i < nout; i++) out[i].tag = data_tag(ps->started[out[i].peer].sent++);
	for (int i = 0; i < nin; i++) in[i].tag = data_tag(ps->started[in[i].peer].got++);
	transfer *t = ps->comm->type->start(ps->comm, out, nout, in, nin);
	if (!t) return processes_die(ps, NULL, ps->comm->why);
	ps->waits_for = in;
	ps->nwaits_for = nin;
	ps->left_by = 0;
	const bool come = wait_for(ps, &t, true);
	ps->nwaits_for = 0;
	if (come) return true;
	return !ps->dead && (ps->stopped ? call_stop(ps, t) : call_left(ps, t));
}

/* theirs: by place in the team, what each other rank has started to us and from us */
static bool exchange_counts(processes *ps, message_count *theirs)
{
	const team *t = ps->in;
	message_count *own = ps->counts + t->n;
	message *out = ps->list, *in = ps->list + t->n;
	int n = 0;

	for (int i = 0; i < t->n; i++) {
		const int peer = t->rank[i];
		own[i] = ps->started[peer];
		if (i == t->mine) continue;
		out[n] = (message){peer, TAG_DRAIN, &own[i], sizeof *own};
		in[n++] = (message){peer, TAG_DRAIN, &theirs[i], sizeof *theirs};
	}
	return move(ps, out, n, in, n);
}

/* a message that nobody wants */
static bool drop(processes *ps, int peer, int tag)
{
	comm_state s;

	for (int turn = 0; (s = ps->comm->type->drop(ps->comm, peer, tag)) == COMM_BUSY;
	     turn += turn < YIELDS) {
		notices_take(ps);
		if (ps->dead) return processes_die(ps, NULL, ps->why);
		rest(ps, turn);
		if (ps->dead) return processes_die(ps, NULL, ps->why);
	}
	return s == COMM_DONE || processes_die(ps, NULL, ps->comm->why);
}

bool comm_drain(processes *ps, transfer *under_way)
{
	const team *t = ps->in;
	message_count *theirs = ps->counts;
	bool ok = exchange_counts(ps, theirs);

	for (int i = 0; ok && i < t->n; i++) { /* first what others wait for, */
		message_count *own = &ps->started[t->rank[i]];
		for (; ok && i != t->mine && own->sent < theirs[i].got; own->sent++) {
			const message filler = {t->rank[i], data_tag(own->sent), NULL, 0};
			ok = move(ps, &filler, 1, NULL, 0);
		}
	}
	for (int i = 0; ok && i < t->n; i++) { /* then what they have sent in vain */
		message_count *own = &ps->started[t->rank[i]];
		for (; ok && i != t->mine && own->got < theirs[i].sent; own->got++)
			ok = drop(ps, t->rank[i], data_tag(own->got));
	}
	return ok && wait_for(ps, &under_way, false);
}
