"""profile.py - the functions of tsr/profile.h; tools/make_bindings.py made it of api/."""
from .._call import context_of, text
from .._lib import lib

__all__ = ["profile", "profile_end"]

_profile = lib.tsr_profile_at
_profile_end = lib.tsr_profile_end_at


def profile(path: str) -> bool:
    """Begins to write a trace to a file, which is replaced: profile("trace.json"). It ends with
    profile_end() or close(). Programs that one routine runs as a whole are run step by step
    meanwhile. The environment variable "profile"=FILE does this for an unchanged program; if
    several of its contexts do something, the second writes FILE.2, and so on. False on failure:
    the file cannot be written (Error.ERROR_FILE), or a trace is being written already
    (Error.ERROR_ARGUMENT)."""
    c = context_of()
    return c.done(_profile(c.place(), c.pointer, text(path)))


def profile_end() -> bool:
    """Ends the trace of profile_begin(), whose file is complete now. False on failure: there was
    none (Error.ERROR_ARGUMENT), or not all of it could be written (Error.ERROR_FILE)."""
    c = context_of()
    return c.done(_profile_end(c.place(), c.pointer))
