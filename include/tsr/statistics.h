/* tsr/statistics.h - reductions and counts of jax.numpy that are written with those of ops.h: means
 * with weights, variances, quantiles, bins, and the same without NaN.
 *
 * Integers and bool count as f32, integers of 64 bits as f64, unless it is said; 16-bit floats are
 * computed in f32 and rounded once. Errors are those of ops.h.
 *
 *     tsr *spread = tsr_std(x, .dims = TSR_DIMS(0)), *middle = tsr_median(x); */
/* Made by tools/make_headers.py of api/statistics.h.in: change that one. */
/** @file */
#ifndef TSR_STATISTICS_H
#define TSR_STATISTICS_H
#include "shapes.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Keywords of tsr_var() and tsr_std(), and theirs without NaN. */
typedef struct tsr_var_args {
	TSR_KEYWORDS_
	tsr_dims dims;     /**< reduced over; all when not given */
	bool keep;         /**< they stay, with size 1 */
	tsr *where;        /**< bool, broadcast to x: only elements where it is true count */
	tsr_dtype dtype;   /**< of the result, a float or complex one */
	double correction; /**< taken from the number of elements that squares are divided by; 1:
	                    * the variance that a sample is of */
	tsr_arg mean;      /**< the mean, where it is known, broadcast with x: TSR_ARG(0) */
	TSR_KEYWORDS_END_
} tsr_var_args;

/** Keywords of tsr_average(). */
typedef struct tsr_average_args {
	TSR_KEYWORDS_
	tsr_dims dims;
	bool keep;
	tsr *weights; /**< of the dims of x, or of those in .dims, in their order */
	tsr **sum;    /**< receives the sum of the weights, of the dims of the result */
	TSR_KEYWORDS_END_
} tsr_average_args;

/** What tsr_quantile() gives for a place that is between two elements. */
enum tsr_quantile_method {
	TSR_QUANTILE_LINEAR = 0,  /**< what a line between them has there */
	TSR_QUANTILE_LOWER = 1,   /**< the one below */
	TSR_QUANTILE_HIGHER = 2,  /**< the one above */
	TSR_QUANTILE_MIDPOINT = 3, /**< their mean */
	TSR_QUANTILE_NEAREST = 4, /**< the nearer one; the one below in the middle */
	/** in place of all that: the first element up to which there is q of all weight */
	TSR_QUANTILE_INVERTED_CDF = 5
};

/** Keywords of tsr_quantile() and tsr_percentile(), and theirs without NaN. */
typedef struct tsr_quantile_args {
	TSR_KEYWORDS_
	tsr_dims dims;
	bool keep;
	enum tsr_quantile_method method;
	tsr *weights; /**< with TSR_QUANTILE_INVERTED_CDF: what each element counts, of the dims of
	               * x or of those in .dims, in order; where one is negative or NaN, NaN */
	TSR_KEYWORDS_END_
} tsr_quantile_args;

/** Keywords of tsr_cov(). */
typedef struct tsr_cov_args {
	TSR_KEYWORDS_
	tsr *y;         /**< further variables */
	bool columns;   /**< variables are columns; otherwise rows */
	bool bias;      /**< divides by the number of observations; otherwise by one less */
	tsr *fweights;  /**< how many times each observation counts, integers */
	tsr *aweights;  /**< weights of the observations */
	TSR_KEYWORDS_END_
} tsr_cov_args;

/** Keywords of tsr_corrcoef(). */
typedef struct tsr_corrcoef_args {
	TSR_KEYWORDS_
	tsr *y;
	bool columns;
	TSR_KEYWORDS_END_
} tsr_corrcoef_args;

/* ---- reductions */

/** The mean of |x - mean|^2, real. NaN where .correction leaves no number to divide by. tsr_var(x,
 * .dims = TSR_DIMS(0), .correction = 1). Error (TSR_ERROR_TYPE): a .dtype of integers, or a real
 * one for complex x. */
TSR_OP tsr *tsr_var_at(const char *where, tsr *x, const tsr_var_args *args);
/** The standard deviation along dims, the square root of tsr_var(): tsr_std(x, .dims =
 * TSR_DIMS(0)). */
