/* samplers_gamma.c - gamma numbers, and those that are made of them. */
#include "lib/random/draw.h"

/* numbers of the gamma distributions with parameters alpha, or their logarithms: each element of a
 * key of its own */
static tsr *gamma_of_key(const call_site *site, tsr *key, tsr_dtype dtype, const sample_box *at,
                         tsr *alpha, bool log)
{
	const random_gamma_params p = {log, site->ctx->threefry_original};

	alpha = RTO(dtype, alpha);
	if (handle_is_poison(alpha)) return alpha;
	tsr *x[] = {key_of_each(site, key, at),
	            broadcast_to(site, alpha, dims_of(&at->dims), dims_count(&at->dims))};
	for (int i = 0; i < 2; i++)
		if (handle_is_poison(x[i])) return x[i];
	return bind(site, &tsr__prim_random_gamma, &p, x, 2);
}

SAMPLE(gamma_numbers) { return gamma_of_key(site, key, DTYPE, at, x[0], false); }
SAMPLE(logarithms) { return gamma_of_key(site, key, DTYPE, at, x[0], true); }

/* a / (a + b) of two gamma numbers, which are divided by the larger one first */
SAMPLE(beta)
{
	tsr *part[2], *log[2];

	if (!keys_of_key(site, key, part, 2)) return poison_of(site->ctx);
	for (int i = 0; i < 2; i++) log[i] = gamma_of_key(site, part[i], DTYPE, at, x[i], true);
	tsr *most = R2(maximum, log[0], log[1]);
	tsr *a = R1(exp, R2(sub, log[0], most)), *b = R1(exp, R2(sub, log[1], most));
	return R2(div, a, R2(add, a, b));
}

/* twice a gamma number of df / 2 */
static tsr *chisquare_of_key(const call_site *site, tsr *key, tsr_dtype dtype, const sample_box *at,
                             tsr *df)
{
	tsr *log = gamma_of_key(site, key, dtype, at, R2(div, df, 2.0), true);

	return R2(mul, R1(exp, log), 2.0);
}

SAMPLE(chisquare) { return chisquare_of_key(site, key, DTYPE, at, OF(0)); }

/* a normal number over the root of the mean of df squares */
SAMPLE(student)
{
	tsr *part[2], *half = R2(div, OF(0), 2.0);

	if (!keys_of_key(site, key, part, 2)) return poison_of(site->ctx);
	tsr *n = normal_of_key(site, part[0], DTYPE, at);
	tsr *g = gamma_of_key(site, part[1], DTYPE, at, half, false);
	return R2(mul, n, R1(sqrt, R2(div, half, g)));
}

/* the quotient of two means of squares */
SAMPLE(fisher)
{
	tsr *part[2], *mean[2];

	if (!keys_of_key(site, key, part, 2)) return poison_of(site->ctx);
	for (int i = 0; i < 2; i++)
		mean[i] = R2(div, chisquare_of_key(site, part[1 - i], DTYPE, at, OF(i)), OF(i));
	return R2(div, mean[0], mean[1]);
}

/* with a random sign the gamma number of 1 / p to that power */
static tsr *generalized_normal_of_key(const call_site *site, tsr *key, tsr_dtype dtype,
                                      const sample_box *at, tsr *p)
{
	tsr *part[2], *power = R2(div, 1.0, p);

	if (!keys_of_key(site, key, part, 2)) return poison_of(site->ctx);
	tsr *size = R2(pow, gamma_of_key(site, part[0], dtype, at, power, false), power);
	return R2(mul, sign_of_key(site, part[1], dtype, at), size);
}

SAMPLE(generalized_normal) { return generalized_normal_of_key(site, key, DTYPE, at, OF(0)); }

