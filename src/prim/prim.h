/* prim.h - the primitives: one row each, one family a file; prims.def is the list.
 *
 * Words: a `row` is the record of one primitive; its `rules` are the functions in it. In rules, b
 * is the build that equations are appended to, and e the equation that is transformed; x are
 * operands and y results, dx and dy their tangents or cotangents, and ct the cotangents of results.
 * `eval` has its operands and results in `args`. `lower` gets the kernel k and the indices of one
 * element.
 *
 * The records below are the parameters of primitives, which rows describe with their field tables;
 * whoever binds a primitive fills one. Dims in them are never negative, and are sorted where their
 * order has no meaning: the public functions see to that. */
#ifndef TSR_SRC_PRIM_H
#define TSR_SRC_PRIM_H
#include "program/program.h"

#define PRIM(name) extern const tsr_prim tsr__prim_##name;
#include "prim/prims.def"
#undef PRIM
extern const tsr_prim *const all_prims[];
extern const int all_prims_count;

/* ---- elementwise/unary.c, elementwise/convert.c */
typedef struct integer_pow_params {
	int64_t y;
} integer_pow_params;
typedef struct dtype_params {
	tsr_dtype dtype;
	bool weak; /* the result is weak */
} dtype_params; /* convert_element_type */
typedef struct name_params {
	const char *name;
} name_params;

/* ---- elementwise/bits.c */
typedef struct precision_params {
	int64_t exponent_bits, mantissa_bits;
} precision_params; /* reduce_precision */
typedef struct bitcast_params {
	tsr_dtype dtype;
} bitcast_params; /* bitcast_convert_type */

/* ---- layout/reshape.c, layout/layout.c, layout/slicing.c, layout/pad.c */
typedef struct dims_params {
	ints dims;
} dims_params; /* reshape (new dims), squeeze, expand_dims (of the result), rev */
typedef struct transpose_params {
	ints perm;
} transpose_params; /* result dim d is operand dim perm[d] */
typedef struct broadcast_params {
	ints dims, at;
} broadcast_params; /* operand dim d is result dim at[d] */
typedef struct dim_params {
	int64_t dim;
} dim_params; /* concatenate */
typedef struct pad_params {
	ints low, high, interior;
} pad_params; /* operands x, value; low and high may be negative */
typedef struct slice_params {
	ints start, stop, step;
} slice_params;
typedef struct dynamic_slice_params {
	ints dims;
} dynamic_slice_params; /* sizes; operands: x, then one integer scalar a dim, the starts, clamped */
/* dynamic_update_slice: operands x, update, one start a dim; no parameters */
/* what the dims of the operands and the result of gather and scatter are for (windows.h). through:
 * dims of the parts, rising; dropped, batch: dims of the operand, rising; index_batch: dims of the
 * indices, one for each of batch; starts: by entry of an index vector, a dim of the operand */
typedef struct window_dims {
	ints through, dropped, starts, batch, index_batch;
} window_dims;
enum gather_mode { GATHER_CLIP, GATHER_FILL, GATHER_ZERO, GATHER_PROMISE_IN_BOUNDS };
typedef struct gather_params {
	window_dims dims;
	ints sizes; /* of a window */
	int mode;
	bool sorted, unique; /* hints about the indices: in order; no two windows overlap */
} gather_params; /* operands x, indices */
/* as enum tsr_combine counts them */
enum scatter_combine { SCATTER_SET, SCATTER_ADD, SCATTER_MUL, SCATTER_MIN, SCATTER_MAX };
enum scatter_mode { SCATTER_CLIP, SCATTER_DROP };
typedef struct scatter_params {
	window_dims dims;
	int combine, mode;
	bool sorted, unique;
} scatter_params; /* operands x, indices, updates */
typedef struct iota_params {
	tsr_dtype dtype;
	ints dims;
	int64_t dim;
} iota_params;

/* ---- layout/patches.c: windows of these sizes, which go along dims in strides; their elements are
 * so far apart. Lists by entry of `along`, which rises */
