"""_numpy.py - jax.numpy: makers, reductions and all other functions but those of _elementwise.py
and _shapes.py."""
import builtins
import functools
import operator

import numpy as np

import tsr

from . import _dtypes, _elementwise
from ._array import Array, as_array, raw, wrapped
from ._backend import context
from ._sharding import device_put

globals().update(_elementwise.numpy_members())
globals().update(_dtypes.scalars)
from ._dtypes import finfo, iinfo, issubdtype, promote_types, result_type  # noqa: E402,F401

pi, e, inf, nan, newaxis, euler_gamma = np.pi, np.e, np.inf, np.nan, None, np.euler_gamma
ndarray, dtype = Array, np.dtype
int_, uint, float_, complex_ = (_dtypes.scalars[n] for n in ("int32", "uint32", "float32",
                                                            "complex64"))
for _name in ("number", "integer", "signedinteger", "unsignedinteger", "inexact", "floating",
              "complexfloating", "generic"):
    globals()[_name] = getattr(np, _name)


def _x(x):
    """An array of the library."""
    context()
    return as_array(_no_list(x))._x


def _no_list(x):
    if isinstance(x, (list, tuple)):
        raise TypeError(f"jax.numpy's functions take arrays or numbers, not {type(x).__name__}: "
                        "use jnp.array()")
    return x


def _absent(what, **given):
    for name, value in given.items():
        if value is not None and value is not False:
            raise NotImplementedError(f"jax.numpy.{what}({name}={value!r}) on Tessera")


# ---- makers

def _at(x, device):
    return x if device is None else device_put(x, device)


def array(object, dtype=None, copy=True, order="K", ndmin=0, *, device=None):
    """An array of numbers, nested lists, or another library's array."""
    made = as_array(object, dtype)
    while made.ndim < ndmin:
        made = made[None]
    return _at(made, device)


def asarray(a, dtype=None, order=None, *, copy=None, device=None):
    """The same; an array is left as it is."""
    if isinstance(a, Array) and dtype is None:
        return _at(a, device)
    return array(a, dtype, device=device)


def _shape(shape):
    if hasattr(shape, "__iter__") and (not isinstance(shape, Array) or shape.ndim):
        return tuple(map(operator.index, shape))
    return (operator.index(shape),)


def full(shape, fill_value, dtype=None, *, device=None):
    """All one value."""
    wide = type(fill_value) is int and not -1 << 31 <= fill_value < 1 << 31
    value = as_array(fill_value, dtype)._x if wide else _x(fill_value)
    value = value if dtype is None else value.astype(_dtypes.named(dtype))
    return _at(wrapped(tsr.broadcast_to(value, _shape(shape))), device)


def zeros(shape, dtype=None, *, device=None):
    """Zeros; float32 when nobody says."""
    context()
    return _at(wrapped(tsr.zeros(_shape(shape), dtype=_dtypes.named(dtype or float))), device)


def ones(shape, dtype=None, *, device=None):
    """Ones."""
    context()
    return _at(wrapped(tsr.ones(_shape(shape), dtype=_dtypes.named(dtype or float))), device)


empty = zeros


def full_like(a, fill_value, dtype=None, shape=None, *, device=None):
    """All one value, with the dims and dtype of an array; in a shard_map as varying as it is."""
    a = as_array(a) if not hasattr(a, "dtype") else a
    made = full(a.shape if shape is None else shape, fill_value, dtype or a.dtype, device=device)
    if type(a) is not Array or a._x._level.root:
        return made
    return wrapped(_varying_as(made._x, a._x))


def _varying_as(made, x):
    axes = [name for name in tsr.axis_sizes() if x.varying(name) and not made.varying(name)]
    return tsr.pcast(made, axes, to="varying") if axes else made


def zeros_like(a, dtype=None, shape=None, *, device=None):
    """Zeros, with the dims and dtype of an array."""
    return full_like(a, 0, dtype, shape, device=device)


def ones_like(a, dtype=None, shape=None, *, device=None):
    """Ones, with the dims and dtype of an array."""
    return full_like(a, 1, dtype, shape, device=device)


empty_like = zeros_like


def arange(start, stop=None, step=None, dtype=None, *, device=None):
    """start, start + step, ... below stop."""
    context()
    given = [x.item() if isinstance(x, (Array, np.generic)) else x
             for x in (start, stop, step)]
    return _at(as_array(_arange(*given, dtype)), device)


