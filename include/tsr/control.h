/* tsr/control.h - branches and loops that depend on values, and scans.
 *
 * While a body is traced its values are not known, so `if` and `while` cannot look at them; these
 * functions can. A body is what tsr_jit() takes: a plain C function of handles or trees, in the
 * frame form for several results, or a fn; a fn carries .env and .captures: tsr_jit(x, body,
 * TSR_ENV(&record)). Any other value that a body uses is lifted out of it. Bodies are traced at
 * the place of the call, and may themselves contain control flow, maps and derivatives. Outside a
 * traced body the call runs at once.
 *
 *     static tsr *more(tsr *x) { return tsr_lt(x, 1000); }
 *     static tsr *twice(tsr *x) { return tsr_mul(x, 2); }
 *     ...
 *     tsr *y = tsr_while(more, twice, x);                     (one value)
 *     tsr_while_into(TSR_OUT(&i, &y), less, step, 0, x);      (several: step is in the frame form)
 *
 * A carry is what goes from one step of a loop to the next. Its shapes, dtypes and the axes it
 * varies over stay the same, and so does its structure: as many results as carried arguments, a
 * tree for a tree. A C number that is carried takes the dtype of what the body makes of it,
 * converted from the number as written, and varies over the same axes. If branches differ in dtype,
 * a weak result (tsr_is_weak()) takes the dtype of the others. The context is that of the
 * arguments, or of a body that is a fn; where all arguments are C numbers it is the one whose body
 * is being traced, or the only one of this thread.
 *
 * Inside tsr_shard_map() a predicate may differ between devices, and each device then takes its own
 * branch or number of steps: the results vary over the axes that the predicate varies over. A
 * collective over such an axis inside is an error (TSR_ERROR_SHARDING): at the call, or in
 * unchecked maps, whose types do not tell, when it runs. So is an ordered callback; where something
 * else is printed or called inside (tsr/callback.h), one device goes after the other.
 *
 * A result may be left unused where a body has effects: tsr_cond(wrong, report, same, x).
 *
 * Errors of all, besides those of the bodies: bodies that are NULL or of another context, a wrong
 * number of arguments, numbers alone where several contexts are open (TSR_ERROR_ARGUMENT); results
 * that do not have the types or the structure they must have (TSR_ERROR_TYPE). Names and rules are
 * those of jax.lax. */
/* Made by tools/make_headers.py of api/control.h.in: change that one. */
/** @file */
#ifndef TSR_CONTROL_H
#define TSR_CONTROL_H
#include "ops.h"
#include "transform.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- branches */

/** The result of true_fn on the arguments if pred is true, otherwise that of false_fn:
 * tsr_cond(tsr_lt(x, 0), negate, same, x). Only one of them runs. pred is a scalar: bool, or a real
 * number that counts as true where it is not 0. The functions take the same arguments and give
 * results of the same types. */
TSR_API tsr *tsr_cond_at(const char *where, tsr_arg pred, tsr_body true_fn, tsr_body false_fn,
                         const tsr_arg *args, size_t n);
/** tsr_cond() for functions of any number of results, which go to the places:
 * tsr_cond_into(TSR_OUT(&y, &z), pred, f, g, x). */
TSR_API void tsr_cond_into_at(const char *where, const tsr_out *outs, size_t nout, tsr_arg pred,
                              tsr_body true_fn, tsr_body false_fn, const tsr_arg *args, size_t n);
/** The bodies of tsr_switch(): write TSR_BRANCHES(f, g, h). */
typedef struct tsr_branches { const tsr_body *body; size_t count; } tsr_branches;
/** The result of one of several functions on the arguments: tsr_switch(i, TSR_BRANCHES(f, g, h),
 * x). index is an integer scalar, and is clamped to 0 .. count - 1. */
TSR_API tsr *tsr_switch_at(const char *where, tsr_arg index, tsr_branches branches,
                           const tsr_arg *args, size_t n);
/** tsr_switch() for functions of any number of results, which go to the places:
 * tsr_switch_into(TSR_OUT(&y, &z), i, TSR_BRANCHES(f, g), x). */
TSR_API void tsr_switch_into_at(const char *where, const tsr_out *outs, size_t nout, tsr_arg index,
                                tsr_branches branches, const tsr_arg *args, size_t n);

/* ---- loops */

/** Starts with the arguments as the carry, and as long as cond_fn(carry), a bool scalar, is true,
 * replaces the carry by body(carry): tsr_while(more, twice, x). Has no reverse derivative, because
 * the number of steps is not known beforehand; tsr_scan() has one, and tsr_fori() with known
 * bounds. */
TSR_API tsr *tsr_while_at(const char *where, tsr_body cond_fn, tsr_body body, const tsr_arg *init,
                          size_t n);
/** tsr_while() for a carry of several values, of which body takes and returns as many:
 * tsr_while_into(TSR_OUT(&x, &y), more, step, x, y). */
