#!/usr/bin/env python3
"""check_nests.py - calls nested 16 deep, in every argument of every macro, compile in under a
second: check_nests.py [COMPILER...]

A form is an expression with @ where the next one inside goes; it gives a handle, or in FNS a fn and
in MESHES a mesh. Macros of functions whose parameters are in FAMILIES get their forms from that
table; a macro of the headers without a form is a fault, so one of no family needs its own."""
import functools
import re

import common

DEPTH = 16
LIMIT = 1.0    # seconds of processor time
# A virtual processor that others slow down counts their time too: what takes 0.3 s took 1.6 s. So
# what takes longer is compared with the plainest nest at that time, and tried some times
PLAINEST = "tsr_neg(@)", "x", "@"
AS_LONG = 20   # twice of what it is
TRIES = 3
TOGETHER = 12   # forms in one source text, which reads the headers once for all of them

# what a function takes behind the place -> what its macro is given in its forms
FAMILIES = {
    "tsr *x": ["@"],
    "tsr *a, tsr *b, const tsr_product_args *args": ["@, x", "x, @, .dtype = TSR_F64"],
    "const tsr_arg ab[2]": ["@, x", "x, @"],
    **{f"tsr *x, const tsr_{kind}_args *args": ["@", "@, .dims = TSR_DIMS(0), .keep = true",
                                                "@, .where = @"]
       for kind in ("reduce", "sum", "mean", "all", "logsumexp", "logmeanexp", "var")},
    "tsr *x, const tsr_dims_args *args": ["@", "@, .dims = TSR_DIMS(0), .keep = true"],
    "tsr *x, tsr_arg q, const tsr_quantile_args *args": ["@, x", "x, @, .dims = TSR_DIMS(0)"],
    "tsr *a, tsr *b": ["@, x", "x, @"],
    "tsr *x, int k": ["@, 1"],
    "tsr *const *x, size_t n": ["@", "@, x", "x, x, @"],
    "tsr *x, const tsr_diagonal_args *args": ["@", "@, .k = 1"],
    "tsr_ctx *ctx, int64_t n, const tsr_new_args *args": ["@, 4", "@, 4, .dtype = TSR_F64"],
    "tsr *x, int dim, const tsr_softmax_args *args": ["@, -1", "x, 0, .where = @"],
    "tsr *x, const tsr_round_args *args": ["@", "@, .decimals = 2"],
    "tsr *x, const tsr_arg_args *args": ["@", "@, .dim = TSR_DIMS(0)"],
    **{f"tsr *x, const tsr_{kind}_args *args": ["@", "@, .dim = TSR_DIMS(0)"]
       for kind in ("sort", "argsort", "cumsum", "cummax", "cumulative")},
    **{f"tsr *key, tsr_dims dims, const tsr_{kind}_args *args": ["@, TSR_DIMS(2, 2)",
                                                                "@, TSR_DIMS(2), .dtype = TSR_F64"]
       for kind in ("new", "init_constant", "init_uniform", "init_normal",
                    "init_truncated_normal", "init_scaling", "init_fan", "init_orthogonal")},
    "tsr *x, const char *axis, const tsr_group_args *args":
        ['@, "x"', '@, "x", .groups = {.member = order, .count = 1, .size = 2}'],
}

