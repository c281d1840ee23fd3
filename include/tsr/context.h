/* tsr/context.h - contexts, errors, memory, devices, and how long handles live.
 *
 * A context has virtual devices, caches, scopes, and the first error that occurred. It belongs to
 * one thread at a time; several may coexist. Every call that yields a value returns a handle that
 * is never NULL: on failure it is the context's poison, and an operation on poison yields poison,
 * so that a chain of calls needs one check at its end. The first error stays, with the place of the
 * call that caused it, until tsr_clear(); tsr_close() returns its code.
 *
 *     tsr_ctx *ctx = tsr_open(.devices = 8);
 *     ...
 *     return tsr_close(ctx);
 *
 * Functions named _at take the caller's place ("file.c:12", or NULL) first; macros of the plain
 * name pass it. No function of this header is collective across processes. */
/* Made by tools/make_headers.py of api/context.h.in: change that one. */
/** @file */
#ifndef TSR_CONTEXT_H
#define TSR_CONTEXT_H
#include "base.h"
#include "detail/macros.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What the last digits of a sum or product depend on, where what is added is split over devices
 * and partitioning decides who adds it. Neither ever depends on the run, on workers or on the set
 * of instructions. docs/numerics.md, "Across devices". */
typedef enum tsr_reproducible {
	TSR_BY_DEVICES = 0, /**< on how many devices add up a part */
	TSR_BY_MESH = 1 /**< on nothing: equal bits on any mesh, of any number of devices */
} tsr_reproducible;

/** How exact products of f32 are, by JAX's names (docs/numerics.md, "Parts"). The others take less
 * or more products of numbers of 16 bits, which are faster where the processor multiplies these
 * faster. Products of other dtypes are exact; of a product that names one of TSR_BF16_BF16_F32 and
 * below, they are an error (TSR_ERROR_TYPE), but for bf16.
 *
 * TSR_BF16_PAIRS is also of products of bf16 (docs/numerics.md, "Pairs"). It is what a processor's
 * own instruction computes (AVX512-BF16). It is used where it is faster, or with
 * TSR_CPU=avx512_bf16 in the environment; the bits are the same without. Sums are taken in f32: a
 * wider .dtype is an error (TSR_ERROR_TYPE), or exact where tsr_open() was given the precision:
 *
 *     tsr *y = tsr_matmul(x, w, .precision = TSR_BF16_PAIRS);
 */
typedef enum tsr_precision {
	TSR_PRECISION_DEFAULT = 0, /**< what tsr_open() was given, or else TSR_PRECISION_HIGHEST */
	TSR_PRECISION_HIGH = 1,    /**< as TSR_BF16_BF16_F32_X3 */
	TSR_PRECISION_HIGHEST = 2, /**< f32, as docs/numerics.md has it */
	TSR_BF16_BF16_F32 = 3,     /**< both operands rounded to bf16, summed in f32: 8 digits */
	TSR_BF16_BF16_F32_X3 = 4,  /**< as two bf16 each, in three products: 16 digits */
	TSR_BF16_BF16_F32_X6 = 5,  /**< as three bf16 each, in six products: 23 digits */
	TSR_BF16_BF16_F32_X9 = 6,  /**< as three bf16 each, in all nine products */
	TSR_BF16_PAIRS = 7         /**< as TSR_BF16_BF16_F32, summed by pairs, without denormals */
} tsr_precision;

