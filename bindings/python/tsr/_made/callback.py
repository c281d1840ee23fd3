"""callback.py - the functions of tsr/callback.h; tools/make_bindings.py made it of api/."""
from .._call import context_of, text
from .._lib import lib
from .._types import ArrayLike

__all__ = ["check_finite"]

_check_finite = lib.tsr_check_finite_at


def check_finite(x: ArrayLike, what: str) -> bool:
    """An error (Error.ERROR_USER) at this line, each time that the program runs and an element of
    x is infinite or no number: check_finite(loss, "the loss"). It tells the first such element,
    its index, and in a mapped region the device. what: what the message calls x; None is legal. x
    passes as it is: derivatives pass the check by, and under vmap() it is made for every element.
    Error (Error.ERROR_TYPE): x is not of floating or complex dtype."""
    c = context_of(x)
    x = c.handle(x)
    return c.done(_check_finite(c.place(), x._h, text(what)))
