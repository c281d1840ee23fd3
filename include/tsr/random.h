/* tsr/random.h - random numbers: keys, and samplers that each make an array of a key.
 *
 * A key is an array u32[2]. There is no hidden state: the same key gives the same numbers, so each
 * key is used once, and new keys are made of it by tsr_split_key() and tsr_fold_in(). Several keys
 * are an array u32[n,2]: tsr_vmap() over its first dim draws for each key.
 *
 *     tsr *key[3];
 *     tsr_split_key(tsr_key(ctx, 42), key, 3);
 *     tsr *w = tsr_normal(key[0], TSR_DIMS(512, 10));
 *     tsr *x = tsr_uniform(key[1], TSR_DIMS(128, 512));
 *
 * Numbers are those of jax.random, to the bit where docs/numerics.md says so: threefry2x32 in its
 * partitionable form. Each element depends on the key and its place in the whole array alone: not
 * on devices, shardings, threads or engines; so an array that is on many devices is drawn by
 * each of them for its own part, and nothing is sent. In tsr_shard_map() a sampler makes a block:
 * devices with the same key make the same block, and tsr_fold_in(key, tsr_axis_index(ctx, "x"))
 * gives each its own key.
 *
 * Names are those of jax.random. Where such a name alone is that of a function of numbers (gamma,
 * beta, logistic), or says little (bits), random_ is put in front.
 *
 * Errors of all: a key that is not u32[2] (TSR_ERROR_TYPE); dims that are not given or negative, or
 * a dtype that the sampler does not have (TSR_ERROR_ARGUMENT). Nothing here is collective across
 * processes. */
/* Made by tools/make_headers.py of api/random.h.in: change that one. */
/** @file */
#ifndef TSR_RANDOM_H
#define TSR_RANDOM_H
#include "array.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- keys */

/** The key of a seed: its upper and its lower 32 bits, [2] of u32: tsr_key(ctx, 42), tsr_key(ctx,
 * seed) of an integer array without dims, which may be traced. The upper half is 0 where the array
 * has at most 32 bits. (JAX without 64-bit types drops the upper half: its key(-1) is tsr_key(ctx,
 * UINT32_MAX).) Error (TSR_ERROR_TYPE): it is no integer, or has dims. */
TSR_OP tsr *tsr_key_at(const char *where, tsr_ctx *ctx, tsr_arg seed);
/** n new keys, into out: tsr *key[2]; tsr_split_key(old, key, 2). false on failure; out then holds
 * poison. */
TSR_API bool tsr_split_key_at(const char *where, tsr *key, tsr **out, size_t n);
/** An array of new keys, [dims..., 2]: tsr_split_keys(key, TSR_DIMS(8)) is u32[8,2], and its rows
 * are the keys of tsr_split_key(key, out, 8). */
TSR_OP tsr *tsr_split_keys_at(const char *where, tsr *key, tsr_dims dims);
/** A new key, of a key and an integer: tsr_fold_in(key, 7), tsr_fold_in(key, step). The integer
 * counts modulo 2^32. Error (TSR_ERROR_TYPE): it is no integer, or has dims. */
TSR_OP tsr *tsr_fold_in_at(const char *where, tsr *key, tsr_arg data);

/* ---- samplers */

/** Keywords of samplers. With .whole and .start a sampler makes a part of an array, as a device
 * with that part would: in tsr_shard_map() with four devices along "x", and at an i32[2] with the
 * entries 2 * tsr_axis_index(ctx, "x") and 0, tsr_normal(key, TSR_DIMS(2, 6), .whole = TSR_DIMS(8,
 * 6), .start = at) makes the blocks of tsr_normal(key, TSR_DIMS(8, 6)). Further errors: one without
 * the other (TSR_ERROR_ARGUMENT), not an integer for each dim (TSR_ERROR_TYPE), a context with
 * .threefry_original (TSR_ERROR_UNSUPPORTED). */
typedef struct tsr_draw_args {
	TSR_KEYWORDS_
	tsr_dtype dtype;
	tsr_dims whole; /**< dims of the array of which a part is made */
	tsr *start;     /**< [ndim], integers: the indices at which the part begins */
	TSR_KEYWORDS_END_
} tsr_draw_args;

/** Keywords of tsr_uniform(). */
typedef struct tsr_uniform_args {
	TSR_KEYWORDS_
	tsr_dtype dtype;
	tsr_dims whole;         /**< as in tsr_draw_args */
	tsr *start;             /**< as in tsr_draw_args */
	tsr_arg minval, maxval; /**< TSR_ARG(-1), TSR_ARG(x); 0 and 1 when not given */
	TSR_KEYWORDS_END_
} tsr_uniform_args;

/** Keywords of samplers with parameters. */
typedef struct tsr_sample_args {
	TSR_KEYWORDS_
	tsr_dtype dtype;
	tsr_dims dims; /**< of the result; when not given those that the parameters broadcast to */
	TSR_KEYWORDS_END_
} tsr_sample_args;

/** Keywords of tsr_gumbel(). */
typedef struct tsr_gumbel_args {
	TSR_KEYWORDS_
	tsr_dtype dtype;
	tsr_dims whole; /**< as in tsr_draw_args */
	tsr *start;     /**< as in tsr_draw_args */
	bool high;      /**< of twice as many bits, so that in f32 numbers up to 32 occur, in place
	                 * of 16: JAX's mode="high" */
	TSR_KEYWORDS_END_
} tsr_gumbel_args;

/** Keywords of tsr_bernoulli(). */
typedef struct tsr_bernoulli_args {
	TSR_KEYWORDS_
	tsr_dims dims; /**< of the result; those of p when not given */
	bool high;     /**< of twice as many bits, for a p below 1e-7 (f32): JAX's mode="high" */
	TSR_KEYWORDS_END_
} tsr_bernoulli_args;

/** Keywords of tsr_categorical(). */
typedef struct tsr_categorical_args {
	TSR_KEYWORDS_
	tsr_dims dim;    /**< one dim: that of the categories; the last one when not given */
	tsr_dims dims;   /**< of the result; they end with those of the logits without .dim, which
	                  * are the usual ones */
	bool no_replace; /**< numbers of one distribution all differ: JAX's replace = False */
	bool high;       /**< as in tsr_gumbel_args */
	TSR_KEYWORDS_END_
} tsr_categorical_args;

/** Keywords of tsr_permutation(). */
typedef struct tsr_permutation_args {
	TSR_KEYWORDS_
	tsr_dims dim;     /**< one dim, along which elements move; dim 0 when not given */
	bool independent; /**< each row along the dim gets an order of its own */
	TSR_KEYWORDS_END_
} tsr_permutation_args;

