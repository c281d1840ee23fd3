/* array.c - the public view of an array: its type, its data, its shards. */
#include <math.h>
#include "lib/lib.h"

/* ---- type */

/* the checked type of one handle, or NULL */
static const type *type_read(const char *where, const char *op, const tsr *x)
{
	call_site site = {.where = where, .op = op};
	tsr *h = (tsr *)(uintptr_t)x;

	return operands_check(&site, &h, 1) ? handle_type(x) : NULL;
}

tsr_dtype tsr_dtype_of(const tsr *x)
{
	const type *t = type_read(NULL, "dtype_of", x);

	return t ? etype_default(&handles_of(x)->ctx->base, etype_of(t)).dtype : TSR_DTYPE_DEFAULT;
}

bool tsr_is_weak(const tsr *x)
{
	const type *t = type_read(NULL, "is_weak", x);

	return t && t->weak;
}

int tsr_ndim(const tsr *x)
{
	const type *t = type_read(NULL, "ndim", x);

	return t ? t->ndim : 0;
}

int64_t tsr_dim_at(const char *where, const tsr *x, int dim)
{
	const type *t = type_read(where, "dim", x);
	int at;

	if (!t) return 0;
	const call_site site = {handles_of(x)->ctx, where, "dim"};
	return dim_read(&site, dim, t->ndim, &at) ? t->dims[at] : 0;
}

tsr_dims tsr_shape_at(const char *where, const tsr *x)
{
	const type *t = type_read(where, "shape", x);
	tsr_dims dims = {.d = {0}};

	if (t) dims_put(&(call_site){handles_of(x)->ctx, where, "shape"}, &dims, t->dims, t->ndim);
	return dims;
}

int64_t tsr_size(const tsr *x)
{
	const type *t = type_read(NULL, "size", x);

	return t ? t->size : 0;
}

int64_t tsr_nbytes(const tsr *x)
{
	const type *t = type_read(NULL, "nbytes", x);

	return t ? t->size * (int64_t)tsr_dtype_size(t->dtype) : 0;
}

bool tsr_varying_at(const char *where, const tsr *x, const char *axes)
{
	const type *t = type_read(where, "varying", x);
	int64_t entry[MAX_AXES];
	int n;

	if (!t) return false;
	const call_site site = {handles_of(x)->ctx, where, "varying"};
	if (!axes_read(&site, axes, entry, &n) ||
	    !(t = trace_type(site.ctx, x))) /* as it is used here */
		return false;
	for (int i = 0; i < n; i++)
		if (t->varying >> entry[i] & 1) return true;
	return false;
}

/* ---- data */

/* the concrete array of a handle; reading poison logs its error once */
static array *array_read(const char *where, const char *op, const tsr *x)
{
	call_site site = {.where = where, .op = op};
	tsr *h = (tsr *)(uintptr_t)x;
	tsr_ctx *ctx = operands_check(&site, &h, 1);

	if (ctx) return handle_array(where, x);
	error_log_once(&site.ctx->base);
	return NULL;
}

/* one element; false: poison, traced, or not exactly one */
static bool item_read(const char *where, const char *op, const tsr *x, void *value,
                      tsr_dtype *dtype)
{
	const array *a = array_read(where, op, x);

	if (!a) return false;
	if (a->type->size != 1) {
		fail(&a->ctx->base, where, TSR_ERROR_TYPE,
		     "%s reads arrays of one element; this one has %lld", op,
		     (long long)a->type->size);
		error_log_once(&a->ctx->base);
		return false;
	}
	*dtype = a->type->dtype;
	return array_to_host(where, a, value, NULL);
}

double tsr_item_at(const char *where, const tsr *x)
{
	TURN_OF(tsr_ctx_of(x), where, NAN);
	_Alignas(16) unsigned char value[16];
	tsr_dtype dtype;

	return item_read(where, "item", x, value, &dtype) ? dtype_get(dtype, value, 0)
	                                                  : (double)NAN;
}

int64_t tsr_item_int_at(const char *where, const tsr *x)
{
	_Alignas(16) unsigned char value[16];
	tsr_dtype dtype;
	int64_t out = 0;

	if (item_read(where, "item_int", x, value, &dtype))
		dtype_convert(TSR_I64, &out, dtype, value, 1);
	return out;
}

