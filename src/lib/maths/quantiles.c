/* quantiles.c - computes quantiles and medians: elements are sorted along one dim, and the two
 * around a place are taken. At 0.3 of the way through [10, 20, 30, 40, 50] the place is 0.3 * 4
 * = 1.2: between 20 and 30, and a line has 22 there. NaNs are sorted behind the numbers; without
 * them the place is counted among the numbers alone. With weights 1 1 4 1 1 of those numbers it
 * is the first one up to which there are 0.3 * 8 = 2.4 of them: 30.
 * (jax/_src/numpy/reductions.py, _quantile) */
#include <math.h>
#include "lib/formula.h"
#include "lib/linalg/products.h"

typedef struct quantiles {
	call_site site;
	bool numbers; /* NaNs are left out */
	bool keep;
	enum tsr_quantile_method method;
	tsr *weights; /* of the dims of x, or NULL */
	int64_t dims[MAX_NDIM]; /* reduced, n of them */
	int n;
	int64_t perm[MAX_NDIM]; /* these behind the others, */
	int64_t sizes[MAX_NDIM + 1]; /* and then as one, the last of rest + 1 */
	int rest;
	int64_t kept[MAX_NDIM]; /* the dims of the result, nkept of them */
	int nkept;
} quantiles;

/* finds the dims that are reduced, and puts the others in front of them. false: recorded */
static bool dims_prepare(quantiles *c, tsr *x, const tsr_dims *given)
{
	const type *t = handle_type(x);
	int64_t size = 1;
	bool reduced[MAX_NDIM] = {false};
	int n = 0;

	if (!dims_read(&c->site, given, t->ndim, c->dims, &c->n)) return false;
	for (int i = 0; i < c->n; i++) reduced[c->dims[i]] = true;
	for (int d = 0; d < t->ndim; d++) {
		if (!reduced[d]) c->sizes[n] = t->dims[d], c->perm[n++] = d;
		if (!reduced[d] || c->keep) c->kept[c->nkept++] = reduced[d] ? 1 : t->dims[d];
	}
	c->rest = n;
	for (int i = 0; i < c->n; i++) c->perm[n++] = c->dims[i], size *= t->dims[c->dims[i]];
	c->sizes[c->rest] = size;
	return true;
}

/* the reduced dims as one, the last */
static tsr *lines_of(const quantiles *c, tsr *x)
{
	return reshape_to(&c->site, turn_dims(&c->site, x, c->perm, c->rest + c->n), c->sizes,
	                  c->rest + 1);
}

/* x [..., n] at places [m], or of each line [..., m]: whole numbers between 0 and the last one */
static tsr_arg at_places(const quantiles *c, tsr *x, tsr_arg place, tsr_arg last)
{
	const call_site *site = &c->site;
	const tsr_index_args in = {.size = sizeof in, .mode = TSR_PROMISE_IN_BOUNDS};
	const tsr_arg within = OP_2(maximum, OP_2(minimum, place, last), INT(0));
	tsr *i = TO(dtype_holding(c->sizes[c->rest]), within).as.one;

	if (handle_is_poison(i)) return HANDLE(i);
	return HANDLE(handle_type(i)->ndim > 1 ? tsr_take_along_at(site->where, x, -1, i, &in)
	                                       : tsr_take_at(site->where, x, -1, i, &in));
}

static tsr_arg between(const quantiles *c, tsr_arg low, tsr_arg high, tsr_arg past)
{
	const call_site *site = &c->site;

	switch (c->method) {
	case TSR_QUANTILE_LOWER: return low;
	case TSR_QUANTILE_HIGHER: return high;
	case TSR_QUANTILE_NEAREST: return WHERE(IS(le, past, NUM(0.5)), low, high);
	case TSR_QUANTILE_MIDPOINT: return MUL(ADD(low, high), NUM(0.5));
	default: return ADD(MUL(low, SUB(NUM(1), past)), MUL(high, past));
	}
}

/* the place of the last element, or number, of each line, in this dtype */
static tsr_arg last_of(const quantiles *c, tsr *x, tsr_dtype dtype)
{
	const call_site *site = &c->site;
	const tsr_sum_args each = {.size = sizeof each, .dims = TSR_DIMS(-1), .keep = true,
	                           .dtype = dtype};

	if (!c->numbers) return INT(c->sizes[c->rest] - 1);
	const tsr_arg number = OP_1(logical_not, OP_1(isnan, HANDLE(x)));
	return SUB(HANDLE(tsr_sum_at(site->where, number.as.one, &each)), INT(1));
}

