"""_methods.py - functions of one array as its methods: x.sum(axis=0) is sum(x, axis=0)."""
from . import _numpy_like
from ._array import Array
from ._made import public
from ._made.ops import astype, reshape, transpose

# those whose further arguments are the function's
SAME = ("sum prod max min mean all any argmax argmin cumsum cumprod var std round conj dot matmul "
        "ravel squeeze swapaxes repeat take sort argsort copy real imag ptp trace diagonal clip "
        "nonzero searchsorted").split()


def _method(function):
    def method(self, *args, **keywords):
        if keywords.get("out", keywords) is None:  # as NumPy's functions call methods
            del keywords["out"]
        return function(self, *args, **keywords)
    method.__name__, method.__doc__ = function.__name__, function.__doc__
    return method


for _name in SAME:
    _function = getattr(_numpy_like, _name, None) or getattr(public, _name, None)
    if _function is not None and not hasattr(Array, _name):
        setattr(Array, _name, _method(_function))
for _name in ("real", "imag"):
    setattr(Array, _name, property(_method(getattr(public, _name))))


def _sizes(given):
    return tuple(given[0]) if len(given) == 1 and isinstance(given[0], (tuple, list)) else given


def _reshape(self, *shape):
    """The same elements with other dims; one may be -1: x.reshape(2, -1)."""
    return reshape(self, _sizes(shape))


def _transpose(self, *axes):
    """The dims in another order; reversed when not given: x.transpose(0, 2, 1)."""
    axes = _sizes(axes) if axes != (None,) else ()
    return transpose(self, perm=tuple(axes) or None)


def _astype(self, dtype):
    """As another dtype."""
    return astype(self, dtype)


def _flatten(self):
    """All elements, row-major, in one dim."""
    return public.ravel(self)


def _view(self, dtype):
    """The bits as numbers of another dtype."""
    return public.bitcast_convert_type(self, dtype)


Array.reshape, Array.transpose, Array.astype = _reshape, _transpose, _astype
Array.flatten, Array.view = _flatten, _view
for _name in ("reshape", "transpose", "astype", "flatten", "view"):
    getattr(Array, _name).__name__ = _name
__all__ = []
