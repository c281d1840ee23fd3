/* tiny.c - a small engine that does all that an engine must: the one to begin a new one with.
 *
 * It has memories of its own, in which all bytes are stored inverted, as if the host could not read
 * them: who goes past the contract gets what is wrong. Programs are interpreted: it walks the
 * equations one after the other, and has each computed by its rule. It is slow, and nothing in it
 * is clever.
 *
 *     a program:  buffer -- wait copies --> block -- equations --> block -- wait copies --> buffer
 *                 in a memory               on the host            on the host           in a
 *                                                                                        memory
 *
 * Its programs may have devices in several processes: what a group exchanges then goes in messages.
 *
 * Build it as CMakeLists.txt beside it does, and test it with `tsr conform tiny`. The contract is
 * in tsr/engine/engine.h, and what a program is in tsr/engine/program.h. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <tsr/engine/exchange.h>

/* ---- memory: what the engine keeps of a buffer begins with `buffer` */

typedef struct tiny_buffer {
	buffer buffer;
	unsigned char *bytes; /* inverted */
} tiny_buffer;

static unsigned char *bytes_of(buffer *b) { return ((tiny_buffer *)b)->bytes; }

static void *allocate(engine *of, size_t bytes)
{
	void *p = malloc(bytes + 1); /* for bytes 0, too */

	if (!p) tsr__fail(of, NULL, TSR_ERROR_MEMORY, "tiny: no memory for %zu bytes", bytes);
	return p;
}

static buffer *tiny_alloc(engine *of, int memory, size_t bytes, bool clear)
{
	tiny_buffer *b = allocate(of, sizeof *b);
	unsigned char *data = b ? allocate(of, bytes) : NULL;

	if (!data) {
		free(b);
		return NULL;
	}
	tsr__buffer_init(&b->buffer, of, memory, bytes, 64);
	b->bytes = data;
	if (clear) memset(data, 0xff, bytes);
	return &b->buffer;
}

/* from any thread, so it touches nothing that is shared */
static void tiny_free(buffer *b)
{
	free(bytes_of(b));
	free(b);
}

/* Element after element: over the host's border each byte is turned over, `inverted` is 0xff; from
 * one of our buffers to another it stays as it is */
static void move(unsigned char *to, const int64_t *to_strides, const unsigned char *from,
                 const int64_t *from_strides, const extent *x, unsigned char inverted, int dim)
{
	if (dim == x->ndim) {
		for (size_t i = 0; i < x->size; i++) to[i] = from[i] ^ inverted;
		return;
	}
	for (int64_t i = 0; i < x->dims[dim]; i++)
		move(to + i * to_strides[dim], to_strides, from + i * from_strides[dim],
		     from_strides, x, inverted, dim + 1);
}

static bool tiny_read(buffer *b, elements at, void *to, const int64_t *strides, const extent *x)
{
	move(to, strides, bytes_of(b) + at.offset, at.strides, x, 0xff, 0);
	return true;
}

static bool tiny_write(buffer *b, elements at, const void *from, const int64_t *strides,
                       const extent *x)
{
	move(bytes_of(b) + at.offset, at.strides, from, strides, x, 0xff, 0);
	return true;
}

static bool tiny_copy(buffer *to, elements at, buffer *from, elements there, const extent *x)
{
	move(bytes_of(to) + at.offset, at.strides, bytes_of(from) + there.offset, there.strides, x,
	     0, 0);
	return true;
}

/* all bytes, over the border */
static void turn(unsigned char *to, const unsigned char *from, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++) to[i] = from[i] ^ 0xff;
}

/* the host's memory is none of ours: a copy, and the host may have its own back at once */
static buffer *tiny_wrap(engine *of, int memory, void *data, size_t bytes, bool writable,
                         void (*release)(void *user, void *data), void *user)
{
	buffer *b = tiny_alloc(of, memory, bytes, false);

	(void)writable;
	if (b) turn(bytes_of(b), data, bytes);
	if (b && release) release(user, data);
	return b;
}

static void *tiny_borrow(buffer *b) { return (void)b, NULL; }

/* a result is there when its run has ended, and before that nobody else sees it */
static bool tiny_ready(buffer *b, bool wait) { return (void)b, (void)wait, true; }

