/* tsr/array.h - arrays: making them, asking about them, reading them, and where their shards are.
 *
 * An array is immutable. What data, numbers or a file make is uncommitted on the first device;
 * tsr_put() commits an array to devices. Dims are a tsr_dims, TSR_DIMS(2, 3); TSR_DIMS() is a
 * scalar. Makers that are not told a dtype give f32, or what their comment says.
 *
 *     tsr *x = tsr_from(ctx, (float[]){1, 2, 3, 4}, TSR_F32, TSR_DIMS(2, 2));
 *     double first = tsr_item(tsr_index(tsr_ravel(x), 0, 0));
 *
 * Errors of all makers: dims not given or negative, sizes that overflow, what is no dtype
 * (TSR_ERROR_ARGUMENT); no memory (TSR_ERROR_MEMORY). Errors of all readers: the value of a traced
 * handle is not known while its body is traced (TSR_ERROR_HANDLE); data in another process
 * (TSR_ERROR_UNSUPPORTED, and the text says how to gather it). Reading poison gives NaN, 0, NULL or
 * false and logs the error once. Queries work on traced handles too; of poison they give 0 or NULL.
 * Nothing here is collective across processes but tsr_put() and its kin. */
/** @file */
#ifndef TSR_ARRAY_H
#define TSR_ARRAY_H
#include "mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- making arrays */

/** Keyword of makers: the dtype. */
typedef struct TSR_BY_NAME_ tsr_new_args {
	TSR_KEYWORDS_;
	tsr_dtype dtype;
} tsr_new_args;

/** Keywords of tsr_arange(). */
typedef struct TSR_BY_NAME_ tsr_arange_args {
	TSR_KEYWORDS_;
	tsr_dtype dtype; /**< i32 when not given, f32 if start or step is not a whole number */
	double start;    /**< the first element */
	double step;     /**< 1 when not given */
} tsr_arange_args;

/** Keywords of tsr_wrap(). */
typedef struct TSR_BY_NAME_ tsr_wrap_args {
	TSR_KEYWORDS_;
	/** Bytes from one index to the next, one a dim, may be negative or 0; row-major when not
	 * given. */
	tsr_dims strides;
	/** Called once when the last use has ended, from any thread. */
	void (*release)(void *user, void *data);
	void *user; /**< handed to release */
} tsr_wrap_args;

/** A copy of contiguous, row-major data: tsr_from(ctx, numbers, TSR_F32, TSR_DIMS(8, 16)). Error
 * (TSR_ERROR_ARGUMENT): data is NULL and the array has elements. */
TSR_API tsr *tsr_from_at(const char *where, tsr_ctx *ctx, const void *data, tsr_dtype dtype,
                         tsr_dims dims);
/** The caller's memory as an array, without a copy: tsr_wrap(ctx, data, TSR_F32, TSR_DIMS(n),
 * .release = done). It must stay valid and unchanged until release is called, which is at once when
 * the call fails. data: where element 0, 0, ... is. Errors: as tsr_from(), strides of another
 * number than dims. */
TSR_API tsr *tsr_wrap_at(const char *where, tsr_ctx *ctx, const void *data, tsr_dtype dtype,
                         tsr_dims dims, const tsr_wrap_args *args);
/** All 0 (false): tsr_zeros(ctx, TSR_DIMS(2, 3), .dtype = TSR_I32). */
TSR_API tsr *tsr_zeros_at(const char *where, tsr_ctx *ctx, tsr_dims dims, const tsr_new_args *args);
/** All 1 (true). */
TSR_API tsr *tsr_ones_at(const char *where, tsr_ctx *ctx, tsr_dims dims, const tsr_new_args *args);
/** All one number: tsr_full(ctx, TSR_DIMS(4), 2.5). dtype when not given: bool, i32, f32 or c64, by
 * the kind of number. */
