"""_linalg.py - further functions of jax.numpy.linalg and jax.numpy.fft."""
import collections
import functools

import tsr

from . import _dtypes, _products, _shapes
from ._array import as_array, wrapped
from ._backend import context
from ._editing import cross
from ._more import vecdot
from ._shapes import _x

_Eig = collections.namedtuple("EigResult", "eigenvalues eigenvectors")
_Qr = collections.namedtuple("QRResult", "Q R")


def _how(ord):
    """An order of norm, as the library takes it."""
    words = {"fro": {"frobenius": True}, "nuc": {"nuclear": True}}
    return words[ord] if ord in words else {"ord": float(ord)}


def norm(x, ord=None, axis=None, keepdims=False):
    """The norm of vectors or matrices."""
    x = _x(x)
    x = x if x.dtype.kind in "fcV" else x.astype(_dtypes.named(float))
    if ord is None and (axis is None or isinstance(axis, int) or len(axis) < 3):
        return wrapped(tsr.norm(x, axis=axis, keepdims=keepdims or None))
    axes = tuple(range(x.ndim)) if axis is None else (axis,) if isinstance(axis, int) else \
        tuple(k % x.ndim for k in axis)
    if len(axes) == 1:
        if isinstance(ord, str):
            raise ValueError(f"Invalid order '{ord}' for vector norm.")
        how = {"zero": True} if ord == 0 else {"ord": float(ord)}
        return wrapped(tsr.vector_norm(x, axis=axes, keepdims=keepdims or None, **how))
    if len(axes) != 2:
        raise ValueError(f"Improper number of axes for norm: {axes}")
    rest = [k for k in range(x.ndim) if k not in axes]
    y = wrapped(tsr.matrix_norm(tsr.transpose(x, perm=(*rest, *axes)), **_how(ord)))
    return _shapes.expand_dims(y, tuple(sorted(axes))) if keepdims else y


def vector_norm(x, /, *, axis=None, keepdims=False, ord=2):
    """The norm of vectors."""
    x = as_array(x)
    if axis is None or isinstance(axis, tuple):
        axes = tuple(range(x.ndim)) if axis is None else tuple(k % x.ndim for k in axis)
        how = {"zero": True} if ord == 0 else {"ord": float(ord)}
        return wrapped(tsr.vector_norm(_float(x._x), axis=axes, keepdims=keepdims or None, **how))
    return norm(x, ord, axis, keepdims)


def matrix_norm(x, /, *, keepdims=False, ord="fro"):
    """The norm of matrices."""
    return norm(x, ord, (-2, -1), keepdims)


def _float(x):
    return x if x.dtype.kind in "fcV" else x.astype(_dtypes.named(float))


def cond(x, p=None):
    """How much a matrix enlarges errors."""
    x = _float(_x(x))
    if p in (None, 2, -2):
        s = tsr.svdvals(x)
        first, last = s[..., 0], s[..., -1]
        return wrapped(last / first if p == -2 else first / last)
    made = norm(wrapped(x), p, (-2, -1)) * norm(wrapped(tsr.inv(x)), p, (-2, -1))
    return made


def diagonal(x, /, *, offset=0):
    """The diagonals of matrices."""
    return _shapes.diagonal(x, offset, -2, -1)


def trace(x, /, *, offset=0, dtype=None):
    """The sums of the diagonals of matrices."""
    return _shapes.trace(x, offset, -2, -1, dtype)


def linalg_cross(x1, x2, /, *, axis=-1):
    """The vectors at right angles to both."""
    return cross(x1, x2, axis=axis)


def outer(x1, x2, /):
    """All products of two vectors."""
    x1, x2 = as_array(x1), as_array(x2)
    if x1.ndim != 1 or x2.ndim != 1:
        raise ValueError("Input arrays must be one-dimensional, but they are "
                         f"x1.ndim={x1.ndim} x2.ndim={x2.ndim}")
    return _products.outer(x1, x2)


def matrix_rank(M, rtol=None, *, tol=None):
    """How many rows are independent."""
    x = _float(_x(M))
    if tol is not None:
        rtol = tol
    if x.ndim < 2:
        return wrapped(tsr.any(x != 0).astype("int32"))
    return wrapped(tsr.matrix_rank(x, rtol=None if rtol is None else float(rtol)).astype("int32"))


def multi_dot(arrays, *, precision=None):
    """The product of several matrices, in the best order."""
    _products._kept(precision, None)
    arrays = [as_array(a) for a in arrays]
    return wrapped(tsr.multi_dot([a._x for a in arrays])) if len(arrays) > 2 else \
        functools.reduce(_products.matmul, arrays)


def svdvals(x, /):
    """The singular values."""
    return wrapped(tsr.svdvals(_float(_x(x))))


