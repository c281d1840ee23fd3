#!/usr/bin/env python3
"""check_messages.py - checks that the library's messages use the words of a C programmer.

check_messages.py [ROOT] reads the string literals of src/ that are sentences. It fails on a word
that looks like code but is in no public header:

    .groups, .out[0]          a member of a public record
    tsr_pcast, TSR_DIMS       a name of the headers (or an environment variable)
    `word`                    any word of the headers
    to=, shape=               a keyword of another language
    axis_index_groups         a name with an underscore, with or without tsr_; or a primitive

and on words of other languages and of other meanings: None, dimension (dim), pytree (tree)."""
import pathlib
import re
import sys

WORD = re.compile(r"[A-Za-z_]\w*")
LITERAL = r'"(?:[^"\\\n]|\\.)*"'
SKIP = re.compile(r"/\*.*?\*/|//[^\n]*|^\s*#\s*include[^\n]*|'(?:[^'\\\n]|\\.)+'"
                  rf"|({LITERAL}(?:\s*{LITERAL})*)", re.S | re.M)
# program text, kernels, files, pages and pictures have a syntax of their own, in which they are
# quoted
OWN_SYNTAX = ("src/program/", "src/kernel/", "src/lib/files/npy_format.c",
              "src/lib/files/safetensors.c", "src/lib/pictures/svg.c", "src/lib/explain/html.c",
              "src/base/profile.c")
STRANGE = {"None": "NULL", "True": "true", "False": "false", "pytree": "tree", "ndarray": "array",
           "dimension": "dim", "dimensions": "dims", "kwargs": "keywords", "jax": "-", "jnp": "-"}
SUFFIXES = {"npy", "npz", "safetensors", "tsr"}


def literals(text):
    """line and text of each string literal, adjacent ones as one; a conversion becomes %"""
    for match in SKIP.finditer(text):
        if not match.group(1):
            continue
        parts = re.findall(LITERAL, match.group(1))
        joined = "".join(part[1:-1] for part in parts)
        joined = re.sub(r"%[-+ #0-9.*]*(?:hh|h|ll|l|z|j|t)?[a-zA-Z]", "%", joined)
        yield text.count("\n", 0, match.start()) + 1, joined.replace(r"\n", " ").replace(r"\"", '"')


class Vocabulary:
    def __init__(self, root):
        headers = "\n".join(path.read_text(encoding="utf-8")
                            for path in sorted((root / "include").rglob("*.h")))
        sources = "\n".join(path.read_text(encoding="utf-8")
                            for path in sorted((root / "src").rglob("*.[ch]")))
        rows = re.findall(r"PRIM\((\w+)\)", (root / "src/prim/prims.def").read_text())
        code = re.sub(r"/\*.*?\*/", " ", headers, flags=re.S)
        records = re.findall(r"(?:struct|union)\b[^{};]*\{(.*?)\}", code, re.S)
        self.headers = headers
        self.words = set(WORD.findall(headers))
        self.members = set(WORD.findall(" ".join(records)))
        self.names = self.words | {word[4:] for word in self.words if word.startswith("tsr_")}
        self.names |= set(rows)
        self.environment = set(re.findall(r'environment\("(\w+)"\)', sources))


def faults(words, text, own_syntax):
    for member in re.findall(r"(?:^|[\s(\"'])\.([a-z_]\w*)", text):
        if member not in words.members | SUFFIXES:
            yield f".{member} is a member of no public record"
    for name in re.findall(r"\b((?:tsr_(?!_)|TSR_)\w+)", text):
        if name not in words.words | words.environment:
            yield f"{name} is in no public header"
    for name in re.findall(r"`([^`]+)`", text):
        if not set(WORD.findall(name)) <= words.words:
            yield f"`{name}` is in no public header"
    for name in re.findall(r"\b((?!tsr_)[a-z][a-z0-9]*(?:_[a-z0-9]+)+)\b(?!%)", text):
        if name not in words.names and not own_syntax:
            yield f"{name} is in no public header, and no primitive"
    for name in re.findall(r"\b([a-z_]+=)(?!=)", text):
        if name not in words.headers and not own_syntax:
            yield f"{name} is no C; a keyword is .name = value"
    for name in WORD.findall(text):
        if name in STRANGE and not own_syntax:
            yield f"{name}: write {STRANGE[name]}"


def main(root):
    words = Vocabulary(root)
    count = found = 0
    for path in sorted((root / "src").rglob("*.[ch]")):
        name = path.relative_to(root).as_posix()
        for line, text in literals(path.read_text(encoding="utf-8")):
            if " " not in text.strip():
                continue
            count += 1
            for fault in faults(words, text, name.startswith(OWN_SYNTAX)):
                found += 1
                print(f"{name}:{line}: {fault}: {text}")
    if count < 300:
        print(f"only {count} messages were found: the script reads them wrongly")
        found += 1
    print(f"{count} messages, {found} faults")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else __file__).resolve()
                  if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent))
