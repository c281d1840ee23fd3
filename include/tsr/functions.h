/* tsr/functions.h - mathematical functions that are written with the operations of ops.h, by the
 * formulas of jax.numpy and jax.scipy.special.
 *
 * As in ops.h operands are handles or C numbers, broadcast and promoted; functions of a real
 * variable take integers and bool as f32, integers of 64 bits as f64. Not complex, unless it is
 * said. Errors are those of ops.h.
 *
 *     tsr *near = tsr_logaddexp(a, tsr_log2(b)); */
/* Made by tools/make_headers.py of api/functions.h.in: change that one. */
/** @file */
#ifndef TSR_FUNCTIONS_H
#define TSR_FUNCTIONS_H
#include "ops.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Keywords of tsr_nan_to_num(). */
typedef struct tsr_nan_to_num_args {
	TSR_KEYWORDS_
	tsr_arg nan;            /**< what NaN becomes; 0 when not given */
	tsr_arg posinf, neginf; /**< what infinities become; the largest and the lowest number */
	TSR_KEYWORDS_END_
} tsr_nan_to_num_args;

/* ---- powers, logarithms, angles */

/** Angles in degrees, converted to radians: x pi / 180. Also complex. */
TSR_OP tsr *tsr_deg2rad_at(const char *where, tsr *x);
/** Angles in radians, converted to degrees: 180 x / pi. Also complex. */
TSR_OP tsr *tsr_rad2deg_at(const char *where, tsr *x);
/** The angle of a complex number, between -pi and pi; of real ones 0 or pi. */
TSR_OP tsr *tsr_angle_at(const char *where, tsr *x);
/** The logarithm of x to the base 2, a float: tsr_log2(x). Also complex. */
TSR_OP tsr *tsr_log2_at(const char *where, tsr *x);
/** The logarithm of x to the base 10, a float: tsr_log10(x). Also complex. */
TSR_OP tsr *tsr_log10_at(const char *where, tsr *x);
/** 1 / x for each element, in floats. Also complex. */
TSR_OP tsr *tsr_reciprocal_at(const char *where, tsr *x);
/** The absolute value |x| of each element, in floats. */
TSR_OP tsr *tsr_fabs_at(const char *where, tsr *x);
/** a to the power b for each pair of elements, in floats. Also complex. */
TSR_OP tsr *tsr_float_power_at(const char *where, const tsr_arg ab[2]);
/** sqrt(a^2 + b^2), which does not overflow on the way. */
TSR_OP tsr *tsr_hypot_at(const char *where, const tsr_arg ab[2]);
/** log(e^a + e^b), which does not overflow on the way. */
TSR_OP tsr *tsr_logaddexp_at(const char *where, const tsr_arg ab[2]);
/** log2(2^a + 2^b) for each pair of elements, which does not overflow on the way. */
TSR_OP tsr *tsr_logaddexp2_at(const char *where, const tsr_arg ab[2]);
/** sin(pi x) / (pi x); 1 at 0, with the derivatives there. Also complex. */
TSR_OP tsr *tsr_sinc_at(const char *where, tsr *x);

/* ---- quotients, remainders, whole numbers */

/** The largest whole number <= a / b, in the dtype of a and b; x / 0 is that of tsr_div() for
 * floats, and for integers one less where a < 0. tsr_floor_divide(x, 3) */
TSR_OP tsr *tsr_floor_divide_at(const char *where, const tsr_arg ab[2]);
/** What tsr_floor_divide() leaves, with the sign of b; of integers 0 for b = 0. */
TSR_OP tsr *tsr_remainder_at(const char *where, const tsr_arg ab[2]);
/** tsr_floor_divide() and tsr_remainder(), to out[0] and out[1]. false: both are poison. */
TSR_API bool tsr_divmod_at(const char *where, tsr_arg a, tsr_arg b, tsr *out[2]);
/** What a / b towards 0 leaves, with the sign of a; of integers 0 for b = 0. */
TSR_OP tsr *tsr_fmod_at(const char *where, const tsr_arg ab[2]);
/** The whole number next to x towards 0; integers are left as they are. */
TSR_OP tsr *tsr_trunc_at(const char *where, tsr *x);
/** The nearest whole number as a float, ties to even. Complex: each part. */
TSR_OP tsr *tsr_rint_at(const char *where, tsr *x);
/** The greatest common divisor of a and b, which is not negative; 0 where both are. Integers. It
 * has no derivative in reverse mode. */