TSR_API void tsr_while_into_at(const char *where, const tsr_out *outs, size_t nout,
                               tsr_body cond_fn, tsr_body body, const tsr_arg *init, size_t n);
/** Replaces the carry by body(i, carry) for i = lower, lower + 1, .. upper - 1: tsr_fori(0, 10,
 * body, x). i is a weak i32 scalar (i64 for bounds that need it), so that i8 + i is i8; if a bound
 * is a handle, i has its dtype. If both bounds are C numbers, the number of steps is known and the
 * loop is a scan; otherwise it is a while. */
TSR_API tsr *tsr_fori_at(const char *where, tsr_arg lower, tsr_arg upper, tsr_body body,
                         const tsr_arg *init, size_t n);
/** tsr_fori() for a carry of several values, of which body takes and returns as many:
 * tsr_fori_into(TSR_OUT(&x, &y), 0, 10, body, x, y). */
TSR_API void tsr_fori_into_at(const char *where, const tsr_out *outs, size_t nout, tsr_arg lower,
                              tsr_arg upper, tsr_body body, const tsr_arg *init, size_t n);

/** As .unroll of tsr_scan(): all steps are written out. */
#define TSR_UNROLL_ALL INT32_MAX
/** tsr_fori() with `unroll` steps written out for each turn of the loop, TSR_UNROLL_ALL: all. Then
 * the bounds must be C numbers (else TSR_ERROR_ARGUMENT): tsr_fori_unrolled(4, 0, 16, body, x). */
TSR_API tsr *tsr_fori_unrolled_at(const char *where, int unroll, tsr_arg lower, tsr_arg upper,
                                  tsr_body body, const tsr_arg *init, size_t n);
/** tsr_fori_unrolled() for a carry of several values, of which body takes and returns as many. */
TSR_API void tsr_fori_unrolled_into_at(const char *where, const tsr_out *outs, size_t nout,
                                       int unroll, tsr_arg lower, tsr_arg upper, tsr_body body,
                                       const tsr_arg *init, size_t n);

/** Keywords of tsr_scan(). */
typedef struct tsr_scan_args {
	TSR_KEYWORDS_
	int64_t length; /**< number of steps; where it is not given, the size of dim 0 of xs */
	bool reverse;   /**< from the last slice to the first; results stay in the order of xs */
	/** How many steps are written out for each turn of the loop: 0 and 1 one, TSR_UNROLL_ALL
	 * all, so that there is no loop. Changes no result. */
	int unroll;
	TSR_KEYWORDS_END_
} tsr_scan_args;

/** Steps through xs along dim 0: step k replaces the carry, which begins as init, by what
 * body(carry, xs[k]) returns first: tsr *total = tsr_scan(add, 0, x). init and xs are a handle or a
 * tree each (init also a C number); one without leaves, TSR_NONE, is no argument of the body. */
TSR_API tsr *tsr_scan_at(const char *where, tsr_body body, tsr_arg init, tsr_arg xs,
                         const tsr_scan_args *args);
/** tsr_scan() for any number of results: the carry goes to the first place, and what the body
 * returns behind it is stacked along a new dim 0: tsr_scan_into(TSR_OUT(&carry, &ys), step, init,
 * xs, .reverse = true). Without a carry all results are stacked. */
TSR_API void tsr_scan_into_at(const char *where, const tsr_out *outs, size_t nout, tsr_body body,
                              tsr_arg init, tsr_arg xs, const tsr_scan_args *args);
/** body(x[k], y[k], ...) for each k, one after the other, stacked along a new dim 0: tsr_map(norm,
 * x). tsr_vmap() computes the same at once, with more memory. */
TSR_API tsr *tsr_map_at(const char *where, tsr_body body, const tsr_arg *xs, size_t n);
/** tsr_map() for a body of any number of results, each stacked along a new dim 0:
 * tsr_map_into(TSR_OUT(&y, &z), body, x). */
TSR_API void tsr_map_into_at(const char *where, const tsr_out *outs, size_t nout, tsr_body body,
                             const tsr_arg *xs, size_t n);
/** tsr_map() over batches of `batch_size` elements, each computed at once as by tsr_vmap(); a last,
 * smaller batch takes what is left over: tsr_map_batched(64, norm, x). The results are the same; it
 * needs more memory than tsr_map() and less than tsr_vmap(). batch_size is at least 1. */
TSR_API tsr *tsr_map_batched_at(const char *where, int64_t batch_size, tsr_body body,
                                const tsr_arg *xs, size_t n);
/** tsr_map_batched() for a body of any number of results, each stacked along a new dim 0. */
TSR_API void tsr_map_batched_into_at(const char *where, const tsr_out *outs, size_t nout,
                                     int64_t batch_size, tsr_body body, const tsr_arg *xs,
                                     size_t n);

