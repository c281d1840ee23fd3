"""ops.py - the functions of tsr/ops.h; tools/make_bindings.py made it of api/."""
from .._call import code, context_of, dims, enum, operands2, operands3, places
from .._lib import FLAT, lib
from .._types import Any, Array, ArrayLike, Choice, DTypeLike, Dims, List, Optional, Sequence

__all__ = ["abs", "acos", "acosh", "add", "all", "any", "argmax", "argmin", "argsort", "asin",
           "asinh", "astype", "at_add", "at_max", "at_min", "at_mul", "at_set", "atan", "atan2",
           "atanh", "avg_pool", "bessel_i0e", "bessel_i1e", "betainc", "bitcast_convert_type",
           "bitwise_and", "bitwise_not", "bitwise_or", "bitwise_xor", "broadcast_in_dim",
           "broadcast_to", "cbrt", "ceil", "clamp", "clz", "complex", "concatenate", "conj",
           "conv_general_dilated", "conv_general_dilated_local", "conv_general_dilated_patches",
           "conv_transpose", "convolve", "copy", "correlate", "cos", "cosh", "cumlogsumexp",
           "cummax", "cummin", "cumprod", "cumsum", "cumulative_prod", "cumulative_sum", "digamma",
           "div", "dot", "dot_general", "dynamic_index", "dynamic_slice", "dynamic_slice_dims",
           "dynamic_update", "dynamic_update_dims", "eq", "erf", "erf_inv", "erfc", "exp", "exp2",
           "expand_dims", "expm1", "floor", "fma", "gather", "ge", "gt", "igamma", "igamma_grad_a",
           "igammac", "imag", "integer_pow", "iota", "is_finite", "isnan", "le", "lgamma", "log",
           "log1p", "logical_and", "logical_not", "logical_or", "logistic", "logsumexp", "lt",
           "matmul", "max", "max_pool", "maximum", "mean", "min", "min_pool", "minimum", "mul",
           "nancumprod", "nancumsum", "ne", "neg", "nextafter", "polygamma", "population_count",
           "pow", "prod", "random_gamma_grad", "ravel", "real", "reduce_and", "reduce_or",
           "reduce_precision", "reduce_window", "reduce_xor", "relu", "rem", "reshape", "round",
           "rsqrt", "scatter", "shift_left", "shift_right", "sign", "sin", "sinh", "slice",
           "slice_strided", "sort", "sort_operands", "sqrt", "square", "squeeze", "stack",
           "stop_gradient", "sub", "sum", "t", "take", "take_along", "tan", "tanh", "threefry2x32",
           "top_k", "transpose", "where", "zeta"]

_neg = lib.tsr_neg_at
_sign = lib.tsr_sign_at
_abs = lib.tsr_abs_at
_floor = lib.tsr_floor_at
_ceil = lib.tsr_ceil_at
_round = lib.tsr_round_at
_exp = lib.tsr_exp_at
_exp2 = lib.tsr_exp2_at
_expm1 = lib.tsr_expm1_at
_log = lib.tsr_log_at
_log1p = lib.tsr_log1p_at
_sqrt = lib.tsr_sqrt_at
_rsqrt = lib.tsr_rsqrt_at
_square = lib.tsr_square_at
_tanh = lib.tsr_tanh_at
_logistic = lib.tsr_logistic_at
_sin = lib.tsr_sin_at
_cos = lib.tsr_cos_at
_tan = lib.tsr_tan_at
_asin = lib.tsr_asin_at
_acos = lib.tsr_acos_at
_atan = lib.tsr_atan_at
_sinh = lib.tsr_sinh_at
_cosh = lib.tsr_cosh_at
_asinh = lib.tsr_asinh_at
_acosh = lib.tsr_acosh_at
_atanh = lib.tsr_atanh_at
_cbrt = lib.tsr_cbrt_at
_erf = lib.tsr_erf_at
_erfc = lib.tsr_erfc_at
_erf_inv = lib.tsr_erf_inv_at
_lgamma = lib.tsr_lgamma_at
_digamma = lib.tsr_digamma_at
_bessel_i0e = lib.tsr_bessel_i0e_at
_bessel_i1e = lib.tsr_bessel_i1e_at
_is_finite = lib.tsr_is_finite_at
_isnan = lib.tsr_isnan_at
_bitwise_not = lib.tsr_bitwise_not_at
_population_count = lib.tsr_population_count_at
_clz = lib.tsr_clz_at
_real = lib.tsr_real_at
_imag = lib.tsr_imag_at
_conj = lib.tsr_conj_at
_reduce_precision = lib.tsr_reduce_precision_at
_bitcast_convert_type = lib.tsr_bitcast_convert_type_at
_logical_not = lib.tsr_logical_not_at
_relu = lib.tsr_relu_at
_copy = lib.tsr_copy_at
_stop_gradient = lib.tsr_stop_gradient_at
_t = lib.tsr_t_at
_ravel = lib.tsr_ravel_at
_integer_pow = lib.tsr_integer_pow_at
_astype = lib.tsr_astype_at
_add = lib.tsr_add_at
_sub = lib.tsr_sub_at
_mul = lib.tsr_mul_at
_div = lib.tsr_div_at
_rem = lib.tsr_rem_at
_pow = lib.tsr_pow_at
_atan2 = lib.tsr_atan2_at
_zeta = lib.tsr_zeta_at
_polygamma = lib.tsr_polygamma_at
_igamma = lib.tsr_igamma_at
_igammac = lib.tsr_igammac_at
_igamma_grad_a = lib.tsr_igamma_grad_a_at
_random_gamma_grad = lib.tsr_random_gamma_grad_at
_nextafter = lib.tsr_nextafter_at
_complex = lib.tsr_complex_at
_maximum = lib.tsr_maximum_at
_minimum = lib.tsr_minimum_at
_bitwise_and = lib.tsr_bitwise_and_at
_bitwise_or = lib.tsr_bitwise_or_at
_bitwise_xor = lib.tsr_bitwise_xor_at
_shift_left = lib.tsr_shift_left_at
_shift_right = lib.tsr_shift_right_at
_eq = lib.tsr_eq_at
_ne = lib.tsr_ne_at
_lt = lib.tsr_lt_at
_le = lib.tsr_le_at
_gt = lib.tsr_gt_at
_ge = lib.tsr_ge_at
_logical_and = lib.tsr_logical_and_at
_logical_or = lib.tsr_logical_or_at
_fma = lib.tsr_fma_at
_betainc = lib.tsr_betainc_at
_where = lib.tsr_where_at
_clamp = lib.tsr_clamp_at
_dot = lib.tsr_dot_at
_matmul = lib.tsr_matmul_at
_dot_general = lib.tsr_dot_general_at
_reshape = lib.tsr_reshape_at
_transpose = lib.tsr_transpose_at
_broadcast_to = lib.tsr_broadcast_to_at
_broadcast_in_dim = lib.tsr_broadcast_in_dim_at
_squeeze = lib.tsr_squeeze_at
_expand_dims = lib.tsr_expand_dims_at
_concatenate = lib.tsr_concatenate_at
_stack = lib.tsr_stack_at
_slice = lib.tsr_slice_at
_slice_strided = lib.tsr_slice_strided_at
_dynamic_slice = lib.tsr_dynamic_slice_at
_dynamic_update = lib.tsr_dynamic_update_at
_dynamic_slice_dims = lib.tsr_dynamic_slice_dims_at
_dynamic_update_dims = lib.tsr_dynamic_update_dims_at
_dynamic_index = lib.tsr_dynamic_index_at
_take = lib.tsr_take_at
_take_along = lib.tsr_take_along_at
_at_set = lib.tsr_at_set_at
_at_add = lib.tsr_at_add_at
_at_mul = lib.tsr_at_mul_at
_at_min = lib.tsr_at_min_at
_at_max = lib.tsr_at_max_at
_gather = lib.tsr_gather_at
_scatter = lib.tsr_scatter_at
_sum = lib.tsr_sum_at
_prod = lib.tsr_prod_at
_max = lib.tsr_max_at
_min = lib.tsr_min_at
_all = lib.tsr_all_at
_any = lib.tsr_any_at
_reduce_and = lib.tsr_reduce_and_at
_reduce_or = lib.tsr_reduce_or_at
_reduce_xor = lib.tsr_reduce_xor_at
_mean = lib.tsr_mean_at
_logsumexp = lib.tsr_logsumexp_at
_argmax = lib.tsr_argmax_at
_argmin = lib.tsr_argmin_at
_sort = lib.tsr_sort_at
_argsort = lib.tsr_argsort_at
_sort_operands = lib.tsr_sort_operands_at
_top_k = lib.tsr_top_k_at
_cumsum = lib.tsr_cumsum_at
_cumprod = lib.tsr_cumprod_at
_nancumsum = lib.tsr_nancumsum_at
_nancumprod = lib.tsr_nancumprod_at
_cumulative_sum = lib.tsr_cumulative_sum_at
_cumulative_prod = lib.tsr_cumulative_prod_at
_cummax = lib.tsr_cummax_at
_cummin = lib.tsr_cummin_at
_cumlogsumexp = lib.tsr_cumlogsumexp_at
_reduce_window = lib.tsr_reduce_window_at
_max_pool = lib.tsr_max_pool_at
_min_pool = lib.tsr_min_pool_at
_avg_pool = lib.tsr_avg_pool_at
_conv_general_dilated = lib.tsr_conv_general_dilated_at
_conv_general_dilated_patches = lib.tsr_conv_general_dilated_patches_at
_conv_general_dilated_local = lib.tsr_conv_general_dilated_local_at
_conv_transpose = lib.tsr_conv_transpose_at
_convolve = lib.tsr_convolve_at
_correlate = lib.tsr_correlate_at
_threefry2x32 = lib.tsr_threefry2x32_at
_iota = lib.tsr_iota_at


