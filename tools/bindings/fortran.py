"""fortran.py - writes the made files of bindings/fortran: the functions of C, and those of Fortran:

    pure tsr *tsr_sum(tsr *x, keywords tsr_sum_args);

of api/ becomes an interface of the function of C and a record of its keywords in tsr_c.f90, and in
tsr_made_operations.inc a function whose keywords are optional arguments:

    function tsr_sum(x, dims, keep, dtype) result(made)
            type(tsr_array), intent(in) :: x
            integer, intent(in), optional :: dims(:)
            ...
            call give(made, tsr_sum_at(c_null_ptr, handle_of(x), c_loc(how)))

Arrays of each kind and rank, and operators between arrays and numbers, are made here too. What
takes memory, records or bodies has no function of Fortran beyond those in tsr.f90."""
import re
import textwrap

import make_headers
from bindings import api

WIDTH = 100
MADE = "! Made by tools/make_bindings.py of api/: change that one."
BY_HAND = set("""open close status message clear is_poison scope_open scope_close scope_open_
    scope_close_ drop keep set set_tree drop_tree from wrap read read_into item shape text mesh_make
    ctx_of mesh_ctx fn_ctx frame_ctx poison call call_into jit shard_map grad value_and_grad vmap
    remat cond cond_into while while_into fori fori_into scan scan_into fn_release cleared
    frame_count return log_to""".split())
KINDS = [("r32", "real(real32)", "TSR_F32", 4), ("r64", "real(real64)", "TSR_F64", 8),
         ("c32", "complex(real32)", "TSR_C64", 8), ("c64", "complex(real64)", "TSR_C128", 16),
         ("i8", "integer(int8)", "TSR_I8", 1), ("i16", "integer(int16)", "TSR_I16", 2),
         ("i32", "integer(int32)", "TSR_I32", 4), ("i64", "integer(int64)", "TSR_I64", 8),
         ("b8", "logical(c_bool)", "TSR_BOOL", 1), ("l32", "logical", "TSR_BOOL", 4)]
MOST_RANK = 7
NUMBERS = [k for k in KINDS if k[0] in ("r32", "r64", "i32", "i64", "c32", "c64")]
OPERATORS = [("+", "add"), ("-", "sub"), ("*", "mul"), ("/", "div"), ("**", "pow"), ("==", "eq"),
             ("/=", "ne"), ("<", "lt"), ("<=", "le"), (">", "gt"), (">=", "ge")]
# C types by value: declaration, zero, size, alignment
NUMERIC = {"int": ("integer(c_int)", "0", 4), "int64_t": ("integer(c_int64_t)", "0", 8),
           "size_t": ("integer(c_size_t)", "0", 8), "double": ("real(c_double)", "0", 8),
           "bool": ("logical(c_bool)", ".false.", 1)}


def wrapped(head, parts, tail, tabs="\t"):
    """head, parts with commas between them, and tail, in lines of at most WIDTH"""
    lines, line = [], head
    for k, part in enumerate(parts):
        piece = part + (tail if k + 1 == len(parts) else ",")
        blank = "" if line.endswith("(") else " "
        if len((line + blank + piece).expandtabs(8)) > WIDTH - 2 and line.strip():
            lines.append(line + " &")
            line, blank = tabs + "\t", ""
        line += blank + piece
    return "\n".join([*lines, line if parts else line + tail]) + "\n"


def comment(text, tabs="\t"):
    """the comment of C in front of a declaration"""
    if not text:
        return ""
    words = " ".join(text.split())
    return "".join(f"{tabs}{'!>' if k == 0 else '!!'} {line}\n" for k, line in enumerate(
        textwrap.wrap(words, WIDTH - 3 - 8 * len(tabs), break_on_hyphens=False)))


# ---- the functions and records of C