TSR_OP tsr *tsr_std_at(const char *where, tsr *x, const tsr_var_args *args);
/** The mean with weights, sum(x weights) / sum(weights): tsr_average(x, .weights = w). Error
 * (TSR_ERROR_TYPE): dims of the weights that do not fit. */
TSR_OP tsr *tsr_average_at(const char *where, tsr *x, const tsr_average_args *args);
/** How many elements of x are not 0, along dims; i32. */
TSR_OP tsr *tsr_count_nonzero_at(const char *where, tsr *x, const tsr_dims_args *args);
/** The largest element along dims less the smallest one, in the dtype of x: tsr_ptp(x, .dims =
 * TSR_DIMS(0)). */
TSR_OP tsr *tsr_ptp_at(const char *where, tsr *x, const tsr_dims_args *args);

/** The sum of those elements along dims that are not NaN, 0 where all are; otherwise as tsr_sum().
 * */
TSR_OP tsr *tsr_nansum_at(const char *where, tsr *x, const tsr_sum_args *args);
/** The product of those elements along dims that are not NaN, 1 where all are; otherwise as
 * tsr_prod(). */
TSR_OP tsr *tsr_nanprod_at(const char *where, tsr *x, const tsr_sum_args *args);
/** tsr_max() of the elements that are not NaN; NaN where all are, unless .initial is given. */
TSR_OP tsr *tsr_nanmax_at(const char *where, tsr *x, const tsr_reduce_args *args);
/** tsr_min() of the elements that are not NaN; NaN where all are, unless .initial is given. */
TSR_OP tsr *tsr_nanmin_at(const char *where, tsr *x, const tsr_reduce_args *args);
/** The mean of those elements along dims that are not NaN, NaN where all are; otherwise as
 * tsr_mean(). */
TSR_OP tsr *tsr_nanmean_at(const char *where, tsr *x, const tsr_mean_args *args);
/** The variance of those elements along dims that are not NaN; otherwise as tsr_var(). */
TSR_OP tsr *tsr_nanvar_at(const char *where, tsr *x, const tsr_var_args *args);
/** The standard deviation of those elements along dims that are not NaN; otherwise as tsr_std(). */
TSR_OP tsr *tsr_nanstd_at(const char *where, tsr *x, const tsr_var_args *args);
/** tsr_argmax() of the elements that are not NaN; -1 where all are. */
TSR_OP tsr *tsr_nanargmax_at(const char *where, tsr *x, const tsr_arg_args *args);
/** tsr_argmin() of the elements that are not NaN; -1 where all are. */
TSR_OP tsr *tsr_nanargmin_at(const char *where, tsr *x, const tsr_arg_args *args);

/* ---- quantiles: the elements sorted, at a place between the first one, 0, and the last one, 1.
 * Further errors: complex numbers, no elements, q of more than one dim, weights of other dims
 * (TSR_ERROR_TYPE), weights for another method (TSR_ERROR_ARGUMENT) */

/** The element at q of the way; q may be of one dim, which is the first one of the result then. NaN
 * where there is one. tsr_quantile(x, 0.9, .dims = TSR_DIMS(1)) */
TSR_OP tsr *tsr_quantile_at(const char *where, tsr *x, tsr_arg q, const tsr_quantile_args *args);
/** tsr_quantile() at q / 100, for q from 0 to 100: tsr_percentile(x, 90). */
TSR_OP tsr *tsr_percentile_at(const char *where, tsr *x, tsr_arg q, const tsr_quantile_args *args);
/** The element in the middle, or the mean of the two in the middle. */
TSR_OP tsr *tsr_median_at(const char *where, tsr *x, const tsr_dims_args *args);
/** tsr_quantile() of the elements that are not NaN. */
TSR_OP tsr *tsr_nanquantile_at(const char *where, tsr *x, tsr_arg q, const tsr_quantile_args *args);
/** tsr_percentile() of the elements that are not NaN. */
TSR_OP tsr *tsr_nanpercentile_at(const char *where, tsr *x, tsr_arg q,
                                 const tsr_quantile_args *args);
