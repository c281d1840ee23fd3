"""python.py - writes the files of bindings/python/tsr/_made/: tables for ctypes, and public
functions.

Of `pure tsr *tsr_sum(tsr *x, keywords tsr_sum_args);` in api/ops.h.in it makes, in _made/ops.py,

    def sum(x, axis=None, *, keepdims=None, where=None, initial=None, dtype=None):
        ...
        c = context_of(x)
        x = c.handle(x)
        return c.array(_sum(c.place(), x._h, c.record("tsr_sum_args", dims=axis, ...)))

and in _made/tables.py the C types of its parameters and the fields of its record. Parameters get
JAX's names where JAX has one (NAMES, and RENAMED for a function by itself). A function with bodies,
memory or handles of another kind is written by hand; BY_HAND says where it is reached, and a test,
tests/bindings/check_complete.py, that it is there."""
import keyword
import re
import textwrap

from .api import ROOT
from .by_hand import BY_HAND

FOLDER = ROOT / "bindings/python/tsr/_made"
WIDTH = 99
LETTERS = {"void": "-", "int": "i", "int64_t": "q", "size_t": "Q", "double": "d", "bool": "?",
           "...": "..."}
# by the kind of the parameter or its C type: how it is converted, and what the call gets
HANDLES = ("tsr *", "const tsr *")
NUMBERS = ("int", "int64_t", "size_t", "double", "bool")
NAMES = {"dim": "axis", "dims": "axis", "keep": "keepdims", "groups": "axis_index_groups",
         "concat": "concat_axis", "split": "split_axis", "no_replace": "without_replacement"}
# headers, and functions of others, whose `dims` are sizes
SIZES = {"array", "random", "params", "mesh", "viz"}
OF_SIZES = {"tsr_reshape", "tsr_broadcast_to", "tsr_broadcast_in_dim", "tsr_iota", "tsr_resize",
            "tsr_indices", "tsr_unravel_index", "tsr_ravel_multi_index"}
RENAMED = {("tsr_moveaxis", "from"): "source", ("tsr_moveaxis", "to"): "destination",
           ("tsr_choice", "from"): "a", ("tsr_tile", "times"): "reps",
           ("tsr_swapaxes", "a"): "axis1", ("tsr_swapaxes", "b"): "axis2"}
# another order, and what is given where nothing is
ORDER = {"tsr_take": ["x", "indices", "dim"], "tsr_take_along": ["x", "indices", "dim"],
         "tsr_concatenate": ["x", "dim"], "tsr_stack": ["x", "dim"]}
# lists that are written out as arguments: einsum("ij,jk", a, b)
WRITTEN_OUT = {"tsr_einsum"}
DEFAULTS = {("tsr_take", "dim"): "FLAT", ("tsr_take_along", "dim"): "-1",
            ("tsr_concatenate", "dim"): "0", ("tsr_stack", "dim"): "0",
            ("tsr_softmax", "dim"): "-1", ("tsr_log_softmax", "dim"): "-1",
            ("tsr_squeeze", "dims"): "None", ("tsr_tril", "k"): "0", ("tsr_triu", "k"): "0",
            ("tsr_diag", "k"): "0", ("tsr_diagflat", "k"): "0", ("tsr_tri", "m"): "None",
            ("tsr_tri", "k"): "0", ("tsr_isclose", "rtol"): "1e-5",
            ("tsr_isclose", "atol"): "1e-8", ("tsr_gradient", "dim"): "0",
            ("tsr_gradient", "h"): "1.0", ("tsr_rot90", "k"): "1", ("tsr_rot90", "a"): "0",
            ("tsr_rot90", "b"): "1", ("tsr_trapezoid", "dim"): "-1", ("tsr_cross", "dim"): "-1",
            ("tsr_vecdot", "dim"): "-1", ("tsr_top_k", "dim"): "-1", ("tsr_one_hot", "dim"): "-1",
            ("tsr_fftshift", "dims"): "None", ("tsr_logspace", "n"): "50",
            ("tsr_linspace", "n"): "50", ("tsr_geomspace", "n"): "50", ("tsr_glu", "dim"): "-1"}
