#!/usr/bin/env python3
"""check_tune.py BUILD - checks that tools/tune.py measures as it says. A test that fails with half
of a number and passes with twice as much; a case with a changed plug-in."""
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = pathlib.Path(sys.argv[1])


def tune(*options):
    """exit status, and the fields of each line"""
    with tempfile.TemporaryDirectory() as folder:
        table = pathlib.Path(folder, "table.tsv")
        done = subprocess.run(
            [sys.executable, ROOT / "tools/tune.py", "--build", BUILD, "--tsv", table, *options],
            check=False, stdout=subprocess.DEVNULL)
        lines = table.read_text(encoding="utf-8").splitlines() if table.exists() else []
        return done.returncode, [line.split("\t") for line in lines[1:]]


def main():
    if not (BUILD / "build.ninja").exists():
        print("the build is not of Ninja")
        return 77
    status, lines = tune("--runs", "1", "product_side")
    assert not status and len(lines) == 1, lines
    assert lines[0][:3] == ["product_side", "8", "pass.fuse_products"], lines
    assert lines[0][3] == "fails" and lines[0][5] == "passes", lines
    status, lines = tune("--runs", "1", "--seconds", "0.01", "--size", "tiny", "--times", "0.25",
                         "REDUCE_ABREAST", "--cases", "softmax,layer_*rm")
    assert not status and [line[2] for line in lines] == ["softmax", "layer_norm"], lines
    assert all(0 < float(line[k]) < 1000 for line in lines for k in (3, 4)), lines
    assert tune("no_such_number")[0]
    return 0


sys.exit(main())
