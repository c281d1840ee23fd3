/* call.c - runs a program as a row: a jitted fn inside another trace, or, after pass_fuse, the
 * content of one kernel. */
#include "pass/structured/structured.h"

static const field call_fields[] = {
	{"program", offsetof(call_params, program), FIELD_PROGRAM, NULL}, {NULL, 0, 0, NULL}};

bool run_program_inside(const run_args *a)
{
	return run_inside(a, 0, a->active, a->x, a->eqn->nin, a->y);
}

#define INLINED "the pass inline puts what it calls in its place first"

const tsr_prim tsr__prim_call = {
	STRUCTURED(call, "the results of a program on the operands", call_fields, check_inside),
	.edges = &(const edges){.in = {{.kind = EDGE_SAME}}, .out = {{.kind = EDGE_SAME}}},
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
