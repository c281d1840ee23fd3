"""test_misuse.py - misuse: arrays, meshes and functions of a closed context or of another one,
arrays that were given up, arguments of the wrong kind. Each is an error, and the next call is as if
it had not been."""
import os
import subprocess
import sys
import tempfile
import threading
import unittest

import tsr
from tsr import P


class Misuse(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.c = tsr.init(devices=2)

    def tearDown(self):
        self.assertEqual((tsr.ones((2,)) + 1).tolist(), [2, 2])

    def all_raise(self, kind, *calls):
        for k, call in enumerate(calls):
            with self.assertRaises(kind, msg=f"call {k}"):
                call()

    # ---- contexts

    def closed(self):
        c = tsr.Context(devices=2)
        with c:
            x, mesh = tsr.ones((4,)), tsr.Mesh({"x": 2})
            put = tsr.device_put(x, tsr.NamedSharding(mesh, P("x")))
            f = tsr.jit(lambda y: y + x)
            f(x)
            f(x)
            g = tsr.grad(lambda y: tsr.sum(y * x))
            g(x)
            _, back = tsr.vjp(lambda y: y * 2, x)
            program = tsr.constant_schedule(0.5)
            program(0)
        return program, c, x, mesh, put.sharding, put.addressable_shards, f, g, back

    def test_closed_context(self):
        program, c, x, mesh, sharding, shards, f, g, back = self.closed()
        device = c.devices()[0]
        c.close()
        c.close()
        y = tsr.ones((4,))
        shard_map = tsr.shard_map(lambda x: x, mesh=mesh, in_specs=P("x"), out_specs=P("x"))
        self.all_raise(
            RuntimeError, lambda: x + 1, lambda: 1 + x, lambda: x + x, lambda: x + y, lambda: y + x,
            lambda: -x, lambda: x @ y, lambda: y @ x, lambda: x == y, lambda: x[0], lambda: x[1:],
            lambda: y[x], lambda: x.at[0].set(1), lambda: y.at[0].set(x), lambda: x.T,
            lambda: tsr.sum(x), lambda: tsr.where(y > 0, x, y), lambda: tsr.maximum(y, x),
            lambda: tsr.concatenate([y, x]), lambda: tsr.array([y, x]), lambda: f(x), lambda: f(y),
            lambda: g(x), lambda: g(y), lambda: back(y), lambda: repr(mesh), lambda: repr(sharding),
            lambda: sharding.spec, lambda: shards[0].data,
            lambda: tsr.NamedSharding(mesh, P("x")), lambda: tsr.device_put(y, sharding),
            lambda: shard_map(y), lambda: program(0),
            mesh.__enter__, c.__enter__,
            lambda: x.tolist(), lambda: x.item(), lambda: x.sharding, lambda: x.dtype)
        for call in (lambda: mesh.devices, c.devices, c.memory, c.device_count, c.cancel,
                     lambda: str(device)):
            with self.assertRaises(Exception) as told:
                call()
            self.assertIn("closed", str(told.exception))
        self.assertIn("closed", repr(c))
        self.assertIn("closed", repr(x))

    def test_two_contexts(self):
        with tsr.Context(devices=2):
            x, mesh = tsr.ones((4,)), tsr.Mesh({"x": 2})
        y = tsr.ones((4,))
        shard_map = tsr.shard_map(lambda x: x, mesh=mesh, in_specs=P("x"), out_specs=P("x"))
        self.all_raise(
            tsr.Error, lambda: x + y, lambda: y + x, lambda: y @ x,
            lambda: tsr.maximum(x, y), lambda: tsr.where(x > 0, y, 1), lambda: y.at[0].set(x[0]),
            lambda: tsr.jit(lambda a, b: a + b)(x, y), lambda: tsr.jit(lambda a: a + y)(x),
            lambda: tsr.jit(lambda t: t["a"])({"a": x, "b": y}),
            lambda: tsr.device_put(y, tsr.NamedSharding(mesh, P("x"))), lambda: shard_map(y),
            lambda: tsr.scan(lambda c, a: (c + a, a), x[0], y))
        self.assertEqual((x + x).tolist(), [2] * 4)

    def test_load_with_two_contexts(self):
        x = {"a": tsr.ones((2,))}
        told = []
        tsr.log_to(lambda level, text: told.append(text))
        with tempfile.TemporaryDirectory() as folder:
            path = folder + "/x.safetensors"
            tsr.save(x, path)
            with tsr.Context(devices=2) as other:
                self.all_raise(tsr.Error, lambda: tsr.load(x, path))
                mesh = tsr.Mesh({"x": 2})
                self.assertEqual(tsr.load(x, path, mesh=mesh)["a"].tolist(), [1, 1])
            other.close()
            self.assertEqual(tsr.load(x, path)["a"].tolist(), [1, 1])
        tsr.log_to(None)
        self.assertIn("name a .mesh", told[0])

    def test_close_in_bodies(self):
        def closing(x):
            tsr.init(devices=2)
            return x

        def body(x):
            return tsr.pure_callback(closing, tsr.ShapeDtypeStruct((2,), "float32"), x)

        for f in (closing, body):
            with self.assertRaisesRegex(RuntimeError, "cannot close"):
                tsr.jit(f)(tsr.ones((2,)))
            self.assertEqual(tsr.ones((2,)).tolist(), [1, 1])

    def test_with_is_of_one_thread(self):
        inside, over = threading.Event(), threading.Event()

        def work():
            with tsr.Context(devices=3):
                inside.set()
                over.wait(20)

        thread = threading.Thread(target=work)
        thread.start()
        inside.wait(20)
        count = tsr.device_count()
        over.set()
        thread.join()
        self.assertEqual(count, 2)

    def test_exit_with_open_things(self):
        code = """if True:
            import tsr
            tsr.init(devices=2)
            x, mesh = tsr.ones((4,)), tsr.Mesh({"x": 2})
            f = tsr.jit(lambda y: y + x)
            class Late:
                def __del__(self, x=x, f=f):
                    try:
                        f(x)
                    except RuntimeError:
                        print("told")
            late = Late()
            late.own = late
            f(x), f(x)
            import atexit
        """
        run = subprocess.run([sys.executable, "-c", code], env=os.environ, capture_output=True)
        self.assertEqual((run.returncode, run.stderr), (0, b""))

    # ---- arrays

    def test_donated(self):
        x = tsr.ones((1000,))
        f = tsr.jit(lambda x: x + 1, donate_argnums=0)
        f(x)
        self.all_raise(tsr.Error, lambda: x.shape, lambda: x.dtype, lambda: x.ndim, lambda: x.size,
                       lambda: x.nbytes, lambda: repr(x), lambda: f(x), lambda: x[0], lambda: x + 1)

    def test_numbers_that_do_not_fit(self):
        self.all_raise(OverflowError, lambda: tsr.array(-5, dtype="uint8"),
                       lambda: tsr.array([1, 300], dtype="uint8"),
                       lambda: tsr.array([[0], [-129]], dtype="int8"),
                       lambda: tsr.array(1 << 31, dtype="int32"), lambda: tsr.zeros((1 << 64,)),
                       lambda: tsr.ones((4,)).reshape(1 << 63, 1))
        self.assertEqual(tsr.array([-128, 127], dtype="int8").tolist(), [-128, 127])
        self.assertEqual(tsr.array((1 << 64) - 1, dtype="uint64").item(), (1 << 64) - 1)
        self.assertEqual(tsr.array([300, 1], dtype="float32").tolist(), [300, 1])
        for wide, dtype in ((1 << 40, "int64"), (-(1 << 31) - 1, "int64"), (1 << 63, "uint64")):
            made = tsr.array(wide)
            self.assertEqual((made.item(), made.dtype.name), (wide, dtype))
        x = tsr.zeros((2,), dtype="int32")
        self.all_raise(OverflowError, lambda: x.at[0].set(1 << 40), lambda: x.at[0].add(-1 << 32))

    def test_indices_that_are_none(self):
        x = tsr.arange(6).reshape(2, 3)
        self.all_raise(TypeError, lambda: x[1.0], lambda: x["a"], lambda: tsr.zeros((2.5,)),
                       lambda: tsr.sum(x, axis="x"))
        self.all_raise(IndexError, lambda: x[[True, False, True]], lambda: x[:, [True, False]],
                       lambda: x.at[[True, False, True]].set(1), lambda: x[0, 0, 0],
                       lambda: x[tsr.ones((3, 2)) > 0])
        self.assertEqual(x[[]].shape, (0, 3))

    # ---- functions

    def test_static_values_of_other_types(self):
        f = tsr.jit(lambda x, n: x * n, static_argnums=1)
        x = tsr.ones((1,), dtype="int32")
        told = [str(f(x, n).dtype) for n in (1, 1.0, True, 1 + 0j, 1, 1.0)]
        self.assertEqual(told, ["int32", "float32", "int32", "complex64", "int32", "float32"])

    def test_numbers_at_a_point(self):
        self.assertEqual([x.item() for x in tsr.jvp(lambda x: x * x, (3.0,), (1.0,))], [9, 6])
        y, back = tsr.vjp(lambda x: x * x, tsr.array(3.0))
        self.assertEqual(back(1.0)[0].item(), 6)
        y, forward = tsr.linearize(lambda x: x * x, 3.0)
        self.assertEqual(forward(2.0).item(), 12)

    def test_scan_of_nothing(self):
        total, each = tsr.scan(lambda c, x: (c + x, c), 0.0, tsr.zeros((0,)))
        self.assertEqual((total.item(), each.shape), (0, (0,)))

    def test_names_in_help(self):
        for name in ("jit", "shard_map", "value_and_grad", "vmap", "custom_jvp", "custom_vjp"):
            self.assertEqual(getattr(tsr, name).__name__, name)

    def test_rules_that_are_none(self):
        @tsr.custom_vjp
        def f(x):
            return x * x

        with self.assertRaisesRegex(TypeError, "defvjp"):
            f(3.0)
        f.defvjp(lambda x: (x * x, x), lambda r, g: g * r)
        with self.assertRaisesRegex(TypeError, "a cotangent for each"):
            tsr.grad(f)(3.0)
        with self.assertRaisesRegex(TypeError, "defjvp"):
            tsr.custom_jvp(lambda x: x)(1.0)


if __name__ == "__main__":
    unittest.main()
