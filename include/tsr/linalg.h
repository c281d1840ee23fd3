/* tsr/linalg.h - linear algebra: factorisations, and systems of equations.
 *
 *     tsr *L = tsr_cholesky(a);
 *     tsr *x = tsr_cho_solve(L, b, .lower = true);
 *
 * Matrices are the last two dims; all dims before these are a batch, and may be split over
 * devices. Operands are promoted to a common dtype, integers and bool to floats. Dtypes are f32,
 * f64, c64 and c128; f16 and bf16 must be converted (TSR_ERROR_TYPE), as in JAX. Names and results
 * are those of jax.numpy.linalg, jax.scipy.linalg and jax.lax.linalg. Where a matrix has no such
 * factorisation, the result is NaN. Derivatives are those of JAX.
 *
 * Large matrices are factorised by LAPACK, where the engine has it; docs/numerics.md says what that
 * means for the bits. Errors of all: as in tsr/ops.h. */
/* Made by tools/make_headers.py of api/linalg.h.in: change that one. */
/** @file */
#ifndef TSR_LINALG_H
#define TSR_LINALG_H
#include "context.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Keywords of tsr_cholesky(). */
typedef struct tsr_cholesky_args {
	TSR_KEYWORDS_
	bool upper;      /**< L^H in place of L */
	bool lower_only; /**< a is not made Hermitian first, by (a + a^H) / 2: its lower triangle
	                      alone is read */
	TSR_KEYWORDS_END_
} tsr_cholesky_args;

/** Keywords of tsr_triangular_solve(), op(a) x = b. */
typedef struct tsr_triangular_solve_args {
	TSR_KEYWORDS_
	bool left_side;     /**< op(a) x = b in place of x op(a) = b */
	bool lower;         /**< the lower triangle of a is read, in place of the upper one */
	bool transpose_a;   /**< op is the transpose */
	bool conjugate_a;   /**< op is the conjugate, of the transpose if both are given */
	bool unit_diagonal; /**< the diagonal of a counts as ones, whatever is there */
	TSR_KEYWORDS_END_
} tsr_triangular_solve_args;

/** Keywords of tsr_solve_triangular(). */
typedef struct tsr_solve_triangular_args {
	TSR_KEYWORDS_
	int trans;          /**< 0: a x = b; 1: a^T x = b; 2: a^H x = b */
	bool lower;         /**< the lower triangle of a is read, in place of the upper one */
	bool unit_diagonal; /**< the diagonal of a counts as ones, whatever is there */
	TSR_KEYWORDS_END_
} tsr_solve_triangular_args;

/** Keyword of tsr_cho_solve(). */
typedef struct tsr_cho_solve_args {
	TSR_KEYWORDS_
	bool lower; /**< the factor is L, in place of L^H */
	TSR_KEYWORDS_END_
} tsr_cho_solve_args;

/** Keyword of tsr_qr(). */
typedef struct tsr_qr_args {
	TSR_KEYWORDS_
	bool full_matrices; /**< q is square (NumPy's mode "complete") */
	TSR_KEYWORDS_END_
} tsr_qr_args;

/** Keywords of tsr_eigh() and tsr_eigvalsh(). */
typedef struct tsr_eigh_args {
	TSR_KEYWORDS_
	bool upper;         /**< with .triangle_only the upper one is read, in place of the lower */
	bool triangle_only; /**< a is not made Hermitian first, by (a + a^H) / 2 */
	TSR_KEYWORDS_END_
} tsr_eigh_args;

/** Keyword of tsr_eig(). */
typedef struct tsr_eig_args {
	TSR_KEYWORDS_
	bool left; /**< eigenvectors from the left, too, as a third result */
	TSR_KEYWORDS_END_
} tsr_eig_args;

/** Keyword of tsr_tridiagonal(). */
typedef struct tsr_tridiagonal_args {
	TSR_KEYWORDS_
	bool upper; /**< the upper triangle of a is read, in place of the lower one */
	TSR_KEYWORDS_END_
} tsr_tridiagonal_args;

/** Keyword of tsr_svd(). */
typedef struct tsr_svd_args {
	TSR_KEYWORDS_
	bool thin; /**< u has as many columns, and vh as many rows, as there are singular values
	                (full_matrices=False); otherwise they are square */
	TSR_KEYWORDS_END_
} tsr_svd_args;

