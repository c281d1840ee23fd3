/* prepare.c - operands as an operation wants them: one context, one dtype, one shape. */
#include "lib/lib.h"

void shape_text(str *s, const int64_t *dims, int ndim)
{
	str_put(s, "(");
	for (int d = 0; d < ndim; d++) str_printf(s, d ? ", %lld" : "%lld", (long long)dims[d]);
	str_put(s, ndim == 1 ? ",)" : ")");
}

tsr *promote(const call_site *site, tsr *x, etype to)
{
	if (handle_is_poison(x) || handle_type(x)->dtype == to.dtype) return x;
	const etype own = etype_of(handle_type(x));
	if (!etype_fits(&site->ctx->base, own, to.dtype))
		return refuse(site, TSR_ERROR_TYPE,
		              "a number that needs %s does not fit %s, the dtype of this operation",
		              tsr_dtype_name(own.dtype), tsr_dtype_name(to.dtype));
	return convert_as(site, x, to);
}

tsr *convert(const call_site *site, tsr *x, tsr_dtype dtype)
{
	return convert_as(site, x, (etype){dtype, false});
}

tsr *broadcast_to(const call_site *site, tsr *x, const int64_t *dims, int ndim)
{
	if (handle_is_poison(x)) return x;
	const type *t = handle_type(x);
	int64_t at[MAX_NDIM], from[MAX_NDIM];
	int n = 0;

	if (dims_same(t->dims, t->ndim, dims, ndim)) return x;
	for (int d = 0; d < t->ndim; d++) { /* a dim of size 1 that must repeat is dropped first */
		const int to = d + ndim - t->ndim;
		if (t->dims[d] != dims[to]) continue;
		from[n] = t->dims[d];
		at[n++] = to;
	}
	if (n < t->ndim) x = reshape_to(site, x, from, n);
	if (handle_is_poison(x)) return x;
	return bind(site, &tsr__prim_broadcast_in_dim, &(broadcast_params){{ndim, dims}, {n, at}},
	            &x, 1);
}

axis_set varying_of(const call_site *site, tsr *const *x, int n)
{
	axis_set all = 0;

	for (int i = 0; in_trace(site->ctx) && i < n; i++) {
		const type *t = handle_is_poison(x[i]) ? NULL : trace_type(site->ctx, x[i]);
		if (t) all |= t->varying;
	}
	return all;
}

void vary_alike(const call_site *site, tsr **x, size_t n)
{
	const axis_set all = varying_of(site, x, (int)n);

	for (size_t i = 0; i < n; i++)
		if (!handle_is_poison(x[i])) x[i] = vary(site, x[i], all);
}

tsr *broadcast_beside(const call_site *site, tsr *x, const int64_t *dims, int ndim, axis_set all)
{
	if (handle_is_poison(x)) return x;
	const type *t = handle_type(x);
	if (all && !dims_same(t->dims, t->ndim, dims, ndim)) x = vary(site, x, all);
	return broadcast_to(site, x, dims, ndim);
}

tsr *broadcast_checked(const call_site *site, tsr *x, const int64_t *dims, int ndim)
{
	const type *t = handle_type(x);
	str a = {.base = &site->ctx->base}, b = {.base = &site->ctx->base};
	bool ok = ndim >= t->ndim;

	for (int d = 0; ok && d < t->ndim; d++)
		ok = t->dims[d] == 1 || t->dims[d] == dims[d + ndim - t->ndim];
	if (ok) return broadcast_to(site, x, dims, ndim);
	shape_text(&a, t->dims, t->ndim);
	shape_text(&b, dims, ndim);
	fail_op(site, TSR_ERROR_TYPE, "shape %s cannot be broadcast to %s", a.s ? a.s : "?",
	        b.s ? b.s : "?");
	str_free(&a);
	str_free(&b);
	return poison_of(site->ctx);
}

tsr *index_from_end(const call_site *site, tsr *i, int64_t size)
{
	const tsr_dtype own = handle_type(i)->dtype;

	if (dtype_kind(own) == KIND_UINT) return i;
	i = convert(site, i, own == TSR_I64 ? own : dtype_holding(size));
	const tsr_arg at = tsr_arg_one(i), n = {.kind = TSR_KIND_INT, .as.i = size};
	tsr *below = tsr_lt_at(site->where, (tsr_arg[]){at, {.kind = TSR_KIND_INT, .as.i = 0}});
	tsr *from_end = tsr_add_at(site->where, (tsr_arg[]){at, n});
	return tsr_where_at(site->where,
	                    (tsr_arg[]){tsr_arg_one(below), tsr_arg_one(from_end), at});
}

tsr *reshape_to(const call_site *site, tsr *x, const int64_t *dims, int ndim)
{
	if (handle_is_poison(x) ||
	    dims_same(handle_type(x)->dims, handle_type(x)->ndim, dims, ndim))
		return x;
	return bind(site, &tsr__prim_reshape, &(dims_params){{ndim, dims}}, &x, 1);
}

