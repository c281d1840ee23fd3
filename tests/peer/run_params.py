#!/usr/bin/env python3
"""run_params.py - parameters drawn here and by Flax from the same seed: run_params.py PROGRAM
[--seed N]

The program, params.c, writes PATH.npy for each leaf of a model that is built here of Flax's layers
from nnx.Rngs(SEED). Names and numbers of parameters must be the same: Flax numbers them as its
constructors make them, zeros and ones too, and no running statistics. It also writes
made.LAYER.npy, what layers make of waves with these parameters."""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

os.environ["JAX_PLATFORMS"] = "cpu"

import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
from flax import nnx  # noqa: E402

WORDS, H, HEADS, UP = 40, 16, 4, 64
normal = nnx.initializers.normal()


class Block(nnx.Module):
    def __init__(self, rngs):
        self.norm = nnx.LayerNorm(H, scale_init=normal, bias_init=normal, rngs=rngs)
        self.attention = nnx.MultiHeadAttention(HEADS, H, bias_init=normal, decode=False, rngs=rngs)
        self.up = nnx.Linear(H, UP, bias_init=normal, rngs=rngs)
        self.down = nnx.Linear(UP, H, bias_init=normal, rngs=rngs)


class Model(nnx.Module):
    def __init__(self, rngs):
        self.embed = nnx.Embed(WORDS, H, rngs=rngs)
        self.blocks = nnx.List([Block(rngs) for _ in range(2)])
        self.conv = nnx.Conv(H, H, (3, 3), kernel_init=nnx.initializers.he_normal(),
                             bias_init=normal, rngs=rngs)
        self.batch = nnx.BatchNorm(H, scale_init=normal, bias_init=normal, rngs=rngs)
        self.gru = nnx.GRUCell(H, H, bias_init=normal, rngs=rngs)
        self.lstm = nnx.OptimizedLSTMCell(H, H, kernel_init=nnx.initializers.glorot_uniform(),
                                          bias_init=nnx.initializers.ones_init(), rngs=rngs)
        self.head = nnx.Linear(H, WORDS, bias_init=normal, rngs=rngs)


def wave(*shape):
    return jnp.sin(jnp.arange(np.prod(shape), dtype="f4")).reshape(shape)


def made_of(model):
    """name -> what a layer makes"""
    x = wave(8, H)
    h = jnp.cos(x)
    (c, new), _ = model.lstm((h * 2, h), x)
    return {"embed": model.embed(jnp.arange(WORDS)), "norm": model.blocks[0].norm(x),
            "attention": model.blocks[0].attention(wave(2, 5, H)),
            "up": model.blocks[0].up(x), "conv": model.conv(wave(2, 5, 4, H)),
            "batch": model.batch(x), "mean": model.batch.mean[...],
            "var": model.batch.var[...], "gru": model.gru(h, x)[0], "lstm_c": c, "lstm_h": new}


def path_of(keys):
    """("blocks", 0, "norm", "scale") as C writes it: blocks[0].norm.scale"""
    return "".join(f"[{k}]" if isinstance(k, int) else f".{k}" for k in keys)[1:]


def tolerance_of(name):
    """of the largest number; results add up some"""
    return 4e-6 if name.startswith("made.") else 1e-6


def faults(want, folder):
    found = {path.name.removesuffix(".npy"): np.load(path) for path in folder.glob("*.npy")}
    for name in sorted(want.keys() ^ found.keys()):
        yield f"{name} is {'not here' if name in want else 'not in Flax'}"
    for name in want.keys() & found.keys():
        x, y = want[name], found[name]
        if x.shape != y.shape or x.dtype != y.dtype:
            yield f"{name} is {y.dtype}{y.shape} here, {x.dtype}{x.shape} in Flax"
        elif not np.max(np.abs(x - y)) <= tolerance_of(name) * np.max(np.abs(x)):
            yield f"{name} differs by {np.max(np.abs(x - y))} of {np.max(np.abs(x))}"


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("program")
    arguments.add_argument("--seed", type=int, default=1)
    given = arguments.parse_args()
    model = Model(nnx.Rngs(given.seed))
    state = nnx.to_flat_state(nnx.state(model, nnx.Param))
    want = {path_of(path): np.asarray(jnp.asarray(value[...])) for path, value in state}
    want |= {f"made.{name}": np.asarray(y) for name, y in made_of(model).items()}
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([given.program, folder, str(given.seed)], check=True)
        wrong = list(faults(want, pathlib.Path(folder)))
    print("\n".join([*wrong, f"{len(want)} parameters and results of Flax's layers, "
                              f"{len(wrong)} differ"]))
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
