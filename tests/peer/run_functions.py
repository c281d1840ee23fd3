#!/usr/bin/env python3
"""run_functions.py - the public operations here and in JAX, as run_rows.py does it for primitives.

usage: run_functions.py PROGRAM [--draws N] [--seed N] [--lines A:B:STEP] [OPERATION ...]

functions/*.def says what is called, draws.py with what. Prints how many draws of a line JAX
takes, how many differ, and how; DIFFERENCES has the deliberate differences. An OPERATION may lack
its tsr_; lines are a slice of them all, as Python has it."""
import collections
import math
import os
import sys
import types

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8 " + os.environ.get(
    "XLA_FLAGS", "")

import draws  # noqa: E402
import draws_arrays  # noqa: E402, F401  (adds to draws.GROUPS)
import draws_layers  # noqa: E402, F401
import lines  # noqa: E402
import run_rows as rows  # noqa: E402

import jax  # noqa: E402  (run_rows sets the environment)
import jax.ad_checkpoint  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import jax.scipy.linalg as scipy_linalg  # noqa: E402
import numpy as np  # noqa: E402
import optax  # noqa: E402
import scipy.special  # noqa: E402
from jax import lax, nn, random  # noqa: E402
from jax.nn import initializers as init  # noqa: E402
from jax.scipy import special  # noqa: E402
from jax.sharding import NamedSharding, PartitionSpec as P  # noqa: E402
from flax_layers import *  # noqa: E402, F401, F403
from flax_attention import flax_attention, flax_decoded, rotary  # noqa: E402, F401

MOST_TRIED = 3

# ---- what the lines' last parts use

MODE = ["fill", "clip", "wrap", "promise_in_bounds"]
METHOD = ["linear", "lower", "higher", "midpoint", "nearest"]
OVERLAP = [None, "full", "same", "valid"]
NORM = ["backward", "ortho", "forward"]
FAN = ["fan_in", "fan_out", "fan_avg", "fan_geo_avg"]
SPREAD = ["truncated_normal", "normal", "uniform"]
MESH = jax.make_mesh((4, 2), ("x", "y"), axis_types=(jax.sharding.AxisType.Auto,) * 2)


def on(spec):
    return NamedSharding(MESH, spec)


def type_of_steps(start, step):
    """ours, where JAX goes by the Python type"""
    return int if float(start).is_integer() and float(step).is_integer() else float


def over(x, dims):
    return tuple(range(x.ndim)) if dims is None else tuple(d % x.ndim for d in dims)


def zero(x):
    return np.zeros((), x.dtype)[()]


def least(x):
    return jnp.finfo(x.dtype).dtype.type(-np.inf) if jnp.issubdtype(x.dtype, jnp.floating) \
        else np.iinfo(x.dtype).min


def most(x):
    return jnp.finfo(x.dtype).dtype.type(np.inf)


def fma(*v):
    """rounded once"""
    x, y, z = (np.asarray(a).astype(np.longdouble) for a in v)
    return (x * y + z).astype(v[0].dtype)


def at_dim(x, dim, i):
    return x[(slice(None),) * dim + (i,)]


def at(x, dim, i):
    return x.at[(slice(None),) * dim + (i,)]


def pooled(x, start, combine, sizes, strides):
    return lax.reduce_window(x, start, combine, (1, *sizes, 1), (1, *strides, 1), "VALID")


def polar(x):
    """by singular values, as SciPy has it"""
    return scipy_linalg.polar(x) if x.ndim == 2 else jax.vmap(polar)(x)


def sine_of_square(s):
    return jnp.sin(jnp.square(s))


def sine_of_product(s, t):
    return jnp.sin(s * t)


def sum_of_sines(s):
    return jnp.sum(sine_of_square(s))


def halves(s):
    return s * 0.5


def is_large(s):
    return jnp.sum(jnp.abs(s)) > 1


def add_index(i, s):
    return s + jnp.asarray(i).astype(s.dtype)


def tripled(s, t):
    return sine_of_square(s) * (t * 3)


def value_and_itself(s):
    return sine_of_square(s), s


def carry_and_half(s, t):
    return s + t, halves(s + t)


def with_jvp(f):
    g = jax.custom_jvp(f)
    g.defjvp(lambda s, t: (f(*s), tripled(*s, *t)))
    return g


def with_vjp(f):
    g = jax.custom_vjp(f)
    g.defvjp(value_and_itself, lambda s, t: (tripled(s, t),))
    return g


def applied(linear, y):
    return linear[0], linear[1](y)


