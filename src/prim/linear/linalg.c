/* linalg.c - rules that the rows of linear algebra share. */
#include "prim/linear/linalg.h"

bool check_matrix(build *b, const eqn *e, const type *t)
{
	const int bits = dtype_bits(dtype_real(t->dtype));

	if (!check_kind(b, e, t, INEXACT_KINDS)) return false;
	if (bits < 32)
		return fail_type(b, e, "%s does not accept dtype %s: convert to f32",
		                 eqn_name(b, e), tsr_dtype_name(t->dtype));
	return t->ndim >= 2 || fail_type(b, e, "%s takes matrices, of at least 2 dims, and got %s",
	                                 eqn_name(b, e), type_words(b, t));
}

bool check_square_matrix(build *b, const eqn *e, const type *t)
{
	return check_matrix(b, e, t) && (rows_of(t) == columns_of(t) ||
	                                 fail_type(b, e, "%s takes square matrices, and got %s",
	                                           eqn_name(b, e), type_words(b, t)));
}

bool give_behind_batch(build *b, const type *x, tsr_dtype dtype, const int64_t *dims, int ndim,
                       const type **out)
{
	int64_t *all = dims_room(b, x->ndim - 2 + ndim);

	if (!all) return false;
	for (int d = 0; d < x->ndim - 2; d++) all[d] = x->dims[d];
	for (int d = 0; d < ndim; d++) all[x->ndim - 2 + d] = dims[d];
	return give_type(b, dtype, all, x->ndim - 2 + ndim, out);
}

void factors_of_batch(const eqn *e, const type *const *in, const type *const *out, factors *f)
{
	const int batch = in[0]->ndim - 2;

	for (int d = 0; d < batch; d++) {
		const int factor = factor_new(f, in[0]->dims[d], FACTOR_PASS);
		for (int v = 0; v < e->nin + e->nout; v++) factor_at(f, v, d, factor);
	}
	for (int v = 0; v < e->nin + e->nout; v++) {
		const type *t = v < e->nin ? in[v] : out[v - e->nin];
		for (int d = batch; d < t->ndim; d++)
			factor_whole(f, v, d, t->dims[d], "factorised");
	}
}

void batch_in_front(build *b, const eqn *e, const batching *to, const var *x, const bool *mapped,
                    var *y, bool *ymapped)
{
	var operand[2];

	for (int i = 0; i < e->nin; i++) operand[i] = batch_whole(b, to, x[i], mapped[i]);
	emit_all(b, e->prim, e->params, operand, e->nin, y);
	for (int j = 0; j < e->nout; j++) ymapped[j] = true;
}

int64_t matrix_parts(const eqn *e, const type *const *in)
{
	(void)e;
	return parts_shared(matrices_of(in[0]), TUNE_MATRIX_PARTS);
}

double matrix_times(const program *p, const eqn *e)
{
	const type *t = type_of(p, e->in[0]);

	return (double)t->size * (double)shorter_side(t);
}

static size_t bytes_each(const type *t, int64_t n)
{
	return (size_t)(t->size / n) * tsr_dtype_size(t->dtype);
}

void eval_each(const eval_args *args, eval_one *one)
{
	const eqn *e = args->eqn;
	const int64_t n = matrices_of(args->in[0]);
	const part_range part = range_of_parts(args, n);
	const void *x[2];
	void *y[4];

	for (int64_t k = part.first; k < part.end; k++) {
		const size_t at = (size_t)k;
		for (int i = 0; i < e->nin; i++)
			x[i] = (const char *)args->x[i] + at * bytes_each(args->in[i], n);
		for (int j = 0; j < e->nout; j++)
			y[j] = (char *)args->y[j] + at * bytes_each(args->out[j], n);
		one(args, x, y);
	}
}
