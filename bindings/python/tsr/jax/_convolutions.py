"""_convolutions.py - convolutions, windows, gather and scatter of jax.lax, and its linalg."""
import collections
import enum
import math

import tsr

from . import _dtypes, _elementwise, _lax, _shapes
from ._array import as_array, raw, wrapped
from ._products import _kept
from ._shapes import _x

ConvDimensionNumbers = collections.namedtuple("ConvDimensionNumbers",
                                              "lhs_spec rhs_spec out_spec")
GatherDimensionNumbers = collections.namedtuple(
    "GatherDimensionNumbers", "offset_dims collapsed_slice_dims start_index_map "
    "operand_batching_dims start_indices_batching_dims", defaults=((), ()))
ScatterDimensionNumbers = collections.namedtuple(
    "ScatterDimensionNumbers", "update_window_dims inserted_window_dims "
    "scatter_dims_to_operand_dims operand_batching_dims scatter_indices_batching_dims",
    defaults=((), ()))


class RoundingMethod(enum.IntEnum):
    """How halves are rounded."""

    AWAY_FROM_ZERO = 0
    TO_NEAREST_EVEN = 1


class GatherScatterMode(enum.Enum):
    """What is done with indices that are out of range."""

    CLIP = 0
    FILL_OR_DROP = 1
    PROMISE_IN_BOUNDS = 2
    ONE_HOT = 3


# ---- convolutions

def _specs(numbers, rank):
    """Letters for the dims of each array, as the library takes them."""
    if numbers is None:
        return {}
    if isinstance(numbers, ConvDimensionNumbers):
        space = "0123456"[:rank - 2]
        def letters(spec, first, second):
            made = [""] * rank
            for letter, at in zip(first + second + space, spec):
                made[at] = letter
            return "".join(made)
        numbers = (letters(numbers.lhs_spec, "N", "C"), letters(numbers.rhs_spec, "O", "I"),
                   letters(numbers.out_spec, "N", "C"))
    return dict(zip(("lhs_spec", "rhs_spec", "out_spec"), numbers))


def conv_dimension_numbers(lhs_shape, rhs_shape, dimension_numbers):
    """Letters as numbers of dims."""
    if isinstance(dimension_numbers, ConvDimensionNumbers):
        return dimension_numbers
    rank = len(lhs_shape)
    if dimension_numbers is None:
        return ConvDimensionNumbers(*[tuple(range(rank))] * 3)
    lhs, rhs, out = dimension_numbers
    order = sorted((c for c in lhs if c not in "NC"), key=lambda c: rhs.index(c))

    def spec(text, first, second):
        return (text.index(first), text.index(second), *(text.index(c) for c in order))
    return ConvDimensionNumbers(spec(lhs, "N", "C"), spec(rhs, "O", "I"), spec(out, "N", "C"))


def _padding(padding):
    if isinstance(padding, str):
        return {"padding": padding.lower()}
    return {"low": tuple(int(a) for a, _ in padding), "high": tuple(int(b) for _, b in padding)}


def _given(**keywords):
    return {n: x for n, x in keywords.items() if x is not None}


def _counts(counts):
    return None if counts is None or all(int(n) == 1 for n in counts) else tuple(map(int, counts))


def conv_general_dilated(lhs, rhs, window_strides, padding, lhs_dilation=None, rhs_dilation=None,
                         dimension_numbers=None, feature_group_count=1, batch_group_count=1,
                         precision=None, preferred_element_type=None, *, out_sharding=None):
    """The products of each window with a kernel, summed."""
    lhs, rhs = _x(lhs), _x(rhs)
    if isinstance(padding, str) and _counts(lhs_dilation):
        raise ValueError("String padding is not implemented for transposed convolution using "
                         "conv_general_dilated: give numbers")
    return wrapped(tsr.conv_general_dilated(
        lhs, rhs, strides=tuple(map(int, window_strides)), **_padding(padding),
        **_given(lhs_dilation=_counts(lhs_dilation), rhs_dilation=_counts(rhs_dilation),
                 feature_group_count=feature_group_count if feature_group_count > 1 else None,
                 batch_group_count=batch_group_count if batch_group_count > 1 else None),
        **_specs(dimension_numbers, lhs.ndim), **_kept(precision, preferred_element_type)))


def conv(lhs, rhs, window_strides, padding, precision=None, preferred_element_type=None):
    """A convolution of arrays [batch, features, ...] with kernels [output, input, ...]."""
    return conv_general_dilated(lhs, rhs, window_strides, padding, precision=precision,
                                preferred_element_type=preferred_element_type)


