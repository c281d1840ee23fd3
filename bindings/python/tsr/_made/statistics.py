"""statistics.py - the functions of tsr/statistics.h; tools/make_bindings.py made it of api/."""
from .._call import context_of, places
from .._lib import lib
from .._types import Any, Array, ArrayLike, Choice, DTypeLike, Dims, List, Optional

__all__ = ["average", "bincount", "corrcoef", "count_nonzero", "cov", "digitize", "histogram",
           "interp", "isin", "median", "nanargmax", "nanargmin", "nanmax", "nanmean", "nanmedian",
           "nanmin", "nanpercentile", "nanprod", "nanquantile", "nanstd", "nansum", "nanvar",
           "percentile", "ptp", "quantile", "searchsorted", "std", "var"]

_var = lib.tsr_var_at
_std = lib.tsr_std_at
_average = lib.tsr_average_at
_count_nonzero = lib.tsr_count_nonzero_at
_ptp = lib.tsr_ptp_at
_nansum = lib.tsr_nansum_at
_nanprod = lib.tsr_nanprod_at
_nanmax = lib.tsr_nanmax_at
_nanmin = lib.tsr_nanmin_at
_nanmean = lib.tsr_nanmean_at
_nanvar = lib.tsr_nanvar_at
_nanstd = lib.tsr_nanstd_at
_nanargmax = lib.tsr_nanargmax_at
_nanargmin = lib.tsr_nanargmin_at
_quantile = lib.tsr_quantile_at
_percentile = lib.tsr_percentile_at
_median = lib.tsr_median_at
_nanquantile = lib.tsr_nanquantile_at
_nanpercentile = lib.tsr_nanpercentile_at
_nanmedian = lib.tsr_nanmedian_at
_cov = lib.tsr_cov_at
_corrcoef = lib.tsr_corrcoef_at
_searchsorted = lib.tsr_searchsorted_at
_digitize = lib.tsr_digitize_at
_isin = lib.tsr_isin_at
_bincount = lib.tsr_bincount_at
_histogram = lib.tsr_histogram_at
_interp = lib.tsr_interp_at


def var(x: ArrayLike, axis: Dims = None, *, keepdims: Optional[bool] = None,
        where: ArrayLike = None, dtype: DTypeLike = None, correction: Optional[float] = None,
        mean: ArrayLike = None) -> Array:
    """The mean of |x - mean|^2, real. NaN where correction leaves no number to divide by. var(x,
    axis=(0,), correction=1). Error (Error.ERROR_TYPE): a dtype of integers, or a real one for
    complex x."""
    c = context_of(x, where, mean)
    x = c.handle(x)
    args = c.record("tsr_var_args", dims=axis, keep=keepdims, where=where, dtype=dtype,
                    correction=correction, mean=mean)
    return c.array(_var(c.place(), x._h, args))


def std(x: ArrayLike, axis: Dims = None, *, keepdims: Optional[bool] = None,
        where: ArrayLike = None, dtype: DTypeLike = None, correction: Optional[float] = None,
        mean: ArrayLike = None) -> Array:
    """The standard deviation along dims, the square root of var(): std(x, axis=(0,))."""
    c = context_of(x, where, mean)
    x = c.handle(x)
    args = c.record("tsr_var_args", dims=axis, keep=keepdims, where=where, dtype=dtype,
                    correction=correction, mean=mean)
    return c.array(_std(c.place(), x._h, args))


def average(x: ArrayLike, axis: Dims = None, *, keepdims: Optional[bool] = None,
            weights: ArrayLike = None, sum: Optional[bool] = None) -> Any:
    """The mean with weights, sum(x weights) / sum(weights): average(x, weights=w). Error
    (Error.ERROR_TYPE): dims of the weights that do not fit."""
    c = context_of(x, weights)
    x = c.handle(x)
    args = c.record("tsr_average_args", dims=axis, keep=keepdims, weights=weights, sum=sum)
    handle = _average(c.place(), x._h, args)
    return c.and_more(handle, args, "sum")


