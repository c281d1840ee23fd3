/* test_linalg.c - linear algebra: factors make up what was factorised, on both engines, for small
 * matrices and for such as LAPACK takes; numbers and derivatives as JAX 0.10.2 has them (64-bit
 * types on; jnp.linalg, jax.scipy.linalg and lax.linalg of what the lines say); batches that are
 * split over devices. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include "support/as_jax.h"
#include <cmocka.h>

#ifndef PLUGIN_DIR
#define PLUGIN_DIR NULL
#endif
#define D        TSR_DIMS
#define COUNT(a) (sizeof(a) / sizeof *(a))

/* ---- as JAX has it */

#define MATRIX(rows, ...) tsr_reshape(F64(c, __VA_ARGS__), D(rows, -1))
#define A    MATRIX(3, 4, 1, 2, 1, 5, 3, 2, 3, 6)
#define H    tsr_reshape(C128(c, 4, 1 + I, 2, 1 - I, 5, 3 * I, 2, -3 * I, 6), D(3, 3))
#define B    MATRIX(3, 1, 2, 3, 4, 5, 6)
#define BT   tsr_t(B)
#define M    MATRIX(3, 1, 2, 0, 3, 1, 4, 2, 5, 1)
#define T    MATRIX(3, 1, 2, 3, 4, 5, 7)
#define WD   tsr_t(T)
#define C \
	tsr_reshape(C128(c, 1, 2 + I, 2 * I, 3 + I, 1, 4, 2 + 3 * I, 5 + I, 1 + I), D(3, 3))
#define W    MATRIX(3, 1, 2, 3, 4, 5, 6, 7, 8, 9)
#define GRAD(f, ...)   tsr_call(tsr_grad(c, f), __VA_ARGS__)
#define GRAD_1(f, ...) tsr_call(tsr_grad(c, f, .wrt = D(1)), __VA_ARGS__)

static tsr *weighed(tsr *x, tsr *w) { return tsr_sum(tsr_mul(x, w)); }
static tsr *lower(tsr *a, tsr *w) { return weighed(tsr_cholesky(a), w); }
static tsr *upper(tsr *a, tsr *w) { return weighed(tsr_cholesky(a, .upper = true), w); }
static tsr *as_it_is(tsr *a, tsr *w) { return weighed(tsr_cholesky(a, .lower_only = true), w); }
static tsr *sizes(tsr *a, tsr *w) { return weighed(tsr_abs(tsr_cholesky(a)), w); }
static tsr *slope(tsr *a, tsr *w) { return tsr_call(tsr_grad(tsr_ctx_of(a), lower), a, w); }
static tsr *bent(tsr *a, tsr *w) { return weighed(slope(a, w), w); }

static tsr *waves(tsr *x) { return tsr_sum(tsr_sin(x)); }
static tsr *solved(tsr *a, tsr *b) { return waves(tsr_solve_triangular(a, b)); }
static tsr *solved_low(tsr *a, tsr *b) { return waves(tsr_solve_triangular(a, b, .lower = true)); }
static tsr *solved_t(tsr *a, tsr *b) { return waves(tsr_solve_triangular(a, b, .trans = 1)); }
static tsr *solved_h(tsr *a, tsr *b)
{
	return waves(tsr_solve_triangular(a, b, .trans = 2, .lower = true));
}
static tsr *solved_1(tsr *a, tsr *b)
{
	return waves(tsr_solve_triangular(a, b, .unit_diagonal = true));
}
static tsr *solved_c(tsr *a, tsr *b)
{
	return tsr_sum(tsr_abs(tsr_solve_triangular(a, b, .trans = 2)));
}

/* result k of several */
static tsr *part(int k, bool (*of)(tsr *, tsr **), tsr *x)
{
	tsr *y[3];

	return of(x, y) ? y[k] : tsr_ones(x, D(0));
}
static bool lus(tsr *x, tsr **y) { return tsr_lu(x, y); }
static bool qrs(tsr *x, tsr **y) { return tsr_qr(x, y); }
static bool qrs_full(tsr *x, tsr **y) { return tsr_qr(x, y, .full_matrices = true); }
static bool eighs(tsr *x, tsr **y) { return tsr_eigh(x, y); }
static bool svds(tsr *x, tsr **y) { return tsr_svd(x, y, .thin = true); }
static bool slogdets(tsr *x, tsr **y) { return tsr_slogdet(x, y); }

static tsr *total(tsr *x) { return tsr_sum(tsr_abs(x)); }
static tsr *lu_sum(tsr *a) { return waves(part(0, lus, a)); }
static tsr *lu_sizes(tsr *a) { return total(part(0, lus, a)); }
static tsr *qr_sum(tsr *a) { return tsr_add(waves(part(0, qrs, a)), waves(part(1, qrs, a))); }
static tsr *qr_sizes(tsr *a) { return tsr_add(total(part(0, qrs, a)), total(part(1, qrs, a))); }
/* 1, 2, 3, ... times the elements */
static tsr *counted(tsr *x)
{
	tsr *n = tsr_arange(x, tsr_size(x) + 1, .dtype = TSR_F64);
	return weighed(tsr_ravel(x), tsr_slice(n, 0, 1, tsr_size(x) + 1));
}
/* of squares, so that no sign matters */
static tsr *eigh_sum(tsr *a)
{
	return tsr_add(waves(part(0, eighs, a)), counted(tsr_square(part(1, eighs, a))));
}
static tsr *eigh_sizes(tsr *a)
{
	return tsr_add(waves(part(0, eighs, a)), counted(tsr_abs(part(1, eighs, a))));
}
static tsr *svd_sum(tsr *a)
{
	tsr *u = counted(tsr_square(part(0, svds, a))), *vh = counted(tsr_square(part(2, svds, a)));
	return tsr_add(waves(part(1, svds, a)), tsr_add(u, vh));
}
static tsr *svd_sizes(tsr *a)
{
	return tsr_add(waves(part(1, svds, a)), counted(tsr_abs(part(0, svds, a))));
}
static tsr *svdvals_sum(tsr *a) { return waves(tsr_svdvals(a)); }
static tsr *solve_sum(tsr *a, tsr *b) { return waves(tsr_solve(a, b)); }
static tsr *inv_sum(tsr *a, tsr *w) { return weighed(tsr_inv(a), w); }
static tsr *slogdet_size(tsr *a) { return part(1, slogdets, a); }

static tsr *pinv_sum(tsr *a) { return waves(tsr_pinv(a)); }
static tsr *norm_3(tsr *x) { return tsr_vector_norm(x, .ord = 3); }

