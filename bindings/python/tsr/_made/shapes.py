"""shapes.py - the functions of tsr/shapes.h; tools/make_bindings.py made it of api/."""
from .._call import context_of, dims, enum
from .._lib import lib
from .._types import Any, Array, ArrayLike, Choice, DTypeLike, Dims, Optional, Sequence

__all__ = ["atleast_1d", "atleast_2d", "atleast_3d", "column_stack", "diag", "diagflat",
           "diagonal", "dstack", "dynamic_roll", "fill_diagonal", "hstack", "indices", "moveaxis",
           "ravel_multi_index", "repeat_each", "resize", "rot90", "swapaxes", "tile", "trace",
           "tri", "tril", "triu", "vander", "view_as_complex", "view_as_real", "vstack"]

_moveaxis = lib.tsr_moveaxis_at
_swapaxes = lib.tsr_swapaxes_at
_atleast_1d = lib.tsr_atleast_1d_at
_atleast_2d = lib.tsr_atleast_2d_at
_atleast_3d = lib.tsr_atleast_3d_at
_dynamic_roll = lib.tsr_dynamic_roll_at
_rot90 = lib.tsr_rot90_at
_tile = lib.tsr_tile_at
_repeat_each = lib.tsr_repeat_each_at
_resize = lib.tsr_resize_at
_hstack = lib.tsr_hstack_at
_vstack = lib.tsr_vstack_at
_dstack = lib.tsr_dstack_at
_column_stack = lib.tsr_column_stack_at
_view_as_real = lib.tsr_view_as_real_at
_view_as_complex = lib.tsr_view_as_complex_at
_diagonal = lib.tsr_diagonal_at
_trace = lib.tsr_trace_at
_diag = lib.tsr_diag_at
_diagflat = lib.tsr_diagflat_at
_tril = lib.tsr_tril_at
_triu = lib.tsr_triu_at
_tri = lib.tsr_tri_at
_fill_diagonal = lib.tsr_fill_diagonal_at
_vander = lib.tsr_vander_at
_indices = lib.tsr_indices_at
_ravel_multi_index = lib.tsr_ravel_multi_index_at


def moveaxis(x: ArrayLike, source: Dims, destination: Dims) -> Array:
    """With dims from[i] as dims to[i] of the result; the others keep their order. moveaxis(x,
    (0,), (-1,)). Error (Error.ERROR_ARGUMENT): lists of different lengths."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_moveaxis(c.place(), x._h, dims(source), dims(destination)))


def swapaxes(x: ArrayLike, axis1: int, axis2: int) -> Array:
    """x with the dims a and b in each other's place: swapaxes(x, 0, 1)."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_swapaxes(c.place(), x._h, axis1, axis2))


def atleast_1d(x: ArrayLike) -> Array:
    """x with at least one dim: a scalar becomes [1], all else is left as it is."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_atleast_1d(c.place(), x._h))


def atleast_2d(x: ArrayLike) -> Array:
    """x with at least two dims, of which new ones are in front: [n] becomes [1, n]."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_atleast_2d(c.place(), x._h))


def atleast_3d(x: ArrayLike) -> Array:
    """x with at least three dims: [n] becomes [1, n, 1], and [m, n] [m, n, 1]."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_atleast_3d(c.place(), x._h))


def dynamic_roll(x: ArrayLike, shift: ArrayLike, axis: int) -> Array:
    """roll() by a shift that may be traced: an integer, of C or an array without dims, which
    counts modulo the size of the dim. dynamic_roll(x, step, 0). Error (Error.ERROR_TYPE): another
    shift."""
    c = context_of(x, shift)
    x = c.handle(x)
    shift = c.operand(shift)
    return c.array(_dynamic_roll(c.place(), x._h, shift, axis))


def rot90(x: ArrayLike, k: int = 1, a: int = 0, b: int = 1) -> Array:
    """A quarter turn, k times, from dim a to dim b: rot90(image, 1, 0, 1). Error
    (Error.ERROR_ARGUMENT): a and b are one dim."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_rot90(c.place(), x._h, k, a, b))


def tile(x: ArrayLike, reps: Dims) -> Array:
    """The whole of x times[d] times along dim d: tile(x, (2, 1)). Lists of different lengths are
    completed by ones in front. Error (Error.ERROR_ARGUMENT): a negative number."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_tile(c.place(), x._h, dims(reps)))


def repeat_each(x: ArrayLike, times: ArrayLike, n: int, axis: int) -> Array:
    """Element i of a dim times[i] times, for an array of integers of one dim, or one for all
    elements; along FLAT x is ravelled first. The dim gets the size n, whatever they hold: what is
    too much is cut off, and where there is too little the last element fills the rest. Negative
    ones count as 0. jnp.repeat() with total_repeat_length: repeat_each(x, counts, 10, 0). Errors:
    times that are no integers or not as many (Error.ERROR_TYPE), a negative n, nothing to repeat
    (Error.ERROR_ARGUMENT)."""
    c = context_of(x, times)
    x = c.handle(x)
    times = c.handle(times)
    return c.array(_repeat_each(c.place(), x._h, times._h, n, axis))


def resize(x: ArrayLike, shape: Dims) -> Array:
    """The elements of x, ravelled, again and again, until these dims are full."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_resize(c.place(), x._h, dims(shape)))