/** Keyword of tsr_matrix_rank(), tsr_pinv() and tsr_lstsq(). */
typedef struct tsr_rank_args {
	TSR_KEYWORDS_
	double rtol; /**< singular values up to that much of the largest one count as 0. When not
	                  given, the longer side times the precision of the dtype; of pinv ten
	                  times that */
	TSR_KEYWORDS_END_
} tsr_rank_args;

/** Keywords of tsr_ormqr(). */
typedef struct tsr_ormqr_args {
	TSR_KEYWORDS_
	bool right;     /**< c q in place of q c (left=False) */
	bool transpose; /**< q^H in place of q */
	TSR_KEYWORDS_END_
} tsr_ormqr_args;

/** Keywords of tsr_symmetric_product(). */
typedef struct tsr_symmetric_product_args {
	TSR_KEYWORDS_
	double alpha; /**< 1 when not given */
	double beta;  /**< 0 when not given */
	TSR_KEYWORDS_END_
} tsr_symmetric_product_args;

/** Keyword of tsr_tensorsolve(). */
typedef struct tsr_tensorsolve_args {
	TSR_KEYWORDS_
	tsr_dims dims; /**< of a, which come last (axes): those of the unknown numbers */
	TSR_KEYWORDS_END_
} tsr_tensorsolve_args;

/** Keywords of tsr_matrix_norm(). */
typedef struct tsr_matrix_norm_args {
	TSR_KEYWORDS_
	double ord;     /**< 1, 2, INFINITY, or minus that */
	bool frobenius; /**< the root of the sum of squares: when nothing is given */
	bool nuclear;   /**< the sum of the singular values */
	bool keep;      /**< the two dims stay, with size 1 */
	TSR_KEYWORDS_END_
} tsr_matrix_norm_args;

/** Keywords of tsr_cond_number(). */
typedef struct tsr_cond_number_args {
	TSR_KEYWORDS_
	double ord;     /**< as in tsr_matrix_norm_args; 2 when nothing is given */
	bool frobenius; /**< of the Frobenius norm */
	bool nuclear;   /**< of the nuclear norm */
	TSR_KEYWORDS_END_
} tsr_cond_number_args;

/** Keywords of tsr_vector_norm() and tsr_norm(). */
typedef struct tsr_norm_args {
	TSR_KEYWORDS_
	double ord;    /**< p, also negative or infinite; 2 when not given */
	bool zero;     /**< p is 0 */
	tsr_dims dims; /**< all when not given */
	bool keep;     /**< they stay, with size 1 */
	TSR_KEYWORDS_END_
} tsr_norm_args;

/** The lower triangular L of a = L L^H, a Hermitian and positive definite; of others NaN on and
 * below the diagonal. [..., n, n] to the same: tsr_cholesky(a, .upper = true). */
TSR_OP tsr *tsr_cholesky_at(const char *where, tsr *a, const tsr_cholesky_args *args);
/** The x of x op(a) = b with triangular a, [..., m, m] and [..., n, m], of equal leading dims; with
 * .left_side of op(a) x = b, and b [..., m, n]. */
TSR_OP tsr *tsr_triangular_solve_at(const char *where, tsr *a, tsr *b,
                                    const tsr_triangular_solve_args *args);
/** The x of a x = b with triangular a [..., m, m] and b [..., m, n], whose leading dims are
 * broadcast; b may be one vector [m]: tsr_solve_triangular(L, b, .lower = true). Error
 * (TSR_ERROR_ARGUMENT): .trans that is not 0, 1 or 2. */
TSR_OP tsr *tsr_solve_triangular_at(const char *where, tsr *a, tsr *b,
                                    const tsr_solve_triangular_args *args);
/** The x of a x = b from the Cholesky factor of a, which is upper unless .lower says otherwise;
 * dims as for tsr_solve_triangular(). */
TSR_OP tsr *tsr_cho_solve_at(const char *where, tsr *factor, tsr *b,
                             const tsr_cho_solve_args *args);

/* ---- other factorisations: results to out; false: all of out is poison */

