/* trace.h - from C calls to programs: one entry, bind; traces; fns and their calls; argument trees;
 * eager operations.
 *
 * Public operations (src/lib) check and prepare their operands with the functions here, fill a
 * parameter record, and bind. Inside a trace every operation is recorded, also on concrete arrays;
 * outside it runs at once as a program of one equation.
 *
 * Words: a `trace` is the running of a body in which operations are recorded; a `traced` is what
 * came of it, which its fn keeps for arguments of the same types. To `bind` a primitive is to apply
 * it to handles, recorded or at once. A `leaf` is one handle of the arguments, alone or in a tree;
 * an absent one is NULL. A `capture` is a handle that a fn was made with. A `lifted` value is one
 * that a body uses although it is neither argument nor capture: it becomes an input too. An
 * `interned` fn is the one record of all that are made alike. `where` is a place in the caller's
 * source, "file.c:12"; a `call_site` is that place and what else a message about a call needs. */
#ifndef TSR_SRC_TRACE_H
#define TSR_SRC_TRACE_H
#include "runtime/runtime.h"

typedef struct fn fn; /* fn.c */

/* ---- bind.c */
/* where a public function was called, and the name that messages give to it or to its fn */
typedef struct call_site {
	tsr_ctx *ctx;
	const char *where, *op;
} call_site;
/* Checks operands, none of which may be NULL, stale, poison or of another context than the rest,
 * and returns their context, which becomes the site's. NULL: the error is recorded, and the
 * operation must return poison_of(site's context). If all operands are NULL, the error is recorded
 * in ctx_here(). */
tsr_ctx *operands_check(call_site *, tsr *const *x, int n);
/* The same where all operands are C numbers: the context is the one of the call, ctx_here() */
tsr_ctx *numbers_check(call_site *);
/* the fault of one operand, as the words behind its name in a message; NULL: it has none */
const char *handle_fault(const tsr_ctx *, const tsr *);
/* of a checked handle; poison, which something made of checked handles may be, has a type too:
 * f32[1,1,1,1] */
const type *handle_type(const tsr *);
tsr *poison_of(tsr_ctx *); /* NULL: of ctx_here() */
/* records an error and returns poison, for `return refuse(...)` */
tsr *refuse(const call_site *, tsr_code, const char *format, ...) PRINTF_LIKE(3, 4);
/* the same, and like fail(), with the name of the operation in front: "sum: .where must be bool" */
tsr *refuse_op(const call_site *, tsr_code, const char *format, ...) PRINTF_LIKE(3, 4);
bool fail_op(const call_site *, tsr_code, const char *format, ...) PRINTF_LIKE(3, 4);
/* binds a primitive of one result; operands are handles of ctx that were checked, or made of such
 * handles. Poison on failure, and where an operand is poison */
tsr *bind(const call_site *, const tsr_prim *, const void *params, tsr *const *x, int n);
/* The same for any number of results: all valid, or false and all poison. */
typedef struct operation {
	const call_site *site;
	const tsr_prim *prim;
	const void *params;
	tsr *const *x; /* n handles, as of bind */
	int n;
} operation;
bool bind_all(const operation *, tsr **out, int nout);
/* the fault of an argument that must be a number, as the words behind its name; NULL: it has
 * none */
const char *number_fault(const tsr_arg *);
/* a C number as a rank-0 value: a literal in a trace, an array outside. It must fit */
tsr *constant(const call_site *, tsr_dtype, const tsr_arg *);
tsr *constant_as(const call_site *, etype, const tsr_arg *);
/* a C number given to a call: a weak value of 64 bits, so that it is exact until it is combined
 * with a strong one */
tsr *number_argument(const call_site *, const tsr_arg *);
tsr *convert_as(const call_site *, tsr *, etype); /* x itself if it has that type */
/* a result of a call: outside a trace, what is made of numbers alone gets their default dtype */
tsr *as_default(const call_site *, tsr *);
array *
handle_array(const char *where,
             const tsr *); /* of a checked handle; traced: error that names cond and while, NULL */
tsr *handle_of_array(tsr_ctx *, array *); /* consumes the reference; NULL gives poison */

/* ---- dims.c */
/* A dims record from a user: how many, and the entries. Whoever takes one looks with dims_ok first.
 */