bool tsr_read_at(const char *where, const tsr *x, tsr_dtype element, void *out, size_t bytes)
{
	TURN_OF(tsr_ctx_of(x), where, false);
	const array *a = array_read(where, "read", x);

	if (!a || !element_fits(a->ctx, where, "read", element, a->type->dtype)) return false;
	if (!out && bytes)
		return fail(&a->ctx->base, where, TSR_ERROR_ARGUMENT,
		            "read: the memory to read into is NULL");
	if (bytes != (size_t)array_bytes(a))
		return fail(&a->ctx->base, where, TSR_ERROR_ARGUMENT,
		            "read: the array has %lld bytes and the room %zu",
		            (long long)array_bytes(a), bytes);
	return array_to_host(where, a, out, NULL);
}

/* through a contiguous copy when the dtype changes */
static bool read_converted(const char *where, const array *a, void *out, tsr_dtype to,
                           const int64_t *strides)
{
	base *bs = &a->ctx->base;
	const size_t item = tsr_dtype_size(to);
	char *raw = mem_alloc(bs, (size_t)array_bytes(a) + 1),
	     *made = mem_array(bs, (size_t)a->type->size + 1, item);
	int64_t dense[MAX_NDIM];
	const bool ok = raw && made && array_to_host(where, a, raw, NULL);

	if (ok) {
		dtype_convert(to, made, a->type->dtype, raw, a->type->size);
		dims_strides(a->type->dims, a->type->ndim, dense);
		for (int d = 0; d < a->type->ndim; d++) dense[d] *= (int64_t)item;
		copy_box(out, strides ? strides : dense, made, dense, a->type->dims, a->type->ndim,
		         item);
	}
	mem_free(bs, raw);
	mem_free(bs, made);
	return ok;
}

bool tsr_read_into_at(const char *where, const tsr *x, tsr_dtype element, void *out,
                      const tsr_read_args *given)
{
	TURN_OF(tsr_ctx_of(x), where, false);
	const tsr_read_args *r = KEYWORDS(tsr_read_args, where, tsr_ctx_of(x), given);
	if (!r) return false;
	const array *a = array_read(where, "read_into", x);

	if (!a) return false;
	if (!out && a->type->size)
		return fail(&a->ctx->base, where, TSR_ERROR_ARGUMENT,
		            "read_into: the memory to read into is NULL");
	const call_site site = {a->ctx, where, "read_into"};
	if (!dims_match(&site, ".strides", &r->strides, a->type->ndim, false)) return false;
	if (r->dtype && !dtype_ok(r->dtype))
		return fail(&a->ctx->base, where, TSR_ERROR_ARGUMENT,
		            "read_into: %d is not a dtype", (int)r->dtype);
	if (!element_fits(a->ctx, where, "read_into", element,
	                  r->dtype ? r->dtype : a->type->dtype))
		return false;
	const int64_t *strides = dims_given(&r->strides) ? dims_of(&r->strides) : NULL;
	if (r->dtype && r->dtype != a->type->dtype)
		return read_converted(where, a, out, r->dtype, strides);
	return array_to_host(where, a, out, strides);
}

/* ---- comparisons of data */

typedef struct pair {
	base *bs;
	const type *t[2];
	char *data[2];
} pair;

static bool pair_read(pair *p, const char *where, const char *op, const tsr *a, const tsr *b)
{
	call_site site = {.where = where, .op = op};
	tsr *h[2] = {(tsr *)(uintptr_t)a, (tsr *)(uintptr_t)b};

	*p = (pair){0};
	if (!operands_check(&site, h, 2)) {
		error_log_once(&site.ctx->base);
		return false;
	}
	for (int i = 0; i < 2; i++) {
		const array *x = array_read(where, op, h[i]);
		if (!x) return false;
		p->bs = &x->ctx->base;
		p->t[i] = x->type;
		if (!(p->data[i] = mem_alloc(p->bs, (size_t)array_bytes(x) + 1)) ||
		    !array_to_host(where, x, p->data[i], NULL))
			return false;
	}
	return true;
}

static void pair_free(pair *p)
{
	for (int i = 0; i < 2; i++)
		if (p->bs) mem_free(p->bs, p->data[i]);
}

/* the offset in an operand of element `at` of the broadcast result */
static int64_t broadcast_offset(const type *t, const int64_t *at, int ndim)
{
	int64_t offset = 0;

	for (int d = 0; d < t->ndim; d++)
		offset = offset * t->dims[d] + (t->dims[d] == 1 ? 0 : at[d + ndim - t->ndim]);
	return offset;
}

