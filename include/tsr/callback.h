/* tsr/callback.h - C functions that programs call while they run, and values printed from inside.
 *
 * A body is traced: its handles have no values yet, and printf() in it prints once, when it is
 * traced. What is to happen each time that the program runs is a callback:
 *
 *     static bool solve(const tsr_host_call *c)
 *     {
 *             return my_solver(c->user, c->in[0], c->in_type[0].size, c->out[0]);
 *     }
 *     ...
 *     tsr_fn *f = tsr_pure_callback(ctx, solve, .user = &solver,
 *                                   .results = TSR_RESULTS({TSR_F32, TSR_DIMS(64)}));
 *     tsr *y = tsr_call(f, x);
 *
 * The result is a fn like any other: call it in bodies, pass it to tsr_vmap(), and so on. Its
 * function gets plain memory, and is called on the thread that made the call of the program. It may
 * use the context: compute with handles of its own, which end when it returns, and call fns, also
 * the one that is running. Inside tsr_shard_map() it is called once for each device, with the
 * blocks of that device, in the order of the devices; outside once. Under tsr_vmap() it is called
 * once for each element of the batch, in order, or once for all if no operand is mapped.
 *
 * What a program prints and calls by tsr_debug_print(), tsr_io_callback() and tsr_debug_callback()
 * are its effects. They are never dropped, repeated or exchanged, whatever becomes of the program.
 * A function fails by returning false, best after tsr_fail(): then the run fails with that error,
 * or with TSR_ERROR_USER at the line of the call. So it does where an error was recorded meanwhile
 * although the function returned true. */
/* Made by tools/make_headers.py of api/callback.h.in: change that one. */
/** @file */
#ifndef TSR_CALLBACK_H
#define TSR_CALLBACK_H
#include "transform.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The type of an operand or result of a host function. */
typedef struct tsr_host_type {
	tsr_dtype dtype;
	int ndim;
	const int64_t *dims;
	int64_t size; /**< elements */
} tsr_host_type;
/** One call of a host function. Memory is row-major without gaps, and valid until the function
 * returns. */
typedef struct tsr_host_call {
	tsr_ctx *ctx;
	void *user; /**< what .user was */
	size_t nin, nout;
	const void *const *in; /**< the elements of each operand */
	void *const *out;      /**< where the function puts those of each result: all of them */
	const tsr_host_type *in_type, *out_type;
} tsr_host_call;
/** A host function, which a running program calls with its operands and places for results. It
 * returns false where it has failed. */
typedef bool tsr_host_fn(const tsr_host_call *call);

/** The type of one result: {TSR_F32, TSR_DIMS(2, 3)}. */
typedef struct tsr_result_type {
	tsr_dtype dtype;
	tsr_dims dims;
} tsr_result_type;
/** Keywords of callbacks. */
typedef struct tsr_callback_args {
	TSR_KEYWORDS_
	const char *name; /**< for messages and program texts; what the call says when not given */
	/** Handed to the function. It must live as long as programs that call the function. */
	void *user;
	/** The results of one call, up to the first without a dtype: TSR_RESULTS({TSR_F32,
	 * TSR_DIMS(8)}, {TSR_I32, TSR_DIMS()}). Not given: none. */
	tsr_result_type results[TSR_MAX_ARGS];
	/** tsr_io_callback(): the order of the calls on different devices counts too. Then it must
	 * not be in a branch or loop whose predicate varies over devices (TSR_ERROR_SHARDING).
	 */
	bool ordered;
	TSR_KEYWORDS_END_
} tsr_callback_args;

/** A fn that calls a host function whose results depend on its operands alone, and which does
 * nothing else: tsr_pure_callback(ctx, solve, .results = TSR_RESULTS({TSR_F32, TSR_DIMS(64)})). It
 * need not be called where its results are not used, and devices with the same operands may share
 * a call. It has no derivative (TSR_ERROR_UNSUPPORTED): put tsr_stop_gradient() around its
 * operands, or compute the derivative in another way. Errors: a NULL function, results without dims
 * (TSR_ERROR_ARGUMENT). */
TSR_OP tsr_fn *tsr_pure_callback_at(const char *where, tsr_ctx *ctx, tsr_host_fn *function,
                                    const char *text, const tsr_callback_args *args);
/** A fn that calls a host function with effects, such as one that reads a file or sends a message:
 * tsr_io_callback(ctx, next_batch, .results = ...). It is called whether its results are used or
 * not. In a mapped region they may differ on all devices. Otherwise as tsr_pure_callback(). */
TSR_OP tsr_fn *tsr_io_callback_at(const char *where, tsr_ctx *ctx, tsr_host_fn *function,
                                  const char *text, const tsr_callback_args *args);
/** A fn without results that calls a host function which looks at values: tsr_call_into(TSR_NO_OUT,
 * tsr_debug_callback(ctx, look), x). Derivatives pass it by: it sees values, not tangents.
 * Otherwise as tsr_io_callback(). Error (TSR_ERROR_ARGUMENT): .results are given. */
TSR_OP tsr_fn *tsr_debug_callback_at(const char *where, tsr_ctx *ctx, tsr_host_fn *function,
                                     const char *text, const tsr_callback_args *args);