/** Keywords of tsr_associative_scan(). */
typedef struct tsr_associative_scan_args {
	TSR_KEYWORDS_
	tsr_dims dim; /**< one dim; the first one when not given */
	bool reverse; /**< from the last element to the first */
	TSR_KEYWORDS_END_
} tsr_associative_scan_args;

/** All partial results of an associative function along a dim: element k is fn(..fn(x[0], x[1]) ..,
 * x[k]), in about 2 log2(n) calls of fn on whole arrays: tsr_associative_scan(add, x). fn(a, b)
 * combines the elements of a and b place by place along the dim, and its result has the type of a.
 * Elements are grouped as by jax.lax.associative_scan. */
TSR_OP tsr *tsr_associative_scan_at(const char *where, tsr_body fn, tsr_arg elems,
                                    const tsr_associative_scan_args *args);
/** tsr_associative_scan() for a tree, which fn (in the frame form) takes twice and returns:
 * tsr_associative_scan_into(TSR_OUT(TSR_TREE(pair, &r)), combine, TSR_TREE(pair, &p)). */
TSR_API void tsr_associative_scan_into_at(const char *where, const tsr_out *outs, size_t nout,
                                          tsr_body fn, tsr_arg elems,
                                          const tsr_associative_scan_args *args);

/** Keywords of tsr_reduce(). */
typedef struct tsr_reduce_by_args {
	TSR_KEYWORDS_
	tsr_dims dims; /**< along which elements are combined; all when not given */
	TSR_KEYWORDS_END_
} tsr_reduce_by_args;

/** lax.reduce: init and the elements of x along the dims, combined by fn, which must be associative
 * and commutative: tsr_reduce(larger, x, -INFINITY, .dims = TSR_DIMS(1)). fn(a, b) combines two
 * arrays place by place, in about 2 log2(n) calls on whole halves; its result has the dims and the
 * dtype of a. x is an array or a tree of arrays with the same dims, init a scalar or such a tree of
 * them. */
TSR_OP tsr *tsr_reduce_at(const char *where, tsr_body fn, tsr_arg x, tsr_arg init,
                          const tsr_reduce_by_args *args);
/** tsr_reduce() for a tree, which fn (in the frame form) takes twice and returns:
 * tsr_reduce_into(TSR_OUT(TSR_TREE(pair, &r)), best, TSR_TREE(pair, &p), TSR_TREE(pair, &init)). */
TSR_API void tsr_reduce_into_at(const char *where, const tsr_out *outs, size_t nout, tsr_body fn,
                                tsr_arg x, tsr_arg init, const tsr_reduce_by_args *args);
/** lax.reduce_window by any fn, which is as that of tsr_reduce(): init and the elements of each
 * window combined, where elements outside of x are init: tsr_reduce_window_by(larger, x, -INFINITY,
 * TSR_DIMS(1, 3), .padding = TSR_SAME). Keywords and errors are those of tsr_reduce_window(). */
TSR_OP tsr *tsr_reduce_window_by_at(const char *where, tsr_body fn, tsr_arg x, tsr_arg init,
                                    tsr_dims window, const tsr_window_args *args);

#ifdef __cplusplus
}
#endif

#ifdef TSR_MACROS_
#define tsr_cond(pred, true_fn, ...) \
	TSR_CAT_(TSR_COND_, TSR_1N_(__VA_ARGS__))(TSR_PREFIX_, pred, true_fn, __VA_ARGS__)
#define TSR_COND_1_(v_, pred, true_fn, false_fn) \
	__extension__({ TSR_LET_(v_, _0, pred) TSR_LET_(v_, _1, true_fn) TSR_LET_(v_, _2, \
		false_fn) tsr_cond_at(TSR_HERE, TSR_OPERAND_PICK_(TSR_CAT_(v_, _0)), \
		TSR_BODY_PICK_(TSR_CAT_(v_, _1)), TSR_BODY_PICK_(TSR_CAT_(v_, _2)), NULL, 0); })
#define TSR_COND_N_(v_, pred, true_fn, false_fn, ...) \
	__extension__({ TSR_LET_(v_, _0, pred) TSR_LET_(v_, _1, true_fn) TSR_LET_(v_, _2, \
		false_fn) TSR_LETS_(v_, __VA_ARGS__) tsr_cond_at(TSR_HERE, \
		TSR_OPERAND_PICK_(TSR_CAT_(v_, _0)), TSR_BODY_PICK_(TSR_CAT_(v_, _1)), \
		TSR_BODY_PICK_(TSR_CAT_(v_, _2)), TSR_PICKS_(TSR_ARG_PICK_, v_, __VA_ARGS__)); })
#define tsr_cond_into(outs, pred, true_fn, ...) \
	TSR_CAT_(TSR_COND_INTO_, TSR_1N_(__VA_ARGS__))(TSR_PREFIX_, outs, pred, true_fn, \
		__VA_ARGS__)