/* result k of least squares of a x = b */
static tsr *least(int k, tsr *a, tsr *b)
{
	tsr *y[4];

	return tsr_lstsq(a, b, y) ? y[k] : tsr_ones(a, D(0));
}
static tsr *lstsq_sum(tsr *a, tsr *b) { return waves(least(0, a, b)); }
static tsr *expm_sum(tsr *a) { return waves(tsr_expm(a)); }
static tsr *det_of(tsr *a) { return tsr_det(a); }
static tsr *det_slope(tsr *a) { return waves(tsr_call(tsr_grad(tsr_ctx_of(a), det_of), a)); }
static tsr *qr_full_sum(tsr *a)
{
	tsr *n = tsr_add(tsr_reshape(tsr_arange(a, 9, .dtype = TSR_F64), D(3, 3)), 1);

	return tsr_add(waves(tsr_mul(part(0, qrs_full, a), n)), waves(part(1, qrs_full, a)));
}
static tsr *three(tsr *d)
{
	tsr_ctx *c = tsr_ctx_of(d);
	return tsr_tridiagonal_solve(F64(c, 0, 3, 1, 2), d, F64(c, 2, 1, 4, 0),
	                             tsr_reshape(tsr_arange(c, 8, .dtype = TSR_F64), D(4, 2)));
}
static tsr *three_sum(tsr *d) { return waves(three(d)); }
/* sin(k^2 + i), of k = from .. from + n - 1 */
static tsr *scattered(tsr_ctx *c, int from, int n, bool plus)
{
	tsr *k = tsr_add(tsr_arange(c, n, .dtype = TSR_F64), from), *square = tsr_mul(k, k);
	return tsr_sin(plus ? tsr_add(square, k) : square);
}

#define ROW  F64(c, 1, 2, 4)
#define LOW  MATRIX(3, 1, 2, 2, 4, 3, 6)
#define SING MATRIX(4, 1, 2, 0, 1, 0, 1, 1, 0, 1, 0, 1, 3, 2, 3, 2, 4)
#define FULL MATRIX(4, 4, 1, 2, 0, 1, 5, 3, 1, 2, 3, 6, 2, 0, 1, 2, 3)
/* reflections, real and complex */
#define V2 MATRIX(3, -5.91607978309962, -8.28251169633946, 0.433771745567613, 0.632455532033676, \
	          0.722952909279355, 0.396965654062564)
#define T2 F64(c, 1.1690308509457, 1.72773977620305)
#define VC tsr_reshape(C128(c, 2, 1 + I, 0.5 * I, 1, 1, -I), D(3, 2))
#define TC C128(c, 1.2 + 0.3 * I, 0.8 - 0.1 * I)
#define K  tsr_reshape(C128(c, 1, 2 * I, 3, 1, 0, I), D(3, 2))

