"""_stages.py - the stages of jit(f).lower(*args) and .compile(): programs as text and graphs."""
from ._array import wraps


class Lowered:
    """The program of a call."""

    def __init__(self, jitted, args, keywords):
        self._jitted, self._args, self._keywords = jitted, args, keywords

    def as_text(self, dialect=None):
        """The program, as text of Tessera's own."""
        return self._jitted._of.text(*self._args, **self._keywords)

    def cost_analysis(self):
        """What a call costs."""
        return self._jitted._of.costs(*self._args, **self._keywords)

    def compile(self, compiler_options=None):
        """The program, compiled for its devices."""
        return Compiled(self._jitted, self._args, self._keywords)


class Compiled(Lowered):
    """A compiled program, which can be called with such arguments."""

    def __call__(self, *args, **keywords):
        args, keywords = self._jitted._arguments(args, keywords)
        return wraps(self._jitted._of(*args, **keywords))

    def as_text(self, dialect=None):
        """What each device runs, as text of Tessera's own."""
        return self._jitted._of.compiled_text(*self._args, **self._keywords)

    def runtime_executable(self):
        """What has .hlo_modules()."""
        return self

    def hlo_modules(self):
        """One module, of which there is a graph and a text."""
        return [HloModule(self.as_text(),
                          self._jitted._of.compiled_graph(*self._args, **self._keywords))]


class HloModule:
    """A compiled program as text, and as a graph."""

    def __init__(self, text, graph):
        self._text, self.graph = text, graph

    def to_string(self, *_):
        """The text."""
        return self._text


def hlo_module_to_dot_graph(module):
    """The graph of a compiled program, in the language of Graphviz."""
    return module.graph