/** Keywords of tsr_open(). */
typedef struct tsr_open_args {
	TSR_KEYWORDS_
	int devices; /**< number of virtual devices; 1 when not given */
	/** Name of the engine: "cpu", which compiles; "interp", the slow interpreter that it is
	 * tested against; or that of a plug-in. Not given: the environment variable TSR_ENGINE, or
	 * "cpu". */
	const char *engine;
	/** Where memory comes from. With old NULL it allocates, with size 0 it frees, otherwise it
	 * resizes. Blocks must be aligned to 64 bytes; NULL means that there is no memory. Not
	 * given: malloc's family. */
	void *(*alloc)(void *user, void *old, size_t size);
	/** Receives messages, level 0: errors, 1: warnings, 2: what .debug asks for. Not given:
	 * what tsr_log_to() was given, or stderr. */
	void (*log)(void *user, int level, const char *text);
	void *user;          /**< handed to both hooks */
	size_t memory_limit; /**< bytes that the context may hold; 0: no limit */
	int64_t fail_at;     /**< n > 0: the n-th request for memory and all after it fail */
	/** Folder of the plug-ins; a relative one counts from where the process is now. Not given:
	 * the environment variable TSR_PLUGIN_DIR, or else the folder of the library. A program
	 * that is linked with libtsr.a looks beside itself, where the library was installed, and
	 * along its run path. A file is loaded only if root or the user owns it and nobody else may
	 * write to it. */
	const char *plugin_dir;
	/** Letters, as in the environment variable TSR_DEBUG, which adds to them. Programs go to
	 * the log: t as traced, d as transformed, i after inline, s simplify, p partition, f as the
	 * engine gets it, o operations outside bodies, j jvp, l split, x transpose, b batch, a
	 * after every pass. Checks: v verifies after every pass, r traces again at each call and
	 * compares. n: no simplify; c: compile everything. docs/debugging.md says more. */
	const char *debug;
	/** Threads that compute side by side, the calling one included; 1: that one alone. Not
	 * given: the number in the environment variable TSR_WORKERS, or else one per core that the
	 * process may use; more than these are not made. No result depends on it. */
	int workers;
	/** Makes it an error (TSR_ERROR_UNSUPPORTED) if machine code cannot be made:
	 * tsr_open(.require_compiled = true) fails where the engine can make none, and a call fails
	 * if its program cannot be compiled, or would call the interpreter's code for a row that
	 * docs/debugging.md does not list. Without it such programs are interpreted, and the log
	 * has a warning. A program that is not worth compiling is interpreted in either case. */
	bool require_compiled;
	/** Receives the code of the failure, or TSR_OK. The status of the dead context may be that
	 * of a later error. */
	int *code;
	/** Bytes that what the context keeps to be faster the next time may take: fns, their
	 * tracings, programs, and executables, whose machine code is estimated. What was not used
	 * for the longest time goes first, and is made again when it is needed. Fns that were not
	 * released, and what a call is using, stay even above the limit. Not given: the number in
	 * the environment variable TSR_CACHE, such as 64M (k, M or G), or else 256 MiB. */
	size_t cache_limit;
	/** Random numbers in the form that JAX had before 0.5, or has with
	 * jax_threefry_partitionable = False: the numbers that older programs printed. Elements of
	 * an array are made in pairs then, so that their values depend on its size. */
	bool threefry_original;
	/** The dtype of floats where nobody names one: TSR_F32, or TSR_F64, as with JAX's
	 * jax_enable_x64. Then C numbers, arrays without a .dtype, random numbers, counts, indices
	 * and sums of integers have 64 bits: f64, i64, u64, c128. Arrays of 32 bits stay what they
	 * are. Not given: the one that the environment variable TSR_DTYPE names (f32, f64), or else
	 * TSR_F32. docs/numerics.md says more. */
	TSR_ADDED_ tsr_dtype dtype;
	/** TSR_BY_MESH: sums, products of matrices and running sums have the bits that they have on
	 * one device, however arrays are split. Devices send each other what is added instead of
	 * parts of the sum, and each makes the whole; in one memory it is made once for all. Bodies
	 * of tsr_shard_map() and tsr_pmap() say themselves what is added in which order. Not given:
	 * TSR_BY_DEVICES. */
	TSR_ADDED_ tsr_reproducible reproducible;
	/** How exact products of f32 are that name no .precision: those of matrices, convolutions,
	 * layers and attention, and their derivatives. Not given: TSR_PRECISION_HIGHEST. */
	TSR_ADDED_ tsr_precision precision;
	/** The way to other processes of the same program: "self": there are none; "mpi": those
	 * that mpirun started together, by the MPI that the program is linked with, or else the one
	 * whose launcher started it; "openmpi", "mpich": by this one. Not given: the environment
	 * variable TSR_COMM, or else "self". Opening is collective then: all processes open a
	 * context, with the same keywords, and make the same calls with it. docs/processes.md says
	 * more. */
	TSR_ADDED_ const char *comm;
	/** How many devices this process has of its own, where processes have different numbers.
	 * Not given: .devices are divided evenly among the processes; and if these are not given
	 * either, each has one. */
	TSR_ADDED_ int64_t devices_here;
	/** Seconds after which a process that is stopped or silent is waited for no longer: an
	 * error (TSR_ERROR_PROCESS) that says which, and in which call it was last. One that is
	 * dead is found within two seconds. Not given: 600. */
	TSR_ADDED_ double wait_limit;
	TSR_KEYWORDS_END_
} tsr_open_args;

