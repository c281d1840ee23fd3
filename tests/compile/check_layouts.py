#!/usr/bin/env python3
"""check_layouts.py - checks the binary interface against abi.txt: functions with their types, and
members of the public records with offset and size.

Programs are compiled against it. While the name of the library, libtsr.so.MAJOR.MINOR, is that of
abi.txt, no function goes or changes its type, no member moves or gets another size, and only
records that begin with their size grow, at their end: a new member is never in what was padding, so
that the size tells whether the caller knew it. check_layouts.py --add adds what is new, and after a
change of TSR_VERSION_MINOR records everything anew; CHANGELOG.md then says what changed."""
import pathlib
import re
import subprocess
import sys
import tempfile

ADD = sys.argv[1:] == ["--add"]
sys.argv[1:] = []
import common  # noqa: E402 (it reads the arguments as compilers)

TABLE = common.ROOT / "abi.txt"
FUNCTION = re.compile(r"^TSR_(?:API|OP) ([^;{}]*?\b(tsr_\w+)\([^;{}]*\));", re.M)
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


def soname():
    text = (common.INCLUDE / "tsr/base.h").read_text(encoding="utf-8")
    parts = re.findall(r"^#define TSR_VERSION_(?:MAJOR|MINOR) (\d+)", text, re.M)
    return "libtsr.so." + ".".join(parts)


def functions():
    for path in sorted(common.INCLUDE.glob("tsr/*.h")):
        text = COMMENT.sub(" ", path.read_text(encoding="utf-8"))
        for said, name in FUNCTION.findall(text):
            yield name, " ".join(said.split())


def faults(then, now):
    sized = {record for record, member in now if member == "size" and now[record, "size"] == (0, 8)}
    for (record, member), was in then.items():
        if record == "function":
            if now.get((record, member)) != was:
                yield f"{member}: it was {was}, and is {now.get((record, member), 'gone')}"
            continue
        what = record if member == "-" else f"{record}.{member}"
        is_now = now.get((record, member))
        if is_now is None:
            yield f"{what} is gone"
        elif member == "-" and record in sized and is_now[1] > was[1]:
            continue
        elif is_now != was:
            yield f"{what}: offset and size were {was}, and are {is_now}"
    for (record, member), is_now in now.items():
        if member == "-" or (record, member) in then:
            continue
        offset = is_now[0] if record != "function" else 0
        if record != "function" and (record, "-") in then and offset < then[record, "-"][1]:
            yield f"{record}.{member} is new, and stands before the end of the record"
        elif not ADD:
            yield f"{record}.{member} is new: tests/compile/check_layouts.py --add"


def read_table():
    """The name of the library, and what was recorded for it."""
    if not TABLE.exists():
        return None, {}
    first, *lines = TABLE.read_text(encoding="utf-8").splitlines()
    then = {}
    for line in lines:
        kind, name, *rest = line.split("\t")
        then[kind, name] = rest[0] if kind == "function" else tuple(map(int, rest))
    return first, then


def main():
    if not common.compilers():
        return common.SKIPPED
    (of, then), now = read_table(), layouts()
    now.update({("function", name): said for name, said in functions()})
    if of != soname():
        if not ADD:
            print(f"abi.txt is of {of}: tests/compile/check_layouts.py --add")
            return 1
        then = {}
    found = list(faults(then, now))
    for fault in found:
        print(fault)
    if ADD and not found:
        TABLE.write_text(f"{soname()}\n" + "".join(
            "\t".join([kind, name, *([said] if kind == "function" else map(str, said))]) + "\n"
            for (kind, name), said in sorted(now.items())), encoding="utf-8")
    print(f"{len(now)} functions, members and records, {len(found)} faults")
    return 1 if found or len(now) < 100 else 0


sys.exit(main())
