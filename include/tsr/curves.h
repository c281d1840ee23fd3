/* tsr/curves.h - sampled functions: numbers in steps, windows, differences, polynomials, as
 * jax.numpy has them.
 *
 * Errors are those of ops.h.
 *
 *     tsr *x = tsr_linspace(ctx, 0, 1, 100), *slope = tsr_gradient(tsr_sin(x), 0, 1.0 / 99); */
/* Made by tools/make_headers.py of api/curves.h.in: change that one. */
/** @file */
#ifndef TSR_CURVES_H
#define TSR_CURVES_H
#include "statistics.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- numbers in steps */

/** Keywords of tsr_linspace() and tsr_geomspace(). */
typedef struct tsr_linspace_args {
	TSR_KEYWORDS_
	bool open;       /**< stop itself is left out */
	tsr_dims dim;    /**< the dim of the n numbers, if an end has dims; 0 when not given */
	tsr_dtype dtype; /**< that of start and stop as floats when not given; integers are rounded
	                  * down */
	TSR_KEYWORDS_END_
} tsr_linspace_args;

/** Keywords of tsr_logspace(). */
typedef struct tsr_logspace_args {
	TSR_KEYWORDS_
	bool open;
	tsr_dims dim;
	tsr_dtype dtype;
	double base; /**< 10 when not given */
	TSR_KEYWORDS_END_
} tsr_logspace_args;

/** n numbers from start to stop in equal steps: tsr_linspace(ctx, 0, 1, 5). Error
 * (TSR_ERROR_ARGUMENT): n < 0. */
TSR_OP tsr *tsr_linspace_at(const char *where, tsr_ctx *ctx, tsr_arg start, tsr_arg stop, int64_t n,
                            const tsr_linspace_args *args);
/** n numbers, .base to the power of those of tsr_linspace(): tsr_logspace(ctx, 0, 3, 4) is 1, 10,
 * 100, 1000. Error (TSR_ERROR_ARGUMENT): n < 0. */
TSR_OP tsr *tsr_logspace_at(const char *where, tsr_ctx *ctx, tsr_arg start, tsr_arg stop, int64_t n,
                            const tsr_logspace_args *args);
/** n numbers from start to stop in equal ratios: tsr_geomspace(ctx, 1, 8, 4) is 1, 2, 4, 8. Error
 * (TSR_ERROR_ARGUMENT): n < 0. */
TSR_OP tsr *tsr_geomspace_at(const char *where, tsr_ctx *ctx, tsr_arg start, tsr_arg stop,
                             int64_t n, const tsr_linspace_args *args);

/** Bartlett's window of n numbers, which rises from 0 to 1 in one line and falls in another; f32
 * when no dtype is given. */
TSR_OP tsr *tsr_bartlett_at(const char *where, tsr_ctx *ctx, int64_t n, const tsr_new_args *args);
/** Blackman's window of n numbers, 0.42 - 0.5 cos(2 pi i / (n - 1)) + 0.08 cos(4 pi i / (n - 1));
 * f32 when no dtype is given. */
TSR_OP tsr *tsr_blackman_at(const char *where, tsr_ctx *ctx, int64_t n, const tsr_new_args *args);
/** Hamming's window of n numbers, 0.54 - 0.46 cos(2 pi i / (n - 1)); f32 when no dtype is given. */
TSR_OP tsr *tsr_hamming_at(const char *where, tsr_ctx *ctx, int64_t n, const tsr_new_args *args);
/** Hann's window of n numbers, 0.5 - 0.5 cos(2 pi i / (n - 1)); f32 when no dtype is given. */
TSR_OP tsr *tsr_hanning_at(const char *where, tsr_ctx *ctx, int64_t n, const tsr_new_args *args);
/** Kaiser's window of n numbers, i0(beta sqrt(1 - (2 i / (n - 1) - 1)^2)) / i0(beta); f32 when no
 * dtype is given. */
