/* tsr/timing.h - measures calls of fns, as IPython's %timeit does, and collectives of a mesh,
 * beside the speed of its memory; and shows the progress of long work.
 *
 *     puts(tsr_timing_text(ctx, tsr_time(10, 5, step, w, x)));
 *
 *     1.23 ms ± 45.6 µs per loop (mean ± std. dev. of 10 runs, 5 loops each)
 *
 *     tsr_progress *p = tsr_progress_begin(ctx, 1000, .label = "training");
 *     for (int i = 0; i < 1000; i++) tsr_call(step, w, x), tsr_progress_show(p, i + 1, NULL);
 *     tsr_progress_end(p);
 *
 *     training   45% [=========           ] 450/1000  36.5 steps/s  0:16 left */
/* Made by tools/make_headers.py of api/timing.h.in: change that one. */
/** @file */
#ifndef TSR_TIMING_H
#define TSR_TIMING_H
#include "transform.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What tsr_time() measured, in seconds of one loop. Of each run the time is divided by its loops:
 * mean and standard deviation are those of the runs, as are the least and the most. */
typedef struct tsr_timing {
	size_t size; /**< of this record */
	int runs, loops; /**< 0: nothing was measured */
	double mean, deviation, least, most;
} tsr_timing;

/** Calls a fn runs * loops times and measures the runs: tsr_time(10, 5, step, w, x). A loop is a
 * call, the wait for all its results, and their release, so memory does not grow. Before the first
 * run there is one call that is not measured, which traces, and compiles what the engine can. Other
 * threads take part in the time: it is that of the clock on the wall. Errors: as tsr_call_into();
 * runs or loops below 1, a fn that donates arguments, for these are gone after the first loop
 * (TSR_ERROR_ARGUMENT); a call inside a body (TSR_ERROR_HANDLE). Then runs and loops are 0, and all
 * else is NaN. Collective across processes if the call is. */
TSR_API tsr_timing tsr_time_at(const char *where, int runs, int loops, tsr_fn *fn,
                               const tsr_arg *args, size_t n);
/** The line that IPython's %timeit prints, without a newline: "1.23 ms ± 45.6 µs per loop (mean ±
 * std. dev. of 10 runs, 5 loops each)". Three digits; from a minute on "1min 5s". UTF-8, valid
 * until the innermost scope ends; "" on failure. Errors (TSR_ERROR_ARGUMENT): runs or loops below
 * 1, a mean or deviation that is negative or not finite. */
TSR_API const char *tsr_timing_text_at(const char *where, tsr_ctx *ctx, tsr_timing timing);

/** Prints how long each collective takes over an axis of a mesh, "x" or "x*y", to stdout:
 * tsr_bench_collectives(mesh, "data", x). x, an array of numbers, is cut along dim 0, and each
 * device exchanges its part. A line has the bytes that a device receives, as tsr_fn_graph() counts
 * them; the least time of some runs; the bytes received in a second; and the share of what memory
 * allows: of the time in which the same devices read as many bytes as all parts have, and write
 * those of all results, at the rate of negating x, which is measured in alternation. What is the
 * same on several devices of one memory is written once; parts that are given on without being
 * copied have no share. It takes some seconds. Errors: a mesh that is none (TSR_ERROR_ARGUMENT); x
 * is NULL, traced or of another context, or a body is being traced (TSR_ERROR_HANDLE); x has no dim
 * or no numbers (TSR_ERROR_TYPE); the axis is not one of the mesh, or does not divide dim 0
 * (TSR_ERROR_SHARDING). Collective across processes. */
TSR_API void tsr_bench_collectives_at(const char *where, tsr_mesh *mesh, const char *axis, tsr *x);

/** The progress of long work, from tsr_progress_begin(). */
typedef struct tsr_progress tsr_progress;

/** Keywords of tsr_progress_begin(). */
typedef struct tsr_progress_args {
	TSR_KEYWORDS_
	const char *label; /**< in front of the line; none when not given */
	const char *unit;  /**< what is counted, one of it: "step" when not given */
	TSR_KEYWORDS_END_
} tsr_progress_args;

/** Begins to show how far work is that has `total` steps, 0 for a number that is not known:
 * tsr_progress_begin(ctx, 1000, .label = "training"). It is a line on stderr, which is written
 * again and again, and is shown only where stderr is a terminal and TERM is not "dumb". The rate is
 * that of the steps behind the first one shown, in which programs are compiled. Never NULL. Local
 * to the process. Error (TSR_ERROR_ARGUMENT): total is negative; then nothing is shown. */
TSR_API tsr_progress *tsr_progress_begin_at(const char *where, tsr_ctx *ctx, int64_t total,
                                            const tsr_progress_args *args);
/** So many steps are done; note: a text for the end of the line, such as "loss 0.43", or NULL. The
 * line is written ten times a second at most, and always when all steps are done. */
TSR_API void tsr_progress_show(tsr_progress *p, int64_t done, const char *note);
/** Ends the line of a progress report; tsr_close() does, too. NULL is allowed. */
TSR_API void tsr_progress_end(tsr_progress *p);

/* ---- the same without place and keywords: as values, and for debuggers */

/** tsr_timing_text_at() as a value. */
TSR_API const char *tsr_timing_text(tsr_ctx *ctx, tsr_timing timing);
/** tsr_bench_collectives_at() as a value. */
TSR_API void tsr_bench_collectives(tsr_mesh *mesh, const char *axis, tsr *x);
/** tsr_progress_begin_at() as a value. */
TSR_API tsr_progress *tsr_progress_begin(tsr_ctx *ctx, int64_t total);
#ifdef __cplusplus
}
#endif

#ifdef TSR_MACROS_
#define tsr_time(runs, loops, ...) \
	TSR_CAT_(TSR_TIME_, TSR_1N_(__VA_ARGS__))(TSR_PREFIX_, runs, loops, __VA_ARGS__)
#define TSR_TIME_1_(v_, runs, loops, fn) \
	__extension__({ tsr_time_at(TSR_HERE, runs, loops, fn, NULL, 0); })
#define TSR_TIME_N_(v_, runs, loops, fn, ...) \
	__extension__({ TSR_LETS_(v_, __VA_ARGS__) tsr_time_at(TSR_HERE, runs, loops, fn, \
		TSR_PICKS_(TSR_ARG_PICK_, v_, __VA_ARGS__)); })
#define tsr_timing_text(ctx, ...) TSR_TIMING_TEXT_(TSR_PREFIX_, ctx, __VA_ARGS__)
#define TSR_TIMING_TEXT_(v_, ctx, ...) \
	__extension__({ TSR_LET_(v_, _0, ctx) tsr_timing_text_at(TSR_HERE, \
		TSR_CTX_PICK_(TSR_CAT_(v_, _0)), __VA_ARGS__); })
#define tsr_bench_collectives(mesh, axis, x) \
	tsr_bench_collectives_at(TSR_HERE, mesh, TSR_AXIS_TEXT_(axis), x)
#define tsr_progress_begin(ctx, ...) \
	TSR_PROGRESS_BEGIN_(#__VA_ARGS__, TSR_PREFIX_, ctx, __VA_ARGS__, )
#define TSR_PROGRESS_BEGIN_(text1, v_, ctx, total, ...) \
	__extension__({ TSR_LET_(v_, _0, ctx) TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_progress_begin: give the argument total, without a name") \
		TSR_KW_(tsr_progress_args, v_, __VA_ARGS__) tsr_progress_begin_at(TSR_HERE, \
		TSR_CTX_PICK_(TSR_CAT_(v_, _0)), total, &v_); })
#endif

#endif