def conv_with_general_padding(lhs, rhs, window_strides, padding, lhs_dilation, rhs_dilation,
                              precision=None, preferred_element_type=None):
    """The same with dilation."""
    return conv_general_dilated(lhs, rhs, window_strides, padding, lhs_dilation, rhs_dilation,
                                precision=precision,
                                preferred_element_type=preferred_element_type)


def conv_transpose(lhs, rhs, strides, padding, rhs_dilation=None, dimension_numbers=None,
                   transpose_kernel=False, precision=None, preferred_element_type=None,
                   use_consistent_padding=False):
    """A convolution in steps of less than an element."""
    if use_consistent_padding:
        raise NotImplementedError("jax.lax.conv_transpose(use_consistent_padding=) on Tessera")
    lhs = _x(lhs)
    if dimension_numbers is None and lhs.ndim > 2:
        space = "DHW"[5 - lhs.ndim:]
        dimension_numbers = f"N{space}C", f"{space}IO", f"N{space}C"
    kept = _kept(precision, preferred_element_type)
    if precision is not None:
        kept.pop("precision", None)
    return wrapped(tsr.conv_transpose(
        lhs, _x(rhs), strides=tuple(map(int, strides)), **_padding(padding),
        **_given(rhs_dilation=_counts(rhs_dilation), transpose_kernel=transpose_kernel or None),
        **_specs(dimension_numbers, lhs.ndim), **kept))


def conv_general_dilated_patches(lhs, filter_shape, window_strides, padding, lhs_dilation=None,
                                 rhs_dilation=None, dimension_numbers=None, precision=None,
                                 preferred_element_type=None, *, out_sharding=None):
    """The windows as features."""
    lhs = _x(lhs)
    return wrapped(tsr.conv_general_dilated_patches(
        lhs, tuple(map(int, filter_shape)), strides=tuple(map(int, window_strides)),
        **_padding(padding),
        **_given(lhs_dilation=_counts(lhs_dilation), rhs_dilation=_counts(rhs_dilation)),
        **_specs(dimension_numbers, lhs.ndim), **_kept(precision, preferred_element_type)))


# ---- reductions by any function

def _combine(function):
    """The name of a function of jax.lax or jax.numpy that the library reduces windows by."""
    name = getattr(function, "__name__", "")
    found = {"max": "max", "maximum": "max", "min": "min", "minimum": "min", "add": "add",
             "mul": "mul", "multiply": "mul"}.get(name)
    known = (*_elementwise.LAX_BINARY, *_elementwise.BINARY)
    own = getattr(function, "__wrapped__", function)
    return found if found and name in known and getattr(
        own, "__module__", "").startswith("tsr.jax") else None


def reduce_window(operand, init_value, computation, window_dimensions, window_strides, padding,
                  base_dilation=None, window_dilation=None):
    """The elements of each window combined."""
    how = _combine(computation)
    x = _x(operand)
    if how is None:
        raise NotImplementedError("jax.lax.reduce_window() on Tessera combines by lax.add, mul, "
                                  "max or min")
    made = tsr.reduce_window(
        x, how, tuple(map(int, window_dimensions)), strides=tuple(map(int, window_strides)),
        **_padding(padding), **_given(base_dilation=_counts(base_dilation),
                                      window_dilation=_counts(window_dilation)))
    start = {"add": 0, "mul": 1}.get(how)
    known = start is not None and not hasattr(init_value, "shape") and init_value == start or \
        start is None and not hasattr(init_value, "shape") and math.isinf(init_value)
    if not known:
        made = {"add": tsr.add, "mul": tsr.mul, "max": tsr.maximum, "min": tsr.minimum}[how](
            made, raw(as_array(init_value, str(x.dtype))))
    return wrapped(made)


def reduce(operands, init_values, computation, dimensions, out_sharding=None):
    """All elements of dims combined."""
    if isinstance(operands, (list, tuple)):
        raise NotImplementedError("jax.lax.reduce() of several arrays on Tessera")
    x = as_array(operands)
    axes = [k % x.ndim for k in dimensions]
    if not axes:
        return x
    rest = [k for k in range(x.ndim) if k not in axes]
    y = _shapes.reshape(_shapes.transpose(x, (*axes, *rest)),
                        (-1, *(x.shape[k] for k in rest)))
    made = as_array(init_values, x.dtype)
    if not y.shape[0]:
        return _shapes.broadcast_to(made, y.shape[1:])
    while y.shape[0] > 1:  # pairs: an associative function, as JAX asks for
        half = y.shape[0] // 2
        pairs = as_array(computation(y[:half], y[half:2 * half]))
        y = _shapes.concatenate([pairs, y[2 * half:]]) if y.shape[0] % 2 else pairs
    return as_array(computation(_shapes.broadcast_to(made, y.shape[1:]), y[0]))


