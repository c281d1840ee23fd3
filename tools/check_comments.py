#!/usr/bin/env python3
"""check_comments.py - each public comment can be understood without the one before it.

check_comments.py [ROOT] reads the comments of api/ and of the headers of include/tsr/ that are
written by hand. It fails on a first sentence that points at another comment:

    The same, row by row.     Its inverse.     And back.     Their difference.     Likewise of u8.

and, in front of a function, a type or a macro, on one of less than 45 characters that does not
name its subject. A short sentence names it by a parameter of the declaration ("The dtype of x."),
by a public name that it says more about ("Keywords of tsr_eye()."), or, in front of a type or a
macro, by a word of its own name. So "All sizes." fails, and "The sizes of the dims of x." does
not. These examples are tried first, each time."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SHORT = 45
COMMENT = re.compile(r"^([ \t]*)/\*\*(?!<)((?:(?!\*/).)*)\*/\n(?=([^\n]*(?:\n[^\n]+){0,2}))",
                     re.S | re.M)
BEHIND = re.compile(r"/\*\*<((?:(?!\*/).)*)\*/", re.S)
POINTS = re.compile(r"the same\b(?! (dims|dtypes?|types?|number)\b)|(likewise|and|or|its?|their|"
                    r"theirs|they|those|these|this|such|also|another|the other|that of)\b|"
                    r"the (smallest|largest|mean|first|last)\.", re.I)
SUCH = re.compile(r".{0,60}\b(such(?! as)|that half)\b", re.I)
SAME = re.compile(r"(the same\b(?! (dims|dtypes?|types?|number)\b)|likewise\b)", re.I)


def sentence(text):
    """the first sentence of a comment"""
    text = " ".join(re.sub(r"\n\s*\*?", " ", text).split())
    return re.split(r"(?<!\.\.)(?<=[.?])\s+(?=[A-Z(\"'*`]|tsr_|TSR_)", text)[0]


def declared(after):
    """the name that is declared behind a comment, and those of its parameters"""
    text = re.split(r"[;{\\]", after)[0].strip()
    own = re.search(r"#define (\w+)|(\w+)\(|(\w+)$", text)
    inside = text[text.index("(") + 1:] if "(" in text else ""
    parameters = set(re.findall(r"(\w+)\s*(?:[,)\[]|$)", inside))
    return next((n for n in own.groups() if n), "") if own else "", parameters - {"context", "void"}


def names_subject(first, after):
    """whether a short sentence names what it is about"""
    words, (own, parameters) = set(re.findall(r"\w+", first)), declared(after)
    if parameters & words or re.match(r"Keywords? of [a-z]", first):
        return True
    parts = set(own.lower().split("_")) - {"tsr", "of", "is"}
    return "(" not in re.split("[;{]", after)[0] and bool(parts & {w.lower() for w in words})


def faults(text):
    """line and reason of each comment that cannot be understood alone"""
    for match in COMMENT.finditer(text):
        indent, comment, after = match.groups()
        line, first = text.count("\n", 0, match.start()) + 1, sentence(comment)
        if first == "@file":
            continue
        if (SAME if indent else POINTS).match(first) or not indent and SUCH.match(first):
            yield line, f"points at another comment: {first}"
        elif not indent and len(first) < SHORT and not names_subject(first, after):
            yield line, f"is short, and does not name its subject: {first}"
    for match in BEHIND.finditer(text):
        if SAME.match(sentence(match[1])):
            yield text.count("\n", 0, match.start()) + 1, \
                f"points at another comment: {sentence(match[1])}"


def sources(root):
    made = {path.stem for path in (root / "api").glob("*.h.in")}
    yield from sorted((root / "api").glob("*.h.in"))
    yield from (path for path in sorted((root / "include/tsr").glob("*.h"))
                if path.name not in made)


def examples():
    """the comments that are cited above, and whether each is a fault"""
    line = next(line for line in __doc__.split("\n") if line.startswith("    "))
    yield from ((text, True) for text in re.split(r" {3,}", line.strip()))
    yield from (("All sizes.", True), ("The sizes of the dims of x.", False))


def main():
    for text, wrong in examples():
        if bool(list(faults(f"/** {text} */\nop tsr_dims tsr_shape(const tsr *x);\n"))) != wrong:
            sys.exit(f"the script is wrong about its own example: {text}")
    root = pathlib.Path(sys.argv[1]) if sys.argv[1:] else ROOT
    found = [f"{path.relative_to(root)}:{line}: {reason}" for path in sources(root)
             for line, reason in sorted(faults(path.read_text(encoding="utf-8")))]
    print("\n".join(found))
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
