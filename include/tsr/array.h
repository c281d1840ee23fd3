/* tsr/array.h - arrays: making them, asking about them, reading them, and where their shards are.
 *
 * An array is immutable. An array made of data, numbers or a file is on the first device,
 * uncommitted; tsr_put() commits an array to devices. What is computed of arrays on several devices
 * is computed there, by each device on its blocks, and is put where its operands say. Dims are a
 * tsr_dims, TSR_DIMS(2, 3); TSR_DIMS() is a scalar. Without a dtype, makers give f32, or what their
 * comment says; in all headers f64, i64, u64 and c128 are in the places of f32, i32, u32 and c64
 * where the context was opened with .dtype = TSR_F64.
 *
 *     tsr *x = tsr_from(ctx, (float[]){1, 2, 3, 4}, TSR_F32, TSR_DIMS(2, 2));
 *     double first = tsr_item(tsr_index(tsr_ravel(x), 0, 0));
 *
 * Errors of all makers: dims that are not given or negative, sizes that overflow, a value that is
 * no dtype (TSR_ERROR_ARGUMENT); no memory (TSR_ERROR_MEMORY). Errors of all readers: the value of
 * a traced handle is not known while its body is traced (TSR_ERROR_HANDLE); data in another process
 * (TSR_ERROR_UNSUPPORTED, and the text says how to gather it). Reading poison gives NaN, 0, NULL or
 * false and logs the error once. Queries also work on traced handles; of poison they give 0 or
 * NULL. Only tsr_put() and its kin are collective across processes. */
/* Made by tools/make_headers.py of api/array.h.in: change that one. */
/** @file */
#ifndef TSR_ARRAY_H
#define TSR_ARRAY_H
#include "mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- making arrays */

/** Keywords of tsr_eye(). */
typedef struct tsr_eye_args {
	TSR_KEYWORDS_
	int64_t columns; /**< how many; as many as rows when not given */
	int k;           /**< the ones are the elements (i, i + k) */
	tsr_dtype dtype; /**< f32 when not given */
	TSR_KEYWORDS_END_
} tsr_eye_args;

/** Keyword of makers: the dtype. */
typedef struct tsr_new_args {
	TSR_KEYWORDS_
	tsr_dtype dtype;
	TSR_KEYWORDS_END_
} tsr_new_args;

/** Keywords of tsr_arange(). */
typedef struct tsr_arange_args {
	TSR_KEYWORDS_
	tsr_dtype dtype; /**< when not given i32, or i64 where the numbers need it; f32 if start or
	                  * step is not a whole number */
	double start;    /**< the first element */
	double step;     /**< 1 when not given */
	TSR_KEYWORDS_END_
} tsr_arange_args;

/** Keywords of tsr_wrap(). */
typedef struct tsr_wrap_args {
	TSR_KEYWORDS_
	/** Bytes from one index to the next, one a dim, may be negative or 0; row-major when not
	 * given. */
	tsr_dims strides;
	/** Called once when the last use has ended, from any thread. */
	void (*release)(void *user, void *data);
	void *user; /**< handed to release */
	/** The memory may be written, once the array was donated (.donate of tsr_jit()). */
	bool writable;
	TSR_KEYWORDS_END_
} tsr_wrap_args;

/** A copy of contiguous, row-major data: tsr_from(ctx, numbers, TSR_F32, TSR_DIMS(8, 16)). Error
 * (TSR_ERROR_ARGUMENT): data is NULL and the array has elements. Here and wherever memory is given,
 * C numbers of another type than the dtype do not compile, or where the dtype is no constant are an
 * error (TSR_ERROR_TYPE). void and char are bytes of any dtype, float and double also parts of
 * complex numbers, uint16_t also f16 and bf16, and uint8_t also bool. */
TSR_OP tsr *tsr_from_at(const char *where, tsr_ctx *ctx, tsr_dtype element, const void *data,
                        tsr_dtype dtype, tsr_dims dims);
/** The caller's memory as an array, without a copy: tsr_wrap(ctx, data, TSR_F32, TSR_DIMS(n),
 * .release = done). The memory must stay valid and unchanged until release is called; if tsr_wrap()
 * fails, that is at once. data: the address of element 0, 0, ...; computing is fastest where that
 * is a multiple of 64 (aligned_alloc(64, ...)). With .writable a call that the array is donated to
 * may make a result of the same size there; then the memory holds that result, and stays in use
 * until it goes too. Errors: as tsr_from(), and a number of strides that is not the number of
 * dims. */
TSR_OP tsr *tsr_wrap_at(const char *where, tsr_ctx *ctx, tsr_dtype element, const void *data,
                        tsr_dtype dtype, tsr_dims dims, const tsr_wrap_args *args);
/** An array with all elements 0 (false), f32 when no dtype is given: tsr_zeros(ctx, TSR_DIMS(2, 3),
 * .dtype = TSR_I32). */
