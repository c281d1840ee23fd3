#!/usr/bin/env python3
"""run_functions.py - the public functions of one or two arrays here and in JAX, as run_rows.py does
it for primitives: sampled dtypes, shapes that broadcast, special numbers.

usage: run_functions.py PROGRAM [--draws N] [--seed N] [FUNCTION ...]

The headers say which functions there are. Without 64 bits JAX makes f32 of whole numbers, as is
done here; so operands have at most 32 bits, and JAX's 64 bits are off, or all have 64."""
import argparse
import collections
import pathlib
import re
import sys

import run_rows as rows

import jax  # noqa: E402  (run_rows sets the environment)
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
from jax import lax  # noqa: E402

HEADERS = pathlib.Path(__file__).resolve().parents[2] / "include" / "tsr"
VALUE = re.compile(r"^TSR_OP tsr \*tsr_(\w+)\(tsr \*\w+(, tsr \*\w+)?\);", re.M)
# bf16, which .npy lacks, is left to the primitives
SMALL = [d for d in rows.DTYPES if rows.part_of(d).itemsize < 8 and d != rows.BF16]
LARGE = [d for d in rows.DTYPES if rows.part_of(d).itemsize == 8]

# where ours has another name, or several of JAX's have it
PEERS = {
    "neg": jnp.negative, "sub": jnp.subtract, "mul": jnp.multiply, "div": jnp.true_divide,
    "rem": lax.rem, "pow": jnp.power, "eq": jnp.equal, "ne": jnp.not_equal, "lt": jnp.less,
    "le": jnp.less_equal, "gt": jnp.greater, "ge": jnp.greater_equal, "t": jnp.transpose,
    "logistic": jax.nn.sigmoid, "atan2": jnp.arctan2, "asin": jnp.arcsin, "acos": jnp.arccos,
    "atan": jnp.arctan, "asinh": jnp.arcsinh, "acosh": jnp.arccosh, "atanh": jnp.arctanh,
    "is_finite": jnp.isfinite, "erf_inv": jax.scipy.special.erfinv, "rsqrt": lax.rsqrt,
    "lgamma": jax.scipy.special.gammaln, "shift_left": jnp.left_shift,
    "shift_right": jnp.right_shift, "population_count": lax.population_count, "sign": jnp.sign,
    "relu": jax.nn.relu, "gelu": jax.nn.gelu, "sum": jnp.sum, "max": jnp.max, "min": jnp.min,
    "all": jnp.all, "any": jnp.any, "add": jnp.add, "abs": jnp.abs, "round": jnp.round,
    "logsumexp": jax.scipy.special.logsumexp, "conj": jnp.conj, "dot": jnp.dot,
    "complex": lax.complex, "zeta": jax.scipy.special.zeta, "copy": jnp.array,
    "polygamma": jax.scipy.special.polygamma, "cummax": lambda x: lax.cummax(x, x.ndim - 1)}
# not functions of numbers alone, or compared elsewhere
ELSEWHERE = set("fold_in bernoulli categorical permutation geometric pareto rayleigh lognormal "
                "wald cholesky triangular_solve solve_triangular cho_solve eigvalsh svdvals solve "
                "inv det nanargmax nanargmin count_nonzero betaln searchsorted digitize "
                "dot_general zeros_like ones_like cumsum cumprod cummax cummin cumlogsumexp "
                "cumulative_sum cumulative_prod eigvals roots".split())
# JAX takes whole and complex numbers too, of which these have no meaning: it negates unsigned ones,
# or orders complex ones by their real parts
OF_REAL_NUMBERS = set("logaddexp logaddexp2 fmax fmin fmod xlogy xlog1py relu6 softplus "
                      "sparse_plus sparse_sigmoid log_sigmoid hard_tanh hard_sigmoid hard_silu "
                      "mish log1mexp leaky_relu elu celu selu squareplus gelu "
                      "polymul".split())
ULPS = collections.defaultdict(lambda: 4, {
    "sum": 64, "prod": 64, "mean": 64, "dot": 64, "matmul": 64, "logsumexp": 64, "lgamma": 64,
    "digamma": 64, "zeta": 1e3, "polygamma": 1e4, "nancumsum": 64, "nancumprod": 64,
    "average": 64, "trapezoid": 64, "polymul": 64, "polyval": 64, "poly": 64,
    "cov": 64, "corrcoef": 64, "inner": 64, "vdot": 64, "vecdot": 64, "trace": 64,
    "factorial": 64, "comb": 4096, "poch": 4096, "float_power": 64, "pow": 64,
    "ndtr": 64, "log_ndtr": 64, "log1mexp": 128, "celu": 256})