static inline bool dims_given(const tsr_dims *dims) { return dims->d[0] != 0; }
static inline int dims_count(const tsr_dims *dims)
{
	return dims_given(dims) ? (int)dims->d[0] - 1 : 0;
}
static inline const int64_t *dims_of(const tsr_dims *dims) { return dims->d + 1; }
/* checks that the record is well formed, and given if it is needed. false: error that names the op
 * and `what` */
bool dims_ok(const call_site *, const char *what, const tsr_dims *, bool needed);
/* the same, with one entry for each of ndim dims where it is given */
bool dims_match(const call_site *, const char *what, const tsr_dims *, int ndim, bool needed);
/* a record of these dims. false: there are more than it has room for, recorded */
bool dims_put(const call_site *, tsr_dims *to, const int64_t *dims, int ndim);
/* one more dim of size n, as dim `at`. false: there is no room for it, recorded */
bool dims_insert(const call_site *, tsr_dims *, int at, int64_t n);
tsr_dims dims_without_last(const tsr_dims *); /* itself where there is none */
/* the dims that arrays with these dims and with `all` broadcast to. false: there are none, or no
 * room for them */
bool dims_broadcast(tsr_dims *all, const int64_t *dims, int ndim);

/* ---- eager.c: programs of operations outside a trace, kept by what is done and operand types */
typedef struct eager_key {
	const void *what;     /* a primitive, or a public function */
	const field *fields;  /* of the parameters of a primitive; NULL: they are bytes */
	const void *params;
	size_t nbytes;
	int n;
	const type *const *types;
	uint64_t hash; /* eager_find fills it in */
} eager_key;
typedef struct eager_entry {
	cached cached;
	uint64_t hash;
	eager_key key;
	program *program;
	/* of a public function: which result of the program each of its results is, ~k: its operand
	 * k itself, ABSENT: there is none */
	int nout;
	const int *out;
	arena *arena;
} eager_entry;
enum { ABSENT = INT32_MAX };
/* pinned; NULL: there is none */
eager_entry *eager_find(tsr_ctx *, eager_key *);
/* a new one, pinned, with copies of all but the program, which it takes. program NULL gives NULL.
 * NULL: recorded */
eager_entry *eager_keep(tsr_ctx *, const eager_key *, program *, const int *out, int nout);
/* outside a trace, where all operands are arrays. false: recorded */
bool eager_run(const operation *, tsr **out, int nout);

/* ---- scope.c: the axes that are bound at an operation */
bool in_trace(const tsr_ctx *);
bool trace_unchecked(const tsr_ctx *); /* inside a shard_map with .unchecked */
const axis *trace_axes(const tsr_ctx *, int *n);
/* "x*y" -> entries of the axis table, in the order written; unbound, repeated or no names: error
 * that names the operation and tsr_shard_map. false: recorded */
bool axes_read(const call_site *, const char *text, int64_t out[MAX_AXES], int *n);
tsr *vary(const call_site *, tsr *x, axis_set); /* x with these axes in its varying set */

/* The tsr_pmaps that a body calls, by depth: one for all that are side by side. They count even if
 * nothing needs their results, so that a derivative is over its function's mesh */
typedef struct inner_pmaps {
	int n;
	struct inner_pmap {
		tsr_axis axis;
		const char *where;
	} * at;
} inner_pmaps;

/* ---- trace.c: one trace in progress */
struct trace {
	counted counted; /* handles in owned slots may outlive the trace */
	tsr_ctx *ctx;
	trace *outer;
	build *build; /* NULL when the trace has ended */
	bool unchecked;
	axis_set lift_varying;      /* lifted values vary over these axes too: the manual ones of
	                               an unchecked map, and those that a part in the making adds */
	axis_set own_lift;          /* the same without what a part adds */
	size_t nlifted, lifted_cap; /* values from outside that became inputs, behind arguments
	                               and captures */
	struct lifted {
		tsr *handle;
		var input;
	} * lifted;
	table lifts; /* by payload */
	inner_pmaps pmaps;
	int depth;
	/* what the end of the trace gives back, even if the body never returned */
	guard body; /* the frame that runs it */
	const char *name;   /* of what is traced */
	const tsr_tree *captures; /* of the fn; NULL: none */
	const char *where;  /* of the call; "an unknown place" */
	tsr_scope *scope;   /* handles that the body makes */
	struct traced *made; /* what the trace is for */
	tsr **slots[2];      /* what the capture slots hold outside and inside; NULL: outside */
	struct held *held;   /* ctx->held when it began, */
	mesh_in_use in_use;  /* and ctx->in_use */
};
/* Becomes ctx->trace, with a scope of its own. The name and the captures must stay until it ends.
 * NULL: recorded */
