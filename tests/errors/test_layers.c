/* test_layers.c - layers and losses with parameters that do not fit, and impossible keywords. */
#include "support/mistakes.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#define D TSR_DIMS
#define KEY tsr_key(w->ctx, 1)
#define Z(...) tsr_zeros(w->ctx, D(__VA_ARGS__))
#define COMPLEX tsr_astype(w->a, TSR_C64)

/* one mistake a line: a function of the world that makes one wrong call */
#define CASE(name, call) static tsr *name(world *w) { return WRONG(w, call); }

CASE(linear_kernel, tsr_linear(w->a, w->a, NULL))
CASE(linear_of_scalar, tsr_linear(tsr_scalar(w->ctx, 1.0), w->b, NULL))
CASE(linear_bias, tsr_linear(w->a, w->b, w->v))
CASE(linear_no_kernel, tsr_linear(w->a, NULL, NULL))
CASE(linear_elsewhere, tsr_linear(w->a, w->elsewhere, NULL))
CASE(linear_ints, tsr_linear(w->a, w->b, NULL, .dtype = TSR_I32))
CASE(linear_no_dtype, tsr_linear(w->a, w->b, NULL, .dtype = (tsr_dtype)77))
CASE(embed_floats, tsr_embed(w->v, w->a))
CASE(embed_table, tsr_embed(w->i, w->v))

CASE(conv_kernel, tsr_conv(w->a, w->v, NULL))
CASE(conv_dims, tsr_conv(w->v, Z(3, 1, 2, 2), NULL))
CASE(conv_features, tsr_conv(w->a, Z(3, 5, 2), NULL))
CASE(conv_bias, tsr_conv(w->a, Z(3, 16, 2), w->v))
CASE(conv_groups, tsr_conv(w->a, Z(3, 16, 2), NULL, .feature_group_count = 3))
CASE(conv_both, tsr_conv(w->a, Z(3, 16, 2), NULL, .padding = TSR_SAME, .low = D(1)))
CASE(conv_circular_both, tsr_conv(w->a, Z(3, 16, 2), NULL, .padding = TSR_CIRCULAR, .low = D(1)))
CASE(conv_causal, tsr_conv(Z(5, 5, 2), Z(3, 3, 2, 1), NULL, .padding = TSR_CAUSAL))
CASE(conv_dilated, tsr_conv(w->a, Z(3, 16, 2), NULL, .input_dilation = D(2)))
CASE(conv_apart, tsr_conv(w->a, Z(3, 16, 2), NULL, .kernel_dilation = D(1, 2)))
CASE(conv_reflect_apart, tsr_conv(w->a, Z(3, 16, 2), NULL, .padding = TSR_REFLECT,
                                  .kernel_dilation = D(1, 2)))
CASE(pool_circular, tsr_max_pool(w->a, D(2), .padding = TSR_CIRCULAR))

CASE(norm_scale, tsr_layer_norm(w->a, w->v, NULL))
CASE(norm_bias, tsr_layer_norm(w->a, NULL, w->v))
CASE(norm_dims, tsr_layer_norm(w->a, NULL, NULL, .dims = D(2)))
CASE(norm_twice, tsr_rms_norm(w->a, NULL, .dims = D(1, -1)))
CASE(norm_features, tsr_rms_norm(w->a, NULL, .feature_dims = D(5)))
CASE(norm_complex, tsr_layer_norm(COMPLEX, NULL, NULL))
CASE(norm_axis, tsr_layer_norm(w->a, NULL, NULL, .axis = "x"))
CASE(norm_where, tsr_layer_norm(w->a, NULL, NULL, .where = tsr_gt(w->v, 0)))
CASE(groups_none, tsr_group_norm(w->a, 0, NULL, NULL))
CASE(groups_three, tsr_group_norm(w->a, 3, NULL, NULL))
CASE(groups_both, tsr_group_norm(w->a, 2, NULL, NULL, .group_size = 8))
CASE(groups_of_scalar, tsr_group_norm(tsr_scalar(w->ctx, 1.0), 1, NULL, NULL))
CASE(groups_scale, tsr_group_norm(w->a, 2, w->v, NULL))
CASE(batch_mean, tsr_batch_norm(w->a, NULL, NULL, w->v, w->v))
CASE(batch_ints, tsr_batch_norm(Z(3, 8), NULL, NULL, w->i, w->i))
CASE(batch_no_var, tsr_batch_norm(Z(3, 6), NULL, NULL, w->v, NULL))
CASE(batch_dim, tsr_batch_norm(w->a, NULL, NULL, w->v, w->v, .dim = D(0, 1)))
CASE(batch_momentum, tsr_batch_norm(Z(3, 6), NULL, NULL, w->v, w->v,
                                    .momentum = TSR_ARG(0.5 + 1.0i)))

