"""linalg.py - the functions of tsr/linalg.h; tools/make_bindings.py made it of api/."""
from .._call import context_of, places
from .._lib import lib
from .._types import Array, ArrayLike, Dims, List, Optional, Sequence

__all__ = ["cho_solve", "cholesky", "cholesky_update", "cond_number", "det", "eig", "eigh",
           "eigvals", "eigvalsh", "expm", "hessenberg", "householder_product", "inv", "lstsq",
           "lu", "matrix_norm", "matrix_power", "matrix_rank", "matrix_transpose", "multi_dot",
           "norm", "ormqr", "pinv", "polar", "qr", "schur", "slogdet", "solve", "solve_triangular",
           "svd", "svdvals", "symmetric_product", "tensorinv", "tensorsolve", "triangular_solve",
           "tridiagonal", "tridiagonal_solve", "vector_norm"]

_cholesky = lib.tsr_cholesky_at
_triangular_solve = lib.tsr_triangular_solve_at
_solve_triangular = lib.tsr_solve_triangular_at
_cho_solve = lib.tsr_cho_solve_at
_lu = lib.tsr_lu_at
_qr = lib.tsr_qr_at
_eigh = lib.tsr_eigh_at
_eigvalsh = lib.tsr_eigvalsh_at
_svd = lib.tsr_svd_at
_svdvals = lib.tsr_svdvals_at
_polar = lib.tsr_polar_at
_eig = lib.tsr_eig_at
_eigvals = lib.tsr_eigvals_at
_schur = lib.tsr_schur_at
_hessenberg = lib.tsr_hessenberg_at
_tridiagonal = lib.tsr_tridiagonal_at
_solve = lib.tsr_solve_at
_inv = lib.tsr_inv_at
_det = lib.tsr_det_at
_slogdet = lib.tsr_slogdet_at
_matrix_rank = lib.tsr_matrix_rank_at
_pinv = lib.tsr_pinv_at
_lstsq = lib.tsr_lstsq_at
_householder_product = lib.tsr_householder_product_at
_ormqr = lib.tsr_ormqr_at
_tridiagonal_solve = lib.tsr_tridiagonal_solve_at
_cholesky_update = lib.tsr_cholesky_update_at
_symmetric_product = lib.tsr_symmetric_product_at
_tensorsolve = lib.tsr_tensorsolve_at
_tensorinv = lib.tsr_tensorinv_at
_multi_dot = lib.tsr_multi_dot_at
_expm = lib.tsr_expm_at
_matrix_power = lib.tsr_matrix_power_at
_matrix_transpose = lib.tsr_matrix_transpose_at
_vector_norm = lib.tsr_vector_norm_at
_matrix_norm = lib.tsr_matrix_norm_at
_norm = lib.tsr_norm_at
_cond_number = lib.tsr_cond_number_at


def cholesky(a: ArrayLike, *, upper: Optional[bool] = None,
             lower_only: Optional[bool] = None) -> Array:
    """The lower triangular L of a = L L^H, a Hermitian and positive definite; of others NaN on and
    below the diagonal. [..., n, n] to the same: cholesky(a, upper=True)."""
    c = context_of(a)
    a = c.handle(a)
    args = c.record("tsr_cholesky_args", upper=upper, lower_only=lower_only)
    return c.array(_cholesky(c.place(), a._h, args))


def triangular_solve(a: ArrayLike, b: ArrayLike, *, left_side: Optional[bool] = None,
                     lower: Optional[bool] = None, transpose_a: Optional[bool] = None,
                     conjugate_a: Optional[bool] = None,
                     unit_diagonal: Optional[bool] = None) -> Array:
    """The x of x op(a) = b with triangular a, [..., m, m] and [..., n, m], of equal leading dims;
    with left_side of op(a) x = b, and b [..., m, n]."""
    c = context_of(a, b)
    a = c.handle(a)
    b = c.handle(b)
    args = c.record("tsr_triangular_solve_args", left_side=left_side, lower=lower,
                    transpose_a=transpose_a, conjugate_a=conjugate_a, unit_diagonal=unit_diagonal)
    return c.array(_triangular_solve(c.place(), a._h, b._h, args))