#define TSR_COND_INTO_1_(v_, outs, nout, pred, true_fn, ...) \
	__extension__({ TSR_CHECK_PLACES_(nout, \
		"tsr_cond_into: write the argument outs as TSR_OUT(&y)") TSR_LET_(v_, _1, pred) \
		TSR_LET_(v_, _2, true_fn) TSR_LET_(v_, _3, __VA_ARGS__) tsr_cond_into_at(TSR_HERE, \
		outs, nout, TSR_OPERAND_PICK_(TSR_CAT_(v_, _1)), TSR_BODY_PICK_(TSR_CAT_(v_, _2)), \
		TSR_BODY_PICK_(TSR_CAT_(v_, _3)), NULL, 0); })
#define TSR_COND_INTO_N_(v_, outs, nout, pred, true_fn, false_fn, ...) \
	__extension__({ TSR_CHECK_PLACES_(nout, \
		"tsr_cond_into: write the argument outs as TSR_OUT(&y)") TSR_LET_(v_, _1, pred) \
		TSR_LET_(v_, _2, true_fn) TSR_LET_(v_, _3, false_fn) TSR_LETS_(v_, __VA_ARGS__) \
		tsr_cond_into_at(TSR_HERE, outs, nout, TSR_OPERAND_PICK_(TSR_CAT_(v_, _1)), \
		TSR_BODY_PICK_(TSR_CAT_(v_, _2)), TSR_BODY_PICK_(TSR_CAT_(v_, _3)), \
		TSR_PICKS_(TSR_ARG_PICK_, v_, __VA_ARGS__)); })
#define tsr_switch(index, ...) \
	TSR_CAT_(TSR_SWITCH_, TSR_1N_(__VA_ARGS__))(TSR_PREFIX_, index, __VA_ARGS__)
#define TSR_SWITCH_1_(v_, index, branches) \
	__extension__({ TSR_LET_(v_, _0, index) tsr_switch_at(TSR_HERE, \
		TSR_OPERAND_PICK_(TSR_CAT_(v_, _0)), branches, NULL, 0); })
#define TSR_SWITCH_N_(v_, index, branches, ...) \
	__extension__({ TSR_LET_(v_, _0, index) TSR_LETS_(v_, __VA_ARGS__) tsr_switch_at(TSR_HERE, \
		TSR_OPERAND_PICK_(TSR_CAT_(v_, _0)), branches, TSR_PICKS_(TSR_ARG_PICK_, v_, \
		__VA_ARGS__)); })
#define tsr_switch_into(outs, index, ...) \
	TSR_CAT_(TSR_SWITCH_INTO_, TSR_1N_(__VA_ARGS__))(TSR_PREFIX_, outs, index, __VA_ARGS__)
#define TSR_SWITCH_INTO_1_(v_, outs, nout, index, ...) \
	__extension__({ TSR_CHECK_PLACES_(nout, \
		"tsr_switch_into: write the argument outs as TSR_OUT(&y)") TSR_LET_(v_, _1, index) \
		tsr_switch_into_at(TSR_HERE, outs, nout, TSR_OPERAND_PICK_(TSR_CAT_(v_, _1)), \
		__VA_ARGS__, NULL, 0); })
#define TSR_SWITCH_INTO_N_(v_, outs, nout, index, branches, ...) \
	__extension__({ TSR_CHECK_PLACES_(nout, \
		"tsr_switch_into: write the argument outs as TSR_OUT(&y)") TSR_LET_(v_, _1, index) \
		TSR_LETS_(v_, __VA_ARGS__) tsr_switch_into_at(TSR_HERE, outs, nout, \
		TSR_OPERAND_PICK_(TSR_CAT_(v_, _1)), branches, TSR_PICKS_(TSR_ARG_PICK_, v_, \
		__VA_ARGS__)); })
#define tsr_while(cond_fn, ...) \
	TSR_CAT_(TSR_WHILE_, TSR_1N_(__VA_ARGS__))(TSR_PREFIX_, cond_fn, __VA_ARGS__)
#define TSR_WHILE_1_(v_, cond_fn, body) \
	__extension__({ TSR_LET_(v_, _0, cond_fn) TSR_LET_(v_, _1, body) tsr_while_at(TSR_HERE, \
		TSR_BODY_PICK_(TSR_CAT_(v_, _0)), TSR_BODY_PICK_(TSR_CAT_(v_, _1)), NULL, 0); })
#define TSR_WHILE_N_(v_, cond_fn, body, ...) \
	__extension__({ TSR_LET_(v_, _0, cond_fn) TSR_LET_(v_, _1, body) TSR_LETS_(v_, \
		__VA_ARGS__) tsr_while_at(TSR_HERE, TSR_BODY_PICK_(TSR_CAT_(v_, _0)), \
		TSR_BODY_PICK_(TSR_CAT_(v_, _1)), TSR_PICKS_(TSR_ARG_PICK_, v_, __VA_ARGS__)); })