/** Prints values to stdout, and then a newline, each time that the program runs:
 * tsr_debug_print("step {}: loss = {:.3f}", i, loss). format is as in Python's str.format(): {} is
 * the next value, {0} the first one, {{ and }} are braces. Values are printed as tsr_print() does,
 * or as a format spec behind a colon says, [[fill]align][sign][#][0][width][group][.precision]
 * [type], which means what it means there:
 *
 *     fill, align    a character, and < > ^, or = (behind the sign)     {:*^12}
 *     sign, 0        + - or a space; zeros behind the sign              {:+08.2f}
 *     group          , or _ between groups of digits                    {:,}
 *     type           of floats e E f F g G %, of integers these without a precision too, and
 *                    b d o x X (# puts 0b, 0o, 0x in front)             {:.1%} {:#x}
 *
 * A spec is for scalars. An array, or any value, has the spec of its text behind !s, with fill,
 * align, width and the most characters: {!s:>40}. Not supported: the types c and n, # of floats,
 * !r, and places with names, members or places inside. Outside bodies it prints at once. In a
 * mapped region every device prints its blocks, in the order of the devices; under tsr_vmap() every
 * element that differs; derivatives pass it by. Arguments are handles and C numbers. Errors
 * (TSR_ERROR_ARGUMENT): a place without a value, a value without a place, braces that do not match,
 * a spec that the value does not have. */
TSR_API void tsr_debug_print_at(const char *where, const char *format, const tsr_arg *args,
                                size_t n);
/** An error (TSR_ERROR_USER) at this line, each time that the program runs and an element of x is
 * infinite or no number: tsr_check_finite(loss, "the loss"). It tells the first such element, its
 * index, and in a mapped region the device. what: what the message calls x; NULL is legal. x passes
 * as it is: derivatives pass the check by, and under tsr_vmap() it is made for every element. Error
 * (TSR_ERROR_TYPE): x is not of floating or complex dtype. */
TSR_API void tsr_check_finite_at(const char *where, tsr *x, const char *what);

/* ---- the same without place and keywords: as values, and for debuggers */

/** tsr_check_finite_at() as a value. */
TSR_API void tsr_check_finite(tsr *x, const char *what);
#ifdef __cplusplus
}
#endif

#ifdef TSR_MACROS_
#define tsr_pure_callback(...) TSR_PURE_CALLBACK_(#__VA_ARGS__, TSR_PREFIX_, __VA_ARGS__, )
#define TSR_PURE_CALLBACK_(text, v_, ctx, function, ...) \
	__extension__({ TSR_LET_(v_, _0, ctx) TSR_KW_(tsr_callback_args, v_, __VA_ARGS__) \
		tsr_pure_callback_at(TSR_HERE, TSR_CTX_PICK_(TSR_CAT_(v_, _0)), function, text, \
		&v_); })
#define tsr_io_callback(...) TSR_IO_CALLBACK_(#__VA_ARGS__, TSR_PREFIX_, __VA_ARGS__, )
#define TSR_IO_CALLBACK_(text, v_, ctx, function, ...) \
	__extension__({ TSR_LET_(v_, _0, ctx) TSR_KW_(tsr_callback_args, v_, __VA_ARGS__) \
		tsr_io_callback_at(TSR_HERE, TSR_CTX_PICK_(TSR_CAT_(v_, _0)), function, text, \
		&v_); })
#define tsr_debug_callback(...) TSR_DEBUG_CALLBACK_(#__VA_ARGS__, TSR_PREFIX_, __VA_ARGS__, )
#define TSR_DEBUG_CALLBACK_(text, v_, ctx, function, ...) \
	__extension__({ TSR_LET_(v_, _0, ctx) TSR_KW_(tsr_callback_args, v_, __VA_ARGS__) \
		tsr_debug_callback_at(TSR_HERE, TSR_CTX_PICK_(TSR_CAT_(v_, _0)), function, text, \
		&v_); })
#define tsr_debug_print(...) \
	TSR_CAT_(TSR_DEBUG_PRINT_, TSR_1N_(__VA_ARGS__))(TSR_PREFIX_, __VA_ARGS__)
#define TSR_DEBUG_PRINT_1_(v_, format) \
	__extension__({ tsr_debug_print_at(TSR_HERE, format, NULL, 0); })
#define TSR_DEBUG_PRINT_N_(v_, format, ...) \
	__extension__({ TSR_LETS_(v_, __VA_ARGS__) tsr_debug_print_at(TSR_HERE, format, \
		TSR_PICKS_(TSR_ARG_PICK_, v_, __VA_ARGS__)); })
#define tsr_check_finite(x, what) tsr_check_finite_at(TSR_HERE, x, what)
/** The types of results: .results = TSR_RESULTS({TSR_F32, TSR_DIMS(64)}). */
#define TSR_RESULTS(...) {__VA_ARGS__}
/** The places of a call without results: tsr_call_into(TSR_NO_OUT, f, x). */
#define TSR_NO_OUT ((tsr_out *)NULL), 0
#endif

#endif
