#!/usr/bin/env python3
"""check_fsdp_tp.py - examples/fsdp_tp prints the output of the notebook: check_fsdp_tp.py PROGRAM

Texts that JAX printed (tests/golden/data/s2) are compared byte for byte. Times are only read."""
import functools
import re
import sys

import printed

recorded = functools.partial(printed.recorded, "s2")


def seconds(cells, name):
    line, _, cells.left = cells.left.partition("\n")
    if not re.fullmatch(rf"{name}: [\d.e-]+ seconds", line):
        sys.exit(f"no {name}: {line}")


def main(program):
    cells = printed.Printed(program)
    cells.expect("FSDP", recorded("fsdp_matmul.visualize_B"))
    cells.expect("tensor parallelism", recorded("tp_mlp.printed"))
    cells.expect("tensor parallelism", recorded("tp_mlp.visualize_B"))
    cells.expect("both, by hand", recorded("fsdp_tp_mlp.visualize_B"))
    cells.expect("both, as plain code", recorded("fsdp_tp_mlp.visualize_B"))
    cells.expect("the benchmark", "all to all\n")
    cells.expect("the benchmark", recorded("collectives_1000.visualize_X"))
    seconds(cells, "Warmup time")
    cells.expect("the benchmark", recorded("collectives_1000.visualize_all_to_all"))
    seconds(cells, "Time per iteration")
    table = cells.left
    for name in ("psum", "all_gather", "psum_scatter", "all_to_all", "ppermute"):
        if not re.search(rf"^{name} +[\d,]+ +\S+ [mµn]?s ", table, re.M):
            sys.exit(f"no {name} in\n{table}")


main(sys.argv[1])