#define tsr_while_into(outs, cond_fn, ...) \
	TSR_CAT_(TSR_WHILE_INTO_, TSR_1N_(__VA_ARGS__))(TSR_PREFIX_, outs, cond_fn, __VA_ARGS__)
#define TSR_WHILE_INTO_1_(v_, outs, nout, cond_fn, ...) \
	__extension__({ TSR_CHECK_PLACES_(nout, \
		"tsr_while_into: write the argument outs as TSR_OUT(&y)") TSR_LET_(v_, _1, \
		cond_fn) TSR_LET_(v_, _2, __VA_ARGS__) tsr_while_into_at(TSR_HERE, outs, nout, \
		TSR_BODY_PICK_(TSR_CAT_(v_, _1)), TSR_BODY_PICK_(TSR_CAT_(v_, _2)), NULL, 0); })
#define TSR_WHILE_INTO_N_(v_, outs, nout, cond_fn, body, ...) \
	__extension__({ TSR_CHECK_PLACES_(nout, \
		"tsr_while_into: write the argument outs as TSR_OUT(&y)") TSR_LET_(v_, _1, \
		cond_fn) TSR_LET_(v_, _2, body) TSR_LETS_(v_, __VA_ARGS__) \
		tsr_while_into_at(TSR_HERE, outs, nout, TSR_BODY_PICK_(TSR_CAT_(v_, _1)), \
		TSR_BODY_PICK_(TSR_CAT_(v_, _2)), TSR_PICKS_(TSR_ARG_PICK_, v_, __VA_ARGS__)); })
#define tsr_fori(lower, upper, ...) \
	TSR_CAT_(TSR_FORI_, TSR_1N_(__VA_ARGS__))(TSR_PREFIX_, lower, upper, __VA_ARGS__)
#define TSR_FORI_1_(v_, lower, upper, body) \
	__extension__({ TSR_LET_(v_, _0, lower) TSR_LET_(v_, _1, upper) TSR_LET_(v_, _2, body) \
		tsr_fori_at(TSR_HERE, TSR_OPERAND_PICK_(TSR_CAT_(v_, _0)), \
		TSR_OPERAND_PICK_(TSR_CAT_(v_, _1)), TSR_BODY_PICK_(TSR_CAT_(v_, _2)), NULL, 0); \
		})
#define TSR_FORI_N_(v_, lower, upper, body, ...) \
	__extension__({ TSR_LET_(v_, _0, lower) TSR_LET_(v_, _1, upper) TSR_LET_(v_, _2, body) \
		TSR_LETS_(v_, __VA_ARGS__) tsr_fori_at(TSR_HERE, TSR_OPERAND_PICK_(TSR_CAT_(v_, \
		_0)), TSR_OPERAND_PICK_(TSR_CAT_(v_, _1)), TSR_BODY_PICK_(TSR_CAT_(v_, _2)), \
		TSR_PICKS_(TSR_ARG_PICK_, v_, __VA_ARGS__)); })
#define tsr_fori_into(outs, lower, upper, ...) \
	TSR_CAT_(TSR_FORI_INTO_, TSR_1N_(__VA_ARGS__))(TSR_PREFIX_, outs, lower, upper, \
		__VA_ARGS__)
#define TSR_FORI_INTO_1_(v_, outs, nout, lower, upper, ...) \
	__extension__({ TSR_CHECK_PLACES_(nout, \
		"tsr_fori_into: write the argument outs as TSR_OUT(&y)") TSR_LET_(v_, _1, lower) \
		TSR_LET_(v_, _2, upper) TSR_LET_(v_, _3, __VA_ARGS__) tsr_fori_into_at(TSR_HERE, \
		outs, nout, TSR_OPERAND_PICK_(TSR_CAT_(v_, _1)), TSR_OPERAND_PICK_(TSR_CAT_(v_, \
		_2)), TSR_BODY_PICK_(TSR_CAT_(v_, _3)), NULL, 0); })
#define TSR_FORI_INTO_N_(v_, outs, nout, lower, upper, body, ...) \
	__extension__({ TSR_CHECK_PLACES_(nout, \
		"tsr_fori_into: write the argument outs as TSR_OUT(&y)") TSR_LET_(v_, _1, lower) \
		TSR_LET_(v_, _2, upper) TSR_LET_(v_, _3, body) TSR_LETS_(v_, __VA_ARGS__) \
		tsr_fori_into_at(TSR_HERE, outs, nout, TSR_OPERAND_PICK_(TSR_CAT_(v_, _1)), \
		TSR_OPERAND_PICK_(TSR_CAT_(v_, _2)), TSR_BODY_PICK_(TSR_CAT_(v_, _3)), \
		TSR_PICKS_(TSR_ARG_PICK_, v_, __VA_ARGS__)); })
