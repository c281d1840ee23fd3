"""api.py - reads api/ and include/tsr/base.h for the writers of bindings, whatever their language.

Operations are parsed by tools/make_headers.py. What else a header declares is found here: records
with their fields, enums, types, functions that take no place. Of

    /** Keyword of tsr_round(). */
    typedef struct tsr_round_args {
            TSR_KEYWORDS_
            int decimals; /**< how many are left; -1: whole tens */
            TSR_KEYWORDS_END_
    } tsr_round_args;
    /** The nearest whole number. */
    pure tsr *tsr_round(tsr *x, keywords tsr_round_args);

read() gives

    Record("tsr_round_args", keywords=True, fields=[Field("int", "decimals", doc="how many ...")])
    Function("tsr_round", symbol="tsr_round_at", returns="tsr *", header="ops",
             parameters=[a Parameter of make_headers: plain x, keywords args],
             takes=[("const char *", "where"), ("tsr *", "x"), ("const tsr_round_args *", "args")])

A test, tests/bindings/check_layouts.py, compares what a writer makes of records with abi.txt."""
import dataclasses
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))
import make_headers  # noqa: E402

MACROS_OF_RECORDS = re.compile(r"TSR_KEYWORDS_(END_)?")
BEHIND = re.compile(r"[ \t]*(/\*\*<.*?\*/)", re.S)
FIRST = re.compile(r'TSR_FIRST_\(([^,]*),\s*\w+,\s*"(?:[^"\\]|\\.)*"\)', re.S)
COMMENT = re.compile(r"/\*.*?\*/", re.S)
LIMITS = {"INT64_MAX": 2 ** 63 - 1, "INT64_MIN": -2 ** 63, "INT32_MAX": 2 ** 31 - 1,
          "INT32_MIN": -2 ** 31}


@dataclasses.dataclass
class Field:
    """A member: `count` is the text between the brackets of an array; a pointer to a function has
    all of its declaration as `type`, with an asterisk in place of the name."""
    type: str
    name: str
    count: str = ""
    doc: str = ""
    added: bool = False  # TSR_ADDED_: begins at a multiple of 8 bytes


@dataclasses.dataclass
class Record:
    name: str
    fields: list
    doc: str = ""
    header: str = ""
    keywords: bool = False  # begins with TSR_KEYWORDS_: size_t size and a pointer in front
    union: bool = False     # has a union inside, whose text is the type of a field


@dataclasses.dataclass
class Enum:
    name: str
    values: list  # (name, number, doc)
    doc: str = ""
    header: str = ""


@dataclasses.dataclass
class Function:
    """symbol: what the library exports; parameters: those of api/, or None where the function has
    no place; takes: the C parameters, as (type, name), [2] and the like behind the type; kind: op,
    pure, effect or api (without a place)."""
    name: str
    symbol: str
    kind: str
    returns: str
    parameters: list
    takes: list
    doc: str = ""
    header: str = ""

    def has(self, *kinds):
        return any(p.kind in kinds for p in self.parameters or ())


@dataclasses.dataclass
class Api:
    functions: list = dataclasses.field(default_factory=list)
    records: dict = dataclasses.field(default_factory=dict)
    enums: dict = dataclasses.field(default_factory=dict)
    opaque: dict = dataclasses.field(default_factory=dict)     # handles and the like: name, doc
    functional: dict = dataclasses.field(default_factory=dict)  # types of functions: name, text
    constants: dict = dataclasses.field(default_factory=dict)  # #define NAME number


def tidy(comment):
    """The text of a comment in one line a paragraph, without its asterisks."""
    lines = [re.sub(r"^\s*\* ?", "", line).rstrip()
             for line in re.sub(r"^/\*\*?<?|\*/$", "", comment).strip().split("\n")]
    return "\n".join(lines).strip()


def without_directives(text):
    """Preprocessor lines go, numbers that they define aside."""
    constants = {}
    for name, value in re.findall(r"^#define (TSR_\w+) (\S+)$", text, re.M):
        if re.fullmatch(r"-?\d+", value) or value in LIMITS:
            constants[name] = LIMITS.get(value) if value in LIMITS else int(value)
    text = re.sub(r"^#(?:[^\n]*\\\n)*[^\n]*$", "", text, flags=re.M)
    return re.sub(r'^extern "C" \{$', "", text, flags=re.M), constants


def declarations(text):
    """(comment, declaration) of each: the comment in front, or the one behind that begins with an
    arrow. Comments inside declarations stay there."""
    at, comment = 0, ""
    while at < len(text):
        if text.startswith("/*", at):
            end = text.index("*/", at) + 2
            comment = text[at:end] if text.startswith("/**", at) else ""
            at = end
        elif text[at].isspace() or text[at] == "}":
            at += 1
        else:
            end = end_of(text, at)
            if end is None:
                return
            behind = BEHIND.match(text, end)
            yield behind[1] if behind else comment, text[at:end]
            at, comment = behind.end() if behind else end, ""


def end_of(text, at):
    """Behind the semicolon of a declaration, or the brace of a function that is defined."""
    depth = 0
    while at < len(text):
        if text.startswith("/*", at):
            at = text.index("*/", at) + 2
            continue
        depth += (text[at] in "{(") - (text[at] in "})")
        if not depth and text[at] == ";":
            return at + 1
        at += 1
    return None


def declared(text):
    """Type and name of a parameter, as ("const tsr_arg *", "x"), ("tsr_arg [2]", "ab")."""
    text = " ".join(text.split())
    if text == "...":
        return text, ""
    pointer = re.fullmatch(r"(.*\(\*)(\w+)(\)\(.*\))", text)
    if pointer:
        return pointer[1] + pointer[3], pointer[2]
    kind, name, many = re.fullmatch(r"(.*?)(\w+)(\[[^\]]*\])?", text).groups()
    return kind.strip() + (" " + many if many else ""), name


