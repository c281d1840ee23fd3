/* worth.c - whether a program is worth compiling: what interpreting it costs.
 *
 * Inner programs count once for each place where they stand, but each is walked once: a program
 * may hold another one in two places, that one a third, and so on, so that a walk of all places
 * would take 2^depth steps. */
#include "engine/cpu/cpu.h"

/* how many products one element of a dot_general sums */
static double contracted(const program *p, const eqn *e)
{
	const ints *dims = &((const dot_params *)e->params)->contract_a;
	double n = 1;

	for (int i = 0; i < dims->n; i++) n *= (double)type_of(p, e->in[0])->dims[dims->v[i]];
	return n;
}

/* nanoseconds of one evaluation, without inner programs */
static double eqn_cost(const program *p, const eqn *e)
{
	enum { CALL = 200, ELEMENT = 5 };
	double elements = 0;

	if (e->prim == &tsr__prim_dot_general)
		elements += (double)type_of(p, e->out[0])->size * contracted(p, e);
	for (int i = 0; i < e->nin; i++) elements += (double)type_of(p, e->in[i])->size;
	for (int i = 0; i < e->nout; i++) elements += (double)type_of(p, e->out[i])->size;
	return CALL + ELEMENT * elements;
}

/* how often its inner programs run */
static double times_inside(const eqn *e)
{
	enum { STEPS = 1000 }; /* of a while, as nobody knows how many it takes */

	if (e->prim == &tsr__prim_scan) return (double)((const scan_params *)e->params)->length;
	return e->prim == &tsr__prim_while ? STEPS : 1;
}

static bool add_equation(const program *p, const eqn *e, weight *w)
{
	weight inside;

	w->ns += eqn_cost(p, e);
	w->large_product = w->large_product || is_large_product(p, e);
	for (inner k = {0}; inner_next(e->prim, e->params, &k);) {
		if (!program_weight(k.program, &inside)) return false;
		w->ns += times_inside(e) * inside.ns;
		w->equations += inside.equations;
		w->large_product = w->large_product || inside.large_product;
	}
	return true;
}

bool program_weight(const program *p, weight *w)
{
	memo m;
	bool ok = true;

	*w = (weight){.equations = p->neqns};
	if (memo_begin(&m, "weigh", p, NULL, 0, w, sizeof *w)) {
		for (int i = 0; ok && i < p->neqns; i++) ok = add_equation(p, &p->eqns[i], w);
		if (ok) m.to[0] = (program *)(uintptr_t)p;
		if (ok) program_retain(p);
	}
	program *known = memo_end(&m);
	program_release(known);
	return known;
}
