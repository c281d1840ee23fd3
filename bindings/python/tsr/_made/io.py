"""io.py - the functions of tsr/io.h; tools/make_bindings.py made it of api/."""
from .._call import context_of, text
from .._lib import lib
from .._types import Array, ArrayLike, DTypeLike, Dims, Optional

__all__ = ["file_text", "load_npy", "load_text", "save_npy"]

_load_npy = lib.tsr_load_npy_at
_save_npy = lib.tsr_save_npy_at
_file_text = lib.tsr_file_text_at
_load_text = lib.tsr_load_text_at


def load_npy(path: str) -> Array:
    """Reads the array in a npy file, with its dtype and dims, to the first device:
    load_npy("x.npy"). Errors: a file that is missing, unreadable, truncated or malformed
    (Error.ERROR_FILE), a dtype that is not supported (Error.ERROR_UNSUPPORTED). Each process reads
    for itself."""
    c = context_of()
    return c.scoped(_load_npy, c.place(), c.pointer, text(path))


def save_npy(x: ArrayLike, path: str) -> bool:
    """Writes all of x, version 1 (2 for a long header), little endian, C order. save_npy(x,
    "x.npy")."""
    c = context_of(x)
    x = c.handle(x)
    return c.done(_save_npy(c.place(), x._h, text(path)))


def file_text(path: str) -> str:
    """What is in a file of arrays, npy, npz or safetensors: a line for each array, in the order of
    the file, with its name, its type and its bytes: fputs(file_text("mlp.npz"), stdout). Valid
    until the innermost scope ends. Errors as load(), gives ""."""
    c = context_of()
    return c.text(_file_text, c.place(), c.pointer, text(path))


def load_text(path: str, *, delimiter: Optional[str] = None, comments: Optional[str] = None,
              skip: Optional[int] = None, columns: Dims = None, dtype: DTypeLike = None) -> Array:
    """Numbers in columns of a text, on the first device, as numpy.loadtxt reads them: [rows,
    columns]; [rows] of one column, [columns] of one row, [] of one number, [0] of none. Empty
    lines are left out. load_text("data.csv", delimiter=",", skip=1). Floats are what Python's
    float() reads, complex numbers 1+2j, whole numbers and bool (0 is false) have no point. Errors:
    a file that cannot be read, a text that is no number of the dtype, rows of different lengths
    (Error.ERROR_FILE, with the number of the line); a delimiter of more than one character, a
    negative skip (Error.ERROR_ARGUMENT)."""
    c = context_of()
    args = c.record("tsr_load_text_args", delimiter=delimiter, comments=comments, skip=skip,
                    columns=columns, dtype=dtype)
    return c.scoped(_load_text, c.place(), c.pointer, text(path), args)
