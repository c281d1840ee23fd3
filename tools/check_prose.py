#!/usr/bin/env python3
"""check_prose.py - checks the parts of plain English that a script can see.

check_prose.py [ROOT] reads the first sentence at the head of each source, the documents and the
comments and messages of src and include (code and examples are left out), and fails on

    /* tool.h - what the files of the tool share. */     a head with what, who, which or whose
    The node stands in the outermost loop.               stand, lie or meet, where `is` is meant
    int32_t home; /* the region that it lies in */       the same in a comment,
    fail(b, "it is manual where it stands");             and in a message
    What is missing is an error.                         a sentence about a clause, without a noun

A head says a purpose: "tool.h - declares the functions that the files of the tool share". These
examples are tried first, each time."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCES = ("api", "bench", "bindings", "examples", "include", "src", "tests", "tools")
SKIPPED = {"build", "corpus", "data", ".git"}
RELATIVE = re.compile(r"\b(what|who|which|whose)\b", re.I)
RELATION = re.compile(r"\b(stands?(?! for\b)|stood|lies?|meets?|met)\b", re.I)
SUBJECT = re.compile(r"(?:^|[.:;*] )(What|Who|Whatever|Whoever)\b [a-z][^?]*$")
COMMENTED = ("include/", "src/")    # folders whose comments are read
TOKEN = re.compile(r"""("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|/\*.*?\*/|//[^\n]*""", re.S)
NOT_OURS = {"THIRD-PARTY.md"}    # licences, as their owners wrote them
HEADS = {
    (".c", ".h", ".def", ".cpp", ".hpp", ".in"):
        re.compile(r"/\*\*?\s*(?:@file\s*)?(.*?)\*/", re.S),
    (".py",): re.compile(r'(?:#![^\n]*\n)?"""(.*?)"""', re.S),
    (".sh", ".cmake", ".txt"): re.compile(r"(?:#!.*\n)?((?:#.*\n)+)"),
}


def first_sentence(suffix, text):
    """the first sentence at the head of a source, or nothing"""
    form = next((form for suffixes, form in HEADS.items() if suffix in suffixes), None)
    head = form and form.match(text)
    if not head:
        return ""
    paragraph = re.split(r"\n\s*[*#]?\s*\n", head[1])[0]
    paragraph = " ".join(re.sub(r"\n\s*[*#]?", " ", paragraph).split())
    return re.split(r"(?<=[.?:])\s+(?=[A-Z])", paragraph)[0]


def prose(text):
    """the lines of a document, without the code in them"""
    inside = False
    for number, line in enumerate(text.split("\n"), 1):
        if line.lstrip().startswith("```"):
            inside = not inside
        elif not inside and not re.match(r"    +[^\s\d*-]", line):
            yield number, re.sub(r"`[^`]*`|\([^)\s]*\)", "", line)


def comments(text):
    """the lines of the comments of a C source, without the examples in them, and its strings"""
    for token in TOKEN.finditer(text):
        if token[1]:
            yield text.count("\n", 0, token.start()) + 1, token[1]
            continue
        item = False
        for number, line in enumerate(token[0].split("\n"), text.count("\n", 0, token.start()) + 1):
            line = re.sub(r"^\s*((/?\*+|//) ?)?", "", line)
            item = bool(line) and (item or line.lstrip().startswith("- "))
            if item or not line.startswith("    "):
                yield number, re.sub(r"`[^`]*`", "", line)


def faults(path, text):
    """line and reason of each fault; the path is relative to the root"""
    if path.suffix in (".c", ".h", ".def") and path.as_posix().startswith(COMMENTED):
        for number, line in comments(text):
            if word := RELATION.search(line):
                yield number, f'"{word[0]}" for a relation: {line.strip()[:70]}'
    if path.suffix == ".md":
        for number, line in prose(text):
            if word := RELATION.search(line):
                yield number, f'"{word[0]}" for a relation: {line.strip()[:70]}'
            if word := SUBJECT.search(line):
                yield number, f'"{word[1]}" in place of a noun: {line.strip()[:70]}'
    elif word := RELATIVE.search(sentence := first_sentence(path.suffix, text)):
        yield 1, f'a head with "{word[0]}" in place of a purpose: {sentence}'


def files(root):
    for folder in SOURCES:
        for path in sorted((root / folder).rglob("*")):
            if path.is_file() and not SKIPPED & set(path.relative_to(root).parts[:-1]):
                yield path
    yield from (path for path in sorted([*root.glob("*.md"), *(root / "docs").rglob("*.md")])
                if path.name not in NOT_OURS)


def main():
    for name, text in (("tool.h", "/* tool.h - what the files of the tool share. */\n"),
                       ("page.md", "The node stands in the outermost loop.\n"),
                       ("src/kernel/work.h", "int32_t home; /* the region that it lies in */\n"),
                       ("src/pass/work.c", 'fail(b, "it is manual where it stands");\n'),
                       ("page.md", "What is missing is an error.\n")):
        if not list(faults(pathlib.Path(name), text)):
            sys.exit(f"the script is wrong about its own example: {text}")
    for text in ('fail("* stands for any letters");\n', "/* As here:\n *\n *     lies 1\n */\n"):
        if list(faults(pathlib.Path("src/kernel/work.h"), text)):
            sys.exit(f"the script finds a fault where there is none: {text}")
    root = pathlib.Path(sys.argv[1]) if sys.argv[1:] else ROOT
    suffixes = {".md", *(suffix for group in HEADS for suffix in group)}
    count, found = 0, 0
    for path in files(root):
        if path.suffix not in suffixes:
            continue
        count += 1
        for number, reason in faults(path.relative_to(root), path.read_text(encoding="utf-8")):
            found += 1
            print(f"{path.relative_to(root)}:{number}: {reason}")
    print(f"{count} files, {found} faults")
    return 1 if found or not count else 0


if __name__ == "__main__":
    sys.exit(main())
