"""_nn.py - jax.nn, its initializers, and jax.scipy.special's logsumexp."""
import math

import tsr

from . import _dtypes, _numpy, _random
from ._array import as_array, raw, wrapped
from ._backend import context


def _x(x):
    context()
    return as_array(x)._x


def _one(name):
    function = getattr(tsr, name)

    def of_array(x):
        return wrapped(function(_x(x)))
    of_array.__name__, of_array.__doc__ = name, function.__doc__
    return of_array


NAMES = {"relu": "relu", "relu6": "relu6", "sigmoid": "logistic", "softplus": "softplus",
         "sparse_plus": "sparse_plus", "sparse_sigmoid": "sparse_sigmoid",
         "soft_sign": "soft_sign", "silu": "silu", "swish": "silu", "log_sigmoid": "log_sigmoid",
         "hard_tanh": "hard_tanh", "hard_sigmoid": "hard_sigmoid", "hard_silu": "hard_silu",
         "hard_swish": "hard_silu", "mish": "mish", "log1mexp": "log1mexp", "selu": "selu",
         "tanh": "tanh"}
MEMBERS = {name: _one(own) for name, own in NAMES.items()}


def identity(x):
    """The same."""
    return as_array(x)


def leaky_relu(x, negative_slope=0.01):
    """x, or a part of what is negative."""
    return wrapped(tsr.leaky_relu(_x(x), raw(negative_slope)))


def elu(x, alpha=1.0):
    """x, or alpha (e^x - 1)."""
    return wrapped(tsr.elu(_x(x), raw(alpha)))


def celu(x, alpha=1.0):
    """x, or alpha (e^(x / alpha) - 1)."""
    return wrapped(tsr.celu(_x(x), raw(alpha)))


def squareplus(x, b=4):
    """(x + sqrt(x^2 + b)) / 2."""
    return wrapped(tsr.squareplus(_x(x), raw(b)))


def gelu(x, approximate=True):
    """x times the normal distribution function."""
    return wrapped(tsr.gelu(_x(x), exact=not approximate or None))


def glu(x, axis=-1):
    """One half times the sigmoid of the other."""
    x = _x(x)
    return wrapped(tsr.glu(x, axis % x.ndim))


def _over(function, x, axis, where, *more, **keywords):
    """A function of one dim over several: they become one, and then what they were."""
    x = as_array(x)
    if isinstance(axis, int):
        return wrapped(function(_x(x), axis % max(x.ndim, 1), *more, **keywords,
                                where=None if where is None else _x(where)))
    axes = range(x.ndim) if axis is None else [k % x.ndim for k in axis]
    rest = [k for k in range(x.ndim) if k not in axes]
    order = (*rest, *axes)
    back = tuple(order.index(k) for k in range(x.ndim))
    sizes = tuple(x.shape[k] for k in order)
    flat = (*(x.shape[k] for k in rest), math.prod(x.shape[k] for k in axes))
    mask = None if where is None else tsr.transpose(
        tsr.broadcast_to(_x(where), x.shape), perm=order).reshape(flat)
    made = function(tsr.transpose(_x(x), perm=order).reshape(flat), len(flat) - 1, *more,
                    **keywords, where=mask)
    return wrapped(tsr.transpose(made.reshape(sizes), perm=back))


def softmax(x, axis=-1, where=None):
    """e^x by its sum."""
    return _over(tsr.softmax, x, axis, where)


def log_softmax(x, axis=-1, where=None):
    """log(softmax(x))."""
    return _over(tsr.log_softmax, x, axis, where)


def logsumexp(a, axis=None, b=None, keepdims=False, return_sign=False, where=None):
    """log(sum(b e^a))."""
    given = {"where": None if where is None else _x(where), "b": None if b is None else _x(b)}
    given = {n: x for n, x in given.items() if x is not None}
    axis = axis if axis is None or isinstance(axis, int) else tuple(axis)
    if return_sign:
        x = _x(a)
        top = tsr.max(x, axis, keepdims=True)
        top = tsr.where(tsr.is_finite(top), top, 0)
        terms = tsr.exp(x - top) * given.get("b", 1)
        if where is not None:
            terms = tsr.where(given["where"], terms, 0)
        total = tsr.sum(terms, axis, keepdims=keepdims or None)
        top = top if keepdims else tsr.reshape(top, total.shape)
        return wrapped(tsr.log(tsr.abs(total)) + top), wrapped(tsr.sign(total))
    return wrapped(tsr.logsumexp(_x(a), axis, keepdims=keepdims or None, **given))


def logmeanexp(x, axis=None, where=None, keepdims=False):
    """log(mean(e^x))."""
    return wrapped(tsr.logmeanexp(_x(x), axis, keepdims=keepdims or None,
                                  where=None if where is None else _x(where)))


def standardize(x, axis=-1, mean=None, variance=None, epsilon=1e-5, where=None):
    """With mean 0 and variance 1."""
    given = {n: _x(v) for n, v in (("mean", mean), ("variance", variance)) if v is not None}
    if given:
        y = as_array(x)
        kept = {"axis": axis, "keepdims": True}
        mean = _numpy.mean(y, **kept, where=where) if mean is None else as_array(mean)
        if variance is None:
            variance = _numpy.mean(_numpy.square(y), **kept, where=where) - _numpy.square(mean)
        return (y - mean) * wrapped(tsr.rsqrt(_x(as_array(variance) + epsilon)))
    return _over(tsr.standardize, x, axis, where, epsilon)


def one_hot(x, num_classes, *, dtype=None, axis=-1):
    """1 where a number says, otherwise 0."""
    return wrapped(tsr.one_hot(_x(x), num_classes, axis, dtype=_dtypes.named(dtype or float)))


