/* test_statistics.c - statistics.h as JAX has it, and mistakes. */
#include "support/cases.h"

#define A OF(TSR_F64, D(2, 3), 1, 2, 3, 4, 5, 9)
#define B OF(TSR_F64, D(3, 3), 1, NAN, 3, 4, 5, NAN, NAN, NAN, NAN)
#define V OF(TSR_F64, D(5), 3, 1, 2, 2, 7)
#define W OF(TSR_F64, D(3), 0.5, 1, 2)
#define ODD OF(TSR_BOOL, D(2, 3), 1, 0, 1, 0, 1, 1)
#define N OF(TSR_I32, D(8), 3, 1, 4, 1, 5, 9, 2, 6)
#define H OF(TSR_F16, D(4), 1, 2, 4, 8)
#define Z COMPLEX(TSR_C128, D(3), 1 + 2 * I, 3 + -1 * I, -1 + 0 * I)
#define F OF(TSR_F32, D(4), 0.5, 1.5, 2.25, -1)
#define Q OF(TSR_F64, D(3), 0.1, 0.5, 1)
#define X OF(TSR_F64, D(3, 4), 1, 2, 4, 3, 2, 1, 0, 5, 0, 0, 1, 7)
#define Y OF(TSR_F64, D(1, 4), 3, 1, 4, 1)
#define FW OF(TSR_I32, D(4), 1, 2, 3, 1)
#define AW OF(TSR_F64, D(4), 0.5, 1, 1, 2)
#define EDGES OF(TSR_F64, D(4), 0, 1, 2.5, 4)
#define FALL OF(TSR_F64, D(4), 4, 2.5, 1, 0)
#define PTS OF(TSR_F64, D(9), -1, 0, 0.5, 1, 2.5, 3.9, 4, 9, NAN)
#define TURNED OF(TSR_F64, D(4), 4, 6, -2, 5)
#define FP OF(TSR_F64, D(4), 1, -1, 2, 0)
#define NONE OF(TSR_F64, D(0), )

static tsr *weight_of(tsr *x, tsr *w)
{
	tsr *sum;
	tsr_is_poison(tsr_average(x, .dims = D(1), .weights = w, .sum = &sum));
	return sum;
}
static tsr *counted(tsr *x, int64_t n, size_t k, bool density)
{
	tsr *out[2];
	return tsr_histogram(x, n, out, .density = density) ? out[k] : out[0];
}
static tsr *ranged(tsr *x, size_t k)
{
	tsr *out[2];
	return tsr_histogram(x, 5, out, .low = TSR_ARG(0), .high = TSR_ARG(2.5)) ? out[k] : out[0];
}
static tsr *binned(tsr *x, tsr *edges)
{
	tsr *out[2];
	tsr_histogram(x, 0, out, .edges = edges);
	return out[0];
}
static tsr *spread(tsr *x) { return tsr_add(tsr_var(x), tsr_std(x, .correction = 1)); }
static tsr *least_number(tsr *x) { return tsr_nanmin(x); }
static tsr *half_way(tsr *x) { return tsr_median(x); }
static tsr *third(tsr *x) { return tsr_quantile(x, 0.3); }
static tsr *some(tsr *x) { return tsr_nanvar(x); }
static tsr *middle(tsr *x) { return tsr_median(x); }

