"""pmap_training.py - a regression trained by pmap: each device has a copy of the parameters and a
part of the batch, and gradients are averaged."""
import functools

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_num_cpu_devices", 8)
n = jax.local_device_count()
print(n, jax.default_backend(), jax.process_count())


def init(key):
    k1, k2 = jax.random.split(key)
    return {"w": jax.random.normal(k1, ()), "b": jax.random.normal(k2, ())}


def loss_fn(params, xs, ys):
    return jnp.mean((params["w"] * xs + params["b"] - ys) ** 2)


@functools.partial(jax.pmap, axis_name="batch")
def update(params, xs, ys):
    loss, grads = jax.value_and_grad(loss_fn)(params, xs, ys)
    grads = jax.lax.pmean(grads, axis_name="batch")
    loss = jax.lax.pmean(loss, axis_name="batch")
    return jax.tree_util.tree_map(lambda p, g: p - 0.02 * g, params, grads), loss


rng = np.random.default_rng(0)
xs = rng.normal(size=(128, 1)).astype(np.float32)
ys = xs * 3 - 1 + 0.1 * rng.normal(size=(128, 1)).astype(np.float32)
params = init(jax.random.key(123))
params = jax.tree_util.tree_map(lambda x: jnp.array([x] * n), params)
xs, ys = xs.reshape(n, -1, 1), ys.reshape(n, -1, 1)
for i in range(200):
    params, loss = update(params, xs, ys)
    if i % 50 == 0:
        print(f"Step {i:3d}, loss: {loss[0]:.3f}")
print(jax.tree_util.tree_map(jnp.shape, params))
params = jax.device_get(jax.tree_util.tree_map(lambda x: x[0], params))
print({k: round(float(v), 3) for k, v in params.items()})

# arguments that are the same for all, results along other dims
conv = jax.pmap(lambda x, w: jnp.convolve(x, w, mode="valid"), in_axes=(0, None))
print(conv(jnp.arange(8 * 5.).reshape(8, 5), jnp.array([2., 3., 4.])))
print(jax.pmap(lambda x: x + jax.lax.axis_index("i"), axis_name="i", out_axes=1)(
    jnp.arange(16).reshape(8, 2)))
power = jax.pmap(lambda x, k: x ** k, static_broadcasted_argnums=1)
print(power(jnp.arange(8.), 3))
print(jax.pmap(lambda x, y: (x + y, x.sum()), in_axes=(0, {"a": 0})[0])(
    jnp.ones((8, 3)), jnp.arange(8)))
halo = jax.pmap(lambda x: jax.lax.pshuffle(x, "i", list(range(1, 8)) + [0]), axis_name="i")
print(halo(jnp.arange(8)))
