"""backend.py - writes the wheel of the module `tsr`, for pip (PEP 517).

`pip install bindings/python` gives the module alone, for any machine. With the setting
`library=FOLDER`, of a library that CMake installed there, the wheel is for this kind of machine and
has it inside: tsr/lib with the library, its plug-in, and pkg-config's and CMake's files; headers
in tsr/include; the tool in tsr/bin. It is pure Python, so one wheel serves all interpreters."""
import base64
import hashlib
import os
import pathlib
import runpy
import shutil
import subprocess
import sysconfig
import tarfile
import time
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
CONSTANTS = runpy.run_path(str(HERE / "tsr/_made/tables.py"))["CONSTANTS"]
ABI, VERSION = (".".join(str(CONSTANTS["TSR_VERSION_" + part]) for part in parts)
                for parts in (("MAJOR", "MINOR"), ("MAJOR", "MINOR", "PATCH")))
NOTICES = ("LICENSE", "NOTICE", "THIRD-PARTY.md")
METADATA = f"""Metadata-Version: 2.1
Name: libtsr
Version: {VERSION}
Summary: JAX's distributed arrays in Python, by the C library Tessera
License: Apache-2.0
Requires-Python: >=3.9
Classifier: License :: OSI Approved :: Apache Software License
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: Python :: 3
Description-Content-Type: text/markdown

"""
CONFIG = """# tsrConfig.cmake - gives tsr::tsr, the shared library of this wheel.
get_filename_component(tsr_folder "${{CMAKE_CURRENT_LIST_DIR}}/../../.." ABSOLUTE)
if(NOT TARGET tsr::tsr)
  add_library(tsr::tsr SHARED IMPORTED)
  set_target_properties(tsr::tsr PROPERTIES
    IMPORTED_LOCATION "${{tsr_folder}}/lib/libtsr.so.{abi}"
    INTERFACE_INCLUDE_DIRECTORIES "${{tsr_folder}}/include")
endif()
"""


class Wheel:
    """a wheel that is written: its files, and the record of their hashes"""

    def __init__(self, folder, tag, packed):
        self.name = f"libtsr-{VERSION}-{tag}.whl"
        self.info = f"libtsr-{VERSION}.dist-info"
        self.file = zipfile.ZipFile(pathlib.Path(folder) / self.name, "w")
        self.packed = zipfile.ZIP_DEFLATED if packed else zipfile.ZIP_STORED
        self.record = []
        at = int(os.environ.get("SOURCE_DATE_EPOCH") or (HERE / "backend.py").stat().st_mtime)
        self.date = time.gmtime(max(at, 315532800))[:6]

    def add(self, name, data, program=False):
        data = data.encode() if isinstance(data, str) else data
        entry = zipfile.ZipInfo(name, self.date)
        entry.external_attr = (0o100755 if program else 0o100644) << 16
        entry.compress_type = self.packed
        self.file.writestr(entry, data)
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        self.record.append(f"{name},sha256={digest},{len(data)}\n")

    def close(self):
        name = f"{self.info}/RECORD"
        self.file.writestr(zipfile.ZipInfo(name, self.date),
                           "".join(self.record) + f"{name},,\n")
        self.file.close()


def _add_library(wheel, installed):
    """what CMake installed in the folder; pip knows no links, so libtsr.so is the linker's text"""
    lib = installed / "lib"
    wheel.add(f"tsr/lib/libtsr.so.{ABI}", (lib / f"libtsr.so.{ABI}").read_bytes(), True)
    wheel.add("tsr/lib/libtsr.so", f"INPUT(libtsr.so.{ABI})\n")
    for plugin in sorted(lib.glob("libtsr-*.so")):
        wheel.add(f"tsr/lib/{plugin.name}", plugin.read_bytes(), True)
    wheel.add("tsr/lib/pkgconfig/tsr.pc", (lib / "pkgconfig/tsr.pc").read_bytes())
    wheel.add("tsr/lib/cmake/tsr/tsrConfig.cmake", CONFIG.format(abi=ABI))
    wheel.add("tsr/lib/cmake/tsr/tsrConfigVersion.cmake",
              (lib / "cmake/tsr/tsrConfigVersion.cmake").read_bytes())
    wheel.add("tsr/bin/tsr", (installed / "bin/tsr").read_bytes(), True)
    for folder in ("include", "share/tsr"):
        for path in sorted((installed / folder).rglob("*")):
            if path.is_file():
                wheel.add(f"tsr/{path.relative_to(installed).as_posix()}", path.read_bytes())


