/* test_shapes.c - dims and sizes out of range or that do not match, dtypes without a meaning, sizes
 * that overflow. */
#include "support/mistakes.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>

#define D TSR_DIMS

static world *here;
static tsr *plus_of(tsr *x, tsr *k) { return tsr_add(x, k); }
/* one mistake a line: a function of the world that makes one wrong call */
#define CASE(name, call) static tsr *name(world *w) { return WRONG(w, call); }

/* ---- functions written with others, in bodies too: the message names what the user wrote */
#define IN_BODY(name, call) \
	static tsr *name##_body(tsr *x) { return WRONG(here, call); } \
	static tsr *name(world *w) \
	{ \
		here = w; \
		return tsr_call(tsr_jit(w->ctx, name##_body), w->a); \
	}
#define COMPLEX(x) tsr_astype(x, TSR_C64)
#define BOOL(x) tsr_astype(x, TSR_BOOL)
CASE(remainder_alone, tsr_remainder(COMPLEX(w->a), 2))
IN_BODY(remainder_inside, tsr_remainder(COMPLEX(x), 2))
IN_BODY(copysign_inside, tsr_copysign(COMPLEX(x), x))
IN_BODY(glu_inside, tsr_glu(tsr_slice(x, 1, 0, 15), -1))
IN_BODY(at_add_inside, tsr_at_add(BOOL(x), 0, here->i, BOOL(x)))

/* ---- shapes that do not match */
CASE(max_of_none, tsr_max(tsr_zeros(w->ctx, D(0, 3)), .dims = D(0)))
CASE(min_of_none, tsr_min(tsr_zeros(w->ctx, D(3, 0))))
CASE(add_other_dims, tsr_add(w->a, w->b))
CASE(add_other_size, tsr_add(w->a, w->v))
CASE(where_other_dims, tsr_where(w->i, w->v, 0))
CASE(dot_other_size, tsr_dot(w->b, w->a))
CASE(dot_vector, tsr_dot(w->a, w->v))
CASE(matmul_of_scalar, tsr_matmul(w->a, tsr_scalar(w->a, 2.0)))
CASE(dot_general_sizes, tsr_dot_general(w->a, w->b, .contract_a = D(0), .contract_b = D(0)))
CASE(dot_general_count, tsr_dot_general(w->a, w->b, .contract_a = D(0, 1), .contract_b = D(0)))
CASE(dot_general_twice, tsr_dot_general(w->a, w->a, .contract_a = D(0, 0), .contract_b = D(0, 1)))
CASE(concatenate_other_size, tsr_concatenate(0, w->a, w->b))
CASE(concatenate_other_ndim, tsr_concatenate(0, w->a, w->v))
CASE(concatenate_scalars, tsr_concatenate(0, tsr_scalar(w->a, 1.0), tsr_scalar(w->a, 2.0)))
CASE(stack_other_dims, tsr_stack(0, w->a, w->b))
CASE(reshape_other_size, tsr_reshape(w->a, D(3, 5)))
CASE(reshape_indivisible, tsr_reshape(w->a, D(7, -1)))
CASE(reshape_two_unknown, tsr_reshape(w->a, D(-1, -1)))
CASE(broadcast_other_size, tsr_broadcast_to(w->a, D(8, 15)))
CASE(broadcast_fewer_dims, tsr_broadcast_to(w->a, D(16)))
CASE(broadcast_in_other_size, tsr_broadcast_in_dim(w->v, D(4, 5), D(0)))
CASE(broadcast_in_unsorted, tsr_broadcast_in_dim(w->a, D(16, 8), D(1, 0)))
CASE(squeeze_large_dim, tsr_squeeze(w->a, D(0)))
CASE(update_other_dims, tsr_dynamic_update(w->a, w->v, 0, 0))
CASE(put_other_dims, tsr_at_set(w->a, 0, w->i, w->v))
CASE(put_too_many, tsr_at_add(w->v, 0, tsr_scalar(w->a, 1), w->a))
CASE(along_other_dims, tsr_take_along(w->a, 0, w->i))
CASE(along_other_size, tsr_take_along(w->a, 0, tsr_zeros(w->a, D(8, 3), .dtype = TSR_I32)))
CASE(windows_not_given, tsr_gather(w->a, w->i, (tsr_dims){.d = {0}}))
#define ROWS_OF(i) tsr_reshape(i, D(-1, 1))
CASE(windows_too_large, tsr_gather(w->v, ROWS_OF(w->i), D(7), .offset_dims = D(1),
                                   .start_index_map = D(0)))
CASE(windows_updates, tsr_scatter(w->v, ROWS_OF(w->i), w->v, .inserted_window_dims = D(0),
                                  .scatter_dims_to_operand_dims = D(0)))
CASE(update_too_large, tsr_dynamic_update(w->v, tsr_zeros(w->a, D(9)), 0, 0))

static tsr *split_indivisible(world *w)
{
	tsr *part[3];
	const bool done = WRONG(w, tsr_split(w->a, 0, part, 3));
	return done ? w->a : part[2];
}

static tsr *sort_of(world *w, tsr *values, int num_keys)
{
	tsr *x[] = {w->v, values};
	const bool done = WRONG(w, tsr_sort_operands(x, x, 2, .num_keys = num_keys));
	return done ? w->a : x[1];
}
static tsr *threefry_ints(world *w)
{
	tsr *y[2];
	const bool done = WRONG(w, tsr_threefry2x32(0, 1, w->i, w->i, y));
	return done ? w->a : y[1];
}
static tsr *top_17(world *w)
{
	tsr *y[2];
	const bool done = WRONG(w, tsr_top_k(w->a, 17, y));
	return done ? w->a : y[1];
}
static tsr *sort_other_dims(world *w) { return sort_of(w, w->i, 1); }
static tsr *sort_many_keys(world *w) { return sort_of(w, w->v, 3); }

static tsr *split_by(world *w, tsr_dims indices)
{
	tsr *part[3];
	const bool done = WRONG(w, tsr_split(w->v, 0, part, 3, .indices = indices));
	return done ? w->a : part[2];
}
static tsr *split_down(world *w) { return split_by(w, D(5, 2)); }
static tsr *split_beyond(world *w) { return split_by(w, D(2, 7)); }
static tsr *split_negative(world *w) { return split_by(w, D(-1, 3)); }
static tsr *split_count(world *w) { return split_by(w, D(2)); }

/* ---- dims out of range */
CASE(sum_dim, tsr_sum(w->a, .dims = D(2)))
CASE(sum_negative_dim, tsr_sum(w->a, .dims = D(-3)))
CASE(sum_dim_twice, tsr_sum(w->a, .dims = D(1, -1)))
#define IS_3 tsr_eq(w->i, 3)
CASE(max_where_alone, tsr_max(w->i, .where = IS_3))
CASE(sum_where_ints, tsr_sum(w->i, .where = w->i))
CASE(sum_where_dims, tsr_sum(w->v, .where = IS_3))
CASE(mean_where_more_dims, tsr_mean(w->i, .where = tsr_expand_dims(IS_3, D(0))))
CASE(lse_where_dims, tsr_logsumexp(w->v, .where = IS_3))
CASE(clamp_between_trees, tsr_clamp_at(TSR_HERE, (tsr_arg){.kind = TSR_KIND_TREE},
                                      tsr_arg_one(w->v), tsr_arg_int(3)))
CASE(lse_b_dims, tsr_logsumexp(w->v, .b = TSR_ARG(w->i)))
CASE(sum_initial_dims, tsr_sum(w->v, .initial = TSR_ARG(w->v)))
CASE(sum_initial_tree, tsr_sum(w->v, .initial = {.kind = TSR_KIND_TREE}))
CASE(sum_no_dtype, tsr_sum(w->v, .dtype = (tsr_dtype)77))
CASE(argmax_of_floats, tsr_argmax(w->v, .dtype = TSR_F32))
CASE(round_integers, tsr_round(w->i, .decimals = -1))
CASE(argmax_dim, tsr_argmax(w->a, .dim = D(5)))
CASE(argmax_two_dims, tsr_argmax(w->a, .dim = D(0, 1)))
CASE(argmax_of_nothing, tsr_argmax(tsr_zeros(w->a, D(0, 3)), .dim = D(0)))
CASE(sort_dim, tsr_sort(w->a, .dim = D(2)))
CASE(sort_two_dims, tsr_sort(w->a, .dim = D(0, 1)))
CASE(sort_scalar, tsr_sort(tsr_scalar(w->a, 2.0)))
CASE(argsort_of_floats, tsr_argsort(w->a, .dtype = TSR_F32))
CASE(argsort_no_dtype, tsr_argsort(w->a, .dtype = (tsr_dtype)77))
CASE(cumsum_dim, tsr_cumsum(w->a, .dim = D(-3)))
CASE(cumsum_no_dtype, tsr_cumsum(w->a, .dtype = (tsr_dtype)77))
CASE(cummax_scalar, tsr_cummax(tsr_scalar(w->a, 2.0)))
CASE(cumlogsumexp_ints, tsr_cumlogsumexp(tsr_astype(w->a, TSR_I32)))
CASE(cumulative_no_dim, tsr_cumulative_sum(w->a))
CASE(window_short, tsr_reduce_window(w->a, TSR_COMBINE_ADD, D(2)))
CASE(window_set, tsr_reduce_window(w->a, TSR_COMBINE_SET, D(2, 2)))
CASE(window_empty, tsr_reduce_window(w->a, TSR_COMBINE_ADD, D(2, 0)))
CASE(window_stride, tsr_reduce_window(w->a, TSR_COMBINE_ADD, D(2, 2), .strides = D(0, 1)))
CASE(window_strides, tsr_reduce_window(w->a, TSR_COMBINE_ADD, D(2, 2), .strides = D(1)))
CASE(window_padded_twice, tsr_reduce_window(w->a, TSR_COMBINE_ADD, D(2, 2), .low = D(0, 1),
                                            .padding = TSR_SAME))
CASE(window_cut_away, tsr_reduce_window(w->a, TSR_COMBINE_ADD, D(2, 2), .low = D(-9, 0)))
CASE(convolve_rows, tsr_convolve(w->a, w->a))
CASE(correlate_mode, tsr_correlate(tsr_zeros(w->a, D(2)), tsr_zeros(w->a, D(2)),
                                   .mode = (enum tsr_overlap)9))
CASE(pool_dims, tsr_max_pool(w->a, D(2, 2)))
CASE(conv_dtypes, tsr_conv_general_dilated(w->a, tsr_astype(w->a, TSR_I32)))
CASE(conv_features, tsr_conv_general_dilated(w->a, tsr_zeros(w->a, D(4, 5))))
CASE(conv_groups, tsr_conv_general_dilated(w->a, w->a, .feature_group_count = 2,
                                           .batch_group_count = 2))
CASE(conv_spec, tsr_conv_general_dilated(w->a, w->a, .lhs_spec = "NN"))
CASE(conv_same_of_dilated, tsr_conv_general_dilated(tsr_zeros(w->a, D(1, 1, 4)),
                                                    tsr_zeros(w->a, D(1, 1, 2)),
                                                    .lhs_dilation = D(2), .padding = TSR_SAME))
CASE(transpose_dim, tsr_transpose(w->a, .perm = D(0, 2)))
CASE(transpose_twice, tsr_transpose(w->a, .perm = D(0, 0)))
CASE(transpose_count, tsr_transpose(w->a, .perm = D(0)))
CASE(flip_dim, tsr_flip(w->a, D(2)))
CASE(squeeze_dim, tsr_squeeze(w->a, D(4)))
CASE(expand_dim, tsr_expand_dims(w->a, D(4)))
CASE(expand_dim_twice, tsr_expand_dims(w->a, D(0, -4)))
CASE(expand_not_given, tsr_expand_dims(w->a, (tsr_dims){.d = {0}}))
CASE(stack_flat, tsr_stack(TSR_FLAT, w->v, w->v))
CASE(clamp_tree, tsr_clamp(0, w->v, TSR_LEAVES(&w->v, 1)))
CASE(starts_count, tsr_dynamic_slice_dims(w->a, D(2, 2), 1))
CASE(starts_sizes, tsr_dynamic_slice_dims(w->a, D(2), 0, 0))
CASE(starts_too_large, tsr_dynamic_slice_dims(w->a, D(2, 17), 0, 0))
CASE(starts_of_floats, tsr_dynamic_update_dims(w->a, w->a, 0, 0.5))
CASE(starts_tree, tsr_dynamic_slice_dims(w->v, D(2), TSR_NONE))
CASE(starts_update_dims, tsr_dynamic_update_dims(w->a, w->v, 0, 0))
CASE(concatenate_dim, tsr_concatenate(2, w->a, w->a))
CASE(slice_dim, tsr_slice(w->a, 2, 0, 1))
CASE(index_dim, tsr_index(w->v, 1, 0))
CASE(index_beyond, tsr_index(w->v, 0, 6))
CASE(index_far_negative, tsr_index(w->v, 0, -7))
CASE(index_of_scalar, tsr_index(tsr_scalar(w->a, 1.0), 0, 0))
CASE(dynamic_slice_too_long, tsr_dynamic_slice(w->v, 0, 0, 7))
CASE(dynamic_slice_negative, tsr_dynamic_slice(w->v, 0, 0, -1))
CASE(strides_zero, tsr_slice_strided(w->v, D(0), D(6), .steps = D(0)))
CASE(strides_count, tsr_slice_strided(w->a, D(0), D(6)))
CASE(pad_count, tsr_pad(w->a, D(1), D(1), 0))
CASE(pad_takes_too_much, tsr_pad(w->v, D(-4), D(-3), 0))
CASE(pad_interior_negative, tsr_pad(w->v, D(0), D(0), 0, .interior = D(-1)))
CASE(take_dim, tsr_take(w->a, 2, w->i))
CASE(take_of_nothing, tsr_take(tsr_zeros(w->a, D(2, 0)), 1, w->i))
CASE(take_of_scalar, tsr_take(tsr_scalar(w->a, 1.0), 0, w->i))
CASE(take_mode, tsr_take(w->a, 0, w->i, .mode = (enum tsr_index_mode)4))
CASE(along_dim, tsr_take_along(w->a, -3, w->i))
CASE(put_dim, tsr_at_min(w->v, 1, w->i, 0))
CASE(windows_dim, tsr_gather(w->v, ROWS_OF(w->i), D(1), .start_index_map = D(1)))
CASE(windows_wrap, tsr_scatter(w->v, ROWS_OF(w->i), w->i, .mode = TSR_WRAP))
CASE(windows_combine, tsr_scatter(w->v, ROWS_OF(w->i), w->i, .combine = (enum tsr_combine)9))
CASE(iota_dim, tsr_iota(w->a, D(2, 3), 2))

static tsr *dim_of(world *w)
{
	return WRONG(w, tsr_dim(w->a, 2)) == 0 ? NULL : w->a;
}

/* ---- dtypes */
CASE(neg_of_bool, tsr_neg(tsr_eq(w->a, 1)))
CASE(sub_of_bool, tsr_sub(tsr_eq(w->a, 1), tsr_eq(w->a, 2)))
CASE(and_of_floats, tsr_bitwise_and(w->a, w->a))
CASE(not_of_floats, tsr_bitwise_not(w->a))
CASE(shift_of_floats, tsr_shift_left(w->a, 1))
CASE(shift_by_floats, tsr_shift_left(w->i, tsr_astype(w->i, TSR_F32)))
CASE(compare_complex, tsr_lt(tsr_astype(w->a, TSR_C64), 1))
CASE(floor_of_complex, tsr_floor(tsr_astype(w->a, TSR_C64)))
CASE(negative_power_of_integers, tsr_integer_pow(w->i, -1))
CASE(take_at_floats, tsr_take(w->v, 0, w->v))
CASE(put_at_bools, tsr_at_set(w->v, 0, tsr_eq(w->v, 0), 1))
CASE(put_number_beyond, tsr_at_set(w->i, 0, w->i, 3000000000))
CASE(put_sum_of_bools, tsr_at_add(tsr_eq(w->v, 0), 0, w->i, tsr_eq(w->i, 0)))
CASE(windows_at_floats, tsr_gather(w->v, tsr_reshape(w->v, D(6, 1)), D(1)))
CASE(windows_other_dtypes, tsr_scatter(w->v, ROWS_OF(w->i), w->i, .inserted_window_dims = D(0),
                                       .scatter_dims_to_operand_dims = D(0)))
CASE(start_of_floats, tsr_dynamic_slice(w->v, 0, tsr_scalar(w->a, 1.0), 2))
CASE(start_of_fraction, tsr_dynamic_slice(w->v, 0, 1.5, 2))
CASE(start_of_many, tsr_dynamic_slice(w->v, 0, w->i, 2))
CASE(no_dtype, tsr_astype(w->a, (tsr_dtype)77))
CASE(no_dtype_of_zeros, tsr_zeros(w->ctx, D(2), .dtype = (tsr_dtype)99))
CASE(no_dtype_of_eye, tsr_eye(w->ctx, 2, .dtype = (tsr_dtype)99))
CASE(no_dtype_of_arange, tsr_arange(w->ctx, 2, .start = 0.5, .dtype = (tsr_dtype)99))
CASE(no_dtype_of_scalar, tsr_scalar(w->ctx, 2, .dtype = (tsr_dtype)99))
static tsr *plus(tsr *x, tsr *k) { return WRONG(here, tsr_add(x, k)); }
static tsr *in_a_body(world *w)
{
	here = w;
	return tsr_call(tsr_jit(w->ctx, plus), w->i, 3000000000);
}
CASE(number_beyond_i32, tsr_add(w->i, 3000000000))
CASE(number_below_i32, tsr_where(tsr_eq(w->i, 0), w->i, -3000000000))
CASE(number_beyond_u8, tsr_lt(tsr_astype(w->i, TSR_U8), 300))
CASE(number_beyond_i64, tsr_mul(tsr_astype(w->i, TSR_I64), UINT64_MAX))
CASE(full_beyond_i8, tsr_full(w->ctx, D(2), 128, .dtype = TSR_I8))
CASE(carry_beyond_u8, tsr_scan(plus_of, 256, tsr_astype(w->i, TSR_U8)))
CASE(no_dtype_of_data, tsr_from(w->ctx, "abcd", TSR_DTYPE_DEFAULT, D(1)))

/* ---- sizes */
CASE(negative_size, tsr_zeros(w->ctx, D(2, -3)))
CASE(negative_count, tsr_arange(w->ctx, -1))
CASE(negative_eye, tsr_eye(w->ctx, -2))
CASE(dims_not_given, tsr_zeros(w->ctx, (tsr_dims){.d = {0}}))
CASE(dims_nonsense, tsr_zeros(w->ctx, (tsr_dims){.d = {55}}))
CASE(elements_overflow, tsr_zeros(w->ctx, D(INT64_MAX / 2, 3)))
CASE(bytes_overflow, tsr_zeros(w->ctx, D(INT64_MAX / 4, 2), .dtype = TSR_F64))
CASE(broadcast_overflow, tsr_broadcast_to(w->a, D(INT64_MAX / 8, 8, 16)))
CASE(pad_overflow, tsr_pad(w->v, D(INT64_MAX), D(INT64_MAX), 0))
CASE(reshape_overflow, tsr_reshape(w->a, D(INT64_MAX, INT64_MAX, 2)))
CASE(arange_overflow, tsr_arange(w->ctx, INT64_MAX))
CASE(eye_overflow, tsr_eye(w->ctx, INT64_MAX))
CASE(iota_overflow, tsr_iota(w->ctx, D(INT64_MAX, 4), 0))
static tsr *doubles_for_f32(world *w)
{
	const tsr_dtype dtype = tsr_dtype_of(w->v);
	return WRONG(w, tsr_from(w->ctx, (&(double){1}), dtype, D(1)));
}
CASE(literal_for_f32, tsr_from(w->ctx, (double[]){1, 2}, TSR_F32, D(2)))
CASE(read_into_doubles, (tsr_read(tsr_sum(w->v), (&(double){0}), 4), NULL))
CASE(data_is_null, tsr_from(w->ctx, NULL, TSR_F32, D(2)))
CASE(strides_of_wrap, tsr_wrap(w->ctx, "abcd", TSR_U8, D(2, 2), .strides = D(2)))

static const mistake table[] = {
	MISTAKE(max_of_none, TSR_ERROR_TYPE, "max", "f32[0,3]", ".initial"),
	MISTAKE(min_of_none, TSR_ERROR_TYPE, "min", "f32[3,0]", ".initial"),
	MISTAKE(add_other_dims, TSR_ERROR_TYPE, "add", "(8, 16)", "(16, 4)"),
	MISTAKE(add_other_size, TSR_ERROR_TYPE, "add", "(8, 16)", "(6,)"),
	MISTAKE(where_other_dims, TSR_ERROR_TYPE, "where", "(8,)", "(6,)"),
	MISTAKE(dot_other_size, TSR_ERROR_TYPE, "dot", "16", "4", "8"),
	MISTAKE(dot_vector, TSR_ERROR_TYPE, "dot", "16", "6"),
	MISTAKE(matmul_of_scalar, TSR_ERROR_TYPE, "matmul"),
	MISTAKE(dot_general_sizes, TSR_ERROR_TYPE, "dot_general", "8", "16"),
	MISTAKE(dot_general_count, TSR_ERROR_TYPE, "dot_general", "contract", "(0, 1)", "(0,)"),
	MISTAKE(dot_general_twice, TSR_ERROR_TYPE, "dot_general", "contract", "(0, 0)"),
	MISTAKE(concatenate_other_size, TSR_ERROR_TYPE, "concatenate", "f32[8,16]", "f32[16,4]"),
	MISTAKE(concatenate_other_ndim, TSR_ERROR_TYPE, "concatenate", "f32[8,16]", "f32[6]"),
	MISTAKE(concatenate_scalars, TSR_ERROR_ARGUMENT, "concatenate"),
	MISTAKE(stack_other_dims, TSR_ERROR_TYPE, "8,16", "16,4"),
	MISTAKE(reshape_other_size, TSR_ERROR_TYPE, "reshape", "(8, 16)", "(3, 5)"),
	MISTAKE(reshape_indivisible, TSR_ERROR_TYPE, "reshape", "(8, 16)", "-1"),
	MISTAKE(reshape_two_unknown, TSR_ERROR_ARGUMENT, "reshape", "-1"),
	MISTAKE(broadcast_other_size, TSR_ERROR_TYPE, "broadcast_to", "(8, 16)", "(8, 15)"),
	MISTAKE(broadcast_fewer_dims, TSR_ERROR_TYPE, "broadcast_to", "(8, 16)", "(16,)"),
	MISTAKE(broadcast_in_other_size, TSR_ERROR_TYPE, "broadcast_in_dim", "(6,)", "(4, 5)"),
	MISTAKE(broadcast_in_unsorted, TSR_ERROR_TYPE, "broadcast_in_dim", "(1, 0)"),
	MISTAKE(squeeze_large_dim, TSR_ERROR_TYPE, "squeeze", "(8, 16)", "(0,)"),
	MISTAKE(update_other_dims, TSR_ERROR_TYPE, "dynamic_update", "(8, 16)", "(6,)"),
	MISTAKE(put_other_dims, TSR_ERROR_TYPE, "at_set", "(6,)", "(8, 16)"),
	MISTAKE(put_too_many, TSR_ERROR_TYPE, "at_add", "(8, 16)", "()"),
	MISTAKE(along_other_dims, TSR_ERROR_TYPE, "take_along", "(8, 16)", "(8,)", "dim 0"),
	MISTAKE(along_other_size, TSR_ERROR_TYPE, "take_along", "(8, 16)", "(8, 3)"),
	MISTAKE(windows_not_given, TSR_ERROR_ARGUMENT, "gather", "slice_sizes", "TSR_DIMS"),
	MISTAKE(windows_too_large, TSR_ERROR_TYPE, "gather", "(7,)", "f32[6]"),
	MISTAKE(windows_updates, TSR_ERROR_TYPE, "scatter", "f32[6]", "i32[8,1]"),
	MISTAKE(update_too_large, TSR_ERROR_TYPE, "dynamic_update", "(6,)", "(9,)"),
	MISTAKE(split_indivisible, TSR_ERROR_TYPE, "split", "3", "8"),
	MISTAKE(sum_dim, TSR_ERROR_ARGUMENT, "sum", "dim 2", "2 dims"),
	MISTAKE(sum_negative_dim, TSR_ERROR_ARGUMENT, "sum", "dim -3", "2 dims"),
	MISTAKE(sum_dim_twice, TSR_ERROR_ARGUMENT, "sum", "1"),
	MISTAKE(max_where_alone, TSR_ERROR_ARGUMENT, "max", ".initial = TSR_ARG"),
	MISTAKE(sum_where_ints, TSR_ERROR_TYPE, "sum", ".where", "bool", "i32"),
	MISTAKE(sum_where_dims, TSR_ERROR_TYPE, "sum", ".where", "(8,)", "(6,)"),
	MISTAKE(mean_where_more_dims, TSR_ERROR_TYPE, "mean", ".where", "(1, 8)", "(8,)"),
	MISTAKE(lse_where_dims, TSR_ERROR_TYPE, ".where", "(8,)", "(6,)"),
	MISTAKE(clamp_between_trees, TSR_ERROR_ARGUMENT, "clamp", "tree"),
	MISTAKE(lse_b_dims, TSR_ERROR_TYPE, "logsumexp", "(8,)", "(6,)"),
	MISTAKE(sum_initial_dims, TSR_ERROR_TYPE, "sum", ".initial", "1 dim"),
	MISTAKE(sum_initial_tree, TSR_ERROR_ARGUMENT, "sum", ".initial"),
	MISTAKE(sum_no_dtype, TSR_ERROR_ARGUMENT, "sum", ".dtype", "77"),
	MISTAKE(argmax_of_floats, TSR_ERROR_TYPE, "integer", "f32"),
	MISTAKE(round_integers, TSR_ERROR_UNSUPPORTED, "round", ".decimals"),
	MISTAKE(argmax_dim, TSR_ERROR_ARGUMENT, "argmax", "5"),
	MISTAKE(argmax_two_dims, TSR_ERROR_ARGUMENT, "argmax"),
	MISTAKE(argmax_of_nothing, TSR_ERROR_TYPE, "argmax", "f32[0,3]"),
	MISTAKE(sort_dim, TSR_ERROR_ARGUMENT, "sort", "dim 2", "2 dims"),
	MISTAKE(sort_two_dims, TSR_ERROR_ARGUMENT, "sort", ".dim takes one dim"),
	MISTAKE(sort_scalar, TSR_ERROR_ARGUMENT, "sort", "dim -1", "0 dims"),
	MISTAKE(sort_other_dims, TSR_ERROR_TYPE, "sort", "f32[6]", "i32[8]"),
	MISTAKE(sort_many_keys, TSR_ERROR_TYPE, "num_keys 3", "between 1 and 2"),
	MISTAKE(threefry_ints, TSR_ERROR_TYPE, "threefry2x32", "u32", "i32"),
	MISTAKE(argsort_of_floats, TSR_ERROR_TYPE, "argsort", "integer", "f32"),
	MISTAKE(argsort_no_dtype, TSR_ERROR_TYPE, "argsort", "no dtype"),
	MISTAKE(cumsum_dim, TSR_ERROR_ARGUMENT, "cumsum", "dim -3", "2 dims"),
	MISTAKE(cumsum_no_dtype, TSR_ERROR_ARGUMENT, "cumsum", ".dtype", "77"),
	MISTAKE(cummax_scalar, TSR_ERROR_ARGUMENT, "cummax", "dim 0", "0 dims"),
	MISTAKE(cumlogsumexp_ints, TSR_ERROR_TYPE, "cumlogsumexp", "i32"),
	MISTAKE(cumulative_no_dim, TSR_ERROR_ARGUMENT, "cumulative_sum", ".dim", "2"),
	MISTAKE(window_short, TSR_ERROR_ARGUMENT, "reduce_window", "1 dims", "2"),
	MISTAKE(window_set, TSR_ERROR_ARGUMENT, "reduce_window", "TSR_COMBINE_ADD", "0"),
	MISTAKE(window_empty, TSR_ERROR_ARGUMENT, "reduce_window", "at least 1", "0"),
	MISTAKE(window_stride, TSR_ERROR_ARGUMENT, "reduce_window", ".strides", "0"),
	MISTAKE(window_strides, TSR_ERROR_ARGUMENT, "reduce_window", ".strides", "2 entries", "1"),
	MISTAKE(window_padded_twice, TSR_ERROR_ARGUMENT, "reduce_window", ".low", ".padding"),
	MISTAKE(window_cut_away, TSR_ERROR_TYPE, "padding", "f32[8,16]"),
	MISTAKE(top_17, TSR_ERROR_ARGUMENT, "top_k", "16", "17"),
	MISTAKE(convolve_rows, TSR_ERROR_TYPE, "convolve", "one dim", "2"),
	MISTAKE(correlate_mode, TSR_ERROR_ARGUMENT, "correlate", ".mode 9"),
	MISTAKE(pool_dims, TSR_ERROR_ARGUMENT, "max_pool", "2 dims", "features"),
	MISTAKE(conv_dtypes, TSR_ERROR_TYPE, "conv_general_dilated", "f32", "i32"),
	MISTAKE(conv_features, TSR_ERROR_TYPE, "conv_general_dilated", "5", "16", "features"),
	MISTAKE(conv_groups, TSR_ERROR_ARGUMENT, "feature_group_count", "batch_group_count"),
	MISTAKE(conv_spec, TSR_ERROR_ARGUMENT, ".lhs_spec", "\"NN\"", "2 dims"),
	MISTAKE(conv_same_of_dilated, TSR_ERROR_ARGUMENT, ".padding", ".lhs_dilation"),
	MISTAKE(transpose_dim, TSR_ERROR_ARGUMENT, "transpose", "2"),
	MISTAKE(transpose_twice, TSR_ERROR_TYPE, "transpose", "(0, 0)", "(8, 16)"),
	MISTAKE(transpose_count, TSR_ERROR_ARGUMENT, "transpose", "1", "2 dims"),
	MISTAKE(flip_dim, TSR_ERROR_ARGUMENT, "flip", "2"),
	MISTAKE(squeeze_dim, TSR_ERROR_ARGUMENT, "squeeze", "4"),
	MISTAKE(expand_dim_twice, TSR_ERROR_ARGUMENT, "expand_dims", "dim 0 is named twice"),
	MISTAKE(expand_not_given, TSR_ERROR_ARGUMENT, "expand_dims", "TSR_DIMS()"),
	MISTAKE(stack_flat, TSR_ERROR_ARGUMENT, "stack", "out of range"),
	MISTAKE(clamp_tree, TSR_ERROR_ARGUMENT, "clamp", "operand 2 is a tree"),
	MISTAKE(starts_count, TSR_ERROR_ARGUMENT, "dynamic_slice_dims", "takes 2 starts", "1"),
	MISTAKE(starts_sizes, TSR_ERROR_ARGUMENT, "dynamic_slice_dims", "sizes", "1", "2 dims"),
	MISTAKE(starts_too_large, TSR_ERROR_TYPE, "slice", "17"),
	MISTAKE(starts_of_floats, TSR_ERROR_TYPE, "dynamic_update_dims", "integer"),
	MISTAKE(starts_tree, TSR_ERROR_TYPE, "dynamic_slice_dims", "integer"),
	MISTAKE(starts_update_dims, TSR_ERROR_TYPE, "dynamic_update", "(6,)"),
	MISTAKE(split_down, TSR_ERROR_ARGUMENT, "split", ".indices", "2 follows 5"),
	MISTAKE(split_beyond, TSR_ERROR_ARGUMENT, "split", ".indices", "7 follows 2", "6"),
	MISTAKE(split_negative, TSR_ERROR_ARGUMENT, "split", ".indices", "-1"),
	MISTAKE(split_count, TSR_ERROR_ARGUMENT, "split", "1 .indices", "2 parts", "3"),
	MISTAKE(expand_dim, TSR_ERROR_ARGUMENT, "expand_dims", "4"),
	MISTAKE(concatenate_dim, TSR_ERROR_ARGUMENT, "concatenate", "2"),
	MISTAKE(slice_dim, TSR_ERROR_ARGUMENT, "slice", "2"),
	MISTAKE(index_dim, TSR_ERROR_ARGUMENT, "index", "dim 1", "1 dim"),
	MISTAKE(index_beyond, TSR_ERROR_ARGUMENT, "index", "6"),
	MISTAKE(index_far_negative, TSR_ERROR_ARGUMENT, "index", "-7", "6"),
	MISTAKE(index_of_scalar, TSR_ERROR_ARGUMENT, "index"),
	MISTAKE(dynamic_slice_too_long, TSR_ERROR_TYPE, "slice", "(7,)", "(6,)"),
	MISTAKE(dynamic_slice_negative, TSR_ERROR_TYPE, "slice", "(-1,)", "(6,)"),
	MISTAKE(strides_zero, TSR_ERROR_ARGUMENT, "slice_strided", "dim 0", ".steps"),
	MISTAKE(strides_count, TSR_ERROR_ARGUMENT, "slice_strided"),
	MISTAKE(pad_count, TSR_ERROR_ARGUMENT, "pad", "2"),
	MISTAKE(pad_takes_too_much, TSR_ERROR_TYPE, "pad", "f32[6]", "-4", "-3"),
	MISTAKE(pad_interior_negative, TSR_ERROR_TYPE, "interior", "-1"),
	MISTAKE(take_dim, TSR_ERROR_ARGUMENT, "take", "2"),
	MISTAKE(take_of_nothing, TSR_ERROR_ARGUMENT, "take", "dim 1", "no elements"),
	MISTAKE(take_of_scalar, TSR_ERROR_ARGUMENT, "take", "0 dims"),
	MISTAKE(take_mode, TSR_ERROR_ARGUMENT, "take", "4", "tsr_index_mode"),
	MISTAKE(along_dim, TSR_ERROR_ARGUMENT, "take_along", "-3"),
	MISTAKE(put_dim, TSR_ERROR_ARGUMENT, "at_min", "dim 1"),
	MISTAKE(windows_dim, TSR_ERROR_ARGUMENT, "gather", "dim 1", "1 dim"),
	MISTAKE(windows_wrap, TSR_ERROR_ARGUMENT, "scatter", "TSR_WRAP"),
	MISTAKE(windows_combine, TSR_ERROR_ARGUMENT, "scatter", "9", "tsr_combine"),
	MISTAKE(iota_dim, TSR_ERROR_ARGUMENT, "iota", "2"),
	MISTAKE(dim_of, TSR_ERROR_ARGUMENT, "dim 2", "2 dims"),
	MISTAKE(neg_of_bool, TSR_ERROR_TYPE, "neg", "bool"),
	MISTAKE(sub_of_bool, TSR_ERROR_TYPE, "sub", "bool"),
	MISTAKE(and_of_floats, TSR_ERROR_TYPE, "and", "f32"),
	MISTAKE(not_of_floats, TSR_ERROR_TYPE, "not", "f32"),
	MISTAKE(shift_of_floats, TSR_ERROR_TYPE, "shift_left", "f32"),
	MISTAKE(shift_by_floats, TSR_ERROR_TYPE, "shift_left", "f32"),
	MISTAKE(compare_complex, TSR_ERROR_TYPE, "lt", "c64"),
	MISTAKE(floor_of_complex, TSR_ERROR_TYPE, "floor", "c64"),
	MISTAKE(negative_power_of_integers, TSR_ERROR_TYPE, "integer_pow", "i32"),
	MISTAKE(take_at_floats, TSR_ERROR_TYPE, "take", "integers", "f32"),
	MISTAKE(put_at_bools, TSR_ERROR_TYPE, "at_set", "integers", "bool"),
	MISTAKE(put_number_beyond, TSR_ERROR_TYPE, "3000000000", "i32"),
	MISTAKE(put_sum_of_bools, TSR_ERROR_TYPE, "at_add", "bool"),
	MISTAKE(windows_at_floats, TSR_ERROR_TYPE, "gather", "integer", "f32[6,1]"),
	MISTAKE(windows_other_dtypes, TSR_ERROR_TYPE, "scatter", "f32[6]", "i32[8]"),
	MISTAKE(start_of_floats, TSR_ERROR_TYPE, "dynamic_slice", "start", "integer"),
	MISTAKE(start_of_fraction, TSR_ERROR_TYPE, "dynamic_slice", "start", "integer"),
	MISTAKE(start_of_many, TSR_ERROR_TYPE, "dynamic_slice", "start", "rank 0"),
	MISTAKE(no_dtype, TSR_ERROR_ARGUMENT, "astype", "77"),
	MISTAKE(no_dtype_of_zeros, TSR_ERROR_ARGUMENT, "zeros", "99"),
	MISTAKE(no_dtype_of_eye, TSR_ERROR_ARGUMENT, "eye: 99 is not a dtype"),
	MISTAKE(no_dtype_of_arange, TSR_ERROR_ARGUMENT, "arange: 99 is not a dtype"),
	MISTAKE(no_dtype_of_scalar, TSR_ERROR_ARGUMENT, "scalar: 99 is not a dtype"),
	MISTAKE(in_a_body, TSR_ERROR_TYPE, "a number that needs i64 does not fit i32"),
	MISTAKE(number_beyond_i32, TSR_ERROR_TYPE, "3000000000 does not fit i32"),
	MISTAKE(number_below_i32, TSR_ERROR_TYPE, "-3000000000 does not fit i32"),
	MISTAKE(number_beyond_u8, TSR_ERROR_TYPE, "300 does not fit u8"),
	MISTAKE(number_beyond_i64, TSR_ERROR_TYPE, "18446744073709551615 does not fit i64"),
	MISTAKE(full_beyond_i8, TSR_ERROR_TYPE, "128 does not fit i8"),
	MISTAKE(carry_beyond_u8, TSR_ERROR_TYPE, "256 does not fit u8"),
	MISTAKE(no_dtype_of_data, TSR_ERROR_ARGUMENT, "from", "dtype"),
	MISTAKE(negative_size, TSR_ERROR_ARGUMENT, "zeros", "-3"),
	MISTAKE(negative_count, TSR_ERROR_ARGUMENT, "arange", "-1"),
	MISTAKE(negative_eye, TSR_ERROR_ARGUMENT, "eye: f32[-2,-2]"),
	MISTAKE(dims_not_given, TSR_ERROR_ARGUMENT, "zeros", "dims"),
	MISTAKE(dims_nonsense, TSR_ERROR_ARGUMENT, "dims"),
	MISTAKE(elements_overflow, TSR_ERROR_ARGUMENT, "4611686018427387903,3"),
	MISTAKE(bytes_overflow, TSR_ERROR_ARGUMENT, "2305843009213693951,2"),
	MISTAKE(broadcast_overflow, TSR_ERROR_TYPE, "1152921504606846975,8,16"),
	MISTAKE(pad_overflow, TSR_ERROR_TYPE, "padding", "f32[6]", "9223372036854775807"),
	MISTAKE(reshape_overflow, TSR_ERROR_TYPE, "reshape", "overflow"),
	MISTAKE(arange_overflow, TSR_ERROR_ARGUMENT, "arange: i64[9223372036854775807]"),
	MISTAKE(eye_overflow, TSR_ERROR_ARGUMENT, "eye", "9223372036854775807"),
	MISTAKE(iota_overflow, TSR_ERROR_ARGUMENT, "iota", "9223372036854775807,4"),
	MISTAKE(doubles_for_f32, TSR_ERROR_TYPE, "from: the memory holds f64", "f32"),
	MISTAKE(literal_for_f32, TSR_ERROR_TYPE, "from: the memory holds f64", "f32"),
	MISTAKE(read_into_doubles, TSR_ERROR_TYPE, "read: the memory holds f64", "f32"),
	MISTAKE(remainder_alone, TSR_ERROR_TYPE, "remainder does not accept dtype c64"),
	MISTAKE(remainder_inside, TSR_ERROR_TYPE, "remainder does not accept dtype c64"),
	MISTAKE(copysign_inside, TSR_ERROR_TYPE, "copysign does not support"),
	MISTAKE(glu_inside, TSR_ERROR_TYPE, "glu: dim 1 of size 15"),
	MISTAKE(at_add_inside, TSR_ERROR_TYPE,
	        "at_add that combines by add does not accept dtype bool"),
	MISTAKE(data_is_null, TSR_ERROR_ARGUMENT, "from", "NULL"),
	MISTAKE(strides_of_wrap, TSR_ERROR_ARGUMENT, "wrap", "strides"),
};

static void test_mistakes(void **state)
{
	(void)state;
	assert_int_equal(mistakes_check("test_shapes.c", table, sizeof table / sizeof *table), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_mistakes)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
