"""_editing.py - functions of jax.numpy that put elements in, take some out, or apply a function to
parts."""
import functools
import math

import numpy as np

import tsr

from . import _dtypes
from ._array import as_array, raw, wrapped
from ._backend import context
from ._shapes import (_x, broadcast_arrays, broadcast_to, concatenate, moveaxis, ravel, reshape,
                      stack)
from ._sets import known


def _changed(what, inplace):
    if inplace:
        raise ValueError(f"jax.numpy.{what}(): JAX arrays are immutable: pass inplace=False")


def apply_along_axis(func1d, axis, arr, *args, **kwargs):
    """A function of each line along a dim; what it gives takes the place of the dim."""
    from ._maps import vmap
    x = as_array(arr)
    axis %= x.ndim

    def function(y):
        return func1d(y, *args, **kwargs)
    for _ in range(x.ndim - 1 - axis):
        function = vmap(function, in_axes=1, out_axes=-1)
    for _ in range(axis):
        function = vmap(function, in_axes=0, out_axes=0)
    return function(x)


def apply_over_axes(func, a, axes):
    """A function of an array and a dim, of several dims one after the other."""
    x = as_array(a)
    for axis in axes if hasattr(axes, "__iter__") else (axes,):
        y = as_array(func(x, axis))
        x = y if y.ndim == x.ndim else y.reshape(
            x.shape[:axis % x.ndim] + (1,) + x.shape[axis % x.ndim + 1:])
    return x


def array_equiv(a1, a2):
    """Equal values once both are broadcast?"""
    from ._numpy import all
    x, y = broadcast_arrays(a1, a2)
    return all(x == y)


def atleast_3d(*arys):
    """With three dims or more."""
    made = [wrapped(tsr.atleast_3d(_x(x))) for x in arys]
    return made[0] if len(made) == 1 else made


def bitwise_invert(x, /):
    """All bits turned."""
    return wrapped(tsr.bitwise_not(_x(x)))


def iscomplex(x):
    """Has it an imaginary part?"""
    x = _x(x)
    return wrapped(tsr.imag(x) != 0 if x.dtype.kind == "c" else tsr.zeros(x.shape, dtype="bool"))


def isreal(x):
    """Has it no imaginary part?"""
    x = _x(x)
    return wrapped(tsr.imag(x) == 0 if x.dtype.kind == "c" else tsr.ones(x.shape, dtype="bool"))


def choose(a, choices, out=None, mode="raise"):
    """The elements of the array whose number is there."""
    if out is not None:
        raise NotImplementedError("jax.numpy.choose(out=) on Tessera")
    index, *arrays = broadcast_arrays(a, *choices)
    count = len(arrays)
    if mode == "raise":
        values = known(index, "choose")
        if values.size and not (0 <= values.min() and values.max() < count):
            raise ValueError("invalid entry in choice array")
    if mode not in ("raise", "wrap", "clip"):
        raise ValueError(f"mode={mode!r} not understood. Must be 'raise', 'wrap', or 'clip'")
    i = index._x % count if mode == "wrap" else tsr.clamp(0, index._x, count - 1)
    made = arrays[-1]._x
    for k in reversed(range(count - 1)):
        made = tsr.where(i == k, arrays[k]._x, made)
    return wrapped(made)


def cross(a, b, axisa=-1, axisb=-1, axisc=-1, axis=None):
    """The vectors at right angles to both."""
    if axis is not None:
        axisa = axisb = axisc = axis
    a, b = (moveaxis(x, k, -1) for x, k in ((a, axisa), (b, axisb)))
    from ._numpy import result_type
    kind = result_type(a, b)
    a, b = a.astype(kind), b.astype(kind)
    if a.shape[-1] not in (2, 3) or b.shape[-1] not in (2, 3):
        raise ValueError("Dimension must be either 2 or 3 for cross product")
    flat = a.shape[-1] == b.shape[-1] == 2
    p, q = ([x[..., k] for k in range(x.shape[-1])] for x in (a, b))
    if flat:
        return p[0] * q[1] - p[1] * q[0]
    p, q = (x if len(x) == 3 else [*x, x[0] * 0] for x in (p, q))
    made = [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]]
    return moveaxis(stack(made, -1), -1, axisc)


