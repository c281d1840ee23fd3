#!/usr/bin/env python3
"""check_shard_map_tutorial.py - examples/shard_map_tutorial prints the output of the tutorial:
check_shard_map_tutorial.py PROGRAM

Texts that JAX printed (tests/golden/data/s0) are compared byte for byte."""
import functools
import sys

import printed

recorded = functools.partial(printed.recorded, "s0")


def main(program):
    cells = printed.Printed(program)
    cells.expect("a shard_map", recorded("matmul_basic.visualize_c"))
    cells.expect("a shard_map", recorded("matmul_basic.allclose"))
    cells.expect("the mesh", "Mesh('x': 4, 'y': 2, axis_types=(Auto, Auto), "
                             "device_ids=[[0, 1], [2, 3], [4, 5], [6, 7]])\n")
    cells.expect("automatic", recorded("matmul_reference.allclose"))
    cells.expect("blocks", recorded("visualize_abc.printed"))
    cells.expect("vmap", recorded("check_vmap.printed"))
    cells.expect("shard_map", recorded("check_shmap.printed"))
    cells.end()


main(sys.argv[1])
