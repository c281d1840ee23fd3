/* tsr/nn.h - functions of neural networks, by the formulas of jax.nn. tsr_relu(), tsr_logistic()
 * (sigmoid) and tsr_logsumexp() are in ops.h.
 *
 * Integers and bool count as f32, integers of 64 bits as f64, unless it is said. Not complex.
 * Errors are those of ops.h.
 *
 *     tsr *y = tsr_softmax(tsr_gelu(tsr_matmul(x, w)), -1); */
/* Made by tools/make_headers.py of api/nn.h.in: change that one. */
/** @file */
#ifndef TSR_NN_H
#define TSR_NN_H
#include "curves.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Keyword of tsr_gelu(). */
typedef struct tsr_gelu_args {
	TSR_KEYWORDS_
	bool exact; /**< by the normal distribution; otherwise by tanh */
	TSR_KEYWORDS_END_
} tsr_gelu_args;

/** Keyword of tsr_softmax() and tsr_log_softmax(). */
typedef struct tsr_softmax_args {
	TSR_KEYWORDS_
	tsr *where; /**< bool, broadcast to x: only elements where it is true count; the others give
	             * 0, or -inf */
	TSR_KEYWORDS_END_
} tsr_softmax_args;

/** Keywords of tsr_logmeanexp(). */
typedef struct tsr_logmeanexp_args {
	TSR_KEYWORDS_
	tsr_dims dims; /**< reduced over; all when not given */
	bool keep;     /**< they stay, with size 1 */
	tsr *where;    /**< bool, broadcast to x: only elements where it is true count */
	TSR_KEYWORDS_END_
} tsr_logmeanexp_args;

/** Keywords of tsr_standardize(). */
typedef struct tsr_standardize_args {
	TSR_KEYWORDS_
	tsr *where; /**< bool, broadcast to x: only elements where it is true count */
	tsr_arg mean, variance; /**< where they are known, broadcast with x: TSR_ARG(0) */
	TSR_KEYWORDS_END_
} tsr_standardize_args;

/** Keywords of tsr_one_hot(). */
typedef struct tsr_one_hot_args {
	TSR_KEYWORDS_
	tsr_dims dim;    /**< the new dim; the last one when not given */
	tsr_dtype dtype; /**< f32 when not given */
	TSR_KEYWORDS_END_
} tsr_one_hot_args;

/** Keywords of tsr_dot_product_attention(). */
typedef struct tsr_attention_args {
	TSR_KEYWORDS_
	tsr *bias;     /**< added to the scores [batch, heads, queries, keys], broadcast */
	tsr *mask;     /**< bool, broadcast to them: keys where it is false do not count */
	double scale;  /**< of the scores; 1 / sqrt(head) when not given */
	bool causal;   /**< only keys that are not behind their query count */
	TSR_KEYWORDS_END_
} tsr_attention_args;

/** Keywords of tsr_rotary(). */
typedef struct tsr_rotary_args {
	TSR_KEYWORDS_
	/** The place of each row, [length] or with dims before it; a scalar is that of the first
	 * row, from which the others are counted: .position = TSR_ARG(16). 0 when not given. */
	tsr_arg position;
	double base; /**< of the angles; 10000 when not given */
	TSR_KEYWORDS_END_
} tsr_rotary_args;

/** Keywords of tsr_multi_head_attention(). */
typedef struct tsr_multi_head_args {
	TSR_KEYWORDS_
	tsr *key_input;   /**< [batch, keys, features], what keys are made of; x when not given */
	tsr *value_input; /**< what values are made of; .key_input when not given */
	tsr *query_bias, *key_bias, *value_bias; /**< [heads, head], [kv_heads, head] twice */
	tsr *out_bias;    /**< [features] of the result */
	tsr *bias;        /**< as in tsr_attention_args, and the next three too */
	tsr *mask;
	double scale;
	bool causal;
	/** The base of tsr_rotary(), by which queries and keys are turned; 0: they are not. */
	double rotary;
	/** The keys and values of places before these, [batch, length, kv_heads, head] both, for
	 * decoding: those of x are written at .position, and queries see all keys up to the last
	 * one of x, with .causal up to their own. */
	tsr *key_cache, *value_cache;
	/** The place of the first row of x: an integer, or a handle of one. It is moved so that all
	 * rows fit into the cache. 0 when not given. */
	tsr_arg position;
	tsr **new_key_cache; /**< receives the cache with the rows of x */
	tsr **new_value_cache; /**< receives that of the values */
	TSR_KEYWORDS_END_
} tsr_multi_head_args;

