#!/usr/bin/env python3
"""run_jax.py - runs the recipes of a folder in JAX, and compares the results with the library's.

usage: run_jax.py FOLDER

tests/peer/sample.c writes the folder: for each program NAME.txt (support/recipe_text.c has the
format), NAME.inK.npy and NAME.outK.npy. A program is interpreted here with jax.vmap, jax.grad,
jax.jvp, jax.jit, jax.lax.scan, jax.lax.cond, jax.shard_map, jax.pmap, jax.checkpoint, custom rules
and jax.random, as it is written. Prints a table, and what differs."""
import collections
import functools
import math
import os
import pathlib
import re
import subprocess
import sys

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
os.environ["JAX_PLATFORMS"] = "cpu"

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
from jax import lax  # noqa: E402
from jax.sharding import AxisType, PartitionSpec  # noqa: E402

jax.config.update("jax_enable_x64", True)
PROGRAMS_A_PROCESS = 100
# of the largest number on the way: the samples are such that errors grow at most 300-fold
TOLERANCE = {"f64": 1e-12, "f32": 1e-4}


# ---- reading

class Step:
    """results = operation key=value ..."""

    def __init__(self, line):
        left, right = line.split(" = ")
        self.results = [int(word.split(":")[0]) for word in left.split()]
        self.op, *words = right.split()
        self.keys = dict(word.split("=", 1) for word in words)

    def ints(self, key):
        """"1,-,2" as [1, None, 2]"""
        text = self.keys.get(key, "")
        return [None if word == "-" else int(word) for word in text.split(",")] if text else []

    def int(self, key):
        return int(self.keys.get(key, 0))

    def axes(self, key):
        return tuple(self.keys[key].split("*"))

    def specs(self, key):
        specs = []
        for text in self.keys[key].split(";"):
            entries = [None if entry == "-" else tuple(entry.split("*"))
                       for entry in text.split(",") if entry]
            specs.append(PartitionSpec(*entries))
        return specs


class Region:
    def __init__(self):
        self.steps, self.results = [], []


class Program:
    def __init__(self, path):
        self.path, self.regions, self.mesh, self.checked = path, [], None, False
        for line in path.read_text().splitlines():
            words = line.split()
            if words[0] == "program":
                self.keys = dict(word.split("=") for word in words[1:])
            elif words[0] == "mesh":
                sizes = [word.split("=") for word in words[2:]]
                shape, names = [int(size) for _, size in sizes], [name for name, _ in sizes]
                devices = np.array(jax.devices()[:math.prod(shape)]).reshape(shape)
                types = (AxisType.Auto,) * len(shape)
                self.mesh = jax.sharding.Mesh(devices, names, axis_types=types)
            elif words[0] == "region":
                self.regions.append(Region())
            elif words[0].startswith("return="):
                self.regions[-1].results = [int(n) for n in words[0][7:].split(",")]
            elif " = " in line:
                self.regions[-1].steps.append(Step(line))
        self.dtype = {"f64": jnp.float64, "f32": jnp.float32}[self.keys["dtype"]]

    def arrays(self, kind):
        paths = self.path.parent.glob(f"{self.path.stem}.{kind}*.npy")
        return [np.load(path) for path in sorted(paths)]

    def stack(self, number=0):
        """kinds of the nests, the deepest first found"""
        below = []
        for step in self.regions[number].steps:
            for inner in step.ints("region"):
                stack = [step.op] + self.stack(inner)
                below = max(below, stack, key=len)
        return below


# ---- operations

UNARY = {
    "neg": jnp.negative, "sin": jnp.sin, "cos": jnp.cos, "tanh": jnp.tanh,
    "logistic": jax.nn.sigmoid, "exp": jnp.exp, "square": jnp.square,
    "cube": lambda x: lax.integer_pow(x, 3), "abs": jnp.abs, "relu": jax.nn.relu,
    "log1p_square": lambda x: jnp.log1p(x * x), "sqrt1": lambda x: jnp.sqrt(1 + x * x),
    "copy": jnp.copy}
BINARY = {
    "add": jnp.add, "sub": jnp.subtract, "mul": jnp.multiply,
    "ratio": lambda a, b: a / (b * b + 2), "maximum": jnp.maximum, "minimum": jnp.minimum,
    "pick": lambda a, b: jnp.where(a > b, a * 0.5, b), "dot": jnp.dot}
REDUCTION = {"sum": jnp.sum, "mean": jnp.mean, "max": jnp.max, "prod": jnp.prod,
             "logsumexp": jax.scipy.special.logsumexp}


