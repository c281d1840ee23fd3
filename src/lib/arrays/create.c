/* create.c - the public ways to make arrays: from memory, filled, counted. */
#include <math.h>
#include "lib/lib.h"

static bool sizes_ok(const call_site *site, tsr_dtype dtype, const tsr_dims *dims)
{
	int64_t bytes;

	if (!dims_ok(site, "dims", dims, true)) return false;
	if (dims_bytes(dtype, dims_of(dims), dims_count(dims), &bytes)) return true;
	str s = {.base = &site->ctx->base};
	str_dims(&s, dims_of(dims), dims_count(dims));
	fail(&site->ctx->base, site->where, TSR_ERROR_ARGUMENT,
	     "%s: %s[%s] is no array: a dim is negative, or it is too large",
	     name_asked(site->where, site->op), tsr_dtype_name(dtype), s.s ? s.s : "?");
	str_free(&s);
	return false;
}

const type *type_for(const call_site *site, tsr_dtype dtype, const tsr_dims *dims)
{
	if (!ctx_ok(site->where, site->op, site->ctx)) return NULL;
	if (!dtype_ok(dtype)) {
		fail(&site->ctx->base, site->where, TSR_ERROR_ARGUMENT, "%s: %d is not a dtype",
		     name_asked(site->where, site->op), (int)dtype);
		return NULL;
	}
	if (!sizes_ok(site, dtype, dims)) return NULL;
	return type_make(&site->ctx->ir, dtype, dims_of(dims), dims_count(dims), 0);
}

/* ---- from memory */

tsr *tsr_from_at(const char *where, tsr_ctx *ctx, tsr_dtype element,
                 const void *data, tsr_dtype dtype, tsr_dims dims)
{
	TURN_OF(ctx, where, poison_of(ctx));
	const call_site site = {ctx, where, "from"};
	const type *t = type_for(&site, dtype, &dims);
	const sharding *s = t ? sharding_one(&ctx->shards, where, ctx->home) : NULL;

	if (!s || !element_fits(ctx, where, "from", element, dtype)) return poison_of(ctx);
	if (!data && t->size) return refuse_op(&site, TSR_ERROR_ARGUMENT, "the data is NULL");
	return handle_of_array(ctx, array_from_host(ctx, t, data, s, false));
}

/* on failure `release` has not been called */
static array *wrap(const call_site *site, const void *data, const type *t, const tsr_wrap_args *a)
{
	caller_memory m = {.type = t, .data = (char *)(uintptr_t)data};

	if (dims_given(&a->strides)) m.strides = dims_of(&a->strides);
	return memory_measure(site->ctx, site->where, site->op, &m)
	               ? array_wrap(site->ctx, site->where, &m, a->writable, a->release, a->user)
	               : NULL;
}

tsr *tsr_wrap_at(const char *where, tsr_ctx *ctx, tsr_dtype element,
                 const void *data, tsr_dtype dtype, tsr_dims dims, const tsr_wrap_args *given)
{
	TURN_OF(ctx, where, poison_of(ctx));
	const tsr_wrap_args *a = KEYWORDS(tsr_wrap_args, where, ctx, given);
	if (!a) return poison_of(ctx);
	const call_site site = {ctx, where, "wrap"};
	const type *t = type_for(&site, dtype, &dims);
	array *x = NULL;

	if (t && !data && t->size)
		fail(&ctx->base, where, TSR_ERROR_ARGUMENT, "wrap: the data is NULL");
	else if (t && element_fits(ctx, where, "wrap", element, dtype) &&
	         dims_match(&site, ".strides", &a->strides, t->ndim, false))
		x = wrap(&site, data, t, a);
	if (!x && a->release) a->release(a->user, (void *)(uintptr_t)data);
	return x ? handle_of_array(ctx, x) : poison_of(ctx);
}

/* ---- filled */

static tsr *filled(const call_site *site, tsr_dims dims, tsr_dtype dtype, const tsr_arg *value)
{
	if (!type_for(site, dtype, &dims)) return poison_of(site->ctx);
	return full_of(site, (etype){dtype, false}, dims_of(&dims), dims_count(&dims), value);
}