TSR_OP tsr *tsr_kaiser_at(const char *where, tsr_ctx *ctx, int64_t n, double beta,
                          const tsr_new_args *args);

/* ---- differences and areas */

/** Keywords of tsr_diff(). */
typedef struct tsr_diff_args {
	TSR_KEYWORDS_
	tsr_dims dim; /**< one dim; the last one when not given */
	int n;        /**< how many times; 1 when not given */
	/** before and behind x first; of the other dims of x, or scalars: TSR_ARG(0), TSR_ARG(y) */
	tsr_arg prepend, append;
	TSR_KEYWORDS_END_
} tsr_diff_args;

/** Keywords of tsr_trapezoid(). */
typedef struct tsr_trapezoid_args {
	TSR_KEYWORDS_
	tsr_dims dim; /**< one dim; the last one when not given */
	tsr *x;       /**< the places of the values: of one dim, or of all of y */
	double dx;    /**< otherwise their distance; 1 when not given */
	TSR_KEYWORDS_END_
} tsr_trapezoid_args;

/** Keywords of tsr_unwrap(). */
typedef struct tsr_unwrap_args {
	TSR_KEYWORDS_
	tsr_dims dim;   /**< one dim; the last one when not given */
	double period;  /**< 2 pi when not given */
	double discont; /**< smaller steps stay; half the period when not given */
	TSR_KEYWORDS_END_
} tsr_unwrap_args;

/** Each element less the one before it along a dim; bool: whether they differ. tsr_diff(x, .n = 2).
 * Errors: x without dims (TSR_ERROR_ARGUMENT). */
TSR_OP tsr *tsr_diff_at(const char *where, tsr *x, const tsr_diff_args *args);
/** The differences of neighbours of all elements of x, ravelled, [size - 1]:
 * tsr_diff(tsr_ravel(x)). */
TSR_OP tsr *tsr_ediff1d_at(const char *where, tsr *x);
/** Slopes along a dim: (x[i + 1] - x[i - 1]) / 2 h, at the ends the difference of the last two over
 * h. h is the distance, or an array of one dim with the places of elements: tsr_gradient(x, 0,
 * 1.0). Errors (TSR_ERROR_TYPE): less than two elements, places of another size. */
TSR_OP tsr *tsr_gradient_at(const char *where, tsr *x, int dim, tsr_arg h);
/** The area below the lines between the values, along a dim: tsr_trapezoid(y, .dx = 0.1). */
TSR_OP tsr *tsr_trapezoid_at(const char *where, tsr *y, const tsr_trapezoid_args *args);
/** Angles without jumps: a step along the dim of more than half a period is taken as one of less.
 * Not complex. */
TSR_OP tsr *tsr_unwrap_at(const char *where, tsr *x, const tsr_unwrap_args *args);

/* ---- polynomials: coefficients [n], the one of the highest power first. Further error
 * (TSR_ERROR_TYPE): coefficients that have not one dim */

/** The value of a polynomial at each element of x, p[0] x^(n - 1) + ... + p[n - 1], with the dims
 * of x. */
TSR_OP tsr *tsr_polyval_at(const char *where, tsr *p, tsr *x);
/** The coefficients of the sum of two polynomials, as many as the longer of a and b has. */
TSR_OP tsr *tsr_polyadd_at(const char *where, tsr *a, tsr *b);
/** The coefficients of the polynomial a less the polynomial b, as many as the longer one has. */
TSR_OP tsr *tsr_polysub_at(const char *where, tsr *a, tsr *b);
/** The coefficients of the product of two polynomials, in floats: tsr_polymul(a, b) of [m] and [n]
 * is [m + n - 1]. */
TSR_OP tsr *tsr_polymul_at(const char *where, tsr *a, tsr *b);
/** The m-th derivative of a polynomial, in floats: tsr_polyder(p, 1). Error (TSR_ERROR_ARGUMENT): m
 * < 0. */
