"""checkpoints.py - trees in folders, for any devices: save("run", 100, params)."""
import ctypes

from . import _call, _tree
from ._lib import lib, record

__all__ = ["save", "load", "latest", "wait", "text", "verify"]


def _fields(x):
    """A kind of tree whose fields are the paths of the leaves: they are the names in a checkpoint,
    so that trees are known again when their leaves have another order."""
    names = ["".join(ch if ch.isalnum() and ch.isascii() else "_" for ch in path).strip("_")
             for path, _ in _tree.paths(x)]
    if not names or len(set(names)) < len(names) or not all(n and n[0].isalpha() for n in names):
        return None
    text = "{ tsr " + ", ".join("*" + n for n in names) + "; }"
    made = record("tsr_tree_type")(fields=text.encode(), count=len(names), name=b"tree")
    return made


def _given(c, x):
    leaves, tree = _tree.flatten(x)
    listed = c.handles(leaves)
    made = record("tsr_tree")(leaf=ctypes.addressof(listed.made), count=len(listed))
    kind = _fields(x)
    if kind is not None:
        made.type = ctypes.addressof(kind)
    made.keep = listed, kind
    return made, tree


def save(folder, step, tree, *, background=False, keep=None):
    """Saves a tree as the checkpoint of a step. In the background it is written behind the calls
    that follow; of the others in the folder the last `keep` stay."""
    c = _call.context_of(*_tree.leaves(tree))
    given, _ = _given(c, tree)
    args = c.record("tsr_checkpoint_save_args", async_=background or None, keep=keep)
    c.done(lib.tsr_checkpoint_save_at(c.place(), str(folder).encode(), step, given, args))


def load(folder, step, like, *, mesh=None, spec=None):
    """The tree of a checkpoint with the structure of `like`, each leaf where that one is, or where
    specs over a mesh say."""
    c = _call.context_of(*_tree.leaves(like))
    given, tree = _given(c, like)
    slots = (ctypes.c_void_p * max(tree.count, 1))()
    own = record("tsr_tree")(leaf=ctypes.addressof(slots), count=tree.count, type=given.type)
    for k, x in enumerate(given.keep[0].many):
        if not lib.tsr_set_at(c.place(), ctypes.addressof(slots) + 8 * k, x._h):
            c.fail()
    args = c.record("tsr_checkpoint_load_args", mesh=mesh)
    if spec is not None:
        from ._files import _specs
        _specs(args.record, spec)
    done = lib.tsr_checkpoint_load_at(c.place(), str(folder).encode(), step, own, args)
    leaves = [_call.adopted(c, h) for h in slots[:tree.count]]
    c.done(done)
    return tree.unflatten(leaves)


def latest(folder):
    """The last step that a folder has a complete checkpoint of; None if there is none."""
    c = _call.current()
    step = c.number(lib.tsr_checkpoint_latest_at(c.place(), c.pointer, str(folder).encode()))
    return None if step < 0 else step


def wait():
    """Waits until what is saved in the background is complete."""
    c = _call.current()
    c.done(lib.tsr_checkpoint_wait_at(c.place(), c.pointer))


def text(folder):
    """What is in a folder of checkpoints."""
    c = _call.current()
    return c.text(lib.tsr_checkpoint_text_at, c.place(), c.pointer, str(folder).encode())


def verify(folder, step):
    """Raises an error unless a checkpoint is sound."""
    c = _call.current()
    c.done(lib.tsr_checkpoint_verify_at(c.place(), c.pointer, str(folder).encode(), step))