/** tsr_median() of the elements that are not NaN. */
TSR_OP tsr *tsr_nanmedian_at(const char *where, tsr *x, const tsr_dims_args *args);

/* ---- several variables. Further error (TSR_ERROR_TYPE): more than two dims */

/** The covariances of the rows of x, [m, m]; of one row a scalar: tsr_cov(x, .y = z). Further error
 * (TSR_ERROR_TYPE): weights that are not one for each observation. */
TSR_OP tsr *tsr_cov_at(const char *where, tsr *x, const tsr_cov_args *args);
/** tsr_cov() over the product of both standard deviations. */
TSR_OP tsr *tsr_corrcoef_at(const char *where, tsr *x, const tsr_corrcoef_args *args);

/* ---- sorted places and bins */

/** Keyword of tsr_searchsorted() and tsr_digitize(). */
typedef struct tsr_searchsorted_args {
	TSR_KEYWORDS_
	bool right; /**< NumPy's side="right", or right=True */
	TSR_KEYWORDS_END_
} tsr_searchsorted_args;

/** Keywords of tsr_bincount(). */
typedef struct tsr_bincount_args {
	TSR_KEYWORDS_
	tsr *weights; /**< what each element counts; otherwise 1, and the result is i32, or i64
	               * where x has so many elements */
	TSR_KEYWORDS_END_
} tsr_bincount_args;

/** Keywords of tsr_histogram(). */
typedef struct tsr_histogram_args {
	TSR_KEYWORDS_
	tsr_arg low, high; /**< the ends of the first and the last bin; the smallest and the largest
	                    * element when not given */
	tsr *edges;        /**< the edges, sorted, in place of these and the number */
	tsr *weights;      /**< what each element counts, of the dims of x */
	bool density;      /**< the area is 1 */
	TSR_KEYWORDS_END_
} tsr_histogram_args;

/** Keywords of tsr_interp(). */
typedef struct tsr_interp_args {
	TSR_KEYWORDS_
	tsr_arg left, right; /**< the values before and behind all xp; fp's first and last */
	bool extrapolate;    /**< instead: the first and the last line go on */
	double period;       /**< instead: places repeat so, and the points need not rise */
	TSR_KEYWORDS_END_
} tsr_interp_args;

/** The place of each of v in a, which is sorted and has one dim: before equal elements, or,
 * with .right, behind them; i32, i64 where the dim needs it. NaN is the largest. */
TSR_OP tsr *tsr_searchsorted_at(const char *where, tsr *a, tsr *v,
                                const tsr_searchsorted_args *args);
/** In which of the bins between edges, rising or falling, each element is: bins[i - 1] <= x <
 * bins[i], or, with .right, bins[i - 1] < x <= bins[i]. */
TSR_OP tsr *tsr_digitize_at(const char *where, tsr *x, tsr *bins,
                            const tsr_searchsorted_args *args);
/** Whether each element of x is one of those of `set`: a bool. */
TSR_OP tsr *tsr_isin_at(const char *where, tsr *x, tsr *set);
/** How many times each of 0 .. n - 1 is in x, integers; negative ones count as 0, larger ones not.
 * tsr_bincount(words, 50) */
TSR_OP tsr *tsr_bincount_at(const char *where, tsr *x, int64_t n, const tsr_bincount_args *args);
/** How many elements are in each of n bins, to out[0], in the dtype of x and the weights as floats,
 * and the n + 1 edges, to out[1]. The last bin has its upper edge too. false: both are poison. */
TSR_API bool tsr_histogram_at(const char *where, tsr *x, int64_t n, tsr *out[2],
                              const tsr_histogram_args *args);
/** The values at x of the lines between the points (xp, fp), xp rising. Error (TSR_ERROR_TYPE): xp
 * and fp not of one dim of the same size. */
TSR_OP tsr *tsr_interp_at(const char *where, tsr *x, tsr *xp, tsr *fp, const tsr_interp_args *args);

