#!/usr/bin/env python3
"""gradients.py - derivatives of the public operations here and in JAX, by reverse mode.

usage: gradients.py PROGRAM [--draws N] [--seed N] [--lines A:B:STEP] [OPERATION ...]

The lines, and what a draw of one is, are those of run_functions.py, but of f32, f64 and complex
numbers where the line has such, and equal ones and zeros more often. Compared are the cotangents of
all operands that have any, or of those by which JAX differentiates, for cotangents of the results
that are small numbers. DIFFERENCES has the deliberate differences. Lines that JAX does not
differentiate have no draws."""
import collections
import sys

import run_functions as functions  # first: it sets the environment
import draws
import run_rows as rows

import jax
import jax.numpy as jnp
import numpy as np

SIGNATURES = 6  # for each of which JAX compiles anew
AS_FAR = 4  # where both are rounded, it is chance who is nearer
MOVED = "xyzwv"  # the order in which functions.c has their cotangents
# the results that are the same in any basis; cotangents of the others are 0
VALUES = {"eigh": [0], "svd": [1], "schur": []}
# whose derivatives are made of the results, and have the rounding of these: the scale is 1
OF_RESULTS = set("tanh expm1 soft_sign erf".split())
# the derivative of a quotient with parts that cancel far from 0
ULPS = {"logit": 1e5}

Asked = collections.namedtuple("Asked", "variables operands want large by made above")


class Source(draws.Source):
    """one draw of a line, of numbers that have derivatives"""

    def __init__(self, seed, text, k):
        super().__init__(seed, text, k % SIGNATURES)
        self.fill = np.random.default_rng([seed, *text.encode(), k % SIGNATURES, k])

    def dtype(self, kinds):
        some = [d for d in kinds if d in draws.SINGLE + rows.COMPLEX]
        fit = any((rows.part_of(d).itemsize == 8) == self.large for d in some)
        return super().dtype(some if fit else kinds)

    def of(self, kinds, shape=None):
        return self.halves(super().of(kinds, shape))

    def halves(self, x):
        """one time in three small multiples of 1/2, of which some are equal"""
        if x.dtype not in draws.SINGLE + rows.COMPLEX or self.fill.integers(3):
            return x
        return np.asarray(self.fill.integers(-4, 5, x.shape) / 2, x.dtype)

    def cotangent(self, y):
        """quarters, none of them 0"""
        def quarters():
            sizes = self.fill.integers(1, 9, y.shape) * self.fill.choice([-1, 1], y.shape)
            return np.asarray(sizes / 4)
        return np.asarray(quarters() + 1j * quarters() if y.dtype.kind == "c" else quarters(),
                          y.dtype)


# ---- both sides

def is_moved(x):
    return isinstance(x, np.ndarray) and x.dtype in rows.FLOATS + rows.COMPLEX


def pulled_back(code, line, variables, by, large, cotangent):
    """(the results, their cotangents, those of the variables `by`), or None where JAX has none"""
    with jax.enable_x64(large), np.errstate(all="ignore"):
        given = functions.arrays_of(variables)

        def f(*values):
            made = functions.leaves_of(code, line, {**given, **dict(zip(by, values))})
            return [y for y in made if jnp.issubdtype(y.dtype, jnp.inexact)]
        try:
            made, pull = jax.vjp(f, *(given[name] for name in by))
            above = [cotangent(k, y) for k, y in enumerate(made)]
            below = pull(list(map(jnp.asarray, above)))
            return [[np.asarray(y) for y in some] for some in (made, above, below)]
        except functions.REFUSALS:
            return None


def asked_of(line, code, count, seed):
    """the draws of so many that JAX differentiates, by all operands or else by one of them"""
    found, values = [], VALUES.get(functions.name_of(line))
    for k in range(count):
        source = Source(seed, line.call, k)
        variables = functions.variables_of(line, source)
        operands = [v for v in variables.values() if isinstance(v, np.ndarray)]
        moved = [name for name in MOVED if is_moved(variables.get(name))]

        def cotangent(at, y, source=source):
            return source.cotangent(y) * (values is None or at in values)
        for by in filter(None, ["".join(moved), *moved[:len(moved) > 1 and None]]):
            pulled = pulled_back(code, line, variables, by, source.large, cotangent)
            if pulled and pulled[1]:
                made, above, want = pulled
                found.append(Asked(variables, operands, want, source.large, by, made, above))
                break
    return found