/** Of a [..., m, n], with k the smaller of m and n: out[0] [..., m, n], the upper triangular U with
 * L below it, whose diagonal is 1 and not stored; out[1] i32[..., k]: row i was swapped with row
 * out[1][i], one after the other; out[2] i32[..., m]: the order of the rows that this makes. L U is
 * a in that order of rows. tsr_lu(a, out) */
TSR_API bool tsr_lu_at(const char *where, tsr *a, tsr *out[3]);
/** a = q r: out[0], q, [..., m, k], whose columns are orthogonal and of size 1; out[1], r, [..., k,
 * n], upper triangular. The smaller of m and n is k, or m with .full_matrices. tsr_qr(a, out) */
TSR_API bool tsr_qr_at(const char *where, tsr *a, tsr *out[2], const tsr_qr_args *args);
/** Of a Hermitian a [..., n, n]: out[0], the eigenvalues, rising, real, [..., n]; out[1], the
 * eigenvectors, as columns, whose signs (of complex ones, factors of size 1) are any. tsr_eigh(a,
 * out) */
TSR_API bool tsr_eigh_at(const char *where, tsr *a, tsr *out[2], const tsr_eigh_args *args);
/** The eigenvalues of tsr_eigh() without the vectors: tsr_eigvalsh(a). */
TSR_OP tsr *tsr_eigvalsh_at(const char *where, tsr *a, const tsr_eigh_args *args);
/** a = u s vh: out[0], u, whose columns are orthogonal and of size 1; out[1], the singular values,
 * falling, real, [..., k]; out[2], vh, likewise by rows. tsr_svd(a, out, .thin = true) */
TSR_API bool tsr_svd_at(const char *where, tsr *a, tsr *out[3], const tsr_svd_args *args);
/** The singular values of tsr_svd() without the vectors: tsr_svdvals(a). */
TSR_OP tsr *tsr_svdvals_at(const char *where, tsr *a);

/** Polar factors, a = u h of a [..., m, n]: out[0], u, of its size, whose columns (of a wide a,
 * rows) are orthogonal and of size 1; out[1], h, [..., n, n], Hermitian, without negative
 * eigenvalues. By singular values: any a has factors, and nothing has to converge. tsr_polar(a,
 * out) */
TSR_API bool tsr_polar_at(const char *where, tsr *a, tsr *out[2]);

/* ---- of general square matrices a [..., n, n] */

/** out[0], the eigenvalues w, complex, [..., n], in any order; out[1], the eigenvectors v of
 * a v = w v, complex, as columns, of size 1, whose largest elements are real; with .left out[2],
 * likewise those of v^H a = w v^H, and nothing without. Where there are fewer vectors than columns,
 * some are alike.
 * Vectors have derivatives where eigenvalues are different and one element of a vector is the
 * largest one. tsr_eig(a, out, .left = true) */
TSR_API bool tsr_eig_at(const char *where, tsr *a, tsr *out[3], const tsr_eig_args *args);
/** The eigenvalues of tsr_eig() without the vectors: tsr_eigvals(a). */
TSR_OP tsr *tsr_eigvals_at(const char *where, tsr *a);
/** The Schur form, a = q t q^H: out[0], t, upper triangular, but of a real a with two rows
 * [x b; c x], b c < 0, for each two eigenvalues that are conjugate; out[1], q, whose columns are
 * orthogonal and of size 1. tsr_astype(a, TSR_C128) has a triangular one. No derivative.
 * tsr_schur(a, out) */
TSR_API bool tsr_schur_at(const char *where, tsr *a, tsr *out[2]);
/** The Hessenberg form h of a = q h q^H: out[0] has h on and above the diagonal and in the elements
 * next to it, and below these the vectors of the reflections that make q; out[1], [..., n - 1],
 * their factors. Without its first row and column, which are those of 1, q is
 * tsr_householder_product() of out[0] without its first row and last column. No derivative.
 * tsr_hessenberg(a, out) */
TSR_API bool tsr_hessenberg_at(const char *where, tsr *a, tsr *out[2]);
/** The tridiagonal form of a Hermitian a, of which the lower triangle is read: out[0] as of
 * tsr_hessenberg(), in that triangle, and a in the other one; out[1], [..., n], the diagonal, and
 * out[2], [..., n - 1], the numbers beside it, both real; out[3], the factors of the reflections.
 * No derivative. tsr_tridiagonal(a, out) */
