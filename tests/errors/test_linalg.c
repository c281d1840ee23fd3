/* test_linalg.c - linear algebra of operands that are no matrices, not square, of other dtypes, or
 * do not fit together; keywords without a meaning. */
#include "support/mistakes.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#define D TSR_DIMS
/* a f32[8,16], b f32[16,4] and v f32[6] of the world, and these */
#define SQUARE tsr_eye(w->ctx, 4)
#define HALVES tsr_eye(w->ctx, 4, .dtype = TSR_F16)
#define CUBE(n) tsr_ones(w->ctx, D(n, 4, 4))

/* one wrong call a line, that gives a handle, or to y[0] .. y[n - 1] */
#define CASE(name, call) static tsr *name(world *w) { return WRONG(w, call); }
#define INTO(name, n, call) \
	static tsr *name(world *w) \
	{ \
		tsr *y[4] = {NULL}; \
		return of_several(w, WRONG(w, call), y, n); \
	}

/* one that is no poison, if there is any */
static tsr *of_several(world *w, bool done, tsr *const *y, int n)
{
	if (done) return w->a;
	for (int i = 0; i < n; i++)
		if (!y[i] || !tsr_is_poison(y[i])) return w->a;
	return y[0];
}

/* ---- not square */
CASE(cholesky_wide, tsr_cholesky(w->a))
CASE(cholesky_vector, tsr_cholesky(w->v))
CASE(triangular_solve_wide, tsr_triangular_solve(w->a, w->b))
CASE(solve_triangular_wide, tsr_solve_triangular(w->a, w->b))
CASE(cho_solve_wide, tsr_cho_solve(w->a, w->b))
CASE(solve_wide, tsr_solve(w->a, w->b))
CASE(inv_wide, tsr_inv(w->a))
CASE(det_wide, tsr_det(w->a))
INTO(slogdet_wide, 2, tsr_slogdet(w->a, y))
INTO(eigh_wide, 2, tsr_eigh(w->a, y))
CASE(eigvalsh_vector, tsr_eigvalsh(w->v))
INTO(eig_wide, 2, tsr_eig(w->a, y))
INTO(eig_left_wide, 3, tsr_eig(w->a, y, .left = true))
CASE(eigvals_vector, tsr_eigvals(w->v))
INTO(schur_wide, 2, tsr_schur(w->a, y))
INTO(hessenberg_wide, 2, tsr_hessenberg(w->a, y))
INTO(tridiagonal_wide, 4, tsr_tridiagonal(w->a, y))
CASE(expm_wide, tsr_expm(w->a))
CASE(matrix_power_wide, tsr_matrix_power(w->a, 2))
CASE(cholesky_update_wide, tsr_cholesky_update(w->a, w->v))
CASE(symmetric_product_wide, tsr_symmetric_product(w->a, w->a))
CASE(inverse_norm_wide, tsr_cond_number(w->a, .ord = 1))

/* ---- no matrix */
INTO(lu_vector, 3, tsr_lu(w->v, y))
INTO(qr_vector, 2, tsr_qr(w->v, y))
INTO(svd_vector, 3, tsr_svd(w->v, y))
CASE(svdvals_vector, tsr_svdvals(w->v))
INTO(polar_vector, 2, tsr_polar(w->v, y))
CASE(matrix_rank_vector, tsr_matrix_rank(w->v))
CASE(pinv_vector, tsr_pinv(w->v))
CASE(matrix_transpose_vector, tsr_matrix_transpose(w->v))
CASE(matrix_norm_vector, tsr_matrix_norm(w->v))
CASE(cond_number_vector, tsr_cond_number(w->v))
CASE(multi_dot_cube, tsr_multi_dot(SQUARE, CUBE(2), SQUARE))
CASE(multi_dot_vector_inside, tsr_multi_dot(SQUARE, w->v, SQUARE))
CASE(multi_dot_one_vector, tsr_multi_dot(w->v))
CASE(roots_matrix, tsr_roots(w->a))