CASE(dropout_no_key, tsr_dropout(NULL, w->a, 0.5))
CASE(dropout_key, tsr_dropout(w->v, w->a, 0.5))
CASE(dropout_rate, tsr_dropout(KEY, w->a, 1.5))
CASE(dropout_ints, tsr_dropout(KEY, w->i, 0.5))
CASE(dropout_dims, tsr_dropout(KEY, w->a, 0.5, .broadcast_dims = D(2)))
CASE(dropout_start, tsr_dropout(KEY, w->a, 0.5, .start = w->i))

CASE(rnn_batch, tsr_rnn_cell(Z(8, 2), Z(3, 3), Z(3, 2), Z(2, 2), NULL))
CASE(rnn_kernel, tsr_rnn_cell(Z(8, 2), Z(8, 3), Z(3, 4), Z(2, 2), NULL))
CASE(rnn_recurrent, tsr_rnn_cell(Z(8, 2), Z(8, 3), Z(3, 2), Z(3, 2), NULL))
CASE(rnn_bias, tsr_rnn_cell(Z(8, 2), Z(8, 3), Z(3, 2), Z(2, 2), Z(3)))
CASE(gru_kernel, tsr_gru_cell(Z(8, 2), Z(8, 3), Z(3, 2), Z(2, 6), NULL))
CASE(gru_bias, tsr_gru_cell(Z(8, 2), Z(8, 3), Z(3, 6), Z(2, 6), NULL, .recurrent_bias = Z(6)))
static tsr *lstm_c(world *w)
{
	tsr *out[2];

	WRONG(w, tsr_lstm_cell(Z(2), Z(8, 2), Z(8, 3), Z(3, 8), Z(2, 8), NULL, out));
	return out[1];
}

#define HEADS(x, ...) tsr_multi_head_attention(x, Z(6, 4, 2), Z(6, 2, 2), Z(6, 2, 2), \
	Z(4, 2, 6), __VA_ARGS__)
CASE(heads_of_two_dims, HEADS(w->a, .scale = 1))
CASE(heads_query, HEADS(Z(2, 3, 5), .scale = 1))
CASE(heads_value, HEADS(Z(2, 3, 6), .value_input = Z(2, 3, 5)))
CASE(heads_inputs, HEADS(Z(2, 3, 6), .key_input = Z(1, 3, 6)))
CASE(heads_groups, tsr_multi_head_attention(Z(2, 3, 6), Z(6, 3, 2), Z(6, 2, 2), Z(6, 2, 2),
                                            Z(3, 2, 6)))
CASE(heads_out, tsr_multi_head_attention(Z(2, 3, 6), Z(6, 4, 2), Z(6, 2, 2), Z(6, 2, 2),
                                         Z(2, 4, 6)))
