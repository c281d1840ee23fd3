/* share.c - which worker does what, and where workers must meet.
 *
 * The steps of a wave are laid out one behind the other by their estimated times, and each worker
 * takes an equal part of the line. Between two steps workers meet only where memory that one of
 * them has written is used by another one. */
#include "engine/cpu/cpu.h"

enum {
	WORTH = 3000,         /* nanoseconds of a wave that is worth sharing */
	WORTH_WAKING = 15000, /* of all waves together, before other workers are called */
	WHOLE = 2000,         /* a step of less is not cut, if there are others in its wave */
	MOST_TOUCHED = 512
};

static bool computes(const step *x) { return x->kind <= STEP_UPDATE; }

/* ---- shares */

/* the end of the wave that begins with step i */
static size_t wave_end(const schedule *s, size_t i)
{
	size_t end = i + 1;

	while (end < s->nsteps && s->step[end].wave == s->step[i].wave && computes(&s->step[end]))
		end++;
	return end;
}

/* item at which a line of length `part` of the step's time ends */
static int64_t cut(const step *x, double part, bool whole)
{
	if (part <= 0) return 0;
	if (part >= x->cost) return x->items;
	if (whole) return part >= x->cost / 2 ? x->items : 0;
	return (int64_t)(part / x->cost * (double)x->items + 0.5);
}

static bool share_wave(schedule *s, size_t first, size_t end, double total, int workers)
{
	const bool cuts = s->share_all || end - first == 1;
	double before = 0;

	for (size_t i = first; i < end; i++) {
		step *x = &s->step[i];
		int64_t *share = arena_array(s->arena, (size_t)workers + 1, sizeof *share);
		if (!share) return false;
		for (int w = 1; w < workers; w++)
			share[w] = cut(x, total * w / workers - before, !cuts && x->cost < WHOLE);
		share[workers] = x->items;
		x->share = share;
		before += x->cost;
	}
	return true;
}

static void unshare(const schedule *s)
{
	for (size_t i = 0; i < s->nsteps; i++) {
		s->step[i].share = NULL;
		s->step[i].barrier = false;
	}
}

/* total: gets the estimated time of what is shared */
static bool share_waves(schedule *s, int workers, double *total)
{
	for (size_t i = 0, end; i < s->nsteps; i = end) {
		end = i + 1;
		if (!computes(&s->step[i])) continue;
		double time = 0;
		end = wave_end(s, i);
		for (size_t j = i; j < end; j++) time += s->step[j].cost;
		if (time < WORTH && !s->share_all) continue;
		*total += time;
		if (!share_wave(s, i, end, time, workers)) return false;
	}
	return true;
}

/* ---- who runs what alone */

static void find_alone(const schedule *s)
{
	for (size_t i = 0; i < s->nsteps; i++) {
		step *x = &s->step[i];
		if (x->kind != STEP_ALONE) continue;
		x->active = true;
		for (int32_t j = (int32_t)i + 1; j < x->target[0]; j++)
			if (s->step[j].share) x->active = false;
	}
}

/* the only worker that touches the memory of a step; -1: several */
static int owner_of(const step *x, int workers)
{
	if (!x->share) return x->kind == STEP_SWITCH ? -1 : 0;
	for (int w = 0; w < workers; w++)
		if (x->share[w] == 0 && x->share[w + 1] == x->items) return w;
	return -1;
}

/* ---- memory that has been touched since the workers met */

typedef struct touch {
	span at;
	bool writes;
	int owner;
} touch;

typedef struct meeting {
	const schedule *s;
	int n;
	bool full; /* more was touched than there is room for */
	touch touched[MOST_TOUCHED];
} meeting;

