/* reduce.c - reductions over dims: reduce_sum, _prod, _max, _min, _and, _or, _xor.
 *
 *     reduce_sum [1 2; 3 4] dims=[0]         gives  [4 6]
 *     reduce_sum [1 2; 3 4] dims=[0,1]       gives  10
 *     reduce_prod [1 2; 3 4] dims=[1]        gives  [2 12]
 *     reduce_max [1 nan; 3 4] dims=[1]       gives  [nan 4]
 *     reduce_min [] dims=[0]                 gives  inf
 *     reduce_and [12 10]:i32 dims=[0]        gives  8:i32
 *     reduce_or [true false] dims=[0]        gives  true
 *     reduce_xor [true true true] dims=[0]   gives  true */
#include <math.h>
#include "prim/checks.h"
#include "prim/numbers.h"
#include "prim/cursors.h"
#include "prim/elementwise/nodes.h"
#include "prim/reduce/reduce.h"
#include "prim/row.h"

static const ints *reduced(const eqn *e) { return &((const reduce_params *)e->params)->dims; }

static bool is_reduced(const eqn *e, int dim) { return has_int(reduced(e), dim); }

/* ---- eval: a cursor goes over the kept indices; at each, another one goes over the reduced
 * ones */

typedef struct reduce_cursors {
	cursor kept, reduced;
	int64_t results, count;    /* results, and elements of each */
} reduce_cursors;

static reduce_cursors reduce_cursors_of(const eval_args *args)
{
	reduce_cursors w = {.results = args->out[0]->size, .count = 1};
	const type *x = args->in[0];

	for (int d = 0; w.results && d < x->ndim; d++) {
		const bool gone = is_reduced(args->eqn, d);
		cursor_dim(gone ? &w.reduced : &w.kept, x->dims[d], dims_stride(x, d));
		if (gone) w.count *= x->dims[d];
	}
	return w;
}

/* FIRST(x): a lane after its first element x; OP: joins one more element, or two partial results;
 * EMPTY: the result of no elements */
