/* dot.c - dot_general: products of elements summed over contracted dims, by chains of fused steps
 * (dot_eval.c).
 *
 * Sums are taken in the dtype of the result, or in that of the operands if it is wider, and in f32
 * for f16 and bf16; then they are cast to the dtype of the result, with one rounding.
 *
 *     dot_general [1 2; 3 4] [1; 10] contract_a=[1] contract_b=[0] batch_a=[] batch_b=[]
 *       dtype=f32  gives  [21; 43]
 *     dot_general [1 2; 3 4] [1 10; 100 1000] contract_a=[1] contract_b=[1] batch_a=[0]
 *       batch_b=[0] dtype=f32  gives  [21 4300] */
#include <math.h>
#include "prim/checks.h"
#include "prim/products/dot.h"
#include "prim/row.h"

static const dot_params *params_of(const eqn *e) { return e->params; }

/* ---- types */

static bool check_dim_list(build *b, const eqn *e, const char *what, const ints *list, int ndim)
{
	for (int i = 0; i < list->n; i++) {
		if (list->v[i] < 0 || list->v[i] >= ndim)
			return fail_type(
				b, e,
				"dot_general requires %s dims to be nonnegative and "
				"less than the number of dims of the operand, got %s for %d "
				"dims",
				what, dims_words(b, list->v, list->n), ndim);
		for (int j = 0; j < i; j++)
			if (list->v[j] == list->v[i])
				return fail_type(
					b, e,
					"dot_general requires %s dims to be distinct, got %s",
					what, dims_words(b, list->v, list->n));
	}
	return true;
}

static bool check_pairs(build *b, const eqn *e, const char *what, const type *const *in,
                        const ints *a, const ints *c)
{
	if (a->n != c->n)
		return fail_type(b, e,
		                 "%s requires equal numbers of %s dims, got lhs %s "
		                 "and rhs %s",
		                 eqn_name(b, e), what, dims_words(b, a->v, a->n),
		                 dims_words(b, c->v, c->n));
	if (!check_dim_list(b, e, what, a, in[0]->ndim) ||
	    !check_dim_list(b, e, what, c, in[1]->ndim))
		return false;
	for (int i = 0; i < a->n; i++) {
		const int64_t m = in[0]->dims[a->v[i]], n = in[1]->dims[c->v[i]];
		if (m != n)
			return fail_type(
				b, e,
				"dot_general requires %s dims to have equal sizes: dim "
				"%lld of the lhs has size %lld and dim %lld of the rhs has "
				"size %lld, got %s and %s",
				what, (long long)a->v[i], (long long)m, (long long)c->v[i],
				(long long)n, type_words(b, in[0]), type_words(b, in[1]));
	}
	return true;
}

static bool check_apart(build *b, const eqn *e, const char *side, const ints *contract,
                        const ints *batch)
{
	for (int i = 0; i < contract->n; i++)
		if (has_int(batch, contract->v[i]))
			return fail_type(
				b, e,
				"dot_general requires batch dims to be disjoint from "
				"contracting dims, got %s dim %lld in both",
				side, (long long)contract->v[i]);
	return true;
}

tsr_dtype dot_sum_dtype(tsr_dtype from, tsr_dtype to)
{
	const bool to_whole = dtype_kind(to) < KIND_FLOAT;

	if (to_whole && dtype_kind(from) < KIND_FLOAT) return to;
	const tsr_dtype wide = to_whole ? dtype_wide(from)
	                                : tsr_promote(dtype_wide(from), dtype_wide(to));
	return dtype_kind(from) == KIND_COMPLEX ? wide : dtype_real(wide);
}

int dot_terms(int precision, const dot_term **out)
{
	/* the last ones of these, from the smallest to the largest */
	static const dot_term all[MOST_DOT_TERMS] = {{2, 2}, {1, 2}, {2, 1}, {1, 1}, {2, 0},
	                                             {0, 2}, {1, 0}, {0, 1}, {0, 0}};
	static const int n[] = {1, 1, 3, 6, MOST_DOT_TERMS, 1};

	*out = all + MOST_DOT_TERMS - n[precision];
	return n[precision];
}

