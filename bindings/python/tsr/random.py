"""random.py - random numbers by the names of jax.random: random.normal(random.key(0), (8, 4))."""
import ctypes

from . import _call
from ._lib import lib
from ._made import random as _made

__all__ = ["key", "PRNGKey", "split"]

for _name in _made.__all__:
    _short = _name[len("random_"):] if _name.startswith("random_") else _name
    globals()[_short] = getattr(_made, _name)
    __all__.append(_short)
PRNGKey = key = _made.key


def split(key, num=2):
    """New keys, in an array [num, 2], or [*num, 2]."""
    shape = (num,) if isinstance(num, int) else tuple(num)
    return _made.split_keys(key, shape)


def split_list(key, num=2):
    """The same as a list of keys."""
    c = _call.context_of(key)
    key = c.handle(key)
    made = _call.places(num)
    c.done(lib.tsr_split_key_at(c.place(), key._h, ctypes.addressof(made), num))
    return c.arrays(made)