/* x [..., n], q [m]: [..., m] */
static tsr_arg values_at(const quantiles *c, tsr *x, tsr_arg q)
{
	const call_site *site = &c->site;
	const tsr_sort_args rising = {.size = sizeof rising};
	const int64_t n = c->sizes[c->rest];
	const tsr_dtype wide = dtype_wide(handle_type(x)->dtype);

	x = tsr_sort_at(site->where, x, &rising);
	if (handle_is_poison(x)) return HANDLE(x);
	const tsr_arg last = last_of(c, x, wide);
	const tsr_arg place = MUL(TO(wide, q), last);
	const tsr_arg low = OP_1(floor, place), high = OP_1(ceil, place);
	const tsr_arg below = at_places(c, x, low, last), above = at_places(c, x, high, last);
	const tsr_arg y = between(c, TO(wide, below),
	                          TO(wide, above), SUB(place, low));
	if (c->numbers) return y;
	const tsr_arg largest = HANDLE(tsr_slice_at(site->where, x, -1, n - 1, n));
	return WHERE(OP_1(isnan, largest), NUM(NAN), y);
}

/* the same by weights [..., n]: the first element up to which there is q of all weight. NaN and
 * negative weights make a line NaN */
static tsr_arg values_by_weight(const quantiles *c, tsr *x, tsr *w, tsr_arg q)
{
	const call_site *site = &c->site;
	const char *where = site->where;
	const tsr_dims line = TSR_DIMS(-1), above = TSR_DIMS(-2);
	const tsr_sort_operands_args by_value = {.size = sizeof by_value};
	const tsr_cumsum_args along = {.size = sizeof along, .dim = line};
	const tsr_dtype places = dtype_holding(c->sizes[c->rest]);
	const tsr_sum_args count = {.size = sizeof count, .dims = above, .dtype = places};
	const tsr_all_args kept = {.size = sizeof kept, .dims = line, .keep = true};
	const tsr_dtype dtype = handle_type(x)->dtype;
	tsr *pair[2] = {x, w};

	if (!tsr_sort_operands_at(where, pair, pair, 2, &by_value)) return HANDLE(pair[0]);
	const tsr_arg none = OP_1(isnan, HANDLE(pair[0]));
	const tsr_arg wrong = OP_1(logical_not, IS(ge, HANDLE(pair[1]), INT(0)));
	const tsr_arg counted = WHERE(EITHER(wrong, none), INT(0), HANDLE(pair[1]));
	tsr *sums = tsr_cumsum_at(where, counted.as.one, &along);
	const tsr_arg all = HANDLE(tsr_slice_at(where, sums, -1, -1, TSR_END));
	const tsr_arg goal = MUL(TO(dtype, q), all);
	const tsr_arg less = IS(lt, HANDLE(tsr_expand_dims_at(where, sums, line)),
	                        HANDLE(tsr_expand_dims_at(where, goal.as.one, above)));
	const tsr_arg last = last_of(c, pair[0], places);
	const tsr_arg before = HANDLE(tsr_sum_at(where, less.as.one, &count));
	const tsr_arg y = at_places(c, pair[0], before, last);
	const tsr_arg nowhere = c->numbers ? IS(lt, last, INT(0))
	                                   : HANDLE(tsr_any_at(where, none.as.one, &kept));
	const tsr_arg bad = HANDLE(tsr_any_at(where, wrong.as.one, &kept));
	return WHERE(EITHER(bad, nowhere), NUM(NAN), y);
}

/* [rest, m] as [m, kept]; scalar: m is 1, and none */
static tsr *as_result(const quantiles *c, tsr *y, int64_t m, bool scalar)
{
	int64_t dims[MAX_NDIM + 1];
	const int n = !scalar;

	if (handle_is_poison(y)) return y;
	if (!scalar)
		y = tsr_moveaxis_at(c->site.where, y, TSR_DIMS(-1), TSR_DIMS(0));
	dims[0] = m;
	memcpy(dims + n, c->kept, (size_t)c->nkept * sizeof *dims);
	if (c->nkept + n > MAX_NDIM)
		return refuse_op(&c->site, TSR_ERROR_TYPE, "a value has at most %d dims", MAX_NDIM);
	return reshape_to(&c->site, y, dims, c->nkept + n);
}

/* x and the weights as floats of one dtype, which are spread over x. false: recorded */
static bool numbers_prepare(quantiles *c, tsr **x, const tsr_dims *given)
{
	const call_site *site = &c->site;
	tsr **w = &c->weights;
	const etype own = etype_of(handle_type(*x));
	const etype common = etype_inexact(*w ? etype_join(own, etype_of(handle_type(*w))) : own);

	if (dtype_kind(common.dtype) == KIND_COMPLEX)
		return fail(&site->ctx->base, site->where, TSR_ERROR_TYPE,
		            "%s does not support complex numbers", site->op);
	*x = promote(site, *x, common);
	if (handle_is_poison(*x) || !dims_prepare(c, *x, given)) return false;
	if (c->method != TSR_QUANTILE_INVERTED_CDF) return true;
	const type *t = handle_type(*x);
	*w = *w ? promote(site, *w, common) : tsr_ones_like_at(site->where, *x);
	if (handle_is_poison(*w)) return false;
	const type *of = handle_type(*w);
	if (dims_same(t->dims, t->ndim, of->dims, of->ndim)) return true;
	bool fits = of->ndim == c->n;
	for (int i = 0; fits && i < c->n; i++) fits = of->dims[i] == t->dims[c->dims[i]];
	if (!fits)
		return fail_types(site, "takes weights of all its dims, or of .dims, and got",
		                  (tsr *[]){*x, *w}, 2);
	*w = bind(site, &tsr__prim_broadcast_in_dim,
	          &(broadcast_params){{t->ndim, t->dims}, {c->n, c->dims}}, w, 1);
	return !handle_is_poison(*w);
}

