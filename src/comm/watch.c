/* watch.c - finds dead, stopped and silent processes while this one waits for them.
 *
 * There is no thread for that. The processes of a node share a board, where each has written who it
 * is and which call it is in. Who has waited for a while reads there, and in /proc, about those
 * that have not come as far:
 *
 *     /proc has no such process, or another one of its number: it is dead, and that is an error
 *     /proc says that it is stopped, or its entry does not change: a warning after 5 s, 10 s, 20 s,
 *         and an error when the limit of tsr_open is over
 *     its entry changes: it computes; warnings only
 *
 * Of a rank on another node it is only known that it does not answer; who waits there knows more,
 * and ends all of them. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include "comm/comm.h"

/* ---- our own entry */

enum { CLOSED_FOR = 2 }; /* seconds, after which what a closed context has sent is here */
/* Seconds between two looks at the clock, which a process that runs never takes: it was stopped.
 * That counts as no time, since the others may have been stopped with it, as by a batch system:
 *
 *     clock at a look     0    0.1  0.2  700.2  700.3
 *     has waited for      0    0.1  0.2  0.2    0.3 */
static const double at_once = 1;

static uint64_t started_at(int pid, char *state)
{
	char path[64], text[1024];
	unsigned long long start = 0;

	snprintf(path, sizeof path, "/proc/%d/stat", pid);
	FILE *f = fopen(path, "re");
	const size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
	if (f) fclose(f);
	text[n] = 0;
	/* "71 (a name) S ...": the name may have anything in it */
	const char *at = strrchr(text, ')');
	*state = 'X';
	if (!at) return 0;
	*state = at[2];
	for (int field = 2; at && field < 22; field++) at = strchr(at + 1, ' ');
	if (at) start = strtoull(at, NULL, 10);
	return start;
}

/* what others read while it is written must be words that are each written at once */
static void put_words(_Atomic uint64_t *to, size_t words, const char *text)
{
	char room[256] = "";
	const size_t most = words * sizeof *to - 1, n = text ? strnlen(text, most) : 0;
	uint64_t word;

	if (n) memcpy(room, text, n);
	for (size_t i = 0; i < words; i++) {
		memcpy(&word, room + i * sizeof word, sizeof word);
		atomic_store_explicit(&to[i], word, memory_order_relaxed);
	}
}

static const char *words_text(const _Atomic uint64_t *from, size_t words, char room[256])
{
	for (size_t i = 0; i < words; i++) {
		const uint64_t word = atomic_load_explicit(&from[i], memory_order_relaxed);
		memcpy(room + i * sizeof word, &word, sizeof word);
	}
	room[words * sizeof *from - 1] = 0;
	return room;
}

void watch_begin(processes *ps)
{
	board_entry *own = board_entry_of(ps, ps->comm->rank);
	char state;

	if (!own) return; /* then nobody is watched */
	own->started = started_at(getpid(), &state);
	own->pid = getpid();
}

watch_state watch_note(processes *ps, watch_state state)
{
	board_entry *own = ps ? board_entry_of(ps, ps->comm->rank) : NULL;

	if (!own) return state;
	if (ps->in && state == WATCH_CALL && own->call != ps->in->calls) {
		put_words(own->name, ARRAY_LEN(own->name), ps->call.name);
		put_words(own->where, ARRAY_LEN(own->where), ps->call.where);
		own->call = ps->in->calls;
	}
	atomic_fetch_add_explicit(&own->beats, 1, memory_order_relaxed);
	return (watch_state)atomic_exchange_explicit(&own->state, (int)state, memory_order_relaxed);
}

/* ---- the others */

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void put_call(str *s, const board_entry *e)
{
	char room[256];
	const char *name = words_text(e->name, ARRAY_LEN(e->name), room);

	if (*name) str_printf(s, "\"%s\"", name);
	const char *where = words_text(e->where, ARRAY_LEN(e->where), room);
	if (*where) str_printf(s, "%s(%s)", s->len ? " " : "", where);
}

void watch_put_call(str *s, const processes *ps, int rank)
{
	const board_entry *e = board_entry_of(ps, rank);

	if (e) put_call(s, e);
}

static void put_entry(str *s, const processes *ps, int rank, const board_entry *e, const char *what)
{
	static const char *const states[] = {"in user code", "compiling", "computing", "waiting",
	                                     "at the end of a call", "closed"};
	str call = {.base = s->base};

	str_printf(s, "rank %d (host %s, pid %d) %s", rank, ps->names[rank].host,
	           ps->names[rank].pid, what);
	if (!e) return;
	put_call(&call, e);
	str_printf(s, ", %s, last in call %lld%s%s", states[e->state], (long long)e->call,
	           call.s ? ", " : "", call.s ? call.s : "");
	str_free(&call);
}

static bool waits(const board_entry *e)
{
	return e && (e->state == WATCH_WAITING || e->state == WATCH_ENDING);
}

/* "; ranks 0, 1, 3 wait": those of this node */
static void put_waiting(str *s, const processes *ps)
{
	const team *t = ps->in ? ps->in : ps->all;
	int n = 0, last = -1;
	str list = {.base = s->base};

	for (int i = 0; i < t->n; i++) {
		if (!waits(board_entry_of(ps, t->rank[i]))) continue;
		str_printf(&list, n++ ? ", %d" : "%d", last = t->rank[i]);
	}
	if (n == 1) str_printf(s, "; rank %d waits", last);
	if (n > 1) str_printf(s, "; ranks %s wait", list.s ? list.s : "");
	str_free(&list);
}

/* it may have been this process that was stopped, and others have said so since */
static bool hears_the_end(processes *ps)
{
	notices_take(ps);
	return ps->dead;
}

