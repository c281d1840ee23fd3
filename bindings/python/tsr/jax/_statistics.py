"""_statistics.py - functions of jax.numpy that count, compare and smooth: covariances, histograms,
windows, gradients, running sums, order."""
import numpy as np

import tsr

from . import _dtypes
from ._array import as_array, raw, wrapped
from ._backend import context
from ._products import _kept
from ._shapes import _x, concatenate, ravel
from ._sets import known


def cov(m, y=None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None, dtype=None):
    """The covariances of rows."""
    if dtype is not None:
        raise NotImplementedError("jax.numpy.cov(dtype=) on Tessera")
    normal = ddof in (None, 0 if bias else 1)
    given = {n: _x(x) for n, x in (("y", y), ("fweights", fweights), ("aweights", aweights))
             if x is not None}
    if not normal and ddof not in (0, 1):
        raise NotImplementedError(f"jax.numpy.cov(ddof={ddof!r}) on Tessera; there are 0 and 1")
    bias = bias if ddof is None else ddof == 0
    return wrapped(tsr.cov(_float(_x(m)), columns=not rowvar or None, bias=bias or None, **given))


def _float(x):
    return x if x.dtype.kind in "fcV" else x.astype(_dtypes.named(float))


def corrcoef(x, y=None, rowvar=True, dtype=None):
    """The correlations of rows."""
    if dtype is not None:
        raise NotImplementedError("jax.numpy.corrcoef(dtype=) on Tessera")
    given = {} if y is None else {"y": _x(y)}
    return wrapped(tsr.corrcoef(_float(_x(x)), columns=not rowvar or None, **given))


def correlate(a, v, mode="valid", *, precision=None, preferred_element_type=None):
    """Sums of products of one array moved along the other, which is not turned."""
    _kept(precision, preferred_element_type)
    a, v = _x(a), _x(v)
    return wrapped(tsr.correlate(a, v, mode=mode))


def nanmedian(a, axis=None, out=None, overwrite_input=False, keepdims=False):
    """The middle of what is not NaN."""
    if out is not None:
        raise NotImplementedError("jax.numpy.nanmedian(out=) on Tessera")
    return wrapped(tsr.nanmedian(_x(a), axis, keepdims=keepdims or None))


# ---- histograms

def histogram_bin_edges(a, bins=10, range=None, weights=None):
    """The edges of bins of one width."""
    if isinstance(bins, str):
        raise NotImplementedError("string values for `bins` not implemented.")
    if np.ndim(bins) or hasattr(bins, "shape") and bins.shape:
        return as_array(bins)
    x = ravel(a)._x
    x = _float(x)
    if range is None:
        low, high = tsr.min(x), tsr.max(x)
    else:
        low, high = (as_array(r)._x.astype(x.dtype) for r in range)
    same = low == high
    low, high = tsr.where(same, low - .5, low), tsr.where(same, high + .5, high)
    return wrapped(tsr.linspace(low, high, int(bins) + 1, dtype=x.dtype))


def histogram(a, bins=10, range=None, weights=None, density=None):
    """How many numbers each bin has, and the edges."""
    edges = histogram_bin_edges(a, bins, range)
    counted = _histogram([ravel(a)], [edges], weights, "float32")
    if density:
        widths = edges[1:] - edges[:-1]
        counted = counted / widths / counted.sum()
    return counted, edges


def _histogram(columns, edges, weights, kind):
    """Counts of numbers by the bins of several dims."""
    n = columns[0].shape[0]
    at, valid = tsr.zeros((n,), dtype="int32"), tsr.ones((n,), dtype="bool")
    for x, e in zip(columns, edges):
        x, e = _float(x._x), e._x
        k = tsr.searchsorted(e, x, right=True) - 1
        k = tsr.where(x == e[-1], e.shape[0] - 2, k)
        valid = tsr.logical_and(valid, tsr.logical_and(x >= e[0], x <= e[-1]))
        at = at * (e.shape[0] - 1) + k
    sizes = tuple(e.shape[0] - 1 for e in edges)
    count = int(np.prod(sizes))
    at = tsr.where(valid, at, count)
    weight = tsr.ones((n,), dtype=kind) if weights is None else _float(ravel(weights)._x)
    made = tsr.zeros((count,), dtype=weight.dtype).at[at].add(weight, mode="drop")
    return wrapped(made.reshape(sizes))


def histogram2d(x, y, bins=10, range=None, weights=None, density=None):
    """The same of two columns."""
    from ._shapes import stack
    if not isinstance(bins, (int, tuple, list)) and np.ndim(bins):
        bins = [bins, bins]
    counted, edges = histogramdd(stack([ravel(x), ravel(y)], 1), bins, range, weights, density)
    return counted, edges[0], edges[1]


def histogramdd(sample, bins=10, range=None, weights=None, density=None):
    """The same of any number of columns."""
    sample = as_array(sample)
    many = sample.shape[1]
    bins = [bins] * many if isinstance(bins, int) else list(bins)
    columns = [sample[:, k] for k in np.arange(many).tolist()]
    edges = [histogram_bin_edges(c, b, None if range is None else range[k])
             for k, (c, b) in enumerate(zip(columns, bins))]
    counted = _histogram(columns, edges, weights, "int32")
    if density:
        counted = counted / counted.sum()
        for k, e in enumerate(edges):
            shape = [1] * many
            shape[k] = -1
            counted = counted / (e[1:] - e[:-1]).reshape(tuple(shape))
    return counted, edges


