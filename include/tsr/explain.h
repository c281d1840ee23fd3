/* tsr/explain.h - reports the decisions of automatic partitioning for a call: the layout of each
 * value with its reason, the cost of each collective with a way to avoid it, the lines that need a
 * device's memory.
 *
 *     tsr_explain(step, x, w1, w2);
 *     tsr_expect_collectives("psum=2 all_gather=0 bytes<=4096", step, x, w1, w2);
 *
 * Nothing is run or compiled, but by tsr_explain_measured(). Bytes are those that one device
 * receives; times are expected, by the planner's numbers for devices of one memory. Of a fn that
 * tsr_parse() made the arguments may be left out: then they are placed as the program says. Errors:
 * as of tsr_call(), and a call inside a map (TSR_ERROR_ARGUMENT). Nothing here is collective. */
/* Made by tools/make_headers.py of api/explain.h.in: change that one. */
/** @file */
#ifndef TSR_EXPLAIN_H
#define TSR_EXPLAIN_H
#include "transform.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Prints the report of a call to stdout: tsr_explain(f, a, b). It names, with lines of your
 * source: each collective, the most expensive first, with its axes, bytes, number of times and
 * expected time, for what it is, and what would remove it; what is made whole, with the reason of
 * the operation; the memory of a device by line; where each value is, and why. */
TSR_API void tsr_explain_at(const char *where, tsr_fn *fn, const tsr_arg *args, size_t n);
/** Runs a call twice, the first time to make its machine code and the second time to measure it,
 * and prints the report of tsr_explain() with what that took. Beside what is expected the report
 * then has what the steps of each line took, of all workers together. Further errors: a fn that
 * donates arguments (TSR_ERROR_ARGUMENT), a call while a body is traced (TSR_ERROR_HANDLE), a
 * profile that is being written (TSR_ERROR_ARGUMENT). */
TSR_API void tsr_explain_measured_at(const char *where, tsr_fn *fn, const tsr_arg *args, size_t n);
/** The report as text: tsr_explain_text(f, a, b). Valid until the innermost scope ends; "" on
 * failure. */
TSR_API const char *tsr_explain_text_at(const char *where, tsr_fn *fn, const tsr_arg *args,
                                        size_t n);
/** The report as JSON: an object with "name", "mesh", "costs" (the fields of tsr_costs),
 * "collectives", "memory" and "values". Valid until the innermost scope ends; "" on failure. */
TSR_API const char *tsr_explain_json_at(const char *where, tsr_fn *fn, const tsr_arg *args,
                                        size_t n);
/** The report as one HTML page that needs no other file. Valid until the innermost scope ends; ""
 * on failure. */
TSR_API const char *tsr_explain_html_at(const char *where, tsr_fn *fn, const tsr_arg *args,
                                        size_t n);

/** What a call costs one device. */
typedef struct tsr_costs {
	size_t size;           /**< of this record, as its user knows it; the caller sets it */
	int64_t collectives;   /**< how many are executed; those in a while count once */
	double bytes;          /**< that the device receives in them */
	double seconds;        /**< that they are expected to take */
	double operations;     /**< additions, products and other operations of elements */
	double argument_bytes; /**< the device's parts of the arguments */
	double result_bytes;   /**< and of the results */
	double peak_bytes;     /**< the most that is in memory at once, with arguments and results,
	                        * if values live from where they are made to where they are used
	                        * last */
	bool in_while;         /**< there are collectives in a while, which turns an unknown number
	                        * of times */
} tsr_costs;
/** Fills the record, of which .size says how much the caller knows: tsr_costs c = {.size = sizeof
 * c}; tsr_fn_costs(f, &c, a, b). False, with zeros, on failure. */
TSR_API bool tsr_fn_costs_at(const char *where, tsr_fn *fn, tsr_costs *costs, const tsr_arg *args,
                             size_t n);
/** Checks what a call exchanges, for tests: tsr_expect_collectives("psum=1 all_gather=0
 * bytes<=4096", f, a, b). expected: conditions with blanks between them. A condition is a name, one
 * of = < <= > >=, and a number. Names are those of primitives that exchange (psum, pmax, pmin,
 * all_gather, psum_scatter, all_to_all, ragged_all_to_all, ppermute, pbroadcast, exchange, psort),
 * `collectives` for all of them, and `bytes`. Those in a loop count once for each of its steps.
 * False, with an error, where a condition is not true (TSR_ERROR_USER; the message ends with the
 * report), or the text has something that is none (TSR_ERROR_ARGUMENT). */
TSR_API bool tsr_expect_collectives_at(const char *where, const char *expected, tsr_fn *fn,
                                       const tsr_arg *args, size_t n);

#ifdef __cplusplus
}
#endif

