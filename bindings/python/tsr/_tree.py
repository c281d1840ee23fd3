"""_tree.py - trees: nested tuples, lists, dicts, None and classes of one's own, with leaves.

    leaves, tree = flatten({"w": 1, "b": [2, None]})     gives [2, 1]: dicts in order of their keys
    tree.unflatten(leaves)                               gives it back

A Tree can be compared and is a key of dicts: functions are traced once for each."""
import builtins
import collections

__all__ = ["Tree", "flatten", "unflatten", "leaves", "structure", "map", "reduce", "all", "paths",
           "register", "register_dataclass", "norm", "size", "allclose"]

LEAF = "*"
_registered = {}
_wrappers = {}  # class: the function that makes one of its one part


class Tree:
    """The structure of a tree: a nest of tuples (kind, what is told of it, ...parts)."""

    __slots__ = ("node", "count", "wrapper", "_hash", "_build")

    def __init__(self, node, count):
        self.node, self.count = node, count
        self._hash = hash(node)
        self._build = None
        # of a tree that is one wrapper: the function that makes it of its leaf
        self.wrapper = _wrappers.get(node[0]) if count == 1 and node is not LEAF else None

    def __eq__(self, other):
        return isinstance(other, Tree) and self.node == other.node

    def __hash__(self):
        return self._hash

    def __repr__(self):
        return f"Tree({_text(self.node)})"

    @property
    def num_leaves(self):
        """How many leaves."""
        return self.count

    def unflatten(self, leaves):
        """The tree with these leaves."""
        if type(leaves) is not list:
            leaves = list(leaves)
        if len(leaves) != self.count:
            raise ValueError(f"{len(leaves)} leaves for a tree of {self.count}")
        if self._build is None:
            known = {}
            self._build = eval(f"lambda x: {_expression(self.node, [0], known)}", known)
        return self._build(leaves)


ONE = Tree(LEAF, 1)


def _text(node):
    if node == LEAF:
        return LEAF
    kind, of, *parts = node
    inner = [_text(p) for p in parts]
    if kind is type(None):
        return "None"
    if kind is dict:
        return "{" + ", ".join(f"{k!r}: {p}" for k, p in zip(of, inner)) + "}"
    if kind is tuple:
        return f"({', '.join(inner)}{',' * (len(inner) == 1)})"
    return f"[{', '.join(inner)}]" if kind is list else f"{kind.__name__}({', '.join(inner)})"


def _expression(node, at, known):
    """The tree as an expression of Python: {k0: x[0], k1: [x[1], None]}."""
    if node == LEAF:
        at[0] += 1
        return f"x[{at[0] - 1}]"
    kind, of, *parts = node
    inner = [_expression(p, at, known) for p in parts]
    if kind is type(None):
        return "None"
    if kind is tuple:
        return f"({', '.join(inner)}{',' * (len(inner) == 1)})"
    if kind is list:
        return f"[{', '.join(inner)}]"
    name = f"k{len(known)}"
    if kind is dict:
        known[name] = of
        return "{" + ", ".join(f"{name}[{k}]: {p}" for k, p in enumerate(inner)) + "}"
    if kind is collections.OrderedDict:
        known[name] = lambda *parts: kind(zip(of, parts))
    elif kind in _wrappers:
        known[name] = _wrappers[kind]
    elif kind in _registered:
        known[name] = lambda *parts: _registered[kind][1](of, list(parts))
    else:
        known[name] = kind  # a named tuple
    return f"{name}({', '.join(inner)})"


def _listed(names):
    return f"[{', '.join(names)}]"


