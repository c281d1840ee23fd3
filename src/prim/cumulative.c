/* cumulative.c - all elements up to each one along a dim, combined: cumsum, cumprod, cummax,
 * cummin, cumlogsumexp.
 *
 *     cumsum [1 2 3]    gives    [1 3 6]    with reverse=true [6 5 3]
 *
 * Where the dim is cut, each device combines the elements of its block. The devices then send each
 * other what came out for their whole block, one element of the dim; each combines that of those
 * before it, and then this with each of its own results. */
#include <math.h>
#include "prim/associative.h"
#include "prim/checks.h"
#include "prim/lists.h"
#include "prim/numbers.h"
#include "prim/places.h"
#include "prim/row.h"

static const cumulative_params *params_of(const eqn *e) { return e->params; }

static bool types_along(build *b, const eqn *e, const type *const *in, const type **out,
                        unsigned kinds)
{
	if (!check_kind(b, e, in[0], kinds) || !check_dim(b, e, params_of(e)->dim, in[0]->ndim))
		return false;
	out[0] = in[0];
	return true;
}

static void cumulative_factors(const eqn *e, const type *const *in, const type *const *out,
                               factors *f)
{
	(void)out;
	for (int d = 0; d < in[0]->ndim; d++) {
		const int64_t size = in[0]->dims[d];
		const bool along = d == params_of(e)->dim;
		if (along && size == 1) continue;
		const int factor = factor_new(f, size, FACTOR_PASS);
		factor_at(f, 0, d, along ? factor_own(f, factor) : factor);
		factor_at(f, 1, d, factor);
	}
}

/* ---- eval: n elements from x[at] on, `stride` apart. A block combines its elements in order; each
 * of its results is that behind what is before the block, combined once (docs/numerics.md, "Running
 * sums"). FIRST(x): what the first element x of a block begins with */
#define DEFINE_RUNNING(name_, form_, wide_, FIRST, OP) \
	static void name_##_##form_(const eval_args *args, int64_t at, int64_t stride, int64_t n) \
	{ \
		const tsr_dtype dtype = args->in[0]->dtype; \
		wide_ block[SUM_BLOCK], before = 0; \
		cursor from = {.at = at}; \
		cursor_dim(&from, n, stride); \
		for (int64_t done = 0; done < n; done += SUM_BLOCK) { \
			const int count = n - done < SUM_BLOCK ? (int)(n - done) : SUM_BLOCK; \
			wide_ own = 0, all = 0; \
			gather_##form_(block, dtype, args->x[0], &from, count); \
			for (int i = 0; i < count; i++, at += stride) { \
				own = i ? OP(own, block[i]) : FIRST(block[i]); \
				all = done ? OP(before, own) : own; \
				put_##form_(dtype, args->y[0], at, all); \
			} \
			before = all; \
		} \
	}
#define ADD(a, b) ((a) + (b))
/* 0 + x, of a complex number in each part: no partial sum is -0 */
#define FROM_ZERO(x) (0 + (x))
#define PARTS_FROM_ZERO(z) ((z) + __builtin_complex(0.0f, 0.0f))
#define ITSELF(x) (x)
#define MAX_SIGNED(a, b) ((uint64_t)max_i64((int64_t)(a), (int64_t)(b)))
#define MIN_SIGNED(a, b) ((uint64_t)min_i64((int64_t)(a), (int64_t)(b)))
/* z, or a NaN in both parts */
#define MAX_ITSELF(z) MAX_OF_ALL(z, z)
#define MIN_ITSELF(z) MIN_OF_ALL(z, z)
#define LOG_OF_SUM(a, b) \
	_Generic((a), float: log_of_sum_f32, double: log_of_sum_f64)(a, b)

static float log_of_sum_f32(float a, float b)
{
	const float apart = a - b;

	return apart != apart ? a + b : max_f32(a, b) + log1p_f32(exp_f32(-fabsf(apart)));
}

static double log_of_sum_f64(double a, double b)
{
	const double apart = a - b;

	return apart != apart ? a + b : max_f64(a, b) + log1p_f64(exp_f64(-fabs(apart)));
}

