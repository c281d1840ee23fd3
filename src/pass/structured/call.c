/* call.c - the row that runs a program: a jitted fn inside another trace, or, after pass_fuse, what
 * one kernel computes. */
#include "pass/pass.h"

static const field call_fields[] = {
	{"program", offsetof(call_params, program), FIELD_PROGRAM, NULL}, {NULL, 0, 0, NULL}};

static bool call_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	const program *p = ((const call_params *)e->params)->program;

	if (e->nin != p->nin)
		return fail(build_base(b), e->where, TSR_ERROR_TYPE,
		            "call of %s needs %d operands, got %d", p->name ? p->name : "a program",
		            p->nin, e->nin);
	for (int i = 0; i < p->nin; i++)
		if (!type_agrees(in[i], type_of(p, p->in[i])))
			return fail(build_base(b), e->where, TSR_ERROR_TYPE,
			            "operand %d of a call of %s is not of the type of its input", i,
			            p->name ? p->name : "a program");
	for (int i = 0; i < p->nout; i++) out[i] = type_of(p, p->out[i]);
	return true;
}

static bool call_run(const run_args *a) { return a->on->run(a->on, 0, a->active, a->x, a->y); }

#define INLINED "the pass inline puts what it calls in its place first"

const tsr_prim tsr__prim_call = {
	.name = "call",
	.doc = "the results of a program on the operands",
	.flags = PRIM_OWN_VARYING | PRIM_OWN_WEAK,
	.nin = -1,
	.nout = -1,
	.params = call_fields,
	.edges = &(const edges){.in = {{.kind = EDGE_SAME}}, .out = {{.kind = EDGE_SAME}}},
	.types = call_types,
	.run = call_run,
	.no_rule = {[COL_FACTORS] = INLINED,
                    [COL_COST] = INLINED,
                    [COL_JVP] = INLINED,
                    [COL_TRANSPOSE] = INLINED,
                    [COL_BATCH] = INLINED,
                    [COL_SPLIT] = INLINED,
                    [COL_LOWER] = INLINED,
                    [COL_REPLICATE] = INLINED},
};
