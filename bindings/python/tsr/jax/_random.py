"""_random.py - jax.random: the numbers of the library's samplers are JAX's, bit for bit."""
import numpy as np

import tsr

from . import _dtypes, _numpy, _shapes
from ._array import Array, Key, as_array, raw, wrapped
from ._backend import context


def _impl(impl):
    if impl not in (None, "threefry2x32"):
        raise NotImplementedError(f"impl={impl!r} on Tessera: keys are threefry2x32")


def key(seed, *, impl=None):
    """A key."""
    return Key(PRNGKey(seed, impl=impl)._x)


def PRNGKey(seed, *, impl=None):
    """A key as two words."""
    _impl(impl)
    context()
    return wrapped(tsr.key(seed if type(seed) is int else int(np.asarray(seed))))


def _words(key):
    if isinstance(key, Key):
        return key._x
    key = as_array(key)
    if key.dtype != np.uint32 or key.shape[-1:] != (2,):
        raise TypeError(f"JAX's random functions take a key, not {key.aval.str_short()}")
    return key._x


def key_data(keys):
    """The words of keys."""
    return wrapped(_words(keys))


def wrap_key_data(key_bits_array, *, impl=None):
    """Words as keys."""
    _impl(impl)
    return Key(_words(key_bits_array))


def clone(key):
    """The same key."""
    return key


def _like(key, x):
    return Key(x) if isinstance(key, Key) else wrapped(x)


def split(key, num=2):
    """New keys."""
    num = (num,) if isinstance(num, (int, np.integer)) else tuple(num)
    return _like(key, tsr.split_keys(_words(key), tuple(int(n) for n in num)))


def fold_in(key, data):
    """A new key, of a key and an integer."""
    data = as_array(data)
    if data.ndim:
        raise TypeError(f"fold_in accepts a scalar, but got an array of shape {data.shape}")
    return _like(key, tsr.fold_in(_words(key), data._x))


def _sizes(shape):
    return (int(shape),) if isinstance(shape, (int, np.integer)) else tuple(int(n) for n in shape)


def bits(key, shape=(), dtype=None):
    """Random bits."""
    return wrapped(tsr.random_bits(_words(key), _sizes(shape), dtype=_dtypes.named(dtype)))


def uniform(key, shape=(), dtype=None, minval=0.0, maxval=1.0):
    """Numbers in [minval, maxval)."""
    given = {}
    if not (type(minval) in (int, float) and minval == 0 and
            type(maxval) in (int, float) and maxval == 1):
        given = {"minval": raw(minval), "maxval": raw(maxval)}
    return wrapped(tsr.uniform(_words(key), _sizes(shape), dtype=_dtypes.named(dtype), **given))


def randint(key, shape, minval, maxval, dtype=None):
    """Integers in [minval, maxval)."""
    return wrapped(tsr.randint(_words(key), _sizes(shape), raw(minval), raw(maxval),
                               dtype=_dtypes.named(dtype)))


def bernoulli(key, p=0.5, shape=None, mode="low"):
    """True with a probability."""
    shape = np.shape(p) if shape is None and not isinstance(p, Array) else shape
    p = as_array(p)
    shape = p.shape if shape is None else _sizes(shape)
    return wrapped(tsr.bernoulli(_words(key), p._x, shape=shape, high=mode == "high" or None))


def categorical(key, logits, axis=-1, shape=None, replace=True, mode=None):
    """Numbers of categories."""
    x = as_array(logits)._x
    return wrapped(tsr.categorical(_words(key), x, axis % x.ndim,
                                   shape=None if shape is None else _sizes(shape),
                                   without_replacement=not replace or None,
                                   high=mode == "high" or None))


def permutation(key, x, axis=0, independent=False):
    """In random order."""
    x = tsr.arange(x) if isinstance(x, (int, np.integer)) else as_array(x)._x
    return wrapped(tsr.permutation(_words(key), x, axis % x.ndim, independent=independent or None))


