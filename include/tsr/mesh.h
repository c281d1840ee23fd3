/* tsr/mesh.h - meshes, specs and shardings: they say how an array is split over devices.
 *
 * A mesh is named axes over a grid of devices. A spec gives, for each dim of an array, the axes
 * that it is split over; dims without an entry, and entries NULL or "-", are not split. A sharding
 * is a mesh and a spec, or one device; a positional one is a grid of devices. A dim of size D split
 * in n parts gives parts of ceil(D / n); the last ones are short or empty.
 *
 *     tsr_mesh *mesh = tsr_mesh_make(ctx, {"x", 4}, {"y", 2});
 *     tsr *a = tsr_put(tsr_ones(ctx, TSR_DIMS(8, 8)), mesh, TSR_P("x", NULL));
 *
 * Meshes and shardings are interned: equal ones are the same pointer (specs are equal after
 * trailing entries that split nothing are dropped), and live until tsr_close(). If one cannot be
 * made, the context's poison of that kind is returned, never NULL; its queries give 0, NULL or "".
 * Where arrays are placed and fns are made, a mesh that is NULL is the one in use: TSR_MESH(mesh);
 * puts it in use until its block ends.
 * No function of this header is collective across processes, but every process must make the same
 * meshes. */
/* Made by tools/make_headers.py of api/mesh.h.in: change that one. */
/** @file */
#ifndef TSR_MESH_H
#define TSR_MESH_H
#include "context.h"