bool sums_pairs(const eqn *e)
{
	return e->prim == &tsr__prim_dot_general && params_of(e)->precision == DOT_BF16_PAIRS;
}

static bool check_precision(build *b, const eqn *e, tsr_dtype of)
{
	const bool pairs = sums_pairs(e);

	if (pairs && of == TSR_BF16) of = TSR_F32;
	if (pairs && of == TSR_F32 && dot_sum_dtype(of, params_of(e)->dtype) != TSR_F32)
		return fail_type(b, e, "%s by pairs sums in f32, got %s as its result",
		                 eqn_name(b, e), tsr_dtype_name(params_of(e)->dtype));
	return params_of(e)->precision == DOT_EXACT || of == TSR_F32 ||
	       fail_type(b, e, "%s with a `precision` takes f32%s, got %s", eqn_name(b, e),
	                 pairs ? " or bf16" : "", tsr_dtype_name(of));
}

/* JAX's rule: sums of floats may be rounded to any dtype, other sums not to a narrower one */
static bool check_result_dtype(build *b, const eqn *e, tsr_dtype from, tsr_dtype to)
{
	if (!check_known_dtype(b, e, to)) return false;
	const tsr_dtype part = dtype_real(from), part_to = dtype_real(to);
	if (from == to || from == TSR_BOOL || dtype_kind(from) == KIND_FLOAT ||
	    (to != TSR_BOOL && dtype_bits(part_to) >= dtype_bits(part)))
		return true;
	return fail_type(b, e,
	                 "%s: `dtype` must not be narrower than the operands', "
	                 "got %s for %s",
	                 eqn_name(b, e), tsr_dtype_name(to), tsr_dtype_name(from));
}

static int free_dims(const type *t, const ints *batch, const ints *contract, int64_t *dims)
{
	int n = 0;

	for (int d = 0; d < t->ndim; d++)
		if (!has_int(batch, d) && !has_int(contract, d)) dims[n++] = t->dims[d];
	return n;
}

static bool dot_general_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	const dot_params *p = params_of(e);

	if (!check_same_dtypes(b, e, in, 0, 2) ||
	    !check_pairs(b, e, "batch", in, &p->batch_a, &p->batch_b) ||
	    !check_pairs(b, e, "contracting", in, &p->contract_a, &p->contract_b) ||
	    !check_apart(b, e, "lhs", &p->contract_a, &p->batch_a) ||
	    !check_apart(b, e, "rhs", &p->contract_b, &p->batch_b) ||
	    !check_result_dtype(b, e, in[0]->dtype, p->dtype) ||
	    !check_precision(b, e, in[0]->dtype))
		return false;
	int64_t *dims = dims_room(b, in[0]->ndim + in[1]->ndim);
	if (!dims) return false;
	int n = 0;
	for (; n < p->batch_a.n; n++) dims[n] = in[0]->dims[p->batch_a.v[n]];
	n += free_dims(in[0], &p->batch_a, &p->contract_a, dims + n);
	n += free_dims(in[1], &p->batch_b, &p->contract_b, dims + n);
	return give_type(b, p->dtype, dims, n, out);
}

/* ---- factors */

static int factors_free(factors *f, int value, const type *t, const ints *batch,
                        const ints *contract, int result, int at)
{
	for (int d = 0; d < t->ndim; d++) {
		if (has_int(batch, d) || has_int(contract, d)) continue;
		const int factor = factor_new(f, t->dims[d], FACTOR_PASS);
		factor_at(f, value, d, factor);
		factor_at(f, result, at++, factor);
	}
	return at;
}

static tsr_dtype dot_general_reduces_in(const eqn *e, const type *const *in,
                                        const type *const *out)
{
	(void)e;
	return dot_sum_dtype(in[0]->dtype, out[0]->dtype);
}

