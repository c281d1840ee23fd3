"""_context.py - contexts: devices, computations on them, the context in use, and errors.

Most programs never name one: the first call opens it, with TSR_DEVICES devices, or as init() said.
`with Context(devices=8):` is for more than one.

Handles and levels. An Array made outside of bodies owns its handle, and drops it when it goes; its
level is the context's first one, `root`. The body of a function gets handles that end with the
trace. Their level is over then, and so nothing is dropped and every use is an error."""
import atexit
import collections
import ctypes
import os
import sys
import threading
import types
import weakref

from . import _interrupt
from ._call import Calls, dims
from ._lib import ENUMS, lib, quick, record

__all__ = ["Context", "Error", "Device", "init", "devices", "device_count", "log_to"]

CODES = {name[4:]: number for name, number in ENUMS["tsr_code"].items()}
LOG = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p)


class Error(RuntimeError):
    """An error of the library: its text, and .code, one of Error.ERROR_ARGUMENT and its kin."""

    def __init__(self, text, code=0):
        super().__init__(text)
        self.code = code

    @property
    def name(self):
        """The name of the code, "ERROR_TYPE"."""
        return next((n for n, code in CODES.items() if code == self.code), "OK")


for _name, _code in CODES.items():
    setattr(Error, _name, _code)


raised_as = Error  # the class of what is raised; tsr.jax sets a subclass


class Level:
    """What handles belong to: the context itself, or a body that is being traced."""

    __slots__ = ("root", "alive")

    def __init__(self, root):
        self.root, self.alive = root, True


class Closed:
    """Stands in for the pointer of what is gone: whatever asks for it is told so."""

    @property
    def _as_parameter_(self):
        raise RuntimeError(CLOSED)


CLOSED = "the context was closed"


def _place_of_closed():
    raise RuntimeError(CLOSED)


class Device:
    """One device of a context; str() is "cpu:0"."""

    platform = "cpu"
    device_kind = "cpu"

    def __init__(self, context, number):
        info = record("tsr_device_info")(size=ctypes.sizeof(record("tsr_device_info")))
        lib.tsr_device_fill(context.pointer, number, ctypes.addressof(info))
        self.context, self.id = context, info.id
        self.process_index, self.memory = info.process, info.memory

    def __str__(self):
        return lib.tsr_device_text(self.context.pointer, self.id).decode()

    def __repr__(self):
        return f"CpuDevice(id={self.id})"

    def __eq__(self, other):
        return isinstance(other, Device) and (other.context, other.id) == (self.context, self.id)

    def __hash__(self):
        return hash(self.id)


