"""_call.py - converts Python values to arguments of the library, and its results back.

c is a context: c.handle(x) is x as an Array, c.operand(2.5) a tsr_arg, c.record("tsr_sum_args",
dims=0) the address of a record of keywords or None, c.array(h) the Array of a result. What these
make lives until the call has returned: the caller has it in a variable, or the record itself."""
import array as _memory
import contextlib
import ctypes
import operator
import struct

from . import _dtype
from ._array import Array, number, twin, wrap
from ._lib import RECORDS, lib, quick, record, value

_arg = struct.Struct("<qq16x").pack
_ARG, _DIMS, _SPEC, _TREE = (record(f"tsr_{n}") for n in ("arg", "dims", "spec", "tree"))
_none = _ARG()
_pack_pair = struct.Struct("<qq16xqq16x").pack_into
_pack_three = struct.Struct("<32s32s32s").pack_into


def context_of(*operands):
    """The context of the first array among these; otherwise the one in use."""
    for x in operands:
        if type(x) is Array:
            return x._ctx
        if type(x) in (list, tuple):
            for y in x:
                if type(y) is Array:
                    return y._ctx
    return current()


def current():
    from . import _context
    return _context.current()


# ---- values that are no arrays

_dims_made = {}


def dims(given):
    """Sizes or dim numbers: None, one number, or several."""
    if type(given) is not tuple:
        if given is None:
            return _DIMS()
        given = (given,) if isinstance(given, int) else tuple(_whole(d) for d in given) \
            if hasattr(given, "__iter__") else (_whole(given),)
    made = _dims_made.get(given)
    if made is None:
        if len(given) > 8:
            raise ValueError(f"at most 8 dims can be named, not {len(given)}")
        made = _DIMS()
        made.d[0] = 1 + len(given)
        for k, d in enumerate(given):
            d = made.d[1 + k] = _whole(d)
            if made.d[1 + k] != d:
                raise OverflowError(f"a size of {d} needs more than 64 bits")
        if len(_dims_made) < 4096:
            _dims_made[given] = made
    return made


def _whole(x):
    return x if type(x) is int else operator.index(x)


def sizes_of(made):
    """A tsr_dims as a tuple; None where it is not given."""
    return tuple(made.d[1:made.d[0]]) if made.d[0] else None


def text(given):
    """A text of C, or None."""
    return None if given is None else given if isinstance(given, bytes) else str(given).encode()


def axes(given):
    """Axis names: "x", ("x", "y") or "x*y"."""
    if isinstance(given, (tuple, list)):
        given = "*".join(given)
    return text(given)


def code(given):
    """The number of a dtype."""
    return _dtype.code(given)


def enum(name, given):
    """The number of an enum's value."""
    return value(name, given)


def pointer(given):
    """What a mesh, sharding or optimiser is in C."""
    return None if given is None else given._pointer


def spec(given):
    """A spec: P("x", None), or the like."""
    if given is None:
        return _SPEC()
    if isinstance(given, _SPEC):
        return given
    entries = (given,) if isinstance(given, str) else tuple(given)
    made = _SPEC()
    if len(entries) > 8:
        raise ValueError("a spec has at most 8 entries")
    made.n1 = 1 + len(entries)
    for k, entry in enumerate(entries):
        made.d[1 + k] = axes(entry) if entry else None
    return made


def pairs(given):
    """A permutation over an axis: pairs of (source, destination), or a number to shift by."""
    made = record("tsr_perm")()
    if isinstance(given, int):
        made.shift = given
        return made
    flat = [int(k) for pair in given for k in pair]
    made.list = (ctypes.c_int * len(flat))(*flat)
    made.count, made.pairs = len(flat) // 2, ctypes.addressof(made.list)
    return made


def places(count):
    """Room for the handles of so many results."""
    return (ctypes.c_void_p * count)()


def listed(given):
    """A list of pointers, of optimisers or fns."""
    return (ctypes.c_void_p * max(len(given), 1))(*(x._pointer for x in given))


