/* remat.c - defines the row of programs that are computed once more for their derivative, so that
 * less is kept.
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

static void put_again(const rebuilt *s, program **inside)
{
	remat_params *p = rebuild_made(s, inside);

	if (p) p->again = true;
	rebuild_emit(s, p);
}

TRANSPOSE_INSIDE(remat, transpose_mixed, put_again)

#define INLINED "the pass inline puts its equations in its place, once there is no more to derive"

const tsr_prim tsr__prim_remat = {
	STRUCTURED(remat,
	           "the results of a program on the operands, computed once more for its "
	           "derivative",
	           remat_fields, check_inside),
	.edges = &(const edges){.in = {{.kind = EDGE_SAME}}, .out = {{.kind = EDGE_SAME}}},
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