def solve_triangular(a: ArrayLike, b: ArrayLike, *, trans: Optional[int] = None,
                     lower: Optional[bool] = None, unit_diagonal: Optional[bool] = None) -> Array:
    """The x of a x = b with triangular a [..., m, m] and b [..., m, n], whose leading dims are
    broadcast; b may be one vector [m]: solve_triangular(L, b, lower=True). Error
    (Error.ERROR_ARGUMENT): trans that is not 0, 1 or 2."""
    c = context_of(a, b)
    a = c.handle(a)
    b = c.handle(b)
    args = c.record("tsr_solve_triangular_args", trans=trans, lower=lower,
                    unit_diagonal=unit_diagonal)
    return c.array(_solve_triangular(c.place(), a._h, b._h, args))


def cho_solve(factor: ArrayLike, b: ArrayLike, *, lower: Optional[bool] = None) -> Array:
    """The x of a x = b from the Cholesky factor of a, which is upper unless lower says otherwise;
    dims as for solve_triangular()."""
    c = context_of(factor, b)
    factor = c.handle(factor)
    b = c.handle(b)
    args = c.record("tsr_cho_solve_args", lower=lower)
    return c.array(_cho_solve(c.place(), factor._h, b._h, args))


def lu(a: ArrayLike) -> List[Array]:
    """Of a [..., m, n], with k the smaller of m and n: out[0] [..., m, n], the upper triangular U
    with L below it, whose diagonal is 1 and not stored; out[1] i32[..., k]: row i was swapped with
    row out[1][i], one after the other; out[2] i32[..., m]: the order of the rows that this makes.
    L U is a in that order of rows. lu(a, out)"""
    c = context_of(a)
    a = c.handle(a)
    made = places(3)
    c.done(_lu(c.place(), a._h, made))
    return c.arrays(made)


def qr(a: ArrayLike, *, full_matrices: Optional[bool] = None) -> List[Array]:
    """a = q r: out[0], q, [..., m, k], whose columns are orthogonal and of size 1; out[1], r,
    [..., k, n], upper triangular. The smaller of m and n is k, or m with full_matrices. qr(a,
    out)"""
    c = context_of(a)
    a = c.handle(a)
    made = places(2)
    args = c.record("tsr_qr_args", full_matrices=full_matrices)
    c.done(_qr(c.place(), a._h, made, args))
    return c.arrays(made)


def eigh(a: ArrayLike, *, upper: Optional[bool] = None,
         triangle_only: Optional[bool] = None) -> List[Array]:
    """Of a Hermitian a [..., n, n]: out[0], the eigenvalues, rising, real, [..., n]; out[1], the
    eigenvectors, as columns, whose signs (of complex ones, factors of size 1) are any. eigh(a,
    out)"""
    c = context_of(a)
    a = c.handle(a)
    made = places(2)
    args = c.record("tsr_eigh_args", upper=upper, triangle_only=triangle_only)
    c.done(_eigh(c.place(), a._h, made, args))
    return c.arrays(made)


def eigvalsh(a: ArrayLike, *, upper: Optional[bool] = None,
             triangle_only: Optional[bool] = None) -> Array:
    """The eigenvalues of eigh() without the vectors: eigvalsh(a)."""
    c = context_of(a)
    a = c.handle(a)
    args = c.record("tsr_eigh_args", upper=upper, triangle_only=triangle_only)
    return c.array(_eigvalsh(c.place(), a._h, args))


def svd(a: ArrayLike, *, thin: Optional[bool] = None) -> List[Array]:
    """a = u s vh: out[0], u, whose columns are orthogonal and of size 1; out[1], the singular
    values, falling, real, [..., k]; out[2], vh, likewise by rows. svd(a, out, thin=True)"""
    c = context_of(a)
    a = c.handle(a)
    made = places(3)
    args = c.record("tsr_svd_args", thin=thin)
    c.done(_svd(c.place(), a._h, made, args))
    return c.arrays(made)


def svdvals(a: ArrayLike) -> Array:
    """The singular values of svd() without the vectors: svdvals(a)."""
    c = context_of(a)
    a = c.handle(a)
    return c.array(_svdvals(c.place(), a._h))


