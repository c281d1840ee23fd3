/* test_curves.c - the functions of curves.h, and those of functions.h and nn.h with several
 * operands and keywords, as in JAX, and mistakes. */
#include <limits.h>
#include "support/cases.h"

#define A OF(TSR_F64, D(2, 3), 1, 2, 4, 4, 5, 9)
#define V OF(TSR_F64, D(5), 3, 1, 2, 2, 7)
#define X OF(TSR_F64, D(5), 0, 1, 1.5, 3, 4)
#define N OF(TSR_I32, D(3), 3, 1, 4)
#define F OF(TSR_BOOL, D(4), 1, 0, 0, 1)
#define P OF(TSR_F64, D(3), 2, 0, -1)
#define R OF(TSR_F64, D(2), 1, 3)
#define ANG OF(TSR_F64, D(8), 0, 2, 4, 6, 8, 1, -3, 0.5)
#define Z COMPLEX(TSR_C128, D(2), 1 + 2 * I, 3 + -1 * I)
#define S OF(TSR_F64, D(2), 1, 2)
#define E2 OF(TSR_F64, D(2), 5, 3)
#define G OF(TSR_F32, D(7), 0.30000001192092896, -2.5, 9.99994610111476e-41, 0, INFINITY, NAN, \
	640)
#define G64 OF(TSR_F64, D(7), 0.3, -2.5, 1e-310, 0, INFINITY, NAN, 640)
#define INTS OF(TSR_I32, D(5), 12, -18, 0, 7, 0)
#define J OF(TSR_I32, D(5), 18, 12, 5, 0, 0)
#define BIG OF(TSR_I64, D(4), 1099511627779, -4.611686018427388e+18, 5, -7)
#define BIG2 OF(TSR_I64, D(4), 1125899906842633.0, 205891132094649, -1.152921504606847e+18, -1)
#define U OF(TSR_U32, D(2), 4000000000, 7)
#define U2 OF(TSR_U32, D(2), 4000000001, 9)
#define K OF(TSR_I32, D(4), 0, 2, 5, -1)
#define L OF(TSR_F64, D(4), 10, 20, 30, 40)
#define SPEC OF(TSR_F64, D(7), 0.5, 1.5, 3, -0.5, -1.5, 0, 7.25)
#define SPEC2 OF(TSR_F64, D(7), 0.25, 2, 1, 0.5, 3, 4, 0)
#define PR OF(TSR_F64, D(8), 0, 1e-300, 1e-09, 0.1, 0.5, 0.9, 0.9999999999, 1)
#define TAIL OF(TSR_F64, D(3), 0x1p-52, 0x1p-47, 1e-100)
#define BETA_P OF(TSR_F64, D(5), 0.5, 7, 0.001, 20, 2)
#define BETA_Q OF(TSR_F64, D(5), 9, 1e+18, 1000, 30, 8)
#define MASK OF(TSR_BOOL, D(2, 3), 1, 0, 1, 1, 1, 0)

static tsr *taken_apart(tsr *x, size_t k)
{
	tsr *out[2];
	return tsr_frexp(x, out) ? out[k] : out[0];
}
static tsr *first_of(tsr *second, tsr *first, tsr *x, tsr *y)
{
	return tsr_select(((tsr *[]){first, second}), ((tsr *[]){x, y}), 2, 7.0);
}
static tsr *chosen(tsr *i, tsr *x, enum tsr_index_mode mode)
{
	return tsr_choose(i, ((tsr *[]){x, tsr_neg(x), tsr_mul(x, 2)}), 3, mode);
}

/* waves as numbers: sin(f i), or cos(f i) */
static tsr *wave(tsr_ctx *c, double f, double from, tsr_dims dims, int64_t n)
{
	tsr *i = tsr_arange(c, n, .dtype = TSR_F64);
	tsr *x = tsr_sin(tsr_add(tsr_mul(i, f), from));
	return tsr_reshape(tsr_astype(x, TSR_F32), dims);
}
static tsr *attention(tsr_ctx *c, bool causal, bool masked)
{
	const double quarter = 1.57079632679489661923;
	tsr *q = wave(c, 1, 0, D(2, 3, 4, 2), 48), *k = wave(c, 1, quarter, D(2, 5, 2, 2), 40);
	tsr *v = wave(c, 0.5, 0, D(2, 5, 2, 2), 40), *b = wave(c, 0.3, quarter, D(1, 4, 3, 5), 60);
	tsr *mask = tsr_gt(b, 0.2);
	if (!masked) return tsr_dot_product_attention(q, k, v, .causal = causal);
	return tsr_dot_product_attention(q, k, v, .bias = b, .mask = mask);
}