typedef struct trace_of {
	const char *name, *where;
	const tsr_tree *captures;
	const axis *axes;
	int naxes;
	bool unchecked;
	const mesh *mesh; /* that is in use in it; NULL: the one outside */
} trace_of;
trace *trace_begin(tsr_ctx *, const trace_of *);
/* The program of a trace that is done; ctx->trace is the outer one again. NULL: recorded */
program *trace_program(trace *, const var *out, int nout);
void trace_end(trace *); /* ends the trace, with or without a program, and frees it; NULL is fine */
/* For a body that an exception or the end of its thread may have left: if *t is not NULL it has,
 * and the trace is ended and what the calls around it hold is given back. */
void trace_unwound(trace **t);
tsr *trace_handle(trace *, var);
/* the type that a checked handle has where it is used now: values from outside an unchecked map
 * vary over its axes. NULL: no memory */
const type *trace_type(tsr_ctx *, const tsr *);
/* the variable of a checked handle in this trace; lifts what belongs elsewhere */
bool trace_var(trace *, const tsr *, var *);

/* ---- body_memory.c: scratch memory of the calls that are running bodies */
/* Memory that a call needs while a body runs is in such an arena, or in the trace. It is freed by
 * call_arena_free, or when the trace ends because the body was left. NULL: recorded */
arena *call_arena(tsr_ctx *);
void call_arena_free(tsr_ctx *, arena *); /* the last one made; NULL is fine */
void call_arenas_free(tsr_ctx *, const struct held *down_to);

/* ---- fn/tree.c: arguments as flat lists of leaves */
typedef struct leaf {
	tsr *handle;
	int arg, index;
} leaf; /* handle NULL: absent */
typedef struct leaves {
	int n, nargs;
	leaf *leaf;
	const tsr_arg *arg;
	const type **types; /* as a body sees the leaves; NULL: those of the handles (trace_type) */
} leaves;
/* flattens and checks; C numbers become rank-0 values. false: error recorded, or an operand is
 * poison */
bool leaves_read(const call_site *, arena *, const tsr_arg *, size_t n, leaves *);
bool tree_type_same(const tsr_tree_type *, const tsr_tree_type *);
bool tree_type_ok(const call_site *, const tsr_tree_type *);
/* a copy in the arena, for the caller's may be gone by the next call. NULL: no memory */
const tsr_tree_type *tree_type_keep(arena *, const tsr_tree_type *);

/* ---- fn/leaf_text.c: what messages call a leaf */
/* "args[0]", "args[0].layer[1].w"; where the fields are not known "args[0] (tree mlp, leaf 3)" */
void leaf_text(str *, const leaves *, int i);
void arg_leaf_text(str *, const tsr_arg *args, int arg, int index);
void tree_leaf_text(str *, const tsr_tree_type *, size_t index); /* from ".layer[1].w" on */
/* the same, but in C also where the fields are not known: ".layer[1].leaf[3]", "[3]" */
void tree_path_text(str *, const tsr_tree_type *, size_t index);

/* ---- fn/fn.c: what a fn is */
typedef enum fn_kind {
	FN_JIT,
	FN_SHARD_MAP,
	FN_TEXT, /* a program as it is */
	FN_VMAP,
	FN_PMAP,
	FN_REMAT,
	FN_CUSTOM_JVP,
	FN_CUSTOM_VJP,
	/* derivatives of the body */
	FN_JVP,
	FN_GRAD,
	FN_VALUE_AND_GRAD,
	FN_JACFWD,
	FN_JACREV,
	FN_LINEARIZE, /* results and residuals; its tracing has the linear fn */
	FN_VJP,       /* the same, backwards */
	FN_LINEAR_TRANSPOSE
} fn_kind;
/* how the arguments and results of a fn, which may be trees, are inputs and results of its
 * program */