/* ---- 16 bits */
CASE(cholesky_halves, tsr_cholesky(HALVES))
CASE(solve_halves, tsr_solve(HALVES, HALVES))
INTO(lu_halves, 3, tsr_lu(HALVES, y))
INTO(qr_halves, 2, tsr_qr(HALVES, y))
INTO(eigh_halves, 2, tsr_eigh(HALVES, y))
INTO(eig_halves, 2, tsr_eig(HALVES, y))
INTO(svd_halves, 3, tsr_svd(tsr_astype(w->a, TSR_BF16), y))
INTO(schur_halves, 2, tsr_schur(HALVES, y))
INTO(hessenberg_halves, 2, tsr_hessenberg(HALVES, y))
INTO(tridiagonal_halves, 4, tsr_tridiagonal(HALVES, y))
CASE(roots_halves, tsr_roots(tsr_astype(w->v, TSR_F16)))

/* ---- what does not fit together */
CASE(triangular_solve_vector, tsr_triangular_solve(SQUARE, w->v))
CASE(triangular_solve_batch, tsr_triangular_solve(CUBE(2), CUBE(3)))
CASE(triangular_solve_rows, tsr_triangular_solve(SQUARE, w->b, .left_side = true))
CASE(triangular_solve_columns, tsr_triangular_solve(SQUARE, w->a))
CASE(solve_triangular_rows, tsr_solve_triangular(SQUARE, w->b))
CASE(solve_triangular_batch, tsr_solve_triangular(CUBE(2), CUBE(3)))
CASE(cho_solve_rows, tsr_cho_solve(SQUARE, w->b))
CASE(solve_rows, tsr_solve(SQUARE, w->b))
CASE(solve_vector, tsr_solve(SQUARE, w->v))
CASE(solve_scalar, tsr_solve(SQUARE, tsr_scalar(w->ctx, 2.0)))
CASE(solve_batch, tsr_solve(CUBE(2), CUBE(3)))
CASE(solve_elsewhere, tsr_solve(SQUARE, w->elsewhere))
INTO(lstsq_rows, 4, tsr_lstsq(w->a, w->b, y))
INTO(lstsq_vector, 4, tsr_lstsq(w->v, w->v, y))
INTO(lstsq_cube, 4, tsr_lstsq(SQUARE, CUBE(4), y))
CASE(householder_wide, tsr_householder_product(w->a, w->v))
CASE(householder_taus, tsr_householder_product(w->b, w->v))
CASE(householder_taus_2, tsr_householder_product(w->b, SQUARE))
CASE(ormqr_taus, tsr_ormqr(w->b, w->v, w->b))
#define TAUS tsr_ones(w->ctx, D(4))
CASE(ormqr_rows, tsr_ormqr(w->b, TAUS, w->a))
CASE(ormqr_columns, tsr_ormqr(w->b, TAUS, w->b, .right = true))
CASE(tridiagonal_solve_dims, tsr_tridiagonal_solve(w->v, w->v, w->v, w->b))
#define COLUMN tsr_ones(w->ctx, D(6, 1))
CASE(tridiagonal_solve_sizes, tsr_tridiagonal_solve(w->v, TAUS, w->v, COLUMN))
CASE(cholesky_update_size, tsr_cholesky_update(SQUARE, w->v))
CASE(symmetric_product_size, tsr_symmetric_product(w->a, SQUARE))
CASE(tensorsolve_size, tsr_tensorsolve(w->a, w->v))
CASE(tensorsolve_dim, tsr_tensorsolve(SQUARE, tsr_ones(w->ctx, D(4)), .dims = D(2)))
CASE(tensorsolve_dim_twice, tsr_tensorsolve(SQUARE, tsr_ones(w->ctx, D(4)), .dims = D(0, 0)))
CASE(tensorinv_size, tsr_tensorinv(w->a, 1))
CASE(tensorinv_none, tsr_tensorinv(SQUARE, 0))
CASE(tensorinv_many, tsr_tensorinv(SQUARE, 3))
CASE(multi_dot_size, tsr_multi_dot(w->a, SQUARE, w->b))

