"""_tool.py - the command `tsr` of a wheel: becomes the tool that is in it."""
import os
import pathlib
import sys


def main():
    tool = pathlib.Path(__file__).resolve().parent / "bin/tsr"
    os.execv(tool, [str(tool), *sys.argv[1:]])
