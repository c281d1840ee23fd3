/* tsr/viz.h - draws the parts of arrays, as JAX's visualize_array_sharding does, and tables of the
 * contents of devices.
 *
 *     tsr_show_sharding(x);
 *     tsr_show_shards(x, .devices = true);
 *
 * In a picture rows are parts of dim 0, columns parts of dim 1; a cell names the devices that hold
 * the part. Of an array of more dims those that are cut are drawn, the first two of them, or what
 * .dims names; a line above the picture says which. In a table each cell is a device of the mesh,
 * and has its part of x. Errors: x is traced (TSR_ERROR_HANDLE); of pictures: x has no dim, .dims
 * does not name one or two of its dims (TSR_ERROR_ARGUMENT). Nothing here is collective. */
/* Made by tools/make_headers.py of api/viz.h.in: change that one. */
/** @file */
#ifndef TSR_VIZ_H
#define TSR_VIZ_H
#include "mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Keywords of pictures. */
typedef struct tsr_picture_args {
	TSR_KEYWORDS_
	bool color;    /**< cells as coloured areas (ANSI escapes) instead of boxes */
	double scale;  /**< how many times as large; 1 when not given, at most 1000 */
	int min_width; /**< columns of the narrowest cell; 9 when not given */
	int max_width; /**< of the widest one, and of the whole where names allow; 80 when not
	                * given */
	tsr_dims dims; /**< which ones are drawn: the first goes down and the second across, one
	                * alone goes across; -1 is the last */
	/** tsr_show_sharding() prints in every process, as tsr_print() does */
	TSR_ADDED_ bool all;
	TSR_KEYWORDS_END_
} tsr_picture_args;

/** Keyword of tsr_sharding_svg() and tsr_sharding_svg_of(). */
typedef struct tsr_svg_args {
	TSR_KEYWORDS_
	tsr_dims dims; /**< as of a picture */
	TSR_KEYWORDS_END_
} tsr_svg_args;

/** Prints the picture to stdout, in colour also if stdout is a terminal and the environment has no
 * NO_COLOR: tsr_show_sharding(x, .scale = 0.5). */
TSR_API void tsr_show_sharding_at(const char *where, const tsr *x, const tsr_picture_args *args);
/** The picture as UTF-8 text, each line ended by a newline: tsr_sharding_picture(x, .color = true).
 * Valid until the innermost scope ends; "" on failure. */
TSR_API const char *tsr_sharding_picture_at(const char *where, const tsr *x,
                                            const tsr_picture_args *args);
/** Prints the picture of tsr_show_sharding() for dims and a sharding, without an array:
 * tsr_show_sharding_of(TSR_DIMS(8, 16), sharding). Further error (TSR_ERROR_SHARDING): a spec
 * longer than dims. */
TSR_API void tsr_show_sharding_of_at(const char *where, tsr_dims dims, const tsr_sharding *sharding,
                                     const tsr_picture_args *args);
/** The text that tsr_show_sharding_of() prints, as tsr_sharding_picture(). */
TSR_API const char *tsr_sharding_picture_of_at(const char *where, tsr_dims dims,
                                               const tsr_sharding *sharding,
                                               const tsr_picture_args *args);
/** The picture as an SVG document, which needs nothing from elsewhere and can be read on light and
 * dark pages: fputs(tsr_sharding_svg(x), file). Beside rows and columns are the indices that they
 * hold. Valid until the innermost scope ends; "" on failure. */
TSR_API const char *tsr_sharding_svg_at(const char *where, const tsr *x, const tsr_svg_args *args);
/** The picture of tsr_sharding_svg() for dims and a sharding, without an array; further error as
 * tsr_show_sharding_of(). */
TSR_API const char *tsr_sharding_svg_of_at(const char *where, tsr_dims dims,
                                           const tsr_sharding *sharding, const tsr_svg_args *args);

/** Keywords of tsr_show_shards() and tsr_shards_text(). .precision, .linewidth and .threshold are
 * those of tsr_print(). */
typedef struct tsr_shards_args {
	TSR_KEYWORDS_
	const tsr_mesh *mesh; /**< arranges the cells: one over the devices of x, in any order and
	                       * with any axes; that of x when not given */
	bool devices;         /**< each cell begins with its device, "cpu:3", and an empty line */
	int precision;        /**< most digits behind the point, -1: none */
	int linewidth;        /**< rows of a cell are broken at this column */
	int64_t threshold;    /**< above so many elements the middle of a cell's dims is left out */
	/** tsr_gather_whole(x), where parts of x may be in other processes: cells show what is
	 * there, not "(in another process)". */
	TSR_ADDED_ const tsr *whole;
	/** tsr_show_shards() prints in every process, as tsr_print() does */
	TSR_ADDED_ bool all;
	TSR_KEYWORDS_END_
} tsr_shards_args;

/** Prints what each device holds of x as a table, in the frame that Python's tabulate calls
 * "fancy_grid": tsr_show_shards(x, .devices = true, .precision = 3). The last axis of the mesh goes
 * right and the one before it down; if there are more, each place along them, "a=0 b=1", has a
 * table below it. The dims of a positional sharding's grid go likewise. Parts may be short, or
 * empty: "[]". Errors: .mesh has other devices than x (TSR_ERROR_SHARDING) or is of another context
 * (TSR_ERROR_HANDLE); .whole has another dtype or other dims than x (TSR_ERROR_TYPE). */
