/* tsr/random.h - random numbers: keys, and samplers that each make an array of a key.
 * Made by tools/make_headers.py of api/random.h.in: change that one.
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
 * on devices, shardings, threads or engines; so an array that lies on many devices is drawn by
 * each of them for its own part, and nothing is sent. In tsr_shard_map() a sampler makes a block:
 * devices with the same key make the same block, and tsr_fold_in(key, tsr_axis_index(ctx, "x"))
 * gives each its own key.
 *
 * Names are those of jax.random. Where such a name alone is that of a function of numbers (gamma,
 * beta, logistic), or says little (bits), random_ stands in front.
 *
 * Errors of all: a key that is not u32[2] (TSR_ERROR_TYPE); dims that are not given or negative, or
 * a dtype that the sampler does not have (TSR_ERROR_ARGUMENT). Nothing here is collective across
 * processes. */
/** @file */
#ifndef TSR_RANDOM_H
#define TSR_RANDOM_H
#include "array.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- keys */

/** The key of a seed: its upper and its lower 32 bits, [2] of u32: tsr_key(ctx, 42). (JAX without
 * 64-bit types drops the upper half: its key(-1) is tsr_key(ctx, UINT32_MAX).) */
TSR_OP tsr *tsr_key_at(const char *where, tsr_ctx *ctx, uint64_t seed);
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
typedef struct TSR_BY_NAME_ tsr_draw_args {
	TSR_KEYWORDS_;
	tsr_dtype dtype;
	tsr_dims whole; /**< dims of the array of which a part is made */
	tsr *start;     /**< [ndim], integers: the indices at which the part begins */
} tsr_draw_args;

/** Random bits: u8, u16, u32 or u64; u32 when no dtype is given: tsr_random_bits(key, TSR_DIMS(6),
 * .dtype = TSR_U8). */
TSR_OP tsr *tsr_random_bits_at(const char *where, tsr *key, tsr_dims dims,
                               const tsr_draw_args *args);
/** Floats spread evenly over 0 <= y < 1; f32 when no dtype is given. */
TSR_OP tsr *tsr_uniform_at(const char *where, tsr *key, tsr_dims dims, const tsr_draw_args *args);
/** Normal numbers with mean 0 and variance 1, of a float or complex dtype; f32 when not given. Both
 * parts of complex ones have half the variance. */
TSR_OP tsr *tsr_normal_at(const char *where, tsr *key, tsr_dims dims, const tsr_draw_args *args);

/* ---- the same without place and keywords: as values, and for debuggers */

/** tsr_key_at() as a value. */
TSR_OP tsr *tsr_key(tsr_ctx *ctx, uint64_t seed);
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
#ifdef __cplusplus
}
#endif

#ifdef TSR_MACROS_
#define tsr_key(ctx, ...) TSR_KEY_(TSR_VAR_, ctx, __VA_ARGS__)
#define TSR_KEY_(v_, ctx, ...) \
	tsr_result_(__extension__({ TSR_LET_(v_, _0, ctx) tsr_key_at(TSR_HERE, \
		TSR_CTX_PICK_(TSR_CAT_(v_, _0)), __VA_ARGS__); }))
#define tsr_split_key(key, out, n) tsr_split_key_at(TSR_HERE, key, out, n)
#define tsr_split_keys(key, dims) tsr_split_keys_at(TSR_HERE, key, dims)
#define tsr_fold_in(key, data) TSR_FOLD_IN_(TSR_VAR_, key, data)
#define TSR_FOLD_IN_(v_, key, data) \
	tsr_result_(__extension__({ TSR_LET_(v_, _1, data) tsr_fold_in_at(TSR_HERE, key, \
		TSR_OPERAND_PICK_(TSR_CAT_(v_, _1))); }))
#define tsr_random_bits(...) TSR_RANDOM_BITS_(TSR_VAR_, __VA_ARGS__, )
#define TSR_RANDOM_BITS_(v_, key, dims, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_draw_args, v_, __VA_ARGS__) \
		tsr_random_bits_at(TSR_HERE, key, dims, &v_); }))
#define tsr_uniform(...) TSR_UNIFORM_(TSR_VAR_, __VA_ARGS__, )
#define TSR_UNIFORM_(v_, key, dims, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_draw_args, v_, __VA_ARGS__) \
		tsr_uniform_at(TSR_HERE, key, dims, &v_); }))
#define tsr_normal(...) TSR_NORMAL_(TSR_VAR_, __VA_ARGS__, )
#define TSR_NORMAL_(v_, key, dims, ...) \
	tsr_result_(__extension__({ TSR_KW_(tsr_draw_args, v_, __VA_ARGS__) \
		tsr_normal_at(TSR_HERE, key, dims, &v_); }))

#endif

#endif
