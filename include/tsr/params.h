/* tsr/params.h - parameters: initialisers, those of jax.nn.initializers, and trees of parameters
 * that are drawn where they are to be.
 *
 * An initialiser is a function of a key and dims, and has keywords when it is called:
 *
 *     tsr *w = tsr_init_normal(key, TSR_DIMS(512, 10), .stddev = 0.02);
 *
 * As a value it has none, tsr_initializer *init = tsr_init_kaiming_normal. A function of one's own
 * may have others:
 *
 *     static tsr *small(tsr *key, tsr_dims d) { return tsr_init_normal(key, d, .stddev = 0.02); }
 *
 * Numbers are those of JAX for the same key, as tsr/random.h says. Kernels are [..., in, out]: dims
 * that are neither .in nor .out nor .batch are those of a window, which counts to both. f32 when no
 * .dtype is given. Nothing here is collective across processes. */
/* Made by tools/make_headers.py of api/params.h.in: change that one. */
/** @file */
#ifndef TSR_PARAMS_H
#define TSR_PARAMS_H
#include "random.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- initialisers */

/** Draws an array of these dims with a key u32[2]. */
typedef tsr *tsr_initializer(tsr *key, tsr_dims dims);

/** Keywords of tsr_init_constant(). */
typedef struct tsr_init_constant_args {
	TSR_KEYWORDS_
	tsr_arg value;   /**< TSR_ARG(0.5), TSR_ARG(x), broadcast to the dims; must be given */
	tsr_dtype dtype; /**< f32 when not given */
	TSR_KEYWORDS_END_
} tsr_init_constant_args;

/** Keywords of tsr_init_uniform(). */
typedef struct tsr_init_uniform_args {
	TSR_KEYWORDS_
	double scale;    /**< the upper limit; 0.01 when not given */
	tsr_dtype dtype; /**< a float; f32 when not given */
	TSR_KEYWORDS_END_
} tsr_init_uniform_args;

/** Keywords of tsr_init_normal(). */
typedef struct tsr_init_normal_args {
	TSR_KEYWORDS_
	double stddev;   /**< the standard deviation; 0.01 when not given */
	tsr_dtype dtype; /**< float or complex; f32 when not given */
	TSR_KEYWORDS_END_
} tsr_init_normal_args;

/** Keywords of tsr_init_truncated_normal(). */
typedef struct tsr_init_truncated_normal_args {
	TSR_KEYWORDS_
	double stddev;   /**< the standard deviation before it is truncated; 0.01 when not given */
	tsr_dtype dtype; /**< a float; f32 when not given */
	tsr_arg lower, upper; /**< in standard deviations; TSR_ARG(-2) and TSR_ARG(2) when not
	                       * given */
	TSR_KEYWORDS_END_
} tsr_init_truncated_normal_args;

/** By which number of elements n tsr_init_variance_scaling() divides. */
enum tsr_fan {
	TSR_FAN_IN = 0,  /**< as many as one element of a result is the sum of */
	TSR_FAN_OUT = 1, /**< as many as one element of an operand counts to */
	TSR_FAN_AVG = 2, /**< the mean of both */
	TSR_FAN_GEO_AVG = 3 /**< the root of their product */
};

/** The distribution that tsr_init_variance_scaling() draws from. */
enum tsr_init_distribution {
	TSR_INIT_TRUNCATED_NORMAL = 0, /**< normal numbers below 2 standard deviations */
	TSR_INIT_NORMAL = 1,
	TSR_INIT_UNIFORM = 2 /**< evenly in an interval, complex numbers in a disk */
};

/** Keywords of tsr_init_variance_scaling(). */
typedef struct tsr_init_scaling_args {
	TSR_KEYWORDS_
	double scale;                            /**< 1 when not given */
	enum tsr_fan mode;                       /**< TSR_FAN_IN when not given */
	enum tsr_init_distribution distribution; /**< a truncated normal one when not given */
	tsr_dims in, out, batch;                 /**< as in tsr_init_fan_args */
	tsr_dtype dtype;                         /**< float or complex; f32 when not given */
	TSR_KEYWORDS_END_
} tsr_init_scaling_args;

