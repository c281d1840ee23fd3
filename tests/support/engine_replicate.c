/* engine_replicate.c - the engine of the tests that replicates and fuses programs.
 *
 * Programs that do not fit, and those on devices of several memories, go to the interpreter as they
 * are. */
#include "support/engine_replicate.h"
#include "pass/pass.h"

int replicate_engine_programs, replicate_engine_left;

struct executable {
	engine *engine;
	int64_t n;
	int nin, nout; /* of the program that was given */
	replicated made;
	executable *inside; /* the interpreter's */
};

static bool one_memory(const engine *of, device_set set)
{
	for (int64_t k = 1; k < set.n; k++)
		if (of->devices[set.device[k]].memory != of->devices[set.device[0]].memory)
			return false;
	return true;
}

static void release(executable *x)
{
	if (x->inside) interp_engine.release(x->inside);
	replicated_free(&x->made);
	mem_free(x->engine->base, x);
}

/* what is replicated is fused, for the interpreter to run on one device */
static executable *compile_fused(engine *of, const program *p, device_set set)
{
	program *simple = pass_simplify(p),
		*fused = simple ? pass_fuse(simple, target_of(32)) : NULL;
	executable *inside = NULL;

	if (fused && program_verify(fused, "fuse"))
		inside = interp_engine.compile(of, fused, (device_set){1, set.device});
	program_release(simple);
	program_release(fused);
	return inside;
}

static executable *compile(engine *of, const program *p, device_set set)
{
	executable *x = mem_zalloc(of->base, sizeof *x);

	if (!x) return NULL;
	*x = (executable){.engine = of, .n = set.n, .nin = p->nin, .nout = p->nout};
	replicate_engine_programs++;
	if (!one_memory(of, set) || pass_replicate(p, set, NULL, &x->made)) {
		if (!x->made.program) replicate_engine_left++;
		x->inside = x->made.program ? compile_fused(of, x->made.program, set)
		                            : interp_engine.compile(of, p, set);
		if (x->inside) return x;
	}
	release(x);
	return NULL;
}

/* an input is what the first device that has it gives; the others hold the same */
static void take_inputs(executable *x, buffer *const *in, buffer **own)
{
	for (int64_t i = 0; i < x->nin * x->n; i++) {
		buffer **at = &own[x->made.in[i]];
		if (*at)
			tsr__buffer_release(in[i]);
		else
			*at = in[i];
	}
}

typedef struct outer_run {
	engine_run run;
	engine_run *inside; /* the interpreter's */
} outer_run;

static engine_run *start(executable *x, buffer *const *in, buffer *const *into)
{
	base *bs = x->engine->base;
	const int nin = x->made.program ? x->made.program->nin : 0;
	outer_run *r = mem_alloc(bs, sizeof *r);
	buffer **own = r ? mem_array(bs, (size_t)nin + 1, sizeof *own) : NULL;

	(void)into;
	if (!own) {
		for (int64_t i = 0; i < x->nin * x->n; i++) tsr__buffer_release(in[i]);
	} else if (x->made.program) {
		take_inputs(x, in, own);
		in = own;
	}
	if (r) *r = (outer_run){{.of = x}, own ? interp_engine.start(x->inside, in, NULL) : NULL};
	mem_free(bs, own);
	if (r && r->inside) return &r->run;
	mem_free(bs, r);
	return NULL;
}

static bool wait_all(const executable *x, engine_run *inside, buffer **out)
{
	if (!x->made.program) return interp_engine.wait(inside, out);
	const program *p = x->made.program;
	buffer **own = mem_array(x->engine->base, (size_t)p->nout + 1, sizeof *own);
	const bool ok = own && interp_engine.wait(inside, own);
	for (int64_t i = 0; ok && i < x->nout * x->n; i++)
		out[i] = buffer_retain(own[x->made.out[i]]);
	for (int i = 0; ok && i < p->nout; i++) tsr__buffer_release(own[i]);
	mem_free(x->engine->base, own);
	return ok;
}

static bool wait(engine_run *r, buffer **out)
{
	executable *x = r->of;
	const bool ok = wait_all(x, ((outer_run *)r)->inside, out);

	mem_free(x->engine->base, r);
	return ok;
}

static bool poll(engine_run *r) { return (void)r, false; }

static const char *why_not(engine *of) { return interp_engine.why_not(of); }
static bool compiled(const executable *x) { return (void)x, false; }
static size_t bytes(const executable *x)
{
	return mem_bytes(x) + arena_bytes(x->made.arena) + interp_engine.bytes(x->inside);
}
static void close_engine(engine *of) { interp_engine.close(of); }

const engine_type replicate_engine = {
	.name = "replicate",
	.doc = "replicates, fuses, and interprets the result on one device",
	.why_not = why_not,
	HOST_MEMORY,
	.compile = compile,
	.compiled = compiled,
	.bytes = bytes,
	.start = start,
	.poll = poll,
	.wait = wait,
	.cancel = host_cancel,
	.release = release,
	.close = close_engine,
};
