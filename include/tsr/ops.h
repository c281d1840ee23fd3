/* tsr/ops.h - array operations: elementwise, products, layout, slices, indices, reductions, sorts.
 *
 * Inside a traced body an operation is recorded; outside it runs at once. Operands of elementwise
 * operations are handles or C numbers: tsr_mul(x, 0.5). They are broadcast by NumPy's rules (dims
 * are matched from the last one; a size of 1 repeats) and promoted by JAX's table, where C numbers
 * are weak: they take the dtype of the other operand, if that can hold numbers of their kind. A
 * result that is made of C numbers alone is weak too (tsr_is_weak()): bf16 times tsr_where(mask,
 * 1.0, 0.0) is bf16. Where all operands are C numbers, they belong to the context whose body is
 * being traced, or to the only one of this thread. An integer that does not fit the integer dtype
 * of the other operand is an error (TSR_ERROR_TYPE), except that a negative one wraps beside
 * unsigned integers. Reductions, tsr_astype() and makers of arrays give strong results. Functions
 * of a real variable take integers and bool as f32, integers of 64 bits as f64. docs/numerics.md
 * defines every result, sums included, to the bit.
 *
 *     tsr *y = tsr_add(tsr_mul(2, x), tsr_sum(x, .dims = TSR_DIMS(1), .keep = true));
 *
 * Dims may be counted from the end: -1 is the last one. A dim that is an argument is a number,
 * tsr_softmax(x, -1); a keyword that names dims takes a list, .dims where there may be several and
 * .dim where there is one: tsr_sum(x, .dims = TSR_DIMS(0)), tsr_argmax(x, .dim = TSR_DIMS(0)),
 * tsr_all_gather(x, "x", .dim = TSR_DIMS(1)). Errors of all: operands NULL, stale or of
 * different contexts (TSR_ERROR_HANDLE); dims and dtypes that do not fit, with both types
 * (TSR_ERROR_TYPE); a dim number, slice or size out of range (TSR_ERROR_ARGUMENT); operands
 * committed to different devices (TSR_ERROR_SHARDING). The result is then poison. On arrays that
 * span processes each of them is collective: every process makes the same call. */
/* Made by tools/make_headers.py of api/ops.h.in: change that one. */
/** @file */
#ifndef TSR_OPS_H
#define TSR_OPS_H
#include "context.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Keyword of tsr_round(). */
typedef struct tsr_round_args {
	TSR_KEYWORDS_
	int decimals; /**< how many are left; -1: whole tens */
	TSR_KEYWORDS_END_
} tsr_round_args;

/* ---- one operand: the dims of x, and its dtype unless said otherwise. tsr_exp(x) */

/** -x for each element, in the dtype of x; unsigned integers wrap. Not bool. */
TSR_OP tsr *tsr_neg_at(const char *where, tsr *x);
/** -1, 0 or 1 by the sign of x; NaN stays NaN; complex: x / |x|, 0 at 0. Not bool. */
TSR_OP tsr *tsr_sign_at(const char *where, tsr *x);
/** |x|; the smallest signed integer stays itself; complex gives the real dtype. */
TSR_OP tsr *tsr_abs_at(const char *where, tsr *x);
/** The largest whole number <= x; integers are left as they are. */
TSR_OP tsr *tsr_floor_at(const char *where, tsr *x);
/** The smallest whole number >= x; integers are left as they are. */
TSR_OP tsr *tsr_ceil_at(const char *where, tsr *x);
/** The nearest whole number, ties to even; integers are left as they are; complex: each part.
 * tsr_round(x, .decimals = 2) is tsr_round(100 x) / 100, and x itself if the dtype cannot hold the
 * power of ten. Error (TSR_ERROR_UNSUPPORTED): integers and negative decimals. */
TSR_OP tsr *tsr_round_at(const char *where, tsr *x, const tsr_round_args *args);
/** e to the power x, a float or a complex number: tsr_exp(x). */
TSR_OP tsr *tsr_exp_at(const char *where, tsr *x);
/** 2 to the power x for each element: tsr_exp2(x). */
TSR_OP tsr *tsr_exp2_at(const char *where, tsr *x);
/** e^x - 1 for each element, exact where x is near 0. */
TSR_OP tsr *tsr_expm1_at(const char *where, tsr *x);
/** The natural logarithm of x: -inf at 0, NaN below. */
TSR_OP tsr *tsr_log_at(const char *where, tsr *x);
/** log(1 + x) for each element, exact where x is near 0. */
TSR_OP tsr *tsr_log1p_at(const char *where, tsr *x);
/** The square root of x, rounded once; NaN below 0. */
TSR_OP tsr *tsr_sqrt_at(const char *where, tsr *x);
/** 1 / sqrt(x) for each element; infinite at 0, NaN below. */
TSR_OP tsr *tsr_rsqrt_at(const char *where, tsr *x);
/** x * x for each element, in the dtype of x; bool gives i32. */
TSR_OP tsr *tsr_square_at(const char *where, tsr *x);
/** The hyperbolic tangent of x, (e^x - e^-x) / (e^x + e^-x). */
TSR_OP tsr *tsr_tanh_at(const char *where, tsr *x);
/** The logistic function 1 / (1 + e^-x) of each element, also called sigmoid. */
TSR_OP tsr *tsr_logistic_at(const char *where, tsr *x);
/** The sine of each element of x, which is in radians. */
TSR_OP tsr *tsr_sin_at(const char *where, tsr *x);
/** The cosine of each element of x, which is in radians. */
TSR_OP tsr *tsr_cos_at(const char *where, tsr *x);
/** The tangent of each element of x, which is in radians. */
TSR_OP tsr *tsr_tan_at(const char *where, tsr *x);
/** The angle whose sine is x, in radians; NaN for |x| > 1. */
TSR_OP tsr *tsr_asin_at(const char *where, tsr *x);
/** The angle whose cosine is x, in radians; NaN for |x| > 1. */
TSR_OP tsr *tsr_acos_at(const char *where, tsr *x);
/** The angle whose tangent is x, in radians, between -pi/2 and pi/2. */
TSR_OP tsr *tsr_atan_at(const char *where, tsr *x);
/** The hyperbolic sine (e^x - e^-x) / 2 of each element of x. */
TSR_OP tsr *tsr_sinh_at(const char *where, tsr *x);
/** The hyperbolic cosine (e^x + e^-x) / 2 of each element of x. */
TSR_OP tsr *tsr_cosh_at(const char *where, tsr *x);
/** The inverse hyperbolic sine of x, log(x + sqrt(x^2 + 1)). */
TSR_OP tsr *tsr_asinh_at(const char *where, tsr *x);
/** The inverse hyperbolic cosine of x, log(x + sqrt(x^2 - 1)); NaN for x < 1. */
TSR_OP tsr *tsr_acosh_at(const char *where, tsr *x);
/** The inverse hyperbolic tangent of x, log((1 + x) / (1 - x)) / 2; NaN for |x| > 1. */
TSR_OP tsr *tsr_atanh_at(const char *where, tsr *x);
/** The cube root of x, negative where x is. Not complex. */
TSR_OP tsr *tsr_cbrt_at(const char *where, tsr *x);
/** The error function, 2 / sqrt(pi) times the integral of e^-t^2 from 0 to x. Not complex. */
TSR_OP tsr *tsr_erf_at(const char *where, tsr *x);
/** 1 - erf(x) for each element, exact where x is large. Not complex. */
TSR_OP tsr *tsr_erfc_at(const char *where, tsr *x);
/** The y with erf(y) = x; infinite at 1 and -1, NaN beyond. Not complex. */
TSR_OP tsr *tsr_erf_inv_at(const char *where, tsr *x);
/** log |gamma(x)|; inf at 0 and below at whole numbers. Not complex. */
TSR_OP tsr *tsr_lgamma_at(const char *where, tsr *x);
/** The derivative of log gamma(x); NaN at 0 and below at whole numbers. Not complex. */
TSR_OP tsr *tsr_digamma_at(const char *where, tsr *x);
/** The modified Bessel function of order 0, times e^-|x|. Not complex. */
TSR_OP tsr *tsr_bessel_i0e_at(const char *where, tsr *x);
/** The modified Bessel function of order 1, times e^-|x|. Not complex. */
TSR_OP tsr *tsr_bessel_i1e_at(const char *where, tsr *x);
/** Is x neither infinite nor NaN, in no part? bool. */
TSR_OP tsr *tsr_is_finite_at(const char *where, tsr *x);
/** Whether each element of x is a NaN, in any part: bool. */
TSR_OP tsr *tsr_isnan_at(const char *where, tsr *x);
/** x with every bit turned over, in the dtype of x; of bool: not x. Integers and bool only. */
TSR_OP tsr *tsr_bitwise_not_at(const char *where, tsr *x);
/** How many bits are set, in the dtype of x. Integers only. */
TSR_OP tsr *tsr_population_count_at(const char *where, tsr *x);
/** How many bits above the highest set one are 0, all of them for 0; in the dtype of x. Integers
 * only. */
TSR_OP tsr *tsr_clz_at(const char *where, tsr *x);
/** The real part, in the real dtype; what is not complex is left as it is. */
TSR_OP tsr *tsr_real_at(const char *where, tsr *x);
/** The imaginary part, in the real dtype; 0 of what is not complex. */
TSR_OP tsr *tsr_imag_at(const char *where, tsr *x);
/** The complex conjugate; what is not complex is left as it is. */
TSR_OP tsr *tsr_conj_at(const char *where, tsr *x);
/** x as a float with so many bits of exponent and mantissa would hold it, in the dtype of x: too
 * large numbers become infinite, those below the smallest normal one 0. bf16 of f32 x is
 * tsr_reduce_precision(x, 8, 7). Floats only. Error (TSR_ERROR_TYPE): exponent_bits < 1,
 * mantissa_bits < 0. */
TSR_OP tsr *tsr_reduce_precision_at(const char *where, tsr *x, int exponent_bits,
                                    int mantissa_bits);
/** The bits of x as numbers of another dtype. Narrower ones are in a new last dim, the lowest
 * bits first; wider ones take the last dim of x, whose size must be how many make one
 * (TSR_ERROR_TYPE): f32[3] as TSR_U16 is u16[3,2], and back. Not bool, not complex.
 * tsr_bitcast_convert_type(x, TSR_U32) */
TSR_OP tsr *tsr_bitcast_convert_type_at(const char *where, tsr *x, tsr_dtype dtype);
/** Whether each element of x is 0 (false): x == 0, a bool. */
TSR_OP tsr *tsr_logical_not_at(const char *where, tsr *x);
/** max(x, 0), with the derivative 0 at 0 and at NaN; NaN stays NaN. Not complex. */
TSR_OP tsr *tsr_relu_at(const char *where, tsr *x);
/** x itself, as a handle of its own in the innermost scope: jnp's copy. */
TSR_OP tsr *tsr_copy_at(const char *where, tsr *x);
/** x itself, which derivatives treat as a constant: tsr_stop_gradient(targets). */
TSR_OP tsr *tsr_stop_gradient_at(const char *where, tsr *x);
/** The dims of x in reverse order: a matrix is transposed. */
TSR_OP tsr *tsr_t_at(const char *where, tsr *x);
/** All elements of x, row-major, in one dim: [size]. */
TSR_OP tsr *tsr_ravel_at(const char *where, tsr *x);
/** x^n by repeated squaring; n < 0: 1 / x^-n, not for integers. tsr_integer_pow(x, 3) */
TSR_OP tsr *tsr_integer_pow_at(const char *where, tsr *x, int n);
/** x as another dtype: tsr_astype(x, TSR_F16). Float to integer truncates and saturates, NaN gives
 * 0; to bool is x != 0; integer to integer wraps; complex to real drops the imaginary part. */
TSR_OP tsr *tsr_astype_at(const char *where, tsr *x, tsr_dtype dtype);

/* ---- two operands, handles or C numbers: ab[0] is a, ab[1] is b. tsr_add(a, b) */

/** a + b for each pair of elements, in their common dtype; of bool: or. */
TSR_OP tsr *tsr_add_at(const char *where, const tsr_arg ab[2]);
/** a - b for each pair of elements, in their common dtype. Not bool. */
TSR_OP tsr *tsr_sub_at(const char *where, const tsr_arg ab[2]);
/** a * b for each pair of elements, in their common dtype; of bool: and. */
TSR_OP tsr *tsr_mul_at(const char *where, const tsr_arg ab[2]);
/** a / b; integers and bool become f32, integers of 64 bits f64. */
TSR_OP tsr *tsr_div_at(const char *where, const tsr_arg ab[2]);
/** The remainder of a / b with the sign of a, as C's fmod; integers: x rem 0 = x; bool gives
 * i32. */
TSR_OP tsr *tsr_rem_at(const char *where, const tsr_arg ab[2]);
/** a to the power of b; 1 where b is 0. A b that is a C integer: as tsr_integer_pow(a, b). Integers
 * to integer powers stay in their dtype (bool in i32) and are computed by repeated squaring, which
 * uses the six lowest bits of b. Floats and complex numbers take an integer b of any dtype; the
 * derivative is 0 where b is 0. */
TSR_OP tsr *tsr_pow_at(const char *where, const tsr_arg ab[2]);
/** The angle between -pi and pi of the point with the coordinates (b, a). Not complex. */
TSR_OP tsr *tsr_atan2_at(const char *where, const tsr_arg ab[2]);
/** Hurwitz's zeta function, the sum of (b + n)^-a for n = 0, 1, ...; a > 1. Not complex; it has no
 * derivative. */
TSR_OP tsr *tsr_zeta_at(const char *where, const tsr_arg ab[2]);
/** Derivative a, a whole number from 0 on, of digamma at b > 0. Not complex; no derivative by a. */
TSR_OP tsr *tsr_polygamma_at(const char *where, const tsr_arg ab[2]);
/** The share of gamma(a) that the integral of t^(a - 1) e^-t from 0 to b gives; a, b >= 0, else
 * NaN. Not complex. */
TSR_OP tsr *tsr_igamma_at(const char *where, const tsr_arg ab[2]);
/** 1 - tsr_igamma(a, b), exact where that is near 1. */
TSR_OP tsr *tsr_igammac_at(const char *where, const tsr_arg ab[2]);
/** The derivative of tsr_igamma() by a. It has none itself. */
TSR_OP tsr *tsr_igamma_grad_a_at(const char *where, const tsr_arg ab[2]);
/** The derivative by a of the b at which tsr_igamma() is what it is: that of a sample of a gamma
 * distribution by its shape. It has none itself. */
