"""_shapes.py - functions of jax.numpy that move elements, or choose some."""
import builtins

import numpy as np

import tsr

from . import _dtypes
from ._array import Array, as_array, raw, wrapped
from ._backend import context


def _x(x):
    if isinstance(x, (list, tuple)):
        raise TypeError(f"jax.numpy's functions take arrays or numbers, not {type(x).__name__}: "
                        "use jnp.array()")
    context()
    return as_array(x)._x


def _many(arrays):
    """Arrays of the library, of a list or of the rows of an array."""
    if isinstance(arrays, (Array, np.ndarray)):
        arrays = as_array(arrays)
    context()
    return [as_array(x)._x for x in arrays]


def reshape(a, shape, order="C", *, copy=None):
    """The same elements with other dims; one may be -1."""
    if order not in ("C", "F"):
        raise NotImplementedError(f"jax.numpy.reshape(order={order!r}) on Tessera")
    shape = (shape,) if isinstance(shape, (int, np.integer)) else tuple(int(n) for n in shape)
    x = _x(a)
    known = int(np.prod([n for n in shape if n != -1], dtype=np.int64))
    if x.size != known if -1 not in shape else known and x.size % known:
        raise TypeError(f"cannot reshape array of shape {x.shape} (size {x.size}) into shape "
                        f"{shape} (size {known})")
    if order == "F":
        return wrapped(x.T.reshape(shape[::-1]).T)
    return wrapped(x.reshape(shape))


def ravel(a, order="C"):
    """All elements in one dim."""
    a = as_array(a)
    return reshape(a, (-1,) if a.size else (0,), order)


def transpose(a, axes=None):
    """The dims in another order."""
    x = _x(a)
    axes = None if axes is None else tuple(k % x.ndim for k in axes)
    return wrapped(tsr.transpose(x, perm=axes))


def permute_dims(a, /, axes):
    """The dims in another order."""
    return transpose(a, axes)


def matrix_transpose(x, /):
    """The last two dims exchanged."""
    return wrapped(_x(x).mT)


def swapaxes(a, axis1, axis2):
    """Two dims exchanged."""
    return wrapped(tsr.swapaxes(_x(a), axis1, axis2))


def moveaxis(a, source, destination):
    """Dims in other places."""
    x = _x(a)
    source, destination = ([k % x.ndim for k in ([n] if isinstance(n, int) else n)]
                           for n in (source, destination))
    order = [k for k in range(x.ndim) if k not in source]
    for to, of in sorted(zip(destination, source)):
        order.insert(to, of)
    return wrapped(tsr.transpose(x, perm=tuple(order)))


def expand_dims(a, axis):
    """New dims of size 1."""
    x = _x(a)
    axes = (axis,) if isinstance(axis, int) else tuple(axis)
    total = x.ndim + len(axes)
    axes = {k % total for k in axes}
    sizes = iter(x.shape)
    return wrapped(x.reshape(tuple(1 if k in axes else next(sizes) for k in range(total))))


def squeeze(a, axis=None):
    """Without dims of size 1."""
    x = _x(a)
    axes = [k for k in range(x.ndim) if x.shape[k] == 1] if axis is None else \
        [k % x.ndim for k in ((axis,) if isinstance(axis, int) else axis)]
    if builtins.any(x.shape[k] != 1 for k in axes):
        raise ValueError("cannot select an axis to squeeze out which has size not equal to one, "
                         f"got shape={x.shape} and dimensions={tuple(axes)}")
    return wrapped(x.reshape(tuple(n for k, n in enumerate(x.shape) if k not in axes)))


def concatenate(arrays, axis=0, dtype=None):
    """Joins arrays along a dim."""
    parts = _many(arrays)
    if not parts:
        raise ValueError("Need at least one array to concatenate.")
    if axis is None:
        parts, axis = [x.ravel() for x in parts], 0
    made = wrapped(tsr.concatenate(parts, axis % builtins.max(parts[0].ndim, 1)))
    return made if dtype is None else as_array(made, dtype)


def concat(arrays, /, *, axis=0):
    """Joins arrays along a dim."""
    return concatenate(arrays, axis)