/* false: recorded */
static bool method_check(const quantiles *c)
{
	const call_site *site = &c->site;

	if ((unsigned)c->method > TSR_QUANTILE_INVERTED_CDF)
		return fail_op(site, TSR_ERROR_ARGUMENT,
		               ".method %d is none of enum tsr_quantile_method", (int)c->method);
	if (c->weights && c->method != TSR_QUANTILE_INVERTED_CDF)
		return fail_op(site, TSR_ERROR_ARGUMENT,
		               ".weights need .method = TSR_QUANTILE_INVERTED_CDF");
	return true;
}

/* are there lines of which m numbers each are wanted? */
static bool has_results(const quantiles *c, int64_t m)
{
	for (int i = 0; i < c->rest; i++)
		if (!c->sizes[i]) return false;
	return m > 0;
}

/* [rest, m] without elements */
static tsr *nothing_of(const quantiles *c, tsr_dtype dtype, int64_t m)
{
	int64_t dims[MAX_NDIM + 1];

	memcpy(dims, c->sizes, (size_t)c->rest * sizeof *dims);
	dims[c->rest] = m;
	return zeros_of(&c->site, (etype){dtype, false}, dims, c->rest + 1);
}

/* percent: q is in hundredths */
static tsr *quantile(quantiles *c, tsr *x, tsr_arg q, bool percent, const tsr_dims *dims)
{
	const call_site *site = &c->site;
	tsr *all[3] = {x};
	int n = 1;

	if (q.kind == TSR_KIND_ONE) all[n++] = q.as.one;
	if (c->weights) all[n++] = c->weights;
	if (!operands_check(&c->site, all, n) || !method_check(c) || !numbers_prepare(c, &x, dims))
		return poison_of(c->site.ctx);
	tsr *at = q.kind == TSR_KIND_ONE ? q.as.one : constant(&c->site, TSR_F64, &q);
	if (handle_is_poison(at)) return at;
	if (handle_type(at)->weak) at = convert(&c->site, at, TSR_F64); /* it was a number */
	const int ndim = handle_type(at)->ndim;
	if (ndim > 1)
		return refuse_op(&c->site, TSR_ERROR_TYPE, "q may have one dim, and has %d", ndim);
	const int64_t m = handle_type(at)->size;
	const tsr_dtype own = handle_type(x)->dtype;
	if (!has_results(c, m))
		return as_result(c, nothing_of(c, own, m), m, ndim == 0);
	if (!c->sizes[c->rest])
		return fail_types(&c->site, "takes one element at least, and got", &x, 1),
		       poison_of(c->site.ctx);
	if (percent) at = DIV(HANDLE(at), NUM(100)).as.one;
	at = reshape_to(&c->site, at, &m, 1);
	x = lines_of(c, x);
	tsr *w = c->weights ? lines_of(c, c->weights) : x;
	if (handle_is_poison(at) || handle_is_poison(x) || handle_is_poison(w))
		return poison_of(c->site.ctx);
	const tsr_arg y = c->weights ? values_by_weight(c, x, w, HANDLE(at))
	                             : values_at(c, x, HANDLE(at));
	return convert(&c->site, as_result(c, y.as.one, m, ndim == 0), own);
}

#define QUANTILES(name, numbers_, percent) \
	tsr *lib_##name(call_site *site, tsr *x, tsr_arg q, const tsr_quantile_args *a) \
	{ \
		quantiles c = {.site = *site, .numbers = numbers_, \
		               .keep = a->keep, .method = a->method, .weights = a->weights}; \
		return quantile(&c, x, q, percent, &a->dims); \
	}
#define MEDIAN(name, numbers_) \
	tsr *lib_##name(call_site *site, tsr *x, const tsr_dims_args *a) \
	{ \
		quantiles c = {.site = *site, .numbers = numbers_, \
		               .keep = a->keep, .method = TSR_QUANTILE_MIDPOINT}; \
		return quantile(&c, x, NUM(0.5), false, &a->dims); \
	}

QUANTILES(quantile, false, false)
QUANTILES(percentile, false, true)
QUANTILES(nanquantile, true, false)
QUANTILES(nanpercentile, true, true)
MEDIAN(median, false)
MEDIAN(nanmedian, true)
