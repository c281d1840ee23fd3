"""params.py - the functions of tsr/params.h; tools/make_bindings.py made it of api/."""
from .._call import context_of, dims
from .._lib import lib
from .._types import Array, ArrayLike, Choice, DTypeLike, Dims, Optional

__all__ = ["init_constant", "init_delta_orthogonal", "init_glorot_normal", "init_glorot_uniform",
           "init_he_normal", "init_he_uniform", "init_kaiming_normal", "init_kaiming_uniform",
           "init_lecun_normal", "init_lecun_uniform", "init_normal", "init_ones",
           "init_orthogonal", "init_truncated_normal", "init_uniform", "init_variance_scaling",
           "init_xavier_normal", "init_xavier_uniform", "init_zeros"]

_init_zeros = lib.tsr_init_zeros_at
_init_ones = lib.tsr_init_ones_at
_init_constant = lib.tsr_init_constant_at
_init_uniform = lib.tsr_init_uniform_at
_init_normal = lib.tsr_init_normal_at
_init_truncated_normal = lib.tsr_init_truncated_normal_at
_init_variance_scaling = lib.tsr_init_variance_scaling_at
_init_glorot_uniform = lib.tsr_init_glorot_uniform_at
_init_glorot_normal = lib.tsr_init_glorot_normal_at
_init_xavier_uniform = lib.tsr_init_xavier_uniform_at
_init_xavier_normal = lib.tsr_init_xavier_normal_at
_init_lecun_uniform = lib.tsr_init_lecun_uniform_at
_init_lecun_normal = lib.tsr_init_lecun_normal_at
_init_he_uniform = lib.tsr_init_he_uniform_at
_init_he_normal = lib.tsr_init_he_normal_at
_init_kaiming_uniform = lib.tsr_init_kaiming_uniform_at
_init_kaiming_normal = lib.tsr_init_kaiming_normal_at
_init_orthogonal = lib.tsr_init_orthogonal_at
_init_delta_orthogonal = lib.tsr_init_delta_orthogonal_at


def init_zeros(key: ArrayLike, shape: Dims, *, dtype: DTypeLike = None) -> Array:
    """An array of zeros, f32 when no dtype is given; the key is not used, here and in the next
    two."""
    c = context_of(key)
    key = c.handle(key)
    args = c.record("tsr_new_args", dtype=dtype)
    return c.array(_init_zeros(c.place(), key._h, dims(shape), args))


def init_ones(key: ArrayLike, shape: Dims, *, dtype: DTypeLike = None) -> Array:
    """An array of ones, f32 when no dtype is given; the key is not used: init_ones(key, (8,))."""
    c = context_of(key)
    key = c.handle(key)
    args = c.record("tsr_new_args", dtype=dtype)
    return c.array(_init_ones(c.place(), key._h, dims(shape), args))


def init_constant(key: ArrayLike, shape: Dims, *, value: ArrayLike = None,
                  dtype: DTypeLike = None) -> Array:
    """An array with all elements value: init_constant(key, (8,), value=0.5). Error
    (Error.ERROR_ARGUMENT): no value."""
    c = context_of(key, value)
    key = c.handle(key)
    args = c.record("tsr_init_constant_args", value=value, dtype=dtype)
    return c.array(_init_constant(c.place(), key._h, dims(shape), args))


def init_uniform(key: ArrayLike, shape: Dims, *, scale: Optional[float] = None,
                 dtype: DTypeLike = None) -> Array:
    """Numbers spread evenly from 0 to scale: init_uniform(key, (512, 10), scale=0.1)."""
    c = context_of(key)
    key = c.handle(key)
    args = c.record("tsr_init_uniform_args", scale=scale, dtype=dtype)
    return c.array(_init_uniform(c.place(), key._h, dims(shape), args))


def init_normal(key: ArrayLike, shape: Dims, *, stddev: Optional[float] = None,
                dtype: DTypeLike = None) -> Array:
    """Normal numbers with mean 0: init_normal(key, (512, 10), stddev=0.02)."""
    c = context_of(key)
    key = c.handle(key)
    args = c.record("tsr_init_normal_args", stddev=stddev, dtype=dtype)
    return c.array(_init_normal(c.place(), key._h, dims(shape), args))


