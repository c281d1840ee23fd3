#!/usr/bin/env python3
"""run_rows.py - every primitive here and in JAX, on sampled operands and parameters.

usage: run_rows.py PROGRAM [--draws N] [--seed N] [--lines A:B:STEP] [ROW ...]

PROGRAM is tests/peer/rows.c. A draw is a row, a dtype, shapes of up to 3 dims, numbers that are
special one time in three, and parameters, which are random or those of a case of row_cases.def;
JAX says what its results' dtypes and shapes are. Both may refuse a dtype; where JAX takes what is
refused here, that is a difference. DIFFERENCES has the deliberate ones with their reasons, and they
are counted apart. Prints a table, and what differs; its lines are those of a slice of the rows, as
Python has it."""
import argparse
import collections
import ctypes
import ctypes.util
import functools
import io
import itertools
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

os.environ["JAX_PLATFORMS"] = "cpu"

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import ml_dtypes  # noqa: E402
import numpy as np  # noqa: E402
from jax import lax  # noqa: E402
from jax.extend import random as random_primitives  # noqa: E402
from jax.scipy import special as jax_special  # noqa: E402
from jax._src.random.core import _gamma_one  # noqa: E402
from scipy import special  # noqa: E402

from lines import elementwise  # noqa: E402

jax.config.update("jax_enable_x64", True)

MOST_TRIED = 30  # so often the draws that are asked for
REFUSED_TRIES = 8  # of a dtype
LINES_A_CACHE = 16  # the first lines after a clearing are slower; each takes some 50 MB

BF16 = np.dtype(ml_dtypes.bfloat16)
NAMES = {np.dtype(code): name for code, name in (
    ("?", "bool"), ("i1", "i8"), ("i2", "i16"), ("i4", "i32"), ("i8", "i64"), ("u1", "u8"),
    ("u2", "u16"), ("u4", "u32"), ("u8", "u64"), ("f2", "f16"), (BF16, "bf16"), ("f4", "f32"),
    ("f8", "f64"), ("c8", "c64"), ("c16", "c128"))}
DTYPES = list(NAMES)
BOOL = [np.dtype(bool)]
INTS = [d for d in DTYPES if d.kind in "iu"]
FLOATS = [np.dtype("f2"), BF16, np.dtype("f4"), np.dtype("f8")]
COMPLEX = [np.dtype("c8"), np.dtype("c16")]


def is_float(dtype):
    return dtype in FLOATS


# ---- numbers

def special_of(dtype):
    if dtype in FLOATS:
        info = ml_dtypes.finfo(dtype)
        return [0.0, -0.0, math.inf, -math.inf, math.nan, 1.0, -1.0, 0.5, float(info.max),
                float(info.min), float(info.tiny), -float(info.tiny), float(info.eps),
                math.pi / 2, math.pi, 2.5, -2.5, 1e4, 88.0, -104.0]
    if dtype.kind == "b":
        return [False, True]
    info = np.iinfo(dtype)
    return [0, 1, int(info.max), int(info.min), int(info.max) - 1, 7]


def numbers(rng, dtype, shape):
    if dtype in COMPLEX:
        part = np.dtype("f4" if dtype == np.dtype("c8") else "f8")
        z = np.empty(shape, dtype)
        z.real, z.imag = numbers(rng, part, shape), numbers(rng, part, shape)
        return z
    if dtype in FLOATS:
        scale = rng.choice([1, 1, 1, 10, 1000, 1e-3])
        x = np.asarray(rng.standard_normal(shape) * scale).astype(dtype)
    elif dtype.kind == "b":
        x = np.asarray(rng.integers(0, 2, shape)).astype(dtype)
    else:
        info = np.iinfo(dtype)
        low, high = rng.choice([[0, 10], [-10, 10], [-100, 100]])
        if not rng.integers(4):
            low, high = int(info.min), int(info.max)
        x = rng.integers(max(low, info.min), high, shape, dtype, endpoint=True)
    x = np.array(x, dtype)
    if not rng.integers(3) and x.size:
        with np.errstate(all="ignore"):
            special = np.array(special_of(dtype)).astype(dtype)
        put = rng.integers(0, 3, shape) == 0
        x = np.where(put, rng.choice(special, shape), x).astype(dtype)
    return x


# few, because JAX compiles anew for each
SHAPES = [(), (5,), (0,), (17,), (1,), (3, 4), (5, 1), (2, 0), (2, 3, 4), (4, 1, 17)]


def shape_of(rng, least=0, most=3, empty=True):
    shapes = [s for s in SHAPES if least <= len(s) <= most and (empty or 0 not in s)]
    return shapes[rng.integers(len(shapes))]


# ---- what a row is given: operands, parameters as text, and the same in JAX

Draw = collections.namedtuple("Draw", "operands params jax")
ROWS, IN_JAX = {}, {}
# the others, by the reason; tests/peer/check_complete.py finds those that are nowhere
NOT_DRAWN = {
    "between devices: lines of functions/*.def with MAP, and the programs of run_jax.py":
        "psum pmax pmin all_gather psum_scatter all_to_all ppermute axis_index pcast",
    "holds programs: lines of functions/*.def, and the programs of run_jax.py":
        "call remat custom_jvp custom_vjp shard_map cond while scan",
    "the operand itself: tsr_checkpoint_name() and tsr_constrain() of functions/*.def":
        "name sharding_constraint placed_like shard_alike",
    "what a pass or a derivative makes; JAX has none":
        "exchange psort assume_equal custom_lin transfer_begin transfer_end",
    "calls or prints: tests/transform/test_callbacks.c": "debug_print callback check_finite",
    "XLA has none on processors: tests/prim/test_collective_oracle.c":
        "pbroadcast ragged_all_to_all"}


def row(*names, in_jax=None):
    """The next function draws the operands and the parameters of a row. in_jax takes these by name;
    so do the cases of row_cases.def. Without it, the third thing drawn is what JAX calls"""
    def add(draw):
        for name in names:
            if in_jax:
                IN_JAX[name] = functools.partial(in_jax, name) if len(names) > 1 else in_jax
            ROWS[name] = lambda rng, dtype, name=name: drawn(name, *draw(rng, dtype, name))
        return draw
    return add


def drawn(name, operands, params=None, in_jax=None):
    params = params or {}
    return Draw(operands, " ".join(f"{k}={param_text(v)}" for k, v in params.items()),
                in_jax or functools.partial(IN_JAX[name], **params))


def param_text(value):
    if isinstance(value, (list, tuple)):
        return f"[{','.join(str(int(v)) for v in value)}]"
    return word(value) if isinstance(value, bool) else NAMES.get(value, value)


def word(value):
    return "true" if value else "false"


def gamma_of_floats(x):
    """jax.scipy.special takes integers, too"""
    if not is_float(x.dtype):
        raise TypeError
    return jax_special.gamma(x)


# the elementwise rows, of which jax.lax has most by their names
BY_OTHER_NAMES = {
    "round": lambda x: lax.round(x, lax.RoundingMethod.TO_NEAREST_EVEN), "gamma": gamma_of_floats,
    "not": lax.bitwise_not, "and": lax.bitwise_and, "or": lax.bitwise_or, "xor": lax.bitwise_xor,
    "copy": lambda x: x, "stop_gradient": lambda x: x}