#ifdef TSR_MACROS_
#define tsr_explain(...) TSR_CAT_(TSR_EXPLAIN_, TSR_1N_(__VA_ARGS__))(TSR_PREFIX_, __VA_ARGS__)
#define TSR_EXPLAIN_1_(v_, fn) __extension__({ tsr_explain_at(TSR_HERE, fn, NULL, 0); })
#define TSR_EXPLAIN_N_(v_, fn, ...) \
	__extension__({ TSR_LETS_(v_, __VA_ARGS__) tsr_explain_at(TSR_HERE, fn, \
		TSR_PICKS_(TSR_ARG_PICK_, v_, __VA_ARGS__)); })
#define tsr_explain_measured(...) \
	TSR_CAT_(TSR_EXPLAIN_MEASURED_, TSR_1N_(__VA_ARGS__))(TSR_PREFIX_, __VA_ARGS__)
#define TSR_EXPLAIN_MEASURED_1_(v_, fn) \
	__extension__({ tsr_explain_measured_at(TSR_HERE, fn, NULL, 0); })
#define TSR_EXPLAIN_MEASURED_N_(v_, fn, ...) \
	__extension__({ TSR_LETS_(v_, __VA_ARGS__) tsr_explain_measured_at(TSR_HERE, fn, \
		TSR_PICKS_(TSR_ARG_PICK_, v_, __VA_ARGS__)); })
#define tsr_explain_text(...) \
	TSR_CAT_(TSR_EXPLAIN_TEXT_, TSR_1N_(__VA_ARGS__))(TSR_PREFIX_, __VA_ARGS__)
#define TSR_EXPLAIN_TEXT_1_(v_, fn) __extension__({ tsr_explain_text_at(TSR_HERE, fn, NULL, 0); })
#define TSR_EXPLAIN_TEXT_N_(v_, fn, ...) \
	__extension__({ TSR_LETS_(v_, __VA_ARGS__) tsr_explain_text_at(TSR_HERE, fn, \
		TSR_PICKS_(TSR_ARG_PICK_, v_, __VA_ARGS__)); })
#define tsr_explain_json(...) \
	TSR_CAT_(TSR_EXPLAIN_JSON_, TSR_1N_(__VA_ARGS__))(TSR_PREFIX_, __VA_ARGS__)
#define TSR_EXPLAIN_JSON_1_(v_, fn) __extension__({ tsr_explain_json_at(TSR_HERE, fn, NULL, 0); })
#define TSR_EXPLAIN_JSON_N_(v_, fn, ...) \
	__extension__({ TSR_LETS_(v_, __VA_ARGS__) tsr_explain_json_at(TSR_HERE, fn, \
		TSR_PICKS_(TSR_ARG_PICK_, v_, __VA_ARGS__)); })
#define tsr_explain_html(...) \
	TSR_CAT_(TSR_EXPLAIN_HTML_, TSR_1N_(__VA_ARGS__))(TSR_PREFIX_, __VA_ARGS__)
#define TSR_EXPLAIN_HTML_1_(v_, fn) __extension__({ tsr_explain_html_at(TSR_HERE, fn, NULL, 0); })
#define TSR_EXPLAIN_HTML_N_(v_, fn, ...) \
	__extension__({ TSR_LETS_(v_, __VA_ARGS__) tsr_explain_html_at(TSR_HERE, fn, \
		TSR_PICKS_(TSR_ARG_PICK_, v_, __VA_ARGS__)); })
#define tsr_fn_costs(fn, ...) \
	TSR_CAT_(TSR_FN_COSTS_, TSR_1N_(__VA_ARGS__))(TSR_PREFIX_, fn, __VA_ARGS__)
#define TSR_FN_COSTS_1_(v_, fn, costs) \
	__extension__({ tsr_fn_costs_at(TSR_HERE, fn, costs, NULL, 0); })
#define TSR_FN_COSTS_N_(v_, fn, costs, ...) \
	__extension__({ TSR_LETS_(v_, __VA_ARGS__) tsr_fn_costs_at(TSR_HERE, fn, costs, \
		TSR_PICKS_(TSR_ARG_PICK_, v_, __VA_ARGS__)); })
#define tsr_expect_collectives(expected, ...) \
	TSR_CAT_(TSR_EXPECT_COLLECTIVES_, TSR_1N_(__VA_ARGS__))(TSR_PREFIX_, expected, \
		__VA_ARGS__)
#define TSR_EXPECT_COLLECTIVES_1_(v_, expected, fn) \
	__extension__({ tsr_expect_collectives_at(TSR_HERE, expected, fn, NULL, 0); })
#define TSR_EXPECT_COLLECTIVES_N_(v_, expected, fn, ...) \
	__extension__({ TSR_LETS_(v_, __VA_ARGS__) tsr_expect_collectives_at(TSR_HERE, expected, \
		fn, TSR_PICKS_(TSR_ARG_PICK_, v_, __VA_ARGS__)); })
#endif

#endif
