"""graphviz.py - Source: a graph in the language of Graphviz, checked but not drawn."""


class Source:
    """The text of a graph."""

    def __init__(self, source, format=None):
        opened, _, rest = source.strip().partition("{")
        if not opened.startswith(("digraph", "strict digraph", "graph")) or not \
                rest.rstrip().endswith("}"):
            raise ValueError(f"this is no graph: {source[:40]!r}")
        self.source, self.format = source, format

    def __repr__(self):
        return f"<a graph as {self.format}>"
