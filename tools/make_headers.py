#!/usr/bin/env python3
"""make_headers.py - makes the public headers from api/: make_headers.py [--check]

An operation is declared once, with its documentation, in api/NAME.h.in. From

    /** All x[i] in order of i. */
    op tsr *tsr_all_gather(tsr *x, axis, keywords tsr_all_gather_args);

this script makes three declarations and a definition:

    TSR_OP tsr *tsr_all_gather_at(const char *where, tsr *x, const char *axis,    the function
                                  const tsr_all_gather_args *args);
    TSR_OP tsr *tsr_all_gather(tsr *x, const char *axis);                         the value
    #define tsr_all_gather(...) TSR_ALL_GATHER_(__VA_ARGS__, )                    the macro
    tsr *(tsr_all_gather)(tsr *x, const char *axis)                       in src/lib/values.c
    { return tsr_all_gather_at(NULL, x, axis, NULL); }

The function replaces the operation's declaration, values go to the line @values, and macros to
@macros; all other lines are copied. The value is a function whose address can be taken, as in
tsr_vmap(ctx, tsr_add), and that a debugger can call. Operations with bodies, arguments or lists of
any length have no value. `effect` instead of `op` declares an operation whose result may be left
unused.

`pure` instead of `op` declares a function of its arguments alone, which outside of bodies is one
program (src/lib/apply.c). What it does is lib_gelu() in src/lib/, which gets the place and name of
the call and a whole record of keywords; tsr_gelu_at() is made, too, in src/lib/pure.c. Functions of
common shapes are rows there and in src/lib/values.c.

A parameter is an ordinary C one, or one of these kinds, with a name if the usual one does not fit:

    context            tsr_ctx *; the macro takes whatever has a context
    operand a          tsr_arg; a handle or a C number. Operands alone are one array: ab[2]
    exponent b         the same; a whole C number is part of the program, not an operand
    exact q            the same; a C number is an operand of 64 bits
    bound low          tsr_arg; an operand, or TSR_NONE
    optional bias      tsr *, NULL where there is none
    number             tsr_arg; a C number
    rate               tsr_rate; a C number, or the fn of a schedule
    argument x         tsr_arg; a handle, a tree or a C number
    arguments          any number of these, after a parameter: const tsr_arg *args, size_t n
    results            the same without numbers
    places             TSR_OUT(...): const tsr_out *outs, size_t nout
    body               tsr_body; a C function or a fn
    named_body         the same, and `text`, which is what the caller wrote
    function           tsr_host_fn *, and `text`
    axis               const char *
    memory T *x        the dtype of what the pointer says is there, 0 for void and char, and T *x;
                       beside a `tsr_dtype dtype` that is a constant both must be the same
    list T x           any number of values of type T: T *x, size_t n
    keywords T         const T *args, by .name = value
    made 2 out         tsr *out[2], to which so many results go; `made n out`: tsr **out and n

--check writes nothing, and fails if a file is not what would be made; a test runs it."""
import copy
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
VALUES = ROOT / "src/lib/values.c"
VALUES_HEAD = """\
/* values.c - operations as functions without a place; tools/make_headers.py made it of api/.
 *
 * A macro is no value. What is passed on, as in tsr_vmap(ctx, tsr_add), or called in a debugger, is
 * one of these: keywords are not given, and errors name no line. */
#include <tsr/tsr.h>

/* Functions by their parameters, as in pure.c: K are keywords */
#define OF_HANDLE(name) \\
	tsr *(tsr_##name)(tsr *x) \\
	{ \\
		return tsr_##name##_at(NULL, x); \\
	}
#define OF_HANDLE_K(name) \\
	tsr *(tsr_##name)(tsr *x) \\
	{ \\
		return tsr_##name##_at(NULL, x, NULL); \\
	}
#define OF_HANDLES(name) \\
	tsr *(tsr_##name)(tsr *a, tsr *b) \\
	{ \\
		return tsr_##name##_at(NULL, a, b); \\
	}
#define OF_HANDLES_K(name) \\
	tsr *(tsr_##name)(tsr *a, tsr *b) \\
	{ \\
		return tsr_##name##_at(NULL, a, b, NULL); \\
	}
#define OF_DIMS(name) \\
	tsr *(tsr_##name)(tsr *x, tsr_dims dims) \\
	{ \\
		return tsr_##name##_at(NULL, x, dims); \\
	}
#define OF_DIMS_K(name) \\
	tsr *(tsr_##name)(tsr *x, tsr_dims dims) \\
	{ \\
		return tsr_##name##_at(NULL, x, dims, NULL); \\
	}
#define OF_INT(name) \\
	tsr *(tsr_##name)(tsr *x, int i) \\
	{ \\
		return tsr_##name##_at(NULL, x, i); \\
	}
#define OF_COUNT_K(name) \\
	tsr *(tsr_##name)(tsr_ctx *ctx, int64_t n) \\
	{ \\
		return tsr_##name##_at(NULL, ctx, n, NULL); \\
	}
#define OF_AXIS_K(name) \\
	tsr *(tsr_##name)(tsr *x, const char *axis) \\
	{ \\
		return tsr_##name##_at(NULL, x, axis, NULL); \\
	}
#define OF_PLACES_K(name) \\
	tsr *(tsr_##name)(tsr *x, int dim, tsr *indices, tsr *updates) \\
	{ \\
		return tsr_##name##_at(NULL, x, dim, indices, tsr_arg_one(updates), NULL); \\
	}
#define TO_SEVERAL(name, count) \\
	bool (tsr_##name)(tsr *x, tsr *out[count]) \\
	{ \\
		return tsr_##name##_at(NULL, x, out); \\
	}
#define TO_SEVERAL_K(name, count) \\
	bool (tsr_##name)(tsr *x, tsr *out[count]) \\
	{ \\
		return tsr_##name##_at(NULL, x, out, NULL); \\
	}
#define OF_PAIR(name) \\
	tsr *(tsr_##name)(tsr *a, tsr *b) \\
	{ \\
		return tsr_##name##_at(NULL, (const tsr_arg[]){tsr_arg_one(a), tsr_arg_one(b)}); \\
	}
"""
# by the parameters of a function: the name of the macro, if the file has it, whose rows such
# functions are
SHAPES = {("tsr *",): "OF_HANDLE", ("tsr *", "tsr *"): "OF_HANDLES",
          ("tsr *", "tsr_dims "): "OF_DIMS", ("tsr *", "int "): "OF_INT",
          ("context", "int64_t "): "OF_COUNT", ("tsr *", "axis"): "OF_AXIS",
          ("list",): "OF_LIST", ("tsr *", "made"): "TO_SEVERAL",
          ("tsr *", "int ", "tsr *", "operand"): "OF_PLACES",
          ("operand", "operand"): "OF_PAIR", ("operand", "exponent"): "OF_PAIR"}