def sliced(step, x):
    at = step.int("at")
    index = [slice(None)] * x.ndim
    index[at] = slice(step.int("start"), step.int("stop"), step.int("stride"))
    return x[tuple(index)]


def padded(step, x):
    config = [(0, 0, 0)] * x.ndim
    config[step.int("at")] = (step.int("start"), step.int("stop"), step.int("stride") - 1)
    return lax.pad(x, jnp.asarray(float(step.keys["k"]), x.dtype), config)


def dynamic(step, x, update=None):
    at = step.int("at")
    start = lax.axis_index(step.keys["index"]) if "index" in step.keys else step.int("start")
    if update is None:
        return lax.dynamic_slice_in_dim(x, start, step.int("stop"), at)
    return lax.dynamic_update_slice_in_dim(x, update, start, at)


def sorted_by(step, keys, x):
    at = step.int("at")
    x = lax.sort((keys, x), dimension=at, num_keys=1)[1]
    return jnp.flip(x, at) if step.int("keep") else x


def dot_general(step, a, b):
    (i, j), batch = step.ints("contract"), step.keys["batch"]
    dims = [[int(n)] for n in batch.split(",")] if not batch.startswith("-") else [[], []]
    return lax.dot_general(a, b, (([i], [j]), dims))


def same_varying(*x):
    """values, all varying over the axes over which any of them does"""
    axes = set().union(*(jax.typeof(v).manual_axis_type.varying for v in x))
    return [varying(v, tuple(sorted(axes))) for v in x]


def start_of(step):
    return lax.axis_index(step.keys["index"]) if "index" in step.keys else step.int("start")


def drawn(step, draw):
    """what draw makes of dims: a part of a larger array, or the whole"""
    dims, at, whole = step.ints("to"), step.int("at"), step.int("whole")
    if not whole:
        return draw(tuple(dims))
    x = draw(tuple(whole if d == at else dim for d, dim in enumerate(dims)))
    start = start_of(step)
    if "index" in step.keys:
        x, start = same_varying(x, start)
    return lax.dynamic_slice_in_dim(x, start, dims[at], at)


def first_bits(program, step, key):
    """the first six of so many bits, as a number from -1 to 1"""
    width = step.int("stop")
    dtype = {8: jnp.uint8, 16: jnp.uint16, 32: jnp.uint32, 64: jnp.uint64}[width]
    bits = drawn(step, lambda dims: jax.random.bits(key, dims, dtype))
    return (bits >> (width - 6)).astype(program.dtype) / 32 - 1


def fold_in(step, key, x=None):
    data = start_of(step) if x is None else jnp.sum(x) > float(step.keys["k"])
    key, data = same_varying(key, jnp.asarray(data, jnp.uint32))
    return jax.random.fold_in(key, data)


def key_at(step, keys):
    keys, start = same_varying(keys, jnp.asarray(start_of(step)))
    return lax.dynamic_index_in_dim(keys, start, 0, keepdims=False)


def split(step, key):
    keys = jax.random.split(key, step.int("stop"))
    return keys[step.int("start")] if step.int("keep") else keys


RANDOM = {
    "key": lambda program, step: jax.random.PRNGKey(step.int("start")),
    "split": lambda program, step, key: split(step, key),
    "fold_in": lambda program, step, key, *x: fold_in(step, key, *x),
    "key_at": lambda program, step, keys: key_at(step, keys),
    "random_bits": first_bits,
    "uniform": lambda program, step, key: drawn(
        step, lambda dims: jax.random.uniform(key, dims, program.dtype)),
    "normal": lambda program, step, key: drawn(
        step, lambda dims: jax.random.normal(key, dims, program.dtype))}


