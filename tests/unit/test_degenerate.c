/* test_degenerate.c - linear algebra, statistics and curves of arrays without elements, of zeros,
 * of equal numbers and of one: the results of JAX 0.10.2, and where that refuses or has NaN in
 * place of a limit, NumPy 2; and refused calls. */
#include "support/cases.h"

#define F64_ZEROS(...) tsr_zeros(c, D(__VA_ARGS__), .dtype = TSR_F64)
#define E   F64_ZEROS(0)
#define E2  F64_ZEROS(0, 0)
#define W   F64_ZEROS(0, 3)
#define T   F64_ZEROS(3, 0)
#define B   F64_ZEROS(2, 0, 0)
#define N   F64_ZEROS(2, 2)
#define N3  F64_ZEROS(2, 3)
#define Z   F64_ZEROS(3)
#define O   OF(TSR_F64, D(2, 2), 1, 1, 1, 1)
#define O3  OF(TSR_F64, D(2, 3), 1, 1, 1, 1, 1, 1)
#define R   OF(TSR_F64, D(2, 2), 1, 2, 2, 4)
#define ONE OF(TSR_F64, D(1, 1), 4)
#define NIL OF(TSR_F64, D(1, 1), 0)
#define S   OF(TSR_F64, D(3), 2, 2, 2)
#define X   OF(TSR_F64, D(2), 1, 1)
#define L   OF(TSR_F64, D(1), 5)
#define Q   tsr_scalar(c, 3.0, .dtype = TSR_F64)

#define RESULT(name, n, at, ...) \
	static tsr *name(tsr *a) \
	{ \
		tsr *out[n]; \
		return __VA_ARGS__ ? out[at] : out[0]; \
	}
RESULT(logsign, 2, 0, tsr_slogdet(a, out))
RESULT(logdet, 2, 1, tsr_slogdet(a, out))
RESULT(upper, 2, 1, tsr_qr(a, out))
RESULT(schur, 2, 0, tsr_schur(a, out))
RESULT(hessenberg, 2, 0, tsr_hessenberg(a, out))
RESULT(polar, 2, 1, tsr_polar(a, out))
RESULT(density, 2, 0, tsr_histogram(a, 2, out, .density = true))
static tsr *binned(tsr *x, int k)
{
	tsr *out[2];
	return tsr_histogram(x, 2, out) ? out[k] : out[0];
}
static tsr *least(tsr *a, tsr *b, int k)
{
	tsr *out[4];
	return tsr_lstsq(a, b, out) ? out[k] : out[0];
}

