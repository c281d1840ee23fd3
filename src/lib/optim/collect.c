/* collect.c - an optimiser that makes a step once for several gradients, as Optax's MultiSteps.
 *
 *     tsr_multi_steps(tsr_sgd(ctx, 0.1), 2), of the gradients 1 3 5 5
 *     collects      1  (1 + 3) / 2 = 2     5  (5 + 5) / 2 = 5
 *     the update    0  -0.2                0  -0.5
 *
 * State: how many gradients are collected, how many steps were made, what is collected, and the
 * state of the optimiser inside. A step inside is computed each time and kept at each k-th one, so
 * that there is one kernel for each leaf still, which writes what it made or what it read. */
#include "lib/optim/optim.h"

enum { COLLECTED, STEPS }; /* the counts */

static tsr *collect_init(const task *t, int i, size_t k)
{
	(void)i;
	return zeros_for(t, k, (tsr_dtype)t->of->p.dtype, -1);
}

/* the new value where `last` is true, else the old one; where the old one is */
static tsr *choose(const char *where, tsr_arg last, tsr_arg new, tsr *old)
{
	return tsr_shard_alike_at(where, WHERE(last, new, HANDLE(old)).as.one, old);
}

/* collects update k, which becomes what is collected */
static tsr_arg collect(const task *t, size_t k, tsr *sum)
{
	const char *where = t->where;
	const tsr_arg g = HANDLE(t->update[k]), old = HANDLE(sum);

	if (!t->of->p.mean) return ADD(g, old);
	return ADD(old, DIV(SUB(g, old), ADD(HANDLE(t->state[COLLECTED]), INT(1))));
}

/* before: what the state inside was */
static void collect_step(const task *t, const task *inside, tsr *const *before)
{
	const char *where = t->where;
	const tsr_arg count = HANDLE(t->state[COLLECTED]), steps = HANDLE(t->state[STEPS]);
	const tsr_arg last = IS(eq, count, INT(t->of->p.steps - 1));

	for (size_t k = 0; k < t->n; k++) {
		if (!t->update[k]) continue;
		const tsr_arg all = collect(t, k, *slot_of(t, 0, k));
		t->update[k] = TO(tsr_dtype_of(t->update[k]), all).as.one;
		slot_set(t, 0, k, WHERE(last, INT(0), all));
	}
	if (!part_all(inside)) return;
	for (size_t i = 0; i < part_leaves(inside->of, t->n); i++)
		if (before[i])
			inside->state[i] =
				choose(where, last, HANDLE(inside->state[i]), before[i]);
	for (size_t k = 0; k < t->n; k++)
		if (t->update[k])
			t->update[k] = WHERE(last, HANDLE(t->update[k]), INT(0)).as.one;
	t->state[COLLECTED] = choose(where, last, INT(0), next_count(where, count.as.one));
	const tsr_arg more = HANDLE(next_count(where, steps.as.one));
	t->state[STEPS] = choose(where, last, more, steps.as.one);
}

static void collect_all(const task *t)
{
	const task inside = task_of(t, 0);
	const size_t nstate = part_leaves(inside.of, t->n);
	arena *scratch = call_arena(t->ctx);
	tsr **before =
		scratch ? arena_copy(scratch, inside.state, nstate * sizeof *before) : NULL;

	if (before)
		collect_step(t, &inside, before);
	else
		for (size_t k = 0; k < t->n; k++)
			if (t->update[k]) t->update[k] = poison_of(t->ctx);
	call_arena_free(t->ctx, scratch);
}

const part_rule part_collect = {
	.name = "multi_steps", .counts = 2, .slots = 1, .init = collect_init, .all = collect_all};