# keywords of C that are also given by place, in this order
BY_PLACE = {"tsr_zeros": ["dtype"], "tsr_ones": ["dtype"], "tsr_full": ["dtype"],
            "tsr_eye": ["columns", "k", "dtype"], "tsr_transpose": ["perm"],
            "tsr_round": ["decimals"], "tsr_tensordot": ["n"]}
# what is given for a default of None
DEFAULTED = {("tsr_tri", "m"): "m = n if m is None else m"}
MADE_FIELDS = {"tsr **"}   # keywords that are places of further results
RETURNS = {"tsr *": "array", "const char *": "text", "tsr_fn *": "fn", "bool": "done",
           "const tsr_optimizer *": "optimizer", "int64_t": "number", "double": "number",
           "const tsr_sharding *": "sharding", "tsr_dims": "sizes", "void": "done"}


def letter(text, enums, records):
    """How ctypes is told a C type: a letter, or the name of a record passed by value."""
    text = " ".join(text.split())
    if text == "const char *":
        return "s"
    if text.endswith(("*", "]", ")")) or text == "tsr_raw":
        return "P"
    if text in LETTERS:
        return LETTERS[text]
    plain = text.replace("enum ", "")
    if plain in enums:
        return "i"
    assert plain in records, text
    return plain


# ---- tables

def union_letters(field):
    """A union as words of 8 bytes, which is how it is passed."""
    return {"as": ("q", "as", "3"), "": ("q", "to", "3")}[field.name]


def tables(api):
    lines = ['"""tables.py - tells ctypes of libtsr; tools/make_bindings.py made it of '
             'api/."""', "", "CONSTANTS = {"]
    lines += [f"    {name!r}: {value}," for name, value in api.constants.items()]
    lines += ["}", "", "# enum: its values by their names", "ENUMS = {"]
    for enum in api.enums.values():
        lines += filled(f"    {enum.name!r}: ", [f"{n!r}: {v}" for n, v, _ in enum.values], "{}")
    lines += ["}", "",
              "# record: its fields as (name, type, how many or 0, C type); a star in front of a",
              "# name begins at 8 bytes; a record of keywords with a size and a pointer",
              "RECORDS = {"]
    for record in api.records.values():
        fields = [("size", "Q", "0", ""), ("keyword_", "P", "0", "")] if record.keywords else []
        for f in record.fields:
            if f.type.startswith("union"):
                kind, name, count = union_letters(f)
                fields.append((name, kind, count, "union"))
                continue
            count = str(evaluated(f.count, api.constants)) if f.count else "0"
            fields.append(("*" * f.added + f.name, letter(f.type, api.enums, api.records), count,
                           f.type.replace("enum ", "")))
        lines += filled(f"    {record.name!r}: ", [repr_field(f) for f in fields], "[]")
    lines += ["}", "", "# function: type of its result, types of its parameters", "FUNCTIONS = {"]
    for f in api.functions:
        takes = " ".join(letter(kind, api.enums, api.records) for kind, _ in f.takes)
        if "..." in takes:
            continue
        returns = letter(f.returns, api.enums, api.records)
        lines.append(f'    "{f.symbol}": ("{returns}", "{takes}"),')
    lines.append("}")
    return "\n".join(long_lines(lines)) + "\n"


def repr_field(field):
    name, kind, count, of = field
    return f'("{name}", "{kind}", {count}, "{of}")'


def evaluated(text, constants):
    for name, value in constants.items():
        text = text.replace(name, str(value))
    return sum(int(part) for part in text.split("+"))


def filled(head, items, around):
    """A list or dict in as few lines as it takes."""
    text = head + around[0] + ", ".join(items) + around[1] + ","
    if len(text) <= WIDTH:
        return [text]
    lines, line = [head + around[0]], "        "
    for item in items:
        if len(line + item + ", ") > WIDTH and line.strip():
            lines.append(line.rstrip())
            line = "        "
        line += item + ", "
    return [*lines, line.rstrip(", ") + around[1] + ","]


def long_lines(lines):
    for line in lines:
        if len(line) <= WIDTH:
            yield line
        else:
            head, tail = line.split('", "', 1) if '", "' in line else line.rsplit(" ", 1)
            yield head + '",'
            yield '        "' + tail


