/* cpu.c - the engine `cpu`: programs are interpreted until it pays to compile them.
 *
 * That is when all runs so far and the next one, if interpreted, take as long as compiling does:
 * then at most as much time again is lost as the best choice takes, however often the program will
 * run. What runs take is measured (worth.c). What compiling takes is estimated once the equations
 * are gathered into kernels, by what these are made of; they are gathered when that pays, which is
 * estimated from their number.
 *
 * Example: 5,000 equations, of which equation i is `add %i-1 %i/2` of f32[8]. Interpreting them
 * takes 0.25 ms; gathering them is estimated at 50 ms, compiling the 66 kernels at 0.75 s on one
 * thread. They are gathered before run 170 and compiled before run 3,000; in a scan of 10,000
 * steps, before the first.
 *
 * Both ways give the same bits, so only the time of a run tells which one it took. The exception is
 * matrices that a library factorises, whose bits differ from the interpreter's; a program that has
 * one is compiled before its first run. Where no machine code can be made at all, or none for this
 * program, it is always interpreted, unless the context requires machine code: then the run
 * fails. */
#include <stdio.h>
#include "engine/cpu/cpu.h"

enum { MOST = 1000000 }; /* equations times devices: a program with more is always interpreted */

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED true
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED true
#endif
#endif
#ifndef SANITIZED
#define SANITIZED false
#endif

/* what the engine of a context has of its own */
typedef struct cpu {
	const native_type *native;
	void *machine; /* NULL: there is none here, as file.why says */
	target target; /* what programs are compiled for */
	plugin file;
	bool said;                 /* that programs are interpreted */
	cpu_run *volatile running; /* the innermost one that computes */
} cpu;

struct executable {
	engine *engine;
	const program *program;
	device_set set;
	executable *plain; /* the interpreter's */
	weight weight;
	spent spent; /* on runs of `plain` */
	bool always_plain;
	bool together;      /* with other processes: all run machine code, or none does */
	bool awaited;       /* another one has machine code */
	bool priced;        /* its equations have been gathered into kernels */
	price price;        /* of compiling these */
	coded *code;        /* NULL: not compiled yet */
	replicated devices; /* which inputs and results of the schedule the devices have */
	int64_t *operand;   /* by input of the schedule: which of the buffers that a run gets */
	int *uses;          /* by output: how many results it is, on all devices together */
	cpu_run *idle;
	int64_t device[]; /* of the set */
};

static bool one_memory(const engine *of, device_set set)
{
	for (int64_t k = 1; k < set.n; k++)
		if (of->devices[set.device[k]].memory != of->devices[set.device[0]].memory)
			return false;
	return true;
}

/* ---- the plug-in */

static cpu *cpu_state(engine *of)
{
	cpu *c = of->state;

	if (c || !(of->state = c = mem_zalloc(of->base, sizeof *c))) return c;
	c->native = native_find(of->plugin_dir, &c->file);
	if (!c->native) return c;
	of->plugin = c->file.path;
	of->libraries = c->native->libraries;
	if (!c->native->keep_to(instructions_chosen())) {
		snprintf(c->file.why, sizeof c->file.why,
		         "it has made machine code for more than %s, which not all processes have; "
		         "set TSR_CPU=%s in the environment of all",
		         instructions_name(instructions_chosen()),
		         instructions_name(instructions_chosen()));
		return c;
	}
	c->target = *target_of(instructions_chosen());
	c->target.product_parts = c->native->product_parts;
	c->target.library_scratch = c->native->library_scratch;
	c->machine = c->native->open(&(native_options){.sanitize = SANITIZED}, c->file.why,
	                             sizeof c->file.why);
	return c;
}

/* before the plug-in is opened: as if it computed all products and had a library */
static const target *target_here(const engine *of)
{
	const cpu *c = of->state;

	return c && c->machine ? &c->target : target_of(instructions_chosen());
}

static const char *cpu_why_not(engine *of)
{
	const cpu *c = cpu_state(of);

	return !c ? "there is no memory to find out" : c->machine ? NULL : c->file.why;
}

static void say_once(const engine *of, cpu *c)
{
	str s = {.base = of->base};

	if (c->said) return;
	c->said = true;
	str_printf(&s, "the engine cpu makes no machine code here, so programs are interpreted: %s",
	           c->file.why);
	log_text(of->base, LOG_WARNING, s.s ? s.s : c->file.why);
	str_free(&s);
}

