"""draws_arrays.py - more of draws.py: layout, places, windows, matrices, keys, bodies."""
import numpy as np

import run_rows as rows
from draws import ALL, COMPLEX, FLOATS, INEXACT, INTS, MATRIX, REAL, SINGLE, group, variants


# ---- layout

def dims_group(name, draw, kinds=ALL, least=0):
    """x, and what `draw` makes of its shape"""
    def of(d):
        x = d.of(kinds, d.shape(least))
        return {"x": x, **draw(d, x.shape)}
    of.__name__ = name
    group()(of)


def repeats_of(d, dim, shape):
    each = (shape[dim],) if d.flag() else (1,)
    return {"dim": dim, "y": d.within(0, 3, each), "n": d.int(0, 9) if shape[dim] else 0}


dims_group("reshaped", lambda d, s: {"dims": d.among([(-1,) if 0 not in s else (0,), s[::-1]])})
dims_group("permuted", lambda d, s: {"dims": tuple(int(k) for k in d.pick.permutation(len(s)))})
dims_group("some_dims", lambda d, s: {"dims": tuple(rows.some_dims(d.pick, len(s)))})
dims_group("moved", lambda d, s: {"dim": d.int(-len(s), len(s) - 1), "to": d.int(0, len(s) - 1)},
           least=1)
dims_group("shifted", lambda d, s: {"dim": d.int(0, len(s) - 1), "n": d.int(-5, 5)}, least=1)
dims_group("repeated", lambda d, s: {"dim": d.int(0, len(s) - 1), "n": d.int(0, 3)}, least=1)
dims_group("repeated_each", lambda d, s: repeats_of(d, d.int(0, len(s) - 1), s), least=1)
dims_group("shifted_by", lambda d, s: {"dim": d.int(0, len(s) - 1), "y": d.within(-20, 20)},
           least=1)
dims_group("tiled", lambda d, s: {"dims": d.sizes(d.int(0, 3), 0, 2)})
dims_group("resized", lambda d, s: {"dims": d.sizes(d.int(1, 2), 1, 5)})
dims_group("sliced", lambda d, s: {"dim": d.int(0, len(s) - 1), "n": d.int(-6, 6),
                                   "m": d.int(-6, 6)}, least=1)
dims_group("padded", lambda d, s: {"low": d.sizes(len(s), 0, 2), "high": d.sizes(len(s), 0, 2),
                                   "base": d.sizes(len(s), 0, 2)}, INTS + INEXACT)


@group()
def slopes(d):
    x = d.of(INTS + INEXACT, d.full())
    dim = d.int(0, x.ndim - 1)
    return {"x": x, "y": d.of(x.dtype, [1 if k == dim else n for k, n in enumerate(x.shape)]),
            "dim": dim, "n": d.int(1, 2)}


@group()
def spread(d):
    dims = d.shape()
    shape = d.other(dims)[d.int(0, len(dims)):]
    return {"x": d.of(ALL, shape), "dims": dims}


@group()
def placed(d):
    dims = d.shape()
    at = tuple(rows.some_dims(d.pick, len(dims)))
    return {"x": d.of(ALL, d.other([dims[k] for k in at])), "dims": dims, "starts": at}


@group()
def ones(d):
    shape = list(d.shape())
    dims = sorted(int(k) for k in d.pick.choice(len(shape) + 2, 2, False))
    for k in dims:
        shape.insert(k, 1)
    return {"x": d.of(ALL, shape), "dims": tuple(dims)}


@group()
def new_dims(d):
    x = d.of(ALL)
    return {"x": x, "dims": tuple(sorted(int(k) for k in d.pick.choice(x.ndim + 2, 2, False)))}


@group()
def joined(d):
    shape, dtype = list(d.shape(1)), d.dtype(ALL)
    dim = d.int(0, len(shape) - 1)
    drawn = {"dim": dim}
    for name in "xyz":
        shape[dim] = d.int(0, 3)
        drawn[name] = d.of(dtype, shape)
    return drawn


@group()
def stacked(d):
    shape, dtype = d.shape(1), d.dtype(ALL)
    return {"dim": d.int(0, len(shape)), **{name: d.of(dtype, shape) for name in "xyz"}}


@group()
def parted(d):
    shape = d.among([(4,), (4, 6), (2, 3, 4)])
    return {"x": d.of(ALL, shape), "dim": d.int(0, len(shape) - 1)}


