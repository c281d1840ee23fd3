#!/usr/bin/env python3
"""deb.py - packs a build as Debian packages, by dpkg's own tools: deb.py BUILD OUT [COMPRESSION]

BUILD was configured by the preset `deb`. COMPRESSION is xz, or none where that takes too long. Each
package is a folder with its files, and the folder DEBIAN with what dpkg reads: control, md5sums,
and for libraries shlibs, symbols and triggers. dpkg-shlibdeps computes what the files need.
SOURCE_DATE_EPOCH, or else the last commit, is the time of all files; DEBFULLNAME and DEBEMAIL name
the maintainer."""
import email.utils
import fnmatch
import gzip
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = pathlib.Path(__file__).resolve().parent
ABOUT = """Tessera is a C library for arrays that are spread over a mesh of devices, with
the programming model of JAX: named meshes, shard_map, collectives, derivatives and
sharded arrays that know where their parts are."""


class Package:
    """files: patterns of the installed paths, in which * may be several folders; fields: further
    ones of control"""

    def __init__(self, name, title, text, files, **fields):
        self.name, self.title, self.text, self.files = name, title, text, files
        self.fields = {key.replace("_", "-"): value for key, value in fields.items()}


def packages(abi):
    """abi: "0.2", which the name of the library ends in; another one is another package"""
    lib, same = f"libtsr{abi}", f"libtsr{abi} (= {{version}})"
    for_mpi = [Package(f"{lib}-{kind}", f"distributed arrays of Tessera, by {title}",
                       f"This package has the plug-in for programs of several processes, by "
                       f"{title}.", [f"usr/lib/*libtsr-mpi-{kind}-*.so"],
                       Section="libs", Depends=same, Enhances=lib)
               for kind, title in (("openmpi", "Open MPI"), ("mpich", "MPICH"))]
    return [
        Package(lib, "distributed arrays with the programming model of JAX",
                "This package has the shared library, and the plug-in that compiles programs.",
                ["usr/lib/*libtsr.so.*", "usr/lib/*libtsr-cpu-*.so",
                 "usr/share/doc/tsr/NOTICE", "usr/share/doc/tsr/THIRD-PARTY.md"],
                Section="libs", Provides="libtsr0 (= {version})",
                Suggests=f"{lib}-openmpi | {lib}-mpich"),
        *for_mpi,
        Package("libtsr-dev", "distributed arrays of Tessera, files for programs",
                "This package has the headers for C and C++, the Fortran module, the static "
                "library, the documents and examples.",
                ["usr/include/*", "usr/lib/*libtsr.so", "usr/lib/*libtsr.a",
                 "usr/lib/*pkgconfig/*", "usr/lib/*cmake/*", "usr/share/tsr/*",
                 "usr/share/doc/tsr/*"],
                Section="libdevel", Depends=same + ", libc6-dev",
                Suggests="tsr-tools, libsleef-dev, libjansson-dev, libminizip-dev, zlib1g-dev"),
        Package("tsr-tools", "distributed arrays of Tessera, the tool tsr",
                "This package has the tool, which prints, explains and runs programs, lists files "
                "and checkpoints, and begins projects: tsr new.",
                ["usr/bin/*", "usr/share/man/*", "usr/share/bash-completion/*", "usr/share/zsh/*",
                 "usr/share/fish/*"],
                Section="utils", Depends="libtsr-dev (= {version}), gcc | c-compiler, make, "
                "pkgconf | pkg-config")]


def run(*command, **more):
    return subprocess.run([str(word) for word in command], check=True, text=True, **more)


def output(*command, **more):
    return run(*command, stdout=subprocess.PIPE, **more).stdout


def wrapped(text):
    """a description, as control has it: lines behind one space"""
    words, lines = text.split(), [""]
    for word in words:
        if len(lines[-1]) + len(word) > 76:
            lines.append("")
        lines[-1] += " " + word
    return "\n".join(lines)


