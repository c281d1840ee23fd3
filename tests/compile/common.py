"""common.py - what the checks of the headers share: compilers, flags, running one, counting."""
import concurrent.futures
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
INCLUDE = ROOT / "include"
SECONDS = 10               # of processor time after which a compiler is stopped
MEMORY = 4 << 30           # bytes that it may use
WARNINGS = "-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror".split()


def compilers(names):
    """Those that are here, of the names given or else gcc and clang (and their C++ likes)."""
    return [name for name in names if shutil.which(name)]


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def compile_text(compiler, text, *options):
    """Compiles source text to an object that is thrown away: (accepted, messages, seconds of
    processor time, which a busy machine does not change)."""
    suffix = ".cpp" if compiler.endswith("++") else ".c"
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile("w+") as said:
        path = pathlib.Path(folder) / ("case" + suffix)
        path.write_text(text, encoding="utf-8")
        command = [compiler, *options, f"-I{INCLUDE}", "-c", str(path), "-o", os.devnull]
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=said, stderr=said,
                                   env={**os.environ, "LC_ALL": "C"}, preexec_fn=limit)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        return process.returncode == 0, said.read(), usage.ru_utime + usage.ru_stime


def macros():
    """Names of all macros with arguments that users write, and those without a lower-case form."""
    for path in sorted(INCLUDE.glob("tsr/*.h")):
        for name in re.findall(r"^#define (\w+)\(", path.read_text(encoding="utf-8"), re.M):
            if not name.endswith("_"):
                yield name


def run(cases):
    """cases: functions that give None or a complaint. Prints the outcome; the exit status."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        complaints = list(pool.map(lambda case: case(), cases))
    faults = [text for text in complaints if text]
    for text in faults:
        print(text)
    print(f"{len(complaints) - len(faults)} passed, {len(faults)} failed")
    sys.exit(1 if faults or not complaints else 0)