/* ---- the same without place and keywords: as values, and for debuggers */

/** tsr_var_at() as a value. */
TSR_OP tsr *tsr_var(tsr *x);
/** tsr_std_at() as a value. */
TSR_OP tsr *tsr_std(tsr *x);
/** tsr_average_at() as a value. */
TSR_OP tsr *tsr_average(tsr *x);
/** tsr_count_nonzero_at() as a value. */
TSR_OP tsr *tsr_count_nonzero(tsr *x);
/** tsr_ptp_at() as a value. */
TSR_OP tsr *tsr_ptp(tsr *x);
/** tsr_nansum_at() as a value. */
TSR_OP tsr *tsr_nansum(tsr *x);
/** tsr_nanprod_at() as a value. */
TSR_OP tsr *tsr_nanprod(tsr *x);
/** tsr_nanmax_at() as a value. */
TSR_OP tsr *tsr_nanmax(tsr *x);
/** tsr_nanmin_at() as a value. */
TSR_OP tsr *tsr_nanmin(tsr *x);
/** tsr_nanmean_at() as a value. */
TSR_OP tsr *tsr_nanmean(tsr *x);
/** tsr_nanvar_at() as a value. */
TSR_OP tsr *tsr_nanvar(tsr *x);
/** tsr_nanstd_at() as a value. */
TSR_OP tsr *tsr_nanstd(tsr *x);
/** tsr_nanargmax_at() as a value. */
TSR_OP tsr *tsr_nanargmax(tsr *x);
/** tsr_nanargmin_at() as a value. */
TSR_OP tsr *tsr_nanargmin(tsr *x);
/** tsr_quantile_at() as a value. */
TSR_OP tsr *tsr_quantile(tsr *x, tsr *q);
/** tsr_percentile_at() as a value. */
TSR_OP tsr *tsr_percentile(tsr *x, tsr *q);
/** tsr_median_at() as a value. */
TSR_OP tsr *tsr_median(tsr *x);
/** tsr_nanquantile_at() as a value. */
TSR_OP tsr *tsr_nanquantile(tsr *x, tsr *q);
/** tsr_nanpercentile_at() as a value. */
TSR_OP tsr *tsr_nanpercentile(tsr *x, tsr *q);
/** tsr_nanmedian_at() as a value. */
TSR_OP tsr *tsr_nanmedian(tsr *x);
/** tsr_cov_at() as a value. */
TSR_OP tsr *tsr_cov(tsr *x);
/** tsr_corrcoef_at() as a value. */
TSR_OP tsr *tsr_corrcoef(tsr *x);
/** tsr_searchsorted_at() as a value. */
TSR_OP tsr *tsr_searchsorted(tsr *a, tsr *v);
/** tsr_digitize_at() as a value. */
TSR_OP tsr *tsr_digitize(tsr *x, tsr *bins);
/** tsr_isin_at() as a value. */
TSR_OP tsr *tsr_isin(tsr *x, tsr *set);
/** tsr_bincount_at() as a value. */
TSR_OP tsr *tsr_bincount(tsr *x, int64_t n);
/** tsr_histogram_at() as a value. */
TSR_API bool tsr_histogram(tsr *x, int64_t n, tsr *out[2]);
/** tsr_interp_at() as a value. */
TSR_OP tsr *tsr_interp(tsr *x, tsr *xp, tsr *fp);
#ifdef __cplusplus
}
#endif

#ifdef TSR_MACROS_
#define tsr_var(...) TSR_VAR_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_VAR_(v_, x, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_var_args, v_, __VA_ARGS__) tsr_var_at(TSR_HERE, x, \
		&v_); }))
#define tsr_std(...) TSR_STD_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_STD_(v_, x, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_var_args, v_, __VA_ARGS__) tsr_std_at(TSR_HERE, x, \
		&v_); }))
#define tsr_average(...) TSR_AVERAGE_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_AVERAGE_(v_, x, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_average_args, v_, __VA_ARGS__) \
		tsr_average_at(TSR_HERE, x, &v_); }))
