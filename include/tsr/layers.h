/* tsr/layers.h - layers of neural networks, by the formulas of flax. A layer is a function of
 * handles, its parameters among them; a module is a tree of the caller's. Optional parameters are
 * NULL where there are none.
 *
 *     TSR_TREE_TYPE(block, { tsr *kernel, *bias, *scale, *shift; });
 *     static tsr *forward(const block *w, tsr *x)
 *     {
 *             x = tsr_relu(tsr_linear(x, w->kernel, w->bias));
 *             return tsr_layer_norm(x, w->scale, w->shift);
 *     }
 *
 * Dtypes: what a layer computes with has the common dtype of its input and its parameters, or the
 * one of .dtype; where that is none of fractions, f32. Normalizations take means of 16-bit floats
 * in f32. Errors are those of ops.h; further ones (TSR_ERROR_TYPE): parameters whose dims do not
 * fit, complex numbers where it does not say that they are legal. */
/* Made by tools/make_headers.py of api/layers.h.in: change that one. */
/** @file */
#ifndef TSR_LAYERS_H
#define TSR_LAYERS_H
#include "nn.h"
#include "random.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Keyword of tsr_linear() and tsr_embed(). */
typedef struct tsr_linear_args {
	TSR_KEYWORDS_
	tsr_dtype dtype; /**< in which is computed, a float or complex one; that of the result */
	TSR_KEYWORDS_END_
} tsr_linear_args;

/** Keywords of tsr_conv(). Lists have one entry for each dim of the window. */
typedef struct tsr_conv_layer_args {
	TSR_KEYWORDS_
	tsr_dims strides;   /**< from one window to the next; 1 when not given */
	tsr_dims low, high; /**< zeros before and behind x; negative ones cut off */
	enum tsr_window_padding padding; /**< TSR_SAME when not given, nor .low and .high */
	tsr_dims input_dilation;     /**< places from one element of x to the next */
	tsr_dims kernel_dilation;    /**< places from one element of a window to the next */
	int64_t feature_group_count; /**< each group of features has its own part of the kernel */
	tsr_dtype dtype;             /**< as in tsr_linear_args */
	TSR_KEYWORDS_END_
} tsr_conv_layer_args;

/** Keywords of tsr_layer_norm() and tsr_rms_norm(). */
typedef struct tsr_layer_norm_args {
	TSR_KEYWORDS_
	tsr_dims dims;         /**< over which means are taken; the last one when not given */
	tsr_dims feature_dims; /**< those of scale and bias; the last one when not given */
	double epsilon;        /**< added to the variance; 1e-6 when not given */
	tsr *where; /**< bool, broadcast to x: only elements where it is true count in means */
	bool exact; /**< the variance is the mean of (x - mean)^2, which is exact where the mean is
	             * far from 0; otherwise that of x^2 less mean^2, in one pass */
	const char *axis; /**< inside maps: means are over this axis, "x" or "x*y", too */
	tsr_dtype dtype;  /**< as in tsr_linear_args */
	TSR_KEYWORDS_END_
} tsr_layer_norm_args;

/** Keywords of tsr_group_norm(). */
typedef struct tsr_group_norm_args {
	TSR_KEYWORDS_
	int64_t group_size; /**< features of a group, in place of how many groups there are */
	tsr_dims dims;      /**< over which means are taken, besides the features of a group; all
	                     * but the first one when not given */
	double epsilon;     /**< as in tsr_layer_norm_args, and the next ones too */
	tsr *where;
	bool exact;
	const char *axis;
	tsr_dtype dtype;
	TSR_KEYWORDS_END_
} tsr_group_norm_args;

/** Keywords of tsr_batch_norm(). */
typedef struct tsr_batch_norm_args {
	TSR_KEYWORDS_
	bool use_running_average; /**< x is normalized by the mean and variance given */
	tsr **new_mean, **new_var; /**< receive the running averages with this batch in them */
	tsr_arg momentum; /**< what an average keeps of itself: TSR_ARG(0.9); 0.99 when not given */
	tsr_dims dim;     /**< that of the features; the last one when not given */
	double epsilon;   /**< 1e-5 when not given */
	tsr *where;       /**< as in tsr_layer_norm_args, and the next ones too */
	bool exact;
	const char *axis;
	tsr_dtype dtype;
	TSR_KEYWORDS_END_
} tsr_batch_norm_args;

/** Keywords of tsr_dropout(). */
typedef struct tsr_dropout_args {
	TSR_KEYWORDS_
	bool deterministic;      /**< nothing is dropped, as when a model is used */
	tsr_dims broadcast_dims; /**< along these dims the same is dropped everywhere */
	tsr_dims whole;          /**< as in tsr_draw_args, of a mask with the dims of x */
	tsr *start;              /**< as in tsr_draw_args */
	TSR_KEYWORDS_END_
} tsr_dropout_args;