/** Keywords of initialisers that look at what dims are for. */
typedef struct tsr_init_fan_args {
	TSR_KEYWORDS_
	tsr_dims in;     /**< dims of what comes in; TSR_DIMS(-2) when not given */
	tsr_dims out;    /**< dims of what comes out; TSR_DIMS(-1) when not given */
	tsr_dims batch;  /**< dims that do not count; none when not given */
	tsr_dtype dtype; /**< float or complex; f32 when not given */
	TSR_KEYWORDS_END_
} tsr_init_fan_args;

/** Keywords of tsr_init_orthogonal() and tsr_init_delta_orthogonal(). */
typedef struct tsr_init_orthogonal_args {
	TSR_KEYWORDS_
	double scale;    /**< of the matrices; 1 when not given */
	tsr_dims column; /**< one dim: that of the columns; the last one when not given */
	tsr_dtype dtype; /**< float or complex; f32 when not given */
	TSR_KEYWORDS_END_
} tsr_init_orthogonal_args;

/** An array of zeros, f32 when no dtype is given; the key is not used, here and in the next two. */
TSR_OP tsr *tsr_init_zeros_at(const char *where, tsr *key, tsr_dims dims, const tsr_new_args *args);
/** An array of ones, f32 when no dtype is given; the key is not used: tsr_init_ones(key,
 * TSR_DIMS(8)). */
TSR_OP tsr *tsr_init_ones_at(const char *where, tsr *key, tsr_dims dims, const tsr_new_args *args);
/** An array with all elements .value: tsr_init_constant(key, TSR_DIMS(8), .value = TSR_ARG(0.5)).
 * Error (TSR_ERROR_ARGUMENT): no .value. */
TSR_OP tsr *tsr_init_constant_at(const char *where, tsr *key, tsr_dims dims,
                                 const tsr_init_constant_args *args);
/** Numbers spread evenly from 0 to .scale: tsr_init_uniform(key, TSR_DIMS(512, 10), .scale = 0.1).
 * */
TSR_OP tsr *tsr_init_uniform_at(const char *where, tsr *key, tsr_dims dims,
                                const tsr_init_uniform_args *args);
/** Normal numbers with mean 0: tsr_init_normal(key, TSR_DIMS(512, 10), .stddev = 0.02). */
TSR_OP tsr *tsr_init_normal_at(const char *where, tsr *key, tsr_dims dims,
                               const tsr_init_normal_args *args);
/** Normal numbers with mean 0 of which those outside of two limits are left out. */
TSR_OP tsr *tsr_init_truncated_normal_at(const char *where, tsr *key, tsr_dims dims,
                                         const tsr_init_truncated_normal_args *args);
/** Numbers with mean 0 and variance .scale / n, where n is a number of elements that .mode names:
 * tsr_init_variance_scaling(key, TSR_DIMS(512, 10), .scale = 2, .mode = TSR_FAN_AVG). The next ones
 * are this one with the keywords that their comments say. Errors of all: dims that are none
 * (TSR_ERROR_ARGUMENT), no .in where there are fewer than two dims (TSR_ERROR_TYPE). */
TSR_OP tsr *tsr_init_variance_scaling_at(const char *where, tsr *key, tsr_dims dims,
                                         const tsr_init_scaling_args *args);
/** tsr_init_variance_scaling() with .scale = 1, .mode = TSR_FAN_AVG, .distribution =
 * TSR_INIT_UNIFORM. */
TSR_OP tsr *tsr_init_glorot_uniform_at(const char *where, tsr *key, tsr_dims dims,
                                       const tsr_init_fan_args *args);
/** tsr_init_variance_scaling() with .scale = 1, .mode = TSR_FAN_AVG. */
TSR_OP tsr *tsr_init_glorot_normal_at(const char *where, tsr *key, tsr_dims dims,
                                      const tsr_init_fan_args *args);
/** tsr_init_glorot_uniform() by the other name that JAX has for it. */
TSR_OP tsr *tsr_init_xavier_uniform_at(const char *where, tsr *key, tsr_dims dims,
                                       const tsr_init_fan_args *args);
/** tsr_init_glorot_normal() by the other name that JAX has for it. */
TSR_OP tsr *tsr_init_xavier_normal_at(const char *where, tsr *key, tsr_dims dims,
                                      const tsr_init_fan_args *args);
/** tsr_init_variance_scaling() with .scale = 1, .distribution = TSR_INIT_UNIFORM. */
TSR_OP tsr *tsr_init_lecun_uniform_at(const char *where, tsr *key, tsr_dims dims,
                                      const tsr_init_fan_args *args);
