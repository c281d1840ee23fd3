/* call.c - the row that runs a program: a jitted fn inside another trace, or, after pass_fuse, what
 * one kernel computes. And what other rows share whose results are those of a program on the
 * operands. */
#include "pass/structured/structured.h"

static const field call_fields[] = {
	{"program", offsetof(call_params, program), FIELD_PROGRAM, NULL}, {NULL, 0, 0, NULL}};

bool run_program_inside(const run_args *a) { return a->on->run(a->on, 0, a->active, a->x, a->y); }

void transpose_program(build *b, const eqn *e, const program *p, const var *x, const var *ct,
                       var *dx, emit_back *put)
{
	bool *linear = flags(b, e->nin), *given = flags(b, e->nout), *arrives = flags(b, e->nin);
	var *operand = values(b, e->nin + e->nout), *made = values(b, e->nin);
	int n = 0;

	if (!linear || !given || !arrives || !operand || !made) return;
	for (int i = 0; i < e->nin; i++) linear[i] = is_zero(x[i]);
	for (int k = 0; k < e->nout; k++) given[k] = !is_zero(ct[k]);
	program *back = pass_linear_transpose(p, linear, given, arrives);
	for (int i = 0; i < e->nin; i++)
		if (!linear[i]) operand[n++] = x[i];
	for (int k = 0; k < e->nout; k++)
		if (given[k]) operand[n++] = ct[k];
	if (back)
		put(b, e, back, operand, n, made);
	else
		build_fail(b);
	n = 0;
	for (int i = 0; i < e->nin; i++)
		if (arrives[i]) dx[i] = made[n++];
}

#define INLINED "the pass inline puts what it calls in its place first"

const tsr_prim tsr__prim_call = {
	.name = "call",
	.doc = "the results of a program on the operands",
	.flags = PRIM_OWN_VARYING | PRIM_OWN_WEAK,
	.nin = -1,
	.nout = -1,
	.params = call_fields,
	.edges = &(const edges){.in = {{.kind = EDGE_SAME}}, .out = {{.kind = EDGE_SAME}}},
	.types = check_inside,
	.run = run_program_inside,
	.no_rule = {[COL_FACTORS] = INLINED,
                    [COL_COST] = INLINED,
                    [COL_JVP] = INLINED,
                    [COL_TRANSPOSE] = INLINED,
                    [COL_BATCH] = INLINED,
                    [COL_SPLIT] = INLINED,
                    [COL_LOWER] = INLINED,
                    [COL_REPLICATE] = INLINED},
};
