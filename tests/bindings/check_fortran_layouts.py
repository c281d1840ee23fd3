#!/usr/bin/env python3
"""check_fortran_layouts.py - the records of bindings/fortran/tsr_c.f90 have the members of abi.txt
where C has them: their types are laid out by the rules of C, padding that is written included."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SIZES = {"integer(c_int)": 4, "integer(c_int64_t)": 8, "integer(c_size_t)": 8, "real(c_double)": 8,
         "logical(c_bool)": 1, "type(c_ptr)": 8, "type(c_funptr)": 8, "character(kind=c_char)": 1}


def records(text):
    """name -> (size, alignment, {member: (offset, size)})"""
    found = {}
    for name, body in re.findall(r"^  type, bind\(c\) :: (\w+)\n(.*?)^  end type", text,
                                 re.M | re.S):
        at, most, members = 0, 1, {}
        for kind, rest in re.findall(r"^    (\S+) :: (.*)$", body, re.M):
            size = align = SIZES.get(kind)
            if size is None:
                size, align, _ = found[re.fullmatch(r"type\((\w+)\)", kind)[1]]
            for member, count in re.findall(r"(\w+)(?:\((\d+)\))?(?: = [^,]*)?", rest):
                at = -(-at // align) * align
                members[member] = (at, size * int(count or 1))
                at, most = at + size * int(count or 1), max(most, align)
        found[name] = (-(-at // most) * most, most, members)
    return found


def main():
    made = records((ROOT / "bindings/fortran/tsr_c.f90").read_text(encoding="utf-8"))
    wrong, count = [], 0
    for line in (ROOT / "abi.txt").read_text(encoding="utf-8").splitlines():
        name, _, rest = line.partition("\t")
        if name not in made or rest.count("\t") != 2:
            continue
        member, offset, size = rest.split("\t")
        own = (0, made[name][0]) if member == "-" else made[name][2].get(member)
        count += 1
        if own and own != (int(offset), int(size)):
            wrong.append(f"{name} {member}: {own}, and in C {offset}, {size}")
        elif not own and not made[name][2].keys() & {"word", "to"}: # unions
            wrong.append(f"{name} has no {member}")
    print("\n".join([*wrong, f"{count} members, {len(wrong)} are not as in C"]))
    return 1 if wrong or not count else 0


sys.exit(main())
