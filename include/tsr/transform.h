/* tsr/transform.h - fns: C bodies that are traced once and run as programs, on one device or on
 * every device of a mesh.
 *
 * A body is a plain C function of handles that returns a handle, tsr *f(tsr *, tsr *), with 0 (then
 * it takes the context) to 4 handles, or a tree and 0 to 3 handles; or void f(tsr_frame *) for any
 * number of arguments and results. Any other signature does not compile. A body must be pure: it
 * runs only when its fn is called with new types of arguments, and then on traced handles, whose
 * values are not known yet.
 *
 *     static tsr *product(tsr *a, tsr *b) { return tsr_psum(tsr_dot(a, b), "y"); }
 *     ...
 *     tsr_fn *f = tsr_shard_map(mesh, product, .sig = "[x,y] [y,-] -> [x,-]");
 *     tsr *c = tsr_call(f, a, b);
 *
 * Fns are interned: making an equal one again is a look-up. They live until they were released as
 * often as made (tsr_fn_release()), or until tsr_close(). If a fn cannot be made, the result is the
 * context's poison fn, never NULL, whose calls give poison. A call of a fn over a mesh that spans
 * processes is collective: every process makes the same call.
 *
 * These calls are macros, as those of all headers. Two things follow for an argument that is a
 * compound literal. If it contains a comma it must be in parentheses, TSR_ENV((&(struct
 * hyper){1e-3, 1})), because braces do not hide commas from the preprocessor; otherwise it does not
 * compile. And it lives only until the call returns: captures, whose address is kept, must be
 * variables. */
/* Made by tools/make_headers.py of api/transform.h.in: change that one. */
/** @file */
#ifndef TSR_TRANSFORM_H
#define TSR_TRANSFORM_H
#include "mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- trees */

/** The leaves of a tree as the type T it was made as: const mlp *p = TSR_TREE_OF(mlp, params).
 * Never NULL. If the fields or the number of leaves differ, an error is recorded
 * (TSR_ERROR_ARGUMENT) and every leaf is poison. */
TSR_API const void *tsr_tree_as_at(const char *where, tsr_tree tree, const tsr_tree_type *type);

/* ---- making fns */

/** Keywords of tsr_jit(). */
typedef struct tsr_jit_args {
	TSR_KEYWORDS_
	const char *name; /**< for messages and program texts; what the call says when not given */
	/** Plain bytes for the body, without handles: copied now, part of the fn's identity, the
	 * padding of a record included. TSR_ENV(&record) gives .env, .env_size and, where the
	 * compiler can, .env_mask. */
	const void *env;
	size_t env_size;
	/** Slots of handles that the body reads, afresh at each call; the caller keeps them alive
	 * until the last one. */
	tsr_tree captures;
	/** Arguments that a call gives up, by number, .donate = TSR_DIMS(0, 2); of a tree, all
	 * leaves. Their memory is freed or reused as soon as the call no longer needs it, and using
	 * any handle of these arrays afterwards is an error (TSR_ERROR_HANDLE) that names the call.
	 * A call inside a body gives nothing up. */
	tsr_dims donate;
	/** Called once with the fn's copy of .env, when the fn goes: after tsr_fn_release() or
	 * during tsr_close(). It must not use the context. */
	void (*env_release)(void *env);
	/** Where arguments and results are, as specs over .mesh or, if that is not given, over the
	 * mesh in use (TSR_MESH()): .mesh = mesh, .in = TSR_SPECS(TSR_P("x"), TSR_P()), .out =
	 * TSR_SPECS(TSR_P("x")). What is not given is where
	 * the caller has it, or where the program has it best: .in = {[1] = TSR_FOR_ALL(TSR_P())}
	 * says nothing of argument 0, and a tsr_spec of zeros nothing of its leaf. An argument that
	 * the caller has put nowhere goes there; one that is committed to other places is an error
	 * (TSR_ERROR_SHARDING). Inside bodies, and in derivatives and batches, they are as
	 * tsr_constrain(). */
	const tsr_mesh *mesh;
	tsr_specs in[TSR_MAX_ARGS];
	tsr_specs out[TSR_MAX_ARGS];
	/** As many bytes as .env: 255 where it has members, and 0 in the padding between them,
	 * which is no part of the identity then. Of TSR_ENV(). */
	const void *env_mask;
	TSR_KEYWORDS_END_
} tsr_jit_args;

/** Keywords of tsr_shard_map(). Either .in and .out, or .sig, or, for a body without arguments,
 * .out alone. */
typedef struct tsr_shard_map_args {
	TSR_KEYWORDS_
	const char *name; /**< as in tsr_jit_args, and the next three too */
	const void *env;
	size_t env_size;
	tsr_tree captures;
	tsr_specs in[TSR_MAX_ARGS];  /**< how arguments are cut: TSR_SPECS(TSR_P("x"), TSR_P()) */
	tsr_specs out[TSR_MAX_ARGS]; /**< how the blocks of each result are put together */
	const char *sig;  /**< both in one text, "[x,y] [y,-] -> [x,-]"; [] splits nothing */
	/** Those that become manual, "x*y"; all that are left when not given. Along the others the
	 * body is as any program outside of maps: its values are wherever they are best, which
	 * tsr_constrain() may say. */
	const char *axes;
	/** Results are not checked to be equal along the axes that their specs leave out: the value
	 * of the first device is taken. */
	bool unchecked;
	void (*env_release)(void *env); /**< as in tsr_jit_args */
	const void *env_mask; /**< as in tsr_jit_args */
	TSR_KEYWORDS_END_
} tsr_shard_map_args;

/** A fn whose call is one program: tsr_jit(ctx, step, .name = "step"). body: a C function, or a fn.
 * text: the arguments of the call as text, "ctx, step, ...", of which the second is the name of the
 * fn if .name is not given; NULL is legal. Errors (TSR_ERROR_ARGUMENT): a NULL body, env without
 * size, a fn or a .mesh of another context, .in or .out without a mesh; TSR_ERROR_SHARDING: as
 * tsr_sharding_make() for each spec. At a call: more specs than arguments, results or leaves
 * (TSR_ERROR_ARGUMENT), a spec longer than its value has dims (TSR_ERROR_SHARDING). */
TSR_OP tsr_fn *tsr_jit_at(const char *where, tsr_ctx *ctx, tsr_body body, const char *text,
                          const tsr_jit_args *args);
/** A fn that runs its body on every device of a mesh (NULL: the one in use, TSR_MESH()), each on
 * its own blocks: an argument is cut as
 * its spec says, so that dim d of a block is dim d of the argument divided by the sizes of the axes
 * of that entry; along axes that the spec leaves out every device gets the same block. Results are
 * put together in the same way. Along axes that their spec leaves out they must be equal; the check
 * proves that by tracking which values may vary over which axes (the result of psum does not).
 * Inside, collectives use the axes by name. May be called inside another tsr_shard_map() over other
 * axes of the same mesh. Errors here: as tsr_sharding_make() for each spec, a .sig that is
 * malformed, unknown .axes. Errors at a call (TSR_ERROR_SHARDING): a spec longer than its value has
 * dims, dims that do not divide, a result that may vary over an axis its spec leaves out, axes that
 * are manual already. */
TSR_OP tsr_fn *tsr_shard_map_at(const char *where, tsr_mesh *mesh, tsr_body body, const char *text,
                                const tsr_shard_map_args *args);

