"""_notebook.py - runs scripts that were notebooks: the last expression of a cell is printed, and
lines of IPython are understood:

    # %%
    ! pip install tabulate        left out, with a word on stderr
    x = jnp.arange(3)
    x                             prints Array([0, 1, 2], dtype=int32)
    # %%
    %timeit -n 5 -r 2 f(x)        times f(x)"""
import ast
import json
import linecache
import pathlib
import re
import sys
import time


def cells_of(path):
    """The sources of the cells, each with its first line in the file."""
    text = pathlib.Path(path).read_text(encoding="utf-8")
    if str(path).endswith(".ipynb"):
        at, found = 1, []
        for cell in json.loads(text)["cells"]:
            if cell["cell_type"] == "code":
                source = "".join(cell["source"])
                found.append((at, source))
                at += source.count("\n") + 1
        linecache.cache[str(path)] = (0, None, [
            line + "\n" for _, source in found for line in source.split("\n")], str(path))
        return found
    starts = [m.start() for m in re.finditer(r"^# %%", text, re.MULTILINE)]
    starts = [0, *[s for s in starts if s]]
    return [(text.count("\n", 0, a) + 1, text[a:b]) for a, b in
            zip(starts, [*starts[1:], len(text)])]


def plain(source):
    """A cell as Python: what is the shell's left out, %timeit a call."""
    lines = []
    for line in source.split("\n"):
        body = line.lstrip()
        gap = line[:len(line) - len(body)]
        if body.startswith("!"):
            print(f"left out: {body}", file=sys.stderr)
            line = f"{gap}pass"
        elif body.startswith("%timeit"):
            line = f"{gap}__timeit__({body[len('%timeit'):].strip()!r}, globals())"
        elif body.startswith("%"):
            raise SyntaxError(f"{body!r}: of IPython's magic there is %timeit")
        lines.append(line)
    return "\n".join(lines)


def timeit(line, space):
    """Times a statement: -n calls in a row, -r times."""
    count, rounds = 1, 3
    while match := re.match(r"-([nr]) *(\d+) +", line):
        count, rounds = (int(match[2]), rounds) if match[1] == "n" else (count, int(match[2]))
        line = line[match.end():]
    code, took = compile(line, "<timeit>", "exec"), []
    for _ in range(rounds):
        start = time.perf_counter()
        for _ in range(count):
            exec(code, space)
        took.append((time.perf_counter() - start) / count)
    mean = sum(took) / rounds
    spread = (sum((t - mean) ** 2 for t in took) / rounds) ** .5
    print(f"{mean * 1e3:.3g} ms +- {spread * 1e3:.3g} ms per loop (mean +- std. dev. of {rounds} "
          f"runs, {count} loops each)")


def run_notebook(path):
    """Runs all cells."""
    space = {"__name__": "__main__", "__file__": str(path), "__timeit__": timeit}
    sys.path[0] = str(pathlib.Path(path).resolve().parent)
    for at, source in cells_of(path):
        tree = ast.parse("\n" * (at - 1) + plain(source), str(path))
        last = tree.body[-1] if tree.body else None
        shown = isinstance(last, ast.Expr) and not source.rstrip().endswith(";")
        rest = ast.Module(tree.body[:-1] if shown else tree.body, [])
        exec(compile(rest, str(path), "exec"), space)
        if shown:
            value = eval(compile(ast.Expression(last.value), str(path), "eval"), space)
            if value is not None:
                print(repr(value))