TSR_API tsr *tsr_full_at(const char *where, tsr_ctx *ctx, tsr_dims dims, tsr_arg number,
                         const tsr_new_args *args);
/** A number as an array without dims: tsr_scalar(ctx, 0.5). dtype as for tsr_full(). */
TSR_API tsr *tsr_scalar_at(const char *where, tsr_ctx *ctx, tsr_arg number,
                           const tsr_new_args *args);
/** start + step * i for i = 0 .. n - 1, in double, then converted: [n]; tsr_arange(ctx, 10, .dtype
 * = TSR_F32). */
TSR_API tsr *tsr_arange_at(const char *where, tsr_ctx *ctx, int64_t n, const tsr_arange_args *args);
/** The n x n identity: tsr_eye(ctx, 3). */
TSR_API tsr *tsr_eye_at(const char *where, tsr_ctx *ctx, int64_t n, const tsr_new_args *args);
/** Zeros of the dims and dtype of x. */
TSR_API tsr *tsr_zeros_like_at(const char *where, tsr *x);
/** Ones of the dims and dtype of x. */
TSR_API tsr *tsr_ones_like_at(const char *where, tsr *x);
/** tsr_zeros_like_at() without a place: a value that can be passed on. */
TSR_API tsr *tsr_zeros_like(tsr *x);
/** tsr_ones_like_at() without a place. */
TSR_API tsr *tsr_ones_like(tsr *x);

/* ---- asking */

/** Its dtype; TSR_DTYPE_DEFAULT of poison. */
TSR_API tsr_dtype tsr_dtype_of(const tsr *x);
/** Number of dims. */
TSR_API int tsr_ndim(const tsr *x);
/** Size of dim d, negative d from the end: tsr_dim(x, -1). Error (TSR_ERROR_ARGUMENT, gives 0): d
 * out of range. */
TSR_API int64_t tsr_dim_at(const char *where, const tsr *x, int d);
/** All sizes. Error (TSR_ERROR_UNSUPPORTED, gives "not given"): more than 8 dims. */
TSR_API tsr_dims tsr_shape_at(const char *where, const tsr *x);
/** Number of elements, of the whole array. */
TSR_API int64_t tsr_size(const tsr *x);
/** Bytes of all elements, each counted once. */
TSR_API int64_t tsr_nbytes(const tsr *x);
/** In a traced body: may x differ between the devices along this axis ("x", or "x*y": along any of
 * them)? Error (TSR_ERROR_SHARDING, gives false): the axis is not bound here. */
TSR_API bool tsr_varying_at(const char *where, const tsr *x, const char *axis);

/* ---- reading */

/** Keywords of tsr_read_into(). */
typedef struct TSR_BY_NAME_ tsr_read_args {
	TSR_KEYWORDS_;
	tsr_dims strides; /**< bytes, one a dim, may be negative; row-major when not given */
	tsr_dtype dtype;  /**< converted to this, as tsr_astype() does; that of x when not given */
} tsr_read_args;

/** The one element of x as a double (real part; bool: 0 or 1; 64-bit integers may round). Error
 * (TSR_ERROR_TYPE, gives NaN): x has not exactly one element. */
TSR_API double tsr_item_at(const char *where, const tsr *x);
/** The one element of x as an integer, converted as tsr_astype() to i64 does. Errors as tsr_item(),
 * gives 0: where that may be a value, look at tsr_status(). */
TSR_API int64_t tsr_item_int_at(const char *where, const tsr *x);
/** Copies all elements, row-major, to out: float y[6]; tsr_read(x, y, sizeof y). Error
 * (TSR_ERROR_ARGUMENT): bytes is not tsr_nbytes(x). false on failure. */
TSR_API bool tsr_read_at(const char *where, const tsr *x, void *out, size_t bytes);
/** Copies all elements into memory with strides, or as another dtype: tsr_read_into(x, y, .dtype =
 * TSR_F64). out: where element 0, 0, ... goes. Error (TSR_ERROR_ARGUMENT): strides of another
 * number than dims. false on failure. */
