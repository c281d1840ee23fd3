/* test_reductions.c - the keywords of reductions, sorts and running sums, and round's decimals, as
 * JAX 0.10.2 has them: each line outside a body and in one. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include "support/as_jax.h"
#include <cmocka.h>

#define D     TSR_DIMS
#define A     TSR_ARG
#define COUNT(a) (sizeof(a) / sizeof *(a))

static tsr *numbers(tsr_ctx *c, tsr_dtype dtype, const double *x, int64_t n)
{
	return tsr_astype(tsr_from(c, x, TSR_F64, D(n)), dtype);
}

#define OF(dtype, ...) \
	numbers(c, dtype, (const double[]){__VA_ARGS__}, \
	        sizeof((const double[]){__VA_ARGS__}) / sizeof(double))
#define X    OF(TSR_F32, 1, 2, 3, 4)
#define ODD  OF(TSR_BOOL, 1, 0, 1, 0)
#define NONE OF(TSR_BOOL, 0, 0, 0, 0)
#define B    OF(TSR_F32, 1, 1, 2, 0)
#define ROWS tsr_reshape(X, D(2, 2))
#define S    OF(TSR_F32, 3, 1, 2, 1)
#define W    OF(TSR_F32, 1, 2, 4, 8)
#define ZERO OF(TSR_F32, 2, 0, 3, 0)
#define TIES OF(TSR_F32, 1, 1, 0, 1, 2, 2, 1)
#define W7   OF(TSR_F32, 1, 2, 4, 8, 16, 32, 64)
#define FIVE OF(TSR_F32, 1, 2, 3, 4, 5)
#define LINE3 OF(TSR_F32, 0, 1, 0.5)
#define HARD OF(TSR_F32, 1, NAN, -0.0, 0, INFINITY)
#define FIRST_ROW tsr_reshape(OF(TSR_BOOL, 1, 0), D(2, 1))

static tsr *sign_of(tsr *x, tsr *b)
{
	tsr *sign;
	tsr_is_poison(tsr_logsumexp(x, .b = TSR_ARG(b), .sign = &sign));
	return sign;
}
static tsr *size_of(tsr *x, tsr *b)
{
	tsr *sign;
	return tsr_logsumexp(x, .b = TSR_ARG(b), .sign = &sign);
}

/* operand k of three that are sorted by the first nkeys */
static tsr *sorted(tsr_ctx *c, int nkeys, int k)
{
	tsr *x[] = {OF(TSR_I32, 2, 1, 2, 1), OF(TSR_I32, 5, 6, 4, 3), OF(TSR_F32, 3, 1, 2, 1)};
	assert_true(tsr_sort_operands(x, x, 3, .num_keys = nkeys));
	return x[k];
}
static tsr *carried(tsr *keys, tsr *x)
{
	tsr *y[2];
	return tsr_sort_operands(((tsr *[]){keys, x}), y, 2, .dim = D(-1), .unstable = true) ? y[1]
	                                                                                     : x;
}

/* losses, of x, where w says how much each result counts */
static tsr *rising(tsr *x, tsr *w) { return tsr_sum(tsr_mul(tsr_sort(x), w)); }
static tsr *falling(tsr *x, tsr *w)
{
	return tsr_sum(tsr_mul(tsr_sort(x, .descending = true), w));
}
static tsr *running(tsr *x, tsr *w) { return tsr_sum(tsr_mul(tsr_cumsum(x), w)); }
static tsr *top(tsr *x, int64_t k, int which)
{
	tsr *out[2];

	tsr_top_k(x, k, out);
	return out[which];
}
static tsr *best(tsr *x)
{
	tsr *two = tsr_from(x, (float[]){2, 3}, TSR_F32, D(2));

	return tsr_sum(tsr_mul(top(x, 2, 0), two));
}
static tsr *products(tsr *x, tsr *w) { return tsr_sum(tsr_mul(tsr_cumprod(x), w)); }
static tsr *largest(tsr *x, tsr *w) { return tsr_sum(tsr_mul(tsr_cummax(x), w)); }
static tsr *smallest(tsr *x, tsr *w)
{
	return tsr_sum(tsr_mul(tsr_cummin(x, .reverse = true), w));
}
static tsr *logs(tsr *x, tsr *w) { return tsr_sum(tsr_mul(tsr_cumlogsumexp(x), w)); }
static tsr *moved(tsr *x, tsr *keys) { return tsr_sum(tsr_mul(carried(keys, x), x)); }
static tsr *cubes(tsr *x, tsr *w)
{
	return tsr_sum(tsr_mul(tsr_integer_pow(tsr_sort(x), 3), w));
}
static tsr *all_falling(tsr *x) { return tsr_sort(x, .descending = true); }

