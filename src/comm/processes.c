/* processes.c - opens the way to the other processes, and keeps the teams that make calls. */
#include <time.h>
#include "comm/comm.h"

enum { LAST_TURNS = 200 }; /* of a millisecond, which a last notice has to leave */

team *team_of(processes *ps, const int *rank, int n)
{
	const size_t bytes = (size_t)n * sizeof *rank;

	for (team *t = ps->teams; t; t = t->next)
		if (t->n == n && memcmp(t->rank, rank, bytes) == 0) return t;
	team *t = arena_alloc(ps->arena, sizeof *t);
	const int *ranks = t ? arena_copy(ps->arena, rank, bytes) : NULL;
	if (!ranks) return NULL;
	*t = (team){.n = n, .rank = ranks, .id = hash_bytes(rank, bytes, 1), .next = ps->teams};
	while (t->mine < n - 1 && ranks[t->mine] != ps->comm->rank) t->mine++;
	return ps->teams = t;
}

static bool fill(processes *ps)
{
	const int n = ps->comm->size;
	int *all = mem_array(ps->base, (size_t)n, sizeof *all);

	ps->arena = arena_make(ps->base);
	for (int i = 0; all && i < n; i++) all[i] = i;
	const bool ok =
		all && ps->arena && (ps->all = team_of(ps, all, n)) &&
		(ps->started = arena_array(ps->arena, (size_t)n, sizeof *ps->started)) &&
		(ps->counts = arena_array(ps->arena, 2 * (size_t)n, sizeof *ps->counts)) &&
		(ps->beats_seen = arena_array(ps->arena, (size_t)n, sizeof *ps->beats_seen)) &&
		(ps->list = arena_array(ps->arena, 2 * (size_t)n, sizeof *ps->list));
	mem_free(ps->base, all);
	return ok && (n == 1 || (watch_begin(ps) && notices_begin(ps)));
}

processes *processes_open(base *bs, const char *where, const comm_type *type, const void *given,
                          double wait_limit)
{
	char why[COMM_WHY] = "";
	processes *ps = mem_zalloc(bs, sizeof *ps);

	if (!ps) return NULL;
	ps->base = bs;
	ps->wait_limit = wait_limit > 0 ? wait_limit : 600;
	if (!(ps->comm = type->open(given, why)))
		fail(bs, where, TSR_ERROR_PROCESS, ".comm \"%s\": %s", type->name, why);
	else if (fill(ps))
		return ps;
	ps->dead = true;
	processes_close(ps);
	return NULL;
}

/* Lets what the comm may still write to or read, as when all is dead, come to its end. false: a
 * notice has not left */
static bool notices_end(processes *ps)
{
	const comm_type *type = ps->comm->type;

	if (ps->hearing) type->cancel(ps->comm, ps->hearing);
	for (int i = 0; ps->saying && i < LAST_TURNS; i++) {
		if (type->test(ps->comm, ps->saying) != COMM_BUSY) return true;
		nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
	}
	return !ps->saying;
}

void processes_close(processes *ps)
{
	if (!ps) return;
	const bool ended = !ps->comm || notices_end(ps);
	if (ps->comm) watch_note(ps, WATCH_CLOSED);
	if (ps->comm) ps->comm->type->close(ps->comm, !ps->dead);
	arena_free(ps->arena);
	if (ended) mem_free(ps->base, ps); /* else a message to one that is gone holds it */
}
