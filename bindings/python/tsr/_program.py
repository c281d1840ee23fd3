"""_program.py - programs as text, and fns that the library makes, such as schedules."""
from . import _call, _context
from ._control import Places
from ._fn import _Fn
from ._lib import lib

__all__ = ["Program", "parse", "load_program", "passes", "prims_text"]


class Program:
    """A fn that is no Python function: a program from its text, or a schedule. Calling it with
    arrays gives its result, or the list of its results."""

    def __init__(self, c, at):
        self._ctx, self._pointer = c, at
        self._made = _Fn(c, at)
        self.__name__ = lib.tsr_fn_name(at).decode()
        self._count = lib.tsr_program_results(at)
        c.check()

    def __call__(self, *args):
        c = self._ctx
        given = c.operands(args)
        places = Places(*[1] * (self._count or 1))
        places.fill(c, lib.tsr_call_into_at, self._pointer, given, len(given))
        made = [places.arrays(c, k)[0] for k in range(len(places.counts))]
        return made[0] if len(made) == 1 else made

    def _asked(self, symbol, args):
        c = self._ctx
        given = c.operands(args)
        return c.text(getattr(lib, symbol), _context.place(), self._pointer, given, len(given))

    def text(self, *args):
        """Its text; of a schedule, for these arguments."""
        c = self._ctx
        if args:
            return self._asked("tsr_fn_text_at", args)
        return c.text(lib.tsr_program_text_at, c.place(), self._pointer)

    def graph(self):
        """Its graph, in the language of Graphviz."""
        c = self._ctx
        return c.text(lib.tsr_program_graph_at, c.place(), self._pointer)

    def transformed(self, name):
        """What a pass makes of it: "partition", or "all"."""
        c = self._ctx
        return c.fn(lib.tsr_program_pass_at(c.place(), self._pointer, name.encode()))

    def __repr__(self):
        return f"<program {self.__name__}>"


def parse(text):
    """A program from its text."""
    c = _call.current()
    return c.fn(lib.tsr_parse_at(c.place(), c.pointer, text.encode()))


def load_program(path):
    """A program from a file."""
    c = _call.current()
    return c.fn(lib.tsr_load_program_at(c.place(), c.pointer, str(path).encode()))


def passes():
    """The passes by name: what each makes of a program."""
    found, k = {}, 0
    while True:
        name = lib.tsr_pass_name(k)
        if name is None:
            return found
        found[name.decode()] = lib.tsr_pass_meaning(k).decode()
        k += 1


def prims_text():
    """All primitives of program text."""
    c = _call.current()
    return c.text(lib.tsr_prims_text, c.pointer)
