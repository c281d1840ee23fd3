"""pipeline.py - stages of a network on devices one behind the other, with micro-batches that move
along by ppermute."""
import jax
import jax.numpy as jnp
import numpy as np
from functools import partial
from jax import lax
from jax.sharding import Mesh, PartitionSpec as P

jax.config.update("jax_num_cpu_devices", 8)
stages, layers, micro, width = 4, 8, 6, 8
mesh = Mesh(np.array(jax.devices()[:stages]), ("stage",))
keys = jax.random.split(jax.random.key(0), layers)
weights = jnp.stack([jax.random.normal(k, (width, width)) / width ** 0.5 for k in keys])
x = jax.random.normal(jax.random.key(9), (micro, 2, width))


def through(weights, x):
    return lax.scan(lambda x, w: (jnp.tanh(x @ w), None), x, weights)[0]


@jax.jit
@partial(jax.shard_map, mesh=mesh, in_specs=(P("stage"), P()), out_specs=P("stage"),
         check_vma=False)
def pipelined(weights, x):
    index = lax.axis_index("stage")
    state = jnp.zeros_like(x[0])
    outputs = jnp.zeros_like(x)

    def tick(t, carry):
        state, outputs = carry
        fresh = lax.dynamic_index_in_dim(x, jnp.minimum(t, micro - 1), 0, keepdims=False)
        state = through(weights, jnp.where(index == 0, fresh, state))
        place = t - (stages - 1)
        updated = lax.dynamic_update_index_in_dim(outputs, state, jnp.maximum(place, 0), 0)
        outputs = jnp.where((index == stages - 1) & (place >= 0), updated, outputs)
        state = lax.ppermute(state, "stage", [(k, (k + 1) % stages) for k in range(stages)])
        return state, outputs

    return lax.fori_loop(0, micro + stages - 1, tick, (state, outputs))[1][None]


want = jax.vmap(partial(through, weights))(x)
got = pipelined(weights, x)
print(got.shape, got.sharding.spec, bool(jnp.allclose(got[-1], want, atol=1e-5)))
print(jnp.round(got[-1, :, 0, :4], 3))
