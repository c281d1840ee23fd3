#!/usr/bin/env python3
"""run_checkpoints.py - checkpoints of ours, read by others: run_checkpoints.py CHECKPOINTS

CHECKPOINTS is the program of checkpoints.c. The files are read with safetensors, and the pieces put
where their headers say; and PyTorch's distributed checkpoint loads the folder, where it can be
imported."""
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import safetensors

NAMES = "BOOL I8 I16 I32 I64 U8 U16 U32 U64 F16 BF16 F32 F64 C64".split()
SIZES = [1, 1, 2, 4, 8, 1, 2, 4, 8, 2, 2, 4, 8, 8]
DIMS = [(8, 6), (5, 7), (300, 1001), (0, 3)]
STEPS = 3
faults = 0


def check(what, ok):
    global faults
    if not ok:
        faults += 1
        print(f"{what}: FAILED")


def expected(k):
    """the bytes of leaf k, the last dim those of an element"""
    kind, dims = k % len(NAMES), DIMS[k // len(NAMES)]
    shape = (*dims, SIZES[kind])
    i = np.arange(int(np.prod(shape)), dtype=np.uint64)
    mixed = ((i + 977 * k + 1) * 2654435761 % 2**32).astype(np.uint32)
    return (mixed >> (31 if NAMES[kind] == "BOOL" else 24)).astype(np.uint8).reshape(shape)


def leaves():
    return range(len(NAMES) * len(DIMS))


def assembled(folder):
    """the leaves by name, from all files; each element must be there once"""
    whole = {f"[{k}]": np.zeros_like(expected(k)) for k in leaves()}
    count = {name: np.zeros(x.shape[:-1], int) for name, x in whole.items()}
    for path in sorted(folder.glob("*.safetensors")):
        with safetensors.safe_open(path, "np") as file:
            offsets = json.loads(file.metadata()["DCP_SHARDING_INFO"])
        for name, piece in safetensors.deserialize(path.read_bytes()):
            kind = int(name[1:-1]) % len(NAMES)
            check(f"{path.name} {name} dtype", piece["dtype"] == NAMES[kind])
            shape = piece["shape"]
            at = tuple(slice(begin, begin + n)
                       for begin, n in zip(offsets[name]["saved_offsets"], shape))
            whole[name][at] = np.frombuffer(piece["data"], np.uint8).reshape(*shape, SIZES[kind])
            count[name][at] += 1
    for name, times in count.items():
        check(f"{folder.name} {name}: each element once", (times == 1).all())
    return whole


def check_safetensors(folder):
    whole = assembled(folder)
    for k in leaves():
        check(f"safetensors, step {folder.name}, leaf {k}",
              np.array_equal(whole[f"[{k}]"], expected(k)))


def torch_dtypes(torch):
    """those of ours that PyTorch's reader of safetensors knows"""
    from safetensors.torch import _getdtype
    known = {}
    for name in NAMES:
        try:
            known[name] = _getdtype(name)
        except KeyError:
            print(f"PyTorch's safetensors does not know {name}")
    return {name: dtype for name, dtype in known.items() if isinstance(dtype, torch.dtype)}


def check_torch(folders):
    try:
        import torch
        import torch.distributed.checkpoint as dcp
    except ImportError:
        print("PyTorch is not here: left out")
        return
    dtypes = torch_dtypes(torch)
    for folder in folders:
        state = {f"[{k}]": torch.zeros(DIMS[k // len(NAMES)], dtype=dtypes[NAMES[k % len(NAMES)]])
                 for k in leaves() if NAMES[k % len(NAMES)] in dtypes}
        dcp.load(state, storage_reader=dcp.HuggingFaceStorageReader(str(folder)), no_dist=True)
        for name, x in state.items():
            want = expected(int(name[1:-1]))
            check(f"PyTorch, step {folder.name}, leaf {name}", np.array_equal(
                x.contiguous().view(-1).view(torch.uint8).numpy().reshape(want.shape), want))
    print(f"PyTorch {torch.__version__} reads {len(dtypes)} dtypes")


def main(program):
    with tempfile.TemporaryDirectory() as name:
        subprocess.run([program, name], check=True)
        folders = [pathlib.Path(name) / str(step) for step in range(STEPS)]
        for folder in folders:
            check_safetensors(folder)
        check_torch(folders)
    print(f"checkpoints: {faults} faults")
    return faults != 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
