/* tsr/collective.h - exchange between the devices of a mesh, inside the body of a tsr_shard_map().
 *
 * `axis` names the axes to act over: "x", or "x*y", whose devices are then numbered as one axis, x
 * major. Below, n is their number, i is the number of a device among them, and x[i] its value. With
 * .groups each group of devices exchanges by itself, n is the size of a group, and i counts in the
 * order in which the group lists its members; groups hold every device exactly once.
 *
 *     tsr *total = tsr_psum(x, "x");
 *     tsr *pairs = tsr_psum(x, "x", .groups = {.member = order, .count = 2, .size = 2});
 *
 * A value may vary over an axis or not (tsr_varying()). An operand that does not vary over the axes
 * is cast first, as by tsr_pcast(): its sum is then n times the value. Results vary over the axes
 * unless said otherwise.
 *
 * Errors of all: an axis that is not bound here, or named twice (TSR_ERROR_SHARDING); groups that
 * leave out a device or list it twice, groups of different sizes where they must be equal, dims out
 * of range (TSR_ERROR_ARGUMENT); dims that do not divide, a dtype without a meaning
 * (TSR_ERROR_TYPE). All of these calls are collective across processes. Names and rules are those
 * of the collectives in jax.lax, whose documentation has worked examples. */
/* Made by tools/make_headers.py of api/collective.h.in: change that one. */
/** @file */
#ifndef TSR_COLLECTIVE_H
#define TSR_COLLECTIVE_H
#include "context.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Whether a result is typed as varying over the axes. */
enum tsr_to {
	TSR_TO_VARYING = 0,
	TSR_TO_INVARYING = 1 /**< it is the same on all devices, and typed so */
};

/** Keyword of those collectives that take groups and nothing else. */
typedef struct tsr_group_args {
	TSR_KEYWORDS_
	tsr_groups groups;
	TSR_KEYWORDS_END_
} tsr_group_args;

/** Keywords of tsr_all_gather(). */
typedef struct tsr_all_gather_args {
	TSR_KEYWORDS_
	tsr_dims dim; /**< one dim, 0 when not given: where the new one is in the result, or,
	               * tiled, which dim grows */
	bool tiled;   /**< no new dim: concatenated along .dim */
	tsr_groups groups;
	enum tsr_to to; /**< TSR_TO_INVARYING: not with groups */
	TSR_KEYWORDS_END_
} tsr_all_gather_args;

/** Keywords of tsr_psum_scatter(). */
typedef struct tsr_psum_scatter_args {
	TSR_KEYWORDS_
	tsr_dims dim; /**< one dim, which is dealt out; 0 when not given */
	bool tiled;   /**< the dim stays, divided by n; otherwise its size is n and it is dropped */
	tsr_groups groups;
	TSR_KEYWORDS_END_
} tsr_psum_scatter_args;

/** Keywords of tsr_all_to_all(). */
typedef struct tsr_all_to_all_args {
	TSR_KEYWORDS_
	tsr_dims split;  /**< one dim, which is dealt out; 0 when not given */
	tsr_dims concat; /**< one dim, where it goes, 0 when not given: the new dim of the result,
	                  * or, tiled, the dim that grows */
	bool tiled;      /**< dims stay; otherwise dim .split has size n and moves */
	tsr_groups groups;
	TSR_KEYWORDS_END_
} tsr_all_to_all_args;

/** Keywords of tsr_pbroadcast(). */
typedef struct tsr_pbroadcast_args {
	TSR_KEYWORDS_
	tsr_groups groups;
	enum tsr_to to; /**< TSR_TO_INVARYING: not with groups */
	TSR_KEYWORDS_END_
} tsr_pbroadcast_args;

/** Keyword of tsr_pcast(). */
typedef struct tsr_pcast_args {
	TSR_KEYWORDS_
	enum tsr_to to; /**< TSR_TO_VARYING is the one cast there is */
	TSR_KEYWORDS_END_
} tsr_pcast_args;

/** The sum over all i, by a fixed binary tree over i (docs/numerics.md); bool as i32. Does not vary
 * over the axes, except with groups, which may differ in size. tsr_psum(x, "x*y") */