/** tsr_init_variance_scaling() with .scale = 1: the usual one of kernels in Flax. */
TSR_OP tsr *tsr_init_lecun_normal_at(const char *where, tsr *key, tsr_dims dims,
                                     const tsr_init_fan_args *args);
/** tsr_init_variance_scaling() with .scale = 2, .distribution = TSR_INIT_UNIFORM. */
TSR_OP tsr *tsr_init_he_uniform_at(const char *where, tsr *key, tsr_dims dims,
                                   const tsr_init_fan_args *args);
/** tsr_init_variance_scaling() with .scale = 2, normal numbers below two standard deviations. */
TSR_OP tsr *tsr_init_he_normal_at(const char *where, tsr *key, tsr_dims dims,
                                  const tsr_init_fan_args *args);
/** tsr_init_he_uniform() by the other name that JAX has for it. */
TSR_OP tsr *tsr_init_kaiming_uniform_at(const char *where, tsr *key, tsr_dims dims,
                                        const tsr_init_fan_args *args);
/** tsr_init_he_normal() by the other name that JAX has for it. */
TSR_OP tsr *tsr_init_kaiming_normal_at(const char *where, tsr *key, tsr_dims dims,
                                       const tsr_init_fan_args *args);
/** A matrix with orthonormal rows or columns, whichever are fewer, times .scale. All dims but
 * .column are its rows. A device makes all of it, and keeps its part. Error (TSR_ERROR_TYPE): fewer
 * than two dims. */
TSR_OP tsr *tsr_init_orthogonal_at(const char *where, tsr *key, tsr_dims dims,
                                   const tsr_init_orthogonal_args *args);
/** A kernel [window..., in, out] that is a matrix of tsr_init_orthogonal() at the middle of its
 * window, and 0 elsewhere: tsr_init_delta_orthogonal(key, TSR_DIMS(3, 3, 8, 16)). Error
 * (TSR_ERROR_TYPE): not 3 to 5 dims, or more in than out. */
TSR_OP tsr *tsr_init_delta_orthogonal_at(const char *where, tsr *key, tsr_dims dims,
                                         const tsr_init_orthogonal_args *args);

/* ---- trees of parameters */

/** One parameter of a tree: the dims of a leaf, how its values are drawn, and where it is. */
typedef struct tsr_param {
	tsr_dims dims;
	tsr_initializer *init;
	tsr_spec spec; /**< where it is; all of it on every device when not given */
} tsr_param;

/** The leaves of a tree, leaf k as params[k] says, and over a mesh where it says:
 *
 *     const tsr_param params[] = {
 *             {TSR_DIMS(h, 4 * h), tsr_init_kaiming_normal, TSR_P(NULL, "model")},
 *             {TSR_DIMS(4 * h), tsr_init_zeros, TSR_P("model")}};
 *     tsr_make_params(TSR_TREE(dense, &w), key, mesh, params, 2);
 *
 * Leaf k is drawn with tsr_fold_in(key, k), as Flax numbers them: a kernel comes before its bias,
 * a scale before its bias, and zeros and ones have numbers too. Running statistics have none
 * there: they are a tree of their own. All leaves are drawn by one program, in which each device
 * makes its own parts and nothing is sent (but in a context with .threefry_original, whose numbers
 * depend on the whole). A mesh that is NULL is the one in use; where none is, leaves are where the
 * key is. Errors: n is not the number of leaves, no initialiser (TSR_ERROR_ARGUMENT), an
 * initialiser that gives other dims (TSR_ERROR_TYPE), specs as for tsr_put() (TSR_ERROR_SHARDING).
 * false on failure; all leaves are poison then. */
TSR_API bool tsr_make_params_at(const char *where, tsr_tree to, tsr *key, const tsr_mesh *mesh,
                                const tsr_param *params, size_t n);

/* ---- the same without place and keywords: as values, and for debuggers */

