/* triangular.c - triangular matrices: the Cholesky factor, and systems of equations with one.
 *
 *     cholesky [4 2; 2 5]                                               gives  [2 0; 1 2]
 *     triangular_solve [2 0; 1 2] [2; 5] left_side=true lower=true      gives  [1; 2] */
#include "prim/linear/linalg.h"

/* ---- cholesky */

static bool cholesky_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	out[0] = in[0];
	return check_square_matrix(b, e, in[0]);
}

static void cholesky_one(const eval_args *args, const void *const *x, void *const *y)
{
	matrix_algorithms_of(args->in[0]->dtype)->cholesky(rows_of(args->in[0]), x[0], y[0]);
}

static double cholesky_times(const program *p, const eqn *e) { return matrix_times(p, e) / 3; }

/* With x = L L^H and dx Hermitian, L^-1 dx L^-H = L^-1 dL + (L^-1 dL)^H: its lower triangle is
 * L^-1 dL, but for the diagonal, which is there twice (Murray, arXiv:1602.07527, 3.1) */
static void cholesky_jvp(build *b, const eqn *e, const var *x, const var *dx, var *y, var *dy)
{
	const triangular_solve_params right = {
		.lower = true, .transpose_a = true, .conjugate_a = true};
	const triangular_solve_params left = {.left_side = true, .lower = true};
	const var both = emit_solve(b, left, y[0], emit_solve(b, right, y[0], dx[0]));
	const type *t = build_type(b, x[0]);
	const var twice = emit_add(b, emit_eye(b, t), emit_scalar(b, t->dtype, 1));

	(void)e;
	dy[0] = emit_matmul(b, y[0], emit_div(b, emit_tril(b, both, 0), twice));
}

MATRIX_ROW(cholesky,
           "the lower triangular L of x = L L^H, of which the lower half is read; NaN if none",
           OF_OTHERS, FACTORISATION, .nout = 1, .jvp = cholesky_jvp)

/* ---- triangular_solve: op(a) y = b, or y op(a) = b, where op is what the parameters say */

static const triangular_solve_params *params_of(const eqn *e) { return e->params; }

/* the dim of b that the rows of the system are in */
static int solved_dim(const eqn *e, const type *b)
{
	return b->ndim - (params_of(e)->left_side ? 2 : 1);
}

static bool triangular_solve_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	const int ndim = in[0]->ndim;

	if (!check_square_matrix(b, e, in[0]) || !check_same_dtypes(b, e, in, 0, 2)) return false;
	if (in[1]->ndim != ndim || !dims_same(in[0]->dims, ndim - 2, in[1]->dims, ndim - 2))
		return fail_type(b, e, "%s requires operands of equal leading dims, got %s",
		                 eqn_name(b, e), types_words(b, in, 2));
	const int64_t size = in[1]->dims[solved_dim(e, in[1])];
	if (size != rows_of(in[0]))
		return fail_type(
			b, e, "triangular_solve: a has %lld rows, and b has %lld %s, in %s",
			(long long)rows_of(in[0]), (long long)size,
			params_of(e)->left_side ? "rows" : "columns", types_words(b, in, 2));
	out[0] = in[1];
	return true;
}

/* the columns of b do not depend on each other */
static void triangular_solve_factors(const eqn *e, const type *const *in, const type *const *out,
                                     factors *f)
{
	const int ndim = in[0]->ndim, solved = solved_dim(e, in[1]);

	(void)out;
	for (int d = 0; d < ndim - 2; d++) {
		const int factor = factor_new(f, in[0]->dims[d], FACTOR_PASS);
		for (int v = 0; v < 3; v++) factor_at(f, v, d, factor);
	}
	for (int d = ndim - 2; d < ndim; d++) {
		const int64_t size = in[1]->dims[d];
		factor_whole(f, 0, d, rows_of(in[0]), "solved");
		if (d == solved && size == 1) continue;
		const int factor = d == solved ? factor_replicated(f, size, "solved")
		                               : factor_new(f, size, FACTOR_PASS);
		for (int v = 1; v < 3; v++) factor_at(f, v, d, factor);
	}
}