typedef struct program_form {
	int nargs;
	const int *nleaves;  /* of each argument */
	const bool *present; /* by leaf: those that are inputs of the program */
	int nout;
	const int *out; /* leaf of the results -> result of the program, or -1: absent */
	struct result_shape {
		int n;
		const int *count;
	} results; /* handles (count 1) and trees */
} program_form;
typedef struct result_shape result_shape;
/* which dim of each leaf of an argument or result is mapped; n 1 is for all leaves */
typedef struct mapped_dims {
	int n;
	const int *dim;
} mapped_dims;
/* the specs of one argument or result: n 1 is for all leaves; given: as the user wrote them, with
 * trailing empty entries, for messages. FN_JIT: n 0, and NULL for a leaf, where it is not given */
typedef struct arg_specs {
	int n;
	const sharding *const *leaf;
	const spec *given;
} arg_specs;
/* What each kind of fn has besides its body. */
typedef struct fn_map { /* FN_SHARD_MAP; of FN_JIT the specs, where .in or .out is given */
	const mesh *mesh; /* FN_JIT: NULL, if they are not */
	int nin, nout;
	arg_specs in[TSR_MAX_ARGS], out[TSR_MAX_ARGS];
	axis_set manual; /* positions in the mesh; 0: every axis not manual yet */
	bool unchecked;
} fn_map;
typedef struct fn_given { /* FN_TEXT: the program, and its form, if it is not one handle each */
	const program *program;
	const program_form *form;
} fn_given;
typedef struct fn_derive { /* derivatives */
	int nwrt, wrt[TSR_MAX_ARGS]; /* with respect to these arguments; 0: the default */
	int nvalues;                 /* results that are differentiated; 0: all */
	bool holomorphic, allow_int; /* holomorphic: the derivative is complex; allow_int: those
	                                of integers are absent */
} fn_derive;
typedef struct fn_mapped { /* FN_VMAP, FN_PMAP */
	int nin_dims, nout_dims; /* 0: dim 0 of each */
	mapped_dims in_dims[TSR_MAX_ARGS], out_dims[TSR_MAX_ARGS];
	const char *axis;      /* NULL: it has no name */
	int64_t axis_size;     /* 0: what the arguments say */
	const char *spmd_axis; /* FN_VMAP; NULL: none */
	const int64_t *device; /* FN_PMAP: ids, of which the first ones are taken; NULL: the
	                          context's */
	size_t ndevices;
} fn_mapped;
typedef struct fn_remat { /* FN_REMAT */
	int policy; /* enum remat_policy */
	const char *names;
} fn_remat;
typedef struct fn_custom { /* FN_CUSTOM_JVP, FN_CUSTOM_VJP; its rules are fn.used */
	uint32_t nondiff; /* a bit for each argument that they say nothing of */
} fn_custom;
struct fn {
	cached cached; /* pins: those who hold it (fn_life.c) */
	tsr_ctx *ctx;
	arena *arena;        /* that all of it is in */
	tsr_fn *handle;      /* the user's; NULL: there is none */
	int64_t times_given; /* to the user */
	bool released;       /* its handle was: it goes when nothing holds it */
	fn_kind kind;
	struct {
		int64_t form;
		tsr_raw raw;
		struct fn *fn; /* a body that is a fn; NULL: it is a function */
	} body;
	const char *name;
	const void *env;
	size_t env_size;
	void (*env_release)(void *env); /* called when it goes */
	const unsigned char *env_mask;  /* 0 in its padding; NULL: nobody knows where that is */
	tsr_tree captures;
	int nused; /* fns that it needs besides its body, and holds: the rule of a custom fn, or its
	              forward and backward, and what a body of the library calls */
	struct fn *const *used;
	uint32_t donate; /* FN_JIT, FN_PMAP: a bit for each argument that a call gives up */
	union {
		fn_map map;
		fn_given given;
		fn_derive derive;
		fn_mapped mapped;
		fn_remat remat;
		fn_custom custom;
	};
	const char *printed; /* its text, once it was asked for */
	uint64_t hash;
	table traces;
	struct traced *latest; /* the one among them that was used last, or NULL */
	int64_t calls, traced, hits, compiles;
};

static inline fn *fn_rule(const fn *f, int i) /* NULL: it has none */
{
	const bool custom = f->kind == FN_CUSTOM_JVP || f->kind == FN_CUSTOM_VJP;

	return custom && i < f->nused ? f->used[i] : NULL;
}
/* the fn that equals *key, made of copies; held, for the caller to give back. NULL: no memory */
fn *fn_intern(tsr_ctx *, fn *key);
/* the .env_mask of a function of the library, whose records have no padding: it has no bytes, and a
 * context does not tell that there are many, as nobody has written an .env */
