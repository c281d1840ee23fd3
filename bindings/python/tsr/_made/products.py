"""products.py - the functions of tsr/products.h; tools/make_bindings.py made it of api/."""
from .._call import context_of, text
from .._lib import lib
from .._types import Array, ArrayLike, Choice, DTypeLike, Dims, Optional

__all__ = ["cross", "einsum", "inner", "kron", "matvec", "outer", "tensordot", "vdot", "vecdot",
           "vecmat"]

_einsum = lib.tsr_einsum_at
_tensordot = lib.tsr_tensordot_at
_inner = lib.tsr_inner_at
_outer = lib.tsr_outer_at
_vdot = lib.tsr_vdot_at
_vecdot = lib.tsr_vecdot_at
_matvec = lib.tsr_matvec_at
_vecmat = lib.tsr_vecmat_at
_kron = lib.tsr_kron_at
_cross = lib.tsr_cross_at


def einsum(subscripts: str, *x: ArrayLike) -> Array:
    """Products by Einstein's convention: each dim has a letter, and what has a letter that the
    result lacks is summed over. einsum("ij,jk.ik", a, b); "ii.i" is a diagonal, "..." means any
    dims, which are broadcast; without an arrow the result has the letters that occur once, in
    order. Of more than two arrays the products that take the fewest multiplications come first.
    Errors: a text that does not fit the arrays (Error.ERROR_ARGUMENT), one letter for different
    sizes (Error.ERROR_TYPE)."""
    c = context_of(*x)
    x = c.handles(x)
    return c.array(_einsum(c.place(), text(subscripts), x, len(x)))


def tensordot(a: ArrayLike, b: ArrayLike, n: Optional[int] = None, *, dims_a: Dims = None,
              dims_b: Dims = None, dtype: DTypeLike = None,
              precision: Optional[Choice] = None) -> Array:
    """NumPy's tensordot: sums over dims of a and b in pairs; the result has the other dims of a,
    then those of b. tensordot(a, b, dims_a=(1,), dims_b=(0,)). Errors: dims of different sizes
    (Error.ERROR_TYPE), lists of different lengths (Error.ERROR_ARGUMENT)."""
    c = context_of(a, b)
    a = c.handle(a)
    b = c.handle(b)
    args = c.record("tsr_tensordot_args", n=n, dims_a=dims_a, dims_b=dims_b, dtype=dtype,
                    precision=precision)
    return c.array(_tensordot(c.place(), a._h, b._h, args))


def inner(a: ArrayLike, b: ArrayLike) -> Array:
    """Sums over the last dim of both; a scalar multiplies."""
    c = context_of(a, b)
    a = c.handle(a)
    b = c.handle(b)
    return c.array(_inner(c.place(), a._h, b._h))


def outer(a: ArrayLike, b: ArrayLike) -> Array:
    """Each element of a with each of b, both ravelled: [m, n]."""
    c = context_of(a, b)
    a = c.handle(a)
    b = c.handle(b)
    return c.array(_outer(c.place(), a._h, b._h))


def vdot(a: ArrayLike, b: ArrayLike) -> Array:
    """The sum of conj(a) b over all elements, both ravelled."""
    c = context_of(a, b)
    a = c.handle(a)
    b = c.handle(b)
    return c.array(_vdot(c.place(), a._h, b._h))


def vecdot(a: ArrayLike, b: ArrayLike, axis: Dims = None) -> Array:
    """The sum of conj(a) b along a dim; other dims are broadcast: vecdot(a, b, axis=(0,)). Error
    (Error.ERROR_TYPE): different sizes of the dim."""
    c = context_of(a, b)
    a = c.handle(a)
    b = c.handle(b)
    args = c.record("tsr_vecdot_args", dim=axis)
    return c.array(_vecdot(c.place(), a._h, b._h, args))


def matvec(a: ArrayLike, b: ArrayLike) -> Array:
    """Matrices times vectors: [..., n, m] and [..., m] give [..., n]."""
    c = context_of(a, b)
    a = c.handle(a)
    b = c.handle(b)
    return c.array(_matvec(c.place(), a._h, b._h))


def vecmat(a: ArrayLike, b: ArrayLike) -> Array:
    """Conjugated vectors times matrices: [..., n] and [..., n, m] give [..., m]."""
    c = context_of(a, b)
    a = c.handle(a)
    b = c.handle(b)
    return c.array(_vecmat(c.place(), a._h, b._h))


def kron(a: ArrayLike, b: ArrayLike) -> Array:
    """Kronecker's product: dim d of the result has the product of both sizes, a's index in
    front."""
    c = context_of(a, b)
    a = c.handle(a)
    b = c.handle(b)
    return c.array(_kron(c.place(), a._h, b._h))


def cross(a: ArrayLike, b: ArrayLike, axis: Dims = None) -> Array:
    """The cross product of vectors of 3 along a dim; those of 2 have 0 as their third element, and
    of two of them the result is that element alone. Error (Error.ERROR_TYPE): other sizes."""
    c = context_of(a, b)
    a = c.handle(a)
    b = c.handle(b)
    args = c.record("tsr_cross_args", dim=axis)
    return c.array(_cross(c.place(), a._h, b._h, args))