# what is left where large numbers cancel: measured by the operands
CANCEL = set("gelu celu elu squareplus mish softplus logaddexp logaddexp2 silu".split())


def peer_of(name):
    for where in (jnp, jax.nn, jax.scipy.special, lax):
        found = PEERS.get(name) or getattr(where, name, None)
        if found:
            return found
    return None


def shapes(rng, name, count):
    """of operands that broadcast, or, of products, that fit"""
    if name.startswith("poly") and name != "polygamma":
        return [(5,), (3,)][:count]
    if name in ("dot", "matmul"):
        return [(3, 4), (4, 5)] if rng.integers(2) else [(4,), (4,)]
    shape = rows.shape_of(rng)
    return [shape] + [tuple(n if rng.integers(4) else 1 for n in shape)] * (count - 1)


def draw_of(rng, name, count, k):
    large = k % 3 == 0
    some = LARGE if large else SMALL
    if name in OF_REAL_NUMBERS:
        some = [d for d in some if d in rows.FLOATS]
    dtypes = [some[rng.integers(len(some))] for _ in range(count)]
    # u32 beside signed numbers makes i64, which JAX does not have without its 64 bits
    if count == 2 and (rng.integers(3) or np.dtype("u4") in dtypes or name in OF_REAL_NUMBERS):
        dtypes[1] = dtypes[0]
    operands = [rows.numbers(rng, d, s) for d, s in zip(dtypes, shapes(rng, name, count))]
    return rows.Draw([np.asarray(x) for x in operands], "", peer_of(name)), large


def peer(draw, large):
    with jax.enable_x64(large):
        return rows.peer(draw._replace(operands=[jnp.asarray(x) for x in draw.operands]))


def differs(name, draw, got, want):
    if isinstance(got, str):
        return "refused: " + got
    got, want = got[0], want[0]
    if got.dtype != want.dtype or got.shape != want.shape:
        return f"{rows.type_text(got)}, not {rows.type_text(want)}"
    if want.dtype not in rows.FLOATS + rows.COMPLEX:
        return None if np.array_equal(got, want) else "values"
    most = max(ULPS[name], rows.ULPS_COMPLEX if want.dtype in rows.COMPLEX else 0)
    scale = 0.0
    if name in CANCEL:
        scale = sum(np.nan_to_num(np.abs(x.astype("c16")), posinf=0) for x in draw.operands)
    elif ULPS[name] == 64:
        sizes = [np.nan_to_num(np.abs(x.astype("c16")), posinf=0).max(initial=0)
                 for x in draw.operands]
        scale = float(np.prod(sizes))
    ulps = rows.each_distance(got, want, scale).max(initial=0)
    return f"{ulps:.3g} ulp of {rows.NAMES[want.dtype]}" if ulps > most else None


def check(program, name, count, draws, seed):
    rng = np.random.default_rng([seed, *name.encode()])
    asked = []
    for k in range(draws):
        draw, large = draw_of(rng, name, count, k)
        want = peer(draw, large)
        if want is not None and len(want) == 1:
            asked.append((draw, want))
    answers = rows.answers_of(program, [(f"op tsr_{name}", draw.operands) for draw, _ in asked])
    found = []
    for (draw, want), got in zip(asked, answers):
        what = differs(name, draw, got, want)
        if what and not any(test(name, draw, got, want) for _, test in rows.DIFFERENCES):
            found.append((what, draw, got, want))
    return len(asked), found


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("functions", nargs="*")
    parser.add_argument("--draws", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_intermixed_args()
    known = {name: 2 if second else 1 for path in sorted(HEADERS.glob("*.h"))
             for name, second in VALUE.findall(path.read_text(encoding="utf-8"))}
    bad = 0
    for name in options.functions or [n for n in known if n not in ELSEWHERE and peer_of(n)]:
        n, found = check(options.program, name, known[name], options.draws, options.seed)
        bad += len(found)
        print(f"tsr_{name:24} {n:4} draws, {len(found):3} differ")
        for what, draw, got, want in found[:3]:
            print(f"  {what} of {' '.join(map(rows.type_text, draw.operands))}")
            for k, x in enumerate(draw.operands):
                print(f"    {k} {x.ravel()[:8]}")
            if not isinstance(got, str):
                print(f"    got  {got[0].ravel()[:8]}\n    want {want[0].ravel()[:8]}")
    print("without a peer: " +
          " ".join(n for n in known if n not in ELSEWHERE and not peer_of(n)))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