/** tsr_init_zeros_at() as a value. */
TSR_OP tsr *tsr_init_zeros(tsr *key, tsr_dims dims);
/** tsr_init_ones_at() as a value. */
TSR_OP tsr *tsr_init_ones(tsr *key, tsr_dims dims);
/** tsr_init_constant_at() as a value. */
TSR_OP tsr *tsr_init_constant(tsr *key, tsr_dims dims);
/** tsr_init_uniform_at() as a value. */
TSR_OP tsr *tsr_init_uniform(tsr *key, tsr_dims dims);
/** tsr_init_normal_at() as a value. */
TSR_OP tsr *tsr_init_normal(tsr *key, tsr_dims dims);
/** tsr_init_truncated_normal_at() as a value. */
TSR_OP tsr *tsr_init_truncated_normal(tsr *key, tsr_dims dims);
/** tsr_init_variance_scaling_at() as a value. */
TSR_OP tsr *tsr_init_variance_scaling(tsr *key, tsr_dims dims);
/** tsr_init_glorot_uniform_at() as a value. */
TSR_OP tsr *tsr_init_glorot_uniform(tsr *key, tsr_dims dims);
/** tsr_init_glorot_normal_at() as a value. */
TSR_OP tsr *tsr_init_glorot_normal(tsr *key, tsr_dims dims);
/** tsr_init_xavier_uniform_at() as a value. */
TSR_OP tsr *tsr_init_xavier_uniform(tsr *key, tsr_dims dims);
/** tsr_init_xavier_normal_at() as a value. */
TSR_OP tsr *tsr_init_xavier_normal(tsr *key, tsr_dims dims);
/** tsr_init_lecun_uniform_at() as a value. */
TSR_OP tsr *tsr_init_lecun_uniform(tsr *key, tsr_dims dims);
/** tsr_init_lecun_normal_at() as a value. */
TSR_OP tsr *tsr_init_lecun_normal(tsr *key, tsr_dims dims);
/** tsr_init_he_uniform_at() as a value. */
TSR_OP tsr *tsr_init_he_uniform(tsr *key, tsr_dims dims);
/** tsr_init_he_normal_at() as a value. */
TSR_OP tsr *tsr_init_he_normal(tsr *key, tsr_dims dims);
/** tsr_init_kaiming_uniform_at() as a value. */
TSR_OP tsr *tsr_init_kaiming_uniform(tsr *key, tsr_dims dims);
/** tsr_init_kaiming_normal_at() as a value. */
TSR_OP tsr *tsr_init_kaiming_normal(tsr *key, tsr_dims dims);
/** tsr_init_orthogonal_at() as a value. */
TSR_OP tsr *tsr_init_orthogonal(tsr *key, tsr_dims dims);
/** tsr_init_delta_orthogonal_at() as a value. */
TSR_OP tsr *tsr_init_delta_orthogonal(tsr *key, tsr_dims dims);
/** tsr_make_params_at() as a value. */
TSR_API bool tsr_make_params(tsr_tree to, tsr *key, const tsr_mesh *mesh, const tsr_param *params,
                             size_t n);
#ifdef __cplusplus
}
#endif