def local(program, step, x):
    op, at = step.op, step.int("at")
    if op in RANDOM:
        return RANDOM[op](program, step, *x)
    if op in UNARY:
        return UNARY[op](*x)
    if op in BINARY:
        return BINARY[op](*x)
    if op in REDUCTION:
        return REDUCTION[op](x[0], axis=tuple(step.ints("dims")), keepdims=step.int("keep") == 1)
    return {
        "affine": lambda: x[0] * float(step.keys["k"]) + float(step.keys["k2"]),
        "rem": lambda: lax.rem(x[0], jnp.asarray(float(step.keys["k"]), x[0].dtype)),
        "cumsum": lambda: lax.cumsum(x[0], at, reverse=step.int("keep") == 1),
        "sort_by": lambda: sorted_by(step, *x),
        "dot_general": lambda: dot_general(step, *x),
        "transpose": lambda: jnp.transpose(x[0], step.ints("dims")),
        "reshape": lambda: jnp.reshape(x[0], step.ints("to")),
        "flip": lambda: jnp.flip(x[0], at),
        "expand": lambda: jnp.expand_dims(x[0], at),
        "squeeze": lambda: jnp.squeeze(x[0], at),
        "broadcast": lambda: jnp.broadcast_to(x[0], step.ints("to")),
        "concat": lambda: jnp.concatenate(x, at),
        "stack": lambda: jnp.stack(x, at),
        "slice": lambda: sliced(step, x[0]),
        "pad": lambda: padded(step, x[0]),
        "dynamic_slice": lambda: dynamic(step, *x),
        "dynamic_update": lambda: dynamic(step, *x),
        "iota": lambda: lax.broadcasted_iota(program.dtype, step.ints("to"), at),
        "full": lambda: jnp.full(step.ints("to"), float(step.keys["k"]), program.dtype),
        "pcast": lambda: lax.pcast(x[0], step.axes("over"), to="varying"),
    }[op]()


def varying(x, over):
    """x, varying over all of these axes: JAX does so by itself only if it varies over none"""
    have = jax.typeof(x).manual_axis_type.varying
    missing = tuple(axis for axis in over if axis not in have)
    return lax.pcast(x, missing, to="varying") if missing != over and missing else x


def all_to_all(program, x, over, at, to, tiled, groups):
    name = over[0] if len(over) == 1 else over
    if not set(over) <= set(program.mesh.axis_names):
        # over the name of a vmap JAX gives another shape where all elements have the same value
        x = x + 0 * lax.axis_index(name).astype(x.dtype)
    if tiled:
        return lax.all_to_all(x, name, at, to, tiled=True, **groups)
    # without tiled, JAX cannot transpose one with two different dims
    return jnp.moveaxis(lax.all_to_all(x, name, at, at, **groups), at, to)


def exchange(program, step, x):
    op, over, at = step.op, step.axes("over"), step.int("at")
    groups = {"axis_index_groups": [[int(n) for n in group.split(",")]
                                    for group in step.keys["groups"].split("/")]
              } if "groups" in step.keys else {}
    tiled, source = step.int("tiled") == 1, step.ints("source")
    name = over[0] if len(over) == 1 else over
    if program.checked:
        x = varying(x, over)
    if op in ("psum", "pmean", "pmax", "pmin"):
        return getattr(lax, op)(x, over, **groups)
    if op == "all_gather":
        to = "invarying" if step.int("invarying") else "varying"
        return lax.all_gather(x, name, axis=at, tiled=tiled, to=to, **groups)
    if op == "psum_scatter":
        return lax.psum_scatter(x, name, scatter_dimension=at, tiled=tiled, **groups)
    if op == "all_to_all":
        return all_to_all(program, x, over, at, step.int("to"), tiled, groups)
    if op == "pswapaxes":
        return all_to_all(program, x, over, at, at, False, groups)
    if op == "ppermute":
        return lax.ppermute(x, name, [(s, d) for d, s in enumerate(source) if s >= 0])
    if op == "pshuffle":
        return lax.pshuffle(x, name, source)
    assert op == "axis_index", op
    return lax.axis_index(name).astype(program.dtype)


EXCHANGES = {"psum", "pmean", "pmax", "pmin", "all_gather", "psum_scatter", "all_to_all",
             "pswapaxes", "ppermute", "pshuffle", "pbroadcast", "axis_index"}


# ---- nests

class Nest:
    """a step with a region: its arguments, and the region as a function of them, which closes over
    what is captured"""

    def __init__(self, program, step, value):
        self.program, self.step = program, step
        self.passed = step.ints("arg")
        self.is_argument = [how == "argument" for how in step.keys["as"].split(",")]
        self.value = value
        self.arguments = [value[v] for v, is_argument in zip(self.passed, self.is_argument)
                          if is_argument]

    def body(self, which=0):
        def run(*arguments):
            given = iter(arguments)
            inputs = [next(given) if is_argument else self.value[v]
                      for v, is_argument in zip(self.passed, self.is_argument)]
            return run_region(self.program, self.step.ints("region")[which], inputs)
        return run

    def of_arguments(self, values):
        return [v for v, is_argument in zip(values, self.is_argument) if is_argument]

    def numbers(self, inputs):
        """inputs of the region as numbers of arguments"""
        return [sum(self.is_argument[:k]) for k in inputs]


