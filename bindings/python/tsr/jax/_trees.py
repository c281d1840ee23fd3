"""_trees.py - jax.tree_util and jax.tree: trees with arrays, or anything else, as leaves."""
import functools

from .. import _tree
from ._array import is_array


def _leaf(is_leaf):
    return is_array if is_leaf is None else lambda x: is_array(x) or is_leaf(x)


def _told(node):
    """A structure as text."""
    if node == _tree.LEAF:
        return "*"
    kind, of, *parts = node
    parts = [_told(p) for p in parts]
    if kind is type(None):
        return "None"
    if kind is dict:
        return "{" + ", ".join(f"{k!r}: {p}" for k, p in zip(of, parts)) + "}"
    inner = ", ".join(parts)
    if kind is tuple:
        return f"({inner}{',' * (len(parts) == 1)})"
    if kind is list:
        return f"[{inner}]"
    told = f"namedtuple[{kind.__name__}]" if hasattr(kind, "_fields") else \
        f"{kind.__name__}[{of}]"
    return f"CustomNode({told}, [{inner}])"


class PyTreeDef:
    """The structure of a tree."""

    def __init__(self, tree):
        self._tree = tree

    num_leaves = property(lambda self: self._tree.num_leaves)

    def unflatten(self, leaves):
        """The tree with these leaves."""
        return self._tree.unflatten(leaves)

    def flatten_up_to(self, x):
        """The parts of x that are where this has leaves."""
        return _tree.up_to(self._tree, x)

    def __eq__(self, other):
        return isinstance(other, PyTreeDef) and other._tree == self._tree

    def __hash__(self):
        return hash(self._tree)

    def __repr__(self):
        return f"PyTreeDef({_told(self._tree.node)})"


def tree_flatten(tree, is_leaf=None):
    """(leaves, structure)."""
    leaves, made = _tree.flatten(tree, _leaf(is_leaf))
    return leaves, PyTreeDef(made)


def tree_unflatten(treedef, leaves):
    """The tree of this structure with these leaves."""
    return treedef.unflatten(leaves)


def tree_leaves(tree, is_leaf=None):
    """The leaves."""
    return _tree.leaves(tree, _leaf(is_leaf))


def tree_structure(tree, is_leaf=None):
    """The structure."""
    return tree_flatten(tree, is_leaf)[1]


def tree_map(f, tree, *rest, is_leaf=None):
    """A function of each leaf, with the parts of further trees that are there."""
    return _tree.map(f, tree, *rest, is_leaf=_leaf(is_leaf))


def tree_reduce(function, tree, initializer=None, is_leaf=None):
    """All leaves combined by a function."""
    leaves = tree_leaves(tree, is_leaf)
    return functools.reduce(function, leaves) if initializer is None else \
        functools.reduce(function, leaves, initializer)


def tree_all(tree, *, is_leaf=None):
    """Are all leaves true?"""
    return all(tree_leaves(tree, is_leaf))


def tree_broadcast(prefix_tree, full_tree, is_leaf=None):
    """A tree like the full one, of what a tree that ends earlier says of each leaf."""
    _, tree = _tree.flatten(full_tree, _leaf(is_leaf))
    return tree.unflatten(_tree.broadcast(prefix_tree, tree, is_leaf))


def tree_transpose(outer_treedef, inner_treedef, pytree_to_transpose):
    """A tree of trees, with what is outside inside."""
    rows = [_tree.leaves(t, is_array) for t in outer_treedef.flatten_up_to(pytree_to_transpose)]
    return inner_treedef.unflatten([outer_treedef.unflatten(c) for c in zip(*rows)])


class DictKey:
    """A key of a path."""

    def __init__(self, key):
        self.key = key

    def __str__(self):
        return f"[{self.key!r}]"

    def __repr__(self):
        return f"DictKey(key={self.key!r})"


class SequenceKey:
    """A number of a path."""

    def __init__(self, idx):
        self.idx = idx

    def __str__(self):
        return f"[{self.idx!r}]"

    def __repr__(self):
        return f"SequenceKey(idx={self.idx!r})"


class GetAttrKey:
    """A field of a path."""

    def __init__(self, name):
        self.name = name

    def __str__(self):
        return f".{self.name}"

    def __repr__(self):
        return f"GetAttrKey(name={self.name!r})"


def _keys(x):
    kind, of, parts = x
    if isinstance(of, tuple) and kind.__name__ in ("dict", "OrderedDict"):
        return [DictKey(k) for k in of]
    if hasattr(kind, "_fields"):
        return [GetAttrKey(f) for f in kind._fields]
    return [SequenceKey(k) for k in range(len(parts))]


def _walk(x, path, out, is_leaf):
    parts = None if is_leaf(x) else _tree._parts(x)
    if parts is None:
        out.append((path, x))
        return
    for key, part in zip(_keys(parts), parts[2]):
        _walk(part, (*path, key), out, is_leaf)


def tree_flatten_with_path(tree, is_leaf=None):
    """([(path, leaf), ...], structure)."""
    return tree_leaves_with_path(tree, is_leaf), tree_structure(tree, is_leaf)


def tree_leaves_with_path(tree, is_leaf=None):
    """[(path, leaf), ...]."""
    out = []
    _walk(tree, (), out, _leaf(is_leaf))
    return out


def tree_map_with_path(f, tree, *rest, is_leaf=None):
    """A function of each path and leaf."""
    found, treedef = tree_flatten_with_path(tree, is_leaf)
    others = [treedef.flatten_up_to(r) for r in rest]
    return treedef.unflatten([f(path, x, *o) for (path, x), *o in zip(found, *others)])


def keystr(keys, *, simple=False, separator=""):
    """A path as text."""
    if simple:
        return separator.join(str(getattr(k, "key", getattr(k, "idx", getattr(k, "name", k))))
                              for k in keys)
    return separator.join(map(str, keys))


def register_pytree_node(nodetype, flatten_func, unflatten_func, flatten_with_keys_func=None):
    """Makes a class a kind of tree."""
    _tree.register(nodetype, flatten_func, unflatten_func)


def register_pytree_node_class(cls):
    """Makes a class with tree_flatten() and tree_unflatten() a kind of tree."""
    _tree.register(cls, lambda x: x.tree_flatten(), cls.tree_unflatten)
    return cls


def register_dataclass(nodetype, data_fields=None, meta_fields=None, drop_fields=()):
    """Makes a dataclass a kind of tree."""
    if drop_fields:
        raise NotImplementedError("register_dataclass() on Tessera has no drop_fields")
    return _tree.register_dataclass(nodetype, data_fields, meta_fields or ())


def register_static(cls):
    """Makes a class a tree without leaves."""
    _tree.register(cls, lambda x: ((), x), lambda of, parts: of)
    return cls


class Partial(functools.partial):
    """functools.partial, whose arguments are parts of a tree."""


_tree.register(Partial, lambda p: ((p.args, p.keywords), p.func),
               lambda of, parts: Partial(of, *parts[0], **parts[1]))

__all__ = ["PyTreeDef", "Partial", "DictKey", "SequenceKey", "GetAttrKey", "keystr",
           "register_pytree_node", "register_pytree_node_class", "register_dataclass",
           "register_static"] + [n for n in list(globals()) if n.startswith("tree_")]
# jax.tree has the same without "tree_"
SHORT = {n[5:]: globals()[n] for n in __all__ if n.startswith("tree_")}
