#!/usr/bin/env python3
"""check_transformer.py - examples/transformer gives the results of the notebook:
check_transformer.py PROGRAM

The picture that JAX printed is compared byte for byte, and recorded elements of the result as the
record of JAX says (tests/golden/data/index.tsv)."""
import array
import ast
import pathlib
import sys
import tempfile

import printed

COLUMNS, ROWS = "P(None, 'model')", "P('model',)"
LEAVES = {"attention.Wq": ("f32[1024,1024]", COLUMNS), "attention.Wk": ("f32[1024,1024]", COLUMNS),
          "attention.Wv": ("f32[1024,1024]", COLUMNS), "attention.Wo": ("f32[1024,1024]", ROWS),
          "mlp.W1": ("f32[1024,4096]", COLUMNS), "mlp.W2": ("f32[4096,1024]", ROWS)}


def numbers(path):
    """of a .npy file, without NumPy"""
    data = path.read_bytes()
    end = 10 + int.from_bytes(data[8:10], "little")
    kind = ast.literal_eval(data[10:end].decode("latin-1"))["descr"]
    found = array.array({"<f4": "f", "<i4": "i"}[kind])
    found.frombytes(data[end:])
    return found


def tolerances():
    for line in (printed.RECORDED / "index.tsv").read_text(encoding="utf-8").splitlines():
        cells = line.split("\t")
        if cells[0] == "s2.transformer" and "y.samples" in cells:
            return float(cells[-2]), float(cells[-1])
    return sys.exit("index.tsv has no s2.transformer y.samples")


def main(program):
    with tempfile.TemporaryDirectory() as folder:
        saved = pathlib.Path(folder) / "y.npy"
        cells = printed.Printed(program, saved)
        y = numbers(saved)
    for path, (kind, spec) in LEAVES.items():
        line, _, cells.left = cells.left.partition("\n")
        if line.split()[:2] != [path, kind] or not line.endswith(f"spec={spec})"):
            sys.exit(f"of {path} is printed: {line}")
    cells.expect("the layer", printed.recorded("s2", "transformer.visualize_y_as_2_rows"))
    cells.end()
    index = numbers(printed.RECORDED / "s2/transformer.y.idx.npy")
    wanted = numbers(printed.RECORDED / "s2/transformer.y.samples.npy")
    rtol, atol = tolerances()
    for i, want in zip(index, wanted):
        if not abs(y[i] - want) <= atol + rtol * abs(want):
            sys.exit(f"y[{i}] is {y[i]}, not {want}")


main(sys.argv[1])