extern const unsigned char env_of_library[1];

/* ---- fn/fn_life.c */
static inline fn *fn_hold(fn *f)
{
	f->cached.pins++;
	return f;
}
void fn_unheld(fn *); /* nothing holds it, so it may go */
static inline void fn_unhold(fn *f) /* NULL is fine */
{
	if (f && --f->cached.pins == 0) fn_unheld(f);
}
bool fn_hold_in(arena *, fn *); /* until the arena is freed. false: no memory */
void fn_evict(tsr_ctx *, cached *);
/* its handle, which takes over the caller's hold; NULL, and what has no handle, gives poison */
tsr_fn *fn_give(tsr_ctx *, fn *);
/* a handle of ours, until the arena is freed; the fn then stays in the cache. false: it is poison,
 * or there is no memory */
bool fn_give_in(arena *, tsr_fn *);
tsr_fn *fn_poison(tsr_ctx *); /* calls of it give poison; NULL: of ctx_here() */
bool fn_is_poison(const tsr_fn *);
/* the fn of a handle. NULL: recorded; there is none, it was released, or it is poison */
fn *fn_of(const char *where, const char *op, const tsr_fn *);

/* ---- fn/make.c, fn/make_derived.c, fn/make_mapped.c, fn/make_custom.c: the public constructors */
/* the keywords of all of them */
typedef struct fn_keywords {
	const void *env;
	size_t env_size;
	tsr_tree captures;
	void (*env_release)(void *env);
	const void *env_mask;
} fn_keywords;
#define FN_KEYWORDS(a) \
	((fn_keywords){(a)->env, (a)->env_size, (a)->captures, (a)->env_release, (a)->env_mask})
/* fills in what every kind of fn has, except its kind and name. false: recorded, or the body is a
 * poison fn */
bool fn_head(fn *key, const call_site *, tsr_body, fn_keywords);
/* the name of a fn: `given`, or the body as the macro call names it. matmul for "ctx, matmul, .env
 * = ..." */
const char *fn_name_of(const fn *key, const char *given, const char *call, char *room,
                       size_t size);
/* the name that is an argument of a macro call, whose text this is. NULL: it is none */
const char *name_in_call(const char *call, int argument, char *room, size_t size);
bool is_product(const char *text); /* names with one "*" between them */

/* ---- fn/call.c: a call of a fn */
/* the group that leaf i of the results belongs to, and its index there */
int shape_group(const result_shape *, int i, int *index);
/* what came of tracing a fn for these types, trees and axes */
typedef struct traced_key {
	uint64_t hash;      /* of what follows */
	int ntypes;         /* leaves of the arguments, then of the captures */
	const type **types; /* NULL: absent leaf */
	int nargs;
	const tsr_tree_type **trees; /* one an argument; NULL: a handle, or a tree without a type */
	const int *counts;           /* leaves of each argument; -1: a handle */
	const axis *axes;            /* in scope where the fn is called */
	int naxes;
	bool unchecked;
	axis_set lift_varying; /* values from outside vary over these axes too */
	const mesh *mesh;      /* in use where the fn is called; NULL: none */
} traced_key;
typedef struct traced {
	cached cached;
	fn *fn; /* that keeps it */
	arena *arena;
	traced_key key;
	const program *program;
	const shard_map_params *map; /* of a shard_map fn: the equation's parameters */
	/* of a remat or custom fn: what a call in a trace is bound as, with its parameters */
	const tsr_prim *prim;
	const void *params;
	const program *alone; /* that equation as a program of its own, for calls outside a trace */
	int nout;
	const int *out; /* leaf -> result of the program, or -1: absent */
	result_shape shape;
	fn *linear; /* FN_LINEARIZE, FN_VJP, FN_LINEAR_TRANSPOSE: what is called with the
	                   residuals, which are the last results */
	size_t nlifted; /* owned handles of lifted values */
	tsr **lifted;
	inner_pmaps pmaps; /* over open meshes, that of a tsr_pmap itself first */
	bool in_own_rule; /* it has, or is, a custom fn that its own rule calls: the same call
	                     elsewhere holds more of the rules */
	bool cacheable;
} traced;
void traced_free(traced *); /* NULL is fine */
/* one call of a fn: the caller fills in all down to args, trace_fn the rest */
typedef struct fn_call {
	fn *fn;
	const char *where;
	arena *scratch; /* lives until the call is done */
	leaves args;
	tsr **capture; /* of each capture slot; NULL: absent */
	tsr **x;       /* the n operands of its program: leaves and captures that are there, then
	                  what was lifted */
	int n;
} fn_call;
/* The tracing that a call needs, from the cache if it can be; fills in captures and operands. NULL:
 * error recorded. Until the caller gives it back with traced_done, it and its fn stay. */
