"""cxx.py - writes the prototypes for C++: include/tsr/detail/keywords.hpp and ops.hpp

    pure tsr *tsr_sum(tsr *x, keywords tsr_reduce_args);

of api/ becomes a class of keywords, whose setters are called in a row, and a function that throws:

    class reduce_args : ... { reduce_args &dims(const tsr::dims &v); .. };
    inline array sum(const array &x, const reduce_args &args = reduce_args(),
                     place at = place::here())

so that sum(x, reduce_args().dims({0})) sums the columns. What takes bodies or places for results is
written by hand, in fn.hpp and control.hpp; BY_HAND lists it, and everything else is made."""
import re
import textwrap

import make_headers
from bindings import api

WIDTH = 100
# words of C++ that are names of ours
WORDS = {"and", "or", "not", "xor", "while", "switch", "case", "default", "int", "float", "double",
         "bool", "new", "delete", "operator", "template", "class", "this", "union"}
# made by hand in fn.hpp, control.hpp and values.hpp, or by what arrays and contexts do themselves
BY_HAND = set("""
    jit vmap pmap remat shard_map grad value_and_grad jvp jacfwd jacrev hessian custom_jvp
    custom_vjp train_step cond cond_into switch switch_into while while_into fori fori_into
    fori_unrolled fori_unrolled_into scan scan_into map map_into map_batched map_batched_into
    associative_scan associative_scan_into reduce reduce_into reduce_window_by linearize
    linearize_aux vjp vjp_aux linear_transpose call call_into fn_text pure_callback io_callback
    debug_callback tree_map open close fn_release fn_name fn_stats from read read_into item
    item_int text ctx_of mesh_ctx fn_ctx frame_ctx status message clear cleared poison is_poison
    scope_open scope_close scope_open_ scope_close_ keep set drop set_tree drop_tree mesh_make
    sharding_make""".split())
# of C alone: bodies in the frame form, trees by their type, what only a macro makes safe, and what
# fills records that another function returns
OF_C = set("""frame_count frame_arg frame_tree frame_env frame_captures return tree_as tree_zip
    optimization_barrier_into printf mesh_begin mesh_end memory_fill device_fill fn_stats_fill
    axis_sizes log_to batches_next
    reduce_window_by_into""".split())
# trees whose leaves a call replaces
WRITTEN = {("put_tree", "to"), ("constrain_tree", "to"), ("load", "to"), ("make_params", "to"),
           ("checkpoint_load", "to"), ("optimizer_update", "params"), ("optimizer_update", "state"),
           ("train", "params"), ("train", "state")}
HEAD = """\
/* tsr/detail/{file} - {purpose}. Part of
 * tsr/tsr.hpp.
 *
 * Comments are those of C: TSR_DIMS(2, 3) is {{2, 3}} here, TSR_F32 is what it was, and a keyword
 * .dims = TSR_DIMS(0) of sum() is sum_args().dims({{0}}). */
/* Made by tools/make_bindings.py of api/: change that one. */
#ifndef TSR_DETAIL_{guard}_HPP
#define TSR_DETAIL_{guard}_HPP
#include "{include}"

namespace tsr {{

"""
FOOT = "\n} // namespace tsr\n#endif\n"


def named(name):
    short = name.removeprefix("tsr_")
    return short + "_" if short in WORDS else short


def wrapped(head, parts, tail):
    """head, parts with commas between them, and tail, in lines of at most WIDTH"""
    lines, line = [], head
    for k, part in enumerate(parts):
        piece = part + (tail if k + 1 == len(parts) else ",")
        blank = "" if line.endswith("(") or not line.strip() else " "
        if len((line + blank + piece).expandtabs(8)) > WIDTH and line.strip():
            lines.append(line)
            tabs = len(head) - len(head.lstrip("\t")) + 1
            line, blank = "\t" * tabs, ""
        line += blank + piece
    return "\n".join([*lines, line if parts else line + tail])


def comment(text, tabs=""):
    """The comment of C in front of a declaration, with these names for its functions, filled up to
    WIDTH; indented lines are examples, and stay."""
    if not text:
        return ""
    paragraphs = []
    for line in re.sub(r"\btsr_(\w+)\(", lambda m: named(m[1]) + "(", text).split("\n"):
        example = line.startswith("    ") and not line.startswith(" " * 9)
        if example or not line.strip() or not paragraphs or not paragraphs[-1].strip() \
                or paragraphs[-1].startswith("    "):
            paragraphs.append(line if example else line.strip())
        else:
            paragraphs[-1] += " " + line.strip()
    out = []
    for paragraph in paragraphs:
        out += [paragraph] if paragraph.startswith("    ") else textwrap.wrap(
            paragraph, WIDTH - 7 - 8 * len(tabs), break_long_words=False,
            break_on_hyphens=False) or [""]
    while out and not out[-1]:
        out.pop()
    return "".join(f"{tabs}{'/**' if k == 0 else ' *'} {line}".rstrip()
                   + (" */" if k + 1 == len(out) else "") + "\n" for k, line in enumerate(out))