def polar(a: ArrayLike) -> List[Array]:
    """Polar factors, a = u h of a [..., m, n]: out[0], u, of its size, whose columns (of a wide a,
    rows) are orthogonal and of size 1; out[1], h, [..., n, n], Hermitian, without negative
    eigenvalues. By singular values: any a has factors, and nothing has to converge. polar(a,
    out)"""
    c = context_of(a)
    a = c.handle(a)
    made = places(2)
    c.done(_polar(c.place(), a._h, made))
    return c.arrays(made)


def eig(a: ArrayLike, *, left: Optional[bool] = None) -> List[Array]:
    """out[0], the eigenvalues w, complex, [..., n], in any order; out[1], the eigenvectors v of a
    v = w v, complex, as columns, of size 1, whose largest elements are real; with left out[2],
    likewise those of v^H a = w v^H, and nothing without. Where there are fewer vectors than
    columns, some are alike. Vectors have derivatives where eigenvalues are different and one
    element of a vector is the largest one. eig(a, out, left=True)"""
    c = context_of(a)
    a = c.handle(a)
    made = places(3)
    args = c.record("tsr_eig_args", left=left)
    c.done(_eig(c.place(), a._h, made, args))
    return c.arrays(made)


def eigvals(a: ArrayLike) -> Array:
    """The eigenvalues of eig() without the vectors: eigvals(a)."""
    c = context_of(a)
    a = c.handle(a)
    return c.array(_eigvals(c.place(), a._h))


def schur(a: ArrayLike) -> List[Array]:
    """The Schur form, a = q t q^H: out[0], t, upper triangular, but of a real a with two rows [x
    b; c x], b c < 0, for each two eigenvalues that are conjugate; out[1], q, whose columns are
    orthogonal and of size 1. astype(a, c128) has a triangular one. No derivative. schur(a, out)"""
    c = context_of(a)
    a = c.handle(a)
    made = places(2)
    c.done(_schur(c.place(), a._h, made))
    return c.arrays(made)


def hessenberg(a: ArrayLike) -> List[Array]:
    """The Hessenberg form h of a = q h q^H: out[0] has h on and above the diagonal and in the
    elements next to it, and below these the vectors of the reflections that make q; out[1], [...,
    n - 1], their factors. Without its first row and column, which are those of 1, q is
    householder_product() of out[0] without its first row and last column. No derivative.
    hessenberg(a, out)"""
    c = context_of(a)
    a = c.handle(a)
    made = places(2)
    c.done(_hessenberg(c.place(), a._h, made))
    return c.arrays(made)


def tridiagonal(a: ArrayLike, *, upper: Optional[bool] = None) -> List[Array]:
    """The tridiagonal form of a Hermitian a, of which the lower triangle is read: out[0] as of
    hessenberg(), in that triangle, and a in the other one; out[1], [..., n], the diagonal, and
    out[2], [..., n - 1], the numbers beside it, both real; out[3], the factors of the reflections.
    No derivative. tridiagonal(a, out)"""
    c = context_of(a)
    a = c.handle(a)
    made = places(4)
    args = c.record("tsr_tridiagonal_args", upper=upper)
    c.done(_tridiagonal(c.place(), a._h, made, args))
    return c.arrays(made)


def solve(a: ArrayLike, b: ArrayLike) -> Array:
    """The x of a x = b; dims as for solve_triangular(). With a singular a, infinities and NaN:
    solve(a, b)."""
    c = context_of(a, b)
    a = c.handle(a)
    b = c.handle(b)
    return c.array(_solve(c.place(), a._h, b._h))


def inv(a: ArrayLike) -> Array:
    """The inverse of each matrix in the last two dims, [..., n, n]: inv(a)."""
    c = context_of(a)
    a = c.handle(a)
    return c.array(_inv(c.place(), a._h))


def det(a: ArrayLike) -> Array:
    """The determinant of each matrix in the last two dims, [...] of [..., n, n]: det(a)."""
    c = context_of(a)
    a = c.handle(a)
    return c.array(_det(c.place(), a._h))


def slogdet(a: ArrayLike) -> List[Array]:
    """out[0], the sign of the determinant, or the number of size 1 that a complex one is a
    multiple of; out[1], the logarithm of its size: slogdet(a, out)."""
    c = context_of(a)
    a = c.handle(a)
    made = places(2)
    c.done(_slogdet(c.place(), a._h, made))
    return c.arrays(made)


