"""_array.py - jax.Array: an array of Tessera that looks and prints as JAX's does.

The wrapper is a kind of tree with one leaf for the library's functions: what they flatten and
unflatten are arrays of the library, and bodies and callers have jax.Array.

    flatten((Array, 2.0))    gives [the array of the library, 2.0]"""
import numpy as np

from .. import _tree
from .._array import Array as Raw, number
from .._call import made_of
from . import _dtypes
from ._names import near

NUMBERS = (bool, int, float, complex)


class _Is(type):
    def __instancecheck__(cls, x):
        return type(x) is Array and not x._x._level.root


class Tracer(metaclass=_Is):
    """An array in the body of a function that is being traced."""


def raw(x):
    """What the library takes of an array or a number: its Array, or a Python number."""
    kind = type(x)
    if kind is Array:
        return x._x
    if kind in NUMBERS:
        return x
    if kind is Raw:
        return x
    if isinstance(x, (np.ndarray, np.generic)):
        return _of_numpy(x)
    if isinstance(x, NUMBERS):  # a class of the user's
        return next(n for n in (bool, int, float, complex) if isinstance(x, n))(x)
    if hasattr(x, "__jax_array__"):
        return raw(x.__jax_array__())
    raise TypeError(f"an array or a number is needed, not {kind.__name__}: {x!r}")


def _of_numpy(x, dtype=None):
    from ._backend import context
    x = np.asarray(x)
    if x.dtype == object or x.dtype.kind in "USM":
        raise TypeError(f"Value {x!r} with dtype {x.dtype} is not a valid JAX array type. Only "
                        "arrays of numeric types are supported by JAX.")
    name = _dtypes.narrowed(str(x.dtype if dtype is None else _dtypes.numpy_dtype(dtype)))
    if str(x.dtype) == name:
        return made_of(context(), x)
    wanted = _dtypes.numpy_dtype(_dtypes.named(name))
    if isinstance(wanted, np.dtype):
        return made_of(context(), x.astype(wanted))
    return made_of(context(), x.astype(np.float32)).astype(wanted)


def wrapped(x):
    """An array of the library as jax.Array; others as they are."""
    if type(x) is not Raw:
        return x
    made = _new(Array)
    made._x, made._put, made._like = x, None, ()
    return made


def wrapped_like(x, *operands):
    """The same of a result, whose sharding is said as that of an operand was if both agree."""
    made = wrapped(x)
    for y in operands:
        if type(y) is Array and y._like:
            made._like = likes(made._like + y._like)
    return made


def likes(given):
    """Shardings, each once."""
    return tuple(dict.fromkeys(given))


def as_array(x, dtype=None):
    """A jax.Array of a number, which is weak then, nested lists, or another library's array."""
    from ._backend import context
    dtype = _dtypes.named(dtype)
    kind = type(x)
    if kind is Array or kind is Key:
        same = dtype is None or x._x.dtype is dtype and not x.weak_type
        return x if same else wrapped(x._x.astype(dtype))
    if kind is Raw:
        x = wrapped(x)
        return as_array(x, dtype)
    if isinstance(x, (list, tuple)):
        x = _listed(x)
        if isinstance(x, np.ndarray) and x.dtype.kind in "iu" and x.size:
            _dtypes.check_range(x.min(), x.max(), dtype)
        return as_array(x, dtype)
    if isinstance(x, (np.ndarray, np.generic)):
        return wrapped(_of_numpy(x, dtype))
    if not isinstance(x, NUMBERS) and not hasattr(x, "__jax_array__"):
        if not hasattr(x, "__array__") and not hasattr(x, "__array_interface__"):
            raise TypeError(f"Argument {x!r} of type {kind} is not a valid JAX type")
        return wrapped(_of_numpy(np.asarray(x), dtype))
    if kind is int and dtype is None:
        _dtypes.check_range(x, x)
    return wrapped(made_of(context(), raw(x), dtype))


_numbers = {}


