#!/usr/bin/env python3
"""run_files.py - files and memory that are shared with other libraries: run_files.py libtsr.so

For each dtype: NumPy and safetensors read what tsr_save() wrote, and tsr_load() what they wrote;
NumPy takes memory of ours by DLPack, as read only, and gives its own, by either record. PyTorch is
asked the same where it can be imported. The files in tests/files/data are what write_data.py makes
here, array by array. The library is called as C programs do, through ctypes."""
import ctypes as c
import pathlib
import sys
import tempfile

import ml_dtypes
import numpy as np
import safetensors.numpy

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests/files"))
import write_data  # noqa: E402

DATA = ROOT / "tests/files/data"
DTYPES = ("bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 c64 c128").split()
NEW, OLD = b"dltensor_versioned", b"dltensor"
USED = {name: b"used_" + name for name in (NEW, OLD)}  # a capsule keeps no copy of its name
P = c.c_void_p
faults = 0


class Tree(c.Structure):
    _fields_ = [("leaf", c.POINTER(P)), ("count", c.c_size_t), ("type", P)]


class Dims(c.Structure):
    _fields_ = [("d", c.c_int64 * 9)]


def load_library(path):
    lib = c.CDLL(path)
    for name, returns, arguments in (
            ("tsr_open", P, []), ("tsr_close", c.c_int, [P]), ("tsr_message", c.c_char_p, [P]),
            ("tsr_from", P, [P, P, c.c_int, Dims]), ("tsr_read", c.c_bool, [P, P, c.c_size_t]),
            ("tsr_dtype_of", c.c_int, [P]), ("tsr_shape", Dims, [P]),
            ("tsr_nbytes", c.c_int64, [P]),
            ("tsr_save", c.c_bool, [Tree, c.c_char_p]), ("tsr_load", c.c_bool, [Tree, c.c_char_p]),
            ("tsr_to_dlpack", P, [P]), ("tsr_to_dlpack_old", P, [P]),
            ("tsr_from_dlpack", P, [P, P]), ("tsr_from_dlpack_old", P, [P, P])):
        function = getattr(lib, name)
        function.restype, function.argtypes = returns, arguments
    return lib


def check(what, ok):
    global faults
    if not ok:
        faults += 1
        print(f"{what}: FAILED")


def numpy_of(lib, x):
    """a copy of an array of ours"""
    dtype = write_data.DTYPES[DTYPES[lib.tsr_dtype_of(x) - 1]]
    d = lib.tsr_shape(x).d
    out = np.empty(d[1:d[0]], dtype)
    lib.tsr_read(x, out.ctypes.data, out.nbytes)
    return out


def ours(lib, ctx, array):
    dims = Dims((c.c_int64 * 9)(array.ndim + 1, *array.shape))
    data = np.ascontiguousarray(array)
    name = {np.dtype(t): n for n, t in write_data.DTYPES.items()}[data.dtype]
    return lib.tsr_from(ctx, data.ctypes.data, DTYPES.index(name) + 1, dims)


def tree_of(handles):
    return Tree((P * len(handles))(*handles), len(handles), None)


def same(a, b):
    return a.shape == b.shape and a.tobytes() == np.ascontiguousarray(b).tobytes()


# ---- files

def check_files(lib, ctx, folder):
    arrays = [write_data.array(name) for name in DTYPES] + [np.array(2.5, np.float32)]
    for ending, kept in ((".npz", arrays), (".safetensors", arrays[:-2] + arrays[-1:])):
        path = folder / ("ours" + ending)
        saved = lib.tsr_save(tree_of([ours(lib, ctx, x) for x in kept]), str(path).encode())
        check(f"tsr_save {ending}", saved)
        read = dict(np.load(path)) if ending == ".npz" else read_safetensors(path)
        for k, x in enumerate(kept):
            check(f"{ending} {x.dtype}, ours there", same(x, read[f"[{k}]"]))
        theirs = folder / ("theirs" + ending)
        named = {f"[{k}]": x for k, x in enumerate(kept)}
        writers = [np.savez, np.savez_compressed] if ending == ".npz" else \
            [lambda path, **x: safetensors.numpy.save_file(x, path)]
        for write in writers:
            write(theirs, **named)
            leaves = tree_of([None] * len(kept))
            check(f"tsr_load {ending}: {lib.tsr_message(ctx)}",
                  lib.tsr_load(leaves, str(theirs).encode()))
            for k, x in enumerate(kept):
                check(f"{ending} {x.dtype}, theirs here", same(x, numpy_of(lib, leaves.leaf[k])))


def read_safetensors(path):
    """bf16, which safetensors.numpy does not know, as the bytes that its parser gives"""
    types = {**safetensors.numpy._TYPES, "BF16": ml_dtypes.bfloat16}
    return {name: np.frombuffer(info["data"], types[info["dtype"]]).reshape(info["shape"])
            for name, info in safetensors.deserialize(path.read_bytes())}


def check_stored(folder):
    """the stored files are what is written here; ours have the same arrays"""
    write_data.main(folder)
    for name in ("numpy.npz", "numpy_compressed.npz"):
        was, made = np.load(DATA / name), np.load(folder / name)
        check(name, was.files == made.files and all(same(was[k], made[k]) for k in made.files))
    made = read_safetensors(folder / "theirs.safetensors")
    for name in ("theirs.safetensors", "ours.safetensors"):
        was = read_safetensors(DATA / name)
        check(name, sorted(was) == sorted(made) and all(same(was[k], made[k]) for k in made))
    was, made = np.load(DATA / "ours.npz"), np.load(folder / "numpy.npz")
    check("ours.npz", all(same(was[k], made[k]) for k in was.files))