/** Gives up a fn, once for each time that it was made: tsr_fn *f = tsr_jit(ctx, body,
 * TSR_ENV(&hyper)); ... tsr_fn_release(f). After the last one any use of f is an error
 * (TSR_ERROR_HANDLE). The fn and its tracings go as soon as no call of it is in progress and no fn
 * that was made of it, say by tsr_grad(ctx, f), is left. NULL and poison: nothing happens. */
TSR_API void tsr_fn_release_at(const char *where, tsr_fn *fn);

/* ---- derivatives */

/** Keywords of tsr_grad() and its kin. */
typedef struct tsr_grad_args {
	TSR_KEYWORDS_
	const char *name; /**< as in tsr_jit_args, and the next three too */
	const void *env;
	size_t env_size;
	tsr_tree captures;
	/** With respect to these arguments, by number, in this order: TSR_DIMS(0, 2). Not given:
	 * argument 0, and for tsr_jvp() all. */
	tsr_dims wrt;
	bool has_aux; /**< the first result is differentiated; the others are passed on */
	/** The body is holomorphic: arguments and results are complex, and so is the derivative.
	 * Not for tsr_jvp(), which takes complex numbers as they are. */
	bool holomorphic;
	/** Integer and bool arguments in .wrt are legal; their derivatives are absent. Only for
	 * tsr_grad(), tsr_value_and_grad() and tsr_jacrev(). */
	bool allow_int;
	void (*env_release)(void *env); /**< as in tsr_jit_args */
	const void *env_mask; /**< as in tsr_jit_args */
	TSR_KEYWORDS_END_
} tsr_grad_args;

/** A fn of the gradients of a body's result, one result for each argument in .wrt, with its type or
 * tree: tsr_call(tsr_grad(ctx, loss), w). The body returns one real floating scalar. With .has_aux
 * it returns further results, which are passed on behind the gradients. A tree's absent leaves
 * have no gradient and are absent again. For complex arguments the gradient is not conjugated, as
 * in JAX. A gradient that nothing else cuts is cut over a mesh as its argument is. Inside
 * tsr_shard_map() the gradient for a value that does not vary over an axis is summed over it.
 * Errors here: as tsr_jit(), .wrt out of range. At a call (TSR_ERROR_TYPE, TSR_ERROR_ARGUMENT): a
 * loss that is no real scalar, an argument that is not floating or complex; TSR_ERROR_UNSUPPORTED:
 * an operation that has no derivative. */
TSR_OP tsr_fn *tsr_grad_at(const char *where, tsr_ctx *ctx, tsr_body body, const char *text,
                           const tsr_grad_args *args);
/** A fn of the loss, with .has_aux of the other results, and then of the gradients of tsr_grad():
 * tsr_call_into(TSR_OUT(&loss, TSR_TREE(mlp, &g)), tsr_value_and_grad(ctx, body), TSR_TREE(mlp,
 * &w), x). */
TSR_OP tsr_fn *tsr_value_and_grad_at(const char *where, tsr_ctx *ctx, tsr_body body,
                                     const char *text, const tsr_grad_args *args);
/** Forward mode: a fn that takes the body's arguments, and then a tangent for each argument in
 * .wrt. A tangent has the type of its argument; an absent leaf counts as zero, and inside a map a
 * tangent may vary over fewer axes. The results are those of the body, then their tangents (absent
 * for dtypes that have none), then what .has_aux passes on: tsr_call_into(TSR_OUT(&y, &dy),
 * tsr_jvp(ctx, f), x, dx). */
TSR_OP tsr_fn *tsr_jvp_at(const char *where, tsr_ctx *ctx, tsr_body body, const char *text,
                          const tsr_grad_args *args);
/** The Jacobians of real results with respect to real arguments, computed column by column, which
 * is good for few inputs. For each result and each argument in .wrt there is one result, whose dims
 * are those of the result followed by those of the argument. For trees it has a leaf for each pair
 * of leaves, of which those of the argument vary fastest. */
TSR_OP tsr_fn *tsr_jacfwd_at(const char *where, tsr_ctx *ctx, tsr_body body, const char *text,
                             const tsr_grad_args *args);
/** The Jacobians of tsr_jacfwd(), computed row by row by reverse mode, which is good for few
 * outputs: tsr_jacrev(ctx, f). */
TSR_OP tsr_fn *tsr_jacrev_at(const char *where, tsr_ctx *ctx, tsr_body body, const char *text,
                             const tsr_grad_args *args);
/** Second derivatives, tsr_jacfwd() of tsr_jacrev(): dims of the result, then twice those of the
 * argument. */
TSR_OP tsr_fn *tsr_hessian_at(const char *where, tsr_ctx *ctx, tsr_body body, const char *text,
                              const tsr_grad_args *args);

/** A linear function at a point: fn takes the residuals first, tsr_call(l.fn, l.residuals, dx). The
 * residuals and the list of them belong to the innermost scope. To have them longer, own them:
 * tsr *mine[4] = {NULL}; tsr_set_tree(TSR_LEAVES(mine, l.residuals.count), l.residuals). A fn that
 * was made inside a map or a named vmap can be called there and in bodies inside that; elsewhere it
 * is an error (TSR_ERROR_TEXT). Each call that gives a fn counts for tsr_fn_release(l.fn). */
typedef struct tsr_linearized {
	tsr_fn *fn;
	tsr_tree residuals;
} tsr_linearized;
/** Runs a fn and gives its derivative there, to be called any number of times: tsr_linearized l =
 * tsr_linearize(TSR_OUT(&y), f, x); dy = tsr_call(l.fn, l.residuals, dx). l.fn takes a tangent for
 * each argument with a floating or complex leaf (leaves of other dtypes are absent), and gives one
 * for each result. Errors: as tsr_call_into(); then l.fn is poison. */
TSR_OP tsr_linearized tsr_linearize_at(const char *where, const tsr_out *outs, size_t nout,
                                       tsr_fn *fn, const tsr_arg *args, size_t n);
/** tsr_linearize() where only the first result is differentiated; the others are passed on to their
 * places: tsr_linearized l = tsr_linearize_aux(TSR_OUT(&y, &aux), f, x). */
TSR_OP tsr_linearized tsr_linearize_aux_at(const char *where, const tsr_out *outs, size_t nout,
                                           tsr_fn *fn, const tsr_arg *args, size_t n);
/** Runs a fn and gives its derivative there in reverse mode: l.fn takes a cotangent for each result
 * with a floating or complex leaf, and gives one for each such argument: tsr_linearized l =
 * tsr_vjp(TSR_OUT(&y), f, x); dx = tsr_call(l.fn, l.residuals, dy). */
TSR_OP tsr_linearized tsr_vjp_at(const char *where, const tsr_out *outs, size_t nout, tsr_fn *fn,
                                 const tsr_arg *args, size_t n);
/** tsr_vjp() where only the first result is differentiated, and l.fn takes a cotangent for it
 * alone; the others are passed on to their places: tsr_linearized l = tsr_vjp_aux(TSR_OUT(&y,
 * &aux), f, x). */
TSR_OP tsr_linearized tsr_vjp_aux_at(const char *where, const tsr_out *outs, size_t nout,
                                     tsr_fn *fn, const tsr_arg *args, size_t n);
