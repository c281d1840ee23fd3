"""test_jax.py - the modules in place of JAX's: a missing name is an error that says so, and errors
of traced functions arrive with Python's traceback."""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import traceback
import unittest

import tsr.jax

tsr.jax.install()

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P  # noqa: E402

jax.config.update("jax_num_cpu_devices", 8)


class Missing(unittest.TestCase):
    def raises(self, kind, told, function):
        with self.assertRaises(kind) as caught:
            function()
        for word in told:
            self.assertIn(word, str(caught.exception))

    def test_names(self):
        self.raises(AttributeError, ["jax.numpy", "'nope'"], lambda: jnp.nope)
        self.raises(AttributeError, ["jax.numpy", "'cosinus'", "'cos'"], lambda: jnp.cosinus)
        self.raises(AttributeError, ["jax.experimental", "'nope'"], lambda: jax.experimental.nope)
        self.raises(AttributeError, ["jax.lax", "'psumm'", "'psum'"], lambda: jax.lax.psumm)
        self.raises(AttributeError, ["jax.random", "'normals'", "'normal'"],
                    lambda: jax.random.normals)
        self.raises(AttributeError, ["jax.Array", "'mean_'", "'mean'"], lambda: jnp.ones(3).mean_)
        self.raises(AttributeError, ["x.at[]", "'put'"], lambda: jnp.ones(3).at[0].put)
        self.raises(AttributeError, ["jax.config", "jax_num_cpus"],
                    lambda: jax.config.update("jax_num_cpus", 8))
        self.assertFalse(hasattr(jnp, "nope"))
        self.raises(AttributeError, ["float8_e4m3fn", "8 bits", "float16"],
                    lambda: jnp.float8_e4m3fn)
        self.raises(AttributeError, ["int4", "int8"], lambda: jnp.int4)
        self.raises(AttributeError, ["add_p", "tsr prims"], lambda: jax.lax.add_p)

    def test_modules(self):
        def of(name):
            return lambda: __import__(name)
        self.raises(ModuleNotFoundError, ["jax.experimental", "'nope'"],
                    of("jax.experimental.nope"))
        self.raises(ModuleNotFoundError, ["jax", "'numpi'", "'numpy'"], of("jax.numpi"))
        self.raises(ModuleNotFoundError, ["flax", "'linen'"], of("flax.linen"))
        self.raises(ModuleNotFoundError, ["'optax'"], of("optax"))

    def test_keywords(self):
        x = jnp.ones(3)
        self.raises(TypeError, ["jax.numpy.sum()", "'axes'", "'axis'"], lambda: jnp.sum(x, axes=0))
        self.raises(TypeError, ["jax.jit()", "'static_argnum'", "'static_argnums'"],
                    lambda: jax.jit(lambda x: x, static_argnum=0))
        self.raises(TypeError, ["jax.random.normal()", "'scale'"],
                    lambda: jax.random.normal(jax.random.key(0), (3,), scale=2))
        self.raises(TypeError, ["x.at[].set()", "'out'"], lambda: x.at[0].set(1, out=x))
        self.raises(TypeError, ["keyword", "'out'"], lambda: jnp.add(x, x, out=x))

    def test_values(self):
        x = jnp.ones(3)
        self.raises(NotImplementedError, ["mean", "out"], lambda: jnp.mean(x, out=x))
        self.raises(NotImplementedError, ["vmap", "sum_match"],
                    lambda: jax.vmap(lambda x: x, sum_match=True))
        self.raises(NotImplementedError, ["'rbg'"], lambda: jax.random.key(0, impl="rbg"))
        self.raises(NotImplementedError, ["order='A'"], lambda: jnp.reshape(x, (3, 1), order="A"))
        self.raises(NotImplementedError, ["jax_debug_nans"],
                    lambda: jax.config.update("jax_debug_nans", True))
        self.raises(NotImplementedError, ["Auto"], lambda: jax.make_mesh(
            (8,), ("x",), axis_types=(jax.sharding.AxisType.Explicit,)))
        self.raises(NotImplementedError, ["as_text"],
                    lambda: jax.make_jaxpr(lambda x: jnp.sort(x))(x))
        self.raises(TypeError, ["list"], lambda: jnp.sum([1, 2]))
        self.raises(TypeError, ["not a valid JAX"], lambda: jnp.asarray("text"))
        self.raises(RuntimeError, ["before"],
                    lambda: jax.config.update("jax_num_cpu_devices", 4))
        self.raises(RuntimeError, ["gpu"], lambda: jax.devices("gpu"))


