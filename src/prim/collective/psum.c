/* psum.c - the collectives that combine: psum, pmax, pmin, psum_scatter.
 *
 * A sum over n members is a binary tree of neighbours in order of the flattened axis index, the
 * lower one left, padded with +0 to a power of two: over 3 members (x0 + x1) + (x2 + 0). (Padding
 * only shows if all terms are -0: the sum of 3 of them is +0, that of 4 is -0.) f16 and bf16 are
 * summed in f32 and rounded once; integers wrap; a complex number is two real ones. A maximum or
 * minimum is NaN if any member's value is, and -0 < +0, so the order of the members does not
 * matter.
 *
 *     psum [1 2] | [3 4] axes=(x) to=invarying             gives  [4 6] | [4 6]
 *     pmax [1 2] | [3 nan] axes=(x) to=invarying           gives  [3 nan] | [3 nan]
 *     pmin [1 -0] | [3 0] axes=(x) to=invarying            gives  [1 -0] | [1 -0]
 *     psum_scatter [1 2] | [3 4] axes=(x) dim=0 tiled=true  gives  [4] | [6] */
#include <math.h>
#include "prim/collective/collective.h"

/* ---- sums */

#define SAME(v) (v)
#define NARROW_8(v) ((uint8_t)(v))
#define NARROW_16(v) ((uint16_t)(v))