TSR_OP tsr *tsr_random_gamma_grad_at(const char *where, const tsr_arg ab[2]);
/** The number next to a, of those that the dtype has, on the way to b; b where they are equal. Not
 * complex; it has no derivative. */
TSR_OP tsr *tsr_nextafter_at(const char *where, const tsr_arg ab[2]);
/** Complex numbers a + bi, c64 of f32 and c128 of f64: tsr_complex(a, b). */
TSR_OP tsr *tsr_complex_at(const char *where, const tsr_arg ab[2]);
/** The larger one of a and b, element by element; NaN wins. Complex: by real part, then imaginary
 * part; a NaN in any part gives one in both. */
TSR_OP tsr *tsr_maximum_at(const char *where, const tsr_arg ab[2]);
/** The smaller one of a and b, element by element; NaN wins. Complex: as tsr_maximum(). */
TSR_OP tsr *tsr_minimum_at(const char *where, const tsr_arg ab[2]);
/** a & b for each pair of elements, in their common dtype; integers and bool. */
TSR_OP tsr *tsr_bitwise_and_at(const char *where, const tsr_arg ab[2]);
/** a | b for each pair of elements, in their common dtype; integers and bool. */
TSR_OP tsr *tsr_bitwise_or_at(const char *where, const tsr_arg ab[2]);
/** a ^ b for each pair of elements, in their common dtype; integers and bool. */
TSR_OP tsr *tsr_bitwise_xor_at(const char *where, const tsr_arg ab[2]);
/** a << b; 0 where b is not within 0 .. bits - 1. Integers. */
TSR_OP tsr *tsr_shift_left_at(const char *where, const tsr_arg ab[2]);
/** a >> b, arithmetic for signed and logical for unsigned integers; where b is not within 0 .. bits
 * - 1 all bits are copies of the sign, or 0. */
TSR_OP tsr *tsr_shift_right_at(const char *where, const tsr_arg ab[2]);
/** Whether a == b, for each pair of elements, a bool: tsr_eq(x, 0). */
TSR_OP tsr *tsr_eq_at(const char *where, const tsr_arg ab[2]);
/** Whether a != b, for each pair of elements, a bool: tsr_ne(x, 0). NaN differs from
 * everything. */
TSR_OP tsr *tsr_ne_at(const char *where, const tsr_arg ab[2]);
/** Whether a < b, for each pair of elements, a bool: tsr_lt(x, 0). Not complex, as the next
 * three. */
TSR_OP tsr *tsr_lt_at(const char *where, const tsr_arg ab[2]);
/** Whether a <= b, for each pair of elements, a bool: tsr_le(x, 0). */
TSR_OP tsr *tsr_le_at(const char *where, const tsr_arg ab[2]);
/** Whether a > b, for each pair of elements, a bool: tsr_gt(x, 0). */
TSR_OP tsr *tsr_gt_at(const char *where, const tsr_arg ab[2]);
/** Whether a >= b, for each pair of elements, a bool: tsr_ge(x, 0). */
TSR_OP tsr *tsr_ge_at(const char *where, const tsr_arg ab[2]);
/** Whether a and b are other than 0, for each pair of elements: a bool. */
TSR_OP tsr *tsr_logical_and_at(const char *where, const tsr_arg ab[2]);
/** Whether a or b is other than 0, for each pair of elements: a bool. */
TSR_OP tsr *tsr_logical_or_at(const char *where, const tsr_arg ab[2]);
/** a b + c, rounded once; f16 and bf16 are computed in f32. Not complex. abc: a, b, c. */
TSR_OP tsr *tsr_fma_at(const char *where, const tsr_arg abc[3]);
/** The share of the beta function of a and b that the integral of t^(a - 1) (1 - t)^(b - 1) from 0
 * to c gives; a, b >= 0 and c between 0 and 1, else NaN. Not complex; no derivative by a and b.
 * abc: a, b, c. */
TSR_OP tsr *tsr_betainc_at(const char *where, const tsr_arg abc[3]);
/** a where c is not 0, otherwise b; the dtype is that of a and b. abc: c, a, b. tsr_where(tsr_gt(x,
 * 0), x, 0.0) */
TSR_OP tsr *tsr_where_at(const char *where, const tsr_arg cab[3]);
/** min(max(x, low), high); TSR_NONE is no bound. tsr_clamp(0, x, 1), tsr_clamp(0, x, TSR_NONE) */
TSR_OP tsr *tsr_clamp_at(const char *where, tsr_arg low, tsr_arg x, tsr_arg high);

/* ---- products of arrays; 16-bit floats are summed in f32, integers wrap */

/** Keywords of tsr_dot_general(): dims of a and b in pairs. */
typedef struct tsr_dot_args {
	TSR_KEYWORDS_
	tsr_dims contract_a, contract_b; /**< summed over */
	tsr_dims batch_a, batch_b;       /**< kept, one product for each index */
	tsr_dtype dtype;                 /**< of the result; the promoted one when not given */
	/** how exact products of f32 are; not given: what tsr_open() was given */
	TSR_ADDED_ tsr_precision precision;
	TSR_KEYWORDS_END_
} tsr_dot_args;

/** Keywords of tsr_dot() and tsr_matmul(). */
typedef struct tsr_product_args {
	TSR_KEYWORDS_
	tsr_dtype dtype; /**< of the result; the promoted one when not given */
	/** how exact products of f32 are; not given: what tsr_open() was given */
	TSR_ADDED_ tsr_precision precision;
	TSR_KEYWORDS_END_
} tsr_product_args;

/** NumPy's dot: a scalar multiplies; otherwise the last dim of a with the last but one (or only)
 * dim of b. tsr_dot(a, b, .dtype = TSR_F32) */
TSR_OP tsr *tsr_dot_at(const char *where, tsr *a, tsr *b, const tsr_product_args *args);
/** NumPy's matmul: products of the last two dims, dims before them broadcast; one dim is a row (a)
 * or a column (b). No scalars. tsr_matmul(a, b) */
TSR_OP tsr *tsr_matmul_at(const char *where, tsr *a, tsr *b, const tsr_product_args *args);
/** Dims of the result: batch, then the others of a, then the others of b. tsr_dot_general(a, b,
 * .contract_a = TSR_DIMS(1), .contract_b = TSR_DIMS(0)). Products are summed in the wider of two
 * dtypes, that of the operands and that of the result, and rounded once. Error (TSR_ERROR_TYPE): a
 * .dtype that is narrower than operands that are not floats. */
TSR_OP tsr *tsr_dot_general_at(const char *where, tsr *a, tsr *b, const tsr_dot_args *args);

/* ---- layout */

/** Keyword of tsr_transpose(). */
typedef struct tsr_transpose_args {
	TSR_KEYWORDS_
	tsr_dims perm; /**< dim d of the result is dim perm[d] of x; reversed when not given */
	TSR_KEYWORDS_END_
} tsr_transpose_args;

/** Keyword of tsr_pad(). */
typedef struct tsr_pad_args {
	TSR_KEYWORDS_
	tsr_dims interior; /**< how many between two elements, one a dim; 0 when not given */
	TSR_KEYWORDS_END_
} tsr_pad_args;

/** Keyword of tsr_split(). */
typedef struct tsr_split_args {
	TSR_KEYWORDS_
	/** Where the second part begins, the third, and so on: with 2, 5 the parts are x[:2],
	 * x[2:5], x[5:]. Not given: parts of equal size. */
	tsr_dims indices;
	TSR_KEYWORDS_END_
} tsr_split_args;

/** The elements of x, row-major, with other dims; one of them may be -1, and is then computed from
 * the rest. tsr_reshape(x, TSR_DIMS(2, -1)) */
TSR_OP tsr *tsr_reshape_at(const char *where, tsr *x, tsr_dims dims);
/** Dims in another order: tsr_transpose(x, .perm = TSR_DIMS(0, 2, 1)). */
TSR_OP tsr *tsr_transpose_at(const char *where, tsr *x, const tsr_transpose_args *args);
/** x repeated to these dims by the rules of broadcasting: tsr_broadcast_to(x, TSR_DIMS(4, 3)). */
TSR_OP tsr *tsr_broadcast_to_at(const char *where, tsr *x, tsr_dims dims);
/** x repeated to these dims; dim d of x becomes dim at[d], which must be of the same size, or x's
 * 1; `at` increases. tsr_broadcast_in_dim(x, TSR_DIMS(4, 3), TSR_DIMS(0)) */
TSR_OP tsr *tsr_broadcast_in_dim_at(const char *where, tsr *x, tsr_dims dims, tsr_dims at);
/** x without these dims, which must be of size 1; if not given, (tsr_dims){{0}}, without all dims
 * of size 1. tsr_squeeze(x, TSR_DIMS(0)) */
TSR_OP tsr *tsr_squeeze_at(const char *where, tsr *x, tsr_dims dims);
/** With new dims of size 1, which are these dims of the result: tsr_expand_dims(x, TSR_DIMS(0,
 * -1)). */
TSR_OP tsr *tsr_expand_dims_at(const char *where, tsr *x, tsr_dims dims);
/** Elements in reverse order along these dims: tsr_flip(x, TSR_DIMS(0)). */
TSR_OP tsr *tsr_flip_at(const char *where, tsr *x, tsr_dims dims);
/** Joins arrays along a dim. The other dims must agree; dtypes are promoted. Along TSR_FLAT arrays
 * of any dims are joined, each ravelled first. tsr_concatenate(0, a, b, c) */
TSR_OP tsr *tsr_concatenate_at(const char *where, int dim, tsr *const *x, size_t n);
/** Arrays of the same dims along a new dim, dim `dim` of the result: tsr_stack(0, a, b). */
TSR_OP tsr *tsr_stack_at(const char *where, int dim, tsr *const *x, size_t n);
/** n parts along a dim, into out: tsr *half[2]; tsr_split(x, 0, half, 2), or tsr *part[3];
 * tsr_split(x, 0, part, 3, .indices = TSR_DIMS(2, 5)). Errors: n does not divide the dim
 * (TSR_ERROR_TYPE); indices that are not ascending within the dim, or not n - 1 in number
 * (TSR_ERROR_ARGUMENT). false on failure: all of out is poison. */
TSR_API bool tsr_split_at(const char *where, tsr *x, int dim, tsr **out, size_t n,
                          const tsr_split_args *args);
/** x with low[d] and high[d] elements of this number before and behind dim d; negative ones take
 * elements away. tsr_pad(x, TSR_DIMS(1, 0), TSR_DIMS(1, 0), 0) */
TSR_OP tsr *tsr_pad_at(const char *where, tsr *x, tsr_dims low, tsr_dims high, tsr_arg number,
                       const tsr_pad_args *args);

/* ---- slices */

/** Keyword of tsr_slice_strided(). */
typedef struct tsr_slice_args {
	TSR_KEYWORDS_
	tsr_dims steps; /**< one a dim; 1 when not given; a negative one goes down */
	TSR_KEYWORDS_END_
} tsr_slice_args;

/** Elements start .. stop - 1 of a dim, as Python's x[start:stop]: negative ones count from the
 * end, those out of range are cut to the dim, and TSR_END is the end. tsr_slice(x, 0, 1,
 * TSR_END) */
TSR_OP tsr *tsr_slice_at(const char *where, tsr *x, int dim, int64_t start, int64_t stop);
/** The elements from start to stop in all dims at once, with steps: tsr_slice_strided(x,
 * TSR_DIMS(0, 0), TSR_DIMS(8, TSR_END), .steps = TSR_DIMS(2, 1)). A negative step goes down from
 * start and ends before stop, where TSR_BEGIN is before the first element: Python's x[::-1] is
 * tsr_slice_strided(x, TSR_DIMS(TSR_END), TSR_DIMS(TSR_BEGIN), .steps = TSR_DIMS(-1)). Error
 * (TSR_ERROR_ARGUMENT): a step of 0. */
TSR_OP tsr *tsr_slice_strided_at(const char *where, tsr *x, tsr_dims starts, tsr_dims stops,
                                 const tsr_slice_args *args);
/** Element i of a dim, which is dropped; negative from the end: tsr_index(x, 0, -1). Error
 * (TSR_ERROR_ARGUMENT): i out of range. */
TSR_OP tsr *tsr_index_at(const char *where, tsr *x, int dim, int64_t i);
/** `size` elements of a dim from a start that is computed, an integer scalar or a C number.
 * Negative starts count from the end; then a start is moved so that the slice is within x.
 * tsr_dynamic_slice(x, 0, i, 2) */
TSR_OP tsr *tsr_dynamic_slice_at(const char *where, tsr *x, int dim, tsr_arg start, int64_t size);
/** x with `update` in place of elements of a dim, from a start that is computed as in
 * tsr_dynamic_slice(). update has the dims of x except this one, and is converted to the dtype of
 * x. tsr_dynamic_update(x, row, 0, i) */
TSR_OP tsr *tsr_dynamic_update_at(const char *where, tsr *x, tsr *update, int dim, tsr_arg start);
/** The part of x of these sizes, from starts that are computed, one a dim, each as in
 * tsr_dynamic_slice(): tsr_dynamic_slice_dims(x, TSR_DIMS(2, 3), i, 0). */
TSR_OP tsr *tsr_dynamic_slice_dims_at(const char *where, tsr *x, tsr_dims sizes,
                                      const tsr_arg *starts, size_t n);
/** x with part of it replaced by `update`, which has as many dims, from computed starts, one for
 * each dim: tsr_dynamic_update_dims(x, block, i, j). */
TSR_OP tsr *tsr_dynamic_update_dims_at(const char *where, tsr *x, tsr *update,
                                       const tsr_arg *starts, size_t n);
/** Element i of a dim, which is dropped; i is computed, and moved as in tsr_dynamic_slice().
 * tsr_dynamic_index(x, 0, i) */
TSR_OP tsr *tsr_dynamic_index_at(const char *where, tsr *x, int dim, tsr_arg i);

/* ---- elements at indices that an array holds. Further errors: indices that are no integers
 * (TSR_ERROR_TYPE), a .mode or .combine that is none (TSR_ERROR_ARGUMENT) */

/** What becomes of indices, or of windows, that are not in x. */
enum tsr_index_mode {
	/** taken, they are NaN, the lowest signed or the highest unsigned integer, or true; put
	 * there, an update is dropped */
	TSR_FILL_OR_DROP = 0,
	TSR_CLIP = 1, /**< moved to the nearest place that is */
	TSR_WRAP = 2, /**< modulo the size of the dim; not with windows */
	/** there are none, says the caller; if there are, what is taken is moved and updates are
	 * dropped */
	TSR_PROMISE_IN_BOUNDS = 3
};