/** Keywords of tsr_rnn_cell(). */
typedef struct tsr_rnn_cell_args {
	TSR_KEYWORDS_
	bool residual;   /**< h is added before tanh */
	tsr_dtype dtype; /**< as in tsr_linear_args */
	TSR_KEYWORDS_END_
} tsr_rnn_cell_args;

/** Keyword of tsr_lstm_cell(). */
typedef struct tsr_lstm_cell_args {
	TSR_KEYWORDS_
	tsr_dtype dtype; /**< as in tsr_linear_args */
	TSR_KEYWORDS_END_
} tsr_lstm_cell_args;

/** Keywords of tsr_gru_cell(). */
typedef struct tsr_gru_cell_args {
	TSR_KEYWORDS_
	tsr *recurrent_bias; /**< [hidden]: added to the third part of h @ recurrent */
	tsr_dtype dtype;     /**< as in tsr_linear_args */
	TSR_KEYWORDS_END_
} tsr_gru_cell_args;

/* ---- products */

/** x @ kernel + bias: x [..., in], kernel [in, out ...], bias [out ...]. Also complex.
 * tsr_linear(x, w.kernel, w.bias), tsr_linear(x, kernel, NULL) */
TSR_OP tsr *tsr_linear_at(const char *where, tsr *x, tsr *kernel, tsr *bias,
                          const tsr_linear_args *args);
/** The rows of a table [n, features] that integers name, [..., features]: tsr_embed(words, table).
 * Negative ones count from the end, as in tsr_take(); others that name none give NaN, but if n is 1
 * all give that row. Further error (TSR_ERROR_TYPE): x is not of integers. */
TSR_OP tsr *tsr_embed_at(const char *where, tsr *x, tsr *table, const tsr_linear_args *args);
/** A convolution: x [batch ..., spatial ..., in], with any number of dims as the batch, or none,
 * kernel [window ..., in / groups, out], bias [out]: tsr_conv(x, kernel, bias, .strides =
 * TSR_DIMS(2, 2)). Windows are those of tsr_conv_general_dilated(). Also complex. Further errors
 * (TSR_ERROR_ARGUMENT): those of its keywords, TSR_CAUSAL along several dims. */
TSR_OP tsr *tsr_conv_at(const char *where, tsr *x, tsr *kernel, tsr *bias,
                        const tsr_conv_layer_args *args);

/* ---- normalizations: (x - mean) / sqrt(variance + epsilon) * scale + bias. scale and bias have
 * the sizes of the feature dims of x, in their order */

/** By the mean and variance of each row, or of .dims: tsr_layer_norm(x, scale, bias). */
TSR_OP tsr *tsr_layer_norm_at(const char *where, tsr *x, tsr *scale, tsr *bias,
                              const tsr_layer_norm_args *args);
/** x / sqrt(mean of x^2 + epsilon) * scale: tsr_rms_norm(x, scale). */
TSR_OP tsr *tsr_rms_norm_at(const char *where, tsr *x, tsr *scale, const tsr_layer_norm_args *args);
/** By means over groups of as many features, the last dim, and over all dims but the first one:
 * tsr_group_norm(x, 32, scale, bias). 0 groups: .group_size says. Error (TSR_ERROR_ARGUMENT): they
 * do not divide the features. */
TSR_OP tsr *tsr_group_norm_at(const char *where, tsr *x, int64_t groups, tsr *scale, tsr *bias,
                              const tsr_group_norm_args *args);
/** By the mean and variance of each feature over all other dims. mean and var, [features], are
 * running averages: new = momentum old + (1 - momentum) that of the batch, in the dtype of the old
 * one. To train: y = tsr_batch_norm(x, scale, bias, s.mean, s.var, .new_mean = &t.mean, .new_var =
 * &t.var); afterwards .use_running_average = true normalizes by mean and var themselves, and they
 * stay. In tsr_jit() means are of the whole batch, however it is cut; inside maps .axis = "x" takes
 * them over all devices of an axis. */
TSR_OP tsr *tsr_batch_norm_at(const char *where, tsr *x, tsr *scale, tsr *bias, tsr *mean, tsr *var,
                              const tsr_batch_norm_args *args);

/** Elements are 0 with the probability rate, the others x / (1 - rate): tsr_dropout(key, x, 0.1,
 * .deterministic = !training). The key may be NULL where nothing is drawn. A mask depends on the
 * key and the dims of x, however x is cut; inside tsr_shard_map() that is each device's block, or
 * with .whole and .start the block's part of the whole. Errors: a rate that is not between 0 and 1
 * (TSR_ERROR_ARGUMENT), x of integers (TSR_ERROR_TYPE). Also complex. */
