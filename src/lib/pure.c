/* pure.c - defines the public functions that outside of bodies are one program. apply.c says how,
 * and the functions named lib_ make these programs. Made by tools/make_headers.py of api/. */
#include <stddef.h>
#include "lib/apply.h"

#define KEYWORD(T, name, kind) {offsetof(T, name), sizeof(((T *)0)->name), kind}
#define KEYWORDS_OF(T, ...) \
	static const keyword T##_each[] = {__VA_ARGS__}; \
	static const keywords T##_keywords = { \
		sizeof(T), sizeof T##_each / sizeof *T##_each, T##_each};

/* a whole record of the keywords in slot k; where it cannot be read, which is recorded, the result
 * of ONE is poison */
#define READ(T, ctx, k) const T *keywords = KEYWORDS(T, where, ctx, s[k].at);
#define READ_OF_ONE(T, ctx, k) \
	READ(T, ctx, k) \
	if (!keywords) return (*out = poison_of(ctx)), false;

/* of one handle, of two operands, of three */
#define OF_HANDLE(name) \
	static bool does_##name(const char *where, const slot *s, tsr **out) \
	{ \
		return !handle_is_poison(*out = lib_##name(where, s[0].handle)); \
	} \
	static const function of_##name = {#name, "h", NULL, does_##name}; \
	tsr *tsr_##name##_at(const char *where, tsr *x) \
	{ \
		return apply_one(&of_##name, where, (slot[]){{.handle = x}}); \
	}
#define OF_OPERANDS(name, count, letter) \
	static bool does_##name(const char *where, const slot *s, tsr **out) \
	{ \
		return !handle_is_poison(*out = lib_##name(where, s[0].at)); \
	} \
	static const function of_##name = {#name, letter, NULL, does_##name}; \
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


static bool does_arange(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_arange_args, s[0].ctx, 2)
	return !handle_is_poison(*out = lib_arange(where, s[0].ctx, s[1].whole, keywords));
}
static const function of_arange = {"arange", "cik", &tsr_arange_args_keywords, does_arange};
tsr *tsr_arange_at(const char *where, tsr_ctx *ctx, int64_t n, const tsr_arange_args *args)
{
	return apply_one(&of_arange, where, (slot[]){{.ctx = ctx}, {.whole = n}, {.at = args}});
}

static bool does_eye(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_eye_args, s[0].ctx, 2)
	return !handle_is_poison(*out = lib_eye(where, s[0].ctx, s[1].whole, keywords));
}
static const function of_eye = {"eye", "cik", &tsr_eye_args_keywords, does_eye};
tsr *tsr_eye_at(const char *where, tsr_ctx *ctx, int64_t n, const tsr_eye_args *args)
{
	return apply_one(&of_eye, where, (slot[]){{.ctx = ctx}, {.whole = n}, {.at = args}});
}

static bool does_linspace(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_linspace_args, s[0].ctx, 4)
	return !handle_is_poison(*out = lib_linspace(where, s[0].ctx, *(const tsr_arg *)s[1].at,
	                                             *(const tsr_arg *)s[2].at, s[3].whole,
	                                             keywords));
}
static const function of_linspace = {"linspace", "caaik", &tsr_linspace_args_keywords,
                                     does_linspace};
tsr *tsr_linspace_at(const char *where, tsr_ctx *ctx, tsr_arg start, tsr_arg stop, int64_t n,
                     const tsr_linspace_args *args)
{
	return apply_one(&of_linspace, where, (slot[]){{.ctx = ctx}, {.at = &start}, {.at = &stop},
	                                               {.whole = n}, {.at = args}});
}

static bool does_logspace(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_logspace_args, s[0].ctx, 4)
	return !handle_is_poison(*out = lib_logspace(where, s[0].ctx, *(const tsr_arg *)s[1].at,
	                                             *(const tsr_arg *)s[2].at, s[3].whole,
	                                             keywords));
}
static const function of_logspace = {"logspace", "caaik", &tsr_logspace_args_keywords,
                                     does_logspace};
tsr *tsr_logspace_at(const char *where, tsr_ctx *ctx, tsr_arg start, tsr_arg stop, int64_t n,
                     const tsr_logspace_args *args)
{
	return apply_one(&of_logspace, where, (slot[]){{.ctx = ctx}, {.at = &start}, {.at = &stop},
	                                               {.whole = n}, {.at = args}});
}

static bool does_geomspace(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_linspace_args, s[0].ctx, 4)
	return !handle_is_poison(*out = lib_geomspace(where, s[0].ctx, *(const tsr_arg *)s[1].at,
	                                              *(const tsr_arg *)s[2].at, s[3].whole,
	                                              keywords));
}
static const function of_geomspace = {"geomspace", "caaik", &tsr_linspace_args_keywords,
                                      does_geomspace};
tsr *tsr_geomspace_at(const char *where, tsr_ctx *ctx, tsr_arg start, tsr_arg stop, int64_t n,
                      const tsr_linspace_args *args)
{
	return apply_one(&of_geomspace, where, (slot[]){{.ctx = ctx}, {.at = &start}, {.at = &stop},
	                                                {.whole = n}, {.at = args}});
}

static bool does_bartlett(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_new_args, s[0].ctx, 2)
	return !handle_is_poison(*out = lib_bartlett(where, s[0].ctx, s[1].whole, keywords));
}
static const function of_bartlett = {"bartlett", "cik", &tsr_new_args_keywords, does_bartlett};
tsr *tsr_bartlett_at(const char *where, tsr_ctx *ctx, int64_t n, const tsr_new_args *args)
{
	return apply_one(&of_bartlett, where, (slot[]){{.ctx = ctx}, {.whole = n}, {.at = args}});
}

static bool does_blackman(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_new_args, s[0].ctx, 2)
	return !handle_is_poison(*out = lib_blackman(where, s[0].ctx, s[1].whole, keywords));
}
static const function of_blackman = {"blackman", "cik", &tsr_new_args_keywords, does_blackman};
tsr *tsr_blackman_at(const char *where, tsr_ctx *ctx, int64_t n, const tsr_new_args *args)
{
	return apply_one(&of_blackman, where, (slot[]){{.ctx = ctx}, {.whole = n}, {.at = args}});
}

static bool does_hamming(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_new_args, s[0].ctx, 2)
	return !handle_is_poison(*out = lib_hamming(where, s[0].ctx, s[1].whole, keywords));
}
static const function of_hamming = {"hamming", "cik", &tsr_new_args_keywords, does_hamming};
tsr *tsr_hamming_at(const char *where, tsr_ctx *ctx, int64_t n, const tsr_new_args *args)
{
	return apply_one(&of_hamming, where, (slot[]){{.ctx = ctx}, {.whole = n}, {.at = args}});
}

static bool does_hanning(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_new_args, s[0].ctx, 2)
	return !handle_is_poison(*out = lib_hanning(where, s[0].ctx, s[1].whole, keywords));
}
static const function of_hanning = {"hanning", "cik", &tsr_new_args_keywords, does_hanning};
tsr *tsr_hanning_at(const char *where, tsr_ctx *ctx, int64_t n, const tsr_new_args *args)
{
	return apply_one(&of_hanning, where, (slot[]){{.ctx = ctx}, {.whole = n}, {.at = args}});
}

static bool does_kaiser(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_new_args, s[0].ctx, 3)
	return !handle_is_poison(*out = lib_kaiser(where, s[0].ctx, s[1].whole, s[2].real,
	                                           keywords));
}
static const function of_kaiser = {"kaiser", "cifk", &tsr_new_args_keywords, does_kaiser};
tsr *tsr_kaiser_at(const char *where, tsr_ctx *ctx, int64_t n, double beta,
                   const tsr_new_args *args)
{
	return apply_one(&of_kaiser, where, (slot[]){{.ctx = ctx}, {.whole = n}, {.real = beta},
	                                             {.at = args}});
}

static bool does_diff(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_diff_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_diff(where, s[0].handle, keywords));
}
static const function of_diff = {"diff", "hk", &tsr_diff_args_keywords, does_diff};
tsr *tsr_diff_at(const char *where, tsr *x, const tsr_diff_args *args)
{
	return apply_one(&of_diff, where, (slot[]){{.handle = x}, {.at = args}});
}
OF_HANDLE(ediff1d)

static bool does_gradient(const char *where, const slot *s, tsr **out)
{
	return !handle_is_poison(*out = lib_gradient(where, s[0].handle, (int)s[1].whole,
	                                             *(const tsr_arg *)s[2].at));
}
static const function of_gradient = {"gradient", "hio", NULL, does_gradient};
tsr *tsr_gradient_at(const char *where, tsr *x, int dim, tsr_arg h)
{
	return apply_one(&of_gradient, where, (slot[]){{.handle = x}, {.whole = (int64_t)dim},
	                                               {.at = &h}});
}

static bool does_trapezoid(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_trapezoid_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_trapezoid(where, s[0].handle, keywords));
}
static const function of_trapezoid = {"trapezoid", "hk", &tsr_trapezoid_args_keywords,
                                      does_trapezoid};
tsr *tsr_trapezoid_at(const char *where, tsr *y, const tsr_trapezoid_args *args)
{
	return apply_one(&of_trapezoid, where, (slot[]){{.handle = y}, {.at = args}});
}

static bool does_unwrap(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_unwrap_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_unwrap(where, s[0].handle, keywords));
}
static const function of_unwrap = {"unwrap", "hk", &tsr_unwrap_args_keywords, does_unwrap};
tsr *tsr_unwrap_at(const char *where, tsr *x, const tsr_unwrap_args *args)
{
	return apply_one(&of_unwrap, where, (slot[]){{.handle = x}, {.at = args}});
}

static bool does_polyval(const char *where, const slot *s, tsr **out)
{
	return !handle_is_poison(*out = lib_polyval(where, s[0].handle, s[1].handle));
}
static const function of_polyval = {"polyval", "hh", NULL, does_polyval};
tsr *tsr_polyval_at(const char *where, tsr *p, tsr *x)
{
	return apply_one(&of_polyval, where, (slot[]){{.handle = p}, {.handle = x}});
}

static bool does_polyadd(const char *where, const slot *s, tsr **out)
{
	return !handle_is_poison(*out = lib_polyadd(where, s[0].handle, s[1].handle));
}
static const function of_polyadd = {"polyadd", "hh", NULL, does_polyadd};
tsr *tsr_polyadd_at(const char *where, tsr *a, tsr *b)
{
	return apply_one(&of_polyadd, where, (slot[]){{.handle = a}, {.handle = b}});
}

static bool does_polysub(const char *where, const slot *s, tsr **out)
{
	return !handle_is_poison(*out = lib_polysub(where, s[0].handle, s[1].handle));
}
static const function of_polysub = {"polysub", "hh", NULL, does_polysub};
tsr *tsr_polysub_at(const char *where, tsr *a, tsr *b)
{
	return apply_one(&of_polysub, where, (slot[]){{.handle = a}, {.handle = b}});
}

static bool does_polymul(const char *where, const slot *s, tsr **out)
{
	return !handle_is_poison(*out = lib_polymul(where, s[0].handle, s[1].handle));
}
static const function of_polymul = {"polymul", "hh", NULL, does_polymul};
tsr *tsr_polymul_at(const char *where, tsr *a, tsr *b)
{
	return apply_one(&of_polymul, where, (slot[]){{.handle = a}, {.handle = b}});
}

static bool does_polyder(const char *where, const slot *s, tsr **out)
{
	return !handle_is_poison(*out = lib_polyder(where, s[0].handle, (int)s[1].whole));
}
static const function of_polyder = {"polyder", "hi", NULL, does_polyder};
tsr *tsr_polyder_at(const char *where, tsr *p, int m)
{
	return apply_one(&of_polyder, where, (slot[]){{.handle = p}, {.whole = (int64_t)m}});
}

static bool does_polyint(const char *where, const slot *s, tsr **out)
{
	return !handle_is_poison(*out = lib_polyint(where, s[0].handle, (int)s[1].whole));
}
static const function of_polyint = {"polyint", "hi", NULL, does_polyint};
tsr *tsr_polyint_at(const char *where, tsr *p, int m)
{
	return apply_one(&of_polyint, where, (slot[]){{.handle = p}, {.whole = (int64_t)m}});
}
OF_HANDLE(poly)
OF_HANDLE(roots)

static bool does_fft(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_fft_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_fft(where, s[0].handle, keywords));
}
static const function of_fft = {"fft", "hk", &tsr_fft_args_keywords, does_fft};
tsr *tsr_fft_at(const char *where, tsr *x, const tsr_fft_args *args)
{
	return apply_one(&of_fft, where, (slot[]){{.handle = x}, {.at = args}});
}

static bool does_ifft(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_fft_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_ifft(where, s[0].handle, keywords));
}
static const function of_ifft = {"ifft", "hk", &tsr_fft_args_keywords, does_ifft};
tsr *tsr_ifft_at(const char *where, tsr *x, const tsr_fft_args *args)
{
	return apply_one(&of_ifft, where, (slot[]){{.handle = x}, {.at = args}});
}

static bool does_rfft(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_fft_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_rfft(where, s[0].handle, keywords));
}
static const function of_rfft = {"rfft", "hk", &tsr_fft_args_keywords, does_rfft};
tsr *tsr_rfft_at(const char *where, tsr *x, const tsr_fft_args *args)
{
	return apply_one(&of_rfft, where, (slot[]){{.handle = x}, {.at = args}});
}

static bool does_irfft(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_fft_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_irfft(where, s[0].handle, keywords));
}
static const function of_irfft = {"irfft", "hk", &tsr_fft_args_keywords, does_irfft};
tsr *tsr_irfft_at(const char *where, tsr *x, const tsr_fft_args *args)
{
	return apply_one(&of_irfft, where, (slot[]){{.handle = x}, {.at = args}});
}

static bool does_hfft(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_fft_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_hfft(where, s[0].handle, keywords));
}
static const function of_hfft = {"hfft", "hk", &tsr_fft_args_keywords, does_hfft};
tsr *tsr_hfft_at(const char *where, tsr *x, const tsr_fft_args *args)
{
	return apply_one(&of_hfft, where, (slot[]){{.handle = x}, {.at = args}});
}

static bool does_ihfft(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_fft_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_ihfft(where, s[0].handle, keywords));
}
static const function of_ihfft = {"ihfft", "hk", &tsr_fft_args_keywords, does_ihfft};
tsr *tsr_ihfft_at(const char *where, tsr *x, const tsr_fft_args *args)
{
	return apply_one(&of_ihfft, where, (slot[]){{.handle = x}, {.at = args}});
}

static bool does_fftn(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_fftn_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_fftn(where, s[0].handle, keywords));
}
static const function of_fftn = {"fftn", "hk", &tsr_fftn_args_keywords, does_fftn};
tsr *tsr_fftn_at(const char *where, tsr *x, const tsr_fftn_args *args)
{
	return apply_one(&of_fftn, where, (slot[]){{.handle = x}, {.at = args}});
}

static bool does_ifftn(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_fftn_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_ifftn(where, s[0].handle, keywords));
}
static const function of_ifftn = {"ifftn", "hk", &tsr_fftn_args_keywords, does_ifftn};
tsr *tsr_ifftn_at(const char *where, tsr *x, const tsr_fftn_args *args)
{
	return apply_one(&of_ifftn, where, (slot[]){{.handle = x}, {.at = args}});
}

static bool does_rfftn(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_fftn_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_rfftn(where, s[0].handle, keywords));
}
static const function of_rfftn = {"rfftn", "hk", &tsr_fftn_args_keywords, does_rfftn};
tsr *tsr_rfftn_at(const char *where, tsr *x, const tsr_fftn_args *args)
{
	return apply_one(&of_rfftn, where, (slot[]){{.handle = x}, {.at = args}});
}

static bool does_irfftn(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_fftn_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_irfftn(where, s[0].handle, keywords));
}
static const function of_irfftn = {"irfftn", "hk", &tsr_fftn_args_keywords, does_irfftn};
tsr *tsr_irfftn_at(const char *where, tsr *x, const tsr_fftn_args *args)
{
	return apply_one(&of_irfftn, where, (slot[]){{.handle = x}, {.at = args}});
}

static bool does_fft2(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_fftn_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_fft2(where, s[0].handle, keywords));
}
static const function of_fft2 = {"fft2", "hk", &tsr_fftn_args_keywords, does_fft2};
tsr *tsr_fft2_at(const char *where, tsr *x, const tsr_fftn_args *args)
{
	return apply_one(&of_fft2, where, (slot[]){{.handle = x}, {.at = args}});
}

static bool does_ifft2(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_fftn_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_ifft2(where, s[0].handle, keywords));
}
static const function of_ifft2 = {"ifft2", "hk", &tsr_fftn_args_keywords, does_ifft2};
tsr *tsr_ifft2_at(const char *where, tsr *x, const tsr_fftn_args *args)
{
	return apply_one(&of_ifft2, where, (slot[]){{.handle = x}, {.at = args}});
}

static bool does_rfft2(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_fftn_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_rfft2(where, s[0].handle, keywords));
}
static const function of_rfft2 = {"rfft2", "hk", &tsr_fftn_args_keywords, does_rfft2};
tsr *tsr_rfft2_at(const char *where, tsr *x, const tsr_fftn_args *args)
{
	return apply_one(&of_rfft2, where, (slot[]){{.handle = x}, {.at = args}});
}

static bool does_irfft2(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_fftn_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_irfft2(where, s[0].handle, keywords));
}
static const function of_irfft2 = {"irfft2", "hk", &tsr_fftn_args_keywords, does_irfft2};
tsr *tsr_irfft2_at(const char *where, tsr *x, const tsr_fftn_args *args)
{
	return apply_one(&of_irfft2, where, (slot[]){{.handle = x}, {.at = args}});
}

static bool does_fftfreq(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_fftfreq_args, s[0].ctx, 2)
	return !handle_is_poison(*out = lib_fftfreq(where, s[0].ctx, s[1].whole, keywords));
}
static const function of_fftfreq = {"fftfreq", "cik", &tsr_fftfreq_args_keywords, does_fftfreq};
tsr *tsr_fftfreq_at(const char *where, tsr_ctx *ctx, int64_t n, const tsr_fftfreq_args *args)
{
	return apply_one(&of_fftfreq, where, (slot[]){{.ctx = ctx}, {.whole = n}, {.at = args}});
}

