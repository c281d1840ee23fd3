/* call.c - begins and ends the calls that all ranks of a team make.
 *
 *     rank 0                    rank 1                       rank 2
 *     call_begin                call_begin                   call_begin      the same call?
 *     exchanges with 1          exchanges with 0
 *     exchanges with 2 ...      a callback fails             exchanges with 0 ...
 *     hears that, stops         tells the others             hears that, stops
 *     call_end                  call_end                     call_end        rank 1 has an error
 *     0 and 2 are both sent what they still wait for, empty, and each receives what nobody wants
 *     f.c:9: rank 1: no ...     f.c:9: rank 1: no ...        f.c:9: rank 1: no ...
 *
 * After that nothing is under way, and the next call can begin. Ranks begin a call together, so no
 * message of one call is taken for one of another, and sizes of messages fit: all run the same
 * program. */
#include <stdio.h>
#include "comm/comm.h"

/* ---- dying */

void processes_end(processes *ps, const char *why)
{
	notice n = {.rank = ps->comm->rank, .dead = true};

	if (ps->dead) return;
	snprintf(ps->why, sizeof ps->why, "%s", why);
	snprintf(n.text, sizeof n.text, "%.*s", (int)sizeof n.text - 1, ps->why);
	ps->dead = true;
	record_state(ps, ps->why);
	notice_send(ps, &n);
	ps->comm->type->stop(ps->comm);
	ps->hearing = ps->saying = NULL;
}

static bool die(processes *ps, const char *where, const char *why)
{
	processes_end(ps, why);
	return fail(ps->base, where ? where : ps->call.where, TSR_ERROR_PROCESS,
	            "%s; nothing can be exchanged between processes any more", ps->why);
}

bool processes_die(processes *ps, const char *where, const char *why)
{
	const char *error = error_text(ps->base); /* which may be the reason */
	char text[COMM_WHY];

	snprintf(text, sizeof text, *error ? "rank %d: %s (%s)" : "rank %d: %s", ps->comm->rank,
	         *error ? error : why, why);
	return die(ps, where, text);
}

/* ---- do all make the same call? */

typedef struct opinion {
	uint64_t low, high;    /* the least and the greatest sum of calls */
	int32_t way, best_way; /* likewise, of ways */
} opinion;

static void join_opinions(void *a, const void *b)
{
	opinion *x = a;
	const opinion *y = b;

	x->low = x->low < y->low ? x->low : y->low;
	x->high = x->high > y->high ? x->high : y->high;
	x->way = x->way < y->way ? x->way : y->way;
	x->best_way = x->best_way > y->best_way ? x->best_way : y->best_way;
}

typedef struct call_seen {
	uint64_t sum;
	char name[56], where[192];
	char error[256]; /* that is recorded there, shortened */
} call_seen;

/* "ranks 0-2, 5" of those that make the same call as `like` */
static void put_ranks(str *s, const team *t, const call_seen *all, int like)
{
	int n = 0;

	for (int i = 0; i < t->n; i++) n += all[i].sum == all[like].sum;
	str_printf(s, "%s ", n == 1 ? "rank" : "ranks");
	for (int i = like, to; i < t->n; i = to + 1) {
		to = i;
		if (all[i].sum != all[like].sum) continue;
		while (to + 1 < t->n && all[to + 1].sum == all[like].sum &&
		       t->rank[to + 1] == t->rank[to] + 1)
			to++;
		str_printf(s, i == to ? "%s%d" : "%s%d-%d", i == like ? "" : ", ", t->rank[i],
		           t->rank[to]);
	}
	str_put(s, n == 1 ? " runs " : " run ");
}

static void put_call(str *s, const call_seen *c)
{
	str_printf(s, c->name[0] ? "\"%s\"" : "%s", c->name[0] ? c->name : "a program");
	if (c->where[0]) str_printf(s, " (%s)", c->where);
	if (c->error[0]) str_printf(s, ", after the error \"%s\"", c->error);
}

static bool calls_differ(processes *ps, const team *t, const call_name *call)
{
	call_seen *all = mem_array(ps->base, (size_t)t->n, sizeof *all);
	str s = {.base = ps->base};

	if (!all) return processes_die(ps, call->where, "processes make different calls");
	all[t->mine].sum = t->sum;
	snprintf(all[t->mine].name, sizeof all->name, "%s", call->name ? call->name : "");
	snprintf(all[t->mine].where, sizeof all->where, "%s", call->where ? call->where : "");
	snprintf(all[t->mine].error, sizeof all->error, "%s", error_text(ps->base));
	if (!gather_bytes(ps, t, all, sizeof *all)) return mem_free(ps->base, all), false;
	str_printf(&s, "call %lld differs: ", (long long)t->calls);
	for (int i = 0; i < t->n; i++) {
		bool seen = false;
		for (int j = 0; j < i; j++) seen |= all[j].sum == all[i].sum;
		if (seen) continue;
		str_put(&s, i ? ", " : "");
		put_ranks(&s, t, all, i);
		put_call(&s, &all[i]);
	}
	mem_free(ps->base, all);
	die(ps, call->where, s.s ? s.s : "processes make different calls");
	str_free(&s);
	return false;
}

