#!/usr/bin/env python3
"""jax_cases.py - the cases of the benchmark in JAX, by the names they have in the C sources.

usage: jax_cases.py time JOB
       jax_cases.py values JOB

JOB is an object in JSON: case, kind, devices, size, inner; and seconds for `time`, which measures
in one process what bench/measure.c measures and prints the same line of JSON; folder and rtol for
`values`, which takes two steps and compares the results of the second with FOLDER/ours.K.npy.

A case is a function of its sizes; it prepares the inputs and gives a function that takes one step
and returns a list of results. Every step waits for its results, as ours does."""
import functools
import json
import os
import sys
import tempfile
import time

CASES = {}
FIRST_CALLS = 8
MOST_SAMPLES = 10000
MOST_IN_A_ROW = 2000


def case(name):
    def keep(make):
        CASES[name] = make
        return make
    return keep


def use_devices(count):
    os.environ["JAX_PLATFORMS"] = "cpu"
    if count > 1:
        flags = os.environ.get("XLA_FLAGS", "")
        os.environ["XLA_FLAGS"] = f"{flags} --xla_force_host_platform_device_count={count}"


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    use_devices(json.loads(sys.argv[2])["devices"])

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import jax.scipy as jsp  # noqa: E402
import numpy as np  # noqa: E402
from jax import lax  # noqa: E402
from jax.sharding import NamedSharding, PartitionSpec as P  # noqa: E402


# ---- inputs

def scattered(seed, dims, scale):
    """f32 in [-scale/2, scale/2), as bench/inputs.c makes them"""
    n = int(np.prod(dims, dtype=np.int64))
    with np.errstate(over="ignore"):
        h = np.arange(n, dtype=np.uint32) + np.uint32(seed * 0x9e3779b9 & 0xffffffff)
        h = (h ^ h >> np.uint32(16)) * np.uint32(0x85ebca6b)
        h = (h ^ h >> np.uint32(13)) * np.uint32(0xc2b2ae35)
    h ^= h >> np.uint32(16)
    x = (h >> np.uint32(8)).astype(np.float32) * np.float32(2**-24) - np.float32(0.5)
    return jnp.asarray((x * np.float32(scale)).reshape(dims))


def grid(sizes, names):
    return jax.make_mesh(sizes, names, axis_types=(jax.sharding.AxisType.Auto,) * len(sizes))


def mesh():
    return grid((jax.device_count(),), ("i",))


def put(x, spec):
    return jax.device_put(x, NamedSharding(mesh(), spec))


def of_one(fn, *args):
    return lambda: [fn(*args)]


# ---- calls

@case("jit_add")
def jit_add(n):
    return of_one(jax.jit(lambda x: x + 1.0), scattered(1, (n,), 2))


@case("eager_add")
def eager_add(n):
    x, y = scattered(1, (n,), 2), scattered(2, (n,), 2)
    return lambda: [x + y]


@case("jit_add_8")
def jit_add_8(n):
    return of_one(jax.jit(lambda x: x + 1.0), put(scattered(1, (n,), 2), P("i")))


def psum_map(m):
    return jax.shard_map(lambda x: lax.psum(x, "i"), mesh=m, in_specs=P("i"), out_specs=P())


@case("psum_jit")
def psum_jit(_, n):
    return of_one(jax.jit(psum_map(mesh())), put(scattered(1, (n,), 2), P("i")))


@case("psum_eager")
def psum_eager(_, n):
    m, x = mesh(), put(scattered(1, (n,), 2), P("i"))
    return lambda: [psum_map(m)(x)]


CASES["psum_row"] = psum_jit


# ---- loops

def tiny_steps(steps):
    return jax.jit(lambda x: lax.fori_loop(0, steps, lambda i, x: x * 0.5 + 1.0, x))


@case("fori_scalar")
def fori_scalar(steps):
    return of_one(tiny_steps(steps), scattered(1, (), 2))


@case("fori_vector")
def fori_vector(steps, n):
    return of_one(tiny_steps(steps), scattered(1, (n,), 2))


@case("psum_loop")
def psum_loop(steps, n):
    def step(i, x):
        return x * 0.5 + lax.psum(x, "i") * 0.0625

    def body(x):
        return lax.fori_loop(0, steps, step, x)
    f = jax.jit(jax.shard_map(body, mesh=mesh(), in_specs=P("i"), out_specs=P("i")))
    return of_one(f, put(scattered(1, (n,), 2), P("i")))


def rnn_of(weights, first, xs):
    def step(h, x):
        w, u, b = weights
        h = jnp.tanh(jnp.dot(h, w) + jnp.dot(x, u) + b)
        return h, h
    return lax.scan(step, first, xs)[1]


def cell(steps, n):
    weights = [scattered(k, (n, n), 2 / n ** 0.5) for k in (1, 2)] + [scattered(3, (n,), 1)]
    return weights, scattered(4, (n,), 2), scattered(5, (steps, n), 2)


@case("rnn")
def rnn(steps, n):
    return of_one(jax.jit(rnn_of), *cell(steps, n))


@case("rnn_grad")
def rnn_grad(steps, n):
    f = jax.jit(jax.grad(lambda *args: jnp.mean(jnp.square(rnn_of(*args)))))
    args = cell(steps, n)
    return lambda: list(f(*args))


@case("rows_grad")
def rows_grad(steps, n):
    def loss(x):
        def step(i, y):
            row = y[jnp.maximum(i - 1, 0)] * 0.5 + jnp.sin(x[i])
            return lax.dynamic_update_index_in_dim(y, row, i, 0)
        return jnp.sum(jnp.square(lax.fori_loop(0, steps, step, jnp.zeros_like(x))))
    return of_one(jax.jit(jax.grad(loss)), scattered(1, (steps, n), 2))


CASES["rows_grad_few"] = rows_grad


def tanh_layers(x, w):
    for _ in range(4):
        x = jnp.tanh(jnp.dot(x, w))
    return x


def layers_of(net, rows, n):
    f = jax.jit(jax.grad(lambda x, w: jnp.sum(net(x, w)), argnums=1))
    return of_one(f, scattered(1, (rows, n), 2), scattered(2, (n, n), 0.25))


@case("layers_grad")
def layers_grad(steps, rows, n):
    def net(x, w):
        for _ in range(steps):
            x = tanh_layers(x, w)
        return x
    return layers_of(net, rows, n)


@case("layers_scan_grad")
def layers_scan_grad(steps, rows, n):
    def net(x, w):
        return lax.scan(lambda x, _: (tanh_layers(x, w), None), x, length=steps)[0]
    return layers_of(net, rows, n)