/* ---- activations: the dims and the dtype of x */

/** min(max(x, 0), 6), with the derivative 0 at 0 and 6. */
TSR_OP tsr *tsr_relu6_at(const char *where, tsr *x);
/** log(1 + e^x) for each element, which does not overflow on the way. */
TSR_OP tsr *tsr_softplus_at(const char *where, tsr *x);
/** 0 below -1, x above 1, (x + 1)^2 / 4 between. */
TSR_OP tsr *tsr_sparse_plus_at(const char *where, tsr *x);
/** (x + 1) / 2 for each element, moved to 0 where it is below and to 1 where it is above. */
TSR_OP tsr *tsr_sparse_sigmoid_at(const char *where, tsr *x);
/** x / (1 + |x|) for each element, which is between -1 and 1. */
TSR_OP tsr *tsr_soft_sign_at(const char *where, tsr *x);
/** x tsr_logistic(x) for each element, in the dtype of x; also called swish. */
TSR_OP tsr *tsr_silu_at(const char *where, tsr *x);
/** log(tsr_logistic(x)) for each element, which does not underflow on the way. */
TSR_OP tsr *tsr_log_sigmoid_at(const char *where, tsr *x);
/** min(max(x, -1), 1) for each element, in the dtype of x; integers stay integers. */
TSR_OP tsr *tsr_hard_tanh_at(const char *where, tsr *x);
/** tsr_relu6(x + 3) / 6 for each element, a logistic function made of lines. */
TSR_OP tsr *tsr_hard_sigmoid_at(const char *where, tsr *x);
/** x tsr_hard_sigmoid(x), also called hard_swish. */
TSR_OP tsr *tsr_hard_silu_at(const char *where, tsr *x);
/** x tanh(tsr_softplus(x)) for each element, in the dtype of x. */
TSR_OP tsr *tsr_mish_at(const char *where, tsr *x);
/** log(1 - e^-x) for each element, exact where x is near 0. */
TSR_OP tsr *tsr_log1mexp_at(const char *where, tsr *x);
/** x for x >= 0, b x below: tsr_leaky_relu(x, 0.01). */
TSR_OP tsr *tsr_leaky_relu_at(const char *where, const tsr_arg ab[2]);
/** x for x > 0, b (e^x - 1) below: tsr_elu(x, 1.0). */
TSR_OP tsr *tsr_elu_at(const char *where, const tsr_arg ab[2]);
/** max(x, 0) + b (e^(min(x, 0) / b) - 1): tsr_celu(x, 1.0). */
TSR_OP tsr *tsr_celu_at(const char *where, const tsr_arg ab[2]);
/** 1.0507 times tsr_elu(x, 1.6733), the numbers to their last digit. */
TSR_OP tsr *tsr_selu_at(const char *where, tsr *x);
/** (x + sqrt(x^2 + b)) / 2: tsr_squareplus(x, 4). */
TSR_OP tsr *tsr_squareplus_at(const char *where, const tsr_arg ab[2]);
/** x times the normal distribution at x, by tanh: tsr_gelu(x), tsr_gelu(x, .exact = true). */
TSR_OP tsr *tsr_gelu_at(const char *where, tsr *x, const tsr_gelu_args *args);

/* ---- along a dim, which may be counted from the end */

/** The first half of a dim times tsr_logistic() of the second one: tsr_glu(x, -1). */
TSR_OP tsr *tsr_glu_at(const char *where, tsr *x, int dim);
/** e^x / the sum of e^x along the dim: tsr_softmax(x, -1), tsr_softmax(x, -1, .where = m). */
TSR_OP tsr *tsr_softmax_at(const char *where, tsr *x, int dim, const tsr_softmax_args *args);
/** The logarithm of tsr_softmax() along a dim, x - log(sum(e^x)), of floats and without overflow:
 * tsr_log_softmax(logits, -1). */
