/* run.c - the caller walks the table, and workers do the pieces of its shared waves.
 *
 * Example:
 *
 *     f(%0: f32[65536], %1: f32[3]) -> f32[65536], f32[3] {
 *       %2: f32[65536], %3: f32[3] = scan %0 %1 length=3 consts=0 carry=1 unroll=1
 *         body=step(%0: f32[65536], %1: f32[]) -> f32[65536], f32[] {
 *         %2: f32[65536] = sin %0
 *         %3: f32[] = cos %1
 *         return %2 %3
 *       }
 *       return %2 %3
 *     }
 *
 * The table:
 *
 *     the plan of f: 7 steps, 64 bytes of scratch memory
 *       kernel 0: sin
 *       kernel 1: cos
 *       0  all up to 7
 *       1  copy 262144 bytes  in0 -> out0  .., 4 items, shared: ..
 *       2  loop 0, 3 times, ends at 7
 *       3  next slices of loop 0
 *       4  kernel 0  out0 -> out0  .., 64 items, shared: ..
 *       5  kernel 1  slice of in1 -> slice of out1  .., shared: ..
 *       6  loop 0 again from 3
 *
 * Who does what:
 *
 *               the caller                                      helpers
 *     1         publishes, and claims pieces too                claim pieces, and find the
 *                                                               addresses of their args
 *     2         the counter is 0
 *     3         moves roots: slices are at the next element
 *     4, 5      one wave: as 1                                  as 1
 *     6         counts, and goes on at 3 */
#include <time.h>
#include "engine/cpu/cpu.h"

typedef enum ending { DONE, CANCELLED, FAILED } ending;

static char *address(const cpu_run *r, place at) { return r->root[at.root] + at.offset; }

static void find_roots(const cpu_run *r)
{
	for (size_t i = 0; i < r->s->nroots; i++) {
		const root *x = &r->s->root[i];
		switch (x->kind) {
		case ROOT_INPUT: r->root[i] = r->in[x->index]; break;
		case ROOT_OUTPUT: r->root[i] = r->out[x->index]; break;
		case ROOT_CONSTANTS: r->root[i] = r->s->constants; break;
		case ROOT_SCRATCH:
			r->root[i] = x->whole.root < 0 ? r->scratch : address(r, x->whole);
			break;
		case ROOT_SLICE: break;
		}
	}
}

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

