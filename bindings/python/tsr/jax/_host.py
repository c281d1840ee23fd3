"""_host.py - functions of jax.numpy that need no device: texts, files, indices, questions about
dtypes. NumPy does them, and what are numbers becomes arrays as JAX has them."""
import warnings

import numpy as np

from . import _dtypes
from ._array import as_array


class ComplexWarning(np.exceptions.ComplexWarning if hasattr(np, "exceptions")
                     else np.ComplexWarning):
    """A complex number loses its imaginary part."""


class ArrayImpl(np.ndarray):
    """NumPy's array under the name of JAX's, which repr() prints."""


def array_repr(arr, max_line_width=None, precision=None, suppress_small=None):
    """An array as repr() prints it."""
    return np.array_repr(np.asarray(arr).view(ArrayImpl), max_line_width, precision, suppress_small)


def array_str(a, max_line_width=None, precision=None, suppress_small=None):
    """An array as str() prints it."""
    return np.array_str(np.asarray(a), max_line_width, precision, suppress_small)


def can_cast(from_, to, casting="safe"):
    """May one dtype become the other?"""
    return np.can_cast(_kind(from_), _kind(to), casting)


def _kind(of):
    return np.dtype(_dtypes.numpy_dtype(_dtypes.named(of)))


def isdtype(dtype, kind):
    """Is it one of these dtypes, or kinds such as "integral"?"""
    own = _dtypes.numpy_dtype(_dtypes.named(dtype))
    groups = {"bool": "b", "signed integer": "i", "unsigned integer": "u", "integral": "iu",
              "real floating": "fV", "complex floating": "c", "numeric": "iufcV"}
    for one in kind if isinstance(kind, tuple) else (kind,):
        if isinstance(one, str) and one in groups:
            if own.kind in groups[one]:
                return True
        elif own == _dtypes.numpy_dtype(_dtypes.named(one)):
            return True
    return False


def iterable(y):
    """Can one go through it?"""
    return np.iterable(y)


def isrealobj(x):
    """Is it not of complex numbers?"""
    return as_array(x).dtype.kind != "c"


def einsum_path(subscripts, /, *operands, optimize="greedy"):
    """In which order einsum() takes its operands best."""
    path, told = np.einsum_path(subscripts, *(np.broadcast_to(0., np.shape(x)) for x in operands),
                                optimize=optimize)
    return path[1:], told


# ---- files and texts

def load(file, *args, **keywords):
    """An array, or several by their names, of a file of NumPy's."""
    found = np.load(file, *args, **keywords)
    return as_array(found) if isinstance(found, np.ndarray) else found


def save(file, arr, *args, **keywords):
    """Writes an .npy file."""
    np.save(file, np.asarray(arr), *args, **keywords)


def savez(file, *args, **keywords):
    """Writes an .npz file."""
    np.savez(file, *map(np.asarray, args), **{k: np.asarray(x) for k, x in keywords.items()})


def frombuffer(buffer, dtype=float, count=-1, offset=0):
    """The numbers in memory."""
    return as_array(np.frombuffer(buffer, np.dtype(_named(dtype)), count, offset))


def _named(dtype):
    return getattr(dtype, "dtype", dtype)