def stack(arrays, axis=0, out=None, dtype=None):
    """Arrays along a new dim."""
    parts = _many(arrays)
    made = wrapped(tsr.stack(parts, axis % (parts[0].ndim + 1)))
    return made if dtype is None else as_array(made, dtype)


def _joined(name):
    function = getattr(tsr, name)

    def of_arrays(tup, dtype=None):
        made = wrapped(function(_many(tup)))
        return made if dtype is None else as_array(made, dtype)
    of_arrays.__name__, of_arrays.__doc__ = name, function.__doc__
    return of_arrays


hstack, vstack, dstack = _joined("hstack"), _joined("vstack"), _joined("dstack")


def column_stack(tup):
    """Columns side by side."""
    return wrapped(tsr.column_stack(_many(tup)))


def _ends(size, sections, uneven):
    if not isinstance(sections, int):
        return [*(int(k) for k in sections), size]
    if size % sections and not uneven:
        raise ValueError("array split does not result in an equal division")
    least, more = builtins.divmod(size, sections)
    return list(np.cumsum([least + (k < more) for k in range(sections)]))


def _split(ary, sections, axis, uneven=False):
    x, start, parts = _x(ary), 0, []
    axis %= x.ndim
    for end in _ends(x.shape[axis], sections, uneven):
        index = [slice(None)] * x.ndim
        index[axis] = slice(int(start), int(end))
        parts.append(wrapped(x[tuple(index)]))
        start = end
    return parts


def split(ary, indices_or_sections, axis=0):
    """Equal parts along a dim, or those between indices."""
    return _split(ary, indices_or_sections, axis)


def array_split(ary, indices_or_sections, axis=0):
    """Parts along a dim, as equal as can be."""
    return _split(ary, indices_or_sections, axis, True)


def hsplit(ary, indices_or_sections):
    """Parts along dim 1, or the only one."""
    return _split(ary, indices_or_sections, builtins.min(1, as_array(ary).ndim - 1))


def vsplit(ary, indices_or_sections):
    """Parts along dim 0."""
    return _split(ary, indices_or_sections, 0)


def unstack(x, /, *, axis=0):
    """The elements of a dim."""
    x = _x(x)
    return tuple(wrapped(tsr.squeeze(p._x, axis)) for p in _split(wrapped(x), x.shape[axis], axis))


def broadcast_to(array, shape):
    """Repeated to other dims."""
    shape = (shape,) if isinstance(shape, int) else tuple(int(n) for n in shape)
    x = _x(array)
    fits = x.ndim <= len(shape) and builtins.all(
        a in (1, b) for a, b in zip(x.shape[::-1], shape[::-1]))
    if not fits:
        raise ValueError(f"Incompatible shapes for broadcasting: {x.shape} and requested shape "
                         f"{shape}")
    return wrapped(tsr.broadcast_to(x, shape))


def broadcast_shapes(*shapes):
    """The dims that several broadcast to."""
    return np.broadcast_shapes(*shapes)


def broadcast_arrays(*args):
    """Arrays with the same dims."""
    args = [as_array(x) for x in args]
    shape = np.broadcast_shapes(*(x.shape for x in args))
    return [broadcast_to(x, shape) for x in args]


def atleast_1d(*arys):
    """With one dim or more."""
    made = [wrapped(tsr.atleast_1d(_x(x))) for x in arys]
    return made[0] if len(made) == 1 else made


def atleast_2d(*arys):
    """With two dims or more."""
    made = [wrapped(tsr.atleast_2d(_x(x))) for x in arys]
    return made[0] if len(made) == 1 else made


def tile(A, reps):
    """Repeated as a whole."""
    x = _x(A)
    reps = (reps,) if isinstance(reps, int) else tuple(reps)
    n = builtins.max(len(reps), x.ndim)
    x = x.reshape((1,) * (n - x.ndim) + x.shape)
    return wrapped(tsr.tile(x, (1,) * (n - len(reps)) + reps))