class Types:
    def __init__(self, api):
        self.api = api
        self.sizes = {"tsr_arg": (32, 8), "tsr_out": (32, 8)}

    def of(self, kind):
        """Declaration, zero, size and alignment of a type."""
        kind = kind.removeprefix("enum ").strip()
        if "(*" in kind and "[" not in kind or kind == "tsr_raw":
            return "type(c_funptr)", "c_null_funptr", 8, 8
        if kind.endswith(("*", "]", "const")) or "(*)" in kind:
            return "type(c_ptr)", "c_null_ptr", 8, 8
        if kind in NUMERIC:
            declared, zero, size = NUMERIC[kind]
            return declared, zero, size, size
        if kind in self.api.enums:
            return "integer(c_int)", "0", 4, 4
        if kind in self.api.records:
            return (f"type({self.named(kind)})", None, *self.size(kind))
        if kind == "tsr_host_fn *":
            return "type(c_funptr)", "c_null_funptr", 8, 8
        return None

    @staticmethod
    def named(record):
        return record + "_c" if record in ("tsr_body", "tsr_axis_") else record

    def size(self, record):
        if record not in self.sizes:
            at, most = 0, 1
            for _, _, size, align, count, added in self.members(record):
                align = 8 if added else align
                at = -(-at // align) * align + size * count
                most = max(most, align)
            self.sizes[record] = (-(-at // most) * most, most)
        return self.sizes[record]

    def members(self, name):
        """(name, type, size, alignment, how many, added) of each member"""
        record = self.api.records[name]
        fields = [(f.type, f.name, f.count, f.added) for f in record.fields]
        if record.keywords:
            fields = [("size_t", "size", "", False), ("void *", "keyword_", "", False), *fields]
        for kind, field, count, added in fields:
            _, _, size, align = self.of(kind)
            yield field, kind, size, align, self.number(count), added

    def number(self, text):
        for name, value in self.api.constants.items():
            text = re.sub(rf"\b{name}\b", str(value), text)
        return sum(int(part) for part in text.split("+")) if text else 1


def record_text(types, name):
    text = f"\ttype, bind(c) :: {types.named(name)}\n"
    if name == "tsr_arg":
        return text + "\t\tinteger(c_int64_t) :: kind = 0, word(3) = 0\n\tend type\n"
    if name == "tsr_out":
        return text + "\t\tinteger(c_int64_t) :: own = 0\n\t\ttype(tsr_tree) :: to\n\tend type\n"
    at, pads = 0, 0
    for field, kind, size, align, count, added in types.members(name):
        natural = -(-at // align) * align
        if added and natural % 8:
            pads += 1
            text += f"\t\tcharacter(kind=c_char) :: pad_{pads}({8 - natural % 8}) = c_null_char\n"
            natural = -(-natural // 8) * 8
        at = natural + size * count
        declared, zero, _, _ = types.of(kind)
        many = f"({count})" if count > 1 else ""
        text += f"\t\t{declared} :: {field}{many}{f' = {zero}' if zero else ''}\n"
    return text + "\tend type\n"


def in_order(types, names):
    """records, those that others hold first"""
    done = []

    def add(name):
        if name in done:
            return
        if name not in ("tsr_arg", "tsr_out"):
            for _, kind, *_ in types.members(name):
                inner = kind.removeprefix("enum ").strip()
                if inner in types.api.records:
                    add(inner)
        done.append(name)
    for name in names:
        add(name)
    return done


def interface(types, f):
    """The interface of a function of C, or nothing where it has no type in Fortran."""
    if any(kind == "..." for kind, _ in f.takes):
        return ""
    own = f.symbol if f.symbol.endswith("_at") else f.name.rstrip("_") + "_c" + (
        "_" if f.name.endswith("_") else "")
    takes = [(name, types.of(kind)) for kind, name in f.takes]
    back = None if f.returns == "void" else types.of(f.returns)
    if any(kind is None for _, kind in takes) or (back is None and f.returns != "void"):
        return ""
    what = "function" if back else "subroutine"
    text = comment(f.doc, "\t\t") + wrapped(
        f"\t\t{what} {own}(", [name for name, _ in takes] or [""],
        f") bind(c, name='{f.symbol}')" + (" result(made)" if back else ""), "\t\t")
    text += "\t\t\timport\n"
    text += "".join(f"\t\t\t{kind[0]}, value :: {name}\n" for name, kind in takes)
    return text + (f"\t\t\t{back[0]} :: made\n" if back else "") + f"\t\tend {what}\n"


def module_of_c(types):
    api = types.api
    text = ("! tsr_c.f90 - declares the functions, records and constants of C for Fortran.\n"
            f"{MADE}\n"
            "! Names are those of C; functions without a place have _c behind their names.\n"
            "module tsr_c\n\tuse, intrinsic :: iso_c_binding\n\timplicit none\n\n")
    functions = {f.name for f in api.functions}
    for name, value in api.constants.items():
        if name.startswith(("TSR_MAX", "TSR_UN", "TSR_FLAT")):
            value = f"{value}" if value > -2 ** 31 else f"{value + 1} - 1"
            text += f"\tinteger(c_int), parameter :: {name} = {value}\n"
    for enum in api.enums.values():
        for name, value, doc in enum.values:
            if name.endswith("_"):
                continue
            own = name + "_VALUE" if name.lower() in functions else name
            text += comment(doc) + f"\tinteger(c_int), parameter :: {own} = {value}\n"
    held = [r for r in in_order(types, [
        r for r in api.records if r not in ("tsr_host_call", "tsr_host_type")])]
    text += "\n" + "".join(record_text(types, r) for r in held)
    return text + "\n\tinterface\n" + "".join(interface(types, f) for f in api.functions) \
        + "\tend interface\nend module\n"


# ---- functions of Fortran

class Taken:
    """A dummy argument: name, declaration, what C gets, local variables, lines before the call."""

    def __init__(self, name, declared, gives, local=(), first=()):
        self.name, self.declared, self.gives = name, declared, gives
        self.local, self.first = list(local), list(first)


OBJECTS = {"tsr_fn": "tsr_fn", "tsr_mesh": "tsr_mesh", "tsr_sharding": "tsr_sharding",
           "tsr_optimizer": "tsr_optimizer"}


def base_of(kind):
    return kind.replace("const ", "").replace("*", "").strip()


def text_argument(name, optional=""):
    return Taken(name, f"character(*), intent(in){optional} :: {name}", f"c_loc({name}_c)",
                 [f"character(kind=c_char), allocatable, target :: {name}_c(:)"],
                 [f"call c_string({name}, {name}_c)"])


def taken(f, p):
    """A parameter; None: it has no form in Fortran."""
    n, kind = p.name, p.kind
    plain = p.type.strip()
    if p.optional:
        return None
    if kind == "context":
        return Taken(n, f"type(tsr_context), intent(in) :: {n}", f"{n}%ptr")
    if kind in ("operand", "exponent", "exact", "bound", "number", "argument"):
        return Taken(n, f"class(*), intent(in) :: {n}", f"operand_of({n})")
    if kind == "rate":
        return Taken(n, f"class(*), intent(in) :: {n}", f"tsr_rate(c_null_ptr, real_of({n}))")
    if kind == "axis" or kind == "plain" and plain == "const char *":
        return text_argument(n)
    if kind == "list" and base_of(p.type) == "tsr" or \
            kind == "plain" and plain == "tsr *const *":
        lists = Taken(n, f"type(tsr_array), intent(in) :: {n}(:)", f"c_loc({n}_c)",
                      [f"type(c_ptr), allocatable, target :: {n}_c(:)"],
                      [f"call list_of({n}, {n}_c)"])
        if kind == "list":
            lists.gives += f", size({n}, kind=c_size_t)"
        return lists
    if kind == "made":
        return Taken(None, None, "c_loc(out)")
    if kind != "plain":
        return None
    lists = [q.name for q in f.parameters if q.type.strip() == "tsr *const *"]
    if n == "n" and plain == "size_t" and lists:
        return Taken(None, None, f"size({lists[0]}, kind=c_size_t)")
    if plain in ("tsr *", "const tsr *"):
        return Taken(n, f"type(tsr_array), intent(in) :: {n}", f"handle_of({n})")
    if plain.endswith("*") and base_of(plain) in OBJECTS:
        return Taken(n, f"type({base_of(plain)}), intent(in) :: {n}", f"{n}%ptr")
    if plain == "tsr_dims":
        return Taken(n, f"integer, intent(in) :: {n}(:)", f"dims_of({n})")
    if plain == "tsr_spec":
        return Taken(n, f"character(*), intent(in) :: {n}(:)", f"{n}_c",
                     ["character(kind=c_char), target :: room(64, TSR_MAX_NDIM)",
                      f"type(tsr_spec) :: {n}_c"], [f"call spec_of({n}, room, {n}_c)"])
    if plain == "tsr_tree":
        return Taken(n, f"type(tsr_array), intent(in) :: {n}(:)", f"tree_of({n}_c, size({n}))",
                     [f"type(c_ptr), allocatable, target :: {n}_c(:)"],
                     [f"call list_of({n}, {n}_c)"])
    if plain in ("int", "int64_t", "size_t") or plain.startswith("enum ") or plain == "tsr_dtype":
        c = {"int64_t": "c_int64_t", "size_t": "c_size_t"}.get(plain, "c_int")
        return Taken(n, f"integer, intent(in) :: {n}", f"int({n}, {c})")
    if plain == "double":
        return Taken(n, f"class(*), intent(in) :: {n}", f"real_of({n})")
    if plain == "bool":
        return Taken(n, f"logical, intent(in) :: {n}", f"logical({n}, c_bool)")
    return None


def keyword(field):
    """A keyword as an optional argument; None: it has no form in Fortran."""
    n, kind = field.name, field.type.strip()
    if field.count or "(" in kind or n in ("env", "captures", "env_size", "env_mask"):
        return None
    optional = ", optional"
    if kind == "const char *":
        t = text_argument(n, optional)
        t.gives = None
        t.first = [f"if (present({n})) call c_string({n}, {n}_c)",
                   f"if (present({n})) how%{n} = c_loc({n}_c)"]
        return t
    declared, value = {
        "bool": ("logical", f"logical({n}, c_bool)"), "tsr_dims": ("integer", f"dims_of({n})"),
        "int": ("integer", f"int({n}, c_int)"), "int64_t": ("integer", f"int({n}, c_int64_t)"),
        "size_t": ("integer", f"int({n}, c_size_t)"), "double": ("class(*)", f"real_of({n})"),
        "tsr_arg": ("class(*)", f"operand_of({n})"),
        "tsr *": ("type(tsr_array)", f"handle_of({n})"),
        "const tsr *": ("type(tsr_array)", f"handle_of({n})"),
        "const tsr_mesh *": ("type(tsr_mesh)", f"{n}%ptr"),
        "const tsr_sharding *": ("type(tsr_sharding)", f"{n}%ptr"),
    }.get(kind, (None, None))
    if not declared and (kind.startswith("enum ") or re.fullmatch(
            r"tsr_(dtype|precision|fft_norm|remat_save|reproducible)", kind)):
        declared, value = "integer", f"int({n}, c_int)"
    if not declared:
        return None
    many = "(:)" if kind == "tsr_dims" else ""
    ends = " &\n\t\t\t" if len(n) > 20 else " "
    return Taken(n, f"{declared}, intent(in){optional} :: {n}{many}", None,
                 first=[f"if (present({n})){ends}how%{n} = {value}"])


RETURNS = {"tsr *": ("type(tsr_array) :: made", "call give(made, {})"),
           "bool": ("logical :: made", "made = {}"),
           "double": ("real(real64) :: made", "made = {}"),
           "const char *": ("character(:), allocatable :: made", "made = text_of({})"),
           "tsr_dims": ("integer, allocatable :: made(:)\n\t\ttype(tsr_dims) :: list",
                        "list = {}\n\t\tmade = int(list%d(2:max(1_c_int64_t, list%d(1))))"),
           "void": (None, "call {}")}


def returned(kind):
    if kind in RETURNS:
        return RETURNS[kind]
    if kind in ("int", "int64_t", "size_t", "tsr_dtype"):
        return "integer :: made", "made = int({})"
    if kind.endswith("*") and base_of(kind) in OBJECTS:
        return f"type({base_of(kind)}) :: made", "made%ptr = {}"
    return None


def parameters_of(f):
    if f.parameters is not None:
        return f.parameters
    return [make_headers.Parameter(f"{kind}{'' if kind.endswith('*') else ' '}{name}", f.name, k)
            for k, (kind, name) in enumerate(f.takes)]


class View:
    def __init__(self, f):
        self.parameters, self.name, self.doc, self.returns = parameters_of(f), f.name, f.doc, \
            f.returns
        self.place = f.parameters is not None
        self.symbol = f.symbol if self.place else f.name + "_c"


def function(types, f):
    """The text of a function of Fortran; None where it has none."""
    f = View(f)
    each, local, how = [], [], None
    for p in f.parameters:
        if p.kind == "keywords":
            how = p.type
            for field in types.api.records[how].fields:
                k = keyword(field)
                if k and k.name not in [t.name for t in each]:
                    each.append(k)
            each.append(Taken(None, None, "c_loc(how)"))
            continue
        t = taken(f, p)
        if not t:
            return None
        each.append(t)
    back = returned(f.returns)
    if not back:
        return None
    declared, does = back
    made = [p for p in f.parameters if p.kind == "made"]
    gives = [t.gives for t in each if t.gives]
    alone = len(f.parameters) > 1 and {p.kind for p in f.parameters} <= {"operand", "exponent"}
    first = [line for t in each for line in t.first]
    if alone:
        local.append(f"type(tsr_arg), target :: pair({len(gives)})")
        first += [f"pair({k + 1}) = {text}" for k, text in enumerate(gives)]
        gives = ["c_loc(pair)"]
    if how:
        local.append(f"type({how}), target :: how")
        first.insert(0, "how%size = c_sizeof(how)")
    last = []
    if made:
        lists = [q.name for q in f.parameters if q.type.strip() == "tsr *const *"]
        count = made[0].count
        count = f"size({lists[0]})" if count == "n" and lists else \
            "size(dims)" if count == "TSR_MAX_NDIM" else count
        declared, does = f"type(tsr_array) :: made({count})", "ok = {}"
        local += [f"type(c_ptr), target :: out(max(1, {count}))", "logical :: ok", "integer :: k"]
        first.append("out = c_null_ptr")
        last = ["do k = 1, size(made)", "\tcall give(made(k), out(k))", "end do",
                "if (.not. ok) return"]
    local += [line for t in each for line in t.local]
    names = [t.name for t in each if t.name]
    if "made" in names or "how" in names or "k" in names and made:
        return None
    what = "function" if declared else "subroutine"
    before, after = does.split("{}")
    call = wrapped(f"\t\t{before}{f.symbol}(", ["c_null_ptr"] * f.place + gives or [""],
                   ")" + after, "\t\t").strip()
    text = comment(f.doc) + wrapped(f"\t{what} {f.name}(", names or [""],
                                    ")" + (" result(made)" if declared else ""))
    text += "".join(f"\t\t{t.declared}\n" for t in each if t.declared)
    text += f"\t\t{declared}\n" if declared else ""
    text += "".join(f"\t\t{line}\n" for line in dict.fromkeys(local)) + "\n"
    lines = [*first, call, *last]
    return text + "".join(f"\t\t{line}\n" for line in lines) + f"\tend {what}\n"


def operations(types):
    text = f"! tsr_made_operations.inc - the functions of the library.\n{MADE}\n"
    for f in types.api.functions:
        if f.name.removeprefix("tsr_") in BY_HAND or any(k == "..." for k, _ in f.takes) \
                or not interface(types, f):
            continue
        made = function(types, f)
        if made:
            text += "\n" + made
    return text


# ---- arrays of each kind and rank

def element(rank, moved=None):
    if not rank:
        return "a"
    return "a(" + ", ".join(f"l({d})" + (" + 1" if d == moved else "")
                            for d in range(1, rank + 1)) + ")"


def strides_of(rank, size):
    lines = []
    if not rank:
        return ["data = c_loc(a)"]
    lines = ["if (size(a) > 0) then", f"\tl(:{rank}) = lbound(a)",
             f"\tbase = address(c_loc({element(rank)}))",
             f"\tdata = c_loc({element(rank)})"]
    for d in range(1, rank + 1):
        lines.append(f"\tif (size(a, {d}) > 1) &")
        lines.append(f"\t\tstrides({d}) = address(c_loc({element(rank, d)})) - base")
    return [*lines, "end if"]


def cases(does):
    text = "\t\tselect rank (a)\n"
    for rank in range(MOST_RANK + 1):
        text += f"\t\trank ({rank})\n" + "".join(f"\t\t\t{line}\n" for line in does(rank))
    return text + "\t\tend select\n"


def from_kind(name, kind, dtype):
    inner = "logical(c_bool)" if name == "l32" else kind

    def case(rank):
        flat = "[a]" if not rank else "reshape(a, [size(a)])"
        return [f"flat(:) = logical({flat}, c_bool)" if name == "l32" else f"flat(:) = {flat}"]

    return (f"\n\tfunction from_{name}(ctx, a) result(x)\n"
            "\t\ttype(tsr_context), intent(in) :: ctx\n"
            f"\t\t{kind}, intent(in) :: a(..)\n\t\ttype(tsr_array) :: x\n"
            f"\t\t{inner}, allocatable, target :: flat(:)\n\n"
            "\t\tallocate (flat(size(a)))\n" + cases(case)
            + f"\t\tcall from_memory(x, ctx, c_loc(flat), {dtype}, shape(a))\n"
            "\tend function\n")


def moved(name, kind, dtype, size, reads):
    """wrap_KIND or read_KIND"""
    head = f"\n\tsubroutine read_{name}(x, a, stat, errmsg)\n" \
        "\t\ttype(tsr_array), intent(in) :: x\n" \
        f"\t\t{kind}, intent(inout), target :: a(..)\n" \
        "\t\tinteger, intent(out), optional :: stat\n" \
        "\t\tcharacter(*), intent(inout), optional :: errmsg\n" if reads else \
        f"\n\tfunction wrap_{name}(ctx, a) result(x)\n" \
        "\t\ttype(tsr_context), intent(in) :: ctx\n" \
        f"\t\t{kind}, pointer, intent(in) :: a(..)\n\t\ttype(tsr_array) :: x\n"
    last = f"\t\tcall read_memory(x, data, {dtype}, strides, stat, errmsg)\n\tend subroutine\n" \
        if reads else \
        f"\t\tcall wrap_memory(x, ctx, data, {dtype}, shape(a), strides)\n\tend function\n"
    return (head + "\t\tinteger(c_int64_t) :: strides(rank(a)), base\n"
            f"\t\tinteger :: l({MOST_RANK})\n"
            "\t\ttype(c_ptr) :: data\n\n"
            + ("\t\tif (.not. same_shape(x, shape(a), stat, errmsg)) return\n" if reads else "")
            + f"\t\tstrides = {size}\n\t\tdata = c_null_ptr\n"
            + cases(lambda rank: strides_of(rank, size)) + last)


def read_logical():
    def case(rank):
        return ["a = flat(1)"] if not rank else ["a = reshape(flat, shape(a))"]

    return ("\n\tsubroutine read_l32(x, a, stat, errmsg)\n"
            "\t\ttype(tsr_array), intent(in) :: x\n\t\tlogical, intent(inout) :: a(..)\n"
            "\t\tinteger, intent(out), optional :: stat\n"
            "\t\tcharacter(*), intent(inout), optional :: errmsg\n"
            "\t\tlogical(c_bool), allocatable, target :: flat(:)\n"
            "\t\tinteger(c_int64_t) :: strides(rank(a))\n\t\tinteger :: d, sizes(rank(a))\n\n"
            "\t\tif (.not. same_shape(x, shape(a), stat, errmsg)) return\n"
            "\t\tsizes = shape(a)\n\t\tallocate (flat(max(1, product(sizes))))\n"
            "\t\tflat = .false.\n"
            "\t\tstrides = [(product(int(sizes(1:d - 1), c_int64_t)), d=1, size(sizes))]\n"
            "\t\tcall read_memory(x, c_loc(flat), TSR_BOOL, strides, stat, errmsg)\n"
            + cases(case) + "\tend subroutine\n")


def memory():
    text = ("! tsr_made_memory.inc - arrays of Fortran of each kind and rank.\n" + MADE + "\n")
    for name, kind, dtype, size in KINDS:
        text += from_kind(name, kind, dtype)
        if name == "l32":
            text += read_logical()
        else:
            text += moved(name, kind, dtype, size, False) + moved(name, kind, dtype, size, True)
    return text


# ---- operators

def operators():
    text = ("! tsr_made_operators.inc - operators between arrays, and between arrays and numbers.\n"
            + MADE + "\n")
    for _, name in OPERATORS:
        sides = [("aa", "type(tsr_array)", "type(tsr_array)")]
        for short, kind, _, _ in NUMBERS:
            sides += [(f"a_{short}", "type(tsr_array)", kind), (f"{short}_a", kind,
                                                               "type(tsr_array)")]
        for short, left, right in sides:
            text += (f"\n\tfunction {name}_{short}(a, b) result(y)\n"
                     f"\t\t{left}, intent(in) :: a\n\t\t{right}, intent(in) :: b\n"
                     "\t\ttype(tsr_array) :: y\n\t\ttype(tsr_arg), target :: pair(2)\n\n"
                     "\t\tpair(1) = operand_of(a)\n\t\tpair(2) = operand_of(b)\n"
                     f"\t\tcall give(y, tsr_{name}_at(c_null_ptr, c_loc(pair)))\n\tend function\n")
    for name in ("neg", "logical_not"):
        text += (f"\n\tfunction {name}_a(a) result(y)\n\t\ttype(tsr_array), intent(in) :: a\n"
                 "\t\ttype(tsr_array) :: y\n\n"
                 f"\t\tcall give(y, tsr_{name}_at(c_null_ptr, handle_of(a)))\n\tend function\n")
    return text


def interfaces():
    text = f"\t! tsr_made_interfaces.inc - generic names.\n\t{MADE}\n"
    each = [k[0] for k in KINDS]
    generic = [("tsr_from", "A copy of an array of Fortran, of rank 0 to 7: x = tsr_from(ctx, a).",
                [f"from_{k}" for k in each]),
               ("tsr_wrap", "An array of Fortran without a copy. It must be a variable with the "
                "attribute target or pointer, which stays as it is until the arrays that are made "
                "of it have gone: x = tsr_wrap(ctx, a).",
                [f"wrap_{k}" for k in each if k != "l32"]),
               ("tsr_read", "All elements, converted, into an array of the same shape: call "
                "tsr_read(x, a). stat is 0 or the code of an error, and errmsg its text.",
                [f"read_{k}" for k in each])]
    for sign, name in OPERATORS:
        names = [f"{name}_aa"] + [f"{name}_{side}" for k in NUMBERS
                                  for side in (f"a_{k[0]}", f"{k[0]}_a")]
        generic.append((f"operator({sign})", "", names + ["neg_a"] * (sign == "-")))
    generic.append(("operator(.not.)", "", ["logical_not_a"]))
    for name, doc, procedures in generic:
        text += comment(doc) + f"\tinterface {name}\n" + wrapped(
            "\t\tprocedure ", procedures, "", "\t\t") + "\tend interface\n"
        text += wrapped("\tprivate :: ", procedures, "")
    return text


def made(public):
    """The texts of the files that are made, by path."""
    types, folder = Types(public), api.ROOT / "bindings/fortran"
    texts = {"tsr_c.f90": module_of_c(types), "tsr_made_interfaces.inc": interfaces(),
             "tsr_made_memory.inc": memory(), "tsr_made_operations.inc": operations(types),
             "tsr_made_operators.inc": operators()}
    # Fortran knows no tabs
    return {folder / name: text.replace("\t", "  ") for name, text in texts.items()}