TSR_OP tsr *tsr_polyder_at(const char *where, tsr *p, int m);
/** The m-th integral of a polynomial, with 0 as the constants, in floats: tsr_polyint(p, 1). Error
 * (TSR_ERROR_ARGUMENT): m < 0. */
TSR_OP tsr *tsr_polyint_at(const char *where, tsr *p, int m);
/** The polynomial with these zeros and 1 as its first coefficient, in floats; with no zeros, the
 * number 1. */
TSR_OP tsr *tsr_poly_at(const char *where, tsr *zeros);
/** The n - 1 zeros of a polynomial, complex; those that are 0 come last. For each coefficient in
 * front that is 0 there is one zero less, and a NaN at the end (strip_zeros=False):
 * tsr_roots(p). */
TSR_OP tsr *tsr_roots_at(const char *where, tsr *p);

/* ---- the same without place and keywords: as values, and for debuggers */

/** tsr_linspace_at() as a value. */
TSR_OP tsr *tsr_linspace(tsr_ctx *ctx, tsr *start, tsr *stop, int64_t n);
/** tsr_logspace_at() as a value. */
TSR_OP tsr *tsr_logspace(tsr_ctx *ctx, tsr *start, tsr *stop, int64_t n);
/** tsr_geomspace_at() as a value. */
TSR_OP tsr *tsr_geomspace(tsr_ctx *ctx, tsr *start, tsr *stop, int64_t n);
/** tsr_bartlett_at() as a value. */
TSR_OP tsr *tsr_bartlett(tsr_ctx *ctx, int64_t n);
/** tsr_blackman_at() as a value. */
TSR_OP tsr *tsr_blackman(tsr_ctx *ctx, int64_t n);
/** tsr_hamming_at() as a value. */
TSR_OP tsr *tsr_hamming(tsr_ctx *ctx, int64_t n);
/** tsr_hanning_at() as a value. */
TSR_OP tsr *tsr_hanning(tsr_ctx *ctx, int64_t n);
/** tsr_kaiser_at() as a value. */
TSR_OP tsr *tsr_kaiser(tsr_ctx *ctx, int64_t n, double beta);
/** tsr_diff_at() as a value. */
TSR_OP tsr *tsr_diff(tsr *x);
/** tsr_ediff1d_at() as a value. */
TSR_OP tsr *tsr_ediff1d(tsr *x);
/** tsr_gradient_at() as a value. */
TSR_OP tsr *tsr_gradient(tsr *x, int dim, tsr *h);
/** tsr_trapezoid_at() as a value. */
TSR_OP tsr *tsr_trapezoid(tsr *y);
/** tsr_unwrap_at() as a value. */
TSR_OP tsr *tsr_unwrap(tsr *x);
/** tsr_polyval_at() as a value. */
TSR_OP tsr *tsr_polyval(tsr *p, tsr *x);
/** tsr_polyadd_at() as a value. */
TSR_OP tsr *tsr_polyadd(tsr *a, tsr *b);
/** tsr_polysub_at() as a value. */
TSR_OP tsr *tsr_polysub(tsr *a, tsr *b);
/** tsr_polymul_at() as a value. */
TSR_OP tsr *tsr_polymul(tsr *a, tsr *b);
/** tsr_polyder_at() as a value. */
TSR_OP tsr *tsr_polyder(tsr *p, int m);
/** tsr_polyint_at() as a value. */
TSR_OP tsr *tsr_polyint(tsr *p, int m);
/** tsr_poly_at() as a value. */
TSR_OP tsr *tsr_poly(tsr *zeros);
/** tsr_roots_at() as a value. */
TSR_OP tsr *tsr_roots(tsr *p);
#ifdef __cplusplus
}
#endif