def init_truncated_normal(key: ArrayLike, shape: Dims, *, stddev: Optional[float] = None,
                          dtype: DTypeLike = None, lower: ArrayLike = None,
                          upper: ArrayLike = None) -> Array:
    """Normal numbers with mean 0 of which those outside of two limits are left out."""
    c = context_of(key, lower, upper)
    key = c.handle(key)
    args = c.record("tsr_init_truncated_normal_args", stddev=stddev, dtype=dtype, lower=lower,
                    upper=upper)
    return c.array(_init_truncated_normal(c.place(), key._h, dims(shape), args))


def init_variance_scaling(key: ArrayLike, shape: Dims, *, scale: Optional[float] = None,
                          mode: Optional[Choice] = None, distribution: Optional[Choice] = None,
                          in_: Dims = None, out: Dims = None, batch: Dims = None,
                          dtype: DTypeLike = None) -> Array:
    """Numbers with mean 0 and variance scale / n, where n is a number of elements that mode names:
    init_variance_scaling(key, (512, 10), scale=2, mode="avg"). The next ones are this one with the
    keywords that their comments say. Errors of all: dims that are none (Error.ERROR_ARGUMENT), no
    in where there are fewer than two dims (Error.ERROR_TYPE)."""
    c = context_of(key)
    key = c.handle(key)
    args = c.record("tsr_init_scaling_args", scale=scale, mode=mode, distribution=distribution,
                    in_=in_, out=out, batch=batch, dtype=dtype)
    return c.array(_init_variance_scaling(c.place(), key._h, dims(shape), args))


def init_glorot_uniform(key: ArrayLike, shape: Dims, *, in_: Dims = None, out: Dims = None,
                        batch: Dims = None, dtype: DTypeLike = None) -> Array:
    """init_variance_scaling() with scale=1, mode="avg", distribution="init_uniform"."""
    c = context_of(key)
    key = c.handle(key)
    args = c.record("tsr_init_fan_args", in_=in_, out=out, batch=batch, dtype=dtype)
    return c.array(_init_glorot_uniform(c.place(), key._h, dims(shape), args))


def init_glorot_normal(key: ArrayLike, shape: Dims, *, in_: Dims = None, out: Dims = None,
                       batch: Dims = None, dtype: DTypeLike = None) -> Array:
    """init_variance_scaling() with scale=1, mode="avg"."""
    c = context_of(key)
    key = c.handle(key)
    args = c.record("tsr_init_fan_args", in_=in_, out=out, batch=batch, dtype=dtype)
    return c.array(_init_glorot_normal(c.place(), key._h, dims(shape), args))


def init_xavier_uniform(key: ArrayLike, shape: Dims, *, in_: Dims = None, out: Dims = None,
                        batch: Dims = None, dtype: DTypeLike = None) -> Array:
    """init_glorot_uniform() by the other name that JAX has for it."""
    c = context_of(key)
    key = c.handle(key)
    args = c.record("tsr_init_fan_args", in_=in_, out=out, batch=batch, dtype=dtype)
    return c.array(_init_xavier_uniform(c.place(), key._h, dims(shape), args))


def init_xavier_normal(key: ArrayLike, shape: Dims, *, in_: Dims = None, out: Dims = None,
                       batch: Dims = None, dtype: DTypeLike = None) -> Array:
    """init_glorot_normal() by the other name that JAX has for it."""
    c = context_of(key)
    key = c.handle(key)
    args = c.record("tsr_init_fan_args", in_=in_, out=out, batch=batch, dtype=dtype)
    return c.array(_init_xavier_normal(c.place(), key._h, dims(shape), args))


def init_lecun_uniform(key: ArrayLike, shape: Dims, *, in_: Dims = None, out: Dims = None,
                       batch: Dims = None, dtype: DTypeLike = None) -> Array:
    """init_variance_scaling() with scale=1, distribution="init_uniform"."""
    c = context_of(key)
    key = c.handle(key)
    args = c.record("tsr_init_fan_args", in_=in_, out=out, batch=batch, dtype=dtype)
    return c.array(_init_lecun_uniform(c.place(), key._h, dims(shape), args))


