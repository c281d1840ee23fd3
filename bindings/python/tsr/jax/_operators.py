"""_operators.py - the operators of jax.Array, and functions of one array as its methods."""
import numpy as np

from .._array import Array as Raw
from . import _dtypes, _numpy
from ._array import Array, NUMBERS, as_array, likes, raw, wrapped, wrapped_like

OPERATORS = ("add sub mul truediv floordiv mod pow matmul and or xor lshift rshift").split()
COMPARED = ("eq", "ne", "lt", "le", "gt", "ge")


def _operand(other):
    """The other operand, or NotImplemented of what is no array."""
    if type(other) in NUMBERS:
        return other
    if isinstance(other, (*NUMBERS, np.ndarray, np.generic)) or hasattr(other, "__jax_array__"):
        return raw(other)
    return NotImplemented


def _operator(name):
    function = getattr(Raw, name)

    def of_arrays(self, other):
        like = self._like
        if type(other) is Array:
            given = other._x
            if other._like:
                like = likes(like + other._like)
        else:
            given = _operand(other)
            if given is NotImplemented:
                return NotImplemented
        found = function(self._x, given)
        if found is NotImplemented:
            return NotImplemented
        made = wrapped(found)
        made._like = like
        return made
    of_arrays.__name__ = name
    return of_arrays


for _name in OPERATORS:
    setattr(Array, f"__{_name}__", _operator(f"__{_name}__"))
    setattr(Array, f"__r{_name}__", _operator(f"__r{_name}__"))
for _name in COMPARED:
    setattr(Array, f"__{_name}__", _operator(f"__{_name}__"))


def _unary(name):
    def of_array(self):
        return wrapped_like(getattr(self._x, name)(), self)
    of_array.__name__ = name
    return of_array


for _name in ("__neg__", "__abs__", "__invert__"):
    setattr(Array, _name, _unary(_name))
Array.__pos__ = lambda self: self
Array.__divmod__ = lambda self, other: (self // other, self % other)
Array.__rdivmod__ = lambda self, other: (other // self, other % self)
Array.__round__ = lambda self, digits=0: _numpy.round(self, digits or 0)

# functions of jax.numpy whose first argument is the array
METHODS = ("sum prod max min mean all any argmax argmin cumsum cumprod var std round conj "
           "conjugate dot ravel squeeze swapaxes repeat take sort argsort trace diagonal clip "
           "nonzero searchsorted ptp").split()
for _name in METHODS:
    setattr(Array, _name, getattr(_numpy, _name))


def _sizes(given):
    return tuple(given[0]) if len(given) == 1 and isinstance(given[0], (tuple, list)) else given


def _reshape(self, *shape, order="C"):
    """The same elements with other dims; one may be -1."""
    return _numpy.reshape(self, _sizes(shape), order=order)


def _transpose(self, *axes):
    """The dims in another order."""
    axes = _sizes(axes)
    return _numpy.transpose(self, None if axes in ((), (None,)) else axes)


def _astype(self, dtype, copy=False, device=None):
    """As another dtype."""
    return as_array(self, dtype)


def _flatten(self, order="C"):
    """All elements in one dim."""
    return _numpy.ravel(self, order)


def _copy(self):
    """The same."""
    return _numpy.copy(self)


def _view(self, dtype=None, type=None):
    """The same bits as another dtype."""
    from ._lax import bitcast_convert_type
    if type is not None or dtype is not None and _dtypes.named(dtype).itemsize != self.itemsize:
        raise NotImplementedError("x.view(type=), and dtypes of another size, on Tessera")
    return self if dtype is None else bitcast_convert_type(self, dtype)


def _to_device(self, device, *, stream=None):
    """The same on a device, or under a sharding."""
    from ._sharding import device_put
    return device_put(self, device)


Array.reshape, Array.transpose, Array.astype = _reshape, _transpose, _astype
Array.flatten, Array.copy, Array.to_device = _flatten, _copy, _to_device
Array.view = _view