#define tsr_count_nonzero(...) TSR_COUNT_NONZERO_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_COUNT_NONZERO_(v_, x, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_dims_args, v_, __VA_ARGS__) \
		tsr_count_nonzero_at(TSR_HERE, x, &v_); }))
#define tsr_ptp(...) TSR_PTP_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_PTP_(v_, x, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_dims_args, v_, __VA_ARGS__) tsr_ptp_at(TSR_HERE, \
		x, &v_); }))
#define tsr_nansum(...) TSR_NANSUM_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_NANSUM_(v_, x, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_sum_args, v_, __VA_ARGS__) tsr_nansum_at(TSR_HERE, \
		x, &v_); }))
#define tsr_nanprod(...) TSR_NANPROD_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_NANPROD_(v_, x, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_sum_args, v_, __VA_ARGS__) \
		tsr_nanprod_at(TSR_HERE, x, &v_); }))
#define tsr_nanmax(...) TSR_NANMAX_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_NANMAX_(v_, x, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_reduce_args, v_, __VA_ARGS__) \
		tsr_nanmax_at(TSR_HERE, x, &v_); }))
#define tsr_nanmin(...) TSR_NANMIN_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_NANMIN_(v_, x, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_reduce_args, v_, __VA_ARGS__) \
		tsr_nanmin_at(TSR_HERE, x, &v_); }))
#define tsr_nanmean(...) TSR_NANMEAN_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_NANMEAN_(v_, x, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_mean_args, v_, __VA_ARGS__) \
		tsr_nanmean_at(TSR_HERE, x, &v_); }))
#define tsr_nanvar(...) TSR_NANVAR_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_NANVAR_(v_, x, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_var_args, v_, __VA_ARGS__) tsr_nanvar_at(TSR_HERE, \
		x, &v_); }))
#define tsr_nanstd(...) TSR_NANSTD_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_NANSTD_(v_, x, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_var_args, v_, __VA_ARGS__) tsr_nanstd_at(TSR_HERE, \
		x, &v_); }))
#define tsr_nanargmax(...) TSR_NANARGMAX_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_NANARGMAX_(v_, x, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_arg_args, v_, __VA_ARGS__) \
		tsr_nanargmax_at(TSR_HERE, x, &v_); }))
#define tsr_nanargmin(...) TSR_NANARGMIN_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_NANARGMIN_(v_, x, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_arg_args, v_, __VA_ARGS__) \
		tsr_nanargmin_at(TSR_HERE, x, &v_); }))
#define tsr_quantile(x, ...) TSR_QUANTILE_(TSR_PREFIX_, x, __VA_ARGS__, )
#define TSR_QUANTILE_(v_, x, q, ...) \
	tsr_result_(__extension__({ TSR_LET_(v_, _1, TSR_GIVEN_(tsr_quantile_needs_the_argument_q, \
		q)) TSR_KW_(tsr_quantile_args, v_, __VA_ARGS__) tsr_quantile_at(TSR_HERE, x, \
		TSR_OPERAND_PICK_(TSR_CAT_(v_, _1)), &v_); }))
#define tsr_percentile(x, ...) TSR_PERCENTILE_(TSR_PREFIX_, x, __VA_ARGS__, )
#define TSR_PERCENTILE_(v_, x, q, ...) \
	tsr_result_(__extension__({ TSR_LET_(v_, _1, \
		TSR_GIVEN_(tsr_percentile_needs_the_argument_q, q)) TSR_KW_(tsr_quantile_args, v_, \
		__VA_ARGS__) tsr_percentile_at(TSR_HERE, x, TSR_OPERAND_PICK_(TSR_CAT_(v_, _1)), \
		&v_); }))
#define tsr_median(...) TSR_MEDIAN_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_MEDIAN_(v_, x, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_dims_args, v_, __VA_ARGS__) \
		tsr_median_at(TSR_HERE, x, &v_); }))