TSR_OP tsr *tsr_psum_at(const char *where, tsr *x, const char *axis, const tsr_group_args *args);
/** tsr_psum() divided by n; 16-bit floats in f32, rounded once; integers and bool give f32,
 * integers of 64 bits f64. Groups are of one size. */
TSR_OP tsr *tsr_pmean_at(const char *where, tsr *x, const char *axis, const tsr_group_args *args);
/** The largest x[i] over all i along an axis, in the dtype of x, compared as by tsr_maximum():
 * tsr_pmax(x, "x"). Otherwise as tsr_psum(). */
TSR_OP tsr *tsr_pmax_at(const char *where, tsr *x, const char *axis, const tsr_group_args *args);
/** The smallest x[i] over all i along an axis, in the dtype of x, compared as by tsr_minimum():
 * tsr_pmin(x, "x"). Otherwise as tsr_psum(). */
TSR_OP tsr *tsr_pmin_at(const char *where, tsr *x, const char *axis, const tsr_group_args *args);

/** All x[i] in order of i: stacked along a new dim of size n, or with .tiled concatenated along a
 * dim, whose size is multiplied by n. tsr_all_gather(x, "x", .dim = TSR_DIMS(0), .tiled
 * = true) */
TSR_OP tsr *tsr_all_gather_at(const char *where, tsr *x, const char *axis,
                              const tsr_all_gather_args *args);
/** The sum over all devices, of which each keeps its part along a dim: tsr_psum_scatter(x, "x",
 * .dim = TSR_DIMS(1), .tiled = true). */
TSR_OP tsr *tsr_psum_scatter_at(const char *where, tsr *x, const char *axis,
                                const tsr_psum_scatter_args *args);
/** Device i cuts x into n parts along dim .split, sends part j to device j, and puts what comes
 * from j at place j along dim .concat: tsr_all_to_all(x, "x", .split = TSR_DIMS(1), .tiled =
 * true). */
TSR_OP tsr *tsr_all_to_all_at(const char *where, tsr *x, const char *axis,
                              const tsr_all_to_all_args *args);
/** Exchanges an axis with a dim of size n: tsr_all_to_all() with .split and .concat this dim, not
 * tiled. tsr_pswapaxes(x, "x", 0) */
TSR_OP tsr *tsr_pswapaxes_at(const char *where, tsr *x, const char *axis, int dim,
                             const tsr_group_args *args);
/** Device d gets x[s] for each pair {s, d}. A device that is no destination gets zeros:
 * tsr_ppermute(x, "x", TSR_SHIFT(1)). Error (TSR_ERROR_ARGUMENT): a source or a destination that
 * occurs twice, or is not one of 0 .. n - 1. */
TSR_OP tsr *tsr_ppermute_at(const char *where, tsr *x, const char *axis, tsr_perm perm,
                            const tsr_group_args *args);
/** Device i gets x[source[i]]; source is a permutation of 0 .. n - 1 and count is n:
 * tsr_pshuffle(x, "x", order, 4). */
TSR_OP tsr *tsr_pshuffle_at(const char *where, tsr *x, const char *axis, const int *source,
                            size_t count, const tsr_group_args *args);
/** Every device gets x[source], 0 <= source < n: tsr_pbroadcast(x, "x", 0, .to =
 * TSR_TO_INVARYING). */
TSR_OP tsr *tsr_pbroadcast_at(const char *where, tsr *x, const char *axis, int source,
                              const tsr_pbroadcast_args *args);
/** Device i sends send_sizes[j] rows of operand, from row input_offsets[j] on, to device j. There
 * they go into the result from row output_offsets[j] on, with the output_offsets of device i. Rows
 * that nobody writes are those of output. recv_sizes[j]: how many rows come from j. operand and
 * output have the same dtype, and the same dims except dim 0. The four lists are integers of dims
 * [n], or [m * n] for m pieces for each device. Gradients are right if recv_sizes is, and if no row
 * is sent twice or written twice. tsr_ragged_all_to_all(operand, output, input_offsets, send_sizes,
 * output_offsets, recv_sizes, "x") */
TSR_OP tsr *tsr_ragged_all_to_all_at(const char *where, tsr *operand, tsr *output,
                                     tsr *input_offsets, tsr *send_sizes, tsr *output_offsets,
                                     tsr *recv_sizes, const char *axis, const tsr_group_args *args);