/** The transpose of a fn that is linear in its arguments; only their types matter: tsr_linearized l
 * = tsr_linear_transpose(f, x); dx = tsr_call(l.fn, l.residuals, dy). Error
 * (TSR_ERROR_UNSUPPORTED): the fn is not linear. */
TSR_OP tsr_linearized tsr_linear_transpose_at(const char *where, tsr_fn *fn, const tsr_arg *args,
                                              size_t n);

/* ---- derivatives of your own */

/** Keywords of tsr_custom_jvp() and tsr_custom_vjp(). */
typedef struct tsr_custom_args {
	TSR_KEYWORDS_
	const char *name; /**< as in tsr_jit_args, and the next three too; rules see the same */
	const void *env;
	size_t env_size;
	tsr_tree captures;
	/** Arguments that the rules say nothing of, by number: TSR_DIMS(1). */
	tsr_dims nondiff;
	void (*env_release)(void *env); /**< as in tsr_jit_args */
	const void *env_mask; /**< as in tsr_jit_args */
	TSR_KEYWORDS_END_
} tsr_custom_args;

/** A fn whose derivative a rule says: tsr_custom_jvp(ctx, log1pexp, log1pexp_jvp). The rule takes
 * the body's arguments, and then a tangent for each argument with a floating or complex leaf
 * (leaves of other dtypes are absent) that is not in .nondiff. It returns what the body returns,
 * and then a tangent for each result with a floating or complex leaf, of its type; an absent leaf
 * counts as zero. It must be linear in the tangents, so that reverse mode can transpose it. A rule
 * is any body that tsr_jit() takes, and is traced when the fn is called. It may call the body,
 * which has its own derivatives, or the fn itself, for the derivatives of the rule: up to the
 * third. Errors here: as tsr_jit(), .nondiff that is no list of arguments. At a call
 * (TSR_ERROR_TYPE, TSR_ERROR_ARGUMENT): a rule whose results do not fit those of the body; where it
 * is differentiated (TSR_ERROR_UNSUPPORTED): with respect to a value that the rule says nothing of,
 * such as one that the body takes from outside. */
TSR_OP tsr_fn *tsr_custom_jvp_at(const char *where, tsr_ctx *ctx, tsr_body body, const char *text,
                                 tsr_body rule, const tsr_custom_args *args);
/** A fn whose derivative in reverse mode two rules say: tsr_custom_vjp(ctx, clip, clip_forward,
 * clip_backward). It returns a cotangent for each argument with such a leaf that is not in
 * .nondiff, of its type; an absent leaf counts as zero. Inside tsr_shard_map() the cotangent of an
 * argument that does not vary over an axis must not vary over it either: sum it with tsr_psum().
 * The tangents of forward mode are an error (TSR_ERROR_UNSUPPORTED). */
TSR_OP tsr_fn *tsr_custom_vjp_at(const char *where, tsr_ctx *ctx, tsr_body body, const char *text,
                                 tsr_body forward, tsr_body backward, const tsr_custom_args *args);

/* ---- what is kept for a derivative, and what is computed once more */

/** What tsr_remat() keeps, besides the arguments. */
typedef enum tsr_remat_save {
	TSR_SAVE_NOTHING,
	TSR_SAVE_DOTS,              /**< the results of products (tsr_dot() and its kin) */
	TSR_SAVE_DOTS_WITHOUT_BATCH /**< of those that have no batch dims */
} tsr_remat_save;
/** Keywords of tsr_remat(). */
typedef struct tsr_remat_args {
	TSR_KEYWORDS_
	const char *name; /**< as in tsr_jit_args, and the next three too */
	const void *env;
	size_t env_size;
	tsr_tree captures;
	tsr_remat_save save; /**< nothing when not given */
	const char *names; /**< also what has one of these (tsr_checkpoint_name()): "q" or "q*k" */
	void (*env_release)(void *env); /**< as in tsr_jit_args */
	const void *env_mask; /**< as in tsr_jit_args */
	TSR_KEYWORDS_END_
} tsr_remat_args;

/** A fn that gives what its body gives, and computes it once more for its derivative in reverse
 * mode, instead of keeping what the derivative needs: tsr_remat(ctx, layer, .save = TSR_SAVE_DOTS).
 * That takes less memory and more time. What is printed or called inside is so once. Products
 * inside loops of the body are not kept; a remat of the loop's body does that. Errors here: as
 * tsr_jit(), a .save or .names that is none. */
TSR_OP tsr_fn *tsr_remat_at(const char *where, tsr_ctx *ctx, tsr_body body, const char *text,
                            const tsr_remat_args *args);
/** x itself, under a name by which .names of tsr_remat() keeps it: tsr_checkpoint_name(q, "q").
 * Error (TSR_ERROR_ARGUMENT): a name of other characters than letters, digits, '_' and '.'. */
TSR_OP tsr *tsr_checkpoint_name_at(const char *where, tsr *x, const char *name);
/** x itself, behind a barrier: whatever is computed from the result is not merged with what is
 * computed from x, nor simplified together with what made x. Its derivative is one too. */
TSR_OP tsr *tsr_optimization_barrier_at(const char *where, tsr *x);
/** tsr_optimization_barrier() for any number of arguments, no result of which is there before all
 * arguments are: tsr_optimization_barrier_into(TSR_OUT(&y, &z), x, w). */
TSR_API void tsr_optimization_barrier_into_at(const char *where, const tsr_out *outs, size_t nout,
                                              const tsr_arg *args, size_t n);

/* ---- batches */

/** An argument or result that is the same for the whole batch. */
#define TSR_UNMAPPED INT32_MIN
/** Which dim is mapped: one number for all leaves of an argument or result, or one a leaf. */
typedef struct tsr_mapped {
	TSR_FIRST_(int64_t count, tsr_write_TSR_MAPPED_around_the_dims,
	           "write .in = TSR_MAPPED(0, 1), a dim for each argument");
	const int *dim;
} tsr_mapped;

/** Keywords of tsr_vmap(). */
typedef struct tsr_vmap_args {
	TSR_KEYWORDS_
	const char *name; /**< as in tsr_jit_args, and the next three too */
	const void *env;
	size_t env_size;
	tsr_tree captures;
	/** Which dim of each argument is mapped, from the end if negative: TSR_MAPPED(0,
	 * TSR_UNMAPPED), or a list of TSR_FOR_EACH(array) and TSR_MAPPED_ALL(dim). Dim 0 of all
	 * when not given. */
	tsr_mapped in[TSR_MAX_ARGS];
	tsr_mapped out[TSR_MAX_ARGS]; /**< where the batch goes in each result, likewise */
	const char *axis;             /**< the name of the batch for collectives in the body */
	int64_t axis_size;            /**< of the batch, where no argument is mapped */
	/** The mesh axes, "x" or "x*y", over which a tsr_shard_map() inside splits the batch. */
	const char *spmd_axis;
	void (*env_release)(void *env); /**< as in tsr_jit_args */
	const void *env_mask; /**< as in tsr_jit_args */
	TSR_KEYWORDS_END_
} tsr_vmap_args;

/** A fn of a whole batch, made of a body of one element: tsr_call(tsr_vmap(ctx, f), x). The body
 * sees each mapped argument without its mapped dim; results have the batch as a new dim. What
 * does not depend on a mapped argument is computed once. Errors at a call (TSR_ERROR_ARGUMENT,
 * TSR_ERROR_TYPE): no argument mapped and no .axis_size, sizes that differ, a dim out of range,
 * lists that do not fit the arguments or results, a result that depends on the batch with
 * TSR_UNMAPPED. */
