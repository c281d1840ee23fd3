#!/usr/bin/env python3
"""check_slips.py - the first line that a compiler says of a natural slip names the right
form: check_slips.py [COMPILER...]

A slip is a statement with what is wrong, one with what is right, and words of the first line with
`error:` or `warning:`, of gcc and of clang where they differ. Both are compiled without any warning
flag; what is right compiles, with all of them, without a word. How a slip becomes an error is for
check_mistakes.py; here each family of functions has those that its users make most."""
import functools
import re

import common

TOGETHER = 16    # slips in one source text, each in its own function
KEYWORD = ("tsr_write_keywords_as_dot_name_equals_value", "write keywords as .name = value")
NAMED = "tsr_write_keywords_as_dot_name_equals_value"
KEYWORD_0 = ("<write keywords as .name = value, dims as TSR_DIMS(0)", KEYWORD[1])
DIMS = ("tsr_write_TSR_DIMS_1_for_one_dim", "write TSR_DIMS(1) for one dim")
DIMS_0 = (KEYWORD_0[0], DIMS[1])
ARG = ("tsr_write_TSR_ARG_around_it", "write TSR_ARG(2.5) for a number, TSR_ARG(x) for a handle")
ARG_0 = (KEYWORD_0[0], ARG[1])
ARG_REAL = "tsr_write_TSR_ARG_around_it"
SPECS = ("tsr_write_TSR_FOR_ALL_or_TSR_FOR_EACH",
         "write TSR_FOR_ALL(spec) or TSR_FOR_EACH(specs) for an argument")
SPECS_P = "tsr_write_TSR_FOR_ALL_or_TSR_FOR_EACH"
NAMES = ("tsr_write_TSR_NAMES_around_names", "write TSR_NAMES(")
MAPPED = ("tsr_write_TSR_MAPPED_around_the_dims", "write .in = TSR_MAPPED(0, 1)")
MAPPED_0 = (KEYWORD_0[0], MAPPED[1])
CONTEXT = "tsr_give_a_context_first"
OPERAND = "tsr_give_a_handle_or_a_number"
ARGUMENT = "tsr_give_a_handle_a_tree_or_a_number"
NUMBER = "tsr_give_a_number_and_no_handle"
RATE = "tsr_give_a_number_or_a_schedule"
AXIS = "tsr_give_the_name_of_an_axis"
BODY = "tsr_give_a_function_of_handles_or_a_fn"
PLACE = "tsr_give_the_address_of_a_handle_or_TSR_TREE"


def of_dims(name, dims="dims"):
    return f"tsr_{name}: write the argument {dims} as TSR_DIMS(2, 3)"


def given(name, argument):
    return f"tsr_{name}: give the argument {argument}, without a name"


def needs(name, argument):
    return f"tsr_{name}_needs_the_argument_{argument}"


def places(name):
    return f"tsr_{name}: write the argument outs as TSR_OUT(&y)"


def takes(name, count, given_here):
    """gcc names the function, clang shows the line."""
    many = f"passed {given_here} arguments, but takes just {count}" if given_here > count \
        else f"requires {count} arguments, but only {given_here} given"
    few = "too many" if given_here > count else "too few"
    return (f'macro "tsr_{name}" {many}', f"{few} arguments provided to function-like macro")


def type_of(name, argument, wanted):
    return (f"incompatible type for argument {argument} of 'tsr_{name}_at'",
            f"to parameter of incompatible type '{wanted}'")


def member(record, name):
    return (f"'tsr_{record}_args' has no member named '{name}'",
            f"field designator '{name}' does not refer to any field in type "
            f"'const tsr_{record}_args'")