static bool does_rfftfreq(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_fftfreq_args, s[0].ctx, 2)
	return !handle_is_poison(*out = lib_rfftfreq(where, s[0].ctx, s[1].whole, keywords));
}
static const function of_rfftfreq = {"rfftfreq", "cik", &tsr_fftfreq_args_keywords, does_rfftfreq};
tsr *tsr_rfftfreq_at(const char *where, tsr_ctx *ctx, int64_t n, const tsr_fftfreq_args *args)
{
	return apply_one(&of_rfftfreq, where, (slot[]){{.ctx = ctx}, {.whole = n}, {.at = args}});
}

static bool does_fftshift(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_fftshift_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_fftshift(where, s[0].handle, keywords));
}
static const function of_fftshift = {"fftshift", "hk", &tsr_fftshift_args_keywords, does_fftshift};
tsr *tsr_fftshift_at(const char *where, tsr *x, const tsr_fftshift_args *args)
{
	return apply_one(&of_fftshift, where, (slot[]){{.handle = x}, {.at = args}});
}

static bool does_ifftshift(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_fftshift_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_ifftshift(where, s[0].handle, keywords));
}
static const function of_ifftshift = {"ifftshift", "hk", &tsr_fftshift_args_keywords,
                                      does_ifftshift};
tsr *tsr_ifftshift_at(const char *where, tsr *x, const tsr_fftshift_args *args)
{
	return apply_one(&of_ifftshift, where, (slot[]){{.handle = x}, {.at = args}});
}
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

static bool does_divmod(const char *where, const slot *s, tsr **out)
{
	return lib_divmod(where, *(const tsr_arg *)s[0].at, *(const tsr_arg *)s[1].at, out);
}
static const function of_divmod = {"divmod", "oo", NULL, does_divmod};
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

static bool does_modf(const char *where, const slot *s, tsr **out)
{
	return lib_modf(where, s[0].handle, out);
}
static const function of_modf = {"modf", "h", NULL, does_modf};
bool tsr_modf_at(const char *where, tsr *x, tsr *out[2])
{
	return apply(&of_modf, where, (slot[]){{.handle = x}}, out, 2);
}
OF_HANDLE(bitwise_count)

static bool does_frexp(const char *where, const slot *s, tsr **out)
{
	return lib_frexp(where, s[0].handle, out);
}
static const function of_frexp = {"frexp", "h", NULL, does_frexp};
bool tsr_frexp_at(const char *where, tsr *x, tsr *out[2])
{
	return apply(&of_frexp, where, (slot[]){{.handle = x}}, out, 2);
}
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

static bool does_nan_to_num(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_nan_to_num_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_nan_to_num(where, s[0].handle, keywords));
}
static const function of_nan_to_num = {"nan_to_num", "hk", &tsr_nan_to_num_args_keywords,
                                       does_nan_to_num};
tsr *tsr_nan_to_num_at(const char *where, tsr *x, const tsr_nan_to_num_args *args)
{
	return apply_one(&of_nan_to_num, where, (slot[]){{.handle = x}, {.at = args}});
}

static bool does_isclose(const char *where, const slot *s, tsr **out)
{
	return !handle_is_poison(*out = lib_isclose(where, *(const tsr_arg *)s[0].at,
	                                            *(const tsr_arg *)s[1].at, s[2].real,
	                                            s[3].real));
}
static const function of_isclose = {"isclose", "ooff", NULL, does_isclose};
tsr *tsr_isclose_at(const char *where, tsr_arg a, tsr_arg b, double rtol, double atol)
{
	return apply_one(&of_isclose, where, (slot[]){{.at = &a}, {.at = &b}, {.real = rtol},
	                                              {.real = atol}});
}
OF_OPERANDS(logical_xor, 2, "2")

static bool does_select(const char *where, const slot *s, tsr **out)
{
	return !handle_is_poison(*out = lib_select(where, s[0].at, s[1].at, (size_t)s[2].whole,
	                                           *(const tsr_arg *)s[3].at));
}
static const function of_select = {"select", "HHno", NULL, does_select};
tsr *tsr_select_at(const char *where, tsr *const *conditions, tsr *const *x, size_t n,
                   tsr_arg otherwise)
{
	return apply_one(&of_select, where, (slot[]){{.at = conditions}, {.at = x},
	                                             {.whole = (int64_t)n}, {.at = &otherwise}});
}

static bool does_choose(const char *where, const slot *s, tsr **out)
{
	return !handle_is_poison(*out = lib_choose(where, s[0].handle, s[1].at, (size_t)s[2].whole,
	                                           (enum tsr_index_mode)s[3].whole));
}
static const function of_choose = {"choose", "hHni", NULL, does_choose};
tsr *tsr_choose_at(const char *where, tsr *i, tsr *const *x, size_t n, enum tsr_index_mode mode)
{
	return apply_one(&of_choose, where, (slot[]){{.handle = i}, {.at = x},
	                                             {.whole = (int64_t)n},
	                                             {.whole = (int64_t)mode}});
}
OF_HANDLE(gamma_function)
OF_HANDLE(gammasgn)
OF_HANDLE(log_gamma)
OF_HANDLE(factorial)
OF_OPERANDS(beta_function, 2, "2")
OF_OPERANDS(betaln, 2, "2")
OF_OPERANDS(comb, 2, "2")
OF_OPERANDS(poch, 2, "2")

static bool does_multigammaln(const char *where, const slot *s, tsr **out)
{
	return !handle_is_poison(*out = lib_multigammaln(where, s[0].handle, (int)s[1].whole));
}
static const function of_multigammaln = {"multigammaln", "hi", NULL, does_multigammaln};
tsr *tsr_multigammaln_at(const char *where, tsr *x, int d)
{
	return apply_one(&of_multigammaln, where, (slot[]){{.handle = x}, {.whole = (int64_t)d}});
}
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

static bool does_linear(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_linear_args, tsr_ctx_of(s[0].handle), 3)
	return !handle_is_poison(*out = lib_linear(where, s[0].handle, s[1].handle, s[2].handle,
	                                           keywords));
}
static const function of_linear = {"linear", "hhqk", &tsr_linear_args_keywords, does_linear};
tsr *tsr_linear_at(const char *where, tsr *x, tsr *kernel, tsr *bias, const tsr_linear_args *args)
{
	return apply_one(&of_linear, where, (slot[]){{.handle = x}, {.handle = kernel},
	                                             {.handle = bias}, {.at = args}});
}

static bool does_embed(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_linear_args, tsr_ctx_of(s[0].handle), 2)
	return !handle_is_poison(*out = lib_embed(where, s[0].handle, s[1].handle, keywords));
}
static const function of_embed = {"embed", "hhk", &tsr_linear_args_keywords, does_embed};
tsr *tsr_embed_at(const char *where, tsr *x, tsr *table, const tsr_linear_args *args)
{
	return apply_one(&of_embed, where, (slot[]){{.handle = x}, {.handle = table},
	                                            {.at = args}});
}

static bool does_conv(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_conv_layer_args, tsr_ctx_of(s[0].handle), 3)
	return !handle_is_poison(*out = lib_conv(where, s[0].handle, s[1].handle, s[2].handle,
	                                         keywords));
}
static const function of_conv = {"conv", "hhqk", &tsr_conv_layer_args_keywords, does_conv};
tsr *tsr_conv_at(const char *where, tsr *x, tsr *kernel, tsr *bias, const tsr_conv_layer_args *args)
{
	return apply_one(&of_conv, where, (slot[]){{.handle = x}, {.handle = kernel},
	                                           {.handle = bias}, {.at = args}});
}

static bool does_layer_norm(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_layer_norm_args, tsr_ctx_of(s[0].handle), 3)
	return !handle_is_poison(*out = lib_layer_norm(where, s[0].handle, s[1].handle, s[2].handle,
	                                               keywords));
}
static const function of_layer_norm = {"layer_norm", "hqqk", &tsr_layer_norm_args_keywords,
                                       does_layer_norm};
tsr *tsr_layer_norm_at(const char *where, tsr *x, tsr *scale, tsr *bias,
                       const tsr_layer_norm_args *args)
{
	return apply_one(&of_layer_norm, where, (slot[]){{.handle = x}, {.handle = scale},
	                                                 {.handle = bias}, {.at = args}});
}

static bool does_rms_norm(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_layer_norm_args, tsr_ctx_of(s[0].handle), 2)
	return !handle_is_poison(*out = lib_rms_norm(where, s[0].handle, s[1].handle, keywords));
}
static const function of_rms_norm = {"rms_norm", "hqk", &tsr_layer_norm_args_keywords,
                                     does_rms_norm};
tsr *tsr_rms_norm_at(const char *where, tsr *x, tsr *scale, const tsr_layer_norm_args *args)
{
	return apply_one(&of_rms_norm, where, (slot[]){{.handle = x}, {.handle = scale},
	                                               {.at = args}});
}

static bool does_group_norm(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_group_norm_args, tsr_ctx_of(s[0].handle), 4)
	return !handle_is_poison(*out = lib_group_norm(where, s[0].handle, s[1].whole, s[2].handle,
	                                               s[3].handle, keywords));
}
static const function of_group_norm = {"group_norm", "hiqqk", &tsr_group_norm_args_keywords,
                                       does_group_norm};
tsr *tsr_group_norm_at(const char *where, tsr *x, int64_t groups, tsr *scale, tsr *bias,
                       const tsr_group_norm_args *args)
{
	return apply_one(&of_group_norm, where, (slot[]){{.handle = x}, {.whole = groups},
	                                                 {.handle = scale}, {.handle = bias},
	                                                 {.at = args}});
}

static bool does_batch_norm(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_batch_norm_args, tsr_ctx_of(s[0].handle), 5)
	return !handle_is_poison(*out = lib_batch_norm(where, s[0].handle, s[1].handle, s[2].handle,
	                                               s[3].handle, s[4].handle, keywords));
}
static const function of_batch_norm = {"batch_norm", "hqqhhk", &tsr_batch_norm_args_keywords,
                                       does_batch_norm};
tsr *tsr_batch_norm_at(const char *where, tsr *x, tsr *scale, tsr *bias, tsr *mean, tsr *var,
                       const tsr_batch_norm_args *args)
{
	return apply_one(&of_batch_norm, where, (slot[]){{.handle = x}, {.handle = scale},
	                                                 {.handle = bias}, {.handle = mean},
	                                                 {.handle = var}, {.at = args}});
}

static bool does_dropout(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_dropout_args, tsr_ctx_of(s[1].handle), 3)
	return !handle_is_poison(*out = lib_dropout(where, s[0].handle, s[1].handle, s[2].real,
	                                            keywords));
}
static const function of_dropout = {"dropout", "qhfk", &tsr_dropout_args_keywords, does_dropout};
tsr *tsr_dropout_at(const char *where, tsr *key, tsr *x, double rate, const tsr_dropout_args *args)
{
	return apply_one(&of_dropout, where, (slot[]){{.handle = key}, {.handle = x},
	                                              {.real = rate}, {.at = args}});
}

static bool does_rnn_cell(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_rnn_cell_args, tsr_ctx_of(s[0].handle), 5)
	return !handle_is_poison(*out = lib_rnn_cell(where, s[0].handle, s[1].handle, s[2].handle,
	                                             s[3].handle, s[4].handle, keywords));
}
static const function of_rnn_cell = {"rnn_cell", "hhhhqk", &tsr_rnn_cell_args_keywords,
                                     does_rnn_cell};
tsr *tsr_rnn_cell_at(const char *where, tsr *h, tsr *x, tsr *kernel, tsr *recurrent, tsr *bias,
                     const tsr_rnn_cell_args *args)
{
	return apply_one(&of_rnn_cell, where, (slot[]){{.handle = h}, {.handle = x},
	                                               {.handle = kernel}, {.handle = recurrent},
	                                               {.handle = bias}, {.at = args}});
}

static bool does_lstm_cell(const char *where, const slot *s, tsr **out)
{
	READ(tsr_lstm_cell_args, tsr_ctx_of(s[0].handle), 6)
	return lib_lstm_cell(where, s[0].handle, s[1].handle, s[2].handle, s[3].handle, s[4].handle,
	                     s[5].handle, out, keywords);
}
static const function of_lstm_cell = {"lstm_cell", "hhhhhqk", &tsr_lstm_cell_args_keywords,
                                      does_lstm_cell};
bool tsr_lstm_cell_at(const char *where, tsr *c, tsr *h, tsr *x, tsr *kernel, tsr *recurrent,
                      tsr *bias, tsr *out[2], const tsr_lstm_cell_args *args)
{
	return apply(&of_lstm_cell, where, (slot[]){{.handle = c}, {.handle = h}, {.handle = x},
	                                            {.handle = kernel}, {.handle = recurrent},
	                                            {.handle = bias}, {.at = args}}, out, 2);
}

static bool does_gru_cell(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_gru_cell_args, tsr_ctx_of(s[0].handle), 5)
	return !handle_is_poison(*out = lib_gru_cell(where, s[0].handle, s[1].handle, s[2].handle,
	                                             s[3].handle, s[4].handle, keywords));
}
static const function of_gru_cell = {"gru_cell", "hhhhqk", &tsr_gru_cell_args_keywords,
                                     does_gru_cell};
tsr *tsr_gru_cell_at(const char *where, tsr *h, tsr *x, tsr *kernel, tsr *recurrent, tsr *bias,
                     const tsr_gru_cell_args *args)
{
	return apply_one(&of_gru_cell, where, (slot[]){{.handle = h}, {.handle = x},
	                                               {.handle = kernel}, {.handle = recurrent},
	                                               {.handle = bias}, {.at = args}});
}

static bool does_cholesky(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_cholesky_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_cholesky(where, s[0].handle, keywords));
}
static const function of_cholesky = {"cholesky", "hk", &tsr_cholesky_args_keywords, does_cholesky};
tsr *tsr_cholesky_at(const char *where, tsr *a, const tsr_cholesky_args *args)
{
	return apply_one(&of_cholesky, where, (slot[]){{.handle = a}, {.at = args}});
}

static bool does_triangular_solve(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_triangular_solve_args, tsr_ctx_of(s[0].handle), 2)
	return !handle_is_poison(*out = lib_triangular_solve(where, s[0].handle, s[1].handle,
	                                                     keywords));
}
static const function of_triangular_solve = {"triangular_solve", "hhk",
                                             &tsr_triangular_solve_args_keywords,
                                             does_triangular_solve};
tsr *tsr_triangular_solve_at(const char *where, tsr *a, tsr *b,
                             const tsr_triangular_solve_args *args)
{
	return apply_one(&of_triangular_solve, where, (slot[]){{.handle = a}, {.handle = b},
	                                                       {.at = args}});
}

static bool does_solve_triangular(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_solve_triangular_args, tsr_ctx_of(s[0].handle), 2)
	return !handle_is_poison(*out = lib_solve_triangular(where, s[0].handle, s[1].handle,
	                                                     keywords));
}
static const function of_solve_triangular = {"solve_triangular", "hhk",
                                             &tsr_solve_triangular_args_keywords,
                                             does_solve_triangular};
tsr *tsr_solve_triangular_at(const char *where, tsr *a, tsr *b,
                             const tsr_solve_triangular_args *args)
{
	return apply_one(&of_solve_triangular, where, (slot[]){{.handle = a}, {.handle = b},
	                                                       {.at = args}});
}

static bool does_cho_solve(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_cho_solve_args, tsr_ctx_of(s[0].handle), 2)
	return !handle_is_poison(*out = lib_cho_solve(where, s[0].handle, s[1].handle, keywords));
}
static const function of_cho_solve = {"cho_solve", "hhk", &tsr_cho_solve_args_keywords,
                                      does_cho_solve};
tsr *tsr_cho_solve_at(const char *where, tsr *factor, tsr *b, const tsr_cho_solve_args *args)
{
	return apply_one(&of_cho_solve, where, (slot[]){{.handle = factor}, {.handle = b},
	                                                {.at = args}});
}

static bool does_lu(const char *where, const slot *s, tsr **out)
{
	return lib_lu(where, s[0].handle, out);
}
static const function of_lu = {"lu", "h", NULL, does_lu};
bool tsr_lu_at(const char *where, tsr *a, tsr *out[3])
{
	return apply(&of_lu, where, (slot[]){{.handle = a}}, out, 3);
}

static bool does_qr(const char *where, const slot *s, tsr **out)
{
	READ(tsr_qr_args, tsr_ctx_of(s[0].handle), 1)
	return lib_qr(where, s[0].handle, out, keywords);
}
static const function of_qr = {"qr", "hk", &tsr_qr_args_keywords, does_qr};
bool tsr_qr_at(const char *where, tsr *a, tsr *out[2], const tsr_qr_args *args)
{
	return apply(&of_qr, where, (slot[]){{.handle = a}, {.at = args}}, out, 2);
}

static bool does_eigh(const char *where, const slot *s, tsr **out)
{
	READ(tsr_eigh_args, tsr_ctx_of(s[0].handle), 1)
	return lib_eigh(where, s[0].handle, out, keywords);
}
static const function of_eigh = {"eigh", "hk", &tsr_eigh_args_keywords, does_eigh};
bool tsr_eigh_at(const char *where, tsr *a, tsr *out[2], const tsr_eigh_args *args)
{
	return apply(&of_eigh, where, (slot[]){{.handle = a}, {.at = args}}, out, 2);
}

static bool does_eigvalsh(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_eigh_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_eigvalsh(where, s[0].handle, keywords));
}
static const function of_eigvalsh = {"eigvalsh", "hk", &tsr_eigh_args_keywords, does_eigvalsh};
tsr *tsr_eigvalsh_at(const char *where, tsr *a, const tsr_eigh_args *args)
{
	return apply_one(&of_eigvalsh, where, (slot[]){{.handle = a}, {.at = args}});
}

