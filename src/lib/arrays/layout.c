/* layout.c - the public operations that move elements: shapes, joining and parting. */
#include "lib/lib.h"

/* ---- shapes */

/* replaces a -1, of which there may be one, by the size that is left over */
static bool fill_wildcard(const call_site *site, const type *t, const tsr_dims *given,
                          int64_t *dims)
{
	const int ndim = dims_count(given);
	int64_t known = 1;
	int wild = -1;

	for (int d = 0; d < ndim; d++) {
		dims[d] = dims_of(given)[d];
		if (dims[d] >= 0) {
			if (!mul_ok(known, dims[d], &known))
				return fail_op(site, TSR_ERROR_TYPE,
				               "the size of the new shape overflows");
			continue;
		}
		if (dims[d] != -1 || wild >= 0)
			return fail(
				&site->ctx->base, site->where, TSR_ERROR_ARGUMENT,
				"reshape: dim %d is %lld; only one -1 may stand for what is left",
				d, (long long)dims[d]);
		wild = d;
	}
	if (wild < 0) return true;
	if (known == 0 || t->size % known) {
		str s = {.base = &site->ctx->base};
		shape_text(&s, t->dims, t->ndim);
		fail(&site->ctx->base, site->where, TSR_ERROR_TYPE,
		     "cannot reshape array of shape %s (size %lld): %lld elements are left over "
		     "for the -1",
		     s.s ? s.s : "?", (long long)t->size,
		     known ? (long long)(t->size % known) : (long long)t->size);
		str_free(&s);
		return false;
	}
	dims[wild] = t->size / known;
	return true;
}

tsr *lib_reshape(call_site *site, tsr *x, tsr_dims given)
{
	int64_t dims[MAX_NDIM];

	if (!operands_check(site, &x, 1) || !dims_ok(site, "dims", &given, true))
		return poison_of(site->ctx);
	if (!fill_wildcard(site, handle_type(x), &given, dims)) return poison_of(site->ctx);
	return reshape_to(site, x, dims, dims_count(&given));
}

tsr *lib_ravel(call_site *site, tsr *x) { return tsr_reshape_at(site->where, x, TSR_DIMS(-1)); }

tsr *lib_transpose(call_site *site, tsr *x, const tsr_transpose_args *a)
{
	int64_t perm[MAX_NDIM];

	if (!operands_check(site, &x, 1)) return poison_of(site->ctx);
	const int ndim = handle_type(x)->ndim;
	if (!dims_match(site, ".perm", &a->perm, ndim, false)) return poison_of(site->ctx);
	for (int d = 0, at; d < ndim; d++) {
		if (!dims_given(&a->perm))
			perm[d] = ndim - 1 - d;
		else if (dim_read(site, dims_of(&a->perm)[d], ndim, &at))
			perm[d] = at;
		else
			return poison_of(site->ctx);
	}
	return bind(site, &tsr__prim_transpose, &(transpose_params){{ndim, perm}}, &x, 1);
}

tsr *lib_t(call_site *site, tsr *x)
{
	return tsr_transpose_at(site->where, x,
	                        &(tsr_transpose_args){.size = sizeof(tsr_transpose_args)});
}

tsr *lib_broadcast_to(call_site *site, tsr *x, tsr_dims given)
{
	if (!operands_check(site, &x, 1) || !dims_ok(site, "dims", &given, true))
		return poison_of(site->ctx);
	return broadcast_checked(site, x, dims_of(&given), dims_count(&given));
}

tsr *lib_broadcast_in_dim(call_site *site, tsr *x, tsr_dims dims, tsr_dims at)
{
	if (!operands_check(site, &x, 1) || !dims_ok(site, "dims", &dims, true) ||
	    !dims_ok(site, "at", &at, true))
		return poison_of(site->ctx);
	const broadcast_params p = {{dims_count(&dims), dims_of(&dims)},
	                            {dims_count(&at), dims_of(&at)}};
	return bind(site, &tsr__prim_broadcast_in_dim, &p, &x, 1);
}

