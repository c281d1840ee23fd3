/* samplers_counts.c - how often something happens: poisson, binomial and multinomial numbers.
 *
 * All elements of an array try at once, with numbers of the same new keys, until each one is done.
 * There is one way for few and one for many, and every element goes both, with a harmless parameter
 * where the result is not taken. For many the last trial that succeeds counts, as in JAX: how often
 * an element tries depends on the whole array.
 *
 * W. Hoermann, The transformed rejection method for generating Poisson random variables (1993); The
 * generation of binomial random variates (1993). */
#include <math.h>
#include "lib/random/draw.h"

/* ---- trials: their bodies take and give a list of values, whose first one is a key */

typedef tsr *test(tsr_tree);
typedef void step(tsr_frame *);

/* the next values in place of the n values x, as long as some element needs more. What they carry
 * varies over the axes that the key or a parameter varies over, from the first step on */
static void try_until_done(const call_site *site, test *more, step *next, tsr **x, size_t n)
{
	const tsr_arg init = {.kind = TSR_KIND_TREE, .as.tree = {.leaf = x, .count = n}};

	vary_alike(site, x, n);
	tsr_while_into_at(site->where, &(tsr_out){.to = {.leaf = x, .count = n}}, 1,
	                  (tsr_body){.form = TSR_FORM_TREE_0, .raw = (tsr_raw)more},
	                  (tsr_body){.form = TSR_FORM_FRAME, .raw = (tsr_raw)next}, &init, 1);
}

static tsr *some(const call_site *site, tsr *x)
{
	return tsr_any_at(site->where, x, &(tsr_all_args){.size = sizeof(tsr_all_args)});
}

static void give_list(tsr_frame *f, tsr **x, size_t n)
{
	const tsr_arg all = {.kind = TSR_KIND_TREE, .as.tree = {.leaf = x, .count = n}};

	tsr_return_at(NULL, f, &all, 1);
}

static sample_box box_of(const call_site *site, tsr *x)
{
	const type *t = handle_type(x);
	sample_box at = {.start = NULL};

	dims_put(site, &at.dims, t->dims, t->ndim);
	at.whole = at.dims;
	return at;
}

/* a parameter for each element, with which no derivative goes */
static tsr *parameter(const call_site *site, tsr *x, tsr_dtype dtype, const sample_box *at)
{
	x = R1(stop_gradient, RTO(dtype, x));
	if (handle_is_poison(x)) return x;
	return broadcast_to(site, x, dims_of(&at->dims), dims_count(&at->dims));
}

/* in a body with a frame f: the site, the values x of the list, and the place of its elements */
#define SITE(context, name) const call_site here = {context, NULL, name}, *const site = &here
#define TRIAL(name, like) \
	SITE(tsr_frame_ctx(f), name); \
	tsr *const *x = tsr_frame_tree(f, 0).leaf; \
	const sample_box at = box_of(site, x[like])

/* ---- poisson, below 10 (D. E. Knuth, The art of computer programming, 3.4.1): how many uniform
 * numbers can be multiplied until the product is at most e^-rate */
enum { KEY, COUNT, LOG, RATE, KNUTH };

static tsr *knuth_more(tsr_tree t)
{
	SITE(tsr_ctx_of(t.leaf[KEY]), "poisson");

	return some(site, R2(gt, t.leaf[LOG], R1(neg, t.leaf[RATE])));
}

static void knuth_next(tsr_frame *f)
{
	TRIAL("poisson", COUNT);
	tsr *part[2];

	keys_of_key(site, x[KEY], part, 2);
	tsr *below = R2(gt, x[LOG], R1(neg, x[RATE]));
	tsr *u = unit_of_key(site, part[1], TSR_F32, &at);
	give_list(f,
	          (tsr *[]){part[0], R3(where, below, R2(add, x[COUNT], 1), x[COUNT]),
	                    R2(add, x[LOG], R1(log, u)), x[RATE]},
	          KNUTH);
}