# ---- comparing

def scale_of(line, asked):
    if functions.name_of(line) in OF_RESULTS:
        return 1.0
    if draws.SCALE[line.operands] is None:
        return 0.0
    return max(float(np.nan_to_num(np.abs(y), posinf=0, neginf=0).max(initial=0))
               for y in asked.want)


def ulps_of(line, asked, dtype):
    """The formulas of 64 bits are those of 32, where JAX in 64 bits can be the judge: there half of
    the digits are enough"""
    wide = rows.part_of(dtype) == np.dtype("f8")
    return max(2.0 ** 26 * wide, 1024, 16 * functions.ulps_of(line, asked.operands, dtype),
               ULPS.get(functions.name_of(line), 0))


def what_differs(line, asked, got):
    """None, or in a few words"""
    if isinstance(got, str):
        return "refused: " + got
    scale = scale_of(line, asked)
    for mine, theirs in zip(got, asked.want, strict=True):
        if mine.dtype != theirs.dtype or mine.shape != theirs.shape:
            return f"{rows.type_text(mine)}, not {rows.type_text(theirs)}"
        apart = rows.apart_of(mine, theirs, scale).max(initial=0)
        if apart > ulps_of(line, asked, theirs.dtype):
            return f"{apart:.3g} ulp of {rows.NAMES[theirs.dtype]}"
    return None


# ---- deliberate differences: docs/numerics.md has each of these texts in its table

DIFFERENCES = []


def deliberate(reason):
    """the test: (name of the operation, asked, mine, theirs) -> in which elements of an operand's
    cotangent this may be the difference. Where it is refused here, mine is None"""
    def add(test):
        DIFFERENCES.append((reason, test))
        return test
    return add


def combined(numbers, shape, mask_of):
    """which elements of this shape are made of numbers, or into numbers, for which the mask is
    true; numbers of another shape count all together"""
    mask = np.zeros(shape, bool)
    for x in numbers:
        if x.dtype in rows.FLOATS + rows.COMPLEX:
            mask = mask | (mask_of(x) if x.shape == shape else mask_of(x).any())
    return mask


@deliberate("derivatives where the value is NaN")
def has_no_value(_, asked, mine, theirs):
    return combined(asked.made, theirs.shape, np.isnan)


@deliberate("complex products and means with parts that overflow or are infinite")
def overflows_in_parts(name, asked, mine, theirs):
    finite = np.isfinite(mine) & np.isfinite(theirs)
    return name in functions.PRODUCTS and \
        ~finite & combined(asked.operands, theirs.shape, rows.wild)


@deliberate("`max`, `min` of complex numbers of which one has a NaN")
def loses_part(name, asked, mine, theirs):
    return name in ("maximum", "minimum", "max", "min", "nanmax", "nanmin", "ptp") and \
        any(x.dtype.kind == "c" for x in asked.operands) and \
        combined(asked.operands, theirs.shape, np.isnan)


@deliberate("the derivative of complex `acosh` left of the imaginary axis")
def is_on_the_left(name, asked, mine, theirs):
    return name == "acosh" and np.signbit(asked.operands[0].real)


@deliberate("the derivative of `logit` at 0 and 1")
def is_at_the_end(name, asked, mine, theirs):
    x = asked.operands[0]
    return name == "logit" and (x == 0) | (x == 1) | ~np.isfinite(x)


@deliberate("derivatives of `logaddexp`, `logaddexp2` by what is beside an infinity")
def is_beside_infinity(name, asked, mine, theirs):
    return name in ("logaddexp", "logaddexp2") and combined(asked.made, theirs.shape, np.isinf)


