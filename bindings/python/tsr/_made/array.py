"""array.py - the functions of tsr/array.h; tools/make_bindings.py made it of api/."""
from .._call import context_of, dims
from .._lib import lib
from .._types import Array, ArrayLike, DTypeLike, Dims, Optional

__all__ = ["eye", "full", "gather_whole", "ones", "ones_like", "scalar", "shard_alike", "zeros",
           "zeros_like"]

_zeros = lib.tsr_zeros_at
_ones = lib.tsr_ones_at
_full = lib.tsr_full_at
_scalar = lib.tsr_scalar_at
_eye = lib.tsr_eye_at
_zeros_like = lib.tsr_zeros_like_at
_ones_like = lib.tsr_ones_like_at
_gather_whole = lib.tsr_gather_whole_at
_shard_alike = lib.tsr_shard_alike_at


def zeros(shape: Dims, dtype: DTypeLike = None) -> Array:
    """An array with all elements 0 (false), f32 when no dtype is given: zeros((2, 3),
    dtype=i32)."""
    c = context_of()
    args = c.record("tsr_new_args", dtype=dtype)
    return c.scoped(_zeros, c.place(), c.pointer, dims(shape), args)


def ones(shape: Dims, dtype: DTypeLike = None) -> Array:
    """An array with all elements 1 (true), f32 when no dtype is given: ones((2, 3),
    dtype=bool)."""
    c = context_of()
    args = c.record("tsr_new_args", dtype=dtype)
    return c.scoped(_ones, c.place(), c.pointer, dims(shape), args)


def full(shape: Dims, number: ArrayLike, dtype: DTypeLike = None) -> Array:
    """An array with all elements one number: full((4,), 2.5). dtype when not given: bool, i32, f32
    or c64, by the kind of number."""
    c = context_of(number)
    number = c.operand(number)
    args = c.record("tsr_new_args", dtype=dtype)
    return c.scoped(_full, c.place(), c.pointer, dims(shape), number, args)


def scalar(number: ArrayLike, *, dtype: DTypeLike = None) -> Array:
    """A number as an array without dims: scalar(0.5). dtype as for full()."""
    c = context_of(number)
    number = c.operand(number)
    args = c.record("tsr_new_args", dtype=dtype)
    return c.scoped(_scalar, c.place(), c.pointer, number, args)


def eye(n: int, columns: Optional[int] = None, k: Optional[int] = None,
        dtype: DTypeLike = None) -> Array:
    """The n x n identity matrix, [n, n], or [n, columns]; f32 when no dtype is given: eye(3)."""
    c = context_of()
    args = c.record("tsr_eye_args", columns=columns, k=k, dtype=dtype)
    return c.array(_eye(c.place(), c.pointer, n, args))


def zeros_like(x: ArrayLike) -> Array:
    """Zeros of the dims and dtype of x, and where x was put, each device with its own part:
    zeros_like(w) for the state of an optimiser. In a traced body they are where x is, if what is
    computed from them does not decide otherwise, and vary over the same axes as x."""
    c = context_of(x)
    x = c.handle(x)
    return c.scoped(_zeros_like, c.place(), x._h)


def ones_like(x: ArrayLike) -> Array:
    """Ones of the dims and dtype of x, and where x was put, each device with its own part; in a
    traced body placed as zeros_like() places zeros."""
    c = context_of(x)
    x = c.handle(x)
    return c.scoped(_ones_like, c.place(), x._h)


def gather_whole(x: ArrayLike) -> Array:
    """All of x in this process, on its first device, not committed to it: what read(), print() and
    files need where x is spread over devices of several processes. Collective: every process with
    a device of x makes this call, and each gets the whole. Elsewhere it moves x to the first
    device. print(gather_whole(x)). Errors: in a traced body (Error.ERROR_SHARDING), where
    all_gather() and constrain() are meant; those of put()."""
    c = context_of(x)
    x = c.handle(x)
    return c.scoped(_gather_whole, c.place(), x._h)


def shard_alike(x: ArrayLike, like: ArrayLike) -> Array:
    """x itself, placed as like is, which has the same dims: y = shard_alike(y, x), as JAX's
    shard_alike. In a traced body the program has both alike, also where only x is placed by
    something else, and their tangents and cotangents too; where both are, like decides. Outside of
    bodies it moves x, but not away from the devices that x is committed to. Error
    (Error.ERROR_TYPE): other dims."""
    c = context_of(x, like)
    x = c.handle(x)
    like = c.handle(like)
    return c.scoped(_shard_alike, c.place(), x._h, like._h)