/** The device's own i, an i32 scalar: tsr_axis_index(x, "x"), where x only says which context. */
TSR_OP tsr *tsr_axis_index_at(const char *where, tsr_ctx *ctx, const char *axis,
                              const tsr_group_args *args);
/** n, known while tracing: tsr_axis_size(x, "x*y"). Groups are of one size. 0 on failure. */
TSR_API int64_t tsr_axis_size_at(const char *where, tsr_ctx *ctx, const char *axis,
                                 const tsr_group_args *args);
/** x, typed as varying over the axes. Nothing is moved, so there are no groups: tsr_pcast(x, "x",
 * .to = TSR_TO_VARYING). Errors (TSR_ERROR_SHARDING): x varies over one of them already; .to is
 * TSR_TO_INVARYING, which only a collective can make true. */
TSR_OP tsr *tsr_pcast_at(const char *where, tsr *x, const char *axis, const tsr_pcast_args *args);

/* ---- the same without place and keywords: as values, and for debuggers */

/** tsr_psum_at() as a value. */
TSR_OP tsr *tsr_psum(tsr *x, const char *axis);
/** tsr_pmean_at() as a value. */
TSR_OP tsr *tsr_pmean(tsr *x, const char *axis);
/** tsr_pmax_at() as a value. */
TSR_OP tsr *tsr_pmax(tsr *x, const char *axis);
/** tsr_pmin_at() as a value. */
TSR_OP tsr *tsr_pmin(tsr *x, const char *axis);
/** tsr_all_gather_at() as a value. */
TSR_OP tsr *tsr_all_gather(tsr *x, const char *axis);
/** tsr_psum_scatter_at() as a value. */
TSR_OP tsr *tsr_psum_scatter(tsr *x, const char *axis);
/** tsr_all_to_all_at() as a value. */
TSR_OP tsr *tsr_all_to_all(tsr *x, const char *axis);
/** tsr_pswapaxes_at() as a value. */
TSR_OP tsr *tsr_pswapaxes(tsr *x, const char *axis, int dim);
/** tsr_ppermute_at() as a value. */
TSR_OP tsr *tsr_ppermute(tsr *x, const char *axis, tsr_perm perm);
/** tsr_pshuffle_at() as a value. */
TSR_OP tsr *tsr_pshuffle(tsr *x, const char *axis, const int *source, size_t count);
/** tsr_pbroadcast_at() as a value. */
TSR_OP tsr *tsr_pbroadcast(tsr *x, const char *axis, int source);
/** tsr_ragged_all_to_all_at() as a value. */
TSR_OP tsr *tsr_ragged_all_to_all(tsr *operand, tsr *output, tsr *input_offsets, tsr *send_sizes,
                                  tsr *output_offsets, tsr *recv_sizes, const char *axis);
/** tsr_axis_index_at() as a value. */
TSR_OP tsr *tsr_axis_index(tsr_ctx *ctx, const char *axis);
/** tsr_axis_size_at() as a value. */
TSR_API int64_t tsr_axis_size(tsr_ctx *ctx, const char *axis);
/** tsr_pcast_at() as a value. */
TSR_OP tsr *tsr_pcast(tsr *x, const char *axis);
#ifdef __cplusplus
}
#endif