/* the name, the dtype and dims, how near, the expression in context c, its elements */
#define CASES(_) \
	_(det_none, F64, D(), NEARLY, tsr_det(E2), 1) \
	_(det_batch, F64, D(2), NEARLY, tsr_det(B), 1, 1) \
	_(det_zero, F64, D(), NEARLY, tsr_det(N), 0) \
	_(det_one, F64, D(), NEARLY, tsr_det(ONE), 4) \
	_(det_singular, F64, D(), NEARLY, tsr_det(R), 0) \
	_(slogdet_none, F64, D(), NEARLY, logdet(E2), 0) \
	_(slogdet_zero, F64, D(), NEARLY, logdet(N), -INFINITY) \
	_(slogdet_sign, F64, D(), NEARLY, logsign(N), 0) \
	_(inv_none, F64, D(0, 0), NEARLY, tsr_inv(E2), 0) \
	_(inv_one, F64, D(1, 1), NEARLY, tsr_inv(ONE), 0.25) \
	_(solve_none, F64, D(0), NEARLY, tsr_solve(E2, E), 0) \
	_(solve_columns, F64, D(0, 3), NEARLY, tsr_solve(E2, W), 0) \
	_(solve_no_columns, F64, D(3, 0), NEARLY, tsr_solve(tsr_eye(c, 3, .dtype = TSR_F64), \
	  T), 0) \
	_(rank_none, I32, D(), NEARLY, tsr_matrix_rank(E2), 0) \
	_(rank_wide, I32, D(), NEARLY, tsr_matrix_rank(W), 0) \
	_(rank_zero, I32, D(), NEARLY, tsr_matrix_rank(N3), 0) \
	_(rank_equal, I32, D(), NEARLY, tsr_matrix_rank(O3), 1) \
	_(rank_nil, I32, D(), NEARLY, tsr_matrix_rank(NIL), 0) \
	_(pinv_none, F64, D(3, 0), NEARLY, tsr_pinv(W), 0) \
	_(pinv_zero, F64, D(3, 2), NEARLY, tsr_pinv(N3), 0, 0, 0, 0, 0, 0) \
	_(pinv_equal, F64, D(3, 2), NEARLY, tsr_pinv(O3), 0.1666666666666667, \
	  0.16666666666666666, 0.1666666666666667, 0.16666666666666666, 0.1666666666666667, \
	  0.16666666666666666) \
	_(lstsq_zero, F64, D(2), NEARLY, least(N, X, 0), 0, 0) \
	_(lstsq_zero_rest, F64, D(1), NEARLY, least(N, X, 1), 2.0000000000000004) \
	_(lstsq_zero_rank, I32, D(), NEARLY, least(N, X, 2), 0) \
	_(lstsq_zero_values, F64, D(2), NEARLY, least(N, X, 3), 0, 0) \
	_(lstsq_equal, F64, D(2), NEARLY, least(O, X, 0), 0.4999999999999999, \
	  0.49999999999999983) \
	_(lstsq_rank_one, I32, D(), NEARLY, least(R, X, 2), 1) \
	_(lstsq_no_rows, F64, D(3), NEARLY, least(W, E, 0), 0, 0, 0) \
	_(lstsq_no_rows_rest, F64, D(1), NEARLY, least(W, E, 1), 0) \
	_(lstsq_no_columns, F64, D(0), NEARLY, least(T, S, 0), 0) \
	_(lstsq_no_columns_rest, F64, D(1), NEARLY, least(T, S, 1), 11.999999999999998) \
	_(lstsq_no_columns_rank, I32, D(), NEARLY, least(T, S, 2), 0) \
	_(svdvals_none, F64, D(0), NEARLY, tsr_svdvals(W), 0) \
	_(svdvals_zero, F64, D(2), NEARLY, tsr_svdvals(N3), 0, 0) \
	_(eigvalsh_none, F64, D(0), NEARLY, tsr_eigvalsh(E2), 0) \
	_(eigvalsh_zero, F64, D(2), NEARLY, tsr_eigvalsh(N), 0, 0) \
	_(eigvalsh_equal, F64, D(2), NEARLY, tsr_eigvalsh(O), 0, 2) \
	_(eigvals_none, C128, D(0), NEARLY, tsr_eigvals(E2), 0) \
	_(eigvals_zero, C128, D(2), NEARLY, tsr_eigvals(N), 0, 0) \
	_(cholesky_none, F64, D(0, 0), NEARLY, tsr_cholesky(E2), 0) \
	_(cholesky_zero, F64, D(2, 2), NEARLY, tsr_cholesky(N), NAN, 0, NAN, NAN) \
	_(cholesky_one, F64, D(1, 1), NEARLY, tsr_cholesky(ONE), 2) \
	_(qr_none, F64, D(0, 3), NEARLY, upper(W), 0) \
	_(qr_zero, F64, D(2, 3), NEARLY, upper(N3), 0, 0, 0, 0, 0, 0) \
	_(expm_none, F64, D(0, 0), NEARLY, tsr_expm(E2), 0) \
	_(expm_zero, F64, D(2, 2), NEARLY, tsr_expm(N), 1, 0, 0, 1) \
	_(power_none, F64, D(0, 0), NEARLY, tsr_matrix_power(E2, 3), 0) \
	_(power_zero, F64, D(2, 2), NEARLY, tsr_matrix_power(N, 0), 1, 0, 0, 1) \
	_(norm_none, F64, D(), NEARLY, tsr_norm(E), 0) \
	_(norm_none_matrix, F64, D(), NEARLY, tsr_norm(W), 0) \
	_(norm_none_most, F64, D(), NEARLY, tsr_norm(E, .ord = INFINITY), 0) \
	_(norm_none_three, F64, D(), NEARLY, tsr_norm(E, .ord = 3), 0) \
	_(norm_none_count, F64, D(), NEARLY, tsr_norm(E, .zero = true), 0) \
	_(norm_zero, F64, D(), NEARLY, tsr_norm(Z, .ord = 3), 0) \
	_(vector_none_most, F64, D(), NEARLY, tsr_vector_norm(E, .ord = INFINITY), 0) \
	_(vector_none_each, F64, D(3), NEARLY, tsr_vector_norm(T, .ord = INFINITY, \
	  .dims = D(1)), 0, 0, 0) \
	_(matrix_none, F64, D(), NEARLY, tsr_matrix_norm(W), 0) \
	_(matrix_none_1, F64, D(), NEARLY, tsr_matrix_norm(T, .ord = 1), 0) \
	_(matrix_none_most, F64, D(), NEARLY, tsr_matrix_norm(W, .ord = INFINITY), 0) \
	_(matrix_none_2, F64, D(), NEARLY, tsr_matrix_norm(W, .ord = 2), 0) \
	_(matrix_none_nuclear, F64, D(), NEARLY, tsr_matrix_norm(W, .nuclear = true), 0) \
	_(matrix_batch, F64, D(2), NEARLY, tsr_matrix_norm(B, .ord = 2), 0, 0) \
	_(cond_zero, F64, D(), NEARLY, tsr_cond_number(N), INFINITY) \
	_(cond_singular, F64, D(), NEARLY, tsr_cond_number(N, .ord = 1), INFINITY) \
	_(cond_one, F64, D(), NEARLY, tsr_cond_number(ONE), 1) \
	_(multi_dot_none, F64, D(3, 0), NEARLY, tsr_multi_dot(T, W, T), 0) \
	_(matmul_none, F64, D(3, 3), NEARLY, tsr_matmul(T, W), 0, 0, 0, 0, 0, 0, 0, 0, 0) \
	_(dot_none, F64, D(), NEARLY, tsr_dot(E, E), 0) \
	_(kron_none, F64, D(0, 0), NEARLY, tsr_kron(E2, O), 0) \
	_(outer_none, F64, D(0, 3), NEARLY, tsr_outer(E, S), 0) \
	_(trace_none, F64, D(), NEARLY, tsr_trace(W), 0) \
	_(sum_none, F64, D(), NEARLY, tsr_sum(E), 0) \
	_(prod_none, F64, D(), NEARLY, tsr_prod(E), 1) \
	_(mean_none, F64, D(), NEARLY, tsr_mean(E), NAN) \
	_(mean_none_each, F64, D(3), NEARLY, tsr_mean(T, .dims = D(1)), NAN, NAN, NAN) \
	_(var_none, F64, D(), NEARLY, tsr_var(E), NAN) \
	_(var_one, F64, D(), NEARLY, tsr_var(L), 0) \
	_(var_one_less, F64, D(), NEARLY, tsr_var(L, .correction = 1), NAN) \
	_(std_equal, F64, D(), NEARLY, tsr_std(S), 0) \
	_(nanmean_none, F64, D(), NEARLY, tsr_nanmean(E), NAN) \
	_(nansum_none, F64, D(), NEARLY, tsr_nansum(E), 0) \
	_(nanprod_none, F64, D(), NEARLY, tsr_nanprod(E), 1) \
	_(nanvar_none, F64, D(), NEARLY, tsr_nanvar(E), NAN) \
	_(count_none, I32, D(), NEARLY, tsr_count_nonzero(E), 0) \
	_(average_none, F64, D(), NEARLY, tsr_average(E), NAN) \
	_(average_no_weight, F64, D(), NEARLY, tsr_average(S, .weights = Z), NAN) \
	_(ptp_one, F64, D(), NEARLY, tsr_ptp(L), 0) \
	_(ptp_no_results, F64, D(0), NEARLY, tsr_ptp(T, .dims = D(0)), 0) \
	_(median_one, F64, D(), NEARLY, tsr_median(L), 5) \
	_(median_no_results, F64, D(0), NEARLY, tsr_median(T, .dims = D(0)), 0) \
	_(quantile_no_q, F64, D(0), NEARLY, tsr_quantile(S, E), 0) \
	_(quantile_none_no_q, F64, D(0), NEARLY, tsr_quantile(E, E), 0) \
	_(quantile_equal, F64, D(), NEARLY, tsr_quantile(S, 0.3), 2) \
	_(cov_equal, F64, D(2, 2), NEARLY, tsr_cov(O3), 0, 0, 0, 0) \
	_(cov_one, F64, D(), NEARLY, tsr_cov(L), NAN) \
	_(cov_no_samples, F64, D(3, 3), NEARLY, tsr_cov(T), NAN, NAN, NAN, NAN, NAN, NAN, NAN, \
	  NAN, NAN) \
	_(corrcoef_equal, F64, D(2, 2), NEARLY, tsr_corrcoef(O3), NAN, NAN, NAN, NAN) \
	_(bincount_none, I32, D(3), NEARLY, tsr_bincount(tsr_zeros(c, D(0), .dtype = TSR_I32), \
	  3), 0, 0, 0) \
	_(bincount_no_bins, I32, D(0), NEARLY, tsr_bincount(tsr_zeros(c, D(2), \
	  .dtype = TSR_I32), 0), 0) \
	_(searchsorted_none, I32, D(3), NEARLY, tsr_searchsorted(E, S), 0, 0, 0) \
	_(searchsorted_for_none, I32, D(0), NEARLY, tsr_searchsorted(S, E), 0) \
	_(searchsorted_equal, I32, D(3), NEARLY, tsr_searchsorted(S, S, .right = true), 3, 3, 3) \
	_(digitize_none, I32, D(3), NEARLY, tsr_digitize(S, E), 0, 0, 0) \
	_(digitize_for_none, I32, D(0), NEARLY, tsr_digitize(E, S), 0) \
	_(isin_none, BOOL, D(3), NEARLY, tsr_isin(S, E), 0, 0, 0) \
	_(isin_of_none, BOOL, D(0), NEARLY, tsr_isin(E, S), 0) \
	_(counts_of_none, F64, D(2), NEARLY, binned(E, 0), 0, 0) \
	_(edges_of_none, F64, D(3), NEARLY, binned(E, 1), 0, 0.5, 1) \
	_(counts_of_equal, F64, D(2), NEARLY, binned(S, 0), 0, 3) \
	_(edges_of_equal, F64, D(3), NEARLY, binned(S, 1), 1.5, 2, 2.5) \
	_(density_of_none, F64, D(2), NEARLY, density(E), NAN, NAN) \
	_(interp_for_none, F64, D(0), NEARLY, tsr_interp(E, S, S), 0) \
	_(interp_equal, F64, D(2), NEARLY, tsr_interp(X, S, Z), 0, 0) \
	_(interp_one, F64, D(3), NEARLY, tsr_interp(S, L, L), 5, 5, 5) \
	_(argmax_scalar, I32, D(), NEARLY, tsr_argmax(Q, .dim = D(0)), 0) \
	_(argmin_scalar, I32, D(), NEARLY, tsr_argmin(Q, .dim = D(-1), .keep = true), 0) \
	_(nanargmax_scalar, I32, D(), NEARLY, tsr_nanargmax(Q, .dim = D(0)), 0) \
	_(argsort_none, I32, D(0), NEARLY, tsr_argsort(E), 0) \
	_(sort_none, F64, D(3, 0), NEARLY, tsr_sort(T), 0) \
	_(cumsum_none, F64, D(0), NEARLY, tsr_cumsum(E), 0) \
	_(diff_none, F64, D(0), NEARLY, tsr_diff(E), 0) \
	_(diff_one, F64, D(0), NEARLY, tsr_diff(L), 0) \
	_(diff_more, F64, D(0), NEARLY, tsr_diff(S, .n = 7), 0) \
	_(ediff1d_none, F64, D(0), NEARLY, tsr_ediff1d(E), 0) \
	_(trapezoid_none, F64, D(), NEARLY, tsr_trapezoid(E), 0) \
	_(trapezoid_one, F64, D(), NEARLY, tsr_trapezoid(L), 0) \
	_(unwrap_none, F64, D(0), NEARLY, tsr_unwrap(E), 0) \
	_(linspace_none, F64, D(0), NEARLY, tsr_linspace(c, 0, 1, 0, .dtype = TSR_F64), 0) \
	_(linspace_one, F64, D(1), NEARLY, tsr_linspace(c, 2, 5, 1, .dtype = TSR_F64), 2) \
	_(linspace_open, F64, D(1), NEARLY, tsr_linspace(c, 2, 5, 1, .dtype = TSR_F64, \
	  .open = true), 2) \
	_(logspace_one, F64, D(1), NEARLY, tsr_logspace(c, 2, 5, 1, .dtype = TSR_F64), 100) \
	_(geomspace_one, F64, D(1), NEARLY, tsr_geomspace(c, 2, 5, 1, .dtype = TSR_F64), 2) \
	_(hanning_none, F64, D(0), NEARLY, tsr_hanning(c, 0, .dtype = TSR_F64), 0) \
	_(hanning_one, F64, D(1), NEARLY, tsr_hanning(c, 1, .dtype = TSR_F64), 1) \
	_(hamming_one, F64, D(1), NEARLY, tsr_hamming(c, 1, .dtype = TSR_F64), 1) \
	_(bartlett_one, F64, D(1), NEARLY, tsr_bartlett(c, 1, .dtype = TSR_F64), 1) \
	_(blackman_one, F64, D(1), NEARLY, tsr_blackman(c, 1, .dtype = TSR_F64), 1) \
	_(kaiser_one, F64, D(1), NEARLY, tsr_kaiser(c, 1, 3, .dtype = TSR_F64), 1) \
	_(polyval_none, F64, D(3), NEARLY, tsr_polyval(E, S), 0, 0, 0) \
	_(polyval_at_none, F64, D(0), NEARLY, tsr_polyval(S, E), 0) \
	_(polyadd_none, F64, D(3), NEARLY, tsr_polyadd(E, S), 2, 2, 2) \
	_(polysub_none, F64, D(0), NEARLY, tsr_polysub(E, E), 0) \
	_(polymul_none, F64, D(3), NEARLY, tsr_polymul(E, S), 0, 0, 0) \
	_(polyder_one, F64, D(0), NEARLY, tsr_polyder(L, 1), 0) \
	_(polyder_none, F64, D(0), NEARLY, tsr_polyder(E, 1), 0) \
	_(polyint_none, F64, D(2), NEARLY, tsr_polyint(E, 2), 0, 0) \
	_(polyint_zero, F64, D(4), NEARLY, tsr_polyint(Z, 1), 0, 0, 0, 0) \
	_(poly_none, F64, D(), NEARLY, tsr_poly(E), 1) \
	_(roots_none, C128, D(0), NEARLY, tsr_roots(E), 0) \
	_(roots_one, C128, D(0), NEARLY, tsr_roots(L), 0) \
	_(roots_zero, C128, D(2), NEARLY, tsr_roots(Z), NAN + NAN * I, NAN + NAN * I) \
	_(tensorinv_one, F64, D(1, 1), NEARLY, tsr_tensorinv(ONE, 1), 0.25) \
	_(triangular_none, F64, D(0), NEARLY, tsr_solve_triangular(E2, E), 0) \
	_(schur_none, F64, D(0, 0), NEARLY, schur(E2), 0) \
	_(hessenberg_none, F64, D(0, 0), NEARLY, hessenberg(E2), 0) \
	_(polar_none, F64, D(0, 0), NEARLY, polar(E2), 0) \
	_(polar_zero, F64, D(2, 2), NEARLY, polar(N), 0, 0, 0, 0) \
	_(vander_none, F64, D(0, 3), NEARLY, tsr_vander(E, 3, false), 0) \
	_(vander_no_powers, F64, D(3, 0), NEARLY, tsr_vander(S, 0, false), 0)