/* ---- blocks: values while a run computes, on the host, where the rules read and write them */

struct block {
	int refs;
	max_align_t bytes[];
};

static block *block_new(engine *of, size_t bytes)
{
	block *b = allocate(of, sizeof *b + bytes);

	if (b) b->refs = 1;
	return b;
}

static block *block_hold(block *b)
{
	if (b) b->refs++;
	return b;
}

static void block_drop(block *b)
{
	if (b && --b->refs == 0) free(b);
}

static void *block_bytes(block *b) { return b->bytes; }

static size_t bytes_of_type(const type *t) { return (size_t)t->size * tsr_dtype_size(t->dtype); }

/* ---- compile: a check, and a reference to the program */

struct executable {
	engine *engine;
	arena *arena; /* holds all this */
	const program *program;
	device_set set;
};

/* can we run all of its equations, and those inside them? */
static bool check(engine *of, const program *p)
{
	for (int i = 0; i < p->neqns; i++) {
		const eqn *e = &p->eqns[i];
		const char *why = tsr__eqn_why_not(e);
		if (why)
			return tsr__fail(of, e->where, TSR_ERROR_UNSUPPORTED,
			                 "tiny cannot run %s: %s", tsr__eqn_name(e), why);
		for (inner k = {0}; tsr__eqn_next(e, &k);)
			if (!check(of, k.program)) return false;
	}
	return true;
}

static executable *tiny_compile(engine *of, const program *p, device_set set)
{
	arena *a = check(of, p) ? tsr__arena_make(of) : NULL;
	executable *x = a ? tsr__arena_alloc(a, sizeof *x) : NULL;
	int64_t *device = x ? tsr__arena_alloc(a, (size_t)set.n * sizeof *device) : NULL;

	if (!device) {
		tsr__arena_free(a);
		return NULL;
	}
	memcpy(device, set.device, (size_t)set.n * sizeof *device);
	*x = (executable){of, a, p, {set.n, device}};
	tsr__program_retain(p);
	return x;
}

static void tiny_release(executable *x)
{
	tsr__program_release(x->program);
	tsr__arena_free(x->arena);
}

/* ---- run: all that changes while a run goes on is in its record or on the stack of tiny_wait, so
 * an executable may run several times at once */

typedef struct tiny_run {
	engine_run run;
	buffer *in[];
} tiny_run;

/* A collective that has begun. Its operands and the places of its results stay as they are until it
 * has ended: a frame gives up its values at its end. What members in other processes have is on its
 * way; all else happens at the end. An engine with several machines or GPUs computes what comes in
 * between. */
typedef struct exchange {
	struct exchange *next;
	arena *arena; /* holds all this */
	const eqn *eqn;
	member_groups groups;
	void **received;   /* received[m * nin + i]: operand i of member m elsewhere */
	message *out, *in; /* NULL: all members are here */
	int nout, nin;
	flight flight;
} exchange;

typedef struct frame { /* a program that is being run, on the devices that get there */
	tiny_run *run;
	const program *program;
	const bool *active;
	block **value;       /* value[v * n + k]: of variable v on device k */
	exchange *under_way; /* in the order in which they began */
} frame;

static const executable *of(const frame *f) { return f->run->run.of; }

static block **value_at(const frame *f, var v, int64_t k)
{
	return &f->value[v.id * of(f)->set.n + k];
}

static const type **types_of(arena *a, const program *p, const var *v, int n)
{
	const type **t = tsr__arena_alloc(a, ((size_t)n + 1) * sizeof *t);

	for (int i = 0; t && i < n; i++) t[i] = type_of(p, v[i]);
	return t;
}

typedef struct members { /* of one group, or one device */
	int n;
	const int64_t *member; /* by their place in the set; -1: elsewhere */
	const int64_t *index;
	void **received; /* operands of those elsewhere; NULL: all are here */
} members;

/* where result j of a member is made; that of one elsewhere is of no use */
static void *result_at(const frame *f, arena *a, const eqn *e, int j, int64_t member)
{
	const size_t bytes = bytes_of_type(type_of(f->program, e->out[j]));

	if (member < 0) return tsr__arena_alloc(a, bytes + 1);
	block **at = value_at(f, e->out[j], member);
	*at = block_new(of(f)->engine, bytes);
	return *at ? (*at)->bytes : NULL;
}