TSR_OP tsr *tsr_log_softmax_at(const char *where, tsr *x, int dim, const tsr_softmax_args *args);
/** The logarithm of the mean of e^x, as tsr_logsumexp(). */
TSR_OP tsr *tsr_logmeanexp_at(const char *where, tsr *x, const tsr_logmeanexp_args *args);
/** (x - mean) / sqrt(variance + epsilon) along the dim: tsr_standardize(x, -1, 1e-5). */
TSR_OP tsr *tsr_standardize_at(const char *where, tsr *x, int dim, double epsilon,
                               const tsr_standardize_args *args);
/** 1 at the place that an index names in a new dim of size n, else 0: tsr_one_hot(words, 50).
 * Indices that are not in it give zeros alone. */
TSR_OP tsr *tsr_one_hot_at(const char *where, tsr *x, int64_t n, const tsr_one_hot_args *args);

/** Attention: of queries [batch, queries, heads, head], keys and values [batch, keys, kv_heads,
 * head], whose heads serve groups of those of the queries, the values weighed by tsr_softmax() of
 * the scores of their keys, which are in f32: tsr_dot_product_attention(q, k, v, .causal = true).
 * Many scores are computed by blocks, in its derivatives too, so that memory is linear in queries
 * and keys. Error (TSR_ERROR_TYPE): dims or dtypes that do not fit. */
TSR_OP tsr *tsr_dot_product_attention_at(const char *where, tsr *query, tsr *key, tsr *value,
                                         const tsr_attention_args *args);
/** Rotary embedding: x [.., length, heads, head] with element i of the first half of a head and i
 * of the second half turned as a pair, by the place times base^(-2 i / head): tsr_rotary(q, .base =
 * 500000). Errors (TSR_ERROR_TYPE): a head of odd size, fewer than 3 dims, complex numbers, places
 * that are not those of the rows; (TSR_ERROR_ARGUMENT): a negative base. */
TSR_OP tsr *tsr_rotary_at(const char *where, tsr *x, const tsr_rotary_args *args);
/** A layer of attention, flax's MultiHeadDotProductAttention: x [batch, length, features] times the
 * kernels query [features, heads, head], and key and value [features, kv_heads, head], then
 * attention as tsr_dot_product_attention(), but with the softmax in the dtype of x (f32 for
 * narrower ones), and its result times out [heads, head, features]: tsr_multi_head_attention(x,
 * w->q, w->k, w->v, w->out, .causal = true). Operands are converted to their common dtype, f32
 * where that is no float.
 *
 * In a map that splits the heads of the kernels over an axis, the layer's result is tsr_psum() of
 * this one over it (without .out_bias, which is added behind). Decoding goes row by row, .key_cache
 * = k, .value_cache = v, .position = TSR_ARG(i), .new_key_cache = &k, .new_value_cache = &v.
 *
 * Errors (TSR_ERROR_TYPE): dims that do not fit, complex numbers; (TSR_ERROR_ARGUMENT): one cache
 * alone, a .position that is no integer scalar. */
TSR_OP tsr *tsr_multi_head_attention_at(const char *where, tsr *x, tsr *query, tsr *key, tsr *value,
                                        tsr *out, const tsr_multi_head_args *args);

/* ---- the same without place and keywords: as values, and for debuggers */