bool span_of(const schedule *s, place at, int64_t bytes, span *out)
{
	for (;;) {
		const root *r = &s->root[at.root];
		if (r->kind == ROOT_CONSTANTS) return false;
		if (r->kind == ROOT_INPUT) { /* it may be the memory of an output */
			*out = (span){1 + s->heir[r->index], at.offset, at.offset + bytes};
			return s->heir[r->index] >= 0;
		}
		if (r->kind == ROOT_OUTPUT || r->whole.root < 0) {
			*out = (span){r->kind == ROOT_OUTPUT ? 1 + r->index : 0, at.offset,
			              at.offset + bytes};
			return true;
		}
		if (r->kind == ROOT_SLICE) {
			at.offset = 0;
			bytes = r->bytes;
		}
		at = (place){r->whole.root, r->whole.offset + at.offset};
	}
}

static bool conflicts(const meeting *m, int n, const touch *t)
{
	for (int i = 0; i < n; i++) {
		const touch *o = &m->touched[i];
		if (o->at.memory == t->at.memory && (o->writes || t->writes) &&
		    o->at.from < t->at.to && t->at.from < o->at.to &&
		    (o->owner != t->owner || t->owner < 0))
			return true;
	}
	return false;
}

/* adds the memory that a step touches. false: workers must meet before it */
static bool add_touches(meeting *m, const step *x, int owner)
{
	const int before = m->n;

	for (int i = 0; i < x->nargs; i++) {
		touch t = {.writes = i >= x->nargs - x->nresults, .owner = owner};
		if (!span_of(m->s, x->arg[i], x->bytes[i], &t.at)) continue;
		if (m->n == MOST_TOUCHED || conflicts(m, before, &t)) return false;
		m->touched[m->n++] = t;
	}
	return true;
}

/* of n steps; what one worker takes alone are several */
static bool add_steps(meeting *m, const step *x, int32_t n, int owner)
{
	for (int32_t i = 0; i < n; i++)
		if (!add_touches(m, &x[i], owner)) return false;
	return true;
}

static void meet(meeting *m, step *x, int32_t n, int owner)
{
	x->barrier = true;
	m->n = 0;
	m->full = !add_steps(m, x, n, owner);
}

/* A jump leads to where different memory has been touched, so workers meet at each jump and at each
 * target. Where one worker goes alone, the others pass by: they meet before that, or not at all */
static void find_barriers(const schedule *s, int workers)
{
	meeting m = {.s = s};

	for (int32_t i = 0, n; i < (int32_t)s->nsteps; i += n) {
		step *x = &s->step[i];
		const bool alone = x->kind == STEP_ALONE && x->active;
		const int owner = alone ? 0 : owner_of(x, workers);
		n = alone ? x->target[0] - i : 1;
		if (x->kind == STEP_SLICES || (x->kind == STEP_ALONE && !alone)) continue;
		if (!(computes(x) || alone) || m.full || !add_steps(&m, x, n, owner))
			meet(&m, x, n, owner);
	}
}

/* ---- the whole */

static void find_items(const schedule *s)
{
	for (size_t i = 0; i < s->nsteps; i++)
		if (s->step[i].kind == STEP_KERNEL)
			s->step[i].items = s->unit[s->step[i].unit].code.items;
}

static bool frames_make(schedule *s)
{
	int32_t most = 1;

	for (size_t i = 0; i < s->nsteps; i++)
		if (s->step[i].nargs > most) most = s->step[i].nargs;
	s->frame = arena_array(s->arena, (size_t)s->workers, sizeof *s->frame);
	for (int w = 0; s->frame && w < s->workers; w++) {
		frame *f = &s->frame[w];
		f->root = arena_array(s->arena, s->nroots, sizeof *f->root);
		f->counter = arena_array(s->arena, (size_t)s->ncounters + 1, sizeof *f->counter);
		f->arg = arena_array(s->arena, (size_t)most, sizeof *f->arg);
		if (!f->root || !f->counter || !f->arg) return false;
	}
	return s->frame;
}

bool schedule_share(schedule *s, int workers)
{
	double total = 0;

	find_items(s);
	unshare(s);
	s->workers = workers;
	if (workers > 1 && !share_waves(s, workers, &total)) return false;
	if (workers == 1 || (total < WORTH_WAKING && !s->share_all)) {
		s->workers = 1;
		unshare(s);
	}
	find_alone(s);
	if (s->workers > 1) find_barriers(s, workers);
	return schedule_routines(s) && frames_make(s);
}
