#!/usr/bin/env python3
"""check_lines.py - an example has no more lines of code than the notebook that it follows.

Counted are lines that have more than blanks and comments."""
import pathlib
import re
import sys

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent.parent / "examples"
MOST = {"fsdp_tp.c": 163, "transformer.c": 74, "distributed_arrays.c": 225}


def code_lines(text):
    text = re.sub(r'/\*.*?\*/|//[^\n]*|"(?:[^"\\\n]|\\.)*"',
                  lambda m: m[0] if m[0][0] == '"' else "\n" * m[0].count("\n"), text, flags=re.S)
    return sum(bool(line.strip()) for line in text.splitlines())


def main():
    counts = {name: code_lines((EXAMPLES / name).read_text(encoding="utf-8")) for name in MOST}
    for name, count in counts.items():
        print(f"examples/{name}: {count} lines of code, at most {MOST[name]}")
    return any(counts[name] > MOST[name] for name in MOST)


sys.exit(main())