/** Keywords of tsr_take(), tsr_take_along() and tsr_at_set() with its kin. */
typedef struct tsr_index_args {
	TSR_KEYWORDS_
	enum tsr_index_mode mode;
	bool indices_are_sorted; /**< a hint */
	bool unique_indices;     /**< no two are equal: needed by derivatives of tsr_at_mul() */
	TSR_KEYWORDS_END_
} tsr_index_args;

/** How updates are combined with elements of x, one after the other, row-major by their
 * indices. */
enum tsr_combine {
	TSR_COMBINE_SET = 0, /**< the last one stays */
	TSR_COMBINE_ADD = 1, /**< not bool, as products */
	TSR_COMBINE_MUL = 2,
	TSR_COMBINE_MIN = 3,
	TSR_COMBINE_MAX = 4
};

/** Keywords of tsr_gather(): JAX's GatherDimensionNumbers. */
typedef struct tsr_gather_args {
	TSR_KEYWORDS_
	tsr_dims offset_dims;          /**< dims of the result that go through a window */
	tsr_dims collapsed_slice_dims; /**< dims of x, of slice size 1, that the result has not */
	tsr_dims start_index_map;      /**< by entry of an index vector: the dim of x */
	tsr_dims operand_batching_dims, start_indices_batching_dims; /**< in step, in pairs */
	enum tsr_index_mode mode;
	bool indices_are_sorted, unique_indices;
	TSR_KEYWORDS_END_
} tsr_gather_args;

/** Keywords of tsr_scatter(): JAX's ScatterDimensionNumbers. */
typedef struct tsr_scatter_args {
	TSR_KEYWORDS_
	tsr_dims update_window_dims;   /**< dims of the updates that go through a window */
	tsr_dims inserted_window_dims; /**< dims of x in which a window has size 1, and the updates
	                                * have none */
	tsr_dims scatter_dims_to_operand_dims; /**< by entry of an index vector: the dim of x */
	tsr_dims operand_batching_dims, scatter_indices_batching_dims; /**< in step, in pairs */
	enum tsr_combine combine;
	enum tsr_index_mode mode;
	bool indices_are_sorted, unique_indices;
	TSR_KEYWORDS_END_
} tsr_scatter_args;

/** jnp's take: the elements of a dim at `indices`, an array whose dims replace that
 * dim; along TSR_FLAT x is ravelled first. Negative indices count from the end, but with TSR_CLIP
 * and TSR_PROMISE_IN_BOUNDS. tsr_take(table, 0, words), tsr_take(x, 1, i, .mode = TSR_CLIP). Error
 * (TSR_ERROR_ARGUMENT): some of a dim without elements. */
TSR_OP tsr *tsr_take_at(const char *where, tsr *x, int dim, tsr *indices,
                        const tsr_index_args *args);
/** jnp's take_along_axis: of each row along a dim the elements at the indices of its own. Other
 * dims of x and the indices broadcast together, so both have as many. Negative indices count from
 * the end, but with TSR_PROMISE_IN_BOUNDS. tsr_take_along(x, -1, i) */
TSR_OP tsr *tsr_take_along_at(const char *where, tsr *x, int dim, tsr *indices,
                              const tsr_index_args *args);
/** jnp's x.at[..., indices, ...].set(updates): x with the elements of a dim at `indices` replaced.
 * The updates, an array or a C number, are converted to the dtype of x and broadcast to what
 * tsr_take() would give; where two go to one place, the last one, row-major by index, stays.
 * Negative indices count from the end. tsr_at_set(x, 0, i, 0.0) */
TSR_OP tsr *tsr_at_set_at(const char *where, tsr *x, int dim, tsr *indices, tsr_arg updates,
                          const tsr_index_args *args);
/** jnp's x.at[..., indices, ...].add(updates): x with the updates added, each of those that go to
 * one place: tsr_at_add(x, 0, i, 1). Not bool. Otherwise as tsr_at_set(). */
TSR_OP tsr *tsr_at_add_at(const char *where, tsr *x, int dim, tsr *indices, tsr_arg updates,
                          const tsr_index_args *args);
/** jnp's x.at[..., indices, ...].multiply(updates): x multiplied by the updates, by each of those
 * that go to one place: tsr_at_mul(x, 0, i, 2). Not bool. Otherwise as tsr_at_set(). */
TSR_OP tsr *tsr_at_mul_at(const char *where, tsr *x, int dim, tsr *indices, tsr_arg updates,
                          const tsr_index_args *args);
/** jnp's x.at[..., indices, ...].min(updates): the smallest of x and the updates that go to one
 * place, as tsr_minimum(). Otherwise as tsr_at_set(). */
TSR_OP tsr *tsr_at_min_at(const char *where, tsr *x, int dim, tsr *indices, tsr_arg updates,
                          const tsr_index_args *args);
/** jnp's x.at[..., indices, ...].max(updates): the largest of x and the updates that go to one
 * place, as tsr_maximum(). Otherwise as tsr_at_set(). */
TSR_OP tsr *tsr_at_max_at(const char *where, tsr *x, int dim, tsr *indices, tsr_arg updates,
                          const tsr_index_args *args);
/** lax.gather: windows of x of these sizes, which start at the index vectors that are the last dim
 * of the indices. Rows of a matrix: tsr_gather(x, tsr_expand_dims(i, TSR_DIMS(-1)), TSR_DIMS(1, 4),
 * .offset_dims = TSR_DIMS(1), .collapsed_slice_dims = TSR_DIMS(0), .start_index_map = TSR_DIMS(0)).
 * Indices are taken as they are; the mode is TSR_FILL_OR_DROP when not given. */
TSR_OP tsr *tsr_gather_at(const char *where, tsr *x, tsr *indices, tsr_dims slice_sizes,
                          const tsr_gather_args *args);
/** lax.scatter and its kin: x with the updates combined with its windows, which start at the index
 * vectors that are the last dim of the indices. x and updates have one dtype. */
TSR_OP tsr *tsr_scatter_at(const char *where, tsr *x, tsr *indices, tsr *updates,
                           const tsr_scatter_args *args);

/* ---- reductions. tsr_sum(x), tsr_sum(x, .dims = TSR_DIMS(-1), .keep = true),
 * tsr_max(x, .where = tsr_gt(x, 0), .initial = TSR_ARG(0)). Further errors: a .where that is not
 * bool or does not broadcast to x, an .initial with dims (TSR_ERROR_TYPE) */

/** Keywords of tsr_max() and tsr_min(). The first three are those of all reductions. */
typedef struct tsr_reduce_args {
	TSR_KEYWORDS_
	tsr_dims dims;   /**< reduced over; all when not given */
	bool keep;       /**< they stay, with size 1 */
	tsr *where;      /**< bool, broadcast to x: only elements where it is true count */
	tsr_arg initial; /**< one more element, a scalar: TSR_ARG(0) or TSR_ARG(y); required with
	                      .where */
	TSR_KEYWORDS_END_
} tsr_reduce_args;

/** Keywords of tsr_sum() and tsr_prod(). */
typedef struct tsr_sum_args {
	TSR_KEYWORDS_
	tsr_dims dims;
	bool keep;
	tsr *where;
	tsr_arg initial; /**< one more element, a scalar: TSR_ARG(1) or TSR_ARG(y) */
	tsr_dtype dtype; /**< elements are converted to it first, as tsr_astype() does */
	TSR_KEYWORDS_END_
} tsr_sum_args;

/** Keywords of tsr_mean(). */
typedef struct tsr_mean_args {
	TSR_KEYWORDS_
	tsr_dims dims;
	bool keep;
	tsr *where;
	tsr_dtype dtype; /**< as in tsr_sum_args; for an integer dtype the quotient is truncated */
	TSR_KEYWORDS_END_
} tsr_mean_args;

/** Keywords of tsr_all() and tsr_any(). */
typedef struct tsr_all_args {
	TSR_KEYWORDS_
	tsr_dims dims;
	bool keep;
	tsr *where;
	TSR_KEYWORDS_END_
} tsr_all_args;

/** Keywords of tsr_reduce_and() and its kin, and of reductions of statistics.h. */
typedef struct tsr_dims_args {
	TSR_KEYWORDS_
	tsr_dims dims;
	bool keep;
	TSR_KEYWORDS_END_
} tsr_dims_args;

/** Keywords of tsr_logsumexp(). */
typedef struct tsr_logsumexp_args {
	TSR_KEYWORDS_
	tsr_dims dims;
	bool keep;
	tsr *where;
	tsr_arg b;  /**< factors of the e^x, broadcast with x: TSR_ARG(0.5), TSR_ARG(y) */
	tsr **sign; /**< receives the sign of the sum; the result is then the log of its absolute
	                 value */
	TSR_KEYWORDS_END_
} tsr_logsumexp_args;

/** Keywords of tsr_argmax() and tsr_argmin(). */
typedef struct tsr_arg_args {
	TSR_KEYWORDS_
	tsr_dims dim; /**< one dim; all when not given, and the index then counts row-major */
	bool keep;    /**< the dims stay, with size 1 */
	tsr_dtype dtype; /**< of the index, an integer one; when not given i32, or i64 where the
	                  * dim needs it */
	TSR_KEYWORDS_END_
} tsr_arg_args;

/** The sum of the elements along dims: tsr_sum(x, .dims = TSR_DIMS(1)). Integers narrower than 32
 * bits and bool are summed in i32 (unsigned ones in u32); f16 and bf16 in f32, rounded once. Of no
 * elements: 0. */
TSR_OP tsr *tsr_sum_at(const char *where, tsr *x, const tsr_sum_args *args);
/** The product of the elements along dims: tsr_prod(x, .dims = TSR_DIMS(1)). Dtypes are those of
 * tsr_sum(). Of no elements: 1. */
TSR_OP tsr *tsr_prod_at(const char *where, tsr *x, const tsr_sum_args *args);
/** The largest element along dims, in the dtype of x, compared as by tsr_maximum(): tsr_max(x,
 * .dims = TSR_DIMS(1)). Error (TSR_ERROR_TYPE): no element, and no .initial. */
TSR_OP tsr *tsr_max_at(const char *where, tsr *x, const tsr_reduce_args *args);
/** The smallest element along dims, in the dtype of x, compared as by tsr_minimum(): tsr_min(x,
 * .dims = TSR_DIMS(1)). Error (TSR_ERROR_TYPE): no element, and no .initial. */
TSR_OP tsr *tsr_min_at(const char *where, tsr *x, const tsr_reduce_args *args);
/** Whether all elements along dims are other than 0, a bool: tsr_all(tsr_isnan(x)). Of no elements:
 * true. */
TSR_OP tsr *tsr_all_at(const char *where, tsr *x, const tsr_all_args *args);
/** Whether an element along dims is other than 0, a bool: tsr_any(tsr_isnan(x)). Of no elements:
 * false. */
TSR_OP tsr *tsr_any_at(const char *where, tsr *x, const tsr_all_args *args);
/** The bits that are set in all elements along dims, in the dtype of x. Of no elements: all bits.
 * Integers and bool only, as the next two. */
TSR_OP tsr *tsr_reduce_and_at(const char *where, tsr *x, const tsr_dims_args *args);
/** The bits that are set in at least one element along dims, in the dtype of x. Of no elements:
 * none. */
TSR_OP tsr *tsr_reduce_or_at(const char *where, tsr *x, const tsr_dims_args *args);
/** The bits that are set in an odd number of elements. Of nothing: none. */
TSR_OP tsr *tsr_reduce_xor_at(const char *where, tsr *x, const tsr_dims_args *args);
/** Sum divided by the number of elements; 16-bit floats in f32, rounded once; integers and bool
 * give f32, integers of 64 bits f64. Of nothing: NaN. */
TSR_OP tsr *tsr_mean_at(const char *where, tsr *x, const tsr_mean_args *args);
/** log of the sum of e^x, as m + log(sum(e^(x - m))) with m the largest element, or real part (0
 * where that is not finite); 16-bit floats in f32, rounded once. Integers give f32, those of 64
 * bits f64. */
TSR_OP tsr *tsr_logsumexp_at(const char *where, tsr *x, const tsr_logsumexp_args *args);
/** Index of the first largest element (NaN is larger than all): tsr_argmax(x, .dim =
 * TSR_DIMS(1)). Error (TSR_ERROR_TYPE): no element. */
TSR_OP tsr *tsr_argmax_at(const char *where, tsr *x, const tsr_arg_args *args);
/** Index of the first smallest element (NaN is smaller than all). */
TSR_OP tsr *tsr_argmin_at(const char *where, tsr *x, const tsr_arg_args *args);

/* ---- along a dim: tsr_sort(x), tsr_cumsum(x, .dim = TSR_DIMS(0)). Errors of all: several dims in
 * .dim, or one that x does not have (TSR_ERROR_ARGUMENT) */

/** Keywords of tsr_sort(). */
typedef struct tsr_sort_args {
	TSR_KEYWORDS_
	tsr_dims dim;    /**< one dim; the last one when not given */
	bool descending; /**< the largest first: what is ascending, turned over */
	TSR_KEYWORDS_END_
} tsr_sort_args;

/** Keywords of tsr_argsort(). */
typedef struct tsr_argsort_args {
	TSR_KEYWORDS_
	tsr_dims dim;    /**< one dim; the last one when not given */
	bool descending; /**< the largest first */
	bool unstable;   /**< equal elements need not keep their order */
	tsr_dtype dtype; /**< of the indices, an integer one; when not given i32, or i64 where the
	                      dim needs it */
	TSR_KEYWORDS_END_
} tsr_argsort_args;

/** Keywords of tsr_sort_operands(). */
typedef struct tsr_sort_operands_args {
	TSR_KEYWORDS_
	tsr_dims dim;  /**< one dim; the last one when not given */
	int num_keys;  /**< how many of the operands say the order; 1 when not given */
	bool unstable; /**< elements with equal keys need not keep their order */
	TSR_KEYWORDS_END_
} tsr_sort_operands_args;

/** Keyword of tsr_top_k(). */
typedef struct tsr_top_k_args {
	TSR_KEYWORDS_
	tsr_dims dim; /**< one dim; the last one when not given */
	TSR_KEYWORDS_END_
} tsr_top_k_args;

/** Keywords of tsr_cumsum(), tsr_cumprod() and theirs without NaN. */
typedef struct tsr_cumsum_args {
	TSR_KEYWORDS_
	tsr_dims dim;    /**< one dim; when not given x is ravelled first */
	bool reverse;    /**< each element and all behind it, in place of all before it */
	tsr_dtype dtype; /**< to which elements are converted first, and of the result */
	TSR_KEYWORDS_END_
} tsr_cumsum_args;