# ---- records of keywords

LISTS = {
    "tsr_specs": ("std::initializer_list<tsr::spec> v",
                  ["const tsr_spec *all = hold(std::vector<tsr_spec>(v.begin(), v.end()));",
                   "for (std::size_t i = 0; i < v.size() && i < TSR_MAX_ARGS; i++)",
                   "\t{C}::{f}[i].count = 1, {C}::{f}[i].leaf = all + i;"]),
    "tsr_mapped": ("std::initializer_list<int> v",
                   ["const int *all = hold(std::vector<int>(v));",
                    "for (std::size_t i = 0; i < v.size() && i < TSR_MAX_ARGS; i++)",
                    "\t{C}::{f}[i].count = 1, {C}::{f}[i].dim = all + i;"]),
    "tsr_result_type": ("std::initializer_list<tsr_result_type> v",
                        ["std::size_t i = 0;",
                         "for (const tsr_result_type &each : v)",
                         "\tif (i < TSR_MAX_ARGS) {C}::{f}[i++] = each;"]),
}
SINGLE = {
    "tsr_specs": ("const tsr::spec &v", ["{C}::{f}.leaf = hold(std::vector<tsr_spec>(1, v));",
                                    "{C}::{f}.count = 1;"]),
    "tsr_names": ("std::initializer_list<const char *> v",
                  ["{C}::{f}.name = hold(std::vector<const char *>(v));",
                   "{C}::{f}.count = static_cast<std::int64_t>(v.size());"]),
    "tsr *": ("const array &v", ["{C}::{f} = v.get();"]),
    "tsr_arg": ("const operand &v", ["{C}::{f} = v.arg();"]),
    "tsr_dims": ("const tsr::dims &v", ["{C}::{f} = v;"]),
    "tsr_spec": ("const tsr::spec &v", ["{C}::{f} = v;"]),
    "const tsr_mesh *": ("const tsr::mesh &v", ["{C}::{f} = v.get();"]),
    "const tsr_sharding *": ("const tsr::sharding &v", ["{C}::{f} = v.get();"]),
}
# what lambdas do better
NOT_SET = {"env", "env_size", "env_release", "env_mask", "captures"}


def setter(record, field):
    """A setter, or nothing for what has none: functions, places, trees."""
    kind, name = field.type, field.name
    if name in NOT_SET | {"size", "keyword_"} or "(" in kind or kind in ("tsr **", "tsr_tree"):
        return ""
    takes, does = (LISTS if field.count else SINGLE).get(kind, (None, None))
    if not takes:
        if field.count:
            return ""
        kind = re.sub(r"\btsr \*", "tsr_handle *", kind)
        takes, does = f"{kind}{'' if kind.endswith('*') else ' '}v", ["{C}::{f} = v;"]
    lines = [line.format(C="own", f=name).replace("own::", "own.") for line in does]
    if len(lines) > 1:
        lines.insert(0, f"{record.name} &own = *this;")
    else:
        lines = [line.replace("own.", f"{record.name}::") for line in lines]
    own = named(record.name)
    return (comment(field.doc, "\t")
            + f"\t{own} &{named(name)}({takes})\n\t{{\n"
            + "".join(f"\t\t{line}\n" for line in [*lines, "return *this;"]) + "\t}\n")


def keywords(records):
    text = HEAD.format(file="keywords.hpp", purpose="keywords as classes with setters that are "
                       "called in a row", guard="KEYWORDS", include="tree.hpp")
    for record in records:
        own = named(record.name)
        text += (comment(record.doc)
                 + f"class {own} : public detail::keywords<{record.name}> {{\npublic:\n"
                 + "".join(setter(record, f) for f in record.fields) + "};\n")
    return text + ("inline context::context(const open_args &how, place at)\n"
                   "{\n\topen(how.get(), at);\n}\n") + FOOT


# ---- functions

class Taken:
    """A parameter in C++: as declared, what C gets, and which expression has its context."""

    def __init__(self, takes, gives, home=None, where=None, first=(), last=(), template=None):
        self.takes, self.gives, self.home, self.where = takes, gives, home, where
        self.first, self.last, self.template = first, last, template


