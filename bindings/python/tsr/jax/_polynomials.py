"""_polynomials.py - polynomials of jax.numpy, the highest power first."""
import numpy as np

import tsr

from . import _dtypes
from ._array import as_array, raw, wrapped
from ._shapes import _x
from ._sets import known


def _float(x):
    return x if x.dtype.kind in "fcV" else x.astype(_dtypes.named(float))


def poly(seq_of_zeros):
    """The polynomial with these zeros, or that of a matrix."""
    x = _float(_x(seq_of_zeros))
    if x.ndim == 2:
        return wrapped(tsr.poly(tsr.eigvals(x)))
    return wrapped(tsr.poly(x))


def _of_two(name):
    function = getattr(tsr, name)

    def of_polynomials(a1, a2):
        return wrapped(function(_x(a1), _x(a2)))
    of_polynomials.__name__, of_polynomials.__doc__ = name, function.__doc__
    return of_polynomials


polyadd, polysub = _of_two("polyadd"), _of_two("polysub")


def polymul(a1, a2, *, trim_leading_zeros=False):
    """Their product."""
    if trim_leading_zeros:
        a1, a2 = (np.trim_zeros(known(a, "polymul"), "f") for a in (a1, a2))
        a1, a2 = (a if len(a) else np.zeros(1, np.float32) for a in (a1, a2))
    a, b = (tsr.atleast_1d(_x(a)) for a in (a1, a2))
    return wrapped(tsr.polymul(_float(a), _float(b)))


def polyder(p, m=1):
    """The derivative."""
    return wrapped(tsr.polyder(_float(_x(p)), int(m)))


def polyint(p, m=1, k=None):
    """The integral, with constants."""
    x = _float(_x(p))
    if k is None:
        return wrapped(tsr.polyint(x, int(m)))
    k = np.broadcast_to(np.asarray(k, np.float32).ravel(), (m,)) if np.size(k) == 1 else \
        np.asarray(k, np.float32)
    for one in k:
        x = tsr.polyint(x, 1)
        x = x.at[-1].add(float(one))
    return wrapped(x)


def polydiv(u, v, *, trim_leading_zeros=False):
    """(quotient, remainder)."""
    u, v = _float(_x(u)), _float(_x(v))
    m, n = u.shape[0] - 1, v.shape[0] - 1
    scale = 1 / v[0]
    quotient = tsr.zeros((max(m - n + 1, 1),), dtype=u.dtype)
    for k in range(m - n + 1):
        d = scale * u[k]
        quotient = quotient.at[k].set(d)
        u = u.at[k:k + n + 1].add(-d * v)
    if trim_leading_zeros:
        u = raw(as_array(np.trim_zeros(known(wrapped(u), "polydiv"), "f")))
    return wrapped(quotient), wrapped(u)


def polyfit(x, y, deg, rcond=None, full=False, w=None, cov=False):
    """The polynomial of least squares."""
    if full or cov:
        raise NotImplementedError("jax.numpy.polyfit(full=, cov=) on Tessera")
    x, y = _float(_x(x)), _float(_x(y))
    rows = tsr.stack([x ** k for k in range(deg, -1, -1)], 1)
    rhs = y
    if w is not None:
        w = _float(_x(w))
        rows = rows * w[:, None]
        rhs = rhs * (w if y.ndim == 1 else w[:, None])
    scale = tsr.sqrt(tsr.sum(rows * rows, 0))
    rows = rows / scale
    rcond = x.shape[0] * float(_dtypes.finfo(str(x.dtype)).eps) if rcond is None else rcond
    found = tsr.lstsq(rows, rhs if y.ndim == 2 else rhs[:, None], rtol=rcond)
    found = found[0] if isinstance(found, (tuple, list)) else found
    return wrapped(found / scale[:, None] if y.ndim == 2 else found[:, 0] / scale)


def roots(p, *, strip_zeros=True):
    """The zeros of a polynomial, whose leading zeros are left out."""
    x = as_array(p)
    if not strip_zeros:
        return wrapped(tsr.roots(_float(_x(p))))
    values = known(x, "roots")
    there = np.nonzero(values)[0]
    kind = "complex128" if _dtypes.config["x64"] else "complex64"
    if not len(there):
        return as_array(np.zeros(0, kind))
    core, zeros = values[there[0]:there[-1] + 1], len(values) - 1 - there[-1]
    found = [] if len(core) < 2 else [np.asarray(tsr.roots(_float(_x(core))))]
    return as_array(np.concatenate([*found, np.zeros(zeros, kind)]).astype(kind))


__all__ = ("poly polyadd polysub polymul polyder polyint polydiv polyfit roots").split()
