/* tsr/detail/ops.hpp - makes functions that throw of all functions of C. Part of
 * tsr/tsr.hpp.
 *
 * Comments are those of C: TSR_DIMS(2, 3) is {2, 3} here, TSR_F32 is what it was, and a keyword
 * .dims = TSR_DIMS(0) of sum() is sum_args().dims({0}). */
/* Made by tools/make_bindings.py of api/: change that one. */
#ifndef TSR_DETAIL_OPS_HPP
#define TSR_DETAIL_OPS_HPP
#include "call.hpp"

namespace tsr {

/** The caller's memory as an array, without a copy: wrap(ctx, data, TSR_F32, TSR_DIMS(n),
 * .release = done). The memory must stay valid and unchanged until release is called; if wrap()
 * fails, that is at once. data: the address of element 0, 0, ...; computing is fastest where
 * that is a multiple of 64 (aligned_alloc(64, ...)). With .writable a call that the array is
 * donated to may make a result of the same size there; then the memory holds that result, and
 * stays in use until it goes too. Errors: as from(), and a number of strides that is not the
 * number of dims. */
template <class T>
array wrap(const within &ctx, const T *data, tsr_dtype dtype, const dims &dims_,
	const wrap_args &args = wrap_args())
{
	tsr_handle *made = tsr_wrap_at(ctx.where(), ctx.get(), detail::element_of<T>(), data, dtype,
		dims_, args.get());
	return array::adopt(made);
}

/** An array with all elements 0 (false), f32 when no dtype is given: zeros(ctx, TSR_DIMS(2, 3),
 * .dtype = TSR_I32). */
inline array zeros(const within &ctx, const dims &dims_, const new_args &args = new_args())
{
	tsr_handle *made = tsr_zeros_at(ctx.where(), ctx.get(), dims_, args.get());
	return array::adopt(made);
}

/** An array with all elements 1 (true), f32 when no dtype is given: ones(ctx, TSR_DIMS(2, 3),
 * .dtype = TSR_BOOL). */
inline array ones(const within &ctx, const dims &dims_, const new_args &args = new_args())
{
	tsr_handle *made = tsr_ones_at(ctx.where(), ctx.get(), dims_, args.get());
	return array::adopt(made);
}

/** An array with all elements one number: full(ctx, TSR_DIMS(4), 2.5). dtype when not given:
 * bool, i32, f32 or c64, by the kind of number. */
inline array full(const within &ctx, const dims &dims_, const number &number,
	const new_args &args = new_args())
{
	tsr_handle *made = tsr_full_at(ctx.where(), ctx.get(), dims_, number.arg(), args.get());
	return array::adopt(made);
}

/** A number as an array without dims: scalar(ctx, 0.5). dtype as for full(). */
inline array scalar(const within &ctx, const number &number, const new_args &args = new_args())
{
	tsr_handle *made = tsr_scalar_at(ctx.where(), ctx.get(), number.arg(), args.get());
	return array::adopt(made);
}

/** start + step * i for i = 0 .. n - 1, in double, then converted: [n]; arange(ctx, 10, .dtype =
 * TSR_F32). */
inline array arange(const within &ctx, int64_t n, const arange_args &args = arange_args())
{
	tsr_handle *made = tsr_arange_at(ctx.where(), ctx.get(), n, args.get());
	return array::adopt(made);
}

/** The n x n identity matrix, [n, n], or [n, .columns]; f32 when no dtype is given: eye(ctx, 3). */
inline array eye(const within &ctx, int64_t n, const eye_args &args = eye_args())
{
	tsr_handle *made = tsr_eye_at(ctx.where(), ctx.get(), n, args.get());
	return array::adopt(made);
}

/** Zeros of the dims and dtype of x, and where x was put, each device with its own part:
 * zeros_like(w) for the state of an optimiser. In a traced body they are where x is, if what is
 * computed from them does not decide otherwise, and vary over the same axes as x. */
inline array zeros_like(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_zeros_like_at(at.text(), x.get());
	return array::adopt(made);
}

/** Ones of the dims and dtype of x, and where x was put, each device with its own part; in a
 * traced body placed as zeros_like() places zeros. */
inline array ones_like(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_ones_like_at(at.text(), x.get());
	return array::adopt(made);
}

/** The dtype of the elements of x; TSR_DTYPE_DEFAULT where x is poison. */
inline tsr_dtype dtype_of(const array &x)
{
	const tsr_dtype made = tsr_dtype_of(x.get());
	detail::settle(tsr_ctx_of(x.get()));
	return made;
}

/** Whether x is weak: made of C numbers alone, as where(mask, 1.0, 0.0) is. In an operation it
 * then takes the dtype of the other operand. astype(x, dtype_of(x)) is never weak. False for
 * poison. */
inline bool is_weak(const array &x)
{
	const bool made = tsr_is_weak(x.get());
	detail::settle(tsr_ctx_of(x.get()));
	return made;
}

/** How many dims x has: 0 for a scalar, and for poison. */
inline int ndim(const array &x)
{
	const int made = tsr_ndim(x.get());
	detail::settle(tsr_ctx_of(x.get()));
	return made;
}

/** Size of dim d, negative d from the end: dim(x, -1). Error (TSR_ERROR_ARGUMENT, gives 0): d
 * out of range. */
inline int64_t dim(const array &x, int d, place at = place::here())
{
	const int64_t made = tsr_dim_at(at.text(), x.get(), d);
	detail::settle(tsr_ctx_of(x.get()));
	return made;
}

/** The sizes of all dims of x, as a list: zeros(ctx, shape(x)). Error (TSR_ERROR_UNSUPPORTED,
 * gives "not given"): more than 8 dims. */
inline dims shape(const array &x, place at = place::here())
{
	const tsr_dims made = tsr_shape_at(at.text(), x.get());
	detail::settle(tsr_ctx_of(x.get()));
	return dims(made);
}

/** Number of elements of the whole array x, wherever its parts are. */
inline int64_t size(const array &x)
{
	const int64_t made = tsr_size(x.get());
	detail::settle(tsr_ctx_of(x.get()));
	return made;
}

/** Bytes that all elements of x take, each counted once, on however many devices it is. */
inline int64_t nbytes(const array &x)
{
	const int64_t made = tsr_nbytes(x.get());
	detail::settle(tsr_ctx_of(x.get()));
	return made;
}

/** In a traced body: may x differ between the devices along this axis ("x", or "x*y": along any
 * of them)? Error (TSR_ERROR_SHARDING, gives false): the axis is not bound here. */
inline bool varying(const array &x, const char *axis, place at = place::here())
{
	const bool made = tsr_varying_at(at.text(), x.get(), axis);
	detail::settle(tsr_ctx_of(x.get()));
	return made;
}

/** |a - b| <= atol + rtol * |b| for all elements, in double, after NumPy's broadcasting; NaN is
 * close to nothing, an infinity to itself. Error (TSR_ERROR_TYPE): dims that do not fit. */
inline bool allclose(const array &a, const array &b, double rtol, double atol,
	place at = place::here())
{
	const bool made = tsr_allclose_at(at.text(), a.get(), b.get(), rtol, atol);
	detail::settle(tsr_ctx_of(a.get()));
	return made;
}

/** The same dims and equal values, after promotion; NaN equals nothing. */
inline bool array_equal(const array &a, const array &b, place at = place::here())
{
	const bool made = tsr_array_equal_at(at.text(), a.get(), b.get());
	detail::settle(tsr_ctx_of(a.get()));
	return made;
}

/** Waits until x is computed. false: x is, or has become, poison. */
inline bool wait(const array &x, place at = place::here())
{
	const bool made = tsr_wait_at(at.text(), x.get());
	detail::settle(tsr_ctx_of(x.get()));
	return made;
}

/** Prints x to stdout as NumPy's str does, then a newline: print(x), print(x, .precision = 3).
 * Where several processes make this call, the one with the lowest device of x prints; it is an
 * error in all of them (TSR_ERROR_UNSUPPORTED) if that lacks a part: print gather_whole(x).
 * print(x, .all = true) prints in each of them. */
inline void print(const array &x, const print_args &args = print_args(), place at = place::here())
{
	tsr_print_at(at.text(), x.get(), args.get());
	detail::settle(tsr_ctx_of(x.get()));
}

/** Dtype and dims, "f32[2,3]", and of a traced handle over which axes it varies, "f32[2,8]{x}".
 * Otherwise as text(). */
inline std::string type_text(const array &x)
{
	const char *made = tsr_type_text(x.get());
	detail::settle(tsr_ctx_of(x.get()));
	return detail::text_of(made);
}

/** x on a mesh, split as the spec says; dims need not divide: put(x, mesh, TSR_P("x", NULL)). A
 * mesh that is NULL is the one in use (TSR_MESH()), here and below; if there is none, that is
 * an error (TSR_ERROR_ARGUMENT). In a traced body it is constrain(). Errors
 * (TSR_ERROR_SHARDING): as sharding_make(), or a spec longer than x has dims; in a body those
 * of constrain() too. */
inline array put(const array &x, const mesh &m, const spec &spec_, place at = place::here())
{
	tsr_handle *made = tsr_put_at(at.text(), x.get(), m.get(), spec_);
	return array::adopt(made);
}

/** put() of each leaf of a tree, into the leaves of `to`, which may be the same tree; absent
 * leaves stay absent: put_tree(TSR_TREE(mlp, &w), TSR_TREE(mlp, &w), mesh, .spec =
 * TSR_FOR_EACH(specs)), or with one sharding for all, put_tree(to, x, NULL, .sharding = s).
 * Errors: as put(); trees with different numbers of leaves; a number of specs that is neither
 * one nor that of the leaves, .sharding beside a mesh or .spec (TSR_ERROR_ARGUMENT). false on
 * failure; `to` is then unchanged. */
template <class T>
bool put_tree(T &to, const tree &x, const mesh &m,
	const put_args &args = put_args(), place at = place::here())
{
	detail::written<T> to_to(to);
	const bool made = tsr_put_tree_at(at.text(), to_to.get(), x.get(), m.get(), args.get());
	detail::settle(detail::context_of(to));
	to_to.take();
	return made;
}

/** x whole on one device, by id: put_device(x, 3). Errors (TSR_ERROR_SHARDING): an id that no
 * device has; in a traced body always, for its program runs where its arguments are. */
inline array put_device(const array &x, int64_t device, place at = place::here())
{
	tsr_handle *made = tsr_put_device_at(at.text(), x.get(), device);
	return array::adopt(made);
}

/** All of x in this process, on its first device, not committed to it: what read(), print() and
 * files need where x is spread over devices of several processes. Collective: every process
 * with a device of x makes this call, and each gets the whole. Elsewhere it moves x to the
 * first device. print(gather_whole(x)). Errors: in a traced body (TSR_ERROR_SHARDING), where
 * all_gather() and constrain() are meant; those of put(). */
inline array gather_whole(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_gather_whole_at(at.text(), x.get());
	return array::adopt(made);
}

/** x where a sharding says: put_sharding(x, sharding_of(y)). Errors as put(), or put_device()
 * for a sharding of one device. */
inline array put_sharding(const array &x, const sharding &sharding_, place at = place::here())
{
	tsr_handle *made = tsr_put_sharding_at(at.text(), x.get(), sharding_.get());
	return array::adopt(made);
}

/** x itself, brought to where a spec says, as JAX's with_sharding_constraint: y = constrain(y,
 * mesh, TSR_P("x", NULL)). In a traced body the program has the value there, whatever would be
 * decided without it, and its tangents and cotangents too. In vmap() the dim of the batch is
 * cut along the axes of .spmd_axis, or as its operands are. Outside of bodies it moves x, but
 * not away from the devices that x is committed to. Dims need not divide. Errors
 * (TSR_ERROR_SHARDING): as sharding_make(), a spec longer than x has dims, a mesh of other
 * devices than x is committed to, or the program runs on, and in shard_map() an axis that is
 * manual there. */
inline array constrain(const array &x, const mesh &m, const spec &spec_, place at = place::here())
{
	tsr_handle *made = tsr_constrain_at(at.text(), x.get(), m.get(), spec_);
	return array::adopt(made);
}

/** constrain() of each leaf of a tree, into the leaves of `to`, as put_tree():
 * constrain_tree(TSR_TREE(mlp, &g), TSR_TREE(mlp, &g), mesh, .spec = TSR_FOR_EACH(specs)). */
template <class T>
bool constrain_tree(T &to, const tree &x, const mesh &m,
	const put_args &args = put_args(), place at = place::here())
{
	detail::written<T> to_to(to);
	const bool made = tsr_constrain_tree_at(at.text(), to_to.get(), x.get(), m.get(),
		args.get());
	detail::settle(detail::context_of(to));
	to_to.take();
	return made;
}

/** constrain() with a sharding over a mesh, in place of a mesh and a spec:
 * constrain_sharding(dw, sharding_of(w)). One device is an error (TSR_ERROR_SHARDING). */
inline array constrain_sharding(const array &x, const sharding &sharding_, place at = place::here())
{
	tsr_handle *made = tsr_constrain_sharding_at(at.text(), x.get(), sharding_.get());
	return array::adopt(made);
}

/** x itself, placed as like is, which has the same dims: y = shard_alike(y, x), as JAX's
 * shard_alike. In a traced body the program has both alike, also where only x is placed by
 * something else, and their tangents and cotangents too; where both are, like decides. Outside
 * of bodies it moves x, but not away from the devices that x is committed to. Error
 * (TSR_ERROR_TYPE): other dims. */
inline array shard_alike(const array &x, const array &like, place at = place::here())
{
	tsr_handle *made = tsr_shard_alike_at(at.text(), x.get(), like.get());
	return array::adopt(made);
}

/** Where x is. NULL of poison and of a traced handle. */
inline sharding sharding_of(const array &x)
{
	const tsr_sharding *made = tsr_sharding_of(x.get());
	detail::settle(tsr_ctx_of(x.get()));
	return sharding(made);
}

/** Number of shards: one for each device of its sharding. */
inline int64_t shard_count(const array &x)
{
	const int64_t made = tsr_shard_count(x.get());
	detail::settle(tsr_ctx_of(x.get()));
	return made;
}

/** Describes the k-th shard, in the order of the sharding's devices: tsr_shard s; shard_of(x, 0,
 * &s). Errors, false and *out untouched: k out of range (TSR_ERROR_ARGUMENT), more than 8 dims
 * (TSR_ERROR_UNSUPPORTED). */
inline bool shard_of(const array &x, int64_t k, tsr_shard *out, place at = place::here())
{
	const bool made = tsr_shard_of_at(at.text(), x.get(), k, out);
	detail::settle(tsr_ctx_of(x.get()));
	return made;
}

/** The k-th shard as an array on its device, without padding. Errors: k out of range, the shard
 * is in another process. */
inline array shard_data(const array &x, int64_t k, place at = place::here())
{
	tsr_handle *made = tsr_shard_data_at(at.text(), x.get(), k);
	return array::adopt(made);
}

/** The memory of the k-th shard, without a copy: where its element 0, 0, ... is, and in
 * strides_out (8 numbers, or NULL) the bytes from one index to the next. Read only, valid while
 * the handle lives. NULL on failure: k out of range, the shard is in another process, more than
 * 8 dims. A shard without elements also gives NULL, without an error. */
inline const void *shard_borrow(const array &x, int64_t k, int64_t *strides_out,
	place at = place::here())
{
	const void * made = tsr_shard_borrow_at(at.text(), x.get(), k, strides_out);
	detail::settle(tsr_ctx_of(x.get()));
	return made;
}

/** Does every device of its sharding hold all of x? */
inline bool is_fully_replicated(const array &x)
{
	const bool made = tsr_is_fully_replicated(x.get());
	detail::settle(tsr_ctx_of(x.get()));
	return made;
}

/** One array made of pieces: pieces[k] is an array on the k-th of this process's devices, in the
 * order of the sharding, and has the dims of that device's part: from_shards(ctx, sharding,
 * TSR_DIMS(8, 2), pieces, 8). A process without devices of the sharding gives one piece, of
 * which only the dtype counts. Nothing is exchanged. Errors (TSR_ERROR_SHARDING,
 * TSR_ERROR_TYPE): a wrong number of pieces, dims, dtypes or devices that do not fit, a piece
 * with several shards. */
inline array from_shards(const within &ctx, const sharding &sharding_, const dims &dims_,
	const arrays &pieces)
{
	tsr_handle *made = tsr_from_shards_at(ctx.where(), ctx.get(), sharding_.get(), dims_,
		pieces.data(), pieces.size());
	return array::adopt(made);
}

/** An array of which each process gives what its devices need, as one block: of rows that are
 * split over eight devices, two of them here, from_local(sharding, x, TSR_DIMS(4096, 64)) takes
 * an f32[1024,64]. Along each dim x has all of the array, or the parts that devices of this
 * process have, one behind the other in their order, each once. x is on one device, or the same
 * on several; what a process without devices of the sharding gives is not looked at, but for
 * its dtype and rank. Nothing is exchanged: devices of several processes with the same part
 * must be given the same. Errors: another rank, or a dim of x that is neither (TSR_ERROR_TYPE). */
inline array from_local(const sharding &sharding_, const array &x, const dims &dims_,
	place at = place::here())
{
	tsr_handle *made = tsr_from_local_at(at.text(), sharding_.get(), x.get(), dims_);
	return array::adopt(made);
}

/** Opens n .npy files with as many rows each, which are the indices of dim 0, to give `rows` of
 * them at a time: batches_open(ctx, paths, 2, 128, .key = key). Never NULL; on failure there
 * are none. Errors: a file that cannot be read, is no .npy file, or is changed while it is open
 * (TSR_ERROR_FILE); a dtype that is none of ours, or an array with its first dim innermost
 * (TSR_ERROR_UNSUPPORTED); no dims, or other numbers of rows than the first file has
 * (TSR_ERROR_TYPE); fewer than one row, or more than the files have without .short_last
 * (TSR_ERROR_ARGUMENT); a spec that does not fit the mesh or an array (TSR_ERROR_SHARDING). */
inline tsr_batches *batches_open(const within &ctx, const char *const *paths, size_t n,
	int64_t rows, const batches_args &args = batches_args())
{
	tsr_batches * made = tsr_batches_open_at(ctx.where(), ctx.get(), paths, n, rows,
		args.get());
	detail::settle(ctx.get());
	return made;
}

/** How many batches an epoch has. 0 where they could not be opened. */
inline int64_t batches_count(const tsr_batches *b)
{
	const int64_t made = tsr_batches_count(b);
	return made;
}

/** Closes the files, ends the thread, and gives memory back. NULL is allowed. */
inline void batches_close(tsr_batches *b)
{
	tsr_batches_close(b);
}

/** Prints values to stdout, and then a newline, each time that the program runs:
 * debug_print("step {}: loss = {:.3f}", i, loss). format is as in Python's str.format(): {} is
 * the next value, {0} the first one, {{ and }} are braces. Values are printed as print() does,
 * or as a format spec behind a colon says, [[fill]align][sign][#][0][width][group][.precision]
 * [type], which means what it means there:
 *
 *     fill, align    a character, and < > ^, or = (behind the sign)     {:*^12}
 *     sign, 0        + - or a space; zeros behind the sign              {:+08.2f}
 *     group          , or _ between groups of digits                    {:,}
 *     type           of floats e E f F g G %, of integers these without a precision too, and
 * b d o x X (# puts 0b, 0o, 0x in front)             {:.1%} {:#x}
 *
 * A spec is for scalars. An array, or any value, has the spec of its text behind !s, with fill,
 * align, width and the most characters: {!s:>40}. Not supported: the types c and n, # of
 * floats, !r, and places with names, members or places inside. Outside bodies it prints at
 * once. In a mapped region every device prints its blocks, in the order of the devices; under
 * vmap() every element that differs; derivatives pass it by. Arguments are handles and C
 * numbers. Errors (TSR_ERROR_ARGUMENT): a place without a value, a value without a place,
 * braces that do not match, a spec that the value does not have. */
template <class... A>
void debug_print(const char *format, const A &...args)
{
	const detail::given<A...> given(args...);
	tsr_debug_print_at(nullptr, format, given.data(), given.size());
	detail::settle(detail::context_of(args...));
}

/** An error (TSR_ERROR_USER) at this line, each time that the program runs and an element of x
 * is infinite or no number: check_finite(loss, "the loss"). It tells the first such element,
 * its index, and in a mapped region the device. what: what the message calls x; NULL is legal.
 * x passes as it is: derivatives pass the check by, and under vmap() it is made for every
 * element. Error (TSR_ERROR_TYPE): x is not of floating or complex dtype. */
inline void check_finite(const array &x, const char *what, place at = place::here())
{
	tsr_check_finite_at(at.text(), x.get(), what);
	detail::settle(tsr_ctx_of(x.get()));
}

/** Saves the leaves of a tree, by their paths, as the checkpoint of a step in a folder, which is
 * made if it is not there: checkpoint_save("run", 100, TSR_TREE(mlp, &w)). Collective. The one
 * before must be complete, and is waited for. false on failure; then the folder is as it was.
 * Errors: a step below 0, or one that is there already, or a tree that differs between
 * processes (TSR_ERROR_ARGUMENT); a leaf of c128 (TSR_ERROR_UNSUPPORTED); a file that cannot be
 * written (TSR_ERROR_FILE); leaves as for read(). */
inline bool checkpoint_save(const char *dir, int64_t step, const tree &t,
	const checkpoint_save_args &args = checkpoint_save_args(), place at = place::here())
{
	const bool made = tsr_checkpoint_save_at(at.text(), dir, step, t.get(), args.get());
	detail::settle(detail::context_of_tree(t));
	return made;
}

/** Replaces the leaves of a tree by those of a checkpoint, which have the same paths, dtypes and
 * dims: checkpoint_load("run", 100, TSR_TREE(mlp, &w), .mesh = mesh, .spec = TSR_FOR_EACH(s)).
 * An absent leaf is loaded with any dtype and dims, or stays absent if it was saved so. Each
 * process reads the bytes that its devices need, and checks the hash of each MiB that it reads
 * whole. Collective. false on failure; `like` is then unchanged. Errors: there is no such
 * checkpoint, or it is damaged, or lacks a leaf (TSR_ERROR_FILE); a leaf of other dims or
 * another dtype (TSR_ERROR_TYPE); a number of specs that is not that of the leaves
 * (TSR_ERROR_ARGUMENT); as put() for specs. */
inline bool checkpoint_load(const char *dir, int64_t step, const tree &like,
	const checkpoint_load_args &args = checkpoint_load_args(), place at = place::here())
{
	const bool made = tsr_checkpoint_load_at(at.text(), dir, step, like.get(), args.get());
	detail::settle(detail::context_of_tree(like));
	return made;
}

/** The highest step of the complete checkpoints in a folder; -1: there is none, or an error (of
 * TSR_ERROR_FILE, the folder cannot be read). Folders without a sound index are left out.
 * Collective: checkpoint_latest(ctx, "run"). */
inline int64_t checkpoint_latest(const within &ctx, const char *dir)
{
	const int64_t made = tsr_checkpoint_latest_at(ctx.where(), ctx.get(), dir);
	detail::settle(ctx.get());
	return made;
}

/** Waits until the checkpoint that is being saved with .async is complete. Collective. false: it
 * failed (TSR_ERROR_FILE). True if there is none: checkpoint_wait(ctx). */
inline bool checkpoint_wait(const within &ctx)
{
	const bool made = tsr_checkpoint_wait_at(ctx.where(), ctx.get());
	detail::settle(ctx.get());
	return made;
}

/** The checkpoints in a folder, a line for each, by step: fputs(checkpoint_text(ctx, "run"),
 * stdout). Valid until the innermost scope ends. Error (TSR_ERROR_FILE, gives ""): the folder
 * cannot be read. Local. */
inline std::string checkpoint_text(const within &ctx, const char *dir)
{
	const char *made = tsr_checkpoint_text_at(ctx.where(), ctx.get(), dir);
	detail::settle(ctx.get());
	return detail::text_of(made);
}

/** Reads a checkpoint, every byte of it, and checks its hashes: checkpoint_verify(ctx, "run",
 * 100). false: it is not sound; the error says which file is damaged, and where
 * (TSR_ERROR_FILE). Local. */
inline bool checkpoint_verify(const within &ctx, const char *dir, int64_t step)
{
	const bool made = tsr_checkpoint_verify_at(ctx.where(), ctx.get(), dir, step);
	detail::settle(ctx.get());
	return made;
}

/** The sum over all i, by a fixed binary tree over i (docs/numerics.md); bool as i32. Does not
 * vary over the axes, except with groups, which may differ in size. psum(x, "x*y") */
inline array psum(const array &x, const char *axis, const group_args &args = group_args(),
	place at = place::here())
{
	tsr_handle *made = tsr_psum_at(at.text(), x.get(), axis, args.get());
	return array::adopt(made);
}

/** psum() divided by n; 16-bit floats in f32, rounded once; integers and bool give f32, integers
 * of 64 bits f64. Groups are of one size. */
inline array pmean(const array &x, const char *axis, const group_args &args = group_args(),
	place at = place::here())
{
	tsr_handle *made = tsr_pmean_at(at.text(), x.get(), axis, args.get());
	return array::adopt(made);
}

/** The largest x[i] over all i along an axis, in the dtype of x, compared as by maximum():
 * pmax(x, "x"). Otherwise as psum(). */
inline array pmax(const array &x, const char *axis, const group_args &args = group_args(),
	place at = place::here())
{
	tsr_handle *made = tsr_pmax_at(at.text(), x.get(), axis, args.get());
	return array::adopt(made);
}

/** The smallest x[i] over all i along an axis, in the dtype of x, compared as by minimum():
 * pmin(x, "x"). Otherwise as psum(). */
inline array pmin(const array &x, const char *axis, const group_args &args = group_args(),
	place at = place::here())
{
	tsr_handle *made = tsr_pmin_at(at.text(), x.get(), axis, args.get());
	return array::adopt(made);
}

/** All x[i] in order of i: stacked along a new dim of size n, or with .tiled concatenated along
 * a dim, whose size is multiplied by n. all_gather(x, "x", .dim = TSR_DIMS(0), .tiled = true) */
inline array all_gather(const array &x, const char *axis,
	const all_gather_args &args = all_gather_args(), place at = place::here())
{
	tsr_handle *made = tsr_all_gather_at(at.text(), x.get(), axis, args.get());
	return array::adopt(made);
}

/** The sum over all devices, of which each keeps its part along a dim: psum_scatter(x, "x", .dim
 * = TSR_DIMS(1), .tiled = true). */
inline array psum_scatter(const array &x, const char *axis,
	const psum_scatter_args &args = psum_scatter_args(), place at = place::here())
{
	tsr_handle *made = tsr_psum_scatter_at(at.text(), x.get(), axis, args.get());
	return array::adopt(made);
}

/** Device i cuts x into n parts along dim .split, sends part j to device j, and puts what comes
 * from j at place j along dim .concat: all_to_all(x, "x", .split = TSR_DIMS(1), .tiled = true). */
inline array all_to_all(const array &x, const char *axis,
	const all_to_all_args &args = all_to_all_args(), place at = place::here())
{
	tsr_handle *made = tsr_all_to_all_at(at.text(), x.get(), axis, args.get());
	return array::adopt(made);
}

/** Exchanges an axis with a dim of size n: all_to_all() with .split and .concat this dim, not
 * tiled. pswapaxes(x, "x", 0) */
inline array pswapaxes(const array &x, const char *axis, int dim,
	const group_args &args = group_args(), place at = place::here())
{
	tsr_handle *made = tsr_pswapaxes_at(at.text(), x.get(), axis, dim, args.get());
	return array::adopt(made);
}

/** Device d gets x[s] for each pair {s, d}. A device that is no destination gets zeros:
 * ppermute(x, "x", TSR_SHIFT(1)). Error (TSR_ERROR_ARGUMENT): a source or a destination that
 * occurs twice, or is not one of 0 .. n - 1. */
inline array ppermute(const array &x, const char *axis, tsr_perm perm,
	const group_args &args = group_args(), place at = place::here())
{
	tsr_handle *made = tsr_ppermute_at(at.text(), x.get(), axis, perm, args.get());
	return array::adopt(made);
}

/** Device i gets x[source[i]]; source is a permutation of 0 .. n - 1 and count is n: pshuffle(x,
 * "x", order, 4). */
inline array pshuffle(const array &x, const char *axis, const int *source, size_t count,
	const group_args &args = group_args(), place at = place::here())
{
	tsr_handle *made = tsr_pshuffle_at(at.text(), x.get(), axis, source, count, args.get());
	return array::adopt(made);
}

/** Every device gets x[source], 0 <= source < n: pbroadcast(x, "x", 0, .to = TSR_TO_INVARYING). */
inline array pbroadcast(const array &x, const char *axis, int source,
	const pbroadcast_args &args = pbroadcast_args(), place at = place::here())
{
	tsr_handle *made = tsr_pbroadcast_at(at.text(), x.get(), axis, source, args.get());
	return array::adopt(made);
}

/** Device i sends send_sizes[j] rows of operand, from row input_offsets[j] on, to device j.
 * There they go into the result from row output_offsets[j] on, with the output_offsets of
 * device i. Rows that nobody writes are those of output. recv_sizes[j]: how many rows come from
 * j. operand and output have the same dtype, and the same dims except dim 0. The four lists are
 * integers of dims [n], or [m * n] for m pieces for each device. Gradients are right if
 * recv_sizes is, and if no row is sent twice or written twice. ragged_all_to_all(operand,
 * output, input_offsets, send_sizes, output_offsets, recv_sizes, "x") */
inline array ragged_all_to_all(const array &operand, const array &output,
	const array &input_offsets, const array &send_sizes, const array &output_offsets,
	const array &recv_sizes, const char *axis, const group_args &args = group_args(),
	place at = place::here())
{
	tsr_handle *made = tsr_ragged_all_to_all_at(at.text(), operand.get(), output.get(),
		input_offsets.get(), send_sizes.get(), output_offsets.get(), recv_sizes.get(), axis,
		args.get());
	return array::adopt(made);
}

/** The device's own i, an i32 scalar: axis_index(x, "x"), where x only says which context. */
inline array axis_index(const within &ctx, const char *axis, const group_args &args = group_args())
{
	tsr_handle *made = tsr_axis_index_at(ctx.where(), ctx.get(), axis, args.get());
	return array::adopt(made);
}

/** n, known while tracing: axis_size(x, "x*y"). Groups are of one size. 0 on failure. */
inline int64_t axis_size(const within &ctx, const char *axis, const group_args &args = group_args())
{
	const int64_t made = tsr_axis_size_at(ctx.where(), ctx.get(), axis, args.get());
	detail::settle(ctx.get());
	return made;
}

/** x, typed as varying over the axes. Nothing is moved, so there are no groups: pcast(x, "x",
 * .to = TSR_TO_VARYING). Errors (TSR_ERROR_SHARDING): x varies over one of them already; .to is
 * TSR_TO_INVARYING, which only a collective can make true. */
inline array pcast(const array &x, const char *axis, const pcast_args &args = pcast_args(),
	place at = place::here())
{
	tsr_handle *made = tsr_pcast_at(at.text(), x.get(), axis, args.get());
	return array::adopt(made);
}

/** Ends the run in progress before its next step, or the next run if there is none: it fails
 * with TSR_ERROR_CANCELLED, and its results are poison; arrays that were donated to it are
 * gone. May be called from any thread, and from signal handlers. Most steps take microseconds
 * to milliseconds; a long one, such as a large product, is done first. NULL is ignored. */
inline void cancel(const context &ctx)
{
	tsr_cancel(ctx.get());
	detail::settle(ctx.get());
}

/** Raises an error (TSR_ERROR_USER) with this text and returns poison: in a body, `return
 * fail(x, "rate < 0");`. */
inline array fail(const within &ctx, const char *text)
{
	tsr_handle *made = tsr_fail_at(ctx.where(), ctx.get(), text);
	return array::adopt(made);
}

/** Bytes in use, their peak, and bytes held, buffers and programs included: memory(ctx).peak. */
inline tsr_memory_info memory(const context &ctx)
{
	const tsr_memory_info made = tsr_memory(ctx.get());
	detail::settle(ctx.get());
	return made;
}

/** Fills a record that begins with its own size, and gives true. The texts live until close().
 * Error (TSR_ERROR_ARGUMENT, gives false): info is NULL, or its size is 0.
 *
 *     tsr_engine_info e = {.size = sizeof e};
 *     if (engine(ctx, &e) && !e.compiles) printf("interpreted: %s\n", e.why_not); */
inline bool engine(const context &ctx, tsr_engine_info *info)
{
	const bool made = tsr_engine(ctx.get(), info);
	detail::settle(ctx.get());
	return made;
}

/** Which of the processes of the context this one is, from 0; 0 where there is one, and of NULL. */
inline int process(const context &ctx)
{
	const int made = tsr_process(ctx.get());
	detail::settle(ctx.get());
	return made;
}

/** How many processes the context has: 1 unless it was opened with a .comm, and of NULL. */
inline int process_count(const context &ctx)
{
	const int made = tsr_process_count(ctx.get());
	detail::settle(ctx.get());
	return made;
}

/** How many devices the context has, those of all its processes together. */
inline int64_t device_count(const context &ctx)
{
	const int64_t made = tsr_device_count(ctx.get());
	detail::settle(ctx.get());
	return made;
}

/** The k-th device, 0 <= k < device_count(); id -1 for another k. */
inline tsr_device_info device(const context &ctx, int64_t k)
{
	const tsr_device_info made = tsr_device(ctx.get(), k);
	detail::settle(ctx.get());
	return made;
}

/** The name of a device by its id, "cpu:0"; "" for another id. Valid until the innermost scope
 * ends. */
inline std::string device_text(const context &ctx, int64_t id)
{
	const char *made = tsr_device_text(ctx.get(), id);
	detail::settle(ctx.get());
	return detail::text_of(made);
}

/** n numbers from start to stop in equal steps: linspace(ctx, 0, 1, 5). Error
 * (TSR_ERROR_ARGUMENT): n < 0. */
inline array linspace(const within &ctx, const operand &start, const operand &stop, int64_t n,
	const linspace_args &args = linspace_args())
{
	tsr_handle *made = tsr_linspace_at(ctx.where(), ctx.get(), start.arg(), stop.arg(), n,
		args.get());
	return array::adopt(made);
}

/** n numbers, .base to the power of those of linspace(): logspace(ctx, 0, 3, 4) is 1, 10, 100,
 * 1000. Error (TSR_ERROR_ARGUMENT): n < 0. */
inline array logspace(const within &ctx, const operand &start, const operand &stop, int64_t n,
	const logspace_args &args = logspace_args())
{
	tsr_handle *made = tsr_logspace_at(ctx.where(), ctx.get(), start.arg(), stop.arg(), n,
		args.get());
	return array::adopt(made);
}

/** n numbers from start to stop in equal ratios: geomspace(ctx, 1, 8, 4) is 1, 2, 4, 8. Error
 * (TSR_ERROR_ARGUMENT): n < 0. */
inline array geomspace(const within &ctx, const operand &start, const operand &stop, int64_t n,
	const linspace_args &args = linspace_args())
{
	tsr_handle *made = tsr_geomspace_at(ctx.where(), ctx.get(), start.arg(), stop.arg(), n,
		args.get());
	return array::adopt(made);
}

/** Bartlett's window of n numbers, which rises from 0 to 1 in one line and falls in another; f32
 * when no dtype is given. */
inline array bartlett(const within &ctx, int64_t n, const new_args &args = new_args())
{
	tsr_handle *made = tsr_bartlett_at(ctx.where(), ctx.get(), n, args.get());
	return array::adopt(made);
}

/** Blackman's window of n numbers, 0.42 - 0.5 cos(2 pi i / (n - 1)) + 0.08 cos(4 pi i / (n -
 * 1)); f32 when no dtype is given. */
inline array blackman(const within &ctx, int64_t n, const new_args &args = new_args())
{
	tsr_handle *made = tsr_blackman_at(ctx.where(), ctx.get(), n, args.get());
	return array::adopt(made);
}

/** Hamming's window of n numbers, 0.54 - 0.46 cos(2 pi i / (n - 1)); f32 when no dtype is given. */
inline array hamming(const within &ctx, int64_t n, const new_args &args = new_args())
{
	tsr_handle *made = tsr_hamming_at(ctx.where(), ctx.get(), n, args.get());
	return array::adopt(made);
}

/** Hann's window of n numbers, 0.5 - 0.5 cos(2 pi i / (n - 1)); f32 when no dtype is given. */
inline array hanning(const within &ctx, int64_t n, const new_args &args = new_args())
{
	tsr_handle *made = tsr_hanning_at(ctx.where(), ctx.get(), n, args.get());
	return array::adopt(made);
}

/** Kaiser's window of n numbers, i0(beta sqrt(1 - (2 i / (n - 1) - 1)^2)) / i0(beta); f32 when
 * no dtype is given. */
inline array kaiser(const within &ctx, int64_t n, double beta, const new_args &args = new_args())
{
	tsr_handle *made = tsr_kaiser_at(ctx.where(), ctx.get(), n, beta, args.get());
	return array::adopt(made);
}

/** Each element less the one before it along a dim; bool: whether they differ. diff(x, .n = 2).
 * Errors: x without dims (TSR_ERROR_ARGUMENT). */
inline array diff(const array &x, const diff_args &args = diff_args(), place at = place::here())
{
	tsr_handle *made = tsr_diff_at(at.text(), x.get(), args.get());
	return array::adopt(made);
}

/** The differences of neighbours of all elements of x, ravelled, [size - 1]: diff(ravel(x)). */
inline array ediff1d(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_ediff1d_at(at.text(), x.get());
	return array::adopt(made);
}

/** Slopes along a dim: (x[i + 1] - x[i - 1]) / 2 h, at the ends the difference of the last two
 * over h. h is the distance, or an array of one dim with the places of elements: gradient(x, 0,
 * 1.0). Errors (TSR_ERROR_TYPE): less than two elements, places of another size. */
inline array gradient(const array &x, int dim, const operand &h)
{
	tsr_handle *made = tsr_gradient_at(h.where(), x.get(), dim, h.arg());
	return array::adopt(made);
}

/** The area below the lines between the values, along a dim: trapezoid(y, .dx = 0.1). */
inline array trapezoid(const array &y, const trapezoid_args &args = trapezoid_args(),
	place at = place::here())
{
	tsr_handle *made = tsr_trapezoid_at(at.text(), y.get(), args.get());
	return array::adopt(made);
}

/** Angles without jumps: a step along the dim of more than half a period is taken as one of
 * less. Not complex. */
inline array unwrap(const array &x, const unwrap_args &args = unwrap_args(),
	place at = place::here())
{
	tsr_handle *made = tsr_unwrap_at(at.text(), x.get(), args.get());
	return array::adopt(made);
}

/** The value of a polynomial at each element of x, p[0] x^(n - 1) + ... + p[n - 1], with the
 * dims of x. */
inline array polyval(const array &p, const array &x, place at = place::here())
{
	tsr_handle *made = tsr_polyval_at(at.text(), p.get(), x.get());
	return array::adopt(made);
}

/** The coefficients of the sum of two polynomials, as many as the longer of a and b has. */
inline array polyadd(const array &a, const array &b, place at = place::here())
{
	tsr_handle *made = tsr_polyadd_at(at.text(), a.get(), b.get());
	return array::adopt(made);
}

/** The coefficients of the polynomial a less the polynomial b, as many as the longer one has. */
inline array polysub(const array &a, const array &b, place at = place::here())
{
	tsr_handle *made = tsr_polysub_at(at.text(), a.get(), b.get());
	return array::adopt(made);
}

/** The coefficients of the product of two polynomials, in floats: polymul(a, b) of [m] and [n]
 * is [m + n - 1]. */
inline array polymul(const array &a, const array &b, place at = place::here())
{
	tsr_handle *made = tsr_polymul_at(at.text(), a.get(), b.get());
	return array::adopt(made);
}

/** The m-th derivative of a polynomial, in floats: polyder(p, 1). Error (TSR_ERROR_ARGUMENT): m
 * < 0. */
inline array polyder(const array &p, int m, place at = place::here())
{
	tsr_handle *made = tsr_polyder_at(at.text(), p.get(), m);
	return array::adopt(made);
}

/** The m-th integral of a polynomial, with 0 as the constants, in floats: polyint(p, 1). Error
 * (TSR_ERROR_ARGUMENT): m < 0. */
inline array polyint(const array &p, int m, place at = place::here())
{
	tsr_handle *made = tsr_polyint_at(at.text(), p.get(), m);
	return array::adopt(made);
}

/** The polynomial with these zeros and 1 as its first coefficient, in floats; with no zeros, the
 * number 1. */
inline array poly(const array &zeros, place at = place::here())
{
	tsr_handle *made = tsr_poly_at(at.text(), zeros.get());
	return array::adopt(made);
}

/** The n - 1 zeros of a polynomial, complex; those that are 0 come last. For each coefficient in
 * front that is 0 there is one zero less, and a NaN at the end (strip_zeros=False): roots(p). */
inline array roots(const array &p, place at = place::here())
{
	tsr_handle *made = tsr_roots_at(at.text(), p.get());
	return array::adopt(made);
}

/** Prints the report of a call to stdout: explain(f, a, b). It names, with lines of your source:
 * each collective, the most expensive first, with its axes, bytes, number of times and expected
 * time, for what it is, and what would remove it; what is made whole, with the reason of the
 * operation; the memory of a device by line; where each value is, and why. */
template <class... A>
void explain(const fn &f, const A &...args)
{
	const detail::given<A...> given(args...);
	tsr_explain_at(nullptr, f.get(), given.data(), given.size());
	detail::settle(tsr_fn_ctx(f.get()));
}

/** Runs a call twice, the first time to make its machine code and the second time to measure it,
 * and prints the report of explain() with what that took. Beside what is expected the report
 * then has what the steps of each line took, of all workers together. Further errors: a fn that
 * donates arguments (TSR_ERROR_ARGUMENT), a call while a body is traced (TSR_ERROR_HANDLE), a
 * profile that is being written (TSR_ERROR_ARGUMENT). */
template <class... A>
void explain_measured(const fn &f, const A &...args)
{
	const detail::given<A...> given(args...);
	tsr_explain_measured_at(nullptr, f.get(), given.data(), given.size());
	detail::settle(tsr_fn_ctx(f.get()));
}

/** The report as text: explain_text(f, a, b). Valid until the innermost scope ends; "" on
 * failure. */
template <class... A>
std::string explain_text(const fn &f, const A &...args)
{
	const detail::given<A...> given(args...);
	const char *made = tsr_explain_text_at(nullptr, f.get(), given.data(), given.size());
	detail::settle(tsr_fn_ctx(f.get()));
	return detail::text_of(made);
}

/** The report as JSON: an object with "name", "mesh", "costs" (the fields of tsr_costs),
 * "collectives", "memory" and "values". Valid until the innermost scope ends; "" on failure. */
template <class... A>
std::string explain_json(const fn &f, const A &...args)
{
	const detail::given<A...> given(args...);
	const char *made = tsr_explain_json_at(nullptr, f.get(), given.data(), given.size());
	detail::settle(tsr_fn_ctx(f.get()));
	return detail::text_of(made);
}

/** The report as one HTML page that needs no other file. Valid until the innermost scope ends;
 * "" on failure. */
template <class... A>
std::string explain_html(const fn &f, const A &...args)
{
	const detail::given<A...> given(args...);
	const char *made = tsr_explain_html_at(nullptr, f.get(), given.data(), given.size());
	detail::settle(tsr_fn_ctx(f.get()));
	return detail::text_of(made);
}

/** Fills the record, of which .size says how much the caller knows: tsr_costs c = {.size =
 * sizeof c}; fn_costs(f, &c, a, b). False, with zeros, on failure. */
template <class... A>
bool fn_costs(const fn &f, tsr_costs *costs, const A &...args)
{
	const detail::given<A...> given(args...);
	const bool made = tsr_fn_costs_at(nullptr, f.get(), costs, given.data(), given.size());
	detail::settle(tsr_fn_ctx(f.get()));
	return made;
}

/** Checks what a call exchanges, for tests: expect_collectives("psum=1 all_gather=0
 * bytes<=4096", f, a, b). expected: conditions with blanks between them. A condition is a name,
 * one of = < <= > >=, and a number. Names are those of primitives that exchange (psum, pmax,
 * pmin, all_gather, psum_scatter, all_to_all, ragged_all_to_all, ppermute, pbroadcast,
 * exchange, psort), `collectives` for all of them, and `bytes`. Those in a loop count once for
 * each of its steps. False, with an error, where a condition is not true (TSR_ERROR_USER; the
 * message ends with the report), or the text has something that is none (TSR_ERROR_ARGUMENT). */
template <class... A>
bool expect_collectives(const char *expected, const fn &f, const A &...args)
{
	const detail::given<A...> given(args...);
	const bool made = tsr_expect_collectives_at(nullptr, expected, f.get(),
		given.data(), given.size());
	detail::settle(tsr_fn_ctx(f.get()));
	return made;
}

/** A fn that runs the program in a text, which is copied. */
inline fn parse(const within &ctx, const char *text)
{
	tsr_fn *made = tsr_parse_at(ctx.where(), ctx.get(), text);
	detail::settle(ctx.get());
	return fn(made);
}

/** Reads the text of a program from a file, and makes a fn of it as parse() does:
 * load_program(ctx, "double.tsr"). Also: the file is missing or unreadable (TSR_ERROR_FILE). */
inline fn load_program(const within &ctx, const char *path)
{
	tsr_fn *made = tsr_load_program_at(ctx.where(), ctx.get(), path);
	detail::settle(ctx.get());
	return fn(made);
}

/** The text of a fn from parse() or load_program(), as the printer writes it: parsing it again
 * gives an equal fn. Lives until close(). Error (TSR_ERROR_ARGUMENT, gives ""): another kind of
 * fn, whose text depends on a call (fn_text()). */
inline std::string program_text(const fn &f, place at = place::here())
{
	const char *made = tsr_program_text_at(at.text(), f.get());
	detail::settle(tsr_fn_ctx(f.get()));
	return detail::text_of(made);
}

/** The program of a fn from parse() or load_program() as a graph, in Graphviz' language, as
 * fn_graph(). Valid until the innermost scope ends. */
inline std::string program_graph(const fn &f, place at = place::here())
{
	const char *made = tsr_program_graph_at(at.text(), f.get());
	detail::settle(tsr_fn_ctx(f.get()));
	return detail::text_of(made);
}

/** The program of a fn from parse() or load_program() after a pass of the compiler, as a fn that
 * can be printed. Error (TSR_ERROR_ARGUMENT): another kind of fn, another pass. */
inline fn program_pass(const fn &f, const char *pass, place at = place::here())
{
	tsr_fn *made = tsr_program_pass_at(at.text(), f.get(), pass);
	detail::settle(tsr_fn_ctx(f.get()));
	return fn(made);
}

/** How many results a fn from parse() or load_program() gives; 0 for another kind of fn. */
inline size_t program_results(const fn &f)
{
	const size_t made = tsr_program_results(f.get());
	detail::settle(tsr_fn_ctx(f.get()));
	return made;
}

/** The name of the k-th pass that program_pass() knows; NULL: there are no more. */
inline std::string pass_name(int64_t k)
{
	const char *made = tsr_pass_name(k);
	return detail::text_of(made);
}

/** What the k-th pass makes of a program, in a few words; NULL: there are no more. */
inline std::string pass_meaning(int64_t k)
{
	const char *made = tsr_pass_meaning(k);
	return detail::text_of(made);
}

/** All primitives of program text, in two lines each: its operands and parameters, and its
 * meaning. `tsr prims` prints it. Belongs to the innermost scope. */
inline std::string prims_text(const context &ctx)
{
	const char *made = tsr_prims_text(ctx.get());
	detail::settle(ctx.get());
	return detail::text_of(made);
}

/** The discrete Fourier transform of x along one dim, complex: fft(x, .dim = TSR_DIMS(0)). */
inline array fft(const array &x, const fft_args &args = fft_args(), place at = place::here())
{
	tsr_handle *made = tsr_fft_at(at.text(), x.get(), args.get());
	return array::adopt(made);
}

/** The inverse of fft() along one dim, complex also where all imaginary parts are 0: ifft(y). */
inline array ifft(const array &x, const fft_args &args = fft_args(), place at = place::here())
{
	tsr_handle *made = tsr_ifft_at(at.text(), x.get(), args.get());
	return array::adopt(made);
}

/** The first half of the transform of a real x: n / 2 + 1 elements. Complex x: TSR_ERROR_TYPE. */
inline array rfft(const array &x, const fft_args &args = fft_args(), place at = place::here())
{
	tsr_handle *made = tsr_rfft_at(at.text(), x.get(), args.get());
	return array::adopt(made);
}

/** The inverse of rfft() along one dim, n real numbers: irfft(y, .n = 7). */
inline array irfft(const array &x, const fft_args &args = fft_args(), place at = place::here())
{
	tsr_handle *made = tsr_irfft_at(at.text(), x.get(), args.get());
	return array::adopt(made);
}

/** The real transform of a signal whose second half is the conjugate of the first, which x is. */
inline array hfft(const array &x, const fft_args &args = fft_args(), place at = place::here())
{
	tsr_handle *made = tsr_hfft_at(at.text(), x.get(), args.get());
	return array::adopt(made);
}

/** The inverse of hfft() along one dim, complex, of a real x: ihfft(y). */
inline array ihfft(const array &x, const fft_args &args = fft_args(), place at = place::here())
{
	tsr_handle *made = tsr_ihfft_at(at.text(), x.get(), args.get());
	return array::adopt(made);
}

/** The discrete Fourier transform along several dims, one after the other: fftn(x, .dims =
 * TSR_DIMS(0, 2)). */
inline array fftn(const array &x, const fftn_args &args = fftn_args(), place at = place::here())
{
	tsr_handle *made = tsr_fftn_at(at.text(), x.get(), args.get());
	return array::adopt(made);
}

/** The inverse of fftn() along the dims in .dims, complex: ifftn(y). */
inline array ifftn(const array &x, const fftn_args &args = fftn_args(), place at = place::here())
{
	tsr_handle *made = tsr_ifftn_at(at.text(), x.get(), args.get());
	return array::adopt(made);
}

/** rfft() along the last of the dims, fft() along the others. */
inline array rfftn(const array &x, const fftn_args &args = fftn_args(), place at = place::here())
{
	tsr_handle *made = tsr_rfftn_at(at.text(), x.get(), args.get());
	return array::adopt(made);
}

/** The inverse of rfftn() along the dims in .dims, real: irfftn(y, .lengths = TSR_DIMS(8, 7),
 * .dims = TSR_DIMS(-2, -1)). */
inline array irfftn(const array &x, const fftn_args &args = fftn_args(), place at = place::here())
{
	tsr_handle *made = tsr_irfftn_at(at.text(), x.get(), args.get());
	return array::adopt(made);
}

/** The discrete Fourier transform along the last two dims, fftn(x, .dims = TSR_DIMS(-2, -1)). */
inline array fft2(const array &x, const fftn_args &args = fftn_args(), place at = place::here())
{
	tsr_handle *made = tsr_fft2_at(at.text(), x.get(), args.get());
	return array::adopt(made);
}

/** The inverse transform along the last two dims, ifftn(x, .dims = TSR_DIMS(-2, -1)). */
inline array ifft2(const array &x, const fftn_args &args = fftn_args(), place at = place::here())
{
	tsr_handle *made = tsr_ifft2_at(at.text(), x.get(), args.get());
	return array::adopt(made);
}

/** The transform of real numbers along the last two dims, rfftn(x, .dims = TSR_DIMS(-2, -1)). */
inline array rfft2(const array &x, const fftn_args &args = fftn_args(), place at = place::here())
{
	tsr_handle *made = tsr_rfft2_at(at.text(), x.get(), args.get());
	return array::adopt(made);
}

/** The inverse transform to real numbers along the last two dims, irfftn(x, .dims = TSR_DIMS(-2,
 * -1)). */
inline array irfft2(const array &x, const fftn_args &args = fftn_args(), place at = place::here())
{
	tsr_handle *made = tsr_irfft2_at(at.text(), x.get(), args.get());
	return array::adopt(made);
}

/** The frequencies of the elements of fft() of n samples: 0, 1, .. and then the negative ones,
 * by n d. fftfreq(ctx, 8, .d = 0.1) */
inline array fftfreq(const within &ctx, int64_t n, const fftfreq_args &args = fftfreq_args())
{
	tsr_handle *made = tsr_fftfreq_at(ctx.where(), ctx.get(), n, args.get());
	return array::adopt(made);
}

/** The frequencies of the elements of rfft(), which are not negative: [n / 2 + 1], f32 when no
 * dtype is given: rfftfreq(ctx, 8). */
inline array rfftfreq(const within &ctx, int64_t n, const fftfreq_args &args = fftfreq_args())
{
	tsr_handle *made = tsr_rfftfreq_at(ctx.where(), ctx.get(), n, args.get());
	return array::adopt(made);
}

/** The elements of x with frequency 0 moved from the front to the middle of the dims:
 * fftshift(y). */
inline array fftshift(const array &x, const fftshift_args &args = fftshift_args(),
	place at = place::here())
{
	tsr_handle *made = tsr_fftshift_at(at.text(), x.get(), args.get());
	return array::adopt(made);
}

/** The inverse of fftshift(): the zero frequency moves from the middle of each dim to the front. */
inline array ifftshift(const array &x, const fftshift_args &args = fftshift_args(),
	place at = place::here())
{
	tsr_handle *made = tsr_ifftshift_at(at.text(), x.get(), args.get());
	return array::adopt(made);
}

/** Angles in degrees, converted to radians: x pi / 180. Also complex. */
inline array deg2rad(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_deg2rad_at(at.text(), x.get());
	return array::adopt(made);
}

/** Angles in radians, converted to degrees: 180 x / pi. Also complex. */
inline array rad2deg(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_rad2deg_at(at.text(), x.get());
	return array::adopt(made);
}

/** The angle of a complex number, between -pi and pi; of real ones 0 or pi. */
inline array angle(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_angle_at(at.text(), x.get());
	return array::adopt(made);
}

/** The logarithm of x to the base 2, a float: log2(x). Also complex. */
inline array log2(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_log2_at(at.text(), x.get());
	return array::adopt(made);
}

/** The logarithm of x to the base 10, a float: log10(x). Also complex. */
inline array log10(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_log10_at(at.text(), x.get());
	return array::adopt(made);
}

/** 1 / x for each element, in floats. Also complex. */
inline array reciprocal(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_reciprocal_at(at.text(), x.get());
	return array::adopt(made);
}

/** The absolute value |x| of each element, in floats. */
inline array fabs(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_fabs_at(at.text(), x.get());
	return array::adopt(made);
}

/** a to the power b for each pair of elements, in floats. Also complex. */
inline array float_power(const operand &a, const operand &b)
{
	const tsr_arg ab[2] = {a.arg(), b.arg()};
	tsr_handle *made = tsr_float_power_at(a.where(), ab);
	return array::adopt(made);
}

/** sqrt(a^2 + b^2), which does not overflow on the way. */
inline array hypot(const operand &a, const operand &b)
{
	const tsr_arg ab[2] = {a.arg(), b.arg()};
	tsr_handle *made = tsr_hypot_at(a.where(), ab);
	return array::adopt(made);
}

/** log(e^a + e^b), which does not overflow on the way. */
inline array logaddexp(const operand &a, const operand &b)
{
	const tsr_arg ab[2] = {a.arg(), b.arg()};
	tsr_handle *made = tsr_logaddexp_at(a.where(), ab);
	return array::adopt(made);
}

/** log2(2^a + 2^b) for each pair of elements, which does not overflow on the way. */
inline array logaddexp2(const operand &a, const operand &b)
{
	const tsr_arg ab[2] = {a.arg(), b.arg()};
	tsr_handle *made = tsr_logaddexp2_at(a.where(), ab);
	return array::adopt(made);
}

/** sin(pi x) / (pi x); 1 at 0, with the derivatives there. Also complex. */
inline array sinc(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_sinc_at(at.text(), x.get());
	return array::adopt(made);
}

/** The largest whole number <= a / b, in the dtype of a and b; x / 0 is that of div() for
 * floats, and for integers one less where a < 0. floor_divide(x, 3) */
inline array floor_divide(const operand &a, const operand &b)
{
	const tsr_arg ab[2] = {a.arg(), b.arg()};
	tsr_handle *made = tsr_floor_divide_at(a.where(), ab);
	return array::adopt(made);
}

/** What floor_divide() leaves, with the sign of b; of integers 0 for b = 0. */
inline array remainder(const operand &a, const operand &b)
{
	const tsr_arg ab[2] = {a.arg(), b.arg()};
	tsr_handle *made = tsr_remainder_at(a.where(), ab);
	return array::adopt(made);
}

/** floor_divide() and remainder(), to out[0] and out[1]. false: both are poison. */
inline std::array<array, 2> divmod(const operand &a, const operand &b)
{
	tsr_handle *out[2] = {};
	tsr_divmod_at(a.where(), a.arg(), b.arg(), out);
	detail::settle(detail::context_or(a, nullptr));
	return detail::take(out);
}

/** What a / b towards 0 leaves, with the sign of a; of integers 0 for b = 0. */
inline array fmod(const operand &a, const operand &b)
{
	const tsr_arg ab[2] = {a.arg(), b.arg()};
	tsr_handle *made = tsr_fmod_at(a.where(), ab);
	return array::adopt(made);
}

/** The whole number next to x towards 0; integers are left as they are. */
inline array trunc(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_trunc_at(at.text(), x.get());
	return array::adopt(made);
}

/** The nearest whole number as a float, ties to even. Complex: each part. */
inline array rint(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_rint_at(at.text(), x.get());
	return array::adopt(made);
}

/** The greatest common divisor of a and b, which is not negative; 0 where both are. Integers. It
 * has no derivative in reverse mode. */
inline array gcd(const operand &a, const operand &b)
{
	const tsr_arg ab[2] = {a.arg(), b.arg()};
	tsr_handle *made = tsr_gcd_at(a.where(), ab);
	return array::adopt(made);
}

/** The least common multiple, not negative; 0 where a or b is. Integers. */
inline array lcm(const operand &a, const operand &b)
{
	const tsr_arg ab[2] = {a.arg(), b.arg()};
	tsr_handle *made = tsr_lcm_at(a.where(), ab);
	return array::adopt(made);
}

/** The upper half of the bits of the product a b, in the dtype of a and b. Integers. */
inline array mulhi(const operand &a, const operand &b)
{
	const tsr_arg ab[2] = {a.arg(), b.arg()};
	tsr_handle *made = tsr_mulhi_at(a.where(), ab);
	return array::adopt(made);
}

/** x - trunc(x) and trunc(x), to out[0] and out[1]. false: both are poison. */
inline std::array<array, 2> modf(const array &x, place at = place::here())
{
	tsr_handle *out[2] = {};
	tsr_modf_at(at.text(), x.get(), out);
	detail::settle(tsr_ctx_of(x.get()));
	return detail::take(out);
}

/** How many bits of |x| are set, for each element, u8. Integers and bool. */
inline array bitwise_count(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_bitwise_count_at(at.text(), x.get());
	return array::adopt(made);
}

/** x as m 2^e with 1/2 <= |m| < 1: m to out[0], and e, i32, to out[1]; of 0, infinities and NaN
 * x and 0. false: both are poison. */
inline std::array<array, 2> frexp(const array &x, place at = place::here())
{
	tsr_handle *out[2] = {};
	tsr_frexp_at(at.text(), x.get(), out);
	detail::settle(tsr_ctx_of(x.get()));
	return detail::take(out);
}

/** a 2^b for each pair of elements, a as floats and b of integers. Error (TSR_ERROR_TYPE): a b
 * that is not of integers. */
inline array ldexp(const operand &a, const operand &b)
{
	const tsr_arg ab[2] = {a.arg(), b.arg()};
	tsr_handle *made = tsr_ldexp_at(a.where(), ab);
	return array::adopt(made);
}

/** The distance from x to the number next to it, away from 0. */
inline array spacing(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_spacing_at(at.text(), x.get());
	return array::adopt(made);
}

/** Is the sign bit set? bool; of integers: is x < 0? */
inline array signbit(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_signbit_at(at.text(), x.get());
	return array::adopt(made);
}

/** |a| with the sign bit of b, for each pair of elements, in floats. */
inline array copysign(const operand &a, const operand &b)
{
	const tsr_arg ab[2] = {a.arg(), b.arg()};
	tsr_handle *made = tsr_copysign_at(a.where(), ab);
	return array::adopt(made);
}

/** 0 where a < 0, 1 where a > 0, b where a is 0. */
inline array heaviside(const operand &a, const operand &b)
{
	const tsr_arg ab[2] = {a.arg(), b.arg()};
	tsr_handle *made = tsr_heaviside_at(a.where(), ab);
	return array::adopt(made);
}

/** Whether each element is infinite, in a part where it is complex: bool. Also complex. */
inline array isinf(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_isinf_at(at.text(), x.get());
	return array::adopt(made);
}

/** Whether each element is +infinite, a bool: isposinf(x). */
inline array isposinf(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_isposinf_at(at.text(), x.get());
	return array::adopt(made);
}

/** Whether each element is -infinite, a bool: isneginf(x). */
inline array isneginf(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_isneginf_at(at.text(), x.get());
	return array::adopt(made);
}

/** Whether the imaginary part of each element is other than 0: bool, false for real dtypes. Also
 * complex. */
inline array iscomplex(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_iscomplex_at(at.text(), x.get());
	return array::adopt(made);
}

/** Whether the imaginary part of each element is 0: bool, true for real dtypes. Also complex. */
inline array isreal(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_isreal_at(at.text(), x.get());
	return array::adopt(made);
}

/** The larger one of a and b, element by element; a number wins over NaN. */
inline array fmax(const operand &a, const operand &b)
{
	const tsr_arg ab[2] = {a.arg(), b.arg()};
	tsr_handle *made = tsr_fmax_at(a.where(), ab);
	return array::adopt(made);
}

/** The smaller one of a and b, element by element; a number wins over NaN. */
inline array fmin(const operand &a, const operand &b)
{
	const tsr_arg ab[2] = {a.arg(), b.arg()};
	tsr_handle *made = tsr_fmin_at(a.where(), ab);
	return array::adopt(made);
}

/** 0 for NaN, the largest and the lowest number of the dtype for infinities. Complex: each part.
 * nan_to_num(x, .nan = TSR_ARG(-1)) */
inline array nan_to_num(const array &x, const nan_to_num_args &args = nan_to_num_args(),
	place at = place::here())
{
	tsr_handle *made = tsr_nan_to_num_at(at.text(), x.get(), args.get());
	return array::adopt(made);
}

/** |a - b| <= atol + rtol |b|, or a == b; bool. NaN is close to nothing. NumPy's usual numbers:
 * isclose(a, b, 1e-5, 1e-8). Also complex. */
inline array isclose(const operand &a, const operand &b, double rtol, double atol)
{
	tsr_handle *made = tsr_isclose_at(a.where(), a.arg(), b.arg(), rtol, atol);
	return array::adopt(made);
}

/** Whether one of a and b is other than 0 and the other is not, for each pair of elements: a
 * bool. Also complex. */
inline array logical_xor(const operand &a, const operand &b)
{
	const tsr_arg ab[2] = {a.arg(), b.arg()};
	tsr_handle *made = tsr_logical_xor_at(a.where(), ab);
	return array::adopt(made);
}

/** The elements of the first of the n arrays whose condition is not 0, and `otherwise` where
 * none is: select(conditions, x, 2, 0). */
inline array select(const arrays &conditions, const arrays &x, const operand &otherwise)
{
	tsr_handle *made = tsr_select_at(otherwise.where(), conditions.data(), x.data(),
		conditions.size(), otherwise.arg());
	return array::adopt(made);
}

/** The elements of array number i, integers, of n: moved to the nearest one with TSR_CLIP,
 * modulo n with TSR_WRAP. Error (TSR_ERROR_ARGUMENT): another mode. */
inline array choose(const array &i, const arrays &x, enum tsr_index_mode mode,
	place at = place::here())
{
	tsr_handle *made = tsr_choose_at(at.text(), i.get(), x.data(), x.size(), mode);
	return array::adopt(made);
}

/** The gamma function; NaN at negative whole numbers. */
inline array gamma_function(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_gamma_function_at(at.text(), x.get());
	return array::adopt(made);
}

/** The sign of the gamma function; NaN at negative whole numbers. */
inline array gammasgn(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_gammasgn_at(at.text(), x.get());
	return array::adopt(made);
}

/** The logarithm of the gamma function, lgamma(x) for x > 0, else NaN. */
inline array log_gamma(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_log_gamma_at(at.text(), x.get());
	return array::adopt(made);
}

/** x! for each element, as gamma(x + 1); 0 where x is below 0. */
inline array factorial(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_factorial_at(at.text(), x.get());
	return array::adopt(made);
}

/** The beta function gamma(a) gamma(b) / gamma(a + b). */
inline array beta_function(const operand &a, const operand &b)
{
	const tsr_arg ab[2] = {a.arg(), b.arg()};
	tsr_handle *made = tsr_beta_function_at(a.where(), ab);
	return array::adopt(made);
}

/** The logarithm of the absolute value of beta_function(), for floats: betaln(a, b). */
inline array betaln(const operand &a, const operand &b)
{
	const tsr_arg ab[2] = {a.arg(), b.arg()};
	tsr_handle *made = tsr_betaln_at(a.where(), ab);
	return array::adopt(made);
}

/** How many ways there are to choose b of a things; 0 outside. */
inline array comb(const operand &a, const operand &b)
{
	const tsr_arg ab[2] = {a.arg(), b.arg()};
	tsr_handle *made = tsr_comb_at(a.where(), ab);
	return array::adopt(made);
}

/** Pochhammer's symbol gamma(a + b) / gamma(a) for each pair of elements. */
inline array poch(const operand &a, const operand &b)
{
	const tsr_arg ab[2] = {a.arg(), b.arg()};
	tsr_handle *made = tsr_poch_at(a.where(), ab);
	return array::adopt(made);
}

/** The logarithm of the gamma function of d x d matrices: multigammaln(x, 3). Error
 * (TSR_ERROR_ARGUMENT): d is less than 1. */
inline array multigammaln(const array &x, int d, place at = place::here())
{
	tsr_handle *made = tsr_multigammaln_at(at.text(), x.get(), d);
	return array::adopt(made);
}

/** The modified Bessel function of the first kind and order 0 of x; bessel_i0e() does not
 * overflow. */
inline array i0(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_i0_at(at.text(), x.get());
	return array::adopt(made);
}

/** The modified Bessel function of the first kind and order 1 of x; bessel_i1e() does not
 * overflow. */
inline array i1(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_i1_at(at.text(), x.get());
	return array::adopt(made);
}

/** Box and Cox' transform (a^b - 1) / b for each pair of elements, and log(a) for b = 0. */
inline array boxcox(const operand &a, const operand &b)
{
	const tsr_arg ab[2] = {a.arg(), b.arg()};
	tsr_handle *made = tsr_boxcox_at(a.where(), ab);
	return array::adopt(made);
}

/** Box and Cox' transform of 1 + a, boxcox(1 + a, b), exact where a is near 0. */
inline array boxcox1p(const operand &a, const operand &b)
{
	const tsr_arg ab[2] = {a.arg(), b.arg()};
	tsr_handle *made = tsr_boxcox1p_at(a.where(), ab);
	return array::adopt(made);
}

/** a log(b) for each pair of elements; 0 where a is 0, unless b is NaN. */
inline array xlogy(const operand &a, const operand &b)
{
	const tsr_arg ab[2] = {a.arg(), b.arg()};
	tsr_handle *made = tsr_xlogy_at(a.where(), ab);
	return array::adopt(made);
}

/** a log(1 + b) for each pair of elements; 0 where a is 0, unless b is NaN. */
inline array xlog1py(const operand &a, const operand &b)
{
	const tsr_arg ab[2] = {a.arg(), b.arg()};
	tsr_handle *made = tsr_xlog1py_at(a.where(), ab);
	return array::adopt(made);
}

/** The entropy -x log(x) for each element; 0 at 0, and -inf below 0. */
inline array entr(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_entr_at(at.text(), x.get());
	return array::adopt(made);
}

/** The relative entropy a log(a / b) for each pair of elements; 0 for a = 0 and b >= 0, inf
 * outside. */
inline array rel_entr(const operand &a, const operand &b)
{
	const tsr_arg ab[2] = {a.arg(), b.arg()};
	tsr_handle *made = tsr_rel_entr_at(a.where(), ab);
	return array::adopt(made);
}

/** Kullback and Leibler's divergence rel_entr(a, b) - a + b, for each pair of elements. */
inline array kl_div(const operand &a, const operand &b)
{
	const tsr_arg ab[2] = {a.arg(), b.arg()};
	tsr_handle *made = tsr_kl_div_at(a.where(), ab);
	return array::adopt(made);
}

/** log(x / (1 - x)) for each element, the inverse of logistic(). Also complex. */
inline array logit(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_logit_at(at.text(), x.get());
	return array::adopt(made);
}

/** The normal distribution: the integral of its density up to x. */
inline array ndtr(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_ndtr_at(at.text(), x.get());
	return array::adopt(made);
}

/** The logarithm of ndtr(), which does not underflow on the way. */
inline array log_ndtr(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_log_ndtr_at(at.text(), x.get());
	return array::adopt(made);
}

/** The x with ndtr(x) = p; infinite at 0 and 1, NaN outside. */
inline array ndtri(const array &p, place at = place::here())
{
	tsr_handle *made = tsr_ndtri_at(at.text(), p.get());
	return array::adopt(made);
}

/** Writes the leaves of a tree to a file. Absent leaves are left out: save(TSR_TREE(mlp, &w),
 * "mlp.npz"). A .safetensors file is what the library of that name writes, with the larger
 * dtypes first; an .npz file is what numpy.savez writes. In both, each array is aligned where
 * the file is mapped. false on failure; then the file is as it was. Errors: an ending that is
 * neither, two leaves of one name, a name that is no text (TSR_ERROR_ARGUMENT); a dtype that
 * the format lacks, a build without the library that the format needs (TSR_ERROR_UNSUPPORTED);
 * the file cannot be written (TSR_ERROR_FILE); what read() says of leaves. */
inline bool save(const tree &t, const char *path, const save_args &args = save_args(),
	place at = place::here())
{
	const bool made = tsr_save_at(at.text(), t.get(), path, args.get());
	detail::settle(detail::context_of_tree(t));
	return made;
}

/** Reads the arrays with the names of the leaves into the leaves of `to`. They have the dtypes
 * and dims that the file says, which may hold others too: load(TSR_TREE(mlp, &w), "mlp.npz"),
 * load(to, "model.safetensors", .names = TSR_NAMES("fc.weight", "fc.bias"), .turned =
 * TSR_NAMES("fc.weight")). Each process reads for itself. false on failure; `to` is then
 * unchanged. Errors: a file that is missing or malformed, or lacks a name (TSR_ERROR_FILE);
 * dtypes and kinds of compression that are not supported (TSR_ERROR_UNSUPPORTED); an ending
 * that is neither, a number of names or specs that is not that of the leaves
 * (TSR_ERROR_ARGUMENT); as put() for specs. */
template <class T>
bool load(T &to, const char *path, const load_args &args = load_args(),
	place at = place::here())
{
	detail::written<T> to_to(to);
	const bool made = tsr_load_at(at.text(), to_to.get(), path, args.get());
	detail::settle(detail::context_of(to));
	to_to.take();
	return made;
}

/** Reads the array in a .npy file, with its dtype and dims, to the first device: load_npy(ctx,
 * "x.npy"). Errors: a file that is missing, unreadable, truncated or malformed
 * (TSR_ERROR_FILE), a dtype that is not supported (TSR_ERROR_UNSUPPORTED). Each process reads
 * for itself. */
inline array load_npy(const within &ctx, const char *path)
{
	tsr_handle *made = tsr_load_npy_at(ctx.where(), ctx.get(), path);
	return array::adopt(made);
}

/** Reads an array from the n bytes of a .npy file in memory, which are copied: read_npy(ctx,
 * bytes, n). Errors as load_npy(). */
inline array read_npy(const within &ctx, const void *bytes, size_t n)
{
	tsr_handle *made = tsr_read_npy_at(ctx.where(), ctx.get(), bytes, n);
	return array::adopt(made);
}

/** Writes all of x, version 1 (2 for a long header), little endian, C order. false on failure:
 * the file cannot be written (TSR_ERROR_FILE), or x cannot be read, as for read(). save_npy(x,
 * "x.npy"). */
inline bool save_npy(const array &x, const char *path, place at = place::here())
{
	const bool made = tsr_save_npy_at(at.text(), x.get(), path);
	detail::settle(tsr_ctx_of(x.get()));
	return made;
}

/** What is in a file of arrays, .npy, .npz or .safetensors: a line for each array, in the order
 * of the file, with its name, its type and its bytes: fputs(file_text(ctx, "mlp.npz"), stdout).
 * Valid until the innermost scope ends. Errors as load(), gives "". */
inline std::string file_text(const within &ctx, const char *path)
{
	const char *made = tsr_file_text_at(ctx.where(), ctx.get(), path);
	detail::settle(ctx.get());
	return detail::text_of(made);
}

/** Numbers in columns of a text, on the first device, as numpy.loadtxt reads them: [rows,
 * columns]; [rows] of one column, [columns] of one row, [] of one number, [0] of none. Empty
 * lines are left out. load_text(ctx, "data.csv", .delimiter = ",", .skip = 1). Floats are what
 * Python's float() reads, complex numbers 1+2j, whole numbers and bool (0 is false) have no
 * point. Errors: a file that cannot be read, a text that is no number of the dtype, rows of
 * different lengths (TSR_ERROR_FILE, with the number of the line); a delimiter of more than one
 * character, a negative .skip (TSR_ERROR_ARGUMENT). */
inline array load_text(const within &ctx, const char *path,
	const load_text_args &args = load_text_args())
{
	tsr_handle *made = tsr_load_text_at(ctx.where(), ctx.get(), path, args.get());
	return array::adopt(made);
}

/** x for another library, which shares its memory and must not write there: the record says so
 * (DLPACK_FLAG_BITMASK_READ_ONLY). x is on one device, or whole on each. The memory stays until
 * `deleter` is called, also when close() comes before. In Python a PyCapsule with the name
 * "dltensor_versioned" holds it. NULL on failure. Errors: x is split (TSR_ERROR_SHARDING:
 * shard_data() gives each part), memory that the host cannot read (TSR_ERROR_UNSUPPORTED), what
 * read() says. */
inline tsr_dlpack *to_dlpack(const array &x, place at = place::here())
{
	tsr_dlpack * made = tsr_to_dlpack_at(at.text(), x.get());
	detail::settle(tsr_ctx_of(x.get()));
	return made;
}

/** x for a library that knows only the record of DLPack without a version, otherwise as
 * to_dlpack(): in Python, a PyCapsule "dltensor". NumPy takes such memory as read only; others
 * may write to it, and must not. */
inline tsr_dlpack_old *to_dlpack_old(const array &x, place at = place::here())
{
	tsr_dlpack_old * made = tsr_to_dlpack_old_at(at.text(), x.get());
	detail::settle(tsr_ctx_of(x.get()));
	return made;
}

/** An array in the memory of another library, on the first device, without a copy. The memory
 * must not change while the array lives; then the record's `deleter` is called, from any
 * thread; on failure, at once. Errors: NULL, dims or strides that are none
 * (TSR_ERROR_ARGUMENT); another version than 1, memory of another device than the host, dtypes
 * that are none of ours (TSR_ERROR_UNSUPPORTED). tsr *x = from_dlpack(ctx, tensor); */
inline array from_dlpack(const within &ctx, tsr_dlpack *from_)
{
	tsr_handle *made = tsr_from_dlpack_at(ctx.where(), ctx.get(), from_);
	return array::adopt(made);
}

/** An array in the memory of another library, from the record of DLPack without a version,
 * otherwise as from_dlpack(). */
inline array from_dlpack_old(const within &ctx, tsr_dlpack_old *from_)
{
	tsr_handle *made = tsr_from_dlpack_old_at(ctx.where(), ctx.get(), from_);
	return array::adopt(made);
}

/** x @ kernel + bias: x [..., in], kernel [in, out ...], bias [out ...]. Also complex. linear(x,
 * w.kernel, w.bias), linear(x, kernel, NULL) */
inline array linear(const array &x, const array &kernel, const array &bias,
	const linear_args &args = linear_args(), place at = place::here())
{
	tsr_handle *made = tsr_linear_at(at.text(), x.get(), kernel.get(), bias.get(), args.get());
	return array::adopt(made);
}

/** The rows of a table [n, features] that integers name, [..., features]: embed(words, table).
 * Negative ones count from the end, as in take(); others that name none give NaN, but if n is 1
 * all give that row. Further error (TSR_ERROR_TYPE): x is not of integers. */
inline array embed(const array &x, const array &table, const linear_args &args = linear_args(),
	place at = place::here())
{
	tsr_handle *made = tsr_embed_at(at.text(), x.get(), table.get(), args.get());
	return array::adopt(made);
}

/** A convolution: x [batch ..., spatial ..., in], with any number of dims as the batch, or none,
 * kernel [window ..., in / groups, out], bias [out]: conv(x, kernel, bias, .strides =
 * TSR_DIMS(2, 2)). Windows are those of conv_general_dilated(). Also complex. Further errors
 * (TSR_ERROR_ARGUMENT): those of its keywords, TSR_CAUSAL along several dims. */
inline array conv(const array &x, const array &kernel, const array &bias,
	const conv_layer_args &args = conv_layer_args(), place at = place::here())
{
	tsr_handle *made = tsr_conv_at(at.text(), x.get(), kernel.get(), bias.get(), args.get());
	return array::adopt(made);
}

/** By the mean and variance of each row, or of .dims: layer_norm(x, scale, bias). */
inline array layer_norm(const array &x, const array &scale, const array &bias,
	const layer_norm_args &args = layer_norm_args(), place at = place::here())
{
	tsr_handle *made = tsr_layer_norm_at(at.text(), x.get(), scale.get(), bias.get(),
		args.get());
	return array::adopt(made);
}

/** x / sqrt(mean of x^2 + epsilon) * scale: rms_norm(x, scale). */
inline array rms_norm(const array &x, const array &scale,
	const layer_norm_args &args = layer_norm_args(), place at = place::here())
{
	tsr_handle *made = tsr_rms_norm_at(at.text(), x.get(), scale.get(), args.get());
	return array::adopt(made);
}

/** By means over groups of as many features, the last dim, and over all dims but the first one:
 * group_norm(x, 32, scale, bias). 0 groups: .group_size says. Error (TSR_ERROR_ARGUMENT): they
 * do not divide the features. */
inline array group_norm(const array &x, int64_t groups, const array &scale, const array &bias,
	const group_norm_args &args = group_norm_args(), place at = place::here())
{
	tsr_handle *made = tsr_group_norm_at(at.text(), x.get(), groups, scale.get(), bias.get(),
		args.get());
	return array::adopt(made);
}

/** By the mean and variance of each feature over all other dims. mean and var, [features], are
 * running averages: new = momentum old + (1 - momentum) that of the batch, in the dtype of the
 * old one. To train: y = batch_norm(x, scale, bias, s.mean, s.var, .new_mean = &t.mean,
 * .new_var = &t.var); afterwards .use_running_average = true normalizes by mean and var
 * themselves, and they stay. In jit() means are of the whole batch, however it is cut; inside
 * maps .axis = "x" takes them over all devices of an axis. */
inline array batch_norm(const array &x, const array &scale, const array &bias, const array &mean,
	const array &var, const batch_norm_args &args = batch_norm_args(), place at = place::here())
{
	tsr_handle *made = tsr_batch_norm_at(at.text(), x.get(), scale.get(), bias.get(),
		mean.get(), var.get(), args.get());
	return array::adopt(made);
}

/** Elements are 0 with the probability rate, the others x / (1 - rate): dropout(key, x, 0.1,
 * .deterministic = !training). The key may be NULL where nothing is drawn. A mask depends on
 * the key and the dims of x, however x is cut; inside shard_map() that is each device's block,
 * or with .whole and .start the block's part of the whole. Errors: a rate that is not between 0
 * and 1 (TSR_ERROR_ARGUMENT), x of integers (TSR_ERROR_TYPE). Also complex. */
inline array dropout(const array &key, const array &x, double rate,
	const dropout_args &args = dropout_args(), place at = place::here())
{
	tsr_handle *made = tsr_dropout_at(at.text(), key.get(), x.get(), rate, args.get());
	return array::adopt(made);
}

/** tanh(x @ kernel + bias + h @ recurrent): kernel [in, hidden], recurrent [hidden, hidden],
 * bias [hidden]. h = rnn_cell(h, x, w.kernel, w.recurrent, w.bias) */
inline array rnn_cell(const array &h, const array &x, const array &kernel, const array &recurrent,
	const array &bias, const rnn_cell_args &args = rnn_cell_args(), place at = place::here())
{
	tsr_handle *made = tsr_rnn_cell_at(at.text(), h.get(), x.get(), kernel.get(),
		recurrent.get(), bias.get(), args.get());
	return array::adopt(made);
}

/** i, f, g, o = x @ kernel + h @ recurrent + bias: kernel [in, 4 hidden], recurrent [hidden, 4
 * hidden], bias [4 hidden]. out[0], the new c [..., hidden], is logistic(f) c + logistic(i)
 * tanh(g); out[1], the new h, logistic(o) tanh(new c). lstm_cell(c, h, x, w.kernel,
 * w.recurrent, w.bias, out). false: both are poison. */
inline std::array<array, 2> lstm_cell(const array &c, const array &h, const array &x,
	const array &kernel, const array &recurrent, const array &bias,
	const lstm_cell_args &args = lstm_cell_args(), place at = place::here())
{
	tsr_handle *out[2] = {};
	tsr_lstm_cell_at(at.text(), c.get(), h.get(), x.get(), kernel.get(), recurrent.get(),
		bias.get(), out, args.get());
	detail::settle(tsr_ctx_of(c.get()));
	return detail::take(out);
}

/** r, z, n = x @ kernel + bias, and s, y, m = h @ recurrent: kernel [in, 3 hidden], recurrent
 * [hidden, 3 hidden], bias [3 hidden]. With u = logistic(z + y), the new h is (1 - u) tanh(n +
 * logistic(r + s) (m + .recurrent_bias)) + u h. h = gru_cell(h, x, w.kernel, w.recurrent,
 * w.bias) */
inline array gru_cell(const array &h, const array &x, const array &kernel, const array &recurrent,
	const array &bias, const gru_cell_args &args = gru_cell_args(), place at = place::here())
{
	tsr_handle *made = tsr_gru_cell_at(at.text(), h.get(), x.get(), kernel.get(),
		recurrent.get(), bias.get(), args.get());
	return array::adopt(made);
}

/** The lower triangular L of a = L L^H, a Hermitian and positive definite; of others NaN on and
 * below the diagonal. [..., n, n] to the same: cholesky(a, .upper = true). */
inline array cholesky(const array &a, const cholesky_args &args = cholesky_args(),
	place at = place::here())
{
	tsr_handle *made = tsr_cholesky_at(at.text(), a.get(), args.get());
	return array::adopt(made);
}

/** The x of x op(a) = b with triangular a, [..., m, m] and [..., n, m], of equal leading dims;
 * with .left_side of op(a) x = b, and b [..., m, n]. */
inline array triangular_solve(const array &a, const array &b,
	const triangular_solve_args &args = triangular_solve_args(), place at = place::here())
{
	tsr_handle *made = tsr_triangular_solve_at(at.text(), a.get(), b.get(), args.get());
	return array::adopt(made);
}

/** The x of a x = b with triangular a [..., m, m] and b [..., m, n], whose leading dims are
 * broadcast; b may be one vector [m]: solve_triangular(L, b, .lower = true). Error
 * (TSR_ERROR_ARGUMENT): .trans that is not 0, 1 or 2. */
inline array solve_triangular(const array &a, const array &b,
	const solve_triangular_args &args = solve_triangular_args(), place at = place::here())
{
	tsr_handle *made = tsr_solve_triangular_at(at.text(), a.get(), b.get(), args.get());
	return array::adopt(made);
}

/** The x of a x = b from the Cholesky factor of a, which is upper unless .lower says otherwise;
 * dims as for solve_triangular(). */
inline array cho_solve(const array &factor, const array &b,
	const cho_solve_args &args = cho_solve_args(), place at = place::here())
{
	tsr_handle *made = tsr_cho_solve_at(at.text(), factor.get(), b.get(), args.get());
	return array::adopt(made);
}

/** Of a [..., m, n], with k the smaller of m and n: out[0] [..., m, n], the upper triangular U
 * with L below it, whose diagonal is 1 and not stored; out[1] i32[..., k]: row i was swapped
 * with row out[1][i], one after the other; out[2] i32[..., m]: the order of the rows that this
 * makes. L U is a in that order of rows. lu(a, out) */
inline std::array<array, 3> lu(const array &a, place at = place::here())
{
	tsr_handle *out[3] = {};
	tsr_lu_at(at.text(), a.get(), out);
	detail::settle(tsr_ctx_of(a.get()));
	return detail::take(out);
}

/** a = q r: out[0], q, [..., m, k], whose columns are orthogonal and of size 1; out[1], r, [...,
 * k, n], upper triangular. The smaller of m and n is k, or m with .full_matrices. qr(a, out) */
inline std::array<array, 2> qr(const array &a, const qr_args &args = qr_args(),
	place at = place::here())
{
	tsr_handle *out[2] = {};
	tsr_qr_at(at.text(), a.get(), out, args.get());
	detail::settle(tsr_ctx_of(a.get()));
	return detail::take(out);
}

/** Of a Hermitian a [..., n, n]: out[0], the eigenvalues, rising, real, [..., n]; out[1], the
 * eigenvectors, as columns, whose signs (of complex ones, factors of size 1) are any. eigh(a,
 * out) */
inline std::array<array, 2> eigh(const array &a, const eigh_args &args = eigh_args(),
	place at = place::here())
{
	tsr_handle *out[2] = {};
	tsr_eigh_at(at.text(), a.get(), out, args.get());
	detail::settle(tsr_ctx_of(a.get()));
	return detail::take(out);
}

/** The eigenvalues of eigh() without the vectors: eigvalsh(a). */
inline array eigvalsh(const array &a, const eigh_args &args = eigh_args(), place at = place::here())
{
	tsr_handle *made = tsr_eigvalsh_at(at.text(), a.get(), args.get());
	return array::adopt(made);
}

/** a = u s vh: out[0], u, whose columns are orthogonal and of size 1; out[1], the singular
 * values, falling, real, [..., k]; out[2], vh, likewise by rows. svd(a, out, .thin = true) */
inline std::array<array, 3> svd(const array &a, const svd_args &args = svd_args(),
	place at = place::here())
{
	tsr_handle *out[3] = {};
	tsr_svd_at(at.text(), a.get(), out, args.get());
	detail::settle(tsr_ctx_of(a.get()));
	return detail::take(out);
}

/** The singular values of svd() without the vectors: svdvals(a). */
inline array svdvals(const array &a, place at = place::here())
{
	tsr_handle *made = tsr_svdvals_at(at.text(), a.get());
	return array::adopt(made);
}

/** Polar factors, a = u h of a [..., m, n]: out[0], u, of its size, whose columns (of a wide a,
 * rows) are orthogonal and of size 1; out[1], h, [..., n, n], Hermitian, without negative
 * eigenvalues. By singular values: any a has factors, and nothing has to converge. polar(a,
 * out) */
inline std::array<array, 2> polar(const array &a, place at = place::here())
{
	tsr_handle *out[2] = {};
	tsr_polar_at(at.text(), a.get(), out);
	detail::settle(tsr_ctx_of(a.get()));
	return detail::take(out);
}

/** out[0], the eigenvalues w, complex, [..., n], in any order; out[1], the eigenvectors v of a v
 * = w v, complex, as columns, of size 1, whose largest elements are real; with .left out[2],
 * likewise those of v^H a = w v^H, and nothing without. Where there are fewer vectors than
 * columns, some are alike. Vectors have derivatives where eigenvalues are different and one
 * element of a vector is the largest one. eig(a, out, .left = true) */
inline std::array<array, 3> eig(const array &a, const eig_args &args = eig_args(),
	place at = place::here())
{
	tsr_handle *out[3] = {};
	tsr_eig_at(at.text(), a.get(), out, args.get());
	detail::settle(tsr_ctx_of(a.get()));
	return detail::take(out);
}

/** The eigenvalues of eig() without the vectors: eigvals(a). */
inline array eigvals(const array &a, place at = place::here())
{
	tsr_handle *made = tsr_eigvals_at(at.text(), a.get());
	return array::adopt(made);
}

/** The Schur form, a = q t q^H: out[0], t, upper triangular, but of a real a with two rows [x b;
 * c x], b c < 0, for each two eigenvalues that are conjugate; out[1], q, whose columns are
 * orthogonal and of size 1. astype(a, TSR_C128) has a triangular one. No derivative. schur(a,
 * out) */
inline std::array<array, 2> schur(const array &a, place at = place::here())
{
	tsr_handle *out[2] = {};
	tsr_schur_at(at.text(), a.get(), out);
	detail::settle(tsr_ctx_of(a.get()));
	return detail::take(out);
}

/** The Hessenberg form h of a = q h q^H: out[0] has h on and above the diagonal and in the
 * elements next to it, and below these the vectors of the reflections that make q; out[1],
 * [..., n - 1], their factors. Without its first row and column, which are those of 1, q is
 * householder_product() of out[0] without its first row and last column. No derivative.
 * hessenberg(a, out) */
inline std::array<array, 2> hessenberg(const array &a, place at = place::here())
{
	tsr_handle *out[2] = {};
	tsr_hessenberg_at(at.text(), a.get(), out);
	detail::settle(tsr_ctx_of(a.get()));
	return detail::take(out);
}

/** The tridiagonal form of a Hermitian a, of which the lower triangle is read: out[0] as of
 * hessenberg(), in that triangle, and a in the other one; out[1], [..., n], the diagonal, and
 * out[2], [..., n - 1], the numbers beside it, both real; out[3], the factors of the
 * reflections. No derivative. tridiagonal(a, out) */
inline std::array<array, 4> tridiagonal(const array &a,
	const tridiagonal_args &args = tridiagonal_args(), place at = place::here())
{
	tsr_handle *out[4] = {};
	tsr_tridiagonal_at(at.text(), a.get(), out, args.get());
	detail::settle(tsr_ctx_of(a.get()));
	return detail::take(out);
}

/** The x of a x = b; dims as for solve_triangular(). With a singular a, infinities and NaN:
 * solve(a, b). */
inline array solve(const array &a, const array &b, place at = place::here())
{
	tsr_handle *made = tsr_solve_at(at.text(), a.get(), b.get());
	return array::adopt(made);
}

/** The inverse of each matrix in the last two dims, [..., n, n]: inv(a). */
inline array inv(const array &a, place at = place::here())
{
	tsr_handle *made = tsr_inv_at(at.text(), a.get());
	return array::adopt(made);
}

/** The determinant of each matrix in the last two dims, [...] of [..., n, n]: det(a). */
inline array det(const array &a, place at = place::here())
{
	tsr_handle *made = tsr_det_at(at.text(), a.get());
	return array::adopt(made);
}

/** out[0], the sign of the determinant, or the number of size 1 that a complex one is a multiple
 * of; out[1], the logarithm of its size: slogdet(a, out). */
inline std::array<array, 2> slogdet(const array &a, place at = place::here())
{
	tsr_handle *out[2] = {};
	tsr_slogdet_at(at.text(), a.get(), out);
	detail::settle(tsr_ctx_of(a.get()));
	return detail::take(out);
}

/** How many singular values are more than rounding, [...]: matrix_rank(a). */
inline array matrix_rank(const array &a, const rank_args &args = rank_args(),
	place at = place::here())
{
	tsr_handle *made = tsr_matrix_rank_at(at.text(), a.get(), args.get());
	return array::adopt(made);
}

/** The pseudoinverse of a [..., m, n], [..., n, m], without the singular values that are no more
 * than rounding: pinv(a, .rtol = 1e-3). */
inline array pinv(const array &a, const rank_args &args = rank_args(), place at = place::here())
{
	tsr_handle *made = tsr_pinv_at(at.text(), a.get(), args.get());
	return array::adopt(made);
}

/** The x for which a x is nearest to b, a [m, n], b [m, k] or [m], and of several that of least
 * size. out[0], x, [n, k] or [n]; out[1], the sum of squares of b - a x for each column;
 * out[2], the rank of a; out[3], its singular values. lstsq(a, b, out) */
inline std::array<array, 4> lstsq(const array &a, const array &b,
	const rank_args &args = rank_args(), place at = place::here())
{
	tsr_handle *out[4] = {};
	tsr_lstsq_at(at.text(), a.get(), b.get(), out, args.get());
	detail::settle(tsr_ctx_of(a.get()));
	return detail::take(out);
}

/** The first n columns of the product q of the reflections: householder_product(a, taus). */
inline array householder_product(const array &a, const array &taus, place at = place::here())
{
	tsr_handle *made = tsr_householder_product_at(at.text(), a.get(), taus.get());
	return array::adopt(made);
}

/** q c for c [..., m, j], without q: ormqr(a, taus, c, .transpose = true). */
inline array ormqr(const array &a, const array &taus, const array &c,
	const ormqr_args &args = ormqr_args(), place at = place::here())
{
	tsr_handle *made = tsr_ormqr_at(at.text(), a.get(), taus.get(), c.get(), args.get());
	return array::adopt(made);
}

/** The x of a x = b with the tridiagonal a that has dl[i], d[i], du[i] in row i, on and beside
 * the diagonal, [..., n]; dl[0] and du[n - 1] are not read. b [..., n, k]. Its steps depend on
 * each other: tridiagonal_solve(dl, d, du, b). */
inline array tridiagonal_solve(const array &dl, const array &d, const array &du, const array &b,
	place at = place::here())
{
	tsr_handle *made = tsr_tridiagonal_solve_at(at.text(), dl.get(), d.get(), du.get(),
		b.get());
	return array::adopt(made);
}

/** The upper triangular factor, with a positive diagonal, of r^H r + w w^H, from that of r^H r,
 * [..., n, n], and w [..., n]: cholesky_update(r, w). */
inline array cholesky_update(const array &r, const array &w, place at = place::here())
{
	tsr_handle *made = tsr_cholesky_update_at(at.text(), r.get(), w.get());
	return array::adopt(made);
}

/** alpha a a^T + beta c, a [..., n, m], c [..., n, n]: symmetric_product(a, c, .beta = 1). */
inline array symmetric_product(const array &a, const array &c,
	const symmetric_product_args &args = symmetric_product_args(), place at = place::here())
{
	tsr_handle *made = tsr_symmetric_product_at(at.text(), a.get(), c.get(), args.get());
	return array::adopt(made);
}

/** The x of tensordot(a, x) = b: a [..., unknown dims], of which the first dims, as many as b
 * has, are those of its elements. x has the unknown dims. tensorsolve(a, b) */
inline array tensorsolve(const array &a, const array &b,
	const tensorsolve_args &args = tensorsolve_args(), place at = place::here())
{
	tsr_handle *made = tsr_tensorsolve_at(at.text(), a.get(), b.get(), args.get());
	return array::adopt(made);
}

/** The inverse of a taken for a matrix, whose rows are its first `ind` dims: [first, others] to
 * [others, first]. 2 is the usual number. Error (TSR_ERROR_ARGUMENT): these have not as many
 * elements as the others. tensorinv(a, 2) */
inline array tensorinv(const array &a, int ind, place at = place::here())
{
	tsr_handle *made = tsr_tensorinv_at(at.text(), a.get(), ind);
	return array::adopt(made);
}

/** The product of matrices, in the order that takes the least work; the first and the last one
 * may be vectors: multi_dot(a, b, c). */
inline array multi_dot(const arrays &x, place at = place::here())
{
	tsr_handle *made = tsr_multi_dot_at(at.text(), x.data(), x.size());
	return array::adopt(made);
}

/** e^a of square matrices, by scaling and squaring. With a norm above 250000 (f64: 350000), NaN,
 * as in JAX: expm(a). */
inline array expm(const array &a, place at = place::here())
{
	tsr_handle *made = tsr_expm_at(at.text(), a.get());
	return array::adopt(made);
}

/** The product of n matrices a, of the inverse for a negative n: matrix_power(a, 3). */
inline array matrix_power(const array &a, int n, place at = place::here())
{
	tsr_handle *made = tsr_matrix_power_at(at.text(), a.get(), n);
	return array::adopt(made);
}

/** The last two dims swapped: matrix_transpose(a). */
inline array matrix_transpose(const array &a, place at = place::here())
{
	tsr_handle *made = tsr_matrix_transpose_at(at.text(), a.get());
	return array::adopt(made);
}

/** (sum of |x|^p)^(1/p); the largest |x| for p = INFINITY, the least for -INFINITY, and how many
 * are not 0 for p = 0: vector_norm(x, .ord = 1, .dims = TSR_DIMS(0)). */
inline array vector_norm(const array &x, const norm_args &args = norm_args(),
	place at = place::here())
{
	tsr_handle *made = tsr_vector_norm_at(at.text(), x.get(), args.get());
	return array::adopt(made);
}

/** Norms of matrices, [..., m, n] to [...]: with .ord 1 the largest sum of sizes in a column,
 * with INFINITY in a row, with 2 the largest singular value; with minus that the smallest one.
 * matrix_norm(a, .nuclear = true) */
inline array matrix_norm(const array &x, const matrix_norm_args &args = matrix_norm_args(),
	place at = place::here())
{
	tsr_handle *made = tsr_matrix_norm_at(at.text(), x.get(), args.get());
	return array::adopt(made);
}

/** Without .ord, the root of the sum of squares over all dims given; else vector_norm() over one
 * dim, or matrix_norm() over two, rows first: norm(x, .ord = 1, .dims = TSR_DIMS(0, 1)). */
inline array norm(const array &x, const norm_args &args = norm_args(), place at = place::here())
{
	tsr_handle *made = tsr_norm_at(at.text(), x.get(), args.get());
	return array::adopt(made);
}

/** The norm of a by that of its inverse, [...] (jnp.linalg.cond): without keywords the largest
 * singular value over the smallest one, also of matrices that are not square: cond_number(a). */
inline array cond_number(const array &a, const cond_number_args &args = cond_number_args(),
	place at = place::here())
{
	tsr_handle *made = tsr_cond_number_at(at.text(), a.get(), args.get());
	return array::adopt(made);
}

/** -sum(labels log(softmax(logits))) over the classes. Labels are distributions, such as those
 * of one_hot(), broadcast with logits: softmax_cross_entropy(logits, labels). */
inline array softmax_cross_entropy(const array &logits, const array &labels,
	const classes_args &args = classes_args(), place at = place::here())
{
	tsr_handle *made = tsr_softmax_cross_entropy_at(at.text(), logits.get(), labels.get(),
		args.get());
	return array::adopt(made);
}

/** -log(softmax(logits)) of one class, which an integer names: labels have the dims of logits
 * but for that of the classes. Negative ones count from the end; what names no class gives NaN.
 * Further error (TSR_ERROR_TYPE): labels that are no integers. */
inline array softmax_cross_entropy_with_integer_labels(const array &logits, const array &labels,
	const classes_args &args = classes_args(), place at = place::here())
{
	tsr_handle *made = tsr_softmax_cross_entropy_with_integer_labels_at(at.text(), logits.get(),
		labels.get(), args.get());
	return array::adopt(made);
}

/** -labels log(logistic(logits)) - (1 - labels) log(1 - logistic(logits)), for yes or no: labels
 * are 0 or 1, or between, and broadcast with logits. */
inline array sigmoid_binary_cross_entropy(const array &logits, const array &labels,
	place at = place::here())
{
	tsr_handle *made = tsr_sigmoid_binary_cross_entropy_at(at.text(), logits.get(),
		labels.get());
	return array::adopt(made);
}

/** (predictions - targets)^2, of the same dims; targets may be NULL, which is 0. */
inline array squared_error(const array &predictions, const array &targets, place at = place::here())
{
	tsr_handle *made = tsr_squared_error_at(at.text(), predictions.get(), targets.get());
	return array::adopt(made);
}

/** Half of the squared difference of predictions and targets, for each element; targets that are
 * NULL count as 0. */
inline array l2_loss(const array &predictions, const array &targets, place at = place::here())
{
	tsr_handle *made = tsr_l2_loss_at(at.text(), predictions.get(), targets.get());
	return array::adopt(made);
}

/** e^2 / 2 for e = |predictions - targets| up to delta, and delta (e - delta / 2) above; targets
 * may be NULL, which is 0: huber_loss(y, t, .delta = 2). */
inline array huber_loss(const array &predictions, const array &targets,
	const huber_args &args = huber_args(), place at = place::here())
{
	tsr_handle *made = tsr_huber_loss_at(at.text(), predictions.get(), targets.get(),
		args.get());
	return array::adopt(made);
}

/** (1 - alpha) labels + alpha / the number of classes: labels for softmax_cross_entropy() that
 * leave each class a chance. smooth_labels(one_hot(classes, 10), 0.1). Further error
 * (TSR_ERROR_TYPE): labels that are no real floats. */
inline array smooth_labels(const array &labels, const operand &alpha,
	const classes_args &args = classes_args())
{
	tsr_handle *made = tsr_smooth_labels_at(alpha.where(), labels.get(), alpha.arg(),
		args.get());
	return array::adopt(made);
}

/** A mesh over devices in an order of one's own, row-major over the axes: mesh_make_devices(ctx,
 * ids, 8, {"x", 4}, {"y", 2}). device_ids: count ids; errors as above, and: count is not the
 * product of the sizes, an unknown or a repeated id. */
inline mesh mesh_make_devices(const within &ctx, const int64_t *device_ids, size_t count,
	std::initializer_list<tsr_axis> axes)
{
	tsr_mesh *made = tsr_mesh_make_devices_at(ctx.where(), ctx.get(), device_ids, count,
		axes.begin(), axes.size());
	detail::settle(ctx.get());
	return mesh(made);
}

/** How many axes a mesh has: 2 of mesh_make(ctx, {"x", 4}, {"y", 2}). */
inline int mesh_ndim(const mesh &m)
{
	const int made = tsr_mesh_ndim(m.get());
	detail::settle(tsr_mesh_ctx(m.get()));
	return made;
}

/** The k-th axis, 0 <= k < mesh_ndim(); {NULL, 0} for another k. */
inline tsr_axis mesh_axis(const mesh &m, int k)
{
	const tsr_axis made = tsr_mesh_axis(m.get(), k);
	detail::settle(tsr_mesh_ctx(m.get()));
	return made;
}

/** Number of devices: the product of the axis sizes. */
inline int64_t mesh_size(const mesh &m)
{
	const int64_t made = tsr_mesh_size(m.get());
	detail::settle(tsr_mesh_ctx(m.get()));
	return made;
}

/** Size of the axis of that name; 0 if there is none. */
inline int64_t mesh_axis_size(const mesh &m, const char *name)
{
	const int64_t made = tsr_mesh_axis_size(m.get(), name);
	detail::settle(tsr_mesh_ctx(m.get()));
	return made;
}

/** Id of the k-th device, row-major over the axes; -1 for k out of range. */
inline int64_t mesh_device(const mesh &m, int64_t k)
{
	const int64_t made = tsr_mesh_device(m.get(), k);
	detail::settle(tsr_mesh_ctx(m.get()));
	return made;
}

/** "Mesh('x': 2, 'y': 1, axis_types=(Auto, Auto), device_ids=[[0], [1]])": outside of
 * shard_map() the library decides along all axes (Auto). Lives as long as the mesh. */
inline std::string mesh_text(const mesh &m)
{
	const char *made = tsr_mesh_text(m.get());
	detail::settle(tsr_mesh_ctx(m.get()));
	return detail::text_of(made);
}

/** All on one device: sharding_device(ctx, 0). Error (TSR_ERROR_SHARDING): no device of that id. */
inline sharding sharding_device(const within &ctx, int64_t id)
{
	const tsr_sharding *made = tsr_sharding_device_at(ctx.where(), ctx.get(), id);
	detail::settle(ctx.get());
	return sharding(made);
}

/** A grid of devices without names, as JAX's PositionalSharding: sharding_positional(ctx,
 * TSR_DIMS(4, 2)), or of these ones, row-major: sharding_positional(ctx, TSR_DIMS(8),
 * TSR_DEVICES(ids)). An array of as many dims is cut in as many parts in each. It is a sharding
 * like all others, over a mesh whose axes have names of our own, and equivalent to named ones
 * that place alike. Errors (TSR_ERROR_SHARDING): a size < 1, more devices than there are,
 * another number of ids than the product of the sizes, an unknown or a repeated id. */
inline sharding sharding_positional(const within &ctx, const dims &dims_,
	const positional_args &args = positional_args())
{
	const tsr_sharding *made = tsr_sharding_positional_at(ctx.where(), ctx.get(), dims_,
		args.get());
	detail::settle(ctx.get());
	return sharding(made);
}

/** The grid of a positional sharding in another shape, row-major: sharding_reshape(s,
 * TSR_DIMS(8, 1)). One size may be -1: what is left over. Errors (TSR_ERROR_SHARDING): the
 * product of the sizes is another one, the sharding is not positional. */
inline sharding sharding_reshape(const sharding &sharding_, const dims &dims_,
	place at = place::here())
{
	const tsr_sharding *made = tsr_sharding_reshape_at(at.text(), sharding_.get(), dims_);
	return sharding(made);
}

/** The devices along dims of the grid hold the same: sharding_replicate(s, .dim = TSR_DIMS(1)),
 * or all, sharding_replicate(s). Errors: no such dim, or one twice (TSR_ERROR_ARGUMENT); the
 * sharding is not positional (TSR_ERROR_SHARDING). */
inline sharding sharding_replicate(const sharding &sharding_,
	const replicate_args &args = replicate_args(), place at = place::here())
{
	const tsr_sharding *made = tsr_sharding_replicate_at(at.text(), sharding_.get(),
		args.get());
	return sharding(made);
}

/** "NamedSharding(mesh=Mesh('x': 4, 'y': 2), spec=P('x', 'y'))", "PositionalSharding([[{CPU 0,
 * 1}] [{CPU 2, 3}]], shape=(2, 1))", with each row in a line, or
 * "SingleDeviceSharding(device=0)"; lives as long as the sharding. */
inline std::string sharding_text(const sharding &sharding_)
{
	const char *made = tsr_sharding_text(sharding_.get());
	return detail::text_of(made);
}

/** The mesh that a sharding is over; NULL for a sharding of one device. */
inline mesh sharding_mesh(const sharding &sharding_)
{
	tsr_mesh *made = tsr_sharding_mesh(sharding_.get());
	return mesh(made);
}

/** The spec of a sharding: entries as "x", "x*y" or NULL, trailing NULL entries dropped, but for
 * positional shardings; empty for one device. The texts live as long as the sharding. */
inline spec sharding_spec(const sharding &sharding_)
{
	const tsr_spec made = tsr_sharding_spec(sharding_.get());
	return spec(made);
}

/** Do both put every array of ndim dims on the same devices in the same parts?
 * sharding_equivalent(a, b, 2) */
inline bool sharding_equivalent(const sharding &a, const sharding &b, int ndim)
{
	const bool made = tsr_sharding_equivalent(a.get(), b.get(), ndim);
	return made;
}

/** Dims of the largest part of an array of these dims: ceil(dim / parts) each. Errors: a spec
 * longer than dims (TSR_ERROR_SHARDING), a negative dim (TSR_ERROR_ARGUMENT); the result is
 * then "not given" (d[0] == 0). */
inline dims sharding_shard_shape(const sharding &sharding_, const dims &dims_,
	place at = place::here())
{
	const tsr_dims made = tsr_sharding_shard_shape_at(at.text(), sharding_.get(), dims_);
	return dims(made);
}

/** Which part of an array of these dims the sharding's k-th device holds; false, and *out
 * untouched, on an error: as for sharding_shard_shape(), or k out of range
 * (TSR_ERROR_ARGUMENT). */
inline bool sharding_index(const sharding &sharding_, const dims &dims_, int64_t k, tsr_shard *out,
	place at = place::here())
{
	const bool made = tsr_sharding_index_at(at.text(), sharding_.get(), dims_, k, out);
	return made;
}

/** min(max(x, 0), 6), with the derivative 0 at 0 and 6. */
inline array relu6(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_relu6_at(at.text(), x.get());
	return array::adopt(made);
}

/** log(1 + e^x) for each element, which does not overflow on the way. */
inline array softplus(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_softplus_at(at.text(), x.get());
	return array::adopt(made);
}

/** 0 below -1, x above 1, (x + 1)^2 / 4 between. */
inline array sparse_plus(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_sparse_plus_at(at.text(), x.get());
	return array::adopt(made);
}

/** (x + 1) / 2 for each element, moved to 0 where it is below and to 1 where it is above. */
inline array sparse_sigmoid(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_sparse_sigmoid_at(at.text(), x.get());
	return array::adopt(made);
}

/** x / (1 + |x|) for each element, which is between -1 and 1. */
inline array soft_sign(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_soft_sign_at(at.text(), x.get());
	return array::adopt(made);
}

/** x logistic(x) for each element, in the dtype of x; also called swish. */
inline array silu(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_silu_at(at.text(), x.get());
	return array::adopt(made);
}

/** log(logistic(x)) for each element, which does not underflow on the way. */
inline array log_sigmoid(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_log_sigmoid_at(at.text(), x.get());
	return array::adopt(made);
}

/** min(max(x, -1), 1) for each element, in the dtype of x; integers stay integers. */
inline array hard_tanh(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_hard_tanh_at(at.text(), x.get());
	return array::adopt(made);
}

/** relu6(x + 3) / 6 for each element, a logistic function made of lines. */
inline array hard_sigmoid(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_hard_sigmoid_at(at.text(), x.get());
	return array::adopt(made);
}

/** x hard_sigmoid(x), also called hard_swish. */
inline array hard_silu(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_hard_silu_at(at.text(), x.get());
	return array::adopt(made);
}

/** x tanh(softplus(x)) for each element, in the dtype of x. */
inline array mish(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_mish_at(at.text(), x.get());
	return array::adopt(made);
}

/** log(1 - e^-x) for each element, exact where x is near 0. */
inline array log1mexp(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_log1mexp_at(at.text(), x.get());
	return array::adopt(made);
}

/** x for x >= 0, b x below: leaky_relu(x, 0.01). */
inline array leaky_relu(const operand &a, const operand &b)
{
	const tsr_arg ab[2] = {a.arg(), b.arg()};
	tsr_handle *made = tsr_leaky_relu_at(a.where(), ab);
	return array::adopt(made);
}

/** x for x > 0, b (e^x - 1) below: elu(x, 1.0). */
inline array elu(const operand &a, const operand &b)
{
	const tsr_arg ab[2] = {a.arg(), b.arg()};
	tsr_handle *made = tsr_elu_at(a.where(), ab);
	return array::adopt(made);
}

/** max(x, 0) + b (e^(min(x, 0) / b) - 1): celu(x, 1.0). */
inline array celu(const operand &a, const operand &b)
{
	const tsr_arg ab[2] = {a.arg(), b.arg()};
	tsr_handle *made = tsr_celu_at(a.where(), ab);
	return array::adopt(made);
}

/** 1.0507 times elu(x, 1.6733), the numbers to their last digit. */
inline array selu(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_selu_at(at.text(), x.get());
	return array::adopt(made);
}

/** (x + sqrt(x^2 + b)) / 2: squareplus(x, 4). */
inline array squareplus(const operand &a, const operand &b)
{
	const tsr_arg ab[2] = {a.arg(), b.arg()};
	tsr_handle *made = tsr_squareplus_at(a.where(), ab);
	return array::adopt(made);
}

/** x times the normal distribution at x, by tanh: gelu(x), gelu(x, .exact = true). */
inline array gelu(const array &x, const gelu_args &args = gelu_args(), place at = place::here())
{
	tsr_handle *made = tsr_gelu_at(at.text(), x.get(), args.get());
	return array::adopt(made);
}

/** The first half of a dim times logistic() of the second one: glu(x, -1). */
inline array glu(const array &x, int dim, place at = place::here())
{
	tsr_handle *made = tsr_glu_at(at.text(), x.get(), dim);
	return array::adopt(made);
}

/** e^x / the sum of e^x along the dim: softmax(x, -1), softmax(x, -1, .where = m). */
inline array softmax(const array &x, int dim, const softmax_args &args = softmax_args(),
	place at = place::here())
{
	tsr_handle *made = tsr_softmax_at(at.text(), x.get(), dim, args.get());
	return array::adopt(made);
}

/** The logarithm of softmax() along a dim, x - log(sum(e^x)), of floats and without overflow:
 * log_softmax(logits, -1). */
inline array log_softmax(const array &x, int dim, const softmax_args &args = softmax_args(),
	place at = place::here())
{
	tsr_handle *made = tsr_log_softmax_at(at.text(), x.get(), dim, args.get());
	return array::adopt(made);
}

/** The logarithm of the mean of e^x, as logsumexp(). */
inline array logmeanexp(const array &x, const logmeanexp_args &args = logmeanexp_args(),
	place at = place::here())
{
	tsr_handle *made = tsr_logmeanexp_at(at.text(), x.get(), args.get());
	return array::adopt(made);
}

/** (x - mean) / sqrt(variance + epsilon) along the dim: standardize(x, -1, 1e-5). */
inline array standardize(const array &x, int dim, double epsilon,
	const standardize_args &args = standardize_args(), place at = place::here())
{
	tsr_handle *made = tsr_standardize_at(at.text(), x.get(), dim, epsilon, args.get());
	return array::adopt(made);
}

/** 1 at the place that an index names in a new dim of size n, else 0: one_hot(words, 50).
 * Indices that are not in it give zeros alone. */
inline array one_hot(const array &x, int64_t n, const one_hot_args &args = one_hot_args(),
	place at = place::here())
{
	tsr_handle *made = tsr_one_hot_at(at.text(), x.get(), n, args.get());
	return array::adopt(made);
}

/** Attention: of queries [batch, queries, heads, head], keys and values [batch, keys, kv_heads,
 * head], whose heads serve groups of those of the queries, the values weighed by softmax() of
 * the scores of their keys, which are in f32: dot_product_attention(q, k, v, .causal = true).
 * Many scores are computed by blocks, in its derivatives too, so that memory is linear in
 * queries and keys. Error (TSR_ERROR_TYPE): dims or dtypes that do not fit. */
inline array dot_product_attention(const array &query, const array &key, const array &value,
	const attention_args &args = attention_args(), place at = place::here())
{
	tsr_handle *made = tsr_dot_product_attention_at(at.text(), query.get(), key.get(),
		value.get(), args.get());
	return array::adopt(made);
}

/** Rotary embedding: x [.., length, heads, head] with element i of the first half of a head and
 * i of the second half turned as a pair, by the place times base^(-2 i / head): rotary(q, .base
 * = 500000). Errors (TSR_ERROR_TYPE): a head of odd size, fewer than 3 dims, complex numbers,
 * places that are not those of the rows; (TSR_ERROR_ARGUMENT): a negative base. */
inline array rotary(const array &x, const rotary_args &args = rotary_args(),
	place at = place::here())
{
	tsr_handle *made = tsr_rotary_at(at.text(), x.get(), args.get());
	return array::adopt(made);
}

/** A layer of attention, flax's MultiHeadDotProductAttention: x [batch, length, features] times
 * the kernels query [features, heads, head], and key and value [features, kv_heads, head], then
 * attention as dot_product_attention(), but with the softmax in the dtype of x (f32 for
 * narrower ones), and its result times out [heads, head, features]: multi_head_attention(x,
 * w->q, w->k, w->v, w->out, .causal = true). Operands are converted to their common dtype, f32
 * where that is no float.
 *
 * In a map that splits the heads of the kernels over an axis, the layer's result is psum() of
 * this one over it (without .out_bias, which is added behind). Decoding goes row by row,
 * .key_cache = k, .value_cache = v, .position = TSR_ARG(i), .new_key_cache = &k,
 * .new_value_cache = &v.
 *
 * Errors (TSR_ERROR_TYPE): dims that do not fit, complex numbers; (TSR_ERROR_ARGUMENT): one
 * cache alone, a .position that is no integer scalar. */
inline array multi_head_attention(const array &x, const array &query, const array &key,
	const array &value, const array &out, const multi_head_args &args = multi_head_args(),
	place at = place::here())
{
	tsr_handle *made = tsr_multi_head_attention_at(at.text(), x.get(), query.get(), key.get(),
		value.get(), out.get(), args.get());
	return array::adopt(made);
}

/** -x for each element, in the dtype of x; unsigned integers wrap. Not bool. */
inline array neg(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_neg_at(at.text(), x.get());
	return array::adopt(made);
}

/** -1, 0 or 1 by the sign of x; NaN stays NaN; complex: x / |x|, 0 at 0. Not bool. */
inline array sign(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_sign_at(at.text(), x.get());
	return array::adopt(made);
}

/** |x|; the smallest signed integer stays itself; complex gives the real dtype. */
inline array abs(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_abs_at(at.text(), x.get());
	return array::adopt(made);
}

/** The largest whole number <= x; integers are left as they are. */
inline array floor(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_floor_at(at.text(), x.get());
	return array::adopt(made);
}

/** The smallest whole number >= x; integers are left as they are. */
inline array ceil(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_ceil_at(at.text(), x.get());
	return array::adopt(made);
}

/** The nearest whole number, ties to even; integers are left as they are; complex: each part.
 * round(x, .decimals = 2) is round(100 x) / 100, and x itself if the dtype cannot hold the
 * power of ten. Error (TSR_ERROR_UNSUPPORTED): integers and negative decimals. */
inline array round(const array &x, const round_args &args = round_args(), place at = place::here())
{
	tsr_handle *made = tsr_round_at(at.text(), x.get(), args.get());
	return array::adopt(made);
}

/** e to the power x, a float or a complex number: exp(x). */
inline array exp(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_exp_at(at.text(), x.get());
	return array::adopt(made);
}

/** 2 to the power x for each element: exp2(x). */
inline array exp2(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_exp2_at(at.text(), x.get());
	return array::adopt(made);
}

/** e^x - 1 for each element, exact where x is near 0. */
inline array expm1(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_expm1_at(at.text(), x.get());
	return array::adopt(made);
}

/** The natural logarithm of x: -inf at 0, NaN below. */
inline array log(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_log_at(at.text(), x.get());
	return array::adopt(made);
}

/** log(1 + x) for each element, exact where x is near 0. */
inline array log1p(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_log1p_at(at.text(), x.get());
	return array::adopt(made);
}

/** The square root of x, rounded once; NaN below 0. */
inline array sqrt(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_sqrt_at(at.text(), x.get());
	return array::adopt(made);
}

/** 1 / sqrt(x) for each element; infinite at 0, NaN below. */
inline array rsqrt(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_rsqrt_at(at.text(), x.get());
	return array::adopt(made);
}

/** x * x for each element, in the dtype of x; bool gives i32. */
inline array square(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_square_at(at.text(), x.get());
	return array::adopt(made);
}

/** The hyperbolic tangent of x, (e^x - e^-x) / (e^x + e^-x). */
inline array tanh(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_tanh_at(at.text(), x.get());
	return array::adopt(made);
}

/** The logistic function 1 / (1 + e^-x) of each element, also called sigmoid. */
inline array logistic(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_logistic_at(at.text(), x.get());
	return array::adopt(made);
}

/** The sine of each element of x, which is in radians. */
inline array sin(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_sin_at(at.text(), x.get());
	return array::adopt(made);
}

/** The cosine of each element of x, which is in radians. */
inline array cos(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_cos_at(at.text(), x.get());
	return array::adopt(made);
}

/** The tangent of each element of x, which is in radians. */
inline array tan(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_tan_at(at.text(), x.get());
	return array::adopt(made);
}

/** The angle whose sine is x, in radians; NaN for |x| > 1. */
inline array asin(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_asin_at(at.text(), x.get());
	return array::adopt(made);
}

/** The angle whose cosine is x, in radians; NaN for |x| > 1. */
inline array acos(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_acos_at(at.text(), x.get());
	return array::adopt(made);
}

/** The angle whose tangent is x, in radians, between -pi/2 and pi/2. */
inline array atan(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_atan_at(at.text(), x.get());
	return array::adopt(made);
}

/** The hyperbolic sine (e^x - e^-x) / 2 of each element of x. */
inline array sinh(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_sinh_at(at.text(), x.get());
	return array::adopt(made);
}

/** The hyperbolic cosine (e^x + e^-x) / 2 of each element of x. */
inline array cosh(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_cosh_at(at.text(), x.get());
	return array::adopt(made);
}

/** The inverse hyperbolic sine of x, log(x + sqrt(x^2 + 1)). */
inline array asinh(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_asinh_at(at.text(), x.get());
	return array::adopt(made);
}

/** The inverse hyperbolic cosine of x, log(x + sqrt(x^2 - 1)); NaN for x < 1. */
inline array acosh(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_acosh_at(at.text(), x.get());
	return array::adopt(made);
}

/** The inverse hyperbolic tangent of x, log((1 + x) / (1 - x)) / 2; NaN for |x| > 1. */
inline array atanh(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_atanh_at(at.text(), x.get());
	return array::adopt(made);
}

/** The cube root of x, negative where x is. Not complex. */
inline array cbrt(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_cbrt_at(at.text(), x.get());
	return array::adopt(made);
}

/** The error function, 2 / sqrt(pi) times the integral of e^-t^2 from 0 to x. Not complex. */
inline array erf(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_erf_at(at.text(), x.get());
	return array::adopt(made);
}

/** 1 - erf(x) for each element, exact where x is large. Not complex. */
inline array erfc(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_erfc_at(at.text(), x.get());
	return array::adopt(made);
}

/** The y with erf(y) = x; infinite at 1 and -1, NaN beyond. Not complex. */
inline array erf_inv(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_erf_inv_at(at.text(), x.get());
	return array::adopt(made);
}

/** log |gamma(x)|; inf at 0 and below at whole numbers. Not complex. */
inline array lgamma(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_lgamma_at(at.text(), x.get());
	return array::adopt(made);
}

/** The derivative of log gamma(x); NaN at 0 and below at whole numbers. Not complex. */
inline array digamma(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_digamma_at(at.text(), x.get());
	return array::adopt(made);
}

/** The modified Bessel function of order 0, times e^-|x|. Not complex. */
inline array bessel_i0e(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_bessel_i0e_at(at.text(), x.get());
	return array::adopt(made);
}

/** The modified Bessel function of order 1, times e^-|x|. Not complex. */
inline array bessel_i1e(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_bessel_i1e_at(at.text(), x.get());
	return array::adopt(made);
}

/** Is x neither infinite nor NaN, in no part? bool. */
inline array is_finite(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_is_finite_at(at.text(), x.get());
	return array::adopt(made);
}

/** Whether each element of x is a NaN, in any part: bool. */
inline array isnan(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_isnan_at(at.text(), x.get());
	return array::adopt(made);
}

/** x with every bit turned over, in the dtype of x; of bool: not x. Integers and bool only. */
inline array bitwise_not(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_bitwise_not_at(at.text(), x.get());
	return array::adopt(made);
}

/** How many bits are set, in the dtype of x. Integers only. */
inline array population_count(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_population_count_at(at.text(), x.get());
	return array::adopt(made);
}

/** How many bits above the highest set one are 0, all of them for 0; in the dtype of x. Integers
 * only. */
inline array clz(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_clz_at(at.text(), x.get());
	return array::adopt(made);
}

/** The real part, in the real dtype; what is not complex is left as it is. */
inline array real(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_real_at(at.text(), x.get());
	return array::adopt(made);
}

/** The imaginary part, in the real dtype; 0 of what is not complex. */
inline array imag(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_imag_at(at.text(), x.get());
	return array::adopt(made);
}

/** The complex conjugate; what is not complex is left as it is. */
inline array conj(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_conj_at(at.text(), x.get());
	return array::adopt(made);
}

/** x as a float with so many bits of exponent and mantissa would hold it, in the dtype of x: too
 * large numbers become infinite, those below the smallest normal one 0. bf16 of f32 x is
 * reduce_precision(x, 8, 7). Floats only. Error (TSR_ERROR_TYPE): exponent_bits < 1,
 * mantissa_bits < 0. */
inline array reduce_precision(const array &x, int exponent_bits, int mantissa_bits,
	place at = place::here())
{
	tsr_handle *made = tsr_reduce_precision_at(at.text(), x.get(), exponent_bits,
		mantissa_bits);
	return array::adopt(made);
}

/** The bits of x as numbers of another dtype. Narrower ones are in a new last dim, the lowest
 * bits first; wider ones take the last dim of x, whose size must be how many make one
 * (TSR_ERROR_TYPE): f32[3] as TSR_U16 is u16[3,2], and back. Not bool, not complex.
 * bitcast_convert_type(x, TSR_U32) */
inline array bitcast_convert_type(const array &x, tsr_dtype dtype, place at = place::here())
{
	tsr_handle *made = tsr_bitcast_convert_type_at(at.text(), x.get(), dtype);
	return array::adopt(made);
}

/** Whether each element of x is 0 (false): x == 0, a bool. */
inline array logical_not(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_logical_not_at(at.text(), x.get());
	return array::adopt(made);
}

/** max(x, 0), with the derivative 0 at 0 and at NaN; NaN stays NaN. Not complex. */
inline array relu(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_relu_at(at.text(), x.get());
	return array::adopt(made);
}

/** x itself, as a handle of its own in the innermost scope: jnp's copy. */
inline array copy(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_copy_at(at.text(), x.get());
	return array::adopt(made);
}

/** x itself, which derivatives treat as a constant: stop_gradient(targets). */
inline array stop_gradient(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_stop_gradient_at(at.text(), x.get());
	return array::adopt(made);
}

/** The dims of x in reverse order: a matrix is transposed. */
inline array t(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_t_at(at.text(), x.get());
	return array::adopt(made);
}

/** All elements of x, row-major, in one dim: [size]. */
inline array ravel(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_ravel_at(at.text(), x.get());
	return array::adopt(made);
}

/** x^n by repeated squaring; n < 0: 1 / x^-n, not for integers. integer_pow(x, 3) */
inline array integer_pow(const array &x, int n, place at = place::here())
{
	tsr_handle *made = tsr_integer_pow_at(at.text(), x.get(), n);
	return array::adopt(made);
}

/** x as another dtype: astype(x, TSR_F16). Float to integer truncates and saturates, NaN gives
 * 0; to bool is x != 0; integer to integer wraps; complex to real drops the imaginary part. */
inline array astype(const array &x, tsr_dtype dtype, place at = place::here())
{
	tsr_handle *made = tsr_astype_at(at.text(), x.get(), dtype);
	return array::adopt(made);
}

/** a + b for each pair of elements, in their common dtype; of bool: or. */
inline array add(const operand &a, const operand &b)
{
	const tsr_arg ab[2] = {a.arg(), b.arg()};
	tsr_handle *made = tsr_add_at(a.where(), ab);
	return array::adopt(made);
}

/** a - b for each pair of elements, in their common dtype. Not bool. */
inline array sub(const operand &a, const operand &b)
{
	const tsr_arg ab[2] = {a.arg(), b.arg()};
	tsr_handle *made = tsr_sub_at(a.where(), ab);
	return array::adopt(made);
}

/** a * b for each pair of elements, in their common dtype; of bool: and. */
inline array mul(const operand &a, const operand &b)
{
	const tsr_arg ab[2] = {a.arg(), b.arg()};
	tsr_handle *made = tsr_mul_at(a.where(), ab);
	return array::adopt(made);
}

/** a / b; integers and bool become f32, integers of 64 bits f64. */
inline array div(const operand &a, const operand &b)
{
	const tsr_arg ab[2] = {a.arg(), b.arg()};
	tsr_handle *made = tsr_div_at(a.where(), ab);
	return array::adopt(made);
}

/** The remainder of a / b with the sign of a, as C's fmod; integers: x rem 0 = x; bool gives
 * i32. */
inline array rem(const operand &a, const operand &b)
{
	const tsr_arg ab[2] = {a.arg(), b.arg()};
	tsr_handle *made = tsr_rem_at(a.where(), ab);
	return array::adopt(made);
}

/** a to the power of b; 1 where b is 0. A b that is a C integer: as integer_pow(a, b). Integers
 * to integer powers stay in their dtype (bool in i32) and are computed by repeated squaring,
 * which uses the six lowest bits of b. Floats and complex numbers take an integer b of any
 * dtype; the derivative is 0 where b is 0. */
inline array pow(const operand &a, const operand &b)
{
	const tsr_arg ab[2] = {a.arg(), b.arg()};
	tsr_handle *made = tsr_pow_at(a.where(), ab);
	return array::adopt(made);
}

/** The angle between -pi and pi of the point with the coordinates (b, a). Not complex. */
inline array atan2(const operand &a, const operand &b)
{
	const tsr_arg ab[2] = {a.arg(), b.arg()};
	tsr_handle *made = tsr_atan2_at(a.where(), ab);
	return array::adopt(made);
}

/** Hurwitz's zeta function, the sum of (b + n)^-a for n = 0, 1, ...; a > 1. Not complex; it has
 * no derivative. */
inline array zeta(const operand &a, const operand &b)
{
	const tsr_arg ab[2] = {a.arg(), b.arg()};
	tsr_handle *made = tsr_zeta_at(a.where(), ab);
	return array::adopt(made);
}

/** Derivative a, a whole number from 0 on, of digamma at b > 0. Not complex; no derivative by a. */
inline array polygamma(const operand &a, const operand &b)
{
	const tsr_arg ab[2] = {a.arg(), b.arg()};
	tsr_handle *made = tsr_polygamma_at(a.where(), ab);
	return array::adopt(made);
}

/** The share of gamma(a) that the integral of t^(a - 1) e^-t from 0 to b gives; a, b >= 0, else
 * NaN. Not complex. */
inline array igamma(const operand &a, const operand &b)
{
	const tsr_arg ab[2] = {a.arg(), b.arg()};
	tsr_handle *made = tsr_igamma_at(a.where(), ab);
	return array::adopt(made);
}

/** 1 - igamma(a, b), exact where that is near 1. */
inline array igammac(const operand &a, const operand &b)
{
	const tsr_arg ab[2] = {a.arg(), b.arg()};
	tsr_handle *made = tsr_igammac_at(a.where(), ab);
	return array::adopt(made);
}

/** The derivative of igamma() by a. It has none itself. */
inline array igamma_grad_a(const operand &a, const operand &b)
{
	const tsr_arg ab[2] = {a.arg(), b.arg()};
	tsr_handle *made = tsr_igamma_grad_a_at(a.where(), ab);
	return array::adopt(made);
}

/** The derivative by a of the b at which igamma() is what it is: that of a sample of a gamma
 * distribution by its shape. It has none itself. */
inline array random_gamma_grad(const operand &a, const operand &b)
{
	const tsr_arg ab[2] = {a.arg(), b.arg()};
	tsr_handle *made = tsr_random_gamma_grad_at(a.where(), ab);
	return array::adopt(made);
}

/** The number next to a, of those that the dtype has, on the way to b; b where they are equal.
 * Not complex; it has no derivative. */
inline array nextafter(const operand &a, const operand &b)
{
	const tsr_arg ab[2] = {a.arg(), b.arg()};
	tsr_handle *made = tsr_nextafter_at(a.where(), ab);
	return array::adopt(made);
}

/** Complex numbers a + bi, c64 of f32 and c128 of f64: complex(a, b). */
inline array complex(const operand &a, const operand &b)
{
	const tsr_arg ab[2] = {a.arg(), b.arg()};
	tsr_handle *made = tsr_complex_at(a.where(), ab);
	return array::adopt(made);
}

/** The larger one of a and b, element by element; NaN wins. Complex: by real part, then
 * imaginary part; a NaN in any part gives one in both. */
inline array maximum(const operand &a, const operand &b)
{
	const tsr_arg ab[2] = {a.arg(), b.arg()};
	tsr_handle *made = tsr_maximum_at(a.where(), ab);
	return array::adopt(made);
}

/** The smaller one of a and b, element by element; NaN wins. Complex: as maximum(). */
inline array minimum(const operand &a, const operand &b)
{
	const tsr_arg ab[2] = {a.arg(), b.arg()};
	tsr_handle *made = tsr_minimum_at(a.where(), ab);
	return array::adopt(made);
}

/** a & b for each pair of elements, in their common dtype; integers and bool. */
inline array bitwise_and(const operand &a, const operand &b)
{
	const tsr_arg ab[2] = {a.arg(), b.arg()};
	tsr_handle *made = tsr_bitwise_and_at(a.where(), ab);
	return array::adopt(made);
}

/** a | b for each pair of elements, in their common dtype; integers and bool. */
inline array bitwise_or(const operand &a, const operand &b)
{
	const tsr_arg ab[2] = {a.arg(), b.arg()};
	tsr_handle *made = tsr_bitwise_or_at(a.where(), ab);
	return array::adopt(made);
}

/** a ^ b for each pair of elements, in their common dtype; integers and bool. */
inline array bitwise_xor(const operand &a, const operand &b)
{
	const tsr_arg ab[2] = {a.arg(), b.arg()};
	tsr_handle *made = tsr_bitwise_xor_at(a.where(), ab);
	return array::adopt(made);
}

/** a << b; 0 where b is not within 0 .. bits - 1. Integers. */
inline array shift_left(const operand &a, const operand &b)
{
	const tsr_arg ab[2] = {a.arg(), b.arg()};
	tsr_handle *made = tsr_shift_left_at(a.where(), ab);
	return array::adopt(made);
}

/** a >> b, arithmetic for signed and logical for unsigned integers; where b is not within 0 ..
 * bits - 1 all bits are copies of the sign, or 0. */
inline array shift_right(const operand &a, const operand &b)
{
	const tsr_arg ab[2] = {a.arg(), b.arg()};
	tsr_handle *made = tsr_shift_right_at(a.where(), ab);
	return array::adopt(made);
}

/** Whether a == b, for each pair of elements, a bool: eq(x, 0). */
inline array eq(const operand &a, const operand &b)
{
	const tsr_arg ab[2] = {a.arg(), b.arg()};
	tsr_handle *made = tsr_eq_at(a.where(), ab);
	return array::adopt(made);
}

/** Whether a != b, for each pair of elements, a bool: ne(x, 0). NaN differs from everything. */
inline array ne(const operand &a, const operand &b)
{
	const tsr_arg ab[2] = {a.arg(), b.arg()};
	tsr_handle *made = tsr_ne_at(a.where(), ab);
	return array::adopt(made);
}

/** Whether a < b, for each pair of elements, a bool: lt(x, 0). Not complex, as the next three. */
inline array lt(const operand &a, const operand &b)
{
	const tsr_arg ab[2] = {a.arg(), b.arg()};
	tsr_handle *made = tsr_lt_at(a.where(), ab);
	return array::adopt(made);
}

/** Whether a <= b, for each pair of elements, a bool: le(x, 0). */
inline array le(const operand &a, const operand &b)
{
	const tsr_arg ab[2] = {a.arg(), b.arg()};
	tsr_handle *made = tsr_le_at(a.where(), ab);
	return array::adopt(made);
}

/** Whether a > b, for each pair of elements, a bool: gt(x, 0). */
inline array gt(const operand &a, const operand &b)
{
	const tsr_arg ab[2] = {a.arg(), b.arg()};
	tsr_handle *made = tsr_gt_at(a.where(), ab);
	return array::adopt(made);
}

/** Whether a >= b, for each pair of elements, a bool: ge(x, 0). */
inline array ge(const operand &a, const operand &b)
{
	const tsr_arg ab[2] = {a.arg(), b.arg()};
	tsr_handle *made = tsr_ge_at(a.where(), ab);
	return array::adopt(made);
}

/** Whether a and b are other than 0, for each pair of elements: a bool. */
inline array logical_and(const operand &a, const operand &b)
{
	const tsr_arg ab[2] = {a.arg(), b.arg()};
	tsr_handle *made = tsr_logical_and_at(a.where(), ab);
	return array::adopt(made);
}

/** Whether a or b is other than 0, for each pair of elements: a bool. */
inline array logical_or(const operand &a, const operand &b)
{
	const tsr_arg ab[2] = {a.arg(), b.arg()};
	tsr_handle *made = tsr_logical_or_at(a.where(), ab);
	return array::adopt(made);
}

/** a b + c, rounded once; f16 and bf16 are computed in f32. Not complex. abc: a, b, c. */
inline array fma(const operand &a, const operand &b, const operand &c)
{
	const tsr_arg abc[3] = {a.arg(), b.arg(), c.arg()};
	tsr_handle *made = tsr_fma_at(a.where(), abc);
	return array::adopt(made);
}

/** The share of the beta function of a and b that the integral of t^(a - 1) (1 - t)^(b - 1) from
 * 0 to c gives; a, b >= 0 and c between 0 and 1, else NaN. Not complex; no derivative by a and
 * b. abc: a, b, c. */
inline array betainc(const operand &a, const operand &b, const operand &c)
{
	const tsr_arg abc[3] = {a.arg(), b.arg(), c.arg()};
	tsr_handle *made = tsr_betainc_at(a.where(), abc);
	return array::adopt(made);
}

/** a where c is not 0, otherwise b; the dtype is that of a and b. abc: c, a, b. where(gt(x, 0),
 * x, 0.0) */
inline array where(const operand &c, const operand &a, const operand &b)
{
	const tsr_arg cab[3] = {c.arg(), a.arg(), b.arg()};
	tsr_handle *made = tsr_where_at(c.where(), cab);
	return array::adopt(made);
}

/** min(max(x, low), high); TSR_NONE is no bound. clamp(0, x, 1), clamp(0, x, TSR_NONE) */
inline array clamp(const operand &low, const operand &x, const operand &high)
{
	tsr_handle *made = tsr_clamp_at(low.where(), low.arg(), x.arg(), high.arg());
	return array::adopt(made);
}

/** NumPy's dot: a scalar multiplies; otherwise the last dim of a with the last but one (or only)
 * dim of b. dot(a, b, .dtype = TSR_F32) */
inline array dot(const array &a, const array &b, const product_args &args = product_args(),
	place at = place::here())
{
	tsr_handle *made = tsr_dot_at(at.text(), a.get(), b.get(), args.get());
	return array::adopt(made);
}

/** NumPy's matmul: products of the last two dims, dims before them broadcast; one dim is a row
 * (a) or a column (b). No scalars. matmul(a, b) */
inline array matmul(const array &a, const array &b, const product_args &args = product_args(),
	place at = place::here())
{
	tsr_handle *made = tsr_matmul_at(at.text(), a.get(), b.get(), args.get());
	return array::adopt(made);
}

/** Dims of the result: batch, then the others of a, then the others of b. dot_general(a, b,
 * .contract_a = TSR_DIMS(1), .contract_b = TSR_DIMS(0)). Products are summed in the wider of
 * two dtypes, that of the operands and that of the result, and rounded once. Error
 * (TSR_ERROR_TYPE): a .dtype that is narrower than operands that are not floats. */
inline array dot_general(const array &a, const array &b, const dot_args &args = dot_args(),
	place at = place::here())
{
	tsr_handle *made = tsr_dot_general_at(at.text(), a.get(), b.get(), args.get());
	return array::adopt(made);
}

/** The elements of x, row-major, with other dims; one of them may be -1, and is then computed
 * from the rest. reshape(x, TSR_DIMS(2, -1)) */
inline array reshape(const array &x, const dims &dims_, place at = place::here())
{
	tsr_handle *made = tsr_reshape_at(at.text(), x.get(), dims_);
	return array::adopt(made);
}

/** Dims in another order: transpose(x, .perm = TSR_DIMS(0, 2, 1)). */
inline array transpose(const array &x, const transpose_args &args = transpose_args(),
	place at = place::here())
{
	tsr_handle *made = tsr_transpose_at(at.text(), x.get(), args.get());
	return array::adopt(made);
}

/** x repeated to these dims by the rules of broadcasting: broadcast_to(x, TSR_DIMS(4, 3)). */
inline array broadcast_to(const array &x, const dims &dims_, place at = place::here())
{
	tsr_handle *made = tsr_broadcast_to_at(at.text(), x.get(), dims_);
	return array::adopt(made);
}

/** x repeated to these dims; dim d of x becomes dim at[d], which must be of the same size, or
 * x's 1; `at` increases. broadcast_in_dim(x, TSR_DIMS(4, 3), TSR_DIMS(0)) */
inline array broadcast_in_dim(const array &x, const dims &dims_, const dims &at_,
	place at = place::here())
{
	tsr_handle *made = tsr_broadcast_in_dim_at(at.text(), x.get(), dims_, at_);
	return array::adopt(made);
}

/** x without these dims, which must be of size 1; if not given, (tsr_dims){{0}}, without all
 * dims of size 1. squeeze(x, TSR_DIMS(0)) */
inline array squeeze(const array &x, const dims &dims_, place at = place::here())
{
	tsr_handle *made = tsr_squeeze_at(at.text(), x.get(), dims_);
	return array::adopt(made);
}

/** With new dims of size 1, which are these dims of the result: expand_dims(x, TSR_DIMS(0, -1)). */
inline array expand_dims(const array &x, const dims &dims_, place at = place::here())
{
	tsr_handle *made = tsr_expand_dims_at(at.text(), x.get(), dims_);
	return array::adopt(made);
}

/** Elements in reverse order along these dims: flip(x, TSR_DIMS(0)). */
inline array flip(const array &x, const dims &dims_, place at = place::here())
{
	tsr_handle *made = tsr_flip_at(at.text(), x.get(), dims_);
	return array::adopt(made);
}

/** Joins arrays along a dim. The other dims must agree; dtypes are promoted. Along TSR_FLAT
 * arrays of any dims are joined, each ravelled first. concatenate(0, a, b, c) */
inline array concatenate(int dim, const arrays &x, place at = place::here())
{
	tsr_handle *made = tsr_concatenate_at(at.text(), dim, x.data(), x.size());
	return array::adopt(made);
}

/** Arrays of the same dims along a new dim, dim `dim` of the result: stack(0, a, b). */
inline array stack(int dim, const arrays &x, place at = place::here())
{
	tsr_handle *made = tsr_stack_at(at.text(), dim, x.data(), x.size());
	return array::adopt(made);
}

/** n parts along a dim, into out: tsr *half[2]; split(x, 0, half, 2), or tsr *part[3]; split(x,
 * 0, part, 3, .indices = TSR_DIMS(2, 5)). Errors: n does not divide the dim (TSR_ERROR_TYPE);
 * indices that are not ascending within the dim, or not n - 1 in number (TSR_ERROR_ARGUMENT).
 * false on failure: all of out is poison. */
inline std::vector<array> split(const array &x, int dim, size_t n,
	const split_args &args = split_args(), place at = place::here())
{
	std::vector<tsr_handle *> all(n + 1);
	tsr_handle **out = all.data();
	tsr_split_at(at.text(), x.get(), dim, out, n, args.get());
	detail::settle(tsr_ctx_of(x.get()));
	return detail::take(out, n);
}

/** x with low[d] and high[d] elements of this number before and behind dim d; negative ones take
 * elements away. pad(x, TSR_DIMS(1, 0), TSR_DIMS(1, 0), 0) */
inline array pad(const array &x, const dims &low, const dims &high, const number &number,
	const pad_args &args = pad_args(), place at = place::here())
{
	tsr_handle *made = tsr_pad_at(at.text(), x.get(), low, high, number.arg(), args.get());
	return array::adopt(made);
}

/** Elements start .. stop - 1 of a dim, as Python's x[start:stop]: negative ones count from the
 * end, those out of range are cut to the dim, and TSR_END is the end. slice(x, 0, 1, TSR_END) */
inline array slice(const array &x, int dim, int64_t start, int64_t stop, place at = place::here())
{
	tsr_handle *made = tsr_slice_at(at.text(), x.get(), dim, start, stop);
	return array::adopt(made);
}

/** The elements from start to stop in all dims at once, with steps: slice_strided(x, TSR_DIMS(0,
 * 0), TSR_DIMS(8, TSR_END), .steps = TSR_DIMS(2, 1)). A negative step goes down from start and
 * ends before stop, where TSR_BEGIN is before the first element: Python's x[::-1] is
 * slice_strided(x, TSR_DIMS(TSR_END), TSR_DIMS(TSR_BEGIN), .steps = TSR_DIMS(-1)). Error
 * (TSR_ERROR_ARGUMENT): a step of 0. */
inline array slice_strided(const array &x, const dims &starts, const dims &stops,
	const slice_args &args = slice_args(), place at = place::here())
{
	tsr_handle *made = tsr_slice_strided_at(at.text(), x.get(), starts, stops, args.get());
	return array::adopt(made);
}

/** Element i of a dim, which is dropped; negative from the end: index(x, 0, -1). Error
 * (TSR_ERROR_ARGUMENT): i out of range. */
inline array index(const array &x, int dim, int64_t i, place at = place::here())
{
	tsr_handle *made = tsr_index_at(at.text(), x.get(), dim, i);
	return array::adopt(made);
}

/** `size` elements of a dim from a start that is computed, an integer scalar or a C number.
 * Negative starts count from the end; then a start is moved so that the slice is within x.
 * dynamic_slice(x, 0, i, 2) */
inline array dynamic_slice(const array &x, int dim, const operand &start, int64_t size)
{
	tsr_handle *made = tsr_dynamic_slice_at(start.where(), x.get(), dim, start.arg(), size);
	return array::adopt(made);
}

/** x with `update` in place of elements of a dim, from a start that is computed as in
 * dynamic_slice(). update has the dims of x except this one, and is converted to the dtype of
 * x. dynamic_update(x, row, 0, i) */
inline array dynamic_update(const array &x, const array &update, int dim, const operand &start)
{
	tsr_handle *made = tsr_dynamic_update_at(start.where(), x.get(), update.get(), dim,
		start.arg());
	return array::adopt(made);
}

/** The part of x of these sizes, from starts that are computed, one a dim, each as in
 * dynamic_slice(): dynamic_slice_dims(x, TSR_DIMS(2, 3), i, 0). */
template <class... A>
array dynamic_slice_dims(const array &x, const dims &sizes,
	const A &...starts)
{
	const detail::given<A...> given(starts...);
	tsr_handle *made = tsr_dynamic_slice_dims_at(nullptr, x.get(), sizes,
		given.data(), given.size());
	detail::settle(tsr_ctx_of(x.get()));
	return array::adopt(made);
}

/** x with part of it replaced by `update`, which has as many dims, from computed starts, one for
 * each dim: dynamic_update_dims(x, block, i, j). */
template <class... A>
array dynamic_update_dims(const array &x, const array &update,
	const A &...starts)
{
	const detail::given<A...> given(starts...);
	tsr_handle *made = tsr_dynamic_update_dims_at(nullptr, x.get(), update.get(),
		given.data(), given.size());
	detail::settle(tsr_ctx_of(x.get()));
	return array::adopt(made);
}

/** Element i of a dim, which is dropped; i is computed, and moved as in dynamic_slice().
 * dynamic_index(x, 0, i) */
inline array dynamic_index(const array &x, int dim, const operand &i)
{
	tsr_handle *made = tsr_dynamic_index_at(i.where(), x.get(), dim, i.arg());
	return array::adopt(made);
}

/** jnp's take: the elements of a dim at `indices`, an array whose dims replace that dim; along
 * TSR_FLAT x is ravelled first. Negative indices count from the end, but with TSR_CLIP and
 * TSR_PROMISE_IN_BOUNDS. take(table, 0, words), take(x, 1, i, .mode = TSR_CLIP). Error
 * (TSR_ERROR_ARGUMENT): some of a dim without elements. */
inline array take(const array &x, int dim, const array &indices,
	const index_args &args = index_args(), place at = place::here())
{
	tsr_handle *made = tsr_take_at(at.text(), x.get(), dim, indices.get(), args.get());
	return array::adopt(made);
}

/** jnp's take_along_axis: of each row along a dim the elements at the indices of its own. Other
 * dims of x and the indices broadcast together, so both have as many. Negative indices count
 * from the end, but with TSR_PROMISE_IN_BOUNDS. take_along(x, -1, i) */
inline array take_along(const array &x, int dim, const array &indices,
	const index_args &args = index_args(), place at = place::here())
{
	tsr_handle *made = tsr_take_along_at(at.text(), x.get(), dim, indices.get(), args.get());
	return array::adopt(made);
}

/** jnp's x.at[..., indices, ...].set(updates): x with the elements of a dim at `indices`
 * replaced. The updates, an array or a C number, are converted to the dtype of x and broadcast
 * to what take() would give; where two go to one place, the last one, row-major by index,
 * stays. Negative indices count from the end. at_set(x, 0, i, 0.0) */
inline array at_set(const array &x, int dim, const array &indices, const operand &updates,
	const index_args &args = index_args())
{
	tsr_handle *made = tsr_at_set_at(updates.where(), x.get(), dim, indices.get(),
		updates.arg(), args.get());
	return array::adopt(made);
}

/** jnp's x.at[..., indices, ...].add(updates): x with the updates added, each of those that go
 * to one place: at_add(x, 0, i, 1). Not bool. Otherwise as at_set(). */
inline array at_add(const array &x, int dim, const array &indices, const operand &updates,
	const index_args &args = index_args())
{
	tsr_handle *made = tsr_at_add_at(updates.where(), x.get(), dim, indices.get(),
		updates.arg(), args.get());
	return array::adopt(made);
}

/** jnp's x.at[..., indices, ...].multiply(updates): x multiplied by the updates, by each of
 * those that go to one place: at_mul(x, 0, i, 2). Not bool. Otherwise as at_set(). */
inline array at_mul(const array &x, int dim, const array &indices, const operand &updates,
	const index_args &args = index_args())
{
	tsr_handle *made = tsr_at_mul_at(updates.where(), x.get(), dim, indices.get(),
		updates.arg(), args.get());
	return array::adopt(made);
}

/** jnp's x.at[..., indices, ...].min(updates): the smallest of x and the updates that go to one
 * place, as minimum(). Otherwise as at_set(). */
inline array at_min(const array &x, int dim, const array &indices, const operand &updates,
	const index_args &args = index_args())
{
	tsr_handle *made = tsr_at_min_at(updates.where(), x.get(), dim, indices.get(),
		updates.arg(), args.get());
	return array::adopt(made);
}

/** jnp's x.at[..., indices, ...].max(updates): the largest of x and the updates that go to one
 * place, as maximum(). Otherwise as at_set(). */
inline array at_max(const array &x, int dim, const array &indices, const operand &updates,
	const index_args &args = index_args())
{
	tsr_handle *made = tsr_at_max_at(updates.where(), x.get(), dim, indices.get(),
		updates.arg(), args.get());
	return array::adopt(made);
}

/** lax.gather: windows of x of these sizes, which start at the index vectors that are the last
 * dim of the indices. Rows of a matrix: gather(x, expand_dims(i, TSR_DIMS(-1)), TSR_DIMS(1, 4),
 * .offset_dims = TSR_DIMS(1), .collapsed_slice_dims = TSR_DIMS(0), .start_index_map =
 * TSR_DIMS(0)). Indices are taken as they are; the mode is TSR_FILL_OR_DROP when not given. */
inline array gather(const array &x, const array &indices, const dims &slice_sizes,
	const gather_args &args = gather_args(), place at = place::here())
{
	tsr_handle *made = tsr_gather_at(at.text(), x.get(), indices.get(), slice_sizes,
		args.get());
	return array::adopt(made);
}

/** lax.scatter and its kin: x with the updates combined with its windows, which start at the
 * index vectors that are the last dim of the indices. x and updates have one dtype. */
inline array scatter(const array &x, const array &indices, const array &updates,
	const scatter_args &args = scatter_args(), place at = place::here())
{
	tsr_handle *made = tsr_scatter_at(at.text(), x.get(), indices.get(), updates.get(),
		args.get());
	return array::adopt(made);
}

/** The sum of the elements along dims: sum(x, .dims = TSR_DIMS(1)). Integers narrower than 32
 * bits and bool are summed in i32 (unsigned ones in u32); f16 and bf16 in f32, rounded once. Of
 * no elements: 0. */
inline array sum(const array &x, const sum_args &args = sum_args(), place at = place::here())
{
	tsr_handle *made = tsr_sum_at(at.text(), x.get(), args.get());
	return array::adopt(made);
}

/** The product of the elements along dims: prod(x, .dims = TSR_DIMS(1)). Dtypes are those of
 * sum(). Of no elements: 1. */
inline array prod(const array &x, const sum_args &args = sum_args(), place at = place::here())
{
	tsr_handle *made = tsr_prod_at(at.text(), x.get(), args.get());
	return array::adopt(made);
}

/** The largest element along dims, in the dtype of x, compared as by maximum(): max(x, .dims =
 * TSR_DIMS(1)). Error (TSR_ERROR_TYPE): no element, and no .initial. */
inline array max(const array &x, const reduce_args &args = reduce_args(), place at = place::here())
{
	tsr_handle *made = tsr_max_at(at.text(), x.get(), args.get());
	return array::adopt(made);
}

/** The smallest element along dims, in the dtype of x, compared as by minimum(): min(x, .dims =
 * TSR_DIMS(1)). Error (TSR_ERROR_TYPE): no element, and no .initial. */
inline array min(const array &x, const reduce_args &args = reduce_args(), place at = place::here())
{
	tsr_handle *made = tsr_min_at(at.text(), x.get(), args.get());
	return array::adopt(made);
}

/** Whether all elements along dims are other than 0, a bool: all(isnan(x)). Of no elements:
 * true. */
inline array all(const array &x, const all_args &args = all_args(), place at = place::here())
{
	tsr_handle *made = tsr_all_at(at.text(), x.get(), args.get());
	return array::adopt(made);
}

/** Whether an element along dims is other than 0, a bool: any(isnan(x)). Of no elements: false. */
inline array any(const array &x, const all_args &args = all_args(), place at = place::here())
{
	tsr_handle *made = tsr_any_at(at.text(), x.get(), args.get());
	return array::adopt(made);
}

/** The bits that are set in all elements along dims, in the dtype of x. Of no elements: all
 * bits. Integers and bool only, as the next two. */
inline array reduce_and(const array &x, const dims_args &args = dims_args(),
	place at = place::here())
{
	tsr_handle *made = tsr_reduce_and_at(at.text(), x.get(), args.get());
	return array::adopt(made);
}

/** The bits that are set in at least one element along dims, in the dtype of x. Of no elements:
 * none. */
inline array reduce_or(const array &x, const dims_args &args = dims_args(),
	place at = place::here())
{
	tsr_handle *made = tsr_reduce_or_at(at.text(), x.get(), args.get());
	return array::adopt(made);
}

/** The bits that are set in an odd number of elements. Of nothing: none. */
inline array reduce_xor(const array &x, const dims_args &args = dims_args(),
	place at = place::here())
{
	tsr_handle *made = tsr_reduce_xor_at(at.text(), x.get(), args.get());
	return array::adopt(made);
}

/** Sum divided by the number of elements; 16-bit floats in f32, rounded once; integers and bool
 * give f32, integers of 64 bits f64. Of nothing: NaN. */
inline array mean(const array &x, const mean_args &args = mean_args(), place at = place::here())
{
	tsr_handle *made = tsr_mean_at(at.text(), x.get(), args.get());
	return array::adopt(made);
}

/** log of the sum of e^x, as m + log(sum(e^(x - m))) with m the largest element, or real part (0
 * where that is not finite); 16-bit floats in f32, rounded once. Integers give f32, those of 64
 * bits f64. */
inline array logsumexp(const array &x, const logsumexp_args &args = logsumexp_args(),
	place at = place::here())
{
	tsr_handle *made = tsr_logsumexp_at(at.text(), x.get(), args.get());
	return array::adopt(made);
}

/** Index of the first largest element (NaN is larger than all): argmax(x, .dim = TSR_DIMS(1)).
 * Error (TSR_ERROR_TYPE): no element. */
inline array argmax(const array &x, const arg_args &args = arg_args(), place at = place::here())
{
	tsr_handle *made = tsr_argmax_at(at.text(), x.get(), args.get());
	return array::adopt(made);
}

/** Index of the first smallest element (NaN is smaller than all). */
inline array argmin(const array &x, const arg_args &args = arg_args(), place at = place::here())
{
	tsr_handle *made = tsr_argmin_at(at.text(), x.get(), args.get());
	return array::adopt(made);
}

/** The elements along a dim in rising order: false before true, -0 and +0 as equals, NaN behind
 * all, complex numbers by the real and then by the imaginary part. Equal ones keep their order. */
inline array sort(const array &x, const sort_args &args = sort_args(), place at = place::here())
{
	tsr_handle *made = tsr_sort_at(at.text(), x.get(), args.get());
	return array::adopt(made);
}

/** Where the elements of sort() were: argsort(x, .descending = true). Of equal elements the
 * first one is first, also in descending order. Further error (TSR_ERROR_TYPE): a .dtype that
 * is not an integer one. */
inline array argsort(const array &x, const argsort_args &args = argsort_args(),
	place at = place::here())
{
	tsr_handle *made = tsr_argsort_at(at.text(), x.get(), args.get());
	return array::adopt(made);
}

/** n operands of the same dims in one order, into out, which may be x. The first operand is the
 * key, as sort() compares; where .num_keys is more than 1, equals in one key are in the order
 * of the next. tsr *kv[] = {keys, values}; sort_operands(kv, kv, 2). Further errors: dims that
 * differ, .num_keys that is not 1 to n (TSR_ERROR_TYPE). false: all of out is poison. */
inline std::vector<array> sort_operands(const arrays &x,
	const sort_operands_args &args = sort_operands_args(), place at = place::here())
{
	const std::size_t n = x.size();
	std::vector<tsr_handle *> all(n + 1);
	tsr_handle **out = all.data();
	tsr_sort_operands_at(at.text(), x.data(), out, x.size(), args.get());
	detail::settle(detail::context_of_arrays(x));
	return detail::take(out, n);
}

/** The k largest elements along a dim, the largest first, and where they are, i32 (i64 where the
 * dim needs it): out[0] and out[1]. Of equal ones the first one is first; floats are in the
 * order of their bits: NaN inf 1 0 -0 -1 -inf -NaN. Further errors: complex x (TSR_ERROR_TYPE);
 * k that is negative, or more than there are (TSR_ERROR_ARGUMENT). false: both are poison. tsr
 * *best[2]; top_k(logits, 5, best); */
inline std::array<array, 2> top_k(const array &x, int64_t k, const top_k_args &args = top_k_args(),
	place at = place::here())
{
	tsr_handle *out[2] = {};
	tsr_top_k_at(at.text(), x.get(), k, out, args.get());
	detail::settle(tsr_ctx_of(x.get()));
	return detail::take(out);
}

/** The sum of each element and all before it along a dim. In the dtype of x, bool in i32; f16
 * and bf16 in f32, each result rounded once. With .dtype = TSR_BOOL: was there one other than
 * 0? */
inline array cumsum(const array &x, const cumsum_args &args = cumsum_args(),
	place at = place::here())
{
	tsr_handle *made = tsr_cumsum_at(at.text(), x.get(), args.get());
	return array::adopt(made);
}

/** The product of each element and all before it along a dim; dtypes as for cumsum(). */
inline array cumprod(const array &x, const cumsum_args &args = cumsum_args(),
	place at = place::here())
{
	tsr_handle *made = tsr_cumprod_at(at.text(), x.get(), args.get());
	return array::adopt(made);
}

/** cumsum() of x with 0 in place of NaN: each element and all before it along a dim that are no
 * NaN, summed. */
inline array nancumsum(const array &x, const cumsum_args &args = cumsum_args(),
	place at = place::here())
{
	tsr_handle *made = tsr_nancumsum_at(at.text(), x.get(), args.get());
	return array::adopt(made);
}

/** cumprod() of x with 1 in place of NaN: each element and all before it along a dim that are no
 * NaN, multiplied. */
inline array nancumprod(const array &x, const cumsum_args &args = cumsum_args(),
	place at = place::here())
{
	tsr_handle *made = tsr_nancumprod_at(at.text(), x.get(), args.get());
	return array::adopt(made);
}

/** cumsum() as the array API has it: cumulative_sum(x, .include_initial = true). Bools and small
 * integers become i32 and u32, as in sum(). Further error (TSR_ERROR_ARGUMENT): no .dim, and x
 * has not one dim. */
inline array cumulative_sum(const array &x, const cumulative_args &args = cumulative_args(),
	place at = place::here())
{
	tsr_handle *made = tsr_cumulative_sum_at(at.text(), x.get(), args.get());
	return array::adopt(made);
}

/** cumprod() as the array API has it, with the dtypes and errors of cumulative_sum():
 * cumulative_prod(x, .include_initial = true). */
inline array cumulative_prod(const array &x, const cumulative_args &args = cumulative_args(),
	place at = place::here())
{
	tsr_handle *made = tsr_cumulative_prod_at(at.text(), x.get(), args.get());
	return array::adopt(made);
}

/** The largest of each element and all before it along a dim, as maximum(). Not bool. */
inline array cummax(const array &x, const cummax_args &args = cummax_args(),
	place at = place::here())
{
	tsr_handle *made = tsr_cummax_at(at.text(), x.get(), args.get());
	return array::adopt(made);
}

/** The smallest of each element and all before it along a dim, as minimum(). Not bool. */
inline array cummin(const array &x, const cummax_args &args = cummax_args(),
	place at = place::here())
{
	tsr_handle *made = tsr_cummin_at(at.text(), x.get(), args.get());
	return array::adopt(made);
}

/** The logarithm of the sum of e^x over each element and all before it along a dim. Floats; f16
 * and bf16 in f32, each result rounded once. */
inline array cumlogsumexp(const array &x, const cummax_args &args = cummax_args(),
	place at = place::here())
{
	tsr_handle *made = tsr_cumlogsumexp_at(at.text(), x.get(), args.get());
	return array::adopt(made);
}

/** lax.reduce_window: the elements of each window, which has as many dims as x, combined by
 * TSR_COMBINE_ADD, _MUL, _MIN or _MAX; padding changes no result. reduce_window(x,
 * TSR_COMBINE_MAX, TSR_DIMS(1, 3), .padding = TSR_SAME). The derivative of the largest is the
 * mean over equal elements, as that of max(). */
inline array reduce_window(const array &x, enum tsr_combine combine, const dims &window,
	const window_args &args = window_args(), place at = place::here())
{
	tsr_handle *made = tsr_reduce_window_at(at.text(), x.get(), combine, window, args.get());
	return array::adopt(made);
}

/** flax's max_pool: the largest in windows along the dims before the last one, which counts
 * features; any dims before these are a batch. */
inline array max_pool(const array &x, const dims &window, const pool_args &args = pool_args(),
	place at = place::here())
{
	tsr_handle *made = tsr_max_pool_at(at.text(), x.get(), window, args.get());
	return array::adopt(made);
}

/** flax's min_pool: the smallest in windows along the dims before the last one, which counts
 * features; otherwise as max_pool(). */
inline array min_pool(const array &x, const dims &window, const pool_args &args = pool_args(),
	place at = place::here())
{
	tsr_handle *made = tsr_min_pool_at(at.text(), x.get(), window, args.get());
	return array::adopt(made);
}

/** flax's avg_pool: the mean of windows along the dims before the last one, which counts
 * features; that of integers is divided as by div(). Otherwise as max_pool(). */
inline array avg_pool(const array &x, const dims &window, const pool_args &args = pool_args(),
	place at = place::here())
{
	tsr_handle *made = tsr_avg_pool_at(at.text(), x.get(), window, args.get());
	return array::adopt(made);
}

/** lax.conv_general_dilated: the products of each window of lhs with rhs, summed; rhs is not
 * flipped. lhs [batch, features, spatial ...], rhs [output features, input features, window
 * ...], of one dtype. conv_general_dilated(x, w, .strides = TSR_DIMS(2, 2), .padding =
 * TSR_SAME, .lhs_spec = "NHWC", .rhs_spec = "HWIO"). Sums are those of dot_general(). Further
 * errors: dtypes, numbers of dims, features or groups that do not fit (TSR_ERROR_TYPE); a spec
 * that does not name all dims (TSR_ERROR_ARGUMENT). */
inline array conv_general_dilated(const array &lhs, const array &rhs,
	const conv_args &args = conv_args(), place at = place::here())
{
	tsr_handle *made = tsr_conv_general_dilated_at(at.text(), lhs.get(), rhs.get(), args.get());
	return array::adopt(made);
}

/** The windows of lhs as features: each result has the elements of its window, [batch, features
 * * window, spatial ...], in the order of the features and then of .rhs_spec. The keywords are
 * those of conv_general_dilated() but for groups: conv_general_dilated_patches(x, TSR_DIMS(3,
 * 3), .padding = TSR_SAME). */
inline array conv_general_dilated_patches(const array &lhs, const dims &window,
	const conv_args &args = conv_args(), place at = place::here())
{
	tsr_handle *made = tsr_conv_general_dilated_patches_at(at.text(), lhs.get(), window,
		args.get());
	return array::adopt(made);
}

/** The windows of conv_general_dilated_patches(), each multiplied with a kernel of its own: rhs
 * [output features, features * window, spatial ...], where spatial dims are those of the
 * result. Further error: sizes that do not fit (TSR_ERROR_TYPE). */
inline array conv_general_dilated_local(const array &lhs, const array &rhs, const dims &window,
	const conv_args &args = conv_args(), place at = place::here())
{
	tsr_handle *made = tsr_conv_general_dilated_local_at(at.text(), lhs.get(), rhs.get(),
		window, args.get());
	return array::adopt(made);
}

/** lax.conv_transpose: a convolution in steps of less than an element, from which there are as
 * many results as a convolution with these strides takes. lhs [batch, spatial ..., features],
 * rhs [window ..., input features, output features]: conv_transpose(x, w, .strides =
 * TSR_DIMS(2, 2), .padding = TSR_SAME). Errors as of conv_general_dilated(). */
inline array conv_transpose(const array &lhs, const array &rhs,
	const conv_transpose_args &args = conv_transpose_args(), place at = place::here())
{
	tsr_handle *made = tsr_conv_transpose_at(at.text(), lhs.get(), rhs.get(), args.get());
	return array::adopt(made);
}

/** NumPy's convolve of two arrays of one dim, v turned over: convolve(signal, filter, .mode =
 * TSR_OVERLAP_SAME). Integers as floats. Errors: other numbers of dims (TSR_ERROR_TYPE), no
 * elements (TSR_ERROR_ARGUMENT). */
inline array convolve(const array &a, const array &v, const convolve_args &args = convolve_args(),
	place at = place::here())
{
	tsr_handle *made = tsr_convolve_at(at.text(), a.get(), v.get(), args.get());
	return array::adopt(made);
}

/** NumPy's correlate: a with the conjugate of v, which is not turned over. */
inline array correlate(const array &a, const array &v, const convolve_args &args = convolve_args(),
	place at = place::here())
{
	tsr_handle *made = tsr_correlate_at(at.text(), a.get(), v.get(), args.get());
	return array::adopt(made);
}

/** Random bits as a function of a key and a counter, two words each: u32 operands, and two u32
 * results into out. C numbers are u32. The words of jax.random.split(jax.random.key(42), n) are
 * threefry2x32(0, 42, 0, iota(x, TSR_DIMS(n), 0, .dtype = TSR_U32), out). false: both of out
 * are poison. */
inline std::array<array, 2> threefry2x32(const operand &key0, const operand &key1,
	const operand &x0, const operand &x1)
{
	tsr_handle *out[2] = {};
	tsr_threefry2x32_at(key0.where(), key0.arg(), key1.arg(), x0.arg(), x1.arg(), out);
	detail::settle(detail::context_or(key0, nullptr));
	return detail::take(out);
}

/** Each element is its own index along a dim: iota(x, TSR_DIMS(2, 3), 1) is 0 1 2, 0 1 2. */
inline array iota(const within &ctx, const dims &dims_, int dim,
	const iota_args &args = iota_args())
{
	tsr_handle *made = tsr_iota_at(ctx.where(), ctx.get(), dims_, dim, args.get());
	return array::adopt(made);
}

/** Always one value: constant_schedule(ctx, 1e-3). */
inline fn constant_schedule(const within &ctx, double value)
{
	tsr_fn *made = tsr_constant_schedule_at(ctx.where(), ctx.get(), value);
	detail::settle(ctx.get());
	return fn(made);
}

/** From init_value to end_value in equal steps, and then the latter: linear_schedule(ctx, 0,
 * 1e-3, 100). transition_steps < 1: always init_value. */
inline fn linear_schedule(const within &ctx, double init_value, double end_value,
	int64_t transition_steps, const schedule_args &args = schedule_args())
{
	tsr_fn *made = tsr_linear_schedule_at(ctx.where(), ctx.get(), init_value, end_value,
		transition_steps, args.get());
	detail::settle(ctx.get());
	return fn(made);
}

/** end_value + (init_value - end_value) (1 - t)^power, where t goes from 0 to 1:
 * polynomial_schedule(ctx, 1e-3, 0, 2, 1000). */
inline fn polynomial_schedule(const within &ctx, double init_value, double end_value, double power,
	int64_t transition_steps, const schedule_args &args = schedule_args())
{
	tsr_fn *made = tsr_polynomial_schedule_at(ctx.where(), ctx.get(), init_value, end_value,
		power, transition_steps, args.get());
	detail::settle(ctx.get());
	return fn(made);
}

/** init_value times the first half wave of a cosine, from 1 to 0 (or .alpha) in decay_steps, and
 * then what is left: cosine_decay_schedule(ctx, 1e-3, 1000). Error (TSR_ERROR_ARGUMENT):
 * decay_steps < 1. */
inline fn cosine_decay_schedule(const within &ctx, double init_value, int64_t decay_steps,
	const cosine_decay_args &args = cosine_decay_args())
{
	tsr_fn *made = tsr_cosine_decay_schedule_at(ctx.where(), ctx.get(), init_value, decay_steps,
		args.get());
	detail::settle(ctx.get());
	return fn(made);
}

/** init_value decay_rate^(step / transition_steps): exponential_decay(ctx, 1e-3, 100, 0.5).
 * transition_steps < 1, or a decay_rate of 0: always init_value. */
inline fn exponential_decay(const within &ctx, double init_value, int64_t transition_steps,
	double decay_rate, const exponential_decay_args &args = exponential_decay_args())
{
	tsr_fn *made = tsr_exponential_decay_at(ctx.where(), ctx.get(), init_value,
		transition_steps, decay_rate, args.get());
	detail::settle(ctx.get());
	return fn(made);
}

/** linear_schedule() from init_value to peak_value in warmup_steps, and then
 * cosine_decay_schedule() to .end_value, which is reached at step decay_steps:
 * warmup_cosine_decay_schedule(ctx, 0, 1e-3, 100, 1000). Error (TSR_ERROR_ARGUMENT):
 * decay_steps is not more than warmup_steps. */
inline fn warmup_cosine_decay_schedule(const within &ctx, double init_value, double peak_value,
	int64_t warmup_steps, int64_t decay_steps,
	const warmup_cosine_decay_args &args = warmup_cosine_decay_args())
{
	tsr_fn *made = tsr_warmup_cosine_decay_schedule_at(ctx.where(), ctx.get(), init_value,
		peak_value, warmup_steps, decay_steps, args.get());
	detail::settle(ctx.get());
	return fn(made);
}

/** init_value times the scales of all boundaries that are reached:
 * piecewise_constant_schedule(ctx, 1e-3, {500, 0.1}, {900, 0.1}). Error (TSR_ERROR_ARGUMENT): a
 * negative scale. */
inline fn piecewise_constant_schedule(const within &ctx, double init_value,
	std::initializer_list<tsr_boundary> boundaries)
{
	tsr_fn *made = tsr_piecewise_constant_schedule_at(ctx.where(), ctx.get(), init_value,
		boundaries.begin(), boundaries.size());
	detail::settle(ctx.get());
	return fn(made);
}

/** Schedules one behind the other, each of which counts its own steps from 0:
 * join_schedules(ctx, {0, warmup}, {100, decay}, {1000, tail}). Error (TSR_ERROR_ARGUMENT): no
 * phase, a schedule that is NULL, poison or of another context. */
inline fn join_schedules(const within &ctx, std::initializer_list<tsr_phase> phases)
{
	tsr_fn *made = tsr_join_schedules_at(ctx.where(), ctx.get(), phases.begin(), phases.size());
	detail::settle(ctx.get());
	return fn(made);
}

/** Gradient descent: sgd(ctx, 0.1), sgd(ctx, 0.1, .momentum = 0.9). */
inline const tsr_optimizer *sgd(const within &ctx, const rate &rate,
	const sgd_args &args = sgd_args())
{
	const tsr_optimizer * made = tsr_sgd_at(ctx.where(), ctx.get(), rate.get(), args.get());
	detail::settle(ctx.get());
	return made;
}

/** Adam (Kingma and Ba, 2014): with mu the mean of g, and nu that of |g|^2, both decaying and
 * freed of their bias, p - rate mu / (sqrt(nu + eps_root) + eps). adam(ctx, 1e-3) */
inline const tsr_optimizer *adam(const within &ctx, const rate &rate,
	const adam_args &args = adam_args())
{
	const tsr_optimizer * made = tsr_adam_at(ctx.where(), ctx.get(), rate.get(), args.get());
	detail::settle(ctx.get());
	return made;
}

/** adam() with weights that decay by themselves (Loshchilov and Hutter, 2019): weight_decay p is
 * added to the update before the rate. adamw(ctx, 1e-3, .weight_decay = 0.01) */
inline const tsr_optimizer *adamw(const within &ctx, const rate &rate,
	const adamw_args &args = adamw_args())
{
	const tsr_optimizer * made = tsr_adamw_at(ctx.where(), ctx.get(), rate.get(), args.get());
	detail::settle(ctx.get());
	return made;
}

/** Lion (Chen and others, 2023): the sign of b1 mu + (1 - b1) g, where mu is the mean of g that
 * decays by b2, and decay of weights as in adamw(). lion(ctx, 1e-4) */
inline const tsr_optimizer *lion(const within &ctx, const rate &rate,
	const lion_args &args = lion_args())
{
	const tsr_optimizer * made = tsr_lion_at(ctx.where(), ctx.get(), rate.get(), args.get());
	detail::settle(ctx.get());
	return made;
}

/** Adafactor (Shazeer and Stern, 2018), whose state is small: adafactor(ctx, 1e-3). */
inline const tsr_optimizer *adafactor(const within &ctx, const rate &rate,
	const adafactor_args &args = adafactor_args())
{
	const tsr_optimizer * made = tsr_adafactor_at(ctx.where(), ctx.get(), rate.get(),
		args.get());
	detail::settle(ctx.get());
	return made;
}

/** Gradients whose norm, that of all leaves together, is above max_norm are scaled down to it:
 * clip_by_global_norm(ctx, 1.0), a part for chain(). */
inline const tsr_optimizer *clip_by_global_norm(const within &ctx, double max_norm)
{
	const tsr_optimizer * made = tsr_clip_by_global_norm_at(ctx.where(), ctx.get(), max_norm);
	detail::settle(ctx.get());
	return made;
}

/** An average of the parameters over the steps, which decays, for use when training is done: a
 * part for the end of a chain(), whose state it is. It begins as the parameters, and after each
 * step it is decay times itself and 1 - decay times the new ones. ema_params(ctx, 0.999) */
inline const tsr_optimizer *ema_params(const within &ctx, double decay,
	const ema_args &args = ema_args())
{
	const tsr_optimizer * made = tsr_ema_params_at(ctx.where(), ctx.get(), decay, args.get());
	detail::settle(ctx.get());
	return made;
}

/** Several optimisers and parts, each of which gets what the one before makes of the gradients:
 * chain(ctx, clip_by_global_norm(ctx, 1.0), adam(ctx, 1e-3), ema_params(ctx, 0.99)). Error
 * (TSR_ERROR_ARGUMENT): one that is NULL, poison, or of another context. */
inline const tsr_optimizer *chain(const within &ctx, std::initializer_list<tsr_optimizer *> parts)
{
	const tsr_optimizer * made = tsr_chain_at(ctx.where(), ctx.get(),
		parts.begin(), parts.size());
	detail::settle(ctx.get());
	return made;
}

/** Gradients are collected for k steps, after which opt makes one step with their mean; the
 * parameters stay as they are in between: multi_steps(adam(ctx, 1e-3), 4). Error
 * (TSR_ERROR_ARGUMENT): k < 1. */
inline const tsr_optimizer *multi_steps(const tsr_optimizer *opt, int64_t k,
	const multi_steps_args &args = multi_steps_args(), place at = place::here())
{
	const tsr_optimizer * made = tsr_multi_steps_at(at.text(), opt, k, args.get());
	return made;
}

/** How many leaves the state for these parameters has. Of poison: 0. */
inline size_t optimizer_leaves(const tsr_optimizer *opt, const tree &params)
{
	const size_t made = tsr_optimizer_leaves(opt, params.get());
	detail::settle(detail::context_of_tree(params));
	return made;
}

/** The state before the first step, as a list of leaves without a type, which has no leaves if
 * it fails. Outside of bodies each leaf is made where it belongs, by each device its own part:
 * placed as its parameter is, or cut further by .zero, along the first of the dims of which the
 * least is then left on a device. Leaves are owned, as set() makes them: drop_tree(state) ends
 * them. The list itself belongs to the innermost scope. In a body they are values of that, and
 * there .zero is an error (TSR_ERROR_UNSUPPORTED). Errors: params without leaves, a number of
 * .mask that is not that of the leaves (TSR_ERROR_ARGUMENT); an axis in .zero that the mesh of
 * a parameter, or for one that was put nowhere the one in use, does not have
 * (TSR_ERROR_SHARDING); parameters that are not floating or complex (TSR_ERROR_TYPE). */
inline std::vector<array> optimizer_init(const tsr_optimizer *opt, const tree &params,
	place at = place::here())
{
	const tsr_tree made = tsr_optimizer_init_at(at.text(), opt, params.get());
	detail::settle(detail::context_of_tree(params));
	return detail::leaves_of(made);
}

/** One step: params and state, whose leaves are replaced, become the next ones for these
 * gradients, a tree with as many leaves as params. Absent leaves stay so. Outside of bodies
 * slots own the new leaves, as with set(). In a body, where trees that are arguments must not
 * be written, params is a copy: mlp w = *TSR_TREE_OF(mlp, params); optimizer_update(opt,
 * TSR_TREE(mlp, &g), TSR_TREE(mlp, &w), state). Errors: other numbers of leaves
 * (TSR_ERROR_ARGUMENT), dims of a gradient that are not those of its parameter
 * (TSR_ERROR_TYPE). false on failure; nothing is replaced then. */
template <class Params, class State>
bool optimizer_update(const tsr_optimizer *opt,
	const tree &grads, Params &params, State &state, place at = place::here())
{
	detail::written<Params> to_params(params);
	detail::written<State> to_state(state);
	const bool made = tsr_optimizer_update_at(at.text(), opt, grads.get(), to_params.get(),
		to_state.get());
	detail::settle(detail::context_of_tree(grads));
	to_params.take();
	to_state.take();
	return made;
}

/** The part of a state that is the average of ema_params(), as a tree like params; without
 * leaves if there is none. No handle is made: these are those of the state. */
inline std::vector<array> optimizer_ema(const tsr_optimizer *opt, const tree &params,
	const tree &state)
{
	const tsr_tree made = tsr_optimizer_ema(opt, params.get(), state.get());
	detail::settle(detail::context_of_tree(params));
	return detail::leaves_of(made);
}

/** Calls a step: gives the loss, and puts the new leaves of params and state, which it owns as
 * with set(), in the places of those that the call has given up: l = train(step, TSR_TREE(mlp,
 * &w), state, x, y). With .has_aux, call_into() gives all results. Errors: those of the loss,
 * and of optimizer_update(). */
template <class Params, class State, class... A>
array train(const fn &step, Params &params,
	State &state, const A &...args)
{
	detail::written<Params> to_params(params);
	detail::written<State> to_state(state);
	const detail::given<A...> given(args...);
	tsr_handle *made = tsr_train_at(nullptr, step.get(), to_params.get(), to_state.get(),
		given.data(), given.size());
	detail::settle(tsr_fn_ctx(step.get()));
	to_params.take();
	to_state.take();
	return array::adopt(made);
}

/** An array of zeros, f32 when no dtype is given; the key is not used, here and in the next two. */
inline array init_zeros(const array &key, const dims &dims_, const new_args &args = new_args(),
	place at = place::here())
{
	tsr_handle *made = tsr_init_zeros_at(at.text(), key.get(), dims_, args.get());
	return array::adopt(made);
}

/** An array of ones, f32 when no dtype is given; the key is not used: init_ones(key,
 * TSR_DIMS(8)). */
inline array init_ones(const array &key, const dims &dims_, const new_args &args = new_args(),
	place at = place::here())
{
	tsr_handle *made = tsr_init_ones_at(at.text(), key.get(), dims_, args.get());
	return array::adopt(made);
}

/** An array with all elements .value: init_constant(key, TSR_DIMS(8), .value = TSR_ARG(0.5)).
 * Error (TSR_ERROR_ARGUMENT): no .value. */
inline array init_constant(const array &key, const dims &dims_,
	const init_constant_args &args = init_constant_args(), place at = place::here())
{
	tsr_handle *made = tsr_init_constant_at(at.text(), key.get(), dims_, args.get());
	return array::adopt(made);
}

/** Numbers spread evenly from 0 to .scale: init_uniform(key, TSR_DIMS(512, 10), .scale = 0.1). */
inline array init_uniform(const array &key, const dims &dims_,
	const init_uniform_args &args = init_uniform_args(), place at = place::here())
{
	tsr_handle *made = tsr_init_uniform_at(at.text(), key.get(), dims_, args.get());
	return array::adopt(made);
}

/** Normal numbers with mean 0: init_normal(key, TSR_DIMS(512, 10), .stddev = 0.02). */
inline array init_normal(const array &key, const dims &dims_,
	const init_normal_args &args = init_normal_args(), place at = place::here())
{
	tsr_handle *made = tsr_init_normal_at(at.text(), key.get(), dims_, args.get());
	return array::adopt(made);
}

/** Normal numbers with mean 0 of which those outside of two limits are left out. */
inline array init_truncated_normal(const array &key, const dims &dims_,
	const init_truncated_normal_args &args = init_truncated_normal_args(),
	place at = place::here())
{
	tsr_handle *made = tsr_init_truncated_normal_at(at.text(), key.get(), dims_, args.get());
	return array::adopt(made);
}

/** Numbers with mean 0 and variance .scale / n, where n is a number of elements that .mode
 * names: init_variance_scaling(key, TSR_DIMS(512, 10), .scale = 2, .mode = TSR_FAN_AVG). The
 * next ones are this one with the keywords that their comments say. Errors of all: dims that
 * are none (TSR_ERROR_ARGUMENT), no .in where there are fewer than two dims (TSR_ERROR_TYPE). */
inline array init_variance_scaling(const array &key, const dims &dims_,
	const init_scaling_args &args = init_scaling_args(), place at = place::here())
{
	tsr_handle *made = tsr_init_variance_scaling_at(at.text(), key.get(), dims_, args.get());
	return array::adopt(made);
}

/** init_variance_scaling() with .scale = 1, .mode = TSR_FAN_AVG, .distribution =
 * TSR_INIT_UNIFORM. */
inline array init_glorot_uniform(const array &key, const dims &dims_,
	const init_fan_args &args = init_fan_args(), place at = place::here())
{
	tsr_handle *made = tsr_init_glorot_uniform_at(at.text(), key.get(), dims_, args.get());
	return array::adopt(made);
}

/** init_variance_scaling() with .scale = 1, .mode = TSR_FAN_AVG. */
inline array init_glorot_normal(const array &key, const dims &dims_,
	const init_fan_args &args = init_fan_args(), place at = place::here())
{
	tsr_handle *made = tsr_init_glorot_normal_at(at.text(), key.get(), dims_, args.get());
	return array::adopt(made);
}

/** init_glorot_uniform() by the other name that JAX has for it. */
inline array init_xavier_uniform(const array &key, const dims &dims_,
	const init_fan_args &args = init_fan_args(), place at = place::here())
{
	tsr_handle *made = tsr_init_xavier_uniform_at(at.text(), key.get(), dims_, args.get());
	return array::adopt(made);
}

/** init_glorot_normal() by the other name that JAX has for it. */
inline array init_xavier_normal(const array &key, const dims &dims_,
	const init_fan_args &args = init_fan_args(), place at = place::here())
{
	tsr_handle *made = tsr_init_xavier_normal_at(at.text(), key.get(), dims_, args.get());
	return array::adopt(made);
}

/** init_variance_scaling() with .scale = 1, .distribution = TSR_INIT_UNIFORM. */
inline array init_lecun_uniform(const array &key, const dims &dims_,
	const init_fan_args &args = init_fan_args(), place at = place::here())
{
	tsr_handle *made = tsr_init_lecun_uniform_at(at.text(), key.get(), dims_, args.get());
	return array::adopt(made);
}

/** init_variance_scaling() with .scale = 1: the usual one of kernels in Flax. */
inline array init_lecun_normal(const array &key, const dims &dims_,
	const init_fan_args &args = init_fan_args(), place at = place::here())
{
	tsr_handle *made = tsr_init_lecun_normal_at(at.text(), key.get(), dims_, args.get());
	return array::adopt(made);
}

/** init_variance_scaling() with .scale = 2, .distribution = TSR_INIT_UNIFORM. */
inline array init_he_uniform(const array &key, const dims &dims_,
	const init_fan_args &args = init_fan_args(), place at = place::here())
{
	tsr_handle *made = tsr_init_he_uniform_at(at.text(), key.get(), dims_, args.get());
	return array::adopt(made);
}

/** init_variance_scaling() with .scale = 2, normal numbers below two standard deviations. */
inline array init_he_normal(const array &key, const dims &dims_,
	const init_fan_args &args = init_fan_args(), place at = place::here())
{
	tsr_handle *made = tsr_init_he_normal_at(at.text(), key.get(), dims_, args.get());
	return array::adopt(made);
}

/** init_he_uniform() by the other name that JAX has for it. */
inline array init_kaiming_uniform(const array &key, const dims &dims_,
	const init_fan_args &args = init_fan_args(), place at = place::here())
{
	tsr_handle *made = tsr_init_kaiming_uniform_at(at.text(), key.get(), dims_, args.get());
	return array::adopt(made);
}

/** init_he_normal() by the other name that JAX has for it. */
inline array init_kaiming_normal(const array &key, const dims &dims_,
	const init_fan_args &args = init_fan_args(), place at = place::here())
{
	tsr_handle *made = tsr_init_kaiming_normal_at(at.text(), key.get(), dims_, args.get());
	return array::adopt(made);
}

/** A matrix with orthonormal rows or columns, whichever are fewer, times .scale. All dims but
 * .column are its rows. A device makes all of it, and keeps its part. Error (TSR_ERROR_TYPE):
 * fewer than two dims. */
inline array init_orthogonal(const array &key, const dims &dims_,
	const init_orthogonal_args &args = init_orthogonal_args(), place at = place::here())
{
	tsr_handle *made = tsr_init_orthogonal_at(at.text(), key.get(), dims_, args.get());
	return array::adopt(made);
}

/** A kernel [window..., in, out] that is a matrix of init_orthogonal() at the middle of its
 * window, and 0 elsewhere: init_delta_orthogonal(key, TSR_DIMS(3, 3, 8, 16)). Error
 * (TSR_ERROR_TYPE): not 3 to 5 dims, or more in than out. */
inline array init_delta_orthogonal(const array &key, const dims &dims_,
	const init_orthogonal_args &args = init_orthogonal_args(), place at = place::here())
{
	tsr_handle *made = tsr_init_delta_orthogonal_at(at.text(), key.get(), dims_, args.get());
	return array::adopt(made);
}

/** The leaves of a tree, leaf k as params[k] says, and over a mesh where it says:
 *
 *     const tsr_param params[] = {
 * {TSR_DIMS(h, 4 * h), tsr_init_kaiming_normal, TSR_P(NULL, "model")}, {TSR_DIMS(4 * h),
 * tsr_init_zeros, TSR_P("model")}};
 *     make_params(TSR_TREE(dense, &w), key, mesh, params, 2);
 *
 * Leaf k is drawn with fold_in(key, k), as Flax numbers them: a kernel comes before its bias, a
 * scale before its bias, and zeros and ones have numbers too. Running statistics have none
 * there: they are a tree of their own. All leaves are drawn by one program, in which each
 * device makes its own parts and nothing is sent (but in a context with .threefry_original,
 * whose numbers depend on the whole). A mesh that is NULL is the one in use; where none is,
 * leaves are where the key is. Errors: n is not the number of leaves, no initialiser
 * (TSR_ERROR_ARGUMENT), an initialiser that gives other dims (TSR_ERROR_TYPE), specs as for
 * put() (TSR_ERROR_SHARDING). false on failure; all leaves are poison then. */
template <class T>
bool make_params(T &to, const array &key, const mesh &m, const tsr_param *params,
	size_t n, place at = place::here())
{
	detail::written<T> to_to(to);
	const bool made = tsr_make_params_at(at.text(), to_to.get(), key.get(), m.get(), params, n);
	detail::settle(detail::context_of(to));
	to_to.take();
	return made;
}

/** Products by Einstein's convention: each dim has a letter, and what has a letter that the
 * result lacks is summed over. einsum("ij,jk->ik", a, b); "ii->i" is a diagonal, "..." means
 * any dims, which are broadcast; without an arrow the result has the letters that occur once,
 * in order. Of more than two arrays the products that take the fewest multiplications come
 * first. Errors: a text that does not fit the arrays (TSR_ERROR_ARGUMENT), one letter for
 * different sizes (TSR_ERROR_TYPE). */
inline array einsum(const char *subscripts, const arrays &x, place at = place::here())
{
	tsr_handle *made = tsr_einsum_at(at.text(), subscripts, x.data(), x.size());
	return array::adopt(made);
}

/** NumPy's tensordot: sums over dims of a and b in pairs; the result has the other dims of a,
 * then those of b. tensordot(a, b, .dims_a = TSR_DIMS(1), .dims_b = TSR_DIMS(0)). Errors: dims
 * of different sizes (TSR_ERROR_TYPE), lists of different lengths (TSR_ERROR_ARGUMENT). */
inline array tensordot(const array &a, const array &b,
	const tensordot_args &args = tensordot_args(), place at = place::here())
{
	tsr_handle *made = tsr_tensordot_at(at.text(), a.get(), b.get(), args.get());
	return array::adopt(made);
}

/** Sums over the last dim of both; a scalar multiplies. */
inline array inner(const array &a, const array &b, place at = place::here())
{
	tsr_handle *made = tsr_inner_at(at.text(), a.get(), b.get());
	return array::adopt(made);
}

/** Each element of a with each of b, both ravelled: [m, n]. */
inline array outer(const array &a, const array &b, place at = place::here())
{
	tsr_handle *made = tsr_outer_at(at.text(), a.get(), b.get());
	return array::adopt(made);
}

/** The sum of conj(a) b over all elements, both ravelled. */
inline array vdot(const array &a, const array &b, place at = place::here())
{
	tsr_handle *made = tsr_vdot_at(at.text(), a.get(), b.get());
	return array::adopt(made);
}

/** The sum of conj(a) b along a dim; other dims are broadcast: vecdot(a, b, .dim = TSR_DIMS(0)).
 * Error (TSR_ERROR_TYPE): different sizes of the dim. */
inline array vecdot(const array &a, const array &b, const vecdot_args &args = vecdot_args(),
	place at = place::here())
{
	tsr_handle *made = tsr_vecdot_at(at.text(), a.get(), b.get(), args.get());
	return array::adopt(made);
}

/** Matrices times vectors: [..., n, m] and [..., m] give [..., n]. */
inline array matvec(const array &a, const array &b, place at = place::here())
{
	tsr_handle *made = tsr_matvec_at(at.text(), a.get(), b.get());
	return array::adopt(made);
}

/** Conjugated vectors times matrices: [..., n] and [..., n, m] give [..., m]. */
inline array vecmat(const array &a, const array &b, place at = place::here())
{
	tsr_handle *made = tsr_vecmat_at(at.text(), a.get(), b.get());
	return array::adopt(made);
}

/** Kronecker's product: dim d of the result has the product of both sizes, a's index in front. */
inline array kron(const array &a, const array &b, place at = place::here())
{
	tsr_handle *made = tsr_kron_at(at.text(), a.get(), b.get());
	return array::adopt(made);
}

/** The cross product of vectors of 3 along a dim; those of 2 have 0 as their third element, and
 * of two of them the result is that element alone. Error (TSR_ERROR_TYPE): other sizes. */
inline array cross(const array &a, const array &b, const cross_args &args = cross_args(),
	place at = place::here())
{
	tsr_handle *made = tsr_cross_at(at.text(), a.get(), b.get(), args.get());
	return array::adopt(made);
}

/** Begins to write a trace to a file, which is replaced: profile(ctx, "trace.json"). It ends
 * with profile_end() or close(). Programs that one routine runs as a whole are run step by step
 * meanwhile. The environment variable TSR_PROFILE=FILE does this for an unchanged program; if
 * several of its contexts do something, the second writes FILE.2, and so on. False on failure:
 * the file cannot be written (TSR_ERROR_FILE), or a trace is being written already
 * (TSR_ERROR_ARGUMENT). */
inline bool profile(const within &ctx, const char *path)
{
	const bool made = tsr_profile_at(ctx.where(), ctx.get(), path);
	detail::settle(ctx.get());
	return made;
}

/** Ends the trace of profile_begin(), whose file is complete now. False on failure: there was
 * none (TSR_ERROR_ARGUMENT), or not all of it could be written (TSR_ERROR_FILE). */
inline bool profile_end(const within &ctx)
{
	const bool made = tsr_profile_end_at(ctx.where(), ctx.get());
	detail::settle(ctx.get());
	return made;
}

/** The key of a seed: its upper and its lower 32 bits, [2] of u32: key(ctx, 42), key(ctx, seed)
 * of an integer array without dims, which may be traced. The upper half is 0 where the array
 * has at most 32 bits. (JAX without 64-bit types drops the upper half: its key(-1) is key(ctx,
 * UINT32_MAX).) Error (TSR_ERROR_TYPE): it is no integer, or has dims. */
inline array key(const within &ctx, const operand &seed)
{
	tsr_handle *made = tsr_key_at(ctx.where(), ctx.get(), seed.arg());
	return array::adopt(made);
}

/** n new keys, into out: tsr *key[2]; split_key(old, key, 2). false on failure; out then holds
 * poison. */
inline std::vector<array> split_key(const array &key, size_t n, place at = place::here())
{
	std::vector<tsr_handle *> all(n + 1);
	tsr_handle **out = all.data();
	tsr_split_key_at(at.text(), key.get(), out, n);
	detail::settle(tsr_ctx_of(key.get()));
	return detail::take(out, n);
}

/** An array of new keys, [dims..., 2]: split_keys(key, TSR_DIMS(8)) is u32[8,2], and its rows
 * are the keys of split_key(key, out, 8). */
inline array split_keys(const array &key, const dims &dims_, place at = place::here())
{
	tsr_handle *made = tsr_split_keys_at(at.text(), key.get(), dims_);
	return array::adopt(made);
}

/** A new key, of a key and an integer: fold_in(key, 7), fold_in(key, step). The integer counts
 * modulo 2^32. Error (TSR_ERROR_TYPE): it is no integer, or has dims. */
inline array fold_in(const array &key, const operand &data)
{
	tsr_handle *made = tsr_fold_in_at(data.where(), key.get(), data.arg());
	return array::adopt(made);
}

/** Random bits: u8, u16, u32 or u64; u32 when no dtype is given: random_bits(key, TSR_DIMS(6),
 * .dtype = TSR_U8). */
inline array random_bits(const array &key, const dims &dims_, const draw_args &args = draw_args(),
	place at = place::here())
{
	tsr_handle *made = tsr_random_bits_at(at.text(), key.get(), dims_, args.get());
	return array::adopt(made);
}

/** Floats spread evenly over minval <= y < maxval; f32 when no dtype is given: uniform(key,
 * TSR_DIMS(8), .minval = TSR_ARG(-1)). Error (TSR_ERROR_TYPE): limits that do not broadcast to
 * the dims. */
inline array uniform(const array &key, const dims &dims_, const uniform_args &args = uniform_args(),
	place at = place::here())
{
	tsr_handle *made = tsr_uniform_at(at.text(), key.get(), dims_, args.get());
	return array::adopt(made);
}

/** Normal numbers with mean 0 and variance 1, of a float or complex dtype; f32 when not given.
 * Both parts of complex ones have half the variance. */
inline array normal(const array &key, const dims &dims_, const draw_args &args = draw_args(),
	place at = place::here())
{
	tsr_handle *made = tsr_normal_at(at.text(), key.get(), dims_, args.get());
	return array::adopt(made);
}

/** Normal numbers of which those outside of lower < y < upper are left out:
 * truncated_normal(key, -2, 2, .dims = TSR_DIMS(8)). This one, and all samplers with parameters
 * below: f32 or another float .dtype, and parameters that are arrays or C numbers and broadcast
 * to .dims (TSR_ERROR_TYPE if not). */
inline array truncated_normal(const array &key, const operand &lower, const operand &upper,
	const sample_args &args = sample_args())
{
	tsr_handle *made = tsr_truncated_normal_at(lower.where(), key.get(), lower.arg(),
		upper.arg(), args.get());
	return array::adopt(made);
}

/** Integers minval <= y < maxval; i32 when no dtype is given: randint(key, TSR_DIMS(8), 0, 10).
 * Limits beyond the dtype count as its own, so 0 and 256 are all of u8; where maxval is not
 * above minval, minval. The remainder of twice as many random bits as the dtype has: nearly
 * even. */
inline array randint(const array &key, const dims &dims_, const operand &minval,
	const operand &maxval, const draw_args &args = draw_args())
{
	tsr_handle *made = tsr_randint_at(minval.where(), key.get(), dims_, minval.arg(),
		maxval.arg(), args.get());
	return array::adopt(made);
}

/** bool: true with probability p: bernoulli(key, 0.3, .dims = TSR_DIMS(4)). */
inline array bernoulli(const array &key, const operand &p,
	const bernoulli_args &args = bernoulli_args())
{
	tsr_handle *made = tsr_bernoulli_at(p.where(), key.get(), p.arg(), args.get());
	return array::adopt(made);
}

/** Each element -1 or 1 with equal probability; i32, or another integer dtype. */
inline array rademacher(const array &key, const dims &dims_, const draw_args &args = draw_args(),
	place at = place::here())
{
	tsr_handle *made = tsr_rademacher_at(at.text(), key.get(), dims_, args.get());
	return array::adopt(made);
}

/** The number of a category, each with a probability proportional to e to the power of its
 * logit: categorical(key, logits), categorical(key, logits, .dim = TSR_DIMS(0)). Errors
 * (TSR_ERROR_TYPE): logits that are no floats, .dims that do not end as they must. */
inline array categorical(const array &key, const array &logits,
	const categorical_args &args = categorical_args(), place at = place::here())
{
	tsr_handle *made = tsr_categorical_at(at.text(), key.get(), logits.get(), args.get());
	return array::adopt(made);
}

/** An array whose elements along a dim are in random order, or the numbers from 0 to n - 1, of
 * i32, or i64 where they need it: permutation(key, x), permutation(key, 100). Error
 * (TSR_ERROR_ARGUMENT): so many that no array holds them. */
inline array permutation(const array &key, const operand &x,
	const permutation_args &args = permutation_args())
{
	tsr_handle *made = tsr_permutation_at(x.where(), key.get(), x.arg(), args.get());
	return array::adopt(made);
}

/** Elements of an array along a dim, or of the numbers from 0 to n - 1, i32. dims says how many,
 * and replaces that dim: choice(key, 10, TSR_DIMS(3)), choice(key, rows, TSR_DIMS(5),
 * .no_replace = true), choice(key, 4, TSR_DIMS(9), .p = p). Errors: more samples than elements
 * with .no_replace, nothing to choose from (TSR_ERROR_ARGUMENT); a .p of other dims
 * (TSR_ERROR_TYPE). */
inline array choice(const array &key, const operand &from_, const dims &dims_,
	const choice_args &args = choice_args())
{
	tsr_handle *made = tsr_choice_at(from_.where(), key.get(), from_.arg(), dims_, args.get());
	return array::adopt(made);
}

/** How many trials with probability p it takes until one succeeds; i32, or another integer
 * dtype. */
inline array geometric(const array &key, const operand &p, const sample_args &args = sample_args())
{
	tsr_handle *made = tsr_geometric_at(p.where(), key.get(), p.arg(), args.get());
	return array::adopt(made);
}

/** How many events there are where lam are expected, lam >= 0; i32, or another integer dtype.
 * All elements try with numbers of the same keys until each one is done. From lam = 10 on the
 * last trial that succeeds counts, as in JAX: there an element depends on how long the others
 * take. A lam that is negative or NaN gives -1. */
inline array poisson(const array &key, const operand &lam, const sample_args &args = sample_args())
{
	tsr_handle *made = tsr_poisson_at(lam.where(), key.get(), lam.arg(), args.get());
	return array::adopt(made);
}

/** How many of n trials with probability p succeed, as floats (f32, or another float .dtype):
 * binomial(key, 10, p). Fractions of n are dropped; NaN where n is negative or p not between 0
 * and 1, infinity where n is infinite. Where n min(p, 1 - p) > 10, elements depend on each
 * other as in poisson(). */
inline array binomial(const array &key, const operand &n, const operand &p,
	const sample_args &args = sample_args())
{
	tsr_handle *made = tsr_binomial_at(n.where(), key.get(), n.arg(), p.arg(), args.get());
	return array::adopt(made);
}

/** How many of n trials have each outcome, of probabilities p [..., k], as floats: [.dims...,
 * k], where .dims are those in front of the last one of p when not given, and n broadcasts to
 * them. multinomial(key, 100, p). Errors (TSR_ERROR_TYPE): a p without dims, dims that do not
 * broadcast. */
inline array multinomial(const array &key, const operand &n, const array &p,
	const sample_args &args = sample_args())
{
	tsr_handle *made = tsr_multinomial_at(n.where(), key.get(), n.arg(), p.get(), args.get());
	return array::adopt(made);
}

/** -log(-log(u)) with u evenly between 0 and 1: the noise of categorical(). This one, and those
 * below without parameters: f32 or another float .dtype. */
inline array gumbel(const array &key, const dims &dims_, const gumbel_args &args = gumbel_args(),
	place at = place::here())
{
	tsr_handle *made = tsr_gumbel_at(at.text(), key.get(), dims_, args.get());
	return array::adopt(made);
}

/** Numbers of the exponential distribution with mean 1: -log(1 - u) with u evenly between 0 and
 * 1. */
inline array exponential(const array &key, const dims &dims_, const draw_args &args = draw_args(),
	place at = place::here())
{
	tsr_handle *made = tsr_exponential_at(at.text(), key.get(), dims_, args.get());
	return array::adopt(made);
}

/** Numbers of the Laplace distribution: exponential ones with a random sign. */
inline array laplace(const array &key, const dims &dims_, const draw_args &args = draw_args(),
	place at = place::here())
{
	tsr_handle *made = tsr_laplace_at(at.text(), key.get(), dims_, args.get());
	return array::adopt(made);
}

/** Numbers of the logistic distribution: log(u / (1 - u)) with u evenly between 0 and 1. */
inline array random_logistic(const array &key, const dims &dims_,
	const draw_args &args = draw_args(), place at = place::here())
{
	tsr_handle *made = tsr_random_logistic_at(at.text(), key.get(), dims_, args.get());
	return array::adopt(made);
}

/** Cauchy numbers: the tangent of an angle between -pi/2 and pi/2. */
inline array cauchy(const array &key, const dims &dims_, const draw_args &args = draw_args(),
	place at = place::here())
{
	tsr_handle *made = tsr_cauchy_at(at.text(), key.get(), dims_, args.get());
	return array::adopt(made);
}

/** Maxwell numbers: the length of three normal ones. */
inline array maxwell(const array &key, const dims &dims_, const draw_args &args = draw_args(),
	place at = place::here())
{
	tsr_handle *made = tsr_maxwell_at(at.text(), key.get(), dims_, args.get());
	return array::adopt(made);
}

/** Pareto numbers y >= 1, with density b / y^(b + 1). */
inline array pareto(const array &key, const operand &b, const sample_args &args = sample_args())
{
	tsr_handle *made = tsr_pareto_at(b.where(), key.get(), b.arg(), args.get());
	return array::adopt(made);
}

/** Rayleigh numbers: scale times the length of two normal ones. */
inline array rayleigh(const array &key, const operand &scale,
	const sample_args &args = sample_args())
{
	tsr_handle *made = tsr_rayleigh_at(scale.where(), key.get(), scale.arg(), args.get());
	return array::adopt(made);
}

/** e to the power of sigma times a normal number. */
inline array lognormal(const array &key, const operand &sigma,
	const sample_args &args = sample_args())
{
	tsr_handle *made = tsr_lognormal_at(sigma.where(), key.get(), sigma.arg(), args.get());
	return array::adopt(made);
}

/** Wald (inverse normal) numbers with a mean, and shape 1. */
inline array wald(const array &key, const operand &mean, const sample_args &args = sample_args())
{
	tsr_handle *made = tsr_wald_at(mean.where(), key.get(), mean.arg(), args.get());
	return array::adopt(made);
}

/** Weibull numbers: scale times an exponential one to the power 1 / concentration. */
inline array weibull_min(const array &key, const operand &scale, const operand &concentration,
	const sample_args &args = sample_args())
{
	tsr_handle *made = tsr_weibull_min_at(scale.where(), key.get(), scale.arg(),
		concentration.arg(), args.get());
	return array::adopt(made);
}

/** loc plus scale times a Maxwell number with a random sign. */
inline array double_sided_maxwell(const array &key, const operand &loc, const operand &scale,
	const sample_args &args = sample_args())
{
	tsr_handle *made = tsr_double_sided_maxwell_at(loc.where(), key.get(), loc.arg(),
		scale.arg(), args.get());
	return array::adopt(made);
}

/** Numbers between left and right whose density rises up to mode, and falls behind it. */
inline array triangular(const array &key, const operand &left, const operand &mode,
	const operand &right, const sample_args &args = sample_args())
{
	tsr_handle *made = tsr_triangular_at(left.where(), key.get(), left.arg(), mode.arg(),
		right.arg(), args.get());
	return array::adopt(made);
}

/** Numbers of the gamma distribution with parameter a > 0, whose density is a multiple of y^(a -
 * 1) e^-y: random_gamma(key, 2.5, .dims = TSR_DIMS(8)). It has a derivative by a: that of the
 * number with the same share of the distribution below it. NaN where a <= -2/3. */
inline array random_gamma(const array &key, const operand &a,
	const sample_args &args = sample_args())
{
	tsr_handle *made = tsr_random_gamma_at(a.where(), key.get(), a.arg(), args.get());
	return array::adopt(made);
}

/** The logarithms of numbers of random_gamma(), which are exact where the numbers are too small. */
inline array random_loggamma(const array &key, const operand &a,
	const sample_args &args = sample_args())
{
	tsr_handle *made = tsr_random_loggamma_at(a.where(), key.get(), a.arg(), args.get());
	return array::adopt(made);
}

/** Numbers of the beta distribution: x / (x + y) of gamma numbers x and y, with parameters a and
 * b. */
inline array random_beta(const array &key, const operand &a, const operand &b,
	const sample_args &args = sample_args())
{
	tsr_handle *made = tsr_random_beta_at(a.where(), key.get(), a.arg(), b.arg(), args.get());
	return array::adopt(made);
}

/** The sum of df squares of normal numbers; df may have a fraction. */
inline array chisquare(const array &key, const operand &df, const sample_args &args = sample_args())
{
	tsr_handle *made = tsr_chisquare_at(df.where(), key.get(), df.arg(), args.get());
	return array::adopt(made);
}

/** Numbers of Student's t distribution: a normal number over the root of the mean of df squares
 * of normal numbers. */
inline array random_t(const array &key, const operand &df, const sample_args &args = sample_args())
{
	tsr_handle *made = tsr_random_t_at(df.where(), key.get(), df.arg(), args.get());
	return array::adopt(made);
}

/** Numbers of the F distribution: the mean of dfnum squares of normal numbers over the mean of
 * dfden squares of others. */
inline array random_f(const array &key, const operand &dfnum, const operand &dfden,
	const sample_args &args = sample_args())
{
	tsr_handle *made = tsr_random_f_at(dfnum.where(), key.get(), dfnum.arg(), dfden.arg(),
		args.get());
	return array::adopt(made);
}

/** Numbers whose density is a multiple of e^-|y|^p. */
inline array generalized_normal(const array &key, const operand &p,
	const sample_args &args = sample_args())
{
	tsr_handle *made = tsr_generalized_normal_at(p.where(), key.get(), p.arg(), args.get());
	return array::adopt(made);
}

/** Vectors of n numbers, spread evenly over those whose p-norm is at most 1, [.dims..., n]:
 * ball(key, 3, .dims = TSR_DIMS(100)). Error (TSR_ERROR_TYPE): .p has dims. */
inline array ball(const array &key, int64_t n, const ball_args &args = ball_args(),
	place at = place::here())
{
	tsr_handle *made = tsr_ball_at(at.text(), key.get(), n, args.get());
	return array::adopt(made);
}

/** Vectors with the sum 1, of gamma numbers with parameters alpha [..., n] that are divided by
 * theirs: [.dims..., n], where .dims are those in front of the last one of alpha when not
 * given. dirichlet(key, alpha, .dims = TSR_DIMS(5)). Errors (TSR_ERROR_TYPE): alpha has no
 * dims, or they do not broadcast to these. */
inline array dirichlet(const array &key, const array &alpha,
	const sample_args &args = sample_args(), place at = place::here())
{
	tsr_handle *made = tsr_dirichlet_at(at.text(), key.get(), alpha.get(), args.get());
	return array::adopt(made);
}

/** Orthogonal matrices, of complex dtype unitary ones, [.dims..., n, n], spread evenly:
 * orthogonal(key, 4). With .m columns the rows, or where they are more the columns, are
 * orthogonal and of size 1. f32 when no dtype is given. Errors: as of qr(). */
inline array orthogonal(const array &key, int64_t n,
	const orthogonal_args &args = orthogonal_args(), place at = place::here())
{
	tsr_handle *made = tsr_orthogonal_at(at.text(), key.get(), n, args.get());
	return array::adopt(made);
}

/** Vectors of normal numbers with a mean [..., n] and a covariance [..., n, n], [.dims..., n]:
 * multivariate_normal(key, mean, cov, .dims = TSR_DIMS(100)). The signs of the columns of F are
 * any with .factor = TSR_FACTOR_EIGH or TSR_FACTOR_SVD, which also takes singular matrices.
 * Errors: other dims (TSR_ERROR_TYPE), no such .factor (TSR_ERROR_ARGUMENT), those of the
 * factor. */
inline array multivariate_normal(const array &key, const array &mean, const array &cov,
	const multivariate_normal_args &args = multivariate_normal_args(), place at = place::here())
{
	tsr_handle *made = tsr_multivariate_normal_at(at.text(), key.get(), mean.get(), cov.get(),
		args.get());
	return array::adopt(made);
}

/** With dims from[i] as dims to[i] of the result; the others keep their order. moveaxis(x,
 * TSR_DIMS(0), TSR_DIMS(-1)). Error (TSR_ERROR_ARGUMENT): lists of different lengths. */
inline array moveaxis(const array &x, const dims &from_, const dims &to, place at = place::here())
{
	tsr_handle *made = tsr_moveaxis_at(at.text(), x.get(), from_, to);
	return array::adopt(made);
}

/** x with the dims a and b in each other's place: swapaxes(x, 0, 1). */
inline array swapaxes(const array &x, int a, int b, place at = place::here())
{
	tsr_handle *made = tsr_swapaxes_at(at.text(), x.get(), a, b);
	return array::adopt(made);
}

/** x with at least one dim: a scalar becomes [1], all else is left as it is. */
inline array atleast_1d(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_atleast_1d_at(at.text(), x.get());
	return array::adopt(made);
}

/** x with at least two dims, of which new ones are in front: [n] becomes [1, n]. */
inline array atleast_2d(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_atleast_2d_at(at.text(), x.get());
	return array::adopt(made);
}

/** x with at least three dims: [n] becomes [1, n, 1], and [m, n] [m, n, 1]. */
inline array atleast_3d(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_atleast_3d_at(at.text(), x.get());
	return array::adopt(made);
}

/** The n arrays of a list broadcast together, into out, which may be the list. false: all are
 * poison. */
inline std::vector<array> broadcast_arrays(const arrays &x, place at = place::here())
{
	const std::size_t n = x.size();
	std::vector<tsr_handle *> all(n + 1);
	tsr_handle **out = all.data();
	tsr_broadcast_arrays_at(at.text(), x.data(), out, x.size());
	detail::settle(detail::context_of_arrays(x));
	return detail::take(out, n);
}

/** Elements moved by `shift` places along a dim; those that leave it at one end enter at the
 * other. Along TSR_FLAT as if x had one dim. roll(x, 1, 0) */
inline array roll(const array &x, int64_t shift, int dim, place at = place::here())
{
	tsr_handle *made = tsr_roll_at(at.text(), x.get(), shift, dim);
	return array::adopt(made);
}

/** roll() by a shift that may be traced: an integer, of C or an array without dims, which counts
 * modulo the size of the dim. dynamic_roll(x, step, 0). Error (TSR_ERROR_TYPE): another shift. */
inline array dynamic_roll(const array &x, const operand &shift, int dim)
{
	tsr_handle *made = tsr_dynamic_roll_at(shift.where(), x.get(), shift.arg(), dim);
	return array::adopt(made);
}

/** A quarter turn, k times, from dim a to dim b: rot90(image, 1, 0, 1). Error
 * (TSR_ERROR_ARGUMENT): a and b are one dim. */
inline array rot90(const array &x, int k, int a, int b, place at = place::here())
{
	tsr_handle *made = tsr_rot90_at(at.text(), x.get(), k, a, b);
	return array::adopt(made);
}

/** The whole of x times[d] times along dim d: tile(x, TSR_DIMS(2, 1)). Lists of different
 * lengths are completed by ones in front. Error (TSR_ERROR_ARGUMENT): a negative number. */
inline array tile(const array &x, const dims &times, place at = place::here())
{
	tsr_handle *made = tsr_tile_at(at.text(), x.get(), times);
	return array::adopt(made);
}

/** Each element n times along a dim; along TSR_FLAT x is ravelled first: repeat(x, 2, 0). */
inline array repeat(const array &x, int64_t n, int dim, place at = place::here())
{
	tsr_handle *made = tsr_repeat_at(at.text(), x.get(), n, dim);
	return array::adopt(made);
}

/** Element i of a dim times[i] times, for an array of integers of one dim, or one for all
 * elements; along TSR_FLAT x is ravelled first. The dim gets the size n, whatever they hold:
 * what is too much is cut off, and where there is too little the last element fills the rest.
 * Negative ones count as 0. jnp.repeat() with total_repeat_length: repeat_each(x, counts, 10,
 * 0). Errors: times that are no integers or not as many (TSR_ERROR_TYPE), a negative n, nothing
 * to repeat (TSR_ERROR_ARGUMENT). */
inline array repeat_each(const array &x, const array &times, int64_t n, int dim,
	place at = place::here())
{
	tsr_handle *made = tsr_repeat_each_at(at.text(), x.get(), times.get(), n, dim);
	return array::adopt(made);
}

/** The elements of x, ravelled, again and again, until these dims are full. */
inline array resize(const array &x, const dims &dims_, place at = place::here())
{
	tsr_handle *made = tsr_resize_at(at.text(), x.get(), dims_);
	return array::adopt(made);
}

/** Arrays joined along dim 1, those of one dim along dim 0: hstack(a, b). */
inline array hstack(const arrays &x, place at = place::here())
{
	tsr_handle *made = tsr_hstack_at(at.text(), x.data(), x.size());
	return array::adopt(made);
}

/** Arrays joined along dim 0; those of one dim are rows. */
inline array vstack(const arrays &x, place at = place::here())
{
	tsr_handle *made = tsr_vstack_at(at.text(), x.data(), x.size());
	return array::adopt(made);
}

/** Arrays joined along dim 2, after atleast_3d(). */
inline array dstack(const arrays &x, place at = place::here())
{
	tsr_handle *made = tsr_dstack_at(at.text(), x.data(), x.size());
	return array::adopt(made);
}

/** Arrays joined along dim 1; those of one dim are columns. */
inline array column_stack(const arrays &x, place at = place::here())
{
	tsr_handle *made = tsr_column_stack_at(at.text(), x.data(), x.size());
	return array::adopt(made);
}

/** As split() into n parts, of which the first ones have one element more where n does not
 * divide the dim. */
inline std::vector<array> array_split(const array &x, int dim, size_t n, place at = place::here())
{
	std::vector<tsr_handle *> all(n + 1);
	tsr_handle **out = all.data();
	tsr_array_split_at(at.text(), x.get(), dim, out, n);
	detail::settle(tsr_ctx_of(x.get()));
	return detail::take(out, n);
}

/** The n elements of a dim, which is dropped, into out. Error (TSR_ERROR_ARGUMENT): the dim has
 * not size n. false: all are poison. */
inline std::vector<array> unstack(const array &x, int dim, size_t n, place at = place::here())
{
	std::vector<tsr_handle *> all(n + 1);
	tsr_handle **out = all.data();
	tsr_unstack_at(at.text(), x.get(), dim, out, n);
	detail::settle(tsr_ctx_of(x.get()));
	return detail::take(out, n);
}

/** Complex numbers [...] as their real and imaginary parts, [..., 2]: view_as_real(z). Where z
 * may be real, real() and imag() take it. Error (TSR_ERROR_TYPE): numbers that are not complex. */
inline array view_as_real(const array &z, place at = place::here())
{
	tsr_handle *made = tsr_view_as_real_at(at.text(), z.get());
	return array::adopt(made);
}

/** Pairs [..., 2] of f32 or f64 as complex numbers [...]: the inverse. Error (TSR_ERROR_TYPE):
 * other dims or another dtype. */
inline array view_as_complex(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_view_as_complex_at(at.text(), x.get());
	return array::adopt(made);
}

/** A diagonal of two dims, as the last dim: diagonal(x, .k = 1). Error (TSR_ERROR_TYPE): less
 * than two dims. */
inline array diagonal(const array &x, const diagonal_args &args = diagonal_args(),
	place at = place::here())
{
	tsr_handle *made = tsr_diagonal_at(at.text(), x.get(), args.get());
	return array::adopt(made);
}

/** The sum of the elements of diagonal(), which the keywords choose: trace(x, .k = 1). */
inline array trace(const array &x, const diagonal_args &args = diagonal_args(),
	place at = place::here())
{
	tsr_handle *made = tsr_trace_at(at.text(), x.get(), args.get());
	return array::adopt(made);
}

/** Of one dim: a square matrix with x as diagonal k, and zeros. Of two: diagonal k. */
inline array diag(const array &x, int k, place at = place::here())
{
	tsr_handle *made = tsr_diag_at(at.text(), x.get(), k);
	return array::adopt(made);
}

/** A square matrix with the elements of x, ravelled, as diagonal k, and zeros. */
inline array diagflat(const array &x, int k, place at = place::here())
{
	tsr_handle *made = tsr_diagflat_at(at.text(), x.get(), k);
	return array::adopt(made);
}

/** The elements of each matrix in the last two dims, with zeros above diagonal k: tril(x, 0). */
inline array tril(const array &x, int k, place at = place::here())
{
	tsr_handle *made = tsr_tril_at(at.text(), x.get(), k);
	return array::adopt(made);
}

/** The elements of each matrix in the last two dims, with zeros below diagonal k: triu(x, 1). */
inline array triu(const array &x, int k, place at = place::here())
{
	tsr_handle *made = tsr_triu_at(at.text(), x.get(), k);
	return array::adopt(made);
}

/** n x m ones up to diagonal k, and zeros above it; f32 when not given. */
inline array tri(const within &ctx, int64_t n, int64_t m, int k, const new_args &args = new_args())
{
	tsr_handle *made = tsr_tri_at(ctx.where(), ctx.get(), n, m, k, args.get());
	return array::adopt(made);
}

/** x with its elements (i, i, ...) replaced by a number. Errors (TSR_ERROR_TYPE): less than two
 * dims, more than two that differ. */
inline array fill_diagonal(const array &x, const operand &value)
{
	tsr_handle *made = tsr_fill_diagonal_at(value.where(), x.get(), value.arg());
	return array::adopt(made);
}

/** Columns x^(n - 1), ..., x, 1; increasing: from 1 on. [m] gives [m, n]. */
inline array vander(const array &x, int64_t n, bool increasing, place at = place::here())
{
	tsr_handle *made = tsr_vander_at(at.text(), x.get(), n, increasing);
	return array::adopt(made);
}

/** Coordinates of a grid of n arrays of one dim, into out, which may be the list: each goes
 * along its own dim of n. With .ij and .sparse NumPy's ix_. false: all are poison. */
inline std::vector<array> meshgrid(const arrays &x, const meshgrid_args &args = meshgrid_args(),
	place at = place::here())
{
	const std::size_t n = x.size();
	std::vector<tsr_handle *> all(n + 1);
	tsr_handle **out = all.data();
	tsr_meshgrid_at(at.text(), x.data(), out, x.size(), args.get());
	detail::settle(detail::context_of_arrays(x));
	return detail::take(out, n);
}

/** The index of each element of an array of these dims along each dim: [number of dims, dims
 * ...]; when not given i32, or i64 where a dim needs it. */
inline array indices(const within &ctx, const dims &dims_, const new_args &args = new_args())
{
	tsr_handle *made = tsr_indices_at(ctx.where(), ctx.get(), dims_, args.get());
	return array::adopt(made);
}

/** The places along each of these dims of row-major numbers, integers, into out; those beyond an
 * end are moved there, and negative ones count from the end. unravel_index(best, TSR_DIMS(4,
 * 5), out). false: all are poison. */
inline std::vector<array> unravel_index(const array &x, const dims &dims_, place at = place::here())
{
	tsr_handle *out[TSR_MAX_NDIM] = {};
	tsr_unravel_index_at(at.text(), x.get(), dims_, out);
	detail::settle(tsr_ctx_of(x.get()));
	return detail::take(out, dims_.size());
}

/** The row-major numbers of places, one array for each of these dims, integers: moved into the
 * dims with TSR_CLIP, modulo their sizes with TSR_WRAP, and otherwise as they are. */
inline array ravel_multi_index(const arrays &x, const dims &dims_, enum tsr_index_mode mode,
	place at = place::here())
{
	tsr_handle *made = tsr_ravel_multi_index_at(at.text(), x.data(), dims_, mode);
	return array::adopt(made);
}

/** The mean of |x - mean|^2, real. NaN where .correction leaves no number to divide by. var(x,
 * .dims = TSR_DIMS(0), .correction = 1). Error (TSR_ERROR_TYPE): a .dtype of integers, or a
 * real one for complex x. */
inline array var(const array &x, const var_args &args = var_args(), place at = place::here())
{
	tsr_handle *made = tsr_var_at(at.text(), x.get(), args.get());
	return array::adopt(made);
}

/** The standard deviation along dims, the square root of var(): std(x, .dims = TSR_DIMS(0)). */
inline array std(const array &x, const var_args &args = var_args(), place at = place::here())
{
	tsr_handle *made = tsr_std_at(at.text(), x.get(), args.get());
	return array::adopt(made);
}

/** The mean with weights, sum(x weights) / sum(weights): average(x, .weights = w). Error
 * (TSR_ERROR_TYPE): dims of the weights that do not fit. */
inline array average(const array &x, const average_args &args = average_args(),
	place at = place::here())
{
	tsr_handle *made = tsr_average_at(at.text(), x.get(), args.get());
	return array::adopt(made);
}

/** How many elements of x are not 0, along dims; i32. */
inline array count_nonzero(const array &x, const dims_args &args = dims_args(),
	place at = place::here())
{
	tsr_handle *made = tsr_count_nonzero_at(at.text(), x.get(), args.get());
	return array::adopt(made);
}

/** The largest element along dims less the smallest one, in the dtype of x: ptp(x, .dims =
 * TSR_DIMS(0)). */
inline array ptp(const array &x, const dims_args &args = dims_args(), place at = place::here())
{
	tsr_handle *made = tsr_ptp_at(at.text(), x.get(), args.get());
	return array::adopt(made);
}

/** The sum of those elements along dims that are not NaN, 0 where all are; otherwise as sum(). */
inline array nansum(const array &x, const sum_args &args = sum_args(), place at = place::here())
{
	tsr_handle *made = tsr_nansum_at(at.text(), x.get(), args.get());
	return array::adopt(made);
}

/** The product of those elements along dims that are not NaN, 1 where all are; otherwise as
 * prod(). */
inline array nanprod(const array &x, const sum_args &args = sum_args(), place at = place::here())
{
	tsr_handle *made = tsr_nanprod_at(at.text(), x.get(), args.get());
	return array::adopt(made);
}

/** max() of the elements that are not NaN; NaN where all are, unless .initial is given. */
inline array nanmax(const array &x, const reduce_args &args = reduce_args(),
	place at = place::here())
{
	tsr_handle *made = tsr_nanmax_at(at.text(), x.get(), args.get());
	return array::adopt(made);
}

/** min() of the elements that are not NaN; NaN where all are, unless .initial is given. */
inline array nanmin(const array &x, const reduce_args &args = reduce_args(),
	place at = place::here())
{
	tsr_handle *made = tsr_nanmin_at(at.text(), x.get(), args.get());
	return array::adopt(made);
}

/** The mean of those elements along dims that are not NaN, NaN where all are; otherwise as
 * mean(). */
inline array nanmean(const array &x, const mean_args &args = mean_args(), place at = place::here())
{
	tsr_handle *made = tsr_nanmean_at(at.text(), x.get(), args.get());
	return array::adopt(made);
}

/** The variance of those elements along dims that are not NaN; otherwise as var(). */
inline array nanvar(const array &x, const var_args &args = var_args(), place at = place::here())
{
	tsr_handle *made = tsr_nanvar_at(at.text(), x.get(), args.get());
	return array::adopt(made);
}

/** The standard deviation of those elements along dims that are not NaN; otherwise as std(). */
inline array nanstd(const array &x, const var_args &args = var_args(), place at = place::here())
{
	tsr_handle *made = tsr_nanstd_at(at.text(), x.get(), args.get());
	return array::adopt(made);
}

/** argmax() of the elements that are not NaN; -1 where all are. */
inline array nanargmax(const array &x, const arg_args &args = arg_args(), place at = place::here())
{
	tsr_handle *made = tsr_nanargmax_at(at.text(), x.get(), args.get());
	return array::adopt(made);
}

/** argmin() of the elements that are not NaN; -1 where all are. */
inline array nanargmin(const array &x, const arg_args &args = arg_args(), place at = place::here())
{
	tsr_handle *made = tsr_nanargmin_at(at.text(), x.get(), args.get());
	return array::adopt(made);
}

/** The element at q of the way; q may be of one dim, which is the first one of the result then.
 * NaN where there is one. quantile(x, 0.9, .dims = TSR_DIMS(1)) */
inline array quantile(const array &x, const operand &q, const quantile_args &args = quantile_args())
{
	tsr_handle *made = tsr_quantile_at(q.where(), x.get(), q.arg(), args.get());
	return array::adopt(made);
}

/** quantile() at q / 100, for q from 0 to 100: percentile(x, 90). */
inline array percentile(const array &x, const operand &q,
	const quantile_args &args = quantile_args())
{
	tsr_handle *made = tsr_percentile_at(q.where(), x.get(), q.arg(), args.get());
	return array::adopt(made);
}

/** The element in the middle, or the mean of the two in the middle. */
inline array median(const array &x, const dims_args &args = dims_args(), place at = place::here())
{
	tsr_handle *made = tsr_median_at(at.text(), x.get(), args.get());
	return array::adopt(made);
}

/** quantile() of the elements that are not NaN. */
inline array nanquantile(const array &x, const operand &q,
	const quantile_args &args = quantile_args())
{
	tsr_handle *made = tsr_nanquantile_at(q.where(), x.get(), q.arg(), args.get());
	return array::adopt(made);
}

/** percentile() of the elements that are not NaN. */
inline array nanpercentile(const array &x, const operand &q,
	const quantile_args &args = quantile_args())
{
	tsr_handle *made = tsr_nanpercentile_at(q.where(), x.get(), q.arg(), args.get());
	return array::adopt(made);
}

/** median() of the elements that are not NaN. */
inline array nanmedian(const array &x, const dims_args &args = dims_args(),
	place at = place::here())
{
	tsr_handle *made = tsr_nanmedian_at(at.text(), x.get(), args.get());
	return array::adopt(made);
}

/** The covariances of the rows of x, [m, m]; of one row a scalar: cov(x, .y = z). Further error
 * (TSR_ERROR_TYPE): weights that are not one for each observation. */
inline array cov(const array &x, const cov_args &args = cov_args(), place at = place::here())
{
	tsr_handle *made = tsr_cov_at(at.text(), x.get(), args.get());
	return array::adopt(made);
}

/** cov() over the product of both standard deviations. */
inline array corrcoef(const array &x, const corrcoef_args &args = corrcoef_args(),
	place at = place::here())
{
	tsr_handle *made = tsr_corrcoef_at(at.text(), x.get(), args.get());
	return array::adopt(made);
}

/** The place of each of v in a, which is sorted and has one dim: before equal elements, or, with
 * .right, behind them; i32, i64 where the dim needs it. NaN is the largest. */
inline array searchsorted(const array &a, const array &v,
	const searchsorted_args &args = searchsorted_args(), place at = place::here())
{
	tsr_handle *made = tsr_searchsorted_at(at.text(), a.get(), v.get(), args.get());
	return array::adopt(made);
}

/** In which of the bins between edges, rising or falling, each element is: bins[i - 1] <= x <
 * bins[i], or, with .right, bins[i - 1] < x <= bins[i]. */
inline array digitize(const array &x, const array &bins,
	const searchsorted_args &args = searchsorted_args(), place at = place::here())
{
	tsr_handle *made = tsr_digitize_at(at.text(), x.get(), bins.get(), args.get());
	return array::adopt(made);
}

/** Whether each element of x is one of those of `set`: a bool. */
inline array isin(const array &x, const array &set, place at = place::here())
{
	tsr_handle *made = tsr_isin_at(at.text(), x.get(), set.get());
	return array::adopt(made);
}

/** How many times each of 0 .. n - 1 is in x, integers; negative ones count as 0, larger ones
 * not. bincount(words, 50) */
inline array bincount(const array &x, int64_t n, const bincount_args &args = bincount_args(),
	place at = place::here())
{
	tsr_handle *made = tsr_bincount_at(at.text(), x.get(), n, args.get());
	return array::adopt(made);
}

/** How many elements are in each of n bins, to out[0], in the dtype of x and the weights as
 * floats, and the n + 1 edges, to out[1]. The last bin has its upper edge too. false: both are
 * poison. */
inline std::array<array, 2> histogram(const array &x, int64_t n,
	const histogram_args &args = histogram_args(), place at = place::here())
{
	tsr_handle *out[2] = {};
	tsr_histogram_at(at.text(), x.get(), n, out, args.get());
	detail::settle(tsr_ctx_of(x.get()));
	return detail::take(out);
}

/** The values at x of the lines between the points (xp, fp), xp rising. Error (TSR_ERROR_TYPE):
 * xp and fp not of one dim of the same size. */
inline array interp(const array &x, const array &xp, const array &fp,
	const interp_args &args = interp_args(), place at = place::here())
{
	tsr_handle *made = tsr_interp_at(at.text(), x.get(), xp.get(), fp.get(), args.get());
	return array::adopt(made);
}

/** Calls a fn runs * loops times and measures the runs: time(10, 5, step, w, x). A loop is a
 * call, the wait for all its results, and their release, so memory does not grow. Before the
 * first run there is one call that is not measured, which traces, and compiles what the engine
 * can. Other threads take part in the time: it is that of the clock on the wall. Errors: as
 * call_into(); runs or loops below 1, a fn that donates arguments, for these are gone after the
 * first loop (TSR_ERROR_ARGUMENT); a call inside a body (TSR_ERROR_HANDLE). Then runs and loops
 * are 0, and all else is NaN. Collective across processes if the call is. */
template <class... A>
tsr_timing time(int runs, int loops, const fn &f, const A &...args)
{
	const detail::given<A...> given(args...);
	const tsr_timing made = tsr_time_at(nullptr, runs, loops, f.get(),
		given.data(), given.size());
	detail::settle(tsr_fn_ctx(f.get()));
	return made;
}

/** The line that IPython's %timeit prints, without a newline: "1.23 ms ± 45.6 µs per loop (mean
 * ± std. dev. of 10 runs, 5 loops each)". Three digits; from a minute on "1min 5s". UTF-8,
 * valid until the innermost scope ends; "" on failure. Errors (TSR_ERROR_ARGUMENT): runs or
 * loops below 1, a mean or deviation that is negative or not finite. */
inline std::string timing_text(const within &ctx, tsr_timing timing)
{
	const char *made = tsr_timing_text_at(ctx.where(), ctx.get(), timing);
	detail::settle(ctx.get());
	return detail::text_of(made);
}

/** Prints how long each collective takes over an axis of a mesh, "x" or "x*y", to stdout:
 * bench_collectives(mesh, "data", x). x, an array of numbers, is cut along dim 0, and each
 * device exchanges its part. A line has the bytes that a device receives, as fn_graph() counts
 * them; the least time of some runs; the bytes received in a second; and the share of what
 * memory allows: of the time in which the same devices read as many bytes as all parts have,
 * and write those of all results, at the rate of negating x, which is measured in alternation.
 * What is the same on several devices of one memory is written once; parts that are given on
 * without being copied have no share. It takes some seconds. Errors: a mesh that is none
 * (TSR_ERROR_ARGUMENT); x is NULL, traced or of another context, or a body is being traced
 * (TSR_ERROR_HANDLE); x has no dim or no numbers (TSR_ERROR_TYPE); the axis is not one of the
 * mesh, or does not divide dim 0 (TSR_ERROR_SHARDING). Collective across processes. */
inline void bench_collectives(const mesh &m, const char *axis, const array &x,
	place at = place::here())
{
	tsr_bench_collectives_at(at.text(), m.get(), axis, x.get());
	detail::settle(tsr_mesh_ctx(m.get()));
}

/** Begins to show how far work is that has `total` steps, 0 for a number that is not known:
 * progress_begin(ctx, 1000, .label = "training"). It is a line on stderr, which is written
 * again and again, and is shown only where stderr is a terminal and TERM is not "dumb". The
 * rate is that of the steps behind the first one shown, in which programs are compiled. Never
 * NULL. Local to the process. Error (TSR_ERROR_ARGUMENT): total is negative; then nothing is
 * shown. */
inline tsr_progress *progress_begin(const within &ctx, int64_t total,
	const progress_args &args = progress_args())
{
	tsr_progress * made = tsr_progress_begin_at(ctx.where(), ctx.get(), total, args.get());
	detail::settle(ctx.get());
	return made;
}

/** So many steps are done; note: a text for the end of the line, such as "loss 0.43", or NULL.
 * The line is written ten times a second at most, and always when all steps are done. */
inline void progress_show(tsr_progress *p, int64_t done, const char *note)
{
	tsr_progress_show(p, done, note);
}

/** Ends the line of a progress report; close() does, too. NULL is allowed. */
inline void progress_end(tsr_progress *p)
{
	tsr_progress_end(p);
}

/** x itself, under a name by which .names of remat() keeps it: checkpoint_name(q, "q"). Error
 * (TSR_ERROR_ARGUMENT): a name of other characters than letters, digits, '_' and '.'. */
inline array checkpoint_name(const array &x, const char *name, place at = place::here())
{
	tsr_handle *made = tsr_checkpoint_name_at(at.text(), x.get(), name);
	return array::adopt(made);
}

/** x itself, behind a barrier: whatever is computed from the result is not merged with what is
 * computed from x, nor simplified together with what made x. Its derivative is one too. */
inline array optimization_barrier(const array &x, place at = place::here())
{
	tsr_handle *made = tsr_optimization_barrier_at(at.text(), x.get());
	return array::adopt(made);
}

/** The text of the per-device program that all passes make of a call and the engine compiles:
 * puts(fn_compiled_text(f, a, b)). Outside maps only (TSR_ERROR_ARGUMENT). */
template <class... A>
std::string fn_compiled_text(const fn &f, const A &...args)
{
	const detail::given<A...> given(args...);
	const char *made = tsr_fn_compiled_text_at(nullptr, f.get(), given.data(), given.size());
	detail::settle(tsr_fn_ctx(f.get()));
	return detail::text_of(made);
}

/** The program that this call of a fn would run as a graph, in the language of Graphviz, whose
 * `dot` draws it: puts(fn_graph(f, a, b)). Boxes are equations, and have the line of the user's
 * source as their tooltip; collectives have a colour of their own, the axes they go over and
 * the bytes that a device receives each time; the contents of a frame are a program inside an
 * equation (docs/program-text.md). Valid until the innermost scope ends; "" on failure, as for
 * call(). */
template <class... A>
std::string fn_graph(const fn &f, const A &...args)
{
	const detail::given<A...> given(args...);
	const char *made = tsr_fn_graph_at(nullptr, f.get(), given.data(), given.size());
	detail::settle(tsr_fn_ctx(f.get()));
	return detail::text_of(made);
}

/** The per-device program of fn_compiled_text() as a graph, in the form of fn_graph():
 * puts(fn_compiled_graph(f, a, b)). Outside maps only (TSR_ERROR_ARGUMENT). */
template <class... A>
std::string fn_compiled_graph(const fn &f, const A &...args)
{
	const detail::given<A...> given(args...);
	const char *made = tsr_fn_compiled_graph_at(nullptr, f.get(), given.data(), given.size());
	detail::settle(tsr_fn_ctx(f.get()));
	return detail::text_of(made);
}

/** The path of leaf k: "attention.Wq", "layer[3].w"; "[3]" in a tree without a type, and where
 * the fields of a type are not known by its text, "leaf[3]". Valid until the innermost scope
 * ends. Error (TSR_ERROR_ARGUMENT, gives ""): there is no leaf k. */
inline std::string tree_path(const tree &t, size_t k, place at = place::here())
{
	const char *made = tsr_tree_path_at(at.text(), t.get(), k);
	detail::settle(detail::context_of_tree(t));
	return detail::text_of(made);
}

/** allclose() of all leaves: tree_allclose(TSR_TREE(mlp, &a), TSR_TREE(mlp, &b), 1e-5, 1e-8).
 * Leaves that are absent in both are close. */
inline bool tree_allclose(const tree &a, const tree &b, double rtol, double atol,
	place at = place::here())
{
	const bool made = tsr_tree_allclose_at(at.text(), a.get(), b.get(), rtol, atol);
	detail::settle(detail::context_of_tree(a));
	return made;
}

/** The root of the sum of |x|^2 over all elements of all leaves, a scalar of the dtype that they
 * promote to: tree_norm(TSR_TREE(mlp, &g)). 0 of no leaves. */
inline array tree_norm(const tree &x, place at = place::here())
{
	tsr_handle *made = tsr_tree_norm_at(at.text(), x.get());
	return array::adopt(made);
}

/** Number of elements of all leaves: of a model, its number of parameters. */
inline int64_t tree_size(const tree &x)
{
	const int64_t made = tsr_tree_size(x.get());
	detail::settle(detail::context_of_tree(x));
	return made;
}

/** Prints the picture to stdout, in colour also if stdout is a terminal and the environment has
 * no NO_COLOR: show_sharding(x, .scale = 0.5). */
inline void show_sharding(const array &x, const picture_args &args = picture_args(),
	place at = place::here())
{
	tsr_show_sharding_at(at.text(), x.get(), args.get());
	detail::settle(tsr_ctx_of(x.get()));
}

/** The picture as UTF-8 text, each line ended by a newline: sharding_picture(x, .color = true).
 * Valid until the innermost scope ends; "" on failure. */
inline std::string sharding_picture(const array &x, const picture_args &args = picture_args(),
	place at = place::here())
{
	const char *made = tsr_sharding_picture_at(at.text(), x.get(), args.get());
	detail::settle(tsr_ctx_of(x.get()));
	return detail::text_of(made);
}

/** Prints the picture of show_sharding() for dims and a sharding, without an array:
 * show_sharding_of(TSR_DIMS(8, 16), sharding). Further error (TSR_ERROR_SHARDING): a spec
 * longer than dims. */
inline void show_sharding_of(const dims &dims_, const sharding &sharding_,
	const picture_args &args = picture_args(), place at = place::here())
{
	tsr_show_sharding_of_at(at.text(), dims_, sharding_.get(), args.get());
}

/** The text that show_sharding_of() prints, as sharding_picture(). */
inline std::string sharding_picture_of(const dims &dims_, const sharding &sharding_,
	const picture_args &args = picture_args(), place at = place::here())
{
	const char *made = tsr_sharding_picture_of_at(at.text(), dims_, sharding_.get(),
		args.get());
	return detail::text_of(made);
}

/** The picture as an SVG document, which needs nothing from elsewhere and can be read on light
 * and dark pages: fputs(sharding_svg(x), file). Beside rows and columns are the indices that
 * they hold. Valid until the innermost scope ends; "" on failure. */
inline std::string sharding_svg(const array &x, const svg_args &args = svg_args(),
	place at = place::here())
{
	const char *made = tsr_sharding_svg_at(at.text(), x.get(), args.get());
	detail::settle(tsr_ctx_of(x.get()));
	return detail::text_of(made);
}

/** The picture of sharding_svg() for dims and a sharding, without an array; further error as
 * show_sharding_of(). */
inline std::string sharding_svg_of(const dims &dims_, const sharding &sharding_,
	const svg_args &args = svg_args(), place at = place::here())
{
	const char *made = tsr_sharding_svg_of_at(at.text(), dims_, sharding_.get(), args.get());
	return detail::text_of(made);
}

/** Prints what each device holds of x as a table, in the frame that Python's tabulate calls
 * "fancy_grid": show_shards(x, .devices = true, .precision = 3). The last axis of the mesh goes
 * right and the one before it down; if there are more, each place along them, "a=0 b=1", has a
 * table below it. The dims of a positional sharding's grid go likewise. Parts may be short, or
 * empty: "[]". Errors: .mesh has other devices than x (TSR_ERROR_SHARDING) or is of another
 * context (TSR_ERROR_HANDLE); .whole has another dtype or other dims than x (TSR_ERROR_TYPE). */
inline void show_shards(const array &x, const shards_args &args = shards_args(),
	place at = place::here())
{
	tsr_show_shards_at(at.text(), x.get(), args.get());
	detail::settle(tsr_ctx_of(x.get()));
}

/** The table of show_shards() as UTF-8 text, each line ended by a newline: shards_text(x, .mesh
 * = rows). Valid until the innermost scope ends; "" on failure. */
inline std::string shards_text(const array &x, const shards_args &args = shards_args(),
	place at = place::here())
{
	const char *made = tsr_shards_text_at(at.text(), x.get(), args.get());
	detail::settle(tsr_ctx_of(x.get()));
	return detail::text_of(made);
}

} // namespace tsr
#endif