def run_jit(nest):
    return jax.jit(nest.body())(*nest.arguments)


def run_vmap(nest):
    step = nest.step
    keys = {"axis_name": step.keys["axis"]} if "axis" in step.keys else {}
    f = jax.vmap(nest.body(), in_axes=tuple(nest.of_arguments(step.ints("in"))),
                 out_axes=tuple(step.ints("out")), axis_size=step.int("size"), **keys)
    return f(*nest.arguments)


def run_pmap(nest):
    step, program = nest.step, nest.program
    keys = {"axis_name": step.keys["axis"]} if "axis" in step.keys else {}
    body, size = nest.body(), step.int("size")
    # JAX wants a mapped argument although it is told the size
    f = jax.pmap(lambda _, *x: body(*x), in_axes=(0, *nest.of_arguments(step.ints("in"))),
                 out_axes=tuple(step.ints("out")), axis_size=size,
                 devices=list(program.mesh.devices.flat), **keys)
    # whole values outside, as around shard_map
    whole = jax.sharding.NamedSharding(program.mesh, PartitionSpec())
    arguments = lax.with_sharding_constraint(nest.arguments, whole)
    return lax.with_sharding_constraint(f(jnp.zeros(size), *arguments), whole)


def run_grad(nest):
    """the results, and those of grad or value_and_grad"""
    wrt = tuple(nest.numbers(nest.step.ints("wrt")))
    value = nest.step.op == "value_and_grad"

    def loss(*arguments):
        first, *others = nest.body()(*arguments)
        return first, others
    if value:
        (first, others), grads = jax.value_and_grad(loss, wrt, has_aux=True)(*nest.arguments)
        return [first, *others, *grads]
    grads, others = jax.grad(loss, wrt, has_aux=True)(*nest.arguments)
    return [*grads, *others]


def run_jvp(nest):
    wrt = nest.numbers(nest.step.ints("wrt"))

    def part(*some):
        arguments = list(nest.arguments)
        for k, x in zip(wrt, some):
            arguments[k] = x
        return nest.body()(*arguments)
    tangents = [nest.value[v] for v in nest.step.ints("tangent")]
    y, dy = jax.jvp(part, [nest.arguments[k] for k in wrt], tangents)
    return [*y, *dy]


def run_scan(nest):
    step, ncarry = nest.step, nest.step.int("carry")

    def body(carry, xs):
        results = nest.body()(*carry, *xs)
        return tuple(results[:ncarry]), tuple(results[ncarry:])
    carry, ys = lax.scan(body, tuple(nest.arguments[:ncarry]), tuple(nest.arguments[ncarry:]),
                         length=step.int("length"), reverse=step.int("reverse") == 1,
                         unroll=step.int("unroll"))
    return [*carry, *ys]


def run_cond(nest):
    pred = jnp.sum(nest.value[nest.step.int("pred")]) > float(nest.step.keys["k"])
    return lax.cond(pred, nest.body(0), nest.body(1), *nest.arguments)


def run_shard_map(nest):
    step, program = nest.step, nest.program
    body = nest.body()

    def checked_body(*blocks):
        around, program.checked = program.checked, step.int("unchecked") == 0
        try:
            return body(*blocks)
        finally:
            program.checked = around
    f = jax.shard_map(checked_body, mesh=program.mesh,
                      in_specs=tuple(nest.of_arguments(step.specs("in"))),
                      out_specs=tuple(step.specs("out")), axis_names=set(step.axes("axes")),
                      check_vma=step.int("unchecked") == 0)
    # whole values outside: XLA's partitioner aborts on some operations that it spreads by itself
    whole = jax.sharding.NamedSharding(program.mesh, PartitionSpec())
    arguments = lax.with_sharding_constraint(nest.arguments, whole)
    return lax.with_sharding_constraint(f(*arguments), whole)


def run_remat(nest):
    policies = [None, jax.checkpoint_policies.everything_saveable,
                jax.checkpoint_policies.dots_saveable]
    return jax.checkpoint(nest.body(), policy=policies[nest.step.int("region") % 3])(
        *nest.arguments)


def run_custom_jvp(nest):
    """its rule is the region's own derivative"""
    body = nest.body()
    f = jax.custom_jvp(body)
    f.defjvp(lambda x, dx: jax.jvp(body, x, dx))
    return f(*nest.arguments)


