"""curves.py - the functions of tsr/curves.h; tools/make_bindings.py made it of api/."""
from .._call import context_of
from .._lib import lib
from .._types import Array, ArrayLike, DTypeLike, Dims, Optional

__all__ = ["bartlett", "blackman", "diff", "ediff1d", "geomspace", "gradient", "hamming",
           "hanning", "kaiser", "linspace", "logspace", "poly", "polyadd", "polyder", "polyint",
           "polymul", "polysub", "polyval", "roots", "trapezoid", "unwrap"]

_linspace = lib.tsr_linspace_at
_logspace = lib.tsr_logspace_at
_geomspace = lib.tsr_geomspace_at
_bartlett = lib.tsr_bartlett_at
_blackman = lib.tsr_blackman_at
_hamming = lib.tsr_hamming_at
_hanning = lib.tsr_hanning_at
_kaiser = lib.tsr_kaiser_at
_diff = lib.tsr_diff_at
_ediff1d = lib.tsr_ediff1d_at
_gradient = lib.tsr_gradient_at
_trapezoid = lib.tsr_trapezoid_at
_unwrap = lib.tsr_unwrap_at
_polyval = lib.tsr_polyval_at
_polyadd = lib.tsr_polyadd_at
_polysub = lib.tsr_polysub_at
_polymul = lib.tsr_polymul_at
_polyder = lib.tsr_polyder_at
_polyint = lib.tsr_polyint_at
_poly = lib.tsr_poly_at
_roots = lib.tsr_roots_at


def linspace(start: ArrayLike, stop: ArrayLike, n: int = 50, *, open: Optional[bool] = None,
             axis: Dims = None, dtype: DTypeLike = None) -> Array:
    """n numbers from start to stop in equal steps: linspace(0, 1, 5). Error
    (Error.ERROR_ARGUMENT): n < 0."""
    c = context_of(start, stop)
    start = c.operand(start)
    stop = c.operand(stop)
    args = c.record("tsr_linspace_args", open=open, dim=axis, dtype=dtype)
    return c.array(_linspace(c.place(), c.pointer, start, stop, n, args))


def logspace(start: ArrayLike, stop: ArrayLike, n: int = 50, *, open: Optional[bool] = None,
             axis: Dims = None, dtype: DTypeLike = None, base: Optional[float] = None) -> Array:
    """n numbers, base to the power of those of linspace(): logspace(0, 3, 4) is 1, 10, 100, 1000.
    Error (Error.ERROR_ARGUMENT): n < 0."""
    c = context_of(start, stop)
    start = c.operand(start)
    stop = c.operand(stop)
    args = c.record("tsr_logspace_args", open=open, dim=axis, dtype=dtype, base=base)
    return c.array(_logspace(c.place(), c.pointer, start, stop, n, args))


def geomspace(start: ArrayLike, stop: ArrayLike, n: int = 50, *, open: Optional[bool] = None,
              axis: Dims = None, dtype: DTypeLike = None) -> Array:
    """n numbers from start to stop in equal ratios: geomspace(1, 8, 4) is 1, 2, 4, 8. Error
    (Error.ERROR_ARGUMENT): n < 0."""
    c = context_of(start, stop)
    start = c.operand(start)
    stop = c.operand(stop)
    args = c.record("tsr_linspace_args", open=open, dim=axis, dtype=dtype)
    return c.array(_geomspace(c.place(), c.pointer, start, stop, n, args))


def bartlett(n: int, *, dtype: DTypeLike = None) -> Array:
    """Bartlett's window of n numbers, which rises from 0 to 1 in one line and falls in another;
    f32 when no dtype is given."""
    c = context_of()
    args = c.record("tsr_new_args", dtype=dtype)
    return c.array(_bartlett(c.place(), c.pointer, n, args))


def blackman(n: int, *, dtype: DTypeLike = None) -> Array:
    """Blackman's window of n numbers, 0.42 - 0.5 cos(2 pi i / (n - 1)) + 0.08 cos(4 pi i / (n -
    1)); f32 when no dtype is given."""
    c = context_of()
    args = c.record("tsr_new_args", dtype=dtype)
    return c.array(_blackman(c.place(), c.pointer, n, args))


def hamming(n: int, *, dtype: DTypeLike = None) -> Array:
    """Hamming's window of n numbers, 0.54 - 0.46 cos(2 pi i / (n - 1)); f32 when no dtype is
    given."""
    c = context_of()
    args = c.record("tsr_new_args", dtype=dtype)
    return c.array(_hamming(c.place(), c.pointer, n, args))


def hanning(n: int, *, dtype: DTypeLike = None) -> Array:
    """Hann's window of n numbers, 0.5 - 0.5 cos(2 pi i / (n - 1)); f32 when no dtype is given."""
    c = context_of()
    args = c.record("tsr_new_args", dtype=dtype)
    return c.array(_hanning(c.place(), c.pointer, n, args))