def repeat(a, repeats, axis=None, *, total_repeat_length=None):
    """Each element repeated."""
    x = _x(a)
    x, axis = (x.ravel(), 0) if axis is None else (x, axis % x.ndim)
    counts = np.asarray(repeats)
    if counts.ndim == 0 and total_repeat_length is None:
        return wrapped(tsr.repeat(x, int(counts), axis))
    places = np.repeat(np.arange(x.shape[axis]), counts)
    if total_repeat_length is not None:
        places = np.resize(places, total_repeat_length) if places.size >= total_repeat_length \
            else np.pad(places, (0, total_repeat_length - places.size), mode="edge")
    return wrapped(tsr.take(x, raw(places), axis))


def roll(a, shift, axis=None):
    """Moved along dims, around the end."""
    x = _x(a)
    if axis is None:
        return wrapped(_rolled(x.ravel(), shift, 0).reshape(x.shape))
    axes = (axis,) if isinstance(axis, int) else tuple(axis)
    if isinstance(shift, Array):
        shifts = [shift] * len(axes) if not shift.ndim else [shift[k] for k in range(len(axes))]
    else:
        shifts = np.broadcast_to(shift, len(axes))
    for s, k in zip(shifts, axes):
        x = _rolled(x, s, k % x.ndim)
    return wrapped(x)


def _rolled(x, shift, axis):
    return tsr.dynamic_roll(x, shift._x, axis) if isinstance(shift, Array) else \
        tsr.roll(x, int(shift), axis)


def flip(m, axis=None):
    """In reverse order along dims."""
    x = _x(m)
    axes = range(x.ndim) if axis is None else (axis,) if isinstance(axis, int) else axis
    return wrapped(tsr.flip(x, tuple(k % x.ndim for k in axes)))


def flipud(m):
    """In reverse order along dim 0."""
    return flip(m, 0)


def fliplr(m):
    """In reverse order along dim 1."""
    return flip(m, 1)


def rot90(m, k=1, axes=(0, 1)):
    """Turned by quarters."""
    x = _x(m)
    return wrapped(tsr.rot90(x, k, *(a % x.ndim for a in axes)))


def pad(array, pad_width, mode="constant", **keywords):
    """With elements before and behind."""
    from ._pad import padded
    return padded(as_array(array), pad_width, mode, keywords)


# ---- elements

def take(a, indices, axis=None, out=None, mode=None, unique_indices=False,
         indices_are_sorted=False, fill_value=None):
    """Elements of a dim; NaN, or the largest integer, where an index is out of range."""
    if out is not None:
        raise NotImplementedError("jax.numpy.take(out=) on Tessera")
    x = _x(a)
    x, axis = (x.ravel(), 0) if axis is None else (x, axis % x.ndim)
    i, n = as_array(indices)._x, x.shape[axis]
    if mode == "wrap":
        return wrapped(tsr.take(x, i % n, axis, mode="clip"))
    if mode not in (None, "fill"):
        return wrapped(tsr.take(x, i, axis, mode=mode))
    # what is still negative once it is counted from the end is out of range
    i = tsr.where(i < -n, n, tsr.where(i < 0, i + n, i)) if i.dtype.kind == "i" else i
    made = tsr.take(x, i, axis, mode="fill")
    if fill_value is not None:
        outside = (i >= n).reshape((1,) * axis + i.shape + (1,) * (x.ndim - axis - 1))
        made = tsr.where(outside, raw(as_array(fill_value, str(x.dtype))), made)
    return wrapped(made)


def take_along_axis(arr, indices, axis=-1, mode=None):
    """Elements that an array of indices of the same dims says."""
    x, i = _x(arr), as_array(indices)._x
    if axis is None:
        x, axis = x.ravel(), 0
    return wrapped(tsr.take_along(x, i, axis % x.ndim, mode=mode or "fill"))


def select(condlist, choicelist, default=0):
    """The elements of the first array whose condition is true."""
    made = raw(default)
    for c, x in reversed(list(zip(condlist, choicelist))):
        made = tsr.where(raw(c), raw(x), made)
    return wrapped(made)


def sort(a, axis=-1, *, kind=None, order=None, stable=True, descending=False):
    """In order."""
    x = _x(a)
    x, axis = (x.ravel(), 0) if axis is None else (x, axis % x.ndim)
    return wrapped(tsr.sort(x, axis, descending=descending or None))