#ifdef TSR_MACROS_
#define tsr_psum(x, ...) TSR_PSUM_(#__VA_ARGS__, TSR_PREFIX_, x, __VA_ARGS__, )
#define TSR_PSUM_(text1, v_, x, axis, ...) \
	tsr_result_(__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_psum: give the argument axis, without a name") TSR_KW_(tsr_group_args, v_, \
		__VA_ARGS__) tsr_psum_at(TSR_HERE, x, TSR_AXIS_TEXT_(axis), &v_); }))
#define tsr_pmean(x, ...) TSR_PMEAN_(#__VA_ARGS__, TSR_PREFIX_, x, __VA_ARGS__, )
#define TSR_PMEAN_(text1, v_, x, axis, ...) \
	tsr_result_(__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_pmean: give the argument axis, without a name") TSR_KW_(tsr_group_args, v_, \
		__VA_ARGS__) tsr_pmean_at(TSR_HERE, x, TSR_AXIS_TEXT_(axis), &v_); }))
#define tsr_pmax(x, ...) TSR_PMAX_(#__VA_ARGS__, TSR_PREFIX_, x, __VA_ARGS__, )
#define TSR_PMAX_(text1, v_, x, axis, ...) \
	tsr_result_(__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_pmax: give the argument axis, without a name") TSR_KW_(tsr_group_args, v_, \
		__VA_ARGS__) tsr_pmax_at(TSR_HERE, x, TSR_AXIS_TEXT_(axis), &v_); }))
#define tsr_pmin(x, ...) TSR_PMIN_(#__VA_ARGS__, TSR_PREFIX_, x, __VA_ARGS__, )
#define TSR_PMIN_(text1, v_, x, axis, ...) \
	tsr_result_(__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_pmin: give the argument axis, without a name") TSR_KW_(tsr_group_args, v_, \
		__VA_ARGS__) tsr_pmin_at(TSR_HERE, x, TSR_AXIS_TEXT_(axis), &v_); }))
#define tsr_all_gather(x, ...) TSR_ALL_GATHER_(#__VA_ARGS__, TSR_PREFIX_, x, __VA_ARGS__, )
#define TSR_ALL_GATHER_(text1, v_, x, axis, ...) \
	tsr_result_(__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_all_gather: give the argument axis, without a name") \
		TSR_KW_(tsr_all_gather_args, v_, __VA_ARGS__) tsr_all_gather_at(TSR_HERE, x, \
		TSR_AXIS_TEXT_(axis), &v_); }))
#define tsr_psum_scatter(x, ...) TSR_PSUM_SCATTER_(#__VA_ARGS__, TSR_PREFIX_, x, __VA_ARGS__, )
#define TSR_PSUM_SCATTER_(text1, v_, x, axis, ...) \
	tsr_result_(__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_psum_scatter: give the argument axis, without a name") \
		TSR_KW_(tsr_psum_scatter_args, v_, __VA_ARGS__) tsr_psum_scatter_at(TSR_HERE, x, \
		TSR_AXIS_TEXT_(axis), &v_); }))
#define tsr_all_to_all(x, ...) TSR_ALL_TO_ALL_(#__VA_ARGS__, TSR_PREFIX_, x, __VA_ARGS__, )
#define TSR_ALL_TO_ALL_(text1, v_, x, axis, ...) \
	tsr_result_(__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_all_to_all: give the argument axis, without a name") \
		TSR_KW_(tsr_all_to_all_args, v_, __VA_ARGS__) tsr_all_to_all_at(TSR_HERE, x, \
		TSR_AXIS_TEXT_(axis), &v_); }))
#define tsr_pswapaxes(x, axis, ...) \
	TSR_PSWAPAXES_(#__VA_ARGS__, TSR_PREFIX_, x, axis, __VA_ARGS__, )
#define TSR_PSWAPAXES_(text2, v_, x, axis, dim, ...) \
	tsr_result_(__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _2), text2, \
		"tsr_pswapaxes: give the argument dim, without a name") TSR_KW_(tsr_group_args, \
		v_, __VA_ARGS__) tsr_pswapaxes_at(TSR_HERE, x, TSR_AXIS_TEXT_(axis), dim, &v_); \
		}))
#define tsr_ppermute(x, axis, ...) TSR_PPERMUTE_(#__VA_ARGS__, TSR_PREFIX_, x, axis, __VA_ARGS__, )
#define TSR_PPERMUTE_(text2, v_, x, axis, perm, ...) \
	tsr_result_(__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _2), text2, \
		"tsr_ppermute: write the argument perm as TSR_PAIRS({0, 1}, {1, 0})") \
		TSR_KW_(tsr_group_args, v_, __VA_ARGS__) tsr_ppermute_at(TSR_HERE, x, \
		TSR_AXIS_TEXT_(axis), perm, &v_); }))
#define tsr_pshuffle(x, axis, source, ...) \
	TSR_PSHUFFLE_(#__VA_ARGS__, TSR_PREFIX_, x, axis, source, __VA_ARGS__, )
#define TSR_PSHUFFLE_(text3, v_, x, axis, source, count, ...) \
	tsr_result_(__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _3), text3, \
		"tsr_pshuffle: give the argument count, without a name") TSR_KW_(tsr_group_args, \
		v_, __VA_ARGS__) tsr_pshuffle_at(TSR_HERE, x, TSR_AXIS_TEXT_(axis), source, count, \
		&v_); }))