/** Opens a context: tsr_open(.devices = 8), tsr_open(). On failure (devices < 1, unknown engine,
 * unknown letter of .debug, a wrong number of workers or bytes, a wrong .dtype or other keyword, no
 * compiler where
 * one is required, no memory) returns a static dead context: every call on it gives poison, and
 * tsr_close() gives the code of the failure, unless another error that belongs to no context
 * followed. The code itself: tsr_open(.devices = 8, .code = &code). */
TSR_OP tsr_ctx *tsr_open_at(const char *where, const tsr_open_args *args);
/** Sets where messages go that belong to no context or to one without a .log: to log, with levels
 * as for .log, or if that is NULL to stderr, as at the start. Holds for the whole process. Any
 * thread may call this, and log may be called on any thread. */
TSR_API void tsr_log_to(void (*log)(void *user, int level, const char *text), void *user);
/** Ends all scopes, frees everything the context owns, and returns the code of its first error
 * (enum tsr_code, 0 for none), which is fit for an exit status. An error that nobody has read is
 * logged. NULL is legal and returns 0. */
TSR_API int tsr_close(tsr_ctx *ctx);

/** The context of a handle, also of a stale one; NULL of NULL. */
TSR_API tsr_ctx *tsr_ctx_of(const tsr *x);
/** The context that a mesh was made in; NULL where the mesh is NULL. */
TSR_API tsr_ctx *tsr_mesh_ctx(const tsr_mesh *mesh);
/** The context that a fn was made in; NULL where the fn is NULL. */
TSR_API tsr_ctx *tsr_fn_ctx(const tsr_fn *fn);
/** The context of a body in the frame form; NULL of NULL. */
TSR_API tsr_ctx *tsr_frame_ctx(const tsr_frame *frame);

/** Code of the first error since the context was opened or cleared: enum tsr_code, 0 for none. The
 * error of a call whose context, mesh, fn or handles are all NULL belongs to the context that is
 * tracing on the thread; if none is, to the context that the thread opened or used last, if there
 * is exactly one of these; otherwise to the dead context. NULL gives TSR_ERROR_ARGUMENT. */
TSR_API int tsr_status(const tsr_ctx *ctx);
/** Text of that error, "file.c:12: text" and notes in lines of their own; "" for none. Valid until
 * the context is cleared or closed. */
TSR_API const char *tsr_message(const tsr_ctx *ctx);
/** Forgets the error, so that the next one counts as the first. Poison stays poison: using it is a
 * new error (TSR_ERROR_HANDLE), whose text contains that of the cleared one. */
TSR_API void tsr_clear(tsr_ctx *ctx);
/** Code of the error that was cleared last; 0: none was. */
TSR_API int tsr_cleared(const tsr_ctx *ctx);
/** Ends the run in progress before its next step, or the next run if there is none: it fails with
 * TSR_ERROR_CANCELLED, and its results are poison; arrays that were donated to it are gone. May be
 * called from any thread, and from signal handlers. Most steps take microseconds to milliseconds;
 * a long one, such as a large product, is done first. NULL is ignored. */
