/* tsr/products.h - products of arrays with sums over some of their dims. tsr_dot(),
 * tsr_matmul() and tsr_dot_general() are in ops.h.
 *
 * Dtypes are promoted, and sums are those of tsr_dot_general(). Errors are those of ops.h.
 *
 *     tsr *scores = tsr_einsum("bqhd,bkhd->bhqk", queries, keys); */
/* Made by tools/make_headers.py of api/products.h.in: change that one. */
/** @file */
#ifndef TSR_PRODUCTS_H
#define TSR_PRODUCTS_H
#include "functions.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Keywords of tsr_tensordot(). */
typedef struct tsr_tensordot_args {
	TSR_KEYWORDS_
	int n;                   /**< the last n dims of a and the first n of b; 2 when not given */
	tsr_dims dims_a, dims_b; /**< instead: these, in pairs; TSR_DIMS() twice: none */
	tsr_dtype dtype;         /**< of the result; the promoted one when not given */
	/** how exact products of f32 are; not given: what tsr_open() was given */
	TSR_ADDED_ tsr_precision precision;
	TSR_KEYWORDS_END_
} tsr_tensordot_args;

/** Keyword of tsr_vecdot(). */
typedef struct tsr_vecdot_args {
	TSR_KEYWORDS_
	tsr_dims dim; /**< one dim of both; the last one when not given */
	TSR_KEYWORDS_END_
} tsr_vecdot_args;

/** Keyword of tsr_cross(). */
typedef struct tsr_cross_args {
	TSR_KEYWORDS_
	tsr_dims dim; /**< one dim of both and of the result; the last one when not given */
	TSR_KEYWORDS_END_
} tsr_cross_args;

/** Products by Einstein's convention: each dim has a letter, and what has a letter that the result
 * lacks is summed over. tsr_einsum("ij,jk->ik", a, b); "ii->i" is a diagonal, "..." means any
 * dims, which are broadcast; without an arrow the result has the letters that occur once, in
 * order. Of more than two arrays the products that take the fewest multiplications come first.
 * Errors: a text that does not fit the arrays (TSR_ERROR_ARGUMENT), one letter for different sizes
 * (TSR_ERROR_TYPE). */
TSR_OP tsr *tsr_einsum_at(const char *where, const char *subscripts, tsr *const *x, size_t n);
/** NumPy's tensordot: sums over dims of a and b in pairs; the result has the other dims of a, then
 * those of b. tsr_tensordot(a, b, .dims_a = TSR_DIMS(1), .dims_b = TSR_DIMS(0)). Errors: dims of
 * different sizes (TSR_ERROR_TYPE), lists of different lengths (TSR_ERROR_ARGUMENT). */
TSR_OP tsr *tsr_tensordot_at(const char *where, tsr *a, tsr *b, const tsr_tensordot_args *args);
/** Sums over the last dim of both; a scalar multiplies. */
TSR_OP tsr *tsr_inner_at(const char *where, tsr *a, tsr *b);
/** Each element of a with each of b, both ravelled: [m, n]. */
TSR_OP tsr *tsr_outer_at(const char *where, tsr *a, tsr *b);
/** The sum of conj(a) b over all elements, both ravelled. */
TSR_OP tsr *tsr_vdot_at(const char *where, tsr *a, tsr *b);
/** The sum of conj(a) b along a dim; other dims are broadcast: tsr_vecdot(a, b, .dim =
 * TSR_DIMS(0)). Error (TSR_ERROR_TYPE): different sizes of the dim. */
TSR_OP tsr *tsr_vecdot_at(const char *where, tsr *a, tsr *b, const tsr_vecdot_args *args);
/** Matrices times vectors: [..., n, m] and [..., m] give [..., n]. */
TSR_OP tsr *tsr_matvec_at(const char *where, tsr *a, tsr *b);
/** Conjugated vectors times matrices: [..., n] and [..., n, m] give [..., m]. */
TSR_OP tsr *tsr_vecmat_at(const char *where, tsr *a, tsr *b);
/** Kronecker's product: dim d of the result has the product of both sizes, a's index in front. */
TSR_OP tsr *tsr_kron_at(const char *where, tsr *a, tsr *b);
/** The cross product of vectors of 3 along a dim; those of 2 have 0 as their third element, and of
 * two of them the result is that element alone. Error (TSR_ERROR_TYPE): other sizes. */
