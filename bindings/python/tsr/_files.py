"""_files.py - trees of arrays in files, and batches of rows that are read ahead."""
import ctypes

from . import _call, _tree
from ._lib import lib, record

__all__ = ["save", "load", "Batches"]


def _names(x):
    """The path of each leaf, as names in a file are: "layers.0.w"."""
    return [path.replace("['", ".").replace("']", "").replace("[", ".").replace("]", "").lstrip(".")
            for path, _ in _tree.paths(x)]


def _specs(made, spec):
    """One spec for all leaves, or one each, in a record."""
    from ._transform import _is_spec
    given = [spec] if _is_spec(spec) else list(spec)
    made.listed_ = (record("tsr_spec") * len(given))(*(_call.spec(s) for s in given))
    made.spec.count, made.spec.leaf = len(given), ctypes.addressof(made.listed_)


def save(tree, path, *, names=None, turned=None):
    """Writes a tree of arrays to an .npz or .safetensors file, under the paths of the leaves, or
    names. Of the turned ones the last two dims are exchanged."""
    leaves, _ = _tree.flatten(tree)
    c = _call.context_of(*leaves)
    given = c.handles(leaves)
    listed = record("tsr_tree")(leaf=ctypes.addressof(given.made), count=len(given))
    args = c.record("tsr_save_args", names=names or _names(tree), turned=turned)
    c.done(lib.tsr_save_at(c.place(), listed, str(path).encode(), args))


def load(like, path, *, names=None, turned=None, mesh=None, spec=None):
    """The tree of arrays in a file with the structure of `like`, whose leaves are not looked at; or
    with a list of names the list of those arrays."""
    if names is None:
        names = _names(like)
    tree = _tree.structure(like, lambda x: x is None)
    c = _call.current()
    args = c.record("tsr_load_args", names=list(names), turned=turned, mesh=mesh)
    if spec is not None:
        _specs(args.record, spec)
    slots = (ctypes.c_uint64 * max(tree.count, 1))()
    to = record("tsr_tree")(leaf=ctypes.addressof(slots), count=tree.count)
    c.done(lib.tsr_load_at(c.place(), to, str(path).encode(), args))
    return tree.unflatten([c.array(h) if h else None for h in slots[:tree.count]])


class Batches:
    """Batches of rows of .npy files that have as many: for x, y in Batches(["x.npy", "y.npy"], 128,
    key=key) goes through one epoch, and the next `for` through another."""

    def __init__(self, paths, rows, *, key=None, mesh=None, spec=None, prefetch=None,
                 short_last=None, first=None):
        c = self._ctx = _call.context_of(key)
        listed = (ctypes.c_char_p * max(len(paths), 1))(*(str(p).encode() for p in paths))
        args = c.record("tsr_batches_args", key=key, mesh=mesh, spec=spec, prefetch=prefetch,
                        short_last=short_last, first=first)
        self._count = len(paths)
        self._at = lib.tsr_batches_open_at(c.place(), c.pointer, ctypes.addressof(listed),
                                           len(paths), rows, args)
        c.check()

    def __iter__(self):
        return self

    def __next__(self):
        c = self._ctx
        out = _call.places(self._count)
        if not lib.tsr_batches_next_at(c.place(), self._at, out, self._count):
            c.check()
            raise StopIteration
        # the handles are of the batches until the next one
        return tuple(_call.owned(c, _lent(c, h)) for h in out)

    def __len__(self):
        return lib.tsr_batches_count(self._at)

    def close(self):
        """Closes the files."""
        if self._at and self._ctx.root.alive:
            lib.tsr_batches_close(self._at)
        self._at = None


class _Level:
    root, alive = False, True


def _lent(c, handle):
    x = c.array(handle)
    x._level = _Level
    return x