# ---- annotations

HINTS = {"tsr_dims": "Dims", "tsr_dtype": "DTypeLike", "int": "int", "int64_t": "int",
         "size_t": "int", "double": "float", "bool": "bool", "tsr_arg": "ArrayLike",
         "tsr_groups": "Sequence[Sequence[int]]", "tsr_perm": "Any", "tsr *": "ArrayLike",
         "tsr **": "bool"}
RESULTS = {"array": "Array", "scoped": "Array", "text": "str", "done": "bool", "sizes": "Tuple"}


def hint(kind, ctype):
    """The type of a parameter in Python."""
    ctype = " ".join(ctype.replace("enum ", "").split())
    if kind in ("operand", "exponent", "exact", "bound", "number") or ctype in HANDLES:
        return "ArrayLike"
    if kind == "arguments" or kind == "list" and ctype == "tsr *const":
        return "Sequence[ArrayLike]"
    if kind == "axis" or ctype == "const char *":
        return "Axes" if kind == "axis" else "str"
    return HINTS.get(ctype, "Choice" if ctype.startswith("tsr_") and "*" not in ctype else "Any")


# ---- functions

class Writer:
    """One public function of Python."""

    def __init__(self, function, api):
        self.f, self.api, self.name = function, api, function.name.removeprefix("tsr_")
        if keyword.iskeyword(self.name) or self.name in ("complex",):
            self.name += "_" * keyword.iskeyword(self.name)
        self.before, self.given, self.made, self.sources = [], [], None, []
        self.positional, self.keywords, self.extra, self.hints = {}, [], [], {}
        self.before += [line for key, line in DEFAULTED.items() if key[0] == function.name]
        for p in function.parameters:
            self.parameter(p)

    def renamed(self, c_name):
        known = RENAMED.get((self.f.name, c_name))
        if known:
            return known
        if c_name == "dims" and (self.f.header in SIZES or self.f.name in OF_SIZES):
            return "shape"
        name = NAMES.get(c_name, c_name)
        return name + "_" * keyword.iskeyword(name)

    def parameter(self, p):
        kind = p.kind
        if kind == "context":
            self.given.append("c.pointer")
            return
        if kind == "keywords":
            self.record(p)
            return
        if kind == "made":
            self.made = p
            self.given.append("made")
            if not p.count.isdigit():
                self.before.append(f"made = places({p.count})")
            else:
                self.before.append(f"made = places({p.count})")
            return
        name = self.renamed("axis_name" if kind == "axis" else p.name)
        ctype = " ".join(p.type.split())
        self.positional[p.name] = name
        self.hints[name] = hint(kind, ctype)
        if kind in ("operand", "exponent", "exact", "bound", "number"):
            self.sources.append(name)
            self.before.append(f"{name} = c.operand({name})")
            self.given.append(name)
        elif kind == "rate":
            self.before.append(f"{name} = c.rate({name})")
            self.given.append(name)
        elif kind == "axis":
            self.given.append(f"axes({name})")
        elif kind == "arguments" or kind == "list" and ctype == "tsr *const":
            self.sources.append("*" + name)
            self.before.append(f"{name} = c.{'operands' if kind == 'arguments' else 'handles'}"
                               f"({name})")
            self.given += [name, f"len({name})"]
        elif kind == "list":
            self.before.append(f"{name} = listed({name})")
            self.given += [name, f"len({name})"]
        elif ctype in HANDLES:
            self.sources.append(name)
            self.before.append(f"{name} = c.handle({name}{', None' if p.optional else ''})")
            self.given.append(f"{name}._h")
        else:
            self.given.append(self.converted(ctype, name))

    def converted(self, ctype, name):
        plain = ctype.replace("enum ", "").replace("const ", "")
        if plain in self.api.enums and plain != "tsr_dtype":
            return f'enum("{plain}", {name})'
        return {"tsr_dims": f"dims({name})", "tsr_dtype": f"code({name})",
                "const char *": f"text({name})", "tsr_mesh *": f"pointer({name})",
                "tsr_sharding *": f"pointer({name})", "tsr_optimizer *": f"pointer({name})",
                "tsr_spec": f"spec({name})", "tsr_perm": f"pairs({name})"}.get(
                    plain if plain != "char *" else ctype, name)

    def record(self, p):
        fields = []
        for f in self.api.records[p.type].fields:
            if f.name in ("env", "env_size", "env_mask", "env_release"):
                continue
            if f.name.endswith("_count") and f.type == "size_t":
                continue
            name = self.renamed(f.name)
            if f.name == "axis" and f.type == "const char *":
                name = "axis_name"
            if f.name == "dims" and p.type in OF_SIZES_RECORDS:
                name = "shape"
            if name in self.positional.values():
                name += "_"
            self.keywords.append(name)
            self.hints[name] = "Axes" if name == "axis_name" else hint("", f.type)
            fields.append((f.name, name))
            if f.type in MADE_FIELDS:
                self.extra.append(f.name)
            if f.type in ("tsr *", "tsr_arg"):
                self.sources.append(name)
        words = ", ".join(f"{field + '_' * keyword.iskeyword(field)}={name}"
                          for field, name in fields)
        self.before.append(f'args = c.record("{p.type}", {words})')
        self.given.append("args")

    def signature(self):
        order = ORDER.get(self.f.name, list(self.positional))
        parts = []
        for c_name in order:
            default = DEFAULTS.get((self.f.name, c_name))
            parts.append(self.positional[c_name] + (f"={default}" if default else ""))
        kinds = {p.name: p.kind for p in self.f.parameters}
        if order and (kinds[order[-1]] == "arguments" or self.f.name in WRITTEN_OUT):
            parts[-1] = "*" + parts[-1]
        words = list(self.keywords)
        if self.made and not self.made.count.isdigit() and self.made.count not in order:
            parts.append(self.made.count)
        starred = any(part.startswith("*") for part in parts)
        if words and words[0] == "axis" and not starred:
            parts.append(words.pop(0) + "=None")
        for name in BY_PLACE.get(self.f.name, []):
            words.remove(name)
            parts.append(name + "=None")
        if words:
            parts += [*["*"] * (not starred), *(w + "=None" for w in words)]
        return [self.annotated(part) for part in parts]

    def annotated(self, part):
        """A parameter with its type."""
        name, equals, default = part.partition("=")
        known = self.hints.get(name.lstrip("*"), "int")
        if part == "*":
            return part
        if name.startswith("*"):
            known = "ArrayLike" if known.startswith("Sequence") else known
        if default == "None" and known not in ("Dims", "Any", "DTypeLike", "ArrayLike"):
            known = f"Optional[{known}]"
        return f"{name}: {known}" + (f" = {default}" if equals else "")

    def result(self):
        """The type of what it gives."""
        if self.made:
            return "List[Array]"
        if self.extra:
            return "Any"
        kind = RETURNS[self.f.returns]
        if kind == "number":
            return "float" if self.f.returns == "double" else "int"
        return RESULTS.get(kind, "Any")

    def context(self):
        return f"c = context_of({', '.join(dict.fromkeys(self.sources))})"

    def text(self):
        if len(self.f.parameters) > 1 and {p.kind for p in self.f.parameters} <= {
                "operand", "exponent"}:
            return self.of_operands()
        result = RETURNS[self.f.returns]
        call = f"_{self.name}(" + ", ".join(["c.place()", *self.given]) + ")"
        lines = [self.context(), *self.before]
        if result == "text" or self.f.kind != "pure" and result == "array" and not self.made:
            given = ", ".join([f"_{self.name}", "c.place()", *self.given])
            lines.append(f"return c.{'text' if result == 'text' else 'scoped'}({given})")
            return self.define(lines)
        if self.made:
            lines += [f"c.done({call})", "return c.arrays(made)"]
        elif self.extra:
            names = ", ".join(f'"{name}"' for name in self.extra)
            lines += [f"handle = {call}", f"return c.and_more(handle, args, {names})"]
        else:
            lines.append(f"return c.{result}({call})")
        return self.define(lines)

    def of_operands(self):
        names = ", ".join(self.positional.values())
        return self.define([f"return operands{len(self.f.parameters)}(_{self.name}, {names})"])

    def define(self, lines):
        head = wrapped(f"def {self.name}(", self.signature(), f") -> {self.result()}:", "")
        body = "\n".join(wrap_call(line) for line in lines)
        return f"{head}\n{docstring(self.f)}\n{body}\n"