static bool shapes_meet(const pair *p, int64_t dims[MAX_NDIM], int *ndim)
{
	*ndim = p->t[0]->ndim > p->t[1]->ndim ? p->t[0]->ndim : p->t[1]->ndim;
	for (int d = 0; d < *ndim; d++) dims[d] = 1;
	for (int i = 0; i < 2; i++)
		for (int d = 0; d < p->t[i]->ndim; d++) {
			int64_t *to = &dims[d + *ndim - p->t[i]->ndim];
			const int64_t s = p->t[i]->dims[d];
			if (s == 1 || s == *to) continue;
			if (*to != 1) return false;
			*to = s;
		}
	return true;
}

static bool is_close(const pair *p, const int64_t *at, int ndim, double rtol, double atol)
{
	double a[2], b[2];

	dtype_get_complex(p->t[0]->dtype, p->data[0], broadcast_offset(p->t[0], at, ndim), a);
	dtype_get_complex(p->t[1]->dtype, p->data[1], broadcast_offset(p->t[1], at, ndim), b);
	if (a[0] == b[0] && a[1] == b[1]) return true;
	const double gap = hypot(a[0] - b[0], a[1] - b[1]);
	return isfinite(gap) && gap <= atol + rtol * hypot(b[0], b[1]);
}

bool tsr_allclose_at(const char *where, const tsr *a, const tsr *b, double rtol, double atol)
{
	TURN_OF(tsr_ctx_of(a), where, false);
	pair p;
	int64_t dims[MAX_NDIM], at[MAX_NDIM] = {0};
	int ndim;
	FLOAT_DEFAULT;
	const char *op = name_asked(where, "allclose");
	bool close = pair_read(&p, where, op, a, b);

	if (close && !shapes_meet(&p, dims, &ndim))
		close = fail(p.bs, where, TSR_ERROR_TYPE,
		             "%s: the shapes cannot be broadcast together", op);
	bool empty = false;
	for (int d = 0; close && d < ndim; d++) empty = empty || dims[d] == 0;
	if (close && !empty) do
			close = is_close(&p, at, ndim, rtol, atol);
		while (close && dims_next(at, dims, ndim));
	pair_free(&p);
	return close;
}

/* element i of integers and bools as sign and 64 bits: equal numbers have equal ones in any dtype
 */
static uint64_t integer_at(const pair *p, int side, int64_t i, bool *negative)
{
	const tsr_dtype dtype = p->t[side]->dtype;
	const char *at = p->data[side] + i * (int64_t)tsr_dtype_size(dtype);
	int64_t value;

	dtype_convert(TSR_I64, &value, dtype, at, 1);
	*negative = dtype_kind(dtype) == KIND_INT && value < 0;
	return (uint64_t)value;
}

static bool elements_equal(const pair *p)
{
	const bool whole =
		dtype_kind(p->t[0]->dtype) < KIND_FLOAT && dtype_kind(p->t[1]->dtype) < KIND_FLOAT;

	for (int64_t i = 0; i < p->t[0]->size; i++) {
		double a[2], b[2];
		bool s[2];
		if (whole) {
			const uint64_t m = integer_at(p, 0, i, &s[0]),
				       n = integer_at(p, 1, i, &s[1]);
			if (m != n || s[0] != s[1]) return false;
			continue;
		}
		dtype_get_complex(p->t[0]->dtype, p->data[0], i, a);
		dtype_get_complex(p->t[1]->dtype, p->data[1], i, b);
		if (a[0] != b[0] || a[1] != b[1]) return false;
	}
	return true;
}

bool tsr_array_equal_at(const char *where, const tsr *a, const tsr *b)
{
	TURN_OF(tsr_ctx_of(a), where, false);
	pair p;
	FLOAT_DEFAULT;
	const bool same = pair_read(&p, where, "array_equal", a, b) &&
	                  dims_same(p.t[0]->dims, p.t[0]->ndim, p.t[1]->dims, p.t[1]->ndim) &&
	                  elements_equal(&p);

	pair_free(&p);
	return same;
}

/* the engine of today has finished when a call returns */
/* What a call has returned is computed: only an error changes the context */
bool tsr_wait_at(const char *where, const tsr *x)
{
	if (x && handle_live(x) && !handle_is_poison(x)) return true;
	TURN_OF(tsr_ctx_of(x), where, false);
	call_site site = {.where = where, .op = "wait"};
	tsr *h = (tsr *)(uintptr_t)x;

	return operands_check(&site, &h, 1) != NULL;
}