TSR_OP tsr *tsr_gcd_at(const char *where, const tsr_arg ab[2]);
/** The least common multiple, not negative; 0 where a or b is. Integers. */
TSR_OP tsr *tsr_lcm_at(const char *where, const tsr_arg ab[2]);
/** The upper half of the bits of the product a b, in the dtype of a and b. Integers. */
TSR_OP tsr *tsr_mulhi_at(const char *where, const tsr_arg ab[2]);
/** x - trunc(x) and trunc(x), to out[0] and out[1]. false: both are poison. */
TSR_API bool tsr_modf_at(const char *where, tsr *x, tsr *out[2]);
/** How many bits of |x| are set, for each element, u8. Integers and bool. */
TSR_OP tsr *tsr_bitwise_count_at(const char *where, tsr *x);

/* ---- signs, NaN, infinities */

/** x as m 2^e with 1/2 <= |m| < 1: m to out[0], and e, i32, to out[1]; of 0, infinities and NaN x
 * and 0. false: both are poison. */
TSR_API bool tsr_frexp_at(const char *where, tsr *x, tsr *out[2]);
/** a 2^b for each pair of elements, a as floats and b of integers. Error (TSR_ERROR_TYPE): a b that
 * is not of integers. */
TSR_OP tsr *tsr_ldexp_at(const char *where, const tsr_arg ab[2]);
/** The distance from x to the number next to it, away from 0. */
TSR_OP tsr *tsr_spacing_at(const char *where, tsr *x);
/** Is the sign bit set? bool; of integers: is x < 0? */
TSR_OP tsr *tsr_signbit_at(const char *where, tsr *x);
/** |a| with the sign bit of b, for each pair of elements, in floats. */
TSR_OP tsr *tsr_copysign_at(const char *where, const tsr_arg ab[2]);
/** 0 where a < 0, 1 where a > 0, b where a is 0. */
TSR_OP tsr *tsr_heaviside_at(const char *where, const tsr_arg ab[2]);
/** Whether each element is infinite, in a part where it is complex: bool. Also complex. */
TSR_OP tsr *tsr_isinf_at(const char *where, tsr *x);
/** Whether each element is +infinite, a bool: tsr_isposinf(x). */
TSR_OP tsr *tsr_isposinf_at(const char *where, tsr *x);
/** Whether each element is -infinite, a bool: tsr_isneginf(x). */
TSR_OP tsr *tsr_isneginf_at(const char *where, tsr *x);
/** Whether the imaginary part of each element is other than 0: bool, false for real dtypes. Also
 * complex. */
TSR_OP tsr *tsr_iscomplex_at(const char *where, tsr *x);
/** Whether the imaginary part of each element is 0: bool, true for real dtypes. Also complex. */
TSR_OP tsr *tsr_isreal_at(const char *where, tsr *x);
/** The larger one of a and b, element by element; a number wins over NaN. */
TSR_OP tsr *tsr_fmax_at(const char *where, const tsr_arg ab[2]);
/** The smaller one of a and b, element by element; a number wins over NaN. */
TSR_OP tsr *tsr_fmin_at(const char *where, const tsr_arg ab[2]);
/** 0 for NaN, the largest and the lowest number of the dtype for infinities. Complex: each part.
 * tsr_nan_to_num(x, .nan = TSR_ARG(-1)) */
TSR_OP tsr *tsr_nan_to_num_at(const char *where, tsr *x, const tsr_nan_to_num_args *args);
/** |a - b| <= atol + rtol |b|, or a == b; bool. NaN is close to nothing. NumPy's usual numbers:
 * tsr_isclose(a, b, 1e-5, 1e-8). Also complex. */
TSR_OP tsr *tsr_isclose_at(const char *where, tsr_arg a, tsr_arg b, double rtol, double atol);
/** Whether one of a and b is other than 0 and the other is not, for each pair of elements: a bool.
 * Also complex. */
TSR_OP tsr *tsr_logical_xor_at(const char *where, const tsr_arg ab[2]);