/** Keywords of tsr_cummax(), tsr_cummin() and tsr_cumlogsumexp(). */
typedef struct tsr_cummax_args {
	TSR_KEYWORDS_
	tsr_dims dim; /**< one dim; the first one when not given */
	bool reverse; /**< each element and all behind it, in place of all before it */
	TSR_KEYWORDS_END_
} tsr_cummax_args;

/** Keywords of tsr_cumulative_sum() and tsr_cumulative_prod(). */
typedef struct tsr_cumulative_args {
	TSR_KEYWORDS_
	tsr_dims dim;         /**< one dim; need not be given where x has only one */
	tsr_dtype dtype;      /**< to which elements are converted first, and of the result */
	bool include_initial; /**< the sum, or product, of no element is in front */
	TSR_KEYWORDS_END_
} tsr_cumulative_args;

/** The elements along a dim in rising order: false before true, -0 and +0 as equals, NaN behind
 * all, complex numbers by the real and then by the imaginary part. Equal ones keep their order. */
TSR_OP tsr *tsr_sort_at(const char *where, tsr *x, const tsr_sort_args *args);
/** Where the elements of tsr_sort() were: tsr_argsort(x, .descending = true). Of equal elements the
 * first one is first, also in descending order. Further error (TSR_ERROR_TYPE): a .dtype that is
 * not an integer one. */
TSR_OP tsr *tsr_argsort_at(const char *where, tsr *x, const tsr_argsort_args *args);
/** n operands of the same dims in one order, into out, which may be x. The first operand is the
 * key, as tsr_sort() compares; where .num_keys is more than 1, equals in one key are in the order
 * of the next. tsr *kv[] = {keys, values}; tsr_sort_operands(kv, kv, 2). Further errors: dims that
 * differ, .num_keys that is not 1 to n (TSR_ERROR_TYPE). false: all of out is poison. */
TSR_API bool tsr_sort_operands_at(const char *where, tsr *const *x, tsr **out, size_t n,
                                  const tsr_sort_operands_args *args);
/** The k largest elements along a dim, the largest first, and where they are, i32 (i64 where the
 * dim needs it): out[0] and out[1]. Of equal ones the first one is first; floats are in the order
 * of their bits: NaN inf 1 0 -0 -1 -inf -NaN. Further errors: complex x (TSR_ERROR_TYPE); k that is
 * negative, or more than there are (TSR_ERROR_ARGUMENT). false: both are poison.
 * tsr *best[2]; tsr_top_k(logits, 5, best); */
TSR_API bool tsr_top_k_at(const char *where, tsr *x, int64_t k, tsr *out[2],
                          const tsr_top_k_args *args);
/** The sum of each element and all before it along a dim. In the dtype of x, bool in i32; f16 and
 * bf16 in f32, each result rounded once. With .dtype = TSR_BOOL: was there one other than 0? */
TSR_OP tsr *tsr_cumsum_at(const char *where, tsr *x, const tsr_cumsum_args *args);
/** The product of each element and all before it along a dim; dtypes as for tsr_cumsum(). */
TSR_OP tsr *tsr_cumprod_at(const char *where, tsr *x, const tsr_cumsum_args *args);
/** tsr_cumsum() of x with 0 in place of NaN: each element and all before it along a dim that are no
 * NaN, summed. */
TSR_OP tsr *tsr_nancumsum_at(const char *where, tsr *x, const tsr_cumsum_args *args);
/** tsr_cumprod() of x with 1 in place of NaN: each element and all before it along a dim that are
 * no NaN, multiplied. */
TSR_OP tsr *tsr_nancumprod_at(const char *where, tsr *x, const tsr_cumsum_args *args);
/** tsr_cumsum() as the array API has it: tsr_cumulative_sum(x, .include_initial = true). Bools and
 * small integers become i32 and u32, as in tsr_sum(). Further error (TSR_ERROR_ARGUMENT): no .dim,
 * and x has not one dim. */
TSR_OP tsr *tsr_cumulative_sum_at(const char *where, tsr *x, const tsr_cumulative_args *args);
/** tsr_cumprod() as the array API has it, with the dtypes and errors of tsr_cumulative_sum():
 * tsr_cumulative_prod(x, .include_initial = true). */
TSR_OP tsr *tsr_cumulative_prod_at(const char *where, tsr *x, const tsr_cumulative_args *args);
/** The largest of each element and all before it along a dim, as tsr_maximum(). Not bool. */
TSR_OP tsr *tsr_cummax_at(const char *where, tsr *x, const tsr_cummax_args *args);
/** The smallest of each element and all before it along a dim, as tsr_minimum(). Not bool. */
TSR_OP tsr *tsr_cummin_at(const char *where, tsr *x, const tsr_cummax_args *args);
/** The logarithm of the sum of e^x over each element and all before it along a dim. Floats; f16 and
 * bf16 in f32, each result rounded once. */
TSR_OP tsr *tsr_cumlogsumexp_at(const char *where, tsr *x, const tsr_cummax_args *args);

/* ---- windows that go over an array: tsr_max_pool(x, TSR_DIMS(2, 2), .strides = TSR_DIMS(2, 2)).
 * Errors of all: sizes, strides or dilations below 1, lists of another length than the window, both
 * .padding and .low or .high (TSR_ERROR_ARGUMENT) */

/** How the dims that windows go along are padded. */
enum tsr_window_padding {
	TSR_PADDING_DEFAULT = 0, /**< as .low and .high say; where they are not given, not at all,
	                          * and in tsr_conv() TSR_SAME */
	TSR_SAME = 1,       /**< so that there are as many windows as strides in the dim; one more
	                     * element behind than before where their number is odd */
	TSR_SAME_LOWER = 2, /**< as TSR_SAME, with one more before */
	TSR_VALID = 3,      /**< as .low and .high say; not given: not at all */
	TSR_CIRCULAR = 4,   /**< of tsr_conv(): behind the end the dim begins again; a window of n
	                     * elements has (n - 1) / 2 of them before and n / 2 behind */
	TSR_REFLECT = 5,    /**< of tsr_conv(): behind the end it goes back, c b a b c for a b c */
	TSR_CAUSAL = 6      /**< of tsr_conv() along one dim: all zeros before, so that a result is
	                     * made of elements up to its place */
};

/** Keywords of tsr_reduce_window(), one entry for each dim of x. */
typedef struct tsr_window_args {
	TSR_KEYWORDS_
	tsr_dims strides;         /**< from one window to the next; 1 when not given */
	tsr_dims low, high;       /**< elements before and behind x; negative ones are cut off */
	tsr_dims base_dilation;   /**< places from one element of x to the next */
	tsr_dims window_dilation; /**< places from one element of a window to the next */
	enum tsr_window_padding padding;
	TSR_KEYWORDS_END_
} tsr_window_args;

/** Keywords of tsr_max_pool(), tsr_min_pool() and tsr_avg_pool(), one entry for each dim of the
 * window. */
typedef struct tsr_pool_args {
	TSR_KEYWORDS_
	tsr_dims strides;   /**< from one window to the next; 1 when not given */
	tsr_dims low, high; /**< elements before and behind */
	enum tsr_window_padding padding;
	bool exclude_padding; /**< tsr_avg_pool() divides by the number of elements that are of x */
	TSR_KEYWORDS_END_
} tsr_pool_args;

/** lax.reduce_window: the elements of each window, which has as many dims as x, combined by
 * TSR_COMBINE_ADD, _MUL, _MIN or _MAX; padding changes no result. tsr_reduce_window(x,
 * TSR_COMBINE_MAX, TSR_DIMS(1, 3), .padding = TSR_SAME). The derivative of the largest is the mean
 * over equal elements, as that of tsr_max(). */
TSR_OP tsr *tsr_reduce_window_at(const char *where, tsr *x, enum tsr_combine combine,
                                 tsr_dims window, const tsr_window_args *args);
/** flax's max_pool: the largest in windows along the dims before the last one, which counts
 * features; any dims before these are a batch. */
TSR_OP tsr *tsr_max_pool_at(const char *where, tsr *x, tsr_dims window, const tsr_pool_args *args);
/** flax's min_pool: the smallest in windows along the dims before the last one, which counts
 * features; otherwise as tsr_max_pool(). */
TSR_OP tsr *tsr_min_pool_at(const char *where, tsr *x, tsr_dims window, const tsr_pool_args *args);
/** flax's avg_pool: the mean of windows along the dims before the last one, which counts features;
 * that of integers is divided as by tsr_div(). Otherwise as tsr_max_pool(). */
TSR_OP tsr *tsr_avg_pool_at(const char *where, tsr *x, tsr_dims window, const tsr_pool_args *args);

/** Keywords of tsr_conv_general_dilated(). Lists have one entry for each spatial dim. A spec names
 * the dims of an array by letters: N (batch) and C (features) in lhs and the result, O and I
 * (output and input features) in rhs, and any others for spatial dims. */
typedef struct tsr_conv_args {
	TSR_KEYWORDS_
	tsr_dims strides;      /**< from one window to the next; 1 when not given */
	tsr_dims low, high;    /**< zeros before and behind lhs; negative ones cut off */
	tsr_dims lhs_dilation; /**< places from one element of lhs to the next */
	tsr_dims rhs_dilation; /**< places from one element of a window to the next */
	enum tsr_window_padding padding;
	const char *lhs_spec;        /**< "NCHW" when not given, with all spatial dims */
	const char *rhs_spec;        /**< "OIHW" when not given */
	const char *out_spec;        /**< that of lhs when not given */
	int64_t feature_group_count; /**< each group of features has its own part of rhs */
	int64_t batch_group_count;   /**< each group of the batch has */
	tsr_dtype dtype;             /**< of the result; that of lhs and rhs when not given */
	/** how exact products of f32 are; not given: what tsr_open() was given */
	TSR_ADDED_ tsr_precision precision;
	TSR_KEYWORDS_END_
} tsr_conv_args;

/** lax.conv_general_dilated: the products of each window of lhs with rhs, summed; rhs is not
 * flipped. lhs [batch, features, spatial ...], rhs [output features, input features, window ...],
 * of one dtype. tsr_conv_general_dilated(x, w, .strides = TSR_DIMS(2, 2), .padding = TSR_SAME,
 * .lhs_spec = "NHWC", .rhs_spec = "HWIO"). Sums are those of tsr_dot_general(). Further errors:
 * dtypes, numbers of dims, features or groups that do not fit (TSR_ERROR_TYPE); a spec that does
 * not name all dims (TSR_ERROR_ARGUMENT). */
TSR_OP tsr *tsr_conv_general_dilated_at(const char *where, tsr *lhs, tsr *rhs,
                                        const tsr_conv_args *args);
/** The windows of lhs as features: each result has the elements of its window, [batch, features *
 * window, spatial ...], in the order of the features and then of .rhs_spec. The keywords are those
 * of tsr_conv_general_dilated() but for groups: tsr_conv_general_dilated_patches(x, TSR_DIMS(3, 3),
 * .padding = TSR_SAME). */
TSR_OP tsr *tsr_conv_general_dilated_patches_at(const char *where, tsr *lhs, tsr_dims window,
                                                const tsr_conv_args *args);
/** The windows of tsr_conv_general_dilated_patches(), each multiplied with a kernel of its own: rhs
 * [output features, features * window, spatial ...], where spatial dims are those of the result.
 * Further error: sizes that do not fit (TSR_ERROR_TYPE). */
TSR_OP tsr *tsr_conv_general_dilated_local_at(const char *where, tsr *lhs, tsr *rhs,
                                              tsr_dims window, const tsr_conv_args *args);

/** Keywords of tsr_conv_transpose(). Lists have one entry for each spatial dim; specs are those of
 * tsr_conv_general_dilated(). */
typedef struct tsr_conv_transpose_args {
	TSR_KEYWORDS_
	tsr_dims strides;      /**< from one element of lhs to the next in the result; 1 when not
	                        * given */
	tsr_dims low, high;    /**< zeros before and behind the elements of lhs so apart */
	tsr_dims rhs_dilation; /**< places from one element of a window to the next */
	enum tsr_window_padding padding; /**< of the convolution that this undoes: TSR_VALID when
	                                  * .low and .high are not given, or TSR_SAME */
	bool forward_padding; /**< .low and .high are those of that convolution, too */
	bool transpose_kernel; /**< rhs is that convolution's: it is turned over, and its input and
	                        * output features change places */
	const char *lhs_spec;  /**< "NHWC" when not given, with all spatial dims */
	const char *rhs_spec;  /**< "HWIO" when not given */
	const char *out_spec;  /**< that of lhs when not given */
	tsr_dtype dtype;       /**< of the result; that of lhs and rhs when not given */
	TSR_KEYWORDS_END_
} tsr_conv_transpose_args;

/** lax.conv_transpose: a convolution in steps of less than an element, from which there are as many
 * results as a convolution with these strides takes. lhs [batch, spatial ..., features], rhs
 * [window ..., input features, output features]: tsr_conv_transpose(x, w, .strides = TSR_DIMS(2,
 * 2), .padding = TSR_SAME). Errors as of tsr_conv_general_dilated(). */
TSR_OP tsr *tsr_conv_transpose_at(const char *where, tsr *lhs, tsr *rhs,
                                  const tsr_conv_transpose_args *args);

/** How far tsr_convolve() and tsr_correlate() go over the ends. */
enum tsr_overlap {
	TSR_OVERLAP_DEFAULT = 0, /**< NumPy's: full in tsr_convolve(), valid in tsr_correlate() */
	TSR_OVERLAP_FULL = 1,    /**< all places where any elements overlap */
	TSR_OVERLAP_SAME = 2,    /**< as many as the longer operand has */
	TSR_OVERLAP_VALID = 3    /**< where the shorter one is all inside */
};

/** Keyword of tsr_convolve() and tsr_correlate(). */
typedef struct tsr_convolve_args {
	TSR_KEYWORDS_
	enum tsr_overlap mode;
	TSR_KEYWORDS_END_
} tsr_convolve_args;

/** NumPy's convolve of two arrays of one dim, v turned over: tsr_convolve(signal, filter, .mode =
 * TSR_OVERLAP_SAME). Integers as floats. Errors: other numbers of dims (TSR_ERROR_TYPE), no
 * elements (TSR_ERROR_ARGUMENT). */
