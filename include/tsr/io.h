/* tsr/io.h - arrays in files, trees of them in .npz and .safetensors and single ones in .npy; and
 * arrays in the memory of other libraries.
 *
 *     tsr_save(TSR_TREE(mlp, &w), "mlp.safetensors");
 *     tsr_load(TSR_TREE(mlp, &w), "mlp.safetensors", .mesh = mesh, .spec = TSR_FOR_EACH(specs));
 *
 * .npy and .npz are NumPy's; both byte orders, C and Fortran order are read. bfloat16, which NumPy
 * lacks, is written as two raw bytes an element ("|V2") and read from them. .safetensors has no
 * c128.
 *
 * A file that nobody but this user and root may write to is mapped, and each device reads only the
 * bytes of its part; other files are read. A program that shortens a mapped file while it is loaded
 * ends this process (SIGBUS): replace files by others of the same name, as tsr_save() does.
 *
 * Writing makes a new file beside the old one, which takes its name when it is complete: whoever
 * reads sees the old file or the new one, also when the writer is killed. It keeps the permissions
 * of the old one. Links are followed; what is no regular file, such as a FIFO, is written into. */
/* Made by tools/make_headers.py of api/io.h.in: change that one. */
/** @file */
#ifndef TSR_IO_H
#define TSR_IO_H
#include "array.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- trees of arrays, in .npz and .safetensors, by the ending of the path */

/** Names of arrays in a file: TSR_NAMES("fc.weight", "fc.bias"). A list that was made elsewhere is
 * {.count = n, .name = list}. */
typedef struct tsr_names {
	TSR_FIRST_(int64_t count, tsr_write_TSR_NAMES_around_names,
	           "write TSR_NAMES(\"fc.weight\", \"fc.bias\") for names");
	const char *const *name;
} tsr_names;

/** Keywords of tsr_save(). */
typedef struct tsr_save_args {
	TSR_KEYWORDS_
	/** One a leaf, in the order of the tree; NULL for a leaf that is not saved. Not given: the
	 * paths of the leaves, tsr_tree_path(). */
	tsr_names names;
	/** Of these arrays, the last two dims are exchanged in the file: a layer of PyTorch has
	 * its weights as [out, in]. */
	tsr_names turned;
	TSR_KEYWORDS_END_
} tsr_save_args;

/** Keywords of tsr_load(). */
typedef struct tsr_load_args {
	TSR_KEYWORDS_
	/** Where the arrays go. Not given: the mesh in use, or if there is none the first device
	 * of the context that is open on this thread, which must be one alone then. */
	const tsr_mesh *mesh;
	/** One for all leaves, TSR_FOR_ALL(TSR_P("x")), or one a leaf, TSR_FOR_EACH(array); all of
	 * each leaf on every device when not given. */
	tsr_specs spec;
	/** One a leaf, in the order of the tree; NULL for a leaf that is in no file, which becomes
	 * absent. Not given: the paths of the leaves, tsr_tree_path(). */
	tsr_names names;
	/** Of these arrays, the last two dims are exchanged in the file, as in tsr_save(). */
	tsr_names turned;
	TSR_KEYWORDS_END_
} tsr_load_args;

/** Writes the leaves of a tree to a file. Absent leaves are left out: tsr_save(TSR_TREE(mlp, &w),
 * "mlp.npz"). A .safetensors file is what the library of that name writes, with the larger dtypes
 * first; an .npz file is what numpy.savez writes. In both, each array is aligned where the file is
 * mapped. false on failure; then the file is as it was. Errors: an ending that is neither, two
 * leaves of one name, a name that is no text (TSR_ERROR_ARGUMENT); a dtype that the format lacks, a
 * build without the library that the format needs (TSR_ERROR_UNSUPPORTED); the file cannot be
 * written (TSR_ERROR_FILE); what tsr_read() says of leaves. */
TSR_API bool tsr_save_at(const char *where, tsr_tree tree, const char *path,
                         const tsr_save_args *args);
