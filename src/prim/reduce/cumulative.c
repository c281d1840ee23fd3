/* cumulative.c - all elements up to each one along a dim, combined: cumsum, cumprod, cummax,
 * cummin, cumlogsumexp.
 *
 *     cumsum [1 2 3] dim=0                 gives  [1 3 6]
 *     cumsum [1 2 3] dim=0 reverse=true    gives  [6 5 3]
 *     cumprod [1 2 3] dim=0                gives  [1 2 6]
 *     cummax [1 3 2] dim=0                 gives  [1 3 3]
 *     cummin [3 1 2] dim=0                 gives  [3 1 1]
 *     cumlogsumexp [0 0 0] dim=0           gives  [0 0.6931 1.0986]
 *
 * Where the dim is cut, each device combines the elements of its block. The devices then send each
 * other what came out for their whole block, one element of the dim; each combines that of those
 * before it, and then this with each of its own results. For sums on three devices:
 *
 *     blocks                1 2      3 4      5 6
 *     sums in them          1 3      3 7      5 11
 *     gathered, summed      3 10 21  on each device
 *     of those before       0        3        10       shifted by one, with what changes nothing
 *     both                  1 3      6 10     15 21 */
#include <math.h>
#include "prim/reduce/associative.h"
#include "prim/checks.h"
#include "prim/numbers.h"
#include "prim/cursors.h"
#include "prim/reduce/reduce.h"
#include "prim/row.h"

static const cumulative_params *params_of(const eqn *e) { return e->params; }

/* the largest and the smallest are some of the elements */
static bool rounds(const eqn *e)
{
	return e->prim != &tsr__prim_cummax && e->prim != &tsr__prim_cummin;
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
		if (along && rounds(e)) factor_rounds(f, factor, in[0]->dtype);
		factor_at(f, 0, d, along ? factor_own(f, factor) : factor);
		factor_at(f, 1, d, factor);
	}
}

/* ---- eval: docs/numerics.md, "Running sums". A block combines its elements in order; each of its
 * results is that behind what is before the block, combined once. Blocks are independent but for
 * that, so several are done side by side: the next element of one need not wait for another's.
 *
 * A long line is cut into parts, which go in phases: each finds what its blocks combine to; one of
 * them finds what is before every block; each makes its results. Of blocks 1 2 | 3 4 | 5 6, two
 * parts (here blocks of two, and sums):
 *
 *     ends 3 7 11 |    before each block  - 3 10    results 1 3 | 6 10 | 15 21 */
enum { ABREAST = 8, LANES = 128 };

/* the n elements of a line, `stride` apart */
typedef struct line {
	const eval_args *args;
	int64_t at, stride, n;
} line;

typedef struct line_rule { /* of one operation, in the form in which elements are computed */
	size_t size;
	/* lanes: lines, each of which begins one element after the one before */
	void (*lines)(const line *, int lanes);
	/* the blocks from `first` to `end` - 1. before: by block; NULL: it is found on the way, and
	 * `first` is 0 */
	void (*blocks)(const line *, int64_t first, int64_t end, const void *before);
	/* what these combine to */
	void (*ends)(const line *, int64_t first, int64_t end, void *to);
	/* from what n blocks combine to to what is before them */
	void (*chain)(void *ends, int64_t n);
} line_rule;

static int block_size(const line *l, int64_t block)
{
	const int64_t left = l->n - block * SUM_BLOCK;

	return left < SUM_BLOCK ? (int)left : SUM_BLOCK;
}

