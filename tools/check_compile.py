#!/usr/bin/env python3
"""check_compile.py - sources that must and must not compile: check_compile.py COMPILER...

tests/compile/*.c compiles without a warning as it stands. Each of its mistakes, a block
`#if MISTAKE == n` with a comment `/* MISTAKE n: words that the compiler says */`, is an error with
those words ("|" between alternatives, as compilers differ; nothing after the colon: any error). A
comment `/* SECONDS s */` limits the time."""
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
FLAGS = "-std=c17 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -fsyntax-only".split()


def compile_one(compiler, path, *options):
    start = time.monotonic()
    command = [compiler, *FLAGS, f"-I{ROOT / 'include'}", *options, str(path)]
    result = subprocess.run(command, capture_output=True, text=True)
    return result.returncode == 0, result.stderr, time.monotonic() - start


def faults(compiler, path):
    text = path.read_text(encoding="utf-8")
    ok, said, seconds = compile_one(compiler, path)
    if not ok:
        yield "does not compile:\n" + said
    limit = re.search(r"/\* SECONDS ([0-9.]+)", text)
    if limit and seconds > float(limit.group(1)):
        yield f"took {seconds:.2f} s"
    for number, words in re.findall(r"/\* MISTAKE (\d+):(.*?)\*/", text):
        ok, said, _ = compile_one(compiler, path, f"-DMISTAKE={number}")
        if ok:
            yield f"mistake {number} compiles"
        elif not any(word.strip() in said for word in words.split("|")):
            yield f"mistake {number} does not say '{words.strip()}' but:\n{said}"


def main(compilers):
    count = bad = 0
    for path in sorted((ROOT / "tests" / "compile").glob("*.c")):
        for compiler in dict.fromkeys(compilers):
            count += 1
            for text in faults(compiler, path):
                bad += 1
                print(f"{path.name}, {pathlib.PurePath(compiler).name}: {text}")
    print(f"{count} compiled, {bad} faults")
    return 1 if bad or not count else 0


sys.exit(main(sys.argv[1:]))
