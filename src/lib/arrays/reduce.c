/* reduce.c - the public reductions: NumPy's result dtypes, and JAX's where, initial and dtype, in
 * front of the primitives. */
#include <math.h>
#include "lib/lib.h"

static tsr_arg handle_arg(tsr *x) { return (tsr_arg){.kind = TSR_KIND_ONE, .as.one = x}; }

/* One reduction with its keywords. Elements that .where leaves out are replaced by the identity of
 * the reduction, and .initial is combined with the result. For sum([1, 2, 3], .where = [1, 0, 1],
 * .initial = 10) the sum of [1, 0, 3] is added to 10. */
typedef struct reduction {
	call_site site;
	const tsr_prim *prim;
	tsr *(*join)(const char *where, const tsr_arg ab[2]);
	tsr_arg nothing;        /* the identity of the reduction: its result of no elements */
	tsr *mask;              /* .where, or NULL */
	const tsr_arg *initial; /* .initial, or NULL */
	int64_t dims[MAX_NDIM];
	int ndims;
	bool keep;
} reduction;

/* checks the operand, and finds the dims that .dims asks for */
static bool reduction_begin(reduction *r, tsr **x, const tsr_dims *dims)
{
	return operands_check(&r->site, x, 1) &&
	       dims_read(&r->site, dims, handle_type(*x)->ndim, r->dims, &r->ndims);
}

/* the reduced dims again, with size 1 */
static tsr *keep_dims(const call_site *site, tsr *y, const int64_t *dims, int n)
{
	return handle_is_poison(y) || !n
	               ? y
	               : bind(site, &tsr__prim_expand_dims, &(dims_params){{n, dims}}, &y, 1);
}

/* checks .where, which must be bool, and broadcasts it to the dims of x */
static bool mask_prepare(const call_site *site, const tsr *x, tsr **mask)
{
	call_site both = *site;
	str want = {.base = &site->ctx->base}, got = {.base = &site->ctx->base};

	if (!*mask) return true;
	if (!operands_check(&both, (tsr *[]){(tsr *)(uintptr_t)x, *mask}, 2)) return false;
	const type *t = handle_type(x), *m = handle_type(*mask);
	if (m->dtype != TSR_BOOL)
		return fail_op(site, TSR_ERROR_TYPE,
		               ".where must be bool, and is %s: compare it with something",
		               tsr_dtype_name(m->dtype));
	const int more = t->ndim - m->ndim;
	bool fits = more >= 0;
	for (int d = 0; fits && d < m->ndim; d++)
		fits = m->dims[d] == 1 || m->dims[d] == t->dims[d + more];
	if (fits) return !handle_is_poison(*mask = broadcast_to(site, *mask, t->dims, t->ndim));
	shape_text(&want, t->dims, t->ndim);
	shape_text(&got, m->dims, m->ndim);
	fail_op(site, TSR_ERROR_TYPE, ".where of shape %s does not broadcast to %s",
	        got.s ? got.s : "?", want.s ? want.s : "?");
	str_free(&want);
	str_free(&got);
	return false;
}

/* .initial as an operand of the dtype of x, the prepared operand */
static bool initial_prepare(const reduction *r, tsr *x, tsr **out)
{
	call_site both = r->site;
	const tsr_dtype dtype = handle_type(x)->dtype;
	tsr *initial = r->initial->as.one;

	if (r->initial->kind == TSR_KIND_TREE)
		return fail_op(&r->site, TSR_ERROR_ARGUMENT,
		               ".initial must be one handle or a number");
	if (r->initial->kind != TSR_KIND_ONE) {
		*out = constant(&r->site, dtype, r->initial);
		return !handle_is_poison(*out);
	}
	if (!operands_check(&both, (tsr *[]){x, initial}, 2)) return false;
	if (handle_type(initial)->ndim)
		return fail_op(&r->site, TSR_ERROR_TYPE,
		               ".initial must be a scalar, and has %d dims",
		               handle_type(initial)->ndim);
	return !handle_is_poison(*out = convert(&r->site, initial, dtype));
}