@deliberate("the derivative of `log_ndtr` where x^2 overflows")
def is_far_below(name, asked, mine, theirs):
    return name == "log_ndtr" and np.isnan(theirs) & (asked.operands[0] < -1e18)


@deliberate("derivatives of `beta_function`, `betaln` by numbers below 0")
def is_negative(name, asked, mine, theirs):
    return name in ("beta_function", "betaln") and np.isnan(theirs) & \
        combined(asked.operands, theirs.shape, lambda x: x < 0)


@deliberate("`betaln` where an operand is 8 or more")
def is_by_stirling(name, asked, mine, theirs):
    return name in ("beta_function", "betaln") and \
        combined(asked.operands, theirs.shape, lambda x: x >= 8)


@deliberate("derivatives of `poch` where gamma functions overflow")
def has_no_ratio(name, asked, mine, theirs):
    return name == "poch" and \
        combined(asked.made, theirs.shape, lambda y: ~np.isfinite(y) | (y == 0))


@deliberate("derivatives of `softmax_cross_entropy` by labels that do not count")
def does_not_count(name, asked, mine, theirs):
    return name == "softmax_cross_entropy" and np.isnan(theirs) & (mine == 0)


@deliberate("derivatives of `zeta`")
def has_none(name, asked, mine, theirs):
    return name == "zeta" and mine is None


def nearer_of(line, code, asked, got):
    """of each cotangent the elements in which JAX in 64 bits is nearer to what is here, or about as
    far from both"""
    wide = {k: functions.wider(v) for k, v in asked.variables.items()}
    pulled = None if asked.large else pulled_back(
        code, line, wide, asked.by, True, lambda k, _: functions.wider(asked.above[k]))
    if not pulled:
        return [False] * len(got)
    scale, nearer = scale_of(line, asked), []
    for mine, theirs, true in zip(got, asked.want, pulled[2]):
        with np.errstate(all="ignore"):
            true = true.astype(mine.dtype)
        ours, other = (rows.each_distance(x, true, scale) for x in (mine, theirs))
        nearer.append(ours <= np.maximum(AS_FAR * other, ulps_of(line, asked, mine.dtype)))
    return nearer


def reasons_for(line, code, asked, got):
    """of a difference that is meant, or nothing"""
    name, reasons = functions.name_of(line), set()
    if isinstance(got, str):
        return {reason for reason, test in DIFFERENCES
                if test is has_none and test(name, asked, None, None)}
    scale = scale_of(line, asked)
    for mine, theirs, nearer in zip(got, asked.want, nearer_of(line, code, asked, got)):
        if mine.dtype != theirs.dtype or mine.shape != theirs.shape:
            return set()
        where = rows.apart_of(mine, theirs, scale) > ulps_of(line, asked, theirs.dtype)
        for reason, mask in [(rows.NEARER, nearer),
                             *((reason, test(name, asked, mine, theirs))
                               for reason, test in DIFFERENCES)]:
            if np.any(where & mask):
                reasons.add(reason)
                where = where & ~mask
        if np.any(where):
            return set()
    return reasons


# ---- a line

def request(line, asked):
    text, operands = functions.request(line, asked.variables)
    _, number, *words = text.split(" ")
    head = f"gradient {number} {len(asked.above)} {asked.by}"
    return " ".join([head, *words]), operands + asked.above


def check(program, line, count, seed):
    code = compile(line.jax, line.call, "eval")
    drawn, differ, meant = asked_of(line, code, count, seed), [], collections.Counter()
    answers = rows.answers_of(program, [request(line, asked) for asked in drawn],
                              map(functions.usual_dtype, drawn))
    for asked, got in zip(drawn, answers):
        what = what_differs(line, asked, got)
        if not what:
            continue
        reasons = reasons_for(line, code, asked, got)
        meant.update(reasons)
        if not reasons:
            above = {f"above {k}": c for k, c in enumerate(asked.above)}
            differ.append((what, {**asked.variables, **above}, got, asked.want))
    return len(drawn), differ, meant


if __name__ == "__main__":
    sys.exit(functions.main(check, __doc__, 20, some_have_none=True))