#define tsr_fori_unrolled(unroll, lower, upper, ...) \
	TSR_CAT_(TSR_FORI_UNROLLED_, TSR_1N_(__VA_ARGS__))(TSR_PREFIX_, unroll, lower, upper, \
		__VA_ARGS__)
#define TSR_FORI_UNROLLED_1_(v_, unroll, lower, upper, body) \
	__extension__({ TSR_LET_(v_, _1, lower) TSR_LET_(v_, _2, upper) TSR_LET_(v_, _3, body) \
		tsr_fori_unrolled_at(TSR_HERE, unroll, TSR_OPERAND_PICK_(TSR_CAT_(v_, _1)), \
		TSR_OPERAND_PICK_(TSR_CAT_(v_, _2)), TSR_BODY_PICK_(TSR_CAT_(v_, _3)), NULL, 0); \
		})
#define TSR_FORI_UNROLLED_N_(v_, unroll, lower, upper, body, ...) \
	__extension__({ TSR_LET_(v_, _1, lower) TSR_LET_(v_, _2, upper) TSR_LET_(v_, _3, body) \
		TSR_LETS_(v_, __VA_ARGS__) tsr_fori_unrolled_at(TSR_HERE, unroll, \
		TSR_OPERAND_PICK_(TSR_CAT_(v_, _1)), TSR_OPERAND_PICK_(TSR_CAT_(v_, _2)), \
		TSR_BODY_PICK_(TSR_CAT_(v_, _3)), TSR_PICKS_(TSR_ARG_PICK_, v_, __VA_ARGS__)); })
#define tsr_fori_unrolled_into(outs, unroll, lower, upper, ...) \
	TSR_CAT_(TSR_FORI_UNROLLED_INTO_, TSR_1N_(__VA_ARGS__))(TSR_PREFIX_, outs, unroll, lower, \
		upper, __VA_ARGS__)
#define TSR_FORI_UNROLLED_INTO_1_(v_, outs, nout, unroll, lower, upper, ...) \
	__extension__({ TSR_CHECK_PLACES_(nout, \
		"tsr_fori_unrolled_into: write the argument outs as TSR_OUT(&y)") TSR_LET_(v_, _2, \
		lower) TSR_LET_(v_, _3, upper) TSR_LET_(v_, _4, __VA_ARGS__) \
		tsr_fori_unrolled_into_at(TSR_HERE, outs, nout, unroll, \
		TSR_OPERAND_PICK_(TSR_CAT_(v_, _2)), TSR_OPERAND_PICK_(TSR_CAT_(v_, _3)), \
		TSR_BODY_PICK_(TSR_CAT_(v_, _4)), NULL, 0); })
#define TSR_FORI_UNROLLED_INTO_N_(v_, outs, nout, unroll, lower, upper, body, ...) \
	__extension__({ TSR_CHECK_PLACES_(nout, \
		"tsr_fori_unrolled_into: write the argument outs as TSR_OUT(&y)") TSR_LET_(v_, _2, \
		lower) TSR_LET_(v_, _3, upper) TSR_LET_(v_, _4, body) TSR_LETS_(v_, __VA_ARGS__) \
		tsr_fori_unrolled_into_at(TSR_HERE, outs, nout, unroll, \
		TSR_OPERAND_PICK_(TSR_CAT_(v_, _2)), TSR_OPERAND_PICK_(TSR_CAT_(v_, _3)), \
		TSR_BODY_PICK_(TSR_CAT_(v_, _4)), TSR_PICKS_(TSR_ARG_PICK_, v_, __VA_ARGS__)); })
#define tsr_scan(body, init, ...) TSR_SCAN_(TSR_PREFIX_, body, init, __VA_ARGS__, )
#define TSR_SCAN_(v_, body, init, xs, ...) \
	__extension__({ TSR_LET_(v_, _0, body) TSR_LET_(v_, _1, init) TSR_LET_(v_, _2, \
		TSR_GIVEN_(tsr_scan_needs_the_argument_xs, xs)) TSR_KW_(tsr_scan_args, v_, \
		__VA_ARGS__) tsr_scan_at(TSR_HERE, TSR_BODY_PICK_(TSR_CAT_(v_, _0)), \
		TSR_ARG_PICK_(TSR_CAT_(v_, _1)), TSR_ARG_PICK_(TSR_CAT_(v_, _2)), &v_); })
#define tsr_scan_into(...) TSR_SCAN_INTO_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_SCAN_INTO_(v_, outs, nout, body, init, xs, ...) \
	__extension__({ TSR_CHECK_PLACES_(nout, \
		"tsr_scan_into: write the argument outs as TSR_OUT(&y)") TSR_LET_(v_, _1, body) \
		TSR_LET_(v_, _2, init) TSR_LET_(v_, _3, \
		TSR_GIVEN_(tsr_scan_into_needs_the_argument_xs, xs)) TSR_KW_(tsr_scan_args, v_, \
		__VA_ARGS__) tsr_scan_into_at(TSR_HERE, outs, nout, TSR_BODY_PICK_(TSR_CAT_(v_, \
		_1)), TSR_ARG_PICK_(TSR_CAT_(v_, _2)), TSR_ARG_PICK_(TSR_CAT_(v_, _3)), &v_); })