/* ---- compile */

static void release_all(buffer *const *b, int64_t n)
{
	for (int64_t i = 0; i < n; i++) tsr__buffer_release(b[i]);
}

static void put_down(executable *x, cpu_run *r)
{
	mem_free(x->engine->base, r->scratch);
	r->scratch = NULL;
	release_all(r->held, x->program->nin * x->set.n);
	r->next = x->idle;
	x->idle = r;
}

/* One that calls the user is still in progress, unless he has left it by longjmp or the like. One
 * that computes is not, since nobody else asks meanwhile */
static bool was_left(const cpu_run *r) { return !r->calls || guard_left(&r->guard); }

/* ends the last run: workers may still be at it */
static void end_run(const engine *of)
{
	cpu *c = of->state;
	cpu_run *r = c->running;

	run_leave(r); /* takes a while, and may be left too: then it is done again */
	c->running = r->next;
	release_all(r->made, r->s->noutputs);
	put_down(r->run.of, r);
}

/* ends the runs that siglongjmp left */
static void end_left_runs(const engine *of)
{
	const cpu *c = of->state;

	while (c && c->running && was_left(c->running)) end_run(of);
}

/* other executables may be running: memory that runs out makes room by releasing some */
static bool runs(const executable *x)
{
	const cpu *c = x->engine->state;
	const cpu_run *r = c ? c->running : NULL;

	while (r && r->run.of != x) r = r->next;
	return r;
}

static void cpu_release(executable *x)
{
	if (!x) return;
	base *bs = x->engine->base;
	while (runs(x)) end_run(x->engine);
	for (cpu_run *r = x->idle, *next; r; r = next) {
		next = r->next;
		mem_free(bs, r);
	}
	code_free(x->code);
	replicated_free(&x->devices);
	if (x->plain) interp_engine.release(x->plain);
	program_release(x->program);
	mem_free(bs, x);
}

/* are effects inside evaluated by one process for others? */
static bool effects_reach_out(const executable *x)
{
	const mesh *m = x->program->naxes ? x->program->axes[0].mesh : NULL;

	return x->program->effects && m && m->size > x->set.n;
}

/* false: recorded */
static bool find_together(executable *x)
{
	if (!program_crosses(x->engine->base, x->program, x->set, &x->together)) return false;
	x->together = x->together || effects_reach_out(x);
	return true;
}

static executable *cpu_compile(engine *of, const program *p, device_set set)
{
	const size_t list = (size_t)set.n * sizeof *set.device;
	executable *x = mem_zalloc(of->base, sizeof *x + list);

	if (!x) return NULL;
	*x = (executable){.engine = of, .program = p, .set = {set.n, x->device}};
	memcpy(x->device, set.device, list);
	program_retain(p);
	if (find_together(x) && program_weight(target_here(of), p, &x->weight) &&
	    (x->plain = interp_engine.compile(of, p, set))) {
		x->spent.each = x->weight.ns * (double)set.n; /* what all devices do */
		return x;
	}
	cpu_release(x);
	return NULL;
}

/* of those that other processes of this context have too */
static int part_of_cores(const engine *of, int cores)
{
	if (of->sharers < 2) return cores;
	const int part = cores / of->sharers + (of->place < cores % of->sharers);
	return part ? part : 1;
}

static int workers_of(const engine *of, const program *p)
{
	const cpu *c = of->state;
	const int cores = c->native->cores();
	const bool more = debugs(p->ir, 'w'); /* than there are cores only takes time */

	if (of->workers) return of->workers < cores || more ? of->workers : cores;
	return part_of_cores(of, cores);
}

static bool lists_make(executable *x)
{
	const size_t nin = (size_t)x->devices.program->nin + 1,
		     nout = (size_t)x->code->plan->noutputs + 1;
	arena *a = x->devices.arena;

	x->operand = arena_array(a, nin, sizeof *x->operand);
	x->uses = arena_array(a, nout, sizeof *x->uses);
	if (!x->operand || !x->uses) return false;
	for (int64_t i = x->program->nin * x->set.n; i-- > 0;) x->operand[x->devices.in[i]] = i;
	for (int64_t i = 0; i < x->program->nout * x->set.n; i++) {
		const given *g = &x->code->plan->given[x->devices.out[i]];
		if (!g->is_input) x->uses[g->index]++;
	}
	return true;
}