# ---- parts in and out

def delete(arr, obj, axis=None, *, assume_unique_indices=False):
    """Without these elements of a dim."""
    x = as_array(arr)
    x, axis = (ravel(x), 0) if axis is None else (x, axis % x.ndim)
    n = x.shape[axis]
    if isinstance(obj, list):
        raise TypeError("delete() requires array or int indices, not list")
    if assume_unique_indices and not isinstance(obj, slice):
        i = tsr.where(_x(obj) < 0, _x(obj) + n, _x(obj)).ravel()
        left = tsr.ones((n,), dtype="bool").at[i].set(False, mode="drop")
        order = tsr.argsort(tsr.logical_not(left).astype("int32"), 0)
        return wrapped(tsr.take(x._x, order[:n - i.shape[0]], axis))
    if not isinstance(obj, slice):
        obj = known(obj, "delete") if not isinstance(obj, int) else obj
        obj = obj if isinstance(obj, int) or obj.dtype == bool or obj.size else obj.astype(int)
        if not isinstance(obj, int) and obj.dtype != bool and obj.size and \
                not (-n <= obj.min() and obj.max() < n):
            obj = obj[(obj >= -n) & (obj < n)]
    left = np.delete(np.arange(n), obj)
    return wrapped(tsr.take(x._x, raw(left), axis))


def insert(arr, obj, values, axis=None):
    """With values before these elements of a dim."""
    x = as_array(arr)
    x, axis = (ravel(x), 0) if axis is None else (x, axis % x.ndim)
    if isinstance(obj, (list, tuple)):
        raise TypeError("insert() requires array or int indices")
    n = x.shape[axis]
    values = as_array(values).astype(x.dtype)
    at = np.arange(n)[obj] if isinstance(obj, slice) else known(obj, "insert")
    if not at.ndim:
        if values.ndim:
            values = moveaxis(values, 0, axis) if values.ndim == x.ndim else values
        at = np.repeat(at[None], values.shape[axis] if values.ndim == x.ndim else 1)
    at = np.where(at < 0, at + n, at)
    order = np.argsort(at, kind="stable")
    places = at.copy()
    places[order] += np.arange(len(at))
    shape = x.shape[:axis] + (len(at),) + x.shape[axis + 1:]
    values = broadcast_to(values, shape)
    both = concatenate([x, values], axis)._x
    source = np.empty(n + len(at), np.int32)
    source[places] = n + np.arange(len(at))
    old = np.ones(n + len(at), bool)
    old[places] = False
    source[old] = np.arange(n)
    return wrapped(tsr.take(both, raw(source), axis))


def diagflat(v, k=0):
    """All elements as a diagonal of a matrix."""
    return wrapped(tsr.diagflat(_x(v), int(k)))


def dsplit(ary, indices_or_sections):
    """Parts along dim 2."""
    from ._shapes import split
    return split(ary, indices_or_sections, 2)


def fill_diagonal(a, val, wrap=False, *, inplace=True):
    """A matrix with another diagonal."""
    _changed("fill_diagonal", inplace)
    x = as_array(a)
    if wrap:
        raise NotImplementedError("jax.numpy.fill_diagonal(wrap=True) on Tessera")
    count = min(x.shape)
    i = np.arange(count)
    values = ravel(val)
    if values.size != count:
        values = resize(values, count)
    return x.at[(i,) * x.ndim].set(values.astype(x.dtype))


def place(arr, mask, vals, *, inplace=True):
    """With values, again and again, where a mask is true."""
    _changed("place", inplace)
    x, mask, vals = as_array(arr), _x(mask) != 0, ravel(vals)
    number = tsr.cumsum(mask.ravel().astype("int32"), 0) - 1
    taken = tsr.take(vals._x, tsr.remainder(number, vals.size), 0).astype(x._x.dtype)
    return wrapped(tsr.where(mask, taken.reshape(x.shape), x._x))