TSR_OP tsr *tsr_dropout_at(const char *where, tsr *key, tsr *x, double rate,
                           const tsr_dropout_args *args);

/* ---- cells: one step of a recurrent net, h [..., hidden], x [..., in]; as the body of tsr_scan()
 * the state is carried. Kernels of the gates are side by side, in the order of their formulas */

/** tanh(x @ kernel + bias + h @ recurrent): kernel [in, hidden], recurrent [hidden, hidden], bias
 * [hidden]. h = tsr_rnn_cell(h, x, w.kernel, w.recurrent, w.bias) */
TSR_OP tsr *tsr_rnn_cell_at(const char *where, tsr *h, tsr *x, tsr *kernel, tsr *recurrent,
                            tsr *bias, const tsr_rnn_cell_args *args);
/** i, f, g, o = x @ kernel + h @ recurrent + bias: kernel [in, 4 hidden], recurrent [hidden, 4
 * hidden], bias [4 hidden]. out[0], the new c [..., hidden], is logistic(f) c + logistic(i)
 * tanh(g); out[1], the new h, logistic(o) tanh(new c). tsr_lstm_cell(c, h, x, w.kernel,
 * w.recurrent, w.bias, out). false: both are poison. */
TSR_API bool tsr_lstm_cell_at(const char *where, tsr *c, tsr *h, tsr *x, tsr *kernel,
                              tsr *recurrent, tsr *bias, tsr *out[2],
                              const tsr_lstm_cell_args *args);
/** r, z, n = x @ kernel + bias, and s, y, m = h @ recurrent: kernel [in, 3 hidden], recurrent
 * [hidden, 3 hidden], bias [3 hidden]. With u = logistic(z + y), the new h is (1 - u) tanh(n +
 * logistic(r + s) (m + .recurrent_bias)) + u h. h = tsr_gru_cell(h, x, w.kernel, w.recurrent,
 * w.bias) */
TSR_OP tsr *tsr_gru_cell_at(const char *where, tsr *h, tsr *x, tsr *kernel, tsr *recurrent,
                            tsr *bias, const tsr_gru_cell_args *args);

/* ---- the same without place and keywords: as values, and for debuggers */

/** tsr_linear_at() as a value. */
TSR_OP tsr *tsr_linear(tsr *x, tsr *kernel, tsr *bias);
/** tsr_embed_at() as a value. */
TSR_OP tsr *tsr_embed(tsr *x, tsr *table);
/** tsr_conv_at() as a value. */
TSR_OP tsr *tsr_conv(tsr *x, tsr *kernel, tsr *bias);
/** tsr_layer_norm_at() as a value. */
TSR_OP tsr *tsr_layer_norm(tsr *x, tsr *scale, tsr *bias);
/** tsr_rms_norm_at() as a value. */
TSR_OP tsr *tsr_rms_norm(tsr *x, tsr *scale);
/** tsr_group_norm_at() as a value. */
TSR_OP tsr *tsr_group_norm(tsr *x, int64_t groups, tsr *scale, tsr *bias);
/** tsr_batch_norm_at() as a value. */
TSR_OP tsr *tsr_batch_norm(tsr *x, tsr *scale, tsr *bias, tsr *mean, tsr *var);
/** tsr_dropout_at() as a value. */
TSR_OP tsr *tsr_dropout(tsr *key, tsr *x, double rate);
/** tsr_rnn_cell_at() as a value. */
TSR_OP tsr *tsr_rnn_cell(tsr *h, tsr *x, tsr *kernel, tsr *recurrent, tsr *bias);
/** tsr_lstm_cell_at() as a value. */
TSR_API bool tsr_lstm_cell(tsr *c, tsr *h, tsr *x, tsr *kernel, tsr *recurrent, tsr *bias,
                           tsr *out[2]);
/** tsr_gru_cell_at() as a value. */
TSR_OP tsr *tsr_gru_cell(tsr *h, tsr *x, tsr *kernel, tsr *recurrent, tsr *bias);
#ifdef __cplusplus
}
#endif

#ifdef TSR_MACROS_
#define tsr_linear(x, kernel, ...) TSR_LINEAR_(TSR_PREFIX_, x, kernel, __VA_ARGS__, )
#define TSR_LINEAR_(v_, x, kernel, bias, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_linear_args, v_, __VA_ARGS__) \
		tsr_linear_at(TSR_HERE, x, kernel, TSR_GIVEN_(tsr_linear_needs_the_argument_bias, \
		bias), &v_); }))
#define tsr_embed(x, ...) TSR_EMBED_(TSR_PREFIX_, x, __VA_ARGS__, )
#define TSR_EMBED_(v_, x, table, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_linear_args, v_, __VA_ARGS__) \
		tsr_embed_at(TSR_HERE, x, TSR_GIVEN_(tsr_embed_needs_the_argument_table, table), \
		&v_); }))