#define DEFINE_REDUCTION(name_, form_, wide_, FIRST, OP, EMPTY) \
	DEFINE_TREE(name_##_tree, wide_, OP) \
	static wide_ name_##_one(tsr_dtype dtype, const void *x, cursor *c, int64_t count) \
	{ \
		wide_ block[SUM_BLOCK]; \
		name_##_tree t = {.nhalves = 0}; \
		for (int64_t left = count; left > 0; left -= SUM_BLOCK) { \
			const int n = left < SUM_BLOCK ? (int)left : SUM_BLOCK; \
			const int lanes = n < SUM_LANES ? n : SUM_LANES; \
			gather_##form_(block, dtype, x, c, n); \
			for (int i = 0; i < lanes; i++) t.lane[i] = FIRST(block[i]); \
			for (int i = SUM_LANES; i < n; i++) \
				t.lane[i % SUM_LANES] = OP(t.lane[i % SUM_LANES], block[i]); \
			name_##_tree_block(&t, lanes); \
		} \
		return count ? name_##_tree_end(&t) : EMPTY; \
	} \
	static void name_(const eval_args *args) \
	{ \
		const tsr_dtype dtype = args->in[0]->dtype; \
		reduce_cursors w = reduce_cursors_of(args); \
		for (int64_t i = 0; i < w.results; i++) { \
			cursor c = w.reduced; \
			c.at = w.kept.at; \
			put_##form_(dtype, args->y[0], i, \
			            name_##_one(dtype, args->x[0], &c, w.count)); \
			cursor_next(&w.kept, 1); \
		} \
	}

#define AND(a, b) ((a) & (b))
#define OR(a, b) ((a) | (b))
#define XOR(a, b) ((a) ^ (b))

DEFINE_REDUCTION(sum_f32, f32, float, FROM_ZERO, ADD, 0)
DEFINE_REDUCTION(sum_f64, f64, double, FROM_ZERO, ADD, 0)
DEFINE_REDUCTION(sum_u64, u64, uint64_t, FROM_ZERO, ADD, 0)
DEFINE_REDUCTION(sum_c64, c64, c64, PARTS_FROM_ZERO, ADD, 0)
DEFINE_REDUCTION(sum_c128, c128, c128, PARTS_FROM_ZERO, ADD, 0)
DEFINE_REDUCTION(prod_f32, f32, float, ITSELF, MUL_OF, 1)
DEFINE_REDUCTION(prod_f64, f64, double, ITSELF, MUL_OF, 1)
DEFINE_REDUCTION(prod_u64, u64, uint64_t, ITSELF, MUL_OF, 1)
DEFINE_REDUCTION(prod_c64, c64, c64, ITSELF, MUL_OF, 1)
DEFINE_REDUCTION(prod_c128, c128, c128, ITSELF, MUL_OF, 1)
DEFINE_REDUCTION(max_of_f32, f32, float, ITSELF, max_f32, -INFINITY)
DEFINE_REDUCTION(max_of_f64, f64, double, ITSELF, max_f64, -INFINITY)
DEFINE_REDUCTION(max_of_i64, u64, uint64_t, ITSELF, MAX_SIGNED,
                 (uint64_t)1 << (dtype_bits(dtype) - 1))
DEFINE_REDUCTION(max_of_u64, u64, uint64_t, ITSELF, max_u64, 0)
DEFINE_REDUCTION(max_of_c64, c64, c64, MAX_ITSELF, max_c64, __builtin_complex(-INFINITY, -INFINITY))
DEFINE_REDUCTION(max_of_c128, c128, c128, MAX_ITSELF, max_c128,
                 __builtin_complex(-(double)INFINITY, -(double)INFINITY))
DEFINE_REDUCTION(min_of_f32, f32, float, ITSELF, min_f32, INFINITY)
DEFINE_REDUCTION(min_of_f64, f64, double, ITSELF, min_f64, INFINITY)
DEFINE_REDUCTION(min_of_i64, u64, uint64_t, ITSELF, MIN_SIGNED,
                 ((uint64_t)1 << (dtype_bits(dtype) - 1)) - 1)
DEFINE_REDUCTION(min_of_u64, u64, uint64_t, ITSELF, min_u64, UINT64_MAX)
DEFINE_REDUCTION(min_of_c64, c64, c64, MIN_ITSELF, min_c64, __builtin_complex(INFINITY, INFINITY))
DEFINE_REDUCTION(min_of_c128, c128, c128, MIN_ITSELF, min_c128,
                 __builtin_complex((double)INFINITY, (double)INFINITY))
DEFINE_REDUCTION(and_of_u64, u64, uint64_t, ITSELF, AND, UINT64_MAX)
DEFINE_REDUCTION(or_of_u64, u64, uint64_t, ITSELF, OR, 0)
DEFINE_REDUCTION(xor_of_u64, u64, uint64_t, ITSELF, XOR, 0)

void reduce_line_sum(tsr_dtype dtype, const void *x, int64_t n, void *y, int64_t at)
{
	cursor c = {0};

	cursor_dim(&c, n, 1);
	switch (dtype_kind(dtype)) {
	case KIND_BOOL:
	case KIND_UINT:
	case KIND_INT: put_u64(dtype, y, at, sum_u64_one(dtype, x, &c, n)); break;
	case KIND_FLOAT:
		if (dtype == TSR_F64) put_f64(dtype, y, at, sum_f64_one(dtype, x, &c, n));
		else put_f32(dtype, y, at, sum_f32_one(dtype, x, &c, n));
		break;
	case KIND_COMPLEX:
		if (dtype == TSR_C64) put_c64(dtype, y, at, sum_c64_one(dtype, x, &c, n));
		else put_c128(dtype, y, at, sum_c128_one(dtype, x, &c, n));
		break;
	}
}

/* ---- operations, types and factors */

typedef struct reduction {
	const char *name; /* of the row */
	unsigned kinds;
	factor_op op; /* joins partial results */
	kreduction in_kernels;
	void (*eval[DTYPE_FORMS])(const eval_args *);
} reduction;

#define IN_BITS(u64_) NULL, NULL, u64_, u64_
static const reduction reductions[] = {
	{"reduce_sum", NUMBER_KINDS, FACTOR_SUM, KR_SUM, {IN_FORMS(sum, sum_u64)}},
	{"reduce_prod", NUMBER_KINDS, FACTOR_PROD, KR_PROD, {IN_FORMS(prod, prod_u64)}},
	{"reduce_max", ALL_KINDS, FACTOR_MAX, KR_MAX, {IN_FORMS(max_of, max_of_i64)}},
	{"reduce_min", ALL_KINDS, FACTOR_MIN, KR_MIN, {IN_FORMS(min_of, min_of_i64)}},
	{"reduce_and", BITS_KINDS, FACTOR_AND, KR_AND, {IN_BITS(and_of_u64)}},
	{"reduce_or", BITS_KINDS, FACTOR_OR, KR_OR, {IN_BITS(or_of_u64)}},
	{"reduce_xor", BITS_KINDS, FACTOR_XOR, KR_XOR, {IN_BITS(xor_of_u64)}},
};

static const reduction *reduction_of(const eqn *e)
{
	const reduction *r = reductions;

	while (strcmp(r->name, e->prim->name) != 0) r++;
	return r;
}

static void reduce_eval(const eval_args *args)
{
	reduction_of(args->eqn)->eval[dtype_form(args->in[0]->dtype)](args);
}

static bool reduce_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	int64_t *dims = dims_room(b, in[0]->ndim);
	int ndim = 0;

	if (!dims || !check_kind(b, e, in[0], reduction_of(e)->kinds) ||
	    !check_dims_rise(b, e, "dims", reduced(e), in[0]->ndim))
		return false;
	for (int d = 0; d < in[0]->ndim; d++)
		if (!is_reduced(e, d)) dims[ndim++] = in[0]->dims[d];
	return give_type(b, in[0]->dtype, dims, ndim, out);
}

