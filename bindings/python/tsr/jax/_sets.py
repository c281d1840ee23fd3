"""_sets.py - functions of jax.numpy with result sizes that depend on values.

Without size= they look at the values, which no traced array has; with size= their results have this
many elements, more are left out, and what is missing is filled:

    nonzero([0, 7, 7])               gives [1, 2]
    nonzero([0, 7, 7], size=3)       gives [1, 2, 0]
    unique([2, 1, 2], size=3)        gives [1, 2, 1]"""
import collections
import math

import numpy as np

import tsr

from ._array import ConcretizationError, as_array, raw, wrapped
from ._shapes import _x, ravel

_All = collections.namedtuple("_UniqueAll", "values indices inverse_indices counts")
_Counts = collections.namedtuple("_UniqueCounts", "values counts")
_Inverse = collections.namedtuple("_UniqueInverse", "values inverse_indices")


def known(x, what):
    """The values of an array, as NumPy's."""
    x = as_array(x)
    if not x._x._level.root:
        raise ConcretizationError(f"how many results jax.numpy.{what}() has is not known in a "
                                  "traced function: say it by size=")
    return np.asarray(x)


def _first_true(mask, size):
    """Where the first elements of a mask of one dim are true, as many as size; 0 for the rest. And
    which are of the mask."""
    n = mask.shape[0]
    if not n:
        return tsr.zeros((size,), dtype="int32"), tsr.zeros((size,), dtype="bool")
    order = tsr.argsort(tsr.logical_not(mask).astype("int32"), 0)
    at = tsr.concatenate([order, tsr.zeros((max(size - n, 0),), dtype="int32")], 0)[:size]
    there = tsr.arange(size) < tsr.sum(mask.astype("int32"))
    return tsr.where(there, at, 0).astype("int32"), there


def _truths(a):
    x = _x(a)
    return x if x.dtype.kind == "b" else x != 0


def nonzero(a, *, size=None, fill_value=None):
    """Where an array is not 0, an array of indices for each dim."""
    if size is None:
        return tuple(as_array(i.astype(np.int32)) for i in np.nonzero(known(a, "nonzero")))
    x = _truths(a)
    at, there = _first_true(x.ravel() if x.size else x.reshape((0,)), int(size))
    fill = fill_value if isinstance(fill_value, tuple) else (fill_value,) * x.ndim
    made = []
    for d, n in enumerate(x.shape):
        i = at // math.prod(x.shape[d + 1:]) % n if x.size else at
        made.append(i if fill[d] is None else tsr.where(there, i, raw(fill[d])))
    return tuple(map(wrapped, made))


def argwhere(a, *, size=None, fill_value=None):
    """Where an array is not 0, a row of indices for each."""
    if size is None:
        return as_array(np.argwhere(known(a, "argwhere")).astype(np.int32))
    return wrapped(tsr.stack([i._x for i in nonzero(a, size=size, fill_value=fill_value)], 1))


def flatnonzero(a, *, size=None, fill_value=None):
    """Where all elements in one dim are not 0."""
    return nonzero(ravel(a), size=size, fill_value=fill_value)[0]


# ---- each value once

def _sorted_slices(x):
    """Slices of dim 0 in lexical order, where these were, and which differ from the one before."""
    n = x.shape[0]
    columns = x.reshape((n, -1)) if x.size else x.reshape((n, 0))
    if columns.shape[1] == 1:
        order = tsr.argsort(columns[:, 0], 0)
    else:
        order = tsr.arange(n)
        for k in reversed(range(columns.shape[1])):  # stable: the first column decides
            order = order[tsr.argsort(columns[:, k][order], 0)]
    return x[order], order


def _first_of_each(aux, equal_nan):
    n = aux.shape[0]
    rows = aux.reshape((n, -1))
    differ = rows[1:] != rows[:-1]
    if equal_nan and aux.dtype.kind in "fcV" and rows.shape[1] == 1:
        differ = tsr.logical_and(differ, tsr.logical_not(
            tsr.logical_and(tsr.isnan(rows[1:]), tsr.isnan(rows[:-1]))))
    return tsr.concatenate([tsr.ones((1,), dtype="bool"), tsr.any(differ, 1)], 0)