def matrix_rank(a: ArrayLike, *, rtol: Optional[float] = None) -> Array:
    """How many singular values are more than rounding, [...]: matrix_rank(a)."""
    c = context_of(a)
    a = c.handle(a)
    args = c.record("tsr_rank_args", rtol=rtol)
    return c.array(_matrix_rank(c.place(), a._h, args))


def pinv(a: ArrayLike, *, rtol: Optional[float] = None) -> Array:
    """The pseudoinverse of a [..., m, n], [..., n, m], without the singular values that are no
    more than rounding: pinv(a, rtol=1e-3)."""
    c = context_of(a)
    a = c.handle(a)
    args = c.record("tsr_rank_args", rtol=rtol)
    return c.array(_pinv(c.place(), a._h, args))


def lstsq(a: ArrayLike, b: ArrayLike, *, rtol: Optional[float] = None) -> List[Array]:
    """The x for which a x is nearest to b, a [m, n], b [m, k] or [m], and of several that of least
    size. out[0], x, [n, k] or [n]; out[1], the sum of squares of b - a x for each column; out[2],
    the rank of a; out[3], its singular values. lstsq(a, b, out)"""
    c = context_of(a, b)
    a = c.handle(a)
    b = c.handle(b)
    made = places(4)
    args = c.record("tsr_rank_args", rtol=rtol)
    c.done(_lstsq(c.place(), a._h, b._h, made, args))
    return c.arrays(made)


def householder_product(a: ArrayLike, taus: ArrayLike) -> Array:
    """The first n columns of the product q of the reflections: householder_product(a, taus)."""
    c = context_of(a, taus)
    a = c.handle(a)
    taus = c.handle(taus)
    return c.array(_householder_product(c.place(), a._h, taus._h))


def ormqr(a: ArrayLike, taus: ArrayLike, c: ArrayLike, *, right: Optional[bool] = None,
          transpose: Optional[bool] = None) -> Array:
    """q c for c [..., m, j], without q: ormqr(a, taus, c, transpose=True)."""
    c = context_of(a, taus, c)
    a = c.handle(a)
    taus = c.handle(taus)
    c = c.handle(c)
    args = c.record("tsr_ormqr_args", right=right, transpose=transpose)
    return c.array(_ormqr(c.place(), a._h, taus._h, c._h, args))


def tridiagonal_solve(dl: ArrayLike, d: ArrayLike, du: ArrayLike, b: ArrayLike) -> Array:
    """The x of a x = b with the tridiagonal a that has dl[i], d[i], du[i] in row i, on and beside
    the diagonal, [..., n]; dl[0] and du[n - 1] are not read. b [..., n, k]. Its steps depend on
    each other: tridiagonal_solve(dl, d, du, b)."""
    c = context_of(dl, d, du, b)
    dl = c.handle(dl)
    d = c.handle(d)
    du = c.handle(du)
    b = c.handle(b)
    return c.array(_tridiagonal_solve(c.place(), dl._h, d._h, du._h, b._h))


def cholesky_update(r: ArrayLike, w: ArrayLike) -> Array:
    """The upper triangular factor, with a positive diagonal, of r^H r + w w^H, from that of r^H r,
    [..., n, n], and w [..., n]: cholesky_update(r, w)."""
    c = context_of(r, w)
    r = c.handle(r)
    w = c.handle(w)
    return c.array(_cholesky_update(c.place(), r._h, w._h))


def symmetric_product(a: ArrayLike, c: ArrayLike, *, alpha: Optional[float] = None,
                      beta: Optional[float] = None) -> Array:
    """alpha a a^T + beta c, a [..., n, m], c [..., n, n]: symmetric_product(a, c, beta=1)."""
    c = context_of(a, c)
    a = c.handle(a)
    c = c.handle(c)
    args = c.record("tsr_symmetric_product_args", alpha=alpha, beta=beta)
    return c.array(_symmetric_product(c.place(), a._h, c._h, args))


def tensorsolve(a: ArrayLike, b: ArrayLike, axis: Dims = None) -> Array:
    """The x of tensordot(a, x) = b: a [..., unknown dims], of which the first dims, as many as b
    has, are those of its elements. x has the unknown dims. tensorsolve(a, b)"""
    c = context_of(a, b)
    a = c.handle(a)
    b = c.handle(b)
    args = c.record("tsr_tensorsolve_args", dims=axis)
    return c.array(_tensorsolve(c.place(), a._h, b._h, args))