def count_nonzero(x: ArrayLike, axis: Dims = None, *, keepdims: Optional[bool] = None) -> Array:
    """How many elements of x are not 0, along dims; i32."""
    c = context_of(x)
    x = c.handle(x)
    args = c.record("tsr_dims_args", dims=axis, keep=keepdims)
    return c.array(_count_nonzero(c.place(), x._h, args))


def ptp(x: ArrayLike, axis: Dims = None, *, keepdims: Optional[bool] = None) -> Array:
    """The largest element along dims less the smallest one, in the dtype of x: ptp(x,
    axis=(0,))."""
    c = context_of(x)
    x = c.handle(x)
    args = c.record("tsr_dims_args", dims=axis, keep=keepdims)
    return c.array(_ptp(c.place(), x._h, args))


def nansum(x: ArrayLike, axis: Dims = None, *, keepdims: Optional[bool] = None,
           where: ArrayLike = None, initial: ArrayLike = None, dtype: DTypeLike = None) -> Array:
    """The sum of those elements along dims that are not NaN, 0 where all are; otherwise as
    sum()."""
    c = context_of(x, where, initial)
    x = c.handle(x)
    args = c.record("tsr_sum_args", dims=axis, keep=keepdims, where=where, initial=initial,
                    dtype=dtype)
    return c.array(_nansum(c.place(), x._h, args))


def nanprod(x: ArrayLike, axis: Dims = None, *, keepdims: Optional[bool] = None,
            where: ArrayLike = None, initial: ArrayLike = None, dtype: DTypeLike = None) -> Array:
    """The product of those elements along dims that are not NaN, 1 where all are; otherwise as
    prod()."""
    c = context_of(x, where, initial)
    x = c.handle(x)
    args = c.record("tsr_sum_args", dims=axis, keep=keepdims, where=where, initial=initial,
                    dtype=dtype)
    return c.array(_nanprod(c.place(), x._h, args))


def nanmax(x: ArrayLike, axis: Dims = None, *, keepdims: Optional[bool] = None,
           where: ArrayLike = None, initial: ArrayLike = None) -> Array:
    """max() of the elements that are not NaN; NaN where all are, unless initial is given."""
    c = context_of(x, where, initial)
    x = c.handle(x)
    args = c.record("tsr_reduce_args", dims=axis, keep=keepdims, where=where, initial=initial)
    return c.array(_nanmax(c.place(), x._h, args))


def nanmin(x: ArrayLike, axis: Dims = None, *, keepdims: Optional[bool] = None,
           where: ArrayLike = None, initial: ArrayLike = None) -> Array:
    """min() of the elements that are not NaN; NaN where all are, unless initial is given."""
    c = context_of(x, where, initial)
    x = c.handle(x)
    args = c.record("tsr_reduce_args", dims=axis, keep=keepdims, where=where, initial=initial)
    return c.array(_nanmin(c.place(), x._h, args))


def nanmean(x: ArrayLike, axis: Dims = None, *, keepdims: Optional[bool] = None,
            where: ArrayLike = None, dtype: DTypeLike = None) -> Array:
    """The mean of those elements along dims that are not NaN, NaN where all are; otherwise as
    mean()."""
    c = context_of(x, where)
    x = c.handle(x)
    args = c.record("tsr_mean_args", dims=axis, keep=keepdims, where=where, dtype=dtype)
    return c.array(_nanmean(c.place(), x._h, args))


def nanvar(x: ArrayLike, axis: Dims = None, *, keepdims: Optional[bool] = None,
           where: ArrayLike = None, dtype: DTypeLike = None, correction: Optional[float] = None,
           mean: ArrayLike = None) -> Array:
    """The variance of those elements along dims that are not NaN; otherwise as var()."""
    c = context_of(x, where, mean)
    x = c.handle(x)
    args = c.record("tsr_var_args", dims=axis, keep=keepdims, where=where, dtype=dtype,
                    correction=correction, mean=mean)
    return c.array(_nanvar(c.place(), x._h, args))