static bool give_up(processes *ps, int rank, const board_entry *e, const char *what)
{
	str s = {.base = ps->base};

	if (hears_the_end(ps)) return false;
	put_entry(&s, ps, rank, e, what);
	put_waiting(&s, ps);
	processes_end(ps, s.s ? s.s : what);
	str_free(&s);
	return false;
}

/* of several that wait on a node, the first one says so */
static bool is_first_waiting(const processes *ps)
{
	const team *t = ps->in ? ps->in : ps->all;

	for (int i = 0; i < t->mine; i++)
		if (waits(board_entry_of(ps, t->rank[i]))) return false;
	return true;
}

static void warn(const processes *ps, int rank, const board_entry *e, const char *what)
{
	str s = {.base = ps->base};

	if (!is_first_waiting(ps)) return;
	put_entry(&s, ps, rank, e, what);
	put_waiting(&s, ps);
	if (s.s) log_text(ps->base, 1, s.s);
	str_free(&s);
}

/* seconds after which those are given up of whom others should have told more */
static double last_limit(const processes *ps) { return 1.25 * ps->wait_limit + 5; }

/* a rank that waits, in an earlier call than this one: for whom, it will say itself */
static bool look_behind(processes *ps, int rank, double waited, const board_entry *e,
                        bool *all_wait)
{
	if (e->call >= (ps->in ? ps->in->calls : 0)) return true;
	*all_wait = false;
	return waited <= last_limit(ps) || give_up(ps, rank, e, "does not come");
}

/* a node's memory says nothing of ranks elsewhere: theirs are told by who waits there, and only if
 * nobody there says anything are they given up here, a while later */
static bool look_afar(processes *ps, int rank, double waited, bool late, bool *all_wait)
{
	if (waited > last_limit(ps)) return give_up(ps, rank, NULL, "does not answer");
	if (late && *all_wait) warn(ps, rank, NULL, "does not answer yet");
	*all_wait = false;
	return true;
}

/* of one rank of this node, after so many seconds; late: it is time for a warning; *all_wait
 * becomes false if it has not come as far. false: all is over */
static bool look_at(processes *ps, int rank, double waited, bool late, bool *all_wait)
{
	const board_entry *e = board_entry_of(ps, rank);
	const bool over = waited > ps->wait_limit;
	char state = 'R';

	if (e->pid && e->pid != getpid()) {
		const uint64_t started = started_at(e->pid, &state);
		if (started != e->started || state == 'Z' || state == 'X')
			return e->state == WATCH_CLOSED || give_up(ps, rank, e, "is dead");
	}
	if (e->state == WATCH_CLOSED && waited > CLOSED_FOR)
		return give_up(ps, rank, e, "has closed its context");
	const bool stopped = state == 'T' || state == 't';
	if (!stopped && waits(e)) return look_behind(ps, rank, waited, e, all_wait);
	*all_wait = false;
	if (over && (stopped || e->beats == ps->beats_seen[rank]))
		return give_up(ps, rank, e, stopped ? "is stopped" : "does not come");
	if (late) warn(ps, rank, e, stopped ? "is stopped" : "does not come yet");
	if (late) ps->beats_seen[rank] = e->beats;
	return true;
}

/* all of the team, those of this node first. false: all is over */
static bool look_at_all(processes *ps, double waited, bool late, bool *all_wait)
{
	const team *t = ps->in ? ps->in : ps->all;

	for (int i = 0; i < t->n; i++)
		if (i != t->mine && board_entry_of(ps, t->rank[i]) &&
		    !look_at(ps, t->rank[i], waited, late, all_wait))
			return false;
	for (int i = 0; i < t->n; i++)
		if (i != t->mine && !board_entry_of(ps, t->rank[i]) &&
		    !look_afar(ps, t->rank[i], waited, late, all_wait))
			return false;
	return true;
}

static bool is_stopped(const board_entry *e)
{
	char state = 'R';

	if (e->pid && e->pid != getpid()) started_at(e->pid, &state);
	return state == 'T' || state == 't';
}

/* Has one of those that we wait for ended the call, while the others wait as we do? Then it sends
 * nothing more. One that still computes, or is stopped, may be the one that lacks */
static bool is_left(const processes *ps)
{
	bool ended = false;

	for (int i = 0; i < ps->nwaits_for; i++) {
		const board_entry *e = board_entry_of(ps, ps->waits_for[i].peer);
		if (!waits(e) || e->call != ps->in->calls || is_stopped(e)) return false;
		ended = ended || e->state == WATCH_ENDING;
	}
	return ended;
}

void watch_wait(processes *ps)
{
	ps->left_by = 0;
	ps->waits_since = ps->looked_at = now();
	ps->looks_at = ps->waits_since + 0.1;
	ps->warns_at = ps->waits_since + (ps->wait_limit < 10 ? ps->wait_limit / 2 : 5);
}

/* how far have they come, after so many seconds? */
static void look(processes *ps, double waited)
{
	const double t = ps->waits_since + waited;
	const bool late = t >= ps->warns_at;
	bool all_wait = true;
	ps->looks_at = t + 0.25;
	ps->left_by = ps->in && is_left(ps) ? ps->left_by + 1 : 0;
	if (!look_at_all(ps, waited, late, &all_wait)) return;
	if (all_wait && waited > ps->wait_limit && !hears_the_end(ps))
		processes_end(ps, "all ranks wait for each other: a message was lost");
	if (late) ps->warns_at = t + waited; /* after twice as long */
}

double watch_others(processes *ps)
{
	const double t = now(), lost = t - ps->looked_at;

	ps->looked_at = t;
	if (lost > at_once) {
		ps->waits_since += lost;
		ps->looks_at += lost;
		ps->warns_at += lost;
	}
	const double waited = t - ps->waits_since;
	if (t >= ps->looks_at) look(ps, waited);
	return waited;
}
