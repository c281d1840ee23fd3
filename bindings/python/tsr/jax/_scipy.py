"""_scipy.py - jax.scipy, jax.ops, jax.flatten_util and jax.ad_checkpoint."""
import math

import numpy as np

import tsr

from . import _dtypes, _nn, _numpy, _products, _shapes, _statistics
from ._array import as_array, raw, wrapped
from ._backend import context
from ._shapes import _x


def _float(x):
    x = _x(x)
    return x if x.dtype.kind in "fcV" else x.astype(_dtypes.named(float))


def _of(name, own):
    function = getattr(tsr, own)

    def of_arrays(*args):
        return wrapped(function(*map(_float, args)))
    of_arrays.__name__, of_arrays.__doc__ = name, function.__doc__
    return of_arrays


# ---- special

def bernoulli(n):
    """Bernoulli's numbers up to the n-th."""
    made = [1., -.5] + [0.] * max(n - 1, 0)
    exact = [1.]
    for m in range(1, n + 1):
        exact.append(-sum(math.comb(m + 1, k) * exact[k] for k in range(m)) / (m + 1))
    made = [b if k < 2 or k % 2 == 0 else 0. for k, b in enumerate(exact)]
    return as_array(np.asarray(made[:n + 1], np.float32))


def comb(N, k, exact=False, repetition=False):
    """How many choices of k of N there are."""
    if exact or repetition:
        raise NotImplementedError("jax.scipy.special.comb(exact=, repetition=) on Tessera")
    return wrapped(tsr.comb(_float(N), _float(k)))


def factorial(n, exact=False):
    """1 times 2 ... times n."""
    if exact:
        raise NotImplementedError("jax.scipy.special.factorial(exact=True) on Tessera")
    return wrapped(tsr.factorial(_float(n)))


def multigammaln(a, d):
    """The logarithm of the gamma function of several variables."""
    return wrapped(tsr.multigammaln(_float(a), int(d)))


def polygamma(n, x):
    """Derivatives of the digamma function."""
    return wrapped(tsr.polygamma(_float(n), _float(x)))


SPECIAL = {name: _of(name, own) for name, own in {
    "beta": "beta_function", "betainc": "betainc", "betaln": "betaln", "boxcox": "boxcox",
    "boxcox1p": "boxcox1p", "digamma": "digamma", "entr": "entr", "erf": "erf", "erfc": "erfc",
    "erfinv": "erf_inv", "expit": "logistic", "gamma": "gamma_function", "gammainc": "igamma",
    "gammaincc": "igammac", "gammaln": "lgamma", "gammasgn": "gammasgn", "i0": "i0",
    "i0e": "bessel_i0e", "i1": "i1", "i1e": "bessel_i1e", "kl_div": "kl_div",
    "log_ndtr": "log_ndtr", "loggamma": "lgamma", "logit": "logit", "ndtr": "ndtr",
    "ndtri": "ndtri", "poch": "poch", "rel_entr": "rel_entr", "xlog1py": "xlog1py",
    "xlogy": "xlogy", "zeta": "zeta"}.items()}
SPECIAL.update({f.__name__: f for f in (bernoulli, comb, factorial, multigammaln, polygamma)})
SPECIAL.update({n: _nn.MEMBERS[n] for n in ("softmax", "log_softmax", "logsumexp")})


# ---- linalg

def block_diag(*arrs):
    """Matrices along the diagonal of one."""
    parts = [wrapped(tsr.atleast_2d(_x(a))) for a in arrs] or [as_array(np.zeros((1, 0)))]
    kind = _numpy.result_type(*parts)
    rows, columns = (sum(p.shape[d] for p in parts) for d in (0, 1))
    made, at = [], 0
    for p in parts:
        made.append(_shapes.pad(p.astype(kind), ((0, 0), (at, columns - at - p.shape[1]))))
        at += p.shape[1]
    return _shapes.reshape(_shapes.concatenate(made), (rows, columns))


def cholesky(a, lower=False, overwrite_a=False, check_finite=True):
    """The factor of a positive definite matrix; the upper one where nobody says."""
    return wrapped(tsr.cholesky(_float(a), upper=not lower or None))


def cho_factor(a, lower=False, overwrite_a=False, check_finite=True):
    """(factor, lower) for cho_solve()."""
    return cholesky(a, lower), lower


def cho_solve(c_and_lower, b, overwrite_b=False, check_finite=True):
    """x of a x = b, of a factor of a."""
    factor, lower = c_and_lower
    b = _float(b)
    rows = b[:, None] if b.ndim == 1 else b
    made = tsr.cho_solve(_float(factor), rows, lower=lower or None)
    return wrapped(made[:, 0] if b.ndim == 1 else made)