UNARY, BINARY = ({name: BY_OTHER_NAMES.get(name) or getattr(lax, name)
                  for name in elementwise(operands)} for operands in (1, 2))
UNARY["optimization_barrier"] = lax.optimization_barrier
TERNARY = {"clamp": lax.clamp, "regularized_incomplete_beta": lax.betainc}


@row(*UNARY, "optimization_barrier", *BINARY, *TERNARY,
     in_jax=lambda name, *v: {**UNARY, **BINARY, **TERNARY}[name](*v))
def by_elements(rng, dtype, name):
    shape, count = shape_of(rng), 1 + (name in BINARY) + 2 * (name in TERNARY)
    return [numbers(rng, dtype, shape) for _ in range(count)],


@row("conj", in_jax=lax.conj)
def conj(rng, dtype, _):
    """of numbers that are not complex JAX's gives complex ones; jnp.conj gives x, as ours"""
    dtype = dtype if dtype in COMPLEX else COMPLEX[rng.integers(2)]
    return [numbers(rng, dtype, shape_of(rng))],


GAMMAS = [jax.jit(jax.vmap(functools.partial(_gamma_one, log_space=log)))
          for log in (False, True)]


@row("random_gamma")
def random_gamma(rng, dtype, _):
    """JAX has a key as two words, and the numbers that each is for one by one"""
    dtype = dtype if dtype in FLOATS else FLOATS[rng.integers(len(FLOATS))]
    shape, log, original = shape_of(rng, most=1), int(rng.integers(2)), int(rng.integers(2))
    keys = rng.integers(0, 2 ** 64, shape, np.uint64)

    def gammas(keys, alpha):
        words = jnp.stack([keys >> 32, keys & 0xffffffff], -1).astype(np.uint32).reshape(-1, 2)
        with jax.threefry_partitionable(not original):
            return GAMMAS[log](jax.random.wrap_key_data(words), alpha.ravel()).reshape(shape)
    return ([keys, numbers(rng, dtype, shape)],
            {"log": bool(log), "original": bool(original)}, gammas)


@row("integer_pow", in_jax=lax.integer_pow)
def integer_pow(rng, dtype, _):
    return [numbers(rng, dtype, shape_of(rng))], {"y": int(rng.integers(-4, 9))}


@row("select_n", in_jax=lax.select_n)
def select_n(rng, dtype, _):
    shape = shape_of(rng)
    return [numbers(rng, of, shape) for of in (BOOL[0], dtype, dtype)],


@row("convert_element_type", in_jax=lambda x, dtype: lax.convert_element_type(x, dtype))
def convert(rng, dtype, _):
    return [numbers(rng, dtype, shape_of(rng))], {"dtype": DTYPES[rng.integers(len(DTYPES))]}


