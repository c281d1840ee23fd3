/* layer_rows.h - the table of layers and losses, for the laws that each of them obeys: its gradient
 * is that of differences, a batch is a loop, and operands cut over a mesh give the values of one
 * device.
 *
 * A row is a name, an expression in the operands a[0], a[1], ..., and what each of these is. */
#ifndef TSR_TESTS_LAYER_ROWS_H
#define TSR_TESTS_LAYER_ROWS_H
#include "support/quiet.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include <tsr/tsr.h>

#define D TSR_DIMS
enum { MOST_OPERANDS = 6, MOST_ROW_SIZE = 200 };

typedef struct layer_operand {
	enum { NONE, FLOATS, ABOVE, WHOLE, MASK, KEY } kind; /* ABOVE: floats above 0 */
	int64_t most;                                        /* WHOLE: less than that */
	tsr_dims dims;
} layer_operand;
/* D(...) that is a constant */
#define DIMS(...)    {.d = {sizeof((int64_t[]){0, __VA_ARGS__}) / sizeof(int64_t), __VA_ARGS__}}
#define F(...)       {FLOATS, 0, DIMS(__VA_ARGS__)}
#define UP(...)      {ABOVE, 0, DIMS(__VA_ARGS__)}
#define I(most, ...) {WHOLE, most, DIMS(__VA_ARGS__)}
#define M(...)       {MASK, 0, DIMS(__VA_ARGS__)}
#define K            {KEY, 0, DIMS(2)}

/* results in one */
static inline tsr *joined(tsr *const *x, size_t n)
{
	tsr *flat[3];

	for (size_t i = 0; i < n; i++) flat[i] = tsr_ravel(x[i]);
	return tsr_concatenate_at(TSR_HERE, 0, flat, n);
}
static inline tsr *lstm(tsr *const *a)
{
	tsr *out[2];

	tsr_lstm_cell(a[0], a[1], a[2], a[3], a[4], a[5], out);
	return joined(out, 2);
}
static inline tsr *batch_norm(tsr *const *a, bool average)
{
	tsr *all[3];

	all[0] = tsr_batch_norm(a[0], a[1], a[2], a[3], a[4], .new_mean = &all[1],
	                        .new_var = &all[2], .use_running_average = average,
	                        .momentum = TSR_ARG(0.75));
	return joined(all, 3);
}

/* a row of x beside a cache of keys and values that are the same */
static inline tsr *decoded(tsr *const *a)
{
	tsr *all[3];

	all[0] = tsr_multi_head_attention(a[0], a[1], a[2], a[2], a[3], .rotary = 100, .key_cache =
	                                  a[4], .value_cache = a[4], .position = TSR_ARG(a[5]),
	                                  .new_key_cache = &all[1], .new_value_cache = &all[2]);
	return joined(all, 3);
}

