"""collective_matmul.py - products with explicit communication: gathered first, in a ring while
blocks are multiplied, and with a scattered sum."""
import jax
import jax.numpy as jnp
import numpy as np
from functools import partial
from jax import lax
from jax.sharding import Mesh, PartitionSpec as P

jax.config.update("jax_num_cpu_devices", 8)
mesh = Mesh(np.array(jax.devices()), ("i",))
lhs = jax.random.normal(jax.random.key(0), (16, 24))
rhs = jax.random.normal(jax.random.key(1), (24, 8))


@jax.jit
@partial(jax.shard_map, mesh=mesh, in_specs=(P("i", None), P("i", None)), out_specs=P("i", None))
def gathered(lhs_block, rhs_block):
    return lhs_block @ lax.all_gather(rhs_block, "i", tiled=True)


@jax.jit
@partial(jax.shard_map, mesh=mesh, in_specs=(P("i", None), P("i", None)), out_specs=P("i", None))
def in_a_ring(lhs_block, rhs_block):
    size, index = lax.psum(1, "i"), lax.axis_index("i")
    columns = lhs_block.shape[1] // size

    def part(k):
        return lax.dynamic_slice_in_dim(lhs_block, k * columns, columns, 1)

    total = part(index) @ rhs_block
    for step in range(1, size):
        rhs_block = lax.ppermute(rhs_block, "i", [(k, (k + 1) % size) for k in range(size)])
        total += part((index - step) % size) @ rhs_block
    return total


@jax.jit
@partial(jax.shard_map, mesh=mesh, in_specs=(P(None, "i"), P("i", None)), out_specs=P("i", None))
def scattered(lhs_block, rhs_block):
    return lax.psum_scatter(lhs_block @ rhs_block, "i", scatter_dimension=0, tiled=True)


want = lhs @ rhs
for function in (gathered, in_a_ring, scattered):
    out = function(lhs, rhs)
    print(function.__name__, jnp.allclose(out, want, atol=1e-3), out.sharding.spec)
    print(jnp.round(out[::5, :4], 3))


def loss(function, lhs, rhs):
    return jnp.sum(function(lhs, rhs) ** 2)


whole = jax.grad(lambda a, b: jnp.sum((a @ b) ** 2), argnums=(0, 1))(lhs, rhs)
for function in (gathered, in_a_ring, scattered):
    grads = jax.grad(partial(loss, function), argnums=(0, 1))(lhs, rhs)
    print([bool(jnp.allclose(a, b, atol=1e-3)) for a, b in zip(grads, whole)])