def _logical(name):
    function = getattr(tsr, name)

    def of_array(operand, axes, *, out_sharding=None):
        return wrapped(function(_x(operand), tuple(axes)))
    of_array.__name__, of_array.__doc__ = name, function.__doc__
    return of_array


# ---- gather and scatter

def _mode(mode):
    if mode is None:
        return None
    name = mode.name if isinstance(mode, GatherScatterMode) else str(mode)
    return {"promise_in_bounds": "clip"}.get(name.lower(), name.lower())


def gather(operand, start_indices, dimension_numbers, slice_sizes, *, unique_indices=False,
           indices_are_sorted=False, mode=None, fill_value=None):
    """Windows that start at index vectors."""
    if fill_value is not None:
        raise NotImplementedError("jax.lax.gather(fill_value=) on Tessera")
    given = {n: tuple(x) for n, x in dimension_numbers._asdict().items() if x}
    return wrapped(tsr.gather(_x(operand), _x(start_indices), tuple(map(int, slice_sizes)),
                              **given, **_given(mode=_mode(mode))))


def _scatter(how):
    def scatter(operand, scatter_indices, updates, dimension_numbers, *,
                indices_are_sorted=False, unique_indices=False, mode=None):
        x = _x(operand)
        given = {n: tuple(v) for n, v in dimension_numbers._asdict().items() if v}
        return wrapped(tsr.scatter(x, _x(scatter_indices), _x(updates).astype(x.dtype), **given,
                                   **_given(combine=how, mode=_mode(mode))))
    scatter.__name__ = f"scatter_{how}" if how else "scatter"
    scatter.__doc__ = "x with updates in windows that start at index vectors."
    return scatter


# ---- others

def fft(x, fft_type, fft_lengths):
    """A Fourier transform of the last dims."""
    name = getattr(fft_type, "name", str(fft_type)).lower()
    if name not in ("fft", "ifft", "rfft", "irfft"):
        raise ValueError(f"Unknown fft_type {fft_type!r}")
    x, lengths = _x(x), tuple(fft_lengths)
    axes = tuple(range(x.ndim - len(lengths), x.ndim))
    return wrapped(getattr(tsr, name + "n")(x, lengths=lengths, axis=axes))


def round(x, rounding_method=RoundingMethod.AWAY_FROM_ZERO):
    """The nearest whole number."""
    x = _x(x)
    if RoundingMethod(int(rounding_method)) is RoundingMethod.TO_NEAREST_EVEN:
        return wrapped(tsr.rint(x))
    whole = tsr.trunc(x)
    return wrapped(tsr.where(tsr.abs(x - whole) >= .5, whole + tsr.sign(x), whole))


def shift_right_logical(x, y):
    """Bits moved right, zeros in front."""
    x, y = _x(x), _x(y)
    if x.dtype.kind == "u":
        return wrapped(x >> y)
    bits = "u" + x.dtype.name
    wide = tsr.bitcast_convert_type(x, bits)
    return wrapped(tsr.bitcast_convert_type(wide >> tsr.bitcast_convert_type(y, bits), x.dtype))


def collapse(operand, start_dimension, stop_dimension=None):
    """Several dims as one."""
    x = as_array(operand)
    stop = x.ndim if stop_dimension is None else stop_dimension % (x.ndim + 1) \
        if stop_dimension >= 0 else stop_dimension + x.ndim
    size = math.prod(x.shape[start_dimension:stop])
    return _shapes.reshape(x, (*x.shape[:start_dimension], size, *x.shape[stop:]))


def sort(operand, dimension=-1, is_stable=True, num_keys=1):
    """In order; several arrays in that of the first ones."""
    if not isinstance(operand, (list, tuple)):
        return _lax.sort(operand, dimension)
    arrays = [_x(x) for x in operand]
    axis = dimension % arrays[0].ndim
    order = None
    for key in reversed(arrays[:num_keys]):
        key = key if order is None else tsr.take_along(key, order, axis)
        at = tsr.argsort(key, axis)
        order = at if order is None else tsr.take_along(order, at, axis)
    return tuple(wrapped(tsr.take_along(x, order, axis)) for x in arrays)


def reshape(operand, new_sizes, dimensions=None, *, out_sharding=None):
    """The same elements with other dims."""
    x = as_array(operand)
    x = x if dimensions is None else _shapes.transpose(x, tuple(dimensions))
    return _shapes.reshape(x, tuple(new_sizes))


def approx_max_k(operand, k, reduction_dimension=-1, **_):
    """The largest elements, all of them."""
    x = _x(operand)
    return [wrapped(y) for y in tsr.top_k(x, k, reduction_dimension % x.ndim)]