static bool begin(processes *ps, team *t, const call_name *call, bool skipped)
{
	if (ps->in)
		return fail(
			ps->base, call->where, TSR_ERROR_UNSUPPORTED,
			"a callback of a program over several processes cannot run another one");
	if (ps->dead) return processes_die(ps, call->where, ps->why);
	t->calls++;
	t->sum = hash_u64(call->hash, t->sum);
	/* whoever had no memory for something, alone, may have left out a call as well */
	const size_t refused = mem_refusals(ps->base) - ps->refusals;
	if (refused && !skipped) t->sum = hash_u64(refused, t->sum);
	ps->in = t;
	ps->call = *call;
	ps->leaving = ps->ended = ps->stopped = false;
	ps->flights = NULL;
	record_call(ps, t, call);
	watch_note(ps, WATCH_CALL);
	opinion o = {t->sum, t->sum, call->way, call->way == WAY_ANY ? 0 : call->way};
	if (agree(ps, t, &o, sizeof o, join_opinions) &&
	    (o.low == o.high || calls_differ(ps, t, call))) {
		ps->way = o.way;
		ps->best_way = o.best_way;
		return true;
	}
	ps->in = NULL;
	return false;
}

bool call_begin(processes *ps, team *t, const call_name *call) { return begin(ps, t, call, false); }

bool call_skip(processes *ps, team *t, const call_name *call)
{
	return begin(ps, t, call, true) && call_end(ps, false);
}

/* ---- the end of a call */

typedef struct verdict {
	int32_t rank; /* the lowest one that has an error; INT32_MAX: none has */
} verdict;

static void join_verdicts(void *a, const void *b)
{
	verdict *x = a;
	const verdict *y = b;

	if (y->rank < x->rank) *x = *y;
}

typedef struct shared_error {
	int32_t code;
	char place[256], text[1792];
} shared_error;

/* all get the error of this rank */
static bool share_error(processes *ps, int rank)
{
	const team *t = ps->in;
	shared_error e = {.code = TSR_ERROR_PROCESS, .text = "a run failed"};
	const char *place = error_place(ps->base);
	char prefix[32];
	int from = 0;

	while (t->rank[from] != rank) from++;
	snprintf(prefix, sizeof prefix, "rank %d: ", rank);
	if (from == t->mine && failed_since(ps->base, ps->call.errors_before)) {
		const char *text = error_text(ps->base);
		e.code = error_code(ps->base);
		snprintf(e.place, sizeof e.place, "%s", place ? place : "");
		snprintf(e.text, sizeof e.text, "%s", text + (place ? strlen(place) + 2 : 0));
		error_prefix(ps->base, prefix);
	}
	if (!broadcast(ps, t, from, &e, sizeof e)) return false;
	if (from == t->mine) return false;
	error_take_back(ps->base, ps->call.errors_before);
	return fail(ps->base, e.place[0] ? e.place : NULL, (tsr_code)e.code, "%s%s", prefix,
	            e.text);
}

/* ok: nothing has failed here */
static bool end(processes *ps, bool ok)
{
	verdict v = {ok ? INT32_MAX : ps->comm->rank};

	ps->leaving = true;
	watch_note(ps, WATCH_ENDING);
	if (!ok && !ps->dead) {
		const notice n = {.team = ps->in->id, .call = ps->in->calls, .rank = v.rank};
		notice_send(ps, &n);
	}
	if (ps->dead) return processes_die(ps, NULL, ps->why);
	if (!agree(ps, ps->in, &v, sizeof v, join_verdicts)) return false;
	if (v.rank == INT32_MAX) return true;
	return comm_drain(ps) && share_error(ps, v.rank);
}

bool call_stop(processes *ps)
{
	end(ps, true);
	ps->ended = true;
	return false;
}

bool call_left(processes *ps)
{
	fail(ps->base, ps->call.where, TSR_ERROR_SHARDING,
	     "an exchange is reached by this process, and not by others that take part: a cond or "
	     "while around it takes different ways on their devices. Make its predicate the same "
	     "on all of them (by pmax or psum, say), or move the collective out of it");
	end(ps, false);
	ps->ended = true;
	return false;
}

bool call_fail(processes *ps)
{
	if (!ps->in || ps->ended) return false;
	end(ps, false);
	ps->ended = true;
	return false;
}

bool call_end(processes *ps, bool ok)
{
	ok = !ps->ended && end(ps, ok);
	ps->in = NULL;
	ps->refusals = mem_refusals(ps->base);
	watch_note(ps, WATCH_USER);
	return ok;
}