static bool does_svd(const char *where, const slot *s, tsr **out)
{
	READ(tsr_svd_args, tsr_ctx_of(s[0].handle), 1)
	return lib_svd(where, s[0].handle, out, keywords);
}
static const function of_svd = {"svd", "hk", &tsr_svd_args_keywords, does_svd};
bool tsr_svd_at(const char *where, tsr *a, tsr *out[3], const tsr_svd_args *args)
{
	return apply(&of_svd, where, (slot[]){{.handle = a}, {.at = args}}, out, 3);
}
OF_HANDLE(svdvals)

static bool does_polar(const char *where, const slot *s, tsr **out)
{
	return lib_polar(where, s[0].handle, out);
}
static const function of_polar = {"polar", "h", NULL, does_polar};
bool tsr_polar_at(const char *where, tsr *a, tsr *out[2])
{
	return apply(&of_polar, where, (slot[]){{.handle = a}}, out, 2);
}

static bool does_eig(const char *where, const slot *s, tsr **out)
{
	READ(tsr_eig_args, tsr_ctx_of(s[0].handle), 1)
	return lib_eig(where, s[0].handle, out, keywords);
}
static const function of_eig = {"eig", "hk", &tsr_eig_args_keywords, does_eig};
bool tsr_eig_at(const char *where, tsr *a, tsr *out[3], const tsr_eig_args *args)
{
	return apply(&of_eig, where, (slot[]){{.handle = a}, {.at = args}}, out, 3);
}
OF_HANDLE(eigvals)

static bool does_schur(const char *where, const slot *s, tsr **out)
{
	return lib_schur(where, s[0].handle, out);
}
static const function of_schur = {"schur", "h", NULL, does_schur};
bool tsr_schur_at(const char *where, tsr *a, tsr *out[2])
{
	return apply(&of_schur, where, (slot[]){{.handle = a}}, out, 2);
}

static bool does_hessenberg(const char *where, const slot *s, tsr **out)
{
	return lib_hessenberg(where, s[0].handle, out);
}
static const function of_hessenberg = {"hessenberg", "h", NULL, does_hessenberg};
bool tsr_hessenberg_at(const char *where, tsr *a, tsr *out[2])
{
	return apply(&of_hessenberg, where, (slot[]){{.handle = a}}, out, 2);
}

static bool does_tridiagonal(const char *where, const slot *s, tsr **out)
{
	READ(tsr_tridiagonal_args, tsr_ctx_of(s[0].handle), 1)
	return lib_tridiagonal(where, s[0].handle, out, keywords);
}
static const function of_tridiagonal = {"tridiagonal", "hk", &tsr_tridiagonal_args_keywords,
                                        does_tridiagonal};
bool tsr_tridiagonal_at(const char *where, tsr *a, tsr *out[4], const tsr_tridiagonal_args *args)
{
	return apply(&of_tridiagonal, where, (slot[]){{.handle = a}, {.at = args}}, out, 4);
}

static bool does_solve(const char *where, const slot *s, tsr **out)
{
	return !handle_is_poison(*out = lib_solve(where, s[0].handle, s[1].handle));
}
static const function of_solve = {"solve", "hh", NULL, does_solve};
tsr *tsr_solve_at(const char *where, tsr *a, tsr *b)
{
	return apply_one(&of_solve, where, (slot[]){{.handle = a}, {.handle = b}});
}
OF_HANDLE(inv)
OF_HANDLE(det)

static bool does_slogdet(const char *where, const slot *s, tsr **out)
{
	return lib_slogdet(where, s[0].handle, out);
}
static const function of_slogdet = {"slogdet", "h", NULL, does_slogdet};
bool tsr_slogdet_at(const char *where, tsr *a, tsr *out[2])
{
	return apply(&of_slogdet, where, (slot[]){{.handle = a}}, out, 2);
}

static bool does_matrix_rank(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_rank_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_matrix_rank(where, s[0].handle, keywords));
}
static const function of_matrix_rank = {"matrix_rank", "hk", &tsr_rank_args_keywords,
                                        does_matrix_rank};
tsr *tsr_matrix_rank_at(const char *where, tsr *a, const tsr_rank_args *args)
{
	return apply_one(&of_matrix_rank, where, (slot[]){{.handle = a}, {.at = args}});
}

static bool does_pinv(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_rank_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_pinv(where, s[0].handle, keywords));
}
static const function of_pinv = {"pinv", "hk", &tsr_rank_args_keywords, does_pinv};
tsr *tsr_pinv_at(const char *where, tsr *a, const tsr_rank_args *args)
{
	return apply_one(&of_pinv, where, (slot[]){{.handle = a}, {.at = args}});
}

static bool does_lstsq(const char *where, const slot *s, tsr **out)
{
	READ(tsr_rank_args, tsr_ctx_of(s[0].handle), 2)
	return lib_lstsq(where, s[0].handle, s[1].handle, out, keywords);
}
static const function of_lstsq = {"lstsq", "hhk", &tsr_rank_args_keywords, does_lstsq};
bool tsr_lstsq_at(const char *where, tsr *a, tsr *b, tsr *out[4], const tsr_rank_args *args)
{
	return apply(&of_lstsq, where, (slot[]){{.handle = a}, {.handle = b},
	                                        {.at = args}}, out, 4);
}

static bool does_householder_product(const char *where, const slot *s, tsr **out)
{
	return !handle_is_poison(*out = lib_householder_product(where, s[0].handle, s[1].handle));
}
static const function of_householder_product = {"householder_product", "hh", NULL,
                                                does_householder_product};
tsr *tsr_householder_product_at(const char *where, tsr *a, tsr *taus)
{
	return apply_one(&of_householder_product, where, (slot[]){{.handle = a}, {.handle = taus}});
}

static bool does_ormqr(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_ormqr_args, tsr_ctx_of(s[0].handle), 3)
	return !handle_is_poison(*out = lib_ormqr(where, s[0].handle, s[1].handle, s[2].handle,
	                                          keywords));
}
static const function of_ormqr = {"ormqr", "hhhk", &tsr_ormqr_args_keywords, does_ormqr};
tsr *tsr_ormqr_at(const char *where, tsr *a, tsr *taus, tsr *c, const tsr_ormqr_args *args)
{
	return apply_one(&of_ormqr, where, (slot[]){{.handle = a}, {.handle = taus}, {.handle = c},
	                                            {.at = args}});
}

static bool does_tridiagonal_solve(const char *where, const slot *s, tsr **out)
{
	return !handle_is_poison(*out = lib_tridiagonal_solve(where, s[0].handle, s[1].handle,
	                                                      s[2].handle, s[3].handle));
}
static const function of_tridiagonal_solve = {"tridiagonal_solve", "hhhh", NULL,
                                              does_tridiagonal_solve};
tsr *tsr_tridiagonal_solve_at(const char *where, tsr *dl, tsr *d, tsr *du, tsr *b)
{
	return apply_one(&of_tridiagonal_solve, where, (slot[]){{.handle = dl}, {.handle = d},
	                                                        {.handle = du}, {.handle = b}});
}

static bool does_cholesky_update(const char *where, const slot *s, tsr **out)
{
	return !handle_is_poison(*out = lib_cholesky_update(where, s[0].handle, s[1].handle));
}
static const function of_cholesky_update = {"cholesky_update", "hh", NULL, does_cholesky_update};
tsr *tsr_cholesky_update_at(const char *where, tsr *r, tsr *w)
{
	return apply_one(&of_cholesky_update, where, (slot[]){{.handle = r}, {.handle = w}});
}

static bool does_symmetric_product(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_symmetric_product_args, tsr_ctx_of(s[0].handle), 2)
	return !handle_is_poison(*out = lib_symmetric_product(where, s[0].handle, s[1].handle,
	                                                      keywords));
}
static const function of_symmetric_product = {"symmetric_product", "hhk",
                                              &tsr_symmetric_product_args_keywords,
                                              does_symmetric_product};
tsr *tsr_symmetric_product_at(const char *where, tsr *a, tsr *c,
                              const tsr_symmetric_product_args *args)
{
	return apply_one(&of_symmetric_product, where, (slot[]){{.handle = a}, {.handle = c},
	                                                        {.at = args}});
}

static bool does_tensorsolve(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_tensorsolve_args, tsr_ctx_of(s[0].handle), 2)
	return !handle_is_poison(*out = lib_tensorsolve(where, s[0].handle, s[1].handle, keywords));
}
static const function of_tensorsolve = {"tensorsolve", "hhk", &tsr_tensorsolve_args_keywords,
                                        does_tensorsolve};
tsr *tsr_tensorsolve_at(const char *where, tsr *a, tsr *b, const tsr_tensorsolve_args *args)
{
	return apply_one(&of_tensorsolve, where, (slot[]){{.handle = a}, {.handle = b},
	                                                  {.at = args}});
}

static bool does_tensorinv(const char *where, const slot *s, tsr **out)
{
	return !handle_is_poison(*out = lib_tensorinv(where, s[0].handle, (int)s[1].whole));
}
static const function of_tensorinv = {"tensorinv", "hi", NULL, does_tensorinv};
tsr *tsr_tensorinv_at(const char *where, tsr *a, int ind)
{
	return apply_one(&of_tensorinv, where, (slot[]){{.handle = a}, {.whole = (int64_t)ind}});
}

static bool does_multi_dot(const char *where, const slot *s, tsr **out)
{
	return !handle_is_poison(*out = lib_multi_dot(where, s[0].at, (size_t)s[1].whole));
}
static const function of_multi_dot = {"multi_dot", "Hn", NULL, does_multi_dot};
tsr *tsr_multi_dot_at(const char *where, tsr *const *x, size_t n)
{
	return apply_one(&of_multi_dot, where, (slot[]){{.at = x}, {.whole = (int64_t)n}});
}
OF_HANDLE(expm)

static bool does_matrix_power(const char *where, const slot *s, tsr **out)
{
	return !handle_is_poison(*out = lib_matrix_power(where, s[0].handle, (int)s[1].whole));
}
static const function of_matrix_power = {"matrix_power", "hi", NULL, does_matrix_power};
tsr *tsr_matrix_power_at(const char *where, tsr *a, int n)
{
	return apply_one(&of_matrix_power, where, (slot[]){{.handle = a}, {.whole = (int64_t)n}});
}
OF_HANDLE(matrix_transpose)

static bool does_vector_norm(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_norm_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_vector_norm(where, s[0].handle, keywords));
}
static const function of_vector_norm = {"vector_norm", "hk", &tsr_norm_args_keywords,
                                        does_vector_norm};
tsr *tsr_vector_norm_at(const char *where, tsr *x, const tsr_norm_args *args)
{
	return apply_one(&of_vector_norm, where, (slot[]){{.handle = x}, {.at = args}});
}

static bool does_matrix_norm(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_matrix_norm_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_matrix_norm(where, s[0].handle, keywords));
}
static const function of_matrix_norm = {"matrix_norm", "hk", &tsr_matrix_norm_args_keywords,
                                        does_matrix_norm};
tsr *tsr_matrix_norm_at(const char *where, tsr *x, const tsr_matrix_norm_args *args)
{
	return apply_one(&of_matrix_norm, where, (slot[]){{.handle = x}, {.at = args}});
}

static bool does_norm(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_norm_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_norm(where, s[0].handle, keywords));
}
static const function of_norm = {"norm", "hk", &tsr_norm_args_keywords, does_norm};
tsr *tsr_norm_at(const char *where, tsr *x, const tsr_norm_args *args)
{
	return apply_one(&of_norm, where, (slot[]){{.handle = x}, {.at = args}});
}

static bool does_cond_number(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_cond_number_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_cond_number(where, s[0].handle, keywords));
}
static const function of_cond_number = {"cond_number", "hk", &tsr_cond_number_args_keywords,
                                        does_cond_number};
tsr *tsr_cond_number_at(const char *where, tsr *a, const tsr_cond_number_args *args)
{
	return apply_one(&of_cond_number, where, (slot[]){{.handle = a}, {.at = args}});
}

static bool does_softmax_cross_entropy(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_classes_args, tsr_ctx_of(s[0].handle), 2)
	return !handle_is_poison(*out = lib_softmax_cross_entropy(where, s[0].handle, s[1].handle,
	                                                          keywords));
}
static const function of_softmax_cross_entropy = {"softmax_cross_entropy", "hhk",
                                                  &tsr_classes_args_keywords,
                                                  does_softmax_cross_entropy};
tsr *tsr_softmax_cross_entropy_at(const char *where, tsr *logits, tsr *labels,
                                  const tsr_classes_args *args)
{
	return apply_one(&of_softmax_cross_entropy, where, (slot[]){{.handle = logits},
	                                                            {.handle = labels},
	                                                            {.at = args}});
}

static bool does_softmax_cross_entropy_with_integer_labels(const char *where, const slot *s,
                                                           tsr **out)
{
	READ_OF_ONE(tsr_classes_args, tsr_ctx_of(s[0].handle), 2)
	return !handle_is_poison(*out = lib_softmax_cross_entropy_with_integer_labels(where,
	                                                                              s[0].handle,
	                                                                              s[1].handle,
	                                                                              keywords));
}
static const function of_softmax_cross_entropy_with_integer_labels = {
	"softmax_cross_entropy_with_integer_labels", "hhk", &tsr_classes_args_keywords,
	does_softmax_cross_entropy_with_integer_labels};
tsr *tsr_softmax_cross_entropy_with_integer_labels_at(const char *where, tsr *logits, tsr *labels,
                                                      const tsr_classes_args *args)
{
	return apply_one(&of_softmax_cross_entropy_with_integer_labels, where, (slot[]){
		{.handle = logits}, {.handle = labels}, {.at = args}});
}

static bool does_sigmoid_binary_cross_entropy(const char *where, const slot *s, tsr **out)
{
	return !handle_is_poison(*out = lib_sigmoid_binary_cross_entropy(where, s[0].handle,
	                                                                 s[1].handle));
}
static const function of_sigmoid_binary_cross_entropy = {"sigmoid_binary_cross_entropy", "hh", NULL,
                                                         does_sigmoid_binary_cross_entropy};
tsr *tsr_sigmoid_binary_cross_entropy_at(const char *where, tsr *logits, tsr *labels)
{
	return apply_one(&of_sigmoid_binary_cross_entropy, where, (slot[]){{.handle = logits},
	                                                                   {.handle = labels}});
}

static bool does_squared_error(const char *where, const slot *s, tsr **out)
{
	return !handle_is_poison(*out = lib_squared_error(where, s[0].handle, s[1].handle));
}
static const function of_squared_error = {"squared_error", "hq", NULL, does_squared_error};
tsr *tsr_squared_error_at(const char *where, tsr *predictions, tsr *targets)
{
	return apply_one(&of_squared_error, where, (slot[]){{.handle = predictions},
	                                                    {.handle = targets}});
}

static bool does_l2_loss(const char *where, const slot *s, tsr **out)
{
	return !handle_is_poison(*out = lib_l2_loss(where, s[0].handle, s[1].handle));
}
static const function of_l2_loss = {"l2_loss", "hq", NULL, does_l2_loss};
tsr *tsr_l2_loss_at(const char *where, tsr *predictions, tsr *targets)
{
	return apply_one(&of_l2_loss, where, (slot[]){{.handle = predictions},
	                                              {.handle = targets}});
}

static bool does_huber_loss(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_huber_args, tsr_ctx_of(s[0].handle), 2)
	return !handle_is_poison(*out = lib_huber_loss(where, s[0].handle, s[1].handle, keywords));
}
static const function of_huber_loss = {"huber_loss", "hqk", &tsr_huber_args_keywords,
                                       does_huber_loss};
tsr *tsr_huber_loss_at(const char *where, tsr *predictions, tsr *targets,
                       const tsr_huber_args *args)
{
	return apply_one(&of_huber_loss, where, (slot[]){{.handle = predictions},
	                                                 {.handle = targets}, {.at = args}});
}

static bool does_smooth_labels(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_classes_args, tsr_ctx_of(s[0].handle), 2)
	return !handle_is_poison(*out = lib_smooth_labels(where, s[0].handle,
	                                                  *(const tsr_arg *)s[1].at, keywords));
}
static const function of_smooth_labels = {"smooth_labels", "hok", &tsr_classes_args_keywords,
                                          does_smooth_labels};
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

static bool does_gelu(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_gelu_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_gelu(where, s[0].handle, keywords));
}
static const function of_gelu = {"gelu", "hk", &tsr_gelu_args_keywords, does_gelu};
tsr *tsr_gelu_at(const char *where, tsr *x, const tsr_gelu_args *args)
{
	return apply_one(&of_gelu, where, (slot[]){{.handle = x}, {.at = args}});
}

static bool does_glu(const char *where, const slot *s, tsr **out)
{
	return !handle_is_poison(*out = lib_glu(where, s[0].handle, (int)s[1].whole));
}
static const function of_glu = {"glu", "hi", NULL, does_glu};
tsr *tsr_glu_at(const char *where, tsr *x, int dim)
{
	return apply_one(&of_glu, where, (slot[]){{.handle = x}, {.whole = (int64_t)dim}});
}

static bool does_softmax(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_softmax_args, tsr_ctx_of(s[0].handle), 2)
	return !handle_is_poison(*out = lib_softmax(where, s[0].handle, (int)s[1].whole, keywords));
}
static const function of_softmax = {"softmax", "hik", &tsr_softmax_args_keywords, does_softmax};
tsr *tsr_softmax_at(const char *where, tsr *x, int dim, const tsr_softmax_args *args)
{
	return apply_one(&of_softmax, where, (slot[]){{.handle = x}, {.whole = (int64_t)dim},
	                                              {.at = args}});
}

static bool does_log_softmax(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_softmax_args, tsr_ctx_of(s[0].handle), 2)
	return !handle_is_poison(*out = lib_log_softmax(where, s[0].handle, (int)s[1].whole,
	                                                keywords));
}
static const function of_log_softmax = {"log_softmax", "hik", &tsr_softmax_args_keywords,
                                        does_log_softmax};
tsr *tsr_log_softmax_at(const char *where, tsr *x, int dim, const tsr_softmax_args *args)
{
	return apply_one(&of_log_softmax, where, (slot[]){{.handle = x}, {.whole = (int64_t)dim},
	                                                  {.at = args}});
}

