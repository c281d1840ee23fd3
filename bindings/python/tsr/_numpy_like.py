"""_numpy_like.py - functions with other arguments in NumPy and JAX than in C: the number of results
follows from them, or one function does the work of several in C:

    split(x, 3)    three parts along dim 0, where C is told a dim and has room for three results"""
import math
import operator

from . import _call
from ._lib import FLAT, lib
from ._made import ops
from ._made.array import full, zeros

__all__ = ["arange", "split", "array_split", "unstack", "meshgrid", "broadcast_arrays",
           "unravel_index", "pad", "clip", "full_like", "empty", "flip", "roll", "repeat"]


def arange(*bounds, start=None, step=None, dtype=None):
    """0, 1, ... below n: arange(n); with two bounds, or three, start, start + step, ... below stop:
    arange(2, 10, 3). Of one bound and start= or step= there are n numbers: arange(3, start=1)."""
    if len(bounds) == 1:
        count = bounds[0]
        if not isinstance(count, int) and start is None and step is None:
            count, dtype = math.ceil(count), dtype or "float32"
    elif len(bounds) in (2, 3):
        start, stop = bounds[:2]
        step = bounds[2] if len(bounds) == 3 else 1 if step is None else step
        count = math.ceil((stop - start) / step)
        if any(isinstance(b, float) for b in bounds):
            dtype = dtype or "float32"
    else:
        raise TypeError(f"arange() takes one to three bounds, not {len(bounds)}")
    c = _call.current()
    args = c.record("tsr_arange_args", dtype=dtype, start=start, step=step)
    return c.array(lib.tsr_arange_at(c.place(), c.pointer, max(operator.index(count), 0), args))


def _of_one(x):
    c = _call.context_of(x)
    return c, c.handle(x)


def split(x, indices_or_sections, axis=0):
    """Equal parts along a dim, or those between indices: split(x, 3), split(x, [2, 5])."""
    c, x = _of_one(x)
    indices = None
    if not isinstance(indices_or_sections, int):
        indices = tuple(int(k) for k in indices_or_sections)
    made = _call.places(indices_or_sections if indices is None else len(indices) + 1)
    args = c.record("tsr_split_args", indices=indices)
    c.done(lib.tsr_split_at(c.place(), x._h, axis, made, len(made), args))
    return c.arrays(made)


def array_split(x, sections, axis=0):
    """Parts along a dim, as equal as can be."""
    c, x = _of_one(x)
    made = _call.places(sections)
    c.done(lib.tsr_array_split_at(c.place(), x._h, axis, made, sections))
    return c.arrays(made)


def unstack(x, axis=0):
    """The elements of a dim."""
    c, x = _of_one(x)
    made = _call.places(x.shape[axis])
    c.done(lib.tsr_unstack_at(c.place(), x._h, axis, made, len(made)))
    return c.arrays(made)


def meshgrid(*x, indexing="xy", sparse=None):
    """The coordinates of a grid: meshgrid(x, y); indexing "ij": the first one along dim 0."""
    c = _call.context_of(*x)
    given, made = c.handles(x), _call.places(len(x))
    args = c.record("tsr_meshgrid_args", ij=indexing == "ij" or None, sparse=sparse or None)
    c.done(lib.tsr_meshgrid_at(c.place(), given, made, len(made), args))
    return c.arrays(made)


def broadcast_arrays(*x):
    """Arrays repeated to the dims that they broadcast to."""
    c = _call.context_of(*x)
    given, made = c.handles(x), _call.places(len(x))
    c.done(lib.tsr_broadcast_arrays_at(c.place(), given, made, len(made)))
    return c.arrays(made)


def unravel_index(x, shape):
    """The indices of dims, of numbers of elements: unravel_index(best, (4, 5)); those past an end
    are moved there, and negative ones count from the end."""
    c, x = _of_one(x)
    made = _call.places(8)
    c.done(lib.tsr_unravel_index_at(c.place(), x._h, _call.dims(shape), made))
    return c.arrays([h for h in made if h])


def pad(x, low, high=None, number=0, *, interior=None):
    """With a number before and behind: pad(x, 1), pad(x, ((1, 0), (0, 2))), one pair for all dims
    or each; or by lists of what is before and behind, pad(x, (1, 0), (1, 0), 0), where negative
    ones take elements away."""
    c = _call.context_of(x, number)
    x = c.handle(x)
    if high is None:
        pairs = low
        if isinstance(pairs, int):
            pairs = ((pairs, pairs),)
        elif not hasattr(pairs[0], "__len__"):
            pairs = (tuple(pairs),)
        pairs = list(pairs) * x.ndim if len(pairs) == 1 else list(pairs)
        low, high = (tuple(int(p[k]) for p in pairs) for k in (0, 1))
    number = c.operand(number)
    args = c.record("tsr_pad_args", interior=interior)
    return c.array(lib.tsr_pad_at(c.place(), x._h, _call.dims(low), _call.dims(high), number,
                                  args))


def clip(x, min=None, max=None):
    """Moved into a range."""
    x = x if min is None else ops.maximum(x, min)
    return x if max is None else ops.minimum(x, max)


def full_like(x, value, dtype=None):
    """All one value, with the dims and dtype of an array."""
    x = _of_one(x)[1]
    return full(x.shape, value, dtype=dtype or x.dtype)


def empty(shape, dtype=None):
    """Zeros: memory is never left as it was."""
    return zeros(shape, dtype=dtype)


def flip(x, axis=None):
    """Elements in reverse order along these dims, or all."""
    c, x = _of_one(x)
    axis = tuple(range(x.ndim)) if axis is None else axis
    return c.array(lib.tsr_flip_at(c.place(), x._h, _call.dims(axis)))


def roll(x, shift, axis=None):
    """Moved by so many elements along a dim, around the end; as if x had one dim where none is
    given."""
    c, x = _of_one(x)
    return c.array(lib.tsr_roll_at(c.place(), x._h, shift, FLAT if axis is None else axis))


def repeat(x, n, axis=None):
    """Each element so often along a dim; as if x had one dim where none is given."""
    c, x = _of_one(x)
    return c.array(lib.tsr_repeat_at(c.place(), x._h, n, FLAT if axis is None else axis))