PLAIN = {
    "tsr *": ("const array &{n}", "{n}.get()", "tsr_ctx_of({n}.get())"),
    "const tsr *": ("const array &{n}", "{n}.get()", "tsr_ctx_of({n}.get())"),
    "tsr_fn *": ("const fn &{n}", "{n}.get()", "tsr_fn_ctx({n}.get())"),
    "const tsr_fn *": ("const fn &{n}", "{n}.get()", "tsr_fn_ctx({n}.get())"),
    "tsr_mesh *": ("const mesh &{n}", "{n}.get()", "tsr_mesh_ctx({n}.get())"),
    "const tsr_mesh *": ("const mesh &{n}", "{n}.get()", "tsr_mesh_ctx({n}.get())"),
    "const tsr_sharding *": ("const sharding &{n}", "{n}.get()", None),
    "tsr_tree": ("const tree &{n}", "{n}.get()", "detail::context_of_tree({n})"),
    "tsr_dims": ("const dims &{n}", "{n}", None),
    "tsr_spec": ("const spec &{n}", "{n}", None),
    "tsr_ctx *": ("const context &{n}", "{n}.get()", "{n}.get()"),
    "const tsr_ctx *": ("const context &{n}", "{n}.get()", "{n}.get()"),
}


def taken(operation, p):
    n, kind = p.name, p.kind
    if n in ("dims", "spec", "mesh", "sharding", "tree", "fn", "from", "at"):
        n = {"fn": "f", "mesh": "m", "tree": "t"}.get(n, n + "_")
    if kind == "context":
        return Taken(f"const within &{n}", f"{n}.get()", f"{n}.get()", f"{n}.where()")
    if kind in ("operand", "exponent", "exact", "bound"):
        return Taken(f"const operand &{n}", f"{n}.arg()", f"detail::context_or({n}, nullptr)",
                     f"{n}.where()")
    if kind == "number":
        return Taken(f"const number &{n}", f"{n}.arg()")
    if kind == "rate":
        return Taken(f"const rate &{n}", f"{n}.get()")
    if kind == "argument":
        return Taken(f"const argument &{n}", f"{n}.arg()")
    if kind == "axis":
        return Taken(f"const char *{n}", n)
    if kind == "memory":
        const = "const " if p.type.startswith("const") else ""
        return Taken(f"{const}T *{n}", f"detail::element_of<T>(), {n}", template="class T")
    if kind == "keywords":
        own = named(p.type)
        return Taken(f"const {own} &{n} = {own}()", f"{n}.get()")
    if kind == "list":
        inner = p.type.strip()
        if inner == "tsr *const":
            return Taken(f"const arrays &{n}", f"{n}.data(), {n}.size()",
                         f"detail::context_of_arrays({n})")
        return Taken(f"std::initializer_list<{inner.removeprefix('const ').removesuffix('const')}> "
                     f"{n}", f"{n}.begin(), {n}.size()")
    if kind == "arguments":
        return Taken(f"const A &...{n}", "given.data(), given.size()",
                     f"detail::context_of({n}...)", template="class... A",
                     first=[f"const detail::given<A...> given({n}...);"])
    if kind == "made":
        return Taken(None, "out")
    written = (named(operation.name), p.name) in WRITTEN
    kind = p.type.strip()
    lists = [q.name for q in operation.of if q.type.strip() == "tsr *const *"]
    if kind == "tsr *const *":
        return Taken(f"const arrays &{n}", f"{n}.data()", f"detail::context_of_arrays({n})")
    if lists and n == "n" and kind == "size_t":
        return Taken(None, f"{lists[0]}.size()", first=[f"const std::size_t n = {lists[0]}.size();"]
                     if any(q.kind == "made" for q in operation.of) else ())
    if written:
        T = "T" if n == "to" else n.capitalize()
        return Taken(f"{T} &{n}", f"to_{n}.get()", first=[f"detail::written<{T}> to_{n}({n});"],
                     last=[f"to_{n}.take();"], template=f"class {T}",
                     home=f"detail::context_of({n})")
    if p.optional:
        kind = "tsr *"
    if kind in PLAIN:
        takes, gives, home = PLAIN[kind]
        return Taken(takes.format(n=n), gives.format(n=n), home and home.format(n=n))
    kind = re.sub(r"\btsr \*", "tsr_handle *", kind)
    return Taken(f"{kind}{'' if kind.endswith('*') else ' '}{n}", n)


def returned(kind):
    """The type in C++ and how the value of C becomes it."""
    kind = kind.strip()
    return {"tsr *": ("array", "array::adopt({})"), "tsr_fn *": ("fn", "fn({})"),
            "tsr_mesh *": ("mesh", "mesh({})"),
            "const tsr_sharding *": ("sharding", "sharding({})"),
            "const char *": ("std::string", "detail::text_of({})"),
            "tsr_dims": ("dims", "dims({})"),
            "tsr_spec": ("spec", "spec({})"),
            "tsr_tree": ("std::vector<array>", "detail::leaves_of({})"),
            }.get(kind, (kind, "{}"))


