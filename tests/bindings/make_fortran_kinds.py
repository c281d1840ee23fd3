#!/usr/bin/env python3
"""make_fortran_kinds.py - writes a test of arrays of Fortran of each kind and rank:
make_fortran_kinds.py OUT

Kinds and ranks are those of tools/bindings/fortran.py. Of each pair of them the test has a
subroutine:

    subroutine r32_1()
      real(real32), target :: a(2), b(2)
      real(real32) :: one
      type(tsr_array) :: x, p
      integer :: v

      a = reshape([(real(v, real32), v=1, 2)], [2])
      b = 0
      x = tsr_from(ctx, a)
      call tsr_read(x, b)
      call check('r32 rank 1', all(a == b))
      ..."""
import pathlib
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "tools"))
from bindings.fortran import KINDS, MOST_RANK  # noqa: E402

VALUES = {"r": "real(v, {})", "c": "cmplx(v, -v, {})", "i": "int({}, {})"}
SHAPE, INDEX = (2, 3, 1, 4, 2, 3, 2), (2, 1, 1, 3, 1, 3, 2)


def value_of(name, kind):
    """The expression that makes an element of the number v."""
    inner = re.search(r"\((\w+)\)", kind)
    if name == "l32":
        return "mod(v, 3) == 0"
    if name == "b8":
        return "logical(mod(v, 3) == 0, c_bool)"
    if name.startswith("i"):
        return f"int({'mod(v, 128)' if name == 'i8' else 'v'}, {inner[1]})"
    return VALUES[name[0]].format(inner[1])


def round_trip(name, kind, dtype, rank):
    """A subroutine: a(i, j, ...) is a number of its indices; element [i - 1, j - 1, ...] of the
    array has it, whole, as a section and without a copy, and all come back."""
    shape = SHAPE[:rank]
    n = "*".join(map(str, shape)) or "1"
    dims = f"({', '.join(map(str, shape))})" if rank else ""
    same = ".eqv." if name in ("l32", "b8") else "=="
    every = "all({})" if rank else "({})"
    last = ", ".join(map(str, shape))
    fill = f"[({value_of(name, kind)}, v=1, {n})]"
    lines = [f"{kind}, target :: a{dims}, b{dims}", *([f"{kind} :: one"] if rank else []),
             f"type(tsr_array) :: x{', p' if rank else ''}", "integer :: v", ""]
    lines += [f"a = reshape({fill}, [{last}])"] if rank else \
        ["v = 1", f"a = {value_of(name, kind)}"]
    blank = ".false." if name in ("l32", "b8") else "0"
    what = f"{name} rank {rank}"
    check = f"call check('{what}{{}}', {every.format(f'a {same} b')})"
    lines += [f"b = {blank}", "x = tsr_from(ctx, a)", "call tsr_read(x, b)", check.format("")]
    lines.append(f"call check('{what} type', tsr_dtype_of(x) == {dtype} .and. &")
    lines.append(f"\tall(tsr_shape(x) == {f'[{last}]' if rank else '[integer ::]'}))")
    if rank:  # one element, by its indices
        lines += ["p = x", *(f"p = tsr_index(p, 0, {i - 1})" for i in INDEX[:rank]),
                  "call tsr_read(p, one)", "call check("
                  f"'{what} index', one {same} a({', '.join(map(str, INDEX[:rank]))}))"]
    if name != "l32":
        lines += [f"b = {blank}", "x = tsr_wrap(ctx, a)",
                  "call tsr_read(tsr_reshape(x, tsr_shape(x)), b)",
                  check.format(" wrapped")]
    if rank:  # every other element of the last dim
        part = ", ".join([":"] * (rank - 1) + ["::2"])
        lines += [f"b = {blank}", f"x = tsr_from(ctx, a({part}))", f"call tsr_read(x, b({part}))",
                  f"call check('{what} section', all(a({part}) {same} b({part})))"]
        if name != "l32":
            lines += [f"b = {blank}", f"x = tsr_wrap(ctx, a({part}))",
                      f"call tsr_read(x, b({part}))",
                      f"call check('{what} wrapped part', all(a({part}) {same} b({part})))"]
    lines.append("call tsr_drop(x)")
    if name == "b8":
        lines = [re.sub(r"^(call check\('[\w ]+', )([^&]*)\)$", r"\1logical(\2))", line)
                 for line in lines]
    return (f"\n\tsubroutine {name}_{rank}()\n" + "".join(
        f"\t\t{line}\n" if line else "\n" for line in lines) + "\tend subroutine\n")


def program():
    each = [(k, rank) for k in KINDS for rank in range(MOST_RANK + 1)]
    return ("! fortran_kinds.f90 - tests arrays of Fortran of each kind and rank, there and back.\n"
            "! Made by tests/bindings/make_fortran_kinds.py.\n"
            "program test\n\tuse tsr\n\tuse iso_fortran_env, only: int8, int16, int32, "
            "int64, real32, real64\n\timplicit none\n\ttype(tsr_context) :: ctx\n"
            "\tinteger :: failures = 0\n\n\tcall tsr_open(ctx)\n"
            + "".join(f"\tcall {k[0]}_{rank}()\n" for k, rank in each)
            + "\tcall tsr_close(ctx)\n\tif (failures > 0) error stop 1\n\ncontains\n"
            "\tsubroutine check(what, right)\n\t\tcharacter(*), intent(in) :: what\n"
            "\t\tlogical, intent(in) :: right\n\n\t\tif (right) return\n"
            "\t\tfailures = failures + 1\n\t\tprint '(2a)', 'failed: ', what\n\tend subroutine\n"
            + "".join(round_trip(*k[:3], rank) for k, rank in each) + "end program\n")


if __name__ == "__main__":
    # Fortran knows no tabs
    pathlib.Path(sys.argv[1]).write_text(program().replace("\t", "  "), encoding="utf-8")