def _arange(start, stop, step, dtype):
    if dtype is None:
        dtype = result_type(*(x for x in (start, stop, step) if x is not None))
    dtype = _dtypes.numpy_dtype(_dtypes.named(dtype))
    start, stop = (0, start) if stop is None else (start, stop)
    step = 1 if step is None else step
    count = builtins.max(int(np.ceil((stop - start) / step)), 0)
    if count and dtype.kind in "iu":
        last = start + (count - 1) * step
        _dtypes.check_range(builtins.min(start, last), builtins.max(start, last),
                            _dtypes.named(dtype))
    made = tsr.arange(count, start=start, step=step, dtype=_dtypes.named(dtype))
    return wrapped(made)


def linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0, *,
             device=None):
    """num numbers from start to stop."""
    context()
    kind = _dtypes.named(dtype or result_type(start, stop, float))
    made = wrapped(tsr.linspace(raw(start), raw(stop), num, open=not endpoint or None,
                                axis=axis or None, dtype=kind))
    parts = num - 1 if endpoint else num
    step = asarray((stop - start) / parts, made.dtype)
    return (made, step) if retstep else _at(made, device)


def logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0):
    """base to the power of linspace()."""
    return asarray(globals()["power"](base, linspace(start, stop, num, endpoint, axis=axis)),
                   dtype)


def eye(N, M=None, k=0, dtype=None, *, device=None):
    """The identity."""
    context()
    made = tsr.eye(N, columns=M, k=k or None, dtype=_dtypes.named(dtype or float))
    return _at(wrapped(made), device)


def identity(n, dtype=None):
    """The identity."""
    return eye(n, dtype=dtype)


def copy(a, order=None):
    """The same."""
    return wrapped(tsr.copy(_x(a)))


def astype(x, dtype, /, *, copy=False, device=None):
    """As another dtype."""
    return _at(as_array(x, dtype or float), device)


# ---- reductions

def _axis(axis):
    return axis if axis is None or isinstance(axis, int) else tuple(int(a) for a in axis)


def _reduction(name, *options):
    function = getattr(tsr, name)

    def of_array(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None,
                 promote_integers=True):
        if type(a) is Array and (axis is None or type(axis) is int) and keepdims is False and \
                dtype is out is initial is where is None:
            return wrapped(function(a._x, axis))
        _absent(name, out=out)
        keywords = {"keepdims": keepdims or None}
        if where is not None:
            keywords["where"] = _x(where)
        if "initial" in options and initial is not None:
            keywords["initial"] = raw(initial)
        if "dtype" in options and dtype is not None:
            keywords["dtype"] = _dtypes.named(dtype)
        axis = _axis(axis)
        if axis == ():
            return as_array(a)
        made = function(_x(a), axis, **keywords)
        return wrapped(made)
    of_array.__name__, of_array.__doc__ = name, function.__doc__
    return of_array


_SUM, _MAX = ("initial", "dtype"), ("initial",)
_of = {name: _reduction(name, *options) for name, options in [
    ("sum", _SUM), ("prod", _SUM), ("nansum", _SUM), ("nanprod", _SUM), ("max", _MAX),
    ("min", _MAX), ("nanmax", _MAX), ("nanmin", _MAX), ("all", ()), ("any", ()),
    ("mean", ("dtype",)), ("nanmean", ("dtype",))]}


def sum(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None,
        promote_integers=True):
    """The sum over dims."""
    return _of["sum"](a, axis, dtype or _summed(a, promote_integers), out, keepdims, initial,
                      where)


def prod(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None,
         promote_integers=True):
    """The product over dims."""
    return _of["prod"](a, axis, dtype or _summed(a, promote_integers), out, keepdims, initial,
                       where)


def _summed(a, promote):
    """Sums of small integers are wider."""
    if type(a) is Array and a._x.dtype.kind == "f":
        return None
    kind = as_array(_no_list(a)).dtype
    if not promote or kind.kind not in "biu" or kind.itemsize >= 4:
        return None
    return "uint32" if kind.kind == "u" else "int32"


def nansum(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None):
    """The sum of what is not NaN."""
    return _of["nansum"](a, axis, dtype, out, keepdims, initial, where)


def nanprod(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None):
    """The product of what is not NaN."""
    return _of["nanprod"](a, axis, dtype, out, keepdims, initial, where)