TSR_OP tsr *tsr_zeros_at(const char *where, tsr_ctx *ctx, tsr_dims dims, const tsr_new_args *args);
/** An array with all elements 1 (true), f32 when no dtype is given: tsr_ones(ctx, TSR_DIMS(2, 3),
 * .dtype = TSR_BOOL). */
TSR_OP tsr *tsr_ones_at(const char *where, tsr_ctx *ctx, tsr_dims dims, const tsr_new_args *args);
/** An array with all elements one number: tsr_full(ctx, TSR_DIMS(4), 2.5). dtype when not given:
 * bool, i32, f32 or c64, by the kind of number. */
TSR_OP tsr *tsr_full_at(const char *where, tsr_ctx *ctx, tsr_dims dims, tsr_arg number,
                        const tsr_new_args *args);
/** A number as an array without dims: tsr_scalar(ctx, 0.5). dtype as for tsr_full(). */
TSR_OP tsr *tsr_scalar_at(const char *where, tsr_ctx *ctx, tsr_arg number,
                          const tsr_new_args *args);
/** start + step * i for i = 0 .. n - 1, in double, then converted: [n]; tsr_arange(ctx, 10, .dtype
 * = TSR_F32). */
TSR_OP tsr *tsr_arange_at(const char *where, tsr_ctx *ctx, int64_t n, const tsr_arange_args *args);
/** The n x n identity matrix, [n, n], or [n, .columns]; f32 when no dtype is given: tsr_eye(ctx,
 * 3). */
TSR_OP tsr *tsr_eye_at(const char *where, tsr_ctx *ctx, int64_t n, const tsr_eye_args *args);
/** Zeros of the dims and dtype of x, and where x was put, each device with its own part:
 * tsr_zeros_like(w) for the state of an optimiser. In a traced body they are where x is, if what is
 * computed from them does not decide otherwise, and vary over the same axes as x. */
TSR_OP tsr *tsr_zeros_like_at(const char *where, tsr *x);
/** Ones of the dims and dtype of x, and where x was put, each device with its own part; in a traced
 * body placed as tsr_zeros_like() places zeros. */
TSR_OP tsr *tsr_ones_like_at(const char *where, tsr *x);

/* ---- asking */

/** The dtype of the elements of x; TSR_DTYPE_DEFAULT where x is poison. */
TSR_API tsr_dtype tsr_dtype_of(const tsr *x);
/** Whether x is weak: made of C numbers alone, as tsr_where(mask, 1.0, 0.0) is. In an operation it
 * then takes the dtype of the other operand. tsr_astype(x, tsr_dtype_of(x)) is never weak. False
 * for poison. */
TSR_API bool tsr_is_weak(const tsr *x);
/** How many dims x has: 0 for a scalar, and for poison. */
TSR_API int tsr_ndim(const tsr *x);
/** Size of dim d, negative d from the end: tsr_dim(x, -1). Error (TSR_ERROR_ARGUMENT, gives 0): d
 * out of range. */
TSR_API int64_t tsr_dim_at(const char *where, const tsr *x, int d);
/** The sizes of all dims of x, as a list: tsr_zeros(ctx, tsr_shape(x)). Error
 * (TSR_ERROR_UNSUPPORTED, gives "not given"): more than 8 dims. */
TSR_API tsr_dims tsr_shape_at(const char *where, const tsr *x);
/** Number of elements of the whole array x, wherever its parts are. */
TSR_API int64_t tsr_size(const tsr *x);
/** Bytes that all elements of x take, each counted once, on however many devices it is. */
TSR_API int64_t tsr_nbytes(const tsr *x);
/** In a traced body: may x differ between the devices along this axis ("x", or "x*y": along any of
 * them)? Error (TSR_ERROR_SHARDING, gives false): the axis is not bound here. */
TSR_API bool tsr_varying_at(const char *where, const tsr *x, const char *axis);

/* ---- reading */

/** Keywords of tsr_read_into(). */
typedef struct tsr_read_args {
	TSR_KEYWORDS_
	tsr_dims strides; /**< bytes, one a dim, may be negative; row-major when not given */
	tsr_dtype dtype;  /**< converted to this, as tsr_astype() does; that of x when not given */
	TSR_KEYWORDS_END_
} tsr_read_args;

/** Keywords of tsr_print() and tsr_text(): NumPy's print options, and who prints. */
typedef struct tsr_print_args {
	TSR_KEYWORDS_
	int precision;     /**< most digits behind the point, -1: none. 8 when not given, and a
	                    * scalar has all its digits then */
	int linewidth;     /**< rows are broken at this column; 75 when not given */
	int64_t threshold; /**< above so many elements the middle of long dims is left out; 1000
	                    * when not given */
	/** Every process that makes the call prints, if it has all of x; where there are several,
	 * each line begins with "[rank] ". Not of tsr_text() */
	TSR_ADDED_ bool all;
	TSR_KEYWORDS_END_
} tsr_print_args;