#define tsr_conv(x, kernel, ...) TSR_CONV_(TSR_PREFIX_, x, kernel, __VA_ARGS__, )
#define TSR_CONV_(v_, x, kernel, bias, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_conv_layer_args, v_, __VA_ARGS__) \
		tsr_conv_at(TSR_HERE, x, kernel, TSR_GIVEN_(tsr_conv_needs_the_argument_bias, \
		bias), &v_); }))
#define tsr_layer_norm(x, scale, ...) TSR_LAYER_NORM_(TSR_PREFIX_, x, scale, __VA_ARGS__, )
#define TSR_LAYER_NORM_(v_, x, scale, bias, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_layer_norm_args, v_, __VA_ARGS__) \
		tsr_layer_norm_at(TSR_HERE, x, scale, \
		TSR_GIVEN_(tsr_layer_norm_needs_the_argument_bias, bias), &v_); }))
#define tsr_rms_norm(x, ...) TSR_RMS_NORM_(TSR_PREFIX_, x, __VA_ARGS__, )
#define TSR_RMS_NORM_(v_, x, scale, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_layer_norm_args, v_, __VA_ARGS__) \
		tsr_rms_norm_at(TSR_HERE, x, TSR_GIVEN_(tsr_rms_norm_needs_the_argument_scale, \
		scale), &v_); }))
#define tsr_group_norm(x, groups, scale, ...) \
	TSR_GROUP_NORM_(TSR_PREFIX_, x, groups, scale, __VA_ARGS__, )
#define TSR_GROUP_NORM_(v_, x, groups, scale, bias, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_group_norm_args, v_, __VA_ARGS__) \
		tsr_group_norm_at(TSR_HERE, x, groups, scale, \
		TSR_GIVEN_(tsr_group_norm_needs_the_argument_bias, bias), &v_); }))
#define tsr_batch_norm(x, scale, bias, mean, ...) \
	TSR_BATCH_NORM_(TSR_PREFIX_, x, scale, bias, mean, __VA_ARGS__, )
#define TSR_BATCH_NORM_(v_, x, scale, bias, mean, var, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_batch_norm_args, v_, __VA_ARGS__) \
		tsr_batch_norm_at(TSR_HERE, x, scale, bias, mean, \
		TSR_GIVEN_(tsr_batch_norm_needs_the_argument_var, var), &v_); }))
#define tsr_dropout(key, x, ...) TSR_DROPOUT_(#__VA_ARGS__, TSR_PREFIX_, key, x, __VA_ARGS__, )
#define TSR_DROPOUT_(text2, v_, key, x, rate, ...) \
	tsr_result_(__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _2), text2, \
		"tsr_dropout: give the argument rate, without a name") TSR_KW_(tsr_dropout_args, \
		v_, __VA_ARGS__) tsr_dropout_at(TSR_HERE, key, x, rate, &v_); }))
#define tsr_rnn_cell(h, x, kernel, recurrent, ...) \
	TSR_RNN_CELL_(TSR_PREFIX_, h, x, kernel, recurrent, __VA_ARGS__, )
#define TSR_RNN_CELL_(v_, h, x, kernel, recurrent, bias, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_rnn_cell_args, v_, __VA_ARGS__) \
		tsr_rnn_cell_at(TSR_HERE, h, x, kernel, recurrent, \
		TSR_GIVEN_(tsr_rnn_cell_needs_the_argument_bias, bias), &v_); }))
#define tsr_lstm_cell(c, h, x, kernel, recurrent, bias, ...) \
	TSR_LSTM_CELL_(#__VA_ARGS__, TSR_PREFIX_, c, h, x, kernel, recurrent, bias, __VA_ARGS__, )
#define TSR_LSTM_CELL_(text6, v_, c, h, x, kernel, recurrent, bias, out, ...) \
	__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _6), text6, \
		"tsr_lstm_cell: give the argument out, without a name") \
		TSR_KW_(tsr_lstm_cell_args, v_, __VA_ARGS__) tsr_lstm_cell_at(TSR_HERE, c, h, x, \
		kernel, recurrent, bias, out, &v_); })
#define tsr_gru_cell(h, x, kernel, recurrent, ...) \
	TSR_GRU_CELL_(TSR_PREFIX_, h, x, kernel, recurrent, __VA_ARGS__, )
#define TSR_GRU_CELL_(v_, h, x, kernel, recurrent, bias, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_gru_cell_args, v_, __VA_ARGS__) \
		tsr_gru_cell_at(TSR_HERE, h, x, kernel, recurrent, \
		TSR_GIVEN_(tsr_gru_cell_needs_the_argument_bias, bias), &v_); }))
#endif

#endif
