/* samplers_real.c - floats with other distributions, as functions of uniform and normal ones. */
#include <math.h>
#include "lib/random/draw.h"

/* the smallest normal number of a dtype */
static double tiny_of(tsr_dtype t)
{
	return t == TSR_F16 ? 0x1p-14 : t == TSR_F64 ? 0x1p-1022 : 0x1p-126;
}

/* low <= y < 1 */
static tsr *uniform_from(const call_site *site, tsr *key, tsr_dtype dtype, const sample_box *at,
                         double low)
{
	tsr *limit[2];

	for (int i = 0; i < 2; i++)
		limit[i] = constant(site, dtype,
		                    &(tsr_arg){.kind = TSR_KIND_FLOAT, .as.f = {i ? 1 : low, 0}});
	return uniform_of_key(site, key, dtype, at, limit[0], limit[1]);
}

/* ---- of one uniform number */

/* -log(-log u), or from further digits, which add to a u below 1/2, -log(-log1p(-u)) */
tsr *gumbel_of_key(const call_site *site, tsr *key, tsr_dtype dtype, const sample_box *at,
                   bool high)
{
	tsr *u, *rest, *log;

	if (high) {
		u = unit_and_rest(site, key, dtype, at, &rest);
		tsr *fine = R3(fma, rest, ldexp(1, -digits_of(dtype)), u);
		u = R3(where, R2(ge, u, 0.5), u, R2(add, fine, tiny_of(dtype)));
		log = R1(log1p, R1(neg, u));
	} else {
		u = uniform_from(site, key, dtype, at, tiny_of(dtype));
		log = R1(log, u);
	}
	return R1(neg, R1(log, R1(neg, log)));
}

SAMPLE(gumbel) { return (void)x, gumbel_of_key(site, key, DTYPE, at, d->flags & DRAW_HIGH); }

tsr *tsr_gumbel_at(const char *where, tsr *key, tsr_dims dims, const tsr_gumbel_args *given)
{
	TURN_OF(tsr_ctx_of(key), where, poison_of(tsr_ctx_of(key)));
	const tsr_gumbel_args *a = KEYWORDS(tsr_gumbel_args, where, tsr_ctx_of(key), given);
	if (!a) return poison_of(tsr_ctx_of(key));
	call_site site = {.where = where, .op = "gumbel"};
	draw d = {.sample = gumbel, .dims = dims, .flags = a->high ? DRAW_HIGH : 0};

	if (!draw_begin(&site, key, &d, a->dtype, DRAWS_FLOATS) ||
	    !place_ok(&site, &d, &a->whole, a->start))
		return poison_of(site.ctx);
	return draw_run(&site, &d, key, a->start, NULL, 0);
}

tsr *exponential_of_key(const call_site *site, tsr *key, tsr_dtype dtype, const sample_box *at)
{
	return R1(neg, R1(log1p, R1(neg, unit_of_key(site, key, dtype, at))));
}

SAMPLE(exponential) { return (void)x, exponential_of_key(site, key, DTYPE, at); }

/* of the number above -1 on: its sign times log(1 - |u|) */
SAMPLE(laplace)
{
	tsr *u = uniform_from(site, key, DTYPE, at, ldexp(1, -1 - digits_of(DTYPE)) - 1);

	return (void)x, R2(mul, R1(sign, u), R1(log1p, R1(neg, R1(abs, u))));
}

SAMPLE(logistic)
{
	tsr *u = uniform_from(site, key, DTYPE, at, tiny_of(DTYPE));

	return (void)x, R2(sub, R1(log, u), R1(log1p, R1(neg, u)));
}

SAMPLE(cauchy)
{
	tsr *u = uniform_from(site, key, DTYPE, at, ldexp(1, -digits_of(DTYPE)));

	return (void)x, R1(tan, R2(mul, M_PI, R2(sub, u, 0.5)));
}

SAMPLE(pareto) { return R1(exp, R2(div, exponential_of_key(site, key, DTYPE, at), OF(0))); }

/* scale sqrt(-2 log u) */
SAMPLE(rayleigh) { return R2(mul, OF(0), R1(sqrt, R2(mul, R1(log, UNIT), -2.0))); }

