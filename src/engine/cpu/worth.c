/* worth.c - decides when a program is compiled, by the costs of interpreting and of compiling it.
 *
 * Example, vectors of 32 bytes:
 *
 *     f(%0: f32[8]) -> f32[8] {
 *       %1: f32[8] = scan %0 length=1000 consts=0 carry=1 unroll=1
 *         body=half(%0: f32[8]) -> f32[8] {
 *         %1: f32[8] = mul %0 0.5:f32
 *         return %1
 *       }
 *       %2: f32[8] = scan %1 length=10 consts=0 carry=1 unroll=1
 *         body=half(%0: f32[8]) -> f32[8] {
 *         %1: f32[8] = mul %0 0.5:f32
 *         return %1
 *       }
 *       return %2
 *     }
 *
 * Interpreting it takes 1,010 products. Compiling it takes one kernel, since the two are equal:
 *
 *     interpreted: 117.9 us
 *     compiled: 2.3 ms, 1 kernel
 *
 * Inner programs count once for each place where they occur, but each is walked once: a program may
 * hold another one in two places, that one a third, and so on, so that a walk of all places would
 * take 2^depth steps. */
#include <math.h>
#include <time.h>
#include "engine/cpu/cpu.h"

/* how often its inner programs run */
static double times_inside(const eqn *e)
{
	if (e->prim == &tsr__prim_scan) return (double)((const scan_params *)e->params)->length;
	return e->prim == &tsr__prim_while ? TUNE_WHILE_TURNS : 1;
}

static bool add_equation(const target *on, const program *p, const eqn *e, weight *w)
{
	weight inside;

	w->ns += eval_ns(on, p, e);
	w->by_library = w->by_library || library_calls(on, p, e);
	for (inner k = {0}; inner_next(e->prim, e->params, &k);) {
		if (!program_weight(on, k.program, &inside)) return false;
		w->ns += times_inside(e) * inside.ns;
		w->equations += inside.equations;
		w->by_library = w->by_library || inside.by_library;
	}
	return true;
}

bool program_weight(const target *on, const program *p, weight *w)
{
	memo m;
	bool ok = true;

	*w = (weight){.equations = p->neqns};
	if (memo_begin(&m, "weigh", p, MEMO_PARTS({&on, sizeof on}), w, sizeof *w)) {
		for (int i = 0; ok && i < p->neqns; i++) ok = add_equation(on, p, &p->eqns[i], w);
		if (ok) m.to[0] = (program *)(uintptr_t)p;
		if (ok) program_retain(p);
	}
	program *known = memo_end(&m);
	program_release(known);
	return known;
}

/* ---- what interpreting it has cost
 *
 * Estimates are wrong by a factor of 5 either way, so runs are measured: by the time that the
 * processor spent on them, whatever else the machine did. To read that takes longer than a small
 * program runs, so runs 1, 2, 4, 8 and so on are measured, and those in between count as the ones
 * before; and what a small one took, the clock on the wall tells better. The first run is slower
 * than others, so each changes what is believed by half:
 *
 *     estimate    run 1       run 2       run 3     run 4       runs 5, 6 and 7
 *                 takes 8     takes 4               takes 4
 *     2           5           4.5         4.5       4.25        4.25 */

static double clock_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

watched spent_begin(spent *s)
{
	const int64_t run = ++s->runs;

	if (run & (run - 1)) return (watched){.measured = false};
	const double processor = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	return (watched){true, processor, clock_ns(CLOCK_MONOTONIC)};
}

void spent_end(spent *s, const watched *w, bool ok)
{
	double took = s->each;

	if (w->measured) {
		const double wall = clock_ns(CLOCK_MONOTONIC) - w->wall;
		took = fmin(wall, clock_ns(CLOCK_THREAD_CPUTIME_ID) - w->processor);
	}
	s->ns += took;
	if (ok) s->each = (s->each + took) / 2;
}

/* ---- what compiling costs: nanoseconds of one thread */

static bool same_kernel(const void *entry, const void *key)
{
	return kernel_same(entry, key);
}

bool plan_price(const schedule *s, const native_type *native, void *machine, price *to)
{
	table seen = {.base = s->base};
	bool ok = true;

	*to = (price){0};
	for (size_t i = 0; ok && i < s->nunits; i++) {
		kernel *k = s->unit[i].kernel;
		if (table_find(&seen, k->hash, same_kernel, k)) continue;
		ok = table_add(&seen, k->hash, k);
		if (machine && native->knows(machine, k)) continue;
		to->kernels++;
		to->ns += native_price(k);
	}
	table_free(&seen, NULL);
	return ok;
}
