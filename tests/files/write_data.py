#!/usr/bin/env python3
"""write_data.py - writes the files of tests/files/data with NumPy and safetensors.

numpy.npz, numpy_compressed.npz and theirs.safetensors hold, in each dtype, the elements 0 1 2 3 4 5
as [2, 3] (of bool, whether they are odd; of complex dtypes, k - k i), beside an empty array, a
scalar, and in .npz one in Fortran order and one of the other byte order. make peer-check runs this
with a folder of its own, and compares what is here with what it makes: write_data.py FOLDER."""
import pathlib
import sys

import ml_dtypes
import numpy as np
import safetensors.numpy

DTYPES = {"bool": np.bool_, "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64,
          "u8": np.uint8, "u16": np.uint16, "u32": np.uint32, "u64": np.uint64, "f16": np.float16,
          "bf16": ml_dtypes.bfloat16, "f32": np.float32, "f64": np.float64, "c64": np.complex64,
          "c128": np.complex128}


def array(name):
    k = np.arange(6).reshape(2, 3)
    return (k % 2 if name == "bool" else k - 1j * k if name[0] == "c" else k).astype(DTYPES[name])


def main(folder):
    arrays = {name: array(name) for name in DTYPES}
    arrays["empty"] = np.zeros((0, 3), np.float32)
    arrays["scalar"] = np.array(2.5, np.float32)
    numpys = {**arrays, "fortran": np.asfortranarray(array("f32")),
              "swapped": array("f64").astype(">f8")}
    np.savez(folder / "numpy.npz", **numpys)
    np.savez_compressed(folder / "numpy_compressed.npz", **numpys)
    del arrays["c128"]
    safetensors.numpy.save_file(arrays, folder / "theirs.safetensors", {"made by": "a test"})


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent / "data"))