def eigh(a, b=None, lower=True, eigvals_only=False, overwrite_a=False, overwrite_b=False,
         turbo=True, eigvals=None, type=1, check_finite=True):
    """(eigenvalues, eigenvectors) of a Hermitian matrix."""
    if b is not None or eigvals is not None or type != 1:
        raise NotImplementedError("jax.scipy.linalg.eigh(b=, eigvals=, type=) on Tessera")
    values, vectors = tsr.eigh(_float(a), upper=not lower or None)
    return wrapped(values) if eigvals_only else (wrapped(values), wrapped(vectors))


def expm(A, *, upper_triangular=False, max_squarings=16):
    """The exponential of a matrix."""
    return wrapped(tsr.expm(_float(A)))


def lu(a, permute_l=False, overwrite_a=False, check_finite=True):
    """(p, l, u) with p l u = a; or (p l, u)."""
    x = _float(a)
    both, _, order = tsr.lu(x)
    m, n = x.shape
    k = min(m, n)
    low = tsr.tril(both[:, :k], -1) + tsr.eye(m, columns=k, dtype=x.dtype)
    up = tsr.triu(both[:k, :])
    p = (order[None, :] == tsr.arange(m)[:, None]).astype(tsr.real(x).dtype)
    if permute_l:
        return wrapped(p.astype(x.dtype) @ low), wrapped(up)
    return tuple(map(wrapped, (p, low, up)))


def lu_factor(a, overwrite_a=False, check_finite=True):
    """(both factors in one matrix, the rows exchanged) for lu_solve()."""
    both, swapped, _ = tsr.lu(_float(a))
    return wrapped(both), wrapped(swapped)


def lu_solve(lu_and_piv, b, trans=0, overwrite_b=False, check_finite=True):
    """x of a x = b, of the factors of a."""
    both, swapped = (_x(y) for y in lu_and_piv)
    b = _float(b)
    rows = b[:, None] if b.ndim == 1 else b
    order = tsr.arange(both.shape[0])
    for k in range(both.shape[0]):
        j = swapped[k]
        a, c = order[k], tsr.take(order, j, 0)
        order = order.at[k].set(c).at[j].set(a)

    def solved(rhs, trans, **how):
        return tsr.solve_triangular(both, rhs, **how, **({"trans": trans} if trans else {}))
    if trans == 0:
        made = solved(tsr.take(rows, order, 0), 0, lower=True, unit_diagonal=True)
        made = solved(made, 0)
    else:
        made = solved(rows, trans)
        made = solved(made, trans, lower=True, unit_diagonal=True)
        made = tsr.zeros_like(made).at[order].set(made)
    return wrapped(made[:, 0] if b.ndim == 1 else made)


def qr(a, overwrite_a=False, lwork=None, mode="full", pivoting=False, check_finite=True):
    """(q, r); mode "economic": as few columns as there are."""
    if pivoting:
        raise NotImplementedError("jax.scipy.linalg.qr(pivoting=True) on Tessera")
    if mode == "r":
        return (wrapped(tsr.qr(_float(a), full_matrices=True)[1]),)
    return tuple(map(wrapped, tsr.qr(_float(a), full_matrices=mode == "full" or None)))


def solve(a, b, lower=False, overwrite_a=False, overwrite_b=False, debug=False, check_finite=True,
          assume_a="gen"):
    """x of a x = b."""
    if assume_a == "pos":
        return cho_solve(cho_factor(a, lower), b)
    return _products.LINALG["solve"](as_array(a), as_array(b))


def solve_triangular(a, b, trans=0, lower=False, unit_diagonal=False, overwrite_b=False,
                     debug=None, check_finite=True):
    """x of a x = b with a triangular matrix."""
    a, b = _float(a), _float(b)
    rows = b[:, None] if b.ndim == 1 else b
    trans = {"N": 0, "T": 1, "C": 2}.get(trans, trans)
    given = {n: v for n, v in (("trans", trans), ("lower", lower),
                               ("unit_diagonal", unit_diagonal)) if v}
    made = tsr.solve_triangular(a, rows, **given)
    return wrapped(made[:, 0] if b.ndim == 1 else made)


def svd(a, full_matrices=True, compute_uv=True, overwrite_a=False, check_finite=True,
        lapack_driver="gesdd"):
    """(u, s, vh), or s."""
    made = _products.LINALG["svd"](a, full_matrices, compute_uv)
    return tuple(made) if compute_uv else made


