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
 * So it takes log2(n) messages a rank, and none waits for a rank that has to collect. What each has
 * is gathered in the same way. */
#include "comm/comm.h"
#include <sched.h>
#include <stdio.h>
#include <time.h>

/* ---- waiting. Another process may need this processor, so a long wait gives it away. All by the
 * clock, which is first read at every 16th turn: where processors are scarce, one may take long */

static const double spins = 20e-6, yields = 0.01; /* seconds; then it yields, and sleeps */
/* looks, in a row, at which a sender had ended the call: what it sent before has come by then */
enum { LEFT = 3 };

static bool is_leaving(const processes *ps) { return ps->in && ps->leaving; }

/* Where the others are not to be waited for any more, all is dead afterwards */
static void rest(processes *ps, int turn)
{
	if (turn % 16) return;
	const double waited = watch_others(ps);
	if (waited < spins) return;
	if (!ps->waiting && !is_leaving(ps)) watch_note(ps, WATCH_WAITING);
	ps->waiting = true;
	if (waited < yields)
		sched_yield();
	else
		nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL);
}

static void rested(processes *ps)
{
	if (ps->waiting && !is_leaving(ps)) watch_note(ps, ps->in ? WATCH_CALL : WATCH_USER);
	ps->waiting = false;
}

/* what is waited for: moves on what it can, and never waits */
typedef comm_state looks(processes *, void *);

/* Until it is over; heed: or until the call in progress is, as a notice says, or as those who would
 * have to send have ended it. false: it is not, or all is dead, which is recorded */
static bool wait_until(processes *ps, looks *look, void *what, bool heed)
{
	comm_state s;

	watch_wait(ps);
	for (int turn = 1; (s = look(ps, what)) == COMM_BUSY; turn++) {
		if (turn % 8 == 0) notices_take(ps);
		if (ps->dead) return processes_die(ps, NULL, ps->why);
		if (heed && (ps->stopped || ps->left_by > LEFT)) break;
		rest(ps, turn);
		if (ps->dead) return processes_die(ps, NULL, ps->why);
	}
	rested(ps);
	return s == COMM_DONE || (s == COMM_FAILED && processes_die(ps, NULL, ps->comm->why));
}

/* what: a transfer **, NULL when it is over */
static comm_state look_transfer(processes *ps, void *what)
{
	transfer **t = what;
	const comm_state s = *t ? ps->comm->type->test(ps->comm, *t) : COMM_DONE;

	if (s != COMM_BUSY) *t = NULL;
	return s;
}

static bool move(processes *ps, const message *out, int nout, const message *in, int nin)
{
	if (ps->dead) return processes_die(ps, NULL, ps->why);
	transfer *t = ps->comm->type->start(ps->comm, out, nout, in, nin);
	if (!t) return processes_die(ps, NULL, ps->comm->why);
	return wait_until(ps, look_transfer, &t, false);
}

/* two ranks begin calls that different processes take part in */
static bool other_team(processes *ps, int from)
{
	str why = {.base = ps->base}, theirs = why;

	watch_put_call(&theirs, ps, from);
	str_printf(&why,
	           "it runs \"%s\", and rank %d a call of other processes%s%s: they have gone "
	           "apart",
	           ps->call.name ? ps->call.name : "a program", from, theirs.s ? ", " : "",
	           theirs.s ? theirs.s : "");
	processes_die(ps, NULL, why.s ? why.s : "processes have gone apart");
	str_free(&theirs);
	str_free(&why);
	return false;
}

/* One message to a rank and one from a rank: through the board to and from those of this node,
 * which is faster, and else through the comm */
typedef struct swap {
	int to, from;
	bool put, taken; /* what the board carries is done */
	transfer *t;     /* of the rest; NULL: it is over */
	short_message mine, other;
} swap;

static comm_state look_swap(processes *ps, void *what)
{
	swap *w = what;

	if (!w->put) w->put = mailbox_put(ps, w->to, &w->mine);
	if (!w->taken) w->taken = mailbox_take(ps, w->from, &w->other);
	const comm_state s = look_transfer(ps, &w->t);
	return s == COMM_DONE && !(w->put && w->taken) ? COMM_BUSY : s;
}

static bool swap_messages(processes *ps, swap *w)
{
	const message out = {w->to, TAG_AGREE, &w->mine, sizeof w->mine};
	const message in = {w->from, TAG_AGREE, &w->other, sizeof w->other};

	if (ps->dead) return processes_die(ps, NULL, ps->why);
	w->put = !board_reaches(ps, w->to);
	w->taken = !board_reaches(ps, w->from);
	w->t = NULL;
	if ((w->put || w->taken) &&
	    !(w->t = ps->comm->type->start(ps->comm, &out, w->put, &in, w->taken)))
		return processes_die(ps, NULL, ps->comm->why);
	return wait_until(ps, look_swap, w, false);
}

bool agree(processes *ps, const team *t, void *data, size_t bytes, joins *join)
{
	swap w = {.mine.team = t->id};

	for (int64_t step = 1; step < t->n; step *= 2) {
		w.to = t->rank[(t->mine + step) % t->n];
		w.from = t->rank[(t->mine - step % t->n + t->n) % t->n];
		memcpy(w.mine.data, data, bytes);
		if (!swap_messages(ps, &w)) return false;
		if (w.other.team != t->id) return other_team(ps, w.from);
		join(data, w.other.data);
	}
	return true;
}