/* ---- choices among the n arrays of a list */

/** The elements of the first of the n arrays whose condition is not 0, and `otherwise` where none
 * is: tsr_select(conditions, x, 2, 0). */
TSR_OP tsr *tsr_select_at(const char *where, tsr *const *conditions, tsr *const *x, size_t n,
                          tsr_arg otherwise);
/** The elements of array number i, integers, of n: moved to the nearest one with TSR_CLIP, modulo n
 * with TSR_WRAP. Error (TSR_ERROR_ARGUMENT): another mode. */
TSR_OP tsr *tsr_choose_at(const char *where, tsr *i, tsr *const *x, size_t n,
                          enum tsr_index_mode mode);

/* ---- the gamma and beta functions and their kin (jax.scipy.special) */

/** The gamma function; NaN at negative whole numbers. */
TSR_OP tsr *tsr_gamma_function_at(const char *where, tsr *x);
/** The sign of the gamma function; NaN at negative whole numbers. */
TSR_OP tsr *tsr_gammasgn_at(const char *where, tsr *x);
/** The logarithm of the gamma function, tsr_lgamma(x) for x > 0, else NaN. */
TSR_OP tsr *tsr_log_gamma_at(const char *where, tsr *x);
/** x! for each element, as gamma(x + 1); 0 where x is below 0. */
TSR_OP tsr *tsr_factorial_at(const char *where, tsr *x);
/** The beta function gamma(a) gamma(b) / gamma(a + b). */
TSR_OP tsr *tsr_beta_function_at(const char *where, const tsr_arg ab[2]);
/** The logarithm of the absolute value of tsr_beta_function(), for floats: tsr_betaln(a, b). */
TSR_OP tsr *tsr_betaln_at(const char *where, const tsr_arg ab[2]);
/** How many ways there are to choose b of a things; 0 outside. */
TSR_OP tsr *tsr_comb_at(const char *where, const tsr_arg ab[2]);
/** Pochhammer's symbol gamma(a + b) / gamma(a) for each pair of elements. */
TSR_OP tsr *tsr_poch_at(const char *where, const tsr_arg ab[2]);
/** The logarithm of the gamma function of d x d matrices: tsr_multigammaln(x, 3). Error
 * (TSR_ERROR_ARGUMENT): d is less than 1. */
TSR_OP tsr *tsr_multigammaln_at(const char *where, tsr *x, int d);
/** The modified Bessel function of the first kind and order 0 of x; tsr_bessel_i0e() does not
 * overflow. */
TSR_OP tsr *tsr_i0_at(const char *where, tsr *x);
/** The modified Bessel function of the first kind and order 1 of x; tsr_bessel_i1e() does not
 * overflow. */
TSR_OP tsr *tsr_i1_at(const char *where, tsr *x);
/** Box and Cox' transform (a^b - 1) / b for each pair of elements, and log(a) for b = 0. */
TSR_OP tsr *tsr_boxcox_at(const char *where, const tsr_arg ab[2]);
/** Box and Cox' transform of 1 + a, tsr_boxcox(1 + a, b), exact where a is near 0. */
TSR_OP tsr *tsr_boxcox1p_at(const char *where, const tsr_arg ab[2]);

/* ---- entropies and distributions (jax.scipy.special) */

/** a log(b) for each pair of elements; 0 where a is 0, unless b is NaN. */
TSR_OP tsr *tsr_xlogy_at(const char *where, const tsr_arg ab[2]);
/** a log(1 + b) for each pair of elements; 0 where a is 0, unless b is NaN. */
TSR_OP tsr *tsr_xlog1py_at(const char *where, const tsr_arg ab[2]);
/** The entropy -x log(x) for each element; 0 at 0, and -inf below 0. */
TSR_OP tsr *tsr_entr_at(const char *where, tsr *x);
/** The relative entropy a log(a / b) for each pair of elements; 0 for a = 0 and b >= 0, inf
 * outside. */