static tsr *reduction_run(const reduction *r, tsr *x)
{
	tsr *initial = NULL, *mask = r->mask;

	if (handle_is_poison(x)) return x;
	if (!mask_prepare(&r->site, x, &mask) ||
	    (r->initial && !initial_prepare(r, x, &initial)))
		return poison_of(r->site.ctx);
	if (mask)
		x = tsr_where_at(r->site.where,
		                 (tsr_arg[]){handle_arg(mask), handle_arg(x), r->nothing});
	if (handle_is_poison(x)) return x;
	if (r->ndims) x = bind(&r->site, r->prim, &(reduce_params){{r->ndims, r->dims}}, &x, 1);
	if (initial) x = r->join(r->site.where, (tsr_arg[]){handle_arg(initial), handle_arg(x)});
	return r->keep ? keep_dims(&r->site, x, r->dims, r->ndims) : x;
}

/* ---- identities of the reductions, as C numbers */

static tsr_arg whole(int64_t i) { return (tsr_arg){.kind = TSR_KIND_INT, .as.i = i}; }

tsr_arg lowest_arg(tsr_dtype dtype)
{
	switch (dtype_kind(dtype)) {
	case KIND_BOOL: return (tsr_arg){.kind = TSR_KIND_BOOL, .as.i = 0};
	case KIND_UINT: return whole(0);
	case KIND_INT: return whole(INT64_MIN >> (64 - dtype_bits(dtype)));
	default: return (tsr_arg){.kind = TSR_KIND_FLOAT, .as.f = {-INFINITY, 0}};
	}
}

tsr_arg highest_arg(tsr_dtype dtype)
{
	switch (dtype_kind(dtype)) {
	case KIND_BOOL: return (tsr_arg){.kind = TSR_KIND_BOOL, .as.i = 1};
	case KIND_UINT:
		return (tsr_arg){.kind = TSR_KIND_UINT,
		                 .as.u = UINT64_MAX >> (64 - dtype_bits(dtype))};
	case KIND_INT: return whole(INT64_MAX >> (64 - dtype_bits(dtype)));
	default: return (tsr_arg){.kind = TSR_KIND_FLOAT, .as.f = {INFINITY, 0}};
	}
}

/* ---- sum and prod */

tsr_dtype sum_dtype(const base *b, tsr_dtype own)
{
	const enum dtype_kind kind = dtype_kind(own);
	const tsr_dtype usual = dtype_usual(b, kind == KIND_BOOL ? KIND_INT : kind);

	return kind < KIND_FLOAT && dtype_bits(own) < dtype_bits(usual) ? usual : own;
}

static const tsr_arg *given(const tsr_arg *a) { return given_arg(a) ? a : NULL; }

/* Elements are converted first. Sums of bool are `or`, products `and`. Floats of 16 bits are
 * computed in f32 and rounded once, after .initial. */
static tsr *total(call_site *site, bool product, tsr *x, const tsr_sum_args *a)
{
	reduction r = {.site = *site,
	               .mask = a->where,
	               .initial = given(&a->initial),
	               .join = product ? tsr_mul_at : tsr_add_at,
	               .nothing = product ? highest_arg(TSR_BOOL) : lowest_arg(TSR_BOOL),
	               .keep = a->keep};

	if (!reduction_begin(&r, &x, &a->dims) || !dtype_given_ok(&r.site, a->dtype))
		return poison_of(r.site.ctx);
	const tsr_dtype own = handle_type(x)->dtype;
	const tsr_dtype dtype = a->dtype ? a->dtype : sum_dtype(&r.site.ctx->base, own);
	if (dtype == TSR_BOOL)
		r.prim = product ? &tsr__prim_reduce_and : &tsr__prim_reduce_or;
	else
		r.prim = product ? &tsr__prim_reduce_prod : &tsr__prim_reduce_sum;
	x = convert(&r.site, x, r.initial ? dtype_wide(dtype) : dtype);
	return convert(&r.site, reduction_run(&r, x), dtype);
}