def nanstd(x: ArrayLike, axis: Dims = None, *, keepdims: Optional[bool] = None,
           where: ArrayLike = None, dtype: DTypeLike = None, correction: Optional[float] = None,
           mean: ArrayLike = None) -> Array:
    """The standard deviation of those elements along dims that are not NaN; otherwise as std()."""
    c = context_of(x, where, mean)
    x = c.handle(x)
    args = c.record("tsr_var_args", dims=axis, keep=keepdims, where=where, dtype=dtype,
                    correction=correction, mean=mean)
    return c.array(_nanstd(c.place(), x._h, args))


def nanargmax(x: ArrayLike, axis: Dims = None, *, keepdims: Optional[bool] = None,
              dtype: DTypeLike = None) -> Array:
    """argmax() of the elements that are not NaN; -1 where all are."""
    c = context_of(x)
    x = c.handle(x)
    args = c.record("tsr_arg_args", dim=axis, keep=keepdims, dtype=dtype)
    return c.array(_nanargmax(c.place(), x._h, args))


def nanargmin(x: ArrayLike, axis: Dims = None, *, keepdims: Optional[bool] = None,
              dtype: DTypeLike = None) -> Array:
    """argmin() of the elements that are not NaN; -1 where all are."""
    c = context_of(x)
    x = c.handle(x)
    args = c.record("tsr_arg_args", dim=axis, keep=keepdims, dtype=dtype)
    return c.array(_nanargmin(c.place(), x._h, args))


def quantile(x: ArrayLike, q: ArrayLike, axis: Dims = None, *, keepdims: Optional[bool] = None,
             method: Optional[Choice] = None, weights: ArrayLike = None) -> Array:
    """The element at q of the way; q may be of one dim, which is the first one of the result then.
    NaN where there is one. quantile(x, 0.9, axis=(1,))"""
    c = context_of(x, q, weights)
    x = c.handle(x)
    q = c.operand(q)
    args = c.record("tsr_quantile_args", dims=axis, keep=keepdims, method=method, weights=weights)
    return c.array(_quantile(c.place(), x._h, q, args))


def percentile(x: ArrayLike, q: ArrayLike, axis: Dims = None, *, keepdims: Optional[bool] = None,
               method: Optional[Choice] = None, weights: ArrayLike = None) -> Array:
    """quantile() at q / 100, for q from 0 to 100: percentile(x, 90)."""
    c = context_of(x, q, weights)
    x = c.handle(x)
    q = c.operand(q)
    args = c.record("tsr_quantile_args", dims=axis, keep=keepdims, method=method, weights=weights)
    return c.array(_percentile(c.place(), x._h, q, args))


def median(x: ArrayLike, axis: Dims = None, *, keepdims: Optional[bool] = None) -> Array:
    """The element in the middle, or the mean of the two in the middle."""
    c = context_of(x)
    x = c.handle(x)
    args = c.record("tsr_dims_args", dims=axis, keep=keepdims)
    return c.array(_median(c.place(), x._h, args))


def nanquantile(x: ArrayLike, q: ArrayLike, axis: Dims = None, *, keepdims: Optional[bool] = None,
                method: Optional[Choice] = None, weights: ArrayLike = None) -> Array:
    """quantile() of the elements that are not NaN."""
    c = context_of(x, q, weights)
    x = c.handle(x)
    q = c.operand(q)
    args = c.record("tsr_quantile_args", dims=axis, keep=keepdims, method=method, weights=weights)
    return c.array(_nanquantile(c.place(), x._h, q, args))


def nanpercentile(x: ArrayLike, q: ArrayLike, axis: Dims = None, *,
                  keepdims: Optional[bool] = None, method: Optional[Choice] = None,
                  weights: ArrayLike = None) -> Array:
    """percentile() of the elements that are not NaN."""
    c = context_of(x, q, weights)
    x = c.handle(x)
    q = c.operand(q)
    args = c.record("tsr_quantile_args", dims=axis, keep=keepdims, method=method, weights=weights)
    return c.array(_nanpercentile(c.place(), x._h, q, args))


def nanmedian(x: ArrayLike, axis: Dims = None, *, keepdims: Optional[bool] = None) -> Array:
    """median() of the elements that are not NaN."""
    c = context_of(x)
    x = c.handle(x)
    args = c.record("tsr_dims_args", dims=axis, keep=keepdims)
    return c.array(_nanmedian(c.place(), x._h, args))


