#!/usr/bin/env python3
"""check_wheel.py BUILD WORK - makes wheels of the Python module, alone and with the library in it,
compares their records with their files, and multiplies matrices by the second one, unpacked as
pip does it. The step of auditwheel in `make wheel` is not needed here."""
import base64
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = """
import tsr
from tsr import P
tsr.init(devices=8)
mesh = tsr.Mesh({"x": 4, "y": 2})

@tsr.shard_map(mesh=mesh, in_specs=(P("x", "y"), P("y", None)), out_specs=P("x", None))
def product(a, b):
    return tsr.psum(a @ b, "y")

a = tsr.arange(128, dtype="float32").reshape(8, 16)
b = tsr.arange(64, dtype="float32").reshape(16, 4)
assert tsr.allclose(tsr.dot(a, b), product(a, b), 1e-2, 1e-2)
from tsr import _lib
print(_lib.path)
"""


def run(*command, **more):
    return subprocess.run([str(word) for word in command], check=True, text=True,
                          stdout=subprocess.PIPE, **more).stdout


def check_record(file):
    """RECORD has each file with its hash and size, and itself without"""
    names = file.namelist()
    record = next(name for name in names if name.endswith(".dist-info/RECORD"))
    rows = [line.rsplit(",", 2) for line in file.read(record).decode().splitlines()]
    assert sorted(row[0] for row in rows) == sorted(names)
    for name, digest, size in rows:
        if name == record:
            assert not digest and not size
            continue
        data = file.read(name)
        found = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        assert digest == f"sha256={found}" and int(size) == len(data), name


def unpack(file, folder):
    """as with the umask 002, by which the group may write"""
    for entry in file.infolist():
        path = pathlib.Path(file.extract(entry, folder))
        path.chmod(0o775 if entry.external_attr >> 16 & 0o111 else 0o664)


def make(work, *library):
    name = run(sys.executable, ROOT / "bindings/python/backend.py", work, *library).strip()
    return work / name


def main(build, work):
    os.umask(0o022)
    work = pathlib.Path(work)
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    alone = make(work)
    assert alone.name.endswith("-py3-none-any.whl"), alone
    with zipfile.ZipFile(alone) as file:
        check_record(file)
        assert not any("/lib/" in name for name in file.namelist())

    run("cmake", "--install", build, "--prefix", work / "installed", "--strip")
    whole = make(work, work / "installed")
    assert "-py3-none-linux_" in whole.name, whole
    with zipfile.ZipFile(whole) as file:
        check_record(file)
        unpack(file, work / "site")
    environment = {key: value for key, value in os.environ.items() if not key.startswith("TSR_")}
    environment["PYTHONPATH"] = str(work / "site")
    path = run(sys.executable, "-c", PROGRAM, env=environment).strip()
    assert path.startswith(str(work / "site/tsr/lib/")), path
    for plugin in (work / "site/tsr/lib").glob("libtsr-*.so"):
        assert not plugin.stat().st_mode & 0o022, "the library will not load it"
    run(sys.executable, "-c", "import sys, tsr._tool; sys.argv[1:] = ['new', 'net']; "
        "tsr._tool.main()", env=environment, cwd=work)
    made = (work / "net/Makefile").read_text()
    assert str(work / "site/tsr/lib/pkgconfig") in made, made
    print(alone.name, whole.name, whole.stat().st_size)
    shutil.rmtree(work)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