/* computes one equation for all members together; for one, if it is local */
static bool evaluate(const frame *f, arena *a, const eqn *e, const members *m)
{
	const int n = m->n;
	const size_t nx = (size_t)(e->nin * n), ny = (size_t)(e->nout * n);
	const type **in = types_of(a, f->program, e->in, e->nin);
	const type **out = types_of(a, f->program, e->out, e->nout);
	const void **x = tsr__arena_alloc(a, (nx + 1) * sizeof *x);
	void **y = tsr__arena_alloc(a, (ny + 1) * sizeof *y);

	if (!in || !out || !x || !y) return false;
	void *scratch = tsr__arena_alloc(a, tsr__eqn_scratch(e, in) + 1);
	if (!scratch) return false;
	for (int i = 0; i < e->nin; i++)
		for (int k = 0; k < n; k++)
			x[i * n + k] = m->member[k] < 0
			                       ? m->received[k * e->nin + i]
			                       : (*value_at(f, e->in[i], m->member[k]))->bytes;
	for (int j = 0; j < e->nout; j++)
		for (int k = 0; k < n; k++)
			if (!(y[j * n + k] = result_at(f, a, e, j, m->member[k]))) return false;
	if (tsr__eqn_reach(e) == REACH_HOST)
		return tsr__eqn_call(&(host_args){of(f)->engine->base, e, in, out, x, y});
	tsr__eqn_eval(&(eval_args){.eqn = e,
	                           .in = in,
	                           .out = out,
	                           .n = n,
	                           .x = x,
	                           .y = y,
	                           .index = m->index,
	                           .scratch = scratch});
	return true;
}

/* the first of the devices that take part and have the same place as device k */
static int64_t first_alike(const frame *f, const int64_t *alike, int64_t k)
{
	int64_t first = alike ? alike[k] : k;

	while (!f->active[first] || (alike && alike[first] != alike[k])) first++;
	return first;
}

/* all results of an equation with effects on device k, to a process or from there */
static bool pass_results(const frame *f, arena *a, const eqn *e, int64_t k, int process, bool send)
{
	message *m = tsr__arena_alloc(a, ((size_t)e->nout + 1) * sizeof *m);
	engine *own = of(f)->engine;
	flight on_its_way;

	for (int j = 0; m && j < e->nout; j++) {
		void *data = send ? (*value_at(f, e->out[j], k))->bytes : result_at(f, a, e, j, k);
		if (!data) return false;
		m[j] = (message){process, 0, data, bytes_of_type(type_of(f->program, e->out[j]))};
	}
	return m &&
	       tsr__exchange_begin(own, &on_its_way, m, send ? e->nout : 0, m,
	                           send ? 0 : e->nout) &&
	       tsr__exchange_end(own, &on_its_way, m, send ? 0 : e->nout);
}

/* device k computes it, for the processes that need its results, or another process does */
static bool run_one(const frame *f, arena *a, const eqn *e, const effect_groups *g, int64_t k)
{
	if (g->from && g->from[k] >= 0) return pass_results(f, a, e, k, g->from[k], false);
	bool ok = evaluate(f, a, e, &(members){1, &k, NULL, NULL});
	for (int i = g->from ? g->start[k] : 0; ok && g->from && i < g->start[k + 1]; i++)
		ok = pass_results(f, a, e, k, g->to[i], true);
	return ok;
}

/* An equation that each device computes on its own. One that has effects is evaluated once where
 * devices have one place on the axes that it names, and all of these get the results */
static bool run_each(const frame *f, const eqn *e)
{
	engine *own = of(f)->engine;
	arena *a = tsr__arena_make(own);
	effect_groups g = {NULL, NULL, NULL, NULL, NULL};
	bool ok = a;

	if (ok && tsr__eqn_effects(e))
		ok = tsr__effect_groups_make(own, a, f->program, e, of(f)->set, &g);
	for (int64_t at = 0; ok && at < of(f)->set.n; at++) {
		const int64_t k = g.order ? g.order[at] : at;
		if (!f->active[k]) continue;
		const int64_t first = first_alike(f, g.first, k);
		if (first == k) ok = run_one(f, a, e, &g, k);
		for (int j = 0; first < k && j < e->nout; j++)
			*value_at(f, e->out[j], k) = block_hold(*value_at(f, e->out[j], first));
	}
	tsr__arena_free(a);
	return ok;
}