/* with an integer, in a usual dtype of floats */
static tsr *filled_usual(const call_site *site, tsr_dims dims, int64_t value,
                         const tsr_new_args *given)
{
	TURN_OF(site->ctx, site->where, poison_of(site->ctx));
	const tsr_new_args *a = KEYWORDS(tsr_new_args, site->where, site->ctx, given);
	if (!a) return poison_of(site->ctx);
	return filled(site, dims, dtype_or_usual(site->ctx, a->dtype, KIND_FLOAT),
	              &(tsr_arg){.kind = TSR_KIND_INT, .as.i = value});
}

tsr *tsr_zeros_at(const char *where, tsr_ctx *ctx, tsr_dims dims, const tsr_new_args *given)
{
	return filled_usual(&(call_site){ctx, where, "zeros"}, dims, 0, given);
}

tsr *tsr_ones_at(const char *where, tsr_ctx *ctx, tsr_dims dims, const tsr_new_args *given)
{
	return filled_usual(&(call_site){ctx, where, "ones"}, dims, 1, given);
}

static tsr *filled_with(const call_site *site, tsr_dims dims, tsr_arg value,
                        const tsr_new_args *given)
{
	tsr_ctx *ctx = site->ctx;
	const tsr_new_args *a = KEYWORDS(tsr_new_args, site->where, ctx, given);

	if (!a || !ctx_ok(site->where, site->op, ctx)) return poison_of(ctx);
	if (value.kind <= TSR_KIND_TREE)
		return refuse_op(site, TSR_ERROR_ARGUMENT, "the value must be a number");
	return filled(site, dims, a->dtype ? a->dtype : etype_of_number(&ctx->base, &value).dtype,
	              &value);
}

tsr *tsr_full_at(const char *where, tsr_ctx *ctx, tsr_dims dims, tsr_arg value,
                 const tsr_new_args *given)
{
	TURN_OF(ctx, where, poison_of(ctx));
	return filled_with(&(call_site){ctx, where, "full"}, dims, value, given);
}

tsr *tsr_scalar_at(const char *where, tsr_ctx *ctx, tsr_arg value, const tsr_new_args *given)
{
	TURN_OF(ctx, where, poison_of(ctx));
	return filled_with(&(call_site){ctx, where, "scalar"}, TSR_DIMS(), value, given);
}

/* the array that x is, if it is where its user has put it, and strong; else NULL */
static const array *model_of(const tsr *x)
{
	const array *a = is_traced(x) ? NULL : handle_array(NULL, x);

	return a && a->committed && !a->type->weak ? a : NULL;
}

static tsr *filled_as(const array *model, int64_t value)
{
	_Alignas(16) unsigned char element[16];
	const type *t = model->type;

	dtype_convert(t->dtype, element, TSR_I64, &value, 1);
	return handle_of_array(model->ctx,
	                       array_filled(model->ctx, t, element, model->sharding, true));
}

/* Makes the result where x is, if x was put there: so the state of an optimiser is where its
 * parameters are. In a trace the result varies like x. As the first carry of a loop it therefore
 * has the type that later carries have */
static tsr *like(call_site *site, tsr *x, int64_t value)
{
	tsr_ctx *ctx = operands_check(site, &x, 1);

	if (!ctx) return poison_of(site->ctx);
	const array *model = in_trace(ctx) ? NULL : model_of(x);
	if (model) return filled_as(model, value);
	const type *t = handle_type(x);
	tsr *y = full_of(site, etype_of(t), t->dims, t->ndim,
	                 &(tsr_arg){.kind = TSR_KIND_INT, .as.i = value});
	if (t->varying && !handle_is_poison(y)) y = vary(site, y, t->varying);
	return in_trace(ctx) && t->ndim && !handle_is_poison(y)
	               ? bind(site, &tsr__prim_placed_like, NULL, (tsr *[]){y, x}, 2)
	               : y;
}

tsr *tsr_zeros_like_at(const char *where, tsr *x)
{
	return like(&(call_site){.where = where, .op = "zeros_like"}, x, 0);
}

tsr *tsr_ones_like_at(const char *where, tsr *x)
{
	return like(&(call_site){.where = where, .op = "ones_like"}, x, 1);
}

