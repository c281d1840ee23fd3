"""random_numbers.py - keys and the numbers that are drawn with them, on one device and on eight."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import random
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

jax.config.update("jax_num_cpu_devices", 8)
key = random.PRNGKey(42)
print(key, key.dtype, key.shape)
key, subkey = random.split(key)
print(key, subkey)
print(random.normal(subkey, (2, 3)))
print(random.uniform(subkey, (3,), minval=-1, maxval=1), random.randint(subkey, (5,), 0, 10))
print(random.bernoulli(subkey, 0.3, (6,)), random.permutation(subkey, 6))
print(random.choice(subkey, jnp.arange(10), (3,), replace=False))
print(random.categorical(subkey, jnp.log(jnp.array([.1, .2, .7])), shape=(6,)))
print(random.truncated_normal(subkey, -1, 1, (3,)), random.exponential(subkey, (2,)))
print(random.gumbel(subkey, (2,)), random.laplace(subkey, (2,)), random.bits(subkey, (2,)))
new = random.key(7)
print(random.key_data(new), random.key_data(random.fold_in(new, 3)), new.shape)
keys = random.split(new, 4)
print(keys.shape, random.key_data(keys)[1])
print(jax.vmap(lambda k: random.uniform(k))(keys))
print(jax.jit(lambda k: random.normal(k, (2,), dtype=jnp.bfloat16))(new))

mesh = Mesh(np.array(jax.devices()), ("i",))
made = jax.jit(lambda k: random.normal(k, (8, 2)), out_shardings=NamedSharding(mesh, P("i")))(new)
print(jnp.array_equal(made, random.normal(new, (8, 2))), made.sharding.spec)


def body(key):
    return random.normal(random.fold_in(key, jax.lax.axis_index("i")), (1,))


print(jax.jit(jax.shard_map(body, mesh=mesh, in_specs=P(), out_specs=P("i")))(new))
print(jax.pmap(lambda k: random.uniform(k, (2,)))(random.split(random.PRNGKey(0), 8))[:3])
