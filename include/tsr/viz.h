/* tsr/viz.h - pictures of where the parts of an array are: the table that JAX's
 * Made by tools/make_headers.py of api/viz.h.in: change that one.
 * visualize_array_sharding draws.
 *
 *     tsr_show_sharding(x);
 *
 * Rows are parts of dim 0, columns parts of dim 1; a cell names the devices that hold the part.
 * Errors: x has no dim, or more than two: reshape it first (TSR_ERROR_ARGUMENT); x is traced
 * (TSR_ERROR_HANDLE). Nothing here is collective. */
/** @file */
#ifndef TSR_VIZ_H
#define TSR_VIZ_H
#include "context.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Keyword of tsr_sharding_picture(). */
typedef struct TSR_BY_NAME_ tsr_picture_args {
	TSR_KEYWORDS_;
	bool color; /**< cells as coloured areas (ANSI escapes) instead of boxes */
} tsr_picture_args;

/** Prints the picture to stdout, in colour if that is a terminal and the environment has no
 * NO_COLOR. */
TSR_API void tsr_show_sharding_at(const char *where, const tsr *x);
/** The picture as UTF-8 text, each line ended by a newline: tsr_sharding_picture(x, .color = true).
 * Valid until the innermost scope ends; "" on failure. */
TSR_API const char *tsr_sharding_picture_at(const char *where, const tsr *x,
                                            const tsr_picture_args *args);

/* ---- the same without place and keywords: as values, and for debuggers */

/** tsr_show_sharding_at() as a value. */
TSR_API void tsr_show_sharding(const tsr *x);
/** tsr_sharding_picture_at() as a value. */
TSR_API const char *tsr_sharding_picture(const tsr *x);
#ifdef __cplusplus
}
#endif

#ifdef TSR_MACROS_
#define tsr_show_sharding(x) tsr_show_sharding_at(TSR_HERE, x)
#define tsr_sharding_picture(...) TSR_SHARDING_PICTURE_(TSR_VAR_, __VA_ARGS__, )
#define TSR_SHARDING_PICTURE_(v_, x, ...) \
	__extension__({ TSR_KW_(tsr_picture_args, v_, __VA_ARGS__) \
		tsr_sharding_picture_at(TSR_HERE, x, &v_); })
#endif

#endif