static tsr *poisson_few(const call_site *site, tsr *key, tsr_dtype dtype, const sample_box *at,
                        tsr *rate)
{
	const int64_t *dims = dims_of(&at->dims);
	const int n = dims_count(&at->dims);
	tsr *x[] = {key, zeros_of(site, (etype){dtype, false}, dims, n),
	            zeros_of(site, (etype){TSR_F32, false}, dims, n), rate};

	try_until_done(site, knuth_more, knuth_next, x, KNUTH);
	return R2(sub, x[COUNT], 1);
}

/* ---- poisson, from 10 on: transformed rejection */
enum { NUMBER = 1, DONE, MANY };

static tsr *any_undone(tsr_tree t)
{
	SITE(tsr_ctx_of(t.leaf[KEY]), "trials");

	return some(site, R1(logical_not, t.leaf[DONE]));
}

/* u between -1/2 and 1/2, v between 0 and 1, and the key of the next trial */
static tsr *trial_pair(const call_site *site, tsr *key, tsr_dtype dtype, const sample_box *at,
                       tsr **u, tsr **v)
{
	tsr *part[3];

	keys_of_key(site, key, part, 3);
	*u = R2(sub, unit_of_key(site, part[1], dtype, at), 0.5);
	*v = unit_of_key(site, part[2], dtype, at);
	return part[0];
}

static void poisson_next(tsr_frame *f)
{
	TRIAL("poisson", DONE);
	tsr *rate = x[MANY], *u, *v, *key = trial_pair(site, x[KEY], TSR_F32, &at, &u, &v);
	tsr *b = R3(fma, R1(sqrt, rate), 2.53, 0.931), *a = R3(fma, b, 0.02483, -0.059);
	tsr *inverse = R2(add, R2(div, 1.1328, R2(sub, b, 3.4)), 1.1239);
	tsr *least = R2(sub, 0.9277, R2(div, 3.6224, R2(sub, b, 2)));
	tsr *us = R2(sub, 0.5, R1(abs, u)), *slope = R2(add, R2(div, R2(mul, 2, a), us), b);
	tsr *k = R1(floor, R2(add, R3(fma, slope, u, rate), 0.43));
	tsr *at_once = R2(logical_and, R2(ge, us, 0.07), R2(le, v, least));
	tsr *never = R2(logical_and, R2(lt, us, 0.013), R2(gt, v, us));
	tsr *under = R2(add, R2(div, a, R2(mul, us, us)), b);
	tsr *s = R1(log, R2(div, R2(mul, v, inverse), under));
	tsr *t = R2(sub, R3(fma, k, R1(log, rate), R1(neg, rate)), R1(lgamma, R2(add, k, 1)));

	never = R2(logical_or, R2(lt, k, 0), never);
	tsr *late = R2(logical_and, R1(logical_not, never), R2(le, s, t));
	tsr *done = R2(logical_or, at_once, late);
	give_list(
		f,
		(tsr *[]){key, R3(where, done, k, x[NUMBER]), R2(logical_or, x[DONE], done), rate},
		MANY + 1);
}

static tsr *poisson_many(const call_site *site, tsr *key, const sample_box *at, tsr *rate)
{
	const int64_t *dims = dims_of(&at->dims);
	const int n = dims_count(&at->dims);
	const tsr_arg none = {.kind = TSR_KIND_INT, .as.i = -1};
	tsr *x[] = {key, full_of(site, (etype){TSR_F32, false}, dims, n, &none),
	            zeros_of(site, (etype){TSR_BOOL, false}, dims, n), rate};

	try_until_done(site, any_undone, poisson_next, x, MANY + 1);
	return x[NUMBER];
}

SAMPLE(poisson)
{
	tsr *rate = parameter(site, x[0], TSR_F32, at);
	tsr *few = R2(logical_or, R2(ne, rate, rate), R2(lt, rate, 10));
	tsr *low = poisson_few(site, key, DTYPE, at, R3(where, few, rate, 0));
	tsr *high = poisson_many(site, key, at, R3(where, few, 1e5, rate));

	return R3(where, R2(eq, rate, 0), 0, R3(where, few, low, RTO(DTYPE, high)));
}