#ifdef __cplusplus
extern "C" {
#endif

/** One device's part of an array: element i of dim d is there when start[d] <= i < stop[d]. */
typedef struct tsr_shard {
	int64_t device;  /**< id */
	int64_t replica; /**< how many devices before this one hold the same part */
	int ndim;
	int64_t start[TSR_MAX_NDIM], stop[TSR_MAX_NDIM];
	bool here;       /**< this process owns the device and can read the part */
} tsr_shard;

/** A mesh over the first devices of the context, row-major: tsr_mesh_make(ctx, {"x", 4}, {"y", 2}).
 * Errors (TSR_ERROR_SHARDING): no axis, more than 64 axes, an empty or repeated name, a name with
 * other than letters, digits, '_' and '.', a size < 1, more devices needed than there are. */
TSR_OP tsr_mesh *tsr_mesh_make_at(const char *where, tsr_ctx *ctx, const tsr_axis *axes, size_t n);
/** A mesh over devices in an order of one's own, row-major over the axes:
 * tsr_mesh_make_devices(ctx, ids, 8, {"x", 4}, {"y", 2}). device_ids: count ids; errors as above,
 * and: count is not the product of the sizes, an unknown or a repeated id. */
TSR_OP tsr_mesh *tsr_mesh_make_devices_at(const char *where, tsr_ctx *ctx,
                                          const int64_t *device_ids, size_t count,
                                          const tsr_axis *axes, size_t n);
/** How many axes a mesh has: 2 of tsr_mesh_make(ctx, {"x", 4}, {"y", 2}). */
TSR_API int tsr_mesh_ndim(const tsr_mesh *mesh);
/** The k-th axis, 0 <= k < tsr_mesh_ndim(); {NULL, 0} for another k. */
TSR_API tsr_axis tsr_mesh_axis(const tsr_mesh *mesh, int k);
/** Number of devices: the product of the axis sizes. */
TSR_API int64_t tsr_mesh_size(const tsr_mesh *mesh);
/** Size of the axis of that name; 0 if there is none. */
TSR_API int64_t tsr_mesh_axis_size(const tsr_mesh *mesh, const char *name);
/** Id of the k-th device, row-major over the axes; -1 for k out of range. */
TSR_API int64_t tsr_mesh_device(const tsr_mesh *mesh, int64_t k);
/** "Mesh('x': 2, 'y': 1, axis_types=(Auto, Auto), device_ids=[[0], [1]])": outside of
 * tsr_shard_map() the library decides along all axes (Auto). Lives as long as the mesh. */
TSR_API const char *tsr_mesh_text(const tsr_mesh *mesh);

/** What tsr_mesh_begin() found, for tsr_mesh_end() to put back. */
typedef struct tsr_mesh_use {
	tsr_ctx *ctx; /**< NULL: nothing is to be put back */
	const tsr_mesh *before;
	int64_t since, blocks;
} tsr_mesh_use;
/** Puts a mesh in use until tsr_mesh_end(). NULL then means it in tsr_put(), tsr_constrain(),
 * their kin, tsr_sharding_make(), tsr_shard_map(), and for .in and .out of tsr_jit(), also in
 * bodies that are traced meanwhile: a fn is traced for each mesh in use that it is called under.
 * An object made with NULL keeps the mesh that NULL meant then. While the body of a tsr_shard_map()
 * is traced, the mesh of that is in use. Where nothing else says which context NULL belongs to, it
 * is the one of the thread's last tsr_mesh_begin() that has not ended. In C, `TSR_MESH(mesh);` ends
 * with its block. Errors: the mesh is NULL (TSR_ERROR_ARGUMENT) or poison; NULL then means
 * poison. */
TSR_API tsr_mesh_use tsr_mesh_begin_at(const char *where, const tsr_mesh *mesh);
/** Puts back what was in use before, and ends all that began since. NULL and what has ended:
 * nothing happens. May be called after tsr_close(). */
TSR_API void tsr_mesh_end(tsr_mesh_use *use);

/** The sharding of a mesh and a spec: tsr_sharding_make(mesh, TSR_P("x", "y")); NULL: the mesh in
 * use. Errors (TSR_ERROR_SHARDING): an axis that the mesh does not have, an axis named twice. */
TSR_OP const tsr_sharding *tsr_sharding_make_at(const char *where, const tsr_mesh *mesh,
                                                tsr_spec spec);
/** All on one device: tsr_sharding_device(ctx, 0). Error (TSR_ERROR_SHARDING): no device of that
 * id. */
TSR_OP const tsr_sharding *tsr_sharding_device_at(const char *where, tsr_ctx *ctx, int64_t id);
/** Keywords of tsr_sharding_positional(). */
typedef struct tsr_positional_args {
	TSR_KEYWORDS_
	const int64_t *devices; /**< their ids; the first ones of the context when not given.
	                         * TSR_DEVICES(ids) gives both, for an array */
	size_t device_count;
	TSR_KEYWORDS_END_
} tsr_positional_args;
/** A grid of devices without names, as JAX's PositionalSharding: tsr_sharding_positional(ctx,
 * TSR_DIMS(4, 2)), or of these ones, row-major: tsr_sharding_positional(ctx, TSR_DIMS(8),
 * TSR_DEVICES(ids)). An array of as many dims is cut in as many parts in each. It is a sharding
 * like all others, over a mesh whose axes have names of our own, and equivalent to named ones that
 * place alike. Errors (TSR_ERROR_SHARDING): a size < 1, more devices than there are, another number
 * of ids than the product of the sizes, an unknown or a repeated id. */
TSR_OP const tsr_sharding *tsr_sharding_positional_at(const char *where, tsr_ctx *ctx,
                                                      tsr_dims dims,
                                                      const tsr_positional_args *args);
/** The grid of a positional sharding in another shape, row-major: tsr_sharding_reshape(s,
 * TSR_DIMS(8, 1)). One size may be -1: what is left over. Errors (TSR_ERROR_SHARDING): the product
 * of the sizes is another one, the sharding is not positional. */
TSR_OP const tsr_sharding *tsr_sharding_reshape_at(const char *where, const tsr_sharding *sharding,
                                                   tsr_dims dims);
/** Keywords of tsr_sharding_replicate(). */
typedef struct tsr_replicate_args {
	TSR_KEYWORDS_
	tsr_dims dim; /**< of the grid, from the end if negative; all when not given */
	bool drop;    /**< they go; otherwise they stay, with size 1 */
	TSR_KEYWORDS_END_
} tsr_replicate_args;
/** The devices along dims of the grid hold the same: tsr_sharding_replicate(s, .dim = TSR_DIMS(1)),
 * or all, tsr_sharding_replicate(s). Errors: no such dim, or one twice (TSR_ERROR_ARGUMENT); the
 * sharding is not positional (TSR_ERROR_SHARDING). */
TSR_OP const tsr_sharding *tsr_sharding_replicate_at(const char *where,
                                                     const tsr_sharding *sharding,
                                                     const tsr_replicate_args *args);
/** "NamedSharding(mesh=Mesh('x': 4, 'y': 2), spec=P('x', 'y'))", "PositionalSharding([[{CPU 0, 1}]
 * [{CPU 2, 3}]], shape=(2, 1))", with each row in a line, or "SingleDeviceSharding(device=0)";
 * lives as long as the sharding. */
TSR_API const char *tsr_sharding_text(const tsr_sharding *sharding);
/** The mesh that a sharding is over; NULL for a sharding of one device. */
TSR_API tsr_mesh *tsr_sharding_mesh(const tsr_sharding *sharding);
/** The spec of a sharding: entries as "x", "x*y" or NULL, trailing NULL entries dropped, but for
 * positional shardings; empty for one device. The texts live as long as the sharding. */
TSR_API tsr_spec tsr_sharding_spec(const tsr_sharding *sharding);
/** Do both put every array of ndim dims on the same devices in the same parts?
 * tsr_sharding_equivalent(a, b, 2) */
TSR_API bool tsr_sharding_equivalent(const tsr_sharding *a, const tsr_sharding *b, int ndim);
/** Dims of the largest part of an array of these dims: ceil(dim / parts) each. Errors: a spec
 * longer than dims (TSR_ERROR_SHARDING), a negative dim (TSR_ERROR_ARGUMENT); the result is then
 * "not given" (d[0] == 0). */
TSR_API tsr_dims tsr_sharding_shard_shape_at(const char *where, const tsr_sharding *sharding,
                                             tsr_dims dims);
/** Which part of an array of these dims the sharding's k-th device holds; false, and *out
 * untouched, on an error: as for tsr_sharding_shard_shape(), or k out of range
 * (TSR_ERROR_ARGUMENT). */
TSR_API bool tsr_sharding_index_at(const char *where, const tsr_sharding *sharding, tsr_dims dims,
                                   int64_t k, tsr_shard *out);

/* ---- the same without place and keywords: as values, and for debuggers */

/** tsr_mesh_begin_at() as a value. */
TSR_API tsr_mesh_use tsr_mesh_begin(const tsr_mesh *mesh);
/** tsr_sharding_make_at() as a value. */
TSR_OP const tsr_sharding *tsr_sharding_make(const tsr_mesh *mesh, tsr_spec spec);
/** tsr_sharding_device_at() as a value. */
TSR_OP const tsr_sharding *tsr_sharding_device(tsr_ctx *ctx, int64_t id);
/** tsr_sharding_positional_at() as a value. */
TSR_OP const tsr_sharding *tsr_sharding_positional(tsr_ctx *ctx, tsr_dims dims);
/** tsr_sharding_reshape_at() as a value. */
TSR_OP const tsr_sharding *tsr_sharding_reshape(const tsr_sharding *sharding, tsr_dims dims);
/** tsr_sharding_replicate_at() as a value. */
TSR_OP const tsr_sharding *tsr_sharding_replicate(const tsr_sharding *sharding);
/** tsr_sharding_shard_shape_at() as a value. */
TSR_API tsr_dims tsr_sharding_shard_shape(const tsr_sharding *sharding, tsr_dims dims);
/** tsr_sharding_index_at() as a value. */
TSR_API bool tsr_sharding_index(const tsr_sharding *sharding, tsr_dims dims, int64_t k,
                                tsr_shard *out);
#ifdef __cplusplus
}
#endif