tsr *lib_sum(call_site *site, tsr *x, const tsr_sum_args *keywords)
{
	return total(site, false, x, keywords);
}
tsr *lib_prod(call_site *site, tsr *x, const tsr_sum_args *keywords)
{
	return total(site, true, x, keywords);
}

/* ---- max and min */

bool reduces_some(const call_site *site, tsr *x, const tsr_dims *given, bool has_initial)
{
	const char *const text = has_initial ? "takes one element at least, or .initial, and got"
	                                     : "takes one element at least, and got";
	const type *t = handle_type(x);
	int64_t dims[MAX_NDIM];
	int n;

	if (!dims_read(site, given, t->ndim, dims, &n)) return false;
	for (int i = 0; i < n; i++)
		if (!t->dims[dims[i]])
			return fail_types(site, text, &x, 1);
	return true;
}

static tsr *extreme(call_site *site, bool largest, tsr *x, const tsr_reduce_args *a)
{
	reduction r = {.site = *site,
	               .mask = a->where,
	               .prim = largest ? &tsr__prim_reduce_max : &tsr__prim_reduce_min,
	               .join = largest ? tsr_maximum_at : tsr_minimum_at,
	               .initial = given(&a->initial),
	               .keep = a->keep};

	if (!reduction_begin(&r, &x, &a->dims)) return poison_of(r.site.ctx);
	if (a->where && !r.initial)
		return refuse(&r.site, TSR_ERROR_ARGUMENT,
		              "%s with .where needs .initial, the result where nothing is left: "
		              ".initial = TSR_ARG(0)",
		              r.site.op);
	if (!r.initial && !reduces_some(&r.site, x, &a->dims, true)) return poison_of(r.site.ctx);
	const tsr_dtype dtype = handle_type(x)->dtype;
	r.nothing = largest ? lowest_arg(dtype) : highest_arg(dtype);
	return reduction_run(&r, convert(&r.site, x, dtype));
}

tsr *lib_max(call_site *site, tsr *x, const tsr_reduce_args *keywords)
{
	return extreme(site, true, x, keywords);
}
tsr *lib_min(call_site *site, tsr *x, const tsr_reduce_args *keywords)
{
	return extreme(site, false, x, keywords);
}

/* ---- all and any */

static tsr *logical(call_site *site, bool all, tsr *x, const tsr_all_args *a)
{
	reduction r = {.site = *site,
	               .mask = a->where,
	               .prim = all ? &tsr__prim_reduce_and : &tsr__prim_reduce_or,
	               .nothing = all ? highest_arg(TSR_BOOL) : lowest_arg(TSR_BOOL),
	               .keep = a->keep};

	if (!reduction_begin(&r, &x, &a->dims)) return poison_of(r.site.ctx);
	return reduction_run(&r, convert(&r.site, x, TSR_BOOL));
}

tsr *lib_all(call_site *site, tsr *x, const tsr_all_args *keywords)
{
	return logical(site, true, x, keywords);
}
tsr *lib_any(call_site *site, tsr *x, const tsr_all_args *keywords)
{
	return logical(site, false, x, keywords);
}

/* ---- bits */

static tsr *bits(call_site *site, const tsr_prim *prim, tsr *x, const tsr_dims_args *a)
{
	reduction r = {.site = *site, .prim = prim, .keep = a->keep};

	return reduction_begin(&r, &x, &a->dims) ? reduction_run(&r, x) : poison_of(r.site.ctx);
}

tsr *lib_reduce_and(call_site *site, tsr *x, const tsr_dims_args *keywords)
{
	return bits(site, &tsr__prim_reduce_and, x, keywords);
}
tsr *lib_reduce_or(call_site *site, tsr *x, const tsr_dims_args *keywords)
{
	return bits(site, &tsr__prim_reduce_or, x, keywords);
}
tsr *lib_reduce_xor(call_site *site, tsr *x, const tsr_dims_args *keywords)
{
	return bits(site, &tsr__prim_reduce_xor, x, keywords);
}

