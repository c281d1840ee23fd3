#!/usr/bin/env python3
"""check_output.py - what the examples print, and what README.md says they print:
check_output.py MATMUL RULE30 TRAIN COMPILER LIBRARY

MATMUL, RULE30 and TRAIN are the built examples; README's program is built here, with the other
two."""
import pathlib
import re
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


def main(matmul, rule30, train, compiler, library):
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
    for fault in faults:
        print(fault)
    sys.exit(1 if faults else 0)


main(*sys.argv[1:])
