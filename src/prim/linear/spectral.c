/* spectral.c - eigh and svd: eigenvalues of Hermitian matrices, and singular values.
 *
 *     eigh [2 1; 1 2] lower=true         gives    [0.7071 0.7071; -0.7071 0.7071] [1.0 3.0]
 *     svd [0 2; 1 0] compute_uv=true     gives    [2.0 1.0] [1.0 0; 0 1.0] [0 1.0; 1.0 0]
 *
 * Eigenvectors are columns, by rising eigenvalue; singular values fall. A vector may have any sign,
 * or as a complex one any factor of size 1. */
#include "prim/linear/linalg.h"

/* ---- what both tangents need */

/* the real part of the diagonal of a square matrix */
static var real_diagonal(build *b, var x)
{
	if (is_zero(x)) return x;
	return emit_convert(b, emit_diagonal(b, x), dtype_real(build_type(b, x)->dtype));
}

/* x + x^H */
static var with_adjoint(build *b, var x) { return emit_add(b, x, emit_adjoint(b, x)); }

/* ---- eigh */

static bool eigh_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	if (!check_square_matrix(b, e, in[0])) return false;
	const int64_t n = rows_of(in[0]);

	out[0] = in[0];
	return give_behind_batch(b, in[0], dtype_real(in[0]->dtype), &n, 1, &out[1]);
}

static void eigh_one(const eval_args *args, const void *const *x, void *const *y)
{
	const type *t = args->in[0];
	const eigh_params *p = args->eqn->params;

	matrix_algorithms_of(t->dtype)->eigh(rows_of(t), p->lower, x[0], y[0], y[1], args->scratch);
}

static size_t eigh_scratch(const eqn *e, const type *const *in)
{
	(void)e;
	return (size_t)(rows_of(in[0]) * columns_of(in[0])) * tsr_dtype_size(in[0]->dtype);
}

static double eigh_times(const program *p, const eqn *e) { return 10 * matrix_times(p, e); }

/* From x v = v w follows dx v + x dv = dv w + v dw. Let dv = v a: v^H times that is
 * v^H dx v = a w - w a + dw, whose elements beside the diagonal are a[i][j] (w[j] - w[i]). So
 * dv = v (f . v^H dx v) with f[i][j] = 1 / (w[j] - w[i]), 0 on the diagonal, and dw is the diagonal
 * of v^H dx v (Giles, NA-08/01). Without a derivative where two eigenvalues are equal */
static void eigh_jvp(build *b, const eqn *e, const var *x, const var *dx, var *y, var *dy)
{
	const int64_t n = rows_of(build_type(b, x[0]));
	const tsr_dtype dtype = build_type(b, x[0])->dtype;
	const var apart = emit_sub(b, emit_along(b, y[1], n, true), emit_along(b, y[1], n, false));
	const var turned = emit_matmul(b, emit_matmul(b, emit_adjoint(b, y[0]), dx[0]), y[0]);
	const var f = emit_convert(b, emit_over_apart(b, apart), dtype);

	(void)e;
	dy[0] = emit_matmul(b, y[0], emit_mul(b, f, turned));
	dy[1] = real_diagonal(b, turned);
}

static const field eigh_fields[] = {PARAM(eigh_params, lower, FIELD_BOOL), PARAMS_END};
MATRIX_ROW(eigh, "eigenvectors, and rising eigenvalues, of a Hermitian x, of which a half is read",
           OF_ALL, FACTORISATION, .nout = 2, .params = eigh_fields, .jvp = eigh_jvp,
           .scratch = eigh_scratch)

/* ---- svd */

static const svd_params *svd_of(const eqn *e) { return e->params; }

static bool svd_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	if (!check_matrix(b, e, in[0])) return false;
	const int64_t m = rows_of(in[0]), n = columns_of(in[0]), k = m < n ? m : n;
	const bool full = svd_of(e)->full_matrices;
	const tsr_dtype dtype = in[0]->dtype;

	if (!give_behind_batch(b, in[0], dtype_real(dtype), &k, 1, &out[0])) return false;
	return !svd_of(e)->compute_uv ||
	       (give_behind_batch(b, in[0], dtype, (int64_t[]){m, full ? m : k}, 2, &out[1]) &&
	        give_behind_batch(b, in[0], dtype, (int64_t[]){full ? n : k, n}, 2, &out[2]));
}

static void svd_one(const eval_args *args, const void *const *x, void *const *y)
{
	const type *t = args->in[0];
	const svd_params *p = svd_of(args->eqn);

	matrix_algorithms_of(t->dtype)->svd(rows_of(t), columns_of(t), p->full_matrices, x[0], y[0],
	                                    p->compute_uv ? y[1] : NULL,
	                                    p->compute_uv ? y[2] : NULL, args->scratch);
}

