"""check_page.py - checks that the code of docs/python.md prints the text of its comments."""
import contextlib
import io
import pathlib
import re
import sys
import unittest

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/python.md"


class Page(unittest.TestCase):
    def test_blocks(self):
        blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(), re.M | re.S)
        self.assertTrue(blocks)
        for block in blocks:
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec(compile(block, str(PAGE), "exec"), {"__name__": "page"})
            told = re.findall(r"print\(.*?\) +# (.*)", block)
            self.assertEqual(printed.getvalue().splitlines(), told)


if __name__ == "__main__":
    sys.exit(unittest.main())
