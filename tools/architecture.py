#!/usr/bin/env python3
"""architecture.py - the lists of files in docs/architecture.md, of the first sentence of each.

architecture.py          writes them, between `<!-- files of FOLDER -->` and `<!-- end -->`
architecture.py --check  fails when they are stale, or a folder of src/ has no list

Both fail where the page or CONTRIBUTING.md names a file that is not there.

Where primitives are defined, a third column names the rows of the file. The page of all operations,
docs/names.md, is written and checked with them (make_names.py)."""
import pathlib
import re
import sys

sys.dont_write_bytecode = True
import make_names

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "architecture.md"
LIST = re.compile(r"(<!-- files of (\S+) -->\n).*?(<!-- end -->)", re.S)


def purpose(path):
    """the first sentence of the comment at the head, without the name of the file"""
    head = re.match(r"/\*(.*?)(\n \*\n|\*/)", path.read_text(encoding="utf-8"), re.S)
    text = " ".join(line.strip(" *") for line in head.group(1).split("\n")).strip()
    text = text.split(" - ", 1)[1]
    return re.split(r"\.(?: |$)", text, maxsplit=1)[0].replace("|", "\\|")


def primitives():
    names = re.findall(r"PRIM\((\w+)\)", (ROOT / "src/prim/prims.def").read_text())
    return [name for name in names if name != "name"]


def rows(path, names):
    found = re.findall(r"_ROW\(\s*(\w+),|const tsr_prim tsr__prim_(\w+) =",
                       path.read_text(encoding="utf-8"))
    here = {name for pair in found for name in pair}
    return [n for n in names if n in here]


def table(folder):
    files = sorted(folder.glob("*.[ch]"), key=lambda f: (f.suffix, f.name))
    files.sort(key=lambda f: f.suffix != ".h")
    names = primitives()
    with_rows = {f: rows(f, names) for f in files}
    any_rows = any(with_rows.values())
    out = ["| file | purpose | rows |", "|---|---|---|"] if any_rows else ["| file | purpose |",
                                                                          "|---|---|"]
    for f in files:
        third = f" {' '.join(f'`{n}`' for n in with_rows[f])} |" if any_rows else ""
        out.append(f"| `{f.name}` | {purpose(f)} |{third}")
    return "\n".join(out) + "\n"


NAMED = re.compile(r"`([a-z0-9_/.-]+\.(?:c|h|def|py|sh))`")


def unknown_files(page):
    """the files that a page names, by the end of their path, and that are not there"""
    there = {"/" + f.relative_to(ROOT).as_posix() for folder in
             ("api", "bench", "bindings", "examples", "include", "src", "tests", "tools", ".ci")
             for f in (ROOT / folder).rglob("*") if f.is_file()}
    there |= {path.removesuffix(".in") for path in there}
    ends = {path[at:] for path in there for at in range(len(path)) if path[at] == "/"}
    return sorted({name for name in NAMED.findall(page.read_text(encoding="utf-8"))
                   if "/" + name not in ends})


def main():
    old = PAGE.read_text(encoding="utf-8")
    listed = {m[1] for m in LIST.findall(old)}
    names, page = ROOT / "docs/names.md", make_names.page()
    stale = not names.exists() or names.read_text(encoding="utf-8") != page
    new = LIST.sub(lambda m: m[1] + table(ROOT / m[2]) + m[3], old)
    folders = {str(f.parent.relative_to(ROOT)) for f in (ROOT / "src").rglob("*.c")}
    for folder in sorted(folders - listed):
        print(f"docs/architecture.md has no list of the files of {folder}")
    unknown = [f"{page.name}: there is no {name}" for page in (PAGE, ROOT / "CONTRIBUTING.md")
               for name in unknown_files(page)]
    for text in unknown:
        print(text)
    missing = [n for n in primitives() if f"`{n}`" not in new]
    for name in missing:
        print(f"no file was found that has the row {name}")
    if "--check" not in sys.argv[1:]:
        PAGE.write_text(new, encoding="utf-8")
        names.write_text(page, encoding="utf-8")
    elif new != old:
        print("the lists of files in docs/architecture.md are stale: run tools/architecture.py")
    elif stale:
        print("docs/names.md is stale: run tools/architecture.py")
    stale = stale or new != old
    return bool(folders - listed or missing or unknown or ("--check" in sys.argv[1:] and stale))


sys.exit(main())
