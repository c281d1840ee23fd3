#!/usr/bin/env python3
"""check_tuning.py - each number that was chosen by measuring is in src/base/tuning.def, with its
unit, its meaning and a case that measures it; it is used; and no such number is elsewhere."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = ROOT / "src/base/tuning.def"
ROW = re.compile(r'^(TUNING|TARGET)\((\w+), ([^"]*?), "([^"]+)", "([^"]+)",\s*"([^"]+)"\)$', re.M)
# where numbers are tuned; what is defined there and is no result of measuring
PLACES = ("src/pass/cost.c", "src/pass/fuse", "src/engine/plan", "src/engine/cpu",
          "src/base/workers.c")
OTHERS = {
    "BOARDS": "slots", "PARTS": "slots", "ALIGNED": "a cache line", "EACH": "alignment",
    "FIRST": "the first block of a list", "MOST": "a limit of programs",
    "MOST_LANES": "a limit of vectors", "MOST_TILED": "a limit of lists",
    "MOST_TURNED": "a limit of lists", "MOST_COLUMNS": "a limit of lists",
    "MOST_COPIES": "a limit of lists", "MOST_SPARES": "a limit of lists",
    "MOST_STEP": "a limit of lists", "MOST_CARRIED": "a limit of lists",
    "MOST_SYMBOL": "a limit of names",
    "MOST_SYMBOLS": "a limit of lists", "MOST_CALLS": "a limit of lists",
    "MOST_PATH": "a limit of names", "LARGEST": "a library's own", "BUCKETS": "a hash table",
    "NOMINAL_BYTES": "the vectors that items are cut for", "MULTIPLE": "of lanes",
    "LARGEST": "a library's own",
    "LINE_BYTES": "a cache line", "PAGE": "of memory", "VECTOR": "bytes of one",
    "WORDS": "lanes of a vector", "SAMPLES": "of a comparison",
    "WHOLE_TILES": "rows of whole tiles", "TILE_ROWS": "as many as registers have room for",
    "TILE_BYTES": "as many as registers have room for",
    "TILE_DEPTH": "of the definition of sums", "TILE_WIDTHS": "a limit of lists",
    "THIN_ROWS": "as many as registers have room for",
    "GROUPS": "as many as registers have room for", "WIDEST": "lanes of a vector",
    "DOT_COLUMNS": "lanes of a vector",
    "WORD": "bytes of an i32", "WIDE": "bytes of a line of a panel, and then some",
    "THIN_BYTES": "what a cache holds", "BESIDE": "a cache line",
    "JOINED": "what a cache holds", "THIN_COLUMNS": "what a cache holds",
    "ROWS": "so that they stay in a cache", "ARG_C": "a place in a list",
}
NUMBER = r"\(?(?:\(\w+\))?[0-9][0-9a-fA-Fx.]*\b"
DEFINE = re.compile(r"^[ \t]*#define ([A-Z][A-Z0-9_]*)[ \t]+(?:\\\n\s*)?" + NUMBER, re.M)
ENUM = re.compile(r"\benum\b[^;{]*\{([^}]*)\}", re.S)
MEMBER = re.compile(r"\b([A-Z][A-Z0-9_]*) = " + NUMBER)
COMMENT = re.compile(r"/\*.*?\*/", re.S)


def cases():
    """names of the benchmark's cases and of tests"""
    found = set()
    for path in (ROOT / "bench").glob("cases_*.c"):
        found.update(re.findall(r'^\s*\{?\s*"(\w+)"', path.read_text(encoding="utf-8"), re.M))
        found.update(re.findall(r'\.name = "(\w+)"', path.read_text(encoding="utf-8")))
    for path in (ROOT / "tests").glob("*/test_*.c"):
        found.add(f"{path.parent.name}.{path.stem[len('test_'):]}")
    return found


def sources():
    return [p for p in sorted((ROOT / "src").rglob("*")) if p.suffix in (".c", ".h")]


def table_faults(text):
    rows, known = ROW.findall(text), cases()
    starts = len(re.findall(r"^(?:TUNING|TARGET)\(", text, re.M))
    if starts != len(rows):
        yield f"{starts - len(rows)} rows are not NAME, numbers, unit, case, meaning"
    code = "\n".join(p.read_text(encoding="utf-8") for p in sources())
    used = {"TUNING": set(re.findall(r"\bTUNE_(\w+)", code)),
            "TARGET": set(re.findall(r"(?:->|\.)(\w+)", code))}
    for kind, name, numbers, unit, case, meaning in rows:
        if len(numbers.split(",")) != (1 if kind == "TUNING" else 3):
            yield f"{name}: {numbers} are not as many numbers as they should be"
        if case not in known:
            yield f"{name}: {case} is no case of the benchmark and no test"
        if name not in used[kind]:
            yield f"{name}: nothing uses it"


def is_tuned(path):
    text = path.relative_to(ROOT).as_posix()
    return any(text == place or text.startswith(place + "/") for place in PLACES)


def loose(path):
    text = COMMENT.sub("", path.read_text(encoding="utf-8"))
    names = DEFINE.findall(text)
    for body in ENUM.findall(text):
        names += MEMBER.findall(body)
    for name in names:
        # flags of a set are powers of two that are given a word each
        if name not in OTHERS and not re.match(r"(MEMBER|VARIES|LOG)_", name):
            yield f"{path.relative_to(ROOT)}: {name} is a number outside of src/base/tuning.def"


def main():
    text = TABLE.read_text(encoding="utf-8")
    found = [f"src/base/tuning.def: {fault}" for fault in table_faults(text)]
    for path in sources():
        if is_tuned(path):
            found += loose(path)
    for fault in found:
        print(fault)
    print(f"{len(ROW.findall(text))} numbers, {len(found)} faults")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