/** The one element of x as a double (real part; bool: 0 or 1; 64-bit integers may round). Error
 * (TSR_ERROR_TYPE, gives NaN): x has not exactly one element. */
TSR_API double tsr_item_at(const char *where, const tsr *x);
/** The one element of x as an integer, converted as tsr_astype() to i64 does. Errors as tsr_item(),
 * but gives 0; tsr_status() tells that from an element that is 0. */
TSR_API int64_t tsr_item_int_at(const char *where, const tsr *x);
/** Copies all elements, row-major, to out: float y[6]; tsr_read(x, y, sizeof y). Error
 * (TSR_ERROR_ARGUMENT): bytes is not tsr_nbytes(x). false on failure. */
TSR_API bool tsr_read_at(const char *where, const tsr *x, tsr_dtype element, void *out,
                         size_t bytes);
/** Copies all elements into memory with strides, or as another dtype: tsr_read_into(x, y, .dtype =
 * TSR_F64). out: where element 0, 0, ... goes. Error (TSR_ERROR_ARGUMENT): a number of strides that
 * is not the number of dims. false on failure. */
TSR_API bool tsr_read_into_at(const char *where, const tsr *x, tsr_dtype element, void *out,
                              const tsr_read_args *args);
/** |a - b| <= atol + rtol * |b| for all elements, in double, after NumPy's broadcasting; NaN is
 * close to nothing, an infinity to itself. Error (TSR_ERROR_TYPE): dims that do not fit. */
TSR_API bool tsr_allclose_at(const char *where, const tsr *a, const tsr *b, double rtol,
                             double atol);
/** The same dims and equal values, after promotion; NaN equals nothing. */
TSR_API bool tsr_array_equal_at(const char *where, const tsr *a, const tsr *b);
/** Waits until x is computed. false: x is, or has become, poison. */
TSR_API bool tsr_wait_at(const char *where, const tsr *x);
/** Prints x to stdout as NumPy's str does, then a newline: tsr_print(x), tsr_print(x, .precision =
 * 3). Where several processes make this call, the one with the lowest device of x prints; it is an
 * error in all of them (TSR_ERROR_UNSUPPORTED) if that lacks a part: print tsr_gather_whole(x).
 * tsr_print(x, .all = true) prints in each of them. */
TSR_API void tsr_print_at(const char *where, const tsr *x, const tsr_print_args *args);
/** printf() in the first process of the context, and nothing in the others: what a program that
 * may run in several processes says once, tsr_printf(ctx, "step %d\n", k). */