TSR_API bool tsr_tridiagonal_at(const char *where, tsr *a, tsr *out[4],
                                const tsr_tridiagonal_args *args);

/* ---- of square matrices, by lu */

/** The x of a x = b; dims as for tsr_solve_triangular(). With a singular a, infinities and NaN:
 * tsr_solve(a, b). */
TSR_OP tsr *tsr_solve_at(const char *where, tsr *a, tsr *b);
/** The inverse of each matrix in the last two dims, [..., n, n]: tsr_inv(a). */
TSR_OP tsr *tsr_inv_at(const char *where, tsr *a);
/** The determinant of each matrix in the last two dims, [...] of [..., n, n]: tsr_det(a). */
TSR_OP tsr *tsr_det_at(const char *where, tsr *a);
/** out[0], the sign of the determinant, or the number of size 1 that a complex one is a multiple
 * of; out[1], the logarithm of its size: tsr_slogdet(a, out). */
TSR_API bool tsr_slogdet_at(const char *where, tsr *a, tsr *out[2]);

/* ---- by singular values */

/** How many singular values are more than rounding, [...]: tsr_matrix_rank(a). */
TSR_OP tsr *tsr_matrix_rank_at(const char *where, tsr *a, const tsr_rank_args *args);
/** The pseudoinverse of a [..., m, n], [..., n, m], without the singular values that are no more
 * than rounding: tsr_pinv(a, .rtol = 1e-3). */
TSR_OP tsr *tsr_pinv_at(const char *where, tsr *a, const tsr_rank_args *args);
/** The x for which a x is nearest to b, a [m, n], b [m, k] or [m], and of several that of least
 * size. out[0], x, [n, k] or [n]; out[1], the sum of squares of b - a x for each column; out[2],
 * the rank of a; out[3], its singular values. tsr_lstsq(a, b, out) */
TSR_API bool tsr_lstsq_at(const char *where, tsr *a, tsr *b, tsr *out[4],
                          const tsr_rank_args *args);

/* ---- the parts of qr: reflections (LAPACK's geqrf) are in a [..., m, n], m >= n, below the
 * diagonal, where each column is a vector whose element on the diagonal is 1; taus [..., k] has
 * their factors, k <= n. h = 1 - tau v v^H */

/** The first n columns of the product q of the reflections: tsr_householder_product(a, taus). */
TSR_OP tsr *tsr_householder_product_at(const char *where, tsr *a, tsr *taus);
/** q c for c [..., m, j], without q: tsr_ormqr(a, taus, c, .transpose = true). */
TSR_OP tsr *tsr_ormqr_at(const char *where, tsr *a, tsr *taus, tsr *c, const tsr_ormqr_args *args);

/** The x of a x = b with the tridiagonal a that has dl[i], d[i], du[i] in row i, on and beside the
 * diagonal, [..., n]; dl[0] and du[n - 1] are not read. b [..., n, k]. Its steps depend on each
 * other: tsr_tridiagonal_solve(dl, d, du, b). */
TSR_OP tsr *tsr_tridiagonal_solve_at(const char *where, tsr *dl, tsr *d, tsr *du, tsr *b);

/* ---- updates */

/** The upper triangular factor, with a positive diagonal, of r^H r + w w^H, from that of r^H r,
 * [..., n, n], and w [..., n]: tsr_cholesky_update(r, w). */
TSR_OP tsr *tsr_cholesky_update_at(const char *where, tsr *r, tsr *w);
/** alpha a a^T + beta c, a [..., n, m], c [..., n, n]: tsr_symmetric_product(a, c, .beta = 1). */
TSR_OP tsr *tsr_symmetric_product_at(const char *where, tsr *a, tsr *c,
                                     const tsr_symmetric_product_args *args);

/* ---- systems of equations over several dims, and chains of products */

/** The x of tensordot(a, x) = b: a [..., unknown dims], of which the first dims, as many as b has,
 * are those of its elements. x has the unknown dims. tsr_tensorsolve(a, b) */
