"""check_complete.py - every public function is reached from Python, or by_hand.py says why not."""
import pathlib
import sys
import unittest

import tsr

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
from bindings import api  # noqa: E402
from bindings.by_hand import BY_HAND  # noqa: E402


def found(path):
    """What a dotted name in the module is."""
    owner, _, rest = path.partition(".")
    value = getattr(tsr, owner, None)
    if not rest or value is None:
        return value
    return getattr(value, rest, None) or instance(owner, rest)


def instance(owner, name):
    """Some attributes are those of an object."""
    context = tsr.current()
    made = {"Context": context, "Mesh": tsr.Mesh({"x": 1}),
            "Error": tsr.Error("text", 1), "Function": tsr.jit(lambda x: x)}.get(owner)
    return getattr(made, name, None)


class Complete(unittest.TestCase):
    def test_functions(self):
        missing = []
        for f in api.read().functions:
            if f.name in BY_HAND:
                where = BY_HAND[f.name]
                if not where.startswith("- ") and found(where) is None:
                    missing.append((f.name, where))
            elif not callable(getattr(tsr, f.name[4:], None)):
                missing.append((f.name, f.name[4:]))
        self.assertEqual(missing, [])

    def test_by_hand_is_public(self):
        public = {f.name for f in api.read().functions}
        self.assertEqual([name for name in BY_HAND if name not in public], [])

    def test_documented(self):
        undocumented = [name for name in dir(tsr) if not name.startswith("_")
                        and callable(getattr(tsr, name)) and not getattr(tsr, name).__doc__]
        self.assertEqual(undocumented, [])


if __name__ == "__main__":
    sys.exit(unittest.main())
