"""common.py - functions that the checks of the headers share: compilers, flags, running one,
counting."""
import concurrent.futures
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import threading

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
INCLUDE = ROOT / "include"
NAMES = sys.argv[1:] or ["gcc", "clang"]    # of compilers
SECONDS = 10               # of processor time after which a compiler is stopped
MEMORY = 4 << 30           # bytes that it may use
SKIPPED = 77               # exit status of a test that could not do all it is for
PACKAGES = {"clang++": "clang"}    # where the package has another name than the compiler
STANDARD = "-std=c17"
BEHIND_HEADERS = re.compile(r"(\s|/\*.*?\*/|//[^\n]*)*#include <tsr/tsr\.h>\n", re.DOTALL)
WARNINGS = "-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror".split()


def compilers(names=NAMES):
    """Those that are here."""
    return [name for name in names if shutil.which(name)]


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def compile_file(path, output, compiler, *options):
    """(accepted, messages, seconds of processor time, which a busy machine does not change)."""
    with tempfile.TemporaryFile("w+") as said:
        command = [compiler, *options, f"-I{INCLUDE}", str(path), "-o", str(output)]
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=said, stderr=said,
                                   env={**os.environ, "LC_ALL": "C"}, preexec_fn=limit)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        return process.returncode == 0, said.read(), usage.ru_utime + usage.ru_stime


def compile_text(compiler, text, *options):
    """Compiles source text to assembly that is thrown away; gives what compile_file does."""
    suffix = ".cpp" if compiler.endswith("++") else ".c"
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / ("case" + suffix)
        path.write_text(text, encoding="utf-8")
        return compile_file(path, os.devnull, compiler, "-S", *options)


class Precompiled:
    """tsr/tsr.h as each compiler has read it: what starts with it compiles in half the time. A
    compiler that cannot use that reads the header."""
    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.options = {}
        self.lock = threading.Lock()

    def of(self, compiler):
        with self.lock:
            if compiler not in self.options:
                self.options[compiler] = self.make(compiler)
            return self.options[compiler]

    def make(self, compiler):
        folder = pathlib.Path(self.folder.name) / compiler
        file = folder / "tsr" / "tsr.h.gch"    # gcc looks for it before tsr/tsr.h
        file.parent.mkdir(parents=True)
        ok, _, _ = compile_file(INCLUDE / "tsr" / "tsr.h", file, compiler, "-xc-header", STANDARD,
                                *WARNINGS)
        if not ok:
            return []
        return ["-include-pch", str(file)] if compiler.startswith("clang") else [f"-I{folder}"]


PRECOMPILED = Precompiled()


def compile_behind_headers(compiler, text, *options):
    """compile_text of C whose first line but comments includes tsr/tsr.h."""
    assert BEHIND_HEADERS.match(text), text
    return compile_text(compiler, text, STANDARD, *PRECOMPILED.of(compiler), *options)


def macros():
    """Names of all macros with arguments that users write, and those without a lower-case form."""
    for path in sorted(set(INCLUDE.glob("tsr/*.h")) - {INCLUDE / "tsr/mpi.h"}): # tests/mpi
        for name in re.findall(r"^#define (\w+)\(", path.read_text(encoding="utf-8"), re.M):
            if not name.endswith("_"):
                yield name


def functions():
    """(name, parameters behind the place) of all functions that give a handle and that a macro
    gives the place; the name is the macro's."""
    for path in sorted(INCLUDE.glob("tsr/*.h")):
        text = " ".join(path.read_text(encoding="utf-8").split())
        yield from re.findall(r"tsr \*(tsr_\w+)_at\(const char \*where, ([^;]*)\);", text)


def run(cases, names=NAMES):
    """cases: functions that give None or a complaint. Prints the outcome and exits: with 1 for
    faults, and with SKIPPED when all is well as far as the compilers go that are here."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        complaints = list(pool.map(lambda case: case(), cases))
    faults = [text for text in complaints if text]
    for text in faults:
        print(text)
    print(f"{len(complaints) - len(faults)} passed, {len(faults)} failed")
    missing = sorted(set(names) - set(compilers(names)))
    if missing:
        print(f"not tested with {' and '.join(missing)}, which is not installed. Debian and "
              f"Ubuntu: apt-get install {' '.join(sorted({PACKAGES.get(n, n) for n in missing}))}")
    sys.exit(1 if faults or not complaints else SKIPPED if missing else 0)