SAMPLER_1(random_gamma, gamma_numbers, a, FLOATS)
SAMPLER_1(random_loggamma, logarithms, a, FLOATS)
SAMPLER_2(random_beta, beta, a, b, FLOATS)
SAMPLER_1(chisquare, chisquare, df, FLOATS)
SAMPLER_1(random_t, student, df, FLOATS)
SAMPLER_2(random_f, fisher, dfnum, dfden, FLOATS)
SAMPLER_1(generalized_normal, generalized_normal, p, FLOATS)

/* ---- vectors, along the last dim */

/* gamma numbers, divided by their sum */
SAMPLE(dirichlet)
{
	const tsr_softmax_args usual = {.size = sizeof usual};

	return tsr_softmax_at(site->where, gamma_of_key(site, key, DTYPE, at, x[0], true), -1,
	                      &usual);
}

tsr *tsr_dirichlet_at(const char *where, tsr *key, tsr *alpha, const tsr_sample_args *given)
{
	TURN_OF(tsr_ctx_of(key), where, poison_of(tsr_ctx_of(key)));
	const tsr_sample_args *a = KEYWORDS(tsr_sample_args, where, tsr_ctx_of(key), given);
	if (!a) return poison_of(tsr_ctx_of(key));
	call_site site = {.where = where, .op = "dirichlet"};
	draw d = {.sample = dirichlet, .dims = a->dims};
	const tsr_arg x = tsr_arg_one(alpha);
	int64_t n;

	if (!key_ok(&site, key) || !vector_ok(&site, "alpha", alpha, &n) ||
	    !last_dim_added(&site, &d.dims, n) || !parameters_ok(&site, &d, &x, 1) ||
	    !draw_begin(&site, key, &d, a->dtype, DRAWS_FLOATS))
		return poison_of(site.ctx);
	return draw_run(&site, &d, key, NULL, &x, 1);
}

/* numbers of the generalized normal distribution, over the p-norm of these and of one more number,
 * whose p-th power is exponential */
SAMPLE(ball)
{
	const tsr_sum_args last = {.size = sizeof last, .dims = TSR_DIMS(-1)};
	sample_box each = *at;
	tsr *part[2], *p = OF(0), *g, *e;

	each.whole = each.dims = dims_without_last(&at->dims);
	if (!keys_of_key(site, key, part, 2)) return poison_of(site->ctx);
	g = generalized_normal_of_key(site, part[0], DTYPE, at, p);
	e = exponential_of_key(site, part[1], DTYPE, &each);
	tsr *sum = tsr_sum_at(site->where, R2(pow, R1(abs, g), p), &last);
	tsr *norm = R2(pow, R2(add, sum, e), R2(div, 1.0, p));
	return R2(div, g, tsr_expand_dims_at(site->where, norm, last.dims));
}

tsr *tsr_ball_at(const char *where, tsr *key, int64_t n, const tsr_ball_args *given)
{
	TURN_OF(tsr_ctx_of(key), where, poison_of(tsr_ctx_of(key)));
	const tsr_ball_args *a = KEYWORDS(tsr_ball_args, where, tsr_ctx_of(key), given);
	if (!a) return poison_of(tsr_ctx_of(key));
	call_site site = {.where = where, .op = "ball"};
	draw d = {.sample = ball, .dims = dims_given(&a->dims) ? a->dims : TSR_DIMS()};
	const tsr_arg p = a->p.kind ? a->p : (tsr_arg){.kind = TSR_KIND_INT, .as.i = 2};

	if (!key_ok(&site, key)) return poison_of(site.ctx);
	if (p.kind == TSR_KIND_ONE && operands_check(&site, &(tsr *){p.as.one}, 1) &&
	    handle_type(p.as.one)->ndim)
		return refuse_op(&site, TSR_ERROR_TYPE, ".p is one number, not %s",
		                 tsr_type_text(p.as.one));
	if (!last_dim_added(&site, &d.dims, n) || !parameters_ok(&site, &d, &p, 1) ||
	    !draw_begin(&site, key, &d, a->dtype, DRAWS_FLOATS))
		return poison_of(site.ctx);
	return draw_run(&site, &d, key, NULL, &p, 1);
}
