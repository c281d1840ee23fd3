/* statistics.c - the public reductions that are written with those of reduce.c, and theirs of the
 * elements that are not NaN: jax.numpy's formulas (jax/_src/numpy/reductions.py). */
#include <math.h>
#include "lib/formula.h"
#include "lib/linalg/products.h"

/* ---- variances */

/* what squares are added in, and the dtype of the result. false: recorded */
static bool var_dtypes(const call_site *site, tsr_dtype own, tsr_dtype given, tsr_dtype *wide,
                       tsr_dtype *result)
{
	if (!dtype_given_ok(site, given)) return false;
	if (given && (dtype_kind(given) < KIND_FLOAT ||
	              (dtype_kind(own) == KIND_COMPLEX && dtype_kind(given) != KIND_COMPLEX)))
		return fail_op(site, TSR_ERROR_TYPE,
		               ".dtype must be one of floats, or of complex numbers for these, and "
		               "is %s",
		               tsr_dtype_name(given));
	*wide = dtype_wide(given ? given : dtype_inexact(own));
	*result = given ? given : dtype_real(dtype_inexact(own));
	return true;
}

/* the sum over how many elements count, less the correction; NaN where that leaves none */
static tsr_arg over_count(const call_site *site, const tsr *x, tsr_arg sum, const tsr_var_args *a)
{
	const type *t = handle_type(x);
	const tsr_sum_args ones = {.size = sizeof ones, .dims = a->dims, .keep = a->keep,
	                           .dtype = dtype_real(t->dtype)};
	int64_t dims[MAX_NDIM];
	double count = 1;
	int n;

	if (a->where) {
		tsr *mask = broadcast_checked(site, a->where, t->dims, t->ndim);
		const tsr_arg some =
			SUB(HANDLE(tsr_sum_at(site->where, mask, &ones)), NUM(a->correction));
		return WHERE(IS(gt, some, NUM(0)), DIV(sum, some), NUM(NAN));
	}
	if (!dims_read(site, &a->dims, t->ndim, dims, &n)) return HANDLE(poison_of(site->ctx));
	for (int i = 0; i < n; i++) count *= (double)t->dims[dims[i]];
	count -= a->correction;
	return DIV(sum, NUM(count > 0 ? count : NAN));
}

static tsr *variance(call_site *site, tsr *x, const tsr_var_args *a)
{
	tsr_dtype wide, result;

	if (!operands_check(site, (tsr *[]){x, a->where}, a->where ? 2 : 1) ||
	    !keyword_operand(site, ".mean", &a->mean) ||
	    !var_dtypes(site, handle_type(x)->dtype, a->dtype, &wide, &result))
		return poison_of(site->ctx);
	x = convert(site, x, wide);
	if (handle_is_poison(x)) return x;
	const tsr_mean_args keep = {.size = sizeof keep, .dims = a->dims, .keep = true,
	                            .where = a->where, .dtype = wide};
	const tsr_arg mean =
		given_arg(&a->mean) ? a->mean : HANDLE(tsr_mean_at(site->where, x, &keep));
	tsr_arg off = SUB(HANDLE(x), mean);
	off = dtype_kind(wide) == KIND_COMPLEX ? OP_1(real, MUL(off, OP_1(conj, off)))
	                                       : OP_1(square, off);
	const tsr_sum_args all = {.size = sizeof all, .dims = a->dims, .keep = a->keep,
	                          .where = a->where, .dtype = dtype_real(wide)};
	const tsr_arg sum = HANDLE(tsr_sum_at(site->where, off.as.one, &all));
	return convert(site, over_count(site, x, sum, a).as.one, result);
}

/* x where it is a number, among what .where leaves; NULL: all are */
static tsr *numbers_in(const call_site *site, tsr *x, tsr *mask)
{
	if (!x || handle_is_poison(x) || dtype_kind(handle_type(x)->dtype) < KIND_FLOAT)
		return mask;
	const tsr_arg number = OP_1(logical_not, OP_1(isnan, HANDLE(x)));
	return mask ? BOTH(HANDLE(mask), number).as.one : number.as.one;
}

/* the record of a reduction with what is no number left out */
#define WITHOUT_NAN(T, a, x) \
	T some = *(a); \
	some.where = numbers_in(site, x, some.where)

