"""derivatives.py - grad, value_and_grad, jvp, vjp, Jacobians, Hessians, vmap of them, custom rules,
and errors."""
import functools

import jax
import jax.numpy as jnp
from jax import grad, hessian, jacfwd, jacrev, jit, jvp, value_and_grad, vjp, vmap


def sigmoid(x):
    return 0.5 * (jnp.tanh(x / 2) + 1)


inputs = jnp.array([[0.52, 1.12, 0.77], [0.88, -1.08, 0.15], [0.52, 0.06, -1.30],
                    [0.74, -2.49, 1.39]])
targets = jnp.array([True, True, False, True])


def loss(w, b):
    p = sigmoid(jnp.dot(inputs, w) + b)
    return -jnp.sum(jnp.log(p * targets + (1 - p) * (1 - targets)))


w, b = jax.random.normal(jax.random.key(0), (3,)), jnp.float32(0.3)
print(grad(jnp.tanh)(2.0), grad(grad(jnp.tanh))(2.0))
print(value_and_grad(loss, (0, 1))(w, b))
print(grad(lambda p: loss(p["w"], p["b"]))({"w": w, "b": b}))
f = functools.partial(lambda w: sigmoid(inputs @ w))
print(jacfwd(f)(w))
print(jnp.allclose(jacfwd(f)(w), jacrev(f)(w)))
print(hessian(loss)(w, b).round(3))
y, tangent = jvp(f, (w,), (jnp.ones(3),))
print(y, tangent)
y, pullback = vjp(f, w)
print(pullback(jnp.ones(4)))
print(vmap(grad(lambda x, w: sigmoid(x @ w), argnums=1), in_axes=(0, None))(inputs, w))
print(jit(lambda m: jvp(grad(loss), (w, b), (m, jnp.float32(0)))[1])(jnp.ones(3)))


@jax.custom_vjp
def clipped(x, low, high):
    return x


clipped.defvjp(lambda x, low, high: (x, (low, high)),
               lambda kept, g: (jnp.clip(g, *kept), None, None))
print(grad(lambda x: 10 * clipped(x, -0.5, 0.5) ** 2)(2.0))


@jax.custom_jvp
def log1pexp(x):
    return jnp.log(1. + jnp.exp(x))


@log1pexp.defjvp
def _rule(primals, tangents):
    x, = primals
    x_dot, = tangents
    return log1pexp(x), (1 - 1 / (1 + jnp.exp(x))) * x_dot


print(grad(log1pexp)(3.), vmap(grad(log1pexp))(jnp.arange(3.)), grad(log1pexp)(100.))
print(grad(lambda x: jnp.sum(jnp.where(x > 0, x, 0.) * jax.lax.stop_gradient(x)))(
    jnp.array([1., -2., 3.])))
out, aux = grad(lambda x: (jnp.sum(x ** 3), {"twice": 2 * x}), has_aux=True)(jnp.arange(3.))
print(out, aux)
try:
    grad(lambda x: x * 2)(jnp.arange(3.))
except Exception as error:
    print("an error:", "scalar" in str(error) or "number" in str(error))


def failing(x):
    raise KeyError("no rate")


try:
    jit(failing)(1.0)
except KeyError as error:
    print(repr(error))