/** tsr_relu6_at() as a value. */
TSR_OP tsr *tsr_relu6(tsr *x);
/** tsr_softplus_at() as a value. */
TSR_OP tsr *tsr_softplus(tsr *x);
/** tsr_sparse_plus_at() as a value. */
TSR_OP tsr *tsr_sparse_plus(tsr *x);
/** tsr_sparse_sigmoid_at() as a value. */
TSR_OP tsr *tsr_sparse_sigmoid(tsr *x);
/** tsr_soft_sign_at() as a value. */
TSR_OP tsr *tsr_soft_sign(tsr *x);
/** tsr_silu_at() as a value. */
TSR_OP tsr *tsr_silu(tsr *x);
/** tsr_log_sigmoid_at() as a value. */
TSR_OP tsr *tsr_log_sigmoid(tsr *x);
/** tsr_hard_tanh_at() as a value. */
TSR_OP tsr *tsr_hard_tanh(tsr *x);
/** tsr_hard_sigmoid_at() as a value. */
TSR_OP tsr *tsr_hard_sigmoid(tsr *x);
/** tsr_hard_silu_at() as a value. */
TSR_OP tsr *tsr_hard_silu(tsr *x);
/** tsr_mish_at() as a value. */
TSR_OP tsr *tsr_mish(tsr *x);
/** tsr_log1mexp_at() as a value. */
TSR_OP tsr *tsr_log1mexp(tsr *x);
/** tsr_leaky_relu_at() as a value. */
TSR_OP tsr *tsr_leaky_relu(tsr *a, tsr *b);
/** tsr_elu_at() as a value. */
TSR_OP tsr *tsr_elu(tsr *a, tsr *b);
/** tsr_celu_at() as a value. */
TSR_OP tsr *tsr_celu(tsr *a, tsr *b);
/** tsr_selu_at() as a value. */
TSR_OP tsr *tsr_selu(tsr *x);
/** tsr_squareplus_at() as a value. */
TSR_OP tsr *tsr_squareplus(tsr *a, tsr *b);
/** tsr_gelu_at() as a value. */
TSR_OP tsr *tsr_gelu(tsr *x);
/** tsr_glu_at() as a value. */
TSR_OP tsr *tsr_glu(tsr *x, int dim);
/** tsr_softmax_at() as a value. */
TSR_OP tsr *tsr_softmax(tsr *x, int dim);
/** tsr_log_softmax_at() as a value. */
TSR_OP tsr *tsr_log_softmax(tsr *x, int dim);
/** tsr_logmeanexp_at() as a value. */
TSR_OP tsr *tsr_logmeanexp(tsr *x);
/** tsr_standardize_at() as a value. */
TSR_OP tsr *tsr_standardize(tsr *x, int dim, double epsilon);
/** tsr_one_hot_at() as a value. */
TSR_OP tsr *tsr_one_hot(tsr *x, int64_t n);
/** tsr_dot_product_attention_at() as a value. */
TSR_OP tsr *tsr_dot_product_attention(tsr *query, tsr *key, tsr *value);
/** tsr_rotary_at() as a value. */
TSR_OP tsr *tsr_rotary(tsr *x);
/** tsr_multi_head_attention_at() as a value. */
TSR_OP tsr *tsr_multi_head_attention(tsr *x, tsr *query, tsr *key, tsr *value, tsr *out);
#ifdef __cplusplus
}
#endif

#ifdef TSR_MACROS_
#define tsr_relu6(x) tsr_relu6_at(TSR_HERE, x)
#define tsr_softplus(x) tsr_softplus_at(TSR_HERE, x)
#define tsr_sparse_plus(x) tsr_sparse_plus_at(TSR_HERE, x)
#define tsr_sparse_sigmoid(x) tsr_sparse_sigmoid_at(TSR_HERE, x)
#define tsr_soft_sign(x) tsr_soft_sign_at(TSR_HERE, x)
#define tsr_silu(x) tsr_silu_at(TSR_HERE, x)
#define tsr_log_sigmoid(x) tsr_log_sigmoid_at(TSR_HERE, x)
#define tsr_hard_tanh(x) tsr_hard_tanh_at(TSR_HERE, x)
#define tsr_hard_sigmoid(x) tsr_hard_sigmoid_at(TSR_HERE, x)
#define tsr_hard_silu(x) tsr_hard_silu_at(TSR_HERE, x)
#define tsr_mish(x) tsr_mish_at(TSR_HERE, x)
#define tsr_log1mexp(x) tsr_log1mexp_at(TSR_HERE, x)
#define tsr_leaky_relu(a, b) TSR_OPERANDS2_(tsr_leaky_relu_at, TSR_PREFIX_, a, b)
#define tsr_elu(a, b) TSR_OPERANDS2_(tsr_elu_at, TSR_PREFIX_, a, b)
#define tsr_celu(a, b) TSR_OPERANDS2_(tsr_celu_at, TSR_PREFIX_, a, b)
#define tsr_selu(x) tsr_selu_at(TSR_HERE, x)
#define tsr_squareplus(a, b) TSR_OPERANDS2_(tsr_squareplus_at, TSR_PREFIX_, a, b)
#define tsr_gelu(...) TSR_GELU_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_GELU_(v_, x, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_gelu_args, v_, __VA_ARGS__) tsr_gelu_at(TSR_HERE, \
		x, &v_); }))