/* FIRST(x): what the first element x of a block begins with */
#define DEFINE_RUNNING(name_, form_, wide_, FIRST, OP) \
	static void name_##_##form_##_lines(const line *l, int lanes) \
	{ \
		const tsr_dtype dtype = l->args->in[0]->dtype; \
		wide_ x[LANES], own[LANES] = {0}, before[LANES] = {0}, y[LANES]; \
		int64_t at = l->at; \
		for (int64_t i = 0; i < l->n; i++, at += l->stride) { \
			read_##form_(x, dtype, l->args->x[0], at, 1, lanes); \
			for (int j = 0; j < lanes; j++) \
				own[j] = i % SUM_BLOCK ? OP(own[j], x[j]) : FIRST(x[j]); \
			for (int j = 0; j < lanes; j++) \
				y[j] = i < SUM_BLOCK ? own[j] : OP(before[j], own[j]); \
			write_##form_(dtype, l->args->y[0], at, 1, y, lanes); \
			if (i % SUM_BLOCK == SUM_BLOCK - 1) \
				memcpy(before, y, (size_t)lanes * sizeof *y); \
		} \
	} \
	/* own results of n blocks, of which only the last one may be shorter */ \
	static void name_##_##form_##_own(const line *l, int64_t first, int n, \
	                                  wide_ x[ABREAST][SUM_BLOCK]) \
	{ \
		const int last = block_size(l, first + n - 1); \
		const bool abreast = n == ABREAST && last == SUM_BLOCK; \
		wide_ own[ABREAST]; \
		for (int k = 0; k < n; k++) \
			read_##form_(x[k], l->args->in[0]->dtype, l->args->x[0], \
			             l->at + (first + k) * SUM_BLOCK * l->stride, l->stride, \
			             k == n - 1 ? last : SUM_BLOCK); \
		for (int k = 0; k < n; k++) x[k][0] = own[k] = FIRST(x[k][0]); \
		for (int i = 1; abreast && i < SUM_BLOCK; i++) \
			for (int k = 0; k < ABREAST; k++) \
				x[k][i] = own[k] = OP(own[k], x[k][i]); \
		for (int k = 0; !abreast && k < n; k++) \
			for (int i = 1; i < (k == n - 1 ? last : SUM_BLOCK); i++) \
				x[k][i] = OP(x[k][i - 1], x[k][i]); \
	} \
	static void name_##_##form_##_blocks(const line *l, int64_t first, int64_t end, \
	                                     const void *before) \
	{ \
		wide_ x[ABREAST][SUM_BLOCK], front = 0; \
		for (int64_t b = first; b < end; b += ABREAST) { \
			const int n = end - b < ABREAST ? (int)(end - b) : ABREAST; \
			name_##_##form_##_own(l, b, n, x); \
			for (int k = 0; k < n; k++) { \
				const int size = block_size(l, b + k); \
				if (before) front = ((const wide_ *)before)[b + k]; \
				for (int i = 0; b + k && i < size; i++) \
					x[k][i] = OP(front, x[k][i]); \
				front = x[k][size - 1]; \
				write_##form_(l->args->in[0]->dtype, l->args->y[0], \
				              l->at + (b + k) * SUM_BLOCK * l->stride, l->stride, \
				              x[k], size); \
			} \
		} \
	} \
	static void name_##_##form_##_ends(const line *l, int64_t first, int64_t end, void *to) \
	{ \
		wide_ x[ABREAST][SUM_BLOCK]; \
		for (int64_t b = first; b < end; b += ABREAST) { \
			const int n = end - b < ABREAST ? (int)(end - b) : ABREAST; \
			name_##_##form_##_own(l, b, n, x); \
			for (int k = 0; k < n; k++) \
				((wide_ *)to)[b + k] = x[k][block_size(l, b + k) - 1]; \
		} \
	} \
	static void name_##_##form_##_chain(void *ends, int64_t n) \
	{ \
		wide_ *end = ends, front = end[0]; \
		for (int64_t b = 1; b < n; b++) { \
			const wide_ here = end[b]; \
			end[b] = front; \
			front = OP(front, here); \
		} \
	} \
	static const line_rule name_##_##form_[] = { \
		{sizeof(wide_), name_##_##form_##_lines, name_##_##form_##_blocks, \
		 name_##_##form_##_ends, name_##_##form_##_chain}};
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

typedef struct operation {
	const char *name; /* of the row */
	unsigned kinds;
	combining joins; /* the row that combines two, and what changes nothing */
	const line_rule *lines[DTYPE_FORMS];
} operation;

static const operation operations[] = {
	{"cumsum", NUMBER_KINDS, {&tsr__prim_add, PAD_ZERO}, {IN_FORMS(sums, sums_u64)}},
	{"cumprod",
	 NUMBER_KINDS,
	 {&tsr__prim_mul, PAD_ONE},
	 {IN_FORMS(products, products_u64)}},
	{"cummax",
	 NUMBER_KINDS,
	 {&tsr__prim_max, PAD_LOWEST},
	 {IN_FORMS(largest, largest_signed_u64)}},
	{"cummin",
	 NUMBER_KINDS,
	 {&tsr__prim_min, PAD_HIGHEST},
	 {IN_FORMS(smallest, smallest_signed_u64)}},
	{"cumlogsumexp", FLOAT_KINDS, {NULL, PAD_LOWEST}, {logs_f32, logs_f64}},
};

static const operation *operation_of(const eqn *e)
{
	const operation *o = operations;

	while (strcmp(o->name, e->prim->name) != 0) o++;
	return o;
}

static bool cumulative_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	if (!check_kind(b, e, in[0], operation_of(e)->kinds) ||
	    !check_dim(b, e, params_of(e)->dim, in[0]->ndim))
		return false;
	out[0] = in[0];
	return true;
}