#define MORE(_) \
	_(lstsq, F64, least(0, T, ROW), 0.0714285714285714, 0.5) \
	_(lstsq_rest, F64, least(1, T, ROW), 0.0714285714285714) \
	_(lstsq_rank, I32, least(2, T, ROW), 2) \
	_(lstsq_low, F64, least(0, LOW, W), 0.428571428571428, 0.514285714285714, 0.6, \
	  0.857142857142857, 1.02857142857143, 1.2) \
	_(lstsq_low_rank, I32, least(2, LOW, W), 1) \
	_(lstsq_grad, F64, GRAD(lstsq_sum, T, ROW), -0.0781923001431926, 0.467537703419543, \
	  -0.419879588909765, 0.105494290897363, 0.253316926745571, -0.256549121624818) \
	_(matrix_norm, F64, tsr_matrix_norm(C), 8.83176086632785) \
	_(matrix_norm_1, F64, tsr_matrix_norm(C, .ord = 1), 8.33508749109258) \
	_(matrix_norm_least, F64, tsr_matrix_norm(C, .ord = -1), 7.41421356237309) \
	_(matrix_norm_2, F64, tsr_matrix_norm(C, .ord = 2), 7.91539501575901) \
	_(matrix_norm_least_2, F64, tsr_matrix_norm(C, .ord = -2), 1.80821389694684) \
	_(matrix_norm_inf, F64, tsr_matrix_norm(C, .ord = INFINITY), 10.1187843514299) \
	_(matrix_norm_nuclear, F64, tsr_matrix_norm(C, .nuclear = true), 13.1987900946568) \
	_(norm, F64, tsr_norm(M), 7.81024967590665) \
	_(norm_keep, F64, tsr_norm(M, .ord = INFINITY, .keep = true), 8) \
	_(norm_dims, F64, tsr_norm(tsr_stack(0, M, A, W), .ord = 1, .dims = D(2, 0)), 7, 15, 24) \
	_(norm_vector, F64, tsr_norm(ROW, .ord = 1), 7) \
	_(cond_number, F64, tsr_cond_number(C), 4.37746608911927) \
	_(cond_number_back, F64, tsr_cond_number(C, .ord = -2), 0.228442660580655) \
	_(cond_number_1, F64, tsr_cond_number(C, .ord = 1), 7.07761220108362) \
	_(cond_number_frobenius, F64, tsr_cond_number(C, .frobenius = true), 5.61777695771603) \
	_(cond_number_none, F64, tsr_cond_number(tsr_mul(W, 0), .ord = 1), INFINITY) \
	_(multi_dot, F64, tsr_multi_dot(ROW, A, T), 243, 344) \
	_(multi_dot_1, F64, tsr_multi_dot(T), 1, 2, 3, 4, 5, 7) \
	_(tensorinv, F64, tsr_tensorinv(tsr_reshape(scattered(c, 0, 16, true), D(2, 2, 4)), 2), \
	  -1.40040965959861, -0.0893405653054185, 1.11191186452575, -0.906495553662942, \
	  0.352360869508668, -0.0820705704341931, 0.696729430089916, 0.115584086185681, \
	  -1.49794563481242, -1.43882198559548, -0.448226195882153, -1.61869003864825, \
	  -0.486513451309664, 0.610173552237563, 1.41411464937574, 1.03879151748155) \
	_(tensorsolve, F64, tsr_tensorsolve(tsr_reshape(scattered(c, 0, 16, true), D(2, 2, 2, 2)), \
	  MATRIX(2, 1, 2, 3, 4), .dims = D(0)), -4.18771148210093, -8.12852018997351, \
	  -0.488302407338361, 3.92308002278047) \
	_(expm, F64, tsr_expm(M), 88.2685621100453, 104.591572281947, 77.2105354092935, \
	  234.097893832215, 281.294900633279, 209.183144563895, 249.361326174373, \
	  300.084198409515, 223.386999076309) \
	_(expm_small, F64, tsr_expm(tsr_div(M, 8)), 1.19414015239778, 0.303240432142435, \
	  0.0732897043364793, 0.528150352550132, 1.37736441323898, 0.606480864284871, \
	  0.440658627773334, 0.794745932524328, 1.32239713498662) \
	_(expm_huge, F64, tsr_expm(MATRIX(1, 1e6)), NAN) \
	_(expm_grad, F64, GRAD(expm_sum, tsr_div(M, 8)), 1.00043379530803, 1.83918850433861, \
	  1.97542479997572, 1.55002815011028, 1.22786809074427, 1.66708108223376, \
	  1.48314687263107, 1.35455352896704, 1.07305976665248) \
	_(householder_product, F64, tsr_householder_product(V2, T2), -0.169030850945703, \
	  0.948683298050513, -0.50709255283711, -0.316227766016838, -0.845154254728517, 0) \
	_(householder_product_complex, C128, tsr_householder_product(VC, TC), -0.2 - 0.3 * I, \
	  0.03 - 0.885 * I, 0.15 - 0.6 * I, 0.6425 + 0.115 * I, -1.2 - 0.3 * I, \
	  0.13 - 0.085 * I) \
	_(ormqr, C128, tsr_ormqr(VC, TC, K), -0.11 - 2.955 * I, 0.75 - 1 * I, 2.0775 - 0.255 * I, \
	  2.5 + 0.375 * I, -0.81 - 0.555 * I, 0.75 - 2 * I) \
	_(ormqr_t, C128, tsr_ormqr(VC, TC, K, .transpose = true), 0.25 + 2.1 * I, -0.75 - 1 * I, \
	  1.9575 + 0.54 * I, -1.2125 + 0.075 * I, 0.165 + 2.0925 * I, -0.3 + 1.7125 * I) \
	_(ormqr_right, C128, tsr_ormqr(VC, TC, tsr_t(K), .right = true), 0.25 - 2.1 * I, \
	  1.9575 - 0.54 * I, 0.165 - 2.0925 * I, 1.05 - 2.2 * I, 2.4975 + 0.305 * I, \
	  0.22 + 0.3975 * I) \
	_(ormqr_right_t, C128, tsr_ormqr(VC, TC, tsr_t(K), .right = true, .transpose = true), \
	  -0.11 + 2.955 * I, 2.0775 + 0.255 * I, -0.81 + 0.555 * I, -0.69 + 0.77 * I, \
	  -1.215 + 0.145 * I, -0.49 - 1.83 * I) \
	_(cholesky_update, F64, tsr_cholesky_update(tsr_cholesky(A, .upper = true), ROW), \
	  2.23606797749979, 1.34164078649987, 2.68328157299975, 0, 2.68328157299975, \
	  2.75781717224974, 0, 0, 2.68224615657185) \
	_(symmetric_product, F64, tsr_symmetric_product(T, A, .alpha = 2, .beta = 0.5), 12, 22.5, \
	  39, 22.5, 52.5, 87.5, 39, 87.5, 151) \
	_(tridiagonal_solve, F64, three(F64(c, 1, 2, 0, 5)), 0.888888888888889, \
	  0.777777777777778, -0.444444444444444, 0.111111111111111, 0.222222222222222, \
	  0.444444444444444, 1.11111111111111, 1.22222222222222) \
	_(tridiagonal_solve_grad, F64, GRAD(three_sum, F64(c, 1, 2, 0, 5)), -1.25884036037085, \
	  -0.0169969271449854, 0.333401420145125, -1.12549895982125) \
	_(det_grad_singular, F64, GRAD(det_of, SING), 7, -2, 2, -3, 7, -2, 2, -3, 7, -2, 2, -3, \
	  -7, 2, -2, 3) \
	_(det_hessian, F64, GRAD(det_slope, FULL), 41.9174842768251, -27.0042331539285, \
	  5.15579928423405, -6.36289371417218, -27.0042331539285, 28.9236289689625, \
	  11.5216299609087, -39.0480726498928, 5.15579928423405, 11.5216299609087, \
	  14.5129546112387, 17.6916636666713, -6.36289371417218, -39.0480726498928, \
	  17.6916636666713, 36.5293628245726) \
	_(qr_full_grad, F64, GRAD(qr_full_sum, T), -0.620992745118191, -0.303898683129302, \
	  5.90802561708367, -3.46232093614161, -4.52499524749646, 2.62983902926718)

