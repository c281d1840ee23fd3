#!/usr/bin/env python3
"""check_symbols.py - checks the exported symbols of libtsr.so and libtsr.a.

check_symbols.py VERSION libtsr.so libtsr.a. The shared library exports tsr_ names under
TSR_MAJOR.MINOR and tsr__ names under TSR_PRIVATE_VERSION, nothing else; the archive defines no
global name without the prefix. Neither calls what a library must not call: functions that end the
process, or that change the state of the whole process, or that read the environment of a program
with more rights than its caller (secure_getenv does not). MPI is called by plug-ins alone, and
libtsr.so is linked with none."""
import re
import subprocess
import sys

FORBIDDEN = {"abort", "exit", "_exit", "_Exit", "quick_exit", "setlocale", "setenv", "unsetenv",
             "putenv", "clearenv", "getenv", "signal", "sigaction", "srand", "srandom"}


def nm(*arguments):
    text = subprocess.run(["nm", *arguments], check=True, capture_output=True, text=True).stdout
    return [line.split() for line in text.splitlines() if line and not line.endswith(":")]


def exported_faults(version, path):
    public = "TSR_" + ".".join(version.split(".")[:2])
    private = "TSR_PRIVATE_" + version
    listed = nm("-D", "--defined-only", "--with-symbol-versions", path)
    symbols = [fields[-1] for fields in listed if fields[-2] != "A"]
    for symbol in symbols:
        name, _, node = symbol.replace("@@", "@").partition("@")
        expected = private if name.startswith("tsr__") else public
        if not name.startswith("tsr_"):
            yield f"{symbol} is exported"
        elif node != expected:
            yield f"{symbol} should have version {expected}"
    if not any(symbol.startswith("tsr_version@") for symbol in symbols):
        yield "tsr_version is not exported: the list cannot be right"


def archive_faults(path):
    for fields in nm("-g", "--defined-only", path):
        if not fields[-1].startswith("tsr_"):
            yield f"{fields[-1]} is global"


def call_faults(path, *dynamic):
    for fields in nm(*dynamic, "--undefined-only", path):
        name = fields[-1].partition("@")[0]
        if name in FORBIDDEN or re.match(r"P?MPI_", name):
            yield f"{name} is used"


def link_faults(path):
    text = subprocess.run(["objdump", "-p", path], check=True, capture_output=True,
                          text=True).stdout
    for soname in re.findall(r"^ *NEEDED +(lib\w*mpi\S*)$", text, re.M):
        yield f"it is linked with {soname}"


def main(version, shared, archive):
    of_shared = [*exported_faults(version, shared), *call_faults(shared, "-D"),
                 *link_faults(shared)]
    of_archive = [*archive_faults(archive), *call_faults(archive)]
    faults = ["libtsr.so: " + text for text in of_shared]
    faults += ["libtsr.a: " + text for text in of_archive]
    for text in faults:
        print(text)
    print(f"{len(faults)} symbols out of place")
    return 1 if faults else 0


sys.exit(main(*sys.argv[1:4]))