/* Can the program become a schedule, as far as that does not depend on the machine? If not, *why
 * says why */
static bool can_be_scheduled(const executable *x, str *why)
{
	if (!one_memory(x->engine, x->set))
		str_put(why, "its devices have several memories");
	else if (x->weight.equations > MOST / (double)x->set.n)
		str_put(why, "it has more than a million equations, counted on each device");
	else
		return true;
	return false;
}

/* A program that cannot be compiled. false: that is an error, which is recorded */
static bool interpret_always(executable *x, const char *why)
{
	const program *p = x->program;
	base *bs = x->engine->base;
	str text = {.base = bs};

	if (x->engine->require_compiled)
		return fail(bs, p->neqns ? p->eqns[0].where : NULL, TSR_ERROR_UNSUPPORTED,
		            ".require_compiled: this program cannot be compiled: %s", why);
	str_printf(&text, "a program cannot be compiled here, so it is interpreted: %s", why);
	log_text(bs, LOG_WARNING, text.s ? text.s : why);
	str_free(&text);
	return x->always_plain = true;
}

/* is it compiled whatever that costs? */
static bool is_due(const executable *x)
{
	return x->weight.by_library || x->awaited || debugs(x->program->ir, 'c');
}

/* false: an error is recorded, or *why says why there can be no schedule */
static bool price_plan(executable *x, const program *fused, str *why)
{
	const engine *of = x->engine;
	const cpu *c = of->state;
	schedule *plan = schedule_make(of->base, target_here(of), fused, why);

	x->priced = plan && plan_price(plan, c ? c->native : NULL, c ? c->machine : NULL,
	                               &x->price);
	schedule_free(plan);
	return x->priced;
}

/* the program of all devices, fused. NULL: likewise */
static program *fuse_devices(executable *x, str *why)
{
	const device *devices = x->together ? x->engine->devices : NULL;

	if (!pass_replicate(x->program, x->set, devices, &x->devices)) return NULL;
	if (!x->devices.program) {
		str_printf(why,
		           "whether its devices reach a collective together depends on values");
		return NULL;
	}
	program *p = pass_done(pass_fuse(x->devices.program, target_here(x->engine)), "fuse");
	if (!p || x->priced || is_due(x) || price_plan(x, p, why)) return p;
	program_release(p);
	return NULL;
}

static void print_debug(base *bs, str *text)
{
	if (text->s) log_text(bs, LOG_DEBUG, text->s);
	str_free(text);
}

static void print_plan(const coded *c)
{
	const ir *r = c->plan->program->ir;
	str plan = {.base = c->base}, calls = {.base = c->base};

	if (debugs(r, 'e')) code_text(&plan, c);
	if (debugs(r, 'E')) schedule_calls(&calls, c->plan);
	print_debug(c->base, &plan);
	print_debug(c->base, &calls);
}

/* Is the eval of a row called that is not known to be called? *why says which */
static bool calls_another(const schedule *s, str *why)
{
	const eqn *e = schedule_call_unlisted(s);

	if (e)
		str_printf(why, "%s has no kernel, and is none of the rows that are called: %s",
		           e->prim->name, why_called(e));
	return e;
}

/* false: likewise */
static bool make_code(executable *x, const program *fused, str *why)
{
	engine *of = x->engine;
	const cpu *c = of->state;

	x->code = code_make(of->base, c->native, c->machine, target_here(of), fused,
	                    workers_of(of, x->program), why);
	if (x->code && lists_make(x) &&
	    !(of->require_compiled && calls_another(x->code->plan, why))) {
		print_plan(x->code);
		return true;
	}
	code_free(x->code);
	x->code = NULL;
	return false;
}

/* ---- when */

/* nanoseconds of the next thing to do on the way to machine code */
static double price_now(const executable *x)
{
	const cpu *c = x->engine->state;
	double threads = 1;

	if (!x->priced) return TUNE_PRICE_GATHER * x->weight.equations * (double)x->set.n;
	if (!c || !c->machine) return TUNE_PRICE_OPEN + x->price.ns;
	const int cores = part_of_cores(x->engine, c->native->cores());
	for (; threads < TUNE_COMPILE_THREADS && threads < cores; threads++)
		if (threads >= x->price.kernels) break;
	return x->price.ns / threads;
}