SLIPS = {
    "elementwise": [
        ('tsr_add(x, "a")', "tsr_add(x, 1)", OPERAND),
        ("tsr_add(x, data)", "tsr_add(x, *data)", OPERAND),
        ("tsr_add(x, &y)", "tsr_add(x, y)", OPERAND),
        ("tsr_add(x, *p)", "tsr_add(x, p->w)", OPERAND),
        ("tsr_add(x)", "tsr_add(x, y)", takes("add", 2, 1)),
        ("tsr_add(x, y, x)", "tsr_add(x, tsr_add(y, x))", takes("add", 2, 3)),
        ("x * 2", "tsr_mul(x, 2)", ("invalid operands to binary * (have 'tsr *' and 'int')",
                                    "invalid operands to binary expression ('tsr *'")),
        ("tsr_exp(2.0)", "tsr_exp(x)", type_of("exp", 2, "tsr *")),
        ("tsr_where(x, 1)", "tsr_where(x, 1, 0)", takes("where", 3, 2)),
        ("tsr_round(x, 2)", "tsr_round(x, .decimals = 2)", KEYWORD),
        ("tsr_dot(x)", "tsr_dot(x, y)", needs("dot", "b")),
        ("tsr_dot(x, y, TSR_F32)", "tsr_dot(x, y, .dtype = TSR_F32)", KEYWORD),
    ],
    "creation": [
        ("tsr_zeros(ctx, {2, 3})", "tsr_zeros(ctx, TSR_DIMS(2, 3))", of_dims("zeros")),
        ("tsr_zeros(ctx, 2, 3)", "tsr_zeros(ctx, TSR_DIMS(2, 3))", of_dims("zeros")),
        ("tsr_zeros(ctx, [2, 3])", "tsr_zeros(ctx, TSR_DIMS(2, 3))", of_dims("zeros")),
        ("tsr_zeros(ctx, 2)", "tsr_zeros(ctx, TSR_DIMS(2))", of_dims("zeros")),
        ("tsr_zeros(ctx, sizes)", "tsr_zeros(ctx, TSR_DIMS(sizes[0]))", of_dims("zeros")),
        ("tsr_zeros(ctx, sizes, 2)", "tsr_zeros(ctx, TSR_DIMS(sizes[0]))", of_dims("zeros")),
        ("tsr_zeros(ctx, TSR_F32, TSR_DIMS(2))", "tsr_zeros(ctx, TSR_DIMS(2), .dtype = TSR_F32)",
         of_dims("zeros")),
        ("tsr_zeros(ctx)", "tsr_zeros(ctx, TSR_DIMS())", of_dims("zeros")),
        ("tsr_zeros(2, 3)", "tsr_zeros(ctx, TSR_DIMS(2, 3))", of_dims("zeros")),
        ("tsr_zeros(3, TSR_DIMS(2))", "tsr_zeros(ctx, TSR_DIMS(3, 2))", CONTEXT),
        ("tsr_zeros(ctx, TSR_DIMS(2), TSR_F32)", "tsr_zeros(ctx, TSR_DIMS(2), .dtype = TSR_F32)",
         KEYWORD),
        ("tsr_full(ctx, 3, TSR_DIMS(2))", "tsr_full(ctx, TSR_DIMS(2), 3)", of_dims("full")),
        ("tsr_full(ctx, TSR_DIMS(2))", "tsr_full(ctx, TSR_DIMS(2), 3)", needs("full", "number")),
        ("tsr_scalar(ctx, x)", "tsr_scalar(ctx, tsr_item(x))", NUMBER),
        ('tsr_scalar(ctx, "3")', "tsr_scalar(ctx, 3)", NUMBER),
        ("tsr_scalar(ctx, 3, TSR_F64)", "tsr_scalar(ctx, 3, .dtype = TSR_F64)", KEYWORD),
        ("tsr_scalar(3.0)", "tsr_scalar(ctx, 3.0)", needs("scalar", "number")),
        ("tsr_arange(5)", "tsr_arange(ctx, 5)", given("arange", "n")),
        ("tsr_eye(ctx, TSR_DIMS(3, 3))", "tsr_eye(ctx, 3)",
         type_of("eye", 3, "int64_t")),
        ("tsr_linspace(0, 1, 5)", "tsr_linspace(ctx, 0, 1, 5)", given("linspace", "n")),
        ("tsr_iota(ctx, TSR_DIMS(2, 3))", "tsr_iota(ctx, TSR_DIMS(2, 3), 0)", given("iota", "dim")),
    ],
    "layers": [
        ("tsr_linear(x, y)", "tsr_linear(x, y, NULL)", needs("linear", "bias")),
        ("tsr_layer_norm(x, y, x, 1e-5)", "tsr_layer_norm(x, y, x, .epsilon = 1e-5)", NAMED),
        ("tsr_conv(x, y, NULL, .strides = {2})", "tsr_conv(x, y, NULL, .strides = TSR_DIMS(2))",
         DIMS),
        ('tsr_conv(x, y, NULL, .padding = "SAME")', "tsr_conv(x, y, NULL, .padding = TSR_SAME)",
         "enum tsr_window_padding"),
        ("tsr_dropout(x, y)", "tsr_dropout(x, y, 0.5)", given("dropout", "rate")),
        ("tsr_batch_norm(x, y, x, x, y, .momentum = 0.9)",
         "tsr_batch_norm(x, y, x, x, y, .momentum = TSR_ARG(0.9))", ARG_REAL),
        ("tsr_multi_head_attention(x, y, x, x)", "tsr_multi_head_attention(x, y, x, x, y)",
         needs("multi_head_attention", "out")),
        ("tsr_multi_head_attention(x, y, x, x, y, true)",
         "tsr_multi_head_attention(x, y, x, x, y, .causal = true)", KEYWORD),
        ("tsr_rotary(x, .position = y)", "tsr_rotary(x, .position = TSR_ARG(y))", ARG),
        ("tsr_rotary(x, 100)", "tsr_rotary(x, .base = 100)", KEYWORD),
        ("tsr_squared_error(x)", "tsr_squared_error(x, NULL)", takes("squared_error", 2, 1)),
        ("tsr_huber_loss(x, y, 1.0)", "tsr_huber_loss(x, y, .delta = 1.0)", KEYWORD),
    ],
    "memory": [
        ("tsr_from(ctx, data, TSR_DIMS(2, 3))", "tsr_from(ctx, data, TSR_F32, TSR_DIMS(2, 3))",
         "tsr_from_takes_memory_dtype_and_dims"),
        ("tsr_from(data, TSR_F32, TSR_DIMS(6))", "tsr_from(ctx, data, TSR_F32, TSR_DIMS(6))",
         "tsr_from_takes_memory_dtype_and_dims"),
        ("tsr_from(ctx, data, TSR_F64, TSR_DIMS(6))", "tsr_from(ctx, data, TSR_F32, TSR_DIMS(6))",
         "tsr_from: the memory holds numbers of another type than the dtype"),
        ("tsr_from(ctx, data, TSR_DIMS(6), TSR_F32)", "tsr_from(ctx, data, TSR_F32, TSR_DIMS(6))",
         of_dims("from")),
        ('tsr_from(ctx, data, "f32", TSR_DIMS(6))', "tsr_from(ctx, data, TSR_F32, TSR_DIMS(6))",
         "tsr_from: give the dtype, TSR_F32"),
        ("tsr_from(ctx, data, TSR_F32, {2, 3})", "tsr_from(ctx, data, TSR_F32, TSR_DIMS(2, 3))",
         "tsr_from: write memory as (float[]){1, 2}, and dims as TSR_DIMS(2)"),
        ("tsr_from(ctx, data, TSR_F32, 2)", "tsr_from(ctx, data, TSR_F32, TSR_DIMS(2))",
         of_dims("from")),
        ("tsr_from(ctx, {1, 2}, TSR_F32, TSR_DIMS(2))",
         "tsr_from(ctx, (float[]){1, 2}, TSR_F32, TSR_DIMS(2))",
         "tsr_from: write memory as (float[]){1, 2}, and dims as TSR_DIMS(2)"),
        ("tsr_from(ctx, (float[]){1, 2}, TSR_DIMS(2))",
         "tsr_from(ctx, (float[]){1, 2}, TSR_F32, TSR_DIMS(2))",
         "tsr_from: write the argument dtype as TSR_F32"),
        ("tsr_wrap(ctx, data, TSR_F32)", "tsr_wrap(ctx, data, TSR_F32, TSR_DIMS(6))",
         of_dims("wrap")),
        ("tsr_read_into(x, data, TSR_F32)", "tsr_read_into(x, data, .dtype = TSR_F32)", KEYWORD),
        ("tsr_read(x, data)", "tsr_read(x, data, sizeof *data)", takes("read", 3, 2)),
        ("tsr_item(x, 0)", "tsr_item(x) > 0", takes("item", 1, 2)),
        ("tsr_shape(x, 0)", "tsr_dim(x, 0)", takes("shape", 1, 2)),
        ('tsr_load_npy("f")', 'tsr_load_npy(ctx, "f")', CONTEXT),
        ("tsr_save_npy(x)", 'tsr_save_npy(x, "f")', takes("save_npy", 2, 1)),
        ("tsr_save(TSR_LEAVES(&x, 1))", 'tsr_save(TSR_LEAVES(&x, 1), "x.npz")', "tsr_save"),
        ('tsr_save(TSR_LEAVES(&x, 1), "x.npz", .names = "w")',
         'tsr_save(TSR_LEAVES(&x, 1), "x.npz", .names = TSR_NAMES("w"))', NAMES),
        ('tsr_load(TSR_LEAVES(&x, 1), "x.npz", mesh)',
         'tsr_load(TSR_LEAVES(&x, 1), "x.npz", .mesh = mesh)', KEYWORD),
        ('tsr_load(TSR_LEAVES(&x, 1), "x.npz", .spec = TSR_P("x"))',
         'tsr_load(TSR_LEAVES(&x, 1), "x.npz", .spec = TSR_FOR_ALL(TSR_P("x")))', SPECS_P),
        ('tsr_checkpoint_save("run", TSR_LEAVES(&x, 1), 3)',
         'tsr_checkpoint_save("run", 3, TSR_LEAVES(&x, 1))',
         "incompatible type"),
        ('tsr_checkpoint_save("run", 3, TSR_LEAVES(&x, 1), true)',
         'tsr_checkpoint_save("run", 3, TSR_LEAVES(&x, 1), .async = true)', KEYWORD),
        ('tsr_checkpoint_latest("run")', 'tsr_checkpoint_latest(ctx, "run")', CONTEXT),
        ('tsr_load_text("f")', 'tsr_load_text(ctx, "f")', "tsr_load_text: give the argument path"),
        ('tsr_load_text(ctx, "f", .columns = 1)', 'tsr_load_text(ctx, "f", .columns = TSR_DIMS(1))',
         DIMS),
        ("tsr_print(x, 3)", "tsr_print(x, .precision = 3)", KEYWORD),
        ("tsr_open(8)", "tsr_open(.devices = 8)", KEYWORD),
        ("tsr_open(.device_count = 8)", "tsr_open(.devices = 8)", member("open", "device_count")),
        ("double d = tsr_mean(x); (void)d", "double d = tsr_item(x); (void)d",
         ("incompatible types when initializing type 'double' using type 'tsr *'",
          "initializing 'double' with an expression of incompatible type 'tsr *'")),
    ],
    "reductions": [
        ("tsr_sum(x, 1)", "tsr_sum(x, .dims = TSR_DIMS(1))", KEYWORD),
        ("tsr_sum(x, 0)", "tsr_sum(x, .dims = TSR_DIMS(0))", KEYWORD_0),
        ("tsr_sum(x, TSR_DIMS(0))", "tsr_sum(x, .dims = TSR_DIMS(0))", NAMED),
        ("tsr_sum(x, .dims = 1)", "tsr_sum(x, .dims = TSR_DIMS(1))", DIMS),
        ("tsr_sum(x, .dims = 0)", "tsr_sum(x, .dims = TSR_DIMS(0))", DIMS_0),
        ("tsr_sum(x, .dims = {1})", "tsr_sum(x, .dims = TSR_DIMS(1))", DIMS),
        ("tsr_sum(x, .dims = {0, 1})", "tsr_sum(x, .dims = TSR_DIMS(0, 1))", DIMS),
        ("tsr_sum(x, .dim = TSR_DIMS(1))", "tsr_sum(x, .dims = TSR_DIMS(1))", member("sum", "dim")),
        ("tsr_sum(x, .axis = 1)", "tsr_sum(x, .dims = TSR_DIMS(1))", member("sum", "axis")),
        ("tsr_sum(x, .keepdims = true)", "tsr_sum(x, .keep = true)", member("sum", "keepdims")),
        ("tsr_sum(x, .initial = 3)", "tsr_sum(x, .initial = TSR_ARG(3))", ARG),
        ("tsr_sum(x, .initial = 0)", "tsr_sum(x, .initial = TSR_ARG(0))", ARG_0),
        ("tsr_sum(x, .initial = 2.5)", "tsr_sum(x, .initial = TSR_ARG(2.5))", ARG_REAL),
        ("tsr_sum(x, .initial = y)", "tsr_sum(x, .initial = TSR_ARG(y))", ARG),
        ("tsr_sum(x, .where = 1)", "tsr_sum(x, .where = y)",
         ("initialization of 'tsr *' from 'int'", "conversion initializing 'tsr *'")),
        ("tsr_sum(x, TSR_F32)", "tsr_sum(x, .dtype = TSR_F32)", KEYWORD),
        ('tsr_sum(x, .dtype = "f32")', "tsr_sum(x, .dtype = TSR_F32)", "tsr_dtype'"),
        ("tsr_sum(ctx, x)", "tsr_sum(x)", KEYWORD),
        ("tsr_sum(3.0)", "tsr_sum(x)", type_of("sum", 2, "tsr *")),
        ("tsr_argmax(x, 1)", "tsr_argmax(x, .dim = TSR_DIMS(1))", KEYWORD),
        ("tsr_argmax(x, .dim = 1)", "tsr_argmax(x, .dim = TSR_DIMS(1))", DIMS),
        ("tsr_softmax(x)", "tsr_softmax(x, -1)", given("softmax", "dim")),
        ("tsr_softmax(x, .dim = 1)", "tsr_softmax(x, 1)", given("softmax", "dim")),
        ("tsr_softmax(x, TSR_DIMS(1))", "tsr_softmax(x, 1)",
         type_of("softmax", 3, "int")),
        ("tsr_cumsum(x, 1)", "tsr_cumsum(x, .dim = TSR_DIMS(1))", KEYWORD),
        ("tsr_var(x, .mean = 0)", "tsr_var(x, .mean = TSR_ARG(0))", ARG_0),
        ("tsr_top_k(x, 5)", "tsr_top_k(x, 5, out)", given("top_k", "out")),
    ],
    "indexing": [
        ("tsr_reshape(x, {2, 3})", "tsr_reshape(x, TSR_DIMS(2, 3))", takes("reshape", 2, 3)),
        ("tsr_reshape(x, 6)", "tsr_reshape(x, TSR_DIMS(6))",
         type_of("reshape", 3, "tsr_dims")),
        ("tsr_transpose(x, 1, 0)", "tsr_transpose(x, .perm = TSR_DIMS(1, 0))", KEYWORD),
        ("tsr_transpose(x, {1, 0})", "tsr_transpose(x, .perm = TSR_DIMS(1, 0))", KEYWORD),
        ("tsr_transpose(x, TSR_DIMS(1, 0))", "tsr_transpose(x, .perm = TSR_DIMS(1, 0))", NAMED),
        ("tsr_expand_dims(x, 0)", "tsr_expand_dims(x, TSR_DIMS(0))",
         type_of("expand_dims", 3, "tsr_dims")),
        ("tsr_slice(x, 0, 1)", "tsr_slice(x, 0, 1, TSR_END)", takes("slice", 4, 3)),
        ("tsr_take(x, y)", "tsr_take(x, 0, y)", needs("take", "indices")),
        ("tsr_at_add(x, y)", "tsr_at_add(x, 0, y, 1)", takes("at_add", 4, 2)),
        ("tsr_at_set(x, y, 1)", "tsr_at_set(x, 0, y, 1)", needs("at_set", "updates")),
        ("tsr_pad(x, 1)", "tsr_pad(x, TSR_DIMS(1), TSR_DIMS(1), 0)", takes("pad", 4, 2)),
        ("tsr_pad(x, 1, 1, 0)", "tsr_pad(x, TSR_DIMS(1), TSR_DIMS(1), 0)", of_dims("pad", "low")),
        ("tsr_split(x, 4)", "tsr_split(x, 0, out, 4)", takes("split", 4, 2)),
    ],
    "linalg": [
        ("tsr_lu(x)", "tsr_lu(x, out)", takes("lu", 2, 1)),
        ("tsr_lu(x, y)", "tsr_lu(x, out)",
         ("passing argument 3 of 'tsr_lu_at' from incompatible pointer type",
          "passing 'tsr *' (aka 'struct tsr *') to parameter of type 'tsr **'")),
        ("tsr_svd(x)", "tsr_svd(x, out)", given("svd", "out")),
        ("tsr_svd(x, .thin = true)", "tsr_svd(x, out, .thin = true)", given("svd", "out")),
        ("tsr_svd(x, out, true)", "tsr_svd(x, out, .thin = true)", KEYWORD),
        ("tsr_lstsq(x, y)", "tsr_lstsq(x, y, out)", given("lstsq", "out")),
        ("tsr_lstsq(x, y, out, 1e-3)", "tsr_lstsq(x, y, out, .rtol = 1e-3)", NAMED),
        ("tsr_norm(x, 2)", "tsr_norm(x, .ord = 2)", KEYWORD),
        ('tsr_norm(x, .ord = "fro")', "tsr_norm(x)",
         ("initializing type 'double' using type 'char *'", "initializing 'double'")),
        ("tsr_cholesky(x, true)", "tsr_cholesky(x)", KEYWORD),
        ("tsr_solve(x)", "tsr_solve(x, y)", takes("solve", 2, 1)),
    ],
    "random": [
        ("tsr_key(42)", "tsr_key(ctx, 42)", takes("key", 2, 1)),
        ("tsr_normal(key, 3)", "tsr_normal(key, TSR_DIMS(3))", of_dims("normal")),
        ("tsr_normal(key, {3})", "tsr_normal(key, TSR_DIMS(3))", of_dims("normal")),
        ("tsr_normal(key)", "tsr_normal(key, TSR_DIMS())", of_dims("normal")),
        ("tsr_normal(key, TSR_DIMS(3), TSR_F64)", "tsr_normal(key, TSR_DIMS(3), .dtype = TSR_F64)",
         KEYWORD),
        ("tsr_uniform(key, TSR_DIMS(3), .minval = 0)",
         "tsr_uniform(key, TSR_DIMS(3), .minval = TSR_ARG(0))", ARG_0),
        ("tsr_uniform(key, TSR_DIMS(3), .maxval = 3.0)",
         "tsr_uniform(key, TSR_DIMS(3), .maxval = TSR_ARG(3.0))", ARG_REAL),
        ("tsr_randint(key, 0, 10, TSR_DIMS(3))", "tsr_randint(key, TSR_DIMS(3), 0, 10)",
         of_dims("randint")),
        ("tsr_bernoulli(0.5)", "tsr_bernoulli(key, 0.5)", needs("bernoulli", "p")),
        ("tsr_split_key(key, 2)", "tsr_split_key(key, out, 2)", takes("split_key", 3, 2)),
        ("tsr_categorical(key, x, 1)", "tsr_categorical(key, x, .dim = TSR_DIMS(1))", KEYWORD),
    ],
    "collectives": [
        ("tsr_psum(x)", 'tsr_psum(x, "x")', given("psum", "axis")),
        ("tsr_psum(x, 0)", 'tsr_psum(x, "x")', AXIS),
        ("tsr_psum(x, 'x')", 'tsr_psum(x, "x")', AXIS),
        ("tsr_psum(x, mesh)", 'tsr_psum(x, "x")', AXIS),
        ('tsr_psum("x", x)', 'tsr_psum(x, "x")', AXIS),
        ('tsr_psum(x, "x", "y")', 'tsr_psum(x, "x*y")', KEYWORD),
        ('tsr_all_gather(x, "x", 1)', 'tsr_all_gather(x, "x", .dim = TSR_DIMS(1))', KEYWORD),
        ('tsr_all_gather(x, "x", .dim = 0)', 'tsr_all_gather(x, "x", .dim = TSR_DIMS(0))', DIMS_0),
        ('tsr_ppermute(x, "x")', 'tsr_ppermute(x, "x", TSR_SHIFT(1))',
         "tsr_ppermute: write the argument perm as TSR_PAIRS({0, 1}, {1, 0})"),
        ('tsr_ppermute(x, "x", {{0, 1}})', 'tsr_ppermute(x, "x", TSR_PAIRS({0, 1}))',
         "tsr_ppermute: write the argument perm as TSR_PAIRS({0, 1}, {1, 0})"),
        ('tsr_axis_index("x")', 'tsr_axis_index(x, "x")', given("axis_index", "axis")),
    ],
    "meshes and maps": [
        ('tsr_mesh_make(ctx, 2)', 'tsr_mesh_make(ctx, {"x", 2})',
         ("initialization of 'const char *' from 'int'", "initializing 'const char *'")),
        ('tsr_put(x, mesh, "x")', 'tsr_put(x, mesh, TSR_P("x"))',
         type_of("put", 4, "tsr_spec")),
        ("tsr_put(x, mesh)", 'tsr_put(x, mesh, TSR_P("x"))', takes("put", 3, 2)),
        ("tsr_put(x, mesh, TSR_DIMS(0))", 'tsr_put(x, mesh, TSR_P("x"))',
         type_of("put", 4, "tsr_spec")),
        ("tsr_shard_map(loss)", "tsr_shard_map(mesh, loss)", needs("shard_map", "body")),
        ("tsr_shard_map(loss, mesh)", "tsr_shard_map(mesh, loss)", BODY),
        ("tsr_shard_map(mesh, loss(x))", "tsr_shard_map(mesh, loss)", BODY),
        ('tsr_shard_map(mesh, loss, TSR_P("x"))', 'tsr_shard_map(mesh, loss, .sig = "[x] -> []")',
         NAMED),
        ('tsr_shard_map(mesh, loss, .in = TSR_P("x"))',
         'tsr_shard_map(mesh, loss, .in = {TSR_FOR_ALL(TSR_P("x"))})', SPECS_P),
        ('tsr_shard_map(mesh, loss, .in = {TSR_P("x")})',
         'tsr_shard_map(mesh, loss, .in = {TSR_FOR_ALL(TSR_P("x"))})', SPECS_P),
        ('tsr_shard_map(mesh, loss, .in = {"x"})',
         'tsr_shard_map(mesh, loss, .in = {TSR_FOR_ALL(TSR_P("x"))})', SPECS),
        ('tsr_shard_map(mesh, loss, .out = "x")',
         'tsr_shard_map(mesh, loss, .out = TSR_SPECS(TSR_P("x")))', SPECS),
        ('tsr_shard_map(mesh, loss, .in_specs = "x")', 'tsr_shard_map(mesh, loss)',
         member("shard_map", "in_specs")),
        ("tsr_pmap(ctx, loss, 2)", "tsr_pmap(ctx, loss)", KEYWORD),
    ],
    "transformations": [
        ("tsr_jit(loss)", "tsr_jit(ctx, loss)", needs("jit", "body")),
        ("tsr_jit(ctx, loss(x))", "tsr_jit(ctx, loss)", BODY),
        ("tsr_jit(ctx, count)", "tsr_jit(ctx, loss)", BODY),
        ("tsr_grad(ctx, tsr_sum(x))", "tsr_grad(ctx, loss)", BODY),
        ("tsr_grad(loss, x)", "tsr_call(tsr_grad(ctx, loss), x)", CONTEXT),
        ("tsr_grad(ctx, loss, 1)", "tsr_grad(ctx, loss)", KEYWORD),
        ("tsr_grad(ctx, loss, .argnums = 0)", "tsr_grad(ctx, loss)", member("grad", "argnums")),
        ("tsr_vmap(ctx, two, 1)", "tsr_vmap(ctx, two, .in = TSR_MAPPED(1, 1))", KEYWORD),
        ("tsr_vmap(ctx, two, .in = 1)", "tsr_vmap(ctx, two, .in = TSR_MAPPED(1, 1))", MAPPED),
        ("tsr_vmap(ctx, two, .in = 0)", "tsr_vmap(ctx, two, .in = TSR_MAPPED(0, 0))", MAPPED_0),
        ("tsr_vmap(ctx, two, .in = {0, 1})", "tsr_vmap(ctx, two, .in = TSR_MAPPED(0, 1))",
         ("initialization of 'const int *' from 'int'", MAPPED[1])),
        ("tsr_vmap(ctx, two, .in_axes = 0)", "tsr_vmap(ctx, two)", member("vmap", "in_axes")),
        ("tsr_call(fn, p)", "tsr_call(fn, TSR_TREE(params, p))", ARGUMENT),
        ("tsr_call(fn, *p)", "tsr_call(fn, TSR_TREE(params, p))", ARGUMENT),
        ("tsr_call(fn, data)", "tsr_call(fn, *data)", ARGUMENT),
        ("tsr_call(loss, x)", "tsr_call(fn, x)",
         ("passing argument 2 of 'tsr_call_at' from incompatible pointer type",
          "to parameter of type 'tsr_fn *'")),
        ("tsr_call_into(&y, fn, x)", "tsr_call_into(TSR_OUT(&y), fn, x)", places("call_into")),
        ("tsr_call_into(fn, x)", "tsr_call_into(TSR_OUT(&y), fn, x)", places("call_into")),
        ("tsr_call_into(TSR_OUT(y), fn, x)", "tsr_call_into(TSR_OUT(&y), fn, x)", PLACE),
    ],
    "control flow": [
        ("tsr_while(count, loss, 0)", "tsr_while(loss, loss, 0)", BODY),
        ("tsr_while(tsr_lt(x, 3), loss, x)", "tsr_while(loss, loss, x)", BODY),
        ("tsr_cond(x, loss(x), loss(y), x)", "tsr_cond(x, loss, loss, x)", BODY),
        ("tsr_fori(10, loss, x)", "tsr_fori(0, 10, two, x)", OPERAND),
        ("tsr_scan(two, x)", "tsr_scan(two, 0, x)", needs("scan", "xs")),
        ("tsr_scan(x, two, y)", "tsr_scan(two, x, y)", BODY),
        ("tsr_scan(two, x, NULL)", "tsr_scan(two, x, TSR_NONE, .length = 3)", ARGUMENT),
        ("tsr_scan(two, x, y, 5)", "tsr_scan(two, x, y, .length = 5)", KEYWORD),
        ("tsr_scan_into(&y, two, x, y)", "tsr_scan_into(TSR_OUT(&y), two, x, y)",
         places("scan_into")),
        ("tsr_map(x, loss)", "tsr_map(loss, x)", BODY),
    ],
    "optimisers": [
        ("tsr_adam(ctx, )", "tsr_adam(ctx, 0.1)", given("adam", "rate")),
        ("tsr_adam(ctx, x)", "tsr_adam(ctx, fn)", RATE),
        ("tsr_adam(ctx, .b1 = 0.9)", "tsr_adam(ctx, 0.1, .b1 = 0.9)", given("adam", "rate")),
        ("tsr_sgd(ctx, 0.1, 0.9)", "tsr_sgd(ctx, 0.1, .momentum = 0.9)", NAMED),
        ("tsr_lion(0.1, 1e-4)", "tsr_lion(ctx, 1e-4)", CONTEXT),
        ("tsr_train_step(ctx, x, tsr_adam(ctx, 0.1))",
         "tsr_train_step(ctx, loss, tsr_adam(ctx, 0.1))", BODY),
        ("tsr_train(fn, p, TSR_LEAVES(out, 4), x)",
         "tsr_train(fn, TSR_TREE(params, p), TSR_LEAVES(out, 4), x)",
         ("incompatible type for argument 3 of 'tsr_train_at'",
          "to parameter of incompatible type 'tsr_tree'")),
    ],
    "trees and parameters": [
        ("tsr_tree_map(TSR_TREE(params, p), count, TSR_TREE(params, p))",
         "tsr_tree_map(TSR_TREE(params, p), loss, TSR_TREE(params, p))", BODY),
        ("tsr_tree_zip(TSR_TREE(params, p), two, TSR_TREE(params, p), data)",
         "tsr_tree_zip(TSR_TREE(params, p), two, TSR_TREE(params, p), *data)", ARGUMENT),
        ("tsr_tree_norm(p)", "tsr_tree_norm(TSR_TREE(params, p))",
         ("incompatible type for argument 2 of 'tsr_tree_norm_at'",
          "to parameter of incompatible type 'tsr_tree'")),
        ("tsr_init_normal(key, {3})", "tsr_init_normal(key, TSR_DIMS(3))", of_dims("init_normal")),
        ("tsr_init_normal(key, TSR_DIMS(3), 0.02)",
         "tsr_init_normal(key, TSR_DIMS(3), .stddev = 0.02)", NAMED),
        ("tsr_init_constant(key, TSR_DIMS(3), .value = 2)",
         "tsr_init_constant(key, TSR_DIMS(3), .value = TSR_ARG(2))", ARG),
        ("tsr_init_he_normal(key, TSR_DIMS(3, 3), .in = 1)",
         "tsr_init_he_normal(key, TSR_DIMS(3, 3), .in = TSR_DIMS(1))", DIMS),
        ("tsr_make_params(TSR_TREE(params, p), key, mesh, p, 2)",
         "tsr_make_params(TSR_TREE(params, p), key, mesh, (tsr_param *)p, 2)",
         ("passing argument 5 of 'tsr_make_params_at' from incompatible pointer type",
          "to parameter of type 'const tsr_param *'")),
    ],
}