TSR_OP tsr *tsr_tensorsolve_at(const char *where, tsr *a, tsr *b, const tsr_tensorsolve_args *args);
/** The inverse of a taken for a matrix, whose rows are its first `ind` dims: [first, others] to
 * [others, first]. 2 is the usual number. Error (TSR_ERROR_ARGUMENT): these have not as many
 * elements as the others. tsr_tensorinv(a, 2) */
TSR_OP tsr *tsr_tensorinv_at(const char *where, tsr *a, int ind);
/** The product of matrices, in the order that takes the least work; the first and the last one may
 * be vectors: tsr_multi_dot(a, b, c). */
TSR_OP tsr *tsr_multi_dot_at(const char *where, tsr *const *x, size_t n);
/** e^a of square matrices, by scaling and squaring. With a norm above 250000 (f64: 350000), NaN, as
 * in JAX: tsr_expm(a). */
TSR_OP tsr *tsr_expm_at(const char *where, tsr *a);

/* ---- powers, transposes, norms */

/** The product of n matrices a, of the inverse for a negative n: tsr_matrix_power(a, 3). */
TSR_OP tsr *tsr_matrix_power_at(const char *where, tsr *a, int n);
/** The last two dims swapped: tsr_matrix_transpose(a). */
TSR_OP tsr *tsr_matrix_transpose_at(const char *where, tsr *a);
/** (sum of |x|^p)^(1/p); the largest |x| for p = INFINITY, the least for -INFINITY, and how many
 * are not 0 for p = 0: tsr_vector_norm(x, .ord = 1, .dims = TSR_DIMS(0)). */
TSR_OP tsr *tsr_vector_norm_at(const char *where, tsr *x, const tsr_norm_args *args);
/** Norms of matrices, [..., m, n] to [...]: with .ord 1 the largest sum of sizes in a column, with
 * INFINITY in a row, with 2 the largest singular value; with minus that the smallest one.
 * tsr_matrix_norm(a, .nuclear = true) */
TSR_OP tsr *tsr_matrix_norm_at(const char *where, tsr *x, const tsr_matrix_norm_args *args);
/** Without .ord, the root of the sum of squares over all dims given; else tsr_vector_norm() over
 * one dim, or tsr_matrix_norm() over two, rows first:
 * tsr_norm(x, .ord = 1, .dims = TSR_DIMS(0, 1)). */
TSR_OP tsr *tsr_norm_at(const char *where, tsr *x, const tsr_norm_args *args);
/** The norm of a by that of its inverse, [...] (jnp.linalg.cond): without keywords the largest
 * singular value over the smallest one, also of matrices that are not square:
 * tsr_cond_number(a). */
TSR_OP tsr *tsr_cond_number_at(const char *where, tsr *a, const tsr_cond_number_args *args);

/* ---- the same without place and keywords: as values, and for debuggers */

