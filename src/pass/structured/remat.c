/* remat.c - the row of what is computed once more for its derivative, so that less is kept.
 *
 * Where nothing is differentiated it is a program like that of a call, and the pass inline puts its
 * equations in its place. Where something is, remat_split.c makes two of it. */
#include "pass/structured/structured.h"

static const char *const policies[] = {
	[SAVE_NOTHING] = "nothing",
	[SAVE_DOTS] = "dots",
	[SAVE_DOTS_WITHOUT_BATCH] = "dots_without_batch",
	NULL,
};

static const field remat_fields[] = {
	{"policy", offsetof(remat_params, policy), FIELD_WORD, policies},
	{"names", offsetof(remat_params, names), FIELD_TEXT, NULL},
	{"again", offsetof(remat_params, again), FIELD_BOOL, NULL},
	{"program", offsetof(remat_params, program), FIELD_PROGRAM, NULL},
	{NULL, 0, 0, NULL},
};

static void emit_again(build *b, const eqn *e, program *back, const var *x, int n, var *y)
{
	remat_params p = *(const remat_params *)e->params;

	p.again = true;
	if ((p.program = build_keep(b, back))) emit_all(b, e->prim, &p, x, n, y);
}

void remat_transpose(build *b, const eqn *e, const type *const *in, const var *x, const var *ct,
                     var *dx)
{
	(void)in;
	transpose_program(b, e, ((const remat_params *)e->params)->program, x, ct, dx, emit_again);
}

#define INLINED "the pass inline puts its equations in its place, once there is no more to derive"

const tsr_prim tsr__prim_remat = {
	.name = "remat",
	.doc = "the results of a program on the operands, computed once more for its derivative",
	.flags = PRIM_OWN_VARYING | PRIM_OWN_WEAK,
	.nin = -1,
	.nout = -1,
	.params = remat_fields,
	.edges = &(const edges){.in = {{.kind = EDGE_SAME}}, .out = {{.kind = EDGE_SAME}}},
	.types = check_inside,
	.jvp = jvp_inside,
	.transpose = remat_transpose,
	.batch = batch_inside,
	.split = remat_split,
	.run = run_program_inside,
	.no_rule = {[COL_FACTORS] = INLINED,
                    [COL_COST] = INLINED,
                    [COL_LOWER] = INLINED,
                    [COL_REPLICATE] = INLINED},
};
