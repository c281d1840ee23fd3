#!/usr/bin/env python3
"""python_calls.py - measures calls from Python, by the modules tsr and tsr.jax and in JAX:
python_calls.py [--rounds 3]

Runs itself in alternation for all three, by the interpreter that runs it, which has JAX; the
modules are those of the tree, and their library that of TSR_LIBRARY or build/release. Prints
microseconds a call, the least of all rounds and their median."""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
CALLS, BATCHES = 2000, 9
WHICH = ("tsr", "tsr.jax", "jax")


def cases(which):
    """name: a call of it"""
    if which == "tsr":
        import tsr
        tsr.init(devices=1)
        ones, jit, grad, total = tsr.ones, tsr.jit, tsr.grad, tsr.sum
    else:
        if which == "tsr.jax":
            import tsr.jax
            tsr.jax.install()
        import jax
        ones, jit, grad, total = jax.numpy.ones, jax.jit, jax.grad, jax.numpy.sum
    x, y = ones((16,)), ones((16,))
    f = jit(lambda x, y: x * 2 + y)
    g = jit(lambda t: {"w": t["w"] + 1, "b": t["b"]})
    h = jit(lambda x, n: x * n, static_argnums=1)
    tree = {"w": x, "b": [y, y]}
    return {"x + y": lambda: x + y, "x + 2.0": lambda: x + 2.0, "sum(x)": lambda: total(x),
            "jitted": lambda: f(x, y),
            "jitted, of a number": lambda: f(x, 2.0), "jitted, static": lambda: h(x, 3),
            "jitted, of a tree": lambda: g(tree),
            "grad, traced": lambda: grad(lambda x: total(x * x))(x),
            "x + y, waited for": lambda: (x + y).block_until_ready(),
            "jitted, waited for": lambda: f(x, y).block_until_ready()}


def measure(which):
    """microseconds a call, of each batch"""
    times = {}
    for name, call in cases(which).items():
        calls = CALLS // 20 if "traced" in name else CALLS
        for _ in range(calls // 7):
            call()
        times[name] = []
        for _ in range(BATCHES):
            begin = time.perf_counter()
            for _ in range(calls):
                call()
            times[name].append((time.perf_counter() - begin) / calls * 1e6)
    return times


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--measure", choices=WHICH)
    options = parser.parse_args()
    if options.measure:
        print(json.dumps(measure(options.measure)))
        return
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "bindings/python"),
                   "JAX_PLATFORMS": "cpu"}
    all_times = {which: {} for which in WHICH}
    for _ in range(options.rounds):
        for which, times in all_times.items():
            done = subprocess.run([sys.executable, __file__, "--measure", which], check=True,
                                  stdout=subprocess.PIPE, env=environment)
            for name, found in json.loads(done.stdout).items():
                times.setdefault(name, []).extend(found)
    print(f"{'us a call, least (median)':28}" + "".join(f"{which:>18}" for which in WHICH))
    for name in all_times["tsr"]:
        texts = [f"{min(t[name]):.2f} ({statistics.median(t[name]):.2f})"
                 for t in all_times.values()]
        print(f"{name:28}" + "".join(f"{text:>18}" for text in texts))


if __name__ == "__main__":
    main()