def wrap_call(line):
    line = "    " + line
    if len(line) <= WIDTH:
        return line
    inner = re.match(r"    return c\.\w+\(_\w+\((?=c\.place)", line)
    at = inner.end() if inner and len(line) > WIDTH else line.index("(") + 1
    if inner:
        return wrapped(line[:at], split(line[at:-2]), "))", "")
    return wrapped(line[:at], split(line[at:-1]), ")", "")


def split(text):
    """At commas outside of parentheses."""
    depth, parts, part = 0, [], ""
    for character in text:
        depth += (character in "([") - (character in ")]")
        if character == "," and not depth:
            parts.append(part.strip())
            part = ""
        else:
            part += character
    return [*parts, part.strip()]


def wrapped(head, parts, end, indent):
    lines, line = [], indent + head
    room = " " * len(line) if len(line) < 40 else " " * (len(line) - len(line.lstrip()) + 8)
    if len(line) >= 40 and parts:
        lines.append(line)
        line = room
    for k, part in enumerate(parts):
        piece = part + (end if k + 1 == len(parts) else ", ")
        if len((line + piece).rstrip()) > WIDTH and line.strip():
            lines.append(line.rstrip())
            line = room
        line += piece
    if not parts:
        line += end
    return "\n".join([*lines, line])


