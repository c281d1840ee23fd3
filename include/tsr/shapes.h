/* tsr/shapes.h - moves, repeats, joins and cuts the elements of arrays, as jax.numpy does.
 * tsr_reshape(), tsr_transpose(), tsr_concatenate() and their like are in ops.h.
 *
 * Dims may be counted from the end. Errors are those of ops.h.
 *
 *     tsr *later = tsr_roll(x, 1, 0), *mask = tsr_tril(tsr_ones_like(scores), 0); */
/* Made by tools/make_headers.py of api/shapes.h.in: change that one. */
/** @file */
#ifndef TSR_SHAPES_H
#define TSR_SHAPES_H
#include "array.h"
#include "products.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- dims */

/** With dims from[i] as dims to[i] of the result; the others keep their order.
 * tsr_moveaxis(x, TSR_DIMS(0), TSR_DIMS(-1)). Error (TSR_ERROR_ARGUMENT): lists of different
 * lengths. */
TSR_OP tsr *tsr_moveaxis_at(const char *where, tsr *x, tsr_dims from, tsr_dims to);
/** x with the dims a and b in each other's place: tsr_swapaxes(x, 0, 1). */
TSR_OP tsr *tsr_swapaxes_at(const char *where, tsr *x, int a, int b);
/** x with at least one dim: a scalar becomes [1], all else is left as it is. */
TSR_OP tsr *tsr_atleast_1d_at(const char *where, tsr *x);
/** x with at least two dims, of which new ones are in front: [n] becomes [1, n]. */
TSR_OP tsr *tsr_atleast_2d_at(const char *where, tsr *x);
/** x with at least three dims: [n] becomes [1, n, 1], and [m, n] [m, n, 1]. */
TSR_OP tsr *tsr_atleast_3d_at(const char *where, tsr *x);
/** The n arrays of a list broadcast together, into out, which may be the list. false: all are
 * poison. */
TSR_API bool tsr_broadcast_arrays_at(const char *where, tsr *const *x, tsr **out, size_t n);

/* ---- order */

/** Elements moved by `shift` places along a dim; those that leave it at one end enter at the other.
 * Along TSR_FLAT as if x had one dim. tsr_roll(x, 1, 0) */
TSR_OP tsr *tsr_roll_at(const char *where, tsr *x, int64_t shift, int dim);
/** tsr_roll() by a shift that may be traced: an integer, of C or an array without dims, which
 * counts modulo the size of the dim. tsr_dynamic_roll(x, step, 0). Error (TSR_ERROR_TYPE): another
 * shift. */
TSR_OP tsr *tsr_dynamic_roll_at(const char *where, tsr *x, tsr_arg shift, int dim);
/** A quarter turn, k times, from dim a to dim b: tsr_rot90(image, 1, 0, 1). Error
 * (TSR_ERROR_ARGUMENT): a and b are one dim. */
TSR_OP tsr *tsr_rot90_at(const char *where, tsr *x, int k, int a, int b);

/* ---- repeating */

/** The whole of x times[d] times along dim d: tsr_tile(x, TSR_DIMS(2, 1)). Lists of different
 * lengths are completed by ones in front. Error (TSR_ERROR_ARGUMENT): a negative number. */
TSR_OP tsr *tsr_tile_at(const char *where, tsr *x, tsr_dims times);
/** Each element n times along a dim; along TSR_FLAT x is ravelled first: tsr_repeat(x, 2, 0). */
TSR_OP tsr *tsr_repeat_at(const char *where, tsr *x, int64_t n, int dim);
/** Element i of a dim times[i] times, for an array of integers of one dim, or one for all elements;
 * along TSR_FLAT x is ravelled first. The dim gets the size n, whatever they hold: what is too much
 * is cut off, and where there is too little the last element fills the rest. Negative ones count as
 * 0. jnp.repeat() with total_repeat_length: tsr_repeat_each(x, counts, 10, 0). Errors: times that
 * are no integers or not as many (TSR_ERROR_TYPE), a negative n, nothing to repeat
 * (TSR_ERROR_ARGUMENT). */
TSR_OP tsr *tsr_repeat_each_at(const char *where, tsr *x, tsr *times, int64_t n, int dim);
/** The elements of x, ravelled, again and again, until these dims are full. */
TSR_OP tsr *tsr_resize_at(const char *where, tsr *x, tsr_dims dims);