TSR_OP tsr *tsr_rel_entr_at(const char *where, const tsr_arg ab[2]);
/** Kullback and Leibler's divergence tsr_rel_entr(a, b) - a + b, for each pair of elements. */
TSR_OP tsr *tsr_kl_div_at(const char *where, const tsr_arg ab[2]);
/** log(x / (1 - x)) for each element, the inverse of tsr_logistic(). Also complex. */
TSR_OP tsr *tsr_logit_at(const char *where, tsr *x);
/** The normal distribution: the integral of its density up to x. */
TSR_OP tsr *tsr_ndtr_at(const char *where, tsr *x);
/** The logarithm of tsr_ndtr(), which does not underflow on the way. */
TSR_OP tsr *tsr_log_ndtr_at(const char *where, tsr *x);
/** The x with tsr_ndtr(x) = p; infinite at 0 and 1, NaN outside. */
TSR_OP tsr *tsr_ndtri_at(const char *where, tsr *p);

/* ---- the same without place and keywords: as values, and for debuggers */

/** tsr_deg2rad_at() as a value. */
TSR_OP tsr *tsr_deg2rad(tsr *x);
/** tsr_rad2deg_at() as a value. */
TSR_OP tsr *tsr_rad2deg(tsr *x);
/** tsr_angle_at() as a value. */
TSR_OP tsr *tsr_angle(tsr *x);
/** tsr_log2_at() as a value. */
TSR_OP tsr *tsr_log2(tsr *x);
/** tsr_log10_at() as a value. */
TSR_OP tsr *tsr_log10(tsr *x);
/** tsr_reciprocal_at() as a value. */
TSR_OP tsr *tsr_reciprocal(tsr *x);
/** tsr_fabs_at() as a value. */
TSR_OP tsr *tsr_fabs(tsr *x);
/** tsr_float_power_at() as a value. */
TSR_OP tsr *tsr_float_power(tsr *a, tsr *b);
/** tsr_hypot_at() as a value. */
TSR_OP tsr *tsr_hypot(tsr *a, tsr *b);
/** tsr_logaddexp_at() as a value. */
TSR_OP tsr *tsr_logaddexp(tsr *a, tsr *b);
/** tsr_logaddexp2_at() as a value. */
TSR_OP tsr *tsr_logaddexp2(tsr *a, tsr *b);
/** tsr_sinc_at() as a value. */
TSR_OP tsr *tsr_sinc(tsr *x);
/** tsr_floor_divide_at() as a value. */
TSR_OP tsr *tsr_floor_divide(tsr *a, tsr *b);
/** tsr_remainder_at() as a value. */
TSR_OP tsr *tsr_remainder(tsr *a, tsr *b);
/** tsr_divmod_at() as a value. */
TSR_API bool tsr_divmod(tsr *a, tsr *b, tsr *out[2]);
/** tsr_fmod_at() as a value. */
TSR_OP tsr *tsr_fmod(tsr *a, tsr *b);
/** tsr_trunc_at() as a value. */
TSR_OP tsr *tsr_trunc(tsr *x);
/** tsr_rint_at() as a value. */
TSR_OP tsr *tsr_rint(tsr *x);
/** tsr_gcd_at() as a value. */
TSR_OP tsr *tsr_gcd(tsr *a, tsr *b);
/** tsr_lcm_at() as a value. */
TSR_OP tsr *tsr_lcm(tsr *a, tsr *b);
/** tsr_mulhi_at() as a value. */
TSR_OP tsr *tsr_mulhi(tsr *a, tsr *b);
/** tsr_modf_at() as a value. */
TSR_API bool tsr_modf(tsr *x, tsr *out[2]);
/** tsr_bitwise_count_at() as a value. */
TSR_OP tsr *tsr_bitwise_count(tsr *x);
/** tsr_frexp_at() as a value. */
TSR_API bool tsr_frexp(tsr *x, tsr *out[2]);
/** tsr_ldexp_at() as a value. */
TSR_OP tsr *tsr_ldexp(tsr *a, tsr *b);
/** tsr_spacing_at() as a value. */
TSR_OP tsr *tsr_spacing(tsr *x);
/** tsr_signbit_at() as a value. */
TSR_OP tsr *tsr_signbit(tsr *x);
/** tsr_copysign_at() as a value. */
TSR_OP tsr *tsr_copysign(tsr *a, tsr *b);
/** tsr_heaviside_at() as a value. */
TSR_OP tsr *tsr_heaviside(tsr *a, tsr *b);
/** tsr_isinf_at() as a value. */
TSR_OP tsr *tsr_isinf(tsr *x);
/** tsr_isposinf_at() as a value. */
TSR_OP tsr *tsr_isposinf(tsr *x);
/** tsr_isneginf_at() as a value. */
TSR_OP tsr *tsr_isneginf(tsr *x);
/** tsr_iscomplex_at() as a value. */
TSR_OP tsr *tsr_iscomplex(tsr *x);
/** tsr_isreal_at() as a value. */
TSR_OP tsr *tsr_isreal(tsr *x);
/** tsr_fmax_at() as a value. */
TSR_OP tsr *tsr_fmax(tsr *a, tsr *b);
/** tsr_fmin_at() as a value. */
TSR_OP tsr *tsr_fmin(tsr *a, tsr *b);
/** tsr_nan_to_num_at() as a value. */
TSR_OP tsr *tsr_nan_to_num(tsr *x);
/** tsr_isclose_at() as a value. */
TSR_OP tsr *tsr_isclose(tsr *a, tsr *b, double rtol, double atol);
/** tsr_logical_xor_at() as a value. */
TSR_OP tsr *tsr_logical_xor(tsr *a, tsr *b);
/** tsr_select_at() as a value. */
TSR_OP tsr *tsr_select(tsr *const *conditions, tsr *const *x, size_t n, tsr *otherwise);
/** tsr_choose_at() as a value. */
TSR_OP tsr *tsr_choose(tsr *i, tsr *const *x, size_t n, enum tsr_index_mode mode);
/** tsr_gamma_function_at() as a value. */
TSR_OP tsr *tsr_gamma_function(tsr *x);
/** tsr_gammasgn_at() as a value. */
TSR_OP tsr *tsr_gammasgn(tsr *x);
/** tsr_log_gamma_at() as a value. */
TSR_OP tsr *tsr_log_gamma(tsr *x);
/** tsr_factorial_at() as a value. */
TSR_OP tsr *tsr_factorial(tsr *x);
/** tsr_beta_function_at() as a value. */
TSR_OP tsr *tsr_beta_function(tsr *a, tsr *b);
/** tsr_betaln_at() as a value. */
TSR_OP tsr *tsr_betaln(tsr *a, tsr *b);
/** tsr_comb_at() as a value. */
TSR_OP tsr *tsr_comb(tsr *a, tsr *b);
/** tsr_poch_at() as a value. */
TSR_OP tsr *tsr_poch(tsr *a, tsr *b);
/** tsr_multigammaln_at() as a value. */
TSR_OP tsr *tsr_multigammaln(tsr *x, int d);
/** tsr_i0_at() as a value. */
TSR_OP tsr *tsr_i0(tsr *x);
/** tsr_i1_at() as a value. */
TSR_OP tsr *tsr_i1(tsr *x);
/** tsr_boxcox_at() as a value. */
TSR_OP tsr *tsr_boxcox(tsr *a, tsr *b);
/** tsr_boxcox1p_at() as a value. */
TSR_OP tsr *tsr_boxcox1p(tsr *a, tsr *b);
/** tsr_xlogy_at() as a value. */
TSR_OP tsr *tsr_xlogy(tsr *a, tsr *b);
/** tsr_xlog1py_at() as a value. */
TSR_OP tsr *tsr_xlog1py(tsr *a, tsr *b);
/** tsr_entr_at() as a value. */
TSR_OP tsr *tsr_entr(tsr *x);
/** tsr_rel_entr_at() as a value. */
TSR_OP tsr *tsr_rel_entr(tsr *a, tsr *b);
/** tsr_kl_div_at() as a value. */
TSR_OP tsr *tsr_kl_div(tsr *a, tsr *b);
/** tsr_logit_at() as a value. */
TSR_OP tsr *tsr_logit(tsr *x);
/** tsr_ndtr_at() as a value. */
TSR_OP tsr *tsr_ndtr(tsr *x);
/** tsr_log_ndtr_at() as a value. */
TSR_OP tsr *tsr_log_ndtr(tsr *x);
/** tsr_ndtri_at() as a value. */
TSR_OP tsr *tsr_ndtri(tsr *p);
#ifdef __cplusplus
}
#endif

