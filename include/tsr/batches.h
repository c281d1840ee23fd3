/* tsr/batches.h - data for training: batches of rows from .npy files, read ahead and in random
 * order.
 *
 *     tsr_batches *b = tsr_batches_open(ctx, ((const char *[]){"x.npy", "y.npy"}), 2, 128,
 *                                       .key = key, .mesh = mesh, .spec = TSR_SPEC("data"));
 *     tsr *xy[2];
 *     for (int epoch = 0; epoch < 10; epoch++)
 *             while (tsr_batches_next(b, xy, 2)) {
 *                     TSR_SCOPE(ctx);
 *                     ... tsr_call(step, xy[0], xy[1]) ...
 *             }
 *     tsr_batches_close(b);
 *
 * Files are mapped, and a thread copies the rows of the next batches while the program computes
 * with this one. Which rows a batch has depends on the key and on the number of the batch alone. */
/* Made by tools/make_headers.py of api/batches.h.in: change that one. */
/** @file */
#ifndef TSR_BATCHES_H
#define TSR_BATCHES_H
#include "mesh.h"
#include "random.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Batches of rows, from tsr_batches_open(). They are closed with tsr_batches_close(), or with
 * their context. */
typedef struct tsr_batches tsr_batches;

/** Keywords of tsr_batches_open(). */
typedef struct tsr_batches_args {
	TSR_KEYWORDS_
	tsr *key; /**< epoch e has the rows in the order tsr_permutation(tsr_fold_in(key, e), rows);
	           * when not given, in that of the files */
	const tsr_mesh *mesh; /**< where batches are put; when not given, on the first device */
	tsr_spec spec;        /**< over the mesh, for all files: TSR_SPEC("data") cuts the rows */
	int prefetch;         /**< how many batches are read ahead: 2 when not given, -1 none */
	bool short_last;      /**< the rows left at the end of an epoch are a shorter batch */
	int64_t first; /**< the number of the first batch, counted from the beginning of epoch 0: to
	                * go on where a program was ended */
	TSR_KEYWORDS_END_
} tsr_batches_args;

/** Opens n .npy files with as many rows each, which are the indices of dim 0, to give `rows` of
 * them at a time: tsr_batches_open(ctx, paths, 2, 128, .key = key). Never NULL; on failure there
 * are none. Errors: a file that cannot be read, is no .npy file, or is changed while it is open
 * (TSR_ERROR_FILE); a dtype that is none of ours, or an array with its first dim innermost
 * (TSR_ERROR_UNSUPPORTED); no dims, or other numbers of rows than the first file has
 * (TSR_ERROR_TYPE); fewer than one row, or more than the files have without .short_last
 * (TSR_ERROR_ARGUMENT); a spec that does not fit the mesh or an array (TSR_ERROR_SHARDING). */
TSR_API tsr_batches *tsr_batches_open_at(const char *where, tsr_ctx *ctx, const char *const *paths,
                                         size_t n, int64_t rows, const tsr_batches_args *args);
/** The next batch, an array for each file, in their order: tsr *xy[2]; while (tsr_batches_next(b,
 * xy, 2)). The arrays are valid until the next call or the end of the batches; tsr_set() keeps one
 * longer. False at the end of an epoch, after which the next call begins another; and on failure,
 * which tsr_ok() tells apart. Then out holds poison. Errors: n is not the number of files
 * (TSR_ERROR_ARGUMENT), a file could not be read (TSR_ERROR_FILE), the batches are closed, or a
 * body is being traced (TSR_ERROR_HANDLE). */
TSR_API bool tsr_batches_next_at(const char *where, tsr_batches *b, tsr **out, size_t n);
/** How many batches an epoch has. 0 where they could not be opened. */
TSR_API int64_t tsr_batches_count(const tsr_batches *b);
/** Closes the files, ends the thread, and gives memory back. NULL is allowed. */
TSR_API void tsr_batches_close(tsr_batches *b);

/* ---- the same without place and keywords: as values, and for debuggers */

/** tsr_batches_open_at() as a value. */
TSR_API tsr_batches *tsr_batches_open(tsr_ctx *ctx, const char *const *paths, size_t n,
                                      int64_t rows);
/** tsr_batches_next_at() as a value. */
TSR_API bool tsr_batches_next(tsr_batches *b, tsr **out, size_t n);
#ifdef __cplusplus
}
#endif

#ifdef TSR_MACROS_
#define tsr_batches_open(ctx, paths, n, ...) \
	TSR_BATCHES_OPEN_(#__VA_ARGS__, TSR_PREFIX_, ctx, paths, n, __VA_ARGS__, )
#define TSR_BATCHES_OPEN_(text3, v_, ctx, paths, n, rows, ...) \
	__extension__({ TSR_LET_(v_, _0, ctx) TSR_CHECK_TEXT_(TSR_CAT_(v_, _3), text3, \
		"tsr_batches_open: give the argument rows, without a name") \
		TSR_KW_(tsr_batches_args, v_, __VA_ARGS__) tsr_batches_open_at(TSR_HERE, \
		TSR_CTX_PICK_(TSR_CAT_(v_, _0)), paths, n, rows, &v_); })
#define tsr_batches_next(b, out, n) tsr_batches_next_at(TSR_HERE, b, out, n)
#endif

#endif