CASE(heads_none, tsr_multi_head_attention(Z(2, 3, 6), NULL, w->a, w->a, w->a))
CASE(heads_mask, HEADS(Z(2, 3, 6), .mask = tsr_gt(Z(3, 4), 0)))
CASE(heads_bias, HEADS(Z(2, 3, 6), .query_bias = Z(3, 4)))
CASE(heads_one_cache, HEADS(Z(2, 3, 6), .key_cache = Z(2, 9, 2, 2)))
CASE(heads_room, HEADS(Z(2, 3, 6), .key_cache = Z(2, 2, 2, 2), .value_cache = Z(2, 2, 2, 2)))
CASE(heads_position, HEADS(Z(2, 3, 6), .position = TSR_ARG(0.5)))
CASE(heads_positions, HEADS(Z(2, 3, 6), .position = TSR_ARG(w->i)))
CASE(heads_odd, tsr_multi_head_attention(Z(2, 3, 6), Z(6, 2, 3), Z(6, 2, 3), Z(6, 2, 3),
                                         Z(2, 3, 6), .rotary = 100))
CASE(heads_complex, HEADS(tsr_astype(Z(2, 3, 6), TSR_C64), .scale = 1))
CASE(rotary_dims, tsr_rotary(w->a))
CASE(rotary_odd, tsr_rotary(Z(4, 2, 3)))
CASE(rotary_complex, tsr_rotary(tsr_astype(Z(4, 2, 2), TSR_C64)))
CASE(rotary_places, tsr_rotary(Z(4, 2, 2), .position = TSR_ARG(w->v)))
CASE(rotary_batch, tsr_rotary(Z(4, 2, 2), .position = TSR_ARG(Z(3, 4))))
CASE(rotary_base, tsr_rotary(Z(4, 2, 2), .base = -1))

CASE(entropy_ints, tsr_softmax_cross_entropy(w->i, w->i))
CASE(entropy_dim, tsr_softmax_cross_entropy(w->a, w->a, .dim = D(2)))
CASE(entropy_of_scalar, tsr_softmax_cross_entropy(tsr_scalar(w->ctx, 1.0), w->a))
CASE(labels_floats, tsr_softmax_cross_entropy_with_integer_labels(w->a, Z(8)))
CASE(labels_dims, tsr_softmax_cross_entropy_with_integer_labels(w->b, w->i))
CASE(sigmoid_complex, tsr_sigmoid_binary_cross_entropy(COMPLEX, w->a))
CASE(squared_ints, tsr_squared_error(w->i, NULL))
CASE(squared_dims, tsr_squared_error(Z(6, 1), w->v))
CASE(half_dims, tsr_l2_loss(Z(6, 1), w->v))
CASE(huber_ints, tsr_huber_loss(w->i, NULL))
CASE(smooth_ints, tsr_smooth_labels(w->i, 0.1))

