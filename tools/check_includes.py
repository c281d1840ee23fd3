#!/usr/bin/env python3
"""check_includes.py - checks that folders of src/ include their own headers and those of folders
above, that engines alone touch the bytes of buffers, and that headers name the right file for each
function.

The order is that of docs/architecture.md. Of a folder above, only its one header (or a .def list)
is open; the public headers are open to all, and may include only each other. Examples see the
public headers alone."""
import pathlib
import re
import sys

ORDER = "base shard program kernel prim pass comm engine/plan engine runtime trace lib".split()
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.M)


def folder_of(path):
    """the entry of ORDER that a path below src/ belongs to, and the rest of the path"""
    for folder in sorted(ORDER, key=len, reverse=True):
        if path.startswith(folder + "/"):
            return folder, path[len(folder) + 1:]
    return None, path


def fault_in_src(folder, included):
    """what is wrong with a quoted include in a file of src/FOLDER, or None"""
    if included.startswith("tsr/"):
        return None
    target, rest = folder_of(included)
    if not target:
        return "names no folder of src/ and no public header"
    if target == folder:
        return None
    if ORDER.index(target) > ORDER.index(folder):
        return f"{target}/ is below {folder}/"
    header = target.rpartition("/")[2] + ".h"
    if rest != header and not rest.endswith(".def"):
        return f"{target}/ is entered by {target}/{header} only"
    return None


def is_public(root, path, included):
    """whether a quoted include, by name or relative to the file, is one of the public headers"""
    public = root / "include" / "tsr"
    return included.startswith("tsr/") or public in (path.parent / included).resolve().parents


def faults(root, path):
    parts = path.relative_to(root).parts
    for match in INCLUDE.finditer(path.read_text(encoding="utf-8")):
        quote, included = match.groups()
        fault = None
        if parts[0] == "src":
            folder = folder_of("/".join(parts[1:]))[0]
            fault = fault_in_src(folder, included) if quote == '"' else None
        elif quote == '"' and not is_public(root, path, included):
            fault = "only the public headers are open here"
        if fault:
            line = path.read_text(encoding="utf-8").count("\n", 0, match.start(2)) + 1
            yield f"{path.relative_to(root)}:{line}: {included}: {fault}"


HEADING = re.compile(r"^/\* ---- (.*)", re.M)
PROTOTYPE = re.compile(r"^(?!static|typedef|extern|[#\s/}])[A-Za-z_][\w ]*[\w*] ?\**\b([a-z_]\w*)"
                       r"\([^;{}]*\)[^;{}]*;", re.M)
DEFINITION = re.compile(r"^(?!static)[A-Za-z_][\w ]*[\w*] ?\**\b([a-z_]\w*)\([^;{}]*\)\s*\{",
                        re.M)


def definitions(root):
    """by name of a function of src/: the files that define it"""
    found = {}
    for path in (root / "src").rglob("*.c"):
        for match in DEFINITION.finditer(path.read_text(encoding="utf-8")):
            found.setdefault(match.group(1), []).append(path.relative_to(root).as_posix())
    return found


def misplaced(root, path, defined):
    """prototypes that are under a heading of files, as "---- memory.c", which do not define them"""
    text = path.read_text(encoding="utf-8")
    headings = [(m.start(), re.findall(r"[\w/]+\.c\b", m.group(1).partition(":")[0]))
                for m in HEADING.finditer(text)]
    for match in PROTOTYPE.finditer(text):
        said = [files for start, files in headings if start < match.start()][-1:]
        where = defined.get(match.group(1))
        if not where or not said or not said[0]:
            continue
        if not any(place.endswith("/" + name) for place in where for name in said[0]):
            line = text.count("\n", 0, match.start()) + 1
            yield (f"{path.relative_to(root)}:{line}: {match.group(1)} is in {where[0]}, "
                   f"and its heading says {said[0][0]}")


def bytes_touched(root, path):
    """places outside of engines that use what only engines may: host memory without the contract"""
    if path.relative_to(root).parts[:2] == ("src", "engine") or path.parts[-3:-2] == ("include",):
        return
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if re.search(r"\bhost_(bytes|alloc|wrap|read|write|copy|is_wrapped)\(", line):
            yield f"{path.relative_to(root)}:{number}: only engines touch bytes (engine/engine.h)"


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    found, count = [], 0
    defined = definitions(root)
    for folder in ("src", "include", "examples"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in (".c", ".h", ".hpp", ".def"):
                count += 1
                found += faults(root, path)
                found += bytes_touched(root, path)
                if folder == "src" and path.suffix == ".h":
                    found += misplaced(root, path, defined)
    for text in found:
        print(text)
    print(f"{count} files, {len(found)} faults")
    return 1 if found or not count else 0


sys.exit(main())