TSR_OP tsr_fn *tsr_vmap_at(const char *where, tsr_ctx *ctx, tsr_body body, const char *text,
                           const tsr_vmap_args *args);

/** Keywords of tsr_pmap(). */
typedef struct tsr_pmap_args {
	TSR_KEYWORDS_
	const char *name; /**< as in tsr_jit_args, and the next three too */
	/** What is static, such as numbers that the program depends on, is bytes here. */
	const void *env;
	size_t env_size;
	tsr_tree captures;
	tsr_mapped in[TSR_MAX_ARGS];  /**< the mapped dim of each argument, as in tsr_vmap_args */
	/** Where the mapped dim goes in each result, likewise. TSR_UNMAPPED: all devices have the
	 * same result, which is not checked, and that of the first one is taken. */
	tsr_mapped out[TSR_MAX_ARGS];
	const char *axis;  /**< its name, for collectives in the body */
	int64_t axis_size; /**< how many devices, where no argument is mapped */
	/** Ids of devices, device_count of them, of which the first ones are used; the context's
	 * in their order when not given. TSR_DEVICES(ids) gives both, for an array. Only for the
	 * outermost one. */
	const int64_t *devices;
	size_t device_count;
	tsr_dims donate; /**< as in tsr_jit_args, and the next one too */
	void (*env_release)(void *env);
	const void *env_mask; /**< as in tsr_jit_args */
	TSR_KEYWORDS_END_
} tsr_pmap_args;

/** A fn of as many elements as there are devices, each of which runs the body on its own:
 * tsr_call(tsr_pmap(ctx, step, .axis = "i"), x). The body sees mapped arguments without their
 * mapped dim, as under tsr_vmap(), and exchanges values with tsr_psum(y, "i") and its kin. Results
 * stay on the devices, cut along the mapped dim. Arguments that are elsewhere go there, unless
 * tsr_jit() is around it. A tsr_pmap() inside another one maps each of its devices to several: all
 * of them are over one mesh of the first devices, the outer axis major, and collectives may name
 * the axes of both. So those side by side inside another one must have one size. It is
 * tsr_shard_map() with .unchecked over such a mesh, which takes blocks and may have any mesh.
 * Errors here (TSR_ERROR_ARGUMENT): as tsr_jit(), an empty list of devices. At a call: as
 * tsr_vmap(); TSR_ERROR_SHARDING: more elements than devices, a device that is not there or is
 * listed twice, a call inside tsr_shard_map() or of tsr_shard_map() inside. */
TSR_OP tsr_fn *tsr_pmap_at(const char *where, tsr_ctx *ctx, tsr_body body, const char *text,
                           const tsr_pmap_args *args);

/** The name of a fn, as messages and program texts have it. */
TSR_API const char *tsr_fn_name(const tsr_fn *fn);

/** How often a fn was traced and called, and what became of its calls. */
typedef struct tsr_fn_info {
	size_t size;         /**< of this record */
	int64_t calls;       /**< how often it was called */
	int64_t traces;      /**< how often its body ran for that, or for a text */
	int64_t hits;        /**< how often a program that was traced before was found instead */
	int64_t compiles;    /**< how often machine code was made for a call outside bodies; the
	                      * engine interprets what is not worth it, or cannot be compiled */
	int64_t executables; /**< programs of its calls that the context holds ready to run */
} tsr_fn_info;
/** Fills a record, whose .size says how much of it the caller knows. NULL as fn: zeros. */
TSR_API void tsr_fn_stats_fill(const tsr_fn *fn, tsr_fn_info *info);
/** Counts since the fn was made: tsr_fn_stats(f).traces. */
TSR_API tsr_fn_info tsr_fn_stats(const tsr_fn *fn);

/* ---- calling fns */

/** Calls a fn of one result: tsr_call(f, x, 2.0, TSR_TREE(mlp, &w)). Arguments are handles, trees,
 * or C numbers; at most 8. A number is a weak scalar in the body, as exact as it was written:
 * beside f64 it is f64, beside bf16 it is bf16. A result that is made of numbers alone is i32 (i64
 * if needed), f32 or c64. A call with another number does not trace the body again, unless it is an
 * integer that needs another width. Errors: a wrong number of arguments or of results, a tree for a
 * handle or a handle for a tree (TSR_ERROR_ARGUMENT), whatever the body does wrong. */
TSR_API tsr *tsr_call_at(const char *where, tsr_fn *fn, const tsr_arg *args, size_t n);
/** Memory of the caller's for a result; what TSR_INTO() fills in. data: where element 0, 0, ...
 * goes. */
typedef struct tsr_into_args {
	TSR_KEYWORDS_
	tsr_dims strides; /**< bytes, one a dim, may be negative; row-major when not given */
	void *data;
	tsr_dims dims;
	tsr_dtype dtype;
	tsr_dtype element; /**< of the memory, when its type says so */
	TSR_KEYWORDS_END_
} tsr_into_args;

/** Calls a fn of any number of results: tsr_call_into(TSR_OUT(&loss, TSR_OWN(mlp, &w)), step,
 * TSR_TREE(mlp, &w), x). outs: one place for each result; a tree takes as many leaves as the result
 * has, and NULL where one is absent. On failure all places get poison, but owned slots keep what
 * they hold. */
TSR_API void tsr_call_into_at(const char *where, const tsr_out *outs, size_t nout, tsr_fn *fn,
                              const tsr_arg *args, size_t n);
/** The text of the program that this call of a fn would run (docs/program-text.md):
 * puts(tsr_fn_text(f, a, b)). Valid until the innermost scope ends; "" on failure, as for
 * tsr_call(). */
TSR_API const char *tsr_fn_text_at(const char *where, tsr_fn *fn, const tsr_arg *args, size_t n);
/** The text of the per-device program that all passes make of a call and the engine compiles:
 * puts(tsr_fn_compiled_text(f, a, b)). Outside maps only (TSR_ERROR_ARGUMENT). */
TSR_API const char *tsr_fn_compiled_text_at(const char *where, tsr_fn *fn, const tsr_arg *args,
                                            size_t n);
/** The program that this call of a fn would run as a graph, in the language of Graphviz, whose
 * `dot` draws it: puts(tsr_fn_graph(f, a, b)). Boxes are equations, and have the line of the user's
 * source as their tooltip; collectives have a colour of their own, the axes they go over and the
 * bytes that a device receives each time; the contents of a frame are a program inside an equation
 * (docs/program-text.md). Valid until the innermost scope ends; "" on failure, as for tsr_call().
 * */
TSR_API const char *tsr_fn_graph_at(const char *where, tsr_fn *fn, const tsr_arg *args, size_t n);
/** The per-device program of tsr_fn_compiled_text() as a graph, in the form of tsr_fn_graph():
 * puts(tsr_fn_compiled_graph(f, a, b)). Outside maps only (TSR_ERROR_ARGUMENT). */
TSR_API const char *tsr_fn_compiled_graph_at(const char *where, tsr_fn *fn, const tsr_arg *args,
                                             size_t n);

/* ---- in a body */

/** How many arguments the call has whose frame this is; a tree counts as one. */
TSR_API size_t tsr_frame_count(const tsr_frame *frame);
/** Argument k of the call whose frame this is, as a handle. Error (TSR_ERROR_ARGUMENT, gives
 * poison): there is none, or it is a tree. */
