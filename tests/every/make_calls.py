#!/usr/bin/env python3
"""make_calls.py - writes a call of every public function, from the headers: make_calls.py OUT

    TSR_OP tsr *tsr_take_at(const char *where, tsr *x, int dim, tsr *indices,
                            const tsr_index_args *args);
gives
    static void call_tsr_take_at(hand *h)
    {
        const tsr_index_args *a4 = draw_tsr_index_args(h);
        tsr *a1 = draw_handle(h);
        ...
        saw_handle(h, tsr_take_at("a place", a1, a2, a3, a4));
    }

and a line of the table `calls`. hand.h has what is drawn for each type, and what is seen of each
result. So a new function is called by the tests of this folder as soon as a header declares it, and
a type that hand.h does not know is a compile error. A keyword record is filled field by field; a
list and its length are drawn together."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# what is not called, and why
NOT_CALLED = {
    "tsr_close": "the context is needed for the next call; hand.h closes it",
    "tsr_open_at": "a context of its own each time; unit.open has its keywords",
    "tsr_bench_collectives_at": "it measures for seconds: unit.timing, errors.timing",
    "tsr_log_to": "where messages of the process go is the test's own affair",
    "tsr_printf": "its arguments are those of a format: processes.threads",
    "tsr_scope_close_": "TSR_SCOPE calls it when its block ends",
    "tsr_scope_open_": "likewise",
}
# records whose strides are those of memory that must be there
NEAR = {"tsr_wrap_args", "tsr_into_args", "tsr_read_args"}
# parameters that are a pointer and, behind it, how much it points to
LENGTHS = {"n", "count", "size", "most", "nout"}


def headers():
    for path in sorted((ROOT / "include/tsr").glob("*.h")):
        if path.name == "mpi.h": # which needs an MPI: tests/mpi
            continue
        text = re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.S)
        yield re.sub(r"^#(?:[^\n]*\\\n)*[^\n]*$", "", text, flags=re.M)


def spaced(text):
    return re.sub(r"\s*\*\s*", " *", " ".join(text.split())).replace("* *", "**").strip()


def split_parameters(text):
    """Behind commas outside of parentheses."""
    parts, depth = [""], 0
    for character in text:
        depth += (character == "(") - (character == ")")
        if character == "," and not depth:
            parts.append("")
        else:
            parts[-1] += character
    return [spaced(part) for part in parts]


def functions():
    """(returns, name, [(type, name)]) of every function; of those that have a form with a place,
    this form alone."""
    found = []
    for text in headers():
        for returns, name, parameters in re.findall(
                r"\bTSR_(?:API|OP)\s+([^;{}()]*?)\b(tsr_\w+)\(([^;{}]*)\)\s*"
                r"(?:__attribute__\s*\(\(.*?\)\))?;",
                text, re.S):
            of = [] if parameters.strip() == "void" else \
                [typed(one) for one in split_parameters(parameters)]
            found.append((spaced(returns), name, of))
    names = {name for _, name, _ in found}
    return [one for one in found if one[1] + "_at" not in names]


def typed(declaration):
    """("const tsr_arg *", "ab") of "const tsr_arg ab[2]", with the number of elements behind it."""
    match = re.fullmatch(r"(.*?)(\w+)((?:\[\w*\])*)", declaration)
    if not match:
        return declaration, "", ""
    kind, name, dims = match.groups()
    return kind.strip(), name, dims


def records():
    """Keyword records: name -> [(type, name, dims)]."""
    found = {}
    for text in headers():
        for body, name in re.findall(
                r"typedef struct [\w ]+ \{\s*TSR_KEYWORDS_\b(.*?)TSR_KEYWORDS_END_\s*\}\s*"
                r"(tsr_\w+_args);",
                text, re.S):
            fields = []
            for line in body.split(";"):
                line = spaced(line.replace("TSR_ADDED_", ""))
                if not line or "(" in line:    # a function of the caller's
                    continue
                first, *more = split_parameters(line)
                kind, field, dims = typed(first)
                fields.append((kind, field, dims))
                for one in more:
                    stars = "*" * (len(one) - len(one.lstrip("*")))
                    fields.append((kind.rstrip("*").strip() + (" " + stars if stars else ""),
                                   *typed("x " + one.lstrip("*"))[1:]))
            found[name] = fields
    return found


def word(kind):
    """A type as a part of a name: "const tsr_arg *" is arg_list."""
    kind = kind.replace("const ", "").replace("struct ", "").replace("enum ", "").strip()
    stars = kind.count("*")
    return re.sub(r"\W", "_", kind.replace("*", "").strip()) + "_p" * stars


# parameters that usual values of their type do not fit, by name
DRAWN = {"key": "key", "indices": "indices", "slot": "slot"}
# how often something is done, which takes so long
COUNTS = {"runs", "loops"}


def drawn(kind, name):
    """What a parameter or field of this type gets."""
    if word(kind) == "char_p":
        return f'draw_text(h, "{name}")'
    if kind.startswith("tsr *") and name in DRAWN:
        return f"draw_{DRAWN[name]}(h)"
    if name in COUNTS:
        return "draw_count(h)"
    if kind.startswith("enum "):
        return f"({kind})draw_int(h)"
    return f"draw_{word(kind)}(h)"


def record_function(name, fields):
    """{.size = ..., .dims = draw_tsr_dims(h), ...}: one field at a time, the others not given."""
    lines = [f"__attribute__((unused)) static const {name} *draw_{name}_p(hand *h)", "{",
             f"\t{name} *a = room_of(h, sizeof *a);", "",
             "\tif (!keyword_record(h, a, sizeof *a)) return NULL;"]
    previous = None
    for kind, field, dims in fields:
        if dims:
            lines.append(f"\tif (keyword_given(h)) a->{field}[0] = {drawn(kind, field)};")
        elif previous and field in ("device_count", "env_size", "mask_count"):
            lines.append(f"\ta->{field} = length_of(h, a->{previous});")
        elif field == "strides" and name in NEAR:
            lines.append("\tif (keyword_given(h)) a->strides = draw_near(h);")
        else:
            lines.append(f"\tif (keyword_given(h)) a->{field} = {drawn(kind, field)};")
        previous = field
    return "\n".join([*lines, "\treturn a;", "}", ""])


def call(returns, name, parameters):
    lines, given = [], []
    for k, (kind, of, dims) in enumerate(parameters):
        pointer = given and parameters[k - 1][0].endswith("*") and parameters[k - 1][1] != "where"
        if of == "where":
            given.append('"every.c:1"')
            continue
        if kind == "size_t" and of in LENGTHS and pointer:
            lines.append(f"\tconst size_t a{k} = length_of(h, a{k - 1});")
        elif dims:
            lines.append(f"\t{kind} *a{k} = draw_{word(kind)}_p(h);")
        else:
            lines.append(f"\t{kind}{'' if kind.endswith('*') else ' '}a{k} = {drawn(kind, of)};")
        given.append(f"a{k}")
    made = f"{name}({', '.join(given)})"
    if returns == "void":
        last = [f"\t{made};", "\tafter_call(h);"]
    else:
        result = f"{returns}{'' if returns.endswith('*') else ' '}"
        last = [f"\t{result}y = {made};", "\tafter_call(h);", f"\tsaw_{word(returns)}(h, y);"]
    return "\n".join([f"static void call_{name}(hand *h)", "{", *lines, "\tbefore_call(h);", *last,
                      "}", ""])


def main():
    every = [one for one in functions() if one[1] not in NOT_CALLED]
    text = ["/* made by tests/every/make_calls.py of the public headers */", ""]
    text += [record_function(name, fields) for name, fields in records().items()]
    text += [call(*one) for one in every]
    text += ["static const struct {\n\tconst char *name;\n\tvoid (*call)(hand *);\n} calls[] = {"]
    text += [f'\t{{"{name}", call_{name}}},' for _, name, _ in every] + ["};", ""]
    pathlib.Path(sys.argv[1]).write_text("\n".join(text), encoding="utf-8")


if __name__ == "__main__":
    main()