/** Reads the arrays with the names of the leaves into the leaves of `to`. They have the dtypes and
 * dims that the file says, which may hold others too: tsr_load(TSR_TREE(mlp, &w), "mlp.npz"),
 * tsr_load(to, "model.safetensors", .names = TSR_NAMES("fc.weight", "fc.bias"), .turned =
 * TSR_NAMES("fc.weight")). Each process reads for itself. false on failure; `to` is then
 * unchanged. Errors: a file that is missing or malformed, or lacks a name (TSR_ERROR_FILE); dtypes
 * and kinds of compression that are not supported (TSR_ERROR_UNSUPPORTED); an ending that is
 * neither, a number of names or specs that is not that of the leaves (TSR_ERROR_ARGUMENT); as
 * tsr_put() for specs. */
TSR_API bool tsr_load_at(const char *where, tsr_tree to, const char *path,
                         const tsr_load_args *args);

/* ---- single arrays, in .npy: versions 1 to 3 */

/** Reads the array in a .npy file, with its dtype and dims, to the first device: tsr_load_npy(ctx,
 * "x.npy"). Errors: a file that is missing, unreadable, truncated or malformed (TSR_ERROR_FILE), a
 * dtype that is not supported (TSR_ERROR_UNSUPPORTED). Each process reads for itself. */
TSR_OP tsr *tsr_load_npy_at(const char *where, tsr_ctx *ctx, const char *path);
/** Reads an array from the n bytes of a .npy file in memory, which are copied: tsr_read_npy(ctx,
 * bytes, n). Errors as tsr_load_npy(). */
TSR_OP tsr *tsr_read_npy_at(const char *where, tsr_ctx *ctx, const void *bytes, size_t n);
/** Writes all of x, version 1 (2 for a long header), little endian, C order. false on failure: the
 * file cannot be written (TSR_ERROR_FILE), or x cannot be read, as for tsr_read(). tsr_save_npy(x,
 * "x.npy"). */
TSR_API bool tsr_save_npy_at(const char *where, const tsr *x, const char *path);

/** What is in a file of arrays, .npy, .npz or .safetensors: a line for each array, in the order of
 * the file, with its name, its type and its bytes: fputs(tsr_file_text(ctx, "mlp.npz"), stdout).
 * Valid until the innermost scope ends. Errors as tsr_load(), gives "". */
TSR_API const char *tsr_file_text_at(const char *where, tsr_ctx *ctx, const char *path);

/* ---- text */

/** Keywords of tsr_load_text(). */
typedef struct tsr_load_text_args {
	TSR_KEYWORDS_
	const char *delimiter; /**< one character between columns; blanks when not given */
	const char *comments;  /**< what follows this in a line is left out: "#" when not given, "":
	                        * nothing is */
	int64_t skip;          /**< so many lines at the beginning are left out */
	tsr_dims columns;      /**< which ones, negative from the end; all when not given */
	tsr_dtype dtype;       /**< f32 when not given */
	TSR_KEYWORDS_END_
} tsr_load_text_args;

/** Numbers in columns of a text, on the first device, as numpy.loadtxt reads them: [rows, columns];
 * [rows] of one column, [columns] of one row, [] of one number, [0] of none. Empty lines are left
 * out. tsr_load_text(ctx, "data.csv", .delimiter = ",", .skip = 1). Floats are what Python's
 * float() reads, complex numbers 1+2j, whole numbers and bool (0 is false) have no point. Errors: a
 * file that cannot be read, a text that is no number of the dtype, rows of different lengths
 * (TSR_ERROR_FILE, with the number of the line); a delimiter of more than one character, a negative
 * .skip (TSR_ERROR_ARGUMENT). */
TSR_OP tsr *tsr_load_text_at(const char *where, tsr_ctx *ctx, const char *path,
                             const tsr_load_text_args *args);

/* ---- DLPack: arrays from and to other libraries, without a copy
 *
 * These are the records of dlpack.h (https://dmlc.github.io/dlpack), of version 1 and of the time
 * before versions. Whoever has one calls its `deleter` once, from any thread. */

