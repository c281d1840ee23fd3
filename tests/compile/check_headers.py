#!/usr/bin/env python3
"""check_headers.py - each public header compiles alone, twice over, in every language it is for;
corners_ok.c, programs_ok.c, at_layer.cpp and programs of tests/bindings compile without a warning:
check_headers.py [COMPILER...]"""
import functools
import pathlib

import common

HERE = pathlib.Path(__file__).resolve().parent
C = ("c17", "gnu17", "c2x")
CXX = [{"gcc": "g++", "clang": "clang++"}.get(name, name) for name in common.NAMES]


# What a caller says about warnings in his own code still holds behind the headers and behind a call
# with keywords, whose records make an error of the same slip.
OWN_WARNINGS = """#include <tsr/tsr.h>
struct mine { int a, b; } __attribute__((designated_init));
tsr *use(tsr *x);
tsr *use(tsr *x)
{
	struct mine m = {1, 2};
	return tsr_sum(x, .keep = m.a > 0);
}
"""


def check(what, compiler, standard, text):
    # a function inside of another is made on the stack by gcc, which then may be executed
    own = ["-Wtrampolines"] if compiler == "gcc" else []
    ok, said, _ = common.compile_text(compiler, text, f"-std={standard}", *common.WARNINGS, *own)
    return None if ok else f"{what}, {compiler} -std={standard}:\n{said}"


def own_warnings():
    ok, said, _ = common.compile_text("gcc", OWN_WARNINGS, "-Werror", "-Wno-designated-init")
    return None if ok else f"a warning that the caller has switched off is back:\n{said}"


def cases():
    headers = sorted(path.relative_to(common.INCLUDE).as_posix()
                     for path in common.INCLUDE.glob("tsr/**/*.h")
                     if path.name != "mpi.h") # which needs an MPI: tests/mpi/halves.c
    sources = {name: f'#include "{name}"\n#include "{name}"\nint main(void) {{ return 0; }}\n'
               for name in headers}
    in_c, in_cxx = ({name: (HERE / name).read_text(encoding="utf-8") for name in names}
                    for names in (("corners_ok.c", "programs_ok.c"),
                                  ("at_layer.cpp", "../bindings/cxx_first.cpp")))
    for header in ("tsr/tsr.hpp", "tsr/detail/core.hpp", "tsr/detail/ops.hpp"):
        in_cxx[header] = f'#include "{header}"\n#include "{header}"\n'
    if "gcc" in common.compilers():
        yield own_warnings
    for compiler in common.compilers():
        for standard in C:
            for what, text in {**sources, **in_c}.items():
                yield functools.partial(check, what, compiler, standard, text)
    for compiler in common.compilers(CXX):
        if not compiler.endswith("++"):
            continue
        for standard in ("c++17", "c++20"):
            for what, text in {**sources, **in_cxx}.items():
                if what.startswith("tsr/engine/"): # are C alone, and say so
                    continue
                yield functools.partial(check, what, compiler, standard, text)


common.run(cases(), {*common.NAMES, *CXX})