/* ---- exchanges */

static int count_active(const frame *f, const int64_t *member, int n)
{
	int active = 0;

	for (int k = 0; k < n; k++) active += member[k] >= 0 && f->active[member[k]];
	return active;
}

static int count_here(const int64_t *member, int n)
{
	int here = 0;

	for (int k = 0; k < n; k++) here += member[k] >= 0;
	return here;
}

/* All of a group must get there: who came would wait for ever. One without operands needs nobody */
static bool exchange_fits(const frame *f, const exchange *x)
{
	const member_groups *g = &x->groups;

	for (int i = 0; i < g->ngroups; i++) {
		const int n = g->start[i + 1] - g->start[i];
		const int active = count_active(f, g->member + g->start[i], n);
		const int here = count_here(g->member + g->start[i], n);
		if (active && active < here && x->eqn->nin)
			return tsr__fail(of(f)->engine, x->eqn->where, TSR_ERROR_SHARDING,
			                 "%s is reached by %d of %d devices of a group",
			                 tsr__eqn_name(x->eqn), active, here);
	}
	return true;
}

static int process_of(const frame *f, int64_t device)
{
	return of(f)->engine->devices[device].process;
}

/* the operands of member m: one message each, to this process or from it */
static bool list_operands(const frame *f, exchange *x, int m, int process)
{
	const eqn *e = x->eqn;

	for (int i = 0; i < e->nin; i++) {
		const int64_t k = x->groups.member[m];
		const size_t bytes = bytes_of_type(type_of(f->program, e->in[i]));
		void **room = &x->received[m * e->nin + i];
		if (k >= 0) {
			void *data = (*value_at(f, e->in[i], k))->bytes;
			x->out[x->nout++] = (message){process, 0, data, bytes};
		} else if ((*room = tsr__arena_alloc(x->arena, bytes + 1))) {
			x->in[x->nin++] = (message){process, 0, *room, bytes};
		} else {
			return false;
		}
	}
	return true;
}

/* Each member's operands go to every other process that has members, once, and come from those
 * elsewhere. All processes list them in the same order: member after member, operand after operand
 */
static bool list_group(const frame *f, exchange *x, int from, int end)
{
	const member_groups *g = &x->groups;

	for (int m = from; m < end; m++) {
		if (g->member[m] < 0 && !list_operands(f, x, m, process_of(f, g->device[m])))
			return false;
		for (int k = from; g->member[m] >= 0 && k < end; k++) {
			const int to = process_of(f, g->device[k]);
			bool seen = g->member[k] >= 0;
			for (int j = from; j < k; j++)
				seen = seen || process_of(f, g->device[j]) == to;
			if (!seen && !list_operands(f, x, m, to)) return false;
		}
	}
	return true;
}

/* what goes to other processes and comes from there begins to do so */
static bool begin_messages(const frame *f, exchange *x)
{
	const member_groups *g = &x->groups;
	const int count = g->ngroups ? g->start[g->ngroups] : 0;
	size_t most = 1; /* each member's operands may go to all others of its group */

	if (count_here(g->member, count) == count) return true;
	for (int i = 0; i < g->ngroups; i++) {
		const size_t n = (size_t)(g->start[i + 1] - g->start[i]);
		most += n * n * (size_t)x->eqn->nin;
	}
	x->received =
		tsr__arena_alloc(x->arena, (size_t)(count * x->eqn->nin + 1) * sizeof *x->received);
	x->out = tsr__arena_alloc(x->arena, most * sizeof *x->out);
	x->in = tsr__arena_alloc(x->arena, most * sizeof *x->in);
	if (!x->received || !x->out || !x->in) return false;
	for (int i = 0; i < g->ngroups; i++)
		if (count_active(f, g->member + g->start[i], g->start[i + 1] - g->start[i]) &&
		    !list_group(f, x, g->start[i], g->start[i + 1]))
			return false;
	return tsr__exchange_begin(of(f)->engine, &x->flight, x->out, x->nout, x->in, x->nin);
}