NAMES = {"context": "ctx", "places": "outs", "arguments": "args", "named_body": "body"}
PURE = ROOT / "src/lib/pure.c"
PURE_HEAD = """\
/* pure.c - defines the public functions that outside of bodies are one program. apply.c says how,
 * and the functions named lib_ make these programs. Made by tools/make_headers.py of api/. */
#include <stddef.h>
#include "lib/apply.h"

#define KEYWORD(T, name, kind) {offsetof(T, name), sizeof(((T *)0)->name), kind}
#define KEYWORDS_OF(T, ...) \\
	static const keyword T##_each[] = {__VA_ARGS__}; \\
	static const keywords T##_keywords = { \\
		#T, sizeof(T), sizeof T##_each / sizeof *T##_each, T##_each};

/* The entry of a function of ONE or SEVERAL results, with the kinds of its slots and what
 * lib_NAME() gets from them, s */
#define ONE(name, takes, keywords, ...) \\
	static bool does_##name(call_site *site, const slot *s, tsr **out) \\
	{ \\
		return !handle_is_poison(*out = lib_##name(site, __VA_ARGS__)); \\
	} \\
	static const function of_##name = {#name, takes, keywords, does_##name};
#define SEVERAL(name, takes, keywords, ...) \\
	static bool does_##name(call_site *site, const slot *s, tsr **out) \\
	{ \\
		return lib_##name(site, __VA_ARGS__); \\
	} \\
	static const function of_##name = {#name, takes, keywords, does_##name};
#define ARG(k) (*(const tsr_arg *)s[k].at)
#define DIMS(k) (*(const tsr_dims *)s[k].at)

/* Functions by their parameters: K is a record of keywords, of type T */
#define OF_HANDLE(name) \\
	ONE(name, "h", NULL, s[0].handle) \\
	tsr *tsr_##name##_at(const char *where, tsr *x) \\
	{ \\
		return apply_one(&of_##name, where, (slot[]){{.handle = x}}); \\
	}
#define OF_HANDLE_K(name, T) \\
	ONE(name, "hk", &T##_keywords, s[0].handle, s[1].at) \\
	tsr *tsr_##name##_at(const char *where, tsr *x, const T *args) \\
	{ \\
		return apply_one(&of_##name, where, (slot[]){{.handle = x}, {.at = args}}); \\
	}
#define OF_HANDLES(name) \\
	ONE(name, "hh", NULL, s[0].handle, s[1].handle) \\
	tsr *tsr_##name##_at(const char *where, tsr *a, tsr *b) \\
	{ \\
		return apply_one(&of_##name, where, (slot[]){{.handle = a}, {.handle = b}}); \\
	}
#define OF_HANDLES_K(name, T) \\
	ONE(name, "hhk", &T##_keywords, s[0].handle, s[1].handle, s[2].at) \\
	tsr *tsr_##name##_at(const char *where, tsr *a, tsr *b, const T *args) \\
	{ \\
		return apply_one(&of_##name, where, \\
		                 (slot[]){{.handle = a}, {.handle = b}, {.at = args}}); \\
	}
#define OF_DIMS(name) \\
	ONE(name, "hd", NULL, s[0].handle, DIMS(1)) \\
	tsr *tsr_##name##_at(const char *where, tsr *x, tsr_dims dims) \\
	{ \\
		return apply_one(&of_##name, where, (slot[]){{.handle = x}, {.at = &dims}}); \\
	}
#define OF_DIMS_K(name, T) \\
	ONE(name, "hdk", &T##_keywords, s[0].handle, DIMS(1), s[2].at) \\
	tsr *tsr_##name##_at(const char *where, tsr *x, tsr_dims dims, const T *args) \\
	{ \\
		return apply_one(&of_##name, where, \\
		                 (slot[]){{.handle = x}, {.at = &dims}, {.at = args}}); \\
	}
#define OF_INT(name) \\
	ONE(name, "hi", NULL, s[0].handle, (int)s[1].whole) \\
	tsr *tsr_##name##_at(const char *where, tsr *x, int i) \\
	{ \\
		return apply_one(&of_##name, where, (slot[]){{.handle = x}, {.whole = i}}); \\
	}
#define OF_COUNT_K(name, T) \\
	ONE(name, "cik", &T##_keywords, s[0].ctx, s[1].whole, s[2].at) \\
	tsr *tsr_##name##_at(const char *where, tsr_ctx *ctx, int64_t n, const T *args) \\
	{ \\
		return apply_one(&of_##name, where, \\
		                 (slot[]){{.ctx = ctx}, {.whole = n}, {.at = args}}); \\
	}
#define OF_LIST(name) \\
	ONE(name, "Hn", NULL, s[0].at, (size_t)s[1].whole) \\
	tsr *tsr_##name##_at(const char *where, tsr *const *x, size_t n) \\
	{ \\
		return apply_one(&of_##name, where, \\
		                 (slot[]){{.at = x}, {.whole = (int64_t)n}}); \\
	}
#define OF_PLACES_K(name, T) \\
	ONE(name, "hihok", &T##_keywords, s[0].handle, (int)s[1].whole, s[2].handle, ARG(3), \\
	    s[4].at) \\
	tsr *tsr_##name##_at(const char *where, tsr *x, int dim, tsr *indices, tsr_arg updates, \\
	                     const T *args) \\
	{ \\
		return apply_one(&of_##name, where, (slot[]){{.handle = x}, {.whole = dim}, \\
		                                             {.handle = indices}, \\
		                                             {.at = &updates}, {.at = args}}); \\
	}
#define TO_SEVERAL(name, count) \\
	SEVERAL(name, "h", NULL, s[0].handle, out) \\
	bool tsr_##name##_at(const char *where, tsr *x, tsr *out[count]) \\
	{ \\
		return apply(&of_##name, where, (slot[]){{.handle = x}}, out, count); \\
	}
#define TO_SEVERAL_K(name, T, count) \\
	SEVERAL(name, "hk", &T##_keywords, s[0].handle, out, s[1].at) \\
	bool tsr_##name##_at(const char *where, tsr *x, tsr *out[count], const T *args) \\
	{ \\
		return apply(&of_##name, where, (slot[]){{.handle = x}, {.at = args}}, out, \\
		             count); \\
	}
#define OF_OPERANDS(name, count, letter) \\
	ONE(name, letter, NULL, s[0].at) \\
	tsr *tsr_##name##_at(const char *where, const tsr_arg x[count]) \\
	{ \\
		return apply_one(&of_##name, where, (slot[]){{.at = x}}); \\
	}
"""
PURE_HEADER = ROOT / "src/lib/pure.h"
PURE_HEADER_HEAD = """\
/* pure.h - declares functions that record the operations of public functions: outside of bodies
 * these are one program. Made by tools/make_headers.py of api/. */
#ifndef TSR_SRC_LIB_PURE_H
#define TSR_SRC_LIB_PURE_H
#include "trace/trace.h"

"""
KINDS = ("context operand exponent exact made bound number rate argument arguments results places "
         "body named_body function axis memory list keywords plain").split()
