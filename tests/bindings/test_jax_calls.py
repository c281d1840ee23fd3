"""test_jax_calls.py - when the functions of tsr.jax are traced, as in JAX 0.10.2: jit's once for
each structure, type and static value of arguments, others at each call."""
import collections
import unittest

import tsr.jax

tsr.jax.install()

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P  # noqa: E402

jax.config.update("jax_num_cpu_devices", 8)
Pair = collections.namedtuple("Pair", "a b")
FACTOR = 1.


class Counted:
    """A function that counts how often it is traced."""

    def __init__(self, function=None):
        self.count, self.function = 0, function

    def __call__(self, *args, **keywords):
        self.count += 1
        if self.function:
            return self.function(*args, **keywords)
        return jax.tree.map(lambda x: x * 2, (args, keywords))


class Jitted(unittest.TestCase):
    def traces(self, calls, function=None, **options):
        """How often it was traced after each call."""
        counted, found = Counted(function), []
        f = jax.jit(counted, **options)
        for args, keywords in calls:
            f(*args, **keywords)
            found.append(counted.count)
        return found

    def of(self, *args, **options):
        return self.traces([((x,), {}) for x in args], **options)

    def test_types(self):
        self.assertEqual(self.of(2., 3., jnp.float32(3), jnp.asarray(2.), 2, True, np.float32(3),
                                 -0., 2.), [1, 1, 2, 2, 3, 4, 4, 4, 4])
        x, i = jnp.ones(3), jnp.arange(3)
        self.assertEqual(self.of(x, x, jnp.ones(4), i, x, np.ones(3, np.float32), np.ones(3)),
                         [1, 1, 2, 3, 3, 3, 3])

    def test_numbers(self):
        f = jax.jit(lambda x, y: (x, 1 / y))
        for x, y in [(0., 0.), (-0., -0.), (0., -0.), (0, 2), (True, 2.), (1, 2.), (1., 2.)] * 2:
            a, b = f(x, y)
            self.assertEqual(str(float(a)), str(float(x)))
            self.assertEqual(float(b), float(np.float32(1) / np.float32(y)) if y else
                             float("-inf" if str(y)[0] == "-" else "inf"))
            self.assertEqual(a.weak_type, not isinstance(x, bool))
        self.assertTrue(np.isnan(float(jax.jit(lambda x: x)(float("nan")))))

    def test_trees(self):
        x = jnp.ones(3)
        calls = [((x, x), {}), (((x, x),), {}), (([x, x],), {}), ((x,), {"b": x}), ((x, x), {}),
                 (({"a": x},), {}), (({"b": x},), {}), (({"a": x},), {}), (({"a": None},), {}),
                 (({"b": None},), {}), ((Pair(x, x),), {}), ((Pair(x, (x,)),), {}),
                 ((Pair(x, x),), {})]
        self.assertEqual(self.traces(calls), [1, 2, 3, 4, 4, 5, 6, 6, 7, 8, 9, 10, 10])
        for tree in [(x, {"a": [x, None]}), Pair(x, {}), [jax.tree_util.Partial(max, x)]] * 2:
            f = jax.jit(lambda t: t)
            for _ in range(4):
                self.assertEqual(jax.tree.structure(f(tree)), jax.tree.structure(tree))

    def test_static(self):
        x = jnp.ones(3)
        calls = [((x, n), {}) for n in (1, 1, 2, 1., True, 1)]
        self.assertEqual(self.traces(calls, lambda x, n: x * n, static_argnums=1),
                         [1, 1, 2, 3, 4, 4])
        calls = [((x,), {"n": 1}), ((x,), {"n": 1}), ((x,), {"n": 2}), ((x, 1), {}), ((x,), {}),
                 ((x,), {"n": 2})]
        self.assertEqual(self.traces(calls, lambda x, n=3: x * n, static_argnames="n"),
                         [1, 1, 2, 3, 4, 4])

        @jax.jit
        def around(x):
            return power(x, 3)

        def power(x, n):
            return x if n == 1 else x * power_jit(x, n - 1)

        power_jit = jax.jit(power, static_argnums=1)
        for n in (3, 2, 1, 3, 2, 1):
            self.assertEqual(float(power_jit(2., n)), 2. ** n)
            self.assertEqual(float(around(2.)), 8.)

    def test_closures(self):
        scale = jnp.asarray(2.)
        f = jax.jit(lambda x: x * scale)
        found = [float(f(3.)) for _ in range(3)]
        scale = jnp.asarray(5.)
        found += [float(f(3.)), float(f(jnp.float32(3)))]
        self.assertEqual(found[:4], [6., 6., 6., 6.])

    def test_meshes(self):
        devices, counted = np.array(jax.devices()), Counted(
            lambda x: jax.lax.with_sharding_constraint(x * 2, P("x")))
        f, x, found = jax.jit(counted), jnp.arange(8.), []
        for n in (4, 8, 4, 8):
            with Mesh(devices[:n], ("x",)):
                found.append((len(f(x).sharding.device_set), counted.count))
        self.assertEqual(found, [(4, 1), (8, 2), (4, 2), (8, 2)])

    def test_shardings(self):
        meshes = [Mesh(np.array(jax.devices()[:n]), (name,)) for n, name in [(4, "a"), (8, "b")]]
        f, x = jax.jit(lambda x: x + 1), jnp.arange(8.)
        for _ in range(3):
            for mesh in meshes:
                y = f(jax.device_put(x, NamedSharding(mesh, P(mesh.axis_names[0]))))
                self.assertEqual(y.sharding, NamedSharding(mesh, P(mesh.axis_names[0])))
                for _ in range(40):  # what is kept of shardings does not grow
                    y = y + y
                self.assertEqual(len(y._like), 1)
            self.assertEqual(len(f(x).sharding.device_set), 1)

    def test_donated(self):
        f = jax.jit(lambda x, y: x + y, donate_argnums=0)
        x, y = jnp.ones(3), jnp.ones(3)
        for _ in range(4):
            x = f(x, y)
        z = f(x, y)
        self.assertEqual((x.is_deleted(), y.is_deleted()), (True, False))
        for use in (lambda: x + 1, lambda: f(x, y)):
            with self.assertRaises(RuntimeError):
                use()
        self.assertEqual(z.tolist(), [6.] * 3)
        self.assertEqual([float(f(2., 3.)) for _ in range(3)], [5.] * 3)

    def test_results(self):
        f = jax.jit(lambda x: x if x.ndim else {"a": x})  # one tree or another, by the type
        for _ in range(3):
            self.assertEqual(float(f(1.)["a"]), 1.)
            self.assertEqual(f(jnp.ones(1)).tolist(), [1.])
        f.clear_cache()
        self.assertEqual(float(f(1.)["a"]), 1.)

    def test_errors(self):
        f = jax.jit(lambda x: x @ x)
        for _ in range(2):
            self.assertEqual(float(f(jnp.ones(2))), 2.)
            with self.assertRaises(TypeError):
                f(jnp.ones((2, 3)))
            with self.assertRaises(TypeError):
                f("text")