static bool rounds(factor_op op) { return op == FACTOR_SUM || op == FACTOR_PROD; }

/* a shard of a reduced dim gives a partial result; the same operation joins these */
static void reduce_factors(const eqn *e, const type *const *in, const type *const *out, factors *f)
{
	const factor_op op = reduction_of(e)->op;

	(void)out;
	for (int d = 0, kept = 0; d < in[0]->ndim; d++) {
		if (!is_reduced(e, d)) {
			factor_shared(e, in, f, d, kept++);
			continue;
		}
		const int factor = factor_reduced(f, in[0]->dims[d], op);
		factor_at(f, 0, d, rounds(op) ? factor_rounds(f, factor, in[0]->dtype) : factor);
	}
}

/* f16 and bf16 are added and multiplied in f32, the largest of them is one of them */
static tsr_dtype reduces_in(const eqn *e, const type *const *in, const type *const *out)
{
	const bool wide = rounds(reduction_of(e)->op) && dtype_kind(in[0]->dtype) == KIND_FLOAT;

	(void)out;
	return wide ? dtype_wide(in[0]->dtype) : in[0]->dtype;
}

/* ---- lower */

/* opens the loops over the reduced dims, and gives the operand's element in them */
static kvar reduce_begin(kernel *k, const eqn *e, const kvar *index)
{
	const type *x = k_type(k, e, 0);
	const int n = reduced(e)->n;
	int64_t *extents = k_extents(k, n);
	kvar *gone = k_room(k, n), *from = k_room(k, x->ndim);

	for (int i = 0; i < n; i++) extents[i] = x->dims[reduced(e)->v[i]];
	k_reduce_begin(k, extents, n, gone);
	for (int d = 0, i = 0, kept = 0; d < x->ndim; d++)
		from[d] = is_reduced(e, d) ? gone[i++] : index[kept++];
	return k_wide(k, k_operand(k, e, 0, from));
}

