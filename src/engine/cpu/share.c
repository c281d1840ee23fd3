/* share.c - chooses the waves that workers share, and cuts them into pieces.
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
 *       0  kernel 0  in0 -> out0  6.56 us, 8 items, shared: 2 pieces
 *       1  kernel 1  in1 -> out1  3.28 us, 4 items, shared: 2 pieces
 *
 * With two workers there are two pieces (piece_count.c) of 4.92 microseconds:
 *
 *     step 0: . . . . . . . .   step 1: . . . .
 *     cuts   |           |                     |
 *
 * What an item computes does not depend on cuts. */
#include "engine/cpu/cpu.h"

/* how many items make up a length `part` of the step's time */
static int64_t cut_step(const step *x, double part, bool whole)
{
	const double items = part / x->cost * (double)x->items;
	const int64_t item = whole ? (part >= x->cost / 2 ? x->items : 0) : (int64_t)(items + 0.5);

	return item < x->items ? item : x->items;
}

/* the steps first .. end - 1 of a wave. A stretch ends at each cut, and at the end of its step */
static bool cut_wave(const coded *c, int32_t first, int32_t end, shared_wave *to)
{
	const schedule *s = c->plan;
	const double time = steps_time(c, first, end);
	const int32_t want = pieces_of(c, time);
	const bool cuts = c->share_all || end - first == 1;
	int32_t *begin = arena_array(s->arena, (size_t)want + 1, sizeof *begin);
	stretch *of = arena_array(s->arena, (size_t)(want + end - first), sizeof *of);
	int32_t n = 0, pieces = 0;
	double before = 0;

	if (!begin || !of) return false;
	for (int32_t i = first, k = 1; i < end; before += s->step[i++].cost) {
		const step *x = &s->step[i];
		const bool whole = !cuts && x->cost < TUNE_STEP_WHOLE;
		int64_t item = 0;
		for (; k < want && time * k / want < before + x->cost; k++) {
			const int64_t at = cut_step(x, time * k / want - before, whole);
			if (at > item) of[n++] = (stretch){i, item, at};
			item = at;
			if (n > begin[pieces]) begin[++pieces] = n;
		}
		if (item < x->items) of[n++] = (stretch){i, item, x->items};
	}
	if (n > begin[pieces]) begin[++pieces] = n;
	*to = (shared_wave){first, end, pieces, begin, of, .cost = time};
	return true;
}

/* A piece has an item at least, so the longest may be much longer than the others */
static double longest_piece(const coded *c, const shared_wave *wave)
{
	double longest = 0;

	for (int32_t k = 0; k < wave->pieces; k++) {
		double time = 0;
		for (int32_t i = wave->begin[k]; i < wave->begin[k + 1]; i++) {
			const stretch *part = &wave->stretch[i];
			const step *x = &c->plan->step[part->step];
			time += x->cost * (double)(part->end - part->first) / (double)x->items;
		}
		if (time > longest) longest = time;
	}
	return longest;
}

/* its steps are made of it now */
static void take_steps(coded *c, const shared_wave *wave)
{
	for (int32_t i = wave->first; i < wave->end; i++) c->plan->step[i].made = c->nshared;
}

/* with those of its epilogue */
static int32_t args_of(const coded *c, int32_t i)
{
	const epilogue *e = epilogue_of(c, i);

	return c->plan->step[i].nargs + (e ? c->plan->step[e->kernel].nargs : 0);
}

/* is there enough to do, and has each worker room for the args of a step? */
static bool is_worth_sharing(const coded *c, int32_t first, int32_t end)
{
	for (int32_t i = first; i < end; i++)
		if (args_of(c, i) > TUNE_SHARED_ARGS) return false;
	return steps_time(c, first, end) >= 2 * TUNE_PIECE_LEAST || c->share_all;
}

static bool share_waves(coded *c)
{
	const schedule *s = c->plan;

	for (int32_t i = 0, end; i < (int32_t)s->nsteps; i = end) {
		shared_wave *wave = &c->wave[c->nshared];
		bool chains;
		end = i + 1;
		if (!step_computes(&s->step[i])) continue;
		if (!chains_find(c, i, wave, &chains)) return false;
		end = chains ? wave->end : wave_end(s, i);
		if (!is_worth_sharing(c, i, end)) continue;
		if (!chains && !cut_wave(c, i, end, wave)) return false;
		if (wave->pieces < 2) continue;
		wave->longest = longest_piece(c, wave);
		c->nshared++;
		take_steps(c, wave);
	}
	return true;
}

bool code_share(coded *c, int workers)
{
	const schedule *s = c->plan;

	c->workers = workers;
	c->nshared = c->most_args = 0;
	for (size_t i = 0; i < s->nsteps; i++) {
		step *x = &s->step[i];
		x->made = 0;
		const int32_t nargs = args_of(c, (int32_t)i);
		if (nargs > c->most_args) c->most_args = nargs;
	}
	c->wave = arena_array(s->arena, s->nsteps + 1, sizeof *c->wave);
	return c->wave && (workers == 1 || share_waves(c)) && code_routines(c);
}