TSR_OP tsr *tsr_convolve_at(const char *where, tsr *a, tsr *v, const tsr_convolve_args *args);
/** NumPy's correlate: a with the conjugate of v, which is not turned over. */
TSR_OP tsr *tsr_correlate_at(const char *where, tsr *a, tsr *v, const tsr_convolve_args *args);

/* ---- random numbers */

/** Random bits as a function of a key and a counter, two words each: u32 operands, and two u32
 * results into out. C numbers are u32. The words of
 * jax.random.split(jax.random.key(42), n) are tsr_threefry2x32(0, 42, 0, tsr_iota(x, TSR_DIMS(n),
 * 0, .dtype = TSR_U32), out). false: both of out are poison. */
TSR_API bool tsr_threefry2x32_at(const char *where, tsr_arg key0, tsr_arg key1, tsr_arg x0,
                                 tsr_arg x1, tsr *out[2]);

/* ---- made inside a body */

/** Keyword of tsr_iota(). */
typedef struct tsr_iota_args {
	TSR_KEYWORDS_
	tsr_dtype dtype; /**< when not given i32, or i64 where the dim needs it */
	TSR_KEYWORDS_END_
} tsr_iota_args;

/** Each element is its own index along a dim: tsr_iota(x, TSR_DIMS(2, 3), 1) is 0 1 2, 0 1 2. */
TSR_OP tsr *tsr_iota_at(const char *where, tsr_ctx *ctx, tsr_dims dims, int dim,
                        const tsr_iota_args *args);

/* ---- the same without place and keywords: as values, and for debuggers */

/** tsr_neg_at() as a value. */
TSR_OP tsr *tsr_neg(tsr *x);
/** tsr_sign_at() as a value. */
TSR_OP tsr *tsr_sign(tsr *x);
/** tsr_abs_at() as a value. */
TSR_OP tsr *tsr_abs(tsr *x);
/** tsr_floor_at() as a value. */
TSR_OP tsr *tsr_floor(tsr *x);
/** tsr_ceil_at() as a value. */
TSR_OP tsr *tsr_ceil(tsr *x);
/** tsr_round_at() as a value. */
TSR_OP tsr *tsr_round(tsr *x);
/** tsr_exp_at() as a value. */
TSR_OP tsr *tsr_exp(tsr *x);
/** tsr_exp2_at() as a value. */
TSR_OP tsr *tsr_exp2(tsr *x);
/** tsr_expm1_at() as a value. */
TSR_OP tsr *tsr_expm1(tsr *x);
/** tsr_log_at() as a value. */
TSR_OP tsr *tsr_log(tsr *x);
/** tsr_log1p_at() as a value. */
TSR_OP tsr *tsr_log1p(tsr *x);
/** tsr_sqrt_at() as a value. */
TSR_OP tsr *tsr_sqrt(tsr *x);
/** tsr_rsqrt_at() as a value. */
TSR_OP tsr *tsr_rsqrt(tsr *x);
/** tsr_square_at() as a value. */
TSR_OP tsr *tsr_square(tsr *x);
/** tsr_tanh_at() as a value. */
TSR_OP tsr *tsr_tanh(tsr *x);
/** tsr_logistic_at() as a value. */
TSR_OP tsr *tsr_logistic(tsr *x);
/** tsr_sin_at() as a value. */
TSR_OP tsr *tsr_sin(tsr *x);
/** tsr_cos_at() as a value. */
TSR_OP tsr *tsr_cos(tsr *x);
/** tsr_tan_at() as a value. */
TSR_OP tsr *tsr_tan(tsr *x);
/** tsr_asin_at() as a value. */
TSR_OP tsr *tsr_asin(tsr *x);
/** tsr_acos_at() as a value. */
TSR_OP tsr *tsr_acos(tsr *x);
/** tsr_atan_at() as a value. */
TSR_OP tsr *tsr_atan(tsr *x);
/** tsr_sinh_at() as a value. */
TSR_OP tsr *tsr_sinh(tsr *x);
/** tsr_cosh_at() as a value. */
TSR_OP tsr *tsr_cosh(tsr *x);
/** tsr_asinh_at() as a value. */
TSR_OP tsr *tsr_asinh(tsr *x);
/** tsr_acosh_at() as a value. */
TSR_OP tsr *tsr_acosh(tsr *x);
/** tsr_atanh_at() as a value. */
TSR_OP tsr *tsr_atanh(tsr *x);
/** tsr_cbrt_at() as a value. */
TSR_OP tsr *tsr_cbrt(tsr *x);
/** tsr_erf_at() as a value. */
TSR_OP tsr *tsr_erf(tsr *x);
/** tsr_erfc_at() as a value. */
TSR_OP tsr *tsr_erfc(tsr *x);
/** tsr_erf_inv_at() as a value. */
TSR_OP tsr *tsr_erf_inv(tsr *x);
/** tsr_lgamma_at() as a value. */
TSR_OP tsr *tsr_lgamma(tsr *x);
/** tsr_digamma_at() as a value. */
TSR_OP tsr *tsr_digamma(tsr *x);
/** tsr_bessel_i0e_at() as a value. */
TSR_OP tsr *tsr_bessel_i0e(tsr *x);
/** tsr_bessel_i1e_at() as a value. */
TSR_OP tsr *tsr_bessel_i1e(tsr *x);
/** tsr_is_finite_at() as a value. */
TSR_OP tsr *tsr_is_finite(tsr *x);
/** tsr_isnan_at() as a value. */
TSR_OP tsr *tsr_isnan(tsr *x);
/** tsr_bitwise_not_at() as a value. */
TSR_OP tsr *tsr_bitwise_not(tsr *x);
/** tsr_population_count_at() as a value. */
TSR_OP tsr *tsr_population_count(tsr *x);
/** tsr_clz_at() as a value. */
TSR_OP tsr *tsr_clz(tsr *x);
/** tsr_real_at() as a value. */
TSR_OP tsr *tsr_real(tsr *x);
/** tsr_imag_at() as a value. */
TSR_OP tsr *tsr_imag(tsr *x);
/** tsr_conj_at() as a value. */
TSR_OP tsr *tsr_conj(tsr *x);
/** tsr_reduce_precision_at() as a value. */
TSR_OP tsr *tsr_reduce_precision(tsr *x, int exponent_bits, int mantissa_bits);
/** tsr_bitcast_convert_type_at() as a value. */
TSR_OP tsr *tsr_bitcast_convert_type(tsr *x, tsr_dtype dtype);
/** tsr_logical_not_at() as a value. */
TSR_OP tsr *tsr_logical_not(tsr *x);
/** tsr_relu_at() as a value. */
TSR_OP tsr *tsr_relu(tsr *x);
/** tsr_copy_at() as a value. */
TSR_OP tsr *tsr_copy(tsr *x);
/** tsr_stop_gradient_at() as a value. */
TSR_OP tsr *tsr_stop_gradient(tsr *x);
/** tsr_t_at() as a value. */
TSR_OP tsr *tsr_t(tsr *x);
/** tsr_ravel_at() as a value. */
TSR_OP tsr *tsr_ravel(tsr *x);
/** tsr_integer_pow_at() as a value. */
TSR_OP tsr *tsr_integer_pow(tsr *x, int n);
/** tsr_astype_at() as a value. */
TSR_OP tsr *tsr_astype(tsr *x, tsr_dtype dtype);
/** tsr_add_at() as a value. */
TSR_OP tsr *tsr_add(tsr *a, tsr *b);
/** tsr_sub_at() as a value. */
TSR_OP tsr *tsr_sub(tsr *a, tsr *b);
/** tsr_mul_at() as a value. */
TSR_OP tsr *tsr_mul(tsr *a, tsr *b);
/** tsr_div_at() as a value. */
TSR_OP tsr *tsr_div(tsr *a, tsr *b);
/** tsr_rem_at() as a value. */
TSR_OP tsr *tsr_rem(tsr *a, tsr *b);
/** tsr_pow_at() as a value. */
TSR_OP tsr *tsr_pow(tsr *a, tsr *b);
/** tsr_atan2_at() as a value. */
TSR_OP tsr *tsr_atan2(tsr *a, tsr *b);
/** tsr_zeta_at() as a value. */
TSR_OP tsr *tsr_zeta(tsr *a, tsr *b);
/** tsr_polygamma_at() as a value. */
TSR_OP tsr *tsr_polygamma(tsr *a, tsr *b);
/** tsr_igamma_at() as a value. */
TSR_OP tsr *tsr_igamma(tsr *a, tsr *b);
/** tsr_igammac_at() as a value. */
TSR_OP tsr *tsr_igammac(tsr *a, tsr *b);
/** tsr_igamma_grad_a_at() as a value. */
TSR_OP tsr *tsr_igamma_grad_a(tsr *a, tsr *b);
/** tsr_random_gamma_grad_at() as a value. */
TSR_OP tsr *tsr_random_gamma_grad(tsr *a, tsr *b);
/** tsr_nextafter_at() as a value. */
TSR_OP tsr *tsr_nextafter(tsr *a, tsr *b);
/** tsr_complex_at() as a value. */
TSR_OP tsr *tsr_complex(tsr *a, tsr *b);
/** tsr_maximum_at() as a value. */
TSR_OP tsr *tsr_maximum(tsr *a, tsr *b);
/** tsr_minimum_at() as a value. */
TSR_OP tsr *tsr_minimum(tsr *a, tsr *b);
/** tsr_bitwise_and_at() as a value. */
TSR_OP tsr *tsr_bitwise_and(tsr *a, tsr *b);
/** tsr_bitwise_or_at() as a value. */
TSR_OP tsr *tsr_bitwise_or(tsr *a, tsr *b);
/** tsr_bitwise_xor_at() as a value. */
TSR_OP tsr *tsr_bitwise_xor(tsr *a, tsr *b);
/** tsr_shift_left_at() as a value. */
TSR_OP tsr *tsr_shift_left(tsr *a, tsr *b);
/** tsr_shift_right_at() as a value. */
TSR_OP tsr *tsr_shift_right(tsr *a, tsr *b);
/** tsr_eq_at() as a value. */
TSR_OP tsr *tsr_eq(tsr *a, tsr *b);
/** tsr_ne_at() as a value. */
TSR_OP tsr *tsr_ne(tsr *a, tsr *b);
/** tsr_lt_at() as a value. */
TSR_OP tsr *tsr_lt(tsr *a, tsr *b);
/** tsr_le_at() as a value. */
TSR_OP tsr *tsr_le(tsr *a, tsr *b);
/** tsr_gt_at() as a value. */
TSR_OP tsr *tsr_gt(tsr *a, tsr *b);
/** tsr_ge_at() as a value. */
TSR_OP tsr *tsr_ge(tsr *a, tsr *b);
/** tsr_logical_and_at() as a value. */
TSR_OP tsr *tsr_logical_and(tsr *a, tsr *b);
/** tsr_logical_or_at() as a value. */
TSR_OP tsr *tsr_logical_or(tsr *a, tsr *b);
/** tsr_fma_at() as a value. */
TSR_OP tsr *tsr_fma(tsr *a, tsr *b, tsr *c);
/** tsr_betainc_at() as a value. */
TSR_OP tsr *tsr_betainc(tsr *a, tsr *b, tsr *c);
/** tsr_where_at() as a value. */
TSR_OP tsr *tsr_where(tsr *c, tsr *a, tsr *b);
/** tsr_clamp_at() as a value. */
TSR_OP tsr *tsr_clamp(tsr *low, tsr *x, tsr *high);
/** tsr_dot_at() as a value. */
TSR_OP tsr *tsr_dot(tsr *a, tsr *b);
/** tsr_matmul_at() as a value. */
TSR_OP tsr *tsr_matmul(tsr *a, tsr *b);
/** tsr_dot_general_at() as a value. */
TSR_OP tsr *tsr_dot_general(tsr *a, tsr *b);
/** tsr_reshape_at() as a value. */
TSR_OP tsr *tsr_reshape(tsr *x, tsr_dims dims);
/** tsr_transpose_at() as a value. */
TSR_OP tsr *tsr_transpose(tsr *x);
/** tsr_broadcast_to_at() as a value. */
TSR_OP tsr *tsr_broadcast_to(tsr *x, tsr_dims dims);
/** tsr_broadcast_in_dim_at() as a value. */
TSR_OP tsr *tsr_broadcast_in_dim(tsr *x, tsr_dims dims, tsr_dims at);
/** tsr_squeeze_at() as a value. */
TSR_OP tsr *tsr_squeeze(tsr *x, tsr_dims dims);
/** tsr_expand_dims_at() as a value. */
TSR_OP tsr *tsr_expand_dims(tsr *x, tsr_dims dims);
/** tsr_flip_at() as a value. */
TSR_OP tsr *tsr_flip(tsr *x, tsr_dims dims);
/** tsr_split_at() as a value. */
TSR_API bool tsr_split(tsr *x, int dim, tsr **out, size_t n);
/** tsr_pad_at() as a value. */
TSR_OP tsr *tsr_pad(tsr *x, tsr_dims low, tsr_dims high, double number);
/** tsr_slice_at() as a value. */
TSR_OP tsr *tsr_slice(tsr *x, int dim, int64_t start, int64_t stop);
/** tsr_slice_strided_at() as a value. */
TSR_OP tsr *tsr_slice_strided(tsr *x, tsr_dims starts, tsr_dims stops);
/** tsr_index_at() as a value. */
TSR_OP tsr *tsr_index(tsr *x, int dim, int64_t i);
/** tsr_dynamic_slice_at() as a value. */
TSR_OP tsr *tsr_dynamic_slice(tsr *x, int dim, tsr *start, int64_t size);
/** tsr_dynamic_update_at() as a value. */
TSR_OP tsr *tsr_dynamic_update(tsr *x, tsr *update, int dim, tsr *start);
/** tsr_dynamic_index_at() as a value. */
TSR_OP tsr *tsr_dynamic_index(tsr *x, int dim, tsr *i);
/** tsr_take_at() as a value. */
TSR_OP tsr *tsr_take(tsr *x, int dim, tsr *indices);
/** tsr_take_along_at() as a value. */
TSR_OP tsr *tsr_take_along(tsr *x, int dim, tsr *indices);
/** tsr_at_set_at() as a value. */
TSR_OP tsr *tsr_at_set(tsr *x, int dim, tsr *indices, tsr *updates);
/** tsr_at_add_at() as a value. */
TSR_OP tsr *tsr_at_add(tsr *x, int dim, tsr *indices, tsr *updates);
/** tsr_at_mul_at() as a value. */
TSR_OP tsr *tsr_at_mul(tsr *x, int dim, tsr *indices, tsr *updates);
/** tsr_at_min_at() as a value. */
TSR_OP tsr *tsr_at_min(tsr *x, int dim, tsr *indices, tsr *updates);
/** tsr_at_max_at() as a value. */
TSR_OP tsr *tsr_at_max(tsr *x, int dim, tsr *indices, tsr *updates);
/** tsr_gather_at() as a value. */
TSR_OP tsr *tsr_gather(tsr *x, tsr *indices, tsr_dims slice_sizes);
/** tsr_scatter_at() as a value. */
TSR_OP tsr *tsr_scatter(tsr *x, tsr *indices, tsr *updates);
/** tsr_sum_at() as a value. */
TSR_OP tsr *tsr_sum(tsr *x);
/** tsr_prod_at() as a value. */
TSR_OP tsr *tsr_prod(tsr *x);
/** tsr_max_at() as a value. */
TSR_OP tsr *tsr_max(tsr *x);
/** tsr_min_at() as a value. */
TSR_OP tsr *tsr_min(tsr *x);
/** tsr_all_at() as a value. */
TSR_OP tsr *tsr_all(tsr *x);
/** tsr_any_at() as a value. */
TSR_OP tsr *tsr_any(tsr *x);
/** tsr_reduce_and_at() as a value. */
TSR_OP tsr *tsr_reduce_and(tsr *x);
/** tsr_reduce_or_at() as a value. */
TSR_OP tsr *tsr_reduce_or(tsr *x);
/** tsr_reduce_xor_at() as a value. */
TSR_OP tsr *tsr_reduce_xor(tsr *x);
/** tsr_mean_at() as a value. */
TSR_OP tsr *tsr_mean(tsr *x);
/** tsr_logsumexp_at() as a value. */
TSR_OP tsr *tsr_logsumexp(tsr *x);
/** tsr_argmax_at() as a value. */
TSR_OP tsr *tsr_argmax(tsr *x);
/** tsr_argmin_at() as a value. */
TSR_OP tsr *tsr_argmin(tsr *x);
/** tsr_sort_at() as a value. */
TSR_OP tsr *tsr_sort(tsr *x);
/** tsr_argsort_at() as a value. */
TSR_OP tsr *tsr_argsort(tsr *x);
/** tsr_sort_operands_at() as a value. */
TSR_API bool tsr_sort_operands(tsr *const *x, tsr **out, size_t n);
/** tsr_top_k_at() as a value. */
TSR_API bool tsr_top_k(tsr *x, int64_t k, tsr *out[2]);
/** tsr_cumsum_at() as a value. */
TSR_OP tsr *tsr_cumsum(tsr *x);
/** tsr_cumprod_at() as a value. */
TSR_OP tsr *tsr_cumprod(tsr *x);
/** tsr_nancumsum_at() as a value. */
TSR_OP tsr *tsr_nancumsum(tsr *x);
/** tsr_nancumprod_at() as a value. */
TSR_OP tsr *tsr_nancumprod(tsr *x);
/** tsr_cumulative_sum_at() as a value. */
TSR_OP tsr *tsr_cumulative_sum(tsr *x);
/** tsr_cumulative_prod_at() as a value. */
TSR_OP tsr *tsr_cumulative_prod(tsr *x);
/** tsr_cummax_at() as a value. */
TSR_OP tsr *tsr_cummax(tsr *x);
/** tsr_cummin_at() as a value. */
TSR_OP tsr *tsr_cummin(tsr *x);
/** tsr_cumlogsumexp_at() as a value. */
TSR_OP tsr *tsr_cumlogsumexp(tsr *x);
/** tsr_reduce_window_at() as a value. */
TSR_OP tsr *tsr_reduce_window(tsr *x, enum tsr_combine combine, tsr_dims window);
/** tsr_max_pool_at() as a value. */
TSR_OP tsr *tsr_max_pool(tsr *x, tsr_dims window);
/** tsr_min_pool_at() as a value. */
TSR_OP tsr *tsr_min_pool(tsr *x, tsr_dims window);
/** tsr_avg_pool_at() as a value. */
TSR_OP tsr *tsr_avg_pool(tsr *x, tsr_dims window);
/** tsr_conv_general_dilated_at() as a value. */
TSR_OP tsr *tsr_conv_general_dilated(tsr *lhs, tsr *rhs);
/** tsr_conv_general_dilated_patches_at() as a value. */
TSR_OP tsr *tsr_conv_general_dilated_patches(tsr *lhs, tsr_dims window);
/** tsr_conv_general_dilated_local_at() as a value. */
TSR_OP tsr *tsr_conv_general_dilated_local(tsr *lhs, tsr *rhs, tsr_dims window);
/** tsr_conv_transpose_at() as a value. */
TSR_OP tsr *tsr_conv_transpose(tsr *lhs, tsr *rhs);
/** tsr_convolve_at() as a value. */
TSR_OP tsr *tsr_convolve(tsr *a, tsr *v);
/** tsr_correlate_at() as a value. */
TSR_OP tsr *tsr_correlate(tsr *a, tsr *v);
/** tsr_threefry2x32_at() as a value. */
TSR_API bool tsr_threefry2x32(tsr *key0, tsr *key1, tsr *x0, tsr *x1, tsr *out[2]);
/** tsr_iota_at() as a value. */
TSR_OP tsr *tsr_iota(tsr_ctx *ctx, tsr_dims dims, int dim);
#ifdef __cplusplus
}
#endif

