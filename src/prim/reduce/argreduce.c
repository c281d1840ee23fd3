/* argreduce.c - argmax and argmin: the index along a dim of the first of the largest, or smallest;
 * the first NaN wins.
 *
 *     argmax [3 9 4 9] dim=0 dtype=i32          gives  1:i32
 *     argmin [3 1 4; nan 1 nan] dim=1 dtype=i32  gives  [1 0]:i32 */
#include "prim/checks.h"
#include "prim/cursors.h"
#include "prim/row.h"

static const arg_params *params_of(const eqn *e) { return e->params; }

static bool arg_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	const arg_params *p = params_of(e);
	const int ndim = in[0]->ndim;

	if (!check_kind(b, e, in[0], ORDERED_KINDS) || !check_known_dtype(b, e, p->dtype))
		return false;
	if (!(ONE_KIND(dtype_kind(p->dtype)) & WRAP_KINDS))
		return fail_type(b, e,
		                 "the dtype of the result must be an integer type, but got %s",
		                 tsr_dtype_name(p->dtype));
	if (!check_dim(b, e, p->dim, ndim)) return false;
	if (in[0]->dims[p->dim] < 1)
		return fail_type(b, e,
		                 "%s requires a non-empty reduced dim, got dim %lld of "
		                 "%s",
		                 eqn_name(b, e), (long long)p->dim, type_words(b, in[0]));
	int64_t *dims = dims_room(b, ndim);
	if (!dims) return false;
	for (int d = 0, kept = 0; d < ndim; d++)
		if (d != p->dim) dims[kept++] = in[0]->dims[d];
	return give_type(b, p->dtype, dims, ndim - 1, out);
}

/* does a dtype hold all indices of a dim of this size? */
static bool holds_indices(tsr_dtype dtype, int64_t size)
{
	const int bits = dtype_bits(dtype) - (dtype_kind(dtype) == KIND_INT);

	return bits >= 63 || size <= (int64_t)1 << bits;
}

/* each block gives the index of its best element, if no other block has a better one: the first of
 * these is the smallest */
static void arg_factors(const eqn *e, const type *const *in, const type *const *out, factors *f)
{
	for (int d = 0, kept = 0; d < in[0]->ndim; d++) {
		const int64_t size = in[0]->dims[d];
		if (d != params_of(e)->dim)
			factor_shared(e, in, f, d, kept++);
		else if (!holds_indices(out[0]->dtype, size))
			factor_whole(f, 0, d, size, "its indices wrap");
		else if (size != 1)
			factor_at(f, 0, d, factor_own(f, factor_reduced(f, size, FACTOR_MIN)));
	}
}

/* The best element so far is replaced by a strictly better one and by a NaN; a NaN is never
 * replaced. So the first of equal elements, or of several NaNs, wins. */
#define FIND_LOOP(dtype_, mem_, wide_, LOAD, STORE, ...) \
	case dtype_: { \
		const mem_ *x = (const mem_ *)from; \
		wide_ best = LOAD(x[0]); \
		for (int64_t i = 1; i < n && best == best; i++) { \
			const wide_ a = LOAD(x[i * stride]); \
			if (!(__VA_ARGS__) && a == a) continue; \
			best = a; \
			found = i; \
		} \
		break; \
	}

static int64_t find_max(tsr_dtype dtype, const void *from, int64_t n, int64_t stride)
{
	int64_t found = 0;

	switch (dtype) {
		ORDERED_CASES(FIND_LOOP, a > best)
	default: break;
	}
	return found;
}

static int64_t find_min(tsr_dtype dtype, const void *from, int64_t n, int64_t stride)
{
	int64_t found = 0;

	switch (dtype) {
		ORDERED_CASES(FIND_LOOP, a < best)
	default: break;
	}
	return found;
}

static void eval_arg(const eval_args *args,
                     int64_t (*find)(tsr_dtype, const void *, int64_t, int64_t))
{
	const type *x = args->in[0];
	const int dim = (int)params_of(args->eqn)->dim;
	const int64_t item = (int64_t)tsr_dtype_size(x->dtype);
	cursor kept = cursor_across(x, dim);

	for (int64_t i = 0; i < args->out[0]->size; i++) {
		const void *from = (const char *)args->x[0] + kept.at * item;
		put_u64(args->out[0]->dtype, args->y[0], i,
		        (uint64_t)find(x->dtype, from, x->dims[dim], dims_stride(x, dim)));
		cursor_next(&kept, 1);
	}
}