def words(c, x):
    """The bytes of a tsr_arg, and what has to live with it."""
    if type(x) is Array:
        if x._ctx is not c:
            c.handle(x)
        if c.trace is not None:
            c.trace.used(x)
        return _arg(1, x._h), x
    plain = number(x)
    if plain is not None:
        return plain, None
    x = c.handle(x)
    return _arg(1, x._h), x


def operands2(function, a, b):
    """A function of two operands."""
    c = context_of(a, b)
    if type(a) is Array and type(b) is Array and c.trace is None and a._ctx is b._ctx:
        _pack_pair(c.pair, 0, 1, a._h, 1, b._h)
    else:
        x, a = words(c, a)
        y, b = words(c, b)
        if a is None and b is None:
            a = c.handle(_number(x))
            x = _arg(1, a._h)
        c.pair[:32], c.pair[32:64] = x, y
    return wrap(c, function(c.place(), c.pair_at))


def operands3(function, a, b, d):
    """A function of three operands."""
    c = context_of(a, b, d)
    (x, a), (y, b), (z, d) = words(c, a), words(c, b), words(c, d)
    if a is None and b is None and d is None:
        d = c.handle(_number(z))
        z = _arg(1, d._h)
    _pack_three(c.pair, 0, x, y, z)
    return wrap(c, function(c.place(), c.pair_at))


def _number(plain):
    """The number that words() has made bytes of."""
    kind = plain[0]
    form = {3: "<8xq", 4: "<8xq", 5: "<8xQ", 6: "<8xd", 7: "<8xdd"}[kind]
    got = struct.unpack_from(form, plain)
    return bool(got[0]) if kind == 3 else complex(*got) if kind == 7 else got[0]


# ---- keyword records

def _given_groups(c, given):
    made = record("tsr_groups")()
    flat = [int(k) for group in given for k in group]
    many = [len(group) for group in given]
    made.list = (ctypes.c_int * max(len(flat), 1))(*flat)
    made.member, made.count = ctypes.addressof(made.list), len(given)
    if len(set(many)) <= 1:
        made.size = many[0] if many else 0
    else:
        made.many = (ctypes.c_size_t * len(many))(*many)
        made.sizes = ctypes.addressof(made.many)
    return made


def _handle(c, given):
    return c.handle(given)


def _list_of(kind):
    def made(c, given):
        return (kind * max(len(given), 1))(*given)
    return made


def _texts(c, given):
    return (ctypes.c_char_p * max(len(given), 1))(*(text(g) for g in given))


def _names(c, given):
    made = record("tsr_names")()
    made.list = _texts(c, given)
    made.count, made.name = len(given), ctypes.addressof(made.list)
    return made


_LISTS = {"const int64_t *": _list_of(ctypes.c_int64), "const int *": _list_of(ctypes.c_int),
          "const bool *": _list_of(ctypes.c_bool), "const size_t *": _list_of(ctypes.c_size_t),
          "const char *const*": _texts}
_CONVERTED = {"tsr_dims": lambda c, x: dims(x), "tsr_arg": lambda c, x: c.operand(x),
              "tsr_dtype": lambda c, x: code(x), "const char *": lambda c, x: axes(x),
              "tsr_groups": _given_groups, "tsr_names": _names,
              "tsr_spec": lambda c, x: spec(x), "const tsr_mesh *": lambda c, x: x._pointer,
              "const tsr_sharding *": lambda c, x: x._pointer,
              "bool": lambda c, x: bool(x), "double": lambda c, x: float(x)}
_fields = {}


def _fields_of(name):
    """field: (converter or None, C type)"""
    known = _fields.get(name)
    if known is None:
        known = _fields[name] = {
            field.lstrip("*"): (_CONVERTED.get(of), of) for field, _, _, of in RECORDS[name]}
    return known