def cov(x: ArrayLike, *, y: ArrayLike = None, columns: Optional[bool] = None,
        bias: Optional[bool] = None, fweights: ArrayLike = None,
        aweights: ArrayLike = None) -> Array:
    """The covariances of the rows of x, [m, m]; of one row a scalar: cov(x, y=z). Further error
    (Error.ERROR_TYPE): weights that are not one for each observation."""
    c = context_of(x, y, fweights, aweights)
    x = c.handle(x)
    args = c.record("tsr_cov_args", y=y, columns=columns, bias=bias, fweights=fweights,
                    aweights=aweights)
    return c.array(_cov(c.place(), x._h, args))


def corrcoef(x: ArrayLike, *, y: ArrayLike = None, columns: Optional[bool] = None) -> Array:
    """cov() over the product of both standard deviations."""
    c = context_of(x, y)
    x = c.handle(x)
    args = c.record("tsr_corrcoef_args", y=y, columns=columns)
    return c.array(_corrcoef(c.place(), x._h, args))


def searchsorted(a: ArrayLike, v: ArrayLike, *, right: Optional[bool] = None) -> Array:
    """The place of each of v in a, which is sorted and has one dim: before equal elements, or,
    with right, behind them; i32, i64 where the dim needs it. NaN is the largest."""
    c = context_of(a, v)
    a = c.handle(a)
    v = c.handle(v)
    args = c.record("tsr_searchsorted_args", right=right)
    return c.array(_searchsorted(c.place(), a._h, v._h, args))


def digitize(x: ArrayLike, bins: ArrayLike, *, right: Optional[bool] = None) -> Array:
    """In which of the bins between edges, rising or falling, each element is: bins[i - 1] <= x <
    bins[i], or, with right, bins[i - 1] < x <= bins[i]."""
    c = context_of(x, bins)
    x = c.handle(x)
    bins = c.handle(bins)
    args = c.record("tsr_searchsorted_args", right=right)
    return c.array(_digitize(c.place(), x._h, bins._h, args))


def isin(x: ArrayLike, set: ArrayLike) -> Array:
    """Whether each element of x is one of those of `set`: a bool."""
    c = context_of(x, set)
    x = c.handle(x)
    set = c.handle(set)
    return c.array(_isin(c.place(), x._h, set._h))


def bincount(x: ArrayLike, n: int, *, weights: ArrayLike = None) -> Array:
    """How many times each of 0 .. n - 1 is in x, integers; negative ones count as 0, larger ones
    not. bincount(words, 50)"""
    c = context_of(x, weights)
    x = c.handle(x)
    args = c.record("tsr_bincount_args", weights=weights)
    return c.array(_bincount(c.place(), x._h, n, args))


def histogram(x: ArrayLike, n: int, *, low: ArrayLike = None, high: ArrayLike = None,
              edges: ArrayLike = None, weights: ArrayLike = None,
              density: Optional[bool] = None) -> List[Array]:
    """How many elements are in each of n bins, to out[0], in the dtype of x and the weights as
    floats, and the n + 1 edges, to out[1]. The last bin has its upper edge too."""
    c = context_of(x, low, high, edges, weights)
    x = c.handle(x)
    made = places(2)
    args = c.record("tsr_histogram_args", low=low, high=high, edges=edges, weights=weights,
                    density=density)
    c.done(_histogram(c.place(), x._h, n, made, args))
    return c.arrays(made)


def interp(x: ArrayLike, xp: ArrayLike, fp: ArrayLike, *, left: ArrayLike = None,
           right: ArrayLike = None, extrapolate: Optional[bool] = None,
           period: Optional[float] = None) -> Array:
    """The values at x of the lines between the points (xp, fp), xp rising. Error
    (Error.ERROR_TYPE): xp and fp not of one dim of the same size."""
    c = context_of(x, xp, fp, left, right)
    x = c.handle(x)
    xp = c.handle(xp)
    fp = c.handle(fp)
    args = c.record("tsr_interp_args", left=left, right=right, extrapolate=extrapolate,
                    period=period)
    return c.array(_interp(c.place(), x._h, xp._h, fp._h, args))
