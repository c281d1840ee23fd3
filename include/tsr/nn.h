/* tsr/nn.h - functions of neural networks, by the formulas of jax.nn. tsr_relu(), tsr_logistic()
 * Made by tools/make_headers.py of api/nn.h.in: change that one.
 * (sigmoid) and tsr_logsumexp() are in ops.h.
 *
 * Integers and bool count as f32, integers of 64 bits as f64, unless it is said. Not complex.
 * Errors are those of ops.h.
 *
 *     tsr *y = tsr_softmax(tsr_gelu(tsr_matmul(x, w)), -1); */
/** @file */
#ifndef TSR_NN_H
#define TSR_NN_H
#include "functions.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Keyword of tsr_gelu(). */
typedef struct TSR_BY_NAME_ tsr_gelu_args {
	TSR_KEYWORDS_;
	bool exact; /**< by the normal distribution; otherwise by tanh */
} tsr_gelu_args;

/* ---- activations: the dims and the dtype of x */

/** min(max(x, 0), 6), with the derivative 0 at 0 and 6. */
TSR_OP tsr *tsr_relu6_at(const char *where, tsr *x);
/** log(1 + e^x). */
TSR_OP tsr *tsr_softplus_at(const char *where, tsr *x);
/** 0 below -1, x above 1, (x + 1)^2 / 4 between. */
TSR_OP tsr *tsr_sparse_plus_at(const char *where, tsr *x);
/** (x + 1) / 2 between 0 and 1. */
TSR_OP tsr *tsr_sparse_sigmoid_at(const char *where, tsr *x);
/** x / (|x| + 1). */
TSR_OP tsr *tsr_soft_sign_at(const char *where, tsr *x);
/** x tsr_logistic(x), also called swish. */
TSR_OP tsr *tsr_silu_at(const char *where, tsr *x);
/** log(tsr_logistic(x)). */
TSR_OP tsr *tsr_log_sigmoid_at(const char *where, tsr *x);
/** x between -1 and 1; integers stay integers. */
TSR_OP tsr *tsr_hard_tanh_at(const char *where, tsr *x);
/** tsr_relu6(x + 3) / 6. */
TSR_OP tsr *tsr_hard_sigmoid_at(const char *where, tsr *x);
/** x tsr_hard_sigmoid(x), also called hard_swish. */
TSR_OP tsr *tsr_hard_silu_at(const char *where, tsr *x);
/** x tanh(tsr_softplus(x)). */
TSR_OP tsr *tsr_mish_at(const char *where, tsr *x);
/** log(1 - e^-x). */
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
/** e^x / the sum of e^x along the dim: tsr_softmax(x, -1). */
TSR_OP tsr *tsr_softmax_at(const char *where, tsr *x, int dim);
/** The logarithm of tsr_softmax(). */
TSR_OP tsr *tsr_log_softmax_at(const char *where, tsr *x, int dim);
/** (x - mean) / sqrt(variance + epsilon) along the dim: tsr_standardize(x, -1, 1e-5). */
TSR_OP tsr *tsr_standardize_at(const char *where, tsr *x, int dim, double epsilon);
/** 1 at the place that an index names in a new last dim of size n, else 0; f32:
 * tsr_one_hot(words, 50). Indices that are not in it give zeros alone. */
TSR_OP tsr *tsr_one_hot_at(const char *where, tsr *x, int64_t n);

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
/** tsr_standardize_at() as a value. */
TSR_OP tsr *tsr_standardize(tsr *x, int dim, double epsilon);
/** tsr_one_hot_at() as a value. */
TSR_OP tsr *tsr_one_hot(tsr *x, int64_t n);
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
#define tsr_leaky_relu(a, b) TSR_OPERANDS2_(tsr_leaky_relu_at, TSR_VAR_, a, b)
#define tsr_elu(a, b) TSR_OPERANDS2_(tsr_elu_at, TSR_VAR_, a, b)
#define tsr_celu(a, b) TSR_OPERANDS2_(tsr_celu_at, TSR_VAR_, a, b)
#define tsr_selu(x) tsr_selu_at(TSR_HERE, x)
#define tsr_squareplus(a, b) TSR_OPERANDS2_(tsr_squareplus_at, TSR_VAR_, a, b)
#define tsr_gelu(...) TSR_GELU_(TSR_VAR_, __VA_ARGS__, )
#define TSR_GELU_(v_, x, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_gelu_args, v_, __VA_ARGS__) tsr_gelu_at(TSR_HERE, \
		x, &v_); }))
#define tsr_glu(x, dim) tsr_glu_at(TSR_HERE, x, dim)
#define tsr_softmax(x, dim) tsr_softmax_at(TSR_HERE, x, dim)
#define tsr_log_softmax(x, dim) tsr_log_softmax_at(TSR_HERE, x, dim)
#define tsr_standardize(x, dim, epsilon) tsr_standardize_at(TSR_HERE, x, dim, epsilon)
#define tsr_one_hot(x, n) tsr_one_hot_at(TSR_HERE, x, n)
#endif

#endif