def applied_aux(linear, y):
    return linear[0], linear[2], linear[1](y)


NAMES = dict(globals(), linalg=jnp.linalg, fft=jnp.fft,
             solve_triangular=scipy_linalg.solve_triangular, cho_solve=scipy_linalg.cho_solve,
             threefry2x32=rows.random_primitives.threefry2x32_p.bind)


def exact_expm(x):
    """by the series of x / 1024 and squares, in the digits of x"""
    whole = np.broadcast_to(np.eye(x.shape[-1], dtype=x.dtype), x.shape)
    term = total = whole
    for k in range(1, 20):
        term = term @ (x / 1024) / k
        total = total + term
    for _ in range(10):
        total = total @ total
    return total


# the same in NumPy and SciPy, for operands of 64 bits, or widened to them
IN_NUMPY = dict(NAMES, jnp=np, linalg=np.linalg, fft=np.fft, special=scipy.special,
                scipy_linalg=types.SimpleNamespace(expm=exact_expm))


# of what is made of several functions, whose errors grow with the exponents between them
ULPS = {"factorial": 32, "gamma_function": 16, "beta_function": 4096, "comb": 4096, "poch": 4096,
        "log_gamma": 64, "multigammaln": 64, "float_power": 64, "pow": 64, "ndtr": 64,
        "log_ndtr": 64, "ndtri": 64, "log1mexp": 128, "i0": 16, "i1": 16, "betaln": 64,
        "boxcox": 64, "boxcox1p": 64, "igamma": 1e4, "cumlogsumexp": 64,
        "dirichlet": 2048}  # the logarithm of a uniform number, to -37, over shares from 0.03 on
# what is left where large numbers cancel is measured by the operands
CANCEL = set("gelu celu elu squareplus mish softplus logaddexp logaddexp2 silu multigammaln "
             "log_gamma lgamma betaln boxcox boxcox1p kl_div entr".split())
# minus the logarithm of what is rounded, such as a sum: where that is near 1, the result is as far
# off as that, however near 0 it is
OF_ONE = {"log_softmax", "gumbel"} | rows.OF_ONE
# whose error grows with the condition of x; lstsq here is within 3 eps of it, JAX's within 5
BY_CONDITION = {"lstsq", "solve", "inv"}
# how much larger a relative error becomes: JAX rounds x / sqrt(2), and e^(-x^2 / 2) is in the tail
CONDITION = {"beta_function": lambda a, b: 1 + sum(  # e to the sum of three logarithms
    np.nan_to_num(np.abs(scipy.special.gammaln(v.astype("f8"))), posinf=0) for v in
    (a, b, a.astype("f8") + b.astype("f8"))),
             "ndtr": lambda x: 1 + np.square(np.clip(x.astype("f8"), -40, 0)),
             "log_ndtr": lambda x: 1 + np.square(np.clip(x.astype("f8"), 0, 40))}


def wald_terms(got, _, mean, *_rest):
    """the smaller root of a square, mean + mean^2 y / 2, less a root that is next to it; or mean^2
    over that"""
    small = np.minimum(got, np.square(mean) / got)
    y = np.square((small - mean) / mean) / small
    return mean * (1 + mean * y / 2) * got / small


# what is left of larger terms: their size
TERMS = {"wald": wald_terms}
SCIPY = {"betainc": "regularized_incomplete_beta"}


# ---- both sides

Asked = collections.namedtuple("Asked", "variables operands want large")
REFUSALS = (TypeError, ValueError, IndexError, OverflowError, NotImplementedError, AssertionError,
            ZeroDivisionError, jax.errors.JaxRuntimeError)


def name_of(line):
    return lines.OPERATION.search(line.call)[0].removeprefix("tsr_")


def word(value):
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, np.dtype):
        return rows.NAMES[value]
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


def request(line, variables):
    """the line and its variables as functions.c reads them, and the arrays"""
    words, operands = [], []
    for name, value in variables.items():
        if isinstance(value, np.ndarray):
            words.append(f"{name}=@{len(operands)}" + ":bf16" * (value.dtype == rows.BF16))
            operands.append(value)
        elif value is not None:
            words.append(f"{name}={word(value)}")
    return f"call {line.number} {' '.join(words)}", operands


def leaves_of(code, line, given):
    """all results of the line, as JAX has them"""
    def f(x):
        return eval(code, NAMES, {**given, "x": x})
    if line.kind == "MAP":
        f = (jax.pmap if given["flag3"] else jax.vmap)(f, axis_name="i")
    return jax.tree.leaves(f(given.get("x")))