typedef struct patches_params {
	ints along, sizes, strides, dilations;
} patches_params; /* results: the numbers of windows in place of these dims; the sizes come last */
typedef struct add_patches_params { /* begins with those of the patches */
	patches_params windows;
	ints dims; /* of the result */
} add_patches_params;

/* ---- reduce/reduce.c */
/* reduce_sum, _prod, _max, _min, _and, _or, _xor: dims sorted, dropped from the result */
typedef struct reduce_params {
	ints dims;
} reduce_params;
typedef struct arg_params {
	int64_t dim;
	tsr_dtype dtype;
} arg_params; /* argmax, argmin: the first of equal elements; a NaN wins */

/* ---- order/sort.c: as many results as operands. The first num_keys say the order: by the first
 * one, where that is equal by the second, and so on. is_stable: where all are equal, elements stay
 * in their order; without it they do so too, but nobody may rely on that */
typedef struct sort_params {
	int64_t dim, num_keys;
	bool is_stable;
} sort_params;

/* ---- order/top_k.c: results: the elements and their indices, i32, or i64 where the dim needs
 * it */
typedef struct top_k_params {
	int64_t k, dim;
} top_k_params;

/* ---- reduce/cumulative.c: reverse: from the last element to the first */
typedef struct cumulative_params {
	int64_t dim;
	bool reverse;
} cumulative_params;

/* ---- random/random.c: dims: of the result; strides: of the counters, by dim behind those of the
 * keys */
typedef struct random_bits_params {
	tsr_dtype dtype;
	ints dims, strides;
} random_bits_params;

/* ---- random/random_gamma.c: log: the logarithm of the number; original: as JAX drew it before
 * 0.5 */
typedef struct random_gamma_params {
	bool log, original;
} random_gamma_params;

/* ---- products/dot.c: result dims: batch, free dims of a, free dims of b. dtype: of the result
 * (sums in f32 for 16-bit operands) */
typedef enum dot_precision { /* how exact products of f32 are: docs/numerics.md, "Parts" */
	DOT_EXACT,
	DOT_BF16,
	DOT_BF16_X3,
	DOT_BF16_X6,
	DOT_BF16_X9,
	DOT_BF16_PAIRS /* of f32 and bf16: "Pairs" */
} dot_precision;
typedef struct dot_params {
	ints contract_a, contract_b, batch_a, batch_b;
	tsr_dtype dtype;
	int precision; /* a dot_precision */
} dot_params;
/* The products of parts that are added up: of parts number a and b of the operands. A part is what
 * the parts before it leave of a number, rounded to bf16 */
typedef struct dot_term {
	uint8_t a, b;
} dot_term;
#define MOST_DOT_TERMS 9
#define MOST_DOT_PARTS 3
int dot_terms(int precision, const dot_term **);
/* The dtype in which products are summed: that of the result, or that of the operands if it is
 * wider, but of the operands' kind; f32 for f16 and bf16. */
tsr_dtype dot_sum_dtype(tsr_dtype operands, tsr_dtype result);
/* are these products summed by pairs? Kernels do not compute them */
bool sums_pairs(const eqn *);
/* Dims of an array, of which the last one goes first: sizes, and strides in elements. Dims that are
 * one run are one */
enum { VIEW_DIMS = 6 };
typedef struct view_dims {
	int n;
	int64_t size[VIEW_DIMS], stride[VIEW_DIMS];
} view_dims;
/* An operand of a product: where the elements of a matrix, or of a batch of them, are. `own` is its
 * index in the result, `sum` the contracted one */
typedef struct matrix_view {
	view_dims batch, own, sum;
} matrix_view;
/* What is done of a product. CHAINS: the sum of each block of the contracted index (numerics.md,
 * "Dot products") by itself, block after block as matrices or batches of them, in the dtype of the
 * sums. JOINED: these are a, and are added up to c. So workers share a long sum of few results */
typedef enum product_phase { PRODUCT_WHOLE, PRODUCT_CHAINS, PRODUCT_JOINED } product_phase;
/* Products of matrices, c = a b, for one or a batch: m x k times k x n. c is row-major, batch x m x
 * n; operands are where they are */
