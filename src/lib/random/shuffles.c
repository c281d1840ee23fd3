/* shuffles.c - arrays in random order, and samples of their elements.
 *
 * An array is sorted by random keys of 32 bits, which may collide: so often that two elements have
 * equal keys each time with a probability below 1 / n, as XLA does. */
#include <math.h>
#include "lib/random/draw.h"

static tsr *shuffled(const call_site *site, tsr *key, tsr *x, int dim)
{
	const tsr_sort_operands_args along = {.size = sizeof along, .dim = TSR_DIMS(dim)};
	if (handle_is_poison(x)) return x;
	const type *t = handle_type(x);
	sample_box at = {.start = NULL};
	const double size = t->size > 1 ? (double)t->size : 1;
	const int rounds = (int)ceil(3 * log(size) / log(UINT32_MAX));

	if (!dims_put(site, &at.dims, t->dims, t->ndim)) return poison_of(site->ctx);
	at.whole = at.dims;
	for (int i = 0; i < rounds; i++) {
		tsr *part[2];
		if (!keys_of_key(site, key, part, 2)) return poison_of(site->ctx);
		key = part[0];
		tsr *pair[] = {bits_of_key(site, part[1], TSR_U32, &at), x};
		if (!tsr_sort_operands_at(site->where, pair, pair, 2, &along)) return pair[1];
		x = pair[1];
	}
	return x;
}

static tsr *numbers_below(const call_site *site, int64_t n)
{
	const tsr_arange_args none = {.size = sizeof none};

	return tsr_arange_at(site->where, site->ctx, n, &none);
}

/* x in random order along a dim: each line in an order of its own if `independent`, else whole
 * slices */
static tsr *permuted(const call_site *site, tsr *key, tsr *x, int dim, bool independent)
{
	const tsr_index_args unique = {.size = sizeof unique, .unique_indices = true};

	if (independent || handle_type(x)->ndim == 1) return shuffled(site, key, x, dim);
	tsr *order = numbers_below(site, handle_type(x)->dims[dim]);
	if (handle_is_poison(order)) return order;
	return tsr_take_at(site->where, x, dim, shuffled(site, key, order, 0), &unique);
}

/* ---- permutation: d->number is the dim, and with independent rows -1 - dim; without an array
 * d->dims has the count */

static tsr *permutation_sample(const call_site *site, const draw *d, tsr *key, const sample_box *at,
                               tsr *const *x)
{
	const bool own = d->number < 0;
	const int dim = (int)(own ? -1 - d->number : d->number);

	if (dims_count(&at->dims))
		return shuffled(site, key, numbers_below(site, at->dims.d[1]), 0);
	return permuted(site, key, x[0], dim, own);
}

tsr *tsr_permutation_at(const char *where, tsr *key, tsr_arg x, const tsr_permutation_args *given)
{
	TURN_OF(tsr_ctx_of(key), where, poison_of(tsr_ctx_of(key)));
	const tsr_permutation_args *a =
		KEYWORDS(tsr_permutation_args, where, tsr_ctx_of(key), given);
	if (!a) return poison_of(tsr_ctx_of(key));
	call_site site = {.where = where, .op = "permutation"};
	draw d = {.sample = permutation_sample, .dims = TSR_DIMS()};
	const bool count = x.kind == TSR_KIND_INT && x.as.i >= 0;
	int dim;

	if (!key_ok(&site, key)) return poison_of(site.ctx);
	if (!count && (x.kind != TSR_KIND_ONE || !operands_check(&site, &x.as.one, 1) ||
	               !handle_type(x.as.one)->ndim))
		return x.kind == TSR_KIND_ONE && tsr_is_poison(x.as.one)
		               ? poison_of(site.ctx)
		               : refuse(&site, TSR_ERROR_TYPE,
		                        "%s takes an array with dims, or how many "
		                        "numbers from 0 on",
		                        site.op);
	if (!one_dim_read(&site, &a->dim, count ? 1 : handle_type(x.as.one)->ndim, 0, &dim))
		return poison_of(site.ctx);
	if (count) d.dims = TSR_DIMS(x.as.i);
	if (count && !type_for(&site, dtype_counting(&site.ctx->base, x.as.i), &d.dims))
		return poison_of(site.ctx);
	d.number = a->independent && !count ? -1 - dim : dim;
	return draw_run(&site, &d, key, NULL, &x, count ? 0 : 1);
}

/* ---- choice: among the numbers below d->number, and where x begins with an array, its elements
 * along a dim */

/* the first place where the running sum of p is not below r */
static tsr *places_by_sum(const call_site *site, tsr *key, const sample_box *at, tsr *p)
{
	const tsr_cumsum_args none = {.size = sizeof none};
	const tsr_sum_args last = {.size = sizeof last, .dims = TSR_DIMS(-1)};
	tsr *sums = tsr_cumsum_at(site->where, p, &none);
	tsr *left = R2(sub, 1, unit_of_key(site, key, handle_type(p)->dtype, at));
	tsr *r = R2(mul, tsr_index_at(site->where, sums, 0, -1), left);
	tsr *below = R2(lt, sums, tsr_expand_dims_at(site->where, r, TSR_DIMS(-1)));

	below = RTO(dtype_usual(&site->ctx->base, KIND_INT), below);
	return tsr_sum_at(site->where, below, &last);
}

