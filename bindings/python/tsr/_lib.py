"""_lib.py - the shared library through ctypes: its functions and records, as _made/tables.py says.

lib.tsr_add_at is a function with the types of its parameters, quick.tsr_ndim the same for calls
that are short, do no work and call nothing back: it keeps Python's lock. record("tsr_dims") is the
class of a record. Functions and classes are made when they are first asked for."""
import ctypes
import ctypes.util
import os
import pathlib

from ._made.tables import CONSTANTS, ENUMS, FUNCTIONS, RECORDS

FLAT = CONSTANTS["TSR_FLAT"]
END = CONSTANTS["TSR_END"]
BEGIN = CONSTANTS["TSR_BEGIN"]
UNMAPPED = CONSTANTS["TSR_UNMAPPED"]
UNROLL_ALL = CONSTANTS["TSR_UNROLL_ALL"]
MAX_NDIM = CONSTANTS["TSR_MAX_NDIM"]
MAX_ARGS = CONSTANTS["TSR_MAX_ARGS"]
SONAME = f"libtsr.so.{CONSTANTS['TSR_VERSION_MAJOR']}.{CONSTANTS['TSR_VERSION_MINOR']}"

TYPES = {"-": None, "P": ctypes.c_void_p, "s": ctypes.c_char_p, "i": ctypes.c_int,
         "q": ctypes.c_int64, "Q": ctypes.c_size_t, "d": ctypes.c_double, "?": ctypes.c_bool}


def _found():
    """The library that TSR_LIBRARY names; that of a wheel, beside this file; that of a build in the
    tree that this file is in; or the system's."""
    named = os.environ.get("TSR_LIBRARY")
    if named:
        return named
    here = pathlib.Path(__file__).resolve().parent
    _protect(here / "lib")
    for folder in (here / "lib", here.parents[2] / "build/release"):
        if (folder / SONAME).exists():
            return str(folder / SONAME)
    return SONAME


def _protect(folder):
    """The library loads no plug-in that others may write to; pip lets the group, if the umask does.
    Who may write to the plug-in of a wheel may write to this file as well."""
    for plugin in folder.glob("libtsr-*.so"):
        mode = plugin.stat().st_mode
        if mode & 0o022:
            try:
                plugin.chmod(mode & 0o7755)
            except OSError:  # another user's; the library will say so
                pass


def record(name):
    """The class of a record, by its name in C."""
    return _records.get(name) or _make_record(name)


def _make_record(name):
    fields, at = [], 0
    for field, kind, count, _ in RECORDS[name]:
        of = TYPES.get(kind) or record(kind)
        of = of * count if count else of
        at += -at % ctypes.alignment(of)
        if field.startswith("*") and at % 8:
            fields.append((f"pad{at}_", ctypes.c_char * (8 - at % 8)))
            at += 8 - at % 8
        fields.append((field.lstrip("*"), of))
        at += ctypes.sizeof(of)
    _records[name] = made = type(name, (ctypes.Structure,), {"_fields_": fields})
    return made


_records = {}


class Library:
    """Functions by their names in C."""

    def __init__(self, opened):
        self._opened = opened

    def __getattr__(self, name):
        returns, takes = FUNCTIONS[name]
        function = getattr(self._opened, name)
        function.restype = _type(returns)
        function.argtypes = [_type(kind) for kind in takes.split()]
        setattr(self, name, function)
        return function


def _type(kind):
    return TYPES[kind] if kind in TYPES else record(kind)


path = _found()
lib = Library(ctypes.CDLL(path))
quick = Library(ctypes.PyDLL(path))


def value(enum, given):
    """The number of an enum's value: it may be named as in C, as "TSR_CLIP", "clip", or with less
    of what all values of the enum begin with, as "linear" for TSR_QUANTILE_LINEAR."""
    if given is None or given is False:
        return 0
    if not isinstance(given, str):
        return int(given)
    wanted = given.lower().removeprefix("tsr_") if hasattr(str, "removeprefix") else given.lower()
    names = {name[4:].lower(): number for name, number in ENUMS[enum].items()}
    for name, number in names.items():
        if wanted == name or name.endswith("_" + wanted):
            return number
    for name, number in names.items():
        if wanted in name.split("_or_"):  # "fill" and "drop" are TSR_FILL_OR_DROP
            return number
    raise ValueError(f"{given!r} is none of {', '.join(names)}")