def reader(tree, kinds, other=None, gives=_listed):
    """A function of one argument that gives its leaves if it is such a tree, and otherwise None; in
    a fifth of flatten()'s time. kinds says of which class each leaf is: {LEAF: Array}; what is of
    another class becomes a leaf by other(), or is none where that gives None. gives(names) is the
    expression of the result. None of trees with further classes."""
    known, lines, found = {"other": other, "absent": object()}, [], []

    def leaf(name, kind):
        known[kind.__name__] = kind
        lines.append(f"if type({name}) is not {kind.__name__}:")
        if other is not None:
            lines.append(f"    {name} = other({name})")
            lines.append(f"    if type({name}) is not {kind.__name__}: return None")
        else:
            lines.append("    return None")
        found.append(name)
        return True

    def read(node, name):
        if node in kinds:
            return leaf(name, kinds[node])
        if node == LEAF:
            return False
        own, of, *parts = node
        if own is type(None):
            lines.append(f"if {name} is not None: return None")
            return True
        if own is collections.OrderedDict:
            return False
        known[f"kind{name}"], known[f"of{name}"] = own, of
        lines.append(f"if type({name}) is not kind{name}: return None")
        inner = [f"{name}_{k}" for k in range(len(parts))]
        if own in _registered:
            known[f"flat{name}"] = _registered[own][0]
            lines.append(f"{name}, of = flat{name}({name})")
            lines.append(f"if of != of{name}: return None")
        lines.append(f"if len({name}) != {len(parts)}: return None")
        if own is dict:
            for k, part in enumerate(inner):
                lines.append(f"{part} = {name}.get(of{name}[{k}], absent)")
        elif parts:
            lines.append(f"{', '.join(inner)}, = {name}")
        return builtins.all(read(p, n) for p, n in zip(parts, inner))

    if not read(tree.node, "x"):
        return None
    body = "".join(f"    {line}\n" for line in lines)
    exec(f"def read(x):\n{body}    return {gives(found)}\n", known)
    return known["read"]


def _parts(x):
    """(kind, what is told of it, parts); None of a leaf."""
    kind = type(x)
    if kind is tuple or kind is list:
        return kind, None, x
    if kind is dict:
        try:
            keys = tuple(sorted(x))
        except TypeError:
            keys = tuple(x)
        return kind, keys, [x[k] for k in keys]
    if x is None:
        return kind, None, ()
    if kind in _registered:
        parts, of = _registered[kind][0](x)
        return kind, of, tuple(parts)
    if isinstance(x, collections.OrderedDict):
        return collections.OrderedDict, tuple(x), tuple(x.values())
    if isinstance(x, tuple) and hasattr(x, "_fields"):
        return kind, None, x
    return None


def _walk(x, out, is_leaf):
    if is_leaf is not None and is_leaf(x):
        out.append(x)
        return LEAF
    kind = type(x)
    if kind is tuple or kind is list:
        return (kind, None, *[_walk(p, out, is_leaf) for p in x])
    parts = _parts(x)
    if parts is None:
        out.append(x)
        return LEAF
    kind, of, inner = parts
    return (kind, of, *[_walk(p, out, is_leaf) for p in inner])


def flatten(x, is_leaf=None):
    """The leaves of a tree, and its structure."""
    out = []
    node = _walk(x, out, is_leaf)
    return out, ONE if node is LEAF else Tree(node, len(out))


def unflatten(tree, leaves):
    """The tree of this structure with these leaves."""
    return tree.unflatten(leaves)


def leaves(x, is_leaf=None):
    """The leaves of a tree."""
    return flatten(x, is_leaf)[0]


def structure(x, is_leaf=None):
    """The structure of a tree."""
    return flatten(x, is_leaf)[1]


def map(function, x, *others, is_leaf=None):
    """A function of each leaf, with the parts of further trees that are there."""
    own, tree = flatten(x, is_leaf)
    rest = [up_to(tree, other) for other in others]
    return tree.unflatten([function(*each) for each in zip(own, *rest)])


def up_to(tree, x):
    """The parts of x that are where tree has leaves."""
    out = []
    _up_to(tree.node, x, out)
    return out


def _up_to(node, x, out):
    if node == LEAF:
        out.append(x)
        return
    parts = _parts(x)
    kind, of, *inner = node
    if parts is None or parts[0] is not kind or parts[1] != of or len(parts[2]) != len(inner):
        raise ValueError(f"trees that differ: {_text(node)} and "
                         f"{_text(_walk(x, [], None))}")
    for part, y in zip(inner, parts[2]):
        _up_to(part, y, out)