#define tsr_glu(x, dim) tsr_glu_at(TSR_HERE, x, dim)
#define tsr_softmax(x, ...) TSR_SOFTMAX_(#__VA_ARGS__, TSR_PREFIX_, x, __VA_ARGS__, )
#define TSR_SOFTMAX_(text1, v_, x, dim, ...) \
	tsr_result_(__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_softmax: give the argument dim, without a name") TSR_KW_(tsr_softmax_args, \
		v_, __VA_ARGS__) tsr_softmax_at(TSR_HERE, x, dim, &v_); }))
#define tsr_log_softmax(x, ...) TSR_LOG_SOFTMAX_(#__VA_ARGS__, TSR_PREFIX_, x, __VA_ARGS__, )
#define TSR_LOG_SOFTMAX_(text1, v_, x, dim, ...) \
	tsr_result_(__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_log_softmax: give the argument dim, without a name") \
		TSR_KW_(tsr_softmax_args, v_, __VA_ARGS__) tsr_log_softmax_at(TSR_HERE, x, dim, \
		&v_); }))
#define tsr_logmeanexp(...) TSR_LOGMEANEXP_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_LOGMEANEXP_(v_, x, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_logmeanexp_args, v_, __VA_ARGS__) \
		tsr_logmeanexp_at(TSR_HERE, x, &v_); }))
#define tsr_standardize(x, dim, ...) \
	TSR_STANDARDIZE_(#__VA_ARGS__, TSR_PREFIX_, x, dim, __VA_ARGS__, )
#define TSR_STANDARDIZE_(text2, v_, x, dim, epsilon, ...) \
	tsr_result_(__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _2), text2, \
		"tsr_standardize: give the argument epsilon, without a name") \
		TSR_KW_(tsr_standardize_args, v_, __VA_ARGS__) tsr_standardize_at(TSR_HERE, x, \
		dim, epsilon, &v_); }))
#define tsr_one_hot(x, ...) TSR_ONE_HOT_(#__VA_ARGS__, TSR_PREFIX_, x, __VA_ARGS__, )
#define TSR_ONE_HOT_(text1, v_, x, n, ...) \
	tsr_result_(__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_one_hot: give the argument n, without a name") TSR_KW_(tsr_one_hot_args, v_, \
		__VA_ARGS__) tsr_one_hot_at(TSR_HERE, x, n, &v_); }))
#define tsr_dot_product_attention(query, key, ...) \
	TSR_DOT_PRODUCT_ATTENTION_(TSR_PREFIX_, query, key, __VA_ARGS__, )
#define TSR_DOT_PRODUCT_ATTENTION_(v_, query, key, value, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_attention_args, v_, __VA_ARGS__) \
		tsr_dot_product_attention_at(TSR_HERE, query, key, \
		TSR_GIVEN_(tsr_dot_product_attention_needs_the_argument_value, value), &v_); }))
#define tsr_rotary(...) TSR_ROTARY_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_ROTARY_(v_, x, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_rotary_args, v_, __VA_ARGS__) \
		tsr_rotary_at(TSR_HERE, x, &v_); }))
#define tsr_multi_head_attention(x, query, key, value, ...) \
	TSR_MULTI_HEAD_ATTENTION_(TSR_PREFIX_, x, query, key, value, __VA_ARGS__, )
#define TSR_MULTI_HEAD_ATTENTION_(v_, x, query, key, value, out, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_multi_head_args, v_, __VA_ARGS__) \
		tsr_multi_head_attention_at(TSR_HERE, x, query, key, value, \
		TSR_GIVEN_(tsr_multi_head_attention_needs_the_argument_out, out), &v_); }))
#endif

#endif