/** tsr_cholesky_at() as a value. */
TSR_OP tsr *tsr_cholesky(tsr *a);
/** tsr_triangular_solve_at() as a value. */
TSR_OP tsr *tsr_triangular_solve(tsr *a, tsr *b);
/** tsr_solve_triangular_at() as a value. */
TSR_OP tsr *tsr_solve_triangular(tsr *a, tsr *b);
/** tsr_cho_solve_at() as a value. */
TSR_OP tsr *tsr_cho_solve(tsr *factor, tsr *b);
/** tsr_lu_at() as a value. */
TSR_API bool tsr_lu(tsr *a, tsr *out[3]);
/** tsr_qr_at() as a value. */
TSR_API bool tsr_qr(tsr *a, tsr *out[2]);
/** tsr_eigh_at() as a value. */
TSR_API bool tsr_eigh(tsr *a, tsr *out[2]);
/** tsr_eigvalsh_at() as a value. */
TSR_OP tsr *tsr_eigvalsh(tsr *a);
/** tsr_svd_at() as a value. */
TSR_API bool tsr_svd(tsr *a, tsr *out[3]);
/** tsr_svdvals_at() as a value. */
TSR_OP tsr *tsr_svdvals(tsr *a);
/** tsr_polar_at() as a value. */
TSR_API bool tsr_polar(tsr *a, tsr *out[2]);
/** tsr_eig_at() as a value. */
TSR_API bool tsr_eig(tsr *a, tsr *out[3]);
/** tsr_eigvals_at() as a value. */
TSR_OP tsr *tsr_eigvals(tsr *a);
/** tsr_schur_at() as a value. */
TSR_API bool tsr_schur(tsr *a, tsr *out[2]);
/** tsr_hessenberg_at() as a value. */
TSR_API bool tsr_hessenberg(tsr *a, tsr *out[2]);
/** tsr_tridiagonal_at() as a value. */
TSR_API bool tsr_tridiagonal(tsr *a, tsr *out[4]);
/** tsr_solve_at() as a value. */
TSR_OP tsr *tsr_solve(tsr *a, tsr *b);
/** tsr_inv_at() as a value. */
TSR_OP tsr *tsr_inv(tsr *a);
/** tsr_det_at() as a value. */
TSR_OP tsr *tsr_det(tsr *a);
/** tsr_slogdet_at() as a value. */
TSR_API bool tsr_slogdet(tsr *a, tsr *out[2]);
/** tsr_matrix_rank_at() as a value. */
TSR_OP tsr *tsr_matrix_rank(tsr *a);
/** tsr_pinv_at() as a value. */
TSR_OP tsr *tsr_pinv(tsr *a);
/** tsr_lstsq_at() as a value. */
TSR_API bool tsr_lstsq(tsr *a, tsr *b, tsr *out[4]);
/** tsr_householder_product_at() as a value. */
TSR_OP tsr *tsr_householder_product(tsr *a, tsr *taus);
/** tsr_ormqr_at() as a value. */
TSR_OP tsr *tsr_ormqr(tsr *a, tsr *taus, tsr *c);
/** tsr_tridiagonal_solve_at() as a value. */
TSR_OP tsr *tsr_tridiagonal_solve(tsr *dl, tsr *d, tsr *du, tsr *b);
/** tsr_cholesky_update_at() as a value. */
TSR_OP tsr *tsr_cholesky_update(tsr *r, tsr *w);
/** tsr_symmetric_product_at() as a value. */
TSR_OP tsr *tsr_symmetric_product(tsr *a, tsr *c);
/** tsr_tensorsolve_at() as a value. */
TSR_OP tsr *tsr_tensorsolve(tsr *a, tsr *b);
/** tsr_tensorinv_at() as a value. */
TSR_OP tsr *tsr_tensorinv(tsr *a, int ind);
/** tsr_expm_at() as a value. */
TSR_OP tsr *tsr_expm(tsr *a);
/** tsr_matrix_power_at() as a value. */
TSR_OP tsr *tsr_matrix_power(tsr *a, int n);
/** tsr_matrix_transpose_at() as a value. */
TSR_OP tsr *tsr_matrix_transpose(tsr *a);
/** tsr_vector_norm_at() as a value. */
TSR_OP tsr *tsr_vector_norm(tsr *x);
/** tsr_matrix_norm_at() as a value. */
TSR_OP tsr *tsr_matrix_norm(tsr *x);
/** tsr_norm_at() as a value. */
TSR_OP tsr *tsr_norm(tsr *x);
/** tsr_cond_number_at() as a value. */
TSR_OP tsr *tsr_cond_number(tsr *a);
#ifdef __cplusplus
}
#endif

#ifdef TSR_MACROS_
#define tsr_cholesky(...) TSR_CHOLESKY_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_CHOLESKY_(v_, a, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_cholesky_args, v_, __VA_ARGS__) \
		tsr_cholesky_at(TSR_HERE, a, &v_); }))
#define tsr_triangular_solve(a, ...) TSR_TRIANGULAR_SOLVE_(TSR_PREFIX_, a, __VA_ARGS__, )
#define TSR_TRIANGULAR_SOLVE_(v_, a, b, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_triangular_solve_args, v_, __VA_ARGS__) \
		tsr_triangular_solve_at(TSR_HERE, a, \
		TSR_GIVEN_(tsr_triangular_solve_needs_the_argument_b, b), &v_); }))