/* the parts of `count` places of `all`, from `first` on and from 0 on after the last; how many */
static int parts_of(const team *t, int first, int count, int peer, void *all, size_t bytes,
                    message m[2])
{
	const int before_end = first + count <= t->n ? count : t->n - first;

	m[0] = (message){peer, TAG_AGREE, (char *)all + (size_t)first * bytes,
	                 (size_t)before_end * bytes};
	m[1] = (message){peer, TAG_AGREE, all, (size_t)(count - before_end) * bytes};
	return before_end < count ? 2 : 1;
}

/* as agree: before a round with distance `step` a rank has its own bytes and those of the step - 1
 * ranks before it, and sends them all, or as many as the other one still lacks */
bool gather_bytes(processes *ps, const team *t, void *all, size_t bytes)
{
	for (int step = 1; step < t->n; step *= 2) {
		const int count = step < t->n - step ? step : t->n - step;
		const int to = (t->mine + step) % t->n, from = (t->mine - step + t->n) % t->n;
		const int ours = (t->mine - count + 1 + t->n) % t->n;
		const int theirs = (from - count + 1 + t->n) % t->n;
		message out[2], in[2];
		const int nout = parts_of(t, ours, count, t->rank[to], all, bytes, out);
		const int nin = parts_of(t, theirs, count, t->rank[from], all, bytes, in);
		if (!move(ps, out, nout, in, nin)) return false;
	}
	return true;
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

static void number(const processes *ps, message *m, int64_t *count)
{
	m->tag = data_tag(*count);
	*count += message_pieces(m, ps->comm->piece);
}

bool flight_begin(processes *ps, flight *f, message *out, int nout, message *in, int nin)
{
	if (ps->dead) return processes_die(ps, NULL, ps->why);
	if (ps->nflights++ % 16 == 0) notices_take(ps); /* who waits looks for them too */
	if (ps->dead) return processes_die(ps, NULL, ps->why);
	if (ps->stopped) return call_stop(ps);
	for (int i = 0; i < nout; i++) number(ps, &out[i], &ps->started[out[i].peer].sent);
	for (int i = 0; i < nin; i++) number(ps, &in[i], &ps->started[in[i].peer].got);
	transfer *t = ps->comm->type->start(ps->comm, out, nout, in, nin);
	if (!t) return processes_die(ps, NULL, ps->comm->why);
	*f = (flight){t, false, ps->flights};
	ps->flights = f;
	return true;
}

static void flight_over(processes *ps, const flight *f)
{
	flight **at = &ps->flights;

	while (*at && *at != f) at = &(*at)->next;
	if (*at) *at = f->next;
}

void flights_poke(processes *ps)
{
	for (flight *f = ps->flights; f && !ps->dead; f = f->next) {
		if (!f->transfer) continue;
		const comm_state s = ps->comm->type->test(ps->comm, f->transfer);
		f->lost = s == COMM_FAILED;
		if (s != COMM_BUSY) f->transfer = NULL;
	}
}

bool flight_end(processes *ps, flight *f, const message *in, int nin)
{
	if (f->lost) return processes_die(ps, NULL, ps->comm->why);
	ps->waits_for = in;
	ps->nwaits_for = nin;
	ps->left_by = 0;
	const bool come = wait_until(ps, look_transfer, &f->transfer, true);
	ps->nwaits_for = 0;
	if (come) return flight_over(ps, f), true;
	return !ps->dead && (ps->stopped ? call_stop(ps) : call_left(ps));
}

bool comm_exchange(processes *ps, message *out, int nout, message *in, int nin)
{
	flight f;

	return flight_begin(ps, &f, out, nout, in, nin) && flight_end(ps, &f, in, nin);
}

/* theirs: by place in the team, what each other rank has started to us and from us. In two halves,
 * by the distance between ranks, since ps->list has room for a message a rank */
static bool exchange_counts(processes *ps, message_count *theirs)
{
	const team *t = ps->in;
	const int half = t->n / 2;
	message *out = ps->list, *in = ps->list + half;
	bool ok = true;

	for (int first = 1; ok && first < t->n; first += half) {
		int n = 0;
		for (; n < half && first + n < t->n; n++) {
			const int to = (t->mine + first + n) % t->n;
			const int from = (t->mine - first - n + t->n) % t->n;
			out[n] = (message){t->rank[to], TAG_DRAIN, &ps->started[t->rank[to]],
			                   sizeof *theirs};
			in[n] = (message){t->rank[from], TAG_DRAIN, &theirs[from], sizeof *theirs};
		}
		ok = move(ps, out, n, in, n);
	}
	return ok;
}

/* what: a message that nobody wants */
static comm_state look_dropped(processes *ps, void *what)
{
	const message *m = what;

	return ps->comm->type->drop(ps->comm, m->peer, m->tag);
}

bool comm_drain(processes *ps)
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
			ok = wait_until(ps, look_dropped,
			                &(message){t->rank[i], data_tag(own->got), NULL, 0}, false);
	}
	for (; ok && ps->flights; ps->flights = ps->flights->next)
		ok = wait_until(ps, look_transfer, &ps->flights->transfer, false);
	return ok;
}