tsr *tsr_poisson_at(const char *where, tsr *key, tsr_arg lam, const tsr_sample_args *a)
{
	TURN_OF(tsr_ctx_of(key), where, poison_of(tsr_ctx_of(key)));
	return draw_with(&(call_site){.where = where, .op = "poisson"}, poisson, key, &lam, 1, a,
	                 DRAWS_INTEGERS);
}

/* ---- binomial, for n p up to 10: how many geometric numbers have a sum of at most n */
enum { GEOMETRIC = 1, SUM, TRIALS, CHANCE, INVERSION };

static tsr *inversion_more(tsr_tree t)
{
	SITE(tsr_ctx_of(t.leaf[KEY]), "binomial");

	return some(site, R2(le, t.leaf[SUM], t.leaf[TRIALS]));
}

static void inversion_next(tsr_frame *f)
{
	TRIAL("binomial", SUM);
	tsr *part[2], *more = R2(le, x[SUM], x[TRIALS]);

	keys_of_key(site, x[KEY], part, 2);
	tsr *u = unit_of_key(site, part[0], handle_type(x[SUM])->dtype, &at);
	tsr *number = R1(ceil, R2(div, R1(log, u), R1(log1p, R1(neg, x[CHANCE]))));
	give_list(f,
	          (tsr *[]){part[1], R3(where, more, R2(add, x[GEOMETRIC], 1), x[GEOMETRIC]),
	                    R2(add, x[SUM], number), x[TRIALS], x[CHANCE]},
	          INVERSION);
}

/* ---- binomial, for more: transformed rejection */

/* The error of Stirling's formula for log k!. As in JAX, that of 9 is used for all above */
static tsr *tail(const call_site *site, tsr *k)
{
	static const double of[] = {0.0810614667953272,  0.0413406959554092, 0.0276779256849983,
	                            0.02079067210376509, 0.0166446911898211, 0.0138761288230707,
	                            0.0118967099458917,  0.0104112652619720, 0.00925546218271273,
	                            0.00833056343336287};
	tsr *y = R2(add, R1(zeros_like, k), of[9]);

	for (int i = 8; i >= 0; i--) y = R3(where, R2(lt, k, i + 1), of[i], y);
	return y;
}

/* the logarithm of the bound of v, at k, with m the number that is most likely */
static tsr *binomial_bound(const call_site *site, tsr *n, tsr *odds, tsr *m, tsr *k)
{
	tsr *over_m = R2(add, R2(sub, n, m), 1), *over_k = R2(add, R2(sub, n, k), 1);
	tsr *y = R2(mul, R2(add, m, 0.5), R1(log, R2(div, R2(add, m, 1), R2(mul, odds, over_m))));

	y = R2(add, y, R2(mul, R2(add, n, 1), R1(log, R2(div, over_m, over_k))));
	tsr *ratio = R2(div, R2(mul, odds, over_k), R2(add, k, 1));
	y = R2(add, y, R2(mul, R2(add, k, 0.5), R1(log, ratio)));
	y = R2(add, R2(add, y, tail(site, m)), tail(site, R2(sub, n, m)));
	return R2(sub, R2(sub, y, tail(site, k)), tail(site, R2(sub, n, k)));
}

