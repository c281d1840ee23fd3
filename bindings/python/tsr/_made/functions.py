"""functions.py - the functions of tsr/functions.h; tools/make_bindings.py made it of api/."""
from .._call import context_of, enum, operands2, places
from .._lib import lib
from .._types import Any, Array, ArrayLike, Choice, List

__all__ = ["angle", "beta_function", "betaln", "bitwise_count", "boxcox", "boxcox1p", "choose",
           "comb", "copysign", "deg2rad", "divmod", "entr", "fabs", "factorial", "float_power",
           "floor_divide", "fmax", "fmin", "fmod", "frexp", "gamma_function", "gammasgn", "gcd",
           "heaviside", "hypot", "i0", "i1", "isclose", "iscomplex", "isinf", "isneginf",
           "isposinf", "isreal", "kl_div", "lcm", "ldexp", "log10", "log2", "log_gamma",
           "log_ndtr", "logaddexp", "logaddexp2", "logical_xor", "logit", "modf", "mulhi",
           "multigammaln", "nan_to_num", "ndtr", "ndtri", "poch", "rad2deg", "reciprocal",
           "rel_entr", "remainder", "rint", "select", "signbit", "sinc", "spacing", "trunc",
           "xlog1py", "xlogy"]

_deg2rad = lib.tsr_deg2rad_at
_rad2deg = lib.tsr_rad2deg_at
_angle = lib.tsr_angle_at
_log2 = lib.tsr_log2_at
_log10 = lib.tsr_log10_at
_reciprocal = lib.tsr_reciprocal_at
_fabs = lib.tsr_fabs_at
_float_power = lib.tsr_float_power_at
_hypot = lib.tsr_hypot_at
_logaddexp = lib.tsr_logaddexp_at
_logaddexp2 = lib.tsr_logaddexp2_at
_sinc = lib.tsr_sinc_at
_floor_divide = lib.tsr_floor_divide_at
_remainder = lib.tsr_remainder_at
_divmod = lib.tsr_divmod_at
_fmod = lib.tsr_fmod_at
_trunc = lib.tsr_trunc_at
_rint = lib.tsr_rint_at
_gcd = lib.tsr_gcd_at
_lcm = lib.tsr_lcm_at
_mulhi = lib.tsr_mulhi_at
_modf = lib.tsr_modf_at
_bitwise_count = lib.tsr_bitwise_count_at
_frexp = lib.tsr_frexp_at
_ldexp = lib.tsr_ldexp_at
_spacing = lib.tsr_spacing_at
_signbit = lib.tsr_signbit_at
_copysign = lib.tsr_copysign_at
_heaviside = lib.tsr_heaviside_at
_isinf = lib.tsr_isinf_at
_isposinf = lib.tsr_isposinf_at
_isneginf = lib.tsr_isneginf_at
_iscomplex = lib.tsr_iscomplex_at
_isreal = lib.tsr_isreal_at
_fmax = lib.tsr_fmax_at
_fmin = lib.tsr_fmin_at
_nan_to_num = lib.tsr_nan_to_num_at
_isclose = lib.tsr_isclose_at
_logical_xor = lib.tsr_logical_xor_at
_select = lib.tsr_select_at
_choose = lib.tsr_choose_at
_gamma_function = lib.tsr_gamma_function_at
_gammasgn = lib.tsr_gammasgn_at
_log_gamma = lib.tsr_log_gamma_at
_factorial = lib.tsr_factorial_at
_beta_function = lib.tsr_beta_function_at
_betaln = lib.tsr_betaln_at
_comb = lib.tsr_comb_at
_poch = lib.tsr_poch_at
_multigammaln = lib.tsr_multigammaln_at
_i0 = lib.tsr_i0_at
_i1 = lib.tsr_i1_at
_boxcox = lib.tsr_boxcox_at
_boxcox1p = lib.tsr_boxcox1p_at
_xlogy = lib.tsr_xlogy_at
_xlog1py = lib.tsr_xlog1py_at
_entr = lib.tsr_entr_at
_rel_entr = lib.tsr_rel_entr_at
_kl_div = lib.tsr_kl_div_at
_logit = lib.tsr_logit_at
_ndtr = lib.tsr_ndtr_at
_log_ndtr = lib.tsr_log_ndtr_at
_ndtri = lib.tsr_ndtri_at


