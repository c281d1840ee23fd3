"""_products.py - functions of jax.numpy that multiply and add, of its linalg, and of its fft."""
import collections

import tsr

from . import _dtypes
from ._array import as_array, wrapped
from ._shapes import _x


def _kept(precision, preferred_element_type):
    if precision not in (None, "default", "highest", "float32", "high") and \
            getattr(precision, "name", None) not in ("DEFAULT", "HIGHEST", "HIGH"):
        raise NotImplementedError(f"precision={precision!r} on Tessera")
    return {} if preferred_element_type is None else \
        {"dtype": _dtypes.named(preferred_element_type)}


def dot(a, b, *, precision=None, preferred_element_type=None):
    """The last dim of a with the last but one of b."""
    return wrapped(tsr.dot(_x(a), _x(b), **_kept(precision, preferred_element_type)))


def matmul(a, b, *, precision=None, preferred_element_type=None):
    """Products of matrices; further dims are broadcast."""
    a, b = _x(a), _x(b)
    if not a.ndim or not b.ndim:
        raise ValueError("matmul input operand must have ndim at least 1, but it has ndim 0")
    return wrapped(tsr.matmul(a, b, **_kept(precision, preferred_element_type)))


def einsum(subscripts, /, *operands, out=None, optimize="auto", precision=None,
           preferred_element_type=None):
    """Products by Einstein's convention."""
    _kept(precision, None)
    if not isinstance(subscripts, str):
        subscripts, operands = _as_text(subscripts, *operands)
    made = wrapped(tsr.einsum(subscripts.replace(" ", ""), *map(_x, operands)))
    return made if preferred_element_type is None else as_array(made, preferred_element_type)


def _as_text(*given):
    """einsum(x, [0, 1], y, [1], [0]) as ("ab,b->a", (x, y))."""
    def letters(numbers):
        return "".join("..." if n is Ellipsis else chr(ord("a") + n) for n in numbers)
    operands, lists = given[0:len(given) - 1:2], given[1::2]
    text = ",".join(map(letters, lists))
    if len(given) % 2:
        text += "->" + letters(given[-1])
    return text, operands


def tensordot(a, b, axes=2, *, precision=None, preferred_element_type=None):
    """Sums over dims of a and b in pairs."""
    keywords = _kept(precision, preferred_element_type)
    a, b = _x(a), _x(b)
    if isinstance(axes, int):
        axes = tuple(range(a.ndim - axes, a.ndim)), tuple(range(axes))
    one, two = ((k,) if isinstance(k, int) else tuple(k) for k in axes)
    return wrapped(tsr.tensordot(a, b, dims_a=tuple(k % a.ndim for k in one),
                                 dims_b=tuple(k % b.ndim for k in two), **keywords))


def vdot(a, b, *, precision=None, preferred_element_type=None):
    """The sum of all products, a conjugated."""
    _kept(precision, preferred_element_type)
    return wrapped(tsr.vdot(_x(a), _x(b)))


def inner(a, b, *, precision=None, preferred_element_type=None):
    """Sums over the last dim of both."""
    _kept(precision, preferred_element_type)
    return wrapped(tsr.inner(_x(a), _x(b)))


def outer(a, b, out=None):
    """All products."""
    return wrapped(tsr.outer(_x(a), _x(b)))


def kron(a, b):
    """Kronecker's product."""
    return wrapped(tsr.kron(_x(a), _x(b)))


def diff(a, n=1, axis=-1, prepend=None, append=None):
    """Each element less the one before."""
    from ._shapes import concatenate
    x = as_array(a)
    axis %= x.ndim
    parts = []
    for more in (prepend, x, append):
        if more is not None:
            more = as_array(more)
            if not more.ndim:
                more = wrapped(tsr.broadcast_to(more._x, tuple(
                    1 if k == axis else m for k, m in enumerate(x.shape))))
            parts.append(more)
    x = concatenate(parts, axis)._x if len(parts) > 1 else x._x
    return wrapped(tsr.diff(x, axis, n=n))


def interp(x, xp, fp, left=None, right=None, period=None):
    """Values between points."""
    if isinstance(left, str) or isinstance(right, str):
        if (left, right) != ("extrapolate", "extrapolate"):
            raise NotImplementedError("jax.numpy.interp() on Tessera extrapolates on both sides")
        return wrapped(tsr.interp(_x(x), _x(xp), _x(fp), extrapolate=True))
    return wrapped(tsr.interp(_x(x), _x(xp), _x(fp), left=left, right=right,
                              period=None if period is None else float(period)))


def convolve(a, v, mode="full", *, precision=None, preferred_element_type=None):
    """Sums of products of one array moved along the other."""
    _kept(precision, preferred_element_type)
    return wrapped(tsr.convolve(_x(a), _x(v), mode=mode))


def polyval(p, x, *, unroll=16):
    """A polynomial, the highest power first."""
    return wrapped(tsr.polyval(_x(p), _x(x)))


__all__ = ["dot", "matmul", "einsum", "tensordot", "vdot", "inner", "outer", "kron", "diff",
           "interp", "convolve", "polyval"]


# ---- jax.numpy.linalg

def _inv(a):
    """The inverse."""
    return wrapped(tsr.inv(_x(a)))


def _det(a):
    """The determinant."""
    return wrapped(tsr.det(_x(a)))


def _solve(a, b):
    """x of a x = b."""
    a, b = _x(a), _x(b)
    if b.ndim == 1:
        return wrapped(tsr.solve(a, b.reshape((-1, 1))).reshape(a.shape[:-1]))
    return wrapped(tsr.solve(a, b))


def _cholesky(a, *, upper=False, symmetrize_input=True):
    """The factor of a positive definite matrix."""
    return wrapped(tsr.cholesky(_x(a), upper=upper or None))


_Svd = collections.namedtuple("SVDResult", "U S Vh")
_Eigh = collections.namedtuple("EighResult", "eigenvalues eigenvectors")


def _svd(a, full_matrices=True, compute_uv=True, hermitian=False):
    """(u, s, vh), or s."""
    if not compute_uv:
        return wrapped(tsr.svdvals(_x(a)))
    return _Svd(*map(wrapped, tsr.svd(_x(a), thin=not full_matrices or None)))


def _eigh(a, UPLO=None, symmetrize_input=True):
    """(eigenvalues, eigenvectors) of a Hermitian matrix."""
    return _Eigh(*map(wrapped, tsr.eigh(_x(a), upper=UPLO == "U" or None)))


def _matrix_power(a, n):
    """The product of n times a."""
    return wrapped(tsr.matrix_power(_x(a), n))


LINALG = {"inv": _inv, "det": _det, "solve": _solve, "cholesky": _cholesky,
          "svd": _svd, "eigh": _eigh, "matrix_power": _matrix_power}


# ---- jax.numpy.fft

def _transform(name):
    function = getattr(tsr, name)

    def of_array(a, n=None, axis=-1, norm=None):
        x = _x(a)
        return wrapped(function(x, n=n, axis=axis % x.ndim, norm=norm))
    of_array.__name__, of_array.__doc__ = name, function.__doc__
    return of_array


FFT = {n: _transform(n) for n in ("fft", "ifft", "rfft", "irfft")}
