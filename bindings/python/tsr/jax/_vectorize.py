"""_vectorize.py - jax.numpy.vectorize: a function of a few dims over all others.

    vectorize(f, signature="(n),(n)->()")(x, y)    x [4, 3] and y [3]: f of each row of x and y"""
import functools
import re

import numpy as np

from . import _numpy
from ._array import as_array


def _dims(text):
    """The names of the dims of each array: "(m,n),()" gives [("m", "n"), ()]."""
    parts = re.findall(r"\(([^()]*)\)", text)
    return [tuple(n.strip() for n in part.split(",") if n.strip()) for part in parts]


def vectorized(pyfunc, excluded, signature):
    """What vectorize() gives."""
    from ._maps import vmap
    given = None if signature is None else _dims(signature.split("->")[0])

    @functools.wraps(pyfunc)
    def of_arrays(*args, **keywords):
        mapped = [k for k in range(len(args)) if k not in excluded]
        fixed = {n: x for n, x in keywords.items() if n in excluded}
        named = [n for n in keywords if n not in excluded]
        arrays = [as_array(args[k]) for k in mapped] + [as_array(keywords[n]) for n in named]
        core = [()] * len(arrays) if given is None else given
        if len(core) != len(arrays):
            raise TypeError(f"wrong number of positional arguments: expected {len(core)}, got "
                            f"{len(arrays)}")

        def function(*parts):
            every = list(args)
            for k, x in zip(mapped, parts):
                every[k] = x
            return pyfunc(*every, **dict(zip(named, parts[len(mapped):])), **fixed)

        outer = [x.shape[:x.ndim - len(c)] for x, c in zip(arrays, core)]
        if any(x.ndim < len(c) for x, c in zip(arrays, core)):
            raise ValueError(f"an array has fewer dims than {signature} says")
        shape = np.broadcast_shapes(*outer)
        arrays = [x.reshape((1,) * (len(shape) - len(o)) + x.shape)
                  for x, o in zip(arrays, outer)]
        for d in range(len(shape) - 1, -1, -1):
            axes = tuple(0 if x.shape[d] != 1 or shape[d] == 1 else None for x in arrays)
            function = vmap(function, in_axes=axes)
        squeezed = [_numpy.squeeze(x, tuple(d for d in range(len(shape)) if x.shape[d] == 1 and
                                            shape[d] != 1)) for x in arrays]
        return function(*squeezed)
    return of_arrays