def choice(key, a, shape=(), replace=True, p=None, axis=0, mode=None):
    """Elements by chance."""
    a = tsr.arange(a) if isinstance(a, (int, np.integer)) else as_array(a)._x
    return wrapped(tsr.choice(_words(key), a, _sizes(shape), axis % a.ndim,
                              p=None if p is None else as_array(p)._x,
                              without_replacement=not replace or None,
                              high=mode == "high" or None))


def _of_shape(name, own=None):
    function = getattr(tsr, own or name)

    def sampler(key, shape=(), dtype=None):
        return wrapped(function(_words(key), _sizes(shape), dtype=_dtypes.named(dtype)))
    sampler.__name__, sampler.__doc__ = name, function.__doc__
    return sampler


def gumbel(key, shape=(), dtype=None, mode=None):
    """Gumbel's numbers."""
    return wrapped(tsr.gumbel(_words(key), _sizes(shape), dtype=_dtypes.named(dtype),
                              high=mode == "high" or None))


def _of_parameter(name, own=None, parameter="p"):
    function = getattr(tsr, own or name)
    space = {"function": function, "wrapped": wrapped, "_words": _words, "_sizes": _sizes,
             "as_array": as_array, "_dtypes": _dtypes}
    exec(f"def sampler(key, {parameter}, shape=None, dtype=None):\n"
         f"    {parameter} = as_array({parameter})._x\n"
         f"    shape = {parameter}.shape if shape is None else _sizes(shape)\n"
         f"    return wrapped(function(_words(key), {parameter}, shape=shape,"
         f" dtype=_dtypes.named(dtype)))", space)
    space["sampler"].__doc__ = function.__doc__
    return space["sampler"]


def truncated_normal(key, lower, upper, shape=None, dtype=None):
    """Normal numbers of a range."""
    lower, upper = as_array(lower)._x, as_array(upper)._x
    shape = np.broadcast_shapes(lower.shape, upper.shape) if shape is None else _sizes(shape)
    return wrapped(tsr.truncated_normal(_words(key), lower, upper, shape=shape,
                                        dtype=_dtypes.named(dtype)))


def beta(key, a, b, shape=None, dtype=None):
    """Numbers of the beta distribution."""
    a, b = as_array(a)._x, as_array(b)._x
    shape = np.broadcast_shapes(a.shape, b.shape) if shape is None else _sizes(shape)
    return wrapped(tsr.random_beta(_words(key), a, b, shape=shape, dtype=_dtypes.named(dtype)))


def _of_two(name, own=None, one="loc", two="scale"):
    function = getattr(tsr, own or name)

    def sampler(key, *args, **keywords):
        given = dict(zip((one, two, "shape", "dtype"), args), **keywords)
        for unknown in set(given) - {one, two, "shape", "dtype"}:
            raise TypeError(f"jax.random.{name}() on Tessera has no keyword {unknown!r}; there are "
                            f"{one!r}, {two!r}, 'shape', 'dtype'")
        a, b = as_array(given[one])._x, as_array(given[two])._x
        shape = given.get("shape")
        shape = np.broadcast_shapes(a.shape, b.shape) if shape is None else _sizes(shape)
        return wrapped(function(_words(key), a, b, shape=shape,
                                dtype=_dtypes.named(given.get("dtype"))))
    sampler.__name__, sampler.__doc__ = name, function.__doc__
    return sampler


def ball(key, d, p=2, shape=(), dtype=None):
    """Points of a ball."""
    return wrapped(tsr.ball(_words(key), int(d), shape=_sizes(shape), dtype=_dtypes.named(dtype),
                            p=float(p)))


def dirichlet(key, alpha, shape=None, dtype=None):
    """Numbers of the Dirichlet distribution."""
    alpha = as_array(alpha)._x
    shape = alpha.shape[:-1] if shape is None else _sizes(shape)
    return wrapped(tsr.dirichlet(_words(key), alpha, shape=shape, dtype=_dtypes.named(dtype)))


def generalized_normal(key, p, shape=(), dtype=None):
    """Numbers whose density is exp(-|x|^p)."""
    return wrapped(tsr.generalized_normal(_words(key), as_array(p)._x, shape=_sizes(shape),
                                          dtype=_dtypes.named(dtype)))


