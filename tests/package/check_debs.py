#!/usr/bin/env python3
"""check_debs.py BUILD WORK - packs a build as Debian packages, unpacks all into one root, and looks
whether they are as Debian wants them, and whether the tool in them runs. The packages of `make deb`
are packed from a build of their own, and lintian looks at those."""
import gzip
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def output(*command, **more):
    return subprocess.run([str(word) for word in command], check=True, text=True,
                          stdout=subprocess.PIPE, **more).stdout


def fields(file):
    text = output("dpkg-deb", "--field", file)
    return dict(re.findall(r"^([\w-]+): (.*)$", text, re.M))


def check_sums(file, folder):
    """each file but links is in md5sums, once"""
    subprocess.run(["dpkg-deb", "--raw-extract", str(file), str(folder)], check=True)
    lines = (folder / "DEBIAN/md5sums").read_text().splitlines()
    wanted = {str(path.relative_to(folder)) for path in folder.rglob("*")
              if path.is_file() and not path.is_symlink() and "DEBIAN" not in path.parts}
    assert {line.split("  ", 1)[1] for line in lines} == wanted and len(lines) == len(wanted)
    for line in lines:
        digest, name = line.split("  ", 1)
        assert hashlib.md5((folder / name).read_bytes()).hexdigest() == digest, name


def check_package(file, folder):
    about = fields(file)
    name = about["Package"]
    assert all(about.get(key) for key in ("Version", "Architecture", "Maintainer", "Section",
                                          "Depends", "Description", "Installed-Size")), about
    check_sums(file, folder)
    for path in folder.rglob("*"):
        assert path.is_symlink() or not path.stat().st_mode & 0o022, f"{path} may be written to"
    doc = folder / "usr/share/doc" / name
    assert "Apache-2.0" in (doc / "copyright").read_text()
    assert about["Version"] in gzip.decompress((doc / "changelog.gz").read_bytes()).decode()
    return name, about


def check_library(folder, name):
    inside = folder / "DEBIAN"
    library = next(folder.rglob("libtsr.so.*.*.*"))
    assert (inside / "shlibs").read_text().startswith("libtsr " + name[len("libtsr"):] + " " + name)
    assert " tsr_dot_at@" in (inside / "symbols").read_text()
    assert "ldconfig" in (inside / "triggers").read_text()
    for plugin in library.parent.glob("libtsr-*.so"):
        assert plugin.resolve().parent == library.parent / "tsr", plugin
    sections = output("readelf", "-S", "--wide", library)
    assert ".symtab" not in sections and ".debug" not in sections


def main(build, work):
    if not shutil.which("dpkg-gensymbols"):
        print("no dpkg-dev")
        return 77
    work = pathlib.Path(work)
    shutil.rmtree(work, ignore_errors=True)
    files = output(sys.executable, ROOT / "tools/packaging/deb.py", build, work / "dist",
                   "none").split()
    found = {}
    for k, file in enumerate(files):
        name, about = check_package(file, work / str(k))
        found[name] = about
        if "libtsr0" in about.get("Provides", ""):
            check_library(work / str(k), name)
        shutil.copytree(work / str(k), work / "root", symlinks=True, dirs_exist_ok=True)
    own = next(name for name in found if re.fullmatch(r"libtsr\d[\d.]*", name))
    assert {own, "libtsr-dev", "tsr-tools"} <= set(found), found
    version = found[own]["Version"]
    assert "libc6" in found[own]["Depends"] and own not in found[own]["Depends"]
    assert f"{own} (= {version})" in found["libtsr-dev"]["Depends"]
    assert f"{own} (= {version})" in found["tsr-tools"]["Depends"]

    root = work / "root"
    page = gzip.decompress((root / "usr/share/man/man1/tsr.1.gz").read_bytes()).decode()
    assert ".SH OPTIONS" in page
    libraries = next(root.rglob("libtsr.so")).parent
    text = output(root / "usr/bin/tsr", "--version",
                  env={**os.environ, "LD_LIBRARY_PATH": str(libraries)})
    assert text == f"tsr {version}\n", text
    shutil.rmtree(work)
    print(", ".join(sorted(found)))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