TSR_API void tsr_show_shards_at(const char *where, const tsr *x, const tsr_shards_args *args);
/** The table of tsr_show_shards() as UTF-8 text, each line ended by a newline: tsr_shards_text(x,
 * .mesh = rows). Valid until the innermost scope ends; "" on failure. */
TSR_API const char *tsr_shards_text_at(const char *where, const tsr *x,
                                       const tsr_shards_args *args);

/* ---- the same without place and keywords: as values, and for debuggers */

/** tsr_show_sharding_at() as a value. */
TSR_API void tsr_show_sharding(const tsr *x);
/** tsr_sharding_picture_at() as a value. */
TSR_API const char *tsr_sharding_picture(const tsr *x);
/** tsr_show_sharding_of_at() as a value. */
TSR_API void tsr_show_sharding_of(tsr_dims dims, const tsr_sharding *sharding);
/** tsr_sharding_picture_of_at() as a value. */
TSR_API const char *tsr_sharding_picture_of(tsr_dims dims, const tsr_sharding *sharding);
/** tsr_sharding_svg_at() as a value. */
TSR_API const char *tsr_sharding_svg(const tsr *x);
/** tsr_sharding_svg_of_at() as a value. */
TSR_API const char *tsr_sharding_svg_of(tsr_dims dims, const tsr_sharding *sharding);
/** tsr_show_shards_at() as a value. */
TSR_API void tsr_show_shards(const tsr *x);
/** tsr_shards_text_at() as a value. */
TSR_API const char *tsr_shards_text(const tsr *x);
#ifdef __cplusplus
}
#endif

#ifdef TSR_MACROS_
#define tsr_show_sharding(...) TSR_SHOW_SHARDING_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_SHOW_SHARDING_(v_, x, ...) \
	__extension__({ TSR_KW_(tsr_picture_args, v_, __VA_ARGS__) tsr_show_sharding_at(TSR_HERE, \
		x, &v_); })
#define tsr_sharding_picture(...) TSR_SHARDING_PICTURE_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_SHARDING_PICTURE_(v_, x, ...) \
	__extension__({ TSR_KW_(tsr_picture_args, v_, __VA_ARGS__) \
		tsr_sharding_picture_at(TSR_HERE, x, &v_); })
#define tsr_show_sharding_of(dims, ...) \
	TSR_SHOW_SHARDING_OF_(#__VA_ARGS__, TSR_PREFIX_, dims, __VA_ARGS__, )
#define TSR_SHOW_SHARDING_OF_(text1, v_, dims, sharding, ...) \
	__extension__({ TSR_LET_DIMS_(v_, _0, dims, \
		"tsr_show_sharding_of: write the argument dims as TSR_DIMS(2, 3)") \
		TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_show_sharding_of: give the argument sharding, without a name") \
		TSR_KW_(tsr_picture_args, v_, __VA_ARGS__) tsr_show_sharding_of_at(TSR_HERE, \
		TSR_CAT_(v_, _0), sharding, &v_); })
#define tsr_sharding_picture_of(dims, ...) \
	TSR_SHARDING_PICTURE_OF_(#__VA_ARGS__, TSR_PREFIX_, dims, __VA_ARGS__, )
#define TSR_SHARDING_PICTURE_OF_(text1, v_, dims, sharding, ...) \
	__extension__({ TSR_LET_DIMS_(v_, _0, dims, \
		"tsr_sharding_picture_of: write the argument dims as TSR_DIMS(2, 3)") \
		TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_sharding_picture_of: give the argument sharding, without a name") \
		TSR_KW_(tsr_picture_args, v_, __VA_ARGS__) tsr_sharding_picture_of_at(TSR_HERE, \
		TSR_CAT_(v_, _0), sharding, &v_); })
#define tsr_sharding_svg(...) TSR_SHARDING_SVG_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_SHARDING_SVG_(v_, x, ...) \
	__extension__({ TSR_KW_(tsr_svg_args, v_, __VA_ARGS__) tsr_sharding_svg_at(TSR_HERE, x, \
		&v_); })
#define tsr_sharding_svg_of(dims, ...) \
	TSR_SHARDING_SVG_OF_(#__VA_ARGS__, TSR_PREFIX_, dims, __VA_ARGS__, )
#define TSR_SHARDING_SVG_OF_(text1, v_, dims, sharding, ...) \
	__extension__({ TSR_LET_DIMS_(v_, _0, dims, \
		"tsr_sharding_svg_of: write the argument dims as TSR_DIMS(2, 3)") \
		TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_sharding_svg_of: give the argument sharding, without a name") \
		TSR_KW_(tsr_svg_args, v_, __VA_ARGS__) tsr_sharding_svg_of_at(TSR_HERE, \
		TSR_CAT_(v_, _0), sharding, &v_); })
#define tsr_show_shards(...) TSR_SHOW_SHARDS_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_SHOW_SHARDS_(v_, x, ...) \
	__extension__({ TSR_KW_(tsr_shards_args, v_, __VA_ARGS__) tsr_show_shards_at(TSR_HERE, x, \
		&v_); })
#define tsr_shards_text(...) TSR_SHARDS_TEXT_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_SHARDS_TEXT_(v_, x, ...) \
	__extension__({ TSR_KW_(tsr_shards_args, v_, __VA_ARGS__) tsr_shards_text_at(TSR_HERE, x, \
		&v_); })
#endif

#endif