def argument(x):
    """A number, or NumPy's array, as the argument of a call; None of anything else. Numbers are
    kept: a loop calls with the same ones."""
    words = number(x)
    if words is None:
        return as_array(x) if isinstance(x, (np.ndarray, np.generic)) else None
    made = _numbers.get(words)
    if made is None or not made._x._level.alive:
        if len(_numbers) == 256:
            _numbers.clear()
        made = _numbers[words] = as_array(x)
    return made


def _listed(x):
    """Nested lists as an array; arrays in them that are traced are stacked."""
    leaves = _flat(x)
    if any(type(y) is Array for y in leaves):
        from .. import stack
        if not x:
            return np.zeros((0,), np.float32)
        return wrapped(stack([raw(y if type(y) is Array else as_array(y)) for y in x]))
    return np.asarray(x) if leaves else np.asarray(x, np.float32)


def _flat(x):
    return [z for y in x for z in _flat(y)] if isinstance(x, (list, tuple)) else [x]


def lifted(tree):
    """A tree whose leaves all are jax.Array."""
    return _tree.map(as_array, tree, is_leaf=is_array)


def is_array(x):
    """What ends a tree as JAX sees it."""
    return type(x) is Array or type(x) is Key


def raws(tree):
    """A tree whose leaves are the library's."""
    return _tree.map(lambda x: x._x, lifted(tree), is_leaf=is_array)


def wraps(tree):
    """A tree whose leaves are jax.Array, from one of the library's."""
    return _tree.map(wrapped, tree, is_leaf=is_array)


