/* pure.c - defines the public functions that outside of bodies are one program. apply.c says how,
 * and the functions named lib_ make these programs. Made by tools/make_headers.py of api/. */
#include <stddef.h>
#include "lib/apply.h"

#define KEYWORD(T, name, kind) {offsetof(T, name), sizeof(((T *)0)->name), kind}
#define KEYWORDS_OF(T, ...) \
	static const keyword T##_each[] = {__VA_ARGS__}; \
	static const keywords T##_keywords = { \
		#T, sizeof(T), sizeof T##_each / sizeof *T##_each, T##_each};

/* The entry of a function of ONE or SEVERAL results, with the kinds of its slots and what
 * lib_NAME() gets from them, s */
#define ONE(name, takes, keywords, ...) \
	static bool does_##name(call_site *site, const slot *s, tsr **out) \
	{ \
		return !handle_is_poison(*out = lib_##name(site, __VA_ARGS__)); \
	} \
	static const function of_##name = {#name, takes, keywords, does_##name};
#define SEVERAL(name, takes, keywords, ...) \
	static bool does_##name(call_site *site, const slot *s, tsr **out) \
	{ \
		return lib_##name(site, __VA_ARGS__); \
	} \
	static const function of_##name = {#name, takes, keywords, does_##name};
#define ARG(k) (*(const tsr_arg *)s[k].at)
#define DIMS(k) (*(const tsr_dims *)s[k].at)

/* Functions by their parameters: K is a record of keywords, of type T */
#define OF_HANDLE(name) \
	ONE(name, "h", NULL, s[0].handle) \
	tsr *tsr_##name##_at(const char *where, tsr *x) \
	{ \
		return apply_one(&of_##name, where, (slot[]){{.handle = x}}); \
	}
#define OF_HANDLE_K(name, T) \
	ONE(name, "hk", &T##_keywords, s[0].handle, s[1].at) \
	tsr *tsr_##name##_at(const char *where, tsr *x, const T *args) \
	{ \
		return apply_one(&of_##name, where, (slot[]){{.handle = x}, {.at = args}}); \
	}
#define OF_HANDLES(name) \
	ONE(name, "hh", NULL, s[0].handle, s[1].handle) \
	tsr *tsr_##name##_at(const char *where, tsr *a, tsr *b) \
	{ \
		return apply_one(&of_##name, where, (slot[]){{.handle = a}, {.handle = b}}); \
	}
#define OF_HANDLES_K(name, T) \
	ONE(name, "hhk", &T##_keywords, s[0].handle, s[1].handle, s[2].at) \
	tsr *tsr_##name##_at(const char *where, tsr *a, tsr *b, const T *args) \
	{ \
		return apply_one(&of_##name, where, \
		                 (slot[]){{.handle = a}, {.handle = b}, {.at = args}}); \
	}
#define OF_DIMS(name) \
	ONE(name, "hd", NULL, s[0].handle, DIMS(1)) \
	tsr *tsr_##name##_at(const char *where, tsr *x, tsr_dims dims) \
	{ \
		return apply_one(&of_##name, where, (slot[]){{.handle = x}, {.at = &dims}}); \
	}
#define OF_DIMS_K(name, T) \
	ONE(name, "hdk", &T##_keywords, s[0].handle, DIMS(1), s[2].at) \
	tsr *tsr_##name##_at(const char *where, tsr *x, tsr_dims dims, const T *args) \
	{ \
		return apply_one(&of_##name, where, \
		                 (slot[]){{.handle = x}, {.at = &dims}, {.at = args}}); \
	}
#define OF_INT(name) \
	ONE(name, "hi", NULL, s[0].handle, (int)s[1].whole) \
	tsr *tsr_##name##_at(const char *where, tsr *x, int i) \
	{ \
		return apply_one(&of_##name, where, (slot[]){{.handle = x}, {.whole = i}}); \
	}
#define OF_COUNT_K(name, T) \
	ONE(name, "cik", &T##_keywords, s[0].ctx, s[1].whole, s[2].at) \
	tsr *tsr_##name##_at(const char *where, tsr_ctx *ctx, int64_t n, const T *args) \
	{ \
		return apply_one(&of_##name, where, \
		                 (slot[]){{.ctx = ctx}, {.whole = n}, {.at = args}}); \
	}
#define OF_LIST(name) \
	ONE(name, "Hn", NULL, s[0].at, (size_t)s[1].whole) \
	tsr *tsr_##name##_at(const char *where, tsr *const *x, size_t n) \
	{ \
		return apply_one(&of_##name, where, \
		                 (slot[]){{.at = x}, {.whole = (int64_t)n}}); \
	}
#define OF_PLACES_K(name, T) \
	ONE(name, "hihok", &T##_keywords, s[0].handle, (int)s[1].whole, s[2].handle, ARG(3), \
	    s[4].at) \
	tsr *tsr_##name##_at(const char *where, tsr *x, int dim, tsr *indices, tsr_arg updates, \
	                     const T *args) \
	{ \
		return apply_one(&of_##name, where, (slot[]){{.handle = x}, {.whole = dim}, \
		                                             {.handle = indices}, \
		                                             {.at = &updates}, {.at = args}}); \
	}
#define TO_SEVERAL(name, count) \
	SEVERAL(name, "h", NULL, s[0].handle, out) \
	bool tsr_##name##_at(const char *where, tsr *x, tsr *out[count]) \
	{ \
		return apply(&of_##name, where, (slot[]){{.handle = x}}, out, count); \
	}
#define TO_SEVERAL_K(name, T, count) \
	SEVERAL(name, "hk", &T##_keywords, s[0].handle, out, s[1].at) \
	bool tsr_##name##_at(const char *where, tsr *x, tsr *out[count], const T *args) \
	{ \
		return apply(&of_##name, where, (slot[]){{.handle = x}, {.at = args}}, out, \
		             count); \
	}
#define OF_OPERANDS(name, count, letter) \
	ONE(name, letter, NULL, s[0].at) \
	tsr *tsr_##name##_at(const char *where, const tsr_arg x[count]) \
	{ \
		return apply_one(&of_##name, where, (slot[]){{.at = x}}); \
	}
KEYWORDS_OF(tsr_arange_args,
	KEYWORD(tsr_arange_args, dtype, TAKES_PLAIN),
	KEYWORD(tsr_arange_args, start, TAKES_PLAIN),
	KEYWORD(tsr_arange_args, step, TAKES_PLAIN))
KEYWORDS_OF(tsr_eye_args,
	KEYWORD(tsr_eye_args, columns, TAKES_PLAIN),
	KEYWORD(tsr_eye_args, k, TAKES_PLAIN),
	KEYWORD(tsr_eye_args, dtype, TAKES_PLAIN))
KEYWORDS_OF(tsr_linspace_args,
	KEYWORD(tsr_linspace_args, open, TAKES_PLAIN),
	KEYWORD(tsr_linspace_args, dim, TAKES_DIMS),
	KEYWORD(tsr_linspace_args, dtype, TAKES_PLAIN))
KEYWORDS_OF(tsr_logspace_args,
	KEYWORD(tsr_logspace_args, open, TAKES_PLAIN),
	KEYWORD(tsr_logspace_args, dim, TAKES_DIMS),
	KEYWORD(tsr_logspace_args, dtype, TAKES_PLAIN),
	KEYWORD(tsr_logspace_args, base, TAKES_PLAIN))
KEYWORDS_OF(tsr_new_args,
	KEYWORD(tsr_new_args, dtype, TAKES_PLAIN))
KEYWORDS_OF(tsr_diff_args,
	KEYWORD(tsr_diff_args, dim, TAKES_DIMS),
	KEYWORD(tsr_diff_args, n, TAKES_PLAIN),
	KEYWORD(tsr_diff_args, prepend, TAKES_ARG),
	KEYWORD(tsr_diff_args, append, TAKES_ARG))
KEYWORDS_OF(tsr_trapezoid_args,
	KEYWORD(tsr_trapezoid_args, dim, TAKES_DIMS),
	KEYWORD(tsr_trapezoid_args, x, TAKES_HANDLE),
	KEYWORD(tsr_trapezoid_args, dx, TAKES_PLAIN))
KEYWORDS_OF(tsr_unwrap_args,
	KEYWORD(tsr_unwrap_args, dim, TAKES_DIMS),
	KEYWORD(tsr_unwrap_args, period, TAKES_PLAIN),
	KEYWORD(tsr_unwrap_args, discont, TAKES_PLAIN))
KEYWORDS_OF(tsr_fft_args,
	KEYWORD(tsr_fft_args, n, TAKES_PLAIN),
	KEYWORD(tsr_fft_args, dim, TAKES_DIMS),
	KEYWORD(tsr_fft_args, norm, TAKES_PLAIN))
KEYWORDS_OF(tsr_fftn_args,
	KEYWORD(tsr_fftn_args, lengths, TAKES_DIMS),
	KEYWORD(tsr_fftn_args, dims, TAKES_DIMS),
	KEYWORD(tsr_fftn_args, norm, TAKES_PLAIN))
KEYWORDS_OF(tsr_fftfreq_args,
	KEYWORD(tsr_fftfreq_args, d, TAKES_PLAIN),
	KEYWORD(tsr_fftfreq_args, dtype, TAKES_PLAIN))
KEYWORDS_OF(tsr_fftshift_args,
	KEYWORD(tsr_fftshift_args, dims, TAKES_DIMS))
KEYWORDS_OF(tsr_nan_to_num_args,
	KEYWORD(tsr_nan_to_num_args, nan, TAKES_ARG),
	KEYWORD(tsr_nan_to_num_args, posinf, TAKES_ARG),
	KEYWORD(tsr_nan_to_num_args, neginf, TAKES_ARG))
KEYWORDS_OF(tsr_linear_args,
	KEYWORD(tsr_linear_args, dtype, TAKES_PLAIN))
KEYWORDS_OF(tsr_conv_layer_args,
	KEYWORD(tsr_conv_layer_args, strides, TAKES_DIMS),
	KEYWORD(tsr_conv_layer_args, low, TAKES_DIMS),
	KEYWORD(tsr_conv_layer_args, high, TAKES_DIMS),
	KEYWORD(tsr_conv_layer_args, padding, TAKES_PLAIN),
	KEYWORD(tsr_conv_layer_args, input_dilation, TAKES_DIMS),
	KEYWORD(tsr_conv_layer_args, kernel_dilation, TAKES_DIMS),
	KEYWORD(tsr_conv_layer_args, feature_group_count, TAKES_PLAIN),
	KEYWORD(tsr_conv_layer_args, dtype, TAKES_PLAIN))
KEYWORDS_OF(tsr_layer_norm_args,
	KEYWORD(tsr_layer_norm_args, dims, TAKES_DIMS),
	KEYWORD(tsr_layer_norm_args, feature_dims, TAKES_DIMS),
	KEYWORD(tsr_layer_norm_args, epsilon, TAKES_PLAIN),
	KEYWORD(tsr_layer_norm_args, where, TAKES_HANDLE),
	KEYWORD(tsr_layer_norm_args, exact, TAKES_PLAIN),
	KEYWORD(tsr_layer_norm_args, axis, TAKES_TEXT),
	KEYWORD(tsr_layer_norm_args, dtype, TAKES_PLAIN))
KEYWORDS_OF(tsr_group_norm_args,
	KEYWORD(tsr_group_norm_args, group_size, TAKES_PLAIN),
	KEYWORD(tsr_group_norm_args, dims, TAKES_DIMS),
	KEYWORD(tsr_group_norm_args, epsilon, TAKES_PLAIN),
	KEYWORD(tsr_group_norm_args, where, TAKES_HANDLE),
	KEYWORD(tsr_group_norm_args, exact, TAKES_PLAIN),
	KEYWORD(tsr_group_norm_args, axis, TAKES_TEXT),
	KEYWORD(tsr_group_norm_args, dtype, TAKES_PLAIN))
KEYWORDS_OF(tsr_batch_norm_args,
	KEYWORD(tsr_batch_norm_args, use_running_average, TAKES_PLAIN),
	KEYWORD(tsr_batch_norm_args, new_mean, TAKES_PLACE),
	KEYWORD(tsr_batch_norm_args, new_var, TAKES_PLACE),
	KEYWORD(tsr_batch_norm_args, momentum, TAKES_ARG),
	KEYWORD(tsr_batch_norm_args, dim, TAKES_DIMS),
	KEYWORD(tsr_batch_norm_args, epsilon, TAKES_PLAIN),
	KEYWORD(tsr_batch_norm_args, where, TAKES_HANDLE),
	KEYWORD(tsr_batch_norm_args, exact, TAKES_PLAIN),
	KEYWORD(tsr_batch_norm_args, axis, TAKES_TEXT),
	KEYWORD(tsr_batch_norm_args, dtype, TAKES_PLAIN))
KEYWORDS_OF(tsr_dropout_args,
	KEYWORD(tsr_dropout_args, deterministic, TAKES_PLAIN),
	KEYWORD(tsr_dropout_args, broadcast_dims, TAKES_DIMS),
	KEYWORD(tsr_dropout_args, whole, TAKES_DIMS),
	KEYWORD(tsr_dropout_args, start, TAKES_HANDLE))
KEYWORDS_OF(tsr_rnn_cell_args,
	KEYWORD(tsr_rnn_cell_args, residual, TAKES_PLAIN),
	KEYWORD(tsr_rnn_cell_args, dtype, TAKES_PLAIN))
KEYWORDS_OF(tsr_lstm_cell_args,
	KEYWORD(tsr_lstm_cell_args, dtype, TAKES_PLAIN))
KEYWORDS_OF(tsr_gru_cell_args,
	KEYWORD(tsr_gru_cell_args, recurrent_bias, TAKES_HANDLE),
	KEYWORD(tsr_gru_cell_args, dtype, TAKES_PLAIN))
KEYWORDS_OF(tsr_cholesky_args,
	KEYWORD(tsr_cholesky_args, upper, TAKES_PLAIN),
	KEYWORD(tsr_cholesky_args, lower_only, TAKES_PLAIN))
KEYWORDS_OF(tsr_triangular_solve_args,
	KEYWORD(tsr_triangular_solve_args, left_side, TAKES_PLAIN),
	KEYWORD(tsr_triangular_solve_args, lower, TAKES_PLAIN),
	KEYWORD(tsr_triangular_solve_args, transpose_a, TAKES_PLAIN),
	KEYWORD(tsr_triangular_solve_args, conjugate_a, TAKES_PLAIN),
	KEYWORD(tsr_triangular_solve_args, unit_diagonal, TAKES_PLAIN))
KEYWORDS_OF(tsr_solve_triangular_args,
	KEYWORD(tsr_solve_triangular_args, trans, TAKES_PLAIN),
	KEYWORD(tsr_solve_triangular_args, lower, TAKES_PLAIN),
	KEYWORD(tsr_solve_triangular_args, unit_diagonal, TAKES_PLAIN))
KEYWORDS_OF(tsr_cho_solve_args,
	KEYWORD(tsr_cho_solve_args, lower, TAKES_PLAIN))
KEYWORDS_OF(tsr_qr_args,
	KEYWORD(tsr_qr_args, full_matrices, TAKES_PLAIN))
KEYWORDS_OF(tsr_eigh_args,
	KEYWORD(tsr_eigh_args, upper, TAKES_PLAIN),
	KEYWORD(tsr_eigh_args, triangle_only, TAKES_PLAIN))
KEYWORDS_OF(tsr_svd_args,
	KEYWORD(tsr_svd_args, thin, TAKES_PLAIN))
KEYWORDS_OF(tsr_eig_args,
	KEYWORD(tsr_eig_args, left, TAKES_PLAIN))
KEYWORDS_OF(tsr_tridiagonal_args,
	KEYWORD(tsr_tridiagonal_args, upper, TAKES_PLAIN))
KEYWORDS_OF(tsr_rank_args,
	KEYWORD(tsr_rank_args, rtol, TAKES_PLAIN))
KEYWORDS_OF(tsr_ormqr_args,
	KEYWORD(tsr_ormqr_args, right, TAKES_PLAIN),
	KEYWORD(tsr_ormqr_args, transpose, TAKES_PLAIN))
KEYWORDS_OF(tsr_symmetric_product_args,
	KEYWORD(tsr_symmetric_product_args, alpha, TAKES_PLAIN),
	KEYWORD(tsr_symmetric_product_args, beta, TAKES_PLAIN))
KEYWORDS_OF(tsr_tensorsolve_args,
	KEYWORD(tsr_tensorsolve_args, dims, TAKES_DIMS))
KEYWORDS_OF(tsr_norm_args,
	KEYWORD(tsr_norm_args, ord, TAKES_PLAIN),
	KEYWORD(tsr_norm_args, zero, TAKES_PLAIN),
	KEYWORD(tsr_norm_args, dims, TAKES_DIMS),
	KEYWORD(tsr_norm_args, keep, TAKES_PLAIN))
KEYWORDS_OF(tsr_matrix_norm_args,
	KEYWORD(tsr_matrix_norm_args, ord, TAKES_PLAIN),
	KEYWORD(tsr_matrix_norm_args, frobenius, TAKES_PLAIN),
	KEYWORD(tsr_matrix_norm_args, nuclear, TAKES_PLAIN),
	KEYWORD(tsr_matrix_norm_args, keep, TAKES_PLAIN))
KEYWORDS_OF(tsr_cond_number_args,
	KEYWORD(tsr_cond_number_args, ord, TAKES_PLAIN),
	KEYWORD(tsr_cond_number_args, frobenius, TAKES_PLAIN),
	KEYWORD(tsr_cond_number_args, nuclear, TAKES_PLAIN))
KEYWORDS_OF(tsr_classes_args,
	KEYWORD(tsr_classes_args, dim, TAKES_DIMS),
	KEYWORD(tsr_classes_args, where, TAKES_HANDLE))
KEYWORDS_OF(tsr_huber_args,
	KEYWORD(tsr_huber_args, delta, TAKES_PLAIN))
KEYWORDS_OF(tsr_gelu_args,
	KEYWORD(tsr_gelu_args, exact, TAKES_PLAIN))
KEYWORDS_OF(tsr_softmax_args,
	KEYWORD(tsr_softmax_args, where, TAKES_HANDLE))
KEYWORDS_OF(tsr_logmeanexp_args,
	KEYWORD(tsr_logmeanexp_args, dims, TAKES_DIMS),
	KEYWORD(tsr_logmeanexp_args, keep, TAKES_PLAIN),
	KEYWORD(tsr_logmeanexp_args, where, TAKES_HANDLE))
KEYWORDS_OF(tsr_standardize_args,
	KEYWORD(tsr_standardize_args, where, TAKES_HANDLE),
	KEYWORD(tsr_standardize_args, mean, TAKES_ARG),
	KEYWORD(tsr_standardize_args, variance, TAKES_ARG))
KEYWORDS_OF(tsr_one_hot_args,
	KEYWORD(tsr_one_hot_args, dim, TAKES_DIMS),
	KEYWORD(tsr_one_hot_args, dtype, TAKES_PLAIN))
KEYWORDS_OF(tsr_attention_args,
	KEYWORD(tsr_attention_args, bias, TAKES_HANDLE),
	KEYWORD(tsr_attention_args, mask, TAKES_HANDLE),
	KEYWORD(tsr_attention_args, scale, TAKES_PLAIN),
	KEYWORD(tsr_attention_args, causal, TAKES_PLAIN))
KEYWORDS_OF(tsr_rotary_args,
	KEYWORD(tsr_rotary_args, position, TAKES_ARG),
	KEYWORD(tsr_rotary_args, base, TAKES_PLAIN))
KEYWORDS_OF(tsr_multi_head_args,
	KEYWORD(tsr_multi_head_args, key_input, TAKES_HANDLE),
	KEYWORD(tsr_multi_head_args, value_input, TAKES_HANDLE),
	KEYWORD(tsr_multi_head_args, query_bias, TAKES_HANDLE),
	KEYWORD(tsr_multi_head_args, key_bias, TAKES_HANDLE),
	KEYWORD(tsr_multi_head_args, value_bias, TAKES_HANDLE),
	KEYWORD(tsr_multi_head_args, out_bias, TAKES_HANDLE),
	KEYWORD(tsr_multi_head_args, bias, TAKES_HANDLE),
	KEYWORD(tsr_multi_head_args, mask, TAKES_HANDLE),
	KEYWORD(tsr_multi_head_args, scale, TAKES_PLAIN),
	KEYWORD(tsr_multi_head_args, causal, TAKES_PLAIN),
	KEYWORD(tsr_multi_head_args, rotary, TAKES_PLAIN),
	KEYWORD(tsr_multi_head_args, key_cache, TAKES_HANDLE),
	KEYWORD(tsr_multi_head_args, value_cache, TAKES_HANDLE),
	KEYWORD(tsr_multi_head_args, position, TAKES_ARG),
	KEYWORD(tsr_multi_head_args, new_key_cache, TAKES_PLACE),
	KEYWORD(tsr_multi_head_args, new_value_cache, TAKES_PLACE))
KEYWORDS_OF(tsr_round_args,
	KEYWORD(tsr_round_args, decimals, TAKES_PLAIN))
KEYWORDS_OF(tsr_product_args,
	KEYWORD(tsr_product_args, dtype, TAKES_PLAIN),
	KEYWORD(tsr_product_args, precision, TAKES_PLAIN))
KEYWORDS_OF(tsr_dot_args,
	KEYWORD(tsr_dot_args, contract_a, TAKES_DIMS),
	KEYWORD(tsr_dot_args, contract_b, TAKES_DIMS),
	KEYWORD(tsr_dot_args, batch_a, TAKES_DIMS),
	KEYWORD(tsr_dot_args, batch_b, TAKES_DIMS),
	KEYWORD(tsr_dot_args, dtype, TAKES_PLAIN),
	KEYWORD(tsr_dot_args, precision, TAKES_PLAIN))
KEYWORDS_OF(tsr_transpose_args,
	KEYWORD(tsr_transpose_args, perm, TAKES_DIMS))
KEYWORDS_OF(tsr_split_args,
	KEYWORD(tsr_split_args, indices, TAKES_DIMS))
KEYWORDS_OF(tsr_pad_args,
	KEYWORD(tsr_pad_args, interior, TAKES_DIMS))
KEYWORDS_OF(tsr_slice_args,
	KEYWORD(tsr_slice_args, steps, TAKES_DIMS))
KEYWORDS_OF(tsr_index_args,
	KEYWORD(tsr_index_args, mode, TAKES_PLAIN),
	KEYWORD(tsr_index_args, indices_are_sorted, TAKES_PLAIN),
	KEYWORD(tsr_index_args, unique_indices, TAKES_PLAIN))
KEYWORDS_OF(tsr_gather_args,
	KEYWORD(tsr_gather_args, offset_dims, TAKES_DIMS),
	KEYWORD(tsr_gather_args, collapsed_slice_dims, TAKES_DIMS),
	KEYWORD(tsr_gather_args, start_index_map, TAKES_DIMS),
	KEYWORD(tsr_gather_args, operand_batching_dims, TAKES_DIMS),
	KEYWORD(tsr_gather_args, start_indices_batching_dims, TAKES_DIMS),
	KEYWORD(tsr_gather_args, mode, TAKES_PLAIN),
	KEYWORD(tsr_gather_args, indices_are_sorted, TAKES_PLAIN),
	KEYWORD(tsr_gather_args, unique_indices, TAKES_PLAIN))
KEYWORDS_OF(tsr_scatter_args,
	KEYWORD(tsr_scatter_args, update_window_dims, TAKES_DIMS),
	KEYWORD(tsr_scatter_args, inserted_window_dims, TAKES_DIMS),
	KEYWORD(tsr_scatter_args, scatter_dims_to_operand_dims, TAKES_DIMS),
	KEYWORD(tsr_scatter_args, operand_batching_dims, TAKES_DIMS),
	KEYWORD(tsr_scatter_args, scatter_indices_batching_dims, TAKES_DIMS),
	KEYWORD(tsr_scatter_args, combine, TAKES_PLAIN),
	KEYWORD(tsr_scatter_args, mode, TAKES_PLAIN),
	KEYWORD(tsr_scatter_args, indices_are_sorted, TAKES_PLAIN),
	KEYWORD(tsr_scatter_args, unique_indices, TAKES_PLAIN))
KEYWORDS_OF(tsr_sum_args,
	KEYWORD(tsr_sum_args, dims, TAKES_DIMS),
	KEYWORD(tsr_sum_args, keep, TAKES_PLAIN),
	KEYWORD(tsr_sum_args, where, TAKES_HANDLE),
	KEYWORD(tsr_sum_args, initial, TAKES_ARG),
	KEYWORD(tsr_sum_args, dtype, TAKES_PLAIN))
KEYWORDS_OF(tsr_reduce_args,
	KEYWORD(tsr_reduce_args, dims, TAKES_DIMS),
	KEYWORD(tsr_reduce_args, keep, TAKES_PLAIN),
	KEYWORD(tsr_reduce_args, where, TAKES_HANDLE),
	KEYWORD(tsr_reduce_args, initial, TAKES_ARG))
KEYWORDS_OF(tsr_all_args,
	KEYWORD(tsr_all_args, dims, TAKES_DIMS),
	KEYWORD(tsr_all_args, keep, TAKES_PLAIN),
	KEYWORD(tsr_all_args, where, TAKES_HANDLE))
KEYWORDS_OF(tsr_dims_args,
	KEYWORD(tsr_dims_args, dims, TAKES_DIMS),
	KEYWORD(tsr_dims_args, keep, TAKES_PLAIN))
KEYWORDS_OF(tsr_mean_args,
	KEYWORD(tsr_mean_args, dims, TAKES_DIMS),
	KEYWORD(tsr_mean_args, keep, TAKES_PLAIN),
	KEYWORD(tsr_mean_args, where, TAKES_HANDLE),
	KEYWORD(tsr_mean_args, dtype, TAKES_PLAIN))
KEYWORDS_OF(tsr_logsumexp_args,
	KEYWORD(tsr_logsumexp_args, dims, TAKES_DIMS),
	KEYWORD(tsr_logsumexp_args, keep, TAKES_PLAIN),
	KEYWORD(tsr_logsumexp_args, where, TAKES_HANDLE),
	KEYWORD(tsr_logsumexp_args, b, TAKES_ARG),
	KEYWORD(tsr_logsumexp_args, sign, TAKES_PLACE))
KEYWORDS_OF(tsr_arg_args,
	KEYWORD(tsr_arg_args, dim, TAKES_DIMS),
	KEYWORD(tsr_arg_args, keep, TAKES_PLAIN),
	KEYWORD(tsr_arg_args, dtype, TAKES_PLAIN))
KEYWORDS_OF(tsr_sort_args,
	KEYWORD(tsr_sort_args, dim, TAKES_DIMS),
	KEYWORD(tsr_sort_args, descending, TAKES_PLAIN))
KEYWORDS_OF(tsr_argsort_args,
	KEYWORD(tsr_argsort_args, dim, TAKES_DIMS),
	KEYWORD(tsr_argsort_args, descending, TAKES_PLAIN),
	KEYWORD(tsr_argsort_args, unstable, TAKES_PLAIN),
	KEYWORD(tsr_argsort_args, dtype, TAKES_PLAIN))
KEYWORDS_OF(tsr_sort_operands_args,
	KEYWORD(tsr_sort_operands_args, dim, TAKES_DIMS),
	KEYWORD(tsr_sort_operands_args, num_keys, TAKES_PLAIN),
	KEYWORD(tsr_sort_operands_args, unstable, TAKES_PLAIN))
KEYWORDS_OF(tsr_top_k_args,
	KEYWORD(tsr_top_k_args, dim, TAKES_DIMS))
KEYWORDS_OF(tsr_cumsum_args,
	KEYWORD(tsr_cumsum_args, dim, TAKES_DIMS),
	KEYWORD(tsr_cumsum_args, reverse, TAKES_PLAIN),
	KEYWORD(tsr_cumsum_args, dtype, TAKES_PLAIN))
KEYWORDS_OF(tsr_cumulative_args,
	KEYWORD(tsr_cumulative_args, dim, TAKES_DIMS),
	KEYWORD(tsr_cumulative_args, dtype, TAKES_PLAIN),
	KEYWORD(tsr_cumulative_args, include_initial, TAKES_PLAIN))
KEYWORDS_OF(tsr_cummax_args,
	KEYWORD(tsr_cummax_args, dim, TAKES_DIMS),
	KEYWORD(tsr_cummax_args, reverse, TAKES_PLAIN))
KEYWORDS_OF(tsr_window_args,
	KEYWORD(tsr_window_args, strides, TAKES_DIMS),
	KEYWORD(tsr_window_args, low, TAKES_DIMS),
	KEYWORD(tsr_window_args, high, TAKES_DIMS),
	KEYWORD(tsr_window_args, base_dilation, TAKES_DIMS),
	KEYWORD(tsr_window_args, window_dilation, TAKES_DIMS),
	KEYWORD(tsr_window_args, padding, TAKES_PLAIN))
KEYWORDS_OF(tsr_pool_args,
	KEYWORD(tsr_pool_args, strides, TAKES_DIMS),
	KEYWORD(tsr_pool_args, low, TAKES_DIMS),
	KEYWORD(tsr_pool_args, high, TAKES_DIMS),
	KEYWORD(tsr_pool_args, padding, TAKES_PLAIN),
	KEYWORD(tsr_pool_args, exclude_padding, TAKES_PLAIN))
KEYWORDS_OF(tsr_conv_args,
	KEYWORD(tsr_conv_args, strides, TAKES_DIMS),
	KEYWORD(tsr_conv_args, low, TAKES_DIMS),
	KEYWORD(tsr_conv_args, high, TAKES_DIMS),
	KEYWORD(tsr_conv_args, lhs_dilation, TAKES_DIMS),
	KEYWORD(tsr_conv_args, rhs_dilation, TAKES_DIMS),
	KEYWORD(tsr_conv_args, padding, TAKES_PLAIN),
	KEYWORD(tsr_conv_args, lhs_spec, TAKES_TEXT),
	KEYWORD(tsr_conv_args, rhs_spec, TAKES_TEXT),
	KEYWORD(tsr_conv_args, out_spec, TAKES_TEXT),
	KEYWORD(tsr_conv_args, feature_group_count, TAKES_PLAIN),
	KEYWORD(tsr_conv_args, batch_group_count, TAKES_PLAIN),
	KEYWORD(tsr_conv_args, dtype, TAKES_PLAIN),
	KEYWORD(tsr_conv_args, precision, TAKES_PLAIN))
KEYWORDS_OF(tsr_conv_transpose_args,
	KEYWORD(tsr_conv_transpose_args, strides, TAKES_DIMS),
	KEYWORD(tsr_conv_transpose_args, low, TAKES_DIMS),
	KEYWORD(tsr_conv_transpose_args, high, TAKES_DIMS),
	KEYWORD(tsr_conv_transpose_args, rhs_dilation, TAKES_DIMS),
	KEYWORD(tsr_conv_transpose_args, padding, TAKES_PLAIN),
	KEYWORD(tsr_conv_transpose_args, forward_padding, TAKES_PLAIN),
	KEYWORD(tsr_conv_transpose_args, transpose_kernel, TAKES_PLAIN),
	KEYWORD(tsr_conv_transpose_args, lhs_spec, TAKES_TEXT),
	KEYWORD(tsr_conv_transpose_args, rhs_spec, TAKES_TEXT),
	KEYWORD(tsr_conv_transpose_args, out_spec, TAKES_TEXT),
	KEYWORD(tsr_conv_transpose_args, dtype, TAKES_PLAIN))
KEYWORDS_OF(tsr_convolve_args,
	KEYWORD(tsr_convolve_args, mode, TAKES_PLAIN))
KEYWORDS_OF(tsr_init_constant_args,
	KEYWORD(tsr_init_constant_args, value, TAKES_ARG),
	KEYWORD(tsr_init_constant_args, dtype, TAKES_PLAIN))
KEYWORDS_OF(tsr_init_uniform_args,
	KEYWORD(tsr_init_uniform_args, scale, TAKES_PLAIN),
	KEYWORD(tsr_init_uniform_args, dtype, TAKES_PLAIN))
KEYWORDS_OF(tsr_init_normal_args,
	KEYWORD(tsr_init_normal_args, stddev, TAKES_PLAIN),
	KEYWORD(tsr_init_normal_args, dtype, TAKES_PLAIN))
KEYWORDS_OF(tsr_init_truncated_normal_args,
	KEYWORD(tsr_init_truncated_normal_args, stddev, TAKES_PLAIN),
	KEYWORD(tsr_init_truncated_normal_args, dtype, TAKES_PLAIN),
	KEYWORD(tsr_init_truncated_normal_args, lower, TAKES_ARG),
	KEYWORD(tsr_init_truncated_normal_args, upper, TAKES_ARG))
KEYWORDS_OF(tsr_init_scaling_args,
	KEYWORD(tsr_init_scaling_args, scale, TAKES_PLAIN),
	KEYWORD(tsr_init_scaling_args, mode, TAKES_PLAIN),
	KEYWORD(tsr_init_scaling_args, distribution, TAKES_PLAIN),
	KEYWORD(tsr_init_scaling_args, in, TAKES_DIMS),
	KEYWORD(tsr_init_scaling_args, out, TAKES_DIMS),
	KEYWORD(tsr_init_scaling_args, batch, TAKES_DIMS),
	KEYWORD(tsr_init_scaling_args, dtype, TAKES_PLAIN))
KEYWORDS_OF(tsr_init_fan_args,
	KEYWORD(tsr_init_fan_args, in, TAKES_DIMS),
	KEYWORD(tsr_init_fan_args, out, TAKES_DIMS),
	KEYWORD(tsr_init_fan_args, batch, TAKES_DIMS),
	KEYWORD(tsr_init_fan_args, dtype, TAKES_PLAIN))
KEYWORDS_OF(tsr_init_orthogonal_args,
	KEYWORD(tsr_init_orthogonal_args, scale, TAKES_PLAIN),
	KEYWORD(tsr_init_orthogonal_args, column, TAKES_DIMS),
	KEYWORD(tsr_init_orthogonal_args, dtype, TAKES_PLAIN))
KEYWORDS_OF(tsr_tensordot_args,
	KEYWORD(tsr_tensordot_args, n, TAKES_PLAIN),
	KEYWORD(tsr_tensordot_args, dims_a, TAKES_DIMS),
	KEYWORD(tsr_tensordot_args, dims_b, TAKES_DIMS),
	KEYWORD(tsr_tensordot_args, dtype, TAKES_PLAIN),
	KEYWORD(tsr_tensordot_args, precision, TAKES_PLAIN))
KEYWORDS_OF(tsr_vecdot_args,
	KEYWORD(tsr_vecdot_args, dim, TAKES_DIMS))
KEYWORDS_OF(tsr_cross_args,
	KEYWORD(tsr_cross_args, dim, TAKES_DIMS))
KEYWORDS_OF(tsr_diagonal_args,
	KEYWORD(tsr_diagonal_args, k, TAKES_PLAIN),
	KEYWORD(tsr_diagonal_args, dims, TAKES_DIMS),
	KEYWORD(tsr_diagonal_args, dtype, TAKES_PLAIN))
KEYWORDS_OF(tsr_meshgrid_args,
	KEYWORD(tsr_meshgrid_args, ij, TAKES_PLAIN),
	KEYWORD(tsr_meshgrid_args, sparse, TAKES_PLAIN))
KEYWORDS_OF(tsr_var_args,
	KEYWORD(tsr_var_args, dims, TAKES_DIMS),
	KEYWORD(tsr_var_args, keep, TAKES_PLAIN),
	KEYWORD(tsr_var_args, where, TAKES_HANDLE),
	KEYWORD(tsr_var_args, dtype, TAKES_PLAIN),
	KEYWORD(tsr_var_args, correction, TAKES_PLAIN),
	KEYWORD(tsr_var_args, mean, TAKES_ARG))
KEYWORDS_OF(tsr_average_args,
	KEYWORD(tsr_average_args, dims, TAKES_DIMS),
	KEYWORD(tsr_average_args, keep, TAKES_PLAIN),
	KEYWORD(tsr_average_args, weights, TAKES_HANDLE),
	KEYWORD(tsr_average_args, sum, TAKES_PLACE))
KEYWORDS_OF(tsr_quantile_args,
	KEYWORD(tsr_quantile_args, dims, TAKES_DIMS),
	KEYWORD(tsr_quantile_args, keep, TAKES_PLAIN),
	KEYWORD(tsr_quantile_args, method, TAKES_PLAIN),
	KEYWORD(tsr_quantile_args, weights, TAKES_HANDLE))
KEYWORDS_OF(tsr_cov_args,
	KEYWORD(tsr_cov_args, y, TAKES_HANDLE),
	KEYWORD(tsr_cov_args, columns, TAKES_PLAIN),
	KEYWORD(tsr_cov_args, bias, TAKES_PLAIN),
	KEYWORD(tsr_cov_args, fweights, TAKES_HANDLE),
	KEYWORD(tsr_cov_args, aweights, TAKES_HANDLE))
KEYWORDS_OF(tsr_corrcoef_args,
	KEYWORD(tsr_corrcoef_args, y, TAKES_HANDLE),
	KEYWORD(tsr_corrcoef_args, columns, TAKES_PLAIN))
KEYWORDS_OF(tsr_searchsorted_args,
	KEYWORD(tsr_searchsorted_args, right, TAKES_PLAIN))
KEYWORDS_OF(tsr_bincount_args,
	KEYWORD(tsr_bincount_args, weights, TAKES_HANDLE))
KEYWORDS_OF(tsr_histogram_args,
	KEYWORD(tsr_histogram_args, low, TAKES_ARG),
	KEYWORD(tsr_histogram_args, high, TAKES_ARG),
	KEYWORD(tsr_histogram_args, edges, TAKES_HANDLE),
	KEYWORD(tsr_histogram_args, weights, TAKES_HANDLE),
	KEYWORD(tsr_histogram_args, density, TAKES_PLAIN))
KEYWORDS_OF(tsr_interp_args,
	KEYWORD(tsr_interp_args, left, TAKES_ARG),
	KEYWORD(tsr_interp_args, right, TAKES_ARG),
	KEYWORD(tsr_interp_args, extrapolate, TAKES_PLAIN),
	KEYWORD(tsr_interp_args, period, TAKES_PLAIN))

OF_COUNT_K(arange, tsr_arange_args)
OF_COUNT_K(eye, tsr_eye_args)

ONE(linspace, "caaik", &tsr_linspace_args_keywords, s[0].ctx, ARG(1), ARG(2), s[3].whole, s[4].at)
tsr *tsr_linspace_at(const char *where, tsr_ctx *ctx, tsr_arg start, tsr_arg stop, int64_t n,
                     const tsr_linspace_args *args)
{
	return apply_one(&of_linspace, where, (slot[]){{.ctx = ctx}, {.at = &start}, {.at = &stop},
	                                               {.whole = n}, {.at = args}});
}

ONE(logspace, "caaik", &tsr_logspace_args_keywords, s[0].ctx, ARG(1), ARG(2), s[3].whole, s[4].at)
tsr *tsr_logspace_at(const char *where, tsr_ctx *ctx, tsr_arg start, tsr_arg stop, int64_t n,
                     const tsr_logspace_args *args)
{
	return apply_one(&of_logspace, where, (slot[]){{.ctx = ctx}, {.at = &start}, {.at = &stop},
	                                               {.whole = n}, {.at = args}});
}

ONE(geomspace, "caaik", &tsr_linspace_args_keywords, s[0].ctx, ARG(1), ARG(2), s[3].whole, s[4].at)
tsr *tsr_geomspace_at(const char *where, tsr_ctx *ctx, tsr_arg start, tsr_arg stop, int64_t n,
                      const tsr_linspace_args *args)
{
	return apply_one(&of_geomspace, where, (slot[]){{.ctx = ctx}, {.at = &start}, {.at = &stop},
	                                                {.whole = n}, {.at = args}});
}

OF_COUNT_K(bartlett, tsr_new_args)
OF_COUNT_K(blackman, tsr_new_args)
OF_COUNT_K(hamming, tsr_new_args)
OF_COUNT_K(hanning, tsr_new_args)

ONE(kaiser, "cifk", &tsr_new_args_keywords, s[0].ctx, s[1].whole, s[2].real, s[3].at)
tsr *tsr_kaiser_at(const char *where, tsr_ctx *ctx, int64_t n, double beta,
                   const tsr_new_args *args)
{
	return apply_one(&of_kaiser, where, (slot[]){{.ctx = ctx}, {.whole = n}, {.real = beta},
	                                             {.at = args}});
}

OF_HANDLE_K(diff, tsr_diff_args)
OF_HANDLE(ediff1d)

ONE(gradient, "hio", NULL, s[0].handle, (int)s[1].whole, ARG(2))
tsr *tsr_gradient_at(const char *where, tsr *x, int dim, tsr_arg h)
{
	return apply_one(&of_gradient, where, (slot[]){{.handle = x}, {.whole = dim}, {.at = &h}});
}

OF_HANDLE_K(trapezoid, tsr_trapezoid_args)
OF_HANDLE_K(unwrap, tsr_unwrap_args)
OF_HANDLES(polyval)
OF_HANDLES(polyadd)
OF_HANDLES(polysub)
OF_HANDLES(polymul)
OF_INT(polyder)
OF_INT(polyint)
OF_HANDLE(poly)
OF_HANDLE(roots)
OF_HANDLE_K(fft, tsr_fft_args)
OF_HANDLE_K(ifft, tsr_fft_args)
OF_HANDLE_K(rfft, tsr_fft_args)
OF_HANDLE_K(irfft, tsr_fft_args)
OF_HANDLE_K(hfft, tsr_fft_args)
OF_HANDLE_K(ihfft, tsr_fft_args)
OF_HANDLE_K(fftn, tsr_fftn_args)
OF_HANDLE_K(ifftn, tsr_fftn_args)
OF_HANDLE_K(rfftn, tsr_fftn_args)
OF_HANDLE_K(irfftn, tsr_fftn_args)
OF_HANDLE_K(fft2, tsr_fftn_args)
OF_HANDLE_K(ifft2, tsr_fftn_args)
OF_HANDLE_K(rfft2, tsr_fftn_args)
OF_HANDLE_K(irfft2, tsr_fftn_args)
OF_COUNT_K(fftfreq, tsr_fftfreq_args)
OF_COUNT_K(rfftfreq, tsr_fftfreq_args)
OF_HANDLE_K(fftshift, tsr_fftshift_args)
OF_HANDLE_K(ifftshift, tsr_fftshift_args)
OF_HANDLE(deg2rad)
OF_HANDLE(rad2deg)
OF_HANDLE(angle)
OF_HANDLE(log2)
OF_HANDLE(log10)
OF_HANDLE(reciprocal)
OF_HANDLE(fabs)
OF_OPERANDS(float_power, 2, "2")
OF_OPERANDS(hypot, 2, "2")
OF_OPERANDS(logaddexp, 2, "2")
OF_OPERANDS(logaddexp2, 2, "2")
OF_HANDLE(sinc)
OF_OPERANDS(floor_divide, 2, "2")
OF_OPERANDS(remainder, 2, "2")

SEVERAL(divmod, "oo", NULL, ARG(0), ARG(1), out)
bool tsr_divmod_at(const char *where, tsr_arg a, tsr_arg b, tsr *out[2])
{
	return apply(&of_divmod, where, (slot[]){{.at = &a}, {.at = &b}}, out, 2);
}

OF_OPERANDS(fmod, 2, "2")
OF_HANDLE(trunc)
OF_HANDLE(rint)
OF_OPERANDS(gcd, 2, "2")
OF_OPERANDS(lcm, 2, "2")
OF_OPERANDS(mulhi, 2, "2")
TO_SEVERAL(modf, 2)
OF_HANDLE(bitwise_count)
TO_SEVERAL(frexp, 2)
OF_OPERANDS(ldexp, 2, "2")
OF_HANDLE(spacing)
OF_HANDLE(signbit)
OF_OPERANDS(copysign, 2, "2")
OF_OPERANDS(heaviside, 2, "2")
OF_HANDLE(isinf)
OF_HANDLE(isposinf)
OF_HANDLE(isneginf)
OF_HANDLE(iscomplex)
OF_HANDLE(isreal)
OF_OPERANDS(fmax, 2, "2")
OF_OPERANDS(fmin, 2, "2")
OF_HANDLE_K(nan_to_num, tsr_nan_to_num_args)

ONE(isclose, "ooff", NULL, ARG(0), ARG(1), s[2].real, s[3].real)
tsr *tsr_isclose_at(const char *where, tsr_arg a, tsr_arg b, double rtol, double atol)
{
	return apply_one(&of_isclose, where, (slot[]){{.at = &a}, {.at = &b}, {.real = rtol},
	                                              {.real = atol}});
}

OF_OPERANDS(logical_xor, 2, "2")

ONE(select, "HHno", NULL, s[0].at, s[1].at, (size_t)s[2].whole, ARG(3))
tsr *tsr_select_at(const char *where, tsr *const *conditions, tsr *const *x, size_t n,
                   tsr_arg otherwise)
{
	return apply_one(&of_select, where, (slot[]){{.at = conditions}, {.at = x},
	                                             {.whole = (int64_t)n}, {.at = &otherwise}});
}

ONE(choose, "hHni", NULL, s[0].handle, s[1].at, (size_t)s[2].whole, (enum tsr_index_mode)s[3].whole)
tsr *tsr_choose_at(const char *where, tsr *i, tsr *const *x, size_t n, enum tsr_index_mode mode)
{
	return apply_one(&of_choose, where, (slot[]){{.handle = i}, {.at = x},
	                                             {.whole = (int64_t)n}, {.whole = mode}});
}

OF_HANDLE(gamma_function)
OF_HANDLE(gammasgn)
OF_HANDLE(log_gamma)
OF_HANDLE(factorial)
OF_OPERANDS(beta_function, 2, "2")
OF_OPERANDS(betaln, 2, "2")
OF_OPERANDS(comb, 2, "2")
OF_OPERANDS(poch, 2, "2")
OF_INT(multigammaln)
OF_HANDLE(i0)
OF_HANDLE(i1)
OF_OPERANDS(boxcox, 2, "2")
OF_OPERANDS(boxcox1p, 2, "2")
OF_OPERANDS(xlogy, 2, "2")
OF_OPERANDS(xlog1py, 2, "2")
OF_HANDLE(entr)
OF_OPERANDS(rel_entr, 2, "2")
OF_OPERANDS(kl_div, 2, "2")
OF_HANDLE(logit)
OF_HANDLE(ndtr)
OF_HANDLE(log_ndtr)
OF_HANDLE(ndtri)

ONE(linear, "hhqk", &tsr_linear_args_keywords, s[0].handle, s[1].handle, s[2].handle, s[3].at)
tsr *tsr_linear_at(const char *where, tsr *x, tsr *kernel, tsr *bias, const tsr_linear_args *args)
{
	return apply_one(&of_linear, where, (slot[]){{.handle = x}, {.handle = kernel},
	                                             {.handle = bias}, {.at = args}});
}

OF_HANDLES_K(embed, tsr_linear_args)

ONE(conv, "hhqk", &tsr_conv_layer_args_keywords, s[0].handle, s[1].handle, s[2].handle, s[3].at)
tsr *tsr_conv_at(const char *where, tsr *x, tsr *kernel, tsr *bias, const tsr_conv_layer_args *args)
{
	return apply_one(&of_conv, where, (slot[]){{.handle = x}, {.handle = kernel},
	                                           {.handle = bias}, {.at = args}});
}

ONE(layer_norm, "hqqk", &tsr_layer_norm_args_keywords, s[0].handle, s[1].handle, s[2].handle,
    s[3].at)
tsr *tsr_layer_norm_at(const char *where, tsr *x, tsr *scale, tsr *bias,
                       const tsr_layer_norm_args *args)
{
	return apply_one(&of_layer_norm, where, (slot[]){{.handle = x}, {.handle = scale},
	                                                 {.handle = bias}, {.at = args}});
}

ONE(rms_norm, "hqk", &tsr_layer_norm_args_keywords, s[0].handle, s[1].handle, s[2].at)
tsr *tsr_rms_norm_at(const char *where, tsr *x, tsr *scale, const tsr_layer_norm_args *args)
{
	return apply_one(&of_rms_norm, where, (slot[]){{.handle = x}, {.handle = scale},
	                                               {.at = args}});
}

ONE(group_norm, "hiqqk", &tsr_group_norm_args_keywords, s[0].handle, s[1].whole, s[2].handle,
    s[3].handle, s[4].at)
tsr *tsr_group_norm_at(const char *where, tsr *x, int64_t groups, tsr *scale, tsr *bias,
                       const tsr_group_norm_args *args)
{
	return apply_one(&of_group_norm, where, (slot[]){{.handle = x}, {.whole = groups},
	                                                 {.handle = scale}, {.handle = bias},
	                                                 {.at = args}});
}

ONE(batch_norm, "hqqhhk", &tsr_batch_norm_args_keywords, s[0].handle, s[1].handle, s[2].handle,
    s[3].handle, s[4].handle, s[5].at)
tsr *tsr_batch_norm_at(const char *where, tsr *x, tsr *scale, tsr *bias, tsr *mean, tsr *var,
                       const tsr_batch_norm_args *args)
{
	return apply_one(&of_batch_norm, where, (slot[]){{.handle = x}, {.handle = scale},
	                                                 {.handle = bias}, {.handle = mean},
	                                                 {.handle = var}, {.at = args}});
}

ONE(dropout, "qhfk", &tsr_dropout_args_keywords, s[0].handle, s[1].handle, s[2].real, s[3].at)
tsr *tsr_dropout_at(const char *where, tsr *key, tsr *x, double rate, const tsr_dropout_args *args)
{
	return apply_one(&of_dropout, where, (slot[]){{.handle = key}, {.handle = x},
	                                              {.real = rate}, {.at = args}});
}

ONE(rnn_cell, "hhhhqk", &tsr_rnn_cell_args_keywords, s[0].handle, s[1].handle, s[2].handle,
    s[3].handle, s[4].handle, s[5].at)
tsr *tsr_rnn_cell_at(const char *where, tsr *h, tsr *x, tsr *kernel, tsr *recurrent, tsr *bias,
                     const tsr_rnn_cell_args *args)
{
	return apply_one(&of_rnn_cell, where, (slot[]){{.handle = h}, {.handle = x},
	                                               {.handle = kernel}, {.handle = recurrent},
	                                               {.handle = bias}, {.at = args}});
}

SEVERAL(lstm_cell, "hhhhhqk", &tsr_lstm_cell_args_keywords, s[0].handle, s[1].handle, s[2].handle,
        s[3].handle, s[4].handle, s[5].handle, out, s[6].at)
bool tsr_lstm_cell_at(const char *where, tsr *c, tsr *h, tsr *x, tsr *kernel, tsr *recurrent,
                      tsr *bias, tsr *out[2], const tsr_lstm_cell_args *args)
{
	return apply(&of_lstm_cell, where, (slot[]){{.handle = c}, {.handle = h}, {.handle = x},
	                                            {.handle = kernel}, {.handle = recurrent},
	                                            {.handle = bias}, {.at = args}}, out, 2);
}

ONE(gru_cell, "hhhhqk", &tsr_gru_cell_args_keywords, s[0].handle, s[1].handle, s[2].handle,
    s[3].handle, s[4].handle, s[5].at)
tsr *tsr_gru_cell_at(const char *where, tsr *h, tsr *x, tsr *kernel, tsr *recurrent, tsr *bias,
                     const tsr_gru_cell_args *args)
{
	return apply_one(&of_gru_cell, where, (slot[]){{.handle = h}, {.handle = x},
	                                               {.handle = kernel}, {.handle = recurrent},
	                                               {.handle = bias}, {.at = args}});
}

OF_HANDLE_K(cholesky, tsr_cholesky_args)
OF_HANDLES_K(triangular_solve, tsr_triangular_solve_args)
OF_HANDLES_K(solve_triangular, tsr_solve_triangular_args)
OF_HANDLES_K(cho_solve, tsr_cho_solve_args)
TO_SEVERAL(lu, 3)
TO_SEVERAL_K(qr, tsr_qr_args, 2)
TO_SEVERAL_K(eigh, tsr_eigh_args, 2)
OF_HANDLE_K(eigvalsh, tsr_eigh_args)
TO_SEVERAL_K(svd, tsr_svd_args, 3)
OF_HANDLE(svdvals)
TO_SEVERAL(polar, 2)
TO_SEVERAL_K(eig, tsr_eig_args, 3)
OF_HANDLE(eigvals)
TO_SEVERAL(schur, 2)
TO_SEVERAL(hessenberg, 2)
TO_SEVERAL_K(tridiagonal, tsr_tridiagonal_args, 4)
OF_HANDLES(solve)
OF_HANDLE(inv)
OF_HANDLE(det)
TO_SEVERAL(slogdet, 2)
OF_HANDLE_K(matrix_rank, tsr_rank_args)
OF_HANDLE_K(pinv, tsr_rank_args)

SEVERAL(lstsq, "hhk", &tsr_rank_args_keywords, s[0].handle, s[1].handle, out, s[2].at)
bool tsr_lstsq_at(const char *where, tsr *a, tsr *b, tsr *out[4], const tsr_rank_args *args)
{
	return apply(&of_lstsq, where, (slot[]){{.handle = a}, {.handle = b},
	                                        {.at = args}}, out, 4);
}

OF_HANDLES(householder_product)

ONE(ormqr, "hhhk", &tsr_ormqr_args_keywords, s[0].handle, s[1].handle, s[2].handle, s[3].at)
tsr *tsr_ormqr_at(const char *where, tsr *a, tsr *taus, tsr *c, const tsr_ormqr_args *args)
{
	return apply_one(&of_ormqr, where, (slot[]){{.handle = a}, {.handle = taus}, {.handle = c},
	                                            {.at = args}});
}

ONE(tridiagonal_solve, "hhhh", NULL, s[0].handle, s[1].handle, s[2].handle, s[3].handle)
tsr *tsr_tridiagonal_solve_at(const char *where, tsr *dl, tsr *d, tsr *du, tsr *b)
{
	return apply_one(&of_tridiagonal_solve, where, (slot[]){{.handle = dl}, {.handle = d},
	                                                        {.handle = du}, {.handle = b}});
}

OF_HANDLES(cholesky_update)
OF_HANDLES_K(symmetric_product, tsr_symmetric_product_args)
OF_HANDLES_K(tensorsolve, tsr_tensorsolve_args)
OF_INT(tensorinv)
OF_LIST(multi_dot)
OF_HANDLE(expm)
OF_INT(matrix_power)
OF_HANDLE(matrix_transpose)
OF_HANDLE_K(vector_norm, tsr_norm_args)
OF_HANDLE_K(matrix_norm, tsr_matrix_norm_args)
OF_HANDLE_K(norm, tsr_norm_args)
OF_HANDLE_K(cond_number, tsr_cond_number_args)
OF_HANDLES_K(softmax_cross_entropy, tsr_classes_args)
OF_HANDLES_K(softmax_cross_entropy_with_integer_labels, tsr_classes_args)
OF_HANDLES(sigmoid_binary_cross_entropy)

ONE(squared_error, "hq", NULL, s[0].handle, s[1].handle)
tsr *tsr_squared_error_at(const char *where, tsr *predictions, tsr *targets)
{
	return apply_one(&of_squared_error, where, (slot[]){{.handle = predictions},
	                                                    {.handle = targets}});
}

ONE(l2_loss, "hq", NULL, s[0].handle, s[1].handle)
tsr *tsr_l2_loss_at(const char *where, tsr *predictions, tsr *targets)
{
	return apply_one(&of_l2_loss, where, (slot[]){{.handle = predictions},
	                                              {.handle = targets}});
}

ONE(huber_loss, "hqk", &tsr_huber_args_keywords, s[0].handle, s[1].handle, s[2].at)
tsr *tsr_huber_loss_at(const char *where, tsr *predictions, tsr *targets,
                       const tsr_huber_args *args)
{
	return apply_one(&of_huber_loss, where, (slot[]){{.handle = predictions},
	                                                 {.handle = targets}, {.at = args}});
}

ONE(smooth_labels, "hok", &tsr_classes_args_keywords, s[0].handle, ARG(1), s[2].at)
tsr *tsr_smooth_labels_at(const char *where, tsr *labels, tsr_arg alpha,
                          const tsr_classes_args *args)
{
	return apply_one(&of_smooth_labels, where, (slot[]){{.handle = labels}, {.at = &alpha},
	                                                    {.at = args}});
}

OF_HANDLE(relu6)
OF_HANDLE(softplus)
OF_HANDLE(sparse_plus)
OF_HANDLE(sparse_sigmoid)
OF_HANDLE(soft_sign)
OF_HANDLE(silu)
OF_HANDLE(log_sigmoid)
OF_HANDLE(hard_tanh)
OF_HANDLE(hard_sigmoid)
OF_HANDLE(hard_silu)
OF_HANDLE(mish)
OF_HANDLE(log1mexp)
OF_OPERANDS(leaky_relu, 2, "2")
OF_OPERANDS(elu, 2, "2")
OF_OPERANDS(celu, 2, "2")
OF_HANDLE(selu)
OF_OPERANDS(squareplus, 2, "2")
OF_HANDLE_K(gelu, tsr_gelu_args)
OF_INT(glu)

ONE(softmax, "hik", &tsr_softmax_args_keywords, s[0].handle, (int)s[1].whole, s[2].at)
tsr *tsr_softmax_at(const char *where, tsr *x, int dim, const tsr_softmax_args *args)
{
	return apply_one(&of_softmax, where, (slot[]){{.handle = x}, {.whole = dim}, {.at = args}});
}

ONE(log_softmax, "hik", &tsr_softmax_args_keywords, s[0].handle, (int)s[1].whole, s[2].at)
tsr *tsr_log_softmax_at(const char *where, tsr *x, int dim, const tsr_softmax_args *args)
{
	return apply_one(&of_log_softmax, where, (slot[]){{.handle = x}, {.whole = dim},
	                                                  {.at = args}});
}

OF_HANDLE_K(logmeanexp, tsr_logmeanexp_args)

ONE(standardize, "hifk", &tsr_standardize_args_keywords, s[0].handle, (int)s[1].whole, s[2].real,
    s[3].at)
tsr *tsr_standardize_at(const char *where, tsr *x, int dim, double epsilon,
                        const tsr_standardize_args *args)
{
	return apply_one(&of_standardize, where, (slot[]){{.handle = x}, {.whole = dim},
	                                                  {.real = epsilon}, {.at = args}});
}

ONE(one_hot, "hik", &tsr_one_hot_args_keywords, s[0].handle, s[1].whole, s[2].at)
tsr *tsr_one_hot_at(const char *where, tsr *x, int64_t n, const tsr_one_hot_args *args)
{
	return apply_one(&of_one_hot, where, (slot[]){{.handle = x}, {.whole = n}, {.at = args}});
}

ONE(dot_product_attention, "hhhk", &tsr_attention_args_keywords, s[0].handle, s[1].handle,
    s[2].handle, s[3].at)
tsr *tsr_dot_product_attention_at(const char *where, tsr *query, tsr *key, tsr *value,
                                  const tsr_attention_args *args)
{
	return apply_one(&of_dot_product_attention, where, (slot[]){{.handle = query},
	                                                            {.handle = key},
	                                                            {.handle = value},
	                                                            {.at = args}});
}

OF_HANDLE_K(rotary, tsr_rotary_args)

ONE(multi_head_attention, "hhhhhk", &tsr_multi_head_args_keywords, s[0].handle, s[1].handle,
    s[2].handle, s[3].handle, s[4].handle, s[5].at)
tsr *tsr_multi_head_attention_at(const char *where, tsr *x, tsr *query, tsr *key, tsr *value,
                                 tsr *out, const tsr_multi_head_args *args)
{
	return apply_one(&of_multi_head_attention, where, (slot[]){{.handle = x}, {.handle = query},
	                                                           {.handle = key},
	                                                           {.handle = value},
	                                                           {.handle = out}, {.at = args}});
}

OF_HANDLE(neg)
OF_HANDLE(sign)
OF_HANDLE(abs)
OF_HANDLE(floor)
OF_HANDLE(ceil)
OF_HANDLE_K(round, tsr_round_args)
OF_HANDLE(exp)
OF_HANDLE(exp2)
OF_HANDLE(expm1)
OF_HANDLE(log)
OF_HANDLE(log1p)
OF_HANDLE(sqrt)
OF_HANDLE(rsqrt)
OF_HANDLE(square)
OF_HANDLE(tanh)
OF_HANDLE(logistic)
OF_HANDLE(sin)
OF_HANDLE(cos)
OF_HANDLE(tan)
OF_HANDLE(asin)
OF_HANDLE(acos)
OF_HANDLE(atan)
OF_HANDLE(sinh)
OF_HANDLE(cosh)
OF_HANDLE(asinh)
OF_HANDLE(acosh)
OF_HANDLE(atanh)
OF_HANDLE(cbrt)
OF_HANDLE(erf)
OF_HANDLE(erfc)
OF_HANDLE(erf_inv)
OF_HANDLE(lgamma)
OF_HANDLE(digamma)
OF_HANDLE(bessel_i0e)
OF_HANDLE(bessel_i1e)
OF_HANDLE(is_finite)
OF_HANDLE(isnan)
OF_HANDLE(bitwise_not)
OF_HANDLE(population_count)
OF_HANDLE(clz)
OF_HANDLE(real)
OF_HANDLE(imag)
OF_HANDLE(conj)

ONE(reduce_precision, "hii", NULL, s[0].handle, (int)s[1].whole, (int)s[2].whole)
tsr *tsr_reduce_precision_at(const char *where, tsr *x, int exponent_bits, int mantissa_bits)
{
	return apply_one(&of_reduce_precision, where, (slot[]){{.handle = x},
	                                                       {.whole = exponent_bits},
	                                                       {.whole = mantissa_bits}});
}

ONE(bitcast_convert_type, "hi", NULL, s[0].handle, (tsr_dtype)s[1].whole)
tsr *tsr_bitcast_convert_type_at(const char *where, tsr *x, tsr_dtype dtype)
{
	return apply_one(&of_bitcast_convert_type, where, (slot[]){{.handle = x},
	                                                           {.whole = dtype}});
}

OF_HANDLE(logical_not)
OF_HANDLE(relu)
OF_HANDLE(copy)
OF_HANDLE(stop_gradient)
OF_HANDLE(t)
OF_HANDLE(ravel)
OF_INT(integer_pow)

ONE(astype, "hi", NULL, s[0].handle, (tsr_dtype)s[1].whole)
tsr *tsr_astype_at(const char *where, tsr *x, tsr_dtype dtype)
{
	return apply_one(&of_astype, where, (slot[]){{.handle = x}, {.whole = dtype}});
}

OF_OPERANDS(add, 2, "2")
OF_OPERANDS(sub, 2, "2")
OF_OPERANDS(mul, 2, "2")
OF_OPERANDS(div, 2, "2")
OF_OPERANDS(rem, 2, "2")
OF_OPERANDS(pow, 2, "e")
OF_OPERANDS(atan2, 2, "2")
OF_OPERANDS(zeta, 2, "2")
OF_OPERANDS(polygamma, 2, "2")
OF_OPERANDS(igamma, 2, "2")
OF_OPERANDS(igammac, 2, "2")
OF_OPERANDS(igamma_grad_a, 2, "2")
OF_OPERANDS(random_gamma_grad, 2, "2")
OF_OPERANDS(nextafter, 2, "2")
OF_OPERANDS(complex, 2, "2")
OF_OPERANDS(maximum, 2, "2")
OF_OPERANDS(minimum, 2, "2")
OF_OPERANDS(bitwise_and, 2, "2")
OF_OPERANDS(bitwise_or, 2, "2")
OF_OPERANDS(bitwise_xor, 2, "2")
OF_OPERANDS(shift_left, 2, "2")
OF_OPERANDS(shift_right, 2, "2")
OF_OPERANDS(eq, 2, "2")
OF_OPERANDS(ne, 2, "2")
OF_OPERANDS(lt, 2, "2")
OF_OPERANDS(le, 2, "2")
OF_OPERANDS(gt, 2, "2")
OF_OPERANDS(ge, 2, "2")
OF_OPERANDS(logical_and, 2, "2")
OF_OPERANDS(logical_or, 2, "2")
OF_OPERANDS(fma, 3, "3")
OF_OPERANDS(betainc, 3, "3")
OF_OPERANDS(where, 3, "3")

ONE(clamp, "ooo", NULL, ARG(0), ARG(1), ARG(2))
tsr *tsr_clamp_at(const char *where, tsr_arg low, tsr_arg x, tsr_arg high)
{
	return apply_one(&of_clamp, where, (slot[]){{.at = &low}, {.at = &x}, {.at = &high}});
}

OF_HANDLES_K(dot, tsr_product_args)
OF_HANDLES_K(matmul, tsr_product_args)
OF_HANDLES_K(dot_general, tsr_dot_args)
OF_DIMS(reshape)
OF_HANDLE_K(transpose, tsr_transpose_args)
OF_DIMS(broadcast_to)

ONE(broadcast_in_dim, "hdd", NULL, s[0].handle, DIMS(1), DIMS(2))
tsr *tsr_broadcast_in_dim_at(const char *where, tsr *x, tsr_dims dims, tsr_dims at)
{
	return apply_one(&of_broadcast_in_dim, where, (slot[]){{.handle = x}, {.at = &dims},
	                                                       {.at = &at}});
}

OF_DIMS(squeeze)
OF_DIMS(expand_dims)
OF_DIMS(flip)

ONE(concatenate, "iHn", NULL, (int)s[0].whole, s[1].at, (size_t)s[2].whole)
tsr *tsr_concatenate_at(const char *where, int dim, tsr *const *x, size_t n)
{
	return apply_one(&of_concatenate, where, (slot[]){{.whole = dim}, {.at = x},
	                                                  {.whole = (int64_t)n}});
}

ONE(stack, "iHn", NULL, (int)s[0].whole, s[1].at, (size_t)s[2].whole)
tsr *tsr_stack_at(const char *where, int dim, tsr *const *x, size_t n)
{
	return apply_one(&of_stack, where, (slot[]){{.whole = dim}, {.at = x},
	                                            {.whole = (int64_t)n}});
}

SEVERAL(split, "hink", &tsr_split_args_keywords, s[0].handle, (int)s[1].whole, out,
        (size_t)s[2].whole, s[3].at)
bool tsr_split_at(const char *where, tsr *x, int dim, tsr **out, size_t n,
                  const tsr_split_args *args)
{
	return apply(&of_split, where, (slot[]){{.handle = x}, {.whole = dim},
	                                        {.whole = (int64_t)n}, {.at = args}}, out, (int)n);
}

ONE(pad, "hddak", &tsr_pad_args_keywords, s[0].handle, DIMS(1), DIMS(2), ARG(3), s[4].at)
tsr *tsr_pad_at(const char *where, tsr *x, tsr_dims low, tsr_dims high, tsr_arg number,
                const tsr_pad_args *args)
{
	return apply_one(&of_pad, where, (slot[]){{.handle = x}, {.at = &low}, {.at = &high},
	                                          {.at = &number}, {.at = args}});
}

ONE(slice, "hiii", NULL, s[0].handle, (int)s[1].whole, s[2].whole, s[3].whole)
tsr *tsr_slice_at(const char *where, tsr *x, int dim, int64_t start, int64_t stop)
{
	return apply_one(&of_slice, where, (slot[]){{.handle = x}, {.whole = dim}, {.whole = start},
	                                            {.whole = stop}});
}

ONE(slice_strided, "hddk", &tsr_slice_args_keywords, s[0].handle, DIMS(1), DIMS(2), s[3].at)
tsr *tsr_slice_strided_at(const char *where, tsr *x, tsr_dims starts, tsr_dims stops,
                          const tsr_slice_args *args)
{
	return apply_one(&of_slice_strided, where, (slot[]){{.handle = x}, {.at = &starts},
	                                                    {.at = &stops}, {.at = args}});
}

ONE(index, "hii", NULL, s[0].handle, (int)s[1].whole, s[2].whole)
tsr *tsr_index_at(const char *where, tsr *x, int dim, int64_t i)
{
	return apply_one(&of_index, where, (slot[]){{.handle = x}, {.whole = dim}, {.whole = i}});
}

ONE(dynamic_slice, "hioi", NULL, s[0].handle, (int)s[1].whole, ARG(2), s[3].whole)
tsr *tsr_dynamic_slice_at(const char *where, tsr *x, int dim, tsr_arg start, int64_t size)
{
	return apply_one(&of_dynamic_slice, where, (slot[]){{.handle = x}, {.whole = dim},
	                                                    {.at = &start}, {.whole = size}});
}

ONE(dynamic_update, "hhio", NULL, s[0].handle, s[1].handle, (int)s[2].whole, ARG(3))
tsr *tsr_dynamic_update_at(const char *where, tsr *x, tsr *update, int dim, tsr_arg start)
{
	return apply_one(&of_dynamic_update, where, (slot[]){{.handle = x}, {.handle = update},
	                                                     {.whole = dim}, {.at = &start}});
}

ONE(dynamic_slice_dims, "hdOn", NULL, s[0].handle, DIMS(1), s[2].at, (size_t)s[3].whole)
tsr *tsr_dynamic_slice_dims_at(const char *where, tsr *x, tsr_dims sizes, const tsr_arg *starts,
                               size_t n)
{
	return apply_one(&of_dynamic_slice_dims, where, (slot[]){{.handle = x}, {.at = &sizes},
	                                                         {.at = starts},
	                                                         {.whole = (int64_t)n}});
}

ONE(dynamic_update_dims, "hhOn", NULL, s[0].handle, s[1].handle, s[2].at, (size_t)s[3].whole)
tsr *tsr_dynamic_update_dims_at(const char *where, tsr *x, tsr *update, const tsr_arg *starts,
                                size_t n)
{
	return apply_one(&of_dynamic_update_dims, where, (slot[]){{.handle = x}, {.handle = update},
	                                                          {.at = starts},
	                                                          {.whole = (int64_t)n}});
}

ONE(dynamic_index, "hio", NULL, s[0].handle, (int)s[1].whole, ARG(2))
tsr *tsr_dynamic_index_at(const char *where, tsr *x, int dim, tsr_arg i)
{
	return apply_one(&of_dynamic_index, where, (slot[]){{.handle = x}, {.whole = dim},
	                                                    {.at = &i}});
}

ONE(take, "hihk", &tsr_index_args_keywords, s[0].handle, (int)s[1].whole, s[2].handle, s[3].at)
tsr *tsr_take_at(const char *where, tsr *x, int dim, tsr *indices, const tsr_index_args *args)
{
	return apply_one(&of_take, where, (slot[]){{.handle = x}, {.whole = dim},
	                                           {.handle = indices}, {.at = args}});
}

ONE(take_along, "hihk", &tsr_index_args_keywords, s[0].handle, (int)s[1].whole, s[2].handle,
    s[3].at)
tsr *tsr_take_along_at(const char *where, tsr *x, int dim, tsr *indices, const tsr_index_args *args)
{
	return apply_one(&of_take_along, where, (slot[]){{.handle = x}, {.whole = dim},
	                                                 {.handle = indices}, {.at = args}});
}

OF_PLACES_K(at_set, tsr_index_args)
OF_PLACES_K(at_add, tsr_index_args)
OF_PLACES_K(at_mul, tsr_index_args)
OF_PLACES_K(at_min, tsr_index_args)
OF_PLACES_K(at_max, tsr_index_args)

ONE(gather, "hhdk", &tsr_gather_args_keywords, s[0].handle, s[1].handle, DIMS(2), s[3].at)
tsr *tsr_gather_at(const char *where, tsr *x, tsr *indices, tsr_dims slice_sizes,
                   const tsr_gather_args *args)
{
	return apply_one(&of_gather, where, (slot[]){{.handle = x}, {.handle = indices},
	                                             {.at = &slice_sizes}, {.at = args}});
}

ONE(scatter, "hhhk", &tsr_scatter_args_keywords, s[0].handle, s[1].handle, s[2].handle, s[3].at)
tsr *tsr_scatter_at(const char *where, tsr *x, tsr *indices, tsr *updates,
                    const tsr_scatter_args *args)
{
	return apply_one(&of_scatter, where, (slot[]){{.handle = x}, {.handle = indices},
	                                              {.handle = updates}, {.at = args}});
}

OF_HANDLE_K(sum, tsr_sum_args)
OF_HANDLE_K(prod, tsr_sum_args)
OF_HANDLE_K(max, tsr_reduce_args)
OF_HANDLE_K(min, tsr_reduce_args)
OF_HANDLE_K(all, tsr_all_args)
OF_HANDLE_K(any, tsr_all_args)
OF_HANDLE_K(reduce_and, tsr_dims_args)
OF_HANDLE_K(reduce_or, tsr_dims_args)
OF_HANDLE_K(reduce_xor, tsr_dims_args)
OF_HANDLE_K(mean, tsr_mean_args)
OF_HANDLE_K(logsumexp, tsr_logsumexp_args)
OF_HANDLE_K(argmax, tsr_arg_args)
OF_HANDLE_K(argmin, tsr_arg_args)
OF_HANDLE_K(sort, tsr_sort_args)
OF_HANDLE_K(argsort, tsr_argsort_args)

SEVERAL(sort_operands, "Hnk", &tsr_sort_operands_args_keywords, s[0].at, out, (size_t)s[1].whole,
        s[2].at)
bool tsr_sort_operands_at(const char *where, tsr *const *x, tsr **out, size_t n,
                          const tsr_sort_operands_args *args)
{
	return apply(&of_sort_operands, where, (slot[]){{.at = x}, {.whole = (int64_t)n},
	                                                {.at = args}}, out, (int)n);
}

SEVERAL(top_k, "hik", &tsr_top_k_args_keywords, s[0].handle, s[1].whole, out, s[2].at)
bool tsr_top_k_at(const char *where, tsr *x, int64_t k, tsr *out[2], const tsr_top_k_args *args)
{
	return apply(&of_top_k, where, (slot[]){{.handle = x}, {.whole = k}, {.at = args}}, out, 2);
}

OF_HANDLE_K(cumsum, tsr_cumsum_args)
OF_HANDLE_K(cumprod, tsr_cumsum_args)
OF_HANDLE_K(nancumsum, tsr_cumsum_args)
OF_HANDLE_K(nancumprod, tsr_cumsum_args)
OF_HANDLE_K(cumulative_sum, tsr_cumulative_args)
OF_HANDLE_K(cumulative_prod, tsr_cumulative_args)
OF_HANDLE_K(cummax, tsr_cummax_args)
OF_HANDLE_K(cummin, tsr_cummax_args)
OF_HANDLE_K(cumlogsumexp, tsr_cummax_args)

ONE(reduce_window, "hidk", &tsr_window_args_keywords, s[0].handle, (enum tsr_combine)s[1].whole,
    DIMS(2), s[3].at)
tsr *tsr_reduce_window_at(const char *where, tsr *x, enum tsr_combine combine, tsr_dims window,
                          const tsr_window_args *args)
{
	return apply_one(&of_reduce_window, where, (slot[]){{.handle = x}, {.whole = combine},
	                                                    {.at = &window}, {.at = args}});
}

OF_DIMS_K(max_pool, tsr_pool_args)
OF_DIMS_K(min_pool, tsr_pool_args)
OF_DIMS_K(avg_pool, tsr_pool_args)
OF_HANDLES_K(conv_general_dilated, tsr_conv_args)
OF_DIMS_K(conv_general_dilated_patches, tsr_conv_args)

ONE(conv_general_dilated_local, "hhdk", &tsr_conv_args_keywords, s[0].handle, s[1].handle, DIMS(2),
    s[3].at)
tsr *tsr_conv_general_dilated_local_at(const char *where, tsr *lhs, tsr *rhs, tsr_dims window,
                                       const tsr_conv_args *args)
{
	return apply_one(&of_conv_general_dilated_local, where, (slot[]){{.handle = lhs},
	                                                                 {.handle = rhs},
	                                                                 {.at = &window},
	                                                                 {.at = args}});
}

OF_HANDLES_K(conv_transpose, tsr_conv_transpose_args)
OF_HANDLES_K(convolve, tsr_convolve_args)
OF_HANDLES_K(correlate, tsr_convolve_args)

SEVERAL(threefry2x32, "oooo", NULL, ARG(0), ARG(1), ARG(2), ARG(3), out)
bool tsr_threefry2x32_at(const char *where, tsr_arg key0, tsr_arg key1, tsr_arg x0, tsr_arg x1,
                         tsr *out[2])
{
	return apply(&of_threefry2x32, where, (slot[]){{.at = &key0}, {.at = &key1}, {.at = &x0},
	                                               {.at = &x1}}, out, 2);
}

OF_DIMS_K(init_zeros, tsr_new_args)
OF_DIMS_K(init_ones, tsr_new_args)
OF_DIMS_K(init_constant, tsr_init_constant_args)
OF_DIMS_K(init_uniform, tsr_init_uniform_args)
OF_DIMS_K(init_normal, tsr_init_normal_args)
OF_DIMS_K(init_truncated_normal, tsr_init_truncated_normal_args)
OF_DIMS_K(init_variance_scaling, tsr_init_scaling_args)
OF_DIMS_K(init_glorot_uniform, tsr_init_fan_args)
OF_DIMS_K(init_glorot_normal, tsr_init_fan_args)
OF_DIMS_K(init_xavier_uniform, tsr_init_fan_args)
OF_DIMS_K(init_xavier_normal, tsr_init_fan_args)
OF_DIMS_K(init_lecun_uniform, tsr_init_fan_args)
OF_DIMS_K(init_lecun_normal, tsr_init_fan_args)
OF_DIMS_K(init_he_uniform, tsr_init_fan_args)
OF_DIMS_K(init_he_normal, tsr_init_fan_args)
OF_DIMS_K(init_kaiming_uniform, tsr_init_fan_args)
OF_DIMS_K(init_kaiming_normal, tsr_init_fan_args)
OF_DIMS_K(init_orthogonal, tsr_init_orthogonal_args)
OF_DIMS_K(init_delta_orthogonal, tsr_init_orthogonal_args)

ONE(einsum, "tHn", NULL, s[0].at, s[1].at, (size_t)s[2].whole)
tsr *tsr_einsum_at(const char *where, const char *subscripts, tsr *const *x, size_t n)
{
	return apply_one(&of_einsum, where, (slot[]){{.at = subscripts}, {.at = x},
	                                             {.whole = (int64_t)n}});
}

OF_HANDLES_K(tensordot, tsr_tensordot_args)
OF_HANDLES(inner)
OF_HANDLES(outer)
OF_HANDLES(vdot)
OF_HANDLES_K(vecdot, tsr_vecdot_args)
OF_HANDLES(matvec)
OF_HANDLES(vecmat)
OF_HANDLES(kron)
OF_HANDLES_K(cross, tsr_cross_args)

SEVERAL(split_key, "hn", NULL, s[0].handle, out, (size_t)s[1].whole)
bool tsr_split_key_at(const char *where, tsr *key, tsr **out, size_t n)
{
	return apply(&of_split_key, where, (slot[]){{.handle = key},
	                                            {.whole = (int64_t)n}}, out, (int)n);
}

ONE(moveaxis, "hdd", NULL, s[0].handle, DIMS(1), DIMS(2))
tsr *tsr_moveaxis_at(const char *where, tsr *x, tsr_dims from, tsr_dims to)
{
	return apply_one(&of_moveaxis, where, (slot[]){{.handle = x}, {.at = &from}, {.at = &to}});
}

ONE(swapaxes, "hii", NULL, s[0].handle, (int)s[1].whole, (int)s[2].whole)
tsr *tsr_swapaxes_at(const char *where, tsr *x, int a, int b)
{
	return apply_one(&of_swapaxes, where, (slot[]){{.handle = x}, {.whole = a}, {.whole = b}});
}

OF_HANDLE(atleast_1d)
OF_HANDLE(atleast_2d)
OF_HANDLE(atleast_3d)

SEVERAL(broadcast_arrays, "Hn", NULL, s[0].at, out, (size_t)s[1].whole)
bool tsr_broadcast_arrays_at(const char *where, tsr *const *x, tsr **out, size_t n)
{
	return apply(&of_broadcast_arrays, where, (slot[]){{.at = x},
	                                                   {.whole = (int64_t)n}}, out, (int)n);
}

ONE(roll, "hii", NULL, s[0].handle, s[1].whole, (int)s[2].whole)
tsr *tsr_roll_at(const char *where, tsr *x, int64_t shift, int dim)
{
	return apply_one(&of_roll, where, (slot[]){{.handle = x}, {.whole = shift},
	                                           {.whole = dim}});
}

ONE(dynamic_roll, "hoi", NULL, s[0].handle, ARG(1), (int)s[2].whole)
tsr *tsr_dynamic_roll_at(const char *where, tsr *x, tsr_arg shift, int dim)
{
	return apply_one(&of_dynamic_roll, where, (slot[]){{.handle = x}, {.at = &shift},
	                                                   {.whole = dim}});
}

ONE(rot90, "hiii", NULL, s[0].handle, (int)s[1].whole, (int)s[2].whole, (int)s[3].whole)
tsr *tsr_rot90_at(const char *where, tsr *x, int k, int a, int b)
{
	return apply_one(&of_rot90, where, (slot[]){{.handle = x}, {.whole = k}, {.whole = a},
	                                            {.whole = b}});
}

OF_DIMS(tile)

ONE(repeat, "hii", NULL, s[0].handle, s[1].whole, (int)s[2].whole)
tsr *tsr_repeat_at(const char *where, tsr *x, int64_t n, int dim)
{
	return apply_one(&of_repeat, where, (slot[]){{.handle = x}, {.whole = n}, {.whole = dim}});
}

ONE(repeat_each, "hhii", NULL, s[0].handle, s[1].handle, s[2].whole, (int)s[3].whole)
tsr *tsr_repeat_each_at(const char *where, tsr *x, tsr *times, int64_t n, int dim)
{
	return apply_one(&of_repeat_each, where, (slot[]){{.handle = x}, {.handle = times},
	                                                  {.whole = n}, {.whole = dim}});
}

OF_DIMS(resize)
OF_LIST(hstack)
OF_LIST(vstack)
OF_LIST(dstack)
OF_LIST(column_stack)

SEVERAL(array_split, "hin", NULL, s[0].handle, (int)s[1].whole, out, (size_t)s[2].whole)
bool tsr_array_split_at(const char *where, tsr *x, int dim, tsr **out, size_t n)
{
	return apply(&of_array_split, where, (slot[]){{.handle = x}, {.whole = dim},
	                                              {.whole = (int64_t)n}}, out, (int)n);
}

SEVERAL(unstack, "hin", NULL, s[0].handle, (int)s[1].whole, out, (size_t)s[2].whole)
bool tsr_unstack_at(const char *where, tsr *x, int dim, tsr **out, size_t n)
{
	return apply(&of_unstack, where, (slot[]){{.handle = x}, {.whole = dim},
	                                          {.whole = (int64_t)n}}, out, (int)n);
}

OF_HANDLE(view_as_real)
OF_HANDLE(view_as_complex)
OF_HANDLE_K(diagonal, tsr_diagonal_args)
OF_HANDLE_K(trace, tsr_diagonal_args)
OF_INT(diag)
OF_INT(diagflat)
OF_INT(tril)
OF_INT(triu)

ONE(tri, "ciiik", &tsr_new_args_keywords, s[0].ctx, s[1].whole, s[2].whole, (int)s[3].whole,
    s[4].at)
tsr *tsr_tri_at(const char *where, tsr_ctx *ctx, int64_t n, int64_t m, int k,
                const tsr_new_args *args)
{
	return apply_one(&of_tri, where, (slot[]){{.ctx = ctx}, {.whole = n}, {.whole = m},
	                                          {.whole = k}, {.at = args}});
}

ONE(fill_diagonal, "ho", NULL, s[0].handle, ARG(1))
tsr *tsr_fill_diagonal_at(const char *where, tsr *x, tsr_arg value)
{
	return apply_one(&of_fill_diagonal, where, (slot[]){{.handle = x}, {.at = &value}});
}

ONE(vander, "hii", NULL, s[0].handle, s[1].whole, (bool)s[2].whole)
tsr *tsr_vander_at(const char *where, tsr *x, int64_t n, bool increasing)
{
	return apply_one(&of_vander, where, (slot[]){{.handle = x}, {.whole = n},
	                                             {.whole = increasing}});
}

SEVERAL(meshgrid, "Hnk", &tsr_meshgrid_args_keywords, s[0].at, out, (size_t)s[1].whole, s[2].at)
bool tsr_meshgrid_at(const char *where, tsr *const *x, tsr **out, size_t n,
                     const tsr_meshgrid_args *args)
{
	return apply(&of_meshgrid, where, (slot[]){{.at = x}, {.whole = (int64_t)n},
	                                           {.at = args}}, out, (int)n);
}

ONE(indices, "cdk", &tsr_new_args_keywords, s[0].ctx, DIMS(1), s[2].at)
tsr *tsr_indices_at(const char *where, tsr_ctx *ctx, tsr_dims dims, const tsr_new_args *args)
{
	return apply_one(&of_indices, where, (slot[]){{.ctx = ctx}, {.at = &dims}, {.at = args}});
}

SEVERAL(unravel_index, "hd", NULL, s[0].handle, DIMS(1), out)
bool tsr_unravel_index_at(const char *where, tsr *x, tsr_dims dims, tsr **out)
{
	return apply(&of_unravel_index, where, (slot[]){{.handle = x},
	                                                {.at = &dims}}, out, TSR_MAX_NDIM);
}

ONE(ravel_multi_index, "Hdi", NULL, s[0].at, DIMS(1), (enum tsr_index_mode)s[2].whole)
tsr *tsr_ravel_multi_index_at(const char *where, tsr *const *x, tsr_dims dims,
                              enum tsr_index_mode mode)
{
	return apply_one(&of_ravel_multi_index, where, (slot[]){{.at = x}, {.at = &dims},
	                                                        {.whole = mode}});
}

OF_HANDLE_K(var, tsr_var_args)
OF_HANDLE_K(std, tsr_var_args)
OF_HANDLE_K(average, tsr_average_args)
OF_HANDLE_K(count_nonzero, tsr_dims_args)
OF_HANDLE_K(ptp, tsr_dims_args)
OF_HANDLE_K(nansum, tsr_sum_args)
OF_HANDLE_K(nanprod, tsr_sum_args)
OF_HANDLE_K(nanmax, tsr_reduce_args)
OF_HANDLE_K(nanmin, tsr_reduce_args)
OF_HANDLE_K(nanmean, tsr_mean_args)
OF_HANDLE_K(nanvar, tsr_var_args)
OF_HANDLE_K(nanstd, tsr_var_args)
OF_HANDLE_K(nanargmax, tsr_arg_args)
OF_HANDLE_K(nanargmin, tsr_arg_args)

ONE(quantile, "hxk", &tsr_quantile_args_keywords, s[0].handle, ARG(1), s[2].at)
tsr *tsr_quantile_at(const char *where, tsr *x, tsr_arg q, const tsr_quantile_args *args)
{
	return apply_one(&of_quantile, where, (slot[]){{.handle = x}, {.at = &q}, {.at = args}});
}

ONE(percentile, "hxk", &tsr_quantile_args_keywords, s[0].handle, ARG(1), s[2].at)
tsr *tsr_percentile_at(const char *where, tsr *x, tsr_arg q, const tsr_quantile_args *args)
{
	return apply_one(&of_percentile, where, (slot[]){{.handle = x}, {.at = &q}, {.at = args}});
}

OF_HANDLE_K(median, tsr_dims_args)

ONE(nanquantile, "hxk", &tsr_quantile_args_keywords, s[0].handle, ARG(1), s[2].at)
tsr *tsr_nanquantile_at(const char *where, tsr *x, tsr_arg q, const tsr_quantile_args *args)
{
	return apply_one(&of_nanquantile, where, (slot[]){{.handle = x}, {.at = &q}, {.at = args}});
}

ONE(nanpercentile, "hxk", &tsr_quantile_args_keywords, s[0].handle, ARG(1), s[2].at)
tsr *tsr_nanpercentile_at(const char *where, tsr *x, tsr_arg q, const tsr_quantile_args *args)
{
	return apply_one(&of_nanpercentile, where, (slot[]){{.handle = x}, {.at = &q},
	                                                    {.at = args}});
}

OF_HANDLE_K(nanmedian, tsr_dims_args)
OF_HANDLE_K(cov, tsr_cov_args)
OF_HANDLE_K(corrcoef, tsr_corrcoef_args)
OF_HANDLES_K(searchsorted, tsr_searchsorted_args)
OF_HANDLES_K(digitize, tsr_searchsorted_args)
OF_HANDLES(isin)

ONE(bincount, "hik", &tsr_bincount_args_keywords, s[0].handle, s[1].whole, s[2].at)
tsr *tsr_bincount_at(const char *where, tsr *x, int64_t n, const tsr_bincount_args *args)
{
	return apply_one(&of_bincount, where, (slot[]){{.handle = x}, {.whole = n}, {.at = args}});
}

SEVERAL(histogram, "hik", &tsr_histogram_args_keywords, s[0].handle, s[1].whole, out, s[2].at)
bool tsr_histogram_at(const char *where, tsr *x, int64_t n, tsr *out[2],
                      const tsr_histogram_args *args)
{
	return apply(&of_histogram, where, (slot[]){{.handle = x}, {.whole = n},
	                                            {.at = args}}, out, 2);
}

ONE(interp, "hhhk", &tsr_interp_args_keywords, s[0].handle, s[1].handle, s[2].handle, s[3].at)
tsr *tsr_interp_at(const char *where, tsr *x, tsr *xp, tsr *fp, const tsr_interp_args *args)
{
	return apply_one(&of_interp, where, (slot[]){{.handle = x}, {.handle = xp}, {.handle = fp},
	                                             {.at = args}});
}