/* the name, the dtype and dims, how near, the expression in context c, its elements */
#define CASES(_) \
	_(var, F64, D(), NEARLY, tsr_var(A), 6.666666666666667) \
	_(var_dims, F64, D(1, 3), NEARLY, tsr_var(A, .dims = D(0), .keep = true), 2.25, 2.25, 9) \
	_(var_correction, F64, D(2), NEARLY, tsr_var(A, .dims = D(1), .correction = 1), 1, 7) \
	_(var_none_left, F64, D(), NEARLY, tsr_var(V, .correction = 5), NAN) \
	_(var_where, F64, D(2), NEARLY, tsr_var(A, .dims = D(1), .where = ODD), 1, 4) \
	_(var_where_correction, F64, D(3), NEARLY, tsr_var(A, .dims = D(0), .where = ODD, \
	  .correction = 1), NAN, NAN, 18) \
	_(var_complex, F64, D(), NEARLY, tsr_var(Z), 4.222222222222222) \
	_(var_i32, F32, D(), 1e-6, tsr_var(N), 6.609375) \
	_(var_f16, F16, D(), 1e-3, tsr_var(H), 7.1875) \
	_(var_mean, F64, D(), NEARLY, tsr_var(V, .mean = TSR_ARG(2)), 5.4) \
	_(var_mean_0, F64, D(), NEARLY, tsr_var(V, .mean = TSR_ARG(0)), 13.4) \
	_(std, F64, D(3), NEARLY, tsr_std(A, .dims = D(0)), 1.5, 1.5, 3) \
	_(std_dtype, F64, D(), NEARLY, tsr_std(N, .dtype = TSR_F64), 2.5708704751503917) \
	_(average, F64, D(), NEARLY, tsr_average(A), 4) \
	_(average_weights, F64, D(2), NEARLY, tsr_average(A, .dims = D(1), .weights = W), \
	  2.4285714285714284, 7.142857142857142) \
	_(average_all, F64, D(), NEARLY, tsr_average(A, .weights = A), 5.666666666666667) \
	_(average_sum, F64, D(2), NEARLY, weight_of(A, W), 3.5, 3.5) \
	_(count_nonzero, I32, D(2), 0, tsr_count_nonzero(ODD, .dims = D(1)), 2, 2) \
	_(ptp, F64, D(2), NEARLY, tsr_ptp(A, .dims = D(1)), 2, 5) \
	_(nansum, F64, D(3), NEARLY, tsr_nansum(B, .dims = D(0)), 5, 5, 3) \
	_(nanprod, F64, D(3), NEARLY, tsr_nanprod(B, .dims = D(1)), 3, 20, 1) \
	_(nanmax, F64, D(3), NEARLY, tsr_nanmax(B, .dims = D(1)), 3, 5, NAN) \
	_(nanmin_initial, F64, D(3), NEARLY, tsr_nanmin(B, .dims = D(1), .initial = \
	  TSR_ARG(2.0)), 1, 2, 2) \
	_(nanmax_i32, I32, D(), 0, tsr_nanmax(N), 9) \
	_(nanmean, F64, D(3), NEARLY, tsr_nanmean(B, .dims = D(0)), 2.5, 5, 3) \
	_(nanmean_none, F64, D(3), NEARLY, tsr_nanmean(B, .dims = D(1)), 2, 4.5, NAN) \
	_(nanvar, F64, D(3), NEARLY, tsr_nanvar(B, .dims = D(1)), 1, 0.25, NAN) \
	_(nanstd, F64, D(), NEARLY, tsr_nanstd(B, .correction = 1), 1.707825127659933) \
	_(nanargmax, I32, D(3), 0, tsr_nanargmax(B, .dim = D(1)), 2, 1, -1) \
	_(nanargmin, I32, D(), 0, tsr_nanargmin(B), 0) \
	_(median, F64, D(), NEARLY, tsr_median(V), 2) \
	_(median_dims, F64, D(2, 1), NEARLY, tsr_median(A, .dims = D(1), .keep = true), 2, 5) \
	_(median_all_kept, F64, D(1, 1), NEARLY, tsr_median(A, .keep = true), 3.5) \
	_(median_nan, F64, D(3), NEARLY, tsr_median(B, .dims = D(0)), NAN, NAN, NAN) \
	_(median_i32, F32, D(), NEARLY, tsr_median(N), 3.5) \
	_(median_f16, F16, D(), NEARLY, tsr_median(H), 3) \
	_(nanmedian, F64, D(3), NEARLY, tsr_nanmedian(B, .dims = D(1)), 2, 4.5, NAN) \
	_(quantile, F64, D(), NEARLY, tsr_quantile(V, 0.3), 2) \
	_(quantiles, F64, D(3, 3), NEARLY, tsr_quantile(A, Q, .dims = D(0)), 1.3, 2.3, 3.6, 2.5, \
	  3.5, 6, 4, 5, 9) \
	_(quantiles_kept, F64, D(3, 2, 1), NEARLY, tsr_quantile(A, Q, .dims = D(1), .keep = \
	  true), 1.2000000000000002, 4.2, 2, 5, 3, 9) \
	_(quantile_lower, F64, D(), NEARLY, tsr_quantile(V, 0.3, .method = TSR_QUANTILE_LOWER), \
	  2) \
	_(quantile_higher, F64, D(), NEARLY, tsr_quantile(V, 0.3, .method = \
	  TSR_QUANTILE_HIGHER), 2) \
	_(quantile_nearest, F64, D(), NEARLY, tsr_quantile(V, 0.3, .method = \
	  TSR_QUANTILE_NEAREST), 2) \
	_(quantile_midpoint, F64, D(), NEARLY, tsr_quantile(V, 0.3, .method = \
	  TSR_QUANTILE_MIDPOINT), 2) \
	_(quantile_weights, F64, D(3, 2), NEARLY, tsr_quantile(A, Q, .dims = D(1), .method = \
	  TSR_QUANTILE_INVERTED_CDF, .weights = W), 1, 4, 3, 9, 3, 9) \
	_(quantile_wrong_weights, F64, D(2, 1), NEARLY, tsr_quantile(A, 0.2, .dims = D(1), \
	  .method = TSR_QUANTILE_INVERTED_CDF, .weights = tsr_sub(A, 2), .keep = true), NAN, 5) \
	_(nanquantile_counted, F64, D(3), NEARLY, tsr_nanquantile(B, 0.5, .dims = D(1), \
	  .method = TSR_QUANTILE_INVERTED_CDF), 1, 4, NAN) \
	_(quantile_counted_nan, F64, D(3), NEARLY, tsr_quantile(B, 0.5, .dims = D(0), \
	  .method = TSR_QUANTILE_INVERTED_CDF), NAN, NAN, NAN) \
	_(percentile, F64, D(), NEARLY, tsr_percentile(A, 25, .dims = D(0, 1)), 2.25) \
	_(nanquantile, F64, D(3, 3), NEARLY, tsr_nanquantile(B, Q, .dims = D(1)), 1.2, \
	  4.1000000000000005, NAN, 2, 4.5, NAN, 3, 5, NAN) \
	_(nanpercentile, F64, D(3), NEARLY, tsr_nanpercentile(B, 40, .dims = D(0)), 2.2, 5, 3) \
	_(cov, F64, D(3, 3), NEARLY, tsr_cov(X), 1.6666666666666665, -0.3333333333333333, \
	  1.6666666666666665, -0.3333333333333333, 4.666666666666666, 6.333333333333333, \
	  1.6666666666666665, 6.333333333333333, 11.333333333333332) \
	_(cov_columns, F64, D(4, 4), NEARLY, tsr_cov(X, .columns = true, .bias = true), \
	  0.6666666666666666, 0.3333333333333333, -0.3333333333333333, -0.6666666666666666, \
	  0.3333333333333333, 0.6666666666666666, 1, -1.3333333333333333, -0.3333333333333333, \
	  1, 2.8888888888888893, -2, -0.6666666666666666, -1.3333333333333333, -2, \
	  2.6666666666666665) \
	_(cov_of_one, F64, D(), NEARLY, tsr_cov(V), 5.5) \
	_(cov_y, F64, D(4, 4), NEARLY, tsr_cov(X, .y = Y), 1.6666666666666665, \
	  -0.3333333333333333, 1.6666666666666665, 0.5, -0.3333333333333333, 4.666666666666666, \
	  6.333333333333333, -2, 1.6666666666666665, 6.333333333333333, 11.333333333333332, \
	  -2.333333333333333, 0.5, -2, -2.333333333333333, 2.25) \
	_(cov_fweights, F64, D(3, 3), NEARLY, tsr_cov(X, .fweights = FW), 1.4761904761904763, \
	  -0.7857142857142857, 0.7380952380952379, -0.7857142857142857, 3.2380952380952377, \
	  3.6904761904761902, 0.7380952380952379, 3.6904761904761902, 6.285714285714285) \
	_(cov_aweights, F64, D(3, 3), NEARLY, tsr_cov(X, .aweights = AW), 1.2142857142857142, \
	  -0.10714285714285712, 1.3928571428571426, -0.10714285714285712, 6.749999999999999, \
	  9.642857142857142, 1.3928571428571426, 9.642857142857142, 15.749999999999998) \
	_(cov_weights, F64, D(3, 3), NEARLY, tsr_cov(X, .aweights = AW, .fweights = FW), \
	  1.1170212765957448, -0.6382978723404256, 0.4787234042553192, -0.6382978723404256, \
	  5.0212765957446805, 6.468085106382979, 0.4787234042553192, 6.468085106382979, \
	  9.96808510638298) \
	_(cov_bias_weights, F64, D(3, 3), NEARLY, tsr_cov(X, .aweights = AW, .bias = true), \
	  0.8395061728395062, -0.07407407407407407, 0.9629629629629628, -0.07407407407407407, \
	  4.666666666666666, 6.666666666666666, 0.9629629629629628, 6.666666666666666, \
	  10.888888888888888) \
	_(cov_complex, C128, D(2, 2), NEARLY, tsr_cov(tsr_stack(0, Z, tsr_conj(Z))), \
	  6.333333333333333 + 0 * I, 1.666666666666667 + -2 * I, 1.666666666666667 + 2 * I, \
	  6.333333333333333 + 0 * I) \
	_(corrcoef, F64, D(3, 3), NEARLY, tsr_corrcoef(X), 0.9999999999999999, \
	  -0.11952286093343936, 0.38348249442368515, -0.11952286093343938, 1, \
	  0.8708635721768008, 0.3834824944236852, 0.8708635721768008, 0.9999999999999999) \
	_(corrcoef_y, F64, D(2, 2), NEARLY, tsr_corrcoef(V, .y = tsr_square(V)), \
	  0.9999999999999998, 0.9860972268881433, 0.9860972268881434, 0.9999999999999998) \
	_(corrcoef_of_one, F64, D(), NEARLY, tsr_corrcoef(V), 1) \
	_(searchsorted, I32, D(9), 0, tsr_searchsorted(EDGES, PTS), 0, 0, 1, 1, 2, 3, 3, 4, 4) \
	_(searchsorted_right, I32, D(9), 0, tsr_searchsorted(EDGES, PTS, .right = true), 0, 1, \
	  1, 2, 3, 3, 4, 4, 4) \
	_(searchsorted_none, I32, D(5), 0, tsr_searchsorted(NONE, V), 0, 0, 0, 0, 0) \
	_(searchsorted_i32, I32, D(11), 0, tsr_searchsorted(tsr_sort(N), tsr_arange(c, 11)), 0, \
	  0, 2, 3, 4, 5, 6, 7, 7, 7, 8) \
	_(digitize, I32, D(9), 0, tsr_digitize(PTS, EDGES), 0, 1, 1, 2, 3, 3, 4, 4, 4) \
	_(digitize_right, I32, D(9), 0, tsr_digitize(PTS, EDGES, .right = true), 0, 0, 1, 1, 2, \
	  3, 3, 4, 4) \
	_(digitize_nan, I32, D(3), 0, tsr_digitize(OF(TSR_F64, D(3), 1.5, 5, 0.5), OF(TSR_F64, \
	  D(3), 1, 2, NAN)), 1, 2, 0) \
	_(digitize_falling, I32, D(9), 0, tsr_digitize(PTS, FALL), 4, 3, 3, 2, 1, 1, 0, 0, 0) \
	_(isin, BOOL, D(8), 0, tsr_isin(N, tsr_slice(N, 0, 4, 6)), 0, 0, 0, 0, 1, 1, 0, 0) \
	_(bincount, I32, D(6), 0, tsr_bincount(N, 6), 0, 2, 1, 1, 1, 1) \
	_(bincount_weights, F64, D(5), NEARLY, tsr_bincount(FW, 5, .weights = AW), 0, 2.5, 1, 1, \
	  0) \
	_(histogram, F64, D(4), NEARLY, counted(V, 4, 0, false), 3, 1, 0, 1) \
	_(histogram_edges, F64, D(5), NEARLY, counted(V, 4, 1, false), 1, 2.5, 4, 5.5, 7) \
	_(histogram_density, F64, D(3), NEARLY, counted(V, 3, 0, true), 0.30000000000000004, \
	  0.10000000000000005, 0.09999999999999996) \
	_(histogram_range, F64, D(5), NEARLY, ranged(V, 0), 0, 0, 1, 0, 2) \
	_(histogram_of_equals, F64, D(4), NEARLY, counted(tsr_ones_like(V), 3, 1, false), 0.5, \
	  0.8333333333333334, 1.1666666666666667, 1.5) \
	_(histogram_given, F64, D(3), NEARLY, binned(PTS, EDGES), 2, 1, 3) \
	_(interp, F64, D(9), NEARLY, tsr_interp(PTS, EDGES, FP), 1, 1, 0, -1, 2, \
	  0.13333333333333353, 0, 0, NAN) \
	_(interp_ends, F64, D(9), NEARLY, tsr_interp(PTS, EDGES, FP, .left = TSR_ARG(-9), .right \
	  = TSR_ARG(9)), -9, 1, 0, -1, 2, 0.13333333333333353, 0, 9, NAN) \
	_(interp_extrapolate, F64, D(9), NEARLY, tsr_interp(PTS, EDGES, FP, .extrapolate = \
	  true), 3, 1, 0, -1, 2, 0.13333333333333353, 0, -6.666666666666666, NAN) \
	_(interp_period, F64, D(9), NEARLY, tsr_interp(PTS, TURNED, FP, .period = -5), \
	  1, 0, -0.5, -1, 1.25, 1.1, 1, 1, NAN) \
	_(reduce_and, I32, D(), 0, tsr_reduce_and(N), 0) \
	_(reduce_or, I32, D(1), 0, tsr_reduce_or(FW, .keep = true), 3) \
	_(reduce_xor, I32, D(), 0, tsr_reduce_xor(N), 15) \
	_(var_grad, F64, D(5), NEARLY, tsr_call(tsr_grad(c, spread), V), 0, -1.0132007163556105, \
	  -0.5066003581778052, -0.5066003581778052, 2.026401432711221) \
	_(quantile_grad, F64, D(5), NEARLY, tsr_call(tsr_grad(c, third), V), 0, 0, 0.8, \
	  0.19999999999999996, 0) \
	_(nanmin_grad, F64, D(3), NEARLY, \
	  tsr_call(tsr_grad(c, least_number), F64(c, INFINITY, NAN, INFINITY)), 1.0 / 3, 0, \
	  1.0 / 3) \
	_(nanmin_grad_two, F64, D(2), 0, \
	  tsr_call(tsr_grad(c, least_number), F64(c, INFINITY, INFINITY)), 0.5, 0.5) \
	_(median_grad_ties, F64, D(4), 0, \
	  tsr_call(tsr_grad(c, half_way), F64(c, 1, 1, 1, 2)), 0, 0.5, 0.5, 0) \
	_(median_grad_inf, F64, D(3), 0, \
	  tsr_call(tsr_grad(c, half_way), F64(c, -INFINITY, 1, INFINITY)), 0, 1, 0) \
	_(nanvar_grad, F64, D(3, 3), NEARLY, tsr_call(tsr_grad(c, some), B), -1.125, 0, -0.125, \
	  0.375, 0.875, 0, 0, 0, 0) \
	_(median_each, F64, D(2), NEARLY, tsr_call(tsr_vmap(c, middle), A), 2, 5)