def run_custom_vjp(nest):
    body = nest.body()
    f = jax.custom_vjp(body)
    f.defvjp(lambda *x: (body(*x), x), lambda x, ct: jax.vjp(body, *x)[1](ct))
    return f(*nest.arguments)


NESTS = {"jit": run_jit, "vmap": run_vmap, "grad": run_grad, "value_and_grad": run_grad,
         "jvp": run_jvp, "scan": run_scan, "cond": run_cond, "shard_map": run_shard_map,
         "pmap": run_pmap, "remat": run_remat, "custom_jvp": run_custom_jvp,
         "custom_vjp": run_custom_vjp}


def run_region(program, number, inputs):
    region, value = program.regions[number], dict(enumerate(inputs))
    for step in region.steps:
        x = [value[v] for v in step.ints("x")]
        if step.op in NESTS:
            results = NESTS[step.op](Nest(program, step, value))
        elif step.op in EXCHANGES:
            results = [exchange(program, step, *x)]
        else:
            results = [local(program, step, x)]
        value.update(zip(step.results, results, strict=True))
    return tuple(value[v] for v in region.results)


# ---- comparing

def difference(program):
    """the largest difference, in units of what is allowed; with a reason if it cannot be told"""
    inputs, want = program.arrays("in"), program.arrays("out")
    run = functools.partial(run_region, program, 0)
    got = jax.jit(lambda *x: run(list(x)))(*inputs)
    allowed = TOLERANCE[program.keys["dtype"]] * float(program.keys["largest"])
    worst = 0.0
    for k, (ours, theirs) in enumerate(zip(want, got, strict=True)):
        theirs = np.asarray(theirs)
        if ours.shape != theirs.shape or ours.dtype != theirs.dtype:
            raise ValueError(f"result {k} is {ours.dtype}{list(ours.shape)} here, "
                             f"{theirs.dtype}{list(theirs.shape)} in JAX")
        if ours.size:
            apart = np.max(np.abs(ours - theirs))
            worst = max(worst, float("inf") if np.isnan(apart) else float(apart / allowed))
    return worst


def first_line(error):
    return re.sub(r"\s+", " ", f"{type(error).__name__}: {error}")[:300]


def run_some(paths):
    """the programs of these files, a line each for the parent: what is allowed, and a problem"""
    for path in paths:
        print("start", path, flush=True)
        try:
            apart = difference(Program(pathlib.Path(path)))
            problem = "" if apart <= 1 else f"differs by {apart:.3g} times what is allowed"
        except Exception as error:  # what JAX refuses counts as a difference too
            apart, problem = 0.0, first_line(error)
        print("done", path, repr(apart), problem, flush=True)


def run_all(paths):
    """yields (path, difference, problem) of each, from child processes: XLA may abort one"""
    left = list(paths)
    while left:
        some = left[:PROGRAMS_A_PROCESS]
        child = subprocess.Popen([sys.executable, __file__, "--some", *map(str, some)],
                                 stdout=subprocess.PIPE, text=True)
        running = None
        for line in child.stdout:
            words = line.rstrip("\n").split(" ", 3)
            if words[0] == "start":
                running = words[1]
            if words[0] == "done":
                left.pop(0)
                running = None
                yield pathlib.Path(words[1]), float(words[2]), words[3]
        if child.wait() and running is None:
            sys.exit(f"a process of JAX ended with {child.returncode} before any program")
        if running:
            left.pop(0)
            yield pathlib.Path(running), 0.0, f"JAX's process ended with {child.returncode}"


def main():
    if sys.argv[1] == "--some":
        run_some(sys.argv[2:])
        return
    paths = sorted(pathlib.Path(sys.argv[1]).glob("*.txt"))
    count, worst_of, failures = collections.Counter(), collections.defaultdict(float), 0
    for path, apart, problem in run_all(paths):
        program = Program(path)
        stack = program.stack()
        for group in {program.keys["dtype"], f"depth {len(stack)}", *stack}:
            count[group] += 1
            worst_of[group] = max(worst_of[group], apart)
        if problem:
            failures += 1
            print(f"{path}: {' '.join(stack)}: {problem}", flush=True)
    print(f"{'':16} programs   largest difference / allowed")
    for group in sorted(count):
        print(f"{group:16} {count[group]:8}   {worst_of[group]:.2g}")
    print(f"{len(paths)} programs in JAX {jax.__version__}, {failures} differ")
    sys.exit(failures > 0 or not paths)


if __name__ == "__main__":
    main()