def result_lines(operation, call, home, last):
    """The lines of the body behind its variables."""
    lasts = [f"\t{line}" for line in last]
    made = [p for p in operation.of if p.kind == "made"]
    check = [f"\tdetail::settle({home});"] if home else []
    kind, become = returned(operation.returns)
    if made:
        n = made[0].count
        take = "detail::take(out)" if n.isdigit() else \
            f"detail::take(out, {'n' if n == 'n' else 'dims_.size()'})"
        return [*call(""), *check, f"\treturn {take};"]
    if kind == "void":
        return [*call(""), *check, *lasts]
    if kind == "array" and not last:
        return [*call("tsr_handle *made = "), *check, "\treturn array::adopt(made);"]
    const = "" if kind.startswith("const ") or "*" in kind else "const "
    inner = {"std::string": "const char *", "array": "tsr_handle *", "fn": "tsr_fn *",
             "mesh": "tsr_mesh *", "sharding": "const tsr_sharding *"}.get(
                 kind, f"{const}{operation.returns.strip()} ")
    return [*call(f"{inner}{'' if inner.endswith('*') else ''}made = "), *check, *lasts,
            f"\treturn {become.format('made')};"]


def room_of(operation):
    """The variable that results of a `made` parameter go to, and the type of the whole."""
    made = [p for p in operation.of if p.kind == "made"]
    if not made:
        return [], None
    count = made[0].count
    if count.isdigit():
        return [f"tsr_handle *out[{count}] = {{}};"], f"std::array<array, {count}>"
    if count == "n":
        return ["std::vector<tsr_handle *> all(n + 1);", "tsr_handle **out = all.data();"], \
            "std::vector<array>"
    return [f"tsr_handle *out[{count}] = {{}};"], "std::vector<array>"


def function(operation, place=True):
    """The text of a function; place: it is an operation, whose function of C takes a place."""
    each = [taken(operation, p) for p in operation.of]
    rooms, whole = room_of(operation)
    of_any = any(t.template == "class... A" for t in each)
    where = next((t.where for t in each if t.where), None)
    home = next((t.home for t in each if t.home), None)
    takes = [t.takes for t in each if t.takes]
    if place and not where:
        where = "nullptr" if of_any else "at.text()"
        takes += [] if of_any else ["place at = place::here()"]
    templates = [t.template for t in each if t.template]
    names = operation.array()
    gives = [t.gives for t in each]
    first = [line for t in each for line in t.first] + rooms
    if names:
        first.append(f"const tsr_arg {names}[{len(gives)}] = {{{', '.join(gives)}}};")
        gives = [names]
    if operation.array():
        home = " ".join(f"detail::context_or({p.name}," for p in operation.of) + " nullptr" + \
            ")" * len(operation.of)
    suffix = "_at" if place else ""

    def call(before):
        return [wrapped(f"\t{before}{operation.name}{suffix}(",
                        [*([where] if place else []), *gives], ");")]

    if operation.returns.strip() == "tsr *":
        home = home if of_any else None
    body = result_lines(operation, call, home, [line for t in each for line in t.last])
    kind = whole or returned(operation.returns)[0]
    head = "template <" + ", ".join(templates) + ">\n" if templates else "inline "
    space = "" if kind.endswith("*") else " "
    return (comment(operation.doc)
            + wrapped(f"{head}{kind}{space}{named(operation.name)}(", takes, ")") + "\n{\n"
            + "".join(f"\t{line}\n" for line in first) + "\n".join(body) + "\n}\n")


class Called:
    """A function of C: its parameters, also of one that takes no place."""

    def __init__(self, f):
        self.name, self.doc, self.returns = f.name, f.doc, f.returns
        self.place = f.parameters is not None
        self.of = f.parameters if self.place else [
            make_headers.Parameter(f"{kind}{'' if kind.endswith('*') else ' '}{name}", f.name, k)
            for k, (kind, name) in enumerate(f.takes)]

    def array(self):
        """The name of the array that operands are where there is nothing else."""
        alone = len(self.of) > 1 and {p.kind for p in self.of} <= {"operand", "exponent"}
        return "".join(p.name[0] for p in self.of) if alone else None


def wanted(f):
    short = f.name.removeprefix("tsr_")
    return short not in BY_HAND and short not in OF_C and f.header != "base"


def made(public):
    """The texts of the files that are made, by path."""
    each = [Called(f) for f in public.functions if wanted(f)]
    text = HEAD.format(file="ops.hpp", purpose="makes functions that throw of all functions of C",
                       guard="OPS", include="call.hpp") + "\n".join(
                           function(f, f.place) for f in each)
    texts = {"include/tsr/detail/keywords.hpp":
             keywords([r for r in public.records.values() if r.keywords]),
             "include/tsr/detail/ops.hpp": text + FOOT}
    return {api.ROOT / path: text for path, text in texts.items()}