def neg(x: ArrayLike) -> Array:
    """-x for each element, in the dtype of x; unsigned integers wrap. Not bool."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_neg(c.place(), x._h))


def sign(x: ArrayLike) -> Array:
    """-1, 0 or 1 by the sign of x; NaN stays NaN; complex: x / |x|, 0 at 0. Not bool."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_sign(c.place(), x._h))


def abs(x: ArrayLike) -> Array:
    """|x|; the smallest signed integer stays itself; complex gives the real dtype."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_abs(c.place(), x._h))


def floor(x: ArrayLike) -> Array:
    """The largest whole number <= x; integers are left as they are."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_floor(c.place(), x._h))


def ceil(x: ArrayLike) -> Array:
    """The smallest whole number >= x; integers are left as they are."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_ceil(c.place(), x._h))


def round(x: ArrayLike, decimals: Optional[int] = None) -> Array:
    """The nearest whole number, ties to even; integers are left as they are; complex: each part.
    round(x, decimals=2) is round(100 x) / 100, and x itself if the dtype cannot hold the power of
    ten. Error (Error.ERROR_UNSUPPORTED): integers and negative decimals."""
    c = context_of(x)
    x = c.handle(x)
    args = c.record("tsr_round_args", decimals=decimals)
    return c.array(_round(c.place(), x._h, args))


def exp(x: ArrayLike) -> Array:
    """e to the power x, a float or a complex number: exp(x)."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_exp(c.place(), x._h))


def exp2(x: ArrayLike) -> Array:
    """2 to the power x for each element: exp2(x)."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_exp2(c.place(), x._h))


def expm1(x: ArrayLike) -> Array:
    """e^x - 1 for each element, exact where x is near 0."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_expm1(c.place(), x._h))


def log(x: ArrayLike) -> Array:
    """The natural logarithm of x: -inf at 0, NaN below."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_log(c.place(), x._h))


def log1p(x: ArrayLike) -> Array:
    """log(1 + x) for each element, exact where x is near 0."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_log1p(c.place(), x._h))


def sqrt(x: ArrayLike) -> Array:
    """The square root of x, rounded once; NaN below 0."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_sqrt(c.place(), x._h))


def rsqrt(x: ArrayLike) -> Array:
    """1 / sqrt(x) for each element; infinite at 0, NaN below."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_rsqrt(c.place(), x._h))


def square(x: ArrayLike) -> Array:
    """x * x for each element, in the dtype of x; bool gives i32."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_square(c.place(), x._h))


def tanh(x: ArrayLike) -> Array:
    """The hyperbolic tangent of x, (e^x - e^-x) / (e^x + e^-x)."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_tanh(c.place(), x._h))


def logistic(x: ArrayLike) -> Array:
    """The logistic function 1 / (1 + e^-x) of each element, also called sigmoid."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_logistic(c.place(), x._h))


def sin(x: ArrayLike) -> Array:
    """The sine of each element of x, which is in radians."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_sin(c.place(), x._h))


def cos(x: ArrayLike) -> Array:
    """The cosine of each element of x, which is in radians."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_cos(c.place(), x._h))


def tan(x: ArrayLike) -> Array:
    """The tangent of each element of x, which is in radians."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_tan(c.place(), x._h))


def asin(x: ArrayLike) -> Array:
    """The angle whose sine is x, in radians; NaN for |x| > 1."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_asin(c.place(), x._h))


def acos(x: ArrayLike) -> Array:
    """The angle whose cosine is x, in radians; NaN for |x| > 1."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_acos(c.place(), x._h))


def atan(x: ArrayLike) -> Array:
    """The angle whose tangent is x, in radians, between -pi/2 and pi/2."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_atan(c.place(), x._h))


def sinh(x: ArrayLike) -> Array:
    """The hyperbolic sine (e^x - e^-x) / 2 of each element of x."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_sinh(c.place(), x._h))


def cosh(x: ArrayLike) -> Array:
    """The hyperbolic cosine (e^x + e^-x) / 2 of each element of x."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_cosh(c.place(), x._h))


def asinh(x: ArrayLike) -> Array:
    """The inverse hyperbolic sine of x, log(x + sqrt(x^2 + 1))."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_asinh(c.place(), x._h))


def acosh(x: ArrayLike) -> Array:
    """The inverse hyperbolic cosine of x, log(x + sqrt(x^2 - 1)); NaN for x < 1."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_acosh(c.place(), x._h))


def atanh(x: ArrayLike) -> Array:
    """The inverse hyperbolic tangent of x, log((1 + x) / (1 - x)) / 2; NaN for |x| > 1."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_atanh(c.place(), x._h))


def cbrt(x: ArrayLike) -> Array:
    """The cube root of x, negative where x is. Not complex."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_cbrt(c.place(), x._h))


def erf(x: ArrayLike) -> Array:
    """The error function, 2 / sqrt(pi) times the integral of e^-t^2 from 0 to x. Not complex."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_erf(c.place(), x._h))


def erfc(x: ArrayLike) -> Array:
    """1 - erf(x) for each element, exact where x is large. Not complex."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_erfc(c.place(), x._h))


def erf_inv(x: ArrayLike) -> Array:
    """The y with erf(y) = x; infinite at 1 and -1, NaN beyond. Not complex."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_erf_inv(c.place(), x._h))


def lgamma(x: ArrayLike) -> Array:
    """log |gamma(x)|; inf at 0 and below at whole numbers. Not complex."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_lgamma(c.place(), x._h))


def digamma(x: ArrayLike) -> Array:
    """The derivative of log gamma(x); NaN at 0 and below at whole numbers. Not complex."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_digamma(c.place(), x._h))


def bessel_i0e(x: ArrayLike) -> Array:
    """The modified Bessel function of order 0, times e^-|x|. Not complex."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_bessel_i0e(c.place(), x._h))


def bessel_i1e(x: ArrayLike) -> Array:
    """The modified Bessel function of order 1, times e^-|x|. Not complex."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_bessel_i1e(c.place(), x._h))


def is_finite(x: ArrayLike) -> Array:
    """Is x neither infinite nor NaN, in no part? bool."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_is_finite(c.place(), x._h))


def isnan(x: ArrayLike) -> Array:
    """Whether each element of x is a NaN, in any part: bool."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_isnan(c.place(), x._h))


def bitwise_not(x: ArrayLike) -> Array:
    """x with every bit turned over, in the dtype of x; of bool: not x. Integers and bool only."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_bitwise_not(c.place(), x._h))


def population_count(x: ArrayLike) -> Array:
    """How many bits are set, in the dtype of x. Integers only."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_population_count(c.place(), x._h))


def clz(x: ArrayLike) -> Array:
    """How many bits above the highest set one are 0, all of them for 0; in the dtype of x.
    Integers only."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_clz(c.place(), x._h))


def real(x: ArrayLike) -> Array:
    """The real part, in the real dtype; what is not complex is left as it is."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_real(c.place(), x._h))