static void binomial_next(tsr_frame *f)
{
	TRIAL("binomial", DONE);
	tsr *n = x[MANY], *p = x[MANY + 1], *less = R2(sub, 1, p), *mean = R2(mul, n, p), *u, *v;
	tsr *key = trial_pair(site, x[KEY], handle_type(n)->dtype, &at, &u, &v);
	tsr *deviation = R1(sqrt, R2(mul, mean, less)), *b = R3(fma, deviation, 2.53, 1.15);
	tsr *a = R3(fma, p, 0.01, R3(fma, b, 0.0248, -0.0873));
	tsr *least = R2(sub, 0.92, R2(div, 4.2, b)), *odds = R2(div, p, less);
	tsr *alpha = R2(mul, R2(add, R2(div, 5.1, b), 2.83), deviation);
	tsr *m = R1(floor, R2(mul, R2(add, n, 1), p)), *us = R2(sub, 0.5, R1(abs, u));
	tsr *slope = R2(add, R2(div, R2(mul, 2, a), us), b);
	tsr *k = R1(floor, R3(fma, slope, u, R3(fma, n, p, 0.5)));
	tsr *at_once = R2(logical_and, R2(ge, us, 0.07), R2(le, v, least));
	tsr *outside = R2(logical_or, R2(lt, k, 0), R2(gt, k, n));
	tsr *under = R2(add, R2(div, a, R2(mul, us, us)), b);
	tsr *log = R1(log, R2(div, R2(mul, v, alpha), under));
	tsr *late = R2(le, log, binomial_bound(site, n, odds, m, k));
	tsr *done = R2(logical_or, at_once, R2(logical_and, R1(logical_not, outside), late));

	give_list(
		f,
		(tsr *[]){key, R3(where, done, k, x[NUMBER]), R2(logical_or, x[DONE], done), n, p},
		MANY + 2);
}

/* of n trials with probability p <= 1/2, in their dtype */
static tsr *binomial_few(const call_site *site, tsr *key, etype own, const sample_box *at, tsr *n,
                         tsr *p)
{
	tsr *zeros = zeros_of(site, own, dims_of(&at->dims), dims_count(&at->dims));
	tsr *x[] = {key, zeros, zeros, n, p};

	try_until_done(site, inversion_more, inversion_next, x, INVERSION);
	return R2(sub, x[GEOMETRIC], 1);
}

static tsr *binomial_many(const call_site *site, tsr *key, etype own, const sample_box *at, tsr *n,
                          tsr *p)
{
	const int64_t *dims = dims_of(&at->dims);
	const int ndim = dims_count(&at->dims);
	const tsr_arg none = {.kind = TSR_KIND_INT, .as.i = -1};
	tsr *x[] = {key, full_of(site, own, dims, ndim, &none),
	            zeros_of(site, (etype){TSR_BOOL, false}, dims, ndim), n, p};

	try_until_done(site, any_undone, binomial_next, x, MANY + 2);
	return x[NUMBER];
}

/* Of p above 1/2 by those that fail. A p that is none, or a negative n, gives NaN, and an infinite
 * n infinity */
static tsr *binomial_of_key(const call_site *site, tsr *key, tsr_dtype dtype, const sample_box *at,
                            tsr *n, tsr *p)
{
	const char *where = site->where;
	const etype own = {dtype, false};
	tsr *half = R2(lt, p, 0.5), *q = R3(where, half, p, R2(sub, 1, p));
	tsr *bad_n = R1(logical_not, R2(ge, n, 0)), *bad_p = R1(logical_not, R2(ge, q, 0));
	tsr *endless = R2(eq, n, INFINITY), *bad = R2(logical_or, bad_n, bad_p);

	q = R3(where, bad_p, 0.01, R1(abs, q)); /* log(1 - q) of -0 is not below 0 */
	tsr *few = R2(logical_or, bad_n, R2(le, R2(mul, n, q), 10));
	tsr *either = R2(logical_or, few, endless);
	n = R1(floor, n);
	tsr *low = binomial_few(site, key, own, at, R3(where, few, n, 0), q);
	tsr *high = binomial_many(site, key, own, at, R3(where, either, 1e4, n),
	                          R3(where, either, 0.5, q));
	tsr *y = R3(where, endless, INFINITY, R3(where, few, low, high));
	y = R3(where, R2(logical_or, half, endless), y, R2(sub, n, y));
	return R3(where, bad, NAN, y);
}

