#!/usr/bin/env python3
"""run_names.py - calls functions of JAX's modules by tsr.jax, and compares the results with JAX's.

    run_names.py tests/bindings/names/numpy.calls               with the text beside it, made by JAX
    run_names.py tests/bindings/names/numpy.calls --jax         writes that text; needs JAX 0.10.2
    run_names.py tests/bindings/names/numpy.calls --draws 5     in both, of other numbers each time
    run_names.py tests/bindings/names/numpy.calls --show        prints the results

Each line of a file is an expression, or a function and its arguments after a bar, which is called
under jax.jit, too; lines that begin with two spaces go on. Arguments are drawn: f(2, 3), floats in
[-2, 2); p(3), floats in [0.1, 2); i(4), integers in [-5, 5); n(4), integers in [0, 5); b(2, 3),
bools; c(3), complex; s(3), sorted floats; spd(3), a positive definite matrix. Numbers may differ by
2e-4 of their size, or by 2e-5."""
import argparse
import importlib
import os
import pathlib
import re
import subprocess
import sys
import warnings
import zlib

import numpy as np

TOLERANCE = 2e-4, 2e-5


def space_of(seed):
    """What expressions may name, for one line."""
    import jax
    import jax.numpy as jnp
    draw = np.random.RandomState(seed)

    def f(*shape):
        return jnp.asarray(np.round(draw.uniform(-2, 2, shape), 3).astype("float32"))

    def p(*shape):
        return jnp.asarray(np.round(draw.uniform(.1, 2, shape), 3).astype("float32"))

    def i(*shape):
        return jnp.asarray(draw.randint(-5, 5, shape).astype("int32"))

    def n(*shape):
        return jnp.asarray(draw.randint(0, 5, shape).astype("int32"))

    def b(*shape):
        return jnp.asarray(draw.randint(0, 2, shape).astype("bool"))

    def c(*shape):
        return jnp.asarray((draw.uniform(-2, 2, shape) + 1j * draw.uniform(-2, 2, shape))
                           .astype("complex64"))

    def s(size):
        return jnp.asarray(np.sort(draw.uniform(-2, 2, size)).astype("float32"))

    def spd(size):
        a = draw.uniform(-1, 1, (size, size))
        return jnp.asarray((a @ a.T + size * np.eye(size)).astype("float32"))

    return {"jax": jax, "jnp": jnp, "np": np, "lax": jax.lax, "f": f, "p": p, "i": i, "n": n,
            "b": b, "c": c, "s": s, "spd": spd, "key": jax.random.key(seed % 1000)}


def told(x):
    """A result as text: types, sizes, numbers."""
    if isinstance(x, dict):
        return "{" + ", ".join(f"{k}: {told(v)}" for k, v in sorted(x.items())) + "}"
    if isinstance(x, (tuple, list)):
        return "(" + ", ".join(map(told, x)) + ")"
    if isinstance(x, np.dtype):
        return str(x)
    if hasattr(x, "shape") and hasattr(x, "dtype"):
        x = x if not str(x.dtype).startswith("key") else np.zeros(x.shape)
        weak = " weak" * bool(getattr(x, "weak_type", False))
        if str(x.dtype) == "bfloat16":
            return f"bfloat16{weak} {x.shape} {told_numbers(np.asarray(x.astype('float32')))}"
        return f"{x.dtype}{weak} {x.shape} {told_numbers(np.asarray(x))}"
    if type(x) in (int, float, str, bool, type(None)):
        return repr(x)
    return type(x).__name__


def told_numbers(x):
    if x.dtype.kind == "c":
        return " ".join(f"{y.real:.6g} {y.imag:.6g} j" for y in x.ravel().tolist())
    return " ".join(f"{y:.6g}" if x.dtype.kind == "f" else str(y) for y in x.ravel().tolist())


def lines_of(path):
    """(what seeds the draw, the expression), twice where it is a function and its arguments."""
    for line in path.read_text(encoding="utf-8").replace("\n  ", " ").splitlines():
        if not line or line.startswith("#"):
            continue
        function, bar, arguments = line.partition(" | ")
        if bar:
            yield line, f"({function})({arguments})"
            yield line, f"jax.jit({function})({arguments})"
        else:
            yield line, line


def run(path, draw, own):
    """Prints the results of all lines."""
    if own:
        import tsr.jax
        tsr.jax.install()
    warnings.simplefilter("ignore")
    for name in ("flatten_util", "ad_checkpoint", "scipy.stats", "scipy.signal",
                 "scipy.fft", "scipy.ndimage", "ops"):
        importlib.import_module(f"jax.{name}")
    for line, expression in lines_of(path):
        seed = zlib.crc32(line.encode()) % 2**31 + draw
        print(f"{expression}\n  {result(expression, space_of(seed))}")


def result(expression, space):
    try:
        return told(eval(expression, space))
    except Exception as error:
        if os.environ.get("TSR_ERRORS"):
            return f"raises {type(error).__name__}: {str(error)[:200]!r}"
        return "raises"


NUMBER = r"-?(?:\d+\.?\d*(?:e[-+]?\d+)?|inf|nan)"
WORD = re.compile(rf"{NUMBER}|\S")


def close(a, b):
    if a == b:
        return True
    if not (re.fullmatch(NUMBER, a) and re.fullmatch(NUMBER, b)):
        return False
    x, y = float(a), float(b)
    return abs(x - y) <= TOLERANCE[1] + TOLERANCE[0] * abs(y)


def compare(got, want):
    """Prints what differs; how many lines do."""
    wrong, expression = 0, ""
    if len(got) != len(want):
        print(f"{len(got)} lines, and not {len(want)}")
        wrong += 1
    for a, b in zip(got, want):
        if not a.startswith("  "):
            expression = a
        words = WORD.findall(a), WORD.findall(b)
        if len(words[0]) != len(words[1]) or not all(map(close, *words)):
            print(f"{expression}\n  here {a.strip()[:300]}\n  JAX  {b.strip()[:300]}")
            wrong += 1
    return wrong


def output(given, draw, own):
    command = [sys.executable, __file__, str(given.file), "--run", "own" if own else "jax",
               "--draw", str(draw)]
    ran = subprocess.run(command, stdout=subprocess.PIPE, check=True,
                         env={**os.environ, "JAX_PLATFORMS": "cpu", "PYTHONIOENCODING": "utf-8"})
    return ran.stdout.decode("utf-8").splitlines()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("--jax", action="store_true")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--draws", type=int, default=0)
    parser.add_argument("--run", choices=("own", "jax"))
    parser.add_argument("--draw", type=int, default=0)
    given = parser.parse_args()
    golden = given.file.with_suffix(".txt")
    if given.run:
        run(given.file, given.draw, given.run == "own")
        return 0
    if given.jax:
        golden.write_text("\n".join(output(given, 0, False)) + "\n", encoding="utf-8")
        return 0
    if given.show:
        print("\n".join(output(given, given.draw, True)))
        return 0
    wrong = 0
    for draw in range(1, given.draws + 1):
        wrong += compare(output(given, draw, True), output(given, draw, False))
    if not given.draws:
        wrong = compare(output(given, 0, True), golden.read_text(encoding="utf-8").splitlines())
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main())