static size_t svd_scratch(const eqn *e, const type *const *in)
{
	const int64_t least = shorter_side(in[0]);
	const int64_t most = rows_of(in[0]) + columns_of(in[0]) - least;
	const int64_t left = most * (svd_of(e)->full_matrices ? most : least);

	return (size_t)(left + least * least) * tsr_dtype_size(in[0]->dtype);
}

static double svd_times(const program *p, const eqn *e) { return 15 * matrix_times(p, e); }

/* what is outside of the columns of u, as long as they are: (x - u u^H x) / s */
static var outside(build *b, var u, var x, var s, tsr_dtype dtype)
{
	if (is_zero(x)) return x;
	const var inside = emit_matmul(b, u, emit_matmul(b, emit_adjoint(b, u), x));

	return emit_div(b, emit_sub(b, x, inside),
	                emit_convert(b, emit_along(b, s, rows_of(build_type(b, x)), true), dtype));
}

/* Tangents of u and vh from ds = u^H dx v (Giles, NA-08/01, with the parts that real matrices do
 * not have). With du = u a and dv = v c, where a and c are antihermitian, ds is a s - s c beside
 * the diagonal. So ds s + s ds^H is a s^2 - s^2 a, and s ds + ds^H s is c s^2 - s^2 c there:
 * a = f . (ds s + s ds^H) and c = f . (s ds + ds^H s) with f[i][j] = 1 / (s[j]^2 - s[i]^2). On the
 * diagonal what is imaginary is given to u */
static void vector_tangents(build *b, var s, var u, var v, var dx, var ds, var *dy)
{
	const type *t = build_type(b, dx);
	const int64_t m = rows_of(t), n = columns_of(t), k = m < n ? m : n;
	const tsr_dtype dtype = t->dtype, real = dtype_real(dtype);
	const var row = emit_along(b, s, k, true), column = emit_along(b, s, k, false);
	const var apart = emit_mul(b, emit_add(b, row, column), emit_sub(b, row, column));
	const var f = emit_convert(b, emit_over_apart(b, apart), dtype);
	const var by_row = emit_mul(b, emit_convert(b, row, dtype), ds);
	const var by_column = emit_mul(b, emit_convert(b, column, dtype), ds);
	const var one = emit_scalar(b, real, 1),
		  zero = emit_2(b, &tsr__prim_eq, row, emit_scalar(b, real, 0));
	const var inverse = emit_select(b, zero, (var){0}, emit_div(b, one, row));
	const var odd =
		emit_mul(b, emit_sub(b, ds, emit_adjoint(b, ds)), emit_scalar(b, dtype, 0.5));
	const var own =
		emit_tril(b, emit_triu(b, emit_mul(b, odd, emit_convert(b, inverse, dtype)), 0), 0);
	var du = emit_matmul(b, u, emit_add(b, emit_mul(b, f, with_adjoint(b, by_row)), own));
	var dv = emit_matmul(b, v, emit_mul(b, f, with_adjoint(b, by_column)));

	if (m > n) du = emit_add(b, du, outside(b, u, emit_matmul(b, dx, v), s, dtype));
	if (n > m)
		dv = emit_add(b, dv,
		              outside(b, v, emit_matmul(b, emit_adjoint(b, dx), u), s, dtype));
	dy[1] = du;
	dy[2] = emit_adjoint(b, dv);
}

static void svd_jvp(build *b, const eqn *e, const var *x, const var *dx, var *y, var *dy)
{
	const svd_params *p = svd_of(e), with_vectors = {.compute_uv = true};
	const type *t = build_type(b, x[0]);
	var made[3];

	if (p->compute_uv && p->full_matrices && rows_of(t) != columns_of(t)) {
		rule_missing(b, e, COL_JVP, "with full_matrices of a matrix that is not square");
		build_fail(b);
		return;
	}
	if (p->compute_uv)
		memcpy(made, y, sizeof made);
	else
		emit_all(b, e->prim, &with_vectors, x, 1, made);
	y[0] = made[0]; /* so that x is factorised once */
	const var u = made[1], v = emit_adjoint(b, made[2]);
	const var ds = emit_matmul(b, emit_matmul(b, emit_adjoint(b, u), dx[0]), v);
	dy[0] = real_diagonal(b, ds);
	if (p->compute_uv && !build_failed(b)) vector_tangents(b, made[0], u, v, dx[0], ds, dy);
}

static int svd_results(const void *params, int nin)
{
	(void)nin;
	return ((const svd_params *)params)->compute_uv ? 3 : 1;
}

static const field svd_fields[] = {
	PARAM(svd_params, full_matrices, FIELD_BOOL),
	PARAM(svd_params, compute_uv, FIELD_BOOL),
	PARAMS_END,
};
MATRIX_ROW(svd, "the singular values s of x, which fall; if wanted, u and vh of x = u s vh", OF_ALL,
           FACTORISATION, .nout = -1, .results = svd_results, .params = svd_fields, .jvp = svd_jvp,
           .scratch = svd_scratch)
