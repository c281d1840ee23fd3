"""trees_and_arrays.py - trees, a hand-written Adam, dtypes and how arrays print."""
import collections
import dataclasses

import jax
import jax.numpy as jnp
import numpy as np

Point = collections.namedtuple("Point", "x y")
tree = [1, {"k1": 2, "k2": (3, 4)}, 5, Point(6, None)]
print(jax.tree.leaves(tree))
print(jax.tree.structure(tree))
print(jax.tree.map(lambda a: a * 2, tree), jax.tree.reduce(lambda a, b: a + b, tree))
for path, leaf in jax.tree_util.tree_leaves_with_path(tree):
    print(jax.tree_util.keystr(path), leaf)
leaves, treedef = jax.tree.flatten(tree)
print(jax.tree.unflatten(treedef, [10 * k for k in leaves]), treedef.num_leaves)


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class State:
    params: dict
    step: int


def adam(grads, state, m, v, lr=0.1):
    m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, m, grads)
    v = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g ** 2, v, grads)
    t = state.step + 1
    new = jax.tree.map(lambda p, m, v: p - lr * (m / (1 - 0.9 ** t)) /
                       (jnp.sqrt(v / (1 - 0.999 ** t)) + 1e-8), state.params, m, v)
    return State(new, t), m, v


@jax.jit
def step(state, m, v):
    grads = jax.grad(lambda p: jnp.sum((p["w"] - 3) ** 2) + p["b"] ** 2)(state.params)
    return adam(grads, state, m, v)


state = State({"w": jnp.zeros(3), "b": jnp.float32(1)}, 0)
m = v = jax.tree.map(jnp.zeros_like, state.params)
for _ in range(60):
    state, m, v = step(state, m, v)
print(state.step, jnp.round(state.params["w"], 2), jnp.round(state.params["b"], 2))

for x in (jnp.float32(3), jnp.arange(3), jnp.arange(3) / 2, jnp.array(2.5), jnp.asarray(7),
          jnp.ones((2, 2), jnp.bfloat16), jnp.array([1 + 2j]), jnp.zeros((0, 3)), jnp.int8(5),
          jnp.array([True, False]), jnp.linspace(0, 1, 5), jnp.array([[1, 2.5], [3, 4]])):
    print(repr(x), x.dtype, x.weak_type)
print((jnp.arange(3) * 2.5).dtype, (jnp.int8(1) + 1).dtype, (jnp.arange(2) / 2).dtype,
      (jnp.float16(1) * jnp.arange(2)).dtype, jnp.result_type(jnp.int32, 1.0),
      np.float64(2) * jnp.ones(1), (jnp.uint8(200) + jnp.uint8(100)))
x = jnp.arange(24.).reshape(2, 3, 4)
print(x[0, 1:, ::-2], x[..., -1], x[:, None, 0].shape, x[jnp.array([1, 0]), 1])
print(x.at[0, 0].add(100.)[0, 0], x.at[:, :, 1].set(0).sum(), x.mean(axis=(0, 2)), x.T.shape)
print(x[x > 20], jnp.where(x > 21), jnp.argmax(x, axis=1)[0], x.std().round(3))
print(jnp.einsum("ijk,ljk->il", x, x), jnp.tensordot(x, x.transpose(1, 2, 0), axes=2))
print(jnp.concatenate([x[0], x[1]], axis=1), jnp.split(jnp.arange(6), 3), jnp.stack([x, x]).shape)
print(jnp.pad(jnp.ones((2, 2)), ((1, 0), (0, 2))), jnp.roll(jnp.arange(5), 2), jnp.tri(3))
print(jnp.cumsum(x[0], axis=1), jnp.sort(jnp.array([3, 1, 2]))[::-1], jnp.clip(x[0, 0], 1, 2))
print(jnp.linalg.norm(x), jnp.median(x), jnp.var(x, ddof=1).round(2), x.size, x.nbytes)
try:
    x[0, 0, 0] = 1.
except TypeError as error:
    print(str(error)[:60])
try:
    jnp.zeros(3) + jnp.zeros(4)
except (TypeError, ValueError):
    print("shapes that do not fit")
try:
    jax.jit(lambda x: 1 if x > 0 else 2)(1.0)
except jax.errors.ConcretizationTypeError:
    print("a value that is not known")