class Calls:
    """What a context converts; Context has it."""

    def can_be(self, x):
        """Can it be an array?"""
        return isinstance(x, (list, tuple, int, float, complex, Array)) or \
            hasattr(x, "__array__") or hasattr(x, "__jax_array__")

    def handle(self, x, *absent):
        """x as an Array of this context."""
        if type(x) is Array:
            if self.trace is not None:
                self.trace.used(x)
            if not x._level.alive:
                x._live()
            if x._ctx is not self:
                self.foreign()
            return x
        if x is None and absent:
            return _ABSENT
        return made_of(self, x)

    def foreign(self):
        """Raises the error of an array of another context."""
        self.place()  # is this one open?
        from ._context import Error
        raise Error("an array belongs to another context: only values of one context can be used "
                    "together", Error.ERROR_HANDLE)

    def handles(self, many):
        """A list of handles in memory."""
        many = [self.handle(x) for x in many]
        made = (ctypes.c_void_p * max(len(many), 1))(*(x._h for x in many))
        return _Counted.of(made, many)

    def operand(self, x):
        """x as a tsr_arg."""
        if x is None:
            return _none
        plain, keep = words(self, x)
        made = _ARG.from_buffer_copy(plain)
        made.keep = keep
        return made

    def operands(self, many):
        """A list of tsr_arg in memory."""
        many = [self.operand(x) for x in many]
        return _Counted.of((_ARG * max(len(many), 1))(*many), many)

    def rate(self, x):
        """A rate of an optimiser: a number or a schedule."""
        made = record("tsr_rate")()
        if isinstance(x, (int, float)):
            made.value = x
        else:
            made.schedule = x._pointer
        return made

    def record(self, name, **given):
        """A record of keywords; None where none is given."""
        made = None
        for field, x in given.items():
            if x is None:
                continue
            if made is None:
                kind = record(name)
                made = kind(size=ctypes.sizeof(kind))
                made.keep_, made.places_ = [], {}
            field = field[:-1] if field.endswith("_") else field
            self._set(name, made, field, x)
        return None if made is None else _Address(made)

    def _set(self, name, made, field, x):
        converter, of = _fields_of(name)[field]
        if of == "tsr *":
            x = self.handle(x)
            made.keep_.append(x)
            x = x._h
        elif of == "tsr **":
            if not x:
                return
            made.places_[field] = place = ctypes.c_void_p()
            x = ctypes.addressof(place)
        elif of in _LISTS:
            x = _LISTS[of](self, x)
            made.keep_.append(x)
            for count in (field + "_count", field.rstrip("s") + "_count"):
                if hasattr(made, count):
                    setattr(made, count, len(x))
            x = ctypes.addressof(x)
        elif converter:
            x = converter(self, x)
            made.keep_.append(x)
        elif of.startswith("tsr_") or of in ("index_mode",):
            x = value(of, x)
        setattr(made, field, x)

    # ---- results

    def array(self, handle):
        """The array of a result."""
        return wrap(self, handle)

    def scoped(self, function, *args):
        """The array of a call whose function makes other handles on the way, which are dropped."""
        if not self.level.root:
            return wrap(self, function(*args))
        scope = quick.tsr_scope_open(self.pointer)
        handle = quick.tsr_keep(function(*args))
        lib.tsr_scope_close(scope)
        return wrap(self, handle)

    @contextlib.contextmanager
    def scope(self):
        """The same of calls with several results: keep(handles) is called with them inside."""
        if not self.level.root:
            yield lambda handles: None
            return
        scope = quick.tsr_scope_open(self.pointer)
        try:
            yield lambda handles: [quick.tsr_keep(h) for h in handles if h]
        finally:
            lib.tsr_scope_close(scope)

    def arrays(self, made):
        """The arrays of several results."""
        return [wrap(self, handle) for handle in made]

    def and_more(self, handle, args, *places):
        """The array of a result, and with it those whose places were asked for by keywords."""
        y = wrap(self, handle)
        asked = args.record.places_ if args is not None else {}
        return (y, *(wrap(self, asked[p].value) for p in places if p in asked)) if asked else y

    def done(self, ok=True):
        """A call that gives whether it worked."""
        if ok is False or quick.tsr_status(self.pointer):
            self.check()
        return ok

    def number(self, x):
        """A number, which has no value of its own for an error."""
        self.check()
        return x

    def text(self, function, *args):
        """The text that a call gives, which lives as long as a scope."""
        scope = quick.tsr_scope_open(self.pointer)
        told = function(*args)
        quick.tsr_scope_close(scope)
        self.check()
        return told.decode()

    def sizes(self, x):
        """Sizes."""
        self.check()
        return sizes_of(x)

    def sharding(self, at):
        """A sharding."""
        from . import _mesh
        self.check()
        return _mesh.of_pointer(self, at)

    def fn(self, at):
        """A fn that the library has made, as a function of arrays."""
        from . import _program
        self.check()
        return _program.Program(self, at)

    def optimizer(self, at):
        """An optimiser."""
        from . import _optim
        self.check()
        return _optim.Optimizer(self, at)


