/* along.c - the public operations along a dim: sorts, and running sums. */
#include "lib/lib.h"

static tsr *turn(const call_site *site, tsr *x, int dim)
{
	return tsr_flip_at(site->where, x, TSR_DIMS(dim));
}

tsr *lib_sort(call_site *site, tsr *x, const tsr_sort_args *a)
{
	int dim;

	if (!operands_check(site, &x, 1) ||
	    !one_dim_read(site, &a->dim, handle_type(x)->ndim, -1, &dim))
		return poison_of(site->ctx);
	tsr *y = bind(site, &tsr__prim_sort, &(sort_params){dim, 1, true}, &x, 1);
	return a->descending && !handle_is_poison(y) ? turn(site, y, dim) : y;
}

static bool index_dtype_ok(const call_site *site, tsr_dtype dtype)
{
	const bool whole = dtype_ok(dtype) &&
	                   (dtype_kind(dtype) == KIND_INT || dtype_kind(dtype) == KIND_UINT);

	return !dtype || whole ||
	       fail_op(site, TSR_ERROR_TYPE, ".dtype must be an integer dtype, and is %s",
	               dtype_ok(dtype) ? tsr_dtype_name(dtype) : "no dtype");
}

/* x and the numbers of its elements, sorted together. In descending order both are turned over
 * before, and the result behind, so that the first of equals stays the first */
tsr *lib_argsort(call_site *site, tsr *x, const tsr_argsort_args *a)
{
	tsr_ctx *ctx = operands_check(site, &x, 1);
	int dim;

	if (!ctx || !index_dtype_ok(site, a->dtype) ||
	    !one_dim_read(site, &a->dim, handle_type(x)->ndim, -1, &dim))
		return poison_of(site->ctx);
	const type *t = handle_type(x);
	const tsr_dtype dtype = a->dtype ? a->dtype : dtype_counting(&ctx->base, t->dims[dim]);
	const iota_params numbers = {dtype, {t->ndim, t->dims}, dim};
	const bool turned = a->descending && !a->unstable;
	tsr *both[] = {x, bind(site, &tsr__prim_iota, &numbers, NULL, 0)};
	for (int i = 0; turned && i < 2; i++) both[i] = turn(site, both[i], dim);
	if (handle_is_poison(both[0]) || handle_is_poison(both[1])) return poison_of(ctx);
	const sort_params p = {dim, 1, !a->unstable};
	if (!bind_all(&(operation){site, &tsr__prim_sort, &p, both, 2}, both, 2))
		return poison_of(ctx);
	return a->descending ? turn(site, both[1], dim) : both[1];
}

static bool top_k(call_site *site, tsr *x, int64_t k, const tsr_top_k_args *a, tsr **out)
{
	int dim;

	if (!operands_check(site, &x, 1) ||
	    !one_dim_read(site, &a->dim, handle_type(x)->ndim, -1, &dim))
		return false;
	const int64_t n = handle_type(x)->dims[dim];
	if (k < 0 || k > n)
		return fail_op(site, TSR_ERROR_ARGUMENT,
		               "k must be between 0 and the size of dim %d, which is %lld, and "
		               "is %lld",
		               dim, (long long)n, (long long)k);
	return bind_all(&(operation){site, &tsr__prim_top_k, &(top_k_params){k, dim}, &x, 1}, out,
	                2);
}

bool lib_top_k(call_site *site, tsr *x, int64_t k, tsr *out[2], const tsr_top_k_args *given)
{
	if (top_k(site, x, k, given, out)) return true;
	out[0] = out[1] = poison_of(tsr_ctx_of(x));
	return false;
}

static bool sort_together(call_site *site, tsr *const *x, tsr **out, int n,
                          const tsr_sort_operands_args *a)
{
	int dim;

	if (!operands_check(site, x, n) ||
	    !one_dim_read(site, &a->dim, handle_type(x[0])->ndim, -1, &dim))
		return false;
	const sort_params p = {dim, a->num_keys ? a->num_keys : 1, !a->unstable};
	return bind_all(&(operation){site, &tsr__prim_sort, &p, x, n}, out, n);
}

bool lib_sort_operands(call_site *site, tsr *const *x, tsr **out, size_t n,
                       const tsr_sort_operands_args *given)
{
	if (sort_together(site, x, out, n > INT32_MAX ? INT32_MAX : (int)n, given)) return true;
	for (size_t i = 0; i < n; i++) out[i] = poison_of(site->ctx);
	return false;
}

/* the dtype that elements are added in: bools are counted */
static tsr_dtype count_dtype(const call_site *site, tsr_dtype dtype)
{
	return dtype == TSR_BOOL ? dtype_usual(&site->ctx->base, KIND_INT) : dtype;
}

static tsr *running(call_site *site, const tsr_prim *row, tsr *x, const cumulative_params *p,
                    tsr_dtype dtype)
{
	const tsr_dtype result = dtype ? dtype : count_dtype(site, handle_type(x)->dtype);

	if (result == TSR_BOOL) x = convert(site, x, TSR_BOOL);
	x = convert(site, x, count_dtype(site, result));
	if (handle_is_poison(x)) return x;
	return convert(site, bind(site, row, p, &x, 1), result);
}

