"""_distributions.py - jax.scipy.stats: densities, and functions related to them. Densities of the
normal distribution, and by logarithms of others.

    norm.logpdf(x, loc, scale)    -((x - loc) / scale)^2 / 2 - log(scale sqrt(2 pi))"""
import math

import tsr

from . import _dtypes, _scipy
from ._array import as_array, wrapped
from ._shapes import _x


def _f(x):
    x = _x(x)
    return x if x.dtype.kind in "fcV" else x.astype(_dtypes.named(float))


def _pair(log):
    """{logpdf, pdf} of a function of arrays of the library."""
    def logpdf(*args, **keywords):
        return wrapped(log(*map(_f, args), **{n: _f(x) for n, x in keywords.items()}))

    def pdf(*args, **keywords):
        return wrapped(tsr.exp(log(*map(_f, args), **{n: _f(x) for n, x in keywords.items()})))
    logpdf.__doc__, pdf.__doc__ = "The logarithm of the density.", "The density."
    return logpdf, pdf


def _continuous(log, **more):
    logpdf, pdf = _pair(log)
    return {"logpdf": logpdf, "pdf": pdf, **more}


def _discrete(log, **more):
    logpmf, pmf = _pair(log)
    return {"logpmf": logpmf, "pmf": pmf, **more}


def _inside(log, *where):
    """log where all conditions are true, otherwise minus infinity."""
    for condition in where:
        log = tsr.where(condition, log, -math.inf)
    return log


# ---- the normal distribution

def _norm_log(x, loc=0., scale=1.):
    z = (x - loc) / scale
    return -(z * z + tsr.log(2 * math.pi * scale * scale if not isinstance(scale, float) else
                             as_array(2 * math.pi * scale * scale, "float32")._x)) / 2


def _of_scaled(function, sign=1.):
    def of_array(x, loc=0, scale=1):
        return wrapped(function(sign * (_f(x) - _f(loc)) / _f(scale)))
    of_array.__doc__ = function.__doc__
    return of_array


def _quantile(sign):
    def of_array(q, loc=0, scale=1):
        return wrapped(sign * tsr.ndtri(_f(q)) * _f(scale) + _f(loc))
    of_array.__doc__ = "The number below which so much is." if sign > 0 else \
        "The number above which so much is."
    return of_array


NORM = _continuous(_norm_log, cdf=_of_scaled(tsr.ndtr), sf=_of_scaled(tsr.ndtr, -1.),
                   logcdf=_of_scaled(tsr.log_ndtr), logsf=_of_scaled(tsr.log_ndtr, -1.),
                   ppf=_quantile(1.), isf=_quantile(-1.))


def _multivariate(x, mean, cov, allow_singular=None):
    """The density of several variables."""
    if not mean.shape:
        return -((x - mean) ** 2 / cov + tsr.log(2 * math.pi * cov)) / 2
    n = mean.shape[-1]
    if not cov.shape:
        y = x - mean
        return -tsr.sum(y * y, -1) / cov / 2 - n / 2 * (math.log(2 * math.pi) + tsr.log(cov))
    low = tsr.cholesky(cov)
    y = (x - mean)[..., None]
    y = tsr.solve_triangular(tsr.broadcast_to(low, (*y.shape[:-2], n, n)), y, lower=True)[..., 0]
    return -tsr.sum(y * y, -1) / 2 - n / 2 * math.log(2 * math.pi) - \
        tsr.sum(tsr.log(tsr.diagonal(low)), -1)


# ---- others, by their logarithms

def _uniform(x, loc=0., scale=1.):
    return _inside(-tsr.log(scale * tsr.ones_like(x)), x >= loc, x <= loc + scale)


def _expon(x, loc=0., scale=1.):
    return _inside(-(x - loc) / scale - tsr.log(scale * tsr.ones_like(x)), x >= loc)


def _laplace(x, loc=0., scale=1.):
    return -tsr.abs(x - loc) / scale - tsr.log(2 * scale * tsr.ones_like(x))


def _cauchy(x, loc=0., scale=1.):
    z = (x - loc) / scale
    return -tsr.log1p(z * z) - tsr.log(math.pi * scale * tsr.ones_like(x))


def _logistic(x, loc=0., scale=1.):
    z = (x - loc) / scale
    return -z - 2 * tsr.softplus(-z) - tsr.log(scale * tsr.ones_like(x))


def _beta(x, a, b, loc=0., scale=1.):
    y = (x - loc) / scale
    log = tsr.xlogy(a - 1, y) + tsr.xlog1py(b - 1, -y) - tsr.betaln(a, b) - \
        tsr.log(scale * tsr.ones_like(x))
    return _inside(log, y >= 0, y <= 1)


def _gamma(x, a, loc=0., scale=1.):
    y = (x - loc) / scale
    log = tsr.xlogy(a - 1, y) - y - tsr.lgamma(a) - tsr.log(scale * tsr.ones_like(x))
    return _inside(log, y >= 0)


def _t(x, df, loc=0., scale=1.):
    y = (x - loc) / scale
    half = (df + 1) / 2
    return tsr.lgamma(half) - tsr.lgamma(df / 2) - tsr.log(math.pi * df) / 2 - \
        tsr.log(scale * tsr.ones_like(x)) - half * tsr.log1p(y * y / df)


def _chi2(x, df, loc=0., scale=1.):
    return _gamma(x, df / 2, loc, 2 * scale)


def _pareto(x, b, loc=0., scale=1.):
    y = (x - loc) / scale
    return _inside(tsr.log(b / scale) - (b + 1) * tsr.log(y), y >= 1)


def _bernoulli(k, p, loc=0.):
    k = k - loc
    log = tsr.xlogy(k, p) + tsr.xlog1py(1 - k, -p)
    return _inside(log, tsr.logical_or(k == 0, k == 1))


def _poisson(k, mu, loc=0.):
    k = k - loc
    return _inside(tsr.xlogy(k, mu) - tsr.lgamma(k + 1) - mu, k >= 0, tsr.floor(k) == k)


def _geom(k, p, loc=0.):
    k = k - loc
    return _inside(tsr.xlog1py(k - 1, -p) + tsr.log(p), k > 0)


def _binom(k, n, p, loc=0.):
    k = k - loc
    log = tsr.lgamma(n + 1) - tsr.lgamma(k + 1) - tsr.lgamma(n - k + 1) + tsr.xlogy(k, p) + \
        tsr.xlog1py(n - k, -p)
    return _inside(log, k >= 0, k <= n)


MODULES = {
    "norm": NORM, "multivariate_normal": _continuous(_multivariate),
    "uniform": _continuous(_uniform), "expon": _continuous(_expon),
    "laplace": _continuous(_laplace), "cauchy": _continuous(_cauchy),
    "logistic": _continuous(_logistic, cdf=_of_scaled(tsr.logistic)),
    "beta": _continuous(_beta), "gamma": _continuous(_gamma), "t": _continuous(_t),
    "chi2": _continuous(_chi2), "pareto": _continuous(_pareto),
    "bernoulli": _discrete(_bernoulli), "poisson": _discrete(_poisson),
    "geom": _discrete(_geom), "binom": _discrete(_binom)}
STATS = {"sem": _scipy.sem}
