/* tsr/checkpoint.h - saves and loads checkpoints: trees of arrays in folders, complete or absent,
 * for any devices.
 *
 *     TSR_TREE_TYPE(state, { mlp w; tsr *step; });
 *     ...
 *     int64_t begin = tsr_checkpoint_latest(ctx, "run") + 1;
 *     if (begin) tsr_checkpoint_load("run", begin - 1, TSR_TREE(state, &s));
 *     for (int64_t i = begin; i < 10000; i++) {
 *             ...
 *             if (i % 100 == 0)
 *                     tsr_checkpoint_save("run", i, TSR_TREE(state, &s), .async = true, .keep = 3);
 *     }
 *     tsr_checkpoint_wait(ctx);
 *
 * The checkpoint of step 12 is the folder run/12: an index and .safetensors files, one for each
 * device that writes, as docs/checkpoints.md says. Each piece of an array is written once, by the
 * process that has it, without padding. Everything is written under another name first, which
 * changes when all is on the disk: a process may stop at any time, and older checkpoints stay.
 *
 * Saving, loading, tsr_checkpoint_latest() and tsr_checkpoint_wait() are collective: all processes
 * of the context call them, in the same order and with the same arguments, and get the same answer.
 * The folder must be the same for all. */
/* Made by tools/make_headers.py of api/checkpoint.h.in: change that one. */
/** @file */
#ifndef TSR_CHECKPOINT_H
#define TSR_CHECKPOINT_H
#include "array.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Keywords of tsr_checkpoint_save(). */
typedef struct tsr_checkpoint_save_args {
	TSR_KEYWORDS_
	/** Returns at once, and writes behind the calls that follow. The arrays are held until they
	 * are written, and not copied: a call with .donate that would overwrite them makes its
	 * results elsewhere. A failure is an error of the next call of this header, or of
	 * tsr_close(). */
	bool async;
	/** Checkpoints that stay in the folder, with this one: the others with the lowest steps are
	 * removed when it is complete. All stay when not given. */
	int64_t keep;
	TSR_KEYWORDS_END_
} tsr_checkpoint_save_args;

/** Keywords of tsr_checkpoint_load(). */
typedef struct tsr_checkpoint_load_args {
	TSR_KEYWORDS_
	/** Where the arrays go. Not given: where each leaf is, and for an absent one as tsr_load()
	 * says. */
	const tsr_mesh *mesh;
	/** One for all leaves, TSR_FOR_ALL(TSR_P("x")), or one a leaf, TSR_FOR_EACH(array); all of
	 * each leaf on every device of the mesh when not given. */
	tsr_specs spec;
	TSR_KEYWORDS_END_
} tsr_checkpoint_load_args;

/** Saves the leaves of a tree, by their paths, as the checkpoint of a step in a folder, which is
 * made if it is not there: tsr_checkpoint_save("run", 100, TSR_TREE(mlp, &w)). Collective. The one
 * before must be complete, and is waited for. false on failure; then the folder is as it was.
 * Errors: a step below 0, or one that is there already, or a tree that differs between processes
 * (TSR_ERROR_ARGUMENT); a leaf of c128 (TSR_ERROR_UNSUPPORTED); a file that cannot be written
 * (TSR_ERROR_FILE); leaves as for tsr_read(). */
TSR_API bool tsr_checkpoint_save_at(const char *where, const char *dir, int64_t step, tsr_tree tree,
                                    const tsr_checkpoint_save_args *args);
/** Replaces the leaves of a tree by those of a checkpoint, which have the same paths, dtypes and
 * dims: tsr_checkpoint_load("run", 100, TSR_TREE(mlp, &w), .mesh = mesh, .spec = TSR_FOR_EACH(s)).
 * An absent leaf is loaded with any dtype and dims, or stays absent if it was saved so. Each
 * process reads the bytes that its devices need, and checks the hash of each MiB that it reads
 * whole. Collective. false on failure; `like` is then unchanged. Errors: there is no such
 * checkpoint, or it is damaged, or lacks a leaf (TSR_ERROR_FILE); a leaf of other dims or another
 * dtype (TSR_ERROR_TYPE); a number of specs that is not that of the leaves (TSR_ERROR_ARGUMENT); as
 * tsr_put() for specs. */
TSR_API bool tsr_checkpoint_load_at(const char *where, const char *dir, int64_t step, tsr_tree like,
                                    const tsr_checkpoint_load_args *args);
/** The highest step of the complete checkpoints in a folder; -1: there is none, or an error (of
 * TSR_ERROR_FILE, the folder cannot be read). Folders without a sound index are left out.
 * Collective: tsr_checkpoint_latest(ctx, "run"). */
TSR_API int64_t tsr_checkpoint_latest_at(const char *where, tsr_ctx *ctx, const char *dir);
/** Waits until the checkpoint that is being saved with .async is complete. Collective. false: it
 * failed (TSR_ERROR_FILE). True if there is none: tsr_checkpoint_wait(ctx). */
