#!/usr/bin/env python3
"""record_dtypes.py - writes dtypes.tsv: the dtypes of results where 64-bit dtypes are the default.

usage: record_dtypes.py, with the Python that tools/jax.sh names

Of each line of functions/*.def (lines.py) some draws are asked of JAX with jax_enable_x64, with
operands of all widths, and where a line has a .dtype also without it. A row is the call, its
variables as functions.c reads them, the types of the operands, and the dtypes of the results, in
columns. tests/unit/test_default_dtypes.c calls the same here; check_complete.py fails while a line
has no row. After a change of the lines run it again."""
import pathlib
import sys

import run_functions as functions  # sets the environment
import draws
import lines
import run_rows as rows

import jax
import numpy as np

TABLE = pathlib.Path(__file__).resolve().parent / "dtypes.tsv"
SEED, TRIED, MOST = 1, 40, 7


# where a difference is not one of default dtypes: name -> is it this call?
LEFT_OUT = {
    "pmax": lambda x, _: x.dtype.kind == "c",  # refused here, as these have no order
    "pmin": lambda x, _: x.dtype.kind == "c",
    "irfft": lambda x, v: v["n"] is None,  # refused here where nothing is left
    "hfft": lambda x, v: v["n"] is None,
    "fma": lambda x, _: x.dtype.kind in "bi",  # floats alone, and JAX has none
    "cumlogsumexp": lambda x, _: x.dtype.kind in "bi",  # floats alone
    "bincount": lambda x, v: "y" in v and v["y"].dtype.kind == "b",  # bools are not added
    "psum_scatter": lambda x, _: x.dtype.kind == "b",  # counted here, as psum does in JAX
    "vector_norm": lambda x, _: x.dtype.kind in "bi",  # in JAX some orders are integers
    "multivariate_normal": lambda x, _: x.dtype.kind in "bi",  # JAX heeds no dtype then
    "multigammaln": lambda x, _: x.dtype.kind == "b",  # counts as an integer in JAX
    "polyint": lambda x, _: x.dtype.kind == "b",
    "batch_norm": lambda _, v: v["w"].dtype.kind in "bi",  # averages are floats
    "dropout": lambda x, _: x.dtype.kind in "bi",  # legal in flax where nothing is dropped
    "rotary": lambda x, _: x.dtype.kind in "bi",  # floats alone, and JAX has none
}


def results_of(line, code, variables):
    """dtypes, or None where JAX refuses"""
    def f(arrays):
        return functions.leaves_of(code, line, {**variables, **arrays})
    arrays = {k: v for k, v in variables.items() if isinstance(v, np.ndarray)}
    with jax.enable_x64(True), np.errstate(all="ignore"):
        try:
            return [y.dtype for y in jax.tree.leaves(jax.eval_shape(f, arrays))]
        except Exception:  # the line needs values
            try:
                given = {k: jax.numpy.asarray(v) for k, v in arrays.items()}
                return [np.asarray(y).dtype for y in f(given)]
            except Exception:
                return None


def row_of(line, variables, results):
    words, types = [], []
    for name, value in variables.items():
        if isinstance(value, np.ndarray):
            words.append(f"{name}=@{len(types)}")
            types.append(f"{rows.NAMES[value.dtype]}[{','.join(map(str, value.shape))}]")
        elif value is not None:
            words.append(f"{name}={functions.word(value)}")
    return "\t".join([line.call, " ".join(words), " ".join(types),
                      " ".join(rows.NAMES[d] for d in results)])


def variants(line, variables):
    """without the dtype where the call takes it as a keyword; as drawn; with integers for floats"""
    if ".dtype = dtype" in line.call and variables.get("dtype") is not None:
        yield {**variables, "dtype": None}
    yield variables
    for whole in ("i4", "i8", "?"):
        yield {k: v.astype(whole) if isinstance(v, np.ndarray) and v.dtype.kind in "fV" else v
               for k, v in variables.items()}


def rows_of(line):
    code, found = compile(line.jax, line.call, "eval"), {}
    for k in range(TRIED):
        drawn = functions.variables_of(line, draws.Source(SEED, line.call, k))
        for variables in variants(line, drawn):
            dtypes = tuple(v.dtype if isinstance(v, np.ndarray) else v
                           for v in variables.values() if isinstance(v, (np.ndarray, np.dtype)))
            left_out = LEFT_OUT.get(functions.name_of(line))
            if dtypes in found or len(found) == MOST or (
                    left_out and left_out(variables["x"], variables)):
                continue
            results = results_of(line, code, variables)
            if results and all(d in rows.NAMES for d in results):
                found[dtypes] = row_of(line, variables, results)
    return list(found.values())


def main():
    with TABLE.open("w", encoding="utf-8") as file:
        for line in lines.table()[0]:
            some = rows_of(line)
            if not some:
                print("no row:", line.call)
            file.writelines(row + "\n" for row in some)


if __name__ == "__main__":
    sys.exit(main())
