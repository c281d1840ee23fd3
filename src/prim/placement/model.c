/* model.c - places a value on the devices where another one is, its model, if nothing else says
 * where it should be.
 *
 * It is its first operand. The second one is a model, of which only the place is read, and whose
 * dims are the last ones of the first. Propagation cuts the result as the model is cut where all
 * else has left it whole, and partition drops the equation. So the state of an optimiser, and a
 * gradient that does not depend on its parameter, are where the parameter is. The value depends on
 * the first operand alone: split.c and transpose.c look through the equation to that. */
#include "prim/checks.h"
#include "prim/row.h"

static bool placed_like_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	const int more = in[0]->ndim - in[1]->ndim;

	if (more < 0 || !dims_same(in[0]->dims + more, in[1]->ndim, in[1]->dims, in[1]->ndim))
		return fail_type(b, e, "%s: the last dims of %s must be those of its model, %s",
		                 e->prim->name, type_words(b, in[0]), type_words(b, in[1]));
	out[0] = in[0];
	return true;
}

static void placed_like_factors(const eqn *e, const type *const *in, const type *const *out,
                                factors *f)
{
	const int more = in[0]->ndim - in[1]->ndim;

	(void)out;
	for (int d = 0; d < in[0]->ndim; d++) {
		const int factor = factor_new(f, in[0]->dims[d], FACTOR_PASS);
		factor_at(f, 0, d, factor);
		factor_at(f, e->nin, d, factor);
		if (d >= more) factor_at(f, 1, d - more, factor);
	}
}

static void placed_like_jvp(build *b, const eqn *e, const var *x, const var *dx, var *y, var *dy)
{
	(void)b, (void)e, (void)x, (void)y;
	dy[0] = dx[0];
}

static void placed_like_transpose(build *b, const eqn *e, const type *const *in, const var *x,
                                  const var *ct, var *dx)
{
	(void)b, (void)e, (void)in, (void)x;
	dx[0] = ct[0];
	dx[1] = (var){0};
}

/* a model of the whole batch needs a value of the whole batch, with that dim where the model's dims
 * begin */
static void placed_like_batch(build *b, const eqn *e, const batching *to, const var *x,
                              const bool *mapped, var *y, bool *ymapped)
{
	var all = mapped[0] ? x[0] : emit_repeat(b, emit_vary(b, x[0], to->varying), to->size);

	ymapped[0] = true;
	if (is_zero(all) || is_zero(x[1])) return;
	const int more = build_type(b, all)->ndim - build_type(b, x[1])->ndim;
	if (mapped[1]) all = emit_move_dim(b, all, 0, more);
	const var like = emit(b, e->prim, NULL, (var[]){all, x[1]}, 2);
	y[0] = mapped[1] ? emit_move_dim(b, like, more, 0) : like;
}

const tsr_prim tsr__prim_placed_like = {
	.name = "placed_like",
	.doc = "the first operand, where the second one is",
	.flags = PRIM_OWN_VARYING | PRIM_OWN_WEAK,
	.nin = 2,
	.nout = 1,
	.types = placed_like_types,
	.factors = placed_like_factors,
	.jvp = placed_like_jvp,
	.transpose = placed_like_transpose,
	.batch = placed_like_batch,
	.eval = eval_kept,
	.no_rule = {[COL_COST] = "partition replaces it by its operand",
                    [COL_LOWER] = "partition replaces it by its operand"},
};