#ifdef TSR_MACROS_
#define tsr_deg2rad(x) tsr_deg2rad_at(TSR_HERE, x)
#define tsr_rad2deg(x) tsr_rad2deg_at(TSR_HERE, x)
#define tsr_angle(x) tsr_angle_at(TSR_HERE, x)
#define tsr_log2(x) tsr_log2_at(TSR_HERE, x)
#define tsr_log10(x) tsr_log10_at(TSR_HERE, x)
#define tsr_reciprocal(x) tsr_reciprocal_at(TSR_HERE, x)
#define tsr_fabs(x) tsr_fabs_at(TSR_HERE, x)
#define tsr_float_power(a, b) TSR_OPERANDS2_(tsr_float_power_at, TSR_PREFIX_, a, b)
#define tsr_hypot(a, b) TSR_OPERANDS2_(tsr_hypot_at, TSR_PREFIX_, a, b)
#define tsr_logaddexp(a, b) TSR_OPERANDS2_(tsr_logaddexp_at, TSR_PREFIX_, a, b)
#define tsr_logaddexp2(a, b) TSR_OPERANDS2_(tsr_logaddexp2_at, TSR_PREFIX_, a, b)
#define tsr_sinc(x) tsr_sinc_at(TSR_HERE, x)
#define tsr_floor_divide(a, b) TSR_OPERANDS2_(tsr_floor_divide_at, TSR_PREFIX_, a, b)
#define tsr_remainder(a, b) TSR_OPERANDS2_(tsr_remainder_at, TSR_PREFIX_, a, b)
#define tsr_divmod(a, b, out) TSR_DIVMOD_(TSR_PREFIX_, a, b, out)
#define TSR_DIVMOD_(v_, a, b, out) \
	__extension__({ TSR_LET_(v_, _0, a) TSR_LET_(v_, _1, b) tsr_divmod_at(TSR_HERE, \
		TSR_OPERAND_PICK_(TSR_CAT_(v_, _0)), TSR_OPERAND_PICK_(TSR_CAT_(v_, _1)), out); })
