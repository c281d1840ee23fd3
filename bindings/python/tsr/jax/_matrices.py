"""_matrices.py - matrices of a known form and further factors: the rest of jax.scipy.linalg, and
jax.scipy.fft.

    leslie([1, 2], [3])    gives [[1, 2], [3, 0]]"""
import math

import numpy as np

import tsr

from . import _dtypes, _numpy, _products, _scipy, _shapes
from ._array import as_array, wrapped
from ._backend import context
from ._shapes import _x


def _one(a):
    a = as_array(a)
    if a.ndim > 1:
        raise NotImplementedError("batches of vectors in jax.scipy.linalg on Tessera")
    return _numpy.atleast_1d(a)


def _made(x):
    context()
    return as_array(np.asarray(x), str(_dtypes.named(float)))


def helmert(n, full=False):
    """Rows at right angles, each of a difference; full: with one of equal elements above."""
    if n < 1:
        raise ValueError(f"n must be a positive integer; got {n}.")
    k, j = np.arange(1., n)[:, None], np.arange(n)[None]
    rows = np.where(j < k, 1, np.where(j == k, -k, 0)) / np.sqrt(k * (k + 1))
    return _made(np.concatenate([np.full((1, n), n ** -.5), rows]) if full else rows)


def invhilbert(n):
    """The inverse of hilbert(n)."""
    return _made([[(-1) ** (i + j) * (i + j + 1) * math.comb(n + i, n - j - 1)
                   * math.comb(n + j, n - i - 1) * math.comb(i + j, i) ** 2
                   for j in range(n)] for i in range(n)])


def invpascal(n, kind=None):
    """The inverse of pascal(n, kind)."""
    kind = kind or "symmetric"
    if kind not in ("symmetric", "lower", "upper"):
        raise ValueError("Expected kind to be one of: ['symmetric', 'lower', 'upper']; "
                         f"got {kind}")
    low = np.array([[(-1.) ** (i - j) * math.comb(i, j) for j in range(n)] for i in range(n)])
    return _made({"lower": low, "upper": low.T, "symmetric": low.T @ low}[kind])


def leslie(f, s):
    """How a population changes: the births of each age in the first row, those who stay below."""
    f, s = _one(f), _one(s)
    if s.size != f.size - 1 or f.size < 2:
        raise ValueError(f"Incorrect lengths for f and s: {f.shape} and {s.shape}")
    kind = _numpy.result_type(f, s)
    below = _shapes.pad(_numpy.diag(s.astype(kind)), ((0, 0), (0, 1)))
    return _shapes.concatenate([f.astype(kind)[None], below])


def fiedler(a):
    """The distances of numbers."""
    a = _one(a)
    return abs(a[:, None] - a[None])


def convolution_matrix(a, n, mode="full"):
    """The matrix whose product with a vector of n elements is the convolution with a."""
    a = _one(a)
    if n <= 0 or mode not in ("full", "valid", "same"):
        raise ValueError(f"convolution_matrix: n={n}, mode={mode!r}")
    m = a.shape[0]
    cut = {"full": 0, "same": min(n, m) - 1, "valid": 2 * (min(n, m) - 1)}[mode]
    first = cut // 2
    rows = np.arange(first, m + n - 1 - (cut - first))[:, None] - np.arange(n)[None]
    kept = (rows >= 0) & (rows < m)
    return _numpy.where(as_array(kept), a[as_array(np.where(kept, rows, 0))], as_array(0, a.dtype))


def expm_frechet(A, E, *, method=None, compute_expm=True):
    """(exp(A), its derivative in the direction E)."""
    a, e = as_array(A), as_array(E)
    n = a.shape[0]
    both = _numpy.block([[a, e], [_numpy.zeros_like(a), a]])
    made = _scipy.expm(both)
    return (made[:n, :n], made[:n, n:]) if compute_expm else made[:n, n:]