def split(text):
    """At commas outside of parentheses."""
    parts, depth = [""], 0
    for character in text:
        depth += (character in "({") - (character in ")}")
        if character == "," and not depth:
            parts.append("")
        else:
            parts[-1] += character
    return [p for p in parts if p.strip()]


def fields_of(body):
    """The members of a record, in order; a comment of several members is that of each."""
    fields = []
    body = FIRST.sub(r"\1", body)
    for comment, text in declarations(MACROS_OF_RECORDS.sub("", body)):
        added = "TSR_ADDED_" in text
        text = " ".join(COMMENT.sub("", text).replace("TSR_ADDED_", "").rstrip(";").split())
        doc = tidy(comment) if comment else ""
        if text.startswith(("union", "struct {")):
            kind, name = re.fullmatch(r"(.*\})\s*(\w*)", text).groups()
            fields.append(Field(kind, name, "", doc))
            continue
        pointer = re.fullmatch(r"(.*\(\*)(\w+)(\)\(.*\))", text)
        if pointer:
            fields.append(Field(pointer[1] + pointer[3], pointer[2], "", doc, added))
            continue
        kind, names = re.fullmatch(r"((?:const |enum |struct )*\w+(?: const)?)\s*(.*)",
                                   text).groups()
        for one in split(names):
            many, name, count = re.fullmatch(
                r"((?:\*|const|\(|\s)*)(\w+)\)?(?:\[(.*)\])?", one.strip()).groups()
            if "(" in many:  # const int (*pairs)[2]
                fields.append(Field(f"{kind} (*)[{count}]", name, "", doc, added))
            else:
                stars = many.replace(" ", "")
                fields.append(Field(f"{kind} {stars}" if stars else kind, name, count or "", doc,
                                    added))
    return fields


def enum_of(body):
    values, number = [], 0
    pattern = re.compile(r"(/\*\*[^<].*?\*/)?\s*(\w+)(?:\s*=\s*([^,/}]+?))?\s*(,|$|(?=/\*))"
                         r"\s*(/\*\*<.*?\*/)?", re.S)
    body = re.sub(r"/\*(?!\*).*?\*/", "", body, flags=re.S).strip()
    at = 0
    while at < len(body):
        match = pattern.match(body, at)
        if not match or match.end() == at:
            at += 1
            continue
        before, name, value, _, behind = match.groups()
        if value is not None:
            number = int(value, 0)
        values.append((name, number, tidy(behind or before or "")))
        number += 1
        at = match.end()
    return values


class Reader:
    def __init__(self, api, header):
        self.api, self.header = api, header

    def take(self, comment, text):
        doc = tidy(comment) if comment else ""
        for pattern, does in ((make_headers.OPERATION, self.operation), (RECORD, self.record),
                              (ENUM, self.enum), (OPAQUE, self.opaque), (PLAIN, self.plain),
                              (TYPE, self.functional)):
            match = pattern.fullmatch(text + "\n" if does == self.operation else text)
            if match:
                return does(doc, match)
        if not text.startswith(("TSR_INLINE_", "static inline", "TSR_NEEDS_", "typedef bool tsr_w",
                                "struct ")):
            sys.exit(f"{self.header}: what is this? {text}")

    def operation(self, doc, match):
        operation = make_headers.Operation(*match.groups())
        takes = [declared(text) for text in operation.parameters()]
        self.api.functions.append(Function(
            operation.name, operation.name + "_at", match[1], operation.returns.strip(),
            operation.of, takes, doc, self.header))

    def plain(self, doc, match):
        returns, name, parameters = match.groups()
        takes = [] if parameters.strip() == "void" else [
            declared(p) for p in split(COMMENT.sub("", parameters))]
        self.api.functions.append(Function(name, name, "api", returns.strip(), None, takes, doc,
                                           self.header))

    def record(self, doc, match):
        name, body = match[1], match[2]
        fields = fields_of(body)
        self.api.records[name] = Record(name, fields, doc, self.header, "TSR_KEYWORDS_" in body,
                                        any(f.type.startswith("union") for f in fields))

    def enum(self, doc, match):
        self.api.enums[match[1]] = Enum(match[1], enum_of(match[2]), doc, self.header)

    def opaque(self, doc, match):
        self.api.opaque[match[2]] = doc

    def functional(self, doc, match):
        self.api.functional[match[2]] = " ".join(match[0].split())


RECORD = re.compile(r"typedef struct (\w+) \{(.*)\} \1;", re.S)
ENUM = re.compile(r"(?:typedef )?enum (\w+) \{(.*)\}(?: \1)?;", re.S)
OPAQUE = re.compile(r"typedef struct (\w+) (\w+);")
PLAIN = re.compile(r"TSR_(?:API|OP) ([\w ]+?[ *]+)(tsr_\w+)\((.*?)\)"
                   r"(?:\s*__attribute__\(\(.*\)\))?;", re.S)
TYPE = re.compile(r"typedef ([\w ]+?[ *]+)\(?\*?(tsr_\w+)\)?\((.*)\);", re.S)


def read():
    """All that is public, header by header."""
    api = Api()
    sources = [ROOT / "include/tsr/base.h", *sorted((ROOT / "api").glob("*.h.in"))]
    for source in sources:
        text, constants = without_directives(source.read_text(encoding="utf-8"))
        api.constants |= constants
        reader = Reader(api, source.name.split(".")[0])
        for comment, declaration in declarations(text.split("@values")[0]):
            reader.take(comment, declaration)
    return api