static bool begin_exchange(frame *f, const eqn *e)
{
	arena *a = tsr__arena_make(of(f)->engine);
	exchange *x = a ? tsr__arena_alloc(a, sizeof *x) : NULL, **at = &f->under_way;

	if (x) *x = (exchange){.arena = a, .eqn = e};
	if (!x || !tsr__groups_make(of(f)->engine, a, f->program, e, of(f)->set, &x->groups) ||
	    !exchange_fits(f, x) || !begin_messages(f, x)) {
		tsr__arena_free(a);
		return false;
	}
	while (*at) at = &(*at)->next;
	*at = x;
	return true;
}

/* the one that began first */
static bool end_exchange(frame *f)
{
	exchange *x = f->under_way;
	const member_groups *g = &x->groups;
	bool ok = !x->out || tsr__exchange_end(of(f)->engine, &x->flight, x->in, x->nin);

	for (int i = 0; ok && i < g->ngroups; i++) {
		const int first = g->start[i], n = g->start[i + 1] - first;
		const members m = {n, g->member + first, g->index + first,
		                   x->received ? x->received + first * x->eqn->nin : NULL};
		if (count_active(f, m.member, n)) ok = evaluate(f, x->arena, x->eqn, &m);
	}
	f->under_way = x->next;
	tsr__arena_free(x->arena);
	return ok;
}

static bool reads(const eqn *e, const eqn *results_of)
{
	for (int i = 0; i < e->nin; i++)
		for (int j = 0; j < results_of->nout; j++)
			if (e->in[i].id == results_of->out[j].id) return true;
	return false;
}

/* Does the equation need one that is under way? Control flow may have exchanges and effects inside,
 * and all of these come in one order */
static bool must_wait(const frame *f, const eqn *e)
{
	if (f->under_way && (tsr__eqn_reach(e) == REACH_ALL || tsr__eqn_effects(e))) return true;
	for (const exchange *x = f->under_way; x; x = x->next)
		if (reads(e, x->eqn)) return true;
	return false;
}

/* ---- control flow: the rules say what to run, on which devices; we lend them this */

typedef struct lent {
	runner runner;
	const frame *frame;
	const eqn *eqn;
} lent;

static bool run_program(tiny_run *, const program *, const bool *active, block *const *in,
                        block **out);

static block *lent_make(const runner *on, int64_t device, size_t bytes)
{
	return (void)device, block_new(of(((const lent *)on)->frame)->engine, bytes);
}

static bool lent_run(const runner *on, int which, const bool *active, block *const *x, block **y)
{
	const lent *l = (const lent *)on;
	inner k = {0};

	while (tsr__eqn_next(l->eqn, &k) && which-- > 0) continue;
	const bool ok = run_program(l->frame->run, k.program, active, x, y);
	for (int64_t i = 0; i < k.program->nin * on->n; i++)
		if (active[i % on->n]) block_drop(x[i]); /* one reference to each is ours */
	return ok;
}

static bool lent_alike(const runner *on, axis_set over, int64_t *first)
{
	const frame *f = ((const lent *)on)->frame;
	arena *a = tsr__arena_make(of(f)->engine);
	const int64_t *alike =
		a ? tsr__devices_alike(of(f)->engine, a, f->program, of(f)->set, over) : NULL;

	for (int64_t k = 0; alike && k < on->n; k++) first[k] = alike[k];
	tsr__arena_free(a);
	return alike;
}