/* ---- mean */

/* how many elements are added up: a number, or with .where an array of the result's dims */
static tsr_arg count_of(const reduction *r, const tsr *x, tsr_dtype dtype)
{
	const type *t = handle_type(x);
	reduction count = *r;
	tsr *mask = r->mask;
	double n = 1;

	for (int i = 0; i < r->ndims; i++) n *= (double)t->dims[r->dims[i]];
	if (!mask) return (tsr_arg){.kind = TSR_KIND_FLOAT, .as.f = {n, 0}};
	if (!mask_prepare(&r->site, x, &mask)) return handle_arg(poison_of(r->site.ctx));
	count.mask = NULL;
	return handle_arg(reduction_run(&count, convert(&r->site, mask, dtype)));
}

/* sum / count; floats of 16 bits are f32 until the end; the mean of nothing is NaN */
tsr *lib_mean(call_site *site, tsr *x, const tsr_mean_args *a)
{
	reduction r = {.site = *site,
	               .mask = a->where,
	               .prim = &tsr__prim_reduce_sum,
	               .nothing = whole(0),
	               .keep = a->keep};
	operands o;

	if (!reduction_begin(&r, &x, &a->dims) || !dtype_given_ok(&r.site, a->dtype))
		return poison_of(r.site.ctx);
	const tsr_dtype dtype = a->dtype ? a->dtype : dtype_inexact(handle_type(x)->dtype);
	const tsr_dtype wide = dtype_wide(dtype);
	tsr_arg count = count_of(&r, x, wide);
	if (dtype_kind(wide) < KIND_FLOAT && count.kind == TSR_KIND_FLOAT)
		count = whole((int64_t)count.as.f[0]);
	tsr *sum = reduction_run(&r, convert(&r.site, x, wide));
	if (!operands_prepare(&o, site, (tsr_arg[]){handle_arg(sum), count}, 2, PROMOTE_TYPES))
		return poison_of(o.site.ctx);
	return convert(&r.site, bind(&r.site, &tsr__prim_div, NULL, o.x, 2), dtype);
}

/* ---- logsumexp */

/* the largest real part, or 0 where that is not finite; it keeps its dims and has no derivative */
static tsr *top_of(const call_site *site, tsr *x, const tsr_logsumexp_args *a)
{
	const char *where = site->where;
	tsr_reduce_args keep = {.size = sizeof keep, .dims = a->dims, .keep = true};

	if (handle_is_poison(x)) return x;
	tsr *real = convert(site, x, dtype_real(handle_type(x)->dtype));
	if ((keep.where = a->where) || !handle_type(real)->size)
		keep.initial = lowest_arg(TSR_F32);
	tsr *top = tsr_max_at(where, tsr_stop_gradient_at(where, real), &keep);
	return tsr_where_at(where, (tsr_arg[]){handle_arg(tsr_is_finite_at(where, top)),
	                                       handle_arg(top), whole(0)});
}

/* x and b in their common dtype, and x -inf where b is 0 */
static bool weigh(const call_site *site, tsr **x, const tsr_arg *factors, tsr **b)
{
	operands o;

	if (!operands_prepare(&o, site, (tsr_arg[]){handle_arg(*x), *factors}, 2, PROMOTE_INEXACT))
		return false;
	tsr *counts = tsr_ne_at(site->where, (tsr_arg[]){handle_arg(o.x[1]), whole(0)});
	*b = o.x[1];
	*x = tsr_where_at(site->where, (tsr_arg[]){handle_arg(counts), handle_arg(o.x[0]),
	                                           lowest_arg(handle_type(o.x[0])->dtype)});
	return !handle_is_poison(*x);
}

/* removes the reduced dims of a result, which it still has with size 1, unless .keep is given */
static tsr *finish_dims(const call_site *site, tsr *y, const tsr_logsumexp_args *a,
                        const int64_t *dims, int n)
{
	if (handle_is_poison(y) || a->keep || !n) return y;
	return bind(site, &tsr__prim_squeeze, &(dims_params){{n, dims}}, &y, 1);
}