def hstack(x: Sequence[ArrayLike]) -> Array:
    """Arrays joined along dim 1, those of one dim along dim 0: hstack(a, b)."""
    c = context_of(*x)
    x = c.handles(x)
    return c.array(_hstack(c.place(), x, len(x)))


def vstack(x: Sequence[ArrayLike]) -> Array:
    """Arrays joined along dim 0; those of one dim are rows."""
    c = context_of(*x)
    x = c.handles(x)
    return c.array(_vstack(c.place(), x, len(x)))


def dstack(x: Sequence[ArrayLike]) -> Array:
    """Arrays joined along dim 2, after atleast_3d()."""
    c = context_of(*x)
    x = c.handles(x)
    return c.array(_dstack(c.place(), x, len(x)))


def column_stack(x: Sequence[ArrayLike]) -> Array:
    """Arrays joined along dim 1; those of one dim are columns."""
    c = context_of(*x)
    x = c.handles(x)
    return c.array(_column_stack(c.place(), x, len(x)))


def view_as_real(z: ArrayLike) -> Array:
    """Complex numbers [...] as their real and imaginary parts, [..., 2]: view_as_real(z). Where z
    may be real, real() and imag() take it. Error (Error.ERROR_TYPE): numbers that are not
    complex."""
    c = context_of(z)
    z = c.handle(z)
    return c.array(_view_as_real(c.place(), z._h))


def view_as_complex(x: ArrayLike) -> Array:
    """Pairs [..., 2] of f32 or f64 as complex numbers [...]: the inverse. Error
    (Error.ERROR_TYPE): other dims or another dtype."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_view_as_complex(c.place(), x._h))


def diagonal(x: ArrayLike, *, k: Optional[int] = None, axis: Dims = None,
             dtype: DTypeLike = None) -> Array:
    """A diagonal of two dims, as the last dim: diagonal(x, k=1). Error (Error.ERROR_TYPE): less
    than two dims."""
    c = context_of(x)
    x = c.handle(x)
    args = c.record("tsr_diagonal_args", k=k, dims=axis, dtype=dtype)
    return c.array(_diagonal(c.place(), x._h, args))


def trace(x: ArrayLike, *, k: Optional[int] = None, axis: Dims = None,
          dtype: DTypeLike = None) -> Array:
    """The sum of the elements of diagonal(), which the keywords choose: trace(x, k=1)."""
    c = context_of(x)
    x = c.handle(x)
    args = c.record("tsr_diagonal_args", k=k, dims=axis, dtype=dtype)
    return c.array(_trace(c.place(), x._h, args))


def diag(x: ArrayLike, k: int = 0) -> Array:
    """Of one dim: a square matrix with x as diagonal k, and zeros. Of two: diagonal k."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_diag(c.place(), x._h, k))


def diagflat(x: ArrayLike, k: int = 0) -> Array:
    """A square matrix with the elements of x, ravelled, as diagonal k, and zeros."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_diagflat(c.place(), x._h, k))


def tril(x: ArrayLike, k: int = 0) -> Array:
    """The elements of each matrix in the last two dims, with zeros above diagonal k: tril(x,
    0)."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_tril(c.place(), x._h, k))


def triu(x: ArrayLike, k: int = 0) -> Array:
    """The elements of each matrix in the last two dims, with zeros below diagonal k: triu(x,
    1)."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_triu(c.place(), x._h, k))


def tri(n: int, m: Optional[int] = None, k: int = 0, *, dtype: DTypeLike = None) -> Array:
    """n x m ones up to diagonal k, and zeros above it; f32 when not given."""
    c = context_of()
    m = n if m is None else m
    args = c.record("tsr_new_args", dtype=dtype)
    return c.array(_tri(c.place(), c.pointer, n, m, k, args))


def fill_diagonal(x: ArrayLike, value: ArrayLike) -> Array:
    """x with its elements (i, i, ...) replaced by a number. Errors (Error.ERROR_TYPE): less than
    two dims, more than two that differ."""
    c = context_of(x, value)
    x = c.handle(x)
    value = c.operand(value)
    return c.array(_fill_diagonal(c.place(), x._h, value))


def vander(x: ArrayLike, n: int, increasing: bool) -> Array:
    """Columns x^(n - 1), ..., x, 1; increasing: from 1 on. [m] gives [m, n]."""
    c = context_of(x)
    x = c.handle(x)
    return c.array(_vander(c.place(), x._h, n, increasing))


def indices(shape: Dims, *, dtype: DTypeLike = None) -> Array:
    """The index of each element of an array of these dims along each dim: [number of dims, dims
    ...]; when not given i32, or i64 where a dim needs it."""
    c = context_of()
    args = c.record("tsr_new_args", dtype=dtype)
    return c.array(_indices(c.place(), c.pointer, dims(shape), args))


def ravel_multi_index(x: Any, shape: Dims, mode: Choice) -> Array:
    """The row-major numbers of places, one array for each of these dims, integers: moved into the
    dims with "clip", modulo their sizes with "wrap", and otherwise as they are."""
    c = context_of()
    return c.array(_ravel_multi_index(c.place(), x, dims(shape), enum("tsr_index_mode", mode)))
