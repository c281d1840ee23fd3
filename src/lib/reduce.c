/* reduce.c - the public reductions: NumPy's result dtypes in front of the primitives. */
#include "lib/lib.h"

/* the reduced dims again, with size 1 */
static tsr *keep_dims(tsr_ctx *ctx, const char *where, tsr *y, const int64_t *dims, int n)
{
	return handle_is_poison(y) || !n
	               ? y
	               : bind(ctx, where, &tsr__prim_expand_dims, &(dims_params){{n, dims}}, &y, 1);
}

static tsr *reduce(tsr_ctx *ctx, const char *where, const char *op, const tsr_prim *prim, tsr *x,
                   const tsr_reduce_args *a)
{
	int64_t dims[255];
	int n;

	if (handle_is_poison(x) ||
	    !dims_read(ctx, where, op, &a->dims, handle_type(x)->ndim, dims, &n))
		return poison_of(ctx);
	tsr *y = n ? bind(ctx, where, prim, &(reduce_params){{n, dims}}, &x, 1) : x;
	return a->keep ? keep_dims(ctx, where, y, dims, n) : y;
}

/* sums and products of bools and small integers are taken in 32 bits, as NumPy widens */
static tsr_dtype sum_dtype(tsr_dtype own)
{
	const enum dtype_kind k = dtype_kind(own);
	if (k == KIND_BOOL || (k == KIND_INT && dtype_bits(own) < 32)) return TSR_I32;
	return k == KIND_UINT && dtype_bits(own) < 32 ? TSR_U32 : own;
}

static tsr *total(const char *where, const char *op, const tsr_prim *prim, tsr *x,
                  const tsr_reduce_args *a)
{
	tsr *poison;
	tsr_ctx *ctx = operands_check(where, op, &x, 1, &poison);

	if (!ctx) return poison;
	return reduce(ctx, where, op, prim,
	              convert(ctx, where, x, sum_dtype(handle_type(x)->dtype)), a);
}

static tsr *as_is(const char *where, const char *op, const tsr_prim *prim, tsr *x,
                  const tsr_reduce_args *a, tsr_dtype to)
{
	tsr *poison;
	tsr_ctx *ctx = operands_check(where, op, &x, 1, &poison);

	if (!ctx) return poison;
	return reduce(ctx, where, op, prim,
	              convert(ctx, where, x, to ? to : handle_type(x)->dtype), a);
}

#define REDUCTION(name, call) \
	tsr *tsr_##name##_at(const char *where, tsr *x, const tsr_reduce_args *given) \
	{ \
		const tsr_reduce_args *a = \
			KEYWORDS(tsr_reduce_args, where, tsr_ctx_of(x), given); \
		if (!a) return poison_of(tsr_ctx_of(x)); \
		return call; \
	}
REDUCTION(sum, total(where, "sum", &tsr__prim_reduce_sum, x, a))
REDUCTION(prod, total(where, "prod", &tsr__prim_reduce_prod, x, a))
REDUCTION(max, as_is(where, "max", &tsr__prim_reduce_max, x, a, TSR_DTYPE_DEFAULT))
REDUCTION(min, as_is(where, "min", &tsr__prim_reduce_min, x, a, TSR_DTYPE_DEFAULT))
REDUCTION(all, as_is(where, "all", &tsr__prim_reduce_and, x, a, TSR_BOOL))
REDUCTION(any, as_is(where, "any", &tsr__prim_reduce_or, x, a, TSR_BOOL))

static tsr_arg handle_arg(tsr *x) { return (tsr_arg){TSR_KIND_ONE, {.one = x}}; }

static int64_t reduced_count(const type *t, const int64_t *dims, int n)
{
	int64_t count = 1;

	for (int i = 0; i < n; i++) count *= t->dims[dims[i]];
	return count;
}

/* sum / count, in floats, those of 16 bits in f32 until the end; the mean of nothing is NaN */
tsr *tsr_mean_at(const char *where, tsr *x, const tsr_reduce_args *given)
{
	const tsr_reduce_args *a = KEYWORDS(tsr_reduce_args, where, tsr_ctx_of(x), given);
	if (!a) return poison_of(tsr_ctx_of(x));
	tsr *poison;
	tsr_ctx *ctx = operands_check(where, "mean", &x, 1, &poison);
	int64_t dims[255];
	int n;

	if (!ctx || !dims_read(ctx, where, "mean", &a->dims, handle_type(x)->ndim, dims, &n))
		return poison;
	const tsr_dtype dtype = dtype_inexact(handle_type(x)->dtype);
	const double count = (double)reduced_count(handle_type(x), dims, n);
	tsr *sum = reduce(ctx, where, "mean", &tsr__prim_reduce_sum,
	                  convert(ctx, where, x, dtype_wide(dtype)), a);
	tsr *y = tsr_div_at(where,
	                    (tsr_arg[]){handle_arg(sum), {TSR_KIND_FLOAT, {.f = {count, 0}}}});
	return convert(ctx, where, y, dtype);
}