HEAD = """#include <tsr/tsr.h>
TSR_TREE_TYPE(params, { tsr *w, *b; });
tsr *loss(tsr *x);
tsr *two(tsr *x, tsr *y);
int count(tsr *x);
#define ARGUMENTS tsr_ctx *ctx, tsr *x, tsr *y, tsr *out[4], tsr_mesh *mesh, tsr *key, \\
	tsr_fn *fn, params *p, float *data, const int64_t *sizes
"""
USE = """#line 1 "use_{number}"
void use_{number}(ARGUMENTS);
void use_{number}(ARGUMENTS)
{{
	(void)ctx, (void)x, (void)y, (void)out, (void)mesh, (void)key, (void)fn, (void)p;
	(void)data, (void)sizes;
	{statement};
}}
"""


VOID = re.compile(r"double |tsr_\w+_into\(TSR_OUT|tsr_print")


def program(statements):
    return HEAD + "".join(
        USE.format(number=k, statement=text if VOID.match(text) else f"(void)!({text})")
        for k, text in enumerate(statements))


def right(compiler):
    statements = sorted({slip[1] for family in SLIPS.values() for slip in family})
    ok, said, _ = common.compile_behind_headers(compiler, program(statements), *common.WARNINGS)
    return None if ok and not said else f"{compiler}: what is right does not compile\n{said[:9000]}"