/* ---- joining and parting */

/** Arrays joined along dim 1, those of one dim along dim 0: tsr_hstack(a, b). */
TSR_OP tsr *tsr_hstack_at(const char *where, tsr *const *x, size_t n);
/** Arrays joined along dim 0; those of one dim are rows. */
TSR_OP tsr *tsr_vstack_at(const char *where, tsr *const *x, size_t n);
/** Arrays joined along dim 2, after tsr_atleast_3d(). */
TSR_OP tsr *tsr_dstack_at(const char *where, tsr *const *x, size_t n);
/** Arrays joined along dim 1; those of one dim are columns. */
TSR_OP tsr *tsr_column_stack_at(const char *where, tsr *const *x, size_t n);
/** As tsr_split() into n parts, of which the first ones have one element more where n does not
 * divide the dim. */
TSR_API bool tsr_array_split_at(const char *where, tsr *x, int dim, tsr **out, size_t n);
/** The n elements of a dim, which is dropped, into out. Error (TSR_ERROR_ARGUMENT): the dim has not
 * size n. false: all are poison. */
TSR_API bool tsr_unstack_at(const char *where, tsr *x, int dim, tsr **out, size_t n);

/* ---- complex numbers as pairs */

/** Complex numbers [...] as their real and imaginary parts, [..., 2]: tsr_view_as_real(z). Where z
 * may be real, tsr_real() and tsr_imag() take it. Error (TSR_ERROR_TYPE): numbers that are not
 * complex. */
TSR_OP tsr *tsr_view_as_real_at(const char *where, tsr *z);
/** Pairs [..., 2] of f32 or f64 as complex numbers [...]: the inverse. Error (TSR_ERROR_TYPE):
 * other dims or another dtype. */
TSR_OP tsr *tsr_view_as_complex_at(const char *where, tsr *x);

/* ---- diagonals. Diagonal k of a matrix has the elements (i, i + k) */

/** Keywords of tsr_diagonal() and tsr_trace(). */
typedef struct tsr_diagonal_args {
	TSR_KEYWORDS_
	int k;           /**< which diagonal */
	tsr_dims dims;   /**< two dims; 0 and 1 when not given */
	tsr_dtype dtype; /**< of tsr_trace(), as that of tsr_sum() */
	TSR_KEYWORDS_END_
} tsr_diagonal_args;

/** A diagonal of two dims, as the last dim: tsr_diagonal(x, .k = 1). Error (TSR_ERROR_TYPE): less
 * than two dims. */
TSR_OP tsr *tsr_diagonal_at(const char *where, tsr *x, const tsr_diagonal_args *args);
/** The sum of the elements of tsr_diagonal(), which the keywords choose: tsr_trace(x, .k = 1). */
TSR_OP tsr *tsr_trace_at(const char *where, tsr *x, const tsr_diagonal_args *args);
/** Of one dim: a square matrix with x as diagonal k, and zeros. Of two: diagonal k. */
TSR_OP tsr *tsr_diag_at(const char *where, tsr *x, int k);
/** A square matrix with the elements of x, ravelled, as diagonal k, and zeros. */
TSR_OP tsr *tsr_diagflat_at(const char *where, tsr *x, int k);
/** The elements of each matrix in the last two dims, with zeros above diagonal k: tsr_tril(x, 0).
 * */
TSR_OP tsr *tsr_tril_at(const char *where, tsr *x, int k);
/** The elements of each matrix in the last two dims, with zeros below diagonal k: tsr_triu(x, 1).
 * */
TSR_OP tsr *tsr_triu_at(const char *where, tsr *x, int k);
/** n x m ones up to diagonal k, and zeros above it; f32 when not given. */
TSR_OP tsr *tsr_tri_at(const char *where, tsr_ctx *ctx, int64_t n, int64_t m, int k,
                       const tsr_new_args *args);
/** x with its elements (i, i, ...) replaced by a number. Errors (TSR_ERROR_TYPE): less than two
 * dims, more than two that differ. */
TSR_OP tsr *tsr_fill_diagonal_at(const char *where, tsr *x, tsr_arg value);
/** Columns x^(n - 1), ..., x, 1; increasing: from 1 on. [m] gives [m, n]. */
TSR_OP tsr *tsr_vander_at(const char *where, tsr *x, int64_t n, bool increasing);

/* ---- grids and places */

