/* tsr/io.h - arrays in files: NumPy's .npy, versions 1 to 3, both byte orders, C and Fortran order.
 * Made by tools/make_headers.py of api/io.h.in: change that one.
 *
 *     tsr *x = tsr_load_npy(ctx, "x.npy");
 *
 * dtypes are NumPy's; bfloat16, which it lacks, is written as two raw bytes an element ("|V2") and
 * read from them. */
/** @file */
#ifndef TSR_IO_H
#define TSR_IO_H
#include "context.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The array in a file, on the first device. Errors: a file that is missing, unreadable, truncated
 * or malformed (TSR_ERROR_FILE), a dtype that is not supported (TSR_ERROR_UNSUPPORTED). Each
 * process reads for itself. */
TSR_OP tsr *tsr_load_npy_at(const char *where, tsr_ctx *ctx, const char *path);
/** The same from n bytes of memory, which are copied: tsr_read_npy(ctx, bytes, n). */
TSR_OP tsr *tsr_read_npy_at(const char *where, tsr_ctx *ctx, const void *bytes, size_t n);
/** Writes all of x, version 1 (2 for a long header), little endian, C order. false on failure: the
 * file cannot be written (TSR_ERROR_FILE), or x cannot be read, as for tsr_read(). tsr_save_npy(x,
 * "x.npy"). A file is written as a whole or not at all: it replaces an old one and keeps its
 * permissions. Links are followed; what is not a regular file, such as a FIFO, is written into. */
TSR_API bool tsr_save_npy_at(const char *where, const tsr *x, const char *path);

/* ---- the same without place and keywords: as values, and for debuggers */

/** tsr_load_npy_at() as a value. */
TSR_OP tsr *tsr_load_npy(tsr_ctx *ctx, const char *path);
/** tsr_read_npy_at() as a value. */
TSR_OP tsr *tsr_read_npy(tsr_ctx *ctx, const void *bytes, size_t n);
/** tsr_save_npy_at() as a value. */
TSR_API bool tsr_save_npy(const tsr *x, const char *path);
#ifdef __cplusplus
}
#endif

#ifdef TSR_MACROS_
#define tsr_load_npy(ctx, ...) TSR_LOAD_NPY_(TSR_PREFIX_, ctx, __VA_ARGS__)
#define TSR_LOAD_NPY_(v_, ctx, ...) \
	tsr_result_(__extension__({ TSR_LET_(v_, _0, ctx) tsr_load_npy_at(TSR_HERE, \
		TSR_CTX_PICK_(TSR_CAT_(v_, _0)), __VA_ARGS__); }))
#define tsr_read_npy(ctx, ...) TSR_READ_NPY_(TSR_PREFIX_, ctx, __VA_ARGS__)
#define TSR_READ_NPY_(v_, ctx, ...) \
	tsr_result_(__extension__({ TSR_LET_(v_, _0, ctx) tsr_read_npy_at(TSR_HERE, \
		TSR_CTX_PICK_(TSR_CAT_(v_, _0)), __VA_ARGS__); }))
#define tsr_save_npy(x, path) tsr_save_npy_at(TSR_HERE, x, path)
#endif

#endif