static void argmax_eval(const eval_args *args) { eval_arg(args, find_max); }
static void argmin_eval(const eval_args *args) { eval_arg(args, find_min); }

static kvar arg_lower(kernel *k, const eqn *e, const kvar *index, kreduction kind)
{
	const type *x = k_type(k, e, 0);
	const int dim = (int)params_of(e)->dim;
	kvar *from = k_room(k, x->ndim), at;

	k_reduce_begin(k, &x->dims[dim], 1, &at);
	for (int d = 0, kept = 0; d < x->ndim; d++) from[d] = d == dim ? at : index[kept++];
	const kvar a = k_wide(k, k_operand(k, e, 0, from));
	return k_convert(k, k_reduce_end(k, kind, a, (kvar){0}), params_of(e)->dtype);
}

/* Blocks that have not the best element give the last index of all: whichever has it gives no
 * higher one. A NaN is not equal to the best element, but is as good */
static void arg_local(build *b, const eqn *e, const localizing *to, const var *x, var *y,
                      const tsr_prim *reduce, const tsr_prim *join)
{
	const int64_t dim = params_of(e)->dim, last = to->whole[0]->dims[dim] - 1;
	const var start = to->start[0][dim];
	const reduce_params along = {{1, &dim}};
	int64_t axes[MAX_AXES];
	const preduce_params over = {{axes_listed(to->joined, axes), {0, NULL}}, COLL_TO_INVARYING};

	y[0] = emit(b, e->prim, e->params, x, 1);
	if (!start.id || build_failed(b)) return;
	const tsr_dtype dtype = build_type(b, y[0])->dtype, index = build_type(b, start)->dtype;
	const bool is_bool = to->whole[0]->dtype == TSR_BOOL;
	const var numbers = is_bool ? emit_convert(b, x[0], TSR_I32) : x[0];
	const var own = emit(b, reduce, &along, &numbers, 1);
	const var best = emit(b, join, &over, &own, 1);
	const var nan = emit_2(b, &tsr__prim_ne, own, own);
	const var has = emit_2(b, &tsr__prim_or, emit_2(b, &tsr__prim_eq, own, best), nan);
	var at = emit_convert(b, y[0], index);
	at = emit_add(b, at, emit_spread(b, start, at));
	at = emit_2(b, &tsr__prim_min, at, emit_scalar(b, index, (double)last));
	y[0] = emit_select(b, has, emit_convert(b, at, dtype),
	                   emit_scalar(b, dtype, (double)last));
}

static const field arg_fields[] = {
	PARAM(arg_params, dim, FIELD_INT),
	PARAM(arg_params, dtype, FIELD_DTYPE),
	PARAMS_END,
};

#define ARG_ROW(prim_, doc_, kind_, op_, worst_) \
	static void prim_##_local(build *b, const eqn *e, const localizing *to, const var *x, \
	                          var *y) \
	{ \
		arg_local(b, e, to, x, y, &tsr__prim_reduce_##op_, &tsr__prim_p##op_); \
	} \
	static padding prim_##_needs(const eqn *e, const type *const *in, const factors *f, \
	                             int operand, int factor) \
	{ \
		(void)e, (void)in, (void)operand; \
		return f->kind[factor] == FACTOR_REDUCE ? worst_ : PAD_ANY; \
	} \
	static void prim_##_lower(kernel *k, const eqn *e, const kvar *index, kvar *to) \
	{ \
		to[0] = arg_lower(k, e, index, kind_); \
	} \
	BATCH_AS(prim_, (arg_params){params_of(e)->dim + 1, params_of(e)->dtype}) \
	const tsr_prim tsr__prim_##prim_ = { \
		.name = #prim_, \
		.doc = doc_, \
		.flags = PRIM_OWN_WEAK | PRIM_REDUCES, \
		.cost = 2, \
		.nin = 1, \
		.nout = 1, \
		.params = arg_fields, \
		.types = arg_types, \
		.factors = arg_factors, \
		.needs = prim_##_needs, \
		.local = prim_##_local, \
		.eval = prim_##_eval, \
		.lower = prim_##_lower, \
		.batch = prim_##_batch, \
		TSR_NO_RULE(COL_JVP, "its results are indices, which have no tangents"), \
		NOT_LINEAR, \
	};
ARG_ROW(argmax, "index along a dim of the first of the largest elements; a NaN is larger than all",
        KR_ARGMAX, max, PAD_LOWEST)
ARG_ROW(argmin,
        "index along a dim of the first of the smallest elements; a NaN is smaller than all",
        KR_ARGMIN, min, PAD_HIGHEST)
