#!/usr/bin/env python3
"""check_character_model.py - examples/character_model learns, saves its parameters, and writes with
them: check_character_model.py PROGRAM

One run of few steps on one of the documents. The first and the last mean of the losses are read off
the picture, where each line has its loss in front."""
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BEGINNING, WRITTEN = "## How ", 400
LEAVES = {"embedding", "layer[0].attention_scale", "layer[1].down", "scale", "head"}


def losses(lines):
    """by the column of the picture: of the line whose star is there, the number in front"""
    found = {}
    for line in lines:
        number, bar, stars = line.partition(" |")
        if bar:
            found.update({k: float(number) for k, c in enumerate(stars) if c == "*"})
    return [found[k] for k in sorted(found)]


def names(path):
    data = path.read_bytes()
    return set(json.loads(data[8:8 + int.from_bytes(data[:8], "little")]))


def main(program):
    with tempfile.TemporaryDirectory() as folder:
        command = [program, "-n", "40", "-o", folder, ROOT / "docs/numerics.md"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode or done.stderr:
            sys.exit(f"it ended with {done.returncode}: {done.stderr}")
        left = {path.name for path in pathlib.Path(folder).iterdir()}
        if left != {"character_model.safetensors"}:
            sys.exit(f"it left {left}")
        missing = LEAVES - names(pathlib.Path(folder) / "character_model.safetensors")
        if missing:
            sys.exit(f"the file has no {missing}")
    picture, _, text = done.stdout.partition(" step 40\n")
    seen = losses(picture.splitlines())
    if len(seen) != 40 or not seen[-1] < 3.2 < 5 < seen[0]:
        sys.exit(f"the losses are {seen}")
    if not text.startswith(BEGINNING) or len(text) != len(BEGINNING) + WRITTEN + 1:
        sys.exit(f"it wrote {text!r}")


main(sys.argv[1])
