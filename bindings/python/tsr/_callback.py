"""_callback.py - Python functions that programs call while they run, and values printed then."""
import ctypes

from . import _call, _context, _tree
from ._context import Level
from ._control import Leaves, Places
from ._dtype import ALL, find
from ._fn import _Fn, name_of
from ._lib import lib, record

__all__ = ["pure_callback", "io_callback", "debug_callback", "debug_print",
           "optimization_barrier"]

_HOST = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p)


class Host:
    """A Python function as a host function. It lives as long as its context: programs that call it
    may be kept by the library."""

    def __init__(self, c, kind, function, shapes, in_tree, ordered):
        self.c, self.function, self.in_tree = c, function, in_tree
        self.shapes = shapes
        self.call = _HOST(self._called)
        args = record("tsr_callback_args")(size=ctypes.sizeof(record("tsr_callback_args")))
        args.name = self.name = name_of(function).encode()
        args.ordered = ordered
        for result, shape in zip(args.results, shapes):
            result.dtype, result.dims = shape.dtype.code, _call.dims(shape.shape)
        make = getattr(lib, f"tsr_{kind}_callback_at")
        self.fn = make(c.place(), c.pointer, ctypes.cast(self.call, ctypes.c_void_p), None,
                       ctypes.addressof(args))
        c.check()
        self.made = _Fn(c, self.fn)
        c.hosts.append(self)

    def _called(self, at):
        c = self.c
        around, trace, level = c.level, c.trace, Level(False)
        c.level, c.trace = level, None
        try:
            call = record("tsr_host_call").from_address(at)
            operands = [self._operand(call, k) for k in range(call.nin)]
            out = _tree.leaves(self.function(*self.in_tree.unflatten(operands)))
            if len(out) != call.nout and call.nout:
                raise ValueError(f"{name_of(self.function)} gave {len(out)} results, not "
                                 f"{call.nout}")
            for k in range(call.nout):
                self._result(call, k, out[k])
            return True
        except BaseException as error:
            if c.raised is None:
                c.raised = error
            lib.tsr_fail_at(None, c.pointer, f"{type(error).__name__}: {error}".encode())
            return False
        finally:
            c.level, c.trace = around, trace
            level.alive = False

    @staticmethod
    def _type(types, k):
        kind = record("tsr_host_type")
        one = kind.from_address(types + k * ctypes.sizeof(kind))
        dims = (ctypes.c_int64 * one.ndim).from_address(one.dims) if one.ndim else ()
        return ALL[one.dtype], tuple(dims), one.size

    def _operand(self, call, k):
        """An operand: a NumPy array if there is NumPy, which is a view; or one of ours."""
        dtype, shape, size = self._type(call.in_type, k)
        at = ctypes.c_void_p.from_address(getattr(call, "in") + 8 * k).value
        data = ctypes.string_at(at, size * dtype.itemsize) if size else b""
        try:
            import numpy
            return numpy.frombuffer(bytearray(data), dtype.numpy()).reshape(shape)
        except ImportError:
            return _call.from_bytes(self.c, data, dtype, shape)

    def _result(self, call, k, x):
        dtype, shape, size = self._type(call.out_type, k)
        x = _call.made_of(self.c, x, dtype)
        if x.shape != shape:
            raise ValueError(f"result {k} of {name_of(self.function)} is {x.shape}, not {shape}")
        at = ctypes.c_void_p.from_address(call.out + 8 * k).value
        if size:
            ctypes.memmove(at, x.tobytes(), size * dtype.itemsize)


def _run(kind, function, shapes, operands, ordered=False):
    leaves, in_tree = _tree.flatten(operands)
    shapes, out_tree = _tree.flatten(shapes, lambda s: hasattr(s, "shape"))
    c = _call.context_of(*leaves)
    found = [_Shape(s) for s in shapes]
    host = Host(c, kind, function, found, in_tree, ordered)
    outs = Places(*[1] * len(found))
    given = [c.operand(x) for x in leaves]
    args = (record("tsr_arg") * max(len(given), 1))(*given)
    outs.fill(c, lib.tsr_call_into_at, host.fn, ctypes.addressof(args), len(given))
    if c.level.root:
        c.hosts.remove(host)  # nothing calls it any more
    return out_tree.unflatten([outs.arrays(c, k)[0] for k in range(len(found))])


class _Shape:
    def __init__(self, of):
        self.shape, self.dtype = tuple(of.shape), find(of.dtype)


def pure_callback(callback, result_shape_dtypes, *args):
    """Calls a Python function of NumPy arrays while the program runs, whose results depend on its
    arguments alone: pure_callback(f, ShapeDtypeStruct((8,), float32), x)."""
    return _run("pure", callback, result_shape_dtypes, args)


def io_callback(callback, result_shape_dtypes, *args, ordered=False):
    """The same of a function with effects, which is called whether its results are used or not."""
    return _run("io", callback, result_shape_dtypes, args, ordered)


def debug_callback(callback, *args, ordered=False):
    """Calls a Python function that looks at values."""
    _run("debug", callback, (), args, ordered)


def debug_print(text, *args, **keywords):
    """Prints values each time that the program runs: debug_print("loss {:.3f}", loss)."""
    leaves = list(args)
    for name, x in keywords.items():
        text = text.replace("{" + name, "{" + str(len(leaves)))
        leaves.append(x)
    if keywords and args:
        raise ValueError("debug_print() takes values by place or by name")
    c = _call.context_of(*leaves)
    given = c.operands(leaves)
    lib.tsr_debug_print_at(_context.place(), text.encode(), given, len(given))
    c.check()


def optimization_barrier(operand):
    """A tree, whose leaves are all there before any of them is."""
    leaves, tree = _tree.flatten(operand)
    c = _call.context_of(*leaves)
    outs, given = Places(len(leaves)), Leaves(c, leaves)
    outs.fill(c, lib.tsr_optimization_barrier_into_at, *given.given)
    return tree.unflatten(outs.arrays(c, 0))


