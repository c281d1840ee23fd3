/* effects.c - replicates equations with effects: once for all devices that have one place on their
 * axes, and by one process for all that have devices there.
 *
 * Device 0 is in this process, device 1 in process 1, and one of them prints for both, as the value
 * does not vary:
 *
 *     pass replicate 10
 *     axes (x of (x:2)) f(%0: f32[2]) -> f32[2] {
 *       debug_print %0 format="{}" axes=()
 *       return %0
 *     }
 *     gives
 *     f(%0: f32[2]) -> f32[2] {
 *       debug_print %0 format="{}" axes=()
 *       return %0
 *     }
 *     operand 0 on each device: 0
 *     result 0 on each device: 0
 *
 * In process 1 nothing is left of it:
 *
 *     pass replicate 01
 *     axes (x of (x:2)) f(%0: f32[2]) -> f32[2] {
 *       debug_print %0 format="{}" axes=()
 *       return %0
 *     }
 *     gives
 *     f(%0: f32[2]) -> f32[2] {
 *       return %0
 *     }
 *     operand 0 on each device: 0
 *     result 0 on each device: 0
 *
 * Results, as of a function of the user, are sent to the processes that have devices at the same
 * place, by a transfer behind the equation, and received there. */
#include "pass/replicate.h"

static bool call_here(replicating *r, const eqn *e, const effect_groups *g, int64_t k, transfer *t,
                      const copies *const *x, int device, var *y)
{
	if (!replicate_one(r, e, x, device, y)) return false;
	for (int i = g->from ? g->start[k] : 0; g->from && i < g->start[k + 1]; i++)
		for (int j = 0; j < e->nout; j++)
			if (!transfer_send(t, g->to[i], y[j])) return false;
	return true;
}

static bool receive(const replicating *r, const eqn *e, int process, transfer *t, var *y)
{
	for (int j = 0; j < e->nout; j++) {
		const type *of = type_vary(r->from->ir, type_of(r->from, e->out[j]), 0);
		if (!of || !transfer_receive(t, process, of, &y[j])) return false;
	}
	return true;
}

/* for each place that devices of the crew have, in the order of all processes: y[c * nout + j] */
static bool call_all(replicating *r, const eqn *e, const instances *of, const effect_groups *g,
                     var *y)
{
	const copies **x = operands_of(r, e);
	transfer t = {.r = r, .e = e};
	eqn plain;

	if (!x || !without_axes(r, e, &plain)) return false;
	for (int64_t at = 0; at < r->all->set.n; at++) {
		const int64_t k = g->order ? g->order[at] : at;
		const int device = crew_find(r->crew, k);
		const int c = device < 0 ? -1 : of->of[device];
		if (c < 0 || of->first[c] != device) continue;
		var *own = y + (int64_t)c * e->nout;
		if (!(g->from && g->from[k] >= 0 ? receive(r, e, g->from[k], &t, own)
		                                 : call_here(r, &plain, g, k, &t, x, device, own)))
			return false;
	}
	return transfer_emit(&t);
}

bool replicate_effects(replicating *r, const eqn *e)
{
	arena *a = r->all->arena;
	const instances *of = instances_over(r->all, r->crew, own_axes(e));
	effect_groups g;

	if (!of) return false;
	var *made = arena_array(a, (size_t)of->n * (size_t)e->nout + 1, sizeof *made);
	return made &&
	       effect_groups_make(r->all->base, a, r->all->program, e, r->all->set, r->all->devices,
	                          &g) &&
	       call_all(r, e, of, &g, made) && instances_give(r, e, of, made);
}