/* name, dtype, expression, elements */
#define CASES(_) \
	_(cholesky, F64, tsr_cholesky(A), 2, 0, 0, 0.5, 2.17944947177034, 0, 1, 1.14707866935281, \
	  1.91942973987479) \
	_(cholesky_complex, C128, tsr_cholesky(H), 2, 0, 0, 0.5 - 0.5 * I, 2.1213203435596424, 0, \
	  1, -0.23570226039551587 - 1.649915822768611 * I, 1.4907119849998596) \
	_(cholesky_of_none, F64, tsr_cholesky(MATRIX(2, 1, 2, 2, 1)), NAN, 0, NAN, NAN) \
	_(cholesky_of_nan, F64, tsr_cholesky(MATRIX(2, 1, 0, 0, NAN)), NAN, 0, NAN, NAN) \
	_(cholesky_of_i32, F32, tsr_cholesky(tsr_astype(MATRIX(2, 4, 2, 2, 5), TSR_I32)), 2, 0, 1, \
	  2) \
	_(cholesky_lower_only, F64, tsr_cholesky(MATRIX(2, 4, 9, 2, 5), .lower_only = true), 2, 0, \
	  1, 2) \
	_(cholesky_grad, F64, GRAD(lower, A, W), -0.0866274306215486, 0.491659423855749, \
	  0.427425149315223, 0.491659423855749, 0.830548799629882, 0.60140675247356, \
	  0.427425149315223, 0.60140675247356, 2.34444632513277) \
	_(cholesky_upper_grad, F64, GRAD(upper, A, W), 0.438757842829392, 0.160702596181426, \
	  -0.457866983749496, 0.160702596181426, 1.07203904580942, 0.142575284732437, \
	  -0.457866983749496, 0.142575284732437, 2.34444632513277) \
	_(cholesky_lower_only_grad, F64, GRAD(as_it_is, A, W), -0.0866274306215486, \
	  -1.4260035116265, -0.863743382943654, 2.409322359338, 0.830548799629882, \
	  -1.23391911849093, 1.7185936815741, 2.43673262343805, 2.34444632513277) \
	_(cholesky_complex_grad, C128, GRAD(sizes, H, W), 0.10865908694774928, \
	  0.2826300657709158 - 0.07639947589601051 * I, \
	  0.10316705527103842 - 0.10311529493745283 * I, \
	  0.2826300657709158 + 0.07639947589601051 * I, 1.5604198017459228, \
	  0.06874352995830187 + 0.481204709708113 * I, \
	  0.10316705527103842 + 0.10311529493745283 * I, \
	  0.06874352995830187 - 0.481204709708113 * I, 3.0186917696247164) \
	_(cholesky_hessian, F64, GRAD(bent, A, W), 0.636630401479534, -0.51671313151028, \
	  -2.71514253096483, -0.51671313151028, 0.209316589391859, -1.81640182423197, \
	  -2.71514253096483, -1.81640182423197, -0.200952542154238) \
	_(solve, F64, tsr_solve_triangular(A, B), -0.191666666666667, -0.05, 0.1, 0.2, \
	  0.833333333333333, 1) \
	_(solve_grad, F64, GRAD(solved, A, B), 0.0595236000268169, -0.0744797156833378, \
	  -0.454205920628654, 0, -0.0442068032825426, -0.271006158988855, 0, 0, 0.103464079269975) \
	_(solve_grad_b, F64, GRAD_1(solved, A, B), 0.245422026635895, 0.249687565098742, \
	  0.149916427728426, 0.1460758025485, -0.0446968487290019, -0.0662167053291406) \
	_(solve_low, F64, tsr_solve_triangular(A, B, .lower = true), 0.25, 0.5, 0.55, 0.7, 0.475, \
	  0.483333333333333) \
	_(solve_low_grad, F64, GRAD(solved_low, A, B), -0.101682736787668, 0, 0, \
	  -0.0526055900925304, -0.0899629525794594, 0, -0.110841424564823, -0.184821085111524, \
	  -0.141730316253563) \
	_(solve_low_grad_b, F64, GRAD_1(solved_low, A, B), 0.147726470563334, 0.129502238293668, \
	  0.0815756322495843, 0.0644233640602685, 0.148215453603861, 0.147575122327715) \
	_(solve_t_grad, F64, GRAD(solved_t, A, B), -0.101682736787668, -0.0526055900925304, \
	  -0.110841424564823, 0, -0.0899629525794594, -0.184821085111524, 0, 0, \
	  -0.141730316253563) \
	_(solve_h_grad, F64, GRAD(solved_h, A, B), 0.0595236000268169, 0, 0, -0.0744797156833378, \
	  -0.0442068032825426, 0, -0.454205920628654, -0.271006158988855, 0.103464079269975) \
	_(solve_1, F64, tsr_solve_triangular(A, B, .unit_diagonal = true), 3, 4, -12, -14, 5, 6) \
	_(solve_1_grad, F64, GRAD(solved_1, A, B), 0, -21.0309206512959, 8.8718242081839, 0, 0, \
	  -13.9115173110934, 0, 0, 0) \
	_(solve_complex, C128, tsr_solve_triangular(H, B, .trans = 2), 0.25, 0.5, 0.55 + 0.05 * I, \
	  0.7 + 0.1 * I, 0.725 + 0.275 * I, 0.7833333333333333 + 0.35 * I) \
	_(solve_complex_grad, C128, GRAD(solved_c, H, B), \
	  -0.07287650040566243 + 0.05631026194104802 * I, \
	  -0.17805296865201783 + 0.050356450762879125 * I, \
	  -0.11504228948122666 - 0.048772264937526684 * I, 0, \
	  -0.2861316789013681 + 0.12118814548308927 * I, \
	  -0.20198024247181545 - 0.05709452082030998 * I, 0, 0, -0.27222871656318737) \
	_(solve_vector, F64, tsr_solve_triangular(MATRIX(2, 0, 1, 0, 1), F64(c, 1, 1)), NAN, 1) \
	_(triangular_solve, F64, tsr_triangular_solve(A, BT, .lower = true), -0.191666666666667, \
	  0.1, 0.833333333333333, -0.05, 0.2, 1) \
	_(triangular_solve_conj, C128, tsr_triangular_solve(H, BT, .conjugate_a = true), 0.25, \
	  0.55 + 0.05 * I, 0.725 + 0.275 * I, 0.5, 0.7 + 0.1 * I, 0.7833333333333333 + 0.35 * I) \
	_(cho_solve, F64, tsr_cho_solve(tsr_cholesky(A), B, .lower = true), -0.2, 0, \
	  0.142857142857143, 0.285714285714286, 0.828571428571429, 0.857142857142857) \
	_(cho_solve_upper, F64, \
	  tsr_cho_solve(tsr_cholesky(A, .upper = true), tsr_index(B, 1, 0)), -0.2, \
	  0.142857142857143, 0.828571428571429) \
	_(lu, F64, part(0, lus, M), 3, 1, 4, 0.666666666666667, 4.33333333333333, \
	  -1.66666666666667, 0.333333333333333, 0.384615384615385, -0.692307692307692) \
	_(lu_grad_m, F64, GRAD(lu_sum, M), -0.881373458443474, 0.509977198728439, \
	  0.76977503072918, -1.3449211491806, 0.747768835223029, -0.649041386089606, \
	  0.973079708091965, -0.566188393396553, -0.391790867525599) \
	_(lu_grad_t, F64, GRAD(lu_sum, T), -1.69442305910566, 1.35031169619565, \
	  -2.03983241841912, 1.5749282438579, 1.84644624833583, -0.461117031210562) \
	_(lu_grad_wd, F64, GRAD(lu_sum, WD), -0.889393536628053, 0.54030230586814, \
	  0.0707372016677029, 0.0285499317668841, -0.923794773797682, 0.718533653509453) \
	_(lu_complex_grad, C128, GRAD(lu_sizes, C), 0.93648230424517 + 1.75160404370018 * I, \
	  0.424060484529697 - 0.956377682955448 * I, -0.131454581159493 - 0.991322194390997 * I, \
	  0.132965100864135 - 0.0387048338546205 * I, \
	  -0.276130219021391 - 0.220172383979612 * I, 1.61861667138137 + 0.0508304461698349 * I, \
	  -0.0648020199582908 - 0.787024291562792 * I, 1.4457645786799 + 0.0526205373361818 * I, \
	  -0.191853789592623 + 0.251441167232268 * I) \
	_(q_m, F64, part(0, qrs, M), -0.267261241912424, 0.24880667576406, -0.930949336251263, \
	  -0.801783725737273, -0.593308226821988, 0.0716114874039431, -0.534522483824849, \
	  0.765559002350953, 0.358057437019717) \
	_(r_m, F64, part(1, qrs, M), -3.74165738677394, -4.00891862868637, -3.74165738677394, 0, \
	  3.7321001364609, -1.607673904937, 0, 0, 0.644503386635489) \
	_(qr_grad_m, F64, GRAD(qr_sum, M), 1.35252219323484, -0.134287054184857, \
	  -0.532802108884392, 0.151101394134749, 1.01921515555736, 0.740832264809896, \
	  0.641079978136205, -0.251499852510734, 0.6991458231831) \
	_(q_t, F64, part(0, qrs, T), -0.169030850945703, 0.948683298050514, -0.50709255283711, \
	  -0.316227766016838, -0.845154254728517, 2.22044604925031e-16) \
	_(r_t, F64, part(1, qrs, T), -5.91607978309962, -8.28251169633946, 0, 0.632455532033676) \
	_(qr_grad_t, F64, GRAD(qr_sum, T), -1.77540030165238, 0.997379300093815, \
	  -0.781678188253751, 0.441513013527735, -0.28029145298717, 0.0272830628209478) \
	_(q_wd, F64, part(0, qrs, WD), -0.447213595499958, -0.894427190999916, \
	  -0.894427190999916, 0.447213595499958) \
	_(r_wd, F64, part(1, qrs, WD), -2.23606797749979, -4.91934955049954, -8.4970583144992, \
	  0, -0.894427190999915, -1.34164078649987) \
	_(qr_grad_wd, F64, GRAD(qr_sum, WD), 2.7520975731516, -0.651776935616177, \
	  0.065002479440322, -0.685916730363269, 0.0961478167965495, 0.63793947293656) \
	_(qr_complex_grad, C128, GRAD(qr_sizes, C), 0.191154735032279 - 0.0941237011892601 * I, \
	  0.875549613629606 + 0.0324293887716016 * I, \
	  -0.423142344991774 - 0.472891038930142 * I, 0.546124742995536 - 0.688808384413262 * I, \
	  -0.166238200898401 + 0.115952505734876 * I, 1.50558124832434 + 0.351086976127343 * I, \
	  0.738812046812996 - 0.301006014502739 * I, 1.18338533306217 - 0.447949245993971 * I, \
	  -0.118453923011856 - 0.439609291513969 * I) \
	_(q_full, F64, part(0, qrs_full, T), -0.169030850945703, 0.948683298050514, \
	  -0.267261241912425, -0.50709255283711, -0.316227766016838, -0.801783725737273, \
	  -0.845154254728517, 2.22044604925031e-16, 0.534522483824849) \
	_(eigvalsh, F64, tsr_eigvalsh(A), 2.19439716742241, 3.38677015660755, 9.41883267597004) \
	_(eigh_grad, F64, GRAD(eigh_sum, A), -0.899110977940946, 0.0919038929272161, \
	  -0.125166056408058, 0.0919038929272161, -0.851346205336942, -0.16567952445048, \
	  -0.125166056408058, -0.16567952445048, -0.80358143273294) \
	_(eigvalsh_complex, F64, tsr_eigvalsh(H), 0.852058674033866, 5.31444315047958, \
	  8.83349817548656) \
	_(eigh_complex_grad, C128, GRAD(eigh_sizes, H), 0.408819491387023, \
	  0.281167588972292 - 0.15232435848131 * I, -0.276893736569297 - 0.0644216152454911 * I, \
	  0.281167588972292 + 0.15232435848131 * I, 0.492051661475657, \
	  0.0429477434969946 + 0.763334839091681 * I, \
	  -0.276893736569297 + 0.0644216152454911 * I, \
	  0.0429477434969946 - 0.763334839091681 * I, -0.506327361409655) \
	_(eigvalsh_lower, F64, tsr_eigvalsh(M, .triangle_only = true), -4.128394736747, \
	  -0.710691585515151, 7.83908632226215) \
	_(eigvalsh_upper, F64, tsr_eigvalsh(M, .triangle_only = true, .upper = true), \
	  -3.47213595499958, 1, 5.47213595499958) \
	_(svdvals_m, F64, tsr_svdvals(M), 6.84170349883517, 3.75074507445069, 0.350720145572585) \
	_(svd_grad_m, F64, GRAD(svd_sum, M), 0.883937048307478, -0.184077453758285, \
	  -0.193486656285575, 0.128943104367117, 0.782421980827366, -0.247742755019175, \
	  0.153395243213283, 0.250302464162337, 0.802941291012426) \
	_(svdvals_t, F64, tsr_svdvals(T), 10.1914282570972, 0.367137685943899) \
	_(svd_grad_t, F64, GRAD(svd_sum, T), -0.294360870509146, -0.0477222868571554, \
	  1.58549898983701, -1.75830680296797, -1.34036052192763, 0.33867865211948) \
	_(svdvals_wd, F64, tsr_svdvals(WD), 10.1914282570972, 0.3671376859439) \
	_(svd_grad_wd, F64, GRAD(svd_sum, WD), -0.549462911325477, 0.820192867388029, \
	  -0.830156440294971, 0.166563427428563, -1.11544966011082, -0.0898927764519535) \
	_(svdvals_grad, F64, GRAD(svdvals_sum, T), -0.804564952141802, 0.380849141714276, \
	  0.0548867449390525, -0.472592517253678, -0.319952358662323, -0.518464205023379) \
	_(svd_complex_grad, C128, GRAD(svd_sizes, C), \
	  -0.0993243863067896 - 0.138492872463303 * I, 0.592971579481271 + 0.58105539185142 * I, \
	  -0.808294745360404 - 1.09567510165962 * I, -0.454898432523061 - 0.365906092853608 * I, \
	  1.01215115709739 + 0.555450751558233 * I, -0.449667221245294 + 0.249291489881414 * I, \
	  0.413600533169764 + 0.225153992018948 * I, -1.20480762573233 - 0.221145097802002 * I, \
	  0.582139409709667 + 0.0372841214854861 * I) \
	_(solve_by_lu, F64, tsr_solve(M, B), -1.66666666666667, -0.222222222222222, \
	  1.33333333333333, 1.11111111111111, 1.66666666666667, 0.888888888888889) \
	_(solve_by_lu_vector, F64, tsr_solve(M, tsr_index(B, 1, 0)), -1.66666666666667, \
	  1.33333333333333, 1.66666666666667) \
	_(solve_by_lu_grad, F64, GRAD(solve_sum, M, B), -0.12365636562022, -0.743240847699832, \
	  -0.477890734519786, -0.0439662328418828, -0.186486338170898, -0.114361856046977, \
	  0.156386807104227, 0.173271137899486, 0.0567421811692504) \
	_(solve_by_lu_grad_b, F64, GRAD_1(solve_sum, M, B), -0.194503239400133, \
	  0.902320650210008, -0.0580453574829017, 0.23749213333329, 0.136457881917231, \
	  -0.319693482410215) \
	_(solve_singular, F64, tsr_solve(MATRIX(2, 1, 1, 1, 1), F64(c, 1, 2)), -INFINITY, \
	  INFINITY) \
	_(inv, F64, tsr_inv(M), 2.11111111111111, 0.222222222222222, -0.888888888888889, \
	  -0.555555555555555, -0.111111111111111, 0.444444444444444, -1.44444444444444, \
	  0.111111111111111, 0.555555555555556) \
	_(inv_grad, F64, GRAD(inv_sum, M, W), 14.9382716049383, -2.35802469135802, \
	  -8.08641975308642, -0.45679012345679, -0.0493827160493829, 0.160493827160494, \
	  -6.72839506172839, 0.975308641975308, 3.58024691358025) \
	_(inv_complex, C128, tsr_inv(C), 0.139854486661277 + 0.360549717057397 * I, \
	  0.151980598221504 - 0.0185933710590137 * I, \
	  -0.0460792239288602 - 0.159256265157639 * I, \
	  0.0784155214227971 - 0.185125303152789 * I, \
	  -0.12287793047696 - 0.0913500404203719 * I, \
	  0.164915117219078 + 0.0436540016168149 * I, -0.034357316087308 - 0.25909458367017 * I, \
	  0.162085691188359 - 0.00121261115602263 * I, \
	  -0.0464834276475343 + 0.120048504446241 * I) \
	_(det, F64, tsr_det(M), -9) \
	_(det_grad, F64, GRAD(tsr_det, M), -19, 5, 13, -2, 1, -1, 8, -4, -5) \
	_(det_complex, C128, tsr_det(C), -25 + 43 * I) \
	_(slogdet_sign, F64, part(0, slogdets, M), -1) \
	_(slogdet_size, F64, part(1, slogdets, M), 2.19722457733622) \
	_(slogdet_complex_sign, C128, part(0, slogdets, C), \
	  -0.502620457374531 + 0.864507186684192 * I) \
	_(slogdet_complex_size, F64, part(1, slogdets, C), 3.90679577647622) \
	_(slogdet_grad, F64, GRAD(slogdet_size, M), 2.11111111111111, -0.555555555555555, \
	  -1.44444444444444, 0.222222222222222, -0.111111111111111, 0.111111111111111, \
	  -0.888888888888889, 0.444444444444444, 0.555555555555556) \
	_(det_of_ones, F64, tsr_det(tsr_ones(c, D(4, 4), .dtype = TSR_F64)), 0) \
	_(pinv, F64, tsr_pinv(T), -2.07142857142857, 0.785714285714286, 0.142857142857142, 1.5, \
	  -0.500000000000001, 3.44094589394086e-16) \
	_(pinv_complex, C128, tsr_pinv(tsr_slice(C, 0, 0, 2)), \
	  0.110497237569061 + 0.160220994475138 * I, 0.138121546961326 - 0.0994475138121547 * I, \
	  0.270718232044199 - 0.104972375690608 * I, \
	  -0.0441988950276244 - 0.0607734806629834 * I, \
	  -0.110497237569061 - 0.121546961325967 * I, \
	  0.132596685082873 + 0.0552486187845305 * I) \
	_(pinv_grad, F64, GRAD(pinv_sum, T), 2.17891284515398, -1.51410655973445, \
	  -1.87135040913181, 1.30813721718457, 0.348816672598359, -0.267378610117967) \
	_(pinv_flat, F64, tsr_pinv(tsr_ones(c, D(2, 3), .dtype = TSR_F64)), 0.166666666666667, \
	  0.166666666666667, 0.166666666666667, 0.166666666666667, 0.166666666666667, \
	  0.166666666666667) \
	_(rank, I32, tsr_matrix_rank(T), 2) \
	_(rank_flat, I32, tsr_matrix_rank(tsr_ones(c, D(3, 3))), 1) \
	_(cond, F64, tsr_cond_number(M), 19.5075862769885) \
	_(cond_complex, F64, tsr_cond_number(C), 4.37746608911927) \
	_(matrix_power_0, F64, tsr_matrix_power(M, 0), 1, 0, 0, 0, 1, 0, 0, 0, 1) \
	_(matrix_power_1, F64, tsr_matrix_power(M, 1), 1, 2, 0, 3, 1, 4, 2, 5, 1) \
	_(matrix_power_2, F64, tsr_matrix_power(M, 2), 7, 4, 8, 14, 27, 8, 19, 14, 21) \
	_(matrix_power_5, F64, tsr_matrix_power(M, 5), 1513, 2042, 1248, 4311, 4633, 4084, 4382, \
	  5729, 3697) \
	_(matrix_power_back, F64, tsr_matrix_power(M, -1), 2.11111111111111, 0.222222222222222, \
	  -0.888888888888889, -0.555555555555555, -0.111111111111111, 0.444444444444444, \
	  -1.44444444444444, 0.111111111111111, 0.555555555555556) \
	_(matrix_power_back_3, F64, tsr_matrix_power(M, -3), 14.9478737997256, \
	  0.957475994513032, -6.10150891632373, -4.66529492455418, -0.305898491083676, \
	  1.91495198902606, -10.482853223594, -0.657064471879287, 4.27023319615912) \
	_(norm_2, F64, tsr_vector_norm(T, .ord = 2, .dims = D(0)), 5.91607978309962, \
	  8.30662386291807) \
	_(norm_1, F64, tsr_vector_norm(T, .ord = 1, .dims = D(0)), 9, 13) \
	_(norm_0, F64, tsr_vector_norm(T, .zero = true, .dims = D(0)), 3, 3) \
	_(norm_3, F64, tsr_vector_norm(T, .ord = 3, .dims = D(0)), 5.34848124123936, \
	  7.45903592589164) \
	_(norm_back, F64, tsr_vector_norm(T, .ord = -1, .dims = D(0)), 0.652173913043478, 1.12) \
	_(norm_inf, F64, tsr_vector_norm(T, .ord = INFINITY, .dims = D(0)), 5, 7) \
	_(norm_least, F64, tsr_vector_norm(T, .ord = -INFINITY, .dims = D(0)), 1, 2) \
	_(norm_all, F64, tsr_vector_norm(C), 8.83176086632785) \
	_(norm_rows, F64, tsr_vector_norm(C, .ord = 1, .dims = D(1), .keep = true), \
	  5.23606797749979, 8.16227766016838, 10.1187843514299) \
	_(norm_grad, F64, GRAD(norm_3, T), 0.0145803441881086, 0.0583213767524345, \
	  0.131223097692978, 0.233285507009738, 0.364508604702716, 0.714436865217323) \
	_(matrix_transpose, F64, tsr_matrix_transpose(T), 1, 3, 5, 2, 4, 7) \
	MORE(_)

