"""network_parallel.py - a network trained with its batch, its parameters, or its features split
over devices, by shard_map: all give the same losses."""
import jax
import jax.numpy as jnp
import numpy as np
from functools import partial
from jax import lax
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P
from jax.tree_util import tree_map

jax.config.update("jax_num_cpu_devices", 8)
sizes = [24, 16, 16, 8]


def init(key):
    keys = jax.random.split(key, len(sizes) - 1)
    return [(jax.random.normal(k, (m, n)) / jnp.sqrt(n), jnp.zeros(n))
            for k, m, n in zip(keys, sizes[:-1], sizes[1:])]


def predict(params, x):
    for w, b in params[:-1]:
        x = jax.nn.relu(x @ w + b)
    w, b = params[-1]
    return x @ w + b


def loss(params, batch):
    x, y = batch
    return jnp.mean(jnp.sum((predict(params, x) - y) ** 2, axis=-1))


params = init(jax.random.key(0))
x = jax.random.normal(jax.random.key(1), (32, sizes[0]))
y = jax.random.normal(jax.random.key(2), (32, sizes[-1]))


def train(name, loss, params, batch):
    step = jax.jit(jax.value_and_grad(loss))
    losses = []
    for _ in range(8):
        value, grads = step(params, batch)
        params = tree_map(lambda p, g: p - 0.05 * g, params, grads)
        losses.append(float(value))
    print(name, " ".join(f"{v:.3f}" for v in losses))


train("one device", loss, params, (x, y))

mesh = Mesh(np.array(jax.devices()), ("batch",))
split = NamedSharding(mesh, P("batch"))
batch = jax.device_put((x, y), split)


@partial(jax.shard_map, mesh=mesh, in_specs=(P(), P("batch")), out_specs=P())
def loss_dp(params, batch):
    return lax.pmean(loss(params, batch), "batch")


train("batch split", loss_dp, jax.device_put(params, NamedSharding(mesh, P())), batch)


@partial(jax.shard_map, mesh=mesh, in_specs=(P("batch"), P("batch")), out_specs=P())
def loss_fsdp(params, batch):
    whole = tree_map(lambda p: lax.all_gather(p, "batch", tiled=True), params)
    return lax.pmean(loss(whole, batch), "batch")


train("parameters split", loss_fsdp, jax.device_put(params, split), batch)
train("parameters split, recomputed", jax.checkpoint(loss_fsdp), jax.device_put(params, split),
      batch)

mesh = Mesh(np.array(jax.devices()).reshape(4, 2), ("batch", "feats"))
layer_specs = (P("feats", None), P("feats"))


@partial(jax.shard_map, mesh=mesh, in_specs=(P("batch", "feats"), *layer_specs),
         out_specs=P("batch", "feats"))
def layer_tp(x, w, b):
    return lax.psum_scatter(x @ w, "feats", scatter_dimension=1, tiled=True) + b


def loss_tp(params, batch):
    x, y = batch
    for k, (w, b) in enumerate(params):
        x = layer_tp(x, w, b)
        x = x if k == len(params) - 1 else jax.nn.relu(x)
    return jnp.mean(jnp.sum((x - y) ** 2, axis=-1))


placed = jax.device_put((x, y), NamedSharding(mesh, P("batch", "feats")))
train("features split", loss_tp, jax.device_put(params, NamedSharding(mesh, P("feats"))), placed)