def tensorinv(a: ArrayLike, ind: int) -> Array:
    """The inverse of a taken for a matrix, whose rows are its first `ind` dims: [first, others] to
    [others, first]. 2 is the usual number. Error (Error.ERROR_ARGUMENT): these have not as many
    elements as the others. tensorinv(a, 2)"""
    c = context_of(a)
    a = c.handle(a)
    return c.array(_tensorinv(c.place(), a._h, ind))


def multi_dot(x: Sequence[ArrayLike]) -> Array:
    """The product of matrices, in the order that takes the least work; the first and the last one
    may be vectors: multi_dot(a, b, c)."""
    c = context_of(*x)
    x = c.handles(x)
    return c.array(_multi_dot(c.place(), x, len(x)))


def expm(a: ArrayLike) -> Array:
    """e^a of square matrices, by scaling and squaring. With a norm above 250000 (f64: 350000),
    NaN, as in JAX: expm(a)."""
    c = context_of(a)
    a = c.handle(a)
    return c.array(_expm(c.place(), a._h))


def matrix_power(a: ArrayLike, n: int) -> Array:
    """The product of n matrices a, of the inverse for a negative n: matrix_power(a, 3)."""
    c = context_of(a)
    a = c.handle(a)
    return c.array(_matrix_power(c.place(), a._h, n))


def matrix_transpose(a: ArrayLike) -> Array:
    """The last two dims swapped: matrix_transpose(a)."""
    c = context_of(a)
    a = c.handle(a)
    return c.array(_matrix_transpose(c.place(), a._h))


def vector_norm(x: ArrayLike, *, ord: Optional[float] = None, zero: Optional[bool] = None,
                axis: Dims = None, keepdims: Optional[bool] = None) -> Array:
    """(sum of |x|^p)^(1/p); the largest |x| for p = INFINITY, the least for -INFINITY, and how
    many are not 0 for p = 0: vector_norm(x, ord=1, axis=(0,))."""
    c = context_of(x)
    x = c.handle(x)
    args = c.record("tsr_norm_args", ord=ord, zero=zero, dims=axis, keep=keepdims)
    return c.array(_vector_norm(c.place(), x._h, args))


def matrix_norm(x: ArrayLike, *, ord: Optional[float] = None, frobenius: Optional[bool] = None,
                nuclear: Optional[bool] = None, keepdims: Optional[bool] = None) -> Array:
    """Norms of matrices, [..., m, n] to [...]: with ord 1 the largest sum of sizes in a column,
    with INFINITY in a row, with 2 the largest singular value; with minus that the smallest one.
    matrix_norm(a, nuclear=True)"""
    c = context_of(x)
    x = c.handle(x)
    args = c.record("tsr_matrix_norm_args", ord=ord, frobenius=frobenius, nuclear=nuclear,
                    keep=keepdims)
    return c.array(_matrix_norm(c.place(), x._h, args))


def norm(x: ArrayLike, *, ord: Optional[float] = None, zero: Optional[bool] = None,
         axis: Dims = None, keepdims: Optional[bool] = None) -> Array:
    """Without ord, the root of the sum of squares over all dims given; else vector_norm() over one
    dim, or matrix_norm() over two, rows first: norm(x, ord=1, axis=(0, 1))."""
    c = context_of(x)
    x = c.handle(x)
    args = c.record("tsr_norm_args", ord=ord, zero=zero, dims=axis, keep=keepdims)
    return c.array(_norm(c.place(), x._h, args))


def cond_number(a: ArrayLike, *, ord: Optional[float] = None, frobenius: Optional[bool] = None,
                nuclear: Optional[bool] = None) -> Array:
    """The norm of a by that of its inverse, [...] (jnp.linalg.cond): without keywords the largest
    singular value over the smallest one, also of matrices that are not square: cond_number(a)."""
    c = context_of(a)
    a = c.handle(a)
    args = c.record("tsr_cond_number_args", ord=ord, frobenius=frobenius, nuclear=nuclear)
    return c.array(_cond_number(c.place(), a._h, args))