/** Keywords of tsr_meshgrid(). */
typedef struct tsr_meshgrid_args {
	TSR_KEYWORDS_
	bool ij;     /**< array i goes along dim i; otherwise the first two go along each other's */
	bool sparse; /**< the other dims have size 1 */
	TSR_KEYWORDS_END_
} tsr_meshgrid_args;

/** Coordinates of a grid of n arrays of one dim, into out, which may be the list: each goes along
 * its own dim of n. With .ij and .sparse NumPy's ix_. false: all are poison. */
TSR_API bool tsr_meshgrid_at(const char *where, tsr *const *x, tsr **out, size_t n,
                             const tsr_meshgrid_args *args);
/** The index of each element of an array of these dims along each dim: [number of dims, dims ...];
 * when not given i32, or i64 where a dim needs it. */
TSR_OP tsr *tsr_indices_at(const char *where, tsr_ctx *ctx, tsr_dims dims,
                           const tsr_new_args *args);
/** The places along each of these dims of row-major numbers, integers, into out; those beyond an
 * end are moved there, and negative ones count from the end. tsr_unravel_index(best, TSR_DIMS(4,
 * 5), out). false: all are poison. */
TSR_API bool tsr_unravel_index_at(const char *where, tsr *x, tsr_dims dims, tsr **out);
/** The row-major numbers of places, one array for each of these dims, integers: moved into the dims
 * with TSR_CLIP, modulo their sizes with TSR_WRAP, and otherwise as they are. */
TSR_OP tsr *tsr_ravel_multi_index_at(const char *where, tsr *const *x, tsr_dims dims,
                                     enum tsr_index_mode mode);

/* ---- the same without place and keywords: as values, and for debuggers */

/** tsr_moveaxis_at() as a value. */
TSR_OP tsr *tsr_moveaxis(tsr *x, tsr_dims from, tsr_dims to);
/** tsr_swapaxes_at() as a value. */
TSR_OP tsr *tsr_swapaxes(tsr *x, int a, int b);
/** tsr_atleast_1d_at() as a value. */
TSR_OP tsr *tsr_atleast_1d(tsr *x);
/** tsr_atleast_2d_at() as a value. */
TSR_OP tsr *tsr_atleast_2d(tsr *x);
/** tsr_atleast_3d_at() as a value. */
TSR_OP tsr *tsr_atleast_3d(tsr *x);
/** tsr_broadcast_arrays_at() as a value. */
TSR_API bool tsr_broadcast_arrays(tsr *const *x, tsr **out, size_t n);
/** tsr_roll_at() as a value. */
TSR_OP tsr *tsr_roll(tsr *x, int64_t shift, int dim);
/** tsr_dynamic_roll_at() as a value. */
TSR_OP tsr *tsr_dynamic_roll(tsr *x, tsr *shift, int dim);
/** tsr_rot90_at() as a value. */
TSR_OP tsr *tsr_rot90(tsr *x, int k, int a, int b);
/** tsr_tile_at() as a value. */
TSR_OP tsr *tsr_tile(tsr *x, tsr_dims times);
/** tsr_repeat_at() as a value. */
TSR_OP tsr *tsr_repeat(tsr *x, int64_t n, int dim);
/** tsr_repeat_each_at() as a value. */
TSR_OP tsr *tsr_repeat_each(tsr *x, tsr *times, int64_t n, int dim);
/** tsr_resize_at() as a value. */
TSR_OP tsr *tsr_resize(tsr *x, tsr_dims dims);
/** tsr_array_split_at() as a value. */
TSR_API bool tsr_array_split(tsr *x, int dim, tsr **out, size_t n);
/** tsr_unstack_at() as a value. */
TSR_API bool tsr_unstack(tsr *x, int dim, tsr **out, size_t n);
/** tsr_view_as_real_at() as a value. */
TSR_OP tsr *tsr_view_as_real(tsr *z);
/** tsr_view_as_complex_at() as a value. */
TSR_OP tsr *tsr_view_as_complex(tsr *x);
/** tsr_diagonal_at() as a value. */
TSR_OP tsr *tsr_diagonal(tsr *x);
/** tsr_trace_at() as a value. */
TSR_OP tsr *tsr_trace(tsr *x);
/** tsr_diag_at() as a value. */
TSR_OP tsr *tsr_diag(tsr *x, int k);
/** tsr_diagflat_at() as a value. */
TSR_OP tsr *tsr_diagflat(tsr *x, int k);
/** tsr_tril_at() as a value. */
TSR_OP tsr *tsr_tril(tsr *x, int k);
/** tsr_triu_at() as a value. */
TSR_OP tsr *tsr_triu(tsr *x, int k);
/** tsr_tri_at() as a value. */
TSR_OP tsr *tsr_tri(tsr_ctx *ctx, int64_t n, int64_t m, int k);
/** tsr_fill_diagonal_at() as a value. */
TSR_OP tsr *tsr_fill_diagonal(tsr *x, tsr *value);
/** tsr_vander_at() as a value. */
TSR_OP tsr *tsr_vander(tsr *x, int64_t n, bool increasing);
/** tsr_meshgrid_at() as a value. */
TSR_API bool tsr_meshgrid(tsr *const *x, tsr **out, size_t n);
/** tsr_indices_at() as a value. */
TSR_OP tsr *tsr_indices(tsr_ctx *ctx, tsr_dims dims);
/** tsr_unravel_index_at() as a value. */
TSR_API bool tsr_unravel_index(tsr *x, tsr_dims dims, tsr **out);
/** tsr_ravel_multi_index_at() as a value. */
TSR_OP tsr *tsr_ravel_multi_index(tsr *const *x, tsr_dims dims, enum tsr_index_mode mode);
#ifdef __cplusplus
}
#endif