static void dot_general_factors(const eqn *e, const type *const *in, const type *const *out,
                                factors *f)
{
	const dot_params *p = params_of(e);
	int at = 0;

	for (; at < p->batch_a.n; at++) {
		const int factor = factor_new(f, in[0]->dims[p->batch_a.v[at]], FACTOR_PASS);
		factor_at(f, 0, (int)p->batch_a.v[at], factor);
		factor_at(f, 1, (int)p->batch_b.v[at], factor);
		factor_at(f, e->nin, at, factor);
	}
	/* of bools: whether any product is true */
	const tsr_dtype sum = dot_general_reduces_in(e, in, out);
	const factor_op op = sum == TSR_BOOL ? FACTOR_OR : FACTOR_SUM;
	for (int i = 0; i < p->contract_a.n; i++) {
		const int64_t size = in[0]->dims[p->contract_a.v[i]];
		const int factor = factor_rounds(f, factor_reduced(f, size, op), sum);
		factor_at(f, 0, (int)p->contract_a.v[i], factor);
		factor_at(f, 1, (int)p->contract_b.v[i], factor);
	}
	at = factors_free(f, 0, in[0], &p->batch_a, &p->contract_a, e->nin, at);
	factors_free(f, 1, in[1], &p->batch_b, &p->contract_b, e->nin, at);
}

/* 0 in both operands, since 0 times NaN is NaN; of whole numbers in one of them */
static padding dot_general_needs(const eqn *e, const type *const *in, const factors *f, int operand,
                                 int factor)
{
	(void)e;
	return f->kind[factor] != FACTOR_REDUCE ||
	                       (operand && dtype_kind(in[0]->dtype) < KIND_FLOAT)
	               ? PAD_ANY
	               : PAD_ZERO;
}

/* ---- lower */

/* an element of operand `me` (0 or 1); at: the first of its free dims in the result */
static kvar dot_element(kernel *k, const eqn *e, int me, const kvar *index, int at,
                        const kvar *summed)
{
	const dot_params *p = params_of(e);
	const ints *batch = me ? &p->batch_b : &p->batch_a;
	const ints *contract = me ? &p->contract_b : &p->contract_a;
	const int ndim = k_type(k, e, me)->ndim;
	kvar *from = k_room(k, ndim);

	for (int d = 0; d < ndim; d++)
		if (!has_int(batch, d) && !has_int(contract, d)) from[d] = index[at++];
	for (int i = 0; i < batch->n; i++) from[batch->v[i]] = index[i];
	for (int i = 0; i < contract->n; i++) from[contract->v[i]] = summed[i];
	return k_wide(k, k_operand(k, e, me, from));
}

/* part number `which` of an f32 */
static kvar dot_part(kernel *k, kvar x, int which)
{
	const float infinity = INFINITY, zero = 0;

	for (;; which--) {
		const kvar high = k_convert(k, k_convert(k, x, TSR_BF16), TSR_F32);
		if (!which) return high;
		const kvar finite = k_binary(k, K_LT, k_unary(k, K_ABS, high),
		                             k_const(k, TSR_F32, &infinity));
		x = k_select(k, finite, k_binary(k, K_SUB, x, high), k_const(k, TSR_F32, &zero));
	}
}

/* the sum of the products of two parts, or of the operands themselves */
static kvar dot_sum(kernel *k, const eqn *e, const kvar *index, const dot_term *parts)
{
	const dot_params *p = params_of(e);
	const type *a = k_type(k, e, 0);
	const int n = p->contract_a.n, free_a = a->ndim - n - p->batch_a.n;
	const tsr_dtype wide = dot_sum_dtype(a->dtype, p->dtype);
	kvar *summed = k_room(k, n);
	int64_t *extents = k_extents(k, n);

	for (int i = 0; i < n; i++) extents[i] = a->dims[p->contract_a.v[i]];
	k_reduce_begin(k, extents, n, summed);
	kvar x = dot_element(k, e, 0, index, p->batch_a.n, summed);
	kvar y = dot_element(k, e, 1, index, p->batch_a.n + free_a, summed);
	if (p->precision != DOT_EXACT) {
		x = dot_part(k, x, parts->a);
		y = dot_part(k, y, parts->b);
	}
	x = k_convert(k, x, wide);
	y = k_convert(k, y, wide);
	if (dtype_kind(wide) >= KIND_FLOAT) return k_reduce_end(k, KR_DOT, x, y);
	return k_reduce_end(k, wide == TSR_BOOL ? KR_OR : KR_SUM, k_binary(k, K_MUL, x, y),
	                    (kvar){0});
}

