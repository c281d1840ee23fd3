"""_more.py - further functions of jax.numpy, jax.numpy.linalg and jax.lax."""
import collections

import numpy as np

import tsr

from . import _dtypes, _products
from ._array import as_array, raw, wrapped
from ._shapes import _x, broadcast_arrays, concatenate, expand_dims, ravel, stack


def angle(z, deg=False):
    """The angle of complex numbers."""
    made = wrapped(tsr.angle(_x(z)))
    return made * (180 / np.pi) if deg else made


def append(arr, values, axis=None):
    """With values behind."""
    if axis is None:
        return concatenate([ravel(arr), ravel(values)])
    return concatenate([arr, values], axis)


def block(arrays):
    """Nested lists of blocks, joined."""
    def depth(x):
        return 1 + depth(x[0]) if isinstance(x, list) else 0

    def joined(x, axis):
        if not isinstance(x, list):
            x = as_array(x)
            return x if x.ndim >= levels else expand_dims(x, tuple(range(levels - x.ndim)))
        return concatenate([joined(y, axis + 1) for y in x], axis)

    levels = depth(arrays)
    return joined(arrays, -levels)


def trapezoid(y, x=None, dx=1.0, axis=-1):
    """The integral by trapezoids."""
    y = _x(y)
    return wrapped(tsr.trapezoid(y, axis % y.ndim, x=None if x is None else _x(x), dx=dx))


def vecdot(x1, x2, /, *, axis=-1, precision=None, preferred_element_type=None):
    """Sums of products of vectors."""
    if precision is not None or preferred_element_type is not None:
        raise NotImplementedError("jax.numpy.vecdot(precision=) on Tessera")
    a, b = broadcast_arrays(x1, x2)
    return wrapped(tsr.vecdot(a._x, b._x, axis % a.ndim))


def tril_indices(n, k=0, m=None):
    """Where a matrix is at or below a diagonal."""
    return tuple(map(as_array, np.tril_indices(n, k, m)))


def triu_indices(n, k=0, m=None):
    """Where a matrix is at or above a diagonal."""
    return tuple(map(as_array, np.triu_indices(n, k, m)))


set_printoptions, printoptions = np.set_printoptions, np.printoptions
bool = _dtypes.scalars["bool_"]
__all__ = ("angle append block trapezoid vecdot tril_indices "
           "triu_indices set_printoptions printoptions bool").split()


# ---- jax.numpy.linalg

_Slogdet = collections.namedtuple("SlogdetResult", "sign logabsdet")


def _slogdet(a, *, method=None):
    """(sign, log of the determinant)."""
    return _Slogdet(*map(wrapped, tsr.slogdet(_x(a))))


def _pinv(a, rtol=None, hermitian=False):
    """The pseudo-inverse."""
    return wrapped(tsr.pinv(_x(a), rtol=rtol))


def _eigvalsh(a, UPLO=None, *, symmetrize_input=True):
    """The eigenvalues of a Hermitian matrix."""
    return wrapped(tsr.eigvalsh(_x(a), upper=UPLO == "U" or None))


LINALG = {"slogdet": _slogdet, "pinv": _pinv, "eigvalsh": _eigvalsh}


# ---- jax.lax

def _select_n(which, *cases):
    """The elements of the case whose number is there."""
    which = as_array(which)
    if which.dtype == np.bool_:
        return wrapped(tsr.where(which._x, raw(cases[1]), raw(cases[0])))
    made = raw(cases[-1])
    for k in reversed(range(len(cases) - 1)):
        made = tsr.where(tsr.le(which._x, k), raw(cases[k]), made)
    return wrapped(made)


def _split(operand, sizes, axis=0):
    """Parts of these sizes."""
    from ._shapes import split
    return split(operand, list(np.cumsum(sizes)[:-1]), axis)


def _sort_key_val(keys, values, dimension=-1, is_stable=True):
    """Keys in order, and values in that of their keys."""
    keys, values = as_array(keys), as_array(values)
    axis = dimension % keys.ndim
    order = tsr.argsort(keys._x, axis)
    return tuple(wrapped(tsr.take_along(x._x, order, axis)) for x in (keys, values))


def _stack(operands, axis=0):
    """Arrays along a new dim."""
    return stack(operands, axis)


def _tile(operand, reps):
    """Repeated as a whole."""
    return wrapped(tsr.tile(_x(operand), tuple(reps)))


def _ragged_dot(lhs, rhs, group_sizes, precision=None, preferred_element_type=None,
                group_offset=None, out_sharding=None):
    """Groups of rows times a matrix each; rows behind the last group give zeros."""
    if group_offset is not None or out_sharding is not None:
        raise NotImplementedError("jax.lax.ragged_dot(group_offset=, out_sharding=) on Tessera")
    a, sizes = _x(lhs), _x(group_sizes)
    end, row = tsr.cumsum(sizes, 0)[:, None], tsr.arange(a.shape[0])[None]
    inside = (row < end) & (row >= end - sizes[:, None])
    parts = wrapped(tsr.where(inside[:, :, None], a, tsr.zeros_like(a)))
    return _products.einsum("gmk,gkn->mn", parts, as_array(rhs), precision=precision,
                            preferred_element_type=preferred_element_type)


LAX = {"ragged_dot": _ragged_dot, "select_n": _select_n, "split": _split,
       "sort_key_val": _sort_key_val, "stack": _stack, "tile": _tile}
