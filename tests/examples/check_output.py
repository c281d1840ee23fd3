#!/usr/bin/env python3
"""check_output.py - compares the output of the examples with README.md: check_output.py MATMUL
RULE30 TRAIN SPREAD COOKBOOK COMPILER LIBRARY

The first five are the built examples; README's program is built here, with the other two."""
import math
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CELLS, STEPS = 80, 40
faults = []


def output(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout


def equal(what, is_, should):
    if is_ != should:
        faults.append(f"{what}\n--- is\n{is_}\n--- should be\n{should}")


def fenced(language):
    """The one block of this language in README.md."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    [block] = re.findall(rf"^```{language}\n(.*?)^```$", text, re.M | re.S)
    return block


def without_places(program_text):
    return re.sub(r" *#.*", "", program_text)


def readme_output(compiler, library):
    """What the program in README.md prints."""
    with tempfile.TemporaryDirectory() as folder:
        source, program = pathlib.Path(folder) / "matmul.c", pathlib.Path(folder) / "matmul"
        source.write_text(fenced("c"), encoding="utf-8")
        output(compiler, "-std=c17", f"-I{ROOT / 'include'}", source, "-o", program, library,
               f"-Wl,-rpath,{pathlib.Path(library).parent}")
        return output(program)


def rule_30():
    """Boards from one living cell in the middle of a ring, by the table of the rule: bit
    4 * left + 2 * cell + right of 30."""
    board = [int(i == CELLS // 2) for i in range(CELLS)]
    for _ in range(STEPS):
        yield board
        board = [30 >> 4 * board[i - 1] + 2 * board[i] + board[(i + 1) % CELLS] & 1
                 for i in range(CELLS)]


def numbers(text):
    """The arrays that a text is made of; words outside brackets are a fault."""
    equal("text between the boards", re.sub(r"\[[^]]*\]", "", text).strip(), "")
    return [[int(word) for word in row.split()] for row in re.findall(r"\[([^]]*)\]", text)]


def check_training(text):
    """Losses fall, and are those of one device but for the order of sums."""
    rows = [[float(word) for word in line.split()] for line in text.splitlines()[1:]]
    equal("examples/train: steps", [row[0] for row in rows], [25 * i for i in range(9)])
    for step, grid, one in rows:
        if abs(grid - one) > 1e-4 * one:
            faults.append(f"examples/train: step {step:g}: {grid} is not {one}")
    if not 0 < rows[-1][1] < rows[0][1] / 10:
        faults.append(f"examples/train: the loss does not fall: {rows}")


def product(a, b):
    return [[sum(x * y for x, y in zip(row, column)) for column in zip(*b)] for row in a]


def transposed(a):
    return [list(column) for column in zip(*a)]


def spread_losses():
    """The same training in plain Python."""
    x = [[-1 + (4 * i + k) / 32 for k in range(4)] for i in range(16)]
    y = [sum(v * v for v in row) for row in x]
    w1 = [[-1 + (8 * i + k) / 16 for k in range(8)] for i in range(4)]
    w2 = [[0.5] for _ in range(8)]
    for step in range(41):
        hidden = [[math.tanh(v) for v in row] for row in product(x, w1)]
        miss = [row[0] - want for row, want in zip(product(hidden, w2), y)]
        if step % 10 == 0:
            yield step, sum(m * m for m in miss) / 16
        slope = [[2 / 16 * m] for m in miss]
        back = [[s[0] * w[0] * (1 - v * v) for w, v in zip(w2, row)]
                for s, row in zip(slope, hidden)]
        d1, d2 = product(transposed(x), back), product(transposed(hidden), slope)
        w1 = [[w - 0.1 * d for w, d in zip(*rows)] for rows in zip(w1, d1)]
        w2 = [[w[0] - 0.1 * d[0]] for w, d in zip(w2, d2)]


def check_spread(text):
    """Losses are those of plain Python, and the weights stay where they were put."""
    rows = re.findall(r"step +(\d+)  loss ([\d.]+)", text)
    for (step, loss), (wanted_step, wanted) in zip(rows, spread_losses()):
        if int(step) != wanted_step or abs(float(loss) - wanted) > 1e-3 * wanted:
            faults.append(f"examples/spread: step {step}: {loss} is not {wanted}")
    equal("examples/spread: steps", len(rows), 5)
    equal("examples/spread: columns", re.findall(r"CPU [\d,]+", text),
          ["CPU 0,2,4,6", "CPU 1,3,5,7"])


COOKBOOK = ROOT / "tests/golden/data/s1"


def check_numbers(what, text, file, tolerance):
    """The numbers of a printed array are those of a recorded f32 one."""
    is_ = [float(word) for word in re.sub(r"[][]", " ", text).split()]
    should = struct.unpack(f"<{len(is_)}f", (COOKBOOK / file).read_bytes()[-4 * len(is_):])
    if not is_ or any(abs(x - y) > tolerance * max(1, abs(y)) for x, y in zip(is_, should)):
        faults.append(f"examples/pmap_cookbook: {what}: {is_} is not {should}")


def check_cookbook(text):
    """What the notebook prints is printed, one cell after the other."""
    at = {}
    for name in ("square.printed", "add.printed", "use_output.print_z", "use_output.visualize_y",
                 "normalize.printed", "nested.printed", "rule30.printed"):
        cell = (COOKBOOK / f"{name}.txt").read_text(encoding="utf-8")
        found = text.find(cell, max(at.values(), default=0))
        if found < 0:
            faults.append(f"examples/pmap_cookbook does not print, in its order,\n{cell}")
            return
        at[name] = found + len(cell)
    programs = text[at["add.printed"]:at["use_output.print_z"]]
    for made in (r"^f\n.*f32\[2,4\] = dot_general ", r"^vmap\(f\)\n.*f32\[8,2,4\] = dot_general ",
                 r"^pmap\(f\)\n.*f32\[8,2,4\] = shard_map .* mesh=\(_pmap:8\) .*"
                 r"f32\[2,4\]\{_pmap\} = dot_general "):
        if not re.search(made, programs, re.M | re.S):
            faults.append(f"examples/pmap_cookbook: no {made} in\n{programs}")
    shapes, _, means = text[:at["normalize.printed"]].rpartition("(8, 50, 50)\n")
    equal("examples/pmap_cookbook: shape of the matrices", shapes.splitlines()[-1], "(8, 50, 60)")
    check_numbers("means", means[:means.index("]") + 1], "random_matmul.means.npy", 1e-4)
    gradients = text[at["rule30.printed"]:]
    first = gradients.index("]]") + 2
    check_numbers("f(x)", gradients[:first], "grad_in_pmap.f_x.npy", 1e-5)
    check_numbers("its gradient", gradients[first:], "grad_in_pmap.grad_sum_f_x.npy", 1e-5)


def main(matmul, rule30, train, spread, cookbook, compiler, library):
    printed = output(matmul)
    picture, _, rest = printed.partition("allclose: ")
    recorded = ROOT / "tests/golden/data/s0/matmul_basic.visualize_c.txt"
    equal("examples/matmul: the picture", picture.strip(), recorded.read_text("utf-8").strip())
    equal("examples/matmul: allclose", rest.split()[:1], ["1"])
    equal("README.md: output of examples/matmul", fenced("text"), printed)
    equal("README.md: output of its program", without_places(readme_output(compiler, library)),
          without_places(fenced("text")))
    equal("examples/rule30", numbers(output(rule30)), list(rule_30()))
    check_training(output(train))
    check_spread(output(spread))
    check_cookbook(output(cookbook))
    for fault in faults:
        print(fault)
    sys.exit(1 if faults else 0)


main(*sys.argv[1:])
