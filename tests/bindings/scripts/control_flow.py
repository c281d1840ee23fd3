"""control_flow.py - scan, while_loop, fori_loop, cond, switch and map, under jit, grad and vmap."""
import jax
import jax.numpy as jnp
from jax import lax


def cell(params, h, x):
    wh, wx = params
    return jnp.tanh(h @ wh + x @ wx)


def run(params, xs):
    def step(h, x):
        h = cell(params, h, x)
        return h, h.sum()
    return lax.scan(step, jnp.zeros(4), xs)


k1, k2, k3 = jax.random.split(jax.random.PRNGKey(1), 3)
params = jax.random.normal(k1, (4, 4)) * 0.5, jax.random.normal(k2, (3, 4))
xs = jax.random.normal(k3, (6, 3))
last, sums = jax.jit(run)(params, xs)
print(last, sums)
print(jax.grad(lambda p: run(p, xs)[1][-1])(params)[0])
print(jax.vmap(lambda x: run(params, x)[1])(jnp.stack([xs, 2 * xs])))

print(lax.fori_loop(0, 10, lambda i, v: v + i, 0))
print(lax.fori_loop(0, 5, lambda i, v: v.at[i].set(i * 1.5), jnp.zeros(5)))


def newton(a):
    def more(carry):
        x, steps = carry
        return (jnp.abs(x * x - a) > 1e-4) & (steps < 50)

    def step(carry):
        x, steps = carry
        return 0.5 * (x + a / x), steps + 1
    return lax.while_loop(more, step, (a, 0))


print(newton(2.0))
print(jax.vmap(newton)(jnp.array([1., 2., 9.])))


@jax.jit
def relu(x):
    return lax.cond(x > 0, lambda x: x, lambda x: jnp.zeros_like(x), x)


print(relu(3.), relu(-3.), jax.grad(relu)(2.0), jax.vmap(relu)(jnp.array([-1., 1.])))
branches = [lambda x: x + 1, lambda x: x * 10, jnp.square]
print([int(lax.switch(i, branches, 7)) for i in range(-1, 4)])
print(lax.map(lambda x: x ** 2 + 1, jnp.arange(4)))
print(lax.associative_scan(jnp.add, jnp.arange(6)))
print(lax.scan(lambda c, _: (c * 2, c), 1, None, length=5))
print(lax.scan(lambda c, x: (c + x["a"], {"b": c - x["a"]}), jnp.float32(0),
               {"a": jnp.arange(3.)}, reverse=True))
lazily = jax.jit(lambda n, x: x * n, static_argnums=0)
print(lazily(3, jnp.arange(3)), lazily(4, jnp.arange(3)))
print(lax.dynamic_slice(jnp.arange(12).reshape(3, 4), (1, 2), (2, 2)))
print(lax.dynamic_update_slice(jnp.zeros((2, 3)), jnp.ones((1, 2)), (1, 5)))
print(lax.top_k(jnp.array([3., 1., 4., 1., 5.]), 2))