DEFINE_RUNNING(sums, f32, float, FROM_ZERO, ADD)
DEFINE_RUNNING(sums, f64, double, FROM_ZERO, ADD)
DEFINE_RUNNING(sums, u64, uint64_t, ITSELF, ADD)
DEFINE_RUNNING(sums, c64, c64, PARTS_FROM_ZERO, ADD)
DEFINE_RUNNING(sums, c128, c128, PARTS_FROM_ZERO, ADD)
DEFINE_RUNNING(products, f32, float, ITSELF, MUL_OF)
DEFINE_RUNNING(products, f64, double, ITSELF, MUL_OF)
DEFINE_RUNNING(products, u64, uint64_t, ITSELF, MUL_OF)
DEFINE_RUNNING(products, c64, c64, ITSELF, MUL_OF)
DEFINE_RUNNING(products, c128, c128, ITSELF, MUL_OF)
DEFINE_RUNNING(largest, f32, float, ITSELF, MAX_OF)
DEFINE_RUNNING(largest, f64, double, ITSELF, MAX_OF)
DEFINE_RUNNING(largest, u64, uint64_t, ITSELF, MAX_OF)
DEFINE_RUNNING(largest_signed, u64, uint64_t, ITSELF, MAX_SIGNED)
DEFINE_RUNNING(largest, c64, c64, MAX_ITSELF, MAX_OF_ALL)
DEFINE_RUNNING(largest, c128, c128, MAX_ITSELF, MAX_OF_ALL)
DEFINE_RUNNING(smallest, f32, float, ITSELF, MIN_OF)
DEFINE_RUNNING(smallest, f64, double, ITSELF, MIN_OF)
DEFINE_RUNNING(smallest, u64, uint64_t, ITSELF, MIN_OF)
DEFINE_RUNNING(smallest_signed, u64, uint64_t, ITSELF, MIN_SIGNED)
DEFINE_RUNNING(smallest, c64, c64, MIN_ITSELF, MIN_OF_ALL)
DEFINE_RUNNING(smallest, c128, c128, MIN_ITSELF, MIN_OF_ALL)
DEFINE_RUNNING(logs, f32, float, ITSELF, LOG_OF_SUM)
DEFINE_RUNNING(logs, f64, double, ITSELF, LOG_OF_SUM)

typedef void line_rule(const eval_args *, int64_t at, int64_t stride, int64_t n);
typedef struct line_rules { /* by the form in which elements are computed */
	line_rule *f32, *f64, *i64, *u64, *c_64, *c_128;
} line_rules;

static line_rule *rule_for(const line_rules *l, tsr_dtype dtype)
{
	switch (dtype_kind(dtype)) {
	case KIND_BOOL:
	case KIND_UINT: return l->u64;
	case KIND_INT: return l->i64;
	case KIND_FLOAT: return dtype == TSR_F64 ? l->f64 : l->f32;
	case KIND_COMPLEX: return dtype == TSR_C64 ? l->c_64 : l->c_128;
	}
	return NULL;
}

/* lines */
static int64_t parts_of(const eqn *e, const type *const *in)
{
	return in[0]->size ? in[0]->size / in[0]->dims[params_of(e)->dim] : 1;
}

static void eval_lines(const eval_args *args, const line_rules *rules)
{
	const cumulative_params *p = params_of(args->eqn);
	const type *t = args->in[0];
	const int64_t n = t->dims[p->dim], stride = dims_stride(t, (int)p->dim);
	const int64_t end = args->end ? args->end : parts_of(args->eqn, args->in);
	cursor lines = cursor_across(t, (int)p->dim);
	line_rule *const rule = rule_for(rules, t->dtype);

	cursor_skip(&lines, args->first);
	for (int64_t k = args->first; t->size && k < end; k++) {
		const int64_t last = lines.at + (n - 1) * stride;
		rule(args, p->reverse ? last : lines.at, p->reverse ? -stride : stride, n);
		cursor_next(&lines, 1);
	}
}

/* ---- blocks */

/* What the blocks before this one combine to. own: what this one does, one element of the dim.
 * Those of all devices are combined in order and shifted by one, with what changes nothing in
 * front */
static var before_block(build *b, const eqn *e, const localizing *to, const combining *c, var own)
{
	const cumulative_params *p = params_of(e);
	const int dim = (int)p->dim, shift = p->reverse ? -1 : 1;
	const all_gather_params all = {
		{to->cut[0][dim], {0, NULL}}, dim, true, COLL_TO_INVARYING};
	const var start = to->start[0][dim];
	const var gathered = emit(b, &tsr__prim_all_gather, &all, &own, 1);
	const var ends = emit(b, e->prim, p, &gathered, 1);

	if (build_failed(b)) return (var){0};
	const var none = emit_nothing_of(b, c, build_type(b, ends)->dtype);
	const var size = emit_scalar(b, build_type(b, start)->dtype,
	                             (double)to->block[0]->dims[dim]);
	return emit_part_at(b, emit_pad_dim(b, ends, dim, shift, -shift, none), dim,
	                    emit_div(b, start, size), 1);
}

/* in the wide dtype, so that results are rounded once */
static var running_on_blocks(build *b, const eqn *e, const localizing *to, const combining *c,
                             var x)
{
	const cumulative_params *p = params_of(e);
	const int dim = (int)p->dim;
	const type *t = to->block[0];
	const int64_t last = p->reverse ? 0 : t->dims[dim] - 1;
	const var wide = emit_convert(b, x, dtype_wide(t->dtype));
	const var y = emit(b, e->prim, p, &wide, 1);
	const var before = before_block(b, e, to, c, emit_part(b, y, dim, last, last + 1));
	const ints at = list_others(b, t->ndim, &(ints){0});

	if (build_failed(b)) return (var){0};
	const var spread = emit_broadcast(b, before, t->dims, t->ndim, at.v);
	return emit_convert(b, emit_combined(b, c, spread, y), t->dtype);
}

/* Padding stands behind the elements of a dim: with reverse it comes first. 1 times 1 - 0i is 1 +
 * 0i, so no number will do for products of complex ones */