def deg2rad(x: ArrayLike) -> Array:
    """Angles in degrees, converted to radians: x pi / 180. Also complex."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_deg2rad(c.place(), x._h))


def rad2deg(x: ArrayLike) -> Array:
    """Angles in radians, converted to degrees: 180 x / pi. Also complex."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_rad2deg(c.place(), x._h))


def angle(x: ArrayLike) -> Array:
    """The angle of a complex number, between -pi and pi; of real ones 0 or pi."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_angle(c.place(), x._h))


def log2(x: ArrayLike) -> Array:
    """The logarithm of x to the base 2, a float: log2(x). Also complex."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_log2(c.place(), x._h))


def log10(x: ArrayLike) -> Array:
    """The logarithm of x to the base 10, a float: log10(x). Also complex."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_log10(c.place(), x._h))


def reciprocal(x: ArrayLike) -> Array:
    """1 / x for each element, in floats. Also complex."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_reciprocal(c.place(), x._h))


def fabs(x: ArrayLike) -> Array:
    """The absolute value |x| of each element, in floats."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_fabs(c.place(), x._h))


def float_power(a: ArrayLike, b: ArrayLike) -> Array:
    """a to the power b for each pair of elements, in floats. Also complex."""
    return operands2(_float_power, a, b)


def hypot(a: ArrayLike, b: ArrayLike) -> Array:
    """sqrt(a^2 + b^2), which does not overflow on the way."""
    return operands2(_hypot, a, b)


def logaddexp(a: ArrayLike, b: ArrayLike) -> Array:
    """log(e^a + e^b), which does not overflow on the way."""
    return operands2(_logaddexp, a, b)


def logaddexp2(a: ArrayLike, b: ArrayLike) -> Array:
    """log2(2^a + 2^b) for each pair of elements, which does not overflow on the way."""
    return operands2(_logaddexp2, a, b)


def sinc(x: ArrayLike) -> Array:
    """sin(pi x) / (pi x); 1 at 0, with the derivatives there. Also complex."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_sinc(c.place(), x._h))


def floor_divide(a: ArrayLike, b: ArrayLike) -> Array:
    """The largest whole number <= a / b, in the dtype of a and b; x / 0 is that of div() for
    floats, and for integers one less where a < 0. floor_divide(x, 3)"""
    return operands2(_floor_divide, a, b)


def remainder(a: ArrayLike, b: ArrayLike) -> Array:
    """What floor_divide() leaves, with the sign of b; of integers 0 for b = 0."""
    return operands2(_remainder, a, b)


def divmod(a: ArrayLike, b: ArrayLike) -> List[Array]:
    """floor_divide() and remainder(), to out[0] and out[1]."""
    c = context_of(a, b)
    a = c.operand(a)
    b = c.operand(b)
    made = places(2)
    c.done(_divmod(c.place(), a, b, made))
    return c.arrays(made)


def fmod(a: ArrayLike, b: ArrayLike) -> Array:
    """What a / b towards 0 leaves, with the sign of a; of integers 0 for b = 0."""
    return operands2(_fmod, a, b)


def trunc(x: ArrayLike) -> Array:
    """The whole number next to x towards 0; integers are left as they are."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_trunc(c.place(), x._h))


def rint(x: ArrayLike) -> Array:
    """The nearest whole number as a float, ties to even. Complex: each part."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_rint(c.place(), x._h))


def gcd(a: ArrayLike, b: ArrayLike) -> Array:
    """The greatest common divisor of a and b, which is not negative; 0 where both are. Integers.
    It has no derivative in reverse mode."""
    return operands2(_gcd, a, b)


def lcm(a: ArrayLike, b: ArrayLike) -> Array:
    """The least common multiple, not negative; 0 where a or b is. Integers."""
    return operands2(_lcm, a, b)


def mulhi(a: ArrayLike, b: ArrayLike) -> Array:
    """The upper half of the bits of the product a b, in the dtype of a and b. Integers."""
    return operands2(_mulhi, a, b)


def modf(x: ArrayLike) -> List[Array]:
    """x - trunc(x) and trunc(x), to out[0] and out[1]."""
    c = context_of(x)
    x = c.handle(x)
    made = places(2)
    c.done(_modf(c.place(), x._h, made))
    return c.arrays(made)


