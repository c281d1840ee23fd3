"""test_hints.py - the view of editors and type checkers on the module tsr: each function that is
made of the headers has types of parameters and results, and a comment in words of Python."""
import ast
import inspect
import pathlib
import re
import typing
import unittest

import tsr
from tsr._made import public

FOLDER = pathlib.Path(tsr.__file__).parent
MADE = {name: f for name, f in vars(public).items() if inspect.isfunction(f)}
OF_C = re.compile(r"TSR_|\btsr_\w|->|\{\{|[ (]&\w|[ (]\.[a-z]\w*|;\s*$|tsr \*|\bctx\b|\bNULL\b|"
                  r"= true|=!")


class Hints(unittest.TestCase):
    def test_comments(self):
        for name, function in MADE.items():
            with self.subTest(name):
                self.assertIsNone(OF_C.search(function.__doc__), function.__doc__)

    def test_types(self):
        for name, function in MADE.items():
            signature, hints = inspect.signature(function), typing.get_type_hints(function)
            with self.subTest(name):
                self.assertEqual(set(hints), {*signature.parameters, "return"})
                for p in signature.parameters.values():
                    if p.default is None:
                        self.assertTrue(hints[p.name] is typing.Any or
                                        type(None) in typing.get_args(hints[p.name]) or
                                        typing.Any in typing.get_args(hints[p.name]), p.name)

    def test_sources(self):
        """What a checker reads is what runs."""
        self.assertTrue((FOLDER / "py.typed").exists())
        seen = {}
        for path in (FOLDER / "_made").glob("*.py"):
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.FunctionDef):
                    seen[node.name] = [a.arg for a in [*node.args.args, *node.args.kwonlyargs]]
        for name, function in MADE.items():
            given = [p.name for p in inspect.signature(function).parameters.values()
                     if p.kind is not p.VAR_POSITIONAL]
            self.assertEqual(seen[name], given)


if __name__ == "__main__":
    unittest.main()
