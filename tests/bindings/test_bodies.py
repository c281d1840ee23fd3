"""test_bodies.py - Python functions as bodies: exceptions and their tracebacks, trees, values from
outside, transformations of each kind, branches and loops, callbacks."""
import gc
import sys
import traceback
import unittest

import tsr


class Odd(Exception):
    pass


def numbers(count):
    return tsr.arange(count, dtype="float32")


class Bodies(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        tsr.init(devices=8)

    # ---- exceptions

    def raised(self, call, kind):
        try:
            call()
        except kind as error:  # assertRaises() would drop the frames
            return error, "".join(traceback.format_exception(kind, error, error.__traceback__))
        self.fail(f"no {kind.__name__}")
        return None

    def test_exception_has_both_tracebacks(self):
        def deep(x):
            raise Odd("in the body")

        def body(x):
            return deep(x) + 1

        error, text = self.raised(lambda: tsr.jit(body)(numbers(3)), Odd)
        self.assertEqual(str(error), "in the body")
        for name in ("in deep", "in body", "in raised",
                     "while tracing body, called at test_bodies.py:"):
            self.assertIn(name, text)

    def test_exception_through_several(self):
        def body(x):
            raise Odd("far inside")

        def around(x):
            return tsr.sum(tsr.vmap(tsr.jit(body))(x))

        error, text = self.raised(lambda: tsr.grad(around)(numbers(3)), Odd)
        self.assertIn("while tracing around", text)
        self.assertIn("while tracing body", text)
        self.assertNotIn("_body.py", text)
        self.assertEqual(tsr.jit(lambda x: x + 1)(numbers(2)).tolist(), [1, 2])

    def test_exception_in_a_loop(self):
        def step(carry, x):
            raise Odd("step")

        self.raised(lambda: tsr.scan(step, 0.0, numbers(3)), Odd)
        self.raised(lambda: tsr.cond(True, lambda: step(0, 0), lambda: 1.0), Odd)

    def test_library_error_in_a_body(self):
        def body(x):
            return x + tsr.ones((5,))

        error, text = self.raised(lambda: tsr.jit(body)(numbers(3)), tsr.Error)
        self.assertEqual(error.code, tsr.Error.ERROR_TYPE)
        self.assertIn("in body", text)
        self.assertIn("while tracing body", text)

    def test_handles_after_a_body_that_raised(self):
        kept = []

        def body(x):
            kept.append(x * 2)
            raise Odd()

        self.raised(lambda: tsr.jit(body)(numbers(3)), Odd)
        with self.assertRaises(RuntimeError):
            kept[0] + 1
        self.assertIn("has returned", repr(kept[0]))
        kept.clear()

    def test_value_of_a_traced_array(self):
        error, _ = self.raised(lambda: tsr.jit(lambda x: float(tsr.sum(x)))(numbers(3)), tsr.Error)
        self.assertEqual(error.code, tsr.Error.ERROR_HANDLE)

    # ---- trees, keywords, static arguments

    def test_trees(self):
        def f(w, *, scale):
            return {"all": [w["a"] * scale, (w["b"][0], None)], "n": 3}

        got = tsr.jit(f)({"a": numbers(2), "b": [1.5, None]}, scale=2)
        self.assertEqual(tsr.tree.map(lambda x: x.tolist(), got),
                         {"all": [[0, 2], (1.5, None)], "n": 3})
        self.assertEqual(tsr.tree.structure(got).num_leaves, 3)

    def test_one_function_of_several_trees(self):
        f = tsr.jit(lambda x: [x] * x.ndim)
        for _ in range(2):
            for rank in (1, 2, 1, 3):
                self.assertEqual(len(f(tsr.zeros((2,) * rank))), rank)

    def test_trees_that_look_alike(self):
        f = tsr.jit(lambda t: sorted(t["t"]) and t["t"].get("a", t["t"]["b"]))
        x, y = numbers(2), tsr.ones((2,))
        for _ in range(3):
            self.assertEqual(f({"t": {"a": x, "b": y}}).tolist(), [0, 1])
            self.assertEqual(f({"t": {"b": y, "c": x}}).tolist(), [1, 1])
            self.assertIsNone(f({"t": {"a": None, "b": y}}))
            self.assertEqual(f({"t": {"b": y, "d": None}}).tolist(), [1, 1])
            self.assertEqual(f({"t": {"a": 2.0, "b": y}}).item(), 2)

    def test_shardings_of_jit(self):
        mesh = tsr.Mesh({"x": 8})
        rows = tsr.NamedSharding(mesh, tsr.P("x"))
        f = tsr.jit(lambda x, y: (x * 2, y), in_shardings=(rows, None), out_shardings=(rows, rows))
        for z in f(numbers(8), numbers(16)):
            self.assertEqual(z.sharding, rows)

    def test_static(self):
        f = tsr.jit(lambda x, n, how="add": x + n if how == "add" else x * n,
                    static_argnums=1, static_argnames="how")
        self.assertEqual(f(numbers(2), 3).tolist(), [3, 4])
        self.assertEqual(f(numbers(2), n=4, how="mul").tolist(), [0, 4])
        with self.assertRaises(TypeError):
            f(numbers(2), [3])

    def test_donated(self):
        f = tsr.jit(lambda x, y: x + y, donate_argnums=0)
        x, y = numbers(4), numbers(4)
        self.assertEqual(f(x, y).tolist(), [0, 2, 4, 6])
        with self.assertRaises(tsr.Error):
            x + 1
        self.assertEqual((y + 1).tolist(), [1, 2, 3, 4])

    # ---- what a body takes from outside

    def test_captures_are_traced_once(self):
        w, runs = numbers(3), []

        def f(x):
            runs.append(1)
            return x * w + tsr.array([1.0, 2.0, 3.0])

        f = tsr.jit(f)
        for _ in range(5):
            self.assertEqual(f(numbers(3)).tolist(), [1, 3, 7])
        self.assertLessEqual(len(runs), 2)
        self.assertEqual((w + 1).tolist(), [1, 2, 3])

    def test_captures_in_functions_inside(self):
        w = numbers(3)
        inner = tsr.jit(lambda x: tsr.sum(x * w))
        outer = tsr.jit(lambda x: inner(x) + tsr.grad(inner)(x)[1])
        for _ in range(3):
            self.assertEqual(inner(numbers(3)).item(), 5)
            self.assertEqual(outer(numbers(3)).item(), 6)

    def test_equal_closures_are_not_equal(self):
        makers = [lambda x, k=k: x + k for k in range(3)]
        self.assertEqual([tsr.jit(f)(1).item() for f in makers], [1, 2, 3])

    # ---- transformations

    def test_has_aux_and_trees_of_gradients(self):
        def loss(w, x):
            return tsr.sum((w["k"] * x) ** 2), {"seen": x}

        (value, aux), g = tsr.value_and_grad(loss, has_aux=True)({"k": numbers(3)}, numbers(3))
        self.assertEqual((value.item(), aux["seen"].tolist(), g["k"].tolist()),
                         (17, [0, 1, 2], [0, 2, 16]))
        g, aux = tsr.grad(loss, argnums=(1,), has_aux=True)({"k": numbers(3)}, numbers(3))
        self.assertEqual(g[0].tolist(), [0, 2, 16])

    def test_vmap(self):
        got = tsr.vmap(lambda x, y: (x + y, x), in_axes=(0, None), out_axes=(1, 0))(
            tsr.ones((3, 2)), numbers(2))
        self.assertEqual([x.shape for x in got], [(2, 3), (3, 2)])
        got = tsr.vmap(lambda t: {"a": [t["x"], t["y"]]}, in_axes=({"x": 0, "y": None},),
                       out_axes={"a": [0, None]})({"x": numbers(3), "y": numbers(2)})
        self.assertEqual([x.shape for x in got["a"]], [(3,), (2,)])
        total = tsr.vmap(lambda x: tsr.psum(x, "batch"), axis_name="batch")(numbers(4))
        self.assertEqual(total.tolist(), [6] * 4)

    def test_derivatives(self):
        y, dy = tsr.jvp(lambda x: x["a"] ** 2, ({"a": numbers(3)},), ({"a": tsr.ones((3,))},))
        self.assertEqual((y.tolist(), dy.tolist()), ([0, 1, 4], [0, 2, 4]))
        y, back = tsr.vjp(lambda a, b: {"p": a * b}, numbers(3), 2.0)
        da, db = back({"p": tsr.ones((3,))})
        self.assertEqual((da.tolist(), db.item()), ([2, 2, 2], 3))
        y, forward = tsr.linearize(lambda x: x * x, numbers(3))
        self.assertEqual(forward(tsr.ones((3,))).tolist(), [0, 2, 4])
        self.assertEqual(tsr.jacfwd(lambda x: x * x)(numbers(2)).tolist(), [[0, 0], [0, 2]])
        self.assertEqual(tsr.jacrev(lambda x: {"y": x * x})(numbers(2))["y"].tolist(),
                         [[0, 0], [0, 2]])
        self.assertEqual(tsr.hessian(lambda x: tsr.sum(x ** 3))(numbers(2)).tolist(),
                         [[0, 0], [0, 6]])
        transposed = tsr.linear_transpose(lambda x: x * 3, numbers(2))
        self.assertEqual(transposed(numbers(2))[0].tolist(), [0, 3])

    def test_own_rules(self):
        @tsr.custom_vjp
        def clip(x):
            return x * 2

        clip.defvjp(lambda x: (clip(x), (x,)), lambda kept, g: (g * 10 + kept[0],))
        self.assertEqual(clip(3.0).item(), 6)
        self.assertEqual(tsr.grad(clip)(1.0).item(), 11)

        @tsr.custom_jvp
        def product(x, y):
            return x * y

        @product.defjvp
        def rule(primals, tangents):
            return product(*primals), tangents[0] * 100

        self.assertEqual(tsr.grad(product)(2.0, 3.0).item(), 100)
        self.assertEqual(tsr.grad(tsr.checkpoint(lambda x: tsr.sin(x)))(0.0).item(), 1)

        @tsr.custom_vjp
        def scaled(x, n):
            return x * n

        scaled = tsr.custom_vjp(lambda n, x: x * n, nondiff_argnums=(0,))
        scaled.defvjp(lambda n, x: (x * n, None), lambda n, kept, g: (g * n * 7,))
        self.assertEqual(tsr.grad(lambda x: scaled(3, x))(1.0).item(), 21)

    def test_pmap_and_decorators(self):
        @tsr.pmap(axis_name="i")
        def f(x):
            return x / tsr.psum(x, "i")

        self.assertEqual(f(numbers(8)).tolist(), [k / 28 for k in range(8)]
                         and (numbers(8) / 28).tolist())

        @tsr.pmap(axis_name="i", in_axes=(0, None), donate_argnums=0)
        def given_up(x, y):
            return x + y

        x = numbers(8)
        self.assertEqual(given_up(x, 1.0).tolist(), [k + 1 for k in range(8)])

        @tsr.jit
        def g(x):
            "twice"
            return x * 2

        self.assertEqual((g.__name__, g.__doc__), ("g", "twice"))
        self.assertIn("mul", g.text(numbers(2)))
        self.assertEqual(g.stats()["calls"], 0)

    def test_eval_shape(self):
        out = tsr.eval_shape(lambda x: {"y": x @ x.T}, tsr.ShapeDtypeStruct((2, 3), "f32"))
        self.assertEqual(out, {"y": tsr.ShapeDtypeStruct((2, 2), tsr.float32)})

    # ---- branches and loops

    def test_control(self):
        x = numbers(4)
        carry, ys = tsr.scan(lambda c, x: ({"s": c["s"] + x, "n": c["n"] + 1}, (x, c["n"])),
                             {"s": 0.0, "n": 0}, x)
        self.assertEqual((carry["s"].item(), carry["n"].item(), ys[1].tolist()),
                         (6, 4, [0, 1, 2, 3]))
        self.assertEqual(tsr.scan(lambda c, _: (c * 2, None), 1, None, length=5)[0].item(), 32)
        self.assertEqual(tsr.while_loop(lambda c: c[0] < 10, lambda c: (c[0] + 1, c[1] * 2),
                                        (0, 1.0))[1].item(), 1024)
        self.assertEqual(tsr.fori_loop(0, 5, lambda i, c: c + i, 0).item(), 10)
        self.assertEqual(tsr.cond(x[1] > 0, lambda a: a, lambda a: -a, x).tolist(), x.tolist())
        self.assertEqual(tsr.switch(5, [lambda: 1.0, lambda: 2.0]).item(), 2)
        self.assertEqual(tsr.map(lambda x: x * 2, x, batch_size=3).tolist(), [0, 2, 4, 6])
        self.assertEqual(tsr.associative_scan(lambda a, b: a + b, x).tolist(), [0, 1, 3, 6])
        self.assertEqual(tsr.reduce(x, 0.0, lambda a, b: a + b, (0,)).item(), 6)
        total = tsr.jit(lambda x: tsr.scan(lambda c, x: (c + x, None), 0.0, x)[0])
        self.assertEqual(tsr.grad(total)(x).tolist(), [1] * 4)
        self.assertEqual(total(x).item(), 6)
        self.assertEqual(total(x).item(), 6)
        self.assertEqual(total.stats()["traces"], 1)
        with self.assertRaises(TypeError):
            tsr.scan(lambda c, x: ((c, c), None), 0.0, x)

    def test_functions_in_loops(self):
        f = tsr.jit(lambda x, y: x * y)
        g = tsr.jit(lambda t: t["a"] + 1)
        two = tsr.array(2.0)
        gc.collect()
        live = len(tsr.current().live)
        for _ in range(3):
            f(two, two)
            g({"a": two})
            got = tsr.scan(lambda c, x: (f(c, x), g({"a": c})), two, tsr.array([2.0, 3.0]))
            self.assertEqual((got[0].item(), got[1].tolist()), (12, [3, 5]))
            seen = []
            tsr.debug_callback(lambda x: seen.append(f(tsr.array(x), two).item()), two)
            self.assertEqual(seen, [4])
            del got
        gc.collect()
        self.assertEqual(len(tsr.current().live), live)

    # ---- callbacks

    def test_callbacks(self):
        seen = []
        f = tsr.jit(lambda x: tsr.io_callback(lambda y: seen.append(y) or y,
                                              tsr.ShapeDtypeStruct((3,), "f32"), x) * 2)
        self.assertEqual(f(numbers(3)).tolist(), [0, 2, 4])
        self.assertEqual(len(seen), 1)

        def bad(x):
            raise Odd("while it runs")

        g = tsr.jit(lambda x: tsr.pure_callback(bad, tsr.ShapeDtypeStruct((), "f32"), x))
        error, text = self.raised(lambda: g(numbers(3)), Odd)
        self.assertIn("in bad", text)
        self.assertIn("while running", text)


if __name__ == "__main__":
    sys.exit(unittest.main())
