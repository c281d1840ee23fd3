/* quantiles.c - what stands between the smallest and the largest element: elements are sorted along
 * one dim, and the two around a place are taken. At 0.3 of the way through [10, 20, 30, 40, 50] the
 * place is 0.3 * 4 = 1.2: between 20 and 30, and a line has 22 there. NaNs are sorted behind the
 * numbers; without them the place is counted among the numbers alone.
 * (jax/_src/numpy/reductions.py, _quantile) */
#include <math.h>
#include "lib/formula.h"
#include "lib/products.h"

typedef struct quantiles {
	call_site site;
	bool numbers; /* NaNs are left out */
	bool keep;
	enum tsr_quantile_method method;
	int64_t dims[MAX_NDIM]; /* reduced, n of them */
	int n;
	int64_t kept[MAX_NDIM]; /* the dims of the result, nkept of them */
	int nkept;
} quantiles;

/* the reduced dims as one, the last, of elements in order; real numbers with fractions */
static tsr *in_order(quantiles *c, tsr *x, const tsr_dims *given)
{
	const call_site *site = &c->site;
	int64_t perm[MAX_NDIM], dims[MAX_NDIM], size = 1;
	bool reduced[MAX_NDIM] = {false};
	int n = 0, rest = 0;

	x = promote(site, x, etype_inexact(etype_of(handle_type(x))));
	if (handle_is_poison(x)) return x;
	const type *t = handle_type(x);
	if (dtype_kind(t->dtype) == KIND_COMPLEX)
		return refuse(site, TSR_ERROR_TYPE, "%s does not support complex numbers",
		              site->op);
	if (!dims_read(site, given, t->ndim, c->dims, &c->n)) return poison_of(site->ctx);
	for (int i = 0; i < c->n; i++) reduced[c->dims[i]] = true;
	c->nkept = 0;
	for (int d = 0; d < t->ndim; d++) {
		if (!reduced[d]) dims[n] = t->dims[d], perm[n++] = d;
		if (!reduced[d] || c->keep) c->kept[c->nkept++] = reduced[d] ? 1 : t->dims[d];
	}
	rest = n;
	for (int i = 0; i < c->n; i++) perm[n++] = c->dims[i], size *= t->dims[c->dims[i]];
	if (!size)
		return fail_types(site, "takes one element at least, and got", &x, 1),
		       poison_of(site->ctx);
	dims[rest] = size;
	x = reshape_to(site, turn_dims(site, x, perm, n), dims, rest + 1);
	return handle_is_poison(x) ? x
	                           : bind(site, &tsr__prim_sort, &(sort_params){rest, 1, true}, &x,
	                                  1);
}

/* x [..., n] at places [..., m], which are whole numbers between 0 and the last one */
static tsr_arg at_places(const quantiles *c, tsr *x, tsr_arg place, tsr_arg last)
{
	const char *where = c->site.where;
	const tsr_index_args in = {.size = sizeof in, .mode = TSR_PROMISE_IN_BOUNDS};
	const tsr_arg within = OP_2(maximum, OP_2(minimum, place, last), NUM(0));
	tsr *i = TO(TSR_I32, within).as.one;

	if (handle_is_poison(i)) return HANDLE(i);
	return HANDLE(c->numbers ? tsr_take_along_at(where, x, -1, i, &in)
	                         : tsr_take_at(where, x, -1, i, &in));
}

static tsr_arg between(const quantiles *c, tsr_arg low, tsr_arg high, tsr_arg past)
{
	const char *where = c->site.where;

	switch (c->method) {
	case TSR_QUANTILE_LOWER: return low;
	case TSR_QUANTILE_HIGHER: return high;
	case TSR_QUANTILE_NEAREST: return WHERE(IS(le, past, NUM(0.5)), low, high);
	case TSR_QUANTILE_MIDPOINT: return MUL(ADD(low, high), NUM(0.5));
	default: return ADD(MUL(low, SUB(NUM(1), past)), MUL(high, past));
	}
}