# ---- memory

c.pythonapi.PyCapsule_New.restype = c.py_object
c.pythonapi.PyCapsule_New.argtypes = [P, c.c_char_p, P]
c.pythonapi.PyCapsule_GetPointer.restype = P
c.pythonapi.PyCapsule_GetPointer.argtypes = [c.py_object, c.c_char_p]
c.pythonapi.PyCapsule_SetName.argtypes = [c.py_object, c.c_char_p]


class Lent:
    """an array of ours, as other libraries ask for it"""

    def __init__(self, lib, x, old):
        self.lib, self.x, self.old = lib, x, old

    def __dlpack_device__(self):
        return (1, 0)

    def __dlpack__(self, **_):
        give = self.lib.tsr_to_dlpack_old if self.old else self.lib.tsr_to_dlpack
        return c.pythonapi.PyCapsule_New(give(self.x), OLD if self.old else NEW, None)


def check_memory(lib, ctx, peer, take, give, arrays):
    """take(object) -> array of the peer; give(array, version) -> capsule"""
    for x in arrays:
        if x.dtype == ml_dtypes.bfloat16 and peer == "NumPy":
            continue
        for old in (False, True):
            what = f"{peer} {x.dtype}, {'old' if old else 'new'} record"
            y = take(Lent(lib, ours(lib, ctx, x), old))
            check(what + ", ours there", same(x, np.asarray(y)))
            if peer == "NumPy":
                check(what + ", read only", not y.flags.writeable)
            capsule = give(x, None if old else (1, 0))
            name = OLD if old else NEW
            record = c.pythonapi.PyCapsule_GetPointer(capsule, name)
            c.pythonapi.PyCapsule_SetName(capsule, USED[name])
            back = (lib.tsr_from_dlpack_old if old else lib.tsr_from_dlpack)(ctx, record)
            check(what + f", theirs here: {lib.tsr_message(ctx)}", same(x, numpy_of(lib, back)))


def check_torch(lib, ctx, folder, arrays):
    try:
        import safetensors.torch
        import torch
    except ImportError:
        print("PyTorch is not here: left out")
        return
    arrays = [x for x in arrays if x.dtype.kind not in "uV" or x.dtype == np.uint8]
    check_memory(lib, ctx, "PyTorch", torch.from_dlpack,
                 lambda x, version: torch.from_numpy(x.copy()).__dlpack__(max_version=version),
                 arrays)
    check_linear(lib, ctx, folder / "linear.safetensors", torch, safetensors.torch)


class Names(c.Structure):
    _fields_ = [("count", c.c_size_t), ("name", c.POINTER(c.c_char_p))]


class SaveArgs(c.Structure):
    _fields_ = [("size", c.c_size_t), ("guard", P), ("names", Names), ("turned", Names)]


class LoadArgs(c.Structure):
    _fields_ = [("size", c.c_size_t), ("guard", P), ("mesh", P), ("spec", c.c_size_t * 2),
                ("names", Names), ("turned", Names)]


def names(*words):
    return Names(len(words), (c.c_char_p * len(words))(*words))


def check_linear(lib, ctx, path, torch, files):
    """a layer of PyTorch, whose weight is [out, in], as a kernel [in, out] of ours; and back"""
    layer, other = torch.nn.Linear(3, 5), torch.nn.Linear(3, 5)
    kernel, bias = (layer.state_dict()[name].numpy() for name in ("weight", "bias"))
    lib.tsr_load_at.argtypes = [c.c_char_p, Tree, c.c_char_p, c.POINTER(LoadArgs)]
    lib.tsr_save_at.argtypes = [c.c_char_p, Tree, c.c_char_p, c.POINTER(SaveArgs)]
    lib.tsr_load_at.restype = lib.tsr_save_at.restype = c.c_bool
    both, turned = names(b"weight", b"bias"), names(b"weight")
    files.save_file(layer.state_dict(), path)
    leaves = tree_of([None] * 2)
    given = LoadArgs(c.sizeof(LoadArgs), names=both, turned=turned)
    check(f"tsr_load of PyTorch's: {lib.tsr_message(ctx)}",
          lib.tsr_load_at(None, leaves, str(path).encode(), given))
    check("PyTorch's weight, turned", same(kernel.T, numpy_of(lib, leaves.leaf[0])))
    check("PyTorch's bias", same(bias, numpy_of(lib, leaves.leaf[1])))
    path.unlink()
    given = SaveArgs(c.sizeof(SaveArgs), names=both, turned=turned)
    check("tsr_save for PyTorch", lib.tsr_save_at(None, leaves, str(path).encode(), given))
    other.load_state_dict(files.load_file(path))
    x = torch.ones(2, 3)
    check("PyTorch computes with ours", torch.equal(layer(x), other(x)))


def main(path):
    lib = load_library(path)
    ctx = lib.tsr_open()
    arrays = [write_data.array(name) for name in DTYPES]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_files(lib, ctx, folder)
        check_stored(folder)
        check_memory(lib, ctx, "NumPy", np.from_dlpack,
                     lambda x, version: x.__dlpack__(max_version=version), arrays)
        check_torch(lib, ctx, folder, arrays)
    check("tsr_close", lib.tsr_close(ctx) == 0)
    print(f"files: {faults} faults")
    return faults != 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