static bool does_logmeanexp(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_logmeanexp_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_logmeanexp(where, s[0].handle, keywords));
}
static const function of_logmeanexp = {"logmeanexp", "hk", &tsr_logmeanexp_args_keywords,
                                       does_logmeanexp};
tsr *tsr_logmeanexp_at(const char *where, tsr *x, const tsr_logmeanexp_args *args)
{
	return apply_one(&of_logmeanexp, where, (slot[]){{.handle = x}, {.at = args}});
}

static bool does_standardize(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_standardize_args, tsr_ctx_of(s[0].handle), 3)
	return !handle_is_poison(*out = lib_standardize(where, s[0].handle, (int)s[1].whole,
	                                                s[2].real, keywords));
}
static const function of_standardize = {"standardize", "hifk", &tsr_standardize_args_keywords,
                                        does_standardize};
tsr *tsr_standardize_at(const char *where, tsr *x, int dim, double epsilon,
                        const tsr_standardize_args *args)
{
	return apply_one(&of_standardize, where, (slot[]){{.handle = x}, {.whole = (int64_t)dim},
	                                                  {.real = epsilon}, {.at = args}});
}

static bool does_one_hot(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_one_hot_args, tsr_ctx_of(s[0].handle), 2)
	return !handle_is_poison(*out = lib_one_hot(where, s[0].handle, s[1].whole, keywords));
}
static const function of_one_hot = {"one_hot", "hik", &tsr_one_hot_args_keywords, does_one_hot};
tsr *tsr_one_hot_at(const char *where, tsr *x, int64_t n, const tsr_one_hot_args *args)
{
	return apply_one(&of_one_hot, where, (slot[]){{.handle = x}, {.whole = n}, {.at = args}});
}

static bool does_dot_product_attention(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_attention_args, tsr_ctx_of(s[0].handle), 3)
	return !handle_is_poison(*out = lib_dot_product_attention(where, s[0].handle, s[1].handle,
	                                                          s[2].handle, keywords));
}
static const function of_dot_product_attention = {"dot_product_attention", "hhhk",
                                                  &tsr_attention_args_keywords,
                                                  does_dot_product_attention};
tsr *tsr_dot_product_attention_at(const char *where, tsr *query, tsr *key, tsr *value,
                                  const tsr_attention_args *args)
{
	return apply_one(&of_dot_product_attention, where, (slot[]){{.handle = query},
	                                                            {.handle = key},
	                                                            {.handle = value},
	                                                            {.at = args}});
}

static bool does_rotary(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_rotary_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_rotary(where, s[0].handle, keywords));
}
static const function of_rotary = {"rotary", "hk", &tsr_rotary_args_keywords, does_rotary};
tsr *tsr_rotary_at(const char *where, tsr *x, const tsr_rotary_args *args)
{
	return apply_one(&of_rotary, where, (slot[]){{.handle = x}, {.at = args}});
}

static bool does_multi_head_attention(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_multi_head_args, tsr_ctx_of(s[0].handle), 5)
	return !handle_is_poison(*out = lib_multi_head_attention(where, s[0].handle, s[1].handle,
	                                                         s[2].handle, s[3].handle,
	                                                         s[4].handle, keywords));
}
static const function of_multi_head_attention = {"multi_head_attention", "hhhhhk",
                                                 &tsr_multi_head_args_keywords,
                                                 does_multi_head_attention};
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

static bool does_round(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_round_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_round(where, s[0].handle, keywords));
}
static const function of_round = {"round", "hk", &tsr_round_args_keywords, does_round};
tsr *tsr_round_at(const char *where, tsr *x, const tsr_round_args *args)
{
	return apply_one(&of_round, where, (slot[]){{.handle = x}, {.at = args}});
}
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

static bool does_reduce_precision(const char *where, const slot *s, tsr **out)
{
	return !handle_is_poison(*out = lib_reduce_precision(where, s[0].handle, (int)s[1].whole,
	                                                     (int)s[2].whole));
}
static const function of_reduce_precision = {"reduce_precision", "hii", NULL,
                                             does_reduce_precision};
tsr *tsr_reduce_precision_at(const char *where, tsr *x, int exponent_bits, int mantissa_bits)
{
	return apply_one(&of_reduce_precision, where, (slot[]){{.handle = x},
	                                                       {.whole = (int64_t)exponent_bits},
	                                                       {.whole = (int64_t)mantissa_bits}});
}

static bool does_bitcast_convert_type(const char *where, const slot *s, tsr **out)
{
	return !handle_is_poison(*out = lib_bitcast_convert_type(where, s[0].handle,
	                                                         (tsr_dtype)s[1].whole));
}
static const function of_bitcast_convert_type = {"bitcast_convert_type", "hi", NULL,
                                                 does_bitcast_convert_type};
tsr *tsr_bitcast_convert_type_at(const char *where, tsr *x, tsr_dtype dtype)
{
	return apply_one(&of_bitcast_convert_type, where, (slot[]){{.handle = x},
	                                                           {.whole = (int64_t)dtype}});
}
OF_HANDLE(logical_not)
OF_HANDLE(relu)
OF_HANDLE(copy)
OF_HANDLE(stop_gradient)
OF_HANDLE(t)
OF_HANDLE(ravel)

static bool does_integer_pow(const char *where, const slot *s, tsr **out)
{
	return !handle_is_poison(*out = lib_integer_pow(where, s[0].handle, (int)s[1].whole));
}
static const function of_integer_pow = {"integer_pow", "hi", NULL, does_integer_pow};
tsr *tsr_integer_pow_at(const char *where, tsr *x, int n)
{
	return apply_one(&of_integer_pow, where, (slot[]){{.handle = x}, {.whole = (int64_t)n}});
}

static bool does_astype(const char *where, const slot *s, tsr **out)
{
	return !handle_is_poison(*out = lib_astype(where, s[0].handle, (tsr_dtype)s[1].whole));
}
static const function of_astype = {"astype", "hi", NULL, does_astype};
tsr *tsr_astype_at(const char *where, tsr *x, tsr_dtype dtype)
{
	return apply_one(&of_astype, where, (slot[]){{.handle = x}, {.whole = (int64_t)dtype}});
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

static bool does_clamp(const char *where, const slot *s, tsr **out)
{
	return !handle_is_poison(*out = lib_clamp(where, *(const tsr_arg *)s[0].at,
	                                          *(const tsr_arg *)s[1].at,
	                                          *(const tsr_arg *)s[2].at));
}
static const function of_clamp = {"clamp", "ooo", NULL, does_clamp};
tsr *tsr_clamp_at(const char *where, tsr_arg low, tsr_arg x, tsr_arg high)
{
	return apply_one(&of_clamp, where, (slot[]){{.at = &low}, {.at = &x}, {.at = &high}});
}

static bool does_dot(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_product_args, tsr_ctx_of(s[0].handle), 2)
	return !handle_is_poison(*out = lib_dot(where, s[0].handle, s[1].handle, keywords));
}
static const function of_dot = {"dot", "hhk", &tsr_product_args_keywords, does_dot};
tsr *tsr_dot_at(const char *where, tsr *a, tsr *b, const tsr_product_args *args)
{
	return apply_one(&of_dot, where, (slot[]){{.handle = a}, {.handle = b}, {.at = args}});
}

static bool does_matmul(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_product_args, tsr_ctx_of(s[0].handle), 2)
	return !handle_is_poison(*out = lib_matmul(where, s[0].handle, s[1].handle, keywords));
}
static const function of_matmul = {"matmul", "hhk", &tsr_product_args_keywords, does_matmul};
tsr *tsr_matmul_at(const char *where, tsr *a, tsr *b, const tsr_product_args *args)
{
	return apply_one(&of_matmul, where, (slot[]){{.handle = a}, {.handle = b}, {.at = args}});
}

static bool does_dot_general(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_dot_args, tsr_ctx_of(s[0].handle), 2)
	return !handle_is_poison(*out = lib_dot_general(where, s[0].handle, s[1].handle, keywords));
}
static const function of_dot_general = {"dot_general", "hhk", &tsr_dot_args_keywords,
                                        does_dot_general};
tsr *tsr_dot_general_at(const char *where, tsr *a, tsr *b, const tsr_dot_args *args)
{
	return apply_one(&of_dot_general, where, (slot[]){{.handle = a}, {.handle = b},
	                                                  {.at = args}});
}

static bool does_reshape(const char *where, const slot *s, tsr **out)
{
	return !handle_is_poison(*out = lib_reshape(where, s[0].handle,
	                                            *(const tsr_dims *)s[1].at));
}
static const function of_reshape = {"reshape", "hd", NULL, does_reshape};
tsr *tsr_reshape_at(const char *where, tsr *x, tsr_dims dims)
{
	return apply_one(&of_reshape, where, (slot[]){{.handle = x}, {.at = &dims}});
}

static bool does_transpose(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_transpose_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_transpose(where, s[0].handle, keywords));
}
static const function of_transpose = {"transpose", "hk", &tsr_transpose_args_keywords,
                                      does_transpose};
tsr *tsr_transpose_at(const char *where, tsr *x, const tsr_transpose_args *args)
{
	return apply_one(&of_transpose, where, (slot[]){{.handle = x}, {.at = args}});
}

static bool does_broadcast_to(const char *where, const slot *s, tsr **out)
{
	return !handle_is_poison(*out = lib_broadcast_to(where, s[0].handle,
	                                                 *(const tsr_dims *)s[1].at));
}
static const function of_broadcast_to = {"broadcast_to", "hd", NULL, does_broadcast_to};
tsr *tsr_broadcast_to_at(const char *where, tsr *x, tsr_dims dims)
{
	return apply_one(&of_broadcast_to, where, (slot[]){{.handle = x}, {.at = &dims}});
}

static bool does_broadcast_in_dim(const char *where, const slot *s, tsr **out)
{
	return !handle_is_poison(*out = lib_broadcast_in_dim(where, s[0].handle,
	                                                     *(const tsr_dims *)s[1].at,
	                                                     *(const tsr_dims *)s[2].at));
}
static const function of_broadcast_in_dim = {"broadcast_in_dim", "hdd", NULL,
                                             does_broadcast_in_dim};
tsr *tsr_broadcast_in_dim_at(const char *where, tsr *x, tsr_dims dims, tsr_dims at)
{
	return apply_one(&of_broadcast_in_dim, where, (slot[]){{.handle = x}, {.at = &dims},
	                                                       {.at = &at}});
}

static bool does_squeeze(const char *where, const slot *s, tsr **out)
{
	return !handle_is_poison(*out = lib_squeeze(where, s[0].handle,
	                                            *(const tsr_dims *)s[1].at));
}
static const function of_squeeze = {"squeeze", "hd", NULL, does_squeeze};
tsr *tsr_squeeze_at(const char *where, tsr *x, tsr_dims dims)
{
	return apply_one(&of_squeeze, where, (slot[]){{.handle = x}, {.at = &dims}});
}

static bool does_expand_dims(const char *where, const slot *s, tsr **out)
{
	return !handle_is_poison(*out = lib_expand_dims(where, s[0].handle,
	                                                *(const tsr_dims *)s[1].at));
}
static const function of_expand_dims = {"expand_dims", "hd", NULL, does_expand_dims};
tsr *tsr_expand_dims_at(const char *where, tsr *x, tsr_dims dims)
{
	return apply_one(&of_expand_dims, where, (slot[]){{.handle = x}, {.at = &dims}});
}

static bool does_flip(const char *where, const slot *s, tsr **out)
{
	return !handle_is_poison(*out = lib_flip(where, s[0].handle, *(const tsr_dims *)s[1].at));
}
static const function of_flip = {"flip", "hd", NULL, does_flip};
tsr *tsr_flip_at(const char *where, tsr *x, tsr_dims dims)
{
	return apply_one(&of_flip, where, (slot[]){{.handle = x}, {.at = &dims}});
}

static bool does_concatenate(const char *where, const slot *s, tsr **out)
{
	return !handle_is_poison(*out = lib_concatenate(where, (int)s[0].whole, s[1].at,
	                                                (size_t)s[2].whole));
}
static const function of_concatenate = {"concatenate", "iHn", NULL, does_concatenate};
tsr *tsr_concatenate_at(const char *where, int dim, tsr *const *x, size_t n)
{
	return apply_one(&of_concatenate, where, (slot[]){{.whole = (int64_t)dim}, {.at = x},
	                                                  {.whole = (int64_t)n}});
}

static bool does_stack(const char *where, const slot *s, tsr **out)
{
	return !handle_is_poison(*out = lib_stack(where, (int)s[0].whole, s[1].at,
	                                          (size_t)s[2].whole));
}
static const function of_stack = {"stack", "iHn", NULL, does_stack};
tsr *tsr_stack_at(const char *where, int dim, tsr *const *x, size_t n)
{
	return apply_one(&of_stack, where, (slot[]){{.whole = (int64_t)dim}, {.at = x},
	                                            {.whole = (int64_t)n}});
}

static bool does_split(const char *where, const slot *s, tsr **out)
{
	READ(tsr_split_args, tsr_ctx_of(s[0].handle), 3)
	return lib_split(where, s[0].handle, (int)s[1].whole, out, (size_t)s[2].whole, keywords);
}
static const function of_split = {"split", "hink", &tsr_split_args_keywords, does_split};
bool tsr_split_at(const char *where, tsr *x, int dim, tsr **out, size_t n,
                  const tsr_split_args *args)
{
	return apply(&of_split, where, (slot[]){{.handle = x}, {.whole = (int64_t)dim},
	                                        {.whole = (int64_t)n}, {.at = args}}, out, (int)n);
}

static bool does_pad(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_pad_args, tsr_ctx_of(s[0].handle), 4)
	return !handle_is_poison(*out = lib_pad(where, s[0].handle, *(const tsr_dims *)s[1].at,
	                                        *(const tsr_dims *)s[2].at,
	                                        *(const tsr_arg *)s[3].at, keywords));
}
static const function of_pad = {"pad", "hddak", &tsr_pad_args_keywords, does_pad};
tsr *tsr_pad_at(const char *where, tsr *x, tsr_dims low, tsr_dims high, tsr_arg number,
                const tsr_pad_args *args)
{
	return apply_one(&of_pad, where, (slot[]){{.handle = x}, {.at = &low}, {.at = &high},
	                                          {.at = &number}, {.at = args}});
}

static bool does_slice(const char *where, const slot *s, tsr **out)
{
	return !handle_is_poison(*out = lib_slice(where, s[0].handle, (int)s[1].whole, s[2].whole,
	                                          s[3].whole));
}
static const function of_slice = {"slice", "hiii", NULL, does_slice};
tsr *tsr_slice_at(const char *where, tsr *x, int dim, int64_t start, int64_t stop)
{
	return apply_one(&of_slice, where, (slot[]){{.handle = x}, {.whole = (int64_t)dim},
	                                            {.whole = start}, {.whole = stop}});
}

static bool does_slice_strided(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_slice_args, tsr_ctx_of(s[0].handle), 3)
	return !handle_is_poison(*out = lib_slice_strided(where, s[0].handle,
	                                                  *(const tsr_dims *)s[1].at,
	                                                  *(const tsr_dims *)s[2].at, keywords));
}
static const function of_slice_strided = {"slice_strided", "hddk", &tsr_slice_args_keywords,
                                          does_slice_strided};
tsr *tsr_slice_strided_at(const char *where, tsr *x, tsr_dims starts, tsr_dims stops,
                          const tsr_slice_args *args)
{
	return apply_one(&of_slice_strided, where, (slot[]){{.handle = x}, {.at = &starts},
	                                                    {.at = &stops}, {.at = args}});
}

static bool does_index(const char *where, const slot *s, tsr **out)
{
	return !handle_is_poison(*out = lib_index(where, s[0].handle, (int)s[1].whole, s[2].whole));
}
static const function of_index = {"index", "hii", NULL, does_index};
tsr *tsr_index_at(const char *where, tsr *x, int dim, int64_t i)
{
	return apply_one(&of_index, where, (slot[]){{.handle = x}, {.whole = (int64_t)dim},
	                                            {.whole = i}});
}

static bool does_dynamic_slice(const char *where, const slot *s, tsr **out)
{
	return !handle_is_poison(*out = lib_dynamic_slice(where, s[0].handle, (int)s[1].whole,
	                                                  *(const tsr_arg *)s[2].at, s[3].whole));
}
static const function of_dynamic_slice = {"dynamic_slice", "hioi", NULL, does_dynamic_slice};
tsr *tsr_dynamic_slice_at(const char *where, tsr *x, int dim, tsr_arg start, int64_t size)
{
	return apply_one(&of_dynamic_slice, where, (slot[]){{.handle = x}, {.whole = (int64_t)dim},
	                                                    {.at = &start}, {.whole = size}});
}

static bool does_dynamic_update(const char *where, const slot *s, tsr **out)
{
	return !handle_is_poison(*out = lib_dynamic_update(where, s[0].handle, s[1].handle,
	                                                   (int)s[2].whole,
	                                                   *(const tsr_arg *)s[3].at));
}
static const function of_dynamic_update = {"dynamic_update", "hhio", NULL, does_dynamic_update};
tsr *tsr_dynamic_update_at(const char *where, tsr *x, tsr *update, int dim, tsr_arg start)
{
	return apply_one(&of_dynamic_update, where, (slot[]){{.handle = x}, {.handle = update},
	                                                     {.whole = (int64_t)dim},
	                                                     {.at = &start}});
}

static bool does_dynamic_slice_dims(const char *where, const slot *s, tsr **out)
{
	return !handle_is_poison(*out = lib_dynamic_slice_dims(where, s[0].handle,
	                                                       *(const tsr_dims *)s[1].at, s[2].at,
	                                                       (size_t)s[3].whole));
}
static const function of_dynamic_slice_dims = {"dynamic_slice_dims", "hdOn", NULL,
                                               does_dynamic_slice_dims};
tsr *tsr_dynamic_slice_dims_at(const char *where, tsr *x, tsr_dims sizes, const tsr_arg *starts,
                               size_t n)
{
	return apply_one(&of_dynamic_slice_dims, where, (slot[]){{.handle = x}, {.at = &sizes},
	                                                         {.at = starts},
	                                                         {.whole = (int64_t)n}});
}