TSR_API tsr *tsr_frame_arg_at(const char *where, tsr_frame *frame, size_t k);
/** Argument k of the call whose frame this is, as a tree; one handle is a tree of one leaf:
 * TSR_TREE_OF(mlp, tsr_frame_tree(frame, 0)). Error (TSR_ERROR_ARGUMENT, gives a tree without
 * leaves): there is none. */
TSR_API tsr_tree tsr_frame_tree_at(const char *where, tsr_frame *frame, size_t k);
/** The fn's copy of its .env, NULL if it has none: const struct hyper *h = tsr_frame_env(frame). */
TSR_API const void *tsr_frame_env(const tsr_frame *frame);
/** The .captures that the fn was made with, as values of the body that the frame is of. */
TSR_API tsr_tree tsr_frame_captures(tsr_frame *frame);
/** The results of a body in the frame form: tsr_return(frame, loss, TSR_TREE(mlp, &grads)). Called
 * once, at the end of the body; the handles of trees are taken now. Errors (TSR_ERROR_ARGUMENT): a
 * second time, more than 8 results, a number. */
TSR_API void tsr_return_at(const char *where, tsr_frame *frame, const tsr_arg *results, size_t n);
/** The named axes that are bound in the body being traced, outermost map first: writes at most
 * `most` of them to out and returns their number, 0 outside a body. The names are there until the
 * body returns. tsr_axis a[4]; size_t n = tsr_axis_sizes(ctx, a, 4); */
TSR_API size_t tsr_axis_sizes(const tsr_ctx *ctx, tsr_axis *out, size_t most);

/* ---- the same without place and keywords: as values, and for debuggers */

/** tsr_tree_as_at() as a value. */
TSR_API const void *tsr_tree_as(tsr_tree tree, const tsr_tree_type *type);
/** tsr_fn_release_at() as a value. */
TSR_API void tsr_fn_release(tsr_fn *fn);
/** tsr_checkpoint_name_at() as a value. */
TSR_OP tsr *tsr_checkpoint_name(tsr *x, const char *name);
/** tsr_optimization_barrier_at() as a value. */
TSR_OP tsr *tsr_optimization_barrier(tsr *x);
/** tsr_frame_arg_at() as a value. */
TSR_API tsr *tsr_frame_arg(tsr_frame *frame, size_t k);
/** tsr_frame_tree_at() as a value. */
TSR_API tsr_tree tsr_frame_tree(tsr_frame *frame, size_t k);
#ifdef __cplusplus
}
#endif

#ifdef TSR_MACROS_
#define tsr_tree_as(tree, type) tsr_tree_as_at(TSR_HERE, tree, type)
#define tsr_jit(...) TSR_JIT_(#__VA_ARGS__, TSR_PREFIX_, __VA_ARGS__, )
#define TSR_JIT_(text, v_, ctx, body, ...) \
	__extension__({ TSR_LET_(v_, _0, ctx) TSR_LET_(v_, _1, \
		TSR_GIVEN_(tsr_jit_needs_the_argument_body, body)) TSR_KW_(tsr_jit_args, v_, \
		__VA_ARGS__) tsr_jit_at(TSR_HERE, TSR_CTX_PICK_(TSR_CAT_(v_, _0)), \
		TSR_BODY_PICK_(TSR_CAT_(v_, _1)), text, &v_); })
#define tsr_shard_map(...) TSR_SHARD_MAP_(#__VA_ARGS__, TSR_PREFIX_, __VA_ARGS__, )
#define TSR_SHARD_MAP_(text, v_, mesh, body, ...) \
	__extension__({ TSR_LET_(v_, _1, TSR_GIVEN_(tsr_shard_map_needs_the_argument_body, body)) \
		TSR_KW_(tsr_shard_map_args, v_, __VA_ARGS__) tsr_shard_map_at(TSR_HERE, mesh, \
		TSR_BODY_PICK_(TSR_CAT_(v_, _1)), text, &v_); })
#define tsr_fn_release(fn) tsr_fn_release_at(TSR_HERE, fn)
#define tsr_grad(...) TSR_GRAD_(#__VA_ARGS__, TSR_PREFIX_, __VA_ARGS__, )
#define TSR_GRAD_(text, v_, ctx, body, ...) \
	__extension__({ TSR_LET_(v_, _0, ctx) TSR_LET_(v_, _1, \
		TSR_GIVEN_(tsr_grad_needs_the_argument_body, body)) TSR_KW_(tsr_grad_args, v_, \
		__VA_ARGS__) tsr_grad_at(TSR_HERE, TSR_CTX_PICK_(TSR_CAT_(v_, _0)), \
		TSR_BODY_PICK_(TSR_CAT_(v_, _1)), text, &v_); })
#define tsr_value_and_grad(...) TSR_VALUE_AND_GRAD_(#__VA_ARGS__, TSR_PREFIX_, __VA_ARGS__, )
#define TSR_VALUE_AND_GRAD_(text, v_, ctx, body, ...) \
	__extension__({ TSR_LET_(v_, _0, ctx) TSR_LET_(v_, _1, \
		TSR_GIVEN_(tsr_value_and_grad_needs_the_argument_body, body)) \
		TSR_KW_(tsr_grad_args, v_, __VA_ARGS__) tsr_value_and_grad_at(TSR_HERE, \
		TSR_CTX_PICK_(TSR_CAT_(v_, _0)), TSR_BODY_PICK_(TSR_CAT_(v_, _1)), text, &v_); })
#define tsr_jvp(...) TSR_JVP_(#__VA_ARGS__, TSR_PREFIX_, __VA_ARGS__, )
#define TSR_JVP_(text, v_, ctx, body, ...) \
	__extension__({ TSR_LET_(v_, _0, ctx) TSR_LET_(v_, _1, \
		TSR_GIVEN_(tsr_jvp_needs_the_argument_body, body)) TSR_KW_(tsr_grad_args, v_, \
		__VA_ARGS__) tsr_jvp_at(TSR_HERE, TSR_CTX_PICK_(TSR_CAT_(v_, _0)), \
		TSR_BODY_PICK_(TSR_CAT_(v_, _1)), text, &v_); })
#define tsr_jacfwd(...) TSR_JACFWD_(#__VA_ARGS__, TSR_PREFIX_, __VA_ARGS__, )
#define TSR_JACFWD_(text, v_, ctx, body, ...) \
	__extension__({ TSR_LET_(v_, _0, ctx) TSR_LET_(v_, _1, \
		TSR_GIVEN_(tsr_jacfwd_needs_the_argument_body, body)) TSR_KW_(tsr_grad_args, v_, \
		__VA_ARGS__) tsr_jacfwd_at(TSR_HERE, TSR_CTX_PICK_(TSR_CAT_(v_, _0)), \
		TSR_BODY_PICK_(TSR_CAT_(v_, _1)), text, &v_); })
#define tsr_jacrev(...) TSR_JACREV_(#__VA_ARGS__, TSR_PREFIX_, __VA_ARGS__, )
#define TSR_JACREV_(text, v_, ctx, body, ...) \
	__extension__({ TSR_LET_(v_, _0, ctx) TSR_LET_(v_, _1, \
		TSR_GIVEN_(tsr_jacrev_needs_the_argument_body, body)) TSR_KW_(tsr_grad_args, v_, \
		__VA_ARGS__) tsr_jacrev_at(TSR_HERE, TSR_CTX_PICK_(TSR_CAT_(v_, _0)), \
		TSR_BODY_PICK_(TSR_CAT_(v_, _1)), text, &v_); })
