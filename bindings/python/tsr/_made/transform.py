"""transform.py - the functions of tsr/transform.h; tools/make_bindings.py made it of api/."""
from .._call import context_of, text
from .._lib import lib
from .._types import Array, ArrayLike

__all__ = ["checkpoint_name", "optimization_barrier"]

_checkpoint_name = lib.tsr_checkpoint_name_at
_optimization_barrier = lib.tsr_optimization_barrier_at


def checkpoint_name(x: ArrayLike, name: str) -> Array:
    """x itself, under a name by which names of remat() keeps it: checkpoint_name(q, "q"). Error
    (Error.ERROR_ARGUMENT): a name of other characters than letters, digits, '_' and '.'."""
    c = context_of(x)
    x = c.handle(x)
    return c.scoped(_checkpoint_name, c.place(), x._h, text(name))


def optimization_barrier(x: ArrayLike) -> Array:
    """x itself, behind a barrier: whatever is computed from the result is not merged with what is
    computed from x, nor simplified together with what made x. Its derivative is one too."""
    c = context_of(x)
    x = c.handle(x)
    return c.scoped(_optimization_barrier, c.place(), x._h)
