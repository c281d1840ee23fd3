"""_pad.py - jax.numpy.pad: elements before and behind, along one dim after the other.

    pad([1, 2, 3], 1)                  gives [0, 1, 2, 3, 0]
    pad([1, 2, 3], 1, mode="edge")     gives [1, 1, 2, 3, 3]
    pad([1, 2, 3], 1, mode="mean")     gives [2, 1, 2, 3, 2]"""
import numpy as np

import tsr

from ._array import as_array, raw, wrapped

TAKEN = ("edge", "wrap", "reflect", "symmetric")  # elements of the array itself
STATISTICS = {"maximum": tsr.max, "minimum": tsr.min, "mean": tsr.mean, "median": tsr.median}
KEYWORDS = {"constant": ("constant_values",), "linear_ramp": ("end_values",),
            "reflect": ("reflect_type",), "symmetric": ("reflect_type",),
            **{name: ("stat_length",) for name in STATISTICS}}


def padded(x, pad_width, mode, keywords):
    """What pad() gives."""
    if isinstance(pad_width, dict):
        raise TypeError(f"`pad_width` must be a sequence of ints, not {pad_width!r}")
    widths = np.broadcast_to(np.asarray(pad_width, int), (x.ndim, 2)).tolist()
    if any(n < 0 for w in widths for n in w):
        raise ValueError("index can't contain negative values")
    if callable(mode):
        raise NotImplementedError("jax.numpy.pad(mode=function) on Tessera")
    if mode not in (*TAKEN, *STATISTICS, "constant", "linear_ramp", "empty"):
        raise NotImplementedError(f"jax.numpy.pad(mode={mode!r}) on Tessera")
    for name in keywords:
        if name not in KEYWORDS.get(mode, ()):
            raise ValueError(f"Unsupported keyword arguments for mode {mode!r}: {name}")
    if keywords.get("reflect_type", "even") != "even":
        raise NotImplementedError("jax.numpy.pad(reflect_type=) on Tessera")
    if mode == "empty":
        mode = "constant"
    given = keywords.get("constant_values", keywords.get("end_values", 0))
    if mode == "constant" and not np.ndim(given):
        low, high = (tuple(w[k] for w in widths) for k in (0, 1))
        return wrapped(tsr.pad(x._x, low, high, raw(given)))
    values = np.broadcast_to(np.asarray(given), (x.ndim, 2)) if mode in (
        "constant", "linear_ramp") else None
    lengths = keywords.get("stat_length")
    lengths = np.broadcast_to(lengths, (x.ndim, 2)).tolist() if lengths is not None else \
        [[n, n] for n in x.shape]
    made = x._x
    for d, (low, high) in enumerate(widths):
        if mode in TAKEN:
            places = np.pad(np.arange(x.shape[d]), (low, high), mode=mode)
            made = tsr.take(made, raw(places), d) if low or high else made
            continue
        parts = []
        for side, count in enumerate((low, high)):
            parts.append(_part(made, d, side, count, mode,
                               None if values is None else values[d, side], lengths[d][side]))
        made = tsr.concatenate([p for p in (parts[0], made, parts[1]) if p is not None], d)
    return wrapped(made)


def _part(x, d, side, count, mode, value, length):
    """What is before a dim, or behind."""
    if not count:
        return None
    shape = tuple(count if k == d else n for k, n in enumerate(x.shape))
    if mode == "constant":
        return tsr.broadcast_to(raw(as_array(value.item(), str(x.dtype))), shape)
    length = min(length, x.shape[d])
    if mode == "linear_ramp":
        length = 1
    start = x.shape[d] - length if side else 0
    index = tuple(slice(start, start + length) if k == d else slice(None) for k in range(x.ndim))
    if mode == "linear_ramp":
        steps = np.arange(1, count + 1)[::1 if side else -1] / count
        ramp = steps.astype(np.float32).reshape([-1 if k == d else 1 for k in range(x.ndim)])
        edge = x[index]
        return (edge + (float(value) - edge) * raw(ramp)).astype(x.dtype)
    found = STATISTICS[mode](x[index], (d,), keepdims=True)
    if x.dtype.kind in "iu":
        found = tsr.round(found)
    return tsr.broadcast_to(found.astype(x.dtype), shape)