def bitwise_count(x: ArrayLike) -> Array:
    """How many bits of |x| are set, for each element, u8. Integers and bool."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_bitwise_count(c.place(), x._h))


def frexp(x: ArrayLike) -> List[Array]:
    """x as m 2^e with 1/2 <= |m| < 1: m to out[0], and e, i32, to out[1]; of 0, infinities and NaN
    x and 0."""
    c = context_of(x)
    x = c.handle(x)
    made = places(2)
    c.done(_frexp(c.place(), x._h, made))
    return c.arrays(made)


def ldexp(a: ArrayLike, b: ArrayLike) -> Array:
    """a 2^b for each pair of elements, a as floats and b of integers. Error (Error.ERROR_TYPE): a
    b that is not of integers."""
    return operands2(_ldexp, a, b)


def spacing(x: ArrayLike) -> Array:
    """The distance from x to the number next to it, away from 0."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_spacing(c.place(), x._h))


def signbit(x: ArrayLike) -> Array:
    """Is the sign bit set? bool; of integers: is x < 0?"""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_signbit(c.place(), x._h))


def copysign(a: ArrayLike, b: ArrayLike) -> Array:
    """|a| with the sign bit of b, for each pair of elements, in floats."""
    return operands2(_copysign, a, b)


def heaviside(a: ArrayLike, b: ArrayLike) -> Array:
    """0 where a < 0, 1 where a > 0, b where a is 0."""
    return operands2(_heaviside, a, b)


def isinf(x: ArrayLike) -> Array:
    """Whether each element is infinite, in a part where it is complex: bool. Also complex."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_isinf(c.place(), x._h))


def isposinf(x: ArrayLike) -> Array:
    """Whether each element is +infinite, a bool: isposinf(x)."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_isposinf(c.place(), x._h))


def isneginf(x: ArrayLike) -> Array:
    """Whether each element is -infinite, a bool: isneginf(x)."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_isneginf(c.place(), x._h))


def iscomplex(x: ArrayLike) -> Array:
    """Whether the imaginary part of each element is other than 0: bool, false for real dtypes.
    Also complex."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_iscomplex(c.place(), x._h))


def isreal(x: ArrayLike) -> Array:
    """Whether the imaginary part of each element is 0: bool, true for real dtypes. Also
    complex."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_isreal(c.place(), x._h))


def fmax(a: ArrayLike, b: ArrayLike) -> Array:
    """The larger one of a and b, element by element; a number wins over NaN."""
    return operands2(_fmax, a, b)


def fmin(a: ArrayLike, b: ArrayLike) -> Array:
    """The smaller one of a and b, element by element; a number wins over NaN."""
    return operands2(_fmin, a, b)


def nan_to_num(x: ArrayLike, *, nan: ArrayLike = None, posinf: ArrayLike = None,
               neginf: ArrayLike = None) -> Array:
    """0 for NaN, the largest and the lowest number of the dtype for infinities. Complex: each
    part. nan_to_num(x, nan=-1)"""
    c = context_of(x, nan, posinf, neginf)
    x = c.handle(x)
    args = c.record("tsr_nan_to_num_args", nan=nan, posinf=posinf, neginf=neginf)
    return c.array(_nan_to_num(c.place(), x._h, args))


def isclose(a: ArrayLike, b: ArrayLike, rtol: float = 1e-5, atol: float = 1e-8) -> Array:
    """|a - b| <= atol + rtol |b|, or a == b; bool. NaN is close to nothing. NumPy's usual numbers:
    isclose(a, b, 1e-5, 1e-8). Also complex."""
    c = context_of(a, b)
    a = c.operand(a)
    b = c.operand(b)
    return c.array(_isclose(c.place(), a, b, rtol, atol))


def logical_xor(a: ArrayLike, b: ArrayLike) -> Array:
    """Whether one of a and b is other than 0 and the other is not, for each pair of elements: a
    bool. Also complex."""
    return operands2(_logical_xor, a, b)


def select(conditions: Any, x: Any, n: int, otherwise: ArrayLike) -> Array:
    """The elements of the first of the n arrays whose condition is not 0, and `otherwise` where
    none is: select(conditions, x, 2, 0)."""
    c = context_of(otherwise)
    otherwise = c.operand(otherwise)
    return c.array(_select(c.place(), conditions, x, n, otherwise))


def choose(i: ArrayLike, x: Any, n: int, mode: Choice) -> Array:
    """The elements of array number i, integers, of n: moved to the nearest one with "clip", modulo
    n with "wrap". Error (Error.ERROR_ARGUMENT): another mode."""
    c = context_of(i)
    i = c.handle(i)
    return c.array(_choose(c.place(), i._h, x, n, enum("tsr_index_mode", mode)))


def gamma_function(x: ArrayLike) -> Array:
    """The gamma function; NaN at negative whole numbers."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_gamma_function(c.place(), x._h))