class Work:
    """What is the same for all packages of a call."""

    def __init__(self, build, out, compression):
        self.build, self.out = build.resolve(), out.resolve()
        self.compression = compression
        self.folder = self.build / "packages"
        base = (ROOT / "include/tsr/base.h").read_text(encoding="utf-8")
        parts = [re.search(rf"#define TSR_VERSION_{part} (\d+)", base)[1]
                 for part in ("MAJOR", "MINOR", "PATCH")]
        self.abi, self.version = ".".join(parts[:2]), ".".join(parts)
        self.arch = output("dpkg", "--print-architecture").strip()
        self.time = int(os.environ.get("SOURCE_DATE_EPOCH") or self.last_commit())
        self.maintainer = "{} <{}>".format(os.environ.get("DEBFULLNAME", "The Tessera authors"),
                                           os.environ.get("DEBEMAIL", "tessera@tracker.debian.org"))

    @staticmethod
    def last_commit():
        found = subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=ROOT, text=True,
                               capture_output=True)
        return found.stdout.strip() or int((ROOT / "CHANGELOG.md").stat().st_mtime)

    def install(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        everything = self.folder / "everything"
        run("cmake", "--install", self.build, "--prefix", "/usr", stdout=subprocess.DEVNULL,
            env={**os.environ, "DESTDIR": str(everything)})
        for plugin in sorted(everything.rglob("libtsr-*.so")):
            self.set_aside(plugin)
        return everything

    @staticmethod
    def set_aside(plugin):
        """plug-ins are no libraries to link with: a folder of their own, and beside the library,
        which looks for them there, a link"""
        folder = plugin.parent / "tsr"
        folder.mkdir(exist_ok=True)
        plugin.rename(folder / plugin.name)
        plugin.symlink_to(f"tsr/{plugin.name}")


def move_files(package, everything, to):
    """the first package whose pattern a file has gets it"""
    for path in sorted(everything.rglob("*")):
        name = str(path.relative_to(everything))
        if path.is_dir() and not path.is_symlink():
            continue
        if not any(fnmatch.fnmatch(name, pattern) for pattern in package.files):
            continue
        goal = to / name.replace("usr/share/doc/tsr/", f"usr/share/doc/{package.name}/")
        goal.parent.mkdir(parents=True, exist_ok=True)
        path.rename(goal)


def compress(path):
    with open(path, "rb") as source, open(f"{path}.gz", "wb") as goal, \
            gzip.GzipFile("", "wb", 9, goal, mtime=0) as packed:
        packed.write(source.read())
    path.unlink()


def add_documents(work, package, folder):
    doc = folder / "usr/share/doc" / package.name
    doc.mkdir(parents=True, exist_ok=True)
    shutil.copy(HERE / "copyright", doc / "copyright")
    (doc / "changelog").write_text(
        f"tessera ({work.version}) unstable; urgency=medium\n\n"
        "  * What is new is in CHANGELOG.md of the sources.\n\n"
        f" -- {work.maintainer}  {email.utils.formatdate(work.time, localtime=False)}\n",
        encoding="utf-8")
    compress(doc / "changelog")
    (doc / "LICENSE").unlink(missing_ok=True)  # the text is among Debian's common licences
    for page in folder.glob("usr/share/man/*/*"):
        compress(page)


def strip(folder):
    for path in folder.rglob("*"):
        if path.is_symlink() or not path.is_file():
            continue
        more = ["--remove-section=.comment", "--remove-section=.note"]
        if path.suffix == ".a":
            run("strip", "--strip-debug", "--enable-deterministic-archives", *more, path)
        elif path.read_bytes()[:4] == b"\x7fELF":
            run("strip", "--strip-unneeded", *more, path)


def set_modes(work, folder):
    for path in [folder, *folder.rglob("*")]:
        if path.is_symlink():
            continue
        program = path.is_dir() or path.parent.name == "bin"
        path.chmod(0o755 if program else 0o644)
    for path in [*folder.rglob("*"), folder]:
        os.utime(path, (work.time, work.time), follow_symlinks=False)


def needs(work, package, folder):
    """the packages that the programs and libraries need"""
    objects = [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()
               and path.read_bytes()[:4] == b"\x7fELF"]
    if not objects:
        return ""
    debian = work.folder / "debian"
    debian.mkdir(exist_ok=True)
    (debian / "control").write_text(f"Source: tessera\n\nPackage: {package.name}\n"
                                    f"Architecture: {work.arch}\n")
    (debian / "shlibs.local").write_text(
        f"libtsr {work.abi} libtsr{work.abi} (= {work.version})\n")
    own = work.folder / f"libtsr{work.abi}"
    library = next(own.rglob("libtsr.so.*")).parent
    text = output("dpkg-shlibdeps", "-O", f"-l{library}", f"-S{own}",
                  *(f"-e{path}" for path in objects), cwd=work.folder)
    depends = text.split("=", 1)[1].strip()
    return re.sub(rf"(, )?\blibtsr{re.escape(work.abi)} \([^)]*\)", "", depends).lstrip(", ") \
        if package.name == f"libtsr{work.abi}" else depends


def library_files(work, package, folder):
    """how programs that are linked with the library come to need this package, symbol by symbol"""
    inside = folder / "DEBIAN"
    if package.name != f"libtsr{work.abi}":
        return
    (inside / "shlibs").write_text(f"libtsr {work.abi} {package.name} (>= {work.version})\n")
    (inside / "triggers").write_text("activate-noawait ldconfig\n")
    library = next(folder.rglob("libtsr.so.*.*.*"))
    run("dpkg-gensymbols", "-q", f"-v{work.version}", f"-p{package.name}", f"-P{folder}", "-c0",
        f"-e{library}", f"-O{inside / 'symbols'}", cwd=work.folder, stdout=subprocess.DEVNULL)
    first, others = (inside / "symbols").read_text().split("\n", 1)
    (inside / "symbols").write_text(f"{first}\n* Build-Depends-Package: libtsr-dev\n{others}")


def write_control(work, package, folder):
    depends = [package.fields.get("Depends", "").format(version=work.version),
               needs(work, package, folder)]
    names, kept = set(), []
    for part in re.split(r", *", ", ".join(d for d in depends if d)):
        if part and part.split()[0] not in names:
            names.add(part.split()[0])
            kept.append(part)
    size = sum(-(-path.lstat().st_size // 1024) if path.is_file() else 1
               for path in folder.rglob("*") if "DEBIAN" not in path.parts)
    fields = {"Package": package.name, "Source": "tessera", "Version": work.version,
              "Architecture": work.arch, "Maintainer": work.maintainer, "Installed-Size": size,
              "Depends": ", ".join(kept), **{key: value.format(version=work.version)
                                            for key, value in package.fields.items()
                                            if key != "Depends"},
              "Priority": "optional",
              "Description": f"{package.title}\n{wrapped(ABOUT)}\n .\n{wrapped(package.text)}"}
    if package.fields["Section"] != "utils":
        fields["Multi-Arch"] = "same"
    (folder / "DEBIAN/control").write_text("".join(f"{key}: {value}\n" for key, value
                                                   in fields.items()))


def write_sums(folder):
    sums = [f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(folder)}\n"
            for path in sorted(folder.rglob("*"))
            if path.is_file() and not path.is_symlink() and "DEBIAN" not in path.parts]
    (folder / "DEBIAN/md5sums").write_text("".join(sums))


def pack(work, package, everything):
    folder = work.folder / package.name
    move_files(package, everything, folder)
    if not folder.exists():
        return None  # the build has no plug-in for this MPI
    (folder / "DEBIAN").mkdir()
    add_documents(work, package, folder)
    strip(folder)
    library_files(work, package, folder)
    write_control(work, package, folder)
    write_sums(folder)
    set_modes(work, folder)
    file = work.out / f"{package.name}_{work.version}_{work.arch}.deb"
    run("dpkg-deb", "--root-owner-group", f"-Z{work.compression}", "--build", folder, file,
        stdout=subprocess.DEVNULL,
        env={**os.environ, "SOURCE_DATE_EPOCH": str(work.time)})
    return file


def main(build, out, compression="xz"):
    os.umask(0o022)
    work = Work(pathlib.Path(build), pathlib.Path(out), compression)
    work.out.mkdir(parents=True, exist_ok=True)
    everything = work.install()
    for package in packages(work.abi):
        file = pack(work, package, everything)
        if file:
            print(os.path.relpath(file))
    left = [path for path in everything.rglob("*") if not path.is_dir()]
    for path in left:
        print(f"deb.py: no package has {path.relative_to(everything)}", file=sys.stderr)
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