SAMPLE(binomial)
{
	const tsr_dtype own = inexact_dtype_of(x[1]);
	tsr *n = parameter(site, x[0], own, at), *p = parameter(site, x[1], own, at);

	return RTO(DTYPE, binomial_of_key(site, key, own, at, n, p));
}

SAMPLER_2(binomial, binomial, n, p, FLOATS)

/* ---- multinomial: of the trials that are left, each outcome gets a binomial number, with the
 * share that it has among the outcomes from there on */

static void outcome_body(tsr_frame *f)
{
	SITE(tsr_frame_ctx(f), "multinomial");
	tsr *left = tsr_frame_arg(f, 0), *const *of = tsr_frame_tree(f, 1).leaf;
	const sample_box at = box_of(site, left);
	tsr *count = binomial_of_key(site, of[1], handle_type(left)->dtype, &at, left, of[0]);

	tsr_return_at(NULL, f, (tsr_arg[]){tsr_arg_one(R2(sub, left, count)), tsr_arg_one(count)},
	              2);
}

SAMPLE(multinomial)
{
	const tsr_cumsum_args back = {.size = sizeof back, .dim = TSR_DIMS(0), .reverse = true};
	const tsr_scan_args none = {.size = sizeof none};
	const tsr_dtype own = inexact_dtype_of(x[1]);
	sample_box each = *at;

	each.whole = each.dims = dims_without_last(&at->dims);
	tsr *p = dim_to_end(site, parameter(site, x[1], own, at), dims_count(&at->dims) - 1, true);
	tsr *n = parameter(site, x[0], own, &each), *rest = tsr_cumsum_at(site->where, p, &back);
	tsr *share = R2(div, p, R3(where, R2(eq, rest, 0), 1, rest));
	const tsr_dims outcomes = TSR_DIMS(at->dims.d[dims_count(&at->dims)]);
	share = tsr_clamp_at(site->where, tsr_arg_float(0), tsr_arg_one(share), tsr_arg_float(1));
	tsr *all[] = {n, share, tsr_split_keys_at(site->where, key, outcomes)}, *left, *counts;

	vary_alike(site, all, 3);
	tsr_scan_into_at(site->where,
	                 (tsr_out[]){{.to = {.leaf = &left, .count = 1}},
	                             {.to = {.leaf = &counts, .count = 1}}},
	                 2, (tsr_body){.form = TSR_FORM_FRAME, .raw = (tsr_raw)outcome_body},
	                 tsr_arg_one(all[0]),
	                 (tsr_arg){.kind = TSR_KIND_TREE, .as.tree = {.leaf = all + 1, .count = 2}},
	                 &none);
	return RTO(DTYPE, dim_to_end(site, counts, 0, false));
}

tsr *tsr_multinomial_at(const char *where, tsr *key, tsr_arg n, tsr *p,
                        const tsr_sample_args *given)
{
	TURN_OF(tsr_ctx_of(key), where, poison_of(tsr_ctx_of(key)));
	const tsr_sample_args *a = KEYWORDS(tsr_sample_args, where, tsr_ctx_of(key), given);
	if (!a) return poison_of(tsr_ctx_of(key));
	call_site site = {.where = where, .op = "multinomial"};
	draw d = {.sample = multinomial, .dims = a->dims};
	const tsr_arg x[] = {n, tsr_arg_one(p)};
	int64_t outcomes;

	if (!key_ok(&site, key) || !vector_ok(&site, "p", p, &outcomes) ||
	    !last_dim_added(&site, &d.dims, outcomes) || !parameters_ok(&site, &d, &x[1], 1))
		return poison_of(site.ctx);
	draw each = {.dims = dims_without_last(&d.dims)};
	if (!parameters_ok(&site, &each, x, 1) ||
	    !draw_begin(&site, key, &d, a->dtype, DRAWS_FLOATS))
		return poison_of(site.ctx);
	return draw_run(&site, &d, key, NULL, x, 2);
}
