"""draws.py - the operands that a line of functions/*.def names: sampled dtypes, shapes, parameters
and numbers, special ones among them.

A draw is a dict of the variables of the line: arrays, and numbers, tuples (dims), bools, dtypes and
texts. Shapes, dtypes and parameters are those of one of SIGNATURES, because JAX compiles anew
for each; the numbers differ from draw to draw. One time in three all dtypes have 64 bits, and JAX's
64-bit types are on; otherwise none has, and they are off."""
import numpy as np

import run_rows as rows
from run_rows import BF16, BOOL, COMPLEX, FLOATS, INTS

SIGNATURES = 20
SINGLE = [np.dtype("f4"), np.dtype("f8")]
REAL = FLOATS + INTS + BOOL
INEXACT = FLOATS + COMPLEX
MATRIX = SINGLE + COMPLEX
ALL = REAL + COMPLEX
GROUPS, ULPS, SCALE = {}, {}, {}


class Source:
    """one draw of a line: `pick` says shapes and parameters, `fill` numbers"""

    def __init__(self, seed, text, k):
        self.large = k % SIGNATURES % 3 == 0
        self.pick = np.random.default_rng([seed, *text.encode(), k % SIGNATURES])
        self.fill = np.random.default_rng([seed, *text.encode(), k % SIGNATURES, k])

    def dtype(self, kinds):
        fit = [d for d in kinds if (rows.part_of(d).itemsize == 8) == self.large]
        return self.among(fit)

    def among(self, some):
        return some[self.pick.integers(len(some))]

    def flag(self):
        return bool(self.pick.integers(2))

    def int(self, low, high):
        """low <= i <= high"""
        return int(self.pick.integers(low, high + 1))

    def shape(self, least=0, most=3, empty=True):
        return rows.shape_of(self.pick, least, most, empty)

    def full(self, least=1, most=3):
        return self.shape(least, most, empty=False)

    def of(self, kinds, shape=None):
        dtype = kinds if isinstance(kinds, np.dtype) else self.dtype(kinds)
        return np.asarray(rows.numbers(self.fill, dtype, self.shape() if shape is None else shape))

    def even(self, kinds, shape):
        """numbers of like size"""
        dtype = kinds if isinstance(kinds, np.dtype) else self.dtype(kinds)
        return rows.even_numbers(self.fill, dtype, shape)

    def mask(self, shape):
        return np.asarray(self.fill.integers(0, 4, shape) > 0)

    def within(self, low, high, shape=()):
        """i32, low <= i <= high"""
        return np.asarray(self.fill.integers(low, high + 1, shape), "i4")

    def share(self, kinds, shape):
        """between 0 and 1"""
        return np.asarray(self.fill.random(shape), self.dtype(kinds))

    def dims(self, x):
        """some dims of x, from either end, or None for all"""
        if self.int(0, 2) == 0:
            return None
        return tuple(d - x.ndim * self.int(0, 1) for d in rows.some_dims(self.pick, x.ndim))

    def other(self, shape):
        """a shape that broadcasts with it"""
        return tuple(n if self.int(0, 3) else 1 for n in shape)

    def sizes(self, count, low, high):
        return tuple(self.int(low, high) for _ in range(count))


def group(ulps=4, scale=None):
    """how far results may be off, in units of the last place of the larger one of both; or of the
    largest result (scale "result"), of the product of the largest operands ("product"), or of the
    sum of the operands ("sum")"""
    def add(draw):
        GROUPS[draw.__name__], ULPS[draw.__name__] = draw, ulps
        SCALE[draw.__name__] = scale
        return draw
    return add


def variants(of, kinds, **tolerance):
    """groups that differ in their dtypes"""
    for name, some in kinds.items():
        def draw(d, some=some):
            return of(d, some)
        draw.__name__ = name
        group(**tolerance)(draw)


# ---- numbers alone

variants(lambda d, kinds: {"x": d.of(kinds)},
         {"any": ALL, "real": REAL, "floats": FLOATS, "inexact": INEXACT, "integers": INTS,
          "whole": INTS + BOOL})


def pair_of(d, kinds):
    shape, dtype = d.shape(), d.dtype(kinds)
    other = d.dtype(kinds) if d.int(0, 2) == 0 and kinds is not FLOATS else dtype
    if np.dtype("u4") in (dtype, other):  # beside signed numbers it makes i64, which JAX may lack
        other = dtype
    return {"x": d.of(dtype, shape), "y": d.of(other, d.other(shape))}