def argsort(a, axis=-1, *, kind=None, order=None, stable=True, descending=False, dtype=None):
    """The indices of the order."""
    x = _x(a)
    x, axis = (x.ravel(), 0) if axis is None else (x, axis % x.ndim)
    return wrapped(tsr.argsort(x, axis, descending=descending or None,
                               dtype=_dtypes.named(dtype)))


def searchsorted(a, v, side="left", sorter=None, *, method="scan"):
    """Where values go in what is in order."""
    a = _x(a)
    if sorter is not None:
        a = tsr.take(a, _x(sorter), 0)
    return wrapped(tsr.searchsorted(a, _x(v), right=side == "right" or None))


def digitize(x, bins, right=False, *, method=None):
    """The bin of each value."""
    return wrapped(tsr.digitize(_x(x), _x(bins), right=right or None))


def isin(element, test_elements, assume_unique=False, invert=False, *, method="auto"):
    """Is each one of these?"""
    made = tsr.isin(_x(element), as_array(test_elements)._x)
    return wrapped(tsr.logical_not(made) if invert else made)


def bincount(x, weights=None, minlength=0, *, length=None):
    """How often each number occurs."""
    if length is None:
        from ._sets import known
        length = builtins.max(int(known(x, "bincount").max(initial=-1)) + 1, minlength)
    return wrapped(tsr.bincount(_x(x), length, weights=None if weights is None else _x(weights)))


# ---- matrices

def tri(N, M=None, k=0, dtype=None):
    """Ones at and below a diagonal."""
    context()
    return wrapped(tsr.tri(N, N if M is None else M, k, dtype=_dtypes.named(dtype or float)))


def tril(m, k=0):
    """What is at and below a diagonal."""
    return wrapped(tsr.tril(_x(m), k))


def triu(m, k=0):
    """What is at and above a diagonal."""
    return wrapped(tsr.triu(_x(m), k))


def diag(v, k=0):
    """A diagonal as a matrix, or of one."""
    return wrapped(tsr.diag(_x(v), k))


def diagonal(a, offset=0, axis1=0, axis2=1):
    """The diagonal of two dims."""
    x = moveaxis(a, (axis1, axis2), (-2, -1))._x
    return wrapped(tsr.diagonal(x, k=offset or None, axis=(x.ndim - 2, x.ndim - 1)))


def trace(a, offset=0, axis1=0, axis2=1, dtype=None, out=None):
    """The sum of the diagonal."""
    from ._numpy import sum
    return sum(diagonal(a, offset, axis1, axis2), -1, dtype)


def meshgrid(*xi, copy=True, sparse=False, indexing="xy"):
    """Coordinates of a grid."""
    xs = [as_array(x) for x in xi]
    order = [1, 0, *range(2, len(xs))] if indexing == "xy" and len(xs) > 1 else range(len(xs))
    made = [reshape(x, tuple(-1 if k == d else 1 for k in order)) for d, x in enumerate(xs)]
    return made if sparse else broadcast_arrays(*made)


def indices(dimensions, dtype=None, sparse=False):
    """The numbers of each dim."""
    context()
    if sparse:
        rank = len(dimensions)
        return tuple(wrapped(tsr.arange(n, dtype=_dtypes.named(dtype or int)).reshape(
            tuple(n if k == d else 1 for k in range(rank)))) for d, n in enumerate(dimensions))
    return wrapped(tsr.indices(tuple(dimensions), dtype=_dtypes.named(dtype or int)))


def shape(a):
    """The dims."""
    return np.shape(a) if isinstance(a, (list, tuple)) else as_array(a).shape


def ndim(a):
    """How many dims."""
    return len(shape(a))


def size(a, axis=None):
    """How many elements."""
    sizes = shape(a)
    return int(np.prod(sizes, dtype=np.int64)) if axis is None else sizes[axis]


def isscalar(element):
    """Is it a number?"""
    return np.isscalar(element) or isinstance(element, Array) and element.ndim == 0


def iscomplexobj(x):
    """Is it of complex numbers?"""
    return as_array(x).dtype.kind == "c"


__all__ = [n for n, _value in list(globals().items()) if not n.startswith("_") and
           callable(_value) and getattr(_value, "__module__", None) in (__name__,)]
__all__ = sorted({*__all__, "hstack", "vstack", "dstack"})