typedef struct matrix_product {
	tsr_dtype dtype, from, to; /* of the sums, of operands, of results */
	int64_t batch, m, n, k;
	product_phase phase;
	bool symmetric; /* a and b are one matrix, so c is its own transpose */
	bool pairs;     /* of bf16: DOT_BF16_PAIRS */
	bool whole_rows; /* its parts have all columns */
	matrix_view a, b;
} matrix_product;
/* are the contracted dims of an operand one run, right behind the batch (*first) or at the end? */
bool is_matrix(const type *, const ints *batch, const ints *contract, bool *first);

/* ---- products/matrices.c: a dot_general as products of matrices, in the memory of its operands.
 * false: it is none, or has no elements */
bool product_of(const program *, const eqn *, matrix_product *);
/* operand 0 or 1 of it, whose dims are these elements apart. false: the dims are too many */
bool matrix_view_of(const eqn *, const type *, int operand, const int64_t *stride, matrix_view *);

/* ---- linear/triangular.c: op(a) is a, its transpose, its conjugate or both; unit_diagonal: its
 * diagonal counts as ones */
typedef struct triangular_solve_params {
	bool left_side, lower, transpose_a, conjugate_a, unit_diagonal;
} triangular_solve_params;
/* ---- fourier/fft.c: length: of the transform, of rfft that of the operand, of irfft that of the
 * result */
enum fft_type { FFT_FFT, FFT_IFFT, FFT_RFFT, FFT_IRFFT };
typedef struct fft_params {
	int type;
	int64_t dim, length;
} fft_params;
/* ---- linear/qr.c: q is square */
typedef struct qr_params {
	bool full_matrices;
} qr_params;
/* ---- linear/spectral.c. lower: the lower triangle of the operand is read, not the upper one */
typedef struct eigh_params {
	bool lower;
} eigh_params;
typedef struct svd_params {
	bool full_matrices, compute_uv; /* u and vh are square; they are results */
} svd_params;
/* ---- linear/schur.c. lower: as above */
typedef struct tridiagonal_params {
	bool lower;
} tridiagonal_params;
typedef struct eig_params {
	bool left, right; /* eigenvectors that are results */
} eig_params;

/* ---- collective/collective.c: every record begins with a `collective` */
enum coll_to { COLL_TO_VARYING, COLL_TO_INVARYING };
extern const char *const coll_to_words[]; /* "varying", "invarying", NULL */
/* psum, pmax, pmin: with to = invarying the result no longer varies over the axes; with groups, and
 * in unchecked regions, `to` is varying */
typedef struct preduce_params {
	collective on;
	int to;
} preduce_params;
typedef struct all_gather_params {
	collective on;
	int64_t dim;
	bool tiled;
	int to;
} all_gather_params;
typedef struct psum_scatter_params {
	collective on;
	int64_t dim;
	bool tiled;
} psum_scatter_params;
typedef struct all_to_all_params {
	collective on;
	int64_t split, concat;
	bool tiled;
} all_to_all_params;
typedef struct ppermute_params {
	collective on;
	ints perm;
} ppermute_params; /* pairs source, destination */
typedef struct exchange_params {
	collective on;
	ints mesh;     /* the sizes of on.axes */
	ints dims;     /* of the whole */
	ints from, to; /* pairs of a place in on.axes and the dim that it cuts, major axes first */
} exchange_params;
/* psort.c: size: of the dim in the whole */
typedef struct psort_params {
	collective on;
	int64_t dim, num_keys, size;
} psort_params;
typedef struct pbroadcast_params {
	collective on;
	int64_t source;
	int to;
} pbroadcast_params;
typedef struct axes_params {
	collective on;
} axes_params; /* axis_index (i32, no operand), ragged_all_to_all, assume_equal */
typedef struct pcast_params {
	ints axes;
} pcast_params; /* invarying -> varying; moves nothing */

/* ---- placement/constraint.c: one spec over the mesh. `open` are dims that it does not cut, and
 * that may be cut all the same */
