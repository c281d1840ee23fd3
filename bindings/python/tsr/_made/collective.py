"""collective.py - the functions of tsr/collective.h; tools/make_bindings.py made it of api/."""
from .._call import axes, context_of, pairs
from .._lib import lib
from .._types import Any, Array, ArrayLike, Axes, Choice, Dims, Optional, Sequence

__all__ = ["all_gather", "all_to_all", "axis_index", "axis_size", "pbroadcast", "pcast", "pmax",
           "pmean", "pmin", "ppermute", "pshuffle", "psum", "psum_scatter", "pswapaxes",
           "ragged_all_to_all"]

_psum = lib.tsr_psum_at
_pmean = lib.tsr_pmean_at
_pmax = lib.tsr_pmax_at
_pmin = lib.tsr_pmin_at
_all_gather = lib.tsr_all_gather_at
_psum_scatter = lib.tsr_psum_scatter_at
_all_to_all = lib.tsr_all_to_all_at
_pswapaxes = lib.tsr_pswapaxes_at
_ppermute = lib.tsr_ppermute_at
_pshuffle = lib.tsr_pshuffle_at
_pbroadcast = lib.tsr_pbroadcast_at
_ragged_all_to_all = lib.tsr_ragged_all_to_all_at
_axis_index = lib.tsr_axis_index_at
_axis_size = lib.tsr_axis_size_at
_pcast = lib.tsr_pcast_at


def psum(x: ArrayLike, axis_name: Axes, *,
         axis_index_groups: Optional[Sequence[Sequence[int]]] = None) -> Array:
    """The sum over all i, by a fixed binary tree over i (docs/numerics.md); bool as i32. Does not
    vary over the axes, except with groups, which may differ in size. psum(x, "x*y")"""
    c = context_of(x)
    x = c.handle(x)
    args = c.record("tsr_group_args", groups=axis_index_groups)
    return c.scoped(_psum, c.place(), x._h, axes(axis_name), args)


def pmean(x: ArrayLike, axis_name: Axes, *,
          axis_index_groups: Optional[Sequence[Sequence[int]]] = None) -> Array:
    """psum() divided by n; 16-bit floats in f32, rounded once; integers and bool give f32,
    integers of 64 bits f64. Groups are of one size."""
    c = context_of(x)
    x = c.handle(x)
    args = c.record("tsr_group_args", groups=axis_index_groups)
    return c.scoped(_pmean, c.place(), x._h, axes(axis_name), args)


def pmax(x: ArrayLike, axis_name: Axes, *,
         axis_index_groups: Optional[Sequence[Sequence[int]]] = None) -> Array:
    """The largest x[i] over all i along an axis, in the dtype of x, compared as by maximum():
    pmax(x, "x"). Otherwise as psum()."""
    c = context_of(x)
    x = c.handle(x)
    args = c.record("tsr_group_args", groups=axis_index_groups)
    return c.scoped(_pmax, c.place(), x._h, axes(axis_name), args)


def pmin(x: ArrayLike, axis_name: Axes, *,
         axis_index_groups: Optional[Sequence[Sequence[int]]] = None) -> Array:
    """The smallest x[i] over all i along an axis, in the dtype of x, compared as by minimum():
    pmin(x, "x"). Otherwise as psum()."""
    c = context_of(x)
    x = c.handle(x)
    args = c.record("tsr_group_args", groups=axis_index_groups)
    return c.scoped(_pmin, c.place(), x._h, axes(axis_name), args)


def all_gather(x: ArrayLike, axis_name: Axes, axis: Dims = None, *, tiled: Optional[bool] = None,
               axis_index_groups: Optional[Sequence[Sequence[int]]] = None,
               to: Optional[Choice] = None) -> Array:
    """All x[i] in order of i: stacked along a new dim of size n, or with tiled concatenated along
    a dim, whose size is multiplied by n. all_gather(x, "x", axis=(0,), tiled=True)"""
    c = context_of(x)
    x = c.handle(x)
    args = c.record("tsr_all_gather_args", dim=axis, tiled=tiled, groups=axis_index_groups, to=to)
    return c.scoped(_all_gather, c.place(), x._h, axes(axis_name), args)


def psum_scatter(x: ArrayLike, axis_name: Axes, axis: Dims = None, *, tiled: Optional[bool] = None,
                 axis_index_groups: Optional[Sequence[Sequence[int]]] = None) -> Array:
    """The sum over all devices, of which each keeps its part along a dim: psum_scatter(x, "x",
    axis=(1,), tiled=True)."""
    c = context_of(x)
    x = c.handle(x)
    args = c.record("tsr_psum_scatter_args", dim=axis, tiled=tiled, groups=axis_index_groups)
    return c.scoped(_psum_scatter, c.place(), x._h, axes(axis_name), args)


def all_to_all(x: ArrayLike, axis_name: Axes, *, split_axis: Dims = None, concat_axis: Dims = None,
               tiled: Optional[bool] = None,
               axis_index_groups: Optional[Sequence[Sequence[int]]] = None) -> Array:
    """Device i cuts x into n parts along dim split_axis, sends part j to device j, and puts what
    comes from j at place j along dim concat_axis: all_to_all(x, "x", split=(1,), tiled=True)."""
    c = context_of(x)
    x = c.handle(x)
    args = c.record("tsr_all_to_all_args", split=split_axis, concat=concat_axis, tiled=tiled,
                    groups=axis_index_groups)
    return c.scoped(_all_to_all, c.place(), x._h, axes(axis_name), args)


