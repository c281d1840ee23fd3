/* transfer.c - runs the steps that exchange with other processes.
 *
 *     begin 0  in0 to 1, scratch+0 from 1      starts both messages, and goes on
 *     kernel 3  ..                             while they travel
 *     end 0  in0 to 1, scratch+0 from 1        waits until they have arrived */
#include "engine/cpu/cpu.h"

/* the messages of a step, in r->message: first those that are sent */
static message *messages_of(const cpu_run *r, const step *x, char *const *arg)
{
	const step_of_transfer *t = &x->transfer;

	for (int i = 0; i < t->to.n + t->from.n; i++) {
		const int64_t peer = i < t->to.n ? t->to.v[i] : t->from.v[i - t->to.n];
		r->message[i] = (message){(int)peer, TAG_DATA, arg[i], (size_t)x->bytes[i]};
	}
	return r->message;
}

/* MPI moves long messages only while it is called */
double poke_transfers(cpu_run *r)
{
	const double now = profile_clock();

	if (now - r->poked_at < TUNE_POKE_EVERY) return now;
	r->poked_at = now;
	flights_poke(r->engine->processes);
	return profile_clock();
}

int64_t items_until_poke(const step *x)
{
	const double items = x->cost > 0 ? (double)x->items * TUNE_POKE_EVERY / x->cost : 1;

	return items < 1 ? 1 : items < (double)x->items ? (int64_t)items : x->items;
}

bool run_transfer(cpu_run *r, const step *x, char *const *arg)
{
	const step_of_transfer *t = &x->transfer;
	message *m = messages_of(r, x, arg);
	flight *f = &r->flight[t->number];
	processes *ps = r->engine->processes;

	r->flying += x->kind == STEP_BEGIN ? 1 : -1;
	return x->kind == STEP_BEGIN ? flight_begin(ps, f, m, t->to.n, m + t->to.n, t->from.n)
	                             : flight_end(ps, f, m + t->to.n, t->from.n);
}
