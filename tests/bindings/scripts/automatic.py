"""automatic.py - jit with sharded arguments: computation follows data, constraints, derivatives."""
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import mesh_utils
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P, SingleDeviceSharding

jax.config.update("jax_num_cpu_devices", 8)
mesh = Mesh(mesh_utils.create_device_mesh((4, 2)), axis_names=("a", "b"))
x = jax.random.normal(jax.random.key(0), (64, 32))
print(x.sharding, SingleDeviceSharding(jax.devices()[0]) == x.sharding)
y = jax.device_put(x, NamedSharding(mesh, P("a", "b")))
print(y.sharding)
jax.debug.visualize_array_sharding(y)
z = jnp.sin(y)
jax.debug.visualize_array_sharding(z)
print(z.sharding.is_equivalent_to(y.sharding, 2), z.is_fully_replicated)

left = jax.device_put(x, NamedSharding(mesh, P("a", None)))
right = jax.device_put(x.T, NamedSharding(mesh, P(None, "b")))
w = left @ right
jax.debug.visualize_array_sharding(w)
print(bool(jnp.allclose(w, x @ x.T, atol=1e-4)))


@jax.jit
def constrained(x):
    x = x + 1
    return jax.lax.with_sharding_constraint(x, NamedSharding(mesh, P("b", "a")))


jax.debug.visualize_array_sharding(constrained(y))
moved = jax.jit(lambda x: x, out_shardings=NamedSharding(mesh, P(None, "b")))(y)
print(moved.sharding.spec, moved.sharding.shard_shape(moved.shape))
for shard in moved.addressable_shards[:3]:
    print(shard.device, shard.index, shard.replica_id, shard.data.shape)


def predict(params, x):
    for w, b in params:
        x = jnp.maximum(x @ w + b, 0.)
    return x


def loss(params, batch):
    inputs, targets = batch
    return jnp.mean(jnp.sum((predict(params, inputs) - targets) ** 2, axis=-1))


keys = jax.random.split(jax.random.key(1), 3)
params = [(jax.random.normal(k, (m, n)) * 0.2, jnp.full(n, 0.1))
          for k, m, n in zip(keys, [32, 64, 64], [64, 64, 8])]
batch = (x, jnp.ones((64, 8)))
value, grads = jax.jit(jax.value_and_grad(loss))(params, batch)
split = NamedSharding(Mesh(np.array(jax.devices()), ("batch",)), P("batch"))
everywhere = NamedSharding(split.mesh, P())
params, batch = jax.device_put(params, everywhere), jax.device_put(batch, split)
value_split, grads_split = jax.jit(jax.value_and_grad(loss))(params, batch)
print(f"{value:.4f} {value_split:.4f}",
      all(jax.tree.leaves(jax.tree.map(lambda a, b: bool(jnp.allclose(a, b, atol=1e-4)),
                                       grads, grads_split))))
print(jax.tree.map(lambda g: g.shape, grads_split))
made = jax.make_array_from_callback((8, 4), NamedSharding(mesh, P("a", "b")),
                                    lambda index: np.arange(32).reshape(8, 4)[index])
print(made)
print(jax.eval_shape(predict, params, jax.ShapeDtypeStruct((5, 32), jnp.float32)))