class Array:
    """An array, as jax.Array. It cannot be changed: x.at[2:4].set(0) gives another one."""

    # the library's array; the sharding that it was put under, as that was said; and how those of
    # what it was computed of were said
    __slots__ = ("_x", "_put", "_like", "__weakref__")
    __array_priority__ = 100

    def __init__(self, *_, **__):
        raise TypeError("jax.Array cannot be instantiated directly; use jnp.array()")

    # ---- what it is

    shape = property(lambda self: self._x.shape)
    ndim = property(lambda self: self._x.ndim)
    size = property(lambda self: self._x.size)
    nbytes = property(lambda self: self._x.nbytes)
    itemsize = property(lambda self: self._x.itemsize)
    weak_type = property(lambda self: bool(self._x.weak_type))
    dtype = property(lambda self: _dtypes.numpy_dtype(self._x.dtype))
    T = property(lambda self: wrapped(self._x.T))
    mT = property(lambda self: wrapped(self._x.mT))
    real = property(lambda self: wrapped(self._x.real))
    imag = property(lambda self: wrapped(self._x.imag))
    is_fully_replicated = property(lambda self: bool(self._x.is_fully_replicated))
    is_fully_addressable = property(lambda self: True)
    committed = property(lambda self: self._put is not None)

    @property
    def aval(self):
        """Its type: aval.str_short() is "float32[2,3]"."""
        from ._transform import ShapedArray
        return ShapedArray(self.shape, self.dtype, self.weak_type)

    @property
    def sharding(self):
        """Which device holds what."""
        from ._sharding import sharding_of
        return sharding_of(self)

    @property
    def addressable_shards(self):
        """Its parts, each with .device, .index, .replica_id and .data."""
        from ._sharding import shards_of
        return shards_of(self)

    global_shards = addressable_shards

    def addressable_data(self, index):
        """The part of one device."""
        return self.addressable_shards[index].data

    def devices(self):
        """The devices that hold it."""
        return self.sharding.device_set

    @property
    def device(self):
        """Its device, or its sharding over several."""
        found = self.devices()
        return next(iter(found)) if len(found) == 1 else self.sharding

    def __len__(self):
        return len(self._x)

    def __iter__(self):
        return (wrapped(y) for y in self._x)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        raise AttributeError(f"jax.Array on Tessera has no {name!r}; {near(name, dir(Array))}")

    # ---- reading

    @property
    def _value(self):
        self._known()
        return np.asarray(self._x)

    def _known(self):
        if not self._x._level.root:
            raise ConcretizationError(
                f"Attempted to use the value of a traced array, of type "
                f"{self.aval.str_short()}: it is known only when the program runs")

    def __array__(self, dtype=None, copy=None):
        self._known()
        value = np.asarray(self._x)
        return value if dtype is None else value.astype(dtype)

    def __jax_array__(self):
        return self._x

    def __dlpack__(self, **keywords):
        return self._x.__dlpack__(**keywords)

    def __dlpack_device__(self):
        return self._x.__dlpack_device__()

    def item(self, *args):
        """An element as a Python number."""
        return self._value.item(*args)

    def tolist(self):
        """All elements as nested lists."""
        return self._value.tolist()

    def tobytes(self, order="C"):
        """All elements, row-major."""
        return self._value.tobytes(order)

    def block_until_ready(self):
        """Waits until it is computed, and gives itself."""
        if self._x._level.root:
            self._x.block_until_ready()
        return self

    def copy_to_host_async(self):
        """Nothing: the host has it already."""

    def is_deleted(self):
        """Was it donated to a call?"""
        return self._x.is_deleted()

    def is_ready(self):
        """Is it computed?"""
        return True

    def _one(self, kind):
        if self.size != 1 and self._x._level.root and kind is bool:
            raise ValueError("The truth value of an array with more than one element is ambiguous."
                             " Use a.any() or a.all()")
        return kind(self._value if self.ndim == 0 else self._value.item())

    def __bool__(self):
        return self._one(bool)

    def __int__(self):
        return self._one(int)

    def __float__(self):
        return self._one(float)

    def __complex__(self):
        return self._one(complex)

    def __index__(self):
        return self._value.__index__()

    def __hash__(self):
        raise TypeError(f"unhashable type: {type(self)}")

    def __format__(self, spec):
        if self._x._level.root and self.ndim == 0:
            return format(self._value[()], spec)
        return format(str(self), spec)

    def __str__(self):
        return self._text(" ") if self._x._level.root else repr(self)

    def _text(self, separator, **options):
        value = self._value
        if self._x.dtype.kind == "V":  # as ml_dtypes prints bfloat16, whether it is there or not
            value = value.astype(np.float32).astype(object)
            options["formatter"] = {"object": lambda element: f"{element:g}"}
        elif separator == " " and not value.ndim:
            return str(value)
        return np.array2string(value, separator=separator, **options)

    def __repr__(self):
        if not self._x._level.alive:
            return "Array(of a body that has returned)"
        if not self._x._level.root:
            return f"JitTracer({'~' * self.weak_type}{self.aval.str_short()})"
        told = f"dtype={self.dtype.name}{', weak_type=True' * self.weak_type})"
        if not self.size:
            return f"Array([], shape={self.shape}, {told}"
        width = np.get_printoptions()["linewidth"]
        text = self._text(", ", prefix="Array(", suffix=",", max_line_width=width)
        last = len(text) - text.rfind("\n") + 1
        gap = " " if last + len(told) + 1 <= width else "\n" + " " * len("Array(")
        return f"Array({text},{gap}{told}"

    def __reduce__(self):
        return as_array, (self._value,)

    def __copy__(self):
        return self

    def __deepcopy__(self, _):
        return self

    # ---- indices

    def __getitem__(self, index):
        index = _in_range(_index(index), self.shape, lambda i, n: 0 if i < 0 else n - 1)
        return wrapped(self._x[index])

    def __setitem__(self, index, value):
        raise TypeError("JAX arrays are immutable and do not support in-place item assignment. "
                        "Instead of x[idx] = y, use x = x.at[idx].set(y) or another .at[] method")

    @property
    def at(self):
        """x.at[index].set(y) and its kin."""
        return _At(self)


_new = Array.__new__


class ConcretizationError(TypeError):
    """A value was asked for that is known only when the program runs."""


def _index(index):
    """An index as the library takes it."""
    if isinstance(index, tuple):
        return tuple(raw(as_array(i, None if i else "int32")) if isinstance(i, list) else _index(i)
                     for i in index)
    if isinstance(index, list):
        raise TypeError("Using a non-tuple sequence for multidimensional indexing is not allowed; "
                        "use `arr[array(seq)]` instead of `arr[seq]`")
    if isinstance(index, slice):
        parts = (index.start, index.stop, index.step)
        return slice(*(None if p is None else p.__index__() for p in parts))
    if isinstance(index, (bool, np.bool_)) or type(index) is Array or isinstance(index, np.ndarray):
        return raw(as_array(index))
    return index.__index__() if isinstance(index, np.integer) else index