class _Absent:
    _h = None


_ABSENT = _Absent()


class _Address:
    """A record, as the parameter of a call."""

    __slots__ = ("record", "_as_parameter_")

    def __init__(self, made):
        self.record = made
        self._as_parameter_ = ctypes.addressof(made)


class _Counted:
    """A list in memory, as the parameter of a call."""

    __slots__ = ("made", "many", "_as_parameter_")

    @classmethod
    def of(cls, made, many):
        self = cls()
        self.made, self.many, self._as_parameter_ = made, many, ctypes.addressof(made)
        return self

    def __len__(self):
        return len(self.many)


# ---- arrays of numbers, lists and other libraries' arrays

_MEMORY = {"i32": "i", "i64": "q", "f32": "f", "f64": "d", "bool": "B", "u64": "Q"}


def default_dtype(c, kind):
    """The dtype of Python numbers of a kind: b, i, f, c."""
    if c.wide is None:
        shape = dims(())
        handle = lib.tsr_zeros_at(None, c.pointer, shape, None)
        c.wide = _dtype.ALL[quick.tsr_dtype_of(handle)].itemsize == 8
    short = {"b": "bool", "i": "i64" if c.wide else "i32", "f": "f64" if c.wide else "f32",
             "c": "c128" if c.wide else "c64"}[kind]
    return _dtype.find(short)


def made_of(c, x, dtype=None):
    """An array of a number (weak, without a dtype), nested lists, or another library's array."""
    dtype = None if dtype is None else _dtype.find(dtype)
    if type(x) is Array:
        return x if dtype is None or x.dtype is dtype else \
            wrap(c, lib.tsr_astype_at(c.place(), c.handle(x)._h, dtype.code))
    if number(x) is not None:
        return of_number(c, x, dtype)
    if isinstance(x, (list, tuple)):
        return of_list(c, x, dtype)
    if hasattr(x, "__jax_array__"):
        return made_of(c, x.__jax_array__(), dtype)
    if hasattr(x, "__array__"):
        return of_numpy(c, x, dtype)
    if hasattr(x, "__dlpack__"):
        from . import _dlpack
        return made_of(c, _dlpack.from_dlpack(x, c), dtype)
    try:
        view = memoryview(x)
    except TypeError:
        raise TypeError(f"{type(x).__name__} is no array") from None
    return of_list(c, view.tolist(), dtype)


def _fits(x, dtype):
    """Raises an error if a whole number has no place in an integer dtype."""
    if dtype is not None and dtype.kind in "iu" and type(x) is int:
        bits = 8 * dtype.itemsize - (dtype.kind == "i")
        if not (-(1 << bits) if dtype.kind == "i" else 0) <= x < 1 << bits:
            raise OverflowError(f"{x} does not fit {dtype.name}")


def of_number(c, x, dtype=None):
    """A number; weak if there is no dtype."""
    _fits(x, dtype)
    if dtype is not None:
        args = c.record("tsr_new_args", dtype=dtype)
        return c.scoped(lib.tsr_scalar_at, c.place(), c.pointer, c.operand(x), args)
    if c.true is None or not c.level.root:
        made = c.scoped(lib.tsr_scalar_at, c.place(), c.pointer, c.operand(True), None)
        if not c.level.root:
            return _weak(c, made, x)
        c.true = made
    return _weak(c, c.true, x)


