"""_lax.py - jax.lax: collectives, control flow, slices, products."""
import numpy as np

import tsr

from .. import _control, _tree
from . import _dtypes, _elementwise
from ._array import as_array, is_array, lifted, raw, wrapped, wraps
from ._backend import context
from ._products import _kept
from ._sharding import with_sharding_constraint  # noqa: F401
from ._transform import body

ELEMENTWISE = _elementwise.lax_members()


def _x(x):
    context()
    return as_array(x)._x


# ---- collectives: each takes a tree

def _leaves(function, x):
    return _tree.map(lambda y: wrapped(function(as_array(y)._x)), x, is_leaf=is_array)


def _sizes(axis_name):
    names = axis_name if isinstance(axis_name, (tuple, list)) else (axis_name,)
    return int(np.prod([axis_size(n) for n in names], dtype=np.int64))


def psum(x, axis_name, *, axis_index_groups=None):
    """The sum over an axis; of a Python number, that number times the size of the axis."""
    if type(x) in (int, float) and axis_index_groups is None:
        return x * _sizes(axis_name)
    return _leaves(lambda y: tsr.psum(y, axis_name, axis_index_groups=axis_index_groups), x)


def _collective(name):
    function = getattr(tsr, name)

    def of_tree(x, axis_name, *, axis_index_groups=None):
        return _leaves(lambda y: function(y, axis_name, axis_index_groups=axis_index_groups), x)
    of_tree.__name__, of_tree.__doc__ = name, function.__doc__
    return of_tree


pmean, pmax, pmin = _collective("pmean"), _collective("pmax"), _collective("pmin")


def all_gather(x, axis_name, *, axis_index_groups=None, axis=0, tiled=False):
    """What all have, along a new dim, or along this one."""
    return _leaves(lambda y: tsr.all_gather(y, axis_name, axis or None, tiled=tiled or None,
                                            axis_index_groups=axis_index_groups), x)


def psum_scatter(x, axis_name, *, scatter_dimension=0, axis_index_groups=None, tiled=False):
    """Each one's part of the sum."""
    return _leaves(lambda y: tsr.psum_scatter(y, axis_name, scatter_dimension or None,
                                              tiled=tiled or None,
                                              axis_index_groups=axis_index_groups), x)


def all_to_all(x, axis_name, split_axis, concat_axis, *, axis_index_groups=None, tiled=False):
    """Parts of one dim are exchanged for those of another."""
    return _leaves(lambda y: tsr.all_to_all(
        y, axis_name, split_axis=split_axis, concat_axis=concat_axis, tiled=tiled or None,
        axis_index_groups=axis_index_groups), x)


def ppermute(x, axis_name, perm):
    """What others send, by pairs of (source, destination)."""
    perm = [(int(a), int(b)) for a, b in perm]
    return _leaves(lambda y: tsr.ppermute(y, axis_name, perm), x)


def pshuffle(x, axis_name, perm):
    """Device k gets what device perm[k] has."""
    return ppermute(x, axis_name, list(zip(perm, range(len(perm)))))


def pswapaxes(x, axis_name, axis, *, axis_index_groups=None):
    """A dim exchanged for the mapped one."""
    return all_to_all(x, axis_name, axis, axis, axis_index_groups=axis_index_groups)


def axis_index(axis_name):
    """Which one this is along an axis."""
    context()
    return wrapped(tsr.axis_index(axis_name))


def axis_size(axis_name):
    """How many there are along an axis."""
    context()
    known = tsr.axis_sizes()
    if axis_name not in known:
        raise NameError(f"unbound axis name: {axis_name}. The following axis names are available: "
                        f"{sorted(known)}")
    return known[axis_name]


def pvary(x, axis_name):
    """The same as a value that may differ along axes."""
    return pcast(x, axis_name, to="varying")


def pcast(x, axis_name=None, *, to):
    """The same as another kind of value."""
    if to != "varying":
        raise NotImplementedError(f"jax.lax.pcast(to={to!r}) on Tessera")
    if isinstance(axis_name, (tuple, list)) and not axis_name:
        return lifted(x)
    return _leaves(lambda y: tsr.pcast(y, axis_name, to=to), x)