static void triangular_solve_one(const eval_args *args, const void *const *x, void *const *y)
{
	const type *a = args->in[0], *b = args->in[1];
	const triangular_solve_params *p = params_of(args->eqn);

	matrix_algorithms_of(a->dtype)->triangular_solve(
		p, rows_of(a), p->left_side ? columns_of(b) : rows_of(b), x[0], x[1], y[0]);
}

/* half a square for each column */
static double triangular_solve_times(const program *p, const eqn *e)
{
	const type *a = type_of(p, e->in[0]), *b = type_of(p, e->in[1]);

	return (double)b->size * (double)rows_of(a) / 2;
}

/* op(da) y, or y op(da), of the triangle that is read */
static var by_tangent(build *b, const triangular_solve_params *p, var da, var y)
{
	const int64_t off = p->unit_diagonal;

	da = p->lower ? emit_tril(b, da, -off) : emit_triu(b, da, off);
	if (p->transpose_a) da = emit_turned(b, da);
	if (p->conjugate_a) da = emit_conj(b, da);
	return p->left_side ? emit_matmul(b, da, y) : emit_matmul(b, y, da);
}

/* op(a) dy = db - op(da) y */
static void triangular_solve_jvp(build *b, const eqn *e, const var *x, const var *dx, var *y,
                                 var *dy)
{
	const triangular_solve_params *p = params_of(e);

	dy[0] = emit_solve(b, *p, x[0], emit_sub(b, dx[1], by_tangent(b, p, dx[0], y[0])));
}

static void triangular_solve_transpose(build *b, const eqn *e, const type *const *in, const var *x,
                                       const var *ct, var *dx)
{
	triangular_solve_params p = *params_of(e);

	(void)in;
	p.transpose_a = !p.transpose_a;
	dx[0] = is_zero(x[0]) ? not_linear(b, e, "it is not linear in the matrix") : (var){0};
	if (is_zero(x[1])) dx[1] = emit_solve(b, p, x[0], ct[0]);
}

/* With one matrix for the whole batch, the columns of b (from the right, the rows) of all its
 * elements are columns of one system */
static void triangular_solve_batch(build *b, const eqn *e, const batching *to, const var *x,
                                   const bool *mapped, var *y, bool *ymapped)
{
	if (mapped[0]) {
		batch_in_front(b, e, to, x, mapped, y, ymapped);
		return;
	}
	const int n = build_type(b, x[1])->ndim, at = n - (params_of(e)->left_side ? 2 : 3);
	const var moved = emit_move_dim(b, x[1], 0, at);
	const var solved = emit_solve(b, *params_of(e), x[0], emit_merged(b, moved, at));
	if (build_failed(b)) return;
	const int64_t *dims = build_type(b, moved)->dims;
	y[0] = emit_move_dim(b, emit_reshape(b, solved, dims, n), at, 0);
	ymapped[0] = true;
}

static const field triangular_solve_fields[] = {
	PARAM(triangular_solve_params, left_side, FIELD_BOOL),
	PARAM(triangular_solve_params, lower, FIELD_BOOL),
	PARAM(triangular_solve_params, transpose_a, FIELD_BOOL),
	PARAM(triangular_solve_params, conjugate_a, FIELD_BOOL),
	PARAM(triangular_solve_params, unit_diagonal, FIELD_BOOL),
	PARAMS_END,
};
MATRIX_ROW(triangular_solve,
           "y of op(a) y = b (left_side) or y op(a) = b, where a is lower or upper triangular",
           OF_OTHERS, .nin = 2, .nout = 1, .params = triangular_solve_fields,
           .factors = triangular_solve_factors, .jvp = triangular_solve_jvp,
           .transpose = triangular_solve_transpose, .batch = triangular_solve_batch)