FORMS = [
    *(f"{name}({given})" for name, parameters in common.functions()
      for given in FAMILIES.get(parameters, ())),
    'tsr_all_gather(@, "x")', 'tsr_all_gather(@, "x", .dim = TSR_DIMS(1), .tiled = true)',
    'tsr_psum_scatter(@, "x", .tiled = true)',
    'tsr_all_to_all(@, "x", .split = TSR_DIMS(1), .tiled = true)',
    'tsr_pswapaxes(@, "x", 0)', 'tsr_ppermute(@, "x", TSR_SHIFT(1))',
    'tsr_ppermute(@, "x", TSR_PAIRS({0, 1}, {1, 0}), '
    '.groups = {.member = order, .count = 1, .size = 2})',
    'tsr_ppermute(@, "x", TSR_PAIRS_OF(NULL, 0))',
    'tsr_pshuffle(@, "x", order, 2)', 'tsr_pbroadcast(@, "x", 0)', 'tsr_pcast(@, "x")',
    'tsr_axis_index(@, "x")', 'tsr_scalar(@, tsr_axis_size(@, "x"))',
    *(f'tsr_ragged_all_to_all({", ".join("@" if i == k else "x" for i in range(6))}, "x")'
      for k in range(6)),
    "tsr_reduce_window(@, TSR_COMBINE_ADD, TSR_DIMS(2), .strides = TSR_DIMS(2))",
    *(f"tsr_{name}_pool(@, TSR_DIMS(2), .padding = TSR_SAME)" for name in ("max", "min", "avg")),
    *(f"tsr_conv_general_dilated({a}, .padding = TSR_SAME)" for a in ("@, x", "x, @")),
    *(f"tsr_conv_transpose({a}, .strides = TSR_DIMS(2))" for a in ("@, x", "x, @")),
    "tsr_conv_general_dilated_patches(@, TSR_DIMS(2), .padding = TSR_SAME)",
    *(f"tsr_conv_general_dilated_local({a}, TSR_DIMS(2))" for a in ("@, x", "x, @")),
    "tsr_scalar(x, tsr_top_k(@, 2, out))",
    "tsr_scalar(x, tsr_top_k(@, 2, out, .dim = TSR_DIMS(0)))",
    *(f"tsr_{name}({a}, .mode = TSR_OVERLAP_SAME)" for name in ("convolve", "correlate")
      for a in ("@, x", "x, @")),
    "tsr_integer_pow(@, 2)", "tsr_max(x, .initial = TSR_ARG(@))", "tsr_astype(@, TSR_F16)",
    "tsr_reduce_precision(@, 5, 10)", "tsr_bitcast_convert_type(@, TSR_U32)",
    *(f"tsr_scalar(x, tsr_divmod({a}, out))" for a in ("@, 2", "x, @")),
    *(f"tsr_isclose({a}, 1e-5, 1e-8)" for a in ("@, x", "1, @")),
    "tsr_scalar(x, tsr_modf(@, out))", "tsr_gelu(@, .exact = true)", "tsr_one_hot(@, 5)",
    "tsr_glu(@, -1)", "tsr_standardize(@, -1, 1e-5)", "tsr_one_hot(@, 5, .dim = TSR_DIMS(0))",
    "tsr_standardize(x, -1, 1e-5, .mean = TSR_ARG(@))", "tsr_nan_to_num(@)",
    "tsr_nan_to_num(@, .nan = TSR_ARG(-1))", "tsr_multigammaln(@, 3)",
    "tsr_scalar(x, tsr_frexp(@, out))", "tsr_betainc(@, x, 1)", "tsr_betainc(1, @, x)",
    "tsr_betainc(x, 2, @)", "tsr_select((x = @, &x), &x, 1, x)", "tsr_select(&x, &x, 1, @)",
    "tsr_choose(@, &x, 1, TSR_CLIP)",
    *(f"tsr_dot_product_attention({a})"
      for a in ("@, x, x", "x, @, x", "x, x, @, .causal = true")),
    # layers, losses
    *(f"tsr_{name}({a})" for name in ("linear", "conv", "layer_norm") for a in (
        "@, x, NULL", "x, @, x", "x, x, @, .dtype = TSR_F64")),
    *(f"tsr_{name}({a})" for name in ("embed", "rms_norm") for a in ("@, x", "x, @")),
    *(f"tsr_group_norm({a})" for a in ("@, 2, x, x", "x, 2, @, x", "x, 2, x, @")),
    *(f"tsr_batch_norm({', '.join('@' if i == k else 'x' for i in range(5))})" for k in range(5)),
    *(f"tsr_dropout({a}, 0.5)" for a in ("@, x", "x, @")),
    *(f"tsr_{name}_cell({', '.join('@' if i == k else 'x' for i in range(5))})"
      for name in ("rnn", "gru") for k in range(5)),
    "tsr_gru_cell(x, x, x, x, NULL, .recurrent_bias = @)",
    *(f"tsr_scalar(x, tsr_lstm_cell({', '.join('@' if i == k else 'x' for i in range(6))}, out))"
      for k in range(6)),
    *(f"tsr_{name}({a})" for name in (
        "softmax_cross_entropy", "softmax_cross_entropy_with_integer_labels") for a in (
        "@, x", "x, @", "x, x, .where = @")),
    *(f"tsr_{name}({a})" for name in ("smooth_labels", "huber_loss", "squared_error", "l2_loss",
                                      "sigmoid_binary_cross_entropy") for a in ("@, x", "x, @")),
    *(f"tsr_multi_head_attention({a})" for a in (
        "@, x, x, x, x", "x, @, x, x, x", "x, x, @, x, x", "x, x, x, @, x",
        "x, x, x, x, @, .causal = true")),
    "tsr_rotary(@)", "tsr_rotary(x, .position = TSR_ARG(@))",
    # products, shapes, statistics, curves
    *(f'tsr_einsum("ij,jk,k", {a})' for a in ("@, x, x", "x, @, x", "x, x, @")),
    'tsr_einsum_list("i", (t.x = @, &t.x), 1)',
    *(f"tsr_{name}({a}{keyword})" for name, keyword in (
        ("tensordot", ""), ("tensordot", ", .n = 1"), ("vecdot", ", .dim = TSR_DIMS(0)"),
        ("cross", ", .dim = TSR_DIMS(0)")) for a in ("@, x", "x, @")),
    "tsr_moveaxis(@, TSR_DIMS(0), TSR_DIMS(-1))", "tsr_swapaxes(@, 0, 1)", "tsr_roll(@, 1, 0)",
    "tsr_rot90(@, 1, 0, 1)", "tsr_tile(@, TSR_DIMS(2))", "tsr_repeat(@, 2, 0)",
    "tsr_repeat_each(@, x, 4, 0)", "tsr_repeat_each(x, @, 4, 0)",
    "tsr_dynamic_roll(@, 1, 0)", "tsr_dynamic_roll(x, @, 0)",
    "tsr_view_as_real(@)", "tsr_view_as_complex(@)",
    "tsr_resize(@, TSR_DIMS(2))", "tsr_tri(@, 2, 2, 0)", "tsr_fill_diagonal(@, 1)",
    "tsr_fill_diagonal(x, @)", "tsr_vander(@, 3, true)", "tsr_indices(@, TSR_DIMS(2, 2))",
    "tsr_eye(@, 3, .k = 1)", "tsr_ravel_multi_index((x = @, &x), TSR_DIMS(2), TSR_CLIP)",
    *(f"tsr_scalar(x, tsr_{given})" for given in (
        "broadcast_arrays((x = @, &x), &x, 1)", "array_split(@, 0, &x, 1)",
        "unstack(@, 0, &x, 1)", "meshgrid((x = @, &x), &x, 1)",
        "meshgrid((x = @, &x), &x, 1, .ij = true)", "unravel_index(@, TSR_DIMS(4), &x)",
        "histogram(@, 4, out)", "histogram(x, 4, out, .low = TSR_ARG(@))")),
    "tsr_average(@)", "tsr_average(x, .weights = @)", "tsr_cov(@)", "tsr_cov(x, .y = @)",
    "tsr_corrcoef(@)", "tsr_corrcoef(x, .y = @)", "tsr_bincount(@, 5)",
    "tsr_bincount(x, 5, .weights = @)",
    *(f"tsr_{name}({a}{keyword})" for name in ("searchsorted", "digitize")
      for keyword in ("", ", .right = true") for a in ("@, x", "x, @")),
    *(f"tsr_interp({a})" for a in ("@, x, x", "x, @, x", "x, x, @, .extrapolate = true")),
    *(f"tsr_{name}({a})" for name in ("linspace", "logspace", "geomspace")
      for a in ("@, 0, 1, 5", "x, @, 1, 5", "x, 0, @, 5, .open = true")),
    "tsr_kaiser(@, 5, 2.0)", "tsr_diff(@)", "tsr_diff(x, .prepend = TSR_ARG(@))",
    "tsr_gradient(@, 0, 1.0)",
    "tsr_gradient(x, 0, @)", "tsr_trapezoid(@)", "tsr_trapezoid(x, .x = @)", "tsr_unwrap(@)",
    "tsr_polyder(@, 1)", "tsr_polyint(@, 1)", "tsr_poly(@)", "tsr_ndtri(@)",
    *(f"tsr_{name}({a})" for name in ("isin", "polyval") for a in ("@, x", "x, @")),
    *(f"tsr_{name}({a})" for name in ("fma", "where", "clamp")
      for a in ("@, x, 1", "x, @, 1", "1, x, @")),
    *(f"tsr_dot_general({a}, .contract_a = TSR_DIMS(0))" for a in ("@, x", "x, @")),
    # linear algebra
    "tsr_cholesky(@)", "tsr_cholesky(@, .upper = true)",
    *(f"tsr_{name}({a}{keyword})" for name, keyword in (
        ("triangular_solve", ""), ("triangular_solve", ", .lower = true"),
        ("solve_triangular", ""), ("solve_triangular", ", .trans = 1"),
        ("cho_solve", ""), ("cho_solve", ", .lower = true"), ("solve", ""))
      for a in ("@, x", "x, @")),
    *(f"tsr_scalar(x, tsr_{given})" for given in (
        "lu(@, out)", "qr(@, out)", "qr(@, out, .full_matrices = true)", "eigh(@, out)",
        "eigh(@, out, .upper = true)", "eig(@, out)", "eig(@, out, .left = true)", "schur(@, out)",
        "hessenberg(@, out)", "tridiagonal(@, out)", "tridiagonal(@, out, .upper = true)",
        "polar(@, out)", "svd(@, out)", "svd(@, out, .thin = true)", "slogdet(@, out)")),
    "tsr_eigvalsh(@)", "tsr_eigvalsh(@, .upper = true)", "tsr_eigvals(@)", "tsr_roots(@)",
    *(f"tsr_{name}(@)" for name in ("svdvals", "inv", "det", "cond_number", "matrix_transpose")),
    *(f"tsr_{name}(@{keyword})" for name in ("matrix_rank", "pinv")
      for keyword in ("", ", .rtol = 1e-3")),
    "tsr_matrix_power(@, -2)", "tsr_vector_norm(@)", "tsr_expm(@)", "tsr_tensorinv(@, 1)",
    "tsr_cond_number(@, .ord = 1)", "tsr_matrix_norm(@)", "tsr_matrix_norm(@, .nuclear = true)",
    "tsr_norm(@)", "tsr_norm(@, .ord = 1)",
    *(f"tsr_scalar(x, tsr_lstsq({a}, out{keyword}))" for a in ("@, x", "x, @")
      for keyword in ("", ", .rtol = 1e-3")),
    *(f"tsr_{name}({a})" for a in ("@, x", "x, @")
      for name in ("householder_product", "cholesky_update", "symmetric_product", "tensorsolve",
                   "multi_dot")),
    "tsr_multi_dot(@)", "tsr_symmetric_product(@, x, .beta = 1)",
    "tsr_tensorsolve(@, x, .dims = TSR_DIMS(0))",
    *(f"tsr_ormqr({a}{keyword})" for a in ("@, x, x", "x, @, x", "x, x, @")
      for keyword in ("", ", .right = true")),
    *(f"tsr_tridiagonal_solve({a})" for a in ("@, x, x, x", "x, @, x, x", "x, x, @, x",
                                              "x, x, x, @")),
    "tsr_vector_norm(@, .ord = 1, .dims = TSR_DIMS(0))",
    # Fourier transforms
    *(f"tsr_{name}(@{keyword})" for name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")
      for keyword in ("", ", .n = 8, .dim = TSR_DIMS(0)")),
    *(f"tsr_{name}(@{keyword})" for name in ("fftn", "ifftn", "rfftn", "irfftn", "fft2", "ifft2",
                                             "rfft2", "irfft2")
      for keyword in ("", ", .lengths = TSR_DIMS(4, 4)")),
    *(f"tsr_{name}(@{keyword})" for name in ("fftshift", "ifftshift")
      for keyword in ("", ", .dims = TSR_DIMS(0)")),
    *(f"tsr_{name}(tsr_ctx_of(@), 8{keyword})" for name in ("fftfreq", "rfftfreq")
      for keyword in ("", ", .d = 0.5")),
    "tsr_reshape(@, TSR_DIMS(2, -1))",
    "tsr_transpose(@)", "tsr_transpose(@, .perm = TSR_DIMS(1, 0))",
    "tsr_broadcast_to(@, TSR_DIMS(2, 2))", "tsr_broadcast_in_dim(@, TSR_DIMS(2, 2), TSR_DIMS(0))",
    "tsr_squeeze(@, TSR_DIMS(0))", "tsr_expand_dims(@, TSR_DIMS(0))", "tsr_flip(@, TSR_DIMS(0))",
    *(f"tsr_{name}(0, {a})" for name in ("concatenate", "stack") for a in ("@", "@, x", "x, x, @")),
    "tsr_pad(@, TSR_DIMS(1), TSR_DIMS(1), 0)", "tsr_pad(@, TSR_DIMS(1), TSR_DIMS(1), tsr_item(@))",
    "tsr_slice(@, 0, 1, TSR_END)", "tsr_slice_strided(@, TSR_DIMS(0), TSR_DIMS(2))",
    "tsr_slice_strided(@, TSR_DIMS(0), TSR_DIMS(2), .steps = TSR_DIMS(2))", "tsr_index(@, 0, -1)",
    *(f"tsr_dynamic_slice({a}, 1)" for a in ("@, 0, x", "x, 0, @")),
    *(f"tsr_dynamic_update({a})" for a in ("@, x, 0, x", "x, @, 0, x", "x, x, 0, @")),
    *(f"tsr_dynamic_index({a})" for a in ("@, 0, x", "x, 0, @")),
    *(f"tsr_dynamic_slice_dims({a})" for a in ("@, TSR_DIMS(1, 1), 0, x", "x, TSR_DIMS(1), @")),
    *(f"tsr_dynamic_update_dims({a})" for a in ("@, x, 0", "x, @, x, 0", "x, x, 0, @")),
    *(f"tsr_take{how}({a})" for how in ("", "_along")
      for a in ("@, 0, x", "x, 0, @", "@, 0, x, .mode = TSR_CLIP")),
    *(f"tsr_at_{how}({a})" for how in ("set", "add", "mul", "min", "max")
      for a in ("@, 0, x, x", "x, 0, @, 1.0", "x, 0, x, @", "x, 0, x, @, .mode = TSR_WRAP")),
    *(f"tsr_gather({a}, TSR_DIMS(1), .start_index_map = TSR_DIMS(0))" for a in ("@, x", "x, @")),
    *(f"tsr_scatter({a}, .combine = TSR_COMBINE_ADD)" for a in ("@, x, x", "x, @, x", "x, x, @")),
    *(f"tsr_{name}_list(0, (t.x = @, &t.x), 1)" for name in ("concatenate", "stack")),
    "tsr_iota(@, TSR_DIMS(2), 0)",
    # makers
    *(f"tsr_{name}(@, TSR_DIMS(2, 3))" for name in ("zeros", "ones")),
    "tsr_full(@, TSR_DIMS(2), 1.5)", "tsr_full(x, TSR_DIMS(), tsr_item(@), .dtype = TSR_F64)",
    "tsr_scalar(@, 1)", "tsr_scalar(x, tsr_item_int(@))", "tsr_arange(@, 3)",
    "tsr_arange(x, tsr_dim(@, 0), .start = 1)", "tsr_eye(@, 3)", "tsr_zeros(x, tsr_shape(@))",
    "tsr_from(@, data, TSR_F32, TSR_DIMS(2))", "tsr_wrap(@, data, TSR_F32, TSR_DIMS(2))",
    "tsr_from_shards(@, NULL, TSR_DIMS(2), &x, 1)", "tsr_from_local(NULL, @, TSR_DIMS(2))",
    "tsr_load_npy(@, path)",
    "tsr_read_npy(@, data, 2)", "tsr_fail(@, path)",
    # random numbers
    *(f"tsr_key({a})" for a in ("@, 42", "x, @")), "tsr_split_keys(@, TSR_DIMS(3))",
    "tsr_scalar(x, tsr_split_key(@, &x, 1))",
    *(f"tsr_fold_in({a})" for a in ("@, 3", "x, @")),
    *(f"tsr_{name}({a})" for name in ("random_bits", "uniform", "normal", "rademacher", "gumbel",
                                      "exponential", "laplace", "random_logistic", "cauchy",
                                      "maxwell")
      for a in ("@, TSR_DIMS(2)", "x, TSR_DIMS(2), .whole = TSR_DIMS(4), .start = @")),
    "tsr_uniform(x, TSR_DIMS(2), .maxval = TSR_ARG(@))",
    *(f"tsr_randint({a})" for a in ("@, TSR_DIMS(2), 0, 9", "x, TSR_DIMS(2), @, 9",
                                    "x, TSR_DIMS(2), 0, @, .dtype = TSR_I64")),
    *(f"tsr_{name}({a})" for name in ("bernoulli", "geometric", "pareto", "rayleigh", "lognormal",
                                      "wald", "permutation", "categorical", "random_gamma",
                                      "random_loggamma", "chisquare", "random_t",
                                      "generalized_normal", "poisson", "dirichlet")
      for a in ("@, x", "x, @")),
    "tsr_bernoulli(@, 0.5, .dims = TSR_DIMS(2))", "tsr_permutation(@, 9)",
    "tsr_categorical(@, x, .dim = TSR_DIMS(0))",
    *(f"tsr_choice({a}, TSR_DIMS(3))" for a in ("@, x", "x, @", "@, 9")),
    "tsr_choice(x, 9, TSR_DIMS(3), .p = @)",
    *(f"tsr_{name}({a})" for name in ("truncated_normal", "weibull_min", "double_sided_maxwell",
                                      "random_beta", "random_f", "binomial")
      for a in ("@, 1, x", "x, @, 2", "x, 1, @, .dims = TSR_DIMS(2)")),
    *(f"tsr_triangular({a})" for a in ("@, 1, 2, 3", "x, @, 2, 3", "x, 1, @, 3", "x, 1, 2, @")),
    *(f"tsr_multinomial({a})" for a in ("@, 9, x", "x, @, x", "x, 9, @")),
    *(f"tsr_multivariate_normal({a})" for a in ("@, x, x", "x, @, x", "x, x, @, .factor = 1")),
    "tsr_ball(@, 3)", "tsr_ball(x, 3, .p = TSR_ARG(@))", "tsr_orthogonal(@, 3, .m = 2)",
    # placing
    'tsr_put(@, mesh, TSR_P("x", NULL))', "tsr_put_device(@, 0)", "tsr_put_sharding(@, NULL)",
    'tsr_put_sharding(@, tsr_sharding_make(mesh, TSR_P("x")))',
    'tsr_constrain(@, mesh, TSR_P("x", NULL))', "tsr_constrain_sharding(@, NULL)",
    "tsr_shard_alike(@, x)", "tsr_shard_alike(x, @)",
    "tsr_put_sharding(x, tsr_sharding_device(@, 0))", "tsr_shard_data(@, 0)",
    "tsr_zeros(x, tsr_sharding_shard_shape(tsr_sharding_of(@), TSR_DIMS(2)))",
    "tsr_scalar(x, tsr_sharding_index(tsr_sharding_of(@), TSR_DIMS(2), 0, &shard))",
    # reading
    'tsr_scalar(x, tsr_varying(@, "x"))', "tsr_scalar(x, tsr_read(@, room, 2))",
    "tsr_scalar(x, tsr_read_into(@, room, .dtype = TSR_F32))", "tsr_scalar(x, tsr_wait(@))",
    *(f"tsr_scalar(x, tsr_allclose({a}, 0, 0))" for a in ("@, x", "x, @")),
    *(f"tsr_scalar(x, tsr_array_equal({a}))" for a in ("@, x", "x, @")),
    "tsr_scalar(x, tsr_shard_of(@, 0, &shard))", "tsr_scalar(x, tsr_save_npy(@, path))",
    "tsr_scalar(x, tsr_split(@, 0, &x, 1))", "tsr_scalar(x, tsr_shard_borrow(@, 0, NULL) == NULL)",
    *(f"tsr_scalar(x, tsr_threefry2x32({a}, out))"
      for a in ("@, 1, x, x", "1, @, x, x", "1, 2, @, 3", "1, 2, 3, @")),
    "tsr_scalar(x, tsr_sort_operands((x = @, &x), &x, 1, .num_keys = 1))",
    "tsr_scalar(x, *tsr_text(@))", "tsr_scalar(x, *tsr_text(@, .precision = 3))",
    "tsr_scalar(x, *tsr_sharding_picture_of(tsr_shape(@), NULL))",
    "tsr_scalar(x, (tsr_show_sharding_of(tsr_shape(@), NULL, .scale = 2), 1))",
    "tsr_scalar(x, *tsr_sharding_picture(@))", "tsr_scalar(x, (tsr_print(@), 1))",
    "tsr_scalar(x, (tsr_show_sharding(@), 1))", "tsr_scalar(x, *tsr_shards_text(@))",
    "tsr_scalar(x, *tsr_sharding_svg(@))",
    "tsr_scalar(x, *tsr_sharding_svg_of(tsr_shape(@), NULL, .dims = TSR_DIMS(0)))",
    "tsr_scalar(x, (tsr_show_shards(@, .devices = true), 1))",
    # fns, trees, scopes
    "tsr_call(f, @)", "tsr_call(f, x, 2, @)", "tsr_call(tsr_jit(@, body), x)",
    "tsr_scalar(x, *tsr_fn_text(f, @))", "tsr_scalar(x, *tsr_fn_compiled_text(f, @))",
    "tsr_scalar(x, tsr_time(1, 1, f, @).mean)",
    "tsr_scalar(x, *tsr_timing_text(@, tsr_time(1, 1, f, x)))",
    "tsr_scalar(x, tsr_progress_begin(@, 1) != NULL)",
    "tsr_scalar(x, tsr_batches_open(@, &path, 1, 1) != NULL)",
    "tsr_scalar(x, tsr_batches_next(tsr_batches_open(@, &path, 1, 1), out, 1))",
    'tsr_scalar(x, (tsr_bench_collectives(mesh, "x", @), 1))',
    "tsr_scalar(x, (tsr_explain(f, @), 1))", "tsr_scalar(x, (tsr_explain_measured(f, @), 1))",
    "tsr_scalar(x, tsr_fn_costs(f, &costs, @))",
    'tsr_scalar(x, tsr_profile(@, "a.json"))', "tsr_scalar(x, tsr_profile_end(@))",
    *(f"tsr_scalar(x, *tsr_explain_{form}(f, @))" for form in ("text", "json", "html")),
    'tsr_scalar(x, tsr_expect_collectives("psum=1", f, @))',
    "tsr_scalar(x, *tsr_fn_graph(f, @))", "tsr_scalar(x, *tsr_fn_compiled_graph(f, @))",
    *(f"tsr_scalar(x, tsr_{name}_tree(TSR_TREE(one, &t), TSR_TREE(one, (t.x = @, &t)), mesh))"
      for name in ("put", "constrain")),
    'tsr_scalar(x, tsr_save(TSR_TREE(one, (t.x = @, &t)), path, .names = TSR_NAMES("x")))',
    "tsr_load_text(@, path, .skip = 1)", "tsr_scalar(x, *tsr_file_text(@, path))",
    "tsr_from_dlpack(@, tsr_to_dlpack(x))", "tsr_from_dlpack(x, tsr_to_dlpack(@))",
    "tsr_from_dlpack_old(@, tsr_to_dlpack_old(x))", "tsr_from_dlpack_old(x, tsr_to_dlpack_old(@))",
    "tsr_scalar(x, tsr_load(TSR_TREE(one, (t.x = @, &t)), path, .mesh = mesh))",
    "tsr_scalar(x, tsr_checkpoint_save(path, 0, TSR_TREE(one, (t.x = @, &t)), .keep = 1))",
    "tsr_scalar(x, tsr_checkpoint_load(path, 0, TSR_TREE(one, (t.x = @, &t)), .mesh = mesh))",
    "tsr_scalar(x, tsr_checkpoint_latest(@, path))", "tsr_scalar(x, tsr_checkpoint_wait(@))",
    "tsr_scalar(x, *tsr_checkpoint_text(@, path))",
    "tsr_scalar(x, tsr_checkpoint_verify(@, path, 0))",
    "tsr_scalar(x, (tsr_set(&x, @), 0))",
    "tsr_scalar(x, (tsr_set_tree(TSR_TREE(one, (t.x = @, &t)), TSR_TREE(one, &t)), 0))",
    *(f"tsr_scalar(x, tsr_tree_{given})" for given in (
        "map(TSR_TREE(one, &t), tsr_neg, TSR_TREE(one, (t.x = @, &t)))",
        "zip(TSR_TREE(one, &t), tsr_add, TSR_TREE(one, &t), @)",
        "allclose(TSR_TREE(one, (t.x = @, &t)), TSR_TREE(one, &t), 1e-5, 1e-8)",
        "size(TSR_TREE(one, (t.x = @, &t)))")),
    "tsr_tree_norm(TSR_TREE(one, (t.x = @, &t)))",
    "tsr_scalar(x, *tsr_tree_path(TSR_TREE(one, (t.x = @, &t)), 0))",
    "tsr_scalar(x, tsr_make_params(TSR_TREE(one, &t), @, mesh, NULL, 0))",
    "tsr_frame_arg((x = @, frame), 0)", "tsr_scalar(x, tsr_frame_tree((x = @, frame), 0).count)",
    "((const one *)tsr_tree_as(TSR_TREE(one, (t.x = @, &t)), &one_tree_))->x",
    "tsr_call(f, TSR_TREE(one, (t.x = @, &t)))", "tsr_call(f, TSR_LEAVES((t.x = @, t.leaf), 1))",
    "TSR_TREE_OF(one, TSR_TREE(one, (t.x = @, &t)))->x",
    "__extension__({ tsr_call_into(TSR_OUT(&x, TSR_OWN(one, &t)), f, @); x; })",
    "__extension__({ tsr_call_into(TSR_OUT(TSR_INTO(&t, TSR_I64, TSR_DIMS())), f, @); x; })",
    "__extension__({ tsr_return(frame, x, @); x; })",
    *(f"tsr_call(f, {l}.residuals, x)"
      for l in ("tsr_linearize(TSR_OUT(&x), f, @)", "tsr_vjp(TSR_OUT(&x), f, @)",
                "tsr_linearize_aux(TSR_OUT(&x), f, @)", "tsr_vjp_aux(TSR_OUT(&x), f, @)",
                "tsr_linear_transpose(f, @)")),
    "__extension__({ TSR_SCOPE(@); x; })", "__extension__({ TSR_MESH((x = @, mesh)); x; })",
    *(f"tsr_put_sharding(x, {s})" for s in (
        "tsr_sharding_positional(@, TSR_DIMS(2))",
        "tsr_sharding_reshape(tsr_sharding_of(@), TSR_DIMS(2))",
        "tsr_sharding_replicate(tsr_sharding_of(@), .dim = TSR_DIMS(0))")),
    "tsr_scalar(x, tsr_mesh_begin((x = @, mesh)).blocks)",
    # optimisers
    "tsr_train(f, TSR_TREE(one, &t), TSR_LEAVES(&x, 1), @)",
    "tsr_scalar(x, tsr_optimizer_init(o, TSR_TREE(one, (t.x = @, &t))).count)",
    "tsr_scalar(x, tsr_optimizer_update(o, TSR_TREE(one, (t.x = @, &t)), TSR_TREE(one, &t), "
    "TSR_LEAVES(&x, 1)))",
    # effects
    '__extension__({ tsr_debug_print("{} {}", @, 2); x; })',
    '__extension__({ tsr_check_finite(@, "x"); x; })',
    "__extension__({ tsr_call_into(TSR_NO_OUT, f, @); x; })",
    # control flow
    *(f"tsr_cond({a})" for a in ("@, body, f, x", "x, f, body, x, @")),
    *(f"tsr_switch({a})" for a in ("@, TSR_BRANCHES(f, body), x", "1, TSR_BRANCHES(f), x, @")),
    "tsr_while(body, f, x, @)", "tsr_scan(body, @, x)", "tsr_scan(f, x, @, .reverse = true)",
    *(f"tsr_fori({a})" for a in ("0, @, body, x", "@, 2, body, x", "0, 2, f, x, @")),
    *(f"tsr_fori_unrolled(2, {a})" for a in ("0, @, body, x", "@, 2, body, x", "0, 2, f, x, @")),
    "tsr_map(body, x, @)", "tsr_map_batched(2, body, x, @)",
    "tsr_associative_scan(body, @, .dim = TSR_DIMS(-1))",
    *(f"tsr_reduce(body, {a}, .dims = TSR_DIMS(0))" for a in ("@, x", "x, @")),
    *(f"tsr_reduce_window_by(body, {a}, TSR_DIMS(2))" for a in ("@, x", "x, @")),
    *(f"__extension__({{ tsr_{a}; x; }})" for a in (
        "cond_into(TSR_OUT(&x), @, body, f, x)", "switch_into(TSR_OUT(&x), 0, TSR_BRANCHES(f), @)",
        "while_into(TSR_OUT(&x, TSR_OWN(one, &t)), body, f, x, @)",
        "fori_into(TSR_OUT(&x), 0, 2, f, @)", "fori_unrolled_into(TSR_OUT(&x), 2, 0, 2, f, @)",
        "scan_into(TSR_OUT(&x, &x), f, TSR_NONE, @)", "map_into(TSR_OUT(&x), f, @)",
        "map_batched_into(TSR_OUT(&x), 2, f, @)",
        "associative_scan_into(TSR_OUT(&x), f, @)",
        "reduce_into(TSR_OUT(&x), f, @, x)",
        "optimization_barrier_into(TSR_OUT(&x, &x), x, @)")),
    "tsr_optimization_barrier(@)", 'tsr_checkpoint_name(@, "q")',
]
FNS = ["tsr_jit(ctx, @)", 'tsr_jit(ctx, @, .name = "f")',
       *(f"tsr_{d}(ctx, @, .wrt = TSR_DIMS(0))"
         for d in "grad value_and_grad jvp jacfwd jacrev hessian".split()),
       'tsr_vmap(ctx, @, .in = TSR_MAPPED(0, TSR_UNMAPPED), .axis = "i")',
       'tsr_pmap(ctx, @, .in = TSR_MAPPED(0, TSR_UNMAPPED), .axis = "i", .donate = TSR_DIMS(0))',
       'tsr_shard_map(mesh, @, .sig = "[x] -> []")',
       'tsr_shard_map(mesh, @, .in = TSR_SPECS(TSR_P("x"), TSR_P()), .out = TSR_SPECS(TSR_P()))',
       "tsr_jit(ctx, tsr_cond(x, @, body, x) ? f : NULL)",
       "tsr_parse(@, path)", "tsr_load_program(@, path)", "tsr_parse(f, tsr_program_text(@))",
       "tsr_parse(f, tsr_program_graph(@))",
       "tsr_pure_callback(@, host, .results = TSR_RESULTS({TSR_F32, TSR_DIMS(2)}))",
       "tsr_io_callback(@, host, .ordered = true)", "tsr_debug_callback(@, host)",
       "tsr_remat(ctx, @)", 'tsr_remat(ctx, @, .save = TSR_SAVE_DOTS, .names = "q*k")',
       "tsr_custom_jvp(ctx, @, f)", "tsr_custom_jvp(ctx, body, @, .nondiff = TSR_DIMS(0))",
       "tsr_custom_vjp(ctx, @, f, f)", "tsr_custom_vjp(ctx, body, @, f)",
       "tsr_custom_vjp(ctx, body, f, @, .nondiff = TSR_DIMS(0))",
       *(f"tsr_{schedule}" for schedule in (
           "constant_schedule(@, 1)", "linear_schedule(@, 0, 1, 9)",
           "polynomial_schedule(@, 0, 1, 2, 9, .transition_begin = 2)",
           "cosine_decay_schedule(@, 1, 9)", "exponential_decay(@, 1, 9, 0.5)",
           "warmup_cosine_decay_schedule(@, 0, 1, 2, 9)",
           "piecewise_constant_schedule(@, 1, {2, 0.5})", "join_schedules(ctx, {0, @}, {2, f})")),
       "tsr_train_step(ctx, @, o)", 'tsr_train_step(ctx, body, o, .name = tsr_fn_name(@))',
       *(f"tsr_train_step(ctx, f, tsr_{optimizer})" for optimizer in (
           *(f"{name}(ctx, @)" for name in "sgd adam adamw lion adafactor".split()),
           "clip_by_global_norm(@, 1)", "ema_params(@, 0.9)", "chain(@, o, o)",
           "multi_steps(tsr_adam(ctx, @), 2)")),
       'tsr_program_pass(@, "simplify")', "(tsr_fn_release(@), f)"]