# kinds that are told apart by their C type, and how
PICKS = {"context": "TSR_CTX_PICK_", "operand": "TSR_OPERAND_PICK_",
         "exponent": "TSR_OPERAND_PICK_", "exact": "TSR_OPERAND_PICK_",
         "number": "TSR_NUMBER_PICK_", "rate": "TSR_RATE_PICK_", "memory": "TSR_MEMORY_",
         "bound": "TSR_ARG_PICK_",
         "argument": "TSR_ARG_PICK_", "body": "TSR_BODY_PICK_", "named_body": "TSR_BODY_PICK_"}
# what is made for nothing where it is left unused
MADE = ("tsr *", "tsr_fn *", "tsr_mesh *", "const tsr_sharding *", "tsr_linearized ", "tsr_ctx *",
        "const tsr_optimizer *", "tsr_tree ")
WIDTH = 100


class Parameter:
    """kind, name, its C type (of a list: of an element), of which operation, and which of its
    parameters it is."""

    def __init__(self, text, operation, place):
        self.operation, self.place = operation, place
        word, _, rest = text.partition(" ")
        self.kind = word if word in KINDS else "plain"
        self.optional = word == "optional"
        if self.optional:
            self.type, self.name = "tsr *", rest
        elif self.kind == "plain":
            self.type, self.name = re.fullmatch(r"(.*?)(\w+)", text).groups()
        elif self.kind in ("list", "memory"):
            self.type, self.name = re.fullmatch(r"(.*?)(\w+)", rest).groups()
        elif self.kind == "keywords":
            self.type, self.name = rest, "args"
        elif self.kind == "made":
            self.type, (self.count, self.name) = "", rest.split()
        else:
            self.type, self.name = "", rest or NAMES.get(word, word)

    def declared(self):
        """As parameters of the function."""
        n = self.name
        return {
            "plain": [f"{self.type}{n}"], "list": [f"{spaced(self.type)}*{n}", "size_t n"],
            "memory": ["tsr_dtype element", f"{self.type}{n}"],
            "keywords": [f"const {self.type} *{n}"], "context": [f"tsr_ctx *{n}"],
            "arguments": [f"const tsr_arg *{n}", "size_t n"],
            "results": [f"const tsr_arg *{n}", "size_t n"],
            "places": [f"const tsr_out *{n}", "size_t nout"], "body": [f"tsr_body {n}"],
            "named_body": [f"tsr_body {n}", "const char *text"], "axis": [f"const char *{n}"],
            "function": [f"tsr_host_fn *{n}", "const char *text"], "made": [self.room()],
            "rate": [f"tsr_rate {n}"],
        }.get(self.kind, [f"tsr_arg {n}"])

    def room(self):
        """Where results go; how many there are is in the type, where that is always so."""
        if self.kind != "made":
            return None
        return f"tsr *{self.name}[{self.count}]" if self.count.isdigit() else f"tsr **{self.name}"

    def in_value(self):
        """As a parameter of the value; None where there can be no value."""
        return {"plain": f"{self.type}{self.name}", "context": f"tsr_ctx *{self.name}",
                "axis": f"const char *{self.name}", "operand": f"tsr *{self.name}",
                "memory": f"{self.type}{self.name}",
                "exponent": f"tsr *{self.name}", "exact": f"tsr *{self.name}",
                "made": self.room(),
                "bound": f"tsr *{self.name}",
                "number": f"double {self.name}", "rate": f"double {self.name}",
                "keywords": ""}.get(self.kind)

    def from_value(self):
        """What the value gives the function."""
        return {"operand": f"tsr_arg_one({self.name})", "exponent": f"tsr_arg_one({self.name})",
                "exact": f"tsr_arg_one({self.name})",
                "bound": f"tsr_arg_one({self.name})", "number": f"tsr_arg_float({self.name})",
                "rate": f"(tsr_rate){{.value = {self.name}}}",
                "memory": f"TSR_DTYPE_DEFAULT, {self.name}",
                "keywords": "NULL"}.get(self.kind, self.name)

    def in_macro(self):
        """As parameters of a macro: places are two when they are replaced."""
        return [self.name, "nout"] if self.kind == "places" else [self.name]

    def of_dims(self):
        return self.kind == "plain" and self.type.strip() == "tsr_dims"

    def short(self):
        """Is it no operand, which may be a nest of calls?"""
        return self.kind in ("axis", "made", "rate") or \
            self.kind == "plain" and not self.type.startswith("tsr *")

    def wanted(self):
        """What is said where it is missing, or something else."""
        written = {"tsr_dims": "TSR_DIMS(2, 3)", "tsr_perm": "TSR_PAIRS({0, 1}, {1, 0})",
                   "tsr_dtype": "TSR_F32"}
        form = "TSR_OUT(&y)" if self.kind == "places" else \
            self.kind == "plain" and written.get(self.type.strip())
        return f"write the argument {self.name} as {form}" if form else \
            f"give the argument {self.name}, without a name"

    def given(self, last):
        """The argument as it is in the macro; the last one in front of keywords may be missing."""
        return f"TSR_GIVEN_({self.operation}_needs_the_argument_{self.name}, {self.name})" \
            if last and not self.short() else self.name

    def let(self, told=False, last=False, looked_at=False):
        """The variable that the macro makes of an argument that is read twice; v_ is a prefix of
        the variables of this call alone. The message about an argument that is none comes first."""
        lets, says = [], f'"{self.operation}: {self.wanted()}"'
        if looked_at:
            lets.append(
                f"TSR_CHECK_TEXT_(TSR_CAT_(v_, _{self.place}), text{self.place}, {says})")
        if self.kind == "places":
            lets.append(f"TSR_CHECK_PLACES_(nout, {says})")
        elif told and self.of_dims():
            lets.append(f"TSR_LET_DIMS_(v_, _{self.place}, {self.name}, {says})")
        elif self.kind in PICKS:
            lets.append(f"TSR_LET_(v_, _{self.place}, {self.given(told and last)})")
        return " ".join(lets)

    def from_macro(self, told=False, last=False):
        """What the macro gives the function."""
        n = self.name
        if self.kind in PICKS:
            return f"{PICKS[self.kind]}(TSR_CAT_(v_, _{self.place}))" \
                + ", text" * (self.kind == "named_body")
        if told and self.of_dims():
            return f"TSR_CAT_(v_, _{self.place})"
        if told and self.kind == "plain":
            return self.given(last)
        return {
            "arguments": "TSR_PICKS_(TSR_ARG_PICK_, v_, __VA_ARGS__)",
            "results": "TSR_PICKS_(TSR_RESULT_PICK_, v_, __VA_ARGS__)",
            "places": f"{n}, nout", "function": f"{n}, text", "axis": f"TSR_AXIS_TEXT_({n})",
            "list": "v_, sizeof v_ / sizeof *v_", "keywords": "&v_",
        }.get(self.kind, n)