AS_JAX(CASES, 1e-12)

/* ---- factors make up what was factorised. 48 is more than LAPACK is asked for */

static const int64_t orders[] = {0, 1, 2, 5, 48};
enum { BATCH = 3 };

/* numbers between -1 and 1, complex ones where the dtype is */
static tsr *draw(tsr_ctx *c, tsr_dtype dtype, tsr_dims dims)
{
	int64_t n = 1;
	for (int64_t d = 1; d < dims.d[0]; d++) n *= dims.d[d];
	double *x = calloc((size_t)n + 1, 2 * sizeof *x);
	assert_non_null(x);
	for (int64_t i = 0; i < 2 * n; i++) x[i] = (rand() % 2001 - 1000) / 1000.0;
	tsr *y = tsr_astype(tsr_from(c, x, TSR_C128, dims), dtype);
	free(x);
	return y;
}

static tsr *mirrored(tsr *x) { return tsr_transpose(x, .perm = D(0, 2, 1)); }

/* Hermitian and positive definite */
static tsr *definite(tsr_ctx *c, tsr_dtype dtype, int64_t n)
{
	tsr *x = draw(c, dtype, D(BATCH, n, n)), *eye = tsr_eye(c, n, .dtype = dtype);

	return tsr_add(tsr_matmul(x, tsr_conj(mirrored(x))), tsr_mul((double)n + 1, eye));
}