TSR_API void tsr_printf(const tsr_ctx *ctx, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/** The text that tsr_print() prints, without the newline; a traced handle gives its type,
 * "f32[2,8]{x}", poison gives the error. Valid until the innermost scope ends. For logs and
 * debuggers: never NULL, and records nothing. */
TSR_API const char *tsr_text_at(const char *where, const tsr *x, const tsr_print_args *args);
/** Dtype and dims, "f32[2,3]", and of a traced handle over which axes it varies, "f32[2,8]{x}".
 * Otherwise as tsr_text(). */
TSR_API const char *tsr_type_text(const tsr *x);

/* ---- placing, and where the shards are. Every process makes the same call. */

/** Keyword of tsr_put_tree() and tsr_constrain_tree(). */
typedef struct tsr_put_args {
	TSR_KEYWORDS_
	/** One for all leaves, TSR_FOR_ALL(TSR_P("x")), or one a leaf, TSR_FOR_EACH(array); all of
	 * each leaf on every device when not given. */
	tsr_specs spec;
	/** Where all leaves go, in place of a mesh, which is NULL then, and of .spec. */
	TSR_ADDED_ const tsr_sharding *sharding;
	TSR_KEYWORDS_END_
} tsr_put_args;

/** x on a mesh, split as the spec says; dims need not divide: tsr_put(x, mesh, TSR_P("x", NULL)).
 * A mesh that is NULL is the one in use (TSR_MESH()), here and below; if there is none, that is an
 * error (TSR_ERROR_ARGUMENT). In a traced body it is tsr_constrain(). Errors (TSR_ERROR_SHARDING):
 * as tsr_sharding_make(), or a spec longer than x has dims; in a body those of tsr_constrain()
 * too. */
TSR_OP tsr *tsr_put_at(const char *where, tsr *x, const tsr_mesh *mesh, tsr_spec spec);
/** tsr_put() of each leaf of a tree, into the leaves of `to`, which may be the same tree; absent
 * leaves stay absent: tsr_put_tree(TSR_TREE(mlp, &w), TSR_TREE(mlp, &w), mesh, .spec =
 * TSR_FOR_EACH(specs)), or with one sharding for all, tsr_put_tree(to, x, NULL, .sharding = s).
 * Errors: as tsr_put(); trees with different numbers of leaves; a number of
 * specs that is neither one nor that of the leaves, .sharding beside a mesh or .spec
 * (TSR_ERROR_ARGUMENT). false on failure; `to` is
 * then unchanged. */
TSR_API bool tsr_put_tree_at(const char *where, tsr_tree to, tsr_tree x, const tsr_mesh *mesh,
                             const tsr_put_args *args);
/** x whole on one device, by id: tsr_put_device(x, 3). Errors (TSR_ERROR_SHARDING): an id that no
 * device has; in a traced body always, for its program runs where its arguments are. */
TSR_OP tsr *tsr_put_device_at(const char *where, tsr *x, int64_t device);
/** All of x in this process, on its first device, not committed to it: what tsr_read(), tsr_print()
 * and files need where x is spread over devices of several processes. Collective: every process
 * with a device of x makes this call, and each gets the whole. Elsewhere it moves x to the first
 * device. tsr_print(tsr_gather_whole(x)). Errors: in a traced body (TSR_ERROR_SHARDING), where
 * tsr_all_gather() and tsr_constrain() are meant; those of tsr_put(). */
TSR_OP tsr *tsr_gather_whole_at(const char *where, tsr *x);
/** x where a sharding says: tsr_put_sharding(x, tsr_sharding_of(y)). Errors as tsr_put(), or
 * tsr_put_device() for a sharding of one device. */
TSR_OP tsr *tsr_put_sharding_at(const char *where, tsr *x, const tsr_sharding *sharding);
/** x itself, brought to where a spec says, as JAX's with_sharding_constraint: y = tsr_constrain(y,
 * mesh, TSR_P("x", NULL)). In a traced body the program has the value there, whatever would be
 * decided without it, and its tangents and cotangents too. In tsr_vmap() the dim of the batch is
 * cut along the axes of .spmd_axis, or as its operands are. Outside of bodies it moves x, but not
 * away from the devices that x is committed to. Dims need not divide. Errors
 * (TSR_ERROR_SHARDING): as tsr_sharding_make(), a spec longer than x has dims, a mesh of other
 * devices than x is committed to, or the program runs on, and in tsr_shard_map() an axis that is
 * manual there. */
TSR_OP tsr *tsr_constrain_at(const char *where, tsr *x, const tsr_mesh *mesh, tsr_spec spec);
/** tsr_constrain() of each leaf of a tree, into the leaves of `to`, as tsr_put_tree():
 * tsr_constrain_tree(TSR_TREE(mlp, &g), TSR_TREE(mlp, &g), mesh, .spec = TSR_FOR_EACH(specs)). */
TSR_API bool tsr_constrain_tree_at(const char *where, tsr_tree to, tsr_tree x, const tsr_mesh *mesh,
                                   const tsr_put_args *args);
/** tsr_constrain() with a sharding over a mesh, in place of a mesh and a spec:
 * tsr_constrain_sharding(dw, tsr_sharding_of(w)). One device is an error (TSR_ERROR_SHARDING). */
TSR_OP tsr *tsr_constrain_sharding_at(const char *where, tsr *x, const tsr_sharding *sharding);
/** x itself, placed as like is, which has the same dims: y = tsr_shard_alike(y, x), as JAX's
 * shard_alike. In a traced body the program has both alike, also where only x is placed by
 * something else, and their tangents and cotangents too; where both are, like decides. Outside of
 * bodies it moves x, but not away from the devices that x is committed to. Error (TSR_ERROR_TYPE):
 * other dims. */
TSR_OP tsr *tsr_shard_alike_at(const char *where, tsr *x, tsr *like);
/** Where x is. NULL of poison and of a traced handle. */
TSR_API const tsr_sharding *tsr_sharding_of(const tsr *x);
/** Number of shards: one for each device of its sharding. */
TSR_API int64_t tsr_shard_count(const tsr *x);
/** Describes the k-th shard, in the order of the sharding's devices: tsr_shard s; tsr_shard_of(x,
 * 0, &s). Errors, false and *out untouched: k out of range (TSR_ERROR_ARGUMENT), more than 8 dims
 * (TSR_ERROR_UNSUPPORTED). */
TSR_API bool tsr_shard_of_at(const char *where, const tsr *x, int64_t k, tsr_shard *out);
/** The k-th shard as an array on its device, without padding. Errors: k out of range, the shard is
 * in another process. */
TSR_OP tsr *tsr_shard_data_at(const char *where, const tsr *x, int64_t k);
/** The memory of the k-th shard, without a copy: where its element 0, 0, ... is, and in strides_out
 * (8 numbers, or NULL) the bytes from one index to the next. Read only, valid while the handle
 * lives. NULL on failure: k out of range, the shard is in another process, more than 8 dims. A
 * shard without elements also gives NULL, without an error. */
TSR_API const void *tsr_shard_borrow_at(const char *where, const tsr *x, int64_t k,
                                        int64_t *strides_out);
/** Does every device of its sharding hold all of x? */
TSR_API bool tsr_is_fully_replicated(const tsr *x);
/** One array made of pieces: pieces[k] is an array on the k-th of this process's devices, in the
 * order of the sharding, and has the dims of that device's part: tsr_from_shards(ctx, sharding,
 * TSR_DIMS(8, 2), pieces, 8). A process without devices of the sharding gives one piece, of which
 * only the dtype counts. Nothing is exchanged. Errors (TSR_ERROR_SHARDING, TSR_ERROR_TYPE): a wrong
 * number of pieces, dims, dtypes or devices that do not fit, a piece with several shards. */
TSR_OP tsr *tsr_from_shards_at(const char *where, tsr_ctx *ctx, const tsr_sharding *sharding,
                               tsr_dims dims, tsr *const *pieces, size_t n);
/** An array of which each process gives what its devices need, as one block: of rows that are split
 * over eight devices, two of them here, tsr_from_local(sharding, x, TSR_DIMS(4096, 64)) takes an
 * f32[1024,64]. Along each dim x has all of the array, or the parts that devices of this process
 * have, one behind the other in their order, each once. x is on one device, or the same on several;
 * what a process without devices of the sharding gives is not looked at, but for its dtype and
 * rank. Nothing is exchanged: devices of several processes with the same part must be given the
 * same. Errors: another rank, or a dim of x that is neither (TSR_ERROR_TYPE). */
TSR_OP tsr *tsr_from_local_at(const char *where, const tsr_sharding *sharding, tsr *x,
                              tsr_dims dims);

/* ---- the same without place and keywords: as values, and for debuggers */

/** tsr_from_at() as a value. */
TSR_OP tsr *tsr_from(tsr_ctx *ctx, const void *data, tsr_dtype dtype, tsr_dims dims);
/** tsr_wrap_at() as a value. */
TSR_OP tsr *tsr_wrap(tsr_ctx *ctx, const void *data, tsr_dtype dtype, tsr_dims dims);
/** tsr_zeros_at() as a value. */
TSR_OP tsr *tsr_zeros(tsr_ctx *ctx, tsr_dims dims);
/** tsr_ones_at() as a value. */
TSR_OP tsr *tsr_ones(tsr_ctx *ctx, tsr_dims dims);
/** tsr_full_at() as a value. */
TSR_OP tsr *tsr_full(tsr_ctx *ctx, tsr_dims dims, double number);
/** tsr_scalar_at() as a value. */
TSR_OP tsr *tsr_scalar(tsr_ctx *ctx, double number);
/** tsr_arange_at() as a value. */
TSR_OP tsr *tsr_arange(tsr_ctx *ctx, int64_t n);
/** tsr_eye_at() as a value. */
TSR_OP tsr *tsr_eye(tsr_ctx *ctx, int64_t n);
/** tsr_zeros_like_at() as a value. */
TSR_OP tsr *tsr_zeros_like(tsr *x);
/** tsr_ones_like_at() as a value. */
TSR_OP tsr *tsr_ones_like(tsr *x);
/** tsr_dim_at() as a value. */
TSR_API int64_t tsr_dim(const tsr *x, int d);
/** tsr_shape_at() as a value. */
TSR_API tsr_dims tsr_shape(const tsr *x);
/** tsr_varying_at() as a value. */
TSR_API bool tsr_varying(const tsr *x, const char *axis);
/** tsr_item_at() as a value. */
TSR_API double tsr_item(const tsr *x);
/** tsr_item_int_at() as a value. */
TSR_API int64_t tsr_item_int(const tsr *x);
/** tsr_read_at() as a value. */
TSR_API bool tsr_read(const tsr *x, void *out, size_t bytes);
/** tsr_read_into_at() as a value. */
TSR_API bool tsr_read_into(const tsr *x, void *out);
/** tsr_allclose_at() as a value. */
TSR_API bool tsr_allclose(const tsr *a, const tsr *b, double rtol, double atol);
/** tsr_array_equal_at() as a value. */
TSR_API bool tsr_array_equal(const tsr *a, const tsr *b);
/** tsr_wait_at() as a value. */
TSR_API bool tsr_wait(const tsr *x);
/** tsr_print_at() as a value. */
TSR_API void tsr_print(const tsr *x);
/** tsr_text_at() as a value. */
TSR_API const char *tsr_text(const tsr *x);
/** tsr_put_at() as a value. */
TSR_OP tsr *tsr_put(tsr *x, const tsr_mesh *mesh, tsr_spec spec);
/** tsr_put_tree_at() as a value. */
TSR_API bool tsr_put_tree(tsr_tree to, tsr_tree x, const tsr_mesh *mesh);
/** tsr_put_device_at() as a value. */
TSR_OP tsr *tsr_put_device(tsr *x, int64_t device);
/** tsr_gather_whole_at() as a value. */
TSR_OP tsr *tsr_gather_whole(tsr *x);
/** tsr_put_sharding_at() as a value. */
TSR_OP tsr *tsr_put_sharding(tsr *x, const tsr_sharding *sharding);
/** tsr_constrain_at() as a value. */
TSR_OP tsr *tsr_constrain(tsr *x, const tsr_mesh *mesh, tsr_spec spec);
/** tsr_constrain_tree_at() as a value. */
TSR_API bool tsr_constrain_tree(tsr_tree to, tsr_tree x, const tsr_mesh *mesh);
/** tsr_constrain_sharding_at() as a value. */
TSR_OP tsr *tsr_constrain_sharding(tsr *x, const tsr_sharding *sharding);
/** tsr_shard_alike_at() as a value. */
TSR_OP tsr *tsr_shard_alike(tsr *x, tsr *like);
/** tsr_shard_of_at() as a value. */
TSR_API bool tsr_shard_of(const tsr *x, int64_t k, tsr_shard *out);
/** tsr_shard_data_at() as a value. */
TSR_OP tsr *tsr_shard_data(const tsr *x, int64_t k);
/** tsr_shard_borrow_at() as a value. */
TSR_API const void *tsr_shard_borrow(const tsr *x, int64_t k, int64_t *strides_out);
/** tsr_from_shards_at() as a value. */
TSR_OP tsr *tsr_from_shards(tsr_ctx *ctx, const tsr_sharding *sharding, tsr_dims dims,
                            tsr *const *pieces, size_t n);
/** tsr_from_local_at() as a value. */
TSR_OP tsr *tsr_from_local(const tsr_sharding *sharding, tsr *x, tsr_dims dims);
#ifdef __cplusplus
}
#endif