def spaced(text):
    return text if text.endswith(("*", " ")) else text + " "


class Operation:
    def __init__(self, kind, returns, name, parameters):
        self.returns, self.name = spaced(returns.strip()), name
        self.pure = kind == "pure"
        self.api = "TSR_OP" if kind != "effect" and self.returns in MADE else "TSR_API"
        self.of = [Parameter(" ".join(p.split()), name, k)
                   for k, p in enumerate(parameters.split(","))]
        self.helper = self.name.upper() + "_"

    def kinds(self):
        return [p.kind for p in self.of]

    def array(self):
        """The name of the array that operands are where there is nothing else: ab."""
        alone = len(self.of) > 1 and set(self.kinds()) <= {"operand", "exponent"}
        return "".join(p.name[0] for p in self.of) if alone else None

    def row(self, macros, *record):
        """The row of one of these macros that makes the function; None where it is written out."""
        types = tuple("optional" if p.optional else p.type if p.kind == "plain" else p.kind
                      for p in self.of if p.kind != "keywords")
        shape = SHAPES.get(types, "") + "_K" * (len(types) < len(self.of))
        counts = [p.count for p in self.of if p.kind == "made"]
        if f"#define {shape}(" not in macros or self.returns != ("bool " if counts else "tsr *"):
            return None
        return f"{shape}({', '.join([self.name.removeprefix('tsr_'), *record, *counts])})\n"

    def parameters(self):
        array = self.array()
        return ["const char *where", *([f"const tsr_arg {array}[{len(self.of)}]"] if array else
                                       [text for p in self.of for text in p.declared()])]

    def function(self):
        return wrap(f"{self.api} {self.returns}{self.name}_at(", self.parameters(), ");")

    def has_value(self):
        return all(p.in_value() is not None for p in self.of)

    def value_parameters(self):
        return [text for p in self.of if (text := p.in_value())] or ["void"]

    def value(self):
        return wrap(f"{self.api} {self.returns}{self.name}(", self.value_parameters(), ");")

    def definition(self):
        if row := self.row(VALUES_HEAD):
            return row
        given = [p.from_value() for p in self.of]
        if self.array():
            given = [f"(const tsr_arg[]){{{', '.join(given)}}}"]
        head = wrap(f"{self.returns}({self.name})(", self.value_parameters(), ")")
        does = "" if self.returns == "void " else "return "
        body = wrap(f"\t{does}{self.name}_at(", ["NULL", *given], ");")
        return f"\n{head}\n{{\n{body}\n}}\n\n"

    def macro(self):
        """The macro, and where it needs variables a second one with their prefix v_: what has to be
        looked at twice, keywords and lists are variables of a block around the call, so that each
        argument is expanded once and compound literals in it live until the call returns."""
        tail = self.of[-1].kind
        if tail in ("arguments", "results"):
            return self.macro_of_any()
        if self.array():
            names = ", ".join(p.name for p in self.of)
            return self.define(f"{self.name}({names})",
                               f"TSR_OPERANDS{len(self.of)}_({self.name}_at, TSR_PREFIX_, {names})")
        if tail in ("keywords", "list") or set(self.kinds()) & set(PICKS):
            return self.macro_of_block(tail)
        return self.define(f"{self.name}({', '.join(p.name for p in self.of)})",
                           self.call(*(p.from_macro() for p in self.of)))

    def macro_of_block(self, tail):
        """An empty argument ends keywords, so that none are legal: what is left of them is empty
        or ends in a comma, and both may end an initialiser. Behind a context everything is passed
        on as it is: braces do not hide commas from a macro. Of the last argument in front of
        keywords, and of lists of dims, the text is looked at: what is missing, {2, 3} and
        .dim = 1 are no expressions. It is the text before macros in it are replaced, which stays
        short in nests, so it is the first macro that takes it."""
        fixed = self.of[:-1] if tail in ("keywords", "list") else self.of
        after_context = self.of[0].kind == "context" and set(self.kinds()[1:]) == {"plain"}
        if self.kinds() == ["context", "memory", "plain", "plain"]:
            return self.macro_of_memory()
        if after_context:
            fixed = self.of[:1]
        names = [name for p in fixed for name in p.in_macro()]
        rest = ["..."] * (len(fixed) < len(self.of))
        named = not {"named_body", "function"}.isdisjoint(self.kinds())
        told = tail == "keywords" and len(fixed) > 1
        in_front = [] if named or not told or "nout" in names else names[:-1]
        looked_at = [p for p in fixed[1:] if in_front and p.short()
                     and (p.of_dims() or p is fixed[-1])]
        texts = [f"text{p.place}" for p in looked_at]
        takes = [*["text"] * named, *texts, "v_", *names, *rest]
        if after_context or not rest:
            head, gives = [*names, *rest], ["TSR_PREFIX_", *names, *["__VA_ARGS__"] * len(rest)]
        else:
            head = [*in_front, "..."]
            gives = [*["#__VA_ARGS__"] * named,
                     *("#__VA_ARGS__" if p is fixed[-1] else f"#{p.name}" for p in looked_at),
                     "TSR_PREFIX_", *in_front, "__VA_ARGS__",
                     *[""] * (tail == "keywords" and bool(fixed))]
        first = [let for p in fixed if (let := p.let(told, p is fixed[-1], p in looked_at))]
        memory = next((p for p in fixed if p.kind == "memory"), None)
        if memory and any(p.name == "dtype" for p in fixed):
            first.append(self.elements(memory))
        if tail == "keywords":
            first.append(f"TSR_KW_({self.of[-1].type}, v_, __VA_ARGS__)")
        elif tail == "list":
            first.append(f"{self.of[-1].type} v_[] = {{__VA_ARGS__}};")
        given = [self.of[0].from_macro(), "__VA_ARGS__"] if after_context \
            else [p.from_macro(told, p in fixed[-1:]) for p in self.of]
        return self.define(f"{self.name}({', '.join(head)})",
                           f"{self.helper}({', '.join(gives)})") \
            + self.define(f"{self.helper}({', '.join(takes)})", self.block(
                f"{' '.join(first)} {self.call(*given)}"))

    def macro_of_memory(self):
        """Memory, dtype and dims behind a context. The memory may be a compound literal, whose
        commas a macro sees: there are more than three arguments then, and the type of the memory is
        the text in parentheses in front of them."""
        context, memory, dtype, dims = self.of
        name, of_dims = self.name, f'"{self.name}: {dims.wanted()}"'
        call = self.call(context.from_macro(), memory.from_macro(), dtype.name,
                         f"TSR_CAT_(v_, _{dims.place})")
        one = (f'TSR_CHECK_LAST_(v_, #dtype, "{name}: {dtype.wanted()}") '
               f"TSR_LET_DIMS_(v_, _{dims.place}, "
               f"TSR_GIVEN_({name}_takes_memory_dtype_and_dims, __VA_ARGS__), {of_dims}) "
               f"{context.let()} {memory.let()} {self.elements(memory)} {call}")
        both = f'"{name}: write memory as (float[]){{1, 2}}, and dims as TSR_DIMS(2)"'
        literal = (f"TSR_CHECK_LITERAL_(v_, #__VA_ARGS__, {both}) {context.let()} "
                   "TSR_LITERAL_TYPE_(__VA_ARGS__) " + self.call(
                       context.from_macro(), "TSR_ELEMENT_(*tsr_literal_)", "__VA_ARGS__"))
        return self.define(f"{name}(ctx, ...)",
                           f"TSR_CAT_({self.helper}, TSR_3N_(__VA_ARGS__, ))"
                           f"(TSR_PREFIX_, ctx, __VA_ARGS__)") \
            + self.define(f"{self.helper}3_(v_, ctx, {memory.name}, dtype, ...)",
                          self.block(one)) \
            + self.define(f"{self.helper}3N_(v_, ctx, ...)", self.block(literal))

    def elements(self, memory):
        """Whether the dtype is one, and that of the numbers in memory."""
        return (f'TSR_CHECK_DTYPE_(dtype, "{self.name}: give the dtype, TSR_F32") '
                f'TSR_ELEMENTS_(TSR_CAT_(v_, _{memory.place}), dtype, "{self.name}")')

    def macro_of_any(self):
        """Any number of arguments behind the last fixed parameter, or none: two macros."""
        fixed = self.of[:-1]
        names = [name for p in fixed for name in p.in_macro()]
        first = [p.name for p in fixed[:-1]]
        pick = f"TSR_CAT_({self.helper}, TSR_1N_(__VA_ARGS__))"

        def block(of, *arguments, lets=""):
            first = "".join(let + " " for p in of if (let := p.let()))
            return self.block(first + lets + self.call(*(p.from_macro() for p in of), *arguments))

        alone = fixed
        if "nout" in names[:-1]:    # without TSR_OUT() there is one argument less
            alone = [*fixed[:-1], copy.copy(fixed[-1])]
            alone[-1].name = "__VA_ARGS__"
        takes = ["..." if p.name == "__VA_ARGS__" else n for p in alone for n in p.in_macro()]
        return self.define(f"{self.name}({', '.join([*first, '...'])})",
                           f"{pick}({', '.join(['TSR_PREFIX_', *first, '__VA_ARGS__'])})") \
            + self.define(f"{self.helper}1_({', '.join(['v_', *takes])})",
                          block(alone, "NULL", "0")) \
            + self.define(f"{self.helper}N_({', '.join(['v_', *names, '...'])})",
                          block(fixed, self.of[-1].from_macro(),
                                lets="TSR_LETS_(v_, __VA_ARGS__) "))

    def block(self, text):
        """gcc does not see that the value of a block is left unused; it does of a function."""
        made = f"__extension__({{ {text}; }})"
        return f"tsr_result_({made})" if self.api == "TSR_OP" and self.returns == "tsr *" else made

    def call(self, *given):
        return f"{self.name}_at({', '.join(['TSR_HERE', *given])})"

    @staticmethod
    def define(head, text):
        line = f"#define {head} {text}"
        return line + "\n" if len(line) <= WIDTH else fold(head, text)