class Raised(unittest.TestCase):
    def test_traceback(self):
        def inner(x):
            raise KeyError("no rate")

        def outer(x):
            return jnp.sin(inner(x))

        mesh = Mesh(np.array(jax.devices()), ("i",))
        transformed = {
            "jit": jax.jit(outer), "grad": jax.grad(outer), "vmap": jax.vmap(outer),
            "pmap": jax.pmap(outer), "scan": lambda x: jax.lax.scan(
                lambda c, y: (outer(c), y), 0., x),
            "cond": lambda x: jax.lax.cond(x[0] > 0, outer, outer, x),
            "shard_map": jax.shard_map(outer, mesh=mesh, in_specs=P("i"), out_specs=P("i"))}
        for name, function in transformed.items():
            frames = []
            try:
                function(jnp.ones(8) if name != "grad" else 1.)
            except KeyError as error:
                frames = [f.name for f in traceback.extract_tb(error.__traceback__)]
            with self.subTest(name):
                self.assertIn("outer", frames)
                self.assertEqual(frames[-1], "inner")

    def test_library(self):
        with self.assertRaises(TypeError) as caught:
            jnp.ones(3) + jnp.ones(4)
        self.assertIn("(3,), (4,)", str(caught.exception))
        with self.assertRaises(ValueError):
            jax.device_put(jnp.ones(7), NamedSharding(Mesh(np.array(jax.devices()), ("i",)),
                                                      P("i")))
        with self.assertRaises(jax.errors.TracerBoolConversionError):
            jax.jit(lambda x: 1 if x else 2)(True)

    def test_runs_after_errors(self):
        f = jax.jit(lambda x: x + 1)
        for _ in range(3):
            with self.assertRaises(TypeError):
                jax.jit(lambda x: x @ x)(jnp.ones((2, 3)))
            self.assertEqual(float(f(1.)), 2.)


class Dtypes(unittest.TestCase):
    def test_x32(self):
        for given, name in [(np.arange(3), "int32"), (np.float64(2), "float32"),
                            (np.ones(2, np.complex128), "complex64"), ([1, 2.5], "float32"),
                            (np.uint64(3), "uint32"), (True, "bool"), ([], "float32")]:
            self.assertEqual(jnp.asarray(given).dtype, name)

    def test_weak(self):
        x = jnp.ones(2, jnp.bfloat16)
        self.assertEqual((x * 2.5).dtype, "bfloat16")
        self.assertEqual((x * np.float32(2.5)).dtype, "float32")
        self.assertEqual((jnp.int8(3) + 1).dtype, "int8")
        self.assertEqual((jnp.int8(3) + jnp.arange(2)).dtype, "int32")
        self.assertTrue(jnp.asarray(2.5).weak_type)
        self.assertFalse(jnp.asarray([2.5]).weak_type)
        self.assertEqual(jnp.result_type(jnp.bfloat16, jnp.float16), "float32")
        self.assertEqual(jnp.result_type(jnp.int32, 1.5), "float32")


    def test_bfloat16(self):  # with ml_dtypes and without
        x = jnp.array([1, -0.25, 3.14159, 1e20, float("nan")], jnp.bfloat16)
        self.assertEqual(str(x), "[1 -0.25 3.14062 9.97277e+19 nan]")
        self.assertEqual(x.dtype, jnp.bfloat16)
        self.assertNotEqual(x.dtype, jnp.float32)
        self.assertEqual(float(x[2]), 3.140625)
        self.assertEqual(repr(jax.ShapeDtypeStruct((2,), x.dtype)),
                         "ShapeDtypeStruct(shape=(2,), dtype=bfloat16)")
        self.assertEqual(float(jnp.finfo(x.dtype).eps), 2.**-7)
        self.assertEqual(jnp.finfo("bfloat16").max, 2.**128 - 2.**120)
        self.assertTrue(jnp.issubdtype(x.dtype, jnp.floating))
        self.assertEqual(jnp.promote_types(jnp.bfloat16, jnp.float16), jnp.float32)