def imag(x: ArrayLike) -> Array:
    """The imaginary part, in the real dtype; 0 of what is not complex."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_imag(c.place(), x._h))


def conj(x: ArrayLike) -> Array:
    """The complex conjugate; what is not complex is left as it is."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_conj(c.place(), x._h))


def reduce_precision(x: ArrayLike, exponent_bits: int, mantissa_bits: int) -> Array:
    """x as a float with so many bits of exponent and mantissa would hold it, in the dtype of x:
    too large numbers become infinite, those below the smallest normal one 0. bf16 of f32 x is
    reduce_precision(x, 8, 7). Floats only. Error (Error.ERROR_TYPE): exponent_bits < 1,
    mantissa_bits < 0."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_reduce_precision(c.place(), x._h, exponent_bits, mantissa_bits))


def bitcast_convert_type(x: ArrayLike, dtype: DTypeLike) -> Array:
    """The bits of x as numbers of another dtype. Narrower ones are in a new last dim, the lowest
    bits first; wider ones take the last dim of x, whose size must be how many make one
    (Error.ERROR_TYPE): f32[3] as u16 is u16[3,2], and back. Not bool, not complex.
    bitcast_convert_type(x, u32)"""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_bitcast_convert_type(c.place(), x._h, code(dtype)))


def logical_not(x: ArrayLike) -> Array:
    """Whether each element of x is 0 (false): x == 0, a bool."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_logical_not(c.place(), x._h))


def relu(x: ArrayLike) -> Array:
    """max(x, 0), with the derivative 0 at 0 and at NaN; NaN stays NaN. Not complex."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_relu(c.place(), x._h))


def copy(x: ArrayLike) -> Array:
    """x itself, as a handle of its own in the innermost scope: jnp's copy."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_copy(c.place(), x._h))


def stop_gradient(x: ArrayLike) -> Array:
    """x itself, which derivatives treat as a constant: stop_gradient(targets)."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_stop_gradient(c.place(), x._h))


def t(x: ArrayLike) -> Array:
    """The dims of x in reverse order: a matrix is transposed."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_t(c.place(), x._h))


def ravel(x: ArrayLike) -> Array:
    """All elements of x, row-major, in one dim: [size]."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_ravel(c.place(), x._h))


def integer_pow(x: ArrayLike, n: int) -> Array:
    """x^n by repeated squaring; n < 0: 1 / x^-n, not for integers. integer_pow(x, 3)"""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_integer_pow(c.place(), x._h, n))


def astype(x: ArrayLike, dtype: DTypeLike) -> Array:
    """x as another dtype: astype(x, f16). Float to integer truncates and saturates, NaN gives 0;
    to bool is x != 0; integer to integer wraps; complex to real drops the imaginary part."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_astype(c.place(), x._h, code(dtype)))


def add(a: ArrayLike, b: ArrayLike) -> Array:
    """a + b for each pair of elements, in their common dtype; of bool: or."""
    return operands2(_add, a, b)


def sub(a: ArrayLike, b: ArrayLike) -> Array:
    """a - b for each pair of elements, in their common dtype. Not bool."""
    return operands2(_sub, a, b)


def mul(a: ArrayLike, b: ArrayLike) -> Array:
    """a * b for each pair of elements, in their common dtype; of bool: and."""
    return operands2(_mul, a, b)


def div(a: ArrayLike, b: ArrayLike) -> Array:
    """a / b; integers and bool become f32, integers of 64 bits f64."""
    return operands2(_div, a, b)


def rem(a: ArrayLike, b: ArrayLike) -> Array:
    """The remainder of a / b with the sign of a, as C's fmod; integers: x rem 0 = x; bool gives
    i32."""
    return operands2(_rem, a, b)


def pow(a: ArrayLike, b: ArrayLike) -> Array:
    """a to the power of b; 1 where b is 0. A b that is a C integer: as integer_pow(a, b). Integers
    to integer powers stay in their dtype (bool in i32) and are computed by repeated squaring,
    which uses the six lowest bits of b. Floats and complex numbers take an integer b of any dtype;
    the derivative is 0 where b is 0."""
    return operands2(_pow, a, b)


def atan2(a: ArrayLike, b: ArrayLike) -> Array:
    """The angle between -pi and pi of the point with the coordinates (b, a). Not complex."""
    return operands2(_atan2, a, b)


def zeta(a: ArrayLike, b: ArrayLike) -> Array:
    """Hurwitz's zeta function, the sum of (b + n)^-a for n = 0, 1, ...; a > 1. Not complex; it has
    no derivative."""
    return operands2(_zeta, a, b)


def polygamma(a: ArrayLike, b: ArrayLike) -> Array:
    """Derivative a, a whole number from 0 on, of digamma at b > 0. Not complex; no derivative by
    a."""
    return operands2(_polygamma, a, b)


def igamma(a: ArrayLike, b: ArrayLike) -> Array:
    """The share of gamma(a) that the integral of t^(a - 1) e^-t from 0 to b gives; a, b >= 0, else
    NaN. Not complex."""
    return operands2(_igamma, a, b)


def igammac(a: ArrayLike, b: ArrayLike) -> Array:
    """1 - igamma(a, b), exact where that is near 1."""
    return operands2(_igammac, a, b)


def igamma_grad_a(a: ArrayLike, b: ArrayLike) -> Array:
    """The derivative of igamma() by a. It has none itself."""
    return operands2(_igamma_grad_a, a, b)


def random_gamma_grad(a: ArrayLike, b: ArrayLike) -> Array:
    """The derivative by a of the b at which igamma() is what it is: that of a sample of a gamma
    distribution by its shape. It has none itself."""
    return operands2(_random_gamma_grad, a, b)


def nextafter(a: ArrayLike, b: ArrayLike) -> Array:
    """The number next to a, of those that the dtype has, on the way to b; b where they are equal.
    Not complex; it has no derivative."""
    return operands2(_nextafter, a, b)


def complex(a: ArrayLike, b: ArrayLike) -> Array:
    """Complex numbers a + bi, c64 of f32 and c128 of f64: complex(a, b)."""
    return operands2(_complex, a, b)


def maximum(a: ArrayLike, b: ArrayLike) -> Array:
    """The larger one of a and b, element by element; NaN wins. Complex: by real part, then
    imaginary part; a NaN in any part gives one in both."""
    return operands2(_maximum, a, b)


def minimum(a: ArrayLike, b: ArrayLike) -> Array:
    """The smaller one of a and b, element by element; NaN wins. Complex: as maximum()."""
    return operands2(_minimum, a, b)


def bitwise_and(a: ArrayLike, b: ArrayLike) -> Array:
    """a & b for each pair of elements, in their common dtype; integers and bool."""
    return operands2(_bitwise_and, a, b)


def bitwise_or(a: ArrayLike, b: ArrayLike) -> Array:
    """a | b for each pair of elements, in their common dtype; integers and bool."""
    return operands2(_bitwise_or, a, b)


def bitwise_xor(a: ArrayLike, b: ArrayLike) -> Array:
    """a ^ b for each pair of elements, in their common dtype; integers and bool."""
    return operands2(_bitwise_xor, a, b)


def shift_left(a: ArrayLike, b: ArrayLike) -> Array:
    """a << b; 0 where b is not within 0 .. bits - 1. Integers."""
    return operands2(_shift_left, a, b)


def shift_right(a: ArrayLike, b: ArrayLike) -> Array:
    """a >> b, arithmetic for signed and logical for unsigned integers; where b is not within 0 ..
    bits - 1 all bits are copies of the sign, or 0."""
    return operands2(_shift_right, a, b)


def eq(a: ArrayLike, b: ArrayLike) -> Array:
    """Whether a == b, for each pair of elements, a bool: eq(x, 0)."""
    return operands2(_eq, a, b)


def ne(a: ArrayLike, b: ArrayLike) -> Array:
    """Whether a != b, for each pair of elements, a bool: ne(x, 0). NaN differs from everything."""
    return operands2(_ne, a, b)


def lt(a: ArrayLike, b: ArrayLike) -> Array:
    """Whether a < b, for each pair of elements, a bool: lt(x, 0). Not complex, as the next
    three."""
    return operands2(_lt, a, b)


def le(a: ArrayLike, b: ArrayLike) -> Array:
    """Whether a <= b, for each pair of elements, a bool: le(x, 0)."""
    return operands2(_le, a, b)