class Pure:
    """The entry of a pure operation: the kinds of its slots (src/lib/apply.h), what is put into
    them, and how lib_NAME() gets them back."""

    WHOLE = re.compile(r"(int|int64_t|size_t|bool|tsr_dtype|enum \w+) ")

    def __init__(self, operation, records):
        self.of, self.name = operation, operation.name.removeprefix("tsr_")
        self.slots, self.record = [], None
        array = operation.array()
        if array:
            letter = "e" if "exponent" in operation.kinds() else str(len(operation.of))
            self.slots.append((letter, f".at = {array}", "s[{}].at"))
        self.with_context = "context" in operation.kinds()
        for p in () if array else operation.of:
            self.slots += self.of_parameter(p)
        keywords = [p.type for p in operation.of if p.kind == "keywords"]
        if keywords:
            self.record = keywords[0]
            records.setdefault(self.record)

    def of_parameter(self, p):
        """Letter, initializer, and the expression that gives it back, of each slot."""
        n = p.name
        if p.kind == "made":
            return [(None, None, "out")]
        if p.kind == "context":
            return [("c", f".ctx = {n}", "s[{}].ctx")]
        if p.kind in ("operand", "exact", "bound", "number"):
            letter = "x" if p.kind == "exact" else \
                "a" if self.with_context or p.kind == "number" else "o"
            return [(letter, f".at = &{n}", "ARG({})")]
        if p.kind in ("arguments", "list"):
            return [("O" if p.kind == "arguments" else "H", f".at = {n}", "s[{}].at"),
                    ("n", ".whole = (int64_t)n", "(size_t)s[{}].whole")]
        if p.kind == "keywords":
            return [("k", f".at = {n}", "s[{}].at")]
        if p.kind != "plain":
            sys.exit(f"{self.of.name}: no pure function takes {p.kind}")
        kind = p.type.strip()
        if kind == "tsr *":
            return [("q" if p.optional else "h", f".handle = {n}", "s[{}].handle")]
        if kind == "tsr *const *":
            return [("H", f".at = {n}", "s[{}].at")]
        if kind == "const char *":
            return [("t", f".at = {n}", "s[{}].at")]
        if kind == "tsr_dims":
            return [("d", f".at = &{n}", "DIMS({})")]
        if kind == "double":
            return [("f", f".real = {n}", "s[{}].real")]
        if not self.WHOLE.fullmatch(p.type):
            sys.exit(f"{self.of.name}: no pure function takes {p.type}{n}")
        letter = "n" if kind == "size_t" else "i"
        cast = "" if kind == "int64_t" else f"({kind})"
        return [(letter, f".whole = {'(int64_t)' if letter == 'n' else ''}{n}",
                 f"{cast}s[{{}}].whole")]

    def prototype(self):
        parameters = ["call_site *", *self.of.parameters()[1:]]
        return wrap(f"{self.of.returns}lib_{self.name}(", parameters, ");") + "\n"

    def entry(self):
        takes = "".join(letter for letter, _, _ in self.slots if letter)
        one = self.of.returns == "tsr *"
        if takes in ("2", "3", "e"):
            return f'OF_OPERANDS({self.name}, {len(self.of.of)}, "{takes}")\n'
        if row := self.of.row(PURE_HEAD, *[self.record] * bool(self.record)):
            return row
        back, k = [], 0
        for letter, _, get in self.slots:
            back.append(get.format(k) if letter else get)
            k += bool(letter)
        keywords = f"&{self.record}_keywords" if self.record else "NULL"
        row = wrap("ONE(" if one else "SEVERAL(", [self.name, f'"{takes}"', keywords, *back], ")")
        put = [f"{{{init}}}" for letter, init, _ in self.slots if letter]
        made = [p for p in self.of.of if p.kind == "made"]
        head = wrap(f"{self.of.returns}{self.of.name}_at(", self.of.parameters(), ")")
        if one:
            last = wrap(f"\treturn apply_one(&of_{self.name}, where, (slot[]){{", put, "});")
        else:
            count = f"(int){made[0].count}" if made[0].count == "n" else made[0].count
            last = wrap(f"\treturn apply(&of_{self.name}, where, (slot[]){{", put,
                        f"}}, {made[0].name}, {count});")
        return f"\n{row}\n{head}\n{{\n{last}\n}}\n\n"