static bool pays(const executable *x)
{
	return !x->always_plain && (is_due(x) ||
	                            x->spent.ns + x->spent.each >= price_now(x));
}

/* false: likewise */
static bool compile_fused(executable *x, const program *fused, str *why)
{
	cpu *c = cpu_state(x->engine);

	if (!c) return false;
	if (c->machine) return make_code(x, fused, why);
	say_once(x->engine, c);
	return x->always_plain = true;
}

/* gathers equations into kernels, and compiles these if it still pays. false: likewise */
static bool compile_now(executable *x, str *why)
{
	const double begin = profile_start(x->engine->base);
	program *fused = fuse_devices(x, why);
	const bool done = fused && (!pays(x) || compile_fused(x, fused, why));

	profile_done(x->engine->base, "compile", "machine code", NULL, begin);
	program_release(fused);
	if (!x->code) replicated_free(&x->devices);
	return done;
}

/* false: an error is recorded, and nothing has changed */
static bool compile_if_it_pays(executable *x)
{
	str why = {.base = x->engine->base};

	if (!pays(x)) return true;
	const watch_state before = watch_note(x->engine->processes, WATCH_COMPILING);
	const bool done = (can_be_scheduled(x, &why) && compile_now(x, &why)) ||
	                  (why.s && interpret_always(x, why.s));
	watch_note(x->engine->processes, before);
	str_free(&why);
	return done;
}

/* ---- run */

static int memory_of(const executable *x) { return x->engine->devices[x->set.device[0]].memory; }

/* a reference to the buffer of an input, if the output fits there and nobody else holds it; NULL
 * otherwise. Devices that share the input may share its buffer */
static buffer *taken(const executable *x, buffer *const *in, int32_t from, int32_t output)
{
	int held = 0;
	const int64_t first = x->operand[from] - x->operand[from] % x->set.n;
	buffer *b = in[x->operand[from]];
	if (!host_may_write(b) || b->align < x->code->plan->output_item[output] ||
	    (int64_t)b->bytes != x->code->plan->output_bytes[output])
		return NULL;
	for (int64_t i = first; i < first + x->set.n; i++)
		held += x->devices.in[i] == from && in[i] == b;
	return atomic_load_explicit(&b->refs, memory_order_acquire) == held ? buffer_retain(b)
	                                                                    : NULL;
}

/* the first buffer that an output may take; NULL: none */
static buffer *inherited(const executable *x, buffer *const *in, int32_t output)
{
	const schedule *s = x->code->plan;
	buffer *b = NULL;

	for (int32_t i = s->donor[output]; i >= 0 && !b; i = s->next[i])
		b = taken(x, in, i, output);
	return b;
}

/* the buffers that the caller wants results in; those of a result twice are one's */
static void find_wanted(const executable *x, const cpu_run *r, buffer *const *into)
{
	memset(r->made, 0, (size_t)x->code->plan->noutputs * sizeof *r->made);
	for (int64_t i = 0; into && i < x->program->nout * x->set.n; i++) {
		const given *g = &x->code->plan->given[x->devices.out[i]];
		if (into[i] && !g->is_input && !r->made[g->index]) r->made[g->index] = into[i];
	}
}

static bool make_outputs(const executable *x, cpu_run *r, buffer *const *into)
{
	const schedule *s = x->code->plan;

	find_wanted(x, r, into);
	for (int32_t i = 0; i < s->noutputs; i++) {
		r->made[i] = r->made[i] ? buffer_retain(r->made[i]) : inherited(x, r->held, i);
		if (!r->made[i])
			r->made[i] = host_alloc(x->engine, memory_of(x), (size_t)s->output_bytes[i],
			                        false);
		if (!r->made[i]) {
			release_all(r->made, i);
			return false;
		}
		r->out[i] = host_bytes(r->made[i]);
	}
	return true;
}