MESHES = ['tsr_mesh_make(@, {"x", 2})', 'tsr_mesh_make_devices(@, data, 2, {"x", 2})']

# declarations and parts of the forms above; they take no expression that could be a nest
APART = """\
    tsr_open TSR_TREE_TYPE TSR_SPEC TSR_FOR_ALL TSR_FOR_EACH TSR_ENV TSR_MAPPED_ALL
    TSR_DEVICES TSR_ZERO TSR_DECAYED""".split()

HEAD = """#include <tsr/tsr.h>
TSR_TREE_TYPE(one, { tsr *x; });
tsr *body(tsr *);
tsr_host_fn host;
const tsr_optimizer *o;
"""
NEST = """
tsr *nest_{number}(tsr_ctx *, tsr_mesh *, tsr_fn *, tsr_frame *, tsr *, const void *, const char *);
tsr *nest_{number}(tsr_ctx *ctx, tsr_mesh *mesh, tsr_fn *f, tsr_frame *frame, tsr *x,
                   const void *data, const char *path)
{{
	const int order[] = {{0, 1}};
	char room[8];
	tsr *out[4];
	tsr_shard shard;
	tsr_costs costs;
	one t = {{{{x}}}};
	(void)ctx, (void)mesh, (void)f, (void)frame, (void)data, (void)path;
	(void)order, (void)room, (void)out, (void)shard, (void)costs, (void)t;
	{statement}
}}
"""