#define TYPE TSR_ERROR_TYPE
#define ARGUMENT TSR_ERROR_ARGUMENT
static const mistake table[] = {
	MISTAKE(linear_kernel, TYPE, "linear takes x [..., in] and a kernel", "f32[8,16]"),
	MISTAKE(linear_of_scalar, TYPE, "linear takes", "f32[]"),
	MISTAKE(linear_bias, TYPE, "linear: the bias must have the shape (4,), not (6,)"),
	MISTAKE(linear_no_kernel, TSR_ERROR_HANDLE, "linear: operand 1 is NULL"),
	MISTAKE(linear_elsewhere, TSR_ERROR_HANDLE, "linear", "another context"),
	MISTAKE(linear_ints, ARGUMENT, "linear: .dtype must be a float or complex one, not i32"),
	MISTAKE(linear_no_dtype, ARGUMENT, "linear: .dtype 77 is not a dtype"),
	MISTAKE(embed_floats, TYPE, "embed takes integers and a table", "f32[6]"),
	MISTAKE(embed_table, TYPE, "embed takes integers and a table", "f32[6]"),
	MISTAKE(conv_kernel, TYPE, "conv takes x [batch, spatial ..., in]", "f32[6]"),
	MISTAKE(conv_dims, TYPE, "conv takes x [batch, spatial ..., in]", "f32[3,1,2,2]"),
	MISTAKE(conv_features, TYPE, "conv", "input features", "5 and 16"),
	MISTAKE(conv_bias, TYPE, "conv: the bias must have the shape (2,), not (6,)"),
	MISTAKE(conv_groups, TYPE, "conv: .feature_group_count", "3 * 16 and 16"),
	MISTAKE(conv_both, ARGUMENT, "conv: .low and .high say how much is padded"),
	MISTAKE(conv_circular_both, ARGUMENT, "conv: .low and .high say how much is padded"),
	MISTAKE(conv_causal, ARGUMENT, "conv: TSR_CAUSAL is for windows of one dim, not of 2"),
	MISTAKE(conv_dilated, ARGUMENT, "conv: .padding", ".input_dilation"),
	MISTAKE(conv_apart, ARGUMENT, "conv: .kernel_dilation"),
	MISTAKE(conv_reflect_apart, ARGUMENT, "conv: .kernel_dilation"),
	MISTAKE(pool_circular, ARGUMENT, "max_pool: .padding 4 is none of TSR_VALID, TSR_SAME"),
	MISTAKE(norm_scale, TYPE, "layer_norm: the scale must have the shape (16,), not (6,)"),
	MISTAKE(norm_bias, TYPE, "layer_norm: the bias must have the shape (16,), not (6,)"),
	MISTAKE(norm_dims, ARGUMENT, "layer_norm: dim 2 is out of range"),
	MISTAKE(norm_twice, ARGUMENT, "rms_norm: dim 1 is named twice in .dims"),
	MISTAKE(norm_features, ARGUMENT, "rms_norm: dim 5 is out of range"),
	MISTAKE(norm_complex, TYPE, "layer_norm does not accept dtype c64"),
	MISTAKE(norm_axis, TSR_ERROR_SHARDING, "unbound axis name: x", "call layer_norm under"),
	MISTAKE(norm_where, TYPE, "layer_norm", "(6,)", "(8, 16)"),
	MISTAKE(groups_none, ARGUMENT, "group_norm: groups must divide the 16 features, and 0"),
	MISTAKE(groups_three, ARGUMENT, "group_norm: groups must divide the 16 features, and 3"),
	MISTAKE(groups_both, ARGUMENT, "group_norm: with .group_size the number of groups is 0"),
	MISTAKE(groups_of_scalar, TYPE, "group_norm: x must have dims"),
	MISTAKE(groups_scale, TYPE, "group_norm: the scale must have the shape (16,), not (6,)"),
	MISTAKE(batch_mean, TYPE, "batch_norm: mean must have the shape (16,), not (6,)"),
	MISTAKE(batch_ints, TYPE, "batch_norm: mean must be of real floats, not i32[8]"),
	MISTAKE(batch_no_var, TSR_ERROR_HANDLE, "batch_norm: operand 1 is NULL"),
	MISTAKE(batch_dim, ARGUMENT, "batch_norm: .dim takes one dim"),
	MISTAKE(batch_momentum, ARGUMENT, "batch_norm: .momentum must be real"),
	MISTAKE(dropout_no_key, TSR_ERROR_HANDLE, "dropout: the key is NULL"),
	MISTAKE(dropout_key, TYPE, "dropout: a key is u32[2]", "f32[6]"),
	MISTAKE(dropout_rate, ARGUMENT, "dropout: the rate must be between 0 and 1, and is 1.5"),
	MISTAKE(dropout_ints, TYPE, "dropout drops elements of floats", "i32[8]"),
	MISTAKE(dropout_dims, ARGUMENT, "dropout: dim 2 is out of range"),
	MISTAKE(dropout_start, ARGUMENT, "dropout with .start needs .whole"),
	MISTAKE(rnn_batch, TYPE, "rnn_cell takes h [..., hidden]", "f32[3,3]"),
	MISTAKE(rnn_kernel, TYPE, "rnn_cell: the kernel must have the shape (3, 2), not (3, 4)"),
	MISTAKE(rnn_recurrent, TYPE, "rnn_cell: the recurrent kernel must have the shape (2, 2)"),
	MISTAKE(rnn_bias, TYPE, "rnn_cell: the bias must have the shape (2,), not (3,)"),
	MISTAKE(gru_kernel, TYPE, "gru_cell: the kernel must have the shape (3, 6), not (3, 2)"),
	MISTAKE(gru_bias, TYPE, "gru_cell: .recurrent_bias must have the shape (2,), not (6,)"),
	MISTAKE(lstm_c, TYPE, "lstm_cell: c must have the shape (8, 2), not (2,)"),
	MISTAKE(heads_of_two_dims, TYPE, "multi_head_attention takes [batch, length, features]",
	        "f32[8,16]"),
	MISTAKE(heads_query, TYPE, "multi_head_attention takes", "f32[2,3,5] and f32[6,4,2]"),
	MISTAKE(heads_value, TYPE, "multi_head_attention takes", "f32[2,3,5] and f32[6,2,2]"),
	MISTAKE(heads_inputs, TYPE, "multi_head_attention takes a query, key and value that fit"),
	MISTAKE(heads_groups, TYPE, "multi_head_attention takes a query, key and value that fit"),
	MISTAKE(heads_out, TYPE, "multi_head_attention takes a query", "f32[6,4,2] and f32[2,4,6]"),
	MISTAKE(heads_none, TSR_ERROR_HANDLE, "multi_head_attention: operand 1 is NULL"),
	MISTAKE(heads_mask, TYPE, "multi_head_attention: shape (3, 4)", "(2, 4, 3, 3)"),
	MISTAKE(heads_bias, TYPE, "multi_head_attention: .query_bias must have the shape (4, 2)"),
	MISTAKE(heads_one_cache, ARGUMENT, "multi_head_attention: .key_cache and .value_cache"),
	MISTAKE(heads_room, TYPE, "multi_head_attention takes a cache", "f32[2,2,2,2]"),
	MISTAKE(heads_position, ARGUMENT, "multi_head_attention: .position must be an integer"),
	MISTAKE(heads_positions, ARGUMENT, "multi_head_attention: .position must be an integer"),
	MISTAKE(heads_odd, TYPE, "multi_head_attention", "even head", "f32[2,3,2,3]"),
	MISTAKE(heads_complex, TYPE, "multi_head_attention does not accept dtype c64"),
	MISTAKE(rotary_dims, TYPE, "rotary takes real x [.., length, heads, head]", "f32[8,16]"),
	MISTAKE(rotary_odd, TYPE, "rotary takes real x", "even head", "f32[4,2,3]"),
	MISTAKE(rotary_complex, TYPE, "rotary takes real x", "c64[4,2,2]"),
	MISTAKE(rotary_places, TYPE, "rotary: .position", "(6,)", "(4,)"),
	MISTAKE(rotary_batch, TYPE, "rotary: .position", "(3, 4)", "(4,)"),
	MISTAKE(rotary_base, ARGUMENT, "rotary: the base is -1", "above 0"),
	MISTAKE(entropy_ints, TYPE, "softmax_cross_entropy: logits must be real floats, not i32"),
	MISTAKE(entropy_dim, ARGUMENT, "softmax_cross_entropy: dim 2 is out of range"),
	MISTAKE(entropy_of_scalar, ARGUMENT, "softmax_cross_entropy: dim -1 is out of range"),
	MISTAKE(labels_floats, TYPE, "with_integer_labels takes logits, and integers", "f32[8]"),
	MISTAKE(labels_dims, TYPE, "with_integer_labels takes logits, and integers", "i32[8]"),
	MISTAKE(sigmoid_complex, TYPE, "sigmoid_binary_cross_entropy: logits must be real floats"),
	MISTAKE(squared_ints, TYPE, "squared_error: predictions must be real floats, not i32"),
	MISTAKE(squared_dims, TYPE, "squared_error takes predictions and targets of the same dims"),
	MISTAKE(half_dims, TYPE, "l2_loss takes predictions and targets of the same dims"),
	MISTAKE(huber_ints, TYPE, "huber_loss: predictions must be real floats, not i32"),
	MISTAKE(smooth_ints, TYPE, "smooth_labels: labels must be real floats, not i32"),
};

static void mistakes(void **state)
{
	(void)state;
	assert_int_equal(mistakes_check("test_layers.c", table, sizeof table / sizeof *table), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(mistakes)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
