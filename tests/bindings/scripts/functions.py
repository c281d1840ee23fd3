"""functions.py - functions of jax.numpy, jax.lax and jax.nn, each of a few arrays."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax, nn

x = jnp.array([[0.3, -1.2, 2.5], [0.8, 0.05, -0.6]])
y = jnp.array([[1.5, 0.7, -0.4], [-2., 3.1, 0.9]])
u = jnp.array([0.1, 0.4, 0.9])
i, j = jnp.array([7, -3, 12, 0]), jnp.array([2, 5, -4, 3])
b, c = jnp.array([True, False, True]), jnp.array([True, True, False])
z = jnp.array([1 + 2j, 0.5 - 0.5j, 3.])
square = jnp.array([[4., 1., 0.5], [1., 3., 0.2], [0.5, 0.2, 2.]])


def show(name, got):
    for part in jax.tree.leaves(got):
        value = np.asarray(part)
        told = value.tolist() if value.dtype.kind in "bi" else \
            [f"{v:.5g}" for v in value.astype(complex if value.dtype.kind == "c" else float).flat]
        print(name, value.dtype, "weak" * jnp.asarray(part).weak_type, value.shape, told)


def each(module, names, *operands):
    for name in names.split():
        show(name, getattr(module, name)(*operands))


each(jnp, "abs absolute negative sign floor ceil trunc rint exp exp2 expm1 cbrt square reciprocal "
     "sin cos tan sinh cosh tanh arctan arcsinh deg2rad rad2deg radians degrees isnan isinf "
     "isfinite signbit logical_not sinc fabs i0 real imag conj positive nan_to_num", x)
each(jnp, "log log1p log2 log10 sqrt arcsin arccos arctanh asin acos atanh", u)
each(jnp, "arccosh acosh", u + 1)
each(jnp, "exp abs conj real imag sqrt sin", z)
each(jnp, "abs negative sign square exp sqrt sin bitwise_not invert logical_not bitwise_count", i)
each(jnp, "add subtract multiply divide true_divide power floor_divide mod remainder fmod maximum "
     "minimum fmax fmin equal not_equal less less_equal greater greater_equal arctan2 hypot "
     "logaddexp logaddexp2 copysign heaviside nextafter logical_and logical_xor", x, y)
each(jnp, "add subtract multiply divide floor_divide mod remainder fmod maximum minimum "
     "bitwise_and bitwise_or bitwise_xor gcd lcm equal less logical_or", i, j)
each(jnp, "left_shift right_shift power", i, jnp.abs(j))
each(jnp, "logical_and logical_or logical_xor bitwise_and bitwise_or bitwise_xor equal", b, c)
each(jnp, "add multiply divide maximum power", x, 2)
each(jnp, "add multiply divide floor_divide mod power", i, 3)
each(jnp, "sum prod max min mean var std all any argmax argmin median ptp count_nonzero cumsum "
     "cumprod sort argsort ravel average nansum nanmax nanmin nanmean nanstd nanvar nanprod", x)
each(jnp, "sum prod max mean argmin cumsum cumprod any all sort var", i)
for axis in (0, 1, -1):
    for name in ("sum prod max min mean var std all any argmax median ptp count_nonzero cumsum "
                 "sort argsort").split():
        show(name, getattr(jnp, name)(x, axis=axis))
show("keepdims", [f(x, axis=1, keepdims=True) for f in (jnp.sum, jnp.max, jnp.mean, jnp.std)])
show("where=", [jnp.sum(x, where=x > 0), jnp.mean(x, axis=0, where=x > 0),
                jnp.max(x, initial=-9., where=x < 0)])
show("bools", [jnp.sum(b), jnp.mean(b), jnp.cumsum(b), jnp.sum(jnp.ones(3, jnp.int8))])
show("quantile", [jnp.quantile(x, 0.3), jnp.percentile(x, jnp.array([10., 60.]), axis=1)])
show("products", [jnp.dot(x, y.T), x @ y.T, jnp.inner(x, y), jnp.outer(u, u), jnp.vdot(x, y),
                  jnp.kron(u, u), jnp.einsum("ij,kj->ik", x, y), jnp.tensordot(x, y, ((1,), (1,))),
                  jnp.einsum("ij->j", x), jnp.convolve(u, u), jnp.polyval(u, x)])
show("shapes", [jnp.reshape(x, (3, -1)), jnp.transpose(x), jnp.swapaxes(x, 0, 1),
                jnp.moveaxis(x[None], 0, -1), jnp.expand_dims(x, (0, 2)), jnp.squeeze(x[None]),
                jnp.broadcast_to(u, (2, 3)), jnp.flip(x), jnp.flipud(x), jnp.fliplr(x),
                jnp.rot90(x), jnp.roll(x, 1), jnp.roll(x, (1, 2), (0, 1)), jnp.tile(u, (2, 2)),
                jnp.repeat(u, 2), jnp.repeat(x, jnp.array([1, 2]), axis=0), jnp.atleast_2d(u)])
show("joins", [jnp.concatenate([x, y]), jnp.concatenate([x, y], axis=None), jnp.stack([x, y], -1),
               jnp.hstack([x, y]), jnp.vstack([u, u]), jnp.dstack([x, y]),
               jnp.column_stack([u, u]), jnp.split(x, 3, axis=1), jnp.split(i, [1, 3]),
               jnp.array_split(i, 3), jnp.pad(u, (1, 2)), jnp.pad(u, 2, mode="reflect"),
               jnp.pad(x, ((0, 1), (1, 0)), constant_values=9), jnp.pad(u, (2, 1), mode="wrap")])
show("chooses", [jnp.where(x > 0, x, y), jnp.where(b, 1, 2.5), jnp.clip(x, -1, 1),
                 jnp.clip(x, min=0.), jnp.take(x, jnp.array([0, 2]), axis=1),
                 jnp.take(u, jnp.array([-1, 5])), jnp.take_along_axis(x, jnp.argsort(x), axis=1),
                 jnp.select([x > 1, x > 0], [x, y], -1.), jnp.searchsorted(u, x[0]),
                 jnp.digitize(x[1], u), jnp.nonzero(x > 0), jnp.argwhere(x > 0),
                 jnp.unique(jnp.array([3, 1, 3])), jnp.isin(i, jnp.array([0, 7])),
                 jnp.bincount(jnp.array([1, 1, 3])), jnp.bincount(jnp.array([1, 1]), length=3)])
show("matrices", [jnp.tri(3), jnp.tril(square), jnp.triu(square, 1), jnp.diag(u),
                  jnp.diag(square), jnp.diagonal(square, 1), jnp.trace(square), jnp.eye(3, k=1),
                  jnp.identity(2), jnp.meshgrid(u, i), jnp.indices((2, 2))])
show("makers", [jnp.arange(5), jnp.arange(1, 2, 0.25), jnp.arange(5, 0, -2), jnp.linspace(0, 1, 4),
                jnp.linspace(0, 1, 4, endpoint=False), jnp.logspace(0, 2, 3), jnp.full((2,), 7),
                jnp.full_like(x, 3), jnp.zeros_like(i), jnp.ones((2,), int), jnp.zeros(3, bool),
                jnp.arange(3, dtype=jnp.float16), jnp.asarray(3), jnp.array([[1, 2]], ndmin=3)])
show("compares", [jnp.allclose(x, x + 1e-9), jnp.isclose(x, y), jnp.array_equal(x, x),
                  jnp.array_equal(x, u), jnp.round(x, 1), jnp.diff(i), jnp.interp(u, u, u * 2)])
show("linalg", [jnp.linalg.norm(x), jnp.linalg.norm(x, axis=1), jnp.linalg.norm(u, ord=1),
                jnp.linalg.inv(square), jnp.linalg.det(square), jnp.linalg.solve(square, u),
                jnp.linalg.cholesky(square), jnp.linalg.eigh(square)[0],
                jnp.linalg.svd(x, compute_uv=False), jnp.abs(jnp.linalg.qr(square)[1]),
                jnp.linalg.matrix_power(square, 3), jnp.linalg.norm(square, "fro")])
show("fft", [jnp.abs(jnp.fft.fft(u)), jnp.fft.ifft(jnp.fft.fft(u)).real, jnp.fft.rfft(u)])
each(lax, "abs neg sign floor ceil exp sin tanh logistic rsqrt erf erf_inv is_finite lgamma "
     "digamma square cbrt expm1", u)
each(lax, "add sub mul div rem max min eq lt ge atan2 pow", jnp.abs(x), y)
each(lax, "add sub mul div rem max min ne bitwise_xor", i, jnp.array([2, 5, -4, 3]))
show("lax", [lax.integer_pow(x, 3), lax.clamp(-1., x, 1.), lax.select(x > 0, x, y),
             lax.broadcast(u, (2,)), lax.broadcast_in_dim(u, (3, 2), (0,)), lax.rev(x, (1,)),
             lax.concatenate([x, y], 1), lax.iota(jnp.int32, 3), lax.slice(x, (0, 1), (2, 3)),
             lax.slice_in_dim(i, 0, 4, 2), lax.dynamic_slice_in_dim(i, 1, 2),
             lax.dynamic_index_in_dim(x, 1, keepdims=False), lax.pad(u, 0., [(1, 2, 1)]),
             lax.dynamic_update_slice_in_dim(u, u[:1], 2, 0), lax.reduce_sum(x, (0,)),
             lax.cumsum(x, 1, reverse=True), lax.cummax(x, 1), lax.top_k(u, 2), lax.sort(i),
             lax.convert_element_type(x, jnp.int32), lax.bitcast_convert_type(u, jnp.uint32),
             lax.dot_general(x, y, (((1,), (1,)), ((), ()))), lax.full((2,), 3.),
             lax.squeeze(x[None], (0,)), lax.expand_dims(u, (0,)), lax.transpose(x, (1, 0)),
             lax.index_in_dim(x, -1, 1), lax.batch_matmul(x[None], y.T[None])])
each(nn, "relu relu6 sigmoid softplus sparse_plus soft_sign silu swish log_sigmoid hard_tanh "
     "hard_sigmoid hard_silu mish selu tanh leaky_relu elu celu squareplus gelu softmax "
     "log_softmax logsumexp standardize", x)
show("nn", [nn.gelu(x, approximate=False), nn.softmax(x, axis=0), nn.one_hot(jnp.array([2, 0]), 3),
            nn.logsumexp(x, axis=1, keepdims=True), nn.glu(jnp.arange(4.)), nn.elu(x, 0.5),
            nn.softmax(x, where=x > 0)])
show("more", [jnp.angle(z), jnp.append(u, i), jnp.block([[square, square], [square, square]]),
              jnp.trapezoid(x), jnp.vecdot(x, y), jnp.flatnonzero(x > 0),
              jnp.unravel_index(jnp.array([1, 5]), (2, 3)), jnp.tril_indices(3),
              jnp.triu_indices(2, 1), jnp.zeros(2, jnp.bool), jnp.linalg.slogdet(square),
              jnp.linalg.pinv(x), jnp.linalg.eigvalsh(square)])
show("more", [lax.select_n(b, u, -u), lax.select_n(jnp.array([0, 2, 1]), u, -u, 2 * u),
              lax.split(i, (1, 3)), lax.sort_key_val(i, j), lax.stack([u, u]), lax.tile(u, (2,))])