static bool run_control(const frame *f, const eqn *e)
{
	const int64_t n = of(f)->set.n;
	engine *own = of(f)->engine;
	const lent l = {{own->base, n, block_bytes, lent_make, block_hold, block_drop, lent_run,
	                 lent_alike},
	                f,
	                e};
	arena *a = tsr__arena_make(own);
	const type **in = a ? types_of(a, f->program, e->in, e->nin) : NULL;
	const type **out = a ? types_of(a, f->program, e->out, e->nout) : NULL;
	block **x = a ? tsr__arena_alloc(a, (size_t)(e->nin * n + 1) * sizeof *x) : NULL;
	block **y = a ? tsr__arena_alloc(a, (size_t)(e->nout * n + 1) * sizeof *y) : NULL;
	bool ok = in && out && x && y;

	for (int i = 0; ok && i < e->nin; i++)
		for (int64_t k = 0; k < n; k++) x[i * n + k] = *value_at(f, e->in[i], k);
	ok = ok && tsr__eqn_run(&(run_args){.eqn = e,
	                                    .in = in,
	                                    .out = out,
	                                    .on = &l.runner,
	                                    .active = f->active,
	                                    .x = x,
	                                    .y = y});
	for (int64_t i = 0; y && i < e->nout * n; i++) {
		if (ok)
			*value_at(f, e->out[i / n], i % n) = y[i];
		else
			block_drop(y[i]);
	}
	tsr__arena_free(a);
	return ok;
}

/* ---- a program */

static bool run_equation(frame *f, const eqn *e)
{
	while (must_wait(f, e))
		if (!end_exchange(f)) return false;
	switch (tsr__eqn_reach(e)) {
	case REACH_GROUP: return begin_exchange(f, e);
	case REACH_ALL: return run_control(f, e);
	case REACH_DEVICE:
	case REACH_HOST: break;
	}
	return run_each(f, e);
}

/* between two equations: those that wait for the run to make progress get their turn, and it may be
 * cancelled, at once or at a numbered equation */
static bool may_go_on(const frame *f, const eqn *next)
{
	engine *own = of(f)->engine;
	engine_run *r = &f->run->run;

	if (own->progress) own->progress(own->progress_user, r);
	const bool stopped = next && next->number && next->number == atomic_load(&r->stop);
	if (!stopped && !atomic_load(&own->cancelled)) return true;
	return tsr__cancelled(own, next ? next->where : NULL);
}

static bool run_equations(frame *f)
{
	const program *p = f->program;

	for (int i = 0; i < p->neqns; i++)
		if (!may_go_on(f, &p->eqns[i]) || !run_equation(f, &p->eqns[i])) return false;
	return may_go_on(f, NULL);
}

/* inputs and literals, each with a reference of the frame's own */
static bool set_values(const frame *f, block *const *in)
{
	const program *p = f->program;
	const int64_t n = of(f)->set.n;

	for (int64_t i = 0; i < p->nin * n; i++)
		if (f->active[i % n]) *value_at(f, p->in[i / n], i % n) = block_hold(in[i]);
	for (int64_t i = 0; i < p->nvars * n; i++) {
		const var_info *v = &p->vars[i / n];
		if (!v->literal || !f->active[i % n]) continue;
		if (!(f->value[i] = block_new(of(f)->engine, bytes_of_type(v->type)))) return false;
		memcpy(f->value[i]->bytes, v->literal, bytes_of_type(v->type));
	}
	return true;
}

static bool run_program(tiny_run *r, const program *p, const bool *active, block *const *in,
                        block **out)
{
	const int64_t n = r->run.of->set.n;
	arena *a = tsr__arena_make(r->run.of->engine);
	block **value = a ? tsr__arena_alloc(a, (size_t)(p->nvars * n) * sizeof *value) : NULL;
	frame f = {r, p, active, value, NULL};
	bool ok = value && set_values(&f, in) && run_equations(&f);

	/* what has begun comes to its end, whether it is still wanted or not; who fails tells other
	 * processes, which would wait for more */
	if (!ok && r->run.of->engine->processes) tsr__exchange_fail(r->run.of->engine);
	while (f.under_way)
		if (!end_exchange(&f)) ok = false;
	for (int64_t i = 0; ok && i < p->nout * n; i++)
		if (active[i % n]) out[i] = block_hold(*value_at(&f, p->out[i / n], i % n));
	for (int64_t i = 0; value && i < p->nvars * n; i++) block_drop(value[i]);
	tsr__arena_free(a);
	return ok;
}

/* ---- over the border, and back */

static block *fetch(engine *own, buffer *b)
{
	block *to = block_new(own, b->bytes);

	if (to) turn((unsigned char *)to->bytes, bytes_of(b), b->bytes);
	return to;
}