/* m + log |s| with s the sum of b e^(x - m); its sign goes to .sign, or else a negative one is NaN.
 * m is top_of(x), on which the result does not depend; floats of 16 bits are f32 until the end */
tsr *lib_logsumexp(call_site *site, tsr *x, const tsr_logsumexp_args *a)
{
	const char *where = site->where;
	tsr *b = NULL;
	tsr_ctx *ctx = operands_check(site, &x, 1);
	int64_t dims[MAX_NDIM];
	int n;

	if (a->sign) *a->sign = poison_of(site->ctx);
	if (!ctx || (given_arg(&a->b) && !weigh(site, &x, &a->b, &b)) ||
	    !dims_read(site, &a->dims, handle_type(x)->ndim, dims, &n))
		return poison_of(site->ctx);
	const tsr_sum_args keep = {
		.size = sizeof keep, .dims = a->dims, .keep = true, .where = a->where};
	const tsr_dtype dtype = dtype_inexact(handle_type(x)->dtype), wide = dtype_wide(dtype);
	x = convert(site, x, wide);
	tsr *top = top_of(site, x, a);
	tsr *exps =
		tsr_exp_at(where, tsr_sub_at(where, (tsr_arg[]){handle_arg(x), handle_arg(top)}));
	if (b) exps = tsr_mul_at(where, (tsr_arg[]){handle_arg(exps), handle_arg(b)});
	tsr *s = tsr_sum_at(where, exps, &keep), *sign = s;
	const bool real = dtype_kind(dtype) != KIND_COMPLEX;
	if (a->sign || (b && real)) {
		sign = tsr_sign_at(where, s);
		s = tsr_abs_at(where, s);
	}
	tsr *y = tsr_add_at(where,
	                    (tsr_arg[]){handle_arg(tsr_log_at(where, s)), handle_arg(top)});
	if (a->sign)
		*a->sign = finish_dims(site, convert(site, sign, dtype), a, dims, n);
	else if (b && real)
		y = tsr_where_at(where, (tsr_arg[]){handle_arg(tsr_lt_at(where, (tsr_arg[]){
		                                            handle_arg(sign), whole(0)})),
		                                    {.kind = TSR_KIND_FLOAT, .as.f = {NAN, 0}},
		                                    handle_arg(y)});
	return finish_dims(site, convert(site, y, a->sign ? dtype_real(dtype) : dtype), a, dims, n);
}

/* ---- argmax and argmin */

static tsr *arg_of(call_site *site, const tsr_prim *prim, tsr *x, const tsr_arg_args *a)
{
	tsr_ctx *ctx = operands_check(site, &x, 1);
	int64_t ones[MAX_NDIM];
	int dim;

	if (!ctx) return poison_of(site->ctx);
	const int ndim = handle_type(x)->ndim;
	const bool all = !dims_given(&a->dim) || !ndim; /* a scalar is one element along a dim */
	if (all) x = tsr_ravel_at(site->where, x);
	if (handle_is_poison(x)) return x;
	if (!one_dim_read(site, &a->dim, handle_type(x)->ndim, 0, &dim))
		return poison_of(site->ctx);
	const tsr_dtype usual = dtype_counting(&ctx->base, handle_type(x)->dims[dim]);
	tsr *y = bind(site, prim, &(arg_params){dim, a->dtype ? a->dtype : usual}, &x, 1);
	if (!a->keep) return y;
	for (int d = 0; d < ndim; d++) ones[d] = d;
	return all ? keep_dims(site, y, ones, ndim) : keep_dims(site, y, (int64_t[]){dim}, 1);
}

tsr *lib_argmax(call_site *site, tsr *x, const tsr_arg_args *a)
{
	return arg_of(site, &tsr__prim_argmax, x, a);
}
tsr *lib_argmin(call_site *site, tsr *x, const tsr_arg_args *a)
{
	return arg_of(site, &tsr__prim_argmin, x, a);
}