#ifdef TSR_MACROS_
#define tsr_mesh_make(...) TSR_MESH_MAKE_(TSR_PREFIX_, __VA_ARGS__)
#define TSR_MESH_MAKE_(v_, ctx, ...) \
	__extension__({ TSR_LET_(v_, _0, ctx) const tsr_axis v_[] = {__VA_ARGS__}; \
		tsr_mesh_make_at(TSR_HERE, TSR_CTX_PICK_(TSR_CAT_(v_, _0)), v_, sizeof v_ / sizeof \
		*v_); })
#define tsr_mesh_make_devices(...) TSR_MESH_MAKE_DEVICES_(TSR_PREFIX_, __VA_ARGS__)
#define TSR_MESH_MAKE_DEVICES_(v_, ctx, device_ids, count, ...) \
	__extension__({ TSR_LET_(v_, _0, ctx) const tsr_axis v_[] = {__VA_ARGS__}; \
		tsr_mesh_make_devices_at(TSR_HERE, TSR_CTX_PICK_(TSR_CAT_(v_, _0)), device_ids, \
		count, v_, sizeof v_ / sizeof *v_); })
#define tsr_mesh_begin(mesh) tsr_mesh_begin_at(TSR_HERE, mesh)
#define tsr_sharding_make(mesh, spec) tsr_sharding_make_at(TSR_HERE, mesh, spec)
#define tsr_sharding_device(ctx, ...) TSR_SHARDING_DEVICE_(TSR_PREFIX_, ctx, __VA_ARGS__)
#define TSR_SHARDING_DEVICE_(v_, ctx, ...) \
	__extension__({ TSR_LET_(v_, _0, ctx) tsr_sharding_device_at(TSR_HERE, \
		TSR_CTX_PICK_(TSR_CAT_(v_, _0)), __VA_ARGS__); })