def gt(a: ArrayLike, b: ArrayLike) -> Array:
    """Whether a > b, for each pair of elements, a bool: gt(x, 0)."""
    return operands2(_gt, a, b)


def ge(a: ArrayLike, b: ArrayLike) -> Array:
    """Whether a >= b, for each pair of elements, a bool: ge(x, 0)."""
    return operands2(_ge, a, b)


def logical_and(a: ArrayLike, b: ArrayLike) -> Array:
    """Whether a and b are other than 0, for each pair of elements: a bool."""
    return operands2(_logical_and, a, b)


def logical_or(a: ArrayLike, b: ArrayLike) -> Array:
    """Whether a or b is other than 0, for each pair of elements: a bool."""
    return operands2(_logical_or, a, b)


def fma(a: ArrayLike, b: ArrayLike, c: ArrayLike) -> Array:
    """a b + c, rounded once; f16 and bf16 are computed in f32. Not complex."""
    return operands3(_fma, a, b, c)


def betainc(a: ArrayLike, b: ArrayLike, c: ArrayLike) -> Array:
    """The share of the beta function of a and b that the integral of t^(a - 1) (1 - t)^(b - 1)
    from 0 to c gives; a, b >= 0 and c between 0 and 1, else NaN. Not complex; no derivative by a
    and b."""
    return operands3(_betainc, a, b, c)


def where(c: ArrayLike, a: ArrayLike, b: ArrayLike) -> Array:
    """a where c is not 0, otherwise b; the dtype is that of a and b. where(gt(x, 0), x, 0.0)"""
    return operands3(_where, c, a, b)


def clamp(low: ArrayLike, x: ArrayLike, high: ArrayLike) -> Array:
    """min(max(x, low), high); None is no bound. clamp(0, x, 1), clamp(0, x, None)"""
    c = context_of(low, x, high)
    low = c.operand(low)
    x = c.operand(x)
    high = c.operand(high)
    return c.array(_clamp(c.place(), low, x, high))


def dot(a: ArrayLike, b: ArrayLike, *, dtype: DTypeLike = None,
        precision: Optional[Choice] = None) -> Array:
    """NumPy's dot: a scalar multiplies; otherwise the last dim of a with the last but one (or
    only) dim of b. dot(a, b, dtype=f32)"""
    c = context_of(a, b)
    a = c.handle(a)
    b = c.handle(b)
    args = c.record("tsr_product_args", dtype=dtype, precision=precision)
    return c.array(_dot(c.place(), a._h, b._h, args))


def matmul(a: ArrayLike, b: ArrayLike, *, dtype: DTypeLike = None,
           precision: Optional[Choice] = None) -> Array:
    """NumPy's matmul: products of the last two dims, dims before them broadcast; one dim is a row
    (a) or a column (b). No scalars. matmul(a, b)"""
    c = context_of(a, b)
    a = c.handle(a)
    b = c.handle(b)
    args = c.record("tsr_product_args", dtype=dtype, precision=precision)
    return c.array(_matmul(c.place(), a._h, b._h, args))


def dot_general(a: ArrayLike, b: ArrayLike, *, contract_a: Dims = None, contract_b: Dims = None,
                batch_a: Dims = None, batch_b: Dims = None, dtype: DTypeLike = None,
                precision: Optional[Choice] = None) -> Array:
    """Dims of the result: batch, then the others of a, then the others of b. dot_general(a, b,
    contract_a=(1,), contract_b=(0,)). Products are summed in the wider of two dtypes, that of the
    operands and that of the result, and rounded once. Error (Error.ERROR_TYPE): a dtype that is
    narrower than operands that are not floats."""
    c = context_of(a, b)
    a = c.handle(a)
    b = c.handle(b)
    args = c.record("tsr_dot_args", contract_a=contract_a, contract_b=contract_b, batch_a=batch_a,
                    batch_b=batch_b, dtype=dtype, precision=precision)
    return c.array(_dot_general(c.place(), a._h, b._h, args))


def reshape(x: ArrayLike, shape: Dims) -> Array:
    """The elements of x, row-major, with other dims; one of them may be -1, and is then computed
    from the rest. reshape(x, (2, -1))"""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_reshape(c.place(), x._h, dims(shape)))


def transpose(x: ArrayLike, perm: Dims = None) -> Array:
    """Dims in another order: transpose(x, perm=(0, 2, 1))."""
    c = context_of(x)
    x = c.handle(x)
    args = c.record("tsr_transpose_args", perm=perm)
    return c.array(_transpose(c.place(), x._h, args))


def broadcast_to(x: ArrayLike, shape: Dims) -> Array:
    """x repeated to these dims by the rules of broadcasting: broadcast_to(x, (4, 3))."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_broadcast_to(c.place(), x._h, dims(shape)))


def broadcast_in_dim(x: ArrayLike, shape: Dims, at: Dims) -> Array:
    """x repeated to these dims; dim d of x becomes dim at[d], which must be of the same size, or
    x's 1; `at` increases. broadcast_in_dim(x, (4, 3), (0,))"""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_broadcast_in_dim(c.place(), x._h, dims(shape), dims(at)))


def squeeze(x: ArrayLike, axis: Dims = None) -> Array:
    """x without these dims, which must be of size 1; if not given, None, without all dims of size
    1. squeeze(x, (0,))"""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_squeeze(c.place(), x._h, dims(axis)))


