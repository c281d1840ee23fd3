#!/usr/bin/env python3
"""run_optimizers.py - 50 steps of each optimiser, and 50 values of each schedule, here and in
Optax: run_optimizers.py PROGRAM FOLDER, or run_optimizers.py --record

optimizers.def has both. The gradients are the same numbers on both sides, so that each step differs
by its rounding alone. Prints the largest difference of each, in parts of what is allowed. --record
writes tests/unit/data/optimizers.tsv: for each a number that depends on all of RECORDED steps."""
import math
import os
import pathlib
import re
import subprocess
import sys

# each operation on bf16 is rounded, as written
os.environ["XLA_FLAGS"] = "--xla_allow_excess_precision=false " + os.environ.get("XLA_FLAGS", "")
sys.dont_write_bytecode = True

import lines  # noqa: E402

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
import optax  # noqa: E402

STEPS, RECORDED = 50, 10
DIMS = (8, 16), (6,), (4, 8, 5)
HEAD = re.compile(r"^(OPTIMIZER|SCHEDULE)\(", re.M)
RTOL = 2e-6    # of numbers near 1, after 50 steps that round differently


def table():
    """(kind, name, call in Optax) of each line"""
    text = (lines.HERE / "optimizers.def").read_text(encoding="utf-8")
    for match in HEAD.finditer(text):
        name, _, there = lines.parts_of(text[match.end():])
        yield match[1], name, there


def trajectory(optimizer, params, grads):
    """the parameters behind each step, by parameter; grads: by parameter, of all steps"""
    state = optimizer.init(params)

    @jax.jit
    def step(params, state, g):
        updates, state = optimizer.update(g, state, params)
        return optax.apply_updates(params, updates), state

    behind = []
    for i in range(len(grads[0])):
        params, state = step(params, state, [g[i] for g in grads])
        behind.append(params)
    return [np.stack(each) for each in zip(*behind)]


def compare(name, ours, theirs):
    """how much of the tolerance the largest difference takes; above 1 it is too large"""
    ours, theirs = np.asarray(ours, np.float64), np.asarray(theirs, np.float64)
    if ours.shape != theirs.shape:
        print(f"{name}: {ours.shape} here, {theirs.shape} in Optax")
        return np.inf
    apart = np.abs(ours - theirs) / (RTOL * (np.abs(theirs) + 1))
    return np.inf if np.isnan(apart).any() else float(apart.max())


def values(schedule, steps):
    return jax.vmap(lambda i: jnp.asarray(schedule(i), jnp.float32))(
        jnp.arange(steps, dtype=jnp.int32))


def scattered(seed):
    """as tests/support/optimizers.h"""
    k = [np.arange(first, first + math.prod(d), dtype=np.float32)
         for first, d in zip((100 * seed, 100 * seed + 31, 100 * seed + 57), DIMS)]
    return [np.sin(k * k * np.float32(0.7)).reshape(d) for k, d in zip(k, DIMS)]


def weighed(x):
    x = np.asarray(x, np.float64).ravel()
    return float(np.sum(x * np.cos(np.arange(x.size))))


def record():
    steps = [scattered(1 + i) for i in range(RECORDED)]
    grads = [np.stack(each) for each in zip(*steps)]
    lines_of = []
    for kind, name, there in table():
        made = eval(there, {"optax": optax, "jnp": jnp})
        total = weighed(values(made, STEPS)) if kind == "SCHEDULE" else \
            sum(weighed(x[-1]) for x in trajectory(made, scattered(0), grads))
        lines_of.append(f"{name}\t{total:.9g}\n")
    to = lines.HERE.parent / "unit/data/optimizers.tsv"
    to.write_text("".join(lines_of), encoding="utf-8")


def main():
    if sys.argv[1:] == ["--record"]:
        return record()
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    draw = np.random.default_rng(7)
    params = [draw.normal(size=d).astype(np.float32) for d in DIMS]
    grads = [draw.normal(size=(STEPS, *d)).astype(np.float32) for d in DIMS]
    for k in range(len(DIMS)):
        np.save(folder / f"p{k}.npy", params[k])
        np.save(folder / f"g{k}.npy", grads[k])
    code = subprocess.run([program, folder]).returncode
    wrong = 0
    for kind, name, there in table():
        made = eval(there, {"optax": optax, "jnp": jnp})
        if kind == "SCHEDULE":
            worst = compare(name, np.load(folder / f"{name}.npy"), values(made, STEPS))
        else:
            theirs = trajectory(made, params, grads)
            worst = max(compare(name, np.load(folder / f"{name}.{k}.npy"), theirs[k])
                        for k in range(len(DIMS)))
        print(f"{name}: {worst:.2f} of the tolerance" + (", wrong" * (worst > 1)))
        wrong += worst > 1
    print(f"{wrong} optimisers and schedules differ from Optax")
    return bool(wrong or code)


sys.exit(main())
