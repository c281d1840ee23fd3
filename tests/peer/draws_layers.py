"""draws_layers.py - the operands of the lines of functions/layers.def, as draws.py."""
import numpy as np

from draws import COMPLEX, FLOATS, INEXACT, INTS, SINGLE, group


def maybe(d, value):
    return value if d.int(0, 2) else None


def mixed(d, kinds=FLOATS):
    """dtypes of an input and of its parameters, which may be others"""
    dtype = d.dtype(kinds)
    return dtype, d.dtype(kinds) if d.int(0, 2) == 0 else dtype


@group(64, "product")
def linear(d):
    dtype, own = mixed(d, INEXACT)
    if d.int(0, 4) == 0:
        dtype = d.dtype(INTS)
    x = d.even(dtype, (*d.full(0, 2), 5)) if dtype in INEXACT else d.within(-4, 4, (3, 5))
    return {"x": x, "y": d.even(own, (5, 3)), "z": maybe(d, d.even(own, (3,))),
            "dtype": maybe(d, d.dtype(FLOATS)) if own not in COMPLEX and
            x.dtype not in COMPLEX else None}


@group(4)
def embedded(d):
    n = d.int(1, 5)
    return {"x": d.within(-n - 1, n + 1, d.shape()), "y": d.of(FLOATS, (n, 3)),
            "dtype": maybe(d, d.dtype(FLOATS))}


