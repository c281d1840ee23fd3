/* run.c - workers walk the table, each with roots and counters of its own. */
#include "engine/cpu/cpu.h"

static char *address(const frame *f, place at) { return f->root[at.root] + at.offset; }

static void find_roots(const schedule *s, const frame *f)
{
	const run *r = &s->run;

	for (size_t i = 0; i < s->nroots; i++) {
		const root *x = &s->root[i];
		switch (x->kind) {
		case ROOT_INPUT: f->root[i] = r->in[x->index]; break;
		case ROOT_OUTPUT: f->root[i] = r->out[x->index]; break;
		case ROOT_CONSTANTS: f->root[i] = s->constants; break;
		case ROOT_SCRATCH:
			f->root[i] = x->whole.root < 0 ? r->scratch : address(f, x->whole);
			break;
		case ROOT_SLICE: break;
		}
	}
}

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

static void run_copy(const step *x, const frame *f, int64_t first, int64_t end)
{
	const char *from = address(f, x->arg[0]);
	char *to = address(f, x->arg[1]);

	if (from == to) return; /* an output that took the memory of an input */
	if (x->rows == 1) {
		const int64_t at = first * x->grain;
		memcpy(to + at, from + at, (size_t)(smaller(x->row, end * x->grain) - at));
		return;
	}
	for (int64_t i = first; i < end; i++)
		memcpy(to + i * x->to_stride, from + i * x->from_stride, (size_t)x->row);
}

/* a start, moved so that the part fits in */
static int64_t start_of(const type *t, const char *at, int64_t most)
{
	int64_t start;

	dtype_convert(TSR_I64, &start, t->dtype, at, 1);
	if (t->dtype == TSR_U64 && start < 0) start = most;
	return start < 0 ? 0 : smaller(start, most);
}

static void run_update(const step *x, char *const *arg)
{
	char *target = arg[x->nargs - 1];

	for (int d = 0; d < x->part->ndim; d++)
		target += x->to[d] *
		          start_of(x->start[d], arg[1 + d], x->whole->dims[d] - x->part->dims[d]);
	copy_box(target, x->to, arg[0], x->from, x->part->dims, x->part->ndim,
	         tsr_dtype_size(x->part->dtype));
}

static void run_items(const schedule *s, const step *x, const frame *f, int64_t first, int64_t end)
{
	if (first == end) return;
	if (x->kind == STEP_COPY) {
		run_copy(x, f, first, end);
		return;
	}
	for (int32_t i = 0; i < x->nargs; i++) f->arg[i] = address(f, x->arg[i]);
	if (x->kind == STEP_UPDATE)
		run_update(x, f->arg);
	else if (x->kind == STEP_KERNEL)
		s->unit[x->unit].code.run(f->arg, first, end);
	else
		s->native->product(&x->product, f->arg[0], f->arg[1], f->arg[2], first, end);
}

static void move_slices(const schedule *s, const step *x, const frame *f)
{
	const int64_t at = x->times * f->counter[x->counter] + x->plus;
	const int64_t index = x->reverse ? x->length - 1 - at : at;

	for (int32_t i = 0; i < x->nslices; i++) {
		const slice *y = &x->slices[i];
		f->root[y->root] = address(f, s->root[y->root].whole) + index * y->stride;
	}
}

static int32_t chosen(const step *x, const frame *f)
{
	const char *at = address(f, x->arg[0]);
	int32_t index;

	if (x->predicate) return *at != 0;
	memcpy(&index, at, sizeof index);
	return index < 0 ? 0 : index < x->ntargets ? index : x->ntargets - 1;
}

/* where the worker goes on */
static int32_t run_jump(const schedule *s, const step *x, const frame *f, int worker)
{
	const int32_t next = (int32_t)(x - s->step) + 1;

	switch (x->kind) {
	case STEP_SWITCH: return x->target[chosen(x, f)];
	case STEP_GO: return x->target[0];
	case STEP_LOOP: f->counter[x->counter] = 0; return x->length ? next : x->target[0];
	case STEP_SLICES: move_slices(s, x, f); return next;
	case STEP_NEXT: return ++f->counter[x->counter] < x->length ? x->target[0] : next;
	default:
		if (worker == 0 && x->routine.run) x->routine.run(f->root, 0, 1);
		return x->active && (worker || x->routine.run) ? x->target[0] : next;
	}
}

static void work(void *user, team *t, int worker)
{
	const schedule *s = user;
	const frame *f = &s->frame[worker];
	const bool together = t->n == s->workers; /* else one does it all */

	if (!together && worker) return;
	find_roots(s, f);
	for (int32_t i = 0; i < (int32_t)s->nsteps;) {
		const step *x = &s->step[i];
		if (x->barrier && together && !team_meet(t)) return;
		if (x->kind > STEP_UPDATE) {
			if (team_left(t)) return;
			i = run_jump(s, x, f, worker);
			continue;
		}
		if (x->share && together)
			run_items(s, x, f, x->share[worker], x->share[worker + 1]);
		else if (worker == 0)
			run_items(s, x, f, 0, x->items);
		i++;
	}
}

void schedule_run(schedule *s, char *const *in, char *const *out, char *scratch)
{
	s->run.in = in;
	s->run.out = out;
	s->run.scratch = scratch;
	workers_run(s->workers, work, s, &s->run.number);
}

void schedule_leave(const schedule *s) { workers_leave(s->run.number); }