TSR_API void tsr_cancel(tsr_ctx *ctx);
/** Raises an error (TSR_ERROR_USER) with this text and returns poison: in a body, `return
 * tsr_fail(x, "rate < 0");`. */
TSR_API tsr *tsr_fail_at(const char *where, tsr_ctx *ctx, const char *text);
/** The handle in place of a value that could not be made. */
TSR_API tsr *tsr_poison(tsr_ctx *ctx);
/** Whether x is poison, the handle in place of a value that could not be made; also true of
 * NULL. Looking records nothing. */
TSR_API bool tsr_is_poison(const tsr *x);

/** How much memory a context has, and what it is used for, in bytes. */
typedef struct tsr_memory_info {
	size_t size;   /**< of this record */
	size_t in_use; /**< of arrays, programs, caches: all that it needs */
	size_t peak;   /**< the most that was ever in use */
	size_t held;   /**< in use, or kept for requests to come: what .alloc has given and not got
	                * back. At most 64 MiB or twice the peak, and at most .memory_limit */
} tsr_memory_info;
/** Fills a record, whose .size says how much of it the caller knows. NULL as context: zeros. */
TSR_API void tsr_memory_fill(const tsr_ctx *ctx, tsr_memory_info *info);
/** Bytes in use, their peak, and bytes held, buffers and programs included:
 * tsr_memory(ctx).peak. */
TSR_API tsr_memory_info tsr_memory(const tsr_ctx *ctx);

/** What tsr_engine() says about the engine that runs the programs of a context. */
typedef struct tsr_engine_info {
	size_t size;         /**< of this record, as the caller knows it */
	const char *name;    /**< of the engine: "cpu", "interp", or that of a plug-in */
	bool compiles;       /**< it makes machine code of programs that are worth it */
	const char *why_not; /**< the reason where it does not; otherwise NULL */
	const char *plugin;  /**< path of the plug-in that is in use; NULL: none is */
} tsr_engine_info;
/** Fills a record that begins with its own size, and gives true. The texts live until tsr_close().
 * Error (TSR_ERROR_ARGUMENT, gives false): info is NULL, or its size is 0.
 *
 *     tsr_engine_info e = {.size = sizeof e};
 *     if (tsr_engine(ctx, &e) && !e.compiles) printf("interpreted: %s\n", e.why_not);
 */
TSR_API bool tsr_engine(tsr_ctx *ctx, tsr_engine_info *info);

/** One device: its id (its number in the context), the process that owns it, and which memory of
 * that process it uses. */
typedef struct tsr_device_info {
	size_t size; /**< of this record */
	int64_t id;
	int process;
	int memory;
} tsr_device_info;
/** Which of the processes of the context this one is, from 0; 0 where there is one, and of NULL. */
TSR_API int tsr_process(const tsr_ctx *ctx);
/** How many processes the context has: 1 unless it was opened with a .comm, and of NULL. */
TSR_API int tsr_process_count(const tsr_ctx *ctx);
/** How many devices the context has, those of all its processes together. */
TSR_API int64_t tsr_device_count(const tsr_ctx *ctx);
/** Fills a record, whose .size says how much of it the caller knows. */
TSR_API void tsr_device_fill(const tsr_ctx *ctx, int64_t k, tsr_device_info *info);
/** The k-th device, 0 <= k < tsr_device_count(); id -1 for another k. */
TSR_API tsr_device_info tsr_device(const tsr_ctx *ctx, int64_t k);

/** The name of a device by its id, "cpu:0"; "" for another id. Valid until the innermost scope
 * ends. */
TSR_API const char *tsr_device_text(const tsr_ctx *ctx, int64_t id);

/** Opens a scope: it owns the handles made while it is the innermost one, and releases them when it
 * ends. NULL when there is no memory (an error is recorded). In C, `TSR_SCOPE(ctx);` opens one that
 * ends with the block. */