def square(x):
    return x * x * FACTOR


def total(x):
    return jnp.sum(square(x))


class Anew(unittest.TestCase):
    def test_globals(self):
        """What they use of their module is as it is at the call."""
        global FACTOR
        mesh = Mesh(np.array(jax.devices()), ("i",))
        jvp, vjp = jax.custom_jvp(lambda x: square(x)), jax.custom_vjp(lambda x: square(x))
        jvp.defjvp(lambda p, t: (jvp(*p), t[0] * FACTOR))
        vjp.defvjp(lambda x: (square(x), x), lambda r, c: (c * FACTOR,))
        functions = {
            "grad": jax.grad(total), "value_and_grad": jax.value_and_grad(total),
            "jacfwd": jax.jacfwd(square), "jacrev": jax.jacrev(square),
            "hessian": jax.hessian(total), "vmap": jax.vmap(square),
            "shard_map": jax.shard_map(square, mesh=mesh, in_specs=P("i"), out_specs=P("i")),
            "jvp": lambda x: jax.jvp(square, (x,), (x,)), "vjp": lambda x: jax.vjp(square, x)[0],
            "custom_jvp": jvp, "custom_vjp": vjp,
            "grad of custom_jvp": jax.grad(lambda x: jnp.sum(jvp(x))),
            "grad of custom_vjp": jax.grad(lambda x: jnp.sum(vjp(x))),
            "scan": lambda x: jax.lax.scan(lambda c, y: (c, square(y)), 0., x)[1],
            "vectorize": jnp.vectorize(square)}
        x, once = jnp.arange(8.), {"jit": jax.jit(square), "pmap": jax.pmap(square),
                                   "jit of grad": jax.jit(jax.grad(total)),
                                   "checkpoint": jax.checkpoint(square)}
        try:
            for name, f in {**functions, **once}.items():
                found = []
                for FACTOR in (1., 2., 2.):
                    found.append(float(jnp.sum(jax.tree.leaves(f(x))[-1])))
                with self.subTest(name):
                    factor = 1 if name in once else 2
                    self.assertEqual(found[1:], [factor * found[0]] * 2)
        finally:
            FACTOR = 1.

    def test_numbers(self):
        f = jax.grad(lambda x, n: x ** n if n else x)
        for n in (2, 3, 0, 2, True):
            self.assertEqual(float(f(3., n)), n * 3. ** (n - 1) if n else 1.)


if __name__ == "__main__":
    unittest.main()