#ifdef TSR_MACROS_
#define tsr_from(ctx, ...) \
	TSR_CAT_(TSR_FROM_, TSR_3N_(__VA_ARGS__, ))(TSR_PREFIX_, ctx, __VA_ARGS__)
#define TSR_FROM_3_(v_, ctx, data, dtype, ...) \
	tsr_result_(__extension__({ TSR_CHECK_LAST_(v_, #dtype, \
		"tsr_from: write the argument dtype as TSR_F32") TSR_LET_DIMS_(v_, _3, \
		TSR_GIVEN_(tsr_from_takes_memory_dtype_and_dims, __VA_ARGS__), \
		"tsr_from: write the argument dims as TSR_DIMS(2, 3)") TSR_LET_(v_, _0, ctx) \
		TSR_LET_(v_, _1, data) TSR_CHECK_DTYPE_(dtype, \
		"tsr_from: give the dtype, TSR_F32") TSR_ELEMENTS_(TSR_CAT_(v_, _1), dtype, \
		"tsr_from") tsr_from_at(TSR_HERE, TSR_CTX_PICK_(TSR_CAT_(v_, _0)), \
		TSR_MEMORY_(TSR_CAT_(v_, _1)), dtype, TSR_CAT_(v_, _3)); }))
#define TSR_FROM_3N_(v_, ctx, ...) \
	tsr_result_(__extension__({ TSR_CHECK_LITERAL_(v_, #__VA_ARGS__, \
		"tsr_from: write memory as (float[]){1, 2}, and dims as TSR_DIMS(2)") TSR_LET_(v_, \
		_0, ctx) TSR_LITERAL_TYPE_(__VA_ARGS__) tsr_from_at(TSR_HERE, \
		TSR_CTX_PICK_(TSR_CAT_(v_, _0)), TSR_ELEMENT_(*tsr_literal_), __VA_ARGS__); }))