tsr *full_of(const call_site *site, etype of, const int64_t *dims, int ndim, const tsr_arg *value)
{
	return broadcast_to(site, constant_as(site, of, value), dims, ndim);
}

tsr *zeros_of(const call_site *site, etype of, const int64_t *dims, int ndim)
{
	return full_of(site, of, dims, ndim, &(tsr_arg){.kind = TSR_KIND_INT, .as.i = 0});
}

bool dim_read(const call_site *site, int64_t dim, int ndim, int *out)
{
	return dim_in_range(dim, ndim, out) ||
	       fail_op(site, TSR_ERROR_ARGUMENT, "dim %lld is out of range for a value of %d dim%s",
	               (long long)dim, ndim, ndim == 1 ? "" : "s");
}

tsr_dtype dtype_or_usual(tsr_ctx *ctx, tsr_dtype given, enum dtype_kind kind)
{
	return given ? given : dtype_usual(&ctx_or_here(ctx)->base, kind);
}

bool dtype_given_ok(const call_site *site, tsr_dtype dtype)
{
	return !dtype || dtype_ok(dtype) ||
	       fail_op(site, TSR_ERROR_ARGUMENT, ".dtype %d is not a dtype", (int)dtype);
}

bool dim_keyword(const call_site *site, const char *name, const tsr_dims *given, int ndim,
                 int64_t usual, int *out)
{
	if (!dims_ok(site, name, given, false)) return false;
	if (dims_given(given) && dims_count(given) != 1)
		return fail_op(site, TSR_ERROR_ARGUMENT, "%s takes one dim", name);
	return dim_read(site, dims_given(given) ? dims_of(given)[0] : usual, ndim, out);
}

bool one_dim_read(const call_site *site, const tsr_dims *given, int ndim, int64_t usual, int *out)
{
	return dim_keyword(site, ".dim", given, ndim, usual, out);
}

bool dims_read(const call_site *site, const tsr_dims *given, int ndim, int64_t out[MAX_NDIM],
               int *n)
{
	bool in[MAX_NDIM] = {false};
	int d;

	if (!dims_ok(site, ".dims", given, false)) return false;
	for (int i = 0; i < dims_count(given); i++) {
		if (!dim_read(site, dims_of(given)[i], ndim, &d)) return false;
		if (in[d]) return fail_op(site, TSR_ERROR_ARGUMENT, "dim %d is named twice", d);
		in[d] = true;
	}
	*n = 0;
	for (d = 0; d < ndim; d++)
		if (in[d] || !dims_given(given)) out[(*n)++] = d;
	return true;
}

bool dims_resolved(const call_site *site, const char *what, const tsr_dims *given, int ndim,
                   tsr_dims *out)
{
	int64_t dims[MAX_NDIM];

	if (!dims_ok(site, what, given, false)) return false;
	for (int i = 0, d; i < dims_count(given); i++) {
		if (!dim_read(site, dims_of(given)[i], ndim, &d)) return false;
		dims[i] = d;
	}
	return dims_put(site, out, dims, dims_count(given));
}

bool dims_listed(const call_site *site, const char *what, const tsr_dims *given, int ndim,
                 int64_t out[MAX_NDIM])
{
	if (!dims_ok(site, what, given, false)) return false;
	for (int i = 0, d; i < dims_count(given); i++) {
		if (!dim_read(site, dims_of(given)[i], ndim, &d)) return false;
		for (int j = 0; j < i; j++)
			if (out[j] == d)
				return fail_op(site, TSR_ERROR_ARGUMENT,
				               "dim %d is named twice in %s", d, what);
		out[i] = d;
	}
	return true;
}

/* ---- several operands */

bool operands_given(call_site *site, const char *what, const tsr_arg *args, int n)
{
	tsr *h[TSR_MAX_ARGS];
	int handles = 0;

	for (int i = 0; i < n; i++)
		if (args[i].kind == TSR_KIND_ONE) h[handles++] = args[i].as.one;
	if (!(handles ? operands_check(site, h, handles) : numbers_check(site))) return false;
	for (int i = 0; i < n; i++) {
		const char *fault = args[i].kind == TSR_KIND_ONE ? NULL : number_fault(&args[i]);
		if (fault) return fail_op(site, TSR_ERROR_ARGUMENT, "%s %d %s", what, i, fault);
	}
	return true;
}

bool keyword_operand(const call_site *site, const char *name, const tsr_arg *a)
{
	const char *fault = a->kind == TSR_KIND_ONE ? handle_fault(site->ctx, a->as.one)
	                    : a->kind == TSR_KIND_NONE ? NULL : number_fault(a);

	return !fault ||
	       fail_op(site, a->kind == TSR_KIND_ONE ? TSR_ERROR_HANDLE : TSR_ERROR_ARGUMENT,
	               "%s %s", name, fault);
}