static tsr *running_flat(call_site *site, const tsr_prim *row, tsr *x, const tsr_cumsum_args *a)
{
	int dim;

	if (!operands_check(site, &x, 1) || !dtype_given_ok(site, a->dtype))
		return poison_of(site->ctx);
	if (!dims_given(&a->dim)) x = tsr_ravel_at(site->where, x);
	if (handle_is_poison(x)) return x;
	if (!one_dim_read(site, &a->dim, handle_type(x)->ndim, 0, &dim))
		return poison_of(site->ctx);
	return running(site, row, x, &(cumulative_params){dim, a->reverse}, a->dtype);
}

tsr *lib_cumsum(call_site *site, tsr *x, const tsr_cumsum_args *given)
{
	return running_flat(site, &tsr__prim_cumsum, x, given);
}

tsr *lib_cumprod(call_site *site, tsr *x, const tsr_cumsum_args *given)
{
	return running_flat(site, &tsr__prim_cumprod, x, given);
}

/* x with this number in place of NaN */
static tsr *without_nan(const call_site *site, tsr *x, int64_t number)
{
	return tsr_where_at(site->where, (tsr_arg[]){{.kind = TSR_KIND_ONE,
	                                              .as.one = tsr_isnan_at(site->where, x)},
	                                             {.kind = TSR_KIND_INT, .as.i = number},
	                                             {.kind = TSR_KIND_ONE, .as.one = x}});
}

tsr *lib_nancumsum(call_site *site, tsr *x, const tsr_cumsum_args *given)
{
	return running_flat(site, &tsr__prim_cumsum, without_nan(site, x, 0), given);
}

tsr *lib_nancumprod(call_site *site, tsr *x, const tsr_cumsum_args *given)
{
	return running_flat(site, &tsr__prim_cumprod, without_nan(site, x, 1), given);
}

/* y with `initial` in front along a dim */
static tsr *behind_initial(const call_site *site, tsr *y, int dim, int64_t initial)
{
	const type *t = handle_type(y);
	const tsr_arg number = {.kind = TSR_KIND_INT, .as.i = initial};
	const int64_t none[MAX_NDIM] = {0};
	int64_t low[MAX_NDIM] = {0};
	const pad_params p = {{t->ndim, low}, {t->ndim, none}, {t->ndim, none}};

	low[dim] = 1;
	return bind(site, &tsr__prim_pad, &p,
	            (tsr *[]){y, constant_as(site, etype_of(t), &number)}, 2);
}

/* initial: 0 of sums, which are as wide as tsr_sum(), or 1 of products, which are as narrow as x */
static tsr *cumulative(call_site *site, const tsr_prim *row, int64_t initial, tsr *x,
                       const tsr_cumulative_args *a)
{
	tsr_ctx *ctx = operands_check(site, &x, 1);
	int dim;

	if (!ctx || !dtype_given_ok(site, a->dtype)) return poison_of(site->ctx);
	const int ndim = handle_type(x)->ndim;
	if (!dims_given(&a->dim) && ndim != 1) {
		fail_op(site, TSR_ERROR_ARGUMENT,
		        ".dim must be given where x has not one dim, and it has %d", ndim);
		return poison_of(ctx);
	}
	if (!one_dim_read(site, &a->dim, ndim, 0, &dim)) return poison_of(ctx);
	const tsr_dtype own = initial ? 0 : sum_dtype(&site->ctx->base, handle_type(x)->dtype);
	const tsr_dtype dtype = a->dtype ? a->dtype : own;
	tsr *y = running(site, row, x, &(cumulative_params){dim, false}, dtype);
	return a->include_initial && !handle_is_poison(y) ? behind_initial(site, y, dim, initial)
	                                                  : y;
}

tsr *lib_cumulative_sum(call_site *site, tsr *x, const tsr_cumulative_args *given)
{
	return cumulative(site, &tsr__prim_cumsum, 0, x, given);
}

tsr *lib_cumulative_prod(call_site *site, tsr *x, const tsr_cumulative_args *given)
{
	return cumulative(site, &tsr__prim_cumprod, 1, x, given);
}

/* as jax.lax has it: along the first dim, in the dtype of x */
static tsr *running_own(call_site *site, const tsr_prim *row, tsr *x, const tsr_cummax_args *a)
{
	int dim;

	if (!operands_check(site, &x, 1) ||
	    !one_dim_read(site, &a->dim, handle_type(x)->ndim, 0, &dim))
		return poison_of(site->ctx);
	return bind(site, row, &(cumulative_params){dim, a->reverse}, &x, 1);
}

tsr *lib_cummax(call_site *site, tsr *x, const tsr_cummax_args *given)
{
	return running_own(site, &tsr__prim_cummax, x, given);
}

tsr *lib_cummin(call_site *site, tsr *x, const tsr_cummax_args *given)
{
	return running_own(site, &tsr__prim_cummin, x, given);
}

tsr *lib_cumlogsumexp(call_site *site, tsr *x, const tsr_cummax_args *given)
{
	return running_own(site, &tsr__prim_cumlogsumexp, x, given);
}
