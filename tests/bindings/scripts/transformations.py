"""transformations.py - trees through every transformation, transformations of each other, static
and donated arguments, callbacks, meshes in use."""
import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

jax.config.update("jax_num_cpu_devices", 8)
mesh = Mesh(np.array(jax.devices()).reshape(4, 2), ("x", "y"))
a, b = jnp.arange(32.).reshape(8, 4), jnp.arange(8.).reshape(4, 2)


@functools.partial(jax.shard_map, mesh=mesh, in_specs=({"a": P("x", "y"), "b": P("y")}, P()),
                   out_specs=(P("x", None), {"total": P()}))
def mapped(tree, scale):
    part = lax.psum(tree["a"] @ tree["b"], "y") * scale
    return part, {"total": lax.psum(part.sum(), "x")}


print(mapped({"a": a, "b": b}, 2.))
print(jax.jit(mapped)({"a": a, "b": b}, 2.)[1])
print(jax.grad(lambda t: mapped(t, 2.)[1]["total"])({"a": a, "b": b})["b"])
print(jax.vmap(lambda s: mapped({"a": a, "b": b}, s)[1]["total"])(jnp.array([1., 2.])))
captured = jnp.arange(4.)
print(jax.shard_map(lambda x: x + captured.sum(), mesh=mesh, in_specs=P("x"), out_specs=P("x"))(
    jnp.arange(4.)))


@functools.partial(jax.shard_map, mesh=mesh, in_specs=P("x"), out_specs=P("x"))
def scanned(xs):
    def step(c, x):
        c = c + lax.psum(x, "x")
        return c, c
    return lax.scan(step, jnp.zeros(()), xs)[1][None][0] + xs


print(scanned(jnp.arange(8.)))
partly = jax.shard_map(lambda x: lax.psum(x, "x"), mesh=mesh, in_specs=P("x"), out_specs=P(),
                       axis_names={"x"})
print(jax.jit(partly)(jnp.arange(8.)))
with jax.set_mesh(mesh):
    print(jax.shard_map(lambda x: x * 2, in_specs=P("y"), out_specs=P("y"))(jnp.arange(4)))
    print(jax.device_put(jnp.arange(8), P("x")).sharding.spec)
try:
    jax.shard_map(lambda x: x, mesh=mesh, in_specs=P("x"), out_specs=P())(jnp.arange(8.))
except Exception as error:
    print("an error:", "replic" in str(error) or "vary" in str(error) or "varies" in str(error))

norm = functools.partial(jax.jit, static_argnames=("order",))(
    lambda x, order: jnp.sum(jnp.abs(x) ** order) ** (1 / order))
print(norm(a, order=2), norm(a, order=3))
step = jax.jit(lambda p, g: jax.tree.map(lambda p, g: p - g, p, g), donate_argnums=0)
print(step({"w": jnp.ones(3)}, {"w": jnp.full(3, 0.25)}))
inner = jax.jit(lambda x: x * 3)
print(jax.jit(lambda x: inner(inner(x)) + inner(1.))(2.))
print(jax.vmap(jax.vmap(lambda x, y: x * y, (None, 0)), (0, None))(jnp.arange(3), jnp.arange(2)))
print(jax.vmap(lambda d: {"s": d["u"] + d["v"]}, in_axes=({"u": 0, "v": None},), out_axes=0)(
    {"u": jnp.arange(3), "v": 10}))
print(jax.vmap(lambda x: x / lax.psum(x, "batch"), axis_name="batch")(jnp.arange(1., 4.)))
print(jax.vmap(lambda x: (x, x.sum()), in_axes=1, out_axes=(1, 0))(b))


@functools.partial(jax.custom_vjp, nondiff_argnums=(1,))
def scaled(x, k):
    return x * k


scaled.defvjp(lambda x, k: (x * k, x), lambda k, x, g: (g * k * 100,))
print(jax.grad(scaled)(2., 3), jax.jit(jax.grad(lambda x: scaled(x, 3)))(2.))
policy = jax.checkpoint_policies.dots_saveable
print(jax.grad(jax.checkpoint(lambda x: jnp.sin(jnp.sin(x @ x)).sum(), policy=policy))(b @ b.T)[0])
print(jax.jacrev(lambda p: {"r": p["q"] ** 2})({"q": jnp.arange(2.)}))
print(jax.linearize(jnp.sin, 0.5)[1](1.))
print(jax.linear_transpose(lambda x: 3 * x, jnp.float32(0))(2.))


@jax.jit
def noted(x):
    jax.debug.print("x is {} and {y:.2f}", x, y=x.sum())
    return jax.pure_callback(lambda v: np.asarray(v) + 1, jax.ShapeDtypeStruct(x.shape, x.dtype), x)


print(noted(jnp.arange(3.)))


@jax.tree_util.register_pytree_node_class
class Pair:
    def __init__(self, left, right, name):
        self.left, self.right, self.name = left, right, name

    def tree_flatten(self):
        return (self.left, self.right), self.name

    @classmethod
    def tree_unflatten(cls, name, parts):
        return cls(*parts, name)


pair = jax.jit(lambda p: Pair(p.right, p.left * 2, p.name + "!"))(Pair(1., jnp.arange(2), "p"))
print(pair.left, pair.right, pair.name)
print(jax.eval_shape(jax.vmap(lambda x: x @ x), jnp.zeros((5, 3, 3))))
bound = jax.tree_util.Partial(lambda k, x: k * x, jnp.arange(2.))
print(jax.jit(lambda f, x: f(x))(bound, 3.))
print(jax.value_and_grad(lambda x: (x ** 2, {"aux": jnp.sin(x)}), has_aux=True)(3.))
placed = jax.jit(lambda x: x, in_shardings=NamedSharding(mesh, P("x")),
                 out_shardings=NamedSharding(mesh, P(("x", "y"))))(jnp.arange(8))
print(placed.sharding.spec, [s.data.tolist() for s in placed.addressable_shards])