/** Keywords of tsr_choice(). */
typedef struct tsr_choice_args {
	TSR_KEYWORDS_
	tsr_dims dim;    /**< one dim, along which elements are chosen; dim 0 when not given */
	tsr *p;          /**< [n]: the probability of each; all are equally likely when not given */
	bool no_replace; /**< none is chosen twice: JAX's replace = False */
	bool high;       /**< with .p and .no_replace as in tsr_gumbel_args */
	TSR_KEYWORDS_END_
} tsr_choice_args;

/** Keywords of tsr_ball(). */
typedef struct tsr_ball_args {
	TSR_KEYWORDS_
	tsr_dtype dtype;
	tsr_dims dims; /**< in front of that of the vectors; when not given, one vector */
	tsr_arg p;     /**< of the norm, one number: TSR_ARG(1); 2 when not given */
	TSR_KEYWORDS_END_
} tsr_ball_args;

/** Keywords of tsr_orthogonal(). */
typedef struct tsr_orthogonal_args {
	TSR_KEYWORDS_
	tsr_dtype dtype;
	tsr_dims dims; /**< in front of those of the matrices; when not given, one matrix */
	int64_t m;     /**< how many columns; n when not given */
	TSR_KEYWORDS_END_
} tsr_orthogonal_args;

/** Which F with F F^T = covariance. */
enum tsr_covariance_factor {
	TSR_FACTOR_CHOLESKY = 0, /**< the triangular one, of positive definite matrices */
	TSR_FACTOR_EIGH = 1,     /**< eigenvectors times the roots of the eigenvalues */
	TSR_FACTOR_SVD = 2       /**< singular vectors times the roots of the singular values */
};

/** Keywords of tsr_multivariate_normal(). */
typedef struct tsr_multivariate_normal_args {
	TSR_KEYWORDS_
	tsr_dtype dtype; /**< that of the mean and of cov when not given */
	tsr_dims dims;   /**< in front of that of the vectors; when not given, those that the
	                  * leading dims of the mean and of cov broadcast to */
	enum tsr_covariance_factor factor; /**< JAX's method */
	TSR_KEYWORDS_END_
} tsr_multivariate_normal_args;

/** Random bits: u8, u16, u32 or u64; u32 when no dtype is given: tsr_random_bits(key, TSR_DIMS(6),
 * .dtype = TSR_U8). */
TSR_OP tsr *tsr_random_bits_at(const char *where, tsr *key, tsr_dims dims,
                               const tsr_draw_args *args);
/** Floats spread evenly over minval <= y < maxval; f32 when no dtype is given: tsr_uniform(key,
 * TSR_DIMS(8), .minval = TSR_ARG(-1)). Error (TSR_ERROR_TYPE): limits that do not broadcast to the
 * dims. */
TSR_OP tsr *tsr_uniform_at(const char *where, tsr *key, tsr_dims dims,
                           const tsr_uniform_args *args);
/** Normal numbers with mean 0 and variance 1, of a float or complex dtype; f32 when not given. Both
 * parts of complex ones have half the variance. */
TSR_OP tsr *tsr_normal_at(const char *where, tsr *key, tsr_dims dims, const tsr_draw_args *args);
/** Normal numbers of which those outside of lower < y < upper are left out:
 * tsr_truncated_normal(key, -2, 2, .dims = TSR_DIMS(8)). This one, and all samplers with
 * parameters below: f32 or another float .dtype, and parameters that are arrays or C numbers and
 * broadcast to .dims (TSR_ERROR_TYPE if not). */
TSR_OP tsr *tsr_truncated_normal_at(const char *where, tsr *key, tsr_arg lower, tsr_arg upper,
                                    const tsr_sample_args *args);
/** Integers minval <= y < maxval; i32 when no dtype is given: tsr_randint(key, TSR_DIMS(8), 0, 10).
 * Limits beyond the dtype count as its own, so 0 and 256 are all of u8; where maxval is not above
 * minval, minval. The remainder of twice as many random bits as the dtype has: nearly even. */
TSR_OP tsr *tsr_randint_at(const char *where, tsr *key, tsr_dims dims, tsr_arg minval,
                           tsr_arg maxval, const tsr_draw_args *args);
/** bool: true with probability p: tsr_bernoulli(key, 0.3, .dims = TSR_DIMS(4)). */
TSR_OP tsr *tsr_bernoulli_at(const char *where, tsr *key, tsr_arg p,
                             const tsr_bernoulli_args *args);
/** Each element -1 or 1 with equal probability; i32, or another integer dtype. */
TSR_OP tsr *tsr_rademacher_at(const char *where, tsr *key, tsr_dims dims,
                              const tsr_draw_args *args);
/** The number of a category, each with a probability proportional to e to the power of its
 * logit: tsr_categorical(key, logits), tsr_categorical(key, logits, .dim = TSR_DIMS(0)). Errors
 * (TSR_ERROR_TYPE): logits that are no floats, .dims that do not end as they must. */
TSR_OP tsr *tsr_categorical_at(const char *where, tsr *key, tsr *logits,
                               const tsr_categorical_args *args);
/** An array whose elements along a dim are in random order, or the numbers from 0 to n - 1, of
 * i32, or i64 where they need it: tsr_permutation(key, x), tsr_permutation(key, 100). Error
 * (TSR_ERROR_ARGUMENT): so many that no array holds them. */
TSR_OP tsr *tsr_permutation_at(const char *where, tsr *key, tsr_arg x,
                               const tsr_permutation_args *args);
/** Elements of an array along a dim, or of the numbers from 0 to n - 1, i32. dims says how many,
 * and replaces that dim: tsr_choice(key, 10, TSR_DIMS(3)), tsr_choice(key, rows,
 * TSR_DIMS(5), .no_replace = true), tsr_choice(key, 4, TSR_DIMS(9), .p = p). Errors: more samples
 * than elements with .no_replace, nothing to choose from (TSR_ERROR_ARGUMENT); a .p of other dims
 * (TSR_ERROR_TYPE). */
TSR_OP tsr *tsr_choice_at(const char *where, tsr *key, tsr_arg from, tsr_dims dims,
                          const tsr_choice_args *args);
/** How many trials with probability p it takes until one succeeds; i32, or another integer
 * dtype. */
TSR_OP tsr *tsr_geometric_at(const char *where, tsr *key, tsr_arg p, const tsr_sample_args *args);
/** How many events there are where lam are expected, lam >= 0; i32, or another integer dtype. All
 * elements try with numbers of the same keys until each one is done. From lam = 10 on the last
 * trial that succeeds counts, as in JAX: there an element depends on how long the others take. A
 * lam that is negative or NaN gives -1. */