def gammasgn(x: ArrayLike) -> Array:
    """The sign of the gamma function; NaN at negative whole numbers."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_gammasgn(c.place(), x._h))


def log_gamma(x: ArrayLike) -> Array:
    """The logarithm of the gamma function, lgamma(x) for x > 0, else NaN."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_log_gamma(c.place(), x._h))


def factorial(x: ArrayLike) -> Array:
    """x! for each element, as gamma(x + 1); 0 where x is below 0."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_factorial(c.place(), x._h))


def beta_function(a: ArrayLike, b: ArrayLike) -> Array:
    """The beta function gamma(a) gamma(b) / gamma(a + b)."""
    return operands2(_beta_function, a, b)


def betaln(a: ArrayLike, b: ArrayLike) -> Array:
    """The logarithm of the absolute value of beta_function(), for floats: betaln(a, b)."""
    return operands2(_betaln, a, b)


def comb(a: ArrayLike, b: ArrayLike) -> Array:
    """How many ways there are to choose b of a things; 0 outside."""
    return operands2(_comb, a, b)


def poch(a: ArrayLike, b: ArrayLike) -> Array:
    """Pochhammer's symbol gamma(a + b) / gamma(a) for each pair of elements."""
    return operands2(_poch, a, b)


def multigammaln(x: ArrayLike, d: int) -> Array:
    """The logarithm of the gamma function of d x d matrices: multigammaln(x, 3). Error
    (Error.ERROR_ARGUMENT): d is less than 1."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_multigammaln(c.place(), x._h, d))


def i0(x: ArrayLike) -> Array:
    """The modified Bessel function of the first kind and order 0 of x; bessel_i0e() does not
    overflow."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_i0(c.place(), x._h))


def i1(x: ArrayLike) -> Array:
    """The modified Bessel function of the first kind and order 1 of x; bessel_i1e() does not
    overflow."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_i1(c.place(), x._h))


def boxcox(a: ArrayLike, b: ArrayLike) -> Array:
    """Box and Cox' transform (a^b - 1) / b for each pair of elements, and log(a) for b = 0."""
    return operands2(_boxcox, a, b)


def boxcox1p(a: ArrayLike, b: ArrayLike) -> Array:
    """Box and Cox' transform of 1 + a, boxcox(1 + a, b), exact where a is near 0."""
    return operands2(_boxcox1p, a, b)


def xlogy(a: ArrayLike, b: ArrayLike) -> Array:
    """a log(b) for each pair of elements; 0 where a is 0, unless b is NaN."""
    return operands2(_xlogy, a, b)


def xlog1py(a: ArrayLike, b: ArrayLike) -> Array:
    """a log(1 + b) for each pair of elements; 0 where a is 0, unless b is NaN."""
    return operands2(_xlog1py, a, b)


def entr(x: ArrayLike) -> Array:
    """The entropy -x log(x) for each element; 0 at 0, and -inf below 0."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_entr(c.place(), x._h))


def rel_entr(a: ArrayLike, b: ArrayLike) -> Array:
    """The relative entropy a log(a / b) for each pair of elements; 0 for a = 0 and b >= 0, inf
    outside."""
    return operands2(_rel_entr, a, b)


def kl_div(a: ArrayLike, b: ArrayLike) -> Array:
    """Kullback and Leibler's divergence rel_entr(a, b) - a + b, for each pair of elements."""
    return operands2(_kl_div, a, b)


def logit(x: ArrayLike) -> Array:
    """log(x / (1 - x)) for each element, the inverse of logistic(). Also complex."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_logit(c.place(), x._h))


def ndtr(x: ArrayLike) -> Array:
    """The normal distribution: the integral of its density up to x."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_ndtr(c.place(), x._h))


def log_ndtr(x: ArrayLike) -> Array:
    """The logarithm of ndtr(), which does not underflow on the way."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_log_ndtr(c.place(), x._h))


def ndtri(p: ArrayLike) -> Array:
    """The x with ndtr(x) = p; infinite at 0 and 1, NaN outside."""
    c = context_of(p)
    p = c.handle(p)
    return c.array(_ndtri(c.place(), p._h))