TSR_API bool tsr_read_into_at(const char *where, const tsr *x, void *out,
                              const tsr_read_args *args);
/** |a - b| <= atol + rtol * |b| for all elements, in double, after NumPy's broadcasting; NaN is
 * close to nothing, an infinity to itself. Error (TSR_ERROR_TYPE): dims that do not fit. */
TSR_API bool tsr_allclose_at(const char *where, const tsr *a, const tsr *b, double rtol,
                             double atol);
/** The same dims and equal values, after promotion; NaN equals nothing. */
TSR_API bool tsr_array_equal_at(const char *where, const tsr *a, const tsr *b);
/** Waits until x is computed. false: x is, or has become, poison. */
TSR_API bool tsr_wait_at(const char *where, const tsr *x);
/** Prints x to stdout as NumPy's str does, then a newline. Above 1000 elements the middle of long
 * dims is left out. */
TSR_API void tsr_print_at(const char *where, const tsr *x);
/** The text that tsr_print() prints, without the newline; a traced handle gives its type,
 * "f32[2,8]{x}", poison gives the error. Valid until the innermost scope ends. For logs and
 * debuggers: never NULL, and records nothing. */
TSR_API const char *tsr_text(const tsr *x);

/* ---- placing, and where the shards are. Every process makes the same call. */

/** x on a mesh, split as the spec says; dims need not divide: tsr_put(x, mesh, TSR_P("x", NULL)).
 * In a traced body it changes nothing. Errors (TSR_ERROR_SHARDING): as tsr_sharding_make(), or a
 * spec longer than x has dims. */
TSR_API tsr *tsr_put_at(const char *where, tsr *x, const tsr_mesh *mesh, tsr_spec spec);
/** x whole on one device, by id: tsr_put_device(x, 3). */
TSR_API tsr *tsr_put_device_at(const char *where, tsr *x, int device);
/** x where a sharding says: tsr_put_sharding(x, tsr_sharding_of(y)). */
TSR_API tsr *tsr_put_sharding_at(const char *where, tsr *x, const tsr_sharding *sharding);
/** Where x is. NULL of poison and of a traced handle. */
TSR_API const tsr_sharding *tsr_sharding_of(const tsr *x);
/** Number of shards: one for each device of its sharding. */
TSR_API int64_t tsr_shard_count(const tsr *x);
/** Describes the k-th shard, in the order of the sharding's devices: tsr_shard s; tsr_shard_at(x,
 * 0, &s). Errors, false and *out untouched: k out of range (TSR_ERROR_ARGUMENT), more than 8 dims
 * (TSR_ERROR_UNSUPPORTED). */
TSR_API bool tsr_shard_at_at(const char *where, const tsr *x, int64_t k, tsr_shard *out);
/** The k-th shard as an array on its device, without padding. Errors: k out of range, the shard is
 * in another process. */
TSR_API tsr *tsr_shard_data_at(const char *where, const tsr *x, int64_t k);
/** The memory of the k-th shard, without a copy: where its element 0, 0, ... is, and in strides_out
 * (8 numbers, or NULL) the bytes from one index to the next. Read only, valid while the handle
 * lives. NULL on failure: k out of range, the shard is in another process, more than 8 dims; and,
 * without an error, for a shard without elements. */
TSR_API const void *tsr_shard_borrow_at(const char *where, const tsr *x, int64_t k,
                                        int64_t *strides_out);
/** Does every device of its sharding hold all of x? */
TSR_API bool tsr_is_fully_replicated(const tsr *x);
/** One array of pieces that are there already: pieces[k] is the k-th shard of this process's
 * devices, in the sharding's order, an array on that one device with the dims of its part:
 * tsr_from_shards(ctx, sharding, TSR_DIMS(8, 2), pieces, 8). Errors (TSR_ERROR_SHARDING,
 * TSR_ERROR_TYPE): a wrong number of pieces, dims, dtypes or devices that do not fit, a piece with
 * several shards. */