def pswapaxes(x: ArrayLike, axis_name: Axes, axis: int, *,
              axis_index_groups: Optional[Sequence[Sequence[int]]] = None) -> Array:
    """Exchanges an axis with a dim of size n: all_to_all() with split_axis and concat_axis this
    dim, not tiled. pswapaxes(x, "x", 0)"""
    c = context_of(x)
    x = c.handle(x)
    args = c.record("tsr_group_args", groups=axis_index_groups)
    return c.scoped(_pswapaxes, c.place(), x._h, axes(axis_name), axis, args)


def ppermute(x: ArrayLike, axis_name: Axes, perm: Any, *,
             axis_index_groups: Optional[Sequence[Sequence[int]]] = None) -> Array:
    """Device d gets x[s] for each pair {s, d}. A device that is no destination gets zeros:
    ppermute(x, "x", "shift"(1)). Error (Error.ERROR_ARGUMENT): a source or a destination that
    occurs twice, or is not one of 0 .. n - 1."""
    c = context_of(x)
    x = c.handle(x)
    args = c.record("tsr_group_args", groups=axis_index_groups)
    return c.scoped(_ppermute, c.place(), x._h, axes(axis_name), pairs(perm), args)


def pshuffle(x: ArrayLike, axis_name: Axes, source: Any, count: int, *,
             axis_index_groups: Optional[Sequence[Sequence[int]]] = None) -> Array:
    """Device i gets x[source[i]]; source is a permutation of 0 .. n - 1 and count is n:
    pshuffle(x, "x", order, 4)."""
    c = context_of(x)
    x = c.handle(x)
    args = c.record("tsr_group_args", groups=axis_index_groups)
    return c.scoped(_pshuffle, c.place(), x._h, axes(axis_name), source, count, args)


def pbroadcast(x: ArrayLike, axis_name: Axes, source: int, *,
               axis_index_groups: Optional[Sequence[Sequence[int]]] = None,
               to: Optional[Choice] = None) -> Array:
    """Every device gets x[source], 0 <= source < n: pbroadcast(x, "x", 0, to="to_invarying")."""
    c = context_of(x)
    x = c.handle(x)
    args = c.record("tsr_pbroadcast_args", groups=axis_index_groups, to=to)
    return c.scoped(_pbroadcast, c.place(), x._h, axes(axis_name), source, args)


def ragged_all_to_all(operand: ArrayLike, output: ArrayLike, input_offsets: ArrayLike,
                      send_sizes: ArrayLike, output_offsets: ArrayLike, recv_sizes: ArrayLike,
                      axis_name: Axes, *,
                      axis_index_groups: Optional[Sequence[Sequence[int]]] = None) -> Array:
    """Device i sends send_sizes[j] rows of operand, from row input_offsets[j] on, to device j.
    There they go into the result from row output_offsets[j] on, with the output_offsets of device
    i. Rows that nobody writes are those of output. recv_sizes[j]: how many rows come from j.
    operand and output have the same dtype, and the same dims except dim 0. The four lists are
    integers of dims [n], or [m * n] for m pieces for each device. Gradients are right if
    recv_sizes is, and if no row is sent twice or written twice. ragged_all_to_all(operand, output,
    input_offsets, send_sizes, output_offsets, recv_sizes, "x")"""
    c = context_of(operand, output, input_offsets, send_sizes, output_offsets, recv_sizes)
    operand = c.handle(operand)
    output = c.handle(output)
    input_offsets = c.handle(input_offsets)
    send_sizes = c.handle(send_sizes)
    output_offsets = c.handle(output_offsets)
    recv_sizes = c.handle(recv_sizes)
    args = c.record("tsr_group_args", groups=axis_index_groups)
    return c.scoped(_ragged_all_to_all, c.place(), operand._h, output._h, input_offsets._h,
                    send_sizes._h, output_offsets._h, recv_sizes._h, axes(axis_name), args)


def axis_index(axis_name: Axes, *,
               axis_index_groups: Optional[Sequence[Sequence[int]]] = None) -> Array:
    """The device's own i, an i32 scalar: axis_index(x, "x"), where x only says which context."""
    c = context_of()
    args = c.record("tsr_group_args", groups=axis_index_groups)
    return c.scoped(_axis_index, c.place(), c.pointer, axes(axis_name), args)


def axis_size(axis_name: Axes, *,
              axis_index_groups: Optional[Sequence[Sequence[int]]] = None) -> int:
    """n, known while tracing: axis_size(x, "x*y"). Groups are of one size. 0 on failure."""
    c = context_of()
    args = c.record("tsr_group_args", groups=axis_index_groups)
    return c.number(_axis_size(c.place(), c.pointer, axes(axis_name), args))


def pcast(x: ArrayLike, axis_name: Axes, *, to: Optional[Choice] = None) -> Array:
    """x, typed as varying over the axes. Nothing is moved, so there are no groups: pcast(x, "x",
    to="to_varying"). Errors (Error.ERROR_SHARDING): x varies over one of them already; to is
    "to_invarying", which only a collective can make true."""
    c = context_of(x)
    x = c.handle(x)
    args = c.record("tsr_pcast_args", to=to)
    return c.scoped(_pcast, c.place(), x._h, axes(axis_name), args)