#ifdef TSR_MACROS_
#define tsr_moveaxis(x, from, to) tsr_moveaxis_at(TSR_HERE, x, from, to)
#define tsr_swapaxes(x, a, b) tsr_swapaxes_at(TSR_HERE, x, a, b)
#define tsr_atleast_1d(x) tsr_atleast_1d_at(TSR_HERE, x)
#define tsr_atleast_2d(x) tsr_atleast_2d_at(TSR_HERE, x)
#define tsr_atleast_3d(x) tsr_atleast_3d_at(TSR_HERE, x)
#define tsr_broadcast_arrays(x, out, n) tsr_broadcast_arrays_at(TSR_HERE, x, out, n)
#define tsr_roll(x, shift, dim) tsr_roll_at(TSR_HERE, x, shift, dim)
#define tsr_dynamic_roll(x, shift, dim) TSR_DYNAMIC_ROLL_(TSR_PREFIX_, x, shift, dim)
#define TSR_DYNAMIC_ROLL_(v_, x, shift, dim) \
	tsr_result_(__extension__({ TSR_LET_(v_, _1, shift) tsr_dynamic_roll_at(TSR_HERE, x, \
		TSR_OPERAND_PICK_(TSR_CAT_(v_, _1)), dim); }))
#define tsr_rot90(x, k, a, b) tsr_rot90_at(TSR_HERE, x, k, a, b)
#define tsr_tile(x, times) tsr_tile_at(TSR_HERE, x, times)
#define tsr_repeat(x, n, dim) tsr_repeat_at(TSR_HERE, x, n, dim)
#define tsr_repeat_each(x, times, n, dim) tsr_repeat_each_at(TSR_HERE, x, times, n, dim)
#define tsr_resize(x, dims) tsr_resize_at(TSR_HERE, x, dims)
#define tsr_hstack(...) TSR_HSTACK_(TSR_PREFIX_, __VA_ARGS__)
#define TSR_HSTACK_(v_, ...) \
	tsr_result_(__extension__({ tsr *const v_[] = {__VA_ARGS__}; tsr_hstack_at(TSR_HERE, v_, \
		sizeof v_ / sizeof *v_); }))
#define tsr_vstack(...) TSR_VSTACK_(TSR_PREFIX_, __VA_ARGS__)
#define TSR_VSTACK_(v_, ...) \
	tsr_result_(__extension__({ tsr *const v_[] = {__VA_ARGS__}; tsr_vstack_at(TSR_HERE, v_, \
		sizeof v_ / sizeof *v_); }))
#define tsr_dstack(...) TSR_DSTACK_(TSR_PREFIX_, __VA_ARGS__)
#define TSR_DSTACK_(v_, ...) \
	tsr_result_(__extension__({ tsr *const v_[] = {__VA_ARGS__}; tsr_dstack_at(TSR_HERE, v_, \
		sizeof v_ / sizeof *v_); }))