/* The largest of complex numbers, in two reductions: first the largest real part (NaN if any part
 * of any element is NaN), then the largest imaginary part among the elements that have this real
 * part */
static kvar extreme_lower(kernel *k, const eqn *e, const kvar *index, kreduction kind)
{
	const kvar z = reduce_begin(k, e, index), re = K1(RE, z), im = K1(IM, z);
	const kvar nan = KNUM(re, NAN), none = K2(OR, K2(NE, re, re), K2(NE, im, im));
	const kvar most = k_reduce_end(k, kind, KSEL(none, nan, re), (kvar){0});
	const kvar w = reduce_begin(k, e, index);
	const kvar other = KNUM(K1(RE, w), kind == KR_MAX ? -INFINITY : INFINITY);
	const kvar im_of = KSEL(K2(EQ, K1(RE, w), most), K1(IM, w), other);
	const kvar im_most = k_reduce_end(k, kind, im_of, (kvar){0});

	return KSEL(K2(EQ, most, most), k_complex(k, most, im_most), k_complex(k, most, most));
}

static void reduce_lower(kernel *k, const eqn *e, const kvar *index, kvar *to)
{
	const tsr_dtype dtype = k_type(k, e, 0)->dtype;
	const kreduction kind = reduction_of(e)->in_kernels;

	if (dtype_kind(dtype) == KIND_COMPLEX && (kind == KR_MAX || kind == KR_MIN)) {
		to[0] = extreme_lower(k, e, index, kind);
		return;
	}
	const kvar x = reduce_begin(k, e, index);
	to[0] = k_narrow(k, k_reduce_end(k, kind, x, (kvar){0}), dtype);
}

/* ---- rules */

/* y, a result, repeated over the reduced dims of x */
static var spread(build *b, const eqn *e, var y, const type *x)
{
	return emit_broadcast(b, y, x->dims, x->ndim, list_others(b, x->ndim, reduced(e)).v);
}

static var sum_reduced(build *b, const eqn *e, var x)
{
	return emit_sum(b, x, reduced(e)->v, reduced(e)->n);
}

TRANSPOSE_AS(reduce_sum, spread(b, e, *ct, in[0]))

/* reduce_max and reduce_min: dy is the mean of dx over the elements that equal y. If y is NaN, none
 * does, and 0 / 0 makes dy NaN. dx is multiplied by 0 or 1 and not selected, so that in reverse the
 * NaN reaches all elements. */
static void chosen_jvp(build *b, const eqn *e, const var *x, const var *dx, var *y, var *dy)
{
	const type *t = build_type(b, *x);

	dy[0] = (var){0};
	if (!t->size) return;
	const tsr_dtype wide = dtype_wide(t->dtype);
	const var equal =
		emit_convert(b, emit_2(b, &tsr__prim_eq, *x, spread(b, e, *y, t)), wide);
	const var sum = sum_reduced(b, e, emit_mul(b, emit_convert(b, *dx, wide), equal));
	dy[0] = emit_convert(b, emit_div(b, sum, sum_reduced(b, e, equal)), t->dtype);
}

/* x with its reduced dims as one leading dim, of size *n */
static var in_front(build *b, const eqn *e, var x, int64_t *n)
{
	const type *t = build_type(b, x);
	const ints kept = list_others(b, t->ndim, reduced(e));
	int64_t *perm = ints_room(b, t->ndim), *dims = ints_room(b, 1 + kept.n);

	*n = 1;
	if (build_failed(b)) return (var){0};
	for (int i = 0; i < reduced(e)->n; i++) *n *= t->dims[perm[i] = reduced(e)->v[i]];
	for (int i = 0; i < kept.n; i++) dims[1 + i] = t->dims[perm[reduced(e)->n + i] = kept.v[i]];
	dims[0] = *n;
	return emit_reshape(b, emit_transpose(b, x, perm), dims, 1 + kept.n);
}