#define tsr_sharding_positional(ctx, ...) \
	TSR_SHARDING_POSITIONAL_(#__VA_ARGS__, TSR_PREFIX_, ctx, __VA_ARGS__, )
#define TSR_SHARDING_POSITIONAL_(text1, v_, ctx, dims, ...) \
	__extension__({ TSR_LET_(v_, _0, ctx) TSR_CHECK_TEXT_(TSR_CAT_(v_, _1), text1, \
		"tsr_sharding_positional: write the argument dims as TSR_DIMS(2, 3)") \
		TSR_LET_DIMS_(v_, _1, dims, \
		"tsr_sharding_positional: write the argument dims as TSR_DIMS(2, 3)") \
		TSR_KW_(tsr_positional_args, v_, __VA_ARGS__) tsr_sharding_positional_at(TSR_HERE, \
		TSR_CTX_PICK_(TSR_CAT_(v_, _0)), TSR_CAT_(v_, _1), &v_); })
#define tsr_sharding_reshape(sharding, dims) tsr_sharding_reshape_at(TSR_HERE, sharding, dims)
#define tsr_sharding_replicate(...) TSR_SHARDING_REPLICATE_(TSR_PREFIX_, __VA_ARGS__, )
#define TSR_SHARDING_REPLICATE_(v_, sharding, ...) \
	__extension__({ TSR_KW_(tsr_replicate_args, v_, __VA_ARGS__) \
		tsr_sharding_replicate_at(TSR_HERE, sharding, &v_); })
#define tsr_sharding_shard_shape(sharding, dims) \
	tsr_sharding_shard_shape_at(TSR_HERE, sharding, dims)
#define tsr_sharding_index(sharding, dims, k, out) \
	tsr_sharding_index_at(TSR_HERE, sharding, dims, k, out)

/** Declares the mesh that NULL means until the block ends, however that is left: TSR_MESH(mesh);
 * y = tsr_constrain(y, NULL, TSR_P("x")). tsr_mesh_begin() says more. Under a case it needs a block
 * of its own, as TSR_SCOPE(). */
#define TSR_MESH(mesh) TSR_MESH_(TSR_PREFIX_, mesh)
#define TSR_MESH_(v, mesh) \
	TSR_NO_JUMP_(TSR_CAT_(v, _)) \
	tsr_mesh_use v __attribute__((cleanup(tsr_mesh_end), unused)) = \
		tsr_mesh_begin_at(TSR_HERE, mesh)

/** Keywords .devices and .device_count of tsr_sharding_positional() and tsr_pmap(), of an array of
 * ids: TSR_DEVICES(ids). */
#define TSR_DEVICES(ids) .devices = (ids), .device_count = sizeof (ids) / sizeof *(ids)
/** Up to 8 sizes, dim numbers or strides as a value, and as an initialiser of a static one:
 * TSR_DIMS(2, 3); TSR_DIMS() has none. Each is an int64_t. As an initialiser of a static it is an
 * extension of C, of which gcc -Wpedantic warns. */
#define TSR_DIMS(...) \
	((tsr_dims){.d = {TSR_LEN1_(#__VA_ARGS__, __VA_ARGS__), __VA_ARGS__}})
/** A spec as an initialiser: static const tsr_spec rows = TSR_SPEC("x", NULL); */
#define TSR_SPEC(...) {.n1 = TSR_LEN1_(#__VA_ARGS__, __VA_ARGS__), .d = {0, __VA_ARGS__}}
/** A spec as a value: TSR_P("x", NULL), TSR_P("x*y"); TSR_P() splits nothing. */
#define TSR_P(...) ((tsr_spec)TSR_SPEC(__VA_ARGS__))
/** One spec for all leaves of an argument, in a list of specs: .in = {TSR_FOR_ALL(TSR_P("x"))}. */
#define TSR_FOR_ALL(spec) {{.count = 1}, (const tsr_spec[]){spec}}
/** An array of specs, one for each leaf of an argument: .in = {TSR_FOR_EACH(layer_specs)}. */
#define TSR_FOR_EACH(array) {{.count = sizeof(array) / sizeof *(array)}, (array)}
/** One spec for each argument: .in = TSR_SPECS(TSR_P("x", "y"), TSR_P("y")). */
#define TSR_SPECS(...) {TSR_MAP_(TSR_FOR_ALL, __VA_ARGS__)}
#endif

#endif