#define tsr_hessian(...) TSR_HESSIAN_(#__VA_ARGS__, TSR_PREFIX_, __VA_ARGS__, )
#define TSR_HESSIAN_(text, v_, ctx, body, ...) \
	__extension__({ TSR_LET_(v_, _0, ctx) TSR_LET_(v_, _1, \
		TSR_GIVEN_(tsr_hessian_needs_the_argument_body, body)) TSR_KW_(tsr_grad_args, v_, \
		__VA_ARGS__) tsr_hessian_at(TSR_HERE, TSR_CTX_PICK_(TSR_CAT_(v_, _0)), \
		TSR_BODY_PICK_(TSR_CAT_(v_, _1)), text, &v_); })
#define tsr_linearize(outs, ...) \
	TSR_CAT_(TSR_LINEARIZE_, TSR_1N_(__VA_ARGS__))(TSR_PREFIX_, outs, __VA_ARGS__)
#define TSR_LINEARIZE_1_(v_, outs, nout, ...) \
	__extension__({ TSR_CHECK_PLACES_(nout, \
		"tsr_linearize: write the argument outs as TSR_OUT(&y)") \
		tsr_linearize_at(TSR_HERE, outs, nout, __VA_ARGS__, NULL, 0); })
#define TSR_LINEARIZE_N_(v_, outs, nout, fn, ...) \
	__extension__({ TSR_CHECK_PLACES_(nout, \
		"tsr_linearize: write the argument outs as TSR_OUT(&y)") TSR_LETS_(v_, \
		__VA_ARGS__) tsr_linearize_at(TSR_HERE, outs, nout, fn, TSR_PICKS_(TSR_ARG_PICK_, \
		v_, __VA_ARGS__)); })
#define tsr_linearize_aux(outs, ...) \
	TSR_CAT_(TSR_LINEARIZE_AUX_, TSR_1N_(__VA_ARGS__))(TSR_PREFIX_, outs, __VA_ARGS__)
#define TSR_LINEARIZE_AUX_1_(v_, outs, nout, ...) \
	__extension__({ TSR_CHECK_PLACES_(nout, \
		"tsr_linearize_aux: write the argument outs as TSR_OUT(&y)") \
		tsr_linearize_aux_at(TSR_HERE, outs, nout, __VA_ARGS__, NULL, 0); })
#define TSR_LINEARIZE_AUX_N_(v_, outs, nout, fn, ...) \
	__extension__({ TSR_CHECK_PLACES_(nout, \
		"tsr_linearize_aux: write the argument outs as TSR_OUT(&y)") TSR_LETS_(v_, \
		__VA_ARGS__) tsr_linearize_aux_at(TSR_HERE, outs, nout, fn, \
		TSR_PICKS_(TSR_ARG_PICK_, v_, __VA_ARGS__)); })
#define tsr_vjp(outs, ...) TSR_CAT_(TSR_VJP_, TSR_1N_(__VA_ARGS__))(TSR_PREFIX_, outs, __VA_ARGS__)
#define TSR_VJP_1_(v_, outs, nout, ...) \
	__extension__({ TSR_CHECK_PLACES_(nout, "tsr_vjp: write the argument outs as TSR_OUT(&y)") \
		tsr_vjp_at(TSR_HERE, outs, nout, __VA_ARGS__, NULL, 0); })
#define TSR_VJP_N_(v_, outs, nout, fn, ...) \
	__extension__({ TSR_CHECK_PLACES_(nout, "tsr_vjp: write the argument outs as TSR_OUT(&y)") \
		TSR_LETS_(v_, __VA_ARGS__) tsr_vjp_at(TSR_HERE, outs, nout, fn, \
		TSR_PICKS_(TSR_ARG_PICK_, v_, __VA_ARGS__)); })
#define tsr_vjp_aux(outs, ...) \
	TSR_CAT_(TSR_VJP_AUX_, TSR_1N_(__VA_ARGS__))(TSR_PREFIX_, outs, __VA_ARGS__)
#define TSR_VJP_AUX_1_(v_, outs, nout, ...) \
	__extension__({ TSR_CHECK_PLACES_(nout, \
		"tsr_vjp_aux: write the argument outs as TSR_OUT(&y)") tsr_vjp_aux_at(TSR_HERE, \
		outs, nout, __VA_ARGS__, NULL, 0); })
#define TSR_VJP_AUX_N_(v_, outs, nout, fn, ...) \
	__extension__({ TSR_CHECK_PLACES_(nout, \
		"tsr_vjp_aux: write the argument outs as TSR_OUT(&y)") TSR_LETS_(v_, __VA_ARGS__) \
		tsr_vjp_aux_at(TSR_HERE, outs, nout, fn, TSR_PICKS_(TSR_ARG_PICK_, v_, \
		__VA_ARGS__)); })
#define tsr_linear_transpose(...) \
	TSR_CAT_(TSR_LINEAR_TRANSPOSE_, TSR_1N_(__VA_ARGS__))(TSR_PREFIX_, __VA_ARGS__)
#define TSR_LINEAR_TRANSPOSE_1_(v_, fn) \
	__extension__({ tsr_linear_transpose_at(TSR_HERE, fn, NULL, 0); })
#define TSR_LINEAR_TRANSPOSE_N_(v_, fn, ...) \
	__extension__({ TSR_LETS_(v_, __VA_ARGS__) tsr_linear_transpose_at(TSR_HERE, fn, \
		TSR_PICKS_(TSR_ARG_PICK_, v_, __VA_ARGS__)); })
#define tsr_custom_jvp(...) TSR_CUSTOM_JVP_(#__VA_ARGS__, TSR_PREFIX_, __VA_ARGS__, )
#define TSR_CUSTOM_JVP_(text, v_, ctx, body, rule, ...) \
	__extension__({ TSR_LET_(v_, _0, ctx) TSR_LET_(v_, _1, body) TSR_LET_(v_, _2, \
		TSR_GIVEN_(tsr_custom_jvp_needs_the_argument_rule, rule)) TSR_KW_(tsr_custom_args, \
		v_, __VA_ARGS__) tsr_custom_jvp_at(TSR_HERE, TSR_CTX_PICK_(TSR_CAT_(v_, _0)), \
		TSR_BODY_PICK_(TSR_CAT_(v_, _1)), text, TSR_BODY_PICK_(TSR_CAT_(v_, _2)), &v_); })
#define tsr_custom_vjp(...) TSR_CUSTOM_VJP_(#__VA_ARGS__, TSR_PREFIX_, __VA_ARGS__, )
#define TSR_CUSTOM_VJP_(text, v_, ctx, body, forward, backward, ...) \
	__extension__({ TSR_LET_(v_, _0, ctx) TSR_LET_(v_, _1, body) TSR_LET_(v_, _2, forward) \
		TSR_LET_(v_, _3, TSR_GIVEN_(tsr_custom_vjp_needs_the_argument_backward, backward)) \
		TSR_KW_(tsr_custom_args, v_, __VA_ARGS__) tsr_custom_vjp_at(TSR_HERE, \
		TSR_CTX_PICK_(TSR_CAT_(v_, _0)), TSR_BODY_PICK_(TSR_CAT_(v_, _1)), text, \
		TSR_BODY_PICK_(TSR_CAT_(v_, _2)), TSR_BODY_PICK_(TSR_CAT_(v_, _3)), &v_); })