#define tsr_nanquantile(x, ...) TSR_NANQUANTILE_(TSR_PREFIX_, x, __VA_ARGS__, )
#define TSR_NANQUANTILE_(v_, x, q, ...) \
	tsr_result_(__extension__({ TSR_LET_(v_, _1, \
		TSR_GIVEN_(tsr_nanquantile_needs_the_argument_q, q)) TSR_KW_(tsr_quantile_args, \
		v_, __VA_ARGS__) tsr_nanquantile_at(TSR_HERE, x, TSR_OPERAND_PICK_(TSR_CAT_(v_, \
		_1)), &v_); }))
#define tsr_nanpercentile(x, ...) TSR_NANPERCENTILE_(TSR_PREFIX_, x, __VA_ARGS__, )
#define TSR_NANPERCENTILE_(v_, x, q, ...) \
	tsr_result_(__extension__({ TSR_LET_(v_, _1, \
		TSR_GIVEN_(tsr_nanpercentile_needs_the_argument_q, q)) TSR_KW_(tsr_quantile_args, \
		v_, __VA_ARGS__) tsr_nanpercentile_at(TSR_HERE, x, TSR_OPERAND_PICK_(TSR_CAT_(v_, \
		_1)), &v_); }))
#define tsr_nanmedian(...) TSR_NANMEDIAN_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_NANMEDIAN_(v_, x, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_dims_args, v_, __VA_ARGS__) \
		tsr_nanmedian_at(TSR_HERE, x, &v_); }))
#define tsr_cov(...) TSR_COV_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_COV_(v_, x, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_cov_args, v_, __VA_ARGS__) tsr_cov_at(TSR_HERE, x, \
		&v_); }))
#define tsr_corrcoef(...) TSR_CORRCOEF_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_CORRCOEF_(v_, x, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_corrcoef_args, v_, __VA_ARGS__) \
		tsr_corrcoef_at(TSR_HERE, x, &v_); }))
#define tsr_searchsorted(a, ...) TSR_SEARCHSORTED_(TSR_PREFIX_, a, __VA_ARGS__, )
#define TSR_SEARCHSORTED_(v_, a, v, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_searchsorted_args, v_, __VA_ARGS__) \
		tsr_searchsorted_at(TSR_HERE, a, TSR_GIVEN_(tsr_searchsorted_needs_the_argument_v, \
		v), &v_); }))
#define tsr_digitize(x, ...) TSR_DIGITIZE_(TSR_PREFIX_, x, __VA_ARGS__, )
#define TSR_DIGITIZE_(v_, x, bins, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_searchsorted_args, v_, __VA_ARGS__) \
		tsr_digitize_at(TSR_HERE, x, TSR_GIVEN_(tsr_digitize_needs_the_argument_bins, \
		bins), &v_); }))
#define tsr_isin(x, set) tsr_isin_at(TSR_HERE, x, set)
#define tsr_bincount(x, ...) TSR_BINCOUNT_(#__VA_ARGS__, TSR_PREFIX_, x, __VA_ARGS__, )
#define TSR_BINCOUNT_(text1, v_, x, n, ...) \
	tsr_result_(__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_bincount: give the argument n, without a name") TSR_KW_(tsr_bincount_args, \
		v_, __VA_ARGS__) tsr_bincount_at(TSR_HERE, x, n, &v_); }))
#define tsr_histogram(x, n, ...) TSR_HISTOGRAM_(#__VA_ARGS__, TSR_PREFIX_, x, n, __VA_ARGS__, )
#define TSR_HISTOGRAM_(text2, v_, x, n, out, ...) \
	__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _2), text2, \
		"tsr_histogram: give the argument out, without a name") \
		TSR_KW_(tsr_histogram_args, v_, __VA_ARGS__) tsr_histogram_at(TSR_HERE, x, n, out, \
		&v_); })
#define tsr_interp(x, xp, ...) TSR_INTERP_(TSR_PREFIX_, x, xp, __VA_ARGS__, )
#define TSR_INTERP_(v_, x, xp, fp, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_interp_args, v_, __VA_ARGS__) \
		tsr_interp_at(TSR_HERE, x, xp, TSR_GIVEN_(tsr_interp_needs_the_argument_fp, fp), \
		&v_); }))
#endif

#endif