tsr *lib_squeeze(call_site *site, tsr *x, tsr_dims given)
{
	int64_t dims[MAX_NDIM], ones[MAX_NDIM];
	int n, kept = 0;

	if (!operands_check(site, &x, 1) ||
	    !dims_read(site, &given, handle_type(x)->ndim, dims, &n))
		return poison_of(site->ctx);
	for (int i = 0; i < n; i++)
		if (dims_given(&given) || handle_type(x)->dims[dims[i]] == 1)
			ones[kept++] = dims[i];
	return bind(site, &tsr__prim_squeeze, &(dims_params){{kept, ones}}, &x, 1);
}

tsr *lib_expand_dims(call_site *site, tsr *x, tsr_dims given)
{
	int64_t dims[MAX_NDIM];
	int n;

	if (!operands_check(site, &x, 1) || !dims_ok(site, "dims", &given, true))
		return poison_of(site->ctx);
	const int ndim = handle_type(x)->ndim + dims_count(&given);
	if (ndim > MAX_NDIM)
		return refuse_op(site, TSR_ERROR_TYPE,
		                 "a value has at most %d dims, this one would have %d", MAX_NDIM,
		                 ndim);
	if (!dims_read(site, &given, ndim, dims, &n)) return poison_of(site->ctx);
	return bind(site, &tsr__prim_expand_dims, &(dims_params){{n, dims}}, &x, 1);
}

tsr *lib_flip(call_site *site, tsr *x, tsr_dims given)
{
	int64_t dims[MAX_NDIM];
	int n;

	if (!operands_check(site, &x, 1) ||
	    !dims_read(site, &given, handle_type(x)->ndim, dims, &n))
		return poison_of(site->ctx);
	return bind(site, &tsr__prim_rev, &(dims_params){{n, dims}}, &x, 1);
}

/* ---- joining and parting */

static bool join_prepare(const call_site *site, tsr *const *x, size_t n, tsr **out)
{
	etype common = etype_of(handle_type(x[0]));

	for (size_t i = 1; i < n; i++) common = etype_join(common, etype_of(handle_type(x[i])));
	for (size_t i = 0; i < n; i++)
		if (handle_is_poison(out[i] = promote(site, x[i], common))) return false;
	return true;
}

/* how operands are made to be joined along a dim that they have */
typedef enum joining { JOIN_AS_IS, JOIN_INSERTED, JOIN_RAVELLED } joining;

static tsr *join_one(const call_site *site, tsr *x, joining how, int dim)
{
	if (how == JOIN_AS_IS) return x;
	return how == JOIN_RAVELLED ? tsr_ravel_at(site->where, x)
	                            : tsr_expand_dims_at(site->where, x, TSR_DIMS(dim));
}

static tsr *join(call_site *site, int dim, tsr *const *x, size_t n, joining how)
{
	tsr_ctx *ctx = operands_check(site, x, n > INT32_MAX ? INT32_MAX : (int)n);
	int at = 0;

	if (!ctx) return poison_of(site->ctx);
	const int ndim = handle_type(x[0])->ndim + (how == JOIN_INSERTED);
	if (how != JOIN_RAVELLED && !dim_read(site, dim, ndim, &at)) return poison_of(site->ctx);
	tsr **each = mem_array(&ctx->base, n, sizeof *each);
	bool ok = each && join_prepare(site, x, n, each);
	for (size_t i = 0; ok && i < n; i++)
		ok = !handle_is_poison(each[i] = join_one(site, each[i], how, at));
	tsr *y = ok ? bind(site, &tsr__prim_concatenate, &(dim_params){at}, each, (int)n)
	            : poison_of(site->ctx);
	mem_free(&ctx->base, each);
	return y;
}

