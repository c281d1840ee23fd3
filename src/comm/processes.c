/* processes.c - opens the way to the other processes, and keeps the teams that make calls. */
#include <time.h>
#include <unistd.h>
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

/* of all processes: an error says where to look */
static bool names_begin(processes *ps)
{
	const size_t n = (size_t)ps->comm->size;
	process_name *all = arena_array(ps->arena, n, sizeof *all);

	if (!all) return false;
	process_name *own = &all[ps->comm->rank];
	own->pid = getpid();
	own->cores = cores_hash();
	if (gethostname(own->host, sizeof own->host - 1) != 0) own->host[0] = 0;
	for (char *c = own->host; *c; c++) /* it becomes part of a file's name */
		if (*c == '/' || *c <= ' ') *c = '_';
	ps->names = all;
	return gather_bytes(ps, ps->all, all, sizeof *all);
}

int processes_sharers(const processes *ps, int *place)
{
	const process_name *own = &ps->names[ps->comm->rank];
	const int *node = ps->comm->node;
	int n = 0;

	for (int i = 0; i < ps->comm->size; i++) {
		if (i == ps->comm->rank) *place = n;
		n += node[i] == node[ps->comm->rank] && ps->names[i].cores == own->cores;
	}
	return n;
}

static bool fill(processes *ps, const char *where)
{
	const int n = ps->comm->size;
	if (n > 1) errors_log_rank(ps->base, ps->comm->rank);
	int *all = mem_array(ps->base, (size_t)n, sizeof *all);

	ps->arena = arena_make(ps->base);
	for (int i = 0; all && i < n; i++) all[i] = i;
	const bool ok =
		all && ps->arena && (ps->all = team_of(ps, all, n)) &&
		(ps->started = arena_array(ps->arena, (size_t)n, sizeof *ps->started)) &&
		(ps->counts = arena_array(ps->arena, (size_t)n, sizeof *ps->counts)) &&
		(ps->beats_seen = arena_array(ps->arena, (size_t)n, sizeof *ps->beats_seen)) &&
		(ps->list = arena_array(ps->arena, (size_t)n, sizeof *ps->list));
	mem_free(ps->base, all);
	if (!ok || (n > 1 && !board_begin(ps))) return false;
	if (n > 1) watch_begin(ps);
	return (n == 1 || notices_begin(ps)) && names_begin(ps) && record_begin(ps, where);
}

processes *processes_open(base *bs, const char *where, const comm_type *type, const void *given,
                          double wait_limit)
{
	char why[COMM_WHY] = "";
	processes *ps = mem_zalloc(bs, sizeof *ps);

	if (!ps) return NULL;
	ps->base = bs;
	ps->record = -1;
	ps->wait_limit = wait_limit > 0 ? wait_limit : 600;
	if (!(ps->comm = type->open(given, why)))
		fail(bs, where, TSR_ERROR_PROCESS, ".comm \"%s\": %s", type->name, why);
	else if (fill(ps, where))
		return ps;
	else if (ps->hearing) /* others can be told */
		processes_die(ps, where, "a process could not open");
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
	if (ps->comm && !ps->dead) record_state(ps, "closed");
	record_end(ps);
	if (ps->comm) ps->comm->type->close(ps->comm, !ps->dead);
	arena_free(ps->arena);
	if (ended) mem_free(ps->base, ps); /* else a message to one that is gone holds it */
}