static tsr *spread(call_site *site, tsr *x, const tsr_var_args *a, bool without_nan, bool root)
{
	if (!operands_check(site, &x, 1)) return poison_of(site->ctx);
	WITHOUT_NAN(tsr_var_args, a, without_nan ? x : NULL);
	if (without_nan && dtype_kind(handle_type(x)->dtype) >= KIND_FLOAT)
		x = WHERE(OP_1(isnan, HANDLE(x)), INT(0), HANDLE(x)).as.one;
	tsr *y = variance(site, x, &some);
	return root ? tsr_sqrt_at(site->where, y) : y;
}

tsr *lib_var(call_site *site, tsr *x, const tsr_var_args *a)
{
	return spread(site, x, a, false, false);
}
tsr *lib_std(call_site *site, tsr *x, const tsr_var_args *a)
{
	return spread(site, x, a, false, true);
}
tsr *lib_nanvar(call_site *site, tsr *x, const tsr_var_args *a)
{
	return spread(site, x, a, true, false);
}
tsr *lib_nanstd(call_site *site, tsr *x, const tsr_var_args *a)
{
	return spread(site, x, a, true, true);
}

/* ---- sums, products and means of numbers */

#define OF_NUMBERS(name, of, T) \
	tsr *lib_##name(call_site *site, tsr *x, const T *a) \
	{ \
		if (!operands_check(site, &x, 1)) return poison_of(tsr_ctx_of(x)); \
		WITHOUT_NAN(T, a, x); \
		return tsr_##of##_at(site->where, x, &some); \
	}

OF_NUMBERS(nansum, sum, tsr_sum_args)
OF_NUMBERS(nanprod, prod, tsr_sum_args)
OF_NUMBERS(nanmean, mean, tsr_mean_args)

/* ---- the largest and the smallest number */

static tsr *extreme_number(call_site *site, bool largest, tsr *x, const tsr_reduce_args *a)
{
	const char *where = site->where;

	if (!operands_check(site, &x, 1) ||
	    (!given_arg(&a->initial) && !reduces_some(site, x, &a->dims, true)))
		return poison_of(tsr_ctx_of(x));
	tsr *(*const of)(const char *, tsr *, const tsr_reduce_args *) =
		largest ? tsr_max_at : tsr_min_at;
	const tsr_dtype own = handle_type(x)->dtype;
	if (dtype_kind(own) < KIND_FLOAT) return of(where, x, a);
	const tsr_arg least = largest ? lowest_arg(own) : highest_arg(own);
	const tsr_arg isnan = HANDLE(tsr_isnan_at(where, x));
	tsr *y;

	if (given_arg(&a->initial) || a->where) {
		WITHOUT_NAN(tsr_reduce_args, a, x);
		if (!given_arg(&some.initial)) some.initial = least;
		y = of(where, x, &some);
	} else { /* an initial number would be one more that a derivative is shared with */
		y = of(where, WHERE(isnan, least, HANDLE(x)).as.one, a);
	}
	if (given_arg(&a->initial)) return y;
	const tsr_all_args all = {.size = sizeof all, .dims = a->dims, .keep = a->keep};
	const tsr_arg none = HANDLE(tsr_all_at(where, isnan.as.one, &all));
	return WHERE(none, NUM(NAN), HANDLE(y)).as.one;
}

tsr *lib_nanmax(call_site *site, tsr *x, const tsr_reduce_args *a)
{
	return extreme_number(site, true, x, a);
}
tsr *lib_nanmin(call_site *site, tsr *x, const tsr_reduce_args *a)
{
	return extreme_number(site, false, x, a);
}

static tsr *place_of_number(call_site *site, bool largest, tsr *x, const tsr_arg_args *a)
{
	if (!operands_check(site, &x, 1)) return poison_of(tsr_ctx_of(x));
	tsr *(*const of)(const char *, tsr *, const tsr_arg_args *) =
		largest ? tsr_argmax_at : tsr_argmin_at;
	const tsr_dtype own = handle_type(x)->dtype;
	if (dtype_kind(own) < KIND_FLOAT) return of(site->where, x, a);
	const tsr_arg no_number = OP_1(isnan, HANDLE(x));
	const tsr_arg last = largest ? lowest_arg(own) : highest_arg(own);
	const tsr_dims dims = handle_type(x)->ndim ? a->dim : (tsr_dims){.d = {0}};
	const tsr_all_args all = {.size = sizeof all, .dims = dims, .keep = a->keep};
	const tsr_arg none = HANDLE(tsr_all_at(site->where, no_number.as.one, &all));
	return WHERE(none, INT(-1),
	             HANDLE(of(site->where, WHERE(no_number, last, HANDLE(x)).as.one, a)))
	        .as.one;
}

