"""first_steps.py - tries the first calls of tutorials: programs as text, results of linalg, keys,
sizes of arrays, loops in a shard_map, functions without jit."""
import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import Mesh, PartitionSpec as P

jax.config.update("jax_num_cpu_devices", 8)
print(jax.make_jaxpr(lambda x, y: jnp.sin(x) * y + 1)(1., 2.))
print(jax.make_jaxpr(lambda x: x ** 2 + jnp.exp(-x))(3.))
print(jax.make_jaxpr(jnp.add)(1, 2))
print(jax.make_jaxpr(lambda t: t["a"] + t["b"])({"a": 1., "b": jnp.ones(2)}))
print(jax.make_jaxpr(jax.vmap(lambda x: x * 2))(jnp.ones(3)))

print(jnp.linalg.svd(jnp.diag(jnp.array([3., 2.]))).S, jnp.linalg.slogdet(2 * jnp.eye(2)))
values, vectors = jnp.linalg.eigh(jnp.array([[2., 1.], [1., 2.]]))
print(values, jnp.linalg.eigh(jnp.eye(2)).eigenvalues, jnp.linalg.qr(jnp.eye(2)).R)

key = jax.random.key(42)
print(jnp.issubdtype(key.dtype, jax.dtypes.prng_key), jnp.issubdtype(jnp.ones(1).dtype,
                                                                     jax.dtypes.prng_key))
print(jax.random.multinomial(key, 9., jnp.array([.2, .3, .5])),
      jax.random.multinomial(key, 9., jnp.ones((2, 4)) / 4))
print(jnp.zeros(jnp.array(3)), jnp.ones((jnp.int32(2), np.int64(1))))
for shape in (3.5, (2, 1.5)):
    try:
        jnp.zeros(shape)
    except TypeError:
        print("no shape:", shape)
try:
    jax.jit(jnp.zeros)(3)
except TypeError as error:
    print("concrete" in str(error) or "traced" in str(error))

mesh = Mesh(np.array(jax.devices()), ("i",))


@functools.partial(jax.shard_map, mesh=mesh, in_specs=P("i"), out_specs=P("i"))
def ring(x):
    def step(_, carry):
        total, block = carry
        return total + block, lax.ppermute(block, "i", [(j, (j + 1) % 8) for j in range(8)])
    return lax.fori_loop(0, 8, step, (jnp.zeros_like(x), x))[0]


print(ring(jnp.arange(16.)))
try:
    jax.shard_map(jnp.zeros_like, mesh=mesh, in_specs=P("i"), out_specs=P())(jnp.arange(8.))
except ValueError:
    print("zeros like what varies vary")


@jax.jit
def relu(x):
    return x if x > 0 else 0 * x


with jax.disable_jit():
    print(relu(jnp.float32(2)), relu(jnp.float32(-2)))
with jax.default_matmul_precision("float32"):
    print(jnp.ones((2, 2)) @ jnp.ones((2, 2)))


@jax.jit
def told(x):
    print("traced", x)
    return x + 1


print(told(1), told(2), told(1.5), told(jnp.ones(2)))
print(jax.tree_util.tree_leaves_with_path({"a": [1, {"b": 2}]}))
print(jnp.ones(2).view(jnp.int32), jnp.ones((2, 2)).view("uint32").shape)