/* betaln_far is SciPy's: JAX's series is off by some 1e-7 there.
 * The name, the dtype and dims, how near, the expression in context c, its elements */
#define CASES(_) \
	_(linspace, F64, D(5), NEARLY, tsr_linspace(c, 0, 1, 5, .dtype = TSR_F64), 0, 0.25, 0.5, \
	  0.75, 1) \
	_(linspace_open, F64, D(4), NEARLY, tsr_linspace(c, 2, 3, 4, .open = true, .dtype = \
	  TSR_F64), 2, 2.25, 2.5, 2.75) \
	_(linspace_i32, I32, D(4), 0, tsr_linspace(c, 0, 10, 4, .dtype = TSR_I32), 0, 3, 6, 10) \
	_(linspace_arrays, F64, D(3, 2), NEARLY, tsr_linspace(c, S, E2, 3), 1, 2, 3, 2.5, 5, 3) \
	_(linspace_last, F64, D(2, 3), NEARLY, tsr_linspace(c, S, 0, 3, .dim = D(-1)), 1, 0.5, \
	  0, 2, 1, 0) \
	_(linspace_one, F64, D(1), NEARLY, tsr_linspace(c, 3, 4, 1, .dtype = TSR_F64), 3) \
	_(linspace_none, F64, D(0), NEARLY, tsr_linspace(c, 3, 4, 0, .dtype = TSR_F64), 0) \
	_(logspace, F64, D(3), NEARLY, tsr_logspace(c, 0, 2, 3, .base = 2, .dtype = TSR_F64), 1, \
	  2, 4) \
	_(geomspace, F64, D(4), NEARLY, tsr_geomspace(c, 1, 1000, 4, .dtype = TSR_F64), 1, \
	  9.999999999999995, 99.9999999999999, 1000) \
	_(geomspace_below, F64, D(3, 2), NEARLY, tsr_geomspace(c, tsr_neg(S), tsr_neg(E2), 3), \
	  -1, -2, -2.2360679774997894, -2.449489742783178, -4.999999999999999, \
	  -3.0000000000000004) \
	_(bartlett, F64, D(6), NEARLY, tsr_bartlett(c, 6, .dtype = TSR_F64), 0, \
	  0.3999999999999999, 0.8, 0.8, 0.3999999999999999, 0) \
	_(blackman, F64, D(6), NEARLY, tsr_blackman(c, 6, .dtype = TSR_F64), \
	  -1.3877787807814457e-17, 0.20077014326253045, 0.8492298567374694, 0.8492298567374695, \
	  0.20077014326253056, -1.3877787807814457e-17) \
	_(hamming, F64, D(6), NEARLY, tsr_hamming(c, 6, .dtype = TSR_F64), 0.08000000000000002, \
	  0.3978521825875242, 0.9121478174124757, 0.912147817412476, 0.3978521825875243, \
	  0.08000000000000002) \
	_(hanning, F64, D(6), NEARLY, tsr_hanning(c, 6, .dtype = TSR_F64), 0, \
	  0.3454915028125263, 0.9045084971874737, 0.9045084971874737, 0.3454915028125264, 0) \
	_(hanning_one, F64, D(1), NEARLY, tsr_hanning(c, 1, .dtype = TSR_F64), 1) \
	_(kaiser, F64, D(6), NEARLY, tsr_kaiser(c, 6, 14, .dtype = TSR_F64), \
	  7.726866835270368e-06, 0.06815374319396043, 0.7615093990873935, 0.7615093990873935, \
	  0.06815374319396043, 7.726866835270368e-06) \
	_(diff, F64, D(2, 2), NEARLY, tsr_diff(A), 1, 2, 1, 4) \
	_(diff_twice, F64, D(2, 1), NEARLY, tsr_diff(A, .n = 2), 1, 3) \
	_(diff_dim, F64, D(1, 3), NEARLY, tsr_diff(A, .dim = D(0)), 3, 3, 5) \
	_(diff_bool, BOOL, D(3), 0, tsr_diff(F), 1, 0, 1) \
	_(diff_between, F64, D(2, 6), NEARLY, tsr_diff(A, .prepend = TSR_ARG(0), .append = \
	  TSR_ARG(A)), 1, 1, 2, -3, 1, 2, 4, 1, 4, -5, 1, 4) \
	_(diff_half, F64, D(2, 3), NEARLY, tsr_diff(A, .append = TSR_ARG(0.5)), 1, 2, -3.5, 1, 4, \
	  -8.5) \
	_(ediff1d, F64, D(5), NEARLY, tsr_ediff1d(A), 1, 2, 0, 1, 4) \
	_(gradient, F64, D(5), NEARLY, tsr_gradient(V, 0, 1.0), -2, -0.5, 0.5, 2.5, 5) \
	_(gradient_step, F64, D(2, 3), NEARLY, tsr_gradient(A, 1, 0.5), 2, 3, 4, 2, 5, 8) \
	_(gradient_places, F64, D(5), NEARLY, tsr_gradient(V, 0, X), -2, 0.6666666666666665, \
	  1.4999999999999998, 3, 5) \
	_(trapezoid, F64, D(), NEARLY, tsr_trapezoid(V), 10) \
	_(trapezoid_dx, F64, D(3), NEARLY, tsr_trapezoid(A, .dim = D(0), .dx = 0.5), 1.25, 1.75, \
	  3.25) \
	_(trapezoid_x, F64, D(), NEARLY, tsr_trapezoid(V, .x = X), 10.25) \
	_(unwrap, F64, D(8), NEARLY, tsr_unwrap(ANG), 0, 2, 4, 6, 8, 7.283185307179586, \
	  9.566370614359172, 6.783185307179586) \
	_(unwrap_period, F64, D(8), NEARLY, tsr_unwrap(ANG, .period = 4, .discont = 3), 0, 2, 4, \
	  6, 8, 9, 9, 8.5) \
	_(polyval, F64, D(5), NEARLY, tsr_polyval(P, X), -1, 1, 3.5, 17, 31) \
	_(polyval_none, F64, D(5), NEARLY, tsr_polyval(tsr_slice(P, 0, 0, 0), X), 0, 0, 0, 0, 0) \
	_(polyadd, F64, D(3), NEARLY, tsr_polyadd(P, R), 2, 1, 2) \
	_(polysub, I32, D(3), 0, tsr_polysub(N, tsr_slice(N, 0, 0, 2)), 3, -2, 3) \
	_(polymul, F64, D(4), NEARLY, tsr_polymul(P, R), 2, 6, -1, -3) \
	_(polyder, F64, D(3), NEARLY, tsr_polyder(V, 2), 36, 6, 4) \
	_(polyder_all, F64, D(0), NEARLY, tsr_polyder(R, 3), 0) \
	_(polyint, F64, D(5), NEARLY, tsr_polyint(P, 2), 0.16666666666666666, 0, -0.5, 0, 0) \
	_(poly, F64, D(4), NEARLY, tsr_poly(P), 1, -1, -2, 0) \
	_(poly_infinite, F64, D(4), 0, tsr_poly(OF(TSR_F64, D(3), 1, INFINITY, 10)), 1, \
	  -INFINITY, INFINITY, -INFINITY) \
	_(gcd, I32, D(5), 0, tsr_gcd(INTS, J), 6, 6, 5, 7, 0) \
	_(gcd_number, I32, D(5), 0, tsr_gcd(INTS, 4), 4, 2, 4, 1, 4) \
	_(gcd_least, I32, D(), 0, tsr_gcd(tsr_scalar(c, INT32_MIN, .dtype = TSR_I32), 5), 1) \
	_(lcm, I32, D(5), 0, tsr_lcm(INTS, J), 36, 36, 0, 0, 0) \
	_(mulhi_i64, I64, D(4), 0, tsr_mulhi(BIG, BIG2), 67108864, -51472783023663, -1, 0) \
	_(mulhi_u32, U32, D(2), 0, tsr_mulhi(U, U2), 3725290299, 0) \
	_(mantissas, F64, D(7), NEARLY, taken_apart(G64, 0), 0.6, -0.625, 0.5752618031559393, 0, \
	  INFINITY, NAN, 0.625) \
	_(exponents, I32, D(7), 0, taken_apart(G64, 1), -1, 2, -1029, 0, 0, 0, 10) \
	_(mantissas_f32, F32, D(7), NEARLY, taken_apart(G, 0), 0.6000000238418579, -0.625, \
	  0.5444488525390625, 0, INFINITY, NAN, 0.625) \
	_(ldexp, F64, D(7), NEARLY, tsr_ldexp(G64, 3), 2.4, -20, 8e-310, 0, INFINITY, NAN, 5120) \
	_(ldexp_array, F64, D(4), NEARLY, tsr_ldexp(L, K), 10, 80, 960, 20) \
	_(spacing, F64, D(2), NEARLY, tsr_spacing(tsr_slice(G64, 0, 0, 2)), \
	  5.551115123125783e-17, -4.440892098500626e-16) \
	_(select, F64, D(4), NEARLY, first_of(tsr_gt(L, 15), tsr_gt(L, 25), L, tsr_neg(L)), 7, \
	  -20, 30, 40) \
	_(choose, F64, D(4), NEARLY, chosen(tsr_clamp(0, K, 3), L, TSR_CLIP), 10, 40, 60, 40) \
	_(choose_wrap, F64, D(4), NEARLY, chosen(K, L, TSR_WRAP), 10, 40, 60, 80) \
	_(nan_to_num_given, F64, D(7), NEARLY, tsr_nan_to_num(G64, .nan = TSR_ARG(-1), .posinf = \
	  TSR_ARG(9)), 0.3, -2.5, 1e-310, 0, 9, -1, 640) \
	_(gamma_function, F64, D(7), 1e-12, tsr_gamma_function(SPEC), 1.7724538509055165, \
	  0.8862269254527583, 1.9999999999999976, -3.5449077018110313, 2.3632718012073535, \
	  INFINITY, 1155.381013919996) \
	_(gammasgn, F64, D(7), NEARLY, tsr_gammasgn(SPEC), 1, 1, 1, -1, 1, 1, 1) \
	_(log_gamma, F64, D(7), 1e-12, tsr_log_gamma(SPEC), 0.5723649429247004, \
	  -0.12078223763524498, 0.6931471805599441, NAN, NAN, NAN, 7.052185450738545) \
	_(factorial, F32, D(3), 0, tsr_factorial(N), 6, 1, 24) \
	_(beta_function, F64, D(7), 1e-12, tsr_beta_function(SPEC, SPEC2), 5.2441151085842455, \
	  0.2666666666666666, 0.3333333333333327, -0.0, 5.333333333333323, INFINITY, INFINITY) \
	_(betaln, F64, D(7), 1e-12, tsr_betaln(SPEC, SPEC2), 1.6571065161914833, \
	  -1.3217558399823197, -1.0986122886681116, -INFINITY, 1.6739764335716696, INFINITY, \
	  INFINITY) \
	_(betaln_far, F64, D(5), 1e-13, tsr_betaln(BETA_P, BETA_Q), -0.5123655751273183, \
	  -283.54647050523965, 6.900271629688177, -33.968820791977386, -4.276666119016055) \
	_(comb, F64, D(7), 1e-12, tsr_comb(SPEC, SPEC2), 1.078705202376759, 0, \
	  3.0000000000000053, 0, 0, 0, 1) \
	_(comb_far, F64, D(4), 1e-12, tsr_comb(OF(TSR_F64, D(4), 30, 100, 1000, 54315072), \
	  OF(TSR_F64, D(4), 15, 50, 500, 5)), 155117520, 1.00891344545564193e29, \
	  2.7028824094543657e299, 3.93931284221486577e36) \
	_(comb_f32, F32, D(2), 1e-7, tsr_comb(OF(TSR_F32, D(2), 30, 54315072), OF(TSR_F32, D(2), \
	  15, 5)), 155117520, 3.93931284221486577e36) \
	_(comb_i32, F32, D(3), 1e-6, tsr_comb(OF(TSR_I32, D(3), 2147483646, 2147483647, \
	  2147483646), OF(TSR_I32, D(3), 2147483647, 2147483646, 9)), 0, 2147483647, INFINITY) \
	_(rel_entr_near, F32, D(2), 1e-6, tsr_rel_entr(OF(TSR_F32, D(2), 84, 1), OF(TSR_F32, D(2), \
	  82, 1.0000001192092896)), 2.02419433264108, -1.19209282445e-7) \
	_(ndtr_tail, F64, D(3), 1e-15, tsr_ndtr(OF(TSR_F64, D(3), -2.5, -23, -30.28125)), \
	  0.00620966532577613517, 2.3306370062206488e-117, 1.01207032402970889e-201) \
	_(kl_div_large, F32, D(1), 1e-6, tsr_kl_div(OF(TSR_F32, D(1), 1792122240), OF(TSR_F32, \
	  D(1), 3160439552)), 351627386.408779021) \
	_(poch, F64, D(7), 1e-12, tsr_poch(SPEC, SPEC2), 0.6913673390362929, 3.750000000000001, \
	  3.0000000000000053, -INFINITY, 0.37500000000000033, 0, 1) \
	_(multigammaln, F64, D(7), 1e-12, tsr_multigammaln(tsr_add(SPEC2, 2), 3), \
	  1.6592935862241998, 5.402975080909174, 2.694924879806964, 1.880995461611775, \
	  9.140644699192546, 13.64045436952281, 1.5963125911388554) \
	_(i0, F64, D(7), 1e-12, tsr_i0(SPEC), 1.0634833707413236, 1.6467231897728907, \
	  4.880792585865024, 1.0634833707413236, 1.6467231897728907, 1, 212.55834116279757) \
	_(i1, F64, D(7), 1e-12, tsr_i1(SPEC), 0.25789430539089636, 0.9816664285779074, \
	  3.9533702174026093, -0.25789430539089636, -0.9816664285779074, 0, 197.30156586563817) \
	_(boxcox, F64, D(7), 1e-12, tsr_boxcox(SPEC2, SPEC), -1, 1.21895141649746, 0, \
	  -0.8284271247461901, 0.5383666068467499, 1.3862943611198906, -0.13793103448275862) \
	_(boxcox1p, F64, D(7), 1e-12, tsr_boxcox1p(SPEC2, SPEC), 0.23606797749978972, \
	  2.797434948471088, 2.3333333333333326, 0.367006838144548, 0.5833333333333334, \
	  1.6094379124341003, 0) \
	_(ndtri, F64, D(8), 1e-12, tsr_ndtri(PR), -INFINITY, -37.0470962993612, \
	  -5.9978070150076865, -1.2815515655446004, 0, 1.2815515655446004, 6.361340889697422, \
	  INFINITY) \
	_(ndtri_tail, F64, D(3), 1e-14, tsr_ndtri(TAIL), -8.125890664701908, -7.694445998448804, \
	  -21.273453560965322) \
	_(betainc, F64, D(7), 1e-12, tsr_betainc(SPEC2, 2.5, tsr_slice(PR, 0, 0, 7)), 0, 0, \
	  2.4999999981250087e-09, 0.5104102554355713, 0.4089029251018715, 0.9633877421776318, 1) \
	_(softmax_where, F64, D(2, 3), NEARLY, tsr_softmax(A, -1, .where = MASK), \
	  0.04742587317756679, 0, 0.9525741268224334, 0.2689414213699951, 0.7310585786300049, 0) \
	_(log_softmax_where, F64, D(2, 3), NEARLY, tsr_log_softmax(A, 1, .where = MASK), \
	  -3.048587351573742, -INFINITY, -0.04858735157374196, -1.3132616875182228, \
	  -0.31326168751822286, -INFINITY) \
	_(logmeanexp, F64, D(2), NEARLY, tsr_logmeanexp(A, .dims = D(1), .where = MASK), \
	  3.3554401710137967, 4.620114506958277) \
	_(standardize_where, F64, D(2, 3), NEARLY, tsr_standardize(A, -1, 1e-5, .where = MASK), \
	  -0.9999977777851852, -0.3333325925950617, 0.9999977777851852, -0.9999800005999799, \
	  0.9999800005999799, 8.999820005399819) \
	_(standardize_known, F64, D(5), NEARLY, tsr_standardize(V, 0, 1e-5, .mean = TSR_ARG(X), \
	  .variance = TSR_ARG(X)), 948.6832980505137, 0, 0.4082469296430322, -0.5773493069415827, \
	  1.4999981250035157) \
	_(standardize_about_0, F64, D(5), NEARLY, tsr_standardize(V, 0, 0, .mean = TSR_ARG(0)), \
	  0.8195375470622295, 0.2731791823540765, 0.546358364708153, 0.546358364708153, \
	  1.9122542764785355) \
	_(standardize_numbers, F64, D(5), NEARLY, tsr_standardize(V, 0, 0, .mean = TSR_ARG(0), \
	  .variance = TSR_ARG(4)), 1.5, 0.5, 1, 1, 3.5) \
	_(one_hot_dim, I8, D(3, 4), 0, tsr_one_hot(K, 3, .dim = D(0), .dtype = TSR_I8), 1, 0, 0, \
	  0, 0, 0, 0, 0, 0, 1, 0, 0) \
	_(attention, F32, D(2, 3, 4, 2), 1e-6, attention(c, false, false), 0.17460383474826813, \
	  0.32372796535491943, -0.003568916115909815, 0.23276254534721375, 0.28342583775520325, \
	  0.42081600427627563, 0.12319453805685043, -0.004988941363990307, \
	  -0.013502356596291065, 0.2663153409957886, 0.18761031329631805, 0.06481730937957764, \
	  0.09448342025279999, 0.046026747673749924, 0.253822386264801, -0.04974628984928131, \
	  0.13687263429164886, 0.043389223515987396, 0.3689382076263428, 0.30728939175605774, \
	  0.24452081322669983, -0.0758904293179512, 0.34353065490722656, 0.4151645004749298, \
	  0.04450789839029312, 0.06570427119731903, -0.44943973422050476, -0.327647864818573, \
	  -0.21692484617233276, -0.06902731955051422, -0.5780481100082397, -0.5117877721786499, \
	  -0.4450041949748993, -0.3060777485370636, -0.24970364570617676, -0.3211296498775482, \
	  -0.6277250647544861, -0.5565943121910095, 0.1623532772064209, 0.2065581977367401, \
	  -0.3198557198047638, -0.3673240840435028, 0.24330183863639832, 0.1932244598865509, \
	  0.07786229252815247, 0.11259755492210388, 0.11737029254436493, 0.28674623370170593) \
	_(attention_causal, F32, D(2, 3, 4, 2), 1e-6, attention(c, true, false), 0, \
	  0.4794255495071411, 0, 0.4794255495071411, 0.8414709568023682, 0.9974949955940247, \
	  0.8414709568023682, 0.9974949955940247, 0.2054041624069214, 0.5063173770904541, \
	  0.6308029890060425, 0.5620112419128418, 0.4920095205307007, 0.3247304856777191, \
	  0.24340440332889557, -0.15387080609798431, -0.1729835718870163, -0.3028706908226013, \
	  0.19059722125530243, 0.0693495124578476, 0.05328812077641487, -0.2570109963417053, \
	  0.18949353694915771, 0.254877507686615, -0.5440211296081543, -0.8796957731246948, \
	  -0.5440211296081543, -0.8796957731246948, -0.9999902248382568, -0.8754521608352661, \
	  -0.9999902248382568, -0.8754521608352661, -0.5384409427642822, -0.2703130841255188, \
	  -0.5411386489868164, -0.5649164915084839, -0.6872650384902954, -0.5056765079498291, \
	  -0.11294585466384888, 0.17341573536396027, -0.21630388498306274, -0.2010732740163803, \
	  0.47167468070983887, 0.39917442202568054, 0.23286104202270508, 0.12454996258020401, \
	  0.28101134300231934, 0.3116774260997772) \
	_(attention_masked, F32, D(2, 3, 4, 2), 1e-6, attention(c, false, true), \
	  0.16770987212657928, 0.3184818923473358, -0.11927385628223419, 0.09119587391614914, \
	  0.21855436265468597, 0.16080406308174133, 0.4436005651950836, 0.2315361499786377, \
	  0.1724875271320343, 0.22279493510723114, 0.12038182467222214, -0.0028407257050275803, \
	  0.500296950340271, 0.2896905541419983, 0.21855436265468597, 0.16080406308174133, \
	  0.1724875271320343, 0.22279493510723114, 0, 0.4794255495071411, 0.2261437177658081, \
	  -0.08734487742185593, 0.41211849451065063, -0.07515112310647964, 0.08295188844203949, \
	  0.08175437897443771, -0.4296993613243103, -0.4010542631149292, -0.14821112155914307, \
	  -0.04705727845430374, -0.7373943328857422, -0.5649508833885193, -0.22577545046806335, \
	  -0.21307770907878876, -0.22942185401916504, -0.3057188391685486, -0.7657572031021118, \
	  -0.6972612142562866, -0.14821112155914307, -0.04705727845430374, -0.22577545046806335, \
	  -0.21307770907878876, -0.5440211296081543, -0.8796957731246948, 0.10303662717342377, \
	  0.11520512402057648, 0.14987720549106598, 0.605539858341217)