typedef struct constraint_params {
	const mesh *mesh;
	shardings to;
	ints open;
} constraint_params;

/* ---- lib/effects/: debug_print.c, check_finite.c, callback.c. axes: where it is evaluated (enum
 * effect) */
typedef struct debug_print_params {
	const char *format;
	ints axes;
} debug_print_params;
typedef struct check_finite_params {
	const char *what, *device; /* names in messages: of the value; of the axes, "x*y" */
	ints axes;
} check_finite_params;
enum callback_effect { CALLBACK_PURE, CALLBACK_IO, CALLBACK_ORDERED, CALLBACK_DEBUG };
typedef struct callback_params {
	host_function function; /* a tsr_host_fn */
	type_list results;
	int effect;
	ints axes;
} callback_params;

/* ---- collective/collective.c: a part of a value of this type, at its place, as an operand for
 * `members`. What is around it is zeros, which nothing computes where that reads the part alone */
var members_placed(build *, var part, const type *, const index_range *box);
/* ---- collective/psum.c: what psum, pmax, pmin and psum_scatter reduce, in steps with the bits
 * of all at once: each operand is widened; neighbours are joined, the lower one left, and an odd
 * one out goes on as it is; what that gives for all n of a group is narrowed. With n a power of
 * two, any equal parts of the group may be reduced on their own first */
const tsr_prim *members_join(const eqn *); /* add, max, min; NULL: it is another row */
var members_widen(build *, const eqn *, var x);
var members_tree(build *, const tsr_prim *join, var *v, int n); /* uses up v */
var members_narrow(build *, const eqn *, var all, int n, tsr_dtype);

/* ---- placement/transfer.c: of a program of one device in one process of several, transfer_begin
 * and transfer_end alike. Operands of the begin are sent, its results are received; the end has
 * both as operands. Between two processes messages go in the order in which they are listed */
typedef struct transfer_params {
	int64_t number;  /* of the transfer, from 1 on */
	ints to, from;   /* processes: that get an operand, that send a result */
	type_list types; /* of the results */
} transfer_params;

/* ---- pass/structured: rows that hold programs */
typedef struct call_params {
	const program *program;
} call_params;
/* Computed once more for its derivative, but for what is saved: what the policy says, and what has
 * one of these names, "q*k". again: it is, so that it reads its operands through a barrier */
enum remat_policy { SAVE_NOTHING, SAVE_DOTS, SAVE_DOTS_WITHOUT_BATCH };
typedef struct remat_params {
	int policy;
	const char *names;
	bool again;
	const program *program;
} remat_params;
/* Rules take the place of derivatives with respect to operands: those with these numbers, which
 * rise, and whose dtypes have tangents. No other operand moves. The results that have tangents are
 * those whose dtypes do.
 *   rule: operands, tangents of such operands -> results, their tangents */
typedef struct custom_jvp_params {
	ints wrt;
	const program *program, *rule;
} custom_jvp_params;
/*   forward: operands -> results, residuals
 *   backward: residuals, cotangents of results -> cotangents of such operands */
typedef struct custom_vjp_params {
	ints wrt;
	const program *program, *forward, *backward;
} custom_vjp_params;
/* operands: residuals, tangents of operands; results: the tangents that have this backward */
typedef struct custom_lin_params {
	const program *backward;
} custom_lin_params;
/* operands: an index (i32, clamped; or bool for two branches: false, true), then those that every
 * branch takes */
typedef struct cond_params {
	programs branches;
} cond_params;
/* operands: those of cond alone, those of body alone, the carry; the record has the first two
 * counts */
typedef struct while_params {
	int64_t cond_consts, body_consts;
	const program *cond, *body;
} while_params;
enum { WHILE_COND, WHILE_BODY }; /* its programs, as inner_next finds them */
/* operands: constants, carry, and xs with a leading dim of size length; results: carry, and ys with
 * that dim. reverse: from the last slice to the first; unroll: how many steps are written out for
 * each turn of the loop, 0 for all */