def _in_range(index, shape, outside):
    """An index whose ints that are out of range are those that outside(int, size) gives."""
    if type(index) is int:
        size = shape[0] if shape else 0
        return outside(index, size) if size and not -size <= index < size else index
    if not isinstance(index, tuple) or not any(type(i) is int for i in index):
        return index
    entries = index
    widths = [0 if i is None or i is Ellipsis else
              i.ndim if type(i) is Raw and i.dtype.kind == "b" else 1 for i in entries]
    made, dim = [], 0
    for i, width in zip(entries, widths):
        size = shape[dim] if dim < len(shape) else 0
        made.append(outside(i, size) if type(i) is int and size and not -size <= i < size else i)
        dim += len(shape) - sum(widths) if i is Ellipsis else width
    return tuple(made)


class _At:
    def __init__(self, x):
        self.x = x

    def __getitem__(self, index):
        return _Place(self.x, index)


class _Place:
    """x.at[index]."""

    def __init__(self, x, index):
        # an array as index is what is dropped or filled where it is out of range
        index = _in_range(_index(index), x.shape, lambda i, n: raw(as_array(i, "int32")))
        self.place = x._x.at[index]

    def _do(self, how, value, keywords):
        known = ("mode", "indices_are_sorted", "unique_indices")
        for key in keywords:
            if key not in known:
                raise TypeError(f"x.at[].{how}() on Tessera has no keyword {key!r}; "
                                f"{near(key, known)}")
        return wrapped(getattr(self.place, how)(raw(value), **keywords))

    def get(self, *, mode=None, fill_value=None, indices_are_sorted=False, unique_indices=False):
        """The elements there."""
        return wrapped(self.place.get(mode=mode, fill_value=fill_value))

    def apply(self, func, **keywords):
        """x with a function of these elements."""
        return wrapped(self.place.apply(lambda y: raw(func(wrapped(y))), **keywords))

    def __getattr__(self, how):
        if how not in ("set", "add", "subtract", "multiply", "mul", "divide", "power", "min",
                       "max"):
            raise AttributeError(f"x.at[] on Tessera has no {how!r}; "
                                 f"{near(how, ['set', 'add', 'multiply', 'divide', 'get'])}")
        return lambda value, **keywords: self._do(how, value, keywords)


class Key:
    """A key, or an array of keys, of jax.random.key(): two words each."""

    __slots__ = ("_x", "__weakref__")
    _put, _like = None, ()
    shape = property(lambda self: self._x.shape[:-1])
    ndim = property(lambda self: self._x.ndim - 1)
    size = property(lambda self: self._x.size // 2)
    dtype = property(lambda self: "key<fry>")

    def __init__(self, x):
        self._x = x

    def __len__(self):
        return self.shape[0]

    def __iter__(self):
        return (self[k] for k in range(len(self)))

    def __getitem__(self, index):
        index = index if isinstance(index, tuple) else (index,)
        rest = (slice(None),) if Ellipsis in index else ()
        return Key(self._x[(*_index(index), *rest)])

    def reshape(self, *shape):
        """The same keys with other dims."""
        shape = shape[0] if len(shape) == 1 and isinstance(shape[0], (tuple, list)) else shape
        return Key(self._x.reshape((*shape, 2)))

    @property
    def sharding(self):
        """Which device holds what."""
        return wrapped(self._x).sharding

    def block_until_ready(self):
        """Gives itself."""
        return self

    def __repr__(self):
        words = str(np.asarray(self._x)) if self._x._level.root else "a traced value"
        return f"Array({self.shape}, dtype=key<fry>) overlaying:\n{words}"


_tree.register_wrapper(Array, lambda x: x._x, wrapped)
_tree.register_wrapper(Key, lambda x: x._x, lambda x: Key(x) if type(x) is Raw else x)
Array.__name__ = Array.__qualname__ = "ArrayImpl"