/* ---- keywords */
CASE(trans_3, tsr_solve_triangular(SQUARE, SQUARE, .trans = 3))
CASE(matrix_norm_ord, tsr_matrix_norm(w->a, .ord = 3))
CASE(matrix_norm_two, tsr_matrix_norm(w->a, .ord = 1, .nuclear = true))
CASE(cond_number_ord, tsr_cond_number(SQUARE, .ord = 0.5))
CASE(cond_number_two, tsr_cond_number(SQUARE, .frobenius = true, .nuclear = true))
CASE(norm_ord, tsr_norm(w->a, .ord = 3))
CASE(norm_three_dims, tsr_norm(CUBE(2), .ord = 1))
CASE(norm_zero_of_two, tsr_norm(w->a, .zero = true))
CASE(norm_dim, tsr_norm(w->a, .ord = 1, .dims = D(0, 2)))
CASE(norm_dim_twice, tsr_norm(w->a, .ord = 1, .dims = D(1, -1)))
CASE(vector_norm_dim, tsr_vector_norm(w->v, .dims = D(1)))

/* ---- derivatives that are not there */
static tsr *sum_of_schur(tsr *x)
{
	tsr *y[2];

	return tsr_schur(x, y) ? tsr_sum(y[0]) : y[0];
}
static tsr *sum_of_hessenberg(tsr *x)
{
	tsr *y[2];

	return tsr_hessenberg(x, y) ? tsr_sum(y[0]) : y[0];
}
static tsr *sum_of_tridiagonal(tsr *x)
{
	tsr *y[4];

	return tsr_tridiagonal(x, y) ? tsr_sum(y[1]) : y[1];
}
#define GRAD(f) tsr_call(tsr_grad(w->ctx, f), SQUARE)
static tsr *grad_schur(world *w) { w->line = 0; return GRAD(sum_of_schur); }
static tsr *grad_hessenberg(world *w) { w->line = 0; return GRAD(sum_of_hessenberg); }
static tsr *grad_tridiagonal(world *w) { w->line = 0; return GRAD(sum_of_tridiagonal); }

#define T TSR_ERROR_TYPE
#define A TSR_ERROR_ARGUMENT
#define NOT_SQUARE(f, ...) MISTAKE(f, T, __VA_ARGS__, "takes square matrices, and got")
#define NO_MATRIX(f, ...) MISTAKE(f, T, __VA_ARGS__, "takes matrices, of at least 2 dims, and got")
#define NO_DTYPE(f, ...) MISTAKE(f, T, __VA_ARGS__, "does not accept dtype", "convert to f32")

