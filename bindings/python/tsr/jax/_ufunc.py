"""_ufunc.py - functions of elements that also reduce and accumulate: jnp.add.reduce(x), as in JAX.

    jnp.add.outer(x, y)        all sums
    jnp.frompyfunc(f, 2, 1, identity=0).accumulate(x)    f of all elements so far"""
import functools

from ._array import as_array
from ._shapes import expand_dims, moveaxis, reshape, stack

IDENTITIES = {"add": 0, "multiply": 1, "logical_and": True, "logical_or": False, "bitwise_and": -1,
              "bitwise_or": 0, "bitwise_xor": 0, "logaddexp": float("-inf"),
              "logaddexp2": float("-inf"), "logical_xor": False, "hypot": 0}
REDUCTIONS = {"add": "sum", "multiply": "prod", "maximum": "max", "minimum": "min",
              "logical_and": "all", "logical_or": "any"}


class ufunc:
    """A function of the elements of arrays."""

    def __init__(self, func, /, nin, nout, *, name=None, nargs=None, identity=None, own=None):
        self._func, self._own = func, own
        self.nin, self.nout, self.nargs = nin, nout, nargs or nin
        self.identity = identity
        self.__name__ = name or getattr(func, "__name__", "ufunc")
        functools.update_wrapper(self, func, updated=())

    def __call__(self, *args, out=None, where=None):
        if out is not None or where is not None:
            raise NotImplementedError(f"{self.__name__}(out=, where=) on Tessera")
        return self._func(*args)

    def __repr__(self):
        return f"<jnp.ufunc '{self.__name__}'>"

    def _two(self, what):
        if self.nin != 2 or self.nout != 1:
            raise ValueError(f"{what} only supported for functions of two arrays with one result")

    def reduce(self, a, axis=0, dtype=None, out=None, keepdims=False, initial=None, where=None):
        """All elements of a dim combined."""
        self._two("reduce")
        x = as_array(a) if dtype is None else as_array(a, dtype)
        if out is not None:
            raise NotImplementedError("reduce(out=) on Tessera")
        if self._own is not None and (initial is None or self.__name__ not in ("logical_and",
                                                                               "logical_or")):
            from . import _numpy
            given = {} if initial is None else {"initial": initial}
            return getattr(_numpy, self._own)(x, axis=axis, keepdims=keepdims, where=where,
                                              **given)
        if where is not None:
            raise NotImplementedError("reduce(where=) on Tessera")
        if axis is None or isinstance(axis, tuple):
            axes = range(x.ndim) if axis is None else [k % x.ndim for k in axis]
            rest = [k for k in range(x.ndim) if k not in axes]
            y = moveaxis(x, tuple(axes), tuple(range(len(axes))))
            y = reshape(y, (-1, *(x.shape[k] for k in rest)))
            made = self.reduce(y, 0, initial=initial)
            return made if not keepdims else reshape(
                made, tuple(1 if k in axes else n for k, n in enumerate(x.shape)))
        parts = moveaxis(x, axis, 0)
        made = initial if initial is not None else self.identity
        parts = [parts[k] for k in range(parts.shape[0])]
        if made is None:
            if not parts:
                raise ValueError(f"zero-size array to reduction operation {self.__name__} which "
                                 "has no identity")
            made, parts = parts[0], parts[1:]
        elif initial is None and parts:
            made, parts = parts[0], parts[1:]
        made = functools.reduce(self._func, parts, made)
        made = as_array(made)
        return expand_dims(made, axis) if keepdims else made

    def accumulate(self, a, axis=0, dtype=None, out=None):
        """What elements of a dim and those before them are combined."""
        self._two("accumulate")
        if out is not None:
            raise NotImplementedError("accumulate(out=) on Tessera")
        x = as_array(a) if dtype is None else as_array(a, dtype)
        rows, made = moveaxis(x, axis, 0), []
        for k in range(rows.shape[0]):
            made.append(rows[k] if not made else as_array(self._func(made[-1], rows[k])))
        return moveaxis(stack(made), 0, axis)

    def outer(self, A, B, /):
        """The function of all pairs."""
        self._two("outer")
        a, b = as_array(A), as_array(B)
        made = self._func(reshape(a, a.shape + (1,) * b.ndim) if b.ndim else a, b)
        return made

    def at(self, a, indices, b=None, /, *, inplace=True):
        """An array with the function of elements, and of others, in their places."""
        if inplace:
            raise NotImplementedError("JAX arrays are immutable: pass inplace=False")
        x = as_array(a)
        if self.nin == 1:
            return x.at[indices].apply(self._func)
        how = {"add": "add", "subtract": "subtract", "multiply": "multiply", "minimum": "min",
               "maximum": "max", "divide": "divide"}.get(self.__name__)
        if how is None:
            raise NotImplementedError(f"{self.__name__}.at() on Tessera")
        return getattr(x.at[indices], how)(b)

    def reduceat(self, a, indices, axis=0, dtype=None, out=None):
        """Parts of a dim, each combined."""
        import numpy as np
        self._two("reduceat")
        x = moveaxis(as_array(a), axis, 0)
        starts = np.asarray(indices).tolist()
        ends = [*starts[1:], x.shape[0]]
        parts = [self.reduce(x[s:e]) if s < e else x[s] for s, e in zip(starts, ends)]
        return moveaxis(stack(parts), 0, axis)


def frompyfunc(func, /, nin, nout, *, identity=None):
    """A function of numbers as one of arrays."""
    from ._numpy import vectorize
    mapped = vectorize(func)
    return ufunc(mapped, nin, nout, name=getattr(func, "__name__", None), identity=identity)


def with_methods(function, name, nin):
    """A function with those of a ufunc: it stays a function, which is faster to call."""
    of = ufunc(function, nin, 1, name=name, identity=IDENTITIES.get(name),
               own=REDUCTIONS.get(name))
    for method in ("reduce", "accumulate", "outer", "at", "reduceat"):
        setattr(function, method, getattr(of, method))
    function.nin, function.nout, function.nargs = nin, 1, nin
    function.identity = of.identity
    return function


__all__ = ["ufunc", "frompyfunc"]