typedef struct scan_params {
	int64_t length, consts, carry, unroll;
	bool reverse;
	const program *body;
} scan_params;
/* manual: the mesh axes that become manual, appended to the axis table of the body; in, out: the
 * sharding of each operand and result, which names manual axes only */
typedef struct shard_map_params {
	const mesh *mesh;
	ints manual;
	shardings in, out;
	bool unchecked;
	const program *body;
} shard_map_params;

/* ---- lists.c: lists in the build's arena. Without memory they mark the build and are empty */
void *cleared_room(build *, int64_t n, size_t each); /* n entries of so many bytes, cleared */
static inline int64_t *ints_room(build *b, int n) { return cleared_room(b, n, sizeof(int64_t)); }
static inline var *var_room(build *b, int64_t n) { return cleared_room(b, n, sizeof(var)); }
/* the place of an entry; -1: it is none */
static inline int int_place(const ints *list, int64_t entry)
{
	for (int i = 0; i < list->n; i++)
		if (list->v[i] == entry) return i;
	return -1;
}
static inline bool has_int(const ints *list, int64_t entry) { return int_place(list, entry) >= 0; }
ints list_plus(build *, const ints *, int64_t add); /* `add` added to each entry */
/* `first`, then the list with `add` added to each entry */
ints list_behind(build *, int64_t first, const ints *, int64_t add);
ints list_others(build *, int n, const ints *); /* of 0 .. n-1 those not listed */

/* ---- emit.c: equations that rules emit. Each function appends what its name says to a build, at
 * the place the build is at, and returns the value.
 *
 * A value without id represents a zero that is not computed. If an operand is one, so is the
 * result; but a sum of it and another operand is that operand. On failure an error is recorded, the
 * build is marked (build_failed), and the value has no id: a rule goes on, and its caller checks
 * once. */
static inline bool is_zero(var v) { return v.id == 0; }

/* one result of any row; emit_all: all results, to out (without ids if an operand has none) */
var emit(build *, const tsr_prim *, const void *params, const var *x, int n);
void emit_all(build *, const tsr_prim *, const void *params, const var *x, int n, var *out);

/* elementwise: operands of one shape, or of rank 0 */
var emit_1(build *, const tsr_prim *, var x);
var emit_2(build *, const tsr_prim *, var x, var y);
var emit_add(build *, var, var);
var emit_sub(build *, var, var); /* 0 - y is neg y */
var emit_mul(build *, var, var);
var emit_div(build *, var, var);
var emit_neg(build *, var);
var emit_select(build *, var which, var if_true, var if_false); /* one without id counts as zeros */
var emit_conj(build *, var);                                    /* of real numbers x */
var emit_nonzero(build *, var);                                 /* x, but 1 where x is 0 */
var emit_convert(build *, var, tsr_dtype);
var emit_as(build *, var x, etype);     /* x converted to these elements */

/* constants. A scalar is a literal, which may be used beside operands of any shape */
var emit_number(build *, etype, double);
var emit_scalar(build *, tsr_dtype, double);
var emit_full(build *, const type *, double); /* an array of this type, also in what varies */
var emit_zeros(build *, const type *);
/* v; if it has no id, zeros of the type */
var emit_instance(build *, var v, const type *);
/* x cast to vary over these axes too */
var emit_vary(build *, var x, axis_set);
/* x, which the caller promises to be equal along these axes */
var emit_equal(build *, var x, axis_set);