static const mistake table[] = {
	NOT_SQUARE(cholesky_wide, "cholesky", "f32[8,16]"),
	NOT_SQUARE(cholesky_vector, "cholesky", "f32[6]"),
	NOT_SQUARE(triangular_solve_wide, "triangular_solve", "f32[8,16]"),
	NOT_SQUARE(solve_triangular_wide, "solve_triangular", "f32[8,16]"),
	NOT_SQUARE(cho_solve_wide, "cho_solve", "f32[8,16]"),
	NOT_SQUARE(solve_wide, "solve", "f32[8,16]"),
	NOT_SQUARE(inv_wide, "inv", "f32[8,16]"),
	NOT_SQUARE(det_wide, "det", "f32[8,16]"),
	NOT_SQUARE(slogdet_wide, "slogdet", "f32[8,16]"),
	NOT_SQUARE(eigh_wide, "eigh", "f32[8,16]"),
	NOT_SQUARE(eigvalsh_vector, "eigvalsh", "f32[6]"),
	NOT_SQUARE(eig_wide, "eig ", "f32[8,16]"),
	NOT_SQUARE(eig_left_wide, "eig ", "f32[8,16]"),
	NOT_SQUARE(eigvals_vector, "eigvals", "f32[6]"),
	NOT_SQUARE(schur_wide, "schur", "f32[8,16]"),
	NOT_SQUARE(hessenberg_wide, "hessenberg", "f32[8,16]"),
	NOT_SQUARE(tridiagonal_wide, "tridiagonal", "f32[8,16]"),
	NOT_SQUARE(expm_wide, "expm", "f32[8,16]"),
	NOT_SQUARE(matrix_power_wide, "matrix_power", "f32[8,16]"),
	NOT_SQUARE(cholesky_update_wide, "cholesky_update", "f32[8,16]"),
	NOT_SQUARE(symmetric_product_wide, "symmetric_product", "f32[8,16]"),
	NOT_SQUARE(inverse_norm_wide, "cond_number", "f32[8,16]"),
	NO_MATRIX(lu_vector, "lu", "f32[6]"),
	NO_MATRIX(qr_vector, "qr", "f32[6]"),
	NO_MATRIX(svd_vector, "svd", "f32[6]"),
	NO_MATRIX(svdvals_vector, "svd", "f32[6]"),
	NO_MATRIX(polar_vector, "f32[6]"),
	NO_MATRIX(matrix_rank_vector, "matrix_rank", "f32[6]"),
	NO_MATRIX(pinv_vector, "pinv", "f32[6]"),
	NO_MATRIX(matrix_transpose_vector, "matrix_transpose", "f32[6]"),
	NO_MATRIX(matrix_norm_vector, "matrix_norm", "f32[6]"),
	NO_MATRIX(cond_number_vector, "cond_number", "f32[6]"),
	MISTAKE(multi_dot_cube, T, "multi_dot", "takes matrices", "f32[2,4,4]"),
	MISTAKE(multi_dot_vector_inside, T, "multi_dot", "as the first and the last", "f32[6]"),
	MISTAKE(multi_dot_one_vector, T, "multi_dot", "takes matrices", "f32[6]"),
	MISTAKE(roots_matrix, T, "roots", "coefficients of one dim", "f32[8,16]"),
	NO_DTYPE(cholesky_halves, "cholesky", "f16"),
	NO_DTYPE(solve_halves, "f16"),
	NO_DTYPE(lu_halves, "lu", "f16"),
	NO_DTYPE(qr_halves, "qr", "f16"),
	NO_DTYPE(eigh_halves, "eigh", "f16"),
	NO_DTYPE(eig_halves, "eig ", "f16"),
	NO_DTYPE(svd_halves, "svd", "bf16"),
	NO_DTYPE(schur_halves, "schur", "f16"),
	NO_DTYPE(hessenberg_halves, "hessenberg", "f16"),
	NO_DTYPE(tridiagonal_halves, "tridiagonal", "f16"),
	NO_DTYPE(roots_halves, "f16"),
	MISTAKE(triangular_solve_vector, T, "triangular_solve", "equal leading dims", "f32[4,4]",
	        "f32[6]"),
	MISTAKE(triangular_solve_batch, T, "triangular_solve", "equal leading dims", "f32[2,4,4]",
	        "f32[3,4,4]"),
	MISTAKE(triangular_solve_rows, T, "a has 4 rows", "b has 16 rows", "f32[16,4]"),
	MISTAKE(triangular_solve_columns, T, "a has 4 rows", "b has 16 columns", "f32[8,16]"),
	MISTAKE(solve_triangular_rows, T, "solve_triangular", "as many rows", "f32[4,4]",
	        "f32[16,4]"),
	MISTAKE(solve_triangular_batch, T, "solve_triangular", "leading dims", "f32[2,4,4]",
	        "f32[3,4,4]"),
	MISTAKE(cho_solve_rows, T, "cho_solve", "as many rows", "f32[4,4]", "f32[16,4]"),
	MISTAKE(solve_rows, T, "solve", "as many rows", "f32[4,4]", "f32[16,4]"),
	MISTAKE(solve_vector, T, "solve", "as many rows", "f32[4,4]", "f32[6]"),
	MISTAKE(solve_scalar, T, "solve", "as many rows", "f32[4,4]", "f32[]"),
	MISTAKE(solve_batch, T, "solve", "leading dims", "f32[2,4,4]", "f32[3,4,4]"),
	MISTAKE(solve_elsewhere, TSR_ERROR_HANDLE, "solve", "context"),
	MISTAKE(lstsq_rows, T, "lstsq", "as many rows", "f32[8,16]", "f32[16,4]"),
	MISTAKE(lstsq_vector, T, "lstsq", "takes a matrix", "f32[6]"),
	MISTAKE(lstsq_cube, T, "lstsq", "1 or 2 dims", "f32[4,4,4]"),
	MISTAKE(householder_wide, T, "householder_product", "m >= n >= k", "f32[8,16]", "f32[6]"),
	MISTAKE(householder_taus, T, "householder_product", "m >= n >= k", "f32[16,4]", "f32[6]"),
	MISTAKE(householder_taus_2, T, "householder_product", "[..., k]", "f32[4,4]"),
	MISTAKE(ormqr_taus, T, "ormqr", "m >= n >= k", "f32[16,4]", "f32[6]"),
	MISTAKE(ormqr_rows, T, "ormqr", "of as many rows", "f32[16,4]", "f32[8,16]"),
	MISTAKE(ormqr_columns, T, "ormqr", "as many columns as a has rows", "f32[16,4]"),
	MISTAKE(tridiagonal_solve_dims, T, "tridiagonal_solve", "three diagonals", "f32[16,4]"),
	MISTAKE(tridiagonal_solve_sizes, T, "tridiagonal_solve", "three diagonals", "f32[4]"),
	MISTAKE(cholesky_update_size, T, "cholesky_update", "a vector of its size", "f32[6]"),
	MISTAKE(symmetric_product_size, T, "symmetric_product", "of as many rows", "f32[8,16]",
	        "f32[4,4]"),
	MISTAKE(tensorsolve_size, T, "tensorsolve", "as many unknown numbers as equations"),
	MISTAKE(tensorsolve_dim, A, "tensorsolve", "dim 2", "2 dims"),
	MISTAKE(tensorsolve_dim_twice, A, "tensorsolve", "dim 0 is named twice"),
	MISTAKE(tensorinv_size, A, "tensorinv", "first 1 dims", "as many elements"),
	MISTAKE(tensorinv_none, A, "tensorinv", "first 0 dims"),
	MISTAKE(tensorinv_many, A, "tensorinv", "first 3 dims"),
	MISTAKE(multi_dot_size, T, "multi_dot", "as many rows as the one before", "f32[8,16]",
	        "f32[4,4]"),
	MISTAKE(trans_3, A, "solve_triangular", ".trans must be 0, 1 or 2, and is 3"),
	MISTAKE(matrix_norm_ord, A, "matrix_norm", ".ord of a matrix must be 1, 2, infinite"),
	MISTAKE(matrix_norm_two, A, "matrix_norm", "one of .ord, .frobenius and .nuclear"),
	MISTAKE(cond_number_ord, A, "cond_number", ".ord of a matrix must be 1, 2, infinite"),
	MISTAKE(cond_number_two, A, "cond_number", "one of .ord, .frobenius and .nuclear"),
	MISTAKE(norm_ord, A, "norm", ".ord of a matrix must be 1, 2, infinite"),
	MISTAKE(norm_three_dims, A, "norm", ".ord is of one dim or of two, and there are 3"),
	MISTAKE(norm_zero_of_two, A, "norm", "p = 0 is of one dim, and there are 2"),
	MISTAKE(norm_dim, A, "norm", "dim 2", "2 dims"),
	MISTAKE(norm_dim_twice, A, "norm", "dim 1 is there twice"),
	MISTAKE(vector_norm_dim, A, "dim 1"),
	MISTAKE(grad_schur, TSR_ERROR_UNSUPPORTED, "'schur'", "as in JAX it has none"),
	MISTAKE(grad_hessenberg, TSR_ERROR_UNSUPPORTED, "'hessenberg'", "as in JAX"),
	MISTAKE(grad_tridiagonal, TSR_ERROR_UNSUPPORTED, "'tridiagonal'", "as in JAX"),
};

static void test_mistakes(void **state)
{
	(void)state;
	assert_int_equal(mistakes_check("test_linalg.c", table, sizeof table / sizeof *table), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_mistakes)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