#define LAYER_ROWS(_) \
	_(linear, tsr_linear(a[0], a[1], a[2]), F(4, 6), F(6, 4), F(4)) \
	_(linear_wide, tsr_linear(a[0], a[1], NULL), F(2, 3, 4), F(4, 2, 2)) \
	_(embed, tsr_embed(a[0], a[1]), I(6, 4, 2), F(6, 4)) \
	_(conv, tsr_conv(a[0], a[1], a[2], .strides = D(1, 2)), F(2, 5, 6, 2), F(3, 2, 2, 4), \
	  F(4)) \
	_(conv_circular, tsr_conv(a[0], a[1], NULL, .padding = TSR_CIRCULAR), F(2, 6, 2), \
	  F(4, 2, 4)) \
	_(conv_around, tsr_conv(a[0], a[1], NULL, .padding = TSR_CIRCULAR), F(2, 3, 2), \
	  F(9, 2, 2)) \
	_(conv_reflect, tsr_conv(a[0], a[1], NULL, .padding = TSR_REFLECT, .kernel_dilation = \
	  D(2)), F(2, 6, 2), F(3, 2, 2)) \
	_(conv_causal, tsr_conv(a[0], a[1], NULL, .padding = TSR_CAUSAL), F(6, 2), F(3, 2, 4)) \
	_(conv_groups, tsr_conv(a[0], a[1], a[2], .feature_group_count = 2, .padding = \
	  TSR_VALID), F(2, 2, 6, 4), F(3, 2, 4), F(4)) \
	_(layer_norm, tsr_layer_norm(a[0], a[1], a[2]), F(4, 6), F(6), F(6)) \
	_(layer_norm_exact, tsr_layer_norm(a[0], a[1], NULL, .exact = true, .dims = D(0, 2), \
	  .feature_dims = D(0)), F(4, 2, 3), F(4)) \
	_(layer_norm_where, tsr_layer_norm(a[0], NULL, NULL, .where = a[1]), F(4, 6), M(4, 6)) \
	_(rms_norm, tsr_rms_norm(a[0], a[1]), F(4, 6), F(6)) \
	_(group_norm, tsr_group_norm(a[0], 2, a[1], a[2]), F(4, 3, 4), F(4), F(4)) \
	_(batch_norm, batch_norm(a, false), F(4, 2, 4), F(4), F(4), F(4), UP(4)) \
	_(batch_norm_used, batch_norm(a, true), F(4, 2, 4), F(4), F(4), F(4), UP(4)) \
	_(dropout, tsr_dropout(a[0], a[1], 0.5), K, F(4, 6)) \
	_(dropout_rows, tsr_dropout(a[0], a[1], 0.25, .broadcast_dims = D(-1)), K, F(4, 6)) \
	_(rnn_cell, tsr_rnn_cell(a[0], a[1], a[2], a[3], a[4]), F(4, 2), F(4, 3), F(3, 2), \
	  F(2, 2), F(2)) \
	_(rnn_residual, tsr_rnn_cell(a[0], a[1], a[2], a[3], NULL, .residual = true), F(4, 2), \
	  F(4, 3), F(3, 2), F(2, 2)) \
	_(lstm_cell, lstm(a), F(4, 2), F(4, 2), F(4, 3), F(3, 8), F(2, 8), F(8)) \
	_(gru_cell, tsr_gru_cell(a[0], a[1], a[2], a[3], a[4], .recurrent_bias = a[5]), F(4, 2), \
	  F(4, 3), F(3, 6), F(2, 6), F(6), F(2)) \
	_(multi_head_attention, tsr_multi_head_attention(a[0], a[1], a[2], a[3], a[4], .mask = \
	  a[5]), F(2, 4, 4), F(4, 4, 2), F(4, 2, 2), F(4, 2, 2), F(4, 2, 4), M(2, 1, 4, 4)) \
	_(attention_causal, tsr_multi_head_attention(a[0], a[1], a[2], a[2], a[3], .causal = true, \
	  .query_bias = a[4], .out_bias = a[5], .rotary = 100), F(2, 4, 4), F(4, 4, 2), \
	  F(4, 2, 2), F(4, 2, 4), F(4, 2), F(4)) \
	_(attention_bias, tsr_multi_head_attention(a[0], a[1], a[2], a[2], a[3], .bias = a[5], \
	  .key_input = a[4]), F(2, 4, 4), F(4, 4, 2), F(4, 2, 2), F(4, 2, 4), F(2, 3, 4), \
	  F(4, 1, 3)) \
	_(attention_decoded, decoded(a), F(2, 1, 4), F(4, 4, 2), F(4, 2, 2), F(4, 2, 4), \
	  F(2, 5, 2, 2), I(4,)) \
	_(rotary, tsr_rotary(a[0], .position = TSR_ARG(a[1])), F(2, 4, 2, 4), I(9, 4)) \
	_(softmax_cross_entropy, tsr_softmax_cross_entropy(a[0], a[1]), F(4, 6), UP(4, 6)) \
	_(softmax_cross_entropy_where, tsr_softmax_cross_entropy(a[0], a[1], .dim = D(0), .where = \
	  a[2]), F(4, 6), UP(4, 6), M(4, 6)) \
	_(integer_labels, tsr_softmax_cross_entropy_with_integer_labels(a[0], a[1]), F(4, 6), \
	  I(6, 4)) \
	_(integer_labels_where, tsr_softmax_cross_entropy_with_integer_labels(a[0], a[1], \
	  .where = a[2]), F(4, 6), I(6, 4), M(4)) \
	_(sigmoid_binary_cross_entropy, tsr_sigmoid_binary_cross_entropy(a[0], a[1]), F(4, 6), \
	  UP(4, 6)) \
	_(squared_error, tsr_squared_error(a[0], a[1]), F(4, 6), F(4, 6)) \
	_(l2_loss, tsr_l2_loss(a[0], NULL), F(4, 6)) \
	_(huber_loss, tsr_huber_loss(a[0], a[1], .delta = 0.7), F(4, 6), F(4, 6)) \
	_(smooth_labels, tsr_smooth_labels(a[0], a[1]), UP(4, 6), F())

typedef struct layer_row {
	const char *name;
	tsr *(*run)(tsr *const *a);
	layer_operand of[MOST_OPERANDS];
} layer_row;

#define DEFINE_ROW(name_, expression, ...) \
	static tsr *run_##name_(tsr *const *a) { return expression; }
#define ROW_LINE(name_, expression, ...) {#name_, run_##name_, {__VA_ARGS__}},
LAYER_ROWS(DEFINE_ROW)
static const layer_row layer_rows[] = {LAYER_ROWS(ROW_LINE)};
enum { LAYERS = sizeof layer_rows / sizeof *layer_rows };
#undef DIMS
#undef F
#undef UP
#undef I
#undef M
#undef K