static void check_cholesky(tsr_ctx *c, tsr_dtype dtype, int64_t n, double tolerance)
{
	tsr *a = definite(c, dtype, n), *b = draw(c, dtype, D(BATCH, n, 4));
	tsr *low = tsr_cholesky(a), *up = tsr_cholesky(a, .upper = true);

	ALIKE(tsr_matmul(low, up), a, tolerance);
	ALIKE(tsr_matmul(a, tsr_cho_solve(low, b, .lower = true)), b, tolerance);
	ALIKE(tsr_matmul(a, tsr_cho_solve(up, b)), b, tolerance);
	tsr *above = tsr_mul(low, tsr_lt(tsr_iota(c, D(n, n), 0), tsr_iota(c, D(n, n), 1)));
	if (n) assert_false(tsr_item_int(tsr_any(above)));
}

/* the triangle that is read; op of it */
static tsr *triangle(tsr *a, bool low, bool unit, int64_t n)
{
	tsr_ctx *c = tsr_ctx_of(a);
	tsr *row = tsr_iota(c, D(n, n), 0), *column = tsr_iota(c, D(n, n), 1);
	tsr *t = tsr_where(low ? tsr_ge(row, column) : tsr_le(row, column), a, 0);

	return unit ? tsr_where(tsr_eq(row, column), 1, t) : t;
}

