#!/usr/bin/env python3
"""check_examples.py - sees to it that a test runs each worked example at the head of a source.

check_examples.py [ROOT] fails on a source of src/ whose head has a line that begins with "Example"
(tests/support/heads.h has the form) and that no test names, unless the tests open each file of its
folder, as those of WALKED do. A source of FOLDERS has an example, or a reason in NONE."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
WALKED = ("src/engine/cpu/", "src/engine/plan/", "src/pass/", "src/prim/")
FOLDERS = ("kernel", "program", "runtime", "shard", "trace")
NONE = {
    "src/kernel/functions.c": "a table of the calls of SLEEF",
    "src/program/effects.c": "needs several processes: tests/processes/test_threads.c",
    "src/program/program.c": "one answer a function, read off the record",
    "src/runtime/blocks.c": "a drawing of the blocks of a run",
    "src/runtime/cache.c": "a drawing; tests/unit/test_cache.c fills caches",
    "src/runtime/committed.c": "a table; tests/errors/test_pmap.c and tests/spmd have its rows",
    "src/runtime/keywords.c": "records of other releases: tests/unit/test_keywords.c",
    "src/runtime/processes.c": "needs several processes: tests/processes/test_threads.c",
    "src/runtime/run.c": "the order of the calls of a run",
    "src/runtime/transfer.c": "needs several processes: tests/processes/test_puts.c",
    "src/shard/devices.c": "a table of pointers; tests/unit/test_shard.c compares meshes",
    "src/shard/message_cost.c": "a formula",
    "src/shard/positional.c": "several, which tests/unit/test_positional.c prints",
}


def faults(root):
    named = set()
    for test in (root / "tests").rglob("*.c"):
        named |= set(re.findall(r"\"(src/[\w/]+\.c)\"", test.read_text(encoding="utf-8")))
    for path in sorted((root / "src").rglob("*.c")):
        name = str(path.relative_to(root))
        head = path.read_text(encoding="utf-8").split("*/")[0]
        has = re.search(r"^ \* Example", head, re.M)
        if has and name not in named and not name.startswith(WALKED):
            yield f"{name}: no test names it, so nothing runs its example"
        if has and name in NONE:
            yield f"{name}: has an example, and a reason in NONE why not"
        if not has and path.parts[len(root.parts) + 1] in FOLDERS and name not in NONE:
            yield f"{name}: has no example, and no reason in NONE why not"
    yield from (f"{name}: is in NONE, and gone" for name in NONE if not (root / name).is_file())


def main():
    found = list(faults(pathlib.Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else ROOT))
    print("\n".join(found) or "check_examples: a test runs each worked example")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
