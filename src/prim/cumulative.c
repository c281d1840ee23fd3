/* cumulative.c - cumsum: along a dim, the sum of all elements up to each one. */
#include "prim/checks.h"
#include "prim/places.h"
#include "prim/row.h"

static const cumulative_params *params_of(const eqn *e) { return e->params; }

static bool cumsum_types(build *b, const eqn *e, const type *const *in, const type **out)
{
	if (!check_kind(b, e, in[0], NUMBER_KINDS) ||
	    !check_dim(b, e, params_of(e)->dim, in[0]->ndim))
		return false;
	out[0] = in[0];
	return true;
}

static void cumsum_factors(const eqn *e, const type *const *in, const type *const *out, factors *f)
{
	(void)out;
	factors_along(e, in, f, params_of(e)->dim, "scanned");
}

/* n elements from x[at] on, `stride` apart. A block sums up from +0, in order; each of its results
 * is that and what is before the block, added once (docs/numerics.md, "Running sums") */
#define DEFINE_SUMS(form_, wide_) \
	static void sums_##form_(const eval_args *args, int64_t at, int64_t stride, int64_t n) \
	{ \
		const tsr_dtype dtype = args->in[0]->dtype; \
		wide_ block[SUM_BLOCK], before = 0; \
		cursor from = {.at = at}; \
		cursor_dim(&from, n, stride); \
		for (int64_t done = 0; done < n; done += SUM_BLOCK) { \
			const int count = n - done < SUM_BLOCK ? (int)(n - done) : SUM_BLOCK; \
			wide_ sum = 0; \
			gather_##form_(block, dtype, args->x[0], &from, count); \
			for (int i = 0; i < count; i++, at += stride) { \
				sum += block[i]; \
				put_##form_(dtype, args->y[0], at, before + sum); \
			} \
			before += sum; \
		} \
	}

DEFINE_SUMS(f32, float)
DEFINE_SUMS(f64, double)
DEFINE_SUMS(u64, uint64_t)
DEFINE_SUMS(c64, c64)
DEFINE_SUMS(c128, c128)

/* lines */
static int64_t cumsum_parts(const eqn *e, const type *const *in)
{
	return in[0]->size ? in[0]->size / in[0]->dims[params_of(e)->dim] : 1;
}

static void cumsum_eval(const eval_args *args)
{
	const cumulative_params *p = params_of(args->eqn);
	const type *t = args->in[0];
	const int64_t n = t->dims[p->dim], stride = dims_stride(t, (int)p->dim);
	const int64_t end = args->end ? args->end : cumsum_parts(args->eqn, args->in);
	cursor lines = cursor_across(t, (int)p->dim);
	const bool whole = dtype_kind(t->dtype) < KIND_FLOAT;
	void (*const sums)(const eval_args *, int64_t, int64_t, int64_t) =
		whole                  ? sums_u64
		: t->dtype == TSR_F64  ? sums_f64
		: t->dtype == TSR_C64  ? sums_c64
		: t->dtype == TSR_C128 ? sums_c128
				       : sums_f32;

	cursor_skip(&lines, args->first);
	for (int64_t k = args->first; t->size && k < end; k++) {
		const int64_t last = lines.at + (n - 1) * stride;
		sums(args, p->reverse ? last : lines.at, p->reverse ? -stride : stride, n);
		cursor_next(&lines, 1);
	}
}

static const field cumulative_fields[] = {
	PARAM(cumulative_params, dim, FIELD_INT),
	PARAM(cumulative_params, reverse, FIELD_BOOL),
	PARAMS_END,
};
/* an element is part of the results behind it, so its cotangent is the sum of theirs */
TRANSPOSE_AS(cumsum, emit(b, e->prim,
                          &(cumulative_params){params_of(e)->dim, !params_of(e)->reverse}, ct, 1))
BATCH_AS(cumsum, (cumulative_params){params_of(e)->dim + 1, params_of(e)->reverse})

const tsr_prim tsr__prim_cumsum = {
	.name = "cumsum",
	.doc = "the sum of all elements up to each one along a dim; reverse: from the last one",
	.cost = 3,
	.nin = 1,
	.nout = 1,
	.params = cumulative_fields,
	.types = cumsum_types,
	.factors = cumsum_factors,
	.jvp = jvp_linear,
	.transpose = cumsum_transpose,
	.batch = cumsum_batch,
	.parts = cumsum_parts,
	.eval = cumsum_eval,
	TSR_NO_RULE(COL_LOWER, "each result is made of the one before it"),
};