#define tsr_column_stack(...) TSR_COLUMN_STACK_(TSR_PREFIX_, __VA_ARGS__)
#define TSR_COLUMN_STACK_(v_, ...) \
	tsr_result_(__extension__({ tsr *const v_[] = {__VA_ARGS__}; tsr_column_stack_at(TSR_HERE, \
		v_, sizeof v_ / sizeof *v_); }))
#define tsr_array_split(x, dim, out, n) tsr_array_split_at(TSR_HERE, x, dim, out, n)
#define tsr_unstack(x, dim, out, n) tsr_unstack_at(TSR_HERE, x, dim, out, n)
#define tsr_view_as_real(z) tsr_view_as_real_at(TSR_HERE, z)
#define tsr_view_as_complex(x) tsr_view_as_complex_at(TSR_HERE, x)
#define tsr_diagonal(...) TSR_DIAGONAL_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_DIAGONAL_(v_, x, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_diagonal_args, v_, __VA_ARGS__) \
		tsr_diagonal_at(TSR_HERE, x, &v_); }))
#define tsr_trace(...) TSR_TRACE_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_TRACE_(v_, x, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_diagonal_args, v_, __VA_ARGS__) \
		tsr_trace_at(TSR_HERE, x, &v_); }))
#define tsr_diag(x, k) tsr_diag_at(TSR_HERE, x, k)
#define tsr_diagflat(x, k) tsr_diagflat_at(TSR_HERE, x, k)
#define tsr_tril(x, k) tsr_tril_at(TSR_HERE, x, k)
#define tsr_triu(x, k) tsr_triu_at(TSR_HERE, x, k)
#define tsr_tri(ctx, n, m, ...) TSR_TRI_(#__VA_ARGS__, TSR_PREFIX_, ctx, n, m, __VA_ARGS__, )
#define TSR_TRI_(text3, v_, ctx, n, m, k, ...) \
	tsr_result_(__extension__({ TSR_LET_(v_, _0, ctx) TSR_CHECK_TEXT_(TSR_CAT_(v_, _3), text3, \
		"tsr_tri: give the argument k, without a name") TSR_KW_(tsr_new_args, v_, \
		__VA_ARGS__) tsr_tri_at(TSR_HERE, TSR_CTX_PICK_(TSR_CAT_(v_, _0)), n, m, k, &v_); \
		}))
#define tsr_fill_diagonal(x, value) TSR_FILL_DIAGONAL_(TSR_PREFIX_, x, value)
#define TSR_FILL_DIAGONAL_(v_, x, value) \
	tsr_result_(__extension__({ TSR_LET_(v_, _1, value) tsr_fill_diagonal_at(TSR_HERE, x, \
		TSR_OPERAND_PICK_(TSR_CAT_(v_, _1))); }))
#define tsr_vander(x, n, increasing) tsr_vander_at(TSR_HERE, x, n, increasing)
#define tsr_meshgrid(x, out, ...) TSR_MESHGRID_(#__VA_ARGS__, TSR_PREFIX_, x, out, __VA_ARGS__, )
#define TSR_MESHGRID_(text2, v_, x, out, n, ...) \
	__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _2), text2, \
		"tsr_meshgrid: give the argument n, without a name") TSR_KW_(tsr_meshgrid_args, \
		v_, __VA_ARGS__) tsr_meshgrid_at(TSR_HERE, x, out, n, &v_); })
#define tsr_indices(ctx, ...) TSR_INDICES_(#__VA_ARGS__, TSR_PREFIX_, ctx, __VA_ARGS__, )
#define TSR_INDICES_(text1, v_, ctx, dims, ...) \
	tsr_result_(__extension__({ TSR_LET_(v_, _0, ctx) TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_indices: write the argument dims as TSR_DIMS(2, 3)") TSR_LET_DIMS_(v_, _1, \
		dims, "tsr_indices: write the argument dims as TSR_DIMS(2, 3)") \
		TSR_KW_(tsr_new_args, v_, __VA_ARGS__) tsr_indices_at(TSR_HERE, \
		TSR_CTX_PICK_(TSR_CAT_(v_, _0)), TSR_CAT_(v_, _1), &v_); }))
#define tsr_unravel_index(x, dims, out) tsr_unravel_index_at(TSR_HERE, x, dims, out)
#define tsr_ravel_multi_index(x, dims, mode) tsr_ravel_multi_index_at(TSR_HERE, x, dims, mode)
#endif

#endif