#ifdef TSR_MACROS_
#define tsr_neg(x) tsr_neg_at(TSR_HERE, x)
#define tsr_sign(x) tsr_sign_at(TSR_HERE, x)
#define tsr_abs(x) tsr_abs_at(TSR_HERE, x)
#define tsr_floor(x) tsr_floor_at(TSR_HERE, x)
#define tsr_ceil(x) tsr_ceil_at(TSR_HERE, x)
#define tsr_round(...) TSR_ROUND_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_ROUND_(v_, x, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_round_args, v_, __VA_ARGS__) \
		tsr_round_at(TSR_HERE, x, &v_); }))
#define tsr_exp(x) tsr_exp_at(TSR_HERE, x)
#define tsr_exp2(x) tsr_exp2_at(TSR_HERE, x)
#define tsr_expm1(x) tsr_expm1_at(TSR_HERE, x)
#define tsr_log(x) tsr_log_at(TSR_HERE, x)
#define tsr_log1p(x) tsr_log1p_at(TSR_HERE, x)
#define tsr_sqrt(x) tsr_sqrt_at(TSR_HERE, x)
#define tsr_rsqrt(x) tsr_rsqrt_at(TSR_HERE, x)
#define tsr_square(x) tsr_square_at(TSR_HERE, x)
#define tsr_tanh(x) tsr_tanh_at(TSR_HERE, x)
#define tsr_logistic(x) tsr_logistic_at(TSR_HERE, x)
#define tsr_sin(x) tsr_sin_at(TSR_HERE, x)
#define tsr_cos(x) tsr_cos_at(TSR_HERE, x)
#define tsr_tan(x) tsr_tan_at(TSR_HERE, x)
#define tsr_asin(x) tsr_asin_at(TSR_HERE, x)
#define tsr_acos(x) tsr_acos_at(TSR_HERE, x)
#define tsr_atan(x) tsr_atan_at(TSR_HERE, x)
#define tsr_sinh(x) tsr_sinh_at(TSR_HERE, x)
#define tsr_cosh(x) tsr_cosh_at(TSR_HERE, x)
#define tsr_asinh(x) tsr_asinh_at(TSR_HERE, x)
#define tsr_acosh(x) tsr_acosh_at(TSR_HERE, x)
#define tsr_atanh(x) tsr_atanh_at(TSR_HERE, x)
#define tsr_cbrt(x) tsr_cbrt_at(TSR_HERE, x)
#define tsr_erf(x) tsr_erf_at(TSR_HERE, x)
#define tsr_erfc(x) tsr_erfc_at(TSR_HERE, x)
#define tsr_erf_inv(x) tsr_erf_inv_at(TSR_HERE, x)
#define tsr_lgamma(x) tsr_lgamma_at(TSR_HERE, x)
#define tsr_digamma(x) tsr_digamma_at(TSR_HERE, x)
#define tsr_bessel_i0e(x) tsr_bessel_i0e_at(TSR_HERE, x)
#define tsr_bessel_i1e(x) tsr_bessel_i1e_at(TSR_HERE, x)
#define tsr_is_finite(x) tsr_is_finite_at(TSR_HERE, x)
#define tsr_isnan(x) tsr_isnan_at(TSR_HERE, x)
#define tsr_bitwise_not(x) tsr_bitwise_not_at(TSR_HERE, x)
#define tsr_population_count(x) tsr_population_count_at(TSR_HERE, x)
#define tsr_clz(x) tsr_clz_at(TSR_HERE, x)
#define tsr_real(x) tsr_real_at(TSR_HERE, x)
#define tsr_imag(x) tsr_imag_at(TSR_HERE, x)
#define tsr_conj(x) tsr_conj_at(TSR_HERE, x)
#define tsr_reduce_precision(x, exponent_bits, mantissa_bits) \
	tsr_reduce_precision_at(TSR_HERE, x, exponent_bits, mantissa_bits)
#define tsr_bitcast_convert_type(x, dtype) tsr_bitcast_convert_type_at(TSR_HERE, x, dtype)
#define tsr_logical_not(x) tsr_logical_not_at(TSR_HERE, x)
#define tsr_relu(x) tsr_relu_at(TSR_HERE, x)
#define tsr_copy(x) tsr_copy_at(TSR_HERE, x)
#define tsr_stop_gradient(x) tsr_stop_gradient_at(TSR_HERE, x)
#define tsr_t(x) tsr_t_at(TSR_HERE, x)
#define tsr_ravel(x) tsr_ravel_at(TSR_HERE, x)
#define tsr_integer_pow(x, n) tsr_integer_pow_at(TSR_HERE, x, n)
#define tsr_astype(x, dtype) tsr_astype_at(TSR_HERE, x, dtype)
#define tsr_add(a, b) TSR_OPERANDS2_(tsr_add_at, TSR_PREFIX_, a, b)
#define tsr_sub(a, b) TSR_OPERANDS2_(tsr_sub_at, TSR_PREFIX_, a, b)
#define tsr_mul(a, b) TSR_OPERANDS2_(tsr_mul_at, TSR_PREFIX_, a, b)
#define tsr_div(a, b) TSR_OPERANDS2_(tsr_div_at, TSR_PREFIX_, a, b)
#define tsr_rem(a, b) TSR_OPERANDS2_(tsr_rem_at, TSR_PREFIX_, a, b)
#define tsr_pow(a, b) TSR_OPERANDS2_(tsr_pow_at, TSR_PREFIX_, a, b)
#define tsr_atan2(a, b) TSR_OPERANDS2_(tsr_atan2_at, TSR_PREFIX_, a, b)
#define tsr_zeta(a, b) TSR_OPERANDS2_(tsr_zeta_at, TSR_PREFIX_, a, b)
#define tsr_polygamma(a, b) TSR_OPERANDS2_(tsr_polygamma_at, TSR_PREFIX_, a, b)
#define tsr_igamma(a, b) TSR_OPERANDS2_(tsr_igamma_at, TSR_PREFIX_, a, b)
#define tsr_igammac(a, b) TSR_OPERANDS2_(tsr_igammac_at, TSR_PREFIX_, a, b)
#define tsr_igamma_grad_a(a, b) TSR_OPERANDS2_(tsr_igamma_grad_a_at, TSR_PREFIX_, a, b)
#define tsr_random_gamma_grad(a, b) TSR_OPERANDS2_(tsr_random_gamma_grad_at, TSR_PREFIX_, a, b)
#define tsr_nextafter(a, b) TSR_OPERANDS2_(tsr_nextafter_at, TSR_PREFIX_, a, b)
#define tsr_complex(a, b) TSR_OPERANDS2_(tsr_complex_at, TSR_PREFIX_, a, b)
#define tsr_maximum(a, b) TSR_OPERANDS2_(tsr_maximum_at, TSR_PREFIX_, a, b)
#define tsr_minimum(a, b) TSR_OPERANDS2_(tsr_minimum_at, TSR_PREFIX_, a, b)
#define tsr_bitwise_and(a, b) TSR_OPERANDS2_(tsr_bitwise_and_at, TSR_PREFIX_, a, b)
#define tsr_bitwise_or(a, b) TSR_OPERANDS2_(tsr_bitwise_or_at, TSR_PREFIX_, a, b)
#define tsr_bitwise_xor(a, b) TSR_OPERANDS2_(tsr_bitwise_xor_at, TSR_PREFIX_, a, b)
#define tsr_shift_left(a, b) TSR_OPERANDS2_(tsr_shift_left_at, TSR_PREFIX_, a, b)
#define tsr_shift_right(a, b) TSR_OPERANDS2_(tsr_shift_right_at, TSR_PREFIX_, a, b)
#define tsr_eq(a, b) TSR_OPERANDS2_(tsr_eq_at, TSR_PREFIX_, a, b)
#define tsr_ne(a, b) TSR_OPERANDS2_(tsr_ne_at, TSR_PREFIX_, a, b)
#define tsr_lt(a, b) TSR_OPERANDS2_(tsr_lt_at, TSR_PREFIX_, a, b)
#define tsr_le(a, b) TSR_OPERANDS2_(tsr_le_at, TSR_PREFIX_, a, b)
#define tsr_gt(a, b) TSR_OPERANDS2_(tsr_gt_at, TSR_PREFIX_, a, b)
#define tsr_ge(a, b) TSR_OPERANDS2_(tsr_ge_at, TSR_PREFIX_, a, b)
#define tsr_logical_and(a, b) TSR_OPERANDS2_(tsr_logical_and_at, TSR_PREFIX_, a, b)
#define tsr_logical_or(a, b) TSR_OPERANDS2_(tsr_logical_or_at, TSR_PREFIX_, a, b)
#define tsr_fma(a, b, c) TSR_OPERANDS3_(tsr_fma_at, TSR_PREFIX_, a, b, c)
#define tsr_betainc(a, b, c) TSR_OPERANDS3_(tsr_betainc_at, TSR_PREFIX_, a, b, c)
#define tsr_where(c, a, b) TSR_OPERANDS3_(tsr_where_at, TSR_PREFIX_, c, a, b)
#define tsr_clamp(low, x, high) TSR_CLAMP_(TSR_PREFIX_, low, x, high)
#define TSR_CLAMP_(v_, low, x, high) \
	tsr_result_(__extension__({ TSR_LET_(v_, _0, low) TSR_LET_(v_, _1, x) TSR_LET_(v_, _2, \
		high) tsr_clamp_at(TSR_HERE, TSR_ARG_PICK_(TSR_CAT_(v_, _0)), \
		TSR_OPERAND_PICK_(TSR_CAT_(v_, _1)), TSR_ARG_PICK_(TSR_CAT_(v_, _2))); }))