TSR_API tsr *tsr_from_shards_at(const char *where, tsr_ctx *ctx, const tsr_sharding *sharding,
                                tsr_dims dims, tsr *const *pieces, size_t n);

#ifdef __cplusplus
}
#endif

#ifdef TSR_MACROS_
#define tsr_from(c, ...) tsr_from_at(TSR_HERE, TSR_CTX(c), __VA_ARGS__)
#define tsr_wrap(...) TSR_C4_(tsr_wrap_at, tsr_wrap_args, __VA_ARGS__)
#define tsr_zeros(...) TSR_C2_(tsr_zeros_at, tsr_new_args, __VA_ARGS__)
#define tsr_ones(...) TSR_C2_(tsr_ones_at, tsr_new_args, __VA_ARGS__)
#define tsr_full(...) TSR_FULL_(__VA_ARGS__, )
#define TSR_FULL_(c, dims, number, ...) \
	tsr_full_at(TSR_HERE, TSR_CTX(c), (dims), TSR_NUMBER_(number), \
		TSR_KW_(tsr_new_args, __VA_ARGS__))
#define tsr_scalar(...) TSR_SCALAR_(__VA_ARGS__, )
#define TSR_SCALAR_(c, number, ...) \
	tsr_scalar_at(TSR_HERE, TSR_CTX(c), TSR_NUMBER_(number), TSR_KW_(tsr_new_args, __VA_ARGS__))
#define tsr_arange(...) TSR_C2_(tsr_arange_at, tsr_arange_args, __VA_ARGS__)
#define tsr_eye(...) TSR_C2_(tsr_eye_at, tsr_new_args, __VA_ARGS__)
#define tsr_zeros_like(x) tsr_zeros_like_at(TSR_HERE, (x))
#define tsr_ones_like(x) tsr_ones_like_at(TSR_HERE, (x))

#define tsr_dim(x, d) tsr_dim_at(TSR_HERE, (x), (d))
#define tsr_shape(x) tsr_shape_at(TSR_HERE, (x))
#define tsr_varying(x, axis) tsr_varying_at(TSR_HERE, (x), (axis))

#define tsr_item(x) tsr_item_at(TSR_HERE, (x))
#define tsr_item_int(x) tsr_item_int_at(TSR_HERE, (x))
#define tsr_read(x, out, bytes) tsr_read_at(TSR_HERE, (x), (out), (bytes))
#define tsr_read_into(...) TSR_X2_(tsr_read_into_at, tsr_read_args, __VA_ARGS__)
#define tsr_allclose(a, b, rtol, atol) tsr_allclose_at(TSR_HERE, (a), (b), (rtol), (atol))
#define tsr_array_equal(a, b) tsr_array_equal_at(TSR_HERE, (a), (b))
#define tsr_wait(x) tsr_wait_at(TSR_HERE, (x))
#define tsr_print(x) tsr_print_at(TSR_HERE, (x))

#define tsr_put(x, mesh, spec) tsr_put_at(TSR_HERE, (x), (mesh), (spec))
#define tsr_put_device(x, device) tsr_put_device_at(TSR_HERE, (x), (device))
#define tsr_put_sharding(x, sharding) tsr_put_sharding_at(TSR_HERE, (x), (sharding))
#define tsr_shard_at(x, k, out) tsr_shard_at_at(TSR_HERE, (x), (k), (out))
#define tsr_shard_data(x, k) tsr_shard_data_at(TSR_HERE, (x), (k))
#define tsr_shard_borrow(x, k, strides_out) tsr_shard_borrow_at(TSR_HERE, (x), (k), (strides_out))
#define tsr_from_shards(c, ...) tsr_from_shards_at(TSR_HERE, TSR_CTX(c), __VA_ARGS__)
#endif

#endif