def polar(a, side="right", *, method="qdwh", eps=None, max_iterations=None):
    """(u, p) with u p = a; side "left": p u."""
    x = _float(a)
    u, s, vh = tsr.svd(x, thin=True)
    if side == "right":
        p = (tsr.conj(vh.mT) * s) @ vh
    else:
        p = (u * s) @ tsr.conj(u.mT)
    return wrapped(u @ vh), wrapped(p)


def _from_indices(values, at):
    return wrapped(tsr.take(values, raw(np.asarray(at, np.int32)), 0))


def toeplitz(c, r=None):
    """Equal elements along each diagonal."""
    c = _x(c).ravel()
    first = tsr.conj(c) if r is None else _x(r).ravel()
    m, n = c.shape[0], first.shape[0]
    values = tsr.concatenate([tsr.flip(c, (0,)), first[1:]], 0)
    return _from_indices(values, m - 1 - np.arange(m)[:, None] + np.arange(n)[None])


def hankel(c, r=None):
    """Equal elements along each diagonal across."""
    c = _x(c).ravel()
    last = tsr.zeros_like(c) if r is None else _x(r).ravel()
    values = tsr.concatenate([c, last[1:]], 0)
    return _from_indices(values, np.arange(c.shape[0])[:, None] + np.arange(last.shape[0])[None])


def circulant(c):
    """Each column is the one before, moved by one."""
    c = _x(c).ravel()
    n = c.shape[0]
    return _from_indices(c, (np.arange(n)[:, None] - np.arange(n)[None]) % n)


def companion(a):
    """The matrix whose eigenvalues are the zeros of a polynomial."""
    a = _float(a)
    n = a.shape[0] - 1
    top = -a[1:] / a[0]
    return wrapped(tsr.concatenate([top[None], tsr.eye(n - 1, columns=n, dtype=a.dtype)], 0))


def hilbert(n):
    """1 / (row + column + 1)."""
    context()
    k = np.arange(n, dtype=np.float32)
    return as_array(1 / (k[:, None] + k[None] + 1))


def hadamard(n, dtype=int):
    """Rows of 1 and -1 at right angles."""
    made = np.ones((1, 1), np.int32)
    while made.shape[0] < n:
        made = np.block([[made, made], [made, -made]])
    if made.shape[0] != n:
        raise ValueError("n must be an positive integer, and n must be a power of 2")
    return as_array(made, dtype)


def dft(n, scale=None):
    """The matrix of the Fourier transform."""
    k = np.arange(n)
    made = np.exp(-2j * np.pi * (np.outer(k, k) % n) / n)
    made = made / {None: 1, "sqrtn": n ** .5, "n": n}[scale]
    return as_array(made.astype(np.complex64), "complex64")


def pascal(n, kind="symmetric"):
    """Pascal's triangle as a matrix."""
    low = np.array([[math.comb(i, j) for j in range(n)] for i in range(n)], np.float32)
    return as_array({"lower": low, "upper": low.T, "symmetric": low @ low.T}[kind])


LINALG = {f.__name__: f for f in (
    block_diag, cholesky, cho_factor, cho_solve, eigh, expm, lu, lu_factor, lu_solve, qr, solve,
    solve_triangular, svd, polar, toeplitz, hankel, circulant, companion, hilbert, hadamard, dft,
    pascal)}
LINALG.update(det=_products.LINALG["det"], inv=_products.LINALG["inv"],
              hessenberg=_of("hessenberg", "hessenberg"))
LINALG["inv"] = lambda a, overwrite_a=False, check_finite=True: _products.LINALG["inv"](a)
LINALG["inv"].__doc__ = "The inverse."


# ---- signal, integrate

def convolve(in1, in2, mode="full", method="auto", precision=None):
    """Sums of products of one array moved along the other."""
    a, b = as_array(in1), as_array(in2)
    if a.ndim == 1:
        return _products.convolve(a, b, mode)
    return _convolved(a, b, mode)


def correlate(in1, in2, mode="full", method="auto", precision=None):
    """The same of an array that is not turned."""
    a, b = as_array(in1), as_array(in2)
    if a.ndim == 1:
        return _statistics.correlate(a, b, mode)
    return _convolved(a, _numpy.conj(_shapes.flip(b)), mode)