def lognormal(key, sigma=1., shape=None, dtype=None):
    """Exponentials of normal numbers."""
    sigma = as_array(sigma)._x
    return wrapped(tsr.lognormal(_words(key), sigma, dtype=_dtypes.named(dtype),
                                 shape=sigma.shape if shape is None else _sizes(shape)))


def multivariate_normal(key, mean, cov, shape=None, dtype=None, method="cholesky"):
    """Normal numbers with covariances."""
    if method not in ("cholesky", "eigh", "svd"):
        raise ValueError("method must be one of {'svd', 'eigh', 'cholesky'}")
    mean, cov = as_array(mean)._x, as_array(cov)._x
    shape = np.broadcast_shapes(mean.shape[:-1], cov.shape[:-2]) if shape is None else \
        _sizes(shape)
    return wrapped(tsr.multivariate_normal(_words(key), mean, cov, shape=shape, factor=method,
                                           dtype=_dtypes.named(dtype)))


def orthogonal(key, n, shape=(), dtype=None, m=None):
    """Matrices whose columns are at right angles."""
    return wrapped(tsr.orthogonal(_words(key), int(n), shape=_sizes(shape), m=m,
                                  dtype=_dtypes.named(dtype)))


def triangular(key, left, mode, right, shape=None, dtype=None):
    """Numbers whose density is a triangle."""
    given = [as_array(x)._x for x in (left, mode, right)]
    shape = np.broadcast_shapes(*(x.shape for x in given)) if shape is None else _sizes(shape)
    return wrapped(tsr.triangular(_words(key), *given, shape=shape, dtype=_dtypes.named(dtype)))


def key_impl(keys):
    """The name of what makes numbers of keys."""
    _words(keys)
    return "threefry2x32"


MEMBERS = {name: globals()[name] for name in (
    "key PRNGKey key_data wrap_key_data clone split fold_in bits uniform randint bernoulli "
    "categorical permutation choice gumbel truncated_normal beta ball dirichlet "
    "generalized_normal lognormal multivariate_normal orthogonal triangular key_impl").split()}
MEMBERS.update({name: _of_shape(name, own) for name, own in [
    ("normal", None), ("exponential", None), ("laplace", None), ("cauchy", None),
    ("maxwell", None), ("rademacher", None), ("logistic", "random_logistic")]})
MEMBERS.update({name: _of_parameter(name, own, parameter) for name, own, parameter in [
    ("gamma", "random_gamma", "a"), ("loggamma", "random_loggamma", "a"),
    ("poisson", None, "lam"), ("pareto", None, "b"), ("rayleigh", None, "scale"),
    ("chisquare", None, "df"), ("t", "random_t", "df"), ("geometric", None, "p")]})
MEMBERS.update(binomial=_of_two("binomial", None, "n", "p"), f=_of_two("f", "random_f", "dfnum",
                                                                      "dfden"),
               double_sided_maxwell=_of_two("double_sided_maxwell"),
               weibull_min=_of_two("weibull_min", None, "scale", "concentration"),
               wald=_of_parameter("wald", None, "mean"))


def multinomial(key, n, p, *, shape=None, dtype=None, unroll=1):
    """How many of n draws give each of several outcomes."""
    p = as_array(p)
    shape = p.shape if shape is None else tuple(shape)
    p, left, made = _numpy.broadcast_to(p, shape), _numpy.broadcast_to(n, shape[:-1]), []
    for k, own in enumerate(split(key, shape[-1])):
        rest = p[..., k:].sum(-1)
        ratio = p[..., k] / _numpy.where(rest == 0, 1, rest)
        made.append(MEMBERS["binomial"](own, left, _numpy.clip(ratio, 0, 1), dtype=left.dtype))
        left = left - made[-1]
    counts = _shapes.stack(made, -1)
    return counts if dtype is None else counts.astype(dtype)


MEMBERS["multinomial"] = multinomial
normal = MEMBERS["normal"]