def lstsq(a, b, rcond=None, *, numpy_resid=False):
    """(x of least |a x - b|, residuals, rank, singular values)."""
    a, b = _float(_x(a)), _float(_x(b))
    one = b.ndim == 1
    rows = b[:, None] if one else b
    m, n = a.shape
    rcond = float(_dtypes.finfo(str(a.dtype)).eps) * max(m, n) if rcond is None else \
        0. if rcond < 0 else float(rcond)
    u, s, vt = tsr.svd(a, thin=True)
    kept = s >= rcond * s[0]
    rank = tsr.sum(kept.astype("int32"))
    inverse = tsr.where(kept, 1 / tsr.where(kept, s, 1), 0)
    x = tsr.conj(vt.mT) @ (inverse[:, None] * (tsr.conj(u.mT) @ rows))
    left = rows - a @ x
    resid = tsr.sum(tsr.real(left * tsr.conj(left)), 0)
    if numpy_resid:
        raise NotImplementedError("jax.numpy.linalg.lstsq(numpy_resid=True) on Tessera")
    return tuple(map(wrapped, (x[:, 0] if one else x, resid, rank, s)))


def tensorinv(a, ind=2):
    """The inverse for tensordot()."""
    return wrapped(tsr.tensorinv(_float(_x(a)), int(ind)))


def tensorsolve(a, b, axes=None):
    """x of tensordot(a, x) = b."""
    a, b = as_array(a), as_array(b)
    if axes is not None:
        a = _shapes.moveaxis(a, axes, tuple(range(a.ndim - len(axes), a.ndim)))
    shape = a.shape[b.ndim:]
    rows = _shapes.reshape(a, (b.size, -1))
    from ._products import LINALG
    return _shapes.reshape(LINALG["solve"](rows, _shapes.ravel(b)), shape)


def eig(a):
    """(eigenvalues, eigenvectors)."""
    found = tsr.eig(_float(_x(a)))
    return _Eig(*map(wrapped, found[:2]))


def eigvals(a):
    """The eigenvalues."""
    return wrapped(tsr.eigvals(_float(_x(a))))


def _qr(a, mode="reduced"):
    """(q, r); mode "r": r alone."""
    if mode == "r":
        return wrapped(tsr.qr(_float(_x(a)))[1])
    if mode not in ("reduced", "full", "complete"):
        raise NotImplementedError(f"jax.numpy.linalg.qr(mode={mode!r}) on Tessera")
    return _Qr(*map(wrapped, tsr.qr(_float(_x(a)), full_matrices=mode != "reduced" or None)))


LINALG = {"norm": norm, "vector_norm": vector_norm, "matrix_norm": matrix_norm, "cond": cond,
          "diagonal": diagonal, "trace": trace, "cross": linalg_cross, "outer": outer,
          "matrix_rank": matrix_rank, "multi_dot": multi_dot, "svdvals": svdvals, "lstsq": lstsq,
          "tensorinv": tensorinv, "tensorsolve": tensorsolve, "eig": eig, "eigvals": eigvals,
          "qr": _qr, "matmul": _products.matmul, "tensordot": _products.tensordot,
          "matrix_transpose": _shapes.matrix_transpose, "vecdot": vecdot}


# ---- jax.numpy.fft

def _of_axes(name, two):
    function = getattr(tsr, name)

    def of_array(a, s=None, axes=(-2, -1) if two else None, norm=None):
        x = _x(a)
        if axes is None:
            axes = range(x.ndim) if s is None else range(x.ndim - len(s), x.ndim)
        axes = tuple(k % x.ndim for k in axes)
        lengths = None if s is None else tuple(int(n) for n in s)
        return wrapped(function(x, lengths=lengths, axis=axes, norm=norm))
    of_array.__name__, of_array.__doc__ = name, function.__doc__
    return of_array


def _shifted(name):
    function = getattr(tsr, name)

    def of_array(x, axes=None):
        x = _x(x)
        axes = range(x.ndim) if axes is None else (axes,) if isinstance(axes, int) else axes
        return wrapped(function(x, tuple(k % x.ndim for k in axes)))
    of_array.__name__, of_array.__doc__ = name, function.__doc__
    return of_array


def _frequencies(name):
    function = getattr(tsr, name)

    def of_size(n, d=1.0, *, dtype=None, device=None):
        context()
        return wrapped(function(int(n), d=float(d), dtype=_dtypes.named(dtype or float)))
    of_size.__name__, of_size.__doc__ = name, function.__doc__
    return of_size


FFT = {n: _of_axes(n, n.endswith("2")) for n in ("fft2", "ifft2", "rfft2", "irfft2", "fftn",
                                                 "ifftn", "rfftn", "irfftn")}
FFT.update({n: _shifted(n) for n in ("fftshift", "ifftshift")})
FFT.update({n: _frequencies(n) for n in ("fftfreq", "rfftfreq")})
FFT.update({n: _products._transform(n) for n in ("hfft", "ihfft")})