TSR_API tsr_scope *tsr_scope_open(tsr_ctx *ctx);
/** Ends the scope and those opened inside it. Does nothing if scope is NULL or has ended. */
TSR_API void tsr_scope_close(tsr_scope *scope);
/** What TSR_SCOPE() calls: a scope that its block ends, also when the context was closed before. */
TSR_API tsr_scope *tsr_scope_open_(tsr_ctx *ctx);
/** Ends the scope and those opened inside it, and sets *scope to NULL. NULL, or ended already:
 * nothing happens. */
TSR_API void tsr_scope_close_(tsr_scope **scope);
/** Moves a handle from the innermost scope, if that owns it, to the one around it, and returns it:
 * `return tsr_keep(y);` out of a block with a TSR_SCOPE. Any other handle is returned as it is. */
TSR_API tsr *tsr_keep(tsr *x);
/** Makes *slot own a value: releases what it held, then holds its own handle to the same value,
 * which no scope ends. *slot must be NULL or set by this call before. False, with an error, if the
 * value is NULL, stale or poison, or there is no memory: the slot then keeps what it held, and an
 * empty one gets poison. */
TSR_API bool tsr_set_at(const char *where, tsr **slot, tsr *value);
/** Releases what a slot holds, whether tsr_set() put it there or a scope owns it, and sets the slot
 * to NULL: the handle has ended, and so have copies of it. A slot that holds NULL is left alone. */
TSR_API void tsr_drop(tsr **slot);
/** tsr_set() for each leaf; an absent (NULL) value drops its slot. False, and slots keep what they
 * held, where one of the values cannot be set, or the numbers of leaves differ
 * (TSR_ERROR_ARGUMENT). */
TSR_API bool tsr_set_tree_at(const char *where, tsr_tree slots, tsr_tree values);
/** tsr_drop() of each leaf of a tree of slots, which are NULL afterwards. */
TSR_API void tsr_drop_tree(tsr_tree slots);

/* ---- the same without place and keywords: as values, and for debuggers */

/** tsr_open_at() as a value. */
TSR_OP tsr_ctx *tsr_open(void);
/** tsr_fail_at() as a value. */
TSR_API tsr *tsr_fail(tsr_ctx *ctx, const char *text);
/** tsr_set_at() as a value. */
TSR_API bool tsr_set(tsr **slot, tsr *value);
/** tsr_set_tree_at() as a value. */
TSR_API bool tsr_set_tree(tsr_tree slots, tsr_tree values);
#ifdef __cplusplus
}
#endif

#ifdef TSR_MACROS_
#define tsr_open(...) TSR_OPEN_(TSR_PREFIX_, __VA_ARGS__)
#define TSR_OPEN_(v_, ...) \
	__extension__({ TSR_KW_(tsr_open_args, v_, __VA_ARGS__) tsr_open_at(TSR_HERE, &v_); })
#define tsr_fail(ctx, ...) TSR_FAIL_(TSR_PREFIX_, ctx, __VA_ARGS__)
#define TSR_FAIL_(v_, ctx, ...) \
	__extension__({ TSR_LET_(v_, _0, ctx) tsr_fail_at(TSR_HERE, TSR_CTX_PICK_(TSR_CAT_(v_, \
		_0)), __VA_ARGS__); })
#define tsr_set(slot, value) tsr_set_at(TSR_HERE, slot, value)
#define tsr_set_tree(slots, values) tsr_set_tree_at(TSR_HERE, slots, values)
/** Means an argument that is left out: no carry of a loop, no bound of a clamp. */
#define TSR_NONE ((tsr_arg){.kind = TSR_KIND_NONE})
/** A scope as a declaration: it ends with its block, however that is left (end, break, return,
 * goto). c: a context or anything that has one. Under a case it needs a block of its own, `case 1:
 * { TSR_SCOPE(ctx); ... }`; otherwise the jump to a later case is a compile error. */
#define TSR_SCOPE(c) TSR_SCOPE_(TSR_PREFIX_, c)
#define TSR_SCOPE_(v, c) \
	TSR_NO_JUMP_(TSR_CAT_(v, _)) \
	tsr_scope *v __attribute__((cleanup(tsr_scope_close_), unused)) = \
		tsr_scope_open_(TSR_CTX(c))
#endif

#endif
