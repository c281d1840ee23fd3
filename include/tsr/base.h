/* tsr/base.h - the plain types that every other header uses: dtypes, dims, specs, trees, arguments,
 * error codes.
 *
 * Everything here is a value; nothing allocates. Lists that know their length hold 1 + the number
 * of entries in their first place, so that an all-zero list means "not given". */
/** @file */
#ifndef TSR_BASE_H
#define TSR_BASE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined __GNUC__
#define TSR_API __attribute__((visibility("default")))
#define TSR_OP __attribute__((visibility("default"), warn_unused_result))
#else
#define TSR_API
#define TSR_OP
#endif

/* The first member of a record that users give as a keyword: .dims = 1 would put the number there
 * without a word, and .dims = 0 would be "not given". So in C a place that takes no number comes
 * first, in a union with that member and as large. clang says `says`; gcc names the type, and where
 * the number is 0, detail/keywords.h speaks. */
#if defined __cplusplus || !defined __GNUC__
#define TSR_FIRST_(member, T, says) member
#elif defined __clang__
#define TSR_FIRST_(member, T, says) \
	union { T T##_[sizeof(struct { member; })] __attribute__((unavailable(says))); member; }
typedef bool tsr_write_TSR_DIMS_1_for_one_dim, tsr_write_TSR_P_around_axes,
	tsr_write_TSR_FOR_ALL_or_TSR_FOR_EACH, tsr_write_TSR_NAMES_around_names,
	tsr_write_TSR_TREE_or_TSR_LEAVES,
	tsr_write_TSR_ARG_around_it, tsr_write_dot_member_dot_count_dot_size,
	tsr_write_TSR_MAPPED_around_the_dims;
#else
#define TSR_FIRST_(member, T, says) union { \
	const struct T *T##_[sizeof(struct { member; }) / sizeof(void *)]; member; }
#endif

/** Major number of these headers' release; a change breaks programs. */
#define TSR_VERSION_MAJOR 0
/** Minor number: new functions; while the major number is 0 a change of the binary interface. */
#define TSR_VERSION_MINOR 2
/** Patch number: repairs. */
#define TSR_VERSION_PATCH 0

/** Most dims that the macros and records of these headers can hold; arrays inside a program may
 * have more. */
#define TSR_MAX_NDIM 8
/** The most arguments of one call, trees counted as one; results too. */
#define TSR_MAX_ARGS 8
/** The stop of a slice that runs to the end of its dim. */
#define TSR_END INT64_MAX
/** The stop of a slice that runs down to the first element of its dim. */
#define TSR_BEGIN INT64_MIN
/** In the place of a dim: all dims as one, row-major. */
#define TSR_FLAT INT32_MIN

/** A handle: an array, or inside a traced body the value an array will have. Never NULL; see
 * tsr/context.h for its life. */
typedef struct tsr tsr;
/** A context: devices, scopes, caches and the first error. Belongs to one thread at a time. */
typedef struct tsr_ctx tsr_ctx;
/** Named axes over a grid of devices; interned, lives until tsr_close(). */
typedef struct tsr_mesh tsr_mesh;
/** A mesh and a spec, or one device: where the shards of an array are; interned, lives until
 * tsr_close(). */
typedef struct tsr_sharding tsr_sharding;
/** A C body with its transformations and options; interned, lives until tsr_close(). */
typedef struct tsr_fn tsr_fn;
/** What a body in the frame form receives. */
typedef struct tsr_frame tsr_frame;
/** A scope owns the handles made while it is the innermost one. */
typedef struct tsr_scope tsr_scope;

/** The dtype of an array: the type of its elements. Names as in NumPy; bf16 is the upper half of an
 * f32; c64 and c128 are pairs of f32 and f64. */
typedef enum tsr_dtype {
	TSR_DTYPE_DEFAULT = 0, /**< "not given": f32, i32 or what the operation says */
	TSR_BOOL,
	TSR_I8, TSR_I16, TSR_I32, TSR_I64,
	TSR_U8, TSR_U16, TSR_U32, TSR_U64,
	TSR_F16, TSR_BF16, TSR_F32, TSR_F64,
	TSR_C64, TSR_C128,
	TSR_DTYPE_COUNT_ /* not a dtype: their number + 1 */
} tsr_dtype;

/** Codes of the first error of a context; also fit for an exit status. */
typedef enum tsr_code {
	TSR_OK = 0,
	TSR_ERROR_ARGUMENT = 1,    /**< an argument is out of its range or of the wrong kind */
	TSR_ERROR_TYPE = 2,        /**< shapes or dtypes that do not fit the operation */
	TSR_ERROR_SHARDING = 3,    /**< mesh, spec, axis or varying-axes rules broken */
	TSR_ERROR_HANDLE = 4,      /**< NULL, stale or foreign handle */
	TSR_ERROR_MEMORY = 5,      /**< the allocator refused, or .memory_limit was reached */
	TSR_ERROR_FILE = 6,        /**< a file is missing, unreadable or malformed */
	TSR_ERROR_TEXT = 7,        /**< program text that does not parse or verify */
	TSR_ERROR_UNSUPPORTED = 8, /**< legal, and not built in or not available here */
	TSR_ERROR_USER = 9,        /**< raised by tsr_fail() */
	TSR_ERROR_PLUGIN = 10,     /**< a plug-in could not be opened */
	TSR_ERROR_CANCELLED = 11,  /**< tsr_cancel() ended the run */
	TSR_ERROR_THREAD = 12,     /**< two threads are inside of one context at once */
	TSR_ERROR_PROCESS = 13     /**< another process died, stopped, or does something else */
} tsr_code;

/** Sizes, dim numbers or strides: d[0] = 1 + their number, then they. Write TSR_DIMS(2, 3), and for
 * one TSR_DIMS(2): a number in place of a list does not compile. */
typedef struct tsr_dims {
	TSR_FIRST_(int64_t d[1 + TSR_MAX_NDIM], tsr_write_TSR_DIMS_1_for_one_dim,
	           "write TSR_DIMS(1) for one dim, TSR_DIMS(0, 1) for several");
} tsr_dims;

/** One axis of a mesh: its name and its size (> 0). */
typedef struct tsr_axis { const char *name; int64_t size; } tsr_axis;

/** Which axes each dim is split over. n1 = 1 + number of entries; d[0] is unused; an entry is "x",
 * "x*y" (both, x major) or NULL or "-" (not split). Write TSR_P("x", NULL). */
typedef struct tsr_spec {
	TSR_FIRST_(int64_t n1, tsr_write_TSR_P_around_axes, "write TSR_P(\"x\", NULL) for a spec");
	const char *d[1 + TSR_MAX_NDIM];
} tsr_spec;

/** The specs of one argument: one for all its leaves (count 1), or one a leaf. */
typedef struct tsr_specs {
	TSR_FIRST_(int64_t count, tsr_write_TSR_FOR_ALL_or_TSR_FOR_EACH,
	           "write TSR_FOR_ALL(spec) or TSR_FOR_EACH(specs) for an argument");
	const tsr_spec *leaf;
} tsr_specs;

/** A kind of tree: the text of its fields, and its number of leaves. Compared by text and count,
 * never by address. unit may be NULL: messages then number the leaves of trees inside this one. */
typedef struct tsr_tree_type {
	const char *fields; size_t count; const char *name; const struct tsr_tree_unit *unit;
} tsr_tree_type;

/** The C file that has a tree type, where the types of its fields are found by their names;
 * first to end lists the tree types of all files of the program or library. */
typedef struct tsr_tree_unit { const tsr_tree_type *const *first, *const *end; } tsr_tree_unit;

/** A tree of handles: its leaves in order. A NULL leaf is absent. type may be NULL: an unnamed list
 * of leaves. */
typedef struct tsr_tree {
	TSR_FIRST_(tsr **leaf, tsr_write_TSR_TREE_or_TSR_LEAVES,
	           "write TSR_TREE(T, &tree) or TSR_LEAVES(array, n)");
	size_t count;
	const tsr_tree_type *type;
} tsr_tree;

/** What a tsr_arg holds: a handle, a tree, or a C number and of which type. */
enum tsr_kind {
	TSR_KIND_NONE, /**< left out: no bound of a clamp, no carry of a scan, no keyword */
	TSR_KIND_ONE, TSR_KIND_TREE,
	TSR_KIND_BOOL, TSR_KIND_INT, TSR_KIND_UINT, TSR_KIND_FLOAT, TSR_KIND_COMPLEX
};

/** One argument of a call or operand of an operation: a handle, a tree, or a C number. C numbers
 * are weak: they take the dtype family of the other operand where they can. */
typedef struct tsr_arg {
	TSR_FIRST_(int64_t kind, tsr_write_TSR_ARG_around_it,
	           "write TSR_ARG(2.5) for a number, TSR_ARG(x) for a handle"); /* enum tsr_kind */
	union { tsr *one; tsr_tree tree; int64_t i; uint64_t u; double f[2]; } as;
} tsr_arg;

/** Kinds of places that results of a call go to. */
enum tsr_place {
	TSR_PLACE_SCOPE, /**< slots that receive handles of the innermost scope */
	TSR_PLACE_OWN,   /**< owned slots: each result replaces what was there, as tsr_set() does */
	TSR_PLACE_MEMORY, /**< the caller's memory */
	TSR_PLACE_NONE    /**< the result is not wanted */
};

/** Where results of a call go. own: enum tsr_place, which says whether `to` or `memory` has the
 * place. */
typedef struct tsr_out {
	int64_t own;
	union { tsr_tree to; const struct tsr_into_args *memory; };
} tsr_out;

/** The address of the C function of a body, whatever its form. */
typedef void (*tsr_raw)(void);

/** Forms of a body; the numbers are part of the ABI. */
enum tsr_form {
	TSR_FORM_CTX = 0,                       /* tsr *f(tsr_ctx *) */
	TSR_FORM_1 = 1, TSR_FORM_2, TSR_FORM_3, TSR_FORM_4, /* tsr *f(tsr *, ...) */
	/* tsr *f(tsr_tree, tsr *...) */
	TSR_FORM_TREE_0 = 10, TSR_FORM_TREE_1, TSR_FORM_TREE_2, TSR_FORM_TREE_3,
	TSR_FORM_FRAME = 20                     /* void f(tsr_frame *) */
};

/** A C body (form and address), or a fn when fn is not NULL. */
typedef struct tsr_body { int64_t form; tsr_raw raw; tsr_fn *fn; } tsr_body;

/** Member lists for collectives: count groups of size members each, indices within the (flattened)
 * named axis. Where groups of several sizes are legal (psum, pmax, pmin), sizes lists them and size
 * is 0. */
typedef struct tsr_groups {
	TSR_FIRST_(const int *member, tsr_write_dot_member_dot_count_dot_size,
	           "write {.member = list, .count = 2, .size = 4} for groups");
	size_t count, size;
	const size_t *sizes;
} tsr_groups;

/** A permutation over an axis: pairs {source, destination}, or with no pairs a cyclic shift by
 * `shift`. */
typedef struct tsr_perm { int64_t shift; size_t count; const int (*pairs)[2]; } tsr_perm;

/** "f32", "bool", ...; "?" for what is no dtype. */
TSR_API const char *tsr_dtype_name(tsr_dtype dtype);
/** Bytes of one element; 0 for what is no dtype. */
TSR_API size_t tsr_dtype_size(tsr_dtype dtype);
/** The common dtype of two operands, by JAX's promotion table: bool < u8.. i8.. < bf16, f16 < f32 <
 * f64 < c64 < c128. 64-bit dtypes are never truncated; u64 with a signed integer gives f64, as the
 * table has it. */
TSR_API tsr_dtype tsr_promote(tsr_dtype a, tsr_dtype b);
/** The version of the library that runs, as "0.2.0"; that of the headers is TSR_VERSION_MAJOR and
 * its kin. */
TSR_API const char *tsr_version(void);

#ifdef __cplusplus
}
#endif
#endif