def expand_dims(x: ArrayLike, axis: Dims) -> Array:
    """With new dims of size 1, which are these dims of the result: expand_dims(x, (0, -1))."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_expand_dims(c.place(), x._h, dims(axis)))


def concatenate(x: Sequence[ArrayLike], axis: int = 0) -> Array:
    """Joins arrays along a dim. The other dims must agree; dtypes are promoted. Along FLAT arrays
    of any dims are joined, each ravelled first. concatenate(0, a, b, c)"""
    c = context_of(*x)
    x = c.handles(x)
    return c.array(_concatenate(c.place(), axis, x, len(x)))


def stack(x: Sequence[ArrayLike], axis: int = 0) -> Array:
    """Arrays of the same dims along a new dim, dim `dim` of the result: stack(0, a, b)."""
    c = context_of(*x)
    x = c.handles(x)
    return c.array(_stack(c.place(), axis, x, len(x)))


def slice(x: ArrayLike, axis: int, start: int, stop: int) -> Array:
    """Elements start .. stop - 1 of a dim, as Python's x[start:stop]: negative ones count from the
    end, those out of range are cut to the dim, and END is the end. slice(x, 0, 1, END)"""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_slice(c.place(), x._h, axis, start, stop))


def slice_strided(x: ArrayLike, starts: Dims, stops: Dims, *, steps: Dims = None) -> Array:
    """The elements from start to stop in all dims at once, with steps: slice_strided(x, (0, 0),
    (8, END), steps=(2, 1)). A negative step goes down from start and ends before stop, where BEGIN
    is before the first element: Python's x[::-1] is slice_strided(x, (END,), (BEGIN,),
    steps=(-1,)). Error (Error.ERROR_ARGUMENT): a step of 0."""
    c = context_of(x)
    x = c.handle(x)
    args = c.record("tsr_slice_args", steps=steps)
    return c.array(_slice_strided(c.place(), x._h, dims(starts), dims(stops), args))


def dynamic_slice(x: ArrayLike, axis: int, start: ArrayLike, size: int) -> Array:
    """`size` elements of a dim from a start that is computed, an integer scalar or a C number.
    Negative starts count from the end; then a start is moved so that the slice is within x.
    dynamic_slice(x, 0, i, 2)"""
    c = context_of(x, start)
    x = c.handle(x)
    start = c.operand(start)
    return c.array(_dynamic_slice(c.place(), x._h, axis, start, size))


def dynamic_update(x: ArrayLike, update: ArrayLike, axis: int, start: ArrayLike) -> Array:
    """x with `update` in place of elements of a dim, from a start that is computed as in
    dynamic_slice(). update has the dims of x except this one, and is converted to the dtype of x.
    dynamic_update(x, row, 0, i)"""
    c = context_of(x, update, start)
    x = c.handle(x)
    update = c.handle(update)
    start = c.operand(start)
    return c.array(_dynamic_update(c.place(), x._h, update._h, axis, start))


def dynamic_slice_dims(x: ArrayLike, sizes: Dims, *starts: ArrayLike) -> Array:
    """The part of x of these sizes, from starts that are computed, one a dim, each as in
    dynamic_slice(): dynamic_slice_dims(x, (2, 3), i, 0)."""
    c = context_of(x, *starts)
    x = c.handle(x)
    starts = c.operands(starts)
    return c.array(_dynamic_slice_dims(c.place(), x._h, dims(sizes), starts, len(starts)))


def dynamic_update_dims(x: ArrayLike, update: ArrayLike, *starts: ArrayLike) -> Array:
    """x with part of it replaced by `update`, which has as many dims, from computed starts, one
    for each dim: dynamic_update_dims(x, block, i, j)."""
    c = context_of(x, update, *starts)
    x = c.handle(x)
    update = c.handle(update)
    starts = c.operands(starts)
    return c.array(_dynamic_update_dims(c.place(), x._h, update._h, starts, len(starts)))


def dynamic_index(x: ArrayLike, axis: int, i: ArrayLike) -> Array:
    """Element i of a dim, which is dropped; i is computed, and moved as in dynamic_slice().
    dynamic_index(x, 0, i)"""
    c = context_of(x, i)
    x = c.handle(x)
    i = c.operand(i)
    return c.array(_dynamic_index(c.place(), x._h, axis, i))


def take(x: ArrayLike, indices: ArrayLike, axis: int = FLAT, *, mode: Optional[Choice] = None,
         indices_are_sorted: Optional[bool] = None,
         unique_indices: Optional[bool] = None) -> Array:
    """jnp's take: the elements of a dim at `indices`, an array whose dims replace that dim; along
    FLAT x is ravelled first. Negative indices count from the end, but with "clip" and
    "promise_in_bounds". take(table, 0, words), take(x, 1, i, mode="clip"). Error
    (Error.ERROR_ARGUMENT): some of a dim without elements."""
    c = context_of(x, indices)
    x = c.handle(x)
    indices = c.handle(indices)
    args = c.record("tsr_index_args", mode=mode, indices_are_sorted=indices_are_sorted,
                    unique_indices=unique_indices)
    return c.array(_take(c.place(), x._h, axis, indices._h, args))


def take_along(x: ArrayLike, indices: ArrayLike, axis: int = -1, *, mode: Optional[Choice] = None,
               indices_are_sorted: Optional[bool] = None,
               unique_indices: Optional[bool] = None) -> Array:
    """jnp's take_along_axis: of each row along a dim the elements at the indices of its own. Other
    dims of x and the indices broadcast together, so both have as many. Negative indices count from
    the end, but with "promise_in_bounds". take_along(x, -1, i)"""
    c = context_of(x, indices)
    x = c.handle(x)
    indices = c.handle(indices)
    args = c.record("tsr_index_args", mode=mode, indices_are_sorted=indices_are_sorted,
                    unique_indices=unique_indices)
    return c.array(_take_along(c.place(), x._h, axis, indices._h, args))


def at_set(x: ArrayLike, axis: int, indices: ArrayLike, updates: ArrayLike, *,
           mode: Optional[Choice] = None, indices_are_sorted: Optional[bool] = None,
           unique_indices: Optional[bool] = None) -> Array:
    """jnp's x.at[..., indices, ...].set(updates): x with the elements of a dim at `indices`
    replaced. The updates, an array or a C number, are converted to the dtype of x and broadcast to
    what take() would give; where two go to one place, the last one, row-major by index, stays.
    Negative indices count from the end. at_set(x, 0, i, 0.0)"""
    c = context_of(x, indices, updates)
    x = c.handle(x)
    indices = c.handle(indices)
    updates = c.operand(updates)
    args = c.record("tsr_index_args", mode=mode, indices_are_sorted=indices_are_sorted,
                    unique_indices=unique_indices)
    return c.array(_at_set(c.place(), x._h, axis, indices._h, updates, args))


def at_add(x: ArrayLike, axis: int, indices: ArrayLike, updates: ArrayLike, *,
           mode: Optional[Choice] = None, indices_are_sorted: Optional[bool] = None,
           unique_indices: Optional[bool] = None) -> Array:
    """jnp's x.at[..., indices, ...].add(updates): x with the updates added, each of those that go
    to one place: at_add(x, 0, i, 1). Not bool. Otherwise as at_set()."""
    c = context_of(x, indices, updates)
    x = c.handle(x)
    indices = c.handle(indices)
    updates = c.operand(updates)
    args = c.record("tsr_index_args", mode=mode, indices_are_sorted=indices_are_sorted,
                    unique_indices=unique_indices)
    return c.array(_at_add(c.place(), x._h, axis, indices._h, updates, args))


def at_mul(x: ArrayLike, axis: int, indices: ArrayLike, updates: ArrayLike, *,
           mode: Optional[Choice] = None, indices_are_sorted: Optional[bool] = None,
           unique_indices: Optional[bool] = None) -> Array:
    """jnp's x.at[..., indices, ...].multiply(updates): x multiplied by the updates, by each of
    those that go to one place: at_mul(x, 0, i, 2). Not bool. Otherwise as at_set()."""
    c = context_of(x, indices, updates)
    x = c.handle(x)
    indices = c.handle(indices)
    updates = c.operand(updates)
    args = c.record("tsr_index_args", mode=mode, indices_are_sorted=indices_are_sorted,
                    unique_indices=unique_indices)
    return c.array(_at_mul(c.place(), x._h, axis, indices._h, updates, args))


def at_min(x: ArrayLike, axis: int, indices: ArrayLike, updates: ArrayLike, *,
           mode: Optional[Choice] = None, indices_are_sorted: Optional[bool] = None,
           unique_indices: Optional[bool] = None) -> Array:
    """jnp's x.at[..., indices, ...].min(updates): the smallest of x and the updates that go to one
    place, as minimum(). Otherwise as at_set()."""
    c = context_of(x, indices, updates)
    x = c.handle(x)
    indices = c.handle(indices)
    updates = c.operand(updates)
    args = c.record("tsr_index_args", mode=mode, indices_are_sorted=indices_are_sorted,
                    unique_indices=unique_indices)
    return c.array(_at_min(c.place(), x._h, axis, indices._h, updates, args))


def at_max(x: ArrayLike, axis: int, indices: ArrayLike, updates: ArrayLike, *,
           mode: Optional[Choice] = None, indices_are_sorted: Optional[bool] = None,
           unique_indices: Optional[bool] = None) -> Array:
    """jnp's x.at[..., indices, ...].max(updates): the largest of x and the updates that go to one
    place, as maximum(). Otherwise as at_set()."""
    c = context_of(x, indices, updates)
    x = c.handle(x)
    indices = c.handle(indices)
    updates = c.operand(updates)
    args = c.record("tsr_index_args", mode=mode, indices_are_sorted=indices_are_sorted,
                    unique_indices=unique_indices)
    return c.array(_at_max(c.place(), x._h, axis, indices._h, updates, args))


def gather(x: ArrayLike, indices: ArrayLike, slice_sizes: Dims, *, offset_dims: Dims = None,
           collapsed_slice_dims: Dims = None, start_index_map: Dims = None,
           operand_batching_dims: Dims = None, start_indices_batching_dims: Dims = None,
           mode: Optional[Choice] = None, indices_are_sorted: Optional[bool] = None,
           unique_indices: Optional[bool] = None) -> Array:
    """lax.gather: windows of x of these sizes, which start at the index vectors that are the last
    dim of the indices. Rows of a matrix: gather(x, expand_dims(i, (-1,)), (1, 4),
    offset_dims=(1,), collapsed_slice_dims=(0,), start_index_map=(0,)). Indices are taken as they
    are; the mode is "fill" when not given."""
    c = context_of(x, indices)
    x = c.handle(x)
    indices = c.handle(indices)
    args = c.record("tsr_gather_args", offset_dims=offset_dims,
                    collapsed_slice_dims=collapsed_slice_dims, start_index_map=start_index_map,
                    operand_batching_dims=operand_batching_dims,
                    start_indices_batching_dims=start_indices_batching_dims, mode=mode,
                    indices_are_sorted=indices_are_sorted, unique_indices=unique_indices)
    return c.array(_gather(c.place(), x._h, indices._h, dims(slice_sizes), args))


def scatter(x: ArrayLike, indices: ArrayLike, updates: ArrayLike, *,
            update_window_dims: Dims = None, inserted_window_dims: Dims = None,
            scatter_dims_to_operand_dims: Dims = None, operand_batching_dims: Dims = None,
            scatter_indices_batching_dims: Dims = None, combine: Optional[Choice] = None,
            mode: Optional[Choice] = None, indices_are_sorted: Optional[bool] = None,
            unique_indices: Optional[bool] = None) -> Array:
    """lax.scatter and its kin: x with the updates combined with its windows, which start at the
    index vectors that are the last dim of the indices. x and updates have one dtype."""
    c = context_of(x, indices, updates)
    x = c.handle(x)
    indices = c.handle(indices)
    updates = c.handle(updates)
    args = c.record("tsr_scatter_args", update_window_dims=update_window_dims,
                    inserted_window_dims=inserted_window_dims,
                    scatter_dims_to_operand_dims=scatter_dims_to_operand_dims,
                    operand_batching_dims=operand_batching_dims,
                    scatter_indices_batching_dims=scatter_indices_batching_dims, combine=combine,
                    mode=mode, indices_are_sorted=indices_are_sorted,
                    unique_indices=unique_indices)
    return c.array(_scatter(c.place(), x._h, indices._h, updates._h, args))


def sum(x: ArrayLike, axis: Dims = None, *, keepdims: Optional[bool] = None,
        where: ArrayLike = None, initial: ArrayLike = None, dtype: DTypeLike = None) -> Array:
    """The sum of the elements along dims: sum(x, axis=(1,)). Integers narrower than 32 bits and
    bool are summed in i32 (unsigned ones in u32); f16 and bf16 in f32, rounded once. Of no
    elements: 0."""
    c = context_of(x, where, initial)
    x = c.handle(x)
    args = c.record("tsr_sum_args", dims=axis, keep=keepdims, where=where, initial=initial,
                    dtype=dtype)
    return c.array(_sum(c.place(), x._h, args))


def prod(x: ArrayLike, axis: Dims = None, *, keepdims: Optional[bool] = None,
         where: ArrayLike = None, initial: ArrayLike = None, dtype: DTypeLike = None) -> Array:
    """The product of the elements along dims: prod(x, axis=(1,)). Dtypes are those of sum(). Of no
    elements: 1."""
    c = context_of(x, where, initial)
    x = c.handle(x)
    args = c.record("tsr_sum_args", dims=axis, keep=keepdims, where=where, initial=initial,
                    dtype=dtype)
    return c.array(_prod(c.place(), x._h, args))


def max(x: ArrayLike, axis: Dims = None, *, keepdims: Optional[bool] = None,
        where: ArrayLike = None, initial: ArrayLike = None) -> Array:
    """The largest element along dims, in the dtype of x, compared as by maximum(): max(x,
    axis=(1,)). Error (Error.ERROR_TYPE): no element, and no initial."""
    c = context_of(x, where, initial)
    x = c.handle(x)
    args = c.record("tsr_reduce_args", dims=axis, keep=keepdims, where=where, initial=initial)
    return c.array(_max(c.place(), x._h, args))


def min(x: ArrayLike, axis: Dims = None, *, keepdims: Optional[bool] = None,
        where: ArrayLike = None, initial: ArrayLike = None) -> Array:
    """The smallest element along dims, in the dtype of x, compared as by minimum(): min(x,
    axis=(1,)). Error (Error.ERROR_TYPE): no element, and no initial."""
    c = context_of(x, where, initial)
    x = c.handle(x)
    args = c.record("tsr_reduce_args", dims=axis, keep=keepdims, where=where, initial=initial)
    return c.array(_min(c.place(), x._h, args))


def all(x: ArrayLike, axis: Dims = None, *, keepdims: Optional[bool] = None,
        where: ArrayLike = None) -> Array:
    """Whether all elements along dims are other than 0, a bool: all(isnan(x)). Of no elements:
    true."""
    c = context_of(x, where)
    x = c.handle(x)
    args = c.record("tsr_all_args", dims=axis, keep=keepdims, where=where)
    return c.array(_all(c.place(), x._h, args))


def any(x: ArrayLike, axis: Dims = None, *, keepdims: Optional[bool] = None,
        where: ArrayLike = None) -> Array:
    """Whether an element along dims is other than 0, a bool: any(isnan(x)). Of no elements:
    false."""
    c = context_of(x, where)
    x = c.handle(x)
    args = c.record("tsr_all_args", dims=axis, keep=keepdims, where=where)
    return c.array(_any(c.place(), x._h, args))


def reduce_and(x: ArrayLike, axis: Dims = None, *, keepdims: Optional[bool] = None) -> Array:
    """The bits that are set in all elements along dims, in the dtype of x. Of no elements: all
    bits. Integers and bool only, as the next two."""
    c = context_of(x)
    x = c.handle(x)
    args = c.record("tsr_dims_args", dims=axis, keep=keepdims)
    return c.array(_reduce_and(c.place(), x._h, args))


def reduce_or(x: ArrayLike, axis: Dims = None, *, keepdims: Optional[bool] = None) -> Array:
    """The bits that are set in at least one element along dims, in the dtype of x. Of no elements:
    none."""
    c = context_of(x)
    x = c.handle(x)
    args = c.record("tsr_dims_args", dims=axis, keep=keepdims)
    return c.array(_reduce_or(c.place(), x._h, args))


def reduce_xor(x: ArrayLike, axis: Dims = None, *, keepdims: Optional[bool] = None) -> Array:
    """The bits that are set in an odd number of elements. Of nothing: none."""
    c = context_of(x)
    x = c.handle(x)
    args = c.record("tsr_dims_args", dims=axis, keep=keepdims)
    return c.array(_reduce_xor(c.place(), x._h, args))


def mean(x: ArrayLike, axis: Dims = None, *, keepdims: Optional[bool] = None,
         where: ArrayLike = None, dtype: DTypeLike = None) -> Array:
    """Sum divided by the number of elements; 16-bit floats in f32, rounded once; integers and bool
    give f32, integers of 64 bits f64. Of nothing: NaN."""
    c = context_of(x, where)
    x = c.handle(x)
    args = c.record("tsr_mean_args", dims=axis, keep=keepdims, where=where, dtype=dtype)
    return c.array(_mean(c.place(), x._h, args))


def logsumexp(x: ArrayLike, axis: Dims = None, *, keepdims: Optional[bool] = None,
              where: ArrayLike = None, b: ArrayLike = None, sign: Optional[bool] = None) -> Any:
    """log of the sum of e^x, as m + log(sum(e^(x - m))) with m the largest element, or real part
    (0 where that is not finite); 16-bit floats in f32, rounded once. Integers give f32, those of
    64 bits f64."""
    c = context_of(x, where, b)
    x = c.handle(x)
    args = c.record("tsr_logsumexp_args", dims=axis, keep=keepdims, where=where, b=b, sign=sign)
    handle = _logsumexp(c.place(), x._h, args)
    return c.and_more(handle, args, "sign")


def argmax(x: ArrayLike, axis: Dims = None, *, keepdims: Optional[bool] = None,
           dtype: DTypeLike = None) -> Array:
    """Index of the first largest element (NaN is larger than all): argmax(x, axis=(1,)). Error
    (Error.ERROR_TYPE): no element."""
    c = context_of(x)
    x = c.handle(x)
    args = c.record("tsr_arg_args", dim=axis, keep=keepdims, dtype=dtype)
    return c.array(_argmax(c.place(), x._h, args))


def argmin(x: ArrayLike, axis: Dims = None, *, keepdims: Optional[bool] = None,
           dtype: DTypeLike = None) -> Array:
    """Index of the first smallest element (NaN is smaller than all)."""
    c = context_of(x)
    x = c.handle(x)
    args = c.record("tsr_arg_args", dim=axis, keep=keepdims, dtype=dtype)
    return c.array(_argmin(c.place(), x._h, args))


def sort(x: ArrayLike, axis: Dims = None, *, descending: Optional[bool] = None) -> Array:
    """The elements along a dim in rising order: false before true, -0 and +0 as equals, NaN behind
    all, complex numbers by the real and then by the imaginary part. Equal ones keep their
    order."""
    c = context_of(x)
    x = c.handle(x)
    args = c.record("tsr_sort_args", dim=axis, descending=descending)
    return c.array(_sort(c.place(), x._h, args))


def argsort(x: ArrayLike, axis: Dims = None, *, descending: Optional[bool] = None,
            unstable: Optional[bool] = None, dtype: DTypeLike = None) -> Array:
    """Where the elements of sort() were: argsort(x, descending=True). Of equal elements the first
    one is first, also in descending order. Further error (Error.ERROR_TYPE): a dtype that is not
    an integer one."""
    c = context_of(x)
    x = c.handle(x)
    args = c.record("tsr_argsort_args", dim=axis, descending=descending, unstable=unstable,
                    dtype=dtype)
    return c.array(_argsort(c.place(), x._h, args))


def sort_operands(x: Any, n: int, axis: Dims = None, *, num_keys: Optional[int] = None,
                  unstable: Optional[bool] = None) -> List[Array]:
    """n operands of the same dims in one order, into out, which may be x. The first operand is the
    key, as sort() compares; where num_keys is more than 1, equals in one key are in the order of
    the next. sort_operands(kv, kv, 2). Further errors: dims that differ, num_keys that is not 1 to
    n (Error.ERROR_TYPE)."""
    c = context_of()
    made = places(n)
    args = c.record("tsr_sort_operands_args", dim=axis, num_keys=num_keys, unstable=unstable)
    c.done(_sort_operands(c.place(), x, made, n, args))
    return c.arrays(made)


def top_k(x: ArrayLike, k: int, axis: Dims = None) -> List[Array]:
    """The k largest elements along a dim, the largest first, and where they are, i32 (i64 where
    the dim needs it): out[0] and out[1]. Of equal ones the first one is first; floats are in the
    order of their bits: NaN inf 1 0 -0 -1 -inf -NaN. Further errors: complex x (Error.ERROR_TYPE);
    k that is negative, or more than there are (Error.ERROR_ARGUMENT). top_k(logits, 5, best)"""
    c = context_of(x)
    x = c.handle(x)
    made = places(2)
    args = c.record("tsr_top_k_args", dim=axis)
    c.done(_top_k(c.place(), x._h, k, made, args))
    return c.arrays(made)


def cumsum(x: ArrayLike, axis: Dims = None, *, reverse: Optional[bool] = None,
           dtype: DTypeLike = None) -> Array:
    """The sum of each element and all before it along a dim. In the dtype of x, bool in i32; f16
    and bf16 in f32, each result rounded once. With dtype=bool: was there one other than 0?"""
    c = context_of(x)
    x = c.handle(x)
    args = c.record("tsr_cumsum_args", dim=axis, reverse=reverse, dtype=dtype)
    return c.array(_cumsum(c.place(), x._h, args))


def cumprod(x: ArrayLike, axis: Dims = None, *, reverse: Optional[bool] = None,
            dtype: DTypeLike = None) -> Array:
    """The product of each element and all before it along a dim; dtypes as for cumsum()."""
    c = context_of(x)
    x = c.handle(x)
    args = c.record("tsr_cumsum_args", dim=axis, reverse=reverse, dtype=dtype)
    return c.array(_cumprod(c.place(), x._h, args))


def nancumsum(x: ArrayLike, axis: Dims = None, *, reverse: Optional[bool] = None,
              dtype: DTypeLike = None) -> Array:
    """cumsum() of x with 0 in place of NaN: each element and all before it along a dim that are no
    NaN, summed."""
    c = context_of(x)
    x = c.handle(x)
    args = c.record("tsr_cumsum_args", dim=axis, reverse=reverse, dtype=dtype)
    return c.array(_nancumsum(c.place(), x._h, args))


def nancumprod(x: ArrayLike, axis: Dims = None, *, reverse: Optional[bool] = None,
               dtype: DTypeLike = None) -> Array:
    """cumprod() of x with 1 in place of NaN: each element and all before it along a dim that are
    no NaN, multiplied."""
    c = context_of(x)
    x = c.handle(x)
    args = c.record("tsr_cumsum_args", dim=axis, reverse=reverse, dtype=dtype)
    return c.array(_nancumprod(c.place(), x._h, args))


def cumulative_sum(x: ArrayLike, axis: Dims = None, *, dtype: DTypeLike = None,
                   include_initial: Optional[bool] = None) -> Array:
    """cumsum() as the array API has it: cumulative_sum(x, include_initial=True). Bools and small
    integers become i32 and u32, as in sum(). Further error (Error.ERROR_ARGUMENT): no axis, and x
    has not one dim."""
    c = context_of(x)
    x = c.handle(x)
    args = c.record("tsr_cumulative_args", dim=axis, dtype=dtype, include_initial=include_initial)
    return c.array(_cumulative_sum(c.place(), x._h, args))


def cumulative_prod(x: ArrayLike, axis: Dims = None, *, dtype: DTypeLike = None,
                    include_initial: Optional[bool] = None) -> Array:
    """cumprod() as the array API has it, with the dtypes and errors of cumulative_sum():
    cumulative_prod(x, include_initial=True)."""
    c = context_of(x)
    x = c.handle(x)
    args = c.record("tsr_cumulative_args", dim=axis, dtype=dtype, include_initial=include_initial)
    return c.array(_cumulative_prod(c.place(), x._h, args))


def cummax(x: ArrayLike, axis: Dims = None, *, reverse: Optional[bool] = None) -> Array:
    """The largest of each element and all before it along a dim, as maximum(). Not bool."""
    c = context_of(x)
    x = c.handle(x)
    args = c.record("tsr_cummax_args", dim=axis, reverse=reverse)
    return c.array(_cummax(c.place(), x._h, args))


def cummin(x: ArrayLike, axis: Dims = None, *, reverse: Optional[bool] = None) -> Array:
    """The smallest of each element and all before it along a dim, as minimum(). Not bool."""
    c = context_of(x)
    x = c.handle(x)
    args = c.record("tsr_cummax_args", dim=axis, reverse=reverse)
    return c.array(_cummin(c.place(), x._h, args))


def cumlogsumexp(x: ArrayLike, axis: Dims = None, *, reverse: Optional[bool] = None) -> Array:
    """The logarithm of the sum of e^x over each element and all before it along a dim. Floats; f16
    and bf16 in f32, each result rounded once."""
    c = context_of(x)
    x = c.handle(x)
    args = c.record("tsr_cummax_args", dim=axis, reverse=reverse)
    return c.array(_cumlogsumexp(c.place(), x._h, args))


def reduce_window(x: ArrayLike, combine: Choice, window: Dims, *, strides: Dims = None,
                  low: Dims = None, high: Dims = None, base_dilation: Dims = None,
                  window_dilation: Dims = None, padding: Optional[Choice] = None) -> Array:
    """lax.reduce_window: the elements of each window, which has as many dims as x, combined by
    "add", "mul", "min" or "max"; padding changes no result. reduce_window(x, "max", (1, 3),
    padding="same"). The derivative of the largest is the mean over equal elements, as that of
    max()."""
    c = context_of(x)
    x = c.handle(x)
    args = c.record("tsr_window_args", strides=strides, low=low, high=high,
                    base_dilation=base_dilation, window_dilation=window_dilation, padding=padding)
    return c.array(_reduce_window(c.place(), x._h, enum("tsr_combine", combine), dims(window),
                                  args))


def max_pool(x: ArrayLike, window: Dims, *, strides: Dims = None, low: Dims = None,
             high: Dims = None, padding: Optional[Choice] = None,
             exclude_padding: Optional[bool] = None) -> Array:
    """flax's max_pool: the largest in windows along the dims before the last one, which counts
    features; any dims before these are a batch."""
    c = context_of(x)
    x = c.handle(x)
    args = c.record("tsr_pool_args", strides=strides, low=low, high=high, padding=padding,
                    exclude_padding=exclude_padding)
    return c.array(_max_pool(c.place(), x._h, dims(window), args))


def min_pool(x: ArrayLike, window: Dims, *, strides: Dims = None, low: Dims = None,
             high: Dims = None, padding: Optional[Choice] = None,
             exclude_padding: Optional[bool] = None) -> Array:
    """flax's min_pool: the smallest in windows along the dims before the last one, which counts
    features; otherwise as max_pool()."""
    c = context_of(x)
    x = c.handle(x)
    args = c.record("tsr_pool_args", strides=strides, low=low, high=high, padding=padding,
                    exclude_padding=exclude_padding)
    return c.array(_min_pool(c.place(), x._h, dims(window), args))


def avg_pool(x: ArrayLike, window: Dims, *, strides: Dims = None, low: Dims = None,
             high: Dims = None, padding: Optional[Choice] = None,
             exclude_padding: Optional[bool] = None) -> Array:
    """flax's avg_pool: the mean of windows along the dims before the last one, which counts
    features; that of integers is divided as by div(). Otherwise as max_pool()."""
    c = context_of(x)
    x = c.handle(x)
    args = c.record("tsr_pool_args", strides=strides, low=low, high=high, padding=padding,
                    exclude_padding=exclude_padding)
    return c.array(_avg_pool(c.place(), x._h, dims(window), args))


def conv_general_dilated(lhs: ArrayLike, rhs: ArrayLike, *, strides: Dims = None, low: Dims = None,
                         high: Dims = None, lhs_dilation: Dims = None, rhs_dilation: Dims = None,
                         padding: Optional[Choice] = None, lhs_spec: Optional[str] = None,
                         rhs_spec: Optional[str] = None, out_spec: Optional[str] = None,
                         feature_group_count: Optional[int] = None,
                         batch_group_count: Optional[int] = None, dtype: DTypeLike = None,
                         precision: Optional[Choice] = None) -> Array:
    """lax.conv_general_dilated: the products of each window of lhs with rhs, summed; rhs is not
    flipped. lhs [batch, features, spatial ...], rhs [output features, input features, window ...],
    of one dtype. conv_general_dilated(x, w, strides=(2, 2), padding="same", lhs_spec="NHWC",
    rhs_spec="HWIO"). Sums are those of dot_general(). Further errors: dtypes, numbers of dims,
    features or groups that do not fit (Error.ERROR_TYPE); a spec that does not name all dims
    (Error.ERROR_ARGUMENT)."""
    c = context_of(lhs, rhs)
    lhs = c.handle(lhs)
    rhs = c.handle(rhs)
    args = c.record("tsr_conv_args", strides=strides, low=low, high=high,
                    lhs_dilation=lhs_dilation, rhs_dilation=rhs_dilation, padding=padding,
                    lhs_spec=lhs_spec, rhs_spec=rhs_spec, out_spec=out_spec,
                    feature_group_count=feature_group_count, batch_group_count=batch_group_count,
                    dtype=dtype, precision=precision)
    return c.array(_conv_general_dilated(c.place(), lhs._h, rhs._h, args))


def conv_general_dilated_patches(lhs: ArrayLike, window: Dims, *, strides: Dims = None,
                                 low: Dims = None, high: Dims = None, lhs_dilation: Dims = None,
                                 rhs_dilation: Dims = None, padding: Optional[Choice] = None,
                                 lhs_spec: Optional[str] = None, rhs_spec: Optional[str] = None,
                                 out_spec: Optional[str] = None,
                                 feature_group_count: Optional[int] = None,
                                 batch_group_count: Optional[int] = None, dtype: DTypeLike = None,
                                 precision: Optional[Choice] = None) -> Array:
    """The windows of lhs as features: each result has the elements of its window, [batch, features
    * window, spatial ...], in the order of the features and then of rhs_spec. The keywords are
    those of conv_general_dilated() but for groups: conv_general_dilated_patches(x, (3, 3),
    padding="same")."""
    c = context_of(lhs)
    lhs = c.handle(lhs)
    args = c.record("tsr_conv_args", strides=strides, low=low, high=high,
                    lhs_dilation=lhs_dilation, rhs_dilation=rhs_dilation, padding=padding,
                    lhs_spec=lhs_spec, rhs_spec=rhs_spec, out_spec=out_spec,
                    feature_group_count=feature_group_count, batch_group_count=batch_group_count,
                    dtype=dtype, precision=precision)
    return c.array(_conv_general_dilated_patches(c.place(), lhs._h, dims(window), args))


def conv_general_dilated_local(lhs: ArrayLike, rhs: ArrayLike, window: Dims, *,
                               strides: Dims = None, low: Dims = None, high: Dims = None,
                               lhs_dilation: Dims = None, rhs_dilation: Dims = None,
                               padding: Optional[Choice] = None, lhs_spec: Optional[str] = None,
                               rhs_spec: Optional[str] = None, out_spec: Optional[str] = None,
                               feature_group_count: Optional[int] = None,
                               batch_group_count: Optional[int] = None, dtype: DTypeLike = None,
                               precision: Optional[Choice] = None) -> Array:
    """The windows of conv_general_dilated_patches(), each multiplied with a kernel of its own: rhs
    [output features, features * window, spatial ...], where spatial dims are those of the result.
    Further error: sizes that do not fit (Error.ERROR_TYPE)."""
    c = context_of(lhs, rhs)
    lhs = c.handle(lhs)
    rhs = c.handle(rhs)
    args = c.record("tsr_conv_args", strides=strides, low=low, high=high,
                    lhs_dilation=lhs_dilation, rhs_dilation=rhs_dilation, padding=padding,
                    lhs_spec=lhs_spec, rhs_spec=rhs_spec, out_spec=out_spec,
                    feature_group_count=feature_group_count, batch_group_count=batch_group_count,
                    dtype=dtype, precision=precision)
    return c.array(_conv_general_dilated_local(c.place(), lhs._h, rhs._h, dims(window), args))


def conv_transpose(lhs: ArrayLike, rhs: ArrayLike, *, strides: Dims = None, low: Dims = None,
                   high: Dims = None, rhs_dilation: Dims = None, padding: Optional[Choice] = None,
                   forward_padding: Optional[bool] = None, transpose_kernel: Optional[bool] = None,
                   lhs_spec: Optional[str] = None, rhs_spec: Optional[str] = None,
                   out_spec: Optional[str] = None, dtype: DTypeLike = None) -> Array:
    """lax.conv_transpose: a convolution in steps of less than an element, from which there are as
    many results as a convolution with these strides takes. lhs [batch, spatial ..., features], rhs
    [window ..., input features, output features]: conv_transpose(x, w, strides=(2, 2),
    padding="same"). Errors as of conv_general_dilated()."""
    c = context_of(lhs, rhs)
    lhs = c.handle(lhs)
    rhs = c.handle(rhs)
    args = c.record("tsr_conv_transpose_args", strides=strides, low=low, high=high,
                    rhs_dilation=rhs_dilation, padding=padding, forward_padding=forward_padding,
                    transpose_kernel=transpose_kernel, lhs_spec=lhs_spec, rhs_spec=rhs_spec,
                    out_spec=out_spec, dtype=dtype)
    return c.array(_conv_transpose(c.place(), lhs._h, rhs._h, args))


def convolve(a: ArrayLike, v: ArrayLike, *, mode: Optional[Choice] = None) -> Array:
    """NumPy's convolve of two arrays of one dim, v turned over: convolve(signal, filter,
    mode="same"). Integers as floats. Errors: other numbers of dims (Error.ERROR_TYPE), no elements
    (Error.ERROR_ARGUMENT)."""
    c = context_of(a, v)
    a = c.handle(a)
    v = c.handle(v)
    args = c.record("tsr_convolve_args", mode=mode)
    return c.array(_convolve(c.place(), a._h, v._h, args))


def correlate(a: ArrayLike, v: ArrayLike, *, mode: Optional[Choice] = None) -> Array:
    """NumPy's correlate: a with the conjugate of v, which is not turned over."""
    c = context_of(a, v)
    a = c.handle(a)
    v = c.handle(v)
    args = c.record("tsr_convolve_args", mode=mode)
    return c.array(_correlate(c.place(), a._h, v._h, args))


def threefry2x32(key0: ArrayLike, key1: ArrayLike, x0: ArrayLike, x1: ArrayLike) -> List[Array]:
    """Random bits as a function of a key and a counter, two words each: u32 operands, and two u32
    results into out. The words of jax.random.split(jax.random.key(42), n) are threefry2x32(0, 42,
    0, iota(x, (n,), 0, dtype=u32), out)."""
    c = context_of(key0, key1, x0, x1)
    key0 = c.operand(key0)
    key1 = c.operand(key1)
    x0 = c.operand(x0)
    x1 = c.operand(x1)
    made = places(2)
    c.done(_threefry2x32(c.place(), key0, key1, x0, x1, made))
    return c.arrays(made)


def iota(shape: Dims, axis: int, *, dtype: DTypeLike = None) -> Array:
    """Each element is its own index along a dim: iota(x, (2, 3), 1) is 0 1 2, 0 1 2."""
    c = context_of()
    args = c.record("tsr_iota_args", dtype=dtype)
    return c.scoped(_iota, c.place(), c.pointer, dims(shape), axis, args)