/* scale (-log(1 - u))^(1 / concentration) */
SAMPLE(weibull_min)
{
	tsr *e = exponential_of_key(site, key, DTYPE, at);

	return R2(mul, R2(pow, e, R2(div, 1.0, OF(1))), OF(0));
}

/* the inverse of the distribution function, which turns at (mode - left) / (right - left) */
SAMPLE(triangular)
{
	tsr *left = OF(0), *mode = OF(1), *right = OF(2), *u = UNIT, *width = R2(sub, right, left);
	tsr *rise = R2(sub, mode, left), *fall = R2(sub, right, mode);
	tsr *low = R1(sqrt, R2(mul, R2(mul, u, width), rise));
	tsr *high = R1(sqrt, R2(mul, R2(mul, R2(sub, 1.0, u), width), fall));

	return R3(where, R2(lt, u, R2(div, rise, width)), R2(add, left, low), R2(sub, right, high));
}

/* ---- of normal numbers */

SAMPLE(lognormal) { return R1(exp, R2(mul, normal_of_key(site, key, DTYPE, at), OF(0))); }

/* the length of three */
static tsr *maxwell_of_key(const call_site *site, tsr *key, tsr_dtype dtype, const sample_box *at)
{
	const tsr_sum_args last = {.size = sizeof last, .dims = TSR_DIMS(-1)};
	sample_box three = *at;

	if (!box_widened(site, &three, dims_count(&at->dims), 3)) return poison_of(site->ctx);
	return R1(sqrt, tsr_sum_at(site->where, R1(square, normal_of_key(site, key, dtype, &three)),
	                           &last));
}

SAMPLE(maxwell) { return (void)x, maxwell_of_key(site, key, DTYPE, at); }

/* with a random sign, times scale, plus loc */
SAMPLE(double_sided_maxwell)
{
	tsr *part[2];

	if (!keys_of_key(site, key, part, 2)) return poison_of(site->ctx);
	tsr *y = maxwell_of_key(site, part[0], DTYPE, at);
	y = R2(mul, sign_of_key(site, part[1], DTYPE, at), y);
	return R2(add, R2(mul, y, OF(1)), OF(0));
}

/* the smaller root x of Michael, Schucany and Haas (1976), or mean^2 / x */
SAMPLE(wald)
{
	tsr *mean = OF(0), *part[2];

	if (!keys_of_key(site, key, part, 2)) return poison_of(site->ctx);
	tsr *y = R1(square, normal_of_key(site, part[0], DTYPE, at));
	tsr *z = unit_of_key(site, part[1], DTYPE, at), *square = R1(square, mean);
	tsr *under = R2(add, R2(mul, R2(mul, 4.0, mean), y), R2(mul, square, R1(square, y)));
	tsr *up = R2(add, mean, R2(div, R2(mul, square, y), 2.0));
	tsr *root = R2(sub, up, R2(mul, R2(div, mean, 2.0), R1(sqrt, under)));
	tsr *small = R2(le, z, R2(div, mean, R2(add, mean, root)));
	return R3(where, small, root, R2(div, square, root));
}

SAMPLER(exponential, exponential, FLOATS)
SAMPLER(laplace, laplace, FLOATS)
SAMPLER(random_logistic, logistic, FLOATS)
SAMPLER(cauchy, cauchy, FLOATS)
SAMPLER(maxwell, maxwell, FLOATS)
SAMPLER_1(pareto, pareto, b, FLOATS)
SAMPLER_1(rayleigh, rayleigh, scale, FLOATS)
SAMPLER_1(lognormal, lognormal, sigma, FLOATS)
SAMPLER_1(wald, wald, mean, FLOATS)
SAMPLER_2(weibull_min, weibull_min, scale, concentration, FLOATS)
SAMPLER_2(double_sided_maxwell, double_sided_maxwell, loc, scale, FLOATS)

tsr *tsr_triangular_at(const char *where, tsr *key, tsr_arg left, tsr_arg mode, tsr_arg right,
                       const tsr_sample_args *a)
{
	return draw_with(&(call_site){.where = where, .op = "triangular"}, triangular, key,
	                 (tsr_arg[]){left, mode, right}, 3, a, DRAWS_FLOATS);
}
