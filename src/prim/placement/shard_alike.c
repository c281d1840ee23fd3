/* shard_alike.c - the row that places two values of the same dims alike, wherever that is.
 *
 * Each result is its operand. Propagation has one layout for both results, so whatever places one
 * of the four values places the others; where operands are held apart, the second one decides, and
 * one that is held whole decides that results are whole (places_held_alike). Then
 * partition brings the operands there and drops the equation. As in JAX tangents and cotangents are
 * placed alike too, where there are two of them. */
#include "prim/checks.h"

static bool shard_alike_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	if (!dims_same(in[0]->dims, in[0]->ndim, in[1]->dims, in[1]->ndim))
		return fail_type(b, e, "%s places values of the same dims alike, and got %s and %s",
		                 eqn_name(b, e), type_words(b, in[0]), type_words(b, in[1]));
	for (int i = 0; i < 2; i++) out[i] = in[i];
	return true;
}

static void shard_alike_factors(const eqn *e, const type *const *in, const type *const *out,
                                factors *f)
{
	(void)out;
	for (int d = 0; d < in[0]->ndim; d++) {
		const int factor = factor_new(f, in[0]->dims[d], FACTOR_PASS);
		for (int i = 0; i < e->nin + e->nout; i++) factor_at(f, i, d, factor);
	}
}

/* what is linear in both operands: of one alone it is that one */
static void both_or_each(build *b, const var *x, var *y)
{
	for (int i = 0; i < 2; i++) y[i] = x[i];
	if (!is_zero(x[0]) && !is_zero(x[1])) emit_all(b, &tsr__prim_shard_alike, NULL, x, 2, y);
}

static void shard_alike_jvp(build *b, const eqn *e, const var *x, const var *dx, var *y, var *dy)
{
	(void)e, (void)x, (void)y;
	both_or_each(b, dx, dy);
}

static void shard_alike_transpose(build *b, const eqn *e, const type *const *in, const var *x,
                                  const var *ct, var *dx)
{
	(void)e, (void)in, (void)x;
	both_or_each(b, ct, dx);
}

/* a value of the whole batch is alike to a batch of itself */
static void shard_alike_batch(build *b, const eqn *e, const batching *to, const var *x,
                              const bool *mapped, var *y, bool *ymapped)
{
	var both[2];

	for (int i = 0; i < 2; i++) {
		both[i] = mapped[i] ? x[i]
		                    : emit_repeat(b, emit_vary(b, x[i], to->varying), to->size);
		ymapped[i] = true;
	}
	if (!is_zero(both[0]) && !is_zero(both[1])) emit_all(b, e->prim, NULL, both, 2, y);
}

const tsr_prim tsr__prim_shard_alike = {
	.name = "shard_alike",
	.doc = "the operands, both placed alike",
	.flags = PRIM_OWN_VARYING | PRIM_OWN_WEAK,
	.nin = 2,
	.nout = 2,
	.types = shard_alike_types,
	.factors = shard_alike_factors,
	.jvp = shard_alike_jvp,
	.transpose = shard_alike_transpose,
	.batch = shard_alike_batch,
	.eval = eval_kept,
	.no_rule = {[COL_COST] = "partition replaces it by its operands",
                    [COL_LOWER] = "partition replaces it by its operands"},
};