/* x [..., n] sorted, q [m]: [..., m] */
static tsr_arg values_at(const quantiles *c, tsr *x, tsr_arg q)
{
	const char *where = c->site.where;
	const type *t = handle_type(x);
	const int64_t n = t->dims[t->ndim - 1];
	const tsr_dtype wide = dtype_wide(t->dtype);
	tsr_arg last = NUM((double)(n - 1));

	if (c->numbers) {
		const tsr_sum_args each = {.size = sizeof each, .dims = {{2, -1}}, .keep = true,
		                           .dtype = wide};
		const tsr_arg number = OP_1(logical_not, OP_1(isnan, HANDLE(x)));
		last = SUB(HANDLE(tsr_sum_at(where, number.as.one, &each)), NUM(1));
	}
	const tsr_arg place = MUL(TO(wide, q), last);
	const tsr_arg low = OP_1(floor, place), high = OP_1(ceil, place);
	const tsr_arg below = at_places(c, x, low, last), above = at_places(c, x, high, last);
	const tsr_arg y = between(c, TO(wide, below),
	                          TO(wide, above), SUB(place, low));
	if (c->numbers) return y;
	const tsr_arg largest = HANDLE(tsr_slice_at(where, x, -1, n - 1, n));
	return WHERE(OP_1(isnan, largest), NUM(NAN), y);
}

/* [rest, m] as [m, kept]; scalar: m is 1, and none */
static tsr *as_result(const quantiles *c, tsr *y, int64_t m, bool scalar)
{
	int64_t dims[MAX_NDIM + 1];
	const int n = !scalar;

	if (handle_is_poison(y)) return y;
	if (!scalar)
		y = tsr_moveaxis_at(c->site.where, y, (tsr_dims){{2, -1}}, (tsr_dims){{2, 0}});
	dims[0] = m;
	memcpy(dims + n, c->kept, (size_t)c->nkept * sizeof *dims);
	if (c->nkept + n > MAX_NDIM)
		return refuse(&c->site, TSR_ERROR_TYPE, "%s: a value has at most %d dims",
		              c->site.op, MAX_NDIM);
	return reshape_to(&c->site, y, dims, c->nkept + n);
}

/* percent: q is in hundredths */
static tsr *quantile(quantiles *c, tsr *x, tsr_arg q, bool percent, const tsr_dims *dims)
{
	const char *where = c->site.where;
	tsr *const both[] = {x, q.kind == TSR_KIND_ONE ? q.as.one : NULL};

	if (!operands_check(&c->site, both, both[1] ? 2 : 1)) return poison_of(c->site.ctx);
	if ((unsigned)c->method > TSR_QUANTILE_NEAREST)
		return refuse(&c->site, TSR_ERROR_ARGUMENT,
		              "%s: .method %d is none of enum tsr_quantile_method", c->site.op,
		              (int)c->method);
	const tsr_dtype own = dtype_inexact(handle_type(x)->dtype);
	tsr *sorted = in_order(c, x, dims);
	if (handle_is_poison(sorted)) return sorted;
	tsr *at = both[1] ? both[1] : constant(&c->site, TSR_F64, &q);
	if (handle_is_poison(at)) return at;
	const int ndim = handle_type(at)->ndim;
	if (ndim > 1)
		return refuse(&c->site, TSR_ERROR_TYPE, "%s: q may have one dim, and has %d",
		              c->site.op, ndim);
	const int64_t m = handle_type(at)->size;
	if (percent) at = DIV(HANDLE(at), NUM(100)).as.one;
	at = reshape_to(&c->site, at, &m, 1);
	if (handle_is_poison(at)) return at;
	tsr *y = as_result(c, values_at(c, sorted, HANDLE(at)).as.one, m, ndim == 0);
	return convert(&c->site, y, own);
}

#define QUANTILES(name, numbers_, percent) \
	tsr *tsr_##name##_at(const char *where, tsr *x, tsr_arg q, const tsr_quantile_args *given) \
	{ \
		const tsr_quantile_args *a = \
			KEYWORDS(tsr_quantile_args, where, tsr_ctx_of(x), given); \
		if (!a) return poison_of(tsr_ctx_of(x)); \
		quantiles c = {.site = {.where = where, .op = #name}, .numbers = numbers_, \
		               .keep = a->keep, .method = a->method}; \
		return quantile(&c, x, q, percent, &a->dims); \
	}
#define MEDIAN(name, numbers_) \
	tsr *tsr_##name##_at(const char *where, tsr *x, const tsr_dims_args *given) \
	{ \
		const tsr_dims_args *a = KEYWORDS(tsr_dims_args, where, tsr_ctx_of(x), given); \
		if (!a) return poison_of(tsr_ctx_of(x)); \
		quantiles c = {.site = {.where = where, .op = #name}, .numbers = numbers_, \
		               .keep = a->keep, .method = TSR_QUANTILE_MIDPOINT}; \
		return quantile(&c, x, NUM(0.5), false, &a->dims); \
	}

QUANTILES(quantile, false, false)
QUANTILES(percentile, false, true)
QUANTILES(nanquantile, true, false)
QUANTILES(nanpercentile, true, true)
MEDIAN(median, false)
MEDIAN(nanmedian, true)
