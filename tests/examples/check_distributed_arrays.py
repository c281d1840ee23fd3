#!/usr/bin/env python3
"""check_distributed_arrays.py - examples/distributed_arrays prints the output of the notebook:
check_distributed_arrays.py PROGRAM

Texts that JAX printed (tests/golden/data/s3) are compared byte for byte. For the placements that
JAX refuses, since a dim of 2 does not divide by 4 or 8, the tables are made here."""
import functools
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree

import printed

recorded = functools.partial(printed.recorded, "s3")
MESHES = [(4, 2), (2, 4), (1, 8), (8, 1)]
SPECS = ["empty", "data_none", "none_model", "model_none", "data_model", "model_data", "none_data",
         "data+model_none", "model+data_none"]


def part(size, parts, k):
    """the indices of the k-th part of a dim: ceil(size / parts) of them, the last parts shorter"""
    block = -(-size // parts)
    return range(min(k * block, size), min((k + 1) * block, size))


def numpy_text(rows):
    """a matrix of small numbers, as NumPy prints it"""
    if not rows or not rows[0]:
        return "[]"
    wide = max(len(str(x)) for row in rows for x in row)
    lines = ["[" + " ".join(f"{x:{wide}}" for x in row) + "]" for row in rows]
    return "[" + "\n ".join(lines) + "]"


def fancy_grid(cells):
    """the table that tabulate makes of rows of texts"""
    wide = [max(len(line) for row in cells for line in row[j].split("\n"))
            for j in range(len(cells[0]))]

    def bar(left, line, cross, right):
        return left + cross.join(line * (w + 2) for w in wide) + right + "\n"

    def row_text(row):
        lines = [cell.split("\n") for cell in row]
        high = max(map(len, lines))
        return "".join("│" + "│".join(f" {(c[i] if i < len(c) else ''):{w}} "
                                      for c, w in zip(lines, wide)) + "│\n" for i in range(high))

    return bar("╒", "═", "╤", "╕") + bar("├", "─", "┼", "┤").join(map(row_text, cells)) + \
        bar("╘", "═", "╧", "╛")


def uneven_table(mesh, spec, ids):
    """of numbers 0 to 15 as 8 x 2, cut as a spec says that names an axis for each dim or none"""
    size = dict(zip(("data", "model"), mesh))

    def cell(*place):
        at = dict(zip(size, place))
        rows, columns = (part(dim, size[axis], at[axis]) if axis in size else range(dim)
                         for dim, axis in zip((8, 2), spec.split("_")))
        text = numpy_text([[2 * i + j for j in columns] for i in rows])
        return f"cpu:{place[0] * mesh[1] + place[1]}\n\n{text}" if ids else text

    return fancy_grid([[cell(i, j) for j in range(mesh[1])] for i in range(mesh[0])])


def check_form(cells):
    """Every mesh with every spec: the input, the picture, and the table without and with ids."""
    for mesh in MESHES:
        record = f"array_{mesh[0]}x{mesh[1]}"
        for spec in SPECS:
            what = f"{record} {spec}"
            cells.expect(what, recorded(f"{record}.input") + "\n")
            if recorded(f"{record}.visualize_{spec}"):
                for name in ("visualize_", "shards_", "shards_ids_"):
                    cells.expect(what, recorded(f"{record}.{name}{spec}"))
                continue
            cells.pass_over(what, "╒")    # the picture: JAX has none
            cells.expect(what, uneven_table(mesh, spec, False))
            cells.expect(what, uneven_table(mesh, spec, True))


def check_time(cells):
    """A line as IPython's %timeit prints it."""
    line = cells.left.partition("\n")[0] + "\n"
    if not re.fullmatch(r"\S+ [mµn]?s ± \S+ [mµn]?s per loop "
                        r"\(mean ± std\. dev\. of 10 runs, 5 loops each\)\n", line):
        sys.exit(f"no line of %timeit: {line}")
    cells.expect("timing", line)


def check_placements(cells):
    for title, name in (("input_data, split on batch dimension", "X"),
                        ("w_1, split on columns", "w_1"), ("w_2, split on rows", "w_2")):
        cells.expect(name, f"Placement of {title}\n")
        cells.pass_over(name, "╒")    # the drawing, which the notebook has as a text
        cells.expect(name, recorded(f"int_dp_tp.shards_{name}"))
    cells.expect("Z", recorded("int_dp_tp.shards_Z"))


def check_graph(graph):
    if not graph.startswith("digraph") or not graph.endswith("}\n") or "all_gather" not in graph:
        sys.exit(f"the graph\n{graph}")
    dot = shutil.which("dot")
    if not dot:
        return
    svg = subprocess.run([dot, "-Tsvg"], input=graph, capture_output=True, text=True, check=True)
    xml.etree.ElementTree.fromstring(svg.stdout)


def main(program):
    cells = printed.Printed(program)
    check_form(cells)
    cells.expect("positional shardings", recorded("dot_replicated.printed"))
    cells.pass_over("the batch", "╒")
    cells.expect("the batch on devices", recorded("dp_training.shards_x"))
    cells.expect("training", recorded("dp_training.training_log"))
    check_time(cells)
    check_time(cells)
    check_placements(cells)
    cells.expect("shapes", "(64, 16)\n(64, 1)\n(16, 32)\n(32, 16)\n")
    check_time(cells)
    cells.expect("all split", recorded("mlp_2d.printed"))
    graph = cells.pass_over("the graph", recorded("mlp_2d.visualize_z"))
    check_graph(graph)
    cells.expect("z", recorded("mlp_2d.visualize_z"))
    cells.end()


main(sys.argv[1])