#define tsr_map(...) TSR_CAT_(TSR_MAP_, TSR_1N_(__VA_ARGS__))(TSR_PREFIX_, __VA_ARGS__)
#define TSR_MAP_1_(v_, body) \
	__extension__({ TSR_LET_(v_, _0, body) tsr_map_at(TSR_HERE, TSR_BODY_PICK_(TSR_CAT_(v_, \
		_0)), NULL, 0); })
#define TSR_MAP_N_(v_, body, ...) \
	__extension__({ TSR_LET_(v_, _0, body) TSR_LETS_(v_, __VA_ARGS__) tsr_map_at(TSR_HERE, \
		TSR_BODY_PICK_(TSR_CAT_(v_, _0)), TSR_PICKS_(TSR_ARG_PICK_, v_, __VA_ARGS__)); })
#define tsr_map_into(outs, ...) \
	TSR_CAT_(TSR_MAP_INTO_, TSR_1N_(__VA_ARGS__))(TSR_PREFIX_, outs, __VA_ARGS__)
#define TSR_MAP_INTO_1_(v_, outs, nout, ...) \
	__extension__({ TSR_CHECK_PLACES_(nout, \
		"tsr_map_into: write the argument outs as TSR_OUT(&y)") TSR_LET_(v_, _1, \
		__VA_ARGS__) tsr_map_into_at(TSR_HERE, outs, nout, TSR_BODY_PICK_(TSR_CAT_(v_, \
		_1)), NULL, 0); })
#define TSR_MAP_INTO_N_(v_, outs, nout, body, ...) \
	__extension__({ TSR_CHECK_PLACES_(nout, \
		"tsr_map_into: write the argument outs as TSR_OUT(&y)") TSR_LET_(v_, _1, body) \
		TSR_LETS_(v_, __VA_ARGS__) tsr_map_into_at(TSR_HERE, outs, nout, \
		TSR_BODY_PICK_(TSR_CAT_(v_, _1)), TSR_PICKS_(TSR_ARG_PICK_, v_, __VA_ARGS__)); })
#define tsr_map_batched(batch_size, ...) \
	TSR_CAT_(TSR_MAP_BATCHED_, TSR_1N_(__VA_ARGS__))(TSR_PREFIX_, batch_size, __VA_ARGS__)
#define TSR_MAP_BATCHED_1_(v_, batch_size, body) \
	__extension__({ TSR_LET_(v_, _1, body) tsr_map_batched_at(TSR_HERE, batch_size, \
		TSR_BODY_PICK_(TSR_CAT_(v_, _1)), NULL, 0); })
#define TSR_MAP_BATCHED_N_(v_, batch_size, body, ...) \
	__extension__({ TSR_LET_(v_, _1, body) TSR_LETS_(v_, __VA_ARGS__) \
		tsr_map_batched_at(TSR_HERE, batch_size, TSR_BODY_PICK_(TSR_CAT_(v_, _1)), \
		TSR_PICKS_(TSR_ARG_PICK_, v_, __VA_ARGS__)); })
#define tsr_map_batched_into(outs, batch_size, ...) \
	TSR_CAT_(TSR_MAP_BATCHED_INTO_, TSR_1N_(__VA_ARGS__))(TSR_PREFIX_, outs, batch_size, \
		__VA_ARGS__)
#define TSR_MAP_BATCHED_INTO_1_(v_, outs, nout, batch_size, ...) \
	__extension__({ TSR_CHECK_PLACES_(nout, \
		"tsr_map_batched_into: write the argument outs as TSR_OUT(&y)") TSR_LET_(v_, _2, \
		__VA_ARGS__) tsr_map_batched_into_at(TSR_HERE, outs, nout, batch_size, \
		TSR_BODY_PICK_(TSR_CAT_(v_, _2)), NULL, 0); })
#define TSR_MAP_BATCHED_INTO_N_(v_, outs, nout, batch_size, body, ...) \
	__extension__({ TSR_CHECK_PLACES_(nout, \
		"tsr_map_batched_into: write the argument outs as TSR_OUT(&y)") TSR_LET_(v_, _2, \
		body) TSR_LETS_(v_, __VA_ARGS__) tsr_map_batched_into_at(TSR_HERE, outs, nout, \
		batch_size, TSR_BODY_PICK_(TSR_CAT_(v_, _2)), TSR_PICKS_(TSR_ARG_PICK_, v_, \
		__VA_ARGS__)); })