def approx_min_k(operand, k, reduction_dimension=-1, **_):
    """The least elements, all of them."""
    x = _x(operand)
    values, at = tsr.top_k(-x, k, reduction_dimension % x.ndim)
    return [wrapped(-values), wrapped(at)]


def unstack(x, axis=0):
    """The elements of a dim."""
    return list(_shapes.unstack(x, axis=axis))


def broadcast_to_rank(x, rank):
    """With new dims of size 1 in front."""
    x = as_array(x)
    return _shapes.reshape(x, (1,) * (rank - x.ndim) + x.shape)


def reduce_precision(operand, exponent_bits, mantissa_bits):
    """Rounded to a format of fewer bits."""
    return wrapped(tsr.reduce_precision(_x(operand), int(exponent_bits), int(mantissa_bits)))


def _of(name, own=None):
    function = getattr(tsr, own or name)

    def of_arrays(*args):
        return wrapped(function(*map(_x, args)))
    of_arrays.__name__, of_arrays.__doc__ = name, function.__doc__
    return of_arrays


def dtype(x):
    """The dtype of an array or a number."""
    return as_array(x).dtype


def empty(shape, dtype, *, out_sharding=None):
    """Zeros."""
    return wrapped(tsr.zeros(tuple(shape), dtype=_dtypes.named(dtype)))


MEMBERS = {f.__name__: f for f in (
    conv, conv_general_dilated, conv_with_general_padding, conv_transpose,
    conv_general_dilated_patches, conv_dimension_numbers, reduce_window, reduce, gather, fft,
    round, shift_right_logical, collapse, sort, reshape, approx_max_k, approx_min_k, unstack,
    broadcast_to_rank, reduce_precision, dtype, empty, RoundingMethod, GatherScatterMode,
    ConvDimensionNumbers, GatherDimensionNumbers, ScatterDimensionNumbers)}
MEMBERS.update({n: _logical(n) for n in ("reduce_and", "reduce_or", "reduce_xor")})
MEMBERS.update({"scatter": _scatter(None), **{f"scatter_{n}": _scatter(n) for n in (
    "add", "mul", "min", "max")}})
MEMBERS.update({n: _of(n) for n in ("betainc", "mulhi", "igamma_grad_a", "random_gamma_grad")})
MEMBERS["broadcast_shapes"] = _shapes.broadcast_shapes


# ---- jax.lax.linalg

def cholesky(x, *, symmetrize_input=True):
    """The lower factor of a positive definite matrix."""
    return wrapped(tsr.cholesky(_x(x), lower_only=not symmetrize_input or None))


def triangular_solve(a, b, *, left_side=False, lower=False, transpose_a=False, conjugate_a=False,
                     unit_diagonal=False):
    """The solution with a triangular matrix."""
    given = {n: True for n, x in (("left_side", left_side), ("lower", lower),
                                  ("transpose_a", transpose_a), ("conjugate_a", conjugate_a),
                                  ("unit_diagonal", unit_diagonal)) if x}
    return wrapped(tsr.triangular_solve(_x(a), _x(b), **given))


def qr(x, *, pivoting=False, full_matrices=True, use_magma=None):
    """(q, r)."""
    if pivoting:
        raise NotImplementedError("jax.lax.linalg.qr(pivoting=True) on Tessera")
    return tuple(map(wrapped, tsr.qr(_x(x), full_matrices=full_matrices or None)))


def eigh(x, *, lower=True, symmetrize_input=True, sort_eigenvalues=True,
         subset_by_index=None, implementation=None):
    """(eigenvectors, eigenvalues) of a Hermitian matrix."""
    values, vectors = tsr.eigh(_x(x), upper=not lower or None)
    return wrapped(vectors), wrapped(values)


def svd(x, *, full_matrices=True, compute_uv=True, subset_by_index=None, algorithm=None):
    """(u, s, vh), or s."""
    if not compute_uv:
        return wrapped(tsr.svdvals(_x(x)))
    return tuple(map(wrapped, tsr.svd(_x(x), thin=not full_matrices or None)))


def lu(x):
    """(L and U in one matrix, the rows exchanged, the order of the rows)."""
    return tuple(map(wrapped, tsr.lu(_x(x))))


def schur(x, *, compute_schur_vectors=True, sort_eig_vals=False, select_callable=None):
    """(t, q)."""
    return tuple(map(wrapped, tsr.schur(_x(x))))


LINALG = {f.__name__: f for f in (cholesky, triangular_solve, qr, eigh, svd, lu, schur)}
LINALG.update({n: _of(n) for n in ("hessenberg", "householder_product", "tridiagonal_solve",
                                   "cholesky_update", "symmetric_product")})