def put(a, ind, v, mode=None, *, inplace=True):
    """With values at numbers of elements."""
    _changed("put", inplace)
    x, i = as_array(a), ravel(ind)
    n = x.size
    values = resize(ravel(v), i.size) if i.size else ravel(v)[:0]
    if mode == "wrap":
        i = i % n
    elif mode == "clip":
        i = wrapped(tsr.clamp(0, i._x, n - 1))
    elif mode not in (None, "fill", "drop"):
        raise ValueError(f"mode should be one of 'wrap' or 'clip'; got {mode!r}")
    return reshape(ravel(x).at[i].set(values.astype(x.dtype), mode="drop"), x.shape)


def put_along_axis(arr, indices, values, axis, inplace=True, *, mode=None):
    """With values where an array of indices of a dim says."""
    _changed("put_along_axis", inplace)
    x = as_array(arr)
    shape = x.shape
    x, axis = (ravel(x), 0) if axis is None else (x, axis % x.ndim)
    i = as_array(indices)
    full = list(np.broadcast_shapes(
        tuple(1 if d == axis else n for d, n in enumerate(x.shape)), i.shape))
    index = [as_array(np.arange(n).reshape([-1 if k == d else 1 for k in range(x.ndim)]))
             for d, n in enumerate(full)]
    index[axis] = broadcast_to(i, tuple(full))
    return reshape(x.at[tuple(index)].set(as_array(values).astype(x.dtype), mode=mode), shape)


def resize(a, new_shape):
    """All elements again and again, in other dims."""
    x = ravel(a)
    shape = (new_shape,) if isinstance(new_shape, (int, np.integer)) else tuple(new_shape)
    count = math.prod(shape)
    if not x.size:
        return wrapped(tsr.zeros(shape, dtype=x._x.dtype))
    return wrapped(tsr.take(x._x, raw(np.arange(count) % x.size), 0).reshape(shape))


def rollaxis(a, axis, start=0):
    """A dim moved in front of another."""
    n = as_array(a).ndim
    axis, start = axis % n, start + n if start < 0 else start
    return moveaxis(a, axis, start - (axis < start))


def vander(x, N=None, increasing=False):
    """Powers of numbers."""
    x = _x(x)
    return wrapped(tsr.vander(x, x.shape[0] if N is None else int(N), bool(increasing)))


# ---- indices of several dims

def ravel_multi_index(multi_index, dims, mode="raise", order="C"):
    """The numbers of elements, of indices of dims."""
    dims = tuple(dims)
    if order == "F":
        return ravel_multi_index(tuple(multi_index)[::-1], dims[::-1], mode)
    made = 0
    for i, n in zip(multi_index, dims):
        i = as_array(i)
        if mode == "raise":
            values = known(i, "ravel_multi_index")
            if values.size and not (0 <= values.min() and values.max() < n):
                raise ValueError("invalid entry in coordinates array")
        i = i % n if mode == "wrap" else wrapped(tsr.clamp(0, i._x, n - 1))
        made = made * n + i
    return made


def unravel_index(indices, shape):
    """The indices of dims, of numbers of elements."""
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    i, made = as_array(indices), []
    total = math.prod(shape)
    weak = i.weak_type
    i = wrapped(tsr.clamp(0, tsr.where(i._x < 0, i._x + total, i._x), total - 1))
    if weak:
        i = as_array(int(i)) if i._x._level.root else i
    for size in reversed(shape):
        made.append(i % size)
        i = i // size
    return tuple(reversed(made))


# ---- numbers

def geomspace(start, stop, num=50, endpoint=True, dtype=None, axis=0):
    """num numbers from start to stop, each the same multiple of the one before."""
    from ._numpy import result_type
    context()
    kind = _dtypes.named(result_type(start, stop, float))
    first, last = (as_array(x)._x.astype(kind) for x in (start, stop))
    made = wrapped(tsr.geomspace(first, last, int(num), open=not endpoint or None,
                                 axis=axis or None, dtype=kind))
    return made if dtype is None else as_array(made, dtype)


def frexp(x, /):
    """(fraction, exponent of 2)."""
    return tuple(wrapped(y) for y in tsr.frexp(_float(_x(x))))


def modf(x, /, out=None):
    """(fraction, whole part)."""
    if out is not None:
        raise NotImplementedError("jax.numpy.modf(out=) on Tessera")
    return tuple(wrapped(y) for y in tsr.modf(_float(_x(x))))