def unique(ar, return_index=False, return_inverse=False, return_counts=False, axis=None, *,
           equal_nan=True, size=None, fill_value=None, sorted=True):
    """Each value once, or each slice along a dim."""
    if size is None:
        x = known(ar, "unique")
        found = np.unique(x, return_index, return_inverse, return_counts, axis,
                          equal_nan=equal_nan)
        if not isinstance(found, tuple):
            return as_array(found)
        values, *rest = found
        rest = [r.astype(np.int32) for r in rest]
        if return_inverse:
            at = int(return_index)
            rest[at] = rest[at].reshape(x.shape if axis is None else -1)
        return tuple(map(as_array, (values, *rest)))
    x = _x(ar)
    shape = x.shape if axis is None else None
    x = x.ravel() if axis is None else tsr.moveaxis(x, axis % x.ndim, 0)
    aux, order = _sorted_slices(x)
    first = _first_of_each(aux, equal_nan)
    at, there = _first_true(first, size)
    values = aux[at]
    if fill_value is not None:
        values = tsr.where(there.reshape((size,) + (1,) * (x.ndim - 1)), values,
                           raw(as_array(fill_value, str(x.dtype))))
    made = [values if axis is None else tsr.moveaxis(values, 0, axis % x.ndim)]
    if return_index:
        made.append(order[at])
    if return_inverse:
        number = tsr.cumsum(first.astype("int32"), 0) - 1
        inverse = tsr.zeros_like(number).at[order].set(number)
        made.append(inverse.reshape(shape) if shape is not None else inverse)
    if return_counts:
        ends, _ = _first_true(first, size + 1)
        ends = tsr.concatenate([ends[:1], tsr.where(ends[1:] == 0, x.shape[0], ends[1:])], 0)
        made.append(ends[1:] - ends[:-1])
    return tuple(map(wrapped, made)) if len(made) > 1 else wrapped(made[0])


def unique_all(x, /, *, size=None, fill_value=None):
    """Each value once, its first index, the number of that for each element, and how often."""
    return _All(*unique(x, True, True, True, equal_nan=False, size=size, fill_value=fill_value))


def unique_counts(x, /, *, size=None, fill_value=None):
    """Each value once, and how often."""
    return _Counts(*unique(x, return_counts=True, equal_nan=False, size=size,
                           fill_value=fill_value))


def unique_inverse(x, /, *, size=None, fill_value=None):
    """Each value once, and its number for each element."""
    return _Inverse(*unique(x, return_inverse=True, equal_nan=False, size=size,
                            fill_value=fill_value))


def unique_values(x, /, *, size=None, fill_value=None):
    """Each value once."""
    return unique(x, equal_nan=False, size=size, fill_value=fill_value)


# ---- two sets

def _both(ar1, ar2):
    a, b = ravel(ar1)._x, ravel(ar2)._x
    return tsr.concatenate([a, b], 0)


def union1d(ar1, ar2, *, size=None, fill_value=None):
    """The values of both."""
    if size is None:
        known(ar1, "union1d"), known(ar2, "union1d")
    return unique(wrapped(_both(ar1, ar2)), size=size, fill_value=fill_value)


def setdiff1d(ar1, ar2, assume_unique=False, *, size=None, fill_value=None):
    """The values of the first that the second lacks."""
    if size is None:
        return as_array(np.setdiff1d(known(ar1, "setdiff1d"), known(ar2, "setdiff1d"),
                                     assume_unique))
    x = ravel(ar1)._x
    if not assume_unique:
        x, _ = _sorted_slices(x)
    kept = tsr.logical_not(tsr.isin(x, as_array(ar2)._x))
    if not assume_unique:
        kept = tsr.logical_and(kept, _first_of_each(x, True))
    return _chosen(x, kept, size, fill_value)


