/* share.c - which waves are worth sharing, and the pieces they are cut into.
 *
 * The steps of a wave are laid out one behind the other by their estimated times, and the line is
 * cut into pieces of equal length.
 *
 * Example, vectors of 32 bytes:
 *
 *     f(%0: f32[8192], %1: f32[4096]) -> f32[8192], f32[4096] {
 *       %2: f32[8192] = sin %0
 *       %3: f32[4096] = cos %1
 *       return %2 %3
 *     }
 *
 * is one wave of two steps:
 *
 *     the plan of f: 2 steps, 0 bytes of scratch memory
 *       kernel 0: sin
 *       kernel 1: cos
 *       0  kernel 0  in0 -> out0  6.56 us, 8 items, shared: 3 pieces
 *       1  kernel 1  in1 -> out1  3.28 us, 4 items, shared: 3 pieces
 *
 * Pieces should last 3 microseconds at least, so there are three of 3.28:
 *
 *     step 0: . . . . . . . .   step 1: . . . .
 *     cuts   |       |                 |       |        {0,0} {0,4} {1,0} {2,0}
 *
 * How often something is cut depends on its estimated time alone, and so on its shape: the pieces
 * are the same for any number of workers. What an item computes does not depend on cuts. */
#include "engine/cpu/cpu.h"

static int32_t pieces_of(const coded *c, double time)
{
	const double few = time / TUNE_PIECE_LEAST < TUNE_PIECES_FEW ? time / TUNE_PIECE_LEAST
	                                                             : TUNE_PIECES_FEW;
	const double many = time / TUNE_PIECE_LONG < TUNE_PIECES_MOST ? time / TUNE_PIECE_LONG
	                                                              : TUNE_PIECES_MOST;

	return c->share_all ? TUNE_PIECES_FEW : (int32_t)(many > few ? many : few);
}

/* where a line of length `part` of the step's time ends */
static cut cut_step(const step *x, int32_t i, double part, bool whole)
{
	const double items = part / x->cost * (double)x->items;
	const int64_t item = whole ? (part >= x->cost / 2 ? x->items : 0) : (int64_t)(items + 0.5);

	return item >= x->items ? (cut){i + 1, 0} : (cut){i, item};
}

static bool share_wave(coded *c, int32_t first, int32_t end, double time)
{
	const schedule *s = c->plan;
	const int32_t want = pieces_of(c, time);
	const bool cuts = c->share_all || end - first == 1;
	cut *at = arena_array(s->arena, (size_t)want + 1, sizeof *at);
	int32_t n = 0;
	double before = 0;

	if (!at) return false;
	at[0] = (cut){first, 0};
	for (int32_t i = first, k = 1; i < end; before += s->step[i++].cost)
		for (const step *x = &s->step[i]; k < want && time * k / want < before + x->cost;
		     k++) {
			const cut here = cut_step(x, i, time * k / want - before,
			                          !cuts && x->cost < TUNE_STEP_WHOLE);
			if (here.step > at[n].step || here.item > at[n].item) at[++n] = here;
		}
	if (at[n].step < end) at[++n] = (cut){end, 0};
	c->wave[c->nshared++] = (shared_wave){first, end, n, at, time};
	for (int32_t i = first; i < end; i++) s->step[i].made = c->nshared;
	return true;
}

static bool share_waves(coded *c)
{
	const schedule *s = c->plan;

	for (int32_t i = 0, end; i < (int32_t)s->nsteps; i = end) {
		double time = 0;
		end = i + 1;
		if (!step_computes(&s->step[i])) continue;
		end = wave_end(s, i);
		for (int32_t j = i; j < end; j++) time += s->step[j].cost;
		if ((time >= 2 * TUNE_PIECE_LEAST || c->share_all) && !share_wave(c, i, end, time))
			return false;
	}
	return true;
}

bool code_share(coded *c, int workers)
{
	const schedule *s = c->plan;

	c->workers = workers;
	c->nshared = 0;
	for (size_t i = 0; i < s->nsteps; i++) s->step[i].made = 0;
	c->wave = arena_array(s->arena, s->nsteps + 1, sizeof *c->wave);
	return c->wave && (workers == 1 || share_waves(c)) && code_routines(c);
}