typedef struct running { /* an equation */
	const cumulative_params *p;
	const line_rule *rule;
	int64_t n, stride, lines, blocks, parts; /* of a line: blocks, parts */
} running;

static running running_of(const eqn *e, const type *t)
{
	const cumulative_params *p = e->params;
	const line_rule *rule = operation_of(e)->lines[dtype_form(t->dtype)];
	running r = {.p = p, .rule = rule, .n = t->dims[p->dim]};

	r.stride = dims_stride(t, (int)p->dim);
	r.lines = lines_of(t, (int)p->dim);
	r.blocks = r.n / SUM_BLOCK + (r.n % SUM_BLOCK != 0);
	r.parts = line_parts(r.lines, r.n);
	return r;
}

/* Lines that are neighbours in memory are computed LANES at a time. A part of the work is whole
 * runs of so many: shorter pieces of each row take up to twice as long */
static int64_t run_of(const running *r) { return r->stride > 1 ? LANES : 1; }

static int64_t runs_of(const running *r)
{
	const int64_t run = run_of(r);

	return r->lines / run + (r->lines % run != 0);
}

static int64_t first_of_group(const running *r, int64_t group)
{
	const int64_t runs = runs_of(r), groups = parts_shared(runs, TUNE_PARTS);
	const int64_t at = part_first(runs, groups, group) * run_of(r);

	return at < r->lines ? at : r->lines;
}

static int64_t cumulative_parts(const eqn *e, const type *const *in)
{
	const running r = running_of(e, in[0]);

	return r.parts > 1 ? r.lines * r.parts : parts_shared(runs_of(&r), TUNE_PARTS);
}

static int64_t cumulative_phases(const eqn *e, const type *const *in)
{
	return running_of(e, in[0]).parts > 1 ? 3 : 1;
}

static size_t cumulative_scratch(const eqn *e, const type *const *in)
{
	const running r = running_of(e, in[0]);

	return r.parts > 1 ? (size_t)(r.lines * r.blocks) * r.rule->size : 0;
}

static line line_of(const running *r, const eval_args *args, int64_t k)
{
	const int64_t at = line_at(args->in[0], (int)r->p->dim, k);

	if (!r->p->reverse) return (line){args, at, r->stride, r->n};
	return (line){args, at + (r->n - 1) * r->stride, -r->stride, r->n};
}

/* lines that are neighbours in memory together */
static void eval_lines(const running *r, const eval_args *args, int64_t first, int64_t end)
{
	for (int64_t k = first, lanes; k < end; k += lanes) {
		const line l = line_of(r, args, k);
		lanes = r->stride - k % r->stride;
		lanes = lanes < end - k ? lanes : end - k;
		lanes = lanes < LANES ? lanes : LANES;
		if (lanes == 1) r->rule->blocks(&l, 0, r->blocks, NULL);
		else r->rule->lines(&l, (int)lanes);
	}
}

static void eval_part(const running *r, const eval_args *args, int64_t part, int64_t phase)
{
	const int64_t k = part / r->parts, own = part % r->parts;
	const int64_t first = part_first(r->blocks, r->parts, own);
	const int64_t end = part_first(r->blocks, r->parts, own + 1);
	const line l = line_of(r, args, k);
	char *ends = (char *)args->scratch + (size_t)(k * r->blocks) * r->rule->size;

	if (phase == 0) r->rule->ends(&l, first, end, ends);
	else if (phase == 2) r->rule->blocks(&l, first, end, ends);
	else if (own == 0) r->rule->chain(ends, r->blocks);
}

static void cumulative_eval(const eval_args *args)
{
	const running r = running_of(args->eqn, args->in[0]);
	const int64_t end = args->end ? args->end : cumulative_parts(args->eqn, args->in);
	const int64_t phases = args->end ? args->phase + 1 : cumulative_phases(args->eqn, args->in);

	if (r.parts == 1) {
		eval_lines(&r, args, first_of_group(&r, args->first), first_of_group(&r, end));
		return;
	}
	for (int64_t phase = args->phase; phase < phases; phase++)
		for (int64_t k = args->first; k < end; k++) eval_part(&r, args, k, phase);
}

/* ---- blocks */

/* What the blocks before this one combine to. own: what this one does, one element of the dim.
 * Those of all devices are combined in order and shifted by one, with what changes nothing in
 * front */