def init_lecun_normal(key: ArrayLike, shape: Dims, *, in_: Dims = None, out: Dims = None,
                      batch: Dims = None, dtype: DTypeLike = None) -> Array:
    """init_variance_scaling() with scale=1: the usual one of kernels in Flax."""
    c = context_of(key)
    key = c.handle(key)
    args = c.record("tsr_init_fan_args", in_=in_, out=out, batch=batch, dtype=dtype)
    return c.array(_init_lecun_normal(c.place(), key._h, dims(shape), args))


def init_he_uniform(key: ArrayLike, shape: Dims, *, in_: Dims = None, out: Dims = None,
                    batch: Dims = None, dtype: DTypeLike = None) -> Array:
    """init_variance_scaling() with scale=2, distribution="init_uniform"."""
    c = context_of(key)
    key = c.handle(key)
    args = c.record("tsr_init_fan_args", in_=in_, out=out, batch=batch, dtype=dtype)
    return c.array(_init_he_uniform(c.place(), key._h, dims(shape), args))


def init_he_normal(key: ArrayLike, shape: Dims, *, in_: Dims = None, out: Dims = None,
                   batch: Dims = None, dtype: DTypeLike = None) -> Array:
    """init_variance_scaling() with scale=2, normal numbers below two standard deviations."""
    c = context_of(key)
    key = c.handle(key)
    args = c.record("tsr_init_fan_args", in_=in_, out=out, batch=batch, dtype=dtype)
    return c.array(_init_he_normal(c.place(), key._h, dims(shape), args))


def init_kaiming_uniform(key: ArrayLike, shape: Dims, *, in_: Dims = None, out: Dims = None,
                         batch: Dims = None, dtype: DTypeLike = None) -> Array:
    """init_he_uniform() by the other name that JAX has for it."""
    c = context_of(key)
    key = c.handle(key)
    args = c.record("tsr_init_fan_args", in_=in_, out=out, batch=batch, dtype=dtype)
    return c.array(_init_kaiming_uniform(c.place(), key._h, dims(shape), args))


def init_kaiming_normal(key: ArrayLike, shape: Dims, *, in_: Dims = None, out: Dims = None,
                        batch: Dims = None, dtype: DTypeLike = None) -> Array:
    """init_he_normal() by the other name that JAX has for it."""
    c = context_of(key)
    key = c.handle(key)
    args = c.record("tsr_init_fan_args", in_=in_, out=out, batch=batch, dtype=dtype)
    return c.array(_init_kaiming_normal(c.place(), key._h, dims(shape), args))


def init_orthogonal(key: ArrayLike, shape: Dims, *, scale: Optional[float] = None,
                    column: Dims = None, dtype: DTypeLike = None) -> Array:
    """A matrix with orthonormal rows or columns, whichever are fewer, times scale. All dims but
    column are its rows. A device makes all of it, and keeps its part. Error (Error.ERROR_TYPE):
    fewer than two dims."""
    c = context_of(key)
    key = c.handle(key)
    args = c.record("tsr_init_orthogonal_args", scale=scale, column=column, dtype=dtype)
    return c.array(_init_orthogonal(c.place(), key._h, dims(shape), args))


def init_delta_orthogonal(key: ArrayLike, shape: Dims, *, scale: Optional[float] = None,
                          column: Dims = None, dtype: DTypeLike = None) -> Array:
    """A kernel [window..., in, out] that is a matrix of init_orthogonal() at the middle of its
    window, and 0 elsewhere: init_delta_orthogonal(key, (3, 3, 8, 16)). Error (Error.ERROR_TYPE):
    not 3 to 5 dims, or more in than out."""
    c = context_of(key)
    key = c.handle(key)
    args = c.record("tsr_init_orthogonal_args", scale=scale, column=column, dtype=dtype)
    return c.array(_init_delta_orthogonal(c.place(), key._h, dims(shape), args))