static void dot_general_lower(kernel *k, const eqn *e, const kvar *index, kvar *to)
{
	const dot_params *p = params_of(e);
	const dot_term *term;
	const int n = dot_terms(p->precision, &term);

	if (sums_pairs(e)) {
		k_refuse(k);
		return;
	}
	kvar sum = dot_sum(k, e, index, &term[0]);

	for (int i = 1; i < n; i++) {
		if (i == n - 1) {
			const kvar none = k_convert(k, k_number(k, TSR_F32, 0), k_dtype(k, sum));
			sum = k_select(k, k_binary(k, K_NE, sum, sum), none, sum);
		}
		sum = k_binary(k, K_ADD, sum, dot_sum(k, e, index, &term[i]));
	}
	to[0] = dtype_kind(k_dtype(k, sum)) >= KIND_FLOAT ? k_convert(k, sum, p->dtype) : sum;
}

/* ---- as products of matrices */

static bool is_run(const ints *dims, int64_t first)
{
	for (int i = 0; i < dims->n; i++)
		if (dims->v[i] != first + i) return false;
	return true;
}

bool is_matrix(const type *t, const ints *batch, const ints *contract, bool *first)
{
	if (!is_run(batch, 0) || !contract->n) return false;
	*first = is_run(contract, batch->n);
	return *first || is_run(contract, t->ndim - contract->n);
}

/* ---- rules */

/* d(ab) = da b + a db */
static void dot_general_jvp(build *b, const eqn *e, const var *x, const var *dx, var *y, var *dy)
{
	(void)y;
	dy[0] = emit_add(b, emit(b, e->prim, e->params, (var[]){dx[0], x[1]}, 2),
	                 emit(b, e->prim, e->params, (var[]){x[0], dx[1]}, 2));
}

/* one operand: its dims, and those that are neither batch nor contracted */
typedef struct operand {
	const ints *batch, *contract;
	ints free;
} operand;

static operand operand_of(build *b, const eqn *e, const type *const *in, int i)
{
	const dot_params *p = params_of(e);
	operand o = {i ? &p->batch_b : &p->batch_a, i ? &p->contract_b : &p->contract_a, {0}};
	int64_t *taken = ints_room(b, in[i]->ndim);
	int n = 0;

	for (int k = 0; taken && k < o.batch->n; k++) taken[n++] = o.batch->v[k];
	for (int k = 0; taken && k < o.contract->n; k++) taken[n++] = o.contract->v[k];
	o.free = list_others(b, in[i]->ndim, &(ints){n, taken});
	return o;
}

/* how many entries of `list` are less than this one */
static int rank_of(const ints *list, int64_t entry)
{
	int n = 0;

	for (int i = 0; i < list->n; i++) n += list->v[i] < entry;
	return n;
}

/* The cotangent of operand `me`: the product of ct and the other operand, summed over the free dims
 * of the other operand, in the dtype of the sum. Its dims are the batch dims, and then, for the
 * first operand, its own free dims and the contracted ones, these in their order in the other
 * operand. For the second operand the contracted dims come first. A transpose puts all dims in
 * their places; for matrices, C = A B, that is none: dA = dC B', dB = A' dC. */