def setxor1d(ar1, ar2, assume_unique=False, *, size=None, fill_value=None):
    """The values of one alone."""
    if size is None:
        return as_array(np.setxor1d(known(ar1, "setxor1d"), known(ar2, "setxor1d"),
                                    assume_unique))
    a, b = (x if assume_unique else _alone(x) for x in (ravel(ar1)._x, ravel(ar2)._x))
    (a, a_there), (b, b_there) = (x if isinstance(x, tuple) else
                                  (x, tsr.ones(x.shape, dtype="bool")) for x in (a, b))
    kept = [tsr.logical_and(there, tsr.logical_not(tsr.any(
        tsr.logical_and(x[:, None] == y[None], other[None]), 1)))
        for x, y, there, other in ((a, b, a_there, b_there), (b, a, b_there, a_there))]
    x, kept = tsr.concatenate([a, b], 0), tsr.concatenate(kept, 0)
    order = tsr.argsort(x, 0)
    x, kept = x[order], kept[order]
    return _chosen(x, kept, size, _least(x, kept) if fill_value is None else fill_value)


def _alone(x):
    """Values in order, and which are the first of their kind."""
    x, _ = _sorted_slices(x)
    return x, _first_of_each(x, True)


def _least(x, kept):
    """The first that is kept; 0 where none is."""
    return tsr.where(tsr.any(kept), x[_first_true(kept, 1)[0][0]], 0) if x.size else 0


def _chosen(x, kept, size, fill_value):
    at, there = _first_true(kept, size)
    fill = 0 if fill_value is None else raw(fill_value)
    return wrapped(tsr.where(there, x[at] if x.size else at, fill).astype(x.dtype))


def intersect1d(ar1, ar2, assume_unique=False, return_indices=False, *, size=None,
                fill_value=None):
    """The values that are in both."""
    if size is None:
        found = np.intersect1d(known(ar1, "intersect1d"), known(ar2, "intersect1d"),
                               assume_unique, return_indices)
        if not return_indices:
            return as_array(found)
        return tuple(as_array(f if k == 0 else f.astype(np.int32)) for k, f in enumerate(found))
    a, b = ravel(ar1)._x, ravel(ar2)._x
    x, order = _sorted_slices(a)
    kept = tsr.logical_and(_first_of_each(x, True), tsr.isin(x, b))
    values = _chosen(x, kept, size, _least(x, kept) if fill_value is None else fill_value)
    if not return_indices:
        return values
    at, there = _first_true(kept, size)
    first = tsr.argmax(values._x[:, None] == b[None], 1)
    return (values, wrapped(tsr.where(there, order[at], a.shape[0]).astype("int32")),
            wrapped(tsr.where(there, first, b.shape[0]).astype("int32")))


def compress(condition, a, axis=None, *, size=None, fill_value=0, out=None):
    """The elements of a dim, or slices, whose condition is true."""
    condition = ravel(condition)
    x = _x(a)
    x, axis = (x.ravel(), 0) if axis is None else (x, axis % x.ndim)
    condition = condition[:x.shape[axis]]
    if size is None:
        known(condition, "compress")
        at = flatnonzero(condition)._x
        return wrapped(tsr.take(x, at, axis))
    at, there = _first_true(_truths(condition), size)
    shape = [1] * x.ndim
    shape[axis] = size
    fill = raw(as_array(fill_value, str(x.dtype)))
    return wrapped(tsr.where(there.reshape(tuple(shape)), tsr.take(x, at, axis), fill))


def extract(condition, arr, *, size=None, fill_value=0):
    """The elements whose condition is true."""
    return compress(ravel(condition), ravel(arr), size=size, fill_value=fill_value)


__all__ = ("nonzero argwhere flatnonzero unique unique_all unique_counts unique_inverse "
           "unique_values union1d setdiff1d setxor1d intersect1d compress extract").split()