/* layout. Lists need not outlive the call. Where nothing would change, no equation is appended */
var emit_reshape(build *, var, const int64_t *dims, int ndim);
/* reshapes: `count` dims from `at` on are replaced by others; two dims from `at` on become one */
var emit_dims(build *, var, int at, int count, const int64_t *by, int nby);
var emit_merged(build *, var, int at);
var emit_transpose(build *, var, const int64_t *perm); /* result dim d is dim perm[d] */
var emit_broadcast(build *, var, const int64_t *dims, int ndim, const int64_t *at);
var emit_sum(build *, var, const int64_t *dims, int n);            /* dims rise and are dropped */
var emit_part(build *, var, int dim, int64_t start, int64_t stop); /* a slice of one dim */
var emit_every(build *, var, int dim, int64_t start, int64_t stop, int64_t step);
/* one after the other along a dim; n at least 1 */
var emit_join(build *, const var *, int n, int dim);
/* moves one dim to another place */
var emit_move_dim(build *, var, int from, int to);
/* a new leading dim of this size, all alike */
var emit_repeat(build *, var, int64_t size);
/* a value of rank 0 broadcast to the dims of `like`; literals and other values stay as they are */
var emit_spread(build *, var, var like);
var emit_nothing(build *, tsr_dtype); /* 0, and of floats -0: to add it changes no bit */
/* of each element of an array with these dims, its index along one of them */
var emit_iota(build *, tsr_dtype, const int64_t *dims, int ndim, int dim);
/* of each element of a block with these dims, its index along one of them in the whole, where the
 * block begins at `start`. Of the dtype of start */
var emit_places(build *, const int64_t *dims, int ndim, int dim, var start);
var emit_before(build *, var place, int64_t end); /* place < end */
var emit_inside(build *, var place, int64_t end); /* and not below 0 */
/* the n indices of a dim from `at` on, clamped so that they are inside */
var emit_part_at(build *, var, int dim, var at, int64_t n);
/* elements of this value put before and after those along a dim; negative: so many are cut off */
var emit_pad_dim(build *, var, int dim, int64_t low, int64_t high, var value);
/* likewise, and `between` of them between each two elements */
var emit_pad_between(build *, var, int dim, int64_t low, int64_t high, int64_t between, var value);

/* dtypes that have tangents: floats and complex numbers */
static inline bool has_tangent(tsr_dtype t)
{
	return dtype_kind(t) == KIND_FLOAT || dtype_kind(t) == KIND_COMPLEX;
}

/* ---- reduce/reduce.c: the rows that join by an operator */
typedef struct operator_rows {
	const tsr_prim *reduce, *join; /* over dims; two */
	const tsr_prim *collective;    /* what devices have, or NULL: there is none */
} operator_rows;
extern const operator_rows operators[]; /* by factor_op */
extern const int operators_count;

/* ---- collective/psum.c: does psum, pmax or pmin take this dtype? */
bool collective_joins(const tsr_prim *, tsr_dtype);

/* ---- checks.c: false, with TSR_ERROR_TYPE or TSR_ERROR_SHARDING recorded at an equation */
bool fail_type(build *, const eqn *, const char *format, ...) PRINTF_LIKE(3, 4);
bool fail_sharding(build *, const eqn *, const char *format, ...) PRINTF_LIKE(3, 4);

/* ---- rules.c: rules that many rows share */
/* of a row that is linear in all of its operands that have tangents: the equation itself on the
 * tangents, with zeros for absent ones */
void jvp_linear(build *, const eqn *, const var *x, const var *dx, var *y, var *dy);
/* of a row whose slope is 0 wherever it has one, such as floor */
void jvp_zero(build *, const eqn *, const var *x, const var *dx, var *y, var *dy);
/* an error: the row has no rule in this column. why: the reason; NULL: the one that the row
 * gives */
bool rule_missing(build *, const eqn *, column, const char *why);
#define NOT_LINEAR TSR_NO_RULE(COL_TRANSPOSE, "it is not linear")
/* In place of a cotangent that cannot be: records that the row is not linear in this operand. why:
 * "it is not linear in the divisor" */
var not_linear(build *, const eqn *, const char *why);
/* of an elementwise row: literals stay, every other operand is broadcast to the shape of the
 * result */
void batch_elementwise(build *, const eqn *, const batching *, const var *x, const bool *mapped,
                       var *y, bool *ymapped);

/* x with a dim for the batch: x itself where it is mapped, otherwise x once for each element */
var batch_whole(build *, const batching *, var x, bool mapped);

/* of a row whose results are its operands, maybe under other dims or another dtype */
int results_kept(const void *params, int nin);
void eval_kept(const eval_args *);
void factors_kept(const eqn *, const type *const *in, const type *const *out, factors *);

