/* samplers_whole.c - random integers, truth values and choices among categories. */
#include <math.h>
#include "lib/random/draw.h"

/* ---- randint */

static int64_t lowest_of(tsr_dtype t)
{
	return dtype_kind(t) == KIND_UINT ? 0 : -1 - (int64_t)(INT64_MAX >> (64 - dtype_bits(t)));
}

static uint64_t highest_of(tsr_dtype t)
{
	const uint64_t all = UINT64_MAX >> (64 - dtype_bits(t));

	return dtype_kind(t) == KIND_UINT ? all : all >> 1;
}

static tsr_arg whole_number(uint64_t n) { return (tsr_arg){.kind = TSR_KIND_UINT, .as.u = n}; }

/* an integer parameter in the dtype; a number beyond its range becomes the nearest one that it has.
 * *beyond: was it above? */
static tsr *clipped(const call_site *site, tsr *x, tsr_dtype dtype, tsr **beyond)
{
	const tsr_dtype own = handle_type(x)->dtype == TSR_U64 ? TSR_U64 : TSR_I64;
	const uint64_t most = highest_of(dtype), limit = highest_of(own);
	const int64_t least = own == TSR_U64 ? 0 : lowest_of(dtype);
	const tsr_arg low = {.kind = TSR_KIND_INT, .as.i = least};

	x = RTO(own, x);
	*beyond = most < limit
	                  ? tsr_gt_at(site->where, (tsr_arg[]){tsr_arg_one(x), whole_number(most)})
	                  : constant(site, TSR_BOOL, &(tsr_arg){.kind = TSR_KIND_BOOL, .as.i = 0});
	return RTO(dtype, tsr_clamp_at(site->where, low, tsr_arg_one(x),
	                               whole_number(most < limit ? most : limit)));
}

/* low + (n mod span), with twice as many bits n as the dtype has, so that it is nearly even: of the
 * halves of n, n mod span = (upper mod span) (2^bits mod span) + lower mod span */
static tsr *spread_over(const call_site *site, tsr *key, const sample_box *at, tsr *low, tsr *span)
{
	const tsr_dtype bits = handle_type(span)->dtype;
	const int64_t half = (int64_t)1 << (dtype_bits(bits) / 2);
	tsr *part[2];

	if (!keys_of_key(site, key, part, 2)) return poison_of(site->ctx);
	tsr *upper = R2(rem, bits_of_key(site, part[0], bits, at), span);
	tsr *lower = R2(rem, bits_of_key(site, part[1], bits, at), span);
	tsr *root = R2(rem, half, span), *factor = R2(rem, R2(mul, root, root), span);
	tsr *sum = R2(add, R2(mul, upper, factor), lower);
	return R2(add, low, RTO(handle_type(low)->dtype, R2(rem, sum, span)));
}

tsr *below_of_key(const call_site *site, tsr *key, const sample_box *at, int64_t n)
{
	const base *b = &site->ctx->base;
	tsr *zero = constant(site, dtype_usual(b, KIND_INT), &(tsr_arg){.kind = TSR_KIND_INT});
	tsr *span = constant(site, dtype_usual(b, KIND_UINT),
	                     &(tsr_arg){.kind = TSR_KIND_INT, .as.i = n});

	if (handle_is_poison(zero) || handle_is_poison(span)) return poison_of(site->ctx);
	return spread_over(site, key, at, zero, span);
}

SAMPLE(randint)
{
	const tsr_dtype dtype = DTYPE;
	const bool narrow = dtype_bits(dtype) < 32; /* drawn in 32 bits */
	const tsr_dtype own = narrow ? TSR_I32 : dtype;
	tsr *unused, *beyond, *low = clipped(site, x[0], dtype, &unused);
	tsr *high = clipped(site, x[1], dtype, &beyond);

	low = RTO(own, low);
	high = RTO(own, high);
	if (handle_is_poison(low) || handle_is_poison(high)) return poison_of(site->ctx);
	tsr *some = R2(gt, high, low), *one_more = R2(logical_and, beyond, some);
	tsr *span = RTO(dtype_bits(own) == 64 ? TSR_U64 : TSR_U32, R2(sub, high, low));
	span = R2(add, R3(where, some, span, 1), RTO(handle_type(span)->dtype, one_more));
	if (handle_is_poison(span)) return span;
	return RTO(dtype, spread_over(site, key, at, low, span));
}