@row("bitcast_convert_type", in_jax=lambda x, dtype: lax.bitcast_convert_type(x, dtype))
def bitcast(rng, dtype, _):
    to = DTYPES[rng.integers(len(DTYPES))]
    x = numbers(rng, dtype, shape_of(rng))
    if to.itemsize > dtype.itemsize:
        x = numbers(rng, dtype, shape_of(rng, most=2) + (to.itemsize // dtype.itemsize,))
    return [x], {"dtype": to}


@row("reduce_precision", in_jax=lax.reduce_precision)
def reduce_precision(rng, dtype, _):
    e, m = int(rng.integers(1, 12)), int(rng.integers(0, 53))
    return [numbers(rng, dtype, shape_of(rng))], {"exponent_bits": e, "mantissa_bits": m}


@row("reshape", in_jax=lambda x, dims: lax.reshape(x, dims))
def reshape(rng, dtype, _):
    x = numbers(rng, dtype, shape_of(rng))
    return [x], {"dims": [x.size] if rng.integers(2) else list(x.shape[::-1])}


@row("transpose", in_jax=lambda x, perm: lax.transpose(x, perm))
def transpose(rng, dtype, _):
    x = numbers(rng, dtype, shape_of(rng))
    return [x], {"perm": [int(k) for k in rng.permutation(x.ndim)]}


@row("broadcast_in_dim", in_jax=lambda x, dims, at: lax.broadcast_in_dim(x, dims, at))
def broadcast(rng, dtype, _):
    dims = shape_of(rng)
    at = [d for d in range(len(dims)) if rng.integers(2)]
    shape = tuple(dims[d] if rng.integers(3) else 1 for d in at)
    return [numbers(rng, dtype, shape)], {"dims": dims, "at": at}


@row("squeeze", "expand_dims", in_jax=lambda name, x, dims: getattr(lax, name)(x, dims))
def ones(rng, dtype, name):
    shape = shape_of(rng)
    dims = sorted(int(d) for d in rng.choice(len(shape) + 2, 2, False))
    for d in dims if name == "squeeze" else []:
        shape = shape[:d] + (1,) + shape[d:]
    return [numbers(rng, dtype, shape)], {"dims": dims}


def some_dims(rng, ndim):
    return [d for d in range(ndim) if rng.integers(2)]


@row("rev", in_jax=lambda x, dims: lax.rev(x, dims))
def rev(rng, dtype, _):
    x = numbers(rng, dtype, shape_of(rng))
    return [x], {"dims": some_dims(rng, x.ndim)}


@row("concatenate", in_jax=lambda *v, dim: lax.concatenate(v, dim))
def concatenate(rng, dtype, _):
    shape = shape_of(rng, least=1)
    dim = int(rng.integers(len(shape)))
    return [numbers(rng, dtype, shape[:dim] + (int(rng.integers(4)),) + shape[dim + 1:])
            for _ in range(rng.integers(1, 5))], {"dim": dim}


@row("pad", in_jax=lambda x, p, low, high, interior: lax.pad(x, p, list(zip(low, high, interior))))
def pad(rng, dtype, _):
    x = numbers(rng, dtype, shape_of(rng))
    between = [int(rng.integers(3)) for _ in x.shape]
    low = [int(rng.integers(-2, 3)) for _ in x.shape]
    room = [n + max(n - 1, 0) * b + a for n, b, a in zip(x.shape, between, low)]
    high = [int(rng.integers(-min(2, max(r, 0)), 3)) if r >= 0 else -r for r in room]
    return [x, numbers(rng, dtype, ())], {"low": low, "high": high, "interior": between}


@row("slice", in_jax=lambda x, start, stop, step: lax.slice(x, start, stop, step))
def slice_(rng, dtype, _):
    x = numbers(rng, dtype, shape_of(rng))
    start = [int(rng.integers(n + 1)) for n in x.shape]
    stop = [int(rng.integers(a, n + 1)) for a, n in zip(start, x.shape)]
    return [x], {"start": start, "stop": stop, "step": [int(rng.integers(1, 4)) for _ in x.shape]}


@row("dynamic_slice", in_jax=lambda x, *at, dims: lax.dynamic_slice(x, at, dims))
def dynamic_slice(rng, dtype, _):
    x = numbers(rng, dtype, shape_of(rng))
    dims = [int(rng.integers(n + 1)) for n in x.shape]
    return [x, *(np.int32(rng.integers(0, n + 3)) for n in x.shape)], {"dims": dims}


@row("dynamic_update_slice", in_jax=lambda x, p, *at: lax.dynamic_update_slice(x, p, at))
def dynamic_update_slice(rng, dtype, _):
    x = numbers(rng, dtype, shape_of(rng))
    part = numbers(rng, dtype, tuple(int(rng.integers(n + 1)) for n in x.shape))
    return [x, part, *(np.int32(rng.integers(0, n + 3)) for n in x.shape)],


@row("iota", in_jax=lambda dtype, dims, dim: lax.broadcasted_iota(dtype, dims, dim))
def iota(rng, dtype, _):
    dims = shape_of(rng, least=1)
    return [], {"dtype": dtype, "dims": dims, "dim": int(rng.integers(len(dims)))}


REDUCTIONS = {"reduce_sum": lax.reduce_sum, "reduce_prod": lax.reduce_prod,
              "reduce_max": lax.reduce_max, "reduce_min": lax.reduce_min,
              "reduce_and": lax.reduce_and, "reduce_or": lax.reduce_or,
              "reduce_xor": lax.reduce_xor}


@row(*REDUCTIONS, in_jax=lambda name, x, dims: REDUCTIONS[name](x, tuple(dims)))
def reduction(rng, dtype, _):
    x = numbers(rng, dtype, shape_of(rng))
    return [x], {"dims": some_dims(rng, x.ndim)}


@row("argmax", "argmin", in_jax=lambda name, x, dim, dtype: getattr(lax, name)(x, dim, dtype))
def argument(rng, dtype, _):
    x = numbers(rng, dtype, shape_of(rng, least=1, empty=False))
    return [x], {"dim": int(rng.integers(x.ndim)),
                 "dtype": np.dtype(rng.choice(["i4", "i8", "u1"]))}


@row("cumsum", "cumprod", "cummax", "cummin", "cumlogsumexp",
     in_jax=lambda name, x, dim, reverse=False: getattr(lax, name)(x, dim, reverse))
def cumulative(rng, dtype, _):
    x = numbers(rng, dtype, shape_of(rng, least=1))
    return [x], {"dim": int(rng.integers(x.ndim)), "reverse": bool(rng.integers(2))}


def dot_in_jax(x, y, contract_a, contract_b, batch_a, batch_b, dtype):
    if dtype not in (x.dtype, np.result_type(x, dtype)):
        raise TypeError  # narrower sums, which XLA does not add
    return lax.dot_general(x, y, ((contract_a, contract_b), (batch_a, batch_b)),
                           precision="highest", preferred_element_type=dtype)


@row("dot_general", in_jax=dot_in_jax)
def dot_general(rng, dtype, _):
    names = "bmnk"
    size = {c: int(rng.integers(1, 6)) for c in names}
    a = [c for c in "bmk" if rng.integers(3)]
    b = [c for c in "bnk" if c in a or c == "n" and rng.integers(3)]
    a, b = [c for c in rng.permutation(a)], [c for c in rng.permutation(b)] if b else []
    params = {f"{what}_{side}": [of.index(c) for c in of_all if c in a]
              for what, of_all in (("contract", "k"), ("batch", "b"))
              for side, of in (("a", a), ("b", b))}
    return [numbers(rng, dtype, tuple(size[c] for c in of)) for of in (a, b)], \
        {**params, "dtype": dtype}


@row("sort", in_jax=lambda *v, dim, num_keys: lax.sort(v, dimension=dim, num_keys=num_keys,
                                                       is_stable=True))
def sort(rng, dtype, _):
    shape = shape_of(rng, least=1)
    dim, n = int(rng.integers(len(shape))), int(rng.integers(1, 4))
    keys = int(rng.integers(1, n + 1))
    return [numbers(rng, dtype, shape) for _ in range(n)], {"dim": dim, "num_keys": keys}


@row("top_k", in_jax=lambda x, k, dim: lax.top_k(x, k, axis=dim))
def top_k(rng, dtype, _):
    x = numbers(rng, dtype, shape_of(rng, least=1))
    return [x], {"k": int(rng.integers(x.shape[-1] + 1)), "dim": x.ndim - 1}


@row("fma", in_jax=lambda *v: np.asarray(
    np.multiply(*(a.astype(np.longdouble) for a in v[:2])) + v[2]).astype(v[0].dtype))
def fma(rng, dtype, _):
    dtype, shape = FLOATS[rng.integers(len(FLOATS))], shape_of(rng)
    return [numbers(rng, dtype, shape) for _ in range(3)],


@row("threefry2x32", in_jax=lambda *v: random_primitives.threefry2x32_p.bind(*v))
def threefry(rng, dtype, _):
    shape = shape_of(rng)
    return [numbers(rng, np.dtype("u4"), shape) for _ in range(4)],


@row("random_bits")
def random_bits(rng, dtype, _):
    dtype, dims = np.dtype(rng.choice(["u1", "u2", "u4", "u8"])), shape_of(rng, least=1)
    key = numbers(rng, np.dtype("u4"), (2,))
    strides = [math.prod(dims[d + 1:]) for d in range(len(dims))]
    return ([key, np.uint64(0)], {"dtype": dtype, "dims": dims, "strides": strides},
            lambda k, _: jax.random.bits(jax.random.wrap_key_data(k), dims, dtype))


# ---- windows at places that an array holds

def part_dims(rng, x):
    """(sizes of a part, dims that the parts lack, dims of index entries, indices, which dims of
    the result go through a part, its shape)"""
    starts = [int(d) for d in rng.permutation(x.ndim)[:rng.integers(1, x.ndim + 1)]]
    sizes = [1 if d in starts and rng.integers(2) else int(rng.integers(1, n + 1))
             for d, n in enumerate(x.shape)]
    gone = [d for d in range(x.ndim) if sizes[d] == 1 and rng.integers(2)]
    count = int(rng.integers(1, 5))
    indices = np.stack([rng.integers(-2, x.shape[d] + 2, count) for d in starts], 1)
    left = [n for d, n in enumerate(sizes) if d not in gone]
    place = int(rng.integers(len(left) + 1))
    through = [d for d in range(len(left) + 1) if d != place]
    return (sizes, gone, starts, indices.astype(np.int32), through,
            (*left[:place], count, *left[place:]))


UNSORTED = {"indices_are_sorted": False, "unique_indices": False}


def gather_in_jax(x, i, offset_dims, collapsed_slice_dims, start_index_map,
                  operand_batching_dims, start_indices_batching_dims, slice_sizes, mode, **_):
    dims = lax.GatherDimensionNumbers(*map(tuple, (
        offset_dims, collapsed_slice_dims, start_index_map, operand_batching_dims,
        start_indices_batching_dims)))
    return lax.gather(x, i, dims, slice_sizes, mode=mode)


@row("gather", in_jax=gather_in_jax)
def gather(rng, dtype, _):
    x = numbers(rng, dtype, shape_of(rng, least=1, empty=False))
    sizes, gone, starts, indices, through, _ = part_dims(rng, x)
    return [x, indices], {
        "offset_dims": through, "collapsed_slice_dims": gone, "start_index_map": starts,
        "operand_batching_dims": [], "start_indices_batching_dims": [], "slice_sizes": sizes,
        "mode": ("clip", "fill")[rng.integers(2)], **UNSORTED}


SCATTERS = {"set": lax.scatter, "add": lax.scatter_add, "mul": lax.scatter_mul,
            "min": lax.scatter_min, "max": lax.scatter_max}


def scatter_in_jax(x, i, u, update_window_dims, inserted_window_dims,
                   scatter_dims_to_operand_dims, operand_batching_dims,
                   scatter_indices_batching_dims, combine, mode, **_):
    dims = lax.ScatterDimensionNumbers(*map(tuple, (
        update_window_dims, inserted_window_dims, scatter_dims_to_operand_dims,
        operand_batching_dims, scatter_indices_batching_dims)))
    return SCATTERS[combine](x, i, u, dims, mode=mode)


@row("scatter", in_jax=scatter_in_jax)
def scatter(rng, dtype, _):
    x = numbers(rng, dtype, shape_of(rng, least=1, empty=False))
    _, gone, starts, indices, through, shape = part_dims(rng, x)
    return [x, indices, numbers(rng, dtype, shape)], {
        "update_window_dims": through, "inserted_window_dims": gone,
        "scatter_dims_to_operand_dims": starts, "operand_batching_dims": [],
        "scatter_indices_batching_dims": [], "combine": list(SCATTERS)[rng.integers(5)],
        "mode": ("clip", "drop")[rng.integers(2)], **UNSORTED}


def windows(rng, shape):
    """parameters of random windows along random dims"""
    along = some_dims(rng, len(shape)) or [0]
    sizes = [int(rng.integers(1, min(shape[d], 3) + 1)) for d in along]
    return {"along": along, "sizes": sizes, "strides": [int(rng.integers(1, 3)) for _ in along],
            "dilations": [int(rng.integers(1, 3)) if (n - 1) * 2 < shape[d] else 1
                          for d, n in zip(along, sizes)]}


def take_windows(x, along, sizes, strides, dilations):
    for d, n, stride, gap in zip(along, sizes, strides, dilations):
        first = np.arange(0, x.shape[d] - (n - 1) * gap, stride)
        x = jnp.moveaxis(jnp.take(x, first[:, None] + gap * np.arange(n), axis=d), d + 1, -1)
    return x


@row("patches", in_jax=take_windows)
def patches(rng, dtype, _):
    x = numbers(rng, dtype, shape_of(rng, least=1, empty=False))
    return [x], windows(rng, x.shape)


@row("add_patches", in_jax=lambda cut, dims, **params: jax.linear_transpose(
    functools.partial(take_windows, **params), jnp.zeros(dims, cut.dtype))(cut)[0])
def add_patches(rng, dtype, _):
    """the transpose of patches"""
    dtype = (FLOATS + COMPLEX)[rng.integers(6)]
    x = numbers(rng, dtype, shape_of(rng, least=1, empty=False))
    params = windows(rng, x.shape)
    shape = take_windows(x, **params).shape
    return [np.asarray(rng.standard_normal(shape)).astype(dtype)], {**params, "dims": x.shape}


# ---- transforms and matrices, of numbers of like size

NO_HALVES = [np.dtype("f4"), np.dtype("f8"), *COMPLEX]


def even_numbers(rng, dtype, shape):
    x = rng.standard_normal(shape)
    if dtype in COMPLEX:
        x = x + 1j * rng.standard_normal(shape)
    return np.asarray(x).astype(dtype)


def matrix(rng, least=1):
    """(dtype, batch, rows, columns) """
    return (NO_HALVES[rng.integers(4)], SHAPES[rng.choice([0, 1, 4])],
            int(rng.integers(least, 6)), int(rng.integers(least, 6)))


def rectangle(rng):
    dtype, batch, m, n = matrix(rng)
    return even_numbers(rng, dtype, (*batch, m, n))


def square(rng):
    dtype, batch, n, _ = matrix(rng)
    return even_numbers(rng, dtype, (*batch, n, n))


def flags(rng, *names):
    return {name: bool(rng.integers(2)) for name in names}


@row("fft", in_jax=lambda x, type, dim, length: getattr(jnp.fft, type)(x, length))
def fft(rng, dtype, _):
    kind = ("fft", "ifft", "rfft", "irfft")[rng.integers(4)]
    dtype = np.dtype(rng.choice(["f4", "f8"] if kind == "rfft" else ["c8", "c16"]))
    shape = shape_of(rng, least=1, empty=False)
    n = shape[-1] if kind != "irfft" else 2 * shape[-1] - 1 - int(rng.integers(2))
    return [even_numbers(rng, dtype, shape)], \
        {"type": kind, "dim": len(shape) - 1, "length": max(n, 1)}


@row("cholesky", in_jax=lambda x: lax.linalg.cholesky(x, symmetrize_input=False))
def cholesky(rng, dtype, _):
    a = square(rng)
    return [(a @ adjoint(a) + a.shape[-1] * np.eye(a.shape[-1])).astype(a.dtype)],


@row("triangular_solve", in_jax=lax.linalg.triangular_solve)
def triangular_solve(rng, dtype, _):
    dtype, batch, m, n = matrix(rng)
    given = flags(rng, *"left_side lower transpose_a conjugate_a unit_diagonal".split())
    size = m if given["left_side"] else n
    a = (even_numbers(rng, dtype, (*batch, size, size)) + 4 * np.eye(size)).astype(dtype)
    return [a, even_numbers(rng, dtype, (*batch, m, n))], given


def values_first(parts):
    return (parts[1], parts[0], parts[2]) if isinstance(parts, (tuple, list)) else parts


@row("lu", in_jax=lax.linalg.lu)
def lu(rng, dtype, _):
    return [rectangle(rng)],


@row("qr", in_jax=lambda x, full_matrices: lax.linalg.qr(x, full_matrices=full_matrices))
def qr(rng, dtype, _):
    return [rectangle(rng)], flags(rng, "full_matrices")


@row("eigh", in_jax=lambda x, lower: lax.linalg.eigh(x, lower=lower, symmetrize_input=False))
def eigh(rng, dtype, _):
    a = square(rng)
    return [((a + adjoint(a)) / 2).astype(a.dtype)], flags(rng, "lower")


@row("svd", in_jax=lambda x, **given: values_first(lax.linalg.svd(x, **given)))
def svd(rng, dtype, _):
    return [rectangle(rng)], flags(rng, "full_matrices", "compute_uv")


@row("hessenberg", "schur", in_jax=lambda name, x: getattr(lax.linalg, name)(x))
def of_square(rng, dtype, _):
    return [square(rng)],


@row("tridiagonal", in_jax=lambda x, lower: lax.linalg.tridiagonal(x, lower=lower))
def tridiagonal(rng, dtype, _):
    return [square(rng)], flags(rng, "lower")


@row("eig", in_jax=lambda x, left, right: lax.linalg.eig(
    x, compute_left_eigenvectors=left, compute_right_eigenvectors=right))
def eig(rng, dtype, _):
    return [square(rng)], flags(rng, "left", "right")


# ---- cases of row_cases.def, with sizes for their letters

# rows whose operands are not any numbers, or of which JAX has other parameters
OF_THEIR_OWN = set("fft cholesky triangular_solve lu qr eigh svd hessenberg tridiagonal schur eig "
                   "random_gamma random_bits conj fma add_patches".split())


@functools.cache
def cases_of(program):
    """name -> [(operands, parameters)] of equations of operands alone, each once and in order"""
    cases = collections.defaultdict(list)
    text = subprocess.run([program, "cases"], capture_output=True, text=True, check=True).stdout
    for line in text.splitlines():
        operands, equation = line.split(" | ")
        name, *words = equation.split()
        operands = operands.split("; ") if operands else []
        params = [w for w in words if "=" in w]
        plain = words[:len(operands)] == [f"%{k}" for k in range(len(operands))] and \
            len(words) == len(operands) + len(params)
        if plain and "W" not in line and name in IN_JAX and name not in OF_THEIR_OWN:
            cases[name].append((operands, params))
    return cases


def read_param(text, dtype_names={name: dtype for dtype, name in NAMES.items()}):
    if text[0] == "[":
        return [int(n) for n in text[1:-1].split(",") if n]
    if text in ("true", "false"):
        return text == "true"
    return int(text) if text.lstrip("-").isdigit() else dtype_names.get(text, text)


def is_index(form):
    """where something begins, of which lax counts numbers below 0 from the end"""
    return form[0] in "iu"


def draw_case(rng, dtype, name, cases):
    operands, params = cases[rng.integers(len(cases))]
    size = {c: int(rng.integers(0, 4)) for c in "ABC"} | \
        {"D": int(rng.integers(1, 4)), "L": int(rng.choice([1, 5, 17]))}
    size |= {"P": size["A"] * size["B"], "Q": size["B"] + size["C"], "U": size["B"] + 3,
             "V": size["B"] + 1, "S": ",".join(map(str, shape_of(rng))), "T": NAMES[dtype],
             "R": NAMES[part_of(dtype)]}

    def filled(text):
        return re.sub("[A-Z]", lambda letter: str(size[letter[0]]), text)
    values = []
    for form in operands:
        of, dims = filled(form)[:-1].split("[")
        of, shape = read_param(of), tuple(int(n) for n in dims.split(",") if n)
        values.append(rng.integers(0, 9, shape, of) if is_index(form) else
                      numbers(rng, of, shape))
    given = [filled(p).split("=") for p in params]
    return drawn(name, values, {k: read_param(v) for k, v in given})


# ---- what may differ, in units of the last place

EXACT = 0
ULPS = collections.defaultdict(lambda: EXACT, {
    name: 4 for name in (
        "exp exp2 expm1 log log1p logistic tanh sin cos tan asin acos atan sinh cosh asinh acosh "
        "atanh cbrt erf erfc erf_inv pow atan2 integer_pow rsqrt sqrt div abs").split()})
ULPS.update({"gamma": 16, "lgamma": 16, "digamma": 64,
             "reduce_sum": 64, "reduce_prod": 64, "cumsum": 64,
             "cumprod": 64, "cumlogsumexp": 64, "dot_general": 64, "igamma": 1e4, "igammac": 1e4,
             "igamma_grad_a": 1e5, "random_gamma_grad": 1e5, "zeta": 1e3, "polygamma": 1e4,
             "regularized_incomplete_beta": 1e4, "random_gamma": 1e4, "bessel_i0e": 16,
             "bessel_i1e": 16, "fma": 1, "scatter": 64, "add_patches": 64})
# whose results are as exact as their largest number
OF_MATRICES = set("fft cholesky triangular_solve lu qr eigh svd hessenberg tridiagonal schur "
                  "eig".split())
ULPS.update({name: 256 for name in OF_MATRICES})
ULPS_COMPLEX = 64


def eps_of(dtype):
    return float(ml_dtypes.finfo(dtype).eps)


def part_of(dtype):
    return {np.dtype("c8"): np.dtype("f4"), np.dtype("c16"): np.dtype("f8")}.get(dtype, dtype)


def each_distance(got, want, scale=0.0):
    """the difference of each element in units of the last place of the larger number. Of complex
    ones it is that of the parts, in units of the number. Denormals, which JAX takes as zeros, are
    as good as 0"""
    part = part_of(want.dtype)
    tiny = float(ml_dtypes.finfo(part).tiny)
    if want.dtype.kind == "c":
        sizes = np.maximum(*(np.abs(np.nan_to_num(x.astype(np.clongdouble), posinf=0, neginf=0))
                             for x in (got, want)))
        sizes = np.maximum(sizes, scale)
        return np.maximum(*(each_distance(g, w, sizes) for g, w in
                            ((got.real, want.real), (got.imag, want.imag))))
    a, b = got.astype(np.longdouble), want.astype(np.longdouble)
    with np.errstate(all="ignore"):
        same = (a == b) | (np.isnan(a) & np.isnan(b))
        size = np.maximum(np.maximum(np.maximum(np.abs(a), np.abs(b)), tiny), scale)
        ulps = np.abs(a - b) / (size * eps_of(part))
        flushed = (np.abs(a) <= tiny) & (np.abs(b) <= tiny)
    return np.where(same | flushed, 0, np.where(np.isnan(ulps), np.inf, ulps))


def apart_of(mine, theirs, scale):
    """of each element, in units of the last place; of numbers without such, whether it differs"""
    if theirs.dtype in FLOATS + COMPLEX:
        return each_distance(mine, theirs, scale)
    return np.where(mine != theirs, np.inf, 0)


# ---- both sides

def type_text(x):
    return f"{NAMES[x.dtype]}[{','.join(map(str, x.shape))}]"


def program_of(name, draw, results):
    """one equation; bf16, which .npy lacks, comes as u16"""
    lines, ins, n = [], [], len(draw.operands)
    names = []
    for k, x in enumerate(draw.operands):
        x = np.asarray(x)
        shape = ",".join(map(str, x.shape))
        ins.append(f"%{k}: " + (f"u16[{shape}]" if x.dtype == BF16 else type_text(x)))
        names.append(f"%{k}")
        if x.dtype == BF16:
            lines.append(f"%{n}: bf16[{shape}] = bitcast_convert_type %{k} dtype=bf16")
            names[-1] = f"%{n}"
            n += 1
    made = [f"%{n + j}" for j in range(len(results))]
    lines.append(", ".join(f"{v}: {type_text(y)}" for v, y in zip(made, results)) +
                 f" = {' '.join([name, *names, draw.params])}")
    outs, body = ", ".join(map(type_text, results)), "\n  ".join(lines)
    return f"f({', '.join(ins)}) -> {outs} {{\n  {body}\n  return {' '.join(made)}\n}}\n"


def npy(x):
    x = np.asarray(x)
    file = io.BytesIO()
    np.save(file, x.view(np.uint16) if x.dtype == BF16 else x)
    return file.getvalue()


def peer(draw):
    """JAX's results, or None where it refuses, or makes a program that XLA's verifier refuses"""
    try:
        with np.errstate(all="ignore"):
            results = draw.jax(*draw.operands)
    except (TypeError, ValueError, IndexError, OverflowError, NotImplementedError,
            jax.errors.JaxRuntimeError):
        return None
    return [np.asarray(y) for y in (results if isinstance(results, (tuple, list)) else [results])]


def same_bits(a, b):
    """but for the bits of NaNs, which nothing defines"""
    if a.dtype == BF16:
        return same_bits(a.astype("f4"), b.astype("f4"))
    if a.dtype.kind == "c":
        return same_bits(a.real, b.real) and same_bits(a.imag, b.imag)
    if a.dtype.kind != "f":
        return np.array_equal(a, b)
    return np.array_equal(a, b, equal_nan=True) and \
        np.array_equal(np.signbit(a) & ~np.isnan(a), np.signbit(b) & ~np.isnan(b))


def result_in(file):
    size, dtype = file.readline().decode().split()
    x = np.load(io.BytesIO(file.read(int(size))))
    return x.view(BF16) if dtype == "bf16" else x


def answers_of(program, requests, usual=itertools.repeat("f32")):
    """what the program makes of each: a list of arrays, or a message. usual: the default dtypes"""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        with open(folder / "in", "wb") as file:
            for (text, operands), dtype in zip(requests, usual):
                head = f"{len(text.encode())} {len(operands)} {dtype}\n{text}"
                file.write(head.encode())
                for x in map(npy, operands):
                    file.write(b"%d\n" % len(x) + x)
        subprocess.run([program, folder / "in", folder / "out"], check=True,
                       env={**os.environ, "TSR_PLUGIN_DIR": str(pathlib.Path(program).parents[2])})
        with open(folder / "out", "rb") as file:
            for _ in requests:
                head, _, rest = file.readline().decode().strip().partition(" ")
                if head == "error":
                    yield rest
                    continue
                both = [result_in(file) for _ in range(int(rest))]
                half = len(both) // 2
                same = all(map(same_bits, both[:half], both[half:]))
                yield both[:half] if same else "other bits where it is compiled"


# ---- deliberate differences: docs/numerics.md has each of these texts in its table

DIFFERENCES = []


def deliberate(reason):
    """the function: is it so for (row, draw, got, want)?"""
    def add(test):
        DIFFERENCES.append((reason, test))
        return test
    return add


WIDER = {np.dtype("f2"): np.longdouble, BF16: np.longdouble, np.dtype("f4"): np.longdouble,
         np.dtype("f8"): np.longdouble, np.dtype("c8"): np.clongdouble,
         np.dtype("c16"): np.clongdouble}
EXACTLY = {"exp": np.exp, "exp2": np.exp2, "expm1": np.expm1, "log": np.log, "log1p": np.log1p,
           "tanh": np.tanh, "sin": np.sin, "cos": np.cos, "tan": np.tan, "asin": np.arcsin,
           "acos": np.arccos, "atan": np.arctan, "sinh": np.sinh, "cosh": np.cosh,
           "asinh": np.arcsinh, "acosh": np.arccosh, "atanh": np.arctanh, "cbrt": np.cbrt,
           "sqrt": np.sqrt, "pow": np.power, "float_power": np.power,
           "atan2": np.arctan2, "abs": np.abs, "rsqrt": lambda x: 1 / np.sqrt(x),
           "logistic": lambda x: 1 / (1 + np.exp(-x))}

# the C library's: Python's and scipy's lose digits near 1, 2 and the zeros below 0, as JAX's does
LOG_GAMMA = ctypes.CDLL(ctypes.util.find_library("m")).lgamma
LOG_GAMMA.restype, LOG_GAMMA.argtypes = ctypes.c_double, [ctypes.c_double]


def gamma_slope(a, x):
    """of a gamma variate x by its shape a: minus the slope of P(a, x) by a over that by x. Where x
    is not above a, P is x^a e^-x S / gamma(a + 1), S = 1 + x / (a + 1) + x^2 / ((a + 1) (a + 2)) ..
    Above, 1 - P is x^(a - 1) e^-x F / gamma(a), F = x / (x + 1 - a - (1 - a) / (x + 3 - a - ..)),
    whose slope is that of a step along i (Numerical Recipes, 6.2, has both)"""
    a, x = (v.astype("f8") for v in np.broadcast_arrays(a, x))
    with np.errstate(all="ignore"):
        term, total, below, slope = np.ones_like(a), np.ones_like(a), 0 * a, 0 * a
        for k in range(1, 2000):
            term, below = term * x / (a + k), below + 1 / (a + k)
            total, slope = total + term, slope - term * below
        low = x / a * (total * (special.digamma(a + 1) - np.log(x)) - slope)
        b = x + 1 - a - 1e-30j
        c, d = np.full_like(b, 1e300), 1 / b
        f = x * d
        for k in range(1, 2000):
            part, b = -k * (k - a - 1e-30j), b + 2
            d, c = 1 / (part * d + b), b + part / c
            f = f * (c * d)
        high = f.real * (np.log(x) - special.digamma(a)) + f.imag / 1e-30
        return np.where((a > 0) & (x >= 0), np.where(x < a + 1, low, high), np.nan)


EXACTLY_AS_F64 = {"erf": np.vectorize(math.erf, otypes="d"),
                  "erfc": np.vectorize(math.erfc, otypes="d"),  # scipy's is as far off as JAX's
                  "erf_inv": special.erfinv, "gamma": special.gamma,
                  "lgamma": np.vectorize(LOG_GAMMA, otypes="d"), "digamma": special.digamma,
                  "bessel_i0e": special.i0e, "bessel_i1e": special.i1e,
                  "igamma": special.gammainc, "igammac": special.gammaincc,
                  "zeta": special.zeta, "polygamma": special.polygamma,
                  "random_gamma_grad": gamma_slope,
                  "regularized_incomplete_beta": special.betainc}


def exact(name, draw, want):
    """the result in numbers with more digits, or None"""
    if name in EXACTLY:
        wide = [x.astype(WIDER.get(x.dtype, np.longdouble)) for x in draw.operands]
        with np.errstate(all="ignore"):
            if name == "exp2" and wide[0].dtype.kind == "c":
                return np.exp(wide[0] * np.log(np.longdouble(2)))
            return EXACTLY[name](*wide)
    if name in EXACTLY_AS_F64:
        return np.asarray(EXACTLY_AS_F64[name](*(x.astype("f8") for x in draw.operands)))
    return None


def units(name, draw, dtype):
    """how many units of the last place a result may be off"""
    most = ULPS[name]
    if dtype in COMPLEX and name not in MOVES:
        most = max(most, ULPS_COMPLEX)
    if name in ("pow", "float_power", "exp2") and dtype in COMPLEX:  # exp(y log x)
        x, y = (2, *draw.operands) if name == "exp2" else draw.operands
        with np.errstate(all="ignore"):
            power = np.abs(y * np.log(x))
        most = most * (1 + np.nan_to_num(power, posinf=1e9, nan=0))
    return most


LARGEST = "max min reduce_max reduce_min cummax cummin".split()
NEARER = "the last bits of what is rounded more than once"


@deliberate(NEARER)
def is_nearer(name, draw, got, want):
    if isinstance(got, str) or len(want) != 1 or exact(name, draw, want) is None:
        return False
    mine = got[0]
    true = exact(name, draw, want)
    true = true.astype(np.clongdouble if true.dtype.kind == "c" else np.longdouble)
    with np.errstate(all="ignore"):
        ours, theirs = (each_distance(x, true.astype(want[0].dtype)) for x in (mine, want[0]))
    good = np.maximum(units(name, draw, want[0].dtype), 1)
    apart = each_distance(mine, want[0]) > good
    known = ~np.isnan(true)
    return bool(np.all((ours <= good) | (known & (ours <= theirs)) | ~apart))


@deliberate("`max`, `min` of complex numbers of which one has a NaN")
def is_nan_in_both(name, draw, got, want):
    if isinstance(got, str) or want[0].dtype not in COMPLEX or name not in LARGEST and not (
            name == "scatter" and ("combine=max" in draw.params or "combine=min" in draw.params)):
        return False
    here = np.isnan(got[0].real) & np.isnan(got[0].imag)
    return bool(np.all(here | (each_distance(got[0], want[0]) == 0)))


def adjoint(x):
    return x.swapaxes(-1, -2).conj()


@deliberate("the vectors of `eigh`, `svd`, `qr`")
def is_other_basis(name, draw, got, want):
    if name not in ("qr", "eigh", "svd") or isinstance(got, str) or len(got) == 1:
        return False
    x = draw.operands[0]
    values, *bases = sorted(got, key=lambda y: y.ndim) if name != "qr" else (None, *got)
    if name == "eigh":
        made = bases[0] * values[..., None, :] @ adjoint(bases[0])
    elif name == "qr":
        made = bases[0] @ bases[1]
        bases = bases[:1]
    else:
        n = values.shape[-1]
        made = bases[0][..., :n] * values[..., None, :] @ bases[1][..., :n, :]
        bases[1] = adjoint(bases[1])
    most = 1e3 * eps_of(part_of(x.dtype))
    near = [np.allclose(adjoint(b) @ b, np.eye(b.shape[-1]), atol=most) for b in bases]
    same = values is None or np.allclose(values, min(want, key=lambda y: y.ndim), atol=most * 10)
    return all(near) and same and np.allclose(made, x, atol=most * 10)


def alike(a, b, most):
    """are these numbers, along the last dim, the same in some order?"""
    apart = np.abs(a[..., :, None] - b[..., None, :])
    return bool(np.all(apart.min(-1) < most) and np.all(apart.min(-2) < most))


@deliberate("the order of eigenvalues, and vectors, of `eig`, `schur`")
def is_other_order(name, draw, got, want):
    if name not in ("schur", "eig") or isinstance(got, str):
        return False
    x = draw.operands[0]
    n = x.shape[-1]
    most = 1e4 * eps_of(part_of(x.dtype))
    if name == "schur":
        t, q = got
        values = [np.linalg.eigvals(y) for y in (t, want[0])]
        # an eigenvalue that is there twice is known to half of the digits
        return not np.any(np.tril(t, -2)) and alike(*values, most ** 0.5) and \
            np.allclose(adjoint(q) @ q, np.eye(n), atol=most) and \
            np.allclose(q @ t @ adjoint(q), x, atol=most)
    w = got[0][..., None, :]
    near = [alike(got[0], want[0], most ** 0.5)]
    if "left=true" in draw.params:
        near.append(np.allclose(adjoint(x) @ got[1], got[1] * w.conj(), atol=most))
    if "right=true" in draw.params:
        near.append(np.allclose(x @ got[-1], got[-1] * w, atol=most))
    near += [np.allclose(np.linalg.norm(v, axis=-2), 1, atol=most) for v in got[1:]]
    return all(near)


@deliberate("sums and products that overflow on the way")
def overflows(name, draw, got, want):
    if isinstance(got, str) or want[0].dtype not in FLOATS + COMPLEX:
        return False
    with np.errstate(all="ignore"):
        sizes = [np.abs(np.log(np.abs(x.astype("c16")))) for x in draw.operands]
    most = math.log(float(ml_dtypes.finfo(part_of(want[0].dtype)).max))
    if name in ("reduce_prod", "cumprod"):
        return not np.all(np.isfinite(sizes[0])) or float(sizes[0].sum()) > most - 1
    return name in ("reduce_sum", "cumsum", "dot_general") and \
        sum(float(np.max(x, initial=0, where=np.isfinite(x))) for x in sizes) > most - 5


@deliberate("`reduce_max`, `cummax` and kin of complex numbers, all infinite in the real part, or "
            "none")
def is_the_start(name, draw, got, want):
    if name not in LARGEST or isinstance(got, str) or want[0].dtype not in COMPLEX:
        return False
    start = -np.inf if "max" in name else np.inf
    return bool(np.all((got[0] == want[0]) | (want[0] == start) & (got[0].real == start)))


def wild(x):
    """complex, with a part whose square may overflow"""
    if x.dtype.kind != "c":
        return np.zeros(x.shape, bool)
    most = np.sqrt(np.finfo(x.dtype).max) / 64
    return ~(np.maximum(np.abs(x.real), np.abs(x.imag)) < most)


LIMITS = "`exp`, `exp2`, `logistic` (and the imaginary part of `expm1`) of a very large or " \
    "small real part, with an imaginary part that is infinite or NaN; the real part of " \
    "`expm1` that overflows"


@deliberate(LIMITS)
def has_a_limit(name, draw, got, want):
    if name not in ("exp", "exp2", "logistic", "expm1") or isinstance(got, str) or \
            want[0].dtype not in COMPLEX:
        return False
    near = each_distance(got[0], want[0]) <= units(name, draw, want[0].dtype)
    return bool(np.all(near | ~np.isfinite(draw.operands[0])))


PARTS = "complex products and means with parts that overflow or are infinite"


@deliberate(PARTS)
def has_infinite_parts(name, draw, got, want):
    """the formula has the result here, by its sums of real products"""
    if name not in ("dot_general", "pow") or isinstance(got, str) or \
            want[0].dtype not in COMPLEX:
        return False
    apart = each_distance(got[0], want[0], scale_of(name, draw, want[0]))
    near = apart <= units(name, draw, want[0].dtype)
    if name == "pow":
        return bool(np.all(near | wild(draw.operands[0]) | wild(draw.operands[1])))
    return bool(np.all(near | ~np.isfinite(got[0]) & ~np.isfinite(want[0]))) and \
        any(map(np.any, map(wild, draw.operands)))


@deliberate("`atan2`, `clamp`, `cumlogsumexp` of complex numbers")
def has_no_order(name, draw, got, _):
    return name in ("atan2", "clamp", "cumlogsumexp") and isinstance(got, str) and \
        draw.operands[0].dtype in COMPLEX


@deliberate("`cumlogsumexp` of integers")
def is_whole(name, draw, got, _):
    return name == "cumlogsumexp" and isinstance(got, str) and \
        draw.operands[0].dtype not in FLOATS


@deliberate("`igamma_grad_a`, `random_gamma_grad` for an x near 0")
def is_limit_at_0(name, draw, got, want):
    """of d/dx (1 - x E1(y) + ...), where JAX divides by an x that is flushed to 0"""
    if name not in ("igamma_grad_a", "random_gamma_grad") or isinstance(got, str):
        return False
    mine = got[0].view(BF16) if want[0].dtype == BF16 else got[0]
    x, y = np.broadcast_arrays(*(v.astype("f8") for v in draw.operands))
    apart = each_distance(mine, want[0]) > units(name, draw, want[0].dtype)
    tiny = np.abs(x) <= float(ml_dtypes.finfo(want[0].dtype).tiny)
    with np.errstate(all="ignore"):
        limit = -special.exp1(y) if name == "igamma_grad_a" else y * np.exp(y) * special.exp1(y) / x
    right = np.isclose(mine.astype("f8"), limit, 1e-2, 0)
    return bool(np.all(~apart | (tiny & (y > 0) & right)))


@deliberate("`igamma_grad_a` for an x far above y, or both above 2^1021")
def is_flat(name, draw, got, want):
    """y^x / gamma(x + 1) is 0 there, and so is its derivative; of large ones -1 / sqrt(2 pi x)"""
    if name != "igamma_grad_a" or isinstance(got, str):
        return False
    mine, theirs = (z.view(BF16) if want[0].dtype == BF16 else z for z in (got[0], want[0]))
    x, y = np.broadcast_arrays(*(v.astype("f8") for v in draw.operands))
    apart = each_distance(mine, theirs) > units(name, draw, want[0].dtype)
    far = (x > 1e4 * (1 + y)) | ((x > 2.0**1021) & (y > 2.0**1021))
    flat = (y > 0) & far & (mine == 0) & np.isnan(theirs)
    return bool(np.all(~apart | flat))


@deliberate("`betainc` whose second operand is next to nothing")
def is_small_share(name, draw, got, want):
    """b (1 / a + log terms), where JAX has 0"""
    if name not in ("regularized_incomplete_beta", "betainc") or isinstance(got, str):
        return False
    mine, theirs = (z.view(BF16) if want[0].dtype == BF16 else z for z in (got[0], want[0]))
    b = np.broadcast_to(draw.operands[1].astype("f8"), theirs.shape)
    apart = each_distance(mine, theirs) > units(name, draw, want[0].dtype)
    small = (b > 0) & (b <= float(ml_dtypes.finfo(want[0].dtype).tiny)) & (theirs == 0)
    return bool(np.all(~apart | small))


# near its zero the difference of numbers near 1: ours is within 4 places of these there
OF_ONE = {"digamma"}


def scale_of(name, draw, want):
    """a number that the places of results are counted from, beside the results themselves"""
    def largest(x):
        x = np.nan_to_num(np.asarray(x).astype("c16"), posinf=0, neginf=0)
        return float(np.abs(x).max(initial=0))
    if name in ("reduce_sum", "cumsum", "dot_general") and draw.operands:
        return math.prod(map(largest, draw.operands))
    if name in OF_ONE:
        return 1.0
    if name in OF_MATRICES:
        return float(np.max(np.abs(want), initial=0))
    if name in ("scatter", "add_patches"):
        return max(largest(draw.operands[0]), largest(draw.operands[-1]))
    return 0.0


def what_differs(name, draw, got, want):
    """None, or in a few words"""
    if isinstance(got, str):
        return "refused: " + got
    for g, w in zip(got, want):
        if g.dtype != w.dtype or g.shape != w.shape:
            return f"{type_text(g)}, not {type_text(w)}"
        apart = apart_of(g, w, scale_of(name, draw, w))
        if np.any(apart > units(name, draw, w.dtype)):
            return f"{apart.max():.3g} ulp of {NAMES[w.dtype]}"
    return None


MOVES = set("gather patches copy stop_gradient reshape transpose broadcast_in_dim squeeze "
            "expand_dims rev "
            "concatenate pad slice dynamic_slice dynamic_update_slice sort select_n real imag conj "
            "complex bitcast_convert_type neg".split())


def drawn_of(name, count, seed, cases):
    """so many draws that JAX takes, with its results, if so many are found, one half of them of
    cases. Of a dtype that it only refuses there are a few"""
    rng = np.random.default_rng([seed, *name.encode()])
    drawn, refused = [], collections.Counter()
    for k in range(MOST_TRIED * count):
        dtype = DTYPES[k % len(DTYPES)]
        if refused[dtype] == REFUSED_TRIES:
            continue
        draw = draw_case(rng, dtype, name, cases) if cases and rng.integers(2) else \
            ROWS[name](rng, dtype)
        draw = draw._replace(operands=[np.asarray(x) for x in draw.operands])
        want = peer(draw)
        if want is None:
            refused[dtype] += 1
            continue
        refused[dtype] = -math.inf
        drawn.append((draw, want, program_of(name, draw, want)))
        if len(drawn) == count:
            break
    return drawn


def check(program, name, count, seed):
    drawn = drawn_of(name, count, seed, cases_of(program)[name])
    differ, meant = [], collections.Counter()
    answers = answers_of(program, [(text, draw.operands) for draw, _, text in drawn])
    for (draw, want, text), got in zip(drawn, answers):
        what = what_differs(name, draw, got, want)
        if not what:
            continue
        reason = next((r for r, test in DIFFERENCES if test(name, draw, got, want)), None)
        if reason:
            meant[reason] += 1
        else:
            equation = text.splitlines()[-3].strip()
            operands = {f"%{k}": x for k, x in enumerate(draw.operands)}
            differ.append((f"{what}: {equation}", operands, got, want))
    return len(drawn), differ, meant


def rows_of(program):
    """the names of all rows"""
    tool = pathlib.Path(program).parents[2] / "tsr"
    text = subprocess.run([tool, "prims"], capture_output=True, text=True, check=True).stdout
    return [line.split()[0] for line in text.splitlines() if line and line[0] != " "]


# ---- what run_functions.py shares

def options_of(doc, usual_draws=200):
    parser = argparse.ArgumentParser(description=doc,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--draws", type=int, default=usual_draws)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--lines", default=":")
    options = parser.parse_intermixed_args()
    options.some = slice(*(int(n) if n else None for n in options.lines.split(":")))
    return options


def elements_at(x, k, size):
    """the first ones, and the k-th of as many as the result has"""
    text = str(x.ravel()[:6]).replace("\n", "")
    return text + (f", there {x.ravel()[k]}" if x.size == size else "")


def show(what, variables, got, want):
    """at the element that differs most"""
    print(f"  {what}")
    pairs = [] if isinstance(got, str) else [(g, w) for g, w in zip(got, want)
                                             if g.shape == w.shape and g.size]
    apart = max((apart_of(*pair, 0.0) for pair in pairs), key=np.max, default=np.zeros(1))
    far, size = int(np.argmax(apart)), apart.size
    for name, value in variables.items():
        if isinstance(value, np.ndarray):
            print(f"    {name} {type_text(value)} {elements_at(value, far, size)}")
        else:
            print(f"    {name} {value}")
    if not isinstance(got, str):
        for mine, theirs in zip(got, want):
            print(f"    got  {elements_at(mine, far, size)}")
            print(f"    want {elements_at(theirs, far, size)}")


def print_table(lines, check_line, count, some_have_none=False):
    """a line for each of (title, line), of which check_line gives the number of draws, [(what,
    variables, got, want)], and the deliberate differences by reason; the exit code"""
    bad, reasons = 0, collections.Counter()
    for k, (title, line) in enumerate(lines):
        if k % LINES_A_CACHE == 0:
            jax.clear_caches()
        try:
            n, differ, meant = check_line(line)
        except Exception as error:  # of one line: the others are of interest all the same
            bad += 1
            print(f"{title}: {type(error).__name__}: {error}", flush=True)
            continue
        reasons.update(meant)
        bad += len(differ) + (n == 0 and not some_have_none)
        print(f"{title} {n:4} draws" + (f" of {count}" if n < count else "") +
              f", {len(differ):3} differ" +
              (f", {sum(meant.values())} as meant" if meant else ""), flush=True)
        for found in differ[:3]:
            show(*found)
    for reason, n in reasons.items():
        print(f"{n} differ because {reason}")
    return 1 if bad else 0


def main():
    options = options_of(__doc__)
    here = rows_of(options.program)
    names = [name for name in options.names or ROWS if name in here]
    return print_table(
        [(f"{name:24}", name) for name in names[options.some]],
        lambda name: check(options.program, name, options.draws, options.seed), options.draws)


if __name__ == "__main__":
    sys.exit(main())