def _largest(name):
    def of_array(a, axis=None, out=None, keepdims=False, initial=None, where=None):
        return _of[name](a, axis, None, out, keepdims, initial, where)
    of_array.__name__, of_array.__doc__ = name, getattr(tsr, name).__doc__
    return of_array


max, min, nanmax, nanmin = (_largest(n) for n in ("max", "min", "nanmax", "nanmin"))
amax, amin = max, min


def all(a, axis=None, out=None, keepdims=False, *, where=None):
    """Are all true?"""
    return _of["all"](a, axis, None, out, keepdims, None, where)


def any(a, axis=None, out=None, keepdims=False, *, where=None):
    """Is one true?"""
    return _of["any"](a, axis, None, out, keepdims, None, where)


def mean(a, axis=None, dtype=None, out=None, keepdims=False, *, where=None):
    """The mean."""
    return _of["mean"](a, axis, dtype, out, keepdims, None, where)


def nanmean(a, axis=None, dtype=None, out=None, keepdims=False, *, where=None):
    """The mean of what is not NaN."""
    return _of["nanmean"](a, axis, dtype, out, keepdims, None, where)


def _spread(name):
    function = getattr(tsr, name)

    def of_array(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=None,
                 correction=None):
        _absent(name, out=out)
        correction = ddof if correction is None else correction
        return wrapped(function(_x(a), _axis(axis), keepdims=keepdims or None,
                                where=None if where is None else _x(where),
                                dtype=_dtypes.named(dtype), correction=correction or None))
    of_array.__name__, of_array.__doc__ = name, function.__doc__
    return of_array


var, std, nanvar, nanstd = (_spread(n) for n in ("var", "std", "nanvar", "nanstd"))


def _place(name):
    function = getattr(tsr, name)

    def of_array(a, axis=None, out=None, keepdims=None):
        _absent(name, out=out)
        x = _x(a)
        if axis is None and keepdims:
            return wrapped(function(x.ravel(), 0).reshape((1,) * x.ndim))
        if axis is None:
            return wrapped(function(x.ravel(), 0))
        return wrapped(function(x, axis, keepdims=keepdims or None))
    of_array.__name__, of_array.__doc__ = name, function.__doc__
    return of_array


argmax, argmin, nanargmax, nanargmin = (_place(n) for n in ("argmax", "argmin", "nanargmax",
                                                            "nanargmin"))


def _running(name):
    function = getattr(tsr, name)

    def of_array(a, axis=None, dtype=None, out=None):
        _absent(name, out=out)
        x = _x(a)
        x = x.ravel() if axis is None else x
        return wrapped(function(x, axis or 0, dtype=_dtypes.named(dtype)))
    of_array.__name__, of_array.__doc__ = name, function.__doc__
    return of_array


cumsum, cumprod, nancumsum, nancumprod = (_running(n) for n in ("cumsum", "cumprod", "nancumsum",
                                                                "nancumprod"))


def count_nonzero(a, axis=None, keepdims=False):
    """How many are not 0."""
    return wrapped(tsr.count_nonzero(_x(a), _axis(axis), keepdims=keepdims or None))


def ptp(a, axis=None, out=None, keepdims=False):
    """The largest less the least."""
    _absent("ptp", out=out)
    return wrapped(tsr.ptp(_x(a), _axis(axis), keepdims=keepdims or None))


def average(a, axis=None, weights=None, returned=False, keepdims=False):
    """The mean, with weights perhaps."""
    if weights is None:
        made = mean(a, axis, keepdims=keepdims)
        weight = full_like(made, size(a) / builtins.max(size(made), 1))
    else:
        x, w = as_array(_no_list(a)), as_array(_no_list(weights))
        if w.shape != x.shape and w.ndim == 1 and isinstance(axis, int):
            w = w.reshape([-1 if k == axis % x.ndim else 1 for k in builtins.range(x.ndim)])
        made = wrapped(tsr.average(_x(a), _axis(axis), keepdims=keepdims or None,
                                   weights=_x(weights)))
        weight = sum(broadcast_to(w, x.shape), axis, keepdims=keepdims)
    return (made, weight.astype(made.dtype)) if returned else made


def _ordered(name):
    function = getattr(tsr, name)

    def of_array(a, q, axis=None, out=None, overwrite_input=False, method="linear",
                 keepdims=False):
        _absent(name, out=out)
        return wrapped(function(_x(a), _x(q), _axis(axis), keepdims=keepdims or None,
                                method=method))
    of_array.__name__, of_array.__doc__ = name, function.__doc__
    return of_array