def first_lines(compiler, slips):
    """Of each slip the first line with `error:` or `warning:`; gcc has said before in what function
    it is, clang begins it with the name from #line."""
    statements = [slip[0] for slip in slips]
    limit = ["-ferror-limit=0"] if compiler.startswith("clang") else []
    _, said, _ = common.compile_behind_headers(compiler, program(statements), "-fsyntax-only",
                                               *limit)
    first, number = {}, 0
    for line in said.splitlines():
        place = re.search(r"In function 'use_(\d+)'|^use_(\d+):", line)
        if place:
            number = int(place[1] or place[2])
        if re.search(r"\b(error|warning):", line):
            first.setdefault(number, line)
    return [first.get(k, "nothing") for k in range(len(slips))], said


def is_named(compiler, slip, line):
    number = 1 if compiler.startswith("clang") else 0
    words = slip[2] if isinstance(slip[2], str) else slip[2][number]
    return words in line


def wrong(compiler, slips):
    """Where each line of several slips has its words, and no warning that is given once a text came
    before, each slip alone has them too; otherwise each is tried alone."""
    lines, said = first_lines(compiler, slips)
    if len(slips) == 1:
        return None if is_named(compiler, slips[0], lines[0]) else \
            f"{slips[0][0]}, {compiler}: not {slips[0][2]}, but\n    {lines[0]}"
    if "implicit declaration" in said:
        alone = slips
    else:
        alone = [slip for slip, line in zip(slips, lines) if not is_named(compiler, slip, line)]
    faults = [wrong(compiler, [slip]) for slip in alone]
    return "\n".join(fault for fault in faults if fault) or None


def cases():
    slips = [slip for family in SLIPS.values() for slip in family]
    for compiler in common.compilers():
        yield functools.partial(right, compiler)
        for k in range(0, len(slips), TOGETHER):
            yield functools.partial(wrong, compiler, slips[k:k + TOGETHER])


common.run(cases())
