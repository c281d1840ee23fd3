"""_dlpack.py - arrays to and from other libraries without a copy, by DLPack's capsules."""
import ctypes

from ._lib import lib

_api = ctypes.pythonapi
_api.PyCapsule_New.restype = ctypes.py_object
_api.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
_api.PyCapsule_GetPointer.restype = ctypes.c_void_p
_api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
_api.PyCapsule_IsValid.restype = ctypes.c_int
_api.PyCapsule_IsValid.argtypes = [ctypes.py_object, ctypes.c_char_p]
_api.PyCapsule_SetName.argtypes = [ctypes.py_object, ctypes.c_char_p]
_raw = ctypes.PyDLL(None)
_raw.PyCapsule_IsValid.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
_raw.PyCapsule_GetPointer.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
_raw.PyCapsule_GetPointer.restype = ctypes.c_void_p

# name of a capsule: name once its array was taken, where the record has its deleter
NEW, OLD = b"dltensor_versioned", b"dltensor"
USED = {NEW: b"used_dltensor_versioned", OLD: b"used_dltensor"}
DELETER = {NEW: 16, OLD: 56}
_DELETE = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


def _given_up(name):
    """Frees the record of a capsule that nobody took."""
    @ctypes.PYFUNCTYPE(None, ctypes.c_void_p)
    def destroy(capsule):
        if _raw.PyCapsule_IsValid(capsule, name):
            at = _raw.PyCapsule_GetPointer(capsule, name)
            _DELETE(ctypes.c_void_p.from_address(at + DELETER[name]).value)(at)
    return destroy


_DESTROY = {name: _given_up(name) for name in USED}


def capsule(x, max_version):
    """What __dlpack__() gives."""
    name = NEW if max_version and max_version[0] >= 1 else OLD
    make = lib.tsr_to_dlpack_at if name is NEW else lib.tsr_to_dlpack_old_at
    at = make(x._ctx.place(), x._live())
    if not at:
        x._ctx.fail()
    return _api.PyCapsule_New(at, name, ctypes.cast(_DESTROY[name], ctypes.c_void_p))


def from_dlpack(x, context=None):
    """An array over the memory of another library's, without a copy: from_dlpack(numpy_array)."""
    from ._call import current, owned
    c = context or current()
    try:
        taken = x.__dlpack__(max_version=(1, 0))
    except TypeError:
        taken = x.__dlpack__()
    name = NEW if _api.PyCapsule_IsValid(taken, NEW) else OLD
    at = _api.PyCapsule_GetPointer(taken, name)
    take = lib.tsr_from_dlpack_at if name is NEW else lib.tsr_from_dlpack_old_at
    _api.PyCapsule_SetName(taken, USED[name])
    made = c.array(take(c.place(), c.pointer, at))
    return made if c.level.root else owned(c, made)