def _weak(c, true, x):
    plain = number(x)
    _pack_three(c.pair, 0, _arg(1, true._h), plain, plain)
    return wrap(c, lib.tsr_where_at(c.place(), c.pair_at))


def _flat(x, depth, out):
    """The leaves of nested lists, and their shape; None where there is another array inside."""
    if isinstance(x, (list, tuple)):
        shapes = {_flat(y, depth + 1, out) for y in x}
        if None in shapes:
            return None
        if len(shapes) > 1:
            raise ValueError("the rows of a list have different lengths")
        return (len(x), *(shapes.pop() if shapes else ()))
    if number(x) is None:
        return None
    out.append(x)
    return ()


def of_list(c, x, dtype=None):
    """Nested lists of numbers, with arrays among them perhaps."""
    leaves = []
    shape = _flat(x, 0, leaves)
    if shape is None:
        rows = c.handles([made_of(c, y) for y in x])
        made = wrap(c, lib.tsr_stack_at(c.place(), 0, rows, len(rows)))
        return made if dtype is None else made_of(c, made, dtype)
    kinds = {type(y) for y in leaves}
    if int in kinds and dtype is not None and dtype.kind in "iu":
        whole = [y for y in leaves if type(y) is int]
        _fits(min(whole), dtype)
        _fits(max(whole), dtype)
    kind = "c" if complex in kinds else "f" if float in kinds or not kinds else \
        "i" if int in kinds else "b"
    own = default_dtype(c, kind)
    if kind == "i" and not all(-1 << 31 <= y < 1 << 31 for y in leaves):
        own = _dtype.find("i64" if all(-1 << 63 <= y < 1 << 63 for y in leaves) else "u64")
    if kind == "c":
        leaves = [part for y in leaves for part in (complex(y).real, complex(y).imag)]
    letter = "d" if own.short in ("c128", "f64") else "f" if kind in "fc" else _MEMORY[own.short]
    made = from_bytes(c, _memory.array(letter, leaves).tobytes(), own, shape)
    return made if dtype is None else made_of(c, made, dtype)


def of_numpy(c, x, dtype=None):
    """NumPy's array, or what can be one."""
    import numpy
    x = numpy.ascontiguousarray(x) if getattr(x, "ndim", 1) else numpy.asarray(x)
    if x.dtype == object:
        return of_list(c, x.tolist(), dtype)
    own = _dtype.find(x.dtype)
    if x.dtype.byteorder == ">":
        x = x.astype(x.dtype.newbyteorder("="))
    return made_of(c, from_bytes(c, x, own, x.shape), dtype)


def from_bytes(c, data, dtype, shape):
    """An array of a copy of row-major data. In a body it is a constant of the function: the same
    one each time that the body is traced."""
    key = None
    if c.trace is not None:
        data = data if isinstance(data, bytes) else data.tobytes()
        key = (dtype.code, tuple(shape), data)
        known = c.trace.constants.get(key)
        if known is not None:
            return known
    if isinstance(data, bytes):
        keep, at = data, ctypes.cast(data, ctypes.c_void_p).value
    else:
        keep, at = data, data.ctypes.data
    made = wrap(c, lib.tsr_from_at(c.place(), c.pointer, 0, at, dtype.code, dims(tuple(shape))))
    del keep
    if key is not None:
        made = owned(c, made) if not c.level.root else made
        c.trace.constants[key] = made
    return made


def owned(c, x):
    """An Array whose handle no scope ends."""
    return adopted(c, twin(c, x._h))


def adopted(c, handle):
    """An Array that owns a handle which no scope ends, also in a body."""
    if handle == c.poison:
        c.fail()
    made = Array.__new__(Array)
    made._h, made._ctx, made._level = handle, c, c.root
    c.live.add(handle)
    return made
