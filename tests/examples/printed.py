"""printed.py - compares the output of an example, piece by piece, with JAX's."""
import pathlib
import subprocess
import sys

RECORDED = pathlib.Path(__file__).resolve().parent.parent / "golden/data"


def recorded(seed, name):
    """A text that JAX printed, tests/golden/data/SEED/NAME.txt; None: there is none."""
    path = RECORDED / seed / f"{name}.txt"
    return path.read_text(encoding="utf-8") if path.exists() else None


class Printed:
    """What is left of the output of a program."""

    def __init__(self, *command):
        self.left = subprocess.run(command, check=True, stdout=subprocess.PIPE,
                                   encoding="utf-8").stdout

    def expect(self, what, text):
        """The next thing printed is this text."""
        if not self.left.startswith(text):
            sys.exit(f"{what}\n--- is\n{self.left[:len(text) + 200]}\n--- should be\n{text}")
        self.left = self.left[len(text):]

    def pass_over(self, what, end):
        """Anything up to a text, which begins the next thing."""
        head, found, _ = self.left.partition(end)
        self.expect(what, head if found else end)
        return head

    def end(self):
        if self.left:
            sys.exit(f"more is printed:\n{self.left}")