/* ---- operands */

static inline int operands_of(const layer_row *r)
{
	int n = 0;

	while (n < MOST_OPERANDS && r->of[n].kind) n++;
	return n;
}

static inline bool is_moved(const layer_operand *o)
{
	return o->kind == FLOATS || o->kind == ABOVE;
}

/* number `turn` of the operands of a row, k-th of them: waves, which are near to no kink */
static inline tsr *operand(tsr_ctx *c, const layer_operand *o, int k, int turn)
{
	double v[MOST_ROW_SIZE];
	int64_t n = 1;

	if (o->kind == KEY) return tsr_key(c, 7 + (uint64_t)turn);
	for (int d = 1; d < o->dims.d[0]; d++) n *= o->dims.d[d];
	assert_true(n <= MOST_ROW_SIZE);
	for (int64_t i = 0; i < n; i++) {
		const double wave = sin(1.7 * (double)i + 2.3 * k + 0.9 * turn + 0.4);
		v[i] = o->kind == ABOVE   ? 0.6 + wave / 2
		       : o->kind == WHOLE ? (double)((5 * i + k + 3 * turn) % o->most)
		       : o->kind == MASK  ? (i + turn) % 3 != 0
		                          : wave;
	}
	const tsr_dtype dtype = o->kind == WHOLE ? TSR_I32 : o->kind == MASK ? TSR_BOOL : TSR_F64;
	return tsr_astype(tsr_reshape(tsr_from(c, v, TSR_F64, D(n)), o->dims), dtype);
}

static inline void operands_make(tsr_ctx *c, const layer_row *r, int turn, tsr **a)
{
	for (int k = 0; k < operands_of(r); k++) a[k] = operand(c, &r->of[k], k, turn);
}

/* ---- the row as a body: TSR_ENV(&row) says which; and a loss of it, which weighs its elements */

static inline void row_body(tsr_frame *f)
{
	const layer_row *const *r = tsr_frame_env(f);
	tsr *a[MOST_OPERANDS] = {NULL};

	for (size_t k = 0; k < tsr_frame_count(f); k++) a[k] = tsr_frame_arg(f, k);
	tsr_return(f, (*r)->run(a));
}

static inline void loss_body(tsr_frame *f)
{
	const layer_row *const *r = tsr_frame_env(f);
	tsr *a[MOST_OPERANDS] = {NULL};

	for (size_t k = 0; k < tsr_frame_count(f); k++) a[k] = tsr_frame_arg(f, k);
	tsr *y = tsr_ravel((*r)->run(a));
	tsr *weights = tsr_cos(tsr_arange(tsr_frame_ctx(f), tsr_size(y), .dtype = TSR_F64));
	tsr_return(f, tsr_sum(tsr_mul(y, weights)));
}

/* of all operands with derivatives */
static inline tsr_fn *gradient_of(tsr_ctx *c, const layer_row *r)
{
	tsr_dims wrt = D();

	for (int k = 0; k < operands_of(r); k++)
		if (is_moved(&r->of[k])) wrt.d[wrt.d[0]++] = k;
	return tsr_value_and_grad(c, loss_body, TSR_ENV(&r), .wrt = wrt);
}

/* out[0] is the loss, the others the gradients of what is moved; gives how many there are */
static inline int gradients_at(tsr_fn *f, const layer_row *r, tsr *const *a, tsr **out)
{
	tsr_arg args[MOST_OPERANDS];
	tsr_out to[1 + MOST_OPERANDS];
	int n = operands_of(r), nout = 1;

	for (int k = 0; k < n; k++) {
		args[k] = TSR_ARG(a[k]);
		nout += is_moved(&r->of[k]);
	}
	for (int j = 0; j < nout; j++) to[j] = (tsr_out){.to = {.leaf = &out[j], .count = 1}};
	tsr_call_into_at(TSR_HERE, to, (size_t)nout, f, args, (size_t)n);
	return nout;
}

static inline tsr *row_value(tsr_fn *f, const layer_row *r, tsr *const *a)
{
	tsr_arg args[MOST_OPERANDS];

	for (int k = 0; k < operands_of(r); k++) args[k] = TSR_ARG(a[k]);
	return tsr_call_at(TSR_HERE, f, args, (size_t)operands_of(r));
}

static inline void near_enough(const char *name, const char *what, tsr *got, tsr *want, double most)
{
	tsr_ctx *c = tsr_ctx_of(want);

	if (tsr_allclose(got, want, most, most) && !tsr_status(c)) return;
	tsr_print(got);
	tsr_print(want);
	fail_msg("%s, %s: %s", name, what, tsr_message(c));
}

#endif
