/* lib.h - declares helpers that the files of the public operations share.
 *
 * Words: the `operands` of an operation are the handles and C numbers that it computes with; its
 * other arguments are its `keywords`. To `prepare` operands is to check them and give them a common
 * dtype and shape. `given` is a record as the caller wrote it, in which 0 means that a field was
 * left out. A `piece` is the array of one shard. */
#ifndef TSR_SRC_LIB_H
#define TSR_SRC_LIB_H
#include "trace/trace.h"
#include "lib/pure.h"

/* ---- prepare.c: operands as an operation wants them. Each returns poison, or false, after
 * recording what is wrong */

typedef enum promotion {
	PROMOTE_TYPES,   /* to the common dtype */
	KEEP_INTEGERS,   /* of one operand: integers are returned as they are */
	PROMOTE_INEXACT, /* to the common dtype, and integers to floats (dtype_inexact) */
	PROMOTE_BESIDE_FLOAT, /* the same, but integers as beside a C float */
	PROMOTE_NUMBERS, /* to the common dtype, bool to i32 */
	PROMOTE_POWER,   /* the same; an integer exponent of floats stays */
	PROMOTE_WORDS,   /* to the common dtype, and weak ones alone to u32 */
	PROMOTE_CASES    /* the first operand is a predicate (bool), the others go to their common
	                    dtype */
} promotion;

/* what the operands of one operation have in common once they are prepared */
typedef struct operands {
	call_site site;
	int n;
	tsr *x[4];
} operands;
/* checks, makes constants of C numbers, promotes, broadcasts (NumPy's rule). false: return
 * poison_of its context */
bool operands_prepare(operands *, const call_site *, const tsr_arg *args, int n, promotion);
/* The first part of it: handles are checked, and numbers are numbers; the site has its context
 * then, that of the handles or of the place of the call. Messages say `what` they are. n: at most
 * TSR_MAX_ARGS */
bool operands_given(call_site *, const char *what, const tsr_arg *args, int n);
static inline bool given_arg(const tsr_arg *a) { return a->kind != TSR_KIND_NONE; }
/* a keyword that is a handle, a number or not given: is the handle one of the context? */
bool keyword_operand(const call_site *, const char *name, const tsr_arg *);
/* one of them as a handle, by itself */
tsr *operand_alone(const call_site *, const tsr_arg *);
tsr *convert(const call_site *, tsr *x, tsr_dtype); /* the result is not weak */
/* the shape that several broadcast to. false: there is none */
bool shapes_broadcast(tsr *const *x, int n, int64_t dims[MAX_NDIM], int *ndim);
/* x converted to the common element type of several operands */
tsr *promote(const call_site *, tsr *x, etype);
tsr *broadcast_to(const call_site *, tsr *x, const int64_t *dims,
                  int ndim); /* trailing dims align */
/* the axes over which operands vary where they are used now; outside of traces none */
axis_set varying_of(const call_site *, tsr *const *x, int n);
/* n values that all vary over the axes that one of them varies over: loops carry no others */
void vary_alike(const call_site *, tsr **x, size_t n);
/* broadcast_to() of an operand beside others; all: varying_of() them. Their equation would cast it
 * to vary as they do. Here that is done before it is repeated: then reverse mode adds up the
 * repeated dims before it sums over devices, which move less. The bias f32[16] of f32[4,16]{x}
 *     %1: f32[16]{x} = pcast %bias axes=(x)
 *     %2: f32[4,16]{x} = broadcast_in_dim %1 dims=[4,16] at=[1]
 * has the gradient psum(reduce_sum(d)), of 16 elements; in the other order 64 are summed */