TSR_OP tsr *tsr_poisson_at(const char *where, tsr *key, tsr_arg lam, const tsr_sample_args *args);
/** How many of n trials with probability p succeed, as floats (f32, or another float .dtype):
 * tsr_binomial(key, 10, p). Fractions of n are dropped; NaN where n is negative or p not between 0
 * and 1, infinity where n is infinite. Where n min(p, 1 - p) > 10, elements depend on each other as
 * in tsr_poisson(). */
TSR_OP tsr *tsr_binomial_at(const char *where, tsr *key, tsr_arg n, tsr_arg p,
                            const tsr_sample_args *args);
/** How many of n trials have each outcome, of probabilities p [..., k], as floats: [.dims..., k],
 * where .dims are those in front of the last one of p when not given, and n broadcasts to them.
 * tsr_multinomial(key, 100, p). Errors (TSR_ERROR_TYPE): a p without dims, dims that do not
 * broadcast. */
TSR_OP tsr *tsr_multinomial_at(const char *where, tsr *key, tsr_arg n, tsr *p,
                               const tsr_sample_args *args);

/** -log(-log(u)) with u evenly between 0 and 1: the noise of tsr_categorical(). This one, and those
 * below without parameters: f32 or another float .dtype. */
TSR_OP tsr *tsr_gumbel_at(const char *where, tsr *key, tsr_dims dims, const tsr_gumbel_args *args);
/** Numbers of the exponential distribution with mean 1: -log(1 - u) with u evenly between 0 and 1.
 * */
TSR_OP tsr *tsr_exponential_at(const char *where, tsr *key, tsr_dims dims,
                               const tsr_draw_args *args);
/** Numbers of the Laplace distribution: exponential ones with a random sign. */
TSR_OP tsr *tsr_laplace_at(const char *where, tsr *key, tsr_dims dims, const tsr_draw_args *args);
/** Numbers of the logistic distribution: log(u / (1 - u)) with u evenly between 0 and 1. */
TSR_OP tsr *tsr_random_logistic_at(const char *where, tsr *key, tsr_dims dims,
                                   const tsr_draw_args *args);
/** Cauchy numbers: the tangent of an angle between -pi/2 and pi/2. */
TSR_OP tsr *tsr_cauchy_at(const char *where, tsr *key, tsr_dims dims, const tsr_draw_args *args);
/** Maxwell numbers: the length of three normal ones. */
TSR_OP tsr *tsr_maxwell_at(const char *where, tsr *key, tsr_dims dims, const tsr_draw_args *args);
/** Pareto numbers y >= 1, with density b / y^(b + 1). */
TSR_OP tsr *tsr_pareto_at(const char *where, tsr *key, tsr_arg b, const tsr_sample_args *args);
/** Rayleigh numbers: scale times the length of two normal ones. */
TSR_OP tsr *tsr_rayleigh_at(const char *where, tsr *key, tsr_arg scale,
                            const tsr_sample_args *args);
/** e to the power of sigma times a normal number. */
TSR_OP tsr *tsr_lognormal_at(const char *where, tsr *key, tsr_arg sigma,
                             const tsr_sample_args *args);
/** Wald (inverse normal) numbers with a mean, and shape 1. */
TSR_OP tsr *tsr_wald_at(const char *where, tsr *key, tsr_arg mean, const tsr_sample_args *args);
/** Weibull numbers: scale times an exponential one to the power 1 / concentration. */
TSR_OP tsr *tsr_weibull_min_at(const char *where, tsr *key, tsr_arg scale, tsr_arg concentration,
                               const tsr_sample_args *args);
/** loc plus scale times a Maxwell number with a random sign. */
TSR_OP tsr *tsr_double_sided_maxwell_at(const char *where, tsr *key, tsr_arg loc, tsr_arg scale,
                                        const tsr_sample_args *args);
/** Numbers between left and right whose density rises up to mode, and falls behind it. */
TSR_OP tsr *tsr_triangular_at(const char *where, tsr *key, tsr_arg left, tsr_arg mode,
                              tsr_arg right, const tsr_sample_args *args);

/* ---- of gamma numbers. Each element has a key of its own, of its place in the array, and takes as
 * many trials as it needs. */

/** Numbers of the gamma distribution with parameter a > 0, whose density is a multiple of y^(a - 1)
 * e^-y: tsr_random_gamma(key, 2.5, .dims = TSR_DIMS(8)). It has a derivative by a: that of the
 * number with the same share of the distribution below it. NaN where a <= -2/3. */
TSR_OP tsr *tsr_random_gamma_at(const char *where, tsr *key, tsr_arg a,
                                const tsr_sample_args *args);
/** The logarithms of numbers of tsr_random_gamma(), which are exact where the numbers are too
 * small. */
TSR_OP tsr *tsr_random_loggamma_at(const char *where, tsr *key, tsr_arg a,
                                   const tsr_sample_args *args);
/** Numbers of the beta distribution: x / (x + y) of gamma numbers x and y, with parameters a and
 * b. */
TSR_OP tsr *tsr_random_beta_at(const char *where, tsr *key, tsr_arg a, tsr_arg b,
                               const tsr_sample_args *args);
/** The sum of df squares of normal numbers; df may have a fraction. */
TSR_OP tsr *tsr_chisquare_at(const char *where, tsr *key, tsr_arg df, const tsr_sample_args *args);
/** Numbers of Student's t distribution: a normal number over the root of the mean of df squares of
 * normal numbers. */
TSR_OP tsr *tsr_random_t_at(const char *where, tsr *key, tsr_arg df, const tsr_sample_args *args);
/** Numbers of the F distribution: the mean of dfnum squares of normal numbers over the mean of
 * dfden squares of others. */
TSR_OP tsr *tsr_random_f_at(const char *where, tsr *key, tsr_arg dfnum, tsr_arg dfden,
                            const tsr_sample_args *args);
/** Numbers whose density is a multiple of e^-|y|^p. */
TSR_OP tsr *tsr_generalized_normal_at(const char *where, tsr *key, tsr_arg p,
                                      const tsr_sample_args *args);
/** Vectors of n numbers, spread evenly over those whose p-norm is at most 1, [.dims..., n]:
 * tsr_ball(key, 3, .dims = TSR_DIMS(100)). Error (TSR_ERROR_TYPE): .p has dims. */
TSR_OP tsr *tsr_ball_at(const char *where, tsr *key, int64_t n, const tsr_ball_args *args);
/** Vectors with the sum 1, of gamma numbers with parameters alpha [..., n] that are divided by
 * theirs: [.dims..., n], where .dims are those in front of the last one of alpha when not given.
 * tsr_dirichlet(key, alpha, .dims = TSR_DIMS(5)). Errors (TSR_ERROR_TYPE): alpha has no dims, or
 * they do not broadcast to these. */