RECORD = re.compile(r"^typedef struct (tsr_\w+_args) \{\n(.*?)^\} \1;",
                    re.M | re.S)
COMMENT = re.compile(r"/\*.*?\*/", re.S)


def keywords_of(name, text):
    """The table of the keywords of a record: those that are not plain bytes have a kind."""
    each = []
    for line in re.sub(r"TSR_(KEYWORDS_(END_)?|ADDED_)", "", COMMENT.sub("", text)).split(";"):
        line = " ".join(line.split())
        if not line:
            continue
        kind, fields = re.fullmatch(r"((?:const |enum )?\w+) (.*)", line).groups()
        for field in fields.split(","):
            field = field.strip()
            word = {"tsr": "TAKES_HANDLE", "tsr_arg": "TAKES_ARG", "tsr_dims": "TAKES_DIMS",
                    "const char": "TAKES_TEXT"}.get(kind)
            if kind == "tsr" and field.startswith("**"):
                word, field = "TAKES_PLACE", field[1:]
            if field.startswith("*") != (kind in ("tsr", "const char")) or "[" in field:
                sys.exit(f"{name}: no pure function has the keyword {line}")
            each.append(f"KEYWORD({name}, {field.lstrip('*')}, {word or 'TAKES_PLAIN'})")
    return f"KEYWORDS_OF({name}" + "".join(f",\n\t{k}" for k in each) + ")\n"