quantile, percentile, nanquantile, nanpercentile = (
    _ordered(n) for n in ("quantile", "percentile", "nanquantile", "nanpercentile"))


def median(a, axis=None, out=None, overwrite_input=False, keepdims=False):
    """The middle."""
    _absent("median", out=out)
    return wrapped(tsr.median(_x(a), _axis(axis), keepdims=keepdims or None))


# ---- choosing and comparing

def where(condition, x=None, y=None, /, *, size=None, fill_value=None):
    """x where a condition is true, otherwise y; with the condition alone, where it is."""
    if x is None and y is None:
        return globals()["nonzero"](condition, size=size, fill_value=fill_value)
    if x is None or y is None:
        raise ValueError("Either both or neither of the x and y arguments should be provided to "
                         "jax.numpy.where")
    context()
    return wrapped(tsr.where(raw(_no_list(condition)), raw(_no_list(x)), raw(_no_list(y))))


def clip(arr=None, /, min=None, max=None):
    """Moved into a range."""
    x = _x(arr)
    if min is not None:
        x = tsr.maximum(x, raw(min))
    return wrapped(x if max is None else tsr.minimum(x, raw(max)))


def round(a, decimals=0, out=None):
    """To so many decimals."""
    _absent("round", out=out)
    return wrapped(tsr.round(_x(a), decimals=decimals or None))


around = round


def isclose(a, b, rtol=1e-5, atol=1e-8, equal_nan=False):
    """|a - b| <= atol + rtol |b|."""
    a, b = _x(a), _x(b)
    if a.dtype.kind in "biu" and b.dtype.kind in "biu":
        return wrapped(a == b)
    made = tsr.isclose(a, b, rtol, atol)
    if equal_nan:
        made = tsr.logical_or(made, tsr.logical_and(tsr.isnan(a), tsr.isnan(b)))
    return wrapped(made)


def allclose(a, b, rtol=1e-5, atol=1e-8, equal_nan=False):
    """isclose() of all elements."""
    return all(isclose(a, b, rtol, atol, equal_nan))


def array_equal(a1, a2, equal_nan=False):
    """The same dims and equal values."""
    a, b = _x(a1), _x(a2)
    if a.shape != b.shape:
        return as_array(np.bool_(False))
    same = a == b
    if equal_nan:
        same = tsr.logical_or(same, tsr.logical_and(tsr.isnan(a), tsr.isnan(b)))
    return all(wrapped(same))


def nan_to_num(x, copy=True, nan=0.0, posinf=None, neginf=None):
    """Numbers for NaN and the infinities."""
    return wrapped(tsr.nan_to_num(_x(x), nan=nan, posinf=posinf, neginf=neginf))


def positive(x, /):
    """The same."""
    return as_array(_no_list(x))


def divmod(x1, x2, /):
    """(x1 // x2, x1 % x2)."""
    return globals()["floor_divide"](x1, x2), globals()["remainder"](x1, x2)


def vectorize(pyfunc, *, excluded=frozenset(), signature=None):
    """A function of elements, or of arrays of some dims, as one of arrays of more."""
    from ._vectorize import vectorized
    return vectorized(pyfunc, frozenset(excluded), signature)


from ._shapes import *  # noqa: E402,F401,F403
from ._products import *  # noqa: E402,F401,F403
from ._more import *  # noqa: E402,F401,F403
from ._sets import *  # noqa: E402,F401,F403
from ._editing import *  # noqa: E402,F401,F403
from ._statistics import *  # noqa: E402,F401,F403
from ._polynomials import *  # noqa: E402,F401,F403
from ._host import *  # noqa: E402,F401,F403
from ._ufunc import *  # noqa: E402,F401,F403
from . import _ufunc  # noqa: E402

for _name in [*_elementwise.BINARY, *_elementwise.UNARY]:
    globals()[_name].__name__ = _name
    _ufunc.with_methods(globals()[_name], _name, 2 if _name in _elementwise.BINARY else 1)

MEMBERS = {n for n in globals() if not n.startswith("_")} - {
    "builtins", "functools", "np", "tsr", "as_array", "raw", "wrapped", "context", "device_put",
    "Array", "MEMBERS", "annotations"}
__all__ = sorted(MEMBERS)