static bool does_dynamic_update_dims(const char *where, const slot *s, tsr **out)
{
	return !handle_is_poison(*out = lib_dynamic_update_dims(where, s[0].handle, s[1].handle,
	                                                        s[2].at, (size_t)s[3].whole));
}
static const function of_dynamic_update_dims = {"dynamic_update_dims", "hhOn", NULL,
                                                does_dynamic_update_dims};
tsr *tsr_dynamic_update_dims_at(const char *where, tsr *x, tsr *update, const tsr_arg *starts,
                                size_t n)
{
	return apply_one(&of_dynamic_update_dims, where, (slot[]){{.handle = x}, {.handle = update},
	                                                          {.at = starts},
	                                                          {.whole = (int64_t)n}});
}

static bool does_dynamic_index(const char *where, const slot *s, tsr **out)
{
	return !handle_is_poison(*out = lib_dynamic_index(where, s[0].handle, (int)s[1].whole,
	                                                  *(const tsr_arg *)s[2].at));
}
static const function of_dynamic_index = {"dynamic_index", "hio", NULL, does_dynamic_index};
tsr *tsr_dynamic_index_at(const char *where, tsr *x, int dim, tsr_arg i)
{
	return apply_one(&of_dynamic_index, where, (slot[]){{.handle = x}, {.whole = (int64_t)dim},
	                                                    {.at = &i}});
}

static bool does_take(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_index_args, tsr_ctx_of(s[0].handle), 3)
	return !handle_is_poison(*out = lib_take(where, s[0].handle, (int)s[1].whole, s[2].handle,
	                                         keywords));
}
static const function of_take = {"take", "hihk", &tsr_index_args_keywords, does_take};
tsr *tsr_take_at(const char *where, tsr *x, int dim, tsr *indices, const tsr_index_args *args)
{
	return apply_one(&of_take, where, (slot[]){{.handle = x}, {.whole = (int64_t)dim},
	                                           {.handle = indices}, {.at = args}});
}

static bool does_take_along(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_index_args, tsr_ctx_of(s[0].handle), 3)
	return !handle_is_poison(*out = lib_take_along(where, s[0].handle, (int)s[1].whole,
	                                               s[2].handle, keywords));
}
static const function of_take_along = {"take_along", "hihk", &tsr_index_args_keywords,
                                       does_take_along};
tsr *tsr_take_along_at(const char *where, tsr *x, int dim, tsr *indices, const tsr_index_args *args)
{
	return apply_one(&of_take_along, where, (slot[]){{.handle = x}, {.whole = (int64_t)dim},
	                                                 {.handle = indices}, {.at = args}});
}

static bool does_at_set(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_index_args, tsr_ctx_of(s[0].handle), 4)
	return !handle_is_poison(*out = lib_at_set(where, s[0].handle, (int)s[1].whole, s[2].handle,
	                                           *(const tsr_arg *)s[3].at, keywords));
}
static const function of_at_set = {"at_set", "hihok", &tsr_index_args_keywords, does_at_set};
tsr *tsr_at_set_at(const char *where, tsr *x, int dim, tsr *indices, tsr_arg updates,
                   const tsr_index_args *args)
{
	return apply_one(&of_at_set, where, (slot[]){{.handle = x}, {.whole = (int64_t)dim},
	                                             {.handle = indices}, {.at = &updates},
	                                             {.at = args}});
}

static bool does_at_add(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_index_args, tsr_ctx_of(s[0].handle), 4)
	return !handle_is_poison(*out = lib_at_add(where, s[0].handle, (int)s[1].whole, s[2].handle,
	                                           *(const tsr_arg *)s[3].at, keywords));
}
static const function of_at_add = {"at_add", "hihok", &tsr_index_args_keywords, does_at_add};
tsr *tsr_at_add_at(const char *where, tsr *x, int dim, tsr *indices, tsr_arg updates,
                   const tsr_index_args *args)
{
	return apply_one(&of_at_add, where, (slot[]){{.handle = x}, {.whole = (int64_t)dim},
	                                             {.handle = indices}, {.at = &updates},
	                                             {.at = args}});
}

static bool does_at_mul(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_index_args, tsr_ctx_of(s[0].handle), 4)
	return !handle_is_poison(*out = lib_at_mul(where, s[0].handle, (int)s[1].whole, s[2].handle,
	                                           *(const tsr_arg *)s[3].at, keywords));
}
static const function of_at_mul = {"at_mul", "hihok", &tsr_index_args_keywords, does_at_mul};
tsr *tsr_at_mul_at(const char *where, tsr *x, int dim, tsr *indices, tsr_arg updates,
                   const tsr_index_args *args)
{
	return apply_one(&of_at_mul, where, (slot[]){{.handle = x}, {.whole = (int64_t)dim},
	                                             {.handle = indices}, {.at = &updates},
	                                             {.at = args}});
}

static bool does_at_min(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_index_args, tsr_ctx_of(s[0].handle), 4)
	return !handle_is_poison(*out = lib_at_min(where, s[0].handle, (int)s[1].whole, s[2].handle,
	                                           *(const tsr_arg *)s[3].at, keywords));
}
static const function of_at_min = {"at_min", "hihok", &tsr_index_args_keywords, does_at_min};
tsr *tsr_at_min_at(const char *where, tsr *x, int dim, tsr *indices, tsr_arg updates,
                   const tsr_index_args *args)
{
	return apply_one(&of_at_min, where, (slot[]){{.handle = x}, {.whole = (int64_t)dim},
	                                             {.handle = indices}, {.at = &updates},
	                                             {.at = args}});
}

static bool does_at_max(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_index_args, tsr_ctx_of(s[0].handle), 4)
	return !handle_is_poison(*out = lib_at_max(where, s[0].handle, (int)s[1].whole, s[2].handle,
	                                           *(const tsr_arg *)s[3].at, keywords));
}
static const function of_at_max = {"at_max", "hihok", &tsr_index_args_keywords, does_at_max};
tsr *tsr_at_max_at(const char *where, tsr *x, int dim, tsr *indices, tsr_arg updates,
                   const tsr_index_args *args)
{
	return apply_one(&of_at_max, where, (slot[]){{.handle = x}, {.whole = (int64_t)dim},
	                                             {.handle = indices}, {.at = &updates},
	                                             {.at = args}});
}

static bool does_gather(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_gather_args, tsr_ctx_of(s[0].handle), 3)
	return !handle_is_poison(*out = lib_gather(where, s[0].handle, s[1].handle,
	                                           *(const tsr_dims *)s[2].at, keywords));
}
static const function of_gather = {"gather", "hhdk", &tsr_gather_args_keywords, does_gather};
tsr *tsr_gather_at(const char *where, tsr *x, tsr *indices, tsr_dims slice_sizes,
                   const tsr_gather_args *args)
{
	return apply_one(&of_gather, where, (slot[]){{.handle = x}, {.handle = indices},
	                                             {.at = &slice_sizes}, {.at = args}});
}

static bool does_scatter(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_scatter_args, tsr_ctx_of(s[0].handle), 3)
	return !handle_is_poison(*out = lib_scatter(where, s[0].handle, s[1].handle, s[2].handle,
	                                            keywords));
}
static const function of_scatter = {"scatter", "hhhk", &tsr_scatter_args_keywords, does_scatter};
tsr *tsr_scatter_at(const char *where, tsr *x, tsr *indices, tsr *updates,
                    const tsr_scatter_args *args)
{
	return apply_one(&of_scatter, where, (slot[]){{.handle = x}, {.handle = indices},
	                                              {.handle = updates}, {.at = args}});
}

static bool does_sum(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_sum_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_sum(where, s[0].handle, keywords));
}
static const function of_sum = {"sum", "hk", &tsr_sum_args_keywords, does_sum};
tsr *tsr_sum_at(const char *where, tsr *x, const tsr_sum_args *args)
{
	return apply_one(&of_sum, where, (slot[]){{.handle = x}, {.at = args}});
}

static bool does_prod(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_sum_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_prod(where, s[0].handle, keywords));
}
static const function of_prod = {"prod", "hk", &tsr_sum_args_keywords, does_prod};
tsr *tsr_prod_at(const char *where, tsr *x, const tsr_sum_args *args)
{
	return apply_one(&of_prod, where, (slot[]){{.handle = x}, {.at = args}});
}

static bool does_max(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_reduce_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_max(where, s[0].handle, keywords));
}
static const function of_max = {"max", "hk", &tsr_reduce_args_keywords, does_max};
tsr *tsr_max_at(const char *where, tsr *x, const tsr_reduce_args *args)
{
	return apply_one(&of_max, where, (slot[]){{.handle = x}, {.at = args}});
}

static bool does_min(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_reduce_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_min(where, s[0].handle, keywords));
}
static const function of_min = {"min", "hk", &tsr_reduce_args_keywords, does_min};
tsr *tsr_min_at(const char *where, tsr *x, const tsr_reduce_args *args)
{
	return apply_one(&of_min, where, (slot[]){{.handle = x}, {.at = args}});
}

static bool does_all(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_all_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_all(where, s[0].handle, keywords));
}
static const function of_all = {"all", "hk", &tsr_all_args_keywords, does_all};
tsr *tsr_all_at(const char *where, tsr *x, const tsr_all_args *args)
{
	return apply_one(&of_all, where, (slot[]){{.handle = x}, {.at = args}});
}

static bool does_any(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_all_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_any(where, s[0].handle, keywords));
}
static const function of_any = {"any", "hk", &tsr_all_args_keywords, does_any};
tsr *tsr_any_at(const char *where, tsr *x, const tsr_all_args *args)
{
	return apply_one(&of_any, where, (slot[]){{.handle = x}, {.at = args}});
}

static bool does_reduce_and(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_dims_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_reduce_and(where, s[0].handle, keywords));
}
static const function of_reduce_and = {"reduce_and", "hk", &tsr_dims_args_keywords,
                                       does_reduce_and};
tsr *tsr_reduce_and_at(const char *where, tsr *x, const tsr_dims_args *args)
{
	return apply_one(&of_reduce_and, where, (slot[]){{.handle = x}, {.at = args}});
}

static bool does_reduce_or(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_dims_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_reduce_or(where, s[0].handle, keywords));
}
static const function of_reduce_or = {"reduce_or", "hk", &tsr_dims_args_keywords, does_reduce_or};
tsr *tsr_reduce_or_at(const char *where, tsr *x, const tsr_dims_args *args)
{
	return apply_one(&of_reduce_or, where, (slot[]){{.handle = x}, {.at = args}});
}

static bool does_reduce_xor(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_dims_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_reduce_xor(where, s[0].handle, keywords));
}
static const function of_reduce_xor = {"reduce_xor", "hk", &tsr_dims_args_keywords,
                                       does_reduce_xor};
tsr *tsr_reduce_xor_at(const char *where, tsr *x, const tsr_dims_args *args)
{
	return apply_one(&of_reduce_xor, where, (slot[]){{.handle = x}, {.at = args}});
}

static bool does_mean(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_mean_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_mean(where, s[0].handle, keywords));
}
static const function of_mean = {"mean", "hk", &tsr_mean_args_keywords, does_mean};
tsr *tsr_mean_at(const char *where, tsr *x, const tsr_mean_args *args)
{
	return apply_one(&of_mean, where, (slot[]){{.handle = x}, {.at = args}});
}

static bool does_logsumexp(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_logsumexp_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_logsumexp(where, s[0].handle, keywords));
}
static const function of_logsumexp = {"logsumexp", "hk", &tsr_logsumexp_args_keywords,
                                      does_logsumexp};
tsr *tsr_logsumexp_at(const char *where, tsr *x, const tsr_logsumexp_args *args)
{
	return apply_one(&of_logsumexp, where, (slot[]){{.handle = x}, {.at = args}});
}

static bool does_argmax(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_arg_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_argmax(where, s[0].handle, keywords));
}
static const function of_argmax = {"argmax", "hk", &tsr_arg_args_keywords, does_argmax};
tsr *tsr_argmax_at(const char *where, tsr *x, const tsr_arg_args *args)
{
	return apply_one(&of_argmax, where, (slot[]){{.handle = x}, {.at = args}});
}

static bool does_argmin(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_arg_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_argmin(where, s[0].handle, keywords));
}
static const function of_argmin = {"argmin", "hk", &tsr_arg_args_keywords, does_argmin};
tsr *tsr_argmin_at(const char *where, tsr *x, const tsr_arg_args *args)
{
	return apply_one(&of_argmin, where, (slot[]){{.handle = x}, {.at = args}});
}

static bool does_sort(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_sort_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_sort(where, s[0].handle, keywords));
}
static const function of_sort = {"sort", "hk", &tsr_sort_args_keywords, does_sort};
tsr *tsr_sort_at(const char *where, tsr *x, const tsr_sort_args *args)
{
	return apply_one(&of_sort, where, (slot[]){{.handle = x}, {.at = args}});
}

static bool does_argsort(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_argsort_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_argsort(where, s[0].handle, keywords));
}
static const function of_argsort = {"argsort", "hk", &tsr_argsort_args_keywords, does_argsort};
tsr *tsr_argsort_at(const char *where, tsr *x, const tsr_argsort_args *args)
{
	return apply_one(&of_argsort, where, (slot[]){{.handle = x}, {.at = args}});
}

static bool does_sort_operands(const char *where, const slot *s, tsr **out)
{
	return lib_sort_operands(where, s[0].at, out, (size_t)s[1].whole, s[2].at);
}
static const function of_sort_operands = {"sort_operands", "Hnk", &tsr_sort_operands_args_keywords,
                                          does_sort_operands};
bool tsr_sort_operands_at(const char *where, tsr *const *x, tsr **out, size_t n,
                          const tsr_sort_operands_args *args)
{
	return apply(&of_sort_operands, where, (slot[]){{.at = x}, {.whole = (int64_t)n},
	                                                {.at = args}}, out, (int)n);
}

static bool does_top_k(const char *where, const slot *s, tsr **out)
{
	READ(tsr_top_k_args, tsr_ctx_of(s[0].handle), 2)
	return lib_top_k(where, s[0].handle, s[1].whole, out, keywords);
}
static const function of_top_k = {"top_k", "hik", &tsr_top_k_args_keywords, does_top_k};
bool tsr_top_k_at(const char *where, tsr *x, int64_t k, tsr *out[2], const tsr_top_k_args *args)
{
	return apply(&of_top_k, where, (slot[]){{.handle = x}, {.whole = k}, {.at = args}}, out, 2);
}

static bool does_cumsum(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_cumsum_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_cumsum(where, s[0].handle, keywords));
}
static const function of_cumsum = {"cumsum", "hk", &tsr_cumsum_args_keywords, does_cumsum};
tsr *tsr_cumsum_at(const char *where, tsr *x, const tsr_cumsum_args *args)
{
	return apply_one(&of_cumsum, where, (slot[]){{.handle = x}, {.at = args}});
}

static bool does_cumprod(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_cumsum_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_cumprod(where, s[0].handle, keywords));
}
static const function of_cumprod = {"cumprod", "hk", &tsr_cumsum_args_keywords, does_cumprod};
tsr *tsr_cumprod_at(const char *where, tsr *x, const tsr_cumsum_args *args)
{
	return apply_one(&of_cumprod, where, (slot[]){{.handle = x}, {.at = args}});
}

static bool does_nancumsum(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_cumsum_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_nancumsum(where, s[0].handle, keywords));
}
static const function of_nancumsum = {"nancumsum", "hk", &tsr_cumsum_args_keywords, does_nancumsum};
tsr *tsr_nancumsum_at(const char *where, tsr *x, const tsr_cumsum_args *args)
{
	return apply_one(&of_nancumsum, where, (slot[]){{.handle = x}, {.at = args}});
}

static bool does_nancumprod(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_cumsum_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_nancumprod(where, s[0].handle, keywords));
}
static const function of_nancumprod = {"nancumprod", "hk", &tsr_cumsum_args_keywords,
                                       does_nancumprod};
tsr *tsr_nancumprod_at(const char *where, tsr *x, const tsr_cumsum_args *args)
{
	return apply_one(&of_nancumprod, where, (slot[]){{.handle = x}, {.at = args}});
}

static bool does_cumulative_sum(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_cumulative_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_cumulative_sum(where, s[0].handle, keywords));
}
static const function of_cumulative_sum = {"cumulative_sum", "hk", &tsr_cumulative_args_keywords,
                                           does_cumulative_sum};
tsr *tsr_cumulative_sum_at(const char *where, tsr *x, const tsr_cumulative_args *args)
{
	return apply_one(&of_cumulative_sum, where, (slot[]){{.handle = x}, {.at = args}});
}

static bool does_cumulative_prod(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_cumulative_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_cumulative_prod(where, s[0].handle, keywords));
}
static const function of_cumulative_prod = {"cumulative_prod", "hk", &tsr_cumulative_args_keywords,
                                            does_cumulative_prod};
tsr *tsr_cumulative_prod_at(const char *where, tsr *x, const tsr_cumulative_args *args)
{
	return apply_one(&of_cumulative_prod, where, (slot[]){{.handle = x}, {.at = args}});
}

static bool does_cummax(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_cummax_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_cummax(where, s[0].handle, keywords));
}
static const function of_cummax = {"cummax", "hk", &tsr_cummax_args_keywords, does_cummax};
tsr *tsr_cummax_at(const char *where, tsr *x, const tsr_cummax_args *args)
{
	return apply_one(&of_cummax, where, (slot[]){{.handle = x}, {.at = args}});
}

static bool does_cummin(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_cummax_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_cummin(where, s[0].handle, keywords));
}
static const function of_cummin = {"cummin", "hk", &tsr_cummax_args_keywords, does_cummin};
tsr *tsr_cummin_at(const char *where, tsr *x, const tsr_cummax_args *args)
{
	return apply_one(&of_cummin, where, (slot[]){{.handle = x}, {.at = args}});
}

static bool does_cumlogsumexp(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_cummax_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_cumlogsumexp(where, s[0].handle, keywords));
}
static const function of_cumlogsumexp = {"cumlogsumexp", "hk", &tsr_cummax_args_keywords,
                                         does_cumlogsumexp};