TSR_OP tsr *tsr_cross_at(const char *where, tsr *a, tsr *b, const tsr_cross_args *args);

/* ---- the same without place and keywords: as values, and for debuggers */

/** tsr_tensordot_at() as a value. */
TSR_OP tsr *tsr_tensordot(tsr *a, tsr *b);
/** tsr_inner_at() as a value. */
TSR_OP tsr *tsr_inner(tsr *a, tsr *b);
/** tsr_outer_at() as a value. */
TSR_OP tsr *tsr_outer(tsr *a, tsr *b);
/** tsr_vdot_at() as a value. */
TSR_OP tsr *tsr_vdot(tsr *a, tsr *b);
/** tsr_vecdot_at() as a value. */
TSR_OP tsr *tsr_vecdot(tsr *a, tsr *b);
/** tsr_matvec_at() as a value. */
TSR_OP tsr *tsr_matvec(tsr *a, tsr *b);
/** tsr_vecmat_at() as a value. */
TSR_OP tsr *tsr_vecmat(tsr *a, tsr *b);
/** tsr_kron_at() as a value. */
TSR_OP tsr *tsr_kron(tsr *a, tsr *b);
/** tsr_cross_at() as a value. */
TSR_OP tsr *tsr_cross(tsr *a, tsr *b);
#ifdef __cplusplus
}
#endif

#ifdef TSR_MACROS_
#define tsr_einsum(...) TSR_EINSUM_(TSR_PREFIX_, __VA_ARGS__)
#define TSR_EINSUM_(v_, subscripts, ...) \
	tsr_result_(__extension__({ tsr *const v_[] = {__VA_ARGS__}; tsr_einsum_at(TSR_HERE, \
		subscripts, v_, sizeof v_ / sizeof *v_); }))
#define tsr_tensordot(a, ...) TSR_TENSORDOT_(TSR_PREFIX_, a, __VA_ARGS__, )
#define TSR_TENSORDOT_(v_, a, b, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_tensordot_args, v_, __VA_ARGS__) \
		tsr_tensordot_at(TSR_HERE, a, TSR_GIVEN_(tsr_tensordot_needs_the_argument_b, b), \
		&v_); }))
#define tsr_inner(a, b) tsr_inner_at(TSR_HERE, a, b)
#define tsr_outer(a, b) tsr_outer_at(TSR_HERE, a, b)
#define tsr_vdot(a, b) tsr_vdot_at(TSR_HERE, a, b)
#define tsr_vecdot(a, ...) TSR_VECDOT_(TSR_PREFIX_, a, __VA_ARGS__, )
#define TSR_VECDOT_(v_, a, b, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_vecdot_args, v_, __VA_ARGS__) \
		tsr_vecdot_at(TSR_HERE, a, TSR_GIVEN_(tsr_vecdot_needs_the_argument_b, b), &v_); \
		}))
#define tsr_matvec(a, b) tsr_matvec_at(TSR_HERE, a, b)
#define tsr_vecmat(a, b) tsr_vecmat_at(TSR_HERE, a, b)
#define tsr_kron(a, b) tsr_kron_at(TSR_HERE, a, b)
#define tsr_cross(a, ...) TSR_CROSS_(TSR_PREFIX_, a, __VA_ARGS__, )
#define TSR_CROSS_(v_, a, b, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_cross_args, v_, __VA_ARGS__) \
		tsr_cross_at(TSR_HERE, a, TSR_GIVEN_(tsr_cross_needs_the_argument_b, b), &v_); }))

/** tsr_einsum() of the n arrays in a list: tsr_einsum_list("ij,jk->ik", x, 2). */
#define tsr_einsum_list(subscripts, x, n) tsr_einsum_at(TSR_HERE, subscripts, x, n)
#endif

#endif
