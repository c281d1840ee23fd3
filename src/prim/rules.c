/* rules.c - rules that many rows share. */
#include "prim/prim.h"

void jvp_linear(build *b, const eqn *e, const var *x, const var *dx, var *y, var *dy)
{
	var *operand = arena_array(build_arena(b), (size_t)e->nin + 1, sizeof *operand);

	(void)y;
	if (!operand) {
		build_fail(b);
		return;
	}
	for (int i = 0; i < e->nin; i++) {
		const type *t = build_type(b, x[i]);
		operand[i] = has_tangent(t->dtype) ? emit_instance(b, dx[i], t) : x[i];
	}
	emit_all(b, e->prim, e->params, operand, e->nin, dy);
}

void jvp_zero(build *b, const eqn *e, const var *x, const var *dx, var *y, var *dy)
{
	(void)b, (void)e, (void)x, (void)dx, (void)y, (void)dy;
}

bool rule_missing(build *b, const eqn *e, column c, const char *why)
{
	static const char *const rules[COLUMNS] = {
		[COL_JVP] = "Differentiation rule",
		[COL_TRANSPOSE] = "Transpose rule (for reverse-mode differentiation)",
		[COL_BATCH] = "Batching rule"};

	if (!why) why = e->prim->no_rule[c];
	return fail(build_base(b), e->where, TSR_ERROR_UNSUPPORTED,
	            "%s for '%s' not implemented: %s", rules[c], e->prim->name,
	            why ? why : "the row has none");
}

var not_linear(build *b, const eqn *e, const char *why)
{
	rule_missing(b, e, COL_TRANSPOSE, why);
	build_fail(b);
	return (var){0};
}

/* ---- batches of elementwise rows */

/* dims: of the results, the batch first */
static var batch_operand(build *b, var x, bool mapped, const int64_t *dims, int ndim)
{
	const int n = build_type(b, x)->ndim;

	if (build_literal_of(b, x) || n == ndim) return x;
	if (mapped) return emit_broadcast(b, x, dims, ndim, (int64_t[]){0});
	/* a row that takes an operand of rank 0 beside others takes it beside a batch */
	return n == 0 && ndim > 1 ? x : emit_repeat(b, x, dims[0]);
}

void batch_elementwise(build *b, const eqn *e, const batching *to, const var *x, const bool *mapped,
                       var *y, bool *ymapped)
{
	const type *largest = NULL;
	int ndim = 0; /* of the result without the batch */

	for (int i = 0; i < e->nin; i++) {
		const type *t = build_type(b, x[i]);
		if (t->ndim - mapped[i] < ndim) continue;
		ndim = t->ndim - mapped[i];
		largest = t;
	}
	int64_t *dims = arena_array(build_arena(b), (size_t)ndim + 1, sizeof *dims);
	var *operand = arena_array(build_arena(b), (size_t)e->nin, sizeof *operand);
	if (!dims || !operand) {
		build_fail(b);
		return;
	}
	dims[0] = to->size;
	for (int d = 0; d < ndim; d++) dims[1 + d] = largest->dims[largest->ndim - ndim + d];
	for (int i = 0; i < e->nin; i++)
		operand[i] = batch_operand(b, x[i], mapped[i], dims, ndim + 1);
	y[0] = emit(b, e->prim, e->params, operand, e->nin);
	ymapped[0] = true;
}
