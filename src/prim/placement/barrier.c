/* barrier.c - the row that optimizations do not look through.
 *
 * No result is there before all operands are, and nothing knows that a result equals its operand.
 * So what is computed once more behind a barrier is not found to be the same as what was computed
 * before it, and is not computed before the other operands are there. It costs nothing: in a plan
 * each result is where its operand is.
 *
 *     optimization_barrier [1 2] 3    gives  [1 2] 3 */
#include "prim/row.h"

static bool optimization_barrier_types(build *b, const eqn *e, const type *const *in,
                                       const type **out)
{
	if (e->nin < 1)
		return fail_type(b, e, "optimization_barrier needs at least one operand");
	for (int i = 0; i < e->nin; i++) out[i] = in[i];
	return true;
}

/* y[i] from x[i], where it is there */
static void emit_those_there(build *b, const var *x, int n, var *y)
{
	var *in = var_room(b, n), *out = var_room(b, n);
	int m = 0;

	for (int i = 0; i < n; i++) y[i] = (var){0};
	if (!in || !out) return;
	for (int i = 0; i < n; i++)
		if (!is_zero(x[i])) in[m++] = x[i];
	emit_all(b, &tsr__prim_optimization_barrier, NULL, in, m, out);
	for (int i = 0, k = 0; i < n; i++)
		if (!is_zero(x[i])) y[i] = out[k++];
}

static void optimization_barrier_jvp(build *b, const eqn *e, const var *x, const var *dx, var *y,
                                     var *dy)
{
	(void)x, (void)y;
	emit_those_there(b, dx, e->nin, dy);
}

static void optimization_barrier_transpose(build *b, const eqn *e, const type *const *in,
                                           const var *x, const var *ct, var *dx)
{
	(void)in, (void)x;
	emit_those_there(b, ct, e->nin, dx);
}

static void optimization_barrier_batch(build *b, const eqn *e, const batching *to, const var *x,
                                       const bool *mapped, var *y, bool *ymapped)
{
	(void)to;
	emit_all(b, e->prim, NULL, x, e->nin, y);
	for (int i = 0; i < e->nin; i++) ymapped[i] = mapped[i];
}

const tsr_prim tsr__prim_optimization_barrier = {
	.name = "optimization_barrier",
	.doc = "the operands, which nothing looks through, when all of them are there",
	.flags = PRIM_OWN_VARYING | PRIM_OWN_WEAK,
	.nin = -1,
	.nout = -1,
	.results = results_kept,
	.types = optimization_barrier_types,
	.factors = factors_kept,
	.jvp = optimization_barrier_jvp,
	.transpose = optimization_barrier_transpose,
	.batch = optimization_barrier_batch,
	.eval = eval_kept,
	TSR_NO_RULE(COL_COST, "nothing is computed"),
	TSR_NO_RULE(COL_LOWER, "each result is where its operand is"),
};