def in_jax(code, line, variables, large):
    """JAX's results, or None where it refuses"""
    with jax.enable_x64(large), np.errstate(all="ignore"):
        try:
            return [np.asarray(y) for y in leaves_of(code, line, arrays_of(variables))]
        except REFUSALS:
            return None


def arrays_of(variables):
    return {name: jnp.asarray(v) if isinstance(v, np.ndarray) else v
            for name, v in variables.items()}


def wider(value, kinds="fcV"):
    """in more digits"""
    if isinstance(value, np.ndarray) and value.dtype.kind in kinds:
        return value.astype("c16" if value.dtype.kind == "c" else "f8")
    return np.dtype("f8") if isinstance(value, np.dtype) and value in rows.FLOATS else value


# ---- deliberate differences, besides those of the rows that operations are: docs/numerics.md has
# each of these texts in its table

DIFFERENCES = []
ROWS = {"maximum": "max", "minimum": "min", "max": "reduce_max", "min": "reduce_min",
        "ptp": "reduce_max", "at_max": "max", "at_min": "min", "sum": "reduce_sum",
        "prod": "reduce_prod", "nanprod": "reduce_prod",
        **dict.fromkeys("dot matmul inner vdot vecdot matvec vecmat einsum tensordot "
                        "multi_dot".split(), "dot_general")}
ELEMENTWISE = set("mul div reciprocal square pow float_power integer_pow logit sinc".split())
PRODUCTS = set("prod mean var std average cumprod nancumprod cumulative_prod nanprod dot matmul "
               "dot_general inner outer vdot vecdot matvec vecmat kron cross einsum tensordot "
               "multi_dot polymul poly polyval trace pmean at_mul convolve correlate corrcoef cov "
               "nanmean nanvar nanstd".split())


def deliberate(reason):
    """the test: (name of the operation, asked, got, where) -> is it this difference? Where they
    differ is a list of arrays, or None for other shapes or dtypes"""
    def add(test):
        DIFFERENCES.append((reason, test))
        return test
    return add


def lies_in(where, operands, mask_of):
    """are all elements that differ made of operands for which the mask is true?"""
    if where is None:
        return False
    for differs in where:
        mask = np.zeros((), bool)
        for x in operands:
            mask = mask | (mask_of(x) if x.shape in ((), differs.shape) else mask_of(x).any())
        if np.any(differs & ~mask):
            return False
    return True


def log_of_most(x):
    return math.log(float(np.finfo(x.dtype).max))


@deliberate(rows.PARTS)
def overflows_in_parts(name, asked, _, where):
    if name in ELEMENTWISE:
        return lies_in(where, asked.operands, rows.wild)
    return name in PRODUCTS and where is not None and \
        any(rows.wild(x).any() for x in asked.operands)


@deliberate(rows.LIMITS)
def has_a_limit(name, asked, _, where):
    return name in ("exp", "exp2", "logistic", "expm1", "logsumexp") and lies_in(
        where, asked.operands, lambda x: (x.dtype.kind == "c") & (
            ~np.isfinite(x) | ((name == "expm1") & (x.real > log_of_most(x)))))


@deliberate("`zeta`, `polygamma` of f32 and narrower")
def has_rounded_order(name, asked, got, where):
    """whether it is even is lost in f32; of an even one the sides of a pole have two signs"""
    if name != "polygamma" or where is None or asked.large:
        return False
    order, at = np.broadcast_arrays(*(v.astype("f8") for v in asked.operands))
    pole = (at <= 0) & (at == np.floor(at))
    return bool(np.all(~where[0] | (np.isnan(got[0]) & pole & (order >= 2 ** 23))))


@deliberate("`all`, `any` of complex numbers")
def is_imaginary(name, asked, _, where):
    return name in ("all", "any") and \
        lies_in(where, asked.operands, lambda x: (x.real == 0) & (x.imag != 0))


@deliberate("`rel_entr`, `kl_div` of infinity")
def is_infinite_entropy(name, asked, _, where):
    return name in ("rel_entr", "kl_div") and lies_in(where, asked.operands, np.isinf)


@deliberate("`polyval` at infinite places")
def starts_with_nan(name, asked, _, where):
    return name == "polyval" and lies_in(where, [asked.variables["y"]], np.isinf)