#define tsr_solve_triangular(a, ...) TSR_SOLVE_TRIANGULAR_(TSR_PREFIX_, a, __VA_ARGS__, )
#define TSR_SOLVE_TRIANGULAR_(v_, a, b, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_solve_triangular_args, v_, __VA_ARGS__) \
		tsr_solve_triangular_at(TSR_HERE, a, \
		TSR_GIVEN_(tsr_solve_triangular_needs_the_argument_b, b), &v_); }))
#define tsr_cho_solve(factor, ...) TSR_CHO_SOLVE_(TSR_PREFIX_, factor, __VA_ARGS__, )
#define TSR_CHO_SOLVE_(v_, factor, b, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_cho_solve_args, v_, __VA_ARGS__) \
		tsr_cho_solve_at(TSR_HERE, factor, TSR_GIVEN_(tsr_cho_solve_needs_the_argument_b, \
		b), &v_); }))
#define tsr_lu(a, out) tsr_lu_at(TSR_HERE, a, out)
#define tsr_qr(a, ...) TSR_QR_(#__VA_ARGS__, TSR_PREFIX_, a, __VA_ARGS__, )
#define TSR_QR_(text1, v_, a, out, ...) \
	__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_qr: give the argument out, without a name") TSR_KW_(tsr_qr_args, v_, \
		__VA_ARGS__) tsr_qr_at(TSR_HERE, a, out, &v_); })
#define tsr_eigh(a, ...) TSR_EIGH_(#__VA_ARGS__, TSR_PREFIX_, a, __VA_ARGS__, )
#define TSR_EIGH_(text1, v_, a, out, ...) \
	__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_eigh: give the argument out, without a name") TSR_KW_(tsr_eigh_args, v_, \
		__VA_ARGS__) tsr_eigh_at(TSR_HERE, a, out, &v_); })
#define tsr_eigvalsh(...) TSR_EIGVALSH_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_EIGVALSH_(v_, a, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_eigh_args, v_, __VA_ARGS__) \
		tsr_eigvalsh_at(TSR_HERE, a, &v_); }))
#define tsr_svd(a, ...) TSR_SVD_(#__VA_ARGS__, TSR_PREFIX_, a, __VA_ARGS__, )
#define TSR_SVD_(text1, v_, a, out, ...) \
	__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_svd: give the argument out, without a name") TSR_KW_(tsr_svd_args, v_, \
		__VA_ARGS__) tsr_svd_at(TSR_HERE, a, out, &v_); })
#define tsr_svdvals(a) tsr_svdvals_at(TSR_HERE, a)
#define tsr_polar(a, out) tsr_polar_at(TSR_HERE, a, out)
#define tsr_eig(a, ...) TSR_EIG_(#__VA_ARGS__, TSR_PREFIX_, a, __VA_ARGS__, )
#define TSR_EIG_(text1, v_, a, out, ...) \
	__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_eig: give the argument out, without a name") TSR_KW_(tsr_eig_args, v_, \
		__VA_ARGS__) tsr_eig_at(TSR_HERE, a, out, &v_); })
#define tsr_eigvals(a) tsr_eigvals_at(TSR_HERE, a)
#define tsr_schur(a, out) tsr_schur_at(TSR_HERE, a, out)
#define tsr_hessenberg(a, out) tsr_hessenberg_at(TSR_HERE, a, out)
#define tsr_tridiagonal(a, ...) TSR_TRIDIAGONAL_(#__VA_ARGS__, TSR_PREFIX_, a, __VA_ARGS__, )
#define TSR_TRIDIAGONAL_(text1, v_, a, out, ...) \
	__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_tridiagonal: give the argument out, without a name") \
		TSR_KW_(tsr_tridiagonal_args, v_, __VA_ARGS__) tsr_tridiagonal_at(TSR_HERE, a, \
		out, &v_); })
#define tsr_solve(a, b) tsr_solve_at(TSR_HERE, a, b)
#define tsr_inv(a) tsr_inv_at(TSR_HERE, a)
#define tsr_det(a) tsr_det_at(TSR_HERE, a)
#define tsr_slogdet(a, out) tsr_slogdet_at(TSR_HERE, a, out)
#define tsr_matrix_rank(...) TSR_MATRIX_RANK_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_MATRIX_RANK_(v_, a, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_rank_args, v_, __VA_ARGS__) \
		tsr_matrix_rank_at(TSR_HERE, a, &v_); }))