def _float(x):
    return x if x.dtype.kind in "fcV" else x.astype(_dtypes.named(float))


def matvec(x1, x2, /):
    """Products of matrices and vectors."""
    return wrapped(tsr.matvec(_x(x1), _x(x2)))


def vecmat(x1, x2, /):
    """Products of vectors, conjugated, and matrices."""
    return wrapped(tsr.vecmat(_x(x1), _x(x2)))


def _bits(bitorder):
    if bitorder not in ("big", "little"):
        raise ValueError("'order' must be either 'little' or 'big'")
    return np.arange(8)[::-1] if bitorder == "big" else np.arange(8)


def packbits(a, axis=None, bitorder="big"):
    """Eight truths as a byte."""
    x = _x(a) != 0
    shifts = _bits(bitorder)
    x, axis = (x.ravel(), 0) if axis is None else (x, axis % x.ndim)
    x = tsr.moveaxis(x.astype("uint8"), axis, x.ndim - 1)
    low = (0,) * x.ndim
    x = tsr.pad(x, low, low[:-1] + (-x.shape[-1] % 8,), 0)
    x = x.reshape((*x.shape[:-1], x.shape[-1] // 8, 8))
    made = tsr.sum(x << raw(shifts.astype(np.uint8)), -1, dtype="uint8")
    return wrapped(tsr.moveaxis(made, made.ndim - 1, axis))


def unpackbits(a, axis=None, count=None, bitorder="big"):
    """The bits of bytes."""
    x = _x(a)
    if x.dtype.name != "uint8":
        raise TypeError(f"Expected an input array of unsigned byte data type, got {x.dtype.name}")
    shifts = _bits(bitorder)
    x, axis = (x.ravel(), 0) if axis is None else (x, axis % x.ndim)
    x = tsr.moveaxis(x, axis, x.ndim - 1)
    made = (x[..., None] >> raw(shifts.astype(np.uint8))) & 1
    made = made.reshape((*x.shape[:-1], 8 * x.shape[-1]))
    if count is not None:
        size = made.shape[-1]
        if count > size:
            made = tsr.pad(made, (0,) * made.ndim, (0,) * (made.ndim - 1) + (count - size,), 0)
        else:
            made = made[..., :count]
    return wrapped(tsr.moveaxis(made, made.ndim - 1, axis))


def piecewise(x, condlist, funclist, *args, **kw):
    """Functions, or values, of where conditions are true; the last one that is."""
    x = as_array(x)
    if not isinstance(condlist, (list, tuple)):
        condlist = [condlist] if as_array(condlist).ndim == x.ndim else list(as_array(condlist))
    if len(funclist) == len(condlist) + 1:
        default, funclist = funclist[-1], funclist[:-1]
    elif len(funclist) == len(condlist):
        default = 0
    else:
        raise ValueError(f"with {len(condlist)} condition(s), either {len(condlist)} or "
                         f"{len(condlist) + 1} functions are expected; got {len(funclist)}")

    def of(function):
        y = function(x, *args, **kw) if callable(function) else function
        return as_array(y)._x.astype(x._x.dtype)
    made = tsr.broadcast_to(of(default), x.shape)
    for condition, function in zip(condlist, funclist):
        made = tsr.where(_x(condition), of(function), made)
    return wrapped(made)


def fromfunction(function, shape, *, dtype=float, **kwargs):
    """A function of the indices of each element."""
    from ._maps import vmap
    from ._numpy import arange
    shape = tuple(int(n) for n in shape)
    mapped = function if not kwargs else functools.partial(function, **kwargs)
    for k in range(len(shape)):
        in_axes = [0 if k == d else None for d in range(len(shape))]
        mapped = vmap(mapped, in_axes=tuple(in_axes[::-1]))
    return mapped(*(arange(n, dtype=dtype) for n in shape))


__all__ = ("apply_along_axis apply_over_axes array_equiv atleast_3d bitwise_invert iscomplex "
           "isreal choose cross delete insert diagflat dsplit fill_diagonal place put "
           "put_along_axis resize rollaxis vander ravel_multi_index unravel_index geomspace frexp "
           "modf matvec vecmat packbits unpackbits piecewise fromfunction").split()