COMPARED(CASES)

static void nothing_to_say(void **state)
{
	tsr_ctx *c = tsr_open(.log = log_nothing);
	tsr *out[2], *flags = tsr_zeros(c, D(0, 2), .dtype = TSR_C64);
	const refusal made[] = {
		{tsr_is_poison(tsr_ptp(E)), "the range of nothing"},
		{tsr_is_poison(tsr_ptp(T, .dims = D(1))), "ranges of nothing"},
		{tsr_is_poison(tsr_nanmax(E)), "the largest of nothing"},
		{tsr_is_poison(tsr_nanmin(flags)), "the smallest of no complex numbers"},
		{tsr_is_poison(tsr_nanargmax(E)), "its place"},
		{tsr_is_poison(tsr_argmin(E)), "the place of the smallest"},
		{tsr_is_poison(tsr_argmax(Q, .dim = D(1))), "a second dim of a scalar"},
		{tsr_is_poison(tsr_median(E)), "the median of nothing"},
		{tsr_is_poison(tsr_median(T, .dims = D(1))), "medians of nothing"},
		{tsr_is_poison(tsr_quantile(E, 0.5)), "a quantile of nothing"},
		{tsr_is_poison(tsr_cond_number(E2)), "the condition of nothing"},
		{tsr_is_poison(tsr_cond_number(B)), "the conditions of nothing"},
		{!tsr_histogram(E, 0, out), "no bins"},
		{tsr_is_poison(tsr_interp(S, E, E)), "lines between no points"},
		{tsr_is_poison(tsr_gradient(L, 0, 1.0)), "slopes of one point"},
		{tsr_is_poison(tsr_convolve(E, S)), "nothing convolved"},
		{tsr_is_poison(tsr_det(W)), "the determinant of no rows"},
	};

	(void)state;
	all_refused(c, made, COUNT(made));
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(as_jax_has_it),
	                                   cmocka_unit_test(nothing_to_say)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