/** struct DLManagedTensorVersioned of dlpack.h. */
typedef struct DLManagedTensorVersioned tsr_dlpack;
/** struct DLManagedTensor of dlpack.h, which says neither its version nor that it is read only. */
typedef struct DLManagedTensor tsr_dlpack_old;

/** x for another library, which shares its memory and must not write there: the record says so
 * (DLPACK_FLAG_BITMASK_READ_ONLY). x is on one device, or whole on each. The memory stays until
 * `deleter` is called, also when tsr_close() comes before. In Python a PyCapsule with the name
 * "dltensor_versioned" holds it. NULL on failure. Errors: x is split (TSR_ERROR_SHARDING:
 * tsr_shard_data() gives each part), memory that the host cannot read (TSR_ERROR_UNSUPPORTED), what
 * tsr_read() says. */
TSR_API tsr_dlpack *tsr_to_dlpack_at(const char *where, const tsr *x);
/** x for a library that knows only the record of DLPack without a version, otherwise as
 * tsr_to_dlpack(): in Python, a PyCapsule "dltensor". NumPy takes such memory as read only; others
 * may write to it, and must not. */
TSR_API tsr_dlpack_old *tsr_to_dlpack_old_at(const char *where, const tsr *x);
/** An array in the memory of another library, on the first device, without a copy. The memory must
 * not change while the array lives; then the record's `deleter` is called, from any thread; on
 * failure, at once. Errors: NULL, dims or strides that are none (TSR_ERROR_ARGUMENT); another
 * version than 1, memory of another device than the host, dtypes that are none of ours
 * (TSR_ERROR_UNSUPPORTED). tsr *x = tsr_from_dlpack(ctx, tensor); */
TSR_OP tsr *tsr_from_dlpack_at(const char *where, tsr_ctx *ctx, tsr_dlpack *from);
/** An array in the memory of another library, from the record of DLPack without a version,
 * otherwise as tsr_from_dlpack(). */
TSR_OP tsr *tsr_from_dlpack_old_at(const char *where, tsr_ctx *ctx, tsr_dlpack_old *from);

/* ---- the same without place and keywords: as values, and for debuggers */

/** tsr_save_at() as a value. */
TSR_API bool tsr_save(tsr_tree tree, const char *path);
/** tsr_load_at() as a value. */
TSR_API bool tsr_load(tsr_tree to, const char *path);
/** tsr_load_npy_at() as a value. */
TSR_OP tsr *tsr_load_npy(tsr_ctx *ctx, const char *path);
/** tsr_read_npy_at() as a value. */
TSR_OP tsr *tsr_read_npy(tsr_ctx *ctx, const void *bytes, size_t n);
/** tsr_save_npy_at() as a value. */
TSR_API bool tsr_save_npy(const tsr *x, const char *path);
/** tsr_file_text_at() as a value. */
TSR_API const char *tsr_file_text(tsr_ctx *ctx, const char *path);
/** tsr_load_text_at() as a value. */
TSR_OP tsr *tsr_load_text(tsr_ctx *ctx, const char *path);
/** tsr_to_dlpack_at() as a value. */
TSR_API tsr_dlpack *tsr_to_dlpack(const tsr *x);
/** tsr_to_dlpack_old_at() as a value. */
TSR_API tsr_dlpack_old *tsr_to_dlpack_old(const tsr *x);
/** tsr_from_dlpack_at() as a value. */
TSR_OP tsr *tsr_from_dlpack(tsr_ctx *ctx, tsr_dlpack *from);
/** tsr_from_dlpack_old_at() as a value. */
TSR_OP tsr *tsr_from_dlpack_old(tsr_ctx *ctx, tsr_dlpack_old *from);
#ifdef __cplusplus
}
#endif

#ifdef TSR_MACROS_
#define tsr_save(tree, ...) TSR_SAVE_(#__VA_ARGS__, TSR_PREFIX_, tree, __VA_ARGS__, )
#define TSR_SAVE_(text1, v_, tree, path, ...) \
	__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_save: give the argument path, without a name") TSR_KW_(tsr_save_args, v_, \
		__VA_ARGS__) tsr_save_at(TSR_HERE, tree, path, &v_); })