#define tsr_remat(...) TSR_REMAT_(#__VA_ARGS__, TSR_PREFIX_, __VA_ARGS__, )
#define TSR_REMAT_(text, v_, ctx, body, ...) \
	__extension__({ TSR_LET_(v_, _0, ctx) TSR_LET_(v_, _1, \
		TSR_GIVEN_(tsr_remat_needs_the_argument_body, body)) TSR_KW_(tsr_remat_args, v_, \
		__VA_ARGS__) tsr_remat_at(TSR_HERE, TSR_CTX_PICK_(TSR_CAT_(v_, _0)), \
		TSR_BODY_PICK_(TSR_CAT_(v_, _1)), text, &v_); })
#define tsr_checkpoint_name(x, name) tsr_checkpoint_name_at(TSR_HERE, x, name)
#define tsr_optimization_barrier(x) tsr_optimization_barrier_at(TSR_HERE, x)
#define tsr_optimization_barrier_into(...) \
	TSR_CAT_(TSR_OPTIMIZATION_BARRIER_INTO_, TSR_1N_(__VA_ARGS__))(TSR_PREFIX_, __VA_ARGS__)
#define TSR_OPTIMIZATION_BARRIER_INTO_1_(v_, outs, nout) \
	__extension__({ TSR_CHECK_PLACES_(nout, \
		"tsr_optimization_barrier_into: write the argument outs as TSR_OUT(&y)") \
		tsr_optimization_barrier_into_at(TSR_HERE, outs, nout, NULL, 0); })
#define TSR_OPTIMIZATION_BARRIER_INTO_N_(v_, outs, nout, ...) \
	__extension__({ TSR_CHECK_PLACES_(nout, \
		"tsr_optimization_barrier_into: write the argument outs as TSR_OUT(&y)") \
		TSR_LETS_(v_, __VA_ARGS__) tsr_optimization_barrier_into_at(TSR_HERE, outs, nout, \
		TSR_PICKS_(TSR_ARG_PICK_, v_, __VA_ARGS__)); })
#define tsr_vmap(...) TSR_VMAP_(#__VA_ARGS__, TSR_PREFIX_, __VA_ARGS__, )
#define TSR_VMAP_(text, v_, ctx, body, ...) \
	__extension__({ TSR_LET_(v_, _0, ctx) TSR_LET_(v_, _1, \
		TSR_GIVEN_(tsr_vmap_needs_the_argument_body, body)) TSR_KW_(tsr_vmap_args, v_, \
		__VA_ARGS__) tsr_vmap_at(TSR_HERE, TSR_CTX_PICK_(TSR_CAT_(v_, _0)), \
		TSR_BODY_PICK_(TSR_CAT_(v_, _1)), text, &v_); })
#define tsr_pmap(...) TSR_PMAP_(#__VA_ARGS__, TSR_PREFIX_, __VA_ARGS__, )
#define TSR_PMAP_(text, v_, ctx, body, ...) \
	__extension__({ TSR_LET_(v_, _0, ctx) TSR_LET_(v_, _1, \
		TSR_GIVEN_(tsr_pmap_needs_the_argument_body, body)) TSR_KW_(tsr_pmap_args, v_, \
		__VA_ARGS__) tsr_pmap_at(TSR_HERE, TSR_CTX_PICK_(TSR_CAT_(v_, _0)), \
		TSR_BODY_PICK_(TSR_CAT_(v_, _1)), text, &v_); })
#define tsr_call(...) TSR_CAT_(TSR_CALL_, TSR_1N_(__VA_ARGS__))(TSR_PREFIX_, __VA_ARGS__)
#define TSR_CALL_1_(v_, fn) __extension__({ tsr_call_at(TSR_HERE, fn, NULL, 0); })
#define TSR_CALL_N_(v_, fn, ...) \
	__extension__({ TSR_LETS_(v_, __VA_ARGS__) tsr_call_at(TSR_HERE, fn, \
		TSR_PICKS_(TSR_ARG_PICK_, v_, __VA_ARGS__)); })
#define tsr_call_into(outs, ...) \
	TSR_CAT_(TSR_CALL_INTO_, TSR_1N_(__VA_ARGS__))(TSR_PREFIX_, outs, __VA_ARGS__)
#define TSR_CALL_INTO_1_(v_, outs, nout, ...) \
	__extension__({ TSR_CHECK_PLACES_(nout, \
		"tsr_call_into: write the argument outs as TSR_OUT(&y)") \
		tsr_call_into_at(TSR_HERE, outs, nout, __VA_ARGS__, NULL, 0); })
#define TSR_CALL_INTO_N_(v_, outs, nout, fn, ...) \
	__extension__({ TSR_CHECK_PLACES_(nout, \
		"tsr_call_into: write the argument outs as TSR_OUT(&y)") TSR_LETS_(v_, \
		__VA_ARGS__) tsr_call_into_at(TSR_HERE, outs, nout, fn, TSR_PICKS_(TSR_ARG_PICK_, \
		v_, __VA_ARGS__)); })
#define tsr_fn_text(...) TSR_CAT_(TSR_FN_TEXT_, TSR_1N_(__VA_ARGS__))(TSR_PREFIX_, __VA_ARGS__)
#define TSR_FN_TEXT_1_(v_, fn) __extension__({ tsr_fn_text_at(TSR_HERE, fn, NULL, 0); })
#define TSR_FN_TEXT_N_(v_, fn, ...) \
	__extension__({ TSR_LETS_(v_, __VA_ARGS__) tsr_fn_text_at(TSR_HERE, fn, \
		TSR_PICKS_(TSR_ARG_PICK_, v_, __VA_ARGS__)); })
#define tsr_fn_compiled_text(...) \
	TSR_CAT_(TSR_FN_COMPILED_TEXT_, TSR_1N_(__VA_ARGS__))(TSR_PREFIX_, __VA_ARGS__)
#define TSR_FN_COMPILED_TEXT_1_(v_, fn) \
	__extension__({ tsr_fn_compiled_text_at(TSR_HERE, fn, NULL, 0); })
#define TSR_FN_COMPILED_TEXT_N_(v_, fn, ...) \
	__extension__({ TSR_LETS_(v_, __VA_ARGS__) tsr_fn_compiled_text_at(TSR_HERE, fn, \
		TSR_PICKS_(TSR_ARG_PICK_, v_, __VA_ARGS__)); })
#define tsr_fn_graph(...) TSR_CAT_(TSR_FN_GRAPH_, TSR_1N_(__VA_ARGS__))(TSR_PREFIX_, __VA_ARGS__)
#define TSR_FN_GRAPH_1_(v_, fn) __extension__({ tsr_fn_graph_at(TSR_HERE, fn, NULL, 0); })
#define TSR_FN_GRAPH_N_(v_, fn, ...) \
	__extension__({ TSR_LETS_(v_, __VA_ARGS__) tsr_fn_graph_at(TSR_HERE, fn, \
		TSR_PICKS_(TSR_ARG_PICK_, v_, __VA_ARGS__)); })