COMPARED(CASES)

static void mistakes(void **state)
{
	tsr_ctx *c = tsr_open(.log = log_nothing);
	tsr *x = tsr_ones(c, D(2, 3)), *z = tsr_complex(x, 1), *none = tsr_ones(c, D(0)), *out[2];
	const refusal made[] = {
		{tsr_is_poison(tsr_var(x, .dtype = TSR_I32)), "var of integers"},
		{tsr_is_poison(tsr_std(z, .dtype = TSR_F32)), "std of complex numbers"},
		{tsr_is_poison(tsr_average(x, .weights = none)), "average"},
		{tsr_is_poison(tsr_median(z)), "median of complex numbers"},
		{tsr_is_poison(tsr_median(none)), "median of nothing"},
		{tsr_is_poison(tsr_quantile(x, x)), "q of two dims"},
		{tsr_is_poison(tsr_quantile(x, 0.5, .method = (enum tsr_quantile_method)9)), "9"},
		{tsr_is_poison(tsr_quantile(x, 0.5, .weights = x)), "weights of a line"},
		{tsr_is_poison(tsr_quantile(x, 0.5, .dims = D(0), .weights = none,
		                            .method = TSR_QUANTILE_INVERTED_CDF)), "few weights"},
		{tsr_is_poison(tsr_cov(tsr_ones(c, D(1, 1, 1)))), "cov of three dims"},
		{tsr_is_poison(tsr_cov(x, .aweights = none)), "cov of too few weights"},
		{tsr_is_poison(tsr_searchsorted(x, x)), "edges of two dims"},
		{tsr_is_poison(tsr_bincount(x, 3)), "bincount of floats"},
		{!tsr_histogram(x, 0, out), "no bins"},
		{tsr_is_poison(tsr_interp(x, x, x)), "points of two dims"},
	};

	(void)state;
	all_refused(c, made, COUNT(made));
}