tsr *broadcast_beside(const call_site *, tsr *x, const int64_t *dims, int ndim, axis_set all);
/* broadcast_to(), of what may not fit */
tsr *broadcast_checked(const call_site *, tsr *x, const int64_t *dims, int ndim);
tsr *reshape_to(const call_site *, tsr *x, const int64_t *dims, int ndim);
/* select(i < 0, i + size, i) of a signed i, in a dtype that holds the size */
tsr *index_from_end(const call_site *, tsr *i, int64_t size);
tsr *zeros_of(const call_site *, etype, const int64_t *dims, int ndim);
tsr *full_of(const call_site *, etype, const int64_t *dims, int ndim, const tsr_arg *value);
/* (2, 3) and (4,), as Python prints shapes */
void shape_text(str *, const int64_t *dims, int ndim);

/* a dim number, negative from the end. false: error that names the op, the dim and the rank */
bool dim_read(const call_site *, int64_t dim, int ndim, int *out);
/* a keyword .dtype, where it is given */
bool dtype_given_ok(const call_site *, tsr_dtype);
/* the keyword, or where it is not given what is usual in the context, which may be NULL */
tsr_dtype dtype_or_usual(tsr_ctx *, tsr_dtype given, enum dtype_kind);
/* one dim of a keyword .dim; not given: the usual one */
bool one_dim_read(const call_site *, const tsr_dims *, int ndim, int64_t usual, int *out);
/* the same for a keyword of another name */
bool dim_keyword(const call_site *, const char *name, const tsr_dims *, int ndim, int64_t usual,
                 int *out);
/* a set of dims, each once, sorted; not given: all of them */
bool dims_read(const call_site *, const tsr_dims *, int ndim, int64_t out[MAX_NDIM], int *n);
/* a list of dims, those from the end counted from the beginning */
bool dims_resolved(const call_site *, const char *what, const tsr_dims *, int ndim, tsr_dims *out);
/* a list of dims, each once, in the order that they are given in: so there are at most ndim */
bool dims_listed(const call_site *, const char *what, const tsr_dims *, int ndim,
                 int64_t out[MAX_NDIM]);

/* ---- arrays/windows.c: transpose, of what has these dims */
tsr *turn_dims(const call_site *, tsr *x, const int64_t *perm, int ndim);

/* ---- product.c */
/* dot_general of two values of one dtype, in this precision, or where none is given in that of the
 * context */
tsr *bind_product(const call_site *, const dot_params *, tsr_precision, tsr *const x[2]);

/* ---- create.c */
/* the type of an array that a user asks for; NULL: recorded */
const type *type_for(const call_site *, tsr_dtype, const tsr_dims *);
/* each element is its index along a dim */
tsr *iota_of(const call_site *, tsr_dtype, const int64_t *dims, int ndim, int dim);

/* words for formulas, whose operands are handles or C numbers, with a `site` in scope */
#define R1(name, a) tsr_##name##_at(site->where, a)
#define R2(name, a, b) tsr_##name##_at(site->where, (tsr_arg[]){TSR_ARG(a), TSR_ARG(b)})
#define R3(name, a, b, c) \
	tsr_##name##_at(site->where, (tsr_arg[]){TSR_ARG(a), TSR_ARG(b), TSR_ARG(c)})
#define RTO(dtype, a) tsr_astype_at(site->where, a, dtype)

/* ---- linalg.c: matrices as operands */
/* checked, and of one dtype that has fractions; NULL: recorded */
tsr_ctx *matrices_prepare(call_site *, tsr **x, int n);
bool is_square(const call_site *, tsr *a); /* false: recorded */
/* TSR_ERROR_TYPE: the operation, the text, and the types of operands; false */
bool fail_types(const call_site *, const char *text, tsr *const *x, int n);
/* a [..., m, m] and b [..., m, n] or [m], with leading dims broadcast together. *vector: b was one,
 * and is a column now. false: recorded */
bool system_prepare(call_site *, tsr *x[2], bool *vector);
tsr *as_given(const call_site *, tsr *x, bool vector); /* a column as the vector that it was */
tsr *turned(const call_site *, tsr *); /* the last two dims swapped */
tsr *adjoint_of(const call_site *, tsr *);
tsr *hermitian_of(const call_site *, tsr *); /* (x + x^H) / 2 */