#ifdef TSR_MACROS_
#define tsr_linspace(ctx, start, stop, ...) \
	TSR_LINSPACE_(#__VA_ARGS__, TSR_PREFIX_, ctx, start, stop, __VA_ARGS__, )
#define TSR_LINSPACE_(text3, v_, ctx, start, stop, n, ...) \
	tsr_result_(__extension__({ TSR_LET_(v_, _0, ctx) TSR_LET_(v_, _1, start) TSR_LET_(v_, _2, \
		stop) TSR_CHECK_TEXT_(TSR_CAT_(v_, _3), text3, \
		"tsr_linspace: give the argument n, without a name") TSR_KW_(tsr_linspace_args, \
		v_, __VA_ARGS__) tsr_linspace_at(TSR_HERE, TSR_CTX_PICK_(TSR_CAT_(v_, _0)), \
		TSR_OPERAND_PICK_(TSR_CAT_(v_, _1)), TSR_OPERAND_PICK_(TSR_CAT_(v_, _2)), n, &v_); \
		}))
#define tsr_logspace(ctx, start, stop, ...) \
	TSR_LOGSPACE_(#__VA_ARGS__, TSR_PREFIX_, ctx, start, stop, __VA_ARGS__, )
#define TSR_LOGSPACE_(text3, v_, ctx, start, stop, n, ...) \
	tsr_result_(__extension__({ TSR_LET_(v_, _0, ctx) TSR_LET_(v_, _1, start) TSR_LET_(v_, _2, \
		stop) TSR_CHECK_TEXT_(TSR_CAT_(v_, _3), text3, \
		"tsr_logspace: give the argument n, without a name") TSR_KW_(tsr_logspace_args, \
		v_, __VA_ARGS__) tsr_logspace_at(TSR_HERE, TSR_CTX_PICK_(TSR_CAT_(v_, _0)), \
		TSR_OPERAND_PICK_(TSR_CAT_(v_, _1)), TSR_OPERAND_PICK_(TSR_CAT_(v_, _2)), n, &v_); \
		}))
#define tsr_geomspace(ctx, start, stop, ...) \
	TSR_GEOMSPACE_(#__VA_ARGS__, TSR_PREFIX_, ctx, start, stop, __VA_ARGS__, )
#define TSR_GEOMSPACE_(text3, v_, ctx, start, stop, n, ...) \
	tsr_result_(__extension__({ TSR_LET_(v_, _0, ctx) TSR_LET_(v_, _1, start) TSR_LET_(v_, _2, \
		stop) TSR_CHECK_TEXT_(TSR_CAT_(v_, _3), text3, \
		"tsr_geomspace: give the argument n, without a name") TSR_KW_(tsr_linspace_args, \
		v_, __VA_ARGS__) tsr_geomspace_at(TSR_HERE, TSR_CTX_PICK_(TSR_CAT_(v_, _0)), \
		TSR_OPERAND_PICK_(TSR_CAT_(v_, _1)), TSR_OPERAND_PICK_(TSR_CAT_(v_, _2)), n, &v_); \
		}))
#define tsr_bartlett(ctx, ...) TSR_BARTLETT_(#__VA_ARGS__, TSR_PREFIX_, ctx, __VA_ARGS__, )
#define TSR_BARTLETT_(text1, v_, ctx, n, ...) \
	tsr_result_(__extension__({ TSR_LET_(v_, _0, ctx) TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_bartlett: give the argument n, without a name") TSR_KW_(tsr_new_args, v_, \
		__VA_ARGS__) tsr_bartlett_at(TSR_HERE, TSR_CTX_PICK_(TSR_CAT_(v_, _0)), n, &v_); \
		}))
#define tsr_blackman(ctx, ...) TSR_BLACKMAN_(#__VA_ARGS__, TSR_PREFIX_, ctx, __VA_ARGS__, )
#define TSR_BLACKMAN_(text1, v_, ctx, n, ...) \
	tsr_result_(__extension__({ TSR_LET_(v_, _0, ctx) TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_blackman: give the argument n, without a name") TSR_KW_(tsr_new_args, v_, \
		__VA_ARGS__) tsr_blackman_at(TSR_HERE, TSR_CTX_PICK_(TSR_CAT_(v_, _0)), n, &v_); \
		}))
#define tsr_hamming(ctx, ...) TSR_HAMMING_(#__VA_ARGS__, TSR_PREFIX_, ctx, __VA_ARGS__, )
#define TSR_HAMMING_(text1, v_, ctx, n, ...) \
	tsr_result_(__extension__({ TSR_LET_(v_, _0, ctx) TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_hamming: give the argument n, without a name") TSR_KW_(tsr_new_args, v_, \
		__VA_ARGS__) tsr_hamming_at(TSR_HERE, TSR_CTX_PICK_(TSR_CAT_(v_, _0)), n, &v_); \
		}))
#define tsr_hanning(ctx, ...) TSR_HANNING_(#__VA_ARGS__, TSR_PREFIX_, ctx, __VA_ARGS__, )
#define TSR_HANNING_(text1, v_, ctx, n, ...) \
	tsr_result_(__extension__({ TSR_LET_(v_, _0, ctx) TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_hanning: give the argument n, without a name") TSR_KW_(tsr_new_args, v_, \
		__VA_ARGS__) tsr_hanning_at(TSR_HERE, TSR_CTX_PICK_(TSR_CAT_(v_, _0)), n, &v_); \
		}))
#define tsr_kaiser(ctx, n, ...) TSR_KAISER_(#__VA_ARGS__, TSR_PREFIX_, ctx, n, __VA_ARGS__, )
#define TSR_KAISER_(text2, v_, ctx, n, beta, ...) \
	tsr_result_(__extension__({ TSR_LET_(v_, _0, ctx) TSR_CHECK_TEXT_(TSR_CAT_(v_, _2), text2, \
		"tsr_kaiser: give the argument beta, without a name") TSR_KW_(tsr_new_args, v_, \
		__VA_ARGS__) tsr_kaiser_at(TSR_HERE, TSR_CTX_PICK_(TSR_CAT_(v_, _0)), n, beta, \
		&v_); }))
#define tsr_diff(...) TSR_DIFF_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_DIFF_(v_, x, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_diff_args, v_, __VA_ARGS__) tsr_diff_at(TSR_HERE, \
		x, &v_); }))
#define tsr_ediff1d(x) tsr_ediff1d_at(TSR_HERE, x)
#define tsr_gradient(x, dim, h) TSR_GRADIENT_(TSR_PREFIX_, x, dim, h)
#define TSR_GRADIENT_(v_, x, dim, h) \
	tsr_result_(__extension__({ TSR_LET_(v_, _2, h) tsr_gradient_at(TSR_HERE, x, dim, \
		TSR_OPERAND_PICK_(TSR_CAT_(v_, _2))); }))
#define tsr_trapezoid(...) TSR_TRAPEZOID_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_TRAPEZOID_(v_, y, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_trapezoid_args, v_, __VA_ARGS__) \
		tsr_trapezoid_at(TSR_HERE, y, &v_); }))
#define tsr_unwrap(...) TSR_UNWRAP_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_UNWRAP_(v_, x, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_unwrap_args, v_, __VA_ARGS__) \
		tsr_unwrap_at(TSR_HERE, x, &v_); }))
#define tsr_polyval(p, x) tsr_polyval_at(TSR_HERE, p, x)
#define tsr_polyadd(a, b) tsr_polyadd_at(TSR_HERE, a, b)
#define tsr_polysub(a, b) tsr_polysub_at(TSR_HERE, a, b)
#define tsr_polymul(a, b) tsr_polymul_at(TSR_HERE, a, b)
#define tsr_polyder(p, m) tsr_polyder_at(TSR_HERE, p, m)
#define tsr_polyint(p, m) tsr_polyint_at(TSR_HERE, p, m)
#define tsr_poly(zeros) tsr_poly_at(TSR_HERE, zeros)
#define tsr_roots(p) tsr_roots_at(TSR_HERE, p)
#endif

#endif
