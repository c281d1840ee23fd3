"""__main__.py - python -m tsr.jax [--notebook] SCRIPT [ARGS]: runs a JAX script on Tessera.

With --notebook, or of an .ipynb file, the value of the last expression of each cell is printed as a
notebook does; cells of a script begin with `# %%`. Lines that begin with `!` are the shell's, which
are left out, and `%timeit` is timed."""
import runpy
import sys
import traceback

from . import install
from ._names import explain
from ._notebook import run_notebook


def main(argv):
    """Runs the script of a command line; gives its exit status."""
    notebook = argv[:1] == ["--notebook"]
    argv = argv[1:] if notebook else argv
    if not argv or argv[0].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 2
    install()
    sys.argv[:] = argv
    try:
        if notebook or argv[0].endswith(".ipynb"):
            run_notebook(argv[0])
        else:
            sys.path[0] = str(__import__("pathlib").Path(argv[0]).resolve().parent)
            runpy.run_path(argv[0], run_name="__main__")
    except ImportError as error:
        told = explain(error)
        if told is None or hasattr(error, "add_note"):
            raise
        traceback.print_exc()
        print(told, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
