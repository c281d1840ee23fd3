#!/usr/bin/env python3
"""check_mistakes.py - each mistake in mistakes/ is a compile error with the words listed here, and
the same file without it compiles: check_mistakes.py [COMPILER...]

A file has the mistake where MISTAKE is defined. Words of gcc and of clang stand side by side where
they differ. All but the WARNED are errors whatever warnings the caller has on."""
import functools
import pathlib

import common

# functions that take nothing, where no type fits
OPERAND = ("'tsr_give_a_handle_or_a_number'", "'struct tsr_give_a_handle_or_a_number'")
ARGUMENT = ("'tsr_give_a_handle_a_tree_or_a_number'",
            "'struct tsr_give_a_handle_a_tree_or_a_number'")
NUMBER = ("'tsr_give_a_number_and_no_handle'", "'struct tsr_give_a_number_and_no_handle'")
RESULT = ("'tsr_give_a_handle_or_a_tree'", "'struct tsr_give_a_handle_or_a_tree'")
CONTEXT = ("'tsr_give_a_context_first'", "'struct tsr_give_a_context_first'")
AXIS = ("'tsr_give_the_name_of_an_axis'", "'struct tsr_give_the_name_of_an_axis'")
PLACE = ("'tsr_give_the_address_of_a_handle_or_TSR_TREE'",
         "'struct tsr_give_the_address_of_a_handle_or_TSR_TREE'")
BODY = ("'tsr_give_a_function_of_handles_or_a_fn'",
        "'struct tsr_give_a_function_of_handles_or_a_fn'")
BY_NAME = ("write keywords as .name = value", "tsr_write_keywords_as_dot_name_equals_value")
TOO_WIDE = ("at_most_8",)
NOT_HANDLE = ("from 'tsr *'", "type 'tsr *'", "using type 'tsr *'")
SAYS = {
    "argument_extra": ("takes just 1", "too many arguments"),
    "argument_missing_in_front": ("tsr_ppermute: write the argument perm as TSR_PAIRS",),
    "argument_missing": ("tsr_psum: give the argument axis, without a name",),
    "argument_text": ARGUMENT,
    "arguments_too_many": ("at_most_8",),
    "axis_zero": AXIS,
    "body_called": BODY,
    "body_of_five": BODY,
    "body_of_numbers": BODY,
    "body_tree_last": BODY,
    "body_without_result": BODY,
    "context_number": CONTEXT,
    "dims_of_text": ("'char *'", "'char[2]'"),
    "dims_too_many": TOO_WIDE,
    "grad_keyword_of_vmap": ("no member named 'axis'", "'axis' does not refer to any field"),
    "grad_of_a_result": BODY,
    "into_strides": ("tsr_write_keywords_as_dot_name_equals_value",
                     "write keywords as .name = value"),
    "keyword_of_another": ("no member named 'tiled'", "'tiled' does not refer to any field"),
    "keyword_unknown": ("no member named 'axis'", "'axis' does not refer to any field"),
    "keyword_without_name": BY_NAME,
    "keyword_without_name_fn": BY_NAME,
    "keyword_without_name_text": BY_NAME,
    "keyword_without_name_zero": BY_NAME,
    "linearize_without_places": ("TSR_LINEARIZE_1_",),
    "mapped_without_macro": ("initialization of 'const int *' from 'int'",
                             "write .in = TSR_MAPPED(0, 1)"),
    "memory_of_doubles": ("tsr_from: the memory holds numbers of another type than the dtype",),
    "mesh_axis_order": ("from 'int'", "initializing 'const char *'"),
    "mesh_use_under_case": ("switch jumps into scope", "cannot jump from switch statement"),
    "mesh_context": ("from incompatible pointer type", "to parameter of type 'tsr_mesh *'"),
    "number_handle": NUMBER,
    "operand_number": ("but argument is of type 'double'", "passing 'double'"),
    "operand_pointer": OPERAND,
    "operand_text": OPERAND,
    "operand_tree": OPERAND,
    "out_handle": PLACE,
    "result_number": RESULT,
    "result_unused": ("warn_unused_result",),
    "scope_under_case": ("switch jumps into scope", "cannot jump from switch statement"),
    "spec_for_dims": ("expected 'tsr_dims'", "incompatible type 'tsr_dims'"),
    "spec_too_long": TOO_WIDE,
    "tree_double": NOT_HANDLE,
    "tree_fn": NOT_HANDLE,
    "tree_int": NOT_HANDLE,
    "tree_int64": NOT_HANDLE,
    "tree_of_another": ("incompatible pointer type",),
    "tree_pointer": NOT_HANDLE,
}
WARNED = {"dims_of_text", "mesh_axis_order", "mesh_context",
          "result_unused", "tree_of_another"}
FILES = sorted((pathlib.Path(__file__).resolve().parent / "mistakes").glob("*.c"))


def right(compiler, path):
    text = path.read_text(encoding="utf-8")
    ok, said, _ = common.compile_behind_headers(compiler, text, *common.WARNINGS)
    return None if ok else f"{path.name}, {compiler}: does not compile without the mistake\n{said}"


def wrong(compiler, path):
    text = path.read_text(encoding="utf-8")
    options = ["-DMISTAKE"] + (["-Werror"] if path.stem in WARNED else [])
    ok, said, _ = common.compile_behind_headers(compiler, text, *options)
    if ok:
        return f"{path.name}, {compiler}: the mistake compiles"
    if not any(words in said for words in SAYS.get(path.stem, ())):
        return f"{path.name}, {compiler}: not the words expected, but\n{said}"
    return None


def missing(name):
    return f"mistakes/{name}.c is not there" if name not in {path.stem for path in FILES} else None


def cases():
    for name in SAYS:
        yield functools.partial(missing, name)
    for compiler in common.compilers():
        for path in FILES:
            yield functools.partial(right, compiler, path)
            yield functools.partial(wrong, compiler, path)


common.run(cases())
