"""_index.py - x[index] and x.at[index]: ints, slices, None, ..., arrays of integers and bool.

Indices of an array that are out of range take the nearest element, and an update there is dropped,
as in JAX."""
import builtins
import operator

from . import _call
from ._array import Array
from ._lib import BEGIN, lib


def _is_array(i):
    return type(i) is Array or isinstance(i, list) or \
        (hasattr(i, "__array__") and not isinstance(i, (int, bool)))


def _expanded(x, index):
    """One entry for each dim of x, and None for each new dim: the ellipsis is written out, and
    arrays of bool are the indices where they are true."""
    index = index if isinstance(index, tuple) else (index,)
    entries = []  # and of those of a mask the size of the dim that they are for
    for i in index:
        if isinstance(i, bool) or _is_array(i):
            given, i = i, x._ctx.handle(i)
            if i.dtype.kind == "b":
                entries.extend(zip(_where_true(x._ctx, i), i.shape))
                continue
            if isinstance(given, list) and not i.size:
                i = _call.made_of(x._ctx, i, "int32")
            if i.dtype.kind not in "iu":
                raise TypeError(f"an index is of integers or bool, not {i.dtype}")
        elif not (i is None or i is Ellipsis or isinstance(i, slice)):
            i = operator.index(i)
        entries.append((i, None))
    used = builtins.sum(i is not None and i is not Ellipsis for i, _ in entries)
    if used > x.ndim:
        raise IndexError(f"{used} indices for an array of {x.ndim} dims")
    rest = [(slice(None), None)] * (x.ndim - used)
    at = next((k for k, (i, _) in enumerate(entries) if i is Ellipsis), len(entries))
    entries[at:at + 1] = rest
    if any(i is Ellipsis for i, _ in entries):
        raise IndexError("... stands twice in an index")
    for dim, (_, size) in enumerate(e for e in entries if e[0] is not None):
        if size not in (None, x.shape[dim]):
            raise IndexError(f"a mask of size {size} for dim {dim} of size {x.shape[dim]}")
    return [i for i, _ in entries]


def _where_true(c, mask):
    """The indices at which a mask is true, an array for each dim; how many must be known."""
    if not mask._level.root:
        raise UnknownMask("which elements of a mask are true is not known in a body: use where()")
    found, places = [], mask.tolist()

    def walk(part, at):
        if isinstance(part, list):
            for k, inner in enumerate(part):
                walk(inner, (*at, k))
        elif part:
            found.append(at)

    walk(places, ())
    if not mask.ndim:
        raise IndexError("one bool is no index: use where()")
    return [_call.from_bytes(c, b"".join(k[d].to_bytes(4, "little") for k in found),
                             _call._dtype.int32, (len(found),)) for d in range(mask.ndim)]


class UnknownMask(TypeError, IndexError):
    """Which elements a mask takes is known only when the program runs."""


class Basic:
    """The part of an index that is ints and slices: where it starts and stops and by which steps,
    the dims of what it takes, and of that with ints dropped and None in."""

    def __init__(self, shape, entries):
        self.start, self.stop, self.step, self.taken, self.result = [], [], [], [], []
        self.places = []  # (dim of the result, array) of indices that are arrays
        which = [k for k, i in enumerate(entries) if not (i is None or isinstance(i, slice))]
        # beside an array ints count as arrays, in the question whether these are next to each other
        self.apart = which != list(range(which[0], which[0] + len(which))) if which else False
        dim = 0
        for i in entries:
            if i is None:
                self.result.append(1)
                continue
            size = shape[dim]
            dim += 1
            if isinstance(i, int):
                if not -size <= i < size:
                    raise IndexError(f"index {i} is out of range for dim {dim - 1} of size {size}")
                start, stop, step, count = i % size, i % size + 1, 1, 1
            else:
                start, stop, step = (i if isinstance(i, slice) else slice(None)).indices(size)
                count = len(range(start, stop, step))
                if not isinstance(i, slice):
                    self.places.append((len(self.result), i))
                self.result.append(count)
            self.start.append(start)
            self.stop.append(stop if stop >= 0 else BEGIN)
            self.step.append(step)
            self.taken.append(count)

    def whole(self, shape):
        return tuple(self.taken) == tuple(shape) and all(step == 1 for step in self.step)