# sentences about memory that only C has, and examples that are C's alone
UNSAID = [r" ?false(?: on failure)?: [^.]*\.", r" ?tsr \*\w+\[\w*\](?: = \{[^}]*\})?[;,]? ?",
          r" ?\(?abc: [a-z, ]+\.", r" ?C numbers are u32\."]
QUOTED = {"TSR_FILL_OR_DROP": '"fill"', "TSR_BOOL": "bool", "TSR_NONE": "None",
          "TSR_FLAT": "FLAT", "TSR_END": "END", "TSR_BEGIN": "BEGIN", "TSR_NULL": "None",
          "TSR_UNMAPPED": "UNMAPPED", "TSR_MAX_NDIM": "8"}


def _constant(match):
    """TSR_CLIP as "clip", TSR_COMBINE_ADD as "add"."""
    name = match[0]
    if name in QUOTED:
        return QUOTED[name]
    short = name[4:]
    for head in ("COMBINE_", "OVERLAP_", "REMAT_", "MULTIPLY_", "QUANTILE_", "PRECISION_",
                 "CONVOLVE_", "SCALE_", "FAN_", "WINDOW_", "SYMMETRIC_", "BY_"):
        if short.startswith(head) and short != head:
            short = short[len(head):]
    return f'"{short.lower()}"'


def spoken(doc):
    """The comment of the header in words of Python."""
    for pattern in UNSAID:
        doc = re.sub(pattern, " ", doc)
    doc = re.sub(r"TSR_DIMS\(([^()]*)\)", lambda m: f"({m[1]}{',' * (',' not in m[1])})"
                 if m[1] else "()", doc)
    doc = re.sub(r"\(tsr_dims\)\{\{0\}\}", "None", doc)
    doc = re.sub(r"TSR_(ERROR_\w+)", r"Error.\1", doc)
    doc = re.sub(r"TSR_([A-Z]+\d+)\b", lambda m: m[1].lower(), doc)
    doc = re.sub(r"TSR_(?:ARG|SPECS?|NAMES|LIST)\(([^()]*)\)", r"\1", doc)
    doc = re.sub(r"TSR_P\(", "P(", doc)
    doc = re.sub(r"(?<=[ ,])_(MUL|MIN|MAX)\b", lambda m: f'"{m[1].lower()}"', doc)
    doc = re.sub(r"\bTSR_[A-Z][A-Z_]*\b", _constant, doc)
    doc = re.sub(r"\.keep = true", "keepdims=True", doc)
    doc = re.sub(r"(?<=[ (])\.(dims?) = ", "axis=", doc)
    doc = re.sub(r"(?<=[ (])\.(\w+) = ", r"\1=", doc)
    doc = re.sub(r"(?<=[ (])\.([a-z]\w*)\b", lambda m: NAMES.get(m[1], m[1]), doc)
    doc = re.sub(r"=true\b", "=True", doc)
    doc = re.sub(r"\bNULL\b", "None", doc)
    doc = re.sub(r"(?<==)!(?=\w)", "not ", doc)
    doc = re.sub(r"\btsr_(\w+)\(\)", r"\1()", doc)
    doc = re.sub(r"\btsr_(\w+)(?=\()", r"\1", doc)
    doc = re.sub(r"(?<=\()ctx(?:, |(?=\)))", "", doc)
    doc = re.sub(r"(?<=[ (])&(?=[a-z])", "", doc)
    doc = re.sub(r"(?<=[a-z\])])->(?=[a-z])", ".", doc)
    doc = re.sub(r";(?=\s*$)", "", doc)
    doc = re.sub(r"\btsr_(\w+)", r"\1", doc)
    return re.sub(r" +", " ", doc).strip()