TSR_OP tsr *tsr_dirichlet_at(const char *where, tsr *key, tsr *alpha, const tsr_sample_args *args);

/* ---- of matrices */

/** Orthogonal matrices, of complex dtype unitary ones, [.dims..., n, n], spread evenly:
 * tsr_orthogonal(key, 4). With .m columns the rows, or where they are more the columns, are
 * orthogonal and of size 1. f32 when no dtype is given. Errors: as of tsr_qr(). */
TSR_OP tsr *tsr_orthogonal_at(const char *where, tsr *key, int64_t n,
                              const tsr_orthogonal_args *args);
/** Vectors of normal numbers with a mean [..., n] and a covariance [..., n, n], [.dims..., n]:
 * tsr_multivariate_normal(key, mean, cov, .dims = TSR_DIMS(100)). The signs of the columns of F are
 * any with .factor = TSR_FACTOR_EIGH or TSR_FACTOR_SVD, which also takes singular matrices. Errors:
 * other dims (TSR_ERROR_TYPE), no such .factor (TSR_ERROR_ARGUMENT), those of the factor. */
TSR_OP tsr *tsr_multivariate_normal_at(const char *where, tsr *key, tsr *mean, tsr *cov,
                                       const tsr_multivariate_normal_args *args);

/* ---- the same without place and keywords: as values, and for debuggers */

/** tsr_key_at() as a value. */
TSR_OP tsr *tsr_key(tsr_ctx *ctx, tsr *seed);
/** tsr_split_key_at() as a value. */
TSR_API bool tsr_split_key(tsr *key, tsr **out, size_t n);
/** tsr_split_keys_at() as a value. */
TSR_OP tsr *tsr_split_keys(tsr *key, tsr_dims dims);
/** tsr_fold_in_at() as a value. */
TSR_OP tsr *tsr_fold_in(tsr *key, tsr *data);
/** tsr_random_bits_at() as a value. */
TSR_OP tsr *tsr_random_bits(tsr *key, tsr_dims dims);
/** tsr_uniform_at() as a value. */
TSR_OP tsr *tsr_uniform(tsr *key, tsr_dims dims);
/** tsr_normal_at() as a value. */
TSR_OP tsr *tsr_normal(tsr *key, tsr_dims dims);
/** tsr_truncated_normal_at() as a value. */
TSR_OP tsr *tsr_truncated_normal(tsr *key, tsr *lower, tsr *upper);
/** tsr_randint_at() as a value. */
TSR_OP tsr *tsr_randint(tsr *key, tsr_dims dims, tsr *minval, tsr *maxval);
/** tsr_bernoulli_at() as a value. */
TSR_OP tsr *tsr_bernoulli(tsr *key, tsr *p);
/** tsr_rademacher_at() as a value. */
TSR_OP tsr *tsr_rademacher(tsr *key, tsr_dims dims);
/** tsr_categorical_at() as a value. */
TSR_OP tsr *tsr_categorical(tsr *key, tsr *logits);
/** tsr_permutation_at() as a value. */
TSR_OP tsr *tsr_permutation(tsr *key, tsr *x);
/** tsr_choice_at() as a value. */
TSR_OP tsr *tsr_choice(tsr *key, tsr *from, tsr_dims dims);
/** tsr_geometric_at() as a value. */
TSR_OP tsr *tsr_geometric(tsr *key, tsr *p);
/** tsr_poisson_at() as a value. */
TSR_OP tsr *tsr_poisson(tsr *key, tsr *lam);
/** tsr_binomial_at() as a value. */
TSR_OP tsr *tsr_binomial(tsr *key, tsr *n, tsr *p);
/** tsr_multinomial_at() as a value. */
TSR_OP tsr *tsr_multinomial(tsr *key, tsr *n, tsr *p);
/** tsr_gumbel_at() as a value. */
TSR_OP tsr *tsr_gumbel(tsr *key, tsr_dims dims);
/** tsr_exponential_at() as a value. */
TSR_OP tsr *tsr_exponential(tsr *key, tsr_dims dims);
/** tsr_laplace_at() as a value. */
TSR_OP tsr *tsr_laplace(tsr *key, tsr_dims dims);
/** tsr_random_logistic_at() as a value. */
TSR_OP tsr *tsr_random_logistic(tsr *key, tsr_dims dims);
/** tsr_cauchy_at() as a value. */
TSR_OP tsr *tsr_cauchy(tsr *key, tsr_dims dims);
/** tsr_maxwell_at() as a value. */
TSR_OP tsr *tsr_maxwell(tsr *key, tsr_dims dims);
/** tsr_pareto_at() as a value. */
TSR_OP tsr *tsr_pareto(tsr *key, tsr *b);
/** tsr_rayleigh_at() as a value. */
TSR_OP tsr *tsr_rayleigh(tsr *key, tsr *scale);
/** tsr_lognormal_at() as a value. */
TSR_OP tsr *tsr_lognormal(tsr *key, tsr *sigma);
/** tsr_wald_at() as a value. */
TSR_OP tsr *tsr_wald(tsr *key, tsr *mean);
/** tsr_weibull_min_at() as a value. */
TSR_OP tsr *tsr_weibull_min(tsr *key, tsr *scale, tsr *concentration);
/** tsr_double_sided_maxwell_at() as a value. */
TSR_OP tsr *tsr_double_sided_maxwell(tsr *key, tsr *loc, tsr *scale);
/** tsr_triangular_at() as a value. */
TSR_OP tsr *tsr_triangular(tsr *key, tsr *left, tsr *mode, tsr *right);
/** tsr_random_gamma_at() as a value. */
TSR_OP tsr *tsr_random_gamma(tsr *key, tsr *a);
/** tsr_random_loggamma_at() as a value. */
TSR_OP tsr *tsr_random_loggamma(tsr *key, tsr *a);
/** tsr_random_beta_at() as a value. */
TSR_OP tsr *tsr_random_beta(tsr *key, tsr *a, tsr *b);
/** tsr_chisquare_at() as a value. */
TSR_OP tsr *tsr_chisquare(tsr *key, tsr *df);
/** tsr_random_t_at() as a value. */
TSR_OP tsr *tsr_random_t(tsr *key, tsr *df);
/** tsr_random_f_at() as a value. */
TSR_OP tsr *tsr_random_f(tsr *key, tsr *dfnum, tsr *dfden);
/** tsr_generalized_normal_at() as a value. */
TSR_OP tsr *tsr_generalized_normal(tsr *key, tsr *p);
/** tsr_ball_at() as a value. */
TSR_OP tsr *tsr_ball(tsr *key, int64_t n);
/** tsr_dirichlet_at() as a value. */
TSR_OP tsr *tsr_dirichlet(tsr *key, tsr *alpha);
/** tsr_orthogonal_at() as a value. */
TSR_OP tsr *tsr_orthogonal(tsr *key, int64_t n);
/** tsr_multivariate_normal_at() as a value. */
TSR_OP tsr *tsr_multivariate_normal(tsr *key, tsr *mean, tsr *cov);
#ifdef __cplusplus
}
#endif