def fold(head, text):
    """A definition in several lines, which break between words, and not inside texts."""
    lines, line = [], f"#define {head} "
    if len(line) > WIDTH - 2:
        text, line = f"{head} {text}", "#define "
    else:
        lines, line = [line.rstrip()], "\t"
    for word in re.findall(r'(?:"[^"]*"|[^\s"])+', text):
        if len((line + word).expandtabs(8)) > WIDTH - 2 and line.strip():
            lines.append(line.rstrip())
            line = "\t\t" if len(word) <= WIDTH - 2 - 16 else "\t"
        line += word + " "
    return " \\\n".join([*lines, line.rstrip()]) + "\n"


def wrap(head, parameters, end):
    """A prototype or a call in lines of at most WIDTH; the first parameter is below a long head."""
    first = parameters[0] + (end if len(parameters) == 1 else ",")
    if len((head + first).expandtabs(8)) > WIDTH:
        tabs = "\t" * (len(head) - len(head.lstrip("\t")) + 1)
        return f"{head}\n{wrap(tabs, parameters, end)}"
    lines, line = [], head
    for k, text in enumerate(parameters):
        piece = text + (end if k + 1 == len(parameters) else ", ")
        if len((line + piece.rstrip()).expandtabs(8)) > WIDTH and line != head:
            lines.append(line.rstrip())
            tabs = len(head) - len(head.lstrip("\t"))
            line = "\t" * tabs + " " * (len(head) - tabs)
        line += piece
    return "\n".join([*lines, line])


