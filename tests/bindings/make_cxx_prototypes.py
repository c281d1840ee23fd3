#!/usr/bin/env python3
"""make_cxx_prototypes.py - writes a program that uses each function of tsr/detail/ops.hpp, so that
all of them compile and link: make_cxx_prototypes.py OUT

    inline array sum(const array &x, const reduce_args &args = reduce_args(),

becomes used(&tsr::sum). Templates are used by other tests."""
import pathlib
import re
import sys

HEADER = pathlib.Path(__file__).resolve().parent.parent.parent / "include/tsr/detail/ops.hpp"
PROGRAM = """\
/* cxx_prototypes.cpp - uses each function that was made for C++, so that all
 * compile and link; tests/bindings/make_cxx_prototypes.py made it. */
#include <tsr/tsr.hpp>

template <class F> static bool used(F *f) {{ return f; }}

static const bool all[] = {{
{uses}
}};

int main()
{{
	for (const bool each : all)
		if (!each) return 1;
	return 0;
}}
"""

if __name__ == "__main__":
    names = re.findall(r"^inline .*?(\w+)\(", HEADER.read_text(encoding="utf-8"), re.M)
    uses = "\n".join(f"\tused(&tsr::{name})," for name in names)
    pathlib.Path(sys.argv[1]).write_text(PROGRAM.format(uses=uses), encoding="utf-8")