# ---- windows

def _window(name):
    function = getattr(tsr, name)

    def of_size(M):
        context()
        return wrapped(function(int(M), dtype=_dtypes.named(float)))
    of_size.__name__, of_size.__doc__ = name, function.__doc__
    return of_size


bartlett, blackman, hamming, hanning = (_window(n) for n in ("bartlett", "blackman", "hamming",
                                                             "hanning"))


def kaiser(M, beta):
    """Kaiser's window."""
    context()
    return wrapped(tsr.kaiser(int(M), float(beta), dtype=_dtypes.named(float)))


# ---- along a dim

def gradient(f, *varargs, axis=None, edge_order=None):
    """Slopes by central differences, of each dim or these."""
    if edge_order not in (None, 1):
        raise NotImplementedError("jax.numpy.gradient(edge_order=) on Tessera")
    x = _float(_x(f))
    axes = range(x.ndim) if axis is None else (axis,) if isinstance(axis, int) else axis
    axes = [k % x.ndim for k in axes]
    if len(varargs) not in (0, 1, len(axes)):
        raise TypeError(f"gradient() got {len(varargs)} spacings for {len(axes)} axes")
    steps = list(varargs) * len(axes) if len(varargs) == 1 else list(varargs) or [1.] * len(axes)
    made = []
    for k, h in zip(axes, steps):
        if np.ndim(h) if not hasattr(h, "ndim") else h.ndim:
            raise NotImplementedError("jax.numpy.gradient() of spacings that are arrays on Tessera")
        slope = tsr.gradient(x, k, 1.)
        made.append(wrapped(slope / raw(h)))
    return made[0] if len(made) == 1 else made


def unwrap(p, discont=None, axis=-1, period=2 * np.pi):
    """Without jumps of more than half a period."""
    x = _x(p)
    if x.dtype.kind in "iu":
        raise NotImplementedError("jax.numpy.unwrap() of integers on Tessera: take .astype(float)")
    x = _float(x)
    return wrapped(tsr.unwrap(x, axis % x.ndim, period=period,
                              discont=None if discont is None else float(discont)))


def ediff1d(ary, to_end=None, to_begin=None):
    """Each element less the one before, with others before and behind."""
    from ._products import diff
    parts = [diff(ravel(ary))]
    if to_begin is not None:
        parts.insert(0, ravel(to_begin))
    if to_end is not None:
        parts.append(ravel(to_end))
    return concatenate(parts) if len(parts) > 1 else parts[0]


def _cumulative(name):
    function = getattr(tsr, name)

    def of_array(x, /, *, axis=None, dtype=None, include_initial=False):
        x = _x(x)
        if axis is None and x.ndim > 1:
            raise ValueError(f"The input array has rank {x.ndim}, however axis was not set to an "
                             "explicit value.")
        if dtype is not None:
            x = x.astype(_dtypes.named(dtype))
        return wrapped(function(x, (axis or 0) % x.ndim, include_initial=include_initial or None))
    of_array.__name__, of_array.__doc__ = name, function.__doc__
    return of_array


cumulative_sum, cumulative_prod = _cumulative("cumulative_sum"), _cumulative("cumulative_prod")


# ---- order

def partition(a, kth, axis=-1):
    """With the k least in front of the others, each part in order as well."""
    from ._shapes import sort
    if not isinstance(kth, (int, np.integer)):
        raise TypeError("jax.numpy.partition() takes one number as kth")
    return sort(a, axis)


def argpartition(a, kth, axis=-1):
    """Indices that put the k least in front."""
    from ._shapes import argsort
    if not isinstance(kth, (int, np.integer)):
        raise TypeError("jax.numpy.argpartition() takes one number as kth")
    return argsort(a, axis)


def lexsort(keys, axis=-1):
    """The indices of the order by several keys, the last one first."""
    keys = [_x(k) for k in keys]
    if not keys[0].ndim:
        return as_array(np.int32(0))
    axis %= keys[0].ndim
    order = tsr.argsort(keys[0], axis)
    for key in keys[1:]:
        order = tsr.take_along(order, tsr.argsort(tsr.take_along(key, order, axis), axis), axis)
    return wrapped(order)


def sort_complex(a):
    """In order, as complex numbers."""
    from ._shapes import sort
    x = sort(a, 0)
    if x.dtype.kind == "c":
        return x
    return x.astype("complex128" if x.dtype == np.float64 else "complex64")


def trim_zeros(filt, trim="fb"):
    """Without zeros at the ends."""
    x = known(filt, "trim_zeros")
    return as_array(np.trim_zeros(x, trim))


__all__ = ("cov corrcoef correlate nanmedian histogram_bin_edges histogram histogram2d histogramdd "
           "bartlett blackman hamming hanning kaiser gradient unwrap ediff1d cumulative_sum "
           "cumulative_prod partition argpartition lexsort sort_complex trim_zeros").split()