def get(x, index):
    """x[index]."""
    c = x._ctx
    if c.trace is not None:
        c.trace.used(x)
    if type(index) is int and x.ndim:
        size = x.shape[0]
        if not -size <= index < size:
            raise IndexError(f"index {index} is out of range for dim 0 of size {size}")
        return c.array(lib.tsr_index_at(c.place(), x._live(), 0, index))
    entries = _expanded(x, index)
    basic = Basic(x.shape, entries)
    if not basic.whole(x.shape):
        args = c.record("tsr_slice_args", steps=tuple(basic.step)) \
            if any(step != 1 for step in basic.step) else None
        x = c.array(lib.tsr_slice_strided_at(c.place(), x._h, _call.dims(tuple(basic.start)),
                                             _call.dims(tuple(basic.stop)), args))
    if tuple(basic.result) != x.shape:
        x = c.array(lib.tsr_reshape_at(c.place(), x._h, _call.dims(tuple(basic.result))))
    return _at_arrays(x, basic) if basic.places else x


def _at_arrays(x, basic, mode="clip"):
    """Elements at the indices that arrays have for some dims; the dims of the indices are where
    the first of these was, if they are next to each other, or else in front, as in NumPy."""
    c, places = x._ctx, basic.places
    if len(places) == 1 and not (basic.apart and places[0][0]):
        dim, i = places[0]
        return take(x, dim, i, mode)
    shape = broadcast_shape([i.shape for _, i in places])
    many = [_call.dims(shape)] * len(places)
    vectors = []
    for (dim, i), to in zip(places, many):
        i = normal(i, x.shape[dim])
        i = c.array(lib.tsr_broadcast_to_at(c.place(), i._h, to))
        vectors.append(i)
    listed = c.handles(vectors)
    index = c.array(lib.tsr_stack_at(c.place(), len(shape), listed, len(listed)))
    at = [dim for dim, _ in places]
    others = [d for d in range(x.ndim) if d not in at]
    before = 0 if basic.apart else at[0]
    offsets = [k if k < before else k + len(shape) for k in range(len(others))]
    args = c.record("tsr_gather_args", offset_dims=tuple(offsets), collapsed_slice_dims=tuple(at),
                    start_index_map=tuple(at), mode=mode)
    sizes = tuple(1 if d in at else x.shape[d] for d in range(x.ndim))
    return c.array(lib.tsr_gather_at(c.place(), x._h, index._h, _call.dims(sizes), args))


def take(x, dim, i, mode):
    """Elements of one dim; negative indices count from the end, in tsr_take() itself but with
    mode "clip"."""
    c = x._ctx
    i = normal(i, x.shape[dim]) if mode == "clip" else i
    return c.array(lib.tsr_take_at(c.place(), x._h, dim, i._h,
                                   c.record("tsr_index_args", mode=mode)))


def normal(i, size):
    """Indices of which negative ones were counted from the end."""
    if i.dtype.kind == "u":
        return i
    c = i._ctx
    from_end = i + size
    low = i < 0
    _call._pack_three(c.pair, 0, _call._arg(1, low._h), _call._arg(1, from_end._h),
                      _call._arg(1, i._h))
    return c.array(lib.tsr_where_at(c.place(), c.pair_at))


def broadcast_shape(shapes):
    """The dims that several broadcast to."""
    rank = max((len(s) for s in shapes), default=0)
    result = []
    for k in range(rank):
        sizes = {s[k - rank + len(s)] for s in shapes if k - rank + len(s) >= 0} - {1}
        if len(sizes) > 1:
            raise ValueError(f"shapes that do not broadcast: {', '.join(map(str, shapes))}")
        result.append(sizes.pop() if sizes else 1)
    return tuple(result)