def broadcast(prefix, tree, is_leaf=None):
    """What a tree that ends earlier says of each leaf: broadcast(0, tree) says 0 of all."""
    out = []
    _broadcast(prefix, tree.node, out, is_leaf)
    return out


def _count(node):
    return 1 if node == LEAF else sum(_count(p) for p in node[2:])


def _broadcast(prefix, node, out, is_leaf):
    parts = None if prefix is None or is_leaf and is_leaf(prefix) else _parts(prefix)
    if parts is None:
        out.extend([prefix] * _count(node))
        return
    kind, of, inner = parts
    fits = node != LEAF and len(inner) == len(node) - 2 and (
        node[0] is kind and node[1] == of or {kind, node[0]} <= {tuple, list})
    if not fits:
        raise ValueError(f"{prefix!r} does not fit the tree {_text(node)}")
    for part, below in zip(inner, node[2:]):
        _broadcast(part, below, out, is_leaf)


def reduce(function, x, *initial, is_leaf=None):
    """All leaves combined by a function, from the first one on."""
    import functools
    return functools.reduce(function, leaves(x, is_leaf), *initial)


def all(x):
    """Are all leaves true?"""
    return builtins.all(bool(y) for y in leaves(x))


def paths(x, is_leaf=None):
    """(path, leaf) of each leaf, in their order: [("['w'][0]", x), ...]."""
    out = []
    _paths(x, "", out, is_leaf)
    return out


def _paths(x, path, out, is_leaf):
    parts = None if is_leaf and is_leaf(x) else _parts(x)
    if parts is None:
        out.append((path, x))
        return
    kind, of, inner = parts
    names = [f"[{k!r}]" for k in of] if kind in (dict, collections.OrderedDict) else \
        [f".{f}" for f in kind._fields] if hasattr(kind, "_fields") else \
        [f"[{k}]" for k in range(len(inner))]
    for name, part in zip(names, inner):
        _paths(part, path + name, out, is_leaf)


def register(kind, flatten, unflatten):
    """Makes a class a kind of tree: flatten(x) gives (parts, what is told of it), and
    unflatten(what is told of it, parts) makes it again."""
    _registered[kind] = (flatten, unflatten)
    return kind


def register_wrapper(kind, read, make):
    """Makes a class a kind of tree of one leaf, which read(x) gives, and make(leaf) wraps again."""
    _wrappers[kind] = make
    return register(kind, lambda x: ((read(x),), None), lambda of, parts: make(parts[0]))


def register_dataclass(kind, data_fields=None, meta_fields=()):
    """Makes a dataclass a kind of tree, whose parts are these fields, or all."""
    import dataclasses
    if data_fields is None:
        data_fields = [f.name for f in dataclasses.fields(kind)
                       if not f.metadata.get("static") and f.name not in meta_fields]
        meta_fields = [f.name for f in dataclasses.fields(kind) if f.name not in data_fields]

    def make(of, parts):
        made = object.__new__(kind)
        for name, value in [*zip(data_fields, parts), *zip(meta_fields, of)]:
            object.__setattr__(made, name, value)
        return made

    return register(kind, lambda x: ([getattr(x, n) for n in data_fields],
                                     tuple(getattr(x, n) for n in meta_fields)), make)


def _of_arrays(x):
    import ctypes

    from ._call import context_of
    from ._lib import record
    arrays = leaves(x)
    c = context_of(*arrays)
    listed = c.handles(arrays)
    made = record("tsr_tree")(leaf=ctypes.addressof(listed.made), count=len(listed))
    made.keep = listed
    return c, made


def norm(x):
    """The root of the sum of |x|^2 over all elements of all leaves."""
    from ._lib import lib
    c, tree = _of_arrays(x)
    return c.array(lib.tsr_tree_norm_at(c.place(), tree))


def size(x):
    """Number of elements of all leaves."""
    from ._lib import lib
    return lib.tsr_tree_size(_of_arrays(x)[1])


def allclose(x, y, rtol=1e-5, atol=1e-8):
    """Are all leaves of two trees close?"""
    from ._lib import lib
    (c, a), (_, b) = _of_arrays(x), _of_arrays(y)
    return c.done(lib.tsr_tree_allclose_at(c.place(), a, b, rtol, atol))