variants(pair_of, {"pair": ALL, "real_pair": REAL, "float_pair": FLOATS, "integer_pair": INTS,
                   "whole_pair": INTS + BOOL})


@group()
def divisors(d):
    """without the least numbers, with which JAX's gcd and lcm may not end"""
    drawn = pair_of(d, INTS)
    return {name: np.maximum(x, np.iinfo(x.dtype).min + 1 if x.dtype.kind == "i" else 0)
            for name, x in drawn.items()}


def alike_of(d, kinds):
    shape, dtype = d.shape(), d.dtype(kinds)
    return {"x": d.of(dtype, shape), "y": d.of(dtype, d.other(shape)), "z": d.of(dtype, shape)}


variants(alike_of, {"alike": INTS + FLOATS, "float_triple": FLOATS, "bounds": INTS + FLOATS,
                    "parts": SINGLE})


@group()
def power(d):
    return {"x": d.of(ALL), "n": d.int(-3, 5)}


@group()
def rounded(d):
    return {"x": d.of(REAL), "n": d.int(-1, 3)}


@group()
def cast(d):
    return {"x": d.of(ALL), "dtype": d.dtype(ALL)}


@group()
def bits(d):
    dtype, to = d.dtype(INTS + FLOATS), d.dtype(INTS + FLOATS)
    shape = d.shape(most=2)
    if to.itemsize > dtype.itemsize:
        shape += (to.itemsize // dtype.itemsize,)
    return {"x": d.of(dtype, shape), "dtype": to}


@group()
def precision(d):
    return {"x": d.of(FLOATS), "n": d.int(1, 11), "m": d.int(0, 52)}


@group()
def scaled(d):
    return {"x": d.of(FLOATS), "n": d.int(1, 3), "a": d.int(-4, 8) / 4, "b": d.int(1, 12) / 4}


@group()
def exponents(d):
    shape = d.shape()
    return {"x": d.of(FLOATS, shape), "y": d.of(INTS, d.other(shape))}


@group()
def close(d):
    x = d.of(FLOATS)
    apart = d.fill.standard_normal(x.shape) * (d.fill.integers(0, 2, x.shape) * 1e-3)
    with np.errstate(all="ignore"):
        y = (x.astype("f8") * (1 + apart)).astype(x.dtype)
    return {"x": x, "y": y, "a": 1 / 1024, "b": 1 / 1024}


@group()
def chosen(d):
    shape, dtype = d.shape(), d.dtype(ALL)
    return {"w": d.mask(d.other(shape)), "v": d.mask(shape), "x": d.of(dtype, shape),
            "y": d.of(dtype, d.other(shape)), "n": d.int(0, 3)}


@group()
def choices(d):
    shape, dtype = d.shape(), d.dtype(ALL)
    return {"z": d.within(-2, 3, shape), "x": d.of(dtype, shape), "y": d.of(dtype, shape),
            "mode": d.int(1, 2)}


# ---- along dims

def along_of(d, kinds):
    x = d.of(kinds, d.shape(1))
    return {"x": x, "dim": d.int(0, x.ndim - 1), "flag": d.flag(), "a": d.int(1, 4) / 8}


variants(along_of, {"along": REAL, "float_along": FLOATS}, ulps=64)
variants(along_of, {"running": ALL}, ulps=64, scale="product")


@group(64)
def full_along(d):
    x = d.of(REAL, d.full())
    dim = d.int(0, x.ndim - 1)
    return {"x": x, "dim": dim, "keep": d.flag(), "n": d.int(-x.shape[dim], x.shape[dim] - 1)}


@group(64)
def gated(d):
    x = d.of(FLOATS, (4, 6))
    return {"x": x, "dim": d.int(-1, 1)}


@group(64)
def masked(d):
    x = d.of(FLOATS, d.full())
    return {"x": x, "w": d.mask(x.shape), "dim": d.int(0, x.ndim - 1)}


def reduced_of(d, kinds, full=False):
    x = d.of(kinds, d.full() if full else d.shape())
    return {"x": x, "dims": d.dims(x), "keep": d.flag(), "a": d.int(0, 4) / 4}


variants(reduced_of, {"reduced": ALL, "whole_reduced": INTS + BOOL}, ulps=64, scale="product")
variants(lambda d, kinds: reduced_of(d, kinds, True),
         {"full_reduced": ALL, "float_reduced": FLOATS, "inexact_reduced": INEXACT,
          "real_reduced": FLOATS + INTS}, ulps=64, scale="product")


@group(64, "product")
def where(d):
    x = d.of(FLOATS + INTS)
    return {"x": x, "dims": d.dims(x), "w": d.mask(d.other(x.shape)), "n": d.int(0, 3)}


@group(64, "product")
def summed(d):
    x = d.of(REAL)
    return {"x": x, "dims": d.dims(x), "dtype": d.dtype(FLOATS + INTS)}


@group(64)
def factors(d):
    x = d.of(SINGLE, d.full())
    return {"x": x, "y": d.even(x.dtype, d.other(x.shape)), "dims": d.dims(x)}


@group(64, "product")
def weighted(d):
    x = d.of(FLOATS, d.full())
    dim = d.int(0, x.ndim - 1)
    return {"x": x, "dim": dim, "y": np.asarray(d.share(FLOATS, (x.shape[dim],)) + 0.5, x.dtype)}


@group(16, "operand")
def quantiles(d):
    x = d.of(FLOATS, d.full())
    return {"x": x, "y": d.share([x.dtype], d.among([(), (3,)])), "dim": d.int(0, x.ndim - 1),
            "m": d.int(0, 4), "keep": d.flag()}


@group(4)
def weighed(d):
    x = d.of(SINGLE, d.full())
    w = np.asarray(d.fill.integers(0, 4, x.shape), x.dtype)
    return {"x": x, "y": d.share([x.dtype], d.among([(), (3,)])), "w": w,
            "dim": d.int(0, x.ndim - 1), "keep": d.flag()}


@group(64, "product")
def rows_(d):
    x = d.even(INEXACT, d.among([(3, 5), (5,), (1, 4)]))
    return {"x": x, "y": np.asarray(d.share(SINGLE, x.shape[-1:]) + 0.5)}


GROUPS["rows"], ULPS["rows"], SCALE["rows"] = rows_, 64, "product"


@group()
def sorts(d):
    shape = d.shape(1)
    return {"x": d.of(REAL, shape), "y": d.of(REAL, shape), "n": d.int(1, 2),
            "dim": d.int(0, len(shape) - 1)}


@group()
def largest(d):
    x = d.of(REAL, d.shape(1))
    return {"x": x, "n": d.int(0, x.shape[-1])}


@group()
def sorted_places(d):
    dtype = d.dtype(FLOATS + INTS)
    x = d.of(dtype, (d.int(1, 9),))
    x = np.sort(x.astype("f8") if dtype in FLOATS else x).astype(dtype)
    return {"x": x, "y": d.of(dtype), "flag": d.flag()}


@group()
def sets(d):
    dtype = d.dtype(FLOATS + INTS)
    x = d.of(dtype)
    return {"x": x, "y": np.concatenate([d.of(dtype, (3,)), x.ravel()[:2]])}


@group(64)
def counted(d):
    x = d.within(-1, 7, (d.int(0, 9),))
    return {"x": x, "y": d.even(SINGLE, x.shape), "n": d.int(1, 7)}


@group(64, "product")
def bins(d):
    x = d.even(SINGLE, (d.int(1, 17),))
    return {"x": x, "y": d.share([x.dtype], x.shape), "n": d.int(1, 6), "flag": d.flag()}


@group(16, "result")
def interpolated(d):
    n, dtype = d.int(2, 6), d.dtype(SINGLE)
    places = np.cumsum(d.fill.random(n) + 0.1).astype(dtype) - 1
    return {"x": d.even(dtype, d.shape()), "y": places, "z": d.even(dtype, (n,)),
            "a": d.int(-2, 2) / 2, "b": 1.5}


@group()
def one_hot(d):
    return {"x": d.within(-1, 5, d.shape()), "n": d.int(1, 5), "dtype": d.dtype(FLOATS + INTS)}


@group(64, "result")
def attention(d):
    dtype = np.dtype("f4")  # in which the scores of wider numbers are, too
    w = d.mask((2, 4, 3, 5))
    w[..., 0] = True
    return {"x": d.even(dtype, (2, 3, 4, 2)), "y": d.even(dtype, (2, 5, 2, 2)),
            "z": d.even(dtype, (2, 5, 2, 2)), "v": d.even(dtype, (2, 4, 3, 5)), "w": w,
            "a": d.int(1, 4) / 4, "flag": d.flag()}


@group(64, "result")
def attention_long(d):
    """so many scores that they are computed by blocks"""
    dtype = np.dtype("f4")
    w = d.mask((1, 1, 1, 523))
    w[..., 0] = True
    return {"x": d.even(dtype, (1, 517, 2, 2)), "y": d.even(dtype, (1, 523, 1, 2)),
            "z": d.even(dtype, (1, 523, 1, 2)), "w": w, "flag": d.flag()}


def layer_of_attention(d, length):
    dtype = d.dtype(SINGLE)
    heads, kv_heads = d.among([(4, 2), (2, 2), (3, 1)])
    return {"x": d.even(dtype, (2, length, 3)), "y": d.even(dtype, (3, heads, 2)),
            "z": d.even(dtype, (3, kv_heads, 2)), "v": d.even(dtype, (heads, 2, 5))}


@group(64, "result")
def multi_head(d):
    w = d.mask((2, d.among([1, 4]), 4))[:, None]
    w[..., 0] = True
    return {**layer_of_attention(d, 4), "w": w, "flag": d.flag()}


@group(64, "result")
def decoded(d):
    layer = layer_of_attention(d, 1)
    return {**layer, "w": d.even(layer["x"].dtype, (2, 5, layer["z"].shape[1], 2)),
            "n": d.int(0, 4)}


@group(16, "result")
def rotary(d):
    return {"x": d.even(FLOATS, (*d.full(0, 2), d.int(1, 4), 2, d.among([0, 2, 6]))),
            "n": d.int(0, 9), "a": float(d.among([100, 10000]))}


# ---- products

def two(d, kinds, shapes):
    dtype = d.dtype(kinds)
    return dict(zip("xyz", (d.of(dtype, s) for s in d.among(shapes))))


for name, shapes in {
        "dots": [((3, 4), (4, 5)), ((4,), (4,)), ((), (3,)), ((2, 3, 4), (4, 5)), ((0,), (0,))],
        "matmuls": [((3, 4), (4, 5)), ((4,), (4,)), ((2, 3, 4), (4, 5)), ((4,), (2, 4, 3)),
                    ((2, 1, 3, 4), (3, 4, 2))],
        "inners": [((3, 4), (5, 4)), ((4,), (4,)), ((), (3,))],
        "matvecs": [((2, 3, 4), (2, 4))],
        "small_pair": [((2, 3), (3, 2)), ((3,), (2, 2)), ((2,), (3,))],
        "crosses": [((3,), (3,)), ((4, 3), (4, 3)), ((2,), (3,)), ((2,), (2,)), ((4, 3), (3,))],
        "chains": [((3, 4), (4, 2), (2, 5)), ((4,), (4, 2), (2, 5)), ((3, 1), (1, 5), (5,))],
        }.items():
    def products_of(d, shapes=shapes):
        return two(d, ALL, shapes)
    products_of.__name__ = name
    group(64, "product")(products_of)


@group(64, "product")
def contracted(d):
    dtype = d.dtype(ALL)
    return {"x": d.of(dtype, (2, 3, 4)), "y": d.of(dtype, (2, 4, 5)), "low": (2,), "high": (1,),
            "starts": (0,), "stops": (0,)}


@group(64, "product")
def vectors(d):
    shape, dtype = d.full(), d.dtype(ALL)
    return {"x": d.of(dtype, shape), "y": d.of(dtype, shape), "dim": d.int(-1, len(shape) - 1)}


@group(64, "product")
def einsums(d):
    text, x, y = d.among([
        ("ij,jk->ik", (3, 4), (4, 5)), ("bij,bjk->bik", (2, 3, 4), (2, 4, 5)),
        ("ij,ij->", (3, 4), (3, 4)), ("i,j->ij", (3,), (4,)), ("ii,i->i", (3, 3), (3,)),
        ("...ij,...jk->...ik", (2, 3, 4), (4, 5)), ("ij,j", (3, 4), (4,)),
        ("bqhd,bkhd->bhqk", (2, 3, 2, 4), (2, 5, 2, 4))])
    dtype = d.dtype(ALL)
    return {"text": text, "x": d.of(dtype, x), "y": d.of(dtype, y)}


@group(64, "product")
def einsums3(d):
    text, *shapes = d.among([("ij,jk,kl->il", (3, 4), (4, 2), (2, 5)),
                             ("i,ij,j->", (3,), (3, 4), (4,)),
                             ("bi,ij,bj->b", (2, 3), (3, 4), (2, 4))])
    dtype = d.dtype(INEXACT + INTS)
    return {"text": text, **dict(zip("xyz", (d.even(dtype, s) for s in shapes)))}