tsr *lib_concatenate(call_site *site, int dim, tsr *const *x, size_t n)
{
	return join(site, dim, x, n, dim == TSR_FLAT ? JOIN_RAVELLED : JOIN_AS_IS);
}
tsr *lib_stack(call_site *site, int dim, tsr *const *x, size_t n)
{
	return join(site, dim, x, n, JOIN_INSERTED);
}

static bool split_equally(const call_site *site, tsr *x, int dim, tsr **out, size_t n)
{
	const int64_t size = handle_type(x)->dims[dim];

	if (n == 0 || size % (int64_t)n)
		return fail_op(site, TSR_ERROR_TYPE,
		               "dim %d of size %lld does not divide into %zu equal parts: rest "
		               "is %lld",
		               dim, (long long)size, n,
		               n ? (long long)(size % (int64_t)n) : (long long)size);
	const int64_t part = size / (int64_t)n;
	for (size_t i = 0; i < n; i++)
		out[i] = tsr_slice_at(site->where, x, dim, (int64_t)i * part,
		                      ((int64_t)i + 1) * part);
	return !handle_is_poison(out[n - 1]);
}

/* parts begin at 0, indices[0], indices[1], ... */
static bool split_before(const call_site *site, tsr *x, int dim, const tsr_dims *indices, tsr **out,
                         size_t n)
{
	const int64_t size = handle_type(x)->dims[dim], *at = dims_of(indices);
	const int cuts = dims_count(indices);
	int64_t from = 0;

	if (n != (size_t)cuts + 1)
		return fail_op(site, TSR_ERROR_ARGUMENT,
		               "%d .indices make %d parts, and there is room for %zu", cuts,
		               cuts + 1, n);
	for (int i = 0; i < cuts; from = at[i++])
		if (at[i] < from || at[i] > size)
			return fail_op(site, TSR_ERROR_ARGUMENT,
			               ".indices must rise from 0 to the size of dim %d, %lld, but "
			               "%lld follows %lld",
			               dim, (long long)size, (long long)at[i], (long long)from);
	for (int i = 0; i <= cuts; i++)
		out[i] = tsr_slice_at(site->where, x, dim, i ? at[i - 1] : 0,
		                      i < cuts ? at[i] : size);
	return !handle_is_poison(out[cuts]);
}

bool lib_split(call_site *site, tsr *x, int dim, tsr **out, size_t n, const tsr_split_args *a)
{
	tsr_ctx *ctx = operands_check(site, &x, 1);
	int at;

	for (size_t i = 0; i < n; i++) out[i] = poison_of(site->ctx);
	if (!ctx || !dim_read(site, dim, handle_type(x)->ndim, &at) ||
	    !dims_ok(site, ".indices", &a->indices, false))
		return false;
	return dims_given(&a->indices) ? split_before(site, x, at, &a->indices, out, n)
	                               : split_equally(site, x, at, out, n);
}

tsr *lib_pad(call_site *site, tsr *x, tsr_dims low, tsr_dims high, tsr_arg value,
             const tsr_pad_args *a)
{
	int64_t none[MAX_NDIM] = {0};

	if (!operands_check(site, &x, 1)) return poison_of(site->ctx);
	const int ndim = handle_type(x)->ndim;
	if (!dims_match(site, "low", &low, ndim, true) ||
	    !dims_match(site, "high", &high, ndim, true) ||
	    !dims_match(site, ".interior", &a->interior, ndim, false))
		return poison_of(site->ctx);
	tsr *v = value.kind == TSR_KIND_ONE ? value.as.one
	                                    : constant_as(site, etype_of(handle_type(x)), &value);
	if (!operands_check(site, (tsr *[]){x, v}, 2)) return poison_of(site->ctx);
	const pad_params p = {{ndim, dims_of(&low)},
	                      {ndim, dims_of(&high)},
	                      {ndim, dims_given(&a->interior) ? dims_of(&a->interior) : none}};
	return bind(site, &tsr__prim_pad, &p,
	            (tsr *[]){x, promote(site, v, etype_of(handle_type(x)))}, 2);
}