@group(64, "product")
def conv_layers(d):
    n, dtype = d.int(1, 2), d.dtype(INEXACT)
    batch = d.among([(2,), (), (2, 1), (3,)])
    window = d.sizes(2, 1, 3)
    return {"x": d.even(dtype, (*batch, 5, 6, 4)), "y": d.even(dtype, (*window, 4 // n, 2)),
            "z": maybe(d, d.even(dtype, (2,))), "strides": d.sizes(2, 1, 2), "n": n,
            "mode": d.among([0, 1, 3, 4, 5]), "low": d.sizes(2, 0, 2), "high": d.sizes(2, 0, 2),
            "base": d.sizes(2, 1, 2), "apart": d.sizes(2, 1, 2)}


@group(64, "product")
def conv_line(d):
    dtype = d.dtype(FLOATS)
    return {"x": d.even(dtype, (2, 7, 3)), "y": d.even(dtype, (d.int(1, 3), 3, 2)),
            "z": maybe(d, d.even(dtype, (2,))), "strides": d.sizes(1, 1, 2),
            "apart": d.sizes(1, 1, 2)}


# the variance cancels to a part of the mean of squares
@group(256, "result")
def normalized(d):
    dtype, own = mixed(d)
    x = d.even(dtype, (*d.full(0, 2), d.int(4, 7)))
    return {"x": x, "y": maybe(d, d.even(own, x.shape[-1:])),
            "z": maybe(d, d.even(own, x.shape[-1:])), "flag": d.flag(),
            "dtype": maybe(d, d.dtype(FLOATS))}


@group(256, "result")
def normalized_dims(d):
    dtype, own = mixed(d)
    dims = d.among([(1, 2), (-1,), (0, -1), (2, 0, 1)])
    features = d.among([(-1,), (2,), (1, 2)])
    shape = (3, 4, 5)
    some = tuple(shape[i] for i in features)
    w = d.mask(shape)
    w[0], w[:, 0], w[:, :, 0] = True, True, True
    return {"x": d.even(dtype, shape), "y": maybe(d, d.even(own, some)),
            "z": maybe(d, d.even(own, some)), "w": maybe(d, w), "dims": dims, "sizes": features,
            "a": d.int(1, 4) / 64}


@group(256, "result")
def in_groups(d):
    dtype, own = mixed(d)
    n = d.among([1, 2, 3, 6])
    x = d.even(dtype, d.among([(2, 5, 6), (3, 2, 2, 6)]))
    w = d.mask(x.shape)
    w[:, 0] = True
    return {"x": x, "y": maybe(d, d.even(own, (6,))), "z": maybe(d, d.even(own, (6,))), "n": n,
            "w": maybe(d, w), "a": d.int(1, 4) / 64, "dtype": maybe(d, d.dtype(FLOATS))}


def averages(d, n):
    dtype = d.dtype(SINGLE)
    return {"w": d.even(dtype, (n,)), "v": np.abs(d.even(dtype, (n,)))}


@group(256, "result")
def batches(d):
    dtype, own = mixed(d)
    dim = d.among([-1, 0, 1])
    x = d.even(dtype, (5, 4, 3))
    n = x.shape[dim]
    return {"x": x, "y": maybe(d, d.even(own, (n,))), "z": maybe(d, d.even(own, (n,))),
            **averages(d, n), "a": d.int(0, 4) / 4, "dim": dim, "flag": d.flag(),
            "dtype": maybe(d, d.dtype(FLOATS))}


@group(256, "result")
def mapped_batches(d):
    dtype = d.dtype(SINGLE)
    return {"x": d.even(dtype, (8, 3, 4)), "y": d.even(dtype, (4,)), "z": d.even(dtype, (4,)),
            "w": d.even(dtype, (4,)), "v": np.abs(d.even(dtype, (4,))), "flag3": d.flag()}


@group(4)
def dropped(d):
    x = d.of(INEXACT, d.full(1, 3))
    return {"key": np.asarray(d.fill.integers(0, 2 ** 32, 2), "u4"), "x": x, "a": d.int(0, 4) / 4,
            "dims": maybe(d, (d.int(-1, 0),)), "flag": d.int(0, 4) == 0}


def cell(d, gates):
    dtype, batch = d.dtype(FLOATS), d.among([(), (3,), (2, 2)])
    return {"x": d.even(dtype, (*batch, 4)), "y": d.even(dtype, (*batch, 3)),
            "z": d.even(dtype, (3, 4 * gates)), "w": d.even(dtype, (4, 4 * gates)),
            "v": d.even(dtype, (4 * gates,)), "flag": d.flag()}


@group(256, "result")
def cells(d):
    return cell(d, 1)


@group(256, "result")
def cells_of_gru(d):
    return {**(drawn := cell(d, 3)), "x": d.even(drawn["x"].dtype, (2, 4)),
            "y": d.even(drawn["x"].dtype, (2, 3))}


@group(256, "result")
def cells_of_lstm(d):
    drawn = cell(d, 4)
    return {**drawn, "x": np.stack([drawn["x"], d.even(drawn["x"].dtype, drawn["x"].shape)])}


@group(64, "result")
def distributions(d):
    dtype, own = mixed(d)
    if dtype not in SINGLE:  # the rounding of an f16 beside a bf16 shows in an f32
        own = dtype
    shape, dim = d.full(2, 3), d.among([-1, 0])
    w = d.mask(shape)
    np.moveaxis(w, dim, 0)[0] = True
    y = np.asarray(d.fill.random(shape), own)
    return {"x": d.even(dtype, shape), "y": y, "dim": dim, "w": maybe(d, w), "a": d.int(0, 4) / 8}


@group(64, "result")
def classes(d):
    shape, dim = d.full(2, 3), d.among([-1, 0])
    n = shape[dim]
    others = tuple(np.delete(shape, dim))
    w = d.mask(shape)
    return {"x": d.even(FLOATS, shape), "y": d.within(-n, n - 1, others), "dim": dim,
            "w": maybe(d, w)}


@group(64, "result")
def chances(d):
    dtype, own = mixed(d)
    shape = d.shape()
    return {"x": d.even(dtype, shape), "y": np.asarray(d.fill.integers(0, 2, shape), own)}


@group(8)
def targets(d):
    dtype, own = mixed(d)
    shape = d.shape()
    return {"x": d.even(dtype, shape), "y": maybe(d, d.even(own, shape)), "a": d.int(1, 8) / 4}