static var before_block(build *b, const eqn *e, const localizing *to, var own)
{
	const cumulative_params *p = params_of(e);
	const int dim = (int)p->dim, shift = p->reverse ? -1 : 1;
	const all_gather_params all = {
		{to->cut[0][dim], {0, NULL}}, dim, true, COLL_TO_INVARYING};
	const var start = to->start[0][dim];
	const var gathered = emit(b, &tsr__prim_all_gather, &all, &own, 1);
	const var ends = emit(b, e->prim, p, &gathered, 1);

	if (build_failed(b)) return (var){0};
	const var none = emit_nothing_of(b, &operation_of(e)->joins, build_type(b, ends)->dtype);
	const var size = emit_scalar(b, build_type(b, start)->dtype,
	                             (double)to->block[0]->dims[dim]);
	return emit_part_at(b, emit_pad_dim(b, ends, dim, shift, -shift, none), dim,
	                    emit_div(b, start, size), 1);
}

/* in the wide dtype, so that results are rounded once */
static void cumulative_local(build *b, const eqn *e, const localizing *to, const var *x, var *out)
{
	const cumulative_params *p = params_of(e);
	const int dim = (int)p->dim;
	const type *t = to->block[0];
	const int64_t last = p->reverse ? 0 : t->dims[dim] - 1;
	const var wide = emit_convert(b, x[0], dtype_wide(t->dtype));
	const var y = emit(b, e->prim, p, &wide, 1);
	const var before = before_block(b, e, to, emit_part(b, y, dim, last, last + 1));
	const ints at = list_others(b, t->ndim, &(ints){0});

	out[0] = (var){0};
	if (build_failed(b)) return;
	const var spread = emit_broadcast(b, before, t->dims, t->ndim, at.v);
	out[0] = emit_convert(b, emit_combined(b, &operation_of(e)->joins, spread, y), t->dtype);
}

/* Padding is behind the elements of a dim: with reverse it comes first. 1 times 1 - 0i is 1 + 0i,
 * so no number will do for products of complex ones */
static padding cumulative_needs(const eqn *e, const type *const *in, const factors *f, int operand,
                                int factor)
{
	const padding nothing = operation_of(e)->joins.nothing;

	(void)operand;
	if (!(f->own >> factor & 1) || !params_of(e)->reverse) return PAD_ANY;
	return nothing == PAD_ONE && dtype_kind(in[0]->dtype) == KIND_COMPLEX ? PAD_NONE : nothing;
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

/* through the running combination of pairs */
static void running_jvp(build *b, const eqn *e, const var *x, const var *dx, var *y, var *dy)
{
	const cumulative_params *p = params_of(e);

	(void)y;
	dy[0] = emit_running_tangent(b, &operation_of(e)->joins, x[0], dx[0], (int)p->dim,
	                             p->reverse);
}

BATCH_AS(cumulative, (cumulative_params){params_of(e)->dim + 1, params_of(e)->reverse})

#define LINEAR .jvp = jvp_linear, .transpose = cumsum_transpose
#define JOINING .jvp = running_jvp, NOT_LINEAR

/* rules_: the columns jvp and transpose, LINEAR or JOINING */
#define CUMULATIVE_ROW(prim_, what_, cost_, rules_) \
	const tsr_prim tsr__prim_##prim_ = { \
		.name = #prim_, \
		.flags = PRIM_CALLED, \
		.doc = what_ " elements up to each one along a dim; reverse: from the last one", \
		.cost = cost_, \
		.nin = 1, \
		.nout = 1, \
		.params = cumulative_fields, \
		.types = cumulative_types, \
		.factors = cumulative_factors, \
		.needs = cumulative_needs, \
		.local = cumulative_local, \
		.batch = cumulative_batch, \
		.parts = cumulative_parts, \
		.phases = cumulative_phases, \
		.scratch = cumulative_scratch, \
		.eval = cumulative_eval, \
		TSR_NO_RULE(COL_LOWER, "each result is made of the one before it"), \
		rules_, \
	};

CUMULATIVE_ROW(cumsum, "the sum of all", 3, LINEAR)
CUMULATIVE_ROW(cumprod, "the product of all", 3, JOINING)
CUMULATIVE_ROW(cummax, "the largest of all", 3, JOINING)
CUMULATIVE_ROW(cummin, "the smallest of all", 3, JOINING)
CUMULATIVE_ROW(cumlogsumexp, "the logarithm of the sum of the exponentials of all", 24, JOINING)
