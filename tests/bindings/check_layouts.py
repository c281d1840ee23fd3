"""check_layouts.py - the records of the Python module are laid out as abi.txt says."""
import ctypes
import pathlib
import sys
import unittest

from tsr import _lib

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Layouts(unittest.TestCase):
    def test_records(self):
        compared = 0
        for line in (ROOT / "abi.txt").read_text().splitlines():
            parts = line.split("\t")
            if len(parts) != 4 or parts[0] not in _lib.RECORDS:
                continue
            name, member, offset, size = parts[0], parts[1], int(parts[2]), int(parts[3])
            record = _lib.record(name)
            if member == "-":
                self.assertEqual(ctypes.sizeof(record), size, name)
                compared += 1
            elif hasattr(record, member):
                field = getattr(record, member)
                self.assertEqual((field.offset, field.size), (offset, size), f"{name}.{member}")
                compared += 1
        self.assertGreater(compared, 500)

    def test_all_records(self):
        known = {line.split("\t")[0] for line in (ROOT / "abi.txt").read_text().splitlines()}
        self.assertEqual([n for n in _lib.RECORDS if n not in known], [])


if __name__ == "__main__":
    sys.exit(unittest.main())