variants(lambda d, kinds: {"x": d.of(kinds, d.among([(3, 4), (4, 4), (2, 3, 3), (5, 2)])),
                           "n": d.int(-2, 2)}, {"matrices": ALL}, ulps=64, scale="product")


@group()
def small(d):
    return {"x": d.of(ALL, d.among([(4,), (3, 4), (1,)])), "n": d.int(-2, 2)}


@group(16)
def lines(d):
    return {"x": d.even(INEXACT, (d.int(1, 4),)), "n": d.int(1, 4), "flag": d.flag()}


@group(64, "product")
def two_lines(d):
    dtype = d.dtype(INEXACT + INTS)
    return {"x": d.of(dtype, (d.int(1, 6),)), "y": d.of(dtype, (d.int(1, 6),)),
            "flag": d.flag(), "flag2": d.flag(), "m": d.int(0, 3)}


# ---- elements at places

@group()
def stepped(d):
    x = d.of(ALL, d.shape(1))
    starts = tuple(d.int(0, n) for n in x.shape)
    return {"x": x, "starts": starts, "stops": tuple(d.int(a, n) for a, n in zip(starts, x.shape)),
            "strides": d.sizes(x.ndim, 1, 3)}


@group()
def windowed_at(d):
    shape, dtype = list(d.full()), d.dtype(ALL)
    dim = d.int(0, len(shape) - 1)
    n = shape[dim]
    part = [*shape[:dim], d.int(1, n), *shape[dim + 1:]]
    return {"x": d.of(dtype, shape), "y": d.of(dtype, part), "n": part[dim], "dim": dim,
            "z": d.within(-n - 1, n + 1)}


@group()
def blocks(d):
    sizes, dtype = (d.int(1, 3), d.int(1, 4)), d.dtype(ALL)
    return {"x": d.of(dtype, (3, 4)), "y": d.of(dtype, sizes), "dims": sizes,
            "z": d.within(-4, 4), "w": d.within(-5, 5)}


def places_in(d, n, shape, mode):
    return d.within(0, n - 1, shape) if mode == 3 else d.within(-n - 2, n + 1, shape)


@group()
def taken(d):
    x, mode = d.of(ALL, d.full()), d.int(0, 3)
    dim = d.int(0, x.ndim - 1)
    return {"x": x, "dim": dim, "mode": mode,
            "y": places_in(d, x.shape[dim], d.among([(), (3,), (2, 3)]), mode)}


@group()
def taken_along(d):
    x, mode = d.of(ALL, d.full()), d.among([0, 1, 3])
    dim = d.int(0, x.ndim - 1)
    shape = tuple(3 if k == dim else n for k, n in enumerate(x.shape))
    return {"x": x, "dim": dim, "mode": mode, "y": places_in(d, x.shape[dim], shape, mode)}


@group(64, "product")
def put(d):
    x = d.of(INTS + INEXACT, d.full())
    dim = d.int(0, x.ndim - 1)
    shape = tuple(3 if k == dim else n for k, n in enumerate(x.shape))
    return {"x": x, "dim": dim, "y": places_in(d, x.shape[dim], (3,), 0),
            "z": d.of(x.dtype, d.among([(), shape]))}


@group(64, "product")
def rows_at(d):
    dtype = d.dtype(INTS + INEXACT)
    return {"x": d.of(dtype, (4, 5)), "y": d.within(-2, 5, (3, 1)), "z": d.of(dtype, (3, 5)),
            "dims": (1, 5)}


@group()
def flat_places(d):
    return {"x": d.within(-14, 14, d.shape()), "dims": (3, 4)}


@group()
def places(d):
    shape = d.shape()
    return {"x": d.within(-4, 5, shape), "y": d.within(-4, 5, shape), "dims": (3, 4),
            "mode": d.int(1, 2)}


# ---- windows

@group(64, "product")
def windows(d):
    x = d.of(INTS + FLOATS, d.among([(5,), (3, 4), (2, 3, 4)]))
    return {"x": x, "sizes": d.sizes(x.ndim, 1, 2), "strides": d.sizes(x.ndim, 1, 2),
            "low": d.sizes(x.ndim, 0, 1), "high": d.sizes(x.ndim, 0, 1),
            "base": d.sizes(x.ndim, 1, 2), "apart": d.sizes(x.ndim, 1, 2)}