# ---- control flow

def _operands(operands):
    return tuple(lifted(x) for x in operands)


def cond(pred, true_fun, false_fun, *operands, operand=None):
    """true_fun(*operands) if pred is true, otherwise false_fun(*operands)."""
    operands = (operand,) if operand is not None and not operands else operands
    pred = as_array(pred)
    if pred.dtype != bool:
        pred = wrapped(tsr.ne(pred._x, 0))
    return wraps(_control.cond(pred._x, body(true_fun), body(false_fun), *_operands(operands)))


def switch(index, branches, *operands):
    """branches[index](*operands)."""
    return wraps(_control.switch(as_array(index)._x, [body(b) for b in branches],
                                 *_operands(operands)))


def while_loop(cond_fun, body_fun, init_val):
    """As long as cond_fun(carry) is true, body_fun(carry) replaces the carry."""
    context()
    return wraps(_control.while_loop(lambda x: raw(cond_fun(x)), body(body_fun),
                                     lifted(init_val)))


def fori_loop(lower, upper, body_fun, init_val, *, unroll=None):
    """body_fun(i, carry) replaces the carry for each i."""
    context()
    return wraps(_control.fori_loop(raw(lower), raw(upper),
                                    lambda i, x: lifted(body_fun(wrapped(i), x)),
                                    lifted(init_val), unroll=unroll))


def scan(f, init, xs=None, length=None, reverse=False, unroll=1):
    """f(carry, x) for each x, which gives the next carry, and y."""
    context()
    return wraps(_control.scan(body(f), lifted(init), lifted(xs), length, reverse=reverse,
                               unroll=unroll))


def map(f, xs, *, batch_size=None):
    """f(x) for each x, stacked."""
    context()
    return wraps(_control.map(body(f), lifted(xs), batch_size=batch_size))


def associative_scan(fn, elems, reverse=False, axis=0):
    """All partial results of an associative function."""
    context()
    return wraps(_control.associative_scan(body(fn), lifted(elems), reverse=reverse, axis=axis))


def optimization_barrier(operand, /):
    """A tree, whose leaves are all there before any of them is."""
    return wraps(tsr.optimization_barrier(lifted(operand)))


# ---- slices

def slice(operand, start_indices, limit_indices, strides=None):
    """The part between indices."""
    steps = strides or [1] * len(start_indices)
    parts = [builtin_slice(int(a), int(b), int(s)) for a, b, s in
             zip(start_indices, limit_indices, steps)]
    return as_array(operand)[tuple(parts)]


builtin_slice = type(np.s_[0:1])


def slice_in_dim(operand, start_index, limit_index, stride=1, axis=0):
    """The part between indices of one dim."""
    x = as_array(operand)
    index = [builtin_slice(None)] * x.ndim
    index[axis] = builtin_slice(start_index, limit_index, stride)
    return x[tuple(index)]


def index_in_dim(operand, index, axis=0, keepdims=True):
    """One element of a dim."""
    x = as_array(operand)
    index %= x.shape[axis]
    y = slice_in_dim(x, index, index + 1, axis=axis)
    return y if keepdims else squeeze(y, (axis,))


def dynamic_slice(operand, start_indices, slice_sizes):
    """The part of these sizes from starts that are computed."""
    starts = start_indices if isinstance(start_indices, (list, tuple)) else list(start_indices)
    return wrapped(tsr.dynamic_slice_dims(_x(operand), tuple(int(n) for n in slice_sizes),
                                          *(raw(s) for s in starts)))


def dynamic_slice_in_dim(operand, start_index, slice_size, axis=0):
    """The same of one dim."""
    x = _x(operand)
    return wrapped(tsr.dynamic_slice(x, axis % x.ndim, raw(start_index), slice_size))