tsr *lib_nanargmax(call_site *site, tsr *x, const tsr_arg_args *a)
{
	return place_of_number(site, true, x, a);
}
tsr *lib_nanargmin(call_site *site, tsr *x, const tsr_arg_args *a)
{
	return place_of_number(site, false, x, a);
}

/* ---- counts, ranges, means with weights */

tsr *lib_count_nonzero(call_site *site, tsr *x, const tsr_dims_args *a)
{
	if (!operands_check(site, &x, 1)) return poison_of(tsr_ctx_of(x));
	const tsr_sum_args all = {.size = sizeof all,
	                          .dims = a->dims,
	                          .keep = a->keep,
	                          .dtype = dtype_counting(&site->ctx->base, handle_type(x)->size)};

	return tsr_sum_at(site->where, IS(ne, HANDLE(x), INT(0)).as.one, &all);
}

tsr *lib_ptp(call_site *site, tsr *x, const tsr_dims_args *a)
{
	if (!operands_check(site, &x, 1) || !reduces_some(site, x, &a->dims, false))
		return poison_of(tsr_ctx_of(x));
	const tsr_reduce_args all = {.size = sizeof all, .dims = a->dims, .keep = a->keep};
	return SUB(HANDLE(tsr_max_at(site->where, x, &all)),
	           HANDLE(tsr_min_at(site->where, x, &all)))
	        .as.one;
}

/* weights of the reduced dims, in the order of .dims, as dims of x. Poison: recorded */
static tsr *weights_placed(const call_site *site, tsr *weights, const tsr *x, const tsr_dims *given)
{
	const type *t = handle_type(x), *w = handle_type(weights);
	int64_t dims[MAX_NDIM], at[MAX_NDIM], perm[MAX_NDIM];
	int n = dims_count(given), kept = 0;

	if (dims_same(w->dims, w->ndim, t->dims, t->ndim)) return weights;
	bool fits = dims_given(given) && n == w->ndim;
	for (int i = 0, d; fits && i < n; i++) {
		if (!dim_read(site, dims_of(given)[i], t->ndim, &d)) return poison_of(site->ctx);
		fits = w->dims[i] == t->dims[d];
		at[i] = d;
	}
	if (!fits)
		return fail_types(site, "takes weights of its dims, or of those in .dims, and got",
		                  (tsr *[]){(tsr *)(uintptr_t)x, weights}, 2), poison_of(site->ctx);
	for (int d = 0; d < t->ndim; d++) {
		dims[d] = 1;
		for (int i = 0; i < n; i++)
			if (at[i] == d) dims[d] = t->dims[d], perm[kept++] = i;
	}
	return reshape_to(site, turn_dims(site, weights, perm, n), dims, t->ndim);
}

tsr *lib_average(call_site *site, tsr *x, const tsr_average_args *a)
{
	operands o;

	if (a->sum) *a->sum = poison_of(tsr_ctx_of(x));
	tsr *w = a->weights;
	if (!operands_check(site, (tsr *[]){x, w}, w ? 2 : 1)) return poison_of(site->ctx);
	w = w ? weights_placed(site, w, x, &a->dims) : tsr_ones_like_at(site->where, x);
	if (!operands_prepare(&o, site, (tsr_arg[]){HANDLE(x), HANDLE(w)}, 2, PROMOTE_INEXACT))
		return poison_of(o.site.ctx);
	const tsr_sum_args all = {.size = sizeof all, .dims = a->dims, .keep = a->keep};
	const tsr_arg products = a->weights ? MUL(HANDLE(o.x[0]), HANDLE(o.x[1])) : HANDLE(o.x[0]);
	const tsr_arg sum = HANDLE(tsr_sum_at(site->where, o.x[1], &all));
	if (a->sum) *a->sum = sum.as.one;
	return DIV(HANDLE(tsr_sum_at(site->where, products.as.one, &all)), sum).as.one;
}