#define tsr_wrap(ctx, data, dtype, ...) \
	TSR_WRAP_(#__VA_ARGS__, TSR_PREFIX_, ctx, data, dtype, __VA_ARGS__, )
#define TSR_WRAP_(text3, v_, ctx, data, dtype, dims, ...) \
	tsr_result_(__extension__({ TSR_LET_(v_, _0, ctx) TSR_LET_(v_, _1, data) \
		TSR_CHECK_TEXT_(TSR_CAT_(v_, _3), text3, \
		"tsr_wrap: write the argument dims as TSR_DIMS(2, 3)") TSR_LET_DIMS_(v_, _3, dims, \
		"tsr_wrap: write the argument dims as TSR_DIMS(2, 3)") TSR_CHECK_DTYPE_(dtype, \
		"tsr_wrap: give the dtype, TSR_F32") TSR_ELEMENTS_(TSR_CAT_(v_, _1), dtype, \
		"tsr_wrap") TSR_KW_(tsr_wrap_args, v_, __VA_ARGS__) tsr_wrap_at(TSR_HERE, \
		TSR_CTX_PICK_(TSR_CAT_(v_, _0)), TSR_MEMORY_(TSR_CAT_(v_, _1)), dtype, \
		TSR_CAT_(v_, _3), &v_); }))
#define tsr_zeros(ctx, ...) TSR_ZEROS_(#__VA_ARGS__, TSR_PREFIX_, ctx, __VA_ARGS__, )
#define TSR_ZEROS_(text1, v_, ctx, dims, ...) \
	tsr_result_(__extension__({ TSR_LET_(v_, _0, ctx) TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_zeros: write the argument dims as TSR_DIMS(2, 3)") TSR_LET_DIMS_(v_, _1, \
		dims, "tsr_zeros: write the argument dims as TSR_DIMS(2, 3)") \
		TSR_KW_(tsr_new_args, v_, __VA_ARGS__) tsr_zeros_at(TSR_HERE, \
		TSR_CTX_PICK_(TSR_CAT_(v_, _0)), TSR_CAT_(v_, _1), &v_); }))
#define tsr_ones(ctx, ...) TSR_ONES_(#__VA_ARGS__, TSR_PREFIX_, ctx, __VA_ARGS__, )
#define TSR_ONES_(text1, v_, ctx, dims, ...) \
	tsr_result_(__extension__({ TSR_LET_(v_, _0, ctx) TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_ones: write the argument dims as TSR_DIMS(2, 3)") TSR_LET_DIMS_(v_, _1, dims, \
		"tsr_ones: write the argument dims as TSR_DIMS(2, 3)") TSR_KW_(tsr_new_args, v_, \
		__VA_ARGS__) tsr_ones_at(TSR_HERE, TSR_CTX_PICK_(TSR_CAT_(v_, _0)), TSR_CAT_(v_, \
		_1), &v_); }))
#define tsr_full(ctx, dims, ...) TSR_FULL_(#dims, TSR_PREFIX_, ctx, dims, __VA_ARGS__, )
#define TSR_FULL_(text1, v_, ctx, dims, number, ...) \
	tsr_result_(__extension__({ TSR_LET_(v_, _0, ctx) TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_full: write the argument dims as TSR_DIMS(2, 3)") TSR_LET_DIMS_(v_, _1, dims, \
		"tsr_full: write the argument dims as TSR_DIMS(2, 3)") TSR_LET_(v_, _2, \
		TSR_GIVEN_(tsr_full_needs_the_argument_number, number)) TSR_KW_(tsr_new_args, v_, \
		__VA_ARGS__) tsr_full_at(TSR_HERE, TSR_CTX_PICK_(TSR_CAT_(v_, _0)), TSR_CAT_(v_, \
		_1), TSR_NUMBER_PICK_(TSR_CAT_(v_, _2)), &v_); }))
#define tsr_scalar(ctx, ...) TSR_SCALAR_(TSR_PREFIX_, ctx, __VA_ARGS__, )
#define TSR_SCALAR_(v_, ctx, number, ...) \
	tsr_result_(__extension__({ TSR_LET_(v_, _0, ctx) TSR_LET_(v_, _1, \
		TSR_GIVEN_(tsr_scalar_needs_the_argument_number, number)) TSR_KW_(tsr_new_args, \
		v_, __VA_ARGS__) tsr_scalar_at(TSR_HERE, TSR_CTX_PICK_(TSR_CAT_(v_, _0)), \
		TSR_NUMBER_PICK_(TSR_CAT_(v_, _1)), &v_); }))
#define tsr_arange(ctx, ...) TSR_ARANGE_(#__VA_ARGS__, TSR_PREFIX_, ctx, __VA_ARGS__, )
#define TSR_ARANGE_(text1, v_, ctx, n, ...) \
	tsr_result_(__extension__({ TSR_LET_(v_, _0, ctx) TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_arange: give the argument n, without a name") TSR_KW_(tsr_arange_args, v_, \
		__VA_ARGS__) tsr_arange_at(TSR_HERE, TSR_CTX_PICK_(TSR_CAT_(v_, _0)), n, &v_); }))
#define tsr_eye(ctx, ...) TSR_EYE_(#__VA_ARGS__, TSR_PREFIX_, ctx, __VA_ARGS__, )
#define TSR_EYE_(text1, v_, ctx, n, ...) \
	tsr_result_(__extension__({ TSR_LET_(v_, _0, ctx) TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_eye: give the argument n, without a name") TSR_KW_(tsr_eye_args, v_, \
		__VA_ARGS__) tsr_eye_at(TSR_HERE, TSR_CTX_PICK_(TSR_CAT_(v_, _0)), n, &v_); }))
#define tsr_zeros_like(x) tsr_zeros_like_at(TSR_HERE, x)
#define tsr_ones_like(x) tsr_ones_like_at(TSR_HERE, x)
#define tsr_dim(x, d) tsr_dim_at(TSR_HERE, x, d)
#define tsr_shape(x) tsr_shape_at(TSR_HERE, x)
#define tsr_varying(x, axis) tsr_varying_at(TSR_HERE, x, TSR_AXIS_TEXT_(axis))
#define tsr_item(x) tsr_item_at(TSR_HERE, x)
#define tsr_item_int(x) tsr_item_int_at(TSR_HERE, x)
#define tsr_read(x, out, bytes) TSR_READ_(TSR_PREFIX_, x, out, bytes)
#define TSR_READ_(v_, x, out, bytes) \
	__extension__({ TSR_LET_(v_, _1, out) tsr_read_at(TSR_HERE, x, TSR_MEMORY_(TSR_CAT_(v_, \
		_1)), bytes); })
#define tsr_read_into(x, ...) TSR_READ_INTO_(TSR_PREFIX_, x, __VA_ARGS__, )
#define TSR_READ_INTO_(v_, x, out, ...) \
	__extension__({ TSR_LET_(v_, _1, TSR_GIVEN_(tsr_read_into_needs_the_argument_out, out)) \
		TSR_KW_(tsr_read_args, v_, __VA_ARGS__) tsr_read_into_at(TSR_HERE, x, \
		TSR_MEMORY_(TSR_CAT_(v_, _1)), &v_); })
#define tsr_allclose(a, b, rtol, atol) tsr_allclose_at(TSR_HERE, a, b, rtol, atol)
#define tsr_array_equal(a, b) tsr_array_equal_at(TSR_HERE, a, b)
#define tsr_wait(x) tsr_wait_at(TSR_HERE, x)
#define tsr_print(...) TSR_PRINT_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_PRINT_(v_, x, ...) \
	__extension__({ TSR_KW_(tsr_print_args, v_, __VA_ARGS__) tsr_print_at(TSR_HERE, x, &v_); \
		})
#define tsr_text(...) TSR_TEXT_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_TEXT_(v_, x, ...) \
	__extension__({ TSR_KW_(tsr_print_args, v_, __VA_ARGS__) tsr_text_at(TSR_HERE, x, &v_); })
#define tsr_put(x, mesh, spec) tsr_put_at(TSR_HERE, x, mesh, spec)
#define tsr_put_tree(to, x, ...) TSR_PUT_TREE_(#__VA_ARGS__, TSR_PREFIX_, to, x, __VA_ARGS__, )
#define TSR_PUT_TREE_(text2, v_, to, x, mesh, ...) \
	__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _2), text2, \
		"tsr_put_tree: give the argument mesh, without a name") TSR_KW_(tsr_put_args, v_, \
		__VA_ARGS__) tsr_put_tree_at(TSR_HERE, to, x, mesh, &v_); })
#define tsr_put_device(x, device) tsr_put_device_at(TSR_HERE, x, device)
#define tsr_gather_whole(x) tsr_gather_whole_at(TSR_HERE, x)
#define tsr_put_sharding(x, sharding) tsr_put_sharding_at(TSR_HERE, x, sharding)
#define tsr_constrain(x, mesh, spec) tsr_constrain_at(TSR_HERE, x, mesh, spec)
#define tsr_constrain_tree(to, x, ...) \
	TSR_CONSTRAIN_TREE_(#__VA_ARGS__, TSR_PREFIX_, to, x, __VA_ARGS__, )
#define TSR_CONSTRAIN_TREE_(text2, v_, to, x, mesh, ...) \
	__extension__({ TSR_CHECK_TEXT_(TSR_CAT_(v_, _2), text2, \
		"tsr_constrain_tree: give the argument mesh, without a name") \
		TSR_KW_(tsr_put_args, v_, __VA_ARGS__) tsr_constrain_tree_at(TSR_HERE, to, x, \
		mesh, &v_); })
#define tsr_constrain_sharding(x, sharding) tsr_constrain_sharding_at(TSR_HERE, x, sharding)
#define tsr_shard_alike(x, like) tsr_shard_alike_at(TSR_HERE, x, like)
#define tsr_shard_of(x, k, out) tsr_shard_of_at(TSR_HERE, x, k, out)
#define tsr_shard_data(x, k) tsr_shard_data_at(TSR_HERE, x, k)
#define tsr_shard_borrow(x, k, strides_out) tsr_shard_borrow_at(TSR_HERE, x, k, strides_out)
#define tsr_from_shards(ctx, ...) TSR_FROM_SHARDS_(TSR_PREFIX_, ctx, __VA_ARGS__)
#define TSR_FROM_SHARDS_(v_, ctx, ...) \
	tsr_result_(__extension__({ TSR_LET_(v_, _0, ctx) tsr_from_shards_at(TSR_HERE, \
		TSR_CTX_PICK_(TSR_CAT_(v_, _0)), __VA_ARGS__); }))
#define tsr_from_local(sharding, x, dims) tsr_from_local_at(TSR_HERE, sharding, x, dims)

#endif

#endif