/* whole numbers; floats have NaN, and zeros of both signs */
static tsr *numbers(tsr_ctx *c, uint64_t seed, int64_t n, tsr_dtype dtype)
{
	tsr *x = tsr_round(tsr_mul(tsr_uniform(tsr_key(c, seed), D(2, n)), 1000));

	if (dtype == TSR_F32) x = tsr_where(tsr_eq(tsr_rem(x, 7), 3), NAN, tsr_sub(x, 500));
	if (dtype == TSR_F32) x = tsr_where(tsr_gt(x, 490), tsr_mul(x, -0.0), x);
	return tsr_astype(x, dtype);
}

/* large sets are sorted and searched, small ones compared with all */
static void many_are_searched(void **state)
{
	static const tsr_dtype dtypes[] = {TSR_F32, TSR_BF16, TSR_I32, TSR_U8, TSR_I64, TSR_BOOL};

	(void)state;
	for (size_t k = 0; k < sizeof dtypes / sizeof *dtypes; k++) {
		tsr_ctx *c = tsr_open();
		tsr *x = numbers(c, 1, 600, dtypes[k]), *set = numbers(c, 2, 520, dtypes[k]);
		tsr *found = tsr_isin(x, set);
		tsr *each = tsr_logical_or(tsr_isin(x, tsr_index(set, 0, 0)),
		                           tsr_isin(x, tsr_index(set, 0, 1)));
		assert_true(tsr_item(tsr_all(tsr_eq(found, each))) == 1);
		assert_true(tsr_item(tsr_any(found)) == 1);
		if (dtypes[k] != TSR_BOOL && dtypes[k] != TSR_U8)
			assert_true(tsr_item(tsr_all(found)) == 0);
		assert_int_equal(tsr_close(c), TSR_OK);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(as_jax_has_it),
	                                   cmocka_unit_test(mistakes),
	                                   cmocka_unit_test(many_are_searched)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