@group(64, "product")
def pools(d):
    x = d.of(FLOATS, d.among([(2, 6, 3), (2, 5, 6, 3)]))
    return {"x": x, "sizes": d.sizes(x.ndim - 2, 1, 3), "strides": d.sizes(x.ndim - 2, 1, 2)}


def dealt(x, spec, order):
    """x, whose dims are those of spec, with them in this order"""
    return np.ascontiguousarray(x.transpose([spec.index(c) for c in order]))


@group(64, "product")
def convolutions(d):
    specs = d.among([("NCHW", "OIHW", "NCHW"), ("NHWC", "HWIO", "NHWC"), ("NCHW", "HWIO", "NHWC")])
    n, dtype = d.int(1, 2), d.dtype(INEXACT)
    x, y = d.even(dtype, (2, 4, 5, 6)), d.even(dtype, (4, 4 // n, 2, 3))
    return {"x": dealt(x, "NCHW", specs[0]), "y": dealt(y, "OIHW", specs[1]), "n": n,
            "text": specs[0], "text2": specs[1], "text3": specs[2], "strides": d.sizes(2, 1, 2),
            "low": d.sizes(2, 0, 2), "high": d.sizes(2, 0, 2), "base": d.sizes(2, 1, 2),
            "apart": d.sizes(2, 1, 2)}


@group(64, "product")
def plain_convolutions(d):
    return {"x": d.even(FLOATS, (2, 3, 6, 5)), "sizes": d.sizes(2, 1, 3),
            "strides": d.sizes(2, 1, 2), "low": d.sizes(2, 0, 1), "high": d.sizes(2, 0, 1)}


@group(64, "product")
def local_convolutions(d):
    dtype, sizes, strides = d.dtype(FLOATS), d.sizes(2, 1, 2), d.sizes(2, 1, 2)
    out = [(n - k) // s + 1 for n, k, s in zip((5, 4), sizes, strides)]
    return {"x": d.even(dtype, (2, 2, 5, 4)), "sizes": sizes, "strides": strides,
            "y": d.even(dtype, (3, 2 * sizes[0] * sizes[1], *out))}


@group(64, "product")
def transposed_convolutions(d):
    dtype = d.dtype(FLOATS)
    return {"x": d.even(dtype, (2, 4, 5, 2)), "y": d.even(dtype, (3, 2, 2, 2)),
            "strides": d.sizes(2, 1, 3), "flag": d.flag(), "flag2": d.flag()}


# ---- matrices, of numbers of like size

def batch(d):
    return d.among([(), (5,), (1,)])


@group(256, "result")
def rectangle(d):
    x = d.even(MATRIX, (*batch(d), d.int(1, 5), d.int(1, 5)))
    return {"x": x, "flag": d.flag(), "a": 1 / 64}


@group(256, "result")
def definite(d):
    n = d.int(1, 5)
    x = d.even(MATRIX, (*batch(d), n, n))
    return {"x": (x @ rows.adjoint(x) + n * np.eye(n)).astype(x.dtype), "flag": d.flag()}


@group(256, "result")
def hermitian(d):
    n = d.int(1, 5)
    x = d.even(MATRIX, (*batch(d), n, n))
    return {"x": ((x + rows.adjoint(x)) / 2).astype(x.dtype)}


@group(256, "result")
def triangles(d):
    dtype, n, front = d.dtype(MATRIX), d.int(1, 5), batch(d)
    x = (d.even(dtype, (*front, n, n)) + 4 * np.eye(n)).astype(dtype)
    return {"x": x, "y": d.even(dtype, (*front, n, d.int(1, 3))), "n": d.int(0, 2),
            "flag": d.flag(), "flag2": d.flag()}


@group(256, "result")
def systems(d):
    dtype, n, front = d.dtype(MATRIX), d.int(1, 5), batch(d)
    x = (d.even(dtype, (*front, n, n)) + 3 * np.eye(n)).astype(dtype)
    return {"x": x, "y": d.even(dtype, (*front, n, d.int(1, 3))), "n": d.int(-2, 4)}


@group(256, "result")
def least_squares(d):
    dtype, n = d.dtype(MATRIX), d.int(1, 5)
    return {"x": d.even(dtype, (n, d.int(1, 5))), "y": d.even(dtype, d.among([(n,), (n, 2)]))}


@group(256, "result")
def reflections(d):
    dtype, n, front = d.dtype(MATRIX), d.int(1, 4), batch(d)
    m = d.int(n, 5)
    return {"x": d.even(dtype, (*front, m, n)), "y": d.even(dtype, (*front, n)),
            "z": d.even(dtype, (*front, m, 3)), "flag": d.flag()}


@group(256, "result")
def tridiagonals(d):
    dtype, n, front = d.dtype(SINGLE), d.int(1, 6), batch(d)
    line = (*front, n)
    return {"x": d.even(dtype, line), "y": (d.even(dtype, line) + 5).astype(dtype),
            "z": d.even(dtype, line), "w": d.even(dtype, (*line, 2))}


@group(256, "result")
def updates(d):
    dtype, n = d.dtype(SINGLE), d.int(1, 5)
    x = np.triu(d.even(dtype, (n, n)))
    x[np.arange(n), np.arange(n)] = np.abs(x.diagonal()) + 1
    return {"x": x, "y": d.even(dtype, (n,))}


@group(256, "product")
def products(d):
    dtype, n = d.dtype(SINGLE), d.int(1, 5)
    y = d.even(dtype, (n, n))
    return {"x": d.even(dtype, (n, d.int(1, 5))), "y": (y + y.T).astype(dtype),
            "a": d.int(1, 4) / 2, "b": d.int(1, 4) / 2}


@group(1024, "result")
def tensors(d):
    dtype = d.dtype(MATRIX)
    x = d.even(dtype, (6, 6)) + 4 * np.eye(6)
    return {"x": x.astype(dtype).reshape(2, 3, 6), "y": d.even(dtype, (2, 3))}


@group(64, "result")
def norms(d):
    x = d.even(INEXACT, d.full())
    return {"x": x, "dim": d.int(0, x.ndim - 1), "keep": d.flag(),
            "a": d.among([1.0, 2.0, 3.0, -1.0, 0.5, float("inf"), float("-inf")])}


@group(256, "result")
def matrix_norms(d):
    return {"x": d.even(MATRIX, d.among([(3, 4), (2, 3, 3), (1, 2)])), "keep": d.flag(),
            "a": d.among([1.0, -1.0, 2.0, -2.0, float("inf"), float("-inf")]), "flag": d.flag()}


def transform(d, kinds):
    x = d.even(kinds, d.among([(3, 4), (2, 5, 6), (1, 7)]))
    return {"x": x, "n": d.among([None, d.int(1, 8)]), "dim": d.int(0, x.ndim - 1),
            "m": d.int(0, 2), "sizes": d.sizes(2, 1, 7)}


variants(transform, {"transforms": MATRIX, "real_transforms": SINGLE}, ulps=256, scale="result")


# ---- curves, and what is made of numbers alone

@group(64, "product")
def float_slopes(d):
    x = d.even(FLOATS, d.among([(5,), (3, 4), (2, 3, 4)]))
    return {"x": x, "dim": d.int(0, x.ndim - 1), "b": d.int(1, 12) / 4}


@group(64, "product")
def polynomials(d):
    dtype = d.dtype(INEXACT + INTS)
    return {"x": d.of(dtype, (5,)), "y": d.of(dtype, (3,)), "n": d.int(0, 2)}


@group()
def made(d):
    dims = d.shape(1)
    return {"dims": dims, "n": d.int(0, 5), "m": d.int(1, 5), "k": d.int(-2, 2),
            "dim": d.int(0, len(dims) - 1), "dtype": d.dtype(INTS + INEXACT)}


@group()
def one(d):
    return {"x": d.of(REAL, d.among([(), (1,), (1, 1)]))}


@group(16, "result")
def steps(d):
    return {"n": d.int(1, 12), "a": d.int(-4, 4) / 2, "b": d.int(1, 8) / 4,
            "dtype": d.dtype(SINGLE)}


@group(64, "result")
def ends(d):
    dtype, shape = d.dtype(SINGLE), d.among([(), (3,)])
    return {"x": d.share([dtype], shape) + dtype.type(0.5),
            "y": d.share([dtype], shape) + dtype.type(2), "n": d.int(0, 6), "flag": d.flag(),
            "b": 2.0}


@group(1024, "result")
def zeros(d):
    return {"x": d.even(MATRIX, (d.int(2, 5),))}


# ---- random numbers

def key_of(d):
    return np.asarray(d.fill.integers(0, 2 ** 32, 2, np.uint32))


def keyed_of(d, kinds):
    return {"key": key_of(d), "dims": d.shape(), "dtype": d.dtype(kinds), "n": d.int(0, 9),
            "m": d.int(10, 99), "a": d.int(-4, 0) / 2, "b": d.int(1, 4) / 2, "flag": d.flag()}


variants(keyed_of, {"keyed": FLOATS, "integer_keyed": INTS,
                    "bit_keyed": [np.dtype(c) for c in ("u1", "u2", "u4", "u8")]}, ulps=256)


def kernel_of(d, kinds):
    """dims of a kernel, which initialisers look at"""
    return {"key": key_of(d), "dims": d.full(2, 4), "dtype": d.dtype(kinds), "a": d.int(1, 8) / 4,
            "n": d.int(0, 3), "m": d.int(0, 2), "dim": d.int(-2, -1), "to": d.int(0, 1),
            "b": d.int(-2, 0) / 2}


variants(kernel_of, {"kernels": INEXACT, "real_kernels": FLOATS}, ulps=256)
variants(kernel_of, {"orthogonal_kernels": MATRIX}, ulps=256, scale="result")


@group(256, "result")
def delta_kernels(d):
    n = d.int(1, 3)
    dims = d.full(1, 3) + (n, n + d.int(0, 2))
    return {"key": key_of(d), "dims": dims, "dtype": d.dtype(MATRIX), "a": d.int(1, 8) / 4}


@group()
def constants(d):
    shape = d.shape()
    return {"key": key_of(d), "dims": shape, "x": d.of(INEXACT, d.other(shape)),
            "dtype": d.dtype(FLOATS), "a": d.int(1, 8) / 4}


@group()
def seeds(d):
    return {"x": d.of(INTS, ())}


@group()
def words(d):
    shape = d.shape()
    return {name: np.asarray(d.fill.integers(0, 2 ** 32, shape, np.uint32)) for name in "xyzw"}


@group(64)
def shares(d):
    dtype = d.dtype(SINGLE)
    return {"key": key_of(d), "x": d.share([dtype], d.shape()), "n": d.int(1, 20),
            "flag": d.flag(), "dtype": dtype}


@group()
def logits(d):
    x = d.even(SINGLE, (3, 4))
    return {"key": key_of(d), "x": x, "dim": d.int(0, 1)}


@group()
def permuted_keyed(d):
    return {"key": key_of(d), "x": d.of(ALL, (5, 3)), "dim": d.int(0, 1), "n": d.int(0, 9),
            "flag": d.flag()}


@group(1024)
def rates(d):
    dtype, shape = d.dtype(SINGLE), d.full(0)
    x, y = (np.asarray(d.fill.random(shape) * 9 + 0.5, dtype) for _ in "xy")
    return {"key": key_of(d), "x": x, "y": y, "dtype": dtype, "sizes": shape}


@group(256)
def outcomes(d):
    x = np.asarray(d.fill.random(d.among([(3,), (2, 4)])) + 0.1, d.dtype(SINGLE))
    return {"key": key_of(d), "x": x / x.sum(-1, keepdims=True), "n": d.int(1, 20),
            "dtype": x.dtype}


@group(256, "result")
def matrix_keyed(d):
    dtype = d.dtype(SINGLE)
    y = d.even(dtype, (3, 3))
    return {"key": key_of(d), "n": d.int(1, 5), "x": d.even(dtype, (3,)), "dtype": dtype,
            "y": (y @ y.T + np.eye(3)).astype(dtype)}


# ---- bodies

@group(64, "product")
def mapped(d):
    return {"x": d.of(INTS + INEXACT, (4, 4, 4)), "dim": d.int(0, 1), "to": d.int(0, 1),
            "flag": d.flag(), "flag3": d.flag()}


@group(16, "result")
def loops(d):
    dtype = d.dtype(FLOATS)
    return {"x": d.even(dtype, (4,)), "y": d.even(dtype, (4,)), "w": d.even(dtype, (3, 4)),
            "z": np.asarray(d.flag()), "n": d.int(0, 4), "flag": d.flag()}


@group(16)
def devices(d):
    return {"x": d.even(FLOATS, (8, d.int(1, 3)))}


@group()
def complex_alone(d):
    return {"x": d.of(COMPLEX)}


@group()
def pairs_of_parts(d):
    return {"x": d.of(SINGLE, (*d.shape(most=2), 2))}