tsr *tsr_randint_at(const char *where, tsr *key, tsr_dims dims, tsr_arg minval, tsr_arg maxval,
                    const tsr_draw_args *given)
{
	TURN_OF(tsr_ctx_of(key), where, poison_of(tsr_ctx_of(key)));
	const tsr_draw_args *a = KEYWORDS(tsr_draw_args, where, tsr_ctx_of(key), given);
	if (!a) return poison_of(tsr_ctx_of(key));
	call_site site = {.where = where, .op = "randint"};
	draw d = {.sample = randint, .dims = dims};
	const tsr_arg limits[] = {minval, maxval};

	if (!draw_begin(&site, key, &d, a->dtype, DRAWS_INTEGERS) ||
	    !place_ok(&site, &d, &a->whole, a->start) || !parameters_ok(&site, &d, limits, 2))
		return poison_of(site.ctx);
	return draw_run(&site, &d, key, a->start, limits, 2);
}

/* ---- bernoulli, rademacher */

SAMPLE(bernoulli)
{
	const tsr_dtype dtype = DTYPE;
	tsr *p = RTO(dtype, x[0]), *rest;

	if (!(d->flags & DRAW_HIGH)) return R2(lt, unit_of_key(site, key, dtype, at), p);
	tsr *unit = unit_and_rest(site, key, dtype, at, &rest);
	return R2(lt, R2(mul, rest, ldexp(1, -digits_of(dtype))), R2(sub, p, unit));
}

tsr *tsr_bernoulli_at(const char *where, tsr *key, tsr_arg p, const tsr_bernoulli_args *given)
{
	TURN_OF(tsr_ctx_of(key), where, poison_of(tsr_ctx_of(key)));
	const tsr_bernoulli_args *a = KEYWORDS(tsr_bernoulli_args, where, tsr_ctx_of(key), given);
	if (!a) return poison_of(tsr_ctx_of(key));
	call_site site = {.where = where, .op = "bernoulli"};
	draw d = {.sample = bernoulli, .dims = a->dims, .flags = a->high ? DRAW_HIGH : 0};

	if (!key_ok(&site, key) || !dims_ok(&site, ".dims", &a->dims, false) ||
	    !parameters_ok(&site, &d, &p, 1))
		return poison_of(site.ctx);
	const tsr_dtype own = p.kind == TSR_KIND_ONE ? handle_type(p.as.one)->dtype : 0;
	if (!draw_begin(&site, key, &d, own, DRAWS_FLOATS)) return poison_of(site.ctx);
	return draw_run(&site, &d, key, NULL, &p, 1);
}

/* of a float that is usual, whatever the dtype of the result is, as in JAX */
tsr *sign_of_key(const call_site *site, tsr *key, tsr_dtype dtype, const sample_box *at)
{
	const tsr_dtype usual = dtype_usual(&site->ctx->base, KIND_FLOAT);
	tsr *plus = R2(lt, unit_of_key(site, key, usual, at), 0.5);

	return R2(sub, R2(mul, 2, RTO(dtype, plus)), 1);
}

SAMPLE(rademacher) { return (void)x, sign_of_key(site, key, DTYPE, at); }
SAMPLER(rademacher, rademacher, INTEGERS)

/* how many trials with probability p it takes: log u / log(1 - p), and u = 0 counts as 1 */
SAMPLE(geometric)
{
	const tsr_dtype own = inexact_dtype_of(x[0]);
	tsr *unit = unit_of_key(site, key, own, at);
	tsr *log = R1(log, R3(where, R2(eq, unit, 0), 1, unit));
	tsr *trials = R1(floor, R2(div, log, R1(log1p, R1(neg, RTO(own, x[0])))));

	return RTO(DTYPE, R2(add, trials, 1));
}

SAMPLER_1(geometric, geometric, p, INTEGERS)

/* ---- categorical: the largest of logits plus noise, or without replacement the largest ones */