#define tsr_load(to, ...) TSR_LOAD_(#__VA_ARGS__, TSR_PREFIX_, to, __VA_ARGS__, )
#define TSR_LOAD_(text1, v_, to, path, ...) \
	__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_load: give the argument path, without a name") TSR_KW_(tsr_load_args, v_, \
		__VA_ARGS__) tsr_load_at(TSR_HERE, to, path, &v_); })
#define tsr_load_npy(ctx, ...) TSR_LOAD_NPY_(TSR_PREFIX_, ctx, __VA_ARGS__)
#define TSR_LOAD_NPY_(v_, ctx, ...) \
	tsr_result_(__extension__({ TSR_LET_(v_, _0, ctx) tsr_load_npy_at(TSR_HERE, \
		TSR_CTX_PICK_(TSR_CAT_(v_, _0)), __VA_ARGS__); }))
#define tsr_read_npy(ctx, ...) TSR_READ_NPY_(TSR_PREFIX_, ctx, __VA_ARGS__)
#define TSR_READ_NPY_(v_, ctx, ...) \
	tsr_result_(__extension__({ TSR_LET_(v_, _0, ctx) tsr_read_npy_at(TSR_HERE, \
		TSR_CTX_PICK_(TSR_CAT_(v_, _0)), __VA_ARGS__); }))
#define tsr_save_npy(x, path) tsr_save_npy_at(TSR_HERE, x, path)
#define tsr_file_text(ctx, ...) TSR_FILE_TEXT_(TSR_PREFIX_, ctx, __VA_ARGS__)
#define TSR_FILE_TEXT_(v_, ctx, ...) \
	__extension__({ TSR_LET_(v_, _0, ctx) tsr_file_text_at(TSR_HERE, \
		TSR_CTX_PICK_(TSR_CAT_(v_, _0)), __VA_ARGS__); })
#define tsr_load_text(ctx, ...) TSR_LOAD_TEXT_(#__VA_ARGS__, TSR_PREFIX_, ctx, __VA_ARGS__, )
#define TSR_LOAD_TEXT_(text1, v_, ctx, path, ...) \
	tsr_result_(__extension__({ TSR_LET_(v_, _0, ctx) TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_load_text: give the argument path, without a name") \
		TSR_KW_(tsr_load_text_args, v_, __VA_ARGS__) tsr_load_text_at(TSR_HERE, \
		TSR_CTX_PICK_(TSR_CAT_(v_, _0)), path, &v_); }))
#define tsr_to_dlpack(x) tsr_to_dlpack_at(TSR_HERE, x)
#define tsr_to_dlpack_old(x) tsr_to_dlpack_old_at(TSR_HERE, x)
#define tsr_from_dlpack(ctx, ...) TSR_FROM_DLPACK_(TSR_PREFIX_, ctx, __VA_ARGS__)
#define TSR_FROM_DLPACK_(v_, ctx, ...) \
	tsr_result_(__extension__({ TSR_LET_(v_, _0, ctx) tsr_from_dlpack_at(TSR_HERE, \
		TSR_CTX_PICK_(TSR_CAT_(v_, _0)), __VA_ARGS__); }))
#define tsr_from_dlpack_old(ctx, ...) TSR_FROM_DLPACK_OLD_(TSR_PREFIX_, ctx, __VA_ARGS__)
#define TSR_FROM_DLPACK_OLD_(v_, ctx, ...) \
	tsr_result_(__extension__({ TSR_LET_(v_, _0, ctx) tsr_from_dlpack_old_at(TSR_HERE, \
		TSR_CTX_PICK_(TSR_CAT_(v_, _0)), __VA_ARGS__); }))
/** Names of arrays in a file: .names = TSR_NAMES("fc.weight", "fc.bias"). */
#define TSR_NAMES(...) \
	{{.count = sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *)}, \
	 (const char *const[]){__VA_ARGS__}}
#endif

#endif
