"""_array.py - Array: a handle that a Python object owns, with operators and readers."""
import ctypes
import struct
import sys
from threading import get_ident

from . import _dtype
from ._lib import lib, quick

__all__ = ["Array"]

ONE, BOOL, INT, UINT, FLOAT, COMPLEX = 1, 3, 4, 5, 6, 7  # enum tsr_kind
_pair = struct.Struct("<qq16xqq16x").pack_into
_int = struct.Struct("<qq16x").pack
_float = struct.Struct("<qd16x").pack
_complex = struct.Struct("<qdd8x").pack
_uint = struct.Struct("<qQ16x").pack


def number(x):
    """A Python number as the bytes of a tsr_arg; None of anything else."""
    kind = type(x)
    if kind is float:
        return _float(FLOAT, x)
    if kind is bool:
        return _int(BOOL, x)
    if kind is int:
        if -1 << 63 <= x < 1 << 63:
            return _int(INT, x)
        if 0 <= x < 1 << 64:
            return _uint(UINT, x)
        raise OverflowError(f"{x} needs more than 64 bits")
    if kind is complex:
        return _complex(COMPLEX, x.real, x.imag)
    return None


def wrap(c, handle):
    """A handle that a call gave, as an Array; raises the error of the call."""
    if handle == c.poison:
        c.fail()
    level = c.level
    if level.root:
        if handle in c.live:
            handle = twin(c, handle)
        c.live.add(handle)
    made = _new(Array)
    made._h, made._ctx, made._level = handle, c, level
    return made


def twin(c, handle):
    """Another handle to the same value: a call may give what it was given, such as a reshape to the
    same dims, and each Array drops a handle of its own."""
    slot = ctypes.c_void_p()
    if not lib.tsr_set_at(c.place(), ctypes.addressof(slot), handle):
        c.fail()
    return slot.value


def _operator(name, swapped=False):
    function = getattr(lib, f"tsr_{name}_at")

    def of_arrays(self, other):
        c = self._ctx
        if type(other) is Array:
            if other._ctx is not c:
                c.handle(other)
            if c.trace is not None:
                c.trace.used(self, other)
            if swapped:
                _pair(c.pair, 0, ONE, other._h, ONE, self._h)
            else:
                _pair(c.pair, 0, ONE, self._h, ONE, other._h)
        else:
            words = number(other)
            if words is None:
                if not c.can_be(other):
                    return NotImplemented
                other = c.handle(other)
                words = _int(ONE, other._h)
            if c.trace is not None:
                c.trace.used(self)
            if swapped:
                c.pair[:32], c.pair[32:64] = words, _int(ONE, self._h)
            else:
                c.pair[:32], c.pair[32:64] = _int(ONE, self._h), words
        level = c.level
        if not level.root or c.cancelled:
            return wrap(c, function(c.place(), c.pair_at))
        handle = function(None, c.pair_at)
        if handle == c.poison:
            c.fail()
        if handle in c.live:
            handle = twin(c, handle)
        c.live.add(handle)
        made = _new(Array)
        made._h, made._ctx, made._level = handle, c, level
        return made

    of_arrays.__name__ = name
    return of_arrays


def _unary(name):
    function = getattr(lib, f"tsr_{name}_at")

    def of_array(self):
        return self._ctx.array(function(self._ctx.place(), self._ctx.handle(self)._h))

    of_array.__name__ = name
    return of_array


