"""_body.py - Python functions as bodies of fns: how the library calls them, and how long they live.

A fn is made of `run`, below, with the number of a Body as its .env. The library calls run() to
trace it, and _release() when the fn goes; until then the Body is in `_bodies`. So two closures that
look alike are two bodies, and a body lives as long as anything can call it.

An exception must not cross C: run() keeps it in the context, the library is told of an error, and
whoever has made the call raises the exception again (Context.fail).

Arrays that a body takes from outside. The library lifts each into the program as it is then, and
traces such a body at every call. Here the first call notes them (Trace), and from the second one on
they are captures of the fn: while the body is traced the Array objects themselves hold the handles
that the trace has for them. So what a function closes over is as it was when it was first called,
as in jax.jit, and it is traced once."""
import ctypes
import itertools
import traceback

from ._call import Array, wrap
from ._context import Level
from ._lib import lib, record

_bodies = {}
_numbers = itertools.count(1)
FRAME = 20  # enum tsr_form
_ARG = record("tsr_arg")


class Trace:
    """What one function takes from outside while it is traced: arrays, and constants by their
    bytes."""

    __slots__ = ("outside", "constants")

    def __init__(self):
        self.outside, self.constants = {}, {}

    def used(self, *arrays):
        """Notes arrays that are of no body."""
        for x in arrays:
            if x._level.root:
                self.outside[id(x)] = x


class Body:
    """A function that is called with lists of arrays, one for each argument of the fn, and gives
    such lists, one for each result."""

    def __init__(self, context, function):
        self.context, self.function = context, function
        self.number = next(_numbers)
        self.captured = []   # arrays
        self.slots = None    # their handles, in memory
        self.ran = False
        _bodies[self.number] = self
        self.env = ctypes.c_int64(self.number)

    def forget(self):
        """No fn was made of it after all."""
        _bodies.pop(self.number, None)

    def capture(self, arrays):
        """What it takes from outside; before its fn is made."""
        self.captured = list(arrays)
        self.slots = (ctypes.c_uint64 * max(len(self.captured), 1))()
        self.refresh()

    def refresh(self):
        """The handles of captures as they are now, which may be those of a body around."""
        for k, x in enumerate(self.captured):
            self.slots[k] = x._h

    def fill(self, args, name):
        """The keywords of a record that say what the body is."""
        args.name = self.name = name.encode()
        args.env, args.env_size = ctypes.addressof(self.env), 8
        args.env_release = _release_at
        if self.captured:
            args.captures.leaf = ctypes.addressof(self.slots)
            args.captures.count = len(self.captured)


@ctypes.CFUNCTYPE(None, ctypes.c_void_p)
def _release(env):
    body = _bodies.pop(ctypes.c_int64.from_address(env).value, None)
    if body is not None:
        # what it holds may be arrays, and the context must not be called now
        quiet, body.context.quiet = body.context.quiet, True
        try:
            del body.function, body.captured
        finally:
            body.context.quiet = quiet


_release_at = ctypes.cast(_release, ctypes.c_void_p).value


@ctypes.CFUNCTYPE(None, ctypes.c_void_p)
def run(frame):
    """The body of all fns."""
    try:
        body = _bodies[ctypes.c_int64.from_address(lib.tsr_frame_env(frame)).value]
    except BaseException:  # nothing may cross C
        traceback.print_exc()
        return
    c = body.context
    around, level = c.level, Level(False)
    before = [(x._h, x._level) for x in body.captured]
    c.level = level
    try:
        for k, x in enumerate(body.captured):
            x._h, x._level = body.slots[k], level
        groups = [_group(c, lib.tsr_frame_tree_at(None, frame, k))
                  for k in range(lib.tsr_frame_count(frame))]
        _give(c, frame, body.function(*groups))
        body.ran = True
    except BaseException as error:
        if c.raised is None:
            c.raised = error
        told = f"{type(error).__name__}: {error}"
        lib.tsr_fail_at(c.place(), c.pointer, told.encode())
    finally:
        for x, (handle, was) in zip(body.captured, before):
            x._h, x._level = handle, was
        c.level = around
        level.alive = False


run_at = ctypes.cast(run, ctypes.c_void_p).value


def _group(c, tree):
    leaves = (ctypes.c_uint64 * tree.count).from_address(tree.leaf) if tree.count else ()
    return [wrap(c, handle) if handle else None for handle in leaves]


def _give(c, frame, results):
    """Results of the body: a list of arrays is a tree, an array itself."""
    args = (_ARG * max(len(results), 1))()
    keep = []
    for arg, result in zip(args, results):
        if type(result) is Array:
            arg.kind = 1
            words = getattr(arg, "as")
            words[0] = c.handle(result)._h
            continue
        handles = [c.handle(x)._h if x is not None else 0 for x in result]
        listed = (ctypes.c_uint64 * max(len(handles), 1))(*handles)
        keep.append(listed)
        arg.kind = 2
        words = getattr(arg, "as")
        words[0], words[1], words[2] = ctypes.addressof(listed), len(handles), 0
    lib.tsr_return_at(c.place(), frame, ctypes.addressof(args), len(results))
    c.check()


def body_of():
    """A tsr_body, the same of all fns, for the calls that make them."""
    return record("tsr_body")(form=FRAME, raw=run_at)
