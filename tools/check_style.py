#!/usr/bin/env python3
"""check_style.py - the parts of docs/style.md that a script can see.

Tabs, 100 columns, the first line of a file, broken strings, function lengths, no to-do. Prints how
long functions are."""
import pathlib
import re
import statistics
import sys

COLUMNS, TAB, LONGEST = 100, 8, 120
C_SUFFIXES = {".c", ".h", ".def", ".cpp", ".hpp"}
OTHER = {".py", ".sh", ".cmake"}
NAMES = {"Makefile", "CMakeLists.txt", "deps", "run", "Doxyfile"}
LEFT_OVER = re.compile(r"\b(TO" r"DO|FIX" r"ME|X" r"XX)\b")
SKIPPED = {"build", ".git", "golden", "corpus"}


def sources(root):
    for path in sorted(root.rglob("*")):
        parts = path.relative_to(root).parts
        if SKIPPED & set(parts[:-1]) and path.suffix not in C_SUFFIXES:
            continue
        if parts[0] in ("build", ".git") or parts[0].startswith("build-") or not path.is_file():
            continue
        if path.suffix in C_SUFFIXES | OTHER or path.name in NAMES:
            yield path


def in_comment(lines):
    """for each line, whether it begins inside a block comment"""
    inside, result = False, []
    for line in lines:
        result.append(inside)
        rest = line
        while True:
            end = rest.find("*/") if inside else rest.find("/*")
            if end < 0:
                break
            inside, rest = not inside, rest[end + 2:]
    return result


def check_c(path, lines):
    opening = lines[0] if lines else ""
    if not re.match(rf"/\* ([\w.-]+/)*{re.escape(path.name)} - \S", opening):
        yield 1, f'the first line is not "/* {path.name} - purpose"'
    comment, ends = in_comment(lines), True
    for number, line in enumerate(lines, 1):
        if not comment[number - 1] and ends and re.match(r" +\S", line):
            yield number, "indented with spaces, not with tabs"
        code = re.sub(r"/\*.*?\*/|//.*", "", line).rstrip()
        if code and not comment[number - 1]:
            ends = code[-1] in ";{}"


def broken_strings(lines):
    """a word or two of a string on a line of their own, as formatters leave them"""
    for number, (a, b, c) in enumerate(zip(lines, lines[1:], lines[2:]), 2):
        alone = re.fullmatch(r'\s*"[^"\\]{1,12} "', b)
        if alone and a.endswith(' "') and re.match(r'\s*"', c):
            yield number, "a string broken for no reason"


def functions(lines):
    """(first line, length) of each function body: from "{" to "}" in the first column"""
    start = None
    for number, line in enumerate(lines, 1):
        if line == "{":
            start = number
        elif line == "}" and start:
            yield start, number - start - 1
            start = None


def check(path, lengths):
    text = path.read_text(encoding="utf-8")
    lines = text.split("\n")
    if text and not text.endswith("\n"):
        yield len(lines), "no newline at the end"
    for number, line in enumerate(lines, 1):
        if len(line.expandtabs(TAB)) > COLUMNS:
            yield number, f"{len(line.expandtabs(TAB))} columns"
        if line != line.rstrip():
            yield number, "space at the end of the line"
        if LEFT_OVER.search(line):
            yield number, "unfinished: " + line.strip()
    if path.suffix in C_SUFFIXES:
        yield from check_c(path, lines)
        yield from broken_strings(lines)
        for number, length in functions(lines):
            lengths.append(length)
            if length > LONGEST:
                yield number, f"a function of {length} lines"


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    found, lengths, count = 0, [], 0
    for path in sources(root):
        count += 1
        for number, fault in check(path, lengths):
            found += 1
            print(f"{path.relative_to(root)}:{number}: {fault}")
    if lengths:
        print(f"{len(lengths)} functions: median {statistics.median(lengths):g} lines, "
              f"{sum(n > 60 for n in lengths)} over 60, longest {max(lengths)}")
    print(f"{count} files, {found} faults")
    return 1 if found or not count else 0


sys.exit(main())