class At:
    """x.at, which an index makes a place of."""

    def __init__(self, x):
        self.x = x

    def __getitem__(self, index):
        return Place(self.x, index)


class Place:
    """x.at[index]: what can be done there. Each gives a new array."""

    def __init__(self, x, index):
        self.x, self.index = x, index

    def get(self, *, mode=None, fill_value=None):
        """The elements there; mode "fill": NaN, or fill_value, where an index is out of range."""
        if mode is None:
            return get(self.x, self.index)
        if mode in ("clip", "promise_in_bounds"):
            return get(self.x, self.index)
        x, c = self.x, self.x._ctx
        entries = _expanded(x, self.index)
        basic = Basic(x.shape, entries)
        if len(basic.places) == 1 and basic.whole(x.shape) and tuple(basic.result) == x.shape:
            dim, i = basic.places[0]
            y = take(x, dim, i, mode)
            outside = (i < -x.shape[dim]) | (i >= x.shape[dim])
            shape = [1] * y.ndim
            shape[dim:dim + i.ndim] = i.shape
            outside = outside.reshape(tuple(shape))
        elif mode in ("fill", "fill_or_drop"):
            i = self._numbers(entries, mode)
            y = take(c.array(lib.tsr_ravel_at(c.place(), x._h)), 0, i, mode)
            outside = i < 0
        else:
            raise ValueError(f"mode {mode!r} of get() is for one array as index")
        if fill_value is None or mode not in ("fill", "fill_or_drop"):
            return y
        from . import where
        return where(outside, fill_value, y)

    def set(self, value, **keywords):
        """x with these elements."""
        return self._put("set", value, keywords)

    def add(self, value, **keywords):
        """x with the value added to these elements, each time that one is named."""
        return self._put("add", value, keywords)

    def subtract(self, value, **keywords):
        """x with the value subtracted."""
        return self._put("add", -self.x._ctx.handle(value), keywords)

    def multiply(self, value, **keywords):
        """x with these elements multiplied."""
        return self._put("mul", value, keywords)

    mul = multiply

    def divide(self, value, **keywords):
        """x with these elements divided."""
        from ._made.array import ones_like
        return self.x / Place(ones_like(self.x), self.index).multiply(value, **keywords)

    def power(self, value, **keywords):
        """x with these elements to a power."""
        return self.apply(lambda y: y ** value, **keywords)

    def min(self, value, **keywords):
        """x with the smaller ones."""
        return self._put("min", value, keywords)

    def max(self, value, **keywords):
        """x with the larger ones."""
        return self._put("max", value, keywords)

    def apply(self, function, **keywords):
        """x with a function of these elements."""
        if self._is_traced_mask():
            return self._masked(function(self.x))
        return self._put("set", function(get(self.x, self.index)), keywords)

    def _put(self, how, update, keywords):
        x, c = self.x, self.x._ctx
        if c.trace is not None:
            c.trace.used(x)
        x._live()
        if type(update) is int and x.dtype.kind in "iu":
            bits = 8 * x.dtype.itemsize
            if not -1 << bits - 1 <= update < 1 << bits:
                raise OverflowError(f"{update} does not fit {x.dtype.name}")
        if self._is_traced_mask():
            return self._masked(self._combined(how, c.handle(update)))
        entries = _expanded(x, self.index)
        basic = Basic(x.shape, entries)
        if not basic.places and all(step == 1 for step in basic.step):
            return self._block(how, update, basic)
        whole = all(isinstance(i, slice) and i == slice(None) for i in entries
                    if not _is_array(i)) and None not in entries
        if whole and len(basic.places) == 1:
            return self._one_dim(how, x, *basic.places[0], update, keywords)
        return self._elements(how, update, entries, keywords)

    def _is_traced_mask(self):
        """Is the index one mask whose values the body does not know, or a single bool?"""
        i = self.index
        return type(i) is Array and i.dtype.kind == "b" and not (i._level.root and i.ndim)

    def _combined(self, how, update):
        """All elements with the update, which must be the same for each element of a mask."""
        x, rest = self.x, self.x.ndim - self.index.ndim
        extra = update.ndim - rest
        if extra > 0 and any(n != 1 for n in update.shape[:extra]):
            raise UnknownMask("how many elements of a mask are true is not known in a body: the "
                              "update must be the same for all")
        if extra > 0:
            update = update.reshape(update.shape[extra:])
        from ._made import ops
        if how == "set":
            return ops.broadcast_to(update, x.shape)
        return getattr(ops, {"add": "add", "mul": "mul", "min": "minimum",
                             "max": "maximum"}[how])(x, update)

    def _masked(self, y):
        """y where the mask is true, otherwise x."""
        x, mask = self.x, self.index
        if mask.shape != x.shape[:mask.ndim]:
            raise IndexError(f"a mask of shape {mask.shape} for an array of shape {x.shape}")
        from . import where
        mask = mask.reshape(mask.shape + (1,) * (x.ndim - mask.ndim))
        return where(mask, _call.made_of(x._ctx, y, x.dtype), x)

    def _one_dim(self, how, x, dim, i, update, keywords):
        c = x._ctx
        given = {k: v for k, v in keywords.items() if k != "fill_value"}
        args = c.record("tsr_index_args", **given)
        update = c.operand(update)
        put = getattr(lib, f"tsr_at_{how}_at")
        return c.array(put(c.place(), x._h, dim, c.handle(i)._h, update, args))

    def _block(self, how, update, basic):
        """A block: it is taken, combined and put back."""
        x, c = self.x, self.x._ctx
        update = c.handle(update)
        if how != "set":
            from ._made import ops
            update = getattr(ops, {"add": "add", "mul": "mul", "min": "minimum",
                                   "max": "maximum"}[how])(get(x, self.index), update)
        if update.dtype is not x.dtype:
            update = _call.made_of(c, update, x.dtype)
        if update.shape != tuple(basic.result):
            update = c.array(lib.tsr_broadcast_to_at(c.place(), update._h,
                                                     _call.dims(tuple(basic.result))))
        if tuple(basic.taken) != tuple(basic.result):
            update = c.array(lib.tsr_reshape_at(c.place(), update._h,
                                                _call.dims(tuple(basic.taken))))
        if basic.whole(x.shape):
            return update
        starts = c.operands(basic.start)
        return c.array(lib.tsr_dynamic_update_dims_at(c.place(), x._h, update._h, starts,
                                                      len(starts)))

    def _elements(self, how, update, entries, keywords):
        """Any index, by the numbers of the elements."""
        x, c = self.x, self.x._ctx
        places = self._numbers(entries, keywords.get("mode"))
        update = c.handle(update)
        if update.shape != places.shape:
            update = c.array(lib.tsr_broadcast_to_at(c.place(), update._h,
                                                     _call.dims(places.shape)))
        flat = [c.array(lib.tsr_ravel_at(c.place(), y._h)) for y in (x, places, update)]
        y = self._one_dim(how, flat[0], 0, flat[1], flat[2], keywords)
        return c.array(lib.tsr_reshape_at(c.place(), y._h, _call.dims(x.shape)))

    def _numbers(self, entries, mode):
        """The numbers, row-major, of the elements that any index takes; those that are out of range
        have a negative one that is out of range too, but with mode "clip"."""
        x, c = self.x, self.x._ctx
        numbers = _call.wrap(c, lib.tsr_arange_at(c.place(), c.pointer, x.size, None))
        numbers = c.array(lib.tsr_reshape_at(c.place(), numbers._h, _call.dims(x.shape)))
        basic = Basic(x.shape, entries)
        args = c.record("tsr_slice_args", steps=tuple(basic.step))
        y = c.array(lib.tsr_slice_strided_at(c.place(), numbers._h, _call.dims(tuple(basic.start)),
                                             _call.dims(tuple(basic.stop)), args))
        y = c.array(lib.tsr_reshape_at(c.place(), y._h, _call.dims(tuple(basic.result))))
        if not basic.places:
            return y
        return _at_arrays(y, basic, "clip" if mode in ("clip", "promise_in_bounds") else "fill")
