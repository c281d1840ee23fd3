#!/usr/bin/env python3
"""run_script.py - runs a JAX script on Tessera, and compares its output with the text beside it.

    run_script.py tests/bindings/seeds/s1.py --notebook --devices 8

Numbers may differ by 2e-4 of their size, or by 2e-6; times are not compared. Pictures and tables
must agree in every place, other text in its words. TSR_UPDATE=1 writes the text."""
import argparse
import os
import pathlib
import re
import subprocess
import sys

NUMBER = r"-?(?:\d+\.?\d*(?:e[-+]?\d+)?|inf|nan)"
WORD = re.compile(rf"{NUMBER}|[^\W\d]+|[^\w\s]")
BOXES = re.compile("[─-╿]")
PARTS = pathlib.Path(__file__).resolve().parent


def close(a, b):
    """Are two words the same, or numbers that are close?"""
    if a == b:
        return True
    if not (re.fullmatch(NUMBER, a) and re.fullmatch(NUMBER, b)):
        return False
    x, y = float(a), float(b)
    return abs(x - y) <= 2e-6 + 2e-4 * abs(y)


def difference(got, want):
    """What is different first; None if nothing is."""
    timed = re.compile(rf"{NUMBER} seconds")
    got, want = (timed.sub("some seconds", text) for text in (got, want))
    boxes = [[line.rstrip() for line in text.splitlines() if BOXES.search(line)]
             for text in (got, want)]
    for a, b in zip(*boxes):
        if a != b:
            return f"{a}\n  and not\n{b}"
    words = [WORD.findall(text) for text in (got, want)]
    for k, (a, b) in enumerate(zip(*words)):
        if not close(a, b):
            return f"... {' '.join(words[0][max(k - 12, 0):k + 1])}\n  and not\n" \
                   f"... {' '.join(words[1][max(k - 12, 0):k + 1])}"
    if len(words[0]) != len(words[1]) or len(boxes[0]) != len(boxes[1]):
        return f"{len(words[0])} words, and not {len(words[1])}: ... " \
               f"{' '.join(max(words, key=len)[min(map(len, words)):][:12])}"
    return None


def main():
    """Runs and compares; gives the exit status, which is 77 without NumPy."""
    parser = argparse.ArgumentParser()
    parser.add_argument("script", type=pathlib.Path)
    parser.add_argument("--notebook", action="store_true")
    parser.add_argument("--devices", type=int, default=1)
    given = parser.parse_args()
    try:
        import numpy  # noqa: F401
    except ImportError:
        print("skipped: this Python has no NumPy", file=sys.stderr)
        return 77
    flags = f"--xla_force_host_platform_device_count={given.devices}"
    path = os.environ.get("PYTHONPATH", "")
    environment = {**os.environ, "PYTHONPATH": f"{path}:{PARTS / 'seeds' / 'stand_ins'}",
                   "PYTHONIOENCODING": "utf-8", "XLA_FLAGS": flags}
    command = [sys.executable, "-m", "tsr.jax", *["--notebook"] * given.notebook, given.script]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True,
                         encoding="utf-8", check=False)
    told = given.script.with_suffix(".txt")
    if ran.returncode:
        print(ran.stdout[-2000:], ran.stderr, sep="\n", file=sys.stderr)
        return 1
    if os.environ.get("TSR_UPDATE"):
        told.write_text(ran.stdout, encoding="utf-8")
        return 0
    found = difference(ran.stdout, told.read_text(encoding="utf-8"))
    if found:
        print(f"{given.script.name} printed\n{found}\n{ran.stderr}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
