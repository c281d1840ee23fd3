#!/usr/bin/env python3
"""check_licences.py - fails on a link dependency that is copyleft or unknown.

check_licences.py OBJECT... [--linked OBJECT...] follows the dependencies that the loader would
load; of the objects behind --linked, which load an MPI, it sees just what they are linked with.
licences.txt lists the known libraries; each that is not part of the system must have a notice in
THIRD-PARTY.md."""
import fnmatch
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
COPYLEFT = re.compile(r"(?<![A-Z])[AL]?GPL|MPL|EPL|CDDL|EUPL", re.I)


def known():
    lines = (ROOT / "tools" / "licences.txt").read_text(encoding="utf-8").splitlines()
    return [line.split() for line in lines if line.strip() and not line.startswith("#")]


def needed(path):
    """sonames of everything `path` needs, directly or through others"""
    text = subprocess.run(["ldd", path], check=True, capture_output=True, text=True).stdout
    return {pathlib.PurePath(line.split()[0]).name for line in text.splitlines() if line.strip()
            and line.strip() != "statically linked"}


def linked(path):
    """sonames of what `path` is linked with itself"""
    text = subprocess.run(["objdump", "-p", path], check=True, capture_output=True,
                          text=True).stdout
    return set(re.findall(r"^ *NEEDED +(\S+)$", text, re.M))


def fault(soname, table, notices):
    for pattern, licence, where in table:
        if not fnmatch.fnmatchcase(soname, pattern):
            continue
        if where == "system":
            return None
        if COPYLEFT.search(licence):
            return f"copyleft: {licence}"
        return None if where in notices else f"THIRD-PARTY.md has no notice of {where}"
    return "unknown: read its licence and enter it in tools/licences.txt"


def main(objects):
    table, notices = known(), (ROOT / "THIRD-PARTY.md").read_text(encoding="utf-8")
    own = {"libtsr.so." + part for part in ("0", "0.1")}
    mark = objects.index("--linked") if "--linked" in objects else len(objects)
    needs = [(path, needed(path)) for path in objects[:mark]]
    needs += [(path, linked(path)) for path in objects[mark + 1:]]
    bad = 0
    for path, sonames in needs:
        for soname in sorted(sonames - own):
            text = fault(soname, table, notices)
            if text:
                bad += 1
                print(f"{pathlib.PurePath(path).name} needs {soname}: {text}")
    print(f"{len(needs)} objects, {bad} dependencies that may not be")
    return 1 if bad or not objects else 0


sys.exit(main(sys.argv[1:]))