def dot_product_attention(query, key, value, bias=None, mask=None, *, scale=None,
                          is_causal=False):
    """Attention of [batch, position, head, part]."""
    given = {n: _x(x) for n, x in (("bias", bias), ("mask", mask)) if x is not None}
    return wrapped(tsr.dot_product_attention(_x(query), _x(key), _x(value), scale=scale,
                                             causal=is_causal or None, **given))


MEMBERS.update({f.__name__: f for f in (
    identity, leaky_relu, elu, celu, squareplus, gelu, glu, softmax, log_softmax, logsumexp,
    logmeanexp, standardize, one_hot, dot_product_attention)})


# ---- initializers

def _drawn(name, **fixed):
    function = getattr(tsr, name)

    def initializer(key, shape, dtype=None, out_sharding=None):
        if out_sharding is not None:
            raise NotImplementedError("an initializer's out_sharding on Tessera")
        made = function(_random._words(key), tuple(int(n) for n in shape),
                        dtype=_dtypes.named(dtype), **fixed)
        return wrapped(made)
    return initializer


def variance_scaling(scale, mode, distribution, in_axis=-2, out_axis=-1, batch_axis=(),
                     dtype=None):
    """Numbers whose variance is scale by the size of a dim."""
    if batch_axis != () or (in_axis, out_axis) != (-2, -1):
        raise NotImplementedError("variance_scaling(in_axis=, out_axis=, batch_axis=) on Tessera")
    def initializer(key, shape, dtype=dtype):
        return _scaled(key, shape, dtype or float, scale, mode, distribution)
    return initializer


def _scaled(key, shape, dtype, scale, mode, distribution):
    rest = math.prod(shape[:-2]) if len(shape) > 2 else 1
    fan_in, fan_out = shape[-2] * rest, shape[-1] * rest
    fans = {"fan_in": fan_in, "fan_out": fan_out, "fan_avg": (fan_in + fan_out) / 2}
    if mode not in fans:
        raise ValueError(f"invalid mode for variance scaling initializer: {mode}")
    variance = scale / fans[mode]
    if distribution == "normal":
        return _random.normal(key, shape, dtype) * math.sqrt(variance)
    if distribution == "uniform":
        return _random.uniform(key, shape, dtype, -1) * math.sqrt(3 * variance)
    if distribution == "truncated_normal":
        deviation = math.sqrt(variance) / .87962566103423978
        return _random.truncated_normal(key, -2, 2, shape, dtype) * deviation
    raise ValueError(f"invalid distribution for variance scaling initializer: {distribution}")


def _family(own):
    def make(in_axis=-2, out_axis=-1, batch_axis=(), dtype=None):
        if batch_axis != () or (in_axis, out_axis) != (-2, -1):
            raise NotImplementedError("an initializer's in_axis, out_axis and batch_axis on "
                                      "Tessera")
        of_shape = _drawn(own)
        return lambda key, shape, dtype=dtype, out_sharding=None: of_shape(key, shape, dtype,
                                                                           out_sharding)
    make.__doc__ = getattr(tsr, own).__doc__
    return make


def _simple(name, parameter, default):
    def make(value=default, dtype=None):
        of_shape = _drawn(name, **{parameter: value})
        return lambda key, shape, dtype=dtype: of_shape(key, shape, dtype)
    make.__doc__ = getattr(tsr, name).__doc__
    return make


def normal(stddev=1e-2, dtype=None):
    """Normal numbers times stddev."""
    return lambda key, shape, dtype=dtype: _random.normal(key, shape, dtype) * stddev


def uniform(scale=1e-2, dtype=None):
    """Numbers in [0, scale)."""
    return lambda key, shape, dtype=dtype: _random.uniform(key, shape, dtype) * scale


def constant(value, dtype=None):
    """All one value."""
    return lambda key, shape, dtype=dtype: _numpy.full(shape, value, dtype or float)


def zeros(key, shape, dtype=None, out_sharding=None):
    """Zeros."""
    return _numpy.zeros(shape, dtype)


def ones(key, shape, dtype=None, out_sharding=None):
    """Ones."""
    return _numpy.ones(shape, dtype)


def truncated_normal(stddev=1e-2, dtype=None, lower=-2.0, upper=2.0):
    """Normal numbers of a range, times stddev."""
    of_shape = _drawn("init_truncated_normal", stddev=stddev, lower=lower, upper=upper)
    return lambda key, shape, dtype=dtype, out_sharding=None: of_shape(key, shape, dtype)


def _at_right_angles(own):
    def make(scale=1.0, column_axis=-1, dtype=None):
        if column_axis != -1:
            raise NotImplementedError("an initializer's column_axis on Tessera")
        of_shape = _drawn(own, scale=scale)
        return lambda key, shape, dtype=dtype, out_sharding=None: of_shape(key, shape, dtype)
    make.__doc__ = getattr(tsr, own).__doc__
    return make


INITIALIZERS = {"truncated_normal": truncated_normal,
                "orthogonal": _at_right_angles("init_orthogonal"),
                "delta_orthogonal": _at_right_angles("init_delta_orthogonal"),
                "variance_scaling": variance_scaling, "normal": normal, "uniform": uniform,
                "constant": constant, "zeros": zeros, "ones": ones}
INITIALIZERS.update({name: _family(f"init_{name}") for name in (
    "glorot_uniform", "glorot_normal", "xavier_uniform", "xavier_normal", "lecun_uniform",
    "lecun_normal", "he_uniform", "he_normal", "kaiming_uniform", "kaiming_normal")})
