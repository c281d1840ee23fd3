/* rules.c - rules that many rows share. */
#include "prim/prim.h"

void jvp_linear(build *b, const eqn *e, const var *x, const var *dx, var *y, var *dy)
{
	var *operand = var_room(b, e->nin);

	(void)y;
	if (!operand) return;
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

/* ---- results that are operands */

int results_kept(const void *params, int nin) { return (void)params, nin; }

void eval_kept(const eval_args *args)
{
	for (int j = 0; j < args->eqn->nout; j++) {
		const type *t = args->out[j];
		const size_t bytes = (size_t)t->size * tsr_dtype_size(t->dtype);
		if (bytes) memcpy(args->y[j], args->x[j], bytes);
	}
}

void factors_kept(const eqn *e, const type *const *in, const type *const *out, factors *f)
{
	(void)in;
	for (int j = 0; j < e->nout; j++)
		for (int d = 0; d < out[j]->ndim; d++) {
			const int factor = factor_new(f, out[j]->dims[d], FACTOR_PASS);
			factor_at(f, j, d, factor);
			factor_at(f, e->nin + j, d, factor);
		}
}

/* ---- batches of elementwise rows */

/* dims: of the results, the batch first */
static var batch_operand(build *b, var x, bool mapped, const int64_t *dims, int ndim)
{
	const int n = build_type(b, x)->ndim;

	if (build_literal_of(b, x) || n == ndim) return x;
	if (mapped) return emit_broadcast(b, x, dims, ndim, (int64_t[]){0});
	/* a row that takes an operand of rank 0 beside others (the predicate of select_n) takes it
	 * beside a batch too */
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
	int64_t *dims = ints_room(b, ndim + 1);
	var *operand = var_room(b, e->nin);
	if (!dims || !operand) return;
	dims[0] = to->size;
	for (int d = 0; d < ndim; d++) dims[1 + d] = largest->dims[largest->ndim - ndim + d];
	for (int i = 0; i < e->nin; i++)
		operand[i] = batch_operand(b, x[i], mapped[i], dims, ndim + 1);
	emit_all(b, e->prim, e->params, operand, e->nin, y);
	for (int j = 0; j < e->nout; j++) ymapped[j] = true;
}

var batch_whole(build *b, const batching *to, var x, bool mapped)
{
	return mapped ? x : emit_repeat(b, x, to->size);
}

/* ---- elements in parts */

int64_t parts_of_elements(const eqn *e, const type *const *in)
{
	int64_t most = 1; /* literals have no dims */

	for (int i = 0; i < e->nin; i++)
		if (in[i]->size > most) most = in[i]->size;
	return parts_shared(most, TUNE_PARTS);
}

void eval_elements(const eval_args *args, void (*some)(const eval_args *))
{
	const type *y = args->out[0];
	type own = *y;
	const type *out = &own;
	const void *x[3];
	const part_range elements = range_of_parts(args, y->size);
	void *to = (char *)args->y[0] + (size_t)elements.first * tsr_dtype_size(y->dtype);
	eval_args part = *args;

	own.size = elements.end - elements.first;
	for (int i = 0; i < args->eqn->nin; i++) {
		const int64_t first = args->in[i]->ndim ? elements.first : 0;
		x[i] = (const char *)args->x[i] +
		       (size_t)first * tsr_dtype_size(args->in[i]->dtype);
	}
	part.out = &out;
	part.x = x;
	part.y = &to;
	some(&part);
}

/* ---- factors */

void factors_elementwise(const eqn *e, const type *const *in, const type *const *out, factors *f)
{
	for (int d = 0; d < out[0]->ndim; d++) {
		const int factor = factor_new(f, out[0]->dims[d], FACTOR_PASS);
		for (int i = 0; i < e->nin; i++)
			if (in[i]->ndim) factor_at(f, i, d, factor);
		for (int j = 0; j < e->nout; j++) factor_at(f, e->nin + j, d, factor);
	}
}

void factor_shared(const eqn *e, const type *const *in, factors *f, int in_dim, int out_dim)
{
	const int factor = factor_new(f, in[0]->dims[in_dim], FACTOR_PASS);

	factor_at(f, 0, in_dim, factor);
	factor_at(f, e->nin, out_dim, factor);
}

void factor_moved(const eqn *e, const type *const *out, factors *f, int dim, factor_window w)
{
	const int factor = factor_new(f, out[0]->dims[dim], FACTOR_PASS);

	factor_at_window(f, 0, dim, factor, w);
	factor_at(f, e->nin, dim, factor);
}

void factor_whole(factors *f, int value, int dim, int64_t size, const char *why)
{
	if (size != 1) factor_at(f, value, dim, factor_replicated(f, size, why));
}

void factor_alone(const eqn *e, factors *f, int dim, int64_t size, bool own)
{
	if (size == 1) return;
	const int factor = factor_new(f, size, FACTOR_FREE);
	factor_at(f, e->nin, dim, own ? factor_own(f, factor) : factor);
}

void factor_taken(const type *const *in, factors *f, int dim)
{
	const factor_op op = in[0]->dtype == TSR_BOOL ? FACTOR_OR : FACTOR_SUM;
	const int64_t size = in[0]->dims[dim];

	if (size != 1) factor_at(f, 0, dim, factor_own(f, factor_reduced(f, size, op)));
}

padding needs_nothing(const eqn *e, const type *const *in, const factors *f, int operand,
                      int factor)
{
	(void)e, (void)in, (void)f, (void)operand, (void)factor;
	return PAD_ANY;
}