TSR_API bool tsr_checkpoint_wait_at(const char *where, tsr_ctx *ctx);
/** The checkpoints in a folder, a line for each, by step: fputs(tsr_checkpoint_text(ctx, "run"),
 * stdout). Valid until the innermost scope ends. Error (TSR_ERROR_FILE, gives ""): the folder
 * cannot be read. Local. */
TSR_API const char *tsr_checkpoint_text_at(const char *where, tsr_ctx *ctx, const char *dir);
/** Reads a checkpoint, every byte of it, and checks its hashes: tsr_checkpoint_verify(ctx, "run",
 * 100). false: it is not sound; the error says which file is damaged, and where (TSR_ERROR_FILE).
 * Local. */
TSR_API bool tsr_checkpoint_verify_at(const char *where, tsr_ctx *ctx, const char *dir,
                                      int64_t step);

/* ---- the same without place and keywords: as values, and for debuggers */

/** tsr_checkpoint_save_at() as a value. */
TSR_API bool tsr_checkpoint_save(const char *dir, int64_t step, tsr_tree tree);
/** tsr_checkpoint_load_at() as a value. */
TSR_API bool tsr_checkpoint_load(const char *dir, int64_t step, tsr_tree like);
/** tsr_checkpoint_latest_at() as a value. */
TSR_API int64_t tsr_checkpoint_latest(tsr_ctx *ctx, const char *dir);
/** tsr_checkpoint_wait_at() as a value. */
TSR_API bool tsr_checkpoint_wait(tsr_ctx *ctx);
/** tsr_checkpoint_text_at() as a value. */
TSR_API const char *tsr_checkpoint_text(tsr_ctx *ctx, const char *dir);
/** tsr_checkpoint_verify_at() as a value. */
TSR_API bool tsr_checkpoint_verify(tsr_ctx *ctx, const char *dir, int64_t step);
#ifdef __cplusplus
}
#endif

#ifdef TSR_MACROS_
#define tsr_checkpoint_save(dir, step, ...) \
	TSR_CHECKPOINT_SAVE_(#__VA_ARGS__, TSR_PREFIX_, dir, step, __VA_ARGS__, )
#define TSR_CHECKPOINT_SAVE_(text2, v_, dir, step, tree, ...) \
	__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _2), text2, \
		"tsr_checkpoint_save: give the argument tree, without a name") \
		TSR_KW_(tsr_checkpoint_save_args, v_, __VA_ARGS__) \
		tsr_checkpoint_save_at(TSR_HERE, dir, step, tree, &v_); })
#define tsr_checkpoint_load(dir, step, ...) \
	TSR_CHECKPOINT_LOAD_(#__VA_ARGS__, TSR_PREFIX_, dir, step, __VA_ARGS__, )
#define TSR_CHECKPOINT_LOAD_(text2, v_, dir, step, like, ...) \
	__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _2), text2, \
		"tsr_checkpoint_load: give the argument like, without a name") \
		TSR_KW_(tsr_checkpoint_load_args, v_, __VA_ARGS__) \
		tsr_checkpoint_load_at(TSR_HERE, dir, step, like, &v_); })
#define tsr_checkpoint_latest(ctx, ...) TSR_CHECKPOINT_LATEST_(TSR_PREFIX_, ctx, __VA_ARGS__)
#define TSR_CHECKPOINT_LATEST_(v_, ctx, ...) \
	__extension__({ TSR_LET_(v_, _0, ctx) tsr_checkpoint_latest_at(TSR_HERE, \
		TSR_CTX_PICK_(TSR_CAT_(v_, _0)), __VA_ARGS__); })
#define tsr_checkpoint_wait(ctx) TSR_CHECKPOINT_WAIT_(TSR_PREFIX_, ctx)
#define TSR_CHECKPOINT_WAIT_(v_, ctx) \
	__extension__({ TSR_LET_(v_, _0, ctx) tsr_checkpoint_wait_at(TSR_HERE, \
		TSR_CTX_PICK_(TSR_CAT_(v_, _0))); })
#define tsr_checkpoint_text(ctx, ...) TSR_CHECKPOINT_TEXT_(TSR_PREFIX_, ctx, __VA_ARGS__)
#define TSR_CHECKPOINT_TEXT_(v_, ctx, ...) \
	__extension__({ TSR_LET_(v_, _0, ctx) tsr_checkpoint_text_at(TSR_HERE, \
		TSR_CTX_PICK_(TSR_CAT_(v_, _0)), __VA_ARGS__); })
#define tsr_checkpoint_verify(ctx, ...) TSR_CHECKPOINT_VERIFY_(TSR_PREFIX_, ctx, __VA_ARGS__)
#define TSR_CHECKPOINT_VERIFY_(v_, ctx, ...) \
	__extension__({ TSR_LET_(v_, _0, ctx) tsr_checkpoint_verify_at(TSR_HERE, \
		TSR_CTX_PICK_(TSR_CAT_(v_, _0)), __VA_ARGS__); })
#endif

#endif