#define tsr_pbroadcast(x, axis, ...) \
	TSR_PBROADCAST_(#__VA_ARGS__, TSR_PREFIX_, x, axis, __VA_ARGS__, )
#define TSR_PBROADCAST_(text2, v_, x, axis, source, ...) \
	tsr_result_(__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _2), text2, \
		"tsr_pbroadcast: give the argument source, without a name") \
		TSR_KW_(tsr_pbroadcast_args, v_, __VA_ARGS__) tsr_pbroadcast_at(TSR_HERE, x, \
		TSR_AXIS_TEXT_(axis), source, &v_); }))
#define tsr_ragged_all_to_all(operand, output, input_offsets, send_sizes, output_offsets, \
		recv_sizes, ...) TSR_RAGGED_ALL_TO_ALL_(#__VA_ARGS__, TSR_PREFIX_, operand, \
		output, input_offsets, send_sizes, output_offsets, recv_sizes, __VA_ARGS__, )
#define TSR_RAGGED_ALL_TO_ALL_(text6, v_, operand, output, input_offsets, send_sizes, \
		output_offsets, recv_sizes, axis, ...) tsr_result_(__extension__({ \
		TSR_CHECK_TEXT_(TSR_CAT_(v_, _6), text6, \
		"tsr_ragged_all_to_all: give the argument axis, without a name") \
		TSR_KW_(tsr_group_args, v_, __VA_ARGS__) tsr_ragged_all_to_all_at(TSR_HERE, \
		operand, output, input_offsets, send_sizes, output_offsets, recv_sizes, \
		TSR_AXIS_TEXT_(axis), &v_); }))
#define tsr_axis_index(ctx, ...) TSR_AXIS_INDEX_(#__VA_ARGS__, TSR_PREFIX_, ctx, __VA_ARGS__, )
#define TSR_AXIS_INDEX_(text1, v_, ctx, axis, ...) \
	tsr_result_(__extension__({ TSR_LET_(v_, _0, ctx) TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_axis_index: give the argument axis, without a name") TSR_KW_(tsr_group_args, \
		v_, __VA_ARGS__) tsr_axis_index_at(TSR_HERE, TSR_CTX_PICK_(TSR_CAT_(v_, _0)), \
		TSR_AXIS_TEXT_(axis), &v_); }))
#define tsr_axis_size(ctx, ...) TSR_AXIS_SIZE_(#__VA_ARGS__, TSR_PREFIX_, ctx, __VA_ARGS__, )
#define TSR_AXIS_SIZE_(text1, v_, ctx, axis, ...) \
	__extension__({ TSR_LET_(v_, _0, ctx) TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_axis_size: give the argument axis, without a name") TSR_KW_(tsr_group_args, \
		v_, __VA_ARGS__) tsr_axis_size_at(TSR_HERE, TSR_CTX_PICK_(TSR_CAT_(v_, _0)), \
		TSR_AXIS_TEXT_(axis), &v_); })
#define tsr_pcast(x, ...) TSR_PCAST_(#__VA_ARGS__, TSR_PREFIX_, x, __VA_ARGS__, )
#define TSR_PCAST_(text1, v_, x, axis, ...) \
	tsr_result_(__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_pcast: give the argument axis, without a name") TSR_KW_(tsr_pcast_args, v_, \
		__VA_ARGS__) tsr_pcast_at(TSR_HERE, x, TSR_AXIS_TEXT_(axis), &v_); }))

/** A permutation: device i sends to (i + by) mod n. */
#define TSR_SHIFT(by) ((tsr_perm){.shift = (by)})
/** A permutation as n pairs {source, destination} that were computed: int pairs[8][2];
 * TSR_PAIRS_OF(pairs, n). */
#define TSR_PAIRS_OF(list, n) ((tsr_perm){.count = (n), .pairs = (list)})
/** A permutation as pairs {source, destination}: TSR_PAIRS({0, 1}, {1, 0}). */
#define TSR_PAIRS(...) ((tsr_perm){.count = sizeof((int[][2]){__VA_ARGS__}) / sizeof(int[2]), \
	.pairs = (const int[][2]){__VA_ARGS__}})
#endif

#endif