/* ---- counted */

tsr *iota_of(const call_site *site, tsr_dtype dtype, const int64_t *dims, int ndim, int dim)
{
	return bind(site, &tsr__prim_iota, &(iota_params){dtype, {ndim, dims}, dim}, NULL, 0);
}

/* each element is its index along `dim`; op is named in messages. dtype 0: one that holds them */
static tsr *index_along(const call_site *site, tsr_dims dims, int dim, tsr_dtype dtype)
{
	int at;

	if (!type_for(site, dtype ? dtype : TSR_I32, &dims) ||
	    !dim_read(site, dim, dims_count(&dims), &at))
		return poison_of(site->ctx);
	if (!dtype) dtype = dtype_counting(&site->ctx->base, dims_of(&dims)[at]);
	return iota_of(site, dtype, dims_of(&dims), dims_count(&dims), at);
}

tsr *tsr_iota_at(const char *where, tsr_ctx *ctx, tsr_dims dims, int dim,
                 const tsr_iota_args *given)
{
	TURN_OF(ctx, where, poison_of(ctx));
	const tsr_iota_args *a = KEYWORDS(tsr_iota_args, where, ctx, given);
	if (!a) return poison_of(ctx);
	return index_along(&(call_site){ctx, where, "iota"}, dims, dim, a->dtype);
}

static bool is_whole(double x) { return x >= -9e15 && x <= 9e15 && x == (double)(int64_t)x; }

/* of numbers from `start` on: that of counts if all of them are whole, else that of floats */
static tsr_dtype arange_dtype(const base *b, double start, double step, int64_t n)
{
	const double last = start + step * (double)n, most = fmax(fabs(start), fabs(last));

	if (!is_whole(start) || !is_whole(step)) return dtype_usual(b, KIND_FLOAT);
	return dtype_counting(b, most < 0x1p62 ? (int64_t)most : INT64_MAX);
}

/* start + step * i, in f64 but for the plain count */
tsr *lib_arange(call_site *site, tsr_ctx *ctx, int64_t n, const tsr_arange_args *a)
{
	const char *where = site->where;

	FLOAT_DEFAULT;
	const double step = a->step != 0 ? a->step : 1;
	const bool plain = step == 1 && a->start == 0;
	const tsr_dims dims = TSR_DIMS(n);

	if (!ctx_ok(where, "arange", ctx)) return poison_of(ctx);
	const tsr_dtype dtype = a->dtype ? a->dtype : arange_dtype(&ctx->base, a->start, step, n);
	site->op = name_asked(where, site->op);
	if (n < 0)
		return refuse_op(site, TSR_ERROR_ARGUMENT,
		                 "the count is %lld; it must not be negative", (long long)n);
	if (!type_for(site, dtype, &dims)) return poison_of(ctx);
	tsr *x = index_along(site, dims, 0, plain ? dtype : TSR_F64);
	if (plain) return x;
	x = tsr_mul_at(where, (tsr_arg[]){tsr_arg_one(x), tsr_arg_float(step)});
	x = tsr_add_at(where, (tsr_arg[]){tsr_arg_one(x), tsr_arg_float(a->start)});
	return tsr_astype_at(where, x, dtype);
}

tsr *lib_eye(call_site *site, tsr_ctx *ctx, int64_t n, const tsr_eye_args *a)
{
	const tsr_dtype dtype = dtype_or_usual(ctx, a->dtype, KIND_FLOAT);
	const tsr_dims dims = TSR_DIMS(n, a->columns ? a->columns : n);

	if (!type_for(site, dtype, &dims)) return poison_of(ctx);
	tsr *row = index_along(site, dims, 0, TSR_I64);
	tsr *col = index_along(site, dims, 1, TSR_I64);
	const tsr_arg k = {.kind = TSR_KIND_INT, .as.i = a->k};
	if (a->k) row = tsr_add_at(site->where, (tsr_arg[]){tsr_arg_one(row), k});
	tsr *same = tsr_eq_at(site->where, (tsr_arg[]){tsr_arg_one(row), tsr_arg_one(col)});

	return tsr_astype_at(site->where, same, dtype);
}