static void check_solve(tsr_ctx *c, tsr_dtype dtype, int64_t n, double tolerance)
{
	tsr *eye = tsr_eye(c, n, .dtype = dtype);
	tsr *noise = tsr_div(draw(c, dtype, D(BATCH, n, n)), n ? (double)n : 1.0);
	tsr *a = tsr_add(noise, eye);

	for (unsigned way = 0; way < 32; way++) {
		const bool left = way & 1, low = way & 2, turn = way & 4, mirror = way & 8;
		const bool unit = way & 16;
		tsr *b = draw(c, dtype, left ? D(BATCH, n, 3) : D(BATCH, 3, n));
		tsr *x = tsr_triangular_solve(a, b, .left_side = left, .lower = low,
		                              .transpose_a = turn, .conjugate_a = mirror,
		                              .unit_diagonal = unit);
		tsr *op = triangle(mirror ? tsr_conj(a) : a, low, unit, n);
		if (turn) op = mirrored(op);
		ALIKE(left ? tsr_matmul(op, x) : tsr_matmul(x, op), b, tolerance);
	}
}

/* columns of q are orthogonal and of size 1: q^H q */
static void check_columns(tsr *q, double tolerance)
{
	tsr *eye = tsr_eye(q, tsr_dim(q, 2), .dtype = tsr_dtype_of(q));

	ALIKE(tsr_matmul(tsr_conj(mirrored(q)), q),
	      tsr_broadcast_to(eye, D(BATCH, tsr_dim(q, 2), tsr_dim(q, 2))), tolerance);
}

/* s along the rows of x */
static tsr *scaled(tsr *x, tsr *s)
{
	return tsr_mul(x, tsr_astype(tsr_expand_dims(s, D(1)), tsr_dtype_of(x)));
}

static void check_sides(tsr_ctx *c, tsr_dtype dtype, int64_t m, int64_t n, double tolerance)
{
	tsr *x = draw(c, dtype, D(BATCH, m, n)), *y[3];
	const int64_t k = m < n ? m : n;

	for (int full = 0; full < 2; full++) {
		assert_true(tsr_qr(x, y, .full_matrices = full));
		check_columns(y[0], tolerance);
		ALIKE(tsr_matmul(y[0], y[1]), x, tolerance);
		SHAPE(y[0], BATCH, m, full ? m : k);
		assert_true(tsr_svd(x, y, .thin = !full));
		check_columns(y[0], tolerance);
		check_columns(tsr_conj(mirrored(y[2])), tolerance);
		tsr *u = tsr_slice(y[0], 2, 0, k), *vh = tsr_slice(y[2], 1, 0, k);
		ALIKE(tsr_matmul(scaled(u, y[1]), vh), x, tolerance);
		ALIKE(tsr_svdvals(x), y[1], tolerance);
		SHAPE(y[2], BATCH, full ? n : k, n);
		assert_true(tsr_array_equal(y[1], tsr_sort(y[1], .descending = true)));
	}
	assert_true(tsr_lu(x, y));
	tsr *row = tsr_iota(c, D(m, n), 0), *column = tsr_iota(c, D(m, n), 1);
	tsr *low = tsr_where(tsr_gt(row, column), y[0], tsr_astype(tsr_eq(row, column), dtype));
	tsr *up = tsr_slice(tsr_where(tsr_le(row, column), y[0], 0), 1, 0, k);
	tsr *rows = tsr_broadcast_to(tsr_expand_dims(y[2], D(2)), D(BATCH, m, n));
	ALIKE(tsr_matmul(tsr_slice(low, 2, 0, k), up), tsr_take_along(x, 1, rows), tolerance);
	/* the largest of each column was chosen, of complex numbers by |re| + |im| */
	const double most = dtype == TSR_C64 || dtype == TSR_C128 ? sqrt(2) : 1;
	assert_true(tsr_item(tsr_max(tsr_abs(low), .initial = TSR_ARG(0.))) <= most + tolerance);
}

static void check_rectangles(tsr_ctx *c, tsr_dtype dtype, int64_t n, double tolerance)
{
	check_sides(c, dtype, n, n, tolerance);
	check_sides(c, dtype, n, n / 2, tolerance);
	check_sides(c, dtype, n / 2, n, tolerance);
	check_sides(c, dtype, n + 1, n, tolerance);
}

