#!/usr/bin/env python3
"""make_print_cases.py - writes print_cases.txt, NumPy's output for test_print.c.

A case is a line "dtype dims" ("-" for no dims), a line of the elements' bytes in hexadecimal
(little endian; "@count" for 0, 1, 2, ... of that dtype), the lines of str(array), each behind ">",
and an empty line. Made with NumPy 2.4 and ml_dtypes 0.6, whose bfloat16 JAX uses."""
import pathlib

import ml_dtypes
import numpy as np

DTYPES = {
    "bool": np.bool_, "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64,
    "u8": np.uint8, "u16": np.uint16, "u32": np.uint32, "u64": np.uint64,
    "f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32, "f64": np.float64,
    "c64": np.complex64, "c128": np.complex128,
}
FLOATS = ["f16", "bf16", "f32", "f64"]
COMPLEX = ["c64", "c128"]
rng = np.random.default_rng(20)

# where a rule changes: thresholds of exponents, ratios, ties, powers of two, special values
SCALARS = [0.0, -0.0, 1, -1.5, 0.1, 1 / 3, 1e-4, 9.9e-5, 1.1e-4, 1e-5, 999, 999.5, 1000, 1001,
           99999, 1e5, 999999, 1e6, 1000001, 16777216, 1e8, 123456789, 1e15, 9.99e15, 1e16, 1e17,
           2.0 ** 90, 2.0 ** -44, 5e-324, 1.7976931348623157e308, 1e-45, 65504, 6e-8,
           np.nan, np.inf, -np.inf]
LISTS = [
    [0.0], [-0.0, 0], [1, 2, 3], [0.5, 10], [1e-4, 0.1], [9.9e-5, 0.1], [1e-3, 1], [1e-3, 1.001],
    [1, 1000], [1, 1000.2], [1, 1001], [999, 1], [1e6, 999999], [99999999.0, 5e7], [1e8, 1],
    [0.1, 0.123456789], [0.1, 5e-5, 1 / 3], [1e10, 1e20], [1e-10, 1e100], [1e300, 1e-300],
    [np.nan], [np.inf], [-np.inf, np.inf], [np.nan, 1], [-np.inf, 1], [np.inf, 1e-10],
    [-np.inf, -1e20, np.nan], [np.nan, np.inf, 0], [2.5, 3.5, 0.000123], [1 / 3, 2 / 3, 1],
    [0.99999999999, 1], [9.9999999e-5, 99999999.5], [123456.789, 1], [5e-324, 1],
    [2.0 ** k for k in range(-14, 15)], [2.0 ** -k for k in range(0, 25)],
    [10.0 ** k for k in range(-5, 5)], [-1, 1e-9], [100000, 0.001], [65504, 6e-8],
]
PAIRS = [0, 1, 1j, -1j, complex(-0.0, 1), complex(0, -0.0), 1 + 1j, 1e16 + 1j, complex(1, 1e-5),
         complex(np.nan, np.inf), complex(1, -np.inf), complex(0, np.nan), 123456789 + 1.5j,
         1 / 3 + 0.1j, -2.5 - 3j]


def drawn(name, shape):
    """random elements of many magnitudes"""
    dtype, n = DTYPES[name], int(np.prod(shape))
    if name == "bool":
        return rng.integers(0, 2, shape).astype(dtype)
    if name in COMPLEX:
        real = "f32" if name == "c64" else "f64"
        out = np.empty(shape, dtype)
        out.real, out.imag = drawn(real, shape), drawn(real, shape)
        return out
    if name not in FLOATS:
        raw = rng.integers(0, 256, n * np.dtype(dtype).itemsize, dtype=np.uint8).view(dtype)
        return (raw >> dtype(rng.integers(0, np.iinfo(dtype).bits))).reshape(shape)
    kind = rng.integers(0, 6)
    if kind == 0:
        values = rng.normal(size=n)
    elif kind == 1:
        values = rng.normal(size=n) * 10.0 ** rng.integers(-6, 10)
    elif kind == 2:
        values = np.round(rng.normal(size=n), int(rng.integers(0, 9)))
    elif kind == 3:
        values = 10.0 ** rng.uniform(-1.6, 1.4, n)
    elif kind == 4:
        values = rng.integers(-50, 50, n)
    else:
        values = rng.choice([0, -0.0, 1, 0.5, np.nan, np.inf, -np.inf, 1e-4, 1e-5, 999.9], n)
    return values.astype(dtype).reshape(shape)


def arrays():
    for name in FLOATS:
        for x in SCALARS:
            yield name, np.array(x, DTYPES[name])
        for x in LISTS:
            yield name, np.array(x, DTYPES[name])
    for name in COMPLEX:
        for x in PAIRS:
            yield name, np.array(x, DTYPES[name])
        yield name, np.array(PAIRS, DTYPES[name])
        yield name, np.array(PAIRS[:3] + PAIRS[-2:], DTYPES[name]).reshape(5, 1)
    for name, dtype in DTYPES.items():
        for shape in [(), (1,), (0,), (2, 0), (0, 3, 2), (7,), (30,), (2, 3), (9, 4), (2, 1, 3),
                      (2, 2, 1, 2)]:
            yield name, drawn(name, shape)
        if name not in FLOATS + COMPLEX + ["bool"]:
            info = np.iinfo(dtype)
            yield name, np.array([info.min, 0, info.max], dtype)
            yield name, np.array(info.max, dtype)


def counted():
    """large ones, of which the middle is left out, and their neighbours"""
    for name in ["i32", "f32", "f64", "bf16", "f16", "c64", "u64"]:
        for shape in [(1000,), (1001,), (40, 30), (2, 600), (600, 2), (7, 7, 30), (2, 3, 6, 6, 5)]:
            yield name, np.arange(int(np.prod(shape))).astype(DTYPES[name]).reshape(shape)


def write(out, name, array, data):
    out.write(f"{name} {','.join(map(str, array.shape)) or '-'}\n{data}\n")
    for line in str(array).split("\n"):
        out.write(f">{line}\n")
    out.write("\n")


def main():
    path = pathlib.Path(__file__).with_name("print_cases.txt")
    with path.open("w") as out, np.errstate(all="ignore"):
        for name, array in arrays():
            write(out, name, array, array.tobytes().hex())
        for name, array in counted():
            if array.size > 1000 or name == "i32":
                write(out, name, array, "@count")


main()