#define tsr_associative_scan(fn, ...) TSR_ASSOCIATIVE_SCAN_(TSR_PREFIX_, fn, __VA_ARGS__, )
#define TSR_ASSOCIATIVE_SCAN_(v_, fn, elems, ...) \
	tsr_result_(__extension__({ TSR_LET_(v_, _0, fn) TSR_LET_(v_, _1, \
		TSR_GIVEN_(tsr_associative_scan_needs_the_argument_elems, elems)) \
		TSR_KW_(tsr_associative_scan_args, v_, __VA_ARGS__) \
		tsr_associative_scan_at(TSR_HERE, TSR_BODY_PICK_(TSR_CAT_(v_, _0)), \
		TSR_ARG_PICK_(TSR_CAT_(v_, _1)), &v_); }))
#define tsr_associative_scan_into(...) TSR_ASSOCIATIVE_SCAN_INTO_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_ASSOCIATIVE_SCAN_INTO_(v_, outs, nout, fn, elems, ...) \
	__extension__({ TSR_CHECK_PLACES_(nout, \
		"tsr_associative_scan_into: write the argument outs as TSR_OUT(&y)") TSR_LET_(v_, \
		_1, fn) TSR_LET_(v_, _2, \
		TSR_GIVEN_(tsr_associative_scan_into_needs_the_argument_elems, elems)) \
		TSR_KW_(tsr_associative_scan_args, v_, __VA_ARGS__) \
		tsr_associative_scan_into_at(TSR_HERE, outs, nout, TSR_BODY_PICK_(TSR_CAT_(v_, \
		_1)), TSR_ARG_PICK_(TSR_CAT_(v_, _2)), &v_); })
#define tsr_reduce(fn, x, ...) TSR_REDUCE_(TSR_PREFIX_, fn, x, __VA_ARGS__, )
#define TSR_REDUCE_(v_, fn, x, init, ...) \
	tsr_result_(__extension__({ TSR_LET_(v_, _0, fn) TSR_LET_(v_, _1, x) TSR_LET_(v_, _2, \
		TSR_GIVEN_(tsr_reduce_needs_the_argument_init, init)) TSR_KW_(tsr_reduce_by_args, \
		v_, __VA_ARGS__) tsr_reduce_at(TSR_HERE, TSR_BODY_PICK_(TSR_CAT_(v_, _0)), \
		TSR_ARG_PICK_(TSR_CAT_(v_, _1)), TSR_ARG_PICK_(TSR_CAT_(v_, _2)), &v_); }))
#define tsr_reduce_into(...) TSR_REDUCE_INTO_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_REDUCE_INTO_(v_, outs, nout, fn, x, init, ...) \
	__extension__({ TSR_CHECK_PLACES_(nout, \
		"tsr_reduce_into: write the argument outs as TSR_OUT(&y)") TSR_LET_(v_, _1, fn) \
		TSR_LET_(v_, _2, x) TSR_LET_(v_, _3, \
		TSR_GIVEN_(tsr_reduce_into_needs_the_argument_init, init)) \
		TSR_KW_(tsr_reduce_by_args, v_, __VA_ARGS__) tsr_reduce_into_at(TSR_HERE, outs, \
		nout, TSR_BODY_PICK_(TSR_CAT_(v_, _1)), TSR_ARG_PICK_(TSR_CAT_(v_, _2)), \
		TSR_ARG_PICK_(TSR_CAT_(v_, _3)), &v_); })
#define tsr_reduce_window_by(fn, x, init, ...) \
	TSR_REDUCE_WINDOW_BY_(#__VA_ARGS__, TSR_PREFIX_, fn, x, init, __VA_ARGS__, )
#define TSR_REDUCE_WINDOW_BY_(text3, v_, fn, x, init, window, ...) \
	tsr_result_(__extension__({ TSR_LET_(v_, _0, fn) TSR_LET_(v_, _1, x) TSR_LET_(v_, _2, \
		init) TSR_CHECK_TEXT_(TSR_CAT_(v_, _3), text3, \
		"tsr_reduce_window_by: write the argument window as TSR_DIMS(2, 3)") \
		TSR_LET_DIMS_(v_, _3, window, \
		"tsr_reduce_window_by: write the argument window as TSR_DIMS(2, 3)") \
		TSR_KW_(tsr_window_args, v_, __VA_ARGS__) tsr_reduce_window_by_at(TSR_HERE, \
		TSR_BODY_PICK_(TSR_CAT_(v_, _0)), TSR_ARG_PICK_(TSR_CAT_(v_, _1)), \
		TSR_ARG_PICK_(TSR_CAT_(v_, _2)), TSR_CAT_(v_, _3), &v_); }))
/** The branches of tsr_switch(), 1 to 8 C functions or fns: TSR_BRANCHES(f, g, h). */
#define TSR_BRANCHES(...) \
	((tsr_branches){(const tsr_body[]){TSR_MAP_(TSR_BODY, __VA_ARGS__)}, TSR_N_(__VA_ARGS__)})

#endif

#endif