/* the second half of n rows; if n is odd, `fill` makes up its last row */
static var second_half(build *b, var x, int64_t n, double fill)
{
	const var half = emit_part(b, x, 0, n - n / 2, n);

	if (n % 2 == 0 || is_zero(half)) return half;
	return emit_pad_dim(b, half, 0, 0, 1, emit_scalar(b, build_type(b, half)->dtype, fill));
}

/* Multiplies the two halves of the rows until one row is left: a b c d, then ac bd, then acbd; each
 * time with d(ac) = da c + a dc.
 * There is no division, so derivatives of any order are right where elements are 0. */
static void reduce_prod_jvp(build *b, const eqn *e, const var *x, const var *dx, var *y, var *dy)
{
	const type *t = build_type(b, *y);
	int64_t n;

	dy[0] = (var){0};
	if (!build_type(b, *x)->size) return;
	var p = in_front(b, e, *x, &n), dp = in_front(b, e, *dx, &n);
	for (; n > 1; n -= n / 2) {
		const var a = emit_part(b, p, 0, 0, n - n / 2), c = second_half(b, p, n, 1);
		const var da = emit_part(b, dp, 0, 0, n - n / 2), dc = second_half(b, dp, n, 0);
		dp = emit_add(b, emit_mul(b, da, c), emit_mul(b, a, dc));
		p = emit_mul(b, a, c);
	}
	dy[0] = emit_reshape(b, dp, t->dims, t->ndim);
}

/* ---- rows */

BATCH_AS(reduce, (reduce_params){list_plus(b, reduced(e), 1)})

static const field reduce_fields[] = {PARAM(reduce_params, dims, FIELD_INTS), PARAMS_END};

/* the columns jvp and transpose */
#define LINEAR .jvp = jvp_linear, .transpose = reduce_sum_transpose
#define JVP_ONLY(jvp_) .jvp = jvp_, NOT_LINEAR
#define NO_TANGENTS \
	TSR_NO_RULE(COL_JVP, "its operand is bool or integers, which have no tangents"), NOT_LINEAR

#define REDUCE_ROW(prim_, doc_, rules_) \
	const tsr_prim tsr__prim_##prim_ = {.name = #prim_, \
	                                    .doc = doc_, \
	                                    .flags = PRIM_REDUCES, \
	                                    .cost = 1, \
	                                    .nin = 1, \
	                                    .nout = 1, \
	                                    .params = reduce_fields, \
	                                    .types = reduce_types, \
	                                    .factors = reduce_factors, \
	                                    .reduces_in = reduces_in, \
	                                    .eval = reduce_eval, \
	                                    .lower = reduce_lower, \
	                                    .batch = reduce_batch, \
	                                    rules_};

REDUCE_ROW(reduce_sum, "sum over dims; of no elements 0", LINEAR)
REDUCE_ROW(reduce_prod, "product over dims; of no elements 1", JVP_ONLY(reduce_prod_jvp))
REDUCE_ROW(reduce_max, "the largest over dims; a NaN wins; of no elements the lowest value",
           JVP_ONLY(chosen_jvp))
REDUCE_ROW(reduce_min, "the smallest over dims; a NaN wins; of no elements the highest value",
           JVP_ONLY(chosen_jvp))
REDUCE_ROW(reduce_and, "bits set in all over dims; of no elements all", NO_TANGENTS)
REDUCE_ROW(reduce_or, "bits set in any over dims; of no elements none", NO_TANGENTS)
REDUCE_ROW(reduce_xor, "bits set in an odd number over dims", NO_TANGENTS)

/* ---- operators */

#define OPERATOR(op, name, padding, ...) {__VA_ARGS__},
const operator_rows operators[] = {
#include "program/operators.def"
};
#undef OPERATOR
const int operators_count = ARRAY_LEN(operators);