class Context(Calls):
    """Devices, and all that is computed on them: Context(devices=8). Keywords are those of
    tsr_open(). In a `with` it is the one in use; it closes when it goes, or by close()."""

    def __init__(self, devices=None, *, log=None, **keywords):
        args = record("tsr_open_args")(size=ctypes.sizeof(record("tsr_open_args")))
        code = ctypes.c_int()
        args.code = ctypes.addressof(code)
        if devices is not None:
            args.devices = devices
        self.log = args_log = None
        if log is not None:
            args_log = LOG(lambda user, level, text: log(level, text.decode()))
            args.log = ctypes.cast(args_log, ctypes.c_void_p)
        self._fill(args, keywords)
        self.log = args_log
        self.pointer = lib.tsr_open_at(None, ctypes.addressof(args))
        self.poison = lib.tsr_poison(self.pointer)
        self.root = self.level = Level(True)
        self.thread = threading.get_ident()
        self.raised = None     # what a body has raised, on its way to the caller
        self.trace = None      # of the outermost function being called: _trace.Trace
        self.quiet = False     # the library is releasing something: nothing may be called
        self.wide = None       # are floats f64 where nobody says it? Asked when it is needed
        self.true = None       # the array True, of which weak numbers are made
        self.live = set()      # handles that Arrays own
        self.pending = collections.deque()  # handles to be dropped by the thread of the context
        self.pending_fns = collections.deque()  # and fns to be released
        self.slot = ctypes.c_void_p()
        self.slot_at = ctypes.addressof(self.slot)
        self.pair = bytearray(96)           # room for operands
        self.pair_at = ctypes.addressof(ctypes.c_char.from_buffer(self.pair))
        self.cancelled = False              # has Ctrl-C cancelled a run? (_interrupt)
        self.fns = weakref.WeakSet()
        self.hosts = []        # host functions, which programs may call as long as it is open
        if code.value:
            text = lib.tsr_message(self.pointer).decode()
            self.root.alive = False
            raise Error(text, code.value)
        _open.add(self)
        _interrupt.watch(_open)

    def _fill(self, args, keywords):
        from . import _dtype
        from ._lib import value
        for name, given in keywords.items():
            if name == "dtype":
                given = _dtype.code(given)
            elif name in ("reproducible", "precision"):
                given = value("tsr_" + name, given)
            elif isinstance(given, str):
                given = given.encode()
            if name not in ("size", "keyword_", "alloc", "user", "code") and hasattr(args, name):
                setattr(args, name, given)
            else:
                raise TypeError(f"Context() has no keyword {name}")

    # ---- errors

    def fail(self):
        """Raises the error of the call that was just made: what a body has raised, with the
        library's text as a note, or an Error."""
        cancelled = self.cancelled
        code = quick.tsr_status(self.pointer)
        text = lib.tsr_message(self.pointer).decode(errors="replace")
        lib.tsr_clear(self.pointer)
        if cancelled:
            self.settle()
        raised, self.raised = self.raised, None
        if raised is None and cancelled and code == Error.ERROR_CANCELLED:
            raised = KeyboardInterrupt()
        if raised is None:
            raise raised_as(text or "the value is poison, from an error before", code)
        note(raised, text)
        raise raised.with_traceback(_of_others(raised.__traceback__))

    def check(self):
        """Raises an error if there is one."""
        if quick.tsr_status(self.pointer):
            self.fail()

    def settle(self):
        """After Ctrl-C: takes back a cancellation that no run has seen, and forgets its error."""
        if not self.level.root or self.quiet or not self.root.alive:
            return  # a body, or a callback: later
        self.cancelled = False
        lib.tsr_clear(self.pointer)
        scope = quick.tsr_scope_open(self.pointer)
        lib.tsr_ones_at(None, self.pointer, dims((1,)), None)
        lib.tsr_scope_close(scope)
        lib.tsr_clear(self.pointer)

    # ---- life

    def close(self):
        """Ends all that belongs to it; its arrays cannot be used any more."""
        if not self.root.alive or self not in _open:
            return
        if not self.level.root:
            raise RuntimeError("a body, or a callback, cannot close the context that it runs in")
        self.root.alive = False
        _open.discard(self)
        for fn in list(self.fns):
            fn.forget()
        self.quiet = True
        lib.tsr_close(self.pointer)
        # calls begin with these two: none reaches memory that is gone
        self.pointer, self.place = Closed(), _place_of_closed
        self.level = Level(False)
        self.level.alive = False
        if self in _in_use():
            _in_use().remove(self)

    def open(self, x, at):
        """The pointer of what belongs to it, such as a mesh, which goes when it closes."""
        if not self.root.alive:
            raise RuntimeError(f"the context of this {type(x).__name__} was closed")
        return at

    def drain(self):
        """Drops what other threads, and the library's own calls back, could not."""
        while self.pending and self.free():
            handle = self.pending.popleft()
            if self.root.alive:
                self.live.discard(handle)
                self.slot.value = handle
                lib.tsr_drop(self.slot_at)
        while self.pending_fns and self.free():
            fn = self.pending_fns.popleft()
            if self.root.alive:
                lib.tsr_fn_release_at(None, fn)

    def free(self):
        """May this thread call the library now?"""
        return not self.quiet and threading.get_ident() == self.thread

    def __enter__(self):
        if not self.root.alive:
            raise RuntimeError(CLOSED)
        _in_use().append(self)
        return self

    def __exit__(self, *_):
        if self in _in_use():
            _in_use().remove(self)

    def __repr__(self):
        if not self.root.alive:
            return "Context(closed)"
        return f"Context(devices={self.device_count()})"

    # ---- questions

    def place(self):
        """The caller's place, for messages and reports of what is traced; None outside of bodies,
        where Python's traceback has it."""
        if self.cancelled:
            self.settle()
        return None if self.level.root else place(2)

    def device_count(self):
        """How many devices there are."""
        return lib.tsr_device_count(self.pointer)

    def devices(self):
        """All devices."""
        return [Device(self, k) for k in range(self.device_count())]

    def memory(self):
        """Bytes in use, their peak, and bytes held, as a dict."""
        info = record("tsr_memory_info")(size=ctypes.sizeof(record("tsr_memory_info")))
        lib.tsr_memory_fill(self.pointer, ctypes.addressof(info))
        return {name: getattr(info, name) for name, _ in info._fields_ if name != "size"}

    def engine(self):
        """What runs programs: name, compiles, why_not, plugin, as a dict."""
        info = record("tsr_engine_info")(size=ctypes.sizeof(record("tsr_engine_info")))
        lib.tsr_engine(self.pointer, ctypes.addressof(info))
        self.check()
        return {name: value.decode() if isinstance(value := getattr(info, name), bytes) else value
                for name, _ in info._fields_ if name != "size"}

    def process_index(self):
        """Which process of the context this is."""
        return lib.tsr_process(self.pointer)

    def process_count(self):
        """How many processes the context has."""
        return lib.tsr_process_count(self.pointer)

    def cancel(self):
        """Ends the run in progress; may be called from another thread."""
        lib.tsr_cancel(self.pointer)