#define tsr_pinv(...) TSR_PINV_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_PINV_(v_, a, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_rank_args, v_, __VA_ARGS__) tsr_pinv_at(TSR_HERE, \
		a, &v_); }))
#define tsr_lstsq(a, b, ...) TSR_LSTSQ_(#__VA_ARGS__, TSR_PREFIX_, a, b, __VA_ARGS__, )
#define TSR_LSTSQ_(text2, v_, a, b, out, ...) \
	__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _2), text2, \
		"tsr_lstsq: give the argument out, without a name") TSR_KW_(tsr_rank_args, v_, \
		__VA_ARGS__) tsr_lstsq_at(TSR_HERE, a, b, out, &v_); })
#define tsr_householder_product(a, taus) tsr_householder_product_at(TSR_HERE, a, taus)
#define tsr_ormqr(a, taus, ...) TSR_ORMQR_(TSR_PREFIX_, a, taus, __VA_ARGS__, )
#define TSR_ORMQR_(v_, a, taus, c, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_ormqr_args, v_, __VA_ARGS__) \
		tsr_ormqr_at(TSR_HERE, a, taus, TSR_GIVEN_(tsr_ormqr_needs_the_argument_c, c), \
		&v_); }))
#define tsr_tridiagonal_solve(dl, d, du, b) tsr_tridiagonal_solve_at(TSR_HERE, dl, d, du, b)
#define tsr_cholesky_update(r, w) tsr_cholesky_update_at(TSR_HERE, r, w)
#define tsr_symmetric_product(a, ...) TSR_SYMMETRIC_PRODUCT_(TSR_PREFIX_, a, __VA_ARGS__, )
#define TSR_SYMMETRIC_PRODUCT_(v_, a, c, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_symmetric_product_args, v_, __VA_ARGS__) \
		tsr_symmetric_product_at(TSR_HERE, a, \
		TSR_GIVEN_(tsr_symmetric_product_needs_the_argument_c, c), &v_); }))
#define tsr_tensorsolve(a, ...) TSR_TENSORSOLVE_(TSR_PREFIX_, a, __VA_ARGS__, )
#define TSR_TENSORSOLVE_(v_, a, b, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_tensorsolve_args, v_, __VA_ARGS__) \
		tsr_tensorsolve_at(TSR_HERE, a, TSR_GIVEN_(tsr_tensorsolve_needs_the_argument_b, \
		b), &v_); }))
#define tsr_tensorinv(a, ind) tsr_tensorinv_at(TSR_HERE, a, ind)
#define tsr_multi_dot(...) TSR_MULTI_DOT_(TSR_PREFIX_, __VA_ARGS__)
#define TSR_MULTI_DOT_(v_, ...) \
	tsr_result_(__extension__({ tsr *const v_[] = {__VA_ARGS__}; tsr_multi_dot_at(TSR_HERE, \
		v_, sizeof v_ / sizeof *v_); }))
#define tsr_expm(a) tsr_expm_at(TSR_HERE, a)
#define tsr_matrix_power(a, n) tsr_matrix_power_at(TSR_HERE, a, n)
#define tsr_matrix_transpose(a) tsr_matrix_transpose_at(TSR_HERE, a)
#define tsr_vector_norm(...) TSR_VECTOR_NORM_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_VECTOR_NORM_(v_, x, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_norm_args, v_, __VA_ARGS__) \
		tsr_vector_norm_at(TSR_HERE, x, &v_); }))
#define tsr_matrix_norm(...) TSR_MATRIX_NORM_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_MATRIX_NORM_(v_, x, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_matrix_norm_args, v_, __VA_ARGS__) \
		tsr_matrix_norm_at(TSR_HERE, x, &v_); }))
#define tsr_norm(...) TSR_NORM_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_NORM_(v_, x, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_norm_args, v_, __VA_ARGS__) tsr_norm_at(TSR_HERE, \
		x, &v_); }))
#define tsr_cond_number(...) TSR_COND_NUMBER_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_COND_NUMBER_(v_, a, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_cond_number_args, v_, __VA_ARGS__) \
		tsr_cond_number_at(TSR_HERE, a, &v_); }))
#endif

#endif