def _linked(path):
    """the shared libraries that a file is linked with, as Debian's packages have them"""
    told = subprocess.run(["ldd", path], capture_output=True, text=True, check=False).stdout
    return {line.split("=>")[1].split()[0] for line in told.splitlines() if "=> /" in line}


def _add_licences(wheel, installed):
    """the licences of the libraries that auditwheel will copy; those of Debian's C library and of
    the compiler's run time stay where they are"""
    files = [*(installed / "lib").glob("libtsr*.so*"), installed / "bin/tsr"]
    libraries = sorted({os.path.realpath(x) for f in files for x in _linked(f)})
    packages = set()
    for library in libraries:
        told = subprocess.run(["dpkg", "-S", library], capture_output=True, text=True,
                              check=False).stdout
        packages |= {told.split(":")[0]} if told else set()
    for package in sorted(packages - {"libc6", "libgcc-s1", "libstdc++6"}):
        text = pathlib.Path("/usr/share/doc", package, "copyright")
        if text.exists():
            wheel.add(f"{wheel.info}/licenses/{package}.txt", text.read_bytes())


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """PEP 517: the name of the wheel in the folder"""
    installed = (config_settings or {}).get("library")
    tag = "py3-none-" + (sysconfig.get_platform().replace("-", "_").replace(".", "_")
                         if installed else "any")
    wheel = Wheel(wheel_directory, tag, not installed)  # auditwheel packs it again
    for path in module_files():
        wheel.add(path.relative_to(HERE).as_posix(), path.read_bytes())
    if installed:
        _add_library(wheel, pathlib.Path(installed))
        if shutil.which("ldd") and shutil.which("dpkg"):
            _add_licences(wheel, pathlib.Path(installed))
        wheel.add(f"{wheel.info}/entry_points.txt", "[console_scripts]\ntsr = tsr._tool:main\n")
    for name in NOTICES:
        if (ROOT / name).exists():
            wheel.add(f"{wheel.info}/{name}", (ROOT / name).read_bytes())
    page = ROOT / "docs/python.md"
    about = page.read_text("utf-8") if page.exists() else ""
    wheel.add(f"{wheel.info}/METADATA", METADATA + about)
    wheel.add(f"{wheel.info}/WHEEL", "Wheel-Version: 1.0\nGenerator: tsr-backend\n"
              f"Root-Is-Purelib: {'false' if installed else 'true'}\nTag: {tag}\n")
    wheel.close()
    return wheel.name


def module_files():
    """The files of the module; py.typed says that it has annotations"""
    return [*sorted((HERE / "tsr").rglob("*.py")), HERE / "tsr/py.typed"]


def build_sdist(sdist_directory, config_settings=None):
    """PEP 517: the sources of the module alone"""
    name = f"libtsr-{VERSION}"
    with tarfile.open(pathlib.Path(sdist_directory) / f"{name}.tar.gz", "w:gz") as file:
        for path in [HERE / "pyproject.toml", HERE / "backend.py", *module_files()]:
            file.add(path, f"{name}/{path.relative_to(HERE).as_posix()}")
    return f"{name}.tar.gz"


if __name__ == "__main__":
    import sys
    print(build_wheel(sys.argv[1], {"library": sys.argv[2]} if sys.argv[2:] else None))