COMPARED(CASES)

/* counts of steps that are as large as an int, and done at once, or refused at once for the memory
 * that they take */
static void counts_of_steps(void **state)
{
	tsr_ctx *c = tsr_open(.log = log_nothing, .memory_limit = 1 << 24);
	tsr *line = tsr_ones(c, D(3));

	(void)state;
	assert_int_equal(tsr_size(tsr_polyder(line, INT_MAX)), 0);
	assert_int_equal(tsr_size(tsr_diff(line, .n = INT_MAX)), 0);
	assert_int_equal(tsr_status(c), TSR_OK);
	assert_true(tsr_is_poison(tsr_polyint(line, INT_MAX)));
	tsr_clear(c);
	assert_true(tsr_is_poison(tsr_multigammaln(line, INT_MAX)));
	assert_int_equal(tsr_status(c), TSR_ERROR_MEMORY);
	tsr_clear(c);
	assert_int_equal(tsr_close(c), TSR_OK);
}

static void mistakes(void **state)
{
	tsr_ctx *c = tsr_open(.log = log_nothing);
	tsr *x = tsr_ones(c, D(2, 3)), *line = tsr_ones(c, D(3)), *z = tsr_complex(x, 1), *out[2];
	const refusal made[] = {
		{tsr_is_poison(tsr_linspace(c, 0, 1, -1)), "linspace of less than nothing"},
		{tsr_is_poison(tsr_hanning(c, 3, .dtype = TSR_I32)), "a window of integers"},
		{tsr_is_poison(tsr_diff(x, .n = -1)), "diff less than never"},
		{tsr_is_poison(tsr_gradient(tsr_ones(c, D(1)), 0, 1.0)), "gradient of one"},
		{tsr_is_poison(tsr_gradient(line, 0, x)), "places of two dims"},
		{tsr_is_poison(tsr_unwrap(z)), "unwrap of complex numbers"},
		{tsr_is_poison(tsr_polyval(x, x)), "coefficients of two dims"},
		{tsr_is_poison(tsr_polyder(line, -1)), "less than no derivative"},
		{tsr_is_poison(tsr_multigammaln(line, 0)), "gamma functions of no matrices"},
		{tsr_is_poison(tsr_multigammaln(line, INT_MIN)), "of less than none"},
		{tsr_is_poison(tsr_fftfreq(c, INT64_MAX)), "frequencies that no array holds"},
		{tsr_is_poison(tsr_vander(line, INT64_MIN, false)), "powers of less than none"},
		{!tsr_histogram(line, INT64_MAX, out), "bins whose edges cannot be counted"},
		{tsr_is_poison(tsr_gcd(line, 2)), "gcd of floats"},
		{tsr_is_poison(tsr_ldexp(line, line)), "exponents that are floats"},
		{!tsr_frexp(z, out), "frexp of complex numbers"},
		{tsr_is_poison(tsr_choose(line, &x, 1, TSR_CLIP)), "choose by floats"},
		{tsr_is_poison(tsr_dot_product_attention(x, x, x)), "attention of two dims"},
	};

	(void)state;
	all_refused(c, made, COUNT(made));
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(as_jax_has_it),
	                                   cmocka_unit_test(counts_of_steps),
	                                   cmocka_unit_test(mistakes)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
