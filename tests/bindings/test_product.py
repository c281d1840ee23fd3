"""test_product.py - the product of the shard_map notebook in Python: its values, text and sharding
as JAX recorded them, its gradients, and the errors of wrong variants."""
import pathlib
import sys
import unittest

import tsr
from tsr import P

DATA = pathlib.Path(__file__).resolve().parents[1] / "golden/data/s0"


def golden(name):
    return tsr.load_npy(DATA / f"matmul_basic.{name}.npy")


class Product(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        tsr.init(devices=8)
        cls.mesh = tsr.Mesh({"x": 4, "y": 2})

        @tsr.shard_map(mesh=cls.mesh, in_specs=(P("x", "y"), P("y", None)),
                       out_specs=P("x", None))
        def product(a, b):
            cls.block = a.type_text, b.type_text
            return tsr.psum(tsr.dot(a, b), "y")

        cls.product = staticmethod(product)
        cls.a, cls.b = golden("a"), golden("b")

    def test_values(self):
        c = self.product(self.a, self.b)
        self.assertTrue(tsr.array_equal(c, golden("c")))
        self.assertEqual(str(tsr.allclose(tsr.dot(self.a, self.b), c, 1e-2, 1e-2)),
                         (DATA / "matmul_basic.allclose.txt").read_text().strip())
        self.assertEqual(self.block, ("f32[2,8]{x,y}", "f32[8,4]{y}"))

    def test_sharding(self):
        c = self.product(self.a, self.b)
        self.assertEqual(c.sharding, tsr.NamedSharding(self.mesh, P("x")))
        self.assertEqual(tsr.sharding_picture(c).rstrip(),
                         (DATA / "matmul_basic.visualize_c.txt").read_text().rstrip())
        parts = [shard.index for shard in c.addressable_shards]
        self.assertEqual(parts[2], (slice(2, 4), slice(0, 4)))
        self.assertEqual(c.addressable_shards[7].device.id, 7)

    def test_gradients(self):
        ct = golden("ct")

        def loss(a, b):
            return tsr.sum(ct * self.product(a, b))

        value, (grad_a, grad_b) = tsr.value_and_grad(loss, argnums=(0, 1))(self.a, self.b)
        for got, name in ((value, "loss"), (grad_a, "grad_a"), (grad_b, "grad_b")):
            self.assertTrue(tsr.allclose(got, golden(name), 1e-5, 1e-4), name)

    def test_unchecked(self):
        ct = golden("novma.ct")
        f = tsr.shard_map(lambda a, b: tsr.psum(tsr.dot(a, b), "y"), self.mesh,
                          (P("x", "y"), P("y", None)), P("x", None), check_vma=False)
        grad = tsr.grad(lambda a: tsr.sum(ct * f(a, self.b)))(self.a)
        self.assertTrue(tsr.allclose(grad, golden("novma.grad_a"), 1e-5, 1e-4))

    def test_errors(self):
        wrong = tsr.shard_map(lambda a: a, self.mesh, (P("x", "y"),), P("x", None))
        with self.assertRaises(tsr.Error) as caught:
            wrong(self.a)
        self.assertEqual(caught.exception.code, tsr.Error.ERROR_SHARDING)
        self.assertIn("y", str(caught.exception))
        with self.assertRaises(tsr.Error) as caught:
            self.product(self.a, self.a)
        self.assertEqual(caught.exception.name, "ERROR_TYPE")
        # and nothing is left of them
        self.assertTrue(tsr.array_equal(self.product(self.a, self.b), golden("c")))

    def test_trees_of_specs(self):
        def f(w, x):
            return {"y": tsr.psum(tsr.dot(x, w["k"]) + w["b"], "x"), "n": [x, x]}

        mesh = tsr.Mesh({"x": 2})
        f = tsr.shard_map(f, mesh, ({"k": P("x", None), "b": P()}, P(None, "x")),
                          {"y": P(), "n": P(None, "x")})
        got = f({"k": tsr.ones((4, 3)), "b": tsr.zeros((3,))}, tsr.ones((2, 4)))
        self.assertEqual(got["y"].tolist(), [[4.0] * 3] * 2)
        self.assertEqual(got["n"][1].shape, (2, 4))
        self.assertEqual(got["n"][0].sharding.spec, P(None, "x"))


if __name__ == "__main__":
    sys.exit(unittest.main())