#ifdef TSR_MACROS_
#define tsr_init_zeros(key, ...) TSR_INIT_ZEROS_(#__VA_ARGS__, TSR_PREFIX_, key, __VA_ARGS__, )
#define TSR_INIT_ZEROS_(text1, v_, key, dims, ...) \
	tsr_result_(__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_init_zeros: write the argument dims as TSR_DIMS(2, 3)") TSR_LET_DIMS_(v_, _1, \
		dims, "tsr_init_zeros: write the argument dims as TSR_DIMS(2, 3)") \
		TSR_KW_(tsr_new_args, v_, __VA_ARGS__) tsr_init_zeros_at(TSR_HERE, key, \
		TSR_CAT_(v_, _1), &v_); }))
#define tsr_init_ones(key, ...) TSR_INIT_ONES_(#__VA_ARGS__, TSR_PREFIX_, key, __VA_ARGS__, )
#define TSR_INIT_ONES_(text1, v_, key, dims, ...) \
	tsr_result_(__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_init_ones: write the argument dims as TSR_DIMS(2, 3)") TSR_LET_DIMS_(v_, _1, \
		dims, "tsr_init_ones: write the argument dims as TSR_DIMS(2, 3)") \
		TSR_KW_(tsr_new_args, v_, __VA_ARGS__) tsr_init_ones_at(TSR_HERE, key, \
		TSR_CAT_(v_, _1), &v_); }))
#define tsr_init_constant(key, ...) \
	TSR_INIT_CONSTANT_(#__VA_ARGS__, TSR_PREFIX_, key, __VA_ARGS__, )
#define TSR_INIT_CONSTANT_(text1, v_, key, dims, ...) \
	tsr_result_(__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_init_constant: write the argument dims as TSR_DIMS(2, 3)") TSR_LET_DIMS_(v_, \
		_1, dims, "tsr_init_constant: write the argument dims as TSR_DIMS(2, 3)") \
		TSR_KW_(tsr_init_constant_args, v_, __VA_ARGS__) tsr_init_constant_at(TSR_HERE, \
		key, TSR_CAT_(v_, _1), &v_); }))
#define tsr_init_uniform(key, ...) TSR_INIT_UNIFORM_(#__VA_ARGS__, TSR_PREFIX_, key, __VA_ARGS__, )
#define TSR_INIT_UNIFORM_(text1, v_, key, dims, ...) \
	tsr_result_(__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_init_uniform: write the argument dims as TSR_DIMS(2, 3)") TSR_LET_DIMS_(v_, \
		_1, dims, "tsr_init_uniform: write the argument dims as TSR_DIMS(2, 3)") \
		TSR_KW_(tsr_init_uniform_args, v_, __VA_ARGS__) tsr_init_uniform_at(TSR_HERE, key, \
		TSR_CAT_(v_, _1), &v_); }))
#define tsr_init_normal(key, ...) TSR_INIT_NORMAL_(#__VA_ARGS__, TSR_PREFIX_, key, __VA_ARGS__, )
#define TSR_INIT_NORMAL_(text1, v_, key, dims, ...) \
	tsr_result_(__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_init_normal: write the argument dims as TSR_DIMS(2, 3)") TSR_LET_DIMS_(v_, \
		_1, dims, "tsr_init_normal: write the argument dims as TSR_DIMS(2, 3)") \
		TSR_KW_(tsr_init_normal_args, v_, __VA_ARGS__) tsr_init_normal_at(TSR_HERE, key, \
		TSR_CAT_(v_, _1), &v_); }))
#define tsr_init_truncated_normal(key, ...) \
	TSR_INIT_TRUNCATED_NORMAL_(#__VA_ARGS__, TSR_PREFIX_, key, __VA_ARGS__, )
#define TSR_INIT_TRUNCATED_NORMAL_(text1, v_, key, dims, ...) \
	tsr_result_(__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_init_truncated_normal: write the argument dims as TSR_DIMS(2, 3)") \
		TSR_LET_DIMS_(v_, _1, dims, \
		"tsr_init_truncated_normal: write the argument dims as TSR_DIMS(2, 3)") \
		TSR_KW_(tsr_init_truncated_normal_args, v_, __VA_ARGS__) \
		tsr_init_truncated_normal_at(TSR_HERE, key, TSR_CAT_(v_, _1), &v_); }))
#define tsr_init_variance_scaling(key, ...) \
	TSR_INIT_VARIANCE_SCALING_(#__VA_ARGS__, TSR_PREFIX_, key, __VA_ARGS__, )
#define TSR_INIT_VARIANCE_SCALING_(text1, v_, key, dims, ...) \
	tsr_result_(__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_init_variance_scaling: write the argument dims as TSR_DIMS(2, 3)") \
		TSR_LET_DIMS_(v_, _1, dims, \
		"tsr_init_variance_scaling: write the argument dims as TSR_DIMS(2, 3)") \
		TSR_KW_(tsr_init_scaling_args, v_, __VA_ARGS__) \
		tsr_init_variance_scaling_at(TSR_HERE, key, TSR_CAT_(v_, _1), &v_); }))
#define tsr_init_glorot_uniform(key, ...) \
	TSR_INIT_GLOROT_UNIFORM_(#__VA_ARGS__, TSR_PREFIX_, key, __VA_ARGS__, )
#define TSR_INIT_GLOROT_UNIFORM_(text1, v_, key, dims, ...) \
	tsr_result_(__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_init_glorot_uniform: write the argument dims as TSR_DIMS(2, 3)") \
		TSR_LET_DIMS_(v_, _1, dims, \
		"tsr_init_glorot_uniform: write the argument dims as TSR_DIMS(2, 3)") \
		TSR_KW_(tsr_init_fan_args, v_, __VA_ARGS__) tsr_init_glorot_uniform_at(TSR_HERE, \
		key, TSR_CAT_(v_, _1), &v_); }))
#define tsr_init_glorot_normal(key, ...) \
	TSR_INIT_GLOROT_NORMAL_(#__VA_ARGS__, TSR_PREFIX_, key, __VA_ARGS__, )
#define TSR_INIT_GLOROT_NORMAL_(text1, v_, key, dims, ...) \
	tsr_result_(__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_init_glorot_normal: write the argument dims as TSR_DIMS(2, 3)") \
		TSR_LET_DIMS_(v_, _1, dims, \
		"tsr_init_glorot_normal: write the argument dims as TSR_DIMS(2, 3)") \
		TSR_KW_(tsr_init_fan_args, v_, __VA_ARGS__) tsr_init_glorot_normal_at(TSR_HERE, \
		key, TSR_CAT_(v_, _1), &v_); }))
#define tsr_init_xavier_uniform(key, ...) \
	TSR_INIT_XAVIER_UNIFORM_(#__VA_ARGS__, TSR_PREFIX_, key, __VA_ARGS__, )
#define TSR_INIT_XAVIER_UNIFORM_(text1, v_, key, dims, ...) \
	tsr_result_(__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_init_xavier_uniform: write the argument dims as TSR_DIMS(2, 3)") \
		TSR_LET_DIMS_(v_, _1, dims, \
		"tsr_init_xavier_uniform: write the argument dims as TSR_DIMS(2, 3)") \
		TSR_KW_(tsr_init_fan_args, v_, __VA_ARGS__) tsr_init_xavier_uniform_at(TSR_HERE, \
		key, TSR_CAT_(v_, _1), &v_); }))
#define tsr_init_xavier_normal(key, ...) \
	TSR_INIT_XAVIER_NORMAL_(#__VA_ARGS__, TSR_PREFIX_, key, __VA_ARGS__, )
#define TSR_INIT_XAVIER_NORMAL_(text1, v_, key, dims, ...) \
	tsr_result_(__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_init_xavier_normal: write the argument dims as TSR_DIMS(2, 3)") \
		TSR_LET_DIMS_(v_, _1, dims, \
		"tsr_init_xavier_normal: write the argument dims as TSR_DIMS(2, 3)") \
		TSR_KW_(tsr_init_fan_args, v_, __VA_ARGS__) tsr_init_xavier_normal_at(TSR_HERE, \
		key, TSR_CAT_(v_, _1), &v_); }))
#define tsr_init_lecun_uniform(key, ...) \
	TSR_INIT_LECUN_UNIFORM_(#__VA_ARGS__, TSR_PREFIX_, key, __VA_ARGS__, )
#define TSR_INIT_LECUN_UNIFORM_(text1, v_, key, dims, ...) \
	tsr_result_(__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_init_lecun_uniform: write the argument dims as TSR_DIMS(2, 3)") \
		TSR_LET_DIMS_(v_, _1, dims, \
		"tsr_init_lecun_uniform: write the argument dims as TSR_DIMS(2, 3)") \
		TSR_KW_(tsr_init_fan_args, v_, __VA_ARGS__) tsr_init_lecun_uniform_at(TSR_HERE, \
		key, TSR_CAT_(v_, _1), &v_); }))
#define tsr_init_lecun_normal(key, ...) \
	TSR_INIT_LECUN_NORMAL_(#__VA_ARGS__, TSR_PREFIX_, key, __VA_ARGS__, )
#define TSR_INIT_LECUN_NORMAL_(text1, v_, key, dims, ...) \
	tsr_result_(__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_init_lecun_normal: write the argument dims as TSR_DIMS(2, 3)") \
		TSR_LET_DIMS_(v_, _1, dims, \
		"tsr_init_lecun_normal: write the argument dims as TSR_DIMS(2, 3)") \
		TSR_KW_(tsr_init_fan_args, v_, __VA_ARGS__) tsr_init_lecun_normal_at(TSR_HERE, \
		key, TSR_CAT_(v_, _1), &v_); }))
#define tsr_init_he_uniform(key, ...) \
	TSR_INIT_HE_UNIFORM_(#__VA_ARGS__, TSR_PREFIX_, key, __VA_ARGS__, )
#define TSR_INIT_HE_UNIFORM_(text1, v_, key, dims, ...) \
	tsr_result_(__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_init_he_uniform: write the argument dims as TSR_DIMS(2, 3)") \
		TSR_LET_DIMS_(v_, _1, dims, \
		"tsr_init_he_uniform: write the argument dims as TSR_DIMS(2, 3)") \
		TSR_KW_(tsr_init_fan_args, v_, __VA_ARGS__) tsr_init_he_uniform_at(TSR_HERE, key, \
		TSR_CAT_(v_, _1), &v_); }))
#define tsr_init_he_normal(key, ...) \
	TSR_INIT_HE_NORMAL_(#__VA_ARGS__, TSR_PREFIX_, key, __VA_ARGS__, )
#define TSR_INIT_HE_NORMAL_(text1, v_, key, dims, ...) \
	tsr_result_(__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_init_he_normal: write the argument dims as TSR_DIMS(2, 3)") TSR_LET_DIMS_(v_, \
		_1, dims, "tsr_init_he_normal: write the argument dims as TSR_DIMS(2, 3)") \
		TSR_KW_(tsr_init_fan_args, v_, __VA_ARGS__) tsr_init_he_normal_at(TSR_HERE, key, \
		TSR_CAT_(v_, _1), &v_); }))
#define tsr_init_kaiming_uniform(key, ...) \
	TSR_INIT_KAIMING_UNIFORM_(#__VA_ARGS__, TSR_PREFIX_, key, __VA_ARGS__, )
#define TSR_INIT_KAIMING_UNIFORM_(text1, v_, key, dims, ...) \
	tsr_result_(__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_init_kaiming_uniform: write the argument dims as TSR_DIMS(2, 3)") \
		TSR_LET_DIMS_(v_, _1, dims, \
		"tsr_init_kaiming_uniform: write the argument dims as TSR_DIMS(2, 3)") \
		TSR_KW_(tsr_init_fan_args, v_, __VA_ARGS__) tsr_init_kaiming_uniform_at(TSR_HERE, \
		key, TSR_CAT_(v_, _1), &v_); }))
#define tsr_init_kaiming_normal(key, ...) \
	TSR_INIT_KAIMING_NORMAL_(#__VA_ARGS__, TSR_PREFIX_, key, __VA_ARGS__, )
#define TSR_INIT_KAIMING_NORMAL_(text1, v_, key, dims, ...) \
	tsr_result_(__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_init_kaiming_normal: write the argument dims as TSR_DIMS(2, 3)") \
		TSR_LET_DIMS_(v_, _1, dims, \
		"tsr_init_kaiming_normal: write the argument dims as TSR_DIMS(2, 3)") \
		TSR_KW_(tsr_init_fan_args, v_, __VA_ARGS__) tsr_init_kaiming_normal_at(TSR_HERE, \
		key, TSR_CAT_(v_, _1), &v_); }))
#define tsr_init_orthogonal(key, ...) \
	TSR_INIT_ORTHOGONAL_(#__VA_ARGS__, TSR_PREFIX_, key, __VA_ARGS__, )
#define TSR_INIT_ORTHOGONAL_(text1, v_, key, dims, ...) \
	tsr_result_(__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_init_orthogonal: write the argument dims as TSR_DIMS(2, 3)") \
		TSR_LET_DIMS_(v_, _1, dims, \
		"tsr_init_orthogonal: write the argument dims as TSR_DIMS(2, 3)") \
		TSR_KW_(tsr_init_orthogonal_args, v_, __VA_ARGS__) \
		tsr_init_orthogonal_at(TSR_HERE, key, TSR_CAT_(v_, _1), &v_); }))
#define tsr_init_delta_orthogonal(key, ...) \
	TSR_INIT_DELTA_ORTHOGONAL_(#__VA_ARGS__, TSR_PREFIX_, key, __VA_ARGS__, )
#define TSR_INIT_DELTA_ORTHOGONAL_(text1, v_, key, dims, ...) \
	tsr_result_(__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_init_delta_orthogonal: write the argument dims as TSR_DIMS(2, 3)") \
		TSR_LET_DIMS_(v_, _1, dims, \
		"tsr_init_delta_orthogonal: write the argument dims as TSR_DIMS(2, 3)") \
		TSR_KW_(tsr_init_orthogonal_args, v_, __VA_ARGS__) \
		tsr_init_delta_orthogonal_at(TSR_HERE, key, TSR_CAT_(v_, _1), &v_); }))
#define tsr_make_params(to, key, mesh, params, n) \
	tsr_make_params_at(TSR_HERE, to, key, mesh, params, n)
#endif

#endif