def rows(parts):
    """A file of rows and functions, with one empty line around each function."""
    return re.sub(r"\n{3,}", "\n\n", "".join(parts)).rstrip() + "\n"


OPERATION = re.compile(r"^(op|pure|effect) ([\w ]+?[ *]+)(tsr_\w+)\(([^;]*)\);\n", re.M)


def make(source):
    """The text of a header, and its operations."""
    operations = []

    def function(match):
        operations.append(Operation(*match.groups()))
        return operations[-1].function() + "\n"

    text = OPERATION.sub(function, source.read_text(encoding="utf-8"))
    values = [op for op in operations if op.has_value()]
    text = text.replace("@values\n", "".join(
        ["/* ---- the same without place and keywords: as values, and for debuggers */\n\n",
         *(f"/** {op.name}_at() as a value. */\n{op.value()}\n" for op in values)])
        if values else "")
    text = text.replace("@macros\n", "".join(op.macro() for op in operations))
    head, rest = text.split("*/", 1)
    return f"{head}*/\n/* Made by tools/make_headers.py of api/{source.name}: change that one. */" \
        f"{rest}", operations


def main():
    made, definitions, pure, records, texts = {}, [VALUES_HEAD, "\n"], [], {}, {}
    for source in sorted((ROOT / "api").glob("*.h.in")):
        text, operations = make(source)
        made[ROOT / "include/tsr" / source.stem] = text
        texts |= dict(RECORD.findall(text))
        definitions += [op.definition() for op in operations if op.has_value()]
        pure += [Pure(op, records) for op in operations if op.pure]
    made[VALUES] = rows(definitions)
    made[PURE_HEADER] = PURE_HEADER_HEAD + "".join(p.prototype() for p in pure) + "\n#endif\n"
    made[PURE] = rows([PURE_HEAD, *(keywords_of(r, texts[r]) for r in records), "\n",
                       *(p.entry() for p in pure)])
    stale = [path for path, text in made.items()
             if not path.exists() or path.read_text(encoding="utf-8") != text]
    for path in stale:
        if "--check" in sys.argv[1:]:
            print(f"{path.relative_to(ROOT)} is not what tools/make_headers.py makes of api/")
        else:
            path.write_text(made[path], encoding="utf-8")
    print(f"{len(made) - len(stale)} as they were, {len(stale)} "
          f"{'stale' if '--check' in sys.argv[1:] else 'made'}")
    sys.exit(bool(stale) and "--check" in sys.argv[1:])


if __name__ == "__main__":
    main()
