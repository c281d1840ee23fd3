#!/usr/bin/env python3
"""make_bindings.py - makes the prototypes of the bindings from api/: make_bindings.py [--check]

tools/bindings/api.py reads api/ through the parser of make_headers.py, and each language has a
writer below tools/bindings/ whose made(api) gives the texts of its files. What is made is checked
in. --check writes nothing, and fails if a file is not what would be made; a test runs it."""
import sys

from bindings import api, cxx, fortran, python

WRITERS = (cxx, fortran, python)


def main():
    public = api.read()
    texts = {path: text for writer in WRITERS for path, text in writer.made(public).items()}
    stale = [path for path, text in texts.items()
             if not path.exists() or path.read_text(encoding="utf-8") != text]
    left = [path for folder in {p.parent for p in texts if p.parent.name == "_made"}
            for path in folder.glob("*.py") if path not in texts]
    check = "--check" in sys.argv[1:]
    for path in [*stale, *left]:
        if check:
            print(f"{path.relative_to(api.ROOT)} is not what tools/make_bindings.py makes of api/")
        elif path in texts:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(texts[path], encoding="utf-8")
        else:
            path.unlink()
    print(f"{len(texts) - len(stale)} as they were, {len(stale)} {'stale' if check else 'made'}")
    sys.exit(check and bool(stale or left))


if __name__ == "__main__":
    main()