#define tsr_dot(a, ...) TSR_DOT_(TSR_PREFIX_, a, __VA_ARGS__, )
#define TSR_DOT_(v_, a, b, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_product_args, v_, __VA_ARGS__) \
		tsr_dot_at(TSR_HERE, a, TSR_GIVEN_(tsr_dot_needs_the_argument_b, b), &v_); }))
#define tsr_matmul(a, ...) TSR_MATMUL_(TSR_PREFIX_, a, __VA_ARGS__, )
#define TSR_MATMUL_(v_, a, b, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_product_args, v_, __VA_ARGS__) \
		tsr_matmul_at(TSR_HERE, a, TSR_GIVEN_(tsr_matmul_needs_the_argument_b, b), &v_); \
		}))
#define tsr_dot_general(a, ...) TSR_DOT_GENERAL_(TSR_PREFIX_, a, __VA_ARGS__, )
#define TSR_DOT_GENERAL_(v_, a, b, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_dot_args, v_, __VA_ARGS__) \
		tsr_dot_general_at(TSR_HERE, a, TSR_GIVEN_(tsr_dot_general_needs_the_argument_b, \
		b), &v_); }))
#define tsr_reshape(x, dims) tsr_reshape_at(TSR_HERE, x, dims)
#define tsr_transpose(...) TSR_TRANSPOSE_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_TRANSPOSE_(v_, x, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_transpose_args, v_, __VA_ARGS__) \
		tsr_transpose_at(TSR_HERE, x, &v_); }))
#define tsr_broadcast_to(x, dims) tsr_broadcast_to_at(TSR_HERE, x, dims)
#define tsr_broadcast_in_dim(x, dims, at) tsr_broadcast_in_dim_at(TSR_HERE, x, dims, at)
#define tsr_squeeze(x, dims) tsr_squeeze_at(TSR_HERE, x, dims)
#define tsr_expand_dims(x, dims) tsr_expand_dims_at(TSR_HERE, x, dims)
#define tsr_flip(x, dims) tsr_flip_at(TSR_HERE, x, dims)
#define tsr_concatenate(...) TSR_CONCATENATE_(TSR_PREFIX_, __VA_ARGS__)
#define TSR_CONCATENATE_(v_, dim, ...) \
	tsr_result_(__extension__({ tsr *const v_[] = {__VA_ARGS__}; tsr_concatenate_at(TSR_HERE, \
		dim, v_, sizeof v_ / sizeof *v_); }))
#define tsr_stack(...) TSR_STACK_(TSR_PREFIX_, __VA_ARGS__)
#define TSR_STACK_(v_, dim, ...) \
	tsr_result_(__extension__({ tsr *const v_[] = {__VA_ARGS__}; tsr_stack_at(TSR_HERE, dim, \
		v_, sizeof v_ / sizeof *v_); }))
#define tsr_split(x, dim, out, ...) \
	TSR_SPLIT_(#__VA_ARGS__, TSR_PREFIX_, x, dim, out, __VA_ARGS__, )
#define TSR_SPLIT_(text3, v_, x, dim, out, n, ...) \
	__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _3), text3, \
		"tsr_split: give the argument n, without a name") TSR_KW_(tsr_split_args, v_, \
		__VA_ARGS__) tsr_split_at(TSR_HERE, x, dim, out, n, &v_); })
#define tsr_pad(x, low, high, ...) TSR_PAD_(#low, #high, TSR_PREFIX_, x, low, high, __VA_ARGS__, )
#define TSR_PAD_(text1, text2, v_, x, low, high, number, ...) \
	tsr_result_(__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_pad: write the argument low as TSR_DIMS(2, 3)") TSR_LET_DIMS_(v_, _1, low, \
		"tsr_pad: write the argument low as TSR_DIMS(2, 3)") TSR_CHECK_TEXT_(TSR_CAT_(v_, \
		_2), text2, "tsr_pad: write the argument high as TSR_DIMS(2, 3)") \
		TSR_LET_DIMS_(v_, _2, high, "tsr_pad: write the argument high as TSR_DIMS(2, 3)") \
		TSR_LET_(v_, _3, TSR_GIVEN_(tsr_pad_needs_the_argument_number, number)) \
		TSR_KW_(tsr_pad_args, v_, __VA_ARGS__) tsr_pad_at(TSR_HERE, x, TSR_CAT_(v_, _1), \
		TSR_CAT_(v_, _2), TSR_NUMBER_PICK_(TSR_CAT_(v_, _3)), &v_); }))
#define tsr_slice(x, dim, start, stop) tsr_slice_at(TSR_HERE, x, dim, start, stop)
#define tsr_slice_strided(x, starts, ...) \
	TSR_SLICE_STRIDED_(#starts, #__VA_ARGS__, TSR_PREFIX_, x, starts, __VA_ARGS__, )
#define TSR_SLICE_STRIDED_(text1, text2, v_, x, starts, stops, ...) \
	tsr_result_(__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_slice_strided: write the argument starts as TSR_DIMS(2, 3)") \
		TSR_LET_DIMS_(v_, _1, starts, \
		"tsr_slice_strided: write the argument starts as TSR_DIMS(2, 3)") \
		TSR_CHECK_TEXT_(TSR_CAT_(v_, _2), text2, \
		"tsr_slice_strided: write the argument stops as TSR_DIMS(2, 3)") TSR_LET_DIMS_(v_, \
		_2, stops, "tsr_slice_strided: write the argument stops as TSR_DIMS(2, 3)") \
		TSR_KW_(tsr_slice_args, v_, __VA_ARGS__) tsr_slice_strided_at(TSR_HERE, x, \
		TSR_CAT_(v_, _1), TSR_CAT_(v_, _2), &v_); }))
#define tsr_index(x, dim, i) tsr_index_at(TSR_HERE, x, dim, i)
#define tsr_dynamic_slice(x, dim, start, size) TSR_DYNAMIC_SLICE_(TSR_PREFIX_, x, dim, start, size)
#define TSR_DYNAMIC_SLICE_(v_, x, dim, start, size) \
	tsr_result_(__extension__({ TSR_LET_(v_, _2, start) tsr_dynamic_slice_at(TSR_HERE, x, dim, \
		TSR_OPERAND_PICK_(TSR_CAT_(v_, _2)), size); }))
#define tsr_dynamic_update(x, update, dim, start) \
	TSR_DYNAMIC_UPDATE_(TSR_PREFIX_, x, update, dim, start)
#define TSR_DYNAMIC_UPDATE_(v_, x, update, dim, start) \
	tsr_result_(__extension__({ TSR_LET_(v_, _3, start) tsr_dynamic_update_at(TSR_HERE, x, \
		update, dim, TSR_OPERAND_PICK_(TSR_CAT_(v_, _3))); }))
#define tsr_dynamic_slice_dims(x, ...) \
	TSR_CAT_(TSR_DYNAMIC_SLICE_DIMS_, TSR_1N_(__VA_ARGS__))(TSR_PREFIX_, x, __VA_ARGS__)
#define TSR_DYNAMIC_SLICE_DIMS_1_(v_, x, sizes) \
	tsr_result_(__extension__({ tsr_dynamic_slice_dims_at(TSR_HERE, x, sizes, NULL, 0); }))
#define TSR_DYNAMIC_SLICE_DIMS_N_(v_, x, sizes, ...) \
	tsr_result_(__extension__({ TSR_LETS_(v_, __VA_ARGS__) tsr_dynamic_slice_dims_at(TSR_HERE, \
		x, sizes, TSR_PICKS_(TSR_ARG_PICK_, v_, __VA_ARGS__)); }))
#define tsr_dynamic_update_dims(x, ...) \
	TSR_CAT_(TSR_DYNAMIC_UPDATE_DIMS_, TSR_1N_(__VA_ARGS__))(TSR_PREFIX_, x, __VA_ARGS__)
#define TSR_DYNAMIC_UPDATE_DIMS_1_(v_, x, update) \
	tsr_result_(__extension__({ tsr_dynamic_update_dims_at(TSR_HERE, x, update, NULL, 0); }))
#define TSR_DYNAMIC_UPDATE_DIMS_N_(v_, x, update, ...) \
	tsr_result_(__extension__({ TSR_LETS_(v_, __VA_ARGS__) \
		tsr_dynamic_update_dims_at(TSR_HERE, x, update, TSR_PICKS_(TSR_ARG_PICK_, v_, \
		__VA_ARGS__)); }))
#define tsr_dynamic_index(x, dim, i) TSR_DYNAMIC_INDEX_(TSR_PREFIX_, x, dim, i)
#define TSR_DYNAMIC_INDEX_(v_, x, dim, i) \
	tsr_result_(__extension__({ TSR_LET_(v_, _2, i) tsr_dynamic_index_at(TSR_HERE, x, dim, \
		TSR_OPERAND_PICK_(TSR_CAT_(v_, _2))); }))
#define tsr_take(x, dim, ...) TSR_TAKE_(TSR_PREFIX_, x, dim, __VA_ARGS__, )
#define TSR_TAKE_(v_, x, dim, indices, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_index_args, v_, __VA_ARGS__) tsr_take_at(TSR_HERE, \
		x, dim, TSR_GIVEN_(tsr_take_needs_the_argument_indices, indices), &v_); }))
#define tsr_take_along(x, dim, ...) TSR_TAKE_ALONG_(TSR_PREFIX_, x, dim, __VA_ARGS__, )
#define TSR_TAKE_ALONG_(v_, x, dim, indices, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_index_args, v_, __VA_ARGS__) \
		tsr_take_along_at(TSR_HERE, x, dim, \
		TSR_GIVEN_(tsr_take_along_needs_the_argument_indices, indices), &v_); }))
#define tsr_at_set(x, dim, indices, ...) TSR_AT_SET_(TSR_PREFIX_, x, dim, indices, __VA_ARGS__, )
#define TSR_AT_SET_(v_, x, dim, indices, updates, ...) \
	tsr_result_(__extension__({ TSR_LET_(v_, _3, \
		TSR_GIVEN_(tsr_at_set_needs_the_argument_updates, updates)) \
		TSR_KW_(tsr_index_args, v_, __VA_ARGS__) tsr_at_set_at(TSR_HERE, x, dim, indices, \
		TSR_OPERAND_PICK_(TSR_CAT_(v_, _3)), &v_); }))
#define tsr_at_add(x, dim, indices, ...) TSR_AT_ADD_(TSR_PREFIX_, x, dim, indices, __VA_ARGS__, )
#define TSR_AT_ADD_(v_, x, dim, indices, updates, ...) \
	tsr_result_(__extension__({ TSR_LET_(v_, _3, \
		TSR_GIVEN_(tsr_at_add_needs_the_argument_updates, updates)) \
		TSR_KW_(tsr_index_args, v_, __VA_ARGS__) tsr_at_add_at(TSR_HERE, x, dim, indices, \
		TSR_OPERAND_PICK_(TSR_CAT_(v_, _3)), &v_); }))
#define tsr_at_mul(x, dim, indices, ...) TSR_AT_MUL_(TSR_PREFIX_, x, dim, indices, __VA_ARGS__, )
#define TSR_AT_MUL_(v_, x, dim, indices, updates, ...) \
	tsr_result_(__extension__({ TSR_LET_(v_, _3, \
		TSR_GIVEN_(tsr_at_mul_needs_the_argument_updates, updates)) \
		TSR_KW_(tsr_index_args, v_, __VA_ARGS__) tsr_at_mul_at(TSR_HERE, x, dim, indices, \
		TSR_OPERAND_PICK_(TSR_CAT_(v_, _3)), &v_); }))
#define tsr_at_min(x, dim, indices, ...) TSR_AT_MIN_(TSR_PREFIX_, x, dim, indices, __VA_ARGS__, )
#define TSR_AT_MIN_(v_, x, dim, indices, updates, ...) \
	tsr_result_(__extension__({ TSR_LET_(v_, _3, \
		TSR_GIVEN_(tsr_at_min_needs_the_argument_updates, updates)) \
		TSR_KW_(tsr_index_args, v_, __VA_ARGS__) tsr_at_min_at(TSR_HERE, x, dim, indices, \
		TSR_OPERAND_PICK_(TSR_CAT_(v_, _3)), &v_); }))
#define tsr_at_max(x, dim, indices, ...) TSR_AT_MAX_(TSR_PREFIX_, x, dim, indices, __VA_ARGS__, )
#define TSR_AT_MAX_(v_, x, dim, indices, updates, ...) \
	tsr_result_(__extension__({ TSR_LET_(v_, _3, \
		TSR_GIVEN_(tsr_at_max_needs_the_argument_updates, updates)) \
		TSR_KW_(tsr_index_args, v_, __VA_ARGS__) tsr_at_max_at(TSR_HERE, x, dim, indices, \
		TSR_OPERAND_PICK_(TSR_CAT_(v_, _3)), &v_); }))
#define tsr_gather(x, indices, ...) \
	TSR_GATHER_(#__VA_ARGS__, TSR_PREFIX_, x, indices, __VA_ARGS__, )
#define TSR_GATHER_(text2, v_, x, indices, slice_sizes, ...) \
	tsr_result_(__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _2), text2, \
		"tsr_gather: write the argument slice_sizes as TSR_DIMS(2, 3)") TSR_LET_DIMS_(v_, \
		_2, slice_sizes, "tsr_gather: write the argument slice_sizes as TSR_DIMS(2, 3)") \
		TSR_KW_(tsr_gather_args, v_, __VA_ARGS__) tsr_gather_at(TSR_HERE, x, indices, \
		TSR_CAT_(v_, _2), &v_); }))
#define tsr_scatter(x, indices, ...) TSR_SCATTER_(TSR_PREFIX_, x, indices, __VA_ARGS__, )
#define TSR_SCATTER_(v_, x, indices, updates, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_scatter_args, v_, __VA_ARGS__) \
		tsr_scatter_at(TSR_HERE, x, indices, \
		TSR_GIVEN_(tsr_scatter_needs_the_argument_updates, updates), &v_); }))
#define tsr_sum(...) TSR_SUM_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_SUM_(v_, x, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_sum_args, v_, __VA_ARGS__) tsr_sum_at(TSR_HERE, x, \
		&v_); }))