def kaiser(n: int, beta: float, *, dtype: DTypeLike = None) -> Array:
    """Kaiser's window of n numbers, i0(beta sqrt(1 - (2 i / (n - 1) - 1)^2)) / i0(beta); f32 when
    no dtype is given."""
    c = context_of()
    args = c.record("tsr_new_args", dtype=dtype)
    return c.array(_kaiser(c.place(), c.pointer, n, beta, args))


def diff(x: ArrayLike, axis: Dims = None, *, n: Optional[int] = None, prepend: ArrayLike = None,
         append: ArrayLike = None) -> Array:
    """Each element less the one before it along a dim; bool: whether they differ. diff(x, n=2).
    Errors: x without dims (Error.ERROR_ARGUMENT)."""
    c = context_of(x, prepend, append)
    x = c.handle(x)
    args = c.record("tsr_diff_args", dim=axis, n=n, prepend=prepend, append=append)
    return c.array(_diff(c.place(), x._h, args))


def ediff1d(x: ArrayLike) -> Array:
    """The differences of neighbours of all elements of x, ravelled, [size - 1]: diff(ravel(x))."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_ediff1d(c.place(), x._h))


def gradient(x: ArrayLike, axis: int = 0, h: ArrayLike = 1.0) -> Array:
    """Slopes along a dim: (x[i + 1] - x[i - 1]) / 2 h, at the ends the difference of the last two
    over h. h is the distance, or an array of one dim with the places of elements: gradient(x, 0,
    1.0). Errors (Error.ERROR_TYPE): less than two elements, places of another size."""
    c = context_of(x, h)
    x = c.handle(x)
    h = c.operand(h)
    return c.array(_gradient(c.place(), x._h, axis, h))


def trapezoid(y: ArrayLike, axis: Dims = None, *, x: ArrayLike = None,
              dx: Optional[float] = None) -> Array:
    """The area below the lines between the values, along a dim: trapezoid(y, dx=0.1)."""
    c = context_of(y, x)
    y = c.handle(y)
    args = c.record("tsr_trapezoid_args", dim=axis, x=x, dx=dx)
    return c.array(_trapezoid(c.place(), y._h, args))


def unwrap(x: ArrayLike, axis: Dims = None, *, period: Optional[float] = None,
           discont: Optional[float] = None) -> Array:
    """Angles without jumps: a step along the dim of more than half a period is taken as one of
    less. Not complex."""
    c = context_of(x)
    x = c.handle(x)
    args = c.record("tsr_unwrap_args", dim=axis, period=period, discont=discont)
    return c.array(_unwrap(c.place(), x._h, args))


def polyval(p: ArrayLike, x: ArrayLike) -> Array:
    """The value of a polynomial at each element of x, p[0] x^(n - 1) + ... + p[n - 1], with the
    dims of x."""
    c = context_of(p, x)
    p = c.handle(p)
    x = c.handle(x)
    return c.array(_polyval(c.place(), p._h, x._h))


def polyadd(a: ArrayLike, b: ArrayLike) -> Array:
    """The coefficients of the sum of two polynomials, as many as the longer of a and b has."""
    c = context_of(a, b)
    a = c.handle(a)
    b = c.handle(b)
    return c.array(_polyadd(c.place(), a._h, b._h))


def polysub(a: ArrayLike, b: ArrayLike) -> Array:
    """The coefficients of the polynomial a less the polynomial b, as many as the longer one
    has."""
    c = context_of(a, b)
    a = c.handle(a)
    b = c.handle(b)
    return c.array(_polysub(c.place(), a._h, b._h))


def polymul(a: ArrayLike, b: ArrayLike) -> Array:
    """The coefficients of the product of two polynomials, in floats: polymul(a, b) of [m] and [n]
    is [m + n - 1]."""
    c = context_of(a, b)
    a = c.handle(a)
    b = c.handle(b)
    return c.array(_polymul(c.place(), a._h, b._h))


def polyder(p: ArrayLike, m: int) -> Array:
    """The m-th derivative of a polynomial, in floats: polyder(p, 1). Error (Error.ERROR_ARGUMENT):
    m < 0."""
    c = context_of(p)
    p = c.handle(p)
    return c.array(_polyder(c.place(), p._h, m))


def polyint(p: ArrayLike, m: int) -> Array:
    """The m-th integral of a polynomial, with 0 as the constants, in floats: polyint(p, 1). Error
    (Error.ERROR_ARGUMENT): m < 0."""
    c = context_of(p)
    p = c.handle(p)
    return c.array(_polyint(c.place(), p._h, m))


def poly(zeros: ArrayLike) -> Array:
    """The polynomial with these zeros and 1 as its first coefficient, in floats; with no zeros,
    the number 1."""
    c = context_of(zeros)
    zeros = c.handle(zeros)
    return c.array(_poly(c.place(), zeros._h))


def roots(p: ArrayLike) -> Array:
    """The n - 1 zeros of a polynomial, complex; those that are 0 come last. For each coefficient
    in front that is 0 there is one zero less, and a NaN at the end (strip_zeros=False):
    roots(p)."""
    c = context_of(p)
    p = c.handle(p)
    return c.array(_roots(c.place(), p._h))