static padding needed_by(const eqn *e, const type *in, const factors *f, int factor,
                         const combining *c)
{
	if (!(f->own >> factor & 1) || !params_of(e)->reverse) return PAD_ANY;
	return c->nothing == PAD_ONE && dtype_kind(in->dtype) == KIND_COMPLEX ? PAD_NONE
	                                                                      : c->nothing;
}

/* ---- rows */

static const field cumulative_fields[] = {
	PARAM(cumulative_params, dim, FIELD_INT),
	PARAM(cumulative_params, reverse, FIELD_BOOL),
	PARAMS_END,
};
/* an element is part of the results behind it, so its cotangent is the sum of theirs */
TRANSPOSE_AS(cumsum, emit(b, e->prim,
                          &(cumulative_params){params_of(e)->dim, !params_of(e)->reverse}, ct, 1))
#define LINEAR .jvp = jvp_linear, .transpose = cumsum_transpose
#define JVP_ONLY(jvp_) .jvp = jvp_, NOT_LINEAR

/* join_: the row that combines two; nothing_: the number that changes nothing; rules_: the columns
 * jvp and transpose, LINEAR or JVP_ONLY; then the lines by dtype */
#define CUMULATIVE_ROW(prim_, doc_, cost_, set_, join_, nothing_, rules_, ...) \
	static const combining prim_##_combining = {join_, nothing_}; \
	static bool prim_##_types(build *b, const eqn *e, const type *const *in, const type **out) \
	{ \
		return types_along(b, e, in, out, set_##_KINDS); \
	} \
	static padding prim_##_needs(const eqn *e, const type *const *in, const factors *f, \
	                             int operand, int factor) \
	{ \
		(void)operand; \
		return needed_by(e, in[0], f, factor, &prim_##_combining); \
	} \
	static void prim_##_local(build *b, const eqn *e, const localizing *to, const var *x, \
	                          var *y) \
	{ \
		y[0] = running_on_blocks(b, e, to, &prim_##_combining, x[0]); \
	} \
	static void prim_##_eval(const eval_args *args) \
	{ \
		eval_lines(args, &(line_rules){__VA_ARGS__}); \
	} \
	BATCH_AS(prim_, (cumulative_params){params_of(e)->dim + 1, params_of(e)->reverse}) \
	const tsr_prim tsr__prim_##prim_ = { \
		.name = #prim_, \
		.doc = doc_, \
		.cost = cost_, \
		.nin = 1, \
		.nout = 1, \
		.params = cumulative_fields, \
		.types = prim_##_types, \
		.factors = cumulative_factors, \
		.needs = prim_##_needs, \
		.local = prim_##_local, \
		.batch = prim_##_batch, \
		.parts = parts_of, \
		.eval = prim_##_eval, \
		TSR_NO_RULE(COL_LOWER, "each result is made of the one before it"), \
		rules_, \
	};
/* a row whose tangents go through the running combination of pairs */
#define JOINING_ROW(prim_, doc_, cost_, set_, join_, nothing_, ...) \
	static void prim_##_jvp(build *, const eqn *, const var *, const var *, var *, var *); \
	CUMULATIVE_ROW(prim_, doc_, cost_, set_, join_, nothing_, JVP_ONLY(prim_##_jvp), \
	               __VA_ARGS__) \
	static void prim_##_jvp(build *b, const eqn *e, const var *x, const var *dx, var *y, \
	                        var *dy) \
	{ \
		const cumulative_params *p = params_of(e); \
		(void)y; \
		dy[0] = emit_running_tangent(b, &prim_##_combining, x[0], dx[0], (int)p->dim, \
		                             p->reverse); \
	}

CUMULATIVE_ROW(cumsum,
               "the sum of all elements up to each one along a dim; reverse: from the last one", 3,
               NUMBER, &tsr__prim_add, PAD_ZERO, LINEAR, sums_f32, sums_f64, sums_u64, sums_u64,
               sums_c64, sums_c128)
JOINING_ROW(cumprod,
            "the product of all elements up to each one along a dim; reverse: from the last one", 3,
            NUMBER, &tsr__prim_mul, PAD_ONE, products_f32, products_f64, products_u64, products_u64,
            products_c64, products_c128)
JOINING_ROW(cummax,
            "the largest of all elements up to each one along a dim; reverse: from the last one", 3,
            NUMBER, &tsr__prim_max, PAD_LOWEST, largest_f32, largest_f64, largest_signed_u64,
            largest_u64, largest_c64, largest_c128)
JOINING_ROW(cummin,
            "the smallest of all elements up to each one along a dim; reverse: from the last one",
            3, NUMBER, &tsr__prim_min, PAD_HIGHEST, smallest_f32, smallest_f64, smallest_signed_u64,
            smallest_u64, smallest_c64, smallest_c128)
JOINING_ROW(cumlogsumexp,
            "the logarithm of the sum of the exponentials of all elements up to each one along a "
            "dim; reverse: from the last one",
            24, FLOAT, NULL, PAD_LOWEST, logs_f32, logs_f64, NULL, NULL, NULL, NULL)
