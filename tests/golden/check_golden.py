#!/usr/bin/env python3
"""check_golden.py - is every recorded array, text and list of collectives compared by a test, or
listed as not due?

data/index.tsv has a row for each array and text, data/collectives.tsv one for each program. A test names records by neighbouring string literals, the
id of the example and one or more names ("s0x.psum", "x y xf" or "s0x.psum", "x", "y").
not_due.tsv lists the others by patterns (*, ? and [...]): id, name, the feature that makes them due
or "-", and the reason; the first pattern that fits counts. Fails on a record that is in neither or
in both, on a name or a pattern that fits nothing, and on data files that are missing or that no
test uses. Prints how many records are due, and how many each feature brings.
"""
import collections
import csv
import fnmatch
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
FEATURES = {"-", "explicit mode"}
NAMED = re.compile(r'"((?:s\dx?|prng)\.\w+)"((?:,\s*(?:"\w[\w.+ -]*"\s*)+)+)')


def table(path):
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


def named_in(text):
    """the (id, name) pairs that a source names"""
    for ident, names in NAMED.findall(text):
        for name in re.sub(r'[",]', " ", names).split():
            yield ident, name


def listed(row, patterns):
    """the number of the first pattern that fits a row, or None"""
    for number, pattern in enumerate(patterns):
        if all(fnmatch.fnmatchcase(row[key], pattern[key]) for key in ("id", "name")):
            return number
    return None


def faults_of_files(used):
    stored = {path.relative_to(HERE / "data").as_posix() for path in HERE.glob("data/*/*")}
    for file in sorted(used - stored):
        yield f"data/{file} is missing"
    for file in sorted(stored - used):
        yield f"data/{file} is used by no test"


def main():
    records, programs = table(HERE / "data" / "index.tsv"), table(HERE / "data" / "collectives.tsv")
    rows, patterns = records + programs, table(HERE / "not_due.tsv")
    named = {pair for path in sorted(HERE.glob("*.c")) for pair in named_in(path.read_text())}
    faults, fitting, used, tested = [], set(), set(), 0
    waiting = collections.Counter()
    for row in rows:
        record, pattern = (row["id"], row["name"]), listed(row, patterns)
        if record in named:
            used.add(row.get("file"))
            tested += 1
            if pattern is not None:
                faults.append(f"{' '.join(record)}: tested, and listed as not due")
        elif pattern is None:
            faults.append(f"{' '.join(record)}: not tested and not listed")
        else:
            waiting[patterns[pattern]["feature"]] += 1
        fitting.add(pattern)
    for ident, name in sorted(named - {(row["id"], row["name"]) for row in rows}):
        faults.append(f"{ident} {name}: named by a test, but not in the index")
    for number, pattern in enumerate(patterns):
        if number not in fitting:
            faults.append(f"not_due.tsv: {pattern['id']} {pattern['name']} fits nothing")
        if pattern["feature"] not in FEATURES or not pattern["reason"]:
            faults.append(f"not_due.tsv: {pattern['id']} {pattern['name']}: feature or reason")
    faults += faults_of_files(used - {None})
    for fault in faults:
        print(fault)
    later = ", ".join(f"{n} {feature if feature != '-' else 'never'}"
                      for feature, n in sorted(waiting.items()))
    print(f"{len(records)} records and {len(programs)} programs: {tested} due and tested, not due: "
          f"{later}; {len(faults)} faults")
    return 1 if faults or not records or not programs else 0


sys.exit(main())
