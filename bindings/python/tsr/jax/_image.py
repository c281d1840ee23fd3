"""_image.py - resizes images by products with matrices of weights, and takes elements between those
of a grid: jax.image.resize, jax.scipy.ndimage.map_coordinates.

    resize([0, 2], (4,), "linear")    gives [0, 0.5, 1.5, 2]: each row of weights is around a place
                                      of the input, here -0.25, 0.25, 0.75, 1.25"""
import enum
import itertools

import numpy as np

from . import _numpy, _products, _shapes
from ._array import as_array


class ResizeMethod(enum.Enum):
    """How resize() combines elements."""
    NEAREST, LINEAR, LANCZOS3, LANCZOS5, CUBIC, CUBIC_PYTORCH, AREA = range(7)

    @staticmethod
    def from_string(s):
        """The method of a name: "bilinear"."""
        if s not in NAMES:
            raise ValueError(f'Unknown resize method "{s}"')
        return NAMES[s]


NAMES = {"nearest": ResizeMethod.NEAREST, "lanczos3": ResizeMethod.LANCZOS3,
         "lanczos5": ResizeMethod.LANCZOS5, "area": ResizeMethod.AREA,
         **dict.fromkeys(("linear", "bilinear", "trilinear", "triangle"), ResizeMethod.LINEAR),
         **dict.fromkeys(("cubic", "bicubic", "tricubic"), ResizeMethod.CUBIC)}


def _triangle(x):
    return np.maximum(1 - x, 0)


def _keys(x):
    """Keys's cubic convolution with a = -1/2."""
    near = (1.5 * x - 2.5) * x * x + 1
    far = ((-.5 * x + 2.5) * x - 4) * x + 2
    return np.where(x >= 2, 0, np.where(x >= 1, far, near))


def _lanczos(radius):
    return lambda x: np.where(x > radius, 0, np.sinc(x) * np.sinc(x / radius))


KERNELS = {ResizeMethod.LINEAR: _triangle, ResizeMethod.CUBIC: _keys,
           ResizeMethod.LANCZOS3: _lanczos(3), ResizeMethod.LANCZOS5: _lanczos(5)}


def _weights(m, n, method, antialias):
    """The matrix [n, m] that makes n elements of m."""
    step = m / n
    if method is ResizeMethod.AREA:  # how much of each is inside of the new one
        left = np.arange(n)[:, None] * step
        at = np.arange(m)[None]
        made = np.maximum(0, np.minimum(left + step, at + 1) - np.maximum(left, at))
    else:
        centre = (np.arange(n)[:, None] + .5) * step - .5
        wide = max(step, 1) if antialias else 1
        made = KERNELS[method](np.abs(centre - np.arange(m)[None]) / wide)
    return made / made.sum(1, keepdims=True)


def resize(image, shape, method, antialias=True, precision=None):
    """An array of other sizes; without antialias elements are left out where it is smaller."""
    x, shape = as_array(image), tuple(int(n) for n in shape)
    if len(shape) != x.ndim:
        raise ValueError("shape must have length equal to the number of dimensions of x;  "
                         f"{shape} vs {x.shape}")
    if not isinstance(method, ResizeMethod):
        method = ResizeMethod.from_string(method)
    if method is ResizeMethod.CUBIC_PYTORCH:
        raise NotImplementedError("jax.image.resize(method=CUBIC_PYTORCH) on Tessera")
    if method is not ResizeMethod.NEAREST and x.dtype.kind in "biu":
        x = x.astype(_numpy.result_type(x, float))
    for dim, (m, n) in enumerate(zip(x.shape, shape)):
        if m == n:
            continue
        if method is ResizeMethod.NEAREST:
            at = ((np.arange(n, dtype=np.float32) + .5) * np.float32(m) / np.float32(n))
            x = _shapes.take(x, at.astype(np.int32), dim)
        else:
            weights = as_array(_weights(m, n, method, antialias).astype(np.float32), str(x.dtype))
            x = _shapes.moveaxis(_products.tensordot(weights, x, (1, dim)), 0, dim)
    return x


# ---- jax.scipy.ndimage

def _mirrored(i, size):
    last = size - 1
    return abs((i + last) % (2 * last) - last)


INSIDE = {"constant": lambda i, n: i, "nearest": lambda i, n: _numpy.clip(i, 0, n - 1),
          "wrap": lambda i, n: i % n, "mirror": _mirrored,
          "reflect": lambda i, n: (_mirrored(2 * i + 1, 2 * n + 1) - 1) // 2}


def _half_away(x):
    return _numpy.sign(x) * _numpy.floor(abs(x) + .5) if x.dtype.kind == "f" else x


def _neighbours(at, order):
    """(index, weight) of the elements around a place."""
    if order == 0:
        return [(_half_away(at).astype("int32"), None)]
    low = _numpy.floor(at)
    i = low.astype("int32")
    return [(i, 1 - (at - low)), (i + 1, at - low)]


def map_coordinates(input, coordinates, order, mode="constant", cval=0.0):
    """Elements at places between those of a grid: the nearest one, or by lines (order 1)."""
    x, places = as_array(input), [as_array(c) for c in coordinates]
    if len(places) != x.ndim:
        raise ValueError("coordinates must be a sequence of length input.ndim, but "
                         f"{len(places)} != {x.ndim}")
    if mode not in INSIDE or order not in (0, 1):
        raise NotImplementedError(f"jax.scipy.ndimage.map_coordinates(order={order!r}, "
                                  f"mode={mode!r}); there are orders 0 and 1, {list(INSIDE)}")
    total = None
    for corner in itertools.product(*(_neighbours(p, order) for p in places)):
        index = [INSIDE[mode](i, n) for (i, _), n in zip(corner, x.shape)]
        y = x[tuple(index)]
        if mode == "constant":
            inside = True
            for i, n in zip(index, x.shape):
                inside = inside & (i >= 0) & (i < n)
            y = _numpy.where(inside, y, as_array(cval, str(x.dtype)))
        for _, weight in corner:
            y = y if weight is None else weight * y
        total = y if total is None else total + y
    return (_half_away(total) if x.dtype.kind in "iu" else total).astype(x.dtype)


IMAGE = {"resize": resize}
NDIMAGE = {"map_coordinates": map_coordinates}
