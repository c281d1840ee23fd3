/* along.c - the public operations along a dim: sorts, and running sums. */
#include "lib/lib.h"

static tsr *turn(const char *where, tsr *x, int dim)
{
	return tsr_flip_at(where, x, (tsr_dims){{2, dim}});
}

tsr *tsr_sort_at(const char *where, tsr *x, const tsr_sort_args *given)
{
	const tsr_sort_args *a = KEYWORDS(tsr_sort_args, where, tsr_ctx_of(x), given);
	if (!a) return poison_of(tsr_ctx_of(x));
	call_site site = {.where = where, .op = "sort"};
	tsr_ctx *ctx = operands_check(&site, &x, 1);
	int dim;

	if (!ctx || !one_dim_read(&site, &a->dim, handle_type(x)->ndim, -1, &dim))
		return poison_of(site.ctx);
	tsr *y = bind(&site, &tsr__prim_sort, &(sort_params){dim, 1, true}, &x, 1);
	return a->descending && !handle_is_poison(y) ? turn(where, y, dim) : y;
}

static bool index_dtype_ok(const call_site *site, tsr_dtype dtype)
{
	const bool whole = dtype_ok(dtype) &&
	                   (dtype_kind(dtype) == KIND_INT || dtype_kind(dtype) == KIND_UINT);

	return !dtype || whole ||
	       fail(&site->ctx->base, site->where, TSR_ERROR_TYPE,
	            "%s: .dtype must be an integer dtype, and is %s", site->op,
	            dtype_ok(dtype) ? tsr_dtype_name(dtype) : "no dtype");
}

/* x and the numbers of its elements, sorted together. In descending order both are turned over
 * before, and the result behind, so that the first of equals stays the first */
tsr *tsr_argsort_at(const char *where, tsr *x, const tsr_argsort_args *given)
{
	const tsr_argsort_args *a = KEYWORDS(tsr_argsort_args, where, tsr_ctx_of(x), given);
	if (!a) return poison_of(tsr_ctx_of(x));
	call_site site = {.where = where, .op = "argsort"};
	tsr_ctx *ctx = operands_check(&site, &x, 1);
	int dim;

	if (!ctx || !index_dtype_ok(&site, a->dtype) ||
	    !one_dim_read(&site, &a->dim, handle_type(x)->ndim, -1, &dim))
		return poison_of(site.ctx);
	const type *t = handle_type(x);
	const tsr_dtype usual = t->dims[dim] > INT32_MAX ? TSR_I64 : TSR_I32;
	const iota_params numbers = {a->dtype ? a->dtype : usual, {t->ndim, t->dims}, dim};
	const bool turned = a->descending && !a->unstable;
	tsr *both[] = {x, bind(&site, &tsr__prim_iota, &numbers, NULL, 0)};
	for (int i = 0; turned && i < 2; i++) both[i] = turn(where, both[i], dim);
	if (handle_is_poison(both[0]) || handle_is_poison(both[1])) return poison_of(ctx);
	const sort_params p = {dim, 1, !a->unstable};
	if (!bind_all(&(operation){&site, &tsr__prim_sort, &p, both, 2}, both, 2))
		return poison_of(ctx);
	return a->descending ? turn(where, both[1], dim) : both[1];
}

static bool sort_together(call_site *site, tsr *const *x, tsr **out, int n,
                          const tsr_sort_operands_args *given)
{
	tsr_ctx *ctx = operands_check(site, x, n);
	const tsr_sort_operands_args *a =
		ctx ? KEYWORDS(tsr_sort_operands_args, site->where, ctx, given) : NULL;
	int dim;

	if (!a || !one_dim_read(site, &a->dim, handle_type(x[0])->ndim, -1, &dim)) return false;
	const sort_params p = {dim, a->num_keys ? a->num_keys : 1, !a->unstable};
	return bind_all(&(operation){site, &tsr__prim_sort, &p, x, n}, out, n);
}

bool tsr_sort_operands_at(const char *where, tsr *const *x, tsr **out, size_t n,
                          const tsr_sort_operands_args *given)
{
	call_site site = {.where = where, .op = "sort_operands"};

	if (sort_together(&site, x, out, n > INT32_MAX ? INT32_MAX : (int)n, given)) return true;
	for (size_t i = 0; i < n; i++) out[i] = poison_of(site.ctx);
	return false;
}

/* the dtype that elements are added in: bools are counted */
static tsr_dtype count_dtype(tsr_dtype dtype) { return dtype == TSR_BOOL ? TSR_I32 : dtype; }

tsr *tsr_cumsum_at(const char *where, tsr *x, const tsr_cumsum_args *given)
{
	const tsr_cumsum_args *a = KEYWORDS(tsr_cumsum_args, where, tsr_ctx_of(x), given);
	if (!a) return poison_of(tsr_ctx_of(x));
	call_site site = {.where = where, .op = "cumsum"};
	tsr_ctx *ctx = operands_check(&site, &x, 1);
	int dim;

	if (!ctx || !dtype_given_ok(&site, a->dtype)) return poison_of(site.ctx);
	if (!dims_given(&a->dim)) x = tsr_ravel_at(where, x);
	if (handle_is_poison(x)) return x;
	if (!one_dim_read(&site, &a->dim, handle_type(x)->ndim, 0, &dim))
		return poison_of(site.ctx);
	const tsr_dtype own = handle_type(x)->dtype;
	const tsr_dtype result = a->dtype ? a->dtype : count_dtype(own);
	if (result == TSR_BOOL) x = convert(&site, x, TSR_BOOL);
	x = convert(&site, x, count_dtype(result));
	if (handle_is_poison(x)) return x;
	tsr *y = bind(&site, &tsr__prim_cumsum, &(cumulative_params){dim, a->reverse}, &x, 1);
	return convert(&site, y, result);
}