#define tsr_fn_compiled_graph(...) \
	TSR_CAT_(TSR_FN_COMPILED_GRAPH_, TSR_1N_(__VA_ARGS__))(TSR_PREFIX_, __VA_ARGS__)
#define TSR_FN_COMPILED_GRAPH_1_(v_, fn) \
	__extension__({ tsr_fn_compiled_graph_at(TSR_HERE, fn, NULL, 0); })
#define TSR_FN_COMPILED_GRAPH_N_(v_, fn, ...) \
	__extension__({ TSR_LETS_(v_, __VA_ARGS__) tsr_fn_compiled_graph_at(TSR_HERE, fn, \
		TSR_PICKS_(TSR_ARG_PICK_, v_, __VA_ARGS__)); })
#define tsr_frame_arg(frame, k) tsr_frame_arg_at(TSR_HERE, frame, k)
#define tsr_frame_tree(frame, k) tsr_frame_tree_at(TSR_HERE, frame, k)
#define tsr_return(...) TSR_CAT_(TSR_RETURN_, TSR_1N_(__VA_ARGS__))(TSR_PREFIX_, __VA_ARGS__)
#define TSR_RETURN_1_(v_, frame) __extension__({ tsr_return_at(TSR_HERE, frame, NULL, 0); })
#define TSR_RETURN_N_(v_, frame, ...) \
	__extension__({ TSR_LETS_(v_, __VA_ARGS__) tsr_return_at(TSR_HERE, frame, \
		TSR_PICKS_(TSR_RESULT_PICK_, v_, __VA_ARGS__)); })
/** The mapped dim of each argument or result, 1 to 8: .in = TSR_MAPPED(0, TSR_UNMAPPED). */
#define TSR_MAPPED(...)     {TSR_MAP_(TSR_MAPPED_ALL, __VA_ARGS__)}
/** One mapped dim for all leaves of an argument. */
#define TSR_MAPPED_ALL(dim) {{.count = 1}, (const int[]){dim}}
/** Keywords .env and .env_size of a record: tsr_jit(ctx, body, TSR_ENV(&hyper)). gcc tells the
 * padding between its members. clang cannot: there let a record have none, or set all of it to 0
 * before its members, lest equal ones are other bytes, and other fns; a context says so once. */
#define TSR_ENV(p) .env = (p), .env_size = sizeof *(p), .env_mask = TSR_MASK_(p)
#if !defined __clang__ && defined __has_builtin
#if __has_builtin(__builtin_clear_padding)
/* the record in a struct, which is not const even if the record is. A mask, since a function that
 * clears padding would be one inside of another, for which gcc -O0 makes the stack executable */
#define TSR_MASK_(p) __extension__({ \
	static __thread struct { __typeof__(*(p)) env; } tsr_mask_; \
	__builtin_memset(&tsr_mask_, 255, sizeof tsr_mask_); \
	__builtin_clear_padding(&tsr_mask_); \
	(const void *)&tsr_mask_; })
#endif
#endif
#ifndef TSR_MASK_
#define TSR_MASK_(p) NULL
#endif

/** Where the results of tsr_call_into() go, 1 to 8 places: &handle, TSR_TREE(T, &tree), TSR_OWN(T,
 * &tree), TSR_INTO(memory, dtype, dims), and NULL for a result that is not wanted. */
#define TSR_OUT(...) ((tsr_out[]){TSR_MAP_(TSR_OUT_, __VA_ARGS__)}), TSR_N_(__VA_ARGS__)
/** A tree as a place for results whose slots are owned: each result replaces what is there, as
 * tsr_set() does. */
#define TSR_OWN(T, p) ((tsr_out){.own = TSR_PLACE_OWN, .to = TSR_TREE(T, p)})
/** The caller's memory as a place for a result that is one array: tsr_call_into(TSR_OUT(TSR_INTO(y,
 * TSR_F32, TSR_DIMS(n))), f, x), with float y[n]. Afterwards the memory has all its elements,
 * row-major, or with TSR_INTO(y, TSR_F32, TSR_DIMS(n), .strides = TSR_DIMS(8)) that many bytes from
 * one index to the next; and nothing else of the call refers to it. Outside maps, a result on one
 * device, without strides, is made right there by a program that is compiled, if no operand is
 * there; otherwise it is copied at the end. So the memory may be, or overlap, that of an operand:
 * the call sees what was there before it. tsr_status() tells whether it worked.
 *
 * Errors: a dtype or dims that are not those of the result, for nothing is converted
 * (TSR_ERROR_TYPE); the memory is NULL, strides that do not fit, memory without strides that
 * overlaps that of another place (TSR_ERROR_ARGUMENT); a call while a body is traced
 * (TSR_ERROR_HANDLE). Then, and wherever a call fails before it runs, nothing is written; what a
 * call that fails while it runs has left there is undefined. */
#define TSR_INTO(...) TSR_INTO_(__VA_ARGS__, )
#define TSR_INTO_(p, type, shape, ...) ((tsr_out){.own = TSR_PLACE_MEMORY, \
	.memory = &(const tsr_into_args){.size = sizeof(tsr_into_args), __VA_ARGS__ \
		.data = (p), .dtype = (type), .dims = shape, \
		.element = TSR_ELEMENTS_OF_(p, type)}})

/** A type of tree: TSR_TREE_TYPE(mlp, { tsr *w, *b; }); fields are handles, arrays of them, or
 * other tree types, whose names they may have: TSR_TREE_TYPE(layer, { attention attention; mlp
 * mlp[2]; }). The type is a union of the fields and an array of all leaves in their order, so p.w
 * and p.leaf[0] are the same. tsr/tree.h has what can be done with all leaves. */
#define TSR_TREE_TYPE(T, ...) \
	typedef struct __VA_ARGS__ T##_fields_; \
	typedef union T { \
		struct __VA_ARGS__; \
		tsr *leaf[sizeof(T##_fields_) / sizeof(tsr *)]; \
	} T; \
	TSR_TREE_CHECK_(T) \
	static const tsr_tree_type T##_tree_ __attribute__((unused)) = \
		{TSR_FIELDS_(__VA_ARGS__), sizeof(T) / sizeof(tsr *), #T, &tsr_tree_unit_}; \
	TSR_TREE_LIST_(T)
/** A tree as an argument or a place for results: TSR_TREE(mlp, &w), with mlp w. A NULL leaf is
 * absent. p is the address of what is there until the call has returned, a compound literal
 * included: tsr_call(f, TSR_TREE(pair, (&(pair){.a = x, .b = y}))); for captures, until the last
 * call. A part of what TSR_TREE_OF() gives may be passed on: TSR_TREE(mlp, &state->params). */
#define TSR_TREE(T, p) \
	((tsr_tree){.leaf = ((T *)(uintptr_t)(const T *){p})->leaf, \
		.count = sizeof(T) / sizeof(tsr *), .type = &T##_tree_})
/** An array of n handles as a tree without a type: tsr_call(f, TSR_LEAVES(blocks, n)). The array
 * lives as long as TSR_TREE() says. */
#define TSR_LEAVES(leaves, n) ((tsr_tree){.leaf = (leaves), .count = (n)})
/** What a body sees of a tree argument: const mlp *p = TSR_TREE_OF(mlp, params); */
#define TSR_TREE_OF(T, tree) ((const T *)tsr_tree_as_at(TSR_HERE, (tree), &T##_tree_))
#endif

#endif