#define tsr_prod(...) TSR_PROD_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_PROD_(v_, x, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_sum_args, v_, __VA_ARGS__) tsr_prod_at(TSR_HERE, \
		x, &v_); }))
#define tsr_max(...) TSR_MAX_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_MAX_(v_, x, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_reduce_args, v_, __VA_ARGS__) tsr_max_at(TSR_HERE, \
		x, &v_); }))
#define tsr_min(...) TSR_MIN_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_MIN_(v_, x, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_reduce_args, v_, __VA_ARGS__) tsr_min_at(TSR_HERE, \
		x, &v_); }))
#define tsr_all(...) TSR_ALL_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_ALL_(v_, x, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_all_args, v_, __VA_ARGS__) tsr_all_at(TSR_HERE, x, \
		&v_); }))
#define tsr_any(...) TSR_ANY_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_ANY_(v_, x, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_all_args, v_, __VA_ARGS__) tsr_any_at(TSR_HERE, x, \
		&v_); }))
#define tsr_reduce_and(...) TSR_REDUCE_AND_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_REDUCE_AND_(v_, x, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_dims_args, v_, __VA_ARGS__) \
		tsr_reduce_and_at(TSR_HERE, x, &v_); }))
#define tsr_reduce_or(...) TSR_REDUCE_OR_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_REDUCE_OR_(v_, x, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_dims_args, v_, __VA_ARGS__) \
		tsr_reduce_or_at(TSR_HERE, x, &v_); }))
#define tsr_reduce_xor(...) TSR_REDUCE_XOR_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_REDUCE_XOR_(v_, x, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_dims_args, v_, __VA_ARGS__) \
		tsr_reduce_xor_at(TSR_HERE, x, &v_); }))
#define tsr_mean(...) TSR_MEAN_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_MEAN_(v_, x, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_mean_args, v_, __VA_ARGS__) tsr_mean_at(TSR_HERE, \
		x, &v_); }))
#define tsr_logsumexp(...) TSR_LOGSUMEXP_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_LOGSUMEXP_(v_, x, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_logsumexp_args, v_, __VA_ARGS__) \
		tsr_logsumexp_at(TSR_HERE, x, &v_); }))
#define tsr_argmax(...) TSR_ARGMAX_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_ARGMAX_(v_, x, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_arg_args, v_, __VA_ARGS__) tsr_argmax_at(TSR_HERE, \
		x, &v_); }))
#define tsr_argmin(...) TSR_ARGMIN_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_ARGMIN_(v_, x, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_arg_args, v_, __VA_ARGS__) tsr_argmin_at(TSR_HERE, \
		x, &v_); }))
#define tsr_sort(...) TSR_SORT_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_SORT_(v_, x, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_sort_args, v_, __VA_ARGS__) tsr_sort_at(TSR_HERE, \
		x, &v_); }))
#define tsr_argsort(...) TSR_ARGSORT_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_ARGSORT_(v_, x, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_argsort_args, v_, __VA_ARGS__) \
		tsr_argsort_at(TSR_HERE, x, &v_); }))
#define tsr_sort_operands(x, out, ...) \
	TSR_SORT_OPERANDS_(#__VA_ARGS__, TSR_PREFIX_, x, out, __VA_ARGS__, )
#define TSR_SORT_OPERANDS_(text2, v_, x, out, n, ...) \
	__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _2), text2, \
		"tsr_sort_operands: give the argument n, without a name") \
		TSR_KW_(tsr_sort_operands_args, v_, __VA_ARGS__) tsr_sort_operands_at(TSR_HERE, x, \
		out, n, &v_); })
#define tsr_top_k(x, k, ...) TSR_TOP_K_(#__VA_ARGS__, TSR_PREFIX_, x, k, __VA_ARGS__, )
#define TSR_TOP_K_(text2, v_, x, k, out, ...) \
	__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _2), text2, \
		"tsr_top_k: give the argument out, without a name") TSR_KW_(tsr_top_k_args, v_, \
		__VA_ARGS__) tsr_top_k_at(TSR_HERE, x, k, out, &v_); })
#define tsr_cumsum(...) TSR_CUMSUM_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_CUMSUM_(v_, x, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_cumsum_args, v_, __VA_ARGS__) \
		tsr_cumsum_at(TSR_HERE, x, &v_); }))
#define tsr_cumprod(...) TSR_CUMPROD_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_CUMPROD_(v_, x, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_cumsum_args, v_, __VA_ARGS__) \
		tsr_cumprod_at(TSR_HERE, x, &v_); }))
#define tsr_nancumsum(...) TSR_NANCUMSUM_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_NANCUMSUM_(v_, x, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_cumsum_args, v_, __VA_ARGS__) \
		tsr_nancumsum_at(TSR_HERE, x, &v_); }))
#define tsr_nancumprod(...) TSR_NANCUMPROD_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_NANCUMPROD_(v_, x, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_cumsum_args, v_, __VA_ARGS__) \
		tsr_nancumprod_at(TSR_HERE, x, &v_); }))
#define tsr_cumulative_sum(...) TSR_CUMULATIVE_SUM_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_CUMULATIVE_SUM_(v_, x, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_cumulative_args, v_, __VA_ARGS__) \
		tsr_cumulative_sum_at(TSR_HERE, x, &v_); }))
#define tsr_cumulative_prod(...) TSR_CUMULATIVE_PROD_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_CUMULATIVE_PROD_(v_, x, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_cumulative_args, v_, __VA_ARGS__) \
		tsr_cumulative_prod_at(TSR_HERE, x, &v_); }))
#define tsr_cummax(...) TSR_CUMMAX_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_CUMMAX_(v_, x, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_cummax_args, v_, __VA_ARGS__) \
		tsr_cummax_at(TSR_HERE, x, &v_); }))
#define tsr_cummin(...) TSR_CUMMIN_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_CUMMIN_(v_, x, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_cummax_args, v_, __VA_ARGS__) \
		tsr_cummin_at(TSR_HERE, x, &v_); }))
#define tsr_cumlogsumexp(...) TSR_CUMLOGSUMEXP_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_CUMLOGSUMEXP_(v_, x, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_cummax_args, v_, __VA_ARGS__) \
		tsr_cumlogsumexp_at(TSR_HERE, x, &v_); }))
#define tsr_reduce_window(x, combine, ...) \
	TSR_REDUCE_WINDOW_(#__VA_ARGS__, TSR_PREFIX_, x, combine, __VA_ARGS__, )
#define TSR_REDUCE_WINDOW_(text2, v_, x, combine, window, ...) \
	tsr_result_(__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _2), text2, \
		"tsr_reduce_window: write the argument window as TSR_DIMS(2, 3)") \
		TSR_LET_DIMS_(v_, _2, window, \
		"tsr_reduce_window: write the argument window as TSR_DIMS(2, 3)") \
		TSR_KW_(tsr_window_args, v_, __VA_ARGS__) tsr_reduce_window_at(TSR_HERE, x, \
		combine, TSR_CAT_(v_, _2), &v_); }))
#define tsr_max_pool(x, ...) TSR_MAX_POOL_(#__VA_ARGS__, TSR_PREFIX_, x, __VA_ARGS__, )
#define TSR_MAX_POOL_(text1, v_, x, window, ...) \
	tsr_result_(__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_max_pool: write the argument window as TSR_DIMS(2, 3)") TSR_LET_DIMS_(v_, _1, \
		window, "tsr_max_pool: write the argument window as TSR_DIMS(2, 3)") \
		TSR_KW_(tsr_pool_args, v_, __VA_ARGS__) tsr_max_pool_at(TSR_HERE, x, TSR_CAT_(v_, \
		_1), &v_); }))
#define tsr_min_pool(x, ...) TSR_MIN_POOL_(#__VA_ARGS__, TSR_PREFIX_, x, __VA_ARGS__, )
#define TSR_MIN_POOL_(text1, v_, x, window, ...) \
	tsr_result_(__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_min_pool: write the argument window as TSR_DIMS(2, 3)") TSR_LET_DIMS_(v_, _1, \
		window, "tsr_min_pool: write the argument window as TSR_DIMS(2, 3)") \
		TSR_KW_(tsr_pool_args, v_, __VA_ARGS__) tsr_min_pool_at(TSR_HERE, x, TSR_CAT_(v_, \
		_1), &v_); }))
#define tsr_avg_pool(x, ...) TSR_AVG_POOL_(#__VA_ARGS__, TSR_PREFIX_, x, __VA_ARGS__, )
#define TSR_AVG_POOL_(text1, v_, x, window, ...) \
	tsr_result_(__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_avg_pool: write the argument window as TSR_DIMS(2, 3)") TSR_LET_DIMS_(v_, _1, \
		window, "tsr_avg_pool: write the argument window as TSR_DIMS(2, 3)") \
		TSR_KW_(tsr_pool_args, v_, __VA_ARGS__) tsr_avg_pool_at(TSR_HERE, x, TSR_CAT_(v_, \
		_1), &v_); }))
#define tsr_conv_general_dilated(lhs, ...) \
	TSR_CONV_GENERAL_DILATED_(TSR_PREFIX_, lhs, __VA_ARGS__, )
#define TSR_CONV_GENERAL_DILATED_(v_, lhs, rhs, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_conv_args, v_, __VA_ARGS__) \
		tsr_conv_general_dilated_at(TSR_HERE, lhs, \
		TSR_GIVEN_(tsr_conv_general_dilated_needs_the_argument_rhs, rhs), &v_); }))
#define tsr_conv_general_dilated_patches(lhs, ...) \
	TSR_CONV_GENERAL_DILATED_PATCHES_(#__VA_ARGS__, TSR_PREFIX_, lhs, __VA_ARGS__, )
#define TSR_CONV_GENERAL_DILATED_PATCHES_(text1, v_, lhs, window, ...) \
	tsr_result_(__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_conv_general_dilated_patches: write the argument window as TSR_DIMS(2, 3)") \
		TSR_LET_DIMS_(v_, _1, window, \
		"tsr_conv_general_dilated_patches: write the argument window as TSR_DIMS(2, 3)") \
		TSR_KW_(tsr_conv_args, v_, __VA_ARGS__) \
		tsr_conv_general_dilated_patches_at(TSR_HERE, lhs, TSR_CAT_(v_, _1), &v_); }))
#define tsr_conv_general_dilated_local(lhs, rhs, ...) \
	TSR_CONV_GENERAL_DILATED_LOCAL_(#__VA_ARGS__, TSR_PREFIX_, lhs, rhs, __VA_ARGS__, )
#define TSR_CONV_GENERAL_DILATED_LOCAL_(text2, v_, lhs, rhs, window, ...) \
	tsr_result_(__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _2), text2, \
		"tsr_conv_general_dilated_local: write the argument window as TSR_DIMS(2, 3)") \
		TSR_LET_DIMS_(v_, _2, window, \
		"tsr_conv_general_dilated_local: write the argument window as TSR_DIMS(2, 3)") \
		TSR_KW_(tsr_conv_args, v_, __VA_ARGS__) \
		tsr_conv_general_dilated_local_at(TSR_HERE, lhs, rhs, TSR_CAT_(v_, _2), &v_); }))
#define tsr_conv_transpose(lhs, ...) TSR_CONV_TRANSPOSE_(TSR_PREFIX_, lhs, __VA_ARGS__, )
#define TSR_CONV_TRANSPOSE_(v_, lhs, rhs, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_conv_transpose_args, v_, __VA_ARGS__) \
		tsr_conv_transpose_at(TSR_HERE, lhs, \
		TSR_GIVEN_(tsr_conv_transpose_needs_the_argument_rhs, rhs), &v_); }))
#define tsr_convolve(a, ...) TSR_CONVOLVE_(TSR_PREFIX_, a, __VA_ARGS__, )
#define TSR_CONVOLVE_(v_, a, v, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_convolve_args, v_, __VA_ARGS__) \
		tsr_convolve_at(TSR_HERE, a, TSR_GIVEN_(tsr_convolve_needs_the_argument_v, v), \
		&v_); }))
#define tsr_correlate(a, ...) TSR_CORRELATE_(TSR_PREFIX_, a, __VA_ARGS__, )
#define TSR_CORRELATE_(v_, a, v, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_convolve_args, v_, __VA_ARGS__) \
		tsr_correlate_at(TSR_HERE, a, TSR_GIVEN_(tsr_correlate_needs_the_argument_v, v), \
		&v_); }))
#define tsr_threefry2x32(key0, key1, x0, x1, out) \
	TSR_THREEFRY2X32_(TSR_PREFIX_, key0, key1, x0, x1, out)
#define TSR_THREEFRY2X32_(v_, key0, key1, x0, x1, out) \
	__extension__({ TSR_LET_(v_, _0, key0) TSR_LET_(v_, _1, key1) TSR_LET_(v_, _2, x0) \
		TSR_LET_(v_, _3, x1) tsr_threefry2x32_at(TSR_HERE, TSR_OPERAND_PICK_(TSR_CAT_(v_, \
		_0)), TSR_OPERAND_PICK_(TSR_CAT_(v_, _1)), TSR_OPERAND_PICK_(TSR_CAT_(v_, _2)), \
		TSR_OPERAND_PICK_(TSR_CAT_(v_, _3)), out); })
#define tsr_iota(ctx, dims, ...) \
	TSR_IOTA_(#dims, #__VA_ARGS__, TSR_PREFIX_, ctx, dims, __VA_ARGS__, )
#define TSR_IOTA_(text1, text2, v_, ctx, dims, dim, ...) \
	tsr_result_(__extension__({ TSR_LET_(v_, _0, ctx) TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_iota: write the argument dims as TSR_DIMS(2, 3)") TSR_LET_DIMS_(v_, _1, dims, \
		"tsr_iota: write the argument dims as TSR_DIMS(2, 3)") \
		TSR_CHECK_TEXT_(TSR_CAT_(v_, _2), text2, \
		"tsr_iota: give the argument dim, without a name") TSR_KW_(tsr_iota_args, v_, \
		__VA_ARGS__) tsr_iota_at(TSR_HERE, TSR_CTX_PICK_(TSR_CAT_(v_, _0)), TSR_CAT_(v_, \
		_1), dim, &v_); }))

/** tsr_concatenate() of the n arrays in a list: tsr_concatenate_list(0, parts, n). */
#define tsr_concatenate_list(dim, x, n) tsr_concatenate_at(TSR_HERE, dim, x, n)
/** tsr_stack() of the n arrays in a list: tsr_stack_list(0, rows, n). */
#define tsr_stack_list(dim, x, n) tsr_stack_at(TSR_HERE, dim, x, n)
#endif

#endif