static void run_copy(const step_of_copy *x, char *const *arg, int64_t first, int64_t end)
{
	const char *from = arg[0];
	char *to = arg[1];

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

static void run_update(const step_of_update *x, char *const *arg, char *whole)
{
	for (int d = 0; d < x->part->ndim; d++)
		whole += x->to[d] *
		         start_of(x->start[d], arg[1 + d], x->whole->dims[d] - x->part->dims[d]);
	copy_box(whole, x->to, arg[0], x->from, x->part->dims, x->part->ndim,
	         tsr_dtype_size(x->part->dtype));
}

static void run_call(const coded *c, const step_of_call *x, char *const *arg, int64_t first,
                     int64_t end)
{
	const eqn *e = x->eqn;
	char *const *scratch = arg + e->nin + e->nout;
	const eval_args args = {.eqn = e,
	                        .in = x->in,
	                        .out = x->out,
	                        .n = 1,
	                        .x = (const void *const *)arg,
	                        .y = (void *const *)arg + e->nin,
	                        .scratch = x->has_scratch ? *scratch + first * x->scratch : NULL,
	                        .first = first,
	                        .end = end,
	                        .phase = x->phase};

	if (x->library)
		c->native->library(&args);
	else
		eqn_eval(&args);
}

static void run_product(const coded *c, const step *x, char *const *arg, int64_t first, int64_t end)
{
	const epilogue *e = epilogue_of(c, (int32_t)(x - c->plan->step));
	native_epilogue own = {NULL, NULL, false};

	if (e)
		own = (native_epilogue){(native_run_window *)(uintptr_t)e->code.run, arg + x->nargs,
		                        e->window.whole_rows};
	c->native->product(x->product, e ? &own : NULL, arg[0], arg[1], arg[2], first, end);
}

static void run_items(const coded *c, const step *x, char *const *arg, int64_t first, int64_t end)
{
	if (first == end) return;
	switch (x->kind) {
	case STEP_COPY: run_copy(&x->copy, arg, first, end); break;
	case STEP_UPDATE: run_update(&x->update, arg, arg[x->nargs - 1]); break;
	case STEP_CALL: run_call(c, &x->call, arg, first, end); break;
	case STEP_KERNEL: c->code[x->unit].run(arg, first, end); break;
	default: run_product(c, x, arg, first, end);
	}
}

/* the same for a profile, which a callback may have ended meanwhile */
static void note_items(const cpu_run *r, const step *x, char *const *arg, int64_t first,
                       int64_t end)
{
	profile *p = r->c->base->profile;
	const profile_note n = {.category = "step",
	                        .where = x->where,
	                        .begin = profile_clock(),
	                        .describe = step_describe,
	                        .of = x,
	                        .in = r->s,
	                        .share = x->items ? (double)(end - first) / (double)x->items : 1};

	run_items(r->c, x, arg, first, end);
	if (p && first < end) profile_add(p, &n);
}

static void move_slices(const cpu_run *r, const step_of_slices *x)
{
	const int64_t at = x->times * r->counter[x->counter] + x->plus;
	const int64_t index = x->reverse ? x->length - 1 - at : at;

	for (int32_t i = 0; i < x->n; i++) {
		const slice *y = &x->v[i];
		r->root[y->root] = address(r, r->s->root[y->root].whole) + index * y->stride;
	}
}

static int32_t chosen(const cpu_run *r, const step *x)
{
	const char *at = address(r, x->arg[0]);
	int32_t index;

	if (x->predicate) return *at != 0;
	memcpy(&index, at, sizeof index);
	return index < 0 ? 0 : index < x->ntargets ? index : x->ntargets - 1;
}

/* where the caller goes on */
static int32_t run_jump(const cpu_run *r, const step *x)
{
	const int32_t next = (int32_t)(x - r->s->step) + 1;

	switch (x->kind) {
	case STEP_SWITCH: return x->target[chosen(r, x)];
	case STEP_GO: return x->target[0];
	case STEP_LOOP:
		r->counter[x->count.counter] = 0;
		return x->count.length ? next : x->target[0];
	case STEP_SLICES: move_slices(r, &x->slices); return next;
	case STEP_NEXT:
		return ++r->counter[x->count.counter] < x->count.length ? x->target[0] : next;
	default:
		/* one routine of several steps, which cannot be told apart */
		if (!x->made || r->engine->progress || r->noted || r->flying) return next;
		r->c->routine[x->made - 1].run(r->root, 0, 1);
		return x->target[0];
	}
}

/* behind them, those of its epilogue */
static char **find_args(const cpu_run *r, const step *x, char **arg)
{
	const epilogue *e = epilogue_of(r->c, (int32_t)(x - r->s->step));

	for (int32_t i = 0; i < x->nargs; i++) arg[i] = address(r, x->arg[i]);
	if (!e) return arg;
	const step *k = &r->s->step[e->kernel];
	for (int32_t i = 0; i < k->nargs; i++) arg[x->nargs + i] = address(r, k->arg[i]);
	return arg;
}

/* for tests: one piece in eight takes up to a third of a millisecond longer */
static void halt_now_and_then(void)
{
	static _Thread_local uint32_t state;

	if (!state) state = (uint32_t)(uintptr_t)&state | 1;
	state ^= state << 13;
	state ^= state >> 17;
	state ^= state << 5;
	if (state % 8 == 0)
		nanosleep(&(struct timespec){.tv_nsec = (long)(state / 8 % 300000)}, NULL);
}

static void run_piece(const void *user, const void *of, int32_t k)
{
	cpu_run *r = (cpu_run *)(uintptr_t)user;
	const shared_wave *wave = of;
	const int32_t piece = r->c->share_all ? wave->pieces - 1 - k : k;

	if (r->c->halts) halt_now_and_then();
	if (r->engine->progress && r->caller == thread_here())
		r->engine->progress(r->engine->progress_user, &r->run);
	if (r->flying && r->caller == thread_here()) poke_transfers(r);
	for (int32_t i = wave->begin[piece]; i < wave->begin[piece + 1]; i++) {
		const stretch *part = &wave->stretch[i];
		const step *x = &r->s->step[part->step];
		char *arg[TUNE_SHARED_ARGS]; /* in common memory, others would miss the cache */
		find_args(r, x, arg);
		if (r->noted) note_items(r, x, arg, part->first, part->end);
		else run_items(r->c, x, arg, part->first, part->end);
	}
	if (r->noted && r->caller == thread_here()) r->done_at = profile_clock();
}

static void run_wave(cpu_run *r, const shared_wave *wave)
{
	if (!r->asked) r->board = board_take(r->c->workers);
	r->asked = true;
	const phase work = {run_piece, r, wave, wave->pieces, wave->cost, wave->longest};
	if (r->noted) r->done_at = profile_clock();
	board_do(r->board, &work);
	if (r->noted && r->c->base->profile)
		profile_add(r->c->base->profile, &(profile_note){.category = "wait",
		                                                 .name = "wait for workers",
		                                                 .begin = r->done_at});
}

/* The user may run programs meanwhile, or leave the run for good */
static bool run_host(cpu_run *r, const step *x)
{
	const eqn *e = x->call.eqn;
	char **arg = find_args(r, x, r->arg);
	const bool failed_before = failed(r->c->base);
	volatile uintptr_t on_frame;

	guard_set(&r->guard, &on_frame, __builtin_alloca(GUARD_ROOM));
	r->calls = true;
	const bool ok = e->prim->host(&(host_args){.base = r->c->base,
	                                           .eqn = e,
	                                           .in = x->call.in,
	                                           .out = x->call.out,
	                                           .x = (const void *const *)arg,
	                                           .y = (void *const *)arg + e->nin});
	r->calls = false;
	if (!ok && !failed_before)
		fail_note(r->c->base, "while running %s (%s)", e->prim->name,
		          e->where ? e->where : "no location");
	return ok;
}

/* lets others make progress. false: the run is cancelled, at once or at this step */
static bool goes_on(cpu_run *r, const step *next)
{
	const engine *of = r->engine;

	if (of->progress) of->progress(of->progress_user, &r->run);
	if (next->number &&
	    next->number == atomic_load_explicit(&r->run.stop, memory_order_relaxed))
		return false;
	return !atomic_load_explicit(&of->cancelled, memory_order_relaxed);
}

/* so many items are done next, where so many took so long: until it is time to poke again. If
 * something else took the processor meanwhile, they become more again */
static int64_t items_after(int64_t items, double took)
{
	const double fit = (double)items * TUNE_POKE_EVERY / (took > 1 ? took : 1);

	return fit >= 2 * (double)items ? 2 * items : fit < 1 ? 1 : (int64_t)fit;
}

/* a step that this thread does alone, while transfers are under way */
static void run_poking(cpu_run *r, const step *x)
{
	int64_t most = items_until_poke(x);
	double before = poke_transfers(r);

	for (int64_t first = 0, end; first < x->items; first = end) {
		end = smaller(x->items, first + most);
		if (r->noted) note_items(r, x, r->arg, first, end);
		else run_items(r->c, x, r->arg, first, end);
		const double now = poke_transfers(r);
		most = items_after(end - first, now - before);
		before = now;
	}
}

/* until the end. *where: of the first step that was not done, or of the last one. noted: as r has
 * it, and known to the compiler: a call whose steps nobody notes pays for no test of it */
static inline __attribute__((always_inline)) ending take_steps(cpu_run *r, const char **where,
                                                               bool noted)
{
	const schedule *s = r->s;

	for (int32_t i = 0; i < (int32_t)s->nsteps;) {
		const step *x = &s->step[i];
		*where = x->where;
		if (!goes_on(r, x)) return CANCELLED;
		if (x->kind == STEP_HOST) {
			if (!run_host(r, x)) return FAILED;
			i++;
		} else if (x->kind == STEP_BEGIN || x->kind == STEP_END) {
			if (!run_transfer(r, x, find_args(r, x, r->arg))) return FAILED;
			i++;
		} else if (!step_computes(x)) {
			i = run_jump(r, x);
		} else if (x->made) {
			const shared_wave *wave = &r->c->wave[x->made - 1];
			run_wave(r, wave);
			i = wave->end;
		} else {
			find_args(r, x, r->arg);
			if (r->flying) run_poking(r, x);
			else if (noted) note_items(r, x, r->arg, 0, x->items);
			else run_items(r->c, x, r->arg, 0, x->items);
			i++;
		}
	}
	/* a routine that is cancelled ends early */
	return atomic_load_explicit(&r->engine->cancelled, memory_order_relaxed) ? CANCELLED
	                                                                         : DONE;
}

static ending run_steps(cpu_run *r, const char **where) { return take_steps(r, where, false); }

static __attribute__((noinline)) ending run_noted(cpu_run *r, const char **where)
{
	const double begin = profile_start(r->c->base);
	const ending end = take_steps(r, where, true);

	profile_done(r->c->base, "run", r->s->program->name, NULL, begin);
	return end;
}

cpu_run *run_make(const coded *c, int64_t nheld)
{
	const schedule *s = c->plan;
	const size_t lists =
		(size_t)(nheld + s->noutputs) * sizeof(buffer *) +
		(s->nroots + 1 + (size_t)s->ninputs + (size_t)s->noutputs + (size_t)c->most_args) *
			sizeof(char *) +
		(size_t)s->ncounters * sizeof(int64_t) +
		(s->ntransfers ? (size_t)c->most_args * sizeof(message) : 0) +
		(size_t)s->ntransfers * sizeof(flight);
	cpu_run *r = mem_zalloc(s->base, sizeof *r + lists);

	if (!r) return NULL;
	r->c = c;
	r->s = s;
	r->held = (buffer **)(r + 1);
	r->made = r->held + nheld;
	r->in = (char **)(r->made + s->noutputs);
	r->out = r->in + s->ninputs;
	r->root = r->out + s->noutputs;
	r->arg = r->root + s->nroots + 1;
	r->counter = (int64_t *)(r->arg + c->most_args);
	r->flight = (flight *)(r->counter + s->ncounters);
	r->message = (message *)(r->flight + s->ntransfers);
	return r;
}

bool run_do(cpu_run *r)
{
	const char *where = NULL;

	r->caller = thread_here();
	find_roots(r);
	r->root[r->s->nroots] = (char *)(uintptr_t)&r->engine->cancelled;
	r->noted = r->c->base->profile;
	r->flying = 0;
	const ending end = r->noted ? run_noted(r, &where) : run_steps(r, &where);
	board_give(r->board);
	r->board = NULL;
	r->asked = false;
	return end == CANCELLED ? host_cancelled(r->engine, where) : end == DONE;
}

void run_leave(cpu_run *r)
{
	board_leave(r->board);
	r->board = NULL;
	r->asked = false;
}