/* m + log(sum(exp(x - m))) with m the largest real part, or 0 where that is not finite; floats of
 * 16 bits in f32 until the end. It does not depend on m, and m has no derivative */
tsr *tsr_logsumexp_at(const char *where, tsr *x, const tsr_reduce_args *given)
{
	const tsr_reduce_args *a = KEYWORDS(tsr_reduce_args, where, tsr_ctx_of(x), given);
	if (!a) return poison_of(tsr_ctx_of(x));
	tsr *poison;
	tsr_ctx *ctx = operands_check(where, "logsumexp", &x, 1, &poison);
	tsr_reduce_args keep = *a;
	int64_t dims[255];
	int n;

	if (!ctx || !dims_read(ctx, where, "logsumexp", &a->dims, handle_type(x)->ndim, dims, &n))
		return poison;
	const tsr_dtype dtype = dtype_inexact(handle_type(x)->dtype), wide = dtype_wide(dtype);
	keep.keep = true;
	x = convert(ctx, where, x, wide);
	tsr *top = tsr_stop_gradient_at(where, convert(ctx, where, x, dtype_real(wide)));
	top = tsr_max_at(where, top, &keep);
	top = tsr_where_at(where, (tsr_arg[]){handle_arg(tsr_is_finite_at(where, top)),
	                                      handle_arg(top),
	                                      {TSR_KIND_INT, {.i = 0}}});
	tsr *e = tsr_exp_at(where, tsr_sub_at(where, (tsr_arg[]){handle_arg(x), handle_arg(top)}));
	tsr *y = tsr_add_at(where,
	                    (tsr_arg[]){handle_arg(tsr_log_at(where, tsr_sum_at(where, e, &keep))),
	                                handle_arg(top)});
	y = convert(ctx, where, y, dtype);
	if (handle_is_poison(y) || a->keep || !n) return y;
	return bind(ctx, where, &tsr__prim_squeeze, &(dims_params){{n, dims}}, &y, 1);
}

static tsr *arg_of(const char *where, const char *op, const tsr_prim *prim, tsr *x,
                   const tsr_arg_args *given)
{
	const tsr_arg_args *a = KEYWORDS(tsr_arg_args, where, tsr_ctx_of(x), given);
	if (!a) return poison_of(tsr_ctx_of(x));
	tsr *poison;
	tsr_ctx *ctx = operands_check(where, op, &x, 1, &poison);
	int64_t ones[255];
	int dim = 0;

	if (!ctx) return poison;
	const int ndim = handle_type(x)->ndim;
	if (!dims_ok(ctx, where, op, ".dim", &a->dim, false)) return poison;
	if (dims_given(&a->dim) && dims_count(&a->dim) != 1)
		return refuse(ctx, where, TSR_ERROR_ARGUMENT, "%s: .dim takes one dim", op);
	if (dims_given(&a->dim) && !dim_read(ctx, where, op, dims_of(&a->dim)[0], ndim, &dim))
		return poison;
	if (!dims_given(&a->dim)) x = tsr_ravel_at(where, x);
	if (handle_is_poison(x)) return x;
	tsr *y = bind(ctx, where, prim, &(arg_params){dim, TSR_I32}, &x, 1);
	if (!a->keep) return y;
	for (int d = 0; d < ndim; d++) ones[d] = d;
	return dims_given(&a->dim) ? keep_dims(ctx, where, y, (int64_t[]){dim}, 1)
	                           : keep_dims(ctx, where, y, ones, ndim);
}

tsr *tsr_argmax_at(const char *where, tsr *x, const tsr_arg_args *a)
{
	return arg_of(where, "argmax", &tsr__prim_argmax, x, a);
}
tsr *tsr_argmin_at(const char *where, tsr *x, const tsr_arg_args *a)
{
	return arg_of(where, "argmin", &tsr__prim_argmin, x, a);
}