def dynamic_index_in_dim(operand, index, axis=0, keepdims=True):
    """One element of a dim, whose index is computed."""
    y = dynamic_slice_in_dim(operand, index, 1, axis)
    return y if keepdims else squeeze(y, (axis % y.ndim,))


def dynamic_update_slice(operand, update, start_indices):
    """With a part replaced, from starts that are computed."""
    x, update = _x(operand), _x(update)
    return wrapped(tsr.dynamic_update_dims(x, update, *(raw(s) for s in start_indices)))


def dynamic_update_slice_in_dim(operand, update, start_index, axis):
    """The same of one dim."""
    x = _x(operand)
    return wrapped(tsr.dynamic_update(x, _x(update), axis % x.ndim, raw(start_index)))


def dynamic_update_index_in_dim(operand, update, index, axis):
    """With one element of a dim replaced."""
    x, update = as_array(operand), as_array(update)
    if update.ndim != x.ndim:
        update = expand_dims(update, (axis % x.ndim,))
    return dynamic_update_slice_in_dim(x, update, index, axis)


# ---- dims

def reshape(operand, new_sizes, dimensions=None):
    """The same elements with other dims."""
    if dimensions is not None:
        raise NotImplementedError("jax.lax.reshape(dimensions=) on Tessera")
    return wrapped(_x(operand).reshape(tuple(new_sizes)))


def transpose(operand, permutation):
    """The dims in another order."""
    return wrapped(tsr.transpose(_x(operand), perm=tuple(permutation)))


def expand_dims(array, dimensions):
    """New dims of size 1."""
    from ._shapes import expand_dims as own
    return own(array, tuple(dimensions))


def squeeze(array, dimensions):
    """Without dims of size 1."""
    from ._shapes import squeeze as own
    return own(array, tuple(dimensions))


def rev(operand, dimensions):
    """In reverse order along dims."""
    return wrapped(tsr.flip(_x(operand), tuple(dimensions)))


def concatenate(operands, dimension):
    """Joins arrays along a dim."""
    return wrapped(tsr.concatenate([_x(y) for y in operands], dimension))


def broadcast(operand, sizes):
    """Repeated along new dims in front."""
    x = _x(operand)
    return wrapped(tsr.broadcast_to(x, (*sizes, *x.shape)))


def broadcast_in_dim(operand, shape, broadcast_dimensions):
    """Repeated, with dims in these places."""
    return wrapped(tsr.broadcast_in_dim(_x(operand), tuple(shape), tuple(broadcast_dimensions)))


def pad(operand, padding_value, padding_config):
    """With elements before, behind, and between."""
    low, high, between = (tuple(int(c[k]) for c in padding_config) for k in range(3))
    return wrapped(tsr.pad(_x(operand), low, high, raw(padding_value),
                           interior=between if any(between) else None))


def full(shape, fill_value, dtype=None):
    """All one value."""
    from ._numpy import full as own
    return own(shape, fill_value, dtype)


def full_like(x, fill_value, dtype=None, shape=None):
    """All one value, with the dims of an array."""
    from ._numpy import full_like as own
    return own(x, fill_value, dtype, shape)


def iota(dtype, size):
    """0, 1, ... size - 1."""
    return broadcasted_iota(dtype, (size,), 0)


def broadcasted_iota(dtype, shape, dimension):
    """The numbers of one dim."""
    context()
    return wrapped(tsr.iota(tuple(shape), dimension, dtype=_dtypes.named(dtype)))


# ---- numbers

def convert_element_type(operand, new_dtype):
    """As another dtype."""
    return as_array(operand, new_dtype)


def bitcast_convert_type(operand, new_dtype):
    """The bits as numbers of another dtype."""
    return wrapped(tsr.bitcast_convert_type(_x(operand), _dtypes.named(new_dtype)))


def integer_pow(x, y):
    """A power whose exponent is an int."""
    return wrapped(tsr.integer_pow(_x(x), y))


def clamp(min, x, max):
    """Moved into a range."""
    return wrapped(tsr.clamp(raw(min), _x(x), raw(max)))