/* n places in random order; with p those with the largest log p plus noise first */
static tsr *places_in_order(const call_site *site, tsr *key, int64_t n, tsr *p, bool high)
{
	const tsr_argsort_args down = {.size = sizeof down, .descending = true};
	const sample_box all = {.dims = TSR_DIMS(n), .whole = TSR_DIMS(n)};

	if (!p) return shuffled(site, key, numbers_below(site, n), 0);
	tsr *noise = gumbel_of_key(site, key, handle_type(p)->dtype, &all, high);
	return tsr_argsort_at(site->where, R2(add, noise, R1(log, p)), &down);
}

static int64_t elements_of(const tsr_dims *dims)
{
	int64_t n = 1;

	for (int d = 0; d < dims_count(dims); d++) n *= dims_of(dims)[d];
	return n;
}

/* d->number: the dim, and how many there are, in units of this */
enum { CHOICES = 256 };

static tsr *choice_sample(const call_site *site, const draw *d, tsr *key, const sample_box *at,
                          tsr *const *x)
{
	const tsr_index_args usual = {.size = sizeof usual};
	const bool from = d->flags & DRAW_FROM, weighed = d->flags & DRAW_WEIGHED;
	const int64_t n = d->number / CHOICES;
	const int dim = (int)(d->number % CHOICES);
	tsr *p = weighed ? x[from] : NULL, *places;

	if (d->flags & DRAW_ONCE) {
		places = places_in_order(site, key, n, p, d->flags & DRAW_HIGH);
		places = tsr_slice_at(site->where, places, 0, 0, elements_of(&at->dims));
		places = tsr_reshape_at(site->where, places, at->dims);
	} else {
		places = p ? places_by_sum(site, key, at, p) : below_of_key(site, key, at, n);
	}
	return from ? tsr_take_at(site->where, x[0], dim, places, &usual) : places;
}

/* p: one number for each of n */
static bool weights_ok(call_site *site, tsr **p, int64_t n)
{
	if (!operands_check(site, p, 1)) return false;
	*p = promote(site, *p, etype_inexact(etype_of(handle_type(*p))));
	if (handle_is_poison(*p)) return false;
	const type *t = handle_type(*p);
	if (t->ndim == 1 && t->dims[0] == n && dtype_kind(t->dtype) == KIND_FLOAT) return true;
	return fail_op(site, TSR_ERROR_TYPE,
	               ".p must have one real number for each of %lld, not %s", (long long)n,
	               tsr_type_text(*p));
}

/* from how many: `from` is an array with dims, or that number. -1: recorded */
static int64_t choices(call_site *site, const tsr_arg *from, const tsr_dims *given, int *dim)
{
	*dim = 0;
	if (from->kind == TSR_KIND_INT && from->as.i > 0 && from->as.i <= INT32_MAX)
		return from->as.i;
	if (from->kind != TSR_KIND_ONE) {
		fail(&site->ctx->base, site->where, TSR_ERROR_ARGUMENT,
		     "%s takes an array, or how many numbers there are: 1 to 2^31 - 1", site->op);
		return -1;
	}
	if (!operands_check(site, &(tsr *){from->as.one}, 1) ||
	    !one_dim_read(site, given, handle_type(from->as.one)->ndim, 0, dim))
		return -1;
	const int64_t n = handle_type(from->as.one)->dims[*dim];
	if (n > 0 && n <= INT32_MAX) return n;
	fail_op(site, TSR_ERROR_ARGUMENT, "there is nothing to choose from in %s",
	        tsr_type_text(from->as.one));
	return -1;
}

tsr *tsr_choice_at(const char *where, tsr *key, tsr_arg from, tsr_dims dims,
                   const tsr_choice_args *given)
{
	TURN_OF(tsr_ctx_of(key), where, poison_of(tsr_ctx_of(key)));
	const tsr_choice_args *a = KEYWORDS(tsr_choice_args, where, tsr_ctx_of(key), given);
	if (!a) return poison_of(tsr_ctx_of(key));
	call_site site = {.where = where, .op = "choice"};
	draw d = {.sample = choice_sample, .dims = dims};
	const bool array = from.kind == TSR_KIND_ONE;
	tsr_arg x[2];
	tsr *p = a->p;
	int dim, used = 0;

	if (!draw_begin(&site, key, &d, 0, DRAWS_INTEGERS)) return poison_of(site.ctx);
	const int64_t n = choices(&site, &from, &a->dim, &dim);
	if (n < 0 || (p && !weights_ok(&site, &p, n))) return poison_of(site.ctx);
	if (a->no_replace && elements_of(&dims) > n)
		return refuse_op(&site, TSR_ERROR_ARGUMENT,
		                 "%lld samples are more than there are elements, %lld, and with "
		                 ".no_replace none is taken twice",
		                 (long long)elements_of(&dims), (long long)n);
	if (array) x[used++] = from;
	if (p) x[used++] = tsr_arg_one(p);
	d.number = dim + n * CHOICES;
	d.flags = (array ? DRAW_FROM : 0) | (p ? DRAW_WEIGHED : 0) |
	          (a->no_replace ? DRAW_ONCE : 0) | (a->high ? DRAW_HIGH : 0);
	return draw_run(&site, &d, key, NULL, x, used);
}