tsr *operand_alone(const call_site *site, const tsr_arg *a)
{
	return a->kind == TSR_KIND_ONE ? a->as.one : as_default(site, number_argument(site, a));
}

static etype etype_of_arg(const operands *o, const tsr_arg *a)
{
	return a->kind == TSR_KIND_ONE ? etype_of(handle_type(a->as.one))
	                               : etype_of_number(&o->site.ctx->base, a);
}

static etype common_etype(const operands *o, const tsr_arg *args, promotion rule)
{
	const int first = rule == PROMOTE_CASES;
	etype both = etype_of_arg(o, &args[first]);

	for (int i = first + 1; i < o->n; i++) both = etype_join(both, etype_of_arg(o, &args[i]));
	if (rule == PROMOTE_WORDS && both.weak) return (etype){TSR_U32, false};
	const bool numbers = rule == PROMOTE_NUMBERS || rule == PROMOTE_POWER;
	if (numbers && both.dtype == TSR_BOOL) return (etype){TSR_I32, false};
	if (rule == PROMOTE_BESIDE_FLOAT && dtype_kind(both.dtype) < KIND_FLOAT) {
		const etype beside = {dtype_usual(&o->site.ctx->base, KIND_FLOAT), true};
		return (etype){etype_join(both, beside).dtype, both.weak};
	}
	return rule == PROMOTE_INEXACT ? etype_inexact(both) : both;
}

/* the element type that operand i is converted to; common: what the rule joins all operands to */
static etype operand_etype(const tsr_arg *args, int i, promotion rule, etype common)
{
	if (rule == PROMOTE_CASES && i == 0) return (etype){TSR_BOOL, false};
	if (rule != PROMOTE_POWER || i == 0 || args[i].kind != TSR_KIND_ONE) return common;
	const etype own = etype_of(handle_type(args[i].as.one));
	const bool whole = dtype_kind(own.dtype) == KIND_INT || dtype_kind(own.dtype) == KIND_UINT;
	return whole && dtype_kind(common.dtype) >= KIND_FLOAT ? own : common;
}

static tsr *prepare_one(const operands *o, const tsr_arg *a, etype to)
{
	return a->kind == TSR_KIND_ONE ? promote(&o->site, a->as.one, to)
	                               : constant_as(&o->site, to, a);
}

bool shapes_broadcast(tsr *const *x, int n, int64_t dims[MAX_NDIM], int *ndim)
{
	*ndim = 0;
	for (int i = 0; i < n; i++)
		if (handle_type(x[i])->ndim > *ndim) *ndim = handle_type(x[i])->ndim;
	for (int d = 0; d < *ndim; d++) dims[d] = 1;
	for (int i = 0; i < n; i++) {
		const type *t = handle_type(x[i]);
		for (int d = 0; d < t->ndim; d++) {
			int64_t *to = &dims[d + *ndim - t->ndim];
			if (t->dims[d] == 1 || t->dims[d] == *to) continue;
			if (*to != 1) return false;
			*to = t->dims[d];
		}
	}
	return true;
}

static bool refuse_shapes(const operands *o)
{
	str s = {.base = &o->site.ctx->base};

	for (int i = 0; i < o->n; i++) {
		if (i) str_put(&s, ", ");
		shape_text(&s, handle_type(o->x[i])->dims, handle_type(o->x[i])->ndim);
	}
	fail(&o->site.ctx->base, o->site.where, TSR_ERROR_TYPE,
	     "%s got incompatible shapes for broadcasting: %s", o->site.op, s.s ? s.s : "?");
	str_free(&s);
	return false;
}

static bool all_alive(const operands *o)
{
	for (int i = 0; i < o->n; i++)
		if (handle_is_poison(o->x[i])) return false;
	return true;
}

bool operands_prepare(operands *o, const call_site *site, const tsr_arg *args, int n,
                      promotion rule)
{
	int64_t dims[MAX_NDIM];
	int ndim;

	*o = (operands){.site = *site, .n = n};
	if (!operands_given(&o->site, "operand", args, n)) return false;
	const etype common = common_etype(o, args, rule);
	for (int i = 0; i < n; i++)
		o->x[i] = prepare_one(o, &args[i], operand_etype(args, i, rule, common));
	if (!all_alive(o)) return false;
	if (!shapes_broadcast(o->x, n, dims, &ndim)) return refuse_shapes(o);
	const axis_set all = varying_of(&o->site, o->x, n);
	for (int i = 0; i < n; i++) {
		const bool literal = args[i].kind != TSR_KIND_ONE && in_trace(o->site.ctx);
		if (!literal) o->x[i] = broadcast_beside(&o->site, o->x[i], dims, ndim, all);
	}
	return all_alive(o);
}