traced *trace_fn(fn_call *);
void traced_done(traced *);
/* the n leaves that a call gives (NULL: absent), and how they are grouped */
typedef struct results {
	tsr **leaf;
	int n;
	result_shape shape;
} results;
typedef struct places places;
/* calls a fn; the results are handles of the innermost scope. to (may be NULL): where they will go,
 * which is checked before anything runs; results that have the caller's memory as their place are
 * made there if that can be. linear (may be NULL) gets the linear fn of the tracing, given to the
 * user. false: error recorded, or an operand is poison */
bool call_fn(fn *, const char *where, const tsr_arg *, size_t n, arena *, places *to, results *,
             tsr_fn **linear);

/* the program that a call outside a trace runs: that of the tracing, or of a shard_map fn the
 * program whose only equation is the map. NULL: recorded */
const program *traced_program(const fn_call *, traced *);

/* ---- fn/destinations.c: where the results of a call go */
struct places {
	const tsr_out *out;
	size_t n;
	const caller_memory **memory; /* by place, filled in by places_fit; NULL: it is for handles.
	                                 NULL: all are */
};
/* are there as many places, and leaves in each, as the results have? Outside a trace places may be
 * the caller's memory. false: recorded */
bool places_fit(const call_site *, arena *, places *, const result_shape *);
/* types: by leaf, of the handles that the call gives; is the memory for leaves of these? */
bool places_typed(const call_site *, const places *, const type *const *types);
const caller_memory *places_memory(const places *, int leaf); /* NULL: leaf goes elsewhere */
/* Gives the results to places that fit them. The handles of all of them are the call's own; those
 * that no slot gets end. false: recorded, and places_poison is due */
bool places_give(const call_site *, arena *, const places *, results *);
void places_poison(const places *, tsr *poison);
/* all of this: the results go to their places if these fit, and are all poison if not, or if ok is
 * false */
void results_into(const call_site *, arena *scratch, bool ok, const tsr_out *outs, size_t nout,
                  results *);

/* ---- fn/invoke.c */
/* the only result; poison if ok is false or there is not exactly one. call: the name of the public
 * function without its tsr_ */
tsr *result_alone(const call_site *, const char *call, bool ok, const results *);
/* a call whose last results are residuals: these and the linear fn go into *linear. fn NULL: it
 * fails, and the error is recorded already */
void call_linear(const call_site *, const tsr_out *outs, size_t nout, fn *, const tsr_arg *,
                 size_t n, tsr_linearized *linear);
/* What partitioning makes of such a call, `op` names who asks. A fn that tsr_parse() made may be
 * asked for without arguments: they are nowhere yet. The caller frees the record, unless this is
 * false: recorded */
bool report_of_call(const char *where, const char *op, tsr_fn *, const tsr_arg *, size_t n,
                    report *);

/* ---- fn/donate.c: arguments that a call gives up */
bool donate_read(const call_site *, const tsr_dims *donate, uint32_t *args);
/* fills in what a run of these operands (arguments first) needs to know. false: recorded */
bool donate_operands(const fn_call *, array *const *in, run_options *);

/* ---- control/control.c: what control flow is given (control.h has the rest) */
/* the context of the first argument that has one, or of a body that is a fn. NULL: there is none,
 * recorded */
tsr_ctx *arg_ctx(const char *where, const char *op, const tsr_arg *, size_t n, const tsr_body *,
                 size_t nbodies);
/* the body as a jitted fn, held until the arena is freed; name: for a body without one. NULL:
 * recorded, or it is poison */
fn *fn_of_body(const call_site *, arena *, tsr_body, const char *name);

/* ---- tracing.c: running a body once on handles of a trace */
typedef struct tracing {
	fn *fn;
	const char *where;
	arena *scratch;
	const leaves *args;
	const type *const *types; /* of the leaves, at the call */
	const type *const *capture_types;
	tsr *const *capture;
	const axis *axes; /* the body's axis table; a shard_map adds to it */
	int naxes;
} tracing;
/* fills t: program, out, shape, lifted; of a shard_map also the equation's parameters */
bool trace_body(const tracing *, traced *t);