tsr *tsr_cumlogsumexp_at(const char *where, tsr *x, const tsr_cummax_args *args)
{
	return apply_one(&of_cumlogsumexp, where, (slot[]){{.handle = x}, {.at = args}});
}

static bool does_reduce_window(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_window_args, tsr_ctx_of(s[0].handle), 3)
	return !handle_is_poison(*out = lib_reduce_window(where, s[0].handle,
	                                                  (enum tsr_combine)s[1].whole,
	                                                  *(const tsr_dims *)s[2].at, keywords));
}
static const function of_reduce_window = {"reduce_window", "hidk", &tsr_window_args_keywords,
                                          does_reduce_window};
tsr *tsr_reduce_window_at(const char *where, tsr *x, enum tsr_combine combine, tsr_dims window,
                          const tsr_window_args *args)
{
	return apply_one(&of_reduce_window, where, (slot[]){{.handle = x},
	                                                    {.whole = (int64_t)combine},
	                                                    {.at = &window}, {.at = args}});
}

static bool does_max_pool(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_pool_args, tsr_ctx_of(s[0].handle), 2)
	return !handle_is_poison(*out = lib_max_pool(where, s[0].handle, *(const tsr_dims *)s[1].at,
	                                             keywords));
}
static const function of_max_pool = {"max_pool", "hdk", &tsr_pool_args_keywords, does_max_pool};
tsr *tsr_max_pool_at(const char *where, tsr *x, tsr_dims window, const tsr_pool_args *args)
{
	return apply_one(&of_max_pool, where, (slot[]){{.handle = x}, {.at = &window},
	                                               {.at = args}});
}

static bool does_min_pool(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_pool_args, tsr_ctx_of(s[0].handle), 2)
	return !handle_is_poison(*out = lib_min_pool(where, s[0].handle, *(const tsr_dims *)s[1].at,
	                                             keywords));
}
static const function of_min_pool = {"min_pool", "hdk", &tsr_pool_args_keywords, does_min_pool};
tsr *tsr_min_pool_at(const char *where, tsr *x, tsr_dims window, const tsr_pool_args *args)
{
	return apply_one(&of_min_pool, where, (slot[]){{.handle = x}, {.at = &window},
	                                               {.at = args}});
}

static bool does_avg_pool(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_pool_args, tsr_ctx_of(s[0].handle), 2)
	return !handle_is_poison(*out = lib_avg_pool(where, s[0].handle, *(const tsr_dims *)s[1].at,
	                                             keywords));
}
static const function of_avg_pool = {"avg_pool", "hdk", &tsr_pool_args_keywords, does_avg_pool};
tsr *tsr_avg_pool_at(const char *where, tsr *x, tsr_dims window, const tsr_pool_args *args)
{
	return apply_one(&of_avg_pool, where, (slot[]){{.handle = x}, {.at = &window},
	                                               {.at = args}});
}

static bool does_conv_general_dilated(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_conv_args, tsr_ctx_of(s[0].handle), 2)
	return !handle_is_poison(*out = lib_conv_general_dilated(where, s[0].handle, s[1].handle,
	                                                         keywords));
}
static const function of_conv_general_dilated = {"conv_general_dilated", "hhk",
                                                 &tsr_conv_args_keywords,
                                                 does_conv_general_dilated};
tsr *tsr_conv_general_dilated_at(const char *where, tsr *lhs, tsr *rhs, const tsr_conv_args *args)
{
	return apply_one(&of_conv_general_dilated, where, (slot[]){{.handle = lhs}, {.handle = rhs},
	                                                           {.at = args}});
}

static bool does_conv_general_dilated_patches(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_conv_args, tsr_ctx_of(s[0].handle), 2)
	return !handle_is_poison(*out = lib_conv_general_dilated_patches(where, s[0].handle,
	                                                                 *(const tsr_dims *)s[1].at,
	                                                                 keywords));
}
static const function of_conv_general_dilated_patches = {"conv_general_dilated_patches", "hdk",
                                                         &tsr_conv_args_keywords,
                                                         does_conv_general_dilated_patches};
tsr *tsr_conv_general_dilated_patches_at(const char *where, tsr *lhs, tsr_dims window,
                                         const tsr_conv_args *args)
{
	return apply_one(&of_conv_general_dilated_patches, where, (slot[]){{.handle = lhs},
	                                                                   {.at = &window},
	                                                                   {.at = args}});
}

static bool does_conv_general_dilated_local(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_conv_args, tsr_ctx_of(s[0].handle), 3)
	return !handle_is_poison(*out = lib_conv_general_dilated_local(where, s[0].handle,
	                                                               s[1].handle,
	                                                               *(const tsr_dims *)s[2].at,
	                                                               keywords));
}
static const function of_conv_general_dilated_local = {"conv_general_dilated_local", "hhdk",
                                                       &tsr_conv_args_keywords,
                                                       does_conv_general_dilated_local};
tsr *tsr_conv_general_dilated_local_at(const char *where, tsr *lhs, tsr *rhs, tsr_dims window,
                                       const tsr_conv_args *args)
{
	return apply_one(&of_conv_general_dilated_local, where, (slot[]){{.handle = lhs},
	                                                                 {.handle = rhs},
	                                                                 {.at = &window},
	                                                                 {.at = args}});
}

static bool does_conv_transpose(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_conv_transpose_args, tsr_ctx_of(s[0].handle), 2)
	return !handle_is_poison(*out = lib_conv_transpose(where, s[0].handle, s[1].handle,
	                                                   keywords));
}
static const function of_conv_transpose = {"conv_transpose", "hhk",
                                           &tsr_conv_transpose_args_keywords, does_conv_transpose};
tsr *tsr_conv_transpose_at(const char *where, tsr *lhs, tsr *rhs,
                           const tsr_conv_transpose_args *args)
{
	return apply_one(&of_conv_transpose, where, (slot[]){{.handle = lhs}, {.handle = rhs},
	                                                     {.at = args}});
}

static bool does_convolve(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_convolve_args, tsr_ctx_of(s[0].handle), 2)
	return !handle_is_poison(*out = lib_convolve(where, s[0].handle, s[1].handle, keywords));
}
static const function of_convolve = {"convolve", "hhk", &tsr_convolve_args_keywords, does_convolve};
tsr *tsr_convolve_at(const char *where, tsr *a, tsr *v, const tsr_convolve_args *args)
{
	return apply_one(&of_convolve, where, (slot[]){{.handle = a}, {.handle = v}, {.at = args}});
}

static bool does_correlate(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_convolve_args, tsr_ctx_of(s[0].handle), 2)
	return !handle_is_poison(*out = lib_correlate(where, s[0].handle, s[1].handle, keywords));
}
static const function of_correlate = {"correlate", "hhk", &tsr_convolve_args_keywords,
                                      does_correlate};
tsr *tsr_correlate_at(const char *where, tsr *a, tsr *v, const tsr_convolve_args *args)
{
	return apply_one(&of_correlate, where, (slot[]){{.handle = a}, {.handle = v},
	                                                {.at = args}});
}

static bool does_threefry2x32(const char *where, const slot *s, tsr **out)
{
	return lib_threefry2x32(where, *(const tsr_arg *)s[0].at, *(const tsr_arg *)s[1].at,
	                        *(const tsr_arg *)s[2].at, *(const tsr_arg *)s[3].at, out);
}
static const function of_threefry2x32 = {"threefry2x32", "oooo", NULL, does_threefry2x32};
bool tsr_threefry2x32_at(const char *where, tsr_arg key0, tsr_arg key1, tsr_arg x0, tsr_arg x1,
                         tsr *out[2])
{
	return apply(&of_threefry2x32, where, (slot[]){{.at = &key0}, {.at = &key1}, {.at = &x0},
	                                               {.at = &x1}}, out, 2);
}

static bool does_init_zeros(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_new_args, tsr_ctx_of(s[0].handle), 2)
	return !handle_is_poison(*out = lib_init_zeros(where, s[0].handle,
	                                               *(const tsr_dims *)s[1].at, keywords));
}
static const function of_init_zeros = {"init_zeros", "hdk", &tsr_new_args_keywords,
                                       does_init_zeros};
tsr *tsr_init_zeros_at(const char *where, tsr *key, tsr_dims dims, const tsr_new_args *args)
{
	return apply_one(&of_init_zeros, where, (slot[]){{.handle = key}, {.at = &dims},
	                                                 {.at = args}});
}

static bool does_init_ones(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_new_args, tsr_ctx_of(s[0].handle), 2)
	return !handle_is_poison(*out = lib_init_ones(where, s[0].handle,
	                                              *(const tsr_dims *)s[1].at, keywords));
}
static const function of_init_ones = {"init_ones", "hdk", &tsr_new_args_keywords, does_init_ones};
tsr *tsr_init_ones_at(const char *where, tsr *key, tsr_dims dims, const tsr_new_args *args)
{
	return apply_one(&of_init_ones, where, (slot[]){{.handle = key}, {.at = &dims},
	                                                {.at = args}});
}

static bool does_init_constant(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_init_constant_args, tsr_ctx_of(s[0].handle), 2)
	return !handle_is_poison(*out = lib_init_constant(where, s[0].handle,
	                                                  *(const tsr_dims *)s[1].at, keywords));
}
static const function of_init_constant = {"init_constant", "hdk", &tsr_init_constant_args_keywords,
                                          does_init_constant};
tsr *tsr_init_constant_at(const char *where, tsr *key, tsr_dims dims,
                          const tsr_init_constant_args *args)
{
	return apply_one(&of_init_constant, where, (slot[]){{.handle = key}, {.at = &dims},
	                                                    {.at = args}});
}

static bool does_init_uniform(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_init_uniform_args, tsr_ctx_of(s[0].handle), 2)
	return !handle_is_poison(*out = lib_init_uniform(where, s[0].handle,
	                                                 *(const tsr_dims *)s[1].at, keywords));
}
static const function of_init_uniform = {"init_uniform", "hdk", &tsr_init_uniform_args_keywords,
                                         does_init_uniform};
tsr *tsr_init_uniform_at(const char *where, tsr *key, tsr_dims dims,
                         const tsr_init_uniform_args *args)
{
	return apply_one(&of_init_uniform, where, (slot[]){{.handle = key}, {.at = &dims},
	                                                   {.at = args}});
}

static bool does_init_normal(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_init_normal_args, tsr_ctx_of(s[0].handle), 2)
	return !handle_is_poison(*out = lib_init_normal(where, s[0].handle,
	                                                *(const tsr_dims *)s[1].at, keywords));
}
static const function of_init_normal = {"init_normal", "hdk", &tsr_init_normal_args_keywords,
                                        does_init_normal};
tsr *tsr_init_normal_at(const char *where, tsr *key, tsr_dims dims,
                        const tsr_init_normal_args *args)
{
	return apply_one(&of_init_normal, where, (slot[]){{.handle = key}, {.at = &dims},
	                                                  {.at = args}});
}

static bool does_init_truncated_normal(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_init_truncated_normal_args, tsr_ctx_of(s[0].handle), 2)
	return !handle_is_poison(*out = lib_init_truncated_normal(where, s[0].handle,
	                                                          *(const tsr_dims *)s[1].at,
	                                                          keywords));
}
static const function of_init_truncated_normal = {"init_truncated_normal", "hdk",
                                                  &tsr_init_truncated_normal_args_keywords,
                                                  does_init_truncated_normal};
tsr *tsr_init_truncated_normal_at(const char *where, tsr *key, tsr_dims dims,
                                  const tsr_init_truncated_normal_args *args)
{
	return apply_one(&of_init_truncated_normal, where, (slot[]){{.handle = key}, {.at = &dims},
	                                                            {.at = args}});
}

static bool does_init_variance_scaling(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_init_scaling_args, tsr_ctx_of(s[0].handle), 2)
	return !handle_is_poison(*out = lib_init_variance_scaling(where, s[0].handle,
	                                                          *(const tsr_dims *)s[1].at,
	                                                          keywords));
}
static const function of_init_variance_scaling = {"init_variance_scaling", "hdk",
                                                  &tsr_init_scaling_args_keywords,
                                                  does_init_variance_scaling};
tsr *tsr_init_variance_scaling_at(const char *where, tsr *key, tsr_dims dims,
                                  const tsr_init_scaling_args *args)
{
	return apply_one(&of_init_variance_scaling, where, (slot[]){{.handle = key}, {.at = &dims},
	                                                            {.at = args}});
}

static bool does_init_glorot_uniform(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_init_fan_args, tsr_ctx_of(s[0].handle), 2)
	return !handle_is_poison(*out = lib_init_glorot_uniform(where, s[0].handle,
	                                                        *(const tsr_dims *)s[1].at,
	                                                        keywords));
}
static const function of_init_glorot_uniform = {"init_glorot_uniform", "hdk",
                                                &tsr_init_fan_args_keywords,
                                                does_init_glorot_uniform};
tsr *tsr_init_glorot_uniform_at(const char *where, tsr *key, tsr_dims dims,
                                const tsr_init_fan_args *args)
{
	return apply_one(&of_init_glorot_uniform, where, (slot[]){{.handle = key}, {.at = &dims},
	                                                          {.at = args}});
}

static bool does_init_glorot_normal(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_init_fan_args, tsr_ctx_of(s[0].handle), 2)
	return !handle_is_poison(*out = lib_init_glorot_normal(where, s[0].handle,
	                                                       *(const tsr_dims *)s[1].at,
	                                                       keywords));
}
static const function of_init_glorot_normal = {"init_glorot_normal", "hdk",
                                               &tsr_init_fan_args_keywords,
                                               does_init_glorot_normal};
tsr *tsr_init_glorot_normal_at(const char *where, tsr *key, tsr_dims dims,
                               const tsr_init_fan_args *args)
{
	return apply_one(&of_init_glorot_normal, where, (slot[]){{.handle = key}, {.at = &dims},
	                                                         {.at = args}});
}

static bool does_init_xavier_uniform(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_init_fan_args, tsr_ctx_of(s[0].handle), 2)
	return !handle_is_poison(*out = lib_init_xavier_uniform(where, s[0].handle,
	                                                        *(const tsr_dims *)s[1].at,
	                                                        keywords));
}
static const function of_init_xavier_uniform = {"init_xavier_uniform", "hdk",
                                                &tsr_init_fan_args_keywords,
                                                does_init_xavier_uniform};
tsr *tsr_init_xavier_uniform_at(const char *where, tsr *key, tsr_dims dims,
                                const tsr_init_fan_args *args)
{
	return apply_one(&of_init_xavier_uniform, where, (slot[]){{.handle = key}, {.at = &dims},
	                                                          {.at = args}});
}

static bool does_init_xavier_normal(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_init_fan_args, tsr_ctx_of(s[0].handle), 2)
	return !handle_is_poison(*out = lib_init_xavier_normal(where, s[0].handle,
	                                                       *(const tsr_dims *)s[1].at,
	                                                       keywords));
}
static const function of_init_xavier_normal = {"init_xavier_normal", "hdk",
                                               &tsr_init_fan_args_keywords,
                                               does_init_xavier_normal};
tsr *tsr_init_xavier_normal_at(const char *where, tsr *key, tsr_dims dims,
                               const tsr_init_fan_args *args)
{
	return apply_one(&of_init_xavier_normal, where, (slot[]){{.handle = key}, {.at = &dims},
	                                                         {.at = args}});
}

static bool does_init_lecun_uniform(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_init_fan_args, tsr_ctx_of(s[0].handle), 2)
	return !handle_is_poison(*out = lib_init_lecun_uniform(where, s[0].handle,
	                                                       *(const tsr_dims *)s[1].at,
	                                                       keywords));
}
static const function of_init_lecun_uniform = {"init_lecun_uniform", "hdk",
                                               &tsr_init_fan_args_keywords,
                                               does_init_lecun_uniform};
tsr *tsr_init_lecun_uniform_at(const char *where, tsr *key, tsr_dims dims,
                               const tsr_init_fan_args *args)
{
	return apply_one(&of_init_lecun_uniform, where, (slot[]){{.handle = key}, {.at = &dims},
	                                                         {.at = args}});
}

static bool does_init_lecun_normal(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_init_fan_args, tsr_ctx_of(s[0].handle), 2)
	return !handle_is_poison(*out = lib_init_lecun_normal(where, s[0].handle,
	                                                      *(const tsr_dims *)s[1].at,
	                                                      keywords));
}
static const function of_init_lecun_normal = {"init_lecun_normal", "hdk",
                                              &tsr_init_fan_args_keywords, does_init_lecun_normal};
tsr *tsr_init_lecun_normal_at(const char *where, tsr *key, tsr_dims dims,
                              const tsr_init_fan_args *args)
{
	return apply_one(&of_init_lecun_normal, where, (slot[]){{.handle = key}, {.at = &dims},
	                                                        {.at = args}});
}

static bool does_init_he_uniform(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_init_fan_args, tsr_ctx_of(s[0].handle), 2)
	return !handle_is_poison(*out = lib_init_he_uniform(where, s[0].handle,
	                                                    *(const tsr_dims *)s[1].at, keywords));
}
static const function of_init_he_uniform = {"init_he_uniform", "hdk", &tsr_init_fan_args_keywords,
                                            does_init_he_uniform};
tsr *tsr_init_he_uniform_at(const char *where, tsr *key, tsr_dims dims,
                            const tsr_init_fan_args *args)
{
	return apply_one(&of_init_he_uniform, where, (slot[]){{.handle = key}, {.at = &dims},
	                                                      {.at = args}});
}

static bool does_init_he_normal(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_init_fan_args, tsr_ctx_of(s[0].handle), 2)
	return !handle_is_poison(*out = lib_init_he_normal(where, s[0].handle,
	                                                   *(const tsr_dims *)s[1].at, keywords));
}
static const function of_init_he_normal = {"init_he_normal", "hdk", &tsr_init_fan_args_keywords,
                                           does_init_he_normal};
tsr *tsr_init_he_normal_at(const char *where, tsr *key, tsr_dims dims,
                           const tsr_init_fan_args *args)
{
	return apply_one(&of_init_he_normal, where, (slot[]){{.handle = key}, {.at = &dims},
	                                                     {.at = args}});
}