/* losses, of x where m is true */
static tsr *squares(tsr *x, tsr *m) { return tsr_sum(tsr_mul(x, x), .where = m, .initial = A(3.)); }
static tsr *top_3(tsr *x, tsr *m) { return tsr_max(x, .where = m, .initial = A(3.)); }
static tsr *top_0(tsr *x, tsr *m) { return tsr_max(x, .where = m, .initial = A(0.)); }
static tsr *mean_square(tsr *x, tsr *m) { return tsr_mean(tsr_mul(x, x), .where = m); }
static tsr *twice_all(tsr *x, tsr *m) { return tsr_prod(x, .where = m, .initial = A(2.)); }
static tsr *soft_top(tsr *x, tsr *m) { return tsr_logsumexp(x, .where = m); }
static tsr *weighed_top(tsr *x, tsr *b) { return tsr_logsumexp(x, .b = TSR_ARG(b)); }
#define GRAD(f, m) tsr_call(tsr_grad(c, f), X, m)
#define GRAD_OF(f) tsr_call(tsr_grad(c, f), S, W)

/* the name, the dtype, the expression in context c, its elements */
#define CASES(_) \
	_(sum_where, F32, tsr_sum(X, .where = ODD), 4) \
	_(sum_none, F32, tsr_sum(X, .where = NONE), 0) \
	_(sum_initial, F32, tsr_sum(X, .initial = A(10)), 20) \
	_(sum_initial_handle, F32, tsr_sum(X, .initial = A(tsr_scalar(c, 5))), 15) \
	_(sum_of_no_dims, F32, tsr_sum(X, .dims = D(), .initial = A(1)), 2, 3, 4, 5) \
	_(sum_i8, I8, tsr_sum(OF(TSR_I8, 100, 100), .dtype = TSR_I8), -56) \
	_(sum_i64, I64, tsr_sum(OF(TSR_I8, 100, 100), .dtype = TSR_I64), 200) \
	_(sum_cut_off, I32, tsr_sum(OF(TSR_F32, 1.9, 1.9), .dtype = TSR_I32), 2) \
	_(sum_bool, BOOL, tsr_sum(ODD, .dtype = TSR_BOOL), 1) \
	_(sum_f16_once, F16, tsr_sum(OF(TSR_F16, 2048, 1), .initial = A(1)), 2050) \
	_(sum_keep, F32, tsr_sum(ROWS, .dims = D(1), .where = FIRST_ROW, .keep = true), 3, 0) \
	_(prod_where, F32, tsr_prod(X, .where = ODD, .initial = A(2)), 6) \
	_(prod_bool, BOOL, tsr_prod(ODD, .dtype = TSR_BOOL), 0) \
	_(max_where, F32, tsr_max(X, .where = ODD, .initial = A(-1)), 3) \
	_(max_none, F32, tsr_max(X, .where = NONE, .initial = A(-7)), -7) \
	_(max_initial, F32, tsr_max(X, .initial = A(9)), 9) \
	_(max_u8, U8, tsr_max(OF(TSR_U8, 1, 2), .where = OF(TSR_BOOL, 0), .initial = A(0)), 0) \
	_(max_lowest_i8, I8, tsr_max(OF(TSR_I8, 5, -128), .where = OF(TSR_BOOL, 0, 1), \
	                             .initial = A(-128)), -128) \
	_(min_where, F32, tsr_min(X, .where = ODD, .initial = A(100)), 1) \
	_(min_i8, I8, tsr_min(OF(TSR_I8, 1, 2), .where = OF(TSR_BOOL, 1, 0), .initial = A(5)), 1) \
	_(min_u64, U64, tsr_min(OF(TSR_U64, 7, 8), .where = OF(TSR_BOOL, 0, 1), \
	                        .initial = A(1000)), 8) \
	_(all_where, BOOL, tsr_all(OF(TSR_F32, 1, 0, 2, 0), .where = ODD), 1) \
	_(any_where, BOOL, tsr_any(OF(TSR_F32, 0, 1, 0, 1), .where = ODD), 0) \
	_(mean_where, F32, tsr_mean(X, .where = ODD), 2) \
	_(mean_none, F32, tsr_mean(X, .where = NONE), NAN) \
	_(mean_i32, I32, tsr_mean(X, .dtype = TSR_I32), 2) \
	_(mean_i32_where, I32, tsr_mean(OF(TSR_I32, 7, 2, 4, 9), .where = ODD, .dtype = TSR_I32), \
	  5) \
	_(mean_f64, F64, tsr_mean(OF(TSR_I32, 1, 2), .dtype = TSR_F64), 1.5) \
	_(mean_rows, F32, tsr_mean(ROWS, .dims = D(1), .where = FIRST_ROW, .keep = true), \
	  1.5, NAN) \
	_(mean_f16, F16, tsr_mean(OF(TSR_F16, 6e4, 6e4), .where = OF(TSR_BOOL, 1)), 6e4) \
	_(lse_b, F32, tsr_logsumexp(X, .b = TSR_ARG(B)), 3.9175758361816406) \
	_(lse_b_f16, F16, tsr_logsumexp(OF(TSR_F16, 0, 9), .b = TSR_ARG(OF(TSR_F16, 1, 0))), 0) \
	_(lse_of_minus, F32, tsr_logsumexp(X, .b = TSR_ARG(tsr_neg(B))), NAN) \
	_(lse_where, F32, tsr_logsumexp(X, .where = ODD), 3.1269280910491943) \
	_(lse_none, F32, tsr_logsumexp(X, .where = NONE), -INFINITY) \
	_(lse_sign, F32, sign_of(X, tsr_neg(B)), -1) \
	_(lse_size, F32, size_of(X, tsr_neg(B)), 3.9175758361816406) \
	_(lse_sign_of_0, F32, sign_of(X, tsr_zeros(c, D())), 0) \
	_(lse_size_of_0, F32, size_of(X, tsr_zeros(c, D())), -INFINITY) \
	_(squares_grad, F32, GRAD(squares, ODD), 2, 0, 6, 0) \
	_(top_3_grad, F32, GRAD(top_3, ODD), 0, 0, 0.5, 0) \
	_(top_0_grad, F32, GRAD(top_0, ODD), 0, 0, 1, 0) \
	_(mean_grad, F32, GRAD(mean_square, ODD), 1, 0, 3, 0) \
	_(prod_grad, F32, GRAD(twice_all, ODD), 6, 0, 2, 0) \
	_(lse_grad, F32, GRAD(soft_top, ODD), 0.11920291930437088, 0, 0.88079702854156494, 0) \
	_(lse_b_grad, F32, GRAD(weighed_top, B), \
	  0.054064586758613586, 0.14696279168128967, 0.79897254705429077, 0) \
	_(sum_each, F32, tsr_call(tsr_vmap(c, squares), ROWS, tsr_reshape(ODD, D(2, 2))), 4, 12) \
	_(argmax_i8, I8, tsr_argmax(X, .dtype = TSR_I8), 3) \
	_(argmin_u64, U64, tsr_argmin(X, .dim = D(0), .dtype = TSR_U64), 0) \
	_(sort, F32, tsr_sort(S), 1, 1, 2, 3) \
	_(sort_hard, F32, tsr_sort(HARD), -0.0, 0, 1, INFINITY, NAN) \
	_(sort_falling, F32, tsr_sort(S, .descending = true), 3, 2, 1, 1) \
	_(sort_columns, F32, tsr_sort(ROWS, .dim = D(0), .descending = true), 3, 4, 1, 2) \
	_(sort_bool, BOOL, tsr_sort(ODD), 0, 0, 1, 1) \
	_(argsort, I32, tsr_argsort(S), 1, 3, 2, 0) \
	_(argsort_falling, I32, tsr_argsort(S, .descending = true), 0, 2, 1, 3) \
	_(argsort_unstable, I8, tsr_argsort(S, .descending = true, .unstable = true, \
	                                    .dtype = TSR_I8), 0, 2, 3, 1) \
	_(argsort_hard, I32, tsr_argsort(HARD), 2, 3, 0, 4, 1) \
	_(argsort_hard_falling, U64, tsr_argsort(HARD, .descending = true, .dtype = TSR_U64), \
	  1, 4, 0, 2, 3) \
	_(argsort_columns, I32, tsr_argsort(ROWS, .dim = D(0)), 0, 0, 1, 1) \
	_(one_key_0, I32, sorted(c, 0, 0), 1, 1, 2, 2) \
	_(one_key_1, I32, sorted(c, 1, 1), 6, 3, 5, 4) \
	_(one_key_2, F32, sorted(c, 1, 2), 1, 1, 3, 2) \
	_(two_keys_1, I32, sorted(c, 2, 1), 3, 6, 4, 5) \
	_(two_keys_2, F32, sorted(c, 2, 2), 1, 1, 2, 3) \
	_(sort_grad, F32, GRAD_OF(rising), 8, 1, 4, 2) \
	_(sort_falling_grad, F32, GRAD_OF(falling), 1, 8, 2, 4) \
	_(sort_moved_grad, F32, tsr_call(tsr_grad(c, moved), W, S), 10, 9, 8, 3) \
	_(sort_hessian, F32, tsr_call(tsr_hessian(c, cubes), S, W), \
	  144, 0, 0, 0, 0, 6, 0, 0, 0, 0, 48, 0, 0, 0, 0, 12) \
	_(sort_each, F32, tsr_call(tsr_vmap(c, all_falling), ROWS), 2, 1, 4, 3) \
	_(cumsum_all, F32, tsr_cumsum(ROWS), 1, 3, 6, 10) \
	_(cumsum_columns, F32, tsr_cumsum(ROWS, .dim = D(0)), 1, 2, 4, 6) \
	_(cumsum_rows, F32, tsr_cumsum(ROWS, .dim = D(-1)), 1, 3, 3, 7) \
	_(cumsum_reverse, F32, tsr_cumsum(ROWS, .dim = D(1), .reverse = true), 3, 2, 7, 4) \
	_(cumsum_of_scalar, F32, tsr_cumsum(tsr_scalar(c, 3.0)), 3) \
	_(cumsum_counts, I32, tsr_cumsum(ODD), 1, 1, 2, 2) \
	_(cumsum_i8, I8, tsr_cumsum(OF(TSR_I8, 100, 100)), 100, -56) \
	_(cumsum_i32, I32, tsr_cumsum(OF(TSR_I8, 100, 100), .dtype = TSR_I32), 100, 200) \
	_(cumsum_bool, BOOL, tsr_cumsum(OF(TSR_F32, 0, 0.5, 0, -0.5), .dtype = TSR_BOOL), \
	  0, 1, 1, 1) \
	_(cumsum_cut_off, I32, tsr_cumsum(OF(TSR_F32, 1.9, 1.9), .dtype = TSR_I32), 1, 2) \
	_(cumsum_f16_once, F16, tsr_cumsum(OF(TSR_F16, 2048, 1, 1)), 2048, 2048, 2050) \
	_(cumsum_grad, F32, GRAD_OF(running), 15, 14, 12, 8) \
	_(cumsum_each, F32, tsr_call(tsr_vmap(c, tsr_cumsum), ROWS), 1, 3, 3, 7) \
	_(top_3_values, F32, top(S, 3, 0), 3, 2, 1) \
	_(top_3_places, I32, top(OF(TSR_F32, 3, 1, 3, 2), 3, 1), 0, 2, 3) \
	_(top_hard_values, F32, top(HARD, 3, 0), NAN, INFINITY, 1) \
	_(top_hard_places, I32, top(HARD, 3, 1), 1, 4, 0) \
	_(top_bool, I32, top(OF(TSR_BOOL, 1, 0, 1), 2, 1), 0, 2) \
	_(top_rows, F32, top(tsr_reshape(S, D(2, 2)), 1, 0), 3, 2) \
	_(top_grad, F32, tsr_call(tsr_grad(c, best), OF(TSR_F32, 3, 1, 3, 2)), 2, 0, 3, 0) \
	_(convolve, F32, tsr_convolve(FIVE, LINE3), 0, 1, 2.5, 4, 5.5, 7, 2.5) \
	_(convolve_same, F32, tsr_convolve(LINE3, FIVE, .mode = TSR_OVERLAP_SAME), \
	  1, 2.5, 4, 5.5, 7) \
	_(convolve_valid, F32, tsr_convolve(FIVE, LINE3, .mode = TSR_OVERLAP_VALID), 2.5, 4, 5.5) \
	_(correlate, F32, tsr_correlate(OF(TSR_I32, 1, 2, 3), OF(TSR_I32, 1, 2, 3, 4, 5)), \
	  26, 20, 14) \
	_(correlate_full, F32, tsr_correlate(FIVE, LINE3, .mode = TSR_OVERLAP_FULL), \
	  0.5, 2, 3.5, 5, 6.5, 5, 0) \
	_(cumprod_all, F32, tsr_cumprod(ROWS), 1, 2, 6, 24) \
	_(cumprod_rows, F32, tsr_cumprod(ROWS, .dim = D(1)), 1, 2, 3, 12) \
	_(cumprod_reverse, F32, tsr_cumprod(ROWS, .dim = D(1), .reverse = true), 2, 2, 12, 4) \
	_(cumprod_bool, I32, tsr_cumprod(OF(TSR_BOOL, 1, 1, 0, 1)), 1, 1, 0, 0) \
	_(cumprod_i8, I8, tsr_cumprod(OF(TSR_I8, 100, 2)), 100, -56) \
	_(cumprod_grad, F32, tsr_call(tsr_grad(c, products), ZERO, W), 1, 28, 0, 0) \
	_(cumprod_hessian, F32, tsr_call(tsr_hessian(c, products), ZERO, W), \
	  0, 14, 0, 0, 14, 0, 8, 48, 0, 8, 0, 0, 0, 48, 0, 0) \
	_(nancumsum, F32, tsr_nancumsum(HARD), 1, 1, 1, 1, INFINITY) \
	_(nancumsum_i32, I32, tsr_nancumsum(OF(TSR_I32, 1, 2)), 1, 3) \
	_(nancumprod, F32, tsr_nancumprod(OF(TSR_F32, 2, NAN, 3)), 2, 2, 6) \
	_(cumulative_sum, F32, tsr_cumulative_sum(X), 1, 3, 6, 10) \
	_(cumulative_sum_from_0, F32, tsr_cumulative_sum(X, .include_initial = true), \
	  0, 1, 3, 6, 10) \
	_(cumulative_sum_bool, I32, tsr_cumulative_sum(ODD, .include_initial = true), \
	  0, 1, 1, 2, 2) \
	_(cumulative_sum_i8, I32, tsr_cumulative_sum(OF(TSR_I8, 100, 100)), 100, 200) \
	_(cumulative_prod_rows, F32, \
	  tsr_cumulative_prod(ROWS, .dim = D(1), .include_initial = true), 1, 1, 2, 1, 3, 12) \
	_(cummax, F32, tsr_cummax(S), 3, 3, 3, 3) \
	_(cummax_hard, F32, tsr_cummax(HARD), 1, NAN, NAN, NAN, NAN) \
	_(cummax_rows, F32, tsr_cummax(ROWS, .dim = D(1), .reverse = true), 2, 2, 4, 4) \
	_(cummax_columns, F32, tsr_cummax(ROWS), 1, 2, 3, 4) \
	_(cummax_grad, F32, tsr_call(tsr_grad(c, largest), TIES, W7), 6, 5, 0, 4, 64, 48, 0) \
	_(cummin, F32, tsr_cummin(S), 3, 1, 1, 1) \
	_(cummin_hard, F32, tsr_cummin(HARD, .reverse = true), NAN, NAN, -0.0, 0, INFINITY) \
	_(cummin_grad, F32, tsr_call(tsr_grad(c, smallest), TIES, W7), 0, 0, 7, 4, 0, 0, 116) \
	_(cumlogsumexp, F32, tsr_cumlogsumexp(S), 3, 3.1269280910491943, 3.4076061248779297, \
	  3.493811845779419) \
	_(cumlogsumexp_hard, F32, tsr_cumlogsumexp(OF(TSR_F32, -INFINITY, 1, INFINITY, 2)), \
	  -INFINITY, 1, INFINITY, INFINITY) \
	_(cumlogsumexp_f16, F16, tsr_cumlogsumexp(OF(TSR_F16, 1, 2, 3)), 1, 2.3125, 3.408203125) \
	_(cumlogsumexp_grad, F32, GRAD_OF(logs), 10.304922103881836, 1.259284257888794, \
	  2.7750353813171387, 0.6607562303543091) \
	_(round_2, F32, tsr_round(OF(TSR_F32, 1.234, -2.555, 1e30, 0.125), .decimals = 2), \
	  1.2300000190734863, -2.559999942779541, 1.0000000150474662e+30, 0.11999999731779099) \
	_(round_tens, F32, tsr_round(OF(TSR_F32, 15, 25, -35, 1234), .decimals = -1), \
	  20, 20, -40, 1230) \
	_(round_f64, F64, tsr_round(OF(TSR_F64, 1.234567, 2.5), .decimals = 4), \
	  1.2346, 2.5) \
	_(round_f16, F16, tsr_round(OF(TSR_F16, 1.2345, 5e4), .decimals = 2), 1.23046875, 49984) \
	_(round_far, F32, tsr_round(OF(TSR_F32, 1.5), .decimals = 39), 1.5) \
	_(round_overflows, F64, tsr_round(OF(TSR_F64, 1e300), .decimals = 10), INFINITY) \
	_(round_i32, I32, tsr_round(OF(TSR_I32, 1, 2), .decimals = 2), 1, 2) \
	_(round_0, F32, tsr_round(OF(TSR_F32, 2.5, -1.5)), 2, -2)

/* f32 of the elementary functions may differ in the last place from JAX's, and where JAX multiplies
 * by 10^-n, round_f64, the quotient is the nearest number to 1.2346 */
AS_JAX(CASES, name[0] == 'l' ? 3e-7 : 0)

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(as_jax_has_it)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