#define tsr_fmod(a, b) TSR_OPERANDS2_(tsr_fmod_at, TSR_PREFIX_, a, b)
#define tsr_trunc(x) tsr_trunc_at(TSR_HERE, x)
#define tsr_rint(x) tsr_rint_at(TSR_HERE, x)
#define tsr_gcd(a, b) TSR_OPERANDS2_(tsr_gcd_at, TSR_PREFIX_, a, b)
#define tsr_lcm(a, b) TSR_OPERANDS2_(tsr_lcm_at, TSR_PREFIX_, a, b)
#define tsr_mulhi(a, b) TSR_OPERANDS2_(tsr_mulhi_at, TSR_PREFIX_, a, b)
#define tsr_modf(x, out) tsr_modf_at(TSR_HERE, x, out)
#define tsr_bitwise_count(x) tsr_bitwise_count_at(TSR_HERE, x)
#define tsr_frexp(x, out) tsr_frexp_at(TSR_HERE, x, out)
#define tsr_ldexp(a, b) TSR_OPERANDS2_(tsr_ldexp_at, TSR_PREFIX_, a, b)
#define tsr_spacing(x) tsr_spacing_at(TSR_HERE, x)
#define tsr_signbit(x) tsr_signbit_at(TSR_HERE, x)
#define tsr_copysign(a, b) TSR_OPERANDS2_(tsr_copysign_at, TSR_PREFIX_, a, b)
#define tsr_heaviside(a, b) TSR_OPERANDS2_(tsr_heaviside_at, TSR_PREFIX_, a, b)
#define tsr_isinf(x) tsr_isinf_at(TSR_HERE, x)
#define tsr_isposinf(x) tsr_isposinf_at(TSR_HERE, x)
#define tsr_isneginf(x) tsr_isneginf_at(TSR_HERE, x)
#define tsr_iscomplex(x) tsr_iscomplex_at(TSR_HERE, x)
#define tsr_isreal(x) tsr_isreal_at(TSR_HERE, x)
#define tsr_fmax(a, b) TSR_OPERANDS2_(tsr_fmax_at, TSR_PREFIX_, a, b)
#define tsr_fmin(a, b) TSR_OPERANDS2_(tsr_fmin_at, TSR_PREFIX_, a, b)
#define tsr_nan_to_num(...) TSR_NAN_TO_NUM_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_NAN_TO_NUM_(v_, x, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_nan_to_num_args, v_, __VA_ARGS__) \
		tsr_nan_to_num_at(TSR_HERE, x, &v_); }))