def attention_of(fn, length, heads, head):
    qkv = [scattered(1 + i, (1, length, heads, head), 4) for i in range(3)]
    return lambda: jax.tree.leaves(fn(*qkv))


def causal_attention(*qkv):
    return jax.nn.dot_product_attention(*qkv, is_causal=True)


def attention_gradients(of):
    return jax.jit(jax.grad(lambda *qkv: jnp.sum(jnp.square(of(*qkv))), argnums=(0, 1, 2)))


@case("attention")
def attention(*size):
    return attention_of(jax.jit(jax.nn.dot_product_attention), *size)


@case("attention_causal")
def attention_causal(*size):
    return attention_of(jax.jit(causal_attention), *size)


@case("attention_grad")
def attention_grad(*size):
    return attention_of(attention_gradients(jax.nn.dot_product_attention), *size)


@case("attention_causal_grad")
def attention_causal_grad(*size):
    return attention_of(attention_gradients(causal_attention), *size)


def gathers_of(around, steps, n):
    layer = around(lambda x, w: jnp.tanh(jnp.dot(x, lax.all_gather(w, "i", tiled=True))))

    def net(x, w):
        for k in range(steps):
            x = layer(x, w[k])
        return lax.psum(jnp.sum(x), "i")
    f = jax.shard_map(net, mesh=mesh(), in_specs=(P("i"), P(None, "i")), out_specs=P())
    return of_one(jax.jit(jax.grad(f, argnums=1)), put(scattered(1, (8, n), 2), P("i")),
                  put(scattered(2, (steps, n, n), 0.125), P(None, "i")))


@case("gathers_grad")
def gathers_grad(steps, n):
    return gathers_of(lambda layer: layer, steps, n)


@case("gathers_remat_grad")
def gathers_remat_grad(steps, n):
    return gathers_of(jax.checkpoint, steps, n)


def rule30_step(board):
    n = lax.axis_size("i")
    left = lax.ppermute(board[-1:], "i", [(k, (k + 1) % n) for k in range(n)])
    right = lax.ppermute(board[:1], "i", [(k, (k - 1) % n) for k in range(n)])
    padded = jnp.concatenate([left, board, right])
    return padded[:-2] ^ (padded[1:-1] | padded[2:])