class Array:
    """An array, or in the body of a function the value that it will have. It cannot be changed:
    x.at[2:4].set(0) gives another one. Made by array(), zeros() and the like."""

    __slots__ = ("_h", "_ctx", "_level", "_dims", "__weakref__")
    __array_priority__ = 100

    def __init__(self, *_):
        raise TypeError("arrays are made by array(), zeros(), arange() and the like")

    def __del__(self):
        level = getattr(self, "_level", None)
        if level is None or not level.root or not level.alive:
            return
        c = self._ctx
        if c.quiet or get_ident() != c.thread:
            c.pending.append(self._h)
            return
        c.live.discard(self._h)
        c.slot.value = self._h
        quick.tsr_drop(c.slot_at)
        if c.pending:
            c.drain()

    # ---- what it is

    @property
    def shape(self):
        """Its sizes."""
        try:
            return self._dims
        except AttributeError:
            handle = self._live()
            dims = tuple(quick.tsr_dim_at(None, handle, k)
                         for k in range(quick.tsr_ndim(handle)))
            if not dims:
                self._ctx.check()
            self._dims = dims
            return dims

    def _live(self):
        if not self._level.alive:
            raise RuntimeError("an array of a body that has returned, or of a context that was "
                               "closed")
        return self._h

    @property
    def ndim(self):
        """How many dims."""
        return quick.tsr_ndim(self._live()) or self._none()

    @property
    def size(self):
        """How many elements."""
        return quick.tsr_size(self._live()) or self._none()

    @property
    def nbytes(self):
        """Bytes of all elements."""
        return quick.tsr_nbytes(self._live()) or self._none()

    @property
    def dtype(self):
        """Type of the elements."""
        return _dtype.ALL[quick.tsr_dtype_of(self._live()) or self._none()]

    def _none(self):
        """0, unless it was an error that gave it: of an array that was donated, say."""
        self._ctx.check()
        return 0

    def is_deleted(self):
        """Was it donated to a call?"""
        if quick.tsr_dtype_of(self._live()):
            return False
        lib.tsr_clear(self._ctx.pointer)
        return True

    @property
    def itemsize(self):
        """Bytes of an element."""
        return self.dtype.itemsize

    @property
    def weak_type(self):
        """Whether it takes the dtype of the other operand."""
        return quick.tsr_is_weak(self._live())

    @property
    def type_text(self):
        """As program text has it, "f32[2,8]{x}"."""
        return self._ctx.text(lib.tsr_type_text, self._live())

    def varying(self, axis_name):
        """In a body: may it differ along this axis?"""
        known = lib.tsr_varying_at(None, self._live(), axis_name.encode())
        self._ctx.check()
        return known

    @property
    def T(self):
        """The dims in reverse order."""
        return self._ctx.array(lib.tsr_t_at(self._ctx.place(), self._ctx.handle(self)._h))

    @property
    def mT(self):
        """The last two dims exchanged."""
        c = self._ctx
        return c.array(lib.tsr_swapaxes_at(c.place(), c.handle(self)._h, -2, -1))

    def __len__(self):
        if not self.shape:
            raise TypeError("len() of an array without dims")
        return self.shape[0]

    def __iter__(self):
        if not self.shape:
            raise TypeError("an array without dims has no elements to go through")
        return (self[k] for k in range(self.shape[0]))

    # ---- operators

    __add__, __radd__ = _operator("add"), _operator("add", True)
    __sub__, __rsub__ = _operator("sub"), _operator("sub", True)
    __mul__, __rmul__ = _operator("mul"), _operator("mul", True)
    __truediv__, __rtruediv__ = _operator("div"), _operator("div", True)
    __pow__, __rpow__ = _operator("pow"), _operator("pow", True)
    __and__, __rand__ = _operator("bitwise_and"), _operator("bitwise_and", True)
    __or__, __ror__ = _operator("bitwise_or"), _operator("bitwise_or", True)
    __xor__, __rxor__ = _operator("bitwise_xor"), _operator("bitwise_xor", True)
    __lshift__, __rlshift__ = _operator("shift_left"), _operator("shift_left", True)
    __rshift__, __rrshift__ = _operator("shift_right"), _operator("shift_right", True)
    __eq__, __ne__ = _operator("eq"), _operator("ne")
    __lt__, __le__ = _operator("lt"), _operator("le")
    __gt__, __ge__ = _operator("gt"), _operator("ge")
    __neg__, __abs__ = _unary("neg"), _unary("abs")
    __invert__ = _unary("bitwise_not")
    __hash__ = None

    def __pos__(self):
        return self

    def __floordiv__(self, other):
        return self._public("floor_divide", self, other)

    def __rfloordiv__(self, other):
        return self._public("floor_divide", other, self)

    def __mod__(self, other):
        return self._public("remainder", self, other)

    def __rmod__(self, other):
        return self._public("remainder", other, self)

    def __divmod__(self, other):
        return self // other, self % other

    def __rdivmod__(self, other):
        return other // self, other % self

    def __matmul__(self, other):
        return self._public("matmul", self, other)

    def __rmatmul__(self, other):
        return self._public("matmul", other, self)

    def __round__(self, digits=None):
        return self._public("round", self, decimals=digits or 0)

    def _public(self, name, *args, **keywords):
        other = next((a for a in args if a is not self), None)
        if other is not None and number(other) is None and not self._ctx.can_be(other):
            return NotImplemented
        return getattr(sys.modules[__package__], name)(*args, **keywords)

    def __getitem__(self, index):
        return _index.get(self, index)

    def __setitem__(self, index, value):
        raise TypeError("arrays do not change: x = x.at[index].set(value)")

    @property
    def at(self):
        """x.at[index].set(y), .add(y), .multiply(y), .min(y), .max(y), .get(): another array."""
        return _index.At(self)

    # ---- reading

    def tobytes(self):
        """All elements, row-major."""
        out = ctypes.create_string_buffer(max(self.nbytes, 1))
        self._read(out, None)
        return out.raw[:self.nbytes]

    def _read(self, out, as_dtype):
        c, handle = self._ctx, self._live()
        where, address = c.place(), ctypes.addressof(out)
        args = None
        if as_dtype is not None:
            args = c.record("tsr_read_args", dtype=as_dtype)
        if not lib.tsr_read_into_at(where, handle, 0, address, args):
            c.fail()

    def item(self):
        """The one element, as a Python number."""
        if self.size != 1:
            raise ValueError(f"item() of {self.size} elements")
        value = self.tolist()
        while isinstance(value, list):
            value = value[0]
        return value

    def tolist(self):
        """All elements as nested lists of Python numbers."""
        dtype, wide = self.dtype, None
        if dtype.short in ("f16", "bf16"):
            wide = _dtype.float32
        format_, kind = _FORMATS[(wide or dtype).short]
        out = ctypes.create_string_buffer(max(self.size, 1) * (wide or dtype).itemsize)
        self._read(out, wide)
        each = kind(struct.unpack_from(f"={self.size * (2 if dtype.kind == 'c' else 1)}{format_}",
                                       out))
        return _nested(each, self.shape)

    def __bool__(self):
        if self.size != 1:
            raise ValueError("the truth of an array of several elements: use any() or all()")
        return bool(self.item())

    def __int__(self):
        return int(self.item())

    def __float__(self):
        return float(self.item())

    def __complex__(self):
        return complex(self.item())

    def __index__(self):
        if self.dtype.kind not in "iu" or self.ndim:
            raise TypeError("only whole numbers without dims are indices")
        return self.item()

    def __str__(self):
        if not self._level.alive:
            return "Array(its body has returned, or its context was closed)"
        return self._ctx.text(lib.tsr_text_at, None, self._h, None)

    def __repr__(self):
        text = str(self)
        if not self._level.alive or not self._level.root:
            return f"Traced<{text}>" if self._level.alive else text
        return f"Array({text.replace(chr(10), chr(10) + ' ' * 6)}, dtype={self.dtype.name})"

    def __format__(self, spec):
        return format(self.item(), spec) if spec else str(self)

    def __reduce__(self):
        return _restored, (self.tobytes(), self.dtype.name, self.shape)

    def __copy__(self):
        return self

    def __deepcopy__(self, _):
        return self

    def block_until_ready(self):
        """Waits until it is computed, and gives itself."""
        if not lib.tsr_wait_at(None, self._live()):
            self._ctx.fail()
        return self

    # ---- to other libraries

    def __array__(self, dtype=None, copy=None):
        import numpy
        own = self.dtype
        if own.kind == "V":
            try:
                wanted = own.numpy()
            except ImportError:  # without ml_dtypes
                return self.astype("float32").__array__(dtype or numpy.float32, copy)
        else:
            wanted = own.numpy()
        view = None if copy or not self._level.root else self._borrowed()
        if view is not None:
            made = numpy.frombuffer(view, wanted).reshape(self.shape)
        else:
            made = numpy.empty(self.shape, wanted)
            c = self._ctx
            if not lib.tsr_read_at(c.place(), self._live(), 0, made.ctypes.data, made.nbytes):
                c.fail()
        return made if dtype is None or made.dtype == dtype else made.astype(dtype)

    def _borrowed(self):
        """A read-only view of the elements in memory, which keeps the array; None where they are
        in parts, or not row-major."""
        if not self.size or not quick.tsr_is_fully_replicated(self._live()):
            return None
        strides = (ctypes.c_int64 * 8)()
        address = lib.tsr_shard_borrow_at(None, self._h, 0, ctypes.addressof(strides))
        if not address:
            lib.tsr_clear(self._ctx.pointer)
            return None
        step = self.dtype.itemsize
        for k in range(self.ndim - 1, -1, -1):
            if self.shape[k] != 1 and strides[k] != step:
                return None
            step *= self.shape[k]
        memory = (ctypes.c_char * self.nbytes).from_address(address)
        memory.owner = self
        return memoryview(memory).cast("B").toreadonly()

    def __buffer__(self, flags):
        own = self.dtype
        if own.kind == "V" or own.kind == "c":
            raise BufferError(f"no buffer format for {own.name}")
        view = self._borrowed()
        if view is None:
            view = memoryview(self.tobytes())
        form = _BUFFERS[own.short]
        return view.cast(form, self.shape) if self.ndim else view.cast(form)

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        return _dlpack.capsule(self, max_version)

    def __dlpack_device__(self):
        return (1, 0)

    # ---- placing

    @property
    def sharding(self):
        """Where it is; None in a body."""
        return _mesh.sharding_of(self)

    @property
    def is_fully_replicated(self):
        """Does every device of its sharding hold all of it?"""
        return quick.tsr_is_fully_replicated(self._live())

    @property
    def addressable_shards(self):
        """Its shards, each with .device, .index, .replica_id and .data."""
        return _mesh.shards_of(self)

    def devices(self):
        """The devices that hold it."""
        return {shard.device for shard in self.addressable_shards}


def _nested(each, shape):
    if not shape:
        return each[0]
    step = len(each) // shape[0] if shape[0] else 0
    return [_nested(each[k * step:(k + 1) * step], shape[1:]) for k in range(shape[0])]


def _pairs(each):
    return [complex(a, b) for a, b in zip(each[::2], each[1::2])]


def _restored(data, dtype, shape):
    return _call.from_bytes(_call.context_of(), data, _dtype.find(dtype), shape)


_FORMATS = {"bool": ("?", list), "i8": ("b", list), "i16": ("h", list), "i32": ("i", list),
            "i64": ("q", list), "u8": ("B", list), "u16": ("H", list), "u32": ("I", list),
            "u64": ("Q", list), "f32": ("f", list), "f64": ("d", list), "c64": ("f", _pairs),
            "c128": ("d", _pairs)}
_BUFFERS = {short: format_ for short, (format_, kind) in _FORMATS.items() if kind is list}
_BUFFERS.update({"i64": "l", "u64": "L", "f16": "e"})
_new = Array.__new__

from . import _call, _dlpack, _index, _mesh  # noqa: E402
