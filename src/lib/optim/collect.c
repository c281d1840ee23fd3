/* collect.c - an optimiser that makes a step once for several gradients, as Optax's MultiSteps.
 *
 *     tsr_multi_steps(tsr_sgd(ctx, 0.1), 2), of the gradients 1 3 5 5
 *     collects      1  (1 + 3) / 2 = 2     5  (5 + 5) / 2 = 5
 *     the update    0  -0.2                0  -0.5
 *
 * State: how many gradients are collected, how many steps were made, what is collected, and the
 * state of the optimiser inside. A step inside is computed each time and taken at each k-th one:
 * one kernel for each leaf writes the new state or the old one, and goes on with what it wrote. */
#include "lib/optim/optim.h"

enum { COLLECTED, STEPS }; /* the counts */

static tsr *collect_init(const task *t, int i, size_t k)
{
	(void)i;
	return zeros_for(t, k, (tsr_dtype)t->of->p.dtype, -1);
}

/* Collects update k, which becomes what is collected. That begins anew where a step was made */
static tsr_arg collect(const task *t, size_t k)
{
	const call_site *site = &t->site;
	const tsr_arg count = HANDLE(t->state[COLLECTED]), g = HANDLE(t->update[k]);
	const tsr_arg old = WHERE(IS(eq, count, INT(0)), INT(0), HANDLE(*slot_of(t, 0, k)));

	if (!t->of->p.mean) return slot_set(t, 0, k, ADD(g, old));
	return slot_set(t, 0, k, ADD(old, DIV(SUB(g, old), ADD(count, INT(1)))));
}

static void collect_all(const task *t)
{
	const call_site *site = &t->site;
	task inside = task_of(t, 0);
	const tsr_arg count = HANDLE(t->state[COLLECTED]), steps = HANDLE(t->state[STEPS]);
	const tsr_arg last = IS(eq, count, INT(t->of->p.steps - 1));

	for (size_t k = 0; k < t->n; k++) {
		if (!t->update[k]) continue;
		t->update[k] = TO(tsr_dtype_of(t->update[k]), collect(t, k)).as.one;
	}
	inside.takes = t->takes ? BOTH(HANDLE(t->takes), last).as.one : last.as.one;
	if (!part_all(&inside)) return;
	for (size_t k = 0; k < t->n; k++)
		if (t->update[k])
			t->update[k] = WHERE(last, HANDLE(t->update[k]), INT(0)).as.one;
	count_set(t, COLLECTED, WHERE(last, INT(0), HANDLE(next_count(site, count.as.one))));
	count_set(t, STEPS, WHERE(last, HANDLE(next_count(site, steps.as.one)), steps));
}

const part_rule part_collect = {
	.name = "multi_steps", .counts = 2, .slots = 1, .init = collect_init, .all = collect_all};