class Masks(unittest.TestCase):
    """x.at[mask] in a traced function, where JAX has no result at all: it is a where()."""

    def test_updates(self):
        x = jnp.arange(12.).reshape(3, 4) - 5
        row = jnp.arange(4.)
        masks = [(x > 0, 2.), (x > 0, jnp.ones((1,))), (jnp.array([True, False, True]), row),
                 (jnp.array([True, False, True]), row[None]), (jnp.array(True), 3.)]
        for how in ("set", "add", "subtract", "multiply", "divide", "power", "min", "max"):
            for mask, y in masks:
                def update(x, mask, y=y):
                    return getattr(x.at[mask], how)(y)
                self.assertEqual(jax.jit(update)(x, mask).tolist(), update(x, mask).tolist())
        sine = jax.jit(lambda x, m: x.at[m].apply(jnp.sin))(x, x > 0)
        self.assertEqual(sine.tolist(), x.at[x > 0].apply(jnp.sin).tolist())
        self.assertEqual(jax.jit(lambda x, m: x.at[m].set(2.7))(jnp.arange(2), jnp.arange(2) > 0)
                         .tolist(), [0, 2])

    def test_unknown(self):
        x = jnp.ones((3, 4))
        for f in (lambda x, m: x.at[m].set(jnp.ones(5)), lambda x, m: x[m],
                  lambda x, m: x.at[m, None].set(1.), lambda x, m: x.at[m].get()):
            with self.assertRaises(jax.errors.NonConcreteBooleanIndexError):
                jax.jit(f)(x, x > 0)


class Run(unittest.TestCase):
    def run_script(self, text, *options, name="script.py"):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, name)
            path.write_text(text, encoding="utf-8")
            return subprocess.run([sys.executable, "-m", "tsr.jax", *options, path, "7"],
                                  capture_output=True, text=True, check=False,
                                  env={**os.environ, "PYTHONIOENCODING": "utf-8"})

    def test_script(self):
        ran = self.run_script("import sys, jax\nprint(sys.argv[1], __name__, jax.numpy.arange(2))")
        self.assertEqual(ran.stdout, "7 __main__ [0 1]\n", ran.stderr)

    def test_notebook(self):
        text = "# %%\n! pip install x\nimport jax.numpy as jnp\n# %%\nx = jnp.arange(2)\nx\n" \
               "# %%\n%timeit -n 2 -r 2 x + 1\nx.sum();\n"
        ran = self.run_script(text, "--notebook")
        lines = ran.stdout.splitlines()
        self.assertEqual(lines[0], "Array([0, 1], dtype=int32)", ran.stderr)
        self.assertIn("2 runs, 2 loops each", lines[1])
        self.assertEqual(len(lines), 2)
        self.assertIn("left out: ! pip install x", ran.stderr)
        cells = [{"cell_type": "markdown", "source": ["text"]},
                 {"cell_type": "code", "source": ["import jax\n", "jax.device_count()"]}]
        ran = self.run_script(json.dumps({"cells": cells}), name="book.ipynb")
        self.assertEqual(ran.stdout, "1\n", ran.stderr)

    def test_interrupt(self):
        text = "import jax, jax.numpy as jnp\n" \
               "f = jax.jit(lambda n, x: jax.lax.fori_loop(0, n, lambda i, x: jnp.sin(x), x))\n" \
               "x = jnp.ones(3)\nf(3, x)\n" \
               "try:\n    print('now', flush=True)\n    f(10**9, x)\nexcept KeyboardInterrupt:\n" \
               "    print(x + x, f(0, x), jnp.sum(x))\n"
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "script.py")
            path.write_text(text, encoding="utf-8")
            with subprocess.Popen([sys.executable, "-m", "tsr.jax", path], text=True,
                                  stdout=subprocess.PIPE) as ran:
                self.assertEqual(ran.stdout.readline(), "now\n")
                time.sleep(.15)
                os.kill(ran.pid, signal.SIGINT)
                self.assertEqual(ran.stdout.read(), "[2. 2. 2.] [1. 1. 1.] 3.0\n")

    def test_from_import(self):
        ran = self.run_script("from jax.numpy import cosinus\n")
        self.assertNotEqual(ran.returncode, 0)
        self.assertIn("cosinus", ran.stderr)
        self.assertIn("'cos'", ran.stderr)


if __name__ == "__main__":
    unittest.main()
