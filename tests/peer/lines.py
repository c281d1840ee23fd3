"""lines.py - the lines of functions/*.def: the public operations here and in JAX, a line each; and
the elementwise rows of the list that all tests of rows draw from.

FN(operands, call, in JAX): `operands` is a function of draws.py that draws them, the call is an
expression of these variables in C (functions.c), and the last part the same in Python, with jnp,
lax, nn, and what run_functions.py adds. OUT has its results in `out`, and says how many; MAP stands
in a vmap over dim 0 of x with the axis "i", or with flag3 in a pmap. NOT_DRAWN has the reason for
operations that no line calls."""
import collections
import pathlib
import re

HERE = pathlib.Path(__file__).resolve().parent
# as functions.c includes them
FILES = "elementwise reductions arrays numbers random layers programs".split()
HEAD = re.compile(r"^(FN|OUT|MAP|NOT_DRAWN)\(", re.M)
OPERATION = re.compile(r"\btsr_\w+(?=[(,)])")

Line = collections.namedtuple("Line", "number kind operands call jax")


def parts_of(text):
    """text up to the bracket that closes it, split at the commas outside of brackets and strings"""
    parts, depth, start = [], 0, 0
    for match in re.finditer(r'"[^"]*"|[()\[\]{},]', text):
        mark = match[0]
        if mark in ",)" and depth == 0:
            parts.append(" ".join(text[start:match.start()].split()))
            start = match.end()
            if mark == ")":
                return parts
        depth += mark in "([{"
        depth -= mark in ")]}"
    raise ValueError("a bracket is not closed: " + text[:60])


def table():
    """(the lines, in their order; name -> reason of what is not drawn)"""
    text = "".join((HERE / f"functions/{name}.def").read_text(encoding="utf-8") for name in FILES)
    lines, reasons = [], {}
    for match in HEAD.finditer(text):
        first, *rest = parts_of(text[match.end():])
        if match[1] == "NOT_DRAWN":
            reasons.update((name, first.strip('"')) for name in rest)
            continue
        rest = rest[match[1] == "OUT":]
        lines.append(Line(len(lines), match[1], first, rest[0], ", ".join(rest[1:])))
    return lines, reasons


def elementwise(operands):
    """the rows without parameters, of one operand or two, that row_cases.def has as elementwise"""
    text = (HERE.parent / "support/row_cases.def").read_text(encoding="utf-8")
    words, types, of = ("UNARY|UNARY_COMPLEX", "T", "%0") if operands == 1 else \
        ("BINARY|COMPARE", "[TR]", "%0 %1")
    types = "; ".join([rf"{types}\[S\]"] * operands)
    found = re.findall(rf'^(?:{words})\("(\w+)"|^CASE\("{types}", "(\w+) {of}",', text, re.M)
    return dict.fromkeys(a or b for a, b in found)


def drawn(lines):
    return {name for line in lines for name in OPERATION.findall(line.call)}
