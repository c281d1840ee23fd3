#!/usr/bin/env python3
"""check_dims.py - sees to it that lists of dims are written only where their room is looked at.

An array may have 255 dims, and a tsr_dims has room for 8. Code that copies the dims of an array
into one on the stack works until somebody has an array of nine. So in src/ a tsr_dims of as many
dims as something has comes from src/trace/dims.c, and other lists of dims have room for all:

    at.dims.d[1 + d] = t->dims[d];          write dims_put(site, &at.dims, t->dims, t->ndim)
    tsr_dims own = {.d = {1 + t->ndim}};    the same; TSR_DIMS(m, n) is fine
    int64_t index[TSR_MAX_NDIM];            write index[MAX_NDIM]
    int64_t dims[MAX_NDIM + 1];             fine: so many there are, and one more"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
HERE = "src/trace/dims.c"
WRITES = re.compile(r"(\.|->)d\[[^\]]*\]\s*([-+*/]?=[^=]|\+\+|--)|(\+\+|--)[\w.>-]*(\.|->)d\[")
COUNTED = re.compile(r"\.d = \{\s*(?!\d|NULL)")
SMALL = re.compile(r"\[TSR_MAX_NDIM\b")


def faults(path):
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        for wrong, what in ((WRITES.search(line), "writes into a list of dims: use dims_put"),
                            (COUNTED.search(line), "dims counted at run time: use dims_put"),
                            (SMALL.search(line), "has room for 8 dims, and there may be 255")):
            if wrong:
                yield f"{path.relative_to(ROOT)}:{number}: {what}"


def main():
    found = [fault for path in sorted((ROOT / "src").rglob("*.[ch]"))
             if str(path.relative_to(ROOT)) != HERE for fault in faults(path)]
    print("\n".join(found) or "check_dims: lists of dims are written where their room is known")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
