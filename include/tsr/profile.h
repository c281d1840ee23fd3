/* tsr/profile.h - records the work of a context over time, for Perfetto (ui.perfetto.dev) and
 * Chrome (about:tracing).
 *
 *     tsr_profile(ctx, "trace.json");
 *     ... tsr_call(step, x) ...
 *     tsr_profile_end(ctx);
 *
 * Each step of a run is an event on the line of the thread that does it, with the operations that
 * its kernel fuses, the line of your source, the bytes that it reads and writes and the operations
 * on numbers; so are runs, waits for workers, tracing and compiling. Nothing here is collective. */
/* Made by tools/make_headers.py of api/profile.h.in: change that one. */
/** @file */
#ifndef TSR_PROFILE_H
#define TSR_PROFILE_H
#include "context.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Begins to write a trace to a file, which is replaced: tsr_profile(ctx, "trace.json"). It ends
 * with tsr_profile_end() or tsr_close(). Programs that one routine runs as a whole are run step by
 * step meanwhile. The environment variable TSR_PROFILE=FILE does this for an unchanged program; if
 * several of its contexts do something, the second writes FILE.2, and so on. False on failure: the
 * file cannot be written (TSR_ERROR_FILE), or a trace is being written already
 * (TSR_ERROR_ARGUMENT). */
TSR_API bool tsr_profile_at(const char *where, tsr_ctx *ctx, const char *path);
/** Ends the trace of tsr_profile_begin(), whose file is complete now. False on failure: there was
 * none (TSR_ERROR_ARGUMENT), or not all of it could be written (TSR_ERROR_FILE). */
TSR_API bool tsr_profile_end_at(const char *where, tsr_ctx *ctx);

/* ---- the same without place and keywords: as values, and for debuggers */

/** tsr_profile_at() as a value. */
TSR_API bool tsr_profile(tsr_ctx *ctx, const char *path);
/** tsr_profile_end_at() as a value. */
TSR_API bool tsr_profile_end(tsr_ctx *ctx);
#ifdef __cplusplus
}
#endif

#ifdef TSR_MACROS_
#define tsr_profile(ctx, ...) TSR_PROFILE_(TSR_PREFIX_, ctx, __VA_ARGS__)
#define TSR_PROFILE_(v_, ctx, ...) \
	__extension__({ TSR_LET_(v_, _0, ctx) tsr_profile_at(TSR_HERE, TSR_CTX_PICK_(TSR_CAT_(v_, \
		_0)), __VA_ARGS__); })
#define tsr_profile_end(ctx) TSR_PROFILE_END_(TSR_PREFIX_, ctx)
#define TSR_PROFILE_END_(v_, ctx) \
	__extension__({ TSR_LET_(v_, _0, ctx) tsr_profile_end_at(TSR_HERE, \
		TSR_CTX_PICK_(TSR_CAT_(v_, _0))); })
#endif

#endif