static var dot_back(build *b, const eqn *e, const type *const *in, int me, var other, var ct)
{
	const operand mine = operand_of(b, e, in, me), its = operand_of(b, e, in, !me);
	const int nbatch = mine.batch->n, nfree = mine.free.n, ncontract = mine.contract->n;
	const ints all = list_others(b, nbatch + nfree + its.free.n, &(ints){0});
	int64_t *perm = ints_room(b, in[me]->ndim);

	if (build_failed(b)) return (var){0};
	const ints ct_batch = {nbatch, all.v};
	const ints ct_its = {its.free.n, all.v + nbatch + (me ? 0 : nfree)};
	const tsr_dtype own = in[me]->dtype, result = params_of(e)->dtype;
	const tsr_dtype dtype = own == result ? own : dot_sum_dtype(own, result);
	const bool keeps = dtype == TSR_F32 || sums_pairs(e);
	const int precision = keeps ? params_of(e)->precision : DOT_EXACT;
	const dot_params first = {ct_its, its.free, ct_batch, *its.batch, dtype, precision};
	const dot_params second = {its.free, ct_its, *its.batch, ct_batch, dtype, precision};
	const var wide = emit_convert(b, other, dtype), wide_ct = emit_convert(b, ct, dtype);
	const var product = emit(b, e->prim, me ? &second : &first,
	                         (var[]){me ? wide : wide_ct, me ? wide_ct : wide}, 2);
	for (int i = 0; i < nbatch; i++) perm[mine.batch->v[i]] = i;
	for (int i = 0; i < nfree; i++) perm[mine.free.v[i]] = nbatch + (me ? ncontract : 0) + i;
	for (int i = 0; i < ncontract; i++)
		perm[mine.contract->v[i]] =
			nbatch + (me ? 0 : nfree) + rank_of(its.contract, its.contract->v[i]);
	return emit_convert(b, emit_transpose(b, product, perm), own);
}

static void dot_general_transpose(build *b, const eqn *e, const type *const *in, const var *x,
                                  const var *ct, var *dx)
{
	const int me = is_zero(x[0]) ? 0 : 1;

	if (is_zero(x[!me]))
		not_linear(b, e, "it is not linear in both operands together");
	else
		dx[me] = dot_back(b, e, in, me, x[!me], *ct);
}

/* Both mapped: the batch is one more batch dim, in front. One mapped: the batch is the first free
 * dim of that operand, and moves to the front of the result. */
static void dot_general_batch(build *b, const eqn *e, const batching *to, const var *x,
                              const bool *mapped, var *y, bool *ymapped)
{
	dot_params p = *params_of(e);
	const bool both = mapped[0] && mapped[1];
	const int nbatch = p.batch_a.n;

	(void)to;
	ymapped[0] = true;
	if (mapped[0]) p.contract_a = list_plus(b, &p.contract_a, 1);
	if (mapped[1]) p.contract_b = list_plus(b, &p.contract_b, 1);
	if (mapped[0])
		p.batch_a = both ? list_behind(b, 0, &p.batch_a, 1) : list_plus(b, &p.batch_a, 1);
	if (mapped[1])
		p.batch_b = both ? list_behind(b, 0, &p.batch_b, 1) : list_plus(b, &p.batch_b, 1);
	y[0] = emit(b, e->prim, &p, x, 2);
	if (both || is_zero(y[0])) return;
	const int free_a = build_type(b, x[0])->ndim - nbatch - p.contract_a.n;
	y[0] = emit_move_dim(b, y[0], mapped[0] ? nbatch : nbatch + free_a, 0);
}

static const char *const precisions[] = {"",
                                         "bf16_bf16_f32",
                                         "bf16_bf16_f32_x3",
                                         "bf16_bf16_f32_x6",
                                         "bf16_bf16_f32_x9",
                                         "bf16_pairs",
                                         NULL};
static const field dot_fields[] = {
	PARAM(dot_params, contract_a, FIELD_INTS), PARAM(dot_params, contract_b, FIELD_INTS),
	PARAM(dot_params, batch_a, FIELD_INTS),    PARAM(dot_params, batch_b, FIELD_INTS),
	PARAM(dot_params, dtype, FIELD_DTYPE),
	{"precision", offsetof(dot_params, precision), FIELD_WORD, precisions},
	PARAMS_END,
};
LOCAL_ROW(dot_general,
          "products of elements, summed over contracted dims, for each index of the batch dims", 2,
          dot_fields, .flags = PRIM_REDUCES, .cost = 1, .scratch = dot_general_scratch,
          .needs = dot_general_needs,
          .reduces_in = dot_general_reduces_in,
          .jvp = dot_general_jvp,
          .transpose = dot_general_transpose,
          .batch = dot_general_batch)
