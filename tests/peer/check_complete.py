#!/usr/bin/env python3
"""check_complete.py - is everything compared with JAX? It needs none, and a test runs it.

Every row of prims.def is drawn by run_rows.py or stands in its NOT_DRAWN with a reason, and every
public operation is drawn by a line of functions/*.def or stands in a NOT_DRAWN there. Each line
has its row in dtypes.tsv, and what takes a .dtype one without it. Each
difference that is meant stands in the table of docs/numerics.md."""
import ast
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.dont_write_bytecode = True
sys.path[:0] = [str(HERE), str(ROOT / "tools")]

import lines  # noqa: E402
import make_names  # noqa: E402


def assigned(tree, name):
    """what a module gives this name, at its top"""
    for node in tree.body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == name:
            return node.value
    raise SystemExit(f"run_rows.py has no {name}")


def rows_drawn(tree):
    """the rows that functions with @row(...) draw: texts, *TABLE for the keys of a dict, and
    the elementwise ones of the list of cases"""
    elementwise = {"UNARY": lines.elementwise(1), "BINARY": lines.elementwise(2)}
    found = set()
    marks = [mark for node in tree.body if isinstance(node, ast.FunctionDef)
             for mark in node.decorator_list]
    for mark in marks:
        if isinstance(mark, ast.Call) and getattr(mark.func, "id", "") == "row":
            for given in mark.args:
                if not isinstance(given, ast.Starred):
                    found.add(ast.literal_eval(given))
                elif given.value.id in elementwise:
                    found |= set(elementwise[given.value.id])
                else:
                    found |= set(map(ast.literal_eval, assigned(tree, given.value.id).keys))
    return found


def complaints(what, here, drawn, reasons):
    for name in sorted(here - drawn - set(reasons)):
        yield f"{what} {name} is not drawn, and has no reason"
    for name in sorted(drawn & set(reasons)):
        yield f"{what} {name} is drawn, and has a reason why not"
    for name in sorted((drawn | set(reasons)) - here):
        yield f"{what} {name}: there is none"


def deliberate(tree):
    """the texts of @deliberate(...), but for those that are another module's"""
    for node in tree.body:
        for mark in node.decorator_list if isinstance(node, ast.FunctionDef) else []:
            if isinstance(mark, ast.Call) and getattr(mark.func, "id", "") == "deliberate":
                given = mark.args[0]
                if isinstance(given, ast.Attribute):
                    continue
                yield ast.literal_eval(assigned(tree, given.id) if isinstance(given, ast.Name)
                                       else given)


def not_in_the_table(trees):
    """deliberate differences that docs/numerics.md does not list"""
    page = (ROOT / "docs/numerics.md").read_text(encoding="utf-8")
    for reason in (text for tree in trees for text in deliberate(tree)):
        if f"\n| {reason} |" not in page:
            yield f"docs/numerics.md has no difference: {reason}"


def without_dtype():
    """the operations whose keywords have a .dtype, by the headers"""
    text = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "api").glob("*.h.in"))
    records = re.findall(r"typedef struct (tsr_\w+) \{([^}]*)\}", text)
    takes = {name for name, body in records if re.search(r"\btsr_dtype dtype;", body)}
    calls = re.findall(r"^\w+ \w+ \*?(tsr_\w+)\(([^;]*)\);", text, re.M)
    return {name for name, arguments in calls
            if takes & set(re.findall(r"keywords (tsr_\w+)", arguments))}


def not_recorded(table, reasons):
    """lines without a row in dtypes.tsv, and operations with a .dtype that no row leaves out"""
    recorded = [row.split("\t") for row in
                (HERE / "dtypes.tsv").read_text(encoding="utf-8").splitlines()]
    calls = {row[0] for row in recorded}
    yield from (f"dtypes.tsv has no row of {line.call}: run record_dtypes.py"
                for line in table if line.call not in calls)
    yield from (f"dtypes.tsv: there is no line {call}: run record_dtypes.py"
                for call in sorted(calls - {line.call for line in table}))
    free = {name for row in recorded if ".dtype" not in row[0] or "dtype=" not in row[1]
            for name in lines.OPERATION.findall(row[0])}
    yield from (f"dtypes.tsv: {name} is always given its dtype"
                for name in sorted(without_dtype() - free - set(reasons)))


def main():
    tree = ast.parse((HERE / "run_rows.py").read_text(encoding="utf-8"))
    left_out = {name: reason for reason, names in
                ast.literal_eval(assigned(tree, "NOT_DRAWN")).items() for name in names.split()}
    rows = set(re.findall(r"PRIM\((\w+)\)", (ROOT / "src/prim/prims.def").read_text()))
    table, reasons = lines.table()
    operations = set(make_names.operations())
    faults = [*complaints("the row", rows, rows_drawn(tree), left_out),
              *complaints("the operation", operations, lines.drawn(table) & operations, reasons)]
    others = [ast.parse((HERE / name).read_text(encoding="utf-8"))
              for name in ("run_functions.py", "gradients.py")]
    faults += not_in_the_table([tree, *others])
    faults += not_recorded(table, reasons)
    for fault in faults:
        print(fault)
    print(f"{len(table)} lines for {len(operations) - len(reasons)} operations, {len(reasons)} "
          f"with a reason; {len(rows_drawn(tree))} rows, {len(left_out)} with a reason")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
