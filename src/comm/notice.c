/* notice.c - tells the other processes that this one gives up, and hears the same from them.
 *
 * A rank whose part of a call fails cannot go on to the exchanges that others wait in. So it sends
 * each of them a notice; they look for notices while they wait. Which messages are under way by
 * then, call_end finds out. One receive for any sender is always there. */
#include <stdio.h>
#include "comm/comm.h"

bool notices_begin(processes *ps)
{
	const message in = {COMM_ANY, TAG_NOTICE, &ps->hears, sizeof ps->hears};

	ps->hearing = ps->comm->type->start(ps->comm, NULL, 0, &in, 1);
	return ps->hearing || processes_die(ps, NULL, ps->comm->why);
}

static void take(processes *ps, const notice *n)
{
	if (n->dead && !ps->dead) {
		ps->dead = true;
		snprintf(ps->why, sizeof ps->why, "%s", n->text);
		record_state(ps, ps->why);
		ps->comm->type->stop(ps->comm);
		ps->saying = NULL;
	}
	if (ps->in && n->team == ps->in->id && n->call == ps->in->calls && !ps->leaving)
		ps->stopped = true;
}

bool notices_take(processes *ps)
{
	if (ps->saying && ps->comm->type->test(ps->comm, ps->saying) != COMM_BUSY)
		ps->saying = NULL;
	while (!ps->dead && ps->hearing) {
		const comm_state s = ps->comm->type->test(ps->comm, ps->hearing);
		if (s == COMM_BUSY) break;
		const notice n = ps->hears;
		ps->hearing = NULL;
		if (s == COMM_FAILED) return processes_die(ps, NULL, ps->comm->why);
		take(ps, &n);
		if (!ps->dead && !notices_begin(ps)) return false;
	}
	return !ps->dead && !ps->stopped;
}

/* Nobody waits until it has arrived: one that is on its way stays where it is, and the next one is
 * elsewhere */
void notice_send(processes *ps, const notice *n)
{
	const team *t = ps->in && !n->dead ? ps->in : ps->all;
	const bool busy = ps->saying && ps->comm->type->test(ps->comm, ps->saying) == COMM_BUSY;
	notice *own = busy ? arena_alloc(ps->arena, sizeof *own) : &ps->says;
	int count = 0;

	ps->saying = NULL;
	if (!own) return; /* the others find out when they have waited long enough */
	*own = *n;
	for (int i = 0; i < t->n; i++)
		if (i != t->mine)
			ps->list[count++] = (message){t->rank[i], TAG_NOTICE, own, sizeof *own};
	ps->saying = ps->comm->type->start(ps->comm, ps->list, count, NULL, 0);
}