@deliberate("`convolve` and kin of infinite numbers, over padding")
def has_products_with_padding(name, asked, got, where):
    return name in ("convolve", "correlate", "polymul") and where is not None and \
        not all(np.all(np.isfinite(x)) for x in asked.operands) and \
        not np.any(where[0] & ~np.isnan(got[0]))


@deliberate("`digitize` with a NaN as the last edge")
def ends_with_nan(name, asked, got, where):
    """NumPy too takes such edges for rising ones"""
    return name == "digitize" and where is not None and bool(np.isnan(
        asked.variables["x"].astype("f8")[-1:]).any()) and np.array_equal(got[0], np.digitize(
            asked.variables["y"].astype("f8"), asked.variables["x"].astype("f8"),
            asked.variables["flag"]))


@deliberate("`softmax`, `log_softmax`, `standardize` of integers")
def is_of_integers(name, asked, *_):
    return name in ("softmax", "log_softmax", "standardize") and \
        asked.operands[0].dtype.kind in "iub"


@deliberate("`pmax`, `pmin` between devices of which one has a NaN")
def loses_nan(name, asked, _, where):
    return name in ("pmax", "pmin") and asked.variables["flag3"] and where is not None and \
        bool(np.isnan(asked.operands[0]).any())


@deliberate("`pmax`, `pmin` of complex numbers")
def has_no_largest(name, asked, got, _):
    return name in ("pmax", "pmin") and isinstance(got, str) and \
        asked.operands[0].dtype.kind == "c"


@deliberate("`irfft`, `hfft` of a dim of size 1 without a length")
def has_no_length(name, asked, got, _):
    return name in ("irfft", "hfft") and isinstance(got, str) and asked.variables["n"] is None


def reason_for(line, code, asked, got):
    """of a difference that is meant, or None"""
    name = name_of(line)
    where = None
    if isinstance(got, list) and len(got) == len(asked.want):
        pairs = list(zip(got, asked.want))
        if all(mine.dtype == theirs.dtype and mine.shape == theirs.shape
               for mine, theirs in pairs):
            scale = scale_of(line, asked.operands, asked.want)
            where = [rows.apart_of(*pair, scale) > ulps_of(line, asked.operands, pair[1].dtype)
                     for pair in pairs]
    for reason, test in DIFFERENCES:
        if test(name, asked, got, where):
            return reason
    draw = rows.Draw(asked.operands, "right=true" if name == "eig" else "", None)
    for reason, test in rows.DIFFERENCES:
        if test(ROWS.get(name, name), draw, got, asked.want):
            return reason
    return rows.NEARER if is_nearer(line, code, asked, got) else None


def second_opinions(line, code, asked):
    """the results with more digits: JAX's in 64 bits, and those of NumPy and SciPy"""
    if not asked.large:
        for kinds in "fcV", "fcViu":  # JAX computes with narrow integers in f32
            given = {k: wider(v, kinds) for k, v in asked.variables.items()}
            yield in_jax(code, line, given, True)
    for real, complex_ in (("g", "G"), ("d", "D")):
        given = {k: v.astype(complex_ if v.dtype.kind == "c" else real)
                 if isinstance(v, np.ndarray) and v.dtype.kind in "fcV" else v
                 for k, v in asked.variables.items()}
        try:
            with np.errstate(all="ignore"):
                yield [np.asarray(y) for y in jax.tree.leaves(eval(code, IN_NUMPY, given))]
        except Exception:  # whatever NumPy does not have
            pass


def is_nearer(line, code, asked, got):
    """JAX is further from what more digits give, wherever both are apart"""
    if isinstance(got, str) or "key" in asked.variables or line.kind == "MAP":
        return False
    if any(mine.dtype != theirs.dtype or mine.shape != theirs.shape or
           mine.dtype not in rows.FLOATS + rows.COMPLEX for mine, theirs in zip(got, asked.want)):
        return False
    scale = scale_of(line, asked.operands, asked.want)
    most_apart = [ulps_of(line, asked.operands, mine.dtype) for mine in got]
    for exact in filter(None, second_opinions(line, code, asked)):
        if len(exact) == len(got) and all(map(
                lambda *four: nearer_of(scale, *four), most_apart, got, asked.want, exact)):
            return True
    return False


def nearer_of(scale, most_apart, mine, theirs, true):
    if true.shape != mine.shape:
        return False
    true = true.astype(np.clongdouble if true.dtype.kind == "c" else np.longdouble)
    apart, ours, other = (rows.each_distance(x, y, scale) for x, y in (
        (mine, theirs), (mine, true.astype(mine.dtype)), (theirs, true.astype(mine.dtype))))
    nearer = (ours <= most_apart) | (~np.isnan(true) & (ours <= other))
    return bool(np.all((apart <= most_apart) | nearer))


