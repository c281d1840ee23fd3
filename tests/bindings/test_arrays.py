"""test_arrays.py - arrays without NumPy: made of numbers and lists, read, indexed, put in part and
printed; files, training, programs, places and contexts."""
import copy
import gc
import pickle
import sys
import tempfile
import unittest

import tsr


class Arrays(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        tsr.init(devices=8)

    # ---- made and read

    def test_of_lists(self):
        cases = (([[1, 2], [3, 4]], "i32"), ([True, False], "bool"), ([1.5, 2], "f32"),
                 ([1 << 40], "i64"), ([1j, 2], "c64"), ([], "f32"), (2.5, "f32"), (3, "i32"))
        for given, dtype in cases:
            x = tsr.array(given)
            self.assertEqual((x.dtype.short, x.tolist()), (dtype, given))
            self.assertFalse(x.weak_type)
        self.assertEqual(tsr.array([1, 2], "f16").dtype, "float16")
        self.assertEqual(tsr.array([tsr.ones((2,)), [3, 4]]).tolist(), [[1, 1], [3, 4]])
        with self.assertRaises(ValueError):
            tsr.array([[1], [2, 3]])
        with self.assertRaises(TypeError):
            tsr.array("text")

    def test_dtypes(self):
        for name in ("bool_", "int8", "uint16", "float16", "bfloat16", "float64", "complex128"):
            dtype = getattr(tsr, name)
            x = tsr.ones((2,), dtype=dtype)
            self.assertIs(x.dtype, dtype)
            self.assertEqual(x.tolist(), [1, 1])
            self.assertEqual(x.itemsize, dtype.itemsize)
        self.assertEqual(tsr.promote_types("i32", tsr.bfloat16), tsr.bfloat16)
        self.assertEqual(tsr.float32, "f32")
        self.assertNotEqual(tsr.float32, "f64")

    def test_numbers(self):
        x = tsr.array([3])
        self.assertEqual((int(x), float(x), bool(x), complex(x), x.item()), (3, 3.0, True, 3, 3))
        self.assertEqual([10, 20, 30][tsr.array(1)], 20)
        self.assertEqual(f"{tsr.array(2.5):.2f}", "2.50")
        for wrong in (lambda: bool(tsr.ones((2,))), lambda: len(tsr.array(1)),
                      lambda: list(tsr.array(1)), lambda: tsr.ones((2,)).item()):
            self.assertRaises((TypeError, ValueError), wrong)
        self.assertEqual([y.tolist() for y in tsr.array([[1, 2], [3, 4]])], [[1, 2], [3, 4]])

    def test_printed(self):
        x = tsr.array([[1.5, 2], [3, 4]])
        self.assertEqual(str(x), "[[1.5 2. ]\n [3.  4. ]]")
        self.assertEqual(repr(x), "Array([[1.5 2. ]\n       [3.  4. ]], dtype=float32)")
        seen = []
        tsr.jit(lambda x: seen.append(repr(x)) or x)(x)
        self.assertEqual(seen, ["Traced<f32[2,2]>"])

    def test_copies(self):
        x = tsr.array([[1, 2]])
        self.assertEqual(pickle.loads(pickle.dumps(x)).tolist(), [[1, 2]])
        self.assertIs(copy.deepcopy(x), x)

    # ---- operators against Python's numbers

    def test_operators(self):
        values = [-3, -1, 2, 7]
        x = tsr.array(values)
        for name, other in (("add", 2), ("sub", 5), ("mul", -3), ("floordiv", 2), ("mod", 3),
                            ("and", 6), ("or", 1), ("xor", 5), ("lshift", 2), ("rshift", 1)):
            for made in (other, tsr.array(other)):
                got = getattr(x, f"__{name}__")(made).tolist()
                self.assertEqual(got, [getattr(v, f"__{name}__")(other) for v in values], name)
        for name in ("add", "sub", "mul", "floordiv", "mod", "and", "or", "xor"):
            got = getattr(x, f"__r{name}__")(11).tolist()
            self.assertEqual(got, [getattr(v, f"__r{name}__")(11) for v in values], name)
        self.assertEqual((2 ** tsr.array([1.0, 3.0])).tolist(), [2, 8])
        self.assertEqual((x ** 2).tolist(), [9, 1, 4, 49])
        self.assertEqual((1 / tsr.array([2.0, 4.0])).tolist(), [0.5, 0.25])
        self.assertEqual([(-x).tolist(), abs(x).tolist(), (~x).tolist(), (+x).tolist()],
                         [[3, 1, -2, -7], [3, 1, 2, 7], [2, 0, -3, -8], values])
        for name in ("lt", "le", "gt", "ge", "eq", "ne"):
            got = getattr(x, f"__{name}__")(2).tolist()
            self.assertEqual(got, [getattr(v, f"__{name}__")(2) for v in values], name)
        self.assertEqual((x + [1, 2, 3, 4]).tolist(), [-2, 1, 5, 11])
        self.assertEqual(([[1, 0]] @ tsr.array([[1], [2]])).tolist(), [[1]])
        with self.assertRaises(TypeError):
            x + "text"
        self.assertEqual(divmod(x, 2)[1].tolist(), [1, 1, 0, 1])
        self.assertEqual((tsr.ones((2,), dtype="bf16") * 2.5).dtype, tsr.bfloat16)

    # ---- indices

    def test_indices(self):
        rows = [[10 * i + j for j in range(4)] for i in range(3)]
        x = tsr.array(rows)
        self.assertEqual(x[1].tolist(), rows[1])
        self.assertEqual(x[-1, -2].tolist(), 22)
        self.assertEqual(x[:, 1].tolist(), [1, 11, 21])
        self.assertEqual(x[::-1, ::2].tolist(), [row[::2] for row in rows[::-1]])
        self.assertEqual(x[5:].shape, (0, 4))
        self.assertEqual(x[None, ..., None].shape, (1, 3, 4, 1))
        self.assertEqual(x[[2, 0]].tolist(), [rows[2], rows[0]])
        self.assertEqual(x[[-1, 0], [1, -1]].tolist(), [21, 3])
        self.assertEqual(x[:, tsr.array([[0], [3]])].shape, (3, 2, 1))
        self.assertEqual(x[x > 20].tolist(), [21, 22, 23])
        self.assertEqual(tsr.jit(lambda x, i: x[i])(x, 1).tolist(), rows[1])
        self.assertEqual(x[[7]].tolist(), [rows[2]])
        for wrong in (lambda: x[3], lambda: x[0, 0, 0], lambda: x[..., ...]):
            self.assertRaises(IndexError, wrong)
        with self.assertRaises(TypeError):
            x[0] = 1

    def test_at(self):
        x = tsr.array([[0, 1, 2], [3, 4, 5]])
        self.assertEqual(x.at[0].set(7).tolist(), [[7, 7, 7], [3, 4, 5]])
        self.assertEqual(x.at[:, 1].add([10, 20]).tolist(), [[0, 11, 2], [3, 24, 5]])
        self.assertEqual(x.at[1, 2].mul(2).tolist(), [[0, 1, 2], [3, 4, 10]])
        self.assertEqual(x.at[[1, 1]].add(1).tolist(), [[0, 1, 2], [5, 6, 7]])
        self.assertEqual(x.at[:, ::2].set(0).tolist(), [[0, 1, 0], [0, 4, 0]])
        self.assertEqual(x.at[[0, 1], [2, 0]].set([8, 9]).tolist(), [[0, 1, 8], [9, 4, 5]])
        self.assertEqual(x.at[x > 3].set(0).tolist(), [[0, 1, 2], [3, 0, 0]])
        self.assertEqual(x.at[[5]].set(1).tolist(), x.tolist())
        self.assertEqual(x.at[[0, 9], [0, 0]].set(6).tolist(), [[6, 1, 2], [3, 4, 5]])
        self.assertEqual(x.at[0].min(1).tolist(), [[0, 1, 1], [3, 4, 5]])
        self.assertEqual(x.at[...].max(2).tolist(), [[2, 2, 2], [3, 4, 5]])
        self.assertEqual(x.at[0, 0].apply(lambda y: y - 1).tolist(), [[-1, 1, 2], [3, 4, 5]])
        self.assertEqual(x.at[[9]].get(mode="fill", fill_value=-1).tolist(), [[-1, -1, -1]])
        self.assertEqual(x.tolist(), [[0, 1, 2], [3, 4, 5]])
        grad = tsr.grad(lambda w: tsr.sum(w.at[1].set(3.0) ** 2))(tsr.array([1.0, 2.0, 3.0]))
        self.assertEqual(grad.tolist(), [2, 0, 6])

    # ---- functions with keywords

    def test_keywords(self):
        x = tsr.array([[1.0, 2], [3, 4]])
        self.assertEqual(tsr.sum(x, axis=0).tolist(), [4, 6])
        self.assertEqual(tsr.sum(x, 1, keepdims=True).shape, (2, 1))
        self.assertEqual(tsr.max(x, where=x < 4, initial=0).item(), 3)
        self.assertEqual(tsr.argmax(x, axis=1).tolist(), [1, 1])
        self.assertEqual(tsr.concatenate([x, x], axis=1).shape, (2, 4))
        self.assertEqual(tsr.stack([x, [[0, 0], [0, 0]]]).shape, (2, 2, 2))
        self.assertEqual([y.tolist() for y in tsr.split(tsr.arange(4), 2)], [[0, 1], [2, 3]])
        value, sign = tsr.logsumexp(x, b=-1.0, sign=True)
        self.assertEqual(sign.item(), -1)
        y, mean, var = tsr.batch_norm(x, [1.0, 1.0], None, [0.0, 0.0], [1.0, 1.0], momentum=0.5,
                                      new_mean=True, new_var=True)
        self.assertEqual((mean.tolist(), var.tolist(), y[1, 0].item() > 0.99), ([1, 1.5], [1, 1],
                                                                              True))
        self.assertEqual(tsr.where(x > 2, x, 0).tolist(), [[0, 0], [3, 4]])
        self.assertEqual(tsr.clamp(2, x, None).tolist(), [[2, 2], [3, 4]])
        self.assertEqual(tsr.einsum("ij->i", x).tolist(), [3, 7])
        self.assertEqual(tsr.take(x, [0, 5], axis=0, mode="clip").tolist(), [[1, 2], [3, 4]])
        self.assertEqual(tsr.round(tsr.array(2.567), decimals=1).item().__round__(3), 2.6)
        self.assertEqual(tsr.matmul(x, x, precision="highest").tolist(), [[7, 10], [15, 22]])
        self.assertEqual(tsr.add(1, 2).item(), 3)
        self.assertEqual(x.reshape(4).sum(axis=0).item(), x.reshape((-1,)).sum().item())
        self.assertEqual(x.transpose(1, 0).tolist(), x.T.tolist())
        self.assertEqual(x.astype("i32").dtype, "int32")
        self.assertEqual((x.mean().item(), x.real.shape, x.flatten().shape), (2.5, (2, 2), (4,)))
        with self.assertRaises(tsr.Error) as caught:
            tsr.sum(x, axis=5)
        self.assertEqual(caught.exception.code, tsr.Error.ERROR_ARGUMENT)

    def test_random(self):
        key = tsr.random.key(42)
        a, b = tsr.random.split(key)
        self.assertEqual(tsr.random.normal(a, (3,)).shape, (3,))
        self.assertTrue(tsr.array_equal(tsr.random.uniform(b, (4,)), tsr.uniform(b, (4,))))
        self.assertEqual(tsr.random.split(key, (2, 3)).shape, (2, 3, 2))
        self.assertEqual(tsr.random.bits(key, (2,)).dtype, tsr.uint32)
        self.assertEqual(tsr.random.choice(key, 5, (2,), without_replacement=True).shape, (2,))

    # ---- files and training

    def test_files(self):
        tree = {"w": tsr.ones((2, 3)), "b": [tsr.arange(3), tsr.zeros((), dtype="i32")]}
        with tempfile.TemporaryDirectory() as folder:
            for ending in ("npz", "safetensors"):
                path = f"{folder}/tree.{ending}"
                tsr.save(tree, path)
                back = tsr.load(tree, path)
                self.assertTrue(tsr.tree.allclose(tree, back))
                self.assertEqual(tsr.load([0], path, names=["b.0"])[0].tolist(), [0, 1, 2])
                self.assertIn("b.0", tsr.file_text(path))
            tsr.save_npy(tree["w"], f"{folder}/w.npy")
            self.assertEqual(tsr.load_npy(f"{folder}/w.npy").shape, (2, 3))
            tsr.checkpoints.save(f"{folder}/run", 5, tree)
            self.assertEqual(tsr.checkpoints.latest(f"{folder}/run"), 5)
            like = tsr.tree.map(tsr.zeros_like, tree)
            self.assertTrue(tsr.tree.allclose(tree, tsr.checkpoints.load(f"{folder}/run", 5, like)))
            tsr.checkpoints.verify(f"{folder}/run", 5)
            with self.assertRaises(tsr.Error):
                tsr.load(tree, f"{folder}/none.npz")
            tsr.save_npy(tsr.reshape(tsr.arange(12), (6, 2)), f"{folder}/x.npy")
            batches = tsr.Batches([f"{folder}/x.npy"], 2)
            seen = [x.tolist() for x, in batches]
            self.assertEqual((len(batches), seen[0]), (3, [[0, 1], [2, 3]]))
            batches.close()

    def test_training(self):
        def loss(w, x, y):
            return tsr.mean((w["k"] * x + w["b"] - y) ** 2)

        x = tsr.arange(8, dtype="f32") / 8
        y = 3 * x + 1
        opt = tsr.chain([tsr.clip_by_global_norm(10.0), tsr.adam(0.1)])
        w = {"k": tsr.zeros(()), "b": tsr.zeros(())}
        state = opt.init(w)
        for _ in range(3):
            w, state = opt.update(tsr.grad(loss)(w, x, y), w, state)
        step = tsr.train_step(loss, opt)
        first = None
        for _ in range(200):
            value, w, state = step(w, state, x, y)
            first = first or value.item()
        self.assertLess(value.item(), first / 100)
        schedule = tsr.join_schedules([tsr.linear_schedule(0.0, 1.0, 10),
                                       tsr.constant_schedule(0.5)], [10])
        self.assertEqual([schedule(k).item() for k in (0, 5, 20)], [0, 0.5, 0.5])
        self.assertEqual(tsr.tree.norm({"a": tsr.array([3.0, 4.0])}).item(), 5)
        self.assertEqual(tsr.tree.size(w), 2)

    def test_programs(self):
        f = tsr.jit(lambda x: x * 2)
        program = tsr.parse(f.text(tsr.ones((2,))))
        self.assertEqual(program(tsr.ones((2,))).tolist(), [2, 2])
        self.assertIn("partition", tsr.passes())
        self.assertIn("mul", program.transformed("all").text())
        self.assertIn("loops each", f.time(tsr.ones((2,)), runs=2, loops=2))
        f.expect_collectives("psum=0", tsr.ones((2,)))
        self.assertEqual(f.costs(tsr.ones((2,)))["collectives"], 0)

    # ---- places

    def test_shardings(self):
        mesh = tsr.make_mesh((4, 2), ("x", "y"))
        x = tsr.device_put(tsr.ones((8, 2)), tsr.NamedSharding(mesh, tsr.P("x", "y")))
        self.assertEqual(x.sharding.spec, tsr.P("x", "y"))
        self.assertEqual(x.sharding.shard_shape((8, 2)), (2, 1))
        self.assertEqual(len(x.devices()), 8)
        self.assertEqual(tsr.device_put(x, 3).sharding, tsr.SingleDeviceSharding(3))
        tree = tsr.device_put({"a": x, "b": [x]}, tsr.NamedSharding(mesh, tsr.P(("x", "y"))))
        self.assertEqual(tree["b"][0].sharding.spec, tsr.P(("x", "y")))
        grid = tsr.PositionalSharding(tsr.devices()).reshape(4, 2)
        y = tsr.device_put(x, grid.replicate(1))
        self.assertEqual(y.addressable_shards[1].data.shape, (2, 2))
        self.assertTrue(y.sharding.is_equivalent_to(
            tsr.NamedSharding(mesh, tsr.P("x")), 2))
        with mesh:
            f = tsr.jit(lambda x: tsr.with_sharding_constraint(x * 2, tsr.P("x")))
            self.assertEqual(f(tsr.ones((8,))).sharding.spec, tsr.P("x"))
        shards = [tsr.device_put(tsr.ones((1,)) * k, k) for k in range(8)]
        whole = tsr.from_shards(tsr.NamedSharding(mesh, tsr.P(("x", "y"))), (8,), shards)
        self.assertEqual(whole.tolist(), list(range(8)))
        self.assertEqual(mesh, tsr.Mesh([[0, 1], [2, 3], [4, 5], [6, 7]], ("x", "y")))

    # ---- lives

    def test_contexts(self):
        with tsr.Context(devices=2) as other:
            x = tsr.ones((2,))
            self.assertEqual(tsr.device_count(), 2)
            self.assertIs(x._ctx, other)
        self.assertEqual(tsr.device_count(), 8)
        self.assertEqual((x + 1).tolist(), [2, 2])
        with self.assertRaises(tsr.Error):
            x + tsr.ones((2,))
        other.close()
        with self.assertRaises(RuntimeError):
            x.shape
        del x
        gc.collect()
        with self.assertRaises(tsr.Error):
            tsr.Context(devices=-1)


if __name__ == "__main__":
    sys.exit(unittest.main())
