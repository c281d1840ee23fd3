/* engine_tiny.c - the smallest engine that runs local programs on one device: what a plug-in must
 * bring. */
#include <stdlib.h>
#include "engine/engine.h"

struct executable {
	engine *engine;
	const program *program;
};

static buffer *tiny_alloc(engine *of, int memory, size_t bytes)
{
	return tsr__buffer_make(of->base, memory, bytes);
}

static executable *tiny_compile(engine *of, const program *p, device_set set)
{
	executable *x = set.n == 1 ? malloc(sizeof *x) : NULL;

	if (x) *x = (executable){of, p};
	return x;
}

static bool run_one(const executable *x, const eqn *e, buffer **value)
{
	const type *in[8], *out[8];
	const void *operand[8];
	void *result[8];

	for (int i = 0; i < e->nin; i++) {
		const var_info *v = &x->program->vars[e->in[i].id];
		in[i] = v->type;
		operand[i] = v->literal ? v->literal : value[e->in[i].id]->data;
	}
	for (int j = 0; j < e->nout; j++) {
		out[j] = type_of(x->program, e->out[j]);
		buffer *b = value[e->out[j].id] =
			tiny_alloc(x->engine, 0, (size_t)out[j]->size * 16 + 16);
		if (!b) return false;
		result[j] = b->data;
	}
	void *scratch = malloc(eqn_scratch(e, in) + 1);
	if (!scratch) return false;
	e->prim->eval(&(eval_args){.eqn = e,
	                           .in = in,
	                           .out = out,
	                           .n = 1,
	                           .x = operand,
	                           .y = result,
	                           .scratch = scratch});
	free(scratch);
	return true;
}

static bool run_all(const executable *x, buffer **value)
{
	const program *p = x->program;

	for (int i = 0; i < p->neqns; i++)
		if (p->eqns[i].nin > 8 || !run_one(x, &p->eqns[i], value)) return false;
	return true;
}

static bool tiny_run(executable *x, buffer *const *in, buffer **out)
{
	const program *p = x->program;
	buffer **value = calloc((size_t)p->nvars, sizeof *value);

	for (int i = 0; i < p->nin; i++) {
		if (value) value[p->in[i].id] = in[i];
		else tsr__buffer_release(in[i]);
	}
	const bool ok = value && run_all(x, value);

	for (int i = 0; ok && i < p->nout; i++) {
		out[i] = value[p->out[i].id];
		out[i]->refs++;
	}
	for (int v = 0; value && v < p->nvars; v++) tsr__buffer_release(value[v]);
	free(value);
	return ok;
}

static void tiny_release(executable *x) { free(x); }
static const char *tiny_why_not(engine *of) { return (void)of, "the engine tiny is too small"; }
static bool tiny_compiled(const executable *x) { return (void)x, false; }
static void tiny_close(engine *of) { (void)of; }

__attribute__((visibility("default"))) extern const engine_type tsr__engine;
__attribute__((visibility("default"))) extern const char *const tsr__engine_abi;
const engine_type tsr__engine = {
	.name = "tiny",
	.doc = "one device, local programs",
	.why_not = tiny_why_not,
	.alloc = tiny_alloc,
	.compile = tiny_compile,
	.compiled = tiny_compiled,
	.run = tiny_run,
	.release = tiny_release,
	.close = tiny_close,
};
const char *const tsr__engine_abi = tsr__abi;
