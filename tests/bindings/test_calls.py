"""test_calls.py - calls as a user of NumPy or JAX writes them first, by the module tsr alone."""
import unittest

import tsr

X = tsr.array([[1., 2., 3.], [4., 5., 6.]])
V = tsr.array([3., 1., 2.])
M = tsr.array([[2., 1.], [1., 3.]])
N = tsr.array([0, 2, 1])

# call: what it gives, as lists
CALLS = {
    "tsr.arange(4)": [0, 1, 2, 3],
    "tsr.arange(2, 10, 3)": [2, 5, 8],
    "tsr.arange(1, 3)": [1, 2],
    "tsr.arange(0, 1, .25)": [0, 0.25, 0.5, 0.75],
    "tsr.arange(3, dtype='float32')": [0, 1, 2],
    "tsr.arange(5, 0, -2)": [5, 3, 1],
    "tsr.arange(3, start=1)": [1, 2, 3],
    "tsr.ones((2,), 'int8')": [1, 1],
    "tsr.zeros(2)": [0, 0],
    "tsr.zeros((2,), tsr.float32)": [0, 0],
    "tsr.full((2,), 7)": [7, 7],
    "tsr.full((2,), 7, 'int8')": [7, 7],
    "tsr.full(2, 1.5)": [1.5, 1.5],
    "tsr.eye(2, 3)": [[1, 0, 0], [0, 1, 0]],
    "tsr.eye(2)": [[1, 0], [0, 1]],
    "tsr.eye(2, k=1)": [[0, 1], [0, 0]],
    "tsr.linspace(0, 1, 3)": [0, 0.5, 1],
    "tsr.linspace(0., 1., 5)[2]": 0.5,
    "tsr.split(tsr.arange(6), 3)": [[0, 1], [2, 3], [4, 5]],
    "tsr.split(X, 3, axis=1)[2]": [[3], [6]],
    "tsr.split(tsr.arange(5), [2, 3])": [[0, 1], [2], [3, 4]],
    "tsr.array_split(tsr.arange(5), 2)": [[0, 1, 2], [3, 4]],
    "tsr.flip(V)": [2, 1, 3],
    "tsr.flip(X, 1)": [[3, 2, 1], [6, 5, 4]],
    "tsr.flip(X)": [[6, 5, 4], [3, 2, 1]],
    "tsr.roll(V, 1)": [2, 3, 1],
    "tsr.roll(X, 1)": [[6, 1, 2], [3, 4, 5]],
    "tsr.roll(X, 1, axis=0)": [[4, 5, 6], [1, 2, 3]],
    "tsr.sort(V)": [1, 2, 3],
    "tsr.argsort(V)": [1, 2, 0],
    "tsr.sort(X, 0)": [[1, 2, 3], [4, 5, 6]],
    "tsr.cumsum(V)": [3, 4, 6],
    "tsr.cumsum(X, axis=0)": [[1, 2, 3], [5, 7, 9]],
    "tsr.cumprod(V)": [3, 3, 6],
    "tsr.diff(V)": [-2, 1],
    "tsr.argmax(V)": 0,
    "tsr.argmin(X, axis=1)": [0, 0],
    "tsr.argmax(X)": 5,
    "tsr.repeat(V, 2)": [3, 3, 1, 1, 2, 2],
    "tsr.repeat(X, 2, axis=0)[1]": [1, 2, 3],
    "tsr.tile(V, 2)": [3, 1, 2, 3, 1, 2],
    "tsr.take(V, [0, 2])": [3, 2],
    "tsr.take(V, N)": [3, 2, 1],
    "tsr.expand_dims(V, 0)": [[3, 1, 2]],
    "tsr.squeeze(V[None])": [3, 1, 2],
    "tsr.transpose(X)": [[1, 4], [2, 5], [3, 6]],
    "tsr.transpose(X, (1, 0))": [[1, 4], [2, 5], [3, 6]],
    "tsr.swapaxes(X, 0, 1)[0]": [1, 4],
    "tsr.moveaxis(X, 0, 1)[0]": [1, 4],
    "tsr.concatenate([V, V])": [3, 1, 2, 3, 1, 2],
    "tsr.stack([V, V], axis=1)[0]": [3, 3],
    "tsr.sum(X, 0)": [5, 7, 9],
    "tsr.mean(X)": 3.5,
    "tsr.sum(X, axis=(0, 1))": 21,
    "tsr.max(X, axis=1, keepdims=True)": [[3], [6]],
    "tsr.median(V)": 2,
    "tsr.quantile(V, .5)": 2,
    "tsr.trace(M)": 5,
    "tsr.diag(V)[0]": [3, 0, 0],
    "tsr.diag(M)": [2, 3],
    "tsr.tril(M)": [[2, 0], [1, 3]],
    "tsr.tri(2)": [[1, 0], [1, 1]],
    "tsr.clip(V, 1.5, 2.5)": [2.5, 1.5, 2],
    "tsr.where(V > 1, V, 0)": [3, 0, 2],
    "tsr.pad(V, 1)": [0, 3, 1, 2, 0],
    "tsr.pad(V, (1, 0))": [0, 3, 1, 2],
    "tsr.pad(X, ((1, 0), (0, 0)))[0]": [0, 0, 0],
    "tsr.top_k(V, 2)[0]": [3, 2],
    "tsr.one_hot(N, 3)[1]": [0, 0, 1],
    "tsr.unstack(X)[1]": [4, 5, 6],
    "tsr.outer(V, V)[1]": [3, 1, 2],
    "tsr.tensordot(X, V, 1)": [11, 29],
    "tsr.isclose(V, V)": [True] * 3,
    "tsr.round(V / 3, 1)[1]": 0.30000001192092896,
    "tsr.cross(V, V)": [0, 0, 0],
    "tsr.gradient(V)": [-2, -0.5, 1],
    "tsr.trapezoid(V)": 3.5,
    "tsr.bincount(N, 3)": [1, 1, 1],
    "tsr.searchsorted(tsr.sort(V), 2.5)": 2,
    "tsr.meshgrid(V, V)[0][0]": [3, 1, 2],
    "tsr.broadcast_to(V, (2, 3))[1]": [3, 1, 2],
    "tsr.reshape(X, (3, -1))[0]": [1, 2],
    "tsr.reshape(X, -1)": [1, 2, 3, 4, 5, 6],
    "tsr.rot90(M)": [[1, 3], [2, 1]],
    "tsr.unravel_index(4, (2, 3))": [1, 1],
    "tsr.logsumexp(V).shape": [],
    "tsr.softmax(V).shape": [3],
    "tsr.vdot(V, V)": 14,
    "tsr.norm(V).shape": [],
    "tsr.std(V).shape": [],
    "tsr.logspace(0, 2, 3)": [1, 10, 100],
    "tsr.take_along(X, [[0], [1]], 1)": [[1], [5]],
    "tsr.random.normal(tsr.random.key(0), (2,)).shape": [2],
    "tsr.full_like(V, 2)": [2, 2, 2],
    "tsr.zeros_like(V)": [0, 0, 0],
    "tsr.empty((2,)).shape": [2],
}


def lists(x):
    """As nested lists."""
    return [lists(y) for y in x] if isinstance(x, (list, tuple)) else \
        x.tolist() if isinstance(x, tsr.Array) else x


class Calls(unittest.TestCase):
    def test_calls(self):
        for call, want in CALLS.items():
            with self.subTest(call):
                self.assertEqual(lists(eval(call)), want)


if __name__ == "__main__":
    unittest.main()