def _convolved(a, b, mode):
    if a.ndim != b.ndim:
        raise ValueError("Inputs must have the same dimensions.")
    if mode == "same":
        pads = [(n - 1 - (n - 1) // 2, (n - 1) // 2) for n in b.shape]
    elif mode == "full":
        pads = [(n - 1, n - 1) for n in b.shape]
    elif mode == "valid":
        pads = [(0, 0)] * b.ndim
        if all(x <= y for x, y in zip(a.shape, b.shape)):
            a, b = b, a
    else:
        raise ValueError("mode must be one of ['full', 'same', 'valid']")
    from ._convolutions import conv_general_dilated
    kind = _numpy.result_type(a, b)
    made = conv_general_dilated(a.astype(kind)[None, None],
                                _shapes.flip(b).astype(kind)[None, None], (1,) * a.ndim, pads)
    return made[0, 0]


def convolve2d(in1, in2, mode="full", boundary="fill", fillvalue=0, precision=None):
    """Sums of products of one matrix moved over the other."""
    if boundary != "fill" or fillvalue != 0:
        raise NotImplementedError("jax.scipy.signal.convolve2d(boundary=, fillvalue=) on Tessera")
    return _convolved(as_array(in1), as_array(in2), mode)


def correlate2d(in1, in2, mode="full", boundary="fill", fillvalue=0, precision=None):
    """The same of a matrix that is not turned."""
    if boundary != "fill" or fillvalue != 0:
        raise NotImplementedError("jax.scipy.signal.correlate2d(boundary=, fillvalue=) on Tessera")
    return _convolved(as_array(in1), _numpy.conj(_shapes.flip(as_array(in2))), mode)


def fftconvolve(in1, in2, mode="full", axes=None):
    """A convolution."""
    if axes is not None:
        raise NotImplementedError("jax.scipy.signal.fftconvolve(axes=) on Tessera")
    return convolve(in1, in2, mode)


SIGNAL = {f.__name__: f for f in (convolve, correlate, convolve2d, correlate2d, fftconvolve)}


# ---- segments

def _segment(how, start):
    def function(data, segment_ids, num_segments=None, indices_are_sorted=False,
                 unique_indices=False, bucket_size=None, mode=None):
        from ._sets import known
        x, ids = as_array(data), as_array(segment_ids)
        if num_segments is None:
            num_segments = int(known(ids, f"ops.segment_{how}").max(initial=-1)) + 1
        first = start(x.dtype)
        made = _numpy.full((num_segments, *x.shape[1:]), first, x.dtype)
        ids = wrapped(tsr.where(ids._x < 0, num_segments, ids._x))  # out of range, so dropped
        return getattr(made.at[ids], {"sum": "add", "prod": "multiply"}.get(how, how))(x)
    function.__name__ = f"segment_{how}"
    function.__doc__ = "Elements of the same number combined."
    return function


def _lowest(dtype):
    return -np.inf if dtype.kind == "f" else False if dtype.kind == "b" else np.iinfo(dtype).min


def _highest(dtype):
    return np.inf if dtype.kind == "f" else True if dtype.kind == "b" else np.iinfo(dtype).max


OPS = {"segment_sum": _segment("sum", lambda d: 0), "segment_prod": _segment("prod", lambda d: 1),
       "segment_max": _segment("max", _lowest), "segment_min": _segment("min", _highest)}


# ---- others

def ravel_pytree(pytree):
    """(all leaves in one dim, the function that makes a tree of such an array)."""
    from .. import _tree
    from ._array import is_array
    leaves, tree = _tree.flatten(pytree, is_array)
    leaves = [as_array(x) for x in leaves]
    shapes, kinds = [x.shape for x in leaves], [x.dtype for x in leaves]
    both = _numpy.result_type(*leaves) if leaves else np.float32
    flat = _shapes.concatenate([_shapes.ravel(x).astype(both) for x in leaves]) if leaves else \
        as_array(np.zeros(0, np.float32))
    ends = np.cumsum([math.prod(s) for s in shapes]).tolist()

    def unravel(array):
        array = as_array(array)
        if array.shape != flat.shape:
            raise ValueError(f"unravel function given array of shape {array.shape}, but expected "
                             f"shape {flat.shape}")
        parts = [array[end - math.prod(s):end].reshape(s).astype(k)
                 for end, s, k in zip(ends, shapes, kinds)]
        return tree.unflatten(parts)
    return flat, unravel


def checkpoint_name(x, name):
    """The same under a name, which a policy may keep."""
    from .. import _tree
    from ._array import is_array
    return _tree.map(lambda y: wrapped(tsr.checkpoint_name(as_array(y)._x, name)), x,
                     is_leaf=is_array)


def sem(a, axis=0, ddof=1, nan_policy="propagate", *, keepdims=False):
    """The deviation of a mean."""
    x = as_array(a)
    count = x.size if axis is None else x.shape[axis]
    return _numpy.std(x, axis, ddof=ddof, keepdims=keepdims) / math.sqrt(count)


