/* tsr/linalg.h - linear algebra: factorisations, and systems of equations.
 * Made by tools/make_headers.py of api/linalg.h.in: change that one.
 *
 *     tsr *L = tsr_cholesky(a);
 *     tsr *x = tsr_cho_solve(L, b, .lower = true);
 *
 * Matrices stand in the last two dims; all dims before these are a batch, and may be split over
 * devices. Operands are promoted to a common dtype, integers and bool to floats. Dtypes are f32,
 * f64, c64 and c128; f16 and bf16 must be converted (TSR_ERROR_TYPE), as in JAX. Names and results
 * are those of jax.numpy.linalg, jax.scipy.linalg and jax.lax.linalg. Where a matrix has no such
 * factorisation, the result is NaN. Derivatives are those of JAX.
 *
 * Large matrices are factorised by LAPACK, where the engine has it; docs/numerics.md says what that
 * means for the bits. Errors of all: as in tsr/ops.h. */
/** @file */
#ifndef TSR_LINALG_H
#define TSR_LINALG_H
#include "context.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Keywords of tsr_cholesky(). */
typedef struct TSR_BY_NAME_ tsr_cholesky_args {
	TSR_KEYWORDS_;
	bool upper;      /**< L^H in place of L */
	bool lower_only; /**< a is not made Hermitian first, by (a + a^H) / 2: its lower triangle
	                      alone is read */
} tsr_cholesky_args;

/** Keywords of tsr_triangular_solve(), op(a) x = b. */
typedef struct TSR_BY_NAME_ tsr_triangular_solve_args {
	TSR_KEYWORDS_;
	bool left_side;     /**< op(a) x = b in place of x op(a) = b */
	bool lower;         /**< the lower triangle of a is read, in place of the upper one */
	bool transpose_a;   /**< op is the transpose */
	bool conjugate_a;   /**< op is the conjugate, of the transpose if both are given */
	bool unit_diagonal; /**< the diagonal of a counts as ones, whatever is there */
} tsr_triangular_solve_args;

/** Keywords of tsr_solve_triangular(). */
typedef struct TSR_BY_NAME_ tsr_solve_triangular_args {
	TSR_KEYWORDS_;
	int trans;          /**< 0: a x = b; 1: a^T x = b; 2: a^H x = b */
	bool lower;         /**< the lower triangle of a is read, in place of the upper one */
	bool unit_diagonal; /**< the diagonal of a counts as ones, whatever is there */
} tsr_solve_triangular_args;

/** Keyword of tsr_cho_solve(). */
typedef struct TSR_BY_NAME_ tsr_cho_solve_args {
	TSR_KEYWORDS_;
	bool lower; /**< the factor is L, in place of L^H */
} tsr_cho_solve_args;

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

/* ---- the same without place and keywords: as values, and for debuggers */

/** tsr_cholesky_at() as a value. */
TSR_OP tsr *tsr_cholesky(tsr *a);
/** tsr_triangular_solve_at() as a value. */
TSR_OP tsr *tsr_triangular_solve(tsr *a, tsr *b);
/** tsr_solve_triangular_at() as a value. */
TSR_OP tsr *tsr_solve_triangular(tsr *a, tsr *b);
/** tsr_cho_solve_at() as a value. */
TSR_OP tsr *tsr_cho_solve(tsr *factor, tsr *b);
#ifdef __cplusplus
}
#endif

#ifdef TSR_MACROS_
#define tsr_cholesky(...) TSR_CHOLESKY_(TSR_VAR_, __VA_ARGS__, )
#define TSR_CHOLESKY_(v_, a, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_cholesky_args, v_, __VA_ARGS__) \
		tsr_cholesky_at(TSR_HERE, a, &v_); }))
#define tsr_triangular_solve(...) TSR_TRIANGULAR_SOLVE_(TSR_VAR_, __VA_ARGS__, )
#define TSR_TRIANGULAR_SOLVE_(v_, a, b, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_triangular_solve_args, v_, __VA_ARGS__) \
		tsr_triangular_solve_at(TSR_HERE, a, b, &v_); }))
#define tsr_solve_triangular(...) TSR_SOLVE_TRIANGULAR_(TSR_VAR_, __VA_ARGS__, )
#define TSR_SOLVE_TRIANGULAR_(v_, a, b, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_solve_triangular_args, v_, __VA_ARGS__) \
		tsr_solve_triangular_at(TSR_HERE, a, b, &v_); }))
#define tsr_cho_solve(...) TSR_CHO_SOLVE_(TSR_VAR_, __VA_ARGS__, )
#define TSR_CHO_SOLVE_(v_, factor, b, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_cho_solve_args, v_, __VA_ARGS__) \
		tsr_cho_solve_at(TSR_HERE, factor, b, &v_); }))
#endif

#endif