/* ---- body.c: running a C body on traced leaves */
struct tsr_frame {
	tsr_ctx *ctx;
	const fn *fn;
	arena *arena;
	size_t nargs;
	const tsr_arg *arg; /* handles and trees */
	tsr_tree captures;
	int nout, nshape;
	tsr **out;
	int *shape;
	bool returned;
};
/* Calls a C body, of another form than that of frames, with as many arguments as it takes */
tsr *body_call(int64_t form, tsr_raw, tsr_ctx *, const tsr_arg *);
/* what the body returned; args and captures are handles of the trace. false: error recorded */
bool body_run(const tracing *, const tsr_arg *args, tsr_tree captures, results *);

/* ---- fn/of_program.c: t of a fn that is a program already: its program for these axes and
 * types */
bool use_text(const tracing *, traced *t);

/* ---- maps/mapped_dims.c: the dims that tsr_vmap and tsr_pmap map */
typedef struct mapping {
	const tracing *g;
	const char *op;     /* "vmap" */
	int64_t size;       /* of the mapped dims */
	int *at;            /* of each leaf of the arguments: its mapped dim, -1: none */
	const type **types; /* of the leaves as the body sees them */
} mapping;
/* fills in what is below op. false, here and below: recorded */
bool mapped_args(mapping *);
/* at[k]: the dim of result k of the body's program where the caller wants the mapped one, -1: none
 */
bool mapped_results(const mapping *, const traced *, const program *, int *at);

/* ---- maps/vmap.c, maps/pmap.c, derive/derive.c: the body traced, and then its program
 * transformed */
bool trace_vmap(const tracing *, traced *);
bool trace_pmap(const tracing *, traced *);
bool trace_derived(const tracing *, traced *);
/* is the innermost map in scope a tsr_pmap? */
bool in_pmap(const axis *, int naxes);

/* ---- derive/custom.c: the body traced, and then what the fn's equation holds besides its
 * program */
bool trace_remat(const tracing *, traced *);
bool trace_custom(const tracing *, traced *);

/* ---- maps/shard_map.c: what shard_map adds to a tracing */
typedef struct map_scope {
	ints manual;         /* positions in the mesh */
	axis axes[MAX_AXES]; /* those in scope, then the manual ones */
	int naxes, outer;    /* outer: how many were in scope */
} map_scope;
/* finds the axes that become manual at the call. false: recorded */
bool map_scope_find(const tracing *, map_scope *);
/* the sharding of each leaf of the arguments, and the type of its block (NULL: absent) */
bool map_inputs(const tracing *, const map_scope *, const sharding **in, const type **block);
/* the axes over which values from outside are taken to vary */
axis_set map_lift_varying(const fn *, const map_scope *);
/* checks results against their specs. In an unchecked map, where the user promises that devices
 * agree, results go through assume_equal */
bool map_outputs(const tracing *, trace *, const map_scope *, const results *returned,
                 const sharding **out, var *result);

/* ---- maps/pmap_nest.c: the mesh of a tsr_pmap and those inside it */
/* adds those of a function that is called in a trace. false: one there has another size */
bool nest_note(trace *, const char *where, const inner_pmaps *);
/* a copy in the arena, with one more in front, where it is not NULL. false: no memory */
bool nest_copy(arena *, const struct inner_pmap *first, const inner_pmaps *, inner_pmaps *to);
/* Puts *m, the parameters of a map over an open mesh in the scope of g, and the maps in its body,
 * over a mesh that has devices, where these are all: the new body is returned. NULL: recorded */
program *nest_bind(const tracing *g, const inner_pmaps *, shard_map_params *m);

/* ---- fn/pinned.c: .in and .out of tsr_jit; other fns have none, and all is well. false:
 * recorded */
bool pins_fit(const tracing *); /* are there no more specs than arguments and leaves? */
/* puts leaf i of the arguments, or the results that are there, where they are wanted */
bool pin_argument(const tracing *, trace *, int i, var *);
bool pin_results(const tracing *, trace *, const results *, var *result);
/* Of a call outside of bodies: no argument (of the operands) is committed elsewhere. The results
 * of its program are put where the program could not */
bool pins_met(const fn_call *, array *const *in);
bool pin_arrays(const fn_call *, const traced *, array **made);

#endif
