"""test_numpy.py - arrays beside NumPy's: operators of all dtypes, indices, and memory that both
have."""
import gc
import operator
import sys
import unittest

import numpy as np

import tsr

BINARY = [operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv,
          operator.mod, operator.pow, operator.lt, operator.le, operator.gt, operator.ge,
          operator.eq, operator.ne]
BITS = [operator.and_, operator.or_, operator.xor, operator.lshift, operator.rshift]
DTYPES = ["int8", "int32", "int64", "uint8", "uint32", "float16", "float32", "float64",
          "complex64", "complex128"]


def values(dtype, seed, shape=(3, 4)):
    numbers = np.random.default_rng(seed).integers(1, 6, shape)
    if np.dtype(dtype).kind == "c":
        return (numbers + 1j * numbers[::-1]).astype(dtype)
    return numbers.astype(dtype)


class Numpy(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        tsr.init(devices=8)

    def near(self, got, want, told):
        want = np.asarray(want)
        self.assertEqual(got.shape, want.shape, told)
        tolerance = 2e-3 if "16" in str(got.dtype) else 1e-5
        np.testing.assert_allclose(np.asarray(got), want.astype(np.asarray(got).dtype),
                                   tolerance, tolerance, err_msg=told)

    def test_binary(self):
        for dtype in DTYPES:
            a, b = values(dtype, 1), values(dtype, 2, (4,))
            x, y = tsr.array(a), tsr.array(b)
            kind = np.dtype(dtype).kind
            for f in BINARY + BITS * (kind in "iu"):
                if kind == "c" and f in BINARY[4:6] + BINARY[7:11]:
                    continue
                told = f"{f.__name__} of {dtype}"
                self.near(f(x, y), f(a, b), told)
                self.near(f(x, b), f(a, b), told + " and NumPy's")
                self.near(f(a, y), f(a, b), "NumPy's " + told)
                if kind != "c" and f not in BITS:
                    self.near(f(x, 2), f(a, np.asarray(2, dtype)), told + " and a number")
                    self.near(f(2, x), f(np.asarray(2, dtype), a), "a number " + told)
            self.near(x @ y, a @ b, "matmul of " + dtype)
            self.near(-x, -a, "neg of " + dtype)
            self.near(abs(x), abs(a), "abs of " + dtype)

    def test_bool(self):
        a, b = np.array([True, False, True]), np.array([True, True, False])
        x, y = tsr.array(a), tsr.array(b)
        for f in (operator.and_, operator.or_, operator.xor):
            self.near(f(x, y), f(a, b), f.__name__)
        self.near(~x, ~a, "not")

    def test_indices(self):
        a = np.arange(60).reshape(3, 4, 5)
        x = tsr.array(a)
        for index in (0, (1, 2), (slice(None), 1), (..., 2), (slice(None, None, -1), None, 1),
                      ([0, 2],), (slice(None), [1, 3]), ([0, 1], [1, 2]),
                      ([0, 1], slice(1), [2, 2]), (0, [[1], [2]], [0, 4]), np.array([[0, 2]]),
                      a[:, 0, 0] > 10, (slice(None), a[0, :, 0] > 5), a > 30,
                      (None, 1, ..., None)):
            self.near(x[index], a[index], str(index))
            for how, want in (("set", 7), ("add", None)):
                b = a.copy()
                if how == "set":
                    b[index] = want
                else:
                    np.add.at(b, index, 1)
                got = getattr(x.at[index], how)(7 if how == "set" else 1)
                self.near(got, b, f"{how} {index}")

    def test_conversions(self):
        for dtype in [*DTYPES, "bool", "int16", "uint16", "uint64"]:
            a = values("int64", 3).astype(dtype)
            x = tsr.array(a)
            self.assertEqual(np.asarray(x).dtype, a.dtype)
            self.assertTrue((np.asarray(x) == a).all())
            self.assertEqual(x.dtype, a.dtype)
        self.assertEqual(np.asarray(tsr.ones((2,), dtype="bf16")).tolist(), [1, 1])
        a = np.arange(24.0).reshape(4, 6)[::2, ::-3]
        self.assertEqual(tsr.array(a).tolist(), a.tolist())
        self.assertEqual(tsr.array(a.astype(">f8")).tolist(), a.tolist())
        self.assertEqual(np.sum(tsr.ones((3,))), 3)
        self.assertEqual((np.ones(3) + tsr.ones((3,))).tolist(), [2, 2, 2])
        self.assertIsInstance(np.float32(2) * tsr.ones((3,)), tsr.Array)

    def test_shared_memory(self):
        x = tsr.array(np.arange(6, dtype="float32").reshape(2, 3))
        view = np.asarray(x)
        self.assertFalse(view.flags.writeable)
        address = view.ctypes.data
        self.assertEqual(np.asarray(x).ctypes.data, address)
        del x
        gc.collect()
        self.assertEqual(view.tolist(), [[0, 1, 2], [3, 4, 5]])
        a = np.arange(16.0)
        y = tsr.wrap(a)
        self.assertEqual((y + 1).tolist(), (a + 1).tolist())
        count = sys.getrefcount(a)
        del y
        gc.collect()
        self.assertEqual(sys.getrefcount(a), count - 1)
        if sys.version_info >= (3, 12):
            self.assertEqual(memoryview(tsr.ones((2, 3))).shape, (2, 3))

    def test_dlpack(self):
        x = tsr.array([[1.0, 2], [3, 4]])
        a = np.from_dlpack(x)
        self.assertEqual(a.ctypes.data, np.asarray(x).ctypes.data)
        del x
        gc.collect()
        self.assertEqual(a.tolist(), [[1, 2], [3, 4]])
        b = np.arange(32, dtype="float32")
        y = tsr.from_dlpack(b)
        self.assertEqual(np.asarray(y).ctypes.data, b.ctypes.data)
        count = sys.getrefcount(b)
        del y
        gc.collect()
        self.assertEqual(sys.getrefcount(b), count - 1)
        tsr.ones((2,)).__dlpack__()  # and one that nobody takes
        gc.collect()
        z = tsr.from_dlpack(tsr.ones((2,)))
        self.assertEqual(z.tolist(), [1, 1])

    def test_split_arrays(self):
        mesh = tsr.Mesh({"x": 8})
        x = tsr.device_put(np.arange(16.0), tsr.NamedSharding(mesh, tsr.P("x")))
        self.assertEqual(np.asarray(x).tolist(), list(range(16)))
        self.assertEqual(x.addressable_shards[3].data.tolist(), [6, 7])


if __name__ == "__main__":
    sys.exit(unittest.main())