def eigh_tridiagonal(d, e, *, eigvals_only=False, select="a", select_range=None, tol=None):
    """The eigenvalues of a matrix with a diagonal and one beside it."""
    if not eigvals_only or select != "a" or tol is not None:
        raise NotImplementedError("jax.scipy.linalg.eigh_tridiagonal(eigvals_only=False, select=, "
                                  "tol=) on Tessera")
    d, e = _one(d), _one(e)
    return _products.LINALG["eigh"](_numpy.diag(d) + _numpy.diag(e, 1) + _numpy.diag(e, -1))[0]


LINALG = {f.__name__: f for f in (helmert, invhilbert, invpascal, leslie, fiedler,
                                  convolution_matrix, expm_frechet, eigh_tridiagonal)}


# ---- jax.scipy.fft

def _scaled(n, norm, axis, ndim):
    """What the elements of a transform are multiplied by with norm="ortho"."""
    if norm not in (None, "ortho"):
        raise ValueError(f"jax.scipy.fft norm={norm!r}; it is None or 'ortho'")
    scale = np.full(n, (2 * n) ** -.5 if norm else 1., np.float32)
    scale[0] *= 2 ** -.5 if norm else 1
    return as_array(scale.reshape([n if k == axis else 1 for k in range(ndim)]))


def _turned(n, axis, ndim, sign):
    """exp(sign i pi k / 2 n) along an axis."""
    made = np.exp(sign * .5j * np.pi * np.arange(n) / n).astype(np.complex64)
    return as_array(made.reshape([n if k == axis else 1 for k in range(ndim)]), "complex64")


def _with(x, type, n, axis, name):
    if type != 2 or n is not None:
        raise NotImplementedError(f"jax.scipy.fft.{name}(type=, n=) on Tessera")
    x = as_array(x)
    return x.astype(_numpy.result_type(x, float)), axis % x.ndim


def dct(x, type=2, n=None, axis=-1, norm=None):
    """The cosine transform, by a Fourier transform of the even elements and then the odd ones."""
    x, axis = _with(x, type, n, axis, "dct")
    n = x.shape[axis]
    at = np.concatenate([np.arange(0, n, 2), np.arange(1, n, 2)[::-1]])
    y = _products.FFT["fft"](_shapes.take(x, at, axis), axis=axis)
    y = 2 * (y * _turned(n, axis, x.ndim, -1)).real
    return y * _scaled(n, norm, axis, x.ndim)


def idct(x, type=2, n=None, axis=-1, norm=None):
    """The inverse cosine transform."""
    x, axis = _with(x, type, n, axis, "idct")
    n = x.shape[axis]
    x = x / _scaled(n, norm, axis, x.ndim)
    shape = [n if k == axis else 1 for k in range(x.ndim)]
    back = wrapped(tsr.flip(_x(x), (axis,)))
    back = _shapes.roll(back, 1, axis) * as_array((np.arange(n) > 0).astype(np.float32)
                                                  .reshape(shape))
    turned = (x - 1j * back) * _turned(n, axis, x.ndim, 1) / 2
    y = _products.FFT["ifft"](turned, axis=axis).real
    at = np.empty(n, np.int32)
    at[::2], at[1::2] = np.arange((n + 1) // 2), np.arange((n + 1) // 2, n)[::-1]
    return _shapes.take(y, at, axis)


def _of_axes(one):
    def function(x, type=2, s=None, axes=None, norm=None):
        if s is not None:
            raise NotImplementedError(f"jax.scipy.fft.{one.__name__}n(s=) on Tessera")
        x = as_array(x)
        for axis in range(x.ndim) if axes is None else axes:
            x = one(x, type, axis=axis, norm=norm)
        return x
    function.__name__, function.__doc__ = one.__name__ + "n", one.__doc__
    return function


FFT = {"dct": dct, "idct": idct, "dctn": _of_axes(dct), "idctn": _of_axes(idct)}
