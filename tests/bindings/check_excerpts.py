#!/usr/bin/env python3
"""check_excerpts.py - code blocks of a page are in files that are tested: check_excerpts.py PAGE
FILE..."""
import pathlib
import re
import sys


def main(page, *files):
    texts = [pathlib.Path(file).read_text(encoding="utf-8") for file in files]
    blocks = re.findall(r"^```\w+\n(.*?)^```$", pathlib.Path(page).read_text(encoding="utf-8"),
                        re.M | re.S)
    missing = [block for block in blocks if not any(block in text for text in texts)]
    for block in missing:
        print(f"{page}: in none of the files:\n{block}")
    print(f"{len(blocks)} blocks, {len(missing)} in no file")
    return 1 if missing or not blocks else 0


sys.exit(main(*sys.argv[1:]))
