/* test_linalg_systems.c - functions made of factors: systems of equations, inverses, determinants,
 * ranks, powers, norms, exponentials, reflections: numbers and derivatives as JAX 0.10.2 has them
 * (64-bit types on; jnp.linalg, jax.scipy.linalg and lax.linalg, as the lines say). */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include "support/as_jax.h"
#include "unit/matrices.h"
#include <cmocka.h>

static bool slogdets(tsr *x, tsr **y) { return tsr_slogdet(x, y); }

static tsr *solve_sum(tsr *a, tsr *b) { return waves(tsr_solve(a, b)); }
static tsr *inv_sum(tsr *a, tsr *w) { return weighed(tsr_inv(a), w); }
static tsr *slogdet_size(tsr *a) { return part(1, slogdets, a); }

static tsr *slogdet_turn(tsr *a) { return tsr_real(part(0, slogdets, a)); }

static tsr *pinv_sum(tsr *a) { return waves(tsr_pinv(a)); }
static tsr *pinv_all(tsr *a) { return tsr_sum(tsr_pinv(a)); }
static tsr *norm_3(tsr *x) { return tsr_vector_norm(x, .ord = 3); }

/* result k of least squares of a x = b */
static tsr *least(int k, tsr *a, tsr *b)
{
	tsr *y[4];

	return tsr_lstsq(a, b, y) ? y[k] : tsr_ones(a, D(0));
}
static tsr *lstsq_left(tsr *a, tsr *b) { return tsr_sum(least(1, a, b)); }
static tsr *lstsq_sum(tsr *a, tsr *b) { return waves(least(0, a, b)); }
static tsr *expm_sum(tsr *a) { return waves(tsr_expm(a)); }
static tsr *det_of(tsr *a) { return tsr_det(a); }
static tsr *det_slope(tsr *a) { return waves(tsr_call(tsr_grad(tsr_ctx_of(a), det_of), a)); }
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

/* name, dtype, expression, elements */
#define CASES(_) \
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
	_(slogdet_turn_grad, C128, GRAD(slogdet_turn, tsr_reshape(C128(c, 3 + 4 * I), D(1, 1))), \
	  0.128 + 0.096 * I) \
	_(slogdet_grad_zero, F64, GRAD(slogdet_size, MATRIX(1, 0)), INFINITY) \
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
	_(pinv_grad_equal, F64, GRAD(pinv_all, MATRIX(2, 1, 0, 0, 1)), -1, -1, -1, -1) \
	_(pinv_grad_turned, F64, GRAD(pinv_all, MATRIX(2, 0, 1, -1, 0)), 1, -1, -1, 1) \
	_(pinv_grad_tall, F64, GRAD(pinv_all, MATRIX(3, 1, 0, 0, 1, 0, 0)), -1, -1, -1, -1, \
	  1, 1) \
	_(pinv_grad_flat, F64, GRAD(pinv_all, tsr_ones(c, D(2, 3), .dtype = TSR_F64)), \
	  -1.0 / 6, -1.0 / 6, -1.0 / 6, -1.0 / 6, -1.0 / 6, -1.0 / 6) \
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
	_(lstsq, F64, least(0, T, ROW), 0.0714285714285714, 0.5) \
	_(lstsq_rest, F64, least(1, T, ROW), 0.0714285714285714) \
	_(lstsq_rank, I32, least(2, T, ROW), 2) \
	_(lstsq_low, F64, least(0, LOW, W), 0.428571428571428, 0.514285714285714, 0.6, \
	  0.857142857142857, 1.02857142857143, 1.2) \
	_(lstsq_low_rank, I32, least(2, LOW, W), 1) \
	_(lstsq_grad, F64, GRAD(lstsq_sum, T, ROW), -0.0781923001431926, 0.467537703419543, \
	  -0.419879588909765, 0.105494290897363, 0.253316926745571, -0.256549121624818) \
	_(lstsq_left_grad, F64, GRAD(lstsq_left, MATRIX(1, 2), F64(c, 4)), 0) \
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
	  17.6916636666713, 36.5293628245726)

AS_JAX(CASES, 1e-12)

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(as_jax_has_it)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
