#!/usr/bin/env python3
"""check_layouts.py - the layout of the public records is what layouts.tsv says.

Programs are compiled against a layout, so it never changes: no member moves or gets another size,
and only records that begin with their size grow, at their end. A row of layouts.tsv is a member,
its offset and its size; the row of the record itself, "-", has its size. check_layouts.py --add
adds rows for new members and records; rows that are there are never changed."""
import pathlib
import re
import subprocess
import sys
import tempfile

ADD = sys.argv[1:] == ["--add"]
sys.argv[1:] = []
import common  # noqa: E402 (it reads the arguments as compilers)

TABLE = pathlib.Path(__file__).resolve().parent / "layouts.tsv"
COMMENT = re.compile(r"/\*.*?\*/", re.S)
RECORD = re.compile(r"typedef struct\s+(?:TSR_\w+\s+)?(tsr_\w+)\s*\{(.*?)\}\s*\1\s*;", re.S)


def members_of(body):
    """names of the members, in order; of a union its own, or if it has none its first member's"""
    body = body.replace("TSR_KEYWORDS_END_", "").replace("TSR_KEYWORDS_", "size_t size;")
    body = re.sub(r"TSR_FIRST_\(([^,]*),[^;]*\);", r"\1;", body)
    body = re.sub(r"union\s*\{([^{};]*;)[^{}]*\}\s*;", r"\1", body)
    while "{" in body:
        body = re.sub(r"(union|struct)\s*\w*\s*\{[^{}]*\}", r"\1 nested", body)
    for declaration in filter(str.strip, body.split(";")):
        pointer = re.search(r"\(\s*\*\s*(\w+)\s*\)", declaration)
        if pointer:
            yield pointer.group(1)
            continue
        for part in declaration.split(","):
            yield re.search(r"(\w+)\s*(?:\[[^\]]*\]\s*)*$", part).group(1)


def layouts():
    text = "".join(COMMENT.sub(" ", path.read_text(encoding="utf-8"))
                   for path in sorted(common.INCLUDE.glob("tsr/*.h")))
    lines = ["#include <tsr/tsr.h>", "int main(void) {"]
    for record, body in RECORD.findall(text):
        for member in members_of(body):
            lines.append(f'printf("{record}\\t{member}\\t%zu\\t%zu\\n", '
                         f'offsetof({record}, {member}), sizeof((({record} *)0)->{member}));')
        lines.append(f'printf("{record}\\t-\\t0\\t%zu\\n", sizeof({record}));')
    lines.append("return 0; }")
    with tempfile.TemporaryDirectory() as folder:
        source, program = pathlib.Path(folder) / "layouts.c", pathlib.Path(folder) / "layouts"
        source.write_text("\n".join(lines), encoding="utf-8")
        compiler = common.compilers()[0]
        subprocess.run([compiler, f"-I{common.INCLUDE}", str(source), "-o", str(program)],
                       check=True)
        said = subprocess.run([str(program)], check=True, capture_output=True, text=True).stdout
    return {tuple(row[:2]): tuple(map(int, row[2:]))
            for row in (line.split("\t") for line in said.splitlines())}


def faults(then, now):
    sized = {record for record, member in now if member == "size" and now[record, "size"] == (0, 8)}
    for (record, member), was in then.items():
        what = record if member == "-" else f"{record}.{member}"
        is_now = now.get((record, member))
        if is_now is None:
            yield f"{what} is gone"
        elif member == "-" and record in sized and is_now[1] > was[1]:
            continue
        elif is_now != was:
            yield f"{what}: offset and size were {was}, and are {is_now}"
    for (record, member), (offset, _) in now.items():
        if member == "-" or (record, member) in then:
            continue
        if (record, "-") in then and offset < then[record, "-"][1]:
            yield f"{record}.{member} is new, and stands before the end of the record"
        elif not ADD:
            yield f"{record}.{member} is new: tests/compile/check_layouts.py --add"


def read_table():
    if not TABLE.exists():
        return {}
    rows = (line.split("\t") for line in TABLE.read_text(encoding="utf-8").splitlines()[1:])
    return {tuple(row[:2]): tuple(map(int, row[2:])) for row in rows}


def main():
    if not common.compilers():
        return common.SKIPPED
    then, now = read_table(), layouts()
    found = list(faults(then, now))
    for fault in found:
        print(fault)
    if ADD and not found:
        rows = {**now, **{key: value for key, value in then.items() if key[1] != "-"}}
        TABLE.write_text("record\tmember\toffset\tsize\n" + "".join(
            f"{record}\t{member}\t{offset}\t{size}\n"
            for (record, member), (offset, size) in rows.items()), encoding="utf-8")
    print(f"{len(now)} members and records, {len(found)} faults")
    return 1 if found or len(now) < 100 else 0


sys.exit(main())
