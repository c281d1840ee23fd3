/* watch.c - finds out, while this process waits for others, which of them are dead, stopped or
 * silent.
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
 * Of a rank on another node it is only known that it does not answer. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include "comm/comm.h"

/* ---- the board */

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

bool watch_begin(processes *ps)
{
	char state;

	ps->board = ps->comm->type->board(ps->comm, sizeof(board_entry));
	if (!ps->board) return true; /* then nobody is watched */
	for (int i = 0; i < ps->comm->size; i++)
		if (i < ps->comm->rank && ps->comm->node[i] == ps->comm->node[ps->comm->rank])
			ps->place++;
	board_entry *own = &ps->board[ps->place];
	own->pid = getpid();
	own->started = started_at(own->pid, &state);
	return true;
}

void watch_note(processes *ps, watch_state state)
{
	board_entry *own = ps->board ? &ps->board[ps->place] : NULL;

	if (!own) return;
	if (ps->in && state == WATCH_CALL) {
		own->call = ps->in->calls;
		snprintf(own->name, sizeof own->name, "%s", ps->call.name ? ps->call.name : "");
		snprintf(own->where, sizeof own->where, "%s", ps->call.where ? ps->call.where : "");
	}
	own->state = state;
	atomic_fetch_add_explicit(&own->beats, 1, memory_order_relaxed);
}

/* ---- the others */

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* the entry of a rank; NULL: it is on another node */
static board_entry *entry_of(const processes *ps, int rank)
{
	const int *node = ps->comm->node;
	int place = 0;

	if (!ps->board || node[rank] != node[ps->comm->rank]) return NULL;
	for (int i = node[rank]; i < rank; i++) place += node[i] == node[rank];
	return &ps->board[place];
}

static void put_entry(str *s, int rank, const board_entry *e, const char *what)
{
	static const char *const states[] = {"between calls", "in a call", "waiting",
	                                     "at the end of a call", "closed"};

	str_printf(s, "rank %d", rank);
	if (!e) {
		str_printf(s, ", on another node, %s", what);
		return;
	}
	str_printf(s, " (pid %d) %s, %s, last in call %lld", e->pid, what, states[e->state],
	           (long long)e->call);
	if (e->name[0]) str_printf(s, ", \"%s\"", e->name);
	if (e->where[0]) str_printf(s, " (%s)", e->where);
}

static void put_waiting(str *s, const processes *ps)
{
	const team *t = ps->in ? ps->in : ps->all;
	const char *before = "; ranks ";

	for (int i = 0; i < t->n; i++) {
		const board_entry *e = entry_of(ps, t->rank[i]);
		if (!e || (e->state != WATCH_WAITING && e->state != WATCH_ENDING)) continue;
		str_printf(s, "%s%d", before, t->rank[i]);
		before = ", ";
	}
	str_put(s, before[0] == ',' ? " wait" : "");
}

static bool give_up(processes *ps, int rank, const board_entry *e, const char *what)
{
	str s = {.base = ps->base};

	put_entry(&s, rank, e, what);
	put_waiting(&s, ps);
	processes_end(ps, s.s ? s.s : what);
	str_free(&s);
	return false;
}

static void warn(const processes *ps, int rank, const board_entry *e, const char *what)
{
	str s = {.base = ps->base};

	put_entry(&s, rank, e, what);
	put_waiting(&s, ps);
	if (s.s) log_text(ps->base, 1, s.s);
	str_free(&s);
}

static bool has_come(const processes *ps, const board_entry *e)
{
	return e && (e->state == WATCH_WAITING || e->state == WATCH_ENDING) &&
	       e->call >= (ps->in ? ps->in->calls : 0);
}

/* of one rank, after so many seconds; late: it is time for a warning; *all_wait becomes false if it
 * has not come as far. false: all is over */
static bool look_at(processes *ps, int rank, double waited, bool late, bool *all_wait)
{
	const board_entry *e = entry_of(ps, rank);
	const bool over = waited > ps->wait_limit;
	char state = 'R';

	if (e && e->pid != getpid()) {
		const uint64_t started = started_at(e->pid, &state);
		if (started != e->started || state == 'Z' || state == 'X')
			return e->state == WATCH_CLOSED || give_up(ps, rank, e, "is dead");
	}
	if (has_come(ps, e)) return true;
	*all_wait = false;
	const bool stopped = state == 'T' || state == 't';
	if (over && (stopped || !e || e->beats == ps->beats_seen[rank]))
		return give_up(ps, rank, e, stopped ? "is stopped" : "does not come");
	if (late) warn(ps, rank, e, stopped ? "is stopped" : "does not come yet");
	if (late && e) ps->beats_seen[rank] = e->beats;
	return true;
}

/* has one of those that we wait for ended the call? Then it sends nothing more */
static bool is_left(const processes *ps)
{
	for (int i = 0; i < ps->nwaits_for; i++) {
		const board_entry *e = entry_of(ps, ps->waits_for[i].peer);
		if (e && e->state == WATCH_ENDING && e->call == ps->in->calls) return true;
	}
	return false;
}

void watch_wait(processes *ps)
{
	ps->left_by = 0;
	ps->waits_since = now();
	ps->looks_at = ps->waits_since + 0.1;
	ps->warns_at = ps->waits_since + 5;
}

bool watch_others(processes *ps)
{
	const double t = now();
	const team *team = ps->in ? ps->in : ps->all;

	if (t < ps->looks_at) return true;
	const bool late = t >= ps->warns_at;
	bool all_wait = true;
	ps->looks_at = t + 0.25;
	ps->left_by = ps->in && is_left(ps) ? ps->left_by + 1 : 0;
	for (int i = 0; i < team->n; i++)
		if (i != team->mine &&
		    !look_at(ps, team->rank[i], t - ps->waits_since, late, &all_wait))
			return false;
	if (all_wait && t - ps->waits_since > ps->wait_limit) {
		processes_end(ps, "all ranks wait for each other: a message was lost");
		return false;
	}
	if (late) ps->warns_at = t + (t - ps->waits_since); /* after twice as long */
	return true;
}