# ---- comparing

def scale_of(line, operands, want):
    if name_of(line) in OF_ONE:
        return 1.0
    if name_of(line) in TERMS:
        return TERMS[name_of(line)](want[0], *operands)
    kind = "sum" if name_of(line) in CANCEL else draws.SCALE[line.operands]
    if name_of(line) in CONDITION:
        return CONDITION[name_of(line)](*operands) * np.abs(np.nan_to_num(want[0]))
    if kind == "result":
        return max((float(np.nan_to_num(np.abs(y), posinf=0).max(initial=0)) for y in want
                    if y.dtype.kind in "fcV"), default=0.0)
    numbers = [np.nan_to_num(np.abs(x.astype("c16")), posinf=0) for x in operands
               if x.dtype.kind in "fcV"]
    if kind == "sum":
        return sum(np.abs(np.nan_to_num(x.astype("c16"), posinf=0)) for x in operands)
    if kind == "product":
        return float(np.prod([x.max(initial=0) for x in numbers]))
    if kind == "operand":
        return float(numbers[0].max(initial=0))
    return 0.0


def condition_of(x):
    """of these matrices the largest"""
    return float(np.linalg.cond(x.astype("c16")).max(initial=0))


def ulps_of(line, operands, dtype):
    """how far apart results may be, in units of the last place"""
    name = name_of(line)
    return max(draws.ULPS[line.operands], rows.ULPS_COMPLEX if dtype in rows.COMPLEX else 0,
               rows.ULPS[SCIPY.get(name, name)], ULPS.get(name, 0),
               8 * condition_of(operands[0]) if name in BY_CONDITION else 0)


def what_differs(line, asked, got):
    """None, or in a few words"""
    if isinstance(got, str):
        return "refused: " + got
    if len(got) != len(asked.want):
        return f"{len(got)} results, not {len(asked.want)}"
    scale = scale_of(line, asked.operands, asked.want)
    for mine, theirs in zip(got, asked.want):
        if mine.dtype != theirs.dtype or mine.shape != theirs.shape:
            return f"{rows.type_text(mine)}, not {rows.type_text(theirs)}"
        apart = rows.apart_of(mine, theirs, scale).max(initial=0)
        if apart > ulps_of(line, asked.operands, theirs.dtype):
            return f"{apart:.3g} ulp of {rows.NAMES[theirs.dtype]}"
    return None


def variables_of(line, source):
    return {name: np.asarray(value) if isinstance(value, np.generic) else value
            for name, value in draws.GROUPS[line.operands](source).items()}


def asked_of(line, code, count, seed):
    """so many draws that JAX takes, if so many are found"""
    found = []
    for k in range(MOST_TRIED * count):
        source = draws.Source(seed, line.call, k)
        variables = variables_of(line, source)
        want = in_jax(code, line, variables, source.large)
        if want is not None:
            operands = [v for v in variables.values() if isinstance(v, np.ndarray)]
            found.append(Asked(variables, operands, want, source.large))
        if len(found) == count:
            break
    return found


def usual_dtype(asked):
    """where JAX has 64-bit types on, they are the default here"""
    return "f64" if asked.large else "f32"


def check(program, line, count, seed):
    code = compile(line.jax, line.call, "eval")
    drawn, differ, meant = asked_of(line, code, count, seed), [], collections.Counter()
    answers = rows.answers_of(program, [request(line, a.variables) for a in drawn],
                              map(usual_dtype, drawn))
    for asked, got in zip(drawn, answers):
        what = what_differs(line, asked, got)
        if not what:
            continue
        reason = reason_for(line, code, asked, got)
        if reason:
            meant[reason] += 1
        else:
            differ.append((what, asked.variables, got, asked.want))
    return len(drawn), differ, meant


def main(check_line=check, doc=__doc__, usual_draws=200, some_have_none=False):
    options = rows.options_of(doc, usual_draws)
    wanted = {"tsr_" + name.removeprefix("tsr_") for name in options.names}
    some = [line for line in lines.table()[0] if not wanted or wanted & lines.drawn([line])]
    return rows.print_table(
        [(f"{line.call[:70]:70}", line) for line in some[options.some]],
        lambda line: check_line(options.program, line, options.draws, options.seed),
        options.draws, some_have_none)


if __name__ == "__main__":
    sys.exit(main())