static bool does_init_kaiming_uniform(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_init_fan_args, tsr_ctx_of(s[0].handle), 2)
	return !handle_is_poison(*out = lib_init_kaiming_uniform(where, s[0].handle,
	                                                         *(const tsr_dims *)s[1].at,
	                                                         keywords));
}
static const function of_init_kaiming_uniform = {"init_kaiming_uniform", "hdk",
                                                 &tsr_init_fan_args_keywords,
                                                 does_init_kaiming_uniform};
tsr *tsr_init_kaiming_uniform_at(const char *where, tsr *key, tsr_dims dims,
                                 const tsr_init_fan_args *args)
{
	return apply_one(&of_init_kaiming_uniform, where, (slot[]){{.handle = key}, {.at = &dims},
	                                                           {.at = args}});
}

static bool does_init_kaiming_normal(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_init_fan_args, tsr_ctx_of(s[0].handle), 2)
	return !handle_is_poison(*out = lib_init_kaiming_normal(where, s[0].handle,
	                                                        *(const tsr_dims *)s[1].at,
	                                                        keywords));
}
static const function of_init_kaiming_normal = {"init_kaiming_normal", "hdk",
                                                &tsr_init_fan_args_keywords,
                                                does_init_kaiming_normal};
tsr *tsr_init_kaiming_normal_at(const char *where, tsr *key, tsr_dims dims,
                                const tsr_init_fan_args *args)
{
	return apply_one(&of_init_kaiming_normal, where, (slot[]){{.handle = key}, {.at = &dims},
	                                                          {.at = args}});
}

static bool does_init_orthogonal(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_init_orthogonal_args, tsr_ctx_of(s[0].handle), 2)
	return !handle_is_poison(*out = lib_init_orthogonal(where, s[0].handle,
	                                                    *(const tsr_dims *)s[1].at, keywords));
}
static const function of_init_orthogonal = {"init_orthogonal", "hdk",
                                            &tsr_init_orthogonal_args_keywords,
                                            does_init_orthogonal};
tsr *tsr_init_orthogonal_at(const char *where, tsr *key, tsr_dims dims,
                            const tsr_init_orthogonal_args *args)
{
	return apply_one(&of_init_orthogonal, where, (slot[]){{.handle = key}, {.at = &dims},
	                                                      {.at = args}});
}

static bool does_init_delta_orthogonal(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_init_orthogonal_args, tsr_ctx_of(s[0].handle), 2)
	return !handle_is_poison(*out = lib_init_delta_orthogonal(where, s[0].handle,
	                                                          *(const tsr_dims *)s[1].at,
	                                                          keywords));
}
static const function of_init_delta_orthogonal = {"init_delta_orthogonal", "hdk",
                                                  &tsr_init_orthogonal_args_keywords,
                                                  does_init_delta_orthogonal};
tsr *tsr_init_delta_orthogonal_at(const char *where, tsr *key, tsr_dims dims,
                                  const tsr_init_orthogonal_args *args)
{
	return apply_one(&of_init_delta_orthogonal, where, (slot[]){{.handle = key}, {.at = &dims},
	                                                            {.at = args}});
}

static bool does_einsum(const char *where, const slot *s, tsr **out)
{
	return !handle_is_poison(*out = lib_einsum(where, s[0].at, s[1].at, (size_t)s[2].whole));
}
static const function of_einsum = {"einsum", "tHn", NULL, does_einsum};
tsr *tsr_einsum_at(const char *where, const char *subscripts, tsr *const *x, size_t n)
{
	return apply_one(&of_einsum, where, (slot[]){{.at = subscripts}, {.at = x},
	                                             {.whole = (int64_t)n}});
}

static bool does_tensordot(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_tensordot_args, tsr_ctx_of(s[0].handle), 2)
	return !handle_is_poison(*out = lib_tensordot(where, s[0].handle, s[1].handle, keywords));
}
static const function of_tensordot = {"tensordot", "hhk", &tsr_tensordot_args_keywords,
                                      does_tensordot};
tsr *tsr_tensordot_at(const char *where, tsr *a, tsr *b, const tsr_tensordot_args *args)
{
	return apply_one(&of_tensordot, where, (slot[]){{.handle = a}, {.handle = b},
	                                                {.at = args}});
}

static bool does_inner(const char *where, const slot *s, tsr **out)
{
	return !handle_is_poison(*out = lib_inner(where, s[0].handle, s[1].handle));
}
static const function of_inner = {"inner", "hh", NULL, does_inner};
tsr *tsr_inner_at(const char *where, tsr *a, tsr *b)
{
	return apply_one(&of_inner, where, (slot[]){{.handle = a}, {.handle = b}});
}

static bool does_outer(const char *where, const slot *s, tsr **out)
{
	return !handle_is_poison(*out = lib_outer(where, s[0].handle, s[1].handle));
}
static const function of_outer = {"outer", "hh", NULL, does_outer};
tsr *tsr_outer_at(const char *where, tsr *a, tsr *b)
{
	return apply_one(&of_outer, where, (slot[]){{.handle = a}, {.handle = b}});
}

static bool does_vdot(const char *where, const slot *s, tsr **out)
{
	return !handle_is_poison(*out = lib_vdot(where, s[0].handle, s[1].handle));
}
static const function of_vdot = {"vdot", "hh", NULL, does_vdot};
tsr *tsr_vdot_at(const char *where, tsr *a, tsr *b)
{
	return apply_one(&of_vdot, where, (slot[]){{.handle = a}, {.handle = b}});
}

static bool does_vecdot(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_vecdot_args, tsr_ctx_of(s[0].handle), 2)
	return !handle_is_poison(*out = lib_vecdot(where, s[0].handle, s[1].handle, keywords));
}
static const function of_vecdot = {"vecdot", "hhk", &tsr_vecdot_args_keywords, does_vecdot};
tsr *tsr_vecdot_at(const char *where, tsr *a, tsr *b, const tsr_vecdot_args *args)
{
	return apply_one(&of_vecdot, where, (slot[]){{.handle = a}, {.handle = b}, {.at = args}});
}

static bool does_matvec(const char *where, const slot *s, tsr **out)
{
	return !handle_is_poison(*out = lib_matvec(where, s[0].handle, s[1].handle));
}
static const function of_matvec = {"matvec", "hh", NULL, does_matvec};
tsr *tsr_matvec_at(const char *where, tsr *a, tsr *b)
{
	return apply_one(&of_matvec, where, (slot[]){{.handle = a}, {.handle = b}});
}

static bool does_vecmat(const char *where, const slot *s, tsr **out)
{
	return !handle_is_poison(*out = lib_vecmat(where, s[0].handle, s[1].handle));
}
static const function of_vecmat = {"vecmat", "hh", NULL, does_vecmat};
tsr *tsr_vecmat_at(const char *where, tsr *a, tsr *b)
{
	return apply_one(&of_vecmat, where, (slot[]){{.handle = a}, {.handle = b}});
}

static bool does_kron(const char *where, const slot *s, tsr **out)
{
	return !handle_is_poison(*out = lib_kron(where, s[0].handle, s[1].handle));
}
static const function of_kron = {"kron", "hh", NULL, does_kron};
tsr *tsr_kron_at(const char *where, tsr *a, tsr *b)
{
	return apply_one(&of_kron, where, (slot[]){{.handle = a}, {.handle = b}});
}

static bool does_cross(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_cross_args, tsr_ctx_of(s[0].handle), 2)
	return !handle_is_poison(*out = lib_cross(where, s[0].handle, s[1].handle, keywords));
}
static const function of_cross = {"cross", "hhk", &tsr_cross_args_keywords, does_cross};
tsr *tsr_cross_at(const char *where, tsr *a, tsr *b, const tsr_cross_args *args)
{
	return apply_one(&of_cross, where, (slot[]){{.handle = a}, {.handle = b}, {.at = args}});
}

static bool does_split_key(const char *where, const slot *s, tsr **out)
{
	return lib_split_key(where, s[0].handle, out, (size_t)s[1].whole);
}
static const function of_split_key = {"split_key", "hn", NULL, does_split_key};
bool tsr_split_key_at(const char *where, tsr *key, tsr **out, size_t n)
{
	return apply(&of_split_key, where, (slot[]){{.handle = key},
	                                            {.whole = (int64_t)n}}, out, (int)n);
}

static bool does_moveaxis(const char *where, const slot *s, tsr **out)
{
	return !handle_is_poison(*out = lib_moveaxis(where, s[0].handle, *(const tsr_dims *)s[1].at,
	                                             *(const tsr_dims *)s[2].at));
}
static const function of_moveaxis = {"moveaxis", "hdd", NULL, does_moveaxis};
tsr *tsr_moveaxis_at(const char *where, tsr *x, tsr_dims from, tsr_dims to)
{
	return apply_one(&of_moveaxis, where, (slot[]){{.handle = x}, {.at = &from}, {.at = &to}});
}

static bool does_swapaxes(const char *where, const slot *s, tsr **out)
{
	return !handle_is_poison(*out = lib_swapaxes(where, s[0].handle, (int)s[1].whole,
	                                             (int)s[2].whole));
}
static const function of_swapaxes = {"swapaxes", "hii", NULL, does_swapaxes};
tsr *tsr_swapaxes_at(const char *where, tsr *x, int a, int b)
{
	return apply_one(&of_swapaxes, where, (slot[]){{.handle = x}, {.whole = (int64_t)a},
	                                               {.whole = (int64_t)b}});
}
OF_HANDLE(atleast_1d)
OF_HANDLE(atleast_2d)
OF_HANDLE(atleast_3d)

static bool does_broadcast_arrays(const char *where, const slot *s, tsr **out)
{
	return lib_broadcast_arrays(where, s[0].at, out, (size_t)s[1].whole);
}
static const function of_broadcast_arrays = {"broadcast_arrays", "Hn", NULL, does_broadcast_arrays};
bool tsr_broadcast_arrays_at(const char *where, tsr *const *x, tsr **out, size_t n)
{
	return apply(&of_broadcast_arrays, where, (slot[]){{.at = x},
	                                                   {.whole = (int64_t)n}}, out, (int)n);
}

static bool does_roll(const char *where, const slot *s, tsr **out)
{
	return !handle_is_poison(*out = lib_roll(where, s[0].handle, s[1].whole, (int)s[2].whole));
}
static const function of_roll = {"roll", "hii", NULL, does_roll};
tsr *tsr_roll_at(const char *where, tsr *x, int64_t shift, int dim)
{
	return apply_one(&of_roll, where, (slot[]){{.handle = x}, {.whole = shift},
	                                           {.whole = (int64_t)dim}});
}

static bool does_dynamic_roll(const char *where, const slot *s, tsr **out)
{
	return !handle_is_poison(*out = lib_dynamic_roll(where, s[0].handle,
	                                                 *(const tsr_arg *)s[1].at,
	                                                 (int)s[2].whole));
}
static const function of_dynamic_roll = {"dynamic_roll", "hoi", NULL, does_dynamic_roll};
tsr *tsr_dynamic_roll_at(const char *where, tsr *x, tsr_arg shift, int dim)
{
	return apply_one(&of_dynamic_roll, where, (slot[]){{.handle = x}, {.at = &shift},
	                                                   {.whole = (int64_t)dim}});
}

static bool does_rot90(const char *where, const slot *s, tsr **out)
{
	return !handle_is_poison(*out = lib_rot90(where, s[0].handle, (int)s[1].whole,
	                                          (int)s[2].whole, (int)s[3].whole));
}
static const function of_rot90 = {"rot90", "hiii", NULL, does_rot90};
tsr *tsr_rot90_at(const char *where, tsr *x, int k, int a, int b)
{
	return apply_one(&of_rot90, where, (slot[]){{.handle = x}, {.whole = (int64_t)k},
	                                            {.whole = (int64_t)a}, {.whole = (int64_t)b}});
}

static bool does_tile(const char *where, const slot *s, tsr **out)
{
	return !handle_is_poison(*out = lib_tile(where, s[0].handle, *(const tsr_dims *)s[1].at));
}
static const function of_tile = {"tile", "hd", NULL, does_tile};
tsr *tsr_tile_at(const char *where, tsr *x, tsr_dims times)
{
	return apply_one(&of_tile, where, (slot[]){{.handle = x}, {.at = &times}});
}

static bool does_repeat(const char *where, const slot *s, tsr **out)
{
	return !handle_is_poison(*out = lib_repeat(where, s[0].handle, s[1].whole,
	                                           (int)s[2].whole));
}
static const function of_repeat = {"repeat", "hii", NULL, does_repeat};
tsr *tsr_repeat_at(const char *where, tsr *x, int64_t n, int dim)
{
	return apply_one(&of_repeat, where, (slot[]){{.handle = x}, {.whole = n},
	                                             {.whole = (int64_t)dim}});
}

static bool does_repeat_each(const char *where, const slot *s, tsr **out)
{
	return !handle_is_poison(*out = lib_repeat_each(where, s[0].handle, s[1].handle, s[2].whole,
	                                                (int)s[3].whole));
}
static const function of_repeat_each = {"repeat_each", "hhii", NULL, does_repeat_each};
tsr *tsr_repeat_each_at(const char *where, tsr *x, tsr *times, int64_t n, int dim)
{
	return apply_one(&of_repeat_each, where, (slot[]){{.handle = x}, {.handle = times},
	                                                  {.whole = n}, {.whole = (int64_t)dim}});
}

static bool does_resize(const char *where, const slot *s, tsr **out)
{
	return !handle_is_poison(*out = lib_resize(where, s[0].handle, *(const tsr_dims *)s[1].at));
}
static const function of_resize = {"resize", "hd", NULL, does_resize};
tsr *tsr_resize_at(const char *where, tsr *x, tsr_dims dims)
{
	return apply_one(&of_resize, where, (slot[]){{.handle = x}, {.at = &dims}});
}

static bool does_hstack(const char *where, const slot *s, tsr **out)
{
	return !handle_is_poison(*out = lib_hstack(where, s[0].at, (size_t)s[1].whole));
}
static const function of_hstack = {"hstack", "Hn", NULL, does_hstack};
tsr *tsr_hstack_at(const char *where, tsr *const *x, size_t n)
{
	return apply_one(&of_hstack, where, (slot[]){{.at = x}, {.whole = (int64_t)n}});
}

static bool does_vstack(const char *where, const slot *s, tsr **out)
{
	return !handle_is_poison(*out = lib_vstack(where, s[0].at, (size_t)s[1].whole));
}
static const function of_vstack = {"vstack", "Hn", NULL, does_vstack};
tsr *tsr_vstack_at(const char *where, tsr *const *x, size_t n)
{
	return apply_one(&of_vstack, where, (slot[]){{.at = x}, {.whole = (int64_t)n}});
}

static bool does_dstack(const char *where, const slot *s, tsr **out)
{
	return !handle_is_poison(*out = lib_dstack(where, s[0].at, (size_t)s[1].whole));
}
static const function of_dstack = {"dstack", "Hn", NULL, does_dstack};
tsr *tsr_dstack_at(const char *where, tsr *const *x, size_t n)
{
	return apply_one(&of_dstack, where, (slot[]){{.at = x}, {.whole = (int64_t)n}});
}

static bool does_column_stack(const char *where, const slot *s, tsr **out)
{
	return !handle_is_poison(*out = lib_column_stack(where, s[0].at, (size_t)s[1].whole));
}
static const function of_column_stack = {"column_stack", "Hn", NULL, does_column_stack};
tsr *tsr_column_stack_at(const char *where, tsr *const *x, size_t n)
{
	return apply_one(&of_column_stack, where, (slot[]){{.at = x}, {.whole = (int64_t)n}});
}

static bool does_array_split(const char *where, const slot *s, tsr **out)
{
	return lib_array_split(where, s[0].handle, (int)s[1].whole, out, (size_t)s[2].whole);
}
static const function of_array_split = {"array_split", "hin", NULL, does_array_split};
bool tsr_array_split_at(const char *where, tsr *x, int dim, tsr **out, size_t n)
{
	return apply(&of_array_split, where, (slot[]){{.handle = x}, {.whole = (int64_t)dim},
	                                              {.whole = (int64_t)n}}, out, (int)n);
}

static bool does_unstack(const char *where, const slot *s, tsr **out)
{
	return lib_unstack(where, s[0].handle, (int)s[1].whole, out, (size_t)s[2].whole);
}
static const function of_unstack = {"unstack", "hin", NULL, does_unstack};
bool tsr_unstack_at(const char *where, tsr *x, int dim, tsr **out, size_t n)
{
	return apply(&of_unstack, where, (slot[]){{.handle = x}, {.whole = (int64_t)dim},
	                                          {.whole = (int64_t)n}}, out, (int)n);
}
OF_HANDLE(view_as_real)
OF_HANDLE(view_as_complex)

static bool does_diagonal(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_diagonal_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_diagonal(where, s[0].handle, keywords));
}
static const function of_diagonal = {"diagonal", "hk", &tsr_diagonal_args_keywords, does_diagonal};
tsr *tsr_diagonal_at(const char *where, tsr *x, const tsr_diagonal_args *args)
{
	return apply_one(&of_diagonal, where, (slot[]){{.handle = x}, {.at = args}});
}

static bool does_trace(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_diagonal_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_trace(where, s[0].handle, keywords));
}
static const function of_trace = {"trace", "hk", &tsr_diagonal_args_keywords, does_trace};
tsr *tsr_trace_at(const char *where, tsr *x, const tsr_diagonal_args *args)
{
	return apply_one(&of_trace, where, (slot[]){{.handle = x}, {.at = args}});
}

static bool does_diag(const char *where, const slot *s, tsr **out)
{
	return !handle_is_poison(*out = lib_diag(where, s[0].handle, (int)s[1].whole));
}
static const function of_diag = {"diag", "hi", NULL, does_diag};
tsr *tsr_diag_at(const char *where, tsr *x, int k)
{
	return apply_one(&of_diag, where, (slot[]){{.handle = x}, {.whole = (int64_t)k}});
}

static bool does_diagflat(const char *where, const slot *s, tsr **out)
{
	return !handle_is_poison(*out = lib_diagflat(where, s[0].handle, (int)s[1].whole));
}
static const function of_diagflat = {"diagflat", "hi", NULL, does_diagflat};
tsr *tsr_diagflat_at(const char *where, tsr *x, int k)
{
	return apply_one(&of_diagflat, where, (slot[]){{.handle = x}, {.whole = (int64_t)k}});
}