def select(pred, on_true, on_false):
    """on_true where pred is, otherwise on_false."""
    return wrapped(tsr.where(_x(pred), _x(on_true), _x(on_false)))


def _reduced(name):
    function = getattr(tsr, name)

    def of_array(operand, axes):
        return wrapped(function(_x(operand), tuple(axes)))
    of_array.__doc__ = function.__doc__
    return of_array


reduce_sum, reduce_max, reduce_min, reduce_prod = (_reduced(n) for n in ("sum", "max", "min",
                                                                         "prod"))


def _running(name):
    function = getattr(tsr, name)

    def of_array(operand, axis=0, reverse=False):
        x = _x(operand)
        return wrapped(function(x, axis % x.ndim, reverse=reverse or None))
    of_array.__doc__ = function.__doc__
    return of_array


cumsum, cumprod, cummax, cummin, cumlogsumexp = (
    _running(n) for n in ("cumsum", "cumprod", "cummax", "cummin", "cumlogsumexp"))


def argmax(operand, axis, index_dtype):
    """Where the largest is."""
    return wrapped(tsr.argmax(_x(operand), axis, dtype=_dtypes.named(index_dtype)))


def argmin(operand, axis, index_dtype):
    """Where the least is."""
    return wrapped(tsr.argmin(_x(operand), axis, dtype=_dtypes.named(index_dtype)))


def sort(operand, dimension=-1, is_stable=True, num_keys=1):
    """In order."""
    if isinstance(operand, (list, tuple)):
        raise NotImplementedError("jax.lax.sort() of several arrays on Tessera")
    x = _x(operand)
    return wrapped(tsr.sort(x, dimension % x.ndim))


def top_k(operand, k, *, axis=-1):
    """(the k largest elements, where they are)."""
    x = _x(operand)
    return [wrapped(y) for y in tsr.top_k(x, k, axis % x.ndim)]


def dot(lhs, rhs, *, precision=None, preferred_element_type=None):
    """Products of vectors and matrices."""
    return wrapped(tsr.dot(_x(lhs), _x(rhs), **_kept(precision, preferred_element_type)))


def batch_matmul(lhs, rhs, precision=None):
    """Products of the last two dims."""
    return wrapped(tsr.matmul(_x(lhs), _x(rhs), **_kept(precision, None)))


def dot_general(lhs, rhs, dimension_numbers, precision=None, preferred_element_type=None):
    """Products over dims by number: ((contracted of lhs, of rhs), (batch of lhs, of rhs))."""
    (a, b), (c, d) = dimension_numbers
    return wrapped(tsr.dot_general(_x(lhs), _x(rhs), contract_a=tuple(a), contract_b=tuple(b),
                                   batch_a=tuple(c), batch_b=tuple(d),
                                   **_kept(precision, preferred_element_type)))


class Precision:
    """How exact products are; here they are always as exact as their dtype."""

    DEFAULT, HIGH, HIGHEST = "default", "high", "highest"


_OWN = ("psum pmean pmax pmin all_gather psum_scatter all_to_all ppermute pshuffle pswapaxes "
        "axis_index axis_size pvary pcast cond switch while_loop fori_loop scan map "
        "associative_scan optimization_barrier slice slice_in_dim index_in_dim dynamic_slice "
        "dynamic_slice_in_dim dynamic_index_in_dim dynamic_update_slice "
        "dynamic_update_slice_in_dim dynamic_update_index_in_dim reshape transpose expand_dims "
        "squeeze rev concatenate broadcast broadcast_in_dim pad full full_like iota "
        "broadcasted_iota convert_element_type bitcast_convert_type integer_pow clamp select "
        "reduce_sum reduce_max reduce_min reduce_prod cumsum cumprod cummax cummin cumlogsumexp "
        "argmax argmin sort top_k dot batch_matmul dot_general Precision "
        "with_sharding_constraint").split()
MEMBERS = {**ELEMENTWISE, **{n: globals()[n] for n in _OWN}}