def docstring(function):
    text = spoken(" ".join(function.doc.split())).replace("\\", "\\\\")
    text = text + ("." if text.endswith('"') else "")
    lines = textwrap.wrap('"""' + text + '"""', WIDTH - 4, break_long_words=False,
                          break_on_hyphens=False)
    return "\n".join("    " + line for line in lines)


OF_SIZES_RECORDS = {"tsr_sample_args", "tsr_bernoulli_args", "tsr_categorical_args",
                    "tsr_ball_args", "tsr_orthogonal_args", "tsr_multivariate_normal_args"}
HELPERS = ("axes code context_of dims enum listed operands2 operands3 pairs places pointer spec "
           "text").split()


def module(header, functions, api):
    defined = [Writer(f, api).text() for f in functions]
    bound = [f"_{Writer(f, api).name} = lib.{f.symbol}" for f in functions]
    bound = [line if len(line) <= WIDTH else line.replace(" = ", " = \\\n    ") for line in bound]
    body = "\n".join(bound) + "\n\n\n" + "\n\n".join(defined)
    names = [h for h in HELPERS if re.search(rf"(?<![.\w]){h}\(", body)]
    imports = wrapped("from .._call import ", names, "", "") if names else ""
    if len("from .._call import " + ", ".join(names)) > WIDTH:
        imports = wrapped("from .._call import (", names, ")", "")
    hints = [h for h in ("Any Array ArrayLike Axes Choice DTypeLike Dims List Optional Sequence "
                         "Tuple").split() if re.search(rf"(?:: |-> |\[){h}\b", body)]
    typed = wrapped("from .._types import ", hints, "", "") + "\n" if hints else ""
    if len(typed) > WIDTH:
        typed = wrapped("from .._types import (", hints, ")", "") + "\n"
    constants = "FLAT, " if "= FLAT" in body else ""
    public = sorted(Writer(f, api).name for f in functions)
    return (f'"""{header}.py - the functions of tsr/{header}.h; tools/make_bindings.py made it of '
            f'api/."""\n{imports}\nfrom .._lib import {constants}lib\n{typed}\n'
            + wrapped("__all__ = [", [f'"{n}"' for n in public], "]", "") + "\n\n" + body)


def made(api):
    """path: text, of all that this writer makes."""
    by_header = {}
    for f in api.functions:
        if f.name not in BY_HAND:
            by_header.setdefault(f.header, []).append(f)
    texts = {FOLDER / "tables.py": tables(api)}
    for header, functions in by_header.items():
        texts[FOLDER / f"{header}.py"] = module(header, functions, api)
    star = "".join(f"from .{header} import *  # noqa: F401,F403\n" for header in sorted(by_header))
    texts[FOLDER / "public.py"] = (
        '"""public.py - all functions of the other files; tools/make_bindings.py made it of '
        'api/."""\n' + star)
    texts[FOLDER / "__init__.py"] = (
        '"""Public functions by header, and tables for ctypes; tools/make_bindings.py made them of '
        'api/."""\n')
    return texts