#ifdef TSR_MACROS_
#define tsr_key(ctx, seed) TSR_KEY_(TSR_PREFIX_, ctx, seed)
#define TSR_KEY_(v_, ctx, seed) \
	tsr_result_(__extension__({ TSR_LET_(v_, _0, ctx) TSR_LET_(v_, _1, seed) \
		tsr_key_at(TSR_HERE, TSR_CTX_PICK_(TSR_CAT_(v_, _0)), \
		TSR_OPERAND_PICK_(TSR_CAT_(v_, _1))); }))
#define tsr_split_key(key, out, n) tsr_split_key_at(TSR_HERE, key, out, n)
#define tsr_split_keys(key, dims) tsr_split_keys_at(TSR_HERE, key, dims)
#define tsr_fold_in(key, data) TSR_FOLD_IN_(TSR_PREFIX_, key, data)
#define TSR_FOLD_IN_(v_, key, data) \
	tsr_result_(__extension__({ TSR_LET_(v_, _1, data) tsr_fold_in_at(TSR_HERE, key, \
		TSR_OPERAND_PICK_(TSR_CAT_(v_, _1))); }))
#define tsr_random_bits(key, ...) TSR_RANDOM_BITS_(#__VA_ARGS__, TSR_PREFIX_, key, __VA_ARGS__, )
#define TSR_RANDOM_BITS_(text1, v_, key, dims, ...) \
	tsr_result_(__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_random_bits: write the argument dims as TSR_DIMS(2, 3)") TSR_LET_DIMS_(v_, \
		_1, dims, "tsr_random_bits: write the argument dims as TSR_DIMS(2, 3)") \
		TSR_KW_(tsr_draw_args, v_, __VA_ARGS__) tsr_random_bits_at(TSR_HERE, key, \
		TSR_CAT_(v_, _1), &v_); }))
#define tsr_uniform(key, ...) TSR_UNIFORM_(#__VA_ARGS__, TSR_PREFIX_, key, __VA_ARGS__, )
#define TSR_UNIFORM_(text1, v_, key, dims, ...) \
	tsr_result_(__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_uniform: write the argument dims as TSR_DIMS(2, 3)") TSR_LET_DIMS_(v_, _1, \
		dims, "tsr_uniform: write the argument dims as TSR_DIMS(2, 3)") \
		TSR_KW_(tsr_uniform_args, v_, __VA_ARGS__) tsr_uniform_at(TSR_HERE, key, \
		TSR_CAT_(v_, _1), &v_); }))
#define tsr_normal(key, ...) TSR_NORMAL_(#__VA_ARGS__, TSR_PREFIX_, key, __VA_ARGS__, )
#define TSR_NORMAL_(text1, v_, key, dims, ...) \
	tsr_result_(__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_normal: write the argument dims as TSR_DIMS(2, 3)") TSR_LET_DIMS_(v_, _1, \
		dims, "tsr_normal: write the argument dims as TSR_DIMS(2, 3)") \
		TSR_KW_(tsr_draw_args, v_, __VA_ARGS__) tsr_normal_at(TSR_HERE, key, TSR_CAT_(v_, \
		_1), &v_); }))
#define tsr_truncated_normal(key, lower, ...) \
	TSR_TRUNCATED_NORMAL_(TSR_PREFIX_, key, lower, __VA_ARGS__, )
#define TSR_TRUNCATED_NORMAL_(v_, key, lower, upper, ...) \
	tsr_result_(__extension__({ TSR_LET_(v_, _1, lower) TSR_LET_(v_, _2, \
		TSR_GIVEN_(tsr_truncated_normal_needs_the_argument_upper, upper)) \
		TSR_KW_(tsr_sample_args, v_, __VA_ARGS__) tsr_truncated_normal_at(TSR_HERE, key, \
		TSR_OPERAND_PICK_(TSR_CAT_(v_, _1)), TSR_OPERAND_PICK_(TSR_CAT_(v_, _2)), &v_); \
		}))
#define tsr_randint(key, dims, minval, ...) \
	TSR_RANDINT_(#dims, TSR_PREFIX_, key, dims, minval, __VA_ARGS__, )
#define TSR_RANDINT_(text1, v_, key, dims, minval, maxval, ...) \
	tsr_result_(__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_randint: write the argument dims as TSR_DIMS(2, 3)") TSR_LET_DIMS_(v_, _1, \
		dims, "tsr_randint: write the argument dims as TSR_DIMS(2, 3)") TSR_LET_(v_, _2, \
		minval) TSR_LET_(v_, _3, TSR_GIVEN_(tsr_randint_needs_the_argument_maxval, \
		maxval)) TSR_KW_(tsr_draw_args, v_, __VA_ARGS__) tsr_randint_at(TSR_HERE, key, \
		TSR_CAT_(v_, _1), TSR_OPERAND_PICK_(TSR_CAT_(v_, _2)), \
		TSR_OPERAND_PICK_(TSR_CAT_(v_, _3)), &v_); }))
#define tsr_bernoulli(key, ...) TSR_BERNOULLI_(TSR_PREFIX_, key, __VA_ARGS__, )
#define TSR_BERNOULLI_(v_, key, p, ...) \
	tsr_result_(__extension__({ TSR_LET_(v_, _1, \
		TSR_GIVEN_(tsr_bernoulli_needs_the_argument_p, p)) TSR_KW_(tsr_bernoulli_args, v_, \
		__VA_ARGS__) tsr_bernoulli_at(TSR_HERE, key, TSR_OPERAND_PICK_(TSR_CAT_(v_, _1)), \
		&v_); }))
#define tsr_rademacher(key, ...) TSR_RADEMACHER_(#__VA_ARGS__, TSR_PREFIX_, key, __VA_ARGS__, )
#define TSR_RADEMACHER_(text1, v_, key, dims, ...) \
	tsr_result_(__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_rademacher: write the argument dims as TSR_DIMS(2, 3)") TSR_LET_DIMS_(v_, _1, \
		dims, "tsr_rademacher: write the argument dims as TSR_DIMS(2, 3)") \
		TSR_KW_(tsr_draw_args, v_, __VA_ARGS__) tsr_rademacher_at(TSR_HERE, key, \
		TSR_CAT_(v_, _1), &v_); }))
#define tsr_categorical(key, ...) TSR_CATEGORICAL_(TSR_PREFIX_, key, __VA_ARGS__, )
#define TSR_CATEGORICAL_(v_, key, logits, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_categorical_args, v_, __VA_ARGS__) \
		tsr_categorical_at(TSR_HERE, key, \
		TSR_GIVEN_(tsr_categorical_needs_the_argument_logits, logits), &v_); }))
#define tsr_permutation(key, ...) TSR_PERMUTATION_(TSR_PREFIX_, key, __VA_ARGS__, )
#define TSR_PERMUTATION_(v_, key, x, ...) \
	tsr_result_(__extension__({ TSR_LET_(v_, _1, \
		TSR_GIVEN_(tsr_permutation_needs_the_argument_x, x)) TSR_KW_(tsr_permutation_args, \
		v_, __VA_ARGS__) tsr_permutation_at(TSR_HERE, key, TSR_OPERAND_PICK_(TSR_CAT_(v_, \
		_1)), &v_); }))
#define tsr_choice(key, from, ...) TSR_CHOICE_(#__VA_ARGS__, TSR_PREFIX_, key, from, __VA_ARGS__, )
#define TSR_CHOICE_(text2, v_, key, from, dims, ...) \
	tsr_result_(__extension__({ TSR_LET_(v_, _1, from) TSR_CHECK_TEXT_(TSR_CAT_(v_, _2), \
		text2, "tsr_choice: write the argument dims as TSR_DIMS(2, 3)") TSR_LET_DIMS_(v_, \
		_2, dims, "tsr_choice: write the argument dims as TSR_DIMS(2, 3)") \
		TSR_KW_(tsr_choice_args, v_, __VA_ARGS__) tsr_choice_at(TSR_HERE, key, \
		TSR_OPERAND_PICK_(TSR_CAT_(v_, _1)), TSR_CAT_(v_, _2), &v_); }))
#define tsr_geometric(key, ...) TSR_GEOMETRIC_(TSR_PREFIX_, key, __VA_ARGS__, )
#define TSR_GEOMETRIC_(v_, key, p, ...) \
	tsr_result_(__extension__({ TSR_LET_(v_, _1, \
		TSR_GIVEN_(tsr_geometric_needs_the_argument_p, p)) TSR_KW_(tsr_sample_args, v_, \
		__VA_ARGS__) tsr_geometric_at(TSR_HERE, key, TSR_OPERAND_PICK_(TSR_CAT_(v_, _1)), \
		&v_); }))
#define tsr_poisson(key, ...) TSR_POISSON_(TSR_PREFIX_, key, __VA_ARGS__, )
#define TSR_POISSON_(v_, key, lam, ...) \
	tsr_result_(__extension__({ TSR_LET_(v_, _1, \
		TSR_GIVEN_(tsr_poisson_needs_the_argument_lam, lam)) TSR_KW_(tsr_sample_args, v_, \
		__VA_ARGS__) tsr_poisson_at(TSR_HERE, key, TSR_OPERAND_PICK_(TSR_CAT_(v_, _1)), \
		&v_); }))
#define tsr_binomial(key, n, ...) TSR_BINOMIAL_(TSR_PREFIX_, key, n, __VA_ARGS__, )
#define TSR_BINOMIAL_(v_, key, n, p, ...) \
	tsr_result_(__extension__({ TSR_LET_(v_, _1, n) TSR_LET_(v_, _2, \
		TSR_GIVEN_(tsr_binomial_needs_the_argument_p, p)) TSR_KW_(tsr_sample_args, v_, \
		__VA_ARGS__) tsr_binomial_at(TSR_HERE, key, TSR_OPERAND_PICK_(TSR_CAT_(v_, _1)), \
		TSR_OPERAND_PICK_(TSR_CAT_(v_, _2)), &v_); }))
#define tsr_multinomial(key, n, ...) TSR_MULTINOMIAL_(TSR_PREFIX_, key, n, __VA_ARGS__, )
#define TSR_MULTINOMIAL_(v_, key, n, p, ...) \
	tsr_result_(__extension__({ TSR_LET_(v_, _1, n) TSR_KW_(tsr_sample_args, v_, __VA_ARGS__) \
		tsr_multinomial_at(TSR_HERE, key, TSR_OPERAND_PICK_(TSR_CAT_(v_, _1)), \
		TSR_GIVEN_(tsr_multinomial_needs_the_argument_p, p), &v_); }))
#define tsr_gumbel(key, ...) TSR_GUMBEL_(#__VA_ARGS__, TSR_PREFIX_, key, __VA_ARGS__, )
#define TSR_GUMBEL_(text1, v_, key, dims, ...) \
	tsr_result_(__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_gumbel: write the argument dims as TSR_DIMS(2, 3)") TSR_LET_DIMS_(v_, _1, \
		dims, "tsr_gumbel: write the argument dims as TSR_DIMS(2, 3)") \
		TSR_KW_(tsr_gumbel_args, v_, __VA_ARGS__) tsr_gumbel_at(TSR_HERE, key, \
		TSR_CAT_(v_, _1), &v_); }))
#define tsr_exponential(key, ...) TSR_EXPONENTIAL_(#__VA_ARGS__, TSR_PREFIX_, key, __VA_ARGS__, )
#define TSR_EXPONENTIAL_(text1, v_, key, dims, ...) \
	tsr_result_(__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_exponential: write the argument dims as TSR_DIMS(2, 3)") TSR_LET_DIMS_(v_, \
		_1, dims, "tsr_exponential: write the argument dims as TSR_DIMS(2, 3)") \
		TSR_KW_(tsr_draw_args, v_, __VA_ARGS__) tsr_exponential_at(TSR_HERE, key, \
		TSR_CAT_(v_, _1), &v_); }))
#define tsr_laplace(key, ...) TSR_LAPLACE_(#__VA_ARGS__, TSR_PREFIX_, key, __VA_ARGS__, )
#define TSR_LAPLACE_(text1, v_, key, dims, ...) \
	tsr_result_(__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_laplace: write the argument dims as TSR_DIMS(2, 3)") TSR_LET_DIMS_(v_, _1, \
		dims, "tsr_laplace: write the argument dims as TSR_DIMS(2, 3)") \
		TSR_KW_(tsr_draw_args, v_, __VA_ARGS__) tsr_laplace_at(TSR_HERE, key, TSR_CAT_(v_, \
		_1), &v_); }))
#define tsr_random_logistic(key, ...) \
	TSR_RANDOM_LOGISTIC_(#__VA_ARGS__, TSR_PREFIX_, key, __VA_ARGS__, )
#define TSR_RANDOM_LOGISTIC_(text1, v_, key, dims, ...) \
	tsr_result_(__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_random_logistic: write the argument dims as TSR_DIMS(2, 3)") \
		TSR_LET_DIMS_(v_, _1, dims, \
		"tsr_random_logistic: write the argument dims as TSR_DIMS(2, 3)") \
		TSR_KW_(tsr_draw_args, v_, __VA_ARGS__) tsr_random_logistic_at(TSR_HERE, key, \
		TSR_CAT_(v_, _1), &v_); }))
#define tsr_cauchy(key, ...) TSR_CAUCHY_(#__VA_ARGS__, TSR_PREFIX_, key, __VA_ARGS__, )
#define TSR_CAUCHY_(text1, v_, key, dims, ...) \
	tsr_result_(__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_cauchy: write the argument dims as TSR_DIMS(2, 3)") TSR_LET_DIMS_(v_, _1, \
		dims, "tsr_cauchy: write the argument dims as TSR_DIMS(2, 3)") \
		TSR_KW_(tsr_draw_args, v_, __VA_ARGS__) tsr_cauchy_at(TSR_HERE, key, TSR_CAT_(v_, \
		_1), &v_); }))
#define tsr_maxwell(key, ...) TSR_MAXWELL_(#__VA_ARGS__, TSR_PREFIX_, key, __VA_ARGS__, )
#define TSR_MAXWELL_(text1, v_, key, dims, ...) \
	tsr_result_(__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_maxwell: write the argument dims as TSR_DIMS(2, 3)") TSR_LET_DIMS_(v_, _1, \
		dims, "tsr_maxwell: write the argument dims as TSR_DIMS(2, 3)") \
		TSR_KW_(tsr_draw_args, v_, __VA_ARGS__) tsr_maxwell_at(TSR_HERE, key, TSR_CAT_(v_, \
		_1), &v_); }))
#define tsr_pareto(key, ...) TSR_PARETO_(TSR_PREFIX_, key, __VA_ARGS__, )
#define TSR_PARETO_(v_, key, b, ...) \
	tsr_result_(__extension__({ TSR_LET_(v_, _1, TSR_GIVEN_(tsr_pareto_needs_the_argument_b, \
		b)) TSR_KW_(tsr_sample_args, v_, __VA_ARGS__) tsr_pareto_at(TSR_HERE, key, \
		TSR_OPERAND_PICK_(TSR_CAT_(v_, _1)), &v_); }))
#define tsr_rayleigh(key, ...) TSR_RAYLEIGH_(TSR_PREFIX_, key, __VA_ARGS__, )
#define TSR_RAYLEIGH_(v_, key, scale, ...) \
	tsr_result_(__extension__({ TSR_LET_(v_, _1, \
		TSR_GIVEN_(tsr_rayleigh_needs_the_argument_scale, scale)) TSR_KW_(tsr_sample_args, \
		v_, __VA_ARGS__) tsr_rayleigh_at(TSR_HERE, key, TSR_OPERAND_PICK_(TSR_CAT_(v_, \
		_1)), &v_); }))
#define tsr_lognormal(key, ...) TSR_LOGNORMAL_(TSR_PREFIX_, key, __VA_ARGS__, )
#define TSR_LOGNORMAL_(v_, key, sigma, ...) \
	tsr_result_(__extension__({ TSR_LET_(v_, _1, \
		TSR_GIVEN_(tsr_lognormal_needs_the_argument_sigma, sigma)) \
		TSR_KW_(tsr_sample_args, v_, __VA_ARGS__) tsr_lognormal_at(TSR_HERE, key, \
		TSR_OPERAND_PICK_(TSR_CAT_(v_, _1)), &v_); }))
#define tsr_wald(key, ...) TSR_WALD_(TSR_PREFIX_, key, __VA_ARGS__, )
#define TSR_WALD_(v_, key, mean, ...) \
	tsr_result_(__extension__({ TSR_LET_(v_, _1, TSR_GIVEN_(tsr_wald_needs_the_argument_mean, \
		mean)) TSR_KW_(tsr_sample_args, v_, __VA_ARGS__) tsr_wald_at(TSR_HERE, key, \
		TSR_OPERAND_PICK_(TSR_CAT_(v_, _1)), &v_); }))
#define tsr_weibull_min(key, scale, ...) TSR_WEIBULL_MIN_(TSR_PREFIX_, key, scale, __VA_ARGS__, )
#define TSR_WEIBULL_MIN_(v_, key, scale, concentration, ...) \
	tsr_result_(__extension__({ TSR_LET_(v_, _1, scale) TSR_LET_(v_, _2, \
		TSR_GIVEN_(tsr_weibull_min_needs_the_argument_concentration, concentration)) \
		TSR_KW_(tsr_sample_args, v_, __VA_ARGS__) tsr_weibull_min_at(TSR_HERE, key, \
		TSR_OPERAND_PICK_(TSR_CAT_(v_, _1)), TSR_OPERAND_PICK_(TSR_CAT_(v_, _2)), &v_); \
		}))
#define tsr_double_sided_maxwell(key, loc, ...) \
	TSR_DOUBLE_SIDED_MAXWELL_(TSR_PREFIX_, key, loc, __VA_ARGS__, )
#define TSR_DOUBLE_SIDED_MAXWELL_(v_, key, loc, scale, ...) \
	tsr_result_(__extension__({ TSR_LET_(v_, _1, loc) TSR_LET_(v_, _2, \
		TSR_GIVEN_(tsr_double_sided_maxwell_needs_the_argument_scale, scale)) \
		TSR_KW_(tsr_sample_args, v_, __VA_ARGS__) tsr_double_sided_maxwell_at(TSR_HERE, \
		key, TSR_OPERAND_PICK_(TSR_CAT_(v_, _1)), TSR_OPERAND_PICK_(TSR_CAT_(v_, _2)), \
		&v_); }))
#define tsr_triangular(key, left, mode, ...) \
	TSR_TRIANGULAR_(TSR_PREFIX_, key, left, mode, __VA_ARGS__, )
#define TSR_TRIANGULAR_(v_, key, left, mode, right, ...) \
	tsr_result_(__extension__({ TSR_LET_(v_, _1, left) TSR_LET_(v_, _2, mode) TSR_LET_(v_, _3, \
		TSR_GIVEN_(tsr_triangular_needs_the_argument_right, right)) \
		TSR_KW_(tsr_sample_args, v_, __VA_ARGS__) tsr_triangular_at(TSR_HERE, key, \
		TSR_OPERAND_PICK_(TSR_CAT_(v_, _1)), TSR_OPERAND_PICK_(TSR_CAT_(v_, _2)), \
		TSR_OPERAND_PICK_(TSR_CAT_(v_, _3)), &v_); }))
#define tsr_random_gamma(key, ...) TSR_RANDOM_GAMMA_(TSR_PREFIX_, key, __VA_ARGS__, )
#define TSR_RANDOM_GAMMA_(v_, key, a, ...) \
	tsr_result_(__extension__({ TSR_LET_(v_, _1, \
		TSR_GIVEN_(tsr_random_gamma_needs_the_argument_a, a)) TSR_KW_(tsr_sample_args, v_, \
		__VA_ARGS__) tsr_random_gamma_at(TSR_HERE, key, TSR_OPERAND_PICK_(TSR_CAT_(v_, \
		_1)), &v_); }))
#define tsr_random_loggamma(key, ...) TSR_RANDOM_LOGGAMMA_(TSR_PREFIX_, key, __VA_ARGS__, )
#define TSR_RANDOM_LOGGAMMA_(v_, key, a, ...) \
	tsr_result_(__extension__({ TSR_LET_(v_, _1, \
		TSR_GIVEN_(tsr_random_loggamma_needs_the_argument_a, a)) TSR_KW_(tsr_sample_args, \
		v_, __VA_ARGS__) tsr_random_loggamma_at(TSR_HERE, key, \
		TSR_OPERAND_PICK_(TSR_CAT_(v_, _1)), &v_); }))
#define tsr_random_beta(key, a, ...) TSR_RANDOM_BETA_(TSR_PREFIX_, key, a, __VA_ARGS__, )
#define TSR_RANDOM_BETA_(v_, key, a, b, ...) \
	tsr_result_(__extension__({ TSR_LET_(v_, _1, a) TSR_LET_(v_, _2, \
		TSR_GIVEN_(tsr_random_beta_needs_the_argument_b, b)) TSR_KW_(tsr_sample_args, v_, \
		__VA_ARGS__) tsr_random_beta_at(TSR_HERE, key, TSR_OPERAND_PICK_(TSR_CAT_(v_, \
		_1)), TSR_OPERAND_PICK_(TSR_CAT_(v_, _2)), &v_); }))
#define tsr_chisquare(key, ...) TSR_CHISQUARE_(TSR_PREFIX_, key, __VA_ARGS__, )
#define TSR_CHISQUARE_(v_, key, df, ...) \
	tsr_result_(__extension__({ TSR_LET_(v_, _1, \
		TSR_GIVEN_(tsr_chisquare_needs_the_argument_df, df)) TSR_KW_(tsr_sample_args, v_, \
		__VA_ARGS__) tsr_chisquare_at(TSR_HERE, key, TSR_OPERAND_PICK_(TSR_CAT_(v_, _1)), \
		&v_); }))
#define tsr_random_t(key, ...) TSR_RANDOM_T_(TSR_PREFIX_, key, __VA_ARGS__, )
#define TSR_RANDOM_T_(v_, key, df, ...) \
	tsr_result_(__extension__({ TSR_LET_(v_, _1, \
		TSR_GIVEN_(tsr_random_t_needs_the_argument_df, df)) TSR_KW_(tsr_sample_args, v_, \
		__VA_ARGS__) tsr_random_t_at(TSR_HERE, key, TSR_OPERAND_PICK_(TSR_CAT_(v_, _1)), \
		&v_); }))
#define tsr_random_f(key, dfnum, ...) TSR_RANDOM_F_(TSR_PREFIX_, key, dfnum, __VA_ARGS__, )
#define TSR_RANDOM_F_(v_, key, dfnum, dfden, ...) \
	tsr_result_(__extension__({ TSR_LET_(v_, _1, dfnum) TSR_LET_(v_, _2, \
		TSR_GIVEN_(tsr_random_f_needs_the_argument_dfden, dfden)) TSR_KW_(tsr_sample_args, \
		v_, __VA_ARGS__) tsr_random_f_at(TSR_HERE, key, TSR_OPERAND_PICK_(TSR_CAT_(v_, \
		_1)), TSR_OPERAND_PICK_(TSR_CAT_(v_, _2)), &v_); }))
#define tsr_generalized_normal(key, ...) TSR_GENERALIZED_NORMAL_(TSR_PREFIX_, key, __VA_ARGS__, )
#define TSR_GENERALIZED_NORMAL_(v_, key, p, ...) \
	tsr_result_(__extension__({ TSR_LET_(v_, _1, \
		TSR_GIVEN_(tsr_generalized_normal_needs_the_argument_p, p)) \
		TSR_KW_(tsr_sample_args, v_, __VA_ARGS__) tsr_generalized_normal_at(TSR_HERE, key, \
		TSR_OPERAND_PICK_(TSR_CAT_(v_, _1)), &v_); }))
#define tsr_ball(key, ...) TSR_BALL_(#__VA_ARGS__, TSR_PREFIX_, key, __VA_ARGS__, )
#define TSR_BALL_(text1, v_, key, n, ...) \
	tsr_result_(__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_ball: give the argument n, without a name") TSR_KW_(tsr_ball_args, v_, \
		__VA_ARGS__) tsr_ball_at(TSR_HERE, key, n, &v_); }))
#define tsr_dirichlet(key, ...) TSR_DIRICHLET_(TSR_PREFIX_, key, __VA_ARGS__, )
#define TSR_DIRICHLET_(v_, key, alpha, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_sample_args, v_, __VA_ARGS__) \
		tsr_dirichlet_at(TSR_HERE, key, TSR_GIVEN_(tsr_dirichlet_needs_the_argument_alpha, \
		alpha), &v_); }))
#define tsr_orthogonal(key, ...) TSR_ORTHOGONAL_(#__VA_ARGS__, TSR_PREFIX_, key, __VA_ARGS__, )
#define TSR_ORTHOGONAL_(text1, v_, key, n, ...) \
	tsr_result_(__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_orthogonal: give the argument n, without a name") \
		TSR_KW_(tsr_orthogonal_args, v_, __VA_ARGS__) tsr_orthogonal_at(TSR_HERE, key, n, \
		&v_); }))
#define tsr_multivariate_normal(key, mean, ...) \
	TSR_MULTIVARIATE_NORMAL_(TSR_PREFIX_, key, mean, __VA_ARGS__, )
#define TSR_MULTIVARIATE_NORMAL_(v_, key, mean, cov, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_multivariate_normal_args, v_, __VA_ARGS__) \
		tsr_multivariate_normal_at(TSR_HERE, key, mean, \
		TSR_GIVEN_(tsr_multivariate_normal_needs_the_argument_cov, cov), &v_); }))

#endif

#endif