def fromstring(string, dtype=float, count=-1, *, sep):
    """The numbers in a text."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return as_array(np.fromstring(string, np.dtype(_named(dtype)), count, sep=sep))


def fromfile(*args, **keywords):
    """Is an error, as in JAX: it would not be pure."""
    raise NotImplementedError("jnp.fromfile() is not implemented because it may be non-pure and "
                              "thus unsafe for use with JIT and other JAX transformations. "
                              "Consider using jnp.asarray(np.fromfile(...)) instead")


def fromiter(*args, **keywords):
    """Is an error, as in JAX: it would not be pure."""
    raise NotImplementedError("jnp.fromiter() is not implemented because it may be non-pure and "
                              "thus unsafe for use with JIT and other JAX transformations. "
                              "Consider using jnp.asarray(np.fromiter(...)) instead")


def from_dlpack(x, /, *, device=None, copy=None):
    """The array of another library."""
    import tsr

    from ._array import wrapped
    from ._backend import context
    from ._sharding import device_put
    context()
    made = wrapped(tsr.from_dlpack(x))
    return made if device is None else device_put(made, device)


# ---- indices

def diag_indices(n, ndim=2):
    """Where the diagonal is."""
    return tuple(map(as_array, np.diag_indices(n, ndim)))


def diag_indices_from(arr):
    """Where the diagonal of an array is."""
    return tuple(map(as_array, np.diag_indices_from(np.empty(np.shape(arr)))))


def tril_indices_from(arr, k=0):
    """Where a matrix is at or below a diagonal."""
    return tuple(map(as_array, np.tril_indices(arr.shape[-2], k, arr.shape[-1])))


def triu_indices_from(arr, k=0):
    """Where a matrix is at or above a diagonal."""
    return tuple(map(as_array, np.triu_indices(arr.shape[-2], k, arr.shape[-1])))


def mask_indices(n, mask_func, k=0, *, size=None):
    """Where a function of matrices, such as triu, leaves ones."""
    from ._numpy import ones
    from ._sets import nonzero
    return nonzero(mask_func(ones((n, n)), k), size=size)


def ix_(*args):
    """Indices of a grid of rows and columns."""
    made = []
    for k, x in enumerate(args):
        x = as_array(x)
        if x.dtype == np.bool_:
            from ._sets import nonzero
            x, = nonzero(x)
        if x.ndim != 1:
            raise ValueError("Arguments to jax.numpy.ix_ must be 1-dimensional, got shape "
                             f"{x.shape}")
        made.append(x.reshape((1,) * k + (-1,) + (1,) * (len(args) - k - 1)))
    return tuple(made)


class _Grid:
    def __init__(self, sparse):
        self.sparse = sparse

    def __getitem__(self, key):
        from ._shapes import meshgrid, stack
        one = not isinstance(key, tuple)
        parts = [_range(k) for k in ((key,) if one else key)]
        if one:
            return parts[0]
        from ._numpy import result_type
        kind = result_type(*parts)
        made = meshgrid(*(p.astype(kind) for p in parts), indexing="ij", sparse=self.sparse)
        return list(made) if self.sparse else stack(made)


def _range(s):
    from ._numpy import arange, linspace
    start, step = s.start or 0, s.step
    if isinstance(step, complex):
        return linspace(start, s.stop, int(abs(step)))
    return arange(start, s.stop, 1 if step is None else step)


mgrid, ogrid = _Grid(False), _Grid(True)


class _Joined:
    """r_ and c_: what is in brackets, joined along a dim."""

    def __init__(self, axis, ndmin, transposed):
        self.way = axis, ndmin, transposed

    def __getitem__(self, key):
        from ._shapes import concatenate
        axis, ndmin, transposed = self.way
        key = key if isinstance(key, tuple) else (key,)
        if isinstance(key[0], str):
            axis, ndmin, transposed = self._directed(key[0])
            key = key[1:]
        parts = []
        for x in key:
            x = _range(x) if isinstance(x, slice) else as_array(x)
            if x.ndim < ndmin:
                new = ndmin - x.ndim
                at = transposed if transposed >= 0 else new + transposed + 1
                x = x.reshape((1,) * at + x.shape + (1,) * (new - at)) if x.ndim else \
                    x.reshape((1,) * ndmin)
            parts.append(x)
        return concatenate(parts, axis)

    @staticmethod
    def _directed(text):
        numbers = [int(n) for n in text.split(",")] if text not in "rc" else None
        if numbers is None:
            raise NotImplementedError(f"jax.numpy.r_[{text!r}] on Tessera")
        return (numbers + [1, -1][len(numbers) - 1:])[:3]


r_, c_ = _Joined(0, 1, -1), _Joined(-1, 2, 0)
s_, index_exp = np.s_, np.index_exp
get_printoptions = np.get_printoptions
character, flexible, object_ = np.character, np.flexible, np.object_
single, double, csingle, cdouble = (_dtypes.scalars[n] for n in (
    "float32", "float64", "complex64", "complex128"))
__all__ = ("ComplexWarning array_repr array_str can_cast isdtype iterable isrealobj einsum_path "
           "load save savez frombuffer fromstring fromfile fromiter from_dlpack diag_indices "
           "diag_indices_from tril_indices_from triu_indices_from mask_indices ix_ mgrid ogrid r_ "
           "c_ s_ index_exp get_printoptions character flexible object_ single double csingle "
           "cdouble").split()