/* ---- factor.c */
/* the n results of a row on one operand; false: they are poison */
bool factors_of(const call_site *, const tsr_prim *, const void *params, tsr *x, tsr **out, int n);
bool no_factors(const call_site *, tsr **out, int n); /* makes them poison; false */

/* ---- reduce.c */
/* has each of the reduced dims an element? false: recorded */
bool reduces_some(const call_site *, tsr *x, const tsr_dims *, bool has_initial);
/* sums and products of bools and small integers are taken in the usual ones, as NumPy widens */
tsr_dtype sum_dtype(const base *, tsr_dtype own);
/* the numbers of a dtype that no other is below, or above, as C numbers */
tsr_arg lowest_arg(tsr_dtype);
tsr_arg highest_arg(tsr_dtype);

/* ---- mesh.c */
/* the sharding, or poison of the context where it is NULL */
const sharding *handle_sharding(tsr_ctx *, const sharding *);
/* Checks a record of dims, and that the sharding, whose context becomes the site's, can split them.
 * false: error recorded */
bool sharding_dims_fit(call_site *, const tsr_sharding *, const tsr_dims *);
/* which part of an array of these dims the k-th device has */
void shard_fill(const tsr_sharding *, const int64_t *dims, int ndim, int64_t k, tsr_shard *out);

/* ---- effects.c: what the rows with effects share */
/* the axes of an equation with effects that is bound here: room has MAX_AXES entries */
ints effect_axes(const tsr_ctx *, int64_t *room);
/* does the equation name all axes that its operands vary over? */
bool check_effect_axes(build *, const eqn *, const type *const *in);
/* no dim of an operand or result can be cut */
void effect_factors(const eqn *, const type *const *in, const type *const *out, factors *);
#define CALLS_THE_USER \
	TSR_NO_RULE(COL_LOWER, "kernels do not call the user"), \
	TSR_NO_RULE(COL_COST, "nobody knows what the user's function takes")

/* ---- print.c */
struct text_options; /* of host.h */
/* The elements of an array as tsr_text() writes them. false: no memory, which is recorded, or a
 * shard is in another process, which is not */
bool array_put_text(str *out, const array *, const struct text_options *);

/* ---- shards.c */
/* The k-th shard, which is here, as an array on its device, without padding. NULL: recorded */
array *shard_piece(array *, int64_t k);

/* ---- trees.c */
void poison_leaves(tsr_ctx *, tsr_tree);
/* behind an error: of which leaf it is */
void note_leaf(tsr_ctx *, const tsr_tree_type *, size_t k);

/* ---- put.c */
/* the array of a handle, whose context becomes the site's; NULL: recorded */
array *array_checked(call_site *, const tsr *x);
bool is_traced(const tsr *x); /* is x a value of a trace in progress? */
tsr_ctx *tree_ctx(tsr_tree); /* of the first leaf that is there; NULL: there is none */
/* The sharding that a spec says, for values of a type; checked against the rank as it was written,
 * trailing empty entries included. mesh NULL: the one in use. NULL: recorded */
const sharding *spec_sharding(const call_site *, const type *, const mesh *, const tsr_spec *);

/* ---- together.c: what all processes of the context do at the same call */
/* Around what follows: a call that all processes of the context make, for the same step (-1: for
 * none). false: recorded */
bool together_begin(const call_site *, int64_t step);
bool together_end(const call_site *, bool ok); /* ok */
/* is it so in all of them; the bytes of one process go to all */
bool all_agree(const tsr_ctx *, bool mine);
bool share_of(const tsr_ctx *, int process, void *bytes, size_t n);
bool is_first_process(const tsr_ctx *);

/* ---- text/output.c: where several processes make the same call, one of them prints */
int process_of_least(const sharding *); /* that of the device with the lowest id */
int process_printing(const array *);    /* this one; for what every process has, the first */
/* whole lines, to stdout; all: in every process, each line with its rank */
void print_in(const tsr_ctx *, int process, bool all, const char *text);

#endif