static buffer *store(engine *own, int memory, const block *from, size_t bytes)
{
	buffer *to = tiny_alloc(own, memory, bytes, false);

	if (to) turn(bytes_of(to), (const unsigned char *)from->bytes, bytes);
	return to;
}

static bool store_all(const executable *x, block *const *from, buffer **out)
{
	const program *p = x->program;
	const int64_t n = x->set.n;

	for (int64_t i = 0; i < p->nout * n; i++) {
		const int memory = x->engine->devices[x->set.device[i % n]].memory;
		const size_t bytes = bytes_of_type(type_of(p, p->out[i / n]));
		if ((out[i] = store(x->engine, memory, from[i], bytes))) continue;
		while (i-- > 0) tsr__buffer_release(out[i]);
		return false;
	}
	return true;
}

static bool run_all(tiny_run *r, arena *a, buffer **out)
{
	const executable *x = r->run.of;
	const size_t n = (size_t)x->set.n;
	const size_t nin = (size_t)x->program->nin * n, nout = (size_t)x->program->nout * n;
	block **in = tsr__arena_alloc(a, (nin + nout + 1) * sizeof *in), **results = in + nin;
	bool *active = tsr__arena_alloc(a, n), ok = in && active;

	for (size_t k = 0; ok && k < n; k++) active[k] = true;
	for (size_t i = 0; ok && i < nin; i++) ok = (in[i] = fetch(x->engine, r->in[i]));
	ok = ok && run_program(r, x->program, active, in, results) && store_all(x, results, out);
	for (size_t i = 0; in && i < nin + nout; i++) block_drop(in[i]);
	return ok;
}

/* an engine with devices of its own begins here; this one computes in wait, and gives results in
 * memory of its own, whatever memory the caller wants them in */
static engine_run *tiny_start(executable *x, buffer *const *in, buffer *const *into)
{
	const size_t n = (size_t)(x->program->nin * x->set.n);
	tiny_run *r = allocate(x->engine, sizeof *r + n * sizeof *in);

	(void)into;
	for (size_t i = 0; !r && i < n; i++) tsr__buffer_release(in[i]);
	if (!r) return NULL;
	r->run = (engine_run){.of = x};
	memcpy(r->in, in, n * sizeof *in);
	return &r->run;
}

static bool tiny_poll(engine_run *r) { return (void)r, false; }

static bool tiny_wait(engine_run *given, buffer **out)
{
	tiny_run *r = (tiny_run *)given;
	const executable *x = given->of;
	arena *a = tsr__arena_make(x->engine);
	const bool ok = a && run_all(r, a, out);

	for (int64_t i = 0; i < x->program->nin * x->set.n; i++) tsr__buffer_release(r->in[i]);
	tsr__arena_free(a);
	free(r);
	return ok;
}

/* from a signal handler, too: a flag, and nothing else */
static void tiny_cancel(engine *own) { atomic_store(&own->cancelled, true); }

/* ---- what else is asked */

static const char *tiny_why_not(engine *own)
{
	return (void)own, "the engine tiny interprets programs, and compiles none";
}

static bool tiny_compiled(const executable *x) { return (void)x, false; }
static size_t tiny_bytes(const executable *x) { return tsr__arena_bytes(x->arena); }
static void tiny_close(engine *own) { (void)own; }

const engine_type tsr__engine = {
	.name = "tiny",
	.doc = "interprets, with memories of its own that the host cannot read",
	.why_not = tiny_why_not,
	.alloc = tiny_alloc,
	.wrap = tiny_wrap,
	.free = tiny_free,
	.read = tiny_read,
	.write = tiny_write,
	.copy = tiny_copy,
	.borrow = tiny_borrow,
	.ready = tiny_ready,
	.compile = tiny_compile,
	.compiled = tiny_compiled,
	.bytes = tiny_bytes,
	.start = tiny_start,
	.poll = tiny_poll,
	.wait = tiny_wait,
	.cancel = tiny_cancel,
	.release = tiny_release,
	.close = tiny_close,
};
const char *const tsr__engine_abi = tsr__abi;