#define tsr_isclose(a, b, rtol, atol) TSR_ISCLOSE_(TSR_PREFIX_, a, b, rtol, atol)
#define TSR_ISCLOSE_(v_, a, b, rtol, atol) \
	tsr_result_(__extension__({ TSR_LET_(v_, _0, a) TSR_LET_(v_, _1, b) \
		tsr_isclose_at(TSR_HERE, TSR_OPERAND_PICK_(TSR_CAT_(v_, _0)), \
		TSR_OPERAND_PICK_(TSR_CAT_(v_, _1)), rtol, atol); }))
#define tsr_logical_xor(a, b) TSR_OPERANDS2_(tsr_logical_xor_at, TSR_PREFIX_, a, b)
#define tsr_select(conditions, x, n, otherwise) \
	TSR_SELECT_(TSR_PREFIX_, conditions, x, n, otherwise)
#define TSR_SELECT_(v_, conditions, x, n, otherwise) \
	tsr_result_(__extension__({ TSR_LET_(v_, _3, otherwise) tsr_select_at(TSR_HERE, \
		conditions, x, n, TSR_OPERAND_PICK_(TSR_CAT_(v_, _3))); }))
#define tsr_choose(i, x, n, mode) tsr_choose_at(TSR_HERE, i, x, n, mode)
#define tsr_gamma_function(x) tsr_gamma_function_at(TSR_HERE, x)
#define tsr_gammasgn(x) tsr_gammasgn_at(TSR_HERE, x)
#define tsr_log_gamma(x) tsr_log_gamma_at(TSR_HERE, x)
#define tsr_factorial(x) tsr_factorial_at(TSR_HERE, x)
#define tsr_beta_function(a, b) TSR_OPERANDS2_(tsr_beta_function_at, TSR_PREFIX_, a, b)
#define tsr_betaln(a, b) TSR_OPERANDS2_(tsr_betaln_at, TSR_PREFIX_, a, b)
#define tsr_comb(a, b) TSR_OPERANDS2_(tsr_comb_at, TSR_PREFIX_, a, b)
#define tsr_poch(a, b) TSR_OPERANDS2_(tsr_poch_at, TSR_PREFIX_, a, b)
#define tsr_multigammaln(x, d) tsr_multigammaln_at(TSR_HERE, x, d)
#define tsr_i0(x) tsr_i0_at(TSR_HERE, x)
#define tsr_i1(x) tsr_i1_at(TSR_HERE, x)
#define tsr_boxcox(a, b) TSR_OPERANDS2_(tsr_boxcox_at, TSR_PREFIX_, a, b)
#define tsr_boxcox1p(a, b) TSR_OPERANDS2_(tsr_boxcox1p_at, TSR_PREFIX_, a, b)
#define tsr_xlogy(a, b) TSR_OPERANDS2_(tsr_xlogy_at, TSR_PREFIX_, a, b)
#define tsr_xlog1py(a, b) TSR_OPERANDS2_(tsr_xlog1py_at, TSR_PREFIX_, a, b)
#define tsr_entr(x) tsr_entr_at(TSR_HERE, x)
#define tsr_rel_entr(a, b) TSR_OPERANDS2_(tsr_rel_entr_at, TSR_PREFIX_, a, b)
#define tsr_kl_div(a, b) TSR_OPERANDS2_(tsr_kl_div_at, TSR_PREFIX_, a, b)
#define tsr_logit(x) tsr_logit_at(TSR_HERE, x)
#define tsr_ndtr(x) tsr_ndtr_at(TSR_HERE, x)
#define tsr_log_ndtr(x) tsr_log_ndtr_at(TSR_HERE, x)
#define tsr_ndtri(p) tsr_ndtri_at(TSR_HERE, p)
#endif

#endif