static void check_eigh(tsr_ctx *c, tsr_dtype dtype, int64_t n, double tolerance)
{
	tsr *x = draw(c, dtype, D(BATCH, n, n)), *y[2];
	tsr *a = tsr_mul(tsr_add(x, tsr_conj(mirrored(x))), 0.5);

	for (int upper = 0; upper < 2; upper++) {
		assert_true(tsr_eigh(a, y, .triangle_only = upper, .upper = upper));
		check_columns(y[1], tolerance);
		ALIKE(tsr_matmul(scaled(y[1], y[0]), tsr_conj(mirrored(y[1]))), a, tolerance);
		ALIKE(tsr_eigvalsh(a), y[0], tolerance);
		assert_true(tsr_array_equal(y[0], tsr_sort(y[0])));
	}
}

static void check_inverse(tsr_ctx *c, tsr_dtype dtype, int64_t n, double tolerance)
{
	tsr *a = definite(c, dtype, n), *b = draw(c, dtype, D(BATCH, n, 2)), *out[2];
	tsr *eye = tsr_broadcast_to(tsr_eye(c, n, .dtype = dtype), D(BATCH, n, n));

	ALIKE(tsr_matmul(a, tsr_solve(a, b)), b, tolerance);
	ALIKE(tsr_matmul(a, tsr_inv(a)), eye, tolerance);
	assert_true(tsr_slogdet(a, out));
	tsr *det = tsr_mul(out[0], tsr_astype(tsr_exp(out[1]), dtype));
	if (n < 10) ALIKE(det, tsr_det(a), 10 * tolerance);
}

/* matrices of little rank, of zeros, and with what is no number */
static void hard_matrices(void **state)
{
	static const char *const engines[] = {"interp", "cpu"};

	(void)state;
	for (size_t e = 0; e < COUNT(engines); e++)
		for (int64_t n = 3; n < 50; n += 44) {
			tsr_ctx *c = tsr_open(.engine = engines[e], .plugin_dir = PLUGIN_DIR);
			tsr *zeros = tsr_zeros(c, D(BATCH, n, n), .dtype = TSR_F64), *y[3];
			tsr *flat = tsr_add(zeros, 2), *bad = tsr_add(zeros, NAN);
			assert_true(tsr_svd(zeros, y));
			check_columns(y[0], 0);
			check_columns(y[2], 0);
			assert_true(tsr_svd(flat, y));
			check_columns(y[0], 1e-13);
			assert_true(fabs(tsr_item(tsr_max(y[1])) - 2 * (double)n) < 1e-12);
			assert_true(tsr_item(tsr_sum(tsr_gt(y[1], 1e-12))) == BATCH);
			assert_true(tsr_eigh(flat, y));
			check_columns(y[1], 1e-13);
			assert_true(fabs(tsr_item(tsr_max(y[0])) - 2 * (double)n) < 1e-12);
			assert_true(tsr_eigh(bad, y));
			assert_true(isnan(tsr_item(tsr_sum(y[0]))));
			assert_true(isnan(tsr_item(tsr_sum(y[1]))));
			assert_true(isnan(tsr_item(tsr_sum(tsr_svdvals(bad)))));
			assert_true(isnan(tsr_item(tsr_sum(tsr_cholesky(bad)))));
			assert_int_equal(tsr_close(c), TSR_OK);
		}
}

static void factors_make_it_up(void **state)
{
	static const char *const engines[] = {"interp", "cpu"};
	static void (*const checks[])(tsr_ctx *, tsr_dtype, int64_t, double) = {
		check_cholesky, check_solve, check_rectangles, check_eigh, check_inverse};
	static const tsr_dtype dtypes[] = {TSR_F32, TSR_F64, TSR_C64, TSR_C128};

	(void)state;
	for (size_t e = 0; e < COUNT(engines); e++) {
		tsr_ctx *ctx = tsr_open(.engine = engines[e], .plugin_dir = PLUGIN_DIR);
		srand(7);
		for (size_t t = 0; t < COUNT(dtypes); t++)
			for (size_t i = 0; i < COUNT(orders); i++)
				for (size_t k = 0; k < COUNT(checks); k++) {
					TSR_SCOPE(ctx);
					checks[k](ctx, dtypes[t], orders[i],
					          (t % 2 ? 1e-14 : 5e-6) *
					                  (double)(8 + orders[i]) / 4);
				}
		assert_int_equal(tsr_close(ctx), TSR_OK);
	}
}

/* ---- a batch that is split over devices stays so, and each matrix is as it would be alone */

static void check_split(tsr *x, tsr *y, tsr *(*of)(tsr *, tsr *))
{
	tsr_ctx *c = tsr_ctx_of(x);
	static const char *const specs[] = {"x", "y", "x*y"};
	tsr_mesh *meshes[] = {tsr_mesh_make(c, {"x", 2}, {"y", 1}),
	                      tsr_mesh_make(c, {"x", 4}, {"y", 1}),
	                      tsr_mesh_make(c, {"x", 2}, {"y", 2})};
	tsr *whole = of(x, y);

	for (size_t m = 0; m < COUNT(meshes); m++)
		for (size_t i = 0; i < COUNT(specs); i++) {
			tsr *split = tsr_put(x, meshes[m], TSR_P(specs[i]));
			tsr *with = tsr_put(y, meshes[m], TSR_P(specs[i]));
			tsr *got[] = {of(split, with), tsr_call(tsr_jit(c, of), split, with)};
			for (int k = 0; k < 2; k++) {
				SAME(got[k], whole);
				assert_ptr_equal(tsr_sharding_of(got[k]), tsr_sharding_of(split));
			}
		}
}

static tsr *factor(tsr *x, tsr *y) { return tsr_is_poison(y) ? y : tsr_cholesky(x); }
static tsr *system_of(tsr *x, tsr *y) { return tsr_triangular_solve(x, y, .lower = true); }

static void batches_are_split(void **state)
{
	static tsr *(*const of[])(tsr *, tsr *) = {factor, system_of};
	tsr_ctx *c = *state;
	tsr *x = draw(c, TSR_F32, D(8, 5, 5)), *y = draw(c, TSR_F32, D(8, 3, 5));

	x = tsr_add(tsr_matmul(x, mirrored(x)), tsr_eye(c, 5));
	for (size_t i = 0; i < COUNT(of); i++) check_split(x, y, of[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_jax_has_it),
		cmocka_unit_test(factors_make_it_up),
		cmocka_unit_test(hard_matrices),
		cmocka_unit_test_setup_teardown(batches_are_split, near_open, near_close),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
