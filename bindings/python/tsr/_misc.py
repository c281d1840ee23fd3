"""_misc.py - making arrays of data, comparing arrays, pictures of shardings, progress."""
import ctypes

from . import _call, _dtype
from ._array import Array
from ._lib import lib, quick, record

__all__ = ["array", "asarray", "wrap", "allclose", "array_equal", "promote_types", "version",
           "load_npy", "show_sharding", "sharding_picture", "sharding_svg", "Progress",
           "bench_collectives"]


def array(x, dtype=None):
    """An array of a number, nested lists, NumPy's array, or the like: array([1, 2, 3])."""
    c = _call.context_of(x)
    made = _call.made_of(c, x, dtype)
    if type(x) in (int, float, complex, bool) and dtype is None:
        kind = {bool: "b", int: "i", float: "f", complex: "c"}[type(x)]
        own = _call.default_dtype(c, kind)
        wide = kind == "i" and not -1 << 31 <= x < 1 << 31
        return _call.of_number(c, x, _dtype.find(_wide(x)) if wide else own)
    return made


def _wide(x):
    return "uint64" if x >= 1 << 63 else "int64"


def asarray(x, dtype=None):
    """The same; an array is left as it is."""
    return x if type(x) is Array and dtype is None else array(x, dtype)


_RELEASE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
_lent = {}


@_RELEASE
def _released(number, _):
    _lent.pop(number, None)


def wrap(x, *, writable=False):
    """The memory of an object that has a buffer, such as a NumPy array, as an array, without a
    copy. It must not change while the array lives."""
    import numpy
    x = numpy.asarray(x)
    if not x.dtype.isnative:
        raise ValueError(f"wrap() takes memory in the byte order of this machine, not {x.dtype}: "
                         "array() copies it")
    c = _call.current()
    number = id(x)
    while number in _lent:
        number += 1
    _lent[number] = x
    kind = record("tsr_wrap_args")
    args = kind(size=ctypes.sizeof(kind), strides=_call.dims(x.strides), user=number,
                writable=writable)
    args.release = ctypes.cast(_released, ctypes.c_void_p).value
    made = c.array(lib.tsr_wrap_at(c.place(), c.pointer, 0, x.ctypes.data, _dtype.code(x.dtype),
                                   _call.dims(x.shape), ctypes.addressof(args)))
    return made if c.level.root else _call.owned(c, made)


def allclose(a, b, rtol=1e-5, atol=1e-8):
    """|a - b| <= atol + rtol |b| for all elements: True or False, so not of values in a body."""
    c = _call.context_of(a, b)
    a, b = c.handle(a), c.handle(b)
    return c.done(lib.tsr_allclose_at(c.place(), a._h, b._h, rtol, atol))


def array_equal(a, b):
    """The same dims and equal values: True or False."""
    c = _call.context_of(a, b)
    a, b = c.handle(a), c.handle(b)
    return c.done(lib.tsr_array_equal_at(c.place(), a._h, b._h))


def promote_types(a, b):
    """The common dtype of two operands."""
    return _dtype.ALL[quick.tsr_promote(_dtype.code(a), _dtype.code(b))]


def version():
    """That of the library, "0.2.0"."""
    return lib.tsr_version().decode()


def load_npy(source):
    """The array in an .npy file, or in the bytes of one."""
    c = _call.current()
    if isinstance(source, (bytes, bytearray)):
        data = (ctypes.c_char * max(len(source), 1)).from_buffer_copy(source or b"\0")
        return c.array(lib.tsr_read_npy_at(c.place(), c.pointer, ctypes.addressof(data),
                                           len(source)))
    return c.array(lib.tsr_load_npy_at(c.place(), c.pointer, str(source).encode()))


# ---- pictures of an array's sharding, or of a sharding of arrays of a shape

def _pictured(name, args_name, x, shape, keywords):
    c = _call.context_of(x)
    args = c.record(args_name, **keywords)
    if type(x) is Array:
        return c, getattr(lib, f"tsr_{name}_at"), c.place(), x._live(), args
    return (c, getattr(lib, f"tsr_{name}_of_at"), c.place(), _call.dims(tuple(shape)), x._pointer,
            args)


def show_sharding(x, shape=None, **keywords):
    """Prints which device holds what of an array, or of an array of a shape under a sharding.
    Keywords: color, scale, min_width, max_width, dims, all."""
    c, show, *given = _pictured("show_sharding", "tsr_picture_args", x, shape, keywords)
    show(*given)
    c.check()


def sharding_picture(x, shape=None, **keywords):
    """The same as text."""
    c, *asked = _pictured("sharding_picture", "tsr_picture_args", x, shape, keywords)
    return c.text(*asked)


def sharding_svg(x, shape=None, **keywords):
    """The same as an SVG document."""
    c, *asked = _pictured("sharding_svg", "tsr_svg_args", x, shape, keywords)
    return c.text(*asked)


def bench_collectives(mesh, axis_name, x):
    """Prints how long each collective takes over an axis of a mesh."""
    c = mesh._ctx
    x = c.handle(x)
    lib.tsr_bench_collectives_at(c.place(), mesh._pointer, _call.axes(axis_name), x._h)
    c.check()


class Progress:
    """The progress of long work, a line on stderr: p = Progress(1000, label="training");
    p.show(k, "loss 0.43"); p.end()."""

    def __init__(self, total=0, *, label=None, unit=None):
        c = self._ctx = _call.current()
        args = c.record("tsr_progress_args", label=label, unit=unit)
        self._at = lib.tsr_progress_begin_at(c.place(), c.pointer, total, args)
        c.check()

    def show(self, done, note=None):
        """So many steps are done."""
        lib.tsr_progress_show(self._at, done, _call.text(note))

    def end(self):
        """The work has ended."""
        if self._at:
            lib.tsr_progress_end(self._at)
        self._at = None