/* as many of each distribution as there are elements in front of those of the distributions */
static tsr *categories_once(const call_site *site, const draw *d, tsr *key, const sample_box *at,
                            tsr *logits)
{
	const tsr_top_k_args along = {.size = sizeof along};
	const type *t = handle_type(logits);
	const int front = dims_count(&at->dims) - (t->ndim - 1);
	sample_box each = {.start = NULL};
	tsr *best[2];
	int64_t k = 1;

	for (int i = 0; i < front; i++) k *= at->dims.d[1 + i];
	if (!dims_put(site, &each.dims, t->dims, t->ndim)) return poison_of(site->ctx);
	each.whole = each.dims;
	tsr *sum = R2(add, logits, gumbel_of_key(site, key, t->dtype, &each, d->flags & DRAW_HIGH));
	sum = dim_to_end(site, sum, (int)d->number, false);
	if (!tsr_top_k_at(site->where, sum, k, best, &along)) return best[1];
	return tsr_reshape_at(site->where, dim_to_end(site, best[1], t->ndim - 1, true), at->dims);
}

/* d->number: the dim of the logits; at->dims: of the result */
SAMPLE(categorical)
{
	const type *t = handle_type(x[0]);
	const int dim = dims_count(&at->dims) - (t->ndim - 1) + (int)d->number;
	sample_box noise = *at;

	if (d->flags & DRAW_ONCE) return categories_once(site, d, key, at, x[0]);
	if (!dims_insert(site, &noise.dims, dim, t->dims[d->number])) return poison_of(site->ctx);
	noise.whole = noise.dims;
	const tsr_arg_args along = {.size = sizeof along, .dim = TSR_DIMS(dim)};
	tsr *sum = R2(add, gumbel_of_key(site, key, t->dtype, &noise, d->flags & DRAW_HIGH), x[0]);
	return tsr_argmax_at(site->where, sum, &along);
}

/* the dims of the result: those of the logits without `dim`, or .dims, which end with these */
static bool categorical_dims(const call_site *site, draw *d, const type *t, const tsr_dims *given)
{
	const int n = t->ndim - 1;
	int64_t own[MAX_NDIM];

	for (int i = 0; i < n; i++) own[i] = t->dims[i < d->number ? i : i + 1];
	if (!dims_given(given)) return dims_put(site, &d->dims, own, n);
	if (!dims_ok(site, ".dims", given, false)) return false;
	const int more = dims_count(given) - n;
	d->dims = *given;
	if (more >= 0 && dims_same(dims_of(given) + more, n, own, n)) return true;
	return fail_op(site, TSR_ERROR_TYPE,
	               ".dims must end with the dims of the logits without the dim of "
	               "the categories");
}

/* has each distribution as many categories as numbers are wanted of it? */
static bool enough_categories(const call_site *site, const draw *d, const type *t)
{
	const int64_t own = t->dims[d->number];
	const int front = dims_count(&d->dims) - (t->ndim - 1);
	int64_t k = 1;

	for (int i = 0; i < front; i++) k *= d->dims.d[1 + i];
	return k <= own || fail_op(site, TSR_ERROR_ARGUMENT,
	                           "%lld samples are more than there are categories, %lld, and "
	                           "with .no_replace none is taken twice",
	                           (long long)k, (long long)own);
}

tsr *tsr_categorical_at(const char *where, tsr *key, tsr *logits, const tsr_categorical_args *given)
{
	TURN_OF(tsr_ctx_of(key), where, poison_of(tsr_ctx_of(key)));
	const tsr_categorical_args *a =
		KEYWORDS(tsr_categorical_args, where, tsr_ctx_of(key), given);
	if (!a) return poison_of(tsr_ctx_of(key));
	call_site site = {.where = where, .op = "categorical"};
	draw d = {.sample = categorical};
	int dim;

	if (!key_ok(&site, key) || !operands_check(&site, (tsr *[]){key, logits}, 2))
		return poison_of(site.ctx);
	const type *t = handle_type(logits);
	if (!one_dim_read(&site, &a->dim, t->ndim, -1, &dim)) return poison_of(site.ctx);
	d.number = dim;
	d.flags = (a->high ? DRAW_HIGH : 0) | (a->no_replace ? DRAW_ONCE : 0);
	if (!categorical_dims(&site, &d, t, &a->dims) ||
	    !draw_begin(&site, key, &d, t->dtype, DRAWS_FLOATS) ||
	    (a->no_replace && !enough_categories(&site, &d, t)))
		return poison_of(site.ctx);
	return draw_run(&site, &d, key, NULL, (tsr_arg[]){tsr_arg_one(logits)}, 1);
}
