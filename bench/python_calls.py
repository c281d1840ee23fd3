#!/usr/bin/env python3
"""python_calls.py - what a call takes from Python, here and in JAX: python_calls.py [--rounds 3]

Runs itself in alternation for both, by the interpreter that runs it, which has JAX; the module is
that of the tree, and its library that of TSR_LIBRARY or build/release. Prints microseconds a call,
the least of all rounds and their median."""
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


def cases(which):
    """name: a call of it"""
    if which == "tsr":
        import tsr
        tsr.init(devices=1)
        ones, jit = tsr.ones, tsr.jit
    else:
        import jax
        ones, jit = jax.numpy.ones, jax.jit
    x, y = ones((16,)), ones((16,))
    f = jit(lambda x, y: x * 2 + y)
    g = jit(lambda t: {"w": t["w"] + 1, "b": t["b"]})
    tree = {"w": x, "b": [y, y]}
    return {"x + y": lambda: x + y, "x + 2.0": lambda: x + 2.0, "jitted": lambda: f(x, y),
            "jitted, of a tree": lambda: g(tree),
            "x + y, waited for": lambda: (x + y).block_until_ready(),
            "jitted, waited for": lambda: f(x, y).block_until_ready()}


def measure(which):
    """microseconds a call, of each batch"""
    times = {}
    for name, call in cases(which).items():
        for _ in range(300):
            call()
        times[name] = []
        for _ in range(BATCHES):
            begin = time.perf_counter()
            for _ in range(CALLS):
                call()
            times[name].append((time.perf_counter() - begin) / CALLS * 1e6)
    return times


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--measure", choices=("tsr", "jax"))
    options = parser.parse_args()
    if options.measure:
        print(json.dumps(measure(options.measure)))
        return
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "bindings/python"),
                   "JAX_PLATFORMS": "cpu"}
    all_times = {"tsr": {}, "jax": {}}
    for _ in range(options.rounds):
        for which, times in all_times.items():
            done = subprocess.run([sys.executable, __file__, "--measure", which], check=True,
                                  stdout=subprocess.PIPE, env=environment)
            for name, found in json.loads(done.stdout).items():
                times.setdefault(name, []).extend(found)
    print(f"{'us a call, least (median)':28}{'here':>16}{'JAX':>16}")
    for name in all_times["tsr"]:
        texts = [f"{min(t[name]):.2f} ({statistics.median(t[name]):.2f})"
                 for t in all_times.values()]
        print(f"{name:28}{texts[0]:>16}{texts[1]:>16}")


if __name__ == "__main__":
    main()