static void give_results(const executable *x, const cpu_run *r, buffer **out)
{
	for (int32_t i = 0; i < x->code->plan->noutputs; i++) buffer_share(r->made[i], x->uses[i]);
	for (int64_t i = 0; i < x->program->nout * x->set.n; i++) {
		const given *g = &x->code->plan->given[x->devices.out[i]];
		out[i] = g->is_input ? buffer_retain(r->held[x->operand[g->index]])
		                     : r->made[g->index];
	}
}

/* one that takes the references of the operands, also on failure */
static cpu_run *prepare_run(executable *x, buffer *const *in, buffer *const *into)
{
	const int64_t n = x->program->nin * x->set.n, scratch = x->code->plan->scratch;
	cpu_run *r = x->idle ? x->idle : run_make(x->code, n);

	if (!r) {
		release_all(in, n);
		return NULL;
	}
	if (r == x->idle) x->idle = r->next;
	r->run = (engine_run){.of = x, .by = &cpu_engine};
	r->engine = x->engine;
	memcpy(r->held, in, (size_t)n * sizeof *in);
	for (int i = 0; i < x->devices.program->nin; i++) r->in[i] = host_bytes(in[x->operand[i]]);
	r->scratch = scratch ? mem_alloc(x->engine->base, (size_t)scratch) : NULL;
	if ((r->scratch || !scratch) && make_outputs(x, r, into)) return r;
	put_down(x, r);
	return NULL;
}

enum { WAY_PLAIN, WAY_COMPILED };

/* Processes send each other what interpreted programs need, or what compiled ones do. What each
 * knows of its own time is different, so the first one that compiles says so, and all do */
static bool cpu_way(executable *x, int best, int *way)
{
	*way = -1;
	if (!x->together) return true;
	x->awaited = best == WAY_COMPILED;
	if (!x->code && !compile_if_it_pays(x)) return false;
	*way = x->code ? WAY_COMPILED : WAY_PLAIN;
	return true;
}

static engine_run *cpu_start(executable *x, buffer *const *in, buffer *const *into)
{
	end_left_runs(x->engine);
	if (!x->code && !x->together && !compile_if_it_pays(x)) {
		release_all(in, x->program->nin * x->set.n);
		return NULL;
	}
	if (x->code && (!x->together || x->engine->way == WAY_COMPILED))
		return (engine_run *)prepare_run(x, in, into);
	engine_run *r = interp_engine.start(x->plain, in, into);
	if (r) r->of = x;
	return r;
}

static bool cpu_poll(engine_run *r) { return (void)r, false; }

static bool interpret(executable *x, engine_run *r, buffer **out)
{
	const watched w = spent_begin(&x->spent);

	r->of = x->plain;
	const bool ok = interp_engine.wait(r, out);
	spent_end(&x->spent, &w, ok);
	return ok;
}

static bool cpu_wait(engine_run *given, buffer **out)
{
	executable *x = given->of;
	if (given->by != &cpu_engine) return interpret(x, given, out);
	cpu *c = x->engine->state;
	cpu_run *r = (cpu_run *)given;
	r->next = c->running;
	c->running = r;
	const bool ok = run_do(r);
	if (!ok && x->together) call_fail(x->engine->processes);
	c->running = r->next;
	if (ok)
		give_results(x, r, out);
	else
		release_all(r->made, r->s->noutputs);
	put_down(x, r);
	return ok;
}

static bool cpu_compiled(const executable *x) { return x->code; }

static size_t cpu_bytes(const executable *x)
{
	size_t bytes = mem_bytes(x) + interp_engine.bytes(x->plain) + code_bytes(x->code) +
	               arena_bytes(x->devices.arena);

	for (const cpu_run *r = x->idle; r; r = r->next) bytes += mem_bytes(r);
	return bytes;
}

static void cpu_close(engine *of)
{
	const cpu *c = of->state;

	if (c && c->machine) c->native->close(c->machine);
	mem_free(of->base, of->state);
}

const engine_type cpu_engine = {
	.name = "cpu",
	.doc = "machine code for the processor at hand, run by as many workers as it has cores",
	.why_not = cpu_why_not,
	HOST_MEMORY,
	.compile = cpu_compile,
	.compiled = cpu_compiled,
	.bytes = cpu_bytes,
	.way = cpu_way,
	.start = cpu_start,
	.poll = cpu_poll,
	.wait = cpu_wait,
	.cancel = host_cancel,
	.release = cpu_release,
	.close = cpu_close,
};