/* factor rules: for elementwise rows, and parts of others */
void factors_elementwise(const eqn *, const type *const *in, const type *const *out, factors *);
/* Where workers share the elements of an elementwise row: the column `parts`, and eval, which calls
 * `some` with the operands and results of those that it is asked for, as if these were all */
int64_t parts_of_elements(const eqn *, const type *const *in);
void eval_elements(const eval_args *, void (*some)(const eval_args *));
/* of an operand of a row of matrices: all dims but the last two are those of a batch of them */
static inline int64_t matrices_of(const type *t)
{
	int64_t n = 1;

	for (int d = 0; d < t->ndim - 2; d++) n *= t->dims[d];
	return n;
}
/* one factor for a dim of operand 0 and a dim of the result */
void factor_shared(const eqn *, const type *const *in, factors *, int in_dim, int out_dim);
/* one factor for this dim of the result, and of operand 0, which has a window */
void factor_moved(const eqn *, const type *const *out, factors *, int dim, factor_window);
/* a dim that must not be split, in a few words why; a dim of size 1 needs no factor */
void factor_whole(factors *, int value, int dim, int64_t size, const char *why);
/* a dim of the result that nothing decides; a dim of size 1 needs no factor. own: its blocks have a
 * form of the row's own */
void factor_alone(const eqn *, factors *, int dim, int64_t size, bool own);
/* A dim of operand 0 of which elements are taken from places that are known only when it runs: a
 * block gives those that it has, and zeros (of floats -0) for the others */
void factor_taken(const type *const *in, factors *, int dim);
/* the column `needs` of a row whose form on blocks never takes what padding holds */
padding needs_nothing(const eqn *, const type *const *in, const factors *, int operand, int factor);

/* ---- elementwise/math.c: the scalar elementary functions that docs/numerics.md defines; the same
 * bits everywhere. functions.c of kernel/ has those that are SLEEF's */
bool math_works_here(
	void); /* the deterministic functions need a processor with fused multiply-add */
float exp_f32(float), exp2_f32(float), expm1_f32(float), log_f32(float), log1p_f32(float);
float tanh_f32(float), logistic_f32(float), sin_f32(float), cos_f32(float);
float erf_inv_f32(float), sinh_f32(float), cosh_f32(float), asinh_f32(float), acosh_f32(float);
float pow_f32(float, float);
double exp_f64(double), exp2_f64(double), expm1_f64(double), log_f64(double), log1p_f64(double);
double tanh_f64(double), logistic_f64(double), sin_f64(double);
double erf_inv_f64(double), sinh_f64(double), cosh_f64(double), asinh_f64(double);
double acosh_f64(double), cos_f64(double), pow_f64(double, double);
double hypot_f64(double, double);
/* ---- special/gamma.c */
/* log gamma(1 + y) for |y| <= 1/2, also where 1 + y is rounded; what Stirling's formula leaves of
 * log gamma(w) */
var lgamma1p_of(build *, var y), beyond_stirling_of(build *, var w);
/* ---- elementwise/complex_functions.c: formulas of one or two c128 */
var exp_complex(build *, var z), exp2_complex(build *, var z), expm1_complex(build *, var z);
var log_complex(build *, var z), log1p_complex(build *, var z), logistic_complex(build *, var z);
var sin_complex(build *, var z), cos_complex(build *, var z), tan_complex(build *, var z);
var asin_complex(build *, var z), acos_complex(build *, var z), atan_complex(build *, var z);
var sinh_complex(build *, var z), cosh_complex(build *, var z), tanh_complex(build *, var z);
var asinh_complex(build *, var z), acosh_complex(build *, var z), atanh_complex(build *, var z);
var sign_complex(build *, var z), rsqrt_complex(build *, var z);
var pow_complex(build *, var z, var w);
/* a formula in c128 for a row on z, whose parts are rounded to its dtype; of a real z without id */
var by_c128(build *, var z, var (*formula)(build *, var));
/* ---- random/random.c: encrypts two words under a key of two words */
void threefry2x32(const uint32_t key[2], uint32_t x[2]);

#endif