def nested(form, innermost):
    """The first @ is the nest; a further one is its innermost part, so that text stays linear."""
    head, tail = form.split("@", 1)
    text = innermost
    for _ in range(DEPTH):
        text = head + text + tail.replace("@", innermost)
    return text


def compile_forms(compiler, forms, innermost, use):
    nests = [NEST.format(number=k,
                         statement=f"return {use.replace('@', nested(form, innermost))};")
             for k, form in enumerate(forms)]
    return common.compile_behind_headers(compiler, HEAD + "".join(nests), *common.WARNINGS)


def plainest(compiler):
    form, innermost, use = PLAINEST
    return compile_forms(compiler, [form], innermost, use)[2]


def check(compiler, form, innermost, use):
    for _ in range(TRIES):
        ok, said, seconds = compile_forms(compiler, [form], innermost, use)
        if not ok:
            lines = "\n".join(said.splitlines()[:20])
            return f"{form}, {compiler}: does not compile\n{lines[:4000]}"
        if seconds < LIMIT or seconds < AS_LONG * plainest(compiler):
            return None
    return f"{form}, {compiler}: {seconds:.2f} s"


def check_some(compiler, forms, innermost, use):
    """Forms that compile together in less time than one may take do so each by itself."""
    if len(forms) == 1:
        return check(compiler, forms[0], innermost, use)
    ok, _, seconds = compile_forms(compiler, forms, innermost, use)
    if ok and seconds < LIMIT:
        return None
    half = len(forms) // 2
    faults = [check_some(compiler, some, innermost, use) for some in (forms[:half], forms[half:])]
    return "\n".join(fault for fault in faults if fault) or None


def without_form(name):
    used = any(re.search(rf"\b{name}\(", form) for form in FORMS + FNS + MESHES)
    return None if used or name in APART else f"{name} has no form in check_nests.py"


def cases():
    for name in sorted(set(common.macros())):
        yield functools.partial(without_form, name)
    for compiler in common.compilers():
        for forms, innermost, use in ((FORMS, "x", "@"), (FNS, "f", "tsr_call(@, x)"),
                                      (MESHES, "mesh", "tsr_put(x, @, TSR_P())")):
            for k in range(0, len(forms), TOGETHER):
                yield functools.partial(check_some, compiler, forms[k:k + TOGETHER], innermost,
                                        use)


common.run(cases())