static bool does_tril(const char *where, const slot *s, tsr **out)
{
	return !handle_is_poison(*out = lib_tril(where, s[0].handle, (int)s[1].whole));
}
static const function of_tril = {"tril", "hi", NULL, does_tril};
tsr *tsr_tril_at(const char *where, tsr *x, int k)
{
	return apply_one(&of_tril, where, (slot[]){{.handle = x}, {.whole = (int64_t)k}});
}

static bool does_triu(const char *where, const slot *s, tsr **out)
{
	return !handle_is_poison(*out = lib_triu(where, s[0].handle, (int)s[1].whole));
}
static const function of_triu = {"triu", "hi", NULL, does_triu};
tsr *tsr_triu_at(const char *where, tsr *x, int k)
{
	return apply_one(&of_triu, where, (slot[]){{.handle = x}, {.whole = (int64_t)k}});
}

static bool does_tri(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_new_args, s[0].ctx, 4)
	return !handle_is_poison(*out = lib_tri(where, s[0].ctx, s[1].whole, s[2].whole,
	                                        (int)s[3].whole, keywords));
}
static const function of_tri = {"tri", "ciiik", &tsr_new_args_keywords, does_tri};
tsr *tsr_tri_at(const char *where, tsr_ctx *ctx, int64_t n, int64_t m, int k,
                const tsr_new_args *args)
{
	return apply_one(&of_tri, where, (slot[]){{.ctx = ctx}, {.whole = n}, {.whole = m},
	                                          {.whole = (int64_t)k}, {.at = args}});
}

static bool does_fill_diagonal(const char *where, const slot *s, tsr **out)
{
	return !handle_is_poison(*out = lib_fill_diagonal(where, s[0].handle,
	                                                  *(const tsr_arg *)s[1].at));
}
static const function of_fill_diagonal = {"fill_diagonal", "ho", NULL, does_fill_diagonal};
tsr *tsr_fill_diagonal_at(const char *where, tsr *x, tsr_arg value)
{
	return apply_one(&of_fill_diagonal, where, (slot[]){{.handle = x}, {.at = &value}});
}

static bool does_vander(const char *where, const slot *s, tsr **out)
{
	return !handle_is_poison(*out = lib_vander(where, s[0].handle, s[1].whole,
	                                           (bool)s[2].whole));
}
static const function of_vander = {"vander", "hii", NULL, does_vander};
tsr *tsr_vander_at(const char *where, tsr *x, int64_t n, bool increasing)
{
	return apply_one(&of_vander, where, (slot[]){{.handle = x}, {.whole = n},
	                                             {.whole = (int64_t)increasing}});
}

static bool does_meshgrid(const char *where, const slot *s, tsr **out)
{
	return lib_meshgrid(where, s[0].at, out, (size_t)s[1].whole, s[2].at);
}
static const function of_meshgrid = {"meshgrid", "Hnk", &tsr_meshgrid_args_keywords, does_meshgrid};
bool tsr_meshgrid_at(const char *where, tsr *const *x, tsr **out, size_t n,
                     const tsr_meshgrid_args *args)
{
	return apply(&of_meshgrid, where, (slot[]){{.at = x}, {.whole = (int64_t)n},
	                                           {.at = args}}, out, (int)n);
}

static bool does_indices(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_new_args, s[0].ctx, 2)
	return !handle_is_poison(*out = lib_indices(where, s[0].ctx, *(const tsr_dims *)s[1].at,
	                                            keywords));
}
static const function of_indices = {"indices", "cdk", &tsr_new_args_keywords, does_indices};
tsr *tsr_indices_at(const char *where, tsr_ctx *ctx, tsr_dims dims, const tsr_new_args *args)
{
	return apply_one(&of_indices, where, (slot[]){{.ctx = ctx}, {.at = &dims}, {.at = args}});
}

static bool does_unravel_index(const char *where, const slot *s, tsr **out)
{
	return lib_unravel_index(where, s[0].handle, *(const tsr_dims *)s[1].at, out);
}
static const function of_unravel_index = {"unravel_index", "hd", NULL, does_unravel_index};
bool tsr_unravel_index_at(const char *where, tsr *x, tsr_dims dims, tsr **out)
{
	return apply(&of_unravel_index, where, (slot[]){{.handle = x},
	                                                {.at = &dims}}, out, TSR_MAX_NDIM);
}

static bool does_ravel_multi_index(const char *where, const slot *s, tsr **out)
{
	return !handle_is_poison(*out = lib_ravel_multi_index(where, s[0].at,
	                                                      *(const tsr_dims *)s[1].at,
	                                                      (enum tsr_index_mode)s[2].whole));
}
static const function of_ravel_multi_index = {"ravel_multi_index", "Hdi", NULL,
                                              does_ravel_multi_index};
tsr *tsr_ravel_multi_index_at(const char *where, tsr *const *x, tsr_dims dims,
                              enum tsr_index_mode mode)
{
	return apply_one(&of_ravel_multi_index, where, (slot[]){{.at = x}, {.at = &dims},
	                                                        {.whole = (int64_t)mode}});
}

static bool does_var(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_var_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_var(where, s[0].handle, keywords));
}
static const function of_var = {"var", "hk", &tsr_var_args_keywords, does_var};
tsr *tsr_var_at(const char *where, tsr *x, const tsr_var_args *args)
{
	return apply_one(&of_var, where, (slot[]){{.handle = x}, {.at = args}});
}

static bool does_std(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_var_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_std(where, s[0].handle, keywords));
}
static const function of_std = {"std", "hk", &tsr_var_args_keywords, does_std};
tsr *tsr_std_at(const char *where, tsr *x, const tsr_var_args *args)
{
	return apply_one(&of_std, where, (slot[]){{.handle = x}, {.at = args}});
}

static bool does_average(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_average_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_average(where, s[0].handle, keywords));
}
static const function of_average = {"average", "hk", &tsr_average_args_keywords, does_average};
tsr *tsr_average_at(const char *where, tsr *x, const tsr_average_args *args)
{
	return apply_one(&of_average, where, (slot[]){{.handle = x}, {.at = args}});
}

static bool does_count_nonzero(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_dims_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_count_nonzero(where, s[0].handle, keywords));
}
static const function of_count_nonzero = {"count_nonzero", "hk", &tsr_dims_args_keywords,
                                          does_count_nonzero};
tsr *tsr_count_nonzero_at(const char *where, tsr *x, const tsr_dims_args *args)
{
	return apply_one(&of_count_nonzero, where, (slot[]){{.handle = x}, {.at = args}});
}

static bool does_ptp(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_dims_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_ptp(where, s[0].handle, keywords));
}
static const function of_ptp = {"ptp", "hk", &tsr_dims_args_keywords, does_ptp};
tsr *tsr_ptp_at(const char *where, tsr *x, const tsr_dims_args *args)
{
	return apply_one(&of_ptp, where, (slot[]){{.handle = x}, {.at = args}});
}

static bool does_nansum(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_sum_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_nansum(where, s[0].handle, keywords));
}
static const function of_nansum = {"nansum", "hk", &tsr_sum_args_keywords, does_nansum};
tsr *tsr_nansum_at(const char *where, tsr *x, const tsr_sum_args *args)
{
	return apply_one(&of_nansum, where, (slot[]){{.handle = x}, {.at = args}});
}

static bool does_nanprod(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_sum_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_nanprod(where, s[0].handle, keywords));
}
static const function of_nanprod = {"nanprod", "hk", &tsr_sum_args_keywords, does_nanprod};
tsr *tsr_nanprod_at(const char *where, tsr *x, const tsr_sum_args *args)
{
	return apply_one(&of_nanprod, where, (slot[]){{.handle = x}, {.at = args}});
}

static bool does_nanmax(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_reduce_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_nanmax(where, s[0].handle, keywords));
}
static const function of_nanmax = {"nanmax", "hk", &tsr_reduce_args_keywords, does_nanmax};
tsr *tsr_nanmax_at(const char *where, tsr *x, const tsr_reduce_args *args)
{
	return apply_one(&of_nanmax, where, (slot[]){{.handle = x}, {.at = args}});
}

static bool does_nanmin(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_reduce_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_nanmin(where, s[0].handle, keywords));
}
static const function of_nanmin = {"nanmin", "hk", &tsr_reduce_args_keywords, does_nanmin};
tsr *tsr_nanmin_at(const char *where, tsr *x, const tsr_reduce_args *args)
{
	return apply_one(&of_nanmin, where, (slot[]){{.handle = x}, {.at = args}});
}

static bool does_nanmean(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_mean_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_nanmean(where, s[0].handle, keywords));
}
static const function of_nanmean = {"nanmean", "hk", &tsr_mean_args_keywords, does_nanmean};
tsr *tsr_nanmean_at(const char *where, tsr *x, const tsr_mean_args *args)
{
	return apply_one(&of_nanmean, where, (slot[]){{.handle = x}, {.at = args}});
}

static bool does_nanvar(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_var_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_nanvar(where, s[0].handle, keywords));
}
static const function of_nanvar = {"nanvar", "hk", &tsr_var_args_keywords, does_nanvar};
tsr *tsr_nanvar_at(const char *where, tsr *x, const tsr_var_args *args)
{
	return apply_one(&of_nanvar, where, (slot[]){{.handle = x}, {.at = args}});
}

static bool does_nanstd(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_var_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_nanstd(where, s[0].handle, keywords));
}
static const function of_nanstd = {"nanstd", "hk", &tsr_var_args_keywords, does_nanstd};
tsr *tsr_nanstd_at(const char *where, tsr *x, const tsr_var_args *args)
{
	return apply_one(&of_nanstd, where, (slot[]){{.handle = x}, {.at = args}});
}

static bool does_nanargmax(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_arg_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_nanargmax(where, s[0].handle, keywords));
}
static const function of_nanargmax = {"nanargmax", "hk", &tsr_arg_args_keywords, does_nanargmax};
tsr *tsr_nanargmax_at(const char *where, tsr *x, const tsr_arg_args *args)
{
	return apply_one(&of_nanargmax, where, (slot[]){{.handle = x}, {.at = args}});
}

static bool does_nanargmin(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_arg_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_nanargmin(where, s[0].handle, keywords));
}
static const function of_nanargmin = {"nanargmin", "hk", &tsr_arg_args_keywords, does_nanargmin};
tsr *tsr_nanargmin_at(const char *where, tsr *x, const tsr_arg_args *args)
{
	return apply_one(&of_nanargmin, where, (slot[]){{.handle = x}, {.at = args}});
}

static bool does_quantile(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_quantile_args, tsr_ctx_of(s[0].handle), 2)
	return !handle_is_poison(*out = lib_quantile(where, s[0].handle, *(const tsr_arg *)s[1].at,
	                                             keywords));
}
static const function of_quantile = {"quantile", "hxk", &tsr_quantile_args_keywords, does_quantile};
tsr *tsr_quantile_at(const char *where, tsr *x, tsr_arg q, const tsr_quantile_args *args)
{
	return apply_one(&of_quantile, where, (slot[]){{.handle = x}, {.at = &q}, {.at = args}});
}

static bool does_percentile(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_quantile_args, tsr_ctx_of(s[0].handle), 2)
	return !handle_is_poison(*out = lib_percentile(where, s[0].handle,
	                                               *(const tsr_arg *)s[1].at, keywords));
}
static const function of_percentile = {"percentile", "hxk", &tsr_quantile_args_keywords,
                                       does_percentile};
tsr *tsr_percentile_at(const char *where, tsr *x, tsr_arg q, const tsr_quantile_args *args)
{
	return apply_one(&of_percentile, where, (slot[]){{.handle = x}, {.at = &q}, {.at = args}});
}

static bool does_median(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_dims_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_median(where, s[0].handle, keywords));
}
static const function of_median = {"median", "hk", &tsr_dims_args_keywords, does_median};
tsr *tsr_median_at(const char *where, tsr *x, const tsr_dims_args *args)
{
	return apply_one(&of_median, where, (slot[]){{.handle = x}, {.at = args}});
}

static bool does_nanquantile(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_quantile_args, tsr_ctx_of(s[0].handle), 2)
	return !handle_is_poison(*out = lib_nanquantile(where, s[0].handle,
	                                                *(const tsr_arg *)s[1].at, keywords));
}
static const function of_nanquantile = {"nanquantile", "hxk", &tsr_quantile_args_keywords,
                                        does_nanquantile};
tsr *tsr_nanquantile_at(const char *where, tsr *x, tsr_arg q, const tsr_quantile_args *args)
{
	return apply_one(&of_nanquantile, where, (slot[]){{.handle = x}, {.at = &q}, {.at = args}});
}

static bool does_nanpercentile(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_quantile_args, tsr_ctx_of(s[0].handle), 2)
	return !handle_is_poison(*out = lib_nanpercentile(where, s[0].handle,
	                                                  *(const tsr_arg *)s[1].at, keywords));
}
static const function of_nanpercentile = {"nanpercentile", "hxk", &tsr_quantile_args_keywords,
                                          does_nanpercentile};
tsr *tsr_nanpercentile_at(const char *where, tsr *x, tsr_arg q, const tsr_quantile_args *args)
{
	return apply_one(&of_nanpercentile, where, (slot[]){{.handle = x}, {.at = &q},
	                                                    {.at = args}});
}

static bool does_nanmedian(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_dims_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_nanmedian(where, s[0].handle, keywords));
}
static const function of_nanmedian = {"nanmedian", "hk", &tsr_dims_args_keywords, does_nanmedian};
tsr *tsr_nanmedian_at(const char *where, tsr *x, const tsr_dims_args *args)
{
	return apply_one(&of_nanmedian, where, (slot[]){{.handle = x}, {.at = args}});
}

static bool does_cov(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_cov_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_cov(where, s[0].handle, keywords));
}
static const function of_cov = {"cov", "hk", &tsr_cov_args_keywords, does_cov};
tsr *tsr_cov_at(const char *where, tsr *x, const tsr_cov_args *args)
{
	return apply_one(&of_cov, where, (slot[]){{.handle = x}, {.at = args}});
}

static bool does_corrcoef(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_corrcoef_args, tsr_ctx_of(s[0].handle), 1)
	return !handle_is_poison(*out = lib_corrcoef(where, s[0].handle, keywords));
}
static const function of_corrcoef = {"corrcoef", "hk", &tsr_corrcoef_args_keywords, does_corrcoef};
tsr *tsr_corrcoef_at(const char *where, tsr *x, const tsr_corrcoef_args *args)
{
	return apply_one(&of_corrcoef, where, (slot[]){{.handle = x}, {.at = args}});
}

static bool does_searchsorted(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_searchsorted_args, tsr_ctx_of(s[0].handle), 2)
	return !handle_is_poison(*out = lib_searchsorted(where, s[0].handle, s[1].handle,
	                                                 keywords));
}
static const function of_searchsorted = {"searchsorted", "hhk", &tsr_searchsorted_args_keywords,
                                         does_searchsorted};
tsr *tsr_searchsorted_at(const char *where, tsr *a, tsr *v, const tsr_searchsorted_args *args)
{
	return apply_one(&of_searchsorted, where, (slot[]){{.handle = a}, {.handle = v},
	                                                   {.at = args}});
}

static bool does_digitize(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_searchsorted_args, tsr_ctx_of(s[0].handle), 2)
	return !handle_is_poison(*out = lib_digitize(where, s[0].handle, s[1].handle, keywords));
}
static const function of_digitize = {"digitize", "hhk", &tsr_searchsorted_args_keywords,
                                     does_digitize};
tsr *tsr_digitize_at(const char *where, tsr *x, tsr *bins, const tsr_searchsorted_args *args)
{
	return apply_one(&of_digitize, where, (slot[]){{.handle = x}, {.handle = bins},
	                                               {.at = args}});
}

static bool does_isin(const char *where, const slot *s, tsr **out)
{
	return !handle_is_poison(*out = lib_isin(where, s[0].handle, s[1].handle));
}
static const function of_isin = {"isin", "hh", NULL, does_isin};
tsr *tsr_isin_at(const char *where, tsr *x, tsr *set)
{
	return apply_one(&of_isin, where, (slot[]){{.handle = x}, {.handle = set}});
}

static bool does_bincount(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_bincount_args, tsr_ctx_of(s[0].handle), 2)
	return !handle_is_poison(*out = lib_bincount(where, s[0].handle, s[1].whole, keywords));
}
static const function of_bincount = {"bincount", "hik", &tsr_bincount_args_keywords, does_bincount};
tsr *tsr_bincount_at(const char *where, tsr *x, int64_t n, const tsr_bincount_args *args)
{
	return apply_one(&of_bincount, where, (slot[]){{.handle = x}, {.whole = n}, {.at = args}});
}

static bool does_histogram(const char *where, const slot *s, tsr **out)
{
	READ(tsr_histogram_args, tsr_ctx_of(s[0].handle), 2)
	return lib_histogram(where, s[0].handle, s[1].whole, out, keywords);
}
static const function of_histogram = {"histogram", "hik", &tsr_histogram_args_keywords,
                                      does_histogram};
bool tsr_histogram_at(const char *where, tsr *x, int64_t n, tsr *out[2],
                      const tsr_histogram_args *args)
{
	return apply(&of_histogram, where, (slot[]){{.handle = x}, {.whole = n},
	                                            {.at = args}}, out, 2);
}

static bool does_interp(const char *where, const slot *s, tsr **out)
{
	READ_OF_ONE(tsr_interp_args, tsr_ctx_of(s[0].handle), 3)
	return !handle_is_poison(*out = lib_interp(where, s[0].handle, s[1].handle, s[2].handle,
	                                           keywords));
}
static const function of_interp = {"interp", "hhhk", &tsr_interp_args_keywords, does_interp};
tsr *tsr_interp_at(const char *where, tsr *x, tsr *xp, tsr *fp, const tsr_interp_args *args)
{
	return apply_one(&of_interp, where, (slot[]){{.handle = x}, {.handle = xp}, {.handle = fp},
	                                             {.at = args}});
}