/* NAME: y[i] = sum over k of x[k][from + i], i < count; T is stored, A added */
#define SUM(NAME, T, A, LOAD, STORE)                                                        \
	static A NAME##_tree(const void *const *x, int n, int64_t at, int first, int64_t width) \
	{                                                                                   \
		if (first >= n) return 0;                                                   \
		if (width == 1) return LOAD(((const T *)x[first])[at]);                     \
		return (A)(NAME##_tree(x, n, at, first, width / 2) +                        \
		           NAME##_tree(x, n, at, first + (int)(width / 2), width / 2));     \
	}                                                                                   \
	static void NAME(void *y, const void *const *x, int n, int64_t from, int64_t count) \
	{                                                                                   \
		int64_t width = 1;                                                          \
		while (width < n) width *= 2;                                               \
		for (int64_t i = 0; i < count; i++)                                         \
			((T *)y)[i] = STORE(NAME##_tree(x, n, from + i, 0, width));         \
	}

SUM(sum_8, uint8_t, uint32_t, SAME, NARROW_8)
SUM(sum_16, uint16_t, uint32_t, SAME, NARROW_16)
SUM(sum_32, uint32_t, uint32_t, SAME, SAME)
SUM(sum_64, uint64_t, uint64_t, SAME, SAME)
SUM(sum_f16, uint16_t, float, f16_to_f32, f32_to_f16)
SUM(sum_bf16, uint16_t, float, bf16_to_f32, f32_to_bf16)
SUM(sum_f32, float, float, SAME, SAME)
SUM(sum_f64, double, double, SAME, SAME)

typedef struct sum_row {
	void (*sum)(void *y, const void *const *x, int n, int64_t from, int64_t count);
	int parts;                 /* numbers an element */
} sum_row;

static const sum_row sums[TSR_DTYPE_COUNT_] = {
	[TSR_I8] = {sum_8, 1}, [TSR_I16] = {sum_16, 1},
	[TSR_I32] = {sum_32, 1}, [TSR_I64] = {sum_64, 1},
	[TSR_U8] = {sum_8, 1}, [TSR_U16] = {sum_16, 1},
	[TSR_U32] = {sum_32, 1}, [TSR_U64] = {sum_64, 1},
	[TSR_F16] = {sum_f16, 1}, [TSR_BF16] = {sum_bf16, 1},
	[TSR_F32] = {sum_f32, 1}, [TSR_F64] = {sum_f64, 1},
	[TSR_C64] = {sum_f32, 2}, [TSR_C128] = {sum_f64, 2},
};

static bool check_summable(build *b, const eqn *e, const type *t)
{
	return sums[t->dtype].sum || fail_type(b, e, "%s does not sum %s: convert it to i32 first",
	                                       eqn_name(b, e), collective_type_text(b, t));
}

static tsr_dtype wide(tsr_dtype d) { return d == TSR_F16 || d == TSR_BF16 ? TSR_F32 : d; }

const tsr_prim *members_join(const eqn *e)
{
	if (e->prim == &tsr__prim_psum || e->prim == &tsr__prim_psum_scatter)
		return &tsr__prim_add;
	if (e->prim == &tsr__prim_pmax) return &tsr__prim_max;
	return e->prim == &tsr__prim_pmin ? &tsr__prim_min : NULL;
}

var members_widen(build *b, const eqn *e, var x)
{
	const bool sums = members_join(e) == &tsr__prim_add;

	return sums && !is_zero(x) ? emit_convert(b, x, wide(build_type(b, x)->dtype)) : x;
}

var members_narrow(build *b, const eqn *e, var all, int n, tsr_dtype dtype)
{
	if (members_join(e) != &tsr__prim_add) return all;
	if ((n & (n - 1)) && has_tangent(dtype))
		all = emit_2(b, &tsr__prim_add, all, emit_scalar(b, wide(dtype), 0));
	return emit_convert(b, all, dtype);
}

var members_tree(build *b, const tsr_prim *join, var *v, int n)
{
	for (; n > 1; n = (n + 1) / 2) {
		var left = {0}, right = {0};
		for (int i = 0; i + 1 < n; i += 2) {
			const bool again = i && v[i].id == left.id && v[i + 1].id == right.id;
			left = v[i];
			right = v[i + 1];
			v[i / 2] = again ? v[i / 2 - 1] : emit_2(b, join, left, right);
		}
		if (n % 2) v[n / 2] = v[n - 1];
	}
	return v[0];
}

/* The sum of n members as equations of one device. Padding the tree with +0 only shows if all terms
 * are -0, and adding one +0 at the end has the same effect. */
static var sum_members(build *b, const eqn *e, const var *x, int n)
{
	const tsr_dtype dtype = build_type(b, x[0])->dtype;
	var *v = var_room(b, n);

	if (n == 1 || !v) return v ? x[0] : (var){0};
	for (int k = 0; k < n; k++) {
		v[k] = members_again(x, k, v);
		if (is_zero(v[k])) v[k] = members_widen(b, e, x[k]);
	}
	return members_narrow(b, e, members_tree(b, &tsr__prim_add, v, n), n, dtype);
}

/* ---- maxima and minima */

#define ABOVE_INT(a, b) ((a) > (b))
#define BELOW_INT(a, b) ((a) < (b))
#define ABOVE_FLOAT(a, b) (isnan(a) || (a) > (b) || ((a) == (b) && signbit(b)))
#define BELOW_FLOAT(a, b) (isnan(a) || (a) < (b) || ((a) == (b) && signbit(a)))

#define STAYS_INT(v) false
#define STAYS_FLOAT(v) isnan(v)

/* starts with the first member; each later one that wins replaces the best so far. A NaN is never
 * replaced */
#define EXTREME(NAME, T, A, LOAD, WINS, STAYS)                                              \
	static void NAME(void *y, const void *const *x, int n, int64_t count)               \
	{                                                                                   \
		for (int64_t i = 0; i < count; i++) {                                       \
			T best = ((const T *)x[0])[i];                                      \
			for (int k = 1; k < n && !STAYS(LOAD(best)); k++) {                 \
				const T next = ((const T *)x[k])[i];                        \
				const A a = LOAD(next), b = LOAD(best);                     \
				if (WINS(a, b)) best = next;                                \
			}                                                                   \
			((T *)y)[i] = best;                                                 \
		}                                                                           \
	}
#define EXTREMES(dtype_, mem_, wide_, LOAD, STORE, FAMILY)                                  \
	EXTREME(max_##dtype_, mem_, wide_, LOAD, ABOVE_##FAMILY, STAYS_##FAMILY)            \
	EXTREME(min_##dtype_, mem_, wide_, LOAD, BELOW_##FAMILY, STAYS_##FAMILY)

BOOL_CASES(EXTREMES, INT)
SIGNED_CASES(EXTREMES, INT)
UNSIGNED_CASES(EXTREMES, INT)
FLOAT_CASES(EXTREMES, FLOAT)

typedef void extreme(void *y, const void *const *x, int n, int64_t count);

#define ENTRY(dtype_, mem_, wide_, LOAD, STORE, op_) [dtype_] = op_##dtype_,
static extreme *const maxima[TSR_DTYPE_COUNT_] = {ORDERED_CASES(ENTRY, max_)};
static extreme *const minima[TSR_DTYPE_COUNT_] = {ORDERED_CASES(ENTRY, min_)};

bool collective_joins(const tsr_prim *prim, tsr_dtype dtype)
{
	return prim == &tsr__prim_psum ? sums[dtype].sum != NULL : maxima[dtype] != NULL;
}

/* ---- psum, pmax, pmin. All members of a group get the same value. So without groups the result
 * need not vary over the axes; with groups it differs between them */

static bool preduce_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	const preduce_params *p = e->params;
	members m;

	if (!collective_check(b, e, &m) || !collective_varies(b, e, in[0], &m)) return false;
	return (out[0] = collective_result(b, e, in[0], p->to, &m));
}

static void give_all(const eval_args *args)
{
	for (int k = 1; k < args->n; k++)
		collective_copy(args->y[k], args->y[0], collective_bytes(args->out[0]));
}

static const field preduce_fields[] = {
	COLLECTIVE_FIELDS(preduce_params),
	{"to", offsetof(preduce_params, to), FIELD_WORD, coll_to_words},
	PARAMS_END,
};

/* ---- psum */

static bool psum_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	return check_summable(b, e, in[0]) && preduce_types(b, e, in, out);
}

static void psum_eval(const eval_args *args)
{
	const sum_row *row = &sums[args->out[0]->dtype];

	row->sum(args->y[0], args->x, args->n, 0, args->out[0]->size * row->parts);
	give_all(args);
}

/* every member contributed to every result, so each gets the sum of the cotangents */
static void psum_transpose(build *b, const eqn *e, const type *const *in, const var *x,
                           const var *ct, var *dx)
{
	const preduce_params *p = e->params;

	(void)in, (void)x;
	dx[0] = p->to == COLL_TO_VARYING ? emit(b, e->prim, p, ct, 1)
	                                 : collective_from_invarying(b, ct[0], &p->on.axes);
}

/* psum over (batch, rest) = psum over the rest of the sum over the batch */
static var psum_named(build *b, const void *params, const rest *r, var x, bool *mapped)
{
	const preduce_params p = {r->on, ((const preduce_params *)params)->to};

	x = rest_sum(b, r, x, *mapped);
	*mapped = false;
	return rest_emit(b, r, &tsr__prim_psum, &p, x);
}

BATCH_NAMED(psum, .of_nothing = true)

static void psum_members(build *b, const eqn *e, int n, const bool *here, const var *x,
			 var *y)
{
	(void)here;
	members_give_all(y, n, sum_members(b, e, x, n));
}

COLLECTIVE_ROW(psum, "sum over mesh axes; every device of a group gets it", 1, preduce_fields,
               .factors = factors_kept, LINEAR_COLLECTIVE(psum), .received = received_reduced)

/* ---- pmax, pmin */

static bool extreme_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	if (!maxima[in[0]->dtype])
		return fail_type(b, e, "%s does not accept %s: complex numbers have no order",
		                 eqn_name(b, e), collective_type_text(b, in[0]));
	return preduce_types(b, e, in, out);
}

static var reduced(build *b, const tsr_prim *row, var x)
{
	return emit(b, row, &(reduce_params){{1, (int64_t[]){0}}}, &x, 1);
}

static void extreme_members(build *b, const tsr_prim *join, int n, const var *x, var *y)
{
	var *v = var_room(b, n);
	int some = 0;

	for (int k = 0; v && k < n; k++)
		if (!k || x[k].id != x[k - 1].id) v[some++] = x[k];
	if (v) members_give_all(y, n, members_tree(b, join, v, some));
}

/* JAX has no rule either: if several devices hold the extreme value, whose tangent counts? */
#define NO_SLOPE(reduction) \
	"take " reduction " over the new dim of tsr_all_gather instead, which shares the slope " \
	"among equals"

#define EXTREME_ROW(prim_, op_, extremes_, which_) \
	static void prim_##_eval(const eval_args *args) \
	{ \
		const type *y = args->out[0]; \
		extremes_[y->dtype](args->y[0], args->x, args->n, y->size); \
		give_all(args); \
	} \
	static var prim_##_named(build *b, const void *params, const rest *r, var x, \
	                         bool *mapped) \
	{ \
		const preduce_params p = {r->on, ((const preduce_params *)params)->to}; \
		if (*mapped) x = reduced(b, &tsr__prim_reduce_##op_, x); \
		*mapped = false; \
		return rest_emit(b, r, &tsr__prim_##prim_, &p, x); \
	} \
	BATCH_NAMED(prim_, .of_nothing = true) \
	static void prim_##_members(build *b, const eqn *e, int n, const bool *here, \
	                            const var *x, var *y) \
	{ \
		(void)e, (void)here; \
		extreme_members(b, &tsr__prim_##op_, n, x, y); \
	} \
	COLLECTIVE_ROW(prim_, which_ " over mesh axes; every device of a group gets it", 1, \
	               preduce_fields, .factors = factors_kept, .received = received_reduced, \
	               TSR_NO_RULE(COL_JVP, NO_SLOPE("tsr_" #op_)), NOT_LINEAR)
#define pmax_types extreme_types
#define pmin_types extreme_types
EXTREME_ROW(pmax, max, maxima, "largest")
EXTREME_ROW(pmin, min, minima, "smallest")

/* ---- psum_scatter: a psum of which member k keeps chunk k of dim d. Untiled, a chunk is a single
 * index, and the dim is removed */

static bool psum_scatter_size(build *b, const eqn *e, int64_t size, const members *m)
{
	const psum_scatter_params *p = e->params;

	if (p->tiled ? size % m->n == 0 : size == m->n) return true;
	return fail_type(b, e, "%spsum_scatter operand scatter dim size %lld must %s shard count "
	                 "%lld of axis name %s", p->tiled ? "tiled " : "", (long long)size,
	                 p->tiled ? "be divisible by" : "match", (long long)m->n,
	                 collective_axes_text(b, &p->on.axes));
}

static bool psum_scatter_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	const psum_scatter_params *p = e->params;
	members m;

	if (!check_summable(b, e, in[0]) || !collective_begin(b, e, in[0], &m) ||
	    !collective_dim(b, e, "dim", p->dim, in[0]->ndim, in[0]) ||
	    !psum_scatter_size(b, e, in[0]->dims[p->dim], &m))
		return false;
	int64_t *dims = arena_array(build_arena(b), (size_t)in[0]->ndim, sizeof *dims);
	if (!dims) return false;
	int ndim = 0;
	for (int d = 0; d < in[0]->ndim; d++)
		if (d != p->dim) dims[ndim++] = in[0]->dims[d];
		else if (p->tiled) dims[ndim++] = in[0]->dims[d] / m.n;
	return (out[0] = collective_redim(b, in[0], dims, ndim));
}

/* scattered dim: (n c) -> c */
static void psum_scatter_factors(const eqn *e, const type *const *in, const type *const *out,
                                 factors *f)
{
	const psum_scatter_params *p = e->params;
	int at = 0;

	for (int d = 0; d < in[0]->ndim; d++) {
		int64_t size = in[0]->dims[d];
		if (d == p->dim) {
			/* a scattered dim of size 0 does not tell n, and does not need it */
			const int64_t chunk = p->tiled ? out[0]->dims[d] : 1;
			factor_at(f, 0, d, collective_whole(f, chunk ? size / chunk : 1));
			if (!p->tiled) continue;
			size = chunk;
		}
		const int one = factor_new(f, size, FACTOR_PASS);
		factor_at(f, 0, d, one);
		factor_at(f, e->nin, at++, one);
	}
}

static void psum_scatter_eval(const eval_args *args)
{
	const psum_scatter_params *p = args->eqn->params;
	const type *t = args->in[0];
	const sum_row *row = &sums[t->dtype];

	if (!t->size) return;
	/* operand [outer, n, run], result [outer, run] */
	const int64_t outer = collective_span(t, 0, p->dim);
	const int64_t run = collective_span(t, p->dim, t->ndim) / args->n * row->parts;
	const size_t bytes = collective_bytes(args->out[0]) / (size_t)outer;
	for (int k = 0; k < args->n; k++)
		for (int64_t o = 0; o < outer; o++)
			row->sum((char *)args->y[k] + (size_t)o * bytes, args->x, args->n,
			         (o * args->n + k) * run, run);
}

/* Member k has the cotangent of chunk k. Every member contributed to all chunks, so each gets the
 * cotangents of all of them. */
static void psum_scatter_transpose(build *b, const eqn *e, const type *const *in, const var *x,
                                   const var *ct, var *dx)
{
	const psum_scatter_params *p = e->params;
	const all_gather_params back = {p->on, p->dim, p->tiled, COLL_TO_VARYING};

	(void)in, (void)x;
	dx[0] = emit(b, &tsr__prim_all_gather, &back, ct, 1);
}

static var psum_scatter_named(build *b, const void *params, const rest *r, var x, bool *mapped)
{
	const psum_scatter_params *p = params;
	const psum_scatter_params chunks = {r->on, 1, false};

	x = rest_sum(b, r, x, *mapped);
	x = rest_part(b, r, rest_chunks(b, r, x, (int)p->dim, p->tiled), 0);
	*mapped = true;
	return rest_emit(b, r, &tsr__prim_psum_scatter, &chunks, x);
}

static void psum_scatter_shift(void *p) { ((psum_scatter_params *)p)->dim++; }

BATCH_NAMED(psum_scatter, .shift = psum_scatter_shift)

static void psum_scatter_members(build *b, const eqn *e, int n, const bool *here, const var *x,
				 var *y)
{
	const psum_scatter_params *p = e->params;
	const int64_t chunk = build_type(b, x[0])->dims[p->dim] / n;
	const var all = sum_members(b, e, x, n);

	for (int k = 0; k < n; k++) {
		if (here && !here[k]) continue;
		y[k] = members_part(b, all, p->dim, k * chunk, (k + 1) * chunk);
		if (!p->tiled) y[k] = emit_dims(b, y[k], (int)p->dim, 1, NULL, 0);
	}
}

static const field psum_scatter_fields[] = {
	COLLECTIVE_FIELDS(psum_scatter_params),
	PARAM(psum_scatter_params, dim, FIELD_INT),
	PARAM(psum_scatter_params, tiled, FIELD_BOOL),
	PARAMS_END,
};

COLLECTIVE_ROW(psum_scatter, "sum over mesh axes, of which each device keeps its chunk", 1,
               psum_scatter_fields, .factors = psum_scatter_factors,
               LINEAR_COLLECTIVE(psum_scatter), .received = received_scattered)