def rule30_of(body, cells):
    f = jax.jit(jax.shard_map(body, mesh=mesh(), in_specs=P("i"), out_specs=P("i")))
    return f, put(jnp.zeros(cells, jnp.uint32).at[cells // 2].set(1), P("i"))


@case("rule30")
def rule30(steps, cells):
    return of_one(*rule30_of(
        lambda board: lax.fori_loop(0, steps, lambda i, b: rule30_step(b), board), cells))


CASES["rule30_one"] = rule30


@case("rule30_calls")
def rule30_calls(steps, cells):
    f, first = rule30_of(rule30_step, cells)

    def run():
        board = first
        for _ in range(steps):
            board = f(board)
            board.block_until_ready()
        return [board]
    return run


def both_sides(x, dim, axis):
    n, size = lax.axis_size(axis), x.shape[dim]
    first, last = (lax.slice_in_dim(x, k, k + 1, axis=dim) for k in (0, size - 1))
    before = lax.ppermute(last, axis, [(k, (k + 1) % n) for k in range(n)])
    behind = lax.ppermute(first, axis, [(k, (k - 1) % n) for k in range(n)])
    y = jnp.concatenate([before, x, behind], axis=dim)
    return lax.slice_in_dim(y, 0, size, axis=dim) + lax.slice_in_dim(y, 2, size + 2, axis=dim)


def jacobi_step(_, x):
    return (both_sides(x, 0, "rows") + both_sides(x, 1, "columns")) * 0.25


def torus(sizes):
    def make(steps, n):
        m, spec = grid(sizes, ("rows", "columns")), P("rows", "columns")
        f = jax.jit(jax.shard_map(lambda x: lax.fori_loop(0, steps, jacobi_step, x), mesh=m,
                                  in_specs=spec, out_specs=spec))
        return of_one(f, jax.device_put(scattered(1, (n, n), 2), NamedSharding(m, spec)))
    return make


CASES["jacobi"], CASES["jacobi_8"] = torus((1, 1)), torus((4, 2))


# ---- arrays

def saxpy_of(x, y):
    return x * 0.5 + y


@case("saxpy")
def saxpy(n):
    return of_one(jax.jit(saxpy_of), scattered(1, (n,), 2), scattered(2, (n,), 2))


@case("saxpy_8")
def saxpy_8(n):
    x, y = (put(scattered(seed, (n,), 2), P("i")) for seed in (1, 2))
    return of_one(jax.jit(saxpy_of), x, y)


@case("saxpy_donated")
def saxpy_donated(n):
    f, x, y = jax.jit(saxpy_of, donate_argnums=1), scattered(1, (n,), 2), scattered(2, (n,), 2)

    def step():
        nonlocal y
        y = f(x, y)
        return [y]
    return step


@case("saxpy_donated_8")
def saxpy_donated_8(n, fn=None):
    f = fn or jax.jit(saxpy_of, donate_argnums=1)
    x, y = (put(scattered(seed, (jax.device_count(), n), 2), P("i")) for seed in (1, 2))

    def step():
        nonlocal y
        y = f(x, y)
        return [y]
    return step


@case("saxpy_donated_pmap")
def saxpy_donated_pmap(n):
    return saxpy_donated_8(n, jax.pmap(saxpy_of, donate_argnums=1))


@case("exp")
def exp(n):
    return of_one(jax.jit(jnp.exp), scattered(1, (n,), 2))


@case("gelu")
def gelu(n):
    return of_one(jax.jit(jax.nn.gelu), scattered(1, (n,), 2))


@case("gelu_alone")
def gelu_alone(n):
    return of_one(jax.nn.gelu, scattered(1, (n,), 2))


@case("reduce_sum")
def reduce_sum(n):
    return of_one(jax.jit(jnp.sum), scattered(1, (n,), 2))


@case("sum_of_products")
def sum_of_products(m, n):
    return of_one(jax.jit(lambda x, y: jnp.sum(x * y)), scattered(1, (m, n), 4),
                  scattered(2, (m, n), 2))


@case("transpose")
def transpose(m, n):
    return of_one(jax.jit(jnp.transpose), scattered(1, (m, n), 4))


@case("softmax")
def softmax(m, n):
    return of_one(jax.jit(jax.nn.softmax), scattered(1, (m, n), 4))


@case("softmax_8")
def softmax_8(m, n):
    return of_one(jax.jit(jax.nn.softmax), put(scattered(1, (m, n), 4), P("i")))


@case("layer_norm")
def layer_norm(m, n):
    def normal(x, scale, bias):
        apart = x - jnp.mean(x, axis=-1, keepdims=True)
        variance = jnp.mean(jnp.square(apart), axis=-1, keepdims=True)
        return apart * lax.rsqrt(variance + 1e-5) * scale + bias
    return of_one(jax.jit(normal), scattered(1, (m, n), 4), scattered(2, (n,), 2),
                  scattered(3, (n,), 2))


def trained(layer, *dims):
    """the gradients of x, scale and bias, for a count of each element of the result"""
    inputs = [scattered(1, dims, 4), scattered(2, dims[-1:], 2), scattered(3, dims[-1:], 2),
              scattered(4, dims, 2)]
    step = jax.jit(layer)
    return lambda: jax.tree.leaves(step(*inputs))


@case("layer_norm_grad")
def layer_norm_grad(m, n):
    import flax.linen

    def loss(x, scale, bias, counts):
        given = {"params": {"scale": scale, "bias": bias}}
        return jnp.sum(flax.linen.LayerNorm().apply(given, x) * counts)
    return trained(jax.value_and_grad(loss, (0, 1, 2)), m, n)


@case("batch_norm_grad")
def batch_norm_grad(batch, side, features):
    import flax.linen

    def loss(x, scale, bias, counts):
        averages = {"mean": jnp.zeros(features), "var": jnp.ones(features)}
        given = {"params": {"scale": scale, "bias": bias}, "batch_stats": averages}
        y, new = flax.linen.BatchNorm(False).apply(given, x, mutable=["batch_stats"])
        return jnp.sum(y * counts), new["batch_stats"]["mean"] + new["batch_stats"]["var"]
    return trained(jax.grad(loss, (0, 1, 2), has_aux=True), batch, side, side, features)


def product(n):
    return of_one(jax.jit(jnp.dot), scattered(1, (n, n), 2), scattered(2, (n, n), 2))


CASES["product_1024"] = CASES["product_2048"] = CASES["product_4096"] = product


# ---- random numbers

def drawn(draw):
    shardings = NamedSharding(mesh(), P("i")) if jax.device_count() > 1 else None
    return of_one(jax.jit(draw, out_shardings=shardings), jax.random.key(1))


def random_bits(n):
    return drawn(lambda key: jax.random.bits(key, (n,), "uint32"))


def random_normals(n):
    return drawn(lambda key: jax.random.normal(key, (n,)))


CASES["random_bits"] = CASES["random_bits_8"] = random_bits
CASES["random_normals"] = CASES["random_normals_8"] = random_normals


@case("cookbook_random")
def cookbook_random(rows, columns):
    keys = jax.random.split(jax.random.key(1), jax.device_count())
    draw = jax.pmap(lambda key: jax.random.normal(key, (rows, columns)))
    return of_one(draw, jax.pmap(lambda key: key)(keys))


# ---- elements in order, running sums, rows of a table

@case("sort")
def sort(n):
    return of_one(jax.jit(jnp.sort), scattered(1, (n,), 2))


@case("sort_rows")
def sort_rows(m, n):
    return of_one(jax.jit(jnp.sort), scattered(1, (m, n), 2))


@case("sort_pairs")
def sort_pairs(n):
    f, x, y = jax.jit(lax.sort_key_val), scattered(1, (n,), 2), scattered(2, (n,), 2)
    return lambda: list(f(x, y))


@case("argsort")
def argsort(n):
    return of_one(jax.jit(jnp.argsort), scattered(1, (n,), 2))


@case("top_k")
def top_k(m, n, k):
    f, x = jax.jit(lambda x: lax.top_k(x, k)), scattered(1, (m, n), 2)
    return lambda: list(f(x))


CASES["top_k_one"] = top_k


@case("cumsum")
def cumsum(n):
    return of_one(jax.jit(jnp.cumsum), scattered(1, (n,), 2))


def cumsum_along(dim):
    def make(m, n):
        return of_one(jax.jit(lambda x: jnp.cumsum(x, dim)), scattered(1, (m, n), 2))
    return make


CASES["cumsum_rows"], CASES["cumsum_columns"] = cumsum_along(1), cumsum_along(0)


@case("gather_rows")
def gather_rows(rows, n, width):
    which = (scattered(2, (rows,), 2) + 1) * np.float32(n / 2)
    which = jnp.minimum(which.astype(jnp.int32), n - 1)
    return of_one(jax.jit(lambda x, i: jnp.take(x, i, axis=0)), scattered(1, (n, width), 2), which)


# ---- single elements at places

def places(n, end):
    at = (scattered(2, (n,), 2) + 1) * np.float32(end / 2)
    return jnp.minimum(at.astype(jnp.int32), end - 1)


@case("take")
def take(n):
    return of_one(jax.jit(lambda x, i: jnp.take(x, i)), scattered(1, (n,), 2), places(n, n))


@case("take_in_bounds")
def take_in_bounds(n):
    f = jax.jit(lambda x, i: x.at[i].get(mode="promise_in_bounds"))
    return of_one(f, scattered(1, (n,), 2), places(n, n))


def at(combine):
    def make(n, *width):
        def put(i, x):
            return getattr(jnp.zeros((1000, *width), x.dtype).at[i], combine)(x)
        return of_one(jax.jit(put), places(n, 1000), scattered(1, (n, *width), 2))
    return make


CASES["at_add"], CASES["at_max"], CASES["at_set"] = at("add"), at("max"), at("set")
CASES["at_add_rows"] = at("add")


@case("bincount")
def bincount(n):
    return of_one(jax.jit(lambda i: jnp.bincount(i, length=1000)), places(n, 1000))


@case("histogram")
def histogram(n):
    return of_one(jax.jit(lambda x: jnp.histogram(x, 100)[0]), scattered(1, (n,), 2))


@case("searchsorted")
def searchsorted(n, points):
    at = jnp.sort(scattered(2, (points,), 2))
    return of_one(jax.jit(jnp.searchsorted), at, scattered(1, (n,), 2))


@case("isin")
def isin(n, size):
    return of_one(jax.jit(lambda of, x: jnp.isin(x, of)), jnp.floor(scattered(1, (n,), 40000)),
                  jnp.floor(scattered(2, (size,), 40000)))


@case("interp")
def interp(n, points):
    at = jnp.sort(scattered(2, (points,), 2))
    y = scattered(3, (points,), 2)
    return of_one(jax.jit(jnp.interp), scattered(1, (n,), 2), at, y)


# ---- transforms and factorisations

def complex_numbers(*dims):
    return lax.complex(scattered(1, dims, 2), scattered(2, dims, 2))


@case("fft")
def fft(n):
    return of_one(jax.jit(jnp.fft.fft), complex_numbers(n))


@case("rfft")
def rfft(n):
    return of_one(jax.jit(jnp.fft.rfft), scattered(1, (n,), 2))


@case("irfft")
def irfft(n):
    return of_one(jax.jit(jnp.fft.irfft), complex_numbers(n // 2 + 1))


@case("fft_rows")
def fft_rows(m, n):
    return of_one(jax.jit(jnp.fft.fft), complex_numbers(m, n))


def definite(n):
    x = scattered(1, (n, n), 1)
    return x + x.T + n * jnp.eye(n, dtype=x.dtype)


@case("cholesky")
def cholesky(n):
    return of_one(jax.jit(jnp.linalg.cholesky), definite(n))


@case("lu")
def lu(n):
    return of_one(jax.jit(lambda x: jax.lax.linalg.lu(x)[0]), definite(n))


@case("svd")
def svd(n):
    def values(x):
        u, s, vh = jnp.linalg.svd(x)
        return s, jnp.abs(u), jnp.abs(vh)
    step, x = jax.jit(values), scattered(1, (n, n), 2)
    return lambda: list(step(x))


@case("eigh")
def eigh(n):
    return of_one(jax.jit(jnp.linalg.eigvalsh), definite(n))


@case("eig")
def eig(n):
    f = jax.jit(lambda x: jnp.sort(jnp.abs(jnp.linalg.eigvals(x))))
    return of_one(f, scattered(1, (n, n), 2))


# ---- many small matrices

def small(fn, *others):
    def make(many, n):
        x = scattered(1, (many, n, n), 1)
        x = x + jnp.matrix_transpose(x) + n * jnp.eye(n, dtype=x.dtype)
        args = [scattered(seed, (many, n), 2) for seed in others]
        step = jax.jit(lambda *given: jax.tree.leaves(fn(*given)))
        return lambda: list(step(x, *args))
    return make


CASES["small_cholesky"], CASES["small_inv"] = small(jnp.linalg.cholesky), small(jnp.linalg.inv)
CASES["small_lu"] = small(lambda x: lax.linalg.lu(x)[0])
CASES["small_qr"] = small(lambda x: [jnp.abs(y) for y in jnp.linalg.qr(x)])
CASES["small_solve"] = small(lambda x, y: jnp.linalg.solve(x, y[..., None]), 2)


# ---- what else has no kernel

def along_rows(fn):
    return lambda m, n: of_one(jax.jit(lambda x: fn(x, 1)), scattered(1, (m, n), 2))


CASES["cumprod"], CASES["cummax"] = along_rows(jnp.cumprod), along_rows(lax.cummax)
CASES["cummin"] = along_rows(lax.cummin)
CASES["cumlogsumexp"] = along_rows(lax.cumlogsumexp)


def shares(fn, *others):
    def make(n):
        numbers = [scattered(seed, (n,), 4) + np.float32(2.5) for seed in (1, 2)]
        places = [scattered(seed, (n,), 0.98) + np.float32(0.5) for seed in others]
        return of_one(jax.jit(fn), *numbers, *places)
    return make


CASES["igamma"], CASES["igammac"] = shares(lax.igamma), shares(lax.igammac)
CASES["igamma_grad_a"] = shares(lax.igamma_grad_a)
CASES["random_gamma_grad"] = shares(lax.random_gamma_grad)
CASES["betainc"] = shares(jsp.special.betainc, 3)


@case("random_gamma")
def random_gamma(n):
    f = jax.jit(lambda key, a: jnp.mean(jax.random.gamma(key, a)))
    return of_one(f, jax.random.key(1), scattered(1, (n,), 4) + np.float32(2.5))


def of_matrix(fn, *others):
    def make(n):
        return of_one(jax.jit(fn), definite(n), *[scattered(seed, (n, n), 2) for seed in others])
    return make


def sum_of_squares(x):
    return jnp.sum(jnp.square(x))


CASES["triangular_solve"] = of_matrix(
    lambda a, b: jsp.linalg.solve_triangular(a, b, lower=True), 2)
CASES["schur"] = of_matrix(lambda x: sum_of_squares(lax.linalg.schur(x)[0]))
CASES["hessenberg"] = of_matrix(lambda x: sum_of_squares(lax.linalg.hessenberg(x)[0]))
CASES["tridiagonal"] = of_matrix(lambda x: sum_of_squares(lax.linalg.tridiagonal(x)[1]))


# ---- one collective

def exchange(body, out):
    def make(m, n):
        # check_vma=False: that what was gathered is the same everywhere is not in its type here
        f = jax.shard_map(body, mesh=mesh(), in_specs=P("i"), out_specs=out, check_vma=False)
        return of_one(jax.jit(f), put(scattered(1, (m, n), 4), P("i")))
    return make


def shifted(x):
    n = lax.axis_size("i")
    return lax.ppermute(x, "i", [(k, (k + 1) % n) for k in range(n)])


CASES["psum_4"] = CASES["psum_8"] = exchange(lambda x: lax.psum(x, "i"), P())
CASES["all_gather_4"] = CASES["all_gather_8"] = exchange(
    lambda x: lax.all_gather(x, "i", tiled=True), P())
CASES["psum_scatter_4"] = CASES["psum_scatter_8"] = exchange(
    lambda x: lax.psum_scatter(x, "i", scatter_dimension=1, tiled=True), P(None, "i"))
CASES["all_to_all_4"] = CASES["all_to_all_8"] = exchange(
    lambda x: lax.all_to_all(x, "i", 1, 0, tiled=True), P(None, "i"))
CASES["ppermute_4"] = CASES["ppermute_8"] = exchange(shifted, P("i"))


# ---- products of sharded matrices

def contract(x, y):
    return lax.psum(x @ y, "i")


def gather(x, y):
    return x @ lax.all_gather(y, "i", tiled=True)


def scatter(x, y):
    return lax.psum_scatter(x @ y, "i", tiled=True)


def scatter_ring(x, y):
    n, me = lax.axis_size("i"), lax.axis_index("i")
    size = x.shape[0] // n

    def part(by):
        return lax.dynamic_slice_in_dim(x, (me + by) % n * size, size) @ y
    total = part(1)
    for t in range(1, n):
        total = lax.ppermute(total, "i", [(k, (k - 1) % n) for k in range(n)]) + part(t + 1)
    return total


def split_product(body, of_x=P(None, "i"), out=P("i")):
    def make(n):
        f = jax.shard_map(body, mesh=mesh(), in_specs=(of_x, P("i")), out_specs=out)
        return of_one(jax.jit(f), put(scattered(1, (n, n), 2), of_x),
                      put(scattered(2, (n, n), 2), P("i")))
    return make


CASES["contract_4"] = split_product(contract, out=P())
CASES["gather_4"] = split_product(gather, of_x=P("i"))
CASES["scatter_4"], CASES["ring_4"] = split_product(scatter), split_product(scatter_ring)


# ---- convolutions and pooling

def conv_7x7_of(w, x):
    return lax.conv_general_dilated(x, w, (2, 2), [(3, 3), (3, 3)],
                                    dimension_numbers=("NHWC", "HWIO", "NHWC"))


def conv_3x3_of(w, x):
    return lax.conv_general_dilated(x, w, (1, 1), "SAME",
                                    dimension_numbers=("NHWC", "HWIO", "NHWC"))


def conv_steps_of(w, x):
    return lax.conv_general_dilated(x, w, (2, 2), [(1, 1), (1, 1)],
                                    dimension_numbers=("NHWC", "HWIO", "NHWC"))


def conv_groups_of(w, x):
    return lax.conv_general_dilated(x, w, (1, 1), "SAME",
                                    dimension_numbers=("NHWC", "HWIO", "NHWC"),
                                    feature_group_count=x.shape[3] // w.shape[2])


def images(batch, side, features):
    return scattered(1, (batch, side, side, features), 2)


def convolution(conv, window, in_group=None):
    def make(batch, side, features, results):
        w = scattered(2, (window, window, in_group or features, results), 0.2)
        return of_one(jax.jit(conv), w, images(batch, side, features))
    return make


def convolution_grad(conv, window, argnums, in_group=None):
    def loss(w, x):
        return jnp.mean(jnp.square(conv(w, x)))

    def make(batch, side, features, results):
        w = scattered(2, (window, window, in_group or features, results), 0.2)
        f = jax.jit(jax.grad(loss, argnums))
        x = images(batch, side, features)
        return lambda: list(f(w, x))
    return make


CASES["conv_7x7"] = convolution(conv_7x7_of, 7)
CASES["conv_3x3"] = convolution(conv_3x3_of, 3)
CASES["conv_7x7_grad"] = convolution_grad(conv_7x7_of, 7, (0,))
CASES["conv_3x3_grad"] = convolution_grad(conv_3x3_of, 3, (0, 1))
CASES["conv_steps_grad"] = convolution_grad(conv_steps_of, 3, (0, 1))
CASES["conv_groups"] = convolution(conv_groups_of, 3, 16)
CASES["conv_groups_grad"] = convolution_grad(conv_groups_of, 3, (0, 1), 16)


@case("max_pool")
def max_pool(batch, side, features):
    f = jax.jit(lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (1, 3, 3, 1), (1, 2, 2, 1),
                                            [(0, 0), (1, 1), (1, 1), (0, 0)]))
    return of_one(f, images(batch, side, features))


@case("vector_4096")
def vector_4096(n):
    return of_one(jax.jit(jnp.dot), scattered(1, (n,), 2), scattered(2, (n, n), 2))


def dot(n):
    return of_one(jax.jit(jnp.dot), scattered(1, (n,), 2), scattered(2, (n,), 2))


CASES["dot"] = CASES["dot_4m"] = dot


def matrix_by_vector(n):
    return of_one(jax.jit(jnp.dot), scattered(2, (n, n), 2), scattered(1, (n,), 2))


CASES["matrix_1024"] = CASES["matrix_4096"] = matrix_by_vector


def small_products(count, n):
    return of_one(jax.jit(jnp.matmul), *(scattered(i + 1, (count, n, n), 2) for i in range(2)))


CASES["small_products"] = CASES["small_products_32"] = small_products


def squares_of(dtype, scale, n):
    return (scattered(i + 1, (n, n), scale).astype(dtype) for i in range(2))


@case("product_i8")
def product_i8(n):
    f = jax.jit(lambda x, y: jnp.matmul(x, y, preferred_element_type=jnp.int32))
    return of_one(f, *squares_of(jnp.int8, 200, n))


@case("product_bf16")
def product_bf16(n):
    f = jax.jit(lambda x, y: jnp.matmul(x, y).astype(jnp.float32))
    return of_one(f, *squares_of(jnp.bfloat16, 2, n))


CASES["product_bf16_4096"] = CASES["bf16_pairs"] = CASES["bf16_pairs_4096"] = product_bf16


@case("f32_pairs_4096")
def f32_pairs(n):
    f = jax.jit(lambda x, y: jnp.matmul(x, y, precision="fastest"))
    return of_one(f, *squares_of(jnp.float32, 2, n))


@case("product_f64")
def product_f64(n):
    jax.config.update("jax_enable_x64", True)
    return of_one(jax.jit(jnp.matmul), *squares_of(jnp.float64, 2, n))


CASES["product_f64_2048"] = CASES["product_f64_4096"] = product_f64


@case("gram")
def gram(rows, columns):
    return of_one(jax.jit(lambda x: x.T @ x), scattered(1, (rows, columns), 2))


@case("cookbook")
def cookbook(rows, columns):
    x = scattered(1, (jax.device_count(), rows, columns), 2)
    placed = jax.pmap(lambda one: one)(x)
    return of_one(jax.pmap(lambda one: jnp.dot(one, one.T)), placed)


def layer_of(per_head, add_up):
    """a transformer's layer; add_up: what sums the parts of a product on a mesh"""
    def heads_of(x, w):
        y = x @ w
        return y.reshape(*y.shape[:2], -1, per_head).transpose(0, 2, 1, 3)

    def attention(weights, x):
        wq, wk, wv, wo, _, _ = weights
        q, k, v = heads_of(x, wq) * (1 / x.shape[2] ** 0.5), heads_of(x, wk), heads_of(x, wv)
        scores = jax.nn.softmax(jnp.einsum("bhqd,bhkd->bhqk", q, k), axis=-1)
        y = jnp.einsum("bhqk,bhkd->bhqd", scores, v).transpose(0, 2, 1, 3)
        return y.reshape(*y.shape[:2], -1) @ wo

    def layer(weights, x):
        x = x + add_up(attention(weights, x))
        return x + add_up(jax.nn.relu(x @ weights[4]) @ weights[5])
    return layer


def layer_inputs(batch, length, n):
    dims = [(n, n)] * 4 + [(n, 4 * n), (4 * n, n)]
    weights = [scattered(2 + k, d, 2 / d[0] ** 0.5) for k, d in enumerate(dims)]
    return weights, scattered(1, (batch, length, n), 2)


def some(grads):
    return [grads[k] for k in (0, 3, 4, 5)]


@case("layer")
def layer_one(batch, length, n, heads):
    f = jax.jit(layer_of(n // heads, lambda x: x))
    return of_one(f, *layer_inputs(batch, length, n))


@case("layer_grad")
def layer_grad(batch, length, n, heads):
    layer = layer_of(n // heads, lambda x: x)
    f = jax.jit(jax.grad(lambda w, x: jnp.mean(jnp.square(layer(w, x)))))
    args = layer_inputs(batch, length, n)
    return lambda: some(f(*args))


def on_mesh(body, out, batch, length, n):
    """the fn and its arguments on 2x2 devices; out: specs of the results, from the weights' ones"""
    m = grid((2, 2), ("data", "model"))
    specs = [P(None, "model")] * 3 + [P("model"), P(None, "model"), P("model")]
    f = jax.jit(jax.shard_map(body, mesh=m, in_specs=(specs, P("data")), out_specs=out(specs)))
    weights, x = layer_inputs(batch, length, n)
    weights = [jax.device_put(w, NamedSharding(m, s)) for w, s in zip(weights, specs)]
    return f, weights, jax.device_put(x, NamedSharding(m, P("data")))


def add_up_model(x):
    return lax.psum(x, "model")


@case("layer_4")
def layer_4(batch, length, n, heads):
    return of_one(*on_mesh(layer_of(n // heads, add_up_model), lambda _: P("data"), batch, length,
                           n))


@case("layer_grad_4")
def layer_grad_4(batch, length, n, heads):
    layer = layer_of(n // heads, add_up_model)

    def loss(w, x):
        return lax.pmean(jnp.mean(jnp.square(layer(w, x))), "data")
    f, *args = on_mesh(jax.grad(loss), lambda specs: specs, batch, length, n)
    return lambda: some(f(*args))


def transformer_loss(heads, layers):
    """by Flax; the names of the parameters are those that it gives them"""
    from flax import linen as nn

    class Layer(nn.Module):
        @nn.compact
        def __call__(self, x):
            y = nn.RMSNorm()(x)
            x = x + nn.MultiHeadDotProductAttention(heads, use_bias=False)(y)
            y = nn.gelu(nn.Dense(4 * x.shape[-1], use_bias=False)(nn.RMSNorm()(x)))
            return x + nn.Dense(x.shape[-1], use_bias=False)(y)

    def loss(params, x, targets):
        for one in params:
            x = Layer().apply({"params": one}, x)
        return jnp.mean(jnp.square(x - targets))
    return loss


def transformer_params(n, heads, layers, place):
    """each parameter, by its path, with its spec"""
    kernels = [("MultiHeadDotProductAttention_0/query", (n, heads, n // heads), 2,
                P(None, "model")),
               ("MultiHeadDotProductAttention_0/key", (n, heads, n // heads), 2, P(None, "model")),
               ("MultiHeadDotProductAttention_0/value", (n, heads, n // heads), 2,
                P(None, "model")),
               ("MultiHeadDotProductAttention_0/out", (heads, n // heads, n), 2, P("model")),
               ("Dense_0", (n, 4 * n), 2, P(None, "model")),
               ("Dense_1", (4 * n, n), 1, P("model"))]
    seeds = [1, 2, 3, 4, 6, 7]
    made = []
    for k in range(layers):
        one = {"RMSNorm_0": {"scale": place(jnp.ones(n), P())},
               "RMSNorm_1": {"scale": place(jnp.ones(n), P())},
               "MultiHeadDotProductAttention_0": {}}
        for (path, dims, scale, spec), seed in zip(kernels, seeds):
            module, _, name = path.partition("/")
            kernel = {"kernel": place(scattered(3 + 8 * k + seed, dims, scale / n ** 0.5), spec)}
            if name:
                one[module][name] = kernel
            else:
                one[module] = kernel
        made.append(one)
    return made


def transformer_step(place, batch, length, n, heads, layers):
    import optax
    loss, adam = transformer_loss(heads, layers), optax.adam(1e-3)
    x, targets = (place(scattered(k, (batch, length, n), 2), P("data")) for k in (1, 2))
    params = transformer_params(n, heads, layers, place)
    state = jax.jit(adam.init)(params)

    @functools.partial(jax.jit, donate_argnums=(0, 1))
    def step(params, state, x, targets):
        value, grads = jax.value_and_grad(loss)(params, x, targets)
        updates, state = adam.update(grads, state, params)
        return value, optax.apply_updates(params, updates), state

    def train():
        nonlocal params, state
        value, params, state = step(params, state, x, targets)
        query = params[0]["MultiHeadDotProductAttention_0"]["query"]["kernel"]
        return [value, query, params[-1]["Dense_1"]["kernel"]]
    return train


@case("transformer")
def transformer(*sizes):
    return transformer_step(lambda x, _: x, *sizes)


@case("transformer_8")
def transformer_8(*sizes):
    m = grid((4, 2), ("data", "model"))
    return transformer_step(lambda x, spec: jax.device_put(x, NamedSharding(m, spec)), *sizes)


@case("partition_24")
def partition_24(batch, length, n, heads, count):
    """XLA partitions nothing without compiling it, and compiles nothing twice"""
    m, layer = grid((4, 4, 4), ("data", "model", "length")), layer_of(n // heads, lambda x: x)
    specs = [P(None, None, "model")] * 3 + [P(None, "model"), P(None, None, "model"),
                                            P(None, "model")]

    def loss(weights, x):
        for k in range(count):
            x = layer([w[k] for w in weights], x)
        return jnp.mean(jnp.square(x))
    dims = [(count, n, n)] * 4 + [(count, n, 4 * n), (count, 4 * n, n)]
    weights = [jax.device_put(scattered(2 + k, d, 2 / d[1] ** 0.5), NamedSharding(m, spec))
               for k, (d, spec) in enumerate(zip(dims, specs))]
    x = jax.device_put(scattered(1, (batch, length, n), 2),
                       NamedSharding(m, P("data", "length")))
    f = jax.jit(jax.grad(loss))

    def step():
        jax.clear_caches()
        f.lower(weights, x).compile()
        return [x]
    return step


# ---- the network

def squares(predicted, targets):
    return jnp.sum(jnp.square(predicted - targets), axis=-1)


def one_loss(params, h, targets):
    for k, (w, b) in enumerate(params):
        h = jnp.dot(h, w) + b
        if k < len(params) - 1:
            h = jax.nn.relu(h)
    return jnp.mean(squares(h, targets))


def dp_loss(params, h, targets):
    return lax.pmean(one_loss(params, h, targets), "i")


def fsdp_loss(params, h, targets):
    whole = jax.tree.map(lambda x: lax.all_gather(x, "i", tiled=True), params)
    return dp_loss(whole, h, targets)


def split_layers(params, h, axis):
    for k, (w, b) in enumerate(params):
        h = lax.psum_scatter(jnp.dot(h, w), axis, scatter_dimension=1, tiled=True) + b
        if k < len(params) - 1:
            h = jax.nn.relu(h)
    return h


def tp_loss(params, h, targets):
    return jnp.mean(lax.psum(squares(split_layers(params, h, "i"), targets), "i"))


def fsdp_tp_loss(params, h, targets):
    whole = jax.tree.map(lambda x: lax.all_gather(x, "batch", tiled=True), params)
    errors = lax.psum(squares(split_layers(whole, h, "feats"), targets), "feats")
    return lax.pmean(jnp.mean(errors), "batch")


def pairs_loss(params, h, targets):
    for k, (w, b) in enumerate(params):
        h = jnp.dot(h, w)
        h = (lax.psum(h, "feats") if k % 2 else h) + b
        if k < len(params) - 1:
            h = jax.nn.relu(h)
    return lax.pmean(jnp.mean(squares(h, targets)), "batch")


def net(loss, m, params_specs, data_spec, batch, features, inner, last, layers, auto=False):
    """m: None is one device; params_specs: of w and b, in turn; auto: without shard_map"""
    def descend(params, x, y):
        value, grads = jax.value_and_grad(loss)(params, x, y)
        return value, jax.tree.map(lambda w, g: w - 1e-3 * g, params, grads)

    def place(x, spec):
        return jax.device_put(x, NamedSharding(m, spec)) if m else x

    sizes = [features] + [inner] * (layers - 1) + [last]
    specs = [params_specs[k % len(params_specs)] for k in range(layers)]
    params = [(place(scattered(3 + k, (m_, n), 2 * (6 / m_) ** 0.5), specs[k][0]),
               place(jnp.zeros(n), specs[k][1]))
              for k, (m_, n) in enumerate(zip(sizes, sizes[1:]))]
    x, y = (place(scattered(k, (batch, n), 2), data_spec) for k, n in ((1, features), (2, last)))
    if auto:
        there = jax.tree.map(lambda of: NamedSharding(m, of), (P(), specs))
        step = jax.jit(descend, donate_argnums=0, out_shardings=there)
    else:
        step = jax.shard_map(descend, mesh=m, in_specs=(specs, data_spec, data_spec),
                             out_specs=(P(), specs)) if m else descend
        step = jax.jit(step, donate_argnums=0)

    def train():
        nonlocal params
        value, params = step(params, x, y)
        jax.block_until_ready(params)
        return [value, params[0][0], params[-1][1]]
    return train


# where parameters and data are: the axes' sizes and names, and specs
BY_BATCH = (8,), ("i",), [(P(), P())], P("i")
BY_BOTH = (8,), ("i",), [(P("i"), P("i"))], P("i")
BY_FEATURES = (8,), ("i",), [(P("i"), P("i"))], P(None, "i")
ON_GRID = (4, 2), ("batch", "feats"), [(P(("feats", "batch")),) * 2], P("batch", "feats")
IN_PAIRS = ((4, 2), ("batch", "feats"),
            [(P(None, "feats"), P("feats")), (P("feats"), P())], P("batch"))


def net_at(loss, place, auto=False):
    sizes, names, params_specs, data_spec = place
    return lambda *size: net(loss, grid(sizes, names), params_specs, data_spec, *size, auto=auto)


def net_one(*size):
    return net(one_loss, None, [(None, None)], None, *size)


CASES["net_one"] = CASES["big_one"] = net_one
CASES["net_dp"] = CASES["net_dp_compile"] = CASES["big_dp"] = net_at(dp_loss, BY_BATCH)
CASES["net_fsdp"] = CASES["net_fsdp_compile"] = CASES["big_fsdp"] = net_at(fsdp_loss, BY_BOTH)
CASES["net_tp"] = CASES["net_tp_compile"] = CASES["big_tp"] = net_at(tp_loss, BY_FEATURES)
CASES["big_fsdp_tp"] = net_at(fsdp_tp_loss, ON_GRID)
CASES["net_pairs"] = net_at(pairs_loss, IN_PAIRS)
CASES["auto_dp"] = net_at(one_loss, BY_BATCH, auto=True)
CASES["auto_tp"] = net_at(one_loss, BY_FEATURES, auto=True)
CASES["auto_pairs"] = net_at(one_loss, IN_PAIRS, auto=True)


# ---- training, with Optax

@case("adamw")
def adamw(m, n):
    import optax
    optimizer = optax.adamw(1e-3)
    w = [scattered(1 + k, (m, n), 2) for k in range(4)]
    grads = [scattered(11 + k, (m, n), 2) for k in range(4)]
    state = optimizer.init(w)

    @functools.partial(jax.jit, donate_argnums=(0, 1))
    def update(w, state, grads):
        updates, state = optimizer.update(grads, state, w)
        return optax.apply_updates(w, updates), state

    def step():
        nonlocal w, state
        w, state = jax.block_until_ready(update(w, state, grads))
        return [w[0], w[3]]
    return step


def two_layers(w, x, targets):
    hidden = jax.nn.relu(jnp.dot(x, w[0]) + w[1])
    return jnp.mean(squares(jnp.dot(hidden, w[2]) + w[3], targets))


def training(batch, features, inner, last, cut=False):
    """cut: the state is split over the devices, as ZeRO-1 has it"""
    import optax
    optimizer = optax.adamw(1e-3, eps=1e-3)
    many = jax.device_count() > 1

    def placed(x, spec):
        return put(x, spec) if many else x

    w = [placed(x, P()) for x in (
        scattered(1, (features, inner), 2 * (6 / features) ** 0.5), jnp.zeros(inner),
        scattered(2, (inner, last), 2 * (6 / inner) ** 0.5), jnp.zeros(last))]
    x, targets = (placed(scattered(k, (batch, n), 2), P("i"))
                  for k, n in ((3, features), (4, last)))
    state = optimizer.init(w)
    if many:
        state = jax.tree.map(lambda s: put(s, P("i") if cut and s.ndim else P()), state)
    there = jax.tree.map(lambda s: s.sharding, (w, state)) if many else None

    def descend(w, state, x, targets):
        value, grads = jax.value_and_grad(two_layers)(w, x, targets)
        updates, state = optimizer.update(grads, state, w)
        return value, (optax.apply_updates(w, updates), state)

    out = {"out_shardings": (NamedSharding(mesh(), P()), there)} if many else {}
    train = jax.jit(descend, donate_argnums=(0, 1), **out)

    def step():
        nonlocal w, state
        value, (w, state) = jax.block_until_ready(train(w, state, x, targets))
        return [value, w[0], w[3]]
    return step


CASES["train_adamw"] = CASES["train_adamw_dp"] = training
CASES["train_adamw_zero"] = functools.partial(training, cut=True)


# ---- files

@case("load_safetensors")
def load_safetensors(count, n):
    from safetensors.flax import load_file, save_file
    folder = tempfile.TemporaryDirectory()
    path = os.path.join(folder.name, "x.safetensors")
    save_file({str(k): scattered(1 + k, (n,), 2) for k in range(count)}, path)

    def step():
        assert folder
        x = jax.block_until_ready(load_file(path))
        return [x["0"], x["1"]]
    return step


@case("checkpoint")
def checkpoint(count, n):
    from safetensors.flax import save_file
    folder = tempfile.TemporaryDirectory()
    path = os.path.join(folder.name, "x.safetensors")
    x = {str(k): scattered(1 + k, (n,), 2) for k in range(count)}

    def step():
        assert folder
        save_file(x, path)
        file = os.open(path, os.O_RDONLY)
        os.fsync(file)
        os.close(file)
        return [jnp.float32(1)]
    return step


# ---- compiling

def equations(count, n):
    def ten(x, w, k):
        y = jnp.tanh(jnp.dot(x, w) + k)
        z = y * (1 + 1 / (k + 2)) - jnp.sin(x)
        return z * 0.5 - jnp.max(y, axis=-1, keepdims=True)

    def body(x, w):
        for k in range(count // 10):
            x = ten(x, w, k)
        return x
    return of_one(jax.jit(body), scattered(1, (n, n), 2), scattered(2, (n, n), 2 / n ** 0.5))


CASES["equations_100"] = CASES["equations_1000"] = CASES["equations_3000"] = equations


def layers(count, n):
    def layer(x, w, v):
        y = jnp.dot(jax.nn.relu(jnp.dot(x, w)), v) + x
        apart = y - jnp.mean(y, axis=-1, keepdims=True)
        variance = jnp.mean(jnp.square(apart), axis=-1, keepdims=True)
        return apart * lax.rsqrt(variance + 1e-5)

    def body(x, w, v):
        for k in range(count):
            x = layer(x, w[k], v[k])
        return x
    return of_one(jax.jit(body), scattered(1, (n, n), 2),
                  scattered(2, (count, n, 4 * n), 2 / n ** 0.5),
                  scattered(3, (count, 4 * n, n), 2 / n ** 0.5))


CASES["layers_2"] = CASES["layers_24"] = layers


def small_inputs(rows, n, w):
    x = scattered(1, (rows * jax.device_count(), n), 2)
    return put(x, P("i")), put(scattered(2, w, 1), P())


@case("products_at_once")
def small_products(rows, n):
    def body(x, w):
        for _ in range(20):
            x = jnp.tanh(x @ w)
        return jnp.sum(x)
    return of_one(jax.jit(jax.grad(body)), *small_inputs(rows, n, (n, n)))


@case("kernels_at_once")
def small_kernels(rows, n):
    def body(x, w):
        for _ in range(20):
            x = jnp.cumsum(jnp.sin(x * w), 1)
        return jnp.sum(x)
    return of_one(jax.jit(jax.grad(body)), *small_inputs(rows, n, (n,)))


@case("psums_at_once")
def small_exchanges(rows, n):
    def body(x, w):
        for _ in range(10):
            x = x * w + lax.psum(jnp.sin(x), "i") * 0.1
        return x
    f = jax.shard_map(body, mesh=mesh(), in_specs=(P("i"), P()), out_specs=P("i"))
    return of_one(jax.jit(f), *small_inputs(rows, n, (n,)))


CASES["products_waiting"], CASES["kernels_waiting"] = small_products, small_kernels
CASES["psums_waiting"] = small_exchanges


# ---- measuring: bench/measure.c has the reasons

def time_steps(step, n):
    start = time.perf_counter()
    for _ in range(n):
        for y in step():
            y.block_until_ready()
    return time.perf_counter() - start


def sample_steps(step, seconds):
    start, steps = time.perf_counter(), 0
    while steps < 2 * FIRST_CALLS and (steps < 2 or time.perf_counter() - start < seconds):
        time_steps(step, 1)
        steps += 1
    one = time_steps(step, 1)
    batch = 1 + int(seconds / 1000 / (one + 1e-9))
    samples, end = [], time.perf_counter() + seconds
    while not samples or len(samples) < MOST_SAMPLES and (
            time.perf_counter() < end or len(samples) < 3 and one < seconds):
        samples.append(time_steps(step, batch) / batch)
    return samples


def figures(samples, divisor):
    return {"median": float(np.median(samples)) / divisor, "min": min(samples) / divisor,
            "samples": len(samples)}


def measure_first(step, seconds):
    another, ones = jax.jit(lambda x: 3.0 - x), jnp.ones(1 << 16)
    time_steps(lambda: [another(ones)], FIRST_CALLS)
    first = [time_steps(step, 1) for _ in range(FIRST_CALLS)]
    usual = float(np.median(sample_steps(step, seconds / 2)))
    return figures([sum(max(took - usual, 0) for took in first)], 1)


def measure_until_compiled(step):
    start = time.process_time()
    time_steps(step, 1)
    return figures([time.process_time() - start], 1)


def measure(job):
    step = CASES[job["case"]](*job["size"])
    if job["kind"] in ("waiting", "at once"):
        return measure_until_compiled(step)
    if job["kind"] == "first":
        return measure_first(step, job["seconds"])
    if job["kind"] == "row":
        calls = min(job["inner"], MOST_IN_A_ROW)
        time_steps(step, 1 + calls // 10)
        return figures([time_steps(step, calls)], calls)
    return figures(sample_steps(step, job["seconds"]), job["inner"])


def compare(job):
    """what differs, or None"""
    step = CASES[job["case"]](*job["size"])
    step()
    for k, y in enumerate(step()):
        theirs = np.asarray(y, np.float64)
        ours = np.load(os.path.join(job["folder"], f"ours.{k}.npy")).astype(np.float64)
        if ours.shape != theirs.shape:
            return f"result {k}: shape {ours.shape} here, {theirs.shape} in JAX"
        error, largest = (np.max(np.abs(x), initial=0) for x in (ours - theirs, theirs))
        if not error <= job["rtol"] * largest:
            return f"result {k}: differs by {error:g}, its largest element is {largest:g}"
    return None


def main():
    job = json.loads(sys.argv[2])
    if sys.argv[1] == "time":
        print(json.dumps(measure(job)))
    else:
        sys.exit(compare(job))


if __name__ == "__main__":
    main()