def note(error, text):
    """Adds a text to what is printed with an exception; before Python 3.11 it is the cause."""
    if hasattr(error, "add_note"):
        error.add_note(text)
    elif error.__cause__ is None:
        error.__cause__ = _Note(text, Error.ERROR_USER)
    elif type(error.__cause__) is _Note:
        error.__cause__.args = (f"{error.__cause__}\n{text}",)


class _Note(Error):
    """What the library says of an exception of a body."""


def _of_others(trace):
    """A traceback without the frames of this package."""
    if trace is None:
        return None
    rest = _of_others(trace.tb_next)
    if trace.tb_frame.f_code.co_filename.startswith(_HERE):
        return rest
    return types.TracebackType(rest, trace.tb_frame, trace.tb_lasti, trace.tb_lineno)


_HERE = os.path.dirname(os.path.abspath(__file__))
_places = {}


def place(depth=1):
    """file:line of the innermost frame that is not in this package; kept, as C keeps literals."""
    frame = sys._getframe(depth)
    while frame is not None and frame.f_code.co_filename.startswith(_HERE):
        frame = frame.f_back
    if frame is None:
        return None
    key = (frame.f_code.co_filename, frame.f_lineno)
    known = _places.get(key)
    if known is None:
        known = _places[key] = f"{os.path.basename(key[0])}:{key[1]}".encode()
    return known


# ---- the one in use

_open = set()
_local = threading.local()
_default = None


def _in_use():
    """The contexts of the `with`s that this thread is in."""
    try:
        return _local.contexts
    except AttributeError:
        _local.contexts = []
        return _local.contexts


def current():
    """The context in use: that of the innermost `with`, or the first one, which this opens."""
    if _in_use():
        return _in_use()[-1]
    if _default is None or not _default.root.alive:
        init()
    return _default


def init(devices=None, **keywords):
    """Opens the context that is used where nothing else says which: init(devices=8). Without a
    number of devices TSR_DEVICES of the environment says it, or else there is one. One that is
    open already is closed."""
    global _default
    if _default is not None:
        _default.close()
    if devices is None:
        devices = int(os.environ.get("TSR_DEVICES", "1"))
    _default = Context(devices, **keywords)
    return _default


def devices(count=None):
    """All devices; with a number the context is opened with so many, if none is open."""
    if count is not None and not _in_use() and (_default is None or not _default.root.alive):
        init(count)
    found = current().devices()
    if count is not None and len(found) != count:
        raise ValueError(f"the context has {len(found)} devices, not {count}: call init({count}) "
                         "before anything else")
    return found


def device_count():
    """How many devices there are."""
    return current().device_count()


_log_hook = None


def log_to(function):
    """Sets where messages go that belong to no context, or to one without a log:
    log_to(lambda level, text: ...); None: to stderr."""
    global _log_hook
    before, _log_hook = _log_hook, None
    if function is not None:
        _log_hook = LOG(lambda user, level, text: function(level, text.decode()))
    lib.tsr_log_to(ctypes.cast(_log_hook, ctypes.c_void_p) if _log_hook else None, None)
    del before


@atexit.register
def _close_all():
    for context in list(_open):
        context.close()
